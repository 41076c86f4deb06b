"""Clients: the real SDKs against a server that speaks their protocols, awaited and not."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest
from pydantic import BaseModel, Field

from structured_response import AskError, AskResult, Completion, MissingExtraError, ReplyError, aask, ask
from structured_response.clients import anthropic_messages, litellm_acompletion, litellm_completion, openai_chat
from structured_response.clients.protocols import chat_completion
from tests.chat_server import USAGE, ChatServer, Cut, Page, Refused, Text, chat_server


class Review(BaseModel):
    headline: str
    score: int = Field(ge=1, le=5)


GOOD = "<review><headline>Nice</headline><score>4</score></review>"
BAD = "<review><headline>Nice</headline><score>many</score></review>"
MENDED = "<review><score>4</score></review>"
NICE = Review(headline="Nice", score=4)

Run = Callable[..., AskResult[Review]]

TWICE = {"max_retries": 2}  # an SDK's own default


def openai_now(server: ChatServer, *, sdk: Any = TWICE, **options: Any) -> AskResult[Review]:
    """By OpenAI's SDK."""
    openai = pytest.importorskip("openai")
    with openai.OpenAI(api_key="none", base_url=server.url, **sdk) as client:
        asked: AskResult[Review] = ask(
            openai_chat(client, model="m", stop=["END"]), "Review a lamp.", Review, **options
        )
        return asked


def openai_awaited(server: ChatServer, *, sdk: Any = TWICE, **options: Any) -> AskResult[Review]:
    """By OpenAI's SDK, awaited."""
    openai = pytest.importorskip("openai")

    async def run() -> AskResult[Review]:
        async with openai.AsyncOpenAI(api_key="none", base_url=server.url, **sdk) as client:
            asked: AskResult[Review] = await aask(
                openai_chat(client, model="m", stop=["END"]), "Review a lamp.", Review, **options
            )
            return asked

    return asyncio.run(run())


def anthropic_now(server: ChatServer, *, sdk: Any = TWICE, **options: Any) -> AskResult[Review]:
    """By Anthropic's SDK."""
    anthropic = pytest.importorskip("anthropic")
    with anthropic.Anthropic(api_key="none", base_url=server.url, **sdk) as client:
        asked: AskResult[Review] = ask(
            anthropic_messages(client, model="m", stop_sequences=["END"]), "Review a lamp.", Review, **options
        )
        return asked


def anthropic_awaited(server: ChatServer, *, sdk: Any = TWICE, **options: Any) -> AskResult[Review]:
    """By Anthropic's SDK, awaited."""
    anthropic = pytest.importorskip("anthropic")

    async def run() -> AskResult[Review]:
        async with anthropic.AsyncAnthropic(api_key="none", base_url=server.url, **sdk) as client:
            complete = anthropic_messages(client, model="m", stop_sequences=["END"])
            asked: AskResult[Review] = await aask(complete, "Review a lamp.", Review, **options)
            return asked

    return asyncio.run(run())


def litellm_params(server: ChatServer, sdk: dict[str, Any]) -> dict[str, Any]:
    """What LiteLLM is called with."""
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"  # else importing it asks the network
    pytest.importorskip("litellm")
    return {"model": "openai/m", "api_base": server.url, "api_key": "none", "stop": ["END"], **sdk}


def litellm_now(server: ChatServer, *, sdk: Any = TWICE, **options: Any) -> AskResult[Review]:
    """By LiteLLM."""
    asked: AskResult[Review] = ask(
        litellm_completion(**litellm_params(server, sdk)), "Review a lamp.", Review, **options
    )
    return asked


def litellm_awaited(server: ChatServer, *, sdk: Any = TWICE, **options: Any) -> AskResult[Review]:
    """By LiteLLM, awaited."""
    return asyncio.run(aask(litellm_acompletion(**litellm_params(server, sdk)), "Review a lamp.", Review, **options))


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
        assert asked.usage == USAGE + USAGE
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
        run(server, sdk={"max_retries": 0}, retries=0)
    assert type(caught.value).__module__.partition(".")[0] in ("openai", "anthropic", "litellm", "httpx", "httpx2")
    assert not isinstance(caught.value, AskError)
    notes = "\n".join(caught.value.__notes__)
    assert re.search(r"asking for Review of [\w./-]+ at http://[\w.]+:\d+, attempt 2", notes)
    assert "attempt 1: " in notes and "$.score invalid" in notes


