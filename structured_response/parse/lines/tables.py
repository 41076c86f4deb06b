"""Tables: the objects or texts of a list, or the entries of a map, one in each row. Those of Markdown, of HTML, and of
cells with commas between them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

from ...markup import BLANK
from ..scalars.text import decode
from ..written import Bare, Fault, Members, Value, move_all
from .lines import undecorated

__all__ = ["is_html_table", "row_of_object", "table_of_entries", "table_of_objects", "table_of_texts"]

_CELL = re.compile(r"\|((?:[^|\\]|\\.)*+)(?=\|)")
_RULE = re.compile(r":?-++:?")
_HTML = re.compile(r"\s*+<table\b", re.IGNORECASE)
_HEAD = re.compile(r"<th\b", re.IGNORECASE)
_TAG = re.compile(r"<(/?t(?:able|r|h|d|head|body|foot))\b[^<>]*+>", re.IGNORECASE)
_BARRED = re.compile(r"(?:^[ \t]*+\|[^\n]*+(?:\n|\Z))++", re.MULTILINE)
_FIRST_CELL = re.compile(r"\s*+\|?[ \t]*+[*_`\"]{0,3}([^\W_](?:[\w.-]|[ ](?=\w)){0,60}+)[*_`\"]{0,3}[ \t]*+[|,;\t]")
_LINE = re.compile(r"[^\n]++")
_SEPARATORS = {
    sign: re.compile(
        rf'(?:(?<=\n)|(?<=\A)|(?<=[{sign}]))(?:[ \t]*+"((?:[^"\n]|"")*+)"[ \t\r]*+(?=[{sign}]|$)|([^{sign}\n]*+))',
        re.MULTILINE,
    )
    for sign in (",", ";", "\t", "|")
}


class _Cell(NamedTuple):
    """The text of a cell, and where it begins."""

    text: str
    start: int

    def value(self) -> Value:
        """The cell as a value."""
        return Value(Bare(self.text.replace("\\|", "|")), self.start, self.start + len(self.text))

    def name(self) -> Value:
        """The cell as a name, or as a key."""
        start, end = undecorated(self.text)
        return Value(self.text[start:end].replace("\\|", "|"), self.start + start, self.start + end)


def is_html_table(text: str) -> bool:
    """Whether a text begins as a table of HTML does."""
    return _HTML.match(text) is not None


def table_of_objects(text: str, is_name: Callable[[str], bool]) -> Value | None:
    """The list that a table is, its first row the names; None where a text is no table, or more than one. What has an
    empty cell lacks that field.
    """
    names, *rows = _rows(text) or _separated(text) or [[]]
    written = [str(cell.name().held) for cell in names]
    if not rows or len(set(written)) < len(written) or not all(map(is_name, written)):
        return None
    items = [[(name.name(), cell.value()) for name, cell in zip(names, row, strict=True) if cell.text] for row in rows]
    places = [(row[0].start, row[-1].start + len(row[-1].text)) for row in rows]
    return Value([Value(Members(pairs), *place) for pairs, place in zip(items, places, strict=True)], 0, len(text))


def row_of_object(text: str, is_name: Callable[[str], bool]) -> Value | None:
    """The object that the only row of a table is, its first row the names; with bars, it may stand between other lines.
    None where a text holds no such table.
    """
    tables = [*_BARRED.finditer(text)] if "|" in text else []
    start, end = tables[0].span() if len(tables) == 1 else (0, len(text))
    first = _FIRST_CELL.match(text, start)
    table = table_of_objects(text[start:end], is_name) if first and is_name(first[1]) else None
    if table is None or not isinstance(table.held, list) or len(table.held) != 1:
        return None
    move_all(table, start)
    return table.held[0]


def table_of_entries(text: str, is_value: Callable[[str], bool]) -> Value | None:
    """The map that a table of two columns is, below the row of what they are called, or without one: where no
    texts are asked for, a first row that holds a value is an entry like the others, and in HTML one without heads.
    """
    rows = _rows(text) or [[], *_bare_rows(text)]
    if any(len(row) != 2 for row in rows[1:]) or not rows[1:]:
        return None
    if len(rows[0]) == 2 and (is_value(rows[0][1].text) or _has_no_head(text)):
        rows = [[], *rows]
    return Value(Members([(key.name(), cell.value()) for key, cell in rows[1:]]), 0, len(text))


def _has_no_head(text: str) -> bool:
    """Whether a text is a table of HTML whose first row is of plain cells."""
    return _HTML.match(text) is not None and _HEAD.search(text, 0, text.lower().find("</tr")) is None


def table_of_texts(text: str) -> Value | None:
    """The list that the rows of a table are; of several columns nobody knows which one it is."""
    rows = _rows(text)
    if not rows:
        return None
    if len(rows[0]) > 1:
        fault = Fault((0, len(text)), "a table of several columns, where a list of single values is asked for")
        return Value([], 0, len(text), fault=fault)
    return Value([cell.value() for (cell,) in rows[1:]], 0, len(text))


def _rows(text: str) -> list[list[_Cell]]:
    """The cells of a table, row by row, without the rule below the first; none where a text is no table."""
    if _HTML.match(text):
        return _html_rows(text)
    rows = _bare_rows(text)
    is_table = len(rows) > 2 and all(_RULE.fullmatch(cell.text) for cell in rows[1])
    return [rows[0], *rows[2:]] if is_table and rows[1] and len(set(map(len, rows))) == 1 else []


def _bare_rows(text: str) -> list[list[_Cell]]:
    """The cells of lines with bars, row by row, empty where a line has none."""
    rows: list[list[_Cell]] = []
    position = 0
    for line in text.split("\n"):
        if line.strip(BLANK):
            rows.append(_cells(line, position))
        position += len(line) + 1
    return rows


def _html_rows(text: str) -> list[list[_Cell]]:
    """The cells of a table of HTML, whose texts are decoded; none where rows have more than others."""
    rows: list[list[_Cell]] = []
    tags = [*_TAG.finditer(text)]
    for tag, following in pairwise(tags):
        name = tag[1].lower()
        if name == "tr":
            rows.append([])
        elif name in ("td", "th") and rows:
            inner = text[tag.end() : following.start()]
            start = tag.end() + len(inner) - len(inner.lstrip(BLANK))
            rows[-1].append(_Cell(decode(inner.strip(BLANK)), start))
    rows = [row for row in rows if row]
    return rows if len(set(map(len, rows))) == 1 and len(rows) > 1 else []


def _separated(text: str) -> list[list[_Cell]]:
    """The cells of lines that have as many commas, semicolons, tabs or bars, of several columns."""
    lines = [line for line in _LINE.finditer(text) if line[0].strip(BLANK)]
    signs = [sign for sign in _SEPARATORS if sign in text] if len(lines) > 1 else []
    for separator in map(_SEPARATORS.__getitem__, signs):
        rows = [[_unquoted(cell) for cell in separator.finditer(text, *line.span())] for line in lines]
        if len(set(map(len, rows))) == 1 < len(rows[0]):
            is_ruled = all(_RULE.fullmatch(cell.text) for cell in rows[1])
            return [rows[0], *rows[2:]] if is_ruled else rows
    return []


def _unquoted(cell: re.Match[str]) -> _Cell:
    """A cell without its quotes, in which quotes are doubled."""
    if cell[1] is not None:
        return _Cell(cell[1].replace('""', '"'), cell.start(1))
    bare = cell[2].strip(BLANK)
    return _Cell(bare, cell.start(2) + len(cell[2]) - len(cell[2].lstrip(BLANK)))


def _cells(line: str, start: int) -> list[_Cell]:
    """The cells of a row, which has bars at both ends; none where a line is none."""
    bare = line.strip(BLANK)
    if not (bare.startswith("|") and bare.endswith("|")):
        return []
    found = [(cell[1], start + cell.start(1)) for cell in _CELL.finditer(line)]
    return [_Cell(text.strip(BLANK), place + len(text) - len(text.lstrip(BLANK))) for text, place in found]
