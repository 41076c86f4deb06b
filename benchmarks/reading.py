"""How fast replies are read: every figure a ratio of two things that were timed in turns, in one run.

`python -m benchmarks.reading [--quick] [--against CHECKOUT] [--only WORD ...]`. Reading JSON is compared with the
library of another checkout, which answers from a process of its own. The least time of all rounds counts.
"""

from __future__ import annotations

import argparse
import gc
import json
import math
import os
import re
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, partial
from html import escape
from time import perf_counter, process_time
from typing import Any, NamedTuple

from lxml import etree
from pydantic import BaseModel, Field

from benchmarks import importing
from benchmarks.models import SHAPES
from benchmarks.report import Section, table, times
from benchmarks.robustness import speed
from benchmarks.robustness.corpus import Case, corpus
from benchmarks.robustness.damage import KINDS
from benchmarks.robustness.evaluate import format_of
from benchmarks.robustness.systems import response_of
from benchmarks.timing import FULL, QUICK, Call, Effort, geometric_mean, progress
from benchmarks.workers import limited
from benchmarks.workload import SMALL, build
from structured_response import ReplyError, StructuredResponse
from tests.hostile import ATTACKS

HOSTILE = 16_000
"""Characters of a hostile reply."""

SECONDS = 120
"""At most, for one figure of growth or of a hostile reply; what takes longer counts as infinite."""

_MARKS = r"<>\"'`\[\]{}()=\n"
TOKEN = re.compile(rf"</?[\w:.-]{{1,32}}\s*/?>?|[{_MARKS}]|[^{_MARKS}]{{32}}")
"""A tag, a quote, a bracket, an equals sign, the end of a line; of what has none of these, each 32 characters."""


class Amount(NamedTuple):
    """How much to measure: rounds of each race, replies of each kind, characters of a long reply, hostile rounds."""

    rounds: int
    per_kind: int
    long: int
    hostile: int


AMOUNTS = {True: Amount(8, 1, 100_000, 1), False: Amount(30, 4, 1_000_000, 2)}


@dataclass(frozen=True)
class Figure:
    """A ratio, what it must be at most, and what would be good."""

    name: str
    must: float
    aim: float
    measured: float
    remark: str = ""

    @property
    def row(self) -> list[str]:
        shown = "not measured" if math.isnan(self.measured) else times(self.measured)
        marked = f"**{shown}**" if self.measured > self.must else shown
        return [self.name, f"{marked} {self.remark}".strip(), times(self.must), times(self.aim)]


def race(calls: dict[str, Callable[[int], float]], rounds: int) -> dict[str, float]:
    """The least seconds per call of each; a contestant is given the number of calls and returns the seconds they took.
    Who begins changes each round.
    """
    loops = {name: max(3, min(2_000, round(0.003 / (call(3) / 3)))) for name, call in calls.items()}
    best = dict.fromkeys(calls, math.inf)
    names = list(calls)
    for number in range(rounds):
        first = number % len(names)
        for name in names[first:] + names[:first]:
            best[name] = min(best[name], calls[name](loops[name]) / loops[name])
    return best


def timed(call: Call) -> Callable[[int], float]:
    """A contestant of a race."""

    def seconds(loops: int) -> float:
        start = perf_counter()
        for _ in range(loops):
            call()
        return perf_counter() - start

    return seconds


# Clean replies


def clean(amount: Amount, against: str) -> Iterator[Figure]:
    """Clean replies of 1 kB, and the same with a field of the instance looked at."""
    ratios: dict[str, list[float]] = {"parsed": [], "looked at": []}
    for shape in SHAPES:
        load = build(shape, SMALL)
        parse, text = load.response().parse, load.xml.encode()
        first = next(iter(load.data))
        best = race(
            {
                "parsed": timed(partial(parse, load.xml)),
                "looked at": timed(lambda parse=parse, load=load, first=first: parse(load.xml).instance[first]),  # type: ignore[misc]
                "bare": timed(partial(etree.fromstring, text)),
            },
            amount.rounds,
        )
        for name, found in ratios.items():
            found.append(best[name] / best["bare"])
    yield Figure("clean reply / bare lxml", 2.1, 1.6, geometric_mean(ratios["parsed"]))
    yield Figure("clean reply, looked at through the Box / bare lxml", 3.1, 2.0, geometric_mean(ratios["looked at"]))


