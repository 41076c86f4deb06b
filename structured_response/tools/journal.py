"""The journal of an agent: its replies, and which calls of tools were started and which ended."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any, Self

from ..asking.caching import encode
from ..asking.journal import Journal
from ..completion import Completion, Message
from ..errors import BatchError
from .running import Outcome

UNKNOWN = (
    "It is unknown whether this ran: the program was stopped after the tool was started. "
    "Find out what is the case before you call it again."
)

_STARTED = b"started"


class ActJournal:
    """A file of all replies and calls of a run, or nothing at all without a path. When it fails it raises `BatchError`.

    A run that was stopped goes on where it was: replies are not paid again, and calls that ended do not run again. One
    that was started and did not end runs again only if its tool is idempotent.
    """

    def __init__(self, path: str | Path | None) -> None:
        self._journal = None if path is None else Journal(path)
        self._so_far = sha256()
        self._count = 0  # messages in it

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        if self._journal is not None:
            self._journal.close()

    def follow(self, messages: Sequence[Message]) -> None:
        """Takes in the new messages of a conversation: whatever is kept has its place behind them."""
        for message in messages[self._count :] if self._journal is not None else ():
            written = json.dumps(message, default=repr, sort_keys=True).encode()
            self._so_far.update(b"%d %b" % (len(written), written))
        self._count = len(messages)

    def key(self, *what: Any) -> str:
        """Returns the key of a reply or of a call at this place of the conversation."""
        digest = self._so_far.copy()
        digest.update(json.dumps(what).encode())
        return f"act:{digest.hexdigest()}"

    def completion(self, key: str) -> Completion | None:
        return None if self._journal is None else self._journal.completion(key)

    def keep(self, key: str, completion: Completion) -> None:
        self._set(key, encode(key, completion))

    def start(self, key: str) -> None:
        self._set(key, _STARTED)

    def end(self, key: str, outcome: Outcome) -> None:
        held = {"text": outcome.text, "error": outcome.error, "is_running": outcome.is_running}
        self._set(key, json.dumps(held).encode())

    def outcome(self, key: str, is_idempotent: bool) -> Outcome | None:
        """Returns what is known of a call, or None if it may run."""
        entry = self._get(key)
        if entry is None or (entry == _STARTED and is_idempotent):
            return None
        if entry == _STARTED:
            return Outcome(UNKNOWN, error=True)
        with suppress(ValueError):
            match json.loads(entry):
                case {"text": str(text), "error": bool(error), "is_running": bool(is_running)}:
                    return Outcome(text, error, is_running=is_running)
        raise self._odd()

    def _get(self, key: str) -> bytes | None:
        return None if self._journal is None else self._journal.get(key)

    def _set(self, key: str, entry: bytes) -> None:
        if self._journal is not None:
            self._journal.set(key, entry)

    def _odd(self) -> BatchError:
        path = "" if self._journal is None else str(self._journal.path)
        return BatchError("the journal holds something else", path)
