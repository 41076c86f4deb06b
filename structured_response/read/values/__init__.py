"""Texts -> values: what stands between two tags, decoded and laid out, and the strict form of its type."""

from .scalars import Scalar, is_strict, read_key, read_scalar, reads, says_nothing, says_null
from .text import Change, Text, decode, decode_clean, decode_common, layout, plain_value, unfenced, value_of

__all__ = [
    "Change",
    "Scalar",
    "Text",
    "decode",
    "decode_clean",
    "decode_common",
    "is_strict",
    "layout",
    "plain_value",
    "read_key",
    "read_scalar",
    "reads",
    "says_nothing",
    "says_null",
    "unfenced",
    "value_of",
]
