"""The scalars of JSON, sloppy or not: where each ends, what it was taken for, and why its end may not be clear."""

from __future__ import annotations

import json
import re
from collections.abc import Collection

from ...markup import SURROGATE
from ..written import Bare, Change, Fault, Value
from .json_ahead import BLANKS, JsonAhead
from .json_forms import DIGITS, QUOTES, STRING, WORDS, quoted, unescaped
from .literals import literal

__all__ = ["STRICT_STRING", "JsonValues", "NotJsonError"]

STRICT_STRING = re.compile(STRING)
_NUMBER = re.compile(rf"{DIGITS}|NaN|-?Infinity")
_WHOLE = ("true", "false", "null")
"""Words that cannot go on: at the end of a text that breaks off they are whole."""
_TOKEN = re.compile(r"[^\s,{}\[\]\"]++")
_UNQUOTED_END = re.compile(r"[,}\]\n]")
_MARKS = {quote: re.compile(rf"\\(?s:.)|[{closers}]|\n\s*+") for quote, closers in QUOTES.items()}
_TRIPLES = ('"""', "'''")
_ENDS_IN_CLOSERS = re.compile(r"\n[\s}\]]*[}\]]\s*\Z")
_HALF_ESCAPE = re.compile(r"(?<!\\)(?:\\\\)*+(\\(?:u[0-9a-fA-F]{0,3})?)\Z")
_MEMBERS = re.compile(r"[\"']\s*+,\s*+[\"'][^\"'\n]{0,100}+[\"']\s*+:")
_JOINED = re.compile(r"\"\s*\+\s*\"|'\s*\+\s*'")
_SIDE_BY_SIDE = {quote: re.compile(rf"[^{quote}]*+(?:{quote}\s++{quote}[^{quote}]*+)++") for quote in "\"'"}
_ENDED = {quote: re.compile(rf"[^{closers}]*+[{closers}][ \t]*+[,:]") for quote, closers in QUOTES.items()}
_LOST_QUOTE = re.compile(r"[^\"'`]++(?<![0-9])[\"']")
_ESCAPED_QUOTES = re.compile(r"\\([\"'])((?:[^\\\n]|\\(?!\1).)*+)\\\1", re.DOTALL)
_PREFIX = re.compile(r"([rRbBuU]{1,2}|[fF])(?=[\"'])")
_EXPRESSION = re.compile(r"!.*|-?[0-9.]+[ \t]*[*+][ \t]*[0-9(].*", re.DOTALL)
_DATA = re.compile(r"\s*+(?:\{\s*+[\"}]|\[\s*+[\"\[{\]])")
"""How a text begins that holds data with quotes that nobody escaped."""
_APOSTROPHES = "'\u2019"
"""Between two letters they are no quotes."""
_NO_DOUBLE = "0123456789\\"
"""In front of a last quote, what says that it is no second one: inches, and an escape."""
_DECODER = json.JSONDecoder()
_QUOTE_INSIDE = "a quote stands inside of this text, so its end is not clear"
_COMMENT_INSIDE = "the sign of a comment stands inside of this text, so its end is not clear"


class NotJsonError(Exception):
    """What looked like JSON is none; the search goes on at `position`."""

    def __init__(self, position: int) -> None:
        super().__init__(position)
        self.position = position


