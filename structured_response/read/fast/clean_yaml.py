"""Reads strict YAML that fits a definition as the tree of its texts, with the readers of clean JSON.

It steps aside where YAML differs from what people read, such as comments, words for null and code.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from ...data.load import plain_scalar, yaml_data
from ...definition import Plan, per_plan
from ...errors import InstanceError, MissingExtraError
from ...escaping import BLANK, NULL_WORDS, SPECIAL_ENDS, is_encodable
from ...render.json import holds_tag, tag_names
from ..answer import MAX_REPLY
from .clean_json import Bare, Clean, Meant, data_reader
from .nodes import UNREADABLE
from .texts import AsideError

_CODE = re.compile(r"(?:str|int|float|bool)[ \t]*=")
"""The text behind the colon in a line of Python: a type and its value."""


@per_plan
def read_yaml(plan: Plan) -> Callable[[str, int, int], Clean | None]:
    read_root, names = data_reader(plan), tag_names(plan)

    def read(reply: str, start: int, end: int) -> Clean | None:
        text = reply[start:end]
        is_json = text[:1] in ("{", "[") and text.strip(BLANK) not in ("{}", "[]")
        if is_json or len(reply) > MAX_REPLY or not is_encodable(reply) or text.rstrip(BLANK).endswith(SPECIAL_ENDS):
            return None
        try:
            data = yaml_data(text, partial(_scalar, names, text), partial(_without_comments, text))
            return Clean(read_root(data, (), None), (start, end), [])
        except (*UNREADABLE, InstanceError, MissingExtraError):
            return None

    return read


def _without_comments(text: str, events: Iterator[Any]) -> Iterator[Any]:
    """Yields the events of a text. Steps aside if a comment follows a scalar, as all comments do."""
    last = 0
    for event in events:
        if "#" in text[last : event.start_mark.index]:
            raise AsideError
        if hasattr(event, "style"):  # a scalar
            last = event.end_mark.index
        yield event


def _scalar(names: frozenset[str], text: str, event: Any) -> Any:
    """Returns a scalar as its text. Steps aside where people would read another value."""
    value, source = plain_scalar(event), text[event.start_mark.index : event.end_mark.index]
    if holds_tag(names, source):
        raise AsideError
    if type(value) in (int, float):
        return Bare(_NOT_FINITE.get(str(value).lower(), event.value) if type(value) is float else event.value)
    if event.style in _BLOCKS:
        is_kept = "+" in source.partition("\n")[0]
        value = value if is_kept else value.removesuffix("\n")  # the last line break is layout
        return Meant(value) if event.style == "|" else value
    is_plain = type(value) is str and not event.style
    if is_plain and (value.lower() in NULL_WORDS or "\n" in source or _CODE.match(value) is not None):
        raise AsideError
    return value


_BLOCKS = ("|", ">")
_NOT_FINITE = {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}
