"""Unions, and values of any type: which option an element means, and what it says then.

An attribute names the option, else a tag around it or in it, else what stands there. Where two options are there, be it
with their tags or with all their fields, nobody knows which is meant.
"""

from __future__ import annotations

import json
import math
import re
from abc import ABC

from ...definition import MARKED, Measure, Node, Path
from ...findings import ProblemKind, RepairKind
from ...markup import BLANK
from ..data.formats import read_inner
from ..scalars.text import Text
from ..scalars.trees import typed_tree
from .elements import ITEM, OPTION, Element
from .in_text import unfenced
from .maps import MapReader
from .options import are_of_option, beside, by_content, by_lines, by_tag, by_text, has_all, is_known, tagged, told
from .tokens import OPEN, Head

__all__ = ["UnionReader", "is_cut"]

_ONE_INSIDE = re.compile(r"[ \t\r\n]*+<(\w{1,20}+)>([^<]*+)</\1>[ \t\r\n]*+")


class UnionReader(MapReader, ABC):
    """Reads the unions of an answer, and its values of any type."""

    def of_union(self, node: Node, element: Element, path: Path) -> object:
        """The value of the option that is named by an attribute, by a tag around it, or by what stands there."""
        options = node.options()
        marked = element.attribute("type")
        if marked is not None and marked in options:
            return self.option(node, marked, element, path)
        if marked in MARKED and "any" in options:
            return self.of_any(options["any"], element, path)
        if "str" in options and element.children and self.holds_markup(node, element):
            return self.text_with_elements(node, element, path)
        under = tagged(element, self.reply) or one_inside(node, element, self.source(element))
        if under and (len(under) > 1 or under[0].name in options):
            return self.of_tagged(node, under, element, path)
        tree = self.of_data(node, element, path)
        return self.by_what_is_there(node, element, path) if tree is None else tree

    def holds_markup(self, node: Node, element: Element) -> bool:
        """Whether the elements in a union that may be a text are its markup: not all that another option would be."""
        tags = [child for child in element.children if child.role is OPTION]
        if len(tags) != 1 or len(element.children) > 1 or self.has_text(element):
            return self.has_text(element) or not are_of_option(node, element.children)
        held = tags[0]
        if held.children or held.name not in node.options() or node.options()[held.name].kind != "dict":
            return bool(held.children) and (self.has_text(held) or not are_of_option(node, held.children))
        text = self.source(held).strip(BLANK)
        return bool(text) and not by_lines(node, text)

    def text_with_elements(self, node: Node, element: Element, path: Path) -> object:
        """The text that a union is; where elements in it are whole and could be another option's, nobody knows."""
        known = [child for child in element.children if is_known(child) and child.end > child.inner_end]
        if known and are_of_option(node, known):
            message = "a text, or what the elements in it say"
            found = self.source(element).strip(BLANK)
            self.reading.problem(ProblemKind.AMBIGUOUS, path, message, self.places[path], found, tuple(node.options()))
        return self.option(node, "str", element, path)

    def of_tagged(self, node: Node, under: list[Element], element: Element, path: Path) -> object:
        """The value of the option whose own tag stands in an element, if it is the only one there."""
        first, sources = under[0], {self.source(child).strip(BLANK) for child in under}
        rivals = beside(node, first.name, element, self.reply)
        names = list(dict.fromkeys([*(child.name for child in under), *rivals]))
        if len(names) > 1 or len(sources) > 1 or first.name not in node.options():
            return self.unclear(node, names, element, path)
        for child in under[1:]:
            self.dropped(child, path)
        known = set(map(id, under))
        for child in element.children:
            if id(child) not in known:
                self.skipped(child, path)
        if element.children:
            self.stray_text(element, path)
        return self.option(node, first.name, first, path)

    def of_data(self, node: Node, element: Element, path: Path) -> object:
        """The value that JSON in place of elements is, in a wrapper or not; None where there is none. A text may be
        JSON as well, so where one is asked for too it has to be just what another option is.
        """
        wrappers = element.children if len(element.children) == 1 and element.children[0].role is None else []
        if element.children and (not wrappers or self.has_text(element) or wrappers[0].children):
            return None
        inner = wrappers[0] if wrappers else element
        start, text = unfenced(self.source(inner), inner.inner_start)
        if text.lstrip(BLANK)[:1] not in ("{", "[") or ("str" in node.options() and not _is_data(node, text)):
            return None
        if wrappers:
            tag = self.reply[inner.start : inner.inner_start]
            self.reading.repair(RepairKind.WRAPPER_ENTERED, path, (inner.start, inner.inner_start), tag, tag)
        return read_inner(node, text, start, path, self.reading)

    def by_what_is_there(self, node: Node, element: Element, path: Path) -> object:
        """The value of the option that an element's text or what it holds fits."""
        names, guessed = by_content(node, element, self.reply), False
        if names and "str" in node.options() and self.has_text(element) and not has_all(node, names, element):
            names = list(dict.fromkeys(["str", *names]))
        named = by_tag(node, element.head) if element.role is ITEM else []
        if len(named) == 1 and len(names) != 1:
            names = named
        if not names and not element.children:
            given = self.value_in_tag(element) if not self.source(element).strip(BLANK) else None
            names, guessed = by_text(node, Text(given, given) if given else self.text(element))
        if guessed and (text := self.source(element)):
            self.reading.repair(RepairKind.OPTION_CHOSEN, path, self.places[path], text, text)
        return (
            self.option(node, names[0], element, path) if len(names) == 1 else self.unclear(node, names, element, path)
        )

    def unclear(self, node: Node, names: list[str], element: Element, path: Path) -> object:
        """Puts on record that nobody knows which option is meant."""
        place, found = self.places[path], self.source(element).strip(BLANK)
        if not found and not element.children and node.nullable is not False:
            return None
        if is_cut(element):
            self.broken_off(path, "which option was meant is not known")
            return None
        message = "fits more than one option" if names else "fits none of the options"
        kind = ProblemKind.AMBIGUOUS if names else ProblemKind.INVALID
        self.reading.problem(kind, path, message, place, found, tuple(names or node.options()))
        return None

    def option(self, union: Node, name: str, element: Element, path: Path) -> object:
        """The value of an option of a union."""
        option = union.options()[name]
        return told(union, option, self.typed(option, element, path), path, self.reading)

    def typed(self, node: Node, element: Element, path: Path) -> object:
        """The value of an option, typed here: among options nobody else could tell a number from its text."""
        return typed_tree(node, self.value(node, element, path))

    def of_any(self, node: Node, element: Element, path: Path) -> object:
        """A value of any type: what its mark says, else JSON if it is JSON, else text."""
        marked = element.attribute("type")
        if marked in MARKED:
            return self.typed(MARKED[marked], element, path)
        text = self.recorded(element, path)
        given = None if text.raw else self.value_in_tag(element)
        if given:
            text = Text(given, given)
            self.attribute_read(element, path, given)
        if "<" in text.raw:
            return text.value
        try:
            value: object = json.loads(text.value, object_pairs_hook=_unique_keys, parse_float=_finite)
        except (ValueError, RecursionError):
            return text.value
        return value


