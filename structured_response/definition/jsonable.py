"""A value of a program -> the data that an instance or a definition holds of it."""

from __future__ import annotations

import base64
from contextlib import suppress
from typing import Any, Literal

from pydantic import TypeAdapter
from pydantic.errors import PydanticUserError
from pydantic_core import SchemaSerializer, core_schema, to_json, to_jsonable_python

from .node import Node

__all__ = ["coded_choice", "from_base64", "in_order", "to_jsonable"]

_DUMP = SchemaSerializer(core_schema.any_schema()).to_python


def to_jsonable(value: Any, bytes_mode: Literal["base64", "utf8"] = "base64", reveal: bool = False) -> Any:
    """A value as JSON-compatible data: objects by field names and without computed fields, sets in one order
    everywhere; secrets as what they hide if they are to be revealed, else as asterisks.

    Raises `ValueError` (Pydantic's `PydanticSerializationError` among them) for what JSON cannot hold.
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
    """The choice by which an enum's member is asked for that the data of its value stands for; else the data."""
    for choice, member in node.coded.items():
        with suppress(ValueError):  # bytes that are no UTF-8, for one
            if data in (to_jsonable(member.value), to_jsonable(member.value, "utf8")):
                return choice
    return data


def from_base64(text: str) -> bytes:
    """The bytes of base64 in either alphabet, with its padding or without. Raises `binascii.Error`."""
    return base64.b64decode(text.replace("-", "+").replace("_", "/") + "==")


def in_order(items: list[Any]) -> list[Any]:
    """The items of a set, as data, in the order of their JSON, which no hash seed changes."""
    return sorted(items, key=_canonical)


def _canonical(data: Any) -> bytes:
    return to_json(data, inf_nan_mode="constants")


def _dumped(value: Any) -> Any:
    return _DUMP(value, by_alias=False, round_trip=True, warnings=False)


def _unpacked(value: Any, reveal: bool) -> Any:
    """A dumped value without sets, and without secrets if they are to be revealed."""
    if isinstance(value, (set, frozenset)):
        value = sorted(value, key=lambda item: _canonical(to_jsonable(item, reveal=reveal)))
    if isinstance(value, dict):
        return {_revealed(key) if reveal else key: _unpacked(held, reveal) for key, held in value.items()}
    if _is_secret(value):
        return _unpacked(_revealed(value), reveal) if reveal else value
    return [_unpacked(held, reveal) for held in value] if isinstance(value, (list, tuple)) else value


def _revealed(value: Any) -> Any:
    """What a secret hides, as it is asked for: bytes as the text that they are."""
    if not _is_secret(value):
        return value
    hidden = value.get_secret_value()
    return hidden.decode() if isinstance(hidden, bytes) else _dumped(hidden)


def _is_secret(value: Any) -> bool:
    """Told by what Pydantic's secrets have in common: to import their classes takes longer than all of this package."""
    return hasattr(type(value), "get_secret_value")


def _by_itself(value: Any) -> Any:
    """A value of a type that Pydantic leaves as it is for Python, as it writes one for JSON."""
    try:
        return TypeAdapter(type(value)).dump_python(value, mode="json")
    except PydanticUserError as error:
        raise ValueError(f"a {type(value).__qualname__}") from error
