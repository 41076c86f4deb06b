"""The moves of a reading: for each kind of element and each kind of token, the ways that it may take the token.

The rows of the transition table are in the modules `rows_...`. What applies everywhere is here: an element may lack its
closing tag, text may be stray, and an element may turn out to be a text.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .grammar import MAX_OPEN, Grammar, State
from .prices import LEVELS, Edit
from .rows_elements import ELEMENT_ROWS, option
from .rows_json import JSON_ROWS
from .rows_tags import TAG_ROWS, closer_without_opener
from .rows_text import TEXT_ROWS
from .scan import CLOSE, COMMENT, EMPTY, END, MARK, OPEN, Symbol
from .table import BRACKETS, CLOSED, ENDED, MAX_LEFT, QUOTES, TABLE, Move, closed, is_named, row_moves, unclosed

MAX_MOVES = 14
"""Moves that are tried for one token, the cheapest first. No reply has needed more."""

MAX_INNER = 6
"""Moves for the closing tag of a leaf that are tried after each move for its opening tag."""

_UNOPENED = frozenset({"start", "done", *ENDED})
ROWS = (*ELEMENT_ROWS, *TAG_ROWS, *TEXT_ROWS, *JSON_ROWS)
"""The transition table. An empty element is taken like an opening tag."""

for _row in ROWS:
    for _within in _row.within.split():
        for _token in _row.tokens.replace(OPEN, f"{OPEN} {EMPTY}").split():
            for _is_fitting in {False, _row.fits}:
                TABLE.setdefault((_within, _token, _is_fitting), []).append(_row)


def moves(g: Grammar, s: State, t: Symbol) -> list[Move]:
    if t.tags is not None:
        return _leaf_moves(g, s, *t.tags)
    found = list(_among_elements(g, s, t) if s.kind == "elements" else row_moves(g, s, t))
    if s.kind not in _UNOPENED:
        found += _leaving(g, s, t)
    return _cheapest(found)


def _leaf_moves(g: Grammar, s: State, opening: Symbol, closing: Symbol) -> list[Move]:
    """Returns every way to take a leaf: those to take its opening tag, each followed by its closing tag's."""
    found: list[Move] = []
    for first in moves(g, s, opening):
        if first.state.kind == "done":
            found.append(first)
            continue
        for second in moves(g, first.state, closing)[:MAX_INNER]:
            steps, edits = (*first.steps, *second.steps), (*first.edits, *second.edits)
            found.append(Move(second.state, steps, edits, (first, second)))
    return _cheapest(found)


def _among_elements(g: Grammar, s: State, t: Symbol) -> Iterator[Move]:
    """Yields the moves among elements. The text in front of a token is the element's value, or stray."""
    may_be_text = s.is_fresh and not s.filled and s.closer not in BRACKETS
    for move in row_moves(g, s, t.bare):
        if not t.text:
            yield move
        elif not (s.is_fresh and t.kind == CLOSE and move.steps == CLOSED):
            yield Move(move.state, (("stray",), *move.steps), (*move.edits, Edit.TEXT_STRAY))
    if t.text and may_be_text and (t.kind == CLOSE or is_named(t, s.closer)):
        yield from (move for move in row_moves(g, s, t) if move.steps == CLOSED)
    if t.text and t.kind == CLOSE:
        yield from closer_without_opener(g, s, t)
    if may_be_text and s.closer and not s.wraps and not (t.kind == CLOSE and is_named(t, s.closer)):
        yield from _as_text(g, s, t)


def _as_text(g: Grammar, s: State, t: Symbol) -> Iterator[Move]:
    """Yields the moves that make a text of an element that may be a text, or be written as one."""
    if t.paired and not t.text and t.next[0] != CLOSE and next(option(g, s, t), None) is not None:
        return
    is_written_out = t.text and not t.is_known and s.parent is not None and s.parent.kind != "behind"
    if s.shape.takes_text or is_written_out:
        kind = "string" if s.shape.is_verbatim or not s.shape.takes_text else "value"
        edits = () if s.shape.takes_text else (Edit.CONTENT_AS_TEXT,)
        for move in row_moves(g, g.changed(s, kind=kind), t):
            yield Move(move.state, move.steps, (*edits, *move.edits))


def _leaving(g: Grammar, s: State, t: Symbol) -> Iterator[Move]:
    """Yields the moves that end elements without their closing tags, up to one in which the token fits."""
    steps: tuple[Any, ...] = ()
    edits: tuple[Edit, ...] = ()
    current: State | None = s
    is_root = s.parent is not None and s.parent.kind == "behind"
    if t.text and s.kind == "elements" and not s.is_fresh and not is_root:
        steps, edits = (("stray",),), (Edit.TEXT_STRAY,)
    levels, bare = MAX_OPEN if t.kind == END else MAX_LEFT, t.bare
    cut = Edit.CUT_BEHIND_VALUE if s.kind == "elements" and s.closer in BRACKETS and not t.text else Edit.CUT_OFF
    if t.kind in (MARK, COMMENT) and s.closer in QUOTES.values():
        return  # a quote ends a text or is part of it
    left: list[State] = []
    for _ in range(levels):
        if current is None or current.kind in _UNOPENED:
            break
        left.append(current)
        is_tagged, current = bool(current.closer), closed(g, current)
        is_behind = current.kind == "behind" and t.kind != CLOSE
        is_prose = is_behind and not t.is_known and (t.text or t.kind == END)
        found = row_moves(g, current, bare, fitting=not is_prose)
        for each in left if found else ():
            steps += (("close", False),)
            edits += unclosed(each, t if each is s else bare, () if cut in edits else (cut,))
        left = [] if found else left
        for move in found:
            # An answer that ends only because an unknown element follows has lost its end.
            is_lost = is_tagged and is_behind and t.kind != END and not move.steps
            yield Move(move.state, (*steps, *move.steps), (*edits, *((Edit.CUT_OFF,) if is_lost else ()), *move.edits))


def _cheapest(found: list[Move]) -> list[Move]:
    if len(found) < 2:
        return found
    kept: dict[tuple[State, frozenset[Edit]], Move] = {}
    for move in sorted(found, key=lambda move: sum(map(LEVELS.__getitem__, move.edits))):
        kept.setdefault((move.state, frozenset(move.edits)), move)
    return list(kept.values())[:MAX_MOVES]
