"""JSON and calls of Python: where they stand in a reply, and the data of what is JSON to the letter or nearly so."""

from __future__ import annotations

import re
from bisect import bisect_right
from contextlib import suppress
from typing import Any

from ...definition import ABSENT, Node, Path
from ...findings import ProblemKind, Span
from ...markup import BLANK
from ..json.calls import calls
from ..json.json_text import Scanned, scan_json
from ..reading import LimitReachedError
from ..written import Bare, Change, Members, Value, move_all
from .clean_json import clean_reader, decoded, may_be_strict
from .data import places_of
from .found import BETWEEN, NO_CALLS, Found, fit_of, fit_of_tree, is_named, names_of, scan_known, takes_text
from .members import ARGUMENTS
from .mended_json import mend_json
from .unbalanced import beside, has_strays, is_balanced, is_next, may_go_on, reopened

__all__ = ["clean_or_mended", "find_calls", "find_json", "found_scalar", "of_json", "of_scanned"]

_FIRST_KEY = re.compile(r"\{[ \t\r\n]*+(\"[^\"\\\x00-\x1f\ud800-\udfff]*+\")")
_OPENER = re.compile(r"\[|\{(?![ \t\r\n]*+[{\[])")
"""What may begin JSON: no name does with a bracket."""
_BEHIND_CALL = re.compile(r"[,\s]*+(?:[-*+\u2022][ \t]++|[0-9]{1,4}[.)][ \t]++)?+[\w.]{0,200}+")
"""What stands between two calls that follow each other: the name of the second one."""
_SEMICOLON = re.compile(r"(\"(?:[^\"\\]|\\.)*+\"|'(?:[^'\\]|\\.)*+')|;(?=\s*+[^\W\d]\w{0,99}+\s*+=)")
"""A semicolon in front of a keyword, or a text, which may hold some."""
_BETWEEN = re.compile(rf"(?:\s*+```+\s*+```+[\w+-]*+)?{BETWEEN.pattern}")
"""What stands between two objects that follow each other: each may have a fence of its own."""
_LINE_OF_MODEL = re.compile(r"(?:^|:[ \t])(?P<all>(?P<name>[^\W\d]\w{0,99}+)=(?=\S)[^\n]*[^\s,])", re.MULTILINE)
_MAX_CLEAN = 4
"""Brackets in a reply behind which clean JSON is looked for: each time that there is none may cost all of the reply."""


def find_json(root: Node, reply: str) -> list[Found]:
    found: list[Found] = []
    takes_lists = root.kind in ("list", "tuple", "union", "any")
    position = 0
    is_too_deep = False
    left = _MAX_CLEAN if root.kind in NO_CALLS else 0
    first = _OPENER.search(reply)
    unopened = reopened(root, reply, first.start() if first else len(reply))
    if unopened is not None and unopened.fit:
        found.append(unopened)
        position = unopened.span[1]
    while opener := _OPENER.search(reply, position):
        start = opener.start()
        clean = clean_or_mended(root, reply, start, takes_lists) if left > 0 else None
        clean = None if clean and may_go_on(reply, clean.span[1]) else clean
        left -= 1
        try:
            one, position = (clean, clean.span[1]) if clean else _sloppy(root, reply, start, takes_lists)
        except LimitReachedError as limit:
            position = limit.problem.span[1] if limit.problem.span else start + 1
            if not is_too_deep:  # once is enough; and its traceback would keep all that was read
                found.append(Found("JSON", (start, position), limit=limit.with_traceback(None)))
            is_too_deep = True
            continue
        if one is not None and (one.is_whole or not is_too_deep):  # the rest of what is too deep is no answer
            if found and not found[-1].fit and found[-1].limit is None:  # with another one it is not the whole reply
                found.pop()
            if one.fit or not found:
                found.append(one)
    joined = _joined(root, reply, found)
    for last, one in zip([None, *joined], joined, strict=False):
        _note_beside(reply, one, last)
    return joined


def _note_beside(reply: str, found: Found, last: Found | None) -> None:
    """Notes what the brackets of a piece of JSON leave unclear, also of the `last` one in front of it."""
    found.is_balanced = found.is_balanced and not has_strays(reply, found.span[1])
    fault = beside(reply, found.span)
    if fault is not None:
        found.faults = [*found.faults, fault]
        if last is not None and is_next(reply, last.span[1], found.span[0]):
            last.faults = [*last.faults, fault]


