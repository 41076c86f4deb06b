"""The calls of many questions: within the limits, and written to the journal."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..completion import Completion, Message, Usage, is_completion
from ..errors import AskError, BatchError
from .caching import Recalled, decode, encode, key_of
from .journal import Journal
from .pace import Pace


@dataclass(eq=False)
class Line:
    """A language model as one question asks it. All questions share the journal and the limits.

    The journal is never awaited: a task that is cancelled between a reply and its entry would lose what was paid for.
    """

    complete: Any
    cache_key: str | None
    class_name: str
    journal: Journal | None
    pace: Pace
    world: Any
    silences: int = 0  # replies without text, after each of which the same messages are sent again

    def __call__(self, messages: list[Message]) -> Any:
        return self.world.run(self._call(messages))

    async def _call(self, messages: list[Message]) -> Any:
        """The completion that is in the journal, or else that of a call, for which equal calls wait."""
        if self.journal is None:
            return await self._paced(messages)
        caller = f"{self.cache_key} {self.silences}" if self.silences else str(self.cache_key)
        key = key_of(self.class_name, caller, messages)
        flights, place = self.world.flights, (id(self.journal), key)
        while True:
            flight, leads = flights.join(place)
            if leads:
                break
            await flights.do(flights.wait, flight.end)
        with flights.lead(place, flight):
            completion = await self._kept(key, messages)
        if is_completion(completion):
            self.silences += not completion.text.strip()
        return completion

    async def _kept(self, key: str, messages: list[Message]) -> Any:
        """The completion of the journal, or what a call returns, which is written to it if it is a completion."""
        assert self.journal is not None
        entry = self.journal.get(key)
        if entry is not None:
            return _recalled(key, entry, self.journal)
        given = await self._paced(messages)
        completion = Completion(given) if isinstance(given, str) else given
        if is_completion(completion):
            self.journal.set(key, encode(key, completion, "", None))
        return completion

    async def _paced(self, messages: list[Message]) -> Any:
        """Calls once the limits allow it."""
        tokens = self.pace.reserve(messages, getattr(self.complete, "params", None))
        do, seconds = self.world.flights.do, 0.0
        while True:
            await do(self.world.sleep, seconds)  # ends here if the iterator was closed
            seconds = self.pace.take(tokens)
            if not seconds:
                break
        usage = None
        try:
            given = await do(self.complete, messages)
            usage = given.usage if isinstance(given, Completion) else Usage()
        finally:
            self.pace.settle(tokens, usage)
        return given

    def note_failure(self, messages: Sequence[Message], failure: AskError) -> None:
        """Writes a failure to the journal, unless the task itself was wrong. The next run asks again."""
        if self.journal is not None and messages:
            key = key_of(f"{self.class_name} failed", str(self.cache_key), messages)
            self.journal.set(key, json.dumps([str(problem) for problem in failure.problems]).encode())


def _recalled(key: str, entry: bytes, journal: Journal) -> Recalled:
    try:
        completion, _read = decode(key, entry, "")
    except ValueError as error:
        raise BatchError(f"the journal holds something else: {error}", str(journal.path)) from error
    return Recalled(completion.text, completion.finish_reason, completion.usage)
