"""Clients: the real SDKs against a server that speaks their protocols, awaited and not."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from typing import Any

import pytest
from pydantic import BaseModel, Field

from structured_response import AskError, AskResult, Completion, MissingExtraError, Usage, aask, ask
from structured_response.clients import anthropic_messages, litellm_acompletion, litellm_completion, openai_chat
from structured_response.clients.openai import chat_completion
from tests.chat_server import ChatServer, Cut, Refused, Text, chat_server


class Review(BaseModel):
    headline: str
    score: int = Field(ge=1, le=5)


GOOD = "<review><headline>Nice</headline><score>4</score></review>"
BAD = "<review><headline>Nice</headline><score>many</score></review>"
MENDED = "<review><score>4</score></review>"
NICE = Review(headline="Nice", score=4)

Run = Callable[..., AskResult[Review]]


def openai_now(server: ChatServer, *, retries: int = 2, **options: Any) -> AskResult[Review]:
    """By OpenAI's SDK."""
    openai = pytest.importorskip("openai")
    with openai.OpenAI(api_key="none", base_url=server.url, max_retries=retries) as client:
        return ask(openai_chat(client, model="m", stop=["END"]), "Review a lamp.", Review, **options)


def openai_awaited(server: ChatServer, *, retries: int = 2, **options: Any) -> AskResult[Review]:
    """By OpenAI's SDK, awaited."""
    openai = pytest.importorskip("openai")

    async def run() -> AskResult[Review]:
        async with openai.AsyncOpenAI(api_key="none", base_url=server.url, max_retries=retries) as client:
            return await aask(openai_chat(client, model="m", stop=["END"]), "Review a lamp.", Review, **options)

    return asyncio.run(run())


def anthropic_now(server: ChatServer, *, retries: int = 2, **options: Any) -> AskResult[Review]:
    """By Anthropic's SDK."""
    anthropic = pytest.importorskip("anthropic")
    with anthropic.Anthropic(api_key="none", base_url=server.url, max_retries=retries) as client:
        return ask(anthropic_messages(client, model="m", stop_sequences=["END"]), "Review a lamp.", Review, **options)


def anthropic_awaited(server: ChatServer, *, retries: int = 2, **options: Any) -> AskResult[Review]:
    """By Anthropic's SDK, awaited."""
    anthropic = pytest.importorskip("anthropic")

    async def run() -> AskResult[Review]:
        async with anthropic.AsyncAnthropic(api_key="none", base_url=server.url, max_retries=retries) as client:
            complete = anthropic_messages(client, model="m", stop_sequences=["END"])
            return await aask(complete, "Review a lamp.", Review, **options)

    return asyncio.run(run())


def litellm_params(server: ChatServer, retries: int) -> dict[str, Any]:
    """What LiteLLM is called with."""
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"  # else importing it asks the network
    pytest.importorskip("litellm")
    return {"model": "openai/m", "api_base": server.url, "api_key": "none", "max_retries": retries, "stop": ["END"]}


def litellm_now(server: ChatServer, *, retries: int = 2, **options: Any) -> AskResult[Review]:
    """By LiteLLM."""
    return ask(litellm_completion(**litellm_params(server, retries)), "Review a lamp.", Review, **options)


def litellm_awaited(server: ChatServer, *, retries: int = 2, **options: Any) -> AskResult[Review]:
    """By LiteLLM, awaited."""
    return asyncio.run(
        aask(litellm_acompletion(**litellm_params(server, retries)), "Review a lamp.", Review, **options)
    )


PEERS = (pytest.mark.peers, pytest.mark.filterwarnings("ignore"))  # LiteLLM's warnings are not about us
SDKS = [
    openai_now,
    openai_awaited,
    anthropic_now,
    anthropic_awaited,
    pytest.param(litellm_now, marks=PEERS),
    pytest.param(litellm_awaited, marks=PEERS),
]
every_sdk = pytest.mark.parametrize("run", SDKS)


@every_sdk
def test_a_reply_that_falls_short_is_asked_again(run: Run) -> None:
    """The server sees the question, then the question, its reply and what was wrong with it; usage is summed."""
    with chat_server([Text(BAD), Text(MENDED)]) as server:
        asked = run(server)
        assert asked.value == NICE
        assert asked.usage == Usage(200, 20)
        first, second = server.messages(0), server.messages(1)
        assert second[: len(first)] == first
        assert second[-2] == {"role": "assistant", "content": BAD}
        assert "$.score" in second[-1]["content"]
        assert "<headline" not in second[-1]["content"]
        body = server.requests[0][1]
        assert body["model"] == "m"
        assert body.get("stop", body.get("stop_sequences")) == ["END"]


@every_sdk
def test_a_reply_at_the_limit_of_tokens_goes_on(run: Run) -> None:
    """What the provider calls cut off is continued, and the pieces are one text."""
    with chat_server(
        [Text("<review><headline>A very long hea", "length"), Text("dline</headline><score>4</score></review>")]
    ) as server:
        asked = run(server)
    assert asked.value == Review(headline="A very long headline", score=4)
    assert asked.attempts[0].finish_reason in ("length", "max_tokens")


