"""A map or an object that was written as text -> its entries: a key, a sign behind it, and a value."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from ...definition import Node
from ..scalars.loose import words_of
from .line_starts import begin_of, indent_of, is_lead, level_of, without_sign
from .lines import FEW, fenced, form_of, is_emphasised, undecorated
from .split_text import (
    BAR,
    COMMA,
    SEMICOLON,
    WHITE,
    Piece,
    View,
    block_value,
    is_bracketed,
    is_quoted,
    trimmed,
    unfenced_value,
    unquoted_value,
    unwrapped,
    without_ends,
)

__all__ = ["LABEL_DECORATION", "Entries", "Entry", "Resolve", "key_of", "split_fields", "split_pairs"]

LABEL_DECORATION = " \t*_`\"'#\u201c\u201d\u2018\u2019"
_SIGN = re.compile(r"[ \t]*(?:->|=>|=|\u2192|\u21d2|[:\uff1a](?=[ \t*_`\"']|$))[ \t]*")
_TIGHT_SIGN = re.compile(r":(?!//)")
_COLONS = (":", "\uff1a")
_QUOTES = ('"', "'")
_AMP = re.compile(r"&(?:amp;)?")
_BLANKS = re.compile(r"[ \t]+")
_TIGHT_PAIR = re.compile(r"[^\s=&:]{1,80}=(?:\"[^\"]*\"|'[^']*'|[^\s=&\"']*)")
_KEY_QUOTES = ('"', "'", "`")
_DASH = re.compile(r"[ \t]+[-\u2013\u2014]+[ \t]+")
_EMPHASIS = re.compile(r"[*_]{1,3}[ \t]*")
_PART_END = re.compile(r"[,;|]")
_SEPARATORS = WHITE + ",;|"
_TEXTS = ("str", "dict", "list", "map", "tuple", "union", "any")
"""Kinds of values that may have commas in them."""
_MAX_KEY = 80
"""Characters that the key of a line may have."""

Resolve = Callable[[str], str | None]
"""What tells a field's name by its label."""


class Entry(NamedTuple):
    """A key with its value: the name that the key goes by, as far as it is known, the key as written, the value."""

    name: str
    key: Piece
    value: Piece


class Entries(NamedTuple):
    """The entries of a map or the fields of an object, what stands before the first, and what is a part of none."""

    entries: list[Entry]
    lead: Piece | None = None
    skipped: list[Piece] = []  # noqa: RUF012


# Maps


def split_pairs(text: str, item: Node | None = None) -> Entries | None:
    """The entries of a map that was written as text: `key: value`, `key = value`, `key -> value`, a line each.

    Bullets, emphasis and quotes around keys are off. A line without a key, or indented deeper than the first,
    belongs to the value before it. In one line, semicolons, bars, commas, or else `&` and blanks separate entries, if
    each part has a key. Brackets around each line are off, and the quotes around values where keys have some too, or
    all values that are no blocks of YAML.
    None where there is no key. Linear in the length of the text. `item` is what the values are.
    """
    view = unwrapped(text)
    lines = without_sign(view.lines())
    in_brackets = _in_brackets(text, lines)
    if in_brackets:
        return Entries(_unquoted(text, in_brackets))
    if len(lines) == 1:
        return _pairs_of_line(view)
    lead: Piece | None = None
    if len(lines) > 1 and is_lead(lines[0]) and len(words_of(lines[0].text)) > 2 and key_of(text, lines[1]):
        lead, lines = trimmed(text, lines[0].start, lines[0].end), lines[1:]
    found = _keyed_lines(text, lines)
    if not found:
        return _loose_pairs(text, lines, item)
    if found[0][0] > 0:
        return None
    return Entries(_entries(text, [key for _index, key in found], lines[-1].end), lead)


def _pairs_of_line(line: View) -> Entries | None:
    """The entries of one line. All of them have the same sign behind the key: `a: x = 1; y = 2` is one entry."""
    for separator in (SEMICOLON, BAR, COMMA, _AMP, _BLANKS):
        pieces = line.split(separator)
        is_tight = separator in (_AMP, _BLANKS)
        if is_tight and not all(_TIGHT_PAIR.fullmatch(piece.text) for piece in pieces):
            continue
        pairs = [key for piece in pieces if (key := key_of(line.text, piece)) is not None]
        signs = {line.text[key.end : value.start].strip(LABEL_DECORATION) for key, value in pairs}
        if 1 < len(pieces) == len(pairs) and len(signs) == 1:
            entries = [Entry(key.text, key, unquoted_value(value) if is_tight else value) for key, value in pairs]
            return Entries(_unquoted(line.text, entries))
    only = key_of(line.text, line.piece())
    return None if only is None else Entries(_unquoted(line.text, [Entry(only[0].text, *only)]))


