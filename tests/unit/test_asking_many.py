"""`ask_many` and `aask_many`: which results come and when, what is in flight, and what ends it."""

from __future__ import annotations

import asyncio
import gc
import inspect
import pickle
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from contextvars import ContextVar
from itertools import count, islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, field_validator

from structured_response import (
    AskError,
    AskResult,
    BatchError,
    Completion,
    InstanceError,
    ManyOptions,
    Usage,
    aask_many,
    ask,
    ask_many,
)
from structured_response.asking import pace
from structured_response.asking.pace import Pace
from structured_response.cache import MemoryCache


class Doubled(BaseModel):
    """What is asked for: twice a number. The model has an error of its own for 198."""

    number: int

    @field_validator("number")
    @classmethod
    def breaks(cls, number: int) -> int:
        if number == 198:
            raise RuntimeError("99 is bad luck")
        return number


def number_of(messages: Sequence[Any]) -> int:
    """The number in a question: its last word."""
    return int(messages[1]["content"].split()[-1])


def reply_to(messages: Sequence[Any]) -> Completion:
    """The right reply."""
    return Completion(f"<doubled><number>{2 * number_of(messages)}</number></doubled>", "stop", Usage(100, 10))


class Model:
    """A language model that doubles numbers, and sleeps for `seconds(number)` before it does."""

    cache_key = "model"

    def __init__(
        self,
        reply: Callable[[Sequence[Any]], Any] = reply_to,
        seconds: Callable[[int], float] = lambda number: 0.0,
    ) -> None:
        self.reply, self.seconds = reply, seconds
        self.sent: list[list[Any]] = []
        self.started: list[float] = []
        self.in_flight = self.most = self.ended = 0
        self.lock = threading.Lock()

    def __call__(self, messages: list[Any]) -> Any:
        self.begin(messages)
        time.sleep(self.seconds(number_of(messages)))
        return self.end(messages)

    def begin(self, messages: list[Any]) -> None:
        with self.lock:
            self.sent.append(messages)
            self.started.append(time.monotonic())
            self.in_flight += 1
            self.most = max(self.most, self.in_flight)

    def end(self, messages: list[Any]) -> Any:
        with self.lock:
            self.in_flight -= 1
            self.ended += 1
        return self.reply(messages)


class Awaited(Model):
    """The same, awaited."""

    async def __call__(self, messages: list[Any]) -> Any:
        self.begin(messages)
        await asyncio.sleep(self.seconds(number_of(messages)))
        return self.end(messages)


def questions(numbers: Iterable[int]) -> Iterator[str]:
    """A task for each number."""
    return (f"Double {number}" for number in numbers)


Results = list[Any]


def now(tasks: Iterable[Any], stop: int | None = None, *, say: Any = None, **options: Any) -> tuple[Results, Any, Any]:
    """The first results of `ask_many`, its iterator, closed by then, and the language model."""
    model = Model(**(say or {}))
    with ask_many(model, tasks, Doubled, **options) as asking:
        return list(islice(asking, stop)), asking, model


def awaited(
    tasks: Iterable[Any], stop: int | None = None, *, say: Any = None, **options: Any
) -> tuple[Results, Any, Any]:
    """The same of `aask_many`."""

    async def run() -> tuple[Results, Any, Any]:
        model = Awaited(**(say or {}))
        results: Results = []
        async with aask_many(model, tasks, Doubled, **options) as asking:
            while len(results) != stop:
                try:
                    results.append(await anext(asking))
                except StopAsyncIteration:
                    break
        return results, asking, model

    return asyncio.run(run())


Run = Callable[..., tuple[Results, Any, Any]]
both = pytest.mark.parametrize("run", [now, awaited])


def doubled(results: Results) -> list[int]:
    """The answers."""
    return [result.value.number for result in results]


@both
def test_each_task_is_answered_in_order(run: Run) -> None:
    """However long each takes; a result knows its task and its number."""
    results, asking, model = run(
        questions(range(20)), say={"seconds": lambda number: 0.1 if number % 5 < 3 else 0.0}, concurrency=4
    )
    assert doubled(results) == [2 * number for number in range(20)]
    assert [(result.index, result.task) for result in results] == [*enumerate(questions(range(20)))]
    assert all(isinstance(result, AskResult) for result in results)
    assert model.most == 4
    assert asking.usage == Usage(2_000, 200)


