"""The gate for any change of a row or a level of the reader: what it reads rightly, before and after.

`python -m benchmarks.gate --save before.json`, then the change, then `python -m benchmarks.gate --against before.json`.
It reads damaged replies made from other seeds than those of the page of results, replies that models really wrote, real
files in strings, and the rows of past tests. A reply is *right* where all its data is, and problems stand where they
are due and nowhere else; it is *silently wrong* where other data than meant stands at a path without a problem, repairs
or not.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from importlib import import_module
from itertools import islice
from pathlib import Path
from time import perf_counter, process_time
from types import ModuleType
from typing import Any, NamedTuple

import structured_response
from benchmarks.replies import real_replies
from benchmarks.report import table
from benchmarks.robustness import corpus as corpora
from benchmarks.robustness.systems import plain_data, response_of
from benchmarks.robustness.verdict import Reading, Verdict, judge
from benchmarks.timing import progress
from benchmarks.verbatim.measure import cases, choose
from benchmarks.workers import run_all
from structured_response import ReplyError, StructuredResponse

SEEDS = (1,)
SECONDS = 10
"""At most, for one reply."""

SHARED = Path(__file__).resolve().parents[2] / "shared"
FOLDERS = tuple(SHARED / name for name in ("replies", "replies2", "replies4a"))

RIGHT, OTHER, SILENT, CRASH = OUTCOMES = ("right", "other", "silent", "crash")
"""`other`: a problem or an error where the data could be read. `crash`: no `ReplyError`, or no end in time."""

FILES = 10
"""Of each kind; each is read once in every kind of damage."""

SHOWN = 40
"""Changed cases named on the screen."""


class Found(NamedTuple):
    """The outcome of one reading, and what was read, in words."""

    outcome: str
    seconds: float
    shown: str


@dataclass(frozen=True)
class Trial:
    """A reply to read. `run` reads and judges it; `shown` are the model, the reply and what is expected of it."""

    section: str
    group: str
    name: str
    shown: tuple[str, str, str]
    run: Callable[[], Found]

    @property
    def id(self) -> str:
        return f"{self.section}/{self.group}/{self.name}"


Judge = Callable[[Reading], Verdict]


def _read(response: StructuredResponse[Any], reply: str, judged: Judge) -> Found:
    start = process_time()
    try:
        read = response.parse(reply, strict=False)
    except ReplyError as error:
        seconds = process_time() - start
        verdict = judged(Reading(refused=True))
        return Found(_outcome(verdict), seconds, f"refused:\n{error}")
    seconds = process_time() - start
    data = plain_data(read)
    verdict = judged(Reading(data, tuple(problem.path for problem in read.problems)))
    found = "\n".join(str(each) for each in (*read.problems, *read.repairs))
    return Found(_outcome(verdict), seconds, f"{_json(data)}\n{found}")


def _outcome(verdict: Verdict) -> str:
    return SILENT if verdict.silent else RIGHT if verdict.exact else OTHER


def _json(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, default=str)


def own(arguments: argparse.Namespace) -> Iterator[Trial]:
    """The corpus of damaged replies, by kind of damage."""
    for seed in arguments.seed:
        numbers: Counter[str] = Counter()
        for case in corpora.corpus(seed, corpora.QUICK if arguments.quick else corpora.FULL):
            numbers[case.label] += 1
            due = f" with problems at {', '.join(case.problems)}" if case.problems else ""
            name = f"{seed}/{numbers[case.label]}"
            shown = case.model, case.reply, _json(case.expected) + due
            yield Trial("own", case.label, name, shown, partial(_own, case))


def _own(case: corpora.Case) -> Found:
    return _read(response_of(case.model), case.reply, partial(judge, case))


def real(arguments: argparse.Namespace) -> Iterator[Trial]:
    """Replies that models wrote, by folder."""
    for each in real_replies(arguments.replies):
        shown = each.model.__name__, each.reply, f"{_json(each.expected)}\n{each.note}"
        response = StructuredResponse.from_basemodel(each.model)
        yield Trial("real", each.folder, each.name, shown, partial(_read, response, each.reply, each.judge))


def files(arguments: argparse.Namespace) -> Iterator[Trial]:
    """Real files in strings, by the damage around them."""
    chosen, _ = choose(FILES)
    for file, host, layout, damage, case in islice(cases(chosen), 0, None, 5 if arguments.quick else 1):
        name = f"{file.path}, {host}, {layout}"
        judged = partial(judge, corpora.Case((damage,), host, case.reply, case.data))
        shown = case.host.model.__name__, case.reply, _json(case.data)
        yield Trial("verbatim", damage, name, shown, partial(_read, case.host.response, case.reply, judged))


def rows(arguments: argparse.Namespace) -> Iterator[Trial]:
    """The rows of past tests, by topic, where they are there. Of those in `gone` only "not silent" is asked."""
    try:
        past = import_module("tests.corpus")
    except ImportError:
        return
    for prefix, topics in (("", past.ROWS), ("gone/", past.GONE)):
        for topic, found in topics.items():
            for row in found:
                expected = {key: value for key, value in row.items() if key not in ("model", "reply")}
                shown = row.get("model", ""), row["reply"], _json(expected)
                name = sha256(_json(row).encode(errors="backslashreplace")).hexdigest()[:8]
                yield Trial("rows", prefix + topic, name, shown, partial(_row, past, row, prefix != ""))


def _row(past: ModuleType, row: dict[str, Any], gone: bool) -> Found:
    response = past.response_of(row)
    start = process_time()
    got = past.outcome(response, row)
    seconds = process_time() - start
    verdict = past.verdict(row, lambda response, row: got)
    outcome = RIGHT if gone and verdict != SILENT else verdict
    return Found(outcome, seconds, f"{_json(got.data)}\nproblems at {', '.join(sorted(got.problems)) or 'no path'}")


SECTIONS = {"own": own, "real": real, "verbatim": files, "rows": rows}


def main() -> None:
    arguments = _arguments()
    trials = [each for name in arguments.only for each in _made(name, arguments)]
    progress(f"reading {len(trials):,} replies with {Path(structured_response.__file__).parent}")
    found = [_found(each) for each in run_all(lambda number: trials[number].run(), len(trials), SECONDS)]
    print(_table(trials, found))
    outcomes = {each.id: result.outcome for each, result in zip(trials, found, strict=True)}
    if arguments.against:
        print(_changes(json.loads(arguments.against.read_text()), outcomes))
    if arguments.save:
        arguments.save.write_text(json.dumps(outcomes, indent=0, ensure_ascii=False))
    if arguments.failures:
        failed = [pair for pair in zip(trials, found, strict=True) if pair[1].outcome != RIGHT]
        arguments.failures.write_text("\n".join(_failure(*pair) for pair in failed), errors="backslashreplace")


def _made(name: str, arguments: argparse.Namespace) -> list[Trial]:
    start = perf_counter()
    made = list(SECTIONS[name](arguments))
    progress(f"{name}: {len(made):,} replies made in {perf_counter() - start:.1f} s")
    return made


def _found(result: Found | str) -> Found:
    return Found(CRASH, 0.0, result) if isinstance(result, str) else result


def _table(trials: Sequence[Trial], found: Sequence[Found]) -> str:
    """The sections, and below each the groups in which not all is right."""
    sections: dict[str, dict[str, list[Found]]] = defaultdict(lambda: defaultdict(list))
    for each, result in zip(trials, found, strict=True):
        sections[each.section][each.group].append(result)
    lines = []
    for section, groups in sections.items():
        lines.append(_row_of(f"**{section}**", [result for group in groups.values() for result in group]))
        for group, results in groups.items():
            if section == "real" or any(result.outcome != RIGHT for result in results):
                lines.append(_row_of(f"{section}/{group}", results))
    return table(["", "replies", *OUTCOMES, "right %", "silent %", "s", "slowest, ms"], lines)


def _row_of(name: str, results: Sequence[Found]) -> list[str]:
    count = Counter(result.outcome for result in results)
    shares = [f"{100 * count[outcome] / len(results):.2f}" for outcome in (RIGHT, SILENT)]
    seconds = [result.seconds for result in results]
    times = [f"{sum(seconds):.1f}", f"{1e3 * max(seconds):.0f}"]
    return [name, f"{len(results):,}", *(f"{count[each]:,}" for each in OUTCOMES), *shares, *times]


def _changes(before: dict[str, str], after: dict[str, str]) -> str:
    """The counts before and after of the cases in both, and the cases whose outcome changed."""
    both = [each for each in after if each in before]
    lines = []
    for section in dict.fromkeys(each.partition("/")[0] for each in both):
        here = [each for each in both if each.startswith(f"{section}/")]
        counts = [Counter(outcomes[each] for each in here) for outcomes in (before, after)]
        lines.append(
            [section, f"{len(here):,}", *(" -> ".join(str(count[each]) for count in counts) for each in OUTCOMES)]
        )
    moved: dict[tuple[str, str], list[str]] = defaultdict(list)
    for each in both:
        if before[each] != after[each]:
            moved[before[each], after[each]].append(each)
    blocks = ["", table(["in both", "replies", *OUTCOMES], lines)]
    for (old, new), names in sorted(moved.items(), key=lambda pair: OUTCOMES.index(pair[0][1]), reverse=True):
        blocks += ["", f"{old} -> {new}: {len(names)}", *(f"  {name}" for name in names[:SHOWN])]
        blocks += [f"  and {len(names) - SHOWN} more"] * (len(names) > SHOWN)
    return "\n".join(blocks)


def _failure(each: Trial, result: Found) -> str:
    model, reply, expected = each.shown
    return (
        f"{'=' * 20} {result.outcome.upper()} {each.id} ({1e3 * result.seconds:.1f} ms)\n{model}\n"
        f"----- reply\n{reply}\n----- expected\n{expected}\n----- read\n{result.shown}\n"
    )


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Read all that the reader is judged by.")
    parser.add_argument("--quick", action="store_true", help="a tenth of the damaged replies, a fifth of the files")
    parser.add_argument("--seed", type=int, nargs="+", default=SEEDS, help="of the damaged replies")
    parser.add_argument("--only", nargs="+", choices=SECTIONS, default=list(SECTIONS), help="some sections")
    parser.add_argument("--replies", type=Path, nargs="+", default=FOLDERS, help="folders of real replies")
    parser.add_argument("--failures", type=Path, metavar="FILE", help="write what was not right, in full")
    parser.add_argument("--save", type=Path, metavar="FILE", help="write the outcome of each case")
    parser.add_argument("--against", type=Path, metavar="FILE", help="compare with saved outcomes")
    return parser.parse_args()


if __name__ == "__main__":
    main()
