"""The elements that are open: which of them takes a tag, and which still have their own closing tags to come."""

from __future__ import annotations

from ...definition import ITEM_NAMES, Plan
from .elements import CHOSEN, ENTRY, FIELD, IMPLICIT, ITEM, LISTED, OPTION
from .frames import Frame
from .reasoning import Reasoning
from .shape import Place
from .surroundings import Surroundings
from .tokens import OPEN, Head, Tags

__all__ = ["Stack"]


class Stack(Surroundings):
    """The open elements, the outermost first, and what else is open: wrappers and blocks of reasoning."""

    def __init__(self, plan: Plan, tags: Tags, text: str) -> None:
        super().__init__(plan, tags, text)
        self.frames: list[Frame] = []
        self.transparent: set[int] = set()  # closing tags of wrappers
        self.reasoning = Reasoning()

    def stays(self, depth: int, i: int) -> bool:
        """Whether some frame from `depth` on has its own closing tag behind tag `i`, and before the end of what holds
        it: closing tags pair up by name alone, so one of these may pair with a tag that was never closed.
        """
        limit = self.count
        for below in self.frames[:depth]:
            end = self.partner(below.token) if below.token >= 0 else -1
            limit = end if i < end < limit else limit
        return any(frame.token >= 0 and i < self.partner(frame.token) < limit for frame in self.frames[depth:])

    def with_ends(self, i: int) -> list[bool]:
        """Which frames have their own closing tag behind tag `i`, and before the end of what holds them."""
        limit, found = self.count, []
        for frame in self.frames:
            end = self.partner(frame.token) if frame.token >= 0 else -1
            found.append(i < end < limit)
            limit = end if found[-1] else limit
        return found

    def has_end(self, depth: int, i: int) -> bool:
        """Whether a frame has its own closing tag behind tag `i`, and before the end of what holds it."""
        return self.with_ends(i)[depth]

    def end_of_parent(self) -> int:
        """The closing tag of what holds a value; -1 where it has none. Without a tag of its own it ends with what
        holds it.
        """
        token = next((frame.token for frame in reversed(self.frames) if frame.token >= 0), -1)
        return self.partner(token) if token >= 0 else self.count

    def is_unclosed(self) -> bool:
        """Whether nothing closes the answer."""
        return bool(self.frames) and self.frames[0].token >= 0 and self.partner(self.frames[0].token) < 0

    def is_enclosed(self, i: int) -> bool:
        """Whether an element stands in an open one, with the closing tags of both."""
        end = self.partner(i) if self.heads[i].kind == OPEN else i
        return end >= i and any(frame.token >= 0 and self.partner(frame.token) > end for frame in self.frames)

    def is_around(self, j: int) -> bool:
        """Whether a closing tag ends something that holds the whole answer."""
        opened = self.partner(j)
        return opened >= 0 and bool(self.frames) and self.starts[opened] < self.frames[0].element.start

    def last_known(self) -> int:
        """Behind the last thing in the open elements that the definition knows."""
        element = self.frames[-1].element
        return next((c.reach() for c in reversed(element.children) if c.role is not None), element.inner_start)

    def is_expected(self, j: int) -> bool:
        """Whether some open element takes a tag, or it is the root's."""
        return self.taken_at(j) >= 0 or self.heads[j].key in self.root_keys

    def taken_at(self, j: int) -> int:
        """The depth of the innermost open element that takes a tag, or -1. A map, which takes any, does so only where
        it is the innermost.
        """
        head = self.heads[j]
        for depth in range(len(self.frames) - 1, -1, -1):
            place = self.frames[depth].expects(head)
            if place is None:
                continue
            by_name = place.role is ENTRY and head.key not in ITEM_NAMES
            if depth == len(self.frames) - 1 or (not by_name and self.is_plausible(depth, place, j, head)):
                return depth
        return -1

    def is_taken(self, j: int, head: Head) -> bool:
        """Whether the innermost element takes a tag."""
        return bool(self.frames) and self.frames[-1].expects(head) is not None and not self.is_no_entry(j, head)

    def is_plausible(self, depth: int, place: Place, i: int, head: Head) -> bool:
        """Whether a tag may go past the frames above `depth`: a map takes any name, so only where those have ended;
        the next of objects that run together begins with the first field of the last one, once that is complete and
        nothing in it is open.
        """
        above = self.frames[depth + 1]
        if place.role is ENTRY:
            is_next = self.frames[depth].is_of_form(head) and not self.stays(depth + 1, i)
            return head.key in ITEM_NAMES or is_next
        if place.role is CHOSEN and self.stays(depth + 1, i):
            return False
        if place.role is LISTED and above.element.name == place.name:
            return False  # its list is open
        if place.role is IMPLICIT and above.element.role is ITEM:
            return self.begins_item(above, head) and not self.stays(depth + 2, i)
        return True

    def begins_item(self, item: Frame, head: Head) -> bool:
        """Whether a tag is that of the first field of an item that is complete, or of one that it cannot have: then it
        begins another one.
        """
        again = item.shape.place(head)
        is_next = again is not None and (again.name == item.first or item.is_of_next(again.name))
        return is_next and item.is_whole()

    def is_for(self, frame: Frame, head: Head) -> bool:
        """Whether a tag has a place of its own in a frame. A map takes any: only an item's name is for it."""
        place = frame.takes(head)
        if place is None:
            return False
        is_of_map = place.role is ENTRY and (frame.is_keyed(head) if frame.form else head.key in ITEM_NAMES)
        return is_of_map or place.role in (FIELD, ITEM, LISTED, CHOSEN, OPTION)

    def is_misspelt(self, head: Head) -> bool:
        """Whether a tag is that of a field of the innermost element, misspelt."""
        if head.key in self.known or not self.frames:
            return False
        near = self.frames[-1].shape.near(head)
        return near is not None and near.name not in self.frames[-1].seen

    def is_for_outer(self, j: int) -> bool:
        """Whether the innermost element takes no such tag; one further out may."""
        return self.taken_at(j) < len(self.frames) - 1

    def is_further_out(self, j: int) -> bool:
        """Whether what takes a tag holds something that goes on behind it."""
        depth = self.taken_at(j)
        return 0 <= depth < len(self.frames) - 1 and self.stays(depth + 1, j)

    def is_no_entry(self, j: int, head: Head) -> bool:
        """Whether a tag in a map, which takes any name, is a part of a text: nothing closes it, or text goes on behind
        it.
        """
        place = self.frames[-1].takes(head) if self.frames else None
        if place is None or place.role is not ENTRY or head.key in ITEM_NAMES:
            return False
        return (head.kind == OPEN and self.partner(j) < j) or self.is_inline(j, head)

    def is_next_entry(self, j: int, head: Head) -> bool:
        """Whether a tag with a key begins the next entry of the innermost map: it is neither a closing one nor, unless
        the reply breaks off right behind its element, a part of a text.
        """
        if not self.frames or not self.frames[-1].is_keyed(head):
            return False
        return max(self.partner(j), j) + 1 < self.count or not self.is_inline(j, head)

    def is_next_item(self, j: int, head: Head) -> bool:
        """Whether the opening tag of an item or an entry, in a text that has no closing tag, is that of the next one,
        whatever stands behind that: it has its own closing tag.
        """
        if head.kind != OPEN or self.partner(j) < j or not self.frames:
            return False
        after = self.heads[j + 1]
        if (after.key, after.kind) == (head.key, OPEN) and not self.between(j, j + 1):
            return False
        place = self.frames[-1].expects(head)
        return place is not None and place.role in (ITEM, ENTRY) and not self.is_quoted(j)

    def is_end(self, j: int, head: Head) -> bool:
        """Whether a closing tag ends something open, a wrapper, what holds the whole answer, or a root without an
        opening tag.
        """
        if j in self.transparent or self.is_around(j) or any(frame.key == head.key != "" for frame in self.frames):
            return True
        if not head.key:
            return any(frame.token >= 0 and self.partner(frame.token) < 0 for frame in self.frames)
        return bool(self.frames) and self.frames[0].token < 0 and head.key in self.root_keys

    def ends_something(self, j: int, begun: int) -> bool:
        """Whether a closing tag is that of something open, which no tag behind `begun` opened once more."""
        head = self.heads[j]
        if self.ends_thought(j):
            return True
        if j in self.transparent or not head.key:
            return j in self.transparent
        return any(frame.key == head.key for frame in self.frames) and self.partner(j) < begun

    def ends_thought(self, j: int) -> bool:
        """Whether a closing tag ends reasoning: a block that is open, or one that began with the reply."""
        return self.heads[j].key in self.reasoning_keys and (self.reasoning.depth > 0 or self.partner(j) < 0)
