"""Tags -> elements, guided by the definition: which tags are markup, what each one opens, and where it ends.

One pass over the tags with the open elements on a stack. Rules, in the order in which they are asked:

* An opening tag goes to the innermost open element that can take it. Elements above it that have their own closing
  tag still to come stay open around it; others have ended, their closing tags are missing.
* A string ends at its own closing tag; of several, at the first one behind which the definition can go on, maybe behind
  elements that it does not know; a tag that is none of the definition's is what follows as well where the string fills
  a line and that tag begins a line as deep.
  That of its parent ends it before only where nothing behind its own is for that parent. Without one it ends at a
  misspelt or wrong closing tag, or where the definition goes on. Tags inside it are text.
* Tags pair up by name alone, so a name in a string may take its closing tag. Where that comes before the parent ends,
  what only names a tag ends no string: in backticks, in a fence, in an element of the text, spelt in another way than
  the string's own, unclosed, or for what stands further out than something that goes on. An item's tag in the midst of
  a line of an item is in doubt, which is a problem.
* Other scalars end at the next tag that is not unknown.
* In a text without a closing tag the next item begins, whatever stands behind that; so does a block of reasoning, and
  a field that is missing and whose text goes on behind a closing tag that it names. What could have been meant as the
  closing tag, where nothing tells, makes its end unclear; so does the closing tag of another field that begins in it.
* An opening tag that stands twice and is closed once counts once, and so do an item's tags that stand around an item.
* A tag of an item that holds nothing and is not closed was meant as a closing one, if one is missing in front of it.
* A field that stands twice before its object's own closing tag is that object's both times, whatever else could take
  it; only where the object is an item that is complete, and the field its first one, does the next item begin.
* A closing tag goes to the innermost open element of its name; one that fits nothing is stray, unless a text of its
  name goes on up to it.
* Where an object ends with required fields missing whose tags stand in one of its strings, that string had
  swallowed them: it is read again and ends there, if nothing but elements follows in it. Else it is whole.
* What the definition does not know is skipped whole, but for a wrapper around fields that are still missing.
* Outside of all roots, a field's tag that nothing closes is prose's where text stands in front of it, or where its
  element begins on a later line; in an answer without a root, what is there already begins another answer behind prose.
* The root's tag among what an answer holds, with the closing tags of both, is a part of that answer.
* A closing tag outside of all answers that nothing opens ends the first value of an answer without a root.
* What is opened twice and closed once begins once more: a text on a line of its own, or with the same words again.

An answer whose root is missing, renamed, wrapped or closed too early is one case: the document meets a field.
"""

from __future__ import annotations

import re
from bisect import bisect_left

from ...definition import Plan
from ...findings import RepairKind
from ...markup import GAP
from .elements import ENTRY, FIELD, ITEM, LISTED, Element, Root
from .frames import Frame
from .shape import Place
from .surroundings import DECORATION
from .tokens import CLOSE, COMMENT, EMPTY, OPEN, Head, Tags
from .unexpected import Unexpected

__all__ = ["build"]

_TAG = re.compile(r"</?[^\W\d][^<>]*+>")
_BREAKS = ("\n", "\r")
_STOPS = ".,;:!?)"


def build(plan: Plan, tags: Tags, text: str) -> list[Root]:
    """Every answer that the tags of a text make up, in its order."""
    return _Builder(plan, tags, text).run()


