"""Escapes tags of a definition in texts of JSON or YAML, where they are not tags and should not look like them."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import accumulate

from ..definition import ITEM_NAMES, Plan, fold, per_plan, walk

_TAG = re.compile(r"[<\uff1c](?=[\s/\uff0f]*+([^<>/='\"\uff1c\uff1e]{1,100}+))")
_OF_CALLS = ("function", "parameter", "invoke", "tool_call", "arguments")
"""Elements of tool calls, which have names of the definition in their attributes."""

ITEMS = frozenset(map(fold, ITEM_NAMES))
"""Folded names of list items. HTML has one of them too."""


@per_plan
def tag_names(plan: Plan) -> frozenset[str]:
    """Returns the folded names of elements that an answer can begin with or hold, and those of items of a list."""
    nodes = list(walk(plan.root))
    fields = [field for node in nodes for field in node.fields.values()]
    names = {plan.root_name, *_OF_CALLS, *(node.name for node in nodes if node.name)}
    names |= {name for field in fields for name in (field.name, *field.aliases)}
    names |= {name for node in nodes for name in node.options()}
    return frozenset(map(fold, names)) | (ITEMS if plan.root.kind == "list" else frozenset())


def holds_tag(names: frozenset[str], text: str) -> bool:
    return any(_is_named(names, tag[1]) for tag in _TAG.finditer(text))


def escape_tags(names: frozenset[str], text: str, escaped: Callable[[str], str]) -> str:
    """Returns a text in which the brackets of tags with those names are escaped. Linear."""
    return _TAG.sub(lambda tag: escaped(tag[0]) if _is_named(names, tag[1]) else tag[0], text)


def _is_named(names: frozenset[str], inside: str) -> bool:
    words = inside.split()[:6]
    return any(fold(name) in names for name in accumulate(words))
