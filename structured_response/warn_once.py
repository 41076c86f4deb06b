"""Logs one warning per failing cache until it recovers."""

from __future__ import annotations

from contextlib import suppress
from threading import Lock
from typing import Any
from weakref import WeakKeyDictionary

__all__ = ["LOGGER", "recovered", "warn_once"]

LOGGER = "structured_response.cache"

_failing: WeakKeyDictionary[Any, str] = WeakKeyDictionary()
"""The caches that fail at the moment, and the operation that failed."""
_lock = Lock()


def warn_once(cache: Any, operation: str, error: BaseException) -> None:
    """Logs that a cache failed, unless it is known to fail already. Never raises.

    In the log and not by `warnings`, which a program may have turned into exceptions.
    """
    with _lock, suppress(TypeError):  # a cache without a hash cannot be remembered: each of its failures is logged
        if cache in _failing:
            return
        _failing[cache] = operation
    import logging

    logging.getLogger(LOGGER).warning("%s failed to %s, which is a miss: %r", type(cache).__name__, operation, error)


def recovered(cache: Any, operation: str) -> None:
    """Forgets that a cache failed, if this is the operation that failed."""
    if _failing:
        with _lock, suppress(TypeError):
            if _failing.get(cache) == operation:
                del _failing[cache]
