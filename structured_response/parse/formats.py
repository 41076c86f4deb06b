"""A reply in place of XML: where JSON, YAML, or lines of names and values stand in it, and what they say.

`find_data` lists all that could be the answer, `read_found` reads one of them, `read_inner` reads what stands as
JSON or as lines inside of an element. JSON is read by `json_text`, which has no need of a package; YAML needs
PyYAML, and where that is missing, the finding says so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any, NamedTuple

from ..definition import ABSENT, Field, Node, Path, Plan, walk
from ..errors import MissingExtraError
from ..findings import ProblemKind, RepairKind, Span
from ..limits import MAX_COMPILED, MAX_YAML
from ..markup import BLANK
from .calls import as_json, calls
from .clean_json import Placed, clean_reader, clean_tree, decoded, may_be_strict
from .data import ARGUMENTS, calls_in, places_of, read_data
from .json_text import Scanned, scan_json
from .lines import Label, bullets, is_folded, labels, quoted, sections
from .mended_json import mend_json
from .reading import LimitReachedError, Reading
from .shown import without_shown
from .tables import table_of_entries, table_of_objects, table_of_texts
from .text import common_start, layout, unfenced
from .written import Bare, Change, Fault, Members, Value, move_all
from .yaml_text import NotYamlError, scan_yaml

__all__ = [
    "Found",
    "find_data",
    "found_scalar",
    "is_named",
    "of_json",
    "of_lines",
    "of_yaml",
    "read_found",
    "read_inner",
    "read_literal",
    "takes_text",
]

_FIRST_KEY = re.compile(r"\{[ \t\r\n]*+(\"[^\"\\\x00-\x1f\ud800-\udfff]*+\")")
_OPENER = re.compile(r"[{\[]")
_FENCE = re.compile(r"^[ \t]*(`{3,}|~{3,})[ \t]*([\w+-]*)[^\n`]*$", re.MULTILINE)
_BLOCK = re.compile(r"[|>][+-]?[0-9]?\s*(?:#.*)?\Z")
_MARKER = re.compile(r"^(?:---|\.\.\.)[ \t\r]*$", re.MULTILINE)
"""What stands between documents of YAML, and around lines that begin with names."""

_LEADING = re.compile(r"\A(?:[ \t\r]*+\n)++")
"""The blank lines that a text begins with."""
_MAX_CLEAN = 4
"""Brackets in a reply behind which clean JSON is looked for: each time that there is none may cost all of the reply."""
_OPEN_KINDS = ("map", "any")
_WITHOUT_QUOTES = ("YAML", "lines")
"""Formats in which texts need no quotes."""
_NO_CALLS = ("dict", "list", "tuple")
"""Kinds of an answer of which all that they hold tells that it is no call."""


@dataclass(slots=True)
class Found:
    """Something in a reply that could be the answer.

    `form` is "JSON", "YAML", "lines" or "Python". `fit` counts the names of the definition that stand where they
    belong. `is_strict`: to the letter of its format. `is_whole`: the reply did not break off in it. Where it could not
    be read, `value` is None and `limit` or `problem` says why. Of JSON that needs no word said there is the `tree`,
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
    changes: Sequence[Change] = ()
    faults: Sequence[Fault] = ()
    limit: LimitReachedError | None = None
    problem: tuple[ProblemKind, str] | None = None
    tree: Any = ABSENT
    wrapper: Change | None = None
    changed: Sequence[Placed] = ()
    locate: Callable[[Path, int], dict[Path, Span]] | None = None


