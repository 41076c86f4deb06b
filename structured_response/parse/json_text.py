"""JSON, and what language models write in its place, read in one pass: each value with its place.

What is JSON is read as JSON and nothing else. Beyond it: comments, commas too many or missing, single and
typographic quotes or none, Python's words, line breaks and quotes inside of strings, quotes and brackets that are
missing, and texts that break off. A string with a quote inside ends where the object or the list can go on; with
`known`, the names of the definition, only those count as what it goes on with. Where two readings are left, the
value gets a fault: nothing is guessed.

No recursion, and no character is looked at more than a few times, whatever the text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from dataclasses import dataclass, field

from ..definition import fold
from ..limits import MAX_DEPTH
from ..markup import SURROGATE
from .calls import CALL, with_calls_as_json
from .literals import LITERAL_START, literal
from .reading import LimitReachedError
from .written import LOST, Bare, Change, Fault, Members, Value

__all__ = ["STRING", "Scanned", "quoted", "scan_json", "unescaped"]

_QUOTES = {'"': '"', "'": "'", "\u201c": '\u201d"', "\u201e": '\u201c\u201d"', "\u2018": "\u2019'", "`": "`"}
"""Opening quotes, and what closes each."""

_CLOSERS = {"{": "}", "[": "]"}
_BLANKS = re.compile(r"[ \t\r\n]*+")
_ODD_BLANKS = re.compile(r"[\s\ufeff\u200b]++")
STRING = r'"[^"\\\x00-\x1f]*+(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*+)*+"'
_STRICT_STRING = re.compile(STRING)
_KEYS = (1, 2, 3)
_DIGITS = r"-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?"
_NUMBER = re.compile(rf"{_DIGITS}|NaN|-?Infinity")
_WORDS = {"true", "false"}
_WHOLE = {"true", "false", "null"}
"""Words that cannot go on: at the end of a text that breaks off they are whole."""
_NULLS = {"null": None, "None": "null", "undefined": "null", "nil": "null", "NULL": "null", "Null": "null"}
_PYTHON = {"True": "true", "False": "false", "TRUE": "true", "FALSE": "false"}
_TOKEN = re.compile(r"[^\s,{}\[\]\"]++")
_UNQUOTED_END = re.compile(r"[,}\]\n]")
_QUOTED_KEY = re.compile(r"\"((?:[^\"\\\n]|\\.)*+)\"[ \t\r\n]*+:|'((?:[^'\\\n]|\\.){0,100}+)'[ \t\r\n]*+:")
_LOOSE_KEY = re.compile(
    r"[\"'`\u201c\u2018\u201e*]{0,3}+([^\W\d][\w.$/-]{0,99}+(?: [\w.$/-]{1,99}+){0,5}+|[0-9]{1,99}+)"
    r"[\"'`\u201d\u2019\u201c*]{0,3}+[ \t]*+:(?!/)"
)
_FIRST_OF_VALUE = re.compile(
    r"[\"'\[{\u201c\u201e\u2018]|-?[0-9]|(?:true|false|null|True|False|None|NaN|-?Infinity)\b|\.\.\.|\u2026|"
    f"{LITERAL_START}|{CALL}"
)
_CALL = re.compile(CALL)
_CLOSING = re.compile(r"[}\]\s]*+")
_DOTS = re.compile(r"\.\.\.|\u2026")
_GARBAGE = re.compile(r"[^,{}\]\n]*+")
_ENDS_IN_CLOSERS = re.compile(r"\n[\s}\]]*[}\]]\s*\Z")
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(.)|\Z)", re.DOTALL)
_HALF_ESCAPE = re.compile(r"(?<!\\)(?:\\\\)*+(\\(?:u[0-9a-fA-F]{0,3})?)\Z")
_ESCAPED = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "'": "'", "\n": ""}
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_MARKS = {quote: re.compile(rf"\\(?s:.)|[{closers}]|\n\s*+") for quote, closers in _QUOTES.items()}
_NO_BLANKS = frozenset('",:{}[]0123456789-tfn')
_HALF_KEY = re.compile(r"(?:[\"'][^\"'\n{}\[\],:]{0,100}+[\"']?|[\w.$-]{0,100}+)\s*\Z")
_MEMBERS = re.compile(r"[\"']\s*+,\s*+[\"'][^\"'\n]{0,100}+[\"']\s*+:")
_JOINED = re.compile(r"\"\s*\+\s*\"|'\s*\+\s*'")
_BEHIND_CLOSERS = ("", ",", "{", "[", "/", "#")
_TRIPLES = ('"""', "'''")

