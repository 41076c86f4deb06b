"""What data says of its own: without what was left to defaults, and beside what any data could say."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..definition.jsonable import in_order
from ..definition.node import Field, Node
from ..definition.numbers import storable
from ..definition.transform import Walk, transform
from ..definition.unions import Measure

__all__ = ["comparison_key", "says_something"]

_ANY = Node("any")
_BELOW, _ABOVE = {"ge", "gt"}, {"le", "lt"}


def comparison_key(root: Node, data: Any) -> Any:
    """Data in a form that is equal for equal answers: storable, and without optional fields that are empty or hold
    their default, which one answer writes out and another leaves out, and sets in one order.
    """
    return transform(root, storable(root, data), _without_defaults)


def says_something(root: Node, data: Any) -> bool:
    """Whether data says something that two inputs would hardly have in common: a text, a number. Choices, ratings
    between two bounds, defaults and empty lists are what many answers consist of.
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
    """Whether there are so few values that equal ones mean nothing."""
    bounds = node.constraints.keys()
    return node.kind in ("enum", "bool") or (node.kind == "int" and bool(bounds & _BELOW) and bool(bounds & _ABOVE))


def _inner(measure: Measure, node: Node, data: Any) -> Iterator[tuple[Any, Node, Any]]:
    """What data holds, each with its step and its node, but for optional fields that are empty or as by default."""
    node = _meant(measure, node, data)
    if isinstance(data, list):
        yield from zip(range(len(data)), node.parts or [node.item or _ANY] * len(data), data, strict=False)
        return
    for name, value in data.items():
        field = node.fields.get(name)
        if not _is_default(field, value):
            yield name, node.item or _ANY if field is None else field.node, value


def _meant(measure: Measure, node: Node, data: Any) -> Node:
    """The node, or of a union the option that data is."""
    while node.kind == "union":
        option = measure.best(node, data)
        node = _ANY if option is None else node.options()[option]
    return node
