"""The journal of an agent: its replies, and which calls of tools were started and which ended."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

from ..asking.caching import Recalled, decode, encode, key_of
from ..asking.journal import Journal
from ..completion import Completion
from ..errors import BatchError
from .running import Outcome

UNKNOWN = (
    "It is unknown whether this ran: the program was stopped after the tool was started. "
    "Find out what is the case before you call it again."
)


class ActJournal:
    """A file of all replies and calls of a run. When it fails it raises `BatchError`.

    A run that was stopped goes on where it was: replies are not paid again, and calls that ended do not run again. One
    that was started and did not end runs again only if its tool is idempotent.
    """

    def __init__(self, path: str | Path) -> None:
        self._journal = Journal(path)

    def __enter__(self) -> Self:
        self._journal.__enter__()
        return self

    def __exit__(self, *raised: object) -> None:
        self._journal.__exit__(*raised)

    def key(self, caller: str, number: Any, messages: Sequence[Any]) -> str:
        """Returns the key of a reply or of a call: who is called, when, and after which messages."""
        return key_of("act", f"{caller} {number}", messages)

    def completion(self, key: str) -> Completion | None:
        entry = self._journal.get(key)
        if entry is None:
            return None
        try:
            found, _read = decode(key, entry, "")
        except ValueError as error:
            raise self._odd(error) from error
        return Recalled(found.text, found.finish_reason, found.usage, found.tool_calls)

    def keep(self, key: str, completion: Completion) -> None:
        self._journal.set(key, encode(key, completion, "", None))

    def start(self, key: str) -> None:
        self._journal.set(key, b"{}")

    def end(self, key: str, outcome: Outcome) -> None:
        held = {"text": outcome.text, "error": outcome.error, "is_running": outcome.is_running}
        self._journal.set(key, json.dumps(held).encode())

    def outcome(self, key: str, is_idempotent: bool) -> Outcome | None:
        """Returns what is known of a call, or None if it is to run."""
        entry = self._journal.get(key)
        if entry is None:
            return None
        try:
            held = json.loads(entry)
            if held:
                return Outcome(held["text"], bool(held["error"]), is_running=bool(held["is_running"]))
        except (ValueError, KeyError, TypeError) as error:
            raise self._odd(error) from error
        return None if is_idempotent else Outcome(UNKNOWN, error=True)

    def _odd(self, error: Exception) -> BatchError:
        return BatchError(f"the journal holds something else: {error}", str(self._journal.path))
