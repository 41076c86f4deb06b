"""What is left of tags that lost a bracket or their name, or have other brackets than angles.

An opening one tells where a value begins if its closing tag is there; a closing one where a value ends that has no
other end. `[/name]` in a text that has its `[name]` is a part of the text, and so is `</>` behind `<>`. A closing tag
may be of several words: as its opening tag is, or with the name as the last. One in the end of a section that is all
the text crosses it. Where the closing tag tells the name, an opening one may lack its last bracket or have another sign
in its place, be it with the value right behind it: `<name|Nice</name>`, `<nameNice</name>`; nothing but text may follow
then, or it may as well be another tag.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from ...definition import fold
from ...markup import GAP

__all__ = ["Torn", "TornOpeners", "before_odd_closer", "behind_torn_opener", "in_other_brackets", "without_attempt"]

_BLANK = re.compile(f"[{re.escape(GAP)}]*+")
_OPENER = re.compile(
    r"(?:<[ \t]*+|&lt;|\[)?([^\W\d][\w.-]*+)[ \t]*+(?:>|&gt;|\])"
    r"|<[ \t]*+([^\W\d][\w.-]*+)\s++(?![\w.:-]++\s*+=)"
)
"""Where the last bracket is missing, what stands behind the blank must not look like attributes or other tags."""
_BRACKET = re.compile("[<>]")
_LINE = re.compile(r"[^<>\r\n]*+")
_CLOSER = re.compile(
    r"(?:(?:</[ \t]*+>[ \t\r\n]*+)++|(?P<begun>[\[({|]?/|&lt;/)(?P<name>[^\s<>\[\]&;/]++)(?:>|\]|&gt;))\Z"
)
"""Those without a name, one after the other, end what is around as well."""
_OVER_LINES = re.compile(r"(</?[\w.:-]*+)[ \t]*+(?:\n[^<>\n]*+){0,3}?\n[ \t]*+(/?[\w.:-]*+>)\Z")
_CLOSER_OF_WORDS = re.compile(r"</[ \t]*+((?:[\w.-]++[ \t]++)+([\w.-]++))[ \t]*+>\Z")
_SECTION, _SECTION_END = "<![CDATA[", "]]>"
_LONGEST = 200
"""Characters of what is left of a closing tag, but for its name."""


_SQUARE = re.compile(r"\[([^\W\d][\w.-]{0,99}+)\]")
_ESCAPED = re.compile(r"&lt;([^\W\d][\w.-]{0,99}+)&gt;")
_OTHERS = ((_SQUARE, "[/{}]"), (_ESCAPED, "&lt;/{}&gt;"))
"""Opening tags in other brackets, and their closing ones."""


_LAST = r"(?:[)\]}|/:]|[\"'](?![^<>\"']*+[\"']))"
"""What may stand in place of the last bracket; a quote, if no other one comes behind it."""


class Torn(NamedTuple):
    """How a text begins: where its first character stands, the folded name in what is left of an opening tag, the place
    behind that, and the place that nothing it opens reaches over. `line` is where the first line, up to a bracket, and
    the blanks behind it end.
    """

    start: int
    key: str
    begin: int
    until: int
    line: int


_NOTHING = Torn(0, "", 0, 0, 0)


class TornOpeners:
    """What is left of opening tags in one text. The last one is remembered, so that a million closing tags behind it
    cost one look.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.place = -1
        self.torn = _NOTHING

    def at(self, place: int) -> Torn:
        """How the text behind a place begins."""
        if place != self.place:
            self.place, self.torn = place, self._look(place)
        return self.torn

    def _look(self, place: int) -> Torn:
        start = _blank_end(self.text, place)
        found = _OPENER.match(self.text, start)
        line = _blank_end(self.text, _LINE.match(self.text, start).end())  # type: ignore[union-attr]
        if found is None:
            return Torn(start, "", start, start, line)
        bracket = _BRACKET.search(self.text, found.end()) if found[2] else None  # of other tags
        until = bracket.start() if bracket is not None else len(self.text)
        return Torn(start, fold(found[1] or found[2]), found.end(), until, line)


def _blank_end(text: str, place: int) -> int:
    return _BLANK.match(text, place).end()  # type: ignore[union-attr]


def behind_torn_opener(text: str, start: int, end: int, tag: str) -> tuple[int, bool]:
    """Where the value begins in a stretch of text that begins with what is left of the opening tag of a name, in other
    brackets or without the last one, -1 where it does not; and whether a bracket, or what stands in its place, is
    between the two: else the first letters of the value may be lost as well.
    """
    found = _torn(tag).match(text, start, end)
    return (-1, False) if found is None else (found.end(), not text.startswith(tag, found.end() - len(tag)))


@lru_cache(maxsize=256)
def _torn(tag: str) -> re.Pattern[str]:
    name = re.escape(tag)
    return re.compile(rf"[<>(\[{{|]{{1,2}}[ \t]*+{name}[ \t]*+>|<[ \t]*+{name}{_LAST}?(?=[^<>]*+\Z)")


def in_other_brackets(text: str, start: int, end: int) -> Iterator[tuple[str, tuple[int, int, int, int]]]:
    """The names of what stands between tags in square or escaped brackets, in a stretch of text: each with the places
    of the whole and of what is in it. Nothing else may stand between these, nor others in square brackets in them.
    """
    place = _blank_end(text, start)
    while place < end:
        found = next(((tag, closer) for opener, closer in _OTHERS if (tag := opener.match(text, place, end))), None)
        closer = "" if found is None else found[1].format(found[0][1])
        until = text.find(closer, place, end) if closer else -1
        if found is None or until < 0 or _SQUARE.match(text, found[0].end()):
            return
        yield found[0][1], (place, until + len(closer), found[0].end(), until)
        place = _blank_end(text, until + len(closer))


def before_odd_closer(text: str, tag: str, rest: str) -> str | None:
    """A value without the closing tag at its end that is none of its opening tag's form; None where there is none."""
    said = _CLOSER_OF_WORDS.search(text, max(0, len(text) - len(tag) - len(rest) - _LONGEST))
    if said is not None and (fold(said[2]) == fold(tag) or said[1] == f"{tag} {rest}"):
        return text[: said.start()]
    if text.endswith(f"</{tag}>{_SECTION_END}") and text.startswith(_SECTION):
        return text.removesuffix(f"</{tag}>{_SECTION_END}")
    over_lines = before_closer_over_lines(text, tag)
    return before_torn_closer(text, tag) if over_lines is None else over_lines


def before_torn_closer(text: str, tag: str) -> str | None:
    """A value without what is left of the closing tag of a name at its end; None where there is none."""
    torn = _CLOSER.search(text, max(0, len(text) - len(tag) - _LONGEST))
    if torn is None or fold(torn["name"] or tag) != fold(tag):
        return None
    opener = "<>" if torn["begun"] is None else torn["begun"][:-1] + torn["name"]
    if torn["begun"] != "/" and opener in text:
        return None
    return without_attempt(text[: torn.start()], tag)


def before_closer_over_lines(text: str, tag: str) -> str | None:
    """A value without its closing tag, in the midst of which the reply broke off and went on behind a line about that;
    None where there is none.
    """
    torn = _OVER_LINES.search(text, max(0, len(text) - 2 * len(tag) - _LONGEST))
    return None if torn is None or f"{torn[1]}{torn[2]}" != f"</{tag}>" else text[: torn.start()]


def without_attempt(text: str, tag: str) -> str:
    """A value without a first attempt at its closing tag, which broke off right before the next one."""
    before, begun, name = text.rstrip(GAP).rpartition("</")
    return before if begun and tag.startswith(name) else text
