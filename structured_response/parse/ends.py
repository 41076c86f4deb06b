"""Where a value ends: a string, another scalar, an answer that is never closed."""

from __future__ import annotations

from ..definition import ITEM_NAMES, Plan, fold
from ..findings import RepairKind
from ..markup import BLANK, FENCES, GAP
from .ahead import DECORATION, Ahead
from .elements import FIELD, ITEM, Element
from .shape import SHORT_NAME, Shape, is_near
from .tokens import CLOSE, EMPTY, OPEN, Head, Tags

__all__ = ["Ends"]

_AROUND_VALUES = frozenset(
    {*ITEM_NAMES, "string", "str", "integer", "int", "float", "number", "boolean", "bool", "value", "date"}
)
"""Names that tags around a value may have, folded."""


QUOTES = "`'\"\u201c\u201d\u2018\u2019"
"""What stands around a tag that is only named."""


class Ends(Ahead):
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
        j = token + 1
        if j < self.count and self.heads[j].kind == CLOSE and self.heads[j].key == key and self.is_plain_end(j):
            is_closed = True
        else:
            j, is_closed = (self.end_of_string if shape.is_verbatim else self.end_of_scalar)(token, key)
        self.owed = "" if is_closed and self.heads[j].key == key else key
        if shape.is_verbatim:  # no other may have swallowed anything, or go on behind a tag
            element.token, element.last = token, j
        if j < self.count:
            last = self.before_strays(token, j, owed) if is_closed else j
            if last < j:
                element.note(RepairKind.TAG_DROPPED, self.starts[last], self.starts[j])
            element.inner_end = self.starts[last] if is_closed else self.end_before(element.inner_start, last)
            element.end = self.ends[j] if is_closed else element.inner_end
        else:
            element.inner_end = element.end = self.fence_end(element.inner_start)
            element.is_closing = element.inner_end == self.end and self.begins_closer(key, token + 1)
            element.cut = element.inner_end == self.end and not element.is_closing
        if not is_closed and self.ends_in_torn_closer(element):
            pass
        elif not is_closed and not element.cut:
            element.note(RepairKind.CLOSER_MISSING, element.inner_end, element.inner_end, f"</{element.head.tag}>")
            element.is_unclear = shape.is_verbatim and self.may_end_before(token, j, key)
        elif is_closed and (self.heads[j].key != key or self.heads[j].kind != CLOSE):
            if not self.heads[j].key:
                value = self.text[element.inner_start : element.inner_end]
                element.inner_end = element.inner_start + len(without_attempt(value, element.head.tag))
            element.note(RepairKind.CLOSER_RESPELLED, element.inner_end, self.ends[j], f"</{element.head.tag}>")
        elif is_closed and element.role is ITEM:
            self.unwrap(element, token, j)
            is_empty = not self.text[element.inner_start : element.inner_end].strip(GAP)
            may_be_list = is_empty and self.is_in_lost_item(token, key)
            element.is_unclear = may_be_list or self.holds_end(token, j, key)
        return j + 1 if is_closed else j

    def ends_in_torn_closer(self, element: Element) -> bool:
        """Takes off a closing tag that lost its bracket or its name, if a value ends with one, and tells so."""
        text = self.text[element.inner_start : element.inner_end].rstrip(GAP)
        torn = next((torn for torn in (f"/{element.head.tag}>", "</>") if text.endswith(torn)), None)
        if torn is None or "<>" in text:
            return False
        value, end = text.removesuffix(torn), element.inner_start + len(text)
        value = without_attempt(value, element.head.tag)
        element.inner_end, element.end, element.cut = element.inner_start + len(value), end, False
        element.note(RepairKind.CLOSER_RESPELLED, element.inner_end, end, f"</{element.head.tag}>")
        return True

    def end_before(self, start: int, j: int) -> int:
        """Where a value without a closing tag ends in front of the next tag: what stands before that in its own line
        belongs to it if Markdown puts such there, and so does a comment in lines of its own.
        """
        text, end = self.text, self.starts[j]
        line = text.rfind("\n", start, end)
        before = text[line:end].strip(BLANK) if line >= 0 else ""
        if before and not before.strip(DECORATION):
            end = line
        head = text[start:end].rstrip(GAP)
        begun = head.rfind("<!--") if head.endswith("-->") else -1
        return start + begun if begun > 0 and head[:begun].rstrip(" \t").endswith("\n") else end

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

    def behind_doubled(self, element: Element, i: int) -> int:
        """The tag behind which a value begins: an opening tag that stands twice in a row, and is closed once, counts
        once.
        """
        j = i + 1
        if j >= self.count or self.heads[j].kind != OPEN or self.heads[j].key != self.heads[i].key:
            return i
        if self.heads[j].rest != self.heads[i].rest or self.partner(i) >= 0:
            return i
        if self.text[self.ends[i] : self.starts[j]].strip(GAP):
            return i
        if self.partner(j) < 0 or not self.goes_on(self.partner(j)):
            return i
        element.note(RepairKind.TAG_DROPPED, self.starts[j], self.ends[j])
        element.inner_start = self.ends[j]
        return j

    def unwrap(self, element: Element, i: int, end: int) -> None:
        """Takes off the tags of an item that stand around all that is in an item, a text: the same again, or what only
        this list's items are called.
        """
        j, last = i + 1, end - 1
        if last <= j or self.partner(j) != last or self.heads[j].kind != OPEN or not self.frames:
            return
        name = self.heads[j].key
        if name != self.heads[i].key and (name in ITEM_NAMES or name not in self.frames[-1].shape.item_names):
            return
        around = self.text[element.inner_start : self.starts[j]] + self.text[self.ends[last] : element.inner_end]
        if not around.strip(GAP):
            element.note(RepairKind.WRAPPER_ENTERED, self.starts[j], self.ends[j], f"<{self.heads[j].tag}>")
            element.inner_start, element.inner_end = self.ends[j], self.starts[last]

    def may_end_before(self, i: int, end: int, key: str) -> bool:
        """Whether a text without a closing tag, from tag `i` on, could have ended before tag `end`: at a tag in it that
        could have been meant as its closing one, or in front of the only element in it, which stands behind its lines.
        """
        inside = range(i + 1, end)
        if any(self.may_close(i, j, self.heads[j], key) and self.partner(j) < 0 for j in inside):
            return True
        first = i + 1
        if not inside or max(self.partner(first), first) != end - 1 or self.heads[first].kind not in (OPEN, EMPTY):
            return False
        before = self.text[self.ends[i] : self.starts[first]]
        return bool(before.strip(GAP)) and before.rstrip(" \t").endswith("\n")

    def holds_end(self, i: int, end: int, key: str) -> bool:
        """Whether a closing tag of its own name stands in an item, a text, that goes on behind it: it may be two items,
        of which one lost a tag. One in quotes is only named.
        """
        for j in range(i + 1, end):
            if self.heads[j].kind == CLOSE and self.heads[j].key == key and self.partner(j) <= i:
                before, behind = self.text[self.starts[j] - 1], self.text[self.ends[j] : self.ends[j] + 1]
                if before not in QUOTES or behind not in QUOTES:
                    return True
        return False

    def closing_key(self, element: Element, i: int) -> str:
        """The folded name of the closing tag that a value is to have: its opening tag's, or, where that was misspelt
        and nothing pairs up with it, the field's own.
        """
        key = self.heads[i].key
        return fold(element.name) if element.name and fold(element.name) != key and self.partner(i) < 0 else key

    def before_strays(self, token: int, j: int, owed: str) -> int:
        """The tag right before the one that ends a value, if it was a first attempt at it, misspelt, or ends the value
        before, where the two cross; else that tag.
        """
        head, key = self.heads[j - 1], self.heads[j].key
        if j - 1 <= token or head.kind != CLOSE or self.text[self.ends[j - 1] : self.starts[j]].strip(GAP):
            return j
        is_meant = head.key == owed or (len(key) > SHORT_NAME and is_near(key, head.key))
        return j - 1 if is_meant and self.partner(j - 1) < token else j

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
        if self.is_in_lost_item(i, key):
            return self.end_of_inner_item(i, key)
        if partner > i and not self.reaches_out(i, partner):
            if self.goes_on(partner):
                return partner, True
            crossing = self.crossing(i, partner)
            if crossing:
                return (crossing - 1, True) if self.is_wrong_end(i, crossing - 1, key) else (crossing, False)
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
        return self.end_without_partner(i, key)

    def is_in_lost_item(self, i: int, key: str) -> bool:
        """Whether a text is an item of a list that is an item of the same name itself and has no closing tag left: one
        of those in it was lost, so that the pairs say nothing, and no item stands in another one.
        """
        depth = len(self.frames) - 1
        return depth > 0 and self.frames[depth].key == key == self.heads[i].key and not self.has_end(depth, i)

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

    def is_wrong_end(self, i: int, j: int, key: str) -> bool:
        """Whether a closing tag of a known name, or a misspelt one, that nothing behind tag `i` opens stands right
        before the next tag.
        """
        head = self.heads[j]
        if head.kind != CLOSE or self.partner(j) >= i or not (head.key in self.known or is_near(key, head.key)):
            return False
        return not self.text[self.ends[j] : self.starts[j + 1]].strip(GAP)

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
        return head.kind in (OPEN, EMPTY) and head.key == key

    def end_of_scalar(self, i: int, key: str) -> tuple[int, bool]:
        """The tag at which a value that is no string ends, and whether that is a closing tag of its own. A value that
        stands in an item's tags is the value all the same.
        """
        if self.is_in_item(i, key):
            return i + 3, True
        j = self.behind_asides(i + 1)
        if j < self.count and self.heads[j].kind == CLOSE and self.heads[j].key == key:
            return j, True
        j = i
        for j in self.ahead(i + 1, key, i):
            head = self.heads[j]
            if head.kind == CLOSE:
                if head.key == key or head.key in self.known or self.partner(j) < i or is_near(key, head.key):
                    return j, True
            elif head.kind in (OPEN, EMPTY) and head.key == key and self.goes_on(j):
                return j, True
        return j + 1, False

    def is_in_item(self, i: int, key: str) -> bool:
        """Whether all that stands in an element is the tags of an item, or of a type, around a text."""
        if i + 3 >= self.count or self.heads[i + 1].key not in _AROUND_VALUES or self.partner(i + 1) != i + 2:
            return False
        if self.text[self.ends[i] : self.starts[i + 1]].strip(GAP):
            return False
        return self.heads[i + 3].kind == CLOSE and self.heads[i + 3].key == key

    def begins_closer(self, key: str, i: int | None = None) -> bool:
        """Whether the text breaks off in the closing tag of a name, and not in that of a tag open from tag `i` on."""
        begun = fold(self.text[self.end + 2 :].strip())
        if not self.text.startswith("</", self.end) or not key.startswith(begun):
            return False
        inside = range(i, i + self.spend(self.count - i)) if i is not None else ()
        openers = (j for j in inside if self.heads[j].kind == OPEN and self.heads[j].key.startswith(begun))
        return not any(self.partner(j) < 0 for j in openers)

    def fence_end(self, position: int) -> int:
        """Where an answer that is never closed ends: the text's end, or that of the fenced block it stands in."""
        head = self.text[: self.roots[-1].start].rstrip(GAP)
        if not head[head.rfind("\n") + 1 :].lstrip().startswith(FENCES):
            return self.end
        found = max(self.text.rfind("\n" + fence, position) for fence in FENCES)
        return found if found >= 0 else self.end

    def last_known(self) -> int:
        """Behind the last thing in the open elements that the definition knows."""
        element = self.frames[-1].element
        return next((c.reach() for c in reversed(element.children) if c.role is not None), element.inner_start)


def without_attempt(value: str, tag: str) -> str:
    """A value without the first attempt at the closing tag of a name, that it may end with."""
    before, begun, name = value.rpartition("</")
    return before if begun and tag.startswith(name) else value
