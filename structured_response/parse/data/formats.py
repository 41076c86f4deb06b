"""A reply in place of XML: JSON, YAML, lines of names and values, and what they say.

`find_data` lists all that could be the answer, `read_found` reads one of them, `read_inner` reads what stands as
JSON or as lines inside of an element. JSON is read by `json_text`, which has no need of a package; YAML needs
PyYAML, and where that is missing, the finding says so.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable
from functools import partial
from typing import Any

from ...definition import ABSENT, Node, Path, Plan
from ...findings import ProblemKind, RepairKind, Span
from ...markup import BLANK
from ..json.calls import as_json
from ..lines.lines import labels
from ..lines.tables import table_of_entries
from ..reading import Reading
from ..scalars.scalars import is_value
from ..written import Bare, Change, Members, Value, move_all
from .clean_json import clean_tree
from .data import places_of, read_data
from .find_json import clean_or_mended, find_calls, find_json, found_scalar, of_scanned
from .find_lines import find_lines
from .found import NO_CALLS, Found, holds, may_hold, scan_known
from .of_lines import of_lines, of_yaml
from .shown import without_shown
from .unbalanced import are_strays, doubt_skipped, reopened, with_opener

__all__ = ["find_data", "read_found", "read_inner", "read_literal", "read_unopened"]

_FENCE = re.compile(r"^[ \t]*(`{3,}|~{3,})[ \t]*([\w+-]*)[^\n`]*$", re.MULTILINE)
_WITHOUT_QUOTES = ("YAML", "lines")
"""Formats in which texts need no quotes."""


def find_data(plan: Plan, reply: str, form: str | None = None) -> list[Found]:
    """All that could be the answer, in the order of the reply. Linear in the reply; raises nothing.

    `form` is "json" or "yaml" where nothing else is looked for.
    """
    root = plan.root
    found = find_json(root, reply) if form != "yaml" else []
    fitting = [one for one in found if one.fit > 0 or one.limit is not None]
    for find in _FINDERS[form]:
        fitting = _with_outer(root, without_shown(reply), fitting, find)
    if not fitting:
        is_alone = len(found) == 1 and _is_alone(reply, found[0].span)
        fitting = found if is_alone else found_scalar(root, reply)
    return sorted(fitting, key=lambda one: one.span)


_FINDERS: dict[str | None, tuple[Callable[[Node, str], list[Found]], ...]] = {
    None: (find_calls, find_lines),
    "yaml": (find_lines,),
    "json": (),
}
"""What else is looked for where JSON is, with what may hold others behind what may be held."""


def _with_outer(root: Node, reply: str, inner: list[Found], find: Callable[[Node, str], list[Found]]) -> list[Found]:
    """What could be the answer, with that of another format where there is none yet. What stands inside of a larger
    piece of data is a part of it: of these only the larger ones are left.
    """
    fitting = [one for one in inner if one.fit > 0]
    if not fitting:
        return inner + find(root, reply)
    if not may_hold(root, reply[: fitting[0].span[0]]):
        return inner
    outer = sorted(find(root, reply), key=lambda one: one.span)
    starts = [one.span[0] for one in outer]

    def holder(one: Found) -> Found | None:
        place = bisect_left(starts, one.span[0]) - 1
        return outer[place] if place >= 0 and holds(root, outer[place], one.span) else None

    holders = list(map(holder, inner))
    holding = set(map(id, holders))
    free = [one for one, held_by in zip(inner, holders, strict=True) if held_by is None]
    return free + [one for one in outer if id(one) in holding]


def _is_alone(reply: str, span: Span) -> bool:
    """Whether nothing but a fence stands around a piece of a reply."""
    rest = reply[: span[0]] + "\n" + reply[span[1] :]
    return not _FENCE.sub("", rest).strip(BLANK)


def read_found(plan: Plan, found: Found, reading: Reading, expected: str | None = None) -> None:
    """Reads one of them into `reading`; that it is in another format than `expected` is on record.

    Raises `LimitReachedError`.
    """
    if found.limit is not None:
        raise found.limit
    if found.form.lower() != expected:
        reading.repair(RepairKind.FORMAT_READ, (), found.span, found.form, found.form)
    if found.problem is not None:
        reading.problem(found.problem[0], (), found.problem[1], found.span)
    for change in found.changes:
        kind = RepairKind.TEXT_SKIPPED if change.before == change.after else RepairKind.JSON_MENDED
        reading.repair(kind, (), *change)
    for fault in found.faults[:1]:
        reading.problem(ProblemKind.INVALID, (), fault.message, fault.span)
    first = len(reading.repairs)
    if found.locate is not None:
        reading.tree = _read_clean(found, reading, (), 0)
    elif found.value is not None:
        reading.tree = _read(plan.root, found.value, reading, (), found.form)
    doubt_skipped(plan.root, found, reading, (), first)


def _read_clean(found: Found, reading: Reading, path: Path, offset: int) -> Any:
    """The tree of clean JSON, or of what was mended to that."""
    if found.wrapper is not None:
        start, end = found.wrapper.span
        reading.repair(RepairKind.WRAPPER_ENTERED, path, (start + offset, end + offset), *found.wrapper[1:])
    for place, (span, before, after) in found.changed:
        moved = span[0] + offset, span[1] + offset
        reading.repair(RepairKind.JSON_MENDED, (*path, *place), moved, before, after)
    if found.locate is not None:
        reading.late.append(partial(found.locate, path, offset))
    return found.tree


def _read(node: Node, value: Value, reading: Reading, path: Path, form: str) -> Any:
    """The tree of a value."""
    if form not in _WITHOUT_QUOTES and (path or node.kind in NO_CALLS):
        tree, changed = clean_tree(node, value)
        if tree is not ABSENT:
            for place, change in changed:
                reading.repair(RepairKind.JSON_MENDED, (*path, *place), *change)
            reading.late.append(lambda: places_of(node, value, path))
            return tree
    return read_data(node, value, reading, path, form in _WITHOUT_QUOTES)


# Inside of an element


def read_inner(node: Node, text: str, start: int, path: Path, reading: Reading) -> Any:
    """The tree of a list, an object, a map or a tuple that stands as JSON or as lines in an element, else None.

    `text` are the characters between the tags as they are in the reply, `start` is where they begin. What was read
    so is on record. That it is no list of objects one behind another is known. Raises `LimitReachedError`.
    """
    if node.kind not in ("list", "dict", "map", "tuple", "union") or not text.strip(BLANK):
        return None
    begin = len(text) - len(text.lstrip(BLANK))
    if text.startswith(("{", "["), begin):
        clean = clean_or_mended(node, text, begin, takes_lists=True) if path or node.kind in NO_CALLS else None
        found = clean if clean is not None and not text[clean.span[1] :].strip(BLANK) else _sloppy(node, text, begin)
        return None if found is None else _read_inner(node, found, start, path, reading)
    if node.kind == "union":
        return None
    if node.kind == "map" and node.item is not None and not node.item.is_text():
        found = of_yaml(node, text, 0, len(text))
    else:
        found = of_lines(node, text, 0, len(text), is_inner=True) or (
            _of_entries(node.item, text) if node.kind == "map" and node.item is not None else None
        )
    return None if found is None or found.value is None else _read_inner(node, found, start, path, reading)


def _sloppy(node: Node, text: str, begin: int) -> Found | None:
    """JSON that is not clean, or objects one behind another in place of a list; None where more stands there than that
    and closing brackets which nothing opened.
    """
    scanned = scan_known(node, text, begin, takes_lists=True)
    if scanned.value is None:
        return None
    found = of_scanned(node, scanned.value, scanned)
    rest = text[scanned.end :].strip(BLANK)
    if not rest:
        return found
    if are_strays(text, scanned.end):
        end = scanned.end
        found.changes = [*found.changes, Change((end, len(text)), rest, "")]
        found.is_balanced = False
        return found
    are_objects = node.kind == "list" and text[begin] == "{"
    return with_opener(node, text, begin, "[", has_commas=False) if are_objects else None


def read_unopened(node: Node, text: str, start: int, path: Path, reading: Reading) -> Any:
    """The same of JSON that lost its first bracket: what begins with a text in quotes, and names it or has the last
    bracket.
    """
    begin = len(text) - len(text.lstrip(BLANK))
    found = _unopened(node, text, begin) if text.startswith(('"', "'"), begin) else None
    return None if found is None else _read_inner(node, found, start, path, reading)


def _unopened(node: Node, text: str, begin: int) -> Found | None:
    if node.kind in ("list", "tuple"):
        return with_opener(node, text, begin, "[") if text.rstrip(BLANK).endswith("]") else None
    found = reopened(node, text, len(text))
    return found if found is not None and found.span[0] == begin and found.span[1] == len(text.rstrip(BLANK)) else None


def read_literal(node: Node, text: str, start: int, path: Path, reading: Reading) -> Any:
    """The same of a literal of Python, with tuples or calls in it."""
    written = as_json(text)
    if written is None:
        return None
    scanned = scan_known(node, written, len(written) - len(written.lstrip(BLANK)), takes_lists=True)
    if scanned.value is None or text[scanned.end :].strip(BLANK):
        return None
    found = of_scanned(node, scanned.value, scanned)
    found.form, found.changes = "Python", []  # that its names have no quotes is what makes it a call
    return _read_inner(node, found, start, path, reading)


def _of_entries(item: Node, text: str) -> Found | None:
    """Lines of keys and values, for a map of scalars: every line has both. A table has rows of both."""
    table = table_of_entries(text, lambda held: is_value(item, held))
    if table is not None:
        return Found("lines", (0, len(text)), table, 1, is_strict=True)
    found = labels(text, lambda name: True)
    if len(found) < len([line for line in text.split("\n") if line.strip()]):
        return None
    members = Members()
    for label in found:
        held = text[label.value : label.end].strip(BLANK)
        key = Value(label.name, label.start, label.start + len(label.name))
        members.pairs.append((key, Value(Bare(held), label.value, label.value + len(held))))
    return Found("lines", (0, len(text)), Value(members, 0, len(text)), len(found), is_strict=True)


def _read_inner(node: Node, found: Found, start: int, path: Path, reading: Reading) -> Any:
    span = (found.span[0] + start, found.span[1] + start)
    reading.repair(RepairKind.FORMAT_READ, path, span, found.form, found.form)
    for change in found.changes:
        kind = RepairKind.TEXT_SKIPPED if change.before == change.after else RepairKind.JSON_MENDED
        reading.repair(kind, path, (change.span[0] + start, change.span[1] + start), change.before, change.after)
    for fault in found.faults[:1]:
        reading.problem(ProblemKind.INVALID, path, fault.message, (fault.span[0] + start, fault.span[1] + start))
    if found.value is None:
        return _read_clean(found, reading, path, start)
    move_all(found.value, start)
    first = len(reading.repairs)
    tree = _read(node, found.value, reading, path, found.form)
    doubt_skipped(node, found, reading, path, first)
    return tree
