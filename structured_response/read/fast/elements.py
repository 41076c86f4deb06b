"""lxml for well-formed answers that fit the definition to the letter, but not in its order or not as one expression.

Fields in any order, attributes that prompts show, unions, maps, tuples, shapes that hold themselves. Each node of a
definition is compiled into a function that reads its elements, or steps aside: for CDATA, comments, markup in a
string, carriage returns, layout that depends on the indentation of a tag.

lxml decodes references before any rule could see the raw characters, so it gets none: a control character stands for
each `&`. Stepping aside has to be cheap, since most damaged replies come by: a few counts find most of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any, TypeAlias

from lxml import etree

from ...definition import (
    CONSTRAINTS,
    MARKED,
    Node,
    Plan,
    choices_by_text,
    has_form,
    is_key_placeholder,
    is_placeholder,
    is_xml_name,
    per_plan,
)
from ...limits import MAX_DEPTH
from ...markup import BLANK, FENCES, NULL_WORDS
from ..values.text import decode_clean
from ..values.trees import typed_key, typed_tree
from .texts import ASIDE, AsideError, check_order, text_reader

__all__ = ["read_elements"]

_Element: TypeAlias = "etree._Element"  # noqa: SLF001 - the only name that lxml has for it
_Read = Callable[["_Element", int], Any]
"""An element, and how many levels of data are around it -> its value. Raises `AsideError`."""

_ReadText = Callable[[str, str], Any]

_AMP = "\x7f"
_BARE_AMP = re.compile(r"&(?!#?[A-Za-z0-9]++;)")
_ATTRIBUTE = re.compile(r"=[ \t\n]*+[\"']")
_BROKEN_ATTRIBUTE = re.compile(r"=[ \t\n]*+(?:\"[^\"<\t\n]*+[\t\n]|'[^'<\t\n]*+[\t\n])")
_SHOWN = frozenset(
    {"index", "keys", "elements", "choices", "options", "description", "required", *CONSTRAINTS.values()}
)
"""Attributes that a prompt shows, besides `type`, and that say nothing when they are echoed."""
_PARSER = etree.XMLParser(
    resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, remove_blank_text=True, collect_ids=False
)


@per_plan
def read_elements(plan: Plan) -> Callable[[str], Any]:
    """Return the function that reads an answer from its first to its last tag. Linear in its length."""
    bare, attributed = _Compiler(False).reader(plan.root), _Compiler(True).reader(plan.root)

    def read(answer: str) -> Any:
        if not _is_promising(answer):
            return None
        has_attributes = "=" in answer and _ATTRIBUTE.search(answer) is not None
        if has_attributes and _BROKEN_ATTRIBUTE.search(answer):
            return None
        try:
            root = etree.fromstring(answer.replace("&", _AMP), _PARSER)
            return (attributed if has_attributes else bare)(root, 0) if root.tag == plan.root_name else None
        except (AsideError, etree.XMLSyntaxError, RecursionError):
            return None

    return read


def _is_promising(answer: str) -> bool:
    """Whether nothing speaks against an answer at first sight: cheap counts find most of what is not well-formed."""
    if "\r" in answer or _AMP in answer or "<!" in answer or "<?" in answer:
        return False
    closers, brackets = answer.count("</"), answer.count("<")
    if brackets != 2 * closers and not 2 * closers < brackets <= 2 * closers + answer.count("/>"):
        return False
    return not ("&" in answer and _BARE_AMP.search(answer))


class _Compiler:
    """Compiles the nodes of a definition into functions that read their elements, one for each, since graphs have
    cycles.
    """

    def __init__(self, has_attributes: bool) -> None:
        self.has_attributes = has_attributes
        self.made: dict[Node, _Read] = {}

    def reader(self, node: Node) -> _Read:
        """Reads an element of which no attribute but those that a prompt shows is left."""
        if node not in self.made:
            self.made[node] = partial(self.read_later, node)  # while it is made, on a cycle
            content = _CONTENTS.get(node.kind, _Compiler.of_scalar)(self, node)
            self.made[node] = self.marked(node, content) if self.has_attributes else content
        return self.made[node]

    def read_later(self, node: Node, element: _Element, depth: int) -> Any:
        return self.made[node](element, depth)

    def marked(self, node: Node, content: _Read) -> _Read:
        """Reads an element by the mark of its type, if it has one."""
        options = node.options() if node.kind == "union" else {}
        others: dict[Any, Node] = {**(MARKED if node.kind == "any" or "any" in options else {}), **options}
        readers = {mark: (other, self.reader(other)) for mark, other in others.items() if mark and mark != "null"}
        empties: dict[Any, str | None] = {} if "null" in options else {"null": None}
        empties |= {mark: "" for mark, other in {**others, node.kind: node}.items() if other.kind in ("str", "bytes")}
        held = {name for part in (node, *node.parts) for name in part.fields}

        def read(element: _Element, depth: int) -> Any:
            if not element.attrib:
                return content(element, depth)
            mark: Any = element.attrib.pop("type") if "type" in element.attrib else None
            if not _SHOWN.issuperset(element.attrib) or not held.isdisjoint(element.attrib):
                raise ASIDE
            if mark in empties and not len(element) and not (element.text or "").strip(BLANK):
                return empties[mark]
            if mark is None or mark == node.kind:
                return content(element, depth)
            if mark not in readers:
                raise ASIDE
            other, read_other = readers[mark]
            return typed_tree(other, read_other(element, depth))

        return read

    def of_scalar(self, node: Node) -> _Read:
        read_text = _TEXTS.get(node.kind, _form)(node)

        def read(element: _Element, depth: int) -> Any:
            if len(element):
                raise ASIDE
            text = element.text
            return read_text(text.replace(_AMP, "&") if text and _AMP in text else text or "", "")

        return read

    def of_dict(self, node: Node) -> _Read:
        fields = {name: self.reader(field.node) for name, field in node.fields.items()}
        odd = {name for name in fields if not is_xml_name(name)}
        required = {name for name, field in node.fields.items() if field.required}
        may_be_null = node.nullable is not False

        def read(element: _Element, depth: int) -> Any:
            tree: dict[str, Any] = {}
            for child in _children(element, depth):
                name: Any = child.tag
                if odd and name == "entry":
                    name = _key_of(child)
                if name not in fields or name in tree or (name in odd) is (child.tag == name):
                    raise ASIDE
                tree[name] = fields[name](child, depth + 1)
            if not required <= tree.keys() or (may_be_null and not tree):
                raise ASIDE
            return tree

        return read

    def of_list(self, node: Node) -> _Read:
        assert node.item is not None
        read_item, has_attributes = self.reader(node.item), self.has_attributes

        def read(element: _Element, depth: int) -> Any:
            children = _children(element, depth, "li")
            if has_attributes:
                check_order([child.get("index") for child in children])
            return [read_item(child, depth + 1) for child in children]

        return read

    def of_tuple(self, node: Node) -> _Read:
        parts = [self.reader(part) for part in node.parts]

        def read(element: _Element, depth: int) -> Any:
            children = _children(element, depth, "li")
            if len(children) != len(parts) or not parts:
                raise ASIDE
            check_order([child.get("index") for child in children])
            return [read_part(child, depth + 1) for read_part, child in zip(parts, children, strict=True)]

        return read

    def of_map(self, node: Node) -> _Read:
        assert node.item is not None and node.key is not None
        read_item, key_node = self.reader(node.item), node.key

        def read(element: _Element, depth: int) -> Any:
            tree: dict[str, Any] = {}
            for child in _children(element, depth, "entry"):
                key = _key_of(child)
                if is_key_placeholder(key_node, key) or not (key_node.kind == "str" or _fits(key_node, key)):
                    raise ASIDE
                tree[key] = read_item(child, depth + 1)
            if len({typed_key(key_node, key) for key in tree}) < len(element):
                raise ASIDE
            return tree

        return read

    def of_union(self, node: Node) -> _Read:
        """Reads an object under its class's tag, or a text that fits one option only."""
        options = node.options()
        tagged = {
            name: (option, self.reader(option))
            for name, option in options.items()
            if option.kind == "dict" and not node.is_field_of_option(name)
        }
        texts = [] if any(part.kind in _CONTENTS or part.kind == "any" for part in node.parts) else node.parts
        read_texts = [(part, _TEXTS.get(part.kind, _form)(part)) for part in texts]
        may_be_null = node.nullable is not False

        def read(element: _Element, depth: int) -> Any:
            if len(element) == 1 and element[0].tag in tagged:
                (child,) = _children(element, depth)
                option, read_option = tagged[child.tag]
                return typed_tree(option, read_option(child, depth))
            text = (element.text or "").replace(_AMP, "&")
            raw = text.strip(BLANK)
            if len(element) or not raw or raw[0] in "[{" or (may_be_null and raw.lower() in NULL_WORDS):
                raise ASIDE
            fitting = [(part, read_part) for part, read_part in read_texts if _fits(part, _decoded(raw))]
            if len(fitting) != 1:
                raise ASIDE
            part, read_part = fitting[0]
            return typed_tree(part, read_part(text, ""))

        return read

    def of_any(self, node: Node) -> _Read:
        """Without a mark a value of any type could be JSON, or a text."""

        def read(element: _Element, depth: int) -> Any:
            raise ASIDE

        return read


