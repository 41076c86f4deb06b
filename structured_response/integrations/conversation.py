"""Reading the last reply of a framework's conversation, in which earlier replies may have been right in part."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from .. import ReplyError, StructuredResponse

__all__ = ["read_last"]

ModelT = TypeVar("ModelT")


def read_last(asked: StructuredResponse[ModelT], turns: Sequence[tuple[str, str]]) -> StructuredResponse[ModelT]:
    """The content of the last of several replies, each given with the message that followed it.

    A reply amends the one before it if that was followed by its `to_reask`. All others begin anew. Raises the
    `ReplyError` of the last.
    """
    read = asked.parse
    for reply, following in turns[:-1]:
        failed: StructuredResponse[ModelT] | None = None
        try:
            read(reply)
        except ReplyError as error:
            failed = error.response
        read = failed.amend if failed is not None and failed.to_reask() in following else asked.parse
    return read(turns[-1][0])
