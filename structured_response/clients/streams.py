"""The streams of SDKs as text. No SDK is imported here; events are told apart by their attributes."""

from __future__ import annotations

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
from dataclasses import dataclass, field
from functools import partial
from inspect import isawaitable
from typing import Any, Protocol, Self, TypeAlias, overload

from pydantic import BaseModel

from ..completion import Completion, ToolCall, Usage
from ..errors import ReplyError
from ..findings import Problem, ProblemKind
from .counts import ANTHROPIC, LANGCHAIN, OPENAI_CHAT, OPENAI_RESPONSES, PYDANTIC_AI, usage_of

_LANGCHAIN_REASONS = ("finish_reason", "stop_reason", "stopReason", "done_reason")
"""Where LangChain's integrations put the finish reason of OpenAI, Anthropic, Bedrock and Ollama."""

Events: TypeAlias = Iterable[Any]
AsyncEvents: TypeAlias = AsyncIterable[Any] | Awaitable[AsyncIterable[Any]]

CALLS = frozenset({"function_call"})
"""The kinds of items of OpenAI's responses that call a tool."""


@dataclass
class _Reply:
    """A reply as it comes. `read` returns the text of an event; after the last event it gets the value of `last`."""

    read: Callable[[_Reply, Any], str]
    last: Callable[[], Any] | None = None
    at_end: list[Callable[[Completion], Any]] = field(default_factory=list)
    pieces: list[str] = field(default_factory=list)
    finish_reason: str | None = None
    usage: Usage = field(default_factory=Usage)
    calls: dict[Any, ToolCall] = field(default_factory=dict)
    is_refusal: bool = False
    has_begun: bool = False

    @property
    def completion(self) -> Completion:
        reason, called = "refusal" if self.is_refusal else self.finish_reason, tuple(self.calls.values())
        return Completion("".join(self.pieces), reason, self.usage, called)

    def take(self, event: Any) -> str:
        self.has_begun = True
        piece = self.read(self, event)
        if piece:
            self.pieces.append(piece)
        return piece

    def end(self) -> None:
        if self.last is not None:
            self.read(self, self.last())
        elif not self.has_begun:
            raise self.error("the server sent no events; check any proxy and base_url, often .../v1")
        for use in self.at_end:
            use(self.completion)

    def error(self, message: str) -> ReplyError:
        return ReplyError([Problem(ProblemKind.NO_ANSWER, "$", message)], "".join(self.pieces))

    def refuse(self, words: str) -> str:
        """Returns the words of a refusal, but none if they come after an answer."""
        self.is_refusal = self.is_refusal or not self.pieces
        return words if self.is_refusal else ""

    def call(self, key: Any, call_id: str | None, name: str | None, arguments: str | None) -> None:
        """Adds a piece of a call of a tool."""
        known = self.calls.get(key, ToolCall("", "", ""))
        written = known.arguments + (arguments or "")
        self.calls[key] = ToolCall(known.id or call_id or "", known.name or name or "", written)

    def count(self, usage: Usage) -> None:
        """Adjusts the tokens to counts of all events so far."""
        self.usage |= usage


class _Stream:
    """The parts of a stream that are the same with `await` and without."""

    def __init__(self, given: Any, reply: Any) -> None:
        self._given = given
        self._reply: _Reply = reply

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


def _pieces(given: Any, events: Iterable[Any], reply: _Reply) -> Generator[str, None, None]:
    try:
        for event in events:
            if piece := reply.take(event):
                yield piece
        reply.end()
    except BaseException:
        _close(given)
        raise


async def _async_pieces(given: Any, events: Any, reply: _Reply) -> AsyncGenerator[str, None]:
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
    """The first of these methods of a stream, after those of what it wraps: LiteLLM's do not always close that."""
    if given is None:
        return []
    wrapped = getattr(given, "completion_stream", None) or getattr(given, "streaming_response", None)
    own = [getattr(given, name) for name in names if hasattr(given, name)]
    return [*_methods(wrapped, *names), *own[:1]]


def text_of(
    given: Any,
    read: Callable[[_Reply, Any], str],
    events: Any = None,
    last: Callable[[], Any] | None = None,
) -> Any:
    """The text of a stream. `events` are what it is read from, if not from itself."""
    reply = _Reply(read, last)
    events = given if events is None else events
    if isawaitable(events) or _is_async(_checked(events)):
        return AsyncTextStream(given, events, reply)
    return TextStream(given, events, reply)


def _is_async(events: Any) -> bool:
    """LiteLLM has one class for both, which knows the function that was called."""
    call = getattr(getattr(events, "logging_obj", None), "call_type", None)
    return hasattr(events, "__aiter__") and (call == "acompletion" or not hasattr(events, "__iter__"))


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
    return text_of(chunks, _read_langchain)


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
    return text_of(result, _read_pydantic_ai, events, response)


