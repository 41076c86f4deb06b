"""Which of several answers that were read is the one, and what is said about the others."""

from __future__ import annotations

from reprlib import Repr

from ..definition import Plan, plain, says_something, show_path
from ..findings import Problem, ProblemKind, Repair, RepairKind, Span
from ..limits import MAX_EXCERPT
from ..markup import EXAMPLE
from .candidates import Candidate, is_closed
from .data.shown import headings
from .judging import KEPT, with_none
from .no_answer import only_examples

__all__ = ["chosen", "holds", "is_echo", "shortened"]


def chosen(plan: Plan, text: str, ranked: list[Candidate], count: int) -> Candidate:
    """The best of some readings; that it was chosen among `count` is on record."""
    if count == 1 and ranked[0].example is None and EXAMPLE not in text:
        return ranked[0]
    ranked.sort(key=lambda each: each.span)
    best = max(range(len(ranked)), key=lambda index: (ranked[index].rank(), index))
    if is_echo(plan, ranked, ranked[best]):
        return Candidate(only_examples(text, ranked[best].span), ranked[best].span)
    answer, span = ranked[best].answer, ranked[best].span
    if answer.found and count > 1:
        answer.repairs = [_choice(text, span), *answer.repairs]
    shown = [place for place in headings(text) if not span[0] <= place[0] < span[1]]
    if ranked[best].example is None:
        shown += [each.span for each in ranked if each.example is not None]
    answer.repairs = [*(_repeated(text, place) for place in sorted(shown)), *answer.repairs]
    for fragment in ranked[best + 1 :] if ranked[best].example is None else ():
        _doubt(plan, ranked[best], fragment)
    return ranked[best]


def _doubt(plan: Plan, best: Candidate, fragment: Candidate) -> None:
    """Puts on record what a fragment behind an answer says otherwise, as one does who corrects a single field."""
    answer, said = best.answer, fragment.answer
    if fragment.span[0] < best.span[1] or not _is_fragment(fragment) or not isinstance(answer.data, dict):
        return
    known = {problem.path for problem in answer.problems}
    for name, value in said.data.items():
        before = answer.data.get(name)
        path = show_path((name,))
        if value in _NO_VALUES or before == value or path in known:
            continue
        shown = tuple(str(plain(each)) for each in (before, value) if each is not None)
        message = "another value stands behind the answer"
        doubt = Problem(ProblemKind.AMBIGUOUS, path, message, shown[0], shown, fragment.span)
        answer.problems = [*answer.problems, doubt]
        node = plan.root.fields[name].node if name in plan.root.fields else None
        if node is not None and node.kind not in KEPT:
            answer.data = with_none(answer.data, (name,))
        answer.model, answer.is_tolerated = None, False


_NO_VALUES: tuple[object, ...] = (None, "", "...", "\u2026", [], ["..."], ["\u2026"], {})
"""What stands in an element that shows no more than its tags."""


def _is_fragment(read: Candidate) -> bool:
    """Whether a reading is a part of an answer: some fields, each with its closing tag, and nothing wrong but what it
    lacks; a root without a tag has no end either.
    """
    wrong = {problem.kind for problem in read.answer.problems if problem.path != "$"}
    are_closed = all(repair.kind is not RepairKind.CLOSER_MISSING for repair in read.answer.repairs)
    is_own = read.example is None and isinstance(read.answer.data, dict)
    return wrong == {ProblemKind.MISSING} and are_closed and is_own and read.answer.truncated in (None, "$")


def is_echo(plan: Plan, ranked: list[Candidate], best: Candidate) -> bool:
    """Whether the best reading is a repeated example. One that says nothing of its own, alone, may be an answer."""
    if best.example is None:
        return False
    return len({each.example for each in ranked}) > 1 or says_something(plan.root, best.answer.data)


def _repeated(text: str, span: Span) -> Repair:
    """An example that the reply repeats, on record."""
    said = shortened(text[slice(*span)])
    return Repair(RepairKind.EXAMPLE_SKIPPED, "$", span, said, said)


def _choice(reply: str, span: Span) -> Repair:
    tag = reply[span[0] : reply.find(">", span[0]) + 1 or span[1]][:MAX_EXCERPT]
    return Repair(RepairKind.CANDIDATE_CHOSEN, "$", span, tag, tag)


def holds(outer: Candidate, inner: Candidate) -> bool:
    """Whether one reading stands inside of another, as tags in the strings of JSON and braces in those of XML do. Of
    such tags some may have no end, so that what they open seems to end further on.
    """
    if outer is inner or not outer.answer.data or outer.is_data == inner.is_data:
        return False
    if outer.root is not None and inner.has_end and not is_closed(outer.root):  # a tag that prose mentions
        return any(child.start <= inner.span[0] < child.end for child in outer.root.children)
    return outer.span[0] <= inner.span[0] and (inner.span[1] if inner.is_data else inner.span[0]) <= outer.span[1]


def shortened(text: str) -> str:
    """A text as a finding shows it that is about all of it."""
    return _SHORT.repr(text)


_SHORT = Repr()
_SHORT.maxstring = 200
