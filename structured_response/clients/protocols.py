"""The protocols of providers: messages as requests, replies as completions, tools and schemas as parameters.

Messages have the form of OpenAI's chat, in which a call of a tool and its result are messages too.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from pydantic import BaseModel

from ..completion import Completion, Message, ToolCall
from ..definition import snake_case
from ..errors import ReplyError
from ..findings import Problem, ProblemKind
from ..read.refusals import html_page
from .events import (
    ANTHROPIC,
    CALLS,
    OPENAI_CHAT,
    OPENAI_RESPONSES,
    read_anthropic,
    read_openai,
    reason_of,
    refusal_of,
    usage_of,
)

Params = Mapping[str, Any]

_SHOWN = 200  # characters that an error shows of what a server sent

_CACHED = 3_000
"""Characters of a beginning from which on it is marked: Anthropic caches no less than 1,024 tokens."""

_STRICT = frozenset(
    {
        *("type", "properties", "required", "additionalProperties", "items", "anyOf", "enum", "const", "$ref", "$defs"),
        *("title", "description", "pattern", "format", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"),
        *("multipleOf", "minItems", "maxItems"),
    }
)
"""The keywords of JSON Schema that OpenAI's strict mode takes."""

_STRICT_FORMATS = frozenset({"date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"})


@dataclass(frozen=True)
class Protocol:
    """A provider's way to say what messages, completions, tools and schemas say."""

    request: Callable[[Params, Sequence[Message], bool], dict[str, Any]]
    completion: Callable[[Any], Completion]
    read: Callable[[Any, Any], str]
    tools: Callable[[Sequence[Mapping[str, Any]]], list[dict[str, Any]]]
    schema: Callable[[Params, str, dict[str, Any]], dict[str, Any]]
    streaming: Params = field(default_factory=dict)


# Schemas


