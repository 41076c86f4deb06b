"""Elements -> a tree of texts, by the definition: which element fills which field, and what is in none's place."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator
from datetime import datetime, time
from decimal import Decimal
from functools import partial

from ..definition import ITEM_NAMES, Field, Node, Path, fold, is_xml_name
from ..findings import ProblemKind, RepairKind, Span
from ..limits import MAX_DEPTH
from ..markup import BLANK, NULL_WORDS
from .elements import Element
from .options import by_content, by_text
from .reading import LimitReachedError, Reading
from .scalars import Scalar, read_scalar
from .text import Text, value_of

__all__ = ["read_values"]

_SKIPPED = re.compile(r"(<!\[CDATA\[.*?\]\]>)|<!--.*?-->|<\?.*?\?>", re.DOTALL)


def read_values(node: Node, element: Element, reply: str, reading: Reading) -> None:
    """Reads the element of the root into `reading`, with everything that was found. Raises `LimitReachedError`."""
    reading.tree = _Reader(reply, reading).value(node, element, ())


class _Reader:
    """Reads the values of one answer."""

    def __init__(self, reply: str, reading: Reading) -> None:
        self.reply = reply
        self.reading = reading

    def value(self, node: Node, element: Element, path: Path) -> object:
        if len(path) > MAX_DEPTH:
            raise LimitReachedError(f"nested deeper than {MAX_DEPTH} levels (MAX_DEPTH)", element.span)
        self.reading.places[path] = element.inner if element.inner[0] < element.inner[1] else element.span
        read = _READERS.get(node.kind)
        if read is None:
            return self.scalar(node, element, path)
        return None if self.is_null(node, element, path) else read(self, node, element, path)

    # Texts

    def source(self, span: Span) -> str:
        return self.reply[span[0] : span[1]]

    def text(self, element: Element) -> Text:
        """The value of an element's characters."""
        return value_of(self.source(element.inner), lambda: self.indentation(element))

    def recorded(self, element: Element, path: Path) -> Text:
        """The value of an element's characters; what was taken from them goes on record."""
        text = self.text(element)
        for change in text.changes:
            self.reading.repair(change.kind, path, element.inner, change.before, change.after)
        return text

    def indentation(self, element: Element) -> str:
        """The white space at the beginning of the line on which an element opens."""
        start = element.span[0]
        head = self.reply[self.reply.rfind("\n", 0, start) + 1 : start]
        return head[: len(head) - len(head.lstrip(" \t"))]

    def scalar(self, node: Node, element: Element, path: Path) -> object:
        text = self.recorded(element, path)
        return self.found(node, text, read_scalar(node, text.raw, text.value, element.attribute("type")), path)

    def found(self, node: Node, text: Text, scalar: Scalar, path: Path) -> object:
        """The value of a scalar; its repair or its problem goes on record."""
        span = self.reading.places[path]
        if scalar.problem is not None:
            self.reading.problem(ProblemKind.INVALID, path, scalar.problem, span, text.value, scalar.candidates)
            return text.value if node.kind == "str" else None
        if scalar.repair is not None:
            after = "null" if scalar.value is None else str(scalar.value)
            self.reading.repair(scalar.repair, path, span, text.raw, after)
        return scalar.value

    def is_null(self, node: Node, element: Element, path: Path) -> bool:
        """Whether what holds other values is null: marked so, or a null word where null is allowed."""
        if element.children:
            return False
        text = self.source(element.inner).strip(BLANK)
        marked = element.attribute("type")
        if not text:
            return marked == "null"
        unclear = node.kind not in ("union", "any") or not (marked in node.options() or marked in _MARKED)
        if node.nullable is not False and text.lower() in NULL_WORDS and unclear:
            self.reading.repair(RepairKind.NULL_WORD, path, element.inner, text, "null")
            return True
        return False

    # Objects

    def of_dict(self, node: Node, element: Element, path: Path) -> dict[str, object]:
        if node.fields and self.is_text_only(element, path, "an object is written as one element for each field"):
            return {}
        tree: dict[str, object] = {}
        seen: dict[str, Element] = {}
        for child in self.members(node, element, path):
            field = field_of(node, child)
            if field is None:
                self.kept_or_skipped(node, child, tree, path)
            elif field.name not in seen:
                seen[field.name] = child
                self.respelled(child, (*path, field.name), field.name)
                tree[field.name] = self.value(field.node, child, (*path, field.name))
            elif not self.repeated(field, seen[field.name], child, (*path, field.name)):
                tree[field.name] = tree[field.name] if field.node.kind == "str" else None
        return tree

    def members(self, node: Node, element: Element, path: Path) -> Iterator[Element]:
        """The children of an object; in place of a wrapper, those of its children that are still missing."""
        taken = {field.name for field in map(partial(field_of, node), element.children) if field is not None}
        self.stray_text(element, path)
        for child in element.children:
            if field_of(node, child) is None and _holds_missing(node, child, taken):
                yield from self.unwrapped(node, child, path, taken)
            else:
                yield child

    def unwrapped(self, node: Node, wrapper: Element, path: Path, taken: set[str]) -> Iterator[Element]:
        self.reading.repair(RepairKind.WRAPPER_ENTERED, path, wrapper.span, f"<{wrapper.tag}>", f"<{wrapper.tag}>")
        self.stray_text(wrapper, path)
        for child in wrapper.children:
            field = field_of(node, child)
            if field is None and _holds_missing(node, child, taken):
                yield from self.unwrapped(node, child, path, taken)
            elif field is None or field.name in taken:
                self.skipped(child, path)
            else:
                taken.add(field.name)
                yield child

    def respelled(self, element: Element, path: Path, name: str) -> None:
        exact = ("entry", name) if element.tag == "entry" and not is_xml_name(name) else (name, None)
        key = element.attribute("key") if element.tag == "entry" and name != "entry" else None
        if (element.tag, key) != exact:
            written = element.tag if key in (None, name) else key
            self.reading.repair(RepairKind.NAME_RESPELLED, path, (element.span[0], element.inner[0]), written, name)

    def kept_or_skipped(self, node: Node, element: Element, tree: dict[str, object], path: Path) -> None:
        """An element that the definition does not know: kept as text by models that allow extras, else skipped."""
        name = _written_name(element)
        if node.keeps_extra and name not in tree and name not in node.fields:
            place = (*path, name)
            self.reading.places[place] = element.inner
            marked = element.attribute("type")
            known = marked in _MARKED or marked == "null"
            tree[name] = self.value(_ANY, element, place) if known else self.recorded(element, place).value
        else:
            self.skipped(element, path)

    def skipped(self, element: Element, path: Path) -> None:
        source = self.source(element.span)
        self.reading.repair(RepairKind.ELEMENT_SKIPPED, path, element.span, source, source)

    def repeated(self, field: Field, first: Element, second: Element, path: Path) -> bool:
        """Whether a field's second element says the same, so that it can go; else nobody knows which one was meant."""
        texts = [self.source(element.inner).strip(BLANK) for element in (first, second)]
        if texts[0] == texts[1] and first.attribute("type") == second.attribute("type"):
            self.reading.repair(RepairKind.DUPLICATE_DROPPED, path, second.span, texts[1], texts[1])
            return True
        message = f"<{field.name}> stands there twice, with different values"
        self.reading.problem(ProblemKind.AMBIGUOUS, path, message, second.span, texts[1], tuple(texts))
        return False

    def stray_text(self, element: Element, path: Path) -> None:
        """Records the text that stands between an element's children, where no value can be."""
        position = element.inner[0]
        for start, end in [*(child.span for child in element.children), (element.inner[1], 0)]:
            text = _without_comments(self.reply[position:start])
            if text:
                self.reading.repair(RepairKind.TEXT_SKIPPED, path, (position, start), text, text)
            position = end

    def is_text_only(self, element: Element, path: Path, message: str) -> bool:
        """Whether text stands where elements should: a problem, since its meaning would be lost."""
        found = "" if element.children else _without_comments(self.source(element.inner))
        if found:
            self.reading.problem(ProblemKind.INVALID, path, message, element.inner, found)
        return bool(found)

    # Lists, tuples and maps

    def of_list(self, node: Node, element: Element, path: Path) -> list[object]:
        assert node.item is not None
        items = self.items(node.item, element, path)
        return [self.value(node.item, child, (*path, index)) for index, child in enumerate(items)]

    def items(self, item: Node, element: Element, path: Path) -> list[Element]:
        """The children that are items. What is none goes on record; a text in place of items is a problem."""
        names = _item_names(item, element)
        items = [child for child in element.children if fold(child.tag) in names]
        found = "" if items else _without_comments(self.source(element.inner))
        if found:
            message = "a list is written as <li> elements"
            self.reading.problem(ProblemKind.INVALID, path, message, element.inner, found)
            return []
        self.stray_text(element, path)
        for child in element.children if len(items) < len(element.children) else ():
            if fold(child.tag) not in names:
                self.skipped(child, path)
        return items

    def of_tuple(self, node: Node, element: Element, path: Path) -> list[object] | None:
        items = self.items(Node("any"), element, path)
        if len(items) != len(node.parts):
            message = f"{len(node.parts)} items are needed, but {len(items)} are there"
            self.reading.problem(ProblemKind.INVALID, path, message, self.reading.places[path])
            return None
        pairs = zip(node.parts, items, strict=True)
        return [self.value(part, child, (*path, index)) for index, (part, child) in enumerate(pairs)]

    def of_map(self, node: Node, element: Element, path: Path) -> dict[str, object]:
        assert node.item is not None and node.key is not None
        if self.is_text_only(element, path, "a map is written as <entry> elements"):
            return {}
        self.stray_text(element, path)
        tree: dict[str, object] = {}
        keys: set[object] = set()
        for child in element.children:
            key = self.key(node.key, child, path)
            same = None if key is None else _typed_key(node.key, key)
            if key is not None and (key in tree or same in keys):
                message = f"the key {key!r} stands there twice"
                self.reading.problem(ProblemKind.AMBIGUOUS, (*path, key), message, child.span)
            elif key is not None:
                keys.add(same)
                tree[key] = self.value(node.item, child, (*path, key))
        return tree

    def key(self, node: Node, element: Element, path: Path) -> str | None:
        """The key of an entry: its attribute's value, or the name of an element that stands in an entry's place."""
        written = element.attribute("key")
        head = (element.span[0], element.inner[0])
        if written is None and fold(element.tag) in ITEM_NAMES:
            self.reading.problem(ProblemKind.INVALID, path, f"<{element.tag}> has no key", head)
            return None
        key = element.tag if written is None else written
        scalar = read_scalar(node, key, key, "str")
        if scalar.problem is not None:
            self.reading.problem(ProblemKind.INVALID, (*path, key), f"the key is {scalar.problem}", head, key)
            return None
        spelt = key if isinstance(scalar.value, bool) or scalar.value is None else str(scalar.value)
        if written is None or spelt != key:
            self.reading.repair(RepairKind.NAME_RESPELLED, (*path, spelt), head, key, spelt)
        return spelt

    # Unions and values of any type

    def of_union(self, node: Node, element: Element, path: Path) -> object:
        """The value of the option that is named by an attribute, by a tag around it, or by what stands there."""
        options = node.options()
        marked = element.attribute("type")
        if marked is not None and marked in options:
            return self.typed(options[marked], element, path)
        if marked in _MARKED and "any" in options:
            return self.of_any(options["any"], element, path)
        tagged = self.tagged(options, element)
        if tagged is not None:
            return self.typed(options[tagged], element.children[0], path)
        names, guessed = by_content(node, element, self.reply), False
        if not names and not element.children:
            names, guessed = by_text(node, self.text(element))
        if guessed:
            text = self.source(element.inner)
            self.reading.repair(RepairKind.OPTION_CHOSEN, path, self.reading.places[path], text, text)
        return self.chosen(node, names, element, path)

    def tagged(self, options: dict[str, Node], element: Element) -> str | None:
        """The option whose tag is the only thing in an element."""
        if len(element.children) != 1:
            return None
        child = element.children[0]
        named = next((name for name in options if fold(name) == fold(child.tag)), None)
        fields = [field for option in options.values() if (field := field_of(option, child)) is not None]
        if named is None or not all(child.children and field.node.is_text() for field in fields):
            return None
        outside = self.reply[element.inner[0] : child.span[0]] + self.reply[child.span[1] : element.inner[1]]
        return named if not outside.strip(BLANK) else None

    def chosen(self, node: Node, names: list[str], element: Element, path: Path) -> object:
        options = node.options()
        if len(names) == 1:
            return self.typed(options[names[0]], element, path)
        place, found = self.reading.places[path], self.source(element.inner).strip(BLANK)
        if not found and node.nullable is not False:
            return None
        message = "fits more than one option" if names else "fits none of the options"
        kind = ProblemKind.AMBIGUOUS if names else ProblemKind.INVALID
        self.reading.problem(kind, path, message, place, found, tuple(names or options))
        return None

    def typed(self, node: Node, element: Element, path: Path) -> object:
        """The value of an option, typed here: among options nobody else could tell a number from its text."""
        return typed_tree(node, self.value(node, element, path))

    def of_any(self, node: Node, element: Element, path: Path) -> object:
        """A value of any type: what its mark says, else JSON if it is JSON, else text."""
        marked = element.attribute("type")
        if marked in _MARKED:
            return self.typed(_MARKED[marked], element, path)
        text = self.recorded(element, path)
        if element.children:
            return text.value
        try:
            value: object = json.loads(text.value, object_pairs_hook=_unique_keys, parse_float=_finite)
        except (ValueError, RecursionError):
            return text.value
        return value


