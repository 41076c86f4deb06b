"""YAML, and lines that begin with names: what they say."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from ...definition import Node
from ...errors import MissingExtraError
from ...findings import ProblemKind, Span
from ...markup import BLANK
from ..json.calls import calls
from ..lines.headings import sections
from ..lines.label_sections import labels_in
from ..lines.line_starts import bullet_of
from ..lines.lines import Label, bullets, is_folded, labels, quoted
from ..lines.paths import node_at
from ..lines.split_objects import split_bulleted, split_objects
from ..lines.split_text import Piece, unfenced_value
from ..lines.tables import row_of_object, table_of_objects, table_of_texts
from ..reading import LimitReachedError
from ..scalars.text import common_start, layout, unfenced
from ..written import Bare, Change, Fault, Members, Value, move_all
from .found import BETWEEN, Found, fit_of, is_named, scan_known, takes_text
from .label_values import plain_values, values_of_labels
from .members import merged_members
from .outline import BLOCK, in_yaml, outlined, read_outline
from .swallowed_labels import beside_scalars
from .yaml_text import NotYamlError, scan_yaml

__all__ = ["of_lines", "of_yaml"]

_FENCED = re.compile(r"(?:`{3,}|~{3,})[\w+-]*[ \t]*\n(.*)\n[ \t]*(?:`{3,}|~{3,})", re.DOTALL)
_BLOCK_ITEM = re.compile(r"^[ \t]*[-*+][ \t]+[|>][+-]?[0-9]?[ \t\r]*$", re.MULTILINE)
"""A bullet with a block of YAML behind it."""
_EQUALS = re.compile(r"\"(?:[^\"\\]|\\.)*+\"(?![ \t]*=)|'[^'\n]*+'(?![ \t]*=)|(?<=[\w\"'])([ \t]*+=>?)(?!=)")
_OPEN_QUOTE = re.compile(r"\"[^\"]*+|'(?=[^']*?(?::[ \n]| #))[^']*+")
_LEADING = re.compile(r"\A(?:[ \t\r]*+\n)++")
"""The blank lines that a text begins with."""


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
    fit = fit_of(root, value)
    is_text = takes_text(root) and not isinstance(value.held, list | Members)
    return Found("YAML", span, value, fit, is_strict=True) if fit or is_text else None


def _untabbed(text: str) -> str:
    """The text with blanks for the tabs that all of its lines are indented by, which YAML does not take."""
    indents = [line[: len(line) - len(line.lstrip(BLANK))] for line in text.split("\n") if line.strip(BLANK)]
    common = common_start(indents)
    return f"\n{text}".replace(f"\n{common}", "\n" + " " * len(common))[1:] if "\t" in common else text


def of_lines(root: Node, reply: str, start: int, end: int, least: int = 2, is_inner: bool = False) -> Found | None:
    """Lines that begin with the names of an object, or stand below them: as they are where they are flat, else as YAML.
    Raises `LimitReachedError`. Fewer than `least` names could stand in any prose, unless the object has no more.
    `is_inner`: inside of an element, of which is known that it is no list of objects one behind another.
    """
    if root.kind != "dict":
        return _of_list_lines(root, reply, start, end, not is_inner)
    text = reply[start:end]
    row = row_of_object(text, root.has_field)
    if row is not None:
        move_all(row, start)
        return Found("lines", row.span, row, fit_of(root, row), is_strict=True)
    under = sections(text, root.has_field, lambda name: node_at(root, name).is_text())
    found, foreign = values_of_labels(root, text, labels_in(root, text))
    if len(under) >= max(len(found), 1):
        found, foreign = under, []
    if len(found) < min(least, len(root.fields)) or not found:
        return None
    first, last = text.rfind("\n", 0, found[0].start) + 1, found[-1].end
    value = _flat(root, text, found, start)
    is_flat = found is under or not all(root.has_field(label.name) for label in found)
    one = of_yaml(root, reply, start + first, start + last) if value is None and not is_flat else None
    if one is not None and one.value is not None and _is_folded(root, reply, one.value):
        one = None
    if one is None or one.problem is not None:
        keeps = one is None or _is_no_yaml(one)
        value = value or _flat(root, text, found, start, folds=False, may_be_yaml=found is under, keeps=keeps)
        one = one if value is None else Found("lines", (start + found[0].start, start + last), value, len(found), True)
    if one is None:
        return None
    if one.form == "lines" and one.value is not None and not is_inner and start + last >= len(reply.rstrip(BLANK)):
        _note_open_quote(one.value.last)
    if one.form == "lines":
        one.faults = [*one.faults, *_moved(beside_scalars(root, text, found), start)]
    skipped = foreign if one.form == "lines" else []
    skipped.append((max(last, *(end for _start, end in skipped)) if skipped else last, len(text)))
    one.changes = [*one.changes, *(change for span in skipped for change in _skipped(text, span, start))]
    return one


def _is_folded(root: Node, reply: str, value: Value) -> bool:
    """Whether YAML made one text of the lines of what holds others."""
    pairs = value.held.pairs if isinstance(value.held, Members) else []
    return any(
        isinstance(member.held, Bare)
        and "\n" in reply[member.start : member.end]
        and (field := root.field_of(str(key.held))) is not None
        and field.node.kind in ("dict", "map", "list")
        for key, member in pairs
    )


def _moved(faults: list[Fault], offset: int) -> list[Fault]:
    """Faults of a text that stands behind so many characters."""
    return [fault._replace(span=(fault.span[0] + offset, fault.span[1] + offset)) for fault in faults]


def _note_open_quote(last: Value | None) -> None:
    """Marks the last value as the one that the reply broke off in, if it lacks its second quote. Single
    quotes count only where YAML needs them: they are apostrophes too.
    """
    if last is not None and isinstance(last.held, Bare) and _OPEN_QUOTE.fullmatch(last.held):
        last.held, last.is_cut = last.held[1:], True


def _skipped(text: str, span: Span, offset: int) -> Iterator[Change]:
    """What is left over in a part of a text."""
    rest = text[span[0] : span[1]].strip(BLANK + "|")
    if rest:
        begin = offset + text.index(rest, span[0])
        yield Change((begin, begin + len(rest)), rest, rest)


def _of_list_lines(root: Node, reply: str, start: int, end: int, may_be_objects: bool) -> Found | None:
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
    value = _objects(item, text) if may_be_objects else None
    one = of_yaml(root, reply, start, end) if value is None else None
    if value is None and (one is None or _is_no_yaml(one)):
        value = outlined(item, text) or _objects(item, text, split_bulleted)
    if value is None or value.last is None:
        return one
    skipped = list(_skipped(text, (value.last.end, len(text)), start))
    move_all(value, start)
    return Found("lines", (start, end), value, 1, is_strict=True, changes=skipped)


def _objects(item: Node, text: str, split: Callable[[str, Node], list[Piece]] = split_objects) -> Value | None:
    """The list of the objects that lines are one behind another, or in bullets, each as its text."""
    pieces = split(text, item) if item.kind == "dict" else []
    values = [Value(Bare(piece.text), piece.start, piece.end) for piece in pieces]
    return Value(list(values), 0, len(text)) if values else None


def _is_no_yaml(found: Found) -> bool:
    """Whether a text turned out not to be YAML at all."""
    return found.problem is not None and found.problem[0] is ProblemKind.INVALID and not found.is_strict


def _flat(
    root: Node,
    text: str,
    found: list[Label],
    offset: int,
    folds: bool = True,
    may_be_yaml: bool = False,
    keeps: bool = False,
) -> Value | None:
    """The object that lines of names and values are, or None where a value needs more than lines. `folds`: a text in
    quotes that runs over lines is one that YAML has folded; `may_be_yaml`: each value may be YAML by itself;
    `keeps`: a value that holds others may stay a text.
    """
    members = Members()
    for label in plain_values(root, text, found):
        value = _flat_value(node_at(root, label.name), text, label, folds, may_be_yaml, keeps)
        if value is None:
            return None
        key = Value(label.name, label.start, label.start + len(label.name))
        members.pairs.append((key, value))
    made = Value(members, found[0].start, found[-1].end)
    move_all(made, offset)
    return made


def _flat_value(node: Node, text: str, label: Label, folds: bool, may_be_yaml: bool, keeps: bool) -> Value | None:
    held = text[label.value : label.end]
    inner = held.strip(BLANK)
    start = label.value + (held.index(inner) if inner else 0)
    end = start + len(inner)
    if BLOCK.match(inner.partition("\n")[0]) or (_takes_any(node) and inner.startswith("- ")):
        return read_outline(node, text, label.value, label.end) if keeps else None
    if not inner or (node.is_text() and not (_takes_any(node) and inner.startswith(("{", "[")))):
        literal = quoted(inner)
        if folds and not label.is_verbatim and is_folded(inner):
            return None
        if label.is_verbatim:  # laid out and fenced as in an element
            lines = unfenced(layout(_LEADING.sub("\n", held), lambda: " " * label.indentation))
        else:
            bare = unfenced_value(Piece(inner, start, end)).text
            lines = "\n".join(map(str.strip, inner.split("\n"))) if bare == inner else bare
        return Value(Bare(lines) if literal is None else literal, start, end)
    fence = _FENCED.fullmatch(inner)
    if fence is not None:
        inner, start = fence[1], start + fence.start(1)
    value = _held(node, inner, may_be_yaml, keeps)
    if value is not None:
        move_all(value, start)
    elif keeps:
        value = _kept(node, text, start if fence else label.value, start + len(inner))
    return value


def _held(node: Node, text: str, may_be_yaml: bool, keeps: bool) -> Value | None:
    """What holds other values, as a text says it."""
    value = _in_json(node, text)
    if value is None and node.kind == "list" and node.item is not None and node.item.is_text():
        if _BLOCK_ITEM.search(text):
            return None
        is_flow = text.startswith("[") and ('"' in text or "'" in text)
        flow = in_yaml(text) if is_flow else None
        value = flow or bullets(text) or _only_item(text) or Value(Bare(text), 0, len(text))
    if (
        value is None
        and keeps
        and node.kind == "list"
        and node.item is not None
        and bullet_of(text, 0, len(text)) is None
    ):
        value = _objects(node.item, text)  # what stands above each of them may be a comment of YAML
    if value is None and may_be_yaml:
        found = of_yaml(node, text, 0, len(text))
        value = None if found is None else found.value
    if node.kind == "union" and value is not None and isinstance(value.held, list):
        merged = merged_members(value.held)  # bullets of which each is a member
        value = value if merged is None else Value(merged, *value.span)
    return value


def _kept(node: Node, text: str, start: int, end: int) -> Value | None:
    """What holds other values, where nothing but its lines tell what they are; else as a text. Of JSON that is damaged
    nothing is made.
    """
    inner = text[start:end].strip(BLANK)
    begin = text.index(inner, start)
    value = read_outline(node, text, start, end) if "\n" in inner else None
    if value is not None and isinstance(value.held, list | Members):
        return value
    value = _objects(node.item, inner) if node.kind == "list" and node.item is not None else None
    if value is None and not inner.startswith(("[", "{")):
        value = Value(Bare(inner), 0, len(inner))
    if value is not None:
        move_all(value, begin)
    return value


def _only_item(text: str) -> Value | None:
    """The list whose only item a text in quotes is."""
    literal = quoted(text)
    return None if literal is None else Value([Value(literal, 0, len(text))], 0, len(text))


def _takes_any(node: Node) -> bool:
    """Whether a value may be of any type, so that bullets are a list."""
    return any(part.kind == "any" for part in (node, *node.parts))


def _in_json(node: Node, text: str) -> Value | None:
    """JSON that is all of a text, or calls of Python in place of its objects."""
    value = _all_json(node, _EQUALS.sub(_as_colon, text) if "=" in text else text)
    if value is None and "=" in text and "(" in text:
        value = _all_json(node, calls(text, lambda _name: True)[0])
    return value


def _as_colon(match: re.Match[str]) -> str:
    """A sign of TOML behind a name as JSON has it, in as many characters; a text as it is."""
    return match[0] if match[1] is None else match[0].replace("=", ":").replace(">", " ")


def _all_json(node: Node, text: str) -> Value | None:
    """JSON that is all of a text. Objects that follow each other are a list, where one is asked for."""
    values: list[Value] = []
    position = len(text) - len(text.lstrip(BLANK))
    while text.startswith(("{", "["), position) and (scanned := scan_known(node, text, position, True)).value:
        values.append(scanned.value)
        position = BETWEEN.match(text, scanned.end).end()  # type: ignore[union-attr]
    if position < len(text) or not values or (len(values) > 1 and node.kind != "list"):
        return None
    return values[0] if len(values) == 1 else Value(list(values), values[0].start, values[-1].end)
