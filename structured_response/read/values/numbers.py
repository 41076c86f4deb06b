"""Numbers as people write them -> the strict form of an int, a float or a decimal.

A text is read if exactly one number stands in it, or one out of a total, and the words around do not change it.
A number is read if its separators allow one reading; two readings are a problem that names both, unless the bounds of
the value allow one of them only. A sign for a negative number, be it a bookkeeper's, never goes without a word: it
counts, or the number has two readings. So has a percentage of which nobody says how it is to be written.
"""

from __future__ import annotations

import re
from itertools import pairwise

from ...definition import Node
from .around import changed
from .bounds import allowed
from .common_numbers import in_common_form
from .figure import Figure, Found, strict_form
from .find_numbers import find_numbers
from .loose import Scalar, ambiguous, bare, failed, respelled
from .number_signs import ACCOUNTING, MONEY, has_odd_signs, in_ascii, in_plain_signs
from .separators import DIGITS
from .shares import is_share, of_total
from .spelled import HALF_SAID, spelled

__all__ = ["among_words", "mend_number"]

_NOT_FINITE = {
    **dict.fromkeys(("nan", "not a number"), "NaN"),
    **dict.fromkeys(("inf", "+inf", "infinity", "+infinity", "\u221e", "+\u221e"), "Infinity"),
    **dict.fromkeys(("-inf", "-infinity", "-\u221e"), "-Infinity"),
}
_MINUS_BEHIND = re.compile(rf"[0-9%](?:[ ]?{MONEY})?-[ ]?{MONEY}?\W*\Z")
"""A minus sign behind the amount that it belongs to, as some bookkeepers write it."""
_OPERATOR = re.compile(r"[ ]*(?:[+*\u00d7\u00f7\u00b7/^]|\*\*|x)[ ]*|-")
_GOES_ON = re.compile(r"\s+and\W*", re.IGNORECASE)


def mend_number(node: Node, text: str) -> Scalar:
    """The one number that a text holds, in the strict form of an int, a float or a decimal.

    Groups of three digits, decimal commas, signs of currencies, units, percent signs, magnitudes, decoration and
    some words around are read. Two different numbers are a problem, save one out of a total. So is a number that
    the words around it change, a bound, an amount in parentheses, which may be negative, and one that the kind cannot
    hold.
    """
    is_negative = "(" in text and ACCOUNTING.fullmatch(text) is not None
    text = in_ascii(bare(text))
    common = None if is_negative else in_common_form(node, text)
    return among_words(node, text, is_negative) if common is None else common


def among_words(node: Node, text: str, is_negative: bool) -> Scalar:
    """The one number of a text, in digits or words, with whatever words around."""
    text = in_plain_signs(text, is_exact=node.kind != "float")
    alone = _in_words_alone(node, text) if DIGITS.search(text) is None else None
    if alone is not None:
        return alone
    found = [] if has_odd_signs(text) else find_numbers(node, text)
    if not found:
        return failed(node)
    part = _part_of_total(node, text, found)
    scalar = part or _only(node, found)
    if scalar.value is None:
        return scalar
    if part is None and _are_reckoned(text, found):
        return failed(node, "a sum that is not worked out")
    if (is_negative or _MINUS_BEHIND.search(text, found[-1].end - 1)) and not scalar.value.startswith("-"):
        return _either(node, scalar.value, f"-{scalar.value}")
    why = _changed(text[: found[0].start], text[found[-1].end :])
    return failed(node, why) if why else scalar


def _in_words_alone(node: Node, text: str) -> Scalar | None:
    """The number that a text without digits is from its beginning to its end; None where it is no such text."""
    lone = text.rstrip(" .!").lower()
    if node.kind != "int" and lone in _NOT_FINITE:
        return respelled(_NOT_FINITE[lone])
    said = None if lone.startswith("-") else spelled(lone)
    if said is None:
        return None
    value, why = strict_form(node.kind, Figure(*said, 0))
    return respelled(value) if value else Scalar(None, problem=why)


def _part_of_total(node: Node, text: str, found: list[Found]) -> Scalar | None:
    """The first of two numbers of which the second is the total; a third one may be the share in percent."""
    return of_total(node, text, *found[:2]) if len(found) == 2 or is_share(text, found) else None


def _are_reckoned(text: str, found: list[Found]) -> bool:
    """Whether signs of a sum stand between numbers: `2+2` is not 2, though both are."""
    return any(_OPERATOR.fullmatch(text, one.end, other.start) for one, other in pairwise(found))


def _changed(front: str, behind: str) -> str:
    """Why what stands around a number makes another one of it; nothing if it stays as it is."""
    is_half = HALF_SAID.search(front) or _GOES_ON.fullmatch(behind)
    return "half a number" if is_half else changed(front, behind)


def _only(node: Node, found: list[Found]) -> Scalar:
    """The value that all numbers of a text agree on."""
    readings = tuple(dict.fromkeys(value for number in found for value in number.values))
    unread = next((number for number in found if not number.values), None)
    if len(found) > 1 and (unread is not None or len(readings) > 1):
        return ambiguous(readings, "more than one number:") if len(readings) > 1 else failed(node)
    if unread is not None:
        return Scalar(None, problem=unread.why) if unread.why else failed(node)
    return respelled(readings[0]) if len(readings) == 1 else ambiguous(readings)


def _either(node: Node, *readings: str) -> Scalar:
    """One of some readings, if the bounds allow no other."""
    found = allowed(node, readings)
    return respelled(found[0]) if len(found) == 1 else ambiguous(found)
