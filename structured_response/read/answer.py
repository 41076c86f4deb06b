"""The result of reading a reply."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..findings import Problem, ProblemKind, Repair, Span

MAX_REPLY = 64 * 1024 * 1024
"""Characters of one reply. The longest context windows hold a tenth of it; a longer one only costs memory."""


@dataclass(slots=True)
class Answer:
    """The answer of a reply.

    Attributes:
        data: The data, typed by the definition unless `is_typed` is false.
        is_typed: False for a tree of texts, which only answers without problems have.
        model: The validated model, or None.
        repairs: The repairs of the reply.
        problems: The problems of the reply.
        found: Whether the reply has an answer. Without one there is no data.
        truncated: The path at which the reply breaks off, or None.
        is_tolerated: Whether the program accepts all of its problems.
    """

    data: Any = None
    is_typed: bool = True
    model: Any = None
    repairs: Sequence[Repair] = ()
    problems: Sequence[Problem] = ()
    found: bool = True
    truncated: str | None = None
    is_tolerated: bool = False


def no_answer(kind: ProblemKind, message: str, span: Span | None = None, said: str | None = None) -> Answer:
    return Answer(problems=[Problem(kind, "$", message, said, span=span)], found=False)
