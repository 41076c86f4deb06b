"""What stands in an element and is the value of nothing, where it may be that of something absent or cut short.

An element that is skipped, a text, or a closing tag with something in front of it that nothing opens: where a field
with a default, an item or an entry is not there that it may belong to, its loss would go unnoticed, so it is a problem
of that field, or of the list or the map. It may belong to a field whose name it bears, misspelt or within its own, or
which holds what it holds: items, entries, the fields of an object. Anything else is what nobody asked for, and only on
record.
"""

from __future__ import annotations

import re
from abc import ABC
from bisect import bisect_left
from collections.abc import Collection, Iterator
from typing import NamedTuple

from ...definition import ITEM_NAMES, Field, Node, Path, fold, show_path, snake_case
from ...findings import ProblemKind, RepairKind, Span
from ...markup import BLANK
from ..scalars.text import without_comments
from .beside import is_remark, items_in, may_be
from .elements import FIELD, Element
from .in_text import TextReader
from .runs import Run
from .shape import is_near_for_sure
from .tokens import OPEN

__all__ = ["LossReader"]

_TAG = re.compile(r"<([^\W\d][\w.:-]*+)(?:[\s/][^<>]*+)?>")
_WHOLE_TAGS = re.compile(r"</?[^\W\d][^<>]*+>")
_CLOSER = re.compile(r"</\s*+([^\W\d][\w.:-]*+)")
_ITEMS = frozenset(ITEM_NAMES)
_OF_ITEMS = ("list", "tuple", "map")

_OF_ENTRY = re.compile("[=:<>]")
"""What is between a key and its value, or left of a tag."""
_GOES_ON = re.compile(r"[.,]?\d")
"""What a number may go on with."""
_CLOSER_ALONE = "a closing tag stands behind it, of which the opening one is missing"

_Loss = tuple[str, Span, str]
"""The name of a field, where something stands that may be its value, and what that is."""


class _Closer(NamedTuple):
    """A closing tag that was dropped, and its folded name."""

    start: int
    end: int
    key: str


class _Child(NamedTuple):
    """An element and its place."""

    start: int
    end: int
    element: Element


class _Orphan(NamedTuple):
    """A closing tag, by its folded name, with what stands in front of it and is the value of nothing, and the elements
    before and behind both.
    """

    key: str
    span: Span
    before: Element | None
    behind: Element | None


