"""`ask` and `aask`: the steps of asking, carried out with and without `await`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from inspect import isawaitable, iscoroutine
from typing import TYPE_CHECKING, Any, TypeVar, Unpack, overload

from pydantic import BaseModel

from ..cache.base import checked_cache
from ..completion import AsyncComplete, Complete, Message, checked_complete
from ..options import ReadingOptions, parse_options
from ..response import StructuredResponse
from .conversation import Conversation, Refusal, Truncated
from .result import AskResult, Attempt
from .session import Asking, Steps
from .singleflight import join, join_async

if TYPE_CHECKING:
    from typing_extensions import TypeForm

    from ..response import AnyType

__all__ = ["AskOptions", "aask", "ask"]

T = TypeVar("T")


class AskOptions(ReadingOptions, total=False):
    """The options of `ask` and `aask`, for functions of your own that pass them on."""

    attempts: int
    cache: Any
    key: str | None
    examples: Sequence[Any]
    strict: bool
    on_truncated: Truncated
    on_refusal: Refusal
    on_attempt: Callable[[Attempt], Any] | None
    trace_content: bool


@overload
def ask(
    complete: Complete,
    prompt: str | Sequence[Message],
    model: type[AnyType] | StructuredResponse[AnyType],
    **options: Unpack[AskOptions],
) -> AskResult[AnyType]: ...


@overload
def ask(
    complete: Complete,
    prompt: str | Sequence[Message],
    model: TypeForm[AnyType],
    **options: Unpack[AskOptions],
) -> AskResult[AnyType]: ...


def ask(  # noqa: PLR0913 - what may be chosen of one question
    complete: Complete,
    prompt: str | Sequence[Message],
    model: Any,
    *,
    attempts: int = 3,
    cache: Any = None,
    key: str | None = None,
    examples: Sequence[Any] = (),
    strict: bool = True,
    on_truncated: Truncated = "continue",
    on_refusal: Refusal = "raise",
    on_attempt: Callable[[Attempt], Any] | None = None,
    trace_content: bool = False,
    **options: Unpack[ReadingOptions],
) -> AskResult[Any]:
    """Asks a language model until its reply is the data, at most `attempts` times.

    `complete` is called with messages, a list of `{"role", "content"}` dicts, and gives the reply's text, or a
    `Completion`. `prompt` is a question, or messages; the form of the answer is put behind it, unless it is in there.
    `model` is a Pydantic model or any type, or a response that asks for something. After a reply that falls short,
    what is wrong with it is asked for again, and that alone.

    A `cache` has an answer without a call where it was asked for before. Its keys need the language model's name and
    parameters: `complete.cache_key`, or `key`. Identical calls that run at the same time run once.

    `examples` are instances that the prompt shows. A reply that was cut off goes on (`on_truncated="continue"`), or
    ends the asking ("refuse"). A refusal, a content filter or a tool call in place of an answer ends it too, unless
    `on_refusal="retry"`. `on_attempt` is given each `Attempt` as it ends. With `trace_content` OpenTelemetry's spans
    hold prompts and replies. `options` are those of `parse`; `format`, "xml" unless given, is the prompt's as well.

    Raises `AskError`, a `ReplyError` with all attempts on it; with `strict=False` only if no reply had any data. What
    `complete` raises passes through, with the attempts so far as its `attempts` and in its notes.
    """
    parse_options(options, ask.__kwdefaults__ or ())
    talk = Conversation(_response(model), prompt, options, examples, on_truncated, on_refusal)
    asking = Asking(talk, attempts, strict, cache, _caller(complete, cache, key), on_attempt, trace_content)
    return _run(asking.steps(), _Doer(complete, cache))


@overload
async def aask(
    complete: AsyncComplete | Complete,
    prompt: str | Sequence[Message],
    model: type[AnyType] | StructuredResponse[AnyType],
    **options: Unpack[AskOptions],
) -> AskResult[AnyType]: ...


@overload
async def aask(
    complete: AsyncComplete | Complete,
    prompt: str | Sequence[Message],
    model: TypeForm[AnyType],
    **options: Unpack[AskOptions],
) -> AskResult[AnyType]: ...


async def aask(  # noqa: PLR0913 - what may be chosen of one question
    complete: AsyncComplete | Complete,
    prompt: str | Sequence[Message],
    model: Any,
    *,
    attempts: int = 3,
    cache: Any = None,
    key: str | None = None,
    examples: Sequence[Any] = (),
    strict: bool = True,
    on_truncated: Truncated = "continue",
    on_refusal: Refusal = "raise",
    on_attempt: Callable[[Attempt], Any] | None = None,
    trace_content: bool = False,
    **options: Unpack[ReadingOptions],
) -> AskResult[Any]:
    """`ask` with a `complete` that is awaited. One that gives its reply at once will do too, but blocks the event loop
    for as long as it takes. `on_attempt` may be awaited as well, and of a cache the async twins are used if it has any.
    """
    parse_options(options, ask.__kwdefaults__ or ())
    talk = Conversation(_response(model), prompt, options, examples, on_truncated, on_refusal)
    asking = Asking(talk, attempts, strict, cache, _caller(complete, cache, key), on_attempt, trace_content)
    return await _arun(asking.steps(), _AsyncDoer(complete, cache))


def _response(model: Any) -> StructuredResponse[Any]:
    if isinstance(model, StructuredResponse):
        return model.select()  # one of our own, since a prompt with examples leaves a trace on a response
    if isinstance(model, type) and issubclass(model, BaseModel):
        return StructuredResponse.from_basemodel(model)
    return StructuredResponse.from_type(model)


def _caller(complete: Any, cache: Any, key: str | None) -> str:
    """Who is called, for the keys of a cache."""
    checked_complete(complete)
    caller = key if key is not None else getattr(complete, "cache_key", None)
    if checked_cache(cache) is not None and not (isinstance(caller, str) and caller):
        raise TypeError(
            "a cache has to know who answers: give key=, a text that names the language model and its parameters, "
            "or a `complete` with a `cache_key`"
        )
    return caller if cache is not None and caller else ""


class _Doer:
    """Does what a step says."""

    def __init__(self, complete: Complete, cache: Any) -> None:
        self.complete = complete
        self.cache = cache

    def call(self, messages: list[Message]) -> Any:
        given: Any = self.complete(messages)
        if isawaitable(given):
            if iscoroutine(given):
                given.close()
            raise TypeError("what is asked gives an awaitable: use `await aask(...)`")
        return given

    def get(self, key: str) -> Any:
        return self.cache.get(key)

    def set(self, key: str, entry: bytes) -> Any:
        return self.cache.set(key, entry)

    def join(self, key: tuple[int, str]) -> Any:
        return join(key)

    def notify(self, on_attempt: Callable[[Attempt], Any], attempt: Attempt) -> None:
        on_attempt(attempt)


def _run(steps: Steps[T], doer: _Doer) -> T:
    try:
        name, given = next(steps)
        while True:
            try:
                got = getattr(doer, name)(*given)
            except BaseException as error:  # noqa: BLE001 - the steps decide what becomes of it
                name, given = steps.throw(error)
            else:
                name, given = steps.send(got)
    except StopIteration as end:
        done: T = end.value
        return done
    finally:
        steps.close()


class _AsyncDoer:
    """Does what a step says, and waits for it."""

    def __init__(self, complete: AsyncComplete | Complete, cache: Any) -> None:
        self.complete = complete
        self.cache = cache

    async def call(self, messages: list[Message]) -> Any:
        return await _awaited(self.complete(messages))

    async def get(self, key: str) -> Any:
        return await _awaited(getattr(self.cache, "aget", self.cache.get)(key))

    async def set(self, key: str, entry: bytes) -> Any:
        return await _awaited(getattr(self.cache, "aset", self.cache.set)(key, entry))

    async def join(self, key: tuple[int, str]) -> Any:
        return await join_async(key)

    async def notify(self, on_attempt: Callable[[Attempt], Any], attempt: Attempt) -> None:
        await _awaited(on_attempt(attempt))


async def _awaited(given: Any) -> Any:
    return await given if isawaitable(given) else given


async def _arun(steps: Steps[T], doer: _AsyncDoer) -> T:
    try:
        name, given = next(steps)
        while True:
            try:
                got = await getattr(doer, name)(*given)
            except BaseException as error:  # noqa: BLE001 - the steps decide what becomes of it
                name, given = steps.throw(error)
            else:
                name, given = steps.send(got)
    except StopIteration as end:
        done: T = end.value
        return done
    finally:
        steps.close()
