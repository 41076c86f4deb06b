"""The common part of all clients: a call that may have to be awaited, and a name for the keys of a cache."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
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
"""Parameters that change no answer: patience, payment, identity and secrets. The server's address is in the key by
itself."""

_ABSENT = ("NotGiven", "Omit")
"""The SDKs' types for a parameter that is not sent."""

_SHOWN = 200
"""Characters that an error shows of what a server sent."""

_USER = re.compile(r"(?<=://)[^/?#]*@")


@dataclass(eq=False, repr=False)
class Client:
    """Calls a function of an SDK with messages. What the function raises passes through.

    Its `cache_key` is made of the protocol, the server, the model and the parameters that may change an answer. The
    query of the address and the parameters are in it as a digest, so that no secret among them can be read.
    """

    kind: str
    call: Callable[..., Any]
    url: str
    model: str
    params: Mapping[str, Any]
    completion: Callable[[Any], Completion]
    request: Callable[[Sequence[Message]], dict[str, Any]] = lambda messages: {"messages": list(messages)}

    def __post_init__(self) -> None:
        if not self.model or type(self.model) is not str:
            raise TypeError(f"model= must be the name of a language model, not {self.model!r}")
        if self.params.get("stream"):
            raise ValueError("stream=True gives a reply in pieces, and ask reads whole ones; leave stream out")
        server, _, query = _USER.sub("", self.url).partition("?")
        telling = {
            name: value
            for name, value in self.params.items()
            if not _NOT_THE_ANSWERS.fullmatch(name) and type(value).__name__ not in _ABSENT
        }
        digest = sha256(json.dumps([query, telling], sort_keys=True, default=repr).encode()).hexdigest()[:16]
        self.cache_key = f"{self.kind} {self.model} {server.rstrip('/')} {digest}"

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
