"""Lists and tuples of JSON or YAML, and what stands in their place: one item, texts to split, objects that count."""

from __future__ import annotations

import re
from typing import Any

from ...definition import (
    ABSENT,
    ITEM_NAMES,
    Node,
    Path,
)
from ...findings import RepairKind
from ...markup import BLANK
from ..lines.split_items import split_items
from ..lines.split_objects import split_objects
from ..lines.split_tuple import split_parts
from ..lines.tables import table_of_objects
from ..lines.verdicts import CUT_SHORT
from ..scalars.text import decode
from ..written import Bare, Members, Value
from .data_objects import DataObjects, value_of_piece
from .list_members import are_items, in_order, may_be_item, wrapped_list
from .members import (
    LIST_OF_TEXTS,
    breaks_off,
    is_null_word,
    may_be_split,
    name_of,
)
from .outline import outlined

__all__ = ["DataLists"]

_TAG = "|".join(ITEM_NAMES)
_ELEMENTS = re.compile(
    rf"\s*+(?:<(?!(?:{_TAG})>)(?P<outer>[\w-]+)>\s*+)?(?P<items>(?:<(?P<tag>{_TAG})>.*?</(?P=tag)>\s*+)++)"
    r"(?(outer)</(?P=outer)>\s*+)",
    re.DOTALL,
)
_ELEMENT = re.compile(rf"<({_TAG})>(.*?)</\1>", re.DOTALL)
_LIST = Node("list", item=Node("any", nullable=True))


class DataLists(DataObjects):
    """Reads items. What is lost is left out of the list, and None in a tuple."""

    def of_list(self, node: Node, value: Value, path: Path) -> Any:
        assert node.item is not None
        items = self.items(node.item, value, path)
        trees = [self.value(node.item, item, (*path, index)) for index, item in enumerate(items)]
        return [tree for tree in trees if tree is not ABSENT]

    def of_tuple(self, node: Node, value: Value, path: Path) -> Any:
        value = self.inside_text(_LIST, value, path)
        only = value.held[0] if isinstance(value.held, list) and len(value.held) == 1 else value
        if isinstance(only.held, Bare if only is not value else str):
            value = self.split_parts(node, only, path) or value
        if not isinstance(value.held, list):
            self.invalid(path, f"a list of {len(node.parts)} items is asked for", value)
            return None
        if len(value.held) != len(node.parts):
            if breaks_off(value):
                self.cut_holder(value, path, is_complete=False)
            self.invalid(path, f"{len(node.parts)} items are needed, but {len(value.held)} are there", value)
            return None
        pairs = zip(node.parts, value.held, strict=True)
        trees = [self.value(part, item, (*path, index)) for index, (part, item) in enumerate(pairs)]
        return [None if tree is ABSENT else tree for tree in trees]

    # What stands in place of a list

    def items(self, item: Node, value: Value, path: Path) -> list[Value]:
        """The items of a list; a single value in its place is a list of one, on record."""
        value = self.inside_text(LIST_OF_TEXTS if item.is_text() else _LIST, value, path)
        held = value.held
        if isinstance(held, Members):
            inner = wrapped_list(item, held)
            if inner is not None:
                for key, member in held.pairs:
                    if member is inner:
                        self.repair(RepairKind.WRAPPER_ENTERED, path, key, name_of(key), name_of(key))
                    else:
                        self.skipped(key, path)
                return self.items(item, inner, path)
            if not may_be_item(item, held):
                return self.counted(item, value, held, path)
        elif isinstance(held, list):
            return held
        if isinstance(held, str) and not held.strip(BLANK):
            self.reshaped(path, value, None)
            return []
        if item.is_text():
            return self.split(item, value, path) if isinstance(held, str) else self.alone(value, path)
        return self.split_holders(item, value, path) if may_be_split(value) else self.alone(value, path)

    def split_holders(self, item: Node, value: Value, path: Path) -> list[Value]:
        """The same of items that hold others themselves."""
        text = str(value.held)
        table = table_of_objects(text, item.has_field) if item.kind == "dict" else None
        made = table or (None if isinstance(value.held, Bare) else outlined(item, text))
        if made is not None and isinstance(made.held, list):
            self.placed(made, value, path)
            return made.held
        pieces = split_objects(text, item) if item.kind == "dict" else []
        pieces = pieces or [piece for piece in split_items(text, item).items if piece.text != text.strip(BLANK)]
        if not pieces:
            return self.alone(value, path)
        self.repair(RepairKind.TEXT_SPLIT, path, value, text, " | ".join(piece.text for piece in pieces))
        return [value_of_piece(value, piece, is_bare=True) for piece in pieces]

    def split(self, item: Node, value: Value, path: Path) -> list[Value]:
        """The items of a list that was written as a text: what an element with that text would hold."""
        text = str(value.held)
        elements = _ELEMENTS.fullmatch(text)
        if elements is not None:
            return self.elements(value, elements, path)
        if is_null_word(value):
            message = "a word for no value, which could be an item or say that there is none"
            self.ambiguous(path, message, value, (text, "an empty list"))
            return []
        items = split_items(text, item)
        if items.candidates:
            self.ambiguous(path, "could be more than one list", value, items.candidates)
            return []
        if items.is_cut_short:
            self.invalid(path, CUT_SHORT, value)
        if items.how == "whole" and not text.lstrip(BLANK).startswith("["):
            return self.alone(value, path)
        self.repair(RepairKind.TEXT_SPLIT, path, value, text, " | ".join(piece.text for piece in items.items))
        is_bare = isinstance(value.held, Bare) or item.kind != "str"
        return [value_of_piece(value, piece, is_bare) for piece in items.items]

    def elements(self, value: Value, found: re.Match[str], path: Path) -> list[Value]:
        """The items of a list that was written as elements in a text."""
        items = list(_ELEMENT.finditer(found["items"]))
        if any("<" in item[2] for item in items):
            self.invalid(path, "elements that hold others stand in a text, where a list is asked for", value)
            return []
        self.repair(RepairKind.TEXT_SPLIT, path, value, found[0], " | ".join(item[2] for item in items))
        return [Value(decode(item[2].strip(BLANK)), *value.span) for item in items]

    def counted(self, item: Node, value: Value, members: Members, path: Path) -> list[Value]:
        """The items of a list that came as an object: in the order of their numbers, if its keys count them."""
        items = in_order(members) if members.pairs else []
        if items is None and not are_items(item, members):
            return self.alone(value, path)
        if items is None:
            self.invalid(path, "an object stands where a list is asked for, and its keys do not count the items", value)
            return [member for _key, member in members.pairs]
        self.reshaped(path, value, Value(items, *value.span))
        self.note_cut(value, path)
        return items

    def alone(self, value: Value, path: Path) -> list[Value]:
        """A value in place of a list, as its only item."""
        self.reshaped(path, value, Value([value], value.start))
        return [value]

    def split_parts(self, node: Node, value: Value, path: Path) -> Value | None:
        """The items of a tuple that was written as a text, if there is one for each part."""
        text = str(value.held)
        pieces = split_parts(text, node.parts)
        if pieces is None:
            return None
        self.repair(RepairKind.TEXT_SPLIT, path, value, text, " | ".join(piece.text for piece in pieces))
        return Value([value_of_piece(value, piece, is_bare=True) for piece in pieces], *value.span)
