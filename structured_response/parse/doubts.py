"""What a reply says otherwise than the answer that was chosen, or besides it: each is a problem at the field.

* What stands behind the answer may correct it: a part of another answer, or a whole one that fits less well, if words
  lead to it.
* A part without a root right beside the answer is one of that answer, whatever tore it off.

What the answer says as well says nothing; neither does what is no more than tags, or the prompt's own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ..definition import Field, Path, Plan, is_placeholder, plain, show_path
from ..findings import Problem, ProblemKind, RepairKind, Span
from ..markup import GAP
from .candidates import Candidate, is_closed
from .judging import KEPT, with_none

__all__ = ["BEHIND", "doubt", "fills_line", "note", "says_otherwise"]

BEHIND = "another value stands behind the answer"
_BESIDE = "a part of an answer stands beside this one"

_NO_VALUES: tuple[object, ...] = (None, "", "...", "\u2026", [], ["..."], ["\u2026"], {})
"""What stands in an element that shows no more than its tags."""

_TAG = re.compile(r"</?[^\W\d][^<>]*+>")


def doubt(plan: Plan, text: str, best: Candidate, others: list[Candidate]) -> None:
    """Puts on record what the other answers of a text say otherwise."""
    if best.example is not None or not best.answer.found:
        return
    for other in others:
        if other is best or other.example is not None or not other.answer.found:
            continue
        is_behind = other.span[0] >= best.span[1]
        if is_behind and (_is_part(other) or _is_announced(text, other, others)):
            says_otherwise(plan, text, best, other)
        elif not is_behind and _is_part(other) and _is_beside(text, other, best):
            _differ(plan, best, other, _BESIDE)


def says_otherwise(plan: Plan, text: str, best: Candidate, other: Candidate) -> None:
    """Puts on record what an answer behind the best one says otherwise, if it is a part of one or a whole one."""
    if _is_part(other) or _is_meant(text, other):
        _differ(plan, best, other, BEHIND)


def _is_part(read: Candidate) -> bool:
    """Whether a reading is a part of an answer: some of it, each piece with its closing tag, and nothing wrong but what
    it lacks; a root without a tag has no end either.
    """
    wrong = {problem.kind for problem in read.answer.problems if problem.path != "$"}
    kinds = {repair.kind for repair in read.answer.repairs}
    is_short = ProblemKind.MISSING in wrong <= _OF_PARTS or (not wrong and RepairKind.ROOT_MISSING in kinds)
    return is_short and RepairKind.CLOSER_MISSING not in kinds and read.answer.truncated in (None, "$")


_OF_PARTS = {ProblemKind.MISSING, ProblemKind.AMBIGUOUS}
"""What is wrong with a part of an answer: what it lacks, and what lost the tag in front of it."""


def _is_beside(text: str, part: Candidate, best: Candidate) -> bool:
    """Whether a part without a root stands in front of an answer, with nothing but tags between them."""
    if part.span[1] > best.span[0] or part.root is None or part.root.head.tag or not part.root.children:
        return False
    return not _TAG.sub("", text[part.root.children[-1].reach() : best.span[0]]).strip(GAP)


def _is_meant(text: str, read: Candidate) -> bool:
    """Whether a reading is a whole answer: not even half of it is wrong, nothing is left out of it, and it did not
    break off. One that is empty fills a line.
    """
    if not read.answer.data:
        return read.root is not None and is_closed(read.root) and fills_line(text, read.span)
    given = read.answer.data if isinstance(read.answer.data, dict) else ()
    if any(repair.kind in _LEFT_OUT for repair in read.answer.repairs) or read.answer.truncated is not None:
        return False
    kinds = [problem.kind for problem in read.answer.problems]
    return ProblemKind.MISSING not in kinds and len(kinds) <= len(given) // 2


_LEFT_OUT = (RepairKind.TEXT_SKIPPED, RepairKind.ELEMENT_SKIPPED)


def _is_announced(text: str, read: Candidate, others: list[Candidate]) -> bool:
    """Whether words stand between an answer and the one in front of it: of two without any, the better one is meant."""
    behind = max(other.span[1] for other in others if other.span[1] <= read.span[0])
    return any(map(str.isalpha, _TAG.sub("", text[behind : read.span[0]]))) or not read.answer.data


def fills_line(text: str, span: Span) -> bool:
    """Whether nothing else stands in the lines of a stretch."""
    before, behind = text[: span[0]].rpartition("\n")[2], text[span[1] :].partition("\n")[0]
    return not (before + behind).strip(GAP)


def _differ(plan: Plan, best: Candidate, other: Candidate, message: str) -> None:
    """Puts on record what another reading says otherwise: field by field, or as a whole where there are none."""
    before, after = best.answer.data, other.answer.data
    if not isinstance(before, dict) or not isinstance(after, dict):
        if before != after:
            note(plan, best, (), (before, after), message, other.span)
        return
    for name, value in _said(plan, other):
        if before.get(name) != value:
            note(plan, best, (name,), (before.get(name), value), message, other.span)


def _said(plan: Plan, read: Candidate) -> Iterator[tuple[str, Any]]:
    """What a reading says by fields: of a value that is wrong its text, of what only stands for one nothing."""
    wrong = {problem.path: problem.found for problem in read.answer.problems}
    for name, value in read.answer.data.items():
        said = wrong.get(show_path((name,))) if value is None else value
        if said not in _NO_VALUES and not _is_shown(plan.root.fields.get(name), said):
            yield name, said


def _is_shown(field: Field | None, said: Any) -> bool:
    """Whether a field's value is what the prompt showed in its place."""
    if field is None or not field.node.is_text() or not isinstance(said, str):
        return False
    return is_placeholder(field.node, said)


def note(
    plan: Plan,
    best: Candidate,
    path: Path,
    said: tuple[Any, Any],
    message: str,
    span: Span,
    kind: ProblemKind = ProblemKind.AMBIGUOUS,
) -> None:
    """Puts one problem on record; of what the answer says nobody knows whether it holds."""
    answer, shown_path = best.answer, show_path(path)
    if any(problem.path == shown_path for problem in answer.problems):
        return
    shown = tuple(str(plain(each)) for each in said if each is not None)
    problem = Problem(kind, shown_path, message, shown[0], shown, span)
    answer.problems = [*answer.problems, problem]
    node = plan.root.fields[str(path[0])].node if path and path[0] in plan.root.fields else None
    if node is not None and node.kind not in KEPT:
        answer.data = with_none(answer.data, path)
    answer.model, answer.is_tolerated = None, False
