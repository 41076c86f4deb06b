"""A cache in the memory of one process."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from time import monotonic
from typing import Any

from .base import Cache, namespace_of

__all__ = ["MemoryCache"]


class MemoryCache(Cache):
    """At most `size` values, those that were used last. Threads may share it."""

    failures = ()

    def __init__(self, size: int = 1_024, ttl: float | None = None) -> None:
        if size < 1:
            raise ValueError(f"size is a number of entries above 0, not {size!r}")
        self.size = size
        self.ttl = ttl
        self._held: OrderedDict[str, tuple[bytes, float]] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._held)

    def _do(self, operation: str, *given: Any) -> Any:
        with self._lock:
            return getattr(self, f"_{operation}")(*given)

    async def _ado(self, operation: str, *given: Any) -> Any:
        return self._do(operation, *given)

    def _get(self, key: str) -> bytes | None:
        held = self._held.get(key)
        if held is None or held[1] <= monotonic():
            return None
        self._held.move_to_end(key)
        return held[0]

    def _get_many(self, keys: list[str]) -> dict[str, bytes]:
        return {key: value for key in keys if (value := self._get(key)) is not None}

    def _set_many(self, items: dict[str, bytes], ttl: float | None) -> bool:
        ttl = self.ttl if ttl is None else ttl
        expires = float("inf") if ttl is None else monotonic() + ttl
        for key, value in items.items():
            self._held[key] = (value, expires)
            self._held.move_to_end(key)
        while len(self._held) > self.size:
            self._held.popitem(last=False)
        return True

    def _delete(self, key: str) -> bool:
        return self._held.pop(key, None) is not None

    def _clear(self, namespace: str | None) -> int:
        gone = [key for key in self._held if namespace is None or namespace_of(key) == namespace]
        for key in gone:
            del self._held[key]
        return len(gone)

    def _close(self) -> None:
        self._held.clear()
