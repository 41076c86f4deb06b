"""Compares answers by their data, without defaults, and decides whether equal data is a coincidence."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..definition.jsonable import in_order, storable
from ..definition.node import Field, Node
from ..definition.unions import Measure, Walk, transform

__all__ = ["comparison_key", "says_something"]

_ANY = Node("any")
_BELOW, _ABOVE = {"ge", "gt"}, {"le", "lt"}


def comparison_key(root: Node, data: Any) -> Any:
    """Returns a form of data that is equal for equal answers.

    It is storable and has its sets in one order. It omits optional fields that are empty or hold their default, since
    some answers write them out and others do not.
    """
    return transform(root, storable(root, data), _without_defaults)


def says_something(root: Node, data: Any) -> bool:
    """Returns whether data holds a value that two inputs would hardly share: a text, a number. Choices, ratings between
    two bounds, defaults and empty lists are common to many answers.
    """
    return _says(Measure(), root, storable(root, data))


def _without_defaults(walk: Walk, node: Node, data: Any) -> Any:
    if node.kind == "dict" and isinstance(data, dict):
        data = {name: value for name, value in data.items() if not _is_default(node.fields.get(name), value)}
    data = walk.inner(node, data)
    return in_order(data) if node.unique and isinstance(data, list) else data


def _is_default(field: Field | None, value: Any) -> bool:
    return field is not None and not field.required and value in (None, [], {}, field.default)


def _says(measure: Measure, node: Node, data: Any) -> bool:
    if isinstance(data, dict | list):
        is_keyed = bool(data) and _meant(measure, node, data).kind == "map"
        return is_keyed or any(_says(measure, inner, value) for _step, inner, value in _inner(measure, node, data))
    return data not in (None, "") and not _is_shared(_meant(measure, node, data))


def _is_shared(node: Node) -> bool:
    """Returns whether a node has so few values that equal ones mean nothing."""
    bounds = node.constraints.keys()
    return node.kind in ("enum", "bool") or (node.kind == "int" and bool(bounds & _BELOW) and bool(bounds & _ABOVE))


def _inner(measure: Measure, node: Node, data: Any) -> Iterator[tuple[Any, Node, Any]]:
    """Yields the values inside data, each with its step and its node, without optional fields that are empty or
    default.
    """
    node = _meant(measure, node, data)
    if isinstance(data, list):
        yield from zip(range(len(data)), node.parts or [node.item or _ANY] * len(data), data, strict=False)
        return
    for name, value in data.items():
        field = node.fields.get(name)
        if not _is_default(field, value):
            yield name, node.item or _ANY if field is None else field.node, value


def _meant(measure: Measure, node: Node, data: Any) -> Node:
    """Returns the node, or the option of a union that the data fits."""
    while node.kind == "union":
        option = measure.best(node, data)
        node = _ANY if option is None else node.options()[option]
    return node
