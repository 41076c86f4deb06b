"""The calls of many questions: within the limits, and written to the journal."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from ..completion import Completion, Message
from ..errors import AskError, BatchError
from .caching import Flights, Recalled, decode, encode, key_of
from .journal import Journal
from .pace import Pace

Calling: TypeAlias = Callable[[], Awaitable[Completion]]


@dataclass(eq=False)
class Channel:
    """A language model as one question asks it. All questions share the journal and the limits.

    The journal is never awaited: a task that is cancelled between a reply and its entry would lose what was paid for.
    """

    complete: Any
    cache_key: str | None
    class_name: str
    journal: Journal | None
    pace: Pace
    flights: Flights
    sleep: Callable[[float], Any]
    silences: int = 0  # replies without text, after each of which the same messages are sent again

    async def kept(self, messages: Sequence[Message], call: Calling) -> Completion:
        """Returns the completion from the journal, or else that of a call, for which equal calls wait."""
        if self.journal is None:
            return await call()
        caller = f"{self.cache_key} {self.silences}" if self.silences else str(self.cache_key)
        key = key_of(self.class_name, caller, messages)
        flights, place = self.flights, (id(self.journal), key)
        while True:
            flight, leads = flights.join(place)
            if leads:
                break
            await flights.do(flights.wait, flight.end)
        with flights.lead(place, flight):
            entry = self.journal.get(key)
            if entry is not None:
                try:
                    kept, _read = decode(key, entry, "")
                except ValueError as error:
                    raise BatchError(f"the journal holds something else: {error}", str(self.journal.path)) from error
                completion: Completion = Recalled(kept.text, kept.finish_reason, kept.usage, kept.tool_calls)
            else:
                completion = await call()
                self.journal.set(key, encode(key, completion, "", None))
        self.silences += not completion.text.strip()
        return completion

    async def paced(self, messages: Sequence[Message], call: Calling) -> Completion:
        """Calls once the limits allow it."""
        tokens = self.pace.reserve(messages, getattr(self.complete, "params", None))
        do, seconds = self.flights.do, 0.0
        while True:
            await do(self.sleep, seconds)  # ends here if the iterator was closed
            seconds = self.pace.take(tokens)
            if not seconds:
                break
        usage = None
        try:
            completion = await call()
            usage = completion.usage
        finally:
            self.pace.settle(tokens, usage)
        return completion

    def note_failure(self, messages: Sequence[Message], failure: AskError) -> None:
        """Writes a failure to the journal, unless the task itself was wrong. The next run asks again."""
        if self.journal is not None and messages:
            key = key_of(f"{self.class_name} failed", str(self.cache_key), messages)
            self.journal.set(key, json.dumps([str(problem) for problem in failure.problems]).encode())
