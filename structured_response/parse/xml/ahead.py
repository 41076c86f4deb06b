"""Looking ahead: whether the definition can go on behind a tag, and what of a text comes before it does."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator

from ...markup import GAP
from .closers import Closers
from .elements import FIELD
from .frames import Frame
from .shape import is_near
from .surroundings import DECORATION
from .tokens import CLOSE, COMMENT, EMPTY, OPEN, Head

__all__ = ["Ahead"]

_NOTHING = ("", "...", "\u2026")
"""What may stand between elements and says nothing: a model that shortens its answer writes dots."""


class Ahead(Closers):
    """Tells what may follow, so that a text can end."""

    def goes_on(self, j: int) -> bool:
        """Whether the definition can go on behind a tag: right behind it or, if the definition knows its name, behind
        elements that it does not know, which are skipped.
        """
        return self.goes_right_on(j) or self.skips_on(j, self.heads[j])

    def goes_right_on(self, j: int) -> bool:
        """Whether the definition can go on right behind a tag: with what an open element takes, the end of one or of
        something around the answer, or the end of the text.
        """
        behind, position, j = self.heads[j], self.ends[j], j + 1
        if j < self.count and self.heads[j].kind == COMMENT:
            position, j = self.behind_comments(position, j)
        if j >= self.count:
            return self.is_last_of_text(position)
        head = self.heads[j]
        if self.text[position : self.starts[j]].strip(DECORATION) not in _NOTHING:
            return self.closes_torn_opener(position, j)
        if head.kind == CLOSE:
            return self.is_end(j, head) or any(is_near(f.key, head.key) for f in self.frames)
        if head.kind == OPEN and head.key == behind.key and behind.kind == CLOSE and self.frames:
            return True  # the same again: items with a name of their own, a field that stands there twice
        if head.kind not in (OPEN, EMPTY) or self.is_no_entry(j, head) or self.is_quoted(j):
            return False
        return self.is_expected(j) or self.is_misspelt(head)

    def behind_comments(self, position: int, j: int) -> tuple[int, int]:
        """Behind the comments with which tag `j` begins, if there is no text between them and a position: the place,
        and the tag that is next there. One that is never closed goes as far as the next tag.
        """
        while j < self.count and self.heads[j].kind == COMMENT and not self.text[position : self.starts[j]].strip(GAP):
            end = self.comments.end(self.starts[j])
            if end < 0:
                position, j = self.starts[j + 1] if j + 1 < self.count else self.end, j + 1
            else:
                position, j = end, bisect_left(self.starts, end, j)
        return position, j

    def is_last_of_text(self, position: int) -> bool:
        """Whether nothing follows behind the last tag; behind an answer, in the same line."""
        behind = self.text[position : self.end]
        return not (behind if self.frames else behind.partition("\n")[0]).strip(GAP)

    def closes_torn_opener(self, position: int, j: int) -> bool:
        """Whether a closing tag is that of an element which the innermost one takes, and whose opening tag is torn."""
        if self.heads[j].kind != CLOSE or not self.frames or self.frames[-1].takes(self.heads[j]) is None:
            return False
        return self.is_torn_opener(self.torn.at(position), j)

    def until_it_goes_on(self, i: int, key: str, begun: int) -> Iterator[int]:
        """The tags from `i` on until one at which the definition goes on outside of a value of a name, begun with tag
        `begun`. Its own opening tag does so only where a value follows; else it was meant as the closing one. An answer
        that is quoted is stepped over. In an answer that is never closed, what stands further out does not go on in an
        element that is not closed either.
        """
        j, stop = i, min(self.count, i + self.left_to_spend())
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
                elif not (is_open and self.is_unclosed() and self.is_for_outer(j)) and self.is_next(
                    begun, j, head, key
                ):
                    return
            elif head.kind == CLOSE and self.ends_something(j, begun):
                return
            self.budget -= 1
            yield j
            j += 1

    def is_next(self, i: int, j: int, head: Head, key: str) -> bool:
        """Whether a tag that some open element takes is more than a part of the text of a name, begun with tag `i`,
        which it ends then.
        """
        if self.is_part(j, head) or self.is_quoted(j) or self.is_respelt(j, head):
            return False
        is_closer = head.key == key and not self.says_more(i, head) and self.goes_on(j)
        return not is_closer and not self.is_closed_by(j, key)

    def is_respelt(self, j: int, head: Head) -> bool:
        """Whether an opening tag that nothing closes is written in another way than the definition's name, and another
        one of it comes later: exact beats folded.
        """
        place = self.frames[-1].takes(head) if self.frames and head.kind == OPEN and self.partner(j) < j else None
        return place is not None and place.role is FIELD and head.name != place.name and self.opens_later(head.key, j)

    def is_part(self, j: int, head: Head) -> bool:
        """Whether an element is a part of a text that goes on behind it. A field that is missing is none, if the text
        that goes on may be its own: that has the closing tag in it, since another one comes before any other field.
        """
        return self.is_inline(j, head) and not self.names_its_end(j, head)

    def names_its_end(self, j: int, head: Head) -> bool:
        """Whether the text of a field that is required and not there yet goes on behind the closing tag that pairs up
        with its opening one, up to another one that nothing opens.
        """
        place = self.frames[-1].takes(head) if self.frames else None
        if place is None or place.name not in self.frames[-1].lacks() or not place.shape.is_verbatim:
            return False
        first = self.partner(j)
        closer = self.spare_closer(head.key, first)
        if first < 0 or closer < 0 or self.spend(closer - first) < closer - first or not self.goes_on(closer):
            return False
        return not any(self.heads[k].kind != CLOSE and self.is_expected(k) for k in range(first + 1, closer))

    def is_aside(self, j: int, head: Head) -> bool:
        """Whether a tag begins a block of reasoning behind which the definition goes on."""
        return head.key in self.reasoning_keys and self.partner(j) > j and self.goes_on(self.partner(j))

    def skips_on(self, j: int, head: Head) -> bool:
        """Whether nothing but unknown elements stand between a tag of a known name, in the place of a closing one, and
        what the definition goes on with.
        """
        last = j
        while head.kind in (OPEN, CLOSE) and head.key in self.known and last + 1 < self.count and self.spend(1):
            after = last + 1
            is_unknown = self.heads[after].kind in (OPEN, EMPTY) and self.heads[after].key not in self.known
            if not is_unknown or self.between(last, after) or max(self.partner(after), after) >= self.count:
                break
            last = max(self.partner(after), after)
        return j < last < self.count - 1 and self.goes_on(last)

    def reaches_out(self, i: int, partner: int) -> bool:
        """Whether what holds a string ends before the closing tag that pairs up with its opening one."""
        for depth in range(len(self.frames) - 1, -1, -1):
            frame = self.frames[depth]
            end = self.partner(frame.token) if frame.token >= 0 else -1
            if (
                i < end < partner
                and self.is_end_of(depth, end)
                and self.is_complete(frame, i, end)
                and not self.is_end_named(depth, end, partner)
            ):
                return True
        return False

    def is_end_named(self, depth: int, end: int, partner: int) -> bool:
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
            is_in_it = self.closes_later(frames[0].key, after)  # else it has no other closing tag
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
