"""Fields that stand there more than once: what only echoes the prompt goes, the same again counts once, lists, maps and
tuples are put together, and of anything else nobody knows which is meant.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod

from ...definition import ITEM_NAMES, MARKED, Field, Node, Path, is_placeholder
from ...findings import ProblemKind, RepairKind
from ...markup import BLANK
from ..lines.split_tuple import split_parts
from .elements import Element
from .runs import Run
from .unions import UnionReader

__all__ = ["RepeatReader"]

_BETWEEN_TAGS = re.compile(r"(?<=>)[ \t\r\n]++(?=<)")


class RepeatReader(UnionReader, ABC):
    """Reads fields of several elements."""

    @abstractmethod
    def items(self, node: Node, element: Element, path: Path) -> list[Element]:
        """The children of an element that are items."""

    @abstractmethod
    def listed(self, item: Node, items: list[Element], path: Path) -> list[object]:
        """The values of items."""

    def repeated(self, field: Field, elements: list[Element], path: Path) -> object:
        """A field that stands there more than once: what only echoes the prompt can go, and the same again; lists are
        one list, else nobody knows.
        """
        given = [element for element in elements if not self.is_left_over(field.node, element)]
        if 0 < len(given) < len(elements):
            for element in elements:
                if element not in given:
                    self.dropped(element, path)
            return self.repeated(field, given, path) if len(given) > 1 else self.value(field.node, given[0], path)
        texts = [self.written(element) for element in elements]
        marks = {_mark(field.node, element.attribute("type"), texts[0]) for element in elements}
        last = elements[-1]
        is_same = len({self.said(*said) for said in zip(texts, elements, strict=True)}) == len(marks) == 1
        if field.node.kind == "list" and not (is_same and _holds_items(last)):
            return self.joined(field.node, elements, path)
        if field.node.kind == "map" and all(not each.head.tag or self.is_one_entry(each) for each in elements):
            return self.joined_map(field.node, elements, path)
        if field.node.kind == "tuple" and self.are_parts(field.node, elements):
            return self.joined_tuple(field.node, elements, path)
        value = self.value(field.node, elements[0], path)
        if is_same:
            self.dropped(last, path)
            return value
        message = f"<{field.name}> stands there twice, with different values"
        found = tuple(dict.fromkeys(texts))
        self.reading.problem(ProblemKind.AMBIGUOUS, path, message, (last.start, last.end), texts[-1], found)
        return value if field.node.kind == "str" else None

    def written(self, element: Element) -> str:
        """What stands in an element; of one without tags, all that it holds."""
        whole = self.source(element) if element.head.tag else self.reply[element.start : element.reach()]
        return whole.strip(BLANK)

    def said(self, text: str, element: Element) -> str:
        """What an element says, however it or what stands in it is laid out."""
        return _BETWEEN_TAGS.sub("", text) if element.children else self.text(element).value

    def is_left_over(self, node: Node, element: Element) -> bool:
        """Whether the prompt's placeholder stands in an element."""
        return node.is_text() and is_placeholder(node, self.source(element).strip(BLANK))

    def joined(self, node: Node, elements: list[Element], path: Path) -> list[object]:
        """One list of elements that each bear the list's name, or an item's in its place. One that holds no items is an
        item, whatever markup its text has.
        """
        assert node.item is not None
        span = (elements[0].start, elements[-1].end)
        self.places[path] = span
        items: list[Element] = []
        for element in elements:
            is_item = not element.children or (node.item.kind in ("list", "tuple") and _holds_texts(element))
            items += [element] if is_item else self.items(node, element, path) or [element]
        self.reading.repair(RepairKind.LIST_JOINED, path, span, *(self.reply[span[0] : elements[0].inner_start],) * 2)
        return self.listed(node.item, items, path)

    def are_parts(self, node: Node, elements: list[Element]) -> bool:
        """Whether elements that each bear a tuple's name are one for each of its parts, and none is a whole tuple."""
        if len(elements) != len(node.parts) or any(element.children for element in elements):
            return False
        texts = [self.source(element).strip(BLANK) for element in elements]
        return all(part.is_text() for part in node.parts) and not any(split_parts(text, node.parts) for text in texts)

    def joined_tuple(self, node: Node, elements: list[Element], path: Path) -> list[object]:
        """One tuple of elements that each bear its name."""
        self.places[path] = span = (elements[0].start, elements[-1].end)
        self.reading.repair(RepairKind.LIST_JOINED, path, span, *(self.reply[span[0] : elements[0].inner_start],) * 2)
        pairs = zip(node.parts, elements, strict=True)
        return [self.value(part, element, (*path, index)) for index, (part, element) in enumerate(pairs)]


def _holds_items(element: Element) -> bool:
    """Whether an element of a list's own name holds its items, and is none of them."""
    children = element.children if element.head.tag else []
    return len(children) > 1 or any(isinstance(child, Run) or child.head.key in ITEM_NAMES for child in children)


def _holds_texts(element: Element) -> bool:
    """Whether the children of an element hold no elements themselves."""
    return all(not child.children and (not isinstance(child, Run) or child.holds_texts()) for child in element.children)


def _mark(node: Node, marked: str | None, text: str) -> str | None:
    """What a `type` attribute says of a value; None where it only echoes the prompt."""
    is_clear = text and node.kind not in ("union", "any", "enum")
    says = marked in MARKED or marked == "null" or marked in node.options()
    return marked if says and not is_clear else None
