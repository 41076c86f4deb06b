"""The texts of asking: the first messages, and a reply that was cut off with its continuation."""

from __future__ import annotations

import re
from collections.abc import Sequence
from string import Template
from typing import Any, Literal, TypeAlias

from ..completion import Completion, Message, messages_of, texts_of
from ..findings import Problem, ProblemKind, RepairKind
from ..options import Format
from ..response import StructuredResponse
from .templates import TEXTS

ANCHOR = 60  # characters at least that a continuation is asked to begin with
PROOF = 20  # characters, without blanks, that a continuation repeats on purpose if the reply has them only once
MAX_AGAIN = 2_000  # characters, without blanks, of the reply's end that are looked for in a continuation

_LEAD = re.compile(  # blank lines, a preface, and a fence
    r"(?:[ \t]*\n)*(?:(?![a-z])[^\W\d_][^\n<{\[]*\n(?:[ \t]*\n)*){0,3}(?:```\w* *\n)?"
)
_FENCE_END = re.compile(r"\n```\s*\Z")


Order: TypeAlias = Literal["ask", "cache"]
"""Where the prompt puts the form of the answer: "ask" at the end, "cache" into the system message, so that many tasks
begin alike and a provider's cache has their beginning."""

_SYSTEM = ("system", "developer")


def opening(
    asked: StructuredResponse[Any],
    prompt: str | Sequence[Message],
    form: Format,
    examples: Sequence[Any],
    order: Order = "ask",
    instruction: Template | None = None,
) -> list[Message]:
    """Returns the first messages: the user's own and the form of the answer, unless one of them has it."""
    messages = messages_of(prompt)
    bare = asked.to_prompt(form, examples=examples)
    if any(bare in text for text in texts_of(messages)):
        return messages
    if instruction is None:
        shape = asked.to_prompt(form, instructions=True, examples=examples)
    else:
        shape = instruction.substitute(form=bare)
    if order == "cache":
        if messages and messages[0]["role"] in _SYSTEM:
            return [_with(messages[0], shape), *messages[1:]]
        return [{"role": "system", "content": shape}, *messages]
    if messages and messages[-1]["role"] == "user":
        return [*messages[:-1], _with(messages[-1], shape)]
    return [*messages, {"role": "user", "content": shape}]


def _with(message: Message, shape: str) -> Message:
    """Returns a message with the form of the answer behind its own content."""
    content = message["content"]
    whole = f"{content}\n\n{shape}" if isinstance(content, str) else [*content, {"type": "text", "text": shape}]
    return {**message, "content": whole}


def to_continue(text: str, template: Template = Template(TEXTS["cut_off"])) -> str:  # noqa: B008 - it never changes
    """Returns the message that asks a language model to continue a reply that was cut off."""
    return template.substitute(end=_anchor(text))


def breaks(completion: Completion, answer: StructuredResponse[Any], text: str, form: Format | None) -> list[Problem]:
    """Returns the problem of an answer that may be incomplete, if the provider says that its reply was cut off."""
    if not completion.is_cut_off or answer.truncated is not None:
        return []
    said = text.rstrip()
    read = [repair.before for repair in answer.repairs if repair.kind is RepairKind.FORMAT_READ and repair.path == "$"]
    if (read or [(form or "xml").upper()])[0] == "YAML":  # which has no end of its own
        is_open = not said.endswith("```")
    else:
        is_open = any(repair.span[0] >= len(said) for repair in answer.repairs)
    return [Problem(ProblemKind.TRUNCATED, "$", "the reply breaks off here")] if is_open else []


def refused(completion: Completion, problems: Sequence[Problem]) -> list[Problem]:
    """Returns the problems of a reply without an answer. The provider's reason comes first, if it gives one."""
    if completion.refusal is None:
        return list(problems)
    reason = Problem(ProblemKind.REFUSAL, "$", completion.refusal, completion.finish_reason)
    return [reason, *(each for each in problems if each.kind not in (ProblemKind.NO_ANSWER, ProblemKind.REFUSAL))]


def joins(text: str, more: str) -> tuple[list[str], bool]:
    """Returns the texts that a cut-off reply and its continuation may make, and whether the first is probably right.

    It is one text if the continuation begins with the characters that were asked for, or with the whole reply.
    """
    if not text.strip():
        return [more], True
    said, asked = _squeezed(text), _squeezed(_anchor(text))
    head = (_squeezed(_led(text)) or said)[: 2 * PROOF]
    probable: list[str] = []
    possible: list[str] = []
    for body in (more, _led(more), more.lstrip()):
        again = _squeezed(body)
        if len(head) >= PROOF and again.startswith(head) and said.find(head) == said.rfind(head):
            return [body], True
        sizes = range(1, min(len(said), len(again), MAX_AGAIN) + 1)
        repeated = [size for size in sizes if said.endswith(again[:size])]
        if len(asked) in repeated and _is_unique(said, len(asked)):
            return [_without(text, body, len(asked))], True
        possible.append(text + body)
        if again.startswith(head):
            possible.append(body)
        for size in {*repeated[:1], *repeated[-1:]}:
            (probable if _is_unique(said, size) else possible).append(_without(text, body, size))
    if not (text[-1:].isspace() or more[:1].isspace()):
        possible.append(f"{text} {more}")  # many programs strip replies
    return list(dict.fromkeys([*probable, *possible])), bool(probable)


def _anchor(text: str) -> str:
    """Returns the end of the text, which a continuation repeats: from a word on, and so long that it is unique."""
    said, ended, size = _squeezed(text), text.rstrip(), ANCHOR
    while True:
        end = ended[-size:].lstrip()
        words = (end.split(maxsplit=1) or [""])[-1]
        anchor = words if len(words) >= size // 2 else end
        if size >= MAX_AGAIN or _is_unique(said, len(_squeezed(anchor))):
            return anchor
        size *= 2


def _is_unique(said: str, size: int) -> bool:
    """Returns whether the last characters of a text are enough to recognize, and not a pattern that may go on."""
    return size >= PROOF and said.find(said[-(size // 2) :]) == len(said) - size // 2


def _without(text: str, body: str, size: int) -> str:
    """Joins a text and its continuation, without the characters that are repeated. Blanks do not count."""
    repeated = re.match(rf"(?:\s*\S){{{size}}}", body)
    assert repeated is not None
    return text.rstrip() + body[repeated.end() :]


def _led(text: str) -> str:
    """Returns a text without its preface and without the fence around it."""
    lead = _LEAD.match(text)
    assert lead is not None
    rest = text[lead.end() :]
    return _FENCE_END.sub("", rest) if "```" in lead[0] else rest


def _squeezed(text: str) -> str:
    return "".join(text.split())
