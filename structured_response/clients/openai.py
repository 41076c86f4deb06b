"""Servers that speak OpenAI's chat protocol: OpenAI's own, vLLM, llama.cpp, Ollama and many others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, overload

from ..completion import AsyncComplete, Complete, Completion, Message, Usage
from .base import Client, no_completion, url_of

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
    return Client("openai_chat", create, url_of(client), model, params, _request, chat_completion)


def _request(messages: Sequence[Message]) -> dict[str, Any]:
    return {"messages": list(messages)}


def chat_completion(given: Any) -> Completion:
    """The first choice of a chat completion; its refusal where it has no content. Raises `ReplyError` for what is none:
    the SDK gives the text of a page as it came.
    """
    if not isinstance(getattr(given, "choices", None), list):
        raise no_completion(given)
    told = given.usage  # not every server tells
    usage = Usage() if told is None else Usage(told.prompt_tokens or 0, told.completion_tokens or 0)
    if not given.choices:
        return Completion("", None, usage)
    choice = given.choices[0]
    beside: Any = getattr(choice.message, "provider_specific_fields", None) or {}  # where LiteLLM puts a refusal
    refusal = getattr(choice.message, "refusal", None) or beside.get("refusal")
    if refusal and not choice.message.content:
        return Completion(refusal, "refusal", usage)  # the protocol says "stop"
    return Completion(choice.message.content or "", choice.finish_reason, usage)
