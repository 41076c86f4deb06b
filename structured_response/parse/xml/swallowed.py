"""What an object lacks, and one of its strings had swallowed: that one is cut there, to be read again.

A tag that the string only names cuts nothing: one in backticks; one that nothing closes and that is spelt in another
way than the definition's name and the string's own tag; one that nothing closes and that stands like a word between
others, unless what follows is a value of its type. Where any text is one, nobody knows where the string ends. Nor is an
element that of a field with a single choice, if it holds another text.
"""

from __future__ import annotations

from ...definition import Plan
from ...findings import RepairKind
from ...markup import GAP
from ..scalars.scalars import read_scalar
from .elements import Element
from .frames import Frame
from .openings import Openings
from .runs import filled
from .shape import Place
from .tokens import EMPTY, OPEN, Tags

__all__ = ["Swallowed"]

_MAX_VALUE = 200
"""Characters of a scalar that is no string, and words around it."""


class Swallowed(Openings):
    """Cuts strings. `is_cut`: the reply breaks off in what is being closed."""

    def __init__(self, plan: Plan, tags: Tags, text: str) -> None:
        super().__init__(plan, tags, text)
        self.is_cut = False

    def swallowed(self, frame: Frame) -> int | None:
        """The tag of what is missing from an object or a tuple and stands in one of the strings before it."""
        if not frame.is_short():
            return None
        for index, child in enumerate(frame.element.children):
            if child.last - child.token < 2 or not self.budget:
                continue
            if self.is_cut and child.end > child.inner_end and frame.key:
                continue  # it has its closing tag, and what is missing was to come
            j, stop = child.token + 1, min(child.last, child.token + 1 + self.spend(child.last - child.token))
            while j < stop:
                head = self.heads[j]
                is_wanted = head.kind in (OPEN, EMPTY) and frame.wants(head)
                is_wanted = is_wanted and not self.is_inline(j, head) and not self.is_only_named(j, frame, child)
                if is_wanted and self.is_all_elements(j, child):
                    self.split(frame, index, j)
                    return j
                is_answer = head.kind == OPEN and head.key in self.root_keys
                j = max(self.partner(j) if is_answer else j, j) + 1  # one that is quoted stays whole
        return None

    def is_only_named(self, j: int, frame: Frame, child: Element) -> bool:
        """Whether a string, `child`, only names a tag of what is missing."""
        place, end = frame.shape.place(self.heads[j]), self.partner(j)
        if place is None or self.is_quoted(j):
            return place is not None
        if end > j:
            node = place.shape.node
            return node.kind == "enum" and len(node.choices) == 1 and not self.is_value(place, j, self.starts[end])
        if self.heads[j].name != place.name and child.head.name == child.name:
            return True
        if not self.is_word(j) or not place.shape.is_leaf:
            return False
        child.is_unclear = place.shape.is_verbatim
        return child.is_unclear or not self.is_value(place, j, child.inner_end)

    def is_value(self, place: Place, j: int, end: int) -> bool:
        """Whether what stands behind an opening tag is a scalar of its type."""
        text = self.text[self.ends[j] : min(end, self.ends[j] + _MAX_VALUE + 1)].strip(GAP)
        return len(text) <= _MAX_VALUE and read_scalar(place.shape.node, text, text, None, place.name).problem is None

    def is_all_elements(self, j: int, child: Element) -> bool:
        """Whether nothing but elements stands in a text from tag `j` on: what is more would be lost if it ended there,
        unless the last of them may go on to the text's own closing tag. The closing tag of an element that began before
        says that they are in that.
        """
        end, last = self.starts[j], ""
        while j < child.last and self.spend(1):
            if self.text[end : self.starts[j]].strip(GAP) or child.token < self.partner(j) < j:
                return False
            is_open, last = self.heads[j].kind == OPEN and self.partner(j) < j, self.heads[j].key
            j = max(self.partner(j), j) + 1
            end = self.starts[j] if is_open and j < self.count else self.ends[j - 1]
        return last == child.head.key or not self.text[end : child.inner_end].strip(GAP)

    def split(self, frame: Frame, index: int, j: int) -> None:
        child = frame.element.children[index]
        del frame.element.children[index + 1 :]
        frame.element.notes = [note for note in frame.element.notes if note.start < self.starts[j]]
        frame.seen = filled(frame.element)
        last = j
        while last - 1 > child.token and self.is_wrong_closer(child.token, last - 1, child.head.key):
            last -= 1
        child.note(RepairKind.CLOSER_MISSING, self.starts[last], self.starts[j], f"</{child.head.tag}>")
        child.inner_end, child.end = self.starts[last], self.starts[j]
        child.last = last
        child.cut = child.is_unclear = False
        self.owed = child.head.key
