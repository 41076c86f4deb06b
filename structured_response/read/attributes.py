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
from .data import Reader
from .scan import PROMPT_ATTRIBUTES
from .values import Text, decode

__all__ = ["CONSTRAINT_NAMES", "beside_value", "in_attribute", "unread"]

CONSTRAINT_NAMES = frozenset(CONSTRAINTS.values())
"""What prompts call constraints."""
_VALUES = ("value", "val", "text", "content", "data")
"""Attributes that hold the value of an empty element."""
_ASIDE = CONSTRAINT_NAMES | PROMPT_ATTRIBUTES | {"lang", "unit", "count", "nil", "class", "id"}
"""Attributes that say something of a value."""


def in_attribute(reader: Reader, element: Element, node: Node, path: Path) -> Text | None:
    """The value of an empty element that stands in an attribute of its tag. One of a name of its own, which may be
    the value or not, is a problem.
    """
    given = {name: inner for name, inner in reader.given(element, node).items() if name not in CONSTRAINT_NAMES}
    found = [name for name in given if fold(name) in (*_VALUES, fold(element.name))]
    if len(found) != 1:
        unread(reader, element, node, path)
        return None
    name, raw = found[0], reader.source(given[found[0]])
    reader.account.repair(RepairKind.SHAPE_CHANGED, path, given[name].span, f'{name}="{raw}"', raw)
    return Text(raw, decode(raw))


def unread(reader: Reader, element: Element, node: Node, path: Path) -> None:
    """Puts on record that attributes of an empty element may hold its value."""
    given = {name: inner for name, inner in reader.given(element, node).items() if not {name, fold(name)} & _ASIDE}
    if given and reader.mark(element) != "null":
        candidates = tuple(map(reader.source, given.values()))
        reader.fail(element, path, "empty, but its value may stand in an attribute", candidates)


def beside_value(reader: Reader, element: Element, node: Node, path: Path) -> None:
    """Names an attribute that says another value than its element does."""
    for name, inner in reader.given(element, node).items():
        is_value = fold(name) in ("value", fold(element.name)) and fold(reader.source(inner)) != fold(element.name)
        if is_value and reader.source(inner) != reader.content(element):
            candidates = (reader.content(element), reader.source(inner))
            reader.doubt(inner, path, "an attribute has another value", candidates)
