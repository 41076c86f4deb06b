"""Pieces of a text: where they stand in it, what may be cut into pieces and what stays whole, quotes and brackets.

Nothing is changed here: every piece is a part of the text, from `start` to `end`. What the pieces mean is for others
to say.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ...findings import Span
from ...markup import FENCES
from ..scalars.text import common_start, unfenced

__all__ = [
    "ANY_COMMA",
    "BAR",
    "COMMA",
    "SEMICOLON",
    "WHITE",
    "Items",
    "Piece",
    "View",
    "block_value",
    "folded",
    "is_bracketed",
    "is_quoted",
    "is_quoted_row",
    "trimmed",
    "unfenced_value",
    "unquoted",
    "unquoted_value",
    "unwrapped",
    "without_ends",
]

WHITE = " \t\r\n\u00a0\u3000\u200b\ufeff"
SEMICOLON = re.compile("[;\uff1b\u061b]")
BAR = re.compile(r"[ \t]\|[ \t]")
COMMA = re.compile(r",(?![0-9])|(?<![0-9]),|[\u3001\uff0c\u060c]")
"""A comma that is none of a number."""
ANY_COMMA = re.compile(r"[,\u3001\uff0c\u060c]")

_NESTING = re.compile(r"[\"\u201c\u201d`()\[\]{}\\]|(?<!\w)'|'(?!\w)")
_CLOSERS = {"(": ")", "[": "]", "{": "}", "\u201c": "\u201d", '"': '"', "`": "`", "'": "'"}
_BRACKETS = ("(", "[", "{")
_QUOTES = ('"', "'", "`", "\u201c")
_QUOTED = re.compile(r'"(?:[^"\\\n]++|\\[^\n])++"')
_SINGLE_QUOTED = re.compile(r"'(?:[^'\n]++|'')++'")
_CALLED = re.compile(r"[^\W\d][\w.]{0,99}+(?=\()")
_LINE = re.compile(r"[^\n]++")
_BREAKS = re.compile(r"[ \t]*+\n\s*+")
_BLOCK = re.compile(r"[|>][+-]?[0-9]?")


class Piece(NamedTuple):
    """A part of a text: its characters, and where they stand in it. `is_decoded`: they were escaped there."""

    text: str
    start: int
    end: int
    is_decoded: bool = False


class Items(NamedTuple):
    """The items of a list; how they were told apart; what stands before the first; or the readings, if there are two.

    `how` is one of `bullets`, `numbers`, `lines`, `semicolons`, `bars`, `commas`, `blanks` and, for a text that is
    one item, `whole`. `is_cut_short`: the text says that there are more.
    """

    items: list[Piece]
    how: str
    lead: Piece | None = None
    candidates: tuple[str, ...] = ()
    is_cut_short: bool = False


class View(NamedTuple):
    """A text, and the part of it that is looked at: what stands around that is seen, and is none of it."""

    text: str
    start: int
    end: int

    @property
    def inner(self) -> str:
        """The characters of the part."""
        return self.text[self.start : self.end]

    def piece(self, strip: str = WHITE) -> Piece:
        """The part without the white space at its ends."""
        return trimmed(*self, strip)

    def lines(self) -> list[Piece]:
        """The lines that are not blank, with their indentation, which may stand in front of the part."""
        start = self.text.rfind("\n", 0, self.start) + 1
        if not start or self.text[start : self.start].strip(WHITE):
            start = self.start
        lines = (Piece(match[0], match.start(), match.end()) for match in _LINE.finditer(self.text, start, self.end))
        return [line for line in lines if line.text.strip(WHITE)]

    def split(self, separator: re.Pattern[str]) -> list[Piece]:
        """What a separator stands between, empty pieces left out."""
        return self.between(self.cuts(separator))

    def between(self, cuts: Iterable[Span]) -> list[Piece]:
        """What stands between some places, empty pieces left out."""
        return [piece for piece in self.all_between(cuts) if piece.text]

    def all_between(self, cuts: Iterable[Span]) -> list[Piece]:
        """What stands between some places, empty pieces too."""
        pieces, start = [], self.start
        for cut_start, cut_end in (*cuts, (self.end, self.end)):
            pieces.append(trimmed(self.text, start, cut_start))
            start = cut_end
        return pieces

    def cuts(self, separator: re.Pattern[str]) -> list[Span]:
        """Where a separator stands outside of brackets and quotes."""
        found = [match.span() for match in separator.finditer(*self)]
        closed = list(self.brackets()) if found else []
        if not closed:
            return found
        behind = iter((*closed, (self.end, self.end)))
        start, end = next(behind)
        free = []
        for cut in found:
            while end <= cut[0]:
                start, end = next(behind)
            if cut[0] < start:
                free.append(cut)
        return free

    def brackets(self) -> Iterator[Span]:
        """The outermost brackets and quotes. One that is never closed is a character like any other."""
        waiting: list[tuple[str, int]] = []
        found: list[Span] = []
        for match in _NESTING.finditer(*self):
            char, place = match[0], match.start()
            if waiting and char == _CLOSERS[waiting[-1][0]]:
                found.append((waiting.pop()[1], place + 1))
            elif char in _CLOSERS and not (waiting and waiting[-1][0] in _QUOTES):
                waiting.append((char, place))
        last = self.start
        for first, behind in sorted(found):
            if first >= last:
                yield first, behind
                last = behind


def trimmed(text: str, start: int, end: int, strip: str = WHITE) -> Piece:
    """A part of a text without the white space, or other characters, at its ends."""
    inner = text[start:end]
    stripped = inner.strip(strip)
    if not stripped:
        return Piece("", start, start)
    begin = start + inner.index(stripped[0])
    return Piece(stripped, begin, begin + len(stripped))


def unwrapped(text: str) -> View:
    """A text without white space at its ends and the brackets around it."""
    view = View(text, *trimmed(text, 0, len(text))[1:3])
    start, end = view.start, view.end
    opener = text[start : start + 1]
    if opener in _BRACKETS and end - start > 1 and text[end - 1] == _CLOSERS[opener]:
        outer = next(view.brackets(), None)
        if outer == (start, end):
            return View(text, start + 1, end - 1)
    return view


def without_ends(text: str, pieces: list[Piece]) -> list[Piece]:
    """The pieces without the commas or semicolons at their ends, if each but the last has one."""
    if len(pieces) < 2 or not all(piece.text[-1:] in (",", ";") for piece in pieces[:-1]):
        return pieces
    return [trimmed(text, piece.start, piece.end, WHITE + ",;") for piece in pieces]


# Quotes and brackets around all of a piece


def is_bracketed(piece: Piece) -> bool:
    """Whether brackets are around all of a piece, or it is a call: behind its name."""
    name = _CALLED.match(piece.text)
    start = name.end() if name else 0
    return piece.text[start : start + 1] in _BRACKETS and (start, len(piece.text)) in list(
        View(piece.text, start, len(piece.text)).brackets()
    )


def is_quoted(piece: Piece) -> bool:
    """Whether a piece begins and ends with a quote of one kind."""
    text = piece.text
    return len(text) > 1 and text[0] in _QUOTES and text[-1] == _CLOSERS[text[0]]


def is_quoted_row(text: str) -> bool:
    """Whether a text is quoted texts with semicolons between them, in brackets or not, which is no JSON."""
    pieces = unwrapped(text).split(SEMICOLON) if ";" in text else []
    return len(pieces) > 1 and all(map(is_quoted, pieces))


def unquoted(pieces: list[Piece]) -> list[Piece]:
    """The pieces without their quotes, if each has some."""
    if not pieces or not all(map(is_quoted, pieces)):
        return pieces
    return [Piece(piece.text[1:-1], piece.start + 1, piece.end - 1) for piece in pieces]


def unquoted_value(piece: Piece) -> Piece:
    """A piece without the quotes around the whole of it, which YAML needs around some texts and not others. What is
    escaped between them is decoded: nobody escapes who does not write YAML.
    """
    if _SINGLE_QUOTED.fullmatch(piece.text) is not None:
        inner = piece.text[1:-1]
        if "''" in inner:
            return Piece(inner.replace("''", "'"), piece.start, piece.end, is_decoded=True)
        return Piece(inner, piece.start + 1, piece.end - 1)
    if _QUOTED.fullmatch(piece.text) is None:
        return piece
    if "\\" not in piece.text:
        return Piece(piece.text[1:-1], piece.start + 1, piece.end - 1)
    try:
        return Piece(json.loads(piece.text), piece.start, piece.end, is_decoded=True)
    except ValueError:
        return piece


def unfenced_value(piece: Piece) -> Piece:
    """A piece without the fence around the whole of it, and without the indentation of the fence."""
    if not piece.text.startswith(FENCES) or "\n" not in piece.text:
        return piece
    first, *lines = piece.text.split("\n")
    indent = lines[-1][: len(lines[-1]) - len(lines[-1].lstrip(" \t"))]
    if indent and all(line.startswith(indent) or not line.strip(WHITE) for line in lines):
        lines = [line[len(indent) :] for line in lines]
    text = "\n".join((first, *lines))
    bare = unfenced(text)
    return piece if bare == text else Piece(bare, piece.start, piece.end, is_decoded=True)


def block_value(piece: Piece) -> Piece:
    """The lines that stand below the sign of a block of YAML, without what all of them are indented by."""
    head, _break, below = piece.text.partition("\n")
    if not below or _BLOCK.fullmatch(head.rstrip(WHITE)) is None:
        return piece
    lines = below.split("\n")
    common = len(common_start([line[: len(line) - len(line.lstrip(" \t"))] for line in lines if line.strip(WHITE)]))
    text = "\n".join(line[common:] for line in lines)
    return Piece(text if head[0] == "|" else folded(text), piece.start, piece.end, is_decoded=True)


def folded(text: str) -> str:
    """Lines as one, of which a blank one is a line break: what YAML folds."""
    return _BREAKS.sub(lambda breaks: "\n" * (breaks[0].count("\n") - 1) or " ", text)
