"""The methods of all caches, with and without `await`, and the cache in memory."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Coroutine, Iterable, Mapping
from threading import RLock
from time import monotonic
from typing import Any, ClassVar, Self, TypeVar

from ..warn_once import warn_once

T = TypeVar("T")


def namespace_of(key: str) -> str:
    return key.rpartition(":")[0]


def at_once(running: Coroutine[Any, Any, T]) -> T:
    try:
        running.send(None)
    except StopIteration as end:
        done: T = end.value
        return done
    running.close()
    raise RuntimeError("a coroutine that must not wait did")


class Cache:
    """Bytes under keys, which are texts. The part of a key before its last colon is its namespace.

    A cache that fails behaves as if it were empty. It logs one warning, by the logger `structured_response.cache`,
    until it works again. Each method has an async twin, whose name begins with an "a".

    A key that is not a `str` and a value that is not `bytes` are a `TypeError`. A `ttl` has to be above 0, or it is a
    `ValueError`.

    Args:
        ttl: The seconds after which an entry expires, unless `set` says otherwise; None for never.
    """

    failures: ClassVar[tuple[type[Exception], ...]] = (OSError,)
    """The exceptions of the store behind the cache."""

    def __init__(self, ttl: float | None = None) -> None:
        self.ttl = ttl
        self._lock = RLock()

    def _do(self, operation: str, *given: Any) -> Any:
        """Runs `_get`, `_set`, `_delete`, `_clear` or `_close`. Raises what the store raises."""
        with self._lock:
            return getattr(self, f"_{operation}")(*given)

    async def _ado(self, operation: str, *given: Any) -> Any:
        return self._do(operation, *given)

    def get(self, key: str) -> bytes | None:
        """Returns the value of a key, or None."""
        return self.get_many([key]).get(key)

    def get_many(self, keys: Iterable[str]) -> dict[str, bytes]:
        """Returns the values of those keys that the cache has, in one look-up."""
        return self._try("get", _keys(keys)) or {}

    def set(self, key: str, value: bytes, ttl: float | None = None) -> bool:
        """Stores a value. Returns whether it is kept.

        Args:
            key: The key.
            value: The value.
            ttl: The seconds after which it expires. None takes the cache's own.
        """
        return self.set_many({key: value}, ttl)

    def set_many(self, items: Mapping[str, bytes], ttl: float | None = None) -> bool:
        """Stores values by their keys, with the `ttl` of `set`. Returns whether they are kept."""
        return bool(self._try("set", _items(items), self._seconds(ttl)))

    def delete(self, key: str) -> bool:
        """Removes a key. Returns whether the cache had it."""
        return bool(self._try("delete", *_keys([key])))

    def clear(self, namespace: str | None = None) -> int:
        """Removes the keys of a namespace, or all without one. Returns their number."""
        return self._try("clear", namespace) or 0

    def close(self) -> None:
        """Releases what the cache holds. It may be used again, though a `MemoryCache` is empty then."""
        self._try("close")

    async def aget(self, key: str) -> bytes | None:
        """Does the same as `get`, with `await`."""
        return (await self.aget_many([key])).get(key)

    async def aget_many(self, keys: Iterable[str]) -> dict[str, bytes]:
        """Does the same as `get_many`, with `await`."""
        return await self._atry("get", _keys(keys)) or {}

    async def aset(self, key: str, value: bytes, ttl: float | None = None) -> bool:
        """Does the same as `set`, with `await`."""
        return await self.aset_many({key: value}, ttl)

    async def aset_many(self, items: Mapping[str, bytes], ttl: float | None = None) -> bool:
        """Does the same as `set_many`, with `await`."""
        return bool(await self._atry("set", _items(items), self._seconds(ttl)))

    async def adelete(self, key: str) -> bool:
        """Does the same as `delete`, with `await`."""
        return bool(await self._atry("delete", *_keys([key])))

    async def aclear(self, namespace: str | None = None) -> int:
        """Does the same as `clear`, with `await`."""
        return await self._atry("clear", namespace) or 0

    async def aclose(self) -> None:
        """Does the same as `close`, with `await`."""
        await self._atry("close")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    def _try(self, operation: str, *given: Any) -> Any:
        with warn_once(self, operation, self.failures):
            return self._do(operation, *given)

    async def _atry(self, operation: str, *given: Any) -> Any:
        with warn_once(self, operation, self.failures):
            return await self._ado(operation, *given)

    def _seconds(self, ttl: float | None) -> float | None:
        if ttl is not None and not ttl > 0:
            raise ValueError(f"ttl must be a number of seconds above 0, not {ttl!r}")
        return self.ttl if ttl is None else ttl


class MemoryCache(Cache):
    """A cache that threads of one process may share.

    Args:
        size: The number of values to keep: those that were used last.
        ttl: The seconds after which an entry expires; None for never.

    Raises:
        ValueError: `size` is below 1.
    """

    failures = ()

    def __init__(self, size: int = 1_024, ttl: float | None = None) -> None:
        super().__init__(ttl)
        if size < 1:
            raise ValueError(f"size must be at least 1, not {size!r}")
        self.size = size
        self._held: OrderedDict[str, tuple[bytes, float]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._held)

    def _get(self, keys: list[str]) -> dict[str, bytes]:
        now = monotonic()
        found = {key: self._held[key][0] for key in keys if key in self._held and self._held[key][1] > now}
        for key in found:
            self._held.move_to_end(key)
        return found

    def _set(self, items: dict[str, bytes], ttl: float | None) -> bool:
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


def _keys(keys: Iterable[str]) -> list[str]:
    keys = [keys] if isinstance(keys, str) else list(keys)
    for key in keys:
        if not isinstance(key, str):
            raise TypeError(f"a key must be a str, not {type(key).__name__}")
    return keys


def _items(items: Mapping[str, bytes]) -> dict[str, bytes]:
    _keys(items)
    for value in items.values():
        if not isinstance(value, bytes):
            raise TypeError(f"a value must be bytes, not {type(value).__name__}")
    return dict(items)
