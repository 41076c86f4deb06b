"""Clients with tools, schemas and marks for a cache: the real SDKs against a server that speaks their protocols."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from structured_response import Completion
from structured_response.clients import anthropic_messages, openai_chat, openai_responses, record, replay
from structured_response.clients.protocols import answer_schema, is_strict
from structured_response.completion import ToolCall
from tests.chat_server import USAGE, ChatServer, Text, chat_server

openai = pytest.importorskip("openai")
anthropic = pytest.importorskip("anthropic")

PARAMETERS = {"type": "object", "properties": {"q": {"type": "string"}}, "required": ["q"]}
TOOLS = [{"name": "search", "description": "Looks things up.", "parameters": PARAMETERS}]
ASKED = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Who?"}]
CALL = {"id": "call_1", "type": "function", "function": {"name": "search", "arguments": '{"q": "lamps"}'}}
ANSWERED: list[dict[str, Any]] = [
    *ASKED,
    {"role": "assistant", "content": "Let me see.", "tool_calls": [CALL, {**CALL, "id": "call_2"}]},
    {"role": "tool", "tool_call_id": "call_1", "content": "None."},
    {"role": "tool", "tool_call_id": "call_2", "content": "Some."},
]

MAKERS: dict[str, tuple[Any, str, Any]] = {
    "chat": (openai, "OpenAI", openai_chat),
    "responses": (openai, "OpenAI", openai_responses),
    "messages": (anthropic, "Anthropic", anthropic_messages),
}
every_client = pytest.mark.parametrize("kind", MAKERS)

Change = Callable[[Any], Any]


def said(
    kind: str,
    server: ChatServer,
    messages: Any,
    change: Change = lambda complete: complete,
    *,
    is_async: bool = False,
    stream: bool = False,
) -> Completion:
    """The completion of a client, in any of the four ways to get it."""
    sdk, name, maker = MAKERS[kind]
    how = {"base_url": server.url, "api_key": "none", "max_retries": 0}

    async def run() -> Any:
        async with getattr(sdk, f"Async{name}")(**how) as client:
            complete = change(maker(client, model="m"))
            if not stream:
                return await complete(messages)
            text = complete.stream(messages)
            assert [piece async for piece in text] or text.completion.tool_calls
            return text.completion

    if is_async:
        return asyncio.run(run())  # type: ignore[no-any-return]
    with getattr(sdk, name)(**how) as client:
        complete = change(maker(client, model="m"))
        if not stream:
            return complete(messages)  # type: ignore[no-any-return]
        text = complete.stream(messages)
        assert list(text) or text.completion.tool_calls
        return text.completion  # type: ignore[no-any-return]


def with_tools(complete: Any) -> Any:
    """A client that offers the tools."""
    return complete.with_tools(TOOLS)


def with_cache(complete: Any) -> Any:
    """A client that marks what is to be cached."""
    marked = complete.with_cache()
    assert marked.cache_key == complete.cache_key
    return marked


@every_client
@pytest.mark.parametrize("is_async", [False, True])
@pytest.mark.parametrize("stream", [False, True])
def test_tools_are_sent_and_their_calls_come_back(kind: str, is_async: bool, stream: bool) -> None:
    """In each protocol, as a whole and as a stream, with the arguments as JSON; a client without tools sends none."""
    with chat_server([Text("", "tool"), Text("Hi")]) as server:
        completion = said(kind, server, ASKED, with_tools, is_async=is_async, stream=stream)
        assert said(kind, server, ASKED, is_async=is_async, stream=stream).tool_calls == ()
    (call,) = completion.tool_calls
    assert (call.name, call.arguments) == ("search", "{}")
    assert call.id in ("call_1", "toolu_1", "c")
    assert completion.usage == USAGE
    assert (
        sent(server, 0)["tools"]
        == {
            "chat": [{"type": "function", "function": TOOLS[0]}],
            "responses": [{"type": "function", "strict": False, **TOOLS[0]}],
            "messages": [{"name": "search", "description": "Looks things up.", "input_schema": PARAMETERS}],
        }[kind]
    )
    assert "tools" not in sent(server, 1)


def sent(server: ChatServer, number: int = -1) -> dict[str, Any]:
    """The body of a request."""
    return server.requests[number][1]


def test_results_of_tools_in_each_protocol() -> None:
    """Calls and results have OpenAI's form for the program; a client says them as its provider does."""
    with chat_server([Text("a"), Text("b"), Text("c")]) as server:
        for kind in MAKERS:
            said(kind, server, ANSWERED)
    assert sent(server, 0)["messages"] == ANSWERED
    function: Any = CALL["function"]
    assert sent(server, 1)["input"][2:] == [
        {"role": "assistant", "content": "Let me see."},
        {"type": "function_call", "call_id": "call_1", **function},
        {"type": "function_call", "call_id": "call_2", **function},
        {"type": "function_call_output", "call_id": "call_1", "output": "None."},
        {"type": "function_call_output", "call_id": "call_2", "output": "Some."},
    ]
    used = {"type": "tool_use", "name": "search", "input": {"q": "lamps"}}
    assert sent(server, 2)["messages"][1:] == [
        {
            "role": "assistant",
            "content": [
                {"type": "text", "text": "Let me see."},
                {**used, "id": "call_1"},
                {**used, "id": "call_2"},
            ],
        },
        {
            "role": "user",
            "content": [
                {"type": "tool_result", "tool_use_id": "call_1", "content": "None."},
                {"type": "tool_result", "tool_use_id": "call_2", "content": "Some."},
            ],
        },
    ]