def _without_comments(text: str) -> str:
    """The text that stands between elements, without comments and instructions; sections stay."""
    text = text.strip(BLANK)
    return _SKIPPED.sub(lambda match: match[1] or "", text).strip(BLANK) if "<" in text else text


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


def field_of(node: Node, element: Element) -> Field | None:
    """The field that an element fills: by its exact name or alias, an entry by its key, else by the folded name."""
    name = _written_name(element)
    return node.fields.get(name) or node.field_named(name)


def _holds_missing(node: Node, element: Element, taken: set[str]) -> bool:
    """Whether an element that the definition does not know wraps fields that are not there yet."""
    while len(element.children) == 1 and field_of(node, element.children[0]) is None:
        element = element.children[0]
    fields = [field_of(node, child) for child in element.children]
    return any(field is not None and field.name not in taken for field in fields)


def _written_name(element: Element) -> str:
    key = element.attribute("key") if element.tag == "entry" else None
    return element.tag if key is None else key


def _typed_key(node: Node, key: str) -> object:
    """A key as what it means, so that `1` and `1.0` are the same one to a map of floats."""
    try:
        return _KEYS.get(node.kind, str)(key)
    except (ValueError, ArithmeticError):
        return key


_KEYS: dict[str, Callable[[str], object]] = {
    "int": int,
    "float": float,
    "decimal": Decimal,
    "uuid": str.lower,
    "datetime": datetime.fromisoformat,
    "time": time.fromisoformat,
}


