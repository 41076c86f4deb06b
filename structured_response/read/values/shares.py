"""Numbers that are a part of something: of a hundred, of a total that is named, of the number below a slash.

A total tells the scale that a number is on. Where it is above what the bounds allow, or another one of the usual tops
of scales than they end at, the number may be meant on the one or on the other: `4 out of 10` of at most 5.
"""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction

from ...definition import Node
from .bounds import bound, is_allowed
from .figure import Figure, Found, shown
from .loose import Scalar, ambiguous, respelled

__all__ = [
    "MAX_WORKED_OUT",
    "PERCENT",
    "divided",
    "is_share",
    "of_hundred",
    "of_hundred_unbounded",
    "of_scale",
    "of_total",
    "without_percent",
]

PERCENT = re.compile(r" ?(?:%|\u066a|\uff05|per ?cent\b|pct\b)", re.IGNORECASE)
_OUT_OF = re.compile(r"[ ]*(?:stars?|points?|pts)?[ ]*[(\[]?[ ]*(?:out[ ]+)?of(?:[ ]+(?:a|the))?[ ]+", re.IGNORECASE)
_SLASH = re.compile(r"[ ]*(?:stars?|points?|pts)?[ ]*/[ ]*", re.IGNORECASE)
_GAP = 24
"""Characters between a number and its total."""
MAX_WORKED_OUT = 15
"""Digits up to which fractions are worked out."""


def without_percent(text: str) -> str:
    """A text without percent signs behind digits."""
    return PERCENT.sub("", text)


def of_hundred(node: Node, text: str) -> tuple[str, ...]:
    """What a number with a percent sign means: itself, where values above 1 are allowed; where they are not, its
    hundredth, if that is the only one of the two that is allowed, or the number is not below 1. One that is could be a
    share already.
    """
    upper = bound(node, "le", "lt")
    if node.kind == "int" or upper is None or upper > 1 or "e" in text or not Decimal(text):
        return (text,)
    found = (text, _hundredth(text)) if abs(Decimal(text)) < 1 else (_hundredth(text),)
    return tuple(reading for reading in found if is_allowed(node, reading)) or (text,)


def of_hundred_unbounded(node: Node, text: str, value: str) -> tuple[str, ...]:
    """What the number of a text without bounds may mean, where a share may be asked for: with a percent sign, itself or
    its hundredth.
    """
    is_bounded = node.kind == "int" or bound(node, "le", "lt") is not None
    if is_bounded or "e" in value or not Decimal(value) or not PERCENT.search(text):
        return (value,)
    return value, _hundredth(value)


def _hundredth(text: str) -> str:
    sign, whole = ("-", text[1:]) if text.startswith("-") else ("", text)
    digits, _point, part = whole.partition(".")
    return shown(Figure(sign, digits, part, 0).shifted(-2))


def is_share(text: str, found: list[Found]) -> bool:
    """Whether the last of three numbers is the percentage that the first is of the second: `4 out of 5 (80%)`."""
    if len(found) != 3 or not PERCENT.match(text, found[2].end):
        return False
    if any(len(number.values) != 1 or not _can_be_worked_out(number.values[0]) for number in found):
        return False
    part, total, share = (Fraction(number.values[0]) for number in found)
    return total > 0 and any(abs(100 * part / total - percent) < 1 for percent in (share, 100 * share))


def _can_be_worked_out(digits: str) -> bool:
    return len(digits) <= MAX_WORKED_OUT and "e" not in digits


def of_total(node: Node, text: str, first: Found, second: Found) -> Scalar | None:
    """The first of two numbers, if it is said to be out of the second: `4 out of 5`, `4/5`."""
    if len(first.values) != 1 or len(second.values) != 1 or second.start - first.end > _GAP:
        return None
    part, total = first.values[0], second.values[0]
    if _OUT_OF.fullmatch(text, first.end, second.start):
        return of_scale(node, part, total)
    return divided(node, part, total) if _SLASH.fullmatch(text, first.end, second.start) else None


def of_scale(node: Node, part: str, total: str) -> Scalar:
    """What a number says that is out of a total: itself, if it is on the scale that the bounds say."""
    return _on_other_scale(node, part, total) or respelled(part)


def divided(node: Node, part: str, total: str) -> Scalar | None:
    """What a number with a slash and a second one behind it says; None where that says nothing.

    It may be out of the second, or a fraction. For an int it is none; for others, bounds may tell. A fraction may
    also be a part of what the bounds allow: `20/100` of at most 10 is 2.
    """
    if not _can_be_worked_out(part + total):
        return None
    fits = 0 < Decimal(total) >= Decimal(part)
    if not fits or "I" in part + total:
        return None
    other = _on_other_scale(node, part, total)
    if other is not None and (node.kind == "int" or "." in part):
        return other
    if node.kind == "int":
        return respelled(part)
    if "." in part or bound(node, "le") == Decimal(total):
        return respelled(part)
    quotient = _quotient(part, total)
    found = (part, quotient) if is_allowed(node, part) else (quotient, _on_scale(node, part, total))
    readings = tuple(reading for reading in found if reading and is_allowed(node, reading))
    if readings == (quotient,) and (node.kind == "float" or Fraction(quotient) == Fraction(part) / Fraction(total)):
        return respelled(quotient)
    return respelled(part) if readings == (part,) or Fraction(quotient) == Fraction(part) else ambiguous(readings)


_TOPS = (5, 10, 100)
"""Where most scales end."""


def _on_other_scale(node: Node, part: str, total: str) -> Scalar | None:
    """The readings of a number out of a total that is not the end of the scale which the bounds say; None if there is
    one scale only.
    """
    upper = bound(node, "le")
    if upper is None or not _can_be_worked_out(part + total) or "I" in part + total or not is_allowed(node, part):
        return None
    if not (Decimal(total) > upper > 0 or (Decimal(total) != upper and {Decimal(total), upper} <= set(_TOPS))):
        return None
    scaled = Fraction(part) * Fraction(upper) / Fraction(total)
    return (
        ambiguous((part, str(scaled) if scaled.denominator == 1 else repr(float(scaled)))) if part.strip("0.") else None
    )


def _quotient(part: str, total: str) -> str:
    return repr(float(Fraction(part) / Fraction(total)))


def _on_scale(node: Node, part: str, total: str) -> str:
    """A part of a total as the same part of the upper bound, where that is more than 1; else nothing."""
    upper = bound(node, "le")
    return "" if upper is None or upper <= 1 else repr(float(Fraction(part) * Fraction(upper) / Fraction(total)))
