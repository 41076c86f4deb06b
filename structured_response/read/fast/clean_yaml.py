"""YAML to the letter that says what a definition asks for -> the tree of its texts, by the readers of clean JSON.

It steps aside for what YAML reads otherwise than people: comments, texts over several lines without quotes, words for
nothing, code that looks like YAML.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any

from ...definition import Plan, per_plan
from ...errors import InstanceError, MissingExtraError
from ...limits import MAX_REPLY
from ...markup import BLANK, NULL_WORDS, SPECIAL_ENDS, is_encodable
from ...write.tags import holds_tag, tag_names
from ..plain import Builder, yaml_data
from .clean_json import Bare, Clean, Meant, data_reader
from .nodes import UNREADABLE
from .texts import AsideError

__all__ = ["read_yaml"]

_CODE = re.compile(r"(?:str|int|float|bool)[ \t]*=")
"""What stands behind the colon in a line of Python: a type and its value."""


@per_plan
def read_yaml(plan: Plan) -> Callable[[str, int, int], Clean | None]:
    """Return the function that reads a stretch of a reply that is YAML."""
    read_root, names = data_reader(plan), tag_names(plan)

    def read(reply: str, start: int, end: int) -> Clean | None:
        text = reply[start:end]
        is_json = text[:1] in ("{", "[") and text.strip(BLANK) not in ("{}", "[]")
        if is_json or len(reply) > MAX_REPLY or not is_encodable(reply) or text.rstrip(BLANK).endswith(SPECIAL_ENDS):
            return None
        try:
            return Clean(read_root(yaml_data(text, partial(_Builder, names)), 0), (start, end), [])
        except (*UNREADABLE, InstanceError, MissingExtraError):
            return None

    return read


class _Builder(Builder):
    """Keeps numbers as their texts. `last` is where the last scalar ends: behind it there may be comments."""

    def __init__(self, names: frozenset[str], yaml: Any, text: str) -> None:
        super().__init__(yaml, text)
        self.names = names
        self.last = 0

    def take(self, event: Any) -> None:
        if "#" in self.text[self.last : event.start_mark.index]:
            raise AsideError
        if isinstance(event, self.yaml.ScalarEvent):
            self.last = event.end_mark.index
        super().take(event)

    def scalar(self, event: Any) -> Any:
        value, source = super().scalar(event), self.text[event.start_mark.index : event.end_mark.index]
        if holds_tag(self.names, source):
            raise AsideError
        if type(value) in (int, float):
            return Bare(_NOT_FINITE.get(str(value).lower(), event.value) if type(value) is float else event.value)
        if event.style in _BLOCKS:
            is_kept = "+" in source.partition("\n")[0]
            value = value if is_kept else value.removesuffix("\n")  # which is layout
            return Meant(value) if event.style == "|" else value
        is_plain = type(value) is str and not event.style
        if is_plain and (value.lower() in NULL_WORDS or "\n" in source or _CODE.match(value) is not None):
            raise AsideError
        return value


_BLOCKS = ("|", ">")
_NOT_FINITE = {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}
