"""A conversation that ends in an answer, without any I/O: what to send, and what is made of each reply."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic, Literal, TypeAlias, TypeVar, get_args

from ..completion import Completion, Message, messages_of
from ..errors import ReplyError
from ..findings import Problem, ProblemKind
from ..options import Format, ReadingOptions
from ..response import StructuredResponse
from .continuation import joined, to_continue

__all__ = ["Conversation", "Refusal", "Truncated"]

ModelT = TypeVar("ModelT")

Truncated: TypeAlias = Literal["continue", "refuse"]
"""What becomes of a reply that was cut off: it goes on, or asking ends."""

Refusal: TypeAlias = Literal["raise", "retry"]
"""What becomes of a refusal: asking ends, or it is a reply without an answer like any other."""

_NO_ANSWER = "No answer was found in that ({reason}). Write it now, as asked for above, and nothing else."


class Conversation(Generic[ModelT]):
    """The messages to send next, and all that is known of the answer so far.

    Each reply goes to `take`. Where it leaves something to ask for, the messages grow by it and by the next question;
    else, or where nothing may be asked, the talk `is_over`.
    """

    def __init__(
        self,
        asked: StructuredResponse[ModelT],
        prompt: str | Sequence[Message],
        options: ReadingOptions,
        examples: Sequence[Any] = (),
        on_truncated: Truncated = "continue",
        on_refusal: Refusal = "raise",
    ) -> None:
        _check("on_truncated", on_truncated, get_args(Truncated))
        _check("on_refusal", on_refusal, get_args(Refusal))
        self.asked = asked
        self.form: Format = options.get("format") or "xml"
        self.options: ReadingOptions = {**options, "format": self.form}
        self.on_truncated = on_truncated
        self.on_refusal = on_refusal
        self.messages = _opening(asked, prompt, self.form, examples)
        self.right: StructuredResponse[ModelT] | None = None  # what is to be amended
        self.unfinished = ""  # the reply that is to go on
        self.answer: StructuredResponse[ModelT] | None = None
        self.error: ReplyError | None = None
        self.is_over = False

    def take(self, completion: Completion) -> None:
        """Reads a reply: then `answer` is there, or an `error`, the answer to which are the messages.

        What a model's validators raise, besides what Pydantic takes for a verdict, passes through.
        """
        text = joined(self.unfinished, completion.text)
        try:
            self.accept(self._read(text))
        except ReplyError as error:
            self.error = error = _with_reason(error, completion)
            self._go_on(text, completion, error)

    def accept(self, answer: StructuredResponse[ModelT]) -> None:
        """Ends the talk with an answer that is right."""
        self.answer, self.error, self.is_over = answer, None, True

    def best(self) -> StructuredResponse[ModelT] | None:
        """What could be read so far, right or not."""
        if self.answer is not None:
            return self.answer
        found = None if self.error is None else self.error.response
        return self.right if found is None else found

    def _read(self, text: str) -> StructuredResponse[ModelT]:
        if self.right is not None:
            return self.right.amend(text, **self.options)
        return self.asked.parse(text, **self.options)

    def _go_on(self, text: str, completion: Completion, error: ReplyError) -> None:
        if self.on_refusal == "raise" and any(each.kind is ProblemKind.REFUSAL for each in error.problems):
            self.is_over = True
        elif not _is_cut_off(completion, error):
            self.unfinished = ""
            self.right = self.right if error.response is None else error.response
            self._say(completion.text, self._question(error))
        elif self.on_truncated == "refuse":
            self.is_over = True
        else:
            self.unfinished = text
            self._say(completion.text, to_continue(text))

    def _question(self, error: ReplyError) -> str:
        if self.right is None:
            return _NO_ANSWER.format(reason=error.problems[0].message)
        return self.right.to_reask(format=self.form)

    def _say(self, reply: str, question: str) -> None:
        """Adds the reply and what is said to it. Nothing is said to an empty one, which no server would take back: the
        same is asked once more.
        """
        if reply.strip():
            self.messages = [
                *self.messages,
                {"role": "assistant", "content": reply},
                {"role": "user", "content": question},
            ]


def _check(name: str, value: object, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise ValueError(f"{name} is one of {', '.join(map(repr, choices))}, not {value!r}"[:200])


def _with_reason(error: ReplyError, completion: Completion) -> ReplyError:
    """The error, with the provider's reason in front where that is why there is no answer."""
    if completion.refusal is None:
        return error
    refused = Problem(ProblemKind.REFUSAL, "$", completion.refusal, completion.finish_reason)
    others = [problem for problem in error.problems if problem.kind is not ProblemKind.NO_ANSWER]
    return ReplyError([refused, *others], error.reply, error.response)


def _is_cut_off(completion: Completion, error: ReplyError) -> bool:
    """Whether a reply had to end before its end: by its provider's word, else by what was read of it."""
    if completion.is_cut_off is not None:
        return completion.is_cut_off
    return error.response is not None and error.response.truncated is not None


def _opening(
    asked: StructuredResponse[Any], prompt: str | Sequence[Message], form: Format, examples: Sequence[Any]
) -> list[Message]:
    """The messages to begin with: the user's own, the last with the form of the answer behind it, unless the form
    stands in one already.
    """
    messages = messages_of(prompt)
    bare = asked.to_prompt(form, examples=examples)
    if any(isinstance(message.get("content"), str) and bare in message["content"] for message in messages):
        return messages
    shape = asked.to_prompt(form, instructions=True, examples=examples)
    last = messages[-1] if messages else {"role": "assistant"}
    if last["role"] != "user":
        return [*messages, {"role": "user", "content": shape}]
    content = last["content"]
    whole = f"{content}\n\n{shape}" if isinstance(content, str) else [*content, {"type": "text", "text": shape}]
    return [*messages[:-1], {**last, "content": whole}]
