"""Reads values in a row, between semicolons, bars or commas: items, the values of tuples, tables of Markdown."""

from __future__ import annotations

import re
from collections.abc import Callable

from ..definition import SCALARS
from .lines import label_at, lines_of, read_bullets, read_rows
from .parts import ITEM, Part, Parts, Place, Span, UnclearError, between, closing, cut, part_of, trimmed, unquoted
from .values import reads

_SEMICOLON = "[;\uff1b\u061b]"
_SURE = rf"{_SEMICOLON}|<br\s*/?>|[ \t]\|[ \t]|[ \t][\u2022\u25e6\u2023\u25aa\u25cf\u25cb\u00b7][ \t]"
_COMMA = r",(?![0-9])|(?<![0-9]),|[\u3001\uff0c\u060c]"
_ANY_COMMA = r"[,\u3001\uff0c\u060c]"
_SLASH = r"[ \t]/[ \t]"
_RANGES = (
    r"[ \t](?:[-\u2013\u2014]|to|until|through)[ \t]",
    r"(?<=[0-9%])[-\u2013\u2014](?=[0-9$\u20ac\u00a3])",
    r"(?<=[0-9])[ \t]?[/:x\u00d7][ \t]?(?=[0-9])",
)
_BETWEEN_DIGITS = re.compile(r"[0-9][ \u00a0,][0-9]")
_NUMBERS = re.compile(r"(?!.*(?<![0-9.])[0-9]{1,3} [0-9]{3}(?![0-9.]))[-+]?[0-9.]+(?:[ \t]+[-+]?[0-9.]+)+")
"""Numbers with nothing but blanks between them, none of which may separate thousands."""
_AND = re.compile(r"(?:^|[ \t])(?:and|&(?:amp;)?)[ \t]+", re.IGNORECASE)
_SHORT = 3
"""Words that an item between commas may have."""
_CLAUSE = frozenset(
    """am is are was were be it its im youre theyre thats isnt dont i you we they he she this that these those which
    who what but because although though however so if when while where will would can could should may might must
    has have had do does did not really actually overall indeed therefore mostly""".split()  # noqa: SIM905 - shorter
)
"""Words that show that a part of a text is a clause or a remark, not an item of a list."""


def read_separated(place: Place) -> Parts:
    """Returns the items between semicolons, bars or dots, or between commas or slashes if they are short or typed.

    Numbers may also have only blanks between them.
    """
    view = _unwrapped(place)
    pieces = [] if "\n" in view.inner else cut(view, _SURE)
    if len(pieces) > 1:
        return _items(place, pieces)
    is_item, is_number = _item_test(view), _is_number(place)
    item = view.shape.item
    is_typed = item is not None and item.is_text and not item.is_verbatim
    for separator, least in () if "\n" in view.inner else ((_COMMA, 2), (_SLASH, 3)):
        pieces = _without_and(view.text, cut(view, separator), 1 if is_typed else 2)
        if len(pieces) >= least and all(map(is_item, pieces)):
            return _items(place, pieces)
    pieces = cut(view, r"[ \t]+" if _NUMBERS.fullmatch(view.inner) else _ANY_COMMA) if is_number else []
    is_one = is_number and _BETWEEN_DIGITS.search(view.inner) and is_item((view.start, view.end))
    if is_one or (len(pieces) > 1 and not all(map(is_item, pieces))):
        raise UnclearError
    return _items(place, pieces) if len(pieces) > 1 else []


def read_pairs(place: Place) -> Parts:
    """Returns the entries of a map that is one line, between semicolons or commas. Their values must not be texts."""
    value = place.shape.value
    if value is None or not value.is_text or value.is_verbatim or "\n" in place.inner:
        return []
    for separator in (_SURE, _COMMA):
        labels = [(label_at(place, *piece), piece[1]) for piece in cut(_unwrapped(place), separator)]
        parts = [part_of(place, label.name, label.start, label.inner, end, True) for label, end in labels if label]
        texts = [place.text[part.inner : part.end] for part in parts]
        if 1 < len(parts) == len(labels) and all(reads(value.node, text) for text in texts):
            return between(parts, place)
    return []


def _is_number(place: Place) -> bool:
    item = place.shape.item
    return item is not None and all(part.kind in ("int", "float", "decimal") for part in item.parts)


def _item_test(view: Place) -> Callable[[Span], bool]:
    """Returns a function that tests whether a span between commas can be an item."""
    item = view.shape.item
    assert item is not None
    is_text = item.is_verbatim or not item.takes_text

    def is_item(span: Span) -> bool:
        text = view.text[slice(*span)]
        if not text:
            return False
        if text[0] in "([{\"'\u201c" and closing(text) == len(text):
            return True
        if is_text:
            return item.takes_text and _is_short(text)
        if _is_number(view) and text[0].isalpha():
            return False  # `1, 3, total 4`
        return any(part.kind in SCALARS and reads(part, text) for part in item.parts)

    return is_item


