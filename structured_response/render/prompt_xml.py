"""The prompt in XML: every field as an element to fill, with its type and constraints as attributes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import groupby
from typing import TypeAlias

from ..definition import CONSTRAINTS, Node, Plan, choice_text, is_xml_name, per_plan, shape_key
from ..escaping import attribute, escape_text
from .placeholder import key_placeholder, placeholder, same_elements

_INDENT = "    "


Place: TypeAlias = tuple[str, ...]
"""The place of a value: its element and those around it, up to the root, each in words."""


@per_plan
def xml_prompt(plan: Plan) -> str:
    return _written(plan, lambda writer: writer.whole(plan))


@per_plan
def xml_call(plan: Plan) -> str:
    """Returns the form of a call: `<call tool='name'>` around the arguments of the plan's tool."""
    tool = {"tool": plan.class_name}
    return _written(plan, lambda writer: writer.tagged("call", tool, plan.root, "", ("call",)))


def _written(plan: Plan, write: Callable[[_Writer], Iterator[str]]) -> str:
    writer = _Writer(plan)
    lines = list(write(writer))
    if writer.repeating:  # the labels of places are known once all places were seen
        lines = list(write(_Writer(plan, _labels(writer.places))))
    return "\n".join(lines)


def _labels(places: dict[Place, Place]) -> Callable[[Place], str]:
    """Returns a function from places to short distinct names. `places` maps each to the first that shows the same."""
    meant: dict[Place, set[Place]] = {}
    for place, first in places.items():
        for part in _parts(place):
            meant.setdefault(part, set()).add(first)

    def label(place: Place) -> str:
        unique = next((part for part in _parts(place) if len(meant[part]) == 1), None)
        return " in ".join(unique) if unique else f"the outermost {place[0]}"

    return label


def _parts(place: Place) -> Iterator[Place]:
    return (place[:length] for length in range(1, len(place) + 1))


class _Writer:
    """Writes one prompt. A repeated shape is written once and named from then on."""

    def __init__(self, plan: Plan, label: Callable[[Place], str] = " in ".join) -> None:
        self.repeating = plan.shapes
        self.label = label
        self.written: dict[int, Place] = {}
        self.described: dict[int, str | None] = {}
        self.places: dict[Place, Place] = {}

    def whole(self, plan: Plan) -> Iterator[str]:
        if plan.root.kind != "dict":
            return self.element(plan.root_name, plan.root, "", True, ())
        return self.tagged(plan.root_name, {}, plan.root, "", (plan.root_name,))

    def element(self, name: str, node: Node, indent: str, required: bool, around: Place) -> Iterator[str]:
        place = (name if is_xml_name(name) else f"entry {attribute(name)}", *around)  # no brackets: it may be echoed
        return self.tagged(name, {"type": node.kind, **self.attributes(node, required)}, node, indent, place)

    def tagged(
        self, name: str, attributes: dict[str, str], node: Node, indent: str, place: Place, own_line: bool = False
    ) -> Iterator[str]:
        """Writes the tags and the content of a value. An invalid XML name becomes the key of an entry."""
        tag = name if is_xml_name(name) else "entry"
        spelt = "".join(f" {key}={attribute(value)}" for key, value in attributes.items())
        key = "" if tag == name else f" key={attribute(name)}"
        inner = escape_text(placeholder(node)) if node.is_text() else self.inner(place, node, indent + _INDENT)
        if isinstance(inner, str) and not own_line:
            yield f"{indent}<{tag}{key}{spelt}>{inner}</{tag}>"
        else:
            yield f"{indent}<{tag}{key}{spelt}>"
            yield from [indent + _INDENT + inner] if isinstance(inner, str) else inner
            yield f"{indent}</{tag}>"

    def attributes(self, node: Node, required: bool) -> dict[str, str]:
        """Returns the attributes of an element. If its shape is only named again, its description is not repeated."""
        attributes: dict[str, str] = {}
        if node.key is not None:
            attributes["keys"] = node.key.kind
        if node.item is not None:
            attributes["elements"] = node.item.kind
        if node.kind == "enum":
            attributes["choices"] = json.dumps(node.choices, ensure_ascii=False)
        if node.kind == "union" and node.is_text():
            attributes["options"] = json.dumps(list(node.options()), ensure_ascii=False)
        if node.description is not None and not node.is_text():
            attributes["description"] = node.description
        if not required:
            attributes["required"] = "false"
        attributes |= {CONSTRAINTS[name]: choice_text(bound) for name, bound in node.constraints.items()}
        key = shape_key(node)
        again = key in self.written and key in self.repeating
        if again and node.kind == "dict" and node.description == self.described.get(key):
            attributes.pop("description", None)
        self.described.setdefault(key, node.description)
        return attributes

    def inner(self, place: Place, node: Node, indent: str) -> Iterator[str] | str:
        """Returns the lines of a value, or the text in their place if its shape was shown before."""
        key = shape_key(node)
        if key in self.written and key in self.repeating:
            self.places[place] = self.written[key]
            return same_elements(self.label(self.written[key]))
        self.written.setdefault(key, place)
        lines: Iterator[str] = getattr(self, f"of_{node.kind}")(place, node, indent)
        self.places[place] = place
        return lines

    def of_dict(self, place: Place, node: Node, indent: str) -> Iterator[str]:
        for field in node.fields.values():
            yield from self.element(field.name, field.node, indent, field.required, place)

    def of_list(self, place: Place, node: Node, indent: str) -> Iterator[str]:
        """Writes one item. A scalar's text has its own line, which shows the form of the list."""
        assert node.item is not None
        tag = "li" if node.key is None else "entry"
        first = {"index": "0"} if node.key is None else {"key": key_placeholder(node.key)}
        attributes = {**first, **self.attributes(node.item, True)}
        inner = (f"an item of {place[0]}", *place[1:])
        yield from self.tagged(tag, attributes, node.item, indent, inner, own_line=node.item.is_text())
        yield f"{indent}..."

    of_map = of_list

    def of_tuple(self, place: Place, node: Node, indent: str) -> Iterator[str]:
        """Writes out all items. Their texts take one line each, since they do not repeat the form of a list."""
        for index, part in enumerate(node.parts):
            attributes = {"index": str(index), "type": part.kind, **self.attributes(part, True)}
            yield from self.tagged("li", attributes, part, indent, (f"item {index} of {place[0]}", *place[1:]))

    def of_union(self, place: Place, node: Node, indent: str) -> Iterator[str]:
        blocks: list[list[str]] = []
        for is_text, options in groupby(node.options().items(), lambda option: option[1].is_text()):
            shown = [list(self.element(name, part, indent, True, place)) for name, part in options]
            blocks += [[indent + " or ".join(line[len(indent) :] for (line,) in shown)]] if is_text else shown
        for number, block in enumerate(blocks):
            yield from [f"{indent}or"] if number else []
            yield from block
