"""Reads a tree of elements as data, with one reader for each kind of node."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, TypeAlias

from ..definition import KINDS, SCALARS, Field, Node, Path, fold
from ..definition.node import MAX_DEPTH
from ..escaping import BLANK
from ..findings import ProblemKind, RepairKind, Span
from ..render.placeholder import PROMPT_ATTRIBUTES
from .account import Account
from .build import Element, Tree
from .grammar import Grammar, parts_of
from .read_json import closer_of, decoded, text_of
from .scan_lines import yaml_text
from .table import BRACKETS
from .values import Text, decode, says_null, value_of
from .values.scalar import asked_for
from .values.scalars import own_value
from .values.text import plain_value

Read: TypeAlias = Callable[["Reader", Element, Node, Path], Any]
"""Reads the data of an element for a node at a path."""

_SPECIAL = re.compile(r"[&<\r\n\[`~]")
"""Characters that need a closer look. A text without them is its own value, once stripped."""


class LimitReachedError(Exception):
    """An answer exceeds a limit of the library."""


class Reader:
    """Reads one tree.

    Attributes:
        absent: The missing fields of each object.
        nodes: The node that each container was read for.
        extra: The spans of unknown elements that a model keeps.
        values_in: For each element, by its id, the children that are values, and whether one of them is a wrapper.
    """

    def __init__(self, grammar: Grammar, tree: Tree, account: Account, readers: dict[str, Read]) -> None:
        self.grammar = grammar
        self.text = tree.tokens.text
        self.tree = tree
        self.account = account
        self.readers = readers
        self.absent: dict[Path, list[Field]] = {}
        self.nodes: dict[Path, Node] = {}
        self.extra: set[Span] = set()
        self.values_in: dict[int, tuple[list[Element], bool]] = {}

    def value(self, element: Element, node: Node, path: Path) -> Any:
        """Reads the value of an element for a node. Values that JSON has too get their Python type."""
        value = self.own_value(element, node, path)
        if value is not None:
            return value
        if len(path) > MAX_DEPTH:
            raise LimitReachedError(f"nested deeper than {MAX_DEPTH} levels (MAX_DEPTH)")
        self.account.places[path] = element.place
        if element.form == "yaml" and node.nullable is not False and element.content in _YAML_NULLS:
            return None
        if node.kind in SCALARS and node.kind != "any":
            return self.readers["scalar"](self, element, node, path)
        if not element.children and _COMMENTS.fullmatch(self.text, element.inner, element.end):
            self.repair(RepairKind.TEXT_SKIPPED, element, path, "")
            element.inner = element.end
        if not element.children and self.is_null(element, node, path):
            return self.null(element, node, path)
        self.nodes[path] = node
        made = self.readers[node.kind](self, element, node, path)
        if element.is_cut:
            self.cut_container(element, node, path, made)
        return made

    def own_value(self, element: Element, node: Node, path: Path) -> Any:
        """Reads the text of a leaf that is its own value. Returns None for any other element."""
        element.path = path
        if not element.is_leaf:
            return None
        known = self.grammar.own_values
        read = known.get(node) or known.setdefault(node, own_value(node))
        value = read(self.text[element.inner : element.end])
        if value is not None:
            self.account.places[path] = element.inner, element.end
            self.account.values += 1
        return value

    def again(self, element: Element, node: Node, path: Path) -> Any:
        """Reads an element at a path that already has a value, without recording anything."""
        mark, place = self.account.mark(), self.account.places.get(path)
        value = self.value(element, node, path)
        self.account.take_back(mark)
        if place is not None:
            self.account.places[path] = place
        return value

    # Findings about an element

    def repair(self, kind: RepairKind, element: Element, path: Path, after: str | None = None) -> None:
        """Records that the content of an element was repaired. Without `after` the content is unchanged."""
        content = element.content
        self.account.repair(kind, path, element.place, content, content if after is None else after)

    def doubt(self, element: Element, path: Path, message: str, candidates: tuple[str, ...] = ()) -> None:
        self.account.problem(ProblemKind.AMBIGUOUS, path, message, element.place, element.content, candidates)

    def fail(self, element: Element, path: Path, message: str, candidates: tuple[str, ...] = ()) -> None:
        self.account.problem(ProblemKind.INVALID, path, message, element.place, element.content, candidates)

    def cut_container(self, element: Element, node: Node, path: Path, made: Any) -> None:
        if self.account.truncated is not None:
            return
        if not path and node.kind in ("list", "map", "union") and element.children:
            return  # all that is missing for sure is its closing tag
        if node.kind == "dict" and isinstance(made, dict):
            missing = [name for name, field in node.fields.items() if name not in made]
            if not missing or (not path and not any(node.fields[name].required for name in missing)):
                return
        self.account.broken_off(path, (element.end, element.end), "more may have followed")

    # Null

    def null(self, element: Element, node: Node, path: Path) -> Any:
        """Returns null, or an empty list or map, for a container whose element says null."""
        if node.nullable is not False:
            return None
        if node.kind not in NEVER_NULL:
            self.fail(element, path, f"expected {asked_for(node.kind)}, found null")
        return nothing(node)

    def is_null(self, element: Element, node: Node, path: Path) -> bool:
        """Returns whether an element without children says null."""
        text, mark = element.content, mark_of(element)
        if element.form == "json" and text and text_of(element)[0] is None:
            return node.nullable is not False or node.kind in NEVER_NULL
        if not text:
            if element.is_cut or (not element.is_closed and element.is_tag and node.kind == "dict"):
                return False
            is_nullable = node.nullable is not False and node.kind in ("union", "tuple", "dict")
            is_nullable &= node.kind != "dict" or any(field.required for field in node.fields.values())
            return mark == "null" or (
                is_nullable
                and mark not in (node.kind, *(node.options() if node.kind == "union" else ()))
                and not given(element, node)
            )
        if element.form == "json" and (closer_of(element) in BRACKETS or node.kind in ("any", "union")):
            return False
        is_of_texts = text.isalpha() and node.kind == "list" and node.item is not None and node.item.kind == "str"
        if not says_null(_MAYBE if is_of_texts else _NULLABLE, text):
            return False
        if node.nullable is False and node.kind not in _EMPTY:
            return False
        if mark == "str" or (node.kind == "union" and any(part.kind in ("str", "any") for part in parts_of(node))):
            return False
        self.repair(RepairKind.NULL_WORD, element, path, "null")
        return True

    # Texts

    def laid_out(self, element: Element, path: Path, is_verbatim: bool = True) -> Text:
        """Returns the text of an element, decoded and laid out, and records what that changed."""
        found = _TEXTS.get(element.form, _text_of_markup)(self, element, path, is_verbatim)
        for change in found.changes:
            self.account.repair(change.kind, path, element.place, change.before, change.after)
        return found


def _text_of_markup(reader: Reader, element: Element, path: Path, is_verbatim: bool) -> Text:
    raw = element.source
    if _SPECIAL.search(raw) is None:
        text = raw.strip(BLANK)
        return Text(text, text)
    line = reader.text[reader.text.rfind("\n", 0, element.start) + 1 : element.start]
    return value_of(raw, lambda: line[: len(line) - len(line.lstrip(" \t"))], is_verbatim)


def _text_of_json(reader: Reader, element: Element, path: Path, is_verbatim: bool) -> Text:
    raw = element.source
    value, kinds = text_of(element)
    # A backslash that stays where JSON has `\b` or `\f`: what JSON reads is what was changed.
    before = decoded(raw, 0, len(raw))[0] if kinds and raw == value else raw
    for kind in kinds:
        reader.account.repair(kind, path, element.place, before, value or "")
        if kind is RepairKind.OPENER_MISSING:
            reader.doubt(element, path, "its opening quote is missing")
    return Text(raw, "" if value is None else value)


def _text_of_yaml(reader: Reader, element: Element, path: Path, is_verbatim: bool) -> Text:
    """Returns the text of a scalar of YAML, or of lines that only look like one."""
    is_block = element.source.startswith(("|", ">"))
    raw = element.source if is_block else element.source.strip(BLANK)  # a block may keep its last line breaks
    value = yaml_text(raw)
    if value is raw and is_block:
        reader.doubt(element, path, "a line of its YAML block may not belong to it")
    if value is raw and "\n" in raw:
        value = plain_value(element.source, lambda: "").value
    return Text(raw, value)


_TEXTS: dict[str, Callable[[Reader, Element, Path, bool], Text]] = {
    "attribute": lambda reader, element, path, is_verbatim: Text(element.source, decode(element.source)),
    "json": _text_of_json,
    "yaml": _text_of_yaml,
    "plain": lambda reader, element, path, is_verbatim: plain_value(element.source, lambda: ""),
}
"""The reader of an element's text for each notation but markup."""


