"""Writes an instance as plain XML that is read back as exactly the same data."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from ..definition import MARKED, SCALARS, Node, Plan, choice_text, choices_by_text, is_xml_name, match_union_option
from ..errors import InstanceError
from ..escaping import NULL_WORDS, SURROGATE, attribute, escape_value
from .placeholder import is_key_placeholder, is_placeholder

_INDENT = "    "


Spell: TypeAlias = Callable[[Node, Any], str]


def to_xml(plan: Plan, data: Any, spell: Spell | None = None) -> str:
    """Returns typed data as XML; `spell` writes scalars. Raises `InstanceError` for a lone surrogate."""
    text = "\n".join(_element(spell or scalar_text, plan.root_name, "", plan.root, data, ""))
    surrogate = None if text.isascii() else SURROGATE.search(text)
    if surrogate is not None:
        around = text[max(0, surrogate.start() - 20) : surrogate.start()]
        raise InstanceError(f"the instance holds {surrogate[0]!r}, half of a surrogate pair, behind {around!r}")
    return text


def _element(
    spell: Spell, tag: str, key: str, node: Node, value: Any, indent: str, *, marked: bool = False
) -> Iterator[str]:
    """Yields the lines of an element. `key` holds its attributes, each behind a blank, its type too if `marked`."""
    if value is None:
        yield f"{indent}<{tag}{key} type='null'/>"
    elif node.kind == "union":
        yield from _union(spell, tag, key, node, value, indent)
    elif node.kind == "any":
        option = _ANY_OPTIONS[type(value)]
        yield from _element(spell, tag, f"{key} type='{option.kind}'", option, value, indent, marked=True)
    elif node.kind in SCALARS:
        mark = "" if marked else type_mark(node, value)
        yield f"{indent}<{tag}{key}{mark}>{spell(node, value)}</{tag}>"
    elif not value:
        yield f"{indent}<{tag}{key}></{tag}>"
    else:
        yield f"{indent}<{tag}{key}>"
        for inner in _inside(node, value):
            yield from _element(spell, *inner, indent + _INDENT)
        yield f"{indent}</{tag}>"


def _union(spell: Spell, tag: str, key: str, node: Node, value: Any, indent: str) -> Iterator[str]:
    """Yields an object in its class's tag, unless that is a field's name, and any other option under its mark."""
    name = match_union_option(node, value)
    if name is None:
        raise InstanceError(f"<{tag}> holds a value that fits no option of its union: {value!r}"[:300])
    option = node.options()[name]
    if option.kind == "dict" and not node.is_field_of_option(name):
        yield f"{indent}<{tag}{key}>"
        yield from _element(spell, name, "", option, value, indent + _INDENT)
        yield f"{indent}</{tag}>"
    else:
        mark = "" if option.kind == "any" else f" type='{name}'"
        yield from _element(spell, tag, key + mark, option, value, indent, marked=True)


_ANY_OPTIONS = dict(zip((str, int, float, bool, list, dict), MARKED.values(), strict=True))
"""The nodes by which values of any type are written, by their type."""


def _inside(node: Node, value: Any) -> Iterator[tuple[str, str, Node, Any]]:
    if node.kind == "dict":
        nodes = {name: field.node for name, field in node.fields.items() if name in value}
        if node.keeps_extra:
            nodes |= {name: Node("any") for name in value if name not in node.fields}
        for name, inner in nodes.items():
            tag, key = (name, "") if is_xml_name(name) else ("entry", f" key={attribute(name)}")
            yield tag, key, inner, value[name]
    elif node.item is not None and node.key is not None:
        for name, item in value.items():
            yield "entry", f" key={attribute(name, is_key_placeholder(node.key, name))}", node.item, item
    else:
        parts = [node.item] * len(value) if node.item is not None else node.parts
        for part, item in zip(parts, value, strict=True):
            yield "li", "", part, item


def type_mark(node: Node, value: Any) -> str:
    """Returns the mark of an ambiguous scalar: an empty text that could be null, a choice that reads as another."""
    if value == "" and node.nullable is not False and node.kind != "enum":
        return " type='str'"
    if node.kind == "enum" and len(choices_by_text(node)[choice_text(value)]) > 1:
        return f" type='{type(value).__name__}'"
    return ""


def scalar_text(node: Node, value: Any) -> str:
    """Returns the text of a scalar between its tags, with the references that preserve it."""
    if isinstance(value, str):
        null_word = node.nullable is not False and value.lower() in NULL_WORDS
        return escape_value(value, null_word or is_placeholder(node, value))
    return choice_text(value)
