"""The strict reader: lxml for a reply that is well-formed, fits the definition to the letter and needs no word said.

It reads what the shortcut has no pattern for: fields in any order, attributes that a prompt shows, shapes that hold
themselves, unions, maps, tuples. It gives the tree of texts that the shortcut would give, or nothing; then the
tolerant reader takes over. So it does wherever lxml's tree cannot tell what the source says: CDATA, comments, markup
in a string, carriage returns, layout that depends on the indentation of a tag.

lxml decodes references before any rule could see the raw characters, so it gets none: a control character stands
for each `&`, and texts are decoded here.

Stepping aside has to be cheap, since most damaged replies come by: a few counts find most of them before lxml is
asked, for its errors cost more than reading all of a reply.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final, TypeAlias

from lxml import etree

from ...definition import (
    Node,
    Plan,
    choice_text,
    has_form,
    is_key_placeholder,
    is_placeholder,
    is_xml_name,
    per_plan,
)
from ...limits import MAX_DEPTH
from ...markup import BLANK, EXAMPLE, FENCES, LABELLED, NULL_WORDS
from ..scalars.text import decode_clean, layout
from ..scalars.trees import typed_key
from .sieve import SHOWN, Sieve, sieve

__all__ = ["strict"]

Read = Callable[[str], Any]
"""A reply -> the tree of its texts, or None where it is not strict."""

_Element: TypeAlias = "etree._Element"  # noqa: SLF001 - the only name that lxml has for it
_ReadText = Callable[["str | None"], Any]
_ReadElement = Callable[["_Element", int], Any]
_ReadMarked = Callable[["_Element", int, dict[str, str]], Any]
"""An element, and the number of steps of the path to it -> its value. Raises `_AsideError`."""

_AMP = "\x7f"
"""What stands for `&` in what lxml sees: a character of ASCII that XML allows, and that replies hardly hold."""

_ATTRIBUTE = re.compile(r"=[ \t\n]*+[\"']")
_BROKEN_ATTRIBUTE = re.compile(r"=[ \t\n]*+(?:\"[^\"<\t\n]*+[\t\n]|'[^'<\t\n]*+[\t\n])")
_BARE_AMP = re.compile(r"&(?!#?[A-Za-z0-9]++;)")
_RIVAL = re.compile(rf"[{{\[\uff1c]|\"(?:\s|\\[nrt])*+\Z|\A\s*+\"|(?m:^)>[ \t]*+\Z|{re.escape(EXAMPLE)}|{LABELLED}")
"""What could begin an answer of another kind in the prose in front: JSON, full-width brackets, a JSON string, a
quoted line, an example of the prompt, labels.
"""

_ANY = Node("any", nullable=True)
_MARKED = {
    "str": Node("str", nullable=False),
    "int": Node("int", nullable=False),
    "float": Node("float", nullable=False),
    "bool": Node("bool", nullable=False),
    "list": Node("list", item=_ANY, nullable=True),
    "map": Node("map", item=_ANY, key=Node("str", nullable=False), nullable=True),
}
"""What the mark on a value of any type says."""


_PARSER = etree.XMLParser(
    resolve_entities=False,
    no_network=True,
    load_dtd=False,
    huge_tree=False,
    recover=False,
    remove_blank_text=True,
    collect_ids=False,
)


class _AsideError(Exception):
    """A reply that the next reader has to look at."""


_ASIDE: Final = _AsideError()


@per_plan
def strict(plan: Plan) -> Read:
    """What reads a strict reply. Costs some three times what lxml takes to parse it, and a third of that
    where most of them are damaged; linear in its length.
    """
    lets = sieve(plan).lets
    opener, closer = f"<{plan.root_name}", f"</{plan.root_name}"

    def read(reply: str) -> Any:
        block = _block(reply, opener, closer)
        if block is None or not _is_promising(block) or not lets(block):
            return None
        has_attributes = "=" in block and _ATTRIBUTE.search(block) is not None
        if has_attributes and _BROKEN_ATTRIBUTE.search(block):
            return None
        try:
            root = etree.fromstring(block.replace("&", _AMP), _PARSER)
            if root.tag != plan.root_name:
                return None
            return (_attributed if has_attributes else _bare)(plan)(root, 0)
        except (_AsideError, etree.XMLSyntaxError, RecursionError):
            return None

    return read


@per_plan
def _bare(plan: Plan) -> _ReadElement:
    """Reads the root of a reply without attributes."""
    return _Compiler(sieve(plan), False).element(plan.root)


@per_plan
def _attributed(plan: Plan) -> _ReadElement:
    """Reads the root of a reply that has attributes."""
    return _Compiler(sieve(plan), True).element(plan.root)


def _block(reply: str, opener: str, closer: str) -> str | None:
    """The one root element of a reply, if no other markup stands around it."""
    start, end = reply.find("<"), reply.rfind("</")
    if reply.startswith("<?xml ", start):
        start = reply.find("<", start + 1)
    if not (reply.startswith(opener, start) and reply.startswith(closer, end)):
        return None
    stop = reply.find(">", end) + 1
    if not stop or reply.find("<", stop) >= 0 or reply.find(EXAMPLE, stop) >= 0:
        return None
    if start and _RIVAL.search(reply, 0, start):
        return None
    return reply[start:stop]


def _is_promising(block: str) -> bool:
    """Whether nothing speaks against a block at first sight: cheap counts find most of what is not well-formed."""
    if "\r" in block or _AMP in block:
        return False
    closers, brackets = block.count("</"), block.count("<")
    if brackets != 2 * closers and not 2 * closers < brackets <= 2 * closers + block.count("/>"):
        return False
    return not ("&" in block and _BARE_AMP.search(block))


def _raw(text: str | None) -> str:
    """The text between two tags without its layout, references as they are written, `_AMP` in them."""
    if text is None:
        return ""
    raw = text.strip(BLANK)
    return layout(text, _needs_indentation) if "\n" in raw and text[0] in BLANK else raw


def _needs_indentation() -> str:
    raise _ASIDE


def _decoded(raw: str) -> str:
    """What a text stands for."""
    if _AMP not in raw:
        return raw
    decoded = decode_clean(raw.replace(_AMP, "&"))
    if decoded is None:
        raise _ASIDE
    return decoded


class _Compiler:
    """Compiles the nodes of a definition into functions that read their elements.

    Members of unions are typed as they are read, since nobody else could tell the number 3 from the text "3".
    """

    def __init__(self, sieve: Sieve, has_attributes: bool) -> None:
        self.sieve = sieve
        self.has_attributes = has_attributes
        self.made: dict[tuple[int, bool], _ReadElement] = {}
        self.nodes: list[Node] = []  # those that live for this compiler only: an id must not be used twice

    def element(self, node: Node, typed: bool = False) -> _ReadElement:
        """Reads an element with its attributes."""
        read = self.content(node, typed)
        if not self.has_attributes:
            return read
        read_marked = self.marked(node, typed)

        def read_any(element: _Element, depth: int) -> Any:
            return read_marked(element, depth, _attributes(element)) if element.attrib else read(element, depth)

        return read_any

    def content(self, node: Node, typed: bool) -> _ReadElement:
        """Reads what stands between an element's tags."""
        known = self.made.get((id(node), typed))
        if known is not None:
            return known
        if node.kind in _INNER:
            return _INNER[node.kind](self, node, typed)
        read_text = _leaf(node, typed)

        def read(element: _Element, depth: int) -> Any:
            if len(element):
                raise _ASIDE
            return read_text(element.text)

        self.made[id(node), typed] = read
        return read

    # Attributes

    def marked(self, node: Node, typed: bool) -> _ReadMarked:
        """Reads an element whose attributes are given, but for those that its place in a map or an object needs."""
        read = self.content(node, typed)
        by_mark = self.by_mark(node, typed)
        empties = _empties(node)
        names = frozenset({*node.fields, *(name for part in node.parts for name in part.fields)})

        def read_marked(element: _Element, depth: int, attributes: dict[str, str]) -> Any:
            mark = attributes.pop("type", None)
            if not attributes.keys() <= SHOWN or not names.isdisjoint(attributes):
                raise _ASIDE
            if mark is None:
                return read(element, depth)
            if mark in empties and _is_empty(element):
                return empties[mark]
            if mark not in by_mark:
                raise _ASIDE
            return by_mark[mark](element, depth)

        return read_marked

    def by_mark(self, node: Node, typed: bool) -> dict[str, _ReadElement]:
        """What reads an element under each `type` that it may have."""
        readers = {node.kind: self.content(node, typed)}
        if node.kind == "any" or (node.kind == "union" and "any" in node.options()):
            readers |= {mark: self.content(marked, True) for mark, marked in _MARKED.items()}
        if node.kind == "union":
            readers |= {name: self.content(option, True) for name, option in node.options().items() if name != "null"}
        if node.kind == "enum":
            readers |= {kind.__name__: self.content(self.narrowed(node, kind), typed) for kind in _clashing(node)}
        return readers

    def narrowed(self, node: Node, kind: type) -> Node:
        """An enum with the choices of one type only."""
        choices = tuple(choice for choice in node.choices if type(choice) is kind)
        self.nodes.append(Node("enum", node.description, choices=choices, nullable=node.nullable))
        return self.nodes[-1]

    # What holds other values

    def of_dict(self, node: Node, typed: bool) -> _ReadElement:
        fields = _Fields()
        self.made[id(node), typed] = _object(fields, self.has_attributes)
        for name, field in node.fields.items():
            if not is_xml_name(name):
                fields.odd[name] = self.marked(field.node, typed)
                continue
            fields.marked[name] = self.marked(field.node, typed)
            if field.node.kind in _INNER or name not in self.sieve.leaves:
                fields.inner[name] = self.content(field.node, typed)
            else:
                fields.leaves[name] = _leaf(field.node, typed, name in self.sieve.formed)
        return self.made[id(node), typed]

    def of_list(self, node: Node, typed: bool) -> _ReadElement:
        assert node.item is not None

        def read(element: _Element, depth: int) -> Any:
            if depth >= MAX_DEPTH:
                raise _ASIDE
            items = []
            for child in element:
                if child.tag != "li":
                    raise _ASIDE
                items.append(read_item(child, depth + 1) if read_text is None else read_text(child.text))
            return items if items or _is_empty(element) else _aside()

        self.made[id(node), typed] = read
        read_item = self.element(node.item, typed)
        is_leaf = node.item.kind not in _INNER and not self.has_attributes and "li" in self.sieve.leaves
        read_text = _leaf(node.item, typed, "li" in self.sieve.formed) if is_leaf else None
        return read

    def of_tuple(self, node: Node, typed: bool) -> _ReadElement:
        def read(element: _Element, depth: int) -> Any:
            if depth >= MAX_DEPTH or len(element) != len(node.parts) or not len(element):
                raise _ASIDE
            return [read_part(child, depth + 1) for read_part, child in zip(parts, _items(element), strict=True)]

        self.made[id(node), typed] = read
        parts = [self.element(part, typed) for part in node.parts]
        return read

    def of_map(self, node: Node, typed: bool) -> _ReadElement:
        assert node.item is not None and node.key is not None
        key_node = node.key

        def read(element: _Element, depth: int) -> Any:
            if depth >= MAX_DEPTH:
                raise _ASIDE
            tree: dict[str, Any] = {}
            for child in _children(element, "entry"):
                attributes = _attributes(child)
                key = _decoded(attributes.pop("key")) if "key" in attributes else _aside()
                if not is_key(key):
                    raise _ASIDE
                tree[key] = read_item(child, depth + 1, attributes)
            if len(tree) != len(element) or len({typed_key(key_node, key) for key in tree}) != len(tree):
                raise _ASIDE
            return tree if tree or _is_empty(element) else _aside()

        self.made[id(node), typed] = read
        is_key = _fits_key(key_node)
        read_item = self.marked(node.item, typed)
        return read

    def of_union(self, node: Node, typed: bool) -> _ReadElement:
        """Reads a member under its class's tag, or a text that fits one option only. Marks have been looked at."""

        def read(element: _Element, depth: int) -> Any:
            if len(element) == 1:
                child = element[0]
                if child.tag in tagged:
                    return tagged[child.tag](child, depth)
            if len(element) or not is_text:
                raise _ASIDE
            return _fitting(texts, element.text, node.nullable is not False)

        self.made[id(node), typed] = read
        options = node.options()
        objects = {name: option for name, option in options.items() if option.kind == "dict"}
        tagged: dict[Any, _ReadElement] = {
            name: self.element(option, True) for name, option in objects.items() if not node.is_field_of_option(name)
        }
        is_text = all(option.kind not in _INNER for option in options.values())
        texts = [(_fits(option), _leaf(option, True)) for option in options.values()] if is_text else []
        return read

    def of_any(self, node: Node, typed: bool) -> _ReadElement:
        """Without a mark a value of any type could be JSON, or a text."""

        def read(element: _Element, depth: int) -> Any:
            raise _ASIDE

        self.made[id(node), typed] = read
        return read


