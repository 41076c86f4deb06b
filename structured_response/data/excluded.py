"""Restores fields that a model excludes from its own JSON. Since they are requested like any other, they are written
too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import is_dataclass
from typing import Any

from pydantic import BaseModel

from ..definition import MISSING, Field, Node

__all__ = ["Excluded"]

_OBJECTS = ("model-fields", "dataclass-args", "typed-dict")
_MARKS = ("serialization_exclude", "serialization_exclude_if")
"""The keys of a core schema that exclude a field from dumps, always or by its value."""


class Excluded:
    """Restores fields with some names in dumped data, from the values it was dumped from.

    `dump` makes data of a single value, and raises `ValueError` for a value that JSON cannot hold.
    """

    def __init__(self, names: frozenset[str], dump: Callable[[Any], Any]) -> None:
        self.names = names
        self.dump = dump

    @staticmethod
    def named(core_schemas: Iterable[dict[str, Any]]) -> frozenset[str]:
        """Returns the names of all excluded fields in a model's core schemas."""
        found = set()
        for schema in core_schemas:
            fields = schema["fields"] if schema["type"] in _OBJECTS else {}
            named = fields.items() if isinstance(fields, dict) else ((field["name"], field) for field in fields)
            found |= {name for name, field in named if any(field.get(mark) for mark in _MARKS)}
        return frozenset(found)

    def put_back(self, node: Node, value: Any, data: Any) -> Any:
        """Returns the data of a value with all excluded fields in it. Data that a custom serializer gave another shape
        is unchanged.
        """
        if getattr(type(value), "__pydantic_root_model__", False):
            return self.put_back(node, value.root, data)
        if node.kind == "union":
            option = _option_of(node, value)
            return data if option is None else self.put_back(option, value, data)
        if node.kind == "dict" and isinstance(data, dict):
            return self.fields(node, value, data)
        if node.item is not None:
            return self.items(node.item, value, data)
        if node.kind == "tuple" and _are_parallel(value, data) and len(data) == len(node.parts):
            return list(map(self.put_back, node.parts, value, data))
        return data

    def fields(self, node: Node, value: Any, data: dict[str, Any]) -> dict[str, Any]:
        held = _fields_of(value)
        made = {}
        for name, field in node.fields.items():
            if name in data:
                made[name] = self.put_back(field.node, held[name], data[name]) if name in held else data[name]
            elif name in self.names and name in held:
                dumped = self.dumped(field, held[name])
                made |= {} if dumped is MISSING else {name: dumped}
        return {**made, **{name: kept for name, kept in data.items() if name not in made}}

    def dumped(self, field: Field, value: Any) -> Any:
        """Returns a field's data. A value without a JSON form, such as a client, is omitted if the model can do without
        it.
        """
        try:
            return self.put_back(field.node, value, self.dump(value))
        except ValueError:
            if field.required:
                raise
            return MISSING

    def items(self, node: Node, value: Any, data: Any) -> Any:
        if isinstance(value, Set) and isinstance(data, list):  # in whatever order they were dumped
            return [self.put_back(node, item, self.dump(item)) for item in value]
        if isinstance(value, Mapping) and isinstance(data, dict) and len(value) == len(data):
            return dict(zip(data, map(self.put_back, [node] * len(data), value.values(), data.values()), strict=True))
        if _are_parallel(value, data):
            return [self.put_back(node, item, dumped) for item, dumped in zip(value, data, strict=True)]
        return data


def _are_parallel(value: Any, data: Any) -> bool:
    return isinstance(value, Sequence) and isinstance(data, list) and len(value) == len(data)


def _fields_of(value: Any) -> Mapping[str, Any]:
    """Returns the fields of an object by their names."""
    if isinstance(value, Mapping):
        return value
    return vars(value) if isinstance(value, BaseModel) or is_dataclass(value) else {}


def _option_of(union: Node, value: Any) -> Node | None:
    """Returns the option of a union for a value: for an object by its class's name and fields, or by its fields; for a
    list, a map or a tuple by its form.
    """
    if isinstance(value, BaseModel) or is_dataclass(value):
        names = _fields_of(value).keys()
        fitting = [part for part in union.parts if part.kind == "dict" and part.fields.keys() <= names]
        return next((part for part in fitting if part.name == type(value).__name__), next(iter(fitting), None))
    kinds = next((kinds for form, kinds in _KINDS.items() if isinstance(value, form)), ())
    return next((part for kind in kinds for part in union.parts if part.kind == kind), None)


_KINDS: dict[type, tuple[str, ...]] = {str: (), tuple: ("tuple", "list"), Mapping: ("map", "dict"), Sequence: ("list",)}
