"""Ray and Spark on this machine beside `parse_files`, on the same file and with the same processors.

    .venv/peers/bin/python -m benchmarks.scale.engines [--seconds 70] [--only ray spark] [--driver]

Each reads a Parquet file of damaged replies of the robustness corpus and writes Parquet. An engine's start is not
counted: before, it reads a small file. `parse_files` runs before and after each engine, since a busy machine is not
equally busy all the time; its mean counts. The time of processors is that of all processes of the engine (Linux); what
others do at the same time disturbs it little.
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from itertools import cycle, islice
from pathlib import Path
from statistics import mean
from time import perf_counter, process_time
from typing import NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.models import SHAPES
from benchmarks.robustness.corpus import QUICK, corpus
from benchmarks.robustness.systems import response_of
from benchmarks.workload import build
from structured_response.batch import parse_files

FEW = 4_000
"""Rows that each reads first."""

GROUP = 5_000
"""Rows of a group of the input, and of a part of `parse_files`."""

MODEL = "Review"
CHARACTERS = 600
"""Of a clean reply."""

CORES = os.cpu_count() or 1

Run = Callable[[Path, Path], object]
"""Reads a file into a folder."""


@contextmanager
def on_files() -> Iterator[Run]:
    yield lambda source, target: parse_files(source, response_of(MODEL), target, processes=CORES, size=GROUP)


@contextmanager
def on_ray() -> Iterator[Run]:
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    import ray

    from structured_response.batch import parse_dataset

    ray.init(num_cpus=CORES, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    logging.getLogger("ray.data").setLevel("ERROR")
    ray.data.DataContext.get_current().enable_progress_bars = False

    def run(source: Path, target: Path) -> None:
        parse_dataset(ray.data.read_parquet(str(source)), response_of(MODEL)).write_parquet(str(target))

    yield run
    ray.shutdown()


@contextmanager
def on_spark() -> Iterator[Run]:
    os.environ["PYSPARK_PYTHON"] = sys.executable
    from pyspark.sql import SparkSession

    from structured_response.batch import parse_dataframe

    builder = SparkSession.builder.master(f"local[{CORES}]").config("spark.ui.enabled", "false")
    session = builder.config("spark.log.level", "ERROR").getOrCreate()

    def run(source: Path, target: Path) -> None:
        rows = session.read.parquet(str(source)).repartition(4 * CORES)
        parse_dataframe(rows, response_of(MODEL)).write.parquet(str(target))

    yield run
    session.stop()


def ray_driver(blocks: int = 200, rows: int = 1_000) -> None:
    """Prints what a block of clean small replies costs the one driver, and what it costs a worker."""
    with on_ray():
        import ray

        from structured_response.batch import parse_dataset

        load = build(SHAPES[0], CHARACTERS)
        block = pa.table({"reply": [load.xml] * rows})
        parse_dataset(ray.data.from_arrow([block] * 4 * CORES), load.response()).materialize()
        busy, everywhere = process_time(), processor_seconds()
        parse_dataset(ray.data.from_arrow([block] * blocks), load.response()).materialize()
        driver, everything = process_time() - busy, processor_seconds() - everywhere
    print(f"a block of {rows:,} clean replies: {driver / blocks * 1e3:.0f} ms of the driver's processor,")
    print(f"{everything / blocks * 1e3:.0f} ms of all; {rows * blocks / everything:,.0f} rows in a processor's second")


ENGINES: dict[str, Callable[[], AbstractContextManager[Run]]] = {"ray": on_ray, "spark": on_spark}


def write_input(path: Path, rows: int) -> Path:
    # A Parquet file cannot hold the halves of surrogate pairs, which few replies of the corpus have.
    replies = [case.reply.encode(errors="replace").decode() for case in corpus(size=QUICK) if case.model == MODEL]
    table = pa.table({"id": range(rows), "reply": list(islice(cycle(replies), rows))})
    pq.write_table(table, path, row_group_size=GROUP)
    return path


class Cost(NamedTuple):
    """Seconds on the clock, and those of all processors together."""

    clock: float
    processors: float

    @classmethod
    def of(cls, run: Run, source: Path, target: Path) -> Cost:
        busy, begin = processor_seconds(), perf_counter()
        run(source, target)
        return cls(perf_counter() - begin, processor_seconds() - busy)

    def said(self, rows: int) -> str:
        rates = f"{rows / self.clock:,.0f} rows a second, {rows / self.processors:,.0f} in a second of a processor"
        return f"{self.clock:.0f} s, {rates}"

    def to(self, *others: Cost) -> str:
        """How many times as fast this is as the mean of others."""
        clock, processors = (mean(taken) for taken in zip(*others, strict=True))
        return f"times {clock / self.clock:.2f} by the clock, {processors / self.processors:.2f} by processors"


def processor_seconds() -> float:
    """Of this process and all that it started and that still run, with those of theirs that ended."""
    found = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            name, _, rest = path.read_text().rpartition(")")
            fields = rest.split()
            found[int(name.split()[0])] = int(fields[1]), sum(map(int, fields[11:15]))
    tree = {os.getpid()}
    while more := {pid for pid, (parent, _) in found.items() if parent in tree} - tree:
        tree |= more
    return sum(ticks for pid, (_, ticks) in found.items() if pid in tree) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=70)
    parser.add_argument("--only", nargs="*", choices=ENGINES, default=list(ENGINES))
    parser.add_argument("--driver", action="store_true", help="only measure the driver of Ray")
    options = parser.parse_args()
    if options.driver:
        ray_driver()
        return
    with tempfile.TemporaryDirectory() as place, on_files() as ours:
        folder = Path(place)
        few = write_input(folder / "few.parquet", FEW)
        Cost.of(ours, few, folder / "start")
        rows = int(FEW / Cost.of(ours, few, folder / "rate").clock * CORES * options.seconds)
        many = write_input(folder / "many.parquet", rows)
        before = Cost.of(ours, many, folder / "before")
        print(f"{rows:,} replies on {CORES} processors")
        print(f"parse_files: {before.said(rows)}", flush=True)
        for name in options.only:
            with ENGINES[name]() as run:
                start = Cost.of(run, few, folder / f"{name} start")
                taken = Cost.of(run, many, folder / name)
            after = Cost.of(ours, many, folder / f"after {name}")
            print(f"{name}: {taken.said(rows)}; the first run took {start.clock:.0f} s")
            print(f"parse_files: {after.said(rows)}")
            print(f"{name} is as fast as parse_files {taken.to(before, after)}", flush=True)
            before = after


if __name__ == "__main__":
    main()
