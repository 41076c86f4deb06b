"""The machinery of the transition table: rows, moves, and the questions that rules ask about states."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from ..definition import Node, fold
from .grammar import Grammar, Shape, State
from .prices import Edit
from .scan import CLOSE, END, MARK, Symbol

Step = tuple[Any, ...]
"""A step of a move in the tree: ("open", shape, role, step, is_implied), ("close", is_own), ("drop",) for a tag,
("stray",) for the text in front of it, ("reopen",) for the root, ("give up",) for the answer.
"""

CLOSED: tuple[Step, ...] = (("close", True),)
"""The step of a token that ends an element."""


class Move(NamedTuple):
    """One way to take a token: the next state, the steps in the tree, and the assumed edits. The move of a leaf has the
    moves over its two tags as `parts`.
    """

    state: State
    steps: tuple[Step, ...] = ()
    edits: tuple[Edit, ...] = ()
    parts: tuple[Move, Move] | None = None


Rule = Callable[[Grammar, State, Symbol], Iterator[Move]]
Test = Callable[[Grammar, State, Symbol], bool]


class Row(NamedTuple):
    """A row of the table.

    Attributes:
        within: The kinds of elements in which it applies.
        tokens: The kinds of tokens that it takes.
        rule: The function that yields its moves.
        edit: The edit that each of them assumes.
        fits: Whether the token is where the definition expects it, apart from its name.
        when: The condition of its moves, unless the rule decides.
    """

    within: str
    tokens: str
    rule: Rule
    edit: Edit | None = None
    fits: bool = False
    when: Test | None = None


MAX_LEFT = 6
"""Elements without closing tags that one token may end."""

BRACKETS = frozenset("}]")
"""The closing brackets of objects and lists in JSON."""

QUOTES = {'"': '"', "'": "'", "\u201c": "\u201d", "\u2018": "\u2019", "`": "`", '"""': '"""'}
"""Opening quotes of texts in JSON, with their closing ones."""

BARE = ","
"""The name of the empty token that ends an unquoted scalar."""

MARKS = frozenset(QUOTES.values()) | {BARE}
"""The names of the tokens that end a text in JSON."""

JSON_ENDS = BRACKETS | MARKS
"""The closing tokens of JSON."""

COMMENT_ENDS = frozenset({"\n", "*/"})

ENDED = ("behind", "around", "ended")

UNASKED = Node("any", nullable=True)
"""The content of an object or a list of JSON in place of a text."""


def element(
    g: Grammar, shape: Shape, name: str, closer: str, parent: State, filled: int = 0, is_paired: bool = False
) -> State:
    """Returns the state inside of a new element. In JSON, the opening character decides whether it is a text."""
    kind = "elements"
    if closer in MARKS:
        kind = "scalar" if shape.takes_text and not shape.is_verbatim else "quoted"
    elif closer in BRACKETS:
        shape = g.shape(UNASKED) if shape.is_text else shape
    elif shape.is_text:
        kind = "string" if shape.is_verbatim else "value"
    is_paired = is_paired and kind == "string"
    return g.state(kind, shape, name, closer, filled, parent=parent, is_paired=is_paired)


def closed(g: Grammar, s: State) -> State:
    """Returns the state behind the end of an element. Cached, since every token asks for those of all around it."""
    parent = s.parent
    if parent is None:
        return s
    if not s.wraps and parent.kind not in ENDED:
        return parent
    behind: State | None = s.moves.get("closed")
    if behind is None:
        behind = s.moves["closed"] = g.changed(parent, filled=s.filled, is_fresh=False)
    return behind


ITEMS = frozenset({"li", "item", "entry"})


def is_named(t: Symbol, closer: str) -> bool:
    if t.kind != CLOSE and t.closer:
        return t.closer == closer
    if t.is_torn:
        return closer.startswith(t.name) and closer != ""
    return t.name == closer or (closer not in BRACKETS and fold(t.name) == fold(closer))


def may_follow(g: Grammar, s: State, t: Symbol) -> bool:
    """Returns whether a tag fits behind the element or behind one around it."""
    around: State | None = closed(g, s)
    for _ in range(MAX_LEFT):
        if around is None or around.kind != "elements":
            return False
        if fits(g, around, (t.kind, t.name, False), t.keyed):
            return True
        around = closed(g, around)
    return False


TABLE: dict[tuple[str, str, bool], list[Row]] = {}
"""The rows, all and those that fit, by the kinds of element and token they apply to. `moves` fills it."""


def fits(g: Grammar, s: State, token: tuple[str, str, bool], keyed: bool | None = None) -> bool:
    """Returns whether a token, without text in front, fits in a state as it is."""
    kind, name, text = token
    if text:
        return False
    if kind == END:
        return s.kind in ENDED
    key = ("fits", kind, name, keyed)
    known = s.moves.get(key)
    if known is None:
        # If only the name of a tag is known, it could be an entry with a key.
        either = (False, fold(name) in ITEMS) if keyed is None else (keyed,)
        symbols = [Symbol(kind, name, keyed=each) for each in dict.fromkeys(either)]
        rows = TABLE.get((s.kind, kind, True), ())
        found = (row.rule(g, s, t) for row in rows for t in symbols if row.when is None or row.when(g, s, t))
        known = s.moves[key] = any(True for moves in found for _move in moves)
    return bool(known)


def row_moves(g: Grammar, s: State, t: Symbol, fitting: bool = False) -> list[Move]:
    """Returns the moves that the rows of a state make for a token. Cached, since inner states ask again."""
    key = ("fitting" if fitting else "rows", t)
    found: list[Move] | None = s.moves.get(key)
    if found is None:
        found = []
        for row in TABLE.get((s.kind, t.kind, fitting), ()):
            edits = (row.edit,) if row.edit is not None else ()
            for move in row.rule(g, s, t) if row.when is None or row.when(g, s, t) else ():
                ending = at_end(s, t, is_own=not edits or t.kind == MARK) if move.steps == CLOSED else ()
                found.append(Move(move.state, move.steps, (*edits, *move.edits, *ending)))
        s.moves[key] = found  # only now, since other threads read it
        g.remember(1)
    return found


def end(g: Grammar, s: State, _t: Symbol) -> Iterator[Move]:
    yield Move(closed(g, s), CLOSED)


def drop(_g: Grammar, s: State, _t: Symbol) -> Iterator[Move]:
    """Yields the move over a tag, a quote or a bracket that is left out."""
    yield Move(s, (("drop",),))


def take(_g: Grammar, s: State, _t: Symbol) -> Iterator[Move]:
    """Yields the move over a token that changes nothing, such as a part of a text."""
    yield Move(s)


def into(g: Grammar, s: State, _t: Symbol) -> Iterator[Move]:
    yield Move(g.changed(s, depth=s.depth + 1))


def out(g: Grammar, s: State, _t: Symbol) -> Iterator[Move]:
    yield Move(g.changed(s, depth=s.depth - 1))


def finish(g: Grammar, s: State, _t: Symbol) -> Iterator[Move]:
    yield Move(g.state("done", s.shape, "", ""))


def plainly(g: Grammar, inside: State, t: Symbol, step: Step) -> Iterator[Move]:
    """Yields the moves behind a step that assume no edits of their own."""
    for move in row_moves(g, inside, t, fitting=True):
        if not move.edits:
            yield Move(move.state, (step, *move.steps))


def at_end(s: State, t: Symbol, is_own: bool = False) -> tuple[Edit, ...]:
    """Returns the edits that an element needs to end here. `is_own` means that its own closing tag ends it."""
    edits = () if is_own else unended(s)
    if s.kind != "elements":
        return (*edits, Edit.VALUE_UNFIT) if s.kind in ("value", "scalar") and not t.fits else edits
    if s.shape.node is UNASKED:
        edits += (Edit.VALUE_UNFIT,)
    if s.is_fresh and t.text:
        return edits if s.shape.takes_text else (*edits, Edit.CONTENT_AS_TEXT)
    missing = (s.shape.required & ~s.filled).bit_count() if not s.wraps else 0
    if missing and not (s.is_fresh and s.shape.node.nullable is not False):
        is_item = s.parent is not None and s.parent.shape.item is not None
        lacks = (Edit.REQUIRED_MISSING, Edit.SEVERAL_MISSING)[: 1 + (missing > 1)]
        edits += (Edit.ITEM_EMPTY,) if is_item and s.is_fresh and not s.filled else lacks
    return edits


def unended(s: State) -> tuple[Edit, ...]:
    """Returns the edits of a text that does not end by itself and may have absorbed others."""
    if s.kind == "string" and (s.filled or s.depth):
        return (Edit.SWALLOWED,)
    return (Edit.QUOTES_ODD,) if s.kind in ("quoted", "scalar") and s.filled else ()


def unclosed(s: State, t: Symbol, cut: tuple[Edit, ...]) -> tuple[Edit, ...]:
    """Returns the edits of an element that ends without its closing tag, those included that make its end a guess."""
    if t.kind == END:
        return (*unended(s), *cut) if s.closer else at_end(s, t)
    is_crossed = t.next[0] == CLOSE and not t.next[2] and t.next[1] == s.closer
    lost = (Edit.CLOSER_LOST,) if s.is_paired and not is_crossed else ()
    edits = at_end(s, t) + ((Edit.CLOSER_MISSING, *lost) if s.closer else ())
    if s.kind == "string" and t.is_mention:
        return (*edits, Edit.END_AT_MENTION)
    around = s.parent
    if around is None or s.kind != "elements" or around.kind != "elements" or around.filled < 0:
        return edits
    is_similar = s.shape.fields and s.shape.fields.keys() == around.shape.fields.keys()
    return (*edits, Edit.END_OF_EITHER) if is_similar and s.filled & ~around.filled else edits