class WebPage(BaseModel):
    title: str = Field(description="The page's title")
    html: str = Field(description="The whole document")
    words: int = Field(description="How many words a reader sees")
    tags: list[str] = Field(description="What it is about")


class Program(BaseModel):
    file_name: str = Field(description="Where it is to be saved")
    code: str = Field(description="The whole file")
    lines: int = Field(description="How many lines it has")
    imports: list[str] = Field(description="The modules that it needs")


HTML = """\
<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>Bread &amp; butter</title>
    <link rel="stylesheet" href="/main.css?v=3&amp;theme=light">
    <script>if (a < b && c > d) { document.write("<p>" + a + "</p>"); }</script>
  </head>
  <body class="page">
    <h1>Bread &amp; butter</h1>
    <!-- the offer of the week -->
    <p>Fresh every morning,<br>from <b>our</b> oven at <a href="/map">Mill Lane 4</a>.</p>
    <ul id="offers">
      <li>Rye bread, <em>4.20</em></li>
      <li>Butter rolls, <em>0.80</em></li>
      <li>Apple cake &mdash; on Sundays</li>
    </ul>
    <table>
      <tr><th>Day</th><th>Open</th></tr>
      <tr><td>Monday</td><td>6&ndash;12</td></tr>
      <tr><td>Sunday</td><td>8&ndash;11</td></tr>
    </table>
    <form action="/order" method="post">
      <input type="text" name="what"><button disabled>Order</button>
    </form>
    <footer>&copy; 2024 The Bakers</footer>
  </body>
</html>"""

PYTHON = '''\
from collections import Counter
import re, sys

MASK = 0xFF & ~0x0F
WORD = re.compile(r"(?P<word>[a-z]+)<(?P<rest>[^<>]*)>")


def common(lines: list[str], least: int = 3) -> dict[str, int]:
    """Count the words of `<...>` that occur at least so often."""
    found: Counter[str] = Counter()
    for number, line in enumerate(lines):
        if number < least and not line or line.startswith("<!"):
            continue
        for match in WORD.finditer(line):
            if 1 < len(match["word"]) <= 20:
                found[match["word"]] += 1 << (number & 3)
    return {word: count for word, count in found.items() if count >= least & MASK}


def main() -> None:
    words = common(sys.stdin.readlines())
    for word, count in sorted(words.items(), key=lambda pair: -pair[1]):
        print(f"<b>{word}</b> {count:>8,}" if count > 1_000 else f"{word} <{count}>")


if __name__ == "__main__":
    main()'''

RAW = {
    "HTML": WebPage(title="Bread and butter", html=HTML, words=48, tags=["bread", "shop"]),
    "code": Program(file_name="common.py", code=PYTHON, lines=28, imports=["collections", "re", "sys"]),
}


def raw(amount: Amount, against: str) -> Iterator[Figure]:
    """Clean replies with raw HTML or code in a string, without and with the type attributes of the prompt echoed."""
    for name, instance in RAW.items():
        for echoed in (False, True):
            reply = _written(instance, str, echoed=echoed)
            text = _written(instance, partial(escape, quote=False), echoed=echoed).encode()
            response = StructuredResponse.from_basemodel(type(instance))
            calls = {"own": timed(_parse(response, reply)), "bare": timed(partial(etree.fromstring, text))}
            best = race(calls, amount.rounds)
            is_right = response.parse(reply, strict=False).to_dict() == instance.model_dump()
            yield Figure(
                f"clean reply with raw {name} in a string{', types echoed' * echoed} / bare lxml of the same escaped",
                5.0,
                3.0,
                best["own"] / best["bare"],
                "" if is_right else "(misread)",
            )


def _written(instance: BaseModel, write: Callable[[str], str], *, echoed: bool) -> str:
    """The XML of an instance, each string as `write` has it."""
    root = re.sub("(?<=[a-z])(?=[A-Z])", "_", type(instance).__name__).lower()
    lines = [f"<{root}>"]
    for name, value in instance.model_dump().items():
        mark = f" type='{type(value).__name__}'" if echoed else ""
        if isinstance(value, list):
            inner = "".join(f"\n    <li>{write(each)}</li>" for each in value) + "\n  "
        else:
            inner = write(str(value))
            inner = f"\n{inner}\n  " if "\n" in inner else inner
        lines.append(f"  <{name}{mark}>{inner}</{name}>")
    return "\n".join([*lines, f"</{root}>"])