@every_sdk
def test_asking_ends(run: Run) -> None:
    """After so many attempts there is an error that has each of them, and what could be read."""
    with chat_server(lambda messages: Text(BAD)) as server, pytest.raises(AskError) as caught:
        run(server, attempts=3)
    error = caught.value
    assert len(error.attempts) == 3
    assert error.usage == USAGE + USAGE + USAGE
    assert error.response is not None
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


BLOCK = {"type": "text", "text": "Be kind.", "cache_control": {"type": "ephemeral"}}


@pytest.mark.parametrize(
    ("params", "contents", "sent"),
    [
        ({}, ["One.", "Two."], "One.\n\nTwo."),
        ({}, [[BLOCK]], [BLOCK]),
        ({}, ["One.", [BLOCK]], [{"type": "text", "text": "One."}, BLOCK]),
        ({"system": "Zero."}, [], "Zero."),
        ({"system": "Zero."}, ["One."], "Zero.\n\nOne."),
        ({"system": [BLOCK]}, ["One."], [BLOCK, {"type": "text", "text": "One."}]),
    ],
)
def test_system_blocks_pass_as_they_are(params: dict[str, Any], contents: list[Any], sent: Any) -> None:
    """With their marks for a prompt cache; `system=` goes before the system messages."""
    anthropic = pytest.importorskip("anthropic")
    prompt = [{"role": "system", "content": content} for content in contents]
    prompt.append({"role": "user", "content": [{**BLOCK, "text": "Review a lamp."}]})
    with chat_server([Text(GOOD)]) as server:
        with anthropic.Anthropic(api_key="none", base_url=server.url) as client:
            assert ask(anthropic_messages(client, model="m", **params), prompt, Review).value == NICE
        body = server.requests[0][1]
    assert body["system"] == sent
    assert body["messages"][0]["content"][0] == {**BLOCK, "text": "Review a lamp."}


@pytest.mark.parametrize("package", ["openai", "anthropic"])
def test_a_client_in_place_of_a_function(package: str) -> None:
    """The error names the function that makes one of it."""
    module = pytest.importorskip(package)
    made = {"openai": "OpenAI", "anthropic": "Anthropic"}[package]
    with getattr(module, made)(api_key="none") as client, pytest.raises(TypeError, match=rf"{made} .*{package}_\w+\("):
        ask(client, "Review a lamp.", Review, key="m")


@pytest.mark.parametrize(
    ("params", "error", "message"),
    [
        ({"model": None}, TypeError, "model= must be the name"),
        ({"model": ""}, TypeError, "model= must be the name"),
        ({"model": "m", "stream": True}, ValueError, "leave stream out"),
    ],
)
def test_parameters_that_cannot_work(params: dict[str, Any], error: type[Exception], message: str) -> None:
    """They are an error where the client is made, before any call."""
    openai = pytest.importorskip("openai")
    anthropic = pytest.importorskip("anthropic")
    with openai.OpenAI(api_key="none") as client, pytest.raises(error, match=message):
        openai_chat(client, **params)
    with anthropic.Anthropic(api_key="none") as other, pytest.raises(error, match=message):
        anthropic_messages(other, **params)


PAGE = "<!DOCTYPE html>\n<html><head><title>502 Bad Gateway</title></head><body><h1>502</h1></body></html>"
SENT: list[tuple[Page, str]] = [
    (Page(PAGE), r'an HTML page \("502 Bad Gateway"\); check any proxy and base_url'),
    (Page("upstream is gone", "text/plain"), "'upstream is gone'; check any proxy and base_url"),
    (Page('{"error": {"message": "no such model"}}', "application/json"), "no such model"),
]


