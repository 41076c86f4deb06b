"""Answers: where one begins, with its root's tag or without, and where another one begins in it."""

from __future__ import annotations

from ...definition import ITEM_NAMES, Node, Plan, fold
from ...findings import RepairKind
from ...markup import GAP
from ..lines.lines import are_lines, begins_line
from .elements import ENTRY, FIELD, ITEM, OPTION, Element
from .entering import NO_TAG, Entering
from .frames import Frame
from .surroundings import DECORATION
from .tokens import CLOSE, EMPTY, OPEN, Head, Tags

__all__ = ["Roots"]


class Roots(Entering):
    """Begins answers. `lost` is where the last closing tag ends that stands outside of all answers and that nothing
    opens, and the name of its field.
    """

    def __init__(self, plan: Plan, tags: Tags, text: str) -> None:
        super().__init__(plan, tags, text)
        self.lost = (-1, "")

    def opened_outside(self, i: int, head: Head) -> int:
        """An opening tag outside of all answers: of reasoning, of a root, of something that has its place in one, or
        prose.
        """
        if head.key in self.reasoning_keys:
            if head.kind == OPEN:
                self.reasoning.begin(self.starts[i])
            return i + 1
        if self.is_root(head) and not self.is_field(i):
            return i + 1 if self.is_named(i) else self.begin(i, head)
        if self.gave_up or not self.may_begin_root(head):
            return i + 1
        if self.reaches_over_root(i) or self.is_prose(i) or self.is_renamed_root(i):
            return i + 1
        return self.begin_without_tag(i, head)

    def may_begin_root(self, head: Head) -> bool:
        """Whether a tag has its place in the root, so that an answer may begin with it."""
        place = self.shape.place(head)
        if place is None:
            return False
        return place.role in (FIELD, ITEM, OPTION) or (place.role is ENTRY and head.key in ITEM_NAMES)

    def begin_without_tag(self, i: int, head: Head) -> int:
        """Opens the answer that ends right before a tag once more, if it takes that; else one that has no root."""
        last = self.closed_root
        if last is not None and last.takes(head) and not self.text[last.element.end : self.starts[i]].strip(GAP):
            return self.reopen(last, i)
        self.open_without_tag(self.starts[i]).note(RepairKind.ROOT_MISSING, self.starts[i], self.ends[i])
        return i

    def closed_outside(self, i: int, head: Head) -> int:
        """A closing tag outside of all answers: it may be that of a value whose opening one is lost."""
        place = self.shape.place(head) if head.key not in self.reasoning_keys else None
        if place is None or place.role not in (FIELD, ITEM, ENTRY) or self.partner(i) >= 0 or not self.is_behind(i):
            return self.closed_thought(i, head)
        behind = self.ends[i - 1] if i else 0
        root = self.open_without_tag(max(self.text.rfind("\n", behind, self.starts[i]) + 1, behind))
        root.note(RepairKind.ROOT_MISSING, root.start, root.start)
        if not self.opened_before(i, head):
            self.roots.pop()
            self.frames.clear()
            self.lost = self.ends[i], place.name
        return i + 1

    def is_behind(self, i: int) -> bool:
        """Whether something stands right in front of a tag: a text, or an element with a known name."""
        return bool(self.text_before(i).strip(GAP)) or (i > 0 and self.heads[i - 1].key in self.known)

    def open_without_tag(self, start: int) -> Element:
        """Opens an answer that has no root."""
        root = Element(NO_TAG, FIELD, "", start, start)
        if self.lost[0] >= 0 and not self.text[self.lost[0] : start].strip(GAP):
            root.lost = self.lost[1]
        self.roots.append(root)
        self.frames.append(Frame(root, self.shape, "", -1))
        return root

    def begin(self, i: int, head: Head) -> int:
        """Opens an answer: an empty tag too, if a closing one comes that nothing else opens."""
        shape = self.shape.marked(head) if "type" in head.rest else self.shape
        closer = self.later_root_closer(i) if head.kind == EMPTY else -1
        head = self.open_after_all(i, closer) if closer >= 0 else head
        root = Element(head, FIELD, "", self.starts[i], self.ends[i])
        self.roots.append(root)
        self.gave_up = False
        if closer >= 0:
            root.note(RepairKind.REOPENED, self.starts[i], self.ends[i])
        if head.kind == EMPTY:
            self.closed_root = Frame(root, shape, head.key, i)
            return i + 1
        if shape.is_leaf:
            return self.leaf(root, shape, i)
        self.frames.append(Frame(root, shape, head.key, i))
        return self.behind_lines(i, shape.node) or self.behind_json(i)

    def later_root_closer(self, i: int) -> int:
        """The root's next closing tag, if nothing opens it; -1 where there is none, or another root begins before."""
        ahead = range(i + 1, i + 1 + self.spend(self.count - i - 1))
        found = next((j for j in ahead if self.heads[j].key in self.root_keys), -1)
        return found if found >= 0 and self.heads[found].kind == CLOSE and self.partner(found) < 0 else -1

    def behind_lines(self, i: int, node: Node) -> int:
        """The closing tag behind the lines that stand in place of the elements of the root; 0 where none do."""
        until = self.partner(i) if begins_line(self.text, self.ends[i]) else -1
        if until < i + 2 or self.spend(until - i) < until - i:
            return 0
        return until if are_lines(self.text[self.ends[i] : self.starts[until]], node) else 0

    def root_again(self, i: int, head: Head) -> int:
        """The root's tag inside an answer: around the same data once more, or the beginning of another answer."""
        root = self.frames[0].element
        if root.children or len(self.frames) > 1:
            again = self.close(0, self.starts[i])
            return self.begin(i, head) if again is None else again
        if self.partner(self.frames[0].token) > i and not self.text[root.inner_start : self.starts[i]].strip(GAP):
            return self.look_through(i, head)
        self.roots.pop()  # a tag that prose mentions
        self.frames.clear()
        return self.begin(i, head)

    def behind_prose(self, i: int, head: Head) -> int:
        """Prose in an answer without a root mentions tags, and what is there already begins another answer behind it.
        Returns the tag to read on from; 0 where it is neither.
        """
        root = self.frames[0].element
        since = root.children[-1].reach() if root.children else root.inner_start
        if self.is_prose(i, since):
            return i + 1
        if not self.begins_another(i, head, since):
            return 0
        again = self.close(0, since)
        return self.opened_outside(i, head) if again is None else again

    def begins_another(self, i: int, head: Head, since: int) -> bool:
        """Whether a tag begins another answer behind one without a root: with the field that this one began with, once
        that has all it needs, or behind prose with anything that is there.
        """
        root = self.frames[0]
        place = root.shape.place(head)
        if place is not None and place.name == root.first and len(root.seen) > 1 and root.is_whole():
            return True
        if not self.text[since : self.starts[i]].strip(DECORATION):
            return False
        if place is None:
            return self.holds_any(i, {fold(name) for name in root.seen})
        return place.role is FIELD and place.name in root.seen
