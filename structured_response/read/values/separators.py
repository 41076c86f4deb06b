"""Digits with separators of thousands and decimals -> a whole part and decimals: `1,299.50`, `12,99,000`."""

from __future__ import annotations

import re
import unicodedata

__all__ = ["DIGITS", "ascii_digits", "is_grouped", "may_be_thousands", "split_digits"]

DIGITS = re.compile(r"[0-9]++")
_OTHER_DIGIT = re.compile(r"[^\D0-9]")


def split_digits(digits: str) -> tuple[str, str] | None:
    """Whole part and decimals of digits with separators, or None where the separators make no sense.

    The last separator is the decimal one if it stands there once and others stand before it, or if it is a point,
    or a comma that does not separate three digits. All others have to separate groups of three.
    """
    if digits.isdigit():
        return digits, ""
    kinds = list(dict.fromkeys(DIGITS.sub("", digits)))
    last = kinds[-1]
    if len(kinds) > 2 or (len(kinds) == 2 and (last not in ".," or digits.count(last) > 1)):
        return None
    pieces = digits.split(kinds[0])
    if len(kinds) == 2:
        pieces[-1], point, part = pieces[-1].partition(last)
        return ("".join(pieces), part) if point and _are_groups(pieces) else None
    if last == "." and len(pieces) == 2:
        return pieces[0] or "0", pieces[1]
    if _are_groups(pieces):
        return "".join(pieces), ""
    return (pieces[0], pieces[1]) if last == "," and len(pieces) == 2 else None


def _are_groups(pieces: list[str]) -> bool:
    """Whether digits are grouped: by threes, or as in India by twos before the last three."""
    first, *middle, last = pieces
    if not 1 <= len(first) <= 3 or first[0] == "0" or len(last) != 3:
        return False
    lengths = set(map(len, middle))
    return lengths <= {3} or (lengths == {2} and len(first) <= 2)


def is_grouped(text: str) -> bool:
    """Whether digits with commas, or with blanks, could be one number: `1,299`, `1 299 000`."""
    parts = split_digits(text)
    return parts is not None and not parts[1]


def may_be_thousands(digits: str) -> bool:
    """Whether a point may separate thousands: `1.299`."""
    whole, point, part = digits.partition(".")
    return point != "" and whole.isdigit() and part.isdigit() and _are_groups([whole, part])


def ascii_digits(text: str) -> str:
    """The text with the decimal digits of all scripts as 0 to 9."""
    return text if text.isascii() else _OTHER_DIGIT.sub(lambda digit: str(unicodedata.decimal(digit[0])), text)
