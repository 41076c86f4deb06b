"""Limits of the requests and the tokens that go out in a minute."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from threading import Lock
from time import monotonic
from typing import Any

from ..completion import Completion, Message, Usage, texts_of
from .caching import Calling

_CHARACTERS = 3  # of a prompt for each token that is reserved: few texts have more tokens
_OUTPUT = ("max_tokens", "max_completion_tokens", "max_output_tokens")
_LONGEST = 0.25  # seconds until a caller looks again, since tokens may have been given back


@dataclass
class _Bucket:
    """An amount that grows by `rate` a second up to `most`, which it reaches at the time `full` if nothing is taken.

    It is below 0 after calls that took more than expected.
    """

    rate: float
    most: float
    full: float

    def wait(self, amount: float, now: float) -> float:
        """Returns the seconds until the amount is there, or as much as there can be."""
        return self.full - now - (self.most - min(amount, self.most)) / self.rate

    def take(self, amount: float, now: float) -> None:
        self.full = max(self.full, now) + amount / self.rate


class Pace:
    """A bucket of requests and one of tokens, shared by all calls.

    Requests go out evenly, a second's worth at once at most. The tokens of a whole minute may go out at once, as
    providers count them: calls reserve many more than most of them use.
    """

    def __init__(self, requests: float | None = None, tokens: float | None = None) -> None:
        now, burst = monotonic(), max(1.0, (requests or 0) / 60)
        self._requests = _Bucket(requests / 60, burst, now + (burst - 1) / (requests / 60)) if requests else None
        self._tokens = _Bucket(tokens / 60, tokens, now) if tokens else None
        self._lock = Lock()

    async def paced(
        self,
        messages: Sequence[Message],
        params: Any,
        call: Calling,
        sleep: Callable[[float], Awaitable[Any]],
    ) -> Completion:
        """Calls once the limits allow it."""
        tokens, seconds = self.reserve(messages, params), 0.0
        while True:
            await sleep(seconds)  # ends here if the iterator was closed
            seconds = self.take(tokens)
            if not seconds:
                break
        usage = None
        try:
            completion = await call()
            usage = completion.usage
        finally:
            self.settle(tokens, usage)
        return completion

    def reserve(self, messages: Sequence[Message], params: Any) -> float:
        """Returns the tokens that a call may use: those of its texts, and of the longest reply that it allows."""
        if self._tokens is None:
            return 0.0
        known = params if isinstance(params, Mapping) else {}
        longest = max((known[name] for name in _OUTPUT if isinstance(known.get(name), int)), default=0)
        return sum(map(len, texts_of(messages))) / _CHARACTERS + longest

    def take(self, tokens: float) -> float:
        """Takes a request and tokens, and returns 0; or takes nothing, and returns the seconds to wait."""
        wanted = [(bucket, amount) for bucket, amount in ((self._requests, 1.0), (self._tokens, tokens)) if bucket]
        with self._lock:
            now = monotonic()
            wait = max((bucket.wait(amount, now) for bucket, amount in wanted), default=0.0)
            if wait > 0:
                return min(wait, _LONGEST)
            for bucket, amount in wanted:
                bucket.take(amount, now)
        return 0.0

    def settle(self, reserved: float, usage: Usage | None) -> None:
        """Ends a call, with None if it failed. Tokens that were reserved and not used are given back."""
        used = 0 if usage is None else usage.total_tokens or reserved
        with self._lock:
            if self._tokens is not None:
                self._tokens.take(used - reserved, monotonic())
