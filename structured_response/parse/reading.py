"""What reading an answer gives: a tree of texts, where each value stands, and what was found on the way."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from ..definition import Node, Path, show_path
from ..findings import Problem, ProblemKind, Repair, RepairKind, Span
from ..limits import MAX_FINDINGS
from .xml.runs import Run

__all__ = ["LimitReachedError", "Reading"]


class LimitReachedError(Exception):
    """A bound was passed; reading ends. Never leaves the package: it becomes a `ReplyError`."""

    def __init__(self, message: str, span: Span) -> None:
        super().__init__(message)
        self.problem = Problem(ProblemKind.LIMIT, "$", message, span=span)


@dataclass(slots=True)
class Reading:
    """One answer as it was read.

    `tree` holds dicts, lists, texts in their strict forms, choices, and None; fields that the answer left
    out are absent from it. `places` has the span of each value; `bad` the paths of values that a problem names,
    with the problem, `around_bad` those and all that hold them.
    Those that are not looked for before somebody asks are told by what stands in `late`.
    `runs` has, for the values of a container that were read in runs, those with the index that each begins with.
    `chosen` has the options of unions that were read.
    `skipped` has the places where elements begin that were skipped.
    `truncated` is the path at which the reply broke off. `mends`: values may be mended; else a repair that changes
    one is a problem too.
    """

    span: Span
    mends: bool = True
    tree: Any = None
    places: dict[Path, Span] = field(default_factory=dict)
    late: list[Callable[[], dict[Path, Span]]] = field(default_factory=list)
    runs: dict[Path, list[tuple[int, Run]]] = field(default_factory=dict)
    chosen: dict[Path, Node] = field(default_factory=dict)
    repairs: list[Repair] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    bad: dict[Path, Problem] = field(default_factory=dict)
    around_bad: set[Path] = field(default_factory=set)
    skipped: set[int] = field(default_factory=set)
    truncated: Path | None = None
    overflowed: bool = False

    def place(self, path: Path) -> Span:
        """Where a value stands; for one that is not there, the nearest value that would hold it."""
        while self.late:
            self.places.update(self.late.pop()())
        for length in range(len(path), -1, -1):
            known = self.places.get(path[:length])
            if known is not None:
                return self._place_in_run(path[:length], path[length:]) or known
        return self.span

    def _place_in_run(self, path: Path, rest: Path) -> Span | None:
        """Where a value stands that was read in a run of the value at `path`."""
        for first, run in self.runs.get(path, ()) if rest else ():
            step = rest[0]
            if isinstance(step, str) and not run.is_list and step in run.values:
                return run.span(rest)
            if isinstance(step, int) and run.is_list and first <= step < first + len(run.values):
                return run.span((step - first, *rest[1:]))
        return None

    def repair(self, kind: RepairKind, path: Path, span: Span, before: str, after: str) -> None:
        """Puts a repair on record."""
        if not self.mends and before != after and kind is not RepairKind.ITEM_DROPPED:
            self.problem(ProblemKind.NOT_STRICT, path, f"not as asked for ({kind})", span, before)
        if kind is RepairKind.ELEMENT_SKIPPED:
            self.skipped.add(span[0])
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
        """Puts a problem on record, once for each path."""
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
        """Takes the problems of some values off the record."""
        gone = {id(self.bad.pop(path)) for path in paths}
        self.problems = [problem for problem in self.problems if id(problem) not in gone]
        self.around_bad.clear()
        for path in self.bad:
            self._surround(path)

    def take(self, inner: Reading, moved: Callable[[Span], Span]) -> None:
        """Adds what was found in a text that was written back, at the places where that came from."""
        self.places.update((path, moved(span)) for path, span in inner.places.items())
        self.chosen.update(inner.chosen)
        self.late += [partial(_moved, late, moved) for late in inner.late]
        room = max(MAX_FINDINGS - len(self.repairs), 0)
        self.repairs += [replace(each, span=moved(each.span)) for each in inner.repairs[:room]]
        if inner.overflowed or len(inner.repairs) > room:
            self.overflow("repairs", moved(inner.span))
        for path, problem in inner.bad.items():
            span = problem.span and moved(problem.span)
            self.problem(problem.kind, path, problem.message, span, problem.found, problem.candidates)
        self.truncated = self.truncated or inner.truncated

    def broken_off(self, path: Path, span: Span, consequence: str) -> None:
        """Puts on record that the reply breaks off in a value, and what follows from that."""
        self.truncated = path if self.truncated is None else self.truncated
        self.problem(ProblemKind.TRUNCATED, path, f"the reply breaks off here; {consequence}", span)

    def overflow(self, what: str, span: Span) -> None:
        """The reply is read on, but there is more to say about it than is kept: that itself is a problem."""
        if not self.overflowed:
            self.overflowed = True
            message = f"more than {MAX_FINDINGS} {what} (MAX_FINDINGS)"
            self.problems.append(Problem(ProblemKind.LIMIT, "$", message, span=span))


def _moved(late: Callable[[], dict[Path, Span]], moved: Callable[[Span], Span]) -> dict[Path, Span]:
    return {path: moved(span) for path, span in late().items()}
