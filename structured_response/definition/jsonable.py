"""Converts values of a program to the data of an instance or a definition."""

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
    """Returns a value as JSON-compatible data.

    Objects have field names and no computed fields, and sets a deterministic order. Secrets are revealed on request,
    and asterisks otherwise.

    Raises `ValueError` (or a subclass such as Pydantic's `PydanticSerializationError`) for a value that JSON cannot
    hold.
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
    """Returns a dumped value without sets, and with secrets revealed on request."""
    if isinstance(value, (set, frozenset)):
        value = sorted(value, key=lambda item: _canonical(to_jsonable(item, reveal=reveal)))
    if isinstance(value, dict):
        return {_revealed(key) if reveal else key: _unpacked(held, reveal) for key, held in value.items()}
    if _is_secret(value):
        return _unpacked(_revealed(value), reveal) if reveal else value
    return [_unpacked(held, reveal) for held in value] if isinstance(value, (list, tuple)) else value


def _revealed(value: Any) -> Any:
    """Returns the content of a secret as data, with bytes as text."""
    if not _is_secret(value):
        return value
    hidden = value.get_secret_value()
    return hidden.decode() if isinstance(hidden, bytes) else _dumped(hidden)


def _is_secret(value: Any) -> bool:
    """Returns whether a value is one of Pydantic's secrets. It checks their attributes, since importing the classes
    takes longer than importing this package.
    """
    return hasattr(type(value), "get_secret_value")


def _by_itself(value: Any) -> Any:
    """Returns the JSON form of a value that Pydantic's Python mode leaves unchanged."""
    try:
        return TypeAdapter(type(value)).dump_python(value, mode="json")
    except PydanticUserError as error:
        raise ValueError(f"a {type(value).__qualname__}") from error
