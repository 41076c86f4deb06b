"""The options of asking, and its result: the answer, and a record of each attempt at it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeAlias, TypedDict, TypeVar, get_args

from ..completion import AsyncComplete, Complete, Completion, Message, Usage, total_cost
from ..errors import CacheError, MissingExtraError
from ..findings import Problem, Repair
from ..options import Kind, ParseOptions, ReadingOptions, at_least, check_choice, check_kinds, parse_options
from ..outages import is_installed
from ..response import StructuredResponse
from .conversation import Order
from .spending import Budget, Price, Prices
from .templates import Templates

if TYPE_CHECKING:
    from ..explain import Explanation

ModelT = TypeVar("ModelT")

MAX_NAMED = 5  # problems that an attempt names as text


@dataclass(frozen=True, slots=True)
class Request:
    """A call of a language model, for hooks.

    Attributes:
        messages: The messages.
        model: The name of the language model, if its client has one.
        fallback: 0 for `complete`, or the number of the fallback, from 1.
        retry: How often the call failed before.
    """

    messages: tuple[Message, ...]
    model: str | None
    fallback: int
    retry: int


@dataclass(frozen=True, slots=True)
class Attempt:
    """One call of a language model.

    Attributes:
        number: The number of the attempt, from 1.
        messages: All messages that were sent.
        reply: The text of the reply.
        finish_reason: Why the reply ended there, in the provider's own word.
        problems: What is wrong with the answer after this attempt.
        repairs: What was mended in the answer up to this attempt.
        usage: The tokens of the call; none if it is cached.
        seconds: The duration of the attempt, with its waits.
        cached: Whether the reply came from a cache, or from an identical call in flight.
        fallback: 0 for a reply of `complete`, or the number of the fallback that answered, from 1.
        cost: The price of the call in US dollars: 0 if it is cached, None if it is unknown.
    """

    number: int
    messages: tuple[Message, ...]
    reply: str
    finish_reason: str | None
    problems: tuple[Problem, ...]
    repairs: tuple[Repair, ...]
    usage: Usage
    seconds: float
    cached: bool
    fallback: int = 0
    cost: Decimal | None = None

    @property
    def prompt(self) -> Any:
        """The content of the last message that was sent."""
        return self.messages[-1]["content"]

    def __str__(self) -> str:
        """Numbers and places only, no content: logs and notes of exceptions hold it."""
        wrong = ", ".join(f"{problem.path} {problem.kind}" for problem in self.problems[:MAX_NAMED])
        more = f" and {len(self.problems) - MAX_NAMED} more" if len(self.problems) > MAX_NAMED else ""
        tokens = self.usage.total_tokens
        of = f", fallback {self.fallback}" if self.fallback else ""
        return f"attempt {self.number}{of}: {self.seconds:.2f} s, {tokens} tokens, {wrong or 'nothing'}{more} wrong"


def usage_of(attempts: Sequence[Attempt]) -> Usage:
    """Returns the tokens of all attempts together."""
    return sum((attempt.usage for attempt in attempts), Usage())


def annotate(error: Exception, class_name: str, attempts: Sequence[Attempt]) -> None:
    """Gives an exception of a call the attempts before it, which pickle keeps, unlike a cause.

    It may be raised again and again, with attempts of an earlier question, or have its own, as an `AskError` has.
    """
    if isinstance(vars(error).get("attempts", ()), tuple):
        vars(error)["attempts"] = tuple(attempts)
    note = f"structured_response: asking for {class_name}, attempt {len(attempts) + 1}"
    others = [other for other in getattr(error, "__notes__", ()) if not other.startswith(note)]
    error.__notes__ = [*others, "\n  ".join([note, *map(str, attempts)])]


@dataclass(frozen=True)
class Result(Generic[ModelT]):
    """What `ask` or `act` came to.

    Attributes:
        response: The response that holds the answer.
        attempts: Each call of the language model.
    """

    response: StructuredResponse[ModelT] | None
    attempts: tuple[Attempt, ...]

    @property
    def usage(self) -> Usage:
        """The tokens of all attempts together."""
        return usage_of(self.attempts)

    @property
    def cost(self) -> Decimal | None:
        """The price of all attempts together in US dollars, or None if that of one of them is unknown."""
        return total_cost(attempt.cost for attempt in self.attempts)


@dataclass(frozen=True)
class AskResult(Result[ModelT]):
    """The answer to a question.

    Attributes:
        response: The response that holds the answer.
        attempts: Each attempt at it.
        context: The context of the model's validators.
        task: The task of `ask_many`, as it was given.
        index: Its number among all tasks, from 0.
    """

    response: StructuredResponse[ModelT]
    context: Any = None
    task: Any = None
    index: int | None = None

    @cached_property
    def value(self) -> ModelT:
        """The validated model. Raises `InstanceError` if `strict=False` let problems pass."""
        return self.response.to_basemodel(context=self.context)

    def explain(self) -> Explanation:
        """Explain how the answer came about: each attempt with its question, its reply and what was wrong."""
        from ..explain import explanation_of_attempts

        return explanation_of_attempts(self.attempts, self.response)


Truncated: TypeAlias = Literal["continue", "refuse"]
"""The policy for a reply that was cut off: let it go on, or stop asking."""

Refusal: TypeAlias = Literal["raise", "retry"]
"""The policy for a refusal: stop asking, or ask again."""


Mode: TypeAlias = Literal["prompt", "json_schema"]
"""How the form of the answer is requested: by the prompt alone, or also by the provider's parameter for JSON."""


