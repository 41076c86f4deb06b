"""Where the answer stands in a reply: every element that could be it, and the reasoning that never is."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import NamedTuple

from ..definition import Plan, fold, per_plan
from ..findings import Span

__all__ = ["Candidate", "candidates"]

_REASONING = ("think", "thinking", "reasoning", "reflection", "scratchpad")


class Candidate(NamedTuple):
    """A root element: its span in the reply, whether it has its closing tag, and whether it stands in reasoning."""

    span: Span
    closed: bool
    reasoning: bool


def candidates(plan: Plan, reply: str) -> list[Candidate]:
    """The outermost elements that have the root's name, in the order of the reply; if there is none that is
    closed, the last one that is open. Linear in the reply."""
    closed, opened = _pairs(reply, _root_tag(plan))
    spans = closed or [(start, len(reply)) for start in opened[-1:]]
    hidden = _Spans(_reasoning(reply, _reasoning_tag(plan), spans) if spans else [])
    return [Candidate(span, bool(closed), hidden.hold(span[0])) for span in spans]


@per_plan
def _root_tag(plan: Plan) -> re.Pattern[str]:
    """Comments, CDATA sections, and tags of the root's name in any spelling that folds to it."""
    name = "[-_.]*".join(map(re.escape, plan.root_name.replace("_", "").replace("-", "").replace(".", "")))
    return re.compile(rf"<!--|<!\[CDATA\[|<(/?)(?:[\w.-]{{1,64}}:)?[-_.]*{name}[-_.]*(?=[\s/>])", re.I)


_ENDS = {"<!--": "-->", "<![CDATA[": "]]>"}


def _pairs(reply: str, tag: re.Pattern[str]) -> tuple[list[Span], list[int]]:
    """The spans of the outermost elements, and the starts of those that are never closed.

    Each closing tag belongs to the nearest opening one before it, so an opening tag that prose mentions
    disturbs nothing. Comments and sections hide tags inside an element only: in prose they may be mentioned.
    """
    opened: list[int] = []
    closed: list[Span] = []
    unended: set[str] = set()
    position = 0
    while match := tag.search(reply, position):
        position = match.end()
        end_mark = _ENDS.get(match[0])
        if end_mark is not None:
            position = _skip(reply, position, end_mark, unended) if opened else position
            continue
        close = reply.find(">", position) + 1
        if not close:
            break
        if match[1]:
            start = opened.pop() if opened else None
            if start is not None:
                _enclose(closed, (start, close))
        elif reply[close - 2] == "/":
            _enclose(closed, (match.start(), close))
        else:
            opened.append(match.start())
    return closed, opened


def _skip(reply: str, position: int, end_mark: str, unended: set[str]) -> int:
    """Behind the end of a comment or section; one that never ends hides nothing, and is searched for only once."""
    if end_mark in unended:
        return position
    end = reply.find(end_mark, position)
    if end < 0:
        unended.add(end_mark)
        return position
    return end + len(end_mark)


def _enclose(closed: list[Span], span: Span) -> None:
    """Adds an element in place of those that stand inside it."""
    while closed and closed[-1][0] > span[0]:
        closed.pop()
    closed.append(span)


class _Spans:
    """Spans that do not overlap, in order, to look positions up in."""

    def __init__(self, spans: list[Span]) -> None:
        self.spans = spans
        self.starts = [start for start, _end in spans]

    def hold(self, position: int) -> bool:
        """Whether some span holds `position`."""
        index = bisect_right(self.starts, position) - 1
        return index >= 0 and position < self.spans[index][1]


@per_plan
def _reasoning_tag(plan: Plan) -> re.Pattern[str]:
    names = set(_REASONING) - {fold(name) for name in (plan.root_name, *plan.root.fields)}
    return re.compile(rf"<(/?)({'|'.join(sorted(names)) or '(?!)'})\s*>", re.I)


def _reasoning(reply: str, tag: re.Pattern[str], answers: list[Span]) -> list[Span]:
    """The blocks in which a model thinks aloud, as far as their tags stand outside of the answers.

    A closing tag alone ends a block that began with the reply; a block that is never closed ends at the
    last answer in it.
    """
    within = _Spans(answers)
    blocks: list[Span] = []
    start, depth = 0, 0
    for match in tag.finditer(reply):
        if within.hold(match.start()):
            continue
        if not match[1]:
            start = start if depth else match.start()
            depth += 1
        elif depth:
            depth -= 1
            blocks += [] if depth else [(start, match.end())]
        elif not blocks:
            blocks.append((0, match.end()))
    if depth and answers[-1][0] > start:
        blocks.append((start, answers[-1][0]))
    return blocks
