"""An answer that stands in the reply in another writing: escaped as HTML, or inside a JSON string.

The reply is written back once, and where each of its characters came from is kept, so that findings still name
places in the reply as it came.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable
from dataclasses import replace

from ..findings import Problem, Repair, Span
from .text import decode

__all__ = ["Layer", "in_html", "in_json_string"]

_REFERENCES = re.compile(r"&(?:#[0-9]{1,8}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{0,31});")
_ESCAPES = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.", re.DOTALL)
_QUOTE = re.compile(r"\"(?:\s|\\[nrt])*+\Z")
_STRING = re.compile(r"\"((?:[^\"\\\n]++|\\[^\n])*+)(?:\"|\Z)")
_QUOTES = re.compile(r"(?<!\\)\"")
_BEFORE = 200
_LETTERS = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}


class Layer:
    """A text that was made of another one. `origins` pairs places of it with the places that they came from."""

    def __init__(self, source: str, span: Span, escapes: re.Pattern[str], decoded: Callable[[str], str]) -> None:
        self.places = [0]
        self.origins = [span[0]]
        self.source = source
        parts: list[str] = []
        length, position = 0, span[0]
        for match in escapes.finditer(source, *span):
            parts += [source[position : match.start()], decoded(match[0])]
            length += match.start() - position
            self.places.append(length)
            self.origins.append(match.start())
            length += len(parts[-1])
            position = match.end()
            self.places.append(length)
            self.origins.append(position)
        self.text = "".join([*parts, source[position : span[1]]])

    def origin(self, place: int) -> int:
        """Where a character came from."""
        index = bisect_right(self.places, place) - 1
        return self.origins[index] + place - self.places[index] if index % 2 == 0 else self.origins[index]

    def span(self, span: Span) -> Span:
        """Where a span came from."""
        start = self.origin(span[0])
        return start, max(start, self.origin(span[1]))

    def repairs(self, found: Iterable[Repair]) -> list[Repair]:
        """Repairs with their places in the reply."""
        return [replace(each, span=self.span(each.span)) for each in found]

    def problems(self, found: Iterable[Problem]) -> list[Problem]:
        """Problems with their places in the reply."""
        return [replace(each, span=each.span and self.span(each.span)) for each in found]


def in_html(text: str) -> Layer | None:
    """The text with its references decoded, where it has escaped tags."""
    return Layer(text, (0, len(text)), _REFERENCES, decode) if "&lt;" in text else None


def in_json_string(text: str, start: int) -> Layer | None:
    """The JSON string in which the tag at `start` stands, decoded; None where it stands in none, or where the string
    has no escapes.
    """
    head = text[max(0, start - _BEFORE) : start]
    quote = _QUOTE.search(head)
    if quote is None:
        return None
    place = start - len(head) + quote.start()
    line = text.rfind("\n", 0, place) + 1
    if len(_QUOTES.findall(text, line, place)) % 2:  # it closes what is quoted in front of the tag
        return None
    match = _STRING.match(text, place)
    if match is None or "\\" not in match[1] or match.end(1) <= start:
        return None
    return Layer(text, match.span(1), _ESCAPES, _unescaped)


def _unescaped(escape: str) -> str:
    if escape[1] == "u" and len(escape) > 2:
        units = bytes.fromhex(escape.replace("\\u", ""))
        return units.decode("utf-16-be", "replace")
    return _LETTERS.get(escape[1], escape[1])
