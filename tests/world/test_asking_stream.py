"""Answers while they are being written: the real SDKs against a server that sends its events in small pieces."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import pytest
from pydantic import BaseModel, Field

from structured_response import AskResult, Part, aask, ask
from structured_response.asking.conversation import to_continue
from structured_response.cache import MemoryCache
from structured_response.clients import (
    anthropic_messages,
    litellm_acompletion,
    litellm_completion,
    openai_chat,
    record,
    replay,
)
from tests.chat_server import USAGE, ChatServer, Cut, Endless, Failed, Refused, Text, chat_server
from tests.world.test_clients import PEERS, litellm_params


class Review(BaseModel):
    headline: str
    score: int = Field(ge=1, le=5)


HEADLINE = "A lamp that shines as bright as the sun, & costs less than ten candles"
GOOD = f"<review><headline>{HEADLINE}</headline><score>4</score></review>"
BAD = GOOD.replace("4", "many")
MENDED = "<review><score>4</score></review>"
NICE = Review(headline=HEADLINE, score=4)
QUESTION = "Review a lamp."


@dataclass
class Seen:
    """What came of a stream."""

    parts: list[Part[Review]]
    result: AskResult[Review] | None

    @property
    def value(self) -> Review:
        assert self.result is not None
        return self.result.value


Run = Callable[..., Seen]


def seen_now(complete: Any, stop: int | None, options: Any) -> Seen:
    """By `ask`. The stream is closed after some parts."""
    parts: list[Part[Review]] = []
    with ask(complete, QUESTION, Review, stream=True, **options) as stream:
        for part in stream:
            parts.append(part)
            if len(parts) == stop:
                return Seen(parts, None)
    return Seen(parts, stream.result)


async def seen_awaited(complete: Any, stop: int | None, options: Any) -> Seen:
    """By `aask`."""
    parts: list[Part[Review]] = []
    async with aask(complete, QUESTION, Review, stream=True, **options) as stream:
        async for part in stream:
            parts.append(part)
            if len(parts) == stop:
                return Seen(parts, None)
    return Seen(parts, stream.result)


def openai_now(server: ChatServer, stop: int | None = None, **options: Any) -> Seen:
    """By OpenAI's SDK."""
    openai = pytest.importorskip("openai")
    with openai.OpenAI(api_key="none", base_url=server.url, max_retries=0) as client:
        return seen_now(openai_chat(client, model="m"), stop, options)


def openai_awaited(server: ChatServer, stop: int | None = None, **options: Any) -> Seen:
    """By OpenAI's SDK, awaited."""
    openai = pytest.importorskip("openai")

    async def run() -> Seen:
        async with openai.AsyncOpenAI(api_key="none", base_url=server.url, max_retries=0) as client:
            return await seen_awaited(openai_chat(client, model="m"), stop, options)

    return asyncio.run(run())


def anthropic_now(server: ChatServer, stop: int | None = None, **options: Any) -> Seen:
    """By Anthropic's SDK."""
    anthropic = pytest.importorskip("anthropic")
    with anthropic.Anthropic(api_key="none", base_url=server.url, max_retries=0) as client:
        return seen_now(anthropic_messages(client, model="m"), stop, options)


def anthropic_awaited(server: ChatServer, stop: int | None = None, **options: Any) -> Seen:
    """By Anthropic's SDK, awaited."""
    anthropic = pytest.importorskip("anthropic")

    async def run() -> Seen:
        async with anthropic.AsyncAnthropic(api_key="none", base_url=server.url, max_retries=0) as client:
            return await seen_awaited(anthropic_messages(client, model="m"), stop, options)

    return asyncio.run(run())


def litellm_now(server: ChatServer, stop: int | None = None, **options: Any) -> Seen:
    """By LiteLLM."""
    return seen_now(litellm_completion(**litellm_params(server, {"api_key": "none"})), stop, options)


def litellm_awaited(server: ChatServer, stop: int | None = None, **options: Any) -> Seen:
    """By LiteLLM, awaited."""
    return asyncio.run(seen_awaited(litellm_acompletion(**litellm_params(server, {"api_key": "none"})), stop, options))


