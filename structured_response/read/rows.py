"""The transition table: for each kind of element and each kind of token, what a reading may take the token for.

A row of `ROWS` says in which kind of element it holds, which token it takes, what edit that supposes, and the function
that makes the next states. `moves` looks the rows up and adds what holds for all of them: an element may be left
without its closing tag, and text may stand where it means nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..definition import fold, singulars
from .grammar import MAX_OPEN, Grammar, Shape, State, is_near
from .prices import PRICES, Edit
from .rows_json import JSON_ROWS
from .scan import CLOSE, COMMENT, EMPTY, END, MARK, OPEN, Symbol
from .table import (
    ANY,
    BARE,
    BRACKETS,
    ENDED,
    ITEMS,
    MARKS,
    MAX_LEFT,
    MAX_SWALLOWED,
    QUOTES,
    SWALLOWED,
    TABLE,
    Move,
    Next,
    Row,
    Step,
    at_end,
    closed,
    element,
    fits,
    is_named,
    may_follow,
    row_moves,
)

__all__ = ["BARE", "BRACKETS", "MARKS", "QUOTES", "ROWS", "Move", "Row", "Step", "element", "moves"]


__all__ = ["BARE", "BRACKETS", "MARKS", "QUOTES", "ROWS", "Move", "Row", "Step", "element", "moves"]

MIN_NEAR = 5
"""Letters of a misspelt name of a field: shorter ones are slips away from too much."""

MAX_MOVES = 14
"""Ways to take one token: the cheapest are tried, and no reply needed more."""


def opened(
    g: Grammar, around: State, shape: Shape, t: Symbol, role: str, step: Any = None, wraps: str = "", filled: int = 0
) -> Iterator[Next]:
    """The state inside of the element that a token opens; behind it, where the element is empty."""
    if around.count >= MAX_OPEN or (wraps and t.closer in MARKS):
        return
    opening: Step = ("open", shape, role, step, False)
    for name in t.given:
        known = shape.field(name)
        filled |= known[2] if known is not None else 0
    if t.kind == EMPTY:
        yield around, (opening, ("close", True))
        return
    if wraps:
        state = g.state("elements", shape, around.name, t.closer or t.name, filled, True, wraps, parent=around)
    else:
        state = element(g, shape, t.name, t.closer or t.name, around, filled, t.paired)
    yield state, (opening,)


def free_field(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """A field that is not there yet."""
    found = s.shape.field(t.name)
    if found is not None and not s.filled & found[2]:
        field, shape, bit = found
        around = g.changed(s, filled=s.filled | bit, is_fresh=False)
        yield from opened(g, around, shape, t, "field", field.name)


def near_field(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """A field that is not there yet, under a name that nothing has and that is a slip of the pen away."""
    if t.is_known or not s.shape.fields:
        return
    name = fold(t.name)
    if len(name) < MIN_NEAR:
        return
    near = [each for each in s.shape.fields.values() if is_near(name, fold(each[0].name))]
    if len(near) == 1 and s.filled & near[0][2] and s.filled >= 0:
        yield from opened(g, s, near[0][1], t, "repeated", near[0][0].name)
    elif len(near) == 1:
        field, shape, bit = near[0]
        around = g.changed(s, filled=s.filled | bit, is_fresh=False)
        yield from opened(g, around, shape, t, "field", field.name)


def repeated_field(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """A field that is there already."""
    found = s.shape.field(t.name)
    if found is not None and s.filled & found[2] and s.filled >= 0:
        yield from opened(g, s, found[1], t, "repeated", found[0].name)


def repeated_list(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """A list that goes on in another element of its name, or whose items stand beside it."""
    found = s.shape.field(t.name)
    if found is not None and s.filled & found[2] and s.filled >= 0 and found[1].item is not None and found[1].is_list:
        yield from opened(g, s, found[1], t, "again", found[0].name)


def item_of_field(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """An item that stands in the object of its list, under the item's name."""
    name = fold(t.name)
    if s.shape.field(t.name) is not None:
        return
    for field, shape, bit in s.shape.fields.values():
        item = shape.item
        if item is None or not shape.is_list or name == fold(field.name) or name in ITEMS:
            continue
        if name in shape.item_names(field.name) and s.filled >= 0:
            around = g.changed(s, filled=s.filled | bit, is_fresh=False)
            yield from opened(g, around, item, t, "item of", field.name)


