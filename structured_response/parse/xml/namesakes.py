"""Elements that share a name with what holds them: which of the two a tag opens, and which of them a tag closes.

A tag of the root's name is that of a field of the same name where a text stands right behind it, or what the field
alone can hold. Where one of two closing tags of a name is missing, the one that is there is the outer element's, if
what stands before it is none of the inner one's. A field that holds all that the root needs, itself included, is a
root with a field's name.
"""

from __future__ import annotations

from ...definition import Plan, fold, per_plan
from ...markup import GAP
from ..lines.lines import are_lines, begins_line
from ..scalars.text import COMMENT, INSTRUCTION, without
from .elements import FIELD, Element
from .ends import Ends
from .frames import Frame
from .shape import Shape, is_near, root_shape
from .tokens import CLOSE, EMPTY, OPEN, Tags

__all__ = ["Namesakes"]

_DATA = ("{", "[")


class Namesakes(Ends):
    """Tells namesakes apart. `namesakes` are the keys that the root shares with one of its fields."""

    def __init__(self, plan: Plan, tags: Tags, text: str) -> None:
        super().__init__(plan, tags, text)
        self.namesakes = _namesakes(plan)

    def is_field(self, i: int) -> bool:
        """Whether a tag of the root's name is that of a field of this name."""
        head, j = self.heads[i], self.behind_asides(i + 1)
        place = self.shape.place(head) if head.key in self.namesakes else None
        if place is None or place.role is not FIELD or head.kind != OPEN or "=" in head.rest:
            return False
        is_known = j < self.count and self.heads[j].kind != CLOSE and self.shape.place(self.heads[j]) is not None
        behind = self.text[self.ends[i] : self.starts[j] if j < self.count else self.end]
        text = without(behind, (COMMENT, INSTRUCTION), lambda found: "").strip(GAP)
        if is_known or (not text and (j >= self.count or self.heads[j].kind == CLOSE)):
            return False
        if begins_line(self.text, self.ends[i]):
            is_closed = j < self.count and self.heads[j].key == head.key
            return is_closed and not are_lines(self.text[self.ends[i] : self.starts[j]], self.shape.node)
        return not text.startswith(_DATA)

    def is_renamed_root(self, i: int) -> bool:
        """Whether a field's tag outside of all answers stands around all that the root needs."""
        until = self.partner(i)
        if i + 1 >= until or self.heads[i + 1].kind != OPEN or self.between(i, i + 1):
            return False
        place = self.shape.place(self.heads[i])
        if place is None or place.role is not FIELD or not place.shape.is_leaf or not self.shape.required:
            return False
        found: set[str] = set()
        end, j = i + 1 + self.spend(until - i - 1), i + 1
        while j < end:
            inner = self.shape.place(self.heads[j]) if self.heads[j].kind in (OPEN, EMPTY) else None
            is_its_own = inner is not None and inner.role is FIELD and self.is_spelt_alike(i, j)
            found.update({inner.name} if inner is not None and is_its_own else ())
            j = max(self.partner(j), j) + 1
        return found >= {*self.shape.required, place.name}

    def is_spelt_alike(self, i: int, j: int) -> bool:
        """Whether a tag is not that of another one in another spelling: in a text both may be meant."""
        return self.heads[i].key != self.heads[j].key or self.heads[i].tag == self.heads[j].tag

    def namesake(self, element: Element, shape: Shape, i: int) -> int:
        """Reads over a value that has the name of what holds it, and returns the tag behind it."""
        self.pair_again(i)
        return self.leaf(element, shape, i)

    def pair_again(self, i: int) -> None:
        """Gives the closing tag of a value to the element of the same name around it, where that has none, nothing for
        that one comes behind it, and what stands before it is not the value's: a field that is still missing, or a
        closing tag that nothing opens.
        """
        frame, until = self.frames[-1], self.partner(i)
        if frame.token < 0 or self.partner(frame.token) >= 0 or until <= i + 1 or self.goes_to(frame, until + 1):
            return
        inside = range(i + 1, i + 1 + self.spend(until - i - 1))
        if any(self.goes_to(frame, j) or self.is_stray(j, frame.key) for j in inside):
            self.pair_up(frame.token, until)

    def goes_to(self, frame: Frame, j: int) -> bool:
        """Whether a tag opens a field for which an element still has room."""
        if j >= self.count or self.heads[j].kind not in (OPEN, EMPTY) or self.heads[j].key == frame.key:
            return False
        place = frame.takes(self.heads[j])
        return place is not None and place.role is FIELD

    def is_stray(self, j: int, key: str) -> bool:
        """Whether a closing tag that nothing opens is that of a name, misspelt, or of another known one."""
        head = self.heads[j]
        return head.kind == CLOSE and self.partner(j) < 0 and (head.key in self.known or is_near(key, head.key))


@per_plan
def _namesakes(plan: Plan) -> frozenset[str]:
    """The folded names that the root shares with its fields."""
    fields = {name for view in root_shape(plan).objects() for name in view.folded_fields()}
    return frozenset({fold(plan.root_name), fold(plan.class_name)} & fields)
