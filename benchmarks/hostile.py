"""Replies that were made to hurt: what a character of them costs, against one of a clean reply."""

from __future__ import annotations

import gc
import statistics
from collections import Counter
from dataclasses import dataclass
from time import process_time
from typing import Any

from benchmarks.report import Section, Target, table, times
from benchmarks.timing import FULL, Effort, progress
from structured_response import ReplyError, StructuredResponse
from tests.hostile import ATTACKS, GOOD, REVIEW

SIZES = {True: (100_000, 4), False: (16_000, 3)}
"""Characters of a reply, and rounds; of the whole run, and of a quick one."""

SHOWN = 20

INTRODUCTION = """\
The attacks of `tests/hostile.py`, each with one whole good answer in it where it fits, of {size:,} characters and of
a sixteenth of that. The clean reply, of {size:,} characters too, is an answer to the same model with a long list of
objects. Each reading ends in an answer or in a `ReplyError` whose message is written. These are the {shown} that cost
most; `16x / 1x` is the time per character at the larger size over that at the smaller."""


@dataclass(frozen=True)
class Cost:
    """What an attack costs: seconds per character, and how many times that of a clean reply and of a smaller one."""

    name: str
    seconds: float
    ratio: float
    growth: float
    outcome: str


def measure(effort: Effort) -> Section:
    size, rounds = SIZES[effort.large >= FULL.large]
    clean = clean_reply(size)
    progress(f"hostile: {len(ATTACKS)} replies of {size:,} characters")
    gc.collect()
    gc.freeze()  # the size of this process does not count
    costs = sorted((_cost(name, clean, size, rounds) for name in ATTACKS), key=lambda cost: -cost.ratio)
    gc.unfreeze()
    worst, grown = costs[0], max(costs, key=lambda cost: cost.growth)
    targets = [
        Target(f"hostile / clean reply, time per character, worst ({worst.name})", 20.0, worst.ratio),
        Target(f"hostile reply, time per character, 16x / 1x, worst ({grown.name})", 1.5, grown.growth),
    ]
    introduction = INTRODUCTION.format(size=size, shown=SHOWN, rounds=rounds)
    return Section("Hostile replies", [introduction, _summary(costs), _table(costs[:SHOWN])], targets)


def clean_reply(size: int) -> str:
    """The good answer with so many parts that it has about `size` characters."""
    head, part, tail = GOOD.partition("<li><label>lid</label><points>3</points></li>")
    reply = head + part * (size // len(part)) + tail
    assert REVIEW.parse(reply).repairs == []
    return reply


def _cost(name: str, clean: str, size: int, rounds: int) -> Cost:
    """The three replies are read in turns, and each counts with its best round."""
    attack = ATTACKS[name]
    tried = [(REVIEW, clean), (attack.response, attack.make(size // 16)), (attack.response, attack.make(size))]
    samples = [[_seconds(response, reply) for response, reply in tried] for _ in range(rounds)]
    best = map(min, zip(*samples, strict=True))
    base, small, large = (seconds / len(reply) for seconds, (_, reply) in zip(best, tried, strict=True))
    return Cost(name, large, large / base, large / small, _read(*tried[-1]))


def _seconds(response: StructuredResponse[Any], reply: str) -> float:
    """Of this process alone: with hundreds of attacks there is no time for rounds that even out a busy machine."""
    start = process_time()
    _read(response, reply)
    return process_time() - start


def _read(response: StructuredResponse[Any], reply: str) -> str:
    """How the reading of a reply ends."""
    try:
        response.parse(reply)
    except ReplyError as error:
        return "`ReplyError`" if str(error) else ""
    return "an answer"


def _summary(costs: list[Cost]) -> str:
    ratios = sorted(cost.ratio for cost in costs)
    tenths = statistics.quantiles(ratios, n=10)
    ends = ", ".join(f"{count} in {outcome}" for outcome, count in sorted(Counter(c.outcome for c in costs).items()))
    return (
        f"Of {len(costs)} attacks half cost at most {times(statistics.median(ratios))} times as much per character as "
        f"the clean reply, nine in ten at most {times(tenths[-1])} times; {ends}."
    )


def _table(costs: list[Cost]) -> str:
    head = ["attack", "ns per character", "hostile / clean", "16x / 1x", "ends in"]
    rows = [
        [
            cost.name.replace("|", "\\|").replace("<", "&lt;"),
            f"{cost.seconds * 1e9:,.0f}",
            times(cost.ratio),
            times(cost.growth),
            cost.outcome,
        ]
        for cost in costs
    ]
    return table(head, rows)
