"""Caches of replies: bytes under texts, with an expiry, in memory, in a file or in Redis."""

from .base import Cache, MemoryCache
from .redis import RedisCache
from .sqlite import Entry, SqliteCache, Stats

__all__ = ["Cache", "Entry", "MemoryCache", "RedisCache", "SqliteCache", "Stats"]
