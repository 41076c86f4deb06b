"""Closing tags: the elements that they end, those that end along with them, and tags that end nothing."""

from __future__ import annotations

from ...definition import Plan
from ...findings import RepairKind
from ...markup import GAP
from .elements import FIELD, ITEM, RUN, Element
from .frames import Frame
from .resumed import Resumed
from .runs import Run
from .tokens import CLOSE, OPEN, Head, Tags

__all__ = ["Closing"]

_TELLING = ("bool", "enum")
"""Kinds whose values tell by themselves whether they are whole."""


class Closing(Resumed):
    """Closes elements. `last_closed` was the last one that could have gone on, `closed_root` the last answer."""

    def __init__(self, plan: Plan, tags: Tags, text: str) -> None:
        super().__init__(plan, tags, text)
        self.closed_root: Frame | None = None
        self.last_closed: Frame | None = None

    def closed(self, i: int, head: Head) -> int:
        """A closing tag. Returns the tag to read on from."""
        if i in self.transparent:
            return i + 1
        if self.ends_thought(i):
            return self.closed_thought(i, head)
        depth = self.depth_closed(i, head)
        if depth is None:
            return self.closed_nothing(i, head)
        frame = self.frames[depth]
        if frame.key != head.key:
            frame.element.note(
                RepairKind.CLOSER_RESPELLED, self.starts[i], self.ends[i], f"</{frame.element.head.tag}>"
            )
        again = self.close(depth, self.starts[i], self.ends[i])
        return i + 1 if again is None else again

    def closed_nothing(self, i: int, head: Head) -> int:
        """A closing tag of nothing that is open: of what holds an answer without a root, which ends with that; of text
        that lost its opening tag; of a text that ended before it; else it is stray.
        """
        root = self.frames[0]
        if root.token < 0 and root.is_whole() and self.is_around(i):
            again = self.close(0, self.starts[i])
            return i + 1 if again is None else again
        if self.opened_before(i, head):
            return i + 1
        if self.resumed(i, head):
            return i + 1
        last = self.last_stray(i, head)
        self.frames[-1].element.note(RepairKind.TAG_DROPPED, self.starts[i], self.ends[last])
        return last + 1

    def opened_before(self, i: int, head: Head) -> bool:
        """Takes the text before a closing tag that nothing opens as the value of a field or an item: it begins with
        what is left of the opening tag, or is one line behind an element that was closed, and no other element of the
        name comes later.
        """
        top = self.frames[-1]
        place = top.takes(head) if all(frame.key != head.key for frame in self.frames) else None
        if place is None or place.role not in (FIELD, ITEM) or not place.shape.is_leaf:
            return False
        last = top.element.children[-1] if top.element.children else None
        torn = self.torn.at(last.reach() if last is not None else top.element.inner_start)
        start, (begin, is_sure) = torn.start, self.behind_opener(torn, i)
        if begin < 0:
            is_line = start < self.starts[i] == torn.line and not (last is not None and last.notes)
            if not is_line or self.partner(i) >= 0 or self.opens_later(head.key, i):
                return False
        element = Element(Head(OPEN, head.tag), place.role, place.name, start, max(begin, start))
        element.inner_end, element.end = self.starts[i], self.ends[i]
        element.note(RepairKind.OPENER_RESPELLED, start, element.inner_start, f"<{head.tag}>")
        element.is_unopened = not is_sure and (begin < 0 or place.shape.node.kind not in _TELLING)
        top.element.children.append(element)
        top.seen.update([place.name] if place.role is FIELD else [])
        return True

    def last_stray(self, i: int, head: Head) -> int:
        """The last of the same stray closing tags in a row, all of which are one finding."""
        if any(frame.key == head.key for frame in self.frames):
            return i  # what follows one of these decides
        while i + 1 < self.count and self.heads[i + 1] is head and i + 1 not in self.transparent:
            if self.between(i, i + 1):
                break
            i += 1
        return i

    def closed_thought(self, i: int, head: Head) -> int:
        """The end of a block of reasoning, and of a draft in it that was left open."""
        if head.key not in self.reasoning_keys:
            return i + 1
        if self.frames:
            again = self.close(0, self.starts[i])
            if again is not None:
                return again
        self.reasoning.end(self.ends[i])
        return i + 1

    def close(self, depth: int, inner_end: int, end: int | None = None) -> int | None:
        """Closes the frames from `depth` on: the lowest with its tag, if it has one (`end`), the others without.

        Returns the tag to read on from where a string in one of them has to be read again.
        """
        while len(self.frames) > depth:
            again = self.swallowed(self.frames[-1])
            if again is not None:
                return again
            frame = self.frames.pop()
            element = frame.element
            is_last = len(self.frames) == depth and end is not None
            element.inner_end = inner_end
            element.end = end if is_last and end is not None else inner_end
            if frame.key and not is_last:
                element.note(RepairKind.CLOSER_MISSING, inner_end, inner_end, f"</{element.head.tag}>")
            if frame.shape.holds_fields and self.frames and not self.is_cut and self.may_be_unclosed(frame, is_last):
                element.shared = self.shared(frame, self.frames[-1])
            if self.frames and self.is_meant_as_closer(self.frames[-1], element, frame):
                self.forget_item(self.frames[-1], element)
                continue
            self.last_closed = frame
            if not self.frames:
                self.closed_root = frame
        return None

    def may_be_unclosed(self, frame: Frame, is_closed: bool) -> bool:
        """Whether a field of an object has no closing tag, or that of another one of its name around it."""
        if frame.element.role is not FIELD or not frame.key or not self.frames[-1].shape.holds_fields:
            return False
        if not is_closed or all(other.key != frame.key for other in self.frames):
            return not is_closed
        ends = zip(self.frames, self.with_ends(frame.token), strict=True)
        return any(other.key == frame.key and not end for other, end in ends)

    def shared(self, frame: Frame, around: Frame) -> tuple[str, ...]:
        """The last fields of an object without a closing tag that the object around it could hold as well, since it
        lacks them.
        """
        names: list[str] = []
        for child in reversed(frame.element.children):
            for name in reversed(child.values if isinstance(child, Run) else (child.name,)):
                place = around.shape.place(Head(OPEN, name))
                is_for_both = place is not None and place.role is FIELD and place.name not in around.seen
                if not is_for_both or name in frame.shape.required:
                    return tuple(names)
                names.append(name)
        return tuple(names)

    def is_meant_as_closer(self, around: Frame, element: Element, frame: Frame | None = None) -> bool:
        """Whether the tag of an item that holds nothing and has no closing tag was meant as the closing one: of the
        list, or of the item before it, which has none either. One that has its own attributes says something.
        """
        children, rest = around.element.children, element.head.rest
        if "=" in rest and rest != (children[-2] if len(children) > 1 else around.element).head.rest:
            return False
        if element.role is not ITEM or element.children or element.end > element.inner_end or element.cut:
            return False
        if self.text[element.inner_start : element.inner_end].strip(GAP) or children[-1:] != [element]:
            return False
        is_short = frame is not None and frame.shape.holds_fields and not frame.is_whole()
        if is_short and element.inner_end < self.end and "=" not in element.head.rest:
            return True  # it stands twice, for the object behind it
        is_before_open = len(children) > 1 and children[-2].end == children[-2].inner_end and children[-2].role != RUN
        return is_before_open or element.head.key == around.key != ""

    def is_meant_as_list_end(self, around: Frame, element: Element, behind: int) -> bool:
        """Whether the tag of an item that holds nothing was meant as the closing one of its list, which has none: it is
        called like the list, and the closing tag behind it, that of something around the list, is none of its own.
        """
        if element.head.key != around.key or around is not self.frames[-1] or element.inner_end > element.inner_start:
            return False
        last = behind - 1
        is_around = any(frame.key == self.heads[last].key for frame in self.frames[:-1])
        return self.heads[last].kind == CLOSE and is_around and self.heads[last].key != around.key

    def forget_item(self, around: Frame, element: Element) -> None:
        around.element.children.pop()
        around.element.note(RepairKind.TAG_DROPPED, element.start, element.inner_start)
