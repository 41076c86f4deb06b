"""Writes prompts in any format: instructions, the form of the answer, examples."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, TypeAlias, get_args

from ..definition import Plan
from .examples import example_text, examples_text
from .instructions import INSTRUCTIONS
from .prompt_xml import xml_prompt
from .schema import schema_of, schema_text
from .signature import json_signature, signature_of, yaml_signature

__all__ = ["PromptFormat", "example_text", "json_signature", "schema_of", "schema_text", "to_prompt", "yaml_signature"]

PromptFormat: TypeAlias = Literal["xml", "json", "yaml", "schema"]
"""The format of a prompt. A schema asks for JSON."""


def to_prompt(plan: Plan, form: PromptFormat, *, instructions: bool = False, examples: Sequence[Any] = ()) -> str:
    """Returns the prompt of a definition, without a final line break. `examples` are data of instances, typed by the
    plan's definition.

    Raises `ValueError` for an unknown format, and `MissingExtraError` for YAML without PyYAML.
    """
    if form not in _FORMS:
        raise ValueError(f"format is one of {', '.join(map(repr, get_args(PromptFormat)))}, not {form!r}"[:200])
    parts = [INSTRUCTIONS[form].rstrip("\n")] if instructions else []
    parts.append(_FORMS[form](plan))
    parts += [examples_text(plan, form, examples)] if examples else []
    return "\n\n".join(parts)


def _json_form(plan: Plan) -> str:
    """Returns the signature followed by its notes, since JSON has no comments."""
    notes = signature_of(plan).notes
    lines = [f"{path}: {about}" for path, about in notes.items()]
    return "\n".join([json_signature(plan), *([""] if lines else []), *lines])


def _yaml_form(plan: Plan) -> str:
    """Returns the signature, with its notes as comments in front."""
    notes = signature_of(plan).notes
    comments = [f"# {line}" for path, about in notes.items() for line in f"{path}: {about}".splitlines()]
    return "\n".join([*comments, yaml_signature(plan)])


_FORMS: dict[str, Callable[[Plan], str]] = {
    "xml": xml_prompt,
    "json": _json_form,
    "yaml": _yaml_form,
    "schema": schema_text,
}
