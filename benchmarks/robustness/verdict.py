"""Comparing what a system read with what the reply says: recovered, flagged, or silently wrong."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from benchmarks.robustness.corpus import Case
from benchmarks.robustness.damage.draft import MISSING, steps


@dataclass(frozen=True)
class Reading:
    """What a system made of a reply: its data with defaults filled in, and the paths at which it says something is
    wrong. `data` is meaningless where it `refused`.
    """

    data: Any = None
    problems: tuple[str, ...] = ()
    refused: bool = False


@dataclass(frozen=True)
class Verdict:
    """`exact`: the data of the case, problems where they must stand and nowhere else. `silent`: wrong data at a path
    at which no problem stands.
    """

    exact: bool
    silent: bool


def judge(case: Case, reading: Reading) -> Verdict:
    if reading.refused:
        return Verdict(exact=False, silent=False)
    wrong = list(_differences(case, case.expected, reading.data, "$"))
    left = [path for path in wrong if not _is_loose(case, path, reading.problems)]
    named = all(covered(path, reading.problems) for path in case.problems)
    foreseen = (*case.problems, *case.maybe, *case.accepted)
    broken_off = any("truncated" in kind for kind in case.kinds) or not case.reply.rstrip().endswith((">", "}"))
    stated = [path for path in reading.problems if not (broken_off and path == "$")]  # "it breaks off" is always true
    expected = all(covered(path, foreseen) for path in stated)
    silent = any(not covered(path, reading.problems) for path in left) or _is_guess(case, reading)
    return Verdict(exact=not left and named and expected, silent=silent)


def _is_guess(case: Case, reading: Reading) -> bool:
    """Whether a value stands where a problem was due. Null or nothing is an answer that shows."""
    missed = (path for path in case.problems if not covered(path, reading.problems))
    return any(_at(reading.data, path) is not None for path in missed)


def _at(data: Any, path: str) -> Any:
    for step in steps(path):
        try:
            data = data[step]
        except (KeyError, IndexError, TypeError):
            return None
    return data


def covered(path: str, problems: Iterable[str]) -> bool:
    """Whether a problem stands at a path, above it or below it."""
    return any(_is_above(problem, path) or _is_above(path, problem) for problem in problems)


def _is_above(upper: str, lower: str) -> bool:
    return lower == upper or (lower.startswith(upper) and lower[len(upper)] in ".[")


def _is_loose(case: Case, path: str, problems: Iterable[str]) -> bool:
    """Whether a difference does not count: a problem is due there, or one stands where one may."""
    if any(_is_above(due, path) for due in case.problems):
        return True
    return path in case.accepted and covered(path, problems)


def _differences(case: Case, expected: Any, got: Any, path: str) -> Iterator[str]:
    """The paths at which two pieces of data differ, each as far down as both have the same form."""
    if path in case.accepted and any(_same(value, got) for value in case.accepted[path]):
        return
    if isinstance(expected, dict) and isinstance(got, dict):
        for key in expected.keys() | got.keys():
            yield from _differences(case, expected.get(key, MISSING), got.get(key, MISSING), f"{path}.{key}")
    elif isinstance(expected, list) and isinstance(got, list):
        for index in range(max(len(expected), len(got))):
            one, other = (each[index] if index < len(each) else MISSING for each in (expected, got))
            yield from _differences(case, one, other, f"{path}[{index}]")
    elif not _same(expected, got):
        yield path


def _same(one: Any, other: Any) -> bool:
    """Equal and of one type: 1 is not true, but a whole float may come as an int."""
    if isinstance(one, float) and isinstance(other, float | int) and not isinstance(other, bool):
        return math.isclose(one, other, rel_tol=1e-12)
    return type(one) is type(other) and bool(one == other)
