"""The types that checkers have to find in the public surface; tests/slow/test_typed.py runs the checkers."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from typing import Any, Literal, assert_type

from pydantic import BaseModel
from typing_extensions import TypedDict

from structured_response import (
    AskError,
    AskMany,
    AskOptions,
    AskResult,
    AskStream,
    AsyncAskMany,
    Attempt,
    DeserializeError,
    ManyOptions,
    Part,
    ReplyError,
    StructuredResponse,
    Usage,
    aask,
    aask_many,
    ask,
    ask_many,
)
from structured_response.clients import (
    AsyncStreamingComplete,
    AsyncTextStream,
    StreamingComplete,
    TextStream,
    anthropic_text,
    langchain_text,
    litellm_text,
    openai_text,
    pydantic_ai_text,
    record,
)
from structured_response.tools import ActOptions, ActResult, Toolbox, aact, act


class Chart(BaseModel):
    title: str


class Table(BaseModel):
    rows: int


@dataclass
class Point:
    x: int


class Row(TypedDict):
    name: str


def complete(messages: Any) -> str:
    """Answers nothing."""
    return ""


def makers() -> None:
    """Responses know what they ask for."""
    assert_type(StructuredResponse.from_basemodel(Chart), StructuredResponse[Chart])
    assert_type(StructuredResponse.from_basemodel(Chart(title="")), StructuredResponse[Chart])
    assert_type(StructuredResponse.from_type(Chart), StructuredResponse[Chart])
    assert_type(StructuredResponse.from_type(Point), StructuredResponse[Point])
    assert_type(StructuredResponse.from_type(Row), StructuredResponse[Row])
    assert_type(StructuredResponse.from_type(int), StructuredResponse[int])
    assert_type(StructuredResponse.from_type(list[Chart]), StructuredResponse[list[Chart]])
    assert_type(StructuredResponse.from_type(dict[str, Chart | None]), StructuredResponse[dict[str, Chart | None]])
    assert_type(StructuredResponse.from_type(Chart | Table), StructuredResponse[Chart | Table])
    assert_type(StructuredResponse.from_type(Chart | None, "MaybeChart"), StructuredResponse[Chart | None])
    assert_type(StructuredResponse.from_type(Literal["a", "b"]), StructuredResponse[Literal["a", "b"]])


def reading(response: StructuredResponse[Chart | Table], given: Any) -> None:
    """And so does what is read into them."""
    assert_type(response.parse(""), StructuredResponse[Chart | Table])
    assert_type(response.select(include="title").parse_all(""), list[StructuredResponse[Chart | Table]])
    assert_type(response.from_prompt("").to_basemodel(), Chart | Table)
    assert_type(StructuredResponse.from_type(given), StructuredResponse[Any])


def asking(given: Any, asked: StructuredResponse[Chart], options: AskOptions) -> None:
    """Results know what was asked for."""
    assert_type(ask(complete, "?", Chart), AskResult[Chart])
    assert_type(ask(complete, "?", asked, attempts=2, format="json"), AskResult[Chart])
    assert_type(ask(complete, "?", list[Chart]).value, list[Chart])
    assert_type(ask(complete, "?", Chart | Table).value, Chart | Table)
    assert_type(ask(complete, "?", Chart | None, **options).value, Chart | None)
    assert_type(ask(given, "?", Chart).value, Chart)


def asking_many(asked: StructuredResponse[Chart], options: ManyOptions, tasks: Iterator[str]) -> None:
    """Iterators know what was asked for, and that a task may fail."""
    assert_type(ask_many(complete, ["?"], Chart), AskMany[Chart])
    assert_type(ask_many(complete, tasks, asked, concurrency=2, attempts=2), AskMany[Chart])
    assert_type(ask_many(complete, [[{"role": "user", "content": "?"}]], list[Chart]), AskMany[list[Chart]])
    assert_type(ask_many(complete, tasks, Chart | Table, **options), AskMany[Chart | Table])
    for result in ask_many(complete, tasks, Chart):
        assert_type(result, AskResult[Chart] | AskError)
        if not isinstance(result, AskError):
            assert_type(result.value, Chart)
    with ask_many(complete, tasks, Chart) as results:
        assert_type(next(results), AskResult[Chart] | AskError)
        assert_type(results.usage, Usage)


async def acting(asked: StructuredResponse[Chart], toolbox: Toolbox, options: ActOptions) -> None:
    """The answer has the type that is asked for, and is a text without one."""
    assert_type(act(complete, "?", toolbox), ActResult[str])
    assert_type(act(complete, "?", toolbox).value, str)
    assert_type(act(complete, "?", toolbox, Chart, mode="native"), ActResult[Chart])
    assert_type(act(complete, "?", toolbox, asked, **options).value, Chart)
    assert_type(await aact(complete, "?", toolbox, list[Chart]), ActResult[list[Chart]])
    assert_type(await aact(complete, "?", toolbox), ActResult[str])


async def asking_many_awaited(options: ManyOptions, tasks: list[str]) -> None:
    """With `await` too."""
    assert_type(aask_many(complete, tasks, Chart, **options), AsyncAskMany[Chart])
    async for result in aask_many(complete, tasks, Chart | Table):
        assert_type(result, AskResult[Chart | Table] | AskError)
    async with aask_many(complete, tasks, Chart) as results:
        assert_type(await anext(results), AskResult[Chart] | AskError)


def pieces(messages: Any) -> Iterator[str]:
    """Answers nothing, piece by piece."""
    yield ""


async def awaited_pieces(messages: Any) -> AsyncIterator[str]:
    """The same, awaited."""
    yield ""


async def asking_streams(client: StreamingComplete, awaited: AsyncStreamingComplete, options: AskOptions) -> None:
    """Streams know what was asked for, and give parts."""
    assert_type(ask(client, "?", Chart, stream=True, **options), AskStream[Chart])
    assert_type(ask(complete, "?", list[Chart], stream=True).result, AskResult[list[Chart]])
    assert_type(next(ask(pieces, "?", Chart | Table, stream=True, attempts=2)), Part[Chart | Table])
    assert_type(aask(awaited, "?", Chart, stream=True).result, AskResult[Chart])
    assert_type((await aask(awaited_pieces, "?", list[Chart], stream=True)).result, AskResult[list[Chart]])
    async for part in aask(client, "?", Chart, stream=True):
        assert_type(part, Part[Chart])
    with ask(client, "?", Chart, stream=True) as stream:
        assert_type(stream, AskStream[Chart])
    async with aask(client, "?", Chart, stream=True) as awaited_stream:
        assert_type(awaited_stream.result, AskResult[Chart])
        await awaited_stream.aclose()


def streaming(now: Iterator[int], awaited: AsyncIterator[int], client: StreamingComplete) -> None:
    """The text of a stream is awaited if the stream is."""
    assert_type(openai_text(now), TextStream)
    assert_type(anthropic_text(now), TextStream)
    assert_type(litellm_text(now), TextStream)
    assert_type(langchain_text(now), TextStream)
    assert_type(pydantic_ai_text(now), TextStream)
    assert_type(openai_text(awaited), AsyncTextStream)
    assert_type(anthropic_text(awaited), AsyncTextStream)
    assert_type(litellm_text(awaited), AsyncTextStream)
    assert_type(langchain_text(awaited), AsyncTextStream)
    assert_type(pydantic_ai_text(awaited), AsyncTextStream)
    assert_type(record(client, "replies.jsonl").stream([]), TextStream)
    assert_type(ask(client, "?", Chart), AskResult[Chart])


async def awaiting() -> None:
    """With `await` too."""
    assert_type(await aask(complete, "?", Chart | Table), AskResult[Chart | Table])
    assert_type((await aask(complete, "?", list[Chart], strict=False)).value, list[Chart])


def errors(reply: ReplyError, asked: AskError, stored: DeserializeError) -> None:
    """Errors know what they carry."""
    assert_type(reply.response, StructuredResponse[Any] | None)
    assert_type(stored.response, StructuredResponse[Any] | None)
    assert_type(asked.response, StructuredResponse[Any] | None)
    assert_type(asked.attempts, list[Attempt])
    assert_type(asked.usage, Usage)
