"""Redis that goes down and comes back under load."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from structured_response import ask
from structured_response.cache import RedisCache
from structured_response.warn_once import LOGGER
from tests.redis_server import RedisServer, redis_server
from tests.world.test_cache_redis import Answer, answer

redis = pytest.importorskip("redis")


@pytest.fixture
def server(tmp_path: Path) -> Iterator[RedisServer]:
    """A server of the test's own."""
    running = redis_server(tmp_path)
    yield running
    running.stop()


def test_redis_stopped_and_started_under_load(server: RedisServer, caplog: pytest.LogCaptureFixture) -> None:
    """Four threads ask on while the server goes and comes: no exception, no wrong answer, few words, and hits again."""
    client = redis.Redis(port=server.port, socket_timeout=1, socket_connect_timeout=1)
    cache, over = RedisCache(client, pause=0.2), threading.Event()
    hits: list[bool] = []
    wrong: list[object] = []

    def load(number: int) -> None:
        count = 0
        while not over.is_set():
            count += 1
            try:
                asked = ask(answer, f"{number} {count % 5}", Answer, cache=cache, key="m")
            except BaseException as error:  # noqa: BLE001 - whatever it is, it is wrong
                wrong.append(error)
                return
            hits.append(asked.attempts[0].cached)
            if asked.value != Answer(number=7):
                wrong.append(asked.value)

    def waited(hit: bool) -> None:
        seen, until = len(hits), time.monotonic() + 60
        while sum(each is hit for each in hits[seen:]) < 20:
            assert time.monotonic() < until and not wrong, (hit, wrong)
            time.sleep(0.005)

    threads = [threading.Thread(target=load, args=(number,)) for number in range(4)]
    with caplog.at_level(logging.WARNING, LOGGER):
        for thread in threads:
            thread.start()
        try:
            waited(hit=True)
            for _ in range(2):
                server.stop()
                waited(hit=False)
                server.start()
                waited(hit=True)
        finally:
            over.set()
            for thread in threads:
                thread.join()
    client.close()
    assert not wrong
    assert 2 <= len(caplog.records) <= 10
