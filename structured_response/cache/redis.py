"""A cache in Redis or Valkey, by a client of the user's: redis-py, valkey-py, or whatever speaks as they do.

Each operation is written once, as a generator of commands, and carried out with or without `await`.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Generator
from inspect import isawaitable, iscoroutine, iscoroutinefunction
from time import monotonic
from typing import Any, TypeAlias

from ..errors import CacheError
from .base import Cache, namespace_of

__all__ = ["RedisCache"]

Commands: TypeAlias = Generator[tuple[Any, ...], Any, Any]

_GLOB = re.compile(r"([*?\[\]\\^-])")
_BATCH = 500  # keys that one SCAN looks at


class RedisCache(Cache):
    """The database of a `client`, sync or async, under keys that begin with `prefix`. Entries never expire unless
    there is a `ttl`; how much is kept is the server's to say (`maxmemory`, with `allkeys-lru`).

    Whoever made the client closes it, and says how long it waits for a server that is down. After a failure the server
    is left alone for `pause` seconds, so that not every question waits.
    """

    failures = (Exception,)  # what a client raises depends on whose it is

    def __init__(
        self, client: Any, *, prefix: str = "structured-response:", ttl: float | None = None, pause: float = 1.0
    ) -> None:
        if not callable(getattr(client, "execute_command", None)) or isinstance(client, type):
            raise CacheError(f"RedisCache takes a client, such as redis.Redis(), not {type(client).__name__}")
        self.client = client
        self.prefix = prefix
        self.ttl = ttl
        self.pause = pause
        self._again = 0.0  # when the server may be asked again

    def _do(self, operation: str, *given: Any) -> Any:
        commands = self._commands(operation, *given)
        try:
            command = next(commands)
            while True:
                command = commands.send(_at_once(self.client.execute_command(*command)))
        except StopIteration as end:
            return end.value
        except Exception:
            self._again = monotonic() + self.pause
            raise

    async def _ado(self, operation: str, *given: Any) -> Any:
        if not iscoroutinefunction(self.client.execute_command):
            return await asyncio.to_thread(self._do, operation, *given)
        commands = self._commands(operation, *given)
        try:
            command = next(commands)
            while True:
                command = commands.send(await self.client.execute_command(*command))
        except StopIteration as end:
            return end.value
        except Exception:
            self._again = monotonic() + self.pause
            raise

    def _commands(self, operation: str, *given: Any) -> Commands:
        if monotonic() < self._again:
            raise ConnectionError("left alone after a failure")
        commands: Commands = getattr(self, f"_{operation}")(*given)
        return commands

    def _get(self, key: str) -> Commands:
        value = yield "GET", self.prefix + key
        return None if value is None else _bytes(value)

    def _get_many(self, keys: list[str]) -> Commands:
        if not keys:
            return {}
        values = yield "MGET", *(self.prefix + key for key in keys)
        return {key: _bytes(value) for key, value in zip(keys, values, strict=True) if value is not None}

    def _set_many(self, items: dict[str, bytes], ttl: float | None) -> Commands:
        ttl = self.ttl if ttl is None else ttl
        if ttl is None and items:
            yield "MSET", *(part for key, value in items.items() for part in (self.prefix + key, value))
        elif ttl is not None:
            for key, value in items.items():
                yield "SET", self.prefix + key, value, "PX", max(1, round(ttl * 1_000))
        return True

    def _delete(self, key: str) -> Commands:
        return (yield "DEL", self.prefix + key)

    def _clear(self, namespace: str | None) -> Commands:
        within = "" if namespace is None else f"{namespace}:"
        pattern = _GLOB.sub(r"\\\1", self.prefix + within) + "*"
        cursor, gone = 0, 0
        while True:
            cursor, keys = yield "SCAN", cursor, "MATCH", pattern, "COUNT", _BATCH
            names = [_bytes(key).decode(errors="replace").removeprefix(self.prefix) for key in keys]
            doomed = [key for key, name in zip(keys, names, strict=True) if namespace in (None, namespace_of(name))]
            if doomed:
                gone += yield "DEL", *doomed
            cursor = int(cursor)
            if not cursor:
                return gone

    def _close(self) -> Commands:
        yield from ()
        return None


def _at_once(got: Any) -> Any:
    if isawaitable(got):
        if iscoroutine(got):
            got.close()
        raise TypeError("the client is an async one: use `aask`, and the methods that begin with an a")
    return got


def _bytes(value: Any) -> bytes:
    """A value as it was stored, also where the client decodes what it gets."""
    return value.encode() if isinstance(value, str) else bytes(value)
