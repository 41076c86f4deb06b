"""Why a reply holds no answer."""

from __future__ import annotations

from ..definition import Plan
from ..findings import Problem, ProblemKind, Span
from .data.shown import headings
from .quick import Answer
from .refusals import refusal
from .xml.elements import Root

__all__ = ["nothing", "only_examples", "why_nothing"]


def nothing(kind: ProblemKind, message: str, span: Span | None = None, said: str | None = None) -> Answer:
    return Answer(problems=[Problem(kind, "$", message, said, span=span)], found=False)


def why_nothing(plan: Plan, reply: str, found: list[Root]) -> Answer:
    if not reply.strip():
        return nothing(ProblemKind.NO_ANSWER, "the reply is empty")
    said = refusal(reply)
    if said is not None:
        return nothing(ProblemKind.REFUSAL, "the reply declines to answer", said, reply[slice(*said)])
    shown = next(headings(reply), None)
    if shown is not None:
        return only_examples(reply, shown)
    if found:
        place = (found[-1].element.start, found[-1].element.end)
        return nothing(ProblemKind.NO_ANSWER, "the only answer stands in a block of reasoning", place)
    return nothing(ProblemKind.NO_ANSWER, f"no <{plan.root_name}> element in the reply")


def only_examples(reply: str, place: Span) -> Answer:
    message = "the reply repeats the prompt's examples and gives no answer"
    return nothing(ProblemKind.NO_ANSWER, message, place, reply[slice(*place)])
