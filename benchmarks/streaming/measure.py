"""The section of the page. A full run saves its numbers in measured.json, of which `docs/make_streaming_picture.py`
draws docs/streaming.svg.
"""

from __future__ import annotations

import json
import math
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.report import Section, Target, table, times
from benchmarks.robustness.corpus import Size
from benchmarks.streaming.contenders import CONTENDERS, OURS, TEXTS, WHOLE
from benchmarks.streaming.lag import Lag, asked, lag_of
from benchmarks.timing import QUICK, Effort, progress
from benchmarks.workers import run_all

ROOT = Path(__file__).resolve().parents[2]
PEERS = ROOT / ".venv" / "peers" / "bin" / "python"
MEASURED = Path(__file__).with_name("measured.json")

STARTING = 10
"""Seconds that a process may take to begin and to warm up."""


class Amount(NamedTuple):
    """How much to measure.

    Attributes:
        lengths: The characters of the replies.
        rounds: How often everything is timed; the least time counts.
        seconds: What takes longer is cut off.
        string: The characters of the long string, of which memory is measured too.
        every: One in so many replies of `tests/corpus` is read for the lag.
        made: How many damaged replies are.
    """

    lengths: tuple[int, ...]
    rounds: int
    seconds: int
    string: int
    every: int
    made: Size


FULL = Amount((1_000, 10_000, 100_000, 1_000_000), 3, 60, 1_000_000, 1, Size(10, 500))
BRIEF = Amount((1_000, 10_000), 1, 5, 100_000, 100, Size(1, 5))


class Job(NamedTuple):
    """One contender, on one reply, in chunks of so many characters."""

    name: str
    shape: str
    characters: int
    step: int = 4


Found = dict[str, Any]
Results = dict[Job, Found]


def measure(effort: Effort) -> Section:
    amount = BRIEF if effort is QUICK else FULL
    results = _timed(amount)
    lags = _lags(amount)
    if effort is not QUICK:
        rows = [{**job._asdict(), **found} for job, found in results.items()]
        MEASURED.write_text(json.dumps(rows, indent=1) + "\n", "utf-8")
    blocks = [
        INTRODUCTION.format(seconds=amount.seconds),
        _time_table(amount, results),
        PICTURE,
        PEERS_DO,
        "Reading in chunks of 4 characters, in multiples of reading the whole reply once:",
        _once_table(amount, results),
        "One string without markup, in a reply of its own. A snapshot is a copy of it; `text` gives its characters:",
        _string_table(amount, results),
        MEMORY.format(characters=f"{amount.string:,}"),
        _memory_table(amount, results),
        LAG.format(replies=f"{len(lags):,}"),
        _lag_table(lags),
    ]
    return Section("Streaming", blocks, list(_targets(amount, results, lags)))


# Time and memory


def _timed(amount: Amount) -> Results:
    """Everything in turns, once a round. What has failed, or took long, is not repeated."""
    named = [name for name in (*CONTENDERS, *WHOLE) if name not in TEXTS]
    jobs = [Job(name, "list", length) for length in amount.lengths for name in named]
    jobs += [
        Job(name, "string", length, step)
        for length in (amount.string // 10, amount.string)
        for name in (*OURS.values(), *TEXTS)
        for step in (4, 200)
    ]
    results: Results = {}
    for number in range(amount.rounds):
        for job in jobs:
            known = results.get(job)
            if known is None:
                results[job] = _too_long(job, results) or _run(job, amount.seconds)
                progress(f"{job}: {results[job]}")
            elif known.get("seconds", math.inf) < amount.seconds / 4:
                again = _run(job, amount.seconds)
                known["seconds"] = min(known["seconds"], again.get("seconds", math.inf))
                known["memory"] = min(known["memory"], again.get("memory", math.inf))
        progress(f"round {number + 1} of {amount.rounds}")
    return results


def _too_long(job: Job, results: Results) -> Found | None:
    """What is said of one that failed at a shorter length."""
    shorter = [each for each in results if (each.name, each.shape, each.step) == (job.name, job.shape, job.step)]
    failed = [results[each]["failed"] for each in shorter if "failed" in results[each]]
    return {"length": job.characters, "failed": failed[0]} if failed else None


def _run(job: Job, seconds: int) -> Found:
    python = PEERS if (CONTENDERS | WHOLE)[job.name].peer else Path(sys.executable)
    if not python.exists():
        return {"length": job.characters, "failed": "not installed"}
    command = [str(python), "-m", "benchmarks.streaming.worker", *map(str, job)]
    limit = seconds + STARTING
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=limit, check=False)
    except subprocess.TimeoutExpired:
        return {"length": job.characters, "failed": f"> {seconds} s"}
    if done.returncode:
        return {"length": job.characters, "failed": done.stderr.strip().splitlines()[-1][:80]}
    found: Found = json.loads(done.stdout.splitlines()[-1])
    return {"length": found["length"], "failed": f"> {seconds} s"} if found.get("seconds", 0) > seconds else found


