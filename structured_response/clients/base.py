"""What all clients have in common: a call that may have to be awaited, and a name for the keys of a cache."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from hashlib import sha256
from inspect import isawaitable
from typing import Any

from pydantic import BaseModel

from ..completion import Completion, Message
from ..errors import ReplyError
from ..findings import Problem, ProblemKind
from ..read.refusals import html_page

__all__ = ["Client", "no_completion", "url_of"]

_NOT_THE_ANSWERS = re.compile(
    r"api_base|base_url|timeout|stream_timeout|request_timeout|(?:max|num)_retries|service_tier|metadata|user|safety_identifier|store"
    r"|prompt_cache_\w+|(?:\w+_)?(?:headers|api_key|access_key(?:_id)?|key|token|secret|password|credentials)"
)
"""Parameters that change no answer: how to wait for it, who pays and who asks, and secrets. A server's address has a
place of its own in the key."""

_ABSENT = ("NotGiven", "Omit")
"""Types of the SDKs for a parameter that is not sent."""

_SHOWN = 200
"""Characters that an error shows of what is no completion."""

_USER = re.compile(r"(?<=://)[^/?#]*@")


class Client:
    """Calls a function of an SDK with messages, and makes a completion of what it gives, now or once it is awaited.

    `request` makes the function's arguments of messages, `completion` a `Completion` of its result. What the function
    raises passes through: retries and time limits are the SDK's, and set where its client is made.

    `cache_key` is made of the protocol, the server, the model and the parameters that may change an answer. Query and
    parameters are in it as a digest, so that no secret among them can be read.
    """

    def __init__(
        self,
        kind: str,
        call: Callable[..., Any],
        url: str,
        model: str,
        params: Mapping[str, Any],
        request: Callable[[Sequence[Message]], dict[str, Any]],
        completion: Callable[[Any], Completion],
    ) -> None:
        if not model or type(model) is not str:
            raise TypeError(f"model= is the name of a language model, not {model!r}")
        if params.get("stream"):
            raise ValueError("stream=True gives a reply in pieces, and ask reads whole ones; leave stream out")
        self.call = call
        self.model = model
        self.params = dict(params)
        self.request = request
        self.completion = completion
        server, _, query = _USER.sub("", url).partition("?")
        self.cache_key = f"{kind} {model} {server.rstrip('/')} {_digest(query, params)}"

    def __call__(self, messages: Sequence[Message]) -> Any:
        given = self.call(**{"model": self.model, **self.params, **self.request(messages)})
        return self._awaited(given) if isawaitable(given) else self.completion(given)

    async def _awaited(self, given: Awaitable[Any]) -> Completion:
        return self.completion(await given)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.cache_key}>"


def url_of(client: Any) -> str:
    """The address of an SDK's client, with the query that it adds to each call."""
    query = dict(getattr(client, "default_query", None) or {})
    return f"{getattr(client, 'base_url', '')}?{json.dumps(query, sort_keys=True, default=repr)}"


def no_completion(given: Any) -> ReplyError:
    """The error for what a server sent in place of a completion, such as the error page of a proxy."""
    is_data = isinstance(given, BaseModel)
    text = given.model_dump_json(exclude_none=True, warnings=False) if is_data else str(given)
    sent = html_page(text) or repr(text[:_SHOWN])
    message = f"the server sent no completion but {sent}; check any proxy and base_url, often .../v1"
    return ReplyError([Problem(ProblemKind.NO_ANSWER, "$", message)], text)


def _digest(query: str, params: Mapping[str, Any]) -> str:
    """The same for the same parameters, as far as they may change an answer."""
    telling = {
        name: value
        for name, value in params.items()
        if not _NOT_THE_ANSWERS.fullmatch(name) and type(value).__name__ not in _ABSENT
    }
    return sha256(json.dumps([query, telling], sort_keys=True, default=repr).encode()).hexdigest()[:16]
