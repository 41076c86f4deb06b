"""The cheapest reading of the tokens that have come, with the elements that it makes.

The search pauses where it needs a token that has not come. A builder follows the search, and takes back what the search
takes back. The tokens whose symbols may change are read by their likeliest moves, as if the reply ended behind them.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..read.build import Builder, Element, Mark
from ..read.candidates import fits
from ..read.grammar import Grammar, State
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
        next: The token behind the last move.
        is_sure: Whether nothing is wrong with the last token.
        is_over: Whether the answer has ended.
    """

    def __init__(self, grammar: Grammar, feed: TagFeed | BracketFeed, state: State, index: int) -> None:
        tokens = feed.tokens
        self.feed = feed
        self.grammar = grammar
        self.search = Search(grammar, state, index, lambda state, at: fits(state, tokens, at))
        self.builder = Builder(tokens)
        if isinstance(feed, BracketFeed):
            self.builder.take(0, Move(state, (("open", state.shape, "root", None, False),)), tokens.starts[0])
        self.state = state
        self.is_over = False
        self.is_sure = True
        self._taken: dict[int, tuple[Move, int, int, Mark, Place | None]] = {}
        """The last moves of the builder by their tokens, each with the span of its token, the mark before it and the
        place behind it.
        """
        self.next = index

    @property
    def fixed(self) -> int | None:
        """The place in front of which all decisions are final, or None."""
        fixed = self.search.fixed
        return None if fixed is None else self.builder.tokens.starts[fixed[3]]

    def advance(self) -> None:
        """Takes the tokens that have come."""
        search, symbols = self.search, self.builder.tokens.symbols
        if self.feed.known > search.last[3] and not self.is_over:
            self.is_over = search.run(symbols, self.feed.known) is not None or search.node is None
        _before, _move, state, index, _cost, made, _anchor = place = search.last
        ahead: list[Place] = []
        while place[0] is not None and (place[3] > self.next or self._taken[place[3] - 1][-1] is not place):
            ahead.append(place)
            place = place[0]
        for place in reversed(ahead):
            self._take(place[3] - 1, place[1], place)  # type: ignore[arg-type]  # only the first place has no move
        while index < len(symbols) and state.kind != "done" and not self.is_over:  # as if the reply ended there
            options = search.options(state, symbols[index], made, index)
            if not options or (state.kind in _TEXTS and state.filled):
                break  # a text that holds what could have ended it
            price, made, move = options[0]
            self.is_sure = not price
            self._take(index, move, None)
            state, index = move.state, index + 1
        self.state = state
        if index < self.next:
            self._rewind(index)

    def forget(self) -> None:
        """Forgets the tokens in front of the last final decision, but for those of the elements that are left."""
        search = self.search
        if search.fixed is None:
            return
        _before, _move, state, index, _cost, made, _anchor = search.fixed
        elements = list(_within(self.builder.root))
        kept = sorted({element.token for element in elements if 0 <= element.token < index})
        kept += [index - 1] * (LOOK_BACK - len(kept) % LOOK_BACK)  # decisions are final at multiples of it
        gone = index - len(kept)
        if gone <= 0:
            return
        places = {-1: -1} | {old: new for new, old in enumerate(kept)}
        for element in elements:
            element.token = element.token - gone if element.token >= index else places[element.token]
        self.feed.keep(kept + list(range(index, len(self.builder.tokens))))
        self._taken = {number - gone: taken for number, taken in self._taken.items() if number >= index}
        self.next -= gone
        looks = max(0, search.looks - 2 * gone)
        self.search = Search(self.grammar, state, len(kept), search.fits, looks, made)

    def _take(self, index: int, move: Move, place: Place | None) -> None:
        """Makes the builder take a move at a token, if it has not done the same already."""
        builder, tokens = self.builder, self.builder.tokens
        start, stop = tokens.starts[index], tokens.ends[index]
        if index < self.next:
            known, known_start, known_stop, mark, _place = self._taken[index]
            if (start, stop) == (known_start, known_stop) and move[1:] == known[1:]:
                self._taken[index] = move, start, stop, mark, place
                return
            self._rewind(index)
        self._taken[index] = move, start, stop, builder.mark(), place
        self._taken.pop(index - _KEPT, None)
        self.next = index + 1
        if (move.steps or move.edits) and (move.steps or move.state.kind != "done"):
            builder.take(index, move, tokens.ends[index - 1] if index else 0)

    def _rewind(self, index: int) -> None:
        """Takes back all moves from a token on."""
        self.builder.rewind(self._taken[index][3])
        self.next = index


def _within(element: Element | None) -> Iterator[Element]:
    """Yields an element and all elements in it."""
    waiting = [] if element is None else [element]
    while waiting:
        yield (element := waiting.pop())
        waiting += element.children
