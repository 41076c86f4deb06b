"""A reply -> the answer it holds."""

from .reader import Answer, read

__all__ = ["Answer", "read"]
