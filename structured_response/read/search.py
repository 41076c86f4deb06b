"""The search: finds the cheapest way through the tokens of an answer, best first.

A reading is a chain of moves. The cheapest reading so far is extended; all alternatives wait, at their price, until it
has become more expensive. Where nothing is wrong, each token costs one look-up.

Two readings in the same state at the same place differ only in the slips they have made, since a slip costs less the
second time. One is dropped if the other is no more expensive and has made all of its slips. Decisions are final
`LOOK_BACK` tokens back: readings that branched off the best one before that are dropped, in a stream and in a whole
reply alike.
"""

from __future__ import annotations

from collections.abc import Callable
from heapq import heappop, heappush
from operator import itemgetter
from typing import Any, NamedTuple

from .grammar import Grammar, State
from .moves import moves
from .prices import LEVELS, PRICES, Edit
from .scan import Symbol
from .table import Move

LOOK_BACK = 96
"""Tokens behind the furthest one at which a decision is final. 80 are enough for nearly every reply."""

MAX_WIDTH = 10
"""States in which readings are followed through one place. Below 6 replies are lost; above 8 nothing is gained."""

MAX_WAYS = 4
"""Readings that are followed through one state in one place, each with other slips."""

MAX_LOOKS = 1_000
"""Steps of the searches through a sequence of tokens, besides two for each token, after which only one reading is
followed. Of the 5,600 searches through the sequences of `tests/corpus` none took more than 807, for 50 tokens. A
reading that costs more than a point for each token is lost, and gets one step for each: long damaged replies cost half.
"""

_BITS = {edit: 1 << index for index, edit in enumerate(Edit)}
_LATER = {edit: PRICES[edit].later for edit in Edit}

Option = tuple[int, int, Move]
"""The cost of a move for a reading, given its previous slips; its slips after the move; and the move."""

Node = tuple["Node | None", Move | None, State, int, int, int, "Node | None"]
"""A place on the way of a reading: the previous node, the move from there, the state, the next token, the cost so far,
the slips so far, and the last node in front of a mark. There is a mark every `LOOK_BACK` tokens.
"""


class Reading(NamedTuple):
    """The cheapest way: its cost, its end, and its moves, each with the index of its token."""

    cost: int
    end: int
    way: list[tuple[int, Move]]


