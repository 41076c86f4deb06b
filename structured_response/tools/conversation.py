"""The messages of `act`: the task with its tools, replies with calls, and the results of tools."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
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
