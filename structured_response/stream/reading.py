"""The cheapest reading of the tokens that have come, with the elements that it makes.

The search pauses where it needs a token that has not come. A builder follows the search, and takes back what the search
takes back. The tokens whose symbols may change are read by their likeliest moves, as if the reply ended behind them.
"""

from __future__ import annotations

from typing import Any

from ..read.build import Builder, Mark
from ..read.candidates import fits
from ..read.grammar import Grammar, State
from ..read.scan import Symbol
from ..read.search import LOOK_BACK, Search
from ..read.search import Node as Place
from ..read.table import Move
from .feed import BracketFeed, TagFeed

_TEXTS = frozenset({"string", "quoted", "scalar"})
"""Kinds of states in which `filled` says that something inside a text could have been its end."""

_KEPT = 4 * LOOK_BACK
"""Moves that can be taken back. The search takes back at most two look-backs."""


class RunningReading:
    """A reading that goes on as tokens come.

    Attributes:
        builder: The elements of the cheapest reading.
        state: The state behind the last token.
        rewound: The smallest place from which on moves were taken back by the last step, or None.
        is_over: Whether the answer has ended.
    """

    def __init__(self, grammar: Grammar, feed: TagFeed | BracketFeed, state: State, index: int) -> None:
        tokens = feed.tokens
        self.feed = feed
        self.first = index
        self.search = Search(grammar, state, index, lambda state, at: fits(state, tokens, at))
        self.builder = Builder(tokens)
        if isinstance(feed, BracketFeed):
            self.builder.take(0, Move(state, (("open", state.shape, "root", None, False),)), tokens.starts[0])
        self.state = state
        self.rewound: int | None = None
        self.is_over = False
        self._places: list[Place] = []  # of the cheapest reading
        self._taken: dict[int, tuple[Any, Mark]] = {}  # the last moves of the builder, each with the mark before it
        self._count = 0  # of the moves that the builder has taken
        self._symbols: list[Symbol] = []

    @property
    def fixed(self) -> int | None:
        """The place in front of which all decisions are final, or None."""
        fixed = self.search.fixed
        return None if fixed is None else self.builder.tokens.starts[fixed[3]]

    def advance(self) -> None:
        """Takes the tokens that have come."""
        self.rewound = None
        search, symbols = self.search, self.builder.tokens.symbols
        self._symbols += symbols[len(self._symbols) : self.feed.known]
        count = len(self._places)
        if len(self._symbols) > search.last[3] and not self.is_over:
            self.is_over = search.run(self._symbols) is not None or search.node is None
            count = self._follow(search.last)
        moves = [place[1] for place in self._places[count:]]
        _before, _move, state, index, _cost, made, _anchor = search.last
        while index < len(symbols) and state.kind != "done" and not self.is_over:  # as if the reply ended there
            options = search.options(state, symbols[index], made, index)
            if not options or (state.kind in _TEXTS and state.filled):
                break  # a text that holds what could have ended it
            _price, made, move = options[0]
            moves.append(move)
            state, index = move.state, index + 1
        self._apply(count, moves)
        self.state = state

    def _follow(self, place: Place) -> int:
        """Updates the places of the cheapest reading, and returns the number of those that it has kept."""
        places, ahead = self._places, []
        at: Place | None = place
        while at is not None and at[0] is not None:
            number = at[3] - self.first - 1
            if number < len(places) and places[number] is at:
                break
            ahead.append(at)
            at = at[0]
        count = place[3] - self.first - len(ahead)
        places[count:] = reversed(ahead)
        return count

    def _apply(self, count: int, moves: list[Move | None]) -> None:
        """Makes the builder have taken exactly some moves behind the first ones."""
        builder, tokens = self.builder, self.builder.tokens
        for number, move in enumerate(moves, count):
            assert move is not None
            index = self.first + number
            taken = move.steps, move.edits, move.parts, tokens.starts[index], tokens.ends[index]
            if number < self._count:
                if self._taken[number][0] == taken:
                    continue
                self._rewind(number)
            self._taken[number] = taken, builder.mark()
            self._taken.pop(number - _KEPT, None)
            self._count = number + 1
            if (move.steps or move.edits) and (move.steps or move.state.kind != "done"):
                builder.take(index, move, tokens.ends[index - 1] if index else 0)
        if count + len(moves) < self._count:
            self._rewind(count + len(moves))

    def _rewind(self, number: int) -> None:
        """Takes back all moves from a number on."""
        taken, mark = self._taken[number]
        self.rewound = taken[3] if self.rewound is None else min(self.rewound, taken[3])
        self.builder.rewind(mark)
        self._count = number
