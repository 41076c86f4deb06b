"""Answers: where one begins, with its root's tag or without, and where another one begins in it."""

from __future__ import annotations

from ...definition import ITEM_NAMES, Node, fold
from ...findings import RepairKind
from ...markup import GAP
from ..lines.lines import are_lines, begins_line
from .elements import ENTRY, FIELD, ITEM, OPTION, Element
from .entering import NO_TAG, Entering
from .frames import Frame
from .surroundings import DECORATION
from .tokens import EMPTY, OPEN, Head

__all__ = ["Roots"]


class Roots(Entering):
    """Begins answers."""

    def opened_outside(self, i: int, head: Head) -> int:
        """An opening tag outside of all answers."""
        if head.key in self.reasoning_keys:
            if head.kind == OPEN:
                self.reasoning.begin(self.starts[i])
            return i + 1
        if self.is_root(head) and not self.is_field(i):
            return i + 1 if self.is_named(i) else self.begin(i, head)
        place = None if self.gave_up else self.shape.place(head)
        if place is None or not (
            place.role in (FIELD, ITEM, OPTION) or (place.role is ENTRY and head.key in ITEM_NAMES)
        ):
            return i + 1
        if self.reaches_over_root(i) or self.is_prose(i) or self.is_renamed_root(i):
            return i + 1
        last = self.closed_root
        if last is not None and last.takes(head) and not self.text[last.element.end : self.starts[i]].strip(GAP):
            last.element.note(RepairKind.REOPENED, self.starts[i], self.ends[i])
            self.frames.append(last)
        else:
            root = Element(NO_TAG, FIELD, "", self.starts[i], self.starts[i])
            root.note(RepairKind.ROOT_MISSING, self.starts[i], self.ends[i])
            self.roots.append(root)
            self.frames.append(Frame(root, self.shape, "", -1))
        return i

    def begin(self, i: int, head: Head) -> int:
        """Opens an answer."""
        root = Element(head, FIELD, "", self.starts[i], self.ends[i])
        self.roots.append(root)
        self.gave_up = False
        shape = self.shape.marked(head) if "type" in head.rest else self.shape
        if head.kind == EMPTY:
            self.closed_root = Frame(root, shape, head.key, i)
            return i + 1
        if shape.is_leaf:
            return self.leaf(root, shape, i)
        self.frames.append(Frame(root, shape, head.key, i))
        return self.behind_lines(i, shape.node) or self.behind_json(i)

    def behind_lines(self, i: int, node: Node) -> int:
        """The closing tag behind the lines that stand in place of the elements of the root; 0 where none do."""
        until = self.partner(i) if begins_line(self.text, self.ends[i]) else -1
        if until < i + 2 or self.spend(until - i) < until - i:
            return 0
        return until if are_lines(self.text[self.ends[i] : self.starts[until]], node) else 0

    def root_again(self, i: int, head: Head) -> int:
        """The root's tag inside an answer: around the same data once more, or the beginning of another answer."""
        root = self.frames[0].element
        if not root.children and len(self.frames) == 1:
            if self.partner(self.frames[0].token) > i and not self.text[root.inner_start : self.starts[i]].strip(GAP):
                root.note(RepairKind.WRAPPER_ENTERED, self.starts[i], self.ends[i], f"<{head.tag}>")
                self.transparent.add(self.partner(i))
                return i + 1
            self.roots.pop()  # a tag that prose mentions
            self.frames.clear()
            return self.begin(i, head)
        again = self.close(0, self.starts[i])
        return self.begin(i, head) if again is None else again

    def behind_prose(self, i: int, head: Head) -> int:
        """Prose in an answer without a root mentions tags, and what is there already begins another answer behind it.
        Returns the tag to read on from; 0 where it is neither.
        """
        root = self.frames[0]
        children = root.element.children
        since = children[-1].reach() if children else root.element.inner_start
        if self.is_prose(i, since):
            return i + 1
        place = root.shape.place(head)
        is_next = place is not None and place.name == root.first and len(root.seen) > 1 and root.is_whole()
        if not is_next:
            if not self.text[since : self.starts[i]].strip(DECORATION):
                return 0
            is_again = (
                place.role is FIELD and place.name in root.seen
                if place
                else self.holds_any(i, {fold(name) for name in root.seen})
            )
            if not is_again:
                return 0
        again = self.close(0, since)
        return self.opened_outside(i, head) if again is None else again
