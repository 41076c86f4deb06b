"""The native calls of OpenAI and Anthropic, out of messages as their SDKs and servers give them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import orjson
from pydantic import BaseModel

from ..completion import Completion, ToolCall
from .calls import Calls, call_of
from .source import Tools
from .tool import Tool


def from_native(toolbox: Iterable[Tool], message: Any) -> Calls:
    """Reads the native calls of a message. See `Toolbox.from_native`."""
    is_read = isinstance(message, Completion)
    items = [message.text, *message.tool_calls] if is_read else list(_items(_plain(message)))
    text, tools = "".join(item for item in items if isinstance(item, str)), Tools(toolbox)
    return Calls(tuple(call_of(tools, item) for item in items if isinstance(item, ToolCall)), text, text)


def _plain(given: Any) -> Any:
    """Returns the objects of SDKs as what servers send."""
    if isinstance(given, BaseModel):
        return given.model_dump(warnings=False)
    return [_plain(item) for item in given] if isinstance(given, list | tuple) else given


def _items(given: Any) -> Iterator[str | ToolCall]:
    """Yields the texts and the calls of a message, or of what holds one, in order."""
    match given:
        case str():
            yield given
        case list():
            for item in given:
                yield from _items(item)
        case {"choices": [{"message": message}, *_]}:  # OpenAI's chat
            yield from _items(message)
        case {"output": list(items)}:  # OpenAI's responses
            yield from _items(items)
        case {"role": "assistant"}:
            yield from _items(given.get("content") or [])
            yield from _items(given.get("tool_calls") or [])
        case {"type": str()} | {"function": {}}:
            yield from _item(given)
        case _:
            shown = f"{type(given).__name__} {given!r}"[:200]
            raise TypeError(f"a message, a completion or a list of blocks of OpenAI or Anthropic is needed: {shown}")


def _item(given: dict[str, Any]) -> Iterator[str | ToolCall]:
    """Yields one part of a message, unless it is reasoning, or a tool that the provider runs by itself."""
    match given:
        case {"type": "text" | "output_text", "text": str(text)}:
            yield text
        case (
            {"function": {"name": name, "arguments": arguments}}  # OpenAI's chat
            | {"type": "function_call", "name": name, "arguments": arguments}  # OpenAI's responses
            | {"type": "tool_use", "name": name, "input": arguments}  # Anthropic's messages
        ):
            yield ToolCall(given.get("call_id") or given.get("id") or "", name, _json(arguments))


def _json(arguments: Any) -> str:
    """Returns arguments as JSON. Some servers of OpenAI's protocol give objects, or nothing if there are none."""
    return arguments if arguments and isinstance(arguments, str) else orjson.dumps(arguments or {}).decode()
