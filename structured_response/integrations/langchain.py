"""An output parser for LangChain."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from pydantic import PrivateAttr

from .. import ReplyError, StructuredResponse
from ..asking.session import response_of
from ..errors import needs

with needs("langchain-core", "langchain"):
    from langchain_core.exceptions import OutputParserException
    from langchain_core.output_parsers import BaseOutputParser

__all__ = ["StructuredResponseParser"]

ModelT = TypeVar("ModelT")


class StructuredResponseParser(BaseOutputParser[ModelT], Generic[ModelT]):
    """Reads a reply into a model: `prompt | llm | StructuredResponseParser.of(Review)`."""

    _response: StructuredResponse[Any] = PrivateAttr()

    @classmethod
    def of(cls, model: type[ModelT] | StructuredResponse[ModelT]) -> StructuredResponseParser[ModelT]:
        """Makes a parser.

        Args:
            model: A model, any other type, or a response that asks for something.

        Raises:
            DefinitionError: The type cannot be described.
        """
        made = cls()
        made._response = response_of(model)
        return made

    @property
    def OutputType(self) -> Any:  # noqa: N802 - LangChain's name
        """The type of the answer, by which chains describe their output; Any if there is none."""
        model = self._response._plan.model  # noqa: SLF001 - no public name has it
        return Any if model is None else model

    def get_format_instructions(self) -> str:
        """Returns the prompt that asks for the model."""
        return self._response.to_prompt(instructions=True)

    def parse(self, text: str) -> ModelT:
        """Reads a reply into the model.

        Raises:
            OutputParserException: The reply falls short. The cause is the `ReplyError`, and `observation` asks only for
                what is wrong: send it after the reply, and pass the next reply to `amend`.
        """
        return self._model_of(self._response.parse, text)

    def amend(self, error: OutputParserException, text: str) -> ModelT:
        """Reads the reply to the `observation` of an earlier error. Returns the whole model.

        Args:
            error: What `parse` or `amend` raised.
            text: The reply.

        Raises:
            OutputParserException: Something is still wrong.
        """
        cause = error.__cause__
        earlier = cause.response if isinstance(cause, ReplyError) else None
        return self._model_of(self._response.parse if earlier is None else earlier.amend, text)

    def _model_of(self, read: Callable[[str], StructuredResponse[ModelT]], text: str) -> ModelT:
        try:
            return read(text).to_basemodel()
        except ReplyError as error:
            again = self.get_format_instructions() if error.response is None else error.response.to_reask()
            raise OutputParserException(str(error), again, text, send_to_llm=True) from error

    @property
    def _type(self) -> str:
        return "structured_response"
