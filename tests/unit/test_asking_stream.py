"""`ask` and `aask` with `stream=True`: the parts that come, and what they end with, with and without `await`."""

from __future__ import annotations

import asyncio
import gc
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from pydantic import BaseModel, Field

from structured_response import (
    AskError,
    AskResult,
    AskStream,
    AsyncAskStream,
    Completion,
    Part,
    StructuredResponse,
    Usage,
    aask,
    ask,
)
from structured_response.asking.conversation import to_continue
from structured_response.cache import MemoryCache


class Review(BaseModel):
    headline: str
    score: int = Field(ge=1, le=5)


class Cart(BaseModel):
    name: str
    items: list[Review]


GOOD = "<review><headline>Nice lamp</headline><score>4</score></review>"
BAD = "<review><headline>Nice lamp</headline><score>many</score></review>"
MENDED = "<review><score>4</score></review>"
NICE = Review(headline="Nice lamp", score=4)
QUESTION = "Review a lamp."


def cut(text: str, size: int = 7) -> list[str]:
    """The pieces of a text."""
    return [text[start : start + size] for start in range(0, len(text), size)]


@dataclass
class Model:
    """A language model that writes one reply after the other, piece by piece. An exception ends a stream."""

    replies: list[Any]
    sent: list[list[Any]] = field(default_factory=list)
    closed: int = 0
    """How many streams were closed, or came to their end."""
    cache_key: str = "m"

    def pieces(self, messages: Sequence[Any]) -> Iterator[Any]:
        self.sent.append(list(messages))
        reply = self.replies.pop(0)
        return iter(cut(reply) if isinstance(reply, str) else reply)

    def __call__(self, messages: Sequence[Any]) -> Iterator[str]:
        try:
            for piece in self.pieces(messages):
                if isinstance(piece, BaseException):
                    raise piece
                yield piece
        finally:
            self.closed += 1


class Awaited(Model):
    """The same, awaited."""

    async def __call__(self, messages: Sequence[Any]) -> AsyncIterator[str]:  # type: ignore[override]
        try:
            for piece in self.pieces(messages):
                await asyncio.sleep(0)
                if isinstance(piece, BaseException):
                    raise piece
                yield piece
        finally:
            await asyncio.sleep(0)
            self.closed += 1


@dataclass
class Seen:
    """What came of a stream."""

    parts: list[Part[Any]]
    result: AskResult[Any]
    model: Model


def now(*replies: Any, model: Any = Review, **options: Any) -> Seen:
    """By `ask`."""
    asked = Model(list(replies))
    with ask(asked, QUESTION, model, stream=True, **options) as stream:
        return Seen(list(stream), stream.result, asked)


def awaited(*replies: Any, model: Any = Review, **options: Any) -> Seen:
    """By `aask`."""

    async def run() -> Seen:
        asked = Awaited(list(replies))
        async with aask(asked, QUESTION, model, stream=True, **options) as stream:
            return Seen([part async for part in stream], stream.result, asked)

    return asyncio.run(run())


Run = Callable[..., Seen]
both = pytest.mark.parametrize("run", [now, awaited])


@both
def test_parts_show_the_answer_as_it_comes(run: Run) -> None:
    """A part for each piece, and a last one with the response of the result."""
    seen = run(GOOD)
    assert seen.result.value == NICE
    *growing, last = seen.parts
    assert len(growing) == len(cut(GOOD))
    headlines = [part.instance.headline for part in growing]
    assert headlines[2:6] == ["Nic", "Nice lamp", "Nice lamp", "Nice lamp"]
    assert [part.done for part in seen.parts] == [False] * len(growing) + [True]
    assert last.response is seen.result.response
    assert not any(part.restarted for part in seen.parts)
    assert {part.attempt for part in seen.parts} == {1}
    assert seen.model.closed == 1


@both
def test_a_function_without_a_stream_gives_one_piece(run: Run) -> None:
    """Whatever `ask` takes works, and a completion keeps its finish reason and its tokens."""
    completion = Completion(GOOD, "stop", Usage(10, 5))
    with ask(lambda messages: completion, QUESTION, Review, stream=True) as stream:
        first, last = stream
    assert (first.instance.headline, first.done, last.done) == ("Nice lamp", False, True)
    assert stream.result.attempts[0].finish_reason == "stop"
    assert stream.result.usage == Usage(10, 5)


def test_awaitables_of_a_text() -> None:
    """A coroutine function without a stream."""

    async def complete(messages: Any) -> str:
        return GOOD

    async def run() -> AskResult[Review]:
        stream = await aask(complete, QUESTION, Review, stream=True)
        assert [part.done async for part in stream] == [False, True]
        return stream.result

    assert asyncio.run(run()).value == NICE


