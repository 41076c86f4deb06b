"""Texts without a format -> their pieces: lines, bullets, labels, tables, and what separates items in one line."""
