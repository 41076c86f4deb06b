"""A reply before it is written: its elements, and the nodes that they answer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ..definition import Node, Plan, fold, is_xml_name, match_union_option, walk
from ..escaping import BLANK, FENCES, NULL_WORDS, attribute
from ..read.grammar import grammar_of
from ..read.scan import REASONING
from ..render.placeholder import is_key_placeholder, is_placeholder
from ..render.xml import ANY_OPTIONS, type_mark

__all__ = ["Draft", "Element"]

_NOT_LITERAL = re.compile("[\x00-\x08\x0b-\x1f\x7f\ufffe\uffff\uff1c\uff1e]")
"""Control characters, and the full-width brackets that are read as those of tags."""


@dataclass(eq=False)
class Element:
    """An element of a reply. `node` is the node that it answers. A damage sets `opener` and `closer`, the replacements
    of its tags, and `text`, the replacement of its content.
    """

    name: str
    node: Node
    value: Any
    attributes: str = ""
    """The attributes with a meaning, each with a blank in front."""
    parts: list[Element] | None = None
    """None for a scalar."""
    is_field: bool = False
    is_plain: bool = True
    """True if its name alone is enough for its meaning, which is never so in unions and in values of any type."""
    opener: str | None = None
    closer: str | None = None
    text: str | None = None
    between: str = ""
    """The texts in front of its last part, and of the part behind it."""

    def is_scalar(self) -> bool:
        return self.parts is None and self.value is not None

    def is_literal(self) -> bool:
        """Returns whether a text is read back without a single reference, apart from layout and leniencies."""
        text = self.value
        if not isinstance(text, str) or not text or text.strip(BLANK) != text:
            return False
        is_touched = text.lower() in NULL_WORDS or is_placeholder(self.node, text) or text.startswith(FENCES)
        return not is_touched and not _NOT_LITERAL.search(text)

    def walk(self) -> Iterator[Element]:
        yield self
        for part in self.parts or ():
            yield from part.walk()


@dataclass(eq=False)
class Draft:
    """A reply in the making. `before` and `behind` surround it. Without `has_root`, only its parts are written."""

    plan: Plan
    data: Any
    root: Element = field(init=False)
    has_root: bool = True
    before: str = ""
    behind: str = ""
    may_add_prose: bool = True
    line_ends: str = "\n"
    needs_closers: bool = False
    """True if anything but a known tag may follow a field, so that no field may lack its closing tag."""
    lacks_closer: bool = False
    """Returns whether an element lacks its own closing tag."""
    touched: set[int] = field(default_factory=set)
    """The ids of elements that are damaged already."""

    def __post_init__(self) -> None:
        self.root = _element(self.plan.root_name, self.plan.root, self.data)
        self.known = grammar_of(self.plan).names | REASONING
        self.fields = [member for node in walk(self.plan.root) for member in node.fields.values()]
        self.folded = [fold(name) for member in self.fields for name in {member.name, *member.aliases}]

    def is_unique(self, name: str) -> bool:
        """Returns whether a field's name differs clearly from all others, in any case."""
        folded = fold(name)
        others = ("li", "item", "entry", "key", "value", "type", fold(self.plan.root_name))
        return len(folded) > 2 and self.folded.count(folded) == 1 and folded not in others

    def free_name(self, *names: str) -> str | None:
        """Returns the first of the names that the definition does not know."""
        return next((name for name in names if fold(name) not in self.known), None)


def _element(name: str, node: Node, value: Any, attributes: str = "", **also: Any) -> Element:
    if value is None:
        return Element(name, node, None, attributes, is_plain=also.pop("is_plain", True), **also)
    if node.kind in ("union", "any"):
        return _of_option(name, node, value, attributes, also)
    mark = "" if also.pop("is_marked", False) else type_mark(node, value)
    made = Element(name, node, value, attributes + mark, **also)
    made.parts = _parts(node, value, made.is_plain)
    return made


def _of_option(name: str, node: Node, value: Any, attributes: str, also: dict[str, Any]) -> Element:
    """Returns a member of a union, or a value of any type, as `str` writes it."""
    also = {**also, "is_plain": False}
    if node.kind == "any":
        option = ANY_OPTIONS[type(value)]
        return _element(name, option, value, f"{attributes} type='{option.kind}'", is_marked=True, **also)
    chosen = match_union_option(node, value)
    assert chosen is not None
    option = node.options()[chosen]
    if option.kind == "dict" and not node.is_field_of_option(chosen):
        return Element(name, node, value, attributes, [_element(chosen, option, value, is_plain=False)], **also)
    if option.kind == "any":
        return _element(name, option, value, attributes, **also)
    return _element(name, option, value, f"{attributes} type='{chosen}'", is_marked=True, **also)


def _parts(node: Node, value: Any, is_plain: bool) -> list[Element] | None:
    if node.kind == "dict":
        named = [
            (name, node.fields[name].node if name in node.fields else Node("any"), held) for name, held in value.items()
        ]
        return [_field(name, inner, held, is_plain) for name, inner, held in named]
    if node.kind == "map":
        assert node.item is not None and node.key is not None
        keyed = [(f" key={attribute(key, is_key_placeholder(node.key, key))}", held) for key, held in value.items()]
        return [_element("entry", node.item, held, key, is_plain=is_plain) for key, held in keyed]
    if node.kind in ("list", "tuple"):
        inner_nodes = node.parts if node.kind == "tuple" else [node.item or Node("any")] * len(value)
        return [_element("li", inner, held, is_plain=is_plain) for inner, held in zip(inner_nodes, value, strict=True)]
    return None


def _field(name: str, node: Node, value: Any, is_plain: bool) -> Element:
    if not is_xml_name(name):
        return _element("entry", node, value, f" key={attribute(name)}", is_plain=is_plain)
    return _element(name, node, value, is_field=True, is_plain=is_plain)