class _Fields:
    """What reads the fields of an object, by their tags: of texts, of what holds other values, of elements with
    attributes, and of entries whose keys are the names of fields.
    """

    __slots__ = ("inner", "leaves", "marked", "odd")

    def __init__(self) -> None:
        self.leaves: dict[Any, _ReadText] = {}
        self.inner: dict[Any, _ReadElement] = {}
        self.marked: dict[Any, _ReadMarked] = {}
        self.odd: dict[Any, _ReadMarked] = {}

    def unusual(self, tree: dict[str, Any], child: _Element, depth: int) -> None:
        """Reads a field with attributes."""
        attributes = _attributes(child)
        name, readers = child.tag, self.marked
        if name == "entry" and "key" in attributes:
            name, readers = _decoded(attributes.pop("key")), self.odd
        if name not in readers:
            raise _ASIDE
        tree[name] = readers[name](child, depth, attributes)


def _object(fields: _Fields, has_attributes: bool) -> _ReadElement:
    """Reads an object, each field once, in any order."""
    leaves, inner, unusual = fields.leaves, fields.inner, fields.unusual

    def read(element: _Element, depth: int) -> Any:
        if depth >= MAX_DEPTH:
            raise _ASIDE
        tree: dict[Any, Any] = {}
        for child in element:
            name = child.tag
            if has_attributes and child.attrib:
                unusual(tree, child, depth + 1)
            elif name in leaves:
                tree[name] = leaves[name](child.text)
            elif name in inner:
                tree[name] = inner[name](child, depth + 1)
            else:
                raise _ASIDE
        return tree if len(tree) == len(element) and (tree or _is_empty(element)) else _aside()

    return read