class LossReader(TextReader, ABC):
    """Finds what an answer holds and no value has."""

    def lost_fields(self, node: Node, element: Element, tree: dict[str, object], path: Path) -> None:
        """Names the fields of an object that may have lost their values, each once."""
        skipped = [child for child in element.children if child.role is None]
        closers = _closers(element, self.reply)
        if not skipped and not closers and not any(child.notes for child in element.children):
            return
        absent = [field for name, field in node.fields.items() if name not in tree and not field.required]
        found: dict[str, tuple[Span, str]] = {}
        for name, span, what in self.losses(node, element, skipped, closers, absent):
            found.setdefault(name, (span, what))
        for name, span, what in _cut_short(node, tree, skipped):
            found.setdefault(name, (span, what))
        for name, (span, what) in found.items():
            self.lost((*path, name), span, what)

    def losses(
        self, node: Node, element: Element, skipped: list[Element], closers: list[_Closer], absent: list[Field]
    ) -> Iterator[_Loss]:
        """What may be the values of absent fields, or a part of what lists and maps have lost."""
        for child in skipped if absent else ():
            for field in absent:
                if self.bears_name(child, field):
                    yield field.name, (child.start, child.end), "an element of a name like its own is there"
        yield from _behind_lists(node, element) if skipped else ()
        keys = {key for child in skipped for key in self.names_in(child)} if absent else set()
        for field in absent if keys else ():
            if _may_hold(field.node, keys):
                yield field.name, (skipped[0].start, skipped[-1].end), "what it may hold stands in nothing of its name"
        for orphan in self.orphans(element, closers) if closers else ():
            for field in _fields_of(node, orphan, absent):
                yield field.name, orphan.span, _CLOSER_ALONE
        for child in element.children if absent else ():
            yield from self.losses_within(child, absent)

    def losses_within(self, child: Element, absent: list[Field]) -> Iterator[_Loss]:
        """What may be the values of absent fields in an element in front of them that has no closing tag."""
        is_open = any(note.kind is RepairKind.CLOSER_MISSING for note in child.notes)
        closers = _closers(child, self.reply) if is_open else []
        for orphan in self.orphans(child, closers) if closers else ():
            for field in _of_name(orphan.key, absent):
                yield field.name, orphan.span, _CLOSER_ALONE

    def lost_items(self, element: Element, path: Path) -> None:
        """Tells where items or entries may have lost their opening tags."""
        closers = _closers(element, self.reply)
        orphans = self.orphans(element, closers) if closers else ()
        orphan = next((orphan for orphan in orphans if orphan.key in ITEM_NAMES), None)
        if orphan is not None:
            self.lost(path, orphan.span, _CLOSER_ALONE)

    def lost_rest(self, item: Node, element: Element, last: list[object], path: Path) -> None:
        """Tells where an item without a tag may be the rest of the one in front of it: it lacks what is required, and
        has nothing that is there already.
        """
        before, behind = last
        if not isinstance(before, dict) or not isinstance(behind, dict) or not behind.keys().isdisjoint(before):
            return
        if any(field.required and name not in behind for name, field in item.fields.items()):
            self.lost(path, (element.start, element.reach()), "it may belong into the item in front of it")

    def lost_entries(self, element: Element, path: Path) -> None:
        """Tells where a text between the entries of a map may be one of them."""
        spans = self.strays(element) if element.head.kind == OPEN else ()  # else it stands around other fields
        texts = ((span, self.reply[slice(*span)]) for span in spans)
        span = next((span for span, text in texts if _OF_ENTRY.search(text) and not is_remark(text)), None)
        if span is not None:
            self.lost(path, span, "a text stands between its entries")

    def lost_beside(self, node: Node, element: Element, span: Span, path: Path) -> None:
        """Names the field next to a text that may be its value: with nothing in it, or a number in front of digits."""
        at = bisect_left(element.children, span[0], key=lambda child: child.start)
        before = _last_field(element.children[at - 1]) if at else None
        behind = element.children[at] if at < len(element.children) else None
        text = self.reply[slice(*span)]
        for child, may_be_cut in ((before, self.may_go_on), (behind, self.may_be_late)):
            field = node.fields.get(child.name) if child is not None and child.role is FIELD else None
            if field is not None and child is not None and not is_remark(text) and may_be_cut(child, field.node, span):
                self.lost((*path, field.name), span, "a text stands next to it")
                return

    def may_go_on(self, child: Element, node: Node, span: Span) -> bool:
        """Whether a text behind an element may belong into it: behind an empty one with a closing tag, in its line.
        It begins with no tag, which would be another one's.
        """
        source, text = self.source(child).strip(BLANK), self.reply[slice(*span)]
        if node.kind == "list" and node.item is not None and items_in(node.item, text):
            return True
        is_near = child.end == child.inner_end or "\n" not in self.reply[child.end : span[0]]
        if not source and is_near:
            return not child.head.rest and not text.startswith("<") and may_be(node, text)
        return node.kind in ("int", "float") and child.end == span[0] and _GOES_ON.match(text) is not None

    def may_be_late(self, child: Element, node: Node, span: Span) -> bool:
        """Whether a text in front of an element may belong into it: that has no closing tag and nothing in it."""
        is_open = any(note.kind is RepairKind.CLOSER_MISSING for note in child.notes)
        is_empty = is_open and not self.source(child).strip(BLANK)
        return is_empty and not child.head.rest and may_be(node, self.reply[slice(*span)])

    def lost(self, path: Path, span: Span, what: str) -> None:
        if all(problem.path != show_path(path) for problem in self.reading.problems[-1:]):  # else a text names it
            message = f"a value may be lost: {what}"
            self.reading.problem(ProblemKind.INVALID, path, message, span, self.reply[slice(*span)])

    def bears_name(self, child: Element, field: Field) -> bool:
        """Whether a skipped element is called nearly like a field, and holds what may be its value."""
        if not any(
            is_near_for_sure(fold(name), child.head.key) or _is_within(name, child.head.name)
            for name in (field.name, *field.aliases)
        ):
            return False
        return bool(child.head.rest) or not field.node.is_text() or may_be(field.node, self.source(child))

    def names_in(self, child: Element) -> Iterator[str]:
        """The folded names of an element that was skipped, and of those in it."""
        for tag in _TAG.finditer(self.reply, child.start, child.end):
            yield fold(tag[1])

    def orphans(self, element: Element, closers: list[_Closer]) -> Iterator[_Orphan]:
        """The closing tags that were dropped behind something that is the value of nothing."""
        position = begun = element.inner_start
        around: Element | None = None
        is_loss, waiting = False, list[_Orphan]()
        for place in sorted(self.marks(element, closers), key=_start):
            if not is_loss and self.is_text(position, place.start):
                begun, is_loss = position, True
            position = max(position, place.end)
            if isinstance(place, _Closer):
                waiting += [_Orphan(place.key, (begun, place.end), around, None)] if is_loss else []
                is_loss = False
            elif place.element.role is None:
                begun, is_loss = (begun if is_loss else place.start), True
            else:
                yield from (orphan._replace(behind=place.element) for orphan in waiting)
                around, is_loss, waiting = place.element, False, []
        yield from waiting

    def marks(self, element: Element, closers: list[_Closer]) -> list[_Closer | _Child]:
        return [*closers, *(_Child(child.start, child.reach(), child) for child in element.children)]

    def is_text(self, start: int, end: int) -> bool:
        """Whether a text stands in a place, be it in what is left of a tag."""
        text = self.reply[start:end]
        return text != "" and any(map(str.isalnum, _WHOLE_TAGS.sub("", without_comments(text))))


