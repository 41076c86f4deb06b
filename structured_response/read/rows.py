"""The transition table: for each kind of element and each kind of token, the ways that a reading may take the token.

`moves` adds two cases that apply everywhere: an element may lack its closing tag, and text may be stray.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..definition import Field, fold, is_near, singulars
from .grammar import ANY, MAX_OPEN, Grammar, Shape, State
from .prices import LEVELS, Edit
from .rows_json import JSON_ROWS
from .scan import CLOSE, COMMENT, EMPTY, END, MARK, OPEN, Symbol
from .table import (
    BARE,
    BRACKETS,
    CLOSED,
    ENDED,
    ITEMS,
    MARKS,
    MAX_LEFT,
    QUOTES,
    TABLE,
    Move,
    Row,
    Step,
    at_end,
    closed,
    drop,
    element,
    end,
    finish,
    fits,
    is_named,
    may_follow,
    plainly,
    row_moves,
    take,
    unended,
)

MIN_NEAR = 5
"""Letters of a misspelt field name. Shorter names are similar to too many words."""

MAX_MOVES = 14
"""Moves that are tried for one token, the cheapest first. No reply has needed more."""

MAX_INNER = 6
"""Moves for the closing tag of a leaf that are tried after each move for its opening tag."""


def opened(
    g: Grammar, around: State, shape: Shape, t: Symbol, role: str, step: Any = None, wraps: bool = False
) -> Iterator[Move]:
    """Yields the moves into the element that a token opens, or past it if the element is empty."""
    if around.count >= MAX_OPEN or (wraps and t.closer in MARKS):
        return
    opening: Step = ("open", shape, role, step, False)
    filled = around.filled if wraps else 0
    for name in t.given:
        known = shape.field(name)
        filled |= known[2] if known is not None else 0
    if t.kind == EMPTY:
        is_lacking = shape.required & ~filled and shape.node.nullable is False and t.closer not in MARKS
        lacks = Edit.ITEM_EMPTY if role == "item" and not t.given else Edit.REQUIRED_MISSING
        yield Move(around, (opening, *CLOSED), (lacks,) if is_lacking and role != "skipped" else ())
    elif wraps:
        state = g.state("elements", shape, around.name, t.closer or t.name, filled, True, True, parent=around)
        yield Move(state, (opening,))
    else:
        yield Move(element(g, shape, t.name, t.closer or t.name, around, filled, t.paired), (opening,))


# The fields of an object

_Found = tuple[Field, Shape, int]


def _into(g: Grammar, s: State, t: Symbol, found: _Found, role: str = "field") -> Iterator[Move]:
    field, shape, bit = found
    yield from opened(g, g.changed(s, filled=s.filled | bit, is_fresh=False), shape, t, role, field.name)


def free_field(g: Grammar, s: State, t: Symbol) -> Iterator[Move]:
    """Yields the moves into a field that is still free. A class may have the name of its field."""
    found = s.shape.field(t.name)
    if found is not None and not s.filled & found[2] and not _begins_object(s, t):
        yield from _into(g, s, t, found)


def _begins_object(s: State, t: Symbol) -> bool:
    """Returns whether a token has the name of a class, an option's or the object's own, and a field of it follows."""
    is_class = len(s.shape.parts) > 1 or (t.name == s.shape.node.name and t.name not in s.shape.fields)
    shape = s.shape.classes.get(fold(t.name)) if is_class and s.is_fresh and t.kind == OPEN else None
    return shape is not None and t.next[0] in (OPEN, EMPTY) and not t.next[2] and shape.field(t.next[1]) is not None


def near_field(g: Grammar, s: State, t: Symbol) -> Iterator[Move]:
    name = fold(t.name)
    if t.is_known or len(name) < MIN_NEAR or s.filled < 0:
        return
    near = [each for each in s.shape.fields.values() if is_near(name, fold(each[0].name))]
    if len(near) == 1:
        yield from _into(g, s, t, near[0], "repeated" if s.filled & near[0][2] else "field")


def field_of_class(g: Grammar, s: State, t: Symbol) -> Iterator[Move]:
    """Yields the moves into a free field, under the name of its class."""
    if s.shape.field(t.name) is not None:
        return
    named = [each for each in s.shape.fields.values() if fold(t.name) in each[1].classes]
    if len(named) == 1 and not s.filled & named[0][2]:
        yield from _into(g, s, t, named[0])


def repeated_field(g: Grammar, s: State, t: Symbol) -> Iterator[Move]:
    found = s.shape.field(t.name)
    if found is not None and s.filled & found[2] and s.filled >= 0:
        yield from _into(g, s, t, found, "repeated")


def repeated_list(g: Grammar, s: State, t: Symbol) -> Iterator[Move]:
    """Yields the moves into a list that continues in another element of its name, or whose items are outside of it."""
    found = s.shape.field(t.name)
    if found is not None and s.filled & found[2] and s.filled >= 0 and found[1].is_list:
        yield from _into(g, s, t, found, "again")


def implied_field(g: Grammar, s: State, t: Symbol) -> Iterator[Move]:
    """Yields the moves into a field of a required inner object that has no tag. Items belong to a list instead."""
    if s.shape.field(t.name) is not None or s.count >= MAX_OPEN or s.closer in ITEMS:
        return
    held = [each for each in s.shape.fields.values() if each[1].objects and each[1].field(t.name) is not None]
    if len(held) != 1 or len(held[0][1].parts) > 1 or not held[0][2] & s.shape.required & ~s.filled:
        return
    field, shape, bit = held[0]
    inner = element(g, shape, "", "", g.changed(s, filled=s.filled | bit, is_fresh=False))
    for move in free_field(g, inner, t):
        yield Move(move.state, (("open", shape, "field", field.name, True), *move.steps))


def item_of_field(g: Grammar, s: State, t: Symbol) -> Iterator[Move]:
    """Yields the moves into an item that is in the object of its list, under the item's name."""
    if s.shape.field(t.name) is None and s.filled >= 0:
        for found in s.shape.by_item.get(fold(t.name), ()):
            yield from _into(g, s, t, found, "item of")


