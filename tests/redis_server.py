"""A real `redis-server` for the tests that want one; where its program is missing they skip, and say so."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from benchmarks.cache.redis_server import RedisServer

__all__ = ["RedisServer", "redis_server"]

NEEDED = "STRUCTURED_RESPONSE_NEEDS_REDIS"
"""Set where the program was installed: that it cannot be found is a failure there."""


def redis_server(folder: Path) -> RedisServer:
    """A server that runs."""
    try:
        return RedisServer(folder)
    except FileNotFoundError as error:
        if os.environ.get(NEEDED):
            pytest.fail(f"{error}, which was done")
        pytest.skip(str(error))
