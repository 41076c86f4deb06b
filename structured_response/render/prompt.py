"""Writes prompts in any format: instructions, the form of the answer, examples."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, TypeAlias, get_args

from ..definition import Plan
from .examples import example_text, examples_text
from .prompt_xml import xml_prompt
from .signature import json_signature, schema_of, schema_text, signature_of, yaml_signature

__all__ = ["PromptFormat", "example_text", "json_signature", "schema_of", "schema_text", "to_prompt", "yaml_signature"]

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
    """Returns the prompt of a definition, without a final line break. `examples` are data of instances, typed by the
    plan's definition.

    Raises `ValueError` for an unknown format, and `MissingExtraError` for YAML without PyYAML.
    """
    if form not in _FORMS:
        raise ValueError(f"format is one of {', '.join(map(repr, get_args(PromptFormat)))}, not {form!r}"[:200])
    parts = [_INSTRUCTIONS[form].rstrip("\n")] if instructions else []
    parts.append(_FORMS[form](plan))
    parts += [examples_text(plan, form, examples)] if examples else []
    return "\n\n".join(parts)


def _json_form(plan: Plan) -> str:
    """Returns the signature followed by its notes, since JSON has no comments."""
    notes = "\n".join(f"{path}: {about}" for path, about in signature_of(plan).notes.items())
    return f"{json_signature(plan)}\n\n{notes}" if notes else json_signature(plan)


def _yaml_form(plan: Plan) -> str:
    """Returns the signature, with its notes as comments in front."""
    notes = (f"{path}: {about}" for path, about in signature_of(plan).notes.items())
    return "\n".join([*(f"# {line}" for note in notes for line in note.splitlines()), yaml_signature(plan)])


_FORMS: dict[str, Callable[[Plan], str]] = {
    "xml": xml_prompt,
    "json": _json_form,
    "yaml": _yaml_form,
    "schema": schema_text,
}
