"""Language models by name: "openai:gpt-5", "anthropic:...", "litellm:...", or "http://localhost:8000/v1:qwen3"."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from ..errors import needs
from ..outages import sdk_retries
from .sdk import (
    USER,
    Client,
    anthropic_messages,
    litellm_acompletion,
    litellm_completion,
    openai_chat,
    openai_responses,
)


class _Provider(NamedTuple):
    """An SDK: its package, the class of its clients, the maker of ours, and the usual variable that has the key."""

    package: str
    client: str
    maker: Callable[..., Any]
    key_env: str | None


_PROVIDERS = {
    "openai": _Provider("openai", "OpenAI", openai_chat, "OPENAI_API_KEY"),
    "openai-responses": _Provider("openai", "OpenAI", openai_responses, "OPENAI_API_KEY"),
    "anthropic": _Provider("anthropic", "Anthropic", anthropic_messages, "ANTHROPIC_API_KEY"),
}
_SERVER = _Provider("openai", "OpenAI", openai_chat, None)
_SCHEMES = ("http", "https")


def is_name(given: Any) -> bool:
    """Returns whether this names a language model of a known provider, or is the URL of a server."""
    return isinstance(given, str) and given.partition(":")[0] in (*_PROVIDERS, "litellm", *_SCHEMES)


def client_of(
    name: str, is_async: bool, *, api_key: str | None = None, key_env: str | None = None, **params: Any
) -> Client:
    """Makes a client for a language model by its name, which the caller has to close.

    Without `api_key` or `key_env`, the key is that of the provider's usual variable; a URL gets none. Raises
    `MissingExtraError` without the SDK, and `ValueError` without a known provider, a name or a key.
    """
    prefix, _, model = name.partition(":")
    if prefix in _SCHEMES:
        return client_at(*_of_url(name), is_async, api_key=_key(name, api_key, key_env, None), **params)
    if not model or prefix not in (*_PROVIDERS, "litellm"):
        known = ", ".join(f"{each}:MODEL" for each in (*_PROVIDERS, "litellm"))
        raise ValueError(f"{name!r} names no language model; write {known}, or http://HOST/PATH:MODEL")
    if prefix == "litellm":  # which knows the variable of each provider
        key = _key(name, api_key, key_env, None)
        maker: Any = litellm_acompletion if is_async else litellm_completion
        return maker(model=model, **params, **({} if key is None else {"api_key": key}))  # type: ignore[no-any-return]
    provider = _PROVIDERS[prefix]
    return _made(provider, is_async, model, params, api_key=_key(name, api_key, key_env, provider.key_env))


def client_at(url: str, model: str, is_async: bool, *, api_key: str | None, **params: Any) -> Client:
    """Makes a client for a server that speaks OpenAI's chat protocol. Without a key it sends none."""
    params = _without_environment(api_key) | params
    return _made(_SERVER, is_async, model, params, base_url=url, api_key=api_key or "none")


def _key(name: str, api_key: str | None, key_env: str | None, usual: str | None) -> str | None:
    if api_key is not None and key_env is not None:
        raise TypeError("give api_key= or key_env=, not both")
    variable = key_env or usual
    if api_key is not None or variable is None:
        return api_key
    if not os.environ.get(variable):
        raise ValueError(f"{USER.sub('', name)} needs a key; set {variable}, or pass api_key= or key_env=")
    return os.environ[variable]


def _of_url(name: str) -> tuple[str, str]:
    """Returns the address of a server and the model, which begins behind the first colon of the path."""
    scheme, _, rest = name.partition("://")
    host, _, path = rest.partition("/")
    path, _, model = path.partition(":")
    if not (host and path and model):
        shown = USER.sub("", name)
        raise ValueError(f"{shown!r} names no language model; write it behind the path, as in http://HOST/v1:MODEL")
    url = f"{scheme}://{host}/{path}"
    _port = urlsplit(url).port  # raises ValueError for an invalid one
    return url, model


def _without_environment(key: str | None) -> dict[str, Any]:
    """Returns parameters that drop the headers which OpenAI's SDK takes from the environment, with a key or none."""
    with needs("openai", "openai"):
        omit = import_module("openai").Omit()
    ambient = [line.partition(":")[0].strip() for line in os.environ.get("OPENAI_CUSTOM_HEADERS", "").splitlines()]
    left_out = [name for name in ambient if name and name.lower() != "authorization"]
    headers = dict.fromkeys(("OpenAI-Organization", "OpenAI-Project", *left_out), omit)
    return {"extra_headers": {**headers, "Authorization": omit if key is None else f"Bearer {key}"}}


def _made(provider: _Provider, is_async: bool, model: str, params: dict[str, Any], **how: Any) -> Client:
    with needs(provider.package, provider.package):
        package = import_module(provider.package)
    sdk = getattr(package, f"Async{provider.client}" if is_async else provider.client)(**how, **sdk_retries())
    made: Client = provider.maker(sdk, model=model, **params)
    return replace(made, close=sdk.close)
