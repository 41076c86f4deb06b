"""The journal of `ask_many`: what is paid for once, and what happens when it fails."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import stat
import time
from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from structured_response import AskError, BatchError, Completion, Usage, aask_many, ask_many
from structured_response.asking.journal import Journal
from structured_response.cache import MemoryCache, SqliteCache
from tests.unit.test_asking_many import Awaited, Doubled, Model, Run, both, doubled, number_of, questions, reply_to


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """Where a journal may be made."""
    return tmp_path / "folder" / "journal.sqlite"


@both
def test_a_second_run_pays_nothing(run: Run, journal: Path) -> None:
    """The replies come from the journal, as if from a cache."""
    first, paid, model = run(questions(range(5)), journal=journal)
    assert (len(model.sent), paid.usage) == (5, Usage(500, 50))
    again, free, model = run(questions(range(5)), journal=str(journal))
    assert doubled(again) == doubled(first) == [0, 2, 4, 6, 8]
    assert (len(model.sent), free.usage) == (0, Usage())
    assert [(each.attempts[0].cached, each.usage) for each in again] == [(True, Usage())] * 5
    more, _, model = run(questions([7, 3, 4]), journal=journal)
    assert (doubled(more), len(model.sent)) == ([14, 6, 8], 1)


@both
def test_replies_are_kept_as_they_arrive(run: Run, journal: Path) -> None:
    """Those of calls that were in flight when the iterator was closed, too; `aask_many` cancels them."""
    _, _, model = run(questions(range(100)), 1, journal=journal, concurrency=4)
    with SqliteCache(journal) as cache:
        assert cache.stats().namespaces == {"Doubled": model.ended}


def second_try(messages: Sequence[Any]) -> Any:
    """A reply that falls short, until it is the third one."""
    return reply_to(messages) if len(messages) > 5 else "<doubled><number>many</number></doubled>"


@both
def test_replies_that_fall_short_are_kept_too(run: Run, journal: Path) -> None:
    """A task that failed fails again without a call; with more attempts it goes on from where it stood."""
    say = {"reply": second_try}
    for calls in (4, 0):
        results, _, model = run(questions(range(2)), say=say, journal=journal, attempts=2)
        assert [type(result) for result in results] == [AskError, AskError]
        assert [len(result.attempts) for result in results] == [2, 2]
        assert len(model.sent) == calls
    results, _, model = run(questions(range(2)), say=say, journal=journal, attempts=3)
    assert doubled(results) == [0, 2]
    assert len(model.sent) == 2
    assert [attempt.cached for attempt in results[0].attempts] == [True, True, False]


@both
def test_a_call_that_failed_is_kept_and_made_again(run: Run, journal: Path) -> None:
    """By the next run, since nobody pays for errors."""

    def fail(messages: Sequence[Any]) -> Any:
        if number_of(messages) == 1:
            raise PermissionError("not today")
        return reply_to(messages)

    run(questions(range(3)), say={"reply": fail}, journal=journal)
    with SqliteCache(journal) as cache:
        assert cache.stats().namespaces == {"Doubled": 2, "Doubled failed": 1}
        (failed,) = cache.entries("Doubled failed")
        assert cache.get(failed.key) == b'["$: PermissionError: not today"]'
    results, _, model = run(questions(range(3)), journal=journal)
    assert doubled(results) == [0, 2, 4]
    assert len(model.sent) == 1


@both
def test_another_language_model_is_asked(run: Run, journal: Path) -> None:
    """And another prompt is another question."""
    run(questions(range(2)), journal=journal)
    for options in ({"key": "another"}, {"format": "json"}, {"examples": [{"number": 5}]}):
        results, _, model = run(questions(range(2)), journal=journal, **options, say={"reply": fixed})
        assert doubled(results) == [8, 8]
        assert len(model.sent) == 2


def fixed(messages: Sequence[Any]) -> str:
    """Always the same."""
    return "<doubled><number>8</number></doubled>"


@both
def test_a_fallback_has_entries_of_its_own(run: Run, journal: Path) -> None:
    """The reply of one language model is not taken for that of another."""

    def down(messages: Any) -> Any:
        raise ConnectionError

    class Other(Model):
        cache_key = "other"

    other = Other()
    for calls in (2, 2):
        results, _, model = run(questions(range(2)), say={"reply": down}, journal=journal, fallbacks=[other], retries=0)
        assert doubled(results) == [0, 2]
        assert (len(model.sent), len(other.sent)) == (2, calls)
    assert [attempt.fallback for attempt in results[0].attempts] == [1]


@both
def test_a_cache_comes_first(run: Run, journal: Path) -> None:
    """What it has needs no entry of the journal; a new cache is filled from the journal."""
    cache = MemoryCache()
    run(questions(range(3)), cache=cache, journal=journal)
    other = MemoryCache()
    _, _, model = run(questions(range(3)), cache=other, journal=journal)
    assert (len(model.sent), len(other)) == (0, 3)


@pytest.mark.skipif(os.name == "nt", reason="file modes are POSIX's")
def test_only_its_owner_may_read_it(journal: Path) -> None:
    """It holds replies."""
    list(ask_many(Model(), questions(range(2)), Doubled, journal=journal))
    assert {stat.S_IMODE(file.stat().st_mode) for file in journal.parent.iterdir()} == {0o600}


def folder_in_its_place(journal: Path) -> None:
    """A folder cannot be written to."""
    journal.mkdir(parents=True)


def text_in_its_place(journal: Path) -> None:
    """A file of another kind."""
    journal.parent.mkdir()
    journal.write_text("this is no database\n" * 100)


@pytest.mark.parametrize("spoil", [folder_in_its_place, text_in_its_place])
def test_a_file_that_cannot_be_a_journal(journal: Path, spoil: Callable[[Path], None]) -> None:
    """An error at once, which names it; nothing was asked."""
    spoil(journal)
    model = Model()
    with pytest.raises(BatchError, match="journal") as raised:
        ask_many(model, questions(range(2)), Doubled, journal=journal)
    assert raised.value.path == str(journal)
    assert model.sent == []


@both
def test_a_journal_that_fails_ends_everything(run: Run, journal: Path) -> None:
    """What cannot be kept is not to be paid for."""
    run(questions(range(3)), journal=journal)

    def spoil(messages: Sequence[Any]) -> Any:
        with sqlite3.connect(journal) as connection:
            connection.execute("DROP TABLE entries")
        connection.close()
        return reply_to(messages)

    with pytest.raises(BatchError, match="the journal failed to set: no such table") as raised:
        run(questions(range(3, 50)), say={"reply": spoil}, journal=journal, concurrency=1)
    assert raised.value.path == str(journal)


@both
def test_a_damaged_entry_is_an_error(run: Run, journal: Path) -> None:
    """Not a call that is paid again without a word."""
    run(questions(range(3)), journal=journal)
    with sqlite3.connect(journal) as connection:
        connection.execute("UPDATE entries SET value = substr(value, 1, 60)")
    connection.close()
    with pytest.raises(BatchError, match="damaged"):
        run(questions(range(3)), journal=journal)


def test_a_journal_is_closed_however_the_run_ends(journal: Path) -> None:
    """Also if the wait for the calls that are being cancelled is cancelled itself: SQLite's other files are gone."""

    class Tenacious(Awaited):
        async def __call__(self, messages: list[Any]) -> Any:
            if number_of(messages) == 0:
                return reply_to(messages)
            try:
                await asyncio.sleep(60)
            finally:
                await asyncio.sleep(0.5)

    async def run() -> list[Path]:
        asking = aask_many(Tenacious(), questions(range(3)), Doubled, journal=journal)
        await anext(asking)
        assert len([*journal.parent.iterdir()]) > 1
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(asking.aclose(), 0.02)
        return [*journal.parent.iterdir()]

    assert asyncio.run(run()) == [journal]


