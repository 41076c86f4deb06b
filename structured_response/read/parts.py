"""The parts of a text that is used in place of elements, with their spans and the spans of their values."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from ..definition import Field
from ..escaping import GAP
from .grammar import Shape

Span = tuple[int, int]

ITEM = "\1"
"""The name of items until they are tokens. No label has it."""


class UnclearError(Exception):
    """A text has more than one meaning."""


class Part(NamedTuple):
    """A span that becomes an element: `[start, stop)` with its bullet or label, `[inner, end)` for its value."""

    name: str
    start: int
    inner: int
    end: int
    stop: int
    parts: tuple[Part, ...] = ()
    is_key: bool = False


Parts = list[Part]


class Place(NamedTuple):
    """A span of a text that is to be read as a shape."""

    shape: Shape
    text: str
    start: int
    end: int

    @property
    def inner(self) -> str:
        return self.text[self.start : self.end]

    def within(self, start: int, end: int) -> Place:
        """Returns a smaller span, without blanks at its ends."""
        return Place(self.shape, self.text, *trimmed(self.text, start, end))

    @property
    def labelled(self) -> Shape:
        """The shape whose fields are labels: the object, or the objects of a list."""
        return self.shape if self.shape.fields or self.shape.item is None else self.shape.item

    def field(self, name: str) -> Field | None:
        """Returns the field that a label names."""
        found = self.labelled.field(name)
        return None if found is None else found[0]


def trimmed(text: str, start: int, end: int, more: str = "") -> Span:
    """Returns a span without blanks at its ends. The characters of `more` are also removed from its right end."""
    piece = text[start:end]
    bare = piece.rstrip(GAP + more if more else GAP)
    return start + len(bare) - len(bare.lstrip(GAP)), start + len(bare)


def part_of(place: Place, name: str, start: int, inner: int, end: int, is_key: bool = False) -> Part:
    """Returns the part whose value begins at `inner`, without blanks."""
    first, last = trimmed(place.text, inner, end)
    return Part(name, start, first, max(first, last), max(first, last), is_key=is_key)


def unquoted(place: Place, parts: Parts, is_each: bool = True) -> Parts:
    """Returns parts without separators at their ends and quotes. Unless `is_each`, quotes have to surround all."""
    text, signs = place.text, "," if "&" in place.inner else ",;"
    if len(parts) > 1 and all(text[part.inner : part.end][-1:] in [*signs] for part in parts[:-1]):
        parts = [part._replace(end=trimmed(text, part.inner, part.end, signs)[1]) for part in parts]
    quoted = [part for part in parts if _QUOTED.fullmatch(text, part.inner, part.end) is not None]
    if not quoted or (not is_each and (len(quoted) < len(parts) or len(parts) < 2)):
        return parts
    bare = {part: part._replace(inner=part.inner + 1, end=part.end - 1) for part in quoted if part.end - part.inner > 2}
    return [bare.get(part, part) for part in parts]


_QUOTED = re.compile(r"\"[^\"\\\n]*\"|'[^'\\\n]*'|\u201c[^\u201c\u201d\n]*\u201d|`[^`\n]+`")


def between(parts: Parts, place: Place) -> Parts:
    """Returns parts extended to fill a span, so that the text around and between them is not left over."""
    starts = [place.start, *(part.stop for part in parts)]
    filling = [Part(part.name, start, *part[2:]) for part, start in zip(parts, starts, strict=False)]
    return [*filling[:-1], filling[-1]._replace(stop=place.end)] if filling else []


# Cutting a line

_NESTING = (
    r"\"[^\"\n]*\"|\u201c[^\u201c\u201d\n]*\u201d|`[^`\n]*`|(?<!\w)'[^'\n]*'(?!\w)|&\#?\w{1,31};"
    r"|(?P<open>[(\[{])|(?P<close>[)\]}])"
)
"""Quotes and references, which hide separators, and brackets."""


@cache
def _cutter(separator: str) -> re.Pattern[str]:
    return re.compile(rf"(?P<cut>{separator})|{_NESTING}")


def cut(place: Place, separator: str) -> list[Span]:
    """Returns the pieces between separators outside of quotes, brackets and references, without blanks."""
    begins, ends, depth = [place.start], [], 0
    for match in _cutter(separator).finditer(place.text, place.start, place.end):
        if match.lastgroup == "cut" and not depth:
            ends.append(match.start())
            begins.append(match.end())
        elif match.lastgroup == "open":
            depth += 1
        elif match.lastgroup == "close":
            depth = max(0, depth - 1)
    pieces = [trimmed(place.text, *span) for span in zip(begins, [*ends, place.end], strict=True)]
    return pieces[:-1] if len(pieces) > 1 and pieces[-1][0] >= pieces[-1][1] else pieces


def closing(text: str) -> int:
    """Returns the end of the quotes or brackets that a text begins with, -1 if they never end."""
    depth = 0
    for match in _cutter("(?!)").finditer(text):
        depth += bool(match["open"]) - bool(match["close"])
        if not depth:
            return match.end()
    return -1