def find_data(plan: Plan, reply: str, form: str | None = None) -> list[Found]:
    """All that could be the answer, in the order of the reply. Linear in the reply; raises nothing.

    `form` is "json" or "yaml" where nothing else is looked for.
    """
    root = plan.root
    found = _found_json(root, reply) if form != "yaml" else []
    fitting = [one for one in found if one.fit > 0 or one.limit is not None]
    if form != "json" and not any(one.fit > 0 for one in found):
        shown = without_shown(reply)
        fitting += (_found_calls(root, shown) if form is None else []) or _found_lines(root, shown)
    if not fitting:
        is_alone = len(found) == 1 and _is_alone(reply, found[0].span)
        fitting = found if is_alone else found_scalar(root, reply)
    return sorted(fitting, key=lambda one: one.span)


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
    if found.locate is not None:
        reading.tree = _read_clean(found, reading, (), 0)
    elif found.value is not None:
        reading.tree = _read(plan.root, found.value, reading, (), found.form)


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
    if form not in _WITHOUT_QUOTES and (path or node.kind in _NO_CALLS):
        tree, changed = clean_tree(node, value)
        if tree is not ABSENT:
            for place, change in changed:
                reading.repair(RepairKind.JSON_MENDED, (*path, *place), *change)
            reading.late.append(lambda: places_of(node, value, path))
            return tree
    return read_data(node, value, reading, path, form in _WITHOUT_QUOTES)


# JSON


def _found_json(root: Node, reply: str) -> list[Found]:
    found: list[Found] = []
    takes_lists = root.kind in ("list", "tuple", "union", "any")
    position = 0
    is_too_deep = False
    left = _MAX_CLEAN if root.kind in _NO_CALLS else 0
    while opener := _OPENER.search(reply, position):
        start = opener.start()
        clean = _clean_or_mended(root, reply, start, takes_lists) if left > 0 else None
        left -= 1
        try:
            one, position = (clean, clean.span[1]) if clean else _sloppy(root, reply, start, takes_lists)
        except LimitReachedError as limit:
            position = limit.problem.span[1] if limit.problem.span else start + 1
            if not is_too_deep:  # once is enough; and its traceback would keep all that was read
                found.append(Found("JSON", (start, position), limit=limit.with_traceback(None)))
            is_too_deep = True
            continue
        if one is not None:
            if found and not found[-1].fit and found[-1].limit is None:  # with another one it is not the whole reply
                found.pop()
            if one.fit or not found:
                found.append(one)
    return _joined(root, reply, found)


def _sloppy(root: Node, reply: str, start: int, takes_lists: bool) -> tuple[Found | None, int]:
    """JSON, sloppy or not, if it is that, and where it ends. Raises `LimitReachedError`."""
    scanned = _scan(root, reply, start, takes_lists)
    return None if scanned.value is None else _of_scanned(root, scanned.value, scanned), scanned.end


def _clean_or_mended(root: Node, reply: str, start: int, takes_lists: bool) -> Found | None:
    """Clean JSON, or sloppy one of which nothing has to be said but that it is."""
    clean = decoded(reply, start)
    mended = mend_json(reply, start, _names(root).known, takes_lists) if clean is None else None
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
        value = _scan(root, reply, start, takes_lists=True).value
        if value is None:
            return {}
        move_all(value, offset)
        return places_of(root, value, path)

    fit = _fit_of_tree(root, tree)
    return Found("JSON", (start, clean[1]), None, fit, is_strict=True, tree=tree, wrapper=wrapper, locate=locate)


def _wrapper(root: Node, reply: str, start: int, data: Any) -> tuple[Change | None, Any]:
    """The name of a wrapper around an object, and what it holds."""
    name = data[0][0] if root.kind == "dict" and type(data) is tuple and len(data) == 1 else None
    key = _FIRST_KEY.match(reply, start)
    if name is None or key is None or name in ARGUMENTS or _field_of(root, name) is not None:
        return None, None
    return Change(key.span(1), name, name), data[0][1]


