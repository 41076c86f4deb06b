"""The rows of the transition table for JSON: the ends of its texts, and the tokens between them.

In a text, `depth` is 1 behind a quote that is part of it and looks like an opening one. It is 2 behind a quote that
opens the value of a key; the partner of that one is always part of the text.
"""

from __future__ import annotations

from collections.abc import Iterator

from .grammar import MAX_OPEN, Grammar, State
from .prices import Edit
from .scan import CLOSE, COMMENT, END, MARK, OPEN, Symbol
from .table import BARE, BRACKETS, CLOSED, COMMENT_ENDS, Move, Row, closed, fits, may_follow, plainly


def _can_end(g: Grammar, s: State, t: Symbol) -> bool:
    """Returns whether a text may end at a quote, which the next token decides."""
    kind, name, text = t.next
    if text or t.left:
        return False
    around = closed(g, s)
    if kind in (CLOSE, COMMENT, END) or around.kind != "elements":
        return True
    if kind == OPEN and name != "li":
        return around.closer != "]" or may_follow(g, s, Symbol(kind, name, keyed=True))
    return around.closer == "]" or fits(g, around, t.next)


def quote_ends(g: Grammar, s: State, t: Symbol) -> Iterator[Move]:
    """Yields the moves over the quote that ends a text, or over the end of one without quotes."""
    if t.name == s.closer and (t.name == BARE or (not s.depth and _can_end(g, s, t))):
        yield Move(closed(g, s), CLOSED)


def quote_ends_early(g: Grammar, s: State, t: Symbol) -> Iterator[Move]:
    """Yields the moves over the quote that ends a text although the next token does not fit behind it."""
    if t.name == s.closer != BARE and not s.depth and not _can_end(g, s, t):
        yield Move(closed(g, s), CLOSED)


def quote_ends_unpaired(g: Grammar, s: State, t: Symbol) -> Iterator[Move]:
    """Yields the moves over the quote that ends a text in which another quote has no partner."""
    if t.name == s.closer and s.depth and _can_end(g, s, t):
        yield Move(closed(g, s), CLOSED)


def quote_in_text(g: Grammar, s: State, t: Symbol) -> Iterator[Move]:
    """Yields the moves over a quote that is part of a text. The state records that the text holds quotes."""
    if t.name == s.closer != BARE and not s.depth and not _can_end(g, s, t) and not t.comma:
        yield Move(g.changed(s, depth=int(t.left), filled=1))


def odd_quote_in_text(g: Grammar, s: State, t: Symbol) -> Iterator[Move]:
    """Yields the moves over a quote that is part of a text, in front of a comma, a bracket or a line break."""
    if t.name == s.closer != BARE and not s.depth and not _can_end(g, s, t) and t.comma:
        yield Move(g.changed(s, depth=int(t.left), filled=1))


def inner_quote(g: Grammar, s: State, t: Symbol) -> Iterator[Move]:
    """Yields the moves over the partner of a quote that is part of a text: of a key's quote, where the text cannot end,
    or in front of a bracket that closes something else.
    """
    is_sure = s.depth == 2 or (t.next[0] == CLOSE and closed(g, s).closer not in (t.next[1], ""))
    if t.name == s.closer and s.depth and (is_sure or not _can_end(g, s, t)):
        yield Move(g.changed(s, depth=int(t.left)))


def part_of_text(_g: Grammar, s: State, t: Symbol) -> Iterator[Move]:
    """Yields the moves over a token without a meaning in a text."""
    if t.name != s.closer:
        yield Move(s)


def odd_key_in_text(g: Grammar, s: State, t: Symbol) -> Iterator[Move]:
    """Yields the moves over a bracket, or over a key that cannot follow the text."""
    if not t.keyed or not may_follow(g, s, t):
        yield Move(_behind_key(g, s, t))


def key_in_text(g: Grammar, s: State, t: Symbol) -> Iterator[Move]:
    """Yields the moves over a key that is part of a text although it could follow it."""
    if t.keyed and may_follow(g, s, t):
        yield Move(_behind_key(g, s, t))


def _behind_key(g: Grammar, s: State, t: Symbol) -> State:
    """Returns the state behind a key in a text. The quote that opens its value waits for its partner."""
    return g.changed(s, depth=2) if t.kind == OPEN and t.closer == s.closer and t.closer != BARE and not s.depth else s


# Among elements, and behind the end


def dropped_mark(g: Grammar, s: State, t: Symbol) -> Iterator[Move]:
    """Yields the moves over a stray quote."""
    if t.name != BARE and t.name not in COMMENT_ENDS:
        yield Move(s, (("drop",),))


