"""Reads texts as values: decodes and lays out the text between two tags, and finds the strict form of its type."""

from .scalar import Scalar
from .scalars import read_key, read_scalar, read_union_scalar, reads, says_null, typed
from .text import Change, Text, decode, decode_clean, layout, plain_value, value_of

__all__ = [
    "Change",
    "Scalar",
    "Text",
    "decode",
    "decode_clean",
    "layout",
    "plain_value",
    "read_key",
    "read_scalar",
    "read_union_scalar",
    "reads",
    "says_null",
    "typed",
    "value_of",
]
