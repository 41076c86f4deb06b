"""The strict reader: lxml reads a well-formed answer, and values are taken from the reply's own characters.

lxml judges whether the answer is well-formed and gives its tree. Values come from the source between the
tags, because lxml decodes references before the layout rule could see them, and writes inner markup anew.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from lxml import etree

from ..definition import ITEM_NAMES, Field, Node, Path, Plan, fold
from ..findings import ProblemKind, RepairKind, Span
from ..limits import MAX_DEPTH
from ..markup import BLANK, NULL_WORDS
from .reading import LimitReachedError, Reading
from .scalars import read_scalar
from .text import value_of

__all__ = ["NotWellFormedError", "read_strictly"]

_MARKUP = re.compile(
    r"<(?:!--.*?--|!\[CDATA\[.*?\]\]|\?.*?\?|(/)?[^>\"'/]++(?:\"[^\"]*+\"[^>\"'/]*+|'[^']*+'[^>\"'/]*+|/(?!>))*+(/)?)>",
    re.S,
)


class NotWellFormedError(Exception):
    """lxml refused the answer. Never leaves the package: it becomes a problem."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.message = message
        self.offset = offset


class _Element(NamedTuple):
    """An element of lxml's tree, and where it stands in the reply: whole, and between its tags."""

    tag: str
    attributes: dict[str, str]
    span: Span
    inner: Span
    children: list[_Element]


def read_strictly(plan: Plan, reply: str, span: Span) -> Reading:
    """Reads the answer at `span`. Raises `NotWellFormedError` where lxml does, `LimitReachedError` past a bound."""
    tree = _parse(reply[span[0] : span[1]], span[0])
    reading = Reading(span)
    root = _locate(tree, reply, span)
    reader = _Reader(reply, reading)
    if fold(root.tag) == fold(plan.root_name) and root.tag != plan.root_name:
        reader.respelled(root, (), plan.root_name)
    reading.tree = reader.value(plan.root, root, ())
    return reading


def _parse(block: str, start: int) -> etree._Element:
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, recover=False)
    try:
        return etree.fromstring(block, parser)
    except etree.XMLSyntaxError as error:
        raise NotWellFormedError(_cause(error), start + _offset(block, error)) from error
    except (ValueError, UnicodeError) as error:
        raise NotWellFormedError(str(error), start) from error


def _cause(error: etree.XMLSyntaxError) -> str:
    """libxml2's message without the position, which is that in the block."""
    return re.sub(r", line \d+, column \d+.*", "", error.msg or "no element")


def _offset(block: str, error: etree.XMLSyntaxError) -> int:
    """The character that the error's line and column, which counts bytes of UTF-8, stand for."""
    line, column = error.position
    lines = block.splitlines(keepends=True) if "\r" in block else block.split("\n")
    ends = 0 if "\r" in block else 1
    before = sum(len(text) + ends for text in lines[: line - 1])
    text = lines[line - 1] if 0 < line <= len(lines) else ""
    return before + len(text.encode("utf-8", "replace")[: max(0, column - 1)].decode("utf-8", "ignore"))


def _locate(tree: etree._Element, reply: str, span: Span) -> _Element:
    """lxml's elements with their places. Its tree and the source's tags are in the same order, so they pair up."""
    stack: list[tuple[_Element, int]] = []
    elements = tree.iter(etree.Element)
    root: _Element | None = None
    for match in _MARKUP.finditer(reply, *span):
        start, end = match.span()
        if reply[start + 1] in "!?":
            continue
        if match[1]:
            element, inner_start = stack.pop()
            placed = element._replace(span=(element.span[0], end), inner=(inner_start, start))
        else:
            node = next(elements)
            element = _Element(str(node.tag), {str(k): str(v) for k, v in node.attrib.items()}, (start, end), (end, end), [])
            if not match[2]:
                stack.append((element, end))
                continue
            placed = element
        if stack:
            stack[-1][0].children.append(placed)
        else:
            root = placed
    assert root is not None
    return root