@both
def test_a_field_is_asked_for_again(run: Run) -> None:
    """What was complete stays, and parts of the second attempt have its values as they come."""
    seen = run(BAD, cut(MENDED, 4))
    assert seen.result.value == NICE
    second = [part for part in seen.parts if part.attempt == 2]
    assert all(part.instance.headline == "Nice lamp" for part in second)
    assert all("$.headline" in part.complete for part in second)
    assert not any(part.restarted for part in seen.parts)
    assert second[0].instance.score is None
    assert second[-2].instance.score == 4
    assert "$.score" not in second[0].complete
    assert [part.done for part in seen.parts].count(True) == 1


@both
def test_an_item_is_asked_for_again(run: Run) -> None:
    """Its place is that in the whole answer."""
    items = "".join(f"<li><headline>{name}</headline><score>{score}</score></li>" for name, score in ("a1", "b9", "c3"))
    again = "<cart><items><item_1><score>2</score></item_1></items></cart>"
    seen = run(f"<cart><name>Ann</name><items>{items}</items></cart>", cut(again, 3), model=Cart)
    assert [item.score for item in seen.result.value.items] == [1, 2, 3]
    second = [part for part in seen.parts if part.attempt == 2 and not part.done]
    assert "$.items[1].score" in {part.path for part in second}
    assert [item.score for item in second[-1].instance["items"]] == [1, 2, 3]
    assert {"$.name", "$.items[0]", "$.items[2].score", "$.items[1].headline"} <= second[0].complete
    assert not {"$", "$.items", "$.items[1]", "$.items[1].score"} & second[0].complete


@both
def test_a_value_that_is_replaced_is_on_record(run: Run) -> None:
    """A score of 9 was shown, and is asked for again."""
    seen = run(BAD.replace("many", "9"), MENDED)
    assert 9 in [part.instance.score for part in seen.parts]
    (restart,) = (part for part in seen.parts if part.restarted)
    assert restart.attempt == 2
    assert restart.instance.to_dict() == {"headline": "Nice lamp", "score": None}


@both
def test_what_was_complete_stays(run: Run) -> None:
    """From the first attempt to the last part, while one of many items is asked for again."""
    items = [f"<li><headline>Lamp {number}</headline><score>{number % 5 + 1}</score></li>" for number in range(60)]
    items[1] = items[1].replace("<score>2<", "<score>two or so<")
    again = "<cart><items><item_1><score>2</score></item_1></items></cart>"
    seen = run(f"<cart><name>Ann</name><items>{''.join(items)}</items></cart>", again, model=Cart)
    complete: frozenset[str] = frozenset()
    for part in seen.parts:
        asked_again = {"$.items[1]", "$.items[1].score"} if part.attempt == 2 and not part.done else set()
        assert complete - part.complete <= asked_again
        complete = part.complete
    assert {"$.items[0].score", "$.items[4]"} <= next(part.complete for part in seen.parts if part.complete)


LONG = (
    "<review><headline>A lamp that shines as bright as the sun, and costs less than ten</headline>"
    "<score>4</score></review>"
)


@both
@pytest.mark.parametrize("way", ["anchor", "words", "whole", "seamless"])
def test_a_reply_that_was_cut_off_goes_on(run: Run, way: str) -> None:
    """Parts of the second attempt show both pieces as one text."""
    end = LONG.index(" less")
    anchor = to_continue(LONG[:end]).rpartition("\n")[2]
    more = {"anchor": LONG[LONG.index(anchor) :], "words": LONG[end - 60 :], "whole": LONG, "seamless": LONG[end:]}[way]
    seen = run(LONG[:end], more)
    assert seen.result.value.score == 4
    assert len(seen.result.attempts) == 2
    second = [part for part in seen.parts if part.attempt == 2]
    known = LONG[len("<review><headline>") : end]
    assert all(part.instance.headline.startswith(known) for part in second if way != "whole")
    assert not any(part.restarted for part in seen.parts if way != "whole")
    if way != "seamless":
        assert second[-2].instance.to_dict() == seen.result.response.to_dict()


@both
def test_without_an_answer_the_error_ends_the_stream(run: Run) -> None:
    """It is raised behind the last part that could be shown."""
    with pytest.raises(AskError) as caught:
        run(BAD, BAD, attempts=2)
    assert len(caught.value.attempts) == 2
    with ask(Model([BAD]), QUESTION, Review, stream=True, attempts=1) as stream:
        with pytest.raises(AskError):
            list(stream)
        with pytest.raises(AskError):
            _ = stream.result
        assert list(stream) == []


@both
def test_the_best_without_strict(run: Run) -> None:
    """The last part has the data that could be read."""
    seen = run(BAD, attempts=1, strict=False)
    assert seen.parts[-1].response is seen.result.response
    assert [problem.path for problem in seen.parts[-1].problems] == ["$.score"]


