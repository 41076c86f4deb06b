"""The rows of an outline: its lines, and what stands on them behind bullets, each as deep as it is indented."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ...markup import FENCES
from .lines import fenced, lines_of

__all__ = ["Row", "rows_of"]

_BULLET = re.compile(r"(?:[-*+\u2022]|[0-9]{1,3}[.)])(?:[ \t]++|\Z)")
_BLANKS = re.compile(r"[ \t]*+")
_LEADS = ":\uff1a"
_TAB = 4
"""Columns of a tab."""


class Row(NamedTuple):
    """A line, or what stands on it behind a bullet: how deep, from where to where, and whether it is the bullet."""

    column: int
    start: int
    end: int
    is_bullet: bool


def rows_of(text: str, start: int, end: int, is_known: bool) -> list[Row]:
    """The rows of a part of a text. How deep the first one is may not be known: then as deep as the others tell, unless
    it leads to them.
    """
    rows = list(_rows(text, start, end))
    leads = bool(rows) and text[rows[0].end - 1] in _LEADS and not rows[0].is_bullet
    return _aligned(rows, is_known or leads)


def _rows(text: str, start: int, end: int) -> Iterator[Row]:
    """The lines that are not blank, and what stands behind their bullets."""
    begin = text.rfind("\n", 0, start) + 1
    in_fences = fenced(text[begin:end])
    last = 0
    for offset, line in lines_of(text[begin:end]):
        place = max(start - begin - offset, 0)
        place = _BLANKS.match(line, place).end()  # type: ignore[union-attr]
        column = len(line[:place].expandtabs(_TAB))
        if offset in in_fences or (line.startswith(FENCES, place) and offset):  # belongs to the line above
            if place < len(line):
                yield Row(max(column, last + 1), begin + offset + place, begin + offset + len(line), False)
            continue
        while bullet := _BULLET.match(line, place):
            yield Row(column, begin + offset + place, begin + offset + len(line), True)
            column += len(bullet[0].expandtabs(_TAB)) + (bullet.end() == len(line))
            place = bullet.end()
        if place < len(line):
            yield Row(column, begin + offset + place, begin + offset + len(line), False)
            last = column


def _aligned(rows: list[Row], is_known: bool) -> list[Row]:
    """The rows with the first one as deep as the others tell: as those that are indented least, or, where it has a
    bullet and these have none, in front of them.
    """
    line_end = rows[0].end if rows else 0
    others = [row for row in rows if row.end != line_end]
    if is_known or not others:
        return rows
    least = min(row.column for row in others)
    if least <= rows[0].column:
        return rows
    is_held = rows[0].is_bullet and any(not row.is_bullet and row.column == least for row in others)
    shift = least - rows[0].column - (2 if is_held else 0)
    return [row._replace(column=row.column + shift) if row.end == line_end else row for row in rows]
