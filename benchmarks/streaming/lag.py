"""How far what is shown is behind what has come: replies fed one character at a time, clean and damaged.

Of each character of the final strings, and of each other value, it is noted when it was shown for good. What was shown
must not change unless the part says that it restarts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import unescape
from typing import Any, NamedTuple

from benchmarks.robustness.corpus import Size, corpus
from benchmarks.robustness.systems import response_of
from structured_response import RepairKind, ReplyError, StructuredResponse
from structured_response.read.build import Element
from structured_response.read.reader import read_carefully
from tests import corpus as rows

LONGEST = 20_000
"""Characters of a reply: each is read in as many parts."""

Steps = tuple[Any, ...]
Leaves = dict[Steps, Any]


class Asked(NamedTuple):
    """A reply, what asks for it, and how it is read."""

    response: StructuredResponse[Any]
    reply: str
    options: dict[str, Any]


class Change(NamedTuple):
    """A value that was shown, and what was shown later: nothing or less of it, or another value."""

    path: Steps
    before: Any
    after: Any

    @property
    def is_less(self) -> bool:
        is_text = isinstance(self.before, str) and isinstance(self.after, str)
        return self.after is None or (is_text and self.before.startswith(self.after))


@dataclass
class Lag:
    """Of one reply: how many more characters came before each character of its strings was shown, and before each other
    value was shown, from the end of its markup.

    Attributes:
        form: The format of the answer; empty if the reply has none.
        is_clean: Whether nothing was mended and nothing is wrong with it.
        changed: A value that was changed without a restart, if one was, preferably into another.
    """

    form: str
    is_clean: bool
    characters: list[int] = field(default_factory=list)
    values: list[int] = field(default_factory=list)
    is_restarted: bool = False
    changed: Change | None = None


def asked(size: Size, every: int) -> list[Asked]:
    """One in so many replies of `tests/corpus`, and made ones of each kind of damage."""
    found = [row for topics in (rows.ROWS, rows.GONE) for topic in topics.values() for row in topic]
    taken = [Asked(rows.response_of(row), row["reply"], _options(row)) for row in found[::every]]
    taken += [Asked(response_of(case.model), case.reply, {}) for case in corpus(size=size)]
    return [each for each in taken if len(each.reply) <= LONGEST]


def _options(row: rows.Row) -> dict[str, Any]:
    examples = {"examples": row["examples"]["examples"]} if "examples" in row else {}
    return {**examples, **row.get("options", {})}


def lag_of(one: Asked) -> Lag:
    """Reads one reply a character at a time."""
    log, parts = _Log(), one.response.stream(iter(one.reply), strict=False, **one.options)
    try:
        for part in parts:
            log.take(dict(_leaves((), part.instance)), part.restarted)
    except ReplyError:
        return Lag("", is_clean=False, is_restarted=log.is_restarted, changed=log.changed)
    assert part.response is not None
    response: Any = one.response
    chosen = read_carefully(response._plan, one.reply, response._how(one.reply, one.options))[1]  # noqa: SLF001
    repairs = {repair.kind for repair in part.response.repairs} - {RepairKind.FORMAT_READ}
    is_clean = not repairs and not part.response.problems
    found = Lag("" if chosen is None else chosen.form, is_clean, [], [], log.is_restarted, log.changed)
    if chosen is not None and chosen.tree.root is not None:
        for path, element in _elements(chosen.root).items():
            value = log.shown.get(path)
            if not one.reply.startswith(element.tokens.text) or value is None:
                continue
            if isinstance(value, str) and element.shape.node.kind == "str":
                places = _places(one.reply, element, value)
                found.characters += [max(0, at - place) for at, place in zip(log.since[path], places, strict=True)]
            elif log.since[path]:
                found.values.append(max(0, log.since[path][-1] - element.stop))
    return found


class _Log:
    """What was shown last, and since which number of characters: of a string for each of its characters."""

    def __init__(self) -> None:
        self.count = 0
        self.shown: Leaves = {}
        self.since: dict[Steps, list[int]] = {}
        self.is_restarted = False
        self.changed: Change | None = None

    def take(self, now: Leaves, is_restarted: bool) -> None:
        self.count += 1
        self.is_restarted = self.is_restarted or is_restarted
        for path, value in self.shown.items():
            if value is None or (path in now and _goes_on(value, now[path])):
                continue
            if not is_restarted and (self.changed is None or self.changed.is_less):
                self.changed = Change(path, value, now.get(path))
            kept = _common(value, now.get(path)) if isinstance(value, str) else 0
            del self.since[path][kept:]
        for path, value in now.items():
            known = self.since.setdefault(path, [])
            size = 0 if value is None else len(value) if isinstance(value, str) else 1
            known += [self.count] * (size - len(known))
        self.shown = now


def _goes_on(before: Any, now: Any) -> bool:
    if isinstance(before, str) and isinstance(now, str):
        return now.startswith(before)
    return type(before) is type(now) and (before == now or repr(before) == repr(now))


def _common(one: str, other: Any) -> int:
    size = 0
    while isinstance(other, str) and size < min(len(one), len(other)) and one[size] == other[size]:
        size += 1
    return size


def _leaves(path: Steps, value: Any) -> Iterator[tuple[Steps, Any]]:
    """Yields each value by its path, without the containers: an empty one says as little as None."""
    if isinstance(value, dict | list):
        for step, held in dict.items(value) if isinstance(value, dict) else enumerate(value):
            yield from _leaves((*path, step), held)
    else:
        yield path, value


# Where a reply says what


def _elements(root: Element) -> dict[Steps, Element]:
    """Returns the innermost element that was read for each path."""
    found: dict[Steps, Element] = {}
    waiting = [root]
    while waiting:
        element = waiting.pop(0)
        if element.path or element is root:
            found[element.path] = element
        waiting += element.children
    return found


def _places(reply: str, element: Element, value: str) -> list[int]:
    """Returns the end of what writes each character of a string, in the content of its element."""
    found, place, is_json = [], element.inner, element.form == "json"
    for character in value:
        ends = (_written(reply, at, element.end, character, is_json) for at in range(place, element.end))
        # What comes before it means nothing: layout, a fence. A character that is not there was put in by a repair.
        place = next((end for end in ends if end is not None), place)
        found.append(place)
    return found


def _written(reply: str, place: int, end: int, character: str, is_json: bool) -> int | None:
    """Returns where what writes a character at a place ends; None if something else is there."""
    match = (_ESCAPE if is_json else _REFERENCE).match(reply, place, end)
    if match is not None and character == (_of_escape(match[0]) if is_json else unescape(match[0])):
        return match.end()
    return place + 1 if place < end and reply[place] == character else None


def _of_escape(escape: str) -> str:
    return chr(int(escape[-4:], 16)) if len(escape) > 2 else _ESCAPED.get(escape[1], escape[1])


_REFERENCE = re.compile(r"&#?\w{1,32};")
_ESCAPE = re.compile(r"\\(?:u[0-9a-fA-F]{4}|.)")
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
