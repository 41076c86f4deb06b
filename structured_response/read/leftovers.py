"""What an answer holds and no value has: a problem where something is missing to which it could belong.

Every character of an answer is markup, a value, layout or left over, exactly once. What is left over is held against
the gaps beside it: a field that is absent, an element with nothing in it, a number that could go on, the items of a
list. It belongs to a gap that it names, whose content it holds, or, right beside it, as whose value it reads.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ..definition import ITEM_NAMES, Field, Node, Path, fold, snake_case
from ..findings import Span
from ..markup import GAP
from .build import Element, Tree
from .grammar import is_near
from .values import reads

__all__ = ["Gap", "belongs", "covered", "gap_of", "uncovered"]


class Gap(NamedTuple):
    """A place where something is missing. `is_beside`: what is left over stands right there."""

    path: Path
    node: Node
    names: tuple[str, ...] = ()
    is_beside: bool = False


def gap_of(field: Field, path: Path, is_beside: bool = False) -> Gap:
    """The gap of a field of the object at a path."""
    return Gap((*path, field.name), field.node, (field.name, *field.aliases), is_beside)


def belongs(text: str, gap: Gap, is_element: bool) -> bool:
    """Whether a stretch that is left over may belong into a gap. Of an element only its own name counts."""
    tags = [match[1] for match in _TAG.finditer(text)]
    named = tags[:1] if is_element else tags
    if any(_is_name(tag, name) for name in gap.names for tag in named):
        return True
    if not is_element and any(_says(text, name) for name in gap.names):
        return True
    if {fold(tag) for tag in tags} & _held(gap.node):
        return True
    if is_element:
        said = _WHOLE_TAG.sub("", text).strip(GAP)
        is_value = said != "" and (gap.node.kind not in _NUMBERS or reads(gap.node, said))
        return gap.is_beside and not gap.names and ("=" in text or is_value)
    return gap.is_beside and not is_remark(text) and _reads(gap.node, text)


def is_remark(text: str) -> bool:
    """Whether a text among elements is no value: signs, what joins two, brackets, a heading, what leads on."""
    return _REMARK.fullmatch(text) is not None


_NUMBERS = ("int", "float")
"""Kinds of items that no text of another kind could be."""
_WHOLE_TAG = re.compile(r"</?[^\W\d][^<>]*+>")
_TAG = re.compile(r"</?[ \t]*+([^\W\d][\w:.-]*+)")
_REMARK = re.compile(
    r"[\W_]*+(?:(?:and|or|etc)[\W_]*+)?|\(.*\)[.,;]?|<.*|[^\w\s]{0,3}\w*+>|#.*|\*\*[^*\n]++\*\*|.*[:\u2026]|.*\.\.\.",
    re.DOTALL | re.IGNORECASE,
)
_SIGN = r"[\"'*_`]{0,3}[ \t]{0,2}(?:[=:>}]|&gt;|\](?=\s*+\S))"
"""What stands between a name and its value."""
_BULLET = re.compile(r"\s*+(?:[-*+\u2022]|\d{1,3}[.)])\s")


def _says(text: str, name: str) -> bool:
    """Whether a text names a field with a sign of a value: `name>`, `[name] x`, `"name":`, `{name}`."""
    words = r"[\W_]{0,3}".join(map(re.escape, filter(None, re.split(r"[\W_]+", name))))
    return bool(words) and re.search(rf"(?<!\w){words}{_SIGN}|(?<=/){words}\]", text, re.IGNORECASE) is not None


def _is_name(tag: str, name: str) -> bool:
    """Whether a tag has a name, nearly has it, or has it among its words."""
    own = fold(name)
    words = snake_case(tag.replace("-", "_").replace(".", "_")).split("_")
    return fold(tag) == own or is_near(fold(tag), own) or (len(own) > 2 and own in map(fold, words))


def _held(node: Node) -> frozenset[str]:
    """The folded names of the elements that a value may hold."""
    if node.kind == "dict":
        return frozenset(fold(name) for name in node.fields)
    if node.kind in ("list", "tuple", "map"):
        return frozenset(ITEM_NAMES) | (
            _held(node.item) if node.item is not None and node.item.kind == "dict" else frozenset()
        )
    return frozenset()


def _reads(node: Node, text: str) -> bool:
    """Whether a text could be a value: of a list one item of it."""
    if node.kind == "map":
        return re.search("[=:<>]", text) is not None
    if node.kind == "list" and node.item is not None:
        return _reads(node.item, _BULLET.sub("", text, count=1))
    if node.kind == "dict":
        return node.is_named_in(text)
    if node.kind == "union":
        return any(_reads(part, text) for part in node.parts)
    return node.kind in ("str", "any", "tuple") or reads(node, text)


# The account of every character


def covered(tree: Tree) -> list[tuple[int, int, str]]:
    """The stretches of an answer in their order, each once: "markup", "value" and "left". Layout is between them."""
    root = tree.root
    if root is None:
        return []
    found = list(_of_element(root))
    found += [(*left.span, "left") for left in tree.left]
    return _flat(sorted(found, key=lambda each: (each[0], -each[1])))


def _of_element(root: Element) -> Iterator[tuple[int, int, str]]:
    """The markup and the values of an element and of those in it."""
    waiting = [root]
    while waiting:
        element = waiting.pop()
        yield element.start, element.inner, "markup"
        yield element.end, element.stop, "markup"
        if element.role == "skipped" or element.form != "xml" or not element.children:
            yield element.inner, element.end, "left" if element.role == "skipped" else "value"
        else:
            waiting += element.children


def _flat(found: list[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    """The stretches without what lies in others that begin before."""
    flat: list[tuple[int, int, str]] = []
    position = 0
    for start, end, kind in found:
        if max(start, position) < end:
            flat.append((max(start, position), end, kind))
            position = end
    return flat


def uncovered(text: str, tree: Tree) -> Iterator[tuple[Span, Element]]:
    """The stretches, other than blanks, that are neither markup nor a value and that nobody left over, such as comments
    between elements, each with the element in which it stands.
    """
    root = tree.root
    if root is None:
        return
    position = root.start
    for start, end, _kind in (*covered(tree), (root.stop, root.stop, "")):
        if position < start and text[position:start].strip(GAP):
            yield (position, start), _innermost(root, position, start)
        position = max(position, end)


def _innermost(element: Element, start: int, end: int) -> Element:
    """The innermost element around a stretch."""
    inner: Element | None = element
    while inner is not None:
        element = inner
        inner = next((child for child in element.children if child.inner <= start and end <= child.end), None)
    return element