def _is_short(text: str) -> bool:
    """Returns whether a text is only a few words that do not form a clause."""
    words = [word.strip('.!?:()"*_').replace("'", "").replace("\u2019", "") for word in text.lower().split()]
    return 0 < len(words) <= _SHORT and _CLAUSE.isdisjoint(words)


def _without_and(text: str, pieces: list[Span], least: int = 2) -> list[Span]:
    """Returns the pieces between commas, the last one split at its `and`: `red, green and blue`, `red, and blue`."""
    if len(pieces) < least:
        return pieces
    start, end = pieces[-1]
    if text[end - 1] == "." and "." not in text[pieces[0][0] : end - 1]:
        end -= 1
    found = _AND.search(text[start:end])
    if found is None:
        return [*pieces[:-1], trimmed(text, start, end)]
    first = [trimmed(text, start, start + found.start())] if found.start() else []
    return [*pieces[:-1], *first, trimmed(text, start + found.end(), end)]


def _items(place: Place, pieces: list[Span], is_each: bool = False) -> Parts:
    """Returns items that include the separators and brackets around them, so that these are not left over."""
    parts = [Part(ITEM, start, start, end, end) for start, end in pieces if start < end]
    return between(unquoted(place, parts, is_each), place)


def _unwrapped(place: Place) -> Place:
    inner = place.inner
    is_row = len(inner) > 1 and inner[0] == inner[-1] == "|"
    is_wrapped = is_row or (inner[0] in "([" and closing(inner) == len(inner))
    return place.within(place.start + 1, place.end - 1) if is_wrapped else place


def read_whole(place: Place) -> Parts:
    """Returns the text as the only item, unless it seems to hold several."""
    if _SEVERAL.match(place.text, place.start, place.end) is not None:
        raise UnclearError
    return [part_of(place, ITEM, place.start, place.start, place.end)]


_SEVERAL = re.compile(
    r"(?:.*[:=]\s*+)?[\[{]\s*+[\"'\[{]|(?:\"[^\"\n]*\"\s++)+\"[^\"\n]*\"\Z|(?:[^\s@]++@\S++\s++)+[^\s@]++@\S++\Z"
    r"|(?:\|[^|\n]++){2,}\|\Z|(?:#[^\W\d]\w*+\s++)+#\w++\Z",
    re.DOTALL,
)
"""JSON with words around it, quoted texts, addresses, cells of a table, or hashtags."""

_SORTS = {
    **dict.fromkeys(("int", "float", "decimal"), "number"),
    **dict.fromkeys(("date", "datetime"), "moment"),
    "time": "time",
    "duration": "duration",
}
"""Kinds of values that have ranges, by the sort that both ends share."""


def read_tuple(place: Place) -> Parts:
    """Returns the values of a tuple in lines, between semicolons or commas, or as the ends of a range."""
    nodes = place.shape.parts[0].parts
    if len(lines_of(place)) > 1:
        rows = read_bullets(place) or read_rows(place)
        return rows if len(rows) == len(nodes) else []
    view = _unwrapped(place)
    sorts = {_SORTS.get(node.kind) for node in nodes}
    are_ends = len(nodes) == 2 and len(sorts) == 1 and None not in sorts
    more = _RANGES if are_ends else _RANGES[2:] if sorts == {"number"} else ()  # `60 x 40 x 35 cm`
    for separator in (_SEMICOLON, _COMMA, _ANY_COMMA, *more):
        pieces = cut(view, separator)
        joined = _without_and(view.text, pieces)
        pieces = joined if len(joined) == len(nodes) else pieces
        texts = [view.text[slice(*span)] for span in pieces]
        if len(pieces) != len(nodes) or not all(texts):
            continue
        if separator in _RANGES and any(text[0] in "+-\u2212" for text in texts):
            return []
        if all(node.kind not in SCALARS or reads(node, text) for node, text in zip(nodes, texts, strict=True)):
            return _items(place, pieces, is_each=True)
    return []


# Tables

_LINE = re.compile(r"[ \t\r]*+[^\s][^\n]*+")
_CELL = re.compile(r"([^|\n]*+)\|")
_RULER = re.compile(r"[ \t]*:?-++:?[ \t]*")


def read_table(place: Place) -> Parts:
    """Returns the rows of a table: objects whose fields the header names, or lists, the header first."""
    rows, item = _rows(place), place.shape.item
    if not rows:
        return []
    names = [place.text[slice(*cell)].strip("*`\"'") for cell in rows[0]]
    if item is not None and item.fields:
        if len({field.name for name in names if (field := place.field(name)) is not None}) < len(names):
            raise UnclearError
        rows = rows[1:]
    elif item is not None and item.item is not None:
        names = [ITEM] * len(names)
    else:
        raise UnclearError
    return between([_row(place, names, row) for row in rows], place)


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
