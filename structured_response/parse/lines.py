"""Lines that say data without a format: bullets, and names with their values."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from .written import Bare, Value

__all__ = ["Label", "bullets", "labels", "quoted"]

_BULLET = re.compile(r"[ \t]*+(?:[-*+\u2022\u2023\u25e6\u2013\u2014]|\(?[0-9]{1,6}[.)]\)?|[a-zA-Z][.)])[ \t]++(?=\S)")
_LABEL = re.compile(
    r"[ \t]*+([-*+>\u2022#]{1,6}[ \t]++|[0-9]{1,3}[.)][ \t]++)?+[*_`\"']{0,3}+"
    r"(?P<name>[^\W_][\w.-]{0,60}+(?:[ /][\w.-]{1,40}+){0,5}+)[*_`\"']{0,3}+[ \t]*+"
    r"[:=\uff1a][*_]{0,3}+(?=\s|$|[^\s/:=])[ \t]*+"
)
_QUOTED = re.compile(r"\"(?:[^\"\\]|\\.)*+\"|'[^']*+'")


class Label(NamedTuple):
    """A line that begins with a name: the name, its place, and the place of what belongs to it, further lines too.

    `is_bulleted`: a bullet, a number or the like stands in front of it.
    """

    name: str
    start: int
    value: int
    end: int
    indentation: int
    is_bulleted: bool


def bullets(text: str, start: int = 0) -> Value | None:
    """The list that a text is, each line an item behind a bullet or a number; None where a line is none.

    A line that is indented goes on with the item above it. `start` is where the text stands in the reply.
    """
    items: list[Value] = []
    for begin, line in _lines(text):
        bullet = _BULLET.match(line)
        end = start + begin + len(line)
        if bullet:
            first = start + begin + bullet.end()
            items.append(Value(Bare(line[bullet.end() :]), first, end))
        elif line and items and line[0] in " \t":
            items[-1].held = Bare(f"{items[-1].held}\n{line.strip()}")
            items[-1].end = end
        elif line:
            return None
    for item in items:
        literal = quoted(str(item.held))
        item.held = item.held if literal is None else literal
    return Value(list(items), start, start + len(text)) if items else None


def labels(text: str, is_name: Callable[[str], bool]) -> list[Label]:
    """The lines that begin with a name and a colon, each with all the lines up to the next one."""
    found: list[Label] = []
    for begin, line in _lines(text):
        label = _LABEL.match(line)
        if label and is_name(label["name"]):
            _end(found, begin)
            indentation = len(line) - len(line.lstrip(" \t"))
            place = begin + label.start("name")
            found.append(Label(label["name"], place, begin + label.end(), len(text), indentation, bool(label[1])))
    return found


def _end(found: list[Label], end: int) -> None:
    if found:
        found[-1] = found[-1]._replace(end=end)


def quoted(text: str) -> str | None:
    """What stands in quotes, where they are around all of a value."""
    if not _QUOTED.fullmatch(text):
        return None
    try:
        return str(json.loads(text)) if text[0] == '"' else text[1:-1]
    except ValueError:
        return None


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Each line without the blanks at its end, and where it begins."""
    position = 0
    for line in text.split("\n"):
        yield position, line.rstrip()
        position += len(line) + 1
