"""Asking in production: hooks, prices, budgets and templates."""

from __future__ import annotations

import asyncio
import pickle
import subprocess
import sys
import threading
from decimal import Decimal
from time import sleep
from typing import Any

import pytest
from pydantic import BaseModel

from structured_response import (
    AskError,
    AskResult,
    Budget,
    BudgetError,
    Completion,
    Price,
    Request,
    Templates,
    Usage,
    aask,
    aask_many,
    ask,
    ask_many,
)
from structured_response.asking.spending import Spent, price_of
from structured_response.cache import MemoryCache
from structured_response.testing import FakeModel


class Review(BaseModel):
    headline: str
    score: int


GOOD = "<review><headline>Nice</headline><score>4</score></review>"
BAD = "<review><headline>Nice</headline><score>many</score></review>"
USAGE = Usage(1_000, 100, cached_tokens=400, cache_write_tokens=100, reasoning_tokens=40)
PRICE = Price(input=1, output=10, cached=0.1, cache_write=1.25)
COST = Decimal("0.001665")  # 500 + 400 * 0.1 + 100 * 1.25 + 100 * 10 millionths


def model(*replies: Any) -> FakeModel:
    """A language model that says these, each with the same tokens."""
    return FakeModel([Completion(each, "stop", USAGE) if isinstance(each, str) else each for each in replies])


# Hooks


class Told:
    """Hooks that keep what they are told, plain or to be awaited."""

    def __init__(self, is_async: bool) -> None:
        self.seen: list[tuple[Any, ...]] = []
        self.options = {name: self._hook(name, is_async) for name in ("on_request", "on_response", "on_error")}

    def _hook(self, name: str, is_async: bool) -> Any:
        def plain(*told: Any) -> None:
            self.seen.append((name, *told))

        async def awaited(*told: Any) -> None:
            await asyncio.sleep(0)
            plain(*told)

        return awaited if is_async else plain


@pytest.mark.parametrize("is_async", [False, True])
def test_hooks_are_told_of_each_call(is_async: bool) -> None:
    """With its messages, its language model, its retry and its fallback; with its reply or its exception."""
    told = Told(is_async)
    first, second = FakeModel([ConnectionError("a"), ConnectionError("b")]), model(BAD, GOOD)
    options: Any = {"retries": 1, "max_wait": 0, "fallbacks": [second], **told.options}
    if is_async:
        asked = asyncio.run(aask(first, "Review.", Review, **options))
    else:
        asked = ask(first, "Review.", Review, **options)
    assert asked.value.score == 4
    names = [name for name, *_told in told.seen]
    assert names == ["on_request", "on_error"] * 2 + ["on_request", "on_response"] * 2
    requests = [request for _name, request, *_rest in told.seen]
    assert all(isinstance(each, Request) and each.model == "fake" for each in requests)
    assert [(each.fallback, each.retry) for each in requests[::2]] == [(0, 0), (0, 1), (1, 0), (1, 0)]
    assert list(requests[-1].messages) == second.calls[-1]
    assert str(told.seen[1][2]) == "a" and told.seen[-1][2].text == GOOD


def test_hooks_are_told_of_no_reply_that_is_cached() -> None:
    """Nothing is sent then."""
    told, cache = Told(is_async=False), MemoryCache()
    for _ in range(2):
        ask(model(GOOD), "Review.", Review, cache=cache, **told.options)
    assert [name for name, *_told in told.seen] == ["on_request", "on_response"]


def _hook(name: str, function: Any) -> Any:
    return {name: function}


def test_what_a_hook_raises_ends_the_question() -> None:
    """It is no outage, whatever it is: nothing is retried, and no fallback is asked."""

    def refuse(*told: Any) -> None:
        raise ConnectionError("not this one")

    fake = model(GOOD, GOOD)
    for name in ("on_request", "on_response"):
        with pytest.raises(ConnectionError, match="not this one"):
            ask(fake, "Review.", Review, fallbacks=[fake], **_hook(name, refuse))
    assert len(fake.calls) == 1
    (failed,) = ask_many(fake, ["Review."], Review, on_request=refuse)
    assert isinstance(failed, AskError) and not failed.call_failed


@pytest.mark.parametrize("hook", ["on_attempt", "on_request", "on_response", "on_error"])
def test_ask_cannot_await_a_hook(hook: str) -> None:
    """The error names `aask`, before the first call."""
    fake = model(GOOD)
    options: Any = {hook: Told(is_async=True).options["on_error"]}
    with pytest.raises(TypeError, match=f"{hook} is a coroutine function, which only `aask` can await"):
        ask(fake, "Review.", Review, **options)
    assert not fake.calls


# Prices


