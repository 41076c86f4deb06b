"""Many questions on their way: which is next, which are in flight, and whose turn it is; for threads and for tasks."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterable, Coroutine, Iterable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from contextvars import copy_context
from dataclasses import replace
from operator import length_hint
from queue import SimpleQueue
from threading import Event
from typing import Any, Generic, TypeAlias, TypeVar

from ..cache.base import at_once
from ..completion import Message, WrongReturnError
from ..errors import AskError, BatchError, BudgetError, ReplyError
from ..findings import Problem, ProblemKind
from ..progress import progress_bar
from ..response import StructuredResponse
from .caching import THREADS, key_of, tasks
from .journal import Journal
from .pace import Pace
from .result import MANY_DEFAULTS, AskResult, ManyOptions, checked_many, usage_of
from .session import Asking, response_of
from .setup import Setup
from .streaming import Closed

ModelT = TypeVar("ModelT")

Answered: TypeAlias = AskResult[ModelT] | AskError

_AHEAD = 16  # results, for each call in flight, that may wait for one before them: one slow task stops no other
_END = object()
_NO_TASKS = {
    str: "one prompt; write [prompt]",
    Mapping: "a mapping; take its values",
    AsyncIterable: "an asynchronous one; write [task async for task in tasks]",
}


class Threads:
    """Runs questions in threads. A call that is in flight cannot be broken off."""

    flights = THREADS

    def __init__(self, concurrency: int) -> None:
        self.done: SimpleQueue[Future[Any]] = SimpleQueue()
        self._pool = ThreadPoolExecutor(concurrency, "ask_many")
        self._closed = Event()

    def start(self, question: Coroutine[Any, Any, Any]) -> None:
        self._pool.submit(copy_context().run, at_once, question).add_done_callback(self.done.put)

    def sleep(self, seconds: float) -> None:
        if self._closed.wait(seconds):
            raise Closed

    def close(self) -> None:
        self._closed.set()
        self._pool.shutdown()


class Tasks:
    """Runs questions as tasks of the running event loop."""

    sleep = staticmethod(asyncio.sleep)

    def __init__(self, concurrency: int) -> None:
        self.flights = tasks()
        self.done: asyncio.Queue[asyncio.Task[Any]] = asyncio.Queue()
        self._open: set[asyncio.Task[Any]] = set()

    def start(self, question: Coroutine[Any, Any, Any]) -> None:
        task = asyncio.create_task(question)
        self._open.add(task)
        task.add_done_callback(self._end)

    def _end(self, task: asyncio.Task[Any]) -> None:
        self._open.discard(task)
        self.done.put_nowait(task)
        if not task.cancelled():
            task.exception()  # one that nobody takes is not to be logged: the first of them ended all

    async def close(self) -> None:
        for task in self._open:
            task.cancel()
        await asyncio.gather(*self._open, return_exceptions=True)


class Run(Generic[ModelT]):
    """Asks as many questions at a time as allowed, and no more than are needed next."""

    def __init__(
        self, complete: Any, tasks: Iterable[Any], model: Any, given: ManyOptions, world: type[Threads | Tasks]
    ) -> None:
        self.whole, each = checked_many(given)
        self.asked: StructuredResponse[Any] = response_of(model)
        self.journal = None if self.whole["journal"] is None else Journal(self.whole["journal"])
        self.world = world(self.whole["concurrency"])
        self.flights = self.world.flights
        has_journal, others = self.journal is not None, (*MANY_DEFAULTS,)
        self.setup = Setup(complete, self.asked, each, self.flights, others, has_journal=has_journal)
        self.setup.opening("")  # raises now what every question would raise
        self.setup.pace = Pace(self.whole["requests_per_minute"], self.whole["tokens_per_minute"])
        self.setup.sleep, self.setup.journal = self.world.sleep, self.journal
        for kind, found in _NO_TASKS.items():
            if isinstance(tasks, kind):
                raise TypeError(f"tasks are an iterable of prompts, not {found}")
        self.total = length_hint(tasks, 0) or None
        self.tasks = iter(tasks)
        self.opened = ExitStack()
        self.held: dict[int, Answered[ModelT]] = {}  # results that were not given yet, as they came
        self.started = self.in_flight = self.given = 0
        self.failed = 0
        self.failures: list[str] = []  # that were given, if they are bounded
        self.spent_error: BudgetError | None = None  # of the first question that found the budget spent

    def open(self) -> None:
        if self.journal is not None:
            self.opened.enter_context(self.journal)
        bar = progress_bar(f"asking {self.asked.class_name}", self.total, shown=self.whole["progress"])
        self.show = self.opened.enter_context(bar)

    async def close(self) -> None:
        with self.opened:
            await self.flights.do(self.world.close)
            await self.setup.close()

    async def step(self) -> Answered[ModelT] | asyncio.CancelledError | None:
        """Returns the next result, None after the last, or the cancellation of the wait, which ends nothing else."""
        try:
            return await self._next()
        except asyncio.CancelledError as error:
            return asyncio.CancelledError(*error.args)  # without the frames, which would keep this one

    async def _next(self) -> Answered[ModelT] | None:
        while True:
            has_begun = self._begin()
            while not self.world.done.empty():
                self._take(self.world.done.get_nowait())
            turn = self.given if not self.whole["as_completed"] else next(iter(self.held), None)
            if turn in self.held:
                return self._give(self.held.pop(turn))
            if has_begun:
                await self.flights.do(self.world.sleep, 0)
            elif self.in_flight:
                self._take(await self.flights.do(self.world.done.get))
            elif self.spent_error is not None:
                raise self.spent_error
            else:
                return None

    def _begin(self) -> bool:
        """Begins with the next task, if one may. Only one: a slow iterator of tasks is not to hold back a result."""
        concurrency = self.whole["concurrency"]
        if self.spent_error or self.in_flight >= concurrency or len(self.held) >= concurrency * _AHEAD:
            return False
        task = next(self.tasks, _END)
        if task is _END:
            return False
        self.world.start(self._answer(task, self.started))
        self.started += 1
        self.in_flight += 1
        return True

    def _take(self, ended: Any) -> None:
        self.in_flight -= 1
        result = ended.result()
        self.held[result.index] = result
        self.failed += isinstance(result, AskError)
        if isinstance(result, BudgetError):
            self.spent_error = self.spent_error or result
        self.show(self.started - self.in_flight, f"{self.failed:,} failed")

    def _give(self, result: Answered[ModelT]) -> Answered[ModelT]:
        self.given += 1
        most = self.whole["max_failures"]
        if most is not None and isinstance(result, AskError):
            self.failures.append(f"task {result.index}: {result.problems[0]}")
            if len(self.failures) > most:
                message = f"{len(self.failures)} of {self.given} tasks failed, and max_failures is {most}"
                raise BatchError(message, str(self.whole["journal"] or ""), self.failures)
        return result

    async def _answer(self, task: Any, index: int) -> Answered[ModelT]:
        """Answers a question. Whatever happens to it is its result, unless it happens to all."""
        asking: Asking | None = None
        messages: list[Message] = []
        try:
            asking = Asking(self.setup, task)
            messages = asking.messages
            return replace(await asking.until_right(), task=task, index=index)
        except (BatchError, WrongReturnError):
            raise
        except Exception as error:  # noqa: BLE001 - one task must not end the others
            failure = _failure(error, asking)
            if failure is not error and self.journal is not None and messages:
                key = key_of(f"{self.asked.class_name} failed", self.setup.callers[0], messages)
                self.journal.set(key, json.dumps([str(problem) for problem in failure.problems]).encode())
        failure.task, failure.index = task, index
        return failure


def _failure(error: Exception, asking: Asking | None) -> AskError:
    """Returns the failure of a question: its own error, or one for what its call or a validator raised."""
    is_raised = asking is not None and error is asking.caller.raised
    if isinstance(error, AskError) and not is_raised:
        return error
    attempts = asking.made if asking is not None else []
    problems, reply = [Problem(ProblemKind.NO_ANSWER, "$", f"{type(error).__name__}: {error}")], ""
    if isinstance(error, ReplyError):  # of a client that got a page in place of a completion
        problems, reply = error.problems, error.reply
    failure = AskError(problems, reply, None, attempts, usage_of(attempts))
    failure.call_failed, failure.__cause__ = is_raised, error
    return failure