def class_wrapper(g: Grammar, s: State, t: Symbol) -> Iterator[Move]:
    if len(s.shape.parts) != 1 or not s.is_fresh or s.filled or s.wraps or t.name == "?":
        return
    is_field = s.shape.field(t.name) is not None and (t.name != s.shape.node.name or t.name in s.shape.fields)
    if not is_field and fold(t.name) in {*s.shape.classes, fold(s.name)} and (s.shape.fields or t.keyed):
        yield from opened(g, s, s.shape, t, "wrapper", wraps=True)


def wrapper(g: Grammar, s: State, t: Symbol) -> Iterator[Move]:
    """Yields the moves into an unknown element around missing fields."""
    if not s.shape.fields or s.shape.field(t.name) is not None or t.kind == EMPTY or s.filled < 0:
        return
    if fold(t.name) in s.shape.classes or (fold(t.name) in {*g.root_names, *ITEMS} and not s.is_fresh):
        return
    if t.next[0] in (OPEN, EMPTY):
        yield from opened(g, s, s.shape, t, "wrapper", wraps=True)


def option(g: Grammar, s: State, t: Symbol) -> Iterator[Move]:
    shape = s.shape.classes.get(fold(t.name)) if len(s.shape.parts) > 1 else None
    if shape is not None and s.is_fresh and not s.filled:
        yield from opened(g, g.changed(s, is_fresh=False, filled=-1), shape, t, "option", t.name)


def option_again(g: Grammar, s: State, t: Symbol) -> Iterator[Move]:
    """Yields the moves into the tag of a class, behind another option of the union."""
    shape = s.shape.classes.get(fold(t.name)) if len(s.shape.parts) > 1 else None
    if shape is not None and s.filled == -1:
        yield from opened(g, s, shape, t, "option", t.name)


# The items of a list, the entries of a map


def item(g: Grammar, s: State, t: Symbol) -> Iterator[Move]:
    is_named_so = s.shape.item is not None and fold(t.name) in s.shape.item_names(s.name)
    if is_named_so and not (t.keyed and s.shape.value is not None) and not _is_own_name(s, t):
        yield from _item(g, s, t)


