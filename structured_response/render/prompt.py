"""Writes prompts in any format: instructions, the form of the answer, examples."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Literal, TypeAlias, get_args

from ..definition import Node, Plan, fold
from ..escaping import EXAMPLE, NULL_WORDS, escape_value, heading
from .json import ITEMS, escape_tags, tag_names, to_json
from .prompt_xml import xml_prompt
from .signature import json_signature, schema_text, signature_of, yaml_signature
from .xml import scalar_text, to_xml
from .yaml import to_yaml

PromptFormat: TypeAlias = Literal["xml", "json", "yaml", "schema"]
"""The format of a prompt. A schema asks for JSON."""


_FORM = """\
Answer with {name} of this form and nothing after it, descriptions replaced by values. Lists take any number of items.
What is optional may be left out.
"""

_INSTRUCTIONS = {
    "xml": """\
Answer with this XML and nothing after it, each [...] replaced by its value. Copy no attribute but key. '...': any
number of items. required='false': may be left out. Write text as it is: no escaping, no CDATA.
""",
    "json": _FORM.format(name="JSON"),
    "yaml": _FORM.format(name="YAML"),
    "schema": """\
Answer with one JSON object and nothing after it, with a value for each field below. What is not required may be left
out.
""",
}
"""How to answer. In XML no escapes are asked for: a model that escapes forgets some, while the reader has raw markup to
the character.
"""


def to_prompt(plan: Plan, form: PromptFormat, *, instructions: bool = False, examples: Sequence[Any] = ()) -> str:
    """Returns a prompt without a final line break. `examples` are typed data. Raises `ValueError` for the format."""
    if form not in _FORMS:
        raise ValueError(f"format is one of {', '.join(map(repr, get_args(PromptFormat)))}, not {form!r}"[:200])
    parts = [_INSTRUCTIONS[form].rstrip("\n")] if instructions else []
    parts.append(_FORMS[form](plan))
    parts += [f"{heading(number)}\n{example_text(plan, form, data)}" for number, data in enumerate(examples, 1)]
    return "\n\n".join(parts)


def _json_form(plan: Plan) -> str:
    notes = "\n".join(f"{path}: {about}" for path, about in signature_of(plan).notes.items())
    return f"{json_signature(plan)}\n\n{notes}" if notes else json_signature(plan)


def _yaml_form(plan: Plan) -> str:
    notes = (f"{path}: {about}" for path, about in signature_of(plan).notes.items())
    return "\n".join([*(f"# {line}" for note in notes for line in note.splitlines()), yaml_signature(plan)])


_FORMS: dict[str, Callable[[Plan], str]] = {
    "xml": xml_prompt,
    "json": _json_form,
    "yaml": _yaml_form,
    "schema": schema_text,
}


# Examples: data in the prompt's format, below headings that distinguish them from an answer. Texts are verbatim, so
# that a language model sees what to write. Only tags, and text that looks like a part of the example, are escaped.


_ENTITY = re.compile(r"&(?:#|[A-Za-z][A-Za-z0-9]*;)")
_BARE_MARKUP = re.compile(r"<[A-Za-z/!?]")
_HIDING = (("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>"))


def example_text(plan: Plan, form: str, data: Any) -> str:
    names = tag_names(plan)
    if form == "xml":
        return to_xml(plan, data, partial(_spelt, names | ITEMS))
    return to_yaml(data, partial(_hidden, names)) if form == "yaml" else to_json(data, names)


def _hidden(names: frozenset[str], text: str, hide: Callable[[str], str]) -> str:
    return escape_tags(names, text.replace("\n", hide("\n")) if _looks_like_lines(names, text) else text, hide)


def _looks_like_lines(names: frozenset[str], text: str) -> bool:
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
