"""A tuple of scalars that was written as text -> its parts, if there is one for each that is asked for."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...definition import Node
from .counting import is_out_of_order
from .split_items import split_items
from .split_line import are_few_words, without_and
from .split_text import ANY_COMMA, COMMA, SEMICOLON, Piece, unquoted, unquoted_value, unwrapped

__all__ = ["split_parts"]

_ANY_AND = re.compile(r"[ \t]+(?:and|&)[ \t]+", re.IGNORECASE)
_TIMES = re.compile(r"(?<=[0-9])[ \t]*(?:[x\u00d7\u2a2f*]|by)[ \t]*(?=[0-9+-])", re.IGNORECASE)
_SEPARATORS = (SEMICOLON, COMMA, ANY_COMMA, _ANY_AND)
_NUMBER_SEPARATORS = (SEMICOLON, _TIMES, COMMA, ANY_COMMA, _ANY_AND)
"""What may stand between the parts of a tuple, the surer first."""
_LABEL = re.compile(r"\s*+([^\W\d]\w{0,20}+)\s*+[:=]")
_NUMBERS = ("int", "float", "decimal")


def split_parts(text: str, parts: Sequence[Node]) -> list[Piece] | None:
    """The parts of a tuple of scalars: lines, bulleted or not, or what semicolons, commas, `and` or, between numbers, a
    sign for times separates, brackets around all of it off. None where there are more or fewer than are asked for.
    """
    if not all(part.is_text() for part in parts):
        return None
    view = unwrapped(text)
    if "\n" in view.inner:
        items = split_items(text, parts[0]).items
        return items if len(items) == len(parts) and not _are_swapped(items) else None
    unquote = _unquoted_literal if text[view.start - 1 : view.start] == "(" else unquoted_value
    are_numbers = all(part.kind in _NUMBERS for part in parts)
    for separator in _NUMBER_SEPARATORS if are_numbers else _SEPARATORS:
        pieces = view.split(separator)
        joined = without_and(text, pieces) if separator is COMMA and len(pieces) > 1 else pieces
        pieces = joined if len(joined) == len(parts) else pieces
        if len(pieces) == len(parts) and (separator is not _ANY_AND or all(map(are_few_words, pieces))):
            return None if _are_swapped(pieces) else [unquote(piece) for piece in pieces]
    return None


def _are_swapped(pieces: Sequence[Piece]) -> bool:
    """Whether parts have labels that count them, in another order."""
    labels = [label for piece in pieces if (label := _LABEL.match(piece.text)) is not None]
    return len(labels) == len(pieces) and is_out_of_order([label[1] for label in labels])


def _unquoted_literal(piece: Piece) -> Piece:
    """A part of a tuple of Python without its quotes, of either kind."""
    return unquoted([piece])[0] if piece.text.startswith("'") else unquoted_value(piece)
