"""The part of the transition table that is about JSON: where its texts end, and what stands between them.

In a text `depth` is 1 behind a quote that is part of it and looks like an opening one.
"""

from __future__ import annotations

from collections.abc import Iterator

from .grammar import MAX_OPEN, Grammar, State
from .prices import Edit
from .scan import CLOSE, COMMENT, EMPTY, END, MARK, OPEN, Symbol
from .table import BARE, BRACKETS, COMMENT_ENDS, Next, Row, closed, fits, may_follow, row_moves

__all__ = ["JSON_ROWS"]

_SIMILAR = {'"': "\u201d", "\u201d": '"', "'": "\u2019", "\u2019": "'"}


def _ending(g: Grammar, s: State, t: Symbol) -> str:
    """How well a text ends at a quote: "badly" where text follows or what cannot stand there, "loosely" where a
    name follows that nothing has, or the bracket of an outer element, else "well".
    """
    kind, name, text = t.next
    if text or t.left:
        return "badly"
    around = closed(g, s)
    if kind in (COMMENT, END) or around.kind != "elements":
        return "well"
    if kind == CLOSE:
        return "well" if around.closer == name or not around.closer else "loosely"
    if kind in (OPEN, EMPTY) and name != "li":
        if may_follow(g, s, Symbol(kind, name, keyed=True)):
            return "well"
        return "badly" if around.closer == "]" else "loosely"
    return "well" if around.closer == "]" or fits(g, around, t.next) else "badly"


