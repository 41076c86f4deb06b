"""Writes an instance as JSON that is read back as the same data, with an escape in whatever looks like a tag."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from itertools import accumulate
from typing import Any

from ..definition import ITEM_NAMES, Plan, fold, per_plan, walk
from ..escaping import UNDOUBLED

_STRING = re.compile(r'"((?:[^"\\]|\\.)*+)"')
_CONTROL = re.compile(rf"\\\\|\\(?={UNDOUBLED})(.)")
_CODES = {"b": "\\u0008", "f": "\\u000c", "r": "\\u000d", "t": "\\u0009"}
_MARKS = (" - as ", "[value here]", "[the same elements as in ", "(required)", "(optional)")
_LIKE_PROMPT = re.compile(
    r"\[.* - as .*\]|\[value here\]|\[the same elements as in .*\]|.*\((?:required|optional)\)", re.DOTALL
)


def to_json(data: Any, names: frozenset[str] = frozenset()) -> str:
    """Returns plain data as JSON, with an escape in tags of `names`, and in words of prompts."""
    text = json.dumps(data, indent=4, ensure_ascii=False)
    text = _CONTROL.sub(lambda escape: _CODES[escape[1]] if escape[1] else escape[0], text)
    text = escape_tags(names, text, _escaped) if names else text
    return _STRING.sub(_told_apart, text) if is_like_prompt(text) else text


def is_like_prompt(text: str) -> bool:
    """Returns whether a text holds signs that usually only prompts and echoes of them have."""
    return any(mark in text for mark in _MARKS)


def _told_apart(string: re.Match[str]) -> str:
    inner = string[1]
    if not _LIKE_PROMPT.fullmatch(inner) or inner.startswith("\\"):
        return string[0]
    return f'"{_escaped(inner[0])}{inner[1:]}"'


def _escaped(char: str) -> str:
    return json.dumps(char)[1:-1] if ord(char) > 0x7F else f"\\u{ord(char):04x}"


# Tags in texts of JSON and YAML, where they are not tags and should not look like them


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
