"""Records the edits of a reading and the text it left over, as repairs and problems with their places."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from operator import attrgetter

from ..definition import Node
from ..escaping import GAP
from ..findings import ProblemKind, RepairKind, Span
from .build import Element, Left
from .data import Reader, given
from .grammar import STR
from .leftovers import Gap, belongs, gap_of, hidden_in
from .parts import trimmed
from .prices import PRICES, Edit
from .read_json import closer_of
from .table import BRACKETS

_ELEMENTS = frozenset({Edit.UNKNOWN_SKIPPED, Edit.KNOWN_SKIPPED})
_FENCE = GAP + "`~"
_LAST_CLOSER = re.compile(r"(?:</[^<>]*+>|\s)*+[^\s].*</([\w:.-]+)>", re.DOTALL)
_OF_BRACKETS = frozenset({Edit.CLOSER_MISSING, Edit.CLOSER_MISSPELT, Edit.CLOSER_WRONG, Edit.REOPENED})
"""Edits of closing tags, which are brackets and quotes in JSON."""
_STRICT = {Edit.BRACKET_STRAY: "", Edit.QUOTE_STRAY: "", Edit.REST_LEFT: ""}
"""The strict form of a slip in JSON, unless that is an escaped quote."""
_QUOTED = GAP + "\"'`\u2018\u2019\u201c\u201d"
_ODD_SIGNS = re.compile(r"['`\u2018\u2019\u201c\u201d]")


def record(reader: Reader) -> None:
    for mended in reader.tree.mended:
        record_edit(reader, mended.edit, mended.element, mended.span)
    for left in reader.tree.left:
        skip_left(reader, left)
    for span, element in hidden_in(reader.tree) if reader.tree.tokens.hidden else ():
        text = reader.text[slice(*span)]
        reader.account.repair(RepairKind.TEXT_SKIPPED, element.path, span, text, text)
    for lefts in _stretches(reader.tree.left):
        losses(reader, lefts)
    root = reader.tree.root
    assert root is not None
    for element in cut_in(root):
        if element.name:
            place = (element.end, element.end)
            reader.account.repair(RepairKind.CLOSER_MISSING, element.path, place, "", f"</{element.name}>")
    breaking_off(reader, root)


def breaking_off(reader: Reader, root: Element) -> None:
    """Records that the reply breaks off in markup. In a closing tag, only a missing value behind it is a problem."""
    *_around, last = [root, *cut_in(root)]
    if root.is_cut and reader.account.truncated is None and is_torn(reader, root, last):
        node = reader.nodes.get(last.path)
        if node is None or node.kind != "dict" or reader.absent.get(last.path):
            reader.account.broken_off(last.path, (last.end,) * 2, "more may have followed")
    torn = reader.tree.torn
    if torn is not None and (torn.path or torn is root):
        reader.account.truncated = torn.path


def is_torn(reader: Reader, root: Element, last: Element) -> bool:
    whole = [child for child in last.children if child.role != "skipped"]
    behind = whole[-1].stop if whole else last.inner
    tokens = reader.tree.tokens
    if any(symbol.is_torn for symbol in tokens.symbols[-2:]):
        return True
    end = root.stop if root.form == "json" else len(reader.text)
    return last.token >= 0 and reader.text[behind:end].strip(_FENCE) != ""


def record_edit(reader: Reader, edit: Edit, element: Element, span: Span) -> None:
    """Records an edit as a repair, and as a problem if it is a guess by nature."""
    price = PRICES[edit]
    before = reader.text[slice(*span)]
    if element.form == "json" and edit in _OF_BRACKETS:
        element = (reader.tree.root or element) if edit is Edit.REOPENED else element
        reader.account.repair(RepairKind.JSON_MENDED, element.path, span, before, closer_of(element))
        is_before_key = closer_of(element) == "}" and reader.text[span[1] : span[1] + 1] not in "{[]}"
        if is_before_key if edit is Edit.CLOSER_MISSING else edit is Edit.REOPENED and closer_of(element) == "]":
            message = "a bracket is missing; what follows may or may not be inside it"
            reader.account.problem(ProblemKind.AMBIGUOUS, element.path[:-1], message, span, before)
        return
    after = before
    if edit in _CLOSERS:
        after = f"</{element.name}>"
    elif edit is Edit.NAME_MISSPELT:
        return  # the name of the field is on record
    elif edit is Edit.OPENER_TORN:
        after = f"{before}>"
    elif edit is Edit.JSON_SLIP:
        before, after = _strict(before)
        span = span[0], span[0] + len(before)
    elif price.repair is RepairKind.JSON_MENDED:
        after = _STRICT.get(edit, '\\"')
    if price.repair is not None:
        reader.account.repair(price.repair, element.path, span, before, after)
    if price.doubt:
        reader.account.problem(ProblemKind.AMBIGUOUS, element.path, price.doubt, span, before)


def skip_left(reader: Reader, left: Left) -> None:
    span = trimmed(reader.text, *left.span)
    text = reader.text[slice(*span)]
    if text and left.span not in reader.extra:
        kind = PRICES[left.edit].repair or RepairKind.TEXT_SKIPPED
        after = text if left.edit in (Edit.TEXT_STRAY, Edit.UNKNOWN_SKIPPED) else ""
        reader.account.repair(kind, left.element.path, span, text, after)
        doubt = PRICES[left.edit].doubt
        if doubt and left.element is not reader.tree.root:
            reader.account.problem(ProblemKind.AMBIGUOUS, left.element.path, doubt, span, text)


def losses(reader: Reader, lefts: list[Left]) -> None:
    span = trimmed(reader.text, lefts[0].span[0], lefts[-1].span[1])
    text = reader.text[slice(*span)]
    if not text or lefts[0].span in reader.extra:
        return
    closer = _LAST_CLOSER.fullmatch(text)
    node = reader.nodes.get(lefts[0].element.path)
    field = node.field_of(closer[1]) if closer is not None and node is not None else None
    if field is not None and field.node.kind == "str":
        path, message = (*lefts[0].element.path, field.name), "its closing tag occurs again after more text"
        reader.account.problem(ProblemKind.AMBIGUOUS, path, message, span, text)
    if any(is_misplaced(reader, left) for left in lefts):
        message = "this may be part of the answer"
        reader.account.problem(ProblemKind.AMBIGUOUS, lefts[0].element.path, message, span, text)
    is_element = lefts[0].edit in _ELEMENTS
    if is_element and lefts[0].element.form == "json":
        if lefts[0].element.children[-1].is_cut:
            return  # that the reply breaks off is on record
        text = f"<{text.split(':')[0].strip(_QUOTED)}>" if text[0] not in "{[" else text
    is_labelled = is_element and lefts[0].element.form in ("plain", "yaml")
    for gap in gaps_of(reader, lefts[0]):
        is_named = is_labelled and belongs(f"<{text.split(':')[0].strip(_QUOTED)}>", gap, True)
        if is_named or belongs(text, gap, is_element and not (is_labelled and gap.node.kind == "str")):
            message = "its value may be in the text that was left out"
            reader.account.problem(ProblemKind.INVALID, gap.path, message, span, text)


def is_misplaced(reader: Reader, left: Left) -> bool:
    """Returns whether skipped text is suspicious: in JSON, or an object beside one that was entered."""
    is_json = left.element.form == "json"
    is_keyless = is_json and left.edit is Edit.UNKNOWN_SKIPPED and reader.text[left.span[0]] in "{["
    if is_keyless or (is_json and left.edit in (Edit.TEXT_STRAY, Edit.CLOSER_IGNORED, Edit.OPENER_STRAY)):
        return left.before is None or left.before.path not in reader.account.bad
    if left.edit is not Edit.UNKNOWN_SKIPPED:
        return False
    children = left.element.children
    skipped = children[bisect_left(children, left.span[0], key=_START)]
    is_object = closer_of(skipped) in BRACKETS if is_json else "<" in skipped.source
    return is_object and values_in(reader, left.element)[1]


def values_in(reader: Reader, around: Element) -> tuple[list[Element], bool]:
    """Returns the children of an element that are values, and whether one of them is a wrapper. Cached."""
    found = reader.values_in.get(id(around))
    if found is None:
        values = [child for child in around.children if child.role != "skipped"]
        found = reader.values_in[id(around)] = values, any(child.role == "wrapper" for child in values)
    return found


_START = attrgetter("start")


def gaps_of(reader: Reader, left: Left) -> Iterator[Gap]:
    """Yields the gaps next to leftover text."""
    path = left.element.path
    node = reader.nodes.get(path)
    if node is None or left.edit is Edit.COMMENT_SKIPPED:
        return
    if node.kind in ("list", "map"):
        inner = node.item if node.kind == "list" and node.item is not None else node
        if left.edit is not Edit.CLOSER_CROSSED or inner.kind in ("list", "tuple"):
            yield Gap(path, inner, (), is_beside=True)
    if left.edit is Edit.CLOSER_CROSSED:
        return
    absent = reader.absent.get(path, ())
    for field in node.fields.values():
        if field in absent and not field.required:
            yield gap_of(field, path)
        elif left.edit is Edit.TEXT_STRAY and field not in absent:
            yield gap_of(field, path)._replace(node=STR)
    yield from gaps_beside(reader, left, node)


def gaps_beside(reader: Reader, left: Left, node: Node) -> Iterator[Gap]:
    """Yields the gaps of the elements directly beside leftover text."""
    path = left.element.path
    values, _has_wrapper = values_in(reader, left.element)
    at = bisect_left(values, left.span[0], key=_START)
    behind = values[at] if at < len(values) else None
    for field in reader.absent.get(values[at - 1].path, ()) if at and left.edit in _ELEMENTS else ():
        yield Gap((*values[at - 1].path, field.name), field.node, (field.name, *field.aliases))
    for neighbour in (values[at - 1] if at else None, behind):
        beside = node.fields.get(neighbour.step) if neighbour is not None and neighbour.role == "field" else None
        if neighbour is not None and node.item is not None and neighbour.is_empty:
            yield Gap(neighbour.path, node.item, (), is_beside=True)
        if neighbour is None or beside is None:
            continue
        if is_gap(reader, neighbour, beside.node, left, neighbour is behind):
            yield gap_of(beside, path, is_beside=True)


def is_gap(reader: Reader, element: Element, node: Node, left: Left, is_behind: bool) -> bool:
    """Returns whether an element lacks the text beside it: it is empty, a list, or a number that could continue."""
    if element.is_empty:
        return not given(element, node) and (node.kind != "str" or element.is_closed or is_behind)
    if is_behind:
        return False
    if node.kind in ("list", "map"):
        return True
    return node.kind in ("int", "float") and element.stop == left.span[0] and reader.text[left.span[0]].isdigit()


_CLOSERS = frozenset(
    {Edit.CLOSER_MISSING, Edit.CLOSER_MISSPELT, Edit.CLOSER_TORN, Edit.CLOSER_WRONG, Edit.OPENER_AS_CLOSER}
)
"""Edits that supply or replace a closing tag."""


def _strict(slip: str) -> tuple[str, str]:
    """Returns the part of a slip (a comma, a quote, a bare key) that is not strict JSON, and its strict form."""
    if not slip.strip(f"{GAP},.\u2026"):
        return slip, "" if slip.strip() else ","
    key = slip.partition(":")[0]
    if _ODD_SIGNS.search(slip) is None and not key.startswith('"'):
        return key, f'"{key}"'
    return slip, _ODD_SIGNS.sub('"', slip)


def _stretches(lefts: list[Left]) -> Iterator[list[Left]]:
    """Yields runs of leftover text, each contiguous and within one element."""
    stretch: list[Left] = []
    for left in lefts:
        if stretch and (left.span[0] != stretch[-1].span[1] or left.element is not stretch[-1].element):
            yield stretch
            stretch = []
        stretch.append(left)
    if stretch:
        yield stretch


def cut_in(root: Element) -> Iterator[Element]:
    """Yields the elements in which the reply breaks off, the outermost first."""
    element: Element | None = root
    while element is not None and element.is_cut and element.role != "skipped":
        yield element
        element = element.children[-1] if element.children else None
