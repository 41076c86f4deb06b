"""Finds where the arguments of a call in tags begin and end: the cheapest way to read its tags.

A call is flat: arguments one after the other, each between two tags. An argument is opaque, so it may hold any tags,
those of its own call included. Each tag is read in every way that the tables allow; the cheapest way through the tags
wins, and a second one that is nearly as cheap makes the call ambiguous. Time is linear in the tags.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple, TypeAlias

from ..definition import Node
from ..findings import Repair, RepairKind, Span
from .source import BREAKS_OFF, Written
from .tags import FIRST_LINE, LAST_LINE, Tag, Tags

Step: TypeAlias = Literal["stay", "deeper", "shallower", "call", "return", "open", "close", "leave", "break"]
"""What a tag does: it is text ("stay"); it is text that opens or closes an argument or a call of its own ("deeper",
"shallower", "call", "return"); it opens an argument, whether or not one is open, or closes it ("open", "close"); it
ends the call ("leave"); or the text ends there ("break").
"""


class Move(NamedTuple):
    """A way to read a tag, with what has to be said of it.

    Attributes:
        price: How unlikely it is. A call without faults costs nothing, and no fault costs less than a text that only
            looks like one.
        step: What the tag does.
        repair: The kind of repair, or None.
        problem: What is in doubt then, or "".
    """

    price: int
    step: Step
    repair: RepairKind | None = None
    problem: str = ""


BETWEEN: Mapping[str, tuple[Move, ...]] = {
    "opener": (Move(0, "open"),),
    "opener misspelt": (Move(2, "open", RepairKind.NAME_RESPELLED),),
    "opener unknown": (Move(3, "open", RepairKind.ELEMENT_SKIPPED),),
    "opener again": (Move(6, "open", RepairKind.ELEMENT_SKIPPED, "an argument occurs twice"),),
    "close": (Move(2, "stay", RepairKind.TEXT_SKIPPED),),
    "close misspelt": (Move(4, "stay", RepairKind.TEXT_SKIPPED),),
    "end": (Move(0, "leave"),),
    "end misspelt": (Move(2, "leave", RepairKind.CLOSER_RESPELLED),),
    "call": (Move(4, "leave", RepairKind.CLOSER_MISSING),),
    "stop": (Move(4, "break", problem=BREAKS_OFF),),
}
"""The ways to read a tag between arguments."""

WITHIN: Mapping[str, tuple[Move, ...]] = {
    "closer": (Move(0, "close"), Move(5, "stay")),  # `see </content> there`
    "closer within a line": (Move(6, "close"), Move(4, "stay")),  # where its opener ends one
    "closer of a nested one": (Move(0, "shallower"),),
    "closer misspelt": (Move(1, "close", RepairKind.CLOSER_RESPELLED), Move(5, "stay")),
    "closer of another": (Move(0, "stay"), Move(2, "close", RepairKind.CLOSER_RESPELLED)),
    "closer of a stranger": (Move(0, "stay"), Move(7, "close", RepairKind.CLOSER_RESPELLED)),
    "closer of a pair": (Move(0, "stay"),),
    "opener again": (
        Move(1, "deeper"),  # `<path>x</path>`
        Move(1, "stay"),  # `print("<content>")`
        Move(1, "close", RepairKind.CLOSER_RESPELLED),
    ),
    "opener in a call": (Move(0, "deeper"), Move(2, "stay")),
    "opener due on a new line": (Move(5, "open", RepairKind.CLOSER_MISSING), Move(8, "stay")),
    "opener due": (Move(6, "open", RepairKind.CLOSER_MISSING), Move(5, "stay")),
    "opener known": (Move(1, "stay"),),
    "opener unknown": (Move(0, "stay"),),
    "end": (Move(2, "stay"), Move(7, "leave", RepairKind.CLOSER_MISSING)),
    "end of another call": (Move(0, "return"),),
    "call": (Move(2, "call"),),
    "call on a new line": (Move(2, "call"), Move(7, "leave", RepairKind.CLOSER_MISSING, BREAKS_OFF)),
    "stop": (Move(11, "break", problem=BREAKS_OFF),),
}
"""The ways to read a tag in an argument."""

DEEPER = Move(1, "deeper")
"""One more way to read the opener of any argument, in shapes where all arguments are closed alike."""

GAPS: Mapping[str, tuple[int, RepairKind | None, str]] = {
    "": (0, None, ""),
    "element": (2, RepairKind.ELEMENT_SKIPPED, ""),
    "text": (6, None, "there is text between its arguments"),
}
"""The price of what stands between two arguments, the kind of its repair, and what is in doubt then."""

MISSING = 6
"""The price of each required argument that is not there."""
ENDLESS = 5
"""The price of each call in an argument that does not end there."""
MARGIN = 2
"""Two readings whose prices differ by less leave the call ambiguous."""
MAX_WAYS = 64
"""States that are kept at a tag, the cheapest ones. A call without faults has one."""


class _State(NamedTuple):
    """Where a reading stands: the open argument or None, whether it has lines of its own, how many of its own tags and
    of calls are open in it, and which arguments it has had.
    """

    inside: str | None = None
    is_block: bool = False
    depth: int = 0
    calls: int = 0
    seen: frozenset[str] = frozenset()


class _Way(NamedTuple):
    """A reading up to a tag, as a chain of the moves that are not just text."""

    cost: int
    move: Move
    argument: str
    tag: Tag
    before: _Way | None


_START = _Way(0, Move(0, "stay"), "", Tag("stop"), None)


Arguments = dict[str, Span]
"""The places of the texts of arguments."""


def find_arguments(tags: Tags, head: Span, given: Arguments) -> tuple[Written, Arguments] | None:
    """Returns the call behind a head that gives some arguments, with all of them, or None if it seems to be none."""
    budget = tags.source.budget
    ways: dict[_State, list[_Way]] = {_State(seen=frozenset(given)): [_START]}
    done: list[_Way] = []
    for tag in tags.behind(head[1]):
        following: dict[_State, list[_Way]] = {}
        for state, several in ways.items():
            for price, move, argument, after in _moves(state, tag, tags):
                budget.left -= 1
                for way in several:
                    made = _Way(way.cost + price, move, argument, tag, way)
                    if move.step not in _TEXT or move.repair is not None:
                        (done if after is None else following.setdefault(after, [])).append(made)
                    else:
                        following.setdefault(after or state, []).append(way._replace(cost=made.cost))
        least = min((way.cost for way in done), default=None)
        ways = _cheapest(following, None if least is None else least + MARGIN, MAX_WAYS if budget.left > 0 else 2)
        if not ways:
            break
    done.sort(key=lambda way: way.cost)
    return _built(tags, head[0], given, done, is_narrow=budget.left <= 0) if done else None


def _cheapest(ways: dict[_State, list[_Way]], limit: int | None, count: int) -> dict[_State, list[_Way]]:
    """Returns the two cheapest ways to each state, of the cheapest states."""
    kept = {}
    for state, several in ways.items():
        cheap = several if limit is None else [way for way in several if way.cost < limit]
        if cheap:
            kept[state] = cheap if len(cheap) == 1 else sorted(cheap, key=lambda way: way.cost)[:2]
    return kept if len(kept) <= count else dict(sorted(kept.items(), key=lambda each: each[1][0].cost)[:count])


# The ways to read a tag

_TEXT = {"stay": (0, 0), "deeper": (1, 0), "shallower": (-1, 0), "call": (0, 1), "return": (0, -1)}
"""Steps over what is part of an argument: how many more of its own tags, and of calls, are open in it then."""
_TO_TOP = frozenset({"open", "close", "leave"})
"""Steps that are not taken from a nested argument."""


def _moves(state: _State, tag: Tag, tags: Tags) -> Iterator[tuple[int, Move, str, _State | None]]:
    """Yields the ways to read a tag: the price, the move, the argument that it is about, and the state behind it, None
    behind the call.
    """
    if state.inside is None:
        gap = 0 if tag.kind == "stop" else GAPS[tag.gap][0]
        moves = BETWEEN[_symbol_between(state, tag)]
    else:
        symbol = _symbol_within(state, state.inside, tag, is_alike=tags.style.argument != "")
        moves, gap = WITHIN[symbol], 0
        if tag.kind == "open" and tags.style.argument and moves[0].step != "deeper":
            moves = (*moves, DEEPER)
    for move in moves:
        if state.depth > 1 and move.step in _TO_TOP:
            continue
        is_end = move.step == "leave" or (move.step == "break" and state.inside is None)
        missing = _missing(state, tags.node) if is_end else 0
        missing += ENDLESS * state.calls if move.step == "close" else 0
        name = state.inside if state.inside is not None and move.step != "open" else tag.argument or tag.name
        yield move.price + gap + missing, move, name, _after(state, move.step, name, tag)


def _missing(state: _State, node: Node) -> int:
    had = state.seen | {state.inside}
    return sum(MISSING for name, each in node.fields.items() if each.required and name not in had)


def _symbol_between(state: _State, tag: Tag) -> str:
    if tag.kind != "open":
        return tag.kind if tag.is_exact else f"{tag.kind} misspelt"
    if tag.argument is None:
        return "opener unknown"
    if tag.argument in state.seen:
        return "opener again"
    return "opener" if tag.is_exact and tag.argument == tag.name else "opener misspelt"


def _symbol_within(state: _State, inside: str, tag: Tag, is_alike: bool) -> str:
    if tag.kind == "close":
        return _symbol_of_closer(state, inside, tag)
    if tag.kind == "open":
        is_again = inside in (tag.argument, tag.name)
        if state.calls:
            return "opener in a call" if is_alike or is_again else "opener unknown"
        if is_again:
            return "opener again"
        if tag.is_exact and tag.name == tag.argument and tag.name not in state.seen:
            return "opener due on a new line" if tag.begins_line else "opener due"
        return "opener known" if is_alike or tag.argument is not None else "opener unknown"
    if tag.kind == "call":
        return "call on a new line" if tag.begins_line else "call"
    return "end of another call" if tag.kind == "end" and state.calls else tag.kind


def _symbol_of_closer(state: _State, inside: str, tag: Tag) -> str:
    if tag.name in ("", inside) and tag.is_exact:
        is_within = state.is_block and not tag.begins_line
        return "closer of a nested one" if state.depth > 1 else "closer within a line" if is_within else "closer"
    if tag.is_paired and inside not in (tag.name, tag.argument):
        return "closer of a pair"
    if tag.name in ("", inside) or tag.argument == inside:
        return "closer misspelt"
    return "closer of a stranger" if tag.argument is None else "closer of another"


def _after(state: _State, step: Step, argument: str, tag: Tag) -> _State | None:
    """Returns the state behind a step."""
    if step in _TEXT:
        depth, calls = _TEXT[step]
        return state if step == "stay" else state._replace(depth=state.depth + depth, calls=state.calls + calls)
    seen = state.seen if state.inside is None else state.seen | {state.inside}
    if step == "open":
        return _State(argument, tag.ends_line, depth=1, seen=seen)
    return _State(seen=seen) if step == "close" else None


# The result

_LINE_ENDS = re.compile(r"[ \t]*+(?:\r?\n|\Z|</(?:\w{1,40}+:)?(?:tool|function)_?calls?>)")


def _built(tags: Tags, start: int, given: Arguments, done: list[_Way], is_narrow: bool) -> tuple[Written, Arguments]:
    """Returns the call by the cheapest reading."""
    best, last = done[0], done[0].tag
    written = Written(tags.tool, (start, last.span[1] if last.kind == "end" else last.span[0]))
    arguments = dict(given)
    chain: list[_Way] = []
    way: _Way | None = best
    while way is not None and way is not _START:
        chain.append(way)
        way = way.before
    opened: tuple[str, int] | None = None
    for each in reversed(chain):
        opened = _take(tags, written, arguments, each, opened)
    is_unclosed = last.kind == "end" and best.move.repair is RepairKind.CLOSER_MISSING
    if is_unclosed and _may_go_on(tags.source.text, arguments, last):
        written.doubt("its last argument may go on behind its end", span=last.span)
    is_close = is_narrow or any(other.cost < best.cost + MARGIN for other in done[1:])
    if best.cost and is_close:
        written.doubt("its tags can be read in more than one way", span=last.span)
    written.is_open = bool(written.problems)
    written.is_closed = best.cost == 0
    return written, arguments


def _may_go_on(text: str, arguments: Arguments, end: Tag) -> bool:
    """Returns whether an argument without a closing tag may hold what looks like the end of its call."""
    start, stop = next(reversed(arguments.values()), (0, 0))
    is_torn = text[end.span[1] - 1] != ">"
    return is_torn or _LINE_ENDS.match(text, end.span[1]) is None or not text[start:stop].strip()


def _end_of_unclosed(tags: Tags, start: int, stop: int) -> int:
    """Returns the end of an argument without a closing tag: in front of the line break that was behind the tag. If only
    one is left, and the argument begins with one, both are left to the layout of the shape.
    """
    end = start + len(LAST_LINE.sub("", tags.source.text[start:stop]))
    is_block = tags.style.layout is not None and FIRST_LINE.match(tags.source.text, start, stop) is not None
    return stop if is_block and LAST_LINE.search(tags.source.text[start:end]) is None else end


def _take(
    tags: Tags, written: Written, arguments: Arguments, way: _Way, opened: tuple[str, int] | None
) -> tuple[str, int] | None:
    """Takes over a move. Returns the open argument with the place of its beginning."""
    move, tag, fields = way.move, way.tag, tags.node.fields
    begins, ends = tag.span
    path = f"$.{way.argument}" if way.argument in fields else "$"
    is_closer_missing = move.repair is RepairKind.CLOSER_MISSING
    if opened is not None:
        name, start = opened
        stop = _end_of_unclosed(tags, start, begins) if is_closer_missing else begins
        if name in fields:
            arguments.setdefault(name, (start, stop))
    elif tag.kind != "stop":
        _price, kind, problem = GAPS[tag.gap]
        if kind is not None:
            written.repairs.append(Repair(kind, "$", (begins, begins), tag.gap, ""))
        if problem:
            written.doubt(problem, path, tag.span)
    if is_closer_missing:
        written.repairs.append(Repair(RepairKind.CLOSER_MISSING, path, (begins, begins), "", "closed"))
    elif move.repair is not None:
        written.repairs.append(Repair(move.repair, path, tag.span, tags.source.text[begins:ends], ""))
    if move.problem == BREAKS_OFF:
        written.cut(begins, path)
    elif move.problem:
        written.doubt(move.problem, path, tag.span)
    return (way.argument, ends) if move.step == "open" else None
