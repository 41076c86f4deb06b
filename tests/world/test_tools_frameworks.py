"""Tools of LangChain and pydantic-ai, and native calls, each as the real packages make them."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from datetime import date
from typing import Any

import pytest
from pydantic import BaseModel

from structured_response import DefinitionError
from structured_response.tools import Call, Calls, Toolbox


class Point(BaseModel):
    x: int


def one_call(tool: Any, arguments: dict[str, Any]) -> Call:
    """A call of the one tool."""
    toolbox = Toolbox(tool)
    (call,) = toolbox.from_native({"type": "tool_use", "name": next(iter(toolbox)).name, "input": arguments})
    return call


def results(call: Call) -> list[Any]:
    """What a call gives without and with an event loop."""
    return [call.run().value, asyncio.run(call.arun()).value]


def multiply(factor: int, point: Point, when: date = date(2026, 1, 2)) -> str:
    """Multiplies.

    Args:
        factor: The first.
        point: The second.
        when: The day.
    """
    return f"{factor * point.x} {when!r}"


async def amultiply(factor: int, point: Point, when: date = date(2026, 1, 2)) -> str:
    """Multiplies.

    Args:
        factor: The first.
        point: The second.
        when: The day.
    """
    return f"{factor * point.x} {when!r}"


GIVEN = {"factor": 2, "point": {"x": 3}, "when": "2026-05-06"}
MADE = "6 datetime.date(2026, 5, 6)"


@pytest.mark.parametrize("function", [multiply, amultiply])
def test_tools_of_langchain(function: Any) -> None:
    """A tool of LangChain keeps its name, its description and its types, and is called through LangChain."""
    tools = pytest.importorskip("langchain_core.tools")
    made = tools.tool(parse_docstring=True)(function)
    call = one_call(made, GIVEN)
    assert call.tool is not None
    assert (call.name, call.tool.description) == (function.__name__, "Multiplies.")
    assert call.tool.request.definition["factor"] == {"type": "int", "description": "The first."}
    assert results(call) == [MADE, MADE]


def test_tools_of_langchain_with_a_json_schema() -> None:
    """The arguments of a tool of LangChain may be described by a JSON Schema."""
    tools = pytest.importorskip("langchain_core.tools")
    schema = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}
    made = tools.StructuredTool.from_function(lambda a: a + 1, name="more", description="Adds.", args_schema=schema)
    assert results(one_call(made, {"a": 2})) == [3, 3]


@pytest.mark.parametrize("function", [multiply, amultiply])
def test_tools_of_pydantic_ai(function: Any) -> None:
    """A tool of pydantic-ai keeps its name, its description and its schema, and validates as pydantic-ai does."""
    pydantic_ai = pytest.importorskip("pydantic_ai")
    call = one_call(pydantic_ai.Tool(function, name="times"), GIVEN)
    assert call.tool is not None
    assert (call.name, call.tool.description) == ("times", "Multiplies.")
    assert call.tool.request.definition["factor"] == {"type": "int", "description": "The first."}
    assert results(call) == [MADE, MADE]


def test_tools_of_pydantic_ai_with_a_context() -> None:
    """A tool that takes pydantic-ai's own context is refused, with what to do."""
    pydantic_ai = pytest.importorskip("pydantic_ai")

    async def deep(ctx: Any, path: str) -> str:
        """Reads."""
        return path

    deep.__annotations__["ctx"] = pydantic_ai.RunContext[int]
    with pytest.raises(DefinitionError, match="deep: it takes pydantic-ai's RunContext"):
        Toolbox(pydantic_ai.Tool(deep))


def test_no_framework_is_imported() -> None:
    """A toolbox imports no framework, no SDK and no mcp."""
    heavy = ("langchain_core", "pydantic_ai", "mcp", "openai", "anthropic")
    program = f"""
import sys
from structured_response.tools import Toolbox

def ping() -> str:
    return "pong"

Toolbox(ping).to_openai()
print([name for name in {heavy} if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


# Native calls

TOOLS = Toolbox(multiply)
ARGUMENTS = json.dumps(GIVEN)


def openai_chat() -> Any:
    """A completion of OpenAI's chat protocol."""
    chat = pytest.importorskip("openai.types.chat")
    called = {"id": "c1", "type": "function", "function": {"name": "multiply", "arguments": ARGUMENTS}}
    message = {"role": "assistant", "content": "Let me see.", "tool_calls": [called]}
    return chat.ChatCompletion.model_validate(
        {
            "id": "1",
            "created": 1,
            "model": "m",
            "object": "chat.completion",
            "choices": [{"index": 0, "finish_reason": "tool_calls", "message": message}],
        }
    )


