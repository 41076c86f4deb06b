"""Examples in a prompt: data in the prompt's format, below headings that tell them from an answer.

A text in them stands as it is, so that a language model sees what it is to write, but no tag in it is one of the
definition's: what would end the example, or pass for a part of it, is escaped as its format escapes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import accumulate
from typing import Any

from ..definition import ITEM_NAMES, Node, Plan, fold, per_plan, walk
from ..markup import EXAMPLE, NULL_WORDS, PRIVATE_USE, escape_value, heading
from ..write import scalar_text, to_json, to_xml, to_yaml

__all__ = ["example_text", "examples_text"]

_TAG = re.compile(r"[<\uff1c](?=[\s/\uff0f]*+([^<>/='\"\uff1c\uff1e]{1,100}+))")
_ENTITY = re.compile(r"&(?:#|[A-Za-z][A-Za-z0-9]*;)")
_BARE_MARKUP = re.compile(r"<[A-Za-z/!?]")
_HIDING = (("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>"))
_OF_CALLS = ("function", "parameter", "invoke", "tool_call", "arguments")
"""Elements by which language models call tools, with names of the definition in their attributes."""


def examples_text(plan: Plan, form: str, examples: Sequence[Any]) -> str:
    """The examples as they stand behind a prompt. Each is data of an instance, typed by the plan's definition."""
    shown = (example_text(plan, form, data) for data in examples)
    return "\n\n".join(f"{heading(number)}\n{text}" for number, text in enumerate(shown, 1))


def example_text(plan: Plan, form: str, data: Any) -> str:
    """One example, without its heading."""
    return _WRITERS[form](plan, data)


def _xml(plan: Plan, data: Any) -> str:
    return to_xml(plan, data, partial(_spelt, _names(plan)))


def _json(plan: Plan, data: Any) -> str:
    return _neutral(_names(plan), to_json(data), lambda bracket: f"\\u{ord(bracket):04x}")


def _yaml(plan: Plan, data: Any) -> str:
    """Only texts in double quotes have escapes: what PyYAML writes as such holds other characters in their place."""
    text, names = to_yaml(data), _names(plan)
    hidden: dict[str, str] = {}
    unused = (char for char in map(chr, range(*PRIVATE_USE)) if char not in text)

    def hide(char: str) -> str:
        if char not in hidden:
            hidden[char] = next(unused)
        return hidden[char]

    def change(held: str) -> str:
        lines = _looks_like_lines(names, held)
        return _neutral(names, held.replace("\n", hide("\n")) if lines else held, hide)

    written = to_yaml(_changed(data, change))
    for char, hiding in hidden.items():
        written = written.replace(hiding, f"\\u{ord(char):04x}")
    return written


def _looks_like_lines(names: frozenset[str], text: str) -> bool:
    """Whether some line of a text could be taken for one of the definition's fields, or for a heading."""
    heads = (line.partition(":") for line in text.splitlines()) if "\n" in text else ()
    return any(
        colon and (fold(name.strip(" \t-*'\"`")) in names or EXAMPLE in f"{name}:") for name, colon, _rest in heads
    )


def _changed(data: Any, change: Callable[[str], str]) -> Any:
    """Plain data with its texts changed, names too."""
    if isinstance(data, str):
        return change(data)
    if isinstance(data, dict):
        return {change(name): _changed(value, change) for name, value in data.items()}
    return [_changed(item, change) for item in data] if isinstance(data, list) else data


_WRITERS: dict[str, Callable[[Plan, Any], str]] = {"xml": _xml, "json": _json, "yaml": _yaml, "schema": _json}


@per_plan
def _names(plan: Plan) -> frozenset[str]:
    """The folded names of all elements that an answer can have."""
    nodes = list(walk(plan.root))
    names = {name for node in nodes for name in (*node.fields, *node.options(), *_aliases(node))}
    names |= {node.name for node in nodes if node.name}
    return frozenset(map(fold, (plan.root_name, *names, *ITEM_NAMES, *_OF_CALLS)))


def _aliases(node: Node) -> Iterator[str]:
    return (alias for field in node.fields.values() for alias in field.aliases)


def _spelt(names: frozenset[str], node: Node, value: Any) -> str:
    """A scalar between its tags. A text stands as it is, unless it would be read as something else."""
    if not isinstance(value, str) or node.kind != "str" or value.lower() in NULL_WORDS:
        return scalar_text(node, value)
    if _ENTITY.search(value) and not _BARE_MARKUP.search(value):
        return escape_value(value, touched=False)
    text = _neutral(names, value, _reference)
    for opener, closer in _HIDING:
        if text.rfind(opener) > text.rfind(closer):
            before, _opener, after = text.rpartition(opener)
            text = f"{before}{_reference('<')}{opener[1:]}{after}"
    return text


def _neutral(names: frozenset[str], text: str, escaped: Callable[[str], str]) -> str:
    """A text without the definition's tags: their brackets are escaped, all else is as it was."""
    return _TAG.sub(lambda tag: escaped(tag[0]) if _is_named(names, tag[1]) else tag[0], text)


def _is_named(names: frozenset[str], inside: str) -> bool:
    """Whether what stands behind a bracket begins with a name of the definition, blanks in it or not."""
    words = inside.split()[:6]
    return any(fold(name) in names for name in accumulate(words))


def _reference(bracket: str) -> str:
    return "&lt;" if bracket == "<" else f"&#{ord(bracket)};"
