"""Where a string ends: at its own closing tag, at another that was meant as it, or in front of what follows."""

from __future__ import annotations

from ...markup import GAP
from .elements import FIELD
from .ends_over_names import EndsOverNames
from .shape import is_near
from .tokens import CLOSE, EMPTY, OPEN, Head

__all__ = ["StringEnds"]


class StringEnds(EndsOverNames):
    """Reads over strings. An end is a tag, and whether that is the closing tag of the string."""

    def end_of_string(self, i: int, key: str) -> tuple[int, bool]:
        """The tag at which a string ends, and whether that is its closing tag."""
        partner = self.partner(i if self.heads[i].kind == OPEN else i - 1)
        namesakes = sum(frame.key == key for frame in self.frames)
        own = self.end_beside(namesakes, i, partner, key) if namesakes else -1
        if own >= 0:
            return own, True
        if self.is_in_lost_item(i, key):
            return self.end_of_inner_item(i, key)
        if partner > i and not self.reaches_out(i, partner):
            return self.end_with_partner(i, partner, key)
        return self.end_without_partner(i, key)

    def end_with_partner(self, i: int, partner: int, key: str) -> tuple[int, bool]:
        """The same for a string whose opening tag pairs up with a closing one: that, unless the next field begins in
        front of it, or another one of its name stands behind it at which the definition goes on.
        """
        if self.goes_on(partner) or (partner + 1 < self.count and self.is_line_of_its_own(i, partner)):
            return partner, True
        crossing = self.crossing(i, partner)
        if crossing:
            return (crossing - 1, True) if self.is_wrong_closer(i, crossing - 1, key) else (crossing, False)
        last = partner
        for j in self.ahead(partner + 1, key, i):
            head = self.heads[j]
            if head.kind == CLOSE and head.key == key and self.partner(j) < i:
                if not self.text[self.ends[last] : self.starts[j]].strip(GAP):
                    return last, True
                if self.goes_on(j):
                    return j, True
                last = j
        return partner, True

    def end_beside(self, namesakes: int, i: int, partner: int, key: str) -> int:
        """The closing tag of a string in elements of its own name, behind which each of these has one as well; -1 where
        there is none. Closing tags pair up by name alone, so that one that a text names changes how all others do.
        Where it holds opening and closing ones, these may belong together.
        """
        if partner > i and self.surplus(key, partner) >= namesakes and self.goes_on(partner):
            return partner
        named: set[int] = set()
        for j in range(i + 1, min(self.count, i + 1 + self.spend_ahead())):
            self.budget -= 1
            head = self.heads[j]
            is_own = head.key == key and (head.kind == CLOSE or self.frames[-1].takes(head) is None)
            is_end = head.kind == CLOSE and is_own and self.surplus(key, j) >= namesakes
            if is_end and self.goes_on(j) and not (self.heads[j + 1].kind == OPEN and self.heads[j + 1].key == key):
                return j
            named |= {head.kind} if is_own else set()
            if len(named) > 1 or (head.kind == CLOSE and not is_own and self.ends_something(j, i)):
                return -1
            if head.kind in (OPEN, EMPTY) and not is_own and self.is_expected(j) and not self.is_inline(j, head):
                return -1
        return -1

    def is_line_of_its_own(self, i: int, j: int) -> bool:
        """Whether an element fills a line, and a tag begins a line below it, as deep as its own: then the two are
        siblings, whatever that tag is.
        """
        if self.text.find("\n", self.starts[i], self.starts[j]) >= 0:
            return False
        margin = self.margin(i)
        return margin is not None and self.margin(j + 1) == margin

    def margin(self, j: int) -> str | None:
        """The blanks in front of a tag that begins a line, behind another tag."""
        before, is_broken, margin = self.text[self.ends[j - 1] if j else 0 : self.starts[j]].rpartition("\n")
        return None if before.strip(GAP) or margin.strip(GAP) or not is_broken else margin

    def crossing(self, i: int, partner: int) -> int:
        """The tag of the next field, if that begins in a string and ends right behind it; else 0."""
        if partner + 1 >= self.count or self.text[self.ends[partner] : self.starts[partner + 1]].strip(GAP):
            return 0
        begun = self.partner(partner + 1) if self.heads[partner + 1].kind == CLOSE else -1
        if not i < begun < partner or not self.frames:
            return 0
        place = self.frames[-1].takes(self.heads[begun])
        return begun if place is not None and place.role is FIELD else 0

    def end_without_partner(self, i: int, key: str) -> tuple[int, bool]:
        """The same for a string whose opening tag pairs up with none: one that it names may have taken its own."""
        closer = self.end_over_names(i, key)
        if closer >= 0:
            return closer, True
        self.doubt = -1
        own = wrong = near = -1
        stop = i + 1
        for j in self.ahead(i + 1, key, i):
            head = self.heads[j]
            if head.kind == CLOSE and head.key == key:
                if self.goes_on(j):
                    return j, True
                own = j if own < 0 and self.partner(j) <= i else own
            elif wrong < 0 and self.may_close(i, j, head, key) and (self.goes_on(j) or self.skips_on(j, head, key)):
                wrong = j
            elif near < 0 and head.kind == CLOSE and is_near(key, head.key) and self.is_last_in_line(i, j):
                near = j
            stop = j + 1
        found = next((j for j in (own, wrong, near) if j >= 0), -1)
        return (found, True) if found >= 0 else (stop, False)

    def skips_on(self, j: int, head: Head, key: str) -> bool:
        """Whether nothing but unknown elements stand between a tag of a known name, in the place of a closing one, and
        what the definition goes on with.
        """
        last = j
        while head.key in self.known and not head.rest and last + 1 < self.count and self.spend(1):
            after = last + 1
            is_unknown = self.heads[after].kind in (OPEN, EMPTY) and self.heads[after].key not in self.known
            if not is_unknown or self.text[self.ends[last] : self.starts[after]].strip(GAP):
                break
            last = max(self.partner(after), after)
        return j < last < self.count - 1 and self.goes_on(last)

    def is_last_in_line(self, i: int, j: int) -> bool:
        """Whether a closing tag that nothing behind tag `i` opens has no text behind it in its line."""
        behind = self.text[self.ends[j] : self.starts[j + 1] if j + 1 < self.count else self.end]
        return self.partner(j) <= i and not behind.partition("\n")[0].strip(GAP)

    def may_close(self, i: int, j: int, head: Head, key: str) -> bool:
        """Whether a tag could have been meant as the closing tag of the value that tag `i` opens: misspelt, of another
        name that nothing in the value opens, or the opening tag once more.
        """
        if head.kind == CLOSE:
            return self.partner(j) <= i
        is_next = bool(self.frames) and self.frames[-1].is_keyed(head)
        return head.kind in (OPEN, EMPTY) and head.key == key and not is_next

    def is_in_lost_item(self, i: int, key: str) -> bool:
        """Whether a text is an item of a list that is an item of the same name itself and has no closing tag left: one
        of those in it was lost, so that the pairs say nothing, and no item stands in another one.
        """
        depth = len(self.frames) - 1
        if depth <= 0 or self.frames[depth].key != key:
            return False
        return key == self.heads[i].key and not self.has_end(depth, i)

    def end_of_inner_item(self, i: int, key: str) -> tuple[int, bool]:
        """Where such an item ends: at the first tag that could close it, or begins the next one."""
        j = i
        for j in range(i + 1, min(self.count, i + 1 + self.spend_ahead())):
            self.budget -= 1
            head = self.heads[j]
            if head.key == key and head.kind != EMPTY:
                return j, head.kind == CLOSE or self.goes_on(j)
            if self.may_close(i, j, head, key) and self.goes_on(j):
                return j, True
            if head.kind == CLOSE and self.ends_something(j, i):
                return j, False
        return j + 1, False
