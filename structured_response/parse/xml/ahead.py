"""Looking ahead: what a tag could be in the elements that are open, and whether the definition can go on behind it.

Nothing here opens or closes an element. All looks ahead of one text are paid from one budget, so that together they
are linear in its tags; once it is spent the answers are those of looking no further.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator

from ...definition import ITEM_NAMES, Plan, fold, per_plan
from ...findings import Span
from ...markup import GAP
from .elements import CHOSEN, ENTRY, FIELD, IMPLICIT, ITEM, LISTED, OPTION, Element
from .shape import Place, Shape, is_near, root_shape
from .tokens import CDATA, CLOSE, COMMENT, EMPTY, OPEN, OTHER, REASONING, Head, Tags, known_names
from .torn import Torn, TornOpeners

__all__ = ["DECORATION", "Ahead", "Frame", "thoughts"]


class Frame:
    """An open element."""

    __slots__ = ("element", "first", "form", "is_decided", "key", "seen", "shape", "token")

    def __init__(self, element: Element, shape: Shape, key: str, token: int) -> None:
        self.element = element
        self.shape = shape
        self.key = key
        self.token = token
        self.seen: set[str] = set()
        self.first = ""
        self.form = ""  # the folded name of a map's entries, where an attribute has the key
        self.is_decided = False  # an option's own tag stands in it

    def takes(self, head: Head) -> Place | None:
        """What a tag would be in here, if there is still room for it."""
        place = None if self.is_decided else self.shape.place(head)
        if place is None or (place.role is FIELD and (place.name in self.seen or self.is_of_next(place.name))):
            return None
        if place.role is CHOSEN and place.name in self.seen:
            return self.shape.listed(head)
        return None if place.role is OPTION and self.seen else place  # it comes before any field

    def rival(self, head: Head) -> Place | None:
        """What a tag is in a union in which the own tag of an option stands, if it is another one's."""
        place = self.shape.place(head) if self.is_decided else None
        return place if place is not None and place.role is OPTION else None

    def is_of_next(self, name: str) -> bool:
        """Whether a field is one of the next item, where the objects of a list of unions run together: all is there of
        one option, and none has that field besides.
        """
        if self.token >= 0 or self.element.role is not ITEM or self.shape.node.kind != "union":
            return False
        has_both = any(name in view.fields and self.seen <= view.fields.keys() for view in self.shape.objects())
        return not has_both and self.is_whole()

    def expects(self, head: Head) -> Place | None:
        """What a tag would be in here, if that is no part of a text: a map whose entries have their keys in attributes
        goes on with another one of these only.
        """
        place = self.takes(head)
        return None if place is not None and place.role is ENTRY and not self.is_of_form(head) else place

    def is_of_form(self, head: Head) -> bool:
        """Whether a tag begins an entry as those before it do."""
        return not self.form or self.is_keyed(head)

    def is_keyed(self, head: Head) -> bool:
        """Whether a tag is that of an entry with its key in an attribute, as those before it."""
        return bool(self.form) and head.key == self.form and "=" in head.rest

    def lacks(self) -> set[str]:
        """The required fields that are not there yet."""
        return set(self.shape.required - self.seen)

    def is_whole(self) -> bool:
        """Whether all is there that is required by one of the objects that it may be."""
        return any(needed <= self.seen for needed in self.shape.needs)

    def has_room(self) -> bool:
        """Whether anything else could stand in it."""
        names = {name for view in self.shape.views for name in view.fields}
        return self.shape.holds_items or self.shape.holds_entries or not names <= self.seen

    def holds_any(self) -> bool:
        """Whether something stands in it already, in elements or in attributes."""
        return bool(self.element.children) or "=" in self.element.head.rest

    def is_short(self) -> bool:
        """Whether something is missing that has to be there."""
        return bool(self.shape.required - self.seen) or len(self.element.children) < self.shape.length

    def wants(self, head: Head) -> bool:
        """Whether a tag is that of something missing."""
        place = self.shape.place(head)
        if place is None:
            return False
        return place.role is ITEM if self.shape.length else place.role is FIELD and place.name in self.lacks()


