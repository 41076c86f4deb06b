"""The native calls of OpenAI and Anthropic, out of messages as their SDKs and servers give them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import orjson
from pydantic import BaseModel

from ..completion import Completion
from .calls import Calls, HasTools, call_of


class Native(NamedTuple):
    """A native call, with its arguments as JSON."""

    id: str | None
    name: str
    arguments: str


def from_native(toolbox: HasTools, message: Any) -> Calls:
    """Reads the native calls of a message. See `Toolbox.from_native`."""
    if isinstance(message, Completion):
        called = tuple(call_of(toolbox, call.name, call.arguments, call_id=call.id) for call in message.tool_calls)
        return Calls(called, message.text, message.text)
    items = list(_items(_plain(message)))
    text = "".join(item for item in items if isinstance(item, str))
    calls = [call_of(toolbox, item.name, item.arguments, call_id=item.id) for item in items if isinstance(item, Native)]
    return Calls(calls=tuple(calls), text=text, reply=text)


def _plain(given: Any) -> Any:
    """Returns the objects of SDKs as what servers send."""
    if isinstance(given, BaseModel):
        return given.model_dump(warnings=False)
    return [_plain(item) for item in given] if isinstance(given, list | tuple) else given


def _items(given: Any) -> Iterator[str | Native]:
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


def _item(given: dict[str, Any]) -> Iterator[str | Native]:
    """Yields one part of a message, unless it is reasoning, or a tool that the provider runs by itself."""
    match given:
        case {"type": "text" | "output_text", "text": str(text)}:
            yield text
        case {"function": {"name": name, "arguments": arguments}}:  # OpenAI's chat
            yield Native(given.get("id"), name, _json(arguments))
        case {"type": "function_call", "name": name, "arguments": arguments}:  # OpenAI's responses
            yield Native(given.get("call_id"), name, _json(arguments))
        case {"type": "tool_use", "name": name, "input": arguments}:  # Anthropic's messages
            yield Native(given.get("id"), name, _json(arguments))


def _json(arguments: Any) -> str:
    """Returns arguments as JSON. Some servers of OpenAI's protocol give objects, or nothing if there are none."""
    return arguments if arguments and isinstance(arguments, str) else orjson.dumps(arguments or {}).decode()
