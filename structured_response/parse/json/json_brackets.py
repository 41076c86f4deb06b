"""The structure of JSON, sloppy or not: its brackets and commas, and what is closed where they are missing."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from ...definition import fold
from ...limits import MAX_DEPTH
from ..reading import LimitReachedError
from ..written import LOST, Fault, Members, Value
from .json_ahead import name_at
from .json_values import JsonValues, NotJsonError

__all__ = ["JsonBrackets", "closers_of"]

_CLOSED_BY: dict[str, type] = {"}": Members, "]": list}
_MARK = re.compile(r"[ \t\r\n]*+([,;}\]])")
_NEXT = re.compile(r"[ \t\r\n]*+(?:[}\]][ \t\r\n]*+){0,3}+,[ \t\r\n]*+(?=\")")
_MAX_EARLY = 8
"""Brackets that may stand too early: each time all names of the object are looked at."""
_DOUBLE = re.compile(r"[ \t\r\n]*+\}")


def closers_of(values: Iterable[Value]) -> str:
    """What closes some objects and lists, given from the outermost on."""
    return "".join([value.closer for value in values])[::-1]


class JsonBrackets(JsonValues):
    """Opens and closes objects and lists, and puts values in them. `after_value`: a comma is to follow, or an end.

    `names` counts the keys that the definition knows.
    """

    after_value = False
    names = 0

    def __init__(self, text: str, start: int, known: Collection[str], takes_lists: bool, takes_any: bool) -> None:
        super().__init__(text, start, known, takes_lists, takes_any)
        self.last_comma = start
        self.early = 0
        self.doubled: set[int] = set()
        self.root = Value(None, start)

    def push(self) -> None:
        """Opens the bracket at the place."""
        here = self.position
        if len(self.open) > MAX_DEPTH:
            raise LimitReachedError(f"nested deeper than {MAX_DEPTH} levels (MAX_DEPTH)", (self.start, here + 1))
        value = Value(None, here) if self.open else self.root
        value.held = Members() if self.text[here] == "{" else []
        if self.open:
            self.add(value)
        self.open.append(value)
        self.position += 1
        self.after_value = False

    def begin_member(self, key: Value) -> None:
        self.key = key
        self.has_begun = True
        self.names += fold(str(key.held)) in self.known

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

    def add_lost(self, is_cut: bool) -> None:
        """Puts nothing in the place of the value that a name lacks."""
        assert self.key is not None
        fault = None if is_cut else Fault(self.key.span, "a name without a value")
        self.add(Value(LOST, self.position, self.position, is_cut=is_cut, fault=fault))
        self.is_strict = False

    def mark(self) -> bool:
        """Reads a comma or a closing bracket. Tells whether there is one."""
        mark = _MARK.match(self.text, self.position)
        if mark is None:
            return False
        self.position = mark.start(1)
        if mark[1] in ",;":
            self.comma(mark[1])
        else:
            self.close(mark[1])
        return True

    def comma(self, sign: str) -> None:
        """Reads a comma, or a semicolon in its place."""
        if sign == ";":
            self.refuse_unless_begun()
            self.note("semicolon", self.position, self.position + 1, ",")
        if not self.after_value:
            self.refuse_unless_begun()
            self.note("comma", self.position, self.position + 1, "")
        self.after_value = False
        self.last_comma = self.position
        self.position += 1

    def close(self, closer: str) -> None:
        """Closes the innermost bracket of that kind, and on record those above it; a stray one is passed over."""
        here = self.position
        if not self.after_value and self.open[-1].last is not None:
            self.note("comma", self.last_comma, self.last_comma + 1, "")
        self.position += 1
        depth, wanted = len(self.open) - 1, _CLOSED_BY[closer]
        while depth >= 0 and type(self.open[depth].held) is not wanted:
            depth -= 1
        if depth < 0 or (depth == 0 and self.is_early()):
            self.note("closer", here, here + 1, "")
            return
        if id(self.open[depth]) in self.doubled and (double := _DOUBLE.match(self.text, self.position)):
            self.position = double.end()
        if depth < len(self.open) - 1:
            self.note("closer", here, here, closers_of(self.open[depth + 1 :]))
        self.end_from(depth, self.position)
        self.after_value = True

    def is_early(self) -> bool:
        """Whether the last bracket of an object stands too early: a name of it that it lacks follows behind a comma."""
        found = _NEXT.match(self.text, self.position) if isinstance(self.root.held, Members) else None
        name = name_at(self.text, found.end()) if found is not None else None
        if name is None or self.early >= _MAX_EARLY or not isinstance(self.root.held, Members):
            return False
        self.early += 1
        written = name[name.lastindex or 0]
        is_there = any(fold(str(key.held)) == fold(written) for key, _member in self.root.held.pairs)
        return self.is_known(written, 1) and not is_there

    def end_from(self, depth: int, end: int) -> None:
        """Ends what is open from a depth on."""
        for value in self.open[depth:]:
            value.end = end
        del self.open[depth:]

    def stop(self) -> None:
        """Ends the answer here, before what is no part of it."""
        self.refuse_unless_begun()
        here = self.position
        if self.key is not None:
            self.faults.append(Fault(self.key.span, "a name without a value"))
        self.note("closer", here, here, closers_of(self.open))
        self.end_from(0, here)

    def break_off(self) -> None:
        """The text ended with brackets open: what was being written when it did, is cut."""
        innermost = self.open[-1]
        last = innermost.last
        if not self.has_begun and last is None:
            raise NotJsonError(self.position)
        if self.key is not None:
            self.add_lost(is_cut=True)
        elif last is None or not last.is_cut:
            innermost.is_cut = True
            innermost.is_unclosed = len(self.open) == 1 and self.after_value
        self.end_from(0, len(self.text))
