"""`mode="json_schema"`: answers that the provider forces into a form, by the real SDKs."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from pydantic import BaseModel, Field

from structured_response import aask, ask
from structured_response.cache import MemoryCache
from tests.chat_server import ChatServer, Text, chat_server
from tests.world.test_clients_tools import MAKERS

openai = pytest.importorskip("openai")
pytest.importorskip("anthropic")

KINDS = pytest.mark.parametrize("kind", MAKERS)


class Part(BaseModel):
    label: str
    points: int = Field(ge=1, le=5)


class Review(BaseModel):
    headline: str
    parts: list[Part]


class Loose(BaseModel):
    headline: str = Field(max_length=40)
    score: int = 3


DATA = {"headline": "Nice <b>", "parts": [{"label": "a", "points": 4}]}
GOOD = json.dumps(DATA)
BAD = json.dumps({**DATA, "parts": [{"label": "a", "points": 9}]})
MENDED = json.dumps({"parts": {"item_0": {"points": 4}}})


def asked(kind: str, server: ChatServer, model: Any, *, is_async: bool = False, **options: Any) -> Any:
    """The result of a question in this mode."""
    sdk, name, maker = MAKERS[kind]
    how = {"base_url": server.url, "api_key": "none", "max_retries": 0}

    async def run() -> Any:
        async with getattr(sdk, f"Async{name}")(**how) as client:
            return await aask(maker(client, model="m"), "Review.", model, mode="json_schema", **options)

    if is_async:
        return asyncio.run(run())
    with getattr(sdk, name)(**how) as client:
        if not options.pop("stream", False):
            return ask(maker(client, model="m"), "Review.", model, mode="json_schema", **options)
        with ask(maker(client, model="m"), "Review.", model, mode="json_schema", stream=True, **options) as stream:
            assert len(list(stream)) > 3
        return stream.result


def schema(server: ChatServer, number: int = -1) -> tuple[Any, Any]:
    """The schema of a request, and whether it is strict; None where the protocol has no such word."""
    _path, body = server.requests[number]
    if "tools" in body:
        (tool,) = body["tools"]
        assert body["tool_choice"] == {"type": "tool", "name": tool["name"]}
        return tool["input_schema"], None
    told = body["text"]["format"] if "text" in body else body["response_format"]["json_schema"]
    return told["schema"], told["strict"]


@KINDS
@pytest.mark.parametrize("way", ["now", "awaited", "stream"])
def test_the_provider_gets_the_schema(kind: str, way: str) -> None:
    """And the result is the same as ever."""
    with chat_server([Text(GOOD)]) as server:
        result = asked(kind, server, Review, is_async=way == "awaited", stream=way == "stream")
        sent, strict = schema(server)
    assert result.value == Review.model_validate(DATA)
    assert len(result.attempts) == 1
    assert all(repair.before == repair.after for repair in result.response.repairs)
    assert sent["additionalProperties"] is False and sent["properties"].keys() == {"headline", "parts"}
    assert strict in (True, None)
    assert result.attempts[0].finish_reason in ("stop", "completed", "end_turn")


@KINDS
def test_problems_are_asked_again_with_their_own_schema(kind: str) -> None:
    """The provider forces the form of what is asked for again, not that of the whole."""
    with chat_server([Text(BAD), Text(MENDED)]) as server:
        result = asked(kind, server, Review)
        again, _strict = schema(server)
    assert result.value == Review.model_validate(DATA)
    assert again["properties"].keys() == {"parts"}
    assert again["properties"]["parts"]["properties"].keys() == {"item_0"}


@KINDS
def test_strict_only_where_the_schema_allows_it(kind: str) -> None:
    """Fields with defaults and lengths of texts do not."""
    with chat_server([Text('{"headline": "a"}')]) as server:
        assert asked(kind, server, Loose).value == Loose(headline="a")
        assert schema(server)[1] in (False, None)


@KINDS
def test_what_is_no_object_is_in_one(kind: str) -> None:
    """Providers force objects only."""
    with chat_server([Text('{"value_list": [1, 2]}')]) as server:
        assert asked(kind, server, list[int]).value == [1, 2]
        assert schema(server)[0]["properties"].keys() == {"value_list"}


def test_a_reply_that_was_cut_off_goes_on_without_the_schema() -> None:
    """Which would make it begin anew."""
    with chat_server([Text(GOOD[:30], "length"), Text(GOOD[10:])]) as server:
        result = asked("chat", server, Review)
        assert "response_format" in server.requests[0][1] and "response_format" not in server.requests[1][1]
    assert result.value == Review.model_validate(DATA)


def test_replies_of_this_mode_are_cached_apart() -> None:
    """Another way to ask is another question."""
    cache = MemoryCache()
    with chat_server([Text(GOOD), Text(GOOD)]) as server, openai.OpenAI(base_url=server.url, api_key="none") as client:
        complete = MAKERS["chat"][2](client, model="m")
        modes: Any = ({"mode": "json_schema"}, {"mode": "json_schema"}, {"format": "json"})
        results = [ask(complete, "Review.", Review, cache=cache, **mode) for mode in modes]
    assert [result.attempts[0].cached for result in results] == [False, True, False]


def test_who_has_no_such_mode() -> None:
    """A function of one's own, and another format, are errors before the first call."""
    with pytest.raises(TypeError, match="mode='json_schema' needs a client of"):
        ask(lambda messages: GOOD, "Review.", Review, mode="json_schema")
    with pytest.raises(ValueError, match="mode='json_schema' asks for JSON; leave format out"):
        ask(lambda messages: GOOD, "Review.", Review, mode="json_schema", format="xml")
    wrong: Any = "json"
    with pytest.raises(ValueError, match="mode is one of 'prompt', 'json_schema'"):
        ask(lambda messages: GOOD, "Review.", Review, mode=wrong)