def answer_schema(class_name: str, schema: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """Returns the name and the JSON Schema of an answer for a provider, which takes only objects, closed ones best."""
    bare = {name: value for name, value in schema.items() if name not in ("$schema", "$defs")}
    if bare.get("type") != "object":
        bare = {"type": "object", "properties": {snake_case(class_name): bare}, "required": [snake_case(class_name)]}
    whole = bare | ({"$defs": schema["$defs"]} if "$defs" in schema else {})
    return re.sub(r"[^a-zA-Z0-9_-]", "_", class_name)[:64], _closed(whole)


def _closed(schema: Any) -> Any:
    """Returns the schema with closed objects, unless it says otherwise: other fields would be thrown away."""
    if isinstance(schema, list):
        return list(map(_closed, schema))
    if not isinstance(schema, Mapping):
        return schema
    closed = {name: value if name in ("enum", "const", "default") else _closed(value) for name, value in schema.items()}
    return {"additionalProperties": False, **closed} if isinstance(schema.get("properties"), Mapping) else closed


def is_strict(schema: Any) -> bool:
    """Returns whether a schema is in OpenAI's strict subset: each object is closed, and each field required."""
    if not isinstance(schema, Mapping):
        return False
    fields, more = schema.get("properties"), schema.get("additionalProperties")
    inner = [*(fields or {}).values(), *schema.get("$defs", {}).values(), *schema.get("anyOf", ())]
    inner += [schema["items"]] if "items" in schema else []
    return (
        schema.keys() <= _STRICT
        and ("$ref" not in schema or len(schema) == 1)
        and any(name in schema for name in ("type", "$ref", "anyOf", "enum", "const"))
        and schema.get("format", "date") in _STRICT_FORMATS
        and (schema.get("type") != "object" or (isinstance(fields, Mapping) and more is False))
        and set(fields or ()) == set(schema.get("required", ()))
        and all(map(is_strict, inner))
    )


# OpenAI's chat


def chat_completion(given: Any) -> Completion:
    """Returns the first choice, or its refusal if it has no content. The SDK passes on an error page as its text."""
    if not isinstance(getattr(given, "choices", None), list):
        raise _no_completion(given)
    usage = usage_of(given.usage, OPENAI_CHAT)
    if not given.choices:
        return Completion("", None, usage)
    choice = given.choices[0]
    refusal = refusal_of(choice.message)
    if refusal and not choice.message.content:
        return Completion(refusal, "refusal", usage)  # the protocol says "stop"
    calls = [each for each in choice.message.tool_calls or () if getattr(each, "function", None)]
    called = []
    for each in calls:  # some servers give arguments as an object, or nothing if there are none
        given = each.function.arguments
        arguments = given if isinstance(given, str) else json.dumps(given or {})
        called.append(ToolCall(each.id, each.function.name or "", arguments))
    return Completion(choice.message.content or "", choice.finish_reason, usage, tuple(called))


def _chat_schema(params: Params, name: str, schema: dict[str, Any]) -> dict[str, Any]:
    told = {"name": name, "schema": schema, "strict": is_strict(schema)}
    return {"response_format": {"type": "json_schema", "json_schema": told}}


def _no_completion(given: Any) -> ReplyError:
    """Returns the error for what a server sent in place of a completion, such as the error page of a proxy."""
    is_data = isinstance(given, BaseModel)
    text = given.model_dump_json(exclude_none=True, warnings=False) if is_data else str(given)
    sent = html_page(text) or repr(text[:_SHOWN])
    message = f"the server sent no completion but {sent}; check any proxy and base_url, often .../v1"
    return ReplyError([Problem(ProblemKind.NO_ANSWER, "$", message)], text)


CHAT = Protocol(
    lambda _params, messages, _caches: {"messages": list(messages)},
    chat_completion,
    read_openai,
    lambda tools: [{"type": "function", "function": dict(tool)} for tool in tools],
    _chat_schema,
    {"stream_options": {"include_usage": True}},
)


# OpenAI's responses


def responses_request(messages: Sequence[Message]) -> dict[str, Any]:
    return {"input": [item for message in messages for item in _items(message)]}


def _items(message: Message) -> list[dict[str, Any]]:
    """Returns a message, whose texts are named by their direction, and its calls of tools, which are separate items."""
    if message["role"] == "tool":
        return [{"type": "function_call_output", "call_id": message["tool_call_id"], "output": message["content"]}]
    said = {name: value for name, value in message.items() if name != "tool_calls"}
    if isinstance(said.get("content"), list):
        kind = "output_text" if said["role"] == "assistant" else "input_text"
        said["content"] = [{**part, "type": kind} if part.get("type") == "text" else part for part in said["content"]]
    calls = [
        {"type": "function_call", "call_id": call["id"], **call["function"]} for call in message.get("tool_calls") or ()
    ]
    return [*([said] if said.get("content") else []), *calls]


def response_completion(given: Any) -> Completion:
    if not isinstance(getattr(given, "output", None), list):
        raise _no_completion(given)
    usage = usage_of(given.usage, OPENAI_RESPONSES)
    parts = [part for item in given.output if item.type == "message" for part in item.content]
    text = "".join(part.text for part in parts if part.type == "output_text")
    refusal = "".join(part.refusal for part in parts if part.type == "refusal")
    if refusal and not text:
        return Completion(refusal, "refusal", usage)
    called = tuple(ToolCall(item.call_id, item.name, item.arguments) for item in given.output if item.type in CALLS)
    return Completion(text, reason_of(given), usage, called)


def _text_schema(params: Params, name: str, schema: dict[str, Any]) -> dict[str, Any]:
    told = {"type": "json_schema", "name": name, "schema": schema, "strict": is_strict(schema)}
    return {"text": {**params.get("text", {}), "format": told}}


RESPONSES = Protocol(
    lambda _params, messages, _caches: responses_request(messages),
    response_completion,
    read_openai,
    lambda tools: [{"type": "function", "strict": False, **tool} for tool in tools],
    _text_schema,
)


# Anthropic's messages


def anthropic_request(params: Params, messages: Sequence[Message], caches: bool = False) -> dict[str, Any]:
    """Returns the messages, and one `system` of all: a text, or blocks if any has blocks, marked for `caches`."""
    spoken = [message for message in messages if message["role"] != "system"]
    parts = [params["system"]] if params.get("system") else []
    parts += [message["content"] for message in messages if message["role"] == "system"]
    request: dict[str, Any] = {"messages": _turns(spoken)}
    if parts and all(isinstance(part, str) for part in parts):
        request["system"] = "\n\n".join(parts)
    elif parts:
        request["system"] = [block for part in parts for block in _blocks(part)]
    return _marked(request, params.get("tools", ())) if caches else request


def _turns(messages: Sequence[Message]) -> list[dict[str, Any]]:
    """Returns the messages, with calls of tools as blocks. Results in a row become one message of the user."""
    turns: list[dict[str, Any]] = []
    for are_results, group in groupby(messages, lambda message: message["role"] == "tool"):
        if are_results:
            turns.append({"role": "user", "content": list(map(_result, group))})
        else:
            turns += [_turn(message) for message in group]
    return turns


def _turn(message: Message) -> dict[str, Any]:
    calls = message.get("tool_calls") or ()
    if not calls:
        return dict(message)
    used = [
        {"type": "tool_use", "id": call["id"], "name": call["function"]["name"], "input": _input(call["function"])}
        for call in calls
    ]
    return {"role": message["role"], "content": [*_blocks(message.get("content")), *used]}


def _result(message: Message) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": message["tool_call_id"], "content": message["content"]}


def _input(function: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the arguments of a call as an object, which the protocol wants; other texts become a field of one."""
    with suppress(ValueError):
        read = json.loads(function["arguments"])
        if isinstance(read, dict):
            return read
    return {"arguments": function["arguments"]}


def _blocks(content: Any) -> list[Any]:
    return ([{"type": "text", "text": content}] if content else []) if isinstance(content, str | None) else content


def _marked(request: dict[str, Any], tools: Sequence[Any]) -> dict[str, Any]:
    """Marks a request for the provider's cache, unless it has marks: behind the tools and the system message,
    which all calls share, and behind the last message of a conversation, since the next call repeats it.
    """
    system, turns = _blocks(request.get("system")), request["messages"]
    said = [block for turn in turns for block in _blocks(turn["content"])]
    if any("cache_control" in block for block in [*system, *said]):
        return request
    shared = len(json.dumps([*tools, *system], default=str))
    if system and shared >= _CACHED:
        request["system"] = [*system[:-1], _with_mark(system[-1])]
    if len(turns) > 1 and shared + len(json.dumps(said, default=str)) >= _CACHED:
        *before, last = _blocks(turns[-1]["content"])
        request["messages"] = [*turns[:-1], {**turns[-1], "content": [*before, _with_mark(last)]}]
    return request


def _with_mark(block: Mapping[str, Any]) -> dict[str, Any]:
    return {**block, "cache_control": {"type": "ephemeral"}}


def message_completion(given: Any) -> Completion:
    if not isinstance(getattr(given, "content", None), list):
        raise _no_completion(given)
    text = "".join(block.text for block in given.content if block.type == "text")
    used = [block for block in given.content if block.type == "tool_use"]
    called = tuple(ToolCall(block.id, block.name, json.dumps(block.input)) for block in used)
    return Completion(text, given.stop_reason, usage_of(given.usage, ANTHROPIC), called)


def _forced_tool(params: Params, name: str, schema: dict[str, Any]) -> dict[str, Any]:
    tool = {"name": name, "description": "The answer.", "input_schema": schema}
    return {"tools": [tool], "tool_choice": {"type": "tool", "name": name}}


MESSAGES = Protocol(
    anthropic_request,
    message_completion,
    read_anthropic,
    lambda tools: [
        {"input_schema": tool["parameters"], **{name: tool[name] for name in tool if name != "parameters"}}
        for tool in tools
    ],
    _forced_tool,
)