def _is_own_name(s: State, t: Symbol) -> bool:
    return fold(t.name) == fold(s.name) and fold(t.name) not in ("?", *ITEMS)


def quoted_item(g: Grammar, s: State, t: Symbol) -> Iterator[Move]:
    """Yields the moves over the quote that opens an item of a list in JSON."""
    if t.name in QUOTES:
        yield from item(g, s, t.but(kind=OPEN, name="li", closer=QUOTES[t.name]))


def _item(g: Grammar, s: State, t: Symbol) -> Iterator[Move]:
    around, shape = _at_item(g, s)
    if shape is not None:
        yield from opened(g, around, shape, t, "item")


def _at_item(g: Grammar, s: State) -> tuple[State, Shape | None]:
    """Returns the state of a list with one more item, and the item's shape."""
    if s.filled < 0:
        return s, None
    return g.changed(s, is_fresh=False, filled=s.filled + 1 if s.shape.is_tuple else 0), s.shape.item_at(s.filled)


def other_item(g: Grammar, s: State, t: Symbol) -> Iterator[Move]:
    """Yields the moves into an item named like its list, or with an unknown name that cannot be a field of it."""
    shape = s.shape.item
    if shape is None:
        return
    is_odd = not t.is_known or (s.shape.is_tuple and s.closer in BRACKETS)
    is_odd &= shape.field(t.name) is None and fold(t.name) not in s.shape.item_names(s.name)
    is_odd &= s.shape.value is None and not s.shape.fields and (t.kind != EMPTY or bool(t.given))
    if is_odd or _is_own_name(s, t):
        yield from _item(g, s, t)


def implied_item(g: Grammar, s: State, t: Symbol) -> Iterator[Move]:
    """Yields the moves into an item without a tag, whose field is in the list itself."""
    around, shape = _at_item(g, s)
    is_item_tag = fold(t.name) in ITEMS and fold(t.name) in s.shape.item_names(s.name)
    if shape is None or s.count >= MAX_OPEN or (shape.item is None and is_item_tag):
        return
    inner = element(g, shape, "", "", around)
    for move in free_field(g, inner, t):
        yield Move(move.state, (("open", shape, "item", None, True), *move.steps))


def split_item(g: Grammar, s: State, t: Symbol) -> Iterator[Move]:
    """Yields the moves into the next object of a list whose objects ran together: one of its fields occurs again."""
    found = s.shape.field(t.name)
    around = s.parent
    if found is None or not s.filled & found[2] or around is None or s.filled < 0 or s.wraps:
        return
    if around.shape.item is s.shape and around.kind == "elements":
        for move in free_field(g, g.changed(s, filled=0, is_fresh=True), t):
            steps: tuple[Step, ...] = (("close", False), ("open", s.shape, "item", None, True), *move.steps)
            yield Move(move.state, steps, at_end(s, t))


def entry(g: Grammar, s: State, t: Symbol) -> Iterator[Move]:
    """Yields the moves into an entry of a map. Its key is an attribute or its name."""
    shape = s.shape.value
    if shape is None or s.filled < 0 or _is_mention(s, t):
        return
    is_item = fold(t.name) in ITEMS and (s.shape.is_list or (not s.shape.is_map and s.shape.item is not None))
    if t.keyed or not (is_item or s.filled & _KEYED or fold(t.name) in _pairs(s)):
        around = g.changed(s, is_fresh=False, filled=s.filled | (_KEYED if t.keyed else 0))
        yield from opened(g, around, shape, t, "entry")


_KEYED = 1 << 62
"""The bit of a map whose entries have their keys in attributes. No other tag in it is an entry."""


def _is_mention(s: State, t: Symbol) -> bool:
    return s.shape.node is ANY and t.is_known and s.closer in BRACKETS


def mentioned_key(g: Grammar, s: State, t: Symbol) -> Iterator[Move]:
    if _is_mention(s, t) and t.keyed and s.shape.value is not None:
        yield from opened(g, s, s.shape.value, t, "entry")


