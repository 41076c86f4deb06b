"""The streams of SDKs as text: iterators, with `await` and without."""

from __future__ import annotations

import sys
from collections.abc import (
    AsyncGenerator,
    AsyncIterable,
    AsyncIterator,
    Awaitable,
    Callable,
    Generator,
    Iterable,
    Iterator,
)
from contextlib import suppress
from functools import partial
from inspect import isawaitable
from typing import Any, Protocol, Self, TypeAlias, overload

from pydantic import BaseModel

from ..completion import Completion
from .events import Reply, read_anthropic, read_known, read_langchain, read_openai, read_pydantic_ai

Events: TypeAlias = Iterable[Any]
AsyncEvents: TypeAlias = AsyncIterable[Any] | Awaitable[AsyncIterable[Any]]


class _Stream:
    """The parts of a stream that are the same with `await` and without."""

    def __init__(self, given: Any, reply: Any) -> None:
        self._given = given
        self._reply: Reply = reply

    @property
    def completion(self) -> Completion:
        """The reply so far. At the end it has the finish reason and the tokens. The words of a refusal are its text."""
        return self._reply.completion

    def at_end(self, use: Callable[[Completion], Any]) -> Self:
        """Calls a function with the completion once the stream has ended. Returns the stream."""
        self._reply.at_end.append(use)
        return self


class TextStream(_Stream, Iterator[str]):
    """An iterator over the text of a reply. What the SDK raises passes through."""

    def __init__(self, given: Any, events: Iterable[Any], reply: Any) -> None:
        super().__init__(given, reply)
        self._pieces = _pieces(given, events, reply)

    def __next__(self) -> str:
        return next(self._pieces)

    def close(self) -> None:
        """Closes the stream of the SDK, which ends the request."""
        self._pieces.close()
        _close(self._given)


class AsyncTextStream(_Stream, AsyncIterator[str]):
    """A `TextStream` over a stream that is awaited."""

    def __init__(self, given: Any, events: AsyncEvents, reply: Any) -> None:
        super().__init__(given, reply)
        self._pieces = _async_pieces(given, events, reply)

    async def __anext__(self) -> str:
        return await anext(self._pieces)

    async def aclose(self) -> None:
        """Closes the stream of the SDK, which ends the request."""
        await self._pieces.aclose()
        await _aclose(self._given)


class StreamingComplete(Protocol):
    """A function for `ask`. Its method `stream` gives the reply piece by piece."""

    def __call__(self, messages: Any, /) -> Completion: ...
    def stream(self, messages: Any, /) -> TextStream: ...


class AsyncStreamingComplete(Protocol):
    """A function for `aask`. Its method `stream` gives the reply piece by piece."""

    def __call__(self, messages: Any, /) -> Awaitable[Completion]: ...
    def stream(self, messages: Any, /) -> AsyncTextStream: ...


# Generators of their own, not of the class: without a cycle, a stream that is dropped is closed at once.


def _pieces(given: Any, events: Iterable[Any], reply: Reply) -> Generator[str, None, None]:
    try:
        for event in events:
            if piece := reply.take(event):
                yield piece
        reply.end()
    except BaseException:
        _close(given)
        raise


async def _async_pieces(given: Any, events: Any, reply: Reply) -> AsyncGenerator[str, None]:
    try:
        if isawaitable(events):
            given = events = _checked(await events)
        async for event in events:
            if piece := reply.take(event):
                yield piece
        reply.end()
    except BaseException:
        await _aclose(given)
        raise


def _checked(events: Any) -> Any:
    if isinstance(events, BaseModel) or not (hasattr(events, "__iter__") or hasattr(events, "__aiter__")):
        advice = "call the SDK with stream=True, and enter what is a context manager"
        raise TypeError(f"{type(events).__name__} is not a stream; {advice}")
    return events


def _close(given: Any) -> None:
    for close in _methods(given, "close", "__exit__"):
        close(*(None, None, None) if close.__name__ == "__exit__" else ())


async def _aclose(given: Any) -> None:
    for close in _methods(given, "aclose", "close", "cancel"):
        with suppress(NotImplementedError):  # some models of pydantic-ai can't be cancelled
            closed = close()
            if isawaitable(closed):
                await closed


def _methods(given: Any, *names: str) -> list[Any]:
    """Returns the first of these methods of a stream, after that of what it wraps, which LiteLLM may leave open."""
    if given is None:
        return []
    wrapped = getattr(given, "completion_stream", None) or getattr(given, "streaming_response", None)
    own = [getattr(given, name) for name in names if hasattr(given, name)]
    return [*_methods(wrapped, *names), *own[:1]]