@pytest.mark.parametrize("arguments", ["", "{", "[1]", "null"])
def test_arguments_that_are_no_object_are_shown_as_they_came(arguments: str) -> None:
    """Anthropic takes objects only, and another provider's language model may have written something else."""
    call = {**CALL, "function": {"name": "search", "arguments": arguments}}
    messages = [ASKED[1], {"role": "assistant", "content": None, "tool_calls": [call]}, ANSWERED[-1]]
    with chat_server([Text("a")]) as server:
        said("messages", server, messages)
    (used,) = sent(server)["messages"][1]["content"]
    assert used["input"] == {"arguments": arguments}


def test_calls_are_recorded(tmp_path: Any) -> None:
    """A recording has the calls of a client with tools, and replays them."""
    path = tmp_path / "calls.jsonl"
    with chat_server([Text("", "tool")]) as server:
        first = said("chat", server, ASKED, lambda complete: record(complete, path).with_tools(TOOLS))
    again: Any = replay(path)
    assert again.with_tools(TOOLS)(ASKED) == first
    stream = again.stream(ASKED)
    assert list(stream) == [] and stream.completion == first
    assert first.tool_calls == (ToolCall("call_1", "search", "{}"),)


LONG = {"role": "system", "content": "Be brief. " * 400}


def test_marks_for_the_cache_of_anthropic() -> None:
    """Behind what all calls share, and behind a conversation that goes on; none for a short beginning."""
    marked = {"type": "text", "text": "x" * 4000, "cache_control": {"type": "ephemeral"}}
    own = [{"role": "system", "content": [marked, {"type": "text", "text": "Be brief."}]}]
    asked = {"role": "user", "content": "Who?"}
    with chat_server([Text("a")] * 6) as server:
        said("messages", server, [LONG, asked])
        for messages in ([LONG, asked], [LONG, *ANSWERED[1:]], ASKED, [*own, asked]):
            said("messages", server, messages, with_cache)
        said("chat", server, [LONG, asked], with_cache)
    marks = [str(body).count("cache_control") for _path, body in server.requests]
    assert marks == [0, 1, 2, 0, 1, 0]
    assert sent(server, 1)["system"][-1]["cache_control"] == {"type": "ephemeral"}
    assert sent(server, 2)["messages"][-1]["content"][-1]["cache_control"] == {"type": "ephemeral"}


OPEN = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}


@pytest.mark.parametrize(
    ("schema", "strict"),
    [
        (OPEN, True),
        ({**OPEN, "required": []}, False),
        ({"type": "array", "items": OPEN}, True),
        ({**OPEN, "properties": {"a": {"type": "string", "maxLength": 3}}}, False),
        ({**OPEN, "properties": {"a": {"type": "string", "format": "binary"}}}, False),
        ({**OPEN, "properties": {"a": {"anyOf": [{"type": "string"}, {"type": "null"}]}}}, True),
        ({**OPEN, "properties": {"a": {"$ref": "#/$defs/A"}}, "$defs": {"A": OPEN}}, True),
        ({**OPEN, "properties": {"a": {"$ref": "#/$defs/A", "description": "x"}}, "$defs": {"A": OPEN}}, False),
        ({**OPEN, "properties": {"a": {"type": "object", "additionalProperties": {"type": "string"}}}}, False),
        ({**OPEN, "properties": {"a": {}}}, False),
        ({**OPEN, "properties": {"a": {"type": "array"}}}, True),
        ({"oneOf": [OPEN, OPEN]}, False),
        (OPEN | {"additionalProperties": True}, False),
    ],
)
def test_strict_mode_is_for_schemas_that_it_takes(schema: dict[str, Any], strict: bool) -> None:
    """Objects that leave it open are closed; what else the mode refuses is sent without it."""
    name, sent_schema = answer_schema("Näme of " + "x" * 80, schema)
    assert len(name) == 64 and name.startswith("N_me_of_x")
    assert sent_schema["type"] == "object"
    assert is_strict(sent_schema) is strict
