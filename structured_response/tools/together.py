"""Runs the calls of a reply at the same time, in threads or as tasks."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import Future
from contextvars import copy_context
from threading import Thread
from typing import Any

from ..asking.caching import THREADS, Flights
from ..cache.base import at_once


async def together(flights: Flights, jobs: Sequence[Callable[[], Coroutine[Any, Any, Any]]]) -> list[Any]:
    """Returns what coroutine functions return, in their order. All of them end before the first exception is raised."""
    if flights is not THREADS:
        done = await asyncio.gather(*(job() for job in jobs), return_exceptions=True)
    elif len(jobs) == 1:
        return [await jobs[0]()]
    else:
        done = [_ended(future) for future in [_started(job) for job in jobs]]
    for each in done:
        if isinstance(each, BaseException):
            raise each
    return list(done)


def _started(job: Callable[[], Coroutine[Any, Any, Any]]) -> Future[Any]:
    """Starts a job in a daemon thread, which does not keep the program from ending."""
    future: Future[Any] = Future()

    def work() -> None:
        try:
            future.set_result(at_once(job()))
        except BaseException as error:  # noqa: BLE001 - it is raised where the result is taken
            future.set_exception(error)

    Thread(target=copy_context().run, args=(work,), daemon=True).start()
    return future


def _ended(future: Future[Any]) -> Any:
    error = future.exception()
    return future.result() if error is None else error