def _time_table(amount: Amount, results: Results) -> str:
    head = ["seconds; microseconds a character", *(f"{length:,}" for length in amount.lengths)]
    rows = []
    for name in CONTENDERS:
        found = [results[Job(name, "list", length)] for length in amount.lengths]
        rows.append([f"{name} {found[0].get('version', '')}".strip(), *map(_cell, found)])
    return table(head, rows)


def _cell(found: Found) -> str:
    if "failed" in found:
        return str(found["failed"])
    shown = f"{found['seconds']:.3g}; {_per_character(found) * 1e6:.3g}"
    return shown if found["is_right"] else f"{shown} (wrong data)"


def _per_character(found: Found) -> float:
    return float(found.get("seconds", math.nan)) / int(found["length"])


def _once_table(amount: Amount, results: Results) -> str:
    rows = []
    for form, name in OURS.items():
        for once in ("search", "parse"):
            whole = f"{once}, {form.upper()}"
            ratios = [
                _per_character(results[Job(name, "list", length)]) / _per_character(results[Job(whole, "list", length)])
                for length in amount.lengths
            ]
            said = "by the search" if once == "search" else "by `parse`"
            rows.append([f"{form.upper()}, once {said}", *map(times, ratios)])
    return table(["", *(f"{length:,}" for length in amount.lengths)], rows)