@both
def test_results_may_come_as_they_are_completed(run: Run) -> None:
    """The slow one comes last."""
    results, _, _ = run(questions(range(6)), say={"seconds": lambda number: 0.2 * (number == 0)}, as_completed=True)
    assert sorted(result.index for result in results) == [*range(6)]
    assert results[-1].index == 0


@both
@pytest.mark.parametrize("as_completed", [False, True])
def test_tasks_are_taken_as_they_are_needed(run: Run, as_completed: bool) -> None:
    """From an iterator without an end, no more than are in flight or wait for their turn."""
    taken: list[int] = []

    def endless() -> Iterator[str]:
        for number in count():
            taken.append(number)
            yield f"Double {number}"

    results, _, _ = run(endless(), 10, concurrency=2, as_completed=as_completed)
    assert len(results) == 10
    assert len(taken) <= 10 + 2 * 17


@both
def test_a_slow_task_does_not_stop_the_others_at_once(run: Run) -> None:
    """But the results that wait for it are bounded."""
    seen: list[int] = []

    def watched() -> Iterator[str]:
        for number in range(200):
            seen.append(number)
            yield f"Double {number}"

    results, _, _ = run(watched(), 1, say={"seconds": lambda number: 0.2 * (number == 0)}, concurrency=2)
    assert results[0].index == 0
    assert 30 <= len(seen) <= 36


@both
def test_no_tasks_no_results(run: Run) -> None:
    """And no tokens."""
    results, asking, _ = run([])
    assert results == []
    assert asking.usage == Usage()


def mixed(messages: Sequence[Any]) -> Any:
    """A good reply, but for 1, an exception, for 2 and for 3, with which no call is made right."""
    match number_of(messages):
        case 1:
            return "Sorry, what?"
        case 2:
            raise KeyError("choices")
        case _:
            return reply_to(messages)


@both
def test_a_task_that_fails_ends_no_other(run: Run) -> None:
    """A reply without data, an exception of the call, a task that is none, and one of a validator are results."""
    tasks: list[Any] = [*questions(range(3)), [{"content": "Double 3"}], "Double 99", "Double 4"]
    results, asking, _ = run(tasks, say={"reply": mixed}, attempts=2)
    assert [type(result) for result in results] == [AskResult, AskError, AskError, AskError, AskError, AskResult]
    assert [result.index for result in results] == [*range(6)]
    assert [result.task for result in results] == tasks
    _, no_answer, raised, no_task, validator, _ = results
    assert (len(no_answer.attempts), no_answer.reply) == (2, "Sorry, what?")
    assert str(raised.problems[0]) == "$: KeyError: 'choices'"
    assert isinstance(raised.__cause__, KeyError)
    assert "has no role" in str(no_task)
    assert "RuntimeError: 99 is bad luck" in str(validator)
    assert asking.usage == Usage(300, 30)


@both
def test_failures_survive_pickle(run: Run) -> None:
    """With what went wrong, the task and its number."""
    results, _, _ = run(questions([1, 2]), say={"reply": mixed}, attempts=1)
    for result in results:
        again = pickle.loads(pickle.dumps(result))
        assert (str(again), again.task, again.index) == (str(result), result.task, result.index)


class LimitError(Exception):
    """An exception of a program, which counts attempts of its own."""

    def __init__(self, attempts: int) -> None:
        super().__init__("too often")
        self.attempts = attempts


@both
@pytest.mark.parametrize(
    "make", [lambda: LimitError(3), lambda: KeyError("choices"), lambda: AskError([], "", None, [], Usage())]
)
def test_all_tasks_may_raise_one_exception(run: Run, make: Callable[[], Exception]) -> None:
    """Each failure has the attempts of its own task; those that the exception has for itself stay there."""
    raised = make()
    before = vars(raised).get("attempts")

    def complete(messages: Sequence[Any]) -> Any:
        if number_of(messages) % 2 and len(messages) == 2:
            return "Sorry, what?"
        raise raised

    results, _, _ = run(questions(range(8)), say={"reply": complete})
    assert [len(result.attempts) for result in results] == [0, 1] * 4
    assert [result.index for result in results] == [*range(8)]
    assert [(result.__cause__, result.call_failed) for result in results] == [(raised, True)] * 8
    assert len(raised.__notes__) == 2
    assert before is None or vars(raised)["attempts"] == before


