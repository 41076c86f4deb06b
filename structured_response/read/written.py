"""Reads containers that are written as a text: as JSON, as lines, or with escaped markup."""

from __future__ import annotations

import re
from typing import Any

from ..definition import Node, Path, fold
from ..definition.node import MAX_DEPTH
from ..escaping import GAP
from ..findings import ProblemKind, RepairKind
from ..render.placeholder import names_a_place
from .build import Element, Tree, build
from .data import Reader, nothing
from .grammar import Grammar, Shape, State
from .leaves import is_signature
from .parts import Place
from .read_json import closer_of, is_too_deep, read_json, text_of
from .record import cut_in, record
from .scan import Scan
from .scan_lines import read_content
from .search import Search
from .table import BRACKETS, Move
from .table import element as element_state
from .values import value_of
from .values.scalar import LEFT_IN_PLACE, asked_for

_ESCAPED = re.compile(r"<!\[CDATA\[|&(?:lt|quot|#\w++);")
"""Signs of an escaped container."""
_FIRST_TAG = re.compile(r"\s*+<([^\W\d][\w:.-]*+)")
LEFT_OUT: Any = object()
"""The value of an element without a meaning."""

_OPENERS = {"}": "{", "]": "["}
_IN_STRING = re.compile(r'(?!\s*+(?:\\[nrt])*+[{\["])[^<\\]*+[<\\]')
"""A string of JSON that holds tags or escapes, but no JSON."""
_SEVERAL = re.compile(r"\s*+\[[^\[\]]*+\](?:[,\s]*+\[[^\[\]]*+\])++\s*+")
"""Several lists without the brackets of the list around them."""
_LEFT_BEHIND = re.compile(r"(?:[\s`~]|</[^<>]*>)*+")
"""Text that may follow JSON that is all of an element: a fence, stray closing tags."""
_NOTHING = re.compile(r"[\s`~]*+\Z")
"""Text that may follow the last value of a reply: at most a fence."""
_OPENING = re.compile(r"\s*+(?:(?:<!\[CDATA\[|(?:```|~~~)[\w-]*+[ \t]*+\n|`)\s*+)*+([\[{])")
"""The beginning of JSON in an element, perhaps in a section or a fence."""


def as_text(reader: Reader, element: Element, node: Node, path: Path, is_sure: bool = True) -> Any:
    """Reads a list, a map, a tuple, an object or a union of them that is written as JSON or as a text."""
    text = element.content
    said = text_of(element)[0] if element.form == "json" else text
    if said is not None and (names_a_place(said) or is_signature(element.form, text, said, node)):
        reader.account.values += 1
        reader.account.placeholders += 1
        reader.fail(element, path, LEFT_IN_PLACE)
        return nothing(node)
    inside = None if element.is_text else decoded(reader, element)
    if inside is not None:
        return reread(reader, inside, element, node, path)
    if not element.is_text and _is_too_deep(reader, element):
        if not is_sure:
            return LEFT_OUT
        message = f"nested deeper than {MAX_DEPTH} levels (MAX_DEPTH)"
        reader.account.problem(ProblemKind.LIMIT, path, message, element.place, text)
        return nothing(node)
    tree = None if element.is_text else inner_tree(reader, element, node)
    if tree is None or tree.root is None or (not is_sure and not tree.root.children):
        if not is_sure:
            return LEFT_OUT
        if element.is_cut:
            reader.account.broken_off(path, element.place, "the value is incomplete")
            return nothing(node)
        reader.fail(element, path, f"expected {asked_for(node.kind)}, found text")
        return nothing(node)
    inner = tree.root
    kind = RepairKind.FORMAT_READ if inner.form == "json" else RepairKind.SHAPE_CHANGED
    reader.account.repair(kind, path, element.place, text, text)
    if inner.form != "json" and text[-1:] in _OPENERS and text.count(_OPENERS[text[-1]]) < text.count(text[-1]):
        reader.doubt(element, path, "a closing bracket has no opening bracket")
    inner.role, inner.step, inner.is_text = element.role, element.step, True
    reader.tree.mended += tree.mended
    reader.tree.left += tree.left
    return inside_of(reader, element, inner, node, path)


