"""The messages of `act`: the task with its tools, replies with calls, and the results of tools."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from html import unescape
from itertools import count

from ..completion import Completion, Message, texts_of
from ..escaping import attribute
from .calls import Call
from .running import Outcome
from .toolbox import Toolbox

_ANSWER = "Once you can answer, call no tool, and answer in the form that is asked for."

_MARK = re.compile(r"<(?=\s*/?\s*result)", re.IGNORECASE)


def opening(task: Sequence[Message], toolbox: Toolbox, is_native: bool, is_text: bool) -> list[Message]:
    """Returns the task, with the tools in its system message, unless they are in one of its messages."""
    parts = [] if is_native or not len(toolbox) else [toolbox.to_prompt()]
    parts += [] if is_text or not len(toolbox) else [_ANSWER]
    shown = "\n\n".join(parts)
    if not shown or any(shown in text for text in texts_of(task)):
        return [*task]
    first, *others = task or [{"role": "none"}]
    if first["role"] not in ("system", "developer"):
        return [{"role": "system", "content": shown}, *task]
    content = first["content"]
    whole = f"{content}\n\n{shown}" if isinstance(content, str) else [*content, {"type": "text", "text": shown}]
    return [{**first, "content": whole}, *others]


def said(completion: Completion) -> Message:
    """Returns a reply with calls as a message."""
    if not completion.tool_calls:
        return {"role": "assistant", "content": completion.text}
    calls = [
        {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
        for call in completion.tool_calls
    ]
    return {"role": "assistant", "content": completion.text or None, "tool_calls": calls}


def results_of(ended: Sequence[tuple[Call, Outcome]], is_native: bool) -> list[Message]:
    """Returns the results of calls as messages. None of them can end its own element, or begin another."""
    if is_native:
        return [{"role": "tool", "tool_call_id": call.id, "content": outcome.text} for call, outcome in ended]
    texts = [
        f"<result tool={attribute(call.name)} status='{'error' if outcome.error else 'ok'}'>\n"
        f"{_MARK.sub('&lt;', outcome.text)}\n</result>"
        for call, outcome in ended
    ]
    return [{"role": "user", "content": "\n".join(texts)}]


class Ids:
    """The ids of native calls, by which providers match results: each stands once in a conversation."""

    def __init__(self, messages: Sequence[Message]) -> None:
        self._taken = {call.get("id") for message in messages for call in message.get("tool_calls") or ()}

    def told(self, completion: Completion) -> Completion:
        """Returns a completion whose calls have ids of their own. Some servers give none, or the same again."""
        calls = tuple(replace(call, id=self._free(call.id)) for call in completion.tool_calls)
        return replace(completion, tool_calls=calls)

    def _free(self, wanted: str | None) -> str:
        free = wanted
        numbers = count(1)
        while not free or free in self._taken:
            free = f"call_{next(numbers)}"
        self._taken.add(free)
        return free


class Quotations:
    """The calls in the results of tools. A reply that makes one of them may only repeat it."""

    def __init__(self, toolbox: Toolbox, messages: Sequence[Message]) -> None:
        self._toolbox = toolbox
        self._texts: list[str] = []
        self._calls: set[str] = set()
        for message in messages:
            for text in texts_of([message]):
                if message["role"] == "tool" or (message["role"] == "user" and text.startswith("<result ")):
                    self.add(text)

    def add(self, result: str) -> None:
        """Looks for calls in a result, as it is and without escapes."""
        for text in {result, unescape(result), _unescaped(result)}:
            self._texts.append(text)
            calls = self._toolbox.parse(text)
            self._calls |= {_identity(call) for call in (*calls, *calls.quoted)}

    def marked(self, call: Call, written: str | None = None) -> Call:
        """Returns a call with whether a result has it: in other words, or as it is written, if that has its name."""
        is_quoted = _identity(call) in self._calls or any(written in text for text in self._texts if written)
        return replace(call, is_quoted=True) if is_quoted else call


_ESCAPE = re.compile(r'\\(["\\/nt])')
_ESCAPED = {"n": "\n", "t": "\t"}


def _unescaped(text: str) -> str:
    """Returns a text without the escapes of JSON, which results have that are no texts."""
    return _ESCAPE.sub(lambda match: _ESCAPED.get(match[1], match[1]), text)


def _identity(call: Call) -> str:
    return f"{call.name} {json.dumps(call.instance and call.instance.to_dict(), sort_keys=True, default=str)}"
