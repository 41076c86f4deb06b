"""The text of a scalar -> a value that pydantic-core can type, mended where its form is not the strict one.

Strict forms pass unchanged and unrecorded. Anything else goes to the leniency of its kind, which
either tells the strict form that was meant, for the record, or gives up.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any, NamedTuple

from ..definition import Node, is_placeholder
from ..findings import RepairKind
from ..limits import MAX_FORM_DIGITS
from ..markup import NULL_WORDS

__all__ = ["FORMS", "Scalar", "choice_text", "read_scalar"]

_NUMBER = r"-?(?:0|[1-9][0-9]{0,%d}+)(?:\.[0-9]++)?+(?:[eE][+-]?[0-9]{1,5}+)?+" % (MAX_FORM_DIGITS - 1)
_CLOCK = r"[0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,6})?)?(?:Z|[+-][0-9]{2}:?[0-9]{2})?"

FORMS: dict[str, str] = {
    "int": r"-?(?:0|[1-9][0-9]{0,%d}+)" % (MAX_FORM_DIGITS - 1),
    "float": rf"(?:{_NUMBER}|NaN|-?Infinity)",
    "bool": r"(?:true|false)",
    "date": r"[0-9]{4}-[0-9]{2}-[0-9]{2}",
    "time": _CLOCK,
    "datetime": rf"[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}[T ]{_CLOCK}",
    "duration": r"[+-]?P[0-9A-Z.]++",
    "decimal": rf"(?:{_NUMBER}|NaN|-?Infinity)",
    "uuid": r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}",
}
"""The strict form of each kind that has one, as a regular expression for the whole text, without groups."""

_STRICT = {kind: re.compile(form) for kind, form in FORMS.items()}
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
    if not raw:
        return _read_empty(node)
    if is_placeholder(node, text):
        return _left_over(text)
    if node.kind == "enum":
        return _read_enum(node, raw, text)
    strict = _STRICT.get(node.kind)
    if strict is None or (strict.fullmatch(text) and not _overflows(node.kind, text)):
        return Scalar(text)
    if node.nullable is not False and raw.lower() in NULL_WORDS:
        return Scalar(None, RepairKind.NULL_WORD)
    mended = _LENIENT.get(node.kind, _give_up)(raw)
    if mended is not None:
        return Scalar(mended, RepairKind.VALUE_RESPELLED)
    return Scalar(None, problem=f"not {_article(node.kind)}")


def _read_str(node: Node, raw: str, text: str, marked: str | None) -> Scalar:
    if marked != "str" and node.nullable:
        if not raw:
            return Scalar(None)
        if raw.lower() in NULL_WORDS:
            return Scalar(None, RepairKind.NULL_WORD)
    return _left_over(text) if is_placeholder(node, raw) else Scalar(text)


def _left_over(text: str) -> Scalar:
    return Scalar(text, problem="the prompt's placeholder was left in place of a value")


def _read_empty(node: Node) -> Scalar:
    if node.nullable is False:
        return Scalar(None, problem=f"empty, which is not {_article(node.kind)}")
    return Scalar(None)


def _read_enum(node: Node, raw: str, text: str) -> Scalar:
    for choice in node.choices:
        if text == choice_text(choice):
            return Scalar(choice)
    if node.nullable is not False and raw.lower() in NULL_WORDS:
        return Scalar(None, RepairKind.NULL_WORD)
    folded = text.casefold()
    named = [choice for choice in node.choices if choice_text(choice).casefold() == folded]
    named += [choice for name, choice in node.members.items() if name.casefold() == folded and choice not in named]
    shown = tuple(map(choice_text, named or node.choices))
    if len(named) == 1:
        return Scalar(named[0], RepairKind.CHOICE_RESPELLED)
    return Scalar(None, problem="could be more than one choice" if named else "not one of the choices", candidates=shown)


def choice_text(choice: Any) -> str:
    """A choice as it stands in XML."""
    if isinstance(choice, bool):
        return "true" if choice else "false"
    return choice if isinstance(choice, str) else repr(choice)


def _article(kind: str) -> str:
    return f"an {kind}" if kind[0] in "aeiou" else f"a {kind}"


def _overflows(kind: str, text: str) -> bool:
    """Whether a number would silently become infinity."""
    return kind == "float" and "I" not in text and math.isinf(float(text))


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