def item(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """An item of a list, or a value of a tuple."""
    if s.shape.item is None or s.filled < 0 or fold(t.name) not in s.shape.item_names(s.name):
        return
    if (t.keyed and s.shape.value is not None) or _is_own_name(s, t):
        return
    yield from _item(g, s, t)


def item_of_own_name(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """An item under the name of its list."""
    if s.shape.item is not None and s.filled >= 0 and _is_own_name(s, t):
        yield from _item(g, s, t)


def _is_own_name(s: State, t: Symbol) -> bool:
    return fold(t.name) == fold(s.name) and fold(t.name) not in ("?", *ITEMS)


def _item(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    shape = s.shape.item_at(s.filled)
    if shape is not None:
        filled = s.filled + 1 if s.shape.is_tuple else 0
        around = g.changed(s, is_fresh=False, filled=filled)
        yield from opened(g, around, shape, t, "item")


def other_item(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """An item under a name of its own: one that could be no field of it."""
    shape = s.shape.item
    if shape is None or s.shape.value is not None or s.shape.fields or s.filled < 0:
        return
    if fold(t.name) in s.shape.item_names(s.name) or shape.field(t.name) is not None or t.is_known:
        return
    if t.kind != EMPTY or t.given:
        yield from _item(g, s, t)


def implied_item(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """An item without a tag: its field stands in the list."""
    shape = s.shape.item_at(s.filled)
    if shape is None or s.filled < 0 or s.count >= MAX_OPEN:
        return
    found = shape.field(t.name)
    if found is None or (shape.item is None and fold(t.name) in s.shape.item_names(s.name) and fold(t.name) in ITEMS):
        return
    around = g.changed(s, is_fresh=False, filled=s.filled + 1 if s.shape.is_tuple else 0)
    inner = element(g, shape, "", "", around)
    for state, steps in free_field(g, inner, t):
        yield state, (("open", shape, "item", None, True), *steps)


def entry(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """An entry of a map: it has a key, or its name is one."""
    shape = s.shape.value
    if (
        shape is None
        or _is_mention(s, t)
        or s.filled < 0
        or (s.shape.is_list and not t.keyed and fold(t.name) in ITEMS)
    ):
        return
    if not s.shape.is_map and not t.keyed and s.shape.item is not None and fold(t.name) in ITEMS:
        return
    if t.keyed or (fold(t.name) not in _pairs(s) and not _is_odd_entry(g, s, t)):
        yield from opened(
            g, g.changed(s, is_fresh=False, filled=s.filled | (_KEYED if t.keyed else 0)), shape, t, "entry"
        )


_KEYED = 1 << 62
"""The bit of a map whose entries have their keys in attributes."""


def _is_odd_entry(g: Grammar, s: State, t: Symbol) -> bool:
    """Whether an element is hardly an entry by its name: entries have attributes here, or a field has that name."""
    return bool(s.filled & _KEYED) or (t.is_known and _fits_around(g, s, t))


def _is_mention(s: State, t: Symbol) -> bool:
    return s.shape.node is ANY and t.is_known and s.closer in BRACKETS


def mentioned_key(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """A key of the definition in an object of JSON that is left out."""
    if _is_mention(s, t) and t.keyed and s.shape.value is not None:
        yield from opened(g, s, s.shape.value, t, "entry")


def odd_entry(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """An entry of a map by its name, where the others have attributes, or a field around the map has that name."""
    shape = s.shape.value
    if shape is None or s.filled < 0 or t.keyed or not _is_odd_entry(g, s, t):
        return
    if fold(t.name) not in (*ITEMS, fold(s.name)):
        yield from opened(g, g.changed(s, is_fresh=False), shape, t, "entry")


def _fits_around(g: Grammar, s: State, t: Symbol) -> bool:
    """Whether a tag fits into one of the objects around an element."""
    around = s.parent
    for _ in range(MAX_LEFT):
        if around is None or around.kind != "elements":
            return False
        if around.shape.field(t.name) is not None:
            return True
        around = around.parent
    return False


def entry_in_parts(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """An entry of a map whose key and value are elements in it."""
    if s.shape.value is None or not s.shape.is_map or t.keyed or s.filled & _KEYED or fold(t.name) not in _pairs(s):
        return
    yield from opened(g, g.changed(s, is_fresh=False), g.entry_shape(s.shape.value), t, "pair")


def _pairs(s: State) -> frozenset[str]:
    """What the entries of a map may be called whose key stands in them."""
    name = fold(s.name)
    return ITEMS | {name} | singulars(name)


def option(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """The tag of a class around an option of a union."""
    if len(s.shape.parts) < 2 or not s.is_fresh or s.filled:
        return
    shape = s.shape.classes.get(fold(t.name))
    if shape is not None:
        around = g.changed(s, is_fresh=False, filled=-1)
        yield from opened(g, around, shape, t, "option", t.name)


def option_again(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """The tag of a class behind another option of the union."""
    shape = s.shape.classes.get(fold(t.name)) if len(s.shape.parts) > 1 and s.filled == -1 else None
    if shape is not None:
        yield from opened(g, s, shape, t, "option", t.name)


def class_wrapper(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """The tag of an object's own class around its fields."""
    if len(s.shape.parts) != 1 or not s.is_fresh or s.filled or s.wraps == "same" or t.name == "?":
        return
    is_field = s.shape.field(t.name) is not None and (t.name != s.shape.node.name or t.name in s.shape.fields)
    if not is_field and fold(t.name) in {*s.shape.classes, fold(s.name)} and (s.shape.fields or t.keyed):
        yield from opened(g, s, s.shape, t, "wrapper", wraps="same", filled=s.filled)


def wrapper(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """An element that nothing asks for around fields that are missing."""
    if not s.shape.fields or s.shape.field(t.name) is not None or t.kind == EMPTY or s.filled < 0:
        return
    if fold(t.name) in s.shape.classes or (fold(t.name) in {*g.root_names, *ITEMS} and not s.is_fresh):
        return
    if t.next[0] in (OPEN, EMPTY):
        yield from opened(g, s, s.shape, t, "wrapper", wraps="same", filled=s.filled)


def extra(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """An element that nothing asks for, of an object that keeps such."""
    if t.is_known or not s.shape.keeps_extra or not (t.paired or t.kind == EMPTY):
        return
    yield from opened(g, s, g.shape(ANY), t, "skipped", t.name)


def field_of_class(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """A field that is not there yet, under the name of its class."""
    if s.shape.field(t.name) is not None or s.filled < 0:
        return
    if s.shape.item is not None and fold(t.name) in s.shape.item_names(s.name):
        return
    named = [each for each in s.shape.fields.values() if fold(t.name) in each[1].classes]
    if len(named) == 1 and not s.filled & named[0][2]:
        field, shape, bit = named[0]
        yield from opened(g, g.changed(s, filled=s.filled | bit, is_fresh=False), shape, t, "field", field.name)


def skipped(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """An element that nothing asks for, with all that it holds."""
    if s.shape.keeps_extra or t.is_known or s.count >= MAX_OPEN or not (t.paired or t.kind == EMPTY):
        return
    opening: Step = ("open", s.shape, "skipped", None, False)
    if t.kind == EMPTY:
        yield s, (opening, ("close", True))
    elif t.closer in BRACKETS or t.closer in MARKS:
        yield element(g, g.shape(ANY), t.name, t.closer, s), (opening,)
    else:
        around = g.changed(s, is_fresh=False)
        yield g.state("skipped", s.shape, t.name, t.closer or t.name, parent=around), (opening,)


def known_skipped(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """An element of a known name that cannot stand here, with all that it holds."""
    if t.is_known and fold(t.name) not in g.root_names and (t.paired or t.kind == EMPTY):
        yield from skipped(g, s, t.but(is_known=False))


def dropped_unknown(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """A tag of no known name that means nothing. A key of JSON is left out with its value."""
    if not t.is_known and t.kind != EMPTY and t.closer not in MARKS and t.closer not in BRACKETS:
        yield s, (("drop",),)


def dropped_closer(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """A closing tag of a known name right behind another one: doubled, or crossed with it."""
    if t.is_known and t.after == CLOSE and not t.text and not is_named(t, s.closer):
        yield s, (("drop",),)


def dropped_own(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """The closing tag of the innermost element, which closes nothing, since more follows."""
    if t.kind == CLOSE and t.next[0] not in (CLOSE, END) and is_named(t, s.closer):
        yield s, (("drop",),)


def dropped_known(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """A tag of a known name that means nothing."""
    is_crossed = t.after == CLOSE and not t.text
    if t.is_known and not (t.kind == CLOSE and (is_crossed or is_named(t, s.closer))):
        yield s, (("drop",),)


def split_item(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """A field that comes again where objects of a list ran together: the next object begins."""
    found = s.shape.field(t.name)
    around = s.parent
    if found is None or not s.filled & found[2] or around is None or s.filled < 0 or s.wraps:
        return
    if around.shape.item is not s.shape or around.kind != "elements":
        return
    next_item = g.changed(s, filled=0, is_fresh=True)
    for state, steps in free_field(g, next_item, t):
        yield state, (("close", False), ("open", s.shape, "item", None, True), *steps)


def restart(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """The root's opening tag inside of the answer: what stood there before was a mention, or is given up."""
    if fold(t.name) in g.root_names and s.shape.field(t.name) is None and not t.keyed:
        around: State | None = s
        while around is not None and around.parent is not None and around.parent.kind != "start":
            around = around.parent
        yield g.state("done", g.root, "", ""), (("give up",),)


# What closes


def own_closer(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """The closing tag of the innermost element."""
    if s.closer and not s.depth and is_named(t, s.closer):
        yield closed(g, s), (("close", True),)


def inner_closer(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """The closing tag of an element inside of a text."""
    if s.depth and (is_named(t, s.closer) or (t.is_known and t.paired)):
        yield g.changed(s, depth=s.depth - 1), ()


def closer_over_inner(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """The closing tag of a text in which another element is open, not right in front of that one's."""
    is_crossed = t.next[0] == CLOSE and not t.next[2] and s.parent is not None and t.next[1] != s.parent.closer
    if s.depth and is_named(t, s.closer) and not is_crossed:
        yield closed(g, s), (("close", True),)


def misspelt_closer(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """A closing tag of a name that nothing has, which is a slip of the pen away from the right one; or one that has the
    field's name where a call's element was opened.
    """
    if not s.closer or s.depth or is_named(t, s.closer):
        return
    is_odd = not t.is_known or fold(s.closer) not in g.names
    if fold(t.name) == fold(s.name) or (not t.paired and is_odd and is_near(fold(t.name), fold(s.closer))):
        yield closed(g, s), (("close", True),)


def wrong_closer(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """A closing tag of another element that is not open, behind which the definition goes on."""
    if _could_close(s, t) and fits(g, closed(g, s), t.next):
        yield closed(g, s), (("close", True),)


def far_off_closer(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """A closing tag of another element, behind which the definition does not go on at once."""
    if _could_close(s, t) and not fits(g, closed(g, s), t.next):
        yield closed(g, s), (("close", True),)


def _could_close(s: State, t: Symbol) -> bool:
    is_own = is_named(t, s.closer) or (t.paired and (s.kind == "string" or not t.is_known))
    return bool(s.closer) and not s.depth and not is_own


def opener_as_closer(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """An opening tag in place of the closing one."""
    if s.kind == "elements" and s.is_fresh:
        return
    if s.closer and not s.depth and not t.given and is_named(t, s.closer) and fits(g, closed(g, s), t.next):
        yield closed(g, s), (("close", True),)


def closer_without_opener(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """A text in front of the closing tag of a field or an item whose opening tag is missing."""
    if not t.text:
        return
    bare = t.but(text=False, kind=OPEN, given=(), keyed=False)
    for rule in (free_field, item):
        for state, steps in rule(g, s, bare):
            if state.kind in ("string", "value"):
                implied = [(*step[:4], True) if step[0] == "open" else step for step in steps]
                yield closed(g, state), (*implied, ("close", True))


# Inside of texts


def tag_in_string(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """A tag that is part of a text, since it can neither end it nor follow it."""
    if is_named(t, s.closer) or _is_inner(s, t) or may_follow(g, s, t) or _is_odd(s, t) or _begins_anew(g, t):
        return
    yield _around_inner(g, s, t), ()


def root_in_string(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """The root's opening tag inside of a text that has no closing tag of its own."""
    if not s.is_paired and not is_named(t, s.closer) and not may_follow(g, s, t) and _begins_anew(g, t):
        yield _around_inner(g, s, t), ()


def root_in_closed_string(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """The root's opening tag inside of a text that has a closing tag."""
    if s.is_paired and not is_named(t, s.closer) and not may_follow(g, s, t) and _begins_anew(g, t):
        yield _around_inner(g, s, t), ()


def _begins_anew(g: Grammar, t: Symbol) -> bool:
    """Whether another answer could begin."""
    return t.kind == OPEN and fold(t.name) in g.root_names and not t.is_mention


def _is_inner(s: State, t: Symbol) -> bool:
    """Whether a closing tag belongs to an element inside of a text."""
    return t.kind == CLOSE and s.depth > 0 and t.is_known and t.paired


def _around_inner(g: Grammar, s: State, t: Symbol, filled: int = 0) -> State:
    """The state in a text inside of which an element of a known name opens; its closing tag is part of the text too."""
    depth = s.depth + (t.kind == OPEN and t.is_known and t.paired and not t.is_mention and s.depth < MAX_OPEN)
    return g.changed(s, depth=depth, filled=min(s.filled + filled, MAX_SWALLOWED))


def odd_closer_in_string(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """A closing tag that closes nothing in the text."""
    if next(crossed_closer(g, s, t), None) is not None:
        return
    if not is_named(t, s.closer) and not may_follow(g, s, t) and _is_odd(s, t) and not fits(g, closed(g, s), t.next):
        yield g.changed(s, filled=min(s.filled + 1, MAX_SWALLOWED)), ()


def odd_closer_at_end(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """A closing tag that closes nothing in the text, where that could end."""
    if not is_named(t, s.closer) and not may_follow(g, s, t) and _is_odd(s, t) and fits(g, closed(g, s), t.next):
        yield s, ()


def _is_odd(s: State, t: Symbol) -> bool:
    return t.kind == CLOSE and (not t.paired or (t.is_known and not s.depth))


def crossed_closer(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """The closing tag of the element in front of a text, right in front of the text's own: the two are crossed."""
    around = s.parent
    is_crossed = t.kind == CLOSE and t.paired and not s.depth and t.next == (CLOSE, s.closer, False)
    if not is_crossed or around is None or is_named(t, s.closer) or around.filled < 0:
        return
    found = around.shape.field(t.name)
    if found is not None and around.filled & found[2]:
        yield closed(g, s), (("close", True),)


def outer_closer_in_string(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """The closing tag of an element around a text, in front of another tag."""
    if not is_named(t, s.closer) and not _is_inner(s, t) and not t.next[2] and may_follow(g, s, t):
        yield g.changed(s, filled=min(s.filled + 1, MAX_SWALLOWED)), ()


def named_closer_in_string(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """The closing tag of an element around a text, which the text names: it goes on behind it."""
    if t.next[2] and not is_named(t, s.closer) and not _is_inner(s, t) and may_follow(g, s, t):
        yield s, ()


def fitting_tag_in_string(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """A tag that is part of a text though it could stand around it."""
    if s.is_paired or t.is_mention:
        yield from _fitting_tag(g, s, t)


def _fitting_tag(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """A tag that fits around a text. How many a text holds is counted, those aside that it only mentions: one that
    never ends by itself has swallowed them.
    """
    if not is_named(t, s.closer) and may_follow(g, s, t):
        yield _around_inner(g, s, t, filled=int(not t.is_mention)), ()


def fitting_tag_in_unclosed(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """A tag that is part of a text without a closing tag of its own, though it could stand around it."""
    if not s.is_paired and not t.is_mention:
        yield from _fitting_tag(g, s, t)


def nested_in_string(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """An element of the text's own name inside of it."""
    if is_named(t, s.closer) and t.paired and s.depth < MAX_OPEN and not t.is_mention and not may_follow(g, s, t):
        yield g.changed(s, depth=s.depth + 1), ()


def nested_item_in_string(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """An element of the text's own name inside of it, which could be the next item, or is named like a word."""
    if is_named(t, s.closer) and t.paired and s.depth < MAX_OPEN and (t.is_mention or may_follow(g, s, t)):
        yield g.changed(s, depth=s.depth + 1, filled=min(s.filled + 1, MAX_SWALLOWED)), ()


def own_opener_in_string(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """The text's own opening tag, which stands in it without a closing one."""
    if is_named(t, s.closer) and not t.is_mention and not may_follow(g, s, t):
        yield s, ()


def own_opener_named(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """The text's own opening tag, which it names like a word."""
    if is_named(t, s.closer) and t.is_mention:
        yield s, ()


def next_item_in_string(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """The text's own opening tag where the next item could begin."""
    if is_named(t, s.closer) and not t.is_mention and may_follow(g, s, t):
        yield s, ()


def own_closer_in_string(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """The text's own closing tag, which it names: text follows."""
    if is_named(t, s.closer) and t.next[2]:
        yield g.changed(s, is_paired=False), ()


def closer_before_tag(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """The text's own closing tag in front of a tag that does not fit there."""
    if is_named(t, s.closer) and not t.next[2] and not fits(g, closed(g, s), t.next):
        yield g.changed(s, is_paired=False), ()


def closer_that_fits(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """The text's own closing tag where the definition goes on behind it."""
    if is_named(t, s.closer) and not t.next[2] and fits(g, closed(g, s), t.next):
        yield g.changed(s, is_paired=False), ()


def _is_written_out(s: State, t: Symbol) -> bool:
    """Whether a list, a map or an object is written as a text that names tags of other things."""
    return t.text and not t.is_known and s.parent is not None and s.parent.kind != "behind"


def known_in_value(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """A tag of the definition in a number, a choice, a date."""
    if t.is_known:
        yield s, ()


def wrapped_value(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """An item's tag around the one value of a field."""
    if fold(t.name) in (*ITEMS, "value") and not t.text and t.paired and not s.depth:
        yield g.changed(s, depth=1), ()


def end_of_wrapped(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """The end of the item's tag around a value."""
    if fold(t.name) in (*ITEMS, "value") and s.depth:
        yield g.changed(s, depth=0), ()


def unknown_in_value(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """A tag that decorates a value, and is no misspelt closing tag of it."""
    if not t.is_known and (t.kind != CLOSE or next(misspelt_closer(g, s, t), None) is None):
        yield s, ()


def text_begins(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """What may be a text or hold elements turns out to be a text."""
    if (
        s.is_fresh
        and s.closer
        and s.closer not in BRACKETS
        and not s.wraps
        and not s.filled
        and not (t.kind == CLOSE and is_named(t, s.closer))
        and (s.shape.takes_text or _is_written_out(s, t))
    ):
        text = g.changed(s, kind="string" if s.shape.is_verbatim or not s.shape.takes_text else "value")
        for move in row_moves(g, text, t):
            if move.state.kind != "done":
                yield move.state, move.steps


# Quotes, comments and ends of JSON


def quoted_item(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """The quote that opens an item of a list."""
    if t.name in QUOTES:
        yield from item(g, s, t.but(kind=OPEN, name="li", closer=QUOTES[t.name]))


# In what is skipped, in front of the answer and behind it


def passed(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """A tag that counts for nothing here."""
    if not t.is_known:
        yield s, ()


def mentioned(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """A tag of the definition that is only named here."""
    is_root = s.kind in ("start", "skipped") and t.kind != CLOSE and fold(t.name) in g.root_names
    is_end = s.kind == "skipped" and t.kind == CLOSE and t.next[0] == END
    if t.is_known and not is_root and not is_end and not _is_left_behind(g, s, t) and not _is_own_end(g, s, t):
        yield s, ()


def end_behind(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """The root's own closing tag behind the end that a reading supposes."""
    if _is_own_end(g, s, t):
        yield s, ()


def _is_own_end(g: Grammar, s: State, t: Symbol) -> bool:
    is_again = t.paired or (t.text and g.root.is_text and not t.is_mention)
    return s.kind == "behind" and t.kind == CLOSE and is_again and fold(t.name) in g.root_names


def passed_over(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """An element behind the answer that could be a part of it."""
    is_root = s.kind == "start" and fold(t.name) in g.root_names
    if t.is_known and not is_root and _is_left_behind(g, s, t):
        yield s, ()


def _is_left_behind(g: Grammar, s: State, t: Symbol) -> bool:
    rule = {"start": implied_root, "behind": reopened}.get(s.kind)
    return rule is not None and t.paired and not t.is_mention and next(rule(g, s, t), None) is not None


def nested_in_skipped(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """An element of the same name in one that is skipped."""
    if is_named(t, s.closer) and s.depth < MAX_OPEN:
        yield g.changed(s, depth=s.depth + 1), ()


def root(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """The root's opening tag."""
    if fold(t.name) in g.root_names and s.filled >= 0:
        yield from _root(g, t)


def _root(g: Grammar, t: Symbol) -> Iterator[Next]:
    behind = g.state("behind", g.root, "", "", parent=None)
    yield from opened(g, behind, g.root, t, "root")


def renamed_root(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """An element of another name in place of the root: it stands around fields."""
    if not t.is_known and t.kind == OPEN and not g.root.is_text:
        yield from _root(g, t)


def implied_root(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """What fits into the root, without its tag around it."""
    if g.root.is_text:
        return
    behind = g.state("behind", g.root, "", "", parent=None)
    inside = g.state("elements", g.root, g.plan.root_name, "", parent=behind)
    for move in row_moves(g, inside, t, fitting=True):
        if not move.edits:
            yield move.state, (("open", g.root, "root", None, True), *move.steps)


def reopened(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """What fits into the root behind its end."""
    if t.text or g.root.is_text or fold(t.name) in g.root_names:
        return
    behind = g.changed(s, filled=0)
    inside = g.state("elements", g.root, g.plan.root_name, "", s.filled, False, parent=behind)
    for move in row_moves(g, inside, t, fitting=True):
        if not move.edits:
            yield move.state, (("reopen",), *move.steps)


def another_root(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """Another answer begins."""
    if fold(t.name) in g.root_names:
        yield g.state("done", g.root, "", ""), ()


def nothing_more(g: Grammar, s: State, t: Symbol) -> Iterator[Next]:
    """The end of the reply."""
    yield g.state("done", g.root, "", ""), ()


ROWS: tuple[Row, ...] = (
    # In front of the answer
    Row("start", OPEN, root),
    Row("start", OPEN, implied_root, Edit.ROOT_MISSING),
    Row("start", OPEN, renamed_root, Edit.ROOT_RENAMED),
    Row("start", OPEN, passed),
    Row("start", OPEN, passed_over, Edit.LEFT_BEHIND),
    Row("start", OPEN, mentioned, Edit.NAMED_IN_FRONT),
    Row("start", CLOSE, passed),
    Row("start", CLOSE, mentioned),
    # Among the elements of an object, a list, a map
    Row("elements", OPEN, free_field, fits=True),
    Row("elements", OPEN, item, fits=True),
    Row("elements", OPEN, item_of_own_name, Edit.ITEM_OF_OWN_NAME, fits=True),
    Row("elements", OPEN, entry, fits=True),
    Row("elements", OPEN, odd_entry, Edit.ENTRY_ODD),
    Row("elements", OPEN, option, fits=True),
    Row("elements", OPEN, option_again, Edit.FIELD_REPEATED),
    Row("elements", OPEN, entry_in_parts, Edit.ENTRY_IN_PARTS, fits=True),
    Row("elements", OPEN, other_item, Edit.ITEM_RENAMED),
    Row("elements", OPEN, implied_item, Edit.ITEM_IMPLIED, fits=True),
    Row("elements", OPEN, split_item, Edit.ITEM_SPLIT),
    Row("elements", OPEN, item_of_field, Edit.LIST_REPEATED, fits=True),
    Row("elements", OPEN, repeated_list, Edit.LIST_REPEATED, fits=True),
    Row("elements", OPEN, class_wrapper, Edit.CLASS_WRAPPER, fits=True),
    Row("elements", OPEN, near_field, Edit.NAME_MISSPELT, fits=True),
    Row("elements", OPEN, field_of_class, Edit.CLASS_FOR_FIELD, fits=True),
    Row("elements", OPEN, extra),
    Row("elements", OPEN, wrapper, Edit.WRAPPER),
    Row("elements", OPEN, text_begins),
    Row("elements", OPEN, skipped, Edit.UNKNOWN_SKIPPED),
    Row("elements", OPEN, dropped_unknown, Edit.OPENER_UNKNOWN),
    Row("elements", OPEN, opener_as_closer, Edit.OPENER_AS_CLOSER),
    Row("elements", OPEN, repeated_field, Edit.FIELD_REPEATED),
    Row("elements", OPEN, known_skipped, Edit.KNOWN_SKIPPED),
    Row("elements", OPEN, dropped_known, Edit.OPENER_STRAY),
    Row("elements", OPEN, restart, Edit.RESTARTED),
    Row("elements", CLOSE, own_closer, fits=True),
    Row("elements", CLOSE, text_begins),
    Row("elements", CLOSE, misspelt_closer, Edit.CLOSER_MISSPELT),
    Row("elements", CLOSE, wrong_closer, Edit.CLOSER_WRONG),
    Row("elements", CLOSE, far_off_closer, Edit.CLOSER_FAR_OFF),
    Row("elements", CLOSE, dropped_unknown, Edit.CLOSER_UNKNOWN),
    Row("elements", CLOSE, dropped_closer, Edit.CLOSER_CROSSED),
    Row("elements", CLOSE, dropped_known, Edit.CLOSER_STRAY),
    Row("elements", CLOSE, dropped_own, Edit.CLOSER_IGNORED),
    # In a string
    Row("string", CLOSE, own_closer, fits=True),
    Row("string", CLOSE, inner_closer),
    Row("string", CLOSE, closer_over_inner, Edit.CLOSER_OVER_INNER),
    Row("string", CLOSE, tag_in_string),
    Row("string", CLOSE, odd_closer_in_string, Edit.TAG_IN_STRING),
    Row("string", CLOSE, odd_closer_at_end, Edit.ODD_CLOSER_AT_END),
    Row("string", CLOSE, crossed_closer, Edit.CLOSER_OF_OTHER),
    Row("string", CLOSE, named_closer_in_string, Edit.TAG_IN_STRING),
    Row("string", CLOSE, outer_closer_in_string, Edit.OUTER_CLOSER_IN_STRING),
    Row("string", CLOSE, misspelt_closer, Edit.CLOSER_MISSPELT),
    Row("string", CLOSE, wrong_closer, Edit.CLOSER_WRONG),
    Row("string", CLOSE, own_closer_in_string, Edit.OWN_CLOSER_IN_STRING),
    Row("string", CLOSE, closer_before_tag, Edit.CLOSER_BEFORE_TAG),
    Row("string", CLOSE, closer_that_fits, Edit.CLOSER_THAT_FITS),
    Row("string", OPEN, tag_in_string),
    Row("string", OPEN, fitting_tag_in_string, Edit.TAG_IN_STRING),
    Row("string", OPEN, fitting_tag_in_unclosed, Edit.TAG_IN_UNCLOSED),
    Row("string", OPEN, root_in_closed_string, Edit.MENTION),
    Row("string", OPEN, root_in_string, Edit.ROOT_IN_STRING),
    Row("string", OPEN, nested_in_string),
    Row("string", OPEN, nested_item_in_string, Edit.TAG_IN_STRING),
    Row("string", OPEN, own_opener_in_string, Edit.OWN_OPENER_IN_STRING),
    Row("string", OPEN, own_opener_named, Edit.TAG_IN_STRING),
    Row("string", OPEN, next_item_in_string, Edit.ITEM_IN_STRING),
    Row("string", OPEN, opener_as_closer, Edit.OPENER_AS_CLOSER),
    Row("string", OPEN, restart, Edit.RESTARTED),
    # In a number, a truth value, a choice, a date
    Row("value", CLOSE, own_closer, fits=True),
    Row("value", CLOSE, misspelt_closer, Edit.CLOSER_MISSPELT),
    Row("value", CLOSE, wrong_closer, Edit.CLOSER_WRONG),
    Row("value", CLOSE, far_off_closer, Edit.CLOSER_FAR_OFF),
    Row("value", CLOSE, unknown_in_value, Edit.TAG_IN_VALUE),
    Row("value", CLOSE, known_in_value, Edit.KNOWN_IN_VALUE),
    Row("value", CLOSE, end_of_wrapped),
    Row("value", OPEN, wrapped_value, Edit.WRAPPED_VALUE),
    Row("value", OPEN, opener_as_closer, Edit.OPENER_AS_CLOSER),
    Row("value", OPEN, unknown_in_value, Edit.TAG_IN_VALUE),
    Row("value", OPEN, known_in_value, Edit.KNOWN_IN_VALUE),
    Row("value", OPEN, restart, Edit.RESTARTED),
    # In an element that is left out
    Row("skipped", CLOSE, own_closer, fits=True),
    Row("skipped", CLOSE, inner_closer),
    Row("skipped", CLOSE, passed),
    Row("skipped", CLOSE, mentioned, Edit.MENTION),
    Row("skipped", OPEN, nested_in_skipped),
    Row("skipped", OPEN, restart, Edit.RESTARTED),
    Row("skipped", OPEN, passed),
    Row("skipped", OPEN, mentioned, Edit.MENTION),
    # Behind the answer
    Row("behind", OPEN, another_root, fits=True),
    Row("behind", OPEN, reopened, Edit.REOPENED),
    Row("behind", OPEN, passed_over, Edit.LEFT_BEHIND),
    Row("behind", OPEN, passed),
    Row("behind", OPEN, mentioned, Edit.MENTION),
    Row("behind", CLOSE, passed),
    Row("behind", CLOSE, mentioned, Edit.TAG_IN_STRING),
    Row("behind", CLOSE, end_behind, Edit.LEFT_BEHIND),
    Row("behind", END, nothing_more, fits=True),
    # Behind a stretch that is all of an answer or of an element
    Row("around", END, nothing_more, fits=True),
    # Among the elements of an object or a list of JSON
    Row("elements", OPEN, mentioned_key, Edit.MENTION, fits=True),
    Row("elements", MARK, quoted_item, fits=True),
    Row("ended", COMMENT, nothing_more),
    Row("ended", END, nothing_more, fits=True),
)
"""The transition table. An empty element is taken as an opening tag is."""


def _by_place() -> dict[tuple[str, str], list[Row]]:
    found: dict[tuple[str, str], list[Row]] = {}
    for row in (*ROWS, *JSON_ROWS):
        found.setdefault((row.within, row.token), []).append(row)
        if row.token == OPEN and row.within != "string":
            found.setdefault((row.within, EMPTY), []).append(row)
    found["string", EMPTY] = [
        Row("string", EMPTY, opener_as_closer, Edit.OPENER_AS_CLOSER),
        Row("string", EMPTY, tag_in_string),
        Row("string", EMPTY, fitting_tag_in_string, Edit.TAG_IN_STRING),
        Row("string", EMPTY, fitting_tag_in_unclosed, Edit.TAG_IN_UNCLOSED),
        Row("string", EMPTY, own_opener_in_string, Edit.TAG_IN_STRING),
    ]
    return found


TABLE.update(_by_place())


def moves(g: Grammar, s: State, t: Symbol) -> list[Move]:
    """Every way to take a token in a state."""
    if t.tags is not None:
        return _leaf_moves(g, s, *t.tags)
    found: list[Move] = []
    if t.text and s.kind == "elements":
        found += _content_moves(g, s, t)
        bare = t.but(text=False)
        for move in row_moves(g, s, bare):
            if s.is_fresh and t.kind == CLOSE and move.steps == (("close", True),):
                continue
            found.append(Move(move.state, (("stray",), *move.steps), (*move.edits, Edit.TEXT_STRAY)))
    else:
        found += row_moves(g, s, t)
    if s.kind not in ("start", "done", *ENDED):
        found += _leaving(g, s, t)
    return _cheapest(found)


def _leaf_moves(g: Grammar, s: State, opening: Symbol, closing: Symbol) -> list[Move]:
    """Every way to take an element without others in it: each way to take its opening tag, and then its closing one."""
    found: list[Move] = []
    for first in moves(g, s, opening):
        if first.state.kind == "done":
            found.append(first)
            continue
        for second in moves(g, first.state, closing)[:MAX_INNER]:
            steps, edits = (*first.steps, *second.steps), (*first.edits, *second.edits)
            found.append(Move(second.state, steps, edits, (first, second)))
    return _cheapest(found)


MAX_INNER = 6
"""Ways to take the closing tag of a leaf that are tried behind one to take its opening tag."""


def _content_moves(g: Grammar, s: State, t: Symbol) -> Iterator[Move]:
    """The moves that take the text before a token for a value."""
    if t.kind == CLOSE:
        if s.is_fresh and not s.filled and s.closer not in BRACKETS:
            for rule, edit in (
                (own_closer, None),
                (misspelt_closer, Edit.CLOSER_MISSPELT),
                (wrong_closer, Edit.CLOSER_WRONG),
            ):
                for state, steps in rule(g, s, t):
                    yield Move(state, steps, ((edit,) if edit else ()) + at_end(s, t))
        for state, steps in closer_without_opener(g, s, t):
            yield Move(state, steps, (Edit.OPENER_MISSING,))
    for state, steps in text_begins(g, s, t):
        yield Move(state, steps, () if s.shape.takes_text else (Edit.CONTENT_AS_TEXT,))


def _leaving(g: Grammar, s: State, t: Symbol) -> Iterator[Move]:
    """The moves that end elements without their closing tags, up to one in which the token fits."""
    steps: tuple[Step, ...] = ()
    edits: tuple[Edit, ...] = ()
    current: State | None = s
    is_root = s.parent is not None and s.parent.kind == "behind"
    if t.text and s.kind == "elements" and not s.is_fresh and not is_root:
        steps, edits = (("stray",),), (Edit.TEXT_STRAY,)
    bare = t.but(text=False)
    levels = MAX_OPEN if t.kind == END else MAX_LEFT
    cut = Edit.CUT_BEHIND_VALUE if s.kind == "elements" and s.closer in BRACKETS and not t.text else Edit.CUT_OFF
    if t.kind in (MARK, COMMENT) and s.closer in MARKS and s.closer != BARE:
        return  # a quote ends a text or is part of it
    for level in range(levels):
        if current is None or current.kind in ("start", "done", *ENDED):
            break
        steps += (("close", False),)
        ending = at_end(current, t if level == 0 else bare)
        if current.kind == "string":
            edits += SWALLOWED[: current.filled]
        elif current.kind in ("quoted", "scalar") and current.filled:
            edits += (Edit.QUOTES_ODD,)
        if t.kind == END:
            edits += (cut,) if current.closer and cut not in edits else ()
            edits += ending if not current.closer else ()
        else:
            is_crossed = t.next[0] == CLOSE and not t.next[2] and t.next[1] == current.closer
            lost = (Edit.CLOSER_LOST,) if current.is_paired and not is_crossed else ()
            edits += ((Edit.CLOSER_MISSING, *lost) if current.closer else ()) + ending
            edits += _whose_end(current, t)
        is_tagged, current = bool(current.closer), closed(g, current)
        is_behind = current.kind == "behind" and t.kind != CLOSE
        is_prose = is_behind and not t.is_known and (t.text or t.kind == END)
        for move in row_moves(g, current, bare, fitting=not is_prose):
            # An answer whose end is only told by something that nobody asked for has lost it.
            is_lost = is_tagged and is_behind and t.kind != END and not move.steps
            yield Move(move.state, (*steps, *move.steps), (*edits, *((Edit.CUT_OFF,) if is_lost else ()), *move.edits))


def _whose_end(s: State, t: Symbol) -> tuple[Edit, ...]:
    """What makes it a guess where an element without a closing tag ends: a field of it may be that of the like element
    around it, or a text breaks off in front of a tag that stands there like a word.
    """
    if s.kind == "string" and t.is_mention:
        return (Edit.END_AT_MENTION,)
    around = s.parent
    if s.kind != "elements" or around is None or not s.shape.fields or around.filled < 0:
        return ()
    if s.shape.fields.keys() != around.shape.fields.keys():
        return ()
    return (Edit.END_OF_EITHER,) if s.filled & ~around.filled else ()


def _cheapest(found: list[Move]) -> list[Move]:
    """The moves without those that lead to the same by the same edits, the cheapest first."""
    kept: dict[tuple[State, frozenset[Edit]], Move] = {}
    for move in sorted(found, key=_first_price):
        kept.setdefault((move.state, frozenset(move.edits)), move)
    return list(kept.values())[:MAX_MOVES]


def _first_price(move: Move) -> int:
    return sum(PRICES[edit].level for edit in move.edits)
