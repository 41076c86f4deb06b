"""Clients of SDKs: OpenAI's chat protocol, which LiteLLM speaks to every provider, and Anthropic's messages."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING, Any, overload

from pydantic import BaseModel

from ..completion import Completion, Message
from ..errors import ReplyError, needs
from ..findings import Problem, ProblemKind
from ..outages import sdk_retries
from ..read.refusals import html_page
from .recording import then
from .streams import (
    ANTHROPIC_INPUT,
    AsyncStreamingComplete,
    StreamingComplete,
    read_anthropic,
    read_openai,
    refusal_of,
    text_of,
    usage_of,
)

if TYPE_CHECKING:
    from anthropic import Anthropic, AsyncAnthropic
    from openai import AsyncOpenAI, OpenAI

_NOT_THE_ANSWERS = re.compile(
    r"api_base|base_url|timeout|stream_timeout|stream_options|request_timeout|(?:max|num)_retries|service_tier|metadata|user|safety_identifier|store"
    r"|prompt_cache_\w+|(?:\w+_)?(?:headers|api_key|access_key(?:_id)?|key|token|secret|password|credentials)"
)
"""Parameters that change no answer: patience, payment, identity and secrets. The key has the server by itself."""

_ABSENT = ("NotGiven", "Omit")  # the SDKs' types for a parameter that is not sent
_SHOWN = 200  # characters that an error shows of what a server sent
_USER = re.compile(r"(?<=://)[^/?#]*@")


@dataclass(eq=False, repr=False)
class Client:
    """Calls a function of an SDK. Its `cache_key` has what may change an answer, and no secret that can be read."""

    kind: str
    call: Callable[..., Any]
    url: str
    model: str
    params: Mapping[str, Any]
    completion: Callable[[Any], Completion]
    read: Callable[[Any, Any], str]
    request: Callable[[Sequence[Message]], dict[str, Any]] = lambda messages: {"messages": list(messages)}
    streaming: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.model or type(self.model) is not str:
            raise TypeError(f"model= must be the name of a language model, not {self.model!r}")
        if self.params.get("stream"):
            raise ValueError("leave stream out; the function that is made has a method stream(messages)")
        server, _, query = _USER.sub("", self.url).partition("?")
        telling = {
            name: value
            for name, value in self.params.items()
            if not _NOT_THE_ANSWERS.fullmatch(name) and type(value).__name__ not in _ABSENT
        }
        digest = sha256(json.dumps([query, telling], sort_keys=True, default=repr).encode()).hexdigest()[:16]
        self.cache_key = f"{self.kind} {self.model} {server.rstrip('/')} {digest}"

    def __call__(self, messages: Sequence[Message]) -> Any:
        sent = {"model": self.model, **self.params, **self.request(messages)}
        sent.pop("stream_options", None)  # servers refuse them in other calls
        return then(self.call(**sent), self.completion)

    def stream(self, messages: Sequence[Message]) -> Any:
        sent = {"model": self.model, **self.streaming, **self.params, **self.request(messages), "stream": True}
        return text_of(self.call(**sent), self.read)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.cache_key}>"


def _url_of(client: Any) -> str:
    """The address of an SDK's client, with the query that it adds to each call."""
    query = dict(getattr(client, "default_query", None) or {})
    return f"{getattr(client, 'base_url', '')}?{json.dumps(query, sort_keys=True, default=repr)}"


def _no_completion(given: Any) -> ReplyError:
    """The error for what a server sent in place of a completion, such as the error page of a proxy."""
    is_data = isinstance(given, BaseModel)
    text = given.model_dump_json(exclude_none=True, warnings=False) if is_data else str(given)
    sent = html_page(text) or repr(text[:_SHOWN])
    message = f"the server sent no completion but {sent}; check any proxy and base_url, often .../v1"
    return ReplyError([Problem(ProblemKind.NO_ANSWER, "$", message)], text)


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
    return _chat("openai_chat", client.chat.completions.create, _url_of(client), model, params)


def litellm_completion(*, model: str, **params: Any) -> StreamingComplete:
    """Makes a function for `ask` that calls `litellm.completion`.

    Args:
        model: The name of the language model, with its provider's.
        params: Further parameters of the call: `api_base`, `temperature` and so on. Retries are those of `ask`, unless
            `max_retries` or `num_retries` is given.

    Returns:
        A function from messages to a `Completion`. Its method `stream` gives the text in pieces.

    Raises:
        MissingExtraError: LiteLLM is not installed.
        TypeError, ValueError: A parameter cannot work.
    """
    return _litellm("completion", model, params)


def litellm_acompletion(*, model: str, **params: Any) -> AsyncStreamingComplete:
    """Makes a function for `aask` that calls `litellm.acompletion`. See `litellm_completion`."""
    return _litellm("acompletion", model, params)


def _litellm(function: str, model: str, params: dict[str, Any]) -> Client:
    with needs("litellm", "litellm"):
        import litellm
    url = str(params.get("api_base") or params.get("base_url") or "")
    return _chat("litellm_completion", getattr(litellm, function), url, model, {**sdk_retries(), **params})


def _chat(kind: str, call: Callable[..., Any], url: str, model: str, params: dict[str, Any]) -> Client:
    """A client of OpenAI's chat protocol."""
    streaming = {"stream_options": {"include_usage": True}}
    return Client(kind, call, url, model, params, chat_completion, read_openai, streaming=streaming)


def chat_completion(given: Any) -> Completion:
    """The first choice, or its refusal if it has no content. The SDK passes on the text of an error page as it came."""
    if not isinstance(getattr(given, "choices", None), list):
        raise _no_completion(given)
    usage = usage_of(given.usage, ("prompt_tokens",), "completion_tokens")
    if not given.choices:
        return Completion("", None, usage)
    choice = given.choices[0]
    refusal = refusal_of(choice.message)
    if refusal and not choice.message.content:
        return Completion(refusal, "refusal", usage)  # the protocol says "stop"
    return Completion(choice.message.content or "", choice.finish_reason, usage)


@overload
def anthropic_messages(
    client: AsyncAnthropic, *, model: str, max_tokens: int = ..., **params: Any
) -> AsyncStreamingComplete: ...
@overload
def anthropic_messages(client: Anthropic, *, model: str, max_tokens: int = ..., **params: Any) -> StreamingComplete: ...
def anthropic_messages(client: Any, *, model: str, max_tokens: int = 4_096, **params: Any) -> Any:
    """Makes a function for `ask` or `aask` that calls `client.messages.create`.

    Messages of the role "system" become the `system` of the protocol.

    Args:
        client: An `Anthropic` for `ask`, or an `AsyncAnthropic` for `aask`.
        model: The name of the language model.
        max_tokens: The tokens after which a reply is cut off.
        params: Further parameters of the call. A `system` among them goes before the system messages.

    Returns:
        A function from messages to a `Completion`. Its method `stream` gives the text in pieces.

    Raises:
        TypeError, ValueError: A parameter cannot work.
    """
    every = {"max_tokens": max_tokens, **params}
    request = partial(anthropic_request, params.get("system"))
    call, url = client.messages.create, _url_of(client)
    return Client("anthropic_messages", call, url, model, every, message_completion, read_anthropic, request)


def anthropic_request(system: Any, messages: Sequence[Message]) -> dict[str, Any]:
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


def message_completion(given: Any) -> Completion:
    if not isinstance(getattr(given, "content", None), list):
        raise _no_completion(given)
    text = "".join(block.text for block in given.content if block.type == "text")
    return Completion(text, given.stop_reason, usage_of(given.usage, ANTHROPIC_INPUT, "output_tokens"))
