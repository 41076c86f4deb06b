"""A list in one line: its items between semicolons, bars, commas, `and` or blanks, where that is what these are for."""

from __future__ import annotations

import re

from ...definition import Node
from ..scalars.loose import words_of
from ..scalars.scalars import reads
from ..scalars.separators import is_grouped
from .split_text import (
    ANY_COMMA,
    BAR,
    COMMA,
    SEMICOLON,
    WHITE,
    Items,
    Piece,
    View,
    is_bracketed,
    is_quoted,
    trimmed,
    unquoted,
)

__all__ = ["are_few_words", "is_number", "items_between_signs", "texts_of_line", "values_of_line", "without_and"]

_DOT = re.compile(r"(?<=\S)[ \t]+[\u2022\u25e6\u2023\u25aa\u25cf\u25cb\u00b7][ \t]+(?=\S)")
_SIGNS = (("semicolons", SEMICOLON), ("bars", BAR), ("bullets", _DOT))
_BLANKS = re.compile(r"[ \t]+")
_VALUE_SIGNS = (("commas", COMMA), ("commas", ANY_COMMA), ("blanks", _BLANKS))
"""What may separate values, the surer first."""
_AND = re.compile(r"(?:and|&)[ \t]+", re.IGNORECASE)
_LAST_AND = re.compile(r"[ \t](?:and|&)[ \t]", re.IGNORECASE)
_IN_NAME = re.compile(r"\w[@\\._]\w|://|\w/\w\S*/")
"""What tells addresses, paths and identifiers, whose letters between signs are no words."""
_ADDRESS = re.compile(r"\w@\w|://")
_BETWEEN_NAMES = re.compile(r"[ \t]+(?:(?:and|&)[ \t]+)?", re.IGNORECASE)
_HOLDERS = ("dict", "list", "map", "tuple", "union", "any")
_NUMBERS = ("int", "float", "decimal")
_FRONT = re.compile(r"[^0-9]*+(?=[0-9])")
_QUIET = frozenset(("and", "also", "then", "finally", "about", "approx", "around", "roughly", "minus"))
"""Words before a number among others that say nothing of those."""
_SHORT = 3
"""Words that an item of a list with commas may have."""
_CLAUSE_WORDS = frozenset(
    """am is are was were be been being it its i you we they he she him her them us me this that these those which who
    whom whose what but because although though however so if when while where whereas will would can could should shall
    may might must has have had do does did not im youre theyre thats isnt dont really actually overall indeed
    therefore""".split()  # noqa: SIM905 - a list would be a page long
)
"""Words by which a part of a text is a clause, or a remark, and no item of a list."""


def items_between_signs(line: View, item: Node) -> Items | None:
    """Items between semicolons, or else between bars; None where there are none."""
    for how, separator in _SIGNS:
        cuts = line.cuts(separator)
        if cuts:
            return Items(unquoted(line.between(cuts)), how)
    return None


def texts_of_line(line: View, item: Node) -> Items | None:
    """A line of strings with commas. A sentence is no list: it is one item. None for items that are no strings."""
    if item.kind != "str":
        return None
    cuts = line.cuts(COMMA)
    if not cuts:
        quoted = line.split(_BLANKS)
        return (
            Items(unquoted(quoted), "blanks") if len(quoted) > 1 and all(map(is_quoted, quoted)) else _addresses(line)
        )
    parts = line.between(cuts)
    if not parts:
        return Items([], "commas")
    if len(parts) > 1 and all(map(is_quoted, parts)):
        return Items(unquoted(parts), "commas")
    pieces = _without_stop(line.text, without_and(line.text, parts))
    return Items(unquoted(pieces), "commas") if all(map(are_few_words, pieces)) else _whole(line)


