"""JSON whose brackets are lost or doubled, so that what it seems to be is a part of what was meant.

A first bracket that is missing is put back where all behind it is JSON. Where brackets do not match, data that stands
beside an object and belongs to none, and a member that the object it stands in does not know while another one could,
are problems: nothing with content goes without a word.
"""

from __future__ import annotations

import re

from ...definition import Node, Path, fold
from ...findings import ProblemKind, RepairKind, Span
from ...markup import BLANK
from ..json.json_text import Scanned
from ..reading import LimitReachedError, Reading
from ..written import Change, Fault, move_all, values_in
from .found import Found, fit_of, is_named, names_of, scan_known

__all__ = [
    "are_strays",
    "beside",
    "doubt_skipped",
    "has_strays",
    "is_balanced",
    "is_next",
    "may_go_on",
    "reopened",
    "with_opener",
]

_KEY_LINE = re.compile(
    r"^[ \t]*+(?=\"(?P<double>[^\"\n]{1,100}+)\"[ \t]*+:|'(?P<single>[^'\n]{1,100}+)'[ \t]*+:)", re.MULTILINE
)
_NAME = r"\"[^\"\n]{1,100}+\"\s*+:"
_NAME_BEFORE = re.compile(rf",\s*+{_NAME}\s*+\Z")
_NAME_BEHIND = re.compile(rf"[\s}}\]]{{0,100}}+,\s*+{_NAME}")
_ITEM_BEHIND = re.compile(r"\s*+,\s*+(?:\"[^\"\n]{0,200}+\"|-?[0-9][0-9.]*+|true|false|null)\s*+[,\]]")
_GOES_ON = re.compile(r"[ \t\r\n]*+[,}\]]")
_STRAY = re.compile(r"[ \t\r\n]*+[}\]]")
_STRAYS = re.compile(r"[\s}\]]*+")
_COMMA = re.compile(r"[\s}\]]*+,\s*+")
_FAR = 200
"""Characters in front of some data in which the name that it goes by is looked for."""
_MOVED = "a bracket is missing or one too many, so what {name!r} belongs to is not clear"
_BESIDE = "data stands beside this that belongs to no object or list: a bracket is missing or one too many"


def is_balanced(scanned: Scanned) -> bool:
    """Whether no bracket of some JSON was missing or too many, as far as that matters."""
    value = scanned.value
    is_unclosed = value is not None and not scanned.is_whole and value.is_unclosed
    return not is_unclosed and all((change.before + change.after).strip("{}[]") for change in scanned.changes)


def has_strays(text: str, end: int) -> bool:
    """Whether a closing bracket that nothing opened stands behind some JSON."""
    return _STRAY.match(text, end) is not None


def are_strays(text: str, end: int) -> bool:
    """Whether a text ends behind some JSON, closing brackets aside."""
    return _STRAYS.fullmatch(text, end) is not None


def may_go_on(text: str, end: int) -> bool:
    """Whether names and values follow some JSON, so that its last bracket may stand too early."""
    return _NAME_BEHIND.match(text, end) is not None


def beside(reply: str, span: Span) -> Fault | None:
    """What is wrong with data beside which other data stands that is in no object or list."""
    start, end = span
    front = reply[max(start - _FAR, 0) : start].rstrip(BLANK)
    if not front.endswith((",", ":")) and not _GOES_ON.match(reply, end):
        return None
    found = _NAME_BEFORE.search(front) or _NAME_BEHIND.match(reply, end) or _ITEM_BEHIND.match(reply, end)
    is_item = front.endswith(",") and has_strays(reply, end)
    return Fault(span, _BESIDE) if found or is_item else None


def is_next(reply: str, end: int, start: int) -> bool:
    """Whether a comma leads from one piece of data to the next."""
    return _COMMA.fullmatch(reply, end, start) is not None


def doubt_skipped(root: Node, found: Found, reading: Reading, path: Path, first: int) -> None:
    """Puts on record what of some JSON was skipped, since its object does not know it, and may be of another one: of
    the repairs from the `first` on.
    """
    if found.is_balanced:
        return
    names = names_of(root)
    for repair in reading.repairs[first:]:
        if repair.kind is RepairKind.ELEMENT_SKIPPED and (names.takes_any or fold(repair.before) in names.known):
            reading.problem(ProblemKind.INVALID, path, _MOVED.format(name=repair.before), repair.span)
            return


def reopened(root: Node, reply: str, end: int) -> Found | None:
    """The object whose first bracket is missing, of which the first name stands at the beginning of a line before
    `end`.
    """
    if root.kind not in ("dict", "map"):
        return None
    has_quotes = reply.find('"', 0, end) >= 0 or reply.find("'", 0, end) >= 0
    line = _KEY_LINE.search(reply, 0, end) if has_quotes else None
    if line is None or not (root.kind == "map" or is_named(root, line["double"] or line["single"])):
        return None
    return with_opener(root, reply, line.end(), "{")


def with_opener(root: Node, text: str, start: int, opener: str, has_commas: bool = True) -> Found | None:
    """What stands from `start` on, as JSON behind a bracket that is missing; None where it is none from its first name
    or item to its end. `has_commas`: it lacks no comma either.
    """
    try:
        scanned = scan_known(root, opener + text[start:], 0, takes_lists=True)
    except LimitReachedError:
        return None
    value = scanned.value
    if value is None or scanned.faults or not (scanned.is_whole or value.is_unclosed):
        return None
    is_json = all(one.change is None and one.fault is None for one in values_in(value))
    if not is_json or (has_commas and any(change.after == "," for change in scanned.changes)):
        return None
    move_all(value, start - 1)
    value.start = start
    changes = [Change((a + start - 1, b + start - 1), before, after) for (a, b), before, after in scanned.changes]
    changes.insert(0, Change((start, start), "", opener))
    return Found("JSON", value.span, value, fit_of(root, value), False, scanned.is_whole, False, changes)