_GAP = r"[ \t\r\n]*+(?:(?://[^\n]{0,200}+\n|/\*[^*]{0,200}+\*/)[ \t\r\n]*+)?+"
_KEY = (
    r"(?:\"([^\"\\\x00-\x1f\ud800-\udfff]*+)\"|'([^'\"\\\x00-\x1f\ud800-\udfff]{0,100}+)'|([A-Za-z_][\w-]{0,99}+))"
    r"[ \t]*+:(?!/)"
)
_LOOSE = r"{0}[^{0}\\\n]*+(?:(?:\\[^\n]|\n\s*+(?![\"']))[^{0}\\\n]*+)*+{0}"
_VALUE = (
    rf"[ \t\r\n]*+(?:(?:({STRING})"
    rf"|({_LOOSE.format(chr(34))}|{_LOOSE.format(chr(39))})"
    rf"|((?:{_DIGITS})|(?:true|false|null|True|False|None)(?=[\s,{{}}\[\]\"])))"
    rf"(?:[ \t\r\n]*+(,)(?={_GAP}(?:[}}\]]|%s))|(?={_GAP}[}}\]]))"
    r"|(?=[{\[]))"
)
_CLEAN = {
    Members: re.compile(rf"[ \t\r\n]*+{_KEY}{_VALUE}" % re.sub(r"\((?!\?)", "(?:", _KEY)),
    list: re.compile(rf"()()(){_VALUE}" % r"[\"'\[{]|-?[0-9]|(?:true|false|null)\b"),
}
"""What is clean in an object and in a list: a value behind which that goes on or ends, or the place before a bracket,
in an object with its name. Of either nothing is to be said but that its quotes are others than JSON's or missing, or
that it runs over lines, none of which begins with a quote.
"""
_MARK = re.compile(r"[ \t\r\n]*+([,}\]])")
quoted = json.JSONEncoder(ensure_ascii=False).encode


@dataclass(slots=True)
class Scanned:
    """What stands from one bracket on.

    `value` is None where it is no JSON. `end` is behind the last character that was looked at for it. `changes`
    has one entry for each sort of change that leaves all values as they are; those of a single value are the
    value's own. `names` counts the keys that the definition knows. `is_whole` is false where the text broke off, and
    `is_strict` true for JSON to the letter.
    """

    value: Value | None
    end: int
    changes: list[Change] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    names: int = 0
    is_whole: bool = True
    is_strict: bool = False


class _NotJsonError(Exception):
    """What looked like JSON is none; the search goes on at `position`."""

    def __init__(self, position: int) -> None:
        super().__init__(position)
        self.position = position


def scan_json(
    text: str, start: int, known: Collection[str] = (), takes_lists: bool = False, takes_any: bool = False
) -> Scanned:
    """Reads what stands from the bracket at `start` on.

    `known` are the folded names of the definition, empty where it has none; `takes_any`: it has maps too, in which
    any name may stand. `takes_lists`: a list of texts or numbers may be what is meant; else one that is not JSON to
    the letter is taken for prose. Raises `LimitReachedError` for what is nested deeper than data may be. Linear in
    what is read.
    """
    scanner = _Scanner(text, start, known, takes_lists, takes_any)
    try:
        return scanner.run()
    except _NotJsonError as failure:
        return Scanned(None, max(failure.position, start + 1))


