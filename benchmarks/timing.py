"""Timing of several calls side by side, in a way that a busy machine disturbs little."""

from __future__ import annotations

import gc
import math
import statistics
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import repeat
from time import perf_counter

Call = Callable[[], object]


@dataclass(frozen=True)
class Effort:
    """How long to measure: rounds at each size of reply, the seconds of one slice, processes started."""

    small: int
    medium: int
    large: int
    slice: float
    processes: int


FULL = Effort(small=200, medium=60, large=11, slice=0.002, processes=20)
QUICK = Effort(small=15, medium=7, large=3, slice=0.0005, processes=5)


@dataclass(frozen=True)
class Race:
    """Seconds per call of each contender, one sample a round; sample `n` of all was taken in round `n`."""

    samples: Mapping[str, list[float]]

    def seconds(self, name: str) -> float:
        """The lower quartile: what the call takes when little else disturbs it."""
        samples = sorted(self.samples[name])
        return samples[len(samples) // 4]

    def ratio(self, name: str, base: str) -> float:
        """The median of the ratios of the single rounds."""
        pairs = zip(self.samples[name], self.samples[base], strict=True)
        return statistics.median(own / other for own, other in pairs)


def race(calls: Mapping[str, Call], rounds: int, slice_seconds: float) -> Race:
    """Time `calls` in turns, each for at least `slice_seconds` a round; who begins changes each round.

    The collector stays on, as it is in a program; what was allocated before the race is frozen, so that
    the size of this process does not count.
    """
    loops = {name: _loops(call, slice_seconds) for name, call in calls.items()}
    samples: dict[str, list[float]] = {name: [] for name in calls}
    names = list(calls)
    gc.collect()
    gc.freeze()
    for number in range(rounds):
        first = number % len(names)
        for name in names[first:] + names[:first]:
            gc.collect()
            samples[name].append(_time(calls[name], loops[name]) / loops[name])
    gc.unfreeze()
    return Race(samples)


def once(call: Call) -> float:
    """The seconds of one call, for what can be called only once."""
    gc.collect()
    return _time(call, 1)


def _time(call: Call, loops: int) -> float:
    start = perf_counter()
    for _ in repeat(None, loops):
        call()
    return perf_counter() - start


def _loops(call: Call, slice_seconds: float) -> int:
    """How many calls fill a slice, after a few to warm up."""
    loops = 1
    while (seconds := _time(call, loops)) < slice_seconds / 4:
        loops *= 4
    return max(1, math.ceil(slice_seconds / min(seconds, _time(call, loops)) * loops))


def geometric_mean(values: Iterable[float]) -> float:
    """The mean for ratios."""
    return statistics.geometric_mean(values)


def progress(text: str) -> None:
    """Say on stderr what is being measured."""
    print(text, file=sys.stderr, flush=True)
