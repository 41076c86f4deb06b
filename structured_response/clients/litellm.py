"""LiteLLM, which speaks to every provider by the name of its model."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import Any, cast

from ..completion import AsyncComplete, Complete, Message
from ..errors import MissingExtraError
from .base import Client
from .openai import chat_completion

__all__ = ["litellm_acompletion", "litellm_completion"]


def litellm_completion(*, model: str, **params: Any) -> Complete:
    """Calls `litellm.completion`, for `ask`. `params` are handed on: `api_base`, `temperature`, `num_retries`, ...

    Raises `MissingExtraError` where LiteLLM is not installed.
    """
    return cast("Complete", _client(_litellm().completion, model, params))


def litellm_acompletion(*, model: str, **params: Any) -> AsyncComplete:
    """The same by `litellm.acompletion`, for `aask`."""
    return cast("AsyncComplete", _client(_litellm().acompletion, model, params))


def _client(call: Any, model: str, params: dict[str, Any]) -> Client:
    url = str(params.get("api_base") or params.get("base_url") or "")
    return Client("litellm_completion", call, url, model, params, _request, chat_completion)


def _request(messages: Sequence[Message]) -> dict[str, Any]:
    return {"messages": list(messages)}


def _litellm() -> ModuleType:
    try:
        import litellm
    except ModuleNotFoundError as error:
        if error.name != "litellm":
            raise
        raise MissingExtraError("litellm", "litellm") from error
    return cast("ModuleType", litellm)
