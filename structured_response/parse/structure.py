"""Tags -> elements, guided by the definition: which tags are markup, what each one opens, and where it ends.

One pass over the tags with the open elements on a stack. Rules, in the order in which they are asked:

* An opening tag goes to the innermost open element that can take it. Elements above it that have their own closing
  tag still to come stay open around it; others have ended, their closing tags are missing.
* A string ends at its own closing tag; of several, at the first one behind which the definition can go on. Without
  one it ends at a misspelt or wrong closing tag, or where the definition goes on. Tags inside it are text.
* Other scalars end at the next tag that is not unknown.
* A closing tag goes to the innermost open element of its name; one that fits nothing is stray.
* Where an object ends with required fields missing whose tags stand in one of its strings, that string had
  swallowed them: it is read again and ends there.
* What the definition does not know is skipped whole, but for a wrapper around fields that are still missing.

An answer whose root is missing, renamed, wrapped or closed too early is one case: the document meets a field.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from ..definition import ITEM_NAMES, Plan, fold, per_plan
from ..findings import RepairKind
from ..limits import MAX_DEPTH
from ..markup import FENCES, GAP
from .elements import Element
from .runs import filled
from .shape import (
    ENTRY,
    FIELD,
    IMPLICIT,
    ITEM,
    LISTED,
    OPTION,
    PAIR_KEYS,
    SHORT_NAME,
    PairShape,
    Place,
    Shape,
    is_near,
    root_shape,
)
from .tokens import CLOSE, COMMENT, EMPTY, OPEN, OTHER, REASONING, Head, Tags, attribute, known_names

__all__ = ["GUESSED", "Root", "build"]


class Root(NamedTuple):
    """An answer that was found: its element, and whether it stands in reasoning."""

    element: Element
    reasoning: bool


class _Frame:
    """An open element."""

    __slots__ = ("element", "first", "is_decided", "key", "seen", "shape", "token")

    def __init__(self, element: Element, shape: Shape, key: str, token: int) -> None:
        self.element = element
        self.shape = shape
        self.key = key
        self.token = token
        self.seen: set[str] = set()
        self.first = ""
        self.is_decided = False  # an option's own tag stands in it

    def takes(self, head: Head) -> Place | None:
        """What a tag would be in here, if there is still room for it."""
        place = None if self.is_decided else self.shape.place(head)
        return None if place is None or (place.role is FIELD and place.name in self.seen) else place

    def lacks(self) -> set[str]:
        return set(self.shape.required - self.seen)


def build(plan: Plan, tags: Tags, text: str) -> list[Root]:
    """Every answer that the tags of a text make up, in its order."""
    return _Builder(plan, tags, text).run()


_NOTHING = Head(OTHER)
MAX_FRAMES = 2 * MAX_DEPTH
"""Elements open at once: a level of data may have two, for a list and its item. An answer that has more is given up."""

GUESSED = "guessed"
"""The name of an item that only its place in a list makes one."""


_TAG = re.compile(r"</?[^\W\d][^<>]*+>")
_BREAKS = ("\n", "\r")


class _Builder:
    """Builds the answers of one text. `budget` bounds how far all looks ahead may reach together."""

    def __init__(self, plan: Plan, tags: Tags, text: str) -> None:
        self.shape, self.known, self.root_keys, self.reasoning_keys = _names(plan)
        self.heads, self.starts, self.ends = tags.heads, tags.starts, tags.ends
        self.count = len(tags.heads)
        self.text = text
        self.end = len(text) if tags.broken_off is None else tags.broken_off
        self.frames: list[_Frame] = []
        self.roots: list[Element] = []
        self.closed_root: _Frame | None = None
        self.last_closed: _Frame | None = None
        self.thinking: list[list[int]] = []
        self.depth_of_thought = 0
        self.budget = 4 * self.count + 64
        self.transparent: set[int] = set()
        self.owed = ""  # the key of a value that ended without its closing tag, if that was the last thing read
        self.comments = _Comments(text)
        self._partners: list[int] | None = None
        self._wrapped = -1

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

    # Opening tags

    def run_at(self, i: int, head: Head) -> int:
        """Takes the clean stretch that begins at a tag, and returns the tag behind it; 0 where there is none."""
        frame = self.frames[-1]
        runs = frame.shape.runs
        if runs is None or head.tag not in runs.tags:
            return 0
        run = runs.at(self.text, self.starts[i])
        if run is None or not (runs.is_list or frame.seen.isdisjoint(run.values)):
            return 0
        after = i + self.text.count("<", run.start, run.end)
        if (
            after > self.count
            or self.starts[after - 1] >= run.end
            or (after < self.count and self.starts[after] != run.end)
        ):
            return 0
        if not runs.is_list:
            frame.seen.update(run.values)
            frame.first = frame.first or next(iter(run.values))
        frame.element.children.append(run)
        self.owed = ""
        return after

    def opened(self, i: int, head: Head) -> int:
        if not self.frames:
            return self.met(i, head)
        if head.key in self.root_keys and self.is_mention():
            return self.root_again(i, head)
        top = self.frames[-1]
        place = top.takes(head)
        if place is None or (place.role is ENTRY and self.is_behind_map(i, head)):
            return self.handed_down(i, head)
        if place.role is ITEM and place.shape.is_leaf and self.is_list_of_items(i):
            return self.next_list(i, head, place)
        return self.enter(top, place, i, head)

    def is_list_of_items(self, i: int) -> bool:
        """Whether an item begins with an item."""
        if i + 1 >= self.count or self.heads[i + 1].kind != OPEN or self.heads[i + 1].key not in ITEM_NAMES:
            return False
        return not self.text[self.ends[i] : self.starts[i + 1]].strip(GAP)

    def next_list(self, i: int, head: Head, place: Place) -> int:
        """An item that begins with an item, where the innermost list has only values: where a list further out takes
        lists, it is the next of these, and the innermost one was never closed.
        """
        for depth in range(len(self.frames) - 2, -1, -1):
            outer = self.frames[depth].takes(head)
            if outer is not None and outer.role is ITEM and not outer.shape.is_leaf and not self.stays(depth + 1, i):
                return self.hand_to(depth, outer, i, head)
        return self.enter(self.frames[-1], place, i, head)

    def is_behind_map(self, i: int, head: Head) -> bool:
        """Whether a tag, which could name an entry of the map on top, is the next field behind a map never closed."""
        if head.key in ITEM_NAMES or self.stays(len(self.frames) - 1, i):
            return False
        places = (frame.takes(head) for frame in self.frames[:-1])
        return any(place is not None and place.role is FIELD for place in places)

    def is_mention(self) -> bool:
        """Whether the root's tag that is open is only mentioned by prose, which goes on behind it."""
        root = self.frames[0]
        if root.token < 0:
            return True
        if self.partner(root.token) >= 0:
            return False
        children = root.element.children
        return not children or bool(self.text[root.element.inner_start : children[0].start].strip(GAP))

    def enter(self, frame: _Frame, place: Place, i: int, head: Head) -> int:
        """Opens an element in `frame`."""
        start = self.starts[i]
        if place.role is IMPLICIT:
            frame = self.imply(frame, Place(ITEM, "", place.shape), start)
            frame.element.note(RepairKind.ITEMS_SPLIT, start, self.ends[i])
            place = frame.shape.place(head) or place
        elif place.role is LISTED:
            frame.seen.add(place.name)
            holder = Element(_NOTHING, FIELD, place.name, start, start)
            frame.element.children.append(holder)
            frame = _Frame(holder, place.shape, "", -1)
            place = Place(ITEM, "", place.shape.items())
        element = Element(head, place.role, place.name, start, self.ends[i])
        frame.element.children.append(element)
        if place.role is FIELD:
            frame.seen.add(place.name)
            frame.first = frame.first or place.name
        elif place.role is OPTION:
            frame.is_decided = True
        if head.kind == EMPTY:
            return i + 1
        shape = place.shape.marked(head) if "type" in head.rest else place.shape
        if place.role is ENTRY and self.is_pair(i, head):
            shape = PairShape(shape)
        if shape.is_leaf:
            return self.leaf(element, shape, i)
        self.frames.append(_Frame(element, shape, head.key, i))
        if len(self.frames) > MAX_FRAMES:
            self.roots[-1].is_too_deep = True
            self.frames.clear()
        return i + 1

    def imply(self, frame: _Frame, place: Place, start: int) -> _Frame:
        """Opens an element that has no tag."""
        element = Element(_NOTHING, place.role, place.name, start, start)
        frame.element.children.append(element)
        self.frames.append(_Frame(element, place.shape, "", -1))
        return self.frames[-1]

    def is_pair(self, i: int, head: Head) -> bool:
        """Whether an entry of a map holds its key in an element of its own."""
        if head.key not in ITEM_NAMES or attribute(head.rest, "key") is not None or i + 1 >= self.count:
            return False
        return self.heads[i + 1].kind == OPEN and self.heads[i + 1].key in PAIR_KEYS

    def handed_down(self, i: int, head: Head) -> int:
        """A tag that the innermost element cannot take: the next one below that can gets it, but for a list's tag that
        is repeated for each item.
        """
        again = self.frames[-1].shape.place(head)
        if again is not None and again.shape.holds_items and self.stays(len(self.frames) - 1, i):
            return self.repeated(i, head)
        for depth in range(len(self.frames) - 2, -1, -1):
            place = self.frames[depth].takes(head)
            if place is not None and self.is_plausible(depth, place, i, head):
                return self.hand_to(depth, place, i, head)
        if head.key in self.root_keys:
            return self.root_again(i, head)
        return self.repeated(i, head)

    def is_plausible(self, depth: int, place: Place, i: int, head: Head) -> bool:
        """Whether a tag may go past the frames above `depth`: a map takes any name, so only where those have ended;
        the next of objects that run together begins with the first field of the last one, once that is complete.
        """
        above = self.frames[depth + 1]
        if place.role is ENTRY:
            return head.key in ITEM_NAMES or not self.stays(depth + 1, i)
        if place.role is IMPLICIT and above.element.role is ITEM:
            again = above.shape.place(head)
            return again is not None and again.name == above.first and not above.lacks()
        return True

    def hand_to(self, depth: int, place: Place, i: int, head: Head) -> int:
        """Opens an element in a frame below the top; what is open above it ends, unless its own end comes later."""
        if self.stays(depth + 1, i):
            return self.enter(self.frames[depth], place, i, head)
        again = self.close(depth + 1, self.starts[i])
        return self.enter(self.frames[-1], place, i, head) if again is None else again

    def stays(self, depth: int, i: int) -> bool:
        """Whether some frame from `depth` on has its own closing tag behind tag `i`, and before the end of what holds
        it: closing tags pair up by name alone, so one of these may pair with a tag that was never closed.
        """
        limit = self.count
        for below in self.frames[:depth]:
            end = self.partner(below.token) if below.token >= 0 else -1
            limit = end if i < end < limit else limit
        return any(frame.token >= 0 and i < self.partner(frame.token) < limit for frame in self.frames[depth:])

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
        return self.enter(top, place, i, head)

    def unknown(self, i: int, head: Head) -> int:
        """A tag that the definition does not know here: a misspelt name, an item, a wrapper, or to be skipped."""
        top = self.frames[-1]
        last = self.last_closed
        if last is not None and head.key in ITEM_NAMES and self.is_behind_list(top, last, i, head):
            last.element.note(RepairKind.REOPENED, self.starts[i], self.ends[i])
            self.frames.append(last)
            return self.opened(i, head)
        until = self.partner(i) if head.kind == OPEN else i
        is_thought = head.key in self.reasoning_keys
        if not is_thought and until >= 0 and (self.wraps(top, i, until) or self.wraps_items(top, i)):
            self.transparent.add(until)
            top.element.note(RepairKind.WRAPPER_ENTERED, self.starts[i], self.ends[i], f"<{head.tag}>")
            return i + 1
        near = top.shape.near(head) if head.key not in self.known else None
        if near is not None and near.name not in top.seen:
            return self.enter(top, Place(FIELD, near.name, top.shape.below([near.node], near.name)), i, head)
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

    def is_behind_list(self, top: _Frame, last: _Frame, i: int, head: Head) -> bool:
        """Whether an item stands right behind its list, which was closed too early."""
        if not last.shape.holds_items or not top.element.children or top.element.children[-1] is not last.element:
            return False
        return last.takes(head) is not None and not self.text[last.element.end : self.starts[i]].strip(GAP)

    def wraps(self, top: _Frame, i: int, until: int) -> bool:
        """Whether an unknown element holds what is still missing from the one around it."""
        if i < self._wrapped < until:
            return True
        end = min(until, i + 1 + self.spend(until - i))
        j = i + 1
        while j < end:
            head = self.heads[j]
            place = top.takes(head) if head.kind in (OPEN, EMPTY) else None
            if place is not None and place.role is IMPLICIT:
                return False  # what it holds are the fields of an item
            if place is not None and place.role in (FIELD, ITEM, OPTION) and not self.comes_later(top, place, until):
                self._wrapped = j
                return True
            within = self.partner(j) if place is not None and head.kind == OPEN else -1
            j = within + 1 if within > j else j + 1
        return False

    def wraps_items(self, top: _Frame, i: int) -> bool:
        """Whether an unknown element in a list of objects holds others that are unknown: then those are the items."""
        items = top.shape.items() if top.shape.holds_items else None
        if items is None or not items.holds_fields or i + 1 >= self.count or self.heads[i + 1].kind != OPEN:
            return False
        is_first = not self.text[self.ends[i] : self.starts[i + 1]].strip(GAP)
        return is_first and items.place(self.heads[i + 1]) is None and self.partner(i + 1) > i

    def comes_later(self, top: _Frame, place: Place, i: int) -> bool:
        """Whether a field stands behind tag `i` as well, outside of the wrapper that holds one of its name."""
        if place.role is not FIELD:
            return False
        end = self.partner(top.token) if top.token >= 0 else -1
        end = min(end if end >= 0 else self.count, i + 1 + self.spend(self.count - i))
        return any(self.heads[j].kind == OPEN and top.takes(self.heads[j]) == place for j in range(i + 1, end))

    # The document

    def met(self, i: int, head: Head) -> int:
        """A tag outside of all answers."""
        if head.key in self.reasoning_keys:
            if head.kind == OPEN:
                self.thinking += [] if self.depth_of_thought else [[self.starts[i], -1]]
                self.depth_of_thought += 1
            return i + 1
        if head.key in self.root_keys or fold(head.name) in self.root_keys:
            return self.begin(i, head)
        place = self.shape.place(head)
        if place is None or not (
            place.role in (FIELD, ITEM, OPTION) or (place.role is ENTRY and head.key in ITEM_NAMES)
        ):
            return i + 1
        last = self.closed_root
        if last is not None and last.takes(head) and not self.text[last.element.end : self.starts[i]].strip(GAP):
            last.element.note(RepairKind.REOPENED, self.starts[i], self.ends[i])
            self.frames.append(last)
        else:
            root = Element(_NOTHING, FIELD, "", self.starts[i], self.starts[i])
            root.note(RepairKind.ROOT_MISSING, self.starts[i], self.ends[i])
            self.roots.append(root)
            self.frames.append(_Frame(root, self.shape, "", -1))
        return self.opened(i, head)

    def begin(self, i: int, head: Head) -> int:
        """Opens an answer."""
        root = Element(head, FIELD, "", self.starts[i], self.ends[i])
        self.roots.append(root)
        shape = self.shape.marked(head) if "type" in head.rest else self.shape
        if head.kind == EMPTY:
            self.closed_root = _Frame(root, shape, head.key, i)
            return i + 1
        if shape.is_leaf:
            return self.leaf(root, shape, i)
        self.frames.append(_Frame(root, shape, head.key, i))
        return i + 1

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
            if not self.begins_closer(top.key):
                return top.element
            return self.frames[-2].element if len(self.frames) > 1 else None
        position = self.last_known()
        behind = _TAG.sub("", self.text[position:])
        if behind.strip(GAP):  # prose begins on a line of its own; anything else is what came of a value
            is_prose = behind.startswith(_BREAKS) or self.text[:position].rstrip(" \t").endswith(_BREAKS)
            return None if top.element.children and is_prose else top.element
        return top.element if len(self.frames) > 1 or top.lacks() else None

    def last_known(self) -> int:
        """Behind the last thing in the open elements that the definition knows."""
        element = self.frames[-1].element
        return next((child.end for child in reversed(element.children) if child.role is not None), element.inner_start)

    def fence_end(self, position: int) -> int:
        """Where an answer that is never closed ends: the text's end, or that of the fenced block it stands in."""
        head = self.text[: self.roots[-1].start].rstrip(GAP)
        if not head[head.rfind("\n") + 1 :].lstrip().startswith(FENCES):
            return self.end
        found = max(self.text.rfind("\n" + fence, position) for fence in FENCES)
        return found if found >= 0 else self.end

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

    # Closing tags

    def closed(self, i: int, head: Head) -> int:
        if i in self.transparent:
            return i + 1
        if not self.frames or (head.key in self.reasoning_keys and self.depth_of_thought):
            return self.closed_thought(i, head)
        depth = self.closes(i, head)
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

    def closes(self, i: int, head: Head) -> int | None:
        """The depth of the frame that a closing tag closes."""
        frames = self.frames
        for depth in range(len(frames) - 1, -1, -1):
            if frames[depth].key == head.key and self.is_end_of(depth, i):
                return depth
        if any(frame.key == head.key for frame in frames):
            return None
        for depth in range(len(frames) - 1, -1, -1):
            if head.key == fold(frames[depth].element.head.name):  # of a tag that carries its name as a value
                return depth
        for depth in range(len(frames) - 1, 0, -1):
            if frames[depth].element.role is ITEM and head.key in frames[depth - 1].shape.item_names():
                return depth
        for depth in range(len(frames) - 1, -1, -1):
            if is_near(frames[depth].key, head.key):
                return depth
        return None

    def is_end_of(self, depth: int, i: int) -> bool:
        """Whether a closing tag closes a frame: what follows it must not be for that frame, or for those above it."""
        if i + 1 >= self.count or self.text[self.ends[i] : self.starts[i + 1]].strip(GAP):
            return True
        after = self.heads[i + 1]
        if after.kind == CLOSE:
            if any(frame.key == after.key for frame in self.frames[:depth]):
                return True
            return not any(frame.key == after.key for frame in self.frames[depth + 1 :])
        if after.kind not in (OPEN, EMPTY) or after.key in self.root_keys or after.key == self.frames[depth].key:
            return True
        if any(self.is_for(frame, after) for frame in self.frames[:depth]):
            return True
        return not any(self.is_for(frame, after) for frame in self.frames[depth:])

    def is_for(self, frame: _Frame, head: Head) -> bool:
        """Whether a tag has a place of its own in a frame."""
        place = frame.takes(head)
        return place is not None and place.role in (FIELD, ITEM, OPTION)

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
            self.last_closed = frame
            if not self.frames:
                self.closed_root = frame
        return None

    def swallowed(self, frame: _Frame) -> int | None:
        """The tag of a missing field that stands in one of the strings of an object, which then ends before it."""
        lacks = frame.lacks()
        for index, child in enumerate(frame.element.children if lacks else ()):
            if child.last - child.token < 2 or not self.budget:
                continue
            for j in range(child.token + 1, min(child.last, child.token + 1 + self.spend(child.last - child.token))):
                place = frame.shape.place(self.heads[j]) if self.heads[j].kind in (OPEN, EMPTY) else None
                if place is not None and place.role is FIELD and place.name in lacks:
                    self.split(frame, index, j)
                    return j
        return None

    def split(self, frame: _Frame, index: int, j: int) -> None:
        child = frame.element.children[index]
        del frame.element.children[index + 1 :]
        frame.seen = filled(frame.element)
        last = j
        while last - 1 > child.token and self.is_wrong_closer(last - 1):
            last -= 1
        child.note(RepairKind.CLOSER_MISSING, self.starts[last], self.starts[j], f"</{child.head.tag}>")
        child.inner_end, child.end = self.starts[last], self.starts[j]
        child.last = last
        child.cut = False
        self.owed = child.head.key

    def is_wrong_closer(self, j: int) -> bool:
        """Whether a closing tag of a known name stands right before the next tag."""
        head = self.heads[j]
        if head.kind != CLOSE or head.key not in self.known:
            return False
        return not self.text[self.ends[j] : self.starts[j + 1]].strip(GAP)

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

    def closes_later(self, frame: _Frame, i: int) -> bool:
        """Whether a closing tag of a frame's name comes from tag `i` on."""
        ahead = range(i, i + self.spend(self.count - i))
        return any(self.heads[j].kind == CLOSE and self.heads[j].key == frame.key for j in ahead)

    # Values

    def leaf(self, element: Element, shape: Shape, i: int) -> int:
        """Reads over a value that holds no elements, and returns the tag behind it."""
        key = self.heads[i].key
        token = self.crossed(element, i)
        j = token + 1
        if j < self.count and self.heads[j].kind == CLOSE and self.heads[j].key == key and self.is_plain_end(j):
            is_closed = True
        else:
            j, is_closed = (self.end_of_string if shape.is_verbatim else self.end_of_scalar)(token, key)
        self.owed = "" if is_closed else key
        element.token, element.last = token, j
        if j < self.count:
            last = self.before_strays(token, j) if is_closed else j
            if last < j:
                element.note(RepairKind.TAG_DROPPED, self.starts[last], self.starts[j])
            element.inner_end = self.starts[last]
            element.end = self.ends[j] if is_closed else element.inner_end
        else:
            element.inner_end = element.end = self.fence_end(element.inner_start)
            element.cut = element.inner_end == self.end and not self.begins_closer(key)
        if not is_closed and not element.cut:
            element.note(RepairKind.CLOSER_MISSING, element.inner_end, element.inner_end, f"</{element.head.tag}>")
        elif is_closed and (self.heads[j].key != key or self.heads[j].kind != CLOSE):
            element.note(RepairKind.CLOSER_RESPELLED, self.starts[j], self.ends[j], f"</{element.head.tag}>")
        return j + 1 if is_closed else j

    def before_strays(self, token: int, j: int) -> int:
        """The tag right before the one that ends a value, if it was a first attempt at it, misspelt; else that tag."""
        head, key = self.heads[j - 1], self.heads[j].key
        is_attempt = j - 1 > token and head.kind == CLOSE and len(key) > SHORT_NAME and is_near(key, head.key)
        if not is_attempt or self.partner(j - 1) >= token or self.text[self.ends[j - 1] : self.starts[j]].strip(GAP):
            return j
        return j - 1

    def begins_closer(self, key: str) -> bool:
        """Whether the text breaks off in the closing tag of a name."""
        return self.text.startswith("</", self.end) and key.startswith(fold(self.text[self.end + 2 :].strip()))

    def crossed(self, element: Element, i: int) -> int:
        """The tag behind which a value begins: where elements cross, the closing tag of the one before stands first."""
        j = i + 1
        if not self.owed or j >= self.count or self.heads[j].kind != CLOSE or self.heads[j].key != self.owed:
            return i
        if self.text[self.ends[i] : self.starts[j]].strip(GAP):
            return i
        element.note(RepairKind.TAG_DROPPED, self.starts[j], self.ends[j])
        element.inner_start = self.ends[j]
        return j

    def is_plain_end(self, j: int) -> bool:
        """Whether nothing speaks against a closing tag: no text behind it, and no second one."""
        if j + 1 >= self.count:
            return True
        after = self.heads[j + 1]
        if after.kind == CLOSE and after.key == self.heads[j].key and all(f.key != after.key for f in self.frames):
            return False
        if after.kind in (OPEN, EMPTY) and self.frames and self.frames[-1].takes(after) is None and not self.goes_on(j):
            return False
        return not self.text[self.ends[j] : self.starts[j + 1]].strip(GAP)

    def end_of_string(self, i: int, key: str) -> tuple[int, bool]:
        """The tag at which a string ends, and whether that is its closing tag."""
        partner = self.partner(i if self.heads[i].kind == OPEN else i - 1)
        if partner > i and not self.reaches_out(i, partner):
            if self.goes_on(partner):
                return partner, True
            last = partner
            for j in self.ahead(partner + 1, key):
                head = self.heads[j]
                if head.kind == CLOSE and head.key == key:
                    if not self.text[self.ends[last] : self.starts[j]].strip(GAP):
                        return last, True
                    if self.goes_on(j):
                        return j, True
                    last = j
            return partner, True
        return self.end_without_partner(i, key)

    def end_without_partner(self, i: int, key: str) -> tuple[int, bool]:
        own = wrong = -1
        stop = i + 1
        for j in self.ahead(i + 1, key):
            head = self.heads[j]
            if head.kind == CLOSE and head.key == key:
                if self.goes_on(j):
                    return j, True
                own = j if own < 0 else own
            elif wrong < 0 and self.may_close(i, j, head, key) and self.goes_on(j):
                wrong = j
            stop = j + 1
        if own >= 0:
            return own, True
        return (wrong, True) if wrong >= 0 else (stop, False)

    def may_close(self, i: int, j: int, head: Head, key: str) -> bool:
        """Whether a tag could have been meant as the closing tag of the value that tag `i` opens: misspelt, of another
        name that nothing in the value opens, or the opening tag once more.
        """
        if head.kind == CLOSE:
            return self.partner(j) < i or is_near(key, head.key)
        return head.kind == OPEN and head.key == key

    def ahead(self, i: int, key: str) -> Iterator[int]:
        """The tags from `i` on until one at which the definition goes on outside of a value of a name. Its own opening
        tag does so only where a value follows; else it was meant as the closing one.
        """
        frames = self.frames
        for j in range(i, min(self.count, i + self.spend_ahead())):
            head = self.heads[j]
            if head.kind in (OPEN, EMPTY):
                if (
                    self.is_expected(head)
                    and not self.is_inline(j, head)
                    and not (head.key == key and head.kind == OPEN and self.goes_on(j))
                ):
                    return
            elif head.kind == CLOSE and (
                any(frame.key == head.key for frame in frames)
                or (self.depth_of_thought and head.key in self.reasoning_keys)
            ):
                return
            self.budget -= 1
            yield j

    def spend_ahead(self) -> int:
        return max(self.budget, 0)

    def is_inline(self, j: int, head: Head) -> bool:
        """Whether an element is a part of a text: text goes on behind its closing tag, in the same line."""
        end = self.partner(j) if head.kind == OPEN else j
        if end < j or head.key in self.root_keys:
            return False
        behind = self.text[self.ends[end] : self.starts[end + 1] if end + 1 < self.count else self.end]
        return bool(behind.partition("\n")[0].strip(GAP))

    def is_expected(self, head: Head) -> bool:
        """Whether some open element takes a tag; a map, which takes any, only where it is the innermost."""
        for depth in range(len(self.frames) - 1, -1, -1):
            place = self.frames[depth].takes(head)
            if place is None:
                continue
            by_name = place.role is ENTRY and head.key not in ITEM_NAMES
            if depth == len(self.frames) - 1 or (not by_name and self.is_plausible(depth, place, -1, head)):
                return True
        return head.key in self.root_keys

    def end_of_scalar(self, i: int, key: str) -> tuple[int, bool]:
        """The tag at which a value that is no string ends, and whether that is a closing tag of its own. A value that
        stands in an item's tags is the value all the same.
        """
        if self.is_in_item(i, key):
            return i + 3, True
        j = i
        for j in self.ahead(i + 1, key):
            head = self.heads[j]
            if head.kind == CLOSE:
                if head.key == key or head.key in self.known or self.partner(j) < i or is_near(key, head.key):
                    return j, True
            elif head.kind == OPEN and head.key == key and self.goes_on(j):
                return j, True
        return j + 1, False

    def is_in_item(self, i: int, key: str) -> bool:
        """Whether all that stands in an element is an item's tags around a text."""
        if i + 3 >= self.count or self.heads[i + 1].key not in ITEM_NAMES or self.partner(i + 1) != i + 2:
            return False
        return self.heads[i + 3].kind == CLOSE and self.heads[i + 3].key == key

    # Looking ahead

    def goes_on(self, j: int) -> bool:
        """Whether the definition can go on right behind a tag: with what an open element takes, the end of one, or
        the end of the text.
        """
        position, key, is_closer = self.ends[j], self.heads[j].key, self.heads[j].kind == CLOSE
        j += 1
        while j < self.count and self.heads[j].kind == COMMENT and not self.text[position : self.starts[j]].strip(GAP):
            end = self.comments.end(self.starts[j])
            if end < 0:
                return False
            position, j = end, bisect_left(self.starts, end, j)
        if j >= self.count:
            return not self.text[position : self.end].strip(GAP) or not self.frames
        if self.text[position : self.starts[j]].strip(GAP):
            return False
        head = self.heads[j]
        if head.kind == CLOSE:
            return any(frame.key == head.key or is_near(frame.key, head.key) for frame in self.frames)
        if head.kind == OPEN and head.key == key and is_closer and self.frames:
            return True  # the same again: items with a name of their own, a field that stands there twice
        return head.kind in (OPEN, EMPTY) and self.is_expected(head)

    def reaches_out(self, i: int, partner: int) -> bool:
        """Whether what holds a string ends before the closing tag that pairs up with its opening one."""
        for depth in range(len(self.frames) - 1, -1, -1):
            frame = self.frames[depth]
            end = self.partner(frame.token) if frame.token >= 0 else -1
            if i < end < partner and self.is_end_of(depth, end) and self.is_complete(frame, i, end):
                return True
        return False

    def is_complete(self, frame: _Frame, i: int, end: int) -> bool:
        """Whether the required fields of a frame that are not read yet stand between two tags."""
        lacks = frame.lacks()
        for j in range(i + 1, min(end, i + 1 + self.spend(end - i))) if lacks else ():
            place = frame.shape.place(self.heads[j]) if self.heads[j].kind in (OPEN, EMPTY) else None
            if place is not None:
                lacks.discard(place.name)
        return not lacks

    def spend(self, wanted: int) -> int:
        """How many of the wanted tags may be looked at ahead."""
        given = min(wanted, max(self.budget, 0))
        self.budget -= given
        return given

    def partner(self, i: int) -> int:
        """The closing tag that pairs up with an opening one, or the other way round; -1 where there is none."""
        if self._partners is None:
            if self.is_pair_of_tags(i):
                return i + 1
            self._partners = self.pair()
        return self._partners[i]

    def is_pair_of_tags(self, i: int) -> bool:
        """Whether an opening tag's own closing tag is the very next one: then nothing has to be paired to know."""
        if i + 1 >= self.count or self.heads[i].kind != OPEN:
            return False
        after = self.heads[i + 1]
        return after.kind == CLOSE and after.key == self.heads[i].key

    def pair(self) -> list[int]:
        """Pairs each closing tag with the last opening one of its name that is still open."""
        partners = [-1] * self.count
        waiting: dict[str, list[int]] = {}
        for j, head in enumerate(self.heads):
            if head.kind == OPEN:
                waiting.setdefault(head.key, []).append(j)
            elif head.kind == CLOSE:
                opened = waiting.get(head.key)
                if opened:
                    i = opened.pop()
                    partners[i], partners[j] = j, i
        return partners


@per_plan
def _names(plan: Plan) -> tuple[Shape, frozenset[str], frozenset[str], frozenset[str]]:
    """The shape of the root, all names of the definition, folded, those of the root, and of blocks of reasoning."""
    shape = root_shape(plan)
    root = frozenset({fold(plan.root_name), fold(plan.class_name)})
    reasoning = REASONING - root - {fold(name) for view in shape.views for name in view.fields}
    return shape, known_names(plan), root, reasoning


class _Comments:
    """Where comments end. What was found is remembered, so that a million beginnings cost one search."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.next = 0

    def end(self, start: int) -> int:
        """Behind the end of the comment that begins at `start`, or -1."""
        if self.next >= 0 and self.next < start + 7:
            found = self.text.find("-->", start + 4)
            self.next = found + 3 if found >= 0 else -1
        return self.next
