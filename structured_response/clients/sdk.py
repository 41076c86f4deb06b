"""Clients of SDKs: OpenAI's chat protocol, which LiteLLM speaks to every provider, and Anthropic's messages."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import TYPE_CHECKING, Any, overload

from ..completion import Completion, Message
from ..errors import needs
from ..outages import sdk_retries
from .events import read_anthropic_tool
from .protocols import CHAT, MESSAGES, RESPONSES, Protocol, answer_schema
from .recording import then
from .streams import AsyncStreamingComplete, StreamingComplete, text_of

if TYPE_CHECKING:
    from anthropic import Anthropic, AsyncAnthropic
    from openai import AsyncOpenAI, OpenAI

_NOT_THE_ANSWERS = re.compile(
    r"api_base|base_url|timeout|stream_timeout|stream_options|request_timeout|(?:max|num)_retries|service_tier|metadata|user|safety_identifier|store"
    r"|prompt_cache_\w+|(?:\w+_)?(?:headers|api_key|access_key(?:_id)?|key|token|secret|password|credentials)"
)
"""Parameters that change no answer: patience, payment, identity and secrets. The key has the server by itself."""

_ABSENT = ("NotGiven", "Omit")  # the SDKs' types for a parameter that is not sent
_LITELLM = {
    "azure": "azure.ai.openai",
    "bedrock": "aws.bedrock",
    "gemini": "gcp.gemini",
    "mistral": "mistral_ai",
    "vertex_ai": "gcp.vertex_ai",
    "watsonx": "ibm.watsonx.ai",
    "xai": "x_ai",
}
"""The names of providers that OpenTelemetry knows under another one than LiteLLM."""

USER = re.compile(r"(?<=://)[^/?#]*@")
"""The user and the password of an address, which are shown nowhere."""


@dataclass(eq=False, repr=False)
class Client:
    """Calls a function of an SDK. Its `cache_key` has what may change an answer, and no secret that can be read."""

    kind: str
    protocol: Protocol
    call: Callable[..., Any]
    url: str
    model: str
    params: Mapping[str, Any]
    provider: str
    caches: bool = False
    answers_by_tool: bool = False
    close: Callable[[], Any] | None = None

    def __post_init__(self) -> None:
        if not self.model or type(self.model) is not str:
            raise TypeError(f"model= must be the name of a language model, not {self.model!r}")
        if self.params.get("stream"):
            raise ValueError("leave stream out; the function that is made has a method stream(messages)")
        server, _, query = USER.sub("", self.url).partition("?")
        telling = {
            name: value
            for name, value in self.params.items()
            if not _NOT_THE_ANSWERS.fullmatch(name) and type(value).__name__ not in _ABSENT
        }
        digest = sha256(json.dumps([query, telling], sort_keys=True, default=repr).encode()).hexdigest()[:16]
        self.cache_key = f"{self.kind} {self.model} {server.rstrip('/')} {digest}"

    def __call__(self, messages: Sequence[Message]) -> Any:
        sent = {"model": self.model, **self.params, **self.protocol.request(self.params, messages, self.caches)}
        sent.pop("stream_options", None)  # servers refuse them in other calls
        return then(self.call(**sent), self._completion)

    def _completion(self, given: Any) -> Completion:
        completion = self.protocol.completion(given)
        if not (self.answers_by_tool and completion.tool_calls):
            return completion
        reason = "end_turn" if completion.finish_reason == "tool_use" else completion.finish_reason
        return Completion(completion.tool_calls[0].arguments, reason, completion.usage)

    def stream(self, messages: Sequence[Message]) -> Any:
        asked = self.protocol.request(self.params, messages, self.caches)
        sent = {"model": self.model, **self.protocol.streaming, **self.params, **asked, "stream": True}
        return text_of(self.call(**sent), read_anthropic_tool if self.answers_by_tool else self.protocol.read)

    def with_tools(self, schemas: Sequence[Mapping[str, Any]]) -> Client:
        """Returns a client that offers tools, each with "name", "description" and "parameters", a JSON Schema."""
        return replace(self, params={**self.params, "tools": self.protocol.tools(schemas)})

    def with_schema(self, class_name: str, schema: Mapping[str, Any]) -> Client:
        """Returns a client whose provider forces answers into a JSON Schema."""
        params = {**self.params, **self.protocol.schema(self.params, *answer_schema(class_name, schema))}
        return replace(self, params=params, answers_by_tool=self.protocol is MESSAGES)

    def with_cache(self) -> Client:
        """Returns a client that marks what calls have in common, for providers whose caches need marks."""
        return replace(self, caches=True)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.cache_key}>"


def _url_of(client: Any) -> str:
    """Returns the address of an SDK's client, with the query that it adds to each call."""
    query = dict(getattr(client, "default_query", None) or {})
    return f"{getattr(client, 'base_url', '')}?{json.dumps(query, sort_keys=True, default=repr)}"


