"""Recordings: what was said once is said again, to the same messages."""

from __future__ import annotations

import asyncio
import json
import pickle
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from structured_response import Completion, Usage, aask, ask
from structured_response.clients import record, replay
from structured_response.errors import RecordingError


class Answer(BaseModel):
    number: int


class Model:
    """Says a number more each time, after it was wrong once."""

    cache_key = "m"

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, messages: Sequence[Any]) -> Completion:
        self.calls += 1
        text = (
            "<answer><number>?!</number></answer>"
            if self.calls == 1
            else f"<answer><number>{self.calls}</number></answer>"
        )
        return Completion(text, "stop", Usage(10, self.calls))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where a recording may be made."""
    return tmp_path / "replies.jsonl"


def test_a_conversation_is_told_again(path: Path) -> None:
    """Attempts, reasons and usage are those of the first time."""
    first = ask(record(Model(), path), "Which?", Answer)
    second = ask(replay(path), "Which?", Answer)
    assert first.value == second.value == Answer(number=2)
    assert [attempt.reply for attempt in second.attempts] == [attempt.reply for attempt in first.attempts]
    assert second.usage == first.usage == Usage(20, 3)
    assert len(path.read_text().splitlines()) == 2


def test_a_recording_is_made_and_told_by_await(path: Path) -> None:
    """What is awaited is recorded once it is there."""

    async def complete(messages: Any) -> str:
        await asyncio.sleep(0)
        return "<answer><number>7 \N{SNOWMAN}</number></answer>"

    async def run() -> list[Any]:
        made = await aask(record(complete, path), "?", Answer, strict=False, attempts=1)
        told = await aask(replay(path), "?", Answer, strict=False, attempts=1)
        return [made.attempts[0].reply, told.attempts[0].reply]

    first, second = asyncio.run(run())
    assert first == second


def test_the_same_messages_get_their_replies_in_order(path: Path) -> None:
    """And the last one from then on."""
    recorded, messages = record(Model(), path), [{"role": "user", "content": "?"}]
    said = [recorded(messages) for _ in range(3)]
    told = replay(path)
    assert [told(messages) for _ in range(4)] == [*said, said[-1]]


def test_the_key_of_a_cache_goes_through(path: Path) -> None:
    """A recorder has the key of what it records, a player one of its own."""
    recorder: Any = record(Model(), path)
    player: Any = replay(path)
    assert recorder.cache_key == "m"
    assert str(path) in player.cache_key


def test_a_client_cannot_be_recorded(path: Path) -> None:
    """What is recorded is called with messages; the error comes before a call."""
    with pytest.raises(TypeError, match="cannot be called with messages"):
        record(object(), path)  # type: ignore[type-var]


def test_what_is_raised_is_not_recorded(path: Path) -> None:
    """It passes through, and the file has no line of it."""

    def failing(messages: Any) -> str:
        raise ConnectionError

    with pytest.raises(ConnectionError):
        record(failing, path)([])
    assert path.read_text() == ""


@pytest.mark.parametrize("is_awaited", [False, True])
def test_a_file_that_cannot_be_written_is_an_error_before_the_call(is_awaited: bool, path: Path) -> None:
    """A reply is paid for, so none is asked for that would be lost; nor with messages that JSON cannot hold."""
    model, messages = Model(), [{"role": "user", "content": "Which?"}]

    async def awaited(messages: Any) -> Completion:
        return model(messages)

    complete: Any = awaited if is_awaited else model
    with pytest.raises(FileNotFoundError):
        record(complete, path / "nowhere")(messages)
    with pytest.raises(TypeError, match="not JSON serializable"):
        record(complete, path)([{"role": "user", "content": object()}])
    assert model.calls == 0


def test_messages_that_are_not_there(path: Path) -> None:
    """The error names the file, and survives pickle."""
    ask(record(Model(), path), "Which?", Answer)
    with pytest.raises(RecordingError, match=r"replies.jsonl: no reply to these messages; it has those to 2") as caught:
        ask(replay(path), "What?", Answer)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


@pytest.mark.parametrize(
    "line",
    ["{", "[]", "null", '{"messages": []}', '{"messages": [], "completion": {"text": 3}}', "[" * 9_999, "\u2028["],
)
def test_what_is_no_recording(line: str, path: Path) -> None:
    """The error names the line."""
    path.write_text(f'\n{line}\n{{"messages": []}}', encoding="utf-8")
    with pytest.raises(RecordingError, match="line 2 is not one of a recording"):
        replay(path)([])


def test_a_file_that_is_not_there_or_not_text(path: Path) -> None:
    """It is read at the first call."""
    player = replay(path)
    with pytest.raises(RecordingError, match="cannot be read"):
        player([])
    path.write_bytes(b"\xff\xff")
    with pytest.raises(RecordingError, match="cannot be read"):
        player([])


def test_threads_record_whole_lines(path: Path) -> None:
    """Each call is one line, whoever else writes."""
    recorded = record(lambda messages: "x" * 5_000, path)
    threads = [
        threading.Thread(target=recorded, args=([{"role": "user", "content": str(number)}],)) for number in range(20)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert sorted(int(line["messages"][0]["content"]) for line in lines) == list(range(20))
