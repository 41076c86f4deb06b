"""An output function for pydantic-ai."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeVar

from .. import ReplyError, StructuredResponse
from ..asking.session import response_of
from ..errors import needs
from . import read_last

with needs("pydantic-ai", "pydantic-ai"):
    from pydantic_ai import ModelRetry, RunContext, TextOutput
    from pydantic_ai.messages import ModelMessage, ModelResponse

__all__ = ["instructions", "output"]

ModelT = TypeVar("ModelT")


def instructions(model: type[ModelT] | StructuredResponse[ModelT]) -> str:
    """Returns the `instructions` of an agent that answers with a model: the prompt that asks for it.

    Args:
        model: A model, any other type, or a response that asks for something.

    Raises:
        DefinitionError: The type cannot be described.
    """
    return response_of(model).to_prompt(instructions=True)


def output(model: type[ModelT] | StructuredResponse[ModelT]) -> TextOutput[ModelT]:
    """Makes the `output_type` of an agent that answers with a model.

    Args:
        model: A model, any other type, or a response that asks for something.

    Returns:
        An output function. After a reply that falls short it asks only for what is wrong, up to the agent's `retries`.

    Raises:
        DefinitionError: The type cannot be described.
    """
    asked: StructuredResponse[ModelT] = response_of(model)

    def read(context: RunContext[Any], text: str) -> ModelT:
        try:
            return read_last(asked, [*_said(context.messages), (True, text)]).to_basemodel()
        except ReplyError as error:
            right = error.response
            raise ModelRetry(asked.to_prompt(instructions=True) if right is None else right.to_reask()) from error

    return TextOutput(read)


def _said(messages: list[ModelMessage]) -> Iterator[tuple[bool, str]]:
    for message in messages:
        if not isinstance(message, ModelResponse):
            yield False, "\n".join(str(getattr(part, "content", "")) for part in message.parts)
        elif message.text is not None:
            yield True, message.text
