"""Asking with a cache: what is not asked twice, what a key is made of, and caches that fail or were tampered with."""

from __future__ import annotations

import asyncio
import logging
import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field, field_validator

from structured_response import AskError, AskResult, CacheError, Completion, Usage, aask, ask
from structured_response.asking import caching
from structured_response.cache import MemoryCache, SqliteCache
from structured_response.warn_once import LOGGER


class Review(BaseModel):
    headline: str
    score: int = Field(ge=1, le=5)


GOOD = "<review><headline>Nice &amp; easy</headline><score>4</score></review>"
MENDED = "<review><headline>Nice & easy</headline><score>4 of 5</score></review>"
BAD = "<review><headline>Nice &amp; easy</headline><score>many</score></review>"
NICE = Review(headline="Nice & easy", score=4)


class Model:
    """A language model that counts how often it is asked."""

    cache_key = "m"

    def __init__(self, *replies: str, then: str = GOOD) -> None:
        self.replies, self.then = list(replies), then
        self.calls = 0
        self.lock = threading.Lock()

    def __call__(self, messages: Sequence[Any]) -> Completion:
        with self.lock:
            self.calls += 1
            return Completion(self.replies.pop(0) if self.replies else self.then, "stop", Usage(10, 5))


def now(model: Any, question: str = "?", kind: Any = Review, **options: Any) -> AskResult[Any]:
    """By `ask`."""
    asked: AskResult[Any] = ask(model, question, kind, **options)
    return asked


def awaited(model: Any, question: str = "?", kind: Any = Review, **options: Any) -> AskResult[Any]:
    """By `aask`."""
    return asyncio.run(aask(model, question, kind, **options))


Run = Callable[..., AskResult[Any]]
both = pytest.mark.parametrize("run", [now, awaited])


@pytest.fixture(params=["memory", "sqlite"])
def cache(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Any]:
    """Two that any machine has."""
    with MemoryCache() if request.param == "memory" else SqliteCache(tmp_path / "a.sqlite") as made:
        yield made


def keys_of(cache: MemoryCache) -> list[str]:
    """All keys in it."""
    return list(cache._held)


@both
def test_what_was_answered_is_not_asked_again(run: Run, cache: Any) -> None:
    """The same answer with the same repairs, and no tokens."""
    model = Model(MENDED)
    first, second = run(model, cache=cache), run(model, cache=cache)
    assert model.calls == 1
    assert first.value == second.value == NICE
    assert second.response == first.response
    assert first.response.repairs and second.response.repairs == first.response.repairs
    assert [(attempt.cached, attempt.usage) for attempt in (*first.attempts, *second.attempts)] == [
        (False, Usage(10, 5)),
        (True, Usage()),
    ]
    assert second.attempts[0].reply == MENDED


@both
def test_a_whole_conversation_comes_from_the_cache(run: Run, cache: Any) -> None:
    """The attempt that fell short, and the one that mended it."""
    model = Model(BAD, "<review><score>4</score></review>")
    first, second = run(model, cache=cache), run(model, cache=cache)
    assert model.calls == 2
    assert first.value == second.value == NICE
    assert [attempt.reply for attempt in second.attempts] == [attempt.reply for attempt in first.attempts]
    assert second.usage == Usage()


@both
def test_what_led_nowhere_is_asked_anew(run: Run, cache: Any) -> None:
    """Otherwise a bad day of the language model's would last for ever."""
    model = Model(BAD, BAD, GOOD)
    with pytest.raises(AskError):
        run(model, cache=cache, attempts=2)
    assert run(model, cache=cache, attempts=2).value == NICE
    assert model.calls == 3


def test_the_key_is_messages_language_model_and_parameters(cache: Any) -> None:
    """Whatever of these is another is asked for by itself."""
    model = Model()
    variants: list[dict[str, Any]] = [
        {},
        {"question": "Another?"},
        {"key": "another model"},
        {"question": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "?"}]},
    ]
    for _ in range(2):
        for variant in variants:
            now(model, cache=cache, **variant)
    assert model.calls == len(variants)


