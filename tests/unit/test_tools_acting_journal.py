"""The journal of an agent: what a second run does not do again; tests/slow/test_killed.py kills the first."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from structured_response import BatchError, Completion, Usage
from structured_response.cache import SqliteCache
from structured_response.testing import FakeModel
from structured_response.tools import Call, Toolbox, aact, act
from tests.unit.test_tools_acting import LOOK, Run, both, outcomes


@pytest.fixture
def ran() -> list[str]:
    """What the tool has done."""
    return []


@pytest.fixture
def toolbox(ran: list[str]) -> Toolbox:
    """One tool."""

    def look(topic: str) -> str:
        """Looks something up."""
        ran.append(topic)
        return f"note {len(ran)}"

    return Toolbox(look)


def replies(*texts: str) -> FakeModel:
    """A language model with a price."""
    return FakeModel([Completion(text, "stop", Usage(10, 5)) for text in texts])


@both
def test_a_second_run_pays_nothing(run: Run, toolbox: Toolbox, ran: list[str], tmp_path: Path) -> None:
    """The same call of `act` comes to the same result, without a call of the language model or of a tool."""
    journal = tmp_path / "folder" / "agent.sqlite"
    first = run(replies(LOOK, "", "Done."), "Go.", toolbox, journal=journal)
    again = run(replies(), "Go.", toolbox, journal=str(journal))
    assert (again.value, again.messages, ran) == (first.value, first.messages, ["lamps"])
    assert (first.usage, again.usage, again.cost) == (Usage(30, 15), Usage(), 0)
    assert [attempt.cached for attempt in again.attempts] == [True] * 3


@both
def test_what_changed_is_done_anew(run: Run, toolbox: Toolbox, ran: list[str], tmp_path: Path) -> None:
    """Another task or answer has entries of its own in the same file. Another language model is asked anew, but a call
    that it writes like the first one, at the same place, has run.
    """
    journal = tmp_path / "agent.sqlite"
    for options in ({}, {"task": "Stop."}, {"answer": str}, {"key": "another"}):
        model = replies(LOOK, "Done." if "answer" not in options else "<value>Done.</value>")
        given: dict[str, Any] = {"task": "Go."} | options
        assert run(model, toolbox=toolbox, journal=journal, **given).value == "Done."
        assert len(model.calls) == 2
    assert len(ran) == 3


@both
def test_nobody_is_asked_twice_about_a_call(run: Run, toolbox: Toolbox, ran: list[str], tmp_path: Path) -> None:
    """A call that has run was allowed, whatever the policy says by now."""
    asked: list[Call] = []

    def approve(call: Call) -> bool:
        asked.append(call)
        return len(asked) == 1

    options: dict[str, Any] = {"journal": tmp_path / "j", "policy": lambda call: "ask", "approve": approve}
    for _ in range(2):
        assert outcomes(run(replies(LOOK, "Done."), "Go.", toolbox, **options)) == [("look", "allow", "note 1")]
    assert (len(asked), ran) == (1, ["lamps"])


@both
def test_a_fallback_that_answered_is_not_asked_again(
    run: Run, toolbox: Toolbox, ran: list[str], tmp_path: Path
) -> None:
    """Its reply is the one that the tools ran for. The language model that is up again might say it in other words."""
    options: dict[str, Any] = {"journal": tmp_path / "j", "retries": 0}
    down, spare = FakeModel([ConnectionError("down")]), replies(LOOK, "Done.")
    first = run(down, "Go.", toolbox, fallbacks=[spare], **options)
    up = replies(f"Sure! {LOOK}", "Done.")
    assert run(up, "Go.", toolbox, fallbacks=[spare], **options).messages == first.messages
    assert (up.calls, ran) == ([], ["lamps"])


def test_agents_can_share_a_journal(toolbox: Toolbox, ran: list[str], tmp_path: Path) -> None:
    """At the same time, each with its task."""

    async def all_of_them() -> list[Any]:
        tasks = [
            aact(replies(LOOK, f"Done {number}."), f"Task {number}", toolbox, journal=tmp_path / "j")
            for number in range(10)
        ]
        return await asyncio.gather(*tasks)

    for _ in range(2):
        assert [result.value for result in asyncio.run(all_of_them())] == [f"Done {number}." for number in range(10)]
    assert len(ran) == 10


def test_the_same_call_in_a_later_turn_runs_again(toolbox: Toolbox, ran: list[str], tmp_path: Path) -> None:
    """And twice in one reply it runs twice: its place is part of its key."""
    act(replies(LOOK + LOOK, LOOK, "Done."), "Go.", toolbox, journal=tmp_path / "j")
    assert ran == ["lamps"] * 3


@both
def test_a_file_that_is_no_journal(run: Run, toolbox: Toolbox, tmp_path: Path) -> None:
    """An error that names it, before a call is paid for or when the entry is met."""
    path = tmp_path / "notes.txt"
    path.write_text("no journal")
    model = replies(LOOK, "Done.")
    with pytest.raises(BatchError, match=r"notes\.txt"):
        run(model, "Go.", toolbox, journal=path)
    assert model.calls == []
    journal = tmp_path / "j"
    run(model, "Go.", toolbox, journal=journal)
    for damage in (b"{}", b"[1]", b"\xff", b'{"text": 1, "error": 0, "is_running": 0}'):
        with SqliteCache(journal) as cache:
            cache.set_many({entry.key: damage for entry in cache.entries()})
        with pytest.raises(BatchError, match="the journal holds something else"):
            run(model, "Go.", toolbox, journal=journal)