def inside_of(reader: Reader, element: Element, inner: Element, node: Node, path: Path) -> Any:
    """Reads the text in an element. If it breaks off although the reply continues, it is only invalid."""
    account = reader.account
    truncated, goes_on = account.truncated, account.goes_on
    account.goes_on = goes_on or not (element.is_cut or _NOTHING.match(reader.text, element.end))
    made = reader.readers[node.kind](reader, inner, node, path)
    if account.goes_on:
        account.truncated = truncated
        for cut in reversed(list(cut_in(inner))):
            if cut.form == "json" and (closer_of(cut) in BRACKETS or closer_of(cut) == '"'):
                account.repair(RepairKind.JSON_MENDED, cut.path or path, (cut.end, cut.end), "", closer_of(cut))
    account.goes_on = goes_on
    return made


def decoded(reader: Reader, element: Element) -> str | None:
    """Returns the decoded content of an element that is escaped, or in a section, as a whole: markup or JSON."""
    raw = element.source
    if element.form == "json" and _IN_STRING.match(raw) is not None and closer_of(element) == '"':
        return text_of(element)[0]
    is_json = "&" in raw and _OPENING.match(raw) is not None
    if not element.is_tag or not (is_json or _ESCAPED.search(raw)):
        return None
    text = value_of(raw, lambda: "").value
    tag = _FIRST_TAG.match(text)
    is_foreign = tag is not None and "<![" not in raw and fold(tag[1]) not in reader.grammar.names
    return text if text != raw.strip(GAP) and not is_foreign and not (is_json and "<" in text) else None


def reread(reader: Reader, text: str, element: Element, node: Node, path: Path) -> Any:
    """Reads the decoded content of an element. The findings refer to the whole element."""
    place = element.place
    reader.account.repair(RepairKind.UNESCAPED, path, place, element.content, text)
    tree = read_markup(reader.grammar, reader.grammar.shape(node), element.name or "li", text)
    if tree is None or tree.root is None:
        message = f"expected {asked_for(node.kind)}, found text"
        reader.account.problem(ProblemKind.INVALID, path, message, place, text)
        return nothing(node)
    inner = Reader(reader.grammar, tree, reader.account.within(place), reader.readers)
    tree.root.role, tree.root.step = element.role, element.step
    tree.root.form = "xml" if tree.root.children else "plain"  # already decoded
    made = inner.value(tree.root, node, path)
    record(inner)
    reader.account.take_in(inner.account)
    return made


def _is_too_deep(reader: Reader, element: Element) -> bool:
    """Returns whether JSON is deeper than any answer. A search through it would keep every level in memory."""
    opening = _OPENING.match(reader.text, element.inner, element.end)
    return opening is not None and is_too_deep(reader.text, opening.start(1), element.end)


def inner_tree(reader: Reader, element: Element, node: Node) -> Tree | None:
    shape, name = reader.grammar.shape(node), element.name or "li"
    opening = _OPENING.match(reader.text, element.inner, element.end)
    if opening is not None and _SEVERAL.fullmatch(reader.text, element.inner, element.end) is None:
        level = element.tokens.level + 1 if element.form == "json" else 0
        found = read_json(Place(shape, reader.text, opening.start(1), element.end), name, level)
        if found is not None and _LEFT_BEHIND.fullmatch(reader.text, found.stop, element.end) is not None:
            return found.tree
    return read_content(Place(shape, reader.text, element.inner, element.end), name, element.form)


def read_markup(grammar: Grammar, shape: Shape, name: str, content: str) -> Tree | None:
    text = f"<{name}>{content}</{name}>"
    begin = len(name) + 2
    tokens = Scan(grammar.names | {fold(name)}).scan(text, begin)
    inside = element_state(grammar, shape, name, name, grammar.state("ended", shape, "", ""))

    def fits(state: State, index: int) -> bool:
        return bool(state.shape.may_be(text[tokens.ends[index - 1] if index else begin : tokens.starts[index]]))

    search = Search(grammar, inside, 0, fits)
    reading = search.run(tokens.symbols)
    if reading is None or not reading.way:
        return None
    (index, first), *way = reading.way
    tree = build(tokens, [(index, _opening(first, shape)), *way], begin)
    if tree.root is not None:
        tree.root.name, tree.root.inner = name, begin
    return tree


def _opening(move: Move, shape: Shape) -> Move:
    parts = None if move.parts is None else (_opening(move.parts[0], shape), move.parts[1])
    return move._replace(steps=(("open", shape, "root", None, True), *move.steps), parts=parts)
