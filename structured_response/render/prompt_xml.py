"""The prompt in XML: every field as an element to fill, with its type and constraints as attributes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import groupby
from typing import Any, TypeAlias

from ..definition import CONSTRAINTS, Node, Plan, choice_text, is_xml_name, per_plan, shape_key, shared_shapes
from ..escaping import attribute, escape_text
from .placeholder import key_placeholder, placeholder, same_elements

__all__ = ["xml_prompt"]

MAX_SAME_LINES = 5
"""Lines that a prompt with named shapes repeats verbatim. Past it, places refer to the first one that shows them."""

_INDENT = "    "


Place: TypeAlias = tuple[str, ...]
"""The place of a value: its element and those around it, up to the root, each in words."""

Inner: TypeAlias = "Iterator[str] | str"
"""The lines between two tags, or a text on the line of the tags."""


@per_plan
def xml_prompt(plan: Plan) -> str:
    """Returns the prompt of a definition in XML, without a final line break."""
    writer = _Writer(plan.root)
    lines = list(writer.whole(plan))
    if writer.repeating:  # the labels of places are known once all places were seen
        lines = list(_Writer(plan.root, _Labels(writer.places)).whole(plan))
    return "\n".join(lines)


class _Labels:
    """Names for places, as short as possible while distinct from places that show something else.

    `places` maps each place to the first that shows the same, or to one that leads there.
    """

    def __init__(self, places: dict[Place, Place]) -> None:
        self.meant: dict[Place, set[Place]] = {}
        for place in places:
            first = place
            while first != places[first]:
                first = places[first]
            for part in _parts(place):
                self.meant.setdefault(part, set()).add(first)

    def __call__(self, place: Place) -> str:
        unique = next((part for part in _parts(place) if len(self.meant[part]) == 1), None)
        return " in ".join(unique) if unique else f"the outermost {place[0]}"


def _parts(place: Place) -> Iterator[Place]:
    return (place[:length] for length in range(1, len(place) + 1))


class _Writer:
    """Writes the elements of one prompt.

    A repeated shape is written out once and named from then on. If there are any, long lists, unions and so on that
    would be repeated verbatim are named too.
    """

    def __init__(self, root: Node, label: Callable[[Place], str] = " in ".join) -> None:
        self.repeating = shared_shapes(root)
        self.label = label
        self.written: dict[int, Place] = {}
        self.described: dict[int, str | None] = {}
        self.places: dict[Place, Place] = {}
        self.blocks: dict[tuple[str, ...], Place] = {}

    def whole(self, plan: Plan) -> Iterator[str]:
        if plan.root.kind != "dict":
            return self.element(plan.root_name, plan.root, "", True, ())
        inner = self.inner((plan.root_name,), plan.root, _INDENT)
        return _enclose(plan.root_name, "", inner, "")

    def element(self, name: str, node: Node, indent: str, required: bool, around: Place) -> Iterator[str]:
        attributes = {"type": node.kind, **self.attributes(node, required)}
        if node.is_text():
            tag, end = _tags(name, _spelt(attributes))
            return iter([f"{indent}{tag}{escape_text(placeholder(node))}{end}"])
        inner = self.inner((_in_words(name), *around), node, indent + _INDENT)
        return _enclose(name, _spelt(attributes), inner, indent)

    def attributes(self, node: Node, required: bool) -> dict[str, str]:
        """Returns the attributes of an element. If its shape is only named again, its description is not repeated."""
        attributes = _attributes(node, required)
        key = shape_key(node)
        again = key in self.written and key in self.repeating
        if again and node.kind == "dict" and node.description == self.described.get(key):
            attributes.pop("description", None)
        self.described.setdefault(key, node.description)
        return attributes

    def inner(self, place: Place, node: Node, indent: str) -> Inner:
        """Returns the content of a value that takes several lines, or that was shown before."""
        key = shape_key(node)
        if key in self.written and key in self.repeating:
            self.places[place] = self.written[key]
            return self.named(self.written[key])
        sizes = [len(seen) for seen in self.seen()]
        self.written.setdefault(key, place)
        lines = _INNER[node.kind](self, place, node, indent)
        return self.unless_known(place, lines, indent, sizes) if self.repeating else lines

    def named(self, place: Place) -> str:
        return same_elements(self.label(place))

    def seen(self) -> tuple[dict[Any, Any], ...]:
        """Returns the facts about the lines written so far, each in the order of discovery."""
        return self.written, self.described, self.places, self.blocks

    def unless_known(self, place: Place, lines: Iterator[str], indent: str, sizes: list[int]) -> Inner:
        """Returns the lines, or the name of another place with the same lines if there are many. Notes on replaced
        lines are removed.
        """
        block = tuple(line[len(indent) :] for line in lines)
        first = self.blocks.setdefault(block, place)
        if first == place or len(block) <= MAX_SAME_LINES:
            self.places[place] = first
            return (indent + line for line in block)
        for seen, size in zip(self.seen(), sizes, strict=True):
            while len(seen) > size:
                seen.popitem()
        self.places[place] = first
        return self.named(first)

    def of_dict(self, place: Place, node: Node, indent: str) -> Iterator[str]:
        for field in node.fields.values():
            yield from self.element(field.name, field.node, indent, field.required, place)

    def of_list(self, place: Place, node: Node, indent: str) -> Iterator[str]:
        assert node.item is not None
        yield from self.item(place, node.item, indent, {"index": "0"})
        yield f"{indent}..."

    def of_tuple(self, place: Place, node: Node, indent: str) -> Iterator[str]:
        """Writes out all items. Their texts take one line each, since they do not repeat the form of a list."""
        for index, part in enumerate(node.parts):
            kind = {"index": str(index), "type": part.kind}
            if part.is_text():
                tag, end = _tags("li", _spelt({**kind, **self.attributes(part, True)}))
                yield f"{indent}{tag}{escape_text(placeholder(part))}{end}"
            else:
                yield from self.item(place, part, indent, kind, which=f"item {index}")

    def of_map(self, place: Place, node: Node, indent: str) -> Iterator[str]:
        assert node.item is not None and node.key is not None
        yield from self.item(place, node.item, indent, {"key": key_placeholder(node.key)}, "entry")
        yield f"{indent}..."

    def of_union(self, place: Place, node: Node, indent: str) -> Iterator[str]:
        """Writes the options below each other, and texts side by side."""
        blocks: list[list[str]] = []
        for is_text, options in groupby(node.options().items(), lambda option: option[1].is_text()):
            shown = [list(self.element(name, part, indent, True, place)) for name, part in options]
            blocks += [[indent + " or ".join(line[len(indent) :] for (line,) in shown)]] if is_text else shown
        for number, block in enumerate(blocks):
            yield from [f"{indent}or"] if number else []
            yield from block

    def item(
        self, place: Place, node: Node, indent: str, first: dict[str, str], tag: str = "li", which: str = "an item"
    ) -> Iterator[str]:
        """Writes one item. A scalar's text has its own line, which shows the form of the list."""
        attributes = {**first, **self.attributes(node, True)}
        inner = indent + _INDENT
        if node.is_text():
            lines: Inner = iter([inner + escape_text(placeholder(node))])
        else:
            lines = self.inner((f"{which} of {place[0]}", *place[1:]), node, inner)
        return _enclose(tag, _spelt(attributes), lines, indent)


