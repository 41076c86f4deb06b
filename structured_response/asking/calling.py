"""Calling language models: budget, hooks, retries and fallbacks, for `ask` and for everything else that calls."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from inspect import isawaitable, iscoroutine
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

from ..completion import Completion, Message, WrongReturnError
from ..errors import BudgetError
from ..findings import Problem, ProblemKind
from ..outages import describe, is_outage, pause
from .caching import THREADS
from .result import Attempt, Hook, Request, annotate, usage_of
from .setup import Setup
from .spans import chat_span, span

if TYPE_CHECKING:
    from ..response import StructuredResponse

_LOG = logging.getLogger("structured_response.asking")

FoundT = TypeVar("FoundT")


@dataclass(eq=False)
class Caller:
    """Calls the first of several language models that is not down.

    Attributes:
        send: Makes the call itself: a function of a `complete` and messages.
        attempts: The attempts so far, a list that grows; exceptions get what is in it.
        turn: The one of the models that is called: those before it are down.
        raised: The exception of the last call that failed, which no hook and no cache raised.
        best: Everything that could be read so far, for the error of a spent budget.
    """

    setup: Setup
    send: Callable[[Any, list[Message]], Awaitable[Any]]
    attempts: Sequence[Attempt]
    streams: bool
    turn: int = 0
    raised: Exception | None = None
    best: StructuredResponse[Any] | None = None

    @property
    def complete(self) -> Any:
        """The language model whose turn it is."""
        return self.setup.completes[self.turn]

    @property
    def target(self) -> str:
        """What is asked for, and of whom: SDKs do not say which address cannot be reached."""
        name, complete = self.setup.asked.class_name, self.complete
        model, server = getattr(complete, "model", None), urlsplit(str(getattr(complete, "url", "")))
        if not (isinstance(model, str) and server.hostname):
            return name
        port = f":{server.port}" if server.port else ""
        return f"{name} of {model} at {server.scheme}://{server.hostname}{port}"

    async def completion(self, messages: Sequence[Message]) -> Completion:
        """Returns the completion of the first language model that is not down. Raises what the last one raised."""
        return await self.with_fallbacks(partial(self.call, messages))

    async def with_fallbacks(self, find: Callable[[], Awaitable[FoundT]]) -> FoundT:
        """Runs a function that makes calls, with the next fallback whenever a language model is down."""
        while True:
            try:
                return await find()
            except Exception as error:
                is_down = error is self.raised and is_outage(error)
                if not is_down or self.turn + 1 == len(self.setup.completes):
                    raise
                self.turn += 1
                _LOG.warning("%s: asking fallback %d", describe(error), self.turn)

    async def call(self, messages: Sequence[Message]) -> Completion:
        """Calls the language model whose turn it is, within the limits, and again after an outage."""
        options, pace, retry = self.setup.options, self.setup.pace, 0
        sleep = partial(self.setup.flights.do, self.setup.sleep)
        with chat_span(self.complete, messages, self.streams, options) as note:
            while True:
                call, params = partial(self._call_once, messages, retry), getattr(self.complete, "params", None)
                try:
                    completion = await (pace.paced(messages, params, call, sleep) if pace else call())
                except Exception as error:
                    retry += 1
                    is_own, retries = error is self.raised, options["retries"]
                    seconds = pause(error, retry, retries, options["max_wait"]) if is_own else None
                    if seconds is None:
                        annotate(error, self.target, self.attempts)
                        raise
                    _LOG.warning("%s: retry %d of %d in %.1f s", describe(error), retry, retries, seconds)
                else:
                    note(completion)
                    return completion
                with span("wait"):
                    await sleep(seconds)

    async def _call_once(self, messages: Sequence[Message], retry: int) -> Completion:
        """Calls within the budget, and tells the hooks."""
        if over := self.setup.spent.over():
            problem = Problem(ProblemKind.NO_ANSWER, "$", over)
            reply = self.attempts[-1].reply if self.attempts else ""
            raise BudgetError([problem], reply, self.best, self.attempts, usage_of(self.attempts))
        request = Request(tuple(messages), getattr(self.complete, "model", None), self.turn, retry)
        await self._tell("on_request", request)
        try:
            completion = self._checked(await self.send(self.complete, list(messages)))
        except Exception as error:
            self.raised = error
            await self._tell("on_error", request, error)
            raise
        self.setup.spent.add(completion.usage, self.setup.prices[self.turn](completion.usage))
        await self._tell("on_response", request, completion)
        return completion

    def _checked(self, given: Any) -> Completion:
        if isinstance(given, str):
            return Completion(given)
        if isawaitable(given) or (self.setup.flights is THREADS and hasattr(given, "__aiter__")):
            if iscoroutine(given):
                given.close()
            raise WrongReturnError("`complete` returned an awaitable; use `await aask(...)`")
        if isinstance(given, Completion) and isinstance(given.text, str):
            return given
        raise WrongReturnError(f"`complete` must return text or a Completion, not {type(given).__name__}")

    async def _tell(self, hook: Hook, *told: Any) -> None:
        function: Any = self.setup.options[hook]
        if function is not None:
            await self.setup.flights.do(function, *told)
