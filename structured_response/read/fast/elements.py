"""lxml for well-formed answers that fit the definition to the letter, but are not as the expression wants them.

Fields in any order, attributes that prompts show, unions, maps, tuples, shapes that hold themselves. It steps aside
for what lxml's tree cannot tell: CDATA, comments, markup in a string, carriage returns, layout that depends on the
indentation of a tag. References are kept from lxml, since rules look at the raw characters: a control character stands
for each `&`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, TypeAlias

from lxml import etree

from ...definition import (
    CONSTRAINTS,
    MARKED,
    Node,
    Plan,
    is_xml_name,
    per_plan,
)
from ...limits import MAX_DEPTH
from ...markup import BLANK, FENCES
from ..values.scalars import is_strict, read_key, read_scalar
from ..values.text import decode_clean
from ..values.unions import read_union_scalar
from .texts import ASIDE, AsideError, check_keys, check_order, text_reader, typer

__all__ = ["read_elements"]

_Element: TypeAlias = "etree._Element"  # noqa: SLF001 - the only name that lxml has for it
_Read = Callable[["_Element", int], Any]
"""An element, and how many levels of data are around it -> its value. Raises `AsideError`."""
_Reader = Callable[[Node], _Read]

_AMP = "\x7f"
_BARE_AMP = re.compile(r"&(?!#?[A-Za-z0-9]++;)")
_TEXT_BEHIND = re.compile(r"(?:/|</[^<>]*+)>[ \t\n]*+[^< \t\n]")  # a text that stands behind an element
_ATTRIBUTE = re.compile(r"=[ \t\n]*+[\"']")
_ODD_ATTRIBUTE = re.compile(r"=[ \t\n]*+(?:\"[^\"<\t\n]*+[\t\n]|'[^'<\t\n]*+[\t\n])")
_SHOWN = {"index", "keys", "elements", "choices", "options", "description", "required", *CONSTRAINTS.values()}
"""Attributes that a prompt shows, besides `type`, and that say nothing when they are echoed."""
_PARSER = etree.XMLParser(
    resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, remove_blank_text=True, collect_ids=False
)


@per_plan
def read_elements(plan: Plan) -> Callable[[str], Any]:
    """Return the function that reads an answer from its first to its last tag. Linear in its length."""
    bare, attributed = _compiled(plan.root, False), _compiled(plan.root, True)

    def read(answer: str) -> Any:
        if not _is_promising(answer):
            return None
        try:
            root = etree.fromstring(answer.replace("&", _AMP), _PARSER)
            read_root = attributed if "=" in answer and _ATTRIBUTE.search(answer) else bare
            return read_root(root, 0) if root.tag == plan.root_name else None
        except (AsideError, etree.XMLSyntaxError, RecursionError):
            return None

    return read


def _compiled(root: Node, has_attributes: bool) -> _Read:
    """The reader of an element. Each node has one of its own, made once, since graphs have cycles."""
    made: dict[Node, _Read] = {}

    def reader(node: Node) -> _Read:
        if node not in made:
            made[node] = lambda element, depth: made[node](element, depth)  # noqa: PLW0108 - made[node] will change
            content = _CONTENTS.get(node.kind, _scalar)(node, reader)
            made[node] = _marked(node, content, reader) if has_attributes else content
        return made[node]

    return reader(root)


def _is_promising(answer: str) -> bool:
    """Whether nothing speaks against an answer at first sight: lxml's errors cost more than reading all of it."""
    if "\r" in answer or _AMP in answer or "<!" in answer or "<?" in answer:
        return False
    closers, brackets = answer.count("</"), answer.count("<")
    if brackets != 2 * closers and not 2 * closers < brackets <= 2 * closers + answer.count("/>"):
        return False
    odd = ("&" in answer and _BARE_AMP.search(answer)) or ("=" in answer and _ODD_ATTRIBUTE.search(answer))
    return not odd and _TEXT_BEHIND.search(answer) is None


def _marked(node: Node, content: _Read, reader: _Reader) -> _Read:
    """Reads an element by the mark of its type, if it has one. Of other attributes a prompt's own may stand there."""
    options = node.options() if node.kind == "union" else {}
    others: dict[Any, Node] = {**(MARKED if node.kind == "any" or "any" in options else {}), **options}
    readers = {mark: (typer(other), reader(other)) for mark, other in others.items() if mark and mark != "null"}
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
        type_tree, read_other = readers[mark]
        return type_tree(read_other(element, depth))

    return read