class _Scanner:
    def __init__(self, text: str, start: int, known: Collection[str], takes_lists: bool, takes_any: bool) -> None:
        self.text = text
        self.start = start
        self.position = start
        self.known = known
        self.open: list[Value] = []
        self.key: Value | None = None
        self.after_value = False
        self.has_begun = False
        self.takes_lists = takes_lists
        self.takes_any = takes_any
        self.is_strict = True
        self.is_of_calls = False
        self.sorts: dict[str, Change] = {}
        self.faults: list[Fault] = []
        self.names = 0
        self.next_ends: dict[str, tuple[int, int]] = {}
        self.last_mark = -1
        self.last_comma = start
        self.root = Value(None, start)

    # Around the machine

    def run(self) -> Scanned:
        self.push()
        is_whole = True
        while self.open:
            self.position = self.skip(self.position, on_record=True)
            if self.clean_stretch():
                continue
            if self.position >= len(self.text):
                is_whole = False
                self.break_off()
            elif self.in_object():
                self.member()
            else:
                self.item()
        changes = list(self.sorts.values())
        return Scanned(
            self.root, self.position, changes, self.faults, self.names, is_whole, self.is_strict and is_whole
        )

    def mark(self) -> bool:
        """Reads a comma or a closing bracket."""
        mark = _MARK.match(self.text, self.position)
        if mark is None:
            return False
        self.position = mark.start(1)
        if mark[1] == ",":
            self.comma()
        else:
            self.close(mark[1])
        return True

    def note(self, sort: str, start: int, end: int, after: str) -> None:
        """Puts a change that leaves all values as they are on record, once for each sort."""
        self.is_strict = False
        if sort not in self.sorts:
            self.sorts[sort] = Change((start, end), self.text[start:end], after)

    def end_of(self, mark: str, position: int) -> int:
        """Behind the next `mark`, or -1. Remembers what it found, so that a million of comments cost one search."""
        first, end = self.next_ends.get(mark, (0, 0))
        if position < first or 0 <= end < position + len(mark):
            found = self.text.find(mark, position)
            end = found + len(mark) if found >= 0 else -1
            self.next_ends[mark] = position, end
        return end

    def skip(self, position: int, on_record: bool = False) -> int:
        """Behind blanks and comments."""
        text = self.text
        while True:
            begin = position = _BLANKS.match(text, position).end()  # type: ignore[union-attr]
            if text[begin : begin + 1] in _NO_BLANKS:
                return begin
            odd = _ODD_BLANKS.match(text, position)
            if odd:
                position = odd.end()
            elif text.startswith(("//", "#"), position):
                position = self.end_of("\n", position)
                position = len(text) if position < 0 else position
            elif text.startswith("/*", position):
                position = self.end_of("*/", position + 2)
                position = len(text) if position < 0 else position
            else:
                return position
            if on_record:
                self.note("comment", begin, position, " ")

    # What is clean

    def clean_stretch(self) -> bool:
        """Reads members and items as far as they are clean, by one expression each: it takes a third of the time of
        what follows, and gives the same. Tells whether there were any.
        """
        start = self.position
        while self.open and (self.mark() if self.after_value else self.clean() or self.mark()):
            pass
        return self.position > start

    def clean(self) -> bool:
        """Reads a member or an item, or goes to the bracket that it begins with."""
        kind = type(self.open[-1].held)
        found = _CLEAN[kind].match(self.text, self.position)
        if found is None or not self.is_sure(found):
            return False
        if kind is Members:
            self.clean_key(found)
        self.has_begun = self.has_begun or self.takes_lists
        self.position = found.end()
        if found.lastindex in _KEYS:
            self.push()
            return True
        self.add(self.clean_value(found))
        if found[7] is not None:
            self.after_value = False
            self.last_comma = self.position - 1
        return True

    def is_sure(self, found: re.Match[str]) -> bool:
        """Whether a member or an item is one here: it may be the first, and what follows is the structure's."""
        if not self.has_begun and (
            (found[3] and not self.is_known(found[3])) or (found[5] is not None and not (found[1] or self.takes_lists))
        ):
            return False
        return found[7] is not None or found.lastindex in _KEYS or self.closes(self.skip(found.end()))

    def clean_key(self, found: re.Match[str]) -> None:
        strict, single, bare = found.group(1, 2, 3)
        if strict is not None:
            name, self.key = strict, Value(strict, found.start(1) - 1, found.end(1) + 1)
        else:
            name, start, end = (bare, *found.span(3)) if single is None else (single, found.start(2) - 1, found.end(2))
            self.key = Value(name, start, self.text.index(":", end) + 1)
            self.note_quotes(self.key, name)
        self.has_begun = True
        self.names += fold(name) in self.known

    def clean_value(self, found: re.Match[str]) -> Value:
        text, loose, bare = found.group(4, 5, 6)
        if text is not None:
            value = Value(text[1:-1], *found.span(4))
            if not text.isascii() or "\\" in text:
                value.held = self.decoded(text[1:-1])
                value.is_literal = text.startswith("\\u", 1)
                self.without_surrogates(value)
        elif bare is not None:
            value = Value(Bare(bare), *found.span(6))
            if bare not in _WORDS and bare[-1].isalpha():
                self.reword(value, bare)
        else:
            value = Value(unescaped(loose[1:-1]), *found.span(5))
            self.without_surrogates(value)
            self.changed(value)
        return value

    def note_quotes(self, key: Value, name: str) -> None:
        """Puts on record that a name stands in other quotes than JSON's, or in none."""
        self.is_strict = False
        if "quote" not in self.sorts:
            self.note("quote", key.start, key.end, quoted(name) + ":")

    # Brackets and commas

    def push(self) -> None:
        if len(self.open) > MAX_DEPTH:
            raise LimitReachedError(
                f"nested deeper than {MAX_DEPTH} levels (MAX_DEPTH)", (self.start, self.position + 1)
            )
        held: Members | list[Value] = Members() if self.text[self.position] == "{" else []
        if self.open:
            value = Value(held, self.position)
            self.add(value)
        else:
            value = self.root
            value.held = held
        self.open.append(value)
        self.position += 1
        self.after_value = False

    def add(self, value: Value) -> None:
        held = self.open[-1].held
        if isinstance(held, Members):
            assert self.key is not None
            held.pairs.append((self.key, value))
            self.key = None
        else:
            assert isinstance(held, list)
            held.append(value)
        self.after_value = True

    def close(self, closer: str) -> None:
        """Closes the innermost bracket of that kind, and on record those above it; a stray one is passed over."""
        wanted = Members if closer == "}" else list
        depth = self.innermost(wanted)
        here = self.position
        if not self.after_value and self.has_members():
            self.note("comma", self.last_comma, self.last_comma + 1, "")
        self.position += 1
        if depth is None:
            self.note("closer", here, here + 1, "")
            return
        if depth < len(self.open) - 1:
            self.note("closer", here, here, "".join(self.closer(value) for value in reversed(self.open[depth + 1 :])))
        for value in self.open[depth:]:
            value.end = here + 1
        del self.open[depth:]
        self.after_value = True

    def innermost(self, wanted: type) -> int | None:
        if type(self.open[-1].held) is wanted:
            return len(self.open) - 1
        return next((i for i in reversed(range(len(self.open))) if type(self.open[i].held) is wanted), None)

    def has_members(self) -> bool:
        return _has_any(self.open[-1])

    def closer(self, value: Value) -> str:
        return "}" if isinstance(value.held, Members) else "]"

    def comma(self) -> None:
        if not self.after_value:
            self.refuse_unless_begun()
            self.note("comma", self.position, self.position + 1, "")
        self.after_value = False
        self.last_comma = self.position
        self.position += 1

    def refuse_unless_begun(self) -> None:
        """Before the first key anything odd says that this is no JSON but a bracket of prose or code."""
        if not self.has_begun:
            raise _NotJsonError(self.position)

    def break_off(self) -> None:
        """The text ended with brackets open: what was being written when it did, is cut."""
        innermost = self.open[-1]
        if not self.has_begun and not self.has_members():
            raise _NotJsonError(self.position)
        if self.key is not None:
            self.add(Value(LOST, self.position, self.position, is_cut=True))
        elif not self.is_last_cut(innermost):
            innermost.is_cut = True
            innermost.is_unclosed = len(self.open) == 1 and self.after_value
        self.end_all(len(self.text))

    def is_last_cut(self, holder: Value) -> bool:
        held = holder.held
        last = held.pairs[-1][1] if isinstance(held, Members) and held.pairs else None
        last = held[-1] if isinstance(held, list) and held else last
        return last is not None and last.is_cut

    def end_all(self, end: int) -> None:
        for value in self.open:
            value.end = end
        self.open.clear()

    # Members and items

    def member(self) -> None:
        """A key and, behind its colon, a value."""
        here = self.position
        text = self.text
        if text[here] == "{":  # perhaps a new answer inside of one that was never closed
            self.faults.append(Fault((here, here + 1), "an object stands where a name should"))
            self.stop()
            return
        strict = _STRICT_STRING.match(text, here)
        colon = self.skip(strict.end()) if strict else -1
        if strict and text.startswith(":", colon):
            self.key = self.quoted(strict)
            self.position = colon + 1
        elif not self.loose_key(here):
            return
        if self.after_value:
            self.note("comma", here, here, ",")
        self.after_value = False
        self.has_begun = True
        self.names += fold(str(self.key.held)) in self.known if self.key else 0
        self.position = self.skip(self.position, on_record=True)
        if self.position < len(text):
            self.value()

    def loose_key(self, here: int) -> bool:
        """A key with other quotes or without. What is none either is passed over, as a fault."""
        dots = _DOTS.match(self.text, here)
        key = _QUOTED_KEY.match(self.text, here) or _LOOSE_KEY.match(self.text, here)
        name = key and next(group for group in key.groups() if group is not None)
        if dots and self.has_begun:
            self.note("dots", here, dots.end(), "")
            self.position = dots.end()
            self.after_value = True
        elif key is None or name is None or (self.after_value and self.known and fold(name) not in self.known):
            self.garbage()
        else:
            if self.text[here] not in _QUOTES and not self.is_known(name):
                self.refuse_unless_begun()
            self.key = Value(unescaped(name), here, key.end())
            self.note_quotes(self.key, name)
            self.position = key.end()
        return self.key is not None

    def is_known(self, name: str) -> bool:
        """Whether a name may stand in the innermost object: in one of the definition's, only the definition's."""
        return not self.known or fold(name) in self.known or not self.is_of_definition()

    def is_of_definition(self) -> bool:
        """Whether the innermost object is no map: its first name tells."""
        held = self.open[-1].held
        first = held.pairs[0][0] if isinstance(held, Members) and held.pairs else self.key
        return not self.takes_any or first is None or fold(str(first.held)) in self.known

    def item(self) -> None:
        here = self.position
        dots = _DOTS.match(self.text, here)
        if dots:
            self.refuse_unless_begun()
            self.note("dots", here, dots.end(), "")
            self.position = dots.end()
            self.after_value = True
            return
        if not self.has_begun and not _FIRST_OF_VALUE.match(self.text, here):
            raise _NotJsonError(here)
        if self.after_value:
            if not _FIRST_OF_VALUE.match(self.text, here):
                self.garbage()
                return
            self.refuse_unless_begun()
            if self.text[here] in _CLOSERS and self.is_behind_scalar():  # the answer, behind a piece that prose quotes
                self.stop()
                return
            self.note("comma", here, here, ",")
        self.after_value = False
        self.has_begun = self.has_begun or self.takes_lists
        self.value()

    def is_behind_scalar(self) -> bool:
        """Whether the last item holds no others, so that an object without a comma in between is none beside it."""
        held = self.open[-1].held
        return isinstance(held, list) and bool(held) and not isinstance(held[-1].held, list | Members)

    def garbage(self) -> None:
        """What has no place here: the prose behind an answer that was never closed, or a fault."""
        self.refuse_unless_begun()
        here = self.position
        if _HALF_KEY.match(self.text, here):
            self.position = len(self.text)
            return
        if self.last_mark < 0:
            self.last_mark = max(map(self.text.rfind, '}]"'))
        if here > self.last_mark or self.text.startswith("```", here):
            self.stop()
            return
        end = max(_GARBAGE.match(self.text, here).end(), here + 1)  # type: ignore[union-attr]
        self.is_strict = False
        self.faults.append(Fault((here, end), "this is no JSON"))
        self.position = end

    def stop(self) -> None:
        """Ends the answer here, before what is no part of it."""
        self.refuse_unless_begun()
        here = self.position
        if self.key is not None:
            self.faults.append(Fault(self.key.span, "a name without a value"))
        self.note("closer", here, here, "".join(map(self.closer, reversed(self.open))))
        self.end_all(here)

    # Values

    def value(self) -> None:
        char = self.text[self.position]
        if char in "{[":
            self.push()
        elif char in _QUOTES:
            self.add(self.string())
        elif char in "}],":
            self.no_value()
        else:
            shown = self.shown_by_python()
            if shown is None and self.has_begun and not self.is_of_calls and _CALL.match(self.text, self.position):
                self.read_calls()
            else:
                self.add(shown or self.unquoted())

    def no_value(self) -> None:
        """A name, and a comma or a closing bracket where its value should be."""
        assert self.key is not None
        here = self.position
        value = Value(LOST, here, here, fault=Fault(self.key.span, "a name without a value"))
        self.is_strict = False
        self.add(value)

    def read_calls(self) -> None:
        """Takes the calls of Python for objects, from here on."""
        here = self.position
        self.is_of_calls = True
        self.text = with_calls_as_json(self.text, here, [self.closer(value) for value in self.open])
        self.note("call", here, self.text.index("{", here) + 1, "{")
        self.position = self.skip(here)
        self.value()

    def shown_by_python(self) -> Value | None:
        """A value that Python shows by the name of its class."""
        found = literal(self.text, self.position) if self.has_begun else None
        if found is None:
            return None
        value = Value(found[0], self.position, found[1])
        self.change(value, quoted(found[0]))
        self.position = found[1]
        return value

    def unquoted(self) -> Value:
        """A number, a word, or a text without quotes, which ends with its line or where the object can go on."""
        here, text = self.position, self.text
        token = _NUMBER.match(text, here) or _TOKEN.match(text, here)
        end = token.end() if token else here
        if token is None or not self.goes_on(end):
            end = self.end_of_unquoted(here)
            end = here + len(text[here:end].rstrip())
        self.position = end
        word = text[here:end]
        value = Value(Bare(word), here, end, is_cut=end == len(text) and word not in _WHOLE)
        if word in _NULLS or word in _PYTHON:
            self.reword(value, word)
        elif word not in _WORDS and not _NUMBER.fullmatch(word) and not value.is_cut:
            self.refuse_unless_begun()
            after = quoted(word)
            self.change(value, after)
        return value

    def reword(self, value: Value, word: str) -> None:
        """Takes a word of other languages for JSON's."""
        after = _NULLS[word] if word in _NULLS else _PYTHON[word]
        value.held = None if word in _NULLS else Bare(after or word)
        if after is not None:
            self.note("word", value.start, value.end, after)

    def end_of_unquoted(self, position: int) -> int:
        in_list = not self.in_object()
        for mark in _UNQUOTED_END.finditer(self.text, position):
            if mark[0] == "\n" or (in_list and mark[0] == ",") or self.goes_on(mark.start()):
                return mark.start()
        return len(self.text)

    def string(self) -> Value:
        here, text = self.position, self.text
        strict = _STRICT_STRING.match(text, here)
        if strict and self.goes_on(strict.end()):
            self.position = strict.end()
            return self.quoted(strict)
        self.refuse_unless_begun()
        value = self.triple_string() if text.startswith(_TRIPLES, here) else self.loose_string()
        self.position = value.end
        self.without_surrogates(value)
        self.changed(value)
        return value

    def quoted(self, string: re.Match[str]) -> Value:
        """A string as JSON has it: a name, or a value."""
        value = Value(self.decoded(string[0][1:-1]), *string.span())
        value.is_literal = self.text.startswith("\\u", value.start + 1)
        return self.without_surrogates(value)

    def change(self, value: Value, after: str) -> None:
        """Puts what a single value was taken for on record."""
        self.is_strict = False
        value.change = Change(value.span, self.text[value.start : value.end], after)

    def changed(self, value: Value) -> None:
        """Notes how a string was written: by itself where what it says was at stake, else once for its sort."""
        source = self.text[value.start : value.end]
        after = quoted(value.held)
        if value.is_cut or source == after:
            return
        if source[1:-1] == after[1:-1]:
            self.note("quote", value.start, value.end, after)
        else:
            self.change(value, after)

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
        quote = text[here]
        inner = 0
        for mark in _MARKS[quote].finditer(text, here + 1):
            at, char = mark.start(), mark[0][0]
            if char == "\n":
                if self.is_known_key(mark.end()):
                    return self.without_closer(here, at, inner)
            elif char != "\\":
                if self.goes_on(mark.end(), sure=inner > 0):
                    return self.with_closer(here, at, inner)
                if self.begins_next(here, at):
                    return self.without_closer(here, at, inner)
                inner += 1
        return self.without_end(here, inner)

    def with_closer(self, here: int, end: int, inner: int) -> Value:
        text = self.text[here + 1 : end]
        value = Value(unescaped(text), here, end + 1)
        if inner % 2 and not self.in_object():
            value.fault = Fault(value.span, "a quote stands inside of this text, so its end is not clear")
        elif inner and _JOINED.search(text):
            value.fault = Fault(value.span, "texts joined by a sign, not one text")
        elif inner and _MEMBERS.search(text):
            value.fault = Fault(value.span, "names and values stand inside of this text, so its end is not clear")
        return value

    def without_closer(self, here: int, end: int, inner: int) -> Value:
        """A string whose closing quote is missing: it ends before the comma that stands before the next name."""
        text = self.text[here + 1 : end].rstrip().removesuffix(",").rstrip()
        value = Value(unescaped(text), here, here + 1 + len(text))
        if inner:
            value.fault = Fault(value.span, "a quote stands inside of this text, so its end is not clear")
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

    # What may follow

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
            return self.closes(after)
        if text[after] == ",":
            return self.goes_on_behind_comma(self.skip(after + 1), sure)
        if not sure and text.find("\n", position, after) >= 0:
            return True
        if after == position:
            return False
        return self.is_key(after, True) if self.in_object() else not sure and text[after] in _QUOTES

    def goes_on_behind_comma(self, position: int, sure: bool) -> bool:
        text = self.text
        if position >= len(text) or text[position] in "}],":
            return True
        if self.in_object():
            return self.is_key(position, sure) or (text[position] in _QUOTES and bool(_HALF_KEY.match(text, position)))
        return _FIRST_OF_VALUE.match(text, position) is not None

    def in_object(self) -> bool:
        return isinstance(self.open[-1].held, Members)

    def is_key(self, position: int, sure: bool) -> bool:
        key = _QUOTED_KEY.match(self.text, position) or _LOOSE_KEY.match(self.text, position)
        if key is None:
            return bool(_DOTS.match(self.text, position))
        return not sure or self.is_known(next(group for group in key.groups() if group is not None))

    def is_known_key(self, position: int) -> bool:
        """Whether a quoted name of the definition, with its colon, stands at the beginning of a line."""
        return self.text.startswith(('"', "'"), position) and self.is_key(position, True)

    def begins_next(self, here: int, at: int) -> bool:
        """Whether the quote at `at` is the one before the next name, so that the string lacks its own."""
        if not self.in_object() or not self.is_key(at, True):
            return False
        before = self.text[max(here + 1, at - 64) : at].rstrip()
        return before.endswith((",", ";"))

    def closes(self, position: int) -> bool:
        """Whether closing brackets are the structure's, not a text's: what follows them could."""
        run = _CLOSING.match(self.text, position)
        assert run is not None
        after = run.end()
        if self.text[after : after + 1] in _BEHIND_CLOSERS:
            return True
        count = after - position - sum(run[0].count(blank) for blank in " \t\r\n")
        return count >= len(self.open) or self.is_key(after, True) or self.text.startswith("```", after)

    # Characters

    def decoded(self, inner: str) -> str:
        """The text of a string of JSON."""
        return json.loads(f'"{inner}"') if "\\" in inner else inner

    def without_surrogates(self, value: Value) -> Value:
        text = value.held
        if isinstance(text, str) and not text.isascii() and SURROGATE.search(text):
            value.held = SURROGATE.sub("\ufffd", text)
            self.change(value, quoted(value.held))
        return value


def _has_any(holder: Value) -> bool:
    return bool(holder.held.pairs if isinstance(holder.held, Members) else holder.held)


def unescaped(inner: str) -> str:
    """The text of a string that is none of JSON's. What is no escape stays as it is."""
    if "\\" in inner:
        inner = _ESCAPE.sub(_unescape, inner)
    return inner if inner.isascii() else _PAIR.sub(_join, inner)


def _unescape(match: re.Match[str]) -> str:
    code = match[1] or match[2]
    if code:
        return chr(int(code, 16))
    return _ESCAPED.get(match[3] or "", match[0])


def _join(match: re.Match[str]) -> str:
    return match[0].encode("utf-16", "surrogatepass").decode("utf-16")