def test_a_cache_needs_to_know_who_answers() -> None:
    """Two language models would be given each other's answers."""
    with pytest.raises(TypeError, match="key="):
        ask(lambda messages: GOOD, "?", Review, cache=MemoryCache())
    assert ask(lambda messages: GOOD, "?", Review, cache=MemoryCache(), key="m").value == NICE


def test_the_class_is_the_namespace() -> None:
    """So that one model's replies can be cleared."""
    cache = MemoryCache()
    now(Model(), cache=cache)
    assert [key.partition(":")[0] for key in keys_of(cache)] == ["Review"]
    assert cache.clear("Review") == 1


def test_the_stored_reply_is_read(cache: Any) -> None:
    """Without a call, and with the same repairs, problems and places as before."""
    model = Model(MENDED)
    first, again = (now(model, cache=cache) for _ in range(2))
    assert (again.value, model.calls) == (NICE, 1)
    assert again.response.repairs == first.response.repairs != []
    assert str(again.response.explain()) == str(first.response.explain())


class Dated(BaseModel):
    due: date
    points: list[int | None] = []


def test_a_stored_reply_is_read_by_the_options_of_the_question(cache: Any) -> None:
    """The reply comes from the cache either way; what it says is another thing by other options."""
    reply = "<dated><due>05/12/2026</due><points><li>many</li></points></dated>"
    asked = [
        now(Model(reply), kind=Dated, cache=cache, attempts=1, on_bad_item=policy, day_first=order)
        for policy, order in [("drop", True), ("drop", False), ("keep", True), ("drop", True), ("keep", True)]
    ]
    assert [each.attempts[0].cached for each in asked] == [False, True, True, True, True]
    said = [each.response.to_dict() for each in asked]
    assert [(str(each["due"]), each["points"]) for each in said] == [
        ("2026-12-05", []),
        ("2026-05-12", []),
        ("2026-12-05", [None]),
        ("2026-12-05", []),
        ("2026-12-05", [None]),
    ]
    assert [len(each.response.problems) for each in asked] == [0, 0, 1, 0, 1]


def test_a_model_that_changed_its_mind_reads_again(cache: Any) -> None:
    """A stored answer that the validators refuse now is no answer: the reply is read, found wanting, and amended."""

    def review(least: int) -> Any:
        class Review(BaseModel):
            headline: str
            score: int

            @field_validator("score")
            @classmethod
            def enough(cls, score: int) -> int:
                if score < least:
                    raise ValueError("too few")
                return score

        return Review

    model = Model(GOOD, "<review><score>5</score></review>")
    assert now(model, kind=review(1), cache=cache).value.score == 4
    assert now(model, kind=review(5), cache=cache).value.score == 5
    assert model.calls == 2


