"""Describes values in words, as signatures show them: `The words in it (list[str]) (optional)`."""

from __future__ import annotations

import json

from ..definition.node import CONSTRAINTS, Node

__all__ = ["AS_IN", "bounds_in_words", "in_words", "is_words", "type_in_words", "words_of"]

_TYPES = {
    **{kind: kind for kind in ("str", "int", "float", "bool", "decimal", "any")},
    "date": "date (YYYY-MM-DD)",
    "time": "time (HH:MM:SS)",
    "datetime": "datetime (YYYY-MM-DDTHH:MM:SS+00:00)",
    "duration": "duration (P1DT2H30M)",
    "uuid": "UUID",
    "bytes": "bytes (base64)",
}

_BOUNDS = {
    "ge": ">= {}",
    "gt": "> {}",
    "le": "<= {}",
    "lt": "< {}",
    "multiple_of": "multiple of {}",
    "min_length": "min length {}",
    "max_length": "max length {}",
    "pattern": "pattern {}",
    "unique_items": "unique items",
}
"""The wording of each constraint behind a type."""

_REQUIRED = {True: "(required)", False: "(optional)"}
AS_IN = "as in "
"""The words in front of the place where a value was described before."""


def type_in_words(node: Node) -> str:
    """Returns a type as people write it: `list[str]`, `dict[str, int]`, `one of "low", "high"`, `date (YYYY-MM-DD)`."""
    return _type(node, ())


def _type(node: Node, around: tuple[int, ...]) -> str:
    if node.kind == "enum":
        return "one of " + ", ".join(json.dumps(choice, ensure_ascii=False) for choice in node.choices)
    if node.kind == "dict" or id(node) in around:
        return node.name or node.shape or node.kind
    around = (*around, id(node))
    if node.kind == "list" and node.item is not None:
        return f"list[{_type(node.item, around)}]"
    if node.kind == "map" and node.item is not None and node.key is not None:
        return f"dict[{_type(node.key, around)}, {_type(node.item, around)}]"
    if node.kind == "tuple":
        return f"tuple[{', '.join(_type(part, around) for part in node.parts)}]"
    if node.kind == "union":
        return " | ".join(_type(part, around) for part in node.parts)
    return _TYPES[node.kind]


def bounds_in_words(node: Node) -> str:
    """Returns the constraints as they follow a type: `>= 1, <= 5`."""
    held = node.constraints
    return ", ".join(_BOUNDS[name].format(held[name]) for name in CONSTRAINTS if name in held)


def words_of(what: str | None, type_: str, required: bool) -> str:
    """Returns the description of a value: `From 1 to 5 (int) (required)`."""
    parts = (what, f"({type_})" if type_ else "", _REQUIRED[required])
    return " ".join(part for part in parts if part)


def in_words(node: Node, required: bool) -> str:
    """Returns the words that a signature shows in a value's place."""
    bounds = bounds_in_words(node)
    return words_of(node.description, type_in_words(node) + (f", {bounds}" if bounds else ""), required)


def is_words(node: Node, text: str) -> bool:
    """Returns whether a value is the text that a signature showed in its place."""
    return text.endswith(tuple(_REQUIRED.values())) and (
        text in (in_words(node, True), in_words(node, False)) or text.startswith(AS_IN)
    )
