"""Values that stand in tags, as attributes, in place of the text of an element or of an object's elements.

* What an element without a text says in an attribute that is called a value is its value. Of an item or an entry any
  other will do; of any element that is no string, one that could be its value, or a part of it, is a problem.
* An attribute that names a field is that field's value. Where the field has an element too, both have to say the same,
  unless a prompt shows such an attribute.
* Attributes that count items, or their tags, have to count in the order in which the items stand.
* An attribute says nothing about emptiness if it says nothing itself: `id`, `class`, what a prompt shows, `nil`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ...definition import Node, Path, fold
from ...findings import ProblemKind, RepairKind
from ...markup import BLANK
from ..lines.counting import is_out_of_order
from ..scalars.scalars import own_name, read_scalar
from ..scalars.text import Text, decode
from ..scalars.trees import typed_tree
from .elements import ENTRY, FIELD, ITEM, VALUE_NAMES, Element
from .options import by_text
from .recording import Recorder
from .runs import Run, filled
from .sieve import SHOWN
from .tokens import attributes

__all__ = ["TagReader", "has_key", "key_attribute"]

_BARE_VALUE = re.compile(r"=\s*+(?:\"([^\"]*+)\"|'([^']*+)'|([^\s\"'=]++))\s*+")
_ECHOED = ("type", "description")
"""Attributes that a prompt shows, so that they may be echoed instead of given."""
_NO_VALUES = frozenset({"type", "id", "class", "style", "lang", "key", "nil", "xsi:nil", *SHOWN})
"""Attributes that are no value: what a prompt shows, and what HTML and XML say of any element."""
_KEY_NAMES = ("key", "name", "id")
_DIGIT = re.compile(r"[0-9]")
_WORDS = ("str", "enum", "bool", "bytes", "any")
"""Kinds of values that are not made of digits."""
_COUNT = re.compile(r"0|false")


class TagReader(Recorder):
    """Reads what the tags of an answer say."""

    def value_in_tag(self, element: Element) -> str | None:
        """What an attribute says that is called a value."""
        called = (given for name, given in attributes(element.head.rest) if given and name.lower() in VALUE_NAMES)
        return next(called, None) or _bare_value(element.head.rest)

    def attribute_read(self, element: Element, path: Path, given: str) -> None:
        """Records that a value stood in a tag."""
        tag = (element.start, element.inner_start)
        self.reading.repair(RepairKind.ATTRIBUTE_READ, path, tag, self.reply[slice(*tag)], given)

    def says(self, element: Element, text: Text) -> bool:
        """Whether the text of an element is its value: that of an entry may be its key once more."""
        key = key_attribute(element) if element.role is ENTRY and text.raw else None
        return bool(text.raw) and (key is None or text.value != element.attribute(key))

    def given(self, node: Node, element: Element) -> tuple[bool, tuple[str, ...]]:
        """What may stand for the value of an empty element, and whether its name says so: an attribute that is called a
        value, or, of an item or an entry, any that says more than which one it is. In an empty tag any other could be
        one, if it reads as one or as a part of one; where a closing tag follows, a text is meant to be empty.
        """
        told = self.value_in_tag(element)
        if told:
            return True, (told,)
        is_item = element.role in (ITEM, ENTRY)
        if not is_item and node.kind == "str" and element.end > element.inner_end:
            return True, ()
        names = {*_NO_VALUES, key_attribute(element) if element.role is ENTRY else None}
        others = [given for name, given in attributes(element.head.rest) if given and name not in names]
        return is_item, tuple(given for given in others if is_item or _may_be(node, given))

    def told_twice(self, node: Node, element: Element, text: Text, path: Path) -> None:
        """A value that its element's text and an attribute of it contradict each other about is a problem."""
        told = self.value_in_tag(element) if element.role is FIELD and node.kind != "str" else None
        if told and _differs(node, told, text.value, own_name(path)):
            self.contradicted(element, told, text.value, path)

    def contradicted(self, element: Element, told: str, text: str, path: Path) -> None:
        """Puts on record that an attribute says another value than an element."""
        message = "an attribute says another value than the element"
        span = (element.start, element.inner_start)
        self.reading.problem(ProblemKind.AMBIGUOUS, path, message, span, text, (told, text))

    def told_in_tag(self, element: Element, path: Path) -> None:
        """An empty list whose items seem to stand in an attribute is a problem."""
        if not element.head.rest or self.source(element).strip(BLANK):
            return
        others = {name: given for name, given in attributes(element.head.rest) if name not in _NO_VALUES}
        told = self.value_in_tag(element) or next((given for given in others.values() if not _says_none(given)), None)
        if told:
            message = "empty, with a value in an attribute"
            self.reading.problem(ProblemKind.INVALID, path, message, self.places[path], told)

    def attributes(self, node: Node, element: Element, tree: dict[str, object], path: Path) -> None:
        """Values that stand in an element's attributes instead of in elements of their own."""
        written = filled(element)
        for name, given in _by_field(node, attributes(element.head.rest)).items():
            field = node.fields[name]
            if not field.node.is_text() or (name == "key" and has_key(element)):
                continue
            if name in written:
                self.compared(field.node, element, name, given, path)
                continue
            if name in _ECHOED and given in (node.description, node.kind):
                continue
            tree[name] = self.attribute_value(field.node, element, given, (*path, name))

    def tuple_in_tag(self, node: Node, element: Element, path: Path) -> list[object] | None:
        """A tuple of scalars that was written as attributes, one for each, in an order that their names allow."""
        given = [(name, text) for name, text in attributes(element.head.rest) if name not in _NO_VALUES]
        if len(given) != len(node.parts) or not all(part.is_text() for part in node.parts):
            self.other_length(node, len(given), path)
            return None
        if is_out_of_order([name for name, _text in given]):
            message = "the attributes are counted in another order than they stand in"
            self.reading.problem(ProblemKind.AMBIGUOUS, path, message, self.places[path])
            return None
        pairs = enumerate(zip(node.parts, given, strict=True))
        return [self.attribute_value(part, element, text, (*path, index)) for index, (part, (_name, text)) in pairs]

    def other_length(self, node: Node, length: int, path: Path) -> None:
        """Puts on record that a tuple has another length than is asked for."""
        message = f"{len(node.parts)} items are needed, but {length} are there"
        self.reading.problem(ProblemKind.INVALID, path, message, self.places[path])

    def attribute_value(self, node: Node, element: Element, given: str, path: Path) -> object:
        """The value of a field or an entry that an attribute gives. Members of unions are typed as they are read."""
        self.places[path] = (element.start, element.inner_start)
        option = _scalar_option(node, given)
        value = self.found(node, Text(given, given), read_scalar(option, given, given, None, own_name(path)), path)
        self.attribute_read(element, path, given)
        return value if option is node else typed_tree(option, value)

    def compared(self, node: Node, element: Element, name: str, given: str, path: Path) -> None:
        """A field with an attribute and an element that say different things is a problem."""
        is_key = element.role is ENTRY and name == key_attribute(element)
        if is_key or name in _ECHOED or name in SHOWN:
            return
        texts = list(self.texts_of(element, name))
        if len(texts) == 1 and _differs(node, given, texts[0], name):
            self.contradicted(element, given, texts[0], (*path, name))

    def counted(self, node: Node, items: list[Element], path: Path) -> None:
        """Items whose tags or attributes count them in another order than they stand in are a problem of the list."""
        first, last = items[0].head if items else None, items[-1].head if items else None
        if first is None or last is None or (first.tag == last.tag and not first.rest):
            return
        heads = [item.head for item in items]
        given = [dict(attributes(head.rest)) for head in heads] if first.rest and last.rest else [{}]
        fields = {name for part in (node.item, *node.parts) if part is not None for name in part.folded_fields()}
        names = (name for name in given[0] if fold(name) not in fields and name.lower() not in VALUE_NAMES)
        counts = [[each[name] for each in given] for name in names if all(name in each for each in given)]
        if not any(map(is_out_of_order, [[head.tag for head in heads], *counts])):
            return
        message = "the items are counted in another order than they stand in"
        self.reading.problem(ProblemKind.AMBIGUOUS, path, message, (items[0].start, items[-1].end))

    def texts_of(self, element: Element, name: str) -> Iterator[str]:
        """The texts of the elements of a field."""
        for child in element.children:
            if isinstance(child, Run):
                if isinstance(text := child.values.get(name), str):
                    yield text
            elif child.role is FIELD and child.name == name and not child.children:
                yield self.text(child).value


