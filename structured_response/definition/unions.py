"""Data along its definition: the option of a union that data belongs to, and a walk that changes values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from .jsonable import choice_text, has_form
from .node import SCALARS, Node


def match_union_option(union: Node, data: Any, measure: Measure | None = None) -> str | None:
    """Returns the name of the option that data fits best: exact types, more fields and earlier options come first."""
    # If it fits none, nulls and missing values, which may replace values that could not be read, are overlooked.
    return (measure or Measure()).best(union, data) or Measure(gaps=True).best(union, data)


def told_apart(option: Node) -> Sequence[Node]:
    """Returns an option of a union as options with distinct texts: choices such as 1 and "1" read the same."""
    if option.kind != "enum" or len(set(map(choice_text, option.choices))) == len(option.choices):
        return [option]
    kinds = dict.fromkeys(map(type, option.choices))
    return [
        replace(option, choices=tuple(choice for choice in option.choices if type(choice) is kind)) for kind in kinds
    ]


class Measure:
    """How well data, which must stay as it is, fits: 0 is not at all, 1 exact. `gaps` lets nulls fit a little."""

    def __init__(self, gaps: bool = False) -> None:
        self.known: dict[tuple[int, int], float] = {}
        self.gaps = gaps

    def best(self, union: Node, data: Any) -> str | None:
        best, best_fit = None, 0.0
        for name, option in union.options().items():
            fit = self.fit(option, data)
            if fit > best_fit:
                best, best_fit = name, fit
        return best

    def fit(self, node: Node, data: Any) -> float:
        """Returns how well data fits a node. Of two options, the one with the higher number is meant."""
        if data is None:
            return 1.0 if node.nullable is not False else 0.1 if self.gaps else 0.0
        if node.kind in SCALARS:
            return _scalar_fit(node, data)
        key = (id(node), id(data))
        if key not in self.known:
            self.known[key] = getattr(self, f"of_{node.kind}")(node, data)
        return self.known[key]

    def of_list(self, node: Node, data: Any) -> float:
        if not isinstance(data, list):
            return 0.0
        if node.item is not None:
            return min((self.fit(node.item, value) for value in data), default=1.0)
        return min(map(self.fit, node.parts, data), default=1.0) if len(data) == len(node.parts) else 0.0

    of_tuple = of_list

    def of_map(self, node: Node, data: Any) -> float:
        if not isinstance(data, dict) or node.item is None:
            return 0.0
        return min((self.fit(node.item, value) for value in data.values()), default=0.8)

    def of_dict(self, node: Node, data: Any) -> float:
        if not isinstance(data, dict):
            return 0.0
        known = [name for name in data if name in node.fields]
        unknown = len(known) < len(data) and any(name not in node.fields and name not in node.left_out for name in data)
        missing = sum(field.required and name not in data for name, field in node.fields.items())
        if (missing and not self.gaps) or (unknown and not node.keeps_extra):
            return 0.0
        worst = min((self.fit(node.fields[name].node, data[name]) for name in known), default=1.0)
        return (worst + len(known)) / (1 + missing) if worst else 0.0

    def of_union(self, node: Node, data: Any) -> float:
        return max((self.fit(option, data) for option in node.parts), default=0.0)


def _scalar_fit(node: Node, data: Any) -> float:
    if node.kind == "any":
        return 0.1
    if node.kind == "enum":
        return 1.1 if any(type(choice) is type(data) and choice == data for choice in node.choices) else 0.0
    if node.kind == "float" and type(data) is int:
        return 0.5
    if node.kind in ("str", "int", "float", "bool"):
        return float(type(data).__name__ == node.kind)
    return 0.9 if isinstance(data, str) and has_form(node.kind, data) else 0.0


class Walk:
    """A walk through data. `change(walk, node, value)` replaces each value, and may call `inner` for those inside."""

    def __init__(self, change: Callable[[Walk, Node, Any], Any]) -> None:
        self.change = change
        self.measure = Measure()
        self.known: dict[tuple[int, int], Any] = {}

    def value(self, node: Node, data: Any) -> Any:
        return self.change(self, node, data)

    def inner(self, node: Node, data: Any) -> Any:
        """Returns a value with the values inside it changed. A union is the option that the data fits best."""
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
