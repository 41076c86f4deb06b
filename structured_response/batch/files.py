"""Files of replies to a folder of parts: in processes, with a bar, and resumed where a run was stopped."""

from __future__ import annotations

import gc
import os
import signal
import sys
import time
from collections.abc import Generator, Iterator
from concurrent.futures import FIRST_COMPLETED, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, contextmanager
from itertools import chain, islice
from pathlib import Path
from threading import Thread
from typing import Any, Literal, Unpack, get_args

from ..asking.session import response_of
from ..errors import BatchError, needs
from ..options import ReadingOptions, check_choice, parse_options
from ..progress import is_shown, progress_bar
from .cluster import maker_of, packed, unpacked
from .folder import finish, manifest_of, open_folder
from .inputs import Block, Inputs, blocks, checked_files, count_records
from .parts import PartFormat, Work, write_part
from .report import BatchReport

with needs("loky", "arrow"):
    import loky

OnError = Literal["column", "drop", "raise"]
"""The policy for rows without data or with problems."""


def parse_files(  # noqa: PLR0913 - one for each option of a run
    inputs: Inputs,
    model: Any,
    output: str | Path,
    *,
    column: str = "reply",
    parts: PartFormat = "parquet",
    size: int = 10_000,
    processes: int | None = None,
    on_error: OnError = "column",
    max_failures: int | None = None,
    progress: bool | None = None,
    **options: Unpack[ReadingOptions],
) -> BatchReport:
    """Read the replies in files, and write a folder of parts with their data, statuses and findings.

    A run that was stopped, in whatever way, continues with the same call: a part that exists is done. Memory does not
    grow with the number of replies.

    Args:
        inputs: A file, a folder, a pattern such as `results/*.jsonl`, or several of them: Parquet, JSON Lines, or the
            result files of providers, compressed or not.
        model: Any type that `from_type` takes, or a response.
        output: The folder. It gets `part-00000.parquet` and so on, and a manifest.
        column: The column or key of the replies, in files that are not those of a provider.
        parts: The format of the parts.
        size: The records of the input in a part.
        processes: The number of processes; None is that of the usable processors. One needs no other process.
        on_error: "column" keeps a row without data or with problems, and its columns say what is wrong; "drop" leaves
            it out and counts it; "raise" stops at the first.
        max_failures: The number of such rows after which the run stops.
        progress: Whether to show a bar with the counts; None shows one on a terminal. The records are counted for it
            first.
        **options: The options of reading.

    Returns:
        The counts of all parts, those of earlier runs included.

    Raises:
        BatchError: An input cannot be read, the folder is that of another batch or of a running one, or cannot be
            written, too many rows failed, or a process died. What was written stays.
        DefinitionError: The model cannot be described.
        TypeError, ValueError: An option does not exist or is invalid.
    """
    check_choice("parts", parts, get_args(PartFormat))
    check_choice("on_error", on_error, get_args(OnError))
    given = parse_options(options, ())._asdict()
    if size < 1 or (processes is not None and processes < 1):
        raise ValueError("size and processes are positive numbers")
    folder, asked, files = Path(output), response_of(model), checked_files(inputs, column)
    manifest = manifest_of(asked, files, given, size=size, parts=parts, column=column, drop=on_error == "drop")
    work = Work(maker_of(asked), options, folder, column, parts, on_error == "drop")
    allowed = 0 if on_error == "raise" else max_failures
    total = count_records(files) if is_shown(progress) else 0
    with open_folder(folder, manifest) as done:
        report = sum(map(BatchReport.of_part, done.values()), BatchReport())
        before = min(len(done) * size, total)
        with (
            closing(_reports(work, blocks(files, size, column, done), processes or loky.cpu_count())) as reports,
            progress_bar(f"reading {asked.class_name}", total, shown=progress, before=before) as show,
        ):
            for number, more in enumerate(chain([BatchReport()], reports), len(done)):
                report += more
                counts = (f"{count:,} {status}" for status, count in report.statuses.most_common())
                show(min(number * size, total), *counts)
                if allowed is not None and report.failed > allowed:
                    hint = "Finished parts are kept; run again with a higher limit to go on"
                    message = f"{report.failed:,} rows failed; max_failures is {allowed:,}. {hint}"
                    raise BatchError(message, str(folder), report.failures)
        finish(folder)
    return BatchReport.of(folder)


# Processes


def _reports(work: Work, waiting: Iterator[Block], processes: int) -> Generator[BatchReport]:
    """Yields the report of each part when it is written. Each process has one block, and one more is read ahead."""
    first = list(islice(waiting, processes))
    if len(first) < 2:
        yield from (write_part(work, block) for block in chain(first, waiting))
        return
    sent, at_work = packed(work), dict[Any, int]()
    with _pool(len(first)) as pool:
        try:
            for block in chain(first, waiting):
                if len(at_work) == len(first):
                    yield from _finished(at_work)
                at_work[pool.submit(_write_part, sent, block)] = block.number
            while at_work:
                yield from _finished(at_work)
        except BrokenProcessPool as error:
            parts = " or ".join(map(str, sorted(at_work.values())))
            hint = f"a process died at part {parts}, possibly out of memory; what was written stays"
            raise BatchError(hint, str(work.folder)) from error


def _finished(at_work: dict[Any, int]) -> Iterator[BatchReport]:
    for future in wait(at_work, return_when=FIRST_COMPLETED).done:
        yield future.result()
        del at_work[future]


@contextmanager
def _pool(processes: int) -> Iterator[Any]:
    """Yields a pool whose processes end with it, also if it is left by an exception or if this process is killed."""
    pool = loky.ProcessPoolExecutor(processes, initializer=_begin, initargs=(os.getpid(),))
    try:
        yield pool
    finally:
        pool.shutdown(kill_workers=sys.exc_info()[0] is not None)


def _begin(parent: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all processes of a terminal; the parent ends the pool
    gc.freeze()  # the modules, which each collection would walk: a fifth of the time of small clean replies
    Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


def _write_part(sent: bytes, block: Block) -> BatchReport:
    return write_part(unpacked(sent), block)
