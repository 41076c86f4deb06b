"""Decodes an answer that is embedded as a whole in another notation: text of HTML, a string of JSON, Markdown.

Each layer maps places in the decoded text back to the original, so that findings refer to the original reply.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable
from dataclasses import replace

from ..definition import fold
from ..escaping import encodable
from ..findings import Problem, Repair, Span
from .values import decode
from .values.json_text import unescaped

_REFERENCE = re.compile(r"&(?:#[0-9]{1,8}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{0,31});")
_ESCAPE = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\(?:u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|.)", re.DOTALL
)
_ESCAPED_TAG = re.compile(r"&(?:amp;)*lt;[ ]*([^\W\d][\w:.-]{0,100})")
_STRING = re.compile(r'(?<![^\s:,\[{(=])"((?:[^"\\]++|\\.)*+)(?:"|\Z)', re.DOTALL)
_BACKSLASH = re.compile(r"\\[!-/:-@\[-`{-~]")


class Layer:
    """A text decoded from a span of another one."""

    def __init__(self, source: str, span: Span, escape: re.Pattern[str], decoded: Callable[[str], str]) -> None:
        self.source = source
        self.places = [0]
        self.origins = [span[0]]
        parts: list[str] = []
        length, position = 0, span[0]
        for match in escape.finditer(source, *span):
            text = decoded(match[0])
            parts += (source[position : match.start()], text)
            length += match.start() - position
            position = match.end()
            self.places += (length, length + len(text))
            self.origins += match.span()
            length += len(text)
        self.text = "".join([*parts, source[position : span[1]]])

    def origin(self, place: int) -> int:
        index = bisect_right(self.places, place) - 1
        return self.origins[index] + place - self.places[index] if index % 2 == 0 else self.origins[index]

    def span(self, span: Span) -> Span:
        start = self.origin(span[0])
        return start, max(start, self.origin(span[1]))

    def repairs(self, found: Iterable[Repair]) -> list[Repair]:
        return [replace(each, span=self.span(each.span)) for each in found]

    def problems(self, found: Iterable[Problem]) -> list[Problem]:
        return [replace(each, span=each.span and self.span(each.span)) for each in found]


def escaped_tag(text: str, names: Collection[str]) -> int:
    """Returns the place of the first tag, escaped as text of HTML, that has one of the folded names; else -1."""
    found = _ESCAPED_TAG.finditer(text) if "lt;" in text else ()
    return next((match.start() for match in found if fold(match[1]) in names), -1)


def json_layer(text: str, span: Span) -> Layer:
    """Decodes a span that is a string of JSON."""
    return Layer(text, span, _ESCAPE, lambda escape: encodable(unescaped(escape)))


def escaped_html(text: str) -> Layer:
    return Layer(text, (0, len(text)), _REFERENCE, decode)


def layer_around(text: str, span: Span) -> Layer | None:
    """Decodes the notation that an answer is embedded in. Returns None if there is none."""
    layers = (decode_in(text, *span) for decode_in in (_json_string, _quotation, _markdown))
    return next((layer for layer in layers if layer is not None), None)


def _json_string(text: str, start: int, end: int) -> Layer | None:
    """Decodes a string of JSON around an answer that begins on the string's first line."""
    if '"' not in text[:start]:
        return None
    string = next((match for match in _STRING.finditer(text) if match.end() > start), None)
    if string is None or string.start() >= start or "\\" not in string[1]:
        return None
    begin = string.start(1)
    return None if "\n" in text[begin:start] else json_layer(text, string.span(1))


def _quotation(text: str, start: int, end: int) -> Layer | None:
    """Decodes lines that all begin with `>`, as in a mail."""
    line = text.rfind("\n", 0, start) + 1
    depth = text.count(">", line, start)
    if not depth or text[line:start].strip("> "):
        return None
    mark = re.compile(rf"^(?:>[ ]?){{{depth}}}", re.MULTILINE)
    if len(mark.findall(text, line, end)) <= text.count("\n", line, end):
        return None
    return Layer(text, (0, len(text)), mark, lambda _: "")


def _markdown(text: str, start: int, end: int) -> Layer | None:
    """Decodes Markdown in which a backslash precedes the first character of the answer."""
    return Layer(text, (0, len(text)), _BACKSLASH, lambda escape: escape[1]) if text[:start].endswith("\\") else None
