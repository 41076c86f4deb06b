"""Tags -> elements, guided by the definition: which tags are markup, what each one opens, and where it ends.

One pass over the tags with the open elements on a stack. Rules, in the order in which they are asked:

* An opening tag goes to the innermost open element that can take it. Elements above it that have their own closing
  tag still to come stay open around it; others have ended, their closing tags are missing.
* A string ends at its own closing tag; of several, at the first one behind which the definition can go on: a tag that
  is none of the definition's is not what follows, unless the string fills a line and that tag begins a line as deep.
  That of its parent ends it before only where nothing behind its own is for that parent. Without one it ends at a
  misspelt or wrong closing tag, or where the definition goes on. Tags inside it are text.
* Tags pair up by name alone, so a name in a string may take its closing tag. Where that comes before the parent ends,
  what only names a tag ends no string: in backticks, in a fence, in an element of the text, spelt in another way than
  the string's own, unclosed, or for what stands further out than something that goes on. An item's tag in the midst of
  a line of an item is in doubt, which is a problem.
* Other scalars end at the next tag that is not unknown.
* In a text without a closing tag the next item begins, whatever stands behind that; so does a block of reasoning. What
  could have been meant as the closing tag, where nothing tells, makes its end unclear.
* An opening tag that stands twice and is closed once counts once, and so do an item's tags that stand around an item.
* A tag of an item that holds nothing and is not closed was meant as a closing one, if one is missing in front of it.
* A field that stands twice before its object's own closing tag is that object's both times, whatever else could take
  it; only where the object is an item that is complete, and the field its first one, does the next item begin.
* A closing tag goes to the innermost open element of its name; one that fits nothing is stray.
* Where an object ends with required fields missing whose tags stand in one of its strings, that string had
  swallowed them: it is read again and ends there, if nothing but elements follows in it. Else it is whole.
* What the definition does not know is skipped whole, but for a wrapper around fields that are still missing.
* Outside of all roots, a field's tag that nothing closes is prose's where text stands in front of it; in an answer
  without a root, what is there already begins another answer behind prose.

An answer whose root is missing, renamed, wrapped or closed too early is one case: the document meets a field.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from typing import NamedTuple

from ...definition import ITEM_NAMES, Node, Plan, fold, per_plan
from ...findings import RepairKind
from ...limits import MAX_DEPTH
from ...markup import GAP
from ..lines.lines import are_lines, begins_line
from .ahead import DECORATION, Frame
from .elements import CHOSEN, ENTRY, FIELD, IMPLICIT, ITEM, LISTED, OPTION, RUN, Element
from .json_tags import end_of_json
from .openings import Openings
from .runs import Run, Runs, filled
from .shape import PairShape, Place, Shape, root_shape
from .tokens import CLOSE, COMMENT, EMPTY, OPEN, OTHER, Head, Tags

__all__ = ["GUESSED", "Root", "build", "only_root"]


class Root(NamedTuple):
    """An answer that was found: its element, and whether it stands in reasoning."""

    element: Element
    reasoning: bool


def build(plan: Plan, tags: Tags, text: str) -> list[Root]:
    """Every answer that the tags of a text make up, in its order."""
    return _Builder(plan, tags, text).run()


def only_root(plan: Plan, text: str) -> Root | None:
    """The answer of a text whose only tags are those of a root that one run fills; None where there is more to find.
    What `build` would give, without looking at each tag.
    """
    runs, opener, closer = _only(plan)
    start, end = text.find("<"), text.rfind("</")
    if runs is None or not text.startswith(opener, start) or not text.startswith(closer, end):
        return None
    inner, behind = start + len(opener), end + len(closer)
    if text.find("<", behind) >= 0 or "\uff1c" in text:
        return None
    match = runs.match(text, _BLANKS.match(text, inner).end())  # type: ignore[union-attr]
    if match is None or match.end() < end or match.start() == end:
        return None
    root = Element(Head(OPEN, plan.root_name), FIELD, "", start, inner)
    root.inner_end, root.end = end, behind
    root.children.append(runs.run(match))
    return Root(root, False)


@per_plan
def _only(plan: Plan) -> tuple[Runs | None, str, str]:
    """What finds a run in the root, and the root's tags."""
    return root_shape(plan).runs, f"<{plan.root_name}>", f"</{plan.root_name}>"