def text_of(
    given: Any,
    read: Callable[[Reply, Any], str],
    events: Any = None,
    last: Callable[[], Any] | None = None,
) -> Any:
    """Returns the text of a stream. `events` are what it is read from, if not from itself."""
    reply = Reply(read, last)
    events = given if events is None else events
    is_async = isawaitable(events)
    if not is_async:
        call = getattr(
            getattr(_checked(events), "logging_obj", None), "call_type", None
        )  # LiteLLM has one class for both
        is_async = hasattr(events, "__aiter__") and (call == "acompletion" or not hasattr(events, "__iter__"))
    return AsyncTextStream(given, events, reply) if is_async else TextStream(given, events, reply)


def stream_of(completion: Completion, size: int = sys.maxsize) -> TextStream:
    """Returns the stream of a completion that is known, in pieces of so many characters."""
    text = completion.text
    pieces = [text[at : at + size] for at in range(0, len(text), size)]
    return text_of([*pieces, completion], read_known)  # type: ignore[no-any-return]


@overload
def openai_text(events: AsyncEvents) -> AsyncTextStream: ...
@overload
def openai_text(events: Events) -> TextStream: ...
def openai_text(events: Any) -> Any:
    """Turns a stream of OpenAI's SDK into text.

    Args:
        events: A stream of `client.chat.completions` or `client.responses`, by `create(..., stream=True)` or by
            `stream(...)`. Of several choices the first is read.

    Returns:
        A `TextStream`, or an `AsyncTextStream` for a stream of an `AsyncOpenAI`. It raises `ReplyError` if the server
        reports an error that the SDK does not raise, or sends no events.
    """
    return text_of(events, read_openai)


@overload
def anthropic_text(events: AsyncEvents) -> AsyncTextStream: ...
@overload
def anthropic_text(events: Events) -> TextStream: ...
def anthropic_text(events: Any) -> Any:
    """Turns a stream of Anthropic's SDK into text.

    Args:
        events: A stream of `client.messages`, by `create(..., stream=True)` or by `stream(...)`.

    Returns:
        A `TextStream`, or an `AsyncTextStream` for a stream of an `AsyncAnthropic`. It raises `ReplyError` if the
        server sends no events.
    """
    return text_of(events, read_anthropic)


@overload
def litellm_text(events: AsyncEvents) -> AsyncTextStream: ...
@overload
def litellm_text(events: Events) -> TextStream: ...
def litellm_text(events: Any) -> Any:
    """Turns a stream of LiteLLM into text.

    Args:
        events: A stream of `litellm.completion` or `litellm.acompletion`. To type checkers these are the same.

    Returns:
        A `TextStream`, or an `AsyncTextStream` for a stream of `acompletion`.
    """
    return text_of(events, read_openai)


@overload
def langchain_text(chunks: AsyncEvents) -> AsyncTextStream: ...
@overload
def langchain_text(chunks: Events) -> TextStream: ...
def langchain_text(chunks: Any) -> Any:
    """Turns the chunks of a LangChain model, or of a chain that ends with one, into text.

    Args:
        chunks: The chunks of `stream(...)` or `astream(...)`.

    Returns:
        A `TextStream`, or an `AsyncTextStream` for `astream`.
    """
    return text_of(chunks, read_langchain)


class _Run(Protocol):
    def stream_text(self, *, delta: bool = ..., debounce_by: float | None = ...) -> Iterator[str]: ...


class _AsyncRun(Protocol):
    def stream_text(self, *, delta: bool = ..., debounce_by: float | None = ...) -> AsyncIterator[str]: ...


@overload
def pydantic_ai_text(result: _AsyncRun | AsyncIterable[Any]) -> AsyncTextStream: ...
@overload
def pydantic_ai_text(result: _Run | Events) -> TextStream: ...
def pydantic_ai_text(result: Any) -> Any:
    """Turns a stream of pydantic-ai into text.

    Args:
        result: The result of `agent.run_stream` or `agent.run_stream_sync`, or an iterable of events, such as those
            of `agent.run_stream_events`, `model_request_stream` or `model_request_stream_sync`.

    Returns:
        A `TextStream`, or an `AsyncTextStream` for what is not of a function with `sync` in its name.
    """
    stream_text = getattr(result, "stream_text", None)
    events = result if stream_text is None else stream_text(delta=True, debounce_by=None)
    response = getattr(result, "get", None) or partial(getattr, result, "response", None)
    return text_of(result, read_pydantic_ai, events, response)
