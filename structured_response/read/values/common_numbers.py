"""One number in one of the forms that most are written in, read with one expression: `about $1,299.50 in total`."""

from __future__ import annotations

import re

from ...definition import Node
from .around import MAX_WORDS, TELLING
from .loose import Scalar, ambiguous, respelled, word_set
from .magnitudes import CENTS, MAGNITUDES, OF_MONEY
from .separators import may_be_thousands, split_digits
from .shares import MAX_WORKED_OUT, divided, of_hundred, of_scale
from .spelled import NUMBER_WORDS

__all__ = ["in_common_form"]

_COMMON_FORM = re.compile(
    r"""
    ((?:[A-Za-z :,.~=\u2248]{1,36}+(?<=[ :~=\u2248]))?+)
    (?:[$\u20ac\u00a3][ ]?)?+
    ([-+]?) ([0-9]++ (?: [.,'_][0-9]++ | [ ][0-9]{3}(?![0-9]) )*+)
    (?: ([ ]?(?:%|percent\b|pct\b)) | (?:([ ]?/[ ]?)|[ ](?:out[ ])?of[ ])([1-9][0-9]{0,6}) )?
    ([A-Za-z .,:;!()/\u00b0\u20ac\u00a3$-]*+)
    """,
    re.VERBOSE,
)
"""One number between words, with a currency, a percent sign or a total."""
_BEHIND_MINUS = " .,:;!()/\u20ac\u00a3$"
_LETTERS = re.compile(r"[a-z]+")
_TELLING = TELLING | frozenset(NUMBER_WORDS) | frozenset(MAGNITUDES) | frozenset(map(str.lower, OF_MONEY))
_TELLING |= CENTS | word_set("cent percent pct e s point negative")
"""Words that may say more of a number by which they stand than what it is of."""
_TELLING_BEHIND = _TELLING - {"min"}  # minutes


def in_common_form(node: Node, text: str) -> Scalar | None:
    """The number of a text in one of the forms that most are written in; None for any other. It says what
    `numbers.among_words` would say, in a fifth of the time.
    """
    match = _COMMON_FORM.fullmatch(text)
    if match is None:
        word = NUMBER_WORDS.get(text.lower())
        return None if word is None else respelled(str(word))
    front, sign, digits, percent, slash, total, behind = match.groups()
    if (front and _tells_before(front)) or (behind and _tells_behind(behind)):
        return None
    value = _number(node.kind, sign, digits)
    if value is None:
        return None
    if total:
        return divided(node, value, total) if slash else of_scale(node, value, total)
    values = of_hundred(node, value) if percent else (value,)
    return respelled(values[0]) if len(values) == 1 else ambiguous(values)


def _tells_before(front: str) -> bool:
    """Whether words in front of a number may say more of it, or are too many to be of it alone."""
    words = _LETTERS.findall(front.lower())
    return len(words) > MAX_WORDS or not _TELLING.isdisjoint(words)


def _tells_behind(behind: str) -> bool:
    """Whether what stands behind a number may say more of it: words, or a minus sign."""
    if "-" in behind and (behind[0] == "-" or behind.rstrip(_BEHIND_MINUS)[-1:] == "-"):
        return True
    return not _TELLING_BEHIND.isdisjoint(_LETTERS.findall(behind.lower()))


def _number(kind: str, sign: str, digits: str) -> str | None:
    """The strict form of digits with separators; None where these need a second look, or the kind cannot hold them."""
    parts = split_digits(digits)
    if parts is None or len(digits) > MAX_WORKED_OUT or may_be_thousands(digits):
        return None
    whole, part = parts
    value = ("-" if sign == "-" else "") + (whole.lstrip("0") or "0")
    if kind == "int":
        return None if part.strip("0") else value
    return f"{value}.{part}" if part else value
