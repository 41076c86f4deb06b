"""Outages: the real SDKs against a server that fails, awaited and not. The waits are in the fixture `naps`."""

from __future__ import annotations

import time
from email.utils import formatdate
from typing import Any

import pytest

from structured_response import ask
from structured_response.clients import openai_chat
from structured_response.outages import sdk_retries
from tests.chat_server import Cut, Refused, Silence, Text, chat_server
from tests.world.test_clients import BAD, GOOD, MENDED, NICE, Review, Run, every_sdk, litellm_now

ONCE = {"max_retries": 0}


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is between the SDKs and loopback."""
    monkeypatch.setenv("NO_PROXY", "*")


@every_sdk
@pytest.mark.parametrize(
    "move", [*(Refused(status, ()) for status in (408, 409, 429, 500, 503, 529)), Cut(), Silence()], ids=repr
)
def test_an_outage_is_retried(run: Run, move: Any, naps: list[float]) -> None:
    """After a wait of about a second the server is up again; that is one attempt."""
    sdk = {**ONCE, "timeout": 0.05 if isinstance(move, Silence) else 10}
    with chat_server([move, Text(GOOD)]) as server:
        asked = run(server, sdk=sdk)
        assert len(server.requests) == 2
    assert asked.value == NICE
    assert len(asked.attempts) == 1
    assert len(naps) == 1 and 1 <= naps[0] <= 2


@every_sdk
@pytest.mark.parametrize("status", [400, 401, 403, 404, 422])
def test_a_mistake_is_not_retried(run: Run, status: int, naps: list[float]) -> None:
    """It is raised at once, even if there is a fallback."""
    with chat_server([Refused(status, ())]) as server, pytest.raises(Exception, match="not now"):
        run(server, sdk=ONCE, fallbacks=[lambda messages: GOOD])
    assert naps == []


IN_A_WHILE = formatdate(time.time() + 300, usegmt=True)


@every_sdk
@pytest.mark.parametrize(
    ("headers", "least", "most"),
    [
        ([("retry-after", "7")], 7, 7.7),
        ([("retry-after-ms", "7500"), ("retry-after", "8")], 7.5, 8.25),
        ([("retry-after", IN_A_WHILE)], 1, 330),
        ([("retry-after", "soon")], 1, 2),
        ([("retry-after", "0")], 1, 2),
        ([("retry-after", "-5")], 1, 2),
        ([("retry-after", "nan")], 1, 2),
    ],
)
def test_the_server_says_how_long(run: Run, headers: Any, least: float, most: float, naps: list[float]) -> None:
    """In milliseconds, in seconds, or until a date; not less, and not much more. What says nothing is as if absent."""
    with chat_server([Refused(429, tuple(headers)), Text(GOOD)]) as server:
        assert run(server, sdk=ONCE, max_wait=400).value == NICE
    assert len(naps) == 1 and least <= naps[0] <= most


@every_sdk
@pytest.mark.parametrize("after", ["61", "inf"])
def test_a_server_that_asks_for_more_than_the_longest_wait(run: Run, after: str, naps: list[float]) -> None:
    """Its exception is raised at once."""
    with chat_server([Refused(429, (("retry-after", after),))]) as server, pytest.raises(Exception, match="not now"):
        run(server, sdk=ONCE)
    assert naps == []


@every_sdk
def test_a_later_attempt_is_retried_too(run: Run, naps: list[float]) -> None:
    """Each attempt has all of its retries."""
    moves: list[Any] = [Refused(503, ()), Refused(503, ()), Text(BAD), Refused(503, ()), Cut(), Text(MENDED)]
    with chat_server(moves) as server:
        asked = run(server, sdk=ONCE, retries=2)
    assert asked.value == NICE
    assert len(asked.attempts) == 2
    assert len(naps) == 4


@every_sdk
def test_a_server_that_stays_down(run: Run, naps: list[float]) -> None:
    """Ever longer waits up to the longest, and then the SDK's own exception."""
    with chat_server(lambda messages: Refused(503, ())) as server, pytest.raises(Exception, match="not now") as caught:
        run(server, sdk=ONCE, retries=5, max_wait=9)
    assert type(caught.value).__module__.partition(".")[0] in ("openai", "anthropic", "litellm")
    assert len(server.requests) == 6
    assert len(caught.value.__notes__) == 1
    assert [int(seconds) // 2 for seconds in naps[:3]] == [0, 1, 2]
    assert 8 <= naps[3] <= naps[4] == 9


@every_sdk
def test_an_sdk_of_the_users_keeps_its_retries(run: Run, naps: list[float]) -> None:
    """Two of its own for each call."""
    with chat_server([*[Refused(429)] * 3, Text(GOOD)]) as server:
        assert run(server).value == NICE
        assert len(server.requests) == 4
    assert len(naps) == 1


@pytest.mark.peers
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("sdk", "calls"), [({}, 1), ({"max_retries": 2}, 3)])
def test_litellm_leaves_retries_to_ask(sdk: dict[str, int], calls: int, naps: list[float]) -> None:
    """Its own client does not retry, unless it is told to."""
    with chat_server(lambda messages: Refused(429)) as server, pytest.raises(Exception, match="not now"):
        litellm_now(server, sdk=sdk, retries=0)
    assert len(server.requests) == calls


def test_a_fallback_of_another_provider(naps: list[float]) -> None:
    """It is called once the first is down, and its number is in the attempt."""
    openai = pytest.importorskip("openai")
    with chat_server(lambda messages: Refused(503, ())) as down, chat_server([Text(BAD), Text(MENDED)]) as up:
        with (
            openai.OpenAI(api_key="none", base_url=down.url, **sdk_retries()) as one,
            openai.OpenAI(api_key="none", base_url=up.url) as two,
        ):
            asked = ask(
                openai_chat(one, model="m"),
                "Review a lamp.",
                Review,
                retries=1,
                fallbacks=[openai_chat(two, model="n")],
            )
        assert len(down.requests) == 2
        assert [body["model"] for _, body in up.requests] == ["n", "n"]
    assert asked.value == NICE
    assert [attempt.fallback for attempt in asked.attempts] == [1, 1]