class CallingOptions(TypedDict, total=False):
    """The options of `ask` and of `act` for the calls of a language model."""

    attempts: int
    retries: int
    max_wait: float
    fallbacks: Sequence[Complete | AsyncComplete | str]
    key: str | None
    on_request: Callable[[Request], Any] | None
    on_response: Callable[[Request, Completion], Any] | None
    on_error: Callable[[Request, Exception], Any] | None
    budget: Budget | None
    price: Prices | None
    order: Order
    templates: Templates | None
    api_key: str | None
    key_env: str | None
    trace_content: bool


class AskOptions(ReadingOptions, CallingOptions, total=False):
    """The options of `ask` and `aask`, for functions of your own that pass them on."""

    cache: Any
    strict: bool
    on_truncated: Truncated
    on_refusal: Refusal
    on_attempt: Callable[[Attempt], Any] | None
    mode: Mode


Hook: TypeAlias = Literal["on_attempt", "on_request", "on_response", "on_error"]
"""The options that are functions of the program, which are called when something happens."""

HOOKS: tuple[Hook, ...] = get_args(Hook)


class ManyOptions(AskOptions, total=False):
    """The options of `ask_many` and `aask_many`, for functions of your own that pass them on."""

    concurrency: int
    as_completed: bool
    max_failures: int | None
    progress: bool | None
    journal: str | Path | None
    requests_per_minute: float | None
    tokens_per_minute: float | None


_NONE = type(None)
FUNCTION = Kind((Callable, _NONE), "a function, or None")
JOURNAL = Kind((str, Path, _NONE), "the path of a file, or None")
_TEXT = Kind((str, _NONE), "a text, or None")
_SWITCH = Kind(bool, "True or False")
_RATE = Kind((int, float, _NONE), "a number above 0, or None", lambda value: value is None or value > 0)
_PRICE = Kind(
    (Price, Mapping, _NONE),
    "Price(input=, output=), or a mapping from names to those",
    lambda price: not isinstance(price, Mapping) or all(isinstance(each, Price) for each in price.values()),
)
_ASK: Mapping[str, tuple[Any, Any]] = {
    "attempts": (3, at_least(1, "an integer of at least 1")),
    "retries": (4, at_least(0, "an integer of at least 0")),
    "max_wait": (60, at_least(0, "a number of at least 0", (int, float))),
    "fallbacks": ((), Kind((list, tuple), "a list of functions or names")),
    "cache": (None, None),
    "key": (None, _TEXT),
    "strict": (True, _SWITCH),
    "on_truncated": ("continue", Truncated),
    "on_refusal": ("raise", Refusal),
    **dict.fromkeys(HOOKS, (None, FUNCTION)),
    "budget": (None, Kind((Budget, _NONE), "Budget(tokens=...) or Budget(usd=...)")),
    "price": (None, _PRICE),
    "order": ("ask", Order),
    "mode": ("prompt", Mode),
    "templates": (None, None),
    "api_key": (None, _TEXT),
    "key_env": (None, _TEXT),
    "trace_content": (False, _SWITCH),
    "format": ("xml", None),
}
"""The defaults of asking, each with its kind or its choices. Those of reading are the defaults of `ParseOptions`."""

_MANY: Mapping[str, tuple[Any, Any]] = {
    "concurrency": (8, at_least(1, "an integer of at least 1")),
    "as_completed": (False, _SWITCH),
    "max_failures": (None, at_least(0, "an integer of at least 0, or None", (int, _NONE))),
    "progress": (None, Kind((bool, _NONE), "True, False or None")),
    "journal": (None, JOURNAL),
    "requests_per_minute": (None, _RATE),
    "tokens_per_minute": (None, _RATE),
    "order": ("cache", Order),
}
"""Those of asking many questions, but for those of each question."""

DEFAULTS: Mapping[str, Any] = {name: default for name, (default, _kind) in _ASK.items()}
MANY_DEFAULTS: Mapping[str, Any] = {name: default for name, (default, _kind) in _MANY.items()}


def _check(options: Mapping[str, Any], known: Mapping[str, tuple[Any, Any]]) -> None:
    for name, (_default, kind) in known.items():
        if isinstance(kind, Kind):
            check_kinds(options, {name: kind})
        elif kind is not None:
            check_choice(name, options[name], get_args(kind))


def checked_many(given: ManyOptions) -> tuple[ManyOptions, AskOptions]:
    """Returns the options of the run with their defaults, and those of each question."""
    whole: Any = {**MANY_DEFAULTS, **{name: value for name, value in given.items() if name in MANY_DEFAULTS}}
    each: Any = {name: value for name, value in given.items() if name not in MANY_DEFAULTS}
    _check(whole, _MANY)
    each["order"] = whole["order"]
    return whole, each


def checked_options(given: AskOptions, others: Iterable[str]) -> tuple[AskOptions, ParseOptions]:
    """Returns all options of asking with their defaults, and those of reading among them."""
    options: Any = {**DEFAULTS, **given}
    if options["mode"] == "json_schema":
        if given.get("format", "json") != "json":
            raise ValueError("mode='json_schema' asks for JSON; leave format out")
        options["format"] = "json"
    own = [name for name in AskOptions.__annotations__ if name not in ReadingOptions.__annotations__]
    reading: Any = {name: value for name, value in options.items() if name not in own}
    how = parse_options(reading, (*own, *others))
    _check(options, _ASK)
    if options["retries"] and not is_installed():
        if given.keys() & {"retries", "max_wait"}:
            raise MissingExtraError("tenacity", "retry")
        options["retries"] = 0
    cache = options["cache"]
    methods = (getattr(cache, name, None) for name in ("get", "set"))
    if cache is not None and (isinstance(cache, type) or not all(map(callable, methods))):  # a miss for ever
        example = "an object with get and set, such as SqliteCache('replies.sqlite')"
        raise CacheError(f"cache= must be {example}, not {cache!r}"[:200])
    return options, how._replace(format=how.format or "xml")
