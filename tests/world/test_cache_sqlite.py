"""The cache in a file: who may read it, what it keeps and for how long, and what happens when things go wrong."""

from __future__ import annotations

import multiprocessing
import os
import random
import sqlite3
import stat
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from structured_response.cache import SqliteCache
from structured_response.cache.sqlite import default_path
from structured_response.errors import CacheError
from structured_response.warn_once import LOGGER


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where a cache may be made: a folder that is not there yet."""
    return tmp_path / "folder" / "cache.sqlite"


def warnings_of(caplog: pytest.LogCaptureFixture) -> list[str]:
    """What was said."""
    return [record.getMessage() for record in caplog.records if record.name == LOGGER]


@pytest.mark.skipif(os.name == "nt", reason="file modes are POSIX's")
def test_only_its_owner_may_read_it(path: Path) -> None:
    """The file and those that SQLite puts beside it have the mode 0600, whatever the umask."""
    old = os.umask(0)
    try:
        with SqliteCache(path) as cache:
            cache.set("a:1", b"one")
            modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()}
    finally:
        os.umask(old)
    assert set(modes.values()) == {0o600}
    assert len(modes) == 3


def test_nothing_is_touched_before_it_is_used(path: Path) -> None:
    """To name a cache makes no file."""
    SqliteCache(path).close()
    assert not path.parent.exists()


def test_it_outlives_the_process_and_the_object(path: Path) -> None:
    """What one object stored another one has, and so has the first after it was closed."""
    first = SqliteCache(path)
    first.set("a:1", b"one")
    assert SqliteCache(path).get("a:1") == b"one"
    first.close()
    assert first.get("a:1") == b"one"
    first.close()


def test_write_ahead_log_and_settings(path: Path) -> None:
    """Readers do not wait for a writer: the log is written ahead."""
    with SqliteCache(path) as cache:
        cache.set("a:1", b"one")
        with sqlite3.connect(path) as other:
            assert other.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        other.close()


def test_past_its_size_what_was_used_longest_ago_goes(path: Path) -> None:
    """A read is a use; the file stays below the bound."""
    with SqliteCache(path, max_bytes=200_000) as cache:
        for number in range(100):
            cache.set(f"a:{number}", bytes(1_000))
        for number in range(100, 250):
            assert cache.get("a:3") is not None
            cache.set(f"a:{number}", bytes(1_000))
        kept = [entry.key for entry in cache.entries()]
        assert "a:3" in kept and "a:249" in kept
        assert "a:0" not in kept and "a:99" not in kept
        assert 90 <= len(kept) <= 150
        assert sum(entry.size for entry in cache.entries()) < cache.stats().bytes <= 200_000
    assert path.stat().st_size <= 210_000


def test_what_is_larger_than_all_of_it_is_not_kept(path: Path) -> None:
    """It would put out everything else, and itself."""
    with SqliteCache(path, max_bytes=100_000) as cache:
        cache.set("a:1", b"one")
        assert cache.set("a:2", bytes(200_000)) is False
        assert cache.get_many(["a:1", "a:2"]) == {"a:1": b"one"}


def test_what_has_expired_makes_room(path: Path) -> None:
    """When room is needed it is the first to go, whenever it was used; and now and then it goes by itself."""
    with SqliteCache(path, max_bytes=150_000) as cache:
        cache.set("a:old", bytes(60_000))
        cache.set("a:expired", bytes(60_000), ttl=0.01)
        time.sleep(0.05)
        cache.set("a:new", bytes(60_000))
        assert [entry.key for entry in cache.entries()] == ["a:new", "a:old"]
        cache.clear()
        cache.set_many({f"a:{number}": bytes(100) for number in range(10)}, ttl=0.01)
        cache.set("a:new", b"1", ttl=60)
        time.sleep(0.05)
        cache._swept = 0.0
        assert cache.get("a:0") is None
        assert [entry.key for entry in cache.entries()] == ["a:new"]


def test_overwriting_counts_once(path: Path) -> None:
    """The size of an entry is that of its last value."""
    with SqliteCache(path) as cache:
        for size in (100_000, 10, 500):
            cache.set("a:1", bytes(size))
        assert [entry.size for entry in cache.entries()] == [503]
        assert cache.stats().bytes < 100_000
        cache.delete("a:1")
        assert cache.stats().entries == 0


def test_stats_and_entries(path: Path) -> None:
    """What the command line shows: namespaces with their counts, and entries, those used last first."""
    with SqliteCache(path, ttl=60) as cache:
        for key in ("Review:1", "Review:2", "Order:1"):
            cache.set(key, b"value")
            time.sleep(0.002)
        assert cache.stats().namespaces == {"Order": 1, "Review": 2}
        assert [entry.key for entry in cache.entries("Review")] == ["Review:2", "Review:1"]
        assert len(cache.entries(limit=1)) == 1
        entry = cache.entries()[0]
        assert entry.expires is not None and 50 < entry.expires - entry.made <= 60


def test_reads_are_cheap(path: Path) -> None:
    """Looking up a thousand times writes nothing into the file, and is noted all the same."""
    with SqliteCache(path) as cache:
        cache.set("a:1", b"one")
        before = cache.entries()[0].used
        changes = cache._connection().total_changes
        for _ in range(500):
            cache.get("a:1")
        assert cache._connection().total_changes == changes
        time.sleep(0.002)
        cache.get("a:1")
        cache.close()
        assert cache.entries()[0].used > before


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        pytest.param(
            lambda path: path.write_bytes(b"this is no database" * 1_000), "is not an SQLite", id="no database"
        ),
        pytest.param(lambda path: path.mkdir(), "is a folder", id="a folder"),
        pytest.param(
            lambda path: (path.parent.rmdir(), path.parent.write_bytes(b"")), "is a file", id="a file for a folder"
        ),
    ],
)
@pytest.mark.parametrize("is_later", [False, True])
def test_a_file_that_cannot_be_used(
    path: Path, spoil: Callable[[Path], object], reason: str, is_later: bool, caplog: pytest.LogCaptureFixture
) -> None:
    """An error at once. Where the file is spoilt later: misses, one warning, and the file stays what it was."""
    path.parent.mkdir()
    cache = SqliteCache(path, timeout=0.1)
    spoil(path)
    if not is_later:
        with pytest.raises(CacheError, match=reason):
            SqliteCache(path)
        return
    before = path.read_bytes() if path.is_file() else None
    for _ in range(3):
        assert cache.get("a:1") is None
        assert cache.set("a:1", b"one") is False
    cache.close()
    assert len(warnings_of(caplog)) == 1
    assert (path.read_bytes() if path.is_file() else None) == before


def test_a_damaged_page_is_a_miss(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Bytes overwritten in the middle of the file: misses and a warning, or the right value; never a wrong one."""
    with SqliteCache(path) as cache:
        values = {f"a:{number}": f"value {number} ".encode() * 100 for number in range(200)}
        cache.set_many(values)
    data = bytearray(path.read_bytes())
    for start in range(4_096, len(data) - 512, 8_192):
        data[start : start + 256] = os.urandom(256)
    path.write_bytes(data)
    with SqliteCache(path, timeout=0.1) as cache:
        found = {key: cache.get(key) for key in values}
    assert None in found.values()
    assert warnings_of(caplog)


