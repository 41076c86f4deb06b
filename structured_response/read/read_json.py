"""Reads JSON as an answer or as a value: tokens, the search, and the tree, with the slips that only JSON has."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from ..definition import fold
from ..escaping import GAP
from ..findings import RepairKind
from .build import Element, Mended, Tree, build
from .grammar import MAX_OPEN, State
from .layers import json_layer
from .parts import Place
from .prices import PRICES, Edit
from .scan import CLOSE, MARK, OPEN, Tokens
from .scan_json import COMMAS, json_scanner
from .search import Search
from .table import BARE, QUOTES, Move, element
from .values.json_text import LAYOUT, json_string


def is_too_deep(text: str, start: int, end: int) -> bool:
    """Returns whether more brackets are open than any answer can have open. Brackets in texts don't count."""
    depth = 0
    for match in _BRACKETS.finditer(text, start, end):
        if match[0] in "{[":
            depth += 1
        elif match[0] in "}]" and depth:
            depth -= 1
        if depth > MAX_OPEN:
            return True
    return False


_BRACKETS = re.compile(r'[{}\[\]]|\\.|"(?:[^"\\\n]|\\.)*+"')
"""Brackets, and escapes and single-line texts, which hide them."""


class Json(NamedTuple):
    """JSON that was read: the tree and its root, the cost of the reading, and the end of what belongs to it."""

    tree: Tree
    root: Element
    cost: int
    stop: int

    @property
    def says_something(self) -> bool:
        return any(child.role != "skipped" for child in self.root.children)

    def within(self, start: int, stop: int) -> Json:
        """Returns it with the text from `start` up to its beginning recorded as a wrapper, which ends at `stop`."""
        self.tree.mended.append(Mended(Edit.WRAPPER, self.root, (start, self.root.start)))
        return self._replace(stop=stop)


def read_json(place: Place, name: str, level: int = 0) -> Json | None:
    """Reads the JSON at the beginning of a place, or returns None.

    The arguments of a tool call are read in place of the call, and JSON in a string in place of the answer. `level` is
    the number of nested strings of JSON around the text.
    """
    shape, text, start, end = place
    root_names = shape.grammar.root_names
    found = _read(place, name, level)
    call = _CALL.match(text, start, end) if shape is shape.grammar.root and not level else None
    if call is not None and shape.field(call[3]) is None:
        made = _read(place._replace(start=call.end() - 1), name)
        allowed = 0 if shape.field(call[1]) is not None else PRICES[Edit.BRACKET_STRAY].level
        if made and (found is None or fold(call[2]) in root_names or made.cost <= found.cost + allowed):
            made.tree.mended = [mended for mended in made.tree.mended if mended.edit is not Edit.REST_LEFT]
            return made.within(start, made.stop)
    if shape.is_list and not shape.fields and not shape.is_map and text[start] == "{":
        last = max(text.rfind("}", start, end), text.rfind("]", start, end)) + 1
        made = _read(place._replace(end=last or end), name, level, is_implied=True)
        if made and (found is None or made.cost < found.cost):
            return made
    if found is None or level or found.says_something:
        return found
    for child in _strings(found.root):
        opening = _BRACKET.match(text, child.inner, child.end)
        inside = opening and _read(Place(shape, text, opening.end() - 1, child.end), name, 1)
        if inside and inside.says_something:
            return inside.within(start, found.stop)
    return found


_CALL = re.compile(
    r"""(?:\[\s*+)?+\{\s*+"(name|function|tool|tool_name|action)"\s*+:\s*+"([\w.-]*+)"\s*+,"""
    r"""\s*+"(arguments|parameters|args|input|action_input)"\s*+:\s*+\{"""
)
_BRACKET = re.compile(r"(?:\s|\\[nrt])*+[{\[]")


def _strings(root: Element) -> list[Element]:
    found: list[Element] = []
    waiting = [root]
    while waiting and len(found) < 8:
        element = waiting.pop()
        waiting += reversed(element.children)
        if not element.children and closer_of(element) == '"':
            found.append(element)
    return found


def _read(place: Place, name: str, level: int = 0, is_implied: bool = False) -> Json | None:
    """Reads the JSON that begins at a bracket, or at an item of a list without a bracket."""
    shape, grammar = place.shape, place.shape.grammar
    around = grammar.state("ended", shape, "", "")
    for is_whole in (False, True):
        tokens = _tokens(place, name, level, is_implied, is_whole)
        inside = element(grammar, shape, name, tokens.symbols[0].closer, around)
        search = Search(grammar, inside, 1, lambda state, index: True)
        reading = search.run(tokens.symbols)
        if search.furthest + 2 < len(tokens) or tokens.starts[-1] == place.end:
            break  # no reading reached the omitted tokens
    if reading is None:
        return None
    tree = build(tokens, reading.way, place.start, inside)
    if tree.root is None:
        return None
    if reading.way and Edit.REST_LEFT in reading.way[-1][1].edits:
        behind = tree.root.stop
        tree.mended.append(Mended(Edit.REST_LEFT, tree.root, (behind, max(behind, tokens.ends[reading.way[-1][0]]))))
    _record_slips(tree, inside, reading.way)
    _end_before_text(tree)
    closers = (index for index, move in reading.way if move.state.kind == "ended" and tokens.kinds[index] == CLOSE)
    stop = max([tree.root.stop, *(tokens.ends[index] for index in closers)])
    tokens.cut(reading.end + 1)
    return Json(tree, tree.root, reading.cost, stop)


