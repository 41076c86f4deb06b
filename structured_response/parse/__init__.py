"""A reply -> the answer it holds."""

from .reader import Answer, read, read_all

__all__ = ["Answer", "read", "read_all"]
