"""Agents with the real SDKs against a local server that speaks their protocols, as text and natively."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, contextmanager
from typing import Any

import pytest
from pydantic import BaseModel

from structured_response import Usage
from structured_response.clients import (
    anthropic_messages,
    litellm_acompletion,
    litellm_completion,
    openai_chat,
    openai_responses,
)
from structured_response.tools import ActMode, ActResult, Toolbox, aact, act
from tests.chat_server import USAGE, Called, ChatServer, Move, Page, Refused, Text, chat_server

CLIENTS: dict[str, tuple[str, str, Any]] = {
    "chat": ("openai", "OpenAI", openai_chat),
    "responses": ("openai", "OpenAI", openai_responses),
    "messages": ("anthropic", "Anthropic", anthropic_messages),
}
every_client = pytest.mark.parametrize("kind", CLIENTS)
in_both_modes = pytest.mark.parametrize("mode", ["text", "native"])


class Report(BaseModel):
    number: int
    notes: list[str]


class Confirm(BaseModel):
    """Asks the person."""

    question: str


def look(topic: str, limit: int = 5) -> str:
    """Looks something up."""
    return f"[{limit} notes & <more> on {topic}]"


async def count(of: str) -> int:
    """Counts."""
    await asyncio.sleep(0)
    return len(of)


TOOLBOX = Toolbox(look, count, Confirm)
FIRST = (("look", {"topic": "a & b <c>"}), ("count", {"of": "four"}))
SECOND = (("look", {"topic": "oil", "limit": 2}),)
REPORT = "<report><number>{}</number><notes><li>a & b</li><li>oil</li></notes></report>"


def reply(messages: list[dict[str, Any]], native: bool) -> Move:
    """Two calls, then one, and then the answer with the number in the task."""
    said = json.dumps(messages)
    (number,) = set(re.findall(r"Report (\d+)", said))
    calls = next((calls for topic, calls in (("c>]", FIRST), ("oil]", SECOND)) if topic not in said), None)
    if calls is None:
        return Text(REPORT.format(number))
    if native:
        return Called(calls, "Let me see.")
    texts = (
        f"<call tool='{name}'>{''.join(f'<{key}>{value}</{key}>' for key, value in given.items())}</call>"
        for name, given in calls
    )
    return Text("Let me see.\n" + "\n".join(texts))


@contextmanager
def server_of(mode: str) -> Iterator[ChatServer]:
    """A server that answers in a mode. Every other call fails at first."""
    failed: set[str] = set()

    def script(messages: list[dict[str, Any]]) -> Move:
        said = json.dumps(messages)
        if len(said) % 2 and said not in failed:
            failed.add(said)
            return Refused(429)
        return reply(messages, mode == "native")

    with chat_server(script) as server:
        yield server


Run = Callable[[Any], Any]


def with_client(kind: str, url: str, is_async: bool, run: Run) -> Any:
    """Calls a function with a client of an SDK, or awaits it."""
    package, name, maker = CLIENTS[kind]
    sdk = pytest.importorskip(package)
    how = {"base_url": url, "api_key": "none", "max_retries": 0}
    if not is_async:
        with getattr(sdk, name)(**how) as client:
            return run(maker(client, model="m"))

    async def awaited() -> Any:
        async with AsyncExitStack() as opened:
            client = await opened.enter_async_context(getattr(sdk, f"Async{name}")(**how))
            got = run(maker(client, model="m"))
            return await got if isinstance(got, Awaitable) else got

    return asyncio.run(awaited())


def record(result: ActResult[Any]) -> list[tuple[str, Any, str]]:
    """What the calls of a result were, and what came of them."""
    return [
        (each.call.name, each.call.instance.to_dict(), each.outcome.text if each.outcome else "")
        for turn in result.turns
        for each in turn.results
    ]


@every_client
@in_both_modes
@pytest.mark.parametrize("is_async", [False, True], ids=["act", "aact"])
def test_both_modes_end_in_the_same_results(kind: str, mode: str, is_async: bool) -> None:
    """With every protocol, through outages: calls, results, answer and tokens."""
    with server_of(mode) as server:
        runs: Any = aact if is_async else act
        result = with_client(
            kind,
            server.url,
            is_async,
            lambda complete: runs(complete, "Report 7", TOOLBOX, Report, mode=mode, max_wait=0.01),
        )
    assert result.value == Report(number=7, notes=["a & b", "oil"])
    assert record(result) == [
        ("look", {"topic": "a & b <c>", "limit": 5}, "[5 notes & <more> on a & b <c>]"),
        ("count", {"of": "four"}, "4"),
        ("look", {"topic": "oil", "limit": 2}, "[2 notes & <more> on oil]"),
    ]
    assert result.usage == USAGE + USAGE + USAGE
    sent = server.requests[-1][1]
    assert ("tools" in sent) == (mode == "native")
    assert_matched(kind, sent)


@pytest.mark.peers
@pytest.mark.filterwarnings("ignore")  # LiteLLM's are not about us
@in_both_modes
def test_litellm_ends_in_the_same_results(mode: ActMode) -> None:
    """Its functions are clients like the others."""
    pytest.importorskip("litellm")
    if mode == "native":
        pytest.importorskip("mcp")  # which LiteLLM imports for tools
    with server_of(mode) as server:
        how = {"model": "openai/m", "api_key": "none", "api_base": server.url}
        complete, acomplete = litellm_completion(**how), litellm_acompletion(**how)
        result = act(complete, "Report 7", TOOLBOX, Report, mode=mode, max_wait=0.01)
        again = asyncio.run(aact(acomplete, "Report 7", TOOLBOX, Report, mode=mode, max_wait=0.01))
    assert (result.value.number, len(record(result)), result.usage) == (7, 3, USAGE + USAGE + USAGE)
    assert record(again) == record(result)


def assert_matched(kind: str, sent: dict[str, Any]) -> None:
    """Each native call has an id of its own and one result, as the providers demand it."""
    if kind == "chat":
        asked = [call["id"] for message in sent["messages"] for call in message.get("tool_calls") or ()]
        answered = [message["tool_call_id"] for message in sent["messages"] if message["role"] == "tool"]
    elif kind == "responses":
        asked = [item["call_id"] for item in sent["input"] if item.get("type") == "function_call"]
        answered = [item["call_id"] for item in sent["input"] if item.get("type") == "function_call_output"]
    else:
        blocks = [block for turn in sent["messages"] for block in turn["content"] if isinstance(block, dict)]
        asked = [block["id"] for block in blocks if block["type"] == "tool_use"]
        answered = [block["tool_use_id"] for block in blocks if block["type"] == "tool_result"]
    assert asked == answered
    assert len(set(asked)) == len(asked)


@every_client
@in_both_modes
def test_the_program_answers_and_the_conversation_goes_on(kind: str, mode: ActMode) -> None:
    """The protocols take the messages of `answered` back."""
    asked = (("Confirm", {"question": "sure?"}), ("count", {"of": "four"}))
    calls = "".join(f"<call tool='{name}'><{key}>{given[key]}</{key}></call>" for name, given in asked for key in given)
    first = Called(asked) if mode == "native" else Text(calls)

    def run(complete: Any) -> Any:
        pending = act(complete, "Report 7", TOOLBOX, Report, mode=mode)
        assert [call.arguments for call in pending.pending] == [Confirm(question="sure?")]
        return act(complete, pending.answered("yes"), TOOLBOX, Report, mode=mode)

    with chat_server([first, Text(REPORT.format(7))]) as server:
        result = with_client(kind, server.url, False, run)
    assert result.value.number == 7
    assert_matched(kind, server.requests[-1][1])


def test_an_empty_toolbox_sends_no_tools() -> None:
    """No server takes an empty list."""
    with chat_server([Text("Done.")]) as server:
        with_client("chat", server.url, False, lambda complete: act(complete, "Go.", Toolbox(), mode="native"))
        assert "tools" not in server.requests[-1][1]


@pytest.mark.parametrize("arguments", ['{"of": "four"}', {"of": "four"}, None])
def test_servers_that_give_no_json(arguments: Any) -> None:
    """Some give the arguments as an object, or nothing if there are none, and some no ids."""
    function = {"name": "count" if arguments else "look", "arguments": arguments}
    message = {"role": "assistant", "content": None, "tool_calls": [{"type": "function", "function": function}]}
    body = {"choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}]}

    def run(complete: Any) -> Any:
        return act(complete, "Report 7", TOOLBOX, mode="native")

    with chat_server([Page(json.dumps(body), "application/json"), Text("Done.")]) as server:
        result = with_client("chat", server.url, False, run)
    assert result.value == "Done."
    assert [text[:9] for _name, _given, text in record(result)] == ["4" if arguments else "not run: "]
    assert_matched("chat", server.requests[-1][1])
    (call,) = server.requests[-1][1]["messages"][-2]["tool_calls"]
    assert isinstance(call["function"]["arguments"], str)


def test_a_language_model_by_its_name() -> None:
    """The client that is made for it sends the tools too."""
    pytest.importorskip("openai")
    with server_of("native") as server:
        name = f"{server.url}/v1:m"
        result = act(name, "Report 7", TOOLBOX, Report, mode="native", api_key="none", max_wait=0.01)
    assert result.value.number == 7
    assert result.usage == Usage(300, 30, cached_tokens=30, reasoning_tokens=12)
