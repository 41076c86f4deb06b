"""What a check of the reader's two tables finds: readings that no row allows, pairs that the levels order wrongly, and
edits that no reply needs.

`python -m benchmarks.solver --quick` takes a tenth of the damaged replies. It decides nothing: it says where to look.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any

from benchmarks.gate import FOLDERS
from benchmarks.replies import real_replies
from benchmarks.report import table
from benchmarks.robustness import corpus as corpora
from benchmarks.robustness.systems import plain_data, response_of
from benchmarks.robustness.verdict import Reading, Verdict, judge
from benchmarks.timing import progress
from benchmarks.workers import run_all
from structured_response import ReplyError, StructuredResponse
from structured_response.explain.why import readings
from structured_response.options import ParseOptions
from structured_response.read import Answer, search
from structured_response.read.prices import PRICES, Edit
from structured_response.read.reader import read_carefully

ENDS = 30
"""Readings of a reply that are looked at for its truth, in the order of their cost."""

SECONDS = 20
"""At most, for the readings of one reply."""

SHOWN = 40


@dataclass(frozen=True)
class Trial:
    """A reply whose data is known. `judged` tells whether a reading says it."""

    name: str
    reply: str
    response: StructuredResponse[Any]
    judged: Callable[[Reading], Verdict]

    def outcome(self) -> str:
        """Whether it is read rightly, wrongly without a word, or with a problem where there is none."""
        try:
            verdict = self.judged(_reading(self.response.parse(self.reply, strict=False)))
        except ReplyError:
            verdict = self.judged(Reading(refused=True))
        return "silent" if verdict.silent else "right" if verdict.exact else "other"

    def says_truth(self, answer: Answer | None) -> bool:
        """Whether an answer says what is known of the reply."""
        if answer is None or not answer.found:
            return self.judged(Reading(refused=True)).exact
        response = self.response._answered(answer, self.reply, strict=False)  # noqa: SLF001 - as `parse` does
        return self.judged(_reading(response)).exact


def _reading(response: StructuredResponse[Any]) -> Reading:
    return Reading(plain_data(response), tuple(problem.path for problem in response.problems))


def trials(quick: bool, seed: int) -> Iterator[Trial]:
    """The corpus of damaged replies, and the real ones that are there."""
    numbers: Counter[str] = Counter()
    for case in corpora.corpus(seed, corpora.QUICK if quick else corpora.FULL):
        numbers[case.label] += 1
        name = f"{case.label}/{numbers[case.label]}"
        yield Trial(name, case.reply, response_of(case.model), partial(judge, case))
    for each in real_replies(FOLDERS):
        response = StructuredResponse.from_basemodel(each.model)
        yield Trial(f"{each.folder}/{each.name}", each.reply, response, each.judge)


# Truths that are not read


@dataclass(frozen=True)
class Missed:
    """A reply that is not read rightly: what was read, and its truth where a reading reaches it."""

    name: str
    outcome: str
    cost: int
    edits: Counter[Edit]
    truth: tuple[int, Counter[Edit]] | None


def missed(trial: Trial) -> Missed | None:
    """Where the truth of a reply stands among its readings, None where it is read."""
    outcome = trial.outcome()
    plan = trial.response._plan  # noqa: SLF001
    chosen = read_carefully(plan, trial.reply, ParseOptions())[1] if outcome != "right" else None
    if chosen is None:
        return None if outcome == "right" else Missed(trial.name, outcome, 0, Counter(), None)
    found = islice(readings(plan, chosen, ParseOptions()), ENDS)
    reached = next((each for each in found if trial.says_truth(each.answer)), None)
    truth = None if reached is None else (reached.cost, _edits(reached))
    return Missed(trial.name, outcome, chosen.cost, _edits(chosen), truth)


def _edits(candidate: Any) -> Counter[Edit]:
    return Counter(edit for _index, move in candidate.tree.way for edit in move.edits)


def missed_rows(found: list[Missed]) -> Iterator[tuple[str, list[list[str]]]]:
    """The table of truths that no reading reaches, and that of those that are dearer than what is read."""
    unreached = [[each.name, each.outcome, str(each.cost), _names(each.edits)] for each in found if each.truth is None]
    yield "No reading reaches the truth: a row, a value or a doubt is wrong", unreached
    dearer = [
        [each.name, each.outcome, f"{each.cost} < {each.truth[0]}", _names(each.edits - each.truth[1]),
         _names(each.truth[1] - each.edits)]
        for each in found if each.truth is not None
    ]  # fmt: skip
    yield "The truth is dearer than what is read, or as dear: levels, rows or a tie", dearer


def _names(edits: Counter[Edit]) -> str:
    return ", ".join(edit.name.lower() + (f" x{count}" if count > 1 else "") for edit, count in edits.items()) or "none"


# Edits that no reply needs


def outcomes_without(edit: Edit | None, given: list[Trial]) -> list[str]:
    """The outcomes of all replies if no reading may suppose an edit."""
    for each in given:
        each.response._plan.memo.clear()  # noqa: SLF001 - it remembers moves
    names = vars(search)
    all_moves = names["moves"]
    names["moves"] = lambda *place: [move for move in all_moves(*place) if edit not in move.edits]
    try:
        return [each.outcome() for each in given]
    finally:
        names["moves"] = all_moves


def needed_rows(given: list[Trial]) -> list[list[str]]:
    """For each edit how many replies change from right to something else without it, those of no reply first."""
    edits: list[Edit | None] = [None, *Edit]
    found = run_all(lambda number: outcomes_without(edits[number], given), len(edits), 60 * SECONDS)
    before = found[0]
    if isinstance(before, str):
        raise SystemExit(before)
    rows = []
    for edit, after in zip(Edit, found[1:], strict=True):
        pairs = Counter(zip(before, before if isinstance(after, str) else after, strict=True))
        counts = [pairs["right", "other"], pairs["right", "silent"], pairs["other", "right"] + pairs["silent", "right"]]
        shown = [after, "", ""] if isinstance(after, str) else [str(count) for count in counts]
        rows.append([edit.name.lower(), str(PRICES[edit].level), *shown])
    return sorted(rows, key=lambda row: (row[2:4] != ["0", "0"], row[0]))


def main() -> None:
    parser = argparse.ArgumentParser(description="Check the tables of the reader.")
    parser.add_argument("--quick", action="store_true", help="a tenth of the damaged replies")
    parser.add_argument("--seed", type=int, default=1, help="of the damaged replies")
    parser.add_argument("--only", choices=("truths", "edits"), help="one of the two checks")
    arguments = parser.parse_args()
    given = list(trials(arguments.quick, arguments.seed))
    progress(f"{len(given):,} replies")
    if arguments.only != "edits":
        results = run_all(lambda number: missed(given[number]), len(given), SECONDS)
        hung = [[trial.name, each] for trial, each in zip(given, results, strict=True) if isinstance(each, str)]
        found = [each for each in results if isinstance(each, Missed)]
        for title, rows in missed_rows(found):
            print(f"\n## {title}: {len(rows)}\n")
            heads = ["reply", "outcome", "cost", "slips that were read only", "slips of the truth only"]
            print(table(heads[: len(rows[0]) if rows else 4], rows[:SHOWN]))
        print("\n".join(f"{name}: {reason}" for name, reason in hung))
    if arguments.only != "truths":
        rows = needed_rows(given)
        count = sum(row[2:4] == ["0", "0"] for row in rows)
        print(f"\n## Replies that are not read rightly without an edit; {count} edits are needed by none\n")
        print(table(["edit", "level", "other", "silent", "right only without"], rows))


if __name__ == "__main__":
    main()
