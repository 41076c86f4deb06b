"""Reads the text of a `str` in a clean reply, where nothing has to be recorded."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate

from ...definition import ITEM_NAMES, Field, Node, Plan, fold, singulars, snake_case
from ...escaping import BLANK, FENCES, NULL_WORDS
from ...render.placeholder import is_placeholder
from ..values.text import value_of


class AsideError(Exception):
    """The careful reader has to read the reply."""


Names = frozenset[str]
"""Folded names of tags that may end a text."""

_TAG = re.compile(r"<[\s/\\]*+([^<>/=\"'\t\n]{1,80})")
_ITEM_TAG = re.compile(rf"<\s*+(?:(/)\s*+)?(?:{'|'.join(ITEM_NAMES)})\b", re.IGNORECASE)
_HIDING = (("<!--", "-->"), ("<![CDATA[", "]]>"))
_ITEMS = frozenset(ITEM_NAMES)
_TOUCHY = frozenset({"[", *(fence[0] for fence in FENCES)})
_ELSEWHERE = frozenset(
    {"think", "thinking", "reasoning", "reflection", "scratchpad", "function", "functioncall", "functioncalls"}
    | {"invoke", "parameter", "parameters", "param", "arg", "argument", "tool", "toolcall"}
)
"""Tags with a meaning anywhere: reasoning, and tool calls, whose attributes hold the names."""


def names_of_root(plan: Plan) -> Names:
    """Returns the names with a meaning in every text of an answer."""
    return _ELSEWHERE | {fold(plan.root_name), fold(plan.class_name)}


def names_of_field(field: Field) -> Iterator[str]:
    """Yields the names of the tags that may begin or end a field: its own, and those of items without their list."""
    for name in (field.name, *field.aliases):
        yield fold(name)
        if field.node.kind in ("list", "map", "tuple"):
            yield from map(fold, singulars(name))
    yield from _names_of_class(field.node)


def names_of_items(node: Node) -> Iterator[str]:
    """Yields the names of the tags that items of a list may have, and those of the items' class."""
    yield from ITEM_NAMES
    if node.item is not None:
        yield from _names_of_class(node.item)


def _names_of_class(node: Node) -> Iterator[str]:
    if node.name:
        yield from (fold(node.name), fold(snake_case(node.name)))


def own_pairs(name: str) -> str:
    """Returns the pattern of a text that may hold whole elements of its own name, such as a field `html`."""
    if name in ITEM_NAMES:
        return rf"[^<]*+(?:<(?!/{name}>)[^<]*+)*+"
    other = rf"<(?!/?{name}[\s>])[^<]*+"
    return rf"[^<]*+(?:(?:{other}|{_pair(name)}[^<]*+))*+"


def _pair(name: str) -> str:
    return rf"<{name}(?:\s[^<>]*+)?>[^<]*+(?:<(?!/?{name}[\s>])[^<]*+)*+</{name}>"


def text_reader(node: Node, stops: Names, name: str = "") -> Callable[[str, str], str | None]:
    """Returns the function that reads a text, with the blanks before its tag. It may hold all tags but `stops`."""
    nullable = bool(node.nullable)
    pairs = re.compile(_pair(name)) if name and name not in ITEM_NAMES else None

    def read(raw: str, before: str) -> str | None:
        value = text = raw.strip(BLANK)
        if not text:
            return None if nullable else ""
        if "<" in text or "&" in text or "\r" in text or ("\n" in text and raw[0] in BLANK):
            value = _value(raw, before, stops, pairs)
        if nullable and len(text) <= 4 and text.lower() in NULL_WORDS:
            raise AsideError
        if text[0] in _TOUCHY and (text.startswith(FENCES) or is_placeholder(node, value)):
            raise AsideError
        return value

    return read


def _value(raw: str, before: str, stops: Names, pairs: re.Pattern[str] | None) -> str:
    """Returns the value by the rules of texts, which the careful reader follows too."""

    def indentation() -> str:
        if "\n" not in before:
            raise AsideError  # the tag does not begin its line
        return before.rpartition("\n")[2]

    if "<" in raw:
        _check_tags(raw if pairs is None else pairs.sub("", raw), stops)
        if any(raw.rfind(opener) > raw.rfind(closer) for opener, closer in _HIDING):
            raise AsideError
    text = value_of(raw, indentation)
    if text.changes:
        raise AsideError
    return text.value


def _check_tags(raw: str, stops: Names) -> None:
    """Raises `AsideError` if a tag could end the text. Paired item tags cannot, as in a list of HTML."""
    tags = set(_TAG.findall(raw))
    names = {fold(tag) for tag in tags}
    names.update([fold(tag.split(None, 1)[0]) for tag in tags if " " in tag])
    if stops.isdisjoint(names):
        return
    if _ITEM_TAG.match(raw.lstrip(BLANK)):
        raise AsideError  # nested items
    depths = list(accumulate(-1 if slash else 1 for slash in _ITEM_TAG.findall(raw)))
    if not stops & names <= _ITEMS or not depths or depths[-1] or min(depths) < 0:
        raise AsideError


def check_order(indexes: Sequence[str | None]) -> None:
    """Raises `AsideError` unless the indexes of items, if any, count upwards or are all the prompt's own 0."""
    given = [index for index in indexes if index is not None]
    upwards = [list(map(str, range(first, first + len(indexes)))) for first in (0, 1)]
    if any(index != "0" for index in given) and given not in upwards:
        raise AsideError
