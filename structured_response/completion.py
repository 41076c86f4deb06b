"""The messages to a language model, and the completion that comes back."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from decimal import Decimal
from functools import cache
from operator import add
from typing import Any, TypeAlias

from pydantic import TypeAdapter

Message: TypeAlias = Mapping[str, Any]
"""`{"role": ..., "content": ...}` with the role "system", "user" or "assistant"."""

_CUT_OFF = frozenset({"length", "max_tokens", "MAX_TOKENS", "max_output_tokens", "model_context_window_exceeded"})
"""The finish reasons of providers for replies that are cut off."""

_CALLED = frozenset({"tool_calls", "tool_call", "tool_use", "function_call"})
"""The finish reasons of providers for replies that call tools."""

_REFUSED = {
    "refusal": "the language model refused to answer",
    **dict.fromkeys(
        ("content_filter", "SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII"),
        "the provider's content filter ended the reply",
    ),
    **dict.fromkeys(_CALLED, "a tool was called in place of an answer"),
}
"""The finish reasons of providers for replies that do not attempt an answer, in words."""


@dataclass(frozen=True, slots=True)
class Usage:
    """The tokens of a call.

    Attributes:
        input_tokens: The tokens of the messages.
        output_tokens: The tokens of the reply.
        cached_tokens: Those of the messages that the provider's cache had.
        cache_write_tokens: Those of the messages that the provider wrote into its cache.
        reasoning_tokens: Those of the reply that were spent on reasoning.
    """

    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    cache_write_tokens: int = 0
    reasoning_tokens: int = 0

    @property
    def total_tokens(self) -> int:
        """The tokens of the messages and of the reply."""
        return self.input_tokens + self.output_tokens

    def __add__(self, other: Usage) -> Usage:
        return self._with(add, other)

    def __or__(self, other: Usage) -> Usage:
        """Returns the larger of each count, for a stream that counts up."""
        return self._with(max, other)

    def _with(self, join: Callable[[int, int], int], other: Usage) -> Usage:
        return Usage(*(join(getattr(self, name), getattr(other, name)) for name in self.__slots__))

    def __repr__(self) -> str:
        """Omits the details that are 0."""
        counts = {name: getattr(self, name) for name in self.__slots__}
        shown = (f"{name}={count}" for name, count in counts.items() if count or name.startswith(("in", "out")))
        return f"Usage({', '.join(shown)})"


def total_cost(costs: Iterable[Decimal | None]) -> Decimal | None:
    """Returns the sum of costs, or None if one of them is unknown."""
    total = Decimal()
    for cost in costs:
        if cost is None:
            return None
        total += cost
    return total


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool that a language model asks for.

    Attributes:
        id: The provider's name of the call, which the result repeats.
        name: The name of the tool.
        arguments: Its arguments, the JSON text that the language model wrote.
    """

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Completion:
    """The reply of a language model.

    Attributes:
        text: The reply. If the provider returns a refusal in another field, it is the text.
        finish_reason: Why the reply ended, in the provider's own word, or "refusal".
        usage: The tokens of the call.
        tool_calls: The tools that the language model asks for.
    """

    text: str
    finish_reason: str | None = None
    usage: Usage = Usage()
    tool_calls: tuple[ToolCall, ...] = ()

    def __post_init__(self) -> None:
        if not self.text:  # SDKs have None as the content of a message that calls a tool or refuses
            object.__setattr__(self, "text", "")

    @property
    def is_cut_off(self) -> bool | None:
        """Whether the provider says that the text is cut off, or None if it gives no reason."""
        return None if self.finish_reason is None else self.finish_reason in _CUT_OFF

    @property
    def calls_tools(self) -> bool:
        """Whether the provider says that the reply ends in calls of tools."""
        return self.finish_reason in _CALLED

    @property
    def refusal(self) -> str | None:
        """The provider's reason in words, if the text does not attempt an answer: a refusal, a filter or a tool."""
        return None if self.finish_reason is None else _REFUSED.get(self.finish_reason)

    def to_dict(self) -> dict[str, Any]:
        """Return the completion as JSON-compatible data."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: Any) -> Completion:
        """Restore a completion from the data that `to_dict` made.

        Raises:
            ValueError: The data is invalid.
        """
        return _adapter().validate_python(data)


@cache
def _adapter() -> TypeAdapter[Completion]:
    return TypeAdapter(Completion)  # which costs more than all else about a completion


Complete: TypeAlias = Callable[[Any], "str | Completion"]
"""A function that sends a list of messages, which are dicts, to a language model and returns its reply."""

AsyncComplete: TypeAlias = Callable[[Any], Awaitable["str | Completion"]]
"""The same for `aask`."""


class WrongReturnError(TypeError):
    """A `complete` returned no completion: a mistake of the program, which every call has."""


_CLIENTS = {"openai": "openai_chat(client, model=...)", "anthropic": "anthropic_messages(client, model=...)"}
"""The functions of `structured_response.clients` for the clients of SDKs, by package."""


def checked_complete(complete: Any) -> Any:
    """Return `complete`. Raises `TypeError` if it cannot be called, like the client of an SDK."""
    if callable(complete) and not isinstance(complete, type):
        return complete
    maker = _CLIENTS.get(type(complete).__module__.partition(".")[0])
    advice = (
        f"give {maker} of structured_response.clients" if maker else "give a function of messages, or 'openai:MODEL'"
    )
    name = f"the class {complete.__name__}" if isinstance(complete, type) else type(complete).__name__
    raise TypeError(f"{name} cannot be called with messages; {advice}")


def texts_of(messages: Sequence[Message]) -> list[str]:
    """Return the texts of messages: their contents, or the parts of contents that are texts."""
    contents = [message.get("content") for message in messages]
    parts = [part for content in contents if isinstance(content, list) for part in content]
    texts = [*contents, *(part.get("text") for part in parts if isinstance(part, Mapping))]
    return [text for text in texts if isinstance(text, str)]


def messages_of(prompt: str | Sequence[Message]) -> list[Message]:
    """Return the messages of a prompt. Raises `TypeError` for one without a role or content."""
    if isinstance(prompt, str):
        return [{"role": "user", "content": prompt}]
    if not isinstance(prompt, Iterable):
        raise TypeError(f"a prompt is a text or a list of messages, not {type(prompt).__name__}")
    messages: list[Any] = list(prompt)
    for number, message in enumerate(messages):
        if not (isinstance(message, Mapping) and isinstance(message.get("role"), str)):
            raise TypeError(f"message {number} of the prompt has no role; write {{'role': 'user', 'content': ...}}")
        if message.get("content") is None and message["role"] != "assistant":  # which may call tools instead
            raise TypeError(f"message {number} of the prompt has no content")
    return [dict(message) for message in messages]
