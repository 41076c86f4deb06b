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
    closed, the last one that is open. Linear in the reply.
    """
    closed, opened = _pairs(reply, _root_tag(plan))
    spans = closed or [(start, len(reply)) for start in opened[-1:]]
    hidden = _Spans(_reasoning(reply, _reasoning_tag(plan), spans) if spans else [])
    return [Candidate(span, bool(closed), hidden.hold(span[0])) for span in spans]


@per_plan
def _root_tag(plan: Plan) -> re.Pattern[str]:
    """Comments, CDATA sections, and tags of the root's name in any spelling that folds to it."""
    name = "[-_.]*".join(map(re.escape, plan.root_name.replace("_", "").replace("-", "").replace(".", "")))
    return re.compile(rf"<!--|<!\[CDATA\[|<(/?)(?:[\w.-]{{1,64}}:)?[-_.]*{name}[-_.]*(?=[\s/>])", re.IGNORECASE)


_ENDS = {"<!--": "-->", "<![CDATA[": "]]>"}


def _pairs(reply: str, tag: re.Pattern[str]) -> tuple[list[Span], list[int]]:
    """The spans of the outermost elements, and the starts of those that are never closed.

    Each closing tag belongs to the nearest opening one before it, so an opening tag that prose mentions
    disturbs nothing. Comments and sections hide tags inside an element only: in prose they may be mentioned.
    """
    opened: list[int] = []
    closed: list[Span] = []
    comments: list[Span] = []
    ends = _Ends(reply)
    position = 0
    while match := tag.search(reply, position):
        position = match.end()
        if match[0] in _ENDS:
            end = ends.after(position, _ENDS[match[0]])
            if opened:
                position = max(position, end)
            elif end > position:
                comments.append((match.start(), end))
            continue
        close = ends.after(position, ">")
        if close < 0:
            break
        if match[1]:
            start = opened.pop() if opened else None
            if start is not None:
                _enclose(closed, (start, close))
        elif reply[close - 2] == "/":
            _enclose(closed, (match.start(), close))
        else:
            opened.append(match.start())
    return _outside(closed, comments), opened


class _Ends:
    """Where comments and sections end. Remembers what it found, so that a million openers cost one search."""

    def __init__(self, reply: str) -> None:
        self.reply = reply
        self.known: dict[str, int] = {}

    def after(self, position: int, mark: str) -> int:
        """Behind the next end mark from `position` on, or -1."""
        known = self.known.get(mark, 0)
        if known >= 0 and known - len(mark) < position:
            found = self.reply.find(mark, position)
            known = self.known[mark] = found + len(mark) if found >= 0 else -1
        return known


def _outside(spans: list[Span], comments: list[Span]) -> list[Span]:
    """The spans that do not stand in a comment. One that an answer reaches out of is only mentioned by prose."""
    furthest = 0
    waiting = iter(comments)
    comment = next(waiting, None)
    outside: list[Span] = []
    for start, end in spans:
        while comment is not None and comment[0] < start:
            furthest = max(furthest, comment[1])
            comment = next(waiting, None)
        if end > furthest:
            outside.append((start, end))
    return outside


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
    return re.compile(rf"<(/?)({'|'.join(sorted(names)) or '(?!)'})\s*>", re.IGNORECASE)


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