@both
def test_identical_calls_in_flight_run_once(run: Run, cache: Any) -> None:
    """Of ten threads, or of ten tasks, that ask the same at once, one calls."""
    calls = []

    def slow(messages: Any) -> str:
        calls.append(1)
        time.sleep(0.1)
        return GOOD

    async def slowly(messages: Any) -> str:
        calls.append(1)
        await asyncio.sleep(0.1)
        return GOOD

    async def together() -> list[AskResult[Any]]:
        asked = (aask(slowly, "?", Review, cache=cache, key="m") for _ in range(10))
        return [*await asyncio.gather(*asked)]

    found: list[AskResult[Any]] = []
    if run is awaited:
        found = asyncio.run(together())
    else:
        threads = [
            threading.Thread(target=lambda: found.append(ask(slow, "?", Review, cache=cache, key="m")))
            for _ in range(10)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(calls) == 1
    assert [asked.value for asked in found] == [NICE] * 10
    assert sorted(asked.attempts[0].cached for asked in found) == [False] + [True] * 9
    assert not caching.THREADS.open


def test_what_a_call_raises_all_that_wait_for_it_get(cache: Any) -> None:
    """One failure for all of them, and nothing in the cache: the next one calls."""
    calls, ready = [], threading.Event()

    def failing(messages: Any) -> str:
        calls.append(1)
        ready.wait(5)
        time.sleep(0.5)
        raise ConnectionError("down")

    raised: list[BaseException] = []

    def work() -> None:
        try:
            ask(failing, "?", Review, cache=cache, key="m", retries=0)
        except ConnectionError as error:
            raised.append(error)

    threads = [threading.Thread(target=work) for _ in range(5)]
    for thread in threads:
        thread.start()
    ready.set()
    for thread in threads:
        thread.join()
    assert len(calls) == 1
    assert len(raised) == 5
    assert now(Model(), cache=cache).value == NICE


def test_what_a_validator_raises_is_no_outage_for_those_that_wait(cache: Any) -> None:
    """They get the exception, as the first one does, and no fallback is asked."""

    class Checked(Review):
        @field_validator("score")
        @classmethod
        def looks_up(cls, score: int) -> int:
            raise ConnectionError("the database is down")

    async def slowly(messages: Any) -> str:
        await asyncio.sleep(0.05)
        return GOOD.replace("review>", "checked>")

    async def run() -> list[Any]:
        fallback = Model()
        options: Any = {"cache": cache, "key": "first", "fallbacks": [fallback]}
        asked = [aask(slowly, "?", Checked, **options) for _ in range(3)]
        got = await asyncio.gather(*asked, return_exceptions=True)
        assert fallback.calls == 0
        return got

    assert [type(error) for error in asyncio.run(run())] == [ConnectionError] * 3


def test_where_the_first_is_cancelled_another_one_calls(cache: Any) -> None:
    """A task that is cancelled takes nobody with it."""
    calls = []

    async def slowly(messages: Any) -> str:
        calls.append(1)
        await asyncio.sleep(0.05)
        return GOOD

    async def run() -> None:
        tasks = [asyncio.create_task(aask(slowly, "?", Review, cache=cache, key="m")) for _ in range(3)]
        while not calls:
            await asyncio.sleep(0)
        tasks[0].cancel()
        assert [(await task).value for task in tasks[1:]] == [NICE, NICE]
        with pytest.raises(asyncio.CancelledError):
            await tasks[0]

    asyncio.run(run())
    assert len(calls) == 2


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_process_waits_for_nobody() -> None:
    """What a thread of its parent had in flight is not in flight there."""
    cache, started, over = MemoryCache(), threading.Event(), threading.Event()

    def slow(messages: Any) -> str:
        started.set()
        over.wait(10)
        return GOOD

    thread = threading.Thread(target=lambda: ask(slow, "?", Review, cache=cache, key="m"))
    thread.start()
    started.wait(10)
    child = os.fork()
    if child == 0:
        os._exit(0 if ask(Model(), "?", Review, cache=cache).value == NICE else 1)
    try:
        until = time.monotonic() + 10
        while (ended := os.waitpid(child, os.WNOHANG))[0] == 0 and time.monotonic() < until:
            time.sleep(0.01)
        if ended[0] == 0:
            os.kill(child, 9)
    finally:
        over.set()
        thread.join()
    assert ended == (child, 0)


class Own:
    """A cache of a user's: the few methods, nothing else."""

    def __init__(self, fails: str = "") -> None:
        self.held: dict[str, Any] = {}
        self.fails = fails

    def get(self, key: str) -> Any:
        if "get" in self.fails:
            raise RuntimeError("no luck")
        return self.held.get(key)

    def set(self, key: str, value: bytes, ttl: float | None = None) -> None:
        if "set" in self.fails:
            raise KeyError("no luck")
        self.held[key] = value


class OwnAwaited(Own):
    """The same, with methods that are awaited."""

    async def get(self, key: str) -> Any:
        return super().get(key)

    async def set(self, key: str, value: bytes, ttl: float | None = None) -> None:  # type: ignore[override]
        super().set(key, value, ttl)


def test_any_object_with_the_few_methods_serves() -> None:
    """Of a user's own, awaited where that has to be."""
    model, own, other = Model(), Own(), OwnAwaited()
    for _ in range(2):
        assert now(model, cache=own).value == NICE
        assert awaited(model, cache=own).value == NICE
        assert awaited(model, cache=other).value == NICE
    assert model.calls == 2
    (entry,) = own.held.values()
    assert isinstance(entry, bytes)


@both
@pytest.mark.parametrize("fails", ["get", "set", "get and set"])
def test_a_cache_that_raises_is_a_miss_and_one_warning(run: Run, fails: str, caplog: pytest.LogCaptureFixture) -> None:
    """Whatever it raises, every question gets its answer."""
    model, own = Model(), Own(fails)
    with caplog.at_level(logging.WARNING, LOGGER):
        for number in range(3):
            assert run(model, question=str(number), cache=own).value == NICE
    assert model.calls == 3
    assert len(caplog.records) == 1


def spoilt(entry: bytes, number: int) -> bytes:
    """The entry with one byte changed."""
    at = number % len(entry)
    return entry[:at] + bytes([entry[at] ^ 1]) + entry[at + 1 :]


@pytest.mark.parametrize("number", range(0, 1_000, 37))
def test_an_entry_that_was_damaged_is_a_miss(number: int, caplog: pytest.LogCaptureFixture) -> None:
    """Any byte of it: never another answer."""
    model, own = Model(), Own()
    now(model, cache=own)
    own.held = {key: spoilt(value, number) for key, value in own.held.items()}
    assert now(model, cache=own).value == NICE
    assert model.calls == 2
    assert len(caplog.records) == 1
    assert now(model, cache=own).value == NICE
    assert model.calls == 2


def signed(key: str, body: bytes) -> bytes:
    """An entry with the right digest."""
    return f"{caching._digest(key.encode(), body)}\n".encode() + body


BODIES = [b"", b"{}", b"[]", b"null", b"3", b"[" * 100_000, b'{"completion": {}, "read": {}}', b'{"completion": 3}']
FORGED = [
    b'{"completion": {"text": 1, "finish_reason": null, "usage": {"input_tokens": 0, "output_tokens": 0}}, "read": {}}'
]


@pytest.mark.parametrize("value", [b"", b"\n", b"\x80\x04N.", "text", 3, b"0" * 32 + b"\n{}", *BODIES, *FORGED])
@pytest.mark.parametrize("is_signed", [False, True])
def test_what_is_no_entry_is_a_miss(value: Any, is_signed: bool, caplog: pytest.LogCaptureFixture) -> None:
    """Whatever somebody else put there, with the right digest too. Nothing is ever unpickled."""
    model, own = Model(), Own()
    now(model, cache=own)
    (key,) = own.held
    if is_signed and isinstance(value, bytes):
        value = signed(key, value)
    own.held = {key: value}
    assert now(model, cache=own).value == NICE
    assert model.calls == 2
    assert len(caplog.records) == 1


def test_an_entry_under_another_key_is_a_miss() -> None:
    """Entries that were mixed up are not taken for each other's."""
    model, own = Model(GOOD, "<review><headline>Other</headline><score>1</score></review>"), Own()
    now(model, "one", cache=own)
    now(model, "two", cache=own)
    one, two = own.held
    own.held[one], own.held[two] = own.held[two], own.held[one]
    now(model, "one", cache=own)
    assert model.calls == 3


@given(text=st.text(st.characters()), reason=st.none() | st.text(), key=st.text(st.characters()))
def test_any_completion_comes_back_from_its_entry(text: str, reason: str | None, key: str) -> None:
    """Halves of surrogate pairs too, which no UTF-8 holds."""
    completion = Completion(text, reason, Usage(1, 2))
    key = key.encode("utf-8", "replace").decode()
    assert caching.decode(key, caching.encode(key, completion)) == completion


@both
@pytest.mark.parametrize("cache", ["replies.sqlite", Path("replies"), {}, [], 3, True, SqliteCache], ids=repr)
def test_what_cannot_be_a_cache_is_an_error_at_once(run: Run, cache: Any) -> None:
    """Before the first call; it would be a miss for ever."""
    model = Model()
    with pytest.raises(CacheError, match=r"cache= must be .*SqliteCache\('replies.sqlite'\), not "):
        run(model, cache=cache)
    assert model.calls == 0
