"""Calling language models: budget, hooks, retries and fallbacks, for `ask` and for everything else that calls."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from inspect import isawaitable, iscoroutine
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

from ..completion import Completion, Message, WrongReturnError
from ..errors import BudgetError
from ..findings import Problem, ProblemKind
from ..outages import describe, is_outage, pause
from .caching import THREADS, Flights
from .channel import Channel
from .models import Models
from .result import AskOptions, Attempt, Hook, Request, annotate, usage_of
from .spans import chat_span, span
from .spending import Spent

if TYPE_CHECKING:
    from ..response import StructuredResponse

_LOG = logging.getLogger("structured_response.asking")

FoundT = TypeVar("FoundT")


class Caller:
    """Calls the first of several language models that is not down.

    Attributes:
        name: What is asked for, in the notes of exceptions.
        attempts: The attempts so far, a list that grows; exceptions get what is in it.
        channels: For each of the models, the journal and the limits that its calls pass through.
        turn: The one of `completes` that is called: those before it are down.
        spent: The tokens and the money of all calls so far.
        raised: The exception of the last call that failed, which no hook and no cache raised.
    """

    def __init__(
        self,
        name: str,
        models: Models,
        options: AskOptions,
        flights: Flights,
        *,
        attempts: Sequence[Attempt] = (),
        spent: Spent | None = None,
        channels: Sequence[Channel] = (),
    ) -> None:
        self.name = name
        self.completes = models.completes
        self.options = options
        self.flights = flights
        self.sleep = flights.sleep
        self.attempts = attempts
        self.spent = spent or Spent(options["budget"])
        self.channels = channels
        self.prices = models.prices
        self.turn = 0
        self.raised: Exception | None = None
        self.send: Callable[[Any, list[Message]], Awaitable[Any]] = flights.do
        self.streams = False
        self.best: StructuredResponse[Any] | None = None  # for the error of a spent budget

    @property
    def target(self) -> str:
        """What is asked for, and of whom: SDKs do not say which address cannot be reached."""
        complete = self.completes[self.turn]
        model, server = getattr(complete, "model", None), urlsplit(str(getattr(complete, "url", "")))
        if not (isinstance(model, str) and server.hostname):
            return self.name
        port = f":{server.port}" if server.port else ""
        return f"{self.name} of {model} at {server.scheme}://{server.hostname}{port}"

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
                if not is_down or self.turn + 1 == len(self.completes):
                    raise
                self.turn += 1
                _LOG.warning("%s: asking fallback %d", describe(error), self.turn)

    async def call(self, messages: Sequence[Message]) -> Completion:
        """Returns the completion of the language model whose turn it is, after retries."""
        calling = partial(self._until_up, messages)
        return await (self.channels[self.turn].kept(messages, calling) if self.channels else calling())

    async def _until_up(self, messages: Sequence[Message]) -> Completion:
        """Calls within the limits, and again after an outage."""
        retry, retries = 0, self.options["retries"]
        with chat_span(self.completes[self.turn], messages, self.streams, self.options) as note:
            while True:
                calling = partial(self._call_once, messages, retry)
                try:
                    completion = await (
                        self.channels[self.turn].paced(messages, calling) if self.channels else calling()
                    )
                except Exception as error:
                    retry += 1
                    seconds = pause(error, retry, retries, self.options["max_wait"]) if error is self.raised else None
                    if seconds is None:
                        annotate(error, self.target, self.attempts)
                        raise
                    _LOG.warning("%s: retry %d of %d in %.1f s", describe(error), retry, retries, seconds)
                else:
                    note(completion)
                    return completion
                with span("wait"):
                    await self.flights.do(self.sleep, seconds)

    async def _call_once(self, messages: Sequence[Message], retry: int) -> Completion:
        """Calls within the budget, and tells the hooks."""
        complete = self.completes[self.turn]
        if over := self.spent.over():
            problem = Problem(ProblemKind.NO_ANSWER, "$", over)
            reply = self.attempts[-1].reply if self.attempts else ""
            raise BudgetError([problem], reply, self.best, self.attempts, usage_of(self.attempts))
        request = Request(tuple(messages), getattr(complete, "model", None), self.turn, retry)
        await self._tell("on_request", request)
        try:
            completion = self._checked(await self.send(complete, list(messages)))
        except Exception as error:
            self.raised = error
            await self._tell("on_error", request, error)
            raise
        self.spent.add(completion.usage, self.prices[self.turn](completion.usage))
        await self._tell("on_response", request, completion)
        return completion

    def _checked(self, given: Any) -> Completion:
        if isinstance(given, str):
            return Completion(given)
        if isawaitable(given) or (self.flights is THREADS and hasattr(given, "__aiter__")):
            if iscoroutine(given):
                given.close()
            raise WrongReturnError("`complete` returned an awaitable; use `await aask(...)`")
        if isinstance(given, Completion) and isinstance(given.text, str):
            return given
        raise WrongReturnError(f"`complete` must return text or a Completion, not {type(given).__name__}")

    async def _tell(self, hook: Hook, *told: Any) -> None:
        function: Any = self.options[hook]
        if function is not None:
            await self.flights.do(function, *told)
