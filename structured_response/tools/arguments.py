"""Finds where the arguments of a call in tags begin and end: the cheapest way to read its tags.

A call is flat: arguments one after the other, each between two tags. An argument is opaque, so it may hold any tags,
those of its own call included. Each tag is read in every way that the table of prices allows; the cheapest way through
the tags wins, and a second one that is nearly as cheap makes the call ambiguous. Time is linear in the tags.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from os.path import commonprefix
from typing import NamedTuple

from ..definition import Node, fold, is_near
from ..escaping import GAP
from ..findings import Problem, ProblemKind, Repair, RepairKind, Span

PRICES = {
    # In an argument
    "closer as text": 5,  # `see </content> there`
    "closer misspelt": 1,
    "closer of another": 2,
    "closer missing": 2,
    "closer missing within a line": 4,
    "closer missing at the end": 5,
    "opener as closer": 2,
    "opener with closer as text": 1,  # `<path>x</path>`
    "opener as text": 2,  # `print("<content>")`
    "opener still due as text": 4,
    "opener still due on its own line as text": 5,
    "end as text": 3,
    "call as text": 2,  # its end, if it follows, is part of it
    "cut off": 8,
    # Between arguments
    "text between": 6,
    "comment between": 1,
    "element between": 3,
    "opener misspelt": 2,
    "argument unknown": 3,
    "argument twice": 6,
    "closer stray": 3,
    "end misspelt": 2,
    "end missing": 4,
    "argument missing": 3,
}
"""What each way to read a tag costs. A call without faults costs nothing, and no single fault costs less than a text that
looks like one.
"""

MARGIN = 2
"""Two readings whose prices differ by less leave the call ambiguous."""


class Tag(NamedTuple):
    """A tag behind the head of a call.

    Attributes:
        kind: "open", "close", "end", "call" for the head of another call, or "stop" for the end of the text.
        name: The argument that it names, as it is written. Empty for a closing tag that closes any argument.
        is_exact: Whether it is written as it should be.
        span: Its place.
        gap: What is in front of it, up to the tag before: "", "text", "comment" or "element".
        begins_line: Whether it is the first of its line.
        is_paired: Whether it closes a tag of a name that the call does not have.
    """

    kind: str
    name: str
    is_exact: bool
    span: Span
    gap: str = ""
    begins_line: bool = False
    is_paired: bool = False


class Style(NamedTuple):
    """The names of a shape's elements.

    Attributes:
        argument: The element of each argument, or "" if it is the argument's own name.
        end: The element of a call, or "" if it is the tool's name.
    """

    argument: str
    end: str


@dataclass(slots=True)
class Found:
    """The arguments of a call. `end` is the place behind its last tag."""

    arguments: dict[str, Span]
    end: int
    repairs: list[Repair]
    problems: list[Problem]


class _State(NamedTuple):
    """Where a reading stands: the open argument or None, how many of its own tags and of calls are open in it, and
    which arguments it has had.
    """

    inside: str | None = None
    depth: int = 0
    calls: int = 0
    seen: frozenset[str] = frozenset()


class _Way(NamedTuple):
    """A reading up to a tag, as a chain of what was decided at each."""

    cost: int
    note: str = ""
    argument: str = ""
    tag: Tag | None = None
    before: _Way | None = None


def find_arguments(text: str, head: Span, stop: int, node: Node, tool: str, style: Style) -> Found | None:
    """Returns the arguments of the call whose head is at a place, or None if it seems to be no call.

    Args:
        text: The reply.
        head: The place of the head.
        stop: The end of the text that may belong to the call.
        node: The object of the tool's arguments.
        tool: The name of the tool, as the head has it.
        style: The names of the shape's elements.
    """
    ways: dict[_State, list[_Way]] = {_State(): [_Way(0)]}
    done: list[tuple[_Way, Tag]] = []
    for tag in _tags(text, head[1], stop, node, tool, style):
        following: dict[_State, list[_Way]] = {}
        for state, several in ways.items():
            for price, note, argument, after in _moves(state, tag, node, style):
                for way in several:
                    made = _Way(way.cost + price, note, argument, tag if note else None, way if note else way.before)
                    made = made if note else way._replace(cost=way.cost + price)
                    if after is None:
                        done.append((made, tag))
                    else:
                        following.setdefault(after, []).append(made)
        least = min((way.cost for way, _tag in done), default=10**9)
        ways = _cheapest(following, least + MARGIN)
        if not ways:
            break
    if not done:
        return None
    done.sort(key=lambda each: each[0].cost)
    return _built(text, done, node)


MAX_WAYS = 64
"""Readings that are kept at a tag, the cheapest ones. A call without faults has one."""


def _cheapest(ways: dict[_State, list[_Way]], limit: int) -> dict[_State, list[_Way]]:
    """Returns the two cheapest ways to each state, of the cheapest states."""
    kept = {}
    for state, several in ways.items():
        several = sorted((way for way in several if way.cost < limit), key=lambda way: way.cost)[:2]
        if several:
            kept[state] = several
    if len(kept) <= MAX_WAYS:
        return kept
    return dict(sorted(kept.items(), key=lambda each: each[1][0].cost)[:MAX_WAYS])


# The ways to read a tag


_Move = tuple[int, str, str, _State | None]
"""The price, what is noted of it, the argument that it is about, and the state behind it, None behind the call."""


def _moves(state: _State, tag: Tag, node: Node, style: Style) -> Iterator[_Move]:
    return _between(state, tag, node) if state.inside is None else _within(state, tag, node, style)


def _between(state: _State, tag: Tag, node: Node) -> Iterator[_Move]:
    price = PRICES[f"{tag.gap} between"] if tag.gap else 0
    gap = f"{tag.gap} between, " if tag.gap else ""
    missing = sum(
        PRICES["argument missing"] for name, each in node.fields.items() if each.required and name not in state.seen
    )
    if tag.kind == "open":
        known = _named(tag.name, node)
        if known is None:
            yield (
                price + PRICES["argument unknown"],
                f"{gap}argument unknown",
                tag.name,
                state._replace(inside=tag.name, depth=1),
            )
        elif known in state.seen:
            yield price + PRICES["argument twice"], f"{gap}argument twice", known, state._replace(inside=known, depth=1)
        else:
            is_exact = tag.is_exact and known == tag.name
            note = f"{gap}open" if is_exact else f"{gap}opener misspelt"
            more = 0 if is_exact else PRICES["opener misspelt"]
            yield price + more, note, known, state._replace(inside=known, depth=1)
    elif tag.kind == "close":
        yield price + PRICES["closer stray"], f"{gap}closer stray", "", state
    elif tag.kind == "end":
        more = 0 if tag.is_exact else PRICES["end misspelt"]
        yield price + missing + more, f"{gap}end" if tag.is_exact else f"{gap}end misspelt", "", None
    else:
        note = "end missing" if tag.kind == "call" else "end cut off"
        yield missing + PRICES["end missing"], note, "", None


def _within(state: _State, tag: Tag, node: Node, style: Style) -> Iterator[_Move]:
    name = state.inside
    assert name is not None
    after = state._replace(inside=None, depth=0, calls=0, seen=state.seen | {name})
    known = name if tag.name in ("", name) else _named(tag.name, node)
    if tag.kind == "close":
        if known == name and tag.is_exact and tag.name in ("", name) and state.depth > 1:
            yield 0, "", "", state._replace(depth=state.depth - 1)
        elif known == name and tag.is_exact and tag.name in ("", name):
            yield 0, "close", name, after
            yield PRICES["closer as text"], "", "", state
        else:
            yield PRICES["closer as text"] if known == name else 0, "", "", state
            price = PRICES["closer misspelt"] if known == name else PRICES["closer of another"]
            if not tag.is_paired or tag.name == name:
                yield price, "closer misspelt", name, after
    elif tag.kind == "open":
        is_due = tag.name in node.fields and tag.name not in after.seen
        if known == name or style.argument:  # their closing tags are alike
            yield PRICES["opener with closer as text"], "", "", state._replace(depth=state.depth + 1)
        due = "opener still due on its own line as text" if tag.begins_line else "opener still due as text"
        price = PRICES[due if is_due else "opener as text"]
        yield 0 if known is None and not style.argument else price, "", "", state
        if known == name:
            yield PRICES["opener as closer"], "closer misspelt", name, after
        elif is_due and tag.is_exact and state.depth == 1:
            price = PRICES["closer missing" if tag.begins_line else "closer missing within a line"]
            yield price, "closer missing", tag.name, after._replace(inside=tag.name, depth=1)
    elif tag.kind == "end":
        if state.calls:
            yield 0, "", "", state._replace(calls=state.calls - 1)
            return
        yield PRICES["end as text"], "", "", state
        if state.depth == 1:
            yield PRICES["closer missing at the end"], "closer missing at the end", name, None
    elif tag.kind == "call":
        yield PRICES["call as text"], "", "", state._replace(calls=state.calls + 1)
    else:
        yield PRICES["cut off"], "cut off", name, None


def _named(name: str, node: Node) -> str | None:
    """Returns the argument that a name means: exact, by an alias, in another case, or with one slip."""
    if name in node.fields:
        return name
    found = node.field_of(name)
    if found is not None:
        return found.name
    near = [known for known in node.fields if _is_like(name, known)]
    return near[0] if len(near) == 1 else None


# The tags


_TAG = re.compile(
    r"<arg_key>\s*+(?P<key>[\w.$:-]{1,100})\s*+</arg_key>\s*+<arg_value>"
    r"|<[ ]*+(?P<slash>/?)(?:\w++:|\uff5cDSML\uff5c)?+(?P<name>[\w.$-]{1,100}+)(?P<rest>[^<>]*+)(?P<end>>?)"
)
_ATTRIBUTE = re.compile(r"""\s*+(?:(?:name|tool)\s*+)?=\s*+["']?([\w.$:/-]{1,100})["']?""")
_SHOWN = re.compile(r"""(?:\s++[a-z-]++=(?:'[^']*+'|"[^"]*+"))*+\s*+""")
_COMMENTS = re.compile(r"\s*+(?:<!--(?:(?!-->).)*+-->\s*+)*+", re.DOTALL)
_ELEMENTS = re.compile(r"\s*+(?:<!--(?:(?!-->).)*+-->\s*+|<([\w.-]++)>[^<]*+</\1>\s*+)*+", re.DOTALL)


def _tags(text: str, start: int, stop: int, node: Node, tool: str, style: Style) -> Iterator[Tag]:
    """Yields the tags that may be those of the call, and the end of the text."""
    place, unknown = start, Counter[str]()
    for match in _TAG.finditer(text, start, stop):
        tag = _tag_of(match, node, tool, style)
        if tag is None:
            continue
        if tag.kind == "open" and tag.name not in node.fields:
            unknown[tag.name] += 1
        elif tag.kind == "close" and unknown[tag.name]:
            unknown[tag.name] -= 1
            tag = tag._replace(is_paired=True)
        line = text.rfind("\n", place, match.start())
        begins_line = line >= 0 and not text[line : match.start()].strip()
        yield tag._replace(gap=_gap(text, place, match.start()), begins_line=begins_line)
        place = tag.span[1]
    yield Tag("stop", "", True, (stop, stop), _gap(text, place, stop))


def _gap(text: str, start: int, end: int) -> str:
    if not text[start:end].strip(GAP):
        return ""
    if _COMMENTS.fullmatch(text, start, end):
        return "comment"
    return "element" if _ELEMENTS.fullmatch(text, start, end) else "text"


def _tag_of(match: re.Match[str], node: Node, tool: str, style: Style) -> Tag | None:
    if match["key"]:
        return Tag("open", match["key"], True, match.span()) if style.argument == "arg_value" else None
    name, is_closed, rest = match["name"], match["end"] == ">", match["rest"]
    span = match.span() if is_closed else (match.start(), match.start("rest"))
    end = style.end or tool
    if match["slash"]:
        is_plain = is_closed and not rest.strip()
        if name == end or (fold(name) == fold(end) and name not in node.fields):
            return Tag("end", "", is_plain and name == end, span)
        if style.argument:
            return (
                Tag("close", "", name == style.argument and is_plain, span) if _is_like(name, style.argument) else None
            )
        if name in node.fields or _named(name, node) is not None:
            return Tag("close", name, is_plain, span)
        return Tag("end", "", False, span) if is_near(fold(name), fold(end)) else Tag("close", name, False, span)
    if style.argument:
        given = _ATTRIBUTE.match(rest)
        if given is None:
            return Tag("close", "", False, span) if name == style.argument and not rest.strip() else None
        if _is_like(name, style.argument):
            return Tag("open", given[1], name == style.argument and is_closed, span)
        return Tag("call", "", True, span) if name == end else None
    if name == end and (style.end == "" or "=" in rest):
        return Tag("call", "", True, span)
    if rest.endswith("/") or not _SHOWN.fullmatch(rest) or not is_closed:
        return None
    return Tag("open", name, True, span)


def _is_like(name: str, other: str) -> bool:
    """Returns whether a name is another one with at most one slip."""
    one, two = fold(name), fold(other)
    if one == two or is_near(one, two):
        return True
    shorter, longer = sorted((one, two), key=len)
    begin = len(commonprefix((one, two)))  # noqa: RUF071
    return len(shorter) > 1 and longer[begin + 1 :] == shorter[begin:]  # a letter more or less


# The result


_MENDED = {
    "closer missing": (RepairKind.CLOSER_MISSING, True),
    "closer missing at the end": (RepairKind.CLOSER_MISSING, True),
    "closer misspelt": (RepairKind.CLOSER_RESPELLED, False),
    "opener misspelt": (RepairKind.NAME_RESPELLED, False),
    "argument unknown": (RepairKind.ELEMENT_SKIPPED, False),
    "argument twice": (RepairKind.ELEMENT_SKIPPED, False),
    "closer stray": (RepairKind.TEXT_SKIPPED, False),
    "end misspelt": (RepairKind.CLOSER_RESPELLED, False),
    "end missing": (RepairKind.CLOSER_MISSING, True),
}
"""The repair for what is noted of a tag, and whether it stands in front of the tag."""
_SKIPPED = {"comment between": RepairKind.TEXT_SKIPPED, "element between": RepairKind.ELEMENT_SKIPPED}
_DOUBTS = {
    "argument twice": "an argument occurs twice",
    "text between": "there is text between its arguments",
}
_LINE_ENDS = re.compile(r"[ \t]*+(?:\r?\n|\Z|</(?:\w+:)?(?:tool|function)_?calls?>)")
_LINE_END = re.compile(r"\r?\n[ \t]*\Z")
"""The line break in front of the next tag."""
_CUT = {"cut off": "the reply breaks off here", "end cut off": "the reply breaks off before its end"}


def _built(text: str, done: list[tuple[_Way, Tag]], node: Node) -> Found:
    """Returns the arguments of the cheapest reading."""
    best, last = done[0]
    found = Found({}, last.span[1] if last.kind == "end" else last.span[0], [], [])
    notes: list[_Way] = []
    way: _Way | None = best
    while way is not None and way.tag is not None:
        notes.append(way)
        way = way.before
    opened: tuple[str, int] | None = None
    for each in reversed(notes):
        opened = _take(text, found, each, opened, node)
    if best.note == "closer missing at the end" and _LINE_ENDS.match(text, last.span[1]) is None:
        message = "its last argument may go on behind its end"
        found.problems.append(Problem(ProblemKind.AMBIGUOUS, "$", message, span=last.span))
    rivals = [other for other, _tag in done[1:] if other.cost < best.cost + MARGIN]
    if rivals and best.cost:
        message = "its tags can be read in more than one way"
        found.problems.append(Problem(ProblemKind.AMBIGUOUS, "$", message, span=last.span))
    return found


def _take(text: str, found: Found, way: _Way, opened: tuple[str, int] | None, node: Node) -> tuple[str, int] | None:
    """Takes over what was noted of a tag. Returns the open argument with the place of its beginning."""
    tag = way.tag
    assert tag is not None
    note = way.note.split(", ")[-1]
    begins, ends = tag.span
    path = f"$.{way.argument}" if way.argument in node.fields else "$"
    if opened is not None:
        name, start = opened
        stop = begins
        if note.startswith("closer missing"):
            stop = start + len(_LINE_END.sub("", text[start:begins]))
        if name in node.fields and name not in found.arguments:
            found.arguments[name] = start, max(start, stop)
        opened = None
    if note in _MENDED:
        kind, is_before = _MENDED[note]
        before, after = ("", "closed") if is_before else (text[begins:ends], "")
        found.repairs.append(Repair(kind, path, (begins, begins if is_before else ends), before, after))
    for sign, skipped in _SKIPPED.items():
        if sign in way.note:
            found.repairs.append(Repair(skipped, "$", (begins, begins), sign, ""))
    for sign, message in _DOUBTS.items():
        if sign in way.note:
            found.problems.append(Problem(ProblemKind.AMBIGUOUS, path, message, span=tag.span))
    if note in _CUT:
        found.problems.append(Problem(ProblemKind.TRUNCATED, path, _CUT[note], span=(begins, begins)))
    if note in ("open", "opener misspelt", "argument unknown", "argument twice", "closer missing"):
        opened = way.argument, ends
    return opened
