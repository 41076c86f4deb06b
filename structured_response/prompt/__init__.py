"""A definition as the text that tells a language model what to write."""

from .xml import to_prompt

__all__ = ["to_prompt"]