class _Builder(Unexpected):
    """Builds the answers of one text."""

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
                behind = (self.frames and self.run_at(position, head)) or self.opened(position, head)
                while behind == position:  # something was opened or closed in front of it
                    behind = self.opened(position, head)
                position = behind
            elif kind == CLOSE:
                position = (self.closed if self.frames else self.closed_outside)(position, head)
            elif kind == COMMENT:
                position = self.comment(position)
            else:
                position += 1

    def opened(self, i: int, head: Head) -> int:
        """An opening or an empty tag. Returns the tag to read on from, as all steps do."""
        if not self.frames:
            return self.opened_outside(i, head)
        if not head.rest and self.is_torn(i) and self.partner(i) < 0:
            return i + 1  # an attempt at a tag
        if head.key in self.root_keys and not self.is_field(i) and self.is_mention(i):
            return self.root_again(i, head)
        top = self.frames[-1]
        aside = self.behind_prose(i, head) if top.token < 0 and len(self.frames) == 1 else 0
        if aside:
            return aside
        place = self.place_in(top, i, head)
        if place is None or (place.role is ENTRY and self.is_behind_map(i, head)):
            return self.handed_down(i, head)
        return self.taken(top, place, i, head)

    def taken(self, top: Frame, place: Place, i: int, head: Head) -> int:
        """A tag that the innermost element takes: as it is, or as what it stands around or goes on with."""
        if self.last_closed is not None and self.is_rest_of_item(top, place, self.last_closed, i, head):
            return self.reopen(self.last_closed, i)
        if place.role is FIELD and self.is_class_around(place, i, head):
            return self.enter_class(top, i, head)
        if place.role in (ITEM, LISTED, ENTRY) and self.begins_with_tag(i):
            if self.is_around_others(place, i, head):
                return self.enter_others(place, i, head)
            if place.role is ITEM and (place.shape.is_leaf or self.begins_group(place, i)):
                return self.next_list(i, head, place)
        return self.enter(top, place, i, head)

    def comment(self, i: int) -> int:
        """A comment between elements. One that reaches out of the element it stands in is never closed."""
        end = self.comments.end(self.starts[i])
        if end < 0:
            return i + 1
        until = bisect_left(self.starts, end, i)
        return i + 1 if self.is_cut_by_comment(i, until) else until

    def is_cut_by_comment(self, i: int, until: int) -> bool:
        """Whether what is open, or an answer that begins between two tags, would lose its closing tag to a comment."""
        if self.frames:
            top = self.frames[-1]
            is_inside = top.token >= 0 and i < self.partner(top.token) < until
            return is_inside and not self.closes_later(top.key, until)
        inside = (j for j in range(i + 1, i + 1 + self.spend(until - i - 1)) if self.heads[j].key in self.root_keys)
        return any(self.heads[j].kind == OPEN and self.partner(j) >= until for j in inside)

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

    def broken_off(self) -> Element | None:
        """The innermost element that the end of the text leaves unfinished; None where only the last closing tag
        is missing, or where text follows.
        """
        top = self.frames[-1].element
        if top.children and top.children[-1].cut:
            return None
        if self.is_torn(self.count - 1) and not self.text[self.ends[-1] :].strip(GAP):
            return self.innermost_with_room()
        return self.broken_off_in_tag() if self.end < len(self.text) else self.broken_off_in_text()

    def innermost_with_room(self) -> Element | None:
        return next((frame.element for frame in reversed(self.frames) if frame.has_room()), None)

    def broken_off_in_tag(self) -> Element | None:
        top = self.frames[-1]
        if any(child.is_closing for child in top.element.children[-1:]):
            return self.innermost_with_room()
        if not self.begins_closer(top.key):
            return top.element
        top.element.is_closing = True
        return self.frames[-2].element if len(self.frames) > 1 else None

    def broken_off_in_text(self) -> Element | None:
        if self.ends_in_tag():
            return next((frame.element for frame in reversed(self.frames) if frame.has_room()), None)
        top, position = self.frames[-1], self.last_known()
        behind = _TAG.sub("", self.text[position:])
        says_nothing = DECORATION + (_STOPS if top.token < 0 else "")
        if behind.strip(says_nothing):  # prose begins on a line of its own; anything else is what came of a value
            is_prose = behind.startswith(_BREAKS) or self.text[:position].rstrip(" \t").endswith(_BREAKS)
            return None if top.element.children and is_prose else top.element
        return top.element if len(self.frames) > 1 or top.lacks() else None

    def ends_in_tag(self) -> bool:
        """Whether the text ends in a tag of which only the last bracket is missing."""
        return bool(self.count) and self.ends[-1] == len(self.text) and not self.text.endswith(">")

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

    def result(self) -> list[Root]:
        self.reasoning.end_open(self.roots[-1].start if self.roots else self.end)
        return [Root(root, self.reasoning.holds(root.start)) for root in self.roots]
