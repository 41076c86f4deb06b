"""What is said of a cache that fails: one warning in the log, until it works again."""

from __future__ import annotations

from threading import Lock
from typing import Any
from weakref import WeakSet

__all__ = ["LOGGER", "Outages"]

LOGGER = "structured_response.cache"


class Outages:
    """Which caches fail at the moment, as far as one part of the program has seen."""

    def __init__(self) -> None:
        self._failing: WeakSet[Any] = WeakSet()
        self._lock = Lock()

    def failed(self, cache: Any, doing: str, error: BaseException) -> None:
        """Logs a warning, unless this cache has failed before and not worked since. Never raises.

        In the log and not by `warnings`, which a program may have turned into exceptions.
        """
        if self._is_known(cache):
            return
        import logging

        logging.getLogger(LOGGER).warning("%s failed to %s, which is a miss: %r", type(cache).__name__, doing, error)

    def works(self, cache: Any) -> None:
        """Forgets that the cache has failed."""
        if self._failing:
            with self._lock:
                try:
                    self._failing.discard(cache)
                except TypeError:
                    return

    def _is_known(self, cache: Any) -> bool:
        with self._lock:
            try:
                known = cache in self._failing
                self._failing.add(cache)
            except TypeError:
                return False  # what cannot be remembered is told each time
            return known
