"""What asking does, step by step, without any I/O: each step that needs some is given to whoever runs them.

One for all the ways there are to wait: `run` has the two that do what a step says, with and without `await`.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any, Generic, TypeAlias, TypeVar

from ..completion import Completion, Message
from ..errors import AskError
from ..options import parse_options
from ..response import StructuredResponse
from ..warn_once import recovered, warn_once
from .conversation import Conversation
from .entries import decode, encode, key_of, readings, remembered, tag_of
from .result import AskResult, Attempt, usage_of
from .singleflight import Flight
from .tracing import Span, span

__all__ = ["Asking", "Step", "Steps"]

ModelT = TypeVar("ModelT")
T = TypeVar("T")

Step: TypeAlias = "tuple[str, tuple[Any, ...]]"
"""What is to be done, and with what: `call`, `join`, `get`, `set` or `notify`."""

Steps: TypeAlias = Generator[Step, Any, T]


@dataclass
class Asking(Generic[ModelT]):
    """A question on its way to its answer. `caller` names the language model where there is a `cache`."""

    talk: Conversation[ModelT]
    attempts: int
    strict: bool
    cache: Any
    caller: str
    on_attempt: Callable[[Attempt], Any] | None
    trace_content: bool

    def __post_init__(self) -> None:
        if self.attempts < 1:
            raise ValueError(f"attempts is a number above 0, not {self.attempts!r}")
        self.how = parse_options(self.talk.options)
        chosen = "/".join(map(str, self.how[:4]))  # all but the context, for which the model judges anew
        self.tag = tag_of(self.talk.asked, chosen) if self.caller else ""
        self.made: list[Attempt] = []
        self.kept: dict[str, bytes] = {}  # what is to be stored once all went well

    def steps(self) -> Steps[AskResult[ModelT]]:
        """Asks until the answer is right, or as often as may be asked."""
        with span(f"ask {self.talk.asked.class_name}") as told:
            while not self.talk.is_over and len(self.made) < self.attempts:
                yield from self._attempt()
                if self.on_attempt is not None:
                    yield "notify", (self.on_attempt, self.made[-1])
            best = self.talk.best()
            told.note(attempts=len(self.made), repairs=len(best.repairs) if best else 0, problems=self._wrong())
            told.tokens(usage_of(self.made))
            return self._outcome(best)

    def _outcome(self, best: StructuredResponse[ModelT] | None) -> AskResult[ModelT]:
        error = self.talk.error
        if best is None or (error is not None and self.strict):
            assert error is not None
            raise AskError(error.problems, error.reply, best, self.made, usage_of(self.made)) from error
        return AskResult(best, tuple(self.made), self.how.context)

    def _wrong(self) -> int:
        return 0 if self.talk.error is None else len(self.talk.error.problems)

    def _attempt(self) -> Steps[None]:
        messages, started = tuple(self.talk.messages), perf_counter()
        with span("attempt") as told:
            if self.cache is None:
                completion, cached = (yield from self._call(messages)), False
                self._read(completion)
            else:
                completion, cached = yield from self._find(messages)
            attempt = self._record(messages, completion, perf_counter() - started, cached)
            self._tell(told, attempt)

    # With a cache

    def _find(self, messages: Sequence[Message]) -> Steps[tuple[Completion, bool]]:
        """The completion of the messages and whether it was there without a call: in the cache, or in flight."""
        key = key_of(self.talk.asked.class_name, self.caller, messages)
        flight = yield "join", ((id(self.cache), key),)
        if isinstance(flight, Completion):
            self._read(flight)
            return flight, True
        assert isinstance(flight, Flight)
        completion: Completion | None = None
        try:
            completion, read = yield from self._stored(key)
            cached = completion is not None
            if completion is None:
                completion = yield from self._call(messages)
            known = self._read(completion, read)
            self._keep(key, completion, is_new=not known and not (cached and self.talk.answer is None))
            if self.talk.answer is not None:
                for kept, entry in self.kept.items():
                    yield from self._guarded("store", "set", kept, entry)
        except BaseException as error:
            flight.land(completion, error)
            raise
        flight.land(completion)
        return completion, cached

    def _stored(self, key: str) -> Steps[tuple[Completion | None, dict[str, Any]]]:
        """What the cache has under a key: the completion, and what was read from it."""
        entry = yield from self._guarded("look up", "get", key)
        if entry is None:
            return None, {}
        keep = "keep what was put into it"
        try:
            found = decode(key, entry)
        except ValueError as error:
            warn_once(self.cache, keep, error)
            return None, {}
        recovered(self.cache, keep)
        return found

    def _guarded(self, doing: str, step: str, *given: Any) -> Steps[Any]:
        """A step of the cache. One that fails is a miss, whatever a cache may raise."""
        try:
            got = yield step, given
        except Exception as error:  # noqa: BLE001
            warn_once(self.cache, doing, error)
            return None
        recovered(self.cache, doing)
        return got

    def _keep(self, key: str, completion: Completion, *, is_new: bool) -> None:
        """Notes an entry. It is stored once the answer is right: what led nowhere is to be asked for anew."""
        if is_new:
            answer = self.talk.answer
            is_whole = answer is not None and not answer.problems  # an entry has no place for problems
            self.kept[key] = encode(key, completion, {self.tag: readings(answer)} if answer and is_whole else {})

    # The reply

    def _call(self, messages: Sequence[Message]) -> Steps[Completion]:
        """Calls the language model. What that raises passes through, with the attempts so far as its `attempts`, which
        pickle keeps as it keeps no cause, and in its notes.
        """
        try:
            given = yield "call", (list(messages),)
        except Exception as error:
            note = f"structured_response: asking for {self.talk.asked.class_name}, attempt {len(self.made) + 1}"
            error.add_note("\n  ".join([note, *map(str, self.made)]))
            vars(error).setdefault("attempts", tuple(self.made))
            raise
        if isinstance(given, str):
            return Completion(given)
        if not (isinstance(given, Completion) and isinstance(given.text, str)):
            raise TypeError(f"what is asked gives text or a Completion, not {type(given).__name__}")
        return given

    def _read(self, completion: Completion, read: dict[str, Any] | None = None) -> bool:
        """Lets the talk take a reply; True where what was read from it once was still at hand."""
        with span("parse") as told:
            known = read and remembered(self.talk.asked, read.get(self.tag), self.how.context)
            if known:
                self.talk.accept(known)
            else:
                self.talk.take(completion)
            best = self.talk.best()
            told.note(repairs=len(best.repairs) if best else 0, problems=self._wrong(), remembered=bool(known))
        return bool(known)

    def _record(self, messages: Sequence[Message], completion: Completion, seconds: float, cached: bool) -> Attempt:
        best, error = self.talk.best(), self.talk.error
        attempt = Attempt(
            number=len(self.made) + 1,
            messages=tuple(messages),
            reply=completion.text,
            finish_reason=completion.finish_reason,
            problems=tuple(error.problems) if error else (),
            repairs=tuple(best.repairs) if best else (),
            usage=usage_of(()) if cached else completion.usage,
            seconds=seconds,
            cached=cached,
        )
        self.made.append(attempt)
        return attempt

    def _tell(self, told: Span, attempt: Attempt) -> None:
        told.note(
            number=attempt.number,
            cached=attempt.cached,
            finish_reason=attempt.finish_reason,
            repairs=len(attempt.repairs),
            problems=len(attempt.problems),
        )
        told.tokens(attempt.usage)
        if self.trace_content:
            told.note(prompt=str(attempt.prompt), reply=attempt.reply)