def values_of_line(line: View, item: Node) -> Items | None:
    """A line of values that are no strings: split where every part reads as one."""
    if item.kind in _HOLDERS:
        return _holders(line, item)
    for how, separator in _VALUE_SIGNS:
        pieces = line.split(separator)
        if pieces and how == "commas":
            pieces = without_and(line.text, pieces)
        if how == "blanks" and any(piece.text[-1] in ",;)" and piece.text[0] != "(" for piece in pieces):
            continue  # more than blanks stands between them
        if len(pieces) > 1 and all(reads(item, piece.text) for piece in pieces) and not _has_aside(item, pieces):
            if _is_one_number(item, line.inner):
                return Items([], how, None, (line.inner, ", ".join(piece.text for piece in pieces)))
            return Items(unquoted(pieces), how)
    return _whole(line)


def is_number(item: Node) -> bool:
    """Whether items are numbers."""
    return item.kind in _NUMBERS


def _has_aside(item: Node, pieces: list[Piece]) -> bool:
    """Whether one of some numbers is said of the others: words stand before it as before no first one (`total 6`), or
    it is in brackets, and the first is not.
    """
    if item.kind not in _NUMBERS:
        return False
    first = _said_before(pieces[0])
    return any(said != first and not said <= _QUIET for said in map(_said_before, pieces[1:]))


def _said_before(piece: Piece) -> frozenset[str]:
    """The words before a number, and its bracket."""
    front = _FRONT.match(piece.text)
    if front is None:
        return frozenset()
    return frozenset((*words_of(front[0]), *("(" for sign in front[0] if sign == "(")))


def _whole(line: View) -> Items:
    return Items([line.piece()] if line.start < line.end else [], "whole")


def _addresses(line: View) -> Items:
    """Addresses between blanks, or the text as one item."""
    parts = line.split(_BETWEEN_NAMES)
    are_addresses = len(parts) > 1 and all(_ADDRESS.search(part.text) for part in parts)
    return Items(parts, "blanks") if are_addresses else _whole(line)


def _holders(line: View, item: Node) -> Items:
    """What holds other values, each in brackets of its own, or the text as one item."""
    text, start, end = line
    pieces = line.split(COMMA)
    if len(pieces) > 1 and all(map(is_bracketed, pieces)):
        return Items(pieces, "commas")
    is_one = item.kind == "tuple" and text[start - 1 : start] == "("  # the brackets are its own
    return Items([trimmed(text, start - 1, end + 1)], "whole") if is_one else _whole(line)


def without_and(text: str, pieces: list[Piece]) -> list[Piece]:
    """The parts of a line with commas, the last one split at its `and`: `red, green and blue`, `red, and blue`."""
    last = pieces[-1]
    joined = _AND.match(last.text)
    if joined is not None:
        return [*pieces[:-1], trimmed(text, last.start + joined.end(), last.end)]
    cut = _LAST_AND.search(last.text)
    if cut is None or len(_words(last.text)) > 2 * _SHORT + 1:
        return pieces
    place = last.start + cut.start(), last.start + cut.end()
    return [*pieces[:-1], *View(text, last.start, last.end).between([place])]


def _without_stop(text: str, pieces: list[Piece]) -> list[Piece]:
    """The parts of a line without the full stop behind the last one, if none has others."""
    *others, last = pieces
    if not others or last.text[-1:] != "." or last.text.endswith("..") or any("." in piece.text for piece in others):
        return pieces
    return [*others, trimmed(text, last.start, last.end, WHITE + ".")]


def are_few_words(piece: Piece) -> bool:
    """Whether a part of a line may be an item: a few words, none of which makes a clause of it."""
    words = _words(piece.text)
    return len(words) <= _SHORT and _CLAUSE_WORDS.isdisjoint(words)


def _words(text: str) -> list[str]:
    """The words of a text; an address, a path or an identifier is one."""
    return words_of(" ".join("x" if _IN_NAME.search(part) else part for part in text.split()))


def _is_one_number(item: Node, text: str) -> bool:
    """Whether a text that can be split could also be one number: `1,299`, `1 299`, or, for a float, `3,14`."""
    if item.kind not in _NUMBERS or not text[:1].isdigit() or not text[-1:].isdigit():
        return False
    return ("," in text or " " in text) and (is_grouped(text) or (item.kind != "int" and reads(item, text)))
