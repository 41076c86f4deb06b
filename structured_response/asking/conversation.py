"""A conversation that ends in an answer, without any I/O: which messages to send, and what to make of each reply."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic, TypeVar

from ..completion import Completion, Message, messages_of
from ..errors import ReplyError
from ..findings import Problem, ProblemKind, Repair
from ..options import Format, ReadingOptions
from ..response import StructuredResponse
from .continuation import joined, to_continue
from .result import AskOptions

__all__ = ["Conversation"]

ModelT = TypeVar("ModelT")

_NO_ANSWER = "No answer was found in that ({reason}). Write it now, as asked for above, and nothing else."


class Conversation(Generic[ModelT]):
    """The messages to send next, and all that is known of the answer so far.

    Each reply goes to `take`. If something is left to ask for, the messages grow by the reply and the next question;
    otherwise, or if nothing may be asked, the conversation `is_over`.
    """

    def __init__(
        self,
        asked: StructuredResponse[ModelT],
        prompt: str | Sequence[Message],
        options: AskOptions,
        reading: ReadingOptions,
    ) -> None:
        self.asked = asked
        self.options = options
        self.reading = reading
        self.form: Format = options["format"] or "xml"
        self.messages = _opening(asked, prompt, self.form, options["examples"])
        self.right: StructuredResponse[ModelT] | None = None  # the answer that later replies amend
        self.unfinished = ""  # the reply that is to go on
        self.answer: StructuredResponse[ModelT] | None = None
        self.error: ReplyError | None = None
        self.is_over = False

    def take(self, completion: Completion) -> None:
        """Reads a reply. Afterwards there is an `answer`, or an `error` and the messages that reply to it.

        What a model's validators raise, other than verdicts on the data, passes through.
        """
        text = joined(self.unfinished, completion.text)
        read = self.asked.parse if self.right is None else self.right.amend
        try:
            self.accept(read(text, **self.reading))
        except ReplyError as error:
            self.error = error = _with_reason(error, completion)
            self._go_on(text, completion, error)

    def accept(self, answer: StructuredResponse[ModelT]) -> None:
        """Ends the conversation with an answer that is right."""
        self.answer, self.error, self.is_over = answer, None, True

    @property
    def best(self) -> StructuredResponse[ModelT] | None:
        """What could be read so far, right or not."""
        if self.answer is not None:
            return self.answer
        found = None if self.error is None else self.error.response
        return self.right if found is None else found

    @property
    def findings(self) -> tuple[tuple[Problem, ...], tuple[Repair, ...]]:
        """The problems and the repairs of the answer so far."""
        best = self.best
        return tuple(self.error.problems if self.error else ()), tuple(best.repairs if best else ())

    def _go_on(self, text: str, completion: Completion, error: ReplyError) -> None:
        is_cut_off = completion.is_cut_off
        if is_cut_off is None:  # the provider does not say
            is_cut_off = error.response is not None and error.response.truncated is not None
        if self.options["on_refusal"] == "raise" and any(each.kind is ProblemKind.REFUSAL for each in error.problems):
            self.is_over = True
        elif is_cut_off:
            self.is_over = self.options["on_truncated"] == "refuse"
            self.unfinished = text
            self._say(completion.text, to_continue(text))
        else:
            self.unfinished = ""
            self.right = self.right if error.response is None else error.response
            no_answer = _NO_ANSWER.format(reason=error.problems[0].message)
            self._say(completion.text, no_answer if self.right is None else self.right.to_reask(format=self.form))

    def _say(self, reply: str, question: str) -> None:
        """Adds the reply and the next question, but for an empty reply, which no server takes back."""
        if reply.strip():
            answered = {"role": "assistant", "content": reply}
            self.messages = [*self.messages, answered, {"role": "user", "content": question}]


def _with_reason(error: ReplyError, completion: Completion) -> ReplyError:
    """The error, led by the provider's reason if that is why there is no answer."""
    if completion.refusal is None:
        return error
    refused = Problem(ProblemKind.REFUSAL, "$", completion.refusal, completion.finish_reason)
    others = [problem for problem in error.problems if problem.kind is not ProblemKind.NO_ANSWER]
    return ReplyError([refused, *others], error.reply, error.response)


def _opening(
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