_INNER: dict[str, Callable[[_Compiler, Node, bool], _ReadElement]] = {
    "dict": _Compiler.of_dict,
    "list": _Compiler.of_list,
    "tuple": _Compiler.of_tuple,
    "map": _Compiler.of_map,
    "union": _Compiler.of_union,
    "any": _Compiler.of_any,
}


def _aside() -> Any:
    raise _ASIDE


def _attributes(element: _Element) -> dict[str, str]:
    return dict(element.attrib)  # type: ignore[arg-type]


def _is_empty(element: _Element) -> bool:
    """Whether nothing stands in an element. A tag that is a text's in another place lets the sieve pass a text."""
    return not len(element) and not (element.text or "").strip(BLANK)


def _empties(node: Node) -> dict[str, str | None]:
    """What an empty element says under a mark: null, or an empty text. A class may be called Null, too."""
    options = node.options() if node.kind == "union" else {node.kind: node}
    empties = {} if "null" in options else {"null": None}
    texts = {name for name, option in options.items() if option.kind in ("str", "bytes")}
    return empties | dict.fromkeys(texts | ({"str"} if node.kind == "bytes" else set()), "")


def _children(element: _Element, tag: str) -> Iterator[_Element]:
    """The children, which must all bear one tag."""
    for child in element:
        if child.tag != tag:
            raise _ASIDE
        yield child