_NOTHING = ("", "...", "\u2026")
"""What may stand between elements and says nothing: a model that shortens its answer writes dots."""


DECORATION = GAP + "`*_#>-\u2022"
"""What Markdown may put in front of a tag."""


class _Sums:
    """The places of the tags of one name, and by how many the closing ones outnumber the opening ones up to each."""

    __slots__ = ("places", "until")

    def __init__(self) -> None:
        self.places: list[int] = []
        self.until = [0]

    def add(self, j: int, step: int) -> None:
        self.places.append(j)
        self.until.append(self.until[-1] + step)

    def behind(self, j: int) -> int:
        """By how many they do so behind a place."""
        return self.until[-1] - self.until[bisect_right(self.places, j)]


class Ahead:
    """The tags of one text and what is open among them. `budget` bounds how far all looks ahead may reach together."""

    def __init__(self, plan: Plan, tags: Tags, text: str) -> None:
        self.shape, self.known, self.root_keys, self.reasoning_keys = _names(plan)
        self.tags = tags
        self.heads, self.starts, self.ends = tags.heads, tags.starts, tags.ends
        self.count = len(tags.heads)
        self.text = text
        self.end = len(text) if tags.broken_off is None else tags.broken_off
        self.frames: list[Frame] = []
        self.transparent: set[int] = set()  # closing tags of wrappers
        self.depth_of_thought = 0
        self.budget = 4 * self.count + 64
        self.comments = _Comments(text)
        self.torn = TornOpeners(text)
        self._partners: list[int] | None = None
        self._sums: dict[str, _Sums] | None = None

    # Pairs of tags

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

    def surplus(self, key: str, j: int) -> int:
        """By how many the closing tags of a name outnumber the opening ones behind tag `j`: so many of that name are
        open there, if nothing is damaged.
        """
        if self._sums is None:
            self._sums = self.sum_up()
        return self._sums[key].behind(j) if key in self._sums else 0

    def sum_up(self) -> dict[str, _Sums]:
        found: dict[str, _Sums] = {}
        for j, head in enumerate(self.heads):
            if head.kind in (OPEN, CLOSE):
                found.setdefault(head.key, _Sums()).add(j, 1 if head.kind == CLOSE else -1)
        return found

    def spend(self, wanted: int) -> int:
        """How many of the wanted tags may be looked at ahead."""
        given = min(wanted, max(self.budget, 0))
        self.budget -= given
        return given

    def stays(self, depth: int, i: int) -> bool:
        """Whether some frame from `depth` on has its own closing tag behind tag `i`, and before the end of what holds
        it: closing tags pair up by name alone, so one of these may pair with a tag that was never closed.
        """
        limit = self.count
        for below in self.frames[:depth]:
            end = self.partner(below.token) if below.token >= 0 else -1
            limit = end if i < end < limit else limit
        return any(frame.token >= 0 and i < self.partner(frame.token) < limit for frame in self.frames[depth:])

    def with_ends(self, i: int) -> list[bool]:
        """Which frames have their own closing tag behind tag `i`, and before the end of what holds them."""
        limit, found = self.count, []
        for frame in self.frames:
            end = self.partner(frame.token) if frame.token >= 0 else -1
            found.append(i < end < limit)
            limit = end if found[-1] else limit
        return found

    def has_end(self, depth: int, i: int) -> bool:
        """Whether a frame has its own closing tag behind tag `i`, and before the end of what holds it."""
        return self.with_ends(i)[depth]

    # What may follow

    def behind_asides(self, j: int) -> int:
        """The first tag from `j` on that is none of a comment, a section or an instruction."""
        while j < self.count and self.heads[j].kind in (COMMENT, CDATA, OTHER):
            end = self.comments.end(self.starts[j]) if self.heads[j].kind == COMMENT else self.ends[j]
            j = bisect_left(self.starts, end, j + 1)
        return j

    def goes_on(self, j: int) -> bool:
        """Whether the definition can go on right behind a tag: with what an open element takes, the end of one or of
        something around the answer, or the end of the text.
        """
        position, key, is_closer = self.ends[j], self.heads[j].key, self.heads[j].kind == CLOSE
        j += 1
        while j < self.count and self.heads[j].kind == COMMENT and not self.text[position : self.starts[j]].strip(GAP):
            end = self.comments.end(self.starts[j])
            if end < 0:  # one that is never closed goes as far as the next tag
                position, j = self.starts[j + 1] if j + 1 < self.count else self.end, j + 1
            else:
                position, j = end, bisect_left(self.starts, end, j)
        if j >= self.count:
            behind = self.text[position : self.end]
            return not (behind if self.frames else behind.partition("\n")[0]).strip(GAP)
        head = self.heads[j]
        if self.text[position : self.starts[j]].strip(DECORATION) not in _NOTHING:
            if head.kind != CLOSE or not self.frames or self.frames[-1].takes(head) is None:
                return False
            return self.is_torn_opener(self.torn.at(position), j)
        if head.kind == CLOSE:
            return self.is_end(j, head) or any(is_near(f.key, head.key) for f in self.frames)
        if head.kind == OPEN and head.key == key and is_closer and self.frames:
            return True  # the same again: items with a name of their own, a field that stands there twice
        if head.kind not in (OPEN, EMPTY) or self.is_no_entry(j, head) or self.is_quoted(j):
            return False
        return self.is_expected(j) or self.is_misspelt(head)

    def is_no_entry(self, j: int, head: Head) -> bool:
        """Whether a tag in a map, which takes any name, is a part of a text: nothing closes it, or text goes on behind
        it.
        """
        place = self.frames[-1].takes(head) if self.frames else None
        if place is None or place.role is not ENTRY or head.key in ITEM_NAMES:
            return False
        return (head.kind == OPEN and self.partner(j) < j) or self.is_inline(j, head)

    def is_torn_opener(self, torn: Torn, j: int) -> bool:
        """Whether what is left of an opening tag is that of a closing one."""
        return torn.key == self.heads[j].key and torn.begin <= self.starts[j] <= torn.until

    def is_end(self, j: int, head: Head) -> bool:
        """Whether a closing tag ends something open, a wrapper, what holds the whole answer, or a root without an
        opening tag.
        """
        if j in self.transparent or self.is_around(j) or any(frame.key == head.key != "" for frame in self.frames):
            return True
        if not head.key:
            return any(frame.token >= 0 and self.partner(frame.token) < 0 for frame in self.frames)
        return bool(self.frames) and self.frames[0].token < 0 and head.key in self.root_keys

    def is_around(self, j: int) -> bool:
        """Whether a closing tag ends something that holds the whole answer."""
        opened = self.partner(j)
        return opened >= 0 and bool(self.frames) and self.starts[opened] < self.frames[0].element.start

    def is_misspelt(self, head: Head) -> bool:
        """Whether a tag is that of a field of the innermost element, misspelt."""
        if head.key in self.known or not self.frames:
            return False
        near = self.frames[-1].shape.near(head)
        return near is not None and near.name not in self.frames[-1].seen

    def is_expected(self, j: int) -> bool:
        """Whether some open element takes a tag, or it is the root's."""
        return self.taken_at(j) >= 0 or self.heads[j].key in self.root_keys

    def taken_at(self, j: int) -> int:
        """The depth of the innermost open element that takes a tag, or -1. A map, which takes any, does so only where
        it is the innermost.
        """
        head = self.heads[j]
        for depth in range(len(self.frames) - 1, -1, -1):
            place = self.frames[depth].expects(head)
            if place is None:
                continue
            by_name = place.role is ENTRY and head.key not in ITEM_NAMES
            if depth == len(self.frames) - 1 or (not by_name and self.is_plausible(depth, place, j, head)):
                return depth
        return -1

    def is_plausible(self, depth: int, place: Place, i: int, head: Head) -> bool:
        """Whether a tag may go past the frames above `depth`: a map takes any name, so only where those have ended;
        the next of objects that run together begins with the first field of the last one, once that is complete and
        nothing in it is open.
        """
        above = self.frames[depth + 1]
        if place.role is ENTRY:
            is_next = self.frames[depth].is_of_form(head) and not self.stays(depth + 1, i)
            return head.key in ITEM_NAMES or is_next
        if place.role is CHOSEN and self.stays(depth + 1, i):
            return False
        if place.role is LISTED and above.element.name == place.name:
            return False  # its list is open
        if place.role is IMPLICIT and above.element.role is ITEM:
            return self.begins_item(above, head) and not self.stays(depth + 2, i)
        return True

    def begins_item(self, item: Frame, head: Head) -> bool:
        """Whether a tag is that of the first field of an item that is complete, or of one that it cannot have: then it
        begins another one.
        """
        again = item.shape.place(head)
        is_next = again is not None and (again.name == item.first or item.is_of_next(again.name))
        return is_next and item.is_whole()

    def is_inline(self, j: int, head: Head) -> bool:
        """Whether an element is a part of a text: text goes on behind its closing tag, in the same line."""
        end = self.partner(j) if head.kind == OPEN else j
        if end < j or head.key in self.root_keys:
            return False
        behind = self.text[self.ends[end] : self.starts[end + 1] if end + 1 < self.count else self.end]
        return bool(behind.partition("\n")[0].strip(DECORATION))

    def is_quoted(self, j: int) -> bool:
        """Whether a tag is all that a pair of backticks in a text holds."""
        start, end, text = self.starts[j], self.ends[j], self.text
        if start < 1 or not text.startswith("`", start - 1) or not text.startswith("`", end):
            return False
        return not text[start - 2 : start - 1].isalnum() and not text[end + 1 : end + 2].isalnum()

    def ahead(self, i: int, key: str, begun: int) -> Iterator[int]:
        """The tags from `i` on until one at which the definition goes on outside of a value of a name, begun with tag
        `begun`. Its own opening tag does so only where a value follows; else it was meant as the closing one. An answer
        that is quoted is stepped over. In an answer that is never closed, what stands further out does not go on in an
        element that is not closed either.
        """
        j, stop = i, min(self.count, i + self.spend_ahead())
        is_open = False
        while j < stop:
            head = self.heads[j]
            if head.kind in (OPEN, EMPTY):
                if (head.key == key and self.is_next_item(j, head)) or self.is_aside(j, head):
                    return
                if head.key in self.root_keys and self.is_quoted_root(j):
                    j = max(self.partner(j), j)
                elif self.is_next_entry(j, head):
                    return
                elif not self.is_expected(j):
                    is_open = is_open or (head.kind == OPEN and head.key != key and self.partner(j) < 0)
                elif (
                    not (is_open and self.is_unclosed() and self.taken_at(j) < len(self.frames) - 1)
                    and not self.is_inline(j, head)
                    and not self.is_quoted(j)
                    and not (head.key == key and self.goes_on(j))
                    and not self.is_closed_by(j, key)
                ):
                    return
            elif head.kind == CLOSE and self.ends_something(j, begun):
                return
            self.budget -= 1
            yield j
            j += 1

    def is_unclosed(self) -> bool:
        """Whether nothing closes the answer."""
        return bool(self.frames) and self.frames[0].token >= 0 and self.partner(self.frames[0].token) < 0

    def is_quoted_root(self, j: int) -> bool:
        """Whether the root's tag is a part of a text that goes on in the same line: behind its closing tag or, where it
        has none and text stands in front of it, behind itself.
        """
        end = self.partner(j)
        if end < 0:
            before = self.text[self.ends[j - 1] if j else 0 : self.starts[j]].rpartition("\n")[2]
            end = j if before.strip(DECORATION) else -1
        if end < 0 or self.heads[j].kind != OPEN:
            return False
        behind = self.text[self.ends[end] : self.starts[end + 1] if end + 1 < self.count else self.end]
        return bool(behind.partition("\n")[0].strip(DECORATION))

    def is_next_entry(self, j: int, head: Head) -> bool:
        """Whether a tag with a key begins the next entry of the innermost map: it is neither a closing one nor, unless
        the reply breaks off right behind its element, a part of a text.
        """
        if not self.frames or not self.frames[-1].is_keyed(head):
            return False
        return max(self.partner(j), j) + 1 < self.count or not self.is_inline(j, head)

    def is_aside(self, j: int, head: Head) -> bool:
        """Whether a tag begins a block of reasoning behind which the definition goes on."""
        return head.key in self.reasoning_keys and self.partner(j) > j and self.goes_on(self.partner(j))

    def is_next_item(self, j: int, head: Head) -> bool:
        """Whether the opening tag of an item or an entry, in a text that has no closing tag, is that of the next one,
        whatever stands behind that: it has its own closing tag.
        """
        if head.kind != OPEN or self.partner(j) < j or not self.frames:
            return False
        after = self.heads[j + 1]
        if (after.key, after.kind) == (head.key, OPEN) and not self.text[self.ends[j] : self.starts[j + 1]].strip(GAP):
            return False
        place = self.frames[-1].expects(head)
        return place is not None and place.role in (ITEM, ENTRY) and not self.is_quoted(j)

    def ends_thought(self, j: int) -> bool:
        """Whether a closing tag ends reasoning: a block that is open, or one that began with the reply."""
        return self.heads[j].key in self.reasoning_keys and (self.depth_of_thought > 0 or self.partner(j) < 0)

    def is_closed_by(self, j: int, key: str) -> bool:
        """Whether the closing tag of another name follows an opening one, which is only mentioned then. Where text
        stands between them and its own closing tag comes next, the two cross.
        """
        if j + 1 >= self.count or self.heads[j].key == key:
            return False
        if self.heads[j + 1].kind != CLOSE or self.heads[j + 1].key != key:
            return False
        return self.partner(j) != j + 2 or not self.text[self.ends[j] : self.starts[j + 1]].strip(GAP)

    def ends_something(self, j: int, begun: int) -> bool:
        """Whether a closing tag is that of something open, which no tag behind `begun` opened once more."""
        head = self.heads[j]
        if self.ends_thought(j):
            return True
        if j in self.transparent or not head.key:
            return j in self.transparent
        return any(frame.key == head.key for frame in self.frames) and self.partner(j) < begun

    def spend_ahead(self) -> int:
        return max(self.budget, 0)

    def reaches_out(self, i: int, partner: int) -> bool:
        """Whether what holds a string ends before the closing tag that pairs up with its opening one."""
        for depth in range(len(self.frames) - 1, -1, -1):
            frame = self.frames[depth]
            end = self.partner(frame.token) if frame.token >= 0 else -1
            if (
                i < end < partner
                and self.is_end_of(depth, end)
                and self.is_complete(frame, i, end)
                and not self.is_mentioned(depth, end, partner)
            ):
                return True
        return False

    def is_mentioned(self, depth: int, end: int, partner: int) -> bool:
        """Whether a string only names the closing tag of what holds it: what follows the string's own one, which no
        open element waits for, is for one that would have ended there; or it is the root's, and that comes once more.
        """
        key = self.frames[depth].key
        if depth == 0 and self.surplus(key, partner) >= sum(frame.key == key for frame in self.frames):
            return True
        after = self.behind_asides(partner + 1)
        if after >= self.count or any(frame.key == self.heads[partner].key for frame in self.frames):
            return False
        if not self.goes_on(partner):
            return False
        head, frames = self.heads[after], self.frames[depth:]
        is_in_it = any(frame.key == head.key if head.kind == CLOSE else self.is_for(frame, head) for frame in frames)
        if is_in_it and head.kind != CLOSE and any(self.is_for(frame, head) for frame in self.frames[:depth]):
            is_in_it = self.closes_later(frames[0], after)  # else it has no other closing tag
        between = range(end + 1, end + 1 + self.spend(partner - end - 1)) if is_in_it else ()
        return is_in_it and not any(self.heads[j].kind == OPEN and self.heads[j].key == frames[0].key for j in between)

    def is_complete(self, frame: Frame, i: int, end: int) -> bool:
        """Whether the required fields of a frame that are not read yet stand between two tags."""
        lacks = frame.lacks()
        for j in range(i + 1, min(end, i + 1 + self.spend(end - i))) if lacks else ():
            place = frame.shape.place(self.heads[j]) if self.heads[j].kind in (OPEN, EMPTY) else None
            if place is not None:
                lacks.discard(place.name)
        return not lacks

    # What a closing tag closes

    def closes(self, i: int, head: Head) -> int | None:
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
        if i + 1 >= self.count or self.text[self.ends[i] : self.starts[i + 1]].strip(GAP):
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
        return goes_on and self.is_left_over(i, frame.key)

    def is_plain_item(self, j: int) -> bool:
        """Whether an item begins with a text."""
        head, after = self.heads[j], self.heads[min(j + 1, self.count - 1)]
        is_item = head.kind == OPEN and head.key in ITEM_NAMES
        return is_item and after.kind == CLOSE and bool(self.text[self.ends[j] : self.starts[j + 1]].strip(GAP))

    def is_left_over(self, i: int, key: str) -> bool:
        """Whether a closing tag of a name comes behind tag `i` that no tag opens."""
        ahead = range(i + 1, i + 1 + self.spend(self.count - i - 1))
        return any(self.heads[j].kind == CLOSE and self.heads[j].key == key and self.partner(j) < 0 for j in ahead)

    def is_for(self, frame: Frame, head: Head) -> bool:
        """Whether a tag has a place of its own in a frame. A map takes any: only an item's name is for it."""
        place = frame.takes(head)
        if place is None:
            return False
        is_of_map = place.role is ENTRY and (frame.is_keyed(head) if frame.form else head.key in ITEM_NAMES)
        return is_of_map or place.role in (FIELD, ITEM, LISTED, CHOSEN, OPTION)

    def closes_later(self, frame: Frame, i: int) -> bool:
        """Whether a closing tag of a frame's name comes from tag `i` on."""
        ahead = range(i, i + self.spend(self.count - i))
        return any(self.heads[j].kind == CLOSE and self.heads[j].key == frame.key for j in ahead)

    def opens_later(self, i: int, head: Head) -> bool:
        """Whether an opening tag of a closing one's name comes behind it."""
        ahead = range(i + 1, i + 1 + self.spend(self.count - i - 1))
        return any(self.heads[j].kind in (OPEN, EMPTY) and self.heads[j].key == head.key for j in ahead)

    def is_wrong_closer(self, i: int, j: int, key: str) -> bool:
        """Whether a closing tag of a known name, or one near to a name, that nothing behind tag `i` opens stands right
        before the next tag.
        """
        head = self.heads[j]
        if head.kind != CLOSE or self.partner(j) > i or not (head.key in self.known or is_near(key, head.key)):
            return False
        return not self.text[self.ends[j] : self.starts[j + 1]].strip(GAP)


@per_plan
def _names(plan: Plan) -> tuple[Shape, frozenset[str], frozenset[str], frozenset[str]]:
    """The shape of the root, all names of the definition, folded, those of the root, and of blocks of reasoning."""
    shape = root_shape(plan)
    root = frozenset({fold(plan.root_name), fold(plan.class_name)})
    reasoning = REASONING - root - {fold(name) for view in shape.views for name in view.fields}
    return shape, known_names(plan), root, reasoning


def thoughts(plan: Plan, tags: Tags) -> list[Span]:
    """Where a reply thinks aloud: its blocks of reasoning that are closed, in their order. One may begin with the
    reply.
    """
    _shape, _known, _roots, names = _names(plan)
    spans: list[Span] = []
    opened: list[int] = []
    for index, head in enumerate(tags.heads):
        if head.key in names and head.kind == OPEN:
            opened.append(tags.starts[index])
        elif head.key in names and head.kind == CLOSE and (opened or not spans):
            start = opened.pop() if opened else 0
            spans += [] if opened else [(start, tags.ends[index])]
    return spans


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