@every_sdk
def test_a_rate_limit_is_the_sdks_to_wait_for(run: Run) -> None:
    """Two refusals and a reply are one attempt."""
    with chat_server([Refused(429), Refused(429), Text(GOOD)]) as server:
        asked = run(server)
        assert asked.value == NICE
        assert len(asked.attempts) == 1
        assert len(server.requests) == 3


@every_sdk
@pytest.mark.parametrize("move", [Refused(429), Refused(500), Refused(401), Cut()], ids=repr)
def test_what_the_sdk_raises_passes_through(run: Run, move: Any) -> None:
    """Its own exception, with the attempts so far in the notes."""
    with chat_server([Text(BAD), move]) as server, pytest.raises(Exception) as caught:  # noqa: PT011 - the SDKs' own
        run(server, retries=0)
    assert type(caught.value).__module__.partition(".")[0] in ("openai", "anthropic", "litellm", "httpx", "httpx2")
    assert not isinstance(caught.value, AskError)
    notes = "\n".join(caught.value.__notes__)
    assert "asking for Review, attempt 2" in notes
    assert "attempt 1: " in notes and "$.score invalid" in notes


@every_sdk
def test_asking_ends(run: Run) -> None:
    """After so many attempts there is an error that has each of them, and what could be read."""
    with chat_server(lambda messages: Text(BAD)) as server, pytest.raises(AskError) as caught:
        run(server, attempts=3)
    error = caught.value
    assert len(error.attempts) == 3
    assert error.usage == Usage(300, 30)
    assert error.response.instance.headline == "Nice"
    assert [problem.path for problem in error.problems] == ["$.score"]


def test_system_messages_go_where_the_protocol_has_them() -> None:
    """Anthropic's messages have none; they stand beside them."""
    anthropic = pytest.importorskip("anthropic")
    prompt = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Review a lamp."}]
    with chat_server([Text(GOOD)]) as server:
        with anthropic.Anthropic(api_key="none", base_url=server.url) as client:
            assert ask(anthropic_messages(client, model="m"), prompt, Review).value == NICE
        body = server.requests[0][1]
    assert body["system"] == "Be brief."
    assert [message["role"] for message in body["messages"]] == ["user"]


def test_parameters_are_part_of_the_key() -> None:
    """Another model or another parameter is another key; where they are the same, so is the key."""
    openai = pytest.importorskip("openai")
    anthropic = pytest.importorskip("anthropic")
    nowhere = {"api_key": "none", "base_url": "http://127.0.0.1:9"}
    with openai.OpenAI(**nowhere) as client, anthropic.Anthropic(**nowhere) as other:
        made: list[Any] = [
            openai_chat(client, model="m"),
            openai_chat(client, model="n"),
            openai_chat(client, model="m", temperature=1),
            openai_chat(client, model="m", temperature=1, seed=2),
            anthropic_messages(other, model="m"),
        ]
        again: Any = openai_chat(client, seed=2, temperature=1, model="m")
    assert len({each.cache_key for each in made}) == len(made)
    assert again.cache_key == made[3].cache_key


def test_a_refusal_is_a_reply() -> None:
    """What OpenAI's protocol has in another place than the content is read like one."""
    openai = pytest.importorskip("openai")
    given = openai.types.chat.ChatCompletion.model_validate(
        {
            "id": "1",
            "object": "chat.completion",
            "created": 1,
            "model": "m",
            "choices": [
                {
                    "index": 0,
                    "finish_reason": "stop",
                    "message": {"role": "assistant", "content": None, "refusal": "I can't help with that."},
                }
            ],
        }
    )
    assert chat_completion(given) == Completion("I can't help with that.", "refusal")
    assert chat_completion(given.model_copy(update={"choices": []})) == Completion("")


@every_sdk
@pytest.mark.parametrize(
    ("end", "says"), [("refused", "refused to answer"), ("filtered", "content filter"), ("tool", "a tool was called")]
)
def test_what_is_no_attempt_at_an_answer_is_not_asked_again(run: Run, end: str, says: str) -> None:
    """The error says which it was, in each protocol's own words."""
    with chat_server([Text("", end), Text(GOOD)]) as server:
        with pytest.raises(AskError, match=says) as caught:
            run(server)
        assert len(server.requests) == len(caught.value.attempts) == 1
        assert caught.value.problems[0].kind == "refusal"
        assert caught.value.problems[0].found == caught.value.attempts[0].finish_reason


@every_sdk
def test_an_error_of_a_later_call_has_the_attempts(run: Run) -> None:
    """The SDK's own exception, with the replies that came before it."""
    with chat_server([Text(BAD), Refused(429)]) as server, pytest.raises(Exception, match="not now") as caught:
        run(server, retries=0)
    (attempt,) = vars(caught.value)["attempts"]
    assert attempt.reply == BAD
    assert attempt.problems[0].path == "$.score"


def test_without_litellm_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error says what to install."""
    monkeypatch.setitem(__import__("sys").modules, "litellm", None)
    with pytest.raises(MissingExtraError, match=r"structured-response\[litellm\]"):
        litellm_completion(model="m")


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing stands between the SDKs and loopback."""
    monkeypatch.setenv("NO_PROXY", "*")
