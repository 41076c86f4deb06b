"""Recorded replies: a file that is written while a language model is asked, and answers in its place later.

Each line is JSON: the messages, and the completion that they got.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from inspect import isawaitable
from pathlib import Path
from threading import Lock
from typing import Any, TypeVar

from ..completion import AsyncComplete, Complete, Completion, Message, checked_complete
from ..errors import RecordingError

__all__ = ["record", "replay"]

CompleteT = TypeVar("CompleteT", Complete, AsyncComplete)


def record(complete: CompleteT, path: str | Path) -> CompleteT:
    """What calls `complete`, and writes each call and its reply to the end of a file, one line each.

    What `complete` raises is not recorded. Messages must be what JSON can hold.
    """
    recorder: Any = _Recorder(checked_complete(complete), Path(path))
    return recorder  # type: ignore[no-any-return]


class _Recorder:
    def __init__(self, complete: Any, path: Path) -> None:
        self.complete = complete
        self.path = path
        self.lock = Lock()
        self.cache_key = getattr(complete, "cache_key", None)

    def __call__(self, messages: Sequence[Message]) -> Any:
        given = self.complete(messages)
        return self._awaited(messages, given) if isawaitable(given) else self._written(messages, given)

    async def _awaited(self, messages: Sequence[Message], given: Awaitable[Any]) -> Any:
        return self._written(messages, await given)

    def _written(self, messages: Sequence[Message], given: Any) -> Any:
        completion = Completion(given) if isinstance(given, str) else given
        line = json.dumps({"messages": list(messages), "completion": completion.to_dict()})
        with self.lock, self.path.open("a", encoding="ascii") as file:
            file.write(f"{line}\n")
        return given


def replay(path: str | Path) -> Callable[[Sequence[Message]], Completion]:
    """What answers from a file that `record` made: the same messages get the reply that they got then.

    Where the same messages were sent more than once, their replies come in the order of the file, and the last one
    from then on. The file is read once, at the first call. Raises `RecordingError` for messages that are not in it,
    and for a file that is no recording. It answers at once, so that it serves `ask` and `aask` alike.
    """
    return _Player(Path(path))


class _Player:
    def __init__(self, path: Path) -> None:
        self.path = path
        self.cache_key = f"replay {path.resolve()}"
        self.lock = Lock()
        self.replies: dict[str, list[Completion]] | None = None

    def __call__(self, messages: Sequence[Message]) -> Completion:
        with self.lock:
            if self.replies is None:
                self.replies = self._read()
            replies = self.replies.get(_canonical(messages))
            if replies is None:
                count = len(self.replies)
                raise RecordingError(f"no reply to these messages; it has those to {count} others", str(self.path))
            return replies.pop(0) if len(replies) > 1 else replies[0]

    def _read(self) -> dict[str, list[Completion]]:
        replies: dict[str, list[Completion]] = {}
        try:
            lines = self.path.read_text(encoding="utf-8").split("\n")
        except (OSError, UnicodeDecodeError) as error:
            raise RecordingError(f"cannot be read: {error}", str(self.path)) from error
        for number, line in enumerate(lines, 1):
            if line.strip():
                messages, completion = self._entry(number, line)
                replies.setdefault(_canonical(messages), []).append(completion)
        return replies

    def _entry(self, number: int, line: str) -> tuple[list[Message], Completion]:
        try:
            entry = json.loads(line)
            return entry["messages"], Completion.from_dict(entry["completion"])
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            raise RecordingError(f"line {number} is not one of a recording: {error}", str(self.path)) from error


_canonical = partial(json.dumps, sort_keys=True)
