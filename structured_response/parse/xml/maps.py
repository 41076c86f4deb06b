"""Maps: which elements are their entries, and which part of an entry is its key and which its value.

* A key stands in an attribute of the entry (`key`, else `name` or `id`), in an element of its own, in front of the
  value, or is the tag itself. What the value's own fields are called is the value's first: `name` is the key of an
  object with a name only where the object has that in an element.
* A tag that is that of an item, or, where all entries have it, the map's singular or the value's class, is no key.
* The value is what stands behind the key: an element, whatever it is called, or a text. In an entry with nothing in
  it, the one attribute beside the key is the value.
"""

from __future__ import annotations

import re
from abc import ABC
from collections.abc import Iterator
from typing import NamedTuple

from ...definition import ITEM_NAMES, Node, Path
from ...findings import ProblemKind, RepairKind
from ...markup import BLANK
from ..lines.split_entries import split_pairs
from ..lines.tables import is_html_table
from ..scalars.text import Text, decode
from .elements import ENTRY, FIELD, PAIR, PAIR_KEYS, PAIR_VALUES, Element
from .in_tags import has_key, key_attribute
from .lost import LossReader
from .runs import Run
from .shape import entry_names
from .sieve import SHOWN
from .tokens import OTHER, Head, attributes, raw_attributes

__all__ = ["MapReader"]

_QUOTED_KEY = re.compile(r"\bkey\s*+=\s*+(?:\"[^\"]*+\"|'[^']*+')(?=[\s/,]|\Z)")
_WHOLE_KEY = re.compile(r"key\s*+=\s*+(?:([\"'])([^=]*)\1|([^\s\"'=\u201c][^\"'=]*+))\s*+")
"""A key that is all there is in a tag: with its own quotes in it, or with blanks and no quotes around it."""
_WORDS = re.compile(r"[\w.-]++(?:[ \t]++[\w.-]++)*+")
_BREAK = re.compile(r"<br\s*+/?>", re.IGNORECASE)
_EMPHASIS = re.compile(r"(^[ \t\r\n]*+<(b|strong|i|em|u|code)>)([^<\n]++)(</\2>)", re.IGNORECASE | re.MULTILINE)
_SIGN = re.compile(r"[ \t]*+(?:->|=>|[:=\u2013\u2014-][ \t])")
_FORM = "a map is written as <entry> elements"


class _Entry(NamedTuple):
    """An entry: the element with its tag, that of its value, None where several could be that, and its key, None where
    that is the tag itself.
    """

    element: Element
    value: Element | None
    key: Text | None