def _items(element: _Element) -> Iterator[_Element]:
    return _children(element, "li")


def _fitting(texts: list[tuple[Callable[[str], bool], _ReadText]], text: str | None, may_be_null: bool) -> Any:
    """The value of a text by the one option of a union that it fits; what fits several, or could be data, needs a
    second look.
    """
    raw = _raw(text)
    if not raw or raw[0] in _TOUCHY or raw[0] in "[{" or (may_be_null and raw.lower() in NULL_WORDS):
        raise _ASIDE
    value = _decoded(raw)
    fitting = [read for fits, read in texts if fits(value)]
    return fitting[0](text) if len(fitting) == 1 else _aside()


# Scalars


def _leaf(node: Node, typed: bool, formed: bool = False) -> _ReadText:
    """What makes a value of the text of a scalar, which may be known to be in its strict form."""
    if node.kind == "str":
        return _string(node)
    if node.kind == "enum":
        return _choice(node)
    convert = _TYPED.get(node.kind) if typed else None
    return _form(node, convert, None if formed else partial(has_form, node.kind))


_TYPED: dict[str, Callable[[str], Any]] = {"int": int, "float": float, "bool": "true".__eq__}


def _string(node: Node) -> _ReadText:
    nullable = bool(node.nullable)
    empty = None if nullable else ""

    def read(text: str | None) -> Any:
        raw = text.strip(BLANK) if text else ""
        if not text or not raw:
            return empty
        if "\n" in raw and text[0] in BLANK:
            raw = layout(text, _needs_indentation)
        if nullable and len(raw) <= 4 and raw.lower() in NULL_WORDS:
            raise _ASIDE
        value = _decoded(raw) if _AMP in raw else raw
        if raw[0] in _TOUCHY and (raw.startswith(FENCES) or is_placeholder(node, value)):
            raise _ASIDE
        return value

    return read


