"""What all clients have in common: a call that may have to be awaited, and a name for the keys of a cache."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from inspect import isawaitable
from typing import Any

from ..completion import Completion, Message

__all__ = ["Client"]


class Client:
    """Calls a function of an SDK with messages, and makes a completion of what it gives, now or once it is awaited.

    `request` makes the function's arguments of messages, `completion` a `Completion` of its result. What the function
    raises passes through: retries and time limits are the SDK's, and set where its client is made.
    """

    def __init__(
        self,
        kind: str,
        call: Callable[..., Any],
        model: str,
        params: Mapping[str, Any],
        request: Callable[[Sequence[Message]], dict[str, Any]],
        completion: Callable[[Any], Completion],
    ) -> None:
        self.call = call
        self.model = model
        self.params = dict(params)
        self.request = request
        self.completion = completion
        self.cache_key = json.dumps([kind, model, self.params], sort_keys=True, default=repr)

    def __call__(self, messages: Sequence[Message]) -> Any:
        given = self.call(model=self.model, **self.request(messages), **self.params)
        return self._awaited(given) if isawaitable(given) else self.completion(given)

    async def _awaited(self, given: Awaitable[Any]) -> Completion:
        return self.completion(await given)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.cache_key}>"