def _in_brackets(text: str, lines: list[Piece]) -> list[Entry]:
    """The entries of lines each of which stands in brackets of its own, and has a key; else none."""
    bare = [trimmed(text, line.start, line.end) for line in lines]
    if len(lines) < 2 or not all(map(is_bracketed, bare)):
        return []
    keys = [key for line in bare if (key := key_of(text, trimmed(text, line.start + 1, line.end - 1))) is not None]
    return [Entry(key.text, key, value) for key, value in keys] if len(keys) == len(lines) else []


def _unquoted(text: str, entries: list[Entry]) -> list[Entry]:
    """Entries without the quotes around their values, where those are no part of them."""
    all_quoted = len(entries) > 1 and all(entry.value.is_decoded or is_quoted(entry.value) for entry in entries)
    keys_quoted = all(text[entry.key.start - 1 : entry.key.start] in _QUOTES for entry in entries)
    if not (all_quoted or keys_quoted):
        return entries
    return [entry if entry.value.is_decoded else entry._replace(value=unquoted_value(entry.value)) for entry in entries]


def _keyed_lines(text: str, lines: list[Piece]) -> list[tuple[int, tuple[Piece, Piece]]]:
    """The lines that begin an entry: the number of each, its key and what stands behind it."""
    keys = [(index, key) for index, line in enumerate(lines) if (key := key_of(text, line)) is not None]
    if not keys:
        return []
    indents = [indent_of(lines[index].text) for index, _key in keys]
    level = level_of(indents, known="\n" in text[: lines[keys[0][0]].start])
    return [found for found, indent in zip(keys, indents, strict=True) if indent <= level]


def _entries(text: str, keys: list[tuple[Piece, Piece]], end: int) -> list[Entry]:
    """Entries of which each value ends where the line of the next key begins."""
    starts = [text.rfind("\n", 0, key.start) + 1 for key, _value in keys]
    pairs = zip(keys, [*starts[1:], end], strict=True)
    values = without_ends(text, [trimmed(text, value.start, stop) for (_key, value), stop in pairs])
    values = list(map(block_value, values))
    return _unquoted(text, [Entry(key.text, key, value) for (key, _first), value in zip(keys, values, strict=True)])


def _loose_pairs(text: str, lines: list[Piece], item: Node | None) -> Entries | None:
    """Entries of lines that have one dash each between key and value, or one comma before what is no string."""
    are_texts = item is None or item.kind in _TEXTS
    views = [View(text, begin_of(text, line), line.end) for line in lines]
    for separator in (_DASH,) if are_texts else (_DASH, COMMA):
        parts = [view.split(separator) for view in views]
        if lines and all(len(part) == 2 for part in parts):
            found = [(trimmed(text, key.start, key.end, LABEL_DECORATION), value) for key, value in parts]
            return Entries([Entry(key.text, key, value) for key, value in found])
    return None


# Keys


def key_of(text: str, line: Piece) -> tuple[Piece, Piece] | None:
    """The key of a line with what stands behind it on the line. None where the line has no key."""
    start = begin_of(text, line)
    limit = min(line.end, start + _MAX_KEY)
    from_ = _behind_quotes(text, start, limit)
    sign = _SIGN.search(text, from_, limit) or _TIGHT_SIGN.search(text, from_, limit)
    if sign is None and limit == line.end and text[limit - 1] in _COLONS:
        return _undecorated(text, start, limit - 1), Piece("", limit, limit)
    if sign is None:
        return None
    behind = sign.end()
    opening, closing = _EMPHASIS.match(text, start, sign.start()), _EMPHASIS.match(text, behind, line.end)
    if opening and closing and text[sign.start() - 1] not in "*_":  # `**Label:** a`
        start, behind = opening.end(), closing.end()
    key = _undecorated(text, start, sign.start())
    return (key, trimmed(text, behind, line.end)) if key.text else None


