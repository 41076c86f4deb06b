"""A list of objects that was written as text -> its objects, each of whose fields has a line or a bullet of its own."""

from __future__ import annotations

import re

from ...definition import Node
from .line_starts import bullet_of, indent_of, is_lead
from .lines import spellings
from .split_entries import LABEL_DECORATION, Entries, Resolve, split_fields
from .split_items import split_items
from .split_text import WHITE, Piece, View

__all__ = ["name_in", "split_bulleted", "split_objects"]

_RULE = re.compile(
    r"^[ \t]*+(?:(?:#{1,6}[ \t]++|\*\*(?=[^*\n]++\*\*:?[ \t]*+$))(?P<title>[^\n]++)|([-*_=])\2{2,}+[ \t]*+)$",
    re.MULTILINE,
)
"""A line between objects: a heading, one in bold too, or a rule."""
_JSON_STARTS = ("[", "{", '"')
"""What JSON begins with, damaged or not: its quotes and brackets are none of the values."""

_Named = tuple[set[str], Piece]
"""An object, with the names of its fields."""


def name_in(node: Node) -> Resolve:
    """What tells the name of an object's field by its label."""

    def name(label: str) -> str | None:
        field = next((field for name in spellings(label) if (field := node.field_of(name))), None)
        return field.name if field is not None else None

    return name


def split_objects(text: str, item: Node) -> list[Piece]:
    """The objects of a list each of whose fields has a line, or a bullet, of its own: a new one begins behind a rule or
    a heading, and where a field comes again. None where an object would lack what is required, or there is one alone.
    """
    bare = text.strip(WHITE)
    if "\n" not in bare or bare[0] in _JSON_STARTS:
        return []
    resolve = name_in(item)
    required = {name for name, field in item.fields.items() if field.required}
    pieces = _between_rules(text, resolve) or _in_bullets(text, item, resolve) or _in_lines(text, resolve)
    are_whole = all(required <= names for names, _piece in pieces)
    return [piece for _names, piece in pieces] if are_whole else []


def split_bulleted(text: str, item: Node) -> list[Piece]:
    """The objects of a list each of which has a bullet or a number, and in it labels and nothing else."""
    found = split_items(text, item)
    if found.how not in ("bullets", "numbers") or found.lead is not None:
        return []
    all_fields = [split_fields(piece.text, name_in(item)) for piece in found.items]
    return found.items if all(fields is not None and fields.lead is None for fields in all_fields) else []


def _between_rules(text: str, resolve: Resolve) -> list[_Named]:
    """Objects with a rule or a heading between them."""
    cuts = [rule.span() for rule in _RULE.finditer(text) if not (rule["title"] and resolve(_title(rule["title"])))]
    found: list[_Named] = []
    for piece in View(text, 0, len(text)).between(cuts) if cuts else ():
        fields = split_fields(piece.text, resolve)
        names = [entry.name for entry in fields.entries] if fields is not None and fields.lead is None else []
        if not names or len(set(names)) < len(names):
            return []
        found.append((set(names), piece))
    return found


def _title(text: str) -> str:
    return text.partition(":")[0].strip(LABEL_DECORATION)


def _in_bullets(text: str, item: Node, resolve: Resolve) -> list[_Named]:
    """Objects of which each field has a bullet of its own."""
    found = split_items(text, item) if sum(field.required for field in item.fields.values()) > 1 else None
    if found is None or found.how != "bullets":
        return []
    parts: list[tuple[str, int, int]] = []
    for piece in found.items:
        fields = split_fields(piece.text, resolve)
        if fields is None or fields.lead is not None or len(fields.entries) != 1:
            return []
        parts.append((fields.entries[0].name, piece.start, piece.end))
    return _grouped(text, parts)


def _in_lines(text: str, resolve: Resolve) -> list[_Named]:
    """Objects of lines that begin with names, of which the first comes again as deeply indented."""
    fields = split_fields(text, resolve)
    bare = text.strip(WHITE)
    if fields is None or (fields.lead is not None and not is_lead(fields.lead)) or bullet_of(bare, 0, len(bare)):
        return []
    parts = _with_skipped(fields)
    found = _grouped(text, parts)
    known = found if fields.lead is not None else found[1:]  # the first line may stand behind a tag
    depths = {indent_of(text[text.rfind("\n", 0, piece.start) + 1 : piece.start]) for _names, piece in known}
    return found if len(found) > 1 and len(depths) == 1 else []


def _with_skipped(fields: Entries) -> list[tuple[str, int, int]]:
    """The name and the place of each field, with what stands behind it and is skipped."""
    parts: list[tuple[str, int, int]] = []
    places = [(entry.key.start, entry.value.end, entry.name) for entry in fields.entries]
    for start, end, name in sorted([*places, *((piece.start, piece.end, "") for piece in fields.skipped)]):
        parts.append((name, start, end) if name else (*parts.pop()[:2], end))
    return parts


def _grouped(text: str, parts: list[tuple[str, int, int]]) -> list[_Named]:
    """Objects of their fields, one behind another: names, and from where to where."""
    groups: list[_Named] = []
    for name, start, end in parts:
        if groups and name not in groups[-1][0]:
            names, first = groups[-1]
            groups[-1] = (names | {name}, Piece(text[first.start : end], first.start, end))
        else:
            groups.append(({name}, Piece(text[start:end], start, end)))
    return groups
