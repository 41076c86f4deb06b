"""Writes an instance as plain XML that is read back as exactly the same data."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from ..definition import MARKED, Node, Plan, choice_text, is_xml_name, match_union_option
from ..errors import InstanceError
from ..escaping import NULL_WORDS, SURROGATE, attribute, escape_value
from .placeholder import is_key_placeholder, is_placeholder

__all__ = ["ANY_OPTIONS", "scalar_text", "to_xml", "type_mark"]

_INDENT = "    "


class _Page(NamedTuple):
    """The lines written so far, and the function that writes a scalar between its tags."""

    lines: list[str]
    spell: Callable[[Node, Any], str]


def to_xml(plan: Plan, data: Any, spell: Callable[[Node, Any], str] | None = None) -> str:
    """Returns the data of an instance as XML, without a final line break. `data` is typed by the plan's definition.

    `spell` writes a scalar between its tags; the default is `scalar_text`. Raises `InstanceError` for a lone surrogate,
    which no text in UTF-8 can hold.
    """
    page = _Page([], spell or scalar_text)
    _element(page, plan.root_name, "", plan.root, data, "")
    text = "\n".join(page.lines)
    surrogate = None if text.isascii() else SURROGATE.search(text)
    if surrogate is not None:
        around = text[max(0, surrogate.start() - 20) : surrogate.start()]
        raise InstanceError(f"the instance holds {surrogate[0]!r}, half of a surrogate pair, behind {around!r}")
    return text


def _element(page: _Page, tag: str, key: str, node: Node, value: Any, indent: str, *, marked: bool = False) -> None:
    """Appends the lines of one element.

    `key` holds the attributes of its tag, each with a blank in front. `marked` means that its type is among them.
    """
    if value is None:
        page.lines.append(f"{indent}<{tag}{key} type='null'/>")
    elif node.kind in _MARKED:
        _MARKED[node.kind](page, tag, key, node, value, indent)
    elif node.kind not in _INNER:
        mark = "" if marked else type_mark(node, value)
        page.lines.append(f"{indent}<{tag}{key}{mark}>{page.spell(node, value)}</{tag}>")
    elif not value:
        page.lines.append(f"{indent}<{tag}{key}></{tag}>")
    else:
        page.lines.append(f"{indent}<{tag}{key}>")
        _INNER[node.kind](page, node, value, indent + _INDENT)
        page.lines.append(f"{indent}</{tag}>")


def _union(page: _Page, tag: str, key: str, node: Node, value: Any, indent: str) -> None:
    """Appends a member of a union: an object inside its class's tag, anything else under a mark that names its option.
    An object whose tag could be taken for a field's gets a mark too.
    """
    name = match_union_option(node, value)
    if name is None:
        raise InstanceError(f"<{tag}> holds a value that fits no option of its union: {value!r}"[:300])
    option = node.options()[name]
    if option.kind == "dict" and not node.is_field_of_option(name):
        page.lines.append(f"{indent}<{tag}{key}>")
        _element(page, name, "", option, value, indent + _INDENT)
        page.lines.append(f"{indent}</{tag}>")
    elif option.kind == "any":
        _any(page, tag, key, option, value, indent)
    else:
        _element(page, tag, f"{key} type='{name}'", option, value, indent, marked=True)


def _any(page: _Page, tag: str, key: str, node: Node, value: Any, indent: str) -> None:
    """Appends a value of any type, under a mark that names its type."""
    marked = ANY_OPTIONS[type(value)]
    _element(page, tag, f"{key} type='{marked.kind}'", marked, value, indent, marked=True)


_MARKED: dict[str, Callable[[_Page, str, str, Node, Any, str], None]] = {"union": _union, "any": _any}

ANY_OPTIONS = dict(zip((str, int, float, bool, list, dict), MARKED.values(), strict=True))
"""The nodes by which values of any type are written, by their type."""


def _of_dict(page: _Page, node: Node, value: dict[str, Any], indent: str) -> None:
    for name, field in node.fields.items():
        if name in value:
            _named(page, name, field.node, value[name], indent)
    if node.keeps_extra:
        for name in (extra for extra in value if extra not in node.fields):
            _named(page, name, Node("any"), value[name], indent)


def _named(page: _Page, name: str, node: Node, value: Any, indent: str) -> None:
    """Appends an element with a field's name. A name that is not valid in XML becomes the key of an entry."""
    tag, key = (name, "") if is_xml_name(name) else ("entry", f" key={attribute(name)}")
    _element(page, tag, key, node, value, indent)


def _of_list(page: _Page, node: Node, value: list[Any], indent: str) -> None:
    assert node.item is not None
    for item in value:
        _element(page, "li", "", node.item, item, indent)


def _of_tuple(page: _Page, node: Node, value: list[Any], indent: str) -> None:
    for part, item in zip(node.parts, value, strict=True):
        _element(page, "li", "", part, item, indent)


def _of_map(page: _Page, node: Node, value: dict[str, Any], indent: str) -> None:
    assert node.item is not None and node.key is not None
    for name, item in value.items():
        _element(page, "entry", f" key={attribute(name, is_key_placeholder(node.key, name))}", node.item, item, indent)


_INNER: dict[str, Callable[[_Page, Node, Any, str], None]] = {
    "dict": _of_dict,
    "list": _of_list,
    "tuple": _of_tuple,
    "map": _of_map,
}


def type_mark(node: Node, value: Any) -> str:
    """Returns the mark of an ambiguous scalar: an empty text that could be null, a choice that reads as another."""
    if value == "" and node.nullable is not False and node.kind != "enum":
        return " type='str'"
    if node.kind == "enum" and [choice_text(choice) for choice in node.choices].count(choice_text(value)) > 1:
        return f" type='{type(value).__name__}'"
    return ""


def scalar_text(node: Node, value: Any) -> str:
    """Returns the text of a scalar between its tags, with the references that preserve it."""
    if isinstance(value, str):
        null_word = node.nullable is not False and value.lower() in NULL_WORDS
        return escape_value(value, null_word or is_placeholder(node, value))
    return choice_text(value)