@every_sdk
@pytest.mark.parametrize(("page", "message"), SENT)
def test_what_is_no_completion_is_an_error(run: Run, page: Page, message: str) -> None:
    """The page of a proxy, or of a web interface under the same address: the error says so at once, and the model is
    not asked to mend it.
    """
    with chat_server([page]) as server, pytest.raises(Exception) as caught:  # noqa: PT011 - LiteLLM has one of its own
        run(server, sdk={"max_retries": 0}, retries=0)
    assert len(server.requests) == 1
    if "litellm" not in run.__name__:
        assert isinstance(caught.value, ReplyError)
        assert caught.value.reply
        assert re.search(message, str(caught.value))


def test_the_server_is_part_of_the_key() -> None:
    """Its address and its query, without the slash at the end, and for each SDK."""
    openai = pytest.importorskip("openai")
    anthropic = pytest.importorskip("anthropic")

    def key(url: str, **options: Any) -> str:
        with openai.OpenAI(base_url=url, api_key="none", **options) as client:
            made: Any = openai_chat(client, model="m")
        with anthropic.Anthropic(base_url=url, api_key="none", **options) as client:
            other: Any = anthropic_messages(client, model="m")
        return f"{made.cache_key} {other.cache_key}"

    assert key("http://one/v1") == key("http://one/v1/")
    asked = [key("http://one/v1"), key("http://two/v1"), key("http://one/v1", default_query={"api-version": "2"})]
    assert len(set(asked)) == 3


def test_what_changes_no_answer_is_not_part_of_the_key() -> None:
    """Patience, retries, headers, keys, and parameters that are not sent."""
    openai = pytest.importorskip("openai")

    def key(client_options: dict[str, Any], **params: Any) -> str:
        with openai.OpenAI(**{"api_key": "none", "base_url": "http://one/v1", **client_options}) as client:
            made: Any = openai_chat(client, model="m", temperature=0, **params)
            return str(made.cache_key)

    plain = key({})
    assert key({"timeout": 3, "max_retries": 9, "default_headers": {"x-team": "a"}, "api_key": "other"}) == plain
    assert key({"base_url": "http://me:mine@one/v1"}) == plain
    absent = getattr(openai, "omit", openai.NOT_GIVEN)  # releases before 2 know the second only
    for params in ({"timeout": 3}, {"extra_headers": {"x": "y"}}, {"user": "me"}, {"seed": absent}):
        assert key({}, **params) == plain
    for params in ({"max_tokens": 3}, {"seed": 1}, {"extra_body": {"top_k": 1}}, {"response_format": {"type": "text"}}):
        assert key({}, **params) != plain


def test_no_secret_is_in_a_key_or_a_repr(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever a secret was given: keys, headers, addresses, bodies."""
    openai = pytest.importorskip("openai")
    anthropic = pytest.importorskip("anthropic")
    monkeypatch.setitem(__import__("sys").modules, "litellm", ModuleType("litellm"))
    monkeypatch.setattr("litellm.completion", print, raising=False)
    secret = "hunter2"
    url = f"http://me:{secret}@one/v1?key={secret}"
    options = {"api_key": secret, "base_url": url, "default_headers": {"x-key": secret}, "default_query": {"k": secret}}
    params: dict[str, Any] = {
        "extra_headers": {"authorization": secret},
        "extra_body": {"key": secret},
        "extra_query": {"key": secret},
    }
    with openai.OpenAI(**options) as client, anthropic.Anthropic(**options) as other:
        made: list[Any] = [
            openai_chat(client, model="m", **params),
            anthropic_messages(other, model="m", **params),
            litellm_completion(model="m", api_key=secret, api_base=url, aws_secret_access_key=secret),
        ]
    for each in made:
        assert "one/v1" in each.cache_key
        assert secret not in each.cache_key + repr(each)


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
        run(server, sdk={"max_retries": 0}, retries=0)
    (attempt,) = vars(caught.value)["attempts"]
    assert attempt.reply == BAD
    assert attempt.problems[0].path == "$.score"


def test_without_litellm_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error says what to install."""
    monkeypatch.setitem(__import__("sys").modules, "litellm", None)
    with pytest.raises(MissingExtraError, match=r"structured-response-py\[litellm\]"):
        litellm_completion(model="m")


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing stands between the SDKs and loopback."""
    monkeypatch.setenv("NO_PROXY", "*")