class _Reader:
    """Turns one tree of elements into a tree of texts, by the definition."""

    def __init__(self, reply: str, reading: Reading) -> None:
        self.reply = reply
        self.reading = reading

    def value(self, node: Node, element: _Element, path: Path) -> object:
        if len(path) > MAX_DEPTH:
            raise LimitReachedError(f"nested deeper than {MAX_DEPTH} levels (MAX_DEPTH)", element.span)
        self.reading.places[path] = element.inner if element.inner[0] < element.inner[1] else element.span
        read = _READERS.get(node.kind)
        if read is None:
            return self.scalar(node, element, path)
        if self.is_null(node, element, path):
            return None
        return read(self, node, element, path)

    def scalar(self, node: Node, element: _Element, path: Path) -> object:
        start, end = element.inner
        text = value_of(self.reply[start:end], lambda: self.indentation(element))
        for change in text.changes:
            self.reading.repair(change.kind, path, element.inner, change.before, change.after)
        scalar = read_scalar(node, text.raw, text.value, element.attributes.get("type"))
        if scalar.problem is not None:
            self.reading.problem(
                ProblemKind.INVALID, path, scalar.problem, self.reading.places[path], text.value, scalar.candidates
            )
            return text.value if node.kind == "str" else None
        if scalar.repair is not None:
            after = "null" if scalar.value is None else str(scalar.value)
            self.reading.repair(scalar.repair, path, element.inner, text.raw, after)
        return scalar.value

    def indentation(self, element: _Element) -> str:
        """The white space at the beginning of the line on which an element opens."""
        start = element.span[0]
        line = self.reply.rfind("\n", 0, start) + 1
        head = self.reply[line:start]
        return head[: len(head) - len(head.lstrip(" \t"))]

    def is_null(self, node: Node, element: _Element, path: Path) -> bool:
        """Whether a list or an object is null: marked so, or a null word where null is allowed."""
        if element.children:
            return False
        text = self.reply[slice(*element.inner)].strip(BLANK)
        if not text:
            return element.attributes.get("type") == "null"
        if node.nullable is not False and text.lower() in NULL_WORDS:
            self.reading.repair(RepairKind.NULL_WORD, path, element.inner, text, "null")
            return True
        return False

    def object(self, node: Node, element: _Element, path: Path) -> dict[str, object]:
        tree: dict[str, object] = {}
        seen: dict[str, _Element] = {}
        for child in self.members(node, element, path):
            field = self.field(node, child)
            if field is None:
                self.extra(node, child, tree, path)
            elif field.name in seen:
                self.duplicate(field, seen[field.name], child, (*path, field.name))
            else:
                seen[field.name] = child
                self.respelled(child, (*path, field.name), field.name)
                tree[field.name] = self.value(field.node, child, (*path, field.name))
        return tree

    def members(self, node: Node, element: _Element, path: Path) -> Iterator[_Element]:
        """The children of an object, with those of a wrapper in its place."""
        self.stray_text(element, path)
        for child in element.children:
            if self.field(node, child) is None and any(self.field(node, inner) for inner in child.children):
                self.reading.repair(RepairKind.WRAPPER_ENTERED, path, child.span, f"<{child.tag}>", "")
                yield from self.members(node, child, path)
            else:
                yield child

    def field(self, node: Node, element: _Element) -> Field | None:
        """The field that an element fills: by its exact name, by an entry's key, or by its folded name or alias."""
        name = element.attributes.get("key", element.tag) if element.tag == "entry" else element.tag
        return node.fields.get(name) or node.folded_fields().get(fold(name))

    def respelled(self, element: _Element, path: Path, name: str) -> None:
        written = element.attributes.get("key") if element.tag == "entry" and name != "entry" else element.tag
        if written != name:
            place = (element.span[0], element.inner[0])
            self.reading.repair(RepairKind.NAME_RESPELLED, path, place, str(written), name)

    def extra(self, node: Node, element: _Element, tree: dict[str, object], path: Path) -> None:
        """An element that the definition does not know: kept as text by models that allow extras, else skipped."""
        source = self.reply[slice(*element.span)]
        if node.keeps_extra and element.tag not in tree:
            tree[element.tag] = value_of(self.reply[slice(*element.inner)], lambda: self.indentation(element)).value
        else:
            self.reading.repair(RepairKind.ELEMENT_SKIPPED, path, element.span, source, source)

    def duplicate(self, field: Field, first: _Element, second: _Element, path: Path) -> None:
        """A field's second element: dropped if it says the same, else nobody can know which one was meant."""
        texts = [self.reply[slice(*element.inner)].strip(BLANK) for element in (first, second)]
        if texts[0] == texts[1]:
            self.reading.repair(RepairKind.DUPLICATE_DROPPED, path, second.span, texts[1], texts[1])
        else:
            message = f"<{field.name}> stands there twice, with different values"
            self.reading.problem(ProblemKind.AMBIGUOUS, path, message, second.span, texts[1], tuple(texts))

    def list(self, node: Node, element: _Element, path: Path) -> list[object]:
        assert node.item is not None
        names = _item_names(node.item, element)
        items = [child for child in element.children if fold(child.tag) in names]
        found = self.reply[slice(*element.inner)].strip(BLANK)
        if found and not items:
            message = "a list is written as <li> elements"
            self.reading.problem(ProblemKind.INVALID, path, message, element.inner, found)
            return []
        self.stray_text(element, path)
        for child in element.children if len(items) < len(element.children) else ():
            if fold(child.tag) not in names:
                source = self.reply[slice(*child.span)]
                self.reading.repair(RepairKind.ELEMENT_SKIPPED, path, child.span, source, source)
        return [self.value(node.item, child, (*path, index)) for index, child in enumerate(items)]

    def tuple(self, node: Node, element: _Element, path: Path) -> list[object]:
        self.stray_text(element, path)
        pairs = zip(node.parts, element.children, strict=False)
        return [self.value(part, child, (*path, index)) for index, (part, child) in enumerate(pairs)]

    def map(self, node: Node, element: _Element, path: Path) -> dict[str, object]:
        assert node.item is not None
        self.stray_text(element, path)
        tree: dict[str, object] = {}
        for child in element.children:
            key = child.attributes.get("key", child.tag)
            if key in tree:
                message = f"the key {key!r} stands there twice"
                self.reading.problem(ProblemKind.AMBIGUOUS, (*path, key), message, child.span)
            else:
                tree[key] = self.value(node.item, child, (*path, key))
        return tree

    def stray_text(self, element: _Element, path: Path) -> None:
        """Records the text that stands between an element's children, where no value can be."""
        position = element.inner[0]
        for start, end in [child.span for child in element.children] + [(element.inner[1], 0)]:
            text = self.reply[position:start]
            if text.strip(BLANK):
                text = _COMMENT.sub("", text).strip(BLANK)
                if text:
                    self.reading.repair(RepairKind.TEXT_SKIPPED, path, (position, start), text, text)
            position = end


def _item_names(item: Node, element: _Element) -> set[str]:
    """What an item of a list may be called: an item, the list's own name or its singular, the item's class."""
    own = fold(element.tag)
    return {*ITEM_NAMES, own, own.removesuffix("s"), fold(item.name or own)}


_COMMENT = re.compile(r"<!--.*?-->|<\?.*?\?>", re.S)

_READERS: dict[str, Callable[[_Reader, Node, _Element, Path], object]] = {
    "dict": _Reader.object,
    "list": _Reader.list,
    "tuple": _Reader.tuple,
    "map": _Reader.map,
}
