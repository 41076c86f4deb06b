"""The rows of the transition table for the root, for closing tags, and for unknown and misplaced tags."""

from __future__ import annotations

from collections.abc import Iterator

from ..definition import fold, is_near
from .grammar import ANY, MAX_OPEN, Grammar, State
from .prices import Edit
from .rows_elements import free_field, item, opened
from .scan import CLOSE, EMPTY, END, OPEN, Symbol
from .table import CLOSED, JSON_ENDS, Move, Row, closed, drop, element, end, finish, fits, into, is_named, plainly, take

# Unknown elements


def extra(g: Grammar, s: State, t: Symbol) -> Iterator[Move]:
    if not t.is_known and s.shape.keeps_extra and (t.paired or t.kind == EMPTY):
        yield from opened(g, s, g.shape(ANY), t, "skipped", t.name)


def skipped(g: Grammar, s: State, t: Symbol) -> Iterator[Move]:
    """Yields the move into an element that is skipped with its content."""
    opening = ("open", s.shape, "skipped", None, False)
    if s.shape.keeps_extra or s.count >= MAX_OPEN or not (t.paired or t.kind == EMPTY):
        return
    around = g.changed(s, is_fresh=False)
    if t.kind == EMPTY:
        yield Move(s, (opening, *CLOSED))
    elif t.closer in JSON_ENDS:
        yield Move(element(g, g.shape(ANY), t.name, t.closer, around), (opening,))
    else:
        yield Move(g.state("skipped", s.shape, t.name, t.closer or t.name, parent=around), (opening,))


def is_unknown_element(_g: Grammar, s: State, t: Symbol) -> bool:
    return not t.is_known and not (t.keyed and s.shape.is_map)  # a map has no unknown keys


def is_misplaced(g: Grammar, s: State, t: Symbol) -> bool:
    return t.is_known and fold(t.name) not in g.root_names and not fits(g, s, (t.kind, t.name, False), t.keyed)


def is_unknown(_g: Grammar, _s: State, t: Symbol) -> bool:
    """Returns whether the name of a tag is unknown. A key of JSON or YAML is skipped with its value."""
    return not t.is_known and t.kind != EMPTY and not t.keyed and t.closer not in JSON_ENDS


def is_crossed(_g: Grammar, s: State, t: Symbol) -> bool:
    return t.is_known and t.after == CLOSE and not is_named(t, s.closer)


def is_early(_g: Grammar, s: State, t: Symbol) -> bool:
    return t.next[0] not in (CLOSE, END) and is_named(t, s.closer)


def is_stray(_g: Grammar, s: State, t: Symbol) -> bool:
    return t.is_known and not (t.kind == CLOSE and (t.after == CLOSE or is_named(t, s.closer)))


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


TAG_ROWS: tuple[Row, ...] = (
    # In front of the answer
    Row("start", OPEN, root),
    Row("start", OPEN, implied_root, Edit.ROOT_MISSING),
    Row("start", OPEN, renamed_root, Edit.ROOT_RENAMED),
    # Among the elements of an object, a list, a map
    Row("elements", OPEN, extra),
    Row("elements", OPEN, skipped, Edit.UNKNOWN_SKIPPED, when=is_unknown_element),
    Row("elements", OPEN, skipped, Edit.KNOWN_SKIPPED, when=is_misplaced),
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
    # In front of the answer, behind it, and in a skipped element
    Row("start skipped behind", "open close", take, when=is_foreign),
    Row("start skipped behind", "open close", take, Edit.MENTION, when=is_mentioned),
    Row("skipped", OPEN, into, when=is_nested),
    Row("behind", CLOSE, take, Edit.LEFT_BEHIND, when=is_own_end),
    Row("behind", OPEN, reopened, Edit.REOPENED),
    Row("behind", OPEN, finish, fits=True, when=is_root),
    Row("behind around ended", END, finish, fits=True),
)
