"""Reads well-formed answers with lxml that fit the definition but not the expression. It mends values, but no tags.

It steps aside where lxml's tree loses information. References and sections are hidden from lxml.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from lxml import etree

from ...definition import MARKED, Node, Path, Plan, choice_text, per_plan, show_path, walk
from ...definition.node import MAX_DEPTH
from ...escaping import BLANK
from ...findings import MAX_FINDINGS, Repair, RepairKind
from ...render.placeholder import PROMPT_ATTRIBUTES, is_words
from ..values.scalars import own_value, read_scalar, read_union_scalar
from ..values.text import SECTION, Change, decode_clean, value_of
from .expression import STRICT_FORMS
from .nodes import UNREADABLE, Form, Mended, Read, Reader, compiled, typer
from .texts import AsideError, check_order

_Element: TypeAlias = "etree._Element"  # noqa: SLF001 - the only name that lxml has for it

_HIDDEN = {"&": "\x7f", "<": "\ue000", ">": "\ue001"}
"""The signs of XML, and the characters that take their places in a text that lxml is not to see."""
_SECTION = re.compile(r"<!\[CDATA\[(?:(?!\]\]>).)*+\]\]>", re.DOTALL)
_BEHIND_CLOSER = re.compile(r"</[^<>]*+>[ \t\n]*+[^< \t\n]")  # text behind an element
_BEHIND_EMPTY = re.compile(r"/>[ \t\n]*+[^< \t\n]")
_ODD_ATTRIBUTE = re.compile(r"=[ \t\n]*+(?:\"[^\"<\t\n]*+[\t\n]|'[^'<\t\n]*+[\t\n])")
_PARSER = etree.XMLParser(
    resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, remove_blank_text=True, collect_ids=False
)


@per_plan
def read_elements(plan: Plan) -> Callable[..., Any]:
    """Returns the function that reads an answer from its first to its last tag. Linear in its length.

    It takes the place of the answer in the reply, and a list for the repairs of values, without which it mends none.
    """
    read_root = compiled(plan.root, _ELEMENTS)
    names = {plan.root_name, "li", "entry"}.union(*({*node.fields, *node.options()} for node in walk(plan.root)))

    def read(answer: str, start: int = 0, repairs: list[Repair] | None = None) -> Any:
        text = _hidden(answer)
        if not _is_promising(text, names):
            return None
        try:
            root = etree.fromstring(text, _PARSER)
            mended: list[Mended] | None = None if repairs is None else []
            tree = read_root(root, (), mended) if root.tag == plan.root_name else None
        except (*UNREADABLE, etree.XMLSyntaxError):
            return None
        if mended and repairs is not None:
            repairs += _placed(mended, root, text, start)
            tree = tree if len(repairs) <= MAX_FINDINGS else None
        return tree

    return read


def _hidden(answer: str) -> str:
    """Returns an answer with other characters in place of those that lxml is not to see, or "" to step aside."""
    if any(sign in answer for sign in _HIDDEN.values()):
        return ""
    if "<!" in answer:
        if answer.rfind("<![CDATA[") > answer.rfind("]]>"):
            return ""  # the search below is linear only if every section ends
        answer = _SECTION.sub(lambda found: found[0].replace("<", _HIDDEN["<"]).replace(">", _HIDDEN[">"]), answer)
    return answer.replace("&", _HIDDEN["&"])


def _shown(text: str) -> str:
    if not text.isascii():
        text = text.replace(_HIDDEN["<"], "<").replace(_HIDDEN[">"], ">")
    return text.replace(_HIDDEN["&"], "&")


def _placed(mended: list[Mended], root: _Element, answer: str, start: int) -> Iterator[Repair]:
    """Yields the repairs of values with their places: lxml keeps none, but each element has one opening tag."""
    elements = {element for element, _path, _change in mended}
    tags = _OPENING.finditer(answer)
    inner = {element: tag.end() for element, tag in zip(root.iter(), tags, strict=False) if element in elements}
    for element, path, change in mended:
        begin = inner[element]
        yield Repair(change.kind, show_path(path), (start + begin, start + answer.index("<", begin)), *change[1:])


_TAG = re.compile(r"</?+([^\s<>/]++)(?:\s[^<>]*+|/)?+>")
_OPENING = re.compile(r"<[^/](?:[^<>\"']++|\"[^\"]*+\"|'[^']*+')*+>")


def _is_promising(answer: str, names: set[str]) -> bool:
    """Returns whether lxml may succeed, at first sight. Its errors cost more than reading the whole answer."""
    if not answer or any(sign in answer for sign in ("\r", "<!", "<?")):
        return False
    closers, brackets = answer.count("</"), answer.count("<")
    if brackets != 2 * closers and not 2 * closers < brackets <= 2 * closers + answer.count("/>"):
        return False
    tags = _TAG.findall(answer)
    if len(tags) < brackets or not names.issuperset(tags):
        return False
    return not any(odd.search(answer) for odd in (_BEHIND_CLOSER, _BEHIND_EMPTY, _ODD_ATTRIBUTE))


def _check(element: _Element, path: Path) -> None:
    """Raises `AsideError` unless an element holds only elements and is not too deep."""
    text = element.text
    if len(path) >= MAX_DEPTH or (text and text.strip(BLANK)):
        raise AsideError


def _members(element: _Element, path: Path) -> dict[Any, _Element]:
    """Returns the children of an object by name. Steps aside for an object without any, which may be null."""
    _check(element, path)
    return {child.tag: child for child in element} or _step_aside()


def _items(element: _Element, path: Path) -> list[_Element]:
    """Returns the items of a list. Their indexes have to be ascending, if any."""
    _check(element, path)
    children = list(element)
    for child in children:
        if child.tag != "li":
            raise AsideError
    if children and children[0].get("index"):
        check_order([child.get("index") for child in children])
    return children


def _entries(element: _Element, path: Path) -> list[tuple[str, _Element]]:
    """Returns the entries of a map by their keys. The other attributes remain."""
    _check(element, path)
    children = list(element)
    if any(child.tag != "entry" for child in children):
        raise AsideError
    return [(_decoded(str(child.attrib.pop("key"))), child) for child in children]


def _text(node: Node) -> Read:
    """Returns the reader of a text: one in strict form, or one that the careful reader would read without a doubt."""
    read_text, is_str = read_union_scalar if node.kind == "union" else read_scalar, node.kind == "str"
    is_strict = re.compile(STRICT_FORMS.get(node.kind, "(?!)")).fullmatch
    own = own_value(node)

    def read(element: _Element, path: Path, mended: list[Mended] | None) -> Any:
        text = _shown(element.text or "")
        if len(element):
            raise AsideError
        if is_str and (value := own(text)) is not None:
            return value
        if text and is_strict(text):
            return text
        found = value_of(text, _step_aside, is_str)
        raw = found.raw
        if "<" in raw and SECTION.fullmatch(text) is None:
            raise AsideError
        if not is_str and (raw.startswith(("[", "{")) or (raw.endswith(")") and is_words(node, raw))):
            raise AsideError
        name = next((step for step in reversed(path) if isinstance(step, str)), "")
        value, kind, problem = read_text(node, raw, found.value, None, name)[:3]
        changes = list(found.changes)
        if kind is not None:
            changes.append(Change(kind, raw, "null" if value is None else choice_text(value)))
        if problem or (changes and mended is None) or any(change.kind is _SKIPPED for change in changes):
            raise AsideError
        if mended is not None:
            mended += [(element, path, change) for change in changes]
        return value

    return read


_SKIPPED = RepairKind.TEXT_SKIPPED
"""The repair of what is left over, which is for the careful reader."""


def _union(node: Node, reader: Reader) -> Read:
    """Returns the reader of an object under its class's tag, or of a text that fits one option."""
    objects = {name: option for name, option in node.options().items() if option.kind == "dict"}
    tagged = {
        name: (typer(option), reader(option)) for name, option in objects.items() if not node.is_field_of_option(name)
    }
    read_text = _text(node)

    def read(element: _Element, path: Path, mended: list[Mended] | None) -> Any:
        if len(element) != 1 or element[0].tag not in tagged:
            return read_text(element, path, mended) if node.is_text() else _step_aside()
        _check(element, path)
        type_tree, read_option = tagged[element[0].tag]
        return type_tree(read_option(element[0], path, mended))

    return read


