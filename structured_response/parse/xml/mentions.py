"""Which tags begin an answer, and which are only mentioned by the prose around it."""

from __future__ import annotations

from bisect import bisect_left

from ...definition import Plan, fold
from ...markup import GAP
from ..scalars.text import COMMENT as COMMENT_START
from ..scalars.text import INSTRUCTION, without
from .elements import FIELD
from .frames import Frame
from .namesakes import Namesakes
from .surroundings import DECORATION
from .tokens import CLOSE, OPEN, Head, Tags

__all__ = ["Mentions"]

_DATA = ("{", "[", '"')
"""What data begins with that stands in place of elements."""


class Mentions(Namesakes):
    """Tells roots and fields from tags that prose names."""

    def __init__(self, plan: Plan, tags: Tags, text: str) -> None:
        super().__init__(plan, tags, text)
        self._root_tags: list[int] | None = None

    def is_root(self, head: Head) -> bool:
        """Whether a tag is the root's, or carries its name."""
        return head.key in self.root_keys or fold(head.name) in self.root_keys

    def next_root(self, i: int) -> int:
        """The root's own next opening tag behind tag `i`; the number of all tags where there is none."""
        if self._root_tags is None:
            tags = enumerate(self.heads)
            self._root_tags = [
                j for j, head in tags if head.kind == OPEN and self.is_root(head) and not self.is_field(j)
            ]
        after = bisect_left(self._root_tags, i + 1)
        return self._root_tags[after] if after < len(self._root_tags) else self.count

    def is_named(self, i: int) -> bool:
        """Whether the root's tag is only named by prose, which goes on behind it: nothing closes it, or prose again."""
        if i + 1 >= self.count or self.heads[i].kind != OPEN or self.heads[i].rest:
            return False
        if self.partner(i) >= 0 and not self.is_named_around_root(i):
            return False
        if self.shape.is_leaf and self.begins_line(i):
            return False  # a text may begin so
        behind = self.text_behind(i).partition("\n")[0].strip(DECORATION)
        return bool(behind) and not behind.startswith(_DATA)

    def is_named_around_root(self, i: int) -> bool:
        """Whether the root's tag stands in a line of prose, and between it and its closing one a whole root, which
        begins on a line of its own.
        """
        if not self.line_before(i):
            return False
        root = self.next_root(i)
        return root < self.count and root < self.partner(root) < self.partner(i) and not self.line_before(root)

    def reaches_over_root(self, i: int) -> bool:
        """Whether the root's own tag stands between an opening tag and its closing one, which is no field's text that
        quotes an answer.
        """
        return self.next_root(i) < self.partner(i) and not self.quotes_root(i)

    def quotes_root(self, i: int) -> bool:
        """Whether a field, outside of all roots, is a text in which the root's tag stands: right behind it another
        field follows, or what holds them ends; or its text goes on behind the root in it.
        """
        place, end, root = self.shape.place(self.heads[i]), self.partner(i), self.next_root(i)
        if place is None or place.role is not FIELD or not place.shape.is_verbatim or place.shape.own == self.shape.own:
            return False
        if end + 1 >= self.count:
            return self.is_quoted_root(root) and not self.text[self.ends[end] :].strip(GAP)
        if self.between(end, end + 1):
            return False
        after = self.heads[end + 1]
        if after.kind == CLOSE:
            return 0 <= self.partner(end + 1) < i and self.is_quoted_root(root)
        following = self.shape.place(after)
        return following is not None and following.role is FIELD and following.name != place.name

    def is_prose(self, i: int, since: int = 0) -> bool:
        """Whether the tag of a field, outside of all roots, is one that prose mentions: nothing closes it, or only
        something in the root that follows; and text stands in front of it in its line, no further back than `since` and
        the last tag, or it stands in backticks, or what it names comes later.
        """
        root, end = self.next_root(i), self.partner(i)
        if self.heads[i].kind != OPEN or (end >= 0 and (end < root or self.partner(root) < end)):
            return False
        before = self.text[max(since, self.ends[i - 1] if i else 0) : self.starts[i]]
        if before.rpartition("\n")[2].strip(DECORATION) or root < self.count:
            return True
        return self.is_quoted(i) or self.closes_again(i)

    def closes_again(self, i: int) -> bool:
        """Whether another element of the same name comes later, and is closed, and no other field stands before it. One
        that does not begin its line is only named by the text in front of it, which tag `i` opens; prose leaves
        attributes out; and items begin with the first one where a root ends whose opening tag is lost.
        """
        head, after = self.heads[i], self.heads[i + 1] if i + 1 < self.count else None
        if after is None or "=" in head.rest or (after.key != head.key and self.shape.place(after) is not None):
            return False
        place = self.shape.place(head)
        if place is not None and place.shape.place(after) is not None:
            return False  # it holds what it should
        if place is not None and place.role is not FIELD and self.is_root_open(i):
            return False
        ahead = range(i + 1, i + 1 + self.spend(self.count - i - 1))
        again = next((j for j in ahead if self.heads[j].key == head.key and self.partner(j) > j), -1)
        if again < 0:
            return False
        _before, is_broken, margin = self.text_before(again).rpartition("\n")
        return bool(is_broken) and not margin.strip(DECORATION)

    def is_root_open(self, i: int) -> bool:
        """Whether the root's closing tag comes behind tag `i` once more often than its opening one."""
        return any(self.surplus(key, i) > 0 for key in self.root_keys)

    def is_mention(self, i: int) -> bool:
        """Whether the root's tag that is open is only mentioned by prose, which goes on in front of tag `i`."""
        root = self.frames[0]
        if root.token < 0:
            return not self.is_enclosed(i)
        if self.partner(root.token) >= 0:
            return False
        children = root.element.children
        before = self.text[root.element.inner_start : children[0].start if children else self.starts[i]]
        return bool(without(before, (COMMENT_START, INSTRUCTION), lambda found: "").strip(GAP))

    def is_within_root(self, i: int) -> bool:
        """Whether the root's tag stands among what an answer holds, with the closing tags of both: then it is a part of
        that answer, which a definition that recurs may have there, and no other one.
        """
        root = self.frames[0]
        return bool(root.element.children) and root.token >= 0 and i < self.partner(i) < self.partner(root.token)

    def is_mentioned_again(self, frame: Frame, i: int) -> bool:
        """Whether prose behind all that a frame needs names a field of it once more."""
        if not frame.is_whole() or self.heads[i].kind != OPEN or self.partner(i) >= 0:
            return False
        return bool(self.text_before(i).rpartition("\n")[2].strip(DECORATION))
