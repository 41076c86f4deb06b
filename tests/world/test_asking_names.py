"""Language models by name: the SDKs that are made for them, against a server that speaks their protocols."""

from __future__ import annotations

import asyncio
import gc
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel, Field

from structured_response import AskResult, StructuredResponse, aask, aask_many, ask, ask_many
from structured_response.asking.caching import THREADS
from structured_response.asking.setup import Setup
from structured_response.cache import SqliteCache
from structured_response.clients.providers import client_of
from tests.chat_server import ChatServer, Refused, Text, chat_server

pytest.importorskip("openai")


class Review(BaseModel):
    headline: str
    score: int = Field(ge=1, le=5)


GOOD = "<review><headline>Nice</headline><score>4</score></review>"
SECRET = "sk-very-secret"


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """A shell with keys in it, and with an account of OpenAI's."""
    for name in ("OPENAI_API_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID", "ANTHROPIC_API_KEY", "MY_KEY"):
        monkeypatch.setenv(name, f"{SECRET}-{name}")


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatServer]:
    """A server in place of those of the providers."""
    with chat_server(lambda messages: Text(GOOD)) as started:
        monkeypatch.setenv("OPENAI_BASE_URL", started.url)
        monkeypatch.setenv("ANTHROPIC_BASE_URL", started.url)
        yield started


def every_way(name: str, **options: Any) -> list[AskResult[Review]]:
    """The results of all functions that ask, each once."""
    if name.startswith("anthropic:"):
        pytest.importorskip("anthropic")

    async def awaited() -> list[Any]:
        many = aask_many(name, ["Review."], Review, **options)
        async with aask(name, "Review.", Review, stream=True, **options) as stream:
            async for _part in stream:
                pass
        return [await aask(name, "Review.", Review, **options), stream.result, *[each async for each in many]]

    with ask(name, "Review.", Review, stream=True, **options) as stream:
        list(stream)
    now: list[Any] = [ask(name, "Review.", Review, **options), stream.result]
    return [*now, *ask_many(name, ["Review."], Review, **options), *asyncio.run(awaited())]


@pytest.mark.parametrize(
    ("name", "path", "model", "variable"),
    [
        ("openai:gpt-5", "/chat/completions", "gpt-5", "OPENAI_API_KEY"),
        ("openai:ft:gpt-5:me", "/chat/completions", "ft:gpt-5:me", "OPENAI_API_KEY"),
        ("openai-responses:gpt-5", "/responses", "gpt-5", "OPENAI_API_KEY"),
        ("anthropic:claude", "/v1/messages", "claude", "ANTHROPIC_API_KEY"),
    ],
)
def test_a_name_is_a_client(server: ChatServer, name: str, path: str, model: str, variable: str) -> None:
    """In each function that asks, with the key of the provider's usual variable."""
    results = every_way(name)
    assert [result.value.score for result in results] == [4] * 6
    assert {sent for sent, _body in server.requests} == {path}
    assert {body["model"] for _path, body in server.requests} == {model}
    assert {key_of(headers) for headers in server.headers} == {f"{SECRET}-{variable}"}


def key_of(headers: dict[str, str]) -> str | None:
    """The key of a request."""
    return headers.get("x-api-key") or headers.get("authorization", "").removeprefix("Bearer ") or None


