"""Processes that write and read one `SqliteCache`, while one of them is killed every second.

    python -m benchmarks.cache.killing [--entries 20000] [--processes 8] [--every 1.0]

A writer says that an entry is stored once `set` has returned True. In the end each such entry must be there, and be
what was written; and no writer or reader may ever have seen a failure.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from threading import Thread

from structured_response.cache import SqliteCache

PATIENCE = 600.0  # seconds until the whole is given up


def value_of(key: str) -> bytes:
    """What is stored under a key: some 1 kB that follow from it."""
    return sha256(key.encode()).hexdigest().encode() * 16


def key_of(number: int) -> str:
    return f"killing:{number}"


@dataclass
class Outcome:
    """What came of it. `lost` was said to be stored and is not there, `wrong` is something else than was written."""

    entries: int = 0
    kills: int = 0
    reads: int = 0
    seconds: float = 0.0
    lost: list[int] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)

    @property
    def is_good(self) -> bool:
        return not (self.lost or self.wrong or self.said) and self.kills > 0


class Writer:
    """One process at a time that stores every so-manieth entry, begun anew wherever the last one was killed."""

    def __init__(self, path: Path, first: int, step: int, entries: int) -> None:
        self.path, self.step, self.entries = path, step, entries
        self.next = first
        self.stored: list[int] = []
        self.reads = 0
        self.said: list[str] = []
        self.process: subprocess.Popen[str] | None = None
        self.thread = Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self) -> None:
        while self.next < self.entries:
            numbers = [str(self.next), str(self.step), str(self.entries)]
            command = [sys.executable, "-m", "benchmarks.cache.killing", "--write", str(self.path), *numbers]
            with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
                self.process = process
                assert process.stdout is not None and process.stderr is not None
                for line in process.stdout:
                    self._hear(line)
                self.said += process.stderr.read().splitlines()
                if process.wait() not in (0, -signal.SIGKILL):
                    self.said.append(f"a writer ended with {process.returncode}")
                    return

    def _hear(self, line: str) -> None:
        if not line.endswith("\n"):
            return  # killed while it said so
        what, number = line.split()
        if what == "stored":
            self.stored.append(int(number))
            self.next = int(number) + self.step
        elif what == "read":
            self.reads += int(number)
        else:
            self.said.append(line.strip())

    def kill(self) -> bool:
        if self.process is None or self.process.poll() is not None:
            return False
        self.process.kill()
        return True


def run(entries: int = 20_000, processes: int = 8, every: float = 1.0, each: int = 0, seed: int = 1) -> Outcome:
    """Writes, reads and kills until all entries are stored, and looks at what is there. One is killed every so many
    seconds, but only once `each` more entries are stored.
    """
    rng, started = random.Random(seed), time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "cache.sqlite")
        writers = [Writer(path, first, processes, entries) for first in range(processes)]
        outcome = Outcome()
        while any(writer.thread.is_alive() for writer in writers) and time.monotonic() - started < PATIENCE:
            time.sleep(every)
            if sum(len(writer.stored) for writer in writers) >= each * (outcome.kills + 1):
                outcome.kills += rng.choice(writers).kill()
        outcome.seconds = time.monotonic() - started
        for writer in writers:
            writer.thread.join(1)
            outcome.reads += writer.reads
            outcome.said += writer.said
            outcome.entries += len(writer.stored)
        _check(path, [number for writer in writers for number in writer.stored], outcome)
    if outcome.entries != entries:
        outcome.said.append(f"{outcome.entries} of {entries} entries were stored in time")
    return outcome


def _check(path: Path, stored: list[int], outcome: Outcome) -> None:
    with SqliteCache(path) as cache:
        for number in stored:
            found = cache.get(key_of(number))
            if found is None:
                outcome.lost.append(number)
            elif found != value_of(key_of(number)):
                outcome.wrong.append(key_of(number))


def write(path: str, first: int, step: int, entries: int) -> None:
    """What one process does: stores an entry and says so, and reads three that may be there already."""
    rng, cache, reads = random.Random(os.getpid()), SqliteCache(path), 0
    for number in range(first, entries, step):
        if not cache.set(key_of(number), value_of(key_of(number))):
            _say(f"unstored {number}")
        _say(f"stored {number}")
        for other in (rng.randrange(number + 1) for _ in range(3)):
            found = cache.get(key_of(other))
            reads += found is not None
            if found not in (None, value_of(key_of(other))):
                _say(f"wrong {other}")
    _say(f"read {reads}")
    cache.close()


def _say(line: str) -> None:
    os.write(1, f"{line}\n".encode())


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--entries", type=int, default=20_000)
    parser.add_argument("--processes", type=int, default=8)
    parser.add_argument("--every", type=float, default=1.0, help="seconds between two kills")
    parser.add_argument("--write", nargs=4, metavar=("PATH", "FIRST", "STEP", "ENTRIES"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.write:
        write(options.write[0], *map(int, options.write[1:]))
        return 0
    outcome = run(options.entries, options.processes, options.every)
    print(f"{outcome.entries} entries, {outcome.kills} kills, {outcome.reads} reads or more, {outcome.seconds:.1f} s")
    print(f"{len(outcome.lost)} lost, {len(outcome.wrong)} wrong, said: {outcome.said}")
    return not outcome.is_good


if __name__ == "__main__":
    sys.exit(main())
