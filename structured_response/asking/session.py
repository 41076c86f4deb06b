"""Asking step by step, without any I/O: a generator yields each step that needs some, and is sent the outcome."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from inspect import isawaitable, iscoroutine
from time import perf_counter
from typing import Any, Generic, TypeAlias, TypeVar

from ..completion import Completion, Message, Usage
from ..errors import AskError
from ..response import StructuredResponse
from ..version import __version__
from ..warn_once import warn_once
from .conversation import Conversation
from .result import AskOptions, AskResult, Attempt, checked_options, usage_of
from .shared import Flights, decode, encode, key_of, remembered

ModelT = TypeVar("ModelT")
T = TypeVar("T")

Step: TypeAlias = "tuple[str, *tuple[Any, ...]]"
"""The name of what is to be done (`call`, `wait`, `get`, `set` or `notify`), and its arguments."""

_NAME = "structured_response"

Steps: TypeAlias = Generator[Step, Any, T]


class Asking(Generic[ModelT]):
    """A question on its way to its answer. `caller` is the language model's `cache_key`."""

    def __init__(
        self,
        asked: StructuredResponse[ModelT],
        prompt: str | Sequence[Message],
        options: AskOptions,
        caller: Any,
        flights: Flights,
    ) -> None:
        self.options, self.how = checked_options(options)
        self.asked = asked
        self.talk = Conversation(asked, prompt, self.options, self.how)
        self.flights = flights
        self.made: list[Attempt] = []
        self.kept: dict[str, bytes] = {}  # entries to store once the answer is right
        self.cache = self.options["cache"]
        if self.cache is not None:
            self.caller = caller if self.options["key"] is None else self.options["key"]
            if not (isinstance(self.caller, str) and self.caller):
                raise TypeError(
                    "a cache needs to know who answers: pass key=, a str that names the language model and its "
                    "parameters, or a `complete` with a `cache_key`"
                )
            # The name of a reading. Another version of the library reads anew; for a context the model validates anew.
            self.tag = "/".join(map(str, (asked.fingerprint, *self.how[:4], __version__)))

    def steps(self) -> Steps[AskResult[ModelT]]:
        """Asks until the answer is right, or as often as allowed."""
        with span(f"ask {self.asked.class_name}") as note:
            while not self.talk.is_over and len(self.made) < self.options["attempts"]:
                attempt = yield from self._attempt()
                if self.options["on_attempt"] is not None:
                    yield "notify", attempt
            best, error, usage = self.talk.best, self.talk.error, usage_of(self.made)
            note(usage, attempts=len(self.made), **self._counts())
            if error is not None and (best is None or self.options["strict"]):
                raise AskError(error.problems, error.reply, best, self.made, usage) from error
            assert best is not None
            return AskResult(best, tuple(self.made), self.how.context)

    def _counts(self) -> dict[str, int]:
        problems, repairs = self.talk.findings
        return {"problems": len(problems), "repairs": len(repairs)}

    def _attempt(self) -> Steps[Attempt]:
        messages, started = tuple(self.talk.messages), perf_counter()
        with span("attempt") as note:
            if self.cache is None:
                completion, cached = (yield from self._call(messages)), False
                self._read(completion)
            else:
                completion, cached = yield from self._find(messages)
            problems, repairs = self.talk.findings
            usage = Usage() if cached else completion.usage
            reply, reason, seconds = completion.text, completion.finish_reason, perf_counter() - started
            number = len(self.made) + 1
            attempt = Attempt(number, messages, reply, reason, problems, repairs, usage, seconds, cached)
            self.made.append(attempt)
            note(usage, number=number, cached=cached, finish_reason=reason, **self._counts())
            if self.options["trace_content"]:
                note(prompt=str(attempt.prompt), reply=reply)
        return attempt

    # With a cache

    def _find(self, messages: Sequence[Message]) -> Steps[tuple[Completion, bool]]:
        """The completion of the messages, read, and whether it was in the cache or in flight."""
        key = key_of(self.asked.class_name, self.caller, messages)
        place = id(self.cache), key
        while True:
            flight, leads = self.flights.join(place)
            if leads:
                break
            landed, error = yield "wait", flight
            if error is not None:
                raise error
            for completion in landed:
                self._read(completion)
                return completion, True
        with self.flights.lead(place, flight) as landed:
            stored: Completion | None = None
            read: Any = None
            with warn_once(self.cache, "look up"):  # whatever a cache raises is a miss
                entry = yield "get", key
                if entry is not None:
                    stored, read = decode(key, entry, self.tag)
            completion = stored or (yield from self._call(messages))
            landed.append(completion)
            is_known = self._read(completion, read)
            answer = self.talk.answer
            if not is_known and (stored is None or answer is not None):
                is_right = answer is not None and not answer.problems  # an entry has no place for problems
                self.kept[key] = encode(key, completion, self.tag, answer if is_right else None)
            if answer is not None:  # replies that led nowhere are not stored: they are to be asked for again
                for kept, entry in self.kept.items():
                    with warn_once(self.cache, "store"):
                        yield "set", kept, entry
        return completion, stored is not None

    # The reply

    def _call(self, messages: Sequence[Message]) -> Steps[Completion]:
        """Calls the language model. What that raises passes through, with the attempts so far in its `attempts`, which
        pickle keeps as it keeps no cause, and in its notes.
        """
        try:
            given = yield "call", list(messages)
        except Exception as error:
            note = f"structured_response: asking for {self.asked.class_name}, attempt {len(self.made) + 1}"
            error.add_note("\n  ".join([note, *map(str, self.made)]))
            vars(error).setdefault("attempts", tuple(self.made))
            raise
        if isinstance(given, str):
            return Completion(given)
        if isawaitable(given):
            if iscoroutine(given):
                given.close()
            raise TypeError("`complete` returned an awaitable; use `await aask(...)`")
        if not (isinstance(given, Completion) and isinstance(given.text, str)):
            raise TypeError(f"`complete` must return text or a Completion, not {type(given).__name__}")
        return given

    def _read(self, completion: Completion, read: Any = None) -> bool:
        """Reads a reply. Returns True if an earlier reading of it was still valid."""
        with span("parse") as note:
            known = remembered(self.asked, read, self.how.context) if read else None
            if known is None:
                self.talk.take(completion)
            else:
                self.talk.accept(known)
            note(**self._counts(), remembered=known is not None)
        return known is not None


# Spans


@contextmanager
def span(name: str) -> Iterator[Callable[..., None]]:
    """An OpenTelemetry span around a block, if it is installed, and a function that sets attributes of the span.

    Of an exception, the span has the type only: its message may hold content.
    """
    trace = _trace()
    if trace is None:
        yield lambda *_usage, **_values: None
        return
    tracer = trace.get_tracer(_NAME)
    with tracer.start_as_current_span(name, record_exception=False, set_status_on_exception=False) as current:

        def note(usage: Usage | None = None, **values: Any) -> None:
            current.set_attributes({f"{_NAME}.{key}": value for key, value in values.items() if value is not None})
            if usage is not None:  # under the names of OpenTelemetry's conventions
                current.set_attribute("gen_ai.usage.input_tokens", usage.input_tokens)
                current.set_attribute("gen_ai.usage.output_tokens", usage.output_tokens)

        try:
            yield note
        except BaseException as error:
            current.set_attribute("error.type", type(error).__qualname__)
            current.set_status(trace.StatusCode.ERROR)
            raise


@cache
def _trace() -> Any:
    try:
        from opentelemetry import trace
    except ImportError:
        return None
    return trace
