"""A value of a program -> the data that an instance or a definition holds of it."""

from __future__ import annotations

import base64
from typing import Any, Literal

from pydantic import TypeAdapter
from pydantic.errors import PydanticUserError
from pydantic_core import SchemaSerializer, core_schema, to_json, to_jsonable_python

__all__ = ["from_base64", "in_order", "plain"]

_DUMP = SchemaSerializer(core_schema.any_schema()).to_python


def plain(value: Any, bytes_mode: Literal["base64", "utf8"] = "base64") -> Any:
    """A value as JSON-compatible data: objects by field names and without computed fields, sets in one order
    everywhere.

    Raises `ValueError` (Pydantic's `PydanticSerializationError` among them) for what JSON cannot hold.
    """
    return to_jsonable_python(
        _without_sets(_DUMP(value, by_alias=False, round_trip=True, warnings=False)),
        by_alias=False,
        round_trip=True,
        bytes_mode=bytes_mode,
        inf_nan_mode="constants",
        fallback=_by_itself,
    )


def from_base64(text: str) -> bytes:
    """The bytes of base64 in either alphabet, with its padding or without. Raises `binascii.Error`."""
    return base64.b64decode(text.replace("-", "+").replace("_", "/") + "==")


def in_order(items: list[Any]) -> list[Any]:
    """The items of a set, as data, in the order of their JSON, which no hash seed changes."""
    return sorted(items, key=_canonical)


def _canonical(data: Any) -> bytes:
    return to_json(data, inf_nan_mode="constants")


def _without_sets(value: Any) -> Any:
    if isinstance(value, (set, frozenset)):
        return list(map(_without_sets, sorted(value, key=lambda item: _canonical(plain(item)))))
    if isinstance(value, dict):
        return {key: _without_sets(held) for key, held in value.items()}
    return list(map(_without_sets, value)) if isinstance(value, (list, tuple)) else value


def _by_itself(value: Any) -> Any:
    """A value of a type that Pydantic leaves as it is for Python, as it writes one for JSON."""
    try:
        return TypeAdapter(type(value)).dump_python(value, mode="json")
    except PydanticUserError as error:
        raise ValueError(f"a {type(value).__qualname__}") from error
