"""Calls in flight: whoever asks the same while a call runs waits for its reply.

Threads wait for threads, and tasks for the tasks of their own event loop.
"""

from __future__ import annotations

import asyncio
import os
import threading
from typing import Any, Self, TypeAlias
from weakref import WeakKeyDictionary

from ..completion import Completion

__all__ = ["THREADS", "Flight", "Flights", "tasks"]

Key: TypeAlias = "tuple[int, str]"
"""The identity of a cache, and a key in it."""


class Flight:
    """A call that somebody leads. The leader sets the `completion` and leaves the context to end the flight."""

    def __init__(self, flights: Flights, key: Key) -> None:
        self.flights = flights
        self.key = key
        self.arrival = flights.event()
        self.completion: Completion | None = None
        self.error: Exception | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _kind: object, error: BaseException | None, _traceback: object) -> None:
        self.error = error if isinstance(error, Exception) else None
        if self.flights.open.get(self.key) is self:
            del self.flights.open[self.key]
        self.arrival.set()

    def wait(self) -> Any:
        """Waits for the end of the flight; for tasks, returns an awaitable that does."""
        return self.arrival.wait()

    def result(self) -> Completion | None:
        """The completion, or None if the leader was interrupted. Raises what the call raised."""
        if self.error is not None:
            raise self.error
        return self.completion


class Flights:
    """The flights of all threads, or of the tasks of one event loop."""

    def __init__(self, event: Any) -> None:
        self.event = event
        self.clear()

    def clear(self) -> None:
        """Forgets all flights. In a forked process, the threads that led them are gone."""
        self.lock = threading.Lock()
        self.open: dict[Key, Flight] = {}

    def join(self, key: Key) -> tuple[Flight, bool]:
        """The flight of a key, and whether the caller is to lead it."""
        with self.lock:
            if key in self.open:
                return self.open[key], False
            flight = self.open[key] = Flight(self, key)
            return flight, True


THREADS = Flights(threading.Event)
_loops: WeakKeyDictionary[Any, Flights] = WeakKeyDictionary()

if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=THREADS.clear)


def tasks() -> Flights:
    """The flights of the running event loop."""
    return _loops.setdefault(asyncio.get_running_loop(), Flights(asyncio.Event))