def test_what_is_stored_stays(journal: Path) -> None:
    """However much it is: a journal removes nothing to make room."""
    with Journal(journal) as kept:
        for number in range(20):
            kept.set(f"a:{number}", bytes(100_000))
        assert kept.stats().entries == 20


class Silent(Model):
    """A language model that is silent at first, as when a content filter takes the whole reply."""

    def __init__(self, silences: int) -> None:
        super().__init__(self.say)
        self.silences = silences

    def say(self, messages: Sequence[Any]) -> Completion:
        is_silent = len(self.sent) <= self.silences
        return Completion("", "content_filter") if is_silent else reply_to(messages)


def test_after_an_empty_reply_the_language_model_is_asked_again(journal: Path) -> None:
    """With the same messages, since no server takes an empty message; the next run finds each reply in its turn."""
    options: Any = {"journal": journal, "on_refusal": "retry"}
    for silences, attempts, calls, replies in (2, 2, 2, 2), (0, 2, 0, 2), (0, 3, 1, 3), (9, 9, 0, 3):
        model = Silent(silences)
        (result,) = ask_many(model, ["Double 4"], Doubled, attempts=attempts, **options)
        assert (len(model.sent), len(result.attempts)) == (calls, replies)
        assert isinstance(result, AskError) == (attempts == 2)
    assert doubled([result]) == [8]


@both
def test_equal_tasks_share_a_reply(run: Run, journal: Path) -> None:
    """Calls in flight too: one is made, and a later run has the same results. If it fails, the next task calls."""
    replies = count(1)

    def next_number(messages: Sequence[Any]) -> Any:
        number = next(replies)
        if number == 1:
            raise KeyError("choices")
        return f"<doubled><number>{number}</number></doubled>"

    say = {"reply": next_number, "seconds": lambda number: 0.02}
    failed, *first = run(questions([4] * 12), say=say, journal=journal, concurrency=4, as_completed=True)[0]
    assert isinstance(failed, AskError)
    assert doubled(first) == [2] * 11
    assert sum(not result.attempts[0].cached for result in first) == 1
    again, _, model = run(questions([4] * 12), say=say, journal=journal, concurrency=4)
    assert (doubled(again), len(model.sent)) == ([2] * 12, 0)


def test_closing_ends_a_wait_for_an_equal_task(journal: Path) -> None:
    """Whose call the server's limits hold back."""
    started = time.monotonic()
    with ask_many(Model(), questions([1, 2, 2, 2]), Doubled, journal=journal, requests_per_minute=1) as asking:
        assert next(asking).index == 0
    assert time.monotonic() - started < 5
