"""Servers that speak OpenAI's chat protocol: OpenAI's own, vLLM, llama.cpp, Ollama and many others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, overload

from ..completion import AsyncComplete, Complete, Completion, Message, Usage
from .base import Client

if TYPE_CHECKING:
    from openai import AsyncOpenAI, OpenAI

__all__ = ["chat_completion", "openai_chat"]


@overload
def openai_chat(client: AsyncOpenAI, *, model: str, **params: Any) -> AsyncComplete: ...
@overload
def openai_chat(client: OpenAI, *, model: str, **params: Any) -> Complete: ...
def openai_chat(client: Any, *, model: str, **params: Any) -> Any:
    """Calls `client.chat.completions.create`, of an `openai.OpenAI` for `ask` or an `openai.AsyncOpenAI` for `aask`.

    `params` are handed on: `temperature`, `max_tokens`, `seed`, `extra_body`, ...
    """
    create = client.chat.completions.create
    return Client("openai_chat", create, model, params, _request, chat_completion)


def _request(messages: Sequence[Message]) -> dict[str, Any]:
    return {"messages": list(messages)}


def chat_completion(given: Any) -> Completion:
    """The first choice of a chat completion; its refusal where it has no content."""
    usage = given.usage and Usage(given.usage.prompt_tokens, given.usage.completion_tokens)
    if not given.choices:
        return Completion("", None, usage or Usage())
    choice = given.choices[0]
    text = choice.message.content or getattr(choice.message, "refusal", None) or ""
    return Completion(text, choice.finish_reason, usage or Usage())
