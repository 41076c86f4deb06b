"""A conversation that ends in an answer, without any I/O: which messages to send, and what to make of each reply."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Generic, TypeVar

from ..completion import Completion, Message, messages_of
from ..errors import ReplyError
from ..findings import Problem, ProblemKind, Repair
from ..options import Format, ParseOptions
from ..response import StructuredResponse
from .result import AskOptions

ModelT = TypeVar("ModelT")

_NO_ANSWER = "No answer was found in that ({reason}). Write it now, as asked for above, and nothing else."
_CUT_OFF = (
    "Your reply was cut off. Go on with it from there, without starting anew. Begin with its last characters, "
    "which are these:\n{anchor}"
)

MIN_AGAIN = 20  # characters from which a repeated element counts as a repetition: `<li>5</li>` may come twice in a row
MIN_OVERLAP = 8  # characters from which a repeated value or line counts as a repetition
MAX_ANCHOR = 60  # characters of a reply by which its continuation is joined to it: too many to recur by chance

_TAG = re.compile(r"<[^\s<>/!?][^<>]*>")
_OPEN = re.compile(r"<[^\s<>/!?][^<>]*>([^<]*)\Z")
"""The element that was being written: its tag, and as much of its text as there is."""

_MARKUP = re.compile(r'[<{\["]')
_FINISHED = (">", ",", "}", "]")


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
        how: ParseOptions,
    ) -> None:
        self.asked = asked
        self.options = options
        self.how = how
        self.form: Format = how.format or "xml"
        self.messages = _opening(asked, prompt, self.form, how.examples)
        self.best: StructuredResponse[ModelT] | None = None  # everything that could be read so far
        self.right: StructuredResponse[ModelT] | None = None  # the part of it that later replies amend
        self.unfinished = ""  # the reply that is to go on
        self.error: ReplyError | None = None
        self.is_over = False

    @property
    def answer(self) -> StructuredResponse[ModelT] | None:
        return self.best if self.error is None else None

    @property
    def findings(self) -> tuple[tuple[Problem, ...], tuple[Repair, ...]]:
        """The problems and the repairs of the answer so far."""
        return tuple(self.error.problems if self.error else ()), tuple(self.best.repairs if self.best else ())

    def take(self, completion: Completion) -> None:
        """Reads a reply. Afterwards there is an `answer`, or an `error` and the messages that reply to it.

        What a model's validators raise, other than verdicts on the data, passes through.
        """
        text = joined(self.unfinished, completion.text)
        read = self.asked.parse if self.right is None else self.right.amend
        try:
            self.accept(read(text, **self.how._asdict()))
        except ReplyError as error:
            self._go_on(text, completion, error)

    def accept(self, answer: StructuredResponse[ModelT]) -> None:
        """Ends the conversation with an answer."""
        self.best, self.error, self.is_over = answer, None, True

    def _go_on(self, text: str, completion: Completion, error: ReplyError) -> None:
        self.best = self.right if error.response is None else error.response
        problems = error.problems
        if completion.refusal is not None:  # the provider's reason leads
            refused = Problem(ProblemKind.REFUSAL, "$", completion.refusal, completion.finish_reason)
            problems = [refused, *(problem for problem in problems if problem.kind is not ProblemKind.NO_ANSWER)]
        self.error = ReplyError(problems, error.reply, error.response)
        is_cut_off = completion.is_cut_off
        if is_cut_off is None:  # the provider does not say
            is_cut_off = error.response is not None and error.response.truncated is not None
        if self.options["on_refusal"] == "raise" and any(each.kind is ProblemKind.REFUSAL for each in problems):
            self.is_over = True
        elif is_cut_off:
            self.is_over = self.options["on_truncated"] == "refuse"
            self.unfinished = text
            self._say(completion.text, to_continue(text))
        else:
            self.unfinished = ""
            self.right = self.best
            no_answer = _NO_ANSWER.format(reason=problems[0].message)
            self._say(completion.text, no_answer if self.right is None else self.right.to_reask(format=self.form))

    def _say(self, reply: str, question: str) -> None:
        """Adds the reply and the next question, but for an empty reply, which no server takes back."""
        if reply.strip():
            answered = {"role": "assistant", "content": reply}
            self.messages = [*self.messages, answered, {"role": "user", "content": question}]


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
    return end[start:] if len(end) - start >= MIN_AGAIN else end