OWN = [openai_now, openai_awaited, anthropic_now, anthropic_awaited]
every_sdk = pytest.mark.parametrize(
    "run", [*OWN, pytest.param(litellm_now, marks=PEERS), pytest.param(litellm_awaited, marks=PEERS)]
)


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is between the SDKs and loopback."""
    monkeypatch.setenv("NO_PROXY", "*")


def headlines(parts: Sequence[Part[Review]]) -> list[str]:
    """What parts show of the first field."""
    return [part.instance.headline or "" for part in parts]


@every_sdk
def test_the_answer_grows(run: Run) -> None:
    """Each part has the beginning of the headline; at the end there are tokens and a finish reason."""
    with chat_server([Text(GOOD)]) as server:
        seen = run(server)
        assert server.requests[0][1]["stream"] is True
    assert seen.value == NICE
    shown = headlines(seen.parts)
    assert len(set(shown)) > 10
    assert all(later.startswith(earlier) for earlier, later in pairwise(shown))
    assert [part.done for part in seen.parts].index(True) == len(seen.parts) - 1
    assert seen.result is not None and seen.result.usage == USAGE
    assert seen.result.attempts[0].finish_reason in ("stop", "end_turn")


@every_sdk
def test_a_field_is_asked_for_again(run: Run) -> None:
    """The headline stays while the score is asked for."""
    with chat_server([Text(BAD), Text(MENDED)]) as server:
        seen = run(server)
    assert seen.value == NICE
    assert {part.attempt for part in seen.parts} == {1, 2}
    assert {*headlines([part for part in seen.parts if part.attempt == 2])} == {HEADLINE}
    assert not any(part.restarted for part in seen.parts)


@every_sdk
def test_closing_closes_the_connection(run: Run) -> None:
    """The server sees that the client has left."""
    with chat_server([Endless(GOOD[:40])]) as server:
        seen = run(server, stop=5)
        assert server.left.wait(10)
    assert len(seen.parts) == 5


@every_sdk
@pytest.mark.parametrize("move", [Cut(), Failed(GOOD[:60]), Refused(503)], ids=repr)
def test_an_outage_is_retried(run: Run, move: Any, naps: list[float]) -> None:
    """A connection that breaks off, an error in mid-stream, and one before it are the same attempt."""
    with chat_server([move, Text(GOOD)]) as server:
        seen = run(server)
        assert len(server.requests) == 2
    assert seen.value == NICE
    assert seen.result is not None and len(seen.result.attempts) == 1
    assert len(naps) == 1
    assert [part.restarted for part in seen.parts].count(True) == isinstance(move, Failed)


@every_sdk
def test_a_stop_by_length_is_continued(run: Run) -> None:
    """The parts of the second attempt go on with what the first had."""
    end = GOOD.index(" costs")
    anchor = to_continue(GOOD[:end]).rpartition("\n")[2]
    with chat_server([Text(GOOD[:end], "length"), Text(GOOD[GOOD.index(anchor) :])]) as server:
        seen = run(server)
        assert "cut off" in server.messages()[-1]["content"]
    assert seen.value == NICE
    assert not any(part.restarted for part in seen.parts)
    shown = headlines(seen.parts)
    assert all(later.startswith(earlier) for earlier, later in pairwise(shown))
    second = headlines([part for part in seen.parts if part.attempt == 2 and not part.done])
    assert (second[0], second[-1]) == (HEADLINE[: HEADLINE.index(" &")], HEADLINE)


@every_sdk
def test_a_cache_hit_is_one_part(run: Run) -> None:
    """And no request."""
    cache = MemoryCache()
    with chat_server([Text(GOOD)]) as server:
        assert run(server, cache=cache, key="m").value == NICE
        seen = run(server, cache=cache, key="m")
        assert len(server.requests) == 1
    assert [part.done for part in seen.parts] == [True]
    assert seen.value == NICE


@pytest.mark.parametrize("run", [openai_now, anthropic_now])
def test_threads_share_a_stream(run: Run) -> None:
    """One request, whoever comes first."""
    cache, found = MemoryCache(), list[Seen]()
    with chat_server([Text(GOOD)]) as server:
        server.gate.clear()

        def one() -> None:
            found.append(run(server, cache=cache, key="m"))

        threads = [threading.Thread(target=one) for _ in range(2)]
        for thread in threads:
            thread.start()
        threads[0].join(0.5)
        server.gate.set()
        for thread in threads:
            thread.join(10)
        assert len(server.requests) == 1
    assert [seen.value for seen in found] == [NICE, NICE]
    assert all(len(seen.parts) > 2 for seen in found)


def test_tasks_share_a_stream() -> None:
    """One request for all of them; who leads may leave, and another one asks."""
    openai = pytest.importorskip("openai")
    cache = MemoryCache()

    async def run(server: ChatServer) -> None:
        async with openai.AsyncOpenAI(api_key="none", base_url=server.url, max_retries=0) as client:
            complete = openai_chat(client, model="m")
            one, *others = [
                asyncio.create_task(seen_awaited(complete, 5 if number == 0 else None, {"cache": cache}))
                for number in range(4)
            ]
            assert len((await one).parts) == 5
            found = await asyncio.gather(*others)
            assert [seen.value for seen in found] == [NICE] * 3
            assert all(len(seen.parts) > 2 for seen in found)

    with chat_server([Endless(GOOD[:40]), Text(GOOD)]) as server:
        asyncio.run(run(server))
        assert server.left.wait(10)
        assert len(server.requests) == 2


def test_a_cancelled_task_closes_its_connection() -> None:
    """And leaves no task."""
    openai = pytest.importorskip("openai")

    async def run(server: ChatServer) -> None:
        async with openai.AsyncOpenAI(api_key="none", base_url=server.url, max_retries=0) as client:
            task = asyncio.create_task(seen_awaited(openai_chat(client, model="m"), None, {}))
            while not server.requests:
                await asyncio.sleep(0.01)
            await asyncio.sleep(0.2)
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
            assert task.cancelled()
            assert asyncio.all_tasks() == {asyncio.current_task()}
            assert await asyncio.to_thread(server.left.wait, 10)

    with chat_server([Endless(GOOD[:40])]) as server:
        asyncio.run(run(server))


def test_a_stream_is_recorded(tmp_path: Any) -> None:
    """And played in one piece."""
    openai = pytest.importorskip("openai")
    path = tmp_path / "replies.jsonl"
    with (
        chat_server([Text(GOOD)]) as server,
        openai.OpenAI(api_key="none", base_url=server.url, max_retries=0) as client,
    ):
        first = seen_now(record(openai_chat(client, model="m"), path), None, {})
    second = seen_now(replay(path), None, {})
    assert first.value == second.value == NICE
    assert len(second.parts) == 2