def parts_in(element: Element, path: Path) -> list[Element]:
    """Returns the elements inside an element, those in wrappers included."""
    found: list[Element] = []
    for child in element.children:
        child.path = path
        if child.role == "wrapper":
            found += parts_in(child, path)
        else:
            found.append(child)
    return found


def is_word(element: Element) -> bool:
    """Returns whether an element holds only a word for null."""
    return not element.children and element.form != "json" and says_null(_NULLABLE, element.content)


# Attributes


def mark_of(element: Element) -> str | None:
    return next((each.value for each in element.attributes if each.name == "type"), None)


def given(element: Element, node: Node) -> dict[str, Element]:
    """Returns the attributes of a tag that could be values, each as an element that holds its text."""
    found: dict[str, Element] = {}
    for name, value, start, end in element.attributes:
        if (
            (name in _NO_VALUES and name not in node.fields)
            or (name == "name" and fold(value) == fold(element.name))
            or (name == "type" and value in (*KINDS, node.name))
            or value == node.description
        ):
            continue
        spans = start, start, end, end
        found.setdefault(name, Element(element.shape, "", name, *spans, name, -1, element.tokens, "attribute"))
    return found


_COMMENTS = re.compile(r"\s*+(?:(?:<!--(?:(?!-->).)*+-->|</\w++>)\s*+)++", re.DOTALL)
_EMPTY: dict[str, Callable[[], Any]] = {"list": list, "map": dict}
NEVER_NULL = frozenset(_EMPTY)
"""Kinds whose null is empty. An ambiguous value of them keeps its data."""
_NULLABLE, _MAYBE = Node("int", nullable=True), Node("str")
_YAML_NULLS = ("null", "~", "Null", "NULL")
"""Null in YAML's own spellings."""
_NO_VALUES = PROMPT_ATTRIBUTES - {"type", "description"} | {"key", "discriminator"}
"""Attributes that are values only of fields with their names."""


def nothing(node: Node) -> Any:
    """Returns the value of a missing one: an empty list or map, else null."""
    return _EMPTY[node.kind]() if node.kind in NEVER_NULL else None