def _sloppy(root: Node, reply: str, start: int, takes_lists: bool) -> tuple[Found | None, int]:
    """JSON, sloppy or not, if it is that, and where it ends. Raises `LimitReachedError`."""
    scanned = scan_known(root, reply, start, takes_lists)
    return None if scanned.value is None else of_scanned(root, scanned.value, scanned), scanned.end


def clean_or_mended(root: Node, reply: str, start: int, takes_lists: bool) -> Found | None:
    """Clean JSON, or sloppy one of which nothing has to be said but that it is."""
    clean = decoded(reply, start)
    mended = mend_json(reply, start, names_of(root).known, takes_lists) if clean is None else None
    found = _clean(root, reply, start, clean if mended is None else mended[:2])
    if mended is not None and found is not None:
        depth = 0 if found.wrapper is None else 1
        found.changed = [(place[depth:], change) for place, change in mended.changed]
        found.changes, found.is_strict = mended.changes, False
    return found


def _clean(root: Node, reply: str, start: int, clean: tuple[Any, int] | None) -> Found | None:
    """JSON of which nothing has to be said."""
    if clean is None:
        return None
    tree, wrapper = clean_reader(root)(clean[0]), None
    if tree is ABSENT:
        wrapper, inner = _wrapper(root, reply, start, clean[0])
        tree = ABSENT if wrapper is None else clean_reader(root)(inner)
    if tree is ABSENT:
        return None

    def locate(path: Path, offset: int) -> dict[Path, Span]:
        value = scan_known(root, reply, start, takes_lists=True).value
        if value is None:
            return {}
        move_all(value, offset)
        return places_of(root, value, path)

    fit = fit_of_tree(root, tree)
    return Found("JSON", (start, clean[1]), None, fit, is_strict=True, tree=tree, wrapper=wrapper, locate=locate)


def _wrapper(root: Node, reply: str, start: int, data: Any) -> tuple[Change | None, Any]:
    """The name of a wrapper around an object, and what it holds."""
    name = data[0][0] if root.kind == "dict" and type(data) is tuple and len(data) == 1 else None
    key = _FIRST_KEY.match(reply, start)
    if name is None or key is None or name in ARGUMENTS or root.has_field(name):
        return None, None
    return Change(key.span(1), name, name), data[0][1]


def of_scanned(root: Node, value: Value, scanned: Scanned) -> Found:
    return Found(
        "JSON",
        value.span,
        value,
        fit_of(root, value),
        scanned.is_strict,
        scanned.is_whole,
        is_balanced(scanned),
        scanned.changes,
        scanned.faults,
    )


def of_json(root: Node, reply: str, start: int, end: int) -> Found | None:
    """What stands from the bracket at `start` to `end`, where that is JSON to the letter and fits."""
    clean = decoded(reply, start)
    if clean is None and not may_be_strict(reply):
        return None
    if clean is not None and reply[clean[1] : end].strip(BLANK):
        return None
    found = _clean(root, reply, start, clean) if root.kind in NO_CALLS else None
    if found is not None:
        return found
    try:
        scanned = scan_known(root, reply, start, takes_lists=True)
    except LimitReachedError:
        return None
    if scanned.value is None or not scanned.is_strict or reply[scanned.end : end].strip(BLANK):
        return None
    found = of_scanned(root, scanned.value, scanned)
    return found if found.fit or takes_text(root) else None


def find_calls(root: Node, reply: str) -> list[Found]:
    """Calls of Python that go by the object's own name, or have names of it as keywords; one alone may be anybody's.
    Where a list is asked for, they are its items.
    """
    node = root.item if root.kind == "list" and root.item is not None else root
    own = {part.name for part in (node, *node.parts) if part.name} | ({"dict"} if node.kind == "map" else set())
    written, spans = calls(reply, lambda name: is_named(node, name), own) if "(" in reply else (reply, [])
    found: list[Found] = []
    for start, end in spans:
        is_own = reply.endswith(tuple(own), 0, start)
        try:
            scanned = scan_known(node, written, start, takes_lists=True)
            if scanned.value is None and is_own:  # it begins with another name
                scanned = scan_json(written, start, (), takes_lists=True)
        except LimitReachedError as limit:
            return [*found, Found("Python", (start, start + 1), limit=limit.with_traceback(None))]
        if scanned.value is not None:
            one = _of_call(root, scanned.value, scanned)
            found += [one] if is_own or one.fit > 1 or len(node.fields) == 1 else []
        elif is_own:
            found.append(Found("Python", (start, end), problem=(ProblemKind.INVALID, "arguments without their names")))
    return _joined(root, reply, _with_texts_of_models(root, node, reply, found))


