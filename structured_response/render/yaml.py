"""Writes an instance as YAML that every loader, and the reader, load as the same data. PyYAML writes it."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from functools import cache, partial
from typing import Any, TypeAlias

from ..errors import needs
from ..escaping import GAP, NULL_WORDS, PRIVATE_USE
from .json import is_like_prompt

Hide: TypeAlias = Callable[[str], str]
"""A function from a character to its stand-in, which is written as an escape in the end."""

_BREAKS = re.compile("[\x85\u2028\u2029\ufeff\ue000-\uf8ff]")
"""Characters that PyYAML would write verbatim in single quotes and load as others, and those that only escapes show."""

_LIKE_NUMBER = re.compile(
    r"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:e[-+]?[0-9]+)?|0[xo][0-9a-f]+|[-+]?\.?(?:inf|infinity|nan)", re.IGNORECASE
)
"""Texts that some loader takes for a number, although PyYAML's does not."""


def to_yaml(data: Any, hidden: Callable[[str, Hide], str] | None = None, *, is_signature: bool = False) -> str:
    """Returns plain data as YAML in block style. `hidden` hides characters of a text that must become escapes."""
    if hidden is None:
        return _dumped(data, is_signature)
    plain = _dumped(data, False)
    unused = (char for char in map(chr, range(*PRIVATE_USE)) if char not in plain)
    covers: dict[str, str] = {}  # PyYAML writes texts with private characters in double quotes, which have escapes

    def hide(char: str) -> str:
        if char not in covers:
            covers[char] = next(unused, char)
        return covers[char]

    text = _dumped(_changed(data, lambda inner: hidden(inner, hide)), False)
    for char, cover in covers.items():
        text = text.replace(cover, f"\\u{ord(char):04x}")
    return text


def _changed(data: Any, change: Callable[[str], str]) -> Any:
    if isinstance(data, str):
        return change(data)
    if isinstance(data, dict):
        return {change(name): _changed(value, change) for name, value in data.items()}
    return [_changed(item, change) for item in data] if isinstance(data, list) else data


def _dumped(data: Any, is_signature: bool) -> str:
    options = {"sort_keys": False, "allow_unicode": True, "width": sys.maxsize, "default_flow_style": False}
    text: str = _dump(is_signature)(data, **options)
    return text.removesuffix("\n").removesuffix("\n...")


@cache
def _dump(is_signature: bool) -> Any:
    """Returns PyYAML's safe `dump`, with texts in a lossless style and without references."""
    with needs("PyYAML", "formats"):
        import yaml

    class Dumper(yaml.SafeDumper):
        def ignore_aliases(self, data: Any) -> bool:
            return True

    def represent(dumper: Any, text: str) -> Any:
        return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=_style(text, is_signature))

    Dumper.add_representer(str, represent)
    return partial(yaml.dump, Dumper=Dumper)


def _style(text: str, is_signature: bool) -> str | None:
    """Returns a block for several lines, quotes if a text could be taken for another value, else PyYAML's choice."""
    if _BREAKS.search(text):
        return '"'
    if "\n" in text:
        is_block = text[0] not in GAP and text[-1] != "\n"
        return "|" if is_block and not is_signature else '"'
    if is_like_prompt(text) and not is_signature:
        return "|"
    is_bare = text == text.strip() == text.strip(GAP)
    return None if is_bare and text.lower() not in NULL_WORDS and not _LIKE_NUMBER.fullmatch(text) else "'"