def test_the_cost_of_an_answer() -> None:
    """Of each attempt and of all; tokens of the provider's cache have their own prices."""
    asked = ask(model(BAD, GOOD), "Review.", Review, price=PRICE)
    assert [each.cost for each in asked.attempts] == [COST, COST]
    assert asked.cost == 2 * COST
    assert asked.usage == USAGE + USAGE
    with pytest.raises(AskError) as caught:
        ask(model(BAD), "Review.", Review, price=PRICE, attempts=1)
    assert caught.value.cost == pickle.loads(pickle.dumps(caught.value)).cost == COST
    assert ask(model(GOOD), "Review.", Review).cost is None


def test_a_cached_reply_costs_nothing() -> None:
    """Neither tokens nor money."""
    cache = MemoryCache()
    costs = [ask(model(GOOD), "Review.", Review, price=PRICE, cache=cache).cost for _ in range(2)]
    assert costs == [COST, 0]


def test_prices_by_name() -> None:
    """A mapping has those of fallbacks too; a price alone is that of `complete`."""

    def down(messages: Any) -> str:
        raise ConnectionError

    options: Any = {"retries": 0, "fallbacks": [model(GOOD)]}
    assert ask(down, "Review.", Review, price={"fake": PRICE}, **options).cost == COST
    assert ask(down, "Review.", Review, price=PRICE, fallbacks=[model(GOOD)], retries=0).cost is None


class Named:
    """What a client knows of its language model."""

    def __init__(self, model: str, url: str = "") -> None:
        self.model, self.url = model, url


@pytest.mark.parametrize(
    ("client", "is_known"),
    [
        (Named("gpt-5", "https://api.openai.com/v1/?{}"), True),
        (Named("claude-sonnet-4-5", "https://api.anthropic.com?{}"), True),
        (Named("gemini/gemini-2.5-flash"), True),
        (Named("gpt-4o"), True),
        (Named("gpt-5", "http://localhost:8000/v1/?{}"), False),
        (Named("qwen3:8b", "http://localhost:8000/v1/?{}"), False),
        (Named("openai/of-tomorrow"), False),
        (lambda messages: GOOD, False),
    ],
)
def test_prices_of_genai_prices(client: Any, is_known: bool) -> None:
    """By the server's address, or by the provider's name; another server's language model is another one."""
    pytest.importorskip("genai_prices")
    price = price_of(client, 0, None)
    assert (price(Usage(1_000, 100)) is not None) is is_known
    if is_known:
        whole, cached = price(Usage(1_000, 100)), price(Usage(1_000, 100, cached_tokens=1_000))
        assert whole is not None and cached is not None and whole > cached > 0
        assert price(Usage(10, 0, cached_tokens=1_000)) is not None  # as a server may count


