"""Reads tables of Markdown, with rows as objects or as lists."""

from __future__ import annotations

import re

from .grammar import Shape
from .parts import ITEM, Part, Parts, Place, Span, UnclearError, between, trimmed
from .values import reads

_LINE = re.compile(r"[ \t\r]*+[^\s][^\n]*+")
_CELL = re.compile(r"([^|\n]*+)\|")
_RULER = re.compile(r"[ \t]*:?-++:?[ \t]*")


def read_table(place: Place) -> Parts:
    """Returns the rows of a table: objects whose fields the header names, or lists.

    The header is the first of the lists unless it can only name the columns.
    """
    rows, item = _rows(place), place.shape.item
    if not rows:
        return []
    names = [place.text[slice(*cell)].strip("*`\"'") for cell in rows[0]]
    if item is not None and item.fields:
        if len({field.name for name in names if (field := place.field(name)) is not None}) < len(names):
            raise UnclearError
        rows = rows[1:]
    elif item is not None and item.item is not None:
        rows = rows[_is_header(place, item, names) :]
        names = [ITEM] * len(names)
    else:
        raise UnclearError
    return between([_row(place, names, row) for row in rows], place)


def _is_header(place: Place, item: Shape, names: list[str]) -> bool:
    """Returns whether no cell of a row can be a value of its column, texts aside."""
    shapes = [item.item_at(index) for index in range(len(names))]
    typed = [
        reads(shape.node, name)
        for shape, name in zip(shapes, names, strict=True)
        if shape is not None and shape.is_text and not shape.is_verbatim
    ]
    return typed != [] and not any(typed)


def _rows(place: Place) -> list[list[Span]]:
    """Returns the cells of a table, row by row, without the ruler. Empty if the text is not a table."""
    rows = []
    for line in _LINE.finditer(place.text, place.start, place.end) if place.text[place.start] == "|" else ():
        first, last = trimmed(place.text, *line.span())
        if place.text[first] != "|" or place.text[last - 1] != "|":
            return []
        cells = [match.span(1) for match in _CELL.finditer(place.text, first + 1, last)]
        rows.append([trimmed(place.text, *cell) if cell[0] < cell[1] else cell for cell in cells])
    if len(rows) < 3 or not rows[1] or not all(_RULER.fullmatch(place.text, *cell) for cell in rows[1]):
        return []
    if "\\|" in place.inner:
        raise UnclearError
    return [rows[0], *rows[2:]] if len({len(row) for row in rows}) == 1 else []


def _row(place: Place, names: list[str], row: list[Span]) -> Part:
    """Returns a row with its non-empty cells, the bars between them included."""
    first, last = row[0][0], row[-1][1]
    cells = [Part(name, start, start, end, end) for name, (start, end) in zip(names, row, strict=False) if start < end]
    filled = between(cells, place._replace(start=first, end=last))
    return Part(ITEM, first, first, last, last, tuple(cell for cell in filled if not _is_null(place, cell)))


def _is_null(place: Place, cell: Part) -> bool:
    field = place.field(cell.name)
    return field is not None and field.node.nullable is True and place.text[cell.inner : cell.end] in _DASHES


_DASHES = ("-", "--", "\u2013", "\u2014")