def entry_in_parts(g: Grammar, s: State, t: Symbol) -> Iterator[Move]:
    if (
        s.shape.value is not None
        and s.shape.is_map
        and not (t.keyed or s.filled & _KEYED)
        and fold(t.name) in _pairs(s)
    ):
        yield from opened(g, g.changed(s, is_fresh=False), g.entry_shape(s.shape.value), t, "pair")


def _pairs(s: State) -> frozenset[str]:
    name = fold(s.name)
    return ITEMS | {name} | singulars(name)


# Unknown elements


def extra(g: Grammar, s: State, t: Symbol) -> Iterator[Move]:
    if not t.is_known and s.shape.keeps_extra and (t.paired or t.kind == EMPTY):
        yield from opened(g, s, g.shape(ANY), t, "skipped", t.name)


def skipped(g: Grammar, s: State, t: Symbol) -> Iterator[Move]:
    """Yields the moves into an unknown element, which is skipped with its content. A map has no unknown keys."""
    if not t.is_known and not s.shape.keeps_extra and not (t.keyed and s.shape.is_map):
        yield from _skipped(g, s, t)


def known_skipped(g: Grammar, s: State, t: Symbol) -> Iterator[Move]:
    """Yields the moves into a misplaced element with a known name, which is skipped with its content."""
    is_misplaced = t.is_known and fold(t.name) not in g.root_names and not fits(g, s, (t.kind, t.name, False), t.keyed)
    if is_misplaced and not s.shape.keeps_extra:
        yield from _skipped(g, s, t)


def _skipped(g: Grammar, s: State, t: Symbol) -> Iterator[Move]:
    opening: Step = ("open", s.shape, "skipped", None, False)
    if s.count >= MAX_OPEN or not (t.paired or t.kind == EMPTY):
        return
    around = g.changed(s, is_fresh=False)
    if t.kind == EMPTY:
        yield Move(s, (opening, *CLOSED))
    elif t.closer in BRACKETS or t.closer in MARKS:
        yield Move(element(g, g.shape(ANY), t.name, t.closer, around), (opening,))
    else:
        yield Move(g.state("skipped", s.shape, t.name, t.closer or t.name, parent=around), (opening,))


def is_unknown(_g: Grammar, _s: State, t: Symbol) -> bool:
    """Returns whether the name of a tag is unknown. A key of JSON or YAML is skipped with its value."""
    is_key = t.keyed or t.closer in MARKS or t.closer in BRACKETS
    return not t.is_known and t.kind != EMPTY and not is_key


def is_crossed(_g: Grammar, s: State, t: Symbol) -> bool:
    return t.is_known and _is_behind_closer(t) and not is_named(t, s.closer)


def is_early(_g: Grammar, s: State, t: Symbol) -> bool:
    return t.next[0] not in (CLOSE, END) and is_named(t, s.closer)


def is_stray(_g: Grammar, s: State, t: Symbol) -> bool:
    return t.is_known and not (t.kind == CLOSE and (_is_behind_closer(t) or is_named(t, s.closer)))


def _is_behind_closer(t: Symbol) -> bool:
    return t.after == CLOSE and not t.text


# Closing tags


def is_own_closer(_g: Grammar, s: State, t: Symbol) -> bool:
    return s.closer != "" and not s.depth and is_named(t, s.closer)


def is_misspelt(g: Grammar, s: State, t: Symbol) -> bool:
    """Returns whether a closing tag is misspelt, or has the field's name in place of a tool call's."""
    if not s.closer or s.depth or is_named(t, s.closer):
        return False
    is_odd = not t.is_known or fold(s.closer) not in g.names
    return fold(t.name) == fold(s.name) or (not t.paired and is_odd and is_near(fold(t.name), fold(s.closer)))


def is_wrong(g: Grammar, s: State, t: Symbol) -> bool:
    is_own = is_named(t, s.closer) or (t.paired and (s.kind == "string" or not t.is_known))
    return s.closer != "" and not s.depth and not is_own and fits(g, closed(g, s), t.next)