def test_prices_are_looked_up_offline() -> None:
    """No socket is opened, neither at import nor at use."""
    pytest.importorskip("genai_prices")
    program = """
import sys
sys.addaudithook(lambda event, args: event.startswith("socket.") and sys.exit(f"{event} {args}"))
from structured_response.asking.spending import price_of
from structured_response import Usage
client = type("Client", (), {"model": "gpt-5", "url": "https://api.openai.com/v1"})()
print(price_of(client, 0, None)(Usage(1_000_000, 0)) > 0)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("True\n", "")


def test_a_price_is_not_negative_by_odd_counts() -> None:
    """A server may count more cached tokens than there are."""
    assert PRICE.of(Usage(10, 0, cached_tokens=1_000)) > 0


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Price(-1, 1), "input of a Price must be a number of at least 0"),
        (lambda: Price(1, None), "output of a Price must be"),  # type: ignore[arg-type]
        (lambda: Price(1, float("nan")), "output of a Price must be"),
        (lambda: Budget(tokens=-1), "tokens of a Budget must be an integer"),
        (lambda: Budget(tokens=1.5), "tokens of a Budget must be an integer"),  # type: ignore[arg-type]
        (lambda: Budget(usd="1"), "usd of a Budget must be a number"),  # type: ignore[arg-type]
        (Budget, "a Budget needs tokens=, usd=, or both"),
    ],
)
def test_wrong_prices_and_budgets(make: Any, message: str) -> None:
    """The error names the field."""
    with pytest.raises(ValueError, match=message):
        make()


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"budget": 5}, r"budget must be Budget\(tokens="),
        ({"price": 5}, r"price must be Price\(input="),
        ({"price": {"fake": 5}}, r"price must be Price\(input="),
        ({"attempts": "3"}, "attempts must be an integer of at least 1, not '3'"),
        ({"retries": -1}, "retries must be an integer of at least 0, not -1"),
        ({"max_wait": None}, "max_wait must be a number of at least 0, not None"),
        ({"fallbacks": "openai:gpt-5"}, "fallbacks must be a list of functions or names, not 'openai:gpt-5'"),
        ({"key": 5}, "key must be a text, or None, not 5"),
        ({"on_attempt": 5}, "on_attempt must be a function, or None, not 5"),
        ({"strict": "no"}, "strict must be True or False, not 'no'"),
        ({"templates": 5}, "templates is a mapping"),
        ({"examples": 5}, "examples must be a list, not 5"),
    ],
)
def test_wrong_options(options: Any, error: str) -> None:
    """They are errors before the first call, which name the option."""
    with pytest.raises((TypeError, ValueError), match=error):
        ask(FakeModel([]), "Review.", Review, **options)


# Budgets


@pytest.mark.parametrize(
    ("budget", "calls", "message"),
    [
        (Budget(tokens=1_100), 1, "the budget of 1,100 tokens is spent: 1,100 tokens were used"),
        (Budget(tokens=1_101), 2, "the budget of 1,101 tokens is spent: 2,200 tokens were used"),
        (Budget(usd=0.002), 2, r"the budget of \$0.002 is spent: \$0.003330 were used"),
        (Budget(tokens=0), 0, "the budget of 0 tokens is spent: 0 tokens were used; no answer in 0 attempts"),
    ],
)
def test_a_budget_ends_in_an_error(budget: Budget, calls: int, message: str) -> None:
    """It has all attempts, their tokens and their cost, and what is known of the answer, also behind a pickle."""
    fake = model(*[BAD] * 9)
    with pytest.raises(BudgetError, match=message) as caught:
        ask(fake, "Review.", Review, attempts=9, price=PRICE, budget=budget)
    for error in (caught.value, pickle.loads(pickle.dumps(caught.value))):
        assert len(error.attempts) == len(fake.calls) == calls
        assert error.usage == sum([USAGE] * calls, Usage())
        assert error.cost == calls * COST
        assert (error.response is not None) is (calls > 0)
        assert str(error) == str(caught.value)


def test_an_answer_within_the_budget() -> None:
    """The last call may use more than is left."""
    assert ask(model(GOOD), "Review.", Review, budget=Budget(tokens=1)).value.score == 4


def test_a_budget_in_money_needs_a_price() -> None:
    """Or it is an error before the first call, for each language model that may be asked."""
    fake, other = model(GOOD), model(GOOD)
    with pytest.raises(ValueError, match=r"fake has no known price.*give price=Price\(input=, output=\)"):
        ask(fake, "Review.", Review, budget=Budget(usd=1))
    with pytest.raises(ValueError, match="fake has no known price"):
        ask(other, "Review.", Review, budget=Budget(usd=1), price=PRICE, fallbacks=[fake])
    with pytest.raises(ValueError, match="fake has no known price"):
        ask_many(fake, ["Review."], Review, budget=Budget(usd=1))
    assert not fake.calls and not other.calls


def test_prices_by_name_have_one_that_is_asked() -> None:
    """A name with a slip would leave the cost unknown."""
    fake = model(GOOD)
    with pytest.raises(ValueError, match="price has no language model that is asked, but 'foke'"):
        ask(fake, "Review.", Review, price={"foke": PRICE})
    assert not fake.calls


def test_without_genai_prices_a_budget_in_money_names_the_extra() -> None:
    """A question without one works the same."""
    program = """
import sys
sys.modules["genai_prices"] = None
from structured_response import ask, Budget, Price
from structured_response.testing import FakeModel
print(ask(FakeModel(), "?", int).cost)
print(ask(FakeModel(), "?", int, budget=Budget(usd=1), price=Price(1, 1)).cost)
try:
    ask(FakeModel(), "?", int, budget=Budget(usd=1))
except ImportError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.stdout == (
        'None\n0\ngenai_prices is not installed; install it with: pip install "structured-response-py[cost]"\n'
    ), done.stderr


@pytest.mark.parametrize("is_async", [False, True])
@pytest.mark.parametrize("as_completed", [False, True])
def test_a_budget_is_for_all_questions(is_async: bool, as_completed: bool) -> None:
    """Those that have begun are given, no other begins, and then the error ends the run."""
    fake = model(*[GOOD] * 100)
    options: Any = {"budget": Budget(tokens=3_300), "concurrency": 1, "as_completed": as_completed}
    tasks = (f"Review {number}." for number in range(100))
    results: list[Any] = []

    async def run() -> None:
        if is_async:
            async for result in aask_many(fake, tasks, Review, **options):
                results.append(result)  # noqa: PERF401 - those before the error
        else:
            for result in ask_many(fake, tasks, Review, **options):
                results.append(result)  # noqa: PERF402 - the same

    with pytest.raises(BudgetError, match="the budget of 3,300 tokens is spent: 3,300 tokens were used"):
        asyncio.run(run())
    assert [type(each) for each in results] == [AskResult, AskResult, AskResult, BudgetError]
    assert results[-1].index == 3
    assert len(fake.calls) == 3


