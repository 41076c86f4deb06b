"""A cache in one file, by the standard library's sqlite3. Threads and processes may share it."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import CacheError
from .base import Cache, namespace_of

_FORMAT = 2
_MAGIC = b"SQLite format 3\0"  # the beginning of every database file
_SCHEMA = f"""
BEGIN IMMEDIATE;
CREATE TABLE IF NOT EXISTS entries (
    key TEXT NOT NULL PRIMARY KEY, value BLOB NOT NULL,
    namespace TEXT NOT NULL, made REAL NOT NULL, used REAL NOT NULL, expires REAL
);
CREATE INDEX IF NOT EXISTS entries_used ON entries (used);
CREATE INDEX IF NOT EXISTS entries_expires ON entries (expires) WHERE expires IS NOT NULL;
CREATE INDEX IF NOT EXISTS entries_namespace ON entries (namespace);
PRAGMA user_version = {_FORMAT};
COMMIT;
"""
_GET = "SELECT value FROM entries WHERE key = ? AND (expires IS NULL OR expires > ?)"
_SET = """
INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (key)
DO UPDATE SET value = excluded.value, made = excluded.made, used = excluded.used, expires = excluded.expires
"""
_LIST = """
SELECT key, length(key) + length(value), made, used, expires FROM entries
WHERE :namespace IS NULL OR namespace = :namespace ORDER BY used DESC LIMIT :limit
"""
_CLEAR = "DELETE FROM entries WHERE :namespace IS NULL OR namespace = :namespace"
_SIZES = ("page_count", "freelist_count", "page_size")
_EVICT = """
DELETE FROM entries WHERE rowid IN (
    SELECT rowid FROM entries ORDER BY used, rowid LIMIT (SELECT count(*) / 10 + 1 FROM entries)
)
"""  # a tenth of the entries, so that not every write evicts
_SWEEP = 60.0  # seconds between two sweeps: a read must not cost a write


class Entry(NamedTuple):
    """An entry of a cache, without its value.

    Attributes:
        key: The key.
        size: The bytes of key and value.
        made: The time at which it was stored, in seconds since 1970.
        used: The time at which it was last used.
        expires: The time at which it expires; None for never.
    """

    key: str
    size: int
    made: float
    used: float
    expires: float | None


class Stats(NamedTuple):
    """The contents of a cache.

    Attributes:
        path: The file.
        entries: The number of entries.
        bytes: The bytes of the file that are in use.
        max_bytes: The bytes past which entries are removed.
        namespaces: The number of entries of each namespace.
    """

    path: Path
    entries: int
    bytes: int
    max_bytes: int
    namespaces: dict[str, int]


def default_path() -> Path:
    """Returns `structured-response/replies.sqlite` in the user's folder for caches."""
    if os.name == "nt":
        folder = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    else:
        folder = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(folder, "structured-response", "replies.sqlite")


def _checked(path: Path) -> Path:
    if path.is_dir():
        raise CacheError(f"{path} is a folder; name a file in it, such as {path / 'replies.sqlite'}")
    try:
        with path.open("rb") as file:
            magic = file.read(len(_MAGIC))
    except NotADirectoryError as error:
        raise CacheError(f"{path} cannot be made: {error.strerror}; a part of its path is a file") from error
    except OSError:  # not there yet, or out of reach at the moment
        return path
    if magic not in (b"", _MAGIC):
        raise CacheError(f"{path} is not an SQLite database; give the cache a file of its own")
    return path


