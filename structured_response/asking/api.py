"""`ask` and `aask`: asking without `await` and with it."""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterable, Callable, Coroutine, Iterable, Mapping, Sequence
from inspect import Parameter
from typing import TYPE_CHECKING, Any, Literal, Unpack, overload

from ..cache.base import at_once
from ..completion import AsyncComplete, Complete, Message
from ..options import ParseOptions
from ..response import StructuredResponse
from .caching import THREADS, tasks
from .result import DEFAULTS, AskOptions, AskResult
from .session import Asking, response_of
from .setup import Setup
from .streaming import AskStream, AsyncAskStream, StreamRun

if TYPE_CHECKING:
    from typing_extensions import TypeForm

    from ..response import AnyType


@overload
def ask(
    complete: Complete | str,
    prompt: str | Sequence[Message],
    model: type[AnyType] | StructuredResponse[AnyType],
    *,
    stream: Literal[False] = False,
    **options: Unpack[AskOptions],
) -> AskResult[AnyType]: ...
@overload
def ask(
    complete: Complete | str,
    prompt: str | Sequence[Message],
    model: TypeForm[AnyType],
    *,
    stream: Literal[False] = False,
    **options: Unpack[AskOptions],
) -> AskResult[AnyType]: ...
@overload
def ask(
    complete: Complete | str | Callable[[Any], Iterable[str]],
    prompt: str | Sequence[Message],
    model: type[AnyType] | StructuredResponse[AnyType],
    *,
    stream: Literal[True],
    **options: Unpack[AskOptions],
) -> AskStream[AnyType]: ...
@overload
def ask(
    complete: Complete | str | Callable[[Any], Iterable[str]],
    prompt: str | Sequence[Message],
    model: TypeForm[AnyType],
    *,
    stream: Literal[True],
    **options: Unpack[AskOptions],
) -> AskStream[AnyType]: ...
def ask(
    complete: Any, prompt: str | Sequence[Message], model: Any, *, stream: bool = False, **options: Unpack[AskOptions]
) -> Any:
    """Asks a language model until its reply is valid.

    If a reply falls short, only what is wrong with it is asked for again.

    Args:
        complete: Called with messages, a list of `{"role", "content"}` dicts. Returns the text of the reply, or a
            `Completion`. Or the name of a language model: "openai:gpt-5", "openai-responses:...", "anthropic:...",
            "litellm:gemini/...", or the URL of a server that speaks OpenAI's chat protocol, with the name behind it:
            "http://localhost:8000/v1:qwen3:8b".
        prompt: A question, or messages. The form of the answer is added, unless they contain it.
        model: A Pydantic model, any other type, or a response that asks for something.
        stream: True to get the answer while it is being written, from a `complete` with a method `stream`, or one that
            returns the pieces of the reply.
        attempts: The maximum number of attempts.
        retries: The maximum number of retries of a call after an outage, with tenacity (extra `retry`).
        max_wait: The longest wait before a retry, in seconds.
        fallbacks: Further functions or names like `complete`. The next one is called when one is down.
        cache: An object with `get` and `set`, such as a `SqliteCache`, that keeps replies. Identical calls that run
            at the same time run once.
        key: The name of the language model and its parameters, for the keys of the cache. Not needed if `complete`
            has a `cache_key`.
        api_key: The key for a `complete` that is a name. Without it the provider's usual variable of the environment
            has the key, and a URL gets none. Fallbacks never get it.
        key_env: The variable of the environment that has that key.
        examples: Instances that the prompt shows.
        strict: False to take an answer with problems after the last attempt.
        on_truncated: "continue" to let a reply that was cut off go on, "refuse" to stop asking.
        on_refusal: "raise" to stop asking after a refusal, a content filter or a tool call, "retry" to ask again.
        on_attempt: Called with each `Attempt` as it ends.
        on_request: Called with a `Request` before each call, retries included. What it raises ends the question.
        on_response: Called with the `Request` and the `Completion` after a call.
        on_error: Called with the `Request` and the exception of a call that failed.
        budget: A `Budget`. Once it is spent, no further call is made.
        price: The `Price` of `complete`, or a mapping from names of language models to prices, in place of those of
            genai-prices (extra `cost`).
        order: "ask" to put the form of the answer at the end of the prompt, "cache" to put it into the system message,
            so that many prompts begin alike, which caches of providers need; for Anthropic's cache it is marked.
        mode: "json_schema" to have the provider force the form of the answer too, which a client needs to support.
        templates: Texts in place of those that the library writes around the prompt, see `Templates`.
        trace_content: True to put prompts and replies into OpenTelemetry's spans.
        format: The format of the answer, in the prompt and in the reply: "xml", "json" or "yaml".
        on_bad_item, repair, day_first, context: See `StructuredResponse.parse`.

    Returns:
        The answer, with each attempt at it. With `stream=True` an `AskStream`, an iterator of parts that raises the
        exceptions below and has that answer as its `result`.

    Raises:
        BudgetError: The budget is spent.
        AskError: No reply was valid; with `strict=False`, no reply had any data.
        CacheError: `cache` cannot be a cache.
        MissingExtraError: `retries` or `max_wait` is given, and tenacity is not installed.
        TypeError, ValueError: An argument is wrong.
        Exception: Whatever `complete` raises, with the attempts so far in its `attempts` and in its notes.
    """
    asking = Asking(Setup(complete, response_of(model), options, THREADS), prompt, stream)
    if not stream:
        return at_once(asking.answer())
    return AskStream(StreamRun(asking))


