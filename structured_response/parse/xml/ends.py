"""Where a value ends, and what around its text is none of it: tags that stand twice, cross, or are torn."""

from __future__ import annotations

import re

from ...definition import ITEM_NAMES, Plan, fold
from ...findings import RepairKind
from ...markup import BLANK, FENCES, GAP
from .doubts import Doubts
from .elements import ENTRY, ITEM, Element
from .shape import SHORT_NAME, Shape, is_near
from .surroundings import DECORATION
from .tokens import CLOSE, EMPTY, OPEN, Tags
from .torn import before_odd_closer, without_attempt

__all__ = ["Ends"]

_AROUND_VALUES = frozenset(
    {*ITEM_NAMES, "string", "str", "integer", "int", "float", "number", "boolean", "bool", "value", "date"}
)
"""Names that tags around a value may have, folded."""

_QUOTES = "`'\"\u201c\u201d\u2018\u2019"
"""What stands around a tag that is only named."""

_TORN_ENTRY = re.compile(r"(?<![<\w.:-])[\w.:-]++\s++key\s*+=\s*+[\"']")
"""A tag with a key that has lost its first bracket."""

_FENCE = re.compile(r"^[ \t]*+(?:```|~~~)", re.MULTILINE)
"""A line that begins or ends a fenced block."""


