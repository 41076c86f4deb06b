"""The elements of a strict reply -> the tree of their texts: each node of a definition is compiled into a function that
reads its elements, or steps aside.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from lxml import etree

from ...definition import MARKED, Node, Plan, is_xml_name, per_plan
from ...limits import MAX_DEPTH
from ...markup import BLANK
from ..lines.counting import is_out_of_order
from ..scalars.trees import typed_key
from .sieve import SHOWN, Sieve, sieve
from .strict_texts import ASIDE, ReadText, aside, clashing, decoded, fits, fits_key, fitting, leaf

__all__ = ["attributed_root", "bare_root"]

_Element: TypeAlias = "etree._Element"  # noqa: SLF001 - the only name that lxml has for it
_ReadElement = Callable[["_Element", int], Any]
_ReadMarked = Callable[["_Element", int, dict[str, str]], Any]
"""An element, and the number of steps of the path to it -> its value. Raises `AsideError`."""


@per_plan
def bare_root(plan: Plan) -> _ReadElement:
    """Reads the root of a reply without attributes."""
    return _Compiler(sieve(plan), False).element(plan.root)


@per_plan
def attributed_root(plan: Plan) -> _ReadElement:
    """Reads the root of a reply that has attributes."""
    return _Compiler(sieve(plan), True).element(plan.root)


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
        read_text = leaf(node, typed)

        def read(element: _Element, depth: int) -> Any:
            if len(element):
                raise ASIDE
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
                raise ASIDE
            if mark is None:
                return read(element, depth)
            if mark in empties and _is_empty(element):
                return empties[mark]
            if mark not in by_mark:
                raise ASIDE
            return by_mark[mark](element, depth)

        return read_marked

    def by_mark(self, node: Node, typed: bool) -> dict[str, _ReadElement]:
        """What reads an element under each `type` that it may have."""
        readers = {node.kind: self.content(node, typed)}
        if node.kind == "any" or (node.kind == "union" and "any" in node.options()):
            readers |= {mark: self.content(marked, True) for mark, marked in MARKED.items() if mark}
        if node.kind == "union":
            readers |= {name: self.content(option, True) for name, option in node.options().items() if name != "null"}
        if node.kind == "enum":
            readers |= {kind.__name__: self.content(self.narrowed(node, kind), typed) for kind in clashing(node)}
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
                fields.leaves[name] = leaf(field.node, typed, name in self.sieve.formed)
        return self.made[id(node), typed]

    def of_list(self, node: Node, typed: bool) -> _ReadElement:
        assert node.item is not None

        def read(element: _Element, depth: int) -> Any:
            if depth >= MAX_DEPTH:
                raise ASIDE
            items = []
            for child in element:
                if child.tag != "li":
                    raise ASIDE
                items.append(read_item(child, depth + 1) if read_text is None else read_text(child.text))
            if self.has_attributes and _is_shuffled(element):
                raise ASIDE
            return items if items or _is_empty(element) else aside()

        self.made[id(node), typed] = read
        read_item = self.element(node.item, typed)
        is_leaf = node.item.kind not in _INNER and not self.has_attributes and "li" in self.sieve.leaves
        read_text = leaf(node.item, typed, "li" in self.sieve.formed) if is_leaf else None
        return read

    def of_tuple(self, node: Node, typed: bool) -> _ReadElement:
        def read(element: _Element, depth: int) -> Any:
            if depth >= MAX_DEPTH or len(element) != len(node.parts) or not len(element):
                raise ASIDE
            if self.has_attributes and _is_shuffled(element):
                raise ASIDE
            return [read_part(child, depth + 1) for read_part, child in zip(parts, _items(element), strict=True)]

        self.made[id(node), typed] = read
        parts = [self.element(part, typed) for part in node.parts]
        return read

    def of_map(self, node: Node, typed: bool) -> _ReadElement:
        assert node.item is not None and node.key is not None
        key_node = node.key

        def read(element: _Element, depth: int) -> Any:
            if depth >= MAX_DEPTH:
                raise ASIDE
            tree: dict[str, Any] = {}
            for child in _children(element, "entry"):
                attributes = _attributes(child)
                key = decoded(attributes.pop("key")) if "key" in attributes else aside()
                if not is_key(key):
                    raise ASIDE
                tree[key] = read_item(child, depth + 1, attributes)
            if len(tree) != len(element) or len({typed_key(key_node, key) for key in tree}) != len(tree):
                raise ASIDE
            return tree if tree or _is_empty(element) else aside()

        self.made[id(node), typed] = read
        is_key = fits_key(key_node)
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
                raise ASIDE
            return fitting(texts, element.text, node.nullable is not False)

        self.made[id(node), typed] = read
        options = node.options()
        objects = {name: option for name, option in options.items() if option.kind == "dict"}
        tagged: dict[Any, _ReadElement] = {
            name: self.element(option, True) for name, option in objects.items() if not node.is_field_of_option(name)
        }
        is_text = all(option.kind not in _INNER for option in options.values())
        texts = [(fits(option), leaf(option, True)) for option in options.values()] if is_text else []
        return read

    def of_any(self, node: Node, typed: bool) -> _ReadElement:
        """Without a mark a value of any type could be JSON, or a text."""

        def read(element: _Element, depth: int) -> Any:
            raise ASIDE

        self.made[id(node), typed] = read
        return read


_INNER: dict[str, Callable[[_Compiler, Node, bool], _ReadElement]] = {
    "dict": _Compiler.of_dict,
    "list": _Compiler.of_list,
    "tuple": _Compiler.of_tuple,
    "map": _Compiler.of_map,
    "union": _Compiler.of_union,
    "any": _Compiler.of_any,
}


class _Fields:
    """What reads the fields of an object, by their tags: of texts, of what holds other values, of elements with
    attributes, and of entries whose keys are the names of fields.
    """

    __slots__ = ("inner", "leaves", "marked", "odd")

    def __init__(self) -> None:
        self.leaves: dict[Any, ReadText] = {}
        self.inner: dict[Any, _ReadElement] = {}
        self.marked: dict[Any, _ReadMarked] = {}
        self.odd: dict[Any, _ReadMarked] = {}

    def unusual(self, tree: dict[str, Any], child: _Element, depth: int) -> None:
        """Reads a field with attributes."""
        attributes = _attributes(child)
        name, readers = child.tag, self.marked
        if name == "entry" and "key" in attributes:
            name, readers = decoded(attributes.pop("key")), self.odd
        if name not in readers:
            raise ASIDE
        tree[name] = readers[name](child, depth, attributes)


def _object(fields: _Fields, has_attributes: bool) -> _ReadElement:
    """Reads an object, each field once, in any order."""
    leaves, inner, unusual = fields.leaves, fields.inner, fields.unusual

    def read(element: _Element, depth: int) -> Any:
        if depth >= MAX_DEPTH:
            raise ASIDE
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
                raise ASIDE
        return tree if len(tree) == len(element) and (tree or _is_empty(element)) else aside()

    return read


def _empties(node: Node) -> dict[str, str | None]:
    """What an empty element says under a mark: null, or an empty text. A class may be called Null, too."""
    options = node.options() if node.kind == "union" else {node.kind: node}
    empties = {} if "null" in options else {"null": None}
    texts = {name for name, option in options.items() if option.kind in ("str", "bytes")}
    return empties | dict.fromkeys(texts | ({"str"} if node.kind == "bytes" else set()), "")


def _attributes(element: _Element) -> dict[str, str]:
    return dict(element.attrib)  # type: ignore[arg-type]


def _is_empty(element: _Element) -> bool:
    """Whether nothing stands in an element. A tag that is a text's in another place lets the sieve pass a text."""
    return not len(element) and not (element.text or "").strip(BLANK)


def _is_shuffled(element: _Element) -> bool:
    """Whether an index in the tags of items counts them in another order than they stand in."""
    counts = [child.get("index") for child in element] if len(element) > 1 and "index" in element[0].attrib else []
    return bool(counts) and is_out_of_order([count or "" for count in counts])


def _children(element: _Element, tag: str) -> Iterator[_Element]:
    """The children, which must all bear one tag."""
    for child in element:
        if child.tag != tag:
            raise ASIDE
        yield child


def _items(element: _Element) -> Iterator[_Element]:
    return _children(element, "li")
