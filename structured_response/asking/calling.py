"""Calling language models: budget, hooks, retries and fallbacks, for `ask` and for everything else that calls."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from inspect import isawaitable, iscoroutine, iscoroutinefunction
from typing import TYPE_CHECKING, Any, TypeVar

from ..clients.providers import client_of
from ..completion import Completion, Message, WrongReturnError, checked_complete, is_completion
from ..errors import BudgetError
from ..findings import Problem, ProblemKind
from ..outages import describe, is_outage, pause
from .caching import THREADS, Flights
from .calls import Line
from .result import HOOKS, AskOptions, Attempt, Hook, Request, annotate, usage_of
from .spans import chat_span, span
from .spending import Budget, Spent, checked_price, price_of

if TYPE_CHECKING:
    from ..response import StructuredResponse

_LOG = logging.getLogger("structured_response.asking")

FoundT = TypeVar("FoundT")


@dataclass(eq=False)
class Models:
    """`complete` and its fallbacks, of which some were made by name and are to be closed."""

    completes: list[Any]
    made: list[Any]
    flights: Flights

    async def close(self) -> None:
        for each in self.made:
            if each.close is not None:
                await self.flights.do(each.close)


def models_of(complete: Any, options: AskOptions, flights: Flights) -> Models:
    """Makes the clients that are named by a string, and checks the others. The key leaves the options.

    Raises:
        MissingExtraError, TypeError, ValueError: A language model cannot be called that way.
    """
    keys: dict[str, Any] = {"api_key": options["api_key"], "key_env": options["key_env"]}
    options["api_key"] = None
    if not isinstance(complete, str) and any(keys.values()):
        raise TypeError("api_key and key_env are for a language model given as a string; your client has its own")
    completes, made = [], []
    for number, each in enumerate((complete, *options["fallbacks"])):
        is_name = isinstance(each, str) and ":" in each
        if is_name:  # a key is for the server of `complete` alone
            made.append(client_of(each, flights is not THREADS, **({} if number else keys)))
        completes.append(made[-1] if is_name else checked_complete(each))
    if options["mode"] == "json_schema":
        for each in completes:
            if not hasattr(each, "with_schema"):
                raise TypeError(f"mode='json_schema' needs a client of structured_response.clients, not {each!r}"[:200])
    if options["order"] == "cache":
        completes = [each.with_cache() if hasattr(each, "with_cache") else each for each in completes]
    return Models(completes, made, flights)


class Caller:
    """Calls the first of several language models that is not down.

    Attributes:
        turn: The one of `completes` that is called: those before it are down.
        spent: The tokens and the money of all calls so far.
        raised: The exception of the last call that failed. What a hook or a cache raises is none.
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
        lines: Sequence[Line] = (),
    ) -> None:
        """Prepares to call.

        Args:
            name: What is asked for, in the notes of exceptions.
            models: The language models, by `models_of`, whose `close` is for the one who made them.
            options: All options, checked by `checked_options`.
            flights: `THREADS`, or `tasks()` to await.
            attempts: The list of the attempts so far, which grows; exceptions get what is in it.
            spent: What is spent so far, if several callers share a budget.
            lines: For each of `completes`, the way of its calls through a journal and limits.

        Raises:
            MissingExtraError, TypeError, ValueError: An option cannot work.
        """
        self.name = name
        self.completes = models.completes
        self.options = options
        self.flights = flights
        self.sleep = flights.sleep
        self.attempts = attempts
        self.spent = spent or Spent(options["budget"] or Budget())
        self.lines = lines
        self.prices = [price_of(each, number, options["price"]) for number, each in enumerate(self.completes)]
        self.turn = 0
        self.raised: Exception | None = None
        self.send: Callable[[Any, list[Message]], Awaitable[Any]] = flights.do
        self.streams = False
        self.best: StructuredResponse[Any] | None = None  # for the error of a spent budget
        if self.spent.budget.usd is not None:
            for each, price in zip(self.completes, self.prices, strict=True):
                checked_price(each, price)
        for hook in HOOKS:
            if flights is THREADS and iscoroutinefunction(options[hook]):
                raise TypeError(f"{hook} is a coroutine function, which only `aask` can await")

    async def completion(self, messages: Sequence[Message]) -> Completion:
        """The completion of the first language model that is not down. Raises what the last one raised."""
        return await self.standing(partial(self.call, messages))

    async def standing(self, find: Callable[[], Awaitable[FoundT]]) -> FoundT:
        """What a function returns that calls, for the first language model that is not down."""
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
        """The completion of the language model whose turn it is, after retries."""
        calling = partial(self._until_up, messages)
        return await (self.lines[self.turn].kept(messages, calling) if self.lines else calling())

    async def _until_up(self, messages: Sequence[Message]) -> Completion:
        """Calls again after an outage."""
        retry, retries = 0, self.options["retries"]
        with chat_span(self.completes[self.turn], messages, self.streams, self.options["trace_content"]) as note:
            while True:
                try:
                    completion = await self._once(messages, retry)
                except Exception as error:
                    retry += 1
                    seconds = pause(error, retry, retries, self.options["max_wait"]) if error is self.raised else None
                    if seconds is None:
                        annotate(error, self.name, self.attempts)
                        raise
                    _LOG.warning("%s: retry %d of %d in %.1f s", describe(error), retry, retries, seconds)
                else:
                    note(completion)
                    return completion
                with span("wait"):
                    await self.flights.do(self.sleep, seconds)

    async def _once(self, messages: Sequence[Message], retry: int) -> Completion:
        """Calls within the limits."""
        calling = partial(self._told, messages, retry)
        return await (self.lines[self.turn].paced(messages, calling) if self.lines else calling())

    async def _told(self, messages: Sequence[Message], retry: int) -> Completion:
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
        if is_completion(given):
            return given
        raise WrongReturnError(f"`complete` must return text or a Completion, not {type(given).__name__}")

    async def _tell(self, hook: Hook, *told: Any) -> None:
        function: Any = self.options[hook]
        if function is not None:
            await self.flights.do(function, *told)