def one_inside(union: Node, element: Element, source: str) -> list[Element]:
    """The tags of one scalar option around the whole text of a union of scalars, if that is all there is."""
    match = _ONE_INSIDE.fullmatch(source) if union.is_text() and not element.children else None
    if match is None or match[1] not in union.options():
        return []
    start = element.inner_start
    made = Element(Head(OPEN, match[1]), OPTION, match[1], start + match.start(1) - 1, start + match.start(2))
    made.inner_end, made.end = start + match.end(2), start + match.end(2) + len(match[1]) + 3
    return [made]


def _is_data(union: Node, text: str) -> bool:
    """Whether a text is JSON that is to the letter one of a union's options."""
    try:
        data = json.loads(text, object_pairs_hook=_unique_keys, parse_float=_finite)
    except (ValueError, RecursionError):
        return False
    return Measure().best(union, data) is not None


def is_cut(element: Element) -> bool:
    """Whether the reply breaks off in an element."""
    while element.children and not element.cut:
        element = element.children[-1]
    return element.cut


def _unique_keys(pairs: list[tuple[str, object]]) -> dict[str, object]:
    made = dict(pairs)
    if len(made) < len(pairs):
        raise ValueError("a key stands there twice")
    return made


def _finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise ValueError("too large for a float")
    return number
