"""Damaged replies: how many come back exactly and how many silently wrong, with this library and with its peers.

`python -m benchmarks.robustness.run [--quick] [--only KIND ...] [--failures N] [--check]` prints; `make bench`
writes the same into docs/measurements.md.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from benchmarks.report import Section, Target, table, targets_table
from benchmarks.robustness import corpus as corpora
from benchmarks.robustness.corpus import Case, Size, corpus
from benchmarks.robustness.damage import KINDS
from benchmarks.robustness.elsewhere import evaluate_elsewhere
from benchmarks.robustness.evaluate import Score, Scores, evaluate, total
from benchmarks.robustness.systems import OURS, SYSTEMS
from benchmarks.timing import QUICK, Effort, progress

NOT_RECOVERED, SILENT = 0.5, 0.05
"""Targets: at most so many per cent."""

INTRODUCTION = """\
Replies that are damaged in one way each, and some in two to four, made from a seed: random data of eleven types,
written as a model would, then damaged by one function for each kind. The corpus was written from the specification
of damage, not from the reader. Each cell has two shares in per cent: **recovered exactly / silently wrong**.

* Recovered exactly: all data is right. If a reply has two readings or breaks off, it has a problem at that path, and no
  other problem.
* Silently wrong: a wrong value has no problem, with or without a repair. A null or an omission in place of a readable
  value counts as wrong. A peer that raises is not silent; a peer that returns wrong data is, since it reports nothing.

The output of each peer's parser is brought into the models' form and validated by Pydantic. Text before the root's tag
is removed for lxml, and DSPy gets `<item>` for `<li>`. The row `clean` has replies without damage. JSON readers get
damaged JSON only, XML readers everything else."""


def measure(effort: Effort) -> Section:
    """The section of the page. A quick run takes a tenth of the replies."""
    size = corpora.QUICK if effort is QUICK else corpora.FULL
    section = Section("Damaged replies", [INTRODUCTION])
    section.blocks += _results(corpus(size=size), section, size)
    return section


def _results(cases: Sequence[Case], section: Section, size: Size) -> list[str]:
    results, missing = _evaluate_all(cases, size)
    ours = total(results[OURS.name])
    recovered, silent = ours.shares
    section.targets += [
        Target("damaged replies not recovered exactly, per cent", NOT_RECOVERED, 100 - recovered),
        Target("damaged replies silently wrong, per cent", SILENT, silent),
    ]
    blocks = [_summary(results)]
    blocks += [f"Not installed, so not measured: {', '.join(missing)}."] * bool(missing)
    for form, title in (("xml", "### By kind"), ("json", "### By kind, JSON")):
        names = [each.name for each in SYSTEMS if form in each.formats and each.name in results]
        labels = _labels(cases, results[names[-1]] if len(names) > 1 else results[OURS.name])
        blocks += [title, _kinds_table(results, names, labels)]
    return blocks


def _evaluate_all(cases: Sequence[Case], size: Size) -> tuple[dict[str, Scores], list[str]]:
    results: dict[str, Scores] = {}
    missing: list[str] = []
    labels = {case.label for case in cases}
    for system in SYSTEMS:
        progress(f"robustness: {system.name}")
        try:
            results[system.name] = evaluate(system, cases)
        except ImportError:
            scores = evaluate_elsewhere(system, size)
            if scores is None:
                missing.append(system.name)
            else:
                results[system.name] = {label: score for label, score in scores.items() if label in labels}
    return results, missing


def _labels(cases: Sequence[Case], scores: Scores) -> list[str]:
    """The rows that a table has, in the order of the corpus."""
    return [label for label in dict.fromkeys(case.label for case in cases) if label in scores]


def _summary(results: dict[str, Scores]) -> str:
    rows = [[name, f"{total(scores).cases:,}", *_percent(total(scores))] for name, scores in results.items()]
    return table(["read by", "replies", "recovered exactly", "silently wrong"], rows)


def _percent(score: Score) -> list[str]:
    return [f"{share:.1f} %" for share in score.shares]


def _kinds_table(results: dict[str, Scores], names: Sequence[str], labels: Sequence[str]) -> str:
    rows = []
    group = ""
    for label in labels:
        own = KINDS[label].group if label in KINDS else "together"
        if own != group:
            group = own
            rows.append([f"*{group}*", *[""] * (len(names) + 1)])
        cells = [_cell(results[name].get(label)) for name in names]
        rows.append([f"`{label}`", str(results[OURS.name][label].cases), *cells])
    rows.append(["**all**", "", *(f"**{_cell(total(results[name], labels))}**" for name in names)])
    return table(["kind", "replies", *names], rows)


def _cell(score: Score | None) -> str:
    return "-" if score is None else " / ".join(f"{share:.0f}" for share in score.shares)


def main() -> None:
    arguments = _arguments()
    size = corpora.QUICK if arguments.quick else corpora.FULL
    cases = corpus(size=size)
    chosen = [case for case in cases if not arguments.only or case.label in arguments.only]
    section = Section("Damaged replies")
    section.blocks = _results(chosen, section, size)
    print("\n\n".join(section.blocks))
    if arguments.failures:
        _show_failures(chosen, arguments.failures)
    if arguments.check and not all(target.met for target in section.targets):
        sys.exit(f"not met:\n{targets_table(section.targets)}")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Run parsers over damaged replies.")
    parser.add_argument("--quick", action="store_true", help="a tenth of the replies")
    parser.add_argument("--only", nargs="+", metavar="KIND", help="some kinds, 'hand_made' or 'mix of 2' among them")
    parser.add_argument("--failures", type=int, default=0, metavar="N", help="show so many of our failures a kind")
    parser.add_argument("--check", action="store_true", help="fail unless the targets are met")
    return parser.parse_args()


def _show_failures(cases: Sequence[Case], count: int) -> None:
    for label, score in evaluate(OURS, cases).items():
        for case, reading, verdict in score.failed[:count]:
            print(f"\n===== {label} {case.kinds} {case.model}{' SILENT' if verdict.silent else ''}\n{case.reply}")
            print(f"expected {case.expected} with problems at {case.problems}")
            print(f"read     {'nothing' if reading.refused else reading.data} with problems at {reading.problems}")


if __name__ == "__main__":
    main()