class Ends(Doubts):
    """Reads over values. `owed` is the key of one that ended without its closing tag, if that was the last thing read;
    `roots` are the answers so far.
    """

    def __init__(self, plan: Plan, tags: Tags, text: str) -> None:
        super().__init__(plan, tags, text)
        self.roots: list[Element] = []
        self.owed = ""

    def leaf(self, element: Element, shape: Shape, i: int) -> int:
        """Reads over a value that holds no elements, and returns the tag behind it."""
        key, owed = self.closing_key(element, i), self.owed
        token = self.behind_doubled(element, self.crossed(element, i))
        j, is_closed = token + 1, True
        if j >= self.count or self.heads[j].kind != CLOSE or self.heads[j].key != key or not self.is_plain_end(j):
            self.doubt = -1
            j, is_closed = (self.end_of_string if shape.is_verbatim else self.end_of_scalar)(token, key)
            element.doubt = self.doubt if is_closed else -1
        self.owed = "" if is_closed and (self.heads[j].key == key or is_near(key, self.heads[j].key)) else key
        if shape.is_verbatim:  # no other may have swallowed anything, or go on behind a tag
            element.token, element.last = token, j
        if not is_closed:
            j = self.before_wrapper(token, j)
            self.end_unclosed(element, shape, token, j, key)
            return j
        last = self.before_strays(token, j, owed)
        if last < j:
            element.note(RepairKind.TAG_DROPPED, self.starts[last], self.starts[j])
        element.inner_end, element.end = self.starts[last], self.ends[j]
        if self.heads[j].key != key or self.heads[j].kind != CLOSE:
            self.end_at_wrong_closer(element, j)
            element.is_unclear = not is_near(key, self.heads[j].key) and self.is_fused(token, j)
            element.is_unclear |= shape.is_verbatim and self.may_end_elsewhere(token, j, key)
        elif element.role is ITEM:
            self.end_item(element, token, j, key)
        elif element.role is ENTRY:
            element.is_unclear = self.holds_end(token, j, key) and self.holds_torn_entry(token, j)
        elif shape.is_verbatim:
            element.is_unclear = not self.frames and self.closes_once_more(key, j)
            element.doubt = self.begun_again(token, j) if token < self.partner(j) else element.doubt
        element.is_unopened = not shape.is_verbatim and self.has_digits_of_value(token, j)
        return j + 1

    def end_unclosed(self, element: Element, shape: Shape, i: int, j: int, key: str) -> None:
        """Ends the value behind tag `i`, which has no closing tag, in front of tag `j` or with the text."""
        if j < self.count:
            element.inner_end = element.end = self.end_before(element.inner_start, j)
        else:
            element.inner_end = element.end = self.fence_end(element.inner_start)
            element.is_closing = element.inner_end == self.end and self.begins_closer(key, i + 1)
            element.cut = element.inner_end == self.end and not element.is_closing
        is_found = self.ends_in_near_opener(element, i, j, key) or self.ends_in_torn_closer(element)
        if not is_found and not element.cut:
            element.note(RepairKind.CLOSER_MISSING, element.inner_end, element.inner_end, f"</{element.head.tag}>")
            element.is_unclear = shape.is_verbatim and (self.may_end_before(i, j, key) or self.may_go_on(i, j))

    def end_at_wrong_closer(self, element: Element, j: int) -> None:
        """Ends a value at tag `j`, which was meant as its closing one."""
        value = without_attempt(self.text[element.inner_start : element.inner_end], element.head.tag)
        element.inner_end = element.inner_start + len(value)
        element.note(RepairKind.CLOSER_RESPELLED, element.inner_end, self.ends[j], f"</{element.head.tag}>")

    def is_fused(self, i: int, j: int) -> bool:
        """Whether a text that ends at the closing tag `j` of something else may be two values, of which one lost its
        closing and one its opening tag: it holds a closing tag that nothing in it opens, or one near to that of `j`.
        """
        for k in range(i + 1, i + 1 + self.spend(j - i - 1)):
            head = self.heads[k]
            if head.kind == CLOSE and self.partner(k) <= i:
                return True
            if head.kind == OPEN and self.partner(k) < 0 and is_near(self.heads[j].key, head.key):
                return True
        return False

    def has_digits_of_value(self, i: int, j: int) -> bool:
        """Whether the name of an opening tag ends in digits, and that of its closing one does not: they may be the
        first ones of a number.
        """
        opened, closed = self.heads[i].key, self.heads[j].key
        return opened != closed and opened.rstrip("0123456789") == closed

    def before_wrapper(self, i: int, j: int) -> int:
        """The first of the tags right in front of tag `j` that stand around it: a text that begins at tag `i` and has
        no closing tag ends there.
        """
        while i < j - 1 and j < self.count and self.partner(j - 1) > j and not self.between(j - 1, j):
            j -= 1
        return j

    def end_item(self, element: Element, i: int, j: int, key: str) -> None:
        """Looks at what stands in an item, between tags `i` and `j`: whether it is one, and one item only."""
        self.unwrap(element, i, j)
        is_empty = not self.text[element.inner_start : element.inner_end].strip(GAP)
        may_be_list = is_empty and self.is_in_lost_item(i, key)
        element.is_unclear = may_be_list or self.holds_end(i, j, key) or self.holds_swapped(i, j, key)

    def crossed(self, element: Element, i: int) -> int:
        """The tag behind which a value begins: where elements cross, the closing tag of the one before stands first."""
        j = i + 1
        if not self.owed or j >= self.count or self.heads[j].kind != CLOSE or self.heads[j].key != self.owed:
            return i
        if self.between(i, j):
            return i
        element.note(RepairKind.TAG_DROPPED, self.starts[j], self.ends[j])
        element.inner_start = self.ends[j]
        return j

    def behind_doubled(self, element: Element, i: int) -> int:
        """The tag behind which a value begins: an opening tag that stands twice in a row, and is closed once, counts
        once.
        """
        j = i + 1
        if j >= self.count or self.heads[j].kind != OPEN or self.heads[j].key != self.heads[i].key:
            return i
        if self.heads[j].rest != self.heads[i].rest or self.between(i, j) or self.is_closed_within(i, j):
            return i
        if self.partner(j) < 0 or not self.goes_on(self.partner(j)):
            return i
        element.note(RepairKind.TAG_DROPPED, self.starts[j], self.ends[j])
        element.inner_start = self.ends[j]
        return j

    def is_closed_within(self, i: int, j: int) -> bool:
        """Whether tag `i`, behind which tag `j` opens the same again, has its closing tag before what holds it ends."""
        return 0 <= self.partner(i) <= max(self.end_of_parent(), self.partner(j))

    def closing_key(self, element: Element, i: int) -> str:
        """The folded name of the closing tag that a value is to have: its opening tag's, or, where that was misspelt
        and nothing pairs up with it, the field's own.
        """
        key = self.heads[i].key
        return fold(element.name) if element.name and fold(element.name) != key and self.partner(i) < 0 else key

    def is_plain_end(self, j: int) -> bool:
        """Whether nothing speaks against a closing tag: no text behind it, and no tag unknown to the definition."""
        if j + 1 >= self.count:
            return True
        after = self.heads[j + 1]
        if after.kind == CLOSE and (not self.frames or after.key != self.frames[-1].key) and not self.goes_right_on(j):
            return False
        if after.kind in (OPEN, EMPTY) and not self.is_taken(j + 1, after) and not self.goes_right_on(j):
            return False
        return not self.between(j, j + 1)

    def end_of_scalar(self, i: int, key: str) -> tuple[int, bool]:
        """The tag at which a value that is no string ends, and whether that is a closing tag of its own. A value that
        stands in an item's tags is the value all the same.
        """
        if self.is_in_item(i, key):
            return i + 3, True
        behind = self.behind_items(i + 1)
        if behind > i + 3 and self.heads[behind].kind == CLOSE and self.heads[behind].key == key:
            return behind, True  # of several values nobody knows which is meant
        j = self.behind_asides(i + 1)
        if j < self.count and self.heads[j].kind == CLOSE and self.heads[j].key == key:
            return j, True
        j = i
        for j in self.until_it_goes_on(i + 1, key, i):
            head = self.heads[j]
            if head.kind == CLOSE:
                if head.key == key or head.key in self.known or self.partner(j) < i or is_near(key, head.key):
                    return j, True
            elif head.kind in (OPEN, EMPTY) and head.key == key and self.goes_on(j):
                return j, not self.says_more(i, head)
        return j + 1, False

    def is_in_item(self, i: int, key: str) -> bool:
        """Whether all that stands in an element is the tags of an item, or of a type, around a text."""
        if i + 3 >= self.count or self.heads[i + 1].key not in _AROUND_VALUES or self.partner(i + 1) != i + 2:
            return False
        if self.between(i, i + 1):
            return False
        return self.heads[i + 3].kind == CLOSE and self.heads[i + 3].key == key

    def behind_items(self, j: int) -> int:
        """The tag behind items that stand one behind the other from tag `j` on, each with its own tags and a text."""
        while j + 2 < self.count and self.heads[j].key in ITEM_NAMES and self.partner(j) == j + 1:
            if self.between(j - 1, j):
                break
            j += 2
        return j

    def end_before(self, start: int, j: int) -> int:
        """Where a value without a closing tag ends in front of the next tag: what stands before that in its own line
        belongs to it if Markdown puts such there, unless it is the end of a fence that begins in the value, or if it is
        its name as a label.
        """
        text, end = self.text, self.starts[j]
        line = text.rfind("\n", start, end)
        before = text[line:end].strip(BLANK) if line >= 0 else ""
        if before.endswith(":") and fold(before[:-1]) == self.heads[j].key:
            return line
        if not before or before.strip(DECORATION):
            return end
        is_fenced = before.startswith(FENCES) and len(_FENCE.findall(text[start:line])) % 2 == 1
        return end if is_fenced else line

    def before_strays(self, token: int, j: int, owed: str) -> int:
        """The tag right before the one that ends a value, if it was a first attempt at it, misspelt, or ends the value
        before or what holds both, where the two cross; else that tag.
        """
        head, key = self.heads[j - 1], self.heads[j].key
        if j - 1 <= token or head.kind != CLOSE or self.between(j - 1, j):
            return j
        is_meant = head.key == owed or (len(key) > SHORT_NAME and is_near(key, head.key))
        if self.frames and self.partner(j - 1) == self.frames[-1].token >= 0 and self.spare_closer(head.key, j) < 0:
            return j - 1
        return j - 1 if is_meant and self.partner(j - 1) < token else j

    def ends_in_near_opener(self, element: Element, i: int, j: int, key: str) -> bool:
        """Takes off an opening tag with which a value ends, if that was meant as its closing one, misspelt."""
        last = self.heads[j - 1]
        if j - 1 <= i or last.kind != OPEN or last.rest or not is_near(key, last.key) or self.partner(j - 1) >= 0:
            return False
        if self.text[self.ends[j - 1] : element.inner_end].strip(GAP):
            return False
        element.note(RepairKind.CLOSER_RESPELLED, self.starts[j - 1], self.ends[j - 1], f"</{element.head.tag}>")
        element.inner_end, element.end, element.cut = self.starts[j - 1], self.ends[j - 1], False
        return True

    def ends_in_torn_closer(self, element: Element) -> bool:
        """Takes off a closing tag that lost a bracket or its name, or is of several words, if a value ends with one;
        tells so.
        """
        text, tag = self.text[element.inner_start : element.inner_end].rstrip(GAP), element.head.tag
        value = before_odd_closer(text, tag, element.head.rest)
        if value is None:
            return False
        end = element.inner_start + len(text)
        element.inner_end, element.end, element.cut = element.inner_start + len(value), end, False
        element.note(RepairKind.CLOSER_RESPELLED, element.inner_end, end, f"</{tag}>")
        return True

    def unwrap(self, element: Element, i: int, end: int) -> None:
        """Takes off the tags of an item that stand around all that is in an item, a text: the same again, or what only
        this list's items are called. Around items these are a part of the text.
        """
        j, last = i + 1, end - 1
        if last <= j or self.partner(j) != last or self.heads[j].kind != OPEN or not self.frames:
            return
        name = self.heads[j].key
        if name != self.heads[i].key and (name in ITEM_NAMES or name not in self.frames[-1].shape.item_names):
            return
        if self.heads[j + 1].kind == OPEN and self.heads[j + 1].key in ITEM_NAMES and not self.between(j, j + 1):
            return
        around = self.text[element.inner_start : self.starts[j]] + self.text[self.ends[last] : element.inner_end]
        if not around.strip(GAP):
            element.note(RepairKind.WRAPPER_ENTERED, self.starts[j], self.ends[j], f"<{self.heads[j].tag}>")
            element.inner_start, element.inner_end = self.ends[j], self.starts[last]

    def may_end_before(self, i: int, end: int, key: str) -> bool:
        """Whether a text without a closing tag, from tag `i` on, could have ended before tag `end`: at a tag in it that
        could have been meant as its closing one, or in front of the only element in it, which stands behind its lines.
        Or it goes on over that tag, where it is its own once more and stands like a word between others.
        """
        if end < self.count and self.heads[end].key == key and self.heads[end].kind == OPEN and self.is_word(end):
            return True
        inside = range(i + 1, end)
        if any(self.may_close(i, j, self.heads[j], key) and self.partner(j) < 0 for j in inside):
            return True
        first = i + 1
        if not inside or max(self.partner(first), first) != end - 1 or self.heads[first].kind not in (OPEN, EMPTY):
            return False
        before = self.text[self.ends[i] : self.starts[first]]
        return bool(before.strip(GAP)) and before.rstrip(" \t").endswith("\n")

    def holds_end(self, i: int, end: int, key: str) -> bool:
        """Whether a closing tag of its own name stands in an item or an entry, a text, that goes on behind it: it may
        be two, of which one lost a tag. One in quotes is only named.
        """
        for j in range(i + 1, end):
            if self.heads[j].kind == CLOSE and self.heads[j].key == key and self.partner(j) <= i:
                before, behind = self.text[self.starts[j] - 1], self.text[self.ends[j] : self.ends[j] + 1]
                if before not in _QUOTES or behind not in _QUOTES:
                    return True
        return False

    def holds_torn_entry(self, i: int, end: int) -> bool:
        """Whether what is left of an entry's opening tag stands in a text, between two tags."""
        return _TORN_ENTRY.search(self.text, self.ends[i], self.starts[end]) is not None

    def begins_closer(self, key: str, i: int | None = None) -> bool:
        """Whether the text breaks off in the closing tag of a name, and not in that of a tag open from tag `i` on."""
        begun = fold(self.text[self.end + 2 :].strip())
        if not self.text.startswith("</", self.end) or not key.startswith(begun):
            return False
        inside = range(i, i + self.spend(self.count - i)) if i is not None else ()
        openers = (j for j in inside if self.heads[j].kind == OPEN and self.heads[j].key.startswith(begun))
        return not any(self.partner(j) < 0 for j in openers)

    def fence_end(self, position: int) -> int:
        """Where an answer that is never closed ends: the text's end, or that of the fenced block it stands in. Fences
        that pair up are those of a text in it.
        """
        head = self.text[: self.roots[-1].start].rstrip(GAP)
        is_fenced = head[head.rfind("\n") + 1 :].lstrip().startswith(FENCES)
        if not is_fenced or len(_FENCE.findall(self.text[position:])) % 2 == 0:
            return self.end
        found = max(self.text.rfind("\n" + fence, position) for fence in FENCES)
        return found if found >= 0 else self.end
