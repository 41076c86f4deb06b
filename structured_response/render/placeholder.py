"""The placeholders that a prompt shows for values. A model that repeats one has given no value."""

from __future__ import annotations

import json

from ..definition.node import CONSTRAINTS, Node
from ..findings import MAX_EXCERPT, MAX_SHOWN

__all__ = [
    "KINDS_ASKED",
    "asked_for",
    "is_key_placeholder",
    "is_placeholder",
    "key_placeholder",
    "names_a_place",
    "placeholder",
    "same_elements",
]

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
    """Returns a scalar's kind in words, or those of the options of a union of scalars."""
    if node.kind == "union":
        return " or ".join(_in_full(part, (part.description,)) for part in node.parts)
    return KINDS_ASKED[node.kind]


def _in_full(node: Node, said: tuple[str | None, ...]) -> str:
    """Returns a kind with its choices and its constraints: `an int (greater_or_equal 0)`."""
    kind = _choices(node) if node.kind == "enum" else KINDS_ASKED[node.kind]
    bounds = [f"{CONSTRAINTS[name]} {node.constraints[name]}" for name in CONSTRAINTS if name in node.constraints]
    more = ", ".join([*filter(None, said), *bounds])
    return f"{kind} ({more})" if more else kind


def _choices(node: Node) -> str:
    return "one of " + ", ".join(json.dumps(choice, ensure_ascii=False) for choice in node.choices)


def asked_for(node: Node) -> str:
    """Returns the expected form of a scalar for messages: `a date (YYYY-MM-DD)`, or the choices, shortened."""
    if node.kind != "enum":
        return KINDS_ASKED[node.kind]
    shown = [json.dumps(choice, ensure_ascii=False)[:MAX_EXCERPT] for choice in node.choices[:MAX_SHOWN]]
    more = len(node.choices) - len(shown)
    return f"one of the choices {', '.join(shown)}" + (f" and {more} more" if more else "")


def is_placeholder(node: Node, text: str) -> bool:
    """Returns whether a value is its placeholder, or the beginning that many prompts share. For a text that is one
    option of a union, that may be the placeholder of another option's elements.
    """
    if not text.startswith("["):
        return False
    end = f" - as {_kind(node)}]"
    if not text.endswith(end):
        return text == f"[{_VALUE}]" or names_a_place(text)
    return text in (f"[{_VALUE}{end}", f"[{node.description or _VALUE}{end}")


def names_a_place(text: str) -> bool:
    """Returns whether a text is the placeholder of elements that the prompt had shown before."""
    return text.startswith(_SAME) and text.endswith("]")


def is_key_placeholder(node: Node, text: str) -> bool:
    """Returns whether a map's key is its placeholder."""
    return text.startswith("[") and text == key_placeholder(node)
