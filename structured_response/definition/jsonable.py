"""Converts values of a program to JSON-compatible data, and numbers that JSON (NaN, infinities) or orjson (integers
past 64 bits) cannot hold to texts and back.
"""

from __future__ import annotations

import base64
import math
import re
from contextlib import suppress
from typing import Any, Literal

from pydantic import TypeAdapter
from pydantic.errors import PydanticUserError
from pydantic_core import SchemaSerializer, core_schema, to_json, to_jsonable_python

from .lexical import MAX_FORM_DIGITS, choice_text
from .node import Node

_DUMP = SchemaSerializer(core_schema.any_schema()).to_python


def to_jsonable(value: Any, bytes_mode: Literal["base64", "utf8"] = "base64", reveal: bool = False) -> Any:
    """Returns a value as JSON-compatible data, without computed fields, and with sets in a deterministic order.

    Secrets are asterisks unless revealed. Raises `ValueError` for a value that JSON cannot hold.
    """
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


def in_order(items: list[Any]) -> list[Any]:
    """Returns the items of a set, as data, in the order of their JSON, which no hash seed changes."""
    return sorted(items, key=_canonical)


def _canonical(data: Any) -> bytes:
    return to_json(data, inf_nan_mode="constants")


def _dumped(value: Any) -> Any:
    return _DUMP(value, by_alias=False, round_trip=True, warnings=False)


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


# Numbers as texts


MARK = '$number"'
"""The sign of a JSON text that may hold marked numbers."""

_NUMBER = "$number"
_INT64 = range(-(2**63), 2**64)
_TEXT = re.compile(rf"NaN|-?Infinity|-?[0-9]{{1,{MAX_FORM_DIGITS}}}")


def storable(node: Node | None, data: Any) -> Any:
    """Returns the data with texts for numbers that JSON or orjson cannot hold.

    Where the definition asks for a number, the text alone is enough. Elsewhere it is wrapped in an object, `{"$number":
    "NaN"}`; data that looks like one gets another `$` in front.
    """
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
        return text if node is not None and node.kind in ("int", "float") else {_NUMBER: text}
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
    if name != _NUMBER:
        return {name[1:]: restored(value)}
    if not isinstance(value, str) or not _TEXT.fullmatch(value):
        raise ValueError(f"{_NUMBER!r} stands before the text of a number, not {value!r}"[:200])
    return float(value) if value[-1] in "Ny" else int(value)


def _is_mark(data: dict[str, Any]) -> bool:
    """Returns whether an object wraps a number, or has to be distinguished from one that does."""
    return len(data) == 1 and str(next(iter(data))).lstrip("$") == "number" and next(iter(data)) != "number"