def _last_field(child: Element) -> Element:
    """An element, or the last one of a run."""
    return child.field(next(reversed(child.values))) if isinstance(child, Run) else child


def _start(place: _Closer | _Child) -> int:
    return place.start


def _closers(element: Element, reply: str) -> list[_Closer]:
    """The closing tags in an element that were dropped."""
    notes = [note for note in element.notes if note.kind is RepairKind.TAG_DROPPED] if element.notes else []
    found = ((note, _CLOSER.match(reply, note.start)) for note in notes)
    return [_Closer(note.start, note.end, fold(tag[1])) for note, tag in found if tag is not None]


def _is_within(name: str, written: str) -> bool:
    """Whether the words of a field's name begin or end those of a tag."""
    words, others = _words(name), _words(written)
    return len(words) < len(others) and words in (others[: len(words)], others[-len(words) :])


def _words(name: str) -> list[str]:
    return [word for word in re.split(r"[\W_]+", snake_case(name)) if word]


def _may_hold(node: Node, keys: Collection[str]) -> bool:
    """Whether a value may hold elements of some folded names."""
    if node.kind == "union":
        return any(_may_hold(part, keys) for part in node.parts)
    if node.kind in ("list", "tuple"):
        return not _ITEMS.isdisjoint(keys) or any(_is_object_of(part, keys) for part in (node.item, *node.parts))
    if node.kind == "map":
        return "entry" in keys or _is_object_of(node.item, keys)
    return _is_object_of(node, keys)


def _is_object_of(node: Node | None, keys: Collection[str]) -> bool:
    """Whether a node is an object all of whose required fields, or else any, have some folded names."""
    if node is None or node.kind != "dict":
        return False
    required = {fold(name) for name, field in node.fields.items() if field.required}
    return required <= set(keys) if required else any(fold(name) in keys for name in node.fields)


def _cut_short(node: Node, tree: dict[str, object], skipped: list[Element]) -> Iterator[_Loss]:
    """The objects in an object that lack a field with a default which stands behind them."""
    keys = {child.head.key: child for child in skipped}
    for name, value in tree.items() if keys else ():
        field = node.fields.get(name)
        if field is not None and field.node.kind == "dict" and isinstance(value, dict):
            lacks = {fold(each) for each in field.node.fields if each not in value}
            for key in lacks & keys.keys():
                yield name, (keys[key].start, keys[key].end), "a field that it lacks stands behind it"


def _behind_lists(node: Node, element: Element) -> Iterator[_Loss]:
    """The lists and maps behind which an item or an entry was skipped."""
    last: Field | None = None
    for child in element.children:
        if child.role is not None:
            name = _last_field(child).name
            last = node.fields.get(name)
        elif last is not None and child.head.key in ITEM_NAMES and last.node.kind in _OF_ITEMS:
            yield last.name, (child.start, child.end), "an item stands behind its end"


def _fields_of(node: Node, orphan: _Orphan, absent: list[Field]) -> list[Field]:
    """The fields that a closing tag may be of: the absent one of its name. That of an item or an entry may be of any
    absent one that has such, of the one in front of it, and of the one behind it if that has no tag of its own.
    """
    if orphan.key not in ITEM_NAMES:
        return _of_name(orphan.key, absent)
    kinds = ("map",) if orphan.key == "entry" else ("list", "tuple")
    around = [orphan.before, *([orphan.behind] if orphan.behind is not None and not orphan.behind.head.tag else [])]
    known = [node.fields.get(child.name) for child in around if child is not None and child.role is FIELD]
    return [field for field in (*absent, *known) if field is not None and field.node.kind in kinds]


def _of_name(key: str, fields: list[Field]) -> list[Field]:
    return [field for field in fields if key in map(fold, (field.name, *field.aliases))]
