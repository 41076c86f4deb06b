"""JSON, and what language models write in its place, read in one pass: each value with its place.

What is JSON is read as JSON and nothing else. Beyond it: comments, commas too many or missing, single and
typographic quotes or none, Python's words, line breaks and quotes inside of strings, quotes and brackets that are
missing, and texts that break off. A string with a quote inside ends where the object or the list can go on; with
`known`, the names of the definition, only those count as what it goes on with. Where two readings are left, the
value gets a fault: nothing is guessed.

No recursion, and no character is looked at more than a few times, whatever the text. It stands on four others:
`json_stretch` reads what is clean, `json_brackets` opens and closes, `json_values` reads scalars, `json_ahead` tells
what may follow.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass, field

from ...definition import fold
from ..written import Change, Fault, Members, Value
from .calls import CALL, with_calls_as_json
from .json_ahead import BLANKS, DOTS, FIRST_OF_VALUE, HALF_KEY, name_at
from .json_forms import QUOTES, unescaped
from .json_stretch import JsonStretch
from .json_values import STRICT_STRING, NotJsonError

__all__ = ["Scanned", "scan_json"]

_CALL = re.compile(CALL)
_GARBAGE = re.compile(r"[^,{}\]\n]*+")
_FENCE = "```"


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
    except NotJsonError as failure:
        return Scanned(None, max(failure.position, start + 1))


class _Scanner(JsonStretch):
    """Reads what stands between clean stretches: odd members and items, dots, calls of Python, what has no place."""

    is_of_calls = False
    last_mark = -1

    def run(self) -> Scanned:
        self.push()
        is_whole = True
        while self.open:
            self.pass_blanks()
            if self.clean_stretch():
                continue
            if self.position >= len(self.text):
                is_whole = False
                self.break_off()
            elif self.in_object():
                self.member()
            else:
                self.item()
        is_strict = self.is_strict and is_whole
        return Scanned(
            self.root, self.position, list(self.sorts.values()), self.faults, self.names, is_whole, is_strict
        )

    def pass_blanks(self) -> None:
        """Goes behind blanks, and behind comments on record."""
        begin, self.position = self.position, self.skip(self.position)
        odd = self.position > begin and self.text[begin : self.position].lstrip(BLANKS)
        if odd:
            begin = self.position - len(odd)
            self.note("comment", begin, self.behind_odd(begin), " ")

    # Members and items

    def member(self) -> None:
        """A key and, behind its colon, a value."""
        here, text = self.position, self.text
        if text[here] == "{" and self.opens_another():
            return
        if text[here] == "{":  # perhaps a new answer inside of one that was never closed
            self.faults.append(Fault((here, here + 1), "an object stands where a name should"))
            self.stop()
            return
        key = self.strict_key() or self.loose_key()
        if key is None:
            return
        if self.after_value:
            self.note("comma", here, here, ",")
        self.after_value = False
        self.begin_member(key)
        self.pass_blanks()
        if text.startswith(":", self.position):
            self.note("colon", self.position, self.position + 1, "")
            self.position = self.skip(self.position + 1)
        if self.position < len(text):
            self.value()

    def opens_another(self) -> bool:
        """Takes the bracket of an object where a name should stand: one that is doubled goes, and behind a comma in an
        item of a list the next item begins, so the bracket of that one is missing.
        """
        here, inner = self.position, self.open[-1]
        if not self.has_begun or self.key is not None or self.after_value:
            return False
        if not self.text[inner.start + 1 : here].strip(BLANKS):
            self.note("opener", here, here + 1, "")
            self.doubled.add(id(inner))
            self.position += 1
            return True
        if len(self.open) < 2 or not isinstance(self.open[-2].held, list):
            return False
        self.note("closer", self.last_comma, self.last_comma, "}")
        self.end_from(len(self.open) - 1, self.last_comma)
        return True

    def strict_key(self) -> Value | None:
        """A key as JSON has it."""
        strict = STRICT_STRING.match(self.text, self.position)
        colon = self.skip(strict.end()) if strict else -1
        if strict is None or not self.text.startswith(":", colon):
            return None
        self.position = colon + 1
        return self.strict_string(strict[0], strict.start())

    def loose_key(self) -> Value | None:
        """A key with other quotes or without. What is none either is passed over, as a fault."""
        here = self.position
        if self.has_begun and self.dots():
            return None
        found = name_at(self.text, here)
        name = "" if found is None else found[found.lastindex or 0]
        if found is None or (self.after_value and self.known and fold(name) not in self.known):
            self.garbage()
            return None
        if self.text[here] not in QUOTES and not self.is_known(name):
            self.refuse_unless_begun()
        self.position = found.end()
        key = Value(unescaped(name), here, found.end())
        self.note_quotes(key, name)
        return key

    def item(self) -> None:
        here = self.position
        if DOTS.match(self.text, here):
            self.refuse_unless_begun()
            self.dots()
            return
        is_value = FIRST_OF_VALUE.match(self.text, here) is not None
        if not is_value and not self.has_begun:
            raise NotJsonError(here)
        if self.after_value:
            if not is_value:
                self.garbage()
                return
            self.refuse_unless_begun()
            if self.text[here] in "{[" and self.is_behind_scalar():  # the answer, behind a piece that prose quotes
                self.stop()
                return
            self.note("comma", here, here, ",")
        self.after_value = False
        self.has_begun = self.has_begun or self.takes_lists
        self.value()

    def dots(self) -> bool:
        """Reads dots in place of what was left out. Tells whether there are some."""
        dots = DOTS.match(self.text, self.position)
        if dots is None:
            return False
        self.note("dots", self.position, dots.end(), "")
        self.position = dots.end()
        self.after_value = True
        return True

    def is_behind_scalar(self) -> bool:
        """Whether the last item holds no others, so that an object without a comma in between is none beside it."""
        last = self.open[-1].last
        return last is not None and not isinstance(last.held, list | Members)

    def garbage(self) -> None:
        """What has no place here: the prose behind an answer that was never closed, or a fault."""
        self.refuse_unless_begun()
        here = self.position
        if HALF_KEY.match(self.text, here):
            self.position = len(self.text)
            return
        if self.last_mark < 0:
            self.last_mark = max(map(self.text.rfind, '}]"'))
        if here > self.last_mark or self.text.startswith(_FENCE, here):
            self.stop()
            return
        end = max(_GARBAGE.match(self.text, here).end(), here + 1)  # type: ignore[union-attr]
        self.is_strict = False
        self.faults.append(Fault((here, end), "this is no JSON"))
        self.position = end

    # Values

    def value(self) -> None:
        _BY_SIGN.get(self.text[self.position], _Scanner.add_bare)(self)

    def add_string(self) -> None:
        self.add(self.string())

    def add_bare(self) -> None:
        """A value without quotes, or calls of Python."""
        here = self.position
        shown = self.shown_by_python() or self.prefixed_string()
        if shown is None and self.has_begun and not self.is_of_calls and _CALL.match(self.text, here):
            self.read_calls()
        else:
            self.add(shown or self.unquoted())

    def no_value(self) -> None:
        """A name, and a comma or a closing bracket where its value should be."""
        self.add_lost(is_cut=False)

    def read_calls(self) -> None:
        """Takes the calls of Python for objects, from here on."""
        here = self.position
        self.is_of_calls = True
        self.text = with_calls_as_json(self.text, here, [value.closer for value in self.open])
        self.note("call", here, self.text.index("{", here) + 1, "{")
        self.position = self.skip(here)
        self.value()


_BY_SIGN: dict[str, Callable[[_Scanner], None]] = {
    **dict.fromkeys("{[", _Scanner.push),
    **dict.fromkeys(QUOTES, _Scanner.add_string),
    **dict.fromkeys("}],", _Scanner.no_value),
}
"""What reads a value, by its first sign."""
