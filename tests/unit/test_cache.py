"""What holds for every cache: what is put in comes out, as bytes, and goes when it is to go."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from structured_response.cache import Cache, MemoryCache, RedisCache, SqliteCache
from structured_response.cache.base import namespace_of
from structured_response.errors import CacheError
from structured_response.warn_once import LOGGER
from tests.redis_server import RedisServer, redis_server

Make = Callable[[], Cache]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    """A real server, if there is one."""
    running = redis_server(tmp_path_factory.mktemp("redis"))
    yield running
    running.stop()


@pytest.fixture(params=["memory", "sqlite", "redis-py", "redis-py, decoding", "valkey-py"])
def cache(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Cache]:
    """Each kind of cache, empty."""
    if request.param == "memory":
        yield MemoryCache(100)
        return
    if request.param == "sqlite":
        with SqliteCache(tmp_path / "a.sqlite") as sqlite:
            yield sqlite
        return
    package, _, decoding = request.param.partition(", ")
    module = pytest.importorskip(package.removesuffix("-py"))
    server: RedisServer = request.getfixturevalue("server")
    with module.from_url(f"redis://127.0.0.1:{server.port}", decode_responses=bool(decoding)) as client:
        client.flushall()
        yield RedisCache(client)


def test_what_is_set_is_got(cache: Cache) -> None:
    """The last value of a key, or None."""
    assert cache.get("a:1") is None
    assert cache.set("a:1", b"one")
    assert cache.set("a:1", b"two")
    assert cache.get("a:1") == b"two"


def test_several_at_once(cache: Cache) -> None:
    """Of many keys those that are there."""
    assert cache.set_many({"a:1": b"one", "a:2": b"two"})
    assert cache.get_many(["a:1", "a:2", "a:3"]) == {"a:1": b"one", "a:2": b"two"}
    assert cache.get_many([]) == {}
    assert cache.set_many({})


def test_delete(cache: Cache) -> None:
    """A key that is deleted is gone, and whether it was there is told."""
    cache.set("a:1", b"one")
    assert cache.delete("a:1")
    assert not cache.delete("a:1")
    assert cache.get("a:1") is None


def test_clear_takes_a_namespace_or_all(cache: Cache) -> None:
    """A namespace is what stands before the last colon, whatever is in it."""
    keys = ["Review:1", "Review:2", "Review:x:1", "Rev:1", "Rev*ew:1", "plain"]
    cache.set_many(dict.fromkeys(keys, b"1"))
    assert cache.clear("Rev*ew") == 1
    assert cache.clear("Review") == 2
    assert sorted(cache.get_many(keys)) == ["Rev:1", "Review:x:1", "plain"]
    assert cache.clear() == 3
    assert cache.get_many(keys) == {}


def test_an_entry_expires(cache: Cache) -> None:
    """After its seconds it is not there any more; one without seconds stays."""
    cache.set_many({"a:1": b"one", "a:2": b"two"}, ttl=60)
    assert cache.get("a:1") == b"one"
    cache.set("a:1", b"one", ttl=0.05)
    cache.set("a:3", b"three")
    time.sleep(0.1)  # in which 60 milliseconds pass too, should seconds be taken for those
    assert cache.get_many(["a:1", "a:2", "a:3"]) == {"a:2": b"two", "a:3": b"three"}


def test_any_key_and_any_text(cache: Cache) -> None:
    """Keys of any letters; values that are any JSON, whatever the client makes of bytes."""
    value = '{"reply": "5 < 6 \N{SNOWMAN} \\u0000"}'.encode()
    cache.set("Prüfung [*]?:ключ", value)
    assert cache.get("Prüfung [*]?:ключ") == value


@pytest.mark.parametrize("cache", ["memory", "sqlite", "redis-py", "valkey-py"], indirect=True)
def test_any_bytes(cache: Cache) -> None:
    """All of them come back, a megabyte too."""
    value = bytes(range(256)) * 4_096
    cache.set("a:1", value)
    assert cache.get("a:1") == value


def test_the_async_twins(cache: Cache) -> None:
    """The same methods, awaited."""

    async def run() -> None:
        async with cache as opened:
            assert await opened.aget("a:1") is None
            assert await opened.aset("a:1", b"one")
            assert await opened.aset_many({"a:2": b"two"}, ttl=60)
            assert await opened.aget_many(["a:1", "a:2"]) == {"a:1": b"one", "a:2": b"two"}
            assert await opened.adelete("a:1")
            assert await opened.aclear("a") == 1
            await opened.aclose()

    asyncio.run(run())


@pytest.mark.parametrize("package", ["redis", "valkey"])
def test_an_async_client(package: str, server: RedisServer) -> None:
    """Redis' async clients serve the async methods, with the same keys."""
    module = pytest.importorskip(package)
    aio = pytest.importorskip(f"{package}.asyncio")

    async def run() -> None:
        async with aio.from_url(f"redis://127.0.0.1:{server.port}") as client:
            cache = RedisCache(client)
            assert await cache.aset("a:1", b"one", ttl=60)
            assert await cache.aget("a:1") == b"one"
            assert await cache.aclear() >= 1
            assert await cache.aset("a:2", b"two")

    asyncio.run(run())
    with module.from_url(f"redis://127.0.0.1:{server.port}") as client:
        assert RedisCache(client).get("a:2") == b"two"
        assert client.get("structured-response:a:2") == b"two"


