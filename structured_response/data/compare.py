"""Compares answers by their data, without defaults, and decides whether equal data is a coincidence."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..definition import MISSING, SCALARS, Node, Path, Walk, in_order, storable


def comparison_key(root: Node, data: Any) -> Any:
    """Returns storable data without defaults and with its sets in one order, which is equal for equal answers."""
    return Walk(_without_defaults).value(root, storable(root, data))


def says_something(root: Node, data: Any) -> bool:
    """Returns whether data holds a value that two inputs would hardly share, such as a text, but not a choice."""
    found = []

    def look(walk: Walk, node: Node, data: Any) -> Any:
        if node.kind in SCALARS:
            bounds = node.constraints.keys()  # equal values mean nothing where there are few
            is_between = node.kind == "int" and bounds & {"ge", "gt"} and bounds & {"le", "lt"}
            found.append(data not in (None, "", [], {}) and node.kind not in ("enum", "bool") and not is_between)
        elif node.kind == "map" and data:
            found.append(True)
        return walk.inner(node, data)

    Walk(look).value(root, comparison_key(root, data))
    return any(found)


def _without_defaults(walk: Walk, node: Node, data: Any) -> Any:
    if node.kind == "dict" and isinstance(data, dict):
        optional = {name: field.default for name, field in node.fields.items() if not field.required}
        data = {
            name: value
            for name, value in data.items()
            if name not in optional or value not in (None, [], {}, optional[name])
        }
    data = walk.inner(node, data)
    return in_order(data) if node.unique and isinstance(data, list) else data


def differing(one: Any, other: Any, path: Path = ()) -> Iterator[tuple[Path, Any, Any]]:
    """Yields the smallest places where two pieces of data differ, each with what both have there."""
    if isinstance(one, dict) and isinstance(other, dict):
        for name in {**one, **other}:
            yield from differing(one.get(name, MISSING), other.get(name, MISSING), (*path, name))
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for index in range(len(one)):
            yield from differing(one[index], other[index], (*path, index))
    elif type(one) is not type(other) or one != other:
        yield path, one, other