_INNER: dict[str, Callable[[_Writer, Place, Node, str], Iterator[str]]] = {
    "dict": _Writer.of_dict,
    "list": _Writer.of_list,
    "tuple": _Writer.of_tuple,
    "map": _Writer.of_map,
    "union": _Writer.of_union,
}


def _attributes(node: Node, required: bool) -> dict[str, str]:
    """Returns the attributes behind `type`, in their order: elements or choices, description, required, constraints."""
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
    shown = {CONSTRAINTS[name]: choice_text(node.constraints[name]) for name in CONSTRAINTS if name in node.constraints}
    return {**attributes, **shown}


def _choices(choices: tuple[Any, ...]) -> str:
    return json.dumps(choices, ensure_ascii=False)


def _spelt(attributes: dict[str, str]) -> str:
    return "".join(f" {name}={attribute(value)}" for name, value in attributes.items())


def _tags(name: str, spelt: str) -> tuple[str, str]:
    """Returns the opening and the closing tag of a field. A name that is invalid in XML becomes the key of an entry."""
    if is_xml_name(name):
        return f"<{name}{spelt}>", f"</{name}>"
    return f"<entry key={attribute(name)}{spelt}>", "</entry>"


def _in_words(name: str) -> str:
    """Returns the name of a field for texts. It has no brackets, since the text may be echoed."""
    return name if is_xml_name(name) else f"entry {attribute(name)}"


def _enclose(name: str, spelt: str, inner: Inner, indent: str) -> Iterator[str]:
    tag, end = _tags(name, spelt)
    if isinstance(inner, str):
        yield indent + tag + inner + end
        return
    yield indent + tag
    yield from inner
    yield indent + end