def _behind_quotes(text: str, start: int, end: int) -> int:
    """Behind the quotes that stand at a place, else the place itself."""
    quoted = next(View(text, start, end).brackets(), None) if text[start : start + 1] in _KEY_QUOTES else None
    return quoted[1] if quoted is not None and quoted[0] == start else start


def _undecorated(text: str, start: int, end: int) -> Piece:
    """A key without what only decorates it."""
    first, last = undecorated(text[start:end])
    return Piece(text[start + first : start + last], start + first, start + last)


# Objects


def split_fields(text: str, resolve: Resolve) -> Entries | None:
    """The fields of an object that was written as text: `label: a`, a line each, or one behind another.

    Only a label that `resolve` knows, by telling the field's name, begins a field: at the beginning of a line, behind
    a bullet or in emphasis too, or, where all stands in one line, behind a comma, a semicolon or a bar, or behind a
    blank if all of it is `a=x b=y`. A label that it does not know, but looks like the others, ends a value of one line,
    and any in emphasis: it begins what is `skipped`. All else, other colons included, belongs to the value before, of
    which a fence or quotes around the whole are no part. None where no label is known. Linear in the length of the
    text, if `resolve` is constant.
    """
    view = unwrapped(text)
    lines = view.lines()
    found = _labelled(text, lines, resolve)
    if len(found) <= 1 and len(lines) == 1:
        found = _labelled(text, view.all_between(view.cuts(_PART_END)), resolve) or found
        pairs = view.split(_BLANKS)
        if len(found) <= 1 < len(pairs) and all(_TIGHT_PAIR.fullmatch(pair.text) for pair in pairs):
            found = _labelled(text, pairs, resolve) or found
    if not found:
        return None
    foreign = _foreign(text, lines, found, resolve)
    marks = sorted([*found, *foreign])
    ends = [*(label.begin for label in marks[1:]), view.end]
    pieces = [
        trimmed(text, label.value, end, WHITE if end == view.end else _SEPARATORS)
        for label, end in zip(marks, ends, strict=True)
    ]
    entries = [
        Entry(label.name, label.key, unfenced_value(unquoted_value(piece)))
        for label, piece in zip(marks, pieces, strict=True)
        if label.name
    ]
    skipped = [
        Piece(text[label.begin : piece.end], label.begin, piece.end)
        for label, piece in zip(marks, pieces, strict=True)
        if not label.name
    ]
    lead = trimmed(text, view.start, found[0].begin)
    return Entries(entries, lead if lead.text else None, skipped)


class _Label(NamedTuple):
    """Where its line or part begins, the field's name, the label as written, where the value begins."""

    begin: int
    name: str
    key: Piece
    value: int


def _labelled(text: str, lines: list[Piece], resolve: Resolve) -> list[_Label]:
    """The known labels, each at the beginning of a line or of a part of one."""
    found: list[_Label] = []
    for line, bare in zip(lines, without_sign(lines), strict=True):
        key = key_of(text, bare)
        name = None if key is None else resolve(key[0].text)
        if key is not None and name is not None:
            found.append(_Label(line.start, name, key[0], key[1].start))
    return found


def _foreign(text: str, lines: list[Piece], known: list[_Label], resolve: Resolve) -> list[_Label]:
    """The labels that look like known ones, but are none, and end a value; without a name."""
    found: list[_Label] = []
    begins = {label.begin for label in known}
    forms = {_form(text, label.begin, label.key, label.value) for label in known}
    in_fences = fenced(text) if len(lines) > len(known) else set()
    is_one_line = False
    for line in lines if len(lines) > len(known) else ():
        key = key_of(text, line) if line.start not in begins and line.start not in in_fences else None
        form = "" if key is None else _form(text, line.start, key[0], key[1].start)
        is_foreign = form in forms and (is_one_line or is_emphasised(form))
        if key is not None and is_foreign and len(words_of(key[0].text)) <= FEW:
            found.append(_Label(line.start, "", key[0], key[1].start))
        is_one_line = line.start in begins
    return found


def _form(text: str, begin: int, key: Piece, value: int) -> str:
    end = text.find("\n", value)
    line = text[begin : end if end >= 0 else len(text)]
    return form_of(line, key.start - begin, key.end - begin, value - begin)
