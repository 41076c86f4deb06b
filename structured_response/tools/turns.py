"""The turns of `act`, with the calls of each and what came of them, and its result."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from ..asking.result import Attempt, Result
from ..completion import Message
from .calls import Call
from .conversation import results_of
from .policy import Verdict
from .results import result_text
from .running import Outcome

if TYPE_CHECKING:
    from ..explain import Explanation

AnswerT = TypeVar("AnswerT")


@dataclass(frozen=True)
class CallResult:
    """A call and what came of it. Pickled, it has no tool and no value: these are objects of the program.

    Attributes:
        call: The call.
        verdict: What the policy said, and then `approve`: "allow" or "deny". "deny" for a call that cannot run.
        outcome: What the tool returned, or why it did not run. None if the program is to answer the call.
    """

    call: Call
    verdict: Verdict
    outcome: Outcome | None = None

    def __reduce__(self) -> Any:
        outcome = None if self.outcome is None else replace(self.outcome, value=None)
        return CallResult, (replace(self.call, tool=None), self.verdict, outcome)


@dataclass(frozen=True)
class Turn:
    """A reply of the language model, and its calls.

    Attributes:
        attempt: The call of the language model: its messages, its reply, its tokens.
        results: The calls of tools, in the order of the reply, with what came of them.
    """

    attempt: Attempt
    results: tuple[CallResult, ...] = ()


@dataclass(frozen=True)
class ActResult(Result[AnswerT]):
    """What `act` came to.

    Attributes:
        response: The response that holds the answer. None if there is none yet, or if it is a text.
        attempts: The call of the language model of each turn.
        turns: Every turn.
        messages: The conversation, the last reply included.
        text: The text of the answer; one that was cut off, with its continuation.
    """

    turns: tuple[Turn, ...]
    messages: tuple[Message, ...]
    text: str = ""

    @cached_property
    def value(self) -> AnswerT:
        """The validated answer, or its text if no form was asked for.

        Raises:
            ValueError: There are calls to answer first.
        """
        if self.pending:
            raise ValueError(f"there is no answer yet; {self.pending[0].name} is to be answered first")
        value: Any = self.text if self.response is None else self.response.to_basemodel()
        found: AnswerT = value
        return found

    @property
    def pending(self) -> tuple[Call, ...]:
        """The calls of tools without a function, which the program is to answer; see `answered`."""
        return tuple(each.call for each in self.turns[-1].results if each.outcome is None)

    def answered(self, *results: Any) -> list[Message]:
        """Return the conversation with the results of the pending calls, to pass it to `act` as the task.

        Args:
            *results: A result for each of `pending`, in its order.

        Raises:
            ValueError: There are more or fewer of them than pending calls.
        """
        if len(results) != len(self.pending):
            raise ValueError(f"{len(self.pending)} calls are pending, and {len(results)} results are given")
        given = map(result_text, results)
        ended = [
            (each.call, Outcome(next(given)) if each.outcome is None else each.outcome)
            for each in self.turns[-1].results
        ]
        return [*self.messages, *results_of(ended, "tool_calls" in self.messages[-1])]

    def explain(self) -> Explanation:
        """Explain how the answer came about: each turn with its question or its results, its reply and its calls."""
        from ..explain import explanation_of_attempts

        return explanation_of_attempts([_shown(turn) for turn in self.turns], self.response)


def _shown(turn: Turn) -> Attempt:
    """Returns a turn as an attempt, with the findings of its calls, and with native calls in its reply."""
    calls = [each.call for each in turn.results]
    asked = turn.attempt.messages
    first = next((at for at in range(len(asked), 0, -1) if asked[at - 1]["role"] != "tool"), 0)
    question = "\n".join(str(message["content"]) for message in asked[first:]) or turn.attempt.prompt
    natives = [f"{call.name} {call.text}" for call in calls if call.text not in turn.attempt.reply]
    return replace(
        turn.attempt,
        messages=({"role": "user", "content": question},),
        reply="\n".join(filter(None, [turn.attempt.reply, *natives])),
        problems=(*turn.attempt.problems, *(problem for call in calls for problem in call.problems)),
        repairs=(*turn.attempt.repairs, *(repair for call in calls for repair in call.repairs)),
    )