@overload
def openai_chat(client: AsyncOpenAI, *, model: str, **params: Any) -> AsyncStreamingComplete: ...
@overload
def openai_chat(client: OpenAI, *, model: str, **params: Any) -> StreamingComplete: ...
def openai_chat(client: Any, *, model: str, **params: Any) -> Any:
    """Makes a function for `ask` or `aask` that calls `client.chat.completions.create`.

    Args:
        client: An `OpenAI` for `ask`, or an `AsyncOpenAI` for `aask`.
        model: The name of the language model.
        params: Further parameters of the call: `temperature`, `max_tokens`, `seed`, `extra_body` and so on.

    Returns:
        A function from messages to a `Completion`. Its method `stream` gives the text in pieces.

    Raises:
        TypeError, ValueError: A parameter cannot work.
    """
    return Client("openai_chat", CHAT, client.chat.completions.create, _url_of(client), model, params, "openai")


@overload
def openai_responses(client: AsyncOpenAI, *, model: str, **params: Any) -> AsyncStreamingComplete: ...
@overload
def openai_responses(client: OpenAI, *, model: str, **params: Any) -> StreamingComplete: ...
def openai_responses(client: Any, *, model: str, **params: Any) -> Any:
    """Makes a function like that of `openai_chat`, which calls `client.responses.create`.

    Args:
        client, model: See `openai_chat`.
        params: Further parameters of the call: `max_output_tokens`, `reasoning`, `store` and so on.
    """
    return Client("openai_responses", RESPONSES, client.responses.create, _url_of(client), model, params, "openai")


def litellm_completion(*, model: str, **params: Any) -> StreamingComplete:
    """Makes a function like that of `openai_chat`, but for `ask` alone, which calls `litellm.completion`.

    Args:
        model: The name of the language model, with its provider's.
        params: Further parameters of the call: `api_base`, `temperature` and so on. Retries are those of `ask`, unless
            `max_retries` or `num_retries` is given.

    Raises:
        MissingExtraError: LiteLLM is not installed.
    """
    return _litellm("completion", model, params)


def litellm_acompletion(*, model: str, **params: Any) -> AsyncStreamingComplete:
    """Makes a function for `aask` that calls `litellm.acompletion`. See `litellm_completion`."""
    return _litellm("acompletion", model, params)


def _litellm(function: str, model: str, params: dict[str, Any]) -> Client:
    with needs("litellm", "litellm"):
        import litellm
    url = str(params.get("api_base") or params.get("base_url") or "")
    prefix = str(model).partition("/")[0] if "/" in str(model) else "openai"
    provider, every = _LITELLM.get(prefix, prefix), {**sdk_retries(), **params}
    return Client("litellm_completion", CHAT, getattr(litellm, function), url, model, every, provider)


@overload
def anthropic_messages(
    client: AsyncAnthropic, *, model: str, max_tokens: int = ..., **params: Any
) -> AsyncStreamingComplete: ...
@overload
def anthropic_messages(client: Anthropic, *, model: str, max_tokens: int = ..., **params: Any) -> StreamingComplete: ...
def anthropic_messages(client: Any, *, model: str, max_tokens: int = 4_096, **params: Any) -> Any:
    """Makes a function like that of `openai_chat`, which calls `client.messages.create`.

    Messages of the role "system" become the `system` of the protocol.

    Args:
        client: An `Anthropic` for `ask`, or an `AsyncAnthropic` for `aask`.
        model: The name of the language model.
        max_tokens: The tokens after which a reply is cut off.
        params: Further parameters of the call. A `system` among them goes before the system messages.
    """
    every = {"max_tokens": max_tokens, **params}
    call, url = client.messages.create, _url_of(client)
    return Client("anthropic_messages", MESSAGES, call, url, model, every, "anthropic")