def test_a_table_tells_exceptions_of_calls_from_those_of_validators() -> None:
    """Whatever attributes they have."""
    pytest.importorskip("pyarrow")

    class Counted(BaseModel):
        number: int

        @field_validator("number")
        @classmethod
        def breaks(cls, number: int) -> int:
            raise LimitError(3)

    def complete(messages: Sequence[Any]) -> Any:
        if number_of(messages) == 1:
            raise LimitError(3)
        return "<counted><number>2</number></counted>"

    table = ask_many(complete, questions([1, 2]), Counted).to_table()
    assert table.column("status").to_pylist() == ["provider_error", "invalid"]


@pytest.mark.parametrize("function", [ask_many, aask_many])
@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        ({"concurrency": 0}, ValueError),
        ({"concurrency": None}, TypeError),
        ({"concurrency": 1.5}, TypeError),
        ({"max_failures": 1.5}, TypeError),
        ({"max_failures": -1}, ValueError),
        ({"requests_per_minute": 0}, ValueError),
        ({"tokens_per_minute": -5}, ValueError),
        ({"order": "last"}, ValueError),
        ({"attempts": 0}, ValueError),
        ({"stream": True}, TypeError),
        ({"nonsense": 1}, TypeError),
        ({"journal": 5}, TypeError),
        ({"requests_per_minute": "60"}, TypeError),
        ({"complete": "gpt"}, TypeError),
        ({"tasks": "Double 1"}, TypeError),
        ({"tasks": {"one": "Double 1"}}, TypeError),
        ({"tasks": 5}, TypeError),
        ({"journal": "journal.sqlite", "complete": print}, TypeError),
        ({"examples": [{"number": "many"}]}, InstanceError),
    ],
    ids=lambda given: "-".join(given) if isinstance(given, dict) else None,
)
def test_wrong_arguments_are_errors_at_once(function: Any, wrong: dict[str, Any], error: type[Exception]) -> None:
    """Before anything is asked, and for the whole rather than for each task."""

    async def call() -> None:
        given = {"complete": Model(), "tasks": ["Double 1"], "model": Doubled, **wrong}
        with pytest.raises(error):
            function(given.pop("complete"), given.pop("tasks"), given.pop("model"), **given)

    asyncio.run(call())


@pytest.mark.parametrize("function", [ask_many, aask_many])
def test_asynchronous_tasks_are_an_error_at_once(function: Any) -> None:
    """It says how to make a list of them."""

    async def call() -> None:
        async def tasks() -> AsyncIterator[str]:
            yield "Double 1"

        with pytest.raises(TypeError, match=r"write \[task async for task in tasks\]"):
            function(Model(), tasks(), Doubled)

    asyncio.run(call())


