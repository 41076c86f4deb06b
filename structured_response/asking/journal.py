"""The journal of many questions: a file of all replies, which the next run reads."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from ..cache import SqliteCache
from ..completion import Completion
from ..errors import BatchError, CacheError
from ..packing import failing
from .caching import Calling, Flights, decode, encode


class Journal(SqliteCache):
    """A cache of all replies to the questions of a job. It removes nothing, and raises `BatchError` when it fails."""

    def __init__(self, path: str | Path) -> None:
        with self._raising("open", Path(path)):
            super().__init__(path, max_bytes=sys.maxsize)

    async def kept(self, key: str, call: Calling, flights: Flights) -> tuple[Completion, bool]:
        """Returns a completion, and whether it was in the journal. Equal calls wait for each other.

        The journal is never awaited: a task that is cancelled between a reply and its entry would lose what was paid.
        """
        place = id(self), key
        while True:
            flight, leads = flights.join(place)
            if leads:
                break
            await flights.do(flights.wait, flight.end)
        with flights.lead(place, flight):
            known = self.completion(key)
            completion = known or await call()
            if known is None:
                self.set(key, encode(key, completion))
        return completion, known is not None

    def completion(self, key: str) -> Completion | None:
        entry = self.get(key)
        if entry is None:
            return None
        try:
            return decode(key, entry)
        except ValueError as error:
            raise BatchError(f"the journal holds something else: {error}", str(self.path)) from error

    def _try(self, operation: str, *given: Any) -> Any:
        with self._raising(operation, self.path):
            return self._do(operation, *given)

    def _raising(self, operation: str, path: Path) -> AbstractContextManager[None]:
        def fail(reason: str) -> BatchError:
            return BatchError(f"the journal failed to {operation}: {reason}", str(path))

        return failing(fail, CacheError, *self.failures)
