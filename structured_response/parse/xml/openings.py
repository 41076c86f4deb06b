"""What an opening tag begins in an answer, told by more than its name. Nothing is opened here."""

from __future__ import annotations

from ...definition import ITEM_NAMES
from ...markup import GAP
from ..scalars.text import without_comments
from .elements import FIELD, IMPLICIT, ITEM, OPTION, PAIR_KEYS, PAIR_VALUES
from .frames import Frame
from .shape import Place, Shape
from .tokens import CLOSE, EMPTY, OPEN, Head, attribute
from .wrappers import Wrappers

__all__ = ["Openings"]

_KEYS = ("key", "name", "id")
"""Attributes that have the key of an entry: `key` in any tag, the others where the tag itself is none."""


class Openings(Wrappers):
    """Tells items, entries, options and fields, and what was closed too early."""

    def is_entry(self, head: Head) -> bool:
        """Whether a tag with a key is that of an entry: some open element is a map."""
        if head.key != "entry" or attribute(head.rest, "key") is None:
            return False
        return any(frame.shape.holds_entries for frame in self.frames)

    def is_behind_map(self, i: int, head: Head) -> bool:
        """Whether a tag, which could name an entry of the map on top, is the next field behind a map never closed."""
        if head.key in ITEM_NAMES or self.stays(len(self.frames) - 1, i):
            return False
        places = (frame.takes(head) for frame in self.frames[:-1])
        return any(place is not None and place.role is FIELD for place in places)

    def pair_key(self, map_: Frame, i: int, head: Head, shape: Shape) -> str | None:
        """The folded name of the element that has the key of an entry, whose value has a shape; empty where only the
        value has an element of its own, None where neither has. The first element has the key, unless it is a field
        of the value, which goes on with another one of its fields.
        """
        if head.key not in map_.shape.entry_names or not self.begins_with_tag(i):
            return None
        inner = self.heads[i + 1]
        is_field = shape.place(inner) is not None
        if attribute(head.rest, "key") is not None:
            return "" if inner.key in PAIR_VALUES and not is_field and self.partner(i + 1) > i else None
        if inner.key not in PAIR_KEYS:
            return None
        behind = self.partner(i + 1) + 1
        after = self.heads[behind] if 0 < behind < self.count else None
        is_key = not is_field or (after is not None and (after.key == inner.key or after.key in PAIR_VALUES))
        return inner.key if is_key else None

    def is_in_front_of_fields(self, i: int, head: Head, shape: Shape) -> bool:
        """Whether the empty tag of an option was meant as an opening one: a field of it stands behind it."""
        if "=" in head.rest or not shape.holds_fields or i + 1 >= self.count:
            return False
        return self.heads[i + 1].kind in (OPEN, EMPTY) and shape.field(self.heads[i + 1]) is not None

    def is_in_front_of_value(self, i: int, head: Head, shape: Shape) -> bool:
        """Whether the empty tag of an entry was meant as an opening one: its text stands behind it."""
        if head.kind != EMPTY or not shape.is_leaf:
            return False
        return any(map(str.isalnum, self.text_behind(i)))

    def form_of(self, frame: Frame, head: Head) -> str:
        """The folded name of a map's entries that have their keys in attributes, if the first one does; else none."""
        names = _KEYS if head.key in frame.shape.entry_names else _KEYS[:1]
        return head.key if any(attribute(head.rest, name) is not None for name in names) else ""

    def is_doubled(self, i: int) -> bool:
        """Whether an element begins with one of its own name, and ends behind it. Where a text goes on behind that, it
        is a text that names itself.
        """
        if not self.begins_with_tag(i) or self.heads[i + 1].key != self.heads[i].key:
            return False
        return i < self.partner(i + 1) < self.partner(i) and not self.text_behind(self.partner(i + 1)).strip(GAP)

    def is_field_of_item(self, frame: Frame, place: Place, i: int) -> bool:
        """Whether a tag that could be an item is a field of one instead: it holds a text, where items are objects."""
        if place.role is not ITEM or not place.shape.holds_fields or i + 1 >= self.count:
            return False
        head, behind = self.heads[i], self.behind_asides(i + 1)
        inner = place.shape.field(head)
        if inner is None or not inner.shape.is_leaf or behind >= self.count:
            return False
        if not self.between(i, behind):
            return False
        after = self.heads[behind]
        is_text = after.key not in self.known and inner.shape.is_verbatim
        return is_text or (after.key == head.key if after.kind == CLOSE else place.shape.field(after) is not None)

    def is_near_field_of_item(self, top: Frame, head: Head) -> bool:
        """Whether a tag right in a list is that of a field of its items, misspelt."""
        items = top.shape.items()
        return items.holds_fields and head.key not in self.known and items.near(head) is not None

    def begins_group(self, place: Place, i: int) -> bool:
        """Whether an item's tag in a list of objects stands right before another one, which no object holds."""
        return place.shape.holds_fields and not place.shape.holds_items and self.is_list_of_items(i)

    def is_rest_of_item(self, top: Frame, place: Place, last: Frame | None, i: int, head: Head) -> bool:
        """Whether a field right in a list is the rest of the item in front of it, closed too early: that lacks it, and
        began with another field.
        """
        if place.role is not IMPLICIT or last is None or last.element.role is not ITEM or last.token < 0:
            return False
        if top.element.children[-1:] != [last.element] or self.text[last.element.end : self.starts[i]].strip(GAP):
            return False
        field = last.takes(head)
        return field is not None and field.role is FIELD and field.name not in (last.first, "") and bool(last.first)

    def is_in_guessed_list(self, i: int) -> bool:
        """Whether what only its place makes a list goes on behind tag `i`: then what stands in it are its items."""
        return self.frames[-1].shape.holds_items and self.stays(len(self.frames) - 1, i)

    def is_implied_and_whole(self, frame: Frame) -> bool:
        """Whether an element is an item without tags that has all it needs, so that another one may follow."""
        return frame.element.role is ITEM and frame.token < 0 and frame.is_whole()

    def is_other_option(self, i: int, head: Head) -> bool:
        """Whether the tag of an option stands empty behind that of another one, in one element."""
        top = self.frames[-1]
        place = top.shape.place(head) if top.is_decided and "=" not in head.rest else None
        is_empty = head.kind == EMPTY or (i + 1 < self.count and self.partner(i) == i + 1)
        if place is None or place.role is not OPTION or not is_empty or not self.stays(len(self.frames) - 1, i):
            return False
        return head.kind == EMPTY or not self.between(i, i + 1)

    def is_cut_in_attributes(self, frame: Frame) -> bool:
        """Whether an object that is written as attributes has no closing tag: another one like it stands in it."""
        return "=" in frame.element.head.rest and frame.token >= 0 and self.partner(frame.token) < 0

    def holder(self, i: int, head: Head) -> int:
        """The depth of the innermost open object whose own closing tag is still to come, if it holds a field already:
        what stands there once more is in it. -1 where it does not.
        """
        ends = self.with_ends(i)
        for depth in range(len(self.frames) - 1, -1, -1):
            frame = self.frames[depth]
            place = frame.shape.place(head)
            is_there = place is not None and place.role is FIELD and place.name in frame.seen
            if not ends[depth]:
                if is_there and frame.token < 0:
                    return -1
                continue
            if is_there and self.begins_again(depth, head):
                return depth - 2
            return depth if is_there else -1
        return -1

    def begins_again(self, depth: int, head: Head) -> bool:
        """Whether a tag begins the next of objects that run together in the tags of one item."""
        item = self.frames[depth]
        place = self.frames[depth - 1].takes(head) if depth and item.element.role is ITEM else None
        return place is not None and place.role is IMPLICIT and self.begins_item(item, head)

    def is_behind_its_own(self, top: Frame, last: Frame, i: int, head: Head) -> bool:
        """Whether an item stands right behind its list, an entry behind its map, or what an object lacks behind that,
        which was closed too early.
        """
        if top.element.children[-1:] != [last.element]:
            return False
        is_item = head.key in ITEM_NAMES and (last.shape.holds_items or last.shape.holds_entries)
        if not (is_item or last.wants(head) or self.was_closed_early(last, i, head)):
            return False
        return last.takes(head) is not None and not without_comments(
            self.text[last.element.end : self.starts[i]]
        ).strip(GAP)

    def was_closed_early(self, last: Frame, i: int, head: Head) -> bool:
        """Whether a tag is for an object that was closed, and could stand nowhere else: that is an option, or has one
        more closing tag behind it.
        """
        place = last.takes(head)
        if place is None or place.role is not FIELD:
            return False
        return last.element.role is OPTION or (last.token >= 0 and self.closes_too_often(last.key, i))

    def is_behind_list_of(self, last: Frame, i: int, head: Head) -> bool:
        """Whether an item stands right behind the list of an object that both are in: that object's closing tag comes
        later.
        """
        top = self.frames[-1]
        if head.key not in ITEM_NAMES or top.token < 0 or not self.is_behind_its_own(top, last, i, head):
            return False
        return i < self.partner(i) < self.partner(top.token) and self.has_end(len(self.frames) - 1, i)

    def later_closer(self, i: int, shape: Shape) -> int:
        """The closing tag of an empty one that was meant as an opening one: no other tag opens it, and what stands in
        front of it belongs there, or nowhere else. -1 where there is none.
        """
        j, key = i + 1, self.heads[i].key
        if j >= self.count or (not shape.is_leaf and not self.is_content(i, shape)):
            return -1
        until = j + (1 if shape.is_leaf else self.spend(self.count - j))
        while j < until:
            if self.heads[j].key == key and self.partner(j) < 0:
                return j if self.heads[j].kind == CLOSE else -1
            j = max(self.partner(j), j) + 1 if self.heads[j].key == key else j + 1
        return -1

    def is_content(self, i: int, shape: Shape) -> bool:
        """Whether what stands behind the empty tag of what holds elements is its content: an element of its own, one
        that nothing open takes, or a text in front of its closing tag.
        """
        after = self.heads[i + 1]
        if after.kind == CLOSE:
            return after.key == self.heads[i].key and bool(self.between(i, i + 1))
        return shape.place(after) is not None or (after.kind == OPEN and not self.is_expected(i + 1))

    def open_after_all(self, i: int, closer: int) -> Head:
        """Makes an empty tag the opening one of a closing tag, if there is one."""
        empty = self.heads[i]
        self.heads[i] = Head(OPEN, empty.tag, empty.rest, empty.name)
        if closer >= 0:
            self.pair_up(i, closer)
        return self.heads[i]