def test_hooks_and_budgets_are_no_concern_of_others() -> None:
    """Who waits for the same reply asks for it with those of its own."""
    fake, cache = model(GOOD), MemoryCache()
    results: list[Any] = []

    def refuse(request: Request) -> None:
        waiter.start()
        sleep(0.05)
        raise PermissionError("not for you")

    waiter = threading.Thread(target=lambda: results.append(ask(fake, "Review.", Review, cache=cache)))
    with pytest.raises(PermissionError):
        ask(fake, "Review.", Review, cache=cache, on_request=refuse)
    waiter.join()
    assert results[0].value.score == 4


def test_a_run_within_its_budget_counts_its_cost() -> None:
    """Tokens and money of all its calls."""
    many = ask_many(model(*[GOOD] * 5), map(str, range(5)), Review, price=PRICE, budget=Budget(tokens=5_500, usd=1))
    assert len(list(many)) == 5
    assert many.usage == sum([USAGE] * 5, Usage()) and many.cost == 5 * COST


def test_spending_is_counted_by_threads() -> None:
    """An unknown price makes the sum unknown, and no budget in money is left then."""
    spent = Spent(Budget(usd=1))
    spent.add(USAGE, Decimal(1))
    assert spent.over()
    spent.add(USAGE, None)
    assert spent.cost is None and spent.usage == USAGE + USAGE


# Templates


def test_templates_replace_all_texts() -> None:
    """Each with what belongs into it; braces are no placeholders."""
    templates: Templates = {
        "instruction": "Fill in {this}, for $$5:\n$form",
        "reask": "Once more:\n$problems\n\n$form",
        "no_answer": "What? ($reason)",
        "cut_off": "Go on behind: $end",
    }
    fake = FakeModel(["Hm.", BAD, "<review><score>4</score></review>"])
    assert ask(fake, "Review.", Review, templates=templates).value.score == 4
    first, second, third = (messages[-1]["content"] for messages in fake.calls)
    assert first.startswith("Review.\n\nFill in {this}, for $5:\n<review>")
    assert "Answer with" not in first
    assert second.startswith("What? (no <review> element")
    assert third.startswith("Once more:\n- $.score: ") and "<headline" not in third
    begun = "<review><headline>A headline of some length that is"
    fake = FakeModel([Completion(begun, "length"), f"{begun} cut off</headline><score>4</score></review>"])
    assert ask(fake, "Review.", Review, templates=templates).value.score == 4
    assert fake.calls[-1][-1]["content"] == "Go on behind: headline of some length that is"


def test_templates_leave_a_prompt_that_has_the_form() -> None:
    """As without them; and those that are not replaced stay as they are."""
    fake = FakeModel(["Hm.", GOOD])
    ask(fake, "Review.", Review, templates={"instruction": "$form"})
    assert fake.calls[-1][-1]["content"].startswith("No answer was found in that (no <review>")


@pytest.mark.parametrize(
    ("templates", "error", "message"),
    [
        ({"instruction": "Answer."}, ValueError, r"the template instruction needs \$form"),
        ({"reask": "$problems"}, ValueError, r"the template reask needs \$form"),
        ({"cut_off": "Go on."}, ValueError, r"the template cut_off needs \$end"),
        ({"instruction": "$form ${example}"}, ValueError, r"has \$example; it can have \$form"),
        ({"reask": "$form costs $5"}, ValueError, r"write \$\$ for a dollar sign"),
        ({"greeting": "Hi"}, TypeError, "'greeting' is not a template; the templates are instruction, reask"),
        ({"reask": 5}, TypeError, "the template reask is a text, not 5"),
        ("$form", TypeError, "templates is a mapping"),
    ],
)
def test_wrong_templates(templates: Any, error: Any, message: str) -> None:
    """They are errors at once, for one question and for many."""
    fake = FakeModel([GOOD])
    with pytest.raises(error, match=message):
        ask(fake, "Review.", Review, templates=templates)
    with pytest.raises(error, match=message):
        ask_many(fake, ["Review."], Review, templates=templates)
    assert not fake.calls


# The order of messages


ORDER: Any = "last"


def test_the_order_for_a_cache() -> None:
    """`ask` puts the form at the end unless it is told otherwise; `ask_many` puts it in front."""
    fake = FakeModel([GOOD] * 3)
    ask(fake, "Review.", Review)
    ask(fake, "Review.", Review, order="cache")
    list(ask_many(fake, ["Review."], Review))
    assert [[message["role"] for message in messages] for messages in fake.calls] == [
        ["user"],
        ["system", "user"],
        ["system", "user"],
    ]
    assert fake.calls[1] == fake.calls[2] and fake.calls[1][-1]["content"] == "Review."
    with pytest.raises(ValueError, match="order is one of 'ask', 'cache'"):
        ask(fake, "Review.", Review, order=ORDER)
