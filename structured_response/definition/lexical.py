"""The strict form of each scalar: how its text stands in XML when nothing has to be mended."""

from __future__ import annotations

import math
import re
from functools import cache, lru_cache
from typing import Any

from .names import MAX_COMPILED
from .node import Node

__all__ = ["FORMS", "MARKED", "MAX_FORM_DIGITS", "choice_text", "choices_by_text", "has_form", "overflows"]

MAX_FORM_DIGITS = 4_300
"""Digits of a number: Python's own bound on text to int, which is quadratic."""

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
    "time": rf"(?![0-9:]{{5}}-[0-9]{{2}}:){_CLOCK}",  # 09:00-17:00 is a range, though ISO 8601 has it as an offset
    "datetime": rf"{_DAY}(?:T| (?![0-9:]{{5}}-)){_CLOCK}",  # the same, but for ISO 8601's own T
    "duration": r"[+-]?P[0-9A-Z.]++",
    "decimal": rf"(?:{_INT}(?:\.[0-9]++)?+(?:[eE][+-]?[0-9]{{1,9}}+)?+|NaN|-?Infinity)",
    "uuid": r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}",
    "bytes": r"(?:[A-Za-z0-9+/_-]{4})*+(?:[A-Za-z0-9+/_-]{2}==|[A-Za-z0-9+/_-]{3}=)?",
}
"""A regular expression for the whole text of each kind that has a form, without groups. ISO 8601 for what is of
time, as Pydantic writes it; RFC 4648 for bytes, both alphabets."""


def has_form(kind: str, text: str) -> bool:
    """Whether a text is in the strict form of a kind. Kinds without one take any text."""
    return kind not in FORMS or (_form(kind).fullmatch(text) is not None and not overflows(kind, text))


@cache
def _form(kind: str) -> re.Pattern[str]:
    """Compiled when the first text of a kind is looked at: few programs have all kinds."""
    return re.compile(FORMS[kind])


def overflows(kind: str, text: str) -> bool:
    """Whether a number would silently become infinity."""
    return kind == "float" and "I" not in text and math.isinf(float(text))


def choice_text(choice: Any) -> str:
    """A choice as it stands in XML."""
    if isinstance(choice, bool):
        return "true" if choice else "false"
    return choice if isinstance(choice, str) else repr(choice)


@lru_cache(maxsize=MAX_COMPILED)
def choices_by_text(node: Node) -> dict[str, list[Any]]:
    """The choices of a node by their texts. Nodes compare by identity, so that 1 and True are not one."""
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
"""What the mark on a value of any type says."""
