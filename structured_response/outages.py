"""What is said of a cache that fails: one warning in the log, until it works again."""

from __future__ import annotations

from contextlib import suppress
from typing import Any
from weakref import WeakSet

__all__ = ["failed", "works"]

LOGGER = "structured_response.cache"

_failing: WeakSet[Any] = WeakSet()


def failed(cache: Any, doing: str, error: BaseException) -> None:
    """Logs a warning, unless this cache has failed before and not worked since. Never raises.

    In the log and not by `warnings`, which a program may have turned into exceptions.
    """
    try:
        if cache in _failing:
            return
        _failing.add(cache)
    except TypeError:
        pass  # what cannot be remembered is told each time
    import logging

    logging.getLogger(LOGGER).warning("%s failed to %s, which is a miss: %r", type(cache).__name__, doing, error)


def works(cache: Any) -> None:
    """Forgets that the cache has failed."""
    if _failing:
        with suppress(TypeError):
            _failing.discard(cache)
