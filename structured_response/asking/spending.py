"""The tokens and the money of calls: prices, budgets, and what is spent so far."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cache
from threading import Lock
from typing import Any, TypeAlias

from ..completion import Usage
from ..errors import needs

_MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Price:
    """The price of a language model, in US dollars for a million tokens.

    Attributes:
        input: The price of the tokens of the messages.
        output: The price of the tokens of the reply, its reasoning included.
        cached: The price of those input tokens that the provider's cache had. None for that of `input`.
        cache_write: The price of those that it wrote into its cache. None for that of `input`.
    """

    input: Decimal | float
    output: Decimal | float
    cached: Decimal | float | None = None
    cache_write: Decimal | float | None = None

    def __post_init__(self) -> None:
        for name in self.__slots__:
            value = getattr(self, name)
            if value is not None or name in ("input", "output"):
                object.__setattr__(self, name, _dollars(f"{name} of a Price", value))

    def of(self, usage: Usage) -> Decimal:
        """Returns the price of the tokens of a call, in US dollars."""
        kinds = [
            (max(usage.input_tokens - usage.cached_tokens - usage.cache_write_tokens, 0), self.input),
            (usage.cached_tokens, self.input if self.cached is None else self.cached),
            (usage.cache_write_tokens, self.input if self.cache_write is None else self.cache_write),
            (usage.output_tokens, self.output),
        ]
        return sum((tokens * Decimal(price) for tokens, price in kinds), Decimal()) / _MILLION


Prices: TypeAlias = Price | Mapping[str, Price]
"""The price of `complete`, or those of several language models by their names."""


@dataclass(frozen=True, slots=True)
class Budget:
    """The limit of a question, or of all questions of `ask_many` together. Once it is spent, no call begins.

    Calls in flight are completed, so they may exceed it. Each `ask` counts from 0.

    Attributes:
        tokens: The tokens of messages and replies.
        usd: The money, in US dollars.
    """

    tokens: int | None = None
    usd: Decimal | float | None = None

    def __post_init__(self) -> None:
        if self.usd is not None:
            object.__setattr__(self, "usd", _dollars("usd of a Budget", self.usd))
        tokens: Any = self.tokens
        if tokens is not None and not (isinstance(tokens, int) and tokens >= 0):
            raise ValueError(f"tokens of a Budget must be an integer of at least 0, not {tokens!r}")
        if tokens is None and self.usd is None:
            raise ValueError("a Budget needs tokens=, usd=, or both")


def _dollars(name: str, value: Any) -> Decimal:
    if not (isinstance(value, int | float | Decimal) and value >= 0):
        raise ValueError(f"{name} must be a number of at least 0, not {value!r}")
    return Decimal(str(value))


@dataclass(eq=False)
class Spent:
    """The tokens and the money of all calls so far, from any thread. The `cost` is None once a call's cost is."""

    budget: Budget | None = None
    usage: Usage = field(default_factory=Usage)
    cost: Decimal | None = field(default_factory=Decimal)
    lock: Any = field(default_factory=Lock)

    def add(self, usage: Usage, cost: Decimal | None) -> None:
        with self.lock:
            self.usage += usage
            self.cost = None if cost is None or self.cost is None else self.cost + cost

    def over(self) -> str:
        """Returns a sentence if the budget is spent, or an empty text."""
        if self.budget is None:
            return ""
        tokens, most, usd = self.usage.total_tokens, self.budget.tokens, self.budget.usd
        if most is not None and tokens >= most:
            return f"the budget of {most:,} tokens is spent: {tokens:,} tokens were used"
        if usd is not None and self.cost is not None and self.cost >= usd:
            return f"the budget of ${usd} is spent: ${self.cost} were used"
        return ""


def price_of(complete: Any, number: int, prices: Prices | None) -> Callable[[Usage], Decimal | None]:
    """Returns the function from the tokens of a call to its price, or to None if that is unknown."""
    model = getattr(complete, "model", None)
    given = prices.get(str(model)) if isinstance(prices, Mapping) else prices if number == 0 else None
    if given is not None:
        return given.of
    if not isinstance(model, str):
        return lambda _usage: None
    url = str(getattr(complete, "url", "")).partition("?")[0]
    provider, slash, name = model.partition("/")
    where = {"provider_api_url": url} if url else {"provider_id": provider} if slash else {}
    ref = name if slash and not url else model

    def listed(usage: Usage) -> Decimal | None:
        prices = _genai_prices()
        if prices is None:
            return None
        cached, written = usage.cached_tokens, usage.cache_write_tokens
        counted = prices.Usage(
            input_tokens=max(usage.input_tokens, cached + written),  # it refuses counts that some servers send
            output_tokens=usage.output_tokens,
            cache_read_tokens=cached,
            cache_write_tokens=written,
        )
        try:
            total: Decimal = prices.calc_price(counted, ref, **where).total_price
        except (LookupError, ValueError):
            return None
        return total

    return listed


def checked_price(complete: Any, price: Callable[[Usage], Decimal | None]) -> None:
    """Raises for a language model without a price, which no budget in money can count."""
    if price(Usage()) is None:
        with needs("genai_prices", "cost"):
            import genai_prices  # noqa: F401
        name = getattr(complete, "model", None) or getattr(complete, "__name__", type(complete).__name__)
        raise ValueError(f"{name} has no known price, which a budget in money needs; give price=Price(input=, output=)")


@cache
def _genai_prices() -> Any:
    try:
        import genai_prices
    except ImportError:
        return None
    return genai_prices
