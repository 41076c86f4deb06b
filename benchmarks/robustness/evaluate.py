"""Runs systems over the corpus and counts, for each kind: recovered exactly, and silently wrong."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from benchmarks.robustness.corpus import Case
from benchmarks.robustness.damage import KINDS
from benchmarks.robustness.damage.formats import JSON
from benchmarks.robustness.systems import Read, System
from benchmarks.robustness.verdict import Reading, Verdict, judge


@dataclass
class Score:
    """What came of the cases of one kind. `failed` has the cases that were not recovered."""

    cases: int = 0
    exact: int = 0
    silent: int = 0
    failed: list[tuple[Case, Reading, Verdict]] = field(default_factory=list)

    def add(self, other: Score) -> None:
        self.cases += other.cases
        self.exact += other.exact
        self.silent += other.silent

    @property
    def shares(self) -> tuple[float, float]:
        """Per cent recovered exactly and silently wrong."""
        return 100 * self.exact / self.cases, 100 * self.silent / self.cases


Scores = dict[str, Score]
"""By the label of a case: its kind, "mix of 3", "hand_made"."""


def format_of(case: Case) -> str:
    """Which form a reply was asked in: what a peer for the other form is spared."""
    return "json" if any(KINDS[kind].group == JSON for kind in case.kinds if kind in KINDS) else "xml"


def evaluate(system: System, cases: Iterable[Case]) -> Scores:
    """Raises `ImportError` where the system is not installed."""
    read = system.load()
    scores: Scores = {}
    for case in cases:
        if format_of(case) in system.formats:
            _count(scores.setdefault(case.label, Score()), case, read)
    return scores


def _count(score: Score, case: Case, read: Read) -> None:
    reading = attempt(read, case)
    verdict = judge(case, reading)
    score.cases += 1
    score.exact += verdict.exact
    score.silent += verdict.silent
    if not verdict.exact:
        score.failed.append((case, reading, verdict))


def attempt(read: Read, case: Case) -> Reading:
    """What a system makes of a case. Peers raise what they like; it counts as a refusal."""
    try:
        return read(case)
    except Exception:  # noqa: BLE001
        return Reading(refused=True)


def total(scores: Scores, labels: Sequence[str] | None = None) -> Score:
    sum_of = Score()
    for label, score in scores.items():
        if labels is None or label in labels:
            sum_of.add(score)
    return sum_of
