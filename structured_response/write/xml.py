"""The instance as plain XML, written such that reading it gives exactly the same data back."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ..definition import Node, Plan, is_placeholder, is_xml_name
from ..markup import NULL_WORDS, attribute, escape_value

__all__ = ["to_xml"]

_INDENT = "    "


def to_xml(plan: Plan, data: Any) -> str:
    """The data of an instance as XML, without a final line break. `data` is typed by the plan's definition."""
    lines: list[str] = []
    _element(lines, plan.root_name, "", plan.root, data, "")
    return "\n".join(lines)


def _element(lines: list[str], tag: str, key: str, node: Node, value: Any, indent: str) -> None:
    """Appends the lines of one element. `key` is the attribute of an entry, with a blank before it, or empty."""
    if value is None:
        lines.append(f"{indent}<{tag}{key} type='null'/>")
    elif node.kind not in _INNER:
        mark = " type='str'" if value == "" and node.nullable is not False else ""
        lines.append(f"{indent}<{tag}{key}{mark}>{_scalar(node, value)}</{tag}>")
    elif not value:
        lines.append(f"{indent}<{tag}{key}></{tag}>")
    else:
        lines.append(f"{indent}<{tag}{key}>")
        _INNER[node.kind](lines, node, value, indent + _INDENT)
        lines.append(f"{indent}</{tag}>")


def _of_dict(lines: list[str], node: Node, value: dict[str, Any], indent: str) -> None:
    for name, field in node.fields.items():
        if name in value:
            tag, key = (name, "") if is_xml_name(name) else ("entry", f" key={attribute(name)}")
            _element(lines, tag, key, field.node, value[name], indent)


def _of_list(lines: list[str], node: Node, value: list[Any], indent: str) -> None:
    assert node.item is not None
    for item in value:
        _element(lines, "li", "", node.item, item, indent)


def _of_tuple(lines: list[str], node: Node, value: list[Any], indent: str) -> None:
    for part, item in zip(node.parts, value, strict=True):
        _element(lines, "li", "", part, item, indent)


def _of_map(lines: list[str], node: Node, value: dict[str, Any], indent: str) -> None:
    assert node.item is not None
    for name, item in value.items():
        _element(lines, "entry", f" key={attribute(name)}", node.item, item, indent)


_INNER: dict[str, Callable[[list[str], Node, Any, str], None]] = {
    "dict": _of_dict,
    "list": _of_list,
    "tuple": _of_tuple,
    "map": _of_map,
}


def _scalar(node: Node, value: Any) -> str:
    if isinstance(value, str):
        null_word = node.nullable is not False and value.lower() in NULL_WORDS
        return escape_value(value, null_word or is_placeholder(node, value))
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return repr(value)