class Search:
    """A search from a state in front of the token at `index`.

    `fits` returns whether the text in front of a token reads as a value of a state's shape. `looks` are the steps of
    earlier searches through the same tokens, `made` the slips that were made before.
    """

    look_back = LOOK_BACK

    def __init__(
        self,
        grammar: Grammar,
        start: State,
        index: int,
        fits: Callable[[State, int], bool],
        looks: int = 0,
        made: int = 0,
    ) -> None:
        self.grammar = grammar
        self.fits = fits
        self.waiting: dict[int, list[tuple[list[Option], int, Node]]] = {}
        self.costs: list[int] = []
        self.furthest = index
        self.seen: dict[int, dict[State, tuple[int, ...]]] = {}
        self.looks = looks
        self.passed: list[tuple[list[Option], Node]] = []
        self.fixed: Node | None = None
        self.node: Node | None = (None, None, start, index, 0, made, None)
        self.last: Node = self.node

    def run(self, symbols: list[Symbol], known: int | None = None) -> Reading | None:
        """Returns the cheapest reading, and the next one on each further call; None if there are no more.

        The search also pauses, with None, where the cheapest reading needs a symbol that is still to come, or is none
        of the first `known` ones. It continues with more symbols. `last` is the place that it has come to.
        """
        node = self.node or self._next()
        count = len(symbols) if known is None else known
        while node is not None:
            _before, _move, state, index, cost, made, anchor = node
            kind = state.kind
            if kind == "done":
                self.node, self.last = None, node
                return Reading(cost, index, _way(node))
            if index >= count:
                break
            symbol = symbols[index]
            options = state.moves.get((symbol, made) if made else symbol) if kind not in _OF_VALUES else None
            if options is None:
                options = self.options(state, symbol, made, index)
            self.looks += 1
            price = options[0][0] if options else 0
            if options and not price and index == self.furthest:
                _price, made, move = options[0]
                node = (node, move, move.state, index + 1, cost, made, anchor if index % LOOK_BACK else node)
                self.passed.append((options, node))
                self.furthest = index + 1
                if self.furthest % self.look_back == 0:
                    self._fix(node)
                continue
            if price or not options:
                self._spread()
            if options and self.costs and self.costs[0] < cost + price:
                self._wait(cost + price, (options, 0, node))
                options = []
            node = (self._take(node, options, 0) if options else None) or self._next()
        self.node = node
        self.last = node or self.last
        return None

    def options(self, state: State, symbol: Symbol, made: int, index: int) -> list[Option]:
        """Returns the moves for a symbol with their costs for a reading that made some slips before, the cheapest
        first.
        """
        if state.kind in _OF_VALUES and not self.fits(state, index):
            symbol = symbol.unfit
        key: Any = (symbol, made) if made else symbol
        options = state.moves.get(key)
        if options is None:
            known = state.moves.get(symbol)
            listed = moves(self.grammar, state, symbol) if known is None else [option[2] for option in known]
            options = state.moves[key] = sorted([_priced(move, made) for move in listed], key=itemgetter(0))
            self.grammar.remember(1)
        return options

    def _spread(self) -> None:
        """Queues the alternatives of the places that the cheapest reading has passed."""
        for options, node in self.passed:
            self._enters(node)
            before = node[0]
            if len(options) > 1 and before is not None:
                self._wait(before[4] + options[1][0], (options, 1, before))
        self.passed.clear()

    def _wait(self, cost: int, entry: tuple[list[Option], int, Node]) -> None:
        waiting = self.waiting.get(cost)
        if waiting is None:
            self.waiting[cost] = [entry]
            heappush(self.costs, cost)
        else:
            waiting.append(entry)

    def _next(self) -> Node | None:
        """Returns the next node of the cheapest waiting reading, or None if none is left."""
        while self.costs:
            cost = self.costs[0]
            waiting = self.waiting[cost]
            options, number, node = waiting.pop()
            if not waiting:
                heappop(self.costs)
                del self.waiting[cost]
            is_open = not self._is_taken(cost, node[3] + 1) and self._is_live(node)
            if is_open and (follower := self._take(node, options, number)) is not None:
                return follower
        return None

    def _take(self, node: Node, options: list[Option], number: int) -> Node | None:
        """Follows a move, and queues the next one."""
        follower = self._follow(node, options[number])
        if number + 1 < len(options):
            self._wait(node[4] + options[number + 1][0], (options, number + 1, node))
        return follower

    def _is_taken(self, cost: int, index: int) -> bool:
        """Returns whether no reading of a cost or above can enter a place any more, so that none has to be tried."""
        is_full = cost > index and self.looks >= MAX_LOOKS + self.furthest and index in self.seen
        return is_full or index <= self.furthest - self.look_back

    def _follow(self, node: Node, option: Option) -> Node | None:
        """Returns the node behind a move, or None if another reading reached it at no higher cost."""
        _before, _move, _state, index, cost, _made, anchor = node
        price, made, move = option
        anchor = anchor if index % LOOK_BACK else node
        follower: Node = (node, move, move.state, index + 1, cost + price, made, anchor)
        if not self._enters(follower):
            return None
        if index >= self.furthest:
            self.furthest = index + 1
            if self.furthest % self.look_back == 0:
                self._fix(follower)
        return follower

    def _enters(self, node: Node) -> bool:
        """Returns whether a reading continues through a place, and registers it there. It does not if another reading
        reached the place at no higher cost.
        """
        _before, _move, state, index, cost, made, _anchor = node
        here = self.seen.get(index)
        if here is None:
            self.seen[index] = {state: (made,)}
            return True
        is_lost = cost > index
        is_narrow = self.looks >= MAX_LOOKS + self.furthest * (1 if is_lost else 2)
        known = here.get(state, ())
        enters = len(here) < (1 if is_narrow else MAX_WIDTH)
        if known:
            enters = len(known) < (1 if is_narrow and is_lost else MAX_WAYS) and all(made & ~mask for mask in known)
        if enters:
            here[state] = (*known, made)
        return enters

    def _fix(self, node: Node) -> None:
        """Makes the decisions of the furthest reading before the last mark final."""
        del self.passed[:-LOOK_BACK]
        anchor = node[6]
        if anchor is not None:
            self.fixed = anchor
            for index in [index for index in self.seen if index < anchor[3]]:
                del self.seen[index]

    def _is_live(self, node: Node) -> bool:
        """Returns whether a node descends from the final decisions."""
        fixed = self.fixed
        if fixed is None:
            return True
        at: Node | None = node
        while at is not None and at[3] > fixed[3]:
            at = at[6]
        return at is fixed


_OF_VALUES = frozenset({"value", "scalar"})
"""Kinds of states in which the text decides whether a move is likely."""


def _priced(move: Move, made: int) -> Option:
    price = 0
    for edit in move.edits:
        bit = _BITS[edit]
        price += _LATER[edit] if made & bit else LEVELS[edit]
        made |= bit
    return price, made, move


def _way(end: Node) -> list[tuple[int, Move]]:
    """Returns the moves of a reading in order, each with the index of its token."""
    way: list[tuple[int, Move]] = []
    node: Node | None = end
    while node is not None and node[1] is not None:
        way.append((node[3] - 1, node[1]))
        node = node[0]
    return way[::-1]
