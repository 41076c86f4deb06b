"""What may follow at a place of JSON, sloppy or not, by what is open there. Nothing is read or put on record here."""

from __future__ import annotations

import re
from collections.abc import Collection

from ...definition import fold
from ..written import Members, Value
from .calls import CALL
from .json_forms import QUOTES
from .literals import LITERAL_START

__all__ = ["BLANKS", "DOTS", "FIRST_OF_VALUE", "HALF_KEY", "JsonAhead", "name_at"]

DOTS = re.compile(r"\.\.\.|\u2026")
FIRST_OF_VALUE = re.compile(
    r"[\"'\[{\u201c\u201e\u2018`]|-?[0-9]|(?:true|false|null|True|False|None|NaN|-?Infinity)\b|\.\.\.|\u2026|"
    f"{LITERAL_START}|{CALL}"
)
HALF_KEY = re.compile(r"(?:[\"'][^\"'\n{}\[\],:]{0,100}+[\"']?|[\w.$-]{0,100}+)\s*\Z")
_QUOTED_KEY = re.compile(
    r"\"((?:[^\"\\\n]|\\.)*+)\"[ \t\r\n]*+(?::|=>?)|'((?:[^'\\\n]|\\.){0,100}+)'[ \t\r\n]*+(?::|=>?)"
    r"|\"([^\"\\\n:]{1,100}+):\"(?=[ \t]*+[\"'\[{0-9tfn-])"  # the colon inside of the quotes
)
_LOOSE_KEY = re.compile(
    r"[\"'`\u201c\u2018\u201e*]{0,3}+([^\W\d][\w.$/-]{0,99}+(?: [\w.$/-]{1,99}+){0,5}+|[0-9]{1,99}+)"
    r"[\"'`\u201d\u2019\u201c*]{0,3}+[ \t]*+:(?!/)"
)
BLANKS = " \t\r\n"
_BLANKS = re.compile(f"[{BLANKS}]*+")
_ODD_BLANKS = re.compile(r"[\s\ufeff\u200b]++")
_NO_BLANKS = frozenset('",:{}[]0123456789-tfn')
_COMMENT = re.compile(r"//|#|/\*")
_COMMENT_ENDS = {"//": "\n", "#": "\n", "/*": "*/"}
_CLOSING = re.compile(r"[}\]\s]*+")
_BEHIND_CLOSERS = ("", ",", ";", "{", "[", "/", "#")
_BEHIND_ANSWER = re.compile(r",[ \t]*+(?:[\r\n{\[]|\Z)")
_LINE_COMMENT = re.compile(r"\s*+(?://|#)")
_ENDS_LATER = {quote: re.compile(rf"[{closers}](?=[ \t]*+(?:[,;}}\]:\r\n]|\Z))") for quote, closers in QUOTES.items()}
"""A quote in a comment with which the text in front of it could end, so that the comment is a part of it."""
_FENCE = "```"


def name_at(text: str, position: int) -> re.Match[str] | None:
    """The name of a member that stands at a place, in quotes of any kind or none, with its colon. It is the one group
    that matched.
    """
    return _QUOTED_KEY.match(text, position) or _LOOSE_KEY.match(text, position)


