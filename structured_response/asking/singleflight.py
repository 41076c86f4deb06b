"""Calls in flight: what is asked for while an identical call runs waits for that one's reply.

Threads wait for threads, and tasks for the tasks of their own event loop. Whoever comes first leads, and lands the
flight with what came of it: a completion, or the exception that all get. Where the leader was interrupted, another
one leads.
"""

from __future__ import annotations

import os
from collections.abc import MutableMapping
from threading import Event, Lock
from typing import Any, TypeAlias
from weakref import WeakKeyDictionary

from ..completion import Completion

__all__ = ["Flight", "join", "join_async"]

Key: TypeAlias = "tuple[int, str]"
"""The cache, by its identity, and the key in it."""


class Flight:
    """A call that is led: `land` says what came of it."""

    def __init__(self, flights: MutableMapping[Key, Flight], key: Key, arrival: Any) -> None:
        self.flights = flights
        self.key = key
        self.arrival = arrival  # an Event of threads, or of tasks
        self.completion: Completion | None = None
        self.error: Exception | None = None

    def land(self, completion: Completion | None, error: BaseException | None = None) -> None:
        """Ends the flight. The first landing counts."""
        if self.flights.pop(self.key, None) is not None:
            self.completion = completion
            self.error = error if isinstance(error, Exception) else None
            self.arrival.set()

    def result(self) -> Completion | None:
        """What came of it, or None where its leader was interrupted. Raises what the call raised."""
        if self.error is not None:
            raise self.error
        return self.completion


_flights: dict[Key, Flight] = {}
_lock = Lock()
_loops: WeakKeyDictionary[Any, dict[Key, Flight]] = WeakKeyDictionary()


def join(key: Key) -> Flight | Completion:
    """The completion of the flight under this key, or, where there is none, a flight to lead."""
    while True:
        with _lock:
            flight = _flights.get(key)
            if flight is None:
                _flights[key] = flight = Flight(_flights, key, Event())
                return flight
        flight.arrival.wait()
        completion = flight.result()
        if completion is not None:
            return completion


async def join_async(key: Key) -> Flight | Completion:
    """The same among the tasks of an event loop."""
    import asyncio

    flights = _loops.setdefault(asyncio.get_running_loop(), {})
    while True:
        flight = flights.get(key)
        if flight is None:
            flights[key] = flight = Flight(flights, key, asyncio.Event())
            return flight
        await flight.arrival.wait()
        completion = flight.result()
        if completion is not None:
            return completion


def _forget() -> None:
    """In a forked process nobody will ever land what other threads of its parent lead."""
    global _lock  # noqa: PLW0603
    _lock = Lock()
    _flights.clear()
    _loops.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
