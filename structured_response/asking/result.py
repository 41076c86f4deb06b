"""What asking gives: the answer, and a record of each attempt at it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, TypeVar

from ..completion import Message, Usage
from ..findings import Problem, Repair
from ..response import StructuredResponse

__all__ = ["AskResult", "Attempt", "usage_of"]

ModelT = TypeVar("ModelT")


@dataclass(frozen=True, slots=True)
class Attempt:
    """One call of a language model, and what came of it.

    `messages` is all that was sent, `prompt` the last of them. `problems` and `repairs` are those
    of the answer as it is after this attempt. `seconds` is how long it took. An attempt is `cached` if nothing was
    called for it: its reply came from a cache, or from an identical call in flight. Its usage is nil.
    """

    number: int
    messages: tuple[Message, ...]
    reply: str
    finish_reason: str | None
    problems: tuple[Problem, ...]
    repairs: tuple[Repair, ...]
    usage: Usage
    seconds: float
    cached: bool

    @property
    def prompt(self) -> Any:
        """The content of the last message that was sent."""
        return self.messages[-1]["content"]

    def __str__(self) -> str:
        """Numbers and places, no content: it stands in logs and in notes of exceptions."""
        wrong = ", ".join(f"{problem.path} {problem.kind}" for problem in self.problems[:5])
        more = f" and {len(self.problems) - 5} more" if len(self.problems) > 5 else ""
        tokens = self.usage.input_tokens + self.usage.output_tokens
        return f"attempt {self.number}: {self.seconds:.2f} s, {tokens} tokens, {wrong or 'nothing'}{more} wrong"


def usage_of(attempts: Sequence[Attempt]) -> Usage:
    """The tokens of all attempts together."""
    return sum((attempt.usage for attempt in attempts), Usage())


@dataclass(frozen=True)
class AskResult(Generic[ModelT]):
    """The answer to what was asked: `value` is the model, `response` the response it was read into."""

    response: StructuredResponse[ModelT]
    attempts: tuple[Attempt, ...]
    context: Any = None

    @cached_property
    def value(self) -> ModelT:
        """The validated model. Raises `InstanceError` where `strict=False` let through what is none."""
        return self.response.to_basemodel(context=self.context)

    @property
    def usage(self) -> Usage:
        """The tokens of all attempts together."""
        return usage_of(self.attempts)
