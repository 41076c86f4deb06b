"""What stands in the reply in another writing: escaped as HTML or Markdown, inside a JSON string, quoted as in a mail,
or, in an element, as XML has it.

That is written back once, and where each of its characters came from is kept, so that findings still name
places in the reply as it came.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace

from ...definition import fold
from ...findings import Problem, Repair, Span
from ..json.json_text import scan_json
from ..reading import LimitReachedError
from ..scalars.text import COMMENT, SECTION, decode, is_escaped
from ..written import Bare, Members, Value

__all__ = [
    "Layer",
    "in_brackets",
    "in_element",
    "in_escapes",
    "in_html",
    "in_json_string",
    "in_mail",
    "in_markdown",
    "in_references",
]

_REFERENCES = re.compile(r"&(?:#[0-9]{1,8}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{0,31});")
_WRITTEN = re.compile(rf"<!\[CDATA\[(?s:.*?)\]\]>|<!--(?s:.*?)-->|{_REFERENCES.pattern}")
_ESCAPES = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.", re.DOTALL)
_ANSWER = re.compile(r"(?:[ \t]|\\[nrt])*+[<{\[]")
_STRING = re.compile(r"\"((?:[^\"\\\n]++|\\[^\n])*+)(?:\"|\Z)")
_QUOTES = re.compile(r"(?<!\\)\"")
_OPENER = re.compile(r"[{\[](?=\s*+[\"{\[])")
_MAIL = re.compile(r"^>[ \t>]*+(?=<[^\W\d]|[{\[]|```|~~~)", re.MULTILINE)
_QUOTED = re.compile(r"(?:>[^\n]*+(?:\n|\Z)(?:[ \t\r]*+\n(?=>))*+)++")
_MARK = re.compile(r"^> ?", re.MULTILINE)
_BRACKETS = re.compile(r"[<{]")
_MARKDOWN = re.compile(r"\\[!-/:-@\[-`{-~]")
"""What Markdown escapes: any punctuation of ASCII."""
_BRACKETED = re.compile(r"\[(/?)([^\W\d][\w.-]{0,100}+)\]")
_PLAIN_TAG = re.compile(r"(?<!\\)<[/A-Za-z]")
_LETTERS = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}


class Layer:
    """A text that was made of another one. `origins` pairs places of it with the places that they came from.
    `is_string`: of JSON, or of a string of it.
    """

    def __init__(
        self, source: str, span: Span, escapes: Iterable[re.Match[str]], decoded: Callable[[str], str]
    ) -> None:
        self.is_string = decoded is _unescaped
        self.places = [0]
        self.origins = [span[0]]
        self.source = source
        parts: list[str] = []
        known: dict[str, str] = {}  # a few escapes stand there many times
        length, position = 0, span[0]
        for match in escapes:
            start, end = match.span()
            escape = match[0]
            text = known.get(escape)
            if text is None:
                text = known[escape] = decoded(escape)
            parts += (source[position:start], text)
            length += start - position
            position = end
            self.places += (length, length + len(text))
            self.origins += (start, end)
            length += len(text)
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
    is_escaped_once = "&lt;" in text or "&amp;lt;" in text
    return Layer(text, (0, len(text)), _REFERENCES.finditer(text), decode) if is_escaped_once else None


def in_references(text: str) -> Layer | None:
    """The text with its references decoded, where the quotes of its JSON are references."""
    layer = Layer(text, (0, len(text)), _REFERENCES.finditer(text), decode)
    layer.is_string = True
    return layer


def in_markdown(text: str, start: int) -> Layer | None:
    """The text without Markdown's escapes, where the bracket at `start` has one and no tag behind it has none."""
    if not start or text[start - 1] != "\\" or _PLAIN_TAG.search(text, start):
        return None
    return Layer(text, (0, len(text)), _MARKDOWN.finditer(text), lambda escape: escape[1])


def in_brackets(text: str, names: Collection[str]) -> Layer | None:
    """The text with angle brackets in place of the square ones of tags, where any of the names has both of its tags."""
    tags = [tag for tag in _BRACKETED.finditer(text) if fold(tag[2]) in names]
    closed = {fold(tag[2]) for tag in tags if tag[1]}
    if not any(not tag[1] and fold(tag[2]) in closed for tag in tags):
        return None
    return Layer(text, (0, len(text)), tags, lambda tag: f"<{tag[1:-1]}>")