def openai_response() -> Any:
    """A response of OpenAI's protocol of that name, with reasoning in front."""
    responses = pytest.importorskip("openai.types.responses")
    text = {"type": "output_text", "text": "Let me see.", "annotations": []}
    return responses.Response.model_validate(
        {
            "id": "1",
            "created_at": 1,
            "model": "m",
            "object": "response",
            "parallel_tool_calls": True,
            "tool_choice": "auto",
            "tools": [],
            "output": [
                {"type": "reasoning", "id": "r1", "summary": []},
                {"type": "message", "id": "m1", "role": "assistant", "status": "completed", "content": [text]},
                {
                    "type": "function_call",
                    "id": "f1",
                    "call_id": "c1",
                    "name": "multiply",
                    "arguments": ARGUMENTS,
                    "status": "completed",
                },
            ],
        }
    )


def anthropic_message() -> Any:
    """A message of Anthropic."""
    types = pytest.importorskip("anthropic.types")
    return types.Message.model_validate(
        {
            "id": "1",
            "model": "m",
            "role": "assistant",
            "type": "message",
            "stop_reason": "tool_use",
            "usage": {"input_tokens": 1, "output_tokens": 1},
            "content": [
                {"type": "thinking", "thinking": "Hm.", "signature": ""},
                {"type": "text", "text": "Let me see."},
                {"type": "tool_use", "id": "c1", "name": "multiply", "input": GIVEN},
            ],
        }
    )


FORMS: dict[str, Any] = {
    "a completion": openai_chat,
    "a message": lambda: openai_chat().choices[0].message,
    "a message's data": lambda: openai_chat().choices[0].message.model_dump(exclude_none=True),
    "a completion's data": lambda: json.loads(openai_chat().model_dump_json()),
    "a response": openai_response,
    "a response's items": lambda: openai_response().output,
    "a response's data": lambda: json.loads(openai_response().model_dump_json()),
    "Anthropic's message": anthropic_message,
    "Anthropic's blocks": lambda: anthropic_message().content,
    "Anthropic's data": lambda: json.loads(anthropic_message().model_dump_json()),
}


@pytest.mark.parametrize("form", FORMS)
def test_native_calls_are_calls(form: str) -> None:
    """OpenAI's and Anthropic's objects, and their data, give the same calls, with their ids and the text around."""
    calls = TOOLS.from_native(FORMS[form]())
    assert isinstance(calls, Calls)
    (call,) = calls
    assert (call.name, call.id, call.problems, calls.text) == ("multiply", "c1", (), "Let me see.")
    assert vars(call.arguments) == {"factor": 2, "point": Point(x=3), "when": date(2026, 5, 6)}
    assert call.run().text == MADE


@pytest.mark.parametrize("arguments", [GIVEN, ARGUMENTS])
def test_native_arguments_of_other_servers(arguments: Any) -> None:
    """Some servers of OpenAI's protocol give the arguments as an object, and no type."""
    message = {"role": "assistant", "content": None, "tool_calls": [{"function": {"name": "multiply"}}]}
    message["tool_calls"][0]["function"]["arguments"] = arguments  # type: ignore[index]
    (call,) = TOOLS.from_native(message)
    assert call.run().text == MADE


def test_native_calls_may_have_problems() -> None:
    """An unknown tool and invalid arguments are problems of their calls, and the other calls are there."""
    calls = TOOLS.from_native(
        [
            {"type": "tool_use", "id": "1", "name": "divide", "input": {}},
            {"type": "tool_use", "id": "2", "name": "multiply", "input": {"factor": "many", "point": {"x": 1}}},
            {"type": "tool_use", "id": "3", "name": "multiply", "input": GIVEN},
        ]
    )
    assert [(call.id, bool(call.problems)) for call in calls] == [("1", True), ("2", True), ("3", False)]


@pytest.mark.parametrize("message", [None, 3, {"error": "overloaded"}, {1, 2}], ids=repr)
def test_what_is_no_message(message: Any) -> None:
    """Anything else is a type error that says what is needed."""
    with pytest.raises(TypeError, match="of OpenAI or Anthropic is needed"):
        TOOLS.from_native(message)
