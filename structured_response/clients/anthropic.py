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
"""What counts as read: the first of these leaves out what a prompt cache took part in."""


@overload
def anthropic_messages(
    client: AsyncAnthropic, *, model: str, max_tokens: int = ..., **params: Any
) -> AsyncComplete: ...
@overload
def anthropic_messages(client: Anthropic, *, model: str, max_tokens: int = ..., **params: Any) -> Complete: ...
def anthropic_messages(client: Any, *, model: str, max_tokens: int = 4_096, **params: Any) -> Any:
    """Calls `client.messages.create`, of an `anthropic.Anthropic` for `ask` or an `AsyncAnthropic` for `aask`.

    Messages of the role "system" go as the `system` that the protocol has beside its messages, behind one in `params`:
    texts as one text, blocks as they are. `params` are handed on.
    """
    every = {"max_tokens": max_tokens, **params}
    request = partial(_request, params.get("system"))
    return Client("anthropic_messages", client.messages.create, url_of(client), model, every, request, _completion)


def _request(system: Any, messages: Sequence[Message]) -> dict[str, Any]:
    said = [message["content"] for message in messages if message["role"] == "system"]
    spoken = [message for message in messages if message["role"] != "system"]
    return {"messages": spoken, **({"system": _joined([system, *said] if system else said)} if said else {})}


def _joined(parts: list[Any]) -> Any:
    """One `system` of several: a text, or blocks where one has blocks, which may be marked for a prompt cache."""
    if all(isinstance(part, str) for part in parts):
        return "\n\n".join(parts)
    return [block for part in parts for block in ([{"type": "text", "text": part}] if isinstance(part, str) else part)]


def _completion(given: Any) -> Completion:
    if not isinstance(getattr(given, "content", None), list):
        raise no_completion(given)
    text = "".join(block.text for block in given.content if block.type == "text")
    read = sum(getattr(given.usage, name, None) or 0 for name in _INPUT)
    return Completion(text, given.stop_reason, Usage(read, given.usage.output_tokens))
