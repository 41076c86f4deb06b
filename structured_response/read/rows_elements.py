"""The rows of the transition table for the elements of an object, a list, or a map, among one another."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..definition import Field, fold, is_near, singulars
from .grammar import ANY, MAX_OPEN, Grammar, Shape, State
from .prices import Edit
from .scan import EMPTY, MARK, OPEN, Symbol
from .table import BRACKETS, CLOSED, ITEMS, MARKS, QUOTES, Move, Row, Step, at_end, element

MIN_NEAR = 5
"""Letters of a misspelt field name. Shorter names are similar to too many words."""


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
    shape = s.shape.item_at(s.filled) if s.filled >= 0 else None
    if shape is None:
        return s, None
    return g.changed(s, is_fresh=False, filled=s.filled + 1 if s.shape.is_tuple else 0), shape


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
    if shape is None or shape.field(t.name) is None or s.count >= MAX_OPEN or (shape.item is None and is_item_tag):
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
    is_part = s.shape.is_map and not (t.keyed or s.filled & _KEYED) and fold(t.name) in _pairs(s)
    if s.shape.value is not None and is_part:
        yield from opened(g, g.changed(s, is_fresh=False), g.entry_shape(s.shape.value), t, "pair")


def _pairs(s: State) -> frozenset[str]:
    name = fold(s.name)
    return ITEMS | {name} | singulars(name)


ELEMENT_ROWS: tuple[Row, ...] = (
    Row("elements", OPEN, free_field, fits=True),
    Row("elements", OPEN, near_field, Edit.NAME_MISSPELT, fits=True),
    Row("elements", OPEN, field_of_class, Edit.CLASS_FOR_FIELD, fits=True),
    Row("elements", OPEN, repeated_field, Edit.FIELD_REPEATED),
    Row("elements", OPEN, repeated_list, Edit.LIST_REPEATED, fits=True),
    Row("elements", OPEN, item_of_field, Edit.LIST_REPEATED, fits=True),
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
)
