"""Reads the text of a union as one of its scalar options, typed: in a strict form, or as the only one that reads it."""

from __future__ import annotations

from typing import Any

from ...definition import MARKED, Node, choices_by_text, has_form
from ...escaping import NULL_WORDS
from ...findings import RepairKind
from ...render.placeholder import is_placeholder
from .scalar import LEFT_IN_PLACE, Scalar
from .scalars import TYPED, read_scalar

_PRECISE = ("enum", "bool", "int", "float", "decimal", "uuid", "datetime", "date", "time", "duration", "bytes", "str")
"""Kinds of scalars, from the most precise form to the one that any text has."""


def typed(node: Node, value: Any) -> Any:
    """Returns the value of a scalar in its Python type if JSON has one. Others stay texts in strict forms."""
    return TYPED[node.kind](value) if isinstance(value, str) and node.kind in TYPED else value


def read_union_scalar(node: Node, raw: str, text: str, marked: str | None = None, name: str = "") -> Scalar:
    """Returns the value of a text as the scalar option that `marked` names, or that it fits best."""
    options = node.options()
    if marked in options:
        return _read_option(options[marked], raw, text, marked, name)
    if marked in MARKED and "any" in options:
        return _read_option(MARKED[marked], raw, text, marked, name)
    may_be_null = node.nullable is not False and marked not in MARKED
    if may_be_null and ((marked == "null" and not raw) or raw.lower() in NULL_WORDS):
        return Scalar(None, RepairKind.NULL_WORD if raw else None)
    if raw.startswith("[") and is_placeholder(node, text):
        return Scalar(text, problem=LEFT_IN_PLACE)
    fitting: dict[str, list[str]] = {}
    for label, option in options.items():
        if _has_form(option, text):
            fitting.setdefault(option.kind, []).append(label)
    names = next((fitting[kind] for kind in (*_PRECISE, "any") if kind in fitting), [])
    names = names or [label for label, option in options.items() if _is_value(option, raw, text, marked, name)]
    if len(names) == 1:
        value = _read_option(options[names[0]], raw, text, marked, name)
        is_guess = options[names[0]].kind not in ("str", "any") and not {"str", "any"}.isdisjoint(fitting)
        return value._replace(repair=value.repair or (RepairKind.VALUE_RESPELLED if is_guess else None))
    if not names and not raw and node.nullable is not False:
        return Scalar(None)
    why = "fits more than one option" if names else "fits none of the options"
    return Scalar(None, problem=why, candidates=tuple(names or options), ambiguous=bool(names))


def _read_option(option: Node, raw: str, text: str, marked: str | None, name: str) -> Scalar:
    read = read_scalar(option, raw, text, marked, name)
    return read if read.problem else read._replace(value=typed(option, read.value))


def _is_value(option: Node, raw: str, text: str, marked: str | None, name: str) -> bool:
    read = _read_option(option, raw, text, marked, name)
    return read.problem is None and read.value is not None


def _has_form(option: Node, text: str) -> bool:
    if option.kind == "enum":
        return text in choices_by_text(option)
    return option.kind in ("str", "any") or (option.kind in _PRECISE and text != "" and has_form(option.kind, text))
