"""The text of a scalar -> a value that pydantic-core can type, mended where its form is not the strict one.

Strict forms pass unchanged and unrecorded. Anything else goes to the leniency of its kind, which
either tells the strict form that was meant, for the record, or gives up.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any, NamedTuple

from ..definition import Node, asked_for, choice_text, has_form, is_placeholder
from ..findings import RepairKind
from ..limits import MAX_FORM_DIGITS
from ..markup import NULL_WORDS

__all__ = ["Scalar", "read_scalar"]

_TRUE = frozenset({"true", "yes", "y", "1", "on"})
_FALSE = frozenset({"false", "no", "n", "0", "off"})
_LOOSE_INT = re.compile(r"([+-]?)(?:0+(?=[0-9]))?+([0-9]++)(?:\.0*+)?")
_LOOSE_FLOAT = re.compile(r"([+-]?)(?:0+(?=[0-9]))?+([0-9]*+)(?:\.([0-9]*+))?([eE][+-]?[0-9]{1,5})?")


class Scalar(NamedTuple):
    """A value as text, choice or None; the repair that gave it, if one did; or what is wrong with it."""

    value: Any
    repair: RepairKind | None = None
    problem: str | None = None
    candidates: tuple[str, ...] = ()


def read_scalar(node: Node, raw: str, text: str, marked: str | None) -> Scalar:
    """The value of a scalar.

    `raw` is the laid-out text before entities were decoded, `text` the one after; `marked` is the
    element's `type` attribute, which decides where a value would be unclear.
    """
    if marked == "null" and not raw:
        return Scalar(None)
    if node.kind == "str":
        return _read_str(node, raw, text, marked)
    if node.kind == "enum" and any(choice_text(choice) == text for choice in node.choices):
        return _read_choice(node, text, marked)
    if not raw:
        no_bytes = node.kind == "bytes" and (node.nullable is False or marked is not None)
        return Scalar("") if no_bytes else _read_empty(node)
    if raw.startswith("[") and is_placeholder(node, text):
        return _left_over(text)
    if node.kind == "enum":
        return _read_enum(node, raw, text)
    if node.nullable is not False and raw.lower() in NULL_WORDS:
        return Scalar(None, RepairKind.NULL_WORD)
    if has_form(node.kind, text):
        return Scalar(text)
    mended = _LENIENT.get(node.kind, _give_up)(raw)
    if mended is not None:
        return Scalar(mended, RepairKind.VALUE_RESPELLED)
    return Scalar(None, problem=_why_not(node, raw))


def _why_not(node: Node, raw: str) -> str:
    """What is wrong with a text that is no value of its kind."""
    if node.kind == "float" and _LOOSE_FLOAT.fullmatch(raw) and raw.strip("+-.") and math.isinf(float(raw)):
        return "too large for a float"
    if node.kind == "int" and _LOOSE_INT.fullmatch(raw):
        return f"an int of more than {MAX_FORM_DIGITS} digits (MAX_FORM_DIGITS)"
    return f"not {asked_for(node)}"


def _read_str(node: Node, raw: str, text: str, marked: str | None) -> Scalar:
    if node.nullable and not raw and marked != "str":
        return Scalar(None)
    if node.nullable and raw.lower() in NULL_WORDS:
        return Scalar(None, RepairKind.NULL_WORD)
    return _left_over(text) if raw.startswith("[") and is_placeholder(node, text) else Scalar(text)


def _left_over(text: str) -> Scalar:
    return Scalar(text, problem="the prompt's placeholder was left in place of a value")


def _read_empty(node: Node) -> Scalar:
    if node.nullable is False:
        return Scalar(None, problem=f"empty, which is not {asked_for(node)}")
    return Scalar(None)


def _read_choice(node: Node, text: str, marked: str | None) -> Scalar:
    """The choice that has a text; of two, such as 1 and "1", the one whose type the mark names."""
    named = [choice for choice in node.choices if choice_text(choice) == text]
    if len(named) > 1:
        named = [choice for choice in named if type(choice).__name__ == marked] or named
    if len(named) > 1:
        shown = tuple(f"{type(choice).__name__} {text}" for choice in named)
        return Scalar(None, problem="could be more than one choice", candidates=shown)
    return Scalar(named[0])


def _read_enum(node: Node, raw: str, text: str) -> Scalar:
    if node.nullable is not False and raw.lower() in NULL_WORDS:
        return Scalar(None, RepairKind.NULL_WORD)
    folded = text.casefold()
    named = [choice for choice in node.choices if choice_text(choice).casefold() == folded]
    named += [choice for name, choice in node.members.items() if name.casefold() == folded and choice not in named]
    shown = tuple(map(choice_text, named or node.choices))
    if len(named) == 1:
        return Scalar(named[0], RepairKind.CHOICE_RESPELLED)
    return Scalar(
        None, problem="could be more than one choice" if named else f"not {asked_for(node)}", candidates=shown
    )


def _loose_bool(raw: str) -> str | None:
    word = raw.lower()
    return "true" if word in _TRUE else "false" if word in _FALSE else None


def _loose_int(raw: str) -> str | None:
    match = _LOOSE_INT.fullmatch(raw)
    if match is None or len(match[2]) > MAX_FORM_DIGITS:
        return None
    return match[1].replace("+", "") + match[2]


def _loose_float(raw: str) -> str | None:
    match = _LOOSE_FLOAT.fullmatch(raw)
    if match is None or not (match[2] or match[3]) or len(raw) > MAX_FORM_DIGITS:
        return None
    sign, whole, part, exponent = match.groups(default="")
    text = f"{sign.replace('+', '')}{whole or '0'}{'.' if part else ''}{part}{exponent}"
    return None if math.isinf(float(text)) else text


def _give_up(raw: str) -> str | None:
    return None


_LENIENT: dict[str, Callable[[str], str | None]] = {
    "bool": _loose_bool,
    "int": _loose_int,
    "float": _loose_float,
    "decimal": _loose_float,
}
"""What each kind is mended by."""