def is_opener_as_closer(g: Grammar, s: State, t: Symbol) -> bool:
    if (s.kind == "elements" and s.is_fresh and not t.text) or not s.closer or s.depth or t.given:
        return False
    return is_named(t, s.closer) and fits(g, closed(g, s), t.next)


def closer_without_opener(g: Grammar, s: State, t: Symbol) -> Iterator[Move]:
    """Yields the moves over a text in front of the closing tag of a field or an item whose opening tag is missing."""
    bare = t.but(text=False, kind=OPEN, given=(), keyed=False)
    for rule in (free_field, item):
        for move in rule(g, s, bare):
            if move.state.kind in ("string", "value"):
                implied = [(*step[:4], True) if step[0] == "open" else step for step in move.steps]
                yield Move(closed(g, move.state), (*implied, *CLOSED), (Edit.OPENER_MISSING,))


# Inside of a text: its own tags


def into(g: Grammar, s: State, _t: Symbol) -> Iterator[Move]:
    yield Move(g.changed(s, depth=s.depth + 1))


def out(g: Grammar, s: State, _t: Symbol) -> Iterator[Move]:
    yield Move(g.changed(s, depth=s.depth - 1))


def unpaired(g: Grammar, s: State, _t: Symbol) -> Iterator[Move]:
    """Yields the move over a text's own closing tag that is part of it."""
    yield Move(g.changed(s, is_paired=False))


def around(g: Grammar, s: State, t: Symbol) -> Iterator[Move]:
    """Yields the move over a tag that is part of a text."""
    yield Move(_around_inner(g, s, t))


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


def closer_in_string(g: Grammar, s: State, t: Symbol) -> Iterator[Move]:
    """Yields the moves over a closing tag of an element around the text, or of none, if the text continues."""
    if _is_outer(g, s, t) and not _could_end_text(g, s, t) and not _is_crossed_with(s, t):
        yield Move(g.changed(s, filled=s.filled | (not t.next[2])))


def closer_at_end_of_string(g: Grammar, s: State, t: Symbol) -> Iterator[Move]:
    """Yields the moves over a closing tag of an element around the text, or of none, where the text could end."""
    if _is_outer(g, s, t) and _could_end_text(g, s, t):
        yield Move(g.changed(s, filled=1))


def is_crossed_closer(g: Grammar, s: State, t: Symbol) -> bool:
    return _is_outer(g, s, t) and not _could_end_text(g, s, t) and _is_crossed_with(s, t)


def _is_crossed_with(s: State, t: Symbol) -> bool:
    return t.is_known and t.paired and t.next == (CLOSE, s.closer, False)


def _is_outer(g: Grammar, s: State, t: Symbol) -> bool:
    return _is_foreign(s, t) and (_is_odd(s, t) or may_follow(g, s, t))


def _could_end_text(g: Grammar, s: State, t: Symbol) -> bool:
    return not t.next[2] and (may_follow(g, s, t) or fits(g, closed(g, s), t.next))


def fitting_tag_in_string(g: Grammar, s: State, t: Symbol) -> Iterator[Move]:
    """Yields the moves over a tag that is part of a text although it would fit around it."""
    if (s.is_paired or t.is_mention) and not is_named(t, s.closer) and may_follow(g, s, t):
        yield Move(_around_inner(g, s, t, is_fitting=not t.is_mention))


def fitting_tag_in_unclosed(g: Grammar, s: State, t: Symbol) -> Iterator[Move]:
    """Yields the moves over a tag that is part of a text without a closing tag, although it would fit around it."""
    if not s.is_paired and not t.is_mention and not is_named(t, s.closer) and may_follow(g, s, t):
        yield Move(_around_inner(g, s, t, is_fitting=True))


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


def _around_inner(g: Grammar, s: State, t: Symbol, is_fitting: bool = False) -> State:
    """Returns the state in a text behind a tag inside of it, which records a tag that fits around the text."""
    depth = s.depth + (t.kind == OPEN and t.is_known and t.paired and not t.is_mention and s.depth < MAX_OPEN)
    return g.changed(s, depth=depth, filled=s.filled | is_fitting)


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


