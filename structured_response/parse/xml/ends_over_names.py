"""Where a string ends that names tags: over the elements in it, and over those that it only speaks of."""

from __future__ import annotations

from collections.abc import Iterator

from ...definition import Plan
from ...markup import FENCES, GAP
from .ahead import Ahead
from .shape import is_near
from .tokens import CLOSE, EMPTY, OPEN, Head, Tags, attribute

__all__ = ["EndsOverNames"]


class EndsOverNames(Ahead):
    """Reads over tags that are named. `doubt` is where the value that is being read may have ended as well."""

    def __init__(self, plan: Plan, tags: Tags, text: str) -> None:
        super().__init__(plan, tags, text)
        self.doubt = -1

    def end_over_names(self, i: int, key: str) -> int:
        """The closing tag of a string, before what holds it ends, over elements in it and tags that it only names; -1
        where there is none. Where it names one that might have begun the next field, no tag of another name closes it.
        """
        limit, nested, is_sure = self.end_of_parent(), 0, True
        for j in self.outer_tags(i, key, limit):
            head = self.heads[j]
            if head.kind == CLOSE:
                if not nested and self.is_closer(i, j, key, is_sure) and self.goes_on(j):
                    return j
                if head.key != key and self.ends_something(j, i):
                    return -1
                nested = max(nested - (head.key == key), 0)
            elif self.begins_next(i, j, key, limit):
                return -1
            elif head.key == key:
                nested += head.tag == self.heads[i].tag and self.begins_line(j)
            else:
                is_sure = is_sure and (self.is_quoted(j) or self.is_further_out(j))
        return -1

    def outer_tags(self, i: int, key: str, limit: int) -> Iterator[int]:
        """The tags of a text that could be more than a part of it: those in a fence or in another element are not."""
        inside, fences = i, 0
        for j in range(i + 1, min(limit, i + 1 + self.spend_ahead())):
            self.budget -= 1
            fences += self.text.count(FENCES[0], self.ends[j - 1], self.starts[j])
            head = self.heads[j]
            if j <= inside or fences % 2:
                continue
            if head.kind == CLOSE or head.key == key:
                yield j
            elif head.kind in (OPEN, EMPTY):
                if self.is_expected(j) and not self.is_inline(j, head):
                    yield j
                elif self.partner(j) < limit:
                    inside = max(inside, self.partner(j))

    def is_closer(self, i: int, j: int, key: str, is_sure: bool) -> bool:
        """Whether a closing tag may be that of the string that tag `i` opens: of its name, as that is written, or of
        one near to it, or else of another that nothing in it opens.
        """
        head = self.heads[j]
        if head.key == key:
            return head.tag == self.heads[i].tag
        if self.ends_something(j, i):
            return False
        return self.partner(j) <= i and (is_sure or is_near(key, head.key))

    def begins_next(self, i: int, j: int, key: str, limit: int) -> bool:
        """Whether an opening tag behind tag `i` is that of what follows a string, and not only named by it."""
        head = self.heads[j]
        if self.is_quoted(j) or self.is_further_out(j):
            return False
        if head.key == key:
            return self.is_expected(j) and not self.is_named_again(i, j)
        return head.kind == EMPTY or j < self.partner(j) < limit

    def is_named_again(self, i: int, j: int) -> bool:
        """Whether a tag of the name that tag `i` has is a part of the text behind that: written in another way, without
        a key where the other one has one or with attributes where that has none, or in the midst of a line, where the
        other one begins one. Of an item, the latter is in doubt.
        """
        own, again = self.heads[i], self.heads[j]
        if (
            self.is_quoted(j)
            or again.tag != own.tag
            or _has_key(again) < _has_key(own)
            or (again.rest and not own.rest)
        ):
            return True
        if not self.begins_line(i) or not self.text[self.ends[j - 1] : self.starts[j]].rpartition("\n")[2].strip(GAP):
            return False
        self.doubt = self.starts[j] if self.frames else -1
        return True

    def is_further_out(self, j: int) -> bool:
        """Whether what takes a tag holds something that goes on behind it."""
        depth = self.taken_at(j)
        return 0 <= depth < len(self.frames) - 1 and self.stays(depth + 1, j)

    def begins_line(self, j: int) -> bool:
        """Whether only blanks stand in front of a tag in its line."""
        _before, is_broken, margin = self.text[self.ends[j - 1] if j else 0 : self.starts[j]].rpartition("\n")
        return not margin.strip(GAP) and bool(is_broken or not j)

    def end_of_parent(self) -> int:
        """The closing tag of what holds a value; -1 where it has none. Without a tag of its own it ends with what
        holds it.
        """
        token = next((frame.token for frame in reversed(self.frames) if frame.token >= 0), -1)
        return self.partner(token) if token >= 0 else self.count


def _has_key(head: Head) -> bool:
    """Whether a tag has a key, as one of an entry does."""
    return attribute(head.rest, "key") is not None