def torn_key(g: Grammar, s: State, t: Symbol) -> Iterator[Move]:
    """Yields the moves over the quote of a key in which the text breaks off."""
    if t.left and t.next[0] == END and s.closer == "}" and s.count < MAX_OPEN:
        yield Move(g.state("comment", s.shape, t.name, t.name, parent=s), (("open", s.shape, "skipped", None, False),))


def end_of_no_comment(g: Grammar, s: State, t: Symbol) -> Iterator[Move]:
    """Yields the moves over the end of a comment that has not begun."""
    if t.name in COMMENT_ENDS:
        yield Move(s)


def dropped_bracket(g: Grammar, s: State, t: Symbol) -> Iterator[Move]:
    """Yields the moves over a stray opening bracket."""
    if t.closer in BRACKETS and not t.keyed:
        yield Move(s, (("drop",),))


def comment(g: Grammar, s: State, t: Symbol) -> Iterator[Move]:
    """Yields the moves into a comment."""
    if s.count < MAX_OPEN:
        yield Move(
            g.state("comment", s.shape, t.name, t.closer, parent=s), (("open", s.shape, "skipped", None, False),)
        )


def comment_ends(g: Grammar, s: State, t: Symbol) -> Iterator[Move]:
    """Yields the moves over the end of a comment."""
    if t.name == s.closer:
        yield Move(closed(g, s), CLOSED)


def json_goes_on(g: Grammar, s: State, t: Symbol) -> Iterator[Move]:
    """Yields the moves back into an object or a list that was closed too early."""
    if t.text or not (t.keyed or t.comma) or s.shape.is_text:
        return
    closer = "}" if t.keyed else "]"
    inside = g.state("elements", s.shape, "", closer, s.filled, False, parent=g.changed(s, filled=0))
    yield from plainly(g, inside, t, ("reopen",))


def json_ends(g: Grammar, s: State, t: Symbol) -> Iterator[Move]:
    """Yields the moves at text behind JSON that cannot continue it."""
    if t.text or (t.kind == OPEN and not t.keyed and not t.comma):
        yield Move(g.state("done", s.shape, "", ""))


def json_ends_early(g: Grammar, s: State, t: Symbol) -> Iterator[Move]:
    """Yields the moves at tokens behind the end of JSON that could continue it."""
    if not t.text and (t.kind == MARK or t.keyed or t.comma) and t.name not in COMMENT_ENDS:
        yield Move(g.state("done", s.shape, "", ""))


def bracket_too_many(g: Grammar, s: State, t: Symbol) -> Iterator[Move]:
    """Yields the moves over a closing bracket directly behind the end."""
    if not t.text:
        yield Move(s)


def nothing_more(g: Grammar, s: State, _t: Symbol) -> Iterator[Move]:
    """Yields the move at the end of the answer or of the reply."""
    yield Move(g.state("done", s.shape, "", ""))


JSON_ROWS: tuple[Row, ...] = (
    # Among the elements of an object or a list
    Row("elements", OPEN, dropped_bracket, Edit.BRACKET_STRAY),
    Row("elements", MARK, torn_key, Edit.KEY_TORN),
    Row("elements ended", MARK, end_of_no_comment),
    Row("elements", MARK, dropped_mark, Edit.QUOTE_STRAY),
    Row("elements", COMMENT, comment, Edit.COMMENT_SKIPPED),
    Row("comment", MARK, comment_ends, fits=True),
    # In a text: a string, or a number, a truth value, a choice, a date
    Row("quoted scalar", MARK, quote_ends, fits=True),
    Row("quoted scalar", MARK, quote_ends_early, Edit.QUOTE_EARLY),
    Row("quoted scalar", MARK, quote_ends_unpaired, Edit.QUOTE_UNPAIRED),
    Row("quoted scalar", MARK, quote_in_text, Edit.QUOTE_IN_STRING),
    Row("quoted scalar", MARK, odd_quote_in_text, Edit.QUOTE_LIKE_END),
    Row("quoted scalar", MARK, inner_quote),
    Row("quoted scalar", OPEN, odd_key_in_text),
    Row("quoted scalar", OPEN, key_in_text, Edit.KEY_IN_STRING),
    Row("quoted scalar comment", "mark close comment", part_of_text),
    Row("comment", OPEN, part_of_text),
    # Behind the end
    Row("ended", "open mark", json_goes_on, Edit.REOPENED),
    Row("ended", "open close mark", json_ends),
    Row("ended", "open mark", json_ends_early, Edit.REST_LEFT),
    Row("ended", CLOSE, bracket_too_many, Edit.BRACKET_STRAY),
    Row("ended", COMMENT, nothing_more),
)
"""The rows for JSON. Its objects and lists are elements like any other, so the rows they share are in `ROWS`."""