# The root, the text around it, and skipped elements


def root(g: Grammar, s: State, t: Symbol) -> Iterator[Move]:
    if fold(t.name) in g.root_names and s.filled >= 0:
        yield from opened(g, _behind(g), g.root, t, "root")


def renamed_root(g: Grammar, _s: State, t: Symbol) -> Iterator[Move]:
    if not t.is_known and t.kind == OPEN and not g.root.is_text:
        yield from opened(g, _behind(g), g.root, t, "root")


def implied_root(g: Grammar, _s: State, t: Symbol) -> Iterator[Move]:
    """Yields the moves into the root where its tag is missing."""
    if not g.root.is_text:
        inside = g.state("elements", g.root, g.plan.root_name, "", parent=_behind(g))
        yield from plainly(g, inside, t, ("open", g.root, "root", None, True))


def reopened(g: Grammar, s: State, t: Symbol) -> Iterator[Move]:
    """Yields the moves back into the root behind its end."""
    if not t.text and not g.root.is_text and fold(t.name) not in g.root_names:
        inside = g.state("elements", g.root, g.plan.root_name, "", s.filled, False, parent=g.changed(s, filled=0))
        yield from plainly(g, inside, t, ("reopen",))


def is_root(g: Grammar, _s: State, t: Symbol) -> bool:
    return fold(t.name) in g.root_names


def restart(g: Grammar, s: State, t: Symbol) -> Iterator[Move]:
    """Yields the moves at an opening tag of the root inside of the answer, which was a mention or is abandoned."""
    is_root = fold(t.name) in g.root_names and (t.next[0] in (OPEN, EMPTY) or g.root.is_text)
    if is_root and s.shape.field(t.name) is None and not t.keyed:
        yield Move(g.state("done", g.root, "", ""), (("give up",),))


def _behind(g: Grammar) -> State:
    return g.state("behind", g.root, "", "", parent=None)


def is_nested(_g: Grammar, s: State, t: Symbol) -> bool:
    return is_named(t, s.closer) and s.depth < MAX_OPEN


def is_foreign(_g: Grammar, _s: State, t: Symbol) -> bool:
    return not t.is_known


def is_mentioned(g: Grammar, s: State, t: Symbol) -> bool:
    """Returns whether a tag of the definition is a mention. A skipped element ends at its own closing tag."""
    is_root = s.kind in ("start", "skipped") and t.kind != CLOSE and fold(t.name) in g.root_names
    is_end = s.kind == "skipped" and t.kind == CLOSE and (t.next[0] == END or is_named(t, s.closer))
    return t.is_known and not is_root and not is_end and not _is_left_behind(g, s, t) and not is_own_end(g, s, t)


def is_own_end(g: Grammar, s: State, t: Symbol) -> bool:
    is_again = t.paired or (t.text and g.root.is_text and not t.is_mention)
    return s.kind == "behind" and t.kind == CLOSE and is_again and fold(t.name) in g.root_names


def _is_left_behind(g: Grammar, s: State, t: Symbol) -> bool:
    rule = {"start": implied_root, "behind": reopened}.get(s.kind)
    return rule is not None and not t.is_mention and next(rule(g, s, t), None) is not None


