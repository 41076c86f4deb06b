"""Runs the calls of a reply at the same time, in threads or as tasks."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from ..asking.caching import THREADS, Flights
from ..cache.base import at_once
from .running import started


async def together(flights: Flights, jobs: Sequence[Callable[[], Coroutine[Any, Any, Any]]]) -> list[Any]:
    """Returns what coroutine functions return, in their order. All of them end before the first exception is raised."""
    if flights is not THREADS:
        done = await asyncio.gather(*(job() for job in jobs), return_exceptions=True)
    elif len(jobs) == 1:
        return [await jobs[0]()]
    else:
        futures = [started(lambda _future, job=job: at_once(job()), "calls of tools") for job in jobs]  # type: ignore[misc]
        done = [future.exception() or future.result() for future in futures]
    for each in done:
        if isinstance(each, BaseException):
            raise each
    return list(done)