class MapReader(LossReader, ABC):
    """Reads the maps of an answer."""

    def of_map(self, node: Node, element: Element, path: Path) -> dict[str, object]:
        assert node.item is not None and node.key is not None
        if element.role is FIELD and self.is_one_entry(element):
            return self.joined_map(node, [element], path)
        if not element.children:
            if element.head.rest and node.item.is_text() and not self.source(element).strip(BLANK):
                return self.of_attributes(node, element, path)
            made: dict[str, object] = self.from_text(node, element, path, _FORM, {})
            return made
        lines = self.in_lines(element)
        if lines is not None:
            read: dict[str, object] = self.from_plain(node, lines, element.inner_start, path, _FORM, {})
            return read
        tree = self.of_entries(node, element, path)
        self.lost_items(element, path)
        return tree

    def of_entries(self, node: Node, element: Element, path: Path) -> dict[str, object]:
        """A map of elements."""
        self.stray_text(element, path)
        self.lost_entries(element, path)
        tree: dict[str, object] = {}
        keys: dict[object, str] = {}
        runs = [child for child in element.children if isinstance(child, Run)]
        if runs:
            self.reading.runs[path] = [(0, run) for run in runs]
        own = path[-1] if path and isinstance(path[-1], str) else element.head.tag
        nameless = _nameless(node, element, own)
        tags = [child.head.key for child in element.children]
        is_one_tag = len(set(tags)) == 1 < len(tags)  # which may be a key for each, as a last resort
        for entry in self.entries(node, element, keys):
            if isinstance(entry.element, Run):
                values = entry.element.values
                tree.update(values)
                keys.update((key, value if isinstance(value, str) else "") for key, value in values.items())
            else:
                is_split = is_one_tag and entry.key is None and self.pair(node, keys, entry.element, tree, path)
                if not is_split:
                    self.entry(node, entry, nameless, keys, tree, path)
        return tree

    def entry(
        self,
        node: Node,
        entry: _Entry,
        nameless: frozenset[str],
        keys: dict[object, str],
        tree: dict[str, object],
        path: Path,
    ) -> None:
        """Puts the value of an entry into a tree."""
        child, value, written = entry
        assert node.item is not None
        head = (child.start, child.inner_start)
        if written is None and child.head.key in nameless:
            if not self.pair(node, keys, child, tree, path):
                self.reading.problem(ProblemKind.INVALID, path, f"<{child.head.tag}> has no key", head)
            return
        as_asked = _QUOTED_KEY.search(child.head.rest) is not None
        source = "" if value is None else self.source(value).strip(BLANK)
        key = self.key(node, keys, written or _tag_as_key(child), head, path, as_asked, source)
        if key is not None and value is not None:
            tree[key] = self.value(node.item, value, (*path, key))
        elif key is not None:
            parts = tuple(self.source(part).strip(BLANK) for part in child.children)
            message = "a key and more than one value"
            self.reading.problem(ProblemKind.AMBIGUOUS, (*path, key), message, (child.start, child.end), "", parts)

    def in_lines(self, element: Element) -> str | None:
        """The text of a map whose elements are none of its entries: a table of HTML, lines with breaks between them, or
        with marked-up keys. Each character keeps its place.
        """
        first = element.children[0]
        if isinstance(first, Run):
            return None
        source = self.source(element)
        if first.head.key == "table" and is_html_table(source):
            return source
        is_broken = all(child.head.key == "br" for child in element.children)
        is_marked = _EMPHASIS.match(source) is not None and _SIGN.match(self.reply, first.end) is not None
        return _plain_lines(source) if is_broken or is_marked else None

    def is_one_entry(self, element: Element) -> bool:
        """Whether the element of a map is an entry of it itself: it has a key, and something that is no entry in it."""
        if not element.head.rest or _given(element, "key") is None or not self.source(element).strip(BLANK):
            return False
        return not any(isinstance(child, Run) or _given(child, "key") is not None for child in element.children)

    def around(self, entries: list[Element]) -> Element:
        """A map around entries that have none."""
        first, last = entries[0], entries[-1]
        made = Element(Head(OTHER, first.head.tag), FIELD, first.name, first.start, first.start)
        made.inner_end = made.end = last.end
        made.children = list(entries)
        for entry in entries:
            entry.role = entry.role if isinstance(entry, Run) else ENTRY
        return made

    def joined_map(self, node: Node, elements: list[Element], path: Path) -> dict[str, object]:
        """One map of entries that each bear the map's name, or stand in no element of their own."""
        span = (elements[0].start, elements[-1].end)
        self.places[path] = span
        shown = self.reply[span[0] : elements[0].inner_start]
        self.reading.repair(RepairKind.LIST_JOINED, path, span, shown, shown)
        return self.of_map(node, self.around([each for one in elements for each in _entries_in(one)]), path)

    def pair(self, node: Node, keys: dict[object, str], item: Element, tree: dict[str, object], path: Path) -> bool:
        """Takes an item without a key that is one entry written as a text: `<li>a: 1</li>`. Tells whether it is one."""
        assert node.item is not None
        text = _plain_lines(self.source(item))
        found = split_pairs(text) if not item.children and node.item.is_text() else None
        if found is None or len(found.entries) != 1 or found.lead is not None:
            return False
        entry, start = found.entries[0], item.inner_start
        self.split(RepairKind.TEXT_SPLIT, path, start, self.source(item), [entry.key, entry.value])
        span = (start + entry.key.start, start + entry.key.end)
        key = self.key(node, keys, Text(entry.name, entry.name), span, path, source=entry.value.text)
        if key is not None:
            tree[key] = self.piece(node.item, entry.value, start, (*path, key))
        return True

    def of_attributes(self, node: Node, element: Element, path: Path) -> dict[str, object]:
        """A map of scalars that was written as the attributes of its element."""
        assert node.item is not None
        tree: dict[str, object] = {}
        keys: dict[object, str] = {}
        place = (element.start, element.inner_start)
        others = {"type", *SHOWN, *(PAIR_KEYS if has_key(element) else ())}  # what is not an entry of this one
        for name, given in attributes(element.head.rest):
            key = None if name in others else self.key(node, keys, Text(name, name), place, path)
            if key is not None:
                tree[key] = self.attribute_value(node.item, element, given, (*path, key))
        return tree

    def entries(self, node: Node, element: Element, keys: dict[object, str]) -> Iterator[_Entry]:
        """The entries of a map. Keys and values may take turns. A run is one of them, unless some of it is odd or among
        the `keys` already.
        """
        assert node.item is not None
        children = element.children
        tags = [child.head.key for child in children]
        if len(tags) % 2 == 0 and PAIR_KEYS.issuperset(tags[::2]) and PAIR_VALUES.issuperset(tags[1::2]):
            for key, value in zip(children[::2], children[1::2], strict=True):
                yield _Entry(key, value, self.text(key))
            return
        for child in children:
            if not isinstance(child, Run):
                yield self.entry_of(node.item, child)
            elif child.odd or not keys.keys().isdisjoint(child.values):
                yield from (_Entry(entry, entry, _key_of(entry)) for entry in child.elements())
            else:
                yield _Entry(child, child, None)

    def entry_of(self, item: Node, child: Element) -> _Entry:
        """An entry, its key and its value told apart."""
        parts = [part for part in child.children if part.role is PAIR]
        key = next((part for part in parts if part.name == "key"), None)
        values = [part for part in parts if part.name == "value"]
        named = [part for part in values if part.head.key in PAIR_VALUES]
        values = named if len(named) == 1 else values
        is_markup = not named and item.is_text() and bool(parts) and self.has_text(child)
        if key is not None:
            child.children = [part for part in child.children if part is not key]
            written: Text | None = self.text(key)
        else:
            written = _key_of(child, item)
        if len(values) == 1 and not is_markup:
            return _Entry(child, values[0], written)
        if values and not is_markup:
            return _Entry(child, None, written)
        if key is not None:
            child.inner_start = key.end
            child.children = [] if item.is_text() else child.children  # it is a text, which has markup
        return _Entry(child, child, written)


