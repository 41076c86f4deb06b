"""Changes data along its definition: one walk for every change that depends on what a value was asked for as."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from .node import Node
from .unions import Measure, match_union_option

__all__ = ["Change", "Walk", "transform"]


def transform(node: Node, data: Any, change: Change) -> Any:
    """Returns data with every value replaced by what `change` makes of it.

    Args:
        node: The node that the data fits.
        data: JSON-compatible data. It is not modified.
        change: Called with the walk, a node and its value. It calls `walk.inner` for the values inside that value,
            before or after its own change, or not at all.
    """
    return Walk(change).value(node, data)


class Walk:
    """One walk through data. Unions are resolved to the option that the data fits best."""

    def __init__(self, change: Change) -> None:
        self.change = change
        self.measure = Measure()
        self.known: dict[tuple[int, int], Any] = {}

    def value(self, node: Node, data: Any) -> Any:
        """Changes one value."""
        return self.change(self, node, data)

    def inner(self, node: Node, data: Any) -> Any:
        """Changes every value inside one."""
        if node.kind == "dict" and isinstance(data, dict):
            known = node.fields
            return {name: self.value(known[name].node, each) if name in known else each for name, each in data.items()}
        if node.kind == "map" and isinstance(data, dict) and node.item is not None:
            return {key: self.value(node.item, each) for key, each in data.items()}
        if node.kind == "list" and isinstance(data, list) and node.item is not None:
            return [self.value(node.item, each) for each in data]
        if node.kind == "tuple" and isinstance(data, list):
            return list(map(self.value, node.parts, data))
        if node.kind == "union" and data is not None:
            name = match_union_option(node, data, self.measure)
            return data if name is None else self.value(node.options()[name], data)
        return data


Change: TypeAlias = Callable[[Walk, Node, Any], Any]
