"""An answer while it is being written: the parts of all attempts, and the iterators that give them to a program."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Coroutine, Generator, Iterator
from contextlib import suppress
from contextvars import Context, copy_context
from dataclasses import dataclass, field
from inspect import CORO_SUSPENDED, getcoroutinestate
from types import coroutine
from typing import Any, Generic, Self, TypeVar

from ..cache.base import at_once
from ..options import ParseOptions
from ..reask import Again
from ..response import StructuredResponse
from ..stream import AmendingPart, Part, ReplyStream, amending
from ..stream.frames import goes_on
from .conversation import ANCHOR, joins
from .result import AskResult

ModelT = TypeVar("ModelT")
ItemT = TypeVar("ItemT")

_MAX_HELD = 4 * ANCHOR
"""Characters of a continuation that may come before it is plain how it joins the reply that was cut off."""


class Parts(Generic[ModelT]):
    """Makes parts of the pieces of all replies to a question. Each part shows the whole answer."""

    def __init__(self, asked: StructuredResponse[ModelT], how: ParseOptions) -> None:
        self.asked = asked
        self.options: Any = how._replace(examples=())._asdict()
        self.last: Part[ModelT] | None = None
        self.again: Again | None = None

    def begin(self, attempt: int, right: StructuredResponse[ModelT] | None, unfinished: str) -> None:
        """Begins with the reply of a call, which may amend an answer, or continue a reply that was cut off."""
        self.attempt = attempt
        self.right = right
        self.reading, self.again = self.asked, None
        if right is not None:
            self.reading, self.again = amending(right)
        self.unfinished = unfinished
        self.held = ""  # of a continuation that is not joined yet
        self.is_new = True
        self._read(unfinished)

    def _read(self, text: str) -> Part[ModelT]:
        self.stream = ReplyStream(self.reading, **self.options)
        return self.stream.feed(text)

    def feed(self, piece: str) -> Part[ModelT]:
        """Takes the next piece of a reply, and returns what is known now."""
        part = self._join(piece) if self.unfinished else self.stream.feed(piece)
        part.attempt = self.attempt
        if self.right is not None and self.again is not None and self.again.places is not None:
            part = AmendingPart(part, self.right, self.again)
        if self.is_new and self.last is not None:
            part.restarted = not goes_on(self.last.instance, part.instance)
        self.is_new, self.last = False, part
        return part

    def _join(self, piece: str) -> Part[ModelT]:
        """Takes the next piece of a continuation, of which nothing is shown until it is plain how it joins."""
        if len(self.held) >= _MAX_HELD:
            return self.stream.feed("")
        self.held += piece
        (text, *_others), is_probable = joins(self.unfinished, self.held)
        if not is_probable:
            return self.stream.feed("")
        self.unfinished = ""
        known = self.stream.text
        if text.startswith(known):
            return self.stream.feed(text[len(known) :])
        self.is_new = True
        return self._read(text)

    def close(self, result: AskResult[ModelT]) -> Part[ModelT]:
        """Returns the last part."""
        response = result.response
        restarted = self.last is not None and not goes_on(self.last.instance, response.instance)
        return Part(ReplyStream(self.asked), restarted, response, len(result.attempts))


class Closed(BaseException):
    """Ends a coroutine whose iterator was closed. Unlike after GeneratorExit, it may still wait then."""


@coroutine
def hand(part: Part[Any]) -> Generator[Part[Any], None, None]:
    """Hands a part to the iterator of the stream, from inside the coroutine that asks."""
    yield part


@coroutine
def _advance(context: Context, running: Coroutine[Any, Any, Any], error: BaseException | None) -> Any:
    """Runs a coroutine up to the next part that it hands out. What else it waits for is passed on."""
    got = context.run(running.send, None) if error is None else context.run(running.throw, error)
    while not isinstance(got, Part):
        try:
            sent = yield got
        except BaseException as raised:  # noqa: BLE001 - it is for the coroutine
            got = context.run(running.throw, raised)
        else:
            got = context.run(running.send, sent)
    return got


@dataclass(eq=False)
class StreamRun(Generic[ModelT]):
    """Runs a question from part to part, in its own context, like a task."""

    asking: Any
    context: Context = field(default_factory=copy_context)
    result: AskResult[ModelT] | None = None
    error: Exception | None = None

    async def answer(self) -> None:
        self.result = result = await self.asking.answer()
        await hand(self.asking.parts.close(result))

    def open(self) -> None:
        self.running = self.answer()

    async def step(self) -> Part[ModelT] | None:
        """Returns the next part, or None after the last."""
        if self.result is not None:
            return None
        try:
            part: Part[ModelT] = await _advance(self.context, self.running, None)
        except Exception as error:
            self.error = error
            raise
        return part

    async def close(self) -> None:
        if getcoroutinestate(self.running) == CORO_SUSPENDED:
            with suppress(Closed):
                await _advance(self.context, self.running, Closed())


# Generators of their own, not of the iterators: without a cycle, one that is dropped is closed at once.


def _items(run: Any) -> Generator[Any, None, None]:
    try:
        run.open()
        while (item := at_once(run.step())) is not None:
            yield item
    finally:
        at_once(run.close())


async def _async_items(run: Any) -> AsyncGenerator[Any, None]:
    try:
        run.open()
        while (item := await run.step()) is not None:
            yield item
    finally:
        await run.close()


class Closing(Iterator[ItemT]):
    """An iterator over what the steps of a run give, which may be closed before its end."""

    def __init__(self, run: Any) -> None:
        self._run = run
        self._items = _items(run)

    def __next__(self) -> ItemT:
        item: ItemT = next(self._items)
        return item

    def close(self) -> None:
        """Stops asking. A stream's request is closed; `ask_many` waits for the calls in flight."""
        self._items.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncClosing(AsyncIterator[ItemT]):
    """A `Closing` for `async for`."""

    def __init__(self, run: Any) -> None:
        self._run = run
        self._items = _async_items(run)

    async def __anext__(self) -> ItemT:
        item: ItemT = await anext(self._items)
        return item

    async def aclose(self) -> None:
        """Stops asking. A stream's request is closed; `aask_many` cancels the calls in flight."""
        await self._items.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()


class _AskStream(Generic[ModelT]):
    _run: StreamRun[ModelT]

    @property
    def result(self) -> AskResult[ModelT]:
        """The answer, with each attempt at it, from the last part on.

        Raises:
            RuntimeError: The last part has not come yet.
            Exception: The stream ended with it.
        """
        if self._run.error is not None:
            raise self._run.error
        if self._run.result is None:
            raise RuntimeError("the stream has no result before its last part, and none if it was closed or cancelled")
        return self._run.result


class AskStream(_AskStream[ModelT], Closing[Part[ModelT]]):
    """An iterator over the parts of an answer. After the last one, `result` is the result of `ask`."""


class AsyncAskStream(_AskStream[ModelT], AsyncClosing[Part[ModelT]]):
    """An `AskStream` for `async for`. It may be awaited, which gives the stream itself."""

    def __await__(self) -> Generator[Any, None, Self]:
        yield from ()
        return self
