"""Which of several answers that were read is the one, and what is said about the others."""

from __future__ import annotations

from reprlib import Repr

from ..definition import Plan, says_something
from ..findings import Repair, RepairKind, Span
from ..limits import MAX_EXCERPT
from ..markup import EXAMPLE
from .candidates import Candidate, is_closed
from .data.shown import headings
from .doubts import doubt
from .how import How
from .in_prose import doubt_by_text
from .no_answer import only_examples

__all__ = ["chosen", "holds", "is_echo", "shortened"]


def chosen(plan: Plan, text: str, ranked: list[Candidate], count: int, how: How) -> Candidate:
    """The best of some readings; that it was chosen among `count` is on record."""
    if count == 1 and ranked[0].example is None and EXAMPLE not in text:
        doubt_by_text(plan, text, ranked[0], how)
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
    doubt(plan, text, ranked[best], ranked)
    doubt_by_text(plan, text, ranked[best], how)
    return ranked[best]


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
