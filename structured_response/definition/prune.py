"""Removes parts from a JSON Schema that no reply could fill: functions, instances of classes that are not models,
`false`.

A part is removed if the model can do without it: an option of a union among others, a field with a default. Elsewhere
it stays, and reading the schema raises an error about it. It also stays if only null would be left, since null alone is
not worth asking for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from .from_type import LEFT_OUT, NEVER
from .node import MISSING

__all__ = ["without_impossible"]

Schema = Mapping[str, Any]


def without_impossible(document: Schema) -> Schema:
    """Returns a copy of the JSON Schema without options and fields that cannot be described.

    Linear in the document, times the longest chain of shapes that need each other.
    """
    pruner = _Pruner()
    shapes = {f"#/{key}/{name}": shape for key in _SHAPES for name, shape in document.get(key, {}).items()}
    while True:  # a shape that needs an impossible one is impossible itself
        more = {name for name, shape in shapes.items() if pruner.is_impossible(shape)} - pruner.impossible
        if not more:
            pruned: Schema = pruner.pruned(document)
            return pruned
        pruner.impossible |= more


class _Pruner:
    """Decides which parts are impossible, given the impossible references."""

    def __init__(self) -> None:
        self.impossible: set[str] = set()

    def is_impossible(self, schema: Any) -> bool:
        if not isinstance(schema, Mapping):
            return schema is False
        if NEVER in schema or schema.get("not") == {}:
            return True
        return any(key in schema and test(self, schema[key], schema) for key, test in _TESTS.items())

    def is_hollow(self, schema: Any) -> bool:
        """Returns whether a schema is impossible except for null."""
        options = schema.get("anyOf") or schema.get("oneOf") if isinstance(schema, Mapping) else None
        present = [option for option in options or [schema] if option != {"type": "null"}]
        return bool(present) and all(map(self.is_impossible, present))

    def of_options(self, options: Any, schema: Schema) -> bool:
        return all(map(self.is_impossible, options))

    def of_parts(self, parts: Any, schema: Schema) -> bool:
        return any(map(self.is_impossible, parts))

    def of_items(self, items: Any, schema: Schema) -> bool:
        return items is not False and (self.is_impossible(items) or self.is_hollow(items))

    def of_values(self, values: Any, schema: Schema) -> bool:
        """Returns whether the values of a map are impossible. Beside fields, or as `false`, they only forbid further
        members.
        """
        if values is False or schema.get("properties"):
            return False
        return self.is_impossible(values) or self.is_hollow(values)

    def of_fields(self, fields: Any, schema: Schema) -> bool:
        return any(self.is_impossible(fields[name]) for name in schema.get("required", ()) if name in fields)

    def pruned(self, schema: Any) -> Any:
        if isinstance(schema, (list, tuple)):
            return list(map(self.pruned, schema))
        if not isinstance(schema, Mapping):
            return schema
        kept = {key: self.pruned(value) if key in _INNER else value for key, value in schema.items()}
        for key in ("anyOf", "oneOf"):
            if key in kept and not self.is_hollow(schema):
                kept[key] = [option for option in kept[key] if not self.is_impossible(option)]
        for key in _SHAPES:
            if key in kept:
                kept[key] = {name: self.pruned(held) for name, held in kept[key].items()}
        return self.without_fields(kept) if "properties" in kept else kept

    def without_fields(self, schema: dict[str, Any]) -> dict[str, Any]:
        """Returns an object without optional fields that cannot be described, and with a note on their defaults."""
        fields, required = schema["properties"], schema.get("required", ())
        left_out = {name for name in fields if name not in required and self.is_hollow(fields[name])}
        if left_out:
            defaults = {name: fields[name].get("default", MISSING) for name in left_out if fields[name]}
            schema[LEFT_OUT] = {**schema.get(LEFT_OUT, {}), **defaults}
        schema["properties"] = {name: self.pruned(held) for name, held in fields.items() if name not in left_out}
        return schema


_TESTS: dict[str, Callable[[_Pruner, Any, Schema], bool]] = {
    "$ref": lambda pruner, name, schema: name in pruner.impossible,
    "anyOf": _Pruner.of_options,
    "oneOf": _Pruner.of_options,
    "allOf": _Pruner.of_parts,
    "prefixItems": _Pruner.of_parts,
    "items": _Pruner.of_items,
    "additionalProperties": _Pruner.of_values,
    "properties": _Pruner.of_fields,
}
"""The tests that find a schema impossible, by key."""

_SHAPES = ("$defs", "definitions")
"""The keys of shapes that others refer to."""

_INNER = ("anyOf", "oneOf", "allOf", "prefixItems", "items", "additionalProperties")
"""The keys of other schemas, except those of fields and shapes."""
