"""Texts that ended too early: each goes on up to another closing tag of its name.

A closing tag that nothing opens, with a text in front of it and something behind it that the definition knows, says
that the field of its name may go on up to it. Where all that was read since comes once more behind it, it does: that
was a part of the text. Else nobody knows where the text ends.
"""

from __future__ import annotations

from bisect import bisect_left

from ...definition import fold
from ...markup import GAP
from .elements import FIELD, Element
from .frames import Frame
from .runs import Run, filled
from .swallowed import Swallowed
from .tokens import OPEN, Head

__all__ = ["Resumed"]


class Resumed(Swallowed):
    """Goes on with texts."""

    def resumed(self, i: int, head: Head) -> bool:
        """Whether a stray closing tag ends a text that stands before it."""
        top = self.frames[-1]
        if not self.text_before(i).strip(GAP) or self.heads[i - 1].kind == OPEN or not self.goes_on(i):
            return False
        index = self.text_of(top, head)
        if index < 0:
            return False
        children, child = top.element.children, top.element.children[index]
        if not self.come_later(children[index + 1 :], i):
            child.is_unclear = True
            return False
        del children[index + 1 :]
        top.element.notes = [note for note in top.element.notes if note.start < child.end]
        top.seen = filled(top.element)
        child.inner_end, child.end, child.last = self.starts[i], self.ends[i], i
        return True

    def come_later(self, elements: list[Element], i: int) -> bool:
        """Whether all fields among some elements stand behind tag `i` once more."""
        names = {name for each in elements if each.role is not None for name in _names(each)}
        return all(name and self.opens_later(fold(name), i) for name in names)

    def text_of(self, top: Frame, head: Head) -> int:
        """The place of the field of a tag's name among the children of an element, if it is a text with its own closing
        tag; else -1.
        """
        place, children = top.shape.place(head), top.element.children
        if place is None or place.role is not FIELD or not place.shape.is_verbatim:
            return -1
        first = len(children) - self.spend(len(children))
        for index in range(len(children) - 1, first - 1, -1):
            child = children[index]
            if isinstance(child, Run) and not child.is_list and place.name in child.values:
                return self.taken_apart(top, index, place.name)
            if child.role is FIELD and child.name == place.name:
                return index if child.token >= 0 and not child.notes else -1
        return -1

    def taken_apart(self, top: Frame, index: int, name: str) -> int:
        """The place of a field that stands in a run, once it is an element of its own."""
        run, runs = top.element.children[index], top.shape.runs
        assert isinstance(run, Run) and runs is not None
        tags = bisect_left(self.starts, run.end) - bisect_left(self.starts, run.start)
        if self.spend(tags) < tags:
            return -1
        field = run.field(name)
        field.token = bisect_left(self.starts, field.start)
        parts: list[Element] = [
            runs.run(match)
            for start, end in ((run.start, field.start), (field.end, run.end))
            if (match := runs.match(self.text, start, end)) is not None and match.end() > start
        ]
        before = [part for part in parts if part.start < field.start]
        top.element.children[index : index + 1] = [*before, field, *(part for part in parts if part not in before)]
        return index + len(before)


def _names(element: Element) -> list[str]:
    """The names of the fields that an element or a run is; an empty one for what is none."""
    if isinstance(element, Run):
        return [""] if element.is_list else list(element.values)
    return [element.name if element.role is FIELD else ""]
