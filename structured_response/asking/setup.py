"""What questions share: what is asked for and how, and the language models, which are checked before any call."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from inspect import iscoroutinefunction
from typing import TYPE_CHECKING, Any

from ..clients.providers import client_of
from ..completion import Message, checked_complete
from ..options import Format
from .caching import THREADS, Flights
from .conversation import opening
from .journal import Journal
from .pace import Pace
from .result import HOOKS, AskOptions, checked_options
from .spending import Spent, checked_price, price_of
from .templates import checked_templates

if TYPE_CHECKING:
    from ..response import StructuredResponse


class Setup:
    """What is made once for a question, or for many.

    Attributes:
        completes: `complete` and its fallbacks.
        made: Those of them that were made by name, and are to be closed.
        prices: For each of them, the function from the tokens of a call to its price.
        callers: Their names in the keys of a cache or a journal, if there is one.
        sleep: Waits before a retry, and for the limits of `pace`.
    """

    def __init__(
        self,
        complete: Any,
        asked: StructuredResponse[Any],
        given: AskOptions,
        flights: Flights,
        others: Iterable[str] = ("stream",),
        *,
        is_text: bool = False,
        has_journal: bool = False,
    ) -> None:
        """Makes it. `others` are options of the caller, for messages. An answer that `is_text` has no form."""
        self.asked = asked
        self.options, self.how = checked_options(given, others)
        options = self.options
        self.form: Format = self.how.format or "xml"
        self.templates = checked_templates(options["templates"])
        self.flights = flights
        self.sleep = flights.sleep
        self.spent = Spent(options["budget"])
        self.pace: Pace | None = None
        self.journal: Journal | None = None
        self.completes, self.made = _clients(complete, options, flights)
        named = options["price"]
        if isinstance(named, Mapping) and not any(getattr(each, "model", None) in named for each in self.completes):
            names = ", ".join(map(repr, named))
            raise ValueError(f"price has no language model that is asked, but {names}"[:200])
        self.prices = [price_of(each, number, named) for number, each in enumerate(self.completes)]
        if options["budget"] is not None and options["budget"].usd is not None:
            for each, price in zip(self.completes, self.prices, strict=True):
                checked_price(each, price)
        self.completes = [self._prepared(checked_complete(each), is_text) for each in self.completes]
        self.callers = self._callers() if has_journal or options["cache"] is not None else []
        check_functions(options, HOOKS, flights, "aask")

    def opening(self, prompt: str | Sequence[Message]) -> list[Message]:
        """Returns the first messages of a question."""
        instruction, order = self.templates.get("instruction"), self.options["order"]
        return opening(self.asked, prompt, self.form, self.how.examples, order, instruction)

    def _prepared(self, complete: Any, is_text: bool) -> Any:
        if self.options["mode"] == "json_schema" and not hasattr(complete, "with_schema"):
            raise TypeError(f"mode='json_schema' needs a client of structured_response.clients, not {complete!r}"[:200])
        if not is_text and hasattr(complete, "for_answer"):
            complete = complete.for_answer(self.asked, self.form)
        if self.options["order"] == "cache" and hasattr(complete, "with_cache"):
            complete = complete.with_cache()
        return complete

    def _callers(self) -> list[str]:
        callers: list[Any] = [getattr(complete, "cache_key", None) for complete in self.completes]
        if self.options["key"] is not None:
            callers[0] = self.options["key"]
        for number, caller in enumerate(callers):
            if not (isinstance(caller, str) and caller):
                how = f"give fallback {number}" if number else "pass key=, or a `complete` with"
                raise TypeError(
                    f"a cache or a journal needs to know who answers: {how} a `cache_key`, a str that names the "
                    "language model and its parameters"
                )
        return [f"{caller} json_schema" for caller in callers] if self.options["mode"] == "json_schema" else callers

    async def close(self) -> None:
        for each in self.made:
            if each.close is not None:
                await self.flights.do(each.close)


def _clients(complete: Any, options: AskOptions, flights: Flights) -> tuple[list[Any], list[Any]]:
    """Returns the language models, and those of them that are named and made here. The key leaves the options."""
    given, made = [complete, *options["fallbacks"]], []
    keys: dict[str, Any] = {"api_key": options["api_key"], "key_env": options["key_env"]}
    options["api_key"] = None
    if any(keys.values()) and not isinstance(complete, str):
        raise TypeError("api_key and key_env are for a language model given as a string; your client has its own")
    for number, each in enumerate(given):
        if isinstance(each, str) and ":" in each:  # a key is for the server of `complete` alone
            given[number] = client_of(each, flights is not THREADS, **({} if number else keys))
            made.append(given[number])
    return given, made


def check_functions(options: Mapping[str, Any], names: Iterable[str], flights: Flights, awaiting: str) -> None:
    """Raises `TypeError` for a coroutine function among options that nothing awaits."""
    for name in names:
        if flights is THREADS and iscoroutinefunction(options[name]):
            raise TypeError(f"{name} is a coroutine function, which only `{awaiting}` can await")
