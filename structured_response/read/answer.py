"""What reading gives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..findings import Problem, ProblemKind, Repair, Span

__all__ = ["MAX_REPLY", "Answer", "no_answer"]

MAX_REPLY = 64 * 1024 * 1024
"""Characters of one reply. The longest context windows hold a tenth of it; past it memory, not meaning, is at stake."""


@dataclass(slots=True)
class Answer:
    """What a reply says.

    `data` is typed by the definition, or a tree of texts where `is_typed` is false, which happens only to
    answers without a problem. `model` is the validated model, or None where there is none. An answer that
    is not `found` has no data at all. `truncated` is the path at which the reply broke off, or None.
    `is_tolerated`: its problems, if any, are such as the program accepts.
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
    """The answer of a reply that holds none."""
    return Answer(problems=[Problem(kind, "$", message, said, span=span)], found=False)
