"""The search: the cheapest way through the tokens of an answer, best first.

A reading is a chain of moves. The cheapest reading so far is walked on; whatever else its tokens could mean waits,
at its price, until the best has become dearer. Where nothing is wrong, each token costs one look-up.

Two readings that are in the same state at the same place differ only in which slips they have made before, since a slip
costs less the second time; one is dropped if another there was no dearer and had made all its slips. A decision is
final `LOOK_BACK` tokens back: readings that part from the best one before that are dropped, in a stream and in a
whole reply alike.
"""

from __future__ import annotations

from collections.abc import Callable
from heapq import heappop, heappush
from typing import Any, NamedTuple

from .grammar import Grammar, State
from .prices import PRICES, Edit
from .rows import Move, moves
from .scan import Symbol

__all__ = ["LOOK_BACK", "Reading", "Search"]

LOOK_BACK = 96
"""Tokens behind the furthest one at which a decision is final. Nearly every reply needs 80."""

MAX_WIDTH = 10
"""Readings that are followed through one place. Below 6 replies are lost; above 8 nothing is gained."""

MAX_LOOKS = 1_000
"""Steps of a search, besides two for each token, behind which only one reading is followed. Of 14,000 damaged replies
none needs so many.
"""

_BITS = {edit: 1 << index for index, edit in enumerate(Edit)}
_LEVELS = {edit: PRICES[edit].level for edit in Edit}
_LATER = {edit: PRICES[edit].later for edit in Edit}

Option = tuple[int, int, Move]
"""What a move costs a reading that has made some slips before, which it has made then, and the move."""


class _Node:
    """One place on the way of a reading."""

    __slots__ = ("anchor", "before", "cost", "index", "made", "move", "state")

    def __init__(self, before: _Node | None, move: Move | None, state: State, index: int, cost: int, made: int) -> None:
        self.before = before
        self.move = move
        self.state = state
        self.index = index
        self.cost = cost
        self.made = made
        self.anchor: _Node | None = before if before is None or before.index % LOOK_BACK == 0 else before.anchor


class Reading(NamedTuple):
    """The cheapest way: its cost, where it ended, and its moves with the tokens that they took."""

    cost: int
    end: int
    way: list[tuple[int, Move]]


class Search:
    """One search, which takes its tokens as they come.

    `fits` tells whether the text in front of a token reads as a value of a state's shape.
    """

    def __init__(self, grammar: Grammar, start: State, index: int, fits: Callable[[State, int], bool]) -> None:
        self.grammar = grammar
        self.fits = fits
        self.waiting: dict[int, list[tuple[list[Option], int, _Node]]] = {}
        self.costs: list[int] = []
        self.furthest = index
        self.most_looks = MAX_LOOKS - 2 * index
        self.seen: dict[int, dict[State, list[int]]] = {}
        self.looks = 0
        self.end: _Node | None = None
        self.fixed: _Node | None = None
        self.node: _Node | None = _Node(None, None, start, index, 0, 0)

    def run(self, symbols: list[Symbol], last: int) -> bool:
        """Reads on to the token at `last`, which is taken too. True once the answer has ended."""
        node = self.node
        while True:
            if node is None:
                node = self._next()
                if node is None:
                    return True
            state = node.state
            if state.kind == "done":
                self.end = node
                return True
            if node.index > last:
                self.node = node
                return False
            symbol = symbols[node.index]
            options = state.moves.get(symbol) if not node.made and state.kind not in _OF_VALUES else None
            if options is None:
                options = self._options(state, symbol, node.made, node.index)
            self.looks += 1
            if not options:
                node = None
                continue
            price = options[0][0]
            if price:
                self._wait(node.cost + price, (options, 0, node))
                node = None
            else:
                if len(options) > 1:
                    self._wait(node.cost + options[1][0], (options, 1, node))
                node = self._follow(node, options[0])

    def _wait(self, cost: int, entry: tuple[list[Option], int, _Node]) -> None:
        waiting = self.waiting.get(cost)
        if waiting is None:
            self.waiting[cost] = [entry]
            heappush(self.costs, cost)
        else:
            waiting.append(entry)

    def _next(self) -> _Node | None:
        """The next step of the cheapest reading that waits, None where none is left."""
        while self.costs:
            cost = self.costs[0]
            bucket = self.waiting[cost]
            while bucket:
                options, number, node = bucket.pop()
                if node.index < self.furthest - LOOK_BACK or not self._is_live(node):
                    continue
                if number + 1 < len(options):
                    self._wait(node.cost + options[number + 1][0], (options, number + 1, node))
                made = self._follow(node, options[number])
                if made is not None:
                    return made
            heappop(self.costs)
            del self.waiting[cost]
        return None

    def _follow(self, node: _Node, option: Option) -> _Node | None:
        """The node behind a move, None where another reading got there for no more."""
        price, made, move = option
        state, index = move.state, node.index + 1
        here = self.seen.get(index)
        if here is None:
            self.seen[index] = {state: [made]}
        elif (known := here.get(state)) is None:
            if len(here) >= (MAX_WIDTH if self.looks < self.most_looks + 2 * self.furthest else 1):
                return None
            here[state] = [made]
        else:
            if len(known) >= 4 or any(mask | made == mask for mask in known):
                return None
            known.append(made)
        follower = _Node(node, move, state, index, node.cost + price, made)
        if index > self.furthest:
            self.furthest = index
            if index % LOOK_BACK == 0:
                self._fix(follower)
        return follower

    def _fix(self, node: _Node) -> None:
        """Makes what the furthest reading decided before the last mark final."""
        anchor = node.anchor
        if anchor is not None:
            self.fixed = anchor
            for index in [index for index in self.seen if index < anchor.index]:
                del self.seen[index]

    def _is_live(self, node: _Node) -> bool:
        """Whether a node stands behind what is final."""
        fixed = self.fixed
        if fixed is None:
            return True
        at: _Node | None = node
        while at is not None and at.index > fixed.index:
            at = at.anchor
        return at is fixed

    def _options(self, state: State, symbol: Symbol, made: int, index: int) -> list[Option]:
        """The moves for a symbol with what each costs a reading that made some slips before, the cheapest first."""
        if state.kind in _OF_VALUES and not self.fits(state, index):
            symbol = symbol.unfit
        key: Any = (symbol, made) if made else symbol
        options = state.moves.get(key)
        if options is None:
            known = state.moves.get(symbol)
            listed = moves(self.grammar, state, symbol) if known is None else [option[2] for option in known]
            options = state.moves[key] = sorted([_priced(move, made) for move in listed], key=_cost)
            self.grammar.remember(1)
        return options

    def reading(self) -> Reading | None:
        """The way that was found, None before the end or where nothing could be read."""
        end = self.end
        if end is None:
            return None
        return Reading(end.cost, end.index, _way(end))


_OF_VALUES = frozenset({"value", "scalar"})
"""Kinds of states in which the text tells whether a move is likely."""


def _cost(option: Option) -> int:
    return option[0]


def _priced(move: Move, made: int) -> Option:
    price = 0
    for edit in move.edits:
        bit = _BITS[edit]
        price += _LATER[edit] if made & bit else _LEVELS[edit]
        made |= bit
    return price, made, move


def _way(end: _Node) -> list[tuple[int, Move]]:
    """The moves of a reading in their order, each with its token."""
    way: list[tuple[int, Move]] = []
    node: _Node | None = end
    while node is not None and node.before is not None and node.move is not None:
        way.append((node.before.index, node.move))
        node = node.before
    return way[::-1]
