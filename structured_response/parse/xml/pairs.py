"""Which opening and closing tags of a text pair up, by their names alone, and how many of a name are left over.

Nothing here knows of a definition, or of what is open. All looks ahead of one text are paid from one budget, so that
together they are linear in its tags; once it is spent the answers are those of looking no further.
"""

from __future__ import annotations

from bisect import bisect_right

from .tokens import CLOSE, EMPTY, OPEN, Tags

__all__ = ["Pairs"]


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


class Pairs:
    """The tags of one text. `budget` bounds how far all looks ahead may reach together."""

    def __init__(self, tags: Tags, text: str) -> None:
        self.tags = tags
        self.heads, self.starts, self.ends = tags.heads, tags.starts, tags.ends
        self.count = len(tags.heads)
        self.text = text
        self.end = len(text) if tags.broken_off is None else tags.broken_off
        self.budget = 4 * self.count + 64
        self._partners: list[int] | None = None
        self._sums: dict[str, _Sums] | None = None
        self._spare: dict[str, list[int]] | None = None

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

    def pair_up(self, i: int, closer: int) -> None:
        """Makes a closing tag that of an opening one, and no longer that of another."""
        if self._partners is None:
            self._partners = self.pair()
        before = self._partners[closer]
        if before >= 0:
            self._partners[before] = -1
        self._partners[i], self._partners[closer] = closer, i

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

    def spare_closer(self, key: str, j: int) -> int:
        """The next closing tag of a name behind tag `j` that no opening one pairs up with; -1 where there is none."""
        if self._spare is None:
            self._spare = {}
            for i, head in enumerate(self.heads):
                if head.kind == CLOSE and self.partner(i) < 0:
                    self._spare.setdefault(head.key, []).append(i)
        places = self._spare.get(key, [])
        after = bisect_right(places, j)
        return places[after] if after < len(places) else -1

    def spend(self, wanted: int) -> int:
        """How many of the wanted tags may be looked at ahead."""
        given = min(wanted, max(self.budget, 0))
        self.budget -= given
        return given

    def left_to_spend(self) -> int:
        """How many tags may still be looked at; who looks at one by one takes each from the budget."""
        return max(self.budget, 0)

    def closes_later(self, key: str, i: int) -> bool:
        """Whether a closing tag of a name comes from tag `i` on."""
        ahead = range(i, i + self.spend(self.count - i))
        return any(self.heads[j].kind == CLOSE and self.heads[j].key == key for j in ahead)

    def opens_later(self, key: str, i: int) -> bool:
        """Whether an opening tag of a name comes behind tag `i`."""
        ahead = range(i + 1, i + 1 + self.spend(self.count - i - 1))
        return any(self.heads[j].kind in (OPEN, EMPTY) and self.heads[j].key == key for j in ahead)

    def closes_too_often(self, key: str, i: int) -> bool:
        """Whether a closing tag of a name comes behind tag `i` that no tag opens."""
        ahead = range(i + 1, i + 1 + self.spend(self.count - i - 1))
        return any(self.heads[j].kind == CLOSE and self.heads[j].key == key and self.partner(j) < 0 for j in ahead)
