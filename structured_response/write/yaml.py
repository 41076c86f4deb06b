"""The instance as YAML that every loader, and reading, gives back as the same data. PyYAML writes it."""

from __future__ import annotations

import re
import sys
from functools import cache
from typing import Any

from ..errors import InstanceError, MissingExtraError
from ..markup import GAP, NULL_WORDS
from .json import is_like_prompt

__all__ = ["to_yaml"]

_BREAKS = re.compile("[\x85\u2028\u2029\ufeff\ue000-\uf8ff]")
"""What PyYAML would write as it is in single quotes, and load as something else, and what only escapes show."""

_LIKE_NUMBER = re.compile(
    r"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:e[-+]?[0-9]+)?|0[xo][0-9a-f]+|[-+]?\.?(?:inf|infinity|nan)", re.IGNORECASE
)
"""Texts that some loader takes for a number, though PyYAML's does not."""


def to_yaml(data: Any, *, is_signature: bool = False) -> str:
    """Plain data as YAML in block style, without a final line break. Raises `MissingExtraError` without PyYAML, and
    `InstanceError` for a number that Python will not write.

    A text that a signature could show in a value's place is a block, which a signature has none of.
    """
    options = {"sort_keys": False, "allow_unicode": True, "width": sys.maxsize, "default_flow_style": False}
    try:
        text: str = _yaml().dump(data, Dumper=_dumper(is_signature), **options)
    except ValueError as error:
        raise InstanceError(f"the instance holds what YAML cannot: {error}") from error
    return text.removesuffix("\n").removesuffix("\n...")


def _yaml() -> Any:
    try:
        import yaml
    except ImportError as error:
        raise MissingExtraError("PyYAML", "formats") from error
    return yaml


@cache
def _dumper(is_signature: bool) -> Any:
    """PyYAML's safe dumper, with texts in a style that loses nothing, and every value written out in its place."""

    class Dumper(_yaml().SafeDumper):  # type: ignore[misc]
        def ignore_aliases(self, data: Any) -> bool:
            return True

    def represent(dumper: Any, text: str) -> Any:
        return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=_style(text, is_signature))

    Dumper.add_representer(str, represent)
    return Dumper


def _style(text: str, is_signature: bool) -> str | None:
    """How a text is written: as a block where it has lines, in quotes where it could be taken for something else, and
    as PyYAML likes else.
    """
    if _BREAKS.search(text):
        return '"'
    if "\n" in text:
        is_block = text[0] not in GAP and text[-1] != "\n"
        return "|" if is_block and not is_signature else '"'
    if is_like_prompt(text) and not is_signature:
        return "|"
    return "'" if text.lower() in NULL_WORDS or _LIKE_NUMBER.fullmatch(text) else None