def test_an_async_client_without_await_is_a_miss_that_says_why(
    server: RedisServer, caplog: pytest.LogCaptureFixture
) -> None:
    """The log says to use the async methods; nothing is raised."""
    aio = pytest.importorskip("redis.asyncio")

    async def run() -> None:
        async with aio.from_url(f"redis://127.0.0.1:{server.port}") as client:
            assert RedisCache(client).get("a:1") is None

    asyncio.run(run())
    assert "aask" in caplog.text


def test_clear_leaves_what_others_put_there(server: RedisServer) -> None:
    """A database may hold more than replies."""
    redis = pytest.importorskip("redis")
    with redis.from_url(f"redis://127.0.0.1:{server.port}") as client:
        client.flushall()
        client.set("theirs", b"1")
        one, other = RedisCache(client, prefix="one:"), RedisCache(client, prefix="other:")
        one.set("a:1", b"1")
        other.set("a:1", b"2")
        assert one.clear() == 1
        assert (client.get("theirs"), other.get("a:1")) == (b"1", b"2")


def test_memory_forgets_what_was_used_longest_ago() -> None:
    """A read is a use."""
    cache = MemoryCache(2)
    cache.set("a", b"1")
    cache.set("b", b"2")
    assert cache.get("a") == b"1"
    cache.set("c", b"3")
    assert cache.get_many(["a", "b", "c"]) == {"a": b"1", "c": b"3"}
    assert len(cache) == 2


@pytest.mark.parametrize(
    "use",
    [
        lambda cache: cache.set("a", "text"),
        lambda cache: cache.set_many({1: b""}),
        lambda cache: cache.get(1),
        lambda cache: cache.set("a", bytearray(b"1")),
    ],
)
def test_what_is_no_text_or_no_bytes_is_the_programs_error(use: Any, cache: Cache) -> None:
    """Wrong types raise, whatever the state of the cache."""
    with pytest.raises(TypeError):
        use(cache)


@pytest.mark.parametrize("ttl", [0, -1, float("nan")])
def test_a_time_to_live_is_above_zero(ttl: float, cache: Cache) -> None:
    """What would never be there is not put there."""
    with pytest.raises(ValueError, match="ttl"):
        cache.set("a", b"1", ttl=ttl)


class Failing(Cache):
    """Fails while it is told to."""

    down = True

    def _do(self, operation: str, *given: Any) -> Any:
        if self.down:
            raise OSError("down")
        return None if operation == "get" else True

    async def _ado(self, operation: str, *given: Any) -> Any:
        return self._do(operation, *given)


def test_a_cache_that_fails_says_so_once(caplog: pytest.LogCaptureFixture) -> None:
    """One warning for each time that it goes down, of however many calls."""
    cache = Failing()
    with caplog.at_level(logging.WARNING, LOGGER):
        for _ in range(5):
            assert cache.get("a") is None
            assert cache.set("a", b"1") is False
            assert cache.delete("a") is False
            assert cache.clear() == 0
            assert asyncio.run(cache.aget("a")) is None
            assert asyncio.run(cache.aset("a", b"1")) is False
        assert len(caplog.records) == 1
        cache.down = False
        assert cache.set("a", b"1")  # it failed to be read, and has not been read yet
        cache.down = True
        cache.get("a")
        assert len(caplog.records) == 1
        cache.down = False
        cache.get("a")
        cache.down = True
        cache.get("a")
    assert len(caplog.records) == 2
    assert "Failing failed to get" in caplog.text


@pytest.mark.parametrize(
    ("key", "namespace"), [("a:b", "a"), ("a:b:c", "a:b"), ("a", ""), (":a", ""), ("a\nb:c", "a\nb"), ("", "")]
)
def test_namespace_of(key: str, namespace: str) -> None:
    """What stands before the last colon."""
    assert namespace_of(key) == namespace


@pytest.mark.parametrize("client", ["redis://127.0.0.1", None, object()])
def test_redis_takes_a_client(client: Any) -> None:
    """Its address is none."""
    with pytest.raises(CacheError, match="takes a client"):
        RedisCache(client)