def read_openai(reply: _Reply, event: Any) -> str:
    """Events of OpenAI's responses. Everything else is a chunk of a chat, or holds one."""
    match getattr(event, "type", None):
        case "response.output_text.delta":
            return str(event.delta)
        case "response.refusal.delta":
            return reply.refuse(event.delta)
        case "response.completed" | "response.incomplete":
            ended = event.response
            for number, item in enumerate(ended.output):
                if item.type in CALLS:
                    reply.call(number, item.call_id, item.name, item.arguments)
            reply.finish_reason = reason_of(ended)
            reply.count(usage_of(ended.usage, OPENAI_RESPONSES))
        case "response.failed" | "error":
            error = getattr(getattr(event, "response", event), "error", event)
            message = ": ".join(filter(None, (getattr(error, "code", None), getattr(error, "message", None))))
            raise reply.error(f"the server broke off: {message}")
        case _:
            return _read_chunk(reply, getattr(event, "chunk", event))
    return ""


def reason_of(response: Any) -> str | None:
    """Why a response of OpenAI ended."""
    is_call = any(item.type in CALLS or item.type == "custom_tool_call" for item in response.output)
    reason: str | None = getattr(response.incomplete_details, "reason", None)
    return reason or ("function_call" if is_call else response.status)


def _read_chunk(reply: _Reply, chunk: Any) -> str:
    reply.count(usage_of(getattr(chunk, "usage", None), OPENAI_CHAT))
    for choice in getattr(chunk, "choices", None) or ():
        if not getattr(choice, "index", 0):
            reply.finish_reason = choice.finish_reason or reply.finish_reason
            for call in getattr(choice.delta, "tool_calls", None) or ():
                if call.function is not None:
                    reply.call(call.index, call.id, call.function.name, call.function.arguments)
            refusal = refusal_of(choice.delta)
            return getattr(choice.delta, "content", None) or (reply.refuse(refusal) if refusal else "")
    return ""


def refusal_of(message: Any) -> Any:
    """The refusal of a message or a delta of OpenAI's chat protocol. LiteLLM puts it beside the fields of its own."""
    beside: Any = getattr(message, "provider_specific_fields", None) or {}
    return getattr(message, "refusal", None) or beside.get("refusal")


def read_anthropic(reply: _Reply, event: Any) -> str:
    match event.type:
        case "message_start":
            reply.count(usage_of(event.message.usage, ANTHROPIC))
        case "content_block_start" if event.content_block.type == "text":
            return event.content_block.text or ""
        case "content_block_start" if event.content_block.type == "tool_use":
            reply.call(event.index, event.content_block.id, event.content_block.name, "")
        case "content_block_delta" if event.delta.type == "text_delta":
            return event.delta.text or ""
        case "content_block_delta" if event.delta.type == "input_json_delta":
            reply.call(event.index, None, None, event.delta.partial_json)
        case "content_block_stop" if event.index in reply.calls and not reply.calls[event.index].arguments:
            reply.call(event.index, None, None, "{}")
        case "message_delta":
            reply.finish_reason = event.delta.stop_reason or reply.finish_reason
            reply.count(usage_of(event.usage, ANTHROPIC))
    return ""


def read_anthropic_tool(reply: _Reply, event: Any) -> str:
    """The arguments of the tool that the language model has to call, which are its answer."""
    read_anthropic(reply, event)
    reply.calls.clear()
    if reply.finish_reason == "tool_use":
        reply.finish_reason = "end_turn"
    if event.type == "content_block_delta" and event.delta.type == "input_json_delta":
        return event.delta.partial_json or ""
    return ""


def _read_langchain(reply: _Reply, chunk: Any) -> str:
    metadata = chunk.response_metadata
    reason = next((metadata[name] for name in _LANGCHAIN_REASONS if metadata.get(name)), None)
    reason = reason or (metadata.get("incomplete_details") or {}).get("reason")
    if reason:
        reply.finish_reason = str(reason).lower()  # Google's are in capitals
    reply.usage += usage_of(chunk.usage_metadata, LANGCHAIN)  # of this chunk alone
    refusal = chunk.additional_kwargs.get("refusal")
    return str(chunk.text) or (reply.refuse(refusal) if refusal else "")


def _read_pydantic_ai(reply: _Reply, event: Any) -> str:
    if isinstance(event, str):
        return event
    match getattr(event, "event_kind", None):
        case "part_start" if event.part.part_kind == "text":
            return str(event.part.content)
        case "part_delta" if event.delta.part_delta_kind == "text":
            return str(event.delta.content_delta)
        case "agent_run_result":
            event = event.result.response
    if getattr(event, "kind", None) == "response":
        reply.finish_reason = event.finish_reason
        reply.count(usage_of(event.usage, PYDANTIC_AI))
    return ""


def read_completion(reply: _Reply, completion: Completion) -> str:
    reply.finish_reason, reply.usage = completion.finish_reason, completion.usage
    reply.calls.update(enumerate(completion.tool_calls))
    return completion.text
