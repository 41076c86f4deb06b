"""The instance as JSON that reading gives back as the same data."""

from __future__ import annotations

import json
import re
from typing import Any

from ..errors import InstanceError
from .tags import escape_tags

__all__ = ["is_like_prompt", "to_json"]

_STRING = re.compile(r'"((?:[^"\\]|\\.)*+)"')
_CONTROL = re.compile(r"(?<!\\)((?:\\\\)*+)\\([bf])")
_CODES = {"b": "\\u0008", "f": "\\u000c"}
_MARKS = (" - as ", "[value here]", "[the same elements as in ", "(required)", "(optional)")
_LIKE_PROMPT = re.compile(
    r"\[.* - as .*\]|\[value here\]|\[the same elements as in .*\]|.*\((?:required|optional)\)", re.DOTALL
)


def to_json(data: Any, names: frozenset[str] = frozenset()) -> str:
    """Plain data as JSON, indented by four, characters as they are. NaN and infinities as Python's `json` writes
    them, which JSON has no words for.

    Tags of `names` begin with an escape, so that they are none, and so does a text that a prompt could have shown in
    a value's place. `\\b` and `\\f` are never written: who finds them takes them for a backslash that was not doubled.
    Raises `InstanceError` for a number that Python will not write.
    """
    try:
        text = json.dumps(data, indent=4, ensure_ascii=False)
    except ValueError as error:
        raise InstanceError(f"the instance holds what JSON cannot: {error}") from error
    if "\\b" in text or "\\f" in text:
        text = _CONTROL.sub(lambda escape: escape[1] + _CODES[escape[2]], text)
    text = escape_tags(names, text, _escaped) if names else text
    return _STRING.sub(_told_apart, text) if is_like_prompt(text) else text


def is_like_prompt(text: str) -> bool:
    """Whether it holds what only prompts and echoes of them hold, as a rule."""
    return any(mark in text for mark in _MARKS)


def _told_apart(string: re.Match[str]) -> str:
    inner = string[1]
    if not _LIKE_PROMPT.fullmatch(inner) or inner.startswith("\\"):
        return string[0]
    return f'"{_escaped(inner[0])}{inner[1:]}"'


def _escaped(char: str) -> str:
    return json.dumps(char)[1:-1] if ord(char) > 0x7F else f"\\u{ord(char):04x}"
