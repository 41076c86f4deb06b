"""Outages and fallbacks of `ask` and `aask`. No test waits for long: the fixture `naps` has the waits."""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Iterator
from typing import Annotated, Any

import pytest
from pydantic import AfterValidator

from structured_response import MissingExtraError, aask, ask, outages
from structured_response.asking import caching
from structured_response.cache import MemoryCache
from tests.unit.test_asking import BAD, GOOD, NICE, QUESTION, Awaited, Model, Review, Run, both


@pytest.fixture
def without_tenacity(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As if the extra were not installed."""
    monkeypatch.setitem(sys.modules, "tenacity", None)
    outages.is_installed.cache_clear()
    yield
    outages.is_installed.cache_clear()


@both
@pytest.mark.parametrize("error", [ConnectionResetError(), BrokenPipeError(), TimeoutError()], ids=repr)
def test_pythons_own_outages(run: Run, error: Exception, naps: list[float]) -> None:
    """A function of one's own raises them."""
    asked, model = run([error, GOOD])
    assert asked.value == NICE
    assert len(model.sent) == 2
    assert model.sent[0] == model.sent[1]
    assert len(naps) == 1


@both
@pytest.mark.parametrize("error", [OSError("no space left"), ValueError("x"), FileNotFoundError()], ids=repr)
def test_other_exceptions_are_no_outages(run: Run, error: Exception, naps: list[float]) -> None:
    """They are raised at once."""
    with pytest.raises(type(error)):
        run([error], fallbacks=[Model(GOOD)])
    assert naps == []


@pytest.mark.parametrize(
    ("status", "body", "expected"),
    [
        (200, {"type": "error", "error": {"type": "overloaded_error"}}, True),  # Anthropic's, in a stream
        (None, {"type": "server_error", "message": "x"}, True),  # OpenAI's, in a stream
        (None, {"type": "invalid_request_error"}, False),
        (200, {"type": "error", "error": {"type": "invalid_request_error"}}, False),
        (200, "a page", False),
        (400, {"type": "error", "error": {"type": "overloaded_error"}}, False),
    ],
)
def test_errors_in_the_middle_of_a_stream(status: int | None, body: Any, expected: bool) -> None:
    """They have a type where others have a status."""

    class APIError(Exception):
        pass

    error: Any = APIError()
    error.body = body
    if status is not None:
        error.status_code = status
    assert outages.is_outage(error) is expected


@both
def test_no_retries(run: Run, naps: list[float]) -> None:
    """The outage is raised at once."""
    with pytest.raises(ConnectionError):
        run([ConnectionError()], retries=0)
    assert naps == []


@both
def test_a_wait_is_logged(run: Run, naps: list[float], caplog: pytest.LogCaptureFixture) -> None:
    """With the type of the exception, and without its message; a fallback too."""
    with caplog.at_level(logging.WARNING, "structured_response.asking"):
        run([TimeoutError("secret"), TimeoutError("secret")], retries=1, fallbacks=[Model(GOOD)], max_wait=1)
    assert caplog.messages == ["TimeoutError: retry 1 of 1 in 1.0 s", "TimeoutError: asking fallback 1"]
    assert "secret" not in caplog.text


def test_asking_can_be_cancelled_while_it_waits() -> None:
    """The task ends at once, and the flight with it."""
    pytest.importorskip("tenacity")
    model, cache = Awaited(ConnectionError(), GOOD), MemoryCache()

    async def run() -> None:
        task = asyncio.create_task(aask(model, QUESTION, Review, cache=cache, key="m"))
        other = asyncio.create_task(aask(model, QUESTION, Review, cache=cache, key="m"))
        while not model.sent:
            await asyncio.sleep(0)
        await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert (await other).value == NICE

    asyncio.run(asyncio.wait_for(run(), 0.9))
    assert len(model.sent) == 2


def test_asking_can_be_interrupted_while_it_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """By Ctrl-C; the model is not called again."""
    pytest.importorskip("tenacity")

    def interrupted(seconds: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(caching.THREADS, "sleep", interrupted)
    model = Model(ConnectionError(), GOOD)
    with pytest.raises(KeyboardInterrupt):
        ask(model, QUESTION, Review)
    assert len(model.sent) == 1


@both
def test_a_fallback_stays(run: Run, naps: list[float]) -> None:
    """Once a model is down, it is not asked again for this question, and the conversation goes on with the next."""
    two = Model(GOOD.replace("4", "many"), ConnectionError())
    three = Model("<review><score>4</score></review>")
    asked, one = run([ConnectionError()], retries=0, fallbacks=[two, three])
    assert asked.value == NICE
    assert [attempt.fallback for attempt in asked.attempts] == [1, 2]
    assert str(asked.attempts[1]).startswith("attempt 2, fallback 2: ")
    assert [len(model.sent) for model in (one, two, three)] == [1, 2, 1]
    assert three.sent[0] == two.sent[1]


@both
def test_where_all_are_down(run: Run, naps: list[float]) -> None:
    """The last exception is raised, with the attempts so far."""
    last = ConnectionError("two")
    with pytest.raises(ConnectionError) as caught:
        run([BAD, ConnectionError("one")], retries=0, fallbacks=[Model(last)])
    assert caught.value is last
    assert [attempt.reply for attempt in vars(last)["attempts"]] == [BAD]
    assert len(last.__notes__) == 1


@both
def test_a_validator_is_no_language_model(run: Run, naps: list[float]) -> None:
    """Where it cannot connect to something, no model is down."""

    def unreachable(value: int) -> int:
        raise ConnectionError("the database")

    with pytest.raises(ConnectionError, match="the database"):
        run(["<value>1</value>"], model=Annotated[int, AfterValidator(unreachable)], fallbacks=[Model(GOOD)])
    assert naps == []


class Named(Model):
    """A language model with a name."""

    def __init__(self, name: str, *replies: Any) -> None:
        super().__init__(*replies)
        self.cache_key = name


@both
def test_a_fallback_has_a_key_of_its_own(run: Run, naps: list[float]) -> None:
    """Its reply is found again while the first is down, and is not the reply of the first once that is up."""
    cache, other = MemoryCache(), Named("two", GOOD)
    how: dict[str, Any] = {"cache": cache, "key": "one", "retries": 0, "fallbacks": [other]}
    first, _ = run([ConnectionError()], **how)
    again, _ = run([ConnectionError()], **how)
    up, model = run([GOOD], **how)
    assert [each.attempts[0].cached for each in (first, again, up)] == [False, True, False]
    assert [each.attempts[0].fallback for each in (first, again, up)] == [1, 1, 0]
    assert len(other.sent) == len(model.sent) == 1


def test_a_fallback_without_a_key() -> None:
    """`key=` names the first alone."""
    with pytest.raises(TypeError, match="give fallback 1 a `cache_key`"):
        ask(Model(GOOD), QUESTION, Review, cache=MemoryCache(), key="m", fallbacks=[Model(GOOD)])


def test_a_fallback_that_cannot_be_called() -> None:
    """It is an error before the first call."""
    with pytest.raises(TypeError, match="cannot be called with messages"):
        ask(Model(GOOD), QUESTION, Review, fallbacks=["gpt"])


def test_identical_calls_wait_together(naps: list[float]) -> None:
    """One of them waits and calls again, and all turn to the fallback together."""
    calls = []
    other = Named("two", GOOD)

    async def down(messages: Any) -> str:
        calls.append(1)
        await asyncio.sleep(0)
        raise ConnectionError

    async def run() -> None:
        how: Any = {"cache": MemoryCache(), "key": "one", "fallbacks": [other], "retries": 2}
        asked = await asyncio.gather(*(aask(down, QUESTION, Review, **how) for _ in range(5)))
        assert [each.value for each in asked] == [NICE] * 5

    asyncio.run(run())
    assert (len(calls), len(naps), len(other.sent)) == (3, 2, 1)


@both
@pytest.mark.usefixtures("without_tenacity")
def test_without_tenacity_an_outage_is_raised_at_once(run: Run) -> None:
    """A fallback works all the same, and so does asking without retries."""
    assert outages.sdk_retries() == {}
    with pytest.raises(ConnectionError):
        run([ConnectionError()])
    assert run([ConnectionError()], retries=0, fallbacks=[Model(GOOD)])[0].value == NICE


@both
@pytest.mark.usefixtures("without_tenacity")
@pytest.mark.parametrize("options", [{"retries": 2}, {"max_wait": 5}])
def test_retries_need_tenacity(run: Run, options: Any) -> None:
    """The error for those that are asked for names the extra."""
    with pytest.raises(MissingExtraError, match=r"structured-response-py\[retry\]"):
        run([GOOD], **options)
