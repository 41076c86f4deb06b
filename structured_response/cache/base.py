"""What all caches have in common: their methods, with and without `await`, and what becomes of one that fails.

A cache does its work in two methods, `_do` and `_ado`, which are given the name of an operation and its arguments.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Self

from ..errors import CacheError
from ..warn_once import recovered, warn_once

__all__ = ["Cache", "checked_cache", "namespace_of"]

_NAMESPACE = re.compile(r"(.*):[^:]*", re.DOTALL)


def namespace_of(key: str) -> str:
    """What stands before the last colon of a key; empty where there is none."""
    match = _NAMESPACE.fullmatch(key)
    return match[1] if match else ""


def checked_cache(cache: Any) -> Any:
    """The cache that `ask` was given. Raises `CacheError` for anything that is none: it would be a miss for ever."""
    methods = (getattr(cache, name, None) for name in ("get", "set"))
    if cache is None or (all(map(callable, methods)) and not isinstance(cache, type)):
        return cache
    given = f"the class {cache.__name__}" if isinstance(cache, type) else f"of type {type(cache).__name__}"
    raise CacheError(f"cache= is {given}; give an object with get and set, such as SqliteCache('replies.sqlite')")


class Cache(ABC):
    """Bytes under keys, which are texts; what stands before a key's last colon is its namespace.

    A cache that fails gives nothing and keeps nothing, and says so once in the log, as a warning of the logger
    `structured_response.cache`, until it works again. `ttl` is in seconds; None is the cache's own.
    """

    failures: ClassVar[tuple[type[Exception], ...]] = (OSError,)
    """What the store behind the cache raises where it fails."""

    @abstractmethod
    def _do(self, operation: str, *given: Any) -> Any:
        """Does one of `get`, `get_many`, `set_many`, `delete`, `clear` and `close`. Raises what the store raises."""

    @abstractmethod
    async def _ado(self, operation: str, *given: Any) -> Any:
        """The same, awaited."""

    def get(self, key: str) -> bytes | None:
        """The value of a key, or None."""
        found: bytes | None = self._try("get", *_keys(key))
        return found

    def get_many(self, keys: Iterable[str]) -> dict[str, bytes]:
        """The values of those keys that are there."""
        found: dict[str, bytes] | None = self._try("get_many", _keys(keys))
        return found or {}

    def set(self, key: str, value: bytes, ttl: float | None = None) -> bool:
        """Stores a value; True once it is kept."""
        return self.set_many({key: value}, ttl)

    def set_many(self, items: Mapping[str, bytes], ttl: float | None = None) -> bool:
        """Stores values; True once they are kept."""
        return self._try("set_many", _items(items), _seconds(ttl)) is not None

    def delete(self, key: str) -> bool:
        """Removes a key; True where it was there."""
        return bool(self._try("delete", *_keys(key)))

    def clear(self, namespace: str | None = None) -> int:
        """Removes everything, or one namespace; how many keys that were."""
        return self._try("clear", namespace) or 0

    def close(self) -> None:
        """Lets go of what the cache holds. Used again, it begins again."""
        self._try("close")

    async def aget(self, key: str) -> bytes | None:
        found: bytes | None = await self._atry("get", *_keys(key))
        return found

    async def aget_many(self, keys: Iterable[str]) -> dict[str, bytes]:
        found: dict[str, bytes] | None = await self._atry("get_many", _keys(keys))
        return found or {}

    async def aset(self, key: str, value: bytes, ttl: float | None = None) -> bool:
        return await self.aset_many({key: value}, ttl)

    async def aset_many(self, items: Mapping[str, bytes], ttl: float | None = None) -> bool:
        return await self._atry("set_many", _items(items), _seconds(ttl)) is not None

    async def adelete(self, key: str) -> bool:
        return bool(await self._atry("delete", *_keys(key)))

    async def aclear(self, namespace: str | None = None) -> int:
        return await self._atry("clear", namespace) or 0

    async def aclose(self) -> None:
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
        try:
            done = self._do(operation, *given)
        except self.failures as error:
            warn_once(self, operation, error)
            return None
        recovered(self, operation)
        return done

    async def _atry(self, operation: str, *given: Any) -> Any:
        try:
            done = await self._ado(operation, *given)
        except self.failures as error:
            warn_once(self, operation, error)
            return None
        recovered(self, operation)
        return done


def _keys(keys: Any) -> list[str]:
    if isinstance(keys, str):
        return [keys]
    found = list(keys) if isinstance(keys, Iterable) else [keys]
    for key in found:
        if not isinstance(key, str):
            raise TypeError(f"a key is a text, not {type(key).__name__}")
    return found


def _items(items: Mapping[str, bytes]) -> dict[str, bytes]:
    for value in items.values():
        if not isinstance(value, bytes):
            raise TypeError(f"a cache keeps bytes, not {type(value).__name__}")
    _keys(items)
    return dict(items)


def _seconds(ttl: float | None) -> float | None:
    if ttl is not None and not ttl > 0:
        raise ValueError(f"ttl is a number of seconds above 0, not {ttl!r}")
    return ttl