_TOUCHY = frozenset({"[", *(fence[0] for fence in FENCES)})
"""What a text begins with that a leniency could make something else of: a placeholder is no value, a fence goes."""


def _form(node: Node, convert: Callable[[str], Any] | None, has_its_form: Callable[[str], bool] | None) -> _ReadText:
    """Reads a scalar in its strict form; where it is empty, null."""
    may_be_null = node.nullable is not False
    empty = "" if node.kind == "bytes" and not may_be_null else None

    def read(text: str | None) -> Any:
        raw = text.strip(BLANK) if text else ""
        if raw and (has_its_form is None or has_its_form(raw)):
            return raw if convert is None else convert(raw)
        if raw or (empty is None and not may_be_null):
            raise _ASIDE
        return empty

    return read


def _choice(node: Node) -> _ReadText:
    by_text = {text: choices[0] for text, choices in _by_text(node).items() if len(choices) == 1}
    empty = by_text.get("", None if node.nullable is not False and "" not in _by_text(node) else _ASIDE)

    def read(text: str | None) -> Any:
        raw = text.strip(BLANK) if text else ""
        if "\n" in raw:
            raw = _raw(text)
        value = by_text.get(_decoded(raw), _ASIDE) if raw else empty
        if value is _ASIDE or raw.startswith(FENCES):
            raise _ASIDE
        return value

    return read


def _by_text(node: Node) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {}
    for choice in node.choices:
        found.setdefault(choice_text(choice), []).append(choice)
    return found


def _clashing(node: Node) -> set[type]:
    """The types of choices that are written alike, such as 1 and "1"."""
    return {type(choice) for choices in _by_text(node).values() if len(choices) > 1 for choice in choices}


def _fits_key(node: Node) -> Callable[[str], bool]:
    """What tells whether a text is a key in its strict form. How it was written, only the source text tells."""
    if node.kind == "str":
        return lambda text: not is_key_placeholder(node, text)
    return _fits(node)


def _fits(node: Node) -> Callable[[str], bool]:
    """What tells whether a text is in the strict form of a scalar."""
    if node.kind == "str":
        return lambda text: not is_placeholder(node, text)
    if node.kind == "enum":
        return _by_text(node).__contains__
    return lambda text: text != "" and node.kind not in _INNER and has_form(node.kind, text)