def quote_ends(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """The quote that ends a text, or the end of one without quotes."""
    if t.name == s.closer and (t.name == BARE or (not s.depth and _ending(g, s, t) != "badly")):
        yield closed(g, s), (("close", True),)


def quote_ends_early(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """The quote that ends a text, behind which something stands that cannot."""
    if t.name == s.closer != BARE and not s.depth and _ending(g, s, t) == "badly":
        yield closed(g, s), (("close", True),)


def quote_ends_unpaired(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """The quote that ends a text, in which another one has no partner."""
    if t.name == s.closer and s.depth and _ending(g, s, t) != "badly":
        yield closed(g, s), (("close", True),)


def other_quote_ends(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """A typographic quote in place of a plain one, or the other way round."""
    if _SIMILAR.get(t.name) == s.closer and not s.depth and _ending(g, s, t) == "well":
        yield closed(g, s), (("close", True),)


def quote_in_text(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """A quote that is part of a text. That a text holds some is remembered."""
    if t.name == s.closer != BARE and not s.depth and _ending(g, s, t) == "badly" and not t.comma:
        yield g.changed(s, depth=int(t.left), filled=1), ()


def odd_quote_in_text(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """A quote that is part of a text, in front of a comma, a bracket or the end of a line."""
    if t.name == s.closer != BARE and not s.depth and _ending(g, s, t) == "badly" and t.comma:
        yield g.changed(s, depth=int(t.left), filled=1), ()


def loose_quote_in_text(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """A quote that is part of a text, in front of a name that nothing has."""
    if t.name == s.closer != BARE and not s.depth and _ending(g, s, t) == "loosely":
        yield g.changed(s, depth=int(t.left)), ()


def fitting_quote_in_text(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """A quote that is part of a text though that could end there."""
    if t.name == s.closer != BARE and not s.depth and _ending(g, s, t) == "well":
        yield g.changed(s, depth=int(t.left)), ()


def inner_quote(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """The partner of a quote that is part of a text."""
    if t.name == s.closer and s.depth and _ending(g, s, t) != "well":
        yield g.changed(s, depth=int(t.left)), ()


def fitting_inner_quote(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """The partner of a quote that is part of a text, where that could end."""
    if t.name == s.closer and s.depth and _ending(g, s, t) == "well":
        yield g.changed(s, depth=0), ()


def part_of_text(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """A sign that counts for nothing in a text."""
    if t.name != s.closer:
        yield s, ()


def odd_key_in_text(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """A bracket, or a key that cannot follow the text."""
    if not t.keyed or not may_follow(g, s, t):
        yield _behind_key(g, s, t), ()


def bare_key_in_text(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """A key without quotes that is part of a text."""
    if t.keyed and not t.left and may_follow(g, s, t):
        yield s, ()


def key_in_text(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """A key in quotes that is part of a text though it could stand behind it."""
    if t.keyed and t.left and not t.comma and may_follow(g, s, t):
        yield _behind_key(g, s, t), ()


def key_behind_comma_in_text(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """The same behind a comma or a line break."""
    if t.keyed and t.left and t.comma and may_follow(g, s, t):
        yield _behind_key(g, s, t), ()


def _behind_key(g: Grammar, s: State, t: Symbol) -> State:
    """The state behind a key in a text: the quote that opens its value waits for its partner."""
    return g.changed(s, depth=1) if t.kind == OPEN and t.closer == s.closer and t.closer != BARE and not s.depth else s


# Among elements, and behind the end


def dropped_mark(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """A quote that means nothing."""
    if t.name != BARE and t.name not in COMMENT_ENDS:
        yield s, (("drop",),)


def torn_key(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """The quote of a key in which the text breaks off."""
    if t.left and t.next[0] == END and s.closer == "}" and s.count < MAX_OPEN:
        yield g.state("comment", s.shape, t.name, t.name, parent=s), (("open", s.shape, "skipped", None, False),)


def end_of_no_comment(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """What would end a comment, where none has begun."""
    if t.name in COMMENT_ENDS:
        yield s, ()


def dropped_bracket(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """An opening bracket that means nothing."""
    if t.closer in BRACKETS and not t.keyed:
        yield s, (("drop",),)


def comment(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """A comment in JSON."""
    if s.count < MAX_OPEN:
        yield g.state("comment", s.shape, t.name, t.closer, parent=s), (("open", s.shape, "skipped", None, False),)


def comment_ends(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """The end of a comment."""
    if t.name == s.closer:
        yield closed(g, s), (("close", True),)


def json_goes_on(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """What belongs to an object or a list that was closed too early."""
    if t.text or not (t.keyed or t.comma) or s.shape.is_text:
        return
    closer = "}" if t.keyed else "]"
    inside = g.state("elements", s.shape, "", closer, s.filled, False, parent=g.changed(s, filled=0))
    for move in row_moves(g, inside, t, fitting=True):
        if not move.edits:
            yield move.state, (("reopen",), *move.steps)


def json_ends(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """What stands behind JSON and cannot go on with it."""
    if t.text or (t.kind in (OPEN, EMPTY) and not t.keyed and not t.comma):
        yield g.state("done", s.shape, "", ""), ()


def json_ends_early(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """What could go on with JSON stands behind its end."""
    if not t.text and (t.kind == MARK or t.keyed or t.comma) and t.name not in COMMENT_ENDS:
        yield g.state("done", s.shape, "", ""), ()


def bracket_too_many(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """A closing bracket right behind the end."""
    if not t.text:
        yield s, ()


JSON_ROWS: tuple[Row, ...] = (
    # Among the elements of an object or a list
    Row("elements", OPEN, dropped_bracket, Edit.BRACKET_STRAY),
    Row("elements", MARK, torn_key, Edit.KEY_TORN),
    Row("elements", MARK, end_of_no_comment),
    Row("elements", MARK, dropped_mark, Edit.QUOTE_STRAY),
    Row("elements", COMMENT, comment, Edit.COMMENT_SKIPPED),
    # In a text of JSON: a string
    Row("quoted", MARK, quote_ends, fits=True),
    Row("quoted", MARK, quote_ends_early, Edit.QUOTE_EARLY),
    Row("quoted", MARK, quote_ends_unpaired, Edit.QUOTE_UNPAIRED),
    Row("quoted", MARK, other_quote_ends, Edit.QUOTE_OF_OTHER_SORT),
    Row("quoted", MARK, quote_in_text, Edit.QUOTE_IN_STRING),
    Row("quoted", MARK, odd_quote_in_text, Edit.QUOTE_LIKE_END),
    Row("quoted", MARK, loose_quote_in_text, Edit.QUOTE_THAT_COULD_FIT),
    Row("quoted", MARK, fitting_quote_in_text, Edit.QUOTE_THAT_FITS),
    Row("quoted", MARK, inner_quote),
    Row("quoted", MARK, fitting_inner_quote, Edit.INNER_QUOTE_THAT_FITS),
    Row("quoted", MARK, part_of_text),
    Row("quoted", OPEN, odd_key_in_text),
    Row("quoted", OPEN, bare_key_in_text, Edit.TAG_IN_STRING),
    Row("quoted", OPEN, key_in_text, Edit.KEY_IN_STRING),
    Row("quoted", OPEN, key_behind_comma_in_text, Edit.KEY_BEHIND_COMMA_IN_STRING),
    Row("quoted", CLOSE, part_of_text),
    Row("quoted", COMMENT, part_of_text),
    # In a text of JSON: a number, a truth value, a choice, a date
    Row("scalar", MARK, quote_ends, fits=True),
    Row("scalar", MARK, quote_ends_early, Edit.QUOTE_EARLY),
    Row("scalar", MARK, quote_ends_unpaired, Edit.QUOTE_UNPAIRED),
    Row("scalar", MARK, other_quote_ends, Edit.QUOTE_OF_OTHER_SORT),
    Row("scalar", MARK, quote_in_text, Edit.QUOTE_IN_STRING),
    Row("scalar", MARK, odd_quote_in_text, Edit.QUOTE_LIKE_END),
    Row("scalar", MARK, inner_quote),
    Row("scalar", MARK, part_of_text),
    Row("scalar", OPEN, odd_key_in_text, Edit.TAG_IN_VALUE),
    Row("scalar", OPEN, bare_key_in_text, Edit.KNOWN_IN_VALUE),
    Row("scalar", CLOSE, part_of_text, Edit.TAG_IN_VALUE),
    Row("scalar", COMMENT, part_of_text),
    # In a comment of JSON
    Row("comment", MARK, comment_ends, fits=True),
    Row("comment", MARK, part_of_text),
    Row("comment", OPEN, part_of_text),
    Row("comment", CLOSE, part_of_text),
    Row("comment", COMMENT, part_of_text),
    # Behind JSON
    Row("ended", OPEN, json_goes_on, Edit.REOPENED),
    Row("ended", OPEN, json_ends),
    Row("ended", OPEN, json_ends_early, Edit.REST_LEFT),
    Row("ended", CLOSE, bracket_too_many, Edit.BRACKET_STRAY),
    Row("ended", CLOSE, json_ends),
    Row("ended", MARK, json_goes_on, Edit.REOPENED),
    Row("ended", MARK, json_ends),
    Row("ended", MARK, end_of_no_comment),
    Row("ended", MARK, json_ends_early, Edit.REST_LEFT),
    Row("ended", COMMENT, json_ends),
)
"""The rows for JSON. Its objects and lists are elements like others, and what holds for those stands among `ROWS`."""
