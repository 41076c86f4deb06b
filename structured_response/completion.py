"""What passes between this library and whatever calls a language model: messages there, a completion back."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

__all__ = ["AsyncComplete", "Complete", "Completion", "Message", "Usage", "checked_complete", "messages_of"]

Message: TypeAlias = Mapping[str, Any]
"""`{"role": ..., "content": ...}`, the roles being "system", "user" and "assistant"."""

_CUT_OFF = frozenset({"length", "max_tokens", "model_context_window_exceeded"})
"""What providers give as the reason where a reply had to end before its end."""

_REFUSED = {
    "refusal": "the language model refused to answer",
    "content_filter": "the provider's content filter ended the reply",
    **dict.fromkeys(("tool_calls", "tool_use", "function_call"), "a tool was called in place of an answer"),
}
"""What providers give as the reason where a reply is no attempt at an answer, in words."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens that were read and written."""

    input_tokens: int = 0
    output_tokens: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(self.input_tokens + other.input_tokens, self.output_tokens + other.output_tokens)


@dataclass(frozen=True, slots=True)
class Completion:
    """What a language model answered: the text, why it ended there in its provider's own word, and what it cost.

    A refusal that the provider has in a place of its own is the text, with "refusal" as the reason.
    """

    text: str
    finish_reason: str | None = None
    usage: Usage = Usage()

    @property
    def is_cut_off(self) -> bool | None:
        """Whether the provider says that the text had to end before its end; None where it says nothing."""
        return None if self.finish_reason is None else self.finish_reason in _CUT_OFF

    @property
    def refusal(self) -> str | None:
        """Why there is no use in asking again, in words, where the provider says so: a refusal, a filter, a tool."""
        return None if self.finish_reason is None else _REFUSED.get(self.finish_reason)

    def to_dict(self) -> dict[str, Any]:
        """The completion as JSON-compatible data."""
        usage = {"input_tokens": self.usage.input_tokens, "output_tokens": self.usage.output_tokens}
        return {"text": self.text, "finish_reason": self.finish_reason, "usage": usage}

    @classmethod
    def from_dict(cls, data: Any) -> Completion:
        """The completion that `to_dict` wrote. Raises `ValueError` for anything else."""
        try:
            usage = Usage(int(data["usage"]["input_tokens"]), int(data["usage"]["output_tokens"]))
            text, reason = data["text"], data["finish_reason"]
        except (TypeError, KeyError) as error:
            raise ValueError("not a completion") from error
        if not isinstance(text, str) or not isinstance(reason, str | None):
            raise ValueError("not a completion")
        return cls(text, reason, usage)


Complete: TypeAlias = Callable[[Any], "str | Completion"]
"""What calls a language model: a list of messages to its reply. They are dicts, in whatever way it annotates them."""

AsyncComplete: TypeAlias = Callable[[Any], Awaitable["str | Completion"]]
"""The same for `aask`."""

_CLIENTS = {"openai": "openai_chat(client, model=...)", "anthropic": "anthropic_messages(client, model=...)"}
"""What makes a callable of an SDK's client, by the SDK's package."""


def checked_complete(complete: Any) -> Any:
    """What `ask` is to call. Raises `TypeError` for what cannot be called, such as the client of an SDK."""
    if callable(complete):
        return complete
    maker = _CLIENTS.get(type(complete).__module__.partition(".")[0])
    advice = f"give {maker} of structured_response.clients" if maker else "give a function of messages"
    raise TypeError(f"{type(complete).__name__} cannot be called with messages; {advice}")


def messages_of(prompt: str | Sequence[Message]) -> list[Message]:
    """The messages of a prompt. Raises `TypeError` for one that lacks its role or its content."""
    if isinstance(prompt, str):
        return [{"role": "user", "content": prompt}]
    messages: list[Any] = list(prompt)
    for number, message in enumerate(messages):
        if not (isinstance(message, Mapping) and isinstance(message.get("role"), str)):
            raise TypeError(f"message {number} of the prompt has no role; write {{'role': 'user', 'content': ...}}")
        if message.get("content") is None and message["role"] != "assistant":  # which may call tools instead
            raise TypeError(f"message {number} of the prompt has no content")
    return [dict(message) for message in messages]