def _by_field(node: Node, given: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Attributes by the fields that they name: by its exact name, else by another. Of two, the first counts."""
    pairs = list(given)[::-1]
    others = {field.name: value for name, value in pairs if (field := node.field_named(name)) is not None}
    exact = {name: value for name, value in pairs if name in node.fields}
    return {name: found for name in node.fields if (found := exact.get(name, others.get(name))) is not None}


def _may_be(node: Node, given: str) -> bool:
    """Whether what an attribute says could be a value, or a part of one."""
    if node.kind not in _WORDS and _DIGIT.search(given):
        return True
    return read_scalar(_scalar_option(node, given), given, given, None).problem is None


def _differs(node: Node, given: str, text: str, name: str) -> bool:
    """Whether two texts are two values."""
    one, other = (read_scalar(_scalar_option(node, each), each, each, None, name) for each in (given, text))
    return one.problem is None and other.problem is None and one.value != other.value


def _scalar_option(node: Node, text: str) -> Node:
    """The option of a union of scalars whose form a text has."""
    if node.kind != "union":
        return node
    names = by_text(node, Text(text, text)).names
    return node.options()[names[0]] if len(names) == 1 else Node("str")


def _says_none(given: str) -> bool:
    """Whether an attribute of an empty list says that it is empty, or nothing."""
    return not given.strip(BLANK) or _COUNT.fullmatch(given) is not None


def _bare_value(rest: str) -> str | None:
    """What stands behind an element's name as its value: `<name="A">`."""
    found = _BARE_VALUE.fullmatch(rest) if rest.startswith("=") else None
    return None if found is None else decode(next(given for given in found.groups() if given is not None))


def key_attribute(element: Element, item: Node | None = None) -> str | None:
    """The attribute that has the key of an entry: one that fills a field of the value is none."""
    given = dict(attributes(element.head.rest)) if element.head.rest else {}
    fields = {} if item is None else item.fields
    for name in _KEY_NAMES if given else ():
        is_for_value = name != "key" and name in fields and name not in filled(element)
        if name in given and not is_for_value:
            return name
    return None


def has_key(element: Element) -> bool:
    """Whether the key in an element's tag says where it belongs: to an entry of a map, or to a field whose name is no
    name in XML.
    """
    return element.role is ENTRY or element.head.key == "entry"
