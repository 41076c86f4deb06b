"""`parse_column` against a bare loop over `parse`, and against a table made of the models.

`python -m benchmarks.scale.columns [--quick]` prints ratios of one run. The contenders read the same replies in turns,
and only the time that keeps the process busy counts.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import groupby
from operator import attrgetter
from time import process_time
from typing import Any

import pyarrow as pa

from benchmarks.models import SHAPES
from benchmarks.report import table
from benchmarks.robustness.corpus import QUICK, SEED, corpus
from benchmarks.robustness.systems import response_of
from benchmarks.timing import progress
from benchmarks.workload import build
from structured_response import ReplyError, StructuredResponse
from structured_response.batch import parse_column

CHARACTERS = 600
"""Of a clean reply in XML."""

Group = tuple[StructuredResponse[Any], list[str]]
"""Replies, and what they answer."""


def bare(asked: StructuredResponse[Any], replies: list[str]) -> None:
    for reply in replies:
        with suppress(ReplyError):
            asked.parse(reply, strict=False)


def columns(asked: StructuredResponse[Any], replies: list[str]) -> None:
    parse_column(replies, asked)


def models(asked: StructuredResponse[Any], replies: list[str]) -> None:
    """What a program would write by itself. Arrow guesses the types, and rows without data have no place."""
    pa.Table.from_pylist([asked.parse(reply).to_basemodel().model_dump(mode="json") for reply in replies])


def clean(rows: int) -> Iterator[tuple[str, list[Group]]]:
    for shape in SHAPES:
        load = build(shape, CHARACTERS)
        for form, reply in (("XML", load.xml), ("JSON", load.json)):
            yield f"{shape.name}, {form}", [(load.response(), [reply] * rows)]


def damaged() -> list[Group]:
    """The robustness corpus, by models."""
    by_model = attrgetter("model")
    cases = sorted(corpus(SEED, QUICK), key=by_model)
    return [(response_of(name), [case.reply for case in some]) for name, some in groupby(cases, by_model)]


def speeds(calls: list[Callable[..., None]], groups: list[Group], rounds: int) -> list[float]:
    """The rows a second of each call over those of the first, by the least time of each, which others disturb least."""
    seconds: list[list[float]] = [[] for _ in calls]
    for _ in range(rounds):
        for call, taken in zip(calls, seconds, strict=True):
            gc.collect()
            start = process_time()
            for group in groups:
                call(*group)
            taken.append(process_time() - start)
    return [min(seconds[0]) / min(taken) for taken in seconds]


def main(is_quick: bool) -> None:
    rows, rounds = (1_000, 9) if is_quick else (5_000, 15)
    printed = []
    for name, groups in clean(rows):
        progress(name)
        _bare, ours, theirs = speeds([bare, columns, models], groups, rounds)
        printed.append([name, f"{ours:.2f}", f"{theirs:.2f}"])
    progress("the robustness corpus")
    printed.append(["robustness corpus", f"{speeds([bare, columns], damaged(), max(3, rounds // 5))[1]:.2f}", "-"])
    print(f"Rows a second over those of a bare loop over `parse`. {rows} replies of each kind, {rounds} rounds.\n")
    print(table(["replies", "`parse_column`", "`from_pylist` of `model_dump`"], printed))


if __name__ == "__main__":
    main("--quick" in sys.argv)
