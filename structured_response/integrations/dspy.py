"""An adapter for DSPy."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from pydantic import ConfigDict, Field, create_model
from pydantic_core import PydanticUndefined

from .. import ReplyError, StructuredResponse
from ..definition import snake_case
from ..definition.names import MAX_COMPILED
from ..errors import needs

with needs("dspy", "dspy"):
    from dspy.adapters.chat_adapter import ChatAdapter
    from dspy.utils.exceptions import AdapterParseError

__all__ = ["StructuredResponseAdapter"]

_CONFIG = ConfigDict(arbitrary_types_allowed=True, protected_namespaces=())


class StructuredResponseAdapter(ChatAdapter):
    """Asks for a signature's output fields by this library's prompt, and reads the reply by its reader.

    Demonstrations are shown as clean answers. A reply that falls short raises `AdapterParseError`, with the
    `ReplyError` as its cause; DSPy does not ask again in another format.

    Args:
        options: The options of DSPy's `ChatAdapter`.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"use_json_adapter_fallback": False, **options})

    def format_field_structure(self, signature: Any) -> str:
        """Returns the prompt that asks for a signature's output fields, with instructions."""
        return f"Your answer has this form.\n\n{_response(signature).to_prompt(instructions=True)}"

    def user_message_output_requirements(self, signature: Any) -> str:
        """Returns the sentence at the end of a question."""
        return f"Respond as instructed with the fields of <{snake_case(signature.__name__)}>, filled in."

    def format_assistant_message_content(
        self, signature: Any, outputs: dict[str, Any], missing_field_message: str | None = None
    ) -> str:
        """Returns a demonstration's output fields as a clean answer, without those that it lacks."""
        known = {name: outputs[name] for name in signature.output_fields if name in outputs}
        return str(StructuredResponse.from_basemodel(_model(signature, tuple(known))(**known)))

    def parse(self, signature: Any, completion: str) -> dict[str, Any]:
        """Reads a reply. Returns the values of the signature's output fields, by name.

        Raises:
            AdapterParseError: The reply falls short. The cause is the `ReplyError`.
        """
        try:
            model = _response(signature).parse(completion).to_basemodel()
        except ReplyError as error:
            read = None if error.response is None else error.response.to_dict()
            raise AdapterParseError(type(self).__name__, signature, completion, str(error), read) from error
        return {name: getattr(model, name) for name in signature.output_fields}


def _response(signature: Any) -> StructuredResponse[Any]:
    return StructuredResponse.from_basemodel(_model(signature, tuple(signature.output_fields)))


@lru_cache(MAX_COMPILED)
def _model(signature: Any, names: tuple[str, ...]) -> Any:
    fields: dict[str, Any] = {}
    for name in names:
        field = signature.output_fields[name]
        said = (field.json_schema_extra or {}).get("desc")
        described = None if said == f"${{{name}}}" else said  # the placeholder of a field without a description
        default = ... if field.default is PydanticUndefined else field.default
        fields[name] = (field.annotation, Field(default, description=described))
    return create_model(signature.__name__, __config__=_CONFIG, **fields)
