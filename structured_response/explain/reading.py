"""What a person wants to see of a reading: each value with its place, the findings, and the next best reading."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, NamedTuple, TypeVar

from ..asking.result import Attempt
from ..completion import texts_of
from ..data.validators import node_at
from ..definition import Node, Path, Plan
from ..findings import Problem, Repair, Span, line_and_column
from ..options import ParseOptions
from ..read import read_all, read_with_candidate
from ..read.candidates import Candidate
from . import why

MAX_SHOWN = 300
"""Repairs and problems that are shown, of each the first. A hostile reply has thousands, and nobody reads them."""

LONGEST = 20_000
"""Characters of a reply whose other readings are looked for. A hostile one of this length takes a second."""

MAX_UNDERLINED = 200
"""Characters of a repair that are underlined. A longer one is about the whole answer, and is only listed."""


class Value(NamedTuple):
    """A scalar of the data.

    Attributes:
        path: Its path.
        value: The value.
        kind: Its type in the definition.
        field: The number of the field of the root that it is in.
        span: Its place in the reply, or None for a default.
    """

    path: Path
    value: Any
    kind: str
    field: int
    span: Span | None


@dataclass(frozen=True)
class Reading:
    """How one reply was read.

    Attributes:
        name: The class name of the data.
        data: The data; None if there is none.
        values: All scalars of the data, in its order.
        other: The differences of the next best reading: the path, the value here, and the value there.
        question: The message that the reply answers, if it is one of several attempts.
    """

    name: str
    reply: str
    data: Any
    values: Sequence[Value]
    repairs: Sequence[Repair]
    problems: Sequence[Problem]
    other: Sequence[tuple[str, str, str]] = ()
    title: str = ""
    question: str = ""

    def place(self, span: Span | None) -> str:
        """Returns the line and the column of the beginning of a span, both from 1; empty without one."""
        return "" if span is None else ":".join(map(str, line_and_column(self.reply, span[0])))


def reading_of(plan: Plan, reply: str, options: ParseOptions) -> Reading:
    """Reads a reply again, with the places of its values."""
    title = f"How {plan.class_name} was read"
    answer, chosen = read_with_candidate(plan, reply, options)
    if chosen is None or chosen.answer is None:
        return Reading(plan.class_name, reply, None, (), answer.repairs, answer.problems, title=title)
    places = {path: why.place(chosen, span) for path, span in chosen.places.items()}
    data = chosen.answer.data
    values = tuple(_values(plan.root, data, places))
    other = _other(plan, reply, chosen, options) if len(reply) <= LONGEST else ()
    return Reading(plan.class_name, reply, data, values, answer.repairs, answer.problems, other, title)


def _other(plan: Plan, reply: str, chosen: Candidate, options: ParseOptions) -> tuple[tuple[str, str, str], ...]:
    """Returns the differences of the next best reading of the answer, or else of another answer of the reply."""
    data = chosen.answer and chosen.answer.data
    runner_up = why.runner_up(plan, chosen, options)
    if runner_up is not None:
        return tuple(why.differences(data, runner_up.answer and runner_up.answer.data))
    others = [answer.data for answer in read_all(plan, reply, options) if answer.data != data]
    return tuple(why.differences(data, others[-1])) if others else ()


def bare(reply: str, repairs: Iterable[Repair], problems: Iterable[Problem]) -> Reading:
    """Returns the reading of a reply without its data. Findings about other replies have no place in it."""

    def has(span: Span | None, text: str | None) -> bool:
        return span is not None and reply[slice(*span)] == text

    mended = [each for each in repairs if has(each.span, each.before)]
    wrong = [each if has(each.span, each.found) else replace(each, span=None) for each in problems]
    return Reading("", reply, None, (), mended, wrong, title="How the reply was read")


def attempted(attempt: Attempt) -> Reading:
    """Returns the reading of one of several attempts."""
    read = bare(attempt.reply, attempt.repairs, attempt.problems)
    return replace(read, title=str(attempt), question="\n".join(texts_of(attempt.messages[-1:])))


def _values(root: Node, data: Any, places: dict[Path, Span]) -> Iterator[Value]:
    fields = {name: number for number, name in enumerate(data)} if isinstance(data, dict) else {}
    waiting: list[tuple[Path, Any]] = [((), data)]
    while waiting:
        path, value = waiting.pop()
        if isinstance(value, dict | list) and value:
            steps = value.items() if isinstance(value, dict) else enumerate(value)
            waiting += reversed([((*path, step), held) for step, held in steps])
        else:
            number = fields.get(path[0], path[0]) if path else 0
            node = node_at(root, path) or Node("any")
            kind = " | ".join(part.name or part.kind for part in node.parts) if node.kind == "union" else node.kind
            yield Value(path, value, kind, int(number), places.get(path))


class Piece(NamedTuple):
    """A stretch of a reply in which nothing begins or ends.

    Attributes:
        value: The value that it is a part of, or None.
        repairs: The repairs that it is a part of.
        inserted: The repairs that put something in front of it.
        problems: The problems that begin with it.
    """

    text: str
    value: Value | None
    repairs: Sequence[Repair]
    inserted: Sequence[Repair]
    problems: Sequence[Problem]


def pieces(reading: Reading) -> Iterator[Piece]:
    """Yields the whole reply in pieces, with all that is to be shown of each."""
    length = len(reading.reply)
    values = _by_start(reading.values, length)
    shown = [
        each
        for each in reading.repairs[:MAX_SHOWN]
        if each.before != each.after or each.span[1] - each.span[0] <= MAX_UNDERLINED
    ]
    repairs = _by_start(shown, length)
    problems = _by_start(reading.problems[:MAX_SHOWN], length)
    found = [span for held in (values, repairs, problems) for each in held.values() for _finding, span in each]
    marks = sorted({0, length, *(edge for span in found for edge in span)})
    inside: list[tuple[Value, Span]] = []
    mended: list[tuple[Repair, Span]] = []
    for start, end in pairwise([*marks, length]):
        inside = [each for each in (*inside, *values.get(start, ())) if each[1][1] > start]
        begun = repairs.get(start, ())
        mended = [each for each in (*mended, *begun) if each[1][1] > start]
        inserted = [repair for repair, span in begun if span == (start, start)]
        inserted.sort(key=lambda repair: len(repair.path), reverse=True)  # the innermost element is closed first
        value = inside[-1][0] if inside else None
        wrong = [problem for problem, _span in problems.get(start, ())]
        yield Piece(reading.reply[start:end], value, [repair for repair, _span in mended], inserted, wrong)


Found = TypeVar("Found", bound=Value | Repair | Problem)


def _by_start(found: Iterable[Found], length: int) -> defaultdict[int, list[tuple[Found, Span]]]:
    """Returns findings with their spans, by the place where they begin. Those without a place in the reply are left."""
    made: defaultdict[int, list[tuple[Found, Span]]] = defaultdict(list)
    for each in found:
        if each.span is not None and 0 <= each.span[0] <= each.span[1] <= length:
            made[each.span[0]].append((each, each.span))
    return made