_CONTENTS: dict[str, Callable[[_Compiler, Node], _Read]] = {
    "dict": _Compiler.of_dict,
    "list": _Compiler.of_list,
    "tuple": _Compiler.of_tuple,
    "map": _Compiler.of_map,
    "union": _Compiler.of_union,
    "any": _Compiler.of_any,
}


def _children(element: _Element, depth: int, tag: str | None = None) -> list[_Element]:
    """The elements in one that holds nothing else; all of them may have to bear one tag."""
    children = list(element)
    if depth >= MAX_DEPTH or (element.text or "").strip(BLANK):
        raise ASIDE
    for child in children:
        if (tag is not None and child.tag != tag) or (child.tail or "").strip(BLANK):
            raise ASIDE
    return children


def _key_of(entry: _Element) -> str:
    """The key of an entry, whose other attributes stay."""
    return _decoded(str(entry.attrib.pop("key", "&")).replace(_AMP, "&"))


def _decoded(raw: str) -> str:
    value = decode_clean(raw)
    if value is None:
        raise ASIDE
    return value


def _fits(node: Node, text: str) -> bool:
    """Whether a text is in the strict form of a scalar."""
    if node.kind == "str":
        return not is_placeholder(node, text)
    return text in choices_by_text(node) if node.kind == "enum" else text != "" and has_form(node.kind, text)


def _form(node: Node) -> _ReadText:
    """Reads a scalar in its strict form; where it is empty, null."""
    kind, may_be_null = node.kind, node.nullable is not False

    def read(raw: str, _: str) -> str | None:
        text = raw.strip(BLANK)
        if text and has_form(kind, text):
            return text
        if text or not (may_be_null or kind == "bytes"):
            raise ASIDE
        return None if may_be_null else ""

    return read


def _choice(node: Node) -> _ReadText:
    by_text = {text: choices[0] for text, choices in choices_by_text(node).items() if len(choices) == 1}
    may_be_null = node.nullable is not False and "" not in choices_by_text(node)

    def read(raw: str, _: str) -> Any:
        text = raw.strip(BLANK)
        value = None if not text and may_be_null else by_text.get(_decoded(text), ASIDE)
        if value is ASIDE or "\n" in text or text.startswith(FENCES):
            raise ASIDE
        return value

    return read


_TEXTS: dict[str, Callable[[Node], _ReadText]] = {
    "str": lambda node: text_reader(node, frozenset()),
    "enum": _choice,
}
