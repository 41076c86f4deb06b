"""The language models of a question: clients that are given, or made by their names, and checked before any call."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from inspect import iscoroutinefunction
from typing import TYPE_CHECKING, Any

from ..clients.providers import client_of
from ..completion import Usage, checked_complete
from .caching import THREADS, Flights
from .journal import Journal
from .pace import Pace
from .result import HOOKS, AskOptions
from .spending import Spent, checked_price, price_of

if TYPE_CHECKING:
    from ..response import StructuredResponse


@dataclass(eq=False)
class Models:
    """`complete` and its fallbacks with their prices, and what all questions to them share.

    Attributes:
        made: Those that were made by name, and are to be closed.
        sleep: Waits before a retry, and for the limits of `pace`.
    """

    completes: list[Any]
    prices: list[Callable[[Usage], Decimal | None]]
    made: list[Any]
    flights: Flights
    spent: Spent
    sleep: Callable[[float], Any]
    pace: Pace | None = None
    journal: Journal | None = None

    async def close(self) -> None:
        for each in self.made:
            if each.close is not None:
                await self.flights.do(each.close)


def models_of(
    complete: Any, options: AskOptions, flights: Flights, asked: StructuredResponse[Any] | None = None
) -> Models:
    """Makes the clients that are named by a string, and checks all that calls need. The key leaves the options."""
    given, made = [complete, *options["fallbacks"]], []
    keys: dict[str, Any] = {"api_key": options["api_key"], "key_env": options["key_env"]}
    options["api_key"] = None
    if any(keys.values()) and not isinstance(complete, str):
        raise TypeError("api_key and key_env are for a language model given as a string; your client has its own")
    for number, each in enumerate(given):
        if isinstance(each, str) and ":" in each:  # a key is for the server of `complete` alone
            given[number] = client_of(each, flights is not THREADS, **({} if number else keys))
            made.append(given[number])
    named = options["price"]
    if isinstance(named, Mapping) and not any(getattr(each, "model", None) in named for each in given):
        raise ValueError(f"price has no language model that is asked, but {', '.join(map(repr, named))}"[:200])
    prices = [price_of(each, number, options["price"]) for number, each in enumerate(given)]
    completes = [_prepared(checked_complete(each), options, asked) for each in given]
    if options["budget"] is not None and options["budget"].usd is not None:
        for each, price in zip(given, prices, strict=True):
            checked_price(each, price)
    check_functions(options, HOOKS, flights, "aask")
    return Models(completes, prices, made, flights, Spent(options["budget"]), flights.sleep)


def check_functions(options: Mapping[str, Any], names: Iterable[str], flights: Flights, awaiting: str) -> None:
    """Raises `TypeError` for a coroutine function among options that nothing awaits."""
    for name in names:
        if flights is THREADS and iscoroutinefunction(options[name]):
            raise TypeError(f"{name} is a coroutine function, which only `{awaiting}` can await")


def _prepared(complete: Any, options: AskOptions, asked: StructuredResponse[Any] | None) -> Any:
    if options["mode"] == "json_schema" and not hasattr(complete, "with_schema"):
        raise TypeError(f"mode='json_schema' needs a client of structured_response.clients, not {complete!r}"[:200])
    if asked is not None and hasattr(complete, "for_answer"):
        complete = complete.for_answer(asked, options["format"] or "xml")
    return complete.with_cache() if options["order"] == "cache" and hasattr(complete, "with_cache") else complete
