"""The prompt in XML: every field as the element that is to be filled, its type and constraints as attributes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from ..definition import (
    CONSTRAINTS,
    Field,
    Node,
    Plan,
    is_xml_name,
    key_placeholder,
    per_plan,
    placeholder,
    shape_key,
    shared_shapes,
)
from ..markup import attribute, escape_text

__all__ = ["xml_prompt"]

_INDENT = "    "


@per_plan
def xml_prompt(plan: Plan) -> str:
    """The prompt of a definition in XML, without a final line break."""
    writer = _Writer(plan.root)
    if plan.root.kind != "dict":
        return "\n".join(writer.element(plan.root_name, plan.root, "", True))
    inner = writer.inner(f"<{plan.root_name}>", plan.root, _INDENT)
    return "\n".join(_enclose(plan.root_name, "", inner, ""))


class _Writer:
    """Writes the elements of one prompt. A shape that repeats is written out once and named from then on."""

    def __init__(self, root: Node) -> None:
        self.repeating = shared_shapes(root)
        self.written: dict[int, str] = {}
        self.described: dict[int, str | None] = {}

    def fields(self, node: Node, indent: str) -> Iterator[str]:
        for field in node.fields.values():
            yield from self.field(field, indent)

    def field(self, field: Field, indent: str) -> Iterator[str]:
        return self.element(field.name, field.node, indent, field.required)

    def element(self, name: str, node: Node, indent: str, required: bool) -> Iterator[str]:
        attributes = {"type": node.kind, **self.attributes(node, required)}
        if node.is_text():
            tag, end = _tags(name, _spelt(attributes))
            return iter([f"{indent}{tag}{escape_text(placeholder(node))}{end}"])
        return _enclose(name, _spelt(attributes), self.inner(f"<{name}>", node, indent + _INDENT), indent)

    def attributes(self, node: Node, required: bool) -> dict[str, str]:
        """The attributes of an element; where a shape is only named again, its description is not repeated."""
        attributes = _attributes(node, required)
        key = shape_key(node)
        again = key in self.written and key in self.repeating
        if again and node.kind == "dict" and node.description == self.described.get(key):
            attributes.pop("description", None)
        self.described.setdefault(key, node.description)
        return attributes

    def inner(self, name: str, node: Node, indent: str) -> Iterator[str]:
        """What stands between the tags of a value that is written over several lines."""
        key = shape_key(node)
        if key in self.written and key in self.repeating:
            return iter([f"{indent}[the same elements as in {self.written[key]}]"])
        self.written.setdefault(key, name)
        return _INNER[node.kind](self, name, node, indent)

    def of_dict(self, name: str, node: Node, indent: str) -> Iterator[str]:
        return self.fields(node, indent)

    def of_list(self, name: str, node: Node, indent: str) -> Iterator[str]:
        assert node.item is not None
        yield from self.item(name, node.item, indent, {"index": "0"})
        yield f"{indent}..."

    def of_tuple(self, name: str, node: Node, indent: str) -> Iterator[str]:
        """All items are written out, so texts stand in one line each: the form of a list is not repeated for them."""
        for index, part in enumerate(node.parts):
            kind = {"index": str(index), "type": part.kind}
            if part.is_text():
                tag, end = _tags("li", _spelt({**kind, **self.attributes(part, True)}))
                yield f"{indent}{tag}{escape_text(placeholder(part))}{end}"
            else:
                yield from self.item(name, part, indent, kind)

    def of_map(self, name: str, node: Node, indent: str) -> Iterator[str]:
        assert node.item is not None and node.key is not None
        yield from self.item(name, node.item, indent, {"key": key_placeholder(node.key)}, "entry")
        yield f"{indent}..."

    def of_union(self, name: str, node: Node, indent: str) -> Iterator[str]:
        for number, (option, part) in enumerate(node.options().items()):
            if number:
                yield f"{indent}or"
            yield from self.element(option, part, indent, True)

    def item(self, name: str, node: Node, indent: str, first: dict[str, str], tag: str = "li") -> Iterator[str]:
        """One item: its own line for a scalar's text, so that the list's form is seen."""
        attributes = {**first, **self.attributes(node, True)}
        inner = indent + _INDENT
        if node.is_text():
            lines = iter([inner + escape_text(placeholder(node))])
        else:
            lines = self.inner(f"an item of {name}", node, inner)
        return _enclose(tag, _spelt(attributes), lines, indent)


_INNER: dict[str, Callable[[_Writer, str, Node, str], Iterator[str]]] = {
    "dict": _Writer.of_dict,
    "list": _Writer.of_list,
    "tuple": _Writer.of_tuple,
    "map": _Writer.of_map,
    "union": _Writer.of_union,
}


def _attributes(node: Node, required: bool) -> dict[str, str]:
    """The attributes behind `type`, in their order: elements or choices, description, required, constraints."""
    attributes: dict[str, str] = {}
    if node.key is not None:
        attributes["keys"] = node.key.kind
    if node.item is not None:
        attributes["elements"] = node.item.kind
    if node.kind == "enum":
        attributes["choices"] = _choices(node.choices)
    if node.kind == "union" and node.is_text():
        attributes["options"] = _choices(tuple(node.options()))
    if node.description is not None and not node.is_text():
        attributes["description"] = node.description
    if not required:
        attributes["required"] = "false"
    shown = {CONSTRAINTS[name]: str(node.constraints[name]) for name in CONSTRAINTS if name in node.constraints}
    return {**attributes, **shown}


def _choices(choices: tuple[Any, ...]) -> str:
    return json.dumps(choices, ensure_ascii=False)


def _spelt(attributes: dict[str, str]) -> str:
    return "".join(f" {name}={attribute(value)}" for name, value in attributes.items())


def _tags(name: str, spelt: str) -> tuple[str, str]:
    """The opening and the closing tag of a field; a name that is no XML name is the key of an entry."""
    if is_xml_name(name):
        return f"<{name}{spelt}>", f"</{name}>"
    return f"<entry key={attribute(name)}{spelt}>", "</entry>"


def _enclose(name: str, spelt: str, lines: Iterator[str], indent: str) -> Iterator[str]:
    tag, end = _tags(name, spelt)
    yield indent + tag
    yield from lines
    yield indent + end
