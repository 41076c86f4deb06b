"""Caching while asking: keys and entries of a cache (a digest, a line break, and JSON), and calls in flight."""

from __future__ import annotations

import asyncio
import json
import os
import threading
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from inspect import isawaitable
from typing import Any, TypeAlias, TypeVar
from weakref import WeakKeyDictionary

from ..completion import Completion, Message

ModelT = TypeVar("ModelT")

Calling: TypeAlias = Callable[[], Awaitable[Completion]]
"""A call that is yet to be made."""

_DIGEST = 32  # hexadecimal digits


def key_of(class_name: str, caller: str, messages: Sequence[Message]) -> str:
    """Returns the key of a call: the class's name as its namespace, and a digest of the caller and the messages."""
    return f"{class_name}:{_digest(_json([caller, list(messages)]))}"


def encode(key: str, completion: Completion) -> bytes:
    """Returns the entry of a completion."""
    body = _json({"completion": completion.to_dict()})
    return f"{_digest(key.encode(), body)}\n".encode() + body


def decode(key: str, entry: bytes) -> Completion:
    """Returns the completion of an entry. Raises `ValueError` if `encode` did not write it."""
    if not isinstance(entry, bytes):
        raise ValueError(f"an entry is bytes, not {type(entry).__name__}")
    digest, found, body = entry.partition(b"\n")
    if not found or digest.decode("ascii", "replace") != _digest(key.encode(), body):
        raise ValueError("the entry is damaged")
    try:
        return Completion.from_dict(json.loads(body)["completion"])
    except (KeyError, TypeError, RecursionError) as error:
        raise ValueError("the entry is damaged") from error


def _json(data: Any) -> bytes:
    """Returns data as JSON in ASCII, since UTF-8 cannot encode half of a surrogate pair."""
    return json.dumps(data, default=repr, sort_keys=True).encode()


def _digest(*parts: bytes) -> str:
    digest = sha256()
    for part in parts:
        digest.update(len(part).to_bytes(8, "big") + part)
    return digest.hexdigest()[:_DIGEST]


@dataclass(eq=False)
class Flight:
    """A call that several callers wait for.

    Attributes:
        pieces: What has come of the reply, if its leader reads it as a stream. Another list is another reply.
        news: A future, done once there is another piece, or the end.
        end: A future of the completions, one or none, and of the exception that is for all callers.
    """

    future: Callable[[], Any]
    leader: Any
    pieces: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.news, self.end = self.future(), self.future()

    def add(self, piece: str) -> None:
        self.pieces.append(piece)
        news, self.news = self.news, self.future()
        news.set_result(None)


@dataclass(eq=False)
class Flights:
    """The flights of all threads, or of the tasks of one event loop.

    These are the two worlds of asking, so a wait before a retry is theirs too.
    """

    future: Callable[[], Any]
    wait: Callable[[Any], Any]
    sleep: Callable[[float], Any]
    caller: Callable[[], Any]

    def __post_init__(self) -> None:
        self.clear()

    async def do(self, function: Callable[..., Any], *given: Any) -> Any:
        """Calls a function, and awaits what it returns where that is possible."""
        got = function(*given)
        return await got if self is not THREADS and isawaitable(got) else got

    async def use(self, cache: Any, name: str, *given: Any) -> Any:
        """Calls a method of a cache, or its async twin if there is one."""
        plain = getattr(cache, name)
        return await self.do(plain if self is THREADS else getattr(cache, f"a{name}", plain), *given)

    def clear(self) -> None:
        """Forgets all flights. In a forked process, the threads that led them are gone."""
        self.lock = threading.Lock()
        self.open: dict[tuple[int, str], Flight] = {}  # by the identity of a cache, and a key in it

    def join(self, key: tuple[int, str]) -> tuple[Flight, bool]:
        """Returns the flight of a key, and whether the caller leads it. No caller waits for a stream of its own."""
        caller = self.caller()
        with self.lock:
            flight = self.open.get(key)
            if flight is not None and flight.leader != caller:
                return flight, False
            flight = Flight(self.future, caller)
            self.open.setdefault(key, flight)
            return flight, True

    @contextmanager
    def lead(
        self, key: tuple[int, str], flight: Flight, is_shared: Callable[[Exception], bool] = lambda _error: True
    ) -> Iterator[list[Completion]]:
        """Ends the flight with the block, which appends its completion. Without one the next caller leads.

        An exception is for all callers, unless `is_shared` says that it is about this one.
        """
        landed: list[Completion] = []
        error: Exception | None = None
        try:
            yield landed
        except Exception as raised:
            error = raised if landed or is_shared(raised) else None
            raise
        finally:
            if self.open.get(key) is flight:
                del self.open[key]
            flight.end.set_result((landed, error))
            flight.news.set_result(None)


THREADS = Flights(Future, Future.result, time.sleep, threading.get_ident)
_loops: WeakKeyDictionary[Any, Flights] = WeakKeyDictionary()

if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=THREADS.clear)


def tasks() -> Flights:
    """Returns the flights of the running event loop."""
    made = Flights(asyncio.Future, asyncio.shield, asyncio.sleep, asyncio.current_task)
    return _loops.setdefault(asyncio.get_running_loop(), made)
