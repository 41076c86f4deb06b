"""What an opening tag begins, told by what stands around it and in it. Nothing is opened here."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection

from ...definition import ITEM_NAMES, Plan, fold
from ...markup import GAP
from ..scalars.text import COMMENT as COMMENT_START
from ..scalars.text import INSTRUCTION, without
from .ahead import DECORATION, Frame
from .elements import ENTRY, FIELD, IMPLICIT, ITEM, LISTED, OPTION, PAIR_KEYS, PAIR_VALUES
from .namesakes import Namesakes
from .shape import Place, Shape
from .tokens import CLOSE, EMPTY, OPEN, Head, Tags, attribute

__all__ = ["Openings"]

_LISTS = ("ul", "ol")
"""What HTML has around the items of a list."""
_KEYS = ("key", "name", "id")
"""Attributes that have the key of an entry: `key` in any tag, the others where the tag itself is none."""
_DATA = ("{", "[", '"')
"""What data begins with that stands in place of elements."""


class Openings(Namesakes):
    """Tells roots, mentions, wrappers, items, entries and fields by more than their names."""

    def __init__(self, plan: Plan, tags: Tags, text: str) -> None:
        super().__init__(plan, tags, text)
        self._wrapped = -1
        self._root_tags: list[int] | None = None

    # Around the answer

    def is_root(self, head: Head) -> bool:
        """Whether a tag is the root's, or carries its name."""
        return head.key in self.root_keys or fold(head.name) in self.root_keys

    def is_named(self, i: int) -> bool:
        """Whether the root's tag is only named by prose, which goes on behind it: nothing closes it, or prose again."""
        if i + 1 >= self.count or self.heads[i].kind != OPEN or self.heads[i].rest:
            return False
        if self.partner(i) >= 0 and not self.is_named_around_root(i):
            return False
        if self.shape.is_leaf and self.begins_line(i):
            return False  # a text may begin so
        behind = self.text[self.ends[i] : self.starts[i + 1]].partition("\n")[0].strip(DECORATION)
        return bool(behind) and not behind.startswith(_DATA)

    def is_named_around_root(self, i: int) -> bool:
        """Whether the root's tag stands in a line of prose, and between it and its closing one a whole root, which
        begins on a line of its own.
        """
        if not self.line_before(i):
            return False
        root = self.next_root(i)
        return root < self.count and root < self.partner(root) < self.partner(i) and not self.line_before(root)

    def line_before(self, i: int) -> str:
        """What stands in front of a tag in its line."""
        start = self.starts[i]
        return self.text[self.text.rfind("\n", 0, start) + 1 : start].strip(DECORATION)

    def next_root(self, i: int) -> int:
        """The root's own next opening tag behind tag `i`; the number of all tags where there is none."""
        if self._root_tags is None:
            tags = enumerate(self.heads)
            self._root_tags = [
                j for j, head in tags if head.kind == OPEN and self.is_root(head) and not self.is_field(j)
            ]
        after = bisect_left(self._root_tags, i + 1)
        return self._root_tags[after] if after < len(self._root_tags) else self.count

    def reaches_over_root(self, i: int) -> bool:
        """Whether the root's own tag stands between an opening tag and its closing one, which is no field's text that
        quotes an answer.
        """
        return self.next_root(i) < self.partner(i) and not self.quotes_root(i)

    def quotes_root(self, i: int) -> bool:
        """Whether a field, outside of all roots, is a text in which the root's tag stands: right behind it another
        field follows, or what holds them ends; or its text goes on behind the root in it.
        """
        place, end, root = self.shape.place(self.heads[i]), self.partner(i), self.next_root(i)
        if place is None or place.role is not FIELD or not place.shape.is_verbatim or place.shape.own == self.shape.own:
            return False
        if end + 1 >= self.count:
            return self.is_quoted_root(root) and not self.text[self.ends[end] :].strip(GAP)
        if self.text[self.ends[end] : self.starts[end + 1]].strip(GAP):
            return False
        after = self.heads[end + 1]
        if after.kind == CLOSE:
            return 0 <= self.partner(end + 1) < i and self.is_quoted_root(root)
        following = self.shape.place(after)
        return following is not None and following.role is FIELD and following.name != place.name

    def is_prose(self, i: int, since: int = 0) -> bool:
        """Whether the tag of a field, outside of all roots, is one that prose mentions: nothing closes it, or only
        something in the root that follows; and text stands in front of it in its line, no further back than `since` and
        the last tag, or what it names comes later.
        """
        root, end = self.next_root(i), self.partner(i)
        if self.heads[i].kind != OPEN or (end >= 0 and (end < root or self.partner(root) < end)):
            return False
        before = self.text[max(since, self.ends[i - 1] if i else 0) : self.starts[i]]
        return bool(before.rpartition("\n")[2].strip(DECORATION)) or root < self.count or self.closes_again(i)

    def closes_again(self, i: int) -> bool:
        """Whether another element of the same name comes later, and is closed, and no other field stands before it."""
        head, after = self.heads[i], self.heads[i + 1] if i + 1 < self.count else None
        if after is None or (after.key != head.key and self.shape.place(after) is not None):
            return False
        place = self.shape.place(head)
        if place is not None and place.shape.place(after) is not None:
            return False  # it holds what it should
        ahead = range(i + 1, i + 1 + self.spend(self.count - i - 1))
        return any(self.heads[j].key == head.key and self.partner(j) > j for j in ahead)

    def is_mention(self, i: int) -> bool:
        """Whether the root's tag that is open is only mentioned by prose, which goes on in front of tag `i`."""
        root = self.frames[0]
        if root.token < 0:
            return not self.is_enclosed(i)
        if self.partner(root.token) >= 0:
            return False
        children = root.element.children
        before = self.text[root.element.inner_start : children[0].start if children else self.starts[i]]
        return bool(without(before, (COMMENT_START, INSTRUCTION), lambda found: "").strip(GAP))

    def is_enclosed(self, i: int) -> bool:
        """Whether an element stands in an open one, with the closing tags of both."""
        end = self.partner(i) if self.heads[i].kind == OPEN else i
        return end >= i and any(frame.token >= 0 and self.partner(frame.token) > end for frame in self.frames)

    # In it

    def is_behind_map(self, i: int, head: Head) -> bool:
        """Whether a tag, which could name an entry of the map on top, is the next field behind a map never closed."""
        if head.key in ITEM_NAMES or self.stays(len(self.frames) - 1, i):
            return False
        places = (frame.takes(head) for frame in self.frames[:-1])
        return any(place is not None and place.role is FIELD for place in places)

    def begins_with_tag(self, i: int) -> bool:
        """Whether an element begins with an element."""
        if i + 1 >= self.count or self.heads[i + 1].kind != OPEN:
            return False
        return not self.text[self.ends[i] : self.starts[i + 1]].strip(GAP)

    def is_list_of_items(self, i: int) -> bool:
        """Whether an item begins with an item."""
        return self.begins_with_tag(i) and self.heads[i + 1].key in ITEM_NAMES

    def is_doubled(self, i: int) -> bool:
        """Whether an element begins with one of its own name, and ends behind it."""
        if not self.begins_with_tag(i) or self.heads[i + 1].key != self.heads[i].key:
            return False
        return i < self.partner(i + 1) < self.partner(i)

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

    def is_in_front_of_value(self, i: int, head: Head, shape: Shape) -> bool:
        """Whether the empty tag of an entry was meant as an opening one: its text stands behind it."""
        if head.kind != EMPTY or not shape.is_leaf:
            return False
        behind = self.text[self.ends[i] : self.starts[i + 1] if i + 1 < self.count else self.end]
        return any(map(str.isalnum, behind))

    def form_of(self, frame: Frame, head: Head) -> str:
        """The folded name of a map's entries that have their keys in attributes, if the first one does; else none."""
        names = _KEYS if head.key in frame.shape.entry_names else _KEYS[:1]
        return head.key if any(attribute(head.rest, name) is not None for name in names) else ""

    def is_around_others(self, place: Place, i: int, head: Head) -> bool:
        """Whether a tag that could be an item or an entry stands around nothing but others of these: `<con><li>...`."""
        inner, end = self.heads[i + 1], self.partner(i)
        if head.tag == "li" or end < i or inner.key == head.key or not self.is_other(place, i + 1):
            return False
        if self.is_text_of(end + 1, head.key) or self.is_text_of(i - 2, head.key):
            return False  # it is one of its kind itself
        last = self.heads[end - 1]
        is_closed = last.kind == CLOSE and last.key == inner.key
        return is_closed and not self.text[self.ends[end - 1] : self.starts[end]].strip(GAP)

    def is_text_of(self, j: int, key: str) -> bool:
        """Whether tag `j` opens an element of some name that holds no other tag."""
        return 0 <= j < self.count and self.heads[j].key == key and self.is_pair_of_tags(j)

    def is_other(self, place: Place, i: int) -> bool:
        """Whether the first tag in an item or an entry is that of an item or an entry itself, which it cannot hold."""
        inner = self.heads[i]
        if place.role is ENTRY:
            is_keyed = inner.key == "entry" and attribute(inner.rest, "key") is not None
            is_listed = inner.key == "li" and self.heads[i - 1].key in _LISTS and not place.shape.holds_items
            return not place.shape.holds_entries and (is_keyed or is_listed)
        item = place.shape.items() if place.role is LISTED else place.shape
        if inner.key not in ITEM_NAMES or item.is_leaf or item.place(inner) is None:
            return inner.key in ITEM_NAMES
        return item.holds_items and item.items().is_leaf and self.is_list_of_items(i)

    def later_closer(self, i: int, shape: Shape) -> int:
        """The closing tag of an empty one that was meant as an opening one: no other tag opens it, and what stands in
        front of it belongs there. -1 where there is none.
        """
        j, key = i + 1, self.heads[i].key
        if j >= self.count or (not shape.is_leaf and shape.place(self.heads[j]) is None):
            return -1
        until = j + (1 if shape.is_leaf else self.spend(self.count - j))
        while j < until:
            if self.heads[j].key == key and self.partner(j) < 0:
                return j if self.heads[j].kind == CLOSE else -1
            j = max(self.partner(j), j) + 1 if self.heads[j].key == key else j + 1
        return -1

    def open_after_all(self, i: int, closer: int) -> Head:
        """Makes an empty tag the opening one of a closing tag, if there is one."""
        empty = self.heads[i]
        self.heads[i] = Head(OPEN, empty.tag, empty.rest, empty.name)
        if self._partners is not None and closer >= 0:
            self._partners[i], self._partners[closer] = closer, i
        return self.heads[i]

    def is_other_option(self, i: int, head: Head) -> bool:
        """Whether the tag of an option stands empty behind that of another one, in one element."""
        top = self.frames[-1]
        place = top.shape.place(head) if top.is_decided and "=" not in head.rest else None
        is_empty = head.kind == EMPTY or (i + 1 < self.count and self.partner(i) == i + 1)
        if place is None or place.role is not OPTION or not is_empty or not self.stays(len(self.frames) - 1, i):
            return False
        return head.kind == EMPTY or not self.text[self.ends[i] : self.starts[i + 1]].strip(GAP)

    def is_in_guessed_list(self, i: int) -> bool:
        """Whether what only its place makes a list goes on behind tag `i`: then what stands in it are its items."""
        return self.frames[-1].shape.holds_items and self.stays(len(self.frames) - 1, i)

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

    def is_mentioned_again(self, frame: Frame, i: int) -> bool:
        """Whether prose behind all that a frame needs names a field of it once more."""
        if not frame.is_whole() or self.heads[i].kind != OPEN or self.partner(i) >= 0:
            return False
        line = self.text[self.ends[i - 1] : self.starts[i]].rpartition("\n")[2]
        return bool(line.strip(DECORATION))

    def is_entry(self, head: Head) -> bool:
        """Whether a tag with a key is that of an entry: some open element is a map."""
        if head.key != "entry" or attribute(head.rest, "key") is None:
            return False
        return any(frame.shape.holds_entries for frame in self.frames)

    def is_implied_and_whole(self, frame: Frame) -> bool:
        """Whether an element is an item without tags that has all it needs, so that another one may follow."""
        return frame.element.role is ITEM and frame.token < 0 and frame.is_whole()

    def is_item_again(self, i: int, head: Head) -> bool:
        """Whether another name of an item stands around all that an item holds: `<li><step>...</step></li>`."""
        if len(self.frames) < 2 or self.heads[i].kind != OPEN:
            return False
        item, end = self.frames[-1], self.partner(i)
        if item.element.role is not ITEM or item.element.children or item.token < 0:
            return False
        if item.holds_any() and item.shape.nested(head) is not None:
            return False
        is_first = not self.text[item.element.inner_start : self.starts[i]].strip(GAP)
        is_last = i < end and end + 1 == self.partner(item.token)
        return is_first and is_last and head.key in self.frames[-2].shape.item_names

    def is_object_again(self, i: int, head: Head) -> bool:
        """Whether the class's name, or the same name again, stands around all that an object holds, or has that in the
        attributes of an empty tag.
        """
        top, end = self.frames[-1], self.partner(i)
        if head.kind == EMPTY:
            return "=" in head.rest and not top.holds_any() and head.key in top.shape.classes
        if head.kind != OPEN or top.element.children or top.token < 0 or not top.shape.holds_fields:
            return False
        if head.key != top.key and head.key not in top.shape.classes:
            return False
        if top.holds_any() and top.shape.nested(head) is not None:
            return False  # it holds values as attributes, and another one of its kind
        is_first = not self.text[top.element.inner_start : self.starts[i]].strip(GAP)
        return is_first and i < end and end + 1 == self.partner(top.token)

    def is_cut_in_attributes(self, frame: Frame) -> bool:
        """Whether an object that is written as attributes has no closing tag: another one like it stands in it."""
        return "=" in frame.element.head.rest and frame.token >= 0 and self.partner(frame.token) < 0

    def is_behind_its_own(self, top: Frame, last: Frame, i: int, head: Head) -> bool:
        """Whether an item stands right behind its list, an entry behind its map, or what an object lacks behind that,
        which was closed too early.
        """
        is_item = head.key in ITEM_NAMES and (last.shape.holds_items or last.shape.holds_entries)
        if top.element.children[-1:] != [last.element] or not (is_item or last.wants(head)):
            return False
        return last.takes(head) is not None and not self.text[last.element.end : self.starts[i]].strip(GAP)

    def is_behind_list_of(self, last: Frame, i: int, head: Head) -> bool:
        """Whether an item stands right behind the list of an object that both are in: that object's closing tag comes
        later.
        """
        top = self.frames[-1]
        if head.key not in ITEM_NAMES or top.token < 0 or not self.is_behind_its_own(top, last, i, head):
            return False
        return i < self.partner(i) < self.partner(top.token) and self.has_end(len(self.frames) - 1, i)

    def wraps(self, top: Frame, i: int, until: int) -> bool:
        """Whether an unknown element holds what is still missing from the one around it."""
        if i < self._wrapped < until:
            return True
        end = min(until, i + 1 + self.spend(until - i))
        j = i + 1
        while j < end:
            head = self.heads[j]
            place = top.takes(head) if head.kind in (OPEN, EMPTY) else None
            if place is not None and self.may_be_either(top, j, place):
                place = None
            if place is not None and (place.role is IMPLICIT or self.is_within_item(top, j, place)):
                return False  # what it holds is that of an item
            if place is not None and place.role in (FIELD, ITEM, OPTION) and not self.comes_later(top, place, until):
                self._wrapped = j
                return True
            within = self.partner(j) if place is not None and head.kind == OPEN else -1
            j = within + 1 if within > j else j + 1
        return False

    def holds_any(self, i: int, keys: Collection[str]) -> bool:
        """Whether an element of one of some folded names stands right in the one that tag `i` opens."""
        end = self.partner(i) if self.heads[i].kind == OPEN else i
        end, j = i + 1 + self.spend(max(end - i - 1, 0)), i + 1
        while j < end:
            if self.heads[j].key in keys and self.heads[j].kind in (OPEN, EMPTY):
                return True
            j = max(self.partner(j), j) + 1
        return False

    def may_be_either(self, top: Frame, j: int, place: Place) -> bool:
        """Whether a tag in an unknown element of a list of lists is empty: an empty list, or an item of one."""
        if place.role is not ITEM or not top.shape.items().holds_items:
            return False
        return self.partner(j) == j + 1 and not self.text[self.ends[j] : self.starts[j + 1]].strip(GAP)

    def is_within_item(self, top: Frame, j: int, place: Place) -> bool:
        """Whether a tag in an unknown element of a list is no item of the list, but stands in what would be one."""
        items = top.shape.items() if place.role is ITEM else None
        if items is None:
            return False
        is_field = items.holds_fields and items.field(self.heads[j]) is not None
        return is_field or (items.holds_items and not self.is_list_of_items(j))

    def is_field_of_item(self, frame: Frame, place: Place, i: int) -> bool:
        """Whether a tag that could be an item is a field of one instead: it holds a text, where items are objects."""
        if place.role is not ITEM or not place.shape.holds_fields or i + 1 >= self.count:
            return False
        head, behind = self.heads[i], self.behind_asides(i + 1)
        inner = place.shape.field(head)
        if inner is None or not inner.shape.is_leaf or behind >= self.count:
            return False
        if not self.text[self.ends[i] : self.starts[behind]].strip(GAP):
            return False
        after = self.heads[behind]
        return after.key == head.key if after.kind == CLOSE else place.shape.field(after) is not None

    def is_near_field_of_item(self, top: Frame, head: Head) -> bool:
        """Whether a tag right in a list is that of a field of its items, misspelt."""
        items = top.shape.items()
        return items.holds_fields and head.key not in self.known and items.near(head) is not None

    def wraps_items(self, top: Frame, i: int) -> bool:
        """Whether an unknown element in a list of objects holds others that are unknown: then those are the items."""
        items = top.shape.items() if top.shape.holds_items else None
        if items is None or not items.holds_fields or i + 1 >= self.count or self.heads[i + 1].kind != OPEN:
            return False
        is_first = not self.text[self.ends[i] : self.starts[i + 1]].strip(GAP)
        return is_first and items.place(self.heads[i + 1]) is None and self.partner(i + 1) > i

    def comes_later(self, top: Frame, place: Place, i: int) -> bool:
        """Whether a field stands behind tag `i` as well, outside of the wrapper that holds one of its name."""
        if place.role is not FIELD:
            return False
        end = self.partner(top.token) if top.token >= 0 else -1
        end = min(end if end >= 0 else self.count, i + 1 + self.spend(self.count - i))
        return any(self.heads[j].kind == OPEN and top.takes(self.heads[j]) == place for j in range(i + 1, end))