def _scalar(node: Node, reader: _Reader) -> _Read:
    """Reads a text: at once in its strict form, else as the careful reader does, but for what is to be recorded."""
    kind, read_string = node.kind, text_reader(node, frozenset())
    read_text = read_union_scalar if kind == "union" else read_scalar

    def read(element: _Element, depth: int) -> Any:
        text = element.text or ""
        if len(element):
            raise ASIDE
        if is_strict(kind, text):
            return text
        text = text.replace(_AMP, "&")
        if kind == "str":
            return read_string(text, "")
        text = text.strip(BLANK)
        scalar = read_text(node, text, _decoded(text))
        if scalar.repair or scalar.problem or "\n" in text or text.startswith(("[", "{", *FENCES)):
            raise ASIDE
        return scalar.value

    return read


def _dict(node: Node, reader: _Reader) -> _Read:
    fields = {name: reader(field.node) for name, field in node.fields.items() if is_xml_name(name)}
    required = {name for name, field in node.fields.items() if field.required}
    may_be_null = node.nullable is not False

    def read(element: _Element, depth: int) -> Any:
        tree: dict[str, Any] = {}
        children = _children(element, depth)
        for child in children:
            name: Any = child.tag
            if name not in fields:
                raise ASIDE
            tree[name] = fields[name](child, depth + 1)
        if len(tree) < len(children) or not required <= tree.keys() or (may_be_null and not tree):
            raise ASIDE
        return tree

    return read


def _list(node: Node, reader: _Reader) -> _Read:
    assert node.item is not None
    read_item = reader(node.item)
    return lambda element, depth: [read_item(child, depth + 1) for child in _children(element, depth, "li")]


def _tuple(node: Node, reader: _Reader) -> _Read:
    parts = list(map(reader, node.parts))

    def read(element: _Element, depth: int) -> Any:
        children = _children(element, depth, "li")
        if len(children) != len(parts) or not parts:
            raise ASIDE
        return [read_part(child, depth + 1) for read_part, child in zip(parts, children, strict=True)]

    return read


def _map(node: Node, reader: _Reader) -> _Read:
    assert node.item is not None and node.key is not None
    read_item, key_node = reader(node.item), node.key

    def read(element: _Element, depth: int) -> Any:
        keys: list[str] = []
        items: list[Any] = []
        for child in _children(element, depth, "entry"):
            key = _decoded(str(child.attrib.pop("key", "&")).replace(_AMP, "&"))
            scalar = read_key(key_node, key, key)
            if scalar.repair or scalar.problem:
                raise ASIDE
            keys.append(key)
            items.append(read_item(child, depth + 1))
        check_keys(key_node, keys)
        return dict(zip(keys, items, strict=True))

    return read


def _union(node: Node, reader: _Reader) -> _Read:
    """Reads an object under its class's tag, or a text that fits one option."""
    objects = {name: option for name, option in node.options().items() if option.kind == "dict"}
    tagged = {
        name: (typer(option), reader(option)) for name, option in objects.items() if not node.is_field_of_option(name)
    }
    read_text = _scalar(node, reader)

    def read(element: _Element, depth: int) -> Any:
        if len(element) != 1 or element[0].tag not in tagged:
            return read_text(element, depth) if node.is_text() else _step_aside()
        (child,) = _children(element, depth)
        type_tree, read_option = tagged[child.tag]
        return type_tree(read_option(child, depth))

    return read


def _any(node: Node, reader: _Reader) -> _Read:
    """Without a mark a value of any type could be JSON, or a text."""
    return lambda element, depth: _step_aside()


_CONTENTS: dict[str, Callable[[Node, _Reader], _Read]] = {
    "dict": _dict,
    "list": _list,
    "tuple": _tuple,
    "map": _map,
    "union": _union,
    "any": _any,
}


def _children(element: _Element, depth: int, tag: str | None = None) -> list[_Element]:
    """The elements in one that holds nothing else; those of a list bear one tag, and count upwards if they count."""
    children = list(element)
    text = element.text
    if depth >= MAX_DEPTH or (text and text.strip(BLANK)):
        raise ASIDE
    if tag is not None:
        for child in children:
            if child.tag != tag:
                raise ASIDE
        if children and children[0].get("index"):
            check_order([child.get("index") for child in children])
    return children


def _decoded(raw: str) -> str:
    value = decode_clean(raw)
    return _step_aside() if value is None else value


def _step_aside() -> Any:
    raise ASIDE