# JSON, against another checkout


MENDED = ("json_trailing_commas", "json_comments", "json_single_quotes", "json_bare_keys", "json_raw_line_breaks",
          "json_truncated")  # fmt: skip


@cache
def json_calls(per_kind: int) -> dict[str, tuple[Call, ...]]:
    """The reading of JSON replies, clean and damaged: the same ones in every checkout's process."""
    loads = [build(shape, SMALL) for shape in SHAPES]
    damaged = [case for kind in MENDED for case in _cases(per_kind) if case.label == kind]
    return {
        "clean JSON": tuple(_parse(load.response(), load.json) for load in loads),
        "damaged JSON": tuple(_parse(response_of(case.model), case.reply) for case in damaged),
    }


class Remote:
    """The library of another checkout, in a process of its own that times what it is asked to."""

    def __init__(self, checkout: str, per_kind: int) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.reading", "--answer", str(per_kind)],
            env=os.environ | {"READER": checkout},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def seconds(self, group: str, number: int, loops: int) -> float:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        print(json.dumps([group, number, loops]), file=self.process.stdin, flush=True)
        return float(self.process.stdout.readline())

    def close(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


def answer(per_kind: int) -> None:
    """Be the process that a `Remote` asks."""
    calls = json_calls(per_kind)
    gc.collect()
    gc.freeze()
    for line in sys.stdin:
        group, number, loops = json.loads(line)
        print(timed(calls[group][number])(loops), flush=True)


def json_replies(amount: Amount, against: str) -> Iterator[Figure]:
    """JSON, clean and damaged, against the reader of another checkout."""
    ratios: dict[str, list[float]] = {group: [math.nan] for group in json_calls(amount.per_kind)}
    if against:
        # Both answer from processes of their own: a process that waits between its turns is slower.
        own, other = (Remote(checkout, amount.per_kind) for checkout in (os.environ.get("READER", ""), against))
        for group, calls in json_calls(amount.per_kind).items():
            bests = [
                race({"own": partial(own.seconds, group, number), "other": partial(other.seconds, group, number)},
                     amount.rounds)
                for number in range(len(calls))
            ]  # fmt: skip
            ratios[group] = [best["own"] / best["other"] for best in bests]
        own.close()
        other.close()
    for group, found in ratios.items():
        yield Figure(f"{group} / the other checkout's reader", 1.1, 0.5, statistics.geometric_mean(found))


# Damaged replies


@cache
def _cases(per_kind: int) -> tuple[Case, ...]:
    """The first cases of each kind of damage."""
    taken: dict[str, list[Case]] = {}
    for case in corpus():
        taken.setdefault(case.label, []).append(case)
    return tuple(case for label, cases in taken.items() if label in KINDS for case in cases[:per_kind])


@cache
def _damaged(amount: Amount) -> tuple[tuple[Case, float, float], ...]:
    """Each damaged XML reply with the seconds of reading it, and of bare lxml on its data undamaged."""
    cases = [case for case in _cases(amount.per_kind) if format_of(case) == "xml" and case.label != "clean"]
    return tuple((case, *speed.least(case, max(3, amount.rounds // 4))) for case in cases)


def damaged(amount: Amount, against: str) -> Iterator[Figure]:
    """Damaged replies of every kind but those of JSON."""
    ratios = sorted(own / bare for _, own, bare in _damaged(amount))
    yield Figure("damaged reply / bare lxml undamaged, median", 20, 12, statistics.median(ratios))
    yield Figure("damaged reply / bare lxml undamaged, one in ten above", 34, 20, ratios[int(len(ratios) * 0.9)])


def growth(amount: Amount, against: str) -> Iterator[Figure]:
    """What a character of a long reply costs against one of 1 kB, for every kind of damage. What is too much is
    measured three times, since noise at one of the two sizes looks like growth.
    """
    found: dict[str, float] = {}
    for kind in KINDS.values():
        for _ in range(3):
            seen = limited(partial(speed.growth, kind, 3, amount.long), SECONDS)
            if seen is None:
                break
            found[kind.name] = min(found.get(kind.name, math.inf), math.inf if isinstance(seen, str) else seen)
            if found[kind.name] <= 1.25 or isinstance(seen, str):
                break
    worst = sorted(found, key=lambda name: -found[name])
    remark = f"({', '.join(f'{name} {times(found[name])}' for name in worst[:4])})"
    name = f"time per character, {amount.long:,} characters / 1,000, worst of {len(found)} kinds of damage"
    yield Figure(name, 1.3, 1.1, found[worst[0]], remark)


def hostile(amount: Amount, against: str) -> Iterator[Figure]:
    """Hostile replies, by token, against a damaged reply of the middle."""
    usual = statistics.median(own / tokens(case.reply) for case, own, _ in _damaged(amount))
    found = {name: _per_token(name, amount.hostile) / usual for name in ATTACKS}
    worst = sorted(found, key=lambda name: -found[name])
    remark = f"({', '.join(f'{name} {times(found[name])}' for name in worst[:4])})"
    yield Figure("hostile reply / damaged reply, time per token, worst", 10, 3, found[worst[0]], remark)


def tokens(reply: str) -> int:
    return sum(1 for _ in TOKEN.finditer(reply)) + 1


def _per_token(name: str, rounds: int) -> float:
    attack = ATTACKS[name]
    reply = attack.make(HOSTILE)
    call = _parse(attack.response, reply)
    seconds = [limited(partial(_process_seconds, call), SECONDS) for _ in range(rounds)]
    return min((each for each in seconds if not isinstance(each, str)), default=math.inf) / tokens(reply)


def _process_seconds(call: Call) -> float:
    start = process_time()
    call()
    return process_time() - start


def _parse(response: StructuredResponse[Any], reply: str) -> Call:
    """Reading a reply; a refusal takes its time too."""

    def call() -> None:
        with suppress(ReplyError):
            response.parse(reply, strict=False)

    return call


# Importing


def imports(amount: Amount, against: str) -> Iterator[Figure]:
    """The import as a whole process."""
    (target,) = importing.measure(QUICK if amount is AMOUNTS[True] else FULL).targets
    yield Figure("import structured_response / pydantic, lxml.etree, orjson", 1.25, 1.15, target.value)


PARTS: dict[str, Callable[[Amount, str], Iterator[Figure]]] = {
    "clean": clean,
    "raw": raw,
    "json": json_replies,
    "damaged": damaged,
    "growth": growth,
    "hostile": hostile,
    "import": imports,
}


def measure(effort: Effort) -> Section:
    """The section of the page, without what needs another checkout."""
    amount = AMOUNTS[effort is QUICK]
    parts = [part for part in PARTS if part != "json"]
    figures = _figures(parts, amount, "")
    return Section(
        "Reading", [INTRODUCTION, table(["what", "measured", "must", "aim"], [each.row for each in figures])]
    )


INTRODUCTION = """\
Bold figures do not keep their bound. A hostile reply is read twice, and the faster counts; the time per token is
compared with that of damaged replies."""


def main() -> None:
    arguments = _arguments()
    if arguments.answer:
        answer(arguments.answer)
        return
    amount = AMOUNTS[arguments.quick]
    print(
        table(
            ["what", "measured", "must", "aim"],
            [each.row for each in _figures(arguments.only, amount, arguments.against)],
        )
    )


def _figures(parts: Sequence[str], amount: Amount, against: str) -> list[Figure]:
    figures: list[Figure] = []
    for part in parts:
        _cases(amount.per_kind)
        gc.collect()
        gc.freeze()  # the size of this process does not count
        start = perf_counter()
        for figure in PARTS[part](amount, against):
            progress(" | ".join(figure.row))
            figures.append(figure)
        progress(f"{part}: {perf_counter() - start:.0f} s")
    return figures


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Time the reading of replies.")
    parser.add_argument("--quick", action="store_true", help="fewer rounds, one reply a kind, long ones of 100 kB")
    parser.add_argument("--against", default="", metavar="CHECKOUT", help="to compare the reading of JSON with")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS), help="some parts")
    parser.add_argument("--answer", type=int, default=0, help=argparse.SUPPRESS)
    return parser.parse_args()


if __name__ == "__main__":
    main()
