"""Caches of replies: bytes under texts, with an expiry, in memory, in a file or in Redis."""

from .base import Cache
from .memory import MemoryCache
from .redis import RedisCache
from .sqlite import SqliteCache

__all__ = ["Cache", "MemoryCache", "RedisCache", "SqliteCache"]
