"""What stands around a tag in the text: in front of it, behind it and its element, in their line."""

from __future__ import annotations

from bisect import bisect_left

from ...definition import ITEM_NAMES, Plan
from ...markup import BLANK, GAP
from ..scalars.text import without_comments
from .names import names_of
from .pairs import Pairs
from .tokens import CDATA, CLOSE, COMMENT, OPEN, OTHER, Head, Tags
from .torn import Torn, TornOpeners, behind_torn_opener

__all__ = ["DECORATION", "Surroundings"]

DECORATION = GAP + "`*_#>-\u2022"
"""What Markdown may put in front of a tag."""

_BRACKETS = ">\uff1e"
"""What ends a tag."""


class Surroundings(Pairs):
    """Tells the text around tags, and which of them it quotes."""

    def __init__(self, plan: Plan, tags: Tags, text: str) -> None:
        super().__init__(tags, text)
        self.shape, self.known, self.root_keys, self.reasoning_keys = names_of(plan)
        self.comments = _Comments(text)
        self.torn = TornOpeners(text)

    def text_before(self, j: int) -> str:
        """The text between the last tag and this one."""
        return self.text[self.ends[j - 1] if j else 0 : self.starts[j]]

    def text_behind(self, j: int) -> str:
        """The text between a tag and the next one."""
        return self.text[self.ends[j] : self.starts[j + 1] if j + 1 < self.count else self.end]

    def between(self, i: int, j: int) -> str:
        """The text between two tags, without blanks around it and without comments."""
        text = self.text[self.ends[i] : self.starts[j]].strip(GAP)
        return without_comments(text) if "<" in text else text

    def is_inline(self, j: int, head: Head) -> bool:
        """Whether an element is a part of a text: text goes on behind its closing tag, in the same line."""
        end = self.partner(j) if head.kind == OPEN else j
        if end < j or head.key in self.root_keys:
            return False
        return bool(self.text_behind(end).partition("\n")[0].strip(DECORATION))

    def is_quoted(self, j: int) -> bool:
        """Whether a tag is all that a pair of backticks in a text holds, or the quotes of an attribute."""
        start, end, text = self.starts[j], self.ends[j], self.text
        quote = text[start - 1 : start]
        if not quote or quote not in "`'\"" or not text.startswith(quote, end):
            return False
        if quote != "`":
            return text[start - 2 : start - 1] == "="
        return not text[start - 2 : start - 1].isalnum() and not text[end + 1 : end + 2].isalnum()

    def is_quoted_root(self, j: int) -> bool:
        """Whether the root's tag is a part of a text that goes on in the same line: behind its closing tag or, where it
        has none and text stands in front of it, behind itself.
        """
        end = self.partner(j)
        if end < 0:
            end = j if self.text_before(j).rpartition("\n")[2].strip(DECORATION) else -1
        if end < 0 or self.heads[j].kind != OPEN:
            return False
        return bool(self.text_behind(end).partition("\n")[0].strip(DECORATION))

    def is_word(self, j: int) -> bool:
        """Whether a tag stands like a word in a line: between two others, with blanks on both sides."""
        before, behind = self.text_before(j).rpartition("\n")[2], self.text_behind(j).partition("\n")[0]
        is_apart = before[-1:].isspace() and behind[:1].isspace()
        return is_apart and before.rstrip(BLANK)[-1:].isalnum() and behind.lstrip(BLANK)[:1].isalnum()

    def line_before(self, i: int) -> str:
        """What stands in front of a tag in its line."""
        start = self.starts[i]
        return self.text[self.text.rfind("\n", 0, start) + 1 : start].strip(DECORATION)

    def begins_line(self, j: int) -> bool:
        """Whether only blanks stand in front of a tag in its line."""
        _before, is_broken, margin = self.text_before(j).rpartition("\n")
        return not margin.strip(GAP) and bool(is_broken or not j)

    def margin(self, j: int) -> str | None:
        """The blanks in front of a tag that begins a line, behind another tag."""
        before, is_broken, margin = self.text_before(j).rpartition("\n")
        return None if before.strip(GAP) or margin.strip(GAP) or not is_broken else margin

    def is_line_of_its_own(self, i: int, j: int) -> bool:
        """Whether an element fills a line, and a tag begins a line below it, as deep as its own: then the two are
        siblings, whatever that tag is.
        """
        if self.text.find("\n", self.starts[i], self.starts[j]) >= 0:
            return False
        margin = self.margin(i)
        return margin is not None and self.margin(j + 1) == margin

    def is_last_in_line(self, i: int, j: int) -> bool:
        """Whether a closing tag that nothing behind tag `i` opens has no text behind it in its line."""
        return self.partner(j) <= i and not self.text_behind(j).partition("\n")[0].strip(GAP)

    def begins_with_tag(self, i: int) -> bool:
        """Whether an element begins with an element."""
        if i + 1 >= self.count or self.heads[i + 1].kind != OPEN:
            return False
        return not self.between(i, i + 1)

    def is_list_of_items(self, i: int) -> bool:
        """Whether an item begins with an item."""
        return self.begins_with_tag(i) and self.heads[i + 1].key in ITEM_NAMES

    def is_text_of(self, j: int, key: str) -> bool:
        """Whether tag `j` opens an element of some name that holds no other tag."""
        return 0 <= j < self.count and self.heads[j].key == key and self.is_pair_of_tags(j)

    def is_closed_by(self, j: int, key: str) -> bool:
        """Whether the closing tag of another name follows an opening one, which is only mentioned then. Where text
        stands between them and its own closing tag comes next, the two cross.
        """
        if j + 1 >= self.count or self.heads[j].key == key:
            return False
        if self.heads[j + 1].kind != CLOSE or self.heads[j + 1].key != key:
            return False
        return self.partner(j) != j + 2 or not self.between(j, j + 1)

    def behind_asides(self, j: int) -> int:
        """The first tag from `j` on that is none of a comment, a section or an instruction."""
        while j < self.count and self.heads[j].kind in (COMMENT, CDATA, OTHER):
            end = self.comments.end(self.starts[j]) if self.heads[j].kind == COMMENT else self.ends[j]
            j = bisect_left(self.starts, end, j + 1)
        return j

    def is_torn(self, i: int) -> bool:
        """Whether a tag has lost its last bracket."""
        return self.text[self.ends[i] - 1] not in _BRACKETS

    def is_torn_opener(self, torn: Torn, j: int) -> bool:
        """Whether what is left of an opening tag is that of a closing one."""
        return torn.key == self.heads[j].key and torn.begin <= self.starts[j] <= torn.until

    def behind_opener(self, torn: Torn, j: int) -> tuple[int, bool]:
        """Where the value of a closing tag begins, behind what is left of its opening one, -1 where that is nowhere;
        and whether it begins there for sure. Only the first tag behind a text is asked for it by its name, so that each
        text is looked at once.
        """
        if self.is_torn_opener(torn, j):
            return torn.begin, True
        is_first = j == 0 or self.ends[j - 1] <= torn.start
        return behind_torn_opener(self.text, torn.start, self.starts[j], self.heads[j].tag) if is_first else (-1, False)


class _Comments:
    """Where comments end. What was found is remembered, so that a million beginnings cost one search."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.next = 0

    def end(self, start: int) -> int:
        """Behind the end of the comment that begins at `start`, or -1."""
        if self.next >= 0 and self.next < start + 7:
            found = self.text.find("-->", start + 4)
            self.next = found + 3 if found >= 0 else -1
        return self.next
