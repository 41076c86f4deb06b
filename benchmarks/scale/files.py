"""`parse_files` with the damaged replies of the robustness corpus, a million of them.

    python -m benchmarks.scale.files [--rows 1000000] [--kills 5] [--only killed speed memory]

killed: a run that is killed with SIGKILL so many times, and resumed, gives row for row what an undisturbed run gives.
speed: the rows a second of one process beside a bare loop over `parse`, and those of two processes beside one.
memory: the most that any process holds, with 10,000 replies and with all.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from itertools import cycle, islice
from pathlib import Path

import pyarrow.parquet as pq

from benchmarks.robustness.corpus import FULL, QUICK, Case, corpus
from benchmarks.robustness.models import TYPES
from benchmarks.robustness.systems import response_of
from structured_response import ReplyError
from structured_response.batch import parse_files

SIZE = 10_000
SPEED_TARGET, SCALING_TARGET, MEMORY_TARGET = 0.7, 1.7, 300
"""The least ratio to a bare loop, the least of two processes to one, and the most megabytes that may be added."""

SPEED_ROWS = 100_000
"""Replies that are timed: a process takes some seconds to start and to see the usual slips for the first time."""

FEW = 10_000
"""Replies of the smaller batch whose memory is measured."""


def write_inputs(folder: Path, cases: Iterable[Case], rows: int) -> None:
    """A file for each model, with the replies again and again until there are so many rows."""
    files = {name: (folder / f"{name}.jsonl").open("wb") for name in TYPES}
    for number, case in enumerate(islice(cycle(cases), rows)):
        files[case.model].write(json.dumps({"id": str(number), "reply": case.reply}).encode() + b"\n")
    for file in files.values():
        file.close()


def _reviews() -> list[Case]:
    return [case for case in corpus(size=QUICK) if case.model == "Review"]


def run(inputs: Path, output: Path, size: int, processes: int) -> None:
    """Reads all files of a folder, each with its model."""
    for name in TYPES:
        file = inputs / f"{name}.jsonl"
        if file.stat().st_size:
            parse_files(file, response_of(name), output / name, size=size, processes=processes)


def started(inputs: Path, output: Path, size: int) -> subprocess.Popen[bytes]:
    """The same in a process of its own, with two more."""
    run = ["--run", str(inputs), str(output), "--size", str(size)]
    return subprocess.Popen([sys.executable, "-m", "benchmarks.scale.files", *run])


# Killed


def killed(rows: int, kills: int) -> bool:
    size = min(SIZE, max(10, rows // 200))
    with tempfile.TemporaryDirectory() as place:
        inputs, calm, disturbed = (Path(place, name) for name in ("inputs", "calm", "disturbed"))
        inputs.mkdir()
        write_inputs(inputs, corpus(size=FULL) if rows > SPEED_ROWS else _reviews(), rows)
        begin = time.perf_counter()
        if started(inputs, calm, size).wait():
            return False
        seconds = time.perf_counter() - begin
        print(f"{rows:,} rows undisturbed: {seconds:.0f} s, {rows / seconds:,.0f} rows a second", flush=True)
        done = _kill(kills, inputs, disturbed, size, _parts(calm))
        differing = [name for name in TYPES if not _are_same(calm / name, disturbed / name)]
        print(f"killed {done} times and resumed: {', '.join(differing) or 'no file'} differs")
        return done == kills and not differing


def _kill(kills: int, inputs: Path, output: Path, size: int, parts: int) -> int:
    """Kills a run at a random moment of each share of its parts, and lets the last one end.

    Returns the number of runs that were killed: a run that had ended by then does not count.
    """
    rng, done = random.Random(kills), 0
    for number in range(kills):
        least = parts * (number + rng.random()) / (kills + 1)
        with started(inputs, output, size) as process:
            while process.poll() is None and _parts(output) < least:
                time.sleep(0.01)
            time.sleep(rng.random())
            done += process.poll() is None
            process.kill()
    with started(inputs, output, size) as process:
        process.wait()
    return done


def _parts(output: Path) -> int:
    return sum(1 for _ in output.glob("*/part-*"))


def _are_same(calm: Path, disturbed: Path) -> bool:
    """Compares two folders part by part: the columns, and the ids, of which none is there twice."""
    parts = [sorted(path.name for path in folder.glob("part-*")) for folder in (calm, disturbed)]
    return parts[0] == parts[1] and all(
        pq.read_table(calm / name).equals(pq.read_table(disturbed / name), check_metadata=True) for name in parts[0]
    )


# Speed


def speed(rows: int) -> bool:
    """In turns, twice; the best of each counts, since a busy machine only makes it slower."""
    times: dict[str, list[float]] = {}
    call: Callable[..., None]
    with tempfile.TemporaryDirectory() as place:
        inputs = Path(place, "inputs")
        inputs.mkdir()
        write_inputs(inputs, _reviews(), rows)
        for number in range(2):
            for name, call, *more in (
                ("a bare loop", _loop, inputs),
                ("one process", run, inputs, Path(place, f"one{number}"), rows // 20, 1),
                ("two processes", run, inputs, Path(place, f"two{number}"), rows // 20, 2),
            ):
                begin = time.perf_counter()
                call(*more)
                times.setdefault(name, []).append(time.perf_counter() - begin)
    best = {name: min(all_) for name, all_ in times.items()}
    print(*(f"{name}: {rows / seconds:,.0f} rows a second" for name, seconds in best.items()), sep="\n")
    to_loop, scaling = best["a bare loop"] / best["one process"], best["one process"] / best["two processes"]
    print(f"one process to the loop: {to_loop:.2f} (at least {SPEED_TARGET})")
    print(f"two processes to one: {scaling:.2f} (at least {SCALING_TARGET})", flush=True)
    return to_loop >= SPEED_TARGET and scaling >= SCALING_TARGET


def _loop(inputs: Path) -> None:
    for name in TYPES:
        asked = response_of(name)
        for line in (inputs / f"{name}.jsonl").read_bytes().splitlines():
            try:
                asked.parse(json.loads(line)["reply"], strict=False)
            except ReplyError:
                continue


# Memory


def memory(rows: int) -> bool:
    peaks = [_peak(count) for count in (FEW, rows)]
    print(f"the largest process: {peaks[0]:.0f} MB with {FEW:,} replies, {peaks[1]:.0f} MB with {rows:,}")
    print(f"more by {peaks[1] - peaks[0]:.0f} MB (at most {MEMORY_TARGET})", flush=True)
    return peaks[1] - peaks[0] <= MEMORY_TARGET


def _peak(rows: int) -> float:
    """The megabytes that the largest process of a run held at any time (Linux)."""
    with tempfile.TemporaryDirectory() as place:
        inputs = Path(place, "inputs")
        inputs.mkdir()
        write_inputs(inputs, _reviews(), rows)
        most = 0
        with started(inputs, Path(place, "out"), SIZE // 2) as process:
            while process.poll() is None:
                most = max([most, *map(_held, _tree(process.pid))])
                time.sleep(0.1)
    return most / 1024


def _tree(pid: int) -> list[int]:
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return [pid]
    return [pid, *map(int, children)]


def _held(pid: int) -> int:
    """The most kilobytes that a process held in memory, or 0 if it has ended."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("VmHWM")), 0)


PARTS: dict[str, Callable[[argparse.Namespace], bool]] = {
    "killed": lambda options: killed(options.rows, options.kills),
    "speed": lambda options: speed(min(SPEED_ROWS, options.rows)),
    "memory": lambda options: memory(options.rows),
}


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--kills", type=int, default=5)
    parser.add_argument("--only", nargs="*", choices=PARTS, default=list(PARTS))
    parser.add_argument("--run", nargs=2, type=Path, metavar=("INPUTS", "OUTPUT"), help=argparse.SUPPRESS)
    parser.add_argument("--size", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.run:
        inputs, output = options.run
        run(inputs, output, options.size, 2)
        return 0
    return sum(not PARTS[name](options) for name in options.only)


if __name__ == "__main__":
    sys.exit(main())
