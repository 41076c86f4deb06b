"""What was found in a reply, told on standard error: a line each, with carets under a problem's place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..errors import ReplyError
from ..findings import Problem, Repair, Span, excerpt, line_and_column
from ..response import StructuredResponse
from .terminal import CONTROLS, carets_under, tell

__all__ = ["Report", "change", "tell_problem"]

LONGEST_VALUE = 40  # characters of a text that a line about it shows


@dataclass(frozen=True)
class Report:
    """The findings of one reply; `name` is the file that it came from."""

    name: str
    reply: str
    quiet: bool

    def findings(self, repairs: Sequence[Repair], problems: Sequence[Problem]) -> None:
        for repair in () if self.quiet else repairs:
            tell(f"{self._at(repair.span)} {repair.path}: {change(repair)}", style="dim")
        for problem in problems:
            tell_problem(problem, f"{self._at(problem.span)} ")
            if problem.span is not None:
                line, marks = excerpt(self.reply, problem.span).translate(CONTROLS).split("\n")
                start = len(marks) - len(marks.lstrip())
                tell(f"    {line}")
                tell(f"    {carets_under(line, start, len(marks))}", style="red")

    def failure(self, error: ReplyError) -> None:
        partial: StructuredResponse[object] | None = error.response
        self.findings(partial.repairs if partial else (), error.problems)
        if partial is not None and not self.quiet:
            tell("nothing was printed; --no-strict prints what could be read", style="dim")

    def _at(self, span: Span | None) -> str:
        return f"{self.name}:" + ("" if span is None else "{}:{}:".format(*line_and_column(self.reply, span[0])))


def tell_problem(problem: Problem, place: str = "") -> None:
    tell(place, (f"{problem.path}: ", "bold red"), problem.message)


def change(repair: Repair) -> str:
    """What was done, and to what."""
    before, after = _short(repair.before), _short(repair.after)
    return f"{repair.kind.replace('_', ' ')}: {before}" + (f" -> {after}" if repair.after != repair.before else "")


def _short(text: str) -> str:
    return repr(text if len(text) <= LONGEST_VALUE else f"{text[: LONGEST_VALUE - 3]}...")
