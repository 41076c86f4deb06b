"""Tags of a definition that stand in texts: where JSON or YAML hold them, they are no tags, and should not look so."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import accumulate

from ..definition import ITEM_NAMES, Plan, fold, per_plan, walk

__all__ = ["ITEMS", "escape_tags", "holds_tag", "tag_names"]

_TAG = re.compile(r"[<\uff1c](?=[\s/\uff0f]*+([^<>/='\"\uff1c\uff1e]{1,100}+))")
_OF_CALLS = ("function", "parameter", "invoke", "tool_call", "arguments")
"""Elements by which language models call tools, with names of the definition in their attributes."""

ITEMS = frozenset(map(fold, ITEM_NAMES))
"""Folded names of the elements that are items of lists; HTML has one of them."""


@per_plan
def tag_names(plan: Plan) -> frozenset[str]:
    """The folded names of the elements that an answer can begin with or hold; those of items where it is a list."""
    nodes = list(walk(plan.root))
    fields = [field for node in nodes for field in node.fields.values()]
    names = {plan.root_name, *_OF_CALLS, *(node.name for node in nodes if node.name)}
    names |= {name for field in fields for name in (field.name, *field.aliases)}
    names |= {name for node in nodes for name in node.options()}
    return frozenset(map(fold, names)) | (ITEMS if plan.root.kind == "list" else frozenset())


def holds_tag(names: frozenset[str], text: str) -> bool:
    """Whether a tag of one of those names stands in a text."""
    return any(_is_named(names, tag[1]) for tag in _TAG.finditer(text))


def escape_tags(names: frozenset[str], text: str, escaped: Callable[[str], str]) -> str:
    """A text without tags of those names: their brackets are escaped, all else is as it was. Linear."""
    return _TAG.sub(lambda tag: escaped(tag[0]) if _is_named(names, tag[1]) else tag[0], text)


def _is_named(names: frozenset[str], inside: str) -> bool:
    """Whether what stands behind a bracket begins with a name, blanks in it or not."""
    words = inside.split()[:6]
    return any(fold(name) in names for name in accumulate(words))
