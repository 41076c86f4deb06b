"""The words that prompts and signatures show in the place of values. A model that repeats them has given no value."""

from __future__ import annotations

import json

from ..definition.node import CONSTRAINTS, Node

KINDS_ASKED = {
    "str": "a string",
    "int": "an int",
    "float": "a float",
    "bool": "a bool",
    "enum": "an enum",
    "date": "a date (YYYY-MM-DD)",
    "time": "a time (HH:MM:SS)",
    "datetime": "a datetime (YYYY-MM-DDTHH:MM:SS+00:00)",
    "duration": "a duration (P1DT2H30M)",
    "decimal": "a decimal number",
    "uuid": "a UUID (xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx)",
    "bytes": "bytes (base64)",
    "any": "any JSON value",
}
"""The names of scalars in prompts, with their form where that is not obvious."""

PROMPT_ATTRIBUTES = frozenset(
    {"type", "index", "keys", "elements", "choices", "options", "description", "required", *CONSTRAINTS.values()}
)
"""Attributes that prompts show. Except for `type`, repeating them means nothing."""

_VALUE = "value here"
_SAME = "[the same elements as in "


def placeholder(node: Node) -> str:
    """Returns the text of a scalar's element: `[The wind speed in km/h - as a float]`."""
    return f"[{node.description or _VALUE} - as {_kind(node)}]"


def key_placeholder(node: Node) -> str:
    """Returns the text of a map's key, which has no attributes: `[key here - as one of "low", "high"]`."""
    return f"[{node.description or 'key here'} - as {_in_full(node, ())}]"


def same_elements(place: str) -> str:
    """Returns the text of an element whose shape was shown before: `[the same elements as in person]`."""
    return f"{_SAME}{place}]"


def _kind(node: Node) -> str:
    if node.kind == "union":
        return " or ".join(_in_full(part, (part.description,)) for part in node.parts)
    return KINDS_ASKED[node.kind]


def _in_full(node: Node, said: tuple[str | None, ...]) -> str:
    """Returns a kind with its choices and its constraints: `an int (greater_or_equal 0)`."""
    kind = _choices(node) if node.kind == "enum" else KINDS_ASKED[node.kind]
    bounds = [f"{CONSTRAINTS[name]} {bound}" for name, bound in node.constraints.items()]
    more = ", ".join([*filter(None, said), *bounds])
    return f"{kind} ({more})" if more else kind


def _choices(node: Node) -> str:
    return "one of " + ", ".join(json.dumps(choice, ensure_ascii=False) for choice in node.choices)


def is_placeholder(node: Node, text: str) -> bool:
    """Returns whether a value is its placeholder, a common beginning of one, or one for other options of its union."""
    if not text.startswith("["):
        return False
    end = f" - as {_kind(node)}]"
    if not text.endswith(end):
        return text == f"[{_VALUE}]" or names_a_place(text)
    return text in (f"[{_VALUE}{end}", f"[{node.description or _VALUE}{end}")


def names_a_place(text: str) -> bool:
    return text.startswith(_SAME) and text.endswith("]")


def is_key_placeholder(node: Node, text: str) -> bool:
    return text.startswith("[") and text == key_placeholder(node)


# Signatures: `The words in it (list[str]) (optional)`


_TYPES = {
    **{kind: KINDS_ASKED[kind].removeprefix("a ") for kind in ("date", "time", "datetime", "duration", "bytes")},
    "uuid": "UUID",
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


def type_in_words(node: Node, around: tuple[int, ...] = ()) -> str:
    """Returns a type as people write it: `list[str]`, `dict[str, int]`, `one of "low", "high"`, `date (YYYY-MM-DD)`."""
    if node.kind == "enum":
        return _choices(node)
    if node.kind == "dict" or id(node) in around:
        return node.name or node.shape or node.kind
    around = (*around, id(node))
    if node.kind == "list" and node.item is not None:
        return f"list[{type_in_words(node.item, around)}]"
    if node.kind == "map" and node.item is not None and node.key is not None:
        return f"dict[{type_in_words(node.key, around)}, {type_in_words(node.item, around)}]"
    if node.kind == "tuple":
        return f"tuple[{', '.join(type_in_words(part, around) for part in node.parts)}]"
    if node.kind == "union":
        return " | ".join(type_in_words(part, around) for part in node.parts)
    return _TYPES.get(node.kind, node.kind)


def bounds_in_words(node: Node) -> str:
    """Returns the constraints as they follow a type: `>= 1, <= 5`."""
    return ", ".join(_BOUNDS[name].format(bound) for name, bound in node.constraints.items())


def words_of(what: str | None, type_: str, required: bool) -> str:
    """Returns the description of a value: `From 1 to 5 (int) (required)`."""
    parts = (what, f"({type_})" if type_ else "", _REQUIRED[required])
    return " ".join(part for part in parts if part)


def in_words(node: Node, required: bool) -> str:
    bounds = bounds_in_words(node)
    return words_of(node.description, type_in_words(node) + (f", {bounds}" if bounds else ""), required)


def is_words(node: Node, text: str) -> bool:
    return text.endswith(tuple(_REQUIRED.values())) and (
        text in (in_words(node, True), in_words(node, False)) or text.startswith(AS_IN)
    )