class JsonValues(JsonAhead):
    """Reads the scalar at `position`. `sorts` has the first change of each sort that leaves all values as they are;
    `has_begun`: something has told JSON from a bracket of prose.
    """

    has_begun = False
    is_strict = True

    def __init__(self, text: str, start: int, known: Collection[str], takes_lists: bool, takes_any: bool) -> None:
        super().__init__(text, start, known, takes_lists, takes_any)
        self.position = start
        self.sorts: dict[str, Change] = {}
        self.faults: list[Fault] = []
        self.spent = 0

    # What is put on record

    def refuse_unless_begun(self) -> None:
        """Before the first key anything odd says that this is no JSON but a bracket of prose or code."""
        if not self.has_begun:
            raise NotJsonError(self.position)

    def note(self, sort: str, start: int, end: int, after: str) -> None:
        """Puts a change that leaves all values as they are on record, once for each sort."""
        self.is_strict = False
        if sort not in self.sorts:
            self.sorts[sort] = Change((start, end), self.text[start:end], after)

    def note_quotes(self, key: Value, name: str) -> None:
        """Puts on record that a name stands in other quotes than JSON's, or in none."""
        self.is_strict = False
        if "quote" not in self.sorts:
            self.note("quote", key.start, key.end, quoted(name) + ":")

    def change(self, value: Value, after: str) -> None:
        """Puts what a single value was taken for on record."""
        self.is_strict = False
        value.change = Change(value.span, self.text[value.start : value.end], after)

    def changed(self, value: Value) -> Value:
        """A string that is none of JSON's, on record: by itself where what it says was at stake, else once for its
        sort.
        """
        self.without_surrogates(value)
        source, after = self.text[value.start : value.end], quoted(value.held)
        if not value.is_cut and source != after:
            if source[1:-1] == after[1:-1]:
                self.note("quote", value.start, value.end, after)
            else:
                self.change(value, after)
        return value

    def without_surrogates(self, value: Value) -> Value:
        text = value.held
        if isinstance(text, str) and not text.isascii() and SURROGATE.search(text):
            value.held = SURROGATE.sub("\ufffd", text)
            self.change(value, quoted(value.held))
        return value

    # Numbers, words, and texts without quotes

    def shown_by_python(self) -> Value | None:
        """A value that Python shows by the name of its class."""
        shown = literal(self.text, self.position) if self.has_begun else None
        if shown is None:
            return None
        value = Value(shown[0], self.position, shown[1])
        self.change(value, quoted(shown[0]))
        self.position = shown[1]
        return value

    def unquoted(self) -> Value:
        """A number, a word, or a text without quotes, which ends with its line or where the object can go on. One
        whose quotes are escaped is what stands between them. An expression is no value.
        """
        here, text = self.position, self.text
        token = _NUMBER.match(text, here) or _TOKEN.match(text, here)
        end = token.end() if token else here
        if token is None or not self.goes_on(end):
            end = self.end_of_unquoted(here)
            end = here + len(text[here:end].rstrip())
        self.position = end
        word = text[here:end]
        value = Value(Bare(word), here, end, is_cut=end == len(text) and word not in _WHOLE)
        if word in WORDS:
            self.take_word(value, word)
        elif not value.is_cut and not _NUMBER.fullmatch(word):
            self.refuse_unless_begun()
            self.take_odd(value, word)
        return value

    def take_odd(self, value: Value, word: str) -> None:
        """Takes characters without quotes for a text."""
        escaped = _ESCAPED_QUOTES.fullmatch(word)
        lacks_first = _LOST_QUOTE.fullmatch(word) is not None
        if escaped or lacks_first:
            value.held = unescaped(escaped[2] if escaped else word[:-1])
        self.change(value, quoted(str(value.held)))
        if lacks_first:
            value.fault = Fault(value.span, "the first quote of this text is missing, so its begin is not clear")
        elif '"' in word and not escaped:
            value.fault = Fault(value.span, _QUOTE_INSIDE)
        elif _EXPRESSION.fullmatch(word):
            value.fault = Fault(value.span, "an expression, not a value")

    def end_of_unquoted(self, position: int) -> int:
        in_list = not self.in_object()
        for mark in _UNQUOTED_END.finditer(self.text, position):
            if mark[0] == "\n" or (in_list and mark[0] == ",") or self.goes_on(mark.start()):
                return mark.start()
        return len(self.text)

    def take_word(self, value: Value, word: str) -> None:
        """Takes a word for what it stands for; one of another language on record."""
        value.held, after = WORDS[word]
        if after is not None:
            self.note("word", value.start, value.end, after)

    # Strings

    def strict_string(self, source: str, start: int) -> Value:
        """A string as JSON has it: a name, or a value."""
        value = Value(source[1:-1], start, start + len(source))
        if not source.isascii() or "\\" in source:
            value.held = json.loads(source)
            value.is_literal = source.startswith("\\u", 1)
            self.without_surrogates(value)
        return value

    def string(self) -> Value:
        here, text = self.position, self.text
        strict = STRICT_STRING.match(text, here)
        if strict and self.ends_text(strict.end(), '"'):
            self.position = strict.end()
            return self.strict_string(strict[0], here)
        self.refuse_unless_begun()
        value = self.triple_string() if text.startswith(_TRIPLES, here) else self.data_string() or self.loose_string()
        self.position = value.end
        return self.changed(value)

    def data_string(self) -> Value | None:
        """A string that holds JSON whose quotes are not escaped, verbatim: it ends behind the last bracket of that."""
        here, text = self.position, self.text
        if self.spent > len(text) or _DATA.match(text, here + 1) is None:
            return None
        start = self.skip(here + 1)
        try:
            end = _DECODER.raw_decode(text, start)[1]
        except (ValueError, RecursionError) as error:
            self.spent += getattr(error, "pos", len(text)) - start
            return None
        end = self.skip(end)
        if not text.startswith(QUOTES[text[here]], end) or not self.goes_on(end + 1, sure=True):
            self.spent += end - start
            return None
        return Value(text[here + 1 : end], here, end + 1)

    def prefixed_string(self) -> Value | None:
        """A string of Python with letters in front of it: a raw one is verbatim, one that is filled in is none."""
        here = self.position
        prefix = _PREFIX.match(self.text, here) if self.has_begun else None
        if prefix is None:
            return None
        self.position = prefix.end()
        value = self.string()
        source = self.text[value.start + 1 : value.end - 1]
        if prefix[1] in "rR" and not value.is_cut:
            value.held = source
        value.start = here
        self.change(value, quoted(str(value.held)))
        if prefix[1] in "fF" and "{" in source:
            value.fault = Fault(value.span, "a text that is filled in when the code runs, not a value")
        return value

    def triple_string(self) -> Value:
        here = self.position
        quote = self.text[here : here + 3]
        end = self.end_of(quote, here + 3)
        if end < 0:
            return Value(unescaped(self.text[here + 3 :]), here, len(self.text), is_cut=True)
        return Value(unescaped(self.text[here + 3 : end - 3]), here, end)

    def loose_string(self) -> Value:
        """A string that is none of JSON's: it ends at the first quote behind which the object or list can go on."""
        here, text = self.position, self.text
        inner = 0
        is_clear, has_sign = True, False
        for mark in _MARKS[text[here]].finditer(text, here + 1):
            at, char = mark.start(), mark[0][0]
            if char == "\n":
                if self.is_known_key(mark.end()):
                    return self.without_closer(here, at, inner)
            elif char != "\\":
                if self.goes_on(mark.end(), sure=inner > 0):
                    if not self.is_in_text(mark.end(), text[here]):
                        return self.with_closer(here, at, inner, is_clear and not (has_sign and inner % 2))
                    is_clear = is_clear and (inner % 2 > 0 or text[mark.end()] not in BLANKS)
                    has_sign = True
                elif self.begins_next(here, at):
                    return self.without_closer(here, at, inner)
                inner += not (char in _APOSTROPHES and text[at - 1].isalpha() and text[at + 1 : at + 2].isalpha())
        return self.without_end(here, inner)

    def with_closer(self, here: int, end: int, inner: int, is_clear: bool) -> Value:
        """A string with its closing quote, behind so many others inside of it. `is_clear`: none of those can have
        ended it, in front of a comment. A single one at either end is that end's, doubled.
        """
        text, quote = self.text[here + 1 : end], self.text[here]
        is_doubled = inner == 1 and (text[0] == quote or (text[-1] == quote and text[-2] not in _NO_DOUBLE))
        if is_doubled:
            text, inner = text.strip(quote), 0
        value = Value(unescaped(text), here, end + 1)
        if inner and not self.in_object() and (inner % 2 or _ENDED[quote].match(text)):
            self.open[-1].fault = Fault(value.span, _QUOTE_INSIDE)  # an item that was lost moves all behind it
        elif not is_clear:
            value.fault = Fault(value.span, _COMMENT_INSIDE)
        elif inner and (message := self.doubt(text, quote)):
            value.fault = Fault(value.span, message)
        return value

    def doubt(self, text: str, quote: str) -> str | None:
        """Why the end of a text with quotes inside is not clear."""
        if _JOINED.search(text):
            return "texts joined by a sign, not one text"
        if quote in _SIDE_BY_SIDE and _SIDE_BY_SIDE[quote].fullmatch(text):
            return "texts side by side, not one text"
        if _MEMBERS.search(text):
            return "names and values stand inside of this text, so its end is not clear"
        if _DATA.match(text) and not text.rstrip().endswith(("}", "]")):
            return "this text begins with a bracket that is not closed in it, so its end is not clear"
        return _QUOTE_INSIDE if quote == text[0] == text[-1] == "'" else None

    def without_closer(self, here: int, end: int, inner: int) -> Value:
        """A string whose closing quote is missing: it ends before the comma that stands before the next name."""
        text = self.text[here + 1 : end].rstrip().removesuffix(",").rstrip()
        value = Value(unescaped(text), here, here + 1 + len(text))
        if inner or _is_unbalanced(text):
            value.fault = Fault(value.span, _QUOTE_INSIDE if inner else "a bracket stands at the end of this text")
        return value

    def without_end(self, here: int, inner: int) -> Value:
        """A string that nothing ends: it was cut, or its quote is missing before the last brackets."""
        tail = _ENDS_IN_CLOSERS.search(self.text, max(here, len(self.text) - 4 * len(self.open) - 64))
        if tail:
            return self.without_closer(here, tail.start(), inner)
        text = self.text[here + 1 :]
        half = _HALF_ESCAPE.search(text, max(0, len(text) - 16))
        value = Value(unescaped(text[: half.start(1)] if half else text), here, len(self.text), is_cut=True)
        if inner or text.rstrip().endswith(("}", "]")):
            value.fault = Fault(value.span, "the end of this text is not clear")
        return value


def _is_unbalanced(text: str) -> bool:
    """Whether a text ends with a bracket that it does not open."""
    last = text[-1:]
    return last in ("}", "]") and text.count(last) > text.count("{" if last == "}" else "[")
