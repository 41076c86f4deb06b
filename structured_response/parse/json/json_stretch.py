"""Clean stretches of JSON: members and items of which nothing is to be said but that their quotes are others than
JSON's or missing, by one expression each. It takes a third of the time of what reads all others, and gives the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from ..written import Bare, Members, Value
from .json_brackets import JsonBrackets
from .json_forms import BARE_NAME, DIGITS, LOOSE_STRING, NAME_END, SINGLE_NAME, STRING, WORDS, unescaped

__all__ = ["JsonStretch"]

_GAP = r"[ \t\r\n]*+(?:(?://[^\n]{0,200}+\n|/\*[^*]{0,200}+\*/)[ \t\r\n]*+)?+"
_KEY = (
    r"(?:\"(?P<strict>[^\"\\\x00-\x1f\ud800-\udfff]*+)\""
    rf"|'(?P<single>{SINGLE_NAME})'|(?P<bare>{BARE_NAME})){NAME_END}"
)
_NO_KEY = "(?P<strict>)(?P<single>)(?P<bare>)"
_VALUE = (
    rf"[ \t\r\n]*+(?:(?:(?P<text>{STRING})"
    rf"|(?P<loose>{LOOSE_STRING})"
    rf"|(?P<word>(?:{DIGITS})|(?:true|false|null|True|False|None)(?=[\s,{{}}\[\]\"])))"
    rf"(?:[ \t\r\n]*+,(?={_GAP}(?:[}}\]]|%s))|(?={_GAP}[}}\]]))"
    r"|(?=[{\[]))"
)
_CLEAN = {
    Members: re.compile(rf"[ \t\r\n]*+{_KEY}{_VALUE}" % re.sub(r"\(\?P<\w+>", "(?:", _KEY)),
    list: re.compile(rf"{_NO_KEY}{_VALUE}" % r"[\"'\[{]|-?[0-9]|(?:true|false|null)\b"),
}
"""What is clean in an object and in a list: a value behind which that goes on or ends, or the place before a bracket,
in an object with its name. Of either nothing is to be said but that its quotes are others than JSON's or missing, or
that it runs over lines, none of which begins with a quote.
"""


class JsonStretch(JsonBrackets):
    """Reads what is clean, from `position` on."""

    def clean_stretch(self) -> bool:
        """Reads members and items as far as they are clean. Tells whether there were any."""
        start = self.position
        while self.open and (self.mark() if self.after_value else self.clean() or self.mark()):
            pass
        return self.position > start

    def clean(self) -> bool:
        """Reads a member or an item, or goes to the bracket that it begins with."""
        kind = type(self.open[-1].held)
        found = _CLEAN[kind].match(self.text, self.position)
        if found is None or not (self.has_begun or self.may_be_first(found)):
            return False
        sort, end = found.lastgroup or "", found.end()
        read = _READERS.get(sort)
        has_comma = self.text[end - 1] == ","
        if read is not None and not has_comma and not self.ends_clean(end):
            return False
        if kind is Members:
            self.begin_member(self.clean_key(found))
        elif self.takes_lists:
            self.has_begun = True
        self.position = end
        if read is None:
            self.push()
            return True
        self.add(read(self, found[sort], found.start(sort)))
        if has_comma:
            self.after_value = False
            self.last_comma = end - 1
        return True

    def ends_clean(self, end: int) -> bool:
        """Whether a value without a comma behind it ends: closing brackets follow, maybe behind a comment."""
        return self.closes(self.skip(end)) and not (
            self.text[end - 1] in "\"'" and self.is_in_text(end, self.text[end - 1])
        )

    def may_be_first(self, found: re.Match[str]) -> bool:
        """Whether a member or an item can be the first, which tells JSON from a bracket of prose."""
        if found["bare"] and not self.is_known(found["bare"]):
            return False
        return found["loose"] is None or bool(found["strict"]) or self.takes_lists

    def clean_key(self, found: re.Match[str]) -> Value:
        start, end = found.span("strict")
        if start >= 0:
            return Value(self.text[start:end], start - 1, end + 1)
        group = "bare" if found["single"] is None else "single"
        begin = found.start(group) - (group == "single")
        key = Value(found[group], begin, self.text.index(":", found.end(group)) + 1)
        self.note_quotes(key, found[group])
        return key

    def clean_loose(self, source: str, start: int) -> Value:
        return self.changed(Value(unescaped(source[1:-1]), start, start + len(source)))

    def clean_word(self, word: str, start: int) -> Value:
        value = Value(Bare(word), start, start + len(word))
        if word in WORDS:
            self.take_word(value, word)
        return value


_READERS: dict[str, Callable[[JsonStretch, str, int], Value]] = {
    "text": JsonStretch.strict_string,
    "loose": JsonStretch.clean_loose,
    "word": JsonStretch.clean_word,
}
"""What reads a value, by the last group of a match; behind a name, or nothing, a bracket begins."""
