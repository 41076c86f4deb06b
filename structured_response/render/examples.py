"""Examples in a prompt: data in the prompt's format, below headings that distinguish them from an answer.

Texts in them are verbatim, so that a language model sees what to write. Only tags of the definition, and text that
would end the example or look like a part of it, are escaped, as the format escapes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from ..definition import Node, Plan, fold
from ..escaping import EXAMPLE, NULL_WORDS, escape_value, heading
from .json import to_json
from .tags import ITEMS, escape_tags, tag_names
from .xml import scalar_text, to_xml
from .yaml import to_yaml

__all__ = ["example_text", "examples_text"]

_ENTITY = re.compile(r"&(?:#|[A-Za-z][A-Za-z0-9]*;)")
_BARE_MARKUP = re.compile(r"<[A-Za-z/!?]")
_HIDING = (("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>"))


def examples_text(plan: Plan, form: str, examples: Sequence[Any]) -> str:
    """Returns the examples as they follow a prompt. Each is data of an instance, typed by the plan's definition."""
    shown = (example_text(plan, form, data) for data in examples)
    return "\n\n".join(f"{heading(number)}\n{text}" for number, text in enumerate(shown, 1))


def example_text(plan: Plan, form: str, data: Any) -> str:
    """Returns one example, without its heading."""
    return _WRITERS[form](plan, data)


def _hidden(names: frozenset[str], text: str, hide: Callable[[str], str]) -> str:
    """Returns a text in which tags, and lines that look like lines of the example, are escaped."""
    return escape_tags(names, text.replace("\n", hide("\n")) if _looks_like_lines(names, text) else text, hide)


def _looks_like_lines(names: frozenset[str], text: str) -> bool:
    """Returns whether a line of a text looks like one of the definition's fields, or like a heading."""
    lines = text.splitlines() if "\n" in text else []
    heads = [line.partition(":")[0].strip(" \t-*'\"`") for line in lines if ":" in line]
    return bool(lines) and (EXAMPLE in text or any(fold(name) in names for name in heads))


def _spelt(names: frozenset[str], node: Node, value: Any) -> str:
    """Returns the text of a scalar between its tags. A text is verbatim unless it would be read as another value."""
    if not isinstance(value, str) or node.kind != "str" or value.lower() in NULL_WORDS:
        return scalar_text(node, value)
    if _ENTITY.search(value) and not _BARE_MARKUP.search(value):
        return escape_value(value, touched=False)
    text = escape_tags(names, value, _reference)
    for opener, closer in _HIDING:
        if text.rfind(opener) > text.rfind(closer):
            before, _opener, after = text.rpartition(opener)
            text = f"{before}{_reference('<')}{opener[1:]}{after}"
    return text


def _reference(bracket: str) -> str:
    return "&lt;" if bracket == "<" else f"&#{ord(bracket)};"


_WRITERS: dict[str, Callable[[Plan, Any], str]] = {
    "xml": lambda plan, data: to_xml(plan, data, partial(_spelt, tag_names(plan) | ITEMS)),
    "json": lambda plan, data: to_json(data, tag_names(plan)),
    "yaml": lambda plan, data: to_yaml(data, partial(_hidden, tag_names(plan))),
    "schema": lambda plan, data: to_json(data, tag_names(plan)),
}
