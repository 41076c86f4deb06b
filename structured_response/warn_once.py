"""What is said of a cache that fails: one warning in the log, until it works again."""

from __future__ import annotations

from contextlib import suppress
from threading import Lock
from typing import Any
from weakref import WeakKeyDictionary

__all__ = ["LOGGER", "OutageLog"]

LOGGER = "structured_response.cache"


class OutageLog:
    """Which caches fail at the moment, as far as one part of the program has seen, and what they failed to do."""

    def __init__(self) -> None:
        self._failing: WeakKeyDictionary[Any, str] = WeakKeyDictionary()
        self._lock = Lock()

    def failed(self, cache: Any, doing: str, error: BaseException) -> None:
        """Logs a warning, unless this cache has failed before and not worked since. Never raises.

        In the log and not by `warnings`, which a program may have turned into exceptions.
        """
        if self._is_known(cache, doing):
            return
        import logging

        logging.getLogger(LOGGER).warning("%s failed to %s, which is a miss: %r", type(cache).__name__, doing, error)

    def works(self, cache: Any, doing: str) -> None:
        """Forgets that the cache has failed, if it was this that it failed to do."""
        if self._failing:
            with self._lock, suppress(TypeError):
                if self._failing.get(cache) == doing:
                    del self._failing[cache]

    def _is_known(self, cache: Any, doing: str) -> bool:
        with self._lock:
            try:
                known = cache in self._failing
                self._failing.setdefault(cache, doing)
            except TypeError:
                return False  # what cannot be remembered is told each time
            return known