class SqliteCache(Cache):
    """A cache in a file that only its owner may read. The file is opened, or made, when it is first used.

    What was stored outlives the process, however that ends. A power cut may take the last moments' entries, never
    the file.

    Args:
        path: The file; without one, `structured-response/replies.sqlite` in the user's folder for caches.
        ttl: The seconds after which an entry expires; None for never.
        max_bytes: The size of the file past which the entries go that were used longest ago.
        timeout: The seconds that a writer waits for others.

    Raises:
        CacheError: `path` is a folder, or a file that is not a database.
    """

    failures = (sqlite3.Error, OSError)
    _opened: sqlite3.Connection | None = None
    _owner = 0  # the process that opened it: a forked process must not use its connection

    def __init__(
        self,
        path: str | Path | None = None,
        *,
        ttl: float | None = None,
        max_bytes: int = 1024**3,
        timeout: float = 30.0,
    ) -> None:
        super().__init__(ttl)
        self.path = default_path() if path is None else _checked(Path(path))
        self.max_bytes = max_bytes
        self.timeout = timeout
        self._touched: dict[str, float] = {}
        self._swept = time.time()

    def stats(self) -> Stats:
        """Returns what the file holds.

        Raises:
            sqlite3.Error: The file is locked or damaged.
            OSError: The file cannot be opened.
        """
        with self._lock:
            connection = self._connection()
            namespaces = dict(connection.execute("SELECT namespace, count(*) FROM entries GROUP BY 1 ORDER BY 1"))
            size = _size(connection)
        return Stats(self.path, sum(namespaces.values()), size, self.max_bytes, namespaces)

    def entries(self, namespace: str | None = None, limit: int = -1) -> list[Entry]:
        """Returns entries, those that were used last first. It raises what `stats` raises.

        Args:
            namespace: The namespace to list. None lists all.
            limit: The maximum number of entries, or -1 for all.
        """
        with self._lock:
            return [Entry(*row) for row in self._connection().execute(_LIST, {"namespace": namespace, "limit": limit})]

    async def _ado(self, operation: str, *given: Any) -> Any:
        return await asyncio.to_thread(self._do, operation, *given)

    def _get(self, keys: list[str]) -> dict[str, bytes]:
        now = time.time()
        if now - self._swept > _SWEEP:
            self._sweep()
        connection = self._connection()
        rows = {key: connection.execute(_GET, (key, now)).fetchone() for key in keys}
        found = {key: row[0] for key, row in rows.items() if row is not None}
        self._touched.update(dict.fromkeys(found, now))
        return found

    def _set(self, items: dict[str, bytes], ttl: float | None) -> bool:
        if sum(len(key) + len(value) for key, value in items.items()) > self.max_bytes:
            return False
        now = time.time()
        expires = None if ttl is None else now + ttl
        rows = [(key, value, namespace_of(key), now, now, expires) for key, value in items.items()]
        with self._writing() as connection:
            connection.executemany(_SET, rows)
            while _size(connection) > self.max_bytes and connection.execute(_EVICT).rowcount:
                pass
        return True

    def _delete(self, key: str) -> bool:
        with self._writing() as connection:
            return connection.execute("DELETE FROM entries WHERE key = ?", (key,)).rowcount > 0

    def _clear(self, namespace: str | None) -> int:
        with self._writing() as connection:
            return connection.execute(_CLEAR, {"namespace": namespace}).rowcount

    def _close(self) -> None:
        if self._opened is not None and self._owner == os.getpid():
            with closing(self._opened), suppress(sqlite3.Error):  # of a damaged file
                self._sweep()
        self._opened = None

    def __del__(self) -> None:
        if self._opened is not None and self._owner == os.getpid():
            self._opened.close()

    def _sweep(self) -> None:
        """Removes expired entries and writes reads, but waits for no other process: that can be done later."""
        connection = self._connection()
        connection.execute("PRAGMA busy_timeout = 0")
        try:
            with suppress(sqlite3.Error), self._writing():
                pass
        finally:
            self._swept = time.time()
            connection.execute(f"PRAGMA busy_timeout = {int(self.timeout * 1_000)}")

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """Opens a transaction, which first removes expired entries and notes when others were read."""
        connection = self._connection()
        connection.execute("BEGIN IMMEDIATE")
        try:
            connection.execute("DELETE FROM entries WHERE expires <= ?", (time.time(),))
            touched, self._touched = self._touched, {}
            connection.executemany(
                "UPDATE entries SET used = ? WHERE key = ?", [(at, key) for key, at in touched.items()]
            )
            yield connection
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise

    def _connection(self) -> sqlite3.Connection:
        if self._opened is None or self._owner != os.getpid():
            if self._opened is not None:
                _inherited.append(self._opened)
            self._opened, self._owner = self._open(), os.getpid()
        return self._opened

    def _open(self) -> sqlite3.Connection:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600))  # SQLite gives its other files the same mode
        connection = sqlite3.connect(self.path, timeout=self.timeout, isolation_level=None, check_same_thread=False)
        try:
            until = time.monotonic() + self.timeout
            while True:  # SQLite's own timeout does not apply while another process changes the mode or recovers
                try:
                    connection.execute("PRAGMA journal_mode = WAL")
                    break
                except sqlite3.OperationalError:
                    if time.monotonic() > until:
                        raise
                    time.sleep(0.01)
            connection.execute("PRAGMA synchronous = NORMAL")
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            if version not in (0, _FORMAT):
                raise sqlite3.DatabaseError(f"{self.path} has format {version}; this library reads {_FORMAT}")
            if version == 0:
                connection.executescript(_SCHEMA)
        except BaseException:
            connection.close()
            raise
        return connection


_inherited: list[sqlite3.Connection] = []  # of a parent process, which a forked one must neither use nor close


def _size(connection: sqlite3.Connection) -> int:
    pages, free, size = (connection.execute(f"PRAGMA {name}").fetchone()[0] for name in _SIZES)
    return int((pages - free) * size)