def test_another_format_is_left_alone(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A file of a later version of the library is neither read nor changed."""
    with SqliteCache(path) as cache:
        cache.set("a:1", b"one")
    with sqlite3.connect(path) as other:
        other.execute("PRAGMA user_version = 99")
    other.close()
    assert SqliteCache(path).get("a:1") is None
    assert "has format 99" in warnings_of(caplog)[0]


def test_a_locked_file_is_a_miss_and_one_warning(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Another process writes for longer than a writer waits: reads go on, writes are lost, and nothing is raised."""
    with SqliteCache(path, timeout=0.05) as cache:
        cache.set("a:1", b"one")
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        assert cache.set("a:2", b"two") is False
        assert cache.get("a:1") == b"one"
        assert cache.set("a:2", b"two") is False
        other.execute("ROLLBACK")
        other.close()
        assert cache.set("a:2", b"two")
    assert len(warnings_of(caplog)) == 1


def test_a_full_disk_is_a_miss_and_one_warning(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """SQLite says that there is no room: what was there stays, what does not fit is not kept, and nothing is raised."""
    with SqliteCache(path) as cache:
        cache.set("a:1", b"one")
        connection = cache._connection()
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
        connection.execute(f"PRAGMA max_page_count = {pages + 2}")
        assert [cache.set(f"a:{number}", bytes(50_000)) for number in range(2, 5)] == [False] * 3
        assert cache.get("a:1") == b"one"
        connection.execute("PRAGMA max_page_count = 100000")
        assert cache.set("a:2", bytes(50_000))
    assert len(warnings_of(caplog)) == 1
    assert "full" in warnings_of(caplog)[0]


def test_threads_share_one(path: Path) -> None:
    """Eight threads write and read the same object."""
    wrong: list[object] = []
    with SqliteCache(path) as cache:

        def work(seed: int) -> None:
            rng = random.Random(seed)
            for _ in range(100):
                key = f"a:{rng.randrange(20)}"
                if not cache.set(key, key.encode()) or cache.get(key) != key.encode():
                    wrong.append(key)

        threads = [threading.Thread(target=work, args=(seed,)) for seed in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert not wrong


def _in_child(path: Path, cache: SqliteCache, ends: int) -> None:
    """What a forked process does: reads what its parent stored, and stores something itself."""
    ok = cache.get("a:parent") == b"1" and cache.set("a:child", b"2")
    os._exit(0 if ok else ends)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_process_opens_its_own(path: Path) -> None:
    """A connection is not carried over a fork: both processes go on with the same object."""
    with SqliteCache(path) as cache:
        cache.set("a:parent", b"1")
        child = multiprocessing.get_context("fork").Process(target=_in_child, args=(path, cache, 3))
        child.start()
        child.join()
        assert child.exitcode == 0
        assert cache.get("a:child") == b"2"
        assert cache.set("a:parent", b"3")


def test_where_it_lies_by_default(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """In the user's folder for caches."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))
    assert SqliteCache().path == default_path() == tmp_path / "structured-response" / "replies.sqlite"
