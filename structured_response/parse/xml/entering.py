"""Opening elements: in what is open, with tags and without, around others and once more."""

from __future__ import annotations

from bisect import bisect_left

from ...definition import Plan
from ...findings import RepairKind
from ...limits import MAX_DEPTH
from .closing import Closing
from .elements import CHOSEN, ENTRY, FIELD, IMPLICIT, ITEM, LISTED, OPTION, Element
from .frames import Frame
from .json_tags import end_of_json
from .shape import PairShape, Place, Shape
from .tokens import EMPTY, OPEN, OTHER, Head, Tags

__all__ = ["NO_TAG", "Entering"]

NO_TAG = Head(OTHER)
"""The head of an element that has no tag."""

_WITHOUT_TAG = (IMPLICIT, LISTED, CHOSEN)
"""What a tag is that stands in an element without one."""

_MAX_FRAMES = 2 * MAX_DEPTH
"""Elements open at once: a level of data may have two, for a list and its item. An answer that has more is given up."""


class Entering(Closing):
    """Opens elements, and reads over values and runs. `gave_up`: an answer was too deep, of which more may follow."""

    def __init__(self, plan: Plan, tags: Tags, text: str) -> None:
        super().__init__(plan, tags, text)
        self.gave_up = False

    def run_at(self, i: int, head: Head) -> int:
        """Takes the run that begins at a tag, and returns the tag behind it; 0 where there is none."""
        frame = self.frames[-1]
        runs = frame.shape.runs
        if runs is None or head.tag not in runs.tags or self.is_in_lost_item(i, head.key):
            return 0
        run = runs.at(self.text, self.tags, i)
        if run is None or (runs.has_fields and not frame.seen.isdisjoint(run.values)):
            return 0
        if runs.has_fields:
            frame.seen.update(run.values)
            frame.first = frame.first or next(iter(run.values))
        elif frame.shape.holds_entries:
            frame.form = head.key
        frame.element.children.append(run)
        self.owed = ""
        return bisect_left(self.starts, run.end, i)

    def place_in(self, frame: Frame, i: int, head: Head) -> Place | None:
        """What a tag is in a frame, if there is still room for it."""
        place = frame.takes(head)
        if place is not None and place.role is ITEM and self.is_entry(head):
            return None
        if place is not None and place.role is ITEM and self.is_field_of_item(frame, place, i):
            return Place(IMPLICIT, "", place.shape)
        if place is not None and place.role is IMPLICIT and self.is_doubled(i):
            return Place(ITEM, "", place.shape)
        return place

    def enter(self, frame: Frame, place: Place, i: int, head: Head) -> int:
        """Opens an element in `frame`."""
        if place.role in _WITHOUT_TAG:
            frame, place = self.implied(frame, place, i, head)
        head, is_reopened = self.meant_as_opening(place, i, head) if head.kind == EMPTY else (head, False)
        element = Element(head, place.role, place.name, self.starts[i], self.ends[i])
        if is_reopened:
            element.note(RepairKind.REOPENED, self.starts[i], self.ends[i])
        if self.is_torn(i):
            element.note(RepairKind.OPENER_RESPELLED, self.starts[i], self.ends[i], f"<{head.tag}>")
        frame.element.children.append(element)
        self.mark(frame, place, head)
        if head.kind == EMPTY:
            return i + 1
        shape = place.shape.marked(head) if "type" in head.rest else place.shape
        key = self.pair_key(frame, i, head, shape) if place.role is ENTRY else None
        if key is not None:
            shape = PairShape(shape, key)
        if shape.is_leaf:
            return self.leaf_in(frame, element, shape, i)
        self.frames.append(Frame(element, shape, self.closing_key(element, i), i))
        if len(self.frames) > _MAX_FRAMES:
            self.roots[-1].is_too_deep = self.gave_up = True
            self.frames.clear()
        return self.behind_json(i)

    def implied(self, frame: Frame, place: Place, i: int, head: Head) -> tuple[Frame, Place]:
        """The frame that a tag goes to, and what it is there, where the element around it has no tag."""
        start = self.starts[i]
        if place.role is IMPLICIT:
            frame = self.imply(frame, Place(ITEM, "", place.shape), start)
            frame.element.note(RepairKind.ITEMS_SPLIT, start, self.ends[i])
            return frame, frame.shape.place(head) or place
        holder = Element(NO_TAG, FIELD, place.name, start, start)
        frame.element.children.append(holder)
        if place.role is LISTED:
            frame.seen.add(place.name)
            return Frame(holder, place.shape, "", -1), Place(ITEM, "", place.shape.items())
        self.mark(frame, Place(FIELD, place.name, place.shape), head)
        holder.note(RepairKind.NAME_RESPELLED, start, self.ends[i], f"<{place.name}>")
        option = place.shape.option(head) if self.is_beginning_with_tag(i) else None
        return Frame(holder, place.shape, "", -1), option or place.shape.place(head) or place

    def meant_as_opening(self, place: Place, i: int, head: Head) -> tuple[Head, bool]:
        """An empty tag, or an opening one where that was meant, and whether it was."""
        closer = self.later_closer(i, place.shape)
        is_before = {ENTRY: self.is_in_front_of_value, OPTION: self.is_in_front_of_fields}.get(place.role)
        is_begun = closer < 0 and is_before is not None and is_before(i, head, place.shape)
        return (self.open_after_all(i, closer), True) if closer >= 0 or is_begun else (head, False)

    def mark(self, frame: Frame, place: Place, head: Head) -> None:
        """Notes in a frame what stands in it now."""
        if place.role is FIELD:
            frame.seen.add(place.name)
            frame.first = frame.first or place.name
        elif place.role is ENTRY:
            frame.form = frame.form or self.form_of(frame, head)
        elif place.role is OPTION:
            frame.is_decided = True

    def leaf_in(self, frame: Frame, element: Element, shape: Shape, i: int) -> int:
        """Reads over a value in `frame`, and returns the tag behind it."""
        is_namesake = self.frames[-1].key == element.head.key
        behind = self.namesake(element, shape, i) if is_namesake else self.leaf(element, shape, i)
        if element.role is not ITEM:
            return behind
        if self.is_meant_as_closer(frame, element):
            self.forget_item(frame, element)
        elif self.is_meant_as_list_end(frame, element, behind):
            self.forget_item(frame, element)
            again = self.close(len(self.frames) - 1, element.start)
            return behind - 1 if again is None else again
        return behind

    def imply(self, frame: Frame, place: Place, start: int) -> Frame:
        """Opens an element that has no tag."""
        element = Element(NO_TAG, place.role, place.name, start, start)
        frame.element.children.append(element)
        self.frames.append(Frame(element, place.shape, "", -1))
        return self.frames[-1]

    def behind_json(self, i: int) -> int:
        """The tag behind the JSON that stands in place of the elements of what tag `i` opens, if some does."""
        end = end_of_json(self.text, self.ends[i], lambda: self.partner(i) < 0)
        return bisect_left(self.starts, end, i + 1) if end > self.ends[i] else i + 1

    def enter_others(self, place: Place, i: int, head: Head) -> int:
        """Enters what stands around items of a list, or entries of a map, as if it were one of them."""
        if place.role is LISTED:
            return self.enter(self.frames[-1], Place(FIELD, place.name, place.shape), i, head)
        return self.look_through(i, head)

    def look_through(self, i: int, head: Head) -> int:
        """Passes over the tags of a wrapper, as if what it holds stood in its place."""
        top = self.frames[-1]
        top.element.is_unclear = top.element.is_unclear or self.begins_anew(top, i, head)
        self.transparent.add(self.partner(i))
        top.element.note(RepairKind.WRAPPER_ENTERED, self.starts[i], self.ends[i], f"<{head.tag}>")
        return i + 1

    def enter_again(self, top: Frame, i: int, head: Head) -> int:
        """Enters what stands around all that an element holds. An empty tag has that in its attributes."""
        if head.kind == EMPTY:
            top.element.head = Head(OPEN, top.element.head.tag, head.rest, top.element.head.name)
        return self.look_through(i, head)

    def enter_class(self, top: Frame, i: int, head: Head) -> int:
        """Enters what the class's tag stands around: an option, or the object that is open already."""
        option = top.shape.option(head)
        return self.enter_again(top, i, head) if option is None else self.enter(top, option, i, head)

    def reopen(self, last: Frame, i: int) -> int:
        """Opens an element again that was closed too early, for what stands behind it."""
        last.element.note(RepairKind.REOPENED, self.starts[i], self.ends[i])
        self.frames.append(last)
        return i

    def next_list(self, i: int, head: Head, place: Place) -> int:
        """An item that begins with an element, where the innermost list has only values: where a list further out takes
        such items, it is the next of these, and the innermost one was never closed.
        """
        inner = self.heads[i + 1]
        for depth in range(len(self.frames) - 2, -1, -1):
            outer = self.frames[depth].takes(head)
            if outer is None or outer.role is not ITEM or outer.shape.place(inner) is None:
                continue
            if not self.stays(depth + 1, i):
                return self.hand_to(depth, outer, i, head)
        return self.enter(self.frames[-1], place, i, head)

    def hand_to(self, depth: int, place: Place, i: int, head: Head) -> int:
        """Opens an element in a frame below the top; what is open above it ends, unless its own end comes later."""
        if self.stays(depth + 1, i):
            outer, item = self.frames[depth], self.frames[depth + 1]
            is_in_item = place.role is ITEM and item.element.role is ITEM and self.has_end(depth + 1, i)
            others = {field.name for view in item.shape.objects() for field in view.of_own_class()}
            outer.element.is_unclear |= is_in_item and not others <= item.seen
            return self.enter(outer, place, i, head)
        again = self.close(depth + 1, self.starts[i])
        return self.enter(self.frames[-1], place, i, head) if again is None else again
