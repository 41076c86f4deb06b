"""Texts that stand between the elements of an object or a list, where no value should be: what they could be.

A text between items may be an item whose tags were lost, and one between fields may name a field that is not there.
What says so clearly is read; what may be meant so is a problem; a remark is skipped, on record.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from ...definition import ITEM_NAMES, Node
from ...markup import BLANK
from ..lines.split_items import split_items
from ..lines.split_objects import split_objects
from ..lines.split_text import Piece
from ..scalars.scalars import read_scalar

__all__ = ["is_remark", "items_in", "may_be", "names_field"]

_REMARK = re.compile(
    r"[\W_]*+(?:(?:and|or|etc)[\W_]*+)?"  # what joins items, or says nothing
    r"|\(.*\)[.,;]?"
    r"|<!--.*|[^\w\s]{0,3}\w*+>|</\w*+\W?"  # a comment that is never closed, what is left of a torn tag
    r"|#.*|\*\*[^*\n]++\*\*|__[^_\n]++__"  # a heading
    r"|.*[:\u2026]|.*\.\.\.",
    re.DOTALL | re.IGNORECASE,
)
_NO_OBJECT = re.compile(r"</?[\w.-]*+|[\W\d]*+")
"""What is left of a tag that was begun and has nothing in it; a number of its own."""
_TORN_ITEMS = frozenset(f"<{name[:count]}" for name in ITEM_NAMES for count in range(1, len(name) + 1))
_TORN_ITEM = re.compile(rf"<(?:{'|'.join(ITEM_NAMES)})\W*+\w")
"""What is left of an item's tag, with something in it."""
_TAG = re.compile(r"</?[^\W\d][^<>]*+>")
_SIGN = r"[\"'*_`]{0,3}[ \t]{0,2}(?:[=:>}]|\|>|&gt;|\](?=\s*+\S))"


def is_remark(text: str) -> bool:
    """Whether a text between items is none of them: signs, what joins two, brackets, a heading, what leads on, a tag
    that was only begun.
    """
    found = _TAG.sub("", text).strip(BLANK)
    return _REMARK.fullmatch(found) is not None or found in _TORN_ITEMS


def may_be(item: Node, text: str) -> bool:
    """Whether a text could be an item at all: a scalar that is no text has to be read in it, and an object is more than
    a name or a number.
    """
    found = _TAG.sub("", text).strip(BLANK)
    if item.kind == "dict" and _NO_OBJECT.fullmatch(found):
        return False
    if _TORN_ITEM.match(found):
        return True
    if not found or not item.is_text() or item.kind == "str":
        return bool(found)
    scalar = read_scalar(item, found, found, None)
    return scalar.problem is None or scalar.ambiguous


def items_in(item: Node, text: str) -> list[Piece]:
    """The items that a text between others says clearly: with bullets or numbers, or as objects of their own."""
    if item.kind == "dict":
        begin = len(text) - len(text.lstrip(BLANK))
        whole = text.strip(BLANK)
        if whole.startswith("{") and whole.endswith("}"):
            return [Piece(whole, begin, begin + len(whole))]
        return split_objects(text, item)
    found = split_items(text, item) if item.is_text() else None
    return found.items if found is not None and found.how in ("bullets", "numbers") and found.lead is None else []


def names_field(text: str, names: Collection[str]) -> str | None:
    """The first of some fields that a text names with a sign of a value, `name>`, `[name] x`, `[/name]`, `"name":`,
    `{name}`, or by what is left of its tag, `<name x`.
    """
    for name in names:
        words = r"[\W_]{0,3}".join(map(re.escape, filter(None, re.split(r"[\W_]+", name))))
        if words and re.search(rf"(?<!\w){words}{_SIGN}|(?<=/){words}\]|<{words}(?!\w)", text, re.IGNORECASE):
            return name
    return None
