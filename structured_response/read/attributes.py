"""Attributes that hold values, in place of an element's content or beside it."""

from __future__ import annotations

from ..definition import CONSTRAINTS, Node, Path, fold
from ..findings import RepairKind
from .build import Element
from .data import Reader, given, mark_of
from .scan import PROMPT_ATTRIBUTES

CONSTRAINT_NAMES = frozenset(CONSTRAINTS.values())
"""The names of constraints in prompts."""
_VALUES = ("value", "val", "text", "content", "data")
"""Attributes that hold the value of an empty element."""
_ASIDE = CONSTRAINT_NAMES | PROMPT_ATTRIBUTES | {"lang", "unit", "count", "nil", "class", "id"}
"""Attributes that describe a value."""


def in_attribute(reader: Reader, element: Element, node: Node, path: Path) -> Element | None:
    """Returns the attribute that holds an empty element's value. One of another name is a problem."""
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
    """Records a problem if attributes of an empty element may hold its value."""
    found = [inner for name, inner in given(element, node).items() if not {name, fold(name)} & _ASIDE]
    if found and mark_of(element) != "null":
        candidates = tuple(inner.source for inner in found)
        reader.fail(element, path, "empty, but its value may be in an attribute", candidates)


def beside_value(reader: Reader, element: Element, node: Node, path: Path) -> None:
    """Records a doubt if an attribute and the element's content are different values."""
    for name, inner in given(element, node).items():
        is_value = fold(name) in ("value", fold(element.name)) and fold(inner.source) != fold(element.name)
        if is_value and inner.source != element.content:
            candidates = (element.content, inner.source)
            reader.doubt(inner, path, "an attribute has a different value", candidates)