class JsonAhead:
    """`open` are the objects and lists around the place that is read, `key` the name of the member whose value comes.
    The other parameters are those of `scan_json`.
    """

    key: Value | None = None

    def __init__(self, text: str, start: int, known: Collection[str], takes_lists: bool, takes_any: bool) -> None:
        self.text = text
        self.start = start
        self.known = known
        self.takes_lists = takes_lists
        self.takes_any = takes_any
        self.open: list[Value] = []
        self.next_ends: dict[str, tuple[int, int]] = {}
        self.next_quotes: dict[str, tuple[int, int]] = {}

    # Blanks and comments

    def skip(self, position: int) -> int:
        """Behind blanks and comments."""
        text = self.text
        position = _BLANKS.match(text, position).end()  # type: ignore[union-attr]
        while text[position : position + 1] not in _NO_BLANKS and (end := self.behind_odd(position)) > position:
            position = _BLANKS.match(text, end).end()  # type: ignore[union-attr]
        return position

    def behind_odd(self, position: int) -> int:
        """Behind what stands at a place and says nothing, if it is more than JSON's own blanks."""
        odd = _ODD_BLANKS.match(self.text, position)
        if odd:
            return odd.end()
        comment = _COMMENT.match(self.text, position)
        if comment is None:
            return position
        end = self.end_of(_COMMENT_ENDS[comment[0]], comment.end())
        return len(self.text) if end < 0 else end

    def end_of(self, mark: str, position: int) -> int:
        """Behind the next `mark`, or -1. Remembers what it found, so that a million of comments cost one search."""
        first, end = self.next_ends.get(mark, (0, 0))
        if position < first or 0 <= end < position + len(mark):
            found = self.text.find(mark, position)
            end = found + len(mark) if found >= 0 else -1
            self.next_ends[mark] = position, end
        return end

    # Names

    def in_object(self) -> bool:
        return isinstance(self.open[-1].held, Members)

    def is_key(self, position: int, sure: bool, depth: int = 0) -> bool:
        """Whether a name and its colon stand at a place, or dots; `sure`: the name may stand in the object, the
        innermost one or that at a depth.
        """
        found = name_at(self.text, position)
        if found is None:
            return bool(DOTS.match(self.text, position))
        return not sure or self.is_known(found[found.lastindex or 0], depth)

    def is_known(self, name: str, depth: int = 0) -> bool:
        """Whether a name may stand in an object: in one of the definition's, only the definition's."""
        return not self.known or fold(name) in self.known or not self.is_of_definition(depth)

    def is_of_definition(self, depth: int) -> bool:
        """Whether an object is no map: its first name tells."""
        held = self.open[depth - 1].held
        first = held.pairs[0][0] if isinstance(held, Members) and held.pairs else self.key
        return not self.takes_any or first is None or fold(str(first.held)) in self.known

    def is_known_key(self, position: int) -> bool:
        """Whether a quoted name of the definition, with its colon, stands at the beginning of a line."""
        return self.text.startswith(('"', "'"), position) and self.is_key(position, True)

    def begins_next(self, here: int, at: int) -> bool:
        """Whether the quote at `at` is the one before the next name, so that the string at `here` lacks its own."""
        if not self.in_object() or not self.is_key(at, True):
            return False
        before = self.text[max(here + 1, at - 64) : at].rstrip()
        return before.endswith((",", ";"))

    # Ends of values

    def goes_on(self, position: int, sure: bool = False) -> bool:
        """Whether a value can end at `position`: a comma with what may follow it, closing brackets, a line's end.

        `sure`: only names of the definition count as keys, and no line's end, since a quote has stood inside of
        the string already.
        """
        text = self.text
        after = self.skip(position)
        if after >= len(text):
            return True
        if text[after] in "}]":
            return self.closes(after, sure)
        if text[after] == ",":
            return self.goes_on_behind_comma(self.skip(after + 1), sure)
        if text[after] == ";":
            return self.goes_on_behind_semicolon(self.skip(after + 1))
        if not sure and text.find("\n", position, after) >= 0:
            return True
        if after == position:
            return False
        return self.is_key(after, True) if self.in_object() else not sure and text[after] in QUOTES

    def goes_on_behind_comma(self, position: int, sure: bool) -> bool:
        text = self.text
        if position >= len(text) or text[position] in "}],":
            return True
        if self.in_object():
            if text[position] == "{":  # the next item of a list, behind one that was not closed
                return len(self.open) > 1 and isinstance(self.open[-2].held, list)
            return self.is_key(position, sure) or (text[position] in QUOTES and bool(HALF_KEY.match(text, position)))
        return FIRST_OF_VALUE.match(text, position) is not None

    def goes_on_behind_semicolon(self, position: int) -> bool:
        """Whether a semicolon stands in place of a comma, by what follows it."""
        text = self.text
        if position >= len(text) or text[position] in "}]":
            return True
        return self.is_key(position, True) if self.in_object() else text[position] in QUOTES

    def ends_text(self, position: int, quote: str, sure: bool = False) -> bool:
        """Whether the quote in front of `position` can be the last one of a text that began with `quote`."""
        return self.goes_on(position, sure) and not self.is_in_text(position, quote)

    def is_in_text(self, position: int, quote: str) -> bool:
        """Whether the sign of a comment behind a quote is one of the text's: the text could still end in that line."""
        comment = _LINE_COMMENT.match(self.text, position)
        if comment is None:
            return False
        line = self.end_of("\n", comment.end())
        return self.next_end(quote, comment.end()) < (len(self.text) if line < 0 else line)

    def next_end(self, quote: str, position: int) -> int:
        """The next quote that may end a text. Remembers what it found, as `end_of` does."""
        first, found = self.next_quotes.get(quote, (0, -1))
        if not first <= position <= found:
            match = _ENDS_LATER[quote].search(self.text, position)
            found = match.start() if match else len(self.text)
            self.next_quotes[quote] = position, found
        return found

    def closes(self, position: int, sure: bool = False) -> bool:
        """Whether closing brackets are the structure's, not a text's: what is open has them, and what follows them
        could follow. A quote with which the text around could end says that they are the text's.
        """
        text = self.text
        run = _CLOSING.match(text, position)
        assert run is not None
        after = run.end()
        following = text[after : after + 1]
        left = self.left_behind(run[0])
        if following in QUOTES and self.ends_around(after + 1):
            return False
        if left is None:
            return not following or (following == "," and self.is_key(self.skip(after + 1), True))
        if following == "," and left == 0 and sure:
            return _BEHIND_ANSWER.match(text, after) is not None
        if following in _BEHIND_CLOSERS:
            return True
        return left == 0 or self.is_key(after, True, left) or text.startswith(_FENCE, after)

    def left_behind(self, closers: str) -> int | None:
        """How many objects and lists closing brackets leave open; None where none that is open has the first."""
        left = len(self.open)
        for closer in closers:
            if closer not in "}]":
                continue
            inner = next((depth for depth in range(left, 0, -1) if self.open[depth - 1].closer == closer), 0)
            if not inner:
                return None if left == len(self.open) else 0
            left = inner - 1
        return left

    def ends_around(self, position: int) -> bool:
        """Whether a text can end behind a quote: with what is structure beyond doubt."""
        after = self.skip(position)
        if self.text[after : after + 1] == ",":
            return self.is_key(self.skip(after + 1), True)
        return self.text[after : after + 1] in ("}", "]")
