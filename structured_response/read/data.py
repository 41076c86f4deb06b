"""A tree of elements becomes data: one function for each kind of node, in a table.

Every value is read by the type that the definition gives it. What was mended goes on record with its path, and so
does everything that the tree left over: content that stands beside something absent is a problem there.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable
from typing import Any, TypeAlias

from ..definition import (
    KINDS,
    KINDS_ASKED,
    Field,
    Node,
    Path,
    Plan,
    fold,
    per_plan,
)
from ..findings import ProblemKind, RepairKind, Span
from ..limits import MAX_DEPTH
from ..markup import BLANK, GAP
from .account import Account
from .build import Element, Left, Tree
from .grammar import Grammar
from .prices import Edit
from .rows import BRACKETS
from .scan import Attribute, attributes_of
from .scan_json import closer_of, text_of
from .scan_yaml import yaml_text
from .values import Text, decode, says_null, value_of
from .values.scalars import own_value
from .values.text import plain_value

__all__ = ["ASKED", "LimitReachedError", "Read", "Reader", "asked", "options_of", "parts_of"]

Read: TypeAlias = Callable[["Reader", Element, Node, Path], Any]
"""Reads the data of an element for a node, with what was read of the reply around it."""

_SPECIAL = re.compile(r"[&<\r\n\[`~]")
"""Characters without which a text is its own value, but for blanks around it."""


@per_plan
def own_values(plan: Plan) -> dict[Node, Callable[[str], Any]]:
    """What reads the texts of each node that are their own values; filled as nodes are met."""
    return {}


class LimitReachedError(Exception):
    """An answer passes a bound of the library."""


class Reader:
    """Reads one tree."""

    def __init__(
        self, grammar: Grammar, text: str, tree: Tree, account: Account, readers: dict[str, Read], scalar: Read
    ) -> None:
        self.grammar = grammar
        self.text = text
        self.tree = tree
        self.account = account
        self.readers = readers
        self.scalar = scalar
        self.own_values = own_values(grammar.plan)
        self.absent: dict[Path, list[Field]] = {}
        self.nodes: dict[Path, Node] = {}
        self.skipped: dict[Path, Element] = {}
        self.values_of: dict[int, list[Element]] = {}
        self.has_wrapper: dict[int, bool] = {}
        self.placed: dict[Element, list[Attribute]] = {}

    # Any value

    def value(self, element: Element, node: Node, path: Path) -> Any:
        """The value of an element for a node."""
        read = self.readers.get(node.kind)
        value = self.own_value(element, node, path) if read is None else None
        if value is not None:
            return value
        if len(path) > MAX_DEPTH:
            raise LimitReachedError(f"nested deeper than {MAX_DEPTH} levels (MAX_DEPTH)")
        element.path = path
        self.account.places[path] = self.place(element)
        if element.form == "yaml" and node.nullable is not False and self.content(element) in _YAML_NULLS:
            return None
        if read is None:
            return self.scalar(self, element, node, path)
        if not element.children and _COMMENTS.fullmatch(self.text, element.inner, element.end):
            self.account.repair(RepairKind.TEXT_SKIPPED, path, self.place(element), self.content(element), "")
            element.inner = element.end
        if not element.children and self.is_null(element, node, path):
            return self.null(element, node, path)
        self.nodes[path] = node
        made = read(self, element, node, path)
        if element.is_cut:
            self.cut_container(element, node, path, made)
        return made

    def again(self, element: Element, node: Node, path: Path) -> Any:
        """The value of an element where another one stands already; nothing of it stays on record."""
        mark, place = self.account.mark(), self.account.places.get(path)
        value = self.value(element, node, path)
        self.account.take_back(mark)
        if place is not None:
            self.account.places[path] = place
        return value

    def doubt(self, element: Element, path: Path, message: str, candidates: tuple[str, ...] = ()) -> None:
        """Puts on record that a value can be read in more than one way."""
        place, content = self.place(element), self.content(element)
        self.account.problem(ProblemKind.AMBIGUOUS, path, message, place, content, candidates)

    def fail(self, element: Element, path: Path, message: str, candidates: tuple[str, ...] = ()) -> None:
        """Puts on record that an element holds no value of its type."""
        place, content = self.place(element), self.content(element)
        self.account.problem(ProblemKind.INVALID, path, message, place, content, candidates)

    def null(self, element: Element, node: Node, path: Path) -> Any:
        """Null, or what is empty in its place, where something that holds others says null."""
        if node.nullable is not False:
            return None
        if node.kind not in _EMPTY:
            self.fail(element, path, f"null, which is not {asked(node)}")
            return None
        return _EMPTY[node.kind]()

    def place(self, element: Element) -> Span:
        """Where a value stands; where it is empty, its tags."""
        return (element.inner, element.end) if element.inner < element.end else (element.start, element.stop)

    def source(self, element: Element) -> str:
        return self.text[element.inner : element.end]

    def content(self, element: Element) -> str:
        """The text of an element without blanks around it."""
        return self.source(element).strip(GAP)

    def attributes(self, element: Element) -> dict[str, str]:
        """The attributes of an element's tag, as the reply has them."""
        return {each.name: each.value for each in self.placed_attributes(element)}

    def placed_attributes(self, element: Element) -> list[Attribute]:
        """The attributes of an element's tag with their places."""
        if element.inner - element.start <= len(element.name) + 2 or element.token < 0:
            return []
        known = self.placed.get(element)
        if known is None:
            has_any = self.is_tag(element) and self.text.find("=", element.start, element.inner) >= 0
            known = self.placed[element] = attributes_of(self.text, element.start + 1, element.inner) if has_any else []
        return known

    def is_tag(self, element: Element) -> bool:
        """Whether an element begins with a tag of its own."""
        if element.form != "xml" or self.text[element.start : element.start + 1] not in ("<", "\uff1c"):
            return False
        return self.text[element.inner - 1].isspace() is False

    def given(self, element: Element, node: Node) -> dict[str, Element]:
        """The attributes of a tag that could be values, each as an element that holds its text."""
        found: dict[str, Element] = {}
        for name, value, start, end in self.placed_attributes(element):
            if (
                name in _SHOWN
                or (name == "name" and fold(value) == fold(element.name))
                or (name == "type" and value in (*KINDS, node.name))
                or value == node.description
            ):
                continue
            inner = Element(element.shape, "attribute", name, start, start, end, end, name)
            inner.form = "attribute"
            found.setdefault(name, inner)
        return found

    def mark(self, element: Element) -> str | None:
        """The `type` that an element's tag names."""
        return self.attributes(element).get("type")

    def is_null(self, element: Element, node: Node, path: Path) -> bool:
        """Whether an element without others in it says null."""
        text, mark = self.content(element), self.mark(element)
        if element.form == "json" and text and text_of(element)[0] is None:
            return node.nullable is not False or node.kind in _EMPTY
        if not text:
            if element.is_cut or (not element.is_closed and self.is_tag(element) and node.kind == "dict"):
                return False
            is_nullable = node.nullable is not False and node.kind in ("union", "tuple", "dict")
            is_nullable &= node.kind != "dict" or any(field.required for field in node.fields.values())
            return mark == "null" or (
                is_nullable and mark not in (node.kind, *options_of(node)) and not self.given(element, node)
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
        self.account.repair(RepairKind.NULL_WORD, path, self.place(element), text, "null")
        return True

    def cut_container(self, element: Element, node: Node, path: Path, made: Any) -> None:
        """Puts on record that the reply breaks off in something that holds other values."""
        if self.account.truncated is not None:
            return
        if not path and node.kind in ("list", "map") and element.children:
            return  # all that is missing for sure is its closing tag
        if node.kind == "dict" and isinstance(made, dict):
            missing = [name for name, field in node.fields.items() if name not in made]
            if not missing or (not path and not any(node.fields[name].required for name in missing)):
                return
        self.account.broken_off(path, (element.end, element.end), "what is missing behind it is not known")

    # Scalars

    def own_value(self, element: Element, node: Node, path: Path) -> Any:
        """The value of a text in sound tags without attributes that nothing is to be said of; None for any other."""
        if element.children or not self.is_sound(element) or len(path) > MAX_DEPTH:
            return None
        read = self.own_values.get(node)
        if read is None:
            read = self.own_values[node] = own_value(node)
        inner, end = element.inner, element.end
        value = read(self.text[inner:end])
        if value is not None:
            element.path = path
            self.account.places[path] = inner, end
            self.account.values += 1
        return value

    def is_sound(self, element: Element) -> bool:
        """Whether an element has its two tags, the opening one without attributes."""
        return (
            element.inner - element.start == len(element.name) + 2
            and element.is_closed
            and not element.is_cut
            and element.token >= 0
            and element.form == "xml"
        )

    def laid_out(self, element: Element, path: Path, is_verbatim: bool = True) -> Text:
        """The text of an element, decoded and laid out; what that changed is on record."""
        raw = self.source(element)
        if element.form == "json":
            return self.of_json(element, raw, path)
        if element.form == "attribute":
            return Text(raw, decode(raw))
        if element.form == "yaml":
            raw = raw.strip(BLANK)
            value = yaml_text(raw)
            if value is raw and raw[:1] in "|>":
                self.doubt(element, path, "a block of YAML with a line that is none of its own")
            if value is raw and "\n" in raw:  # lines that are no YAML of their own
                value = plain_value(self.source(element), lambda: "").value
            return Text(raw, value)
        if element.form != "xml":
            found = plain_value(raw, lambda: "")
            for change in found.changes:
                self.account.repair(change.kind, path, self.place(element), change.before, change.after)
            return found
        if _SPECIAL.search(raw) is None:
            text = raw.strip(BLANK)
            return Text(text, text)
        found = value_of(raw, lambda: self.indentation(element), is_verbatim)
        for change in found.changes:
            self.account.repair(change.kind, path, self.place(element), change.before, change.after)
        return found

    def of_json(self, element: Element, raw: str, path: Path) -> Text:
        """The text that a string or a scalar of JSON says."""
        value, kinds = text_of(element)
        for kind in kinds:
            self.account.repair(kind, path, self.place(element), raw, value or "")
            if kind is RepairKind.OPENER_MISSING:
                self.doubt(element, path, "a text of which the opening quote is missing")
        return Text(raw, "" if value is None else value)

    def indentation(self, element: Element) -> str:
        """The white space that the line of an element's opening tag begins with."""
        line = self.text[self.text.rfind("\n", 0, element.start) + 1 : element.start]
        return line[: len(line) - len(line.lstrip(" \t"))]

    def parts(self, element: Element, path: Path) -> list[Element]:
        """The elements in an element, those in wrappers too."""
        found: list[Element] = []
        waiting = element.children[::-1]
        while waiting:
            child = waiting.pop()
            child.path = path
            if child.role == "wrapper":
                waiting += child.children[::-1]
            else:
                found.append(child)
        return found

    def is_word(self, element: Element) -> bool:
        """Whether a word for nothing is all that an element holds."""
        return not element.children and element.form != "json" and says_null(_NULLABLE, self.content(element))

    def is_empty(self, element: Element) -> bool:
        return not element.children and not self.content(element)

    def is_misplaced(self, left: Left) -> bool:
        """Whether JSON holds what should not be there: text, a bracket, a member of the definition, or, beside an
        object that is entered, another one.
        """
        if left.edit in (Edit.TEXT_STRAY, Edit.CLOSER_IGNORED, Edit.OPENER_STRAY):
            return left.behind is None or left.behind.path not in self.account.bad
        if left.edit is not Edit.UNKNOWN_SKIPPED:
            return False
        children = left.element.children
        at = bisect_left(children, left.span[0], key=lambda child: child.start)
        if at == len(children) or children[at].span != left.span or closer_of(children[at]) not in BRACKETS:
            return False
        # Left overs are looked at behind all values: no role changes between two of them.
        key = id(left.element)
        if key not in self.has_wrapper:
            self.has_wrapper[key] = any(child.role == "wrapper" for child in children)
        return self.has_wrapper[key]

    def values_in(self, around: Element) -> list[Element]:
        """The parts of an element that are values. Each is asked for what is left over next to it, so they are kept."""
        found = self.values_of.get(id(around))
        if found is None:
            found = self.values_of[id(around)] = [child for child in around.children if child.role != "skipped"]
        return found


ASKED = {"dict": "an object", "list": "a list", "tuple": "a tuple", "map": "a map", "union": "one of several types"}
"""How problems name what holds other values."""
_COMMENTS = re.compile(r"\s*+(?:(?:<!--(?:(?!-->).)*+-->|</\w++>)\s*+)++", re.DOTALL)
_EMPTY: dict[str, Callable[[], Any]] = {"list": list, "map": dict}
_NULLABLE, _MAYBE = Node("int", nullable=True), Node("str")
_YAML_NULLS = ("null", "~", "Null", "NULL")
"""How YAML itself writes null."""
_SHOWN = frozenset({"elements", "choices", "required", "index", "key", "keys", "discriminator"})
"""Attributes that a prompt shows, and that are no values."""


def options_of(node: Node) -> tuple[str, ...]:
    return tuple(node.options()) if node.kind == "union" else ()


def asked(node: Node) -> str:
    return KINDS_ASKED.get(node.kind) or ASKED[node.kind]


def parts_of(node: Node) -> list[Node]:
    """The options of a union, those of unions in it too; any other node alone."""
    if node.kind != "union":
        return [node]
    return [part for inner in node.parts for part in parts_of(inner)]
