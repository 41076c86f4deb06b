"""Calls of a reply that comes in pieces: each once nothing that follows can change it, and their texts as they come."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator

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
        self._given = 0  # of the calls that the walk has found
        self._whole: set[int] = set()  # the places of the calls that were given without a problem
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
        return [*self._new(), *self._dropped(), *self._growing()]

    def close(self) -> tuple[list[CallPart], Calls]:
        """Ends the reply, and returns the remaining parts, and the calls as `Toolbox.parse` gives them."""
        self._walk.finish()
        calls = calls_of(self._walk)
        given = sum(not written.is_quoted for written in self._walk.found[: self._given])
        doubted = [call for call in calls[:given] if call.problems and call.span[0] in self._whole]
        parts = [CallPart(call.name, call.span[0], call=call, restarted=True) for call in doubted]
        parts += [part for call in calls[given:] for part in self._ended(call)]
        return [*parts, *self._dropped()], calls

    def _new(self) -> Iterator[CallPart]:
        """Yields the calls that have become certain."""
        walk = self._walk
        for written in walk.found[self._given :] if walk.is_sure else ():
            self._given += 1
            if not written.is_quoted:
                call = read_call(walk.source.tools, written, walk.source.text)
                if not call.problems:
                    self._whole.add(call.span[0])
                yield from self._ended(call)

    def _ended(self, call: Call) -> Iterator[CallPart]:
        """Yields what is left to show of a call, and the call."""
        shown = self._shown.pop(call.span[0], None)
        if shown is not None:
            yield from shown.rest(call)
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
        for place in [each for each in self._shown if walk.is_whole or (walk.is_sure and each < walk.place)]:
            shown = self._shown.pop(place)
            if shown.pieces:
                yield CallPart(shown.name, place, restarted=True)


# Streams


def parts(toolbox: Iterable[Tool], chunks: Iterable[str]) -> Iterator[CallPart]:
    """See `Toolbox.stream`."""
    stream = CallStream(toolbox)
    try:
        for chunk in chunks:
            yield from stream.feed(chunk)
        yield from stream.close()[0]
    finally:
        if (close := getattr(chunks, "close", None)) is not None:
            close()


async def aparts(toolbox: Iterable[Tool], chunks: AsyncIterable[str] | Iterable[str]) -> AsyncIterator[CallPart]:
    """See `Toolbox.astream`."""
    stream = CallStream(toolbox)
    try:
        if isinstance(chunks, AsyncIterable):
            async for chunk in chunks:
                for part in stream.feed(chunk):
                    yield part
        else:
            for chunk in chunks:
                for part in stream.feed(chunk):
                    yield part
        for part in stream.close()[0]:
            yield part
    finally:
        if (aclose := getattr(chunks, "aclose", None)) is not None:
            await aclose()
        elif (close := getattr(chunks, "close", None)) is not None:
            close()
