"""The strict form of each scalar: its text in XML when nothing has to be repaired."""

from __future__ import annotations

import math
import re
from functools import cache, lru_cache
from typing import Any

from .names import MAX_COMPILED
from .node import Node

MAX_FORM_DIGITS = 4_300
"""Digits of a number, which is Python's own bound for converting text to int, a quadratic operation."""

_INT = rf"-?(?:0|[1-9][0-9]{{0,{MAX_FORM_DIGITS - 1}}}+)"
_NUMBER = rf"{_INT}(?:\.[0-9]++)?+(?:[eE][+-]?[0-9]{{1,5}}+)?+"
_ZONE = r"(?:Z|[+-][0-9]{2}:?[0-9]{2})?"
_CLOCK = rf"[0-9]{{2}}:[0-9]{{2}}(?::[0-9]{{2}}(?:\.[0-9]{{1,9}})?)?{_ZONE}"
_DAY = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"

FORMS: dict[str, str] = {
    "int": _INT,
    "float": rf"(?:{_NUMBER}|NaN|-?Infinity)",
    "bool": r"(?:true|false)",
    "date": _DAY,
    "time": rf"(?![0-9:]{{5}}-[0-9]{{2}}:){_CLOCK}",  # 09:00-17:00 is a range, although it is an offset in ISO 8601
    "datetime": rf"{_DAY}(?:T| (?![0-9:]{{5}}-)){_CLOCK}",  # the same, except for ISO 8601's own T
    "duration": r"[+-]?P[0-9A-Z.]++",
    "decimal": rf"(?:{_INT}(?:\.[0-9]++)?+(?:[eE][+-]?[0-9]{{1,9}}+)?+|NaN|-?Infinity)",
    "uuid": r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}",
    "bytes": r"(?:[A-Za-z0-9+/_-]{4})*+(?:[A-Za-z0-9+/_-]{2}==|[A-Za-z0-9+/_-]{3}=)?",
}
"""A regular expression, without groups, for the whole text of each kind that has a form. ISO 8601 for dates and times,
as Pydantic writes them; RFC 4648 for bytes, in both alphabets.
"""


def has_form(kind: str, text: str) -> bool:
    """Returns whether a text is in the strict form of a kind. Kinds without one accept any text."""
    if kind not in FORMS:
        return True
    # A number must not become infinite without a word.
    may_overflow = kind == "float" and "I" not in text
    return _form(kind).fullmatch(text) is not None and not (may_overflow and math.isinf(float(text)))


@cache  # compiled on first use, since few programs use all kinds
def _form(kind: str) -> re.Pattern[str]:
    return re.compile(FORMS[kind])


def choice_text(choice: Any) -> str:
    """Returns the strict text of a choice, or of any other scalar."""
    if isinstance(choice, bool):
        return "true" if choice else "false"
    if isinstance(choice, float) and not math.isfinite(choice):
        return "NaN" if math.isnan(choice) else "Infinity" if choice > 0 else "-Infinity"
    return choice if isinstance(choice, str) else repr(choice)


@lru_cache(maxsize=MAX_COMPILED)
def choices_by_text(node: Node) -> dict[str, list[Any]]:
    """Returns the choices of a node by their texts. Nodes compare by identity, so 1 and True remain distinct."""
    found: dict[str, list[Any]] = {}
    for choice in node.choices:
        found.setdefault(choice_text(choice), []).append(choice)
    return found


_ANY = Node("any", nullable=True)
MARKED: dict[str | None, Node] = {
    "str": Node("str", nullable=False),
    "int": Node("int", nullable=False),
    "float": Node("float", nullable=False),
    "bool": Node("bool", nullable=False),
    "list": Node("list", item=_ANY, nullable=True),
    "map": Node("map", item=_ANY, key=Node("str", nullable=False), nullable=True),
}
"""The node for each mark on a value of any type."""
