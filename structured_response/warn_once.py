"""Logs one warning for each failing cache until it recovers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Lock
from typing import Any
from weakref import WeakKeyDictionary

LOGGER = "structured_response.cache"

_failing: WeakKeyDictionary[Any, str] = WeakKeyDictionary()  # caches, each with the operation that failed
_lock = Lock()


@contextmanager
def warn_once(cache: Any, operation: str, failures: tuple[type[Exception], ...] = (Exception,)) -> Iterator[None]:
    """Logs a failure of an operation in place of raising it, unless the cache is known to fail already."""
    try:
        yield
    except failures as error:
        with _lock, suppress(TypeError):  # a cache without a hash cannot be remembered: each of its failures is logged
            if cache in _failing:
                return
            _failing[cache] = operation
        import logging

        # In the log and not by `warnings`, which a program may have turned into exceptions.
        name = type(cache).__name__
        logging.getLogger(LOGGER).warning("%s failed to %s, which is a miss: %r", name, operation, error)
    else:
        with _lock, suppress(TypeError):
            if _failing.get(cache) == operation:
                del _failing[cache]
