"""Which elements only stand around others: a name that nobody asked for, an item's or an object's once more.

A tag that names the class of an object and one of its fields too is the class's where it stands around all that the
object holds, its elements and no text, and the field could not hold these. An element of its own name alone is the
field only if that holds no tags, for else it may be a document that is the field's text.
"""

from __future__ import annotations

from collections.abc import Collection

from ...definition import ITEM_NAMES, Plan
from ...markup import GAP
from ..scalars.text import without_comments
from .elements import ENTRY, FIELD, IMPLICIT, ITEM, LISTED, OPTION
from .frames import Frame
from .mentions import Mentions
from .shape import Place
from .tokens import CLOSE, EMPTY, OPEN, Head, Tags, attribute

__all__ = ["Wrappers"]

_LISTS = ("ul", "ol")
"""What HTML has around the items of a list."""


class Wrappers(Mentions):
    """Tells elements from what is wrapped around them."""

    def __init__(self, plan: Plan, tags: Tags, text: str) -> None:
        super().__init__(plan, tags, text)
        self._wrapped = -1

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

    def wraps_items(self, top: Frame, i: int) -> bool:
        """Whether an unknown element in a list of objects holds others that are unknown: then those are the items."""
        items = top.shape.items() if top.shape.holds_items else None
        if items is None or not items.holds_fields or i + 1 >= self.count or self.heads[i + 1].kind != OPEN:
            return False
        is_first = not self.between(i, i + 1)
        return is_first and items.place(self.heads[i + 1]) is None and self.partner(i + 1) > i

    def may_be_either(self, top: Frame, j: int, place: Place) -> bool:
        """Whether a tag in an unknown element of a list of lists is empty: an empty list, or an item of one."""
        if place.role is not ITEM or not top.shape.items().holds_items:
            return False
        return self.partner(j) == j + 1 and not self.between(j, j + 1)

    def is_within_item(self, top: Frame, j: int, place: Place) -> bool:
        """Whether a tag in an unknown element of a list is no item of the list, but stands in what would be one."""
        items = top.shape.items() if place.role is ITEM else None
        if items is None:
            return False
        is_field = items.holds_fields and items.field(self.heads[j]) is not None
        return is_field or (items.holds_items and not self.is_list_of_items(j))

    def comes_later(self, top: Frame, place: Place, i: int) -> bool:
        """Whether a field stands behind tag `i` as well, outside of the wrapper that holds one of its name."""
        if place.role is not FIELD:
            return False
        end = self.partner(top.token) if top.token >= 0 else -1
        end = min(end if end >= 0 else self.count, i + 1 + self.spend(self.count - i))
        return any(self.heads[j].kind == OPEN and top.takes(self.heads[j]) == place for j in range(i + 1, end))

    def holds_any(self, i: int, keys: Collection[str]) -> bool:
        """Whether an element of one of some folded names stands right in the one that tag `i` opens."""
        end = self.partner(i) if self.heads[i].kind == OPEN else i
        end, j = i + 1 + self.spend(max(end - i - 1, 0)), i + 1
        while j < end:
            if self.heads[j].key in keys and self.heads[j].kind in (OPEN, EMPTY):
                return True
            j = max(self.partner(j), j) + 1
        return False

    def is_around_others(self, place: Place, i: int, head: Head) -> bool:
        """Whether a tag that could be an item or an entry stands around nothing but others of these: `<con><li>...`."""
        inner, end = self.heads[i + 1], self.partner(i)
        if self.is_only_one_around_items(place, i, end):
            return True
        if head.tag == "li" or end < i or inner.key == head.key or not self.is_other(place, i + 1):
            return False
        if self.is_text_of(end + 1, head.key) or self.is_text_of(i - 2, head.key):
            return False  # it is one of its kind itself
        last = self.heads[end - 1]
        is_closed = last.kind == CLOSE and last.key == inner.key
        return is_closed and not self.between(end - 1, end)

    def is_only_one_around_items(self, place: Place, i: int, end: int) -> bool:
        """Whether an item that cannot be a list is the only one of its own and holds items alone, more than one."""
        top, key = self.frames[-1], self.heads[i + 1].key
        is_no_list = place.role is ITEM and place.shape.is_leaf and not place.shape.is_any
        if not is_no_list or top.shape.length or key not in ITEM_NAMES:
            return False
        if top.element.children or end < i + 5 or self.partner(top.token) != end + 1:
            return False
        j, last = i + 1, i
        while j < end and self.spend(1):
            if self.heads[j].key != key or self.partner(j) <= j or self.between(last, j):
                return False
            last = self.partner(j)
            j = last + 1
        return j == end and not self.between(last, end) and not self.between(end, end + 1)

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

    def begins_anew(self, top: Frame, i: int, head: Head) -> bool:
        """Whether a list or a map begins once more behind what it holds, and is closed once."""
        is_own = head.key == top.key or (len(self.frames) == 1 and head.key in self.root_keys)
        return is_own and bool(top.element.children) and top.token >= 0 and not i < self.partner(top.token)

    def is_class_around(self, place: Place, i: int, head: Head) -> bool:
        """Whether a tag that is a field's, as well as that of the class of what is on top, is the class's."""
        top = self.frames[-1]
        if place.role is not FIELD or head.kind != OPEN or head.key not in top.shape.class_tags:
            return False
        children = top.element.children
        if not self.is_beginning_with_tag(i) or (children and children[-1].role is not OPTION):
            return False
        before = self.text[(children[-1].end if children else top.element.inner_start) : self.starts[i]]
        if without_comments(before.strip(GAP)):
            return False
        end, until = self.partner(i), self.partner(top.token) if top.token >= 0 else -1
        if end < 0 < until == self.partner(i + 1) + 1:
            end = until - 1
            self.pair_up(i, end)  # the field's closing tag is missing, not the class's
        if end < 0:
            return until < 0 and self.holds_fields_of(top, place, i, self.count)
        behind = self.behind_asides(end + 1)
        is_last = behind == until or (until < 0 and not self.is_for_top(behind)) or self.is_option_behind(end)
        return is_last and self.holds_fields_of(top, place, i, end)

    def is_option_behind(self, end: int) -> bool:
        """Whether the class's tag of an option stands right behind a tag, as that of another one."""
        union, j = self.frames[-1].shape, self.behind_asides(end + 1)
        if union.node.kind != "union" or j >= self.count or self.heads[j].kind != OPEN:
            return False
        return self.heads[j].key in union.class_tags and not self.between(end, j)

    def is_for_top(self, j: int) -> bool:
        """Whether a tag opens what has a place in the innermost element."""
        is_opening = j < self.count and self.heads[j].kind in (OPEN, EMPTY)
        return is_opening and self.frames[-1].shape.place(self.heads[j]) is not None

    def is_beginning_with_tag(self, i: int) -> bool:
        """Whether an element begins with an element, with or without something in it."""
        j = self.behind_asides(i + 1)
        return j < self.count and self.heads[j].kind in (OPEN, EMPTY) and not self.between(i, j)

    def holds_fields_of(self, top: Frame, field: Place, i: int, end: int) -> bool:
        """Whether all between two tags is fields of an object, which one of its fields, of the tag's name, does not
        take.
        """
        stop, j, last = min(end, i + 1 + self.spend(end - i)), self.behind_asides(i + 1), -1
        is_other, found = False, 0
        while j < stop:
            head = self.heads[j]
            if head.kind not in (OPEN, EMPTY) or (last >= 0 and self.between(last, j)):
                return False
            if top.shape.field(head) is None and top.shape.near(head) is None:
                return False
            is_other = is_other or field.shape.place(head) is None
            last, found = self.partner(j) if head.kind == OPEN else j, found + 1
            is_plain = last <= j + 1
            j = self.behind_asides(max(last, j) + 1)
        if not is_other or (last >= 0 and end < self.count and self.between(last, end)):
            return False
        return found > 1 or is_plain
