"""Converts values of a program to JSON-compatible data, and scalars to texts: in the strict form that XML has of each,
and in JSON where it (NaN, infinities) or orjson (integers past 64 bits) cannot hold a number.
"""

from __future__ import annotations

import base64
import math
import re
from contextlib import suppress
from functools import lru_cache, partial
from typing import Any, Literal

import orjson
from pydantic import TypeAdapter
from pydantic.errors import PydanticUserError
from pydantic_core import SchemaSerializer, core_schema, to_jsonable_python
from pydantic_core import to_json as _to_json

from .names import MAX_COMPILED
from .node import MISSING, Field, Node

_dumped = partial(SchemaSerializer(core_schema.any_schema()).to_python, by_alias=False, round_trip=True, warnings=False)


def to_jsonable(value: Any, bytes_mode: Literal["base64", "utf8"] = "base64", reveal: bool = False) -> Any:
    """Returns JSON-compatible data, sets in one order, secrets as asterisks unless revealed. Raises `ValueError`."""
    return to_jsonable_python(
        _unpacked(_dumped(value), reveal),
        by_alias=False,
        round_trip=True,
        bytes_mode=bytes_mode,
        inf_nan_mode="constants",
        fallback=_by_itself,
    )


def coded_choice(node: Node, data: Any) -> Any:
    """Returns the choice for the enum member whose value the data represents, else the data."""
    for choice, member in node.coded.items():
        with suppress(ValueError):  # such as bytes that are not UTF-8
            if data in (to_jsonable(member.value), to_jsonable(member.value, "utf8")):
                return choice
    return data


def from_base64(text: str) -> bytes:
    """Returns the bytes of base64 in either alphabet, with or without padding. Raises `binascii.Error`."""
    return base64.b64decode(text.replace("-", "+").replace("_", "/") + "==")


def default_of(field: Field) -> Any:
    """Returns the value of a field that was not given: None if JSON cannot hold its default."""
    if field.factory is None:
        return None if field.default is MISSING else field.default
    made = field.factory()
    try:
        return to_jsonable(made)
    except ValueError:
        return None


def in_order(items: list[Any]) -> list[Any]:
    """Returns the items of a set, as data, in the order of their JSON, which no hash seed changes."""
    return sorted(items, key=_canonical)


def _canonical(data: Any) -> bytes:
    return _to_json(data, inf_nan_mode="constants")


def _unpacked(value: Any, reveal: bool) -> Any:
    if isinstance(value, (set, frozenset)):
        value = sorted(value, key=lambda item: _canonical(to_jsonable(item, reveal=reveal)))
    if isinstance(value, dict):
        return {_revealed(key) if reveal else key: _unpacked(held, reveal) for key, held in value.items()}
    if isinstance(value, (list, tuple)):
        return [_unpacked(held, reveal) for held in value]
    return _unpacked(_revealed(value), reveal) if reveal and _is_secret(value) else value


def _revealed(value: Any) -> Any:
    if not _is_secret(value):
        return value
    hidden = value.get_secret_value()
    return hidden.decode() if isinstance(hidden, bytes) else _dumped(hidden)


def _is_secret(value: Any) -> bool:
    # By the attribute, since importing Pydantic's classes for secrets takes longer than importing this package.
    return hasattr(type(value), "get_secret_value")


def _by_itself(value: Any) -> Any:
    """Returns the JSON form of a value that Pydantic's Python mode leaves unchanged."""
    try:
        return TypeAdapter(type(value)).dump_python(value, mode="json")
    except PydanticUserError as error:
        raise ValueError(f"a {type(value).__qualname__}") from error


# Scalars as texts


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
    return re.fullmatch(FORMS[kind], text) is not None and not (may_overflow and math.isinf(float(text)))


def choice_text(choice: Any) -> str:
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
    **{kind: Node(kind, nullable=False) for kind in ("str", "int", "float", "bool")},
    "list": Node("list", item=_ANY, nullable=True),
    "map": Node("map", item=_ANY, key=Node("str", nullable=False), nullable=True),
}
"""The node for each mark on a value of any type."""


# Numbers as texts


MARK = '$number"'
"""The sign of a JSON text that may hold marked numbers."""

_WRAPPER = "$number"
_INT64 = range(-(2**63), 2**64)
_TEXT = re.compile(rf"NaN|-?Infinity|-?[0-9]{{1,{MAX_FORM_DIGITS}}}")


def to_json(data: Any, node: Node | None = None) -> bytes:
    """Returns data as JSON, via `storable` if orjson refuses a number or may have lost one: it writes NaN as null."""
    try:
        text = orjson.dumps(data)
    except TypeError:
        text = b"null"
    return orjson.dumps(storable(node, data)) if b"null" in text or MARK.encode() in text else text


def storable(node: Node | None, data: Any) -> Any:
    """Returns data with texts for numbers that JSON or orjson cannot hold, wrapped where no number is defined."""
    if isinstance(data, dict):
        fields = node.fields if node is not None else {}
        item = node.item if node is not None and node.kind == "map" else None
        made = {name: storable(fields[name].node if name in fields else item, value) for name, value in data.items()}
        return {f"${name}": value for name, value in made.items()} if _is_mark(data) else made
    if isinstance(data, list):
        parts = node.parts if node is not None and node.kind == "tuple" else ()
        item = node.item if node is not None and node.kind == "list" else None
        return list(map(storable, parts or [item] * len(data), data))
    if (isinstance(data, float) and not math.isfinite(data)) or (isinstance(data, int) and data not in _INT64):
        text = choice_text(data)
        return text if node is not None and node.kind in ("int", "float") else {_WRAPPER: text}
    return data


def is_same(first: Any, second: Any) -> bool:
    """Returns whether two definitions, or two pieces of data without one, are equal. NaN equals NaN."""
    return bool(first == second) or bool(storable(None, first) == storable(None, second))


def restored(data: Any) -> Any:
    """Returns the data with wrapped numbers unwrapped. An object that only looks like one loses its `$`."""
    if isinstance(data, list):
        return list(map(restored, data))
    if not isinstance(data, dict):
        return data
    if not _is_mark(data):
        return {name: restored(value) for name, value in data.items()}
    ((name, value),) = data.items()
    if name != _WRAPPER:
        return {name[1:]: restored(value)}
    if not isinstance(value, str) or not _TEXT.fullmatch(value):
        raise ValueError(f"{_WRAPPER!r} must precede the text of a number, not {value!r}"[:200])
    return float(value) if value[-1] in "Ny" else int(value)


def _is_mark(data: dict[str, Any]) -> bool:
    """Returns whether an object wraps a number, or has to be distinguished from one that does."""
    return len(data) == 1 and str(next(iter(data))).lstrip("$") == "number" and next(iter(data)) != "number"
