"""OpenAI's chat protocol, by its SDK and by LiteLLM, which speaks it to every provider."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

from ..completion import AsyncComplete, Complete, Completion, Usage
from ..errors import MissingExtraError
from .base import Client, no_completion, url_of

if TYPE_CHECKING:
    from openai import AsyncOpenAI, OpenAI

__all__ = ["chat_completion", "litellm_acompletion", "litellm_completion", "openai_chat"]


@overload
def openai_chat(client: AsyncOpenAI, *, model: str, **params: Any) -> AsyncComplete: ...
@overload
def openai_chat(client: OpenAI, *, model: str, **params: Any) -> Complete: ...
def openai_chat(client: Any, *, model: str, **params: Any) -> Any:
    """Makes a function for `ask` or `aask` that calls `client.chat.completions.create`.

    Args:
        client: An `OpenAI` for `ask`, or an `AsyncOpenAI` for `aask`.
        model: The name of the language model.
        params: Further parameters of the call: `temperature`, `max_tokens`, `seed`, `extra_body` and so on.

    Returns:
        A function from messages to a `Completion`.

    Raises:
        TypeError, ValueError: A parameter cannot work.
    """
    create = client.chat.completions.create
    return Client("openai_chat", create, url_of(client), model, params, chat_completion)


def litellm_completion(*, model: str, **params: Any) -> Complete:
    """Makes a function for `ask` that calls `litellm.completion`.

    Args:
        model: The name of the language model, with its provider's.
        params: Further parameters of the call: `api_base`, `temperature`, `num_retries` and so on.

    Returns:
        A function from messages to a `Completion`.

    Raises:
        MissingExtraError: LiteLLM is not installed.
        TypeError, ValueError: A parameter cannot work.
    """
    made: Complete = _litellm("completion", model, params)
    return made


def litellm_acompletion(*, model: str, **params: Any) -> AsyncComplete:
    """Makes a function for `aask` that calls `litellm.acompletion`. See `litellm_completion`."""
    made: AsyncComplete = _litellm("acompletion", model, params)
    return made


def _litellm(function: str, model: str, params: dict[str, Any]) -> Any:
    try:
        import litellm
    except ModuleNotFoundError as error:
        if error.name != "litellm":
            raise
        raise MissingExtraError("litellm", "litellm") from error
    url = str(params.get("api_base") or params.get("base_url") or "")
    call = getattr(litellm, function)
    return Client("litellm_completion", call, url, model, params, chat_completion)


def chat_completion(given: Any) -> Completion:
    """The first choice of a chat completion, or its refusal if it has no content.

    Raises `ReplyError` for anything else: the SDK passes on the text of an error page as it came.
    """
    if not isinstance(getattr(given, "choices", None), list):
        raise no_completion(given)
    counted = given.usage  # not every server counts
    usage = Usage() if counted is None else Usage(counted.prompt_tokens or 0, counted.completion_tokens or 0)
    if not given.choices:
        return Completion("", None, usage)
    choice = given.choices[0]
    beside: Any = getattr(choice.message, "provider_specific_fields", None) or {}  # where LiteLLM puts a refusal
    refusal = getattr(choice.message, "refusal", None) or beside.get("refusal")
    if refusal and not choice.message.content:
        return Completion(refusal, "refusal", usage)  # the protocol says "stop"
    return Completion(choice.message.content or "", choice.finish_reason, usage)
