"""Language models by name: "openai:gpt-5", "anthropic:...", "litellm:...", or "http://localhost:8000/v1:qwen3"."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from ..errors import needs
from ..outages import sdk_retries
from .sdk import Client, anthropic_messages, litellm_acompletion, litellm_completion, openai_chat, openai_responses


@dataclass(frozen=True)
class _Provider:
    """The variable of the environment that has the key, and the maker of a client."""

    key_env: str | None
    make: Callable[[str, bool, str | None], Client]


def client_of(name: str, is_async: bool, *, api_key: str | None = None, key_env: str | None = None) -> Client:
    """Makes a client for a language model by its name, which is to be closed in the end (`close`).

    Args:
        name: The provider, a colon, and the provider's name for the language model. Or the URL of a server that speaks
            OpenAI's chat protocol, a colon behind its path, and the name: no key is sent there unless one is given.
        is_async: True for a client to await.
        api_key: The key, in place of that of the provider's usual variable of the environment.
        key_env: Another variable of the environment that has the key.

    Raises:
        MissingExtraError: The provider's SDK is not installed.
        ValueError: There is no such provider, no name or no key.
    """
    prefix, colon, model = name.partition(":")
    if prefix in ("http", "https"):
        url, model = _of_url(name)
        return _server(url, model, is_async, _key(name, api_key, key_env, None))
    provider = _PROVIDERS.get(prefix)
    if provider is None or not (colon and model):
        known = ", ".join(f"{each}:MODEL" for each in _PROVIDERS)
        raise ValueError(f"{name!r} names no language model; write {known}, or http://HOST/PATH:MODEL")
    return provider.make(model, is_async, _key(name, api_key, key_env, provider.key_env))


def _key(name: str, api_key: str | None, key_env: str | None, usual: str | None) -> str | None:
    if api_key is not None and key_env is not None:
        raise TypeError("give api_key= or key_env=, not both")
    variable = key_env or usual
    if api_key is not None or variable is None:
        return api_key
    if not os.environ.get(variable):
        raise ValueError(f"{name} needs a key; set {variable}, or pass api_key= or key_env=")
    return os.environ[variable]


def _of_url(name: str) -> tuple[str, str]:
    """The address of a server and the model, which begins behind the first colon of the path."""
    scheme, _, rest = name.partition("://")
    host, _, path = rest.partition("/")
    path, _, model = path.partition(":")
    if not (host and path and model):
        raise ValueError(f"{name!r} names no language model; write it behind the path, as in http://HOST/v1:MODEL")
    return f"{scheme}://{host}/{path}", model


def _openai(maker: Any) -> Callable[[str, bool, str | None], Client]:
    def make(model: str, is_async: bool, key: str | None) -> Client:
        with needs("openai", "openai"):
            import openai
        return _client(maker, (openai.AsyncOpenAI if is_async else openai.OpenAI)(api_key=key, **sdk_retries()), model)

    return make


def _server(url: str, model: str, is_async: bool, key: str | None) -> Client:
    """A client of another server than OpenAI's, which gets nothing that the SDK takes from the environment."""
    with needs("openai", "openai"):
        import openai
    left_out = {name: openai.Omit() for name in ("OpenAI-Organization", "OpenAI-Project")}
    left_out |= {"Authorization": openai.Omit()} if key is None else {}
    make: Any = openai.AsyncOpenAI if is_async else openai.OpenAI
    sdk = make(base_url=url, api_key=key or "none", default_headers=left_out, **sdk_retries())
    return _client(openai_chat, sdk, model)


def _anthropic(model: str, is_async: bool, key: str | None) -> Client:
    with needs("anthropic", "anthropic"):
        import anthropic
    make: Any = anthropic.AsyncAnthropic if is_async else anthropic.Anthropic
    return _client(anthropic_messages, make(api_key=key, **sdk_retries()), model)


def _client(maker: Any, sdk: Any, model: str) -> Client:
    made: Client = maker(sdk, model=model)
    return replace(made, close=sdk.close)


def _litellm(model: str, is_async: bool, key: str | None) -> Any:
    made = litellm_acompletion if is_async else litellm_completion
    return made(model=model, **({} if key is None else {"api_key": key}))


_PROVIDERS = {
    "openai": _Provider("OPENAI_API_KEY", _openai(openai_chat)),
    "openai-responses": _Provider("OPENAI_API_KEY", _openai(openai_responses)),
    "anthropic": _Provider("ANTHROPIC_API_KEY", _anthropic),
    "litellm": _Provider(None, _litellm),  # which knows the variable of each provider
}
