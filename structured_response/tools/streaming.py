"""Calls of a reply that comes in pieces: each once it is complete, and their texts as they come."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator

from ..stream.chunks import afed, fed
from .calls import Call, Calls, calls_of, read_call
from .shown import CallPart, Shown, shown_at
from .source import Source, Tools
from .tool import Tool
from .walk import Walk


class CallStream:
    """Reads the calls of a reply that comes in pieces, without any input or output of its own.

    `feed` takes time in proportion to the piece, whatever came before.
    """

    def __init__(self, toolbox: Iterable[Tool]) -> None:
        self._walk = Walk(Source("", Tools(toolbox), 0))
        self._found = self._walk.found
        self._seen = 0  # of those
        self._given: dict[int, Call] = {}  # by their places
        self._shown: dict[int, Shown] = {}

    def feed(self, text: str) -> list[CallPart]:
        """Takes the next piece of the reply, and returns what has become known.

        Raises:
            TypeError: The piece is not a `str`.
        """
        if not isinstance(text, str):
            raise TypeError(f"a piece of a reply is a str, not {type(text).__name__}")
        source = self._walk.source
        whole, source.text = source.text, ""
        whole += text  # in place, since nothing else refers to the text
        source.text, source.stop = whole, len(whole)
        self._walk.advance()
        return [*self._taken_back(), *self._new(), *self._dropped(), *self._growing()]

    def close(self) -> tuple[list[CallPart], Calls]:
        """Ends the reply, and returns the remaining parts, and the calls as `Toolbox.parse` gives them."""
        self._walk.finish()
        parts, calls = list(self._taken_back()), calls_of(self._walk)
        for call in calls:
            given = self._given.get(call.span[0])
            if given is None:
                parts += self._ended(call)
            elif call.problems and not given.problems:
                parts.append(CallPart(call.name, call.span[0], call=call, restarted=True))
        return [*parts, *self._dropped()], calls

    def _taken_back(self) -> Iterator[CallPart]:
        """Yields that the calls so far do not count: the reply has begun in reasoning."""
        if self._found is not self._walk.found:
            yield from (CallPart(call.name, place, restarted=True) for place, call in self._given.items())
            self._found, self._seen, self._given = self._walk.found, 0, {}

    def _new(self) -> Iterator[CallPart]:
        """Yields the calls that are complete."""
        for written in self._found[self._seen :]:
            self._seen += 1
            if not written.is_quoted:
                yield from self._ended(read_call(self._walk.source.tools, written, self._walk.source.text))

    def _ended(self, call: Call) -> Iterator[CallPart]:
        """Yields what is left to show of a call, and the call."""
        shown = self._shown.pop(call.span[0], None)
        if shown is not None:
            yield from shown.rest(call)
        self._given[call.span[0]] = call
        yield CallPart(call.name, call.span[0], call=call)

    def _growing(self) -> Iterator[CallPart]:
        """Yields more of the texts of the call that is being written."""
        place = self._walk.place
        if place not in self._shown and (shown := shown_at(self._walk)) is not None:
            self._shown[place] = shown
        if place in self._shown:
            yield from self._shown[place].advance(self._walk.source.text)

    def _dropped(self) -> Iterator[CallPart]:
        """Yields that what was shown is not the text of a call."""
        walk = self._walk
        for place in [each for each in self._shown if walk.source.is_whole or each < walk.place]:
            shown = self._shown.pop(place)
            if shown.pieces:
                yield CallPart(shown.name, place, restarted=True)


def parts(toolbox: Iterable[Tool], chunks: Iterable[str]) -> Iterator[CallPart]:
    """See `Toolbox.stream`."""
    stream = CallStream(toolbox)
    return fed(chunks, stream.feed, lambda: stream.close()[0])


def aparts(toolbox: Iterable[Tool], chunks: AsyncIterable[str] | Iterable[str]) -> AsyncIterator[CallPart]:
    """See `Toolbox.astream`."""
    stream = CallStream(toolbox)
    return afed(chunks, stream.feed, lambda: stream.close()[0])
