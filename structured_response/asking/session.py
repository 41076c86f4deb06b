"""Asking, attempt by attempt, for threads and for tasks. Nothing is awaited for threads."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from functools import partial
from time import perf_counter
from typing import Any, TypeAlias

from ..clients.streams import AsyncTextStream, TextStream
from ..completion import Completion, Message, Usage
from ..errors import AskError, ReplyError
from ..findings import Problem, ProblemKind, Repair
from ..response import DOUBT, StructuredResponse, read_joined
from ..stream import amending
from ..warn_once import warn_once
from .caching import THREADS, Flight, decode, encode, key_of
from .calling import Caller
from .conversation import breaks, joins, refused, to_continue
from .result import AskResult, Attempt, usage_of
from .setup import Setup
from .spans import span
from .streaming import Parts, hand

_END = object()

Found: TypeAlias = tuple[tuple[Problem, ...], tuple[Repair, ...]]


def response_of(model: Any) -> StructuredResponse[Any]:
    """Returns a response that asks for a model or any other type. A response is returned as it is."""
    return model if isinstance(model, StructuredResponse) else StructuredResponse.from_type(model)


class Asking:
    """A question, with the messages to send next and everything that is known of its answer."""

    def __init__(self, setup: Setup, prompt: Any, stream: bool = False) -> None:
        self.setup = setup
        self.asked, self.options, self.how, self.flights = setup.asked, setup.options, setup.how, setup.flights
        self.messages = setup.opening(prompt)
        self.made: list[Attempt] = []
        self.caller = Caller(setup, self._send, self.made, stream)
        self.best: StructuredResponse[Any] | None = None  # everything that could be read so far
        self.right: StructuredResponse[Any] | None = None  # the part of it that later replies amend
        self.unfinished = ""  # the reply that is to go on
        self.error: ReplyError | None = None
        self.is_over = False
        self.parts = Parts(self.asked, self.how) if stream else None
        self.flight: Flight | None = None  # that this question leads
        self.kept: dict[str, bytes] = {}  # entries to store once the answer is right
        self.cache = self.options["cache"]

    async def answer(self) -> AskResult[Any]:
        """Asks until the answer is right, or as often as allowed, and closes what was made for it."""
        try:
            return await self.until_right()
        finally:
            await self.setup.close()

    async def until_right(self) -> AskResult[Any]:
        with span(f"ask {self.asked.class_name}") as note:
            while not self.is_over and len(self.made) < self.options["attempts"]:
                attempt = await self._attempt()
                if self.options["on_attempt"] is not None:
                    await self.flights.do(self.options["on_attempt"], attempt)
            best, error = self.best, self.error
            note(attempts=len(self.made), tokens=usage_of(self.made).total_tokens, **self._counts())
            if error is not None and (best is None or self.options["strict"]):
                raise AskError(error.problems, error.reply, best, self.made, usage_of(self.made)) from error
            assert best is not None
            return AskResult(best, tuple(self.made), self.how.context)

    def findings(self) -> Found:
        return tuple(self.error.problems if self.error else ()), tuple(self.best.repairs if self.best else ())

    def _counts(self) -> dict[str, int]:
        problems, repairs = self.findings()
        return {"problems": len(problems), "repairs": len(repairs)}

    async def _attempt(self) -> Attempt:
        messages, started = tuple(self.messages), perf_counter()
        with span("attempt") as note:
            self.caller.best = self.best
            completion, cached = await self.caller.with_fallbacks(partial(self._find, messages))
            attempt = self.record(messages, completion, cached, perf_counter() - started, self.findings())
            note(number=attempt.number, cached=cached, finish_reason=attempt.finish_reason, **self._counts())
            if self.options["trace_content"]:
                note(prompt=str(attempt.prompt), reply=attempt.reply)
        return attempt

    def record(
        self, messages: tuple[Message, ...], said: Completion, cached: bool, seconds: float, found: Found = ((), ())
    ) -> Attempt:
        """Adds an attempt to those that were made, and returns it."""
        turn, usage = self.caller.turn, Usage() if cached else said.usage
        cost = Decimal() if cached else self.setup.prices[turn](usage)
        given = said.text, said.finish_reason, *found
        self.made.append(Attempt(len(self.made) + 1, messages, *given, usage, seconds, cached, turn, cost))
        return self.made[-1]

    async def _find(self, messages: Sequence[Message]) -> tuple[Completion, bool]:
        """Finds and reads the completion of the messages. Returns it, and whether this question paid nothing for it."""
        if self.cache is None:
            called, is_kept = await self._call(messages)
            self.read(called)
            return called, is_kept
        key = key_of(self.asked.class_name, self.setup.callers[self.caller.turn], messages)
        place = id(self.cache), key
        while True:
            flight, leads = self.flights.join(place)
            if leads:
                break
            landed, error = await self._follow(flight)
            if error is not None:
                self.caller.raised = None if landed else error
                raise error
            for completion in landed:
                self.read(completion)
                return completion, True
        own = self.caller  # its budget and its hooks are not shared
        with self.flights.lead(place, flight, lambda error: error is own.raised) as landed:
            stored: Completion | None = None
            with warn_once(self.cache, "look up"):  # whatever a cache raises is a miss
                entry = await self.flights.use(self.cache, "get", key)
                if entry is not None:
                    stored = decode(key, entry)
            self.flight = flight
            completion, is_kept = (stored, True) if stored else await self._call(messages)
            landed.append(completion)
            self.read(completion)
            if stored is None:
                self.kept[key] = encode(key, completion)
            if self.error is None:  # replies that led nowhere are not stored: they are to be asked for again
                for kept, entry in self.kept.items():
                    with warn_once(self.cache, "store"):
                        await self.flights.use(self.cache, "set", kept, entry)
        return completion, is_kept

    async def _call(self, messages: Sequence[Message]) -> tuple[Completion, bool]:
        """Calls the language model whose turn it is, unless the journal has its reply. Returns whether it had."""
        call = partial(self.caller.call, messages)
        if self.setup.journal is None:
            return await call(), False
        turn = self.caller.turn
        # After a reply without text the same messages are sent again.
        again = sum(each.messages == messages and each.fallback == turn for each in self.made)
        caller = f"{self.setup.callers[turn]} {again}" if again else self.setup.callers[turn]
        return await self.setup.journal.kept(key_of(self.asked.class_name, caller, messages), call, self.flights)

    async def _send(self, complete: Any, messages: list[Message]) -> Any:
        """Calls the language model. The pieces of a stream become parts, and then a completion."""
        if self.options["mode"] == "json_schema" and not self.unfinished:  # a whole answer cannot go on
            asked = self.asked if self.right is None else amending(self.right)[0]
            complete = complete.with_schema(asked.class_name, asked.to_json_schema())
        if self.parts is None:
            return await self.flights.do(complete, messages)
        stream = getattr(complete, "stream", None)
        given = await self.flights.do(stream if callable(stream) else complete, messages)
        self.parts.begin(len(self.made) + 1, self.right, self.unfinished)
        if self.flight is not None:
            self.flight.pieces = []
        if isinstance(given, str | Completion):
            await self._hand(given if isinstance(given, str) else given.text)
            return given
        is_async = self.flights is not THREADS and hasattr(given, "__aiter__")
        if not (is_async or hasattr(given, "__iter__")):
            return given
        pieces: list[str] = []
        iterator, following = (aiter(given), anext) if is_async else (iter(given), next)
        try:
            while (piece := await self.flights.do(following, iterator, _END)) is not _END:
                await self._hand(piece)
                pieces.append(piece)
        finally:
            close = getattr(iterator, "aclose" if is_async else "close", None)
            if close is not None:
                await self.flights.do(close)
        return given.completion if isinstance(given, TextStream | AsyncTextStream) else Completion("".join(pieces))

    async def _hand(self, piece: str) -> None:
        """Hands out the part that a piece makes, and passes the piece on to those who wait for the reply."""
        assert self.parts is not None
        part = self.parts.feed(piece)
        if self.flight is not None:
            self.flight.add(piece)
        await hand(part)

    async def _follow(self, flight: Flight) -> Any:
        """Waits for the end of a flight that another caller leads, and hands out the parts of its pieces."""
        pieces: list[str] | None = None
        seen = 0
        while self.parts is not None:
            news = flight.news
            if pieces is not flight.pieces:
                pieces, seen = flight.pieces, 0
                self.parts.begin(len(self.made) + 1, self.right, self.unfinished)
            new = pieces[seen:]
            seen += len(new)
            if new:
                await hand(self.parts.feed("".join(new)))
            elif flight.end.done():
                break
            else:
                await self.flights.do(self.flights.wait, news)
        return await self.flights.do(self.flights.wait, flight.end)

    def read(self, completion: Completion) -> None:
        """Reads a reply, and decides what to say to it."""
        with span("parse") as note:
            read = partial(self.asked.parse if self.right is None else self.right.amend, **self.how._asdict())
            try:
                text, answer = read_joined(read, *joins(self.unfinished, completion.text), self.how.repair)
                if broken := breaks(completion, answer, text, self.setup.form):
                    raise ReplyError(broken, text, answer)
            except ReplyError as error:
                self._go_on(completion, error)
            else:
                self.best, self.error, self.is_over = answer, None, True
            note(**self._counts())

    def _go_on(self, completion: Completion, error: ReplyError) -> None:
        self.best = self.right if error.response is None else error.response
        problems = refused(completion, error.problems)
        self.error = ReplyError(problems, error.reply, error.response)
        is_cut_off = completion.is_cut_off
        if is_cut_off is None:  # the provider does not say
            is_cut_off = error.response is not None and error.response.truncated is not None
        if self.options["on_refusal"] == "raise" and any(each.kind is ProblemKind.REFUSAL for each in problems):
            self.is_over = True
        elif is_cut_off and not any(problem.message == DOUBT for problem in problems):
            self.is_over = self.options["on_truncated"] == "refuse"
            self.unfinished = error.reply
            self.say(completion.text, to_continue(error.reply, self.setup.templates["cut_off"]))
        else:
            self.unfinished = ""
            self.right = self.best
            self.say(completion.text, self._reask(problems[0].message))

    def _reask(self, reason: str) -> str:
        if self.right is None:
            return self.setup.templates["no_answer"].substitute(reason=reason)
        if "reask" not in self.setup.templates:
            return self.right.to_reask(format=self.setup.form)
        asked, again = amending(self.right)
        form = asked.to_prompt(self.setup.form)
        return self.setup.templates["reask"].substitute(problems="\n".join(again.lines), form=form)

    def say(self, reply: str, question: str) -> None:
        """Adds the reply and the next question, but for an empty reply, which no server takes back."""
        if reply.strip():
            answered = {"role": "assistant", "content": reply}
            self.messages = [*self.messages, answered, {"role": "user", "content": question}]