_BLANKS = re.compile(r"[ \t\r\n]*+")
_NOTHING = Head(OTHER)
MAX_FRAMES = 2 * MAX_DEPTH
"""Elements open at once: a level of data may have two, for a list and its item. An answer that has more is given up."""

_WITHOUT_TAG = (IMPLICIT, LISTED, CHOSEN)
"""What a tag is that stands in an element without one."""

GUESSED = "guessed"
"""The name of an item that only its place in a list makes one."""


_TAG = re.compile(r"</?[^\W\d][^<>]*+>")
_BREAKS = ("\n", "\r")
_STOPS = ".,;:!?)"


class _Builder(Openings):
    """Builds the answers of one text."""

    def __init__(self, plan: Plan, tags: Tags, text: str) -> None:
        super().__init__(plan, tags, text)
        self.closed_root: Frame | None = None
        self.last_closed: Frame | None = None
        self.thinking: list[list[int]] = []
        self.gave_up = False  # an answer that was too deep, of which more may follow
        self.is_cut = False  # the reply breaks off in what is being closed

    def run(self) -> list[Root]:
        position = 0
        while True:
            if position >= self.count:
                position = self.finish()
                if position >= self.count:
                    return self.result()
            head = self.heads[position]
            kind = head.kind
            if kind in (OPEN, EMPTY):
                position = (self.frames and self.run_at(position, head)) or self.opened(position, head)
            elif kind == CLOSE:
                position = self.closed(position, head)
            elif kind == COMMENT:
                position = self.comment(position)
            else:
                position += 1

    ## Opening tags

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

    def opened(self, i: int, head: Head) -> int:
        if not self.frames:
            return self.met(i, head)
        if head.key in self.root_keys and not self.is_field(i) and self.is_mention(i):
            return self.root_again(i, head)
        top = self.frames[-1]
        aside = self.behind_prose(i, head) if top.token < 0 and len(self.frames) == 1 else 0
        if aside:
            return aside
        place = self.place_in(top, i, head)
        if place is None or (place.role is ENTRY and self.is_behind_map(i, head)):
            return self.handed_down(i, head)
        if place.role in (ITEM, LISTED, ENTRY) and self.begins_with_tag(i):
            if self.is_around_others(place, i, head):
                return self.enter_others(place, i, head)
            if place.role is ITEM and place.shape.is_leaf:
                return self.next_list(i, head, place)
        return self.enter(top, place, i, head)

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
        return self.met(i, head) if again is None else again

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

    def enter_others(self, place: Place, i: int, head: Head) -> int:
        """Enters what stands around items of a list, or entries of a map, as if it were one of them."""
        if place.role is LISTED:
            return self.enter(self.frames[-1], Place(FIELD, place.name, place.shape), i, head)
        self.transparent.add(self.partner(i))
        self.frames[-1].element.note(RepairKind.WRAPPER_ENTERED, self.starts[i], self.ends[i], f"<{head.tag}>")
        return i + 1

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

    def enter(self, frame: Frame, place: Place, i: int, head: Head) -> int:
        """Opens an element in `frame`."""
        if place.role in _WITHOUT_TAG:
            frame, place = self.implied(frame, place, i, head)
        head, is_reopened = self.meant_as_opening(place, i, head) if head.kind == EMPTY else (head, False)
        element = Element(head, place.role, place.name, self.starts[i], self.ends[i])
        if is_reopened:
            element.note(RepairKind.REOPENED, self.starts[i], self.ends[i])
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
        if len(self.frames) > MAX_FRAMES:
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
        if place.role is LISTED:
            frame.seen.add(place.name)
            holder = Element(_NOTHING, FIELD, place.name, start, start)
            frame.element.children.append(holder)
            return Frame(holder, place.shape, "", -1), Place(ITEM, "", place.shape.items())
        if place.role is CHOSEN:
            self.mark(frame, Place(FIELD, place.name, place.shape), head)
            holder = Element(_NOTHING, FIELD, place.name, start, start)
            holder.note(RepairKind.NAME_RESPELLED, start, self.ends[i], f"<{place.name}>")
            frame.element.children.append(holder)
            frame = Frame(holder, place.shape, "", -1)
            return frame, place.shape.place(head) or place
        return frame, place

    def meant_as_opening(self, place: Place, i: int, head: Head) -> tuple[Head, bool]:
        """An empty tag, or an opening one where that was meant, and whether it was."""
        closer = self.later_closer(i, place.shape)
        is_begun = closer < 0 and place.role is ENTRY and self.is_in_front_of_value(i, head, place.shape)
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
        if element.role is ITEM and self.is_meant_as_closer(frame, element):
            self.forget_item(frame, element)
        return behind

    def imply(self, frame: Frame, place: Place, start: int) -> Frame:
        """Opens an element that has no tag."""
        element = Element(_NOTHING, place.role, place.name, start, start)
        frame.element.children.append(element)
        self.frames.append(Frame(element, place.shape, "", -1))
        return self.frames[-1]

    def handed_down(self, i: int, head: Head) -> int:
        """A tag that the innermost element cannot take: that gets it all the same if it was meant there, else the next
        one below that can.
        """
        meant = self.meant_here(self.frames[-1], i, head)
        if meant:
            return meant
        own = self.holder(i, head)
        for depth in range(len(self.frames) - 2, own, -1):
            place = self.place_in(self.frames[depth], i, head)
            if place is not None and self.is_plausible(depth, place, i, head):
                return self.hand_to(depth, place, i, head)
            rival = self.frames[depth].rival(head)
            if rival is not None and not self.stays(depth + 1, i):
                return self.hand_to(depth, rival, i, head)
        again = self.frames[own].shape.place(head) if 0 <= own < len(self.frames) - 1 else None
        if again is not None:
            return self.hand_to(own, again, i, head)
        if own < 0 and head.key in self.root_keys and not self.is_field(i):
            return self.root_again(i, head)
        return self.repeated(i, head)

    def meant_here(self, top: Frame, i: int, head: Head) -> int:
        """Takes a tag that the innermost element has no room for, if it was meant there: a list's tag that is repeated
        for each item, the same tag again, what was closed too early, an option's tag with nothing in it, an item with
        a name of its own. Returns the tag to read on from; 0 where it was not.
        """
        again = top.shape.place(head)
        if again is not None and again.shape.holds_items and self.stays(len(self.frames) - 1, i):
            return self.repeated(i, head)
        if self.is_item_again(i, head) or self.is_object_again(i, head):
            return self.enter_again(top, i, head)
        if self.last_closed is not None and self.is_behind_list_of(self.last_closed, i, head):
            return self.reopen(self.last_closed, i, head)
        if self.is_other_option(i, head):
            end = max(self.partner(i), i)
            top.element.note(RepairKind.TAG_DROPPED, self.starts[i], self.ends[end])
            return end + 1
        if again is not None and again.role is OPTION and self.stays(len(self.frames) - 1, i):
            return self.enter(
                top, again, i, head
            )  # of two options nobody knows which is meant, or it stands there twice
        if top.element.name is GUESSED and self.is_in_guessed_list(i):
            return self.enter(top, Place(ITEM, GUESSED, top.shape.items()), i, head)
        nested = top.shape.nested(head) if top.holds_any() and top.shape.field(head) is None else None
        is_in_it = nested is not None and (self.is_enclosed(i) or self.is_cut_in_attributes(top))
        return self.enter(top, nested, i, head) if nested is not None and is_in_it else 0

    def enter_again(self, top: Frame, i: int, head: Head) -> int:
        """Enters what stands around all that an element holds. An empty tag has that in its attributes."""
        if head.kind == EMPTY:
            top.element.head = Head(OPEN, top.element.head.tag, head.rest, top.element.head.name)
        else:
            self.transparent.add(self.partner(i))
        top.element.note(RepairKind.WRAPPER_ENTERED, self.starts[i], self.ends[i], f"<{head.tag}>")
        return i + 1

    def reopen(self, last: Frame, i: int, head: Head) -> int:
        """Opens an element again that was closed too early, for what stands behind it."""
        last.element.note(RepairKind.REOPENED, self.starts[i], self.ends[i])
        self.frames.append(last)
        return self.opened(i, head)

    def hand_to(self, depth: int, place: Place, i: int, head: Head) -> int:
        """Opens an element in a frame below the top; what is open above it ends, unless its own end comes later."""
        if self.stays(depth + 1, i):
            return self.enter(self.frames[depth], place, i, head)
        again = self.close(depth + 1, self.starts[i])
        return self.enter(self.frames[-1], place, i, head) if again is None else again

    def repeated(self, i: int, head: Head) -> int:
        """A field that is there already, or a tag that nothing open knows."""
        top = self.frames[-1]
        place = top.shape.place(head)
        if place is None:
            for depth in range(len(self.frames) - 2, -1, -1):
                place = self.frames[depth].shape.place(head)
                if place is not None and place.role is FIELD and not self.stays(depth + 1, i):
                    again = self.close(depth + 1, self.starts[i])
                    return self.opened(i, head) if again is None else again
            return self.unknown(i, head)
        if place.role is FIELD and self.is_mentioned_again(top, i):
            top.element.note(RepairKind.TAG_DROPPED, self.starts[i], self.ends[i])
            return i + 1
        return self.enter(top, place, i, head)

    def unknown(self, i: int, head: Head) -> int:
        """A tag that the definition does not know here: a misspelt name, an item, a wrapper, or to be skipped."""
        top = self.frames[-1]
        last = self.last_closed
        if last is not None and self.is_behind_its_own(top, last, i, head):
            return self.reopen(last, i, head)
        entered = self.known_after_all(top, i, head)
        if entered:
            return entered
        if top.shape.holds_items and self.is_near_field_of_item(top, head):
            item = self.imply(top, Place(ITEM, "", top.shape.items()), self.starts[i])
            item.element.note(RepairKind.ITEMS_SPLIT, self.starts[i], self.ends[i])
            return self.unknown(i, head)
        return self.unknown_for_sure(top, i, head)

    def known_after_all(self, top: Frame, i: int, head: Head) -> int:
        """Takes a tag that is an entry's of a map whose own is not there, a field's misspelt or one that the model
        keeps. Returns the tag to read on from; 0 where it is none of these.
        """
        mapped = top.shape.mapped(head)
        if mapped is not None:
            self.mark(top, mapped, head)
            holder = self.imply(top, mapped, self.starts[i])
            holder.element.note(RepairKind.LIST_JOINED, self.starts[i], self.ends[i], f"<{mapped.name}>")
            return self.enter(holder, Place(ENTRY, "", mapped.shape.entries()), i, head)
        near = top.shape.near(head) if head.key not in self.known else None
        if near is not None and near.name == top.first and self.is_implied_and_whole(top):
            again = self.close(len(self.frames) - 1, self.starts[i])
            return self.opened(i, head) if again is None else again
        if near is not None and near.name not in top.seen and not self.holds_any(i, {fold(near.name)}):
            return self.enter(top, Place(FIELD, near.name, top.shape.below([near.node], near.name)), i, head)
        kept = top.shape.kept(head)
        return self.enter(top, kept, i, head) if kept is not None else 0

    def unknown_for_sure(self, top: Frame, i: int, head: Head) -> int:
        """A tag that no name is near: an item of another name, a wrapper, or to be skipped."""
        until = self.partner(i) if head.kind == OPEN else i
        is_thought = head.key in self.reasoning_keys
        if not is_thought and until >= 0 and (self.wraps(top, i, until) or self.wraps_items(top, i)):
            self.transparent.add(until)
            top.element.note(RepairKind.WRAPPER_ENTERED, self.starts[i], self.ends[i], f"<{head.tag}>")
            return i + 1
        if until < 0:
            top.element.note(RepairKind.TAG_DROPPED, self.starts[i], self.ends[i])
            return i + 1
        if top.shape.holds_items and not is_thought:
            return self.enter(top, Place(ITEM, GUESSED, top.shape.items()), i, head)
        element = Element(head, None, "", self.starts[i], self.ends[i])
        element.inner_end, element.end = self.starts[until], self.ends[until]
        if until == i:
            element.inner_end = self.ends[i]
        top.element.children.append(element)
        return until + 1

    ## The document

    def met(self, i: int, head: Head) -> int:
        """A tag outside of all answers."""
        if head.key in self.reasoning_keys:
            if head.kind == OPEN:
                self.thinking += [] if self.depth_of_thought else [[self.starts[i], -1]]
                self.depth_of_thought += 1
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
            root = Element(_NOTHING, FIELD, "", self.starts[i], self.starts[i])
            root.note(RepairKind.ROOT_MISSING, self.starts[i], self.ends[i])
            self.roots.append(root)
            self.frames.append(Frame(root, self.shape, "", -1))
        return self.opened(i, head)

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

    def behind_json(self, i: int) -> int:
        """The tag behind the JSON that stands in place of the elements of what tag `i` opens, if some does."""
        end = end_of_json(self.text, self.ends[i], lambda: self.partner(i) < 0)
        return bisect_left(self.starts, end, i + 1) if end > self.ends[i] else i + 1

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

    def finish(self) -> int:
        """The end of the text: what is open ends here. Returns where to read on."""
        if not self.frames:
            return self.count
        end = self.fence_end(self.last_known())
        if end < self.end:  # what stands behind the fence is prose, whatever tags it has
            top = self.frames[-1].element
            top.children = [child for child in top.children if child.start < end]
        broken = self.broken_off() if end == self.end else None
        frames = self.frames.copy()
        self.is_cut = broken is not None or any(child.cut for child in frames[-1].element.children[-1:])
        again = self.close(0, end)
        if again is not None:
            return again
        if broken is not None:
            broken.cut = True
        if broken is not None or (frames[-1].element.children and frames[-1].element.children[-1].cut):
            self.suspect(frames[0].element)
        return self.count

    def suspect(self, root: Element) -> None:
        """Where a reply breaks off, a value right before that seemed to have lost its closing tag may go on instead,
        over tags that are a part of it.
        """
        element: Element | None = root
        while element is not None:
            for child in element.children[-2:]:
                for value in (child, *child.children):
                    lost = any(note.kind is RepairKind.CLOSER_MISSING for note in value.notes)
                    value.cut = value.cut or (lost and value.token >= 0 and value.inner_end < self.end)
            element = element.children[-1] if element.children else None

    def broken_off(self) -> Element | None:
        """The innermost element that the end of the text leaves unfinished; None where only the last closing tag
        is missing, or where text follows.
        """
        top = self.frames[-1]
        if top.element.children and top.element.children[-1].cut:
            return None
        if self.end < len(self.text):
            if any(child.is_closing for child in top.element.children[-1:]):
                return next((frame.element for frame in reversed(self.frames) if frame.has_room()), None)
            if not self.begins_closer(top.key):
                return top.element
            top.element.is_closing = True
            return self.frames[-2].element if len(self.frames) > 1 else None
        position = self.last_known()
        behind = _TAG.sub("", self.text[position:])
        says_nothing = DECORATION + (_STOPS if top.token < 0 else "")
        if behind.strip(says_nothing):  # prose begins on a line of its own; anything else is what came of a value
            is_prose = behind.startswith(_BREAKS) or self.text[:position].rstrip(" \t").endswith(_BREAKS)
            return None if top.element.children and is_prose else top.element
        return top.element if len(self.frames) > 1 or top.lacks() else None

    def result(self) -> list[Root]:
        if self.thinking and self.thinking[-1][1] < 0:
            last = self.roots[-1].start if self.roots else self.end
            self.thinking[-1][1] = max(last, self.thinking[-1][0])
        starts = [start for start, _ in self.thinking]
        made = []
        for root in self.roots:
            index = bisect_right(starts, root.start) - 1
            made.append(Root(root, index >= 0 and root.start < self.thinking[index][1]))
        return made

    ## Closing tags

    def closed(self, i: int, head: Head) -> int:
        if i in self.transparent:
            return i + 1
        if not self.frames or self.ends_thought(i):
            return self.closed_thought(i, head)
        depth = self.closes(i, head)
        if depth is None and self.frames[0].token < 0 and self.frames[0].is_whole() and self.is_around(i):
            again = self.close(0, self.starts[i])  # what holds an answer without a root ends, and so does the answer
            return i + 1 if again is None else again
        if depth is None and self.opened_before(i, head):
            return i + 1
        if depth is None:
            last = self.last_stray(i, head)
            self.frames[-1].element.note(RepairKind.TAG_DROPPED, self.starts[i], self.ends[last])
            return last + 1
        frame = self.frames[depth]
        if frame.key != head.key:
            frame.element.note(
                RepairKind.CLOSER_RESPELLED, self.starts[i], self.ends[i], f"</{frame.element.head.tag}>"
            )
        again = self.close(depth, self.starts[i], self.ends[i])
        return i + 1 if again is None else again

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
        is_torn, start = self.is_torn_opener(torn, i), torn.start
        if not is_torn:
            is_line = start < self.starts[i] == torn.line and not (last is not None and last.notes)
            if not is_line or self.partner(i) >= 0 or self.opens_later(i, head):
                return False
        element = Element(Head(OPEN, head.tag), place.role, place.name, start, torn.begin if is_torn else start)
        element.inner_end, element.end = self.starts[i], self.ends[i]
        element.note(RepairKind.OPENER_RESPELLED, start, element.inner_start, f"<{head.tag}>")
        element.is_unopened = not is_torn
        top.element.children.append(element)
        top.seen.update([place.name] if place.role is FIELD else [])
        return True

    def last_stray(self, i: int, head: Head) -> int:
        """The last of the same stray closing tags in a row, all of which are one finding."""
        if any(frame.key == head.key for frame in self.frames):
            return i  # what follows one of these decides
        while i + 1 < self.count and self.heads[i + 1] is head and i + 1 not in self.transparent:
            if self.text[self.ends[i] : self.starts[i + 1]].strip(GAP):
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
        if self.depth_of_thought:
            self.depth_of_thought -= 1
            if not self.depth_of_thought:
                self.thinking[-1][1] = self.ends[i]
        elif not self.thinking:
            self.thinking.append([0, self.ends[i]])
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
            if self.frames and self.is_meant_as_closer(self.frames[-1], element):
                self.forget_item(self.frames[-1], element)
                continue
            self.last_closed = frame
            if not self.frames:
                self.closed_root = frame
        return None

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

    def may_be_unclosed(self, frame: Frame, is_closed: bool) -> bool:
        """Whether a field of an object has no closing tag, or that of another one of its name around it."""
        if frame.element.role is not FIELD or not frame.key or not self.frames[-1].shape.holds_fields:
            return False
        if not is_closed or all(other.key != frame.key for other in self.frames):
            return not is_closed
        ends = zip(self.frames, self.with_ends(frame.token), strict=True)
        return any(other.key == frame.key and not end for other, end in ends)

    def is_meant_as_closer(self, around: Frame, element: Element) -> bool:
        """Whether the tag of an item that holds nothing and has no closing tag was meant as the closing one: of the
        list, or of the item before it, which has none either.
        """
        children = around.element.children
        if element.role is not ITEM or element.children or element.end > element.inner_end or element.cut:
            return False
        if self.text[element.inner_start : element.inner_end].strip(GAP) or children[-1:] != [element]:
            return False
        is_before_open = len(children) > 1 and children[-2].end == children[-2].inner_end and children[-2].role != RUN
        return is_before_open or element.head.key == around.key != ""

    def forget_item(self, around: Frame, element: Element) -> None:
        around.element.children.pop()
        around.element.note(RepairKind.TAG_DROPPED, element.start, element.inner_start)

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
                if is_wanted and not self.is_inline(j, head) and self.is_all_elements(j, child):
                    self.split(frame, index, j)
                    return j
                is_answer = head.kind == OPEN and head.key in self.root_keys
                j = max(self.partner(j) if is_answer else j, j) + 1  # one that is quoted stays whole
        return None

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
        child.cut = False
        self.owed = child.head.key

    def comment(self, i: int) -> int:
        """A comment between elements. One that reaches out of the element it stands in is never closed."""
        end = self.comments.end(self.starts[i])
        if end < 0:
            return i + 1
        until = bisect_left(self.starts, end, i)
        if self.frames:
            frame = self.frames[-1]
            reaches_out = (
                frame.token >= 0 and i < self.partner(frame.token) < until and not self.closes_later(frame, until)
            )
        else:
            inside = (j for j in range(i + 1, i + 1 + self.spend(until - i - 1)) if self.heads[j].key in self.root_keys)
            reaches_out = any(self.heads[j].kind == OPEN and self.partner(j) >= until for j in inside)
        return i + 1 if reaches_out else until
