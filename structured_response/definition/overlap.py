"""Whether one value could fit two options of a `oneOf`, which must fit exactly one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import Any

from .keywords import fits_type

__all__ = ["may_overlap"]

Schema = Mapping[str, Any]
Resolve = Callable[[Schema], Schema]


def may_overlap(options: Sequence[Schema], resolve: Resolve) -> bool:
    """Whether two options are not told apart by type, by choices, by what a field of both may hold, or by a field that
    each requires and the other has not.
    """
    shapes = [resolve(option) for option in options]
    return not all(_are_apart(one, other, resolve) for one, other in combinations(shapes, 2))


def _are_apart(one: Schema, other: Schema, resolve: Resolve) -> bool:
    return _by_value(one, other) or _by_field(one, other, resolve) or _by_names(one, other)


def _by_value(one: Schema, other: Schema) -> bool:
    mine, others = _choices(one), _choices(other)
    if mine is not None and others is not None:
        told = [(isinstance(choice, bool), choice) for choice in others]
        return not any((isinstance(choice, bool), choice) in told for choice in mine)
    if mine is None and others is None:
        return _by_type(one, other)
    choices, schema = (others, one) if mine is None else (mine, other)
    return not any(fits_type(choice, schema) for choice in choices or ())


def _choices(schema: Schema) -> list[Any] | None:
    if "const" in schema:
        return [schema["const"]]
    return schema.get("enum")


def _by_type(one: Schema, other: Schema) -> bool:
    mine, others = _types(one), _types(other)
    return bool(mine and others) and mine.isdisjoint(others)


def _types(schema: Schema) -> set[str]:
    """The types that values may be of, where the schema says it; an integer is a number too."""
    named = schema.get("type", ["object"] if "properties" in schema else [])
    names = {named} if isinstance(named, str) else set(named)
    return names | ({"integer"} if "number" in names else set()) | ({"null"} if schema.get("nullable") else set())


def _by_field(one: Schema, other: Schema, resolve: Resolve) -> bool:
    """Whether both require a field that cannot hold the same in both."""
    shared = set(one.get("required", ())) & set(other.get("required", ()))
    mine, others = one.get("properties", {}), other.get("properties", {})
    return _types(one) == _types(other) == {"object"} and any(
        _by_value(resolve(mine[name]), resolve(others[name])) for name in shared if name in mine and name in others
    )


def _by_names(one: Schema, other: Schema) -> bool:
    """Whether each requires a field that the other has not: what is read as one of them has the fields of that one."""
    return all(
        _types(schema) == {"object"}
        and schema.get("properties")
        and not schema.get("additionalProperties")
        and not set(against.get("required", ())) <= schema["properties"].keys()
        for schema, against in ((one, other), (other, one))
    )