def in_mail(text: str) -> Layer | None:
    """The text without the marks before the lines of a quoted answer; None where the first that could be one does not
    begin such a line, or runs over no more than that.
    """
    found = _MAIL.search(text) if ">" in text else None
    if found is None or _BRACKETS.search(text, 0, found.start()):
        return None
    quoted = _QUOTED.match(text, found.start())
    marks = list(_MARK.finditer(text, *quoted.span())) if quoted is not None else []
    return Layer(text, (0, len(text)), marks, lambda mark: "") if len(marks) > 1 else None


def in_element(text: str, span: Span) -> Layer | None:
    """The text of an element with its references decoded, its sections opened and its comments left out. None where it
    has neither, or where its author was not escaping.
    """
    inner = text[slice(*span)]
    if not ("&" in inner or SECTION in inner) or not is_escaped(inner):
        return None
    layer = Layer(text, span, _WRITTEN.finditer(text, *span), _plain)
    return layer if layer.text != inner else None


def _plain(written: str) -> str:
    """What a reference, a section or a comment stands for."""
    if written.startswith(SECTION):
        return written[len(SECTION) : -len("]]>")]
    return "" if written.startswith(COMMENT) else decode(written)


def in_json_string(text: str, start: int, first: int | None = None) -> Layer | None:
    """The JSON string in which a tag or bracket at `start` stands, decoded; None where that is in none, or the string
    has no escapes. JSON that holds the string begins before `first`, the first tag that could be an answer's.
    """
    quote = _quote_before(text, start)
    place = _string_around(text, start, start if first is None else first) if quote is None else quote
    match = None if place is None else _STRING.match(text, place)
    if match is None or "\\" not in match[1] or match.end(1) <= start:
        return None
    return Layer(text, match.span(1), _ESCAPES.finditer(text, *match.span(1)), _unescaped)


def in_escapes(text: str, start: int) -> Layer | None:
    """The text, decoded from the bracket at `start` on, where all quotes up to the last bracket are escaped: JSON out
    of a string of which only the quotes are missing.
    """
    end = max(text.rfind("}"), text.rfind("]")) + 1
    if end <= start or _QUOTES.search(text, start, end):
        return None
    return Layer(text, (0, len(text)), _ESCAPES.finditer(text, start, end), _unescaped)


def _quote_before(text: str, start: int) -> int | None:
    """The quote that opens a string which begins with a tag or a bracket, on the line of the one at `start`."""
    quotes = [quote.start() for quote in _QUOTES.finditer(text, text.rfind("\n", 0, start) + 1, start)]
    is_open = len(quotes) % 2 and _ANSWER.match(text, quotes[-1] + 1)  # those before it close what is quoted there
    return quotes[-1] if is_open else None


def _string_around(text: str, start: int, first: int) -> int | None:
    """The quote of the string in which a place stands, where that is a value of JSON, or all of the text."""
    opener = _OPENER.search(text, 0, first)
    while opener is not None:
        try:
            scanned = scan_json(text, opener.start(), takes_lists=True)
        except LimitReachedError:
            return None
        if scanned.value is not None and scanned.end > start:
            return next((one.start for one in _strings(scanned.value) if one.start < start < one.end), None)
        opener = _OPENER.search(text, scanned.end, first)
    whole = text.lstrip()
    return len(text) - len(whole) if whole.startswith('"') else None


def _strings(value: Value) -> Iterator[Value]:
    """The values of some data that are texts in quotes."""
    waiting = [value]
    while waiting:
        value = waiting.pop()
        held = value.held
        if isinstance(held, Members):
            waiting += [member for _key, member in held.pairs]
        elif isinstance(held, list):
            waiting += held
        elif isinstance(held, str) and not isinstance(held, Bare):
            yield value


def _unescaped(escape: str) -> str:
    if escape[1] == "u" and len(escape) > 2:
        units = bytes.fromhex(escape.replace("\\u", ""))
        return units.decode("utf-16-be", "replace")
    return _LETTERS.get(escape[1], escape[1])