def _marked(node: Node, content: Read, reader: Reader) -> Read:
    """Returns the reader of an element by its `type`, if it has one. Other attributes have to be those of a prompt."""
    options = node.options() if node.kind == "union" else {}
    others: dict[Any, Node] = {**(MARKED if node.kind == "any" or "any" in options else {}), **options}
    readers = {mark: (typer(other), reader(other)) for mark, other in others.items() if mark and mark != "null"}
    empties: dict[Any, str | None] = {} if "null" in options else {"null": None}
    empties |= {mark: "" for mark, other in {**others, node.kind: node}.items() if other.kind in ("str", "bytes")}
    held = {name for part in (node, *node.parts) for name in part.fields} - {"type"}

    def read(element: _Element, path: Path, mended: list[Mended] | None) -> Any:
        names = element.keys()
        if not names:
            return content(element, path, mended)
        if not PROMPT_ATTRIBUTES.issuperset(names) or not held.isdisjoint(names):
            raise AsideError
        if node.kind == "map" and element.get("description", node.description) != node.description:
            raise AsideError  # it may be an entry
        mark: Any = element.get("type")
        if mark in empties and not len(element) and not (element.text or "").strip(BLANK):
            return empties[mark]
        if mark is None or mark == node.kind:
            return content(element, path, mended)
        del element.attrib["type"]
        type_tree, read_other = readers[mark]
        return type_tree(read_other(element, path, mended))

    return read


def _decoded(raw: str) -> str:
    value = decode_clean(_shown(raw))
    return _step_aside() if value is None else value


def _step_aside() -> Any:
    raise AsideError


def _reader(node: Node, reader: Reader) -> Read:
    if node.kind == "any":  # without a mark it could be JSON or a text
        return lambda element, path, mended: _step_aside()
    return _union(node, reader) if node.kind == "union" else _text(node)


_ELEMENTS = Form(_members, _entries, _items, _reader, _marked)