def _tokens(place: Place, name: str, level: int, is_implied: bool, is_whole: bool) -> Tokens:
    scanner, text = json_scanner(place.shape.grammar.plan), place.text
    if not level:
        return scanner.scan(text, place.start, place.end, name, is_implied, is_whole)
    inner, origin = decoded(text, place.start, place.end, level)
    tokens = scanner.scan(inner, 0, len(inner), name, is_implied, is_whole)
    tokens.text, tokens.level = text, level
    tokens.starts, tokens.ends = list(map(origin, tokens.starts)), list(map(origin, tokens.ends))
    tokens.contents = {index: (origin(start), origin(end)) for index, (start, end) in tokens.contents.items()}
    return tokens


def _end_before_text(tree: Tree) -> None:
    """Ends unclosed elements in front of the text that follows the answer."""
    if not tree.left or tree.left[-1].edit is not Edit.TEXT_STRAY or tree.left[-1].span[1] != tree.tokens.starts[-1]:
        return
    end = tree.left.pop().span[0]
    element = tree.root
    while element is not None and element.is_cut:
        element.end = element.stop = end
        element = element.children[-1] if element.children else None


def _record_slips(tree: Tree, state: State, way: list[tuple[int, Move]]) -> None:
    """Records odd quotes, odd names, and missing or superfluous commas."""
    tokens, text = tree.tokens, tree.tokens.text
    assert tree.root is not None
    position, is_first, commas = tokens.ends[0], True, ""
    for index, move in way:
        if move.state.kind == "done":
            break
        was, state = state.kind, move.state
        if was in ("quoted", "scalar") and not move.steps:
            continue
        start = tokens.starts[index]
        is_next = was == "elements" and not (is_first or commas) and text[position:start] in COMMAS
        if is_next and move.parts is not None and index not in tokens.broken:
            position = tokens.ends[index]
            continue
        if was == "elements":
            commas += text[position:start].translate(_NO_BLANKS) if position < start else ""
            if state.kind != "comment":
                is_opener = tokens.kinds[index] in (OPEN, MARK)
                expected = "," if is_opener and not is_first else ""
                if commas != expected and not commas.strip(",.\u2026"):
                    tree.mended.append(Mended(Edit.JSON_SLIP, tree.root, (position, start)))
                commas = ""
        if index in tokens.broken:
            tree.mended.append(Mended(Edit.JSON_SLIP, tree.root, (start, tokens.ends[index])))
        if was != "comment":
            is_first = was == state.kind == "elements" and tokens.kinds[index] == OPEN and index not in tokens.contents
        position = tokens.ends[index]


_NO_BLANKS = dict.fromkeys(map(ord, " \t\r\n\u00a0\u200b\ufeff"))


# Texts


def closer_of(element: Element) -> str:
    """Returns the character that ends an element of JSON: BARE without quotes, a quote for a part of a text."""
    tokens = element.tokens
    if tokens.form != "json":
        return '"'
    if element.token < 0:
        return "}"
    symbol = tokens.symbols[element.token]
    return QUOTES[symbol.name] if symbol.kind == MARK else symbol.closer


_HALF_ESCAPE = re.compile(r"(?<!\\)((?:\\\\)*+)\\(?:u[0-9a-fA-F]{0,3})?\Z")
"""An escape that the reply breaks off in."""


def text_of(element: Element) -> tuple[str | None, tuple[RepairKind, ...]]:
    tokens = element.tokens
    raw = tokens.text[element.inner : element.end]
    if tokens.level:
        raw, _origin = decoded(raw, 0, len(raw), tokens.level)
    if tokens.form != "json":
        return json_string(raw, is_quoted=True)
    if element.token < 0:
        return raw.strip(LAYOUT), ()
    if element.is_cut:
        raw = _HALF_ESCAPE.sub(r"\1", raw)
    elif not element.is_closed:
        raw = raw.rstrip(GAP).removesuffix(",")
    return json_string(raw, closer_of(element) != BARE)


def decoded(text: str, start: int, end: int, level: int = 1) -> tuple[str, Callable[[int], int]]:
    """Decodes a string of JSON that was encoded `level` times. Also returns the map of places to the reply."""
    layer = json_layer(text, (start, end))
    if level == 1:
        return layer.text, layer.origin
    inner, origin = decoded(layer.text, 0, len(layer.text), level - 1)
    return inner, lambda place: layer.origin(origin(place))
