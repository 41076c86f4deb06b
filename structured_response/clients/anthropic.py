"""Anthropic's messages."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, overload

from ..completion import AsyncComplete, Complete, Completion, Message, Usage
from .base import Client, no_completion, url_of

if TYPE_CHECKING:
    from anthropic import Anthropic, AsyncAnthropic

__all__ = ["anthropic_messages"]

_INPUT = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
"""The counts of tokens that were read: the first leaves out those in a prompt cache."""


@overload
def anthropic_messages(
    client: AsyncAnthropic, *, model: str, max_tokens: int = ..., **params: Any
) -> AsyncComplete: ...
@overload
def anthropic_messages(client: Anthropic, *, model: str, max_tokens: int = ..., **params: Any) -> Complete: ...
def anthropic_messages(client: Any, *, model: str, max_tokens: int = 4_096, **params: Any) -> Any:
    """Makes a function for `ask` or `aask` that calls `client.messages.create`.

    Messages of the role "system" become the `system` of the protocol.

    Args:
        client: An `Anthropic` for `ask`, or an `AsyncAnthropic` for `aask`.
        model: The name of the language model.
        max_tokens: The tokens after which a reply is cut off.
        params: Further parameters of the call. A `system` among them goes before the system messages.

    Returns:
        A function from messages to a `Completion`.

    Raises:
        TypeError, ValueError: A parameter cannot work.
    """
    every = {"max_tokens": max_tokens, **params}
    request = partial(_request, params.get("system"))
    return Client("anthropic_messages", client.messages.create, url_of(client), model, every, _completion, request)


def _request(system: Any, messages: Sequence[Message]) -> dict[str, Any]:
    """The messages, and one `system` of all: a text, or blocks if any is of blocks, which may be marked for a cache."""
    spoken = [message for message in messages if message["role"] != "system"]
    parts = [system] if system else []
    parts += [message["content"] for message in messages if message["role"] == "system"]
    if not parts:
        return {"messages": spoken}
    if all(isinstance(part, str) for part in parts):
        return {"messages": spoken, "system": "\n\n".join(parts)}
    blocks = [[{"type": "text", "text": part}] if isinstance(part, str) else part for part in parts]
    return {"messages": spoken, "system": [block for part in blocks for block in part]}


def _completion(given: Any) -> Completion:
    if not isinstance(getattr(given, "content", None), list):
        raise no_completion(given)
    text = "".join(block.text for block in given.content if block.type == "text")
    read = sum(getattr(given.usage, name, None) or 0 for name in _INPUT)
    return Completion(text, given.stop_reason, Usage(read, given.usage.output_tokens))
