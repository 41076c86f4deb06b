"""Writes an instance as JSON that is read back as the same data."""

from __future__ import annotations

import json
import re
from typing import Any

from ..errors import InstanceError
from .tags import escape_tags

_STRING = re.compile(r'"((?:[^"\\]|\\.)*+)"')
_CONTROL = re.compile(r"(?<!\\)((?:\\\\)*+)\\([bf])")
_CODES = {"b": "\\u0008", "f": "\\u000c"}
_MARKS = (" - as ", "[value here]", "[the same elements as in ", "(required)", "(optional)")
_LIKE_PROMPT = re.compile(
    r"\[.* - as .*\]|\[value here\]|\[the same elements as in .*\]|.*\((?:required|optional)\)", re.DOTALL
)


def to_json(data: Any, names: frozenset[str] = frozenset()) -> str:
    """Returns plain data as JSON. NaN and infinities are written as Python's `json` writes them, since JSON lacks them.

    Tags of `names`, and texts that a prompt could have shown in a value's place, begin with an escape. `\\b` and `\\f`
    are never written, since readers take them for an undoubled backslash. Raises `InstanceError` for too long a number.
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
    """Returns whether a text holds signs that usually only prompts and echoes of them have."""
    return any(mark in text for mark in _MARKS)


def _told_apart(string: re.Match[str]) -> str:
    inner = string[1]
    if not _LIKE_PROMPT.fullmatch(inner) or inner.startswith("\\"):
        return string[0]
    return f'"{_escaped(inner[0])}{inner[1:]}"'


def _escaped(char: str) -> str:
    return json.dumps(char)[1:-1] if ord(char) > 0x7F else f"\\u{ord(char):04x}"