@overload
def aask(
    complete: AsyncComplete | Complete | str,
    prompt: str | Sequence[Message],
    model: type[AnyType] | StructuredResponse[AnyType],
    *,
    stream: Literal[False] = False,
    **options: Unpack[AskOptions],
) -> Coroutine[Any, Any, AskResult[AnyType]]: ...
@overload
def aask(
    complete: AsyncComplete | Complete | str,
    prompt: str | Sequence[Message],
    model: TypeForm[AnyType],
    *,
    stream: Literal[False] = False,
    **options: Unpack[AskOptions],
) -> Coroutine[Any, Any, AskResult[AnyType]]: ...
@overload
def aask(
    complete: AsyncComplete | Complete | str | Callable[[Any], AsyncIterable[str] | Iterable[str]],
    prompt: str | Sequence[Message],
    model: type[AnyType] | StructuredResponse[AnyType],
    *,
    stream: Literal[True],
    **options: Unpack[AskOptions],
) -> AsyncAskStream[AnyType]: ...
@overload
def aask(
    complete: AsyncComplete | Complete | str | Callable[[Any], AsyncIterable[str] | Iterable[str]],
    prompt: str | Sequence[Message],
    model: TypeForm[AnyType],
    *,
    stream: Literal[True],
    **options: Unpack[AskOptions],
) -> AsyncAskStream[AnyType]: ...
def aask(
    complete: Any, prompt: str | Sequence[Message], model: Any, *, stream: bool = False, **options: Unpack[AskOptions]
) -> Any:
    """Asks a language model until its reply is valid, with `await`.

    Args:
        complete: Like that of `ask`, or a coroutine function. A plain function blocks the event loop while it runs.
        prompt, model, stream: See `ask`.
        options: Those of `ask`. `on_attempt` may be a coroutine function, and so may the methods of `cache`, of which
            `aget` and `aset` are preferred.

    Returns:
        The answer, with each attempt at it, once it is awaited. With `stream=True` an `AsyncAskStream` for `async for`.

    Raises:
        Exception: See `ask`.
    """

    def asking() -> Asking:
        return Asking(Setup(complete, response_of(model), options, tasks()), prompt, stream)

    async def answer() -> AskResult[Any]:
        return await asking().answer()

    return AsyncAskStream(StreamRun(asking())) if stream else answer()


def show_options(function: Any, known: type, own: Mapping[str, Any]) -> None:
    """Lists the options with their defaults in the signature, which notebooks show."""
    signature = inspect.signature(function)
    defaults: dict[str, Any] = {**ParseOptions._field_defaults, **DEFAULTS, **own}
    options = [
        Parameter(name, Parameter.KEYWORD_ONLY, default=defaults[name], annotation=annotation.__forward_arg__)
        for name, annotation in known.__annotations__.items()
    ]
    function.__signature__ = signature.replace(parameters=[*list(signature.parameters.values())[:-1], *options])


show_options(ask, AskOptions, {})
show_options(aask, AskOptions, {})
