"""What in a reply could be the answer in another format than XML, and how well it fits the definition."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from ...definition import ABSENT, Node, Path, walk
from ...findings import ProblemKind, Span
from ...limits import MAX_COMPILED
from ..json.json_text import Scanned, scan_json
from ..lines.headings import sections
from ..lines.lines import labels
from ..reading import LimitReachedError
from ..written import Change, Fault, Members, Value
from .clean_json import Placed
from .members import calls_in, merged_members

__all__ = [
    "BETWEEN",
    "NO_CALLS",
    "Found",
    "fit_of",
    "fit_of_tree",
    "holds",
    "is_named",
    "may_hold",
    "names_of",
    "scan_known",
    "takes_text",
]

BETWEEN = re.compile(r"[,\s]*+(?:(?:[-*+\u2022]|[0-9]{1,4}[.)])[ \t]++)?+")
"""What stands between objects that follow each other as the items of a list."""
_OPEN_KINDS = ("map", "any")
NO_CALLS = ("dict", "list", "tuple")
"""Kinds of an answer of which all that they hold tells that it is no call."""


@dataclass(slots=True)
class Found:
    """Something in a reply that could be the answer.

    `form` is "JSON", "YAML", "lines" or "Python". `fit` counts the names of the definition that stand where they
    belong. `is_strict`: to the letter of its format. `is_whole`: the reply did not break off in it. `is_balanced`: no
    bracket is missing or one too many. Where it could not be read, `value` is None and `limit` or `problem` says why.
    Of JSON that needs no word said there is the `tree`,
    not the value, with the name of a wrapper around it in `wrapper` and the changes of single values in `changed`;
    `locate` finds where each value stands, below a path and behind so many
    characters.
    """

    form: str
    span: Span
    value: Value | None = None
    fit: int = 0
    is_strict: bool = False
    is_whole: bool = True
    is_balanced: bool = True
    changes: Sequence[Change] = ()
    faults: Sequence[Fault] = ()
    limit: LimitReachedError | None = None
    problem: tuple[ProblemKind, str] | None = None
    tree: Any = ABSENT
    wrapper: Change | None = None
    changed: Sequence[Placed] = ()
    locate: Callable[[Path, int], dict[Path, Span]] | None = None


class _Names(NamedTuple):
    """The folded names of a definition, and whether any other may stand somewhere too, as in a map."""

    known: frozenset[str]
    takes_any: bool


@lru_cache(maxsize=MAX_COMPILED)
def names_of(root: Node) -> _Names:
    nodes = list(walk(root))
    takes_any = any(node.kind in _OPEN_KINDS or node.keeps_extra for node in nodes)
    return _Names(frozenset(form for node in nodes for form in node.folded_fields()), takes_any)


def scan_known(node: Node, text: str, start: int, takes_lists: bool) -> Scanned:
    names = names_of(node)
    return scan_json(text, start, names.known, takes_lists, names.takes_any)


def fit_of(root: Node, value: Value) -> int:
    """How many names of the definition an object, or the first item of a list, holds; through wrappers too."""
    parts = root.parts if root.kind == "union" else (root,)
    return max((_fit_of_part(part, value) for part in parts), default=0)


def _fit_of_part(node: Node, value: Value) -> int:
    held = value.held
    if node.kind == "list" and isinstance(held, list):
        assert node.item is not None
        first = next((item for item in held if item.held is not None), None)
        return 1 if node.item.kind != "dict" or first is None else fit_of(node.item, first)
    if node.kind in ("tuple", "any") and isinstance(held, list):
        return 1
    if node.kind in ("map", "any") and isinstance(held, Members):
        return 1
    if isinstance(held, list):
        merged = merged_members(held) if len(held) > 1 and node.kind in ("dict", "map") else None
        if merged is not None:
            return _fit_of_part(node, Value(merged, *value.span)) if _are_all(node, merged) else 0
        return _fit_of_part(node, held[0]) if len(held) == 1 and node.kind == "dict" else 0
    if node.kind == "list" and isinstance(held, Members):
        inner = [member for _key, member in held.pairs if isinstance(member.held, list)]
        assert node.item is not None
        return fit_of(node.item, value) or (_fit_of_part(node, inner[0]) if len(held.pairs) == 1 and inner else 0)
    return _fit_of_object(node, value) if node.kind == "dict" else 0


def _are_all(node: Node, merged: Members) -> bool:
    """Whether the items of a list can be the members of one object: all of them are some of it."""
    return node.kind == "map" or all(node.has_field(str(key.held)) for key, _member in merged.pairs)


def _fit_of_object(node: Node, value: Value) -> int:
    """The names of an object, or of the first one in it that has any: wrappers may lie around it. Else its calls."""
    waiting = [value]
    while waiting:
        held = waiting.pop().held
        if isinstance(held, Members):
            fields = {field.name for key, _member in held.pairs if (field := node.field_of(str(key.held)))}
            if fields:
                return len(fields)
            waiting += [member for _key, member in reversed(held.pairs)]
    return len(calls_in(node, value, is_whole=True))


def fit_of_tree(node: Node, tree: Any) -> int:
    """The same, of what was read."""
    if node.kind == "list" and node.item is not None and node.item.kind == "dict":
        return len(next((item for item in tree if item is not None), "1"))
    return len(tree) if node.kind == "dict" else 1


def takes_text(root: Node) -> bool:
    """Whether an answer may be one text: where that is asked for, or is an option."""
    return any(part.is_text() for part in (root, *root.parts))


def is_named(root: Node, name: str) -> bool:
    """Whether a field of an object, or of an option of a union, goes by a name."""
    return any(part.has_field(name) for part in (root, *root.parts))


# What stands inside of what


def may_hold(root: Node, front: str) -> bool:
    """Whether something may have begun, in front of some data, that holds it: a call, a name on its line, a fence."""
    if _CALL.search(front) or "```y" in front or (root.kind == "map" and "```" in front):
        return True
    if _takes_texts(root) and _ITEM.search(front):
        return True

    def is_name(name: str) -> bool:
        return any(is_named(part, name) for part in (root, root.item) if part is not None)

    return bool(labels(front, is_name) or sections(front, is_name))


def holds(root: Node, outer: Found, span: Span) -> bool:
    """Whether what stands at `span` is a part of an answer that was found: of a call, or, in lines and YAML, of the
    value of a field that is no text; or of any text, where the lines around it give all that is required, or several
    items.
    """
    if not outer.span[0] < span[0] < outer.span[1]:
        return False
    if outer.form == "Python":
        return True
    value = outer.value
    if value is None:
        return False
    is_item = _takes_texts(root) and isinstance(value.held, list) and len(value.held) > 1
    return is_item or _holds_in_text(root, value, span) or _holds_in_field(root, value, span)


def _takes_texts(root: Node) -> bool:
    """Whether a list of texts is asked for."""
    return root.kind == "list" and root.item is not None and root.item.kind == "str"


_ITEM = re.compile(r"^[ \t]*+(?:[-*+\u2022]|[0-9]{1,4}[.)])[ \t]++[^\s\[{][^\n]*\Z", re.MULTILINE)
"""The beginning of an item with a bullet or a number, in which something may stand."""


def _holds_in_text(root: Node, value: Value, span: Span) -> bool:
    """Whether a place is in the text of a field, of an object that has all that is required, and more than that."""
    if root.kind != "dict" or not isinstance(value.held, Members):
        return False
    inner = _inner(value, span)
    around = None if inner is None or inner[0] is None else root.field_of(inner[0])
    given = {field.name for key, _member in value.held.pairs if (field := root.field_of(str(key.held))) is not None}
    is_whole = len(given) > 1 and all(name in given for name, field in root.fields.items() if field.required)
    return around is not None and around.node.is_text() and is_whole


def _holds_in_field(root: Node, value: Value, span: Span) -> bool:
    """Whether a place is in the value of a field: what wraps the data may stand around all of it."""
    parts = [part for node in (root, root.item) if node is not None for part in (node, *node.parts)]
    while isinstance(value.held, list | Members):
        inner = _inner(value, span)
        if inner is None:
            return False
        key, value = inner
        if isinstance(value.held, list | Members) and key is not None and any(_takes(part, key) for part in parts):
            return True
    return False


def _inner(holder: Value, span: Span) -> tuple[str | None, Value] | None:
    """The member or the item in which a place is."""
    held, start = holder.held, span[0]
    if isinstance(held, Members):
        index = bisect_right(held.pairs, start, key=lambda pair: pair[1].start) - 1
        found = held.pairs[index] if index >= 0 else None
        return (str(found[0].held), found[1]) if found is not None and start < found[1].end else None
    assert isinstance(held, list)
    index = bisect_right(held, start, key=lambda item: item.start) - 1
    return (None, held[index]) if index >= 0 and start < held[index].end else None


def _takes(node: Node, key: str) -> bool:
    """Whether a member is one of a node's, and one that holds others."""
    if node.kind in _OPEN_KINDS:
        return True
    field = node.field_of(key)
    return field is not None and any(
        part.kind == "any" or not part.is_text() for part in (field.node, *field.node.parts)
    )


_CALL = re.compile(r"\w\([^()\n]*[='\"\[{]|\w\(\s*\n")
"""What may be the beginning of a call that goes on."""
