"""Finds the calls of a reply, whole or as it comes, and decides which of them count."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import takewhile

from ..findings import Span
from .events import (
    END_OF_FENCE,
    EVENT,
    HEAD,
    MAX_QUOTATION,
    QUOTED_LINES,
    STRING_OR_END,
    THOUGHT_TAG,
    closes,
    end_of,
    open_quote,
)
from .in_json import NAME_FIRST, end_of_json
from .shapes import ALONE, BARE_SHAPE, CODE, MARKERS, REACT, SHAPES, is_bare_call
from .source import LOOK_BACK, Reading, Shape, Source, Written

_BLANKS = re.compile(r"\s*+")
AROUND = re.compile(rf"(?:\s|{MARKERS.pattern})*+")
_AROUND_CALLS = re.compile(rf"(?:{MARKERS.pattern})\s*+<(?!f|\Z)")
"""A marker around calls that is not the beginning of one."""
_MAY_BE_ALONE = re.compile(r"\s*+(?:[\[{]|call:|\Z|c(?:al?)?\Z|call\Z)")
_MAY_BE_CALLS = re.compile(r"\s*+(?:[<\[{cA]|\Z)")
_MAY_BE_HEAD = re.compile(r"(?:<[\w|\uff5c!]|\[|[ \tA])")
_LONG = re.compile(rf"(?:\S\s*+){{{LOOK_BACK}}}")
_TOOL_FENCES = ("tool_code", "tool_call")

MAX_ALONE = 16
"""Places behind reasoning at which the rest may be nothing but calls. Each costs a look at the whole rest."""
PATIENCE = 64
"""While a call is not over, it is read again when it has grown by one part of so many."""


@dataclass
class Walk:
    """A walk through a reply. While the reply still comes, it goes only as far as no later character can change
    anything.

    Attributes:
        source: The reply.
        react: Whether ReAct's shape counts.
        place: How far the walk has come.
        is_sure: Whether it is known if the reply begins in reasoning.
        found: The calls. A new list once it is known that those so far were reasoning.
        gone: The spans that are no text: calls, fences of calls, reasoning.
    """

    source: Source
    react: bool = False
    place: int = 0
    is_sure: bool = False
    found: list[Written] = field(default_factory=list)
    gone: list[Span] = field(default_factory=list)
    _is_rest: bool = True
    _due: int = 0
    _alone_left: int = MAX_ALONE

    def finish(self) -> None:
        """Goes to the end of the reply."""
        self.source.is_whole = True
        self.advance()

    def advance(self) -> None:
        """Goes on through the text of the source."""
        if not self.source.is_whole and self.source.stop < self._due:
            return
        if not self.is_sure:
            self._look_at_start()
        place: int | None = self.place
        while place is not None:
            self.place = place
            place = self._rest(place) if self._is_rest else self._step(place)
        self._due = self.source.stop + (self.source.stop - self.place) // PATIENCE

    def _step(self, place: int) -> int | None:
        """Takes what comes next. Returns the place behind it, or None if that is not known yet, or at the end."""
        event = EVENT.search(self.source.text, place, self.source.stop)
        if event is None:
            self.place = max(place, self.source.stop - LOOK_BACK)
            return None
        self.place = event.start()
        return _KINDS[event.lastgroup or ""](self, event)

    def _look_at_start(self) -> None:
        """Looks whether the reply begins in reasoning, of which only the end is marked. It never begins with a call."""
        places = {self._behind(_BLANKS, 0), self._behind(AROUND, 0)}
        looks = [self._call_at(place) for place in places]
        is_call = any(is_known and reading is not None for is_known, reading in looks)
        if not is_call and not all(is_known for is_known, _reading in looks):
            return
        tag = None if is_call else self.source.find(THOUGHT_TAG, 0)
        self.is_sure = self.source.is_whole or is_call or tag is not None
        if tag is not None and "/" in tag[0]:
            self.found, self.gone = [], []
            self._set_aside(0, tag.start(), tag.end())
            self.place, self._is_rest = tag.end(), True

    def _rest(self, place: int) -> int | None:
        """Takes the rest of the reply if it is nothing but calls without a marker."""
        if not self.source.is_whole and _MAY_BE_ALONE.match(self.source.text, place):
            return None
        self._is_rest = False
        self._alone_left -= 1
        count, stop = len(self.found), self.source.stop
        is_taken = self.source.is_whole and self._alone_left >= 0 and self._alone(place, stop)
        if any(not written.is_quoted for written in self.found[count:]):
            self.gone.append((place, stop))
        return stop if is_taken else place

    # Calls

    def _call_at(self, place: int) -> tuple[bool, Reading]:
        """Returns whether it is known if a call begins at a place, and what begins there."""
        text, stop = self.source.text, self.source.stop
        if self.source.is_whole:
            return True, self._read_at(place)
        if stop > place + 1 and (
            not _MAY_BE_HEAD.match(text, place) or _AROUND_CALLS.match(text, place) or THOUGHT_TAG.match(text, place)
        ):
            return True, None
        head = next(self.heads_at(place, self.source), None)
        if head is not None and self.source.find(head[0].marker, place) is None:
            return False, None  # saves the reading
        reading = self._read_at(place)
        if reading is None:
            return _LONG.match(text, place) is not None, None
        return self._is_over(place, reading), reading

    def _is_over(self, place: int, reading: tuple[list[Written], int]) -> bool:
        """Returns whether no later character can change calls."""
        is_clean = all(not (each.repairs or each.problems or each.is_open) for each in reading[0])
        return is_clean and reading[0][-1].is_closed and self._is_in_quotation(place, reading[1]) is not None

    def _is_in_quotation(self, place: int, end: int) -> bool | None:
        """Returns whether quotation marks in the text of its paragraph are around a call. None if that is not known."""
        quote = open_quote(self._prose_before(place))
        return quote is not None and closes(quote, self.source.text, end, self.source.stop, self.source.is_whole)

    def _prose_before(self, place: int) -> str:
        """Returns the text in front of a place, as far as quotations go, without calls and reasoning."""
        start, pieces = max(0, place - MAX_QUOTATION), []
        taken = ((written.span for written in reversed(self.found)), reversed(self.gone))
        near = [span for spans in taken for span in takewhile(lambda span: span[1] > start, spans)]
        for begin, end in sorted(near):
            pieces.append(self.source.text[start:begin])
            start = max(start, end)
        return "\0".join([*pieces, self.source.text[start:place]])

    def _head(self, event: re.Match[str]) -> int | None:
        place = event.start()
        is_known, reading = self._call_at(place)
        if reading is None or not is_known:
            return place + 1 if is_known else None
        calls, end = reading
        if self._is_in_quotation(place, end):
            self._add_quoted(calls)
        else:
            self.found += calls
            self.gone.append((place, end))
        return end

    def heads_at(self, place: int, source: Source) -> Iterator[tuple[Shape, re.Match[str]]]:
        """Yields the shapes of which the beginning is at a place."""
        for shape in (*SHAPES, *[REACT] * self.react, BARE_SHAPE):
            head = shape.head.match(source.text, place, source.stop)
            if head is None or head.end() - place > LOOK_BACK:
                continue
            if shape is not BARE_SHAPE or is_bare_call(source, head):
                yield shape, head

    def _read_at(self, place: int, stop: int | None = None) -> Reading:
        """Returns the calls that begin at a place."""
        source = self.source if stop is None else self.source.up_to(stop)
        readings = (shape.read(source, shape, head) for shape, head in self.heads_at(place, source))
        return next((reading for reading in readings if reading is not None), None)

    def _alone(self, start: int, stop: int, shapes: Sequence[Shape] = ALONE) -> bool:
        """Takes a span that is nothing but calls without a marker, or data that quotes calls. Returns whether it is."""
        source = self.source.up_to(stop)
        for shape in shapes:
            head = shape.head.match(source.text, start, stop)
            reading = shape.read(source, shape, head) if head is not None else None
            if reading is None or self._behind(_BLANKS, reading[1]) < stop:
                continue
            if all(source.tools.named(written.name) is not None for written in reading[0]):
                self.found += reading[0]
                return True
        begin = self._behind(_BLANKS, start)
        end = end_of_json(source.text, begin) if source.text[begin : begin + 1] in ("{", "[") else -1
        if end < 0 or self._behind(_BLANKS, end) < stop:
            return False
        self._quoted(begin, stop)
        return True

    def _quoted(self, start: int, stop: int) -> None:
        """Finds the calls of a span that count as text."""
        place = start
        while (head := HEAD.search(self.source.text, place, stop)) is not None:
            reading = self._read_at(head.start(), stop)
            place = head.start() + 1 if reading is None else reading[1]
            self._add_quoted(reading[0] if reading is not None else [])

    def _add_quoted(self, calls: list[Written]) -> None:
        for written in calls:
            written.is_quoted = True
        self.found += calls

    # What stands around them

    def _fence(self, event: re.Match[str]) -> int | None:
        """Takes a fence. Its calls count if it holds nothing else."""
        text, begin, first = self.source.text, event.end(), len(self.found)
        is_tools = event["language"] in _TOOL_FENCES
        if not self.source.is_whole and (
            is_tools or event.end() == self.source.stop or _MAY_BE_CALLS.match(text, begin)
        ):
            return None
        place = self._behind(_BLANKS, begin)
        while (reading := self._read_at(place)) is not None:
            self.found += reading[0]
            place = self._behind(AROUND, reading[1])
        has_calls = len(self.found) > first
        inner, outer = self._end_of_fence(event["ticks"], place if has_calls else begin)
        if not self.source.is_whole and outer == self.source.stop:
            return None
        if not has_calls:
            self._alone(begin, inner, (*ALONE, CODE) if is_tools else ALONE)
            has_calls, place = any(not written.is_quoted for written in self.found[first:]), inner
        calls = self.found[first:]
        if has_calls and place >= inner:
            for written in calls:
                written.fence_end = outer
            self.gone.append((event.start(), outer))
            return outer
        del self.found[first:]
        self._add_quoted(calls)
        if not calls:
            place = begin
        self._quoted(min(place, inner), inner)
        return outer

    def _end_of_fence(self, ticks: str, start: int) -> Span:
        """Returns the place of the line that closes a fence, or of the end of the reply, outside of strings."""
        is_json = NAME_FIRST.match(self.source.text, start, self.source.stop) is not None
        while (end := self.source.find(STRING_OR_END if is_json else END_OF_FENCE, start)) is not None:
            if end[1] and end[1].startswith(ticks):
                return end.span()
            start = end.end()
        return self.source.stop, self.source.stop

    def _code(self, event: re.Match[str]) -> int | None:
        """Takes code within a line."""
        end = event.end()
        if not self.source.is_whole and end == self.source.stop:
            return None
        if self.source.text[end : end + 1] != "`":
            return event.start() + 1
        self._quoted(event.start(), end)
        return end + 1

    def _aside(self, event: re.Match[str]) -> int | None:
        """Takes reasoning, a message of another channel of Harmony, or a message of somebody else."""
        kind = event.lastgroup or ""
        end = self.source.find(end_of(event), event.end())
        if end is None and not self.source.is_whole:
            return None
        inner, outer = (self.source.stop, self.source.stop) if end is None else end.span()
        if kind == "final":
            self.gone.append(event.span())
            self._quoted(event.end(), inner)
        else:
            self._set_aside(event.start(), inner, outer)
            self._is_rest = True
        return outer

    def _shown(self, event: re.Match[str]) -> int | None:
        """Takes a comment, CDATA, or an element in which calls are shown, unless a tool has its name."""
        is_known, reading = self._call_at(event.start())
        if reading is not None or not is_known:
            return self._head(event)
        end = self.source.find(end_of(event), event.end())
        if end is None:
            return event.end() if self.source.is_whole else None
        self._quoted(event.end(), end.start())
        return end.end()

    def _quotation(self, event: re.Match[str]) -> int | None:
        lines = QUOTED_LINES.match(self.source.text, event.start(), self.source.stop)
        end = event.end() if lines is None else lines.end()
        if not self.source.is_whole and not self.source.text[end : end + LOOK_BACK].strip(" \t"):
            return None
        self._quoted(event.end(), end)
        return end

    def _set_aside(self, start: int, inner: int, outer: int) -> None:
        """Takes what the assistant does not say aloud, or does not say at all, in which nothing is a call."""
        self._quoted(start, inner)
        self.gone.append((start, outer))

    def _behind(self, pattern: re.Pattern[str], place: int) -> int:
        """Returns the end of a pattern that always matches."""
        match = pattern.match(self.source.text, place, self.source.stop)
        assert match is not None
        return match.end()


_KINDS = {
    "fence": Walk._fence,
    "code": Walk._code,
    **dict.fromkeys(("thought", "others", "analysis", "final"), Walk._aside),
    "shown": Walk._shown,
    "quotation": Walk._quotation,
    "head": Walk._head,
}