@both
def test_a_cache_hit_is_one_part(run: Run) -> None:
    """The last one; also if it took two attempts."""
    cache = MemoryCache()
    run(BAD, MENDED, cache=cache)
    seen = run(cache=cache)
    (part,) = seen.parts
    assert (part.done, part.restarted, part.attempt) == (True, False, 2)
    assert seen.result.value == NICE
    assert seen.model.sent == []


@both
@pytest.mark.parametrize("error", [ConnectionResetError(), TimeoutError()], ids=repr)
def test_a_stream_that_breaks_off_is_an_outage(run: Run, error: Exception, naps: list[float]) -> None:
    """The call is made again within the attempt; its parts begin anew."""
    seen = run([*cut(GOOD)[:4], error], GOOD)
    assert seen.result.value == NICE
    assert len(seen.result.attempts) == 1
    assert len(naps) == 1
    (restart,) = (part for part in seen.parts if part.restarted)
    assert restart is seen.parts[4]
    assert restart.instance.headline is None
    assert seen.model.closed == 2


@both
def test_a_fallback_takes_over(run: Run) -> None:
    """Its parts replace those of the first."""
    other: Any = (Model if run is now else Awaited)([GOOD])
    seen = run([*cut(GOOD)[:4], ConnectionError()], retries=0, fallbacks=[other])
    assert seen.result.value == NICE
    assert [part.restarted for part in seen.parts].count(True) == 1


@both
def test_what_complete_raises_ends_the_stream(run: Run) -> None:
    """With the attempts so far."""
    with pytest.raises(ValueError, match="broken") as caught:
        run(BAD, [*cut(MENDED)[:1], ValueError("broken")])
    assert len(vars(caught.value)["attempts"]) == 1


def test_closing_ends_the_request() -> None:
    """By `close`, by leaving the block, and by dropping the stream."""
    model = Model([GOOD] * 4)
    stream = ask(model, QUESTION, Review, stream=True)
    next(stream)
    stream.close()
    assert model.closed == 1
    with pytest.raises(RuntimeError, match="no result"):
        _ = stream.result
    assert list(stream) == []
    with ask(model, QUESTION, Review, stream=True) as stream:
        next(stream)
    assert model.closed == 2
    for _part in ask(model, QUESTION, Review, stream=True):
        break
    assert model.closed == 3
    ask(model, QUESTION, Review, stream=True).close()  # nothing was asked
    assert len(model.sent) == 3


def test_closing_ends_the_request_with_await() -> None:
    """By `aclose`, by leaving the block, by dropping the stream, and by cancelling; no task is left."""
    model = Awaited([GOOD] * 5)

    async def run() -> None:
        stream = aask(model, QUESTION, Review, stream=True)
        await anext(stream)
        await stream.aclose()
        assert model.closed == 1
        async with aask(model, QUESTION, Review, stream=True) as stream:
            await anext(stream)
        assert model.closed == 2
        async for _part in aask(model, QUESTION, Review, stream=True):
            break
        for _ in range(5):
            await asyncio.sleep(0)
        assert model.closed == 3
        task = asyncio.create_task(read(aask(model, QUESTION, Review, stream=True)))
        while len(model.sent) < 4:
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert model.closed == 4
        await aask(model, QUESTION, Review, stream=True).aclose()
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(run())
    gc.collect()
    assert len(model.sent) == 4


async def read(stream: AsyncAskStream[Any]) -> AskResult[Any]:
    """Reads a stream to its end."""
    async for _part in stream:
        pass
    return stream.result


@dataclass
class Gated:
    """A language model that waits in the middle of its reply."""

    gate: Any
    calls: int = 0
    cache_key: str = "m"

    def __call__(self, messages: Any) -> Iterator[str]:
        self.calls += 1
        yield GOOD[:25]
        self.gate.wait(10)
        yield GOOD[25:]


def test_threads_share_a_reply() -> None:
    """The one that comes second sees what the first has seen, and from then on each piece."""
    model, cache = Gated(threading.Event()), MemoryCache()
    first = ask(model, QUESTION, Review, stream=True, cache=cache)
    assert next(first).instance.headline == "Nice la"
    seen: list[Part[Review]] = []
    joined = threading.Event()

    def follow() -> None:
        for part in ask(model, QUESTION, Review, stream=True, cache=cache):
            seen.append(part)
            joined.set()

    thread = threading.Thread(target=follow)
    thread.start()
    assert joined.wait(10)
    assert [part.instance.headline for part in seen] == ["Nice la"]
    model.gate.set()
    rest = list(first)
    thread.join(10)
    assert model.calls == 1
    assert [part.done for part in rest] == [False, True]
    assert [part.done for part in seen] == [False, False, True]
    assert seen[-1].instance == rest[-1].instance


