"""The rows of the transition table for the tags in a text, and in a value of another type."""

from __future__ import annotations

from collections.abc import Iterator

from ..definition import fold
from .grammar import MAX_OPEN, Grammar, State
from .prices import Edit
from .rows_tags import is_misspelt, is_nested
from .scan import CLOSE, OPEN, Symbol
from .table import ITEMS, Move, Row, closed, fits, into, is_named, may_follow, out, take

# Inside of a text: its own tags


def unpaired(g: Grammar, s: State, _t: Symbol) -> Iterator[Move]:
    """Yields the move over a text's own closing tag that is part of it."""
    yield Move(g.changed(s, is_paired=False))


def around(g: Grammar, s: State, t: Symbol) -> Iterator[Move]:
    """Yields the move over a tag that is part of a text. The next state records whether it would be valid outside."""
    depth = s.depth + (t.kind == OPEN and t.is_known and t.paired and not t.is_mention and s.depth < MAX_OPEN)
    is_fitting = not t.is_mention and may_follow(g, s, t)
    yield Move(g.changed(s, depth=depth, filled=s.filled | is_fitting))


def closer_around(g: Grammar, s: State, t: Symbol) -> Iterator[Move]:
    """Yields the move over a closing tag of an element around the text, or of none, if the text goes on."""
    yield Move(g.changed(s, filled=s.filled | (not t.next[2])))


def is_own_in_text(_g: Grammar, s: State, t: Symbol) -> bool:
    """Returns whether a text's own closing tag is only mentioned: text follows."""
    return is_named(t, s.closer) and t.next[2]


def is_own_before_tag(g: Grammar, s: State, t: Symbol) -> bool:
    return is_named(t, s.closer) and not t.next[2] and not fits(g, closed(g, s), t.next)


def is_nested_in_text(g: Grammar, s: State, t: Symbol) -> bool:
    return is_nested(g, s, t) and t.paired and not t.is_mention and not may_follow(g, s, t)


def nested_item_in_string(g: Grammar, s: State, t: Symbol) -> Iterator[Move]:
    """Yields the moves into an element of the text's own name that could be the next item, or is a mention."""
    if is_named(t, s.closer) and t.paired and s.depth < MAX_OPEN and (t.is_mention or may_follow(g, s, t)):
        yield Move(g.changed(s, depth=s.depth + 1, filled=1))


def is_own_opener(g: Grammar, s: State, t: Symbol) -> bool:
    return is_named(t, s.closer) and not t.is_mention and not may_follow(g, s, t)


def is_own_mention(_g: Grammar, s: State, t: Symbol) -> bool:
    return is_named(t, s.closer) and t.is_mention


# Inside of a text: other tags


def is_part_of_text(g: Grammar, s: State, t: Symbol) -> bool:
    """Returns whether a tag can neither end a text nor follow it."""
    return _is_foreign(s, t) and not may_follow(g, s, t) and not _is_odd(s, t) and not _begins_anew(g, s, t)


def is_inner_closer(_g: Grammar, s: State, t: Symbol) -> bool:
    return s.depth > 0 and not t.is_mention and (is_named(t, s.closer) or (t.is_known and t.paired))


def is_outer_closer(g: Grammar, s: State, t: Symbol) -> bool:
    return _is_outer(g, s, t) and not _could_end_text(g, s, t) and not _is_crossed_with(s, t)


def is_outer_at_end(g: Grammar, s: State, t: Symbol) -> bool:
    return _is_outer(g, s, t) and _could_end_text(g, s, t)


def is_crossed_closer(g: Grammar, s: State, t: Symbol) -> bool:
    return _is_outer(g, s, t) and not _could_end_text(g, s, t) and _is_crossed_with(s, t)


def _is_crossed_with(s: State, t: Symbol) -> bool:
    return t.is_known and t.paired and t.next == (CLOSE, s.closer, False)


def _is_outer(g: Grammar, s: State, t: Symbol) -> bool:
    return _is_foreign(s, t) and (_is_odd(s, t) or may_follow(g, s, t))


def _could_end_text(g: Grammar, s: State, t: Symbol) -> bool:
    return not t.next[2] and (may_follow(g, s, t) or fits(g, closed(g, s), t.next))