ROWS: tuple[Row, ...] = (
    # In front of the answer
    Row("start", OPEN, root),
    Row("start", OPEN, implied_root, Edit.ROOT_MISSING),
    Row("start", OPEN, renamed_root, Edit.ROOT_RENAMED),
    # Among the elements of an object, a list, a map
    Row("elements", OPEN, free_field, fits=True),
    Row("elements", OPEN, near_field, Edit.NAME_MISSPELT, fits=True),
    Row("elements", OPEN, field_of_class, Edit.CLASS_FOR_FIELD, fits=True),
    Row("elements", OPEN, repeated_field, Edit.FIELD_REPEATED),
    Row("elements", OPEN, repeated_list, Edit.LIST_REPEATED, fits=True),
    Row("elements", OPEN, item_of_field, Edit.LIST_REPEATED, fits=True),
    Row("elements", OPEN, implied_field, Edit.FIELD_IMPLIED),
    Row("elements", OPEN, class_wrapper, Edit.CLASS_WRAPPER, fits=True),
    Row("elements", OPEN, wrapper, Edit.WRAPPER),
    Row("elements", OPEN, option, fits=True),
    Row("elements", OPEN, option_again, Edit.FIELD_REPEATED),
    Row("elements", OPEN, item, fits=True),
    Row("elements", MARK, quoted_item, fits=True),
    Row("elements", OPEN, other_item, Edit.ITEM_RENAMED),
    Row("elements", OPEN, implied_item, Edit.ITEM_IMPLIED, fits=True),
    Row("elements", OPEN, split_item, Edit.ITEM_SPLIT),
    Row("elements", OPEN, entry, fits=True),
    Row("elements", OPEN, entry_in_parts, Edit.ENTRY_IN_PARTS, fits=True),
    Row("elements", OPEN, mentioned_key, Edit.MENTION, fits=True),
    Row("elements", OPEN, extra),
    Row("elements", OPEN, skipped, Edit.UNKNOWN_SKIPPED),
    Row("elements", OPEN, known_skipped, Edit.KNOWN_SKIPPED),
    Row("elements", OPEN, drop, Edit.OPENER_UNKNOWN, when=is_unknown),
    Row("elements", CLOSE, drop, Edit.CLOSER_UNKNOWN, when=is_unknown),
    Row("elements", OPEN, drop, Edit.OPENER_STRAY, when=is_stray),
    Row("elements", CLOSE, drop, Edit.CLOSER_STRAY, when=is_stray),
    Row("elements", CLOSE, drop, Edit.CLOSER_CROSSED, when=is_crossed),
    Row("elements", CLOSE, drop, Edit.CLOSER_IGNORED, when=is_early),
    # The end of an element
    Row("elements string value skipped", CLOSE, end, fits=True, when=is_own_closer),
    Row("elements string value", CLOSE, end, Edit.CLOSER_MISSPELT, when=is_misspelt),
    Row("elements string value", CLOSE, end, Edit.CLOSER_WRONG, when=is_wrong),
    Row("elements string value", OPEN, end, Edit.OPENER_AS_CLOSER, when=is_opener_as_closer),
    Row("elements string skipped", OPEN, restart, Edit.RESTARTED),
    # In a string
    Row("string", CLOSE, unpaired, Edit.OWN_CLOSER_IN_STRING, when=is_own_in_text),
    Row("string", CLOSE, unpaired, Edit.OWN_CLOSER_BEFORE_TAG, when=is_own_before_tag),
    Row("string", OPEN, into, when=is_nested_in_text),
    Row("string", OPEN, nested_item_in_string, Edit.TAG_IN_STRING),
    Row("string", OPEN, take, Edit.OWN_OPENER_IN_STRING, when=is_own_opener),
    Row("string", OPEN, take, Edit.TAG_IN_STRING, when=is_own_mention),
    Row("string", "open close", around, when=is_part_of_text),
    Row("string skipped", CLOSE, out, when=is_inner_closer),
    Row("string", CLOSE, closer_in_string, Edit.TAG_IN_STRING),
    Row("string", CLOSE, take, Edit.CLOSER_OF_OTHER, when=is_crossed_closer),
    Row("string", CLOSE, closer_at_end_of_string, Edit.CLOSER_IN_STRING),
    Row("string", OPEN, fitting_tag_in_string, Edit.TAG_IN_STRING),
    Row("string", OPEN, fitting_tag_in_unclosed, Edit.TAG_IN_UNCLOSED),
    Row("string", OPEN, around, Edit.MENTION, when=is_root_in_text),
    # In a number, a truth value, a choice, a date
    Row("value", OPEN, into, Edit.WRAPPED_VALUE, when=is_wrapping),
    Row("value", CLOSE, out, when=is_end_of_wrapping),
    Row("value", CLOSE, take, Edit.CLOSER_CROSSED, when=is_crossed_in_value),
    Row("value", "open close", take, Edit.TAG_IN_VALUE, when=is_decoration),
    # In front of the answer, behind it, and in a skipped element
    Row("start skipped behind", "open close", take, when=is_foreign),
    Row("start skipped behind", "open close", take, Edit.MENTION, when=is_mentioned),
    Row("skipped", OPEN, into, when=is_nested),
    Row("behind", CLOSE, take, Edit.LEFT_BEHIND, when=is_own_end),
    Row("behind", OPEN, reopened, Edit.REOPENED),
    Row("behind", OPEN, finish, fits=True, when=is_root),
    Row("behind around ended", END, finish, fits=True),
)
"""The transition table. An empty element is taken like an opening tag."""

