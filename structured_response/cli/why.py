"""The explanation of a reading: the slips that it supposes, their prices, and the next best reading."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice, zip_longest
from typing import Any

from ..definition import Plan, show_path
from ..findings import Span, line_and_column
from ..options import ParseOptions
from ..read.build import build
from ..read.candidates import Candidate, fits
from ..read.grammar import State, grammar_of
from ..read.prices import PRICES, Edit
from ..read.reader import chosen_candidate, read_candidate
from ..read.scan import END
from ..read.search import Search

__all__ = ["Read", "Slip", "Why", "explain", "readings", "to_text"]

MAX_STEPS = 20_000
"""Steps of the search for another reading."""

MAX_ARRIVALS = 4
"""Readings that are followed through one state at one place: the best, and some with other slips."""

MAX_READINGS = 200
"""Readings that are looked at for one that says something else."""

MAX_DIFFERENCES = 5
MAX_SHOWN = 44
"""Characters of a token or a value that are shown."""


@dataclass(frozen=True)
class Slip:
    """One slip that a reading supposes: the edit, its place and token in the reply, its price and the reason for it."""

    edit: Edit
    span: Span
    token: str
    price: int
    reason: str


@dataclass(frozen=True)
class Read:
    """One reading: its cost, the slips that it supposes, and its data."""

    cost: int
    slips: tuple[Slip, ...]
    data: Any


@dataclass(frozen=True)
class Why:
    """The reading that was taken, and the cheapest one that says something else; None if there is none.

    The two part at `parts_at`; `differences` are paths with both values.
    """

    reply: str
    winner: Read | None = None
    runner_up: Read | None = None
    parts_at: int = 0
    differences: tuple[tuple[str, str, str], ...] = ()


def explain(plan: Plan, reply: str, options: ParseOptions | None = None) -> Why:
    """The reading of a reply, with its slips and prices, and the next best one."""
    options = options or ParseOptions()
    chosen = chosen_candidate(plan, reply, options)
    if chosen is None:
        return Why(reply)
    winner = _read(chosen)
    known = {repr(winner.data)}
    for candidate in islice(readings(plan, chosen, options), MAX_READINGS):
        other = _read(candidate)
        if _edits(candidate) == _edits(chosen):
            known.add(repr(other.data))
        elif repr(other.data) not in known:
            parts_at = _place(chosen, _parting(chosen, candidate))[0]
            differences = tuple(islice(_differences(winner.data, other.data), MAX_DIFFERENCES))
            return Why(reply, winner, other, parts_at, differences)
    return Why(reply, winner)


def readings(plan: Plan, chosen: Candidate, options: ParseOptions) -> Iterator[Candidate]:
    """The readings of an answer, the cheapest first."""
    tokens, way = chosen.tree.tokens, chosen.tree.way
    if not way:
        return
    grammar = grammar_of(plan)
    if chosen.form == "xml":
        opening, (index, start) = [], (way[0][0], grammar.start if chosen.has_root else grammar.rootless)
        before = tokens.ends[index - 1] if index else 0
    else:
        opening, (index, start) = way[:1], (1, way[0][1].state)
        before = tokens.starts[0]
    search = _Readings(grammar, start, index, lambda state, at: fits(state, tokens, at))
    while (reading := search.run(tokens.symbols)) is not None:
        tree = build(tokens, [*opening, *reading.way], before)
        if tree.root is not None:
            candidate = replace(chosen, cost=reading.cost, tree=tree, answer=None, bad=set())
            read_candidate(plan, candidate, options)
            yield candidate


class _Readings(Search):
    """A search that goes on after its first end. Nothing is final, and several readings pass through one state."""

    look_back = sys.maxsize

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.arrivals: Counter[tuple[int, State]] = Counter()

    def _enters(self, node: Any) -> bool:
        _before, _move, state, index, *_rest = node
        self.arrivals[index, state] += 1
        return self.arrivals[index, state] <= MAX_ARRIVALS and self.looks <= MAX_STEPS


def _read(candidate: Candidate) -> Read:
    slips = tuple(_slips(candidate))
    return Read(sum(slip.price for slip in slips), slips, candidate.answer and candidate.answer.data)


def _slips(candidate: Candidate) -> Iterator[Slip]:
    """The edits of a reading with their prices: a slip that was made before costs less."""
    made: set[Edit] = set()
    for index, move in candidate.tree.way:
        for edit in move.edits:
            price = PRICES[edit]
            cost = price.later if edit in made else price.level
            made.add(edit)
            span, token = _place_of_edit(candidate, index, edit)
            yield Slip(edit, span, token, cost, price.reason)


_OF_TEXT = frozenset({Edit.TEXT_STRAY, Edit.VALUE_UNFIT, Edit.CONTENT_AS_TEXT})
"""Edits of the text before a token."""


def _place_of_edit(candidate: Candidate, index: int, edit: Edit) -> tuple[Span, str]:
    """The place of an edit in the reply, and the characters there."""
    tokens = candidate.tree.tokens
    start, stop = tokens.starts[index], tokens.ends[index]
    if edit in _OF_TEXT and index:
        before = tokens.text[tokens.ends[index - 1] : start]
        if before.strip():
            start, stop = start - len(before.lstrip()), start
    token = "the end" if tokens.kinds[index] == END else tokens.text[start:stop].strip()
    return _place(candidate, start, stop), token or f"the end of {tokens.names[index]}"


def _place(candidate: Candidate, start: int, stop: int | None = None) -> Span:
    """A span of an answer, which may have been escaped, as one of the reply."""
    span = start, start if stop is None else stop
    for layer in candidate.layers:
        span = layer.span(span)
    return span


def _edits(candidate: Candidate) -> list[tuple[int, tuple[Any, ...], tuple[Edit, ...]]]:
    return [(index, move.steps, move.edits) for index, move in candidate.tree.way if move.steps or move.edits]


def _parting(one: Candidate, other: Candidate) -> int:
    """The first offset at which two readings of the same tokens differ."""
    for first, second in zip_longest(_edits(one), _edits(other)):
        if first != second:
            return one.tree.tokens.starts[min(each[0] for each in (first, second) if each is not None)]
    return one.root.start


def _differences(one: Any, other: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str, str, str]]:
    """The paths at which two readings have different values."""
    if isinstance(one, dict) and isinstance(other, dict):
        for name in [*one, *(name for name in other if name not in one)]:
            yield from _differences(one.get(name), other.get(name), (*path, name))
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for index, pair in enumerate(zip(one, other, strict=True)):
            yield from _differences(*pair, (*path, index))
    elif one != other:
        yield show_path(path), repr(one), repr(other)


def to_text(why: Why) -> str:
    """An explanation as text: both readings, and their differences."""
    if why.winner is None:
        return "nothing in the reply could be the answer"
    lines = [f"taken, at {why.winner.cost}:", *_lines(why.reply, why.winner)]
    if why.runner_up is None:
        return "\n".join([*lines, "no other reading says anything else"])
    lines += [f"next best, at {why.runner_up.cost}:", *_lines(why.reply, why.runner_up)]
    line, column = line_and_column(why.reply, why.parts_at)
    lines.append(f"they part at {line}:{column}:")
    lines += [f"  {path}: {_short(one)}, not {_short(other)}" for path, one, other in why.differences]
    return "\n".join(lines)


def _lines(reply: str, read: Read) -> list[str]:
    """The slips of a reading, each in a line, in columns."""
    rows = []
    for slip in read.slips:
        line, column = line_and_column(reply, slip.span[0])
        rows.append((f"{line}:{column}", _short(slip.token), str(slip.price), slip.edit.name.lower(), slip.reason))
    widths = [max(len(row[number]) for row in rows) for number in range(4)] if rows else []
    lines = [
        f"  {place:{widths[0]}}  {token:{widths[1]}}  {price:>{widths[2]}}  {name:{widths[3]}}  {reason}"
        for place, token, price, name, reason in rows
    ]
    return lines or ["  no slip"]


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= MAX_SHOWN else f"{text[: MAX_SHOWN - 3]}..."
