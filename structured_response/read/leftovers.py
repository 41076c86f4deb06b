"""Finds the missing values that leftover text may belong to.

It belongs to a gap that it names or whose content it holds, or that is beside it if it reads as its value.
"""

from __future__ import annotations

import re
import sys
from bisect import bisect_right
from collections.abc import Iterator
from operator import attrgetter
from typing import NamedTuple

from ..definition import ITEM_NAMES, Field, Node, Path, fold, is_near, snake_case
from ..escaping import GAP
from ..findings import Span
from .build import Element, Tree
from .values import reads


class Gap(NamedTuple):
    """A place where a value is missing. `is_beside` means that the leftover text is directly beside it."""

    path: Path
    node: Node
    names: tuple[str, ...] = ()
    is_beside: bool = False


def gap_of(field: Field, path: Path, is_beside: bool = False) -> Gap:
    return Gap((*path, field.name), field.node, (field.name, *field.aliases), is_beside)


def belongs(text: str, gap: Gap, is_element: bool) -> bool:
    """Returns whether leftover text may belong to a gap. For an element, only its own name counts."""
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
    return gap.is_beside and not _REMARK.fullmatch(text) and _reads(gap.node, text)


_NUMBERS = ("int", "float")
"""Kinds whose values no other text resembles."""
_WHOLE_TAG = re.compile(r"</?[^\W\d][^<>]*+>")
_TAG = re.compile(r"</?[ \t]*+([^\W\d][\w:.-]*+)")
_REMARK = re.compile(
    r"[\W_]*+(?:(?:and|or|etc)[\W_]*+)?|\(?\d{1,3}[.)]|\(.*\)[.,;]?|<.*|[^\w\s]{0,3}\w*+>|#.*|\*\*[^*\n]++\*\*|.*[:\u2026]|.*\.\.\.",
    re.DOTALL | re.IGNORECASE,
)
_SIGN = r"[\"'*_`]{0,3}[ \t]{0,2}(?:[=:>}]|&gt;|\](?=\s*+\S))"
"""The characters between a name and its value."""


def _says(text: str, name: str) -> bool:
    """Returns whether a text names a field in front of a value: `name>`, `[name] x`, `"name":`, `{name}`."""
    words = r"[\W_]{0,3}".join(map(re.escape, filter(None, re.split(r"[\W_]+", name))))
    return bool(words) and re.search(rf"(?<!\w){words}{_SIGN}|(?<=/){words}\]", text, re.IGNORECASE) is not None


def _is_name(tag: str, name: str) -> bool:
    """Returns whether a tag has a name, nearly has it, or has it among its words."""
    own = fold(name)
    words = snake_case(tag.replace("-", "_").replace(".", "_")).split("_")
    return fold(tag) == own or is_near(fold(tag), own) or (len(own) > 2 and own in map(fold, words))


def _held(node: Node) -> frozenset[str]:
    if node.kind == "dict":
        return frozenset(fold(name) for name in node.fields)
    if node.kind in ("list", "tuple", "map"):
        return frozenset(ITEM_NAMES) | (
            _held(node.item) if node.item is not None and node.item.kind == "dict" else frozenset()
        )
    return frozenset()


def _reads(node: Node, text: str) -> bool:
    """Returns whether a text could be a value, or an item of a list."""
    if node.kind == "map":
        return re.search("[=:<>]", text) is not None
    if node.kind == "list" and node.item is not None:
        return _reads(node.item, text)
    if node.kind == "dict":
        return node.is_named_in(text)
    if node.kind == "union":
        return any(_reads(part, text) for part in node.parts)
    return node.kind in ("str", "any", "tuple") or reads(node, text)


def hidden_in(tree: Tree) -> Iterator[tuple[Span, Element]]:
    """Yields the comments and instructions between elements that are not left over, each with the element around it."""
    root = tree.root
    lefts = sorted(left.span for left in tree.left)
    for span in tree.tokens.hidden:
        at = bisect_right(lefts, (span[0], sys.maxsize)) - 1
        is_left = at >= 0 and span[1] <= lefts[at][1]
        if root is not None and root.inner <= span[0] and span[1] <= root.end and not is_left:
            around = _innermost(root, *span)
            if around.children and around.role != "skipped":
                yield span, around


def _innermost(element: Element, start: int, end: int) -> Element:
    inner: Element | None = element
    while inner is not None:
        element = inner
        at = bisect_right(element.children, start, key=attrgetter("inner")) - 1
        inner = element.children[at] if at >= 0 and end <= element.children[at].end else None
    return element
