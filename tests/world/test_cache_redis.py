"""Redis that goes down and comes back while it is used: answers keep coming, and hits return."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import BaseModel

from structured_response import aask, ask
from structured_response.cache import RedisCache
from tests.redis_server import RedisServer, redis_server

redis = pytest.importorskip("redis")


class Answer(BaseModel):
    number: int


@pytest.fixture
def server(tmp_path: Path) -> Iterator[RedisServer]:
    """A server of the test's own."""
    running = redis_server(tmp_path)
    yield running
    running.stop()


def answer(messages: object) -> str:
    """A language model that is always right."""
    return "<answer><number>7</number></answer>"


def test_redis_stopped_and_started_awaited(server: RedisServer) -> None:
    """Answers keep coming, and hits return, with one client of redis-py's asyncio."""
    aio = pytest.importorskip("redis.asyncio")

    async def run() -> None:
        async with aio.Redis(port=server.port, socket_timeout=1, retry=None) as client:
            cache = RedisCache(client, pause=0.01)

            async def hit() -> bool:
                asked = await aask(answer, "?", Answer, cache=cache, key="m")
                assert asked.value == Answer(number=7)
                return asked.attempts[0].cached

            assert [await hit(), await hit()] == [False, True]
            await asyncio.to_thread(server.stop)
            assert [await hit(), await hit()] == [False, False]
            await asyncio.to_thread(server.start)
            await asyncio.sleep(0.02)
            assert [await hit(), await hit()] == [False, True]

    asyncio.run(run())


def test_a_server_that_is_full_is_a_miss(server: RedisServer, caplog: pytest.LogCaptureFixture) -> None:
    """It may keep nothing more: questions get their answers, and the log one warning."""
    with redis.Redis(port=server.port, retry=None) as client:
        client.config_set("maxmemory", 1)
        client.config_set("maxmemory-policy", "noeviction")
        cache = RedisCache(client, pause=0.0)
        for _ in range(3):
            asked = ask(answer, "?", Answer, cache=cache, key="m")
            assert (asked.value, asked.attempts[0].cached) == (Answer(number=7), False)
    assert len(caplog.records) == 1
    assert "maxmemory" in caplog.text or "OOM" in caplog.text or "OutOfMemory" in caplog.text


def test_a_server_that_is_down_is_left_alone_for_a_while(server: RedisServer) -> None:
    """After a failure nothing is sent for as long as `pause` says; then it is used again."""
    with redis.Redis(port=server.port, retry=None) as client:
        cache = RedisCache(client, pause=600)
        cache.set("a", b"1")
        server.stop()
        assert cache.get("a") is None
        server.start()
        assert cache.set("a", b"1") is False
        cache._again -= 600
        assert cache.set("a", b"1")
        assert cache.get("a") == b"1"
        client.connection_pool.disconnect()  # which old releases leave open


def test_a_server_that_says_nothing_is_a_miss_in_its_time() -> None:
    """The client's own time limit holds; there is no other wait."""
    import socket

    with socket.create_server(("127.0.0.1", 0)) as silent:
        client = redis.Redis(port=silent.getsockname()[1], socket_timeout=0.05, socket_connect_timeout=0.05, retry=None)
        started = time.monotonic()
        assert RedisCache(client).get("a") is None
        assert time.monotonic() - started < 5
        client.close()
