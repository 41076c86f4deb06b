"""The explanation of a reading: the slips that it supposes, their prices, and the next best reading."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice, zip_longest
from typing import Any, NamedTuple

from ..data.compare import differing
from ..definition import MISSING, Plan, show_path
from ..findings import Repair, Span, line_and_column
from ..options import ParseOptions
from ..read.build import build
from ..read.candidates import Candidate, fits
from ..read.grammar import State, grammar_of
from ..read.prices import PRICES, Edit
from ..read.reader import read_candidate, read_carefully
from ..read.scan import END
from ..read.search import Search

MAX_STEPS = 5_000  # of the search for another reading
MAX_ARRIVALS = 4  # readings that are followed through one state at one place: the best, and some with other slips
MAX_READINGS = 20  # that are looked at for one that says something else
MAX_DIFFERENCES = 5
MAX_SHOWN = 44  # characters of a token or a value
LONGEST_VALUE = 40  # characters of a text that a line about it shows

_OF_TEXT = frozenset({Edit.TEXT_STRAY, Edit.VALUE_UNFIT, Edit.CONTENT_AS_TEXT})
"""Edits of the text before a token."""


class Slip(NamedTuple):
    """An edit that a reading supposes, with its place and token in the reply, and its price."""

    edit: Edit
    span: Span
    token: str
    price: int


def told(plan: Plan, reply: str, options: ParseOptions) -> str:
    """Tells how a reply is read, and the cheapest reading with other data."""
    chosen = read_carefully(plan, reply, options)[1]
    if chosen is None:
        return "nothing in the reply could be the answer"
    lines = _lines("taken", reply, chosen)
    other = runner_up(plan, chosen, options)
    if other is None:
        return "\n".join([*lines, "no other reading says anything else"])
    parting = _parting(chosen, other)
    line, column = line_and_column(reply, place(chosen, (parting, parting))[0])
    lines += [*_lines("next best", reply, other), f"they part at {line}:{column}:"]
    for path, one, two in islice(differences(_data(chosen), _data(other)), MAX_DIFFERENCES):
        lines.append(f"  {path}: {_short(one)}, not {_short(two)}")
    return "\n".join(lines)


def runner_up(plan: Plan, chosen: Candidate, options: ParseOptions) -> Candidate | None:
    """Returns the cheapest reading with other data than the chosen one."""
    known = {repr(_data(chosen))}
    for candidate in islice(readings(plan, chosen, options), MAX_READINGS):
        data = repr(_data(candidate))
        if _edits(candidate) == _edits(chosen):
            known.add(data)
        elif data not in known:
            return candidate
    return None


def readings(plan: Plan, chosen: Candidate, options: ParseOptions) -> Iterator[Candidate]:
    """Yields the readings of an answer, the cheapest first."""
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


def slips(candidate: Candidate) -> Iterator[Slip]:
    """Yields the edits of a reading with their prices: a repeated slip costs less."""
    tokens = candidate.tree.tokens
    made: set[Edit] = set()
    for index, move in candidate.tree.way:
        for edit in move.edits:
            price = PRICES[edit]
            cost = price.later if edit in made else price.level
            made.add(edit)
            start, stop = tokens.starts[index], tokens.ends[index]
            before = tokens.text[tokens.ends[index - 1] : start] if edit in _OF_TEXT and index else ""
            if before.strip():
                start, stop = start - len(before.lstrip()), start
            token = "the end" if tokens.kinds[index] == END else tokens.text[start:stop].strip()
            span = place(candidate, (start, stop))
            yield Slip(edit, span, token or f"the end of {tokens.names[index]}", cost)


def place(candidate: Candidate, span: Span) -> Span:
    """Returns the span in the reply of a span of an answer, which may have been escaped."""
    for layer in candidate.layers:
        span = layer.span(span)
    return span


def _edits(candidate: Candidate) -> list[tuple[int, tuple[Any, ...], tuple[Edit, ...]]]:
    return [(index, move.steps, move.edits) for index, move in candidate.tree.way if move.steps or move.edits]


def _parting(one: Candidate, other: Candidate) -> int:
    for first, second in zip_longest(_edits(one), _edits(other)):
        if first != second:
            return one.tree.tokens.starts[min(each[0] for each in (first, second) if each is not None)]
    return one.root.start


def differences(one: Any, other: Any) -> Iterator[tuple[str, str, str]]:
    """Yields the paths at which two pieces of data differ, each with both values as Python writes them."""
    for path, *values in differing(one, other):
        mine, theirs = (None if value is MISSING else value for value in values)
        if mine != theirs:
            yield show_path(path), repr(mine), repr(theirs)


def _lines(title: str, reply: str, candidate: Candidate) -> list[str]:
    found = list(slips(candidate))
    rows = []
    for edit, span, token, price in found:
        line, column = line_and_column(reply, span[0])
        rows.append((f"{line}:{column}", _short(token), f"{price:2}", edit.name.lower(), PRICES[edit].reason))
    widths = [max(map(len, cells)) for cells in zip(*rows, strict=True)]
    lines = ["".join(f"  {cell:{width}}" for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return [f"{title}, at {sum(slip.price for slip in found)}:", *(lines or ["  no slip"])]


def _data(candidate: Candidate) -> Any:
    return candidate.answer and candidate.answer.data


def _short(text: str) -> str:
    return shortened(" ".join(text.split()), MAX_SHOWN)


def changed(repair: Repair) -> str:
    """Returns what became of a text, in short."""
    before, after = (repr(shortened(text, LONGEST_VALUE)) for text in (repair.before, repair.after))
    return before if repair.before == repair.after else f"{before} -> {after}"


def shortened(text: str, length: int) -> str:
    return text if len(text) <= length else f"{text[: length - 3]}..."