def is_fitting(g: Grammar, s: State, t: Symbol) -> bool:
    """Returns whether a tag in a text that has a closing tag would fit around it."""
    return (s.is_paired or t.is_mention) and not is_named(t, s.closer) and may_follow(g, s, t)


def is_fitting_in_unclosed(g: Grammar, s: State, t: Symbol) -> bool:
    return not (s.is_paired or t.is_mention or is_named(t, s.closer)) and may_follow(g, s, t)


def is_root_in_text(g: Grammar, s: State, t: Symbol) -> bool:
    return not is_named(t, s.closer) and not may_follow(g, s, t) and _begins_anew(g, s, t)


def _is_foreign(s: State, t: Symbol) -> bool:
    """Returns whether a tag in a text is neither the text's own nor closes an element inside of it."""
    is_inner_closer = t.kind == CLOSE and s.depth and t.is_known and t.paired and not t.is_mention
    return not is_named(t, s.closer) and not is_inner_closer


def _is_odd(s: State, t: Symbol) -> bool:
    return t.kind == CLOSE and (not t.paired or (t.is_known and not s.depth))


def _begins_anew(g: Grammar, s: State, t: Symbol) -> bool:
    """Returns whether another answer could begin. A complete element inside of a closed text is not one."""
    return t.kind == OPEN and fold(t.name) in g.root_names and not t.is_mention and not (s.is_paired and t.paired)


# Inside of a number, a truth value, a choice, a date


def is_wrapping(_g: Grammar, s: State, t: Symbol) -> bool:
    return fold(t.name) in (*ITEMS, "value") and not t.text and t.paired and not s.depth


def is_end_of_wrapping(_g: Grammar, s: State, t: Symbol) -> bool:
    return fold(t.name) in (*ITEMS, "value") and s.depth > 0


def is_crossed_in_value(_g: Grammar, s: State, t: Symbol) -> bool:
    """Returns whether a value's own closing tag follows that of an element in front of it."""
    is_outer = is_named(t, s.closer) or (s.parent is not None and is_named(t, s.parent.closer))
    return t.is_known and not is_outer and t.next == (CLOSE, s.closer, False)


def is_decoration(g: Grammar, s: State, t: Symbol) -> bool:
    return not t.is_known and not (t.kind == CLOSE and is_misspelt(g, s, t))


TEXT_ROWS: tuple[Row, ...] = (
    # In a string
    Row("string", CLOSE, unpaired, Edit.OWN_CLOSER_IN_STRING, when=is_own_in_text),
    Row("string", CLOSE, unpaired, Edit.OWN_CLOSER_BEFORE_TAG, when=is_own_before_tag),
    Row("string", OPEN, into, when=is_nested_in_text),
    Row("string", OPEN, nested_item_in_string, Edit.TAG_IN_STRING),
    Row("string", OPEN, take, Edit.OWN_OPENER_IN_STRING, when=is_own_opener),
    Row("string", OPEN, take, Edit.TAG_IN_STRING, when=is_own_mention),
    Row("string", "open close", around, when=is_part_of_text),
    Row("string skipped", CLOSE, out, when=is_inner_closer),
    Row("string", CLOSE, closer_around, Edit.TAG_IN_STRING, when=is_outer_closer),
    Row("string", CLOSE, take, Edit.CLOSER_OF_OTHER, when=is_crossed_closer),
    Row("string", CLOSE, closer_around, Edit.CLOSER_IN_STRING, when=is_outer_at_end),
    Row("string", OPEN, around, Edit.TAG_IN_STRING, when=is_fitting),
    Row("string", OPEN, around, Edit.TAG_IN_UNCLOSED, when=is_fitting_in_unclosed),
    Row("string", OPEN, around, Edit.MENTION, when=is_root_in_text),
    # In a number, a truth value, a choice, a date
    Row("value", OPEN, into, Edit.WRAPPED_VALUE, when=is_wrapping),
    Row("value", CLOSE, out, when=is_end_of_wrapping),
    Row("value", CLOSE, take, Edit.CLOSER_CROSSED, when=is_crossed_in_value),
    Row("value", "open close", take, Edit.TAG_IN_VALUE, when=is_decoration),
)
