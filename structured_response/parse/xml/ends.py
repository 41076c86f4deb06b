"""Where a value ends: a string, another scalar, an answer that is never closed."""

from __future__ import annotations

from collections.abc import Iterator

from ...definition import ITEM_NAMES, Plan, fold
from ...findings import RepairKind
from ...markup import BLANK, FENCES, GAP
from .ahead import DECORATION, Ahead
from .elements import FIELD, ITEM, Element
from .shape import SHORT_NAME, Shape, is_near
from .tokens import CLOSE, EMPTY, OPEN, Head, Tags, attribute
from .torn import before_torn_closer, without_attempt

__all__ = ["Ends"]

_AROUND_VALUES = frozenset(
    {*ITEM_NAMES, "string", "str", "integer", "int", "float", "number", "boolean", "bool", "value", "date"}
)
"""Names that tags around a value may have, folded."""


QUOTES = "`'\"\u201c\u201d\u2018\u2019"
"""What stands around a tag that is only named."""


def _has_key(head: Head) -> bool:
    """Whether a tag has a key, as one of an entry does."""
    return attribute(head.rest, "key") is not None


class Ends(Ahead):
    """Reads over values. `owed` is the key of one that ended without its closing tag, if that was the last thing read;
    `doubt` is where the one that is being read may have ended as well; `roots` are the answers so far.
    """

    def __init__(self, plan: Plan, tags: Tags, text: str) -> None:
        super().__init__(plan, tags, text)
        self.roots: list[Element] = []
        self.owed = ""
        self.doubt = -1

    def leaf(self, element: Element, shape: Shape, i: int) -> int:
        """Reads over a value that holds no elements, and returns the tag behind it."""
        key, owed = self.closing_key(element, i), self.owed
        token = self.behind_doubled(element, self.crossed(element, i))
        j = token + 1
        if j < self.count and self.heads[j].kind == CLOSE and self.heads[j].key == key and self.is_plain_end(j):
            is_closed = True
        else:
            self.doubt = -1
            j, is_closed = (self.end_of_string if shape.is_verbatim else self.end_of_scalar)(token, key)
            element.doubt = self.doubt if is_closed else -1
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
            value = without_attempt(self.text[element.inner_start : element.inner_end], element.head.tag)
            element.inner_end = element.inner_start + len(value)
            element.note(RepairKind.CLOSER_RESPELLED, element.inner_end, self.ends[j], f"</{element.head.tag}>")
        elif is_closed and element.role is ITEM:
            self.unwrap(element, token, j)
            is_empty = not self.text[element.inner_start : element.inner_end].strip(GAP)
            may_be_list = is_empty and self.is_in_lost_item(token, key)
            element.is_unclear = may_be_list or self.holds_end(token, j, key)
        return j + 1 if is_closed else j

    def ends_in_torn_closer(self, element: Element) -> bool:
        """Takes off a closing tag that lost a bracket or its name, or is of several words, if a value ends with one;
        tells so.
        """
        text, tag = self.text[element.inner_start : element.inner_end].rstrip(GAP), element.head.tag
        value = _before_closer_of_words(text, element.head)
        if value is None:
            value = before_torn_closer(text, tag)
        if value is None:
            return False
        end = element.inner_start + len(text)
        element.inner_end, element.end, element.cut = element.inner_start + len(value), end, False
        element.note(RepairKind.CLOSER_RESPELLED, element.inner_end, end, f"</{tag}>")
        return True

    def end_before(self, start: int, j: int) -> int:
        """Where a value without a closing tag ends in front of the next tag: what stands before that in its own line
        belongs to it if Markdown puts such there.
        """
        text, end = self.text, self.starts[j]
        line = text.rfind("\n", start, end)
        before = text[line:end].strip(BLANK) if line >= 0 else ""
        return line if before and not before.strip(DECORATION) else end

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
        """Whether nothing speaks against a closing tag: no text behind it, and no tag unknown to the definition."""
        if j + 1 >= self.count:
            return True
        after = self.heads[j + 1]
        if after.kind == CLOSE and (not self.frames or after.key != self.frames[-1].key) and not self.goes_on(j):
            return False
        if after.kind in (OPEN, EMPTY) and not self.is_taken(j + 1, after) and not self.goes_on(j):
            return False
        return not self.text[self.ends[j] : self.starts[j + 1]].strip(GAP)

    def is_taken(self, j: int, head: Head) -> bool:
        """Whether the innermost element takes a tag."""
        return bool(self.frames) and self.frames[-1].expects(head) is not None and not self.is_no_entry(j, head)

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
        return self.end_without_partner(i, key)

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

    def begins_next(self, i: int, j: int, key: str, limit: int) -> bool:
        """Whether an opening tag behind tag `i` is that of what follows a string, and not only named by it."""
        head = self.heads[j]
        if self.is_quoted(j) or self.is_further_out(j):
            return False
        if head.key == key:
            return self.is_expected(j) and not self.is_named_again(i, j)
        return head.kind == EMPTY or j < self.partner(j) < limit

    def end_of_parent(self) -> int:
        """The closing tag of what holds a value; -1 where it has none. Without a tag of its own it ends with what
        holds it.
        """
        token = next((frame.token for frame in reversed(self.frames) if frame.token >= 0), -1)
        return self.partner(token) if token >= 0 else self.count

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


def _before_closer_of_words(text: str, head: Head) -> str | None:
    """What stands in front of a closing tag of several words, as its opening tag is, that a text ends with."""
    closer = f"</{head.tag} {head.rest}>" if head.rest and "=" not in head.rest else None
    return text.removesuffix(closer) if closer is not None and text.endswith(closer) else None
