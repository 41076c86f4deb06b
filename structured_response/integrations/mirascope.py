"""An output parser for Mirascope."""

from __future__ import annotations

from typing import TypeVar

from .. import ReplyError, StructuredResponse
from ..asking.session import response_of
from ..errors import needs
from . import read_last

with needs("mirascope", "mirascope"):
    from mirascope import llm

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

    Raises:
        DefinitionError: The type cannot be described.
    """
    asked: StructuredResponse[ModelT] = response_of(model)

    def read(response: llm.AnyResponse) -> ModelT:
        try:
            said = []
            for message in response.messages:
                parts = [message.content] if message.role == "system" else message.content
                said.append((message.role == "assistant", "".join(part.text for part in parts if part.type == "text")))
            return read_last(asked, said).to_basemodel()
        except ReplyError as error:
            raise AskAgainError(error.problems, error.reply, error.response) from error

    return llm.output_parser(formatting_instructions=asked.to_prompt(instructions=True))(read)
