"""Caches of replies: that they keep what they said they kept, and what they cost."""
