"""A cache in one file, by the standard library's sqlite3. Threads and processes may share it."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import RLock
from typing import Any, NamedTuple

from ..errors import CacheError
from .base import Cache, namespace_of

__all__ = ["Entry", "SqliteCache", "Stats", "default_path"]

_FORMAT = 1
_MAGIC = b"SQLite format 3\0"  # how each such file begins
_SCHEMA = """
CREATE TABLE entries (
    key TEXT NOT NULL PRIMARY KEY, value BLOB NOT NULL,
    namespace TEXT NOT NULL, size INTEGER NOT NULL, made REAL NOT NULL, used REAL NOT NULL, expires REAL
);
CREATE INDEX entries_used ON entries (used);
CREATE INDEX entries_expires ON entries (expires) WHERE expires IS NOT NULL;
CREATE INDEX entries_namespace ON entries (namespace);
CREATE TABLE total (bytes INTEGER NOT NULL);
INSERT INTO total VALUES (0);
CREATE TRIGGER entries_in AFTER INSERT ON entries BEGIN UPDATE total SET bytes = bytes + new.size; END;
CREATE TRIGGER entries_out AFTER DELETE ON entries BEGIN UPDATE total SET bytes = bytes - old.size; END;
CREATE TRIGGER entries_by AFTER UPDATE OF size ON entries
BEGIN UPDATE total SET bytes = bytes + new.size - old.size; END;
PRAGMA user_version = 1;
"""
_GET = "SELECT value, expires FROM entries WHERE key = ?"
_SET = """
INSERT INTO entries (key, value, namespace, size, made, used, expires) VALUES (?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (key) DO UPDATE SET value = excluded.value, size = excluded.size, made = excluded.made,
    used = excluded.used, expires = excluded.expires
"""
_TOUCH = "UPDATE entries SET used = ? WHERE key = ?"
_EVICT = """
DELETE FROM entries WHERE rowid IN (
    SELECT rowid FROM (SELECT rowid, sum(size) OVER (ORDER BY used, rowid) - size AS before FROM entries)
    WHERE before < ?
)
"""
_OVERHEAD = 200  # bytes that a row takes beside its key and value, by a measurement of small rows
_FILL = 0.9  # of `max_bytes` that eviction leaves, so that not every write evicts
_SWEEP = 60.0  # seconds between two looks for what has expired, and two times that reads are written
_TOUCHES = 100_000  # entries whose last reads are remembered before they are written: a read must not cost a write


class Entry(NamedTuple):
    """One entry, without its value. Times are seconds since 1970; `expires` is None where it never does."""

    key: str
    size: int
    made: float
    used: float
    expires: float | None


class Stats(NamedTuple):
    """What a file holds: `bytes` of keys and values, and the number of entries of each namespace."""

    path: Path
    entries: int
    bytes: int
    max_bytes: int
    namespaces: dict[str, int]


def default_path() -> Path:
    """`structured-response/replies.sqlite` in the user's folder for caches."""
    if os.name == "nt":
        folder = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    else:
        folder = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(folder, "structured-response", "replies.sqlite")


def _checked(path: Path) -> Path:
    """The path, unless the file there can never become a cache."""
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
        raise CacheError(f"{path} is no SQLite database; give the cache a file of its own")
    return path


class SqliteCache(Cache):
    """A file that only its owner may read. It is opened, or made, when it is first used, and again after `close`.

    Past `max_bytes` what was used longest ago goes. `ttl` is in seconds; without one nothing expires. A writer waits
    `timeout` seconds for the others. What was stored outlives the process, however that ends; a power cut may take
    the last moments' entries, never the file. Raises `CacheError` for a folder and for a file that is no database.
    """

    failures = (sqlite3.Error, OSError)

    def __init__(
        self,
        path: str | Path | None = None,
        *,
        ttl: float | None = None,
        max_bytes: int = 1024**3,
        timeout: float = 30.0,
    ) -> None:
        self.path = default_path() if path is None else _checked(Path(path))
        self.ttl = ttl
        self.max_bytes = max_bytes
        self.timeout = timeout
        self._lock = RLock()
        self._opened: sqlite3.Connection | None = None
        self._owner = 0  # the process that opened it: a connection must not be used in a forked one
        self._touched: dict[str, float] = {}
        self._swept = time.time()

    def stats(self) -> Stats:
        """What the file holds. Raises `sqlite3.Error` and `OSError`."""
        with self._lock:
            connection = self._connection()
            namespaces = dict(connection.execute("SELECT namespace, count(*) FROM entries GROUP BY 1 ORDER BY 1"))
            (size,) = connection.execute("SELECT bytes FROM total").fetchone()
        return Stats(self.path, sum(namespaces.values()), size, self.max_bytes, namespaces)

    def entries(self, namespace: str | None = None, limit: int = -1) -> list[Entry]:
        """The entries, those that were used last first. Raises `sqlite3.Error` and `OSError`."""
        query = "SELECT key, size, made, used, expires FROM entries WHERE ?1 IS NULL OR namespace = ?1"
        with self._lock:
            rows = self._connection().execute(f"{query} ORDER BY used DESC LIMIT ?2", (namespace, limit)).fetchall()
        return [Entry(*row) for row in rows]

    def _do(self, operation: str, *given: Any) -> Any:
        with self._lock:
            return getattr(self, f"_{operation}")(*given)

    async def _ado(self, operation: str, *given: Any) -> Any:
        return await asyncio.to_thread(self._do, operation, *given)

    def _get(self, key: str) -> bytes | None:
        now = time.time()
        if now - self._swept > _SWEEP or len(self._touched) >= _TOUCHES:
            self._sweep()
        row = self._connection().execute(_GET, (key,)).fetchone()
        if row is None or (row[1] is not None and row[1] <= now):
            return None
        self._touched[key] = now
        value: bytes = row[0]
        return value

    def _get_many(self, keys: list[str]) -> dict[str, bytes]:
        return {key: value for key in keys if (value := self._get(key)) is not None}

    def _set_many(self, items: dict[str, bytes], ttl: float | None) -> bool | None:
        now = time.time()
        ttl = self.ttl if ttl is None else ttl
        expires = None if ttl is None else now + ttl
        rows = [
            (key, value, namespace_of(key), len(key) + len(value) + _OVERHEAD, now, now, expires)
            for key, value in items.items()
        ]
        if sum(row[3] for row in rows) > self.max_bytes:
            return None
        with self._writing() as connection:
            connection.executemany(_SET, rows)
            self._make_room(connection)
        return True

    def _delete(self, key: str) -> bool:
        with self._writing() as connection:
            return connection.execute("DELETE FROM entries WHERE key = ?", (key,)).rowcount > 0

    def _clear(self, namespace: str | None) -> int:
        with self._writing() as connection:
            where = "" if namespace is None else " WHERE namespace = ?"
            given = () if namespace is None else (namespace,)
            return connection.execute(f"DELETE FROM entries{where}", given).rowcount  # noqa: S608 - of two texts of ours

    def _close(self) -> None:
        if self._opened is not None and self._owner == os.getpid():
            self._sweep()
            self._opened.close()
        self._opened = None

    def _make_room(self, connection: sqlite3.Connection) -> None:
        (size,) = connection.execute("SELECT bytes FROM total").fetchone()
        if size > self.max_bytes:
            self._tidy(connection)
            (size,) = connection.execute("SELECT bytes FROM total").fetchone()
            connection.execute(_EVICT, (size - self.max_bytes * _FILL,))

    def _sweep(self) -> None:
        """Tidies up by itself, and waits for nobody: nothing is lost where another process writes."""
        connection = self._connection()
        connection.execute("PRAGMA busy_timeout = 0")
        try:
            with suppress(sqlite3.Error), self._writing():
                self._tidy(connection)
        finally:
            self._swept = time.time()
            connection.execute(f"PRAGMA busy_timeout = {int(self.timeout * 1_000)}")

    def _tidy(self, connection: sqlite3.Connection) -> None:
        """Removes what has expired, and writes when entries were read, which only matters for what is to go."""
        connection.execute("DELETE FROM entries WHERE expires <= ?", (time.time(),))
        connection.executemany(_TOUCH, [(at, key) for key, at in self._touched.items()])
        self._touched.clear()

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """A transaction: all of it, or nothing."""
        connection = self._connection()
        connection.execute("BEGIN IMMEDIATE")
        try:
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
        connection = sqlite3.connect(self.path, self.timeout, isolation_level=None, check_same_thread=False)
        try:
            self._prepare(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _prepare(self, connection: sqlite3.Connection) -> None:
        _to_wal(connection, self.timeout)
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("BEGIN IMMEDIATE")
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if version == 0:
            for statement in _statements(_SCHEMA):
                connection.execute(statement)
        connection.execute("COMMIT")
        if version not in (0, _FORMAT):
            raise sqlite3.DatabaseError(f"{self.path} has format {version}; this library reads {_FORMAT}")


_inherited: list[sqlite3.Connection] = []
"""Connections of a parent process, which a forked one must neither use nor close."""


def _to_wal(connection: sqlite3.Connection, timeout: float) -> None:
    """Lets readers and a writer not wait for each other. While another process changes the mode, or mends the file
    after one that died, SQLite gives up at once: it does not wait here as it does elsewhere.
    """
    until = time.monotonic() + timeout
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError:
            if time.monotonic() > until:
                raise
            time.sleep(0.01)
        else:
            return


def _statements(script: str) -> Iterator[str]:
    """The statements of a script, one by one: `executescript` would end the transaction."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
