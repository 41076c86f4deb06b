"""Running many small tasks in two processes; a task that hangs or kills its process costs nothing but itself."""

from __future__ import annotations

import gc
import multiprocessing
import resource
import signal
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from multiprocessing.connection import Connection, wait
from time import monotonic
from typing import Any, Generic, TypeVar

ResultT = TypeVar("ResultT")

PROCESSES = 2
MEMORY = 3 << 30
"""Bytes of address space of one process: a search without bounds must not take the machine with it."""

_FORK = multiprocessing.get_context("fork")


class TooSlowError(BaseException):
    """A task took too long. No `Exception`, so that the code under test cannot catch it by accident."""


@dataclass
class _Worker(Generic[ResultT]):
    """A process with the numbers of the tasks that it still has to do."""

    task: Callable[[int], ResultT]
    tasks: deque[int]
    seconds: int
    receiver: Connection = field(init=False)
    since: float = field(init=False)

    def start(self) -> None:
        self.receiver, sender = _FORK.Pipe(duplex=False)
        self.process = _FORK.Process(target=self._work, args=(sender,), daemon=True)
        self.process.start()
        self.since = monotonic()
        sender.close()  # so that the receiver notices the end of the process

    def _work(self, sender: Connection) -> None:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        for number in self.tasks:
            sender.send(limited(partial(self.task, number), self.seconds))

    def hangs(self) -> bool:
        """Whether not even the alarm got through, as within a call into C."""
        return monotonic() - self.since > 2 * self.seconds + 5


def run_all(task: Callable[[int], ResultT], count: int, seconds: int) -> list[ResultT | str]:
    """The result of `task(n)` for each n below `count`; where there is none, the reason in a few words.

    Each task may take so many seconds. The processes are forked: a task may use all that its caller has in memory.
    """
    results: list[ResultT | str] = ["not run"] * count
    gc.collect()
    gc.freeze()
    workers = [_Worker(task, deque(range(first, count, PROCESSES)), seconds) for first in range(PROCESSES)]
    _start(workers)
    while running := {worker.receiver: worker for worker in workers if worker.tasks}:
        for receiver in wait(list(running), timeout=1):
            worker = running[receiver]  # type: ignore[index]
            _receive(worker, results)
        for worker in running.values():
            if worker.tasks and worker.hangs():
                worker.process.kill()
    gc.unfreeze()
    return results


def _start(workers: Iterable[_Worker[Any]]) -> None:
    for worker in workers:
        if worker.tasks:
            worker.start()


def _receive(worker: _Worker[Any], results: list[Any]) -> None:
    """Take what a process reports about the first of its tasks; where it died of that task, another one goes on."""
    try:
        result, died = worker.receiver.recv(), False
    except EOFError:
        result, died = "died or hung", True
    results[worker.tasks.popleft()] = result
    worker.since = monotonic()
    if died:
        _start([worker])


def _stop(signal_number: int, frame: object) -> None:
    raise TooSlowError


def limited(call: Callable[[], ResultT], seconds: int) -> ResultT | str:
    """What a call returns; where it raises or takes more than so many seconds, the reason in a few words."""
    try:
        signal.signal(signal.SIGALRM, _stop)
        signal.alarm(seconds)
        try:
            return call()
        finally:
            signal.alarm(0)
    except TooSlowError:
        return f"took more than {seconds} s"
    except Exception as error:  # noqa: BLE001 - whatever the code under test raises is a result
        return f"{type(error).__name__}: {error}"[:300]
