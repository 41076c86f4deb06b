"""What a look-up and a store of a reply cost, beside sqlite3 and Redis bare, diskcache and cashews."""

from __future__ import annotations

import asyncio
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.cache.redis_server import RedisServer
from benchmarks.report import Section, Target, micros, table, times
from benchmarks.timing import Call, Effort, Race, progress, race
from structured_response.cache import MemoryCache, RedisCache, SqliteCache

ENTRIES = 10_000
SIZE = 1_000  # bytes of a value
OURS, BARE = "SqliteCache", "sqlite3, bare"

INTRODUCTION = f"""\
Values of {SIZE:,} bytes under {ENTRIES:,} keys, in an order that is drawn once. "sqlite3, bare" is one `SELECT` on the
very file of `SqliteCache`, by a connection of its own, and for storing an `INSERT OR REPLACE` into a table without
anything else, with the same settings; `SqliteCache` looks at the expiry, notes the use, and when it stores keeps the
order of use besides. diskcache does much the same by its own table. "redis-py, bare" is `GET` and `SET`
on a server on loopback, which `RedisCache` adds to. cashews can only be awaited: each of its calls pays for an event
loop's turn."""


def measure(effort: Effort) -> Section:
    progress("cache")
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        stores = [*_stores(stack, folder)]
        keys = [f"bench:{number:x}" for number in range(ENTRIES)]
        values = {key: Random(key).randbytes(SIZE) for key in keys}
        for _name, _get, store in stores:
            for key, value in values.items():
                store(key, value)
        gets = {name: _cycled(keys, get) for name, get, _store in stores}
        order = Random(1).sample(keys, 100)
        for name, get, _store in stores:
            if any(get(key) != values[key] for key in order):
                raise RuntimeError(f"{name} does not give what was stored")
        look_ups = race(gets, effort.small, effort.slice)
        writes = race({name: _written(values, store) for name, _get, store in stores}, effort.medium, effort.slice)
    rows = [_row(name, look_ups, writes) for name in gets]
    return Section(
        "Caches of replies",
        [INTRODUCTION, table(("", "get, us", "/ bare", "set, us", "/ bare"), rows)],
        [Target("`SqliteCache.get` / a bare sqlite3 select of the same row", 3.0, look_ups.ratio(OURS, BARE))],
    )


def _row(name: str, look_ups: Race, writes: Race) -> tuple[str, ...]:
    return (
        name,
        micros(look_ups.seconds(name)),
        times(look_ups.ratio(name, BARE)),
        micros(writes.seconds(name)),
        times(writes.ratio(name, BARE)),
    )


def _cycled(keys: list[str], get: Any) -> Call:
    following = cycle(Random(2).sample(keys, len(keys))).__next__
    return lambda: get(following())


def _written(values: dict[str, bytes], store: Any) -> Call:
    following = cycle(values.items()).__next__
    return lambda: store(*following())


Store = tuple[str, Any, Any]
"""A name, what looks a key up, and what stores a value under one."""


def _stores(stack: ExitStack, folder: Path) -> Iterator[Store]:
    path = folder / "ours.sqlite"
    ours = stack.enter_context(SqliteCache(path))
    ours.set("bench:0", b"")
    yield OURS, ours.get, ours.set
    yield BARE, *stack.enter_context(_bare(path, folder / "bare.sqlite"))
    memory = MemoryCache(ENTRIES * 2)
    yield "MemoryCache", memory.get, memory.set
    yield from _diskcache(stack, folder)
    yield from _redis(stack, folder)
    yield from _cashews(stack)


@contextmanager
def _bare(ours: Path, own: Path) -> Iterator[tuple[Any, Any]]:
    reader, writer = sqlite3.connect(ours, isolation_level=None), sqlite3.connect(own, isolation_level=None)
    for pragma in ("journal_mode = WAL", "synchronous = NORMAL"):
        writer.execute(f"PRAGMA {pragma}")
    writer.execute("CREATE TABLE entries (key TEXT PRIMARY KEY, value BLOB)")

    def get(key: str) -> Any:
        return reader.execute("SELECT value FROM entries WHERE key = ?", (key,)).fetchone()[0]

    def store(key: str, value: bytes) -> None:
        writer.execute("INSERT OR REPLACE INTO entries VALUES (?, ?)", (key, value))

    yield get, store
    reader.close()
    writer.close()


def _diskcache(stack: ExitStack, folder: Path) -> Iterator[Store]:
    try:
        import diskcache
    except ImportError:
        return
    disk = stack.enter_context(diskcache.Cache(str(folder / "disk")))
    yield "diskcache", disk.get, disk.set


def _redis(stack: ExitStack, folder: Path) -> Iterator[Store]:
    try:
        import redis

        server = RedisServer(folder)
    except (ImportError, FileNotFoundError) as error:
        progress(f"cache: without Redis, {error}")
        return
    stack.callback(server.stop)
    client = stack.enter_context(redis.Redis(port=server.port))
    yield "redis-py, bare", client.get, client.set
    cache = RedisCache(client)
    yield "RedisCache", cache.get, cache.set


def _cashews(stack: ExitStack) -> Iterator[Store]:
    try:
        from cashews import Cache
    except ImportError:
        return
    loop = asyncio.new_event_loop()
    stack.callback(loop.close)
    cache = Cache()
    cache.setup("mem://", size=ENTRIES * 2)
    loop.run_until_complete(cache.init())
    stack.callback(lambda: loop.run_until_complete(cache.close()))
    run = loop.run_until_complete
    yield "cashews, in memory", lambda key: run(cache.get(key)), lambda key, value: run(cache.set(key, value))
