"""An output parser for Mirascope."""

from __future__ import annotations

from typing import Any, TypeVar

from .. import ReplyError, StructuredResponse
from ..asking.api import response_of
from ..errors import MissingExtraError
from .conversation import read_last

try:
    from mirascope import llm
except ModuleNotFoundError as error:
    raise MissingExtraError("mirascope", "mirascope") from error

__all__ = ["AskAgainError", "output_parser"]

ModelT = TypeVar("ModelT")


class AskAgainError(ReplyError):
    """A reply that falls short. Its message asks for what is wrong; Mirascope sends it to the language model."""

    def __str__(self) -> str:
        return super().__str__() if self.response is None else str(self.response.to_reask())


def output_parser(model: type[ModelT] | StructuredResponse[ModelT]) -> llm.OutputParser[ModelT]:
    """Makes the `format` of a call: `@llm.call(..., format=output_parser(Review))`.

    Args:
        model: A model, any other type, or a response that asks for something.

    Returns:
        A parser. With it, `response.validate(max_retries=2)` asks again only for what is wrong.
    """
    asked: StructuredResponse[ModelT] = response_of(model)

    def read(response: llm.AnyResponse) -> ModelT:
        try:
            return read_last(asked, _turns(response.messages)).to_basemodel()
        except ReplyError as error:
            raise AskAgainError(error.problems, error.reply, error.response) from error

    return llm.output_parser(formatting_instructions=asked.to_prompt(instructions=True))(read)


def _turns(messages: Any) -> list[tuple[str, str]]:
    """The replies, each with the message that followed it."""
    following = [*messages[1:], None]
    return [
        (_text(message), "" if then is None else _text(then))
        for message, then in zip(messages, following, strict=True)
        if message.role == "assistant"
    ]


def _text(message: Any) -> str:
    parts = [message.content] if message.role == "system" else message.content
    return "".join(part.text for part in parts if part.type == "text")