def _of_call(root: Node, value: Value, scanned: Scanned) -> Found:
    one = of_scanned(root, value, scanned)
    one.form, one.changes = "Python", []  # that its names have no quotes is what makes it a call
    return one


def _with_texts_of_models(root: Node, node: Node, reply: str, inner: list[Found]) -> list[Found]:
    """The calls, or the lines around them that are what `str` makes of a model: `name='A' parts=[Part(n=1)]`."""
    outer: list[Found] = []
    for line in _LINE_OF_MODEL.finditer(reply):
        if not is_named(node, line["name"]):
            continue
        arguments = _SEMICOLON.sub(lambda found: found[1] or ",", line["all"])
        written, _starts = calls(f"_({arguments})", lambda _name: True)
        with suppress(LimitReachedError):
            scanned = scan_known(node, written, 1, takes_lists=True)
            if scanned.value is not None and scanned.end == len(written) and not scanned.faults:
                move_all(scanned.value, line.start("all") - 2)
                scanned.value.start, scanned.value.end = line.span("all")  # its brackets are not there
                one = _of_call(root, scanned.value, scanned)
                outer += [one] if one.fit > 1 else []
    ends = dict(one.span for one in outer)
    starts = sorted(ends)
    places = [bisect_right(starts, one.span[0]) - 1 for one in inner]
    free = [one for place, one in zip(places, inner, strict=True) if place < 0 or one.span[0] >= ends[starts[place]]]
    return sorted(free + outer, key=lambda one: one.span)


def _joined(root: Node, reply: str, found: list[Found]) -> list[Found]:
    """Where a list is asked for, objects that stand one after the other are its items."""
    if root.kind != "list":
        return found
    groups: list[list[Found]] = []
    for one in found:
        last = groups[-1][-1] if groups else None
        if last is not None and _is_next(reply, last, one):
            groups[-1].append(one)
        else:
            groups.append([one])
    return [_group(root, group) if len(group) > 1 else group[0] for group in groups]


def _is_next(reply: str, last: Found, one: Found) -> bool:
    """Whether two objects follow each other with nothing in between."""
    are_objects = all(found.value and isinstance(found.value.held, Members) for found in (last, one))
    between = _BEHIND_CALL if one.form == "Python" else _BETWEEN
    return are_objects and between.fullmatch(reply, last.span[1], one.span[0]) is not None


def _group(root: Node, group: list[Found]) -> Found:
    span = group[0].span[0], group[-1].span[1]
    value = Value([one.value for one in group if one.value is not None], *span)
    changes = [Change((span[0], span[0]), "", "["), *(change for one in group for change in one.changes)]
    faults = [fault for one in group for fault in one.faults]
    is_balanced = all(one.is_balanced for one in group)
    fit = fit_of(root, value)
    return Found(group[0].form, span, value, fit, False, group[-1].is_whole, is_balanced, changes, faults)


def found_scalar(root: Node, reply: str) -> list[Found]:
    """The reply as one JSON scalar: a number or a word for a scalar, a text for that or for what it holds."""
    text = reply.strip(BLANK)
    start = reply.find(text)
    try:
        wrapped = scan_json(f"[{text}]", 0, (), takes_lists=True) if text else None
    except LimitReachedError:  # more than a scalar
        return []
    if wrapped is None or wrapped.value is None or not wrapped.is_strict or wrapped.end < len(text) + 2:
        return []
    held = wrapped.value.held
    if not isinstance(held, list) or len(held) != 1 or isinstance(held[0].held, list | Members):
        return []
    value = held[0]
    is_data = isinstance(value.held, str) and value.held.lstrip(BLANK).startswith(("{", "["))
    if not takes_text(root) and (isinstance(value.held, Bare) or not is_data):
        return []
    move_all(value, start - 1)
    return [Found("JSON", value.span, value, 0, is_strict=True)]
