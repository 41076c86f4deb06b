"""Sloppy JSON -> JSON to the letter, by one pass over what is sloppy in it.

Quotes of other kinds or none around names, texts over several lines, comments, commas before a closing bracket and
Python's words have one meaning as long as all else is JSON: they are put in JSON's own form, and the JSON scanner of
Python's own library reads the whole. Where that finds a fault, or where a piece has no form here, `json_text` reads it
all, which knows what else people write, and gives the same for this.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Collection
from typing import Any, NamedTuple

from ...definition import Path, fold
from ...findings import Span
from ...markup import SURROGATE
from ..json.json_forms import BARE_NAME, LOOSE_STRING, NAME_END, SINGLE_NAME, STRING, WORDS, quoted, unescaped
from ..written import Change
from .clean_json import Placed, decoded

__all__ = ["Mended", "mend_json"]

_COMMENT = r"(?:(?://|\#)[^\n]*+\n|/\*(?:[^*]|\*(?!/))*+\*/)"
_PIECE = re.compile(
    rf"""
    ((?: [ \t\r\n{{}}\[\]:]++ | {STRING} | -?[0-9][0-9.eE+-]*+ | (?:true|false|null)(?=[ \t\r\n,}}\]])
        | ,(?=[ \t\r\n]*+["'A-Za-z_0-9\[{{-]) )*+)
    (?: ('{SINGLE_NAME}'|{BARE_NAME}){NAME_END}
        | ({LOOSE_STRING})(?![ \t\r\n]*+:)
        | (True|False|None)(?=[ \t\r\n,}}\]])
        | ,(?=[ \t\r\n]*+{_COMMENT}?+[ \t\r\n]*+([}}\]])|[ \t\r\n]*+({_COMMENT}))
        | ({_COMMENT})(?=[ \t\r\n]*+[^:/\#\s])
    )?+
    """,
    re.VERBOSE,
)
"""What is JSON already, and the piece behind it that is not: a name, a text, a word, a comma, or a comment."""
_MARK = "\ue000"
"""What a text begins with, in front of its number, that stands for one whose characters were changed."""


class Mended(NamedTuple):
    """Data as `clean_json.decoded` gives it, and where it ends. `changes` has the first of each sort that leaves all
    values as they are, `changed` those of single values, with their paths.
    """

    data: Any
    end: int
    changes: list[Change]
    changed: list[Placed]


def mend_json(text: str, start: int, known: Collection[str], takes_lists: bool) -> Mended | None:
    """What stands from the bracket at `start` on, with `known` and `takes_lists` as `scan_json` has them; None where it
    is JSON already, or none that can be mended so.
    """
    if text.startswith("[", start) and not takes_lists and not _OBJECTS.match(text, start):
        return None
    mender = _Mender(text, start, known)
    return mender.mended() if mender.run() and mender.places else None


class _Mender:
    """Mends one text. `places` has, for each piece that was mended, where it ends in the mended text, and where in the
    one that was written.
    """

    def __init__(self, text: str, start: int, known: Collection[str]) -> None:
        self.text = text
        self.start = start
        self.known = known
        self.parts: list[str] = []
        self.length = 0
        self.places: list[tuple[int, int]] = []
        self.sorts: dict[str, tuple[int, Change]] = {}
        self.texts: list[tuple[str, Change]] = []

    def run(self) -> bool:
        """Mends all up to where nothing can be. Tells whether all that was mended could be."""
        position = self.start
        while (piece := _PIECE.match(self.text, position)) is not None:
            self.put(piece[1])
            sort = piece.lastindex
            if piece.end() == piece.end(1):
                return True
            mended = _MENDERS[sort or 0](self, piece)
            if mended is None:
                return False
            self.put(mended)
            position = piece.end()
            self.places.append((self.length, position))
        return False

    def put(self, part: str) -> None:
        self.parts.append(part)
        self.length += len(part)

    def mended(self) -> Mended | None:
        found = decoded("".join(self.parts), 0)
        if found is None or (self.texts and _MARK in self.text):
            return None
        index = bisect_right(self.places, (found[1], 0)) - 1
        behind, before = self.places[index] if index >= 0 else (0, self.start)
        end = before + found[1] - behind
        changed: list[Placed] = []
        data = self.restored(found[0], (), changed) if self.texts else found[0]
        notes = sorted(note for note in self.sorts.values() if note[0] < end)
        return Mended(data, end, [change for _place, change in notes], changed)

    def restored(self, data: Any, path: Path, changed: list[Placed]) -> Any:
        """The data with the texts that were changed in place of their marks."""
        if type(data) is tuple:
            return tuple([(key, self.restored(value, (*path, key), changed)) for key, value in data])
        if type(data) is list:
            return [self.restored(item, (*path, index), changed) for index, item in enumerate(data)]
        if type(data) is not str or not data.startswith(_MARK):
            return data
        text, change = self.texts[int(data[1:])]
        changed.append((path, change))
        return text

    def note(self, sort: str, place: int, span: Span, after: str) -> None:
        if sort not in self.sorts:
            self.sorts[sort] = place, Change(span, self.text[slice(*span)], after)

    def name(self, piece: re.Match[str]) -> str | None:
        name = piece[2]
        is_bare = name[0] != "'"
        if is_bare and not any(":" in part for part in self.parts) and self.known and fold(name) not in self.known:
            return None  # a bracket of prose
        after = f'"{name}":' if is_bare else f'"{name[1:-1]}":'
        self.note("quote", piece.start(2), (piece.start(2), piece.end()), after)
        return after

    def value(self, piece: re.Match[str]) -> str | None:
        source = piece[3]
        text = unescaped(source[1:-1])
        if not text.isascii() and SURROGATE.search(text):
            return None
        after = quoted(text)
        if source[1:-1] == after[1:-1]:
            self.note("quote", piece.start(3), piece.span(3), after)
            return after
        self.texts.append((text, Change(piece.span(3), source, after)))
        return f'"{_MARK}{len(self.texts) - 1}"'

    def word(self, piece: re.Match[str]) -> str | None:
        after = WORDS[piece[4]].after or piece[4]
        self.note("word", piece.start(4), piece.span(4), after)
        return after

    def last_comma(self, piece: re.Match[str]) -> str | None:
        before = next(part for part in reversed(self.parts) if part.strip())
        if before.rstrip()[-1] in "{[":
            return None
        self.note("comma", piece.start(5), (piece.end() - 1, piece.end()), "")
        return " "

    def comma(self, piece: re.Match[str]) -> str | None:
        return ","

    def comment(self, piece: re.Match[str]) -> str | None:
        if '"' in piece[7] or "'" in piece[7]:
            before = next((part for part in reversed(self.parts) if part.strip()), "").rstrip()
            if before.endswith('"'):
                return None  # perhaps it is of the text in front of it
        self.note("comment", piece.start(7), piece.span(7), " ")
        return " "


_OBJECTS = re.compile(r"\[[ \t\r\n]*+\{")
_MENDERS: dict[int, Callable[[_Mender, re.Match[str]], str | None]] = {
    2: _Mender.name,
    3: _Mender.value,
    4: _Mender.word,
    5: _Mender.last_comma,
    6: _Mender.comma,
    7: _Mender.comment,
}