for _row in (*ROWS, *JSON_ROWS):
    for _within in _row.within.split():
        for _token in _row.tokens.replace(OPEN, f"{OPEN} {EMPTY}").split():
            TABLE.setdefault((_within, _token), []).append(_row)


def moves(g: Grammar, s: State, t: Symbol) -> list[Move]:
    if t.tags is not None:
        return _leaf_moves(g, s, *t.tags)
    found = list(_among_elements(g, s, t) if s.kind == "elements" else row_moves(g, s, t))
    if s.kind not in ("start", "done", *ENDED):
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
    steps: tuple[Step, ...] = ()
    edits: tuple[Edit, ...] = ()
    current: State | None = s
    is_root = s.parent is not None and s.parent.kind == "behind"
    if t.text and s.kind == "elements" and not s.is_fresh and not is_root:
        steps, edits = (("stray",),), (Edit.TEXT_STRAY,)
    levels, bare = MAX_OPEN if t.kind == END else MAX_LEFT, t.bare
    cut = Edit.CUT_BEHIND_VALUE if s.kind == "elements" and s.closer in BRACKETS and not t.text else Edit.CUT_OFF
    if t.kind in (MARK, COMMENT) and s.closer in MARKS and s.closer != BARE:
        return  # a quote ends a text or is part of it
    for level in range(levels):
        if current is None or current.kind in ("start", "done", *ENDED):
            break
        steps += (("close", False),)
        if t.kind == END and current.closer:
            edits += (*unended(current), *(() if cut in edits else (cut,)))
        else:
            edits += at_end(current, t if level == 0 else bare)
        if t.kind != END:
            is_crossed = t.next[0] == CLOSE and not t.next[2] and t.next[1] == current.closer
            lost = (Edit.CLOSER_LOST,) if current.is_paired and not is_crossed else ()
            edits += ((Edit.CLOSER_MISSING, *lost) if current.closer else ()) + _whose_end(current, t)
        is_tagged, current = bool(current.closer), closed(g, current)
        is_behind = current.kind == "behind" and t.kind != CLOSE
        is_prose = is_behind and not t.is_known and (t.text or t.kind == END)
        for move in row_moves(g, current, bare, fitting=not is_prose):
            # An answer that ends only because an unknown element follows has lost its end.
            is_lost = is_tagged and is_behind and t.kind != END and not move.steps
            yield Move(move.state, (*steps, *move.steps), (*edits, *((Edit.CUT_OFF,) if is_lost else ()), *move.edits))


def _whose_end(s: State, t: Symbol) -> tuple[Edit, ...]:
    """Returns the edits that make the end of an element without a closing tag a guess."""
    if s.kind == "string" and t.is_mention:
        return (Edit.END_AT_MENTION,)
    around = s.parent
    if around is None or s.kind != "elements" or around.kind != "elements" or around.filled < 0:
        return ()
    if not s.shape.fields or s.shape.fields.keys() != around.shape.fields.keys():
        return ()
    return (Edit.END_OF_EITHER,) if s.filled & ~around.filled else ()


def _cheapest(found: list[Move]) -> list[Move]:
    kept: dict[tuple[State, frozenset[Edit]], Move] = {}
    for move in sorted(found, key=lambda move: sum(map(LEVELS.__getitem__, move.edits))):
        kept.setdefault((move.state, frozenset(move.edits)), move)
    return list(kept.values())[:MAX_MOVES]