def _of_scanned(root: Node, value: Value, scanned: Scanned) -> Found:
    return Found(
        "JSON",
        value.span,
        value,
        _fit(root, value),
        scanned.is_strict,
        scanned.is_whole,
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
    found = _clean(root, reply, start, clean) if root.kind in _NO_CALLS else None
    if found is not None:
        return found
    try:
        scanned = _scan(root, reply, start, takes_lists=True)
    except LimitReachedError:
        return None
    if scanned.value is None or not scanned.is_strict or reply[scanned.end : end].strip(BLANK):
        return None
    found = _of_scanned(root, scanned.value, scanned)
    return found if found.fit or takes_text(root) else None


def _found_calls(root: Node, reply: str) -> list[Found]:
    """Calls of Python that have names of an object as keywords; one name alone may be anybody's."""
    found: list[Found] = []
    written, starts = calls(reply, lambda name: is_named(root, name)) if "=" in reply else (reply, [])
    for start in starts:
        try:
            scanned = _scan(root, written, start, takes_lists=True)
        except LimitReachedError as limit:
            return [*found, Found("Python", (start, start + 1), limit=limit.with_traceback(None))]
        if scanned.value is not None:
            one = _of_scanned(root, scanned.value, scanned)
            one.form, one.changes = "Python", []  # that its names have no quotes is what makes it a call
            is_sure = one.fit > 1 or len(root.fields) == 1 or reply.endswith(root.name or " ", 0, start)
            found += [one] if is_sure else []
    return found


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
    return are_objects and not reply[last.span[1] : one.span[0]].strip(BLANK + ",")


def _group(root: Node, group: list[Found]) -> Found:
    span = group[0].span[0], group[-1].span[1]
    value = Value([one.value for one in group if one.value is not None], *span)
    changes = [Change((span[0], span[0]), "", "["), *(change for one in group for change in one.changes)]
    faults = [fault for one in group for fault in one.faults]
    return Found("JSON", span, value, _fit(root, value), False, group[-1].is_whole, changes, faults)


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


def _is_alone(reply: str, span: Span) -> bool:
    """Whether nothing but a fence stands around a piece of a reply."""
    rest = reply[: span[0]] + "\n" + reply[span[1] :]
    return not _FENCE.sub("", rest).strip(BLANK)


# How well data fits


class _Names(NamedTuple):
    """The folded names of a definition, and whether any other may stand somewhere too, as in a map."""

    known: frozenset[str]
    takes_any: bool


@lru_cache(maxsize=MAX_COMPILED)
def _names(root: Node) -> _Names:
    nodes = list(walk(root))
    takes_any = any(node.kind in _OPEN_KINDS or node.keeps_extra for node in nodes)
    return _Names(frozenset(form for node in nodes for form in node.folded_fields()), takes_any)


def _scan(node: Node, text: str, start: int, takes_lists: bool) -> Scanned:
    names = _names(node)
    return scan_json(text, start, names.known, takes_lists, names.takes_any)


def _fit(root: Node, value: Value) -> int:
    """How many names of the definition an object, or the first item of a list, holds; through wrappers too."""
    parts = root.parts if root.kind == "union" else (root,)
    return max((_fit_of(part, value) for part in parts), default=0)


def _fit_of(node: Node, value: Value) -> int:
    held = value.held
    if node.kind == "list" and isinstance(held, list):
        assert node.item is not None
        first = next((item for item in held if item.held is not None), None)
        return 1 if node.item.kind != "dict" or first is None else _fit(node.item, first)
    if node.kind in ("tuple", "any") and isinstance(held, list):
        return 1
    if node.kind in ("map", "any") and isinstance(held, Members):
        return 1
    if isinstance(held, list):
        return _fit_of(node, held[0]) if len(held) == 1 and node.kind == "dict" else 0
    if node.kind == "list" and isinstance(held, Members):
        inner = [member for _key, member in held.pairs if isinstance(member.held, list)]
        assert node.item is not None
        return _fit(node.item, value) or (_fit_of(node, inner[0]) if len(held.pairs) == 1 and inner else 0)
    return _fit_of_object(node, value) if node.kind == "dict" else 0


def _fit_of_object(node: Node, value: Value) -> int:
    """The names of an object, or of the first one in it that has any: wrappers may lie around it. Else its calls."""
    waiting = [value]
    while waiting:
        held = waiting.pop().held
        if isinstance(held, Members):
            fields = {field.name for key, _member in held.pairs if (field := _field_of(node, str(key.held)))}
            if fields:
                return len(fields)
            waiting += [member for _key, member in reversed(held.pairs)]
    return len(calls_in(node, value, is_whole=True))


def _fit_of_tree(node: Node, tree: Any) -> int:
    """The same, of what was read."""
    if node.kind == "list" and node.item is not None and node.item.kind == "dict":
        return len(next((item for item in tree if item is not None), "1"))
    return len(tree) if node.kind == "dict" else 1


def takes_text(root: Node) -> bool:
    """Whether an answer may be one text: where that is asked for, or is an option."""
    return any(part.is_text() for part in (root, *root.parts))


def is_named(root: Node, name: str) -> bool:
    """Whether a field of an object, or of an option of a union, goes by a name."""
    return any(_field_of(part, name) is not None for part in (root, *root.parts))


def _field_of(node: Node, name: str) -> Field | None:
    return node.fields.get(name) or node.field_named(name)


# YAML and lines


def _found_lines(root: Node, reply: str) -> list[Found]:
    """Fenced blocks of YAML, else any block or the reply itself where it has lines that begin with names."""
    found: list[Found] = []
    left = MAX_YAML
    for start, end, language in _blocks(reply):
        is_yaml = language in ("yaml", "yml") and end - start <= left
        left -= end - start if is_yaml else 0
        one = of_yaml(root, reply, start, end) if is_yaml else None
        if one is None or one.problem is not None:
            one = of_lines(root, reply, start, end) or one
        found += [one] if one is not None else []
    return found or [one for one in [of_lines(root, reply, 0, len(reply))] if one is not None]


def _blocks(reply: str) -> Iterator[tuple[int, int, str]]:
    """The insides of fenced blocks, with what the fences call their language."""
    opened: re.Match[str] | None = None
    for fence in _FENCE.finditer(reply):
        if opened is None:
            opened = fence
        elif fence[1].startswith(opened[1]) and not fence[2]:
            yield opened.end() + 1, fence.start(), opened[2].lower()
            opened = None
    if opened is not None and opened.end() < len(reply):
        yield opened.end() + 1, len(reply), opened[2].lower()


def of_yaml(root: Node, reply: str, start: int, end: int) -> Found | None:
    """A piece of a reply as YAML; None where it is not that and nothing says that it should be."""
    text = _untabbed(reply[start:end].rstrip(" \t"))
    span = (start, end)
    try:
        documents = scan_yaml(text)
    except MissingExtraError as error:
        return Found("YAML", span, problem=(ProblemKind.MISSING_EXTRA, str(error)))
    except LimitReachedError as limit:
        return Found("YAML", span, limit=limit)
    except NotYamlError as error:
        place = start + min(error.offset, max(len(text) - 1, 0))
        message = f"not YAML that is read here: {error.message}"
        return Found("YAML", (place, end), problem=(ProblemKind.INVALID, message), is_strict=error.is_refused)
    documents = [value for value in documents if value.held] or documents[-1:]  # one that is empty follows a marker
    for value in documents:
        move_all(value, start)
    if not documents:
        return None
    is_list = root.kind == "list" and len(documents) > 1
    value = Value(list(documents), start, end) if is_list else documents[-1]
    fit = _fit(root, value)
    is_text = takes_text(root) and not isinstance(value.held, list | Members)
    return Found("YAML", span, value, fit, is_strict=True) if fit or is_text else None


def _untabbed(text: str) -> str:
    """The text with blanks for the tabs that all of its lines are indented by, which YAML does not take."""
    indents = [line[: len(line) - len(line.lstrip(BLANK))] for line in text.split("\n") if line.strip(BLANK)]
    common = common_start(indents)
    return f"\n{text}".replace(f"\n{common}", "\n" + " " * len(common))[1:] if "\t" in common else text


def of_lines(root: Node, reply: str, start: int, end: int, least: int = 2) -> Found | None:
    """Lines that begin with the names of an object, or stand below them: as they are where they are flat, else as YAML.
    Fewer than `least` names could stand in any prose, unless the object has no more.
    """
    if root.kind != "dict":
        return _of_list_lines(root, reply, start, end)
    text = reply[start:end]
    under = sections(text, lambda name: _field_of(root, name) is not None)
    found = _outermost(root, text, labels(text, lambda name: _field_of(root, name) is not None))
    if len(under) >= max(len(found), 1):
        found = under
    elif found:
        found[-1] = found[-1]._replace(end=_end_of_last(text, found[-1]))
    if len(found) < min(least, len(root.fields)) or not found:
        return None
    first, last = text.rfind("\n", 0, found[0].start) + 1, found[-1].end
    value = _flat(root, text, found, start)
    one = of_yaml(root, reply, start + first, start + last) if value is None and found is not under else None
    if one is None or one.problem is not None:
        value = value or _flat(root, text, found, start, folds=False, keeps=one is None or _is_no_yaml(one))
        one = one if value is None else Found("lines", (start + found[0].start, start + last), value, len(found), True)
    if one is None:
        return None
    rest = text[last:].strip(BLANK + "|")
    if rest:
        behind = start + text.index(rest, last)
        one.changes = [*one.changes, Change((behind, behind + len(rest)), rest, rest)]
    return one


def _of_list_lines(root: Node, reply: str, start: int, end: int) -> Found | None:
    if root.kind != "list" or root.item is None:
        return None
    item = root.item
    text = reply[start:end]
    table = table_of_texts(text) if item.is_text() else table_of_objects(text, lambda name: is_named(item, name))
    if table is not None:
        move_all(table, start)
        return Found("lines", (start, end), table, 1, is_strict=True)
    if item.is_text():
        value = bullets(text, start)
        return None if value is None else Found("lines", (start, end), value, 1, is_strict=True)
    if not labels(text.replace("- ", "  "), lambda name: is_named(item, name)):
        return None
    return of_yaml(root, reply, start, end)


def _outermost(root: Node, text: str, found: list[Label]) -> list[Label]:
    """The labels that are indented least; the others belong to the values of these, as those behind bullets do where
    a value that is no text begins with them.
    """
    least = min((label.indentation for label in found), default=0)
    outer: list[Label] = []
    for label in found:
        if label.indentation == least and not (outer and label.is_bulleted and _holds_bullets(root, text, outer[-1])):
            outer.append(label)
        elif outer:
            outer[-1] = outer[-1]._replace(end=label.end)
    return outer


def _holds_bullets(root: Node, text: str, label: Label) -> bool:
    """Whether a label stands alone on its line, above bullets that are its value."""
    field = _field_of(root, label.name)
    alone = not text[label.value : label.end].partition("\n")[0].strip(BLANK)
    return alone and not label.is_bulleted and field is not None and not field.node.is_text()


def _end_of_last(text: str, label: Label) -> int:
    """Where the last value ends: before a marker that ends a document, or a blank line, unless what follows is
    indented or a bullet.
    """
    marker = _MARKER.search(text, label.value)
    text = text[: marker.start()].rstrip(BLANK) if marker else text
    position = label.value
    while (blank := text.find("\n", position)) >= 0:
        following = re.compile(r"\n[ \t\r]*\n\s*").match(text, blank)
        position = blank + 1
        if following:
            line_start = text.rfind("\n", 0, following.end()) + 1
            held = text[line_start : following.end() + 2]
            if not held.startswith((" ", "\t", "- ", "* ")) and label.value < blank:
                return blank
            position = following.end()
    return len(text)


def _is_no_yaml(found: Found) -> bool:
    """Whether a text turned out not to be YAML at all."""
    return found.problem is not None and found.problem[0] is ProblemKind.INVALID and not found.is_strict


def _flat(
    root: Node, text: str, found: list[Label], offset: int, folds: bool = True, keeps: bool = False
) -> Value | None:
    """The object that lines of names and values are, or None where a value needs more than lines. `folds`: a text in
    quotes that runs over lines is one that YAML has folded. `keeps`: a value that holds others stays a text.
    """
    members = Members()
    for label in _without_commas(text, found):
        field = _field_of(root, label.name)
        assert field is not None
        value = _flat_value(field.node, text, label, folds, keeps)
        if value is None:
            return None
        key = Value(label.name, label.start, label.start + len(label.name))
        members.pairs.append((key, value))
    made = Value(members, found[0].start, found[-1].end)
    move_all(made, offset)
    return made


def _without_commas(text: str, found: list[Label]) -> list[Label]:
    """The labels with their values' ends before the commas that separate them, if each but the last has one."""
    ends = [label.value + len(text[label.value : label.end].rstrip(BLANK)) for label in found]
    are_separated = len(found) > 1 and all(text[end - 1] == "," for end in ends[:-1])
    if not are_separated:
        return found
    return [label._replace(end=end - (text[end - 1] == ",")) for label, end in zip(found, ends, strict=True)]


def _flat_value(node: Node, text: str, label: Label, folds: bool, keeps: bool) -> Value | None:
    held = text[label.value : label.end]
    inner = held.strip(BLANK)
    start = label.value + (held.index(inner) if inner else 0)
    end = start + len(inner)
    if _BLOCK.match(inner.partition("\n")[0]) or (_takes_any(node) and inner.startswith("- ")):
        return None
    if node.is_text() or not inner:
        literal = quoted(inner)
        if folds and not label.is_verbatim and is_folded(inner):
            return None
        if label.is_verbatim:  # laid out and fenced as in an element
            lines = unfenced(layout(_LEADING.sub("\n", held), lambda: " " * label.indentation))
        else:
            lines = "\n".join(line.strip() for line in inner.split("\n"))
        return Value(Bare(lines) if literal is None else literal, start, end)
    value = _in_json(node, inner)
    if value is None and node.kind == "list" and node.item is not None and node.item.is_text():
        value = bullets(inner) or Value(Bare(inner), 0, len(inner))
    if value is None and keeps:
        value = Value(Bare(inner), 0, len(inner))
    if value is not None:
        move_all(value, start)
    return value


def _takes_any(node: Node) -> bool:
    """Whether a value may be of any type, so that bullets are a list."""
    return any(part.kind == "any" for part in (node, *node.parts))


def _in_json(node: Node, text: str) -> Value | None:
    """JSON that is all of a text."""
    begin = len(text) - len(text.lstrip(BLANK))
    if not text.startswith(("{", "["), begin):
        return None
    scanned = _scan(node, text, begin, takes_lists=True)
    return scanned.value if not text[scanned.end :].strip(BLANK) else None


# Inside of an element


def read_inner(node: Node, text: str, start: int, path: Path, reading: Reading) -> Any:
    """The tree of a list, an object, a map or a tuple that stands as JSON or as lines in an element, else None.

    `text` are the characters between the tags as they are in the reply, `start` is where they begin. What was read
    so is on record. Raises `LimitReachedError`.
    """
    if node.kind not in ("list", "dict", "map", "tuple", "union") or not text.strip(BLANK):
        return None
    begin = len(text) - len(text.lstrip(BLANK))
    if text.startswith(("{", "["), begin):
        clean = _clean_or_mended(node, text, begin, takes_lists=True) if path or node.kind in _NO_CALLS else None
        if clean is not None:
            return None if text[clean.span[1] :].strip(BLANK) else _read_inner(node, clean, start, path, reading)
        scanned = _scan(node, text, begin, takes_lists=True)
        if scanned.value is None or text[scanned.end :].strip(BLANK):
            return None
        return _read_inner(node, _of_scanned(node, scanned.value, scanned), start, path, reading)
    if node.kind == "union":
        return None
    if node.kind == "map" and node.item is not None and not node.item.is_text():
        found = of_yaml(node, text, 0, len(text))
    else:
        found = of_lines(node, text, 0, len(text)) or (_of_entries(text) if node.kind == "map" else None)
    return None if found is None or found.value is None else _read_inner(node, found, start, path, reading)


def read_literal(node: Node, text: str, start: int, path: Path, reading: Reading) -> Any:
    """The same of a literal of Python, with tuples or calls in it."""
    written = as_json(text)
    if written is None:
        return None
    scanned = _scan(node, written, len(written) - len(written.lstrip(BLANK)), takes_lists=True)
    if scanned.value is None or text[scanned.end :].strip(BLANK):
        return None
    found = _of_scanned(node, scanned.value, scanned)
    found.form, found.changes = "Python", []  # that its names have no quotes is what makes it a call
    return _read_inner(node, found, start, path, reading)


def _of_entries(text: str) -> Found | None:
    """Lines of keys and values, for a map of scalars: every line has both. A table has rows of both."""
    table = table_of_entries(text)
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
    return _read(node, found.value, reading, path, found.form)
