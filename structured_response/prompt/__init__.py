"""A definition as the text that tells a language model what to write."""

from .examples import example_text
from .forms import PromptFormat, to_prompt
from .schema import schema_of, schema_text
from .signature import json_signature, yaml_signature

__all__ = ["PromptFormat", "example_text", "json_signature", "schema_of", "schema_text", "to_prompt", "yaml_signature"]
