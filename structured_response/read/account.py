"""The account of one answer: the place of each value, the repairs and the problems, kept up to a bound."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from typing import Any

from ..definition import Node, Path, show_path
from ..findings import MAX_FINDINGS, Problem, ProblemKind, Repair, RepairKind, Span


@dataclass(slots=True)
class Account:
    """The findings about one answer, and its data as it is read.

    Attributes:
        span: The span of the answer in the text.
        mends: Whether repairs are allowed. If not, each repair that changes a value is a problem too.
        day_first: The order of numeric dates, if the caller specified it.
        tree: The values read so far.
        places: The span of each value.
        chosen: The options chosen for unions.
        bad: The problem of each path that has one.
        around_bad: The paths in `bad` and all paths that lead to them.
        truncated: The path at which the reply breaks off.
        goes_on: Whether the reply continues behind the current element. A value that breaks off there is only invalid.
        overflowed: Whether there were more findings than are kept.
        placeholders: The number of values that are still the prompt's placeholders.
        values: The number of values read.
    """

    span: Span
    mends: bool = True
    day_first: bool | None = None
    tree: Any = None
    places: dict[Path, Span] = field(default_factory=dict)
    chosen: dict[Path, Node] = field(default_factory=dict)
    repairs: list[Repair] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    bad: dict[Path, Problem] = field(default_factory=dict)
    around_bad: set[Path] = field(default_factory=set)
    truncated: Path | None = None
    goes_on: bool = False
    overflowed: bool = False
    placeholders: int = 0
    values: int = 0

    def place(self, path: Path) -> Span:
        """Returns the span of a value, or of the nearest enclosing value if it is missing."""
        for length in range(len(path), -1, -1):
            known = self.places.get(path[:length])
            if known is not None:
                return known
        return self.span

    def repair(self, kind: RepairKind, path: Path, span: Span, before: str, after: str) -> None:
        if not self.mends and before != after and kind is not RepairKind.ITEM_DROPPED:
            self.problem(ProblemKind.NOT_STRICT, path, f"needed a repair ({kind})", span, before)
        if len(self.repairs) < MAX_FINDINGS:
            self.repairs.append(Repair(kind, show_path(path), span, before, after))
        else:
            self.overflow("repairs", span)

    def problem(
        self,
        kind: ProblemKind,
        path: Path,
        message: str,
        span: Span | None,
        found: str | None = None,
        candidates: tuple[str, ...] = (),
    ) -> None:
        """Records a problem, at most one for each path."""
        if path in self.bad:
            return
        problem = self.bad[path] = Problem(kind, show_path(path), message, found, candidates, span)
        self._surround(path)
        if len(self.problems) < MAX_FINDINGS:
            self.problems.append(problem)
        else:
            self.overflow("problems", span or self.span)

    def _surround(self, path: Path) -> None:
        while path not in self.around_bad:
            self.around_bad.add(path)
            path = path[:-1]

    def forget(self, paths: Collection[Path]) -> None:
        gone = {id(self.bad.pop(path)) for path in paths}
        self.problems = [problem for problem in self.problems if id(problem) not in gone]
        self.around_bad.clear()
        for path in self.bad:
            self._surround(path)

    def broken_off(self, path: Path, span: Span, consequence: str) -> None:
        """Records that the reply breaks off in a value, and the consequence."""
        self.truncated = path if self.truncated is None else self.truncated
        if self.goes_on:
            self.problem(ProblemKind.INVALID, path, f"breaks off here; {consequence}", span)
        else:
            self.problem(ProblemKind.TRUNCATED, path, f"the reply breaks off here; {consequence}", span)

    def overflow(self, what: str, span: Span) -> None:
        """Records, once, that there are more findings than are kept. Reading continues."""
        if not self.overflowed:
            self.overflowed = True
            message = f"more than {MAX_FINDINGS} {what} (MAX_FINDINGS)"
            self.problems.append(Problem(ProblemKind.LIMIT, "$", message, span=span))

    def within(self, span: Span) -> Account:
        """Returns an account of a text that is embedded, escaped, in one place of the answer."""
        return Account(span, self.mends, self.day_first, truncated=self.truncated, goes_on=self.goes_on)

    def take_in(self, inner: Account) -> None:
        self.values += inner.values
        self.placeholders += inner.placeholders
        self.chosen |= inner.chosen
        self.places |= dict.fromkeys(inner.places, inner.span)
        for repair in inner.repairs[: MAX_FINDINGS - len(self.repairs)]:
            self.repairs.append(replace(repair, span=inner.span))
        for path, problem in inner.bad.items():
            self.problem(problem.kind, path, problem.message, inner.span, problem.found, problem.candidates)

    def mark(self) -> tuple[int, int]:
        """Returns a point that a trial can be rolled back to."""
        return len(self.repairs), len(self.problems)

    def take_back(self, mark: tuple[int, int]) -> None:
        del self.repairs[mark[0] :]
        gone = self.problems[mark[1] :]
        if gone:
            self.forget([path for path, problem in self.bad.items() if any(problem is each for each in gone)])
