"""Attributes of tags that hold values: in place of an element's content, or beside it."""

from __future__ import annotations

from ..definition import (
    CONSTRAINTS,
    Node,
    Path,
    fold,
)
from ..findings import RepairKind
from .build import Element
from .data import Reader, given, mark_of
from .scan import PROMPT_ATTRIBUTES

__all__ = ["CONSTRAINT_NAMES", "beside_value", "in_attribute", "unread"]

CONSTRAINT_NAMES = frozenset(CONSTRAINTS.values())
"""What prompts call constraints."""
_VALUES = ("value", "val", "text", "content", "data")
"""Attributes that hold the value of an empty element."""
_ASIDE = CONSTRAINT_NAMES | PROMPT_ATTRIBUTES | {"lang", "unit", "count", "nil", "class", "id"}
"""Attributes that say something of a value."""


def in_attribute(reader: Reader, element: Element, node: Node, path: Path) -> Element | None:
    """The attribute of an empty element's tag that holds its value. One of a name of its own, which may be the value
    or not, is a problem.
    """
    values = {name: inner for name, inner in given(element, node).items() if name not in CONSTRAINT_NAMES}
    found = [inner for name, inner in values.items() if fold(name) in (*_VALUES, fold(element.name))]
    found = found or [inner for name, inner in values.items() if name == "name"]
    if len(found) != 1:
        unread(reader, element, node, path)
        return None
    raw = found[0].source
    reader.account.repair(RepairKind.SHAPE_CHANGED, path, found[0].span, f'{found[0].name}="{raw}"', raw)
    return found[0]


def unread(reader: Reader, element: Element, node: Node, path: Path) -> None:
    """Puts on record that attributes of an empty element may hold its value."""
    found = [inner for name, inner in given(element, node).items() if not {name, fold(name)} & _ASIDE]
    if found and mark_of(element) != "null":
        candidates = tuple(inner.source for inner in found)
        reader.fail(element, path, "empty, but its value may stand in an attribute", candidates)


def beside_value(reader: Reader, element: Element, node: Node, path: Path) -> None:
    """Names an attribute that says another value than its element does."""
    for name, inner in given(element, node).items():
        is_value = fold(name) in ("value", fold(element.name)) and fold(inner.source) != fold(element.name)
        if is_value and inner.source != element.content:
            candidates = (element.content, inner.source)
            reader.doubt(inner, path, "an attribute has another value", candidates)
