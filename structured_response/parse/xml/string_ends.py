"""Where a string ends: at its own closing tag, at one that was meant as that, or where the definition goes on."""

from __future__ import annotations

from collections.abc import Iterator

from ...definition import Plan
from ...markup import FENCES, GAP
from .ahead import Ahead
from .elements import FIELD
from .shape import is_near
from .tokens import CLOSE, EMPTY, OPEN, Head, Tags, attribute

__all__ = ["StringEnds"]


class StringEnds(Ahead):
    """Finds the ends of strings. `doubt` is where the one that is being read may have ended as well."""

    def __init__(self, plan: Plan, tags: Tags, text: str) -> None:
        super().__init__(plan, tags, text)
        self.doubt = -1

    def end_of_string(self, i: int, key: str) -> tuple[int, bool]:
        """The tag at which a string ends, and whether that is its closing tag."""
        partner = self.partner(i if self.heads[i].kind == OPEN else i - 1)
        namesakes = sum(frame.key == key for frame in self.frames)
        own = self.end_beside(namesakes, i, partner, key) if namesakes else -1
        if own >= 0:
            return own, True
        if self.is_in_lost_item(i, key):
            return self.end_of_inner_item(i, key)
        if partner <= i or self.reaches_out(i, partner):
            return self.end_without_partner(i, key)
        if self.goes_right_on(partner) or (partner + 1 < self.count and self.is_line_of_its_own(i, partner)):
            return partner, True
        crossing = self.crossing(i, partner)
        if crossing:
            return (crossing - 1, True) if self.is_wrong_closer(i, crossing - 1, key) else (crossing, False)
        return self.end_from(partner, i, key), True

    def end_from(self, partner: int, i: int, key: str) -> int:
        """Of the closing tags of a string, from the one on that pairs up with tag `i`, the first behind which the
        definition can go on, or nothing but another one stands; if there is none, the one that pairs up.
        """
        last = partner
        for j in self.until_it_goes_on(partner + 1, key, i):
            head = self.heads[j]
            if head.kind == CLOSE and head.key == key and self.partner(j) < i:
                if not self.between(last, j):
                    return last
                if self.goes_on(j):
                    return j
                last = j
        return partner

    def end_beside(self, namesakes: int, i: int, partner: int, key: str) -> int:
        """The closing tag of a string in elements of its own name, behind which each of these has one as well; -1 where
        there is none. Closing tags pair up by name alone, so that one that a text names changes how all others do.
        Where it holds opening and closing ones, these may belong together.
        """
        if partner > i and self.surplus(key, partner) >= namesakes and self.goes_right_on(partner):
            return partner
        named: set[int] = set()
        for j in range(i + 1, min(self.count, i + 1 + self.left_to_spend())):
            self.budget -= 1
            head = self.heads[j]
            is_own = head.key == key and (head.kind == CLOSE or self.frames[-1].takes(head) is None)
            is_end = head.kind == CLOSE and is_own and self.surplus(key, j) >= namesakes
            if is_end and self.goes_right_on(j) and not self.is_opened_at(j + 1, key):
                return j
            named |= {head.kind} if is_own else set()
            if len(named) > 1 or (head.kind == CLOSE and not is_own and self.ends_something(j, i)):
                return -1
            if head.kind in (OPEN, EMPTY) and not is_own and self.is_expected(j) and not self.is_inline(j, head):
                return -1
        return -1

    def is_opened_at(self, j: int, key: str) -> bool:
        return self.heads[j].kind == OPEN and self.heads[j].key == key

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
        for j in range(i + 1, min(self.count, i + 1 + self.left_to_spend())):
            self.budget -= 1
            head = self.heads[j]
            if head.key == key and head.kind != EMPTY:
                return j, head.kind == CLOSE or self.goes_on(j)
            if self.may_close(i, j, head, key) and self.goes_on(j):
                return j, True
            if head.kind == CLOSE and self.ends_something(j, i):
                return j, False
        return j + 1, False

    def crossing(self, i: int, partner: int) -> int:
        """The tag of the next field, if that begins in a string and ends behind it: right behind the closing tag, or
        where it is a text that goes on over that, and the definition goes on behind it; else 0.
        """
        if not self.frames or partner + 1 >= self.count:
            return 0
        if not self.between(partner, partner + 1):
            begun = self.partner(partner + 1) if self.heads[partner + 1].kind == CLOSE else -1
            return begun if i < begun < partner and self.is_field_of_top(begun) else 0
        inside = range(i + 1, i + 1 + self.spend(partner - i - 1))
        begun = next((j for j in inside if self.partner(j) > partner and self.is_field_of_top(j)), 0)
        is_text = begun and not any(self.is_expected(k) for k in range(partner + 1, self.partner(begun)))
        return begun if is_text and self.goes_on(self.partner(begun)) else 0

    def is_field_of_top(self, j: int) -> bool:
        """Whether a tag opens a field for which the innermost element has room, and is not only named."""
        place = self.frames[-1].takes(self.heads[j]) if self.heads[j].kind == OPEN else None
        return place is not None and place.role is FIELD and not self.is_quoted(j)

    def end_without_partner(self, i: int, key: str) -> tuple[int, bool]:
        """The same for a string whose opening tag pairs up with none: one that it names may have taken its own."""
        closer = self.end_over_names(i, key)
        if closer >= 0:
            return closer, True
        self.doubt = -1
        own = wrong = near = -1
        stop = i + 1
        for j in self.until_it_goes_on(i + 1, key, i):
            head = self.heads[j]
            if head.kind == CLOSE and head.key == key:
                if self.goes_on(j):
                    return j, True
                own = j if own < 0 and self.partner(j) <= i else own
            elif wrong < 0 and self.may_close(i, j, head, key) and self.goes_on(j):
                wrong = j
            elif near < 0 and head.kind == CLOSE and is_near(key, head.key) and self.is_last_in_line(i, j):
                near = j
            stop = j + 1
        found = next((j for j in (own, wrong, near) if j >= 0), -1)
        return (found, True) if found >= 0 else (stop, False)

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
        for j in range(i + 1, min(limit, i + 1 + self.left_to_spend())):
            self.budget -= 1
            fences += self.text.count(FENCES[0], self.ends[j - 1], self.starts[j])
            head = self.heads[j]
            if j <= inside or fences % 2:
                continue
            if head.kind == CLOSE or head.key == key:
                yield j
            elif head.kind in (OPEN, EMPTY):
                if self.is_expected(j) and not self.is_part(j, head):
                    yield j
                elif self.partner(j) < limit:
                    inside = max(inside, self.partner(j))

    def begins_next(self, i: int, j: int, key: str, limit: int) -> bool:
        """Whether an opening tag behind tag `i` is that of what follows a string, and not only named by it."""
        head = self.heads[j]
        if self.is_quoted(j) or self.is_further_out(j):
            return False
        if head.key == key:
            return self.is_expected(j) and not self.is_named_again(i, j)
        return head.kind == EMPTY or j < self.partner(j) < limit

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
        if not self.begins_line(i) or not self.text_before(j).rpartition("\n")[2].strip(GAP):
            return False
        self.doubt = self.starts[j] if self.frames else -1
        return True


def _has_key(head: Head) -> bool:
    """Whether a tag has a key, as one of an entry does."""
    return attribute(head.rest, "key") is not None
