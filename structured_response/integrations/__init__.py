"""Adapters for other frameworks: `dspy`, `langchain`, `mirascope`, `pydantic_ai`. Each needs its framework."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from .. import ReplyError, StructuredResponse

ModelT = TypeVar("ModelT")


def read_last(asked: StructuredResponse[ModelT], said: Iterable[tuple[bool, str]]) -> StructuredResponse[ModelT]:
    """Reads the last reply, which amends the one before it if that was followed by its `to_reask`."""
    read, reply = asked.parse, ""
    for is_reply, text in said:
        if is_reply:
            reply = text
        elif reply:
            right = None
            try:
                read(reply)
            except ReplyError as error:
                right = error.response
            read = right.amend if right is not None and right.to_reask() in text else asked.parse
            reply = ""
    return read(reply)
