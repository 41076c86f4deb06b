"""What a list that was written as text says of its items: a verdict on each, or that there are more.

Where each item has a verdict of its own, a ticked box or a yes, and they differ, nobody can tell whether the denied
ones are items: the list could be all of them or those that hold. Texts keep what stands in them, so of theirs only
boxes count, which are taken off. An item that stands for others (`...`, `etc.`) is none: the list is cut short.
"""

from __future__ import annotations

import re

from ...definition import Node
from .split_text import Items, Piece

__all__ = ["CUT_SHORT", "judged"]

_BOX_BEFORE = re.compile(r"\[([ xX\u2713\u2714\u2717\u2718])\][ \t]*\Z")
_MARKS = "\u2713\u2714\u2705\u2611\u2717\u2718\u274c\u2716\u2715\u274e\u2610"
_HOLDS = frozenset({"x", *"\u2713\u2714\u2705\u2611", "yes", "true", "1"})
_FIRST = re.compile(rf"(?:\[([ xX])\]|([{_MARKS}])\ufe0f?)(?=\s*\S)")
_LAST = re.compile(
    rf"\S\s*(?:[:=(\u2013\u2014]|[ \t]-)[ \t]*(yes|no|true|false|[{_MARKS}]|(?:(?<==)|(?<== ))[01])\ufe0f?\)?[.!]?\Z"
    rf"|\S[ \t]*([{_MARKS}])\ufe0f?\Z",
    re.IGNORECASE,
)
_BEFORE = 8
"""Characters in front of an item in which its box may stand."""
_MORE = re.compile(
    r"(?:and )?(?:\.{3,}|\u2026|etc\b\.{0,4}|et cetera|so on|so forth|(?:and|plus) (?:[\w']+ )?(?:more|others))[.)\]]*",
    re.IGNORECASE,
)


CUT_SHORT = "says that there are more items, which are not there"


def judged(text: str, items: Items, item: Node) -> Items:
    """Items of a text with what it says of them."""
    pieces = items.items
    if len(pieces) < 2 or items.candidates or not item.is_text() or item.kind == "bool":
        return items
    kept = [piece for piece in pieces if not _MORE.fullmatch(piece.text)]
    if len(kept) < len(pieces):
        return items._replace(items=kept, is_cut_short=True)
    verdicts = [_box(text, piece) if item.kind == "str" else _verdict(text, piece) for piece in pieces]
    if "" in verdicts or len({verdict in _HOLDS for verdict in verdicts}) < 2:
        return items
    holding = [piece.text for piece, verdict in zip(pieces, verdicts, strict=True) if verdict in _HOLDS]
    return Items([], items.how, None, (" | ".join(piece.text for piece in pieces), " | ".join(holding)))


def _verdict(text: str, piece: Piece) -> str:
    """The verdict on an item, in front of it, at its beginning or at its end; nothing if there is none."""
    found = _FIRST.match(piece.text) or _LAST.search(piece.text)
    return _box(text, piece) if found is None else found[found.lastindex or 0].lower()


def _box(text: str, piece: Piece) -> str:
    """What the box in front of an item holds; nothing without one."""
    found = _BOX_BEFORE.search(text[max(0, piece.start - _BEFORE) : piece.start])
    return "" if found is None else found[1].lower()
