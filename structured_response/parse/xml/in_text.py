"""Lists, objects, maps and tuples that are written as text: JSON, lines, or what commas separate."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from ...definition import Node, Path, names_a_place
from ...findings import ProblemKind, RepairKind
from ...markup import BLANK, NULL_WORDS
from ..data.formats import read_inner, read_literal, read_unopened
from ..data.layers import in_element
from ..lines.split_entries import split_fields, split_pairs
from ..lines.split_items import are_escaped_items, split_items
from ..lines.split_objects import name_in, split_objects
from ..lines.split_text import Piece, is_bracketed, is_quoted_row
from ..lines.split_tuple import split_parts
from ..lines.tables import is_html_table
from ..lines.verdicts import CUT_SHORT
from ..reading import Reading
from ..scalars.loose import bare
from ..scalars.scalars import own_name, read_scalar
from ..scalars.text import Text, without_comments
from .elements import ITEM, Element
from .in_tags import TagReader
from .tokens import OTHER, Head

__all__ = ["TextReader", "part_of", "unfenced"]

_REFERENCE_END = re.compile(r"(?<=&)([A-Za-z#][A-Za-z0-9]{0,31}+);")
_MASK = "\\1\0"
"""In place of the semicolon of a reference, which separates nothing."""
_PART = Head(OTHER)
_LONE_RETURN = re.compile(r"\r(?!\n)")
"""A line end, as old programs write it."""
_NAMELESS = re.compile(r"[\w \t.,;!?'\"-]*+")
"""A line without any sign that stands between a name and a value: no object."""
_HOLDS_ANY = re.compile(r"[{(\\&<]")
"""Signs of objects that may have no names, of names in other characters, and of tags, which may be deep."""
_ENDED_ITEM = re.compile(r"\"\s*+[,}\]]")
_FENCED = re.compile(r"\s*+(`{3,}|~{3,})[^\n`]*+\n(.*?)\n?(?<![ \t])[ \t]*+\1\s*+", re.DOTALL)
_CODE = re.compile(r"\s*+(`{1,2}+)([\[{].*[\]}])\1\s*+", re.DOTALL)
_BRACKETED = re.compile(
    r"(\s*+(?:[\w -]{1,40}+[:=]\s*+)?+)(\[\s*+[\"'\u201c].*\])(\s*+(?:\([^()\n]{1,80}+\)[.,;]?+|[.,;])?+\s*+)",
    re.DOTALL,
)
_AROUND = re.compile(r"[ \t]*+([`*_]{1,3}+)[ \t]*+\r?\n(.*\n)[ \t]*+\1[ \t]*+", re.DOTALL)


class TextReader(TagReader, ABC):
    """Reads a text where elements should stand."""

    @abstractmethod
    def value(self, node: Node, element: Element, path: Path) -> object:
        """The value of an element."""

    def from_text(self, node: Node, element: Element, path: Path, form: str, empty: Any) -> Any:
        """The value of an element that should hold elements and holds a text: JSON, lines, or what commas separate.
        What is escaped in it is written back first.
        """
        start, source = self.within_dropped(element)
        layer = None if self.is_plain else in_element(self.reply, (start, start + len(source)))
        if layer is None or (node.item is not None and are_escaped_items(source, node.item)):
            return self.from_plain(node, source, start, path, form, empty)
        behind = int(element.inner_end < self.reading.span[1])  # the reply goes on
        inner = type(self)(layer.text, Reading((0, len(layer.text) + behind), self.reading.mends), is_plain=True)
        inner.places[path] = (0, len(layer.text))
        tree = inner.from_plain(node, layer.text, 0, path, form, empty)
        self.reading.take(inner.reading, layer.span)
        return tree

    def from_plain(self, node: Node, source: str, begin: int, path: Path, form: str, empty: Any) -> Any:
        """The same of a text that stands at `begin`."""
        start, text = unfenced(_LONE_RETURN.sub("\n", source) if "\r" in source else source, begin)
        if node.kind == "list" and "]" in text:
            start, text = self.in_brackets(text, start, path)
        found = text.strip(BLANK) if self.is_plain else without_comments(text)
        if not found:
            return empty
        is_left_over = names_a_place(found)
        tree = None if is_left_over else self.tree_of(node, text, found, start, path)
        if tree is None:
            message = "the prompt's placeholder was left in place of a value" if is_left_over else form
            self.reading.problem(ProblemKind.INVALID, path, message, self.places[path], found)
            return None if node.kind == "dict" else empty
        return tree

    def tree_of(self, node: Node, text: str, found: str, start: int, path: Path) -> Any:
        """What a text says, None if it cannot be read; `found` is the text without comments."""
        if node.kind == "dict" and not _may_be_object(node, found):
            return None
        item = node.item
        if node.kind == "list" and item is not None and item.kind == "dict":
            pieces = split_objects(text, item)
            if pieces:
                return self.pieces(RepairKind.TEXT_SPLIT, item, pieces, text, start, path)
        if (
            (found[0] in "{[|" and not (node.kind == "list" and is_quoted_row(found)))
            or is_html_table(found)
            or node.kind == "dict"
            or (item is not None and not item.is_text())
        ):
            tree = read_inner(node, text, start, path, self.reading)
            if tree is None and found[0] != "(":  # of a tuple alone nobody knows whether it is an item
                tree = read_literal(node, text, start, path, self.reading)
            if tree is not None or (node.kind != "dict" and _is_broken_json(found)):
                return tree
        elif found[0] in "\"'":
            tree = read_unopened(node, text, start, path, self.reading)
            if tree is not None:
                return tree
        return _SPLIT[node.kind](self, node, text, start, path) if node.kind in _SPLIT else None

    def in_brackets(self, text: str, start: int, path: Path) -> tuple[int, str]:
        """A list in brackets without its label and a remark on it, where the brackets are clearly its own, for its
        first item begins with a quote: `tags: ["a", "b"] (2 tags)`.
        """
        match = _BRACKETED.fullmatch(text)
        if match is None or not is_bracketed(Piece(match[2], 0, len(match[2]))):
            return start, text
        for group in (1, 3):
            if match[group].strip():
                self.stray(start + match.start(group), start + match.end(group), path)
        return start + match.start(2), match[2]

    def split_list(self, node: Node, text: str, start: int, path: Path) -> list[object] | None:
        assert node.item is not None
        if bare(text).rstrip(" .").lower() in NULL_WORDS and node.item.is_text():
            found = (text.strip(BLANK), "an empty list")
            message = "a word for no value, which could be an item or say that there is none"
            self.reading.problem(ProblemKind.AMBIGUOUS, path, message, self.places[path], text, found)
            return []
        items = split_items(_REFERENCE_END.sub(_MASK, text) if "&" in text else text, node.item)
        if items.candidates:
            message = "could be more than one list"
            self.reading.problem(ProblemKind.AMBIGUOUS, path, message, self.places[path], text, items.candidates)
            return []
        if not node.item.is_text() and node.item.kind not in ("dict", "map", "list", "tuple"):
            return None
        if items.is_cut_short:
            self.reading.problem(ProblemKind.INVALID, path, CUT_SHORT, self.places[path], text)
        kind = RepairKind.SHAPE_CHANGED if items.how == "whole" else RepairKind.TEXT_SPLIT
        end = items.items[-1].end if items.items else len(text)
        if items.how in ("bullets", "numbers") and any(map(str.isalnum, text[end:])):
            self.stray(start + end, start + len(text), path)
        return self.pieces(kind, node.item, items.items, text, start, path)

    def pieces(
        self, kind: RepairKind, item: Node, pieces: list[Piece], text: str, start: int, path: Path
    ) -> list[object]:
        """The values of the parts of a text that are the items of a list."""
        self.split(kind, path, start, text, pieces)
        return [self.piece(item, piece, start, (*path, index)) for index, piece in enumerate(pieces)]

    def split_map(self, node: Node, text: str, start: int, path: Path) -> dict[str, object] | None:
        assert node.item is not None and node.key is not None
        pairs = split_pairs(text, node.item)
        if pairs is None:
            return None
        self.split(RepairKind.TEXT_SPLIT, path, start, text, [entry.value for entry in pairs.entries])
        tree: dict[str, object] = {}
        keys: dict[object, str] = {}
        for entry in pairs.entries:
            span = (start + entry.key.start, start + entry.key.end)
            key = self.key(node, keys, Text(entry.name, entry.name), span, path, source=entry.value.text)
            if key is not None:
                tree[key] = self.piece(node.item, entry.value, start, (*path, key))
        return tree

    def split_tuple(self, node: Node, text: str, start: int, path: Path) -> list[object] | None:
        """The items between commas, if there is one for each part: else nobody knows which is missing."""
        pieces = split_parts(text, node.parts)
        if pieces is None:
            return None
        self.split(RepairKind.TEXT_SPLIT, path, start, text, pieces)
        pairs = zip(node.parts, pieces, strict=True)
        return [self.piece(part, piece, start, (*path, index)) for index, (part, piece) in enumerate(pairs)]

    def split_object(self, node: Node, text: str, start: int, path: Path) -> dict[str, object] | None:
        fields = split_fields(text, name_in(node))
        if fields is None:
            return None
        self.split(RepairKind.TEXT_SPLIT, path, start, text, [entry.value for entry in fields.entries])
        for piece in fields.skipped:
            self.stray(start + piece.start, start + piece.end, path)
        return {
            entry.name: self.piece(node.fields[entry.name].node, entry.value, start, (*path, entry.name))
            for entry in fields.entries
        }

    def split(self, kind: RepairKind, path: Path, start: int, text: str, pieces: list[Piece]) -> None:
        after = " | ".join(piece.text if piece.is_decoded else text[piece.start : piece.end] for piece in pieces)
        self.reading.repair(kind, path, (start, start + len(text)), text.strip(BLANK), after)

    def piece(self, node: Node, piece: Piece, start: int, path: Path) -> object:
        """The value of a part of a text."""
        if piece.is_decoded and node.is_text():
            self.places[path] = (start + piece.start, start + piece.end)
            text = Text(piece.text, piece.text)
            return self.found(node, text, read_scalar(node, piece.text, piece.text, "str", own_name(path)), path)
        return self.value(node, part_of(piece, start), path)


def part_of(piece: Piece, start: int) -> Element:
    """A part of a text that begins at `start` as an element."""
    element = Element(_PART, ITEM, "", start + piece.start, start + piece.start)
    element.inner_end = element.end = start + piece.end
    return element


def _is_broken_json(text: str) -> bool:
    """Whether a text stands in brackets and has quotes that end items: JSON, so no lines, even if it cannot be read."""
    return text[0] in "[{" and text[-1] in "]}" and _ENDED_ITEM.search(text) is not None


def _may_be_object(node: Node, text: str) -> bool:
    """Whether a text may be an object: it has one of its names, with a sign behind it."""
    if _NAMELESS.fullmatch(text):
        return False
    return _HOLDS_ANY.search(text) is not None or node.is_named_in(text)


def unfenced(text: str, start: int) -> tuple[int, str]:
    """A text without the fence or backticks around it, or the ends of what decorates its tags, and where it starts."""
    match = _FENCED.fullmatch(text) or _AROUND.fullmatch(text) or _CODE.fullmatch(text)
    return (start + match.start(2), match[2]) if match else (start, text)


_SPLIT: dict[str, Callable[[TextReader, Node, str, int, Path], Any]] = {
    "list": TextReader.split_list,
    "map": TextReader.split_map,
    "dict": TextReader.split_object,
    "tuple": TextReader.split_tuple,
}
"""What tells the parts of a text apart."""
