"""A cache in Redis or Valkey, by a client of redis-py, valkey-py, or any that works like them."""

from __future__ import annotations

import asyncio
import re
from inspect import iscoroutinefunction
from time import monotonic
from typing import Any

from ..errors import CacheError
from .base import Cache, at_once, namespace_of

_GLOB = re.compile(r"([*?\[\]\\^-])")
_BATCH = 500  # keys that one SCAN looks at


class RedisCache(Cache):
    """A cache in the database of a client. The server decides how much to keep (`maxmemory`, with `allkeys-lru`).

    The client sets the time limits, and its owner closes it.

    Args:
        client: A sync or an async client, such as `redis.Redis()`.
        prefix: The beginning of all keys.
        ttl: The seconds after which an entry expires; None for never.
        pause: The seconds for which a server that failed is left alone, so that not every question waits.

    Raises:
        CacheError: `client` is not a client.
    """

    failures = (Exception,)  # clients have exceptions of their own

    def __init__(
        self, client: Any, *, prefix: str = "structured-response:", ttl: float | None = None, pause: float = 1.0
    ) -> None:
        super().__init__(ttl)
        if not callable(getattr(client, "execute_command", None)) or isinstance(client, type):
            raise CacheError(f"RedisCache takes a client, such as redis.Redis(), not {type(client).__name__}")
        self.client = client
        self.prefix = prefix
        self.pause = pause
        self._is_async = iscoroutinefunction(client.execute_command)
        self._again = 0.0  # the time from which the server may be called again

    def _do(self, operation: str, *given: Any) -> Any:
        if self._is_async:
            raise TypeError("the client is async: use `aask`, and the methods whose names begin with an a")
        return at_once(self._run(operation, *given))

    async def _ado(self, operation: str, *given: Any) -> Any:
        if self._is_async:
            return await self._run(operation, *given)
        return await asyncio.to_thread(self._do, operation, *given)

    async def _run(self, operation: str, *given: Any) -> Any:
        if monotonic() < self._again:
            raise ConnectionError("left alone after a failure")
        try:
            return await getattr(self, f"_{operation}")(*given)
        except Exception:
            self._again = monotonic() + self.pause
            raise

    async def _command(self, *command: Any) -> Any:
        got = self.client.execute_command(*command)
        return await got if self._is_async else got

    async def _get(self, keys: list[str]) -> dict[str, bytes]:
        values = await self._command("MGET", *(self.prefix + key for key in keys)) if keys else []
        return {key: _bytes(value) for key, value in zip(keys, values, strict=True) if value is not None}

    async def _set(self, items: dict[str, bytes], ttl: float | None) -> bool:
        stored = {self.prefix + key: value for key, value in items.items()}
        if ttl is None and stored:
            await self._command("MSET", *(part for item in stored.items() for part in item))
        elif ttl is not None:
            for item in stored.items():
                await self._command("SET", *item, "PX", max(1, round(ttl * 1_000)))
        return True

    async def _delete(self, key: str) -> Any:
        return await self._command("DEL", self.prefix + key)

    async def _clear(self, namespace: str | None) -> int:
        within = "" if namespace is None else f"{namespace}:"
        pattern = _GLOB.sub(r"\\\1", self.prefix + within) + "*"
        cursor, gone = 0, 0
        while True:
            cursor, keys = await self._command("SCAN", cursor, "MATCH", pattern, "COUNT", _BATCH)
            names = [_bytes(key).decode(errors="replace").removeprefix(self.prefix) for key in keys]
            matching = [key for key, name in zip(keys, names, strict=True) if namespace in (None, namespace_of(name))]
            gone += await self._command("DEL", *matching) if matching else 0
            cursor = int(cursor)
            if not cursor:
                return gone

    async def _close(self) -> None:
        pass


def _bytes(value: Any) -> bytes:
    """Returns a value as it was stored, even if the client decodes what it gets."""
    return value.encode() if isinstance(value, str) else bytes(value)
