"""The texts of asking: the first messages, and a reply that was cut off with its continuation."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from ..completion import Message, messages_of
from ..options import Format
from ..response import StructuredResponse

_CUT_OFF = (
    "Your reply was cut off. Go on with it from there, without starting anew. Begin with its last characters, "
    "which are these:\n{anchor}"
)

MIN_AGAIN = 20  # characters from which a repeated element counts as a repetition: `<li>5</li>` may come twice in a row
MIN_OVERLAP = 8  # characters from which a repeated value or line counts as a repetition
MAX_ANCHOR = 60  # characters of a reply by which its continuation is joined to it: too many to recur by chance

_TAG = re.compile(r"<[^\s<>/!?][^<>]*>")
_OPEN = re.compile(r"<[^\s<>/!?][^<>]*>([^<]*)\Z")  # the element that was being written, with its text so far
_MARKUP = re.compile(r'[<{\["]')
_FINISHED = (">", ",", "}", "]")


def opening(
    asked: StructuredResponse[Any], prompt: str | Sequence[Message], form: Format, examples: Sequence[Any]
) -> list[Message]:
    """The first messages: the user's own, with the form of the answer at the end, unless it is in one of them."""
    messages = messages_of(prompt)
    bare = asked.to_prompt(form, examples=examples)
    if any(isinstance(message.get("content"), str) and bare in message["content"] for message in messages):
        return messages
    shape = asked.to_prompt(form, instructions=True, examples=examples)
    if not messages or messages[-1]["role"] != "user":
        return [*messages, {"role": "user", "content": shape}]
    *before, last = messages
    content = last["content"]
    whole = f"{content}\n\n{shape}" if isinstance(content, str) else [*content, {"type": "text", "text": shape}]
    return [*before, {**last, "content": whole}]


def to_continue(text: str) -> str:
    """The message that asks a language model to go on with a reply that was cut off."""
    return _CUT_OFF.format(anchor=_anchor(text))


def joined(text: str, more: str) -> str:
    """A reply that was cut off and its continuation as one text.

    What the continuation repeats is in it once: the whole reply, its last characters, its last elements, or the value
    or the line that was being written, with prose before it or without.
    """
    ended = text.rstrip()
    head = text.lstrip()[:MAX_ANCHOR]
    if not head or more.lstrip().startswith(head):
        return more
    for end in _ends(text):
        again = re.compile(r"\s+".join(map(re.escape, end.split()))).search(more)
        before = "" if again is None else more[: again.start()]
        is_prose = not before.strip() or (len(end) >= MIN_AGAIN and _MARKUP.search(before) is None)
        if again is not None and is_prose:
            return ended[: -len(end)] + more[again.start() :]
    return text + more


def _ends(text: str) -> Iterator[str]:
    """The ends of the text that a continuation may begin with. Short elements and lines may recur by chance."""
    ended = text.rstrip()
    yield _anchor(text)
    opened = _OPEN.search(ended)
    if opened is not None:
        yield opened[0]
    tags = _TAG.finditer(ended, max(0, len(ended) - 4 * MAX_ANCHOR))
    elements = [ended[tag.start() :] for tag in tags]
    if elements and not ended[: -len(elements[-1])].rstrip().endswith(elements[-1]):  # the last two are not the same
        yield from (end for end in elements if len(end) >= MIN_AGAIN)
    line = "" if ended.endswith(_FINISHED) or "\n" in text[len(ended) :] else ended.rpartition("\n")[2]
    yield from (end for end in (opened[1] if opened else "", line) if len(end) >= MIN_OVERLAP)


def _anchor(text: str) -> str:
    """The end of the text by which it is found again: from a tag on if it has one, or else from a word on."""
    end = text.rstrip()[-MAX_ANCHOR:].lstrip()
    tag = _TAG.search(end)
    start = tag.start() if tag is not None else end.find(" ") + 1
    return end[start:].lstrip() if len(end) - start >= MIN_AGAIN else end