def test_tasks_share_a_reply() -> None:
    """Whoever reads a stream and whoever does not."""

    async def run() -> None:
        model, cache = Awaited([GOOD]), MemoryCache()
        streams = [aask(model, QUESTION, Review, stream=True, cache=cache) for _ in range(3)]
        complete: Any = model
        plain = aask(complete, QUESTION, Review, cache=cache)
        results = await asyncio.gather(*map(read, streams), plain)
        assert [result.value for result in results] == [NICE] * 4
        assert [result.attempts[0].cached for result in results] == [False, True, True, True]
        assert len(model.sent) == 1

    asyncio.run(run())


def test_who_waits_takes_over() -> None:
    """Once the first closes its stream, the second asks; its parts begin anew."""

    async def run() -> None:
        model, cache = Awaited([GOOD, GOOD]), MemoryCache()
        first = aask(model, QUESTION, Review, stream=True, cache=cache)
        for _ in range(4):
            await anext(first)
        parts: list[Part[Review]] = []

        async def follow() -> AskResult[Review]:
            stream = aask(model, QUESTION, Review, stream=True, cache=cache)
            async for part in stream:
                parts.append(part)  # noqa: PERF401 - it is looked at meanwhile
            return stream.result

        second = asyncio.create_task(follow())
        while not parts:
            await asyncio.sleep(0)
        await first.aclose()
        assert (await second).value == NICE
        assert parts[0].instance.headline == "Nice lamp"
        assert [part.restarted for part in parts[:3]] == [False, True, False]
        assert len(model.sent) == 2

    asyncio.run(run())


def test_two_streams_of_one_reader_do_not_wait_for_each_other() -> None:
    """They would wait for ever."""
    model, cache = Model([GOOD, GOOD]), MemoryCache()
    streams = [ask(model, QUESTION, Review, stream=True, cache=cache) for _ in range(2)]
    pairs = list(zip(*streams, strict=True))
    assert pairs[-1][0].instance == pairs[-1][1].instance
    assert len(model.sent) == 2


def test_a_wait_for_a_part_may_be_looked_up_from() -> None:
    """A wait that ends by itself leaves the stream as it is. One that is cancelled closes it, and `result` says so."""

    async def run() -> None:
        stream = aask(Awaited([GOOD, GOOD]), QUESTION, Review, stream=True)
        while stream._run.result is None:
            waiting = asyncio.ensure_future(anext(stream))
            while waiting not in (await asyncio.wait({waiting}, timeout=0))[0]:
                await asyncio.sleep(0)
            await waiting
        assert stream.result.value == NICE
        stream = aask(Awaited([GOOD]), QUESTION, Review, stream=True)
        waiting = asyncio.ensure_future(anext(stream))
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.wait({waiting})
        assert [part async for part in stream] == []
        with pytest.raises(RuntimeError, match="none if it was closed or cancelled"):
            _ = stream.result

    asyncio.run(run())


def test_there_is_no_result_before_the_last_part() -> None:
    """From the last part on there is one, even if the loop ends there."""
    stream: AskStream[Review] = ask(Model([GOOD]), QUESTION, Review, stream=True)
    with pytest.raises(RuntimeError, match="no result before its last part"):
        _ = stream.result
    for part in stream:
        if part.done:
            break
    assert stream.result.value == NICE


@both
def test_attempts_are_reported_as_they_end(run: Run) -> None:
    """As without a stream."""
    attempts: list[int] = []
    run(BAD, MENDED, on_attempt=lambda attempt: attempts.append(attempt.number))
    assert attempts == [1, 2]


@both
@pytest.mark.parametrize("piece", [1, None, b"<review>"], ids=repr)
def test_a_piece_is_a_text(run: Run, piece: object) -> None:
    """Anything else is an error of the function, and not the end of the reply."""
    with pytest.raises(TypeError, match="a piece of a reply is a str, not"):
        run([*cut(GOOD), piece])


def test_what_is_no_reply() -> None:
    """Neither a text nor pieces, or pieces that have to be awaited."""
    with pytest.raises(TypeError, match="must return text"):
        list(ask(lambda messages: 1, QUESTION, Review, stream=True))  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="await aask"):
        list(ask(Awaited([GOOD]), QUESTION, Review, stream=True))  # type: ignore[call-overload]


def test_arguments_are_checked_at_once() -> None:
    """Before the first part is asked for."""
    with pytest.raises(ValueError, match="attempts"):
        ask(Model([]), QUESTION, Review, stream=True, attempts=0)


@both
def test_examples_and_formats(run: Run) -> None:
    """Options of reading are those of each part."""
    reply = StructuredResponse.from_basemodel(NICE).to_json()
    seen = run(reply, format="json", examples=[Review(headline="Bad", score=1)])
    assert seen.result.value == NICE
    assert "Nice" in [(part.instance.headline or "")[:4] for part in seen.parts[:-1]]
