"""The rows of the transition table for JSON: the ends of its texts, and the tokens between them.

In a text, `depth` is 1 behind a quote that is part of it and looks like an opening one. It is 2 behind a quote that
opens the value of a key; the partner of that one is always part of the text.
"""

from __future__ import annotations

from collections.abc import Iterator

from .grammar import MAX_OPEN, Grammar, State
from .prices import Edit
from .scan import CLOSE, COMMENT, END, MARK, OPEN, Symbol
from .table import BARE, COMMENT_ENDS, Move, Row, closed, drop, end, finish, fits, may_follow, plainly, take


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


def is_end(g: Grammar, s: State, t: Symbol) -> bool:
    return t.name == s.closer and (t.name == BARE or (not s.depth and _can_end(g, s, t)))


def is_early_end(g: Grammar, s: State, t: Symbol) -> bool:
    """Returns whether a quote can only end a text if the next token does not fit behind it."""
    return t.name == s.closer != BARE and not s.depth and not _can_end(g, s, t)


def is_inner(g: Grammar, s: State, t: Symbol) -> bool:
    return is_early_end(g, s, t) and not t.comma


def is_like_end(g: Grammar, s: State, t: Symbol) -> bool:
    """Returns whether a quote inside a text is in front of a comma, a bracket or a line break."""
    return is_early_end(g, s, t) and t.comma


def quote_in_text(g: Grammar, s: State, t: Symbol) -> Iterator[Move]:
    """Yields the move over a quote that is part of a text. The state records that the text holds quotes."""
    yield Move(g.changed(s, depth=int(t.left), filled=1))


def inner_quote(g: Grammar, s: State, t: Symbol) -> Iterator[Move]:
    is_sure = s.depth == 2 or (t.next[0] == CLOSE and closed(g, s).closer not in (t.next[1], ""))
    if t.name == s.closer and s.depth and (is_sure or not _can_end(g, s, t)):
        yield Move(g.changed(s, depth=int(t.left)))


def is_no_end(_g: Grammar, s: State, t: Symbol) -> bool:
    return t.name != s.closer


def is_odd_key(g: Grammar, s: State, t: Symbol) -> bool:
    """Returns whether a token is a bracket, or a key that cannot follow the text."""
    return not is_next_key(g, s, t)


def is_next_key(g: Grammar, s: State, t: Symbol) -> bool:
    return t.keyed and may_follow(g, s, t)


def key_in_text(g: Grammar, s: State, t: Symbol) -> Iterator[Move]:
    """Yields the move over a key in a text. The quote that opens its value waits for its partner."""
    opens = t.kind == OPEN and t.closer == s.closer and t.closer != BARE and not s.depth
    yield Move(g.changed(s, depth=2) if opens else s)


# Among elements, and behind the end


def is_quote(_g: Grammar, _s: State, t: Symbol) -> bool:
    return t.name != BARE and t.name not in COMMENT_ENDS


def is_torn_key(_g: Grammar, s: State, t: Symbol) -> bool:
    """Returns whether the text breaks off in a key behind a quote."""
    return t.left and t.next[0] == END and s.closer == "}"


def is_comment_end(_g: Grammar, _s: State, t: Symbol) -> bool:
    return t.name in COMMENT_ENDS


def comment(g: Grammar, s: State, t: Symbol) -> Iterator[Move]:
    """Yields the move into a comment or a torn key."""
    if s.count < MAX_OPEN:
        inside = g.state("comment", s.shape, t.name, t.closer or t.name, parent=s)
        yield Move(inside, (("open", s.shape, "skipped", None, False),))


def is_own_end(_g: Grammar, s: State, t: Symbol) -> bool:
    return t.name == s.closer


def json_goes_on(g: Grammar, s: State, t: Symbol) -> Iterator[Move]:
    """Yields the moves back into an object or a list that was closed too early."""
    if t.text or not (t.keyed or t.comma) or s.shape.is_text:
        return
    closer = "}" if t.keyed else "]"
    inside = g.state("elements", s.shape, "", closer, s.filled, False, parent=g.changed(s, filled=0))
    yield from plainly(g, inside, t, ("reopen",))


def is_text_behind(_g: Grammar, _s: State, t: Symbol) -> bool:
    return t.text or (t.kind == OPEN and not t.keyed and not t.comma)


def is_json_behind(_g: Grammar, _s: State, t: Symbol) -> bool:
    return not t.text and (t.kind == MARK or t.keyed or t.comma) and t.name not in COMMENT_ENDS


def is_directly_behind(_g: Grammar, _s: State, t: Symbol) -> bool:
    return not t.text


JSON_ROWS: tuple[Row, ...] = (
    # Among the elements of an object or a list
    Row("elements", MARK, comment, Edit.KEY_TORN, when=is_torn_key),
    Row("elements ended", MARK, take, when=is_comment_end),
    Row("elements", MARK, drop, Edit.QUOTE_STRAY, when=is_quote),
    Row("elements", COMMENT, comment, Edit.COMMENT_SKIPPED),
    Row("comment", MARK, end, fits=True, when=is_own_end),
    # In a text: a string, or a number, a truth value, a choice, a date
    Row("quoted scalar", MARK, end, fits=True, when=is_end),
    Row("quoted scalar", MARK, end, Edit.QUOTE_EARLY, when=is_early_end),
    Row("quoted scalar", MARK, quote_in_text, Edit.QUOTE_IN_STRING, when=is_inner),
    Row("quoted scalar", MARK, quote_in_text, Edit.QUOTE_LIKE_END, when=is_like_end),
    Row("quoted scalar", MARK, inner_quote),
    Row("quoted scalar", OPEN, key_in_text, when=is_odd_key),
    Row("quoted scalar", OPEN, key_in_text, Edit.KEY_IN_STRING, when=is_next_key),
    Row("quoted scalar comment", "mark close comment", take, when=is_no_end),
    Row("comment", OPEN, take, when=is_no_end),
    # Behind the end
    Row("ended", "open mark", json_goes_on, Edit.REOPENED),
    Row("ended", "open close mark", finish, when=is_text_behind),
    Row("ended", "open mark", finish, Edit.REST_LEFT, when=is_json_behind),
    Row("ended", CLOSE, take, Edit.BRACKET_STRAY, when=is_directly_behind),
    Row("ended", COMMENT, finish),
)
"""The rows for JSON. Its objects and lists are elements like any other, so the rows they share are in `ROWS`."""