def _item_names(item: Node, element: Element) -> set[str]:
    """What an item of a list may be called: an item, the list's own name or its singular, the item's class."""
    own = fold(element.tag)
    return {*ITEM_NAMES, own, own.removesuffix("s"), fold(item.name or own)}


def typed_tree(node: Node, tree: object) -> object:
    """A tree of texts with its numbers and booleans typed. Everything in it is in its strict form."""
    if tree is None:
        return None
    return _TYPED.get(node.kind, _as_it_is)(node, tree)


def _as_it_is(node: Node, tree: object) -> object:
    return tree


def _typed_fields(node: Node, tree: dict[str, object]) -> object:
    fields = node.fields
    return {name: typed_tree(fields[name].node, value) if name in fields else value for name, value in tree.items()}


_TYPED: dict[str, Callable[..., object]] = {
    "int": lambda node, tree: int(tree),
    "float": lambda node, tree: float(tree),
    "bool": lambda node, tree: tree == "true",
    "list": lambda node, tree: [typed_tree(node.item, value) for value in tree],
    "tuple": lambda node, tree: list(map(typed_tree, node.parts, tree)),
    "map": lambda node, tree: {key: typed_tree(node.item, value) for key, value in tree.items()},
    "dict": _typed_fields,
}

_ANY = Node("any", nullable=True)
_MARKED: dict[str | None, Node] = {
    "str": Node("str", nullable=False),
    "int": Node("int", nullable=False),
    "float": Node("float", nullable=False),
    "bool": Node("bool", nullable=False),
    "list": Node("list", item=_ANY, nullable=True),
    "map": Node("map", item=_ANY, key=Node("str", nullable=False), nullable=True),
}
"""What the mark on a value of any type says."""

_READERS: dict[str, Callable[[_Reader, Node, Element, Path], object]] = {
    "dict": _Reader.of_dict,
    "list": _Reader.of_list,
    "tuple": _Reader.of_tuple,
    "map": _Reader.of_map,
    "union": _Reader.of_union,
    "any": _Reader.of_any,
}
