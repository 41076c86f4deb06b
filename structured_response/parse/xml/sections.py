"""CDATA sections around elements: markup where no text can be.

A section hides the tags in it, so that a string may hold any. Where one stands around the answer, or is all that an
element holds which has no text of its own, its author meant the elements. Blanks take the places of its marks, so that
everything else stays where it is.

Two texts that name the marks of a section look like one text with a section in it. Where that would hold the end of an
element and the beginning of the next, nobody knows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ...definition import Node, Plan, fold, per_plan, walk
from ...findings import Repair, RepairKind
from ...markup import BLANK

__all__ = ["is_of_two", "without_outer_sections"]

_START, _END = "<![CDATA[", "]]>"
_LONGEST = 200
"""Characters of a tag with the blanks between it and a section, and of those at the end of the section."""
_TAG = re.compile(r"<([^\W\d][\w.:-]*+)[^<>]*+>\s*+")
_OPENER = re.compile(r"<([^\W\d][\w.:-]*+)")
_ELEMENT = re.compile(r"\s*+<([^\W\d][\w.:-]*+)")


def without_outer_sections(plan: Plan, text: str) -> tuple[str, list[Repair]]:
    """The text without the marks of sections around elements, and what was done. Linear: none is looked at twice."""
    parts: list[str] = []
    repairs: list[Repair] = []
    done, start = 0, text.find(_START)
    first = _first_root(plan, text) if start >= 0 else 0
    while start >= 0:
        behind = start + len(_START)
        if _is_around_elements(_names(plan), text, start, first):
            end = text.find(_END, behind)
            if end < 0:
                break
            behind = end + len(_END)
            if text[max(end - _LONGEST, start) : end].rstrip(BLANK).endswith(">"):
                inner = text[start + len(_START) : end]
                parts += [text[done:start], " " * len(_START), inner, " " * len(_END)]
                repairs.append(Repair(RepairKind.SECTION_MENDED, "$", (start, behind), text[start:behind], inner))
                done = behind
        start = text.find(_START, behind)
    return ("".join([*parts, text[done:]]), repairs) if repairs else (text, [])


def is_of_two(text: str, tag: str) -> bool:
    """Whether a section in the midst of the text of an element could be made of marks that two texts only name: in it
    the element ends and another one begins.
    """
    position, closer = 0, f"</{tag}"
    while (start := text.find(_START, position)) >= 0:
        position = text.find(_END, start)
        position = position if position >= 0 else len(text)
        ends = text.find(closer, start, position)
        is_open = ends >= 0 and text.find(f"<{tag}", start, ends) < 0
        if is_open and text[:start].strip(BLANK) and _OPENER.search(text, ends + 1, position):
            return True
    return False


class _Names(NamedTuple):
    """Folded names of elements: the answer's own, and those that hold nothing but others."""

    roots: frozenset[str]
    holders: frozenset[str]


def _first_root(plan: Plan, text: str) -> int:
    """Where the first tag with a name of the answer stands: what stands behind it may be a part of some text."""
    roots = _names(plan).roots
    return next((tag.start() for tag in _OPENER.finditer(text) if fold(tag[1]) in roots), len(text))


def _is_around_elements(names: _Names, text: str, start: int, first: int) -> bool:
    """Whether a section that begins with an element stands where no text can be: as all that such an element holds, or
    in front of the `first` tag of an answer.
    """
    inner = _ELEMENT.match(text, start + len(_START))
    if inner is None:
        return False
    place = text.rfind("<", max(start - _LONGEST, 0), start)
    outer = _TAG.match(text, place) if place >= 0 else None
    name = fold(outer[1]) if outer is not None and outer.end() == start else ""
    return name in names.holders or (start < first and fold(inner[1]) in names.roots)


@per_plan
def _names(plan: Plan) -> _Names:
    roots = frozenset(map(fold, (plan.root_name, plan.class_name)))
    named = [(name, plan.root) for name in roots]
    named += [(fold(name), held) for node in walk(plan.root) for name, held in _named(node)]
    texts = frozenset(name for name, node in named if _may_be_text(node))
    return _Names(roots, frozenset(name for name, _node in named) - texts)


def _named(node: Node) -> Iterator[tuple[str, Node]]:
    """What stands in a node, by the names that its element may have."""
    for field in node.fields.values():
        yield from ((name, field.node) for name in (field.name, *field.aliases))
    names = ("entry",) if node.kind == "map" else ("li", "item")
    for item in (*((node.item,) if node.item is not None else ()), *(node.parts if node.kind == "tuple" else ())):
        yield from ((name, item) for name in (*names, *((item.name,) if item.name else ())))
    yield from node.options().items() if node.kind == "union" else ()


def _may_be_text(node: Node) -> bool:
    parts = node.parts if node.kind == "union" else (node,)
    return any(part.is_text() or part.kind == "any" for part in parts)
