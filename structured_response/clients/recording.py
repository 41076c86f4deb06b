"""Recorded replies: a file that is written while a language model is asked, and answers in its place later.

Each line is JSON: the messages, and the completion that they got.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import cached_property, partial
from inspect import isawaitable
from pathlib import Path
from threading import Lock
from typing import Any, TypeVar

from ..completion import AsyncComplete, Complete, Completion, Message, checked_complete
from ..errors import RecordingError
from .streams import AsyncStreamingComplete, StreamingComplete, TextStream, stream_of

CompleteT = TypeVar("CompleteT", StreamingComplete, AsyncStreamingComplete, Complete, AsyncComplete)


def then(given: Any, use: Callable[[Any], Any]) -> Any:
    """Returns `use(given)`, or an awaitable of it if `given` is one."""
    if not isawaitable(given):
        return use(given)

    async def later() -> Any:
        return use(await given)

    return later()


def record(complete: CompleteT, path: str | Path) -> CompleteT:
    """Makes a function that calls `complete` and writes each call and its reply into a file.

    The file is opened before each call, so that no reply is paid for that cannot be kept.

    Args:
        complete: A function for `ask` or `aask`. The messages that it gets must be what JSON can hold.
        path: The file, to which lines are added.

    Returns:
        A function like `complete`. It raises what `complete` raises, and `OSError` if the file cannot be written.
        If `complete` has a method `stream`, so has the function; a stream is written when it ends.
    """
    recorder: Any = _Recorder(checked_complete(complete), Path(path))
    return recorder  # type: ignore[no-any-return]


class _Recorder:
    def __init__(self, complete: Any, path: Path) -> None:
        self.complete = complete
        self.path = path
        self.lock = Lock()
        if hasattr(complete, "stream"):
            self.stream = self._stream

    def __getattr__(self, name: str) -> Any:
        """Returns what else a client has. A client that is made of it is recorded too."""
        found = getattr(vars(self).get("complete"), name)
        is_maker = name.startswith(("with_", "for_"))
        return (lambda *given: _Recorder(found(*given), self.path)) if is_maker else found

    def __call__(self, messages: Sequence[Message]) -> Any:
        written = self._opened(messages)
        return then(self.complete(messages), written)

    def _stream(self, messages: Sequence[Message]) -> Any:
        written = self._opened(messages)
        return self.complete.stream(messages).at_end(written)

    def _opened(self, messages: Sequence[Message]) -> Callable[[Any], Any]:
        self.path.open("a").close()
        return partial(self._written, json.dumps(list(messages)))

    def _written(self, asked: str, given: Any) -> Any:
        completion = Completion(given) if isinstance(given, str) else given
        with self.lock, self.path.open("a", encoding="ascii") as file:
            file.write(f'{{"messages": {asked}, "completion": {json.dumps(completion.to_dict())}}}\n')
        return given


def replay(path: str | Path) -> StreamingComplete:
    """Makes a function for `ask` or `aask` that answers from a file of `record`.

    The same messages get the reply that they got then. If they were sent more than once, their replies come in the
    order of the file, and the last one from then on. The file is read once, at the first call.

    Args:
        path: The file.

    Returns:
        A function from messages to a `Completion`. It raises `RecordingError` for messages that are not in the file,
        and for a file that is not a recording. Its method `stream` gives the text in one piece.
    """
    return _Player(Path(path))


class _Player:
    def __init__(self, path: Path) -> None:
        self.path = path
        self.cache_key = f"replay {path.resolve()}"
        self.lock = Lock()

    def __call__(self, messages: Sequence[Message]) -> Completion:
        with self.lock:
            replies = self.replies.get(_key(messages), [])
            if not replies:
                count = len(self.replies)
                raise RecordingError(f"no reply to these messages; it has those to {count} others", str(self.path))
            return replies.pop(0) if len(replies) > 1 else replies[0]

    def stream(self, messages: Sequence[Message]) -> TextStream:
        return stream_of(self(messages))

    def with_tools(self, schemas: Any) -> _Player:
        """Returns this function: what was recorded with tools has their calls."""
        return self

    def with_schema(self, class_name: str, schema: Any) -> _Player:
        return self

    @cached_property
    def replies(self) -> dict[str, list[Completion]]:
        replies: dict[str, list[Completion]] = {}
        try:
            lines = self.path.read_text(encoding="utf-8").split("\n")
        except (OSError, UnicodeDecodeError) as error:
            raise RecordingError(f"cannot be read: {error}", str(self.path)) from error
        for number, line in enumerate(lines, 1):
            if line.strip():
                try:
                    entry = json.loads(line)
                    completion = Completion.from_dict(entry["completion"])
                    replies.setdefault(_key(entry["messages"]), []).append(completion)
                except (ValueError, TypeError, KeyError, RecursionError) as error:
                    message = f"line {number} is not one of a recording: {error}"
                    raise RecordingError(message, str(self.path)) from error
        return replies


def _key(messages: Sequence[Message]) -> str:
    return json.dumps(messages, sort_keys=True)
