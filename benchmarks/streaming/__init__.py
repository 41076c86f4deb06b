"""Replies that come in pieces, with every snapshot taken: time against length beside others, memory, and lag."""