def test_the_url_of_a_server_gets_no_key(server: ChatServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor what else OpenAI's SDK takes from the environment; the model begins behind the path's first colon."""
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", f"authorization: Bearer {SECRET}\nX-Gateway: {SECRET}")
    assert [result.value.score for result in every_way(f"{server.url}/v1:qwen3:8b")] == [4] * 6
    assert {path for path, _body in server.requests} == {"/v1/chat/completions"}
    assert {body["model"] for _path, body in server.requests} == {"qwen3:8b"}
    for headers in server.headers:
        assert not {"authorization", "openai-organization", "openai-project"} & headers.keys()
        assert SECRET not in str(headers)


@pytest.mark.parametrize(
    ("options", "key"), [({"api_key": "mine"}, "mine"), ({"key_env": "MY_KEY"}, f"{SECRET}-MY_KEY")]
)
@pytest.mark.parametrize("name", ["{url}/v1:m", "openai:m", "anthropic:m"])
def test_a_key_that_is_given(server: ChatServer, name: str, options: Any, key: str) -> None:
    """It goes to the server of `complete`, and to no fallback."""
    every_way(name.format(url=server.url), **options)
    assert {key_of(headers) for headers in server.headers} == {key}
    with chat_server([Refused(503)]) as down:
        ask(f"{down.url}/v1:m", "Review.", Review, retries=0, fallbacks=[f"{server.url}/v1:m"], **options)
        assert key_of(down.headers[0]) == key
    assert key_of(server.headers[-1]) is None


def test_a_fallback_may_be_a_name(server: ChatServer) -> None:
    """And it has a client's name in a cache."""

    def down(messages: Any) -> str:
        raise ConnectionError

    asked = ask(down, "Review.", Review, retries=0, fallbacks=[f"{server.url}/v1:m"])
    assert asked.attempts[0].fallback == 1


def test_outages_are_retried_by_ask(server: ChatServer) -> None:
    """Not by the SDK as well."""
    with chat_server([Refused(503), Refused(503), Text(GOOD)]) as busy:
        with pytest.raises(Exception, match="not now"):
            ask(f"{busy.url}/v1:m", "Review.", Review, retries=0)
        assert len(busy.requests) == 1
        assert ask(f"{busy.url}/v1:m", "Review.", Review).value.score == 4


def test_keys_are_stored_nowhere(server: ChatServer, tmp_path: Path) -> None:
    """Neither in a cache, nor where a program looks at the client, nor in what asks."""
    path = tmp_path / "replies.sqlite"
    options: Any = {"api_key": SECRET, "cache": SqliteCache(path)}
    ask("openai:gpt-5", "Review.", Review, **options)
    options["cache"].close()
    assert SECRET.encode() not in b"".join(file.read_bytes() for file in tmp_path.iterdir())
    client = client_of("openai:gpt-5", False, api_key=SECRET)
    assert SECRET not in f"{client!r} {client.cache_key} {client.params}"
    assert "gpt-5" in client.cache_key and server.url in client.cache_key
    setup = Setup("openai:gpt-5", StructuredResponse.from_basemodel(Review), {"api_key": SECRET}, THREADS)
    assert SECRET not in str(vars(setup))
    many = ask_many("openai:gpt-5", ["Review."], Review, api_key=SECRET, key="m", journal=tmp_path / "journal.sqlite")
    assert SECRET not in str(vars(many._run))
    list(many)
    assert SECRET.encode() not in (tmp_path / "journal.sqlite").read_bytes()


@pytest.mark.parametrize("is_over", [True, False])
def test_clients_that_were_made_are_closed(server: ChatServer, is_over: bool) -> None:
    """At the end of the question, whatever it is, and not those that are given."""
    with ask("openai:gpt-5", "Review.", Review, stream=True) as stream:
        sdk = stream._run.asking.setup.made[0].call.__self__._client
        list(stream) if is_over else next(stream)
    assert sdk.is_closed()
    many = ask_many("openai:gpt-5", ["Review."] * 3, Review)
    sdk = many._run.setup.made[0].call.__self__._client
    next(many)
    assert not sdk.is_closed()
    many.close()
    assert sdk.is_closed()


@pytest.mark.parametrize(
    ("name", "error", "message"),
    [
        (
            "opnai:gpt-5",
            ValueError,
            "'opnai:gpt-5' names no language model; write openai:MODEL, ",
        ),
        ("openai:", ValueError, "names no language model"),
        ("http://localhost:8000", ValueError, "write it behind the path, as in http://HOST/v1:MODEL"),
        ("http://localhost:8000/v1", ValueError, "write it behind the path"),
        ("http://localhost:8000/v1:", ValueError, "write it behind the path"),
        ("http:///v1:m", ValueError, "write it behind the path"),
        ("http://me:sesame@localhost/v1", ValueError, "'http://localhost/v1' names no language model"),
        ("http://localhost:eight/v1:m", ValueError, "Port could not be cast to integer value"),
        ("gpt-5", TypeError, "str cannot be called with messages; give a function of messages, or 'openai:MODEL'"),
    ],
)
def test_names_that_are_none(name: str, error: Any, message: str) -> None:
    """The error says how to write it, for one question, for many, and for a fallback."""
    for call in (
        lambda: ask(name, "Review.", Review),
        lambda: ask_many(name, ["Review."], Review),
        lambda: ask(lambda messages: GOOD, "Review.", Review, fallbacks=[name]),
    ):
        with pytest.raises(error, match=message):
            call()


def test_a_missing_key_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the variable that has it, before the first call."""
    monkeypatch.delenv("OPENAI_API_KEY")
    with pytest.raises(ValueError, match="openai:gpt-5 needs a key; set OPENAI_API_KEY, or pass api_key= or key_env="):
        ask("openai:gpt-5", "Review.", Review)
    with pytest.raises(ValueError, match="needs a key; set NO_KEY"):
        ask("http://localhost/v1:m", "Review.", Review, key_env="NO_KEY")
    with pytest.raises(TypeError, match="not both"):
        ask("openai:gpt-5", "Review.", Review, key_env="MY_KEY", api_key="a")
    with pytest.raises(TypeError, match="your client has its own"):
        ask(lambda messages: GOOD, "Review.", Review, api_key="a")


WITHOUT = {
    "openai:m": "openai",
    "http://localhost/v1:m": "openai",
    "anthropic:m": "anthropic",
    "litellm:m": "litellm",
}
"""Names, and the SDK that each needs."""


def test_a_missing_sdk_is_named() -> None:
    """With the extra that installs it."""
    program = f"""
import sys
sys.modules.update(dict.fromkeys({[*WITHOUT.values()]}))
from structured_response import ask
for name in {[*WITHOUT]}:
    try:
        ask(name, "?", int)
    except ImportError as error:
        print(error)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.stdout.splitlines() == [
        f'{sdk} is not installed; install it with: pip install "structured-response-py[{sdk}]"'
        for sdk in WITHOUT.values()
    ], done.stderr


@pytest.mark.peers
@pytest.mark.filterwarnings("ignore")
def test_a_name_of_litellm(server: ChatServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the provider's name in it, and the key of that provider's variable."""
    monkeypatch.setenv("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    pytest.importorskip("litellm")
    assert ask("litellm:openai/m", "Review.", Review).value.score == 4
    assert asyncio.run(aask("litellm:openai/m", "Review.", Review, api_key="mine")).value.score == 4
    assert [headers["authorization"] for headers in server.headers] == [
        f"Bearer {SECRET}-OPENAI_API_KEY",
        "Bearer mine",
    ]
    assert client_of("litellm:gemini/gemini-2.5-flash", False).provider == "gcp.gemini"
    gc.collect()  # what LiteLLM has left open, while its warnings are ignored