def _entries_in(element: Element) -> list[Element]:
    """The entry that an element of a map is, or those that it holds where it has no tags."""
    return [element] if element.head.tag else element.children


def _plain_lines(text: str) -> str:
    """Lines that HTML breaks, or that begin with what it marks up, without those tags. Characters keep their places."""
    if "<" not in text:
        return text
    text = _BREAK.sub(lambda found: f"{' ' * (len(found[0]) - 1)}\n", text)
    return _EMPHASIS.sub(lambda found: f"{_blank(found[1])}{found[3]}{_blank(found[4])}", text)


def _blank(text: str) -> str:
    return " " * len(text)


def _nameless(node: Node, element: Element, own: str) -> frozenset[str]:
    """The folded tags that are no keys."""
    tags = {child.head.key for child in element.children if not isinstance(child, Run)}
    return entry_names(own, [node]) if len(tags) == 1 else frozenset(ITEM_NAMES)


def _tag_as_key(element: Element) -> Text:
    """An entry's tag as its key, with all the words of it."""
    head = element.head
    name = f"{head.tag} {head.rest}" if _WORDS.fullmatch(head.rest) else head.tag
    return Text(name, name)


def _key_of(element: Element, item: Node | None = None) -> Text | None:
    """The key in an element's tag; one that holds the quote that is around it goes to the last one. `item` is what the
    value is.
    """
    rest = element.head.rest
    whole = _WHOLE_KEY.fullmatch(rest) if rest and _QUOTED_KEY.search(rest) is None else None
    if whole is not None:
        raw = (whole[2] if whole[3] is None else whole[3]).strip(BLANK)
        return Text(raw, decode(raw))
    name = key_attribute(element, item)
    if name is not None:
        return _given(element, name)
    carried = element.head.carried()
    return None if carried is None or item is None or "name" in item.fields else Text(carried, carried)


def _given(element: Element, name: str) -> Text | None:
    """An attribute's value, as a value that was decoded, or None."""
    raw = next((raw for found, raw in raw_attributes(element.head.rest) if found == name), None)
    return None if raw is None else Text(raw, decode(raw))
