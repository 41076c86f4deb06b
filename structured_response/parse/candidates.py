"""Answers that were read in full, each with what tells how well it fits."""

from __future__ import annotations

from dataclasses import dataclass

from ..definition import Plan
from ..findings import ProblemKind, RepairKind, Span
from .data.formats import read_found
from .data.found import Found
from .data.shown import place_in
from .how import How
from .judging import judged_answer
from .no_answer import nothing
from .quick import Answer
from .reading import LimitReachedError, Reading
from .xml.elements import Element
from .xml.values import read_values

__all__ = ["Candidate", "is_closed", "read_in_format", "read_root"]


@dataclass(slots=True)
class Candidate:
    """An answer that was read. `example` says which example it has the data of; `is_own`, that it says something that
    no example does. `root` is the element of XML; `has_end` tells of data that nothing else has to end it.
    """

    answer: Answer
    span: Span
    is_data: bool = False
    is_own: bool = False
    example: int | None = None
    root: Element | None = None
    has_end: bool = False

    def rank(self) -> tuple[bool, bool, int, bool, int]:
        """How well it fits: by whether it is more than a repeated example, by problems, by whether it holds anything,
        by repairs that say something against it.
        """
        answer = self.answer
        mended = [repair for repair in answer.repairs if repair.kind not in _SAYS_NOTHING]
        return answer.found, self.is_own, -len(answer.problems), bool(answer.data), -len(mended)


_SAYS_NOTHING = frozenset(
    {
        RepairKind.COMMENT_DROPPED,
        RepairKind.FENCE_REMOVED,
        RepairKind.NULL_WORD,
        RepairKind.OPTION_CHOSEN,
        RepairKind.UNESCAPED,
    }
)
"""Ways of writing that damage nothing: a bare `&` or `<`, a word for null, a fence or a comment in a value, a text that
fits more than one option.
"""


def read_root(plan: Plan, reply: str, root: Element, how: How) -> Candidate:
    reading = Reading((root.start, root.end), mends=how.repair)
    if how.format not in (None, "xml"):
        reading.repair(RepairKind.FORMAT_READ, (), reading.span, "XML", "XML")
    try:
        if root.head.tag and root.head.tag != plan.root_name:
            tag = (root.start, root.inner_start)
            reading.repair(RepairKind.NAME_RESPELLED, (), tag, root.head.tag, plan.root_name)
        read_values(plan.root, root, reply, reading)
    except LimitReachedError as limit:
        return Candidate(Answer(problems=[limit.problem], found=False), reading.span)
    except RecursionError:
        message = "nested deeper than what is left of Python's stack"
        return Candidate(nothing(ProblemKind.LIMIT, message, reading.span), reading.span)
    return _candidate(plan, reading, how, root)


def read_in_format(plan: Plan, found: Found, how: How, has_end: bool = False) -> Candidate:
    """Reads an answer in another format than XML."""
    reading = Reading(found.span, mends=how.repair)
    try:
        read_found(plan, found, reading, how.format)
    except LimitReachedError as limit:
        return Candidate(Answer(problems=[limit.problem], found=False), reading.span, is_data=True, has_end=has_end)
    return _candidate(plan, reading, how, has_end=has_end)


def _candidate(plan: Plan, reading: Reading, how: How, root: Element | None = None, has_end: bool = False) -> Candidate:
    """What was read, validated: in XML from a root."""
    answer = judged_answer(plan, reading, how)
    example = place_in(how.examples, plan, answer.data) if how.examples else None
    is_own = example is None and (not how.examples or bool(answer.data))
    return Candidate(answer, reading.span, root is None, is_own, example, root, has_end)


def is_closed(element: Element) -> bool:
    return element.end > element.inner_end or element.end == element.inner_start
