"""A conversation that ends in an answer, without any I/O: what to send, and what is made of each reply."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic, Literal, TypeAlias, TypeVar, get_args

from ..completion import Completion, Message
from ..errors import ReplyError
from ..options import Format
from ..response import StructuredResponse
from .continuation import joined, to_continue

__all__ = ["Conversation", "Truncated"]

ModelT = TypeVar("ModelT")

Truncated: TypeAlias = Literal["continue", "refuse"]
"""What becomes of a reply that was cut off: it goes on, or asking ends."""

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
        form: Format = "xml",
        examples: Sequence[Any] = (),
        on_truncated: Truncated = "continue",
        context: Any = None,
    ) -> None:
        _check("format", form, get_args(Format))
        _check("on_truncated", on_truncated, get_args(Truncated))
        self.asked = asked
        self.form = form
        self.on_truncated = on_truncated
        self.context = context
        self.messages = _opening(asked, prompt, form, examples)
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
            self.error = error
            self._go_on(text, completion, error)

    def accept(self, answer: StructuredResponse[ModelT]) -> None:
        """Ends the talk with an answer that is right."""
        self.answer, self.error, self.is_over = answer, None, True

    def best(self) -> StructuredResponse[ModelT] | None:
        """What could be read so far, right or not."""
        if self.answer is not None:
            return self.answer
        found: StructuredResponse[ModelT] | None = None if self.error is None else self.error.response
        return self.right if found is None else found

    def _read(self, text: str) -> StructuredResponse[ModelT]:
        if self.right is not None:
            return self.right.amend(text, context=self.context, format=self.form)
        return self.asked.parse(text, context=self.context, format=self.form)

    def _go_on(self, text: str, completion: Completion, error: ReplyError) -> None:
        if not _is_cut_off(completion, error):
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
    messages: list[Message] = (
        [{"role": "user", "content": prompt}] if isinstance(prompt, str) else [dict(message) for message in prompt]
    )
    bare = asked.to_prompt(form, examples=examples)
    if any(isinstance(message["content"], str) and bare in message["content"] for message in messages):
        return messages
    shape = asked.to_prompt(form, instructions=True, examples=examples)
    last = messages[-1] if messages else {"role": "assistant"}
    if last["role"] != "user":
        return [*messages, {"role": "user", "content": shape}]
    content = last["content"]
    whole = f"{content}\n\n{shape}" if isinstance(content, str) else [*content, {"type": "text", "text": shape}]
    return [*messages[:-1], {**last, "content": whole}]
