"""Language models by name: "openai:gpt-5", "anthropic:...", "litellm:...", or "http://localhost:8000/v1:qwen3"."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from ..errors import needs
from ..outages import sdk_retries
from .sdk import Client, anthropic_messages, litellm_acompletion, litellm_completion, openai_chat, openai_responses

_Make: TypeAlias = Callable[[str, bool, str | None, dict[str, Any]], Client]
_SCHEMES = ("http", "https")


@dataclass(frozen=True)
class _Provider:
    """The variable of the environment that has the key, and the maker of a client."""

    key_env: str | None
    make: _Make


def is_name(given: Any) -> bool:
    """Whether this is the name of a language model with a provider that is known, or the URL of a server."""
    return isinstance(given, str) and given.partition(":")[0] in (*_PROVIDERS, *_SCHEMES)


def client_of(
    name: str, is_async: bool, *, api_key: str | None = None, key_env: str | None = None, **params: Any
) -> Client:
    """Makes a client for a language model by its name, which is to be closed in the end (`close`).

    Args:
        name: The provider, a colon, and the provider's name for the language model. Or the URL of a server that speaks
            OpenAI's chat protocol, a colon behind its path, and the name: no key is sent there unless one is given.
        is_async: True for a client to await.
        api_key: The key, in place of that of the provider's usual variable of the environment.
        key_env: Another variable of the environment that has the key.
        params: Further parameters of each call.

    Raises:
        MissingExtraError: The provider's SDK is not installed.
        ValueError: There is no such provider, no name or no key.
    """
    prefix, colon, model = name.partition(":")
    if prefix in _SCHEMES:
        url, model = _of_url(name)
        return _server(url, model, is_async, _key(name, api_key, key_env, None), params)
    provider = _PROVIDERS.get(prefix)
    if provider is None or not (colon and model):
        known = ", ".join(f"{each}:MODEL" for each in _PROVIDERS)
        raise ValueError(f"{name!r} names no language model; write {known}, or http://HOST/PATH:MODEL")
    return provider.make(model, is_async, _key(name, api_key, key_env, provider.key_env), params)


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


def _openai(maker: Any) -> _Make:
    def make(model: str, is_async: bool, key: str | None, params: dict[str, Any]) -> Client:
        with needs("openai", "openai"):
            import openai
        sdk = (openai.AsyncOpenAI if is_async else openai.OpenAI)(api_key=key, **sdk_retries())
        return _client(maker, sdk, model, params)

    return make


def _server(url: str, model: str, is_async: bool, key: str | None, params: dict[str, Any]) -> Client:
    """A client of another server than OpenAI's, which gets no header that the SDK takes from the environment."""
    with needs("openai", "openai"):
        import openai
    ambient = [line.partition(":")[0].strip() for line in os.environ.get("OPENAI_CUSTOM_HEADERS", "").splitlines()]
    headers: dict[str, Any] = dict.fromkeys(("OpenAI-Organization", "OpenAI-Project", *ambient), openai.Omit())
    headers = {name: value for name, value in headers.items() if name and name.lower() != "authorization"}
    headers["Authorization"] = openai.Omit() if key is None else f"Bearer {key}"
    make: Any = openai.AsyncOpenAI if is_async else openai.OpenAI
    sdk = make(base_url=url, api_key=key or "none", **sdk_retries())
    return _client(openai_chat, sdk, model, {"extra_headers": headers, **params})


def _anthropic(model: str, is_async: bool, key: str | None, params: dict[str, Any]) -> Client:
    with needs("anthropic", "anthropic"):
        import anthropic
    make: Any = anthropic.AsyncAnthropic if is_async else anthropic.Anthropic
    return _client(anthropic_messages, make(api_key=key, **sdk_retries()), model, params)


def _client(maker: Any, sdk: Any, model: str, params: dict[str, Any]) -> Client:
    made: Client = maker(sdk, model=model, **params)
    return replace(made, close=sdk.close)


def _litellm(model: str, is_async: bool, key: str | None, params: dict[str, Any]) -> Any:
    made = litellm_acompletion if is_async else litellm_completion
    return made(model=model, **({} if key is None else {"api_key": key}), **params)


_PROVIDERS = {
    "openai": _Provider("OPENAI_API_KEY", _openai(openai_chat)),
    "openai-responses": _Provider("OPENAI_API_KEY", _openai(openai_responses)),
    "anthropic": _Provider("ANTHROPIC_API_KEY", _anthropic),
    "litellm": _Provider(None, _litellm),  # which knows the variable of each provider
}
