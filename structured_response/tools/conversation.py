"""The messages of `act`: the task with its tools, replies with calls, and the results of tools."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain, count

from ..completion import Completion, Message, texts_of
from ..escaping import attribute
from .calls import Call, walked
from .running import Outcome
from .source import Source, Tools
from .toolbox import Toolbox

_ANSWER = "Once you can answer, call no tool, and answer in the form that is asked for."

IN_FENCE = (
    "A call in a fence with text behind it does not run. If it was meant, write it again without the fence; "
    "otherwise answer again."
)
"""What the language model reads of a call that may have been meant."""

_FENCE = re.compile(r"(?:```|~~~)[\w+-]*[ \t]*\n\s*\Z")
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


def is_in_fence(reply: str, call: Call) -> bool:
    """Returns whether a call is the first in a fence."""
    start = call.span[0]
    return _FENCE.search(reply, max(0, start - _LONGEST_FENCE), start) is not None


_LONGEST_FENCE = 60
"""Characters of the line that opens a fence, and of the blanks behind it."""


def outside_answer(calls: Iterable[Call], reply: str, names: Iterable[str]) -> list[Call]:
    """Returns the calls that are not in the element of an answer: a field may hold the tags of a call, or have the name
    of a tool.
    """
    found = list(calls)
    opener = re.compile(rf"<(?:{'|'.join(map(re.escape, names))})(?=[\s>])")
    place, tag = 0, None
    for call in found:
        tag = tag or opener.search(reply, place, call.span[0])
        place = call.span[1]
    tag = tag or opener.search(reply, place)
    if tag is None:
        return found
    end = max(reply.rfind(f"</{name}>", tag.start()) for name in names)
    return [call for call in found if not tag.start() < call.span[0] < (len(reply) if end < 0 else end)]


def without_reasoning(text: str, toolbox: Toolbox) -> str:
    """Returns a text without the reasoning that it begins with, unless it has nothing else."""
    end = 0
    for start, stop in sorted(walked(Source(text, Tools(toolbox), len(text))).gone):
        if text[end:start].strip():
            break
        end = stop
    return text[end:].lstrip() or text if end else text


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


def with_ids(completion: Completion, messages: Iterable[Message]) -> Completion:
    """Returns a completion whose calls have ids that occur once in a conversation, since providers match results by
    them. Some servers give none, or the same again.
    """
    taken = {call.get("id") for message in messages for call in message.get("tool_calls") or ()}
    calls = []
    for call in completion.tool_calls:
        wanted = chain([call.id], (f"call_{number}" for number in count(1)))
        free = next(each for each in wanted if each and each not in taken)
        taken.add(free)
        calls.append(replace(call, id=free))
    return replace(completion, tool_calls=tuple(calls))
