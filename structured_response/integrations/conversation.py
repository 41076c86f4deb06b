"""Reading the last reply of somebody else's conversation, of which earlier ones may hold what was right already."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from .. import ReplyError, StructuredResponse

__all__ = ["read_last", "response_of"]

ModelT = TypeVar("ModelT")


def response_of(model: type[ModelT] | StructuredResponse[ModelT]) -> StructuredResponse[ModelT]:
    """The response that asks for a model, for any other type, or for what it asks for already."""
    return model if isinstance(model, StructuredResponse) else StructuredResponse.from_type(model)


def read_last(asked: StructuredResponse[ModelT], turns: Sequence[tuple[str, str]]) -> StructuredResponse[ModelT]:
    """What the last of several replies says, each given with what was said to it then.

    A reply amends the one before it where that one was asked again for what was wrong with it, by `to_reask`. All
    others begin anew. Raises the `ReplyError` of the last.
    """
    right: StructuredResponse[ModelT] | None = None
    for reply, said in turns[:-1]:
        failed = _failed(asked, right, reply)
        right = failed if failed is not None and failed.to_reask() in said else None
    return _read(asked, right, turns[-1][0])


def _failed(
    asked: StructuredResponse[ModelT], right: StructuredResponse[ModelT] | None, reply: str
) -> StructuredResponse[ModelT] | None:
    try:
        _read(asked, right, reply)
    except ReplyError as error:
        return error.response
    return None


def _read(
    asked: StructuredResponse[ModelT], right: StructuredResponse[ModelT] | None, reply: str
) -> StructuredResponse[ModelT]:
    return asked.parse(reply) if right is None else right.amend(reply)
