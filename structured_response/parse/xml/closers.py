"""Which of the open elements a closing tag ends. Nothing is closed here."""

from __future__ import annotations

from ...definition import ITEM_NAMES, fold
from .elements import ITEM, VALUE_NAMES
from .shape import is_near
from .stack import Stack
from .tokens import CLOSE, EMPTY, OPEN, Head, attributes

__all__ = ["Closers"]


class Closers(Stack):
    """Tells what closing tags are for, misspelt ones and those of other names too."""

    def depth_closed(self, i: int, head: Head) -> int | None:
        """The depth of the frame that a closing tag closes."""
        frames = self.frames
        for depth in range(len(frames) - 1, -1, -1):
            if frames[depth].key == head.key != "" and self.is_end_of(depth, i):
                return depth
        if not head.key or any(frame.key == head.key for frame in frames):
            return None if head.key else self.without_end(i)
        for depth in range(len(frames) - 1, -1, -1):
            if head.key == fold(frames[depth].element.head.name):  # of a tag that carries its name as a value
                return depth
        for depth in range(len(frames) - 1, 0, -1):
            if frames[depth].element.role is ITEM and self.may_end_item(depth, i, head):
                return depth
        for depth in range(len(frames) - 1, -1, -1):
            if is_near(frames[depth].key, head.key) and (not self.stays(depth, i) or self.is_short_of_ends(depth, i)):
                return depth
        return None

    def without_end(self, i: int) -> int | None:
        """The depth of the innermost frame that has a tag, if its closing one is missing."""
        depth = max((depth for depth, frame in enumerate(self.frames) if frame.token >= 0), default=-1)
        return depth if depth >= 0 and not self.has_end(depth, i) else None

    def is_short_of_ends(self, depth: int, i: int) -> bool:
        """Whether one of the frames of a name, of which the innermost is open at a depth, has no closing tag left: the
        others have theirs by turns, so the one that is missing may be that of any.
        """
        key, ends = self.frames[depth].key, self.with_ends(i)
        return any(frame.key == key and not end for frame, end in zip(self.frames[:depth], ends, strict=False))

    def may_end_item(self, depth: int, i: int, head: Head) -> bool:
        """Whether a closing tag of another name an item may have ends one: not if its own comes later, or if it has a
        field of that name.
        """
        frame = self.frames[depth]
        if head.key not in self.frames[depth - 1].shape.item_names or self.stays(depth, i):
            return False
        return not (frame.shape.holds_fields and frame.shape.field(head) is not None)

    def is_end_of(self, depth: int, i: int) -> bool:
        """Whether a closing tag closes a frame: what follows it must not be for that frame, or for those above it."""
        if i + 1 >= self.count or self.between(i, i + 1):
            return True
        if self.is_one_too_many(depth, i):
            return False
        after = self.heads[i + 1]
        if after.kind == CLOSE:
            if not after.key or any(frame.key == after.key for frame in self.frames[:depth]):
                return True
            return not any(frame.key == after.key for frame in self.frames[depth + 1 :])
        if after.kind not in (OPEN, EMPTY) or after.key in self.root_keys or after.key == self.frames[depth].key:
            return True
        if any(self.is_for(frame, after) for frame in self.frames[:depth]):
            return True
        return not any(self.is_for(frame, after) for frame in self.frames[depth:])

    def is_one_too_many(self, depth: int, i: int) -> bool:
        """Whether a closing tag of an item stands there twice, so that it would end the item around it as well: that
        goes on behind it, and another closing tag of its name is left over at the end.
        """
        frame, last = self.frames[depth], self.heads[i - 1]
        if frame.element.role is not ITEM or last.kind != CLOSE or last.key != self.heads[i].key:
            return False
        goes_on = self.stays(depth + 1, i) or (frame.shape.holds_items and self.is_plain_item(i + 1))
        return goes_on and self.closes_too_often(frame.key, i)

    def is_plain_item(self, j: int) -> bool:
        """Whether an item begins with a text."""
        head, after = self.heads[j], self.heads[min(j + 1, self.count - 1)]
        is_item = head.kind == OPEN and head.key in ITEM_NAMES
        return is_item and after.kind == CLOSE and bool(self.between(j, j + 1))

    def may_close(self, i: int, j: int, head: Head, key: str) -> bool:
        """Whether a tag could have been meant as the closing tag of the value that tag `i` opens: misspelt, of another
        name that nothing in the value opens, or the opening tag once more.
        """
        if head.kind == CLOSE:
            return self.partner(j) <= i
        is_next = bool(self.frames) and self.frames[-1].is_keyed(head)
        return head.kind in (OPEN, EMPTY) and head.key == key and not is_next and not self.says_more(i, head)

    def says_more(self, i: int, head: Head) -> bool:
        """Whether a tag has other attributes than tag `i`, or the same, and tag `i` stands right before it: then it is
        no closing tag, whose attributes say nothing.
        """
        if "=" not in head.rest:
            return False
        return head.rest != self.heads[i].rest or (self.heads[i + 1] is head and not self.between(i, i + 1))

    def has_value(self, head: Head) -> bool:
        """Whether a tag says the value of its element, so that it begins one."""
        return "=" in head.rest and any(name.lower() in VALUE_NAMES for name, _given in attributes(head.rest))

    def is_wrong_closer(self, i: int, j: int, key: str) -> bool:
        """Whether a closing tag of a known name, or one near to a name, that nothing behind tag `i` opens stands right
        before the next tag.
        """
        head = self.heads[j]
        if head.kind != CLOSE or self.partner(j) > i or not (head.key in self.known or is_near(key, head.key)):
            return False
        return not self.between(j, j + 1)