def _strings(amount: Amount, results: Results) -> Iterator[tuple[str, int, Found, Found]]:
    for name in (*OURS.values(), *TEXTS):
        for step in (4, 200):
            short, long = (
                results[Job(name, "string", length, step)] for length in (amount.string // 10, amount.string)
            )
            yield name.removeprefix("structured_response, "), step, short, long


def _string_table(amount: Amount, results: Results) -> str:
    rows = [
        [
            f"{name}, of {step} characters",
            _cell(short),
            _cell(long),
            times(_per_character(long) / _per_character(short)),
        ]
        for name, step, short, long in _strings(amount, results)
    ]
    return table(["chunks", f"{amount.string // 10:,} characters", f"{amount.string:,} characters", "growth"], rows)


def _memory(form: str, amount: Amount, results: Results) -> list[float]:
    """The most megabytes more that a process had for the long reply: streamed, once by the search, and by `parse`."""
    names = (OURS[form], f"search, {form.upper()}", f"parse, {form.upper()}")
    found = [results[Job(name, "list", max(amount.lengths))] for name in names]
    return [each.get("memory", 0) / 1024 or math.nan for each in found]


def _memory_table(amount: Amount, results: Results) -> str:
    rows = []
    for form in OURS:
        stream, search, parse = _memory(form, amount, results)
        rows.append([form.upper(), *(f"{each:.1f}" for each in (stream, search, parse)), times(stream / search)])
    return table(["MB", "streamed", "once by the search", "`parse`", "streamed / by the search"], rows)


def _targets(amount: Amount, results: Results, lags: Sequence[Lag]) -> Iterator[Target]:
    length = min(100_000, max(amount.lengths))
    for form, name in OURS.items():
        long, short = (_per_character(results[Job(name, "list", size)]) for size in (length, length // 10))
        measure = f"{form.upper()}, time per character, {length:,} characters / {length // 10:,}"
        yield Target(measure, 1.4, long / short)
    shortest = min(amount.lengths)
    for form, name in OURS.items():
        parts, once = (results[Job(each, "list", shortest)] for each in (name, f"search, {form.upper()}"))
        measure = f"{form.upper()}, every snapshot / once by the search, {shortest:,} characters"
        yield Target(measure, 8, _per_character(parts) / _per_character(once))
    for said, is_text in (("every snapshot of", False), ("the characters of", True)):
        strings = [
            _per_character(long) / _per_character(short)
            for name, _step, short, long in _strings(amount, results)
            if name.endswith("text") is is_text
        ]
        measure = f"{said} one string, time per character, {amount.string:,} / {amount.string // 10:,}"
        yield Target(measure, 1.4, max(strings))
    for form in OURS:
        stream, _search, parse = _memory(form, amount, results)
        yield Target(f"{form.upper()}, memory of streaming / `parse`", 2, stream / parse)
    changes = [lag.changed for lag in lags if lag.changed is not None]
    for is_less, said in ((False, "became another value"), (True, "was taken back")):
        share = sum(change.is_less == is_less for change in changes) / len(lags)
        yield Target(f"replies in which what was shown {said} without `restarted`, %", 0, 100 * share)


# Lag


def _lags(amount: Amount) -> list[Lag]:
    replies = asked(amount.made, amount.every)
    found = run_all(lambda number: lag_of(replies[number]), len(replies), amount.seconds)
    for reply, lag in zip(replies, found, strict=True):
        if isinstance(lag, str):
            progress(f"{lag}: {reply}")
        elif lag.changed is not None:
            progress(f"changed: {lag.changed} in {reply}")
    return [lag for lag in found if not isinstance(lag, str)]


def _lag_table(lags: Sequence[Lag]) -> str:
    head = ["replies", "number", "restarted", "characters", "median", "90 %", "99 %", "within 64, %"]
    head += ["other values", "median", "90 %", "99 %"]
    return table(head, _lag_rows(lags))


def _lag_rows(lags: Sequence[Lag]) -> Iterator[list[str]]:
    for is_clean in (True, False):
        for form in ("xml", "json", "yaml", ""):
            held = [lag for lag in lags if (lag.is_clean, lag.form) == (is_clean, form)]
            if not held:
                continue
            characters = sorted(each for lag in held for each in lag.characters)
            values = sorted(each for lag in held for each in lag.values)
            near = 100 * sum(each <= 64 for each in characters) / len(characters) if characters else math.nan
            kind = ("clean" if is_clean else "damaged") + f", {FORMS[form]}"
            restarted = sum(lag.is_restarted for lag in held)
            yield [kind, f"{len(held):,}", f"{restarted:,}", f"{len(characters):,}", *_quantiles(characters),
                   "-" if math.isnan(near) else f"{near:.1f}", f"{len(values):,}", *_quantiles(values)]  # fmt: skip


FORMS = {"xml": "XML", "json": "JSON", "yaml": "YAML or lines", "": "no answer"}


def _quantiles(numbers: Sequence[int]) -> list[str]:
    """The median, and what 90 and 99 % do not exceed, of sorted numbers."""
    return [f"{numbers[math.ceil(len(numbers) * share) - 1]:,}" if numbers else "-" for share in (0.5, 0.9, 0.99)]


INTRODUCTION = """\
A clean reply, a list of small objects, comes in chunks of 4 characters, and after each chunk what is known is taken:
`part.instance`, and what the interfaces of the others give. Each is timed in a process of its own, all in turns on a
machine that others use too; seconds are those in which the process was busy, the least of all rounds. What takes more
than {seconds} s is cut off."""

PICTURE = "![Time against length, both logarithmic, a line for each library](streaming.svg)"

PEERS_DO = """\
* **instructor**, **pydantic-core**, **pydantic**, **BAML** and LangChain's **`JsonOutputParser`** read the text from
  its beginning with each chunk: ten times the length takes a hundred times the time. pydantic-core is fast enough for
  that to matter late. Its data is neither typed nor validated; pydantic's (`experimental_allow_partial`) is that of a
  `TypedDict`, since models have to be complete. Both end with an error at the first character that is not JSON.
* **pydantic-ai** streams from a `FunctionModel` with `stream_output(debounce_by=None)`; its default takes a snapshot
  every 0.1 s at most, which hides the same growth.
* LangChain's **`XMLOutputParser`** gives each element once it is closed, untyped; they are added up here. Texts do not
  grow, and a bare `&` ends it.
* **BAML** reads with `parse_llm_response(..., allow_partials=True)`, and **instructor** with `model_from_chunks`."""

MEMORY = """\
The most memory that a process has had, less what it had after a reply of 1,000 characters, for a list of {characters}
characters. `parse` reads clean replies without the search:"""

LAG = """\
How far what is shown is behind: {replies} replies of `tests/corpus` and made ones with every kind of damage are fed one
character at a time. Of each character of each final string, it is counted how many more characters of the reply had
come when it was shown for good; of each other value the same from the end of its markup. A reply is clean if nothing is
mended in it. Replies without an answer may be restarted, too. A text with escapes (`&lt;`), a fence or an indentation
waits for its end, since only then it is clear what it says."""