@both
@pytest.mark.parametrize("options", [{}, {"journal": "journal.sqlite"}])
@pytest.mark.parametrize("returned", [{"text": "4"}, Completion(4)])  # type: ignore[arg-type]
def test_what_returns_no_completion_is_an_error_of_the_program(
    run: Run, options: dict[str, Any], returned: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every task would end in it, so nothing is kept of it."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(TypeError, match="must return text or a Completion, not"):
        run(questions(range(5)), say={"reply": lambda messages: returned}, **options)
    assert len(run(questions(range(5)), **options)[2].sent) == 5


def test_an_async_language_model_needs_the_async_form() -> None:
    """`ask_many` says so, and leaves nothing that was never awaited."""
    with pytest.raises(TypeError, match="aask"), ask_many(Awaited(), questions(range(5)), Doubled) as asking:  # type: ignore[arg-type]
        list(asking)


@both
def test_more_failures_than_allowed_end_it(run: Run) -> None:
    """The error has a sentence for each; what came before it was given."""
    with pytest.raises(BatchError, match="3 of 5 tasks failed, and max_failures is 2") as raised:
        run(questions([0, 1, 2, 0, 1, 2, 0]), say={"reply": mixed}, attempts=1, max_failures=2)
    assert [failure[:7] for failure in raised.value.failures] == ["task 1:", "task 2:", "task 4:"]
    assert "KeyError: 'choices'" in str(raised.value)
    results, _, _ = run(questions([0, 1, 2, 0]), say={"reply": mixed}, attempts=1, max_failures=2)
    assert len(results) == 4


@both
def test_the_tasks_may_raise(run: Run) -> None:
    """Their exception is the iterator's."""

    def broken() -> Iterator[str]:
        yield "Double 1"
        raise LookupError("the table is gone")

    with pytest.raises(LookupError, match="the table is gone"):
        run(broken())


@both
def test_a_slow_iterator_of_tasks_holds_back_no_result(run: Run) -> None:
    """A result that is ready is given before all calls that may be made are begun."""
    taken: list[int] = []

    def slow() -> Iterator[str]:
        for number in range(50):
            time.sleep(0.05)
            taken.append(number)
            yield f"Double {number}"

    results, _, _ = run(slow(), 1, concurrency=50)
    assert results[0].index == 0
    assert len(taken) <= 10


def test_a_result_that_is_not_waited_for_any_more_is_not_lost() -> None:
    """A wait that times out ends neither the iterator nor a call; the next one goes on."""

    async def run() -> tuple[list[int | None], Awaited]:
        model = Awaited(seconds=lambda number: 0.1)
        async with aask_many(model, questions(range(5)), Doubled, concurrency=2) as asking:
            for _ in range(2):
                with pytest.raises(TimeoutError):
                    await asyncio.wait_for(anext(asking), 0.02)
            return [result.index async for result in asking], model

    indices, model = asyncio.run(run())
    assert (indices, len(model.sent)) == ([*range(5)], 5)


def test_a_task_that_is_cancelled_cancels_its_calls() -> None:
    """As when it leaves the loop in another way."""

    async def iterate(model: Awaited) -> None:
        async for _result in aask_many(model, questions(range(5)), Doubled):
            pass

    async def run() -> Awaited:
        model = Awaited(seconds=lambda number: 60.0)
        task = asyncio.create_task(iterate(model))
        await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        del task
        await asyncio.sleep(0.05)
        assert len(asyncio.all_tasks()) == 1
        return model

    assert asyncio.run(run()).ended == 0


def test_closing_waits_for_the_calls_in_flight() -> None:
    """And asks no more."""
    model = Model(seconds=lambda number: 0.0 if number == 0 else 0.1)
    with ask_many(model, questions(count()), Doubled, concurrency=4) as asking:
        assert next(asking).index == 0
    assert model.in_flight == 0
    asked = len(model.sent)
    time.sleep(0.15)
    assert len(model.sent) == asked
    assert list(asking) == []


def test_closing_ends_a_wait_for_a_retry() -> None:
    """Which may take a minute."""
    pytest.importorskip("tenacity")

    def complete(messages: Any) -> Any:
        if number_of(messages) > 0:
            raise TimeoutError
        return reply_to(messages)

    started = time.monotonic()
    with ask_many(complete, questions(count()), Doubled, retries=100) as asking:
        assert next(asking).index == 0
    assert time.monotonic() - started < 5


def test_an_iterator_that_is_dropped_is_closed() -> None:
    """As when a loop is left."""
    model = Model(seconds=lambda number: 0.01)
    for _result in ask_many(model, questions(count()), Doubled, concurrency=2):
        break
    asked = len(model.sent)
    time.sleep(0.05)
    assert (len(model.sent), model.in_flight) == (asked, 0)


def test_closing_the_async_form_cancels_the_calls() -> None:
    """It does not wait for them."""

    async def run() -> Model:
        model = Awaited(seconds=lambda number: 0.0 if number == 0 else 60.0)
        async with aask_many(model, questions(count()), Doubled, concurrency=4) as asking:
            assert (await anext(asking)).index == 0
        assert len(asyncio.all_tasks()) == 1
        return model

    started = time.monotonic()
    model = asyncio.run(run())
    assert (model.ended, model.in_flight) == (1, len(model.sent) - 1)
    assert time.monotonic() - started < 10


def test_an_error_of_all_tasks_is_raised_once(caplog: pytest.LogCaptureFixture) -> None:
    """The others of the kind are not logged by the event loop."""
    end = time.monotonic() + 0.1
    say = {"reply": lambda messages: None, "seconds": lambda number: end - time.monotonic()}
    with pytest.raises(TypeError):
        awaited(questions(range(30)), say=say, concurrency=8)
    gc.collect()
    assert caplog.records == []


@both
def test_what_never_changes_comes_first(run: Run) -> None:
    """The form stands in the system message, behind the user's own, and the task is last; "ask" has `ask`'s order."""
    tasks: list[Any] = [
        "Double 1",
        [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Double 2"}],
    ]
    _, _, model = run(tasks, concurrency=1)
    (form, first), (system, second) = model.sent
    assert form["role"] == system["role"] == "system"
    assert "<number" in form["content"]
    assert system["content"] == f"Be brief.\n\n{form['content']}"
    assert (first, second) == ({"role": "user", "content": "Double 1"}, tasks[1][1])


def test_the_order_may_be_that_of_ask() -> None:
    """The same messages, for the same entries of a cache."""
    sent: list[Any] = []

    def complete(messages: Any) -> str:
        sent.append(messages)
        return "<doubled><number>2</number></doubled>"

    list(ask_many(complete, ["Double 1"], Doubled, order="ask"))
    ask(complete, "Double 1", Doubled)
    assert sent[0] == sent[1]


@both
def test_the_options_are_those_of_ask(run: Run) -> None:
    """A cache, a fallback, a callback and the others reach each question."""
    cache, attempts = MemoryCache(), []  # type: ignore[var-annotated]
    options = {"cache": cache, "on_attempt": attempts.append, "strict": False, "attempts": 1}
    run(questions(range(3)), **options)
    results, asking, model = run(questions(range(3)), **options)
    assert (len(cache), len(attempts), len(model.sent), asking.usage) == (3, 6, 0, Usage())
    assert all(result.attempts[0].cached for result in results)

    def down(messages: Any) -> Any:
        raise ConnectionError

    results, _, _ = run(questions(range(3)), say={"reply": down}, fallbacks=[reply_to], retries=0)
    assert doubled(results) == [0, 2, 4]


@pytest.mark.parametrize("function", [ask_many, aask_many])
def test_the_signature_lists_all_options(function: Any) -> None:
    """With types and defaults, and the docstring names each."""
    parameters = inspect.signature(function).parameters.values()
    shown = {each.name: each.annotation for each in parameters if each.kind is each.KEYWORD_ONLY}
    assert shown == {name: annotation.__forward_arg__ for name, annotation in ManyOptions.__annotations__.items()}
    assert "concurrency: 'int' = 8" in str(inspect.signature(function))
    assert all(name in str(ask_many.__doc__) for name in shown)


WORD: ContextVar[str] = ContextVar("WORD", default="none")


@both
def test_questions_have_the_context_of_their_caller(run: Run) -> None:
    """Spans and other things that hang on it are found in threads too."""
    words: list[str] = []

    def reply(messages: Any) -> Any:
        words.append(WORD.get())
        return reply_to(messages)

    WORD.set("mine")
    run(questions(range(3)), say={"reply": reply})
    assert words == ["mine"] * 3


@both
def test_requests_are_spread_evenly(run: Run) -> None:
    """However many may be in flight."""
    _, _, model = run(questions(range(6)), requests_per_minute=60 / 0.05)
    starts = sorted(model.started)
    assert starts[-1] - starts[0] >= 0.05 * 5 - 0.055


def test_tokens_are_reserved_and_given_back() -> None:
    """A call reserves the longest reply that its parameters allow, and a third of its characters, until it ends."""
    limits = Pace(tokens=6_000)
    messages: list[Any] = [
        {"role": "system", "content": "x" * 300},
        {"role": "user", "content": [{"type": "text", "text": "xxx"}]},
    ]
    wanted = limits.reserve(messages, {"max_tokens": 4_000, "seed": 1})
    assert wanted == 4_101
    assert Pace().reserve(messages, {"max_tokens": 4_000}) == 0
    assert limits.take(wanted) == 0
    assert limits.take(wanted) > 0
    limits.settle(wanted, Usage(100, 50))
    assert limits.take(wanted) == 0
    limits.settle(wanted, None)
    assert limits.take(5_800) == 0


@pytest.mark.parametrize("params", [None, "max_tokens=5", {"max_tokens": None}])
@pytest.mark.parametrize("tokens", [None, 1e6])
def test_parameters_may_be_anything(params: Any, tokens: float | None) -> None:
    """A program may call something else `params`, or have none."""

    def complete(messages: Any) -> Completion:
        return reply_to(messages)

    vars(complete)["params"] = params
    with ask_many(complete, questions([1]), Doubled, tokens_per_minute=tokens) as asking:
        assert doubled([*asking]) == [2]


@both
def test_calls_wait_for_tokens(run: Run) -> None:
    """Two calls use 120 more than a minute has, and in a second come 200; so the third one waits."""
    say = {"reply": lambda messages: Completion(reply_to(messages).text, "stop", Usage(6_060, 0))}
    _, asking, model = run(questions(range(3)), concurrency=1, tokens_per_minute=12_000, say=say)
    assert asking.usage == Usage(18_180, 0)
    assert model.started[1] - model.started[0] < 5
    assert model.started[2] - model.started[0] >= 0.6


class Clock:
    """A time that passes when it is told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@given(
    requests=st.sampled_from([60.0, 600.0, 6_000.0]),
    tokens=st.sampled_from([1_000.0, 10_000.0]),
    calls=st.lists(st.tuples(st.floats(1, 2_000), st.integers(1, 3_000), st.floats(0, 2)), min_size=1, max_size=40),
)
@settings(max_examples=50)
def test_no_limit_is_exceeded(requests: float, tokens: float, calls: list[tuple[float, int, float]]) -> None:
    """What was used by any time is at most what was there at first, what has come since, and one call's surprise."""
    clock = Clock()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pace, "monotonic", clock)
        limits, used, surprise = Pace(requests, tokens), 0.0, 0.0
        for number, (reserved, actual, later) in enumerate(calls, 1):
            while wait := limits.take(reserved):
                assert 0 < wait <= 0.25
                clock.now += max(wait, 1e-6)  # which a real clock does by itself
            assert number <= max(1.0, requests / 60) + requests / 60 * clock.now + 1e-6
            assert used <= tokens * (1 + clock.now / 60) + surprise + 1e-6
            used += actual
            surprise = max(surprise, actual)
            limits.settle(reserved, Usage(actual))
            clock.now += later


def test_a_call_past_the_limit_is_made_in_the_end() -> None:
    """It takes all tokens of a minute, since no waiting would be enough."""
    limits = Pace(tokens=100.0)
    assert limits.take(5_000.0) == 0
    assert limits.take(1.0) > 0


@both
def test_a_bar_shows_how_far_it_is(run: Run, capfd: pytest.CaptureFixture[str]) -> None:
    """With counts, the failures, the rate and the time left; without a terminal only if it is asked for."""
    run(questions(range(3)), say={"reply": mixed}, attempts=1)
    assert capfd.readouterr().err == ""
    run([*questions(range(3))], say={"reply": mixed}, attempts=1, progress=True)
    shown = capfd.readouterr().err
    assert "asking Doubled" in shown
    assert "3/3" in shown
    assert "2 failed" in shown
    assert "/s" in shown


async def _table(asking: Any) -> Any:
    return await asking.to_table()


@pytest.mark.parametrize("is_async", [False, True])
@pytest.mark.parametrize("as_completed", [False, True])
def test_results_make_a_table(is_async: bool, as_completed: bool) -> None:
    """In the order of the tasks, with a row for each, whatever came of it."""
    pytest.importorskip("pyarrow")
    tasks = [*questions(range(4)), "Double 99"]
    options: Any = {"attempts": 1, "as_completed": as_completed}
    if is_async:

        async def run() -> Any:
            return await aask_many(Awaited(mixed), tasks, Doubled, **options).to_table()

        table = asyncio.run(run())
    else:
        table = ask_many(Model(mixed), tasks, Doubled, **options).to_table()
    assert table.column("status").to_pylist() == ["ok", "invalid", "provider_error", "ok", "invalid"]
    assert table.column("data").to_pylist() == [{"number": 0}, None, None, {"number": 6}, None]
    assert "KeyError" in table.column("error")[2].as_py()


def test_the_table_has_what_was_not_taken() -> None:
    """What an iterator gave it does not keep."""
    pytest.importorskip("pyarrow")
    asking = ask_many(Model(), questions(range(5)), Doubled)
    next(asking)
    assert asking.to_table().num_rows == 4


def test_async_iterators_are_what_they_say() -> None:
    """The classes say what they iterate over."""
    assert issubclass(type(ask_many(Model(), [], Doubled)), Iterator)

    async def kind() -> type:
        return type(aask_many(Model(), [], Doubled))

    assert issubclass(asyncio.run(kind()), AsyncIterator)
