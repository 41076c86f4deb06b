"""What makes it doubtful where a text ends: tags in it, or behind it, that could be its closing one."""

from __future__ import annotations

from ...markup import GAP
from .elements import FIELD
from .shape import is_near
from .string_ends import StringEnds
from .tokens import CLOSE, OPEN

__all__ = ["Doubts"]


class Doubts(StringEnds):
    """Tells where else a text could end."""

    def may_end_elsewhere(self, i: int, j: int, key: str) -> bool:
        """Whether tag `j`, at which a text ended, was not meant as the closing tag of that."""
        return self.is_any_closer(key, j) or self.is_foreign_end(key, j) or self.may_be_of_next(i, j)

    def is_any_closer(self, key: str, j: int) -> bool:
        """Whether nothing but its place makes a tag the closing one of an answer that is a text: its name is not near,
        and nothing that it could end stands around the answer. It may be a part of a text that was never closed.
        """
        return not self.frames and not is_near(key, self.heads[j].key) and self.partner(j) < 0 <= len(self.heads[j].key)

    def may_be_of_next(self, i: int, j: int) -> bool:
        """Whether a closing tag of another name, at which a text ended, may be that of a field that begins in it."""
        if self.heads[j].kind != CLOSE or not self.frames:
            return False
        inside = range(i + 1, i + 1 + self.spend(j - i - 1))
        opened = (k for k in inside if self.heads[k].kind == OPEN and self.heads[k].key == self.heads[j].key)
        return any((place := self.frames[-1].takes(self.heads[k])) and place.role is FIELD for k in opened)

    def closes_once_more(self, key: str, j: int) -> bool:
        """Whether an answer that is a text goes on in the line in which tag `j` ends it and is closed once more: either
        may be its end.
        """
        again = self.spare_closer(key, j) if self.text_behind(j).partition("\n")[0].strip(GAP) else -1
        return again >= 0 and not self.is_quoted(again)

    def may_go_on(self, i: int, j: int) -> bool:
        """Whether a text that was ended at tag `j`, a field that is not required, may go on over it instead: its own
        closing tag comes later, and text behind that.
        """
        partner, place = (
            self.partner(i),
            self.frames[-1].takes(self.heads[j]) if self.frames and j < self.count else None,
        )
        if partner < j or place is None or place.name in self.frames[-1].lacks():
            return False
        return bool(self.text_behind(partner).strip(GAP))

    def holds_swapped(self, i: int, end: int, key: str) -> bool:
        """Whether tags of its own name stand around nothing between two texts of an item: they may be the end of one
        item and the beginning of the next, swapped.
        """
        pairs = (j for j in range(i + 1, end) if self.heads[j].key == key and self.partner(j) == j + 1)
        first = next((j for j in pairs if not self.between(j, j + 1)), -1)
        return first > i and bool(self.text_before(first).strip(GAP) and self.text_behind(first + 1).strip(GAP))

    def is_foreign_end(self, key: str, j: int) -> bool:
        """Whether a text ends at the last tag of all, which is of a name that nobody knows, while nothing around it is
        closed: then that tag tells neither where the text ends nor whether it is whole.
        """
        name = self.heads[j].key
        if j + 1 < self.count or not name or name in self.known or is_near(key, name) or self.partner(j) >= 0:
            return False
        return not any(self.with_ends(j)) and not any(is_near(root, name) for root in self.root_keys)

    def begun_again(self, i: int, j: int) -> int:
        """Where a value begins once more that is opened twice, by tag `i` too, and closed once, by tag `j`: with the
        same text again; -1 where its text only names the tag.
        """
        again = self.partner(j)
        before, behind = self.between(i, again), self.between(again, j)
        first = before.partition("\n")[0].strip(GAP)
        is_meant = self.heads[again].tag == self.heads[i].tag and not self.heads[again].rest
        is_same = any(map(str.isalnum, first)) and behind.startswith(first)
        return self.starts[again] if is_meant and is_same else -1
