"""Running one call: in a thread, on an event loop or in a process; what a language model reads of its outcome."""

from __future__ import annotations

import asyncio
import contextvars
import multiprocessing
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import StrEnum
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from structured_response import NotRunnableError, ToolError
from structured_response.tools import Outcome, Toolbox, ToolContext
from structured_response.tools.results import MAX_RESULT, NO_RESULT, error_text, result_text, shortened
from structured_response.tools.running import arun_tool, run_tool

WHO = contextvars.ContextVar("WHO", default="nobody")
GO_ON = threading.Event()


def run(function: Any, arguments: Any, **options: Any) -> Outcome:
    """Runs a tool from a program without an event loop."""
    (tool,) = Toolbox().add(function, **options)
    return run_tool(tool, arguments, "given")


def arun(function: Any, arguments: Any, **options: Any) -> Outcome:
    """Runs a tool from an event loop."""
    (tool,) = Toolbox().add(function, **options)
    return asyncio.run(arun_tool(tool, arguments, "given"))


RUNNERS = pytest.mark.parametrize("run", [run, arun])


def double(number: int) -> dict[str, int]:
    """Doubles."""
    return {"twice": number * 2}


async def adouble(number: int) -> dict[str, int]:
    """Doubles."""
    await asyncio.sleep(0)
    return {"twice": number * 2}


class Doubler:
    async def __call__(self, number: int) -> dict[str, int]:
        """Doubles."""
        return await adouble(number)


def later(number: int) -> Any:
    """Gives something to wait for."""
    return adouble(number)


@RUNNERS
@pytest.mark.parametrize("function", [double, adouble, later, Doubler()], ids=["sync", "async", "later", "object"])
def test_functions_run_from_anywhere(run: Callable[..., Outcome], function: Any) -> None:
    """Sync and async functions run from a program with and without an event loop, with text and value."""
    outcome = run(function, {"number": 3})
    assert (outcome.text, outcome.error, outcome.is_running) == ('{"twice":6}', False, False)
    assert outcome.value == {"twice": 6}
    assert outcome.seconds > 0


@pytest.mark.parametrize(("run", "function"), [(run, adouble), (arun, double), (run, Doubler())])
def test_functions_run_in_a_process(run: Callable[..., Outcome], function: Any) -> None:
    """A process gives the result as text, and no value."""
    outcome = run(function, {"number": 3}, isolate="process")
    assert (outcome.text, outcome.error, outcome.value) == ('{"twice":6}', False, None)


def who() -> str:
    """Says who."""
    return WHO.get()


async def awho() -> str:
    """Says who."""
    return WHO.get()


@RUNNERS
@pytest.mark.parametrize("function", [who, awho])
def test_context_variables_are_those_of_the_caller(run: Callable[..., Outcome], function: Any) -> None:
    """A tool sees the context variables of the code that runs it."""
    token = WHO.set("me")
    try:
        assert run(function, {}).text == "me"
    finally:
        WHO.reset(token)


class Strict(Exception):  # noqa: N818
    """Without a message."""


class Speechless(Exception):  # noqa: N818
    """Cannot say what is wrong."""

    def __str__(self) -> str:
        raise ValueError("no words")


def fail(error: Any) -> None:
    """Raises."""
    raise error


async def afail(error: Any) -> None:
    """Raises."""
    raise error


@RUNNERS
@pytest.mark.parametrize("function", [fail, afail])
@pytest.mark.parametrize(
    ("error", "text"),
    [
        (FileNotFoundError(2, "No such file", "a.txt"), "FileNotFoundError: [Errno 2] No such file: 'a.txt'"),
        (TimeoutError("of the tool itself"), "TimeoutError: of the tool itself"),
        (ToolError("use an absolute path"), "use an absolute path"),
        (Strict(), "Strict"),
        (Speechless(), "Speechless"),
        (ValueError("\ud800"), "ValueError: \ufffd"),
        (asyncio.CancelledError(), "CancelledError"),
    ],
    ids=lambda given: type(given).__name__,
)
def test_exceptions_are_errors_to_read(run: Callable[..., Outcome], function: Any, error: Any, text: str) -> None:
    """An exception becomes its type and its message, and a ToolError its message alone."""
    outcome = run(function, {"error": error}, timeout=9)
    assert (outcome.text, outcome.error, outcome.is_running) == (text, True, False)


def leave() -> None:
    """Ends the program, or would."""
    sys.exit("over")


def test_a_tool_does_not_end_the_program() -> None:
    """`sys.exit` in a tool ends its thread alone."""
    assert run(leave, {}).text == "SystemExit: over"


def wait(seconds: float) -> str:
    """Waits until the test is over."""
    GO_ON.wait(seconds)
    return "late"


async def await_(seconds: float) -> str:
    """Waits."""
    await asyncio.sleep(seconds)
    return "late"


async def never(seconds: float) -> str:
    """Does not let itself be cancelled at once."""
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        try:
            await asyncio.sleep(left)
        except asyncio.CancelledError:
            continue
    return "late"


def work(seconds: float) -> str:
    """Keeps a process busy."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass
    return "late"


@RUNNERS
@pytest.mark.parametrize(
    ("function", "isolate", "is_running"),
    [(wait, "thread", True), (await_, "thread", False), (never, "thread", True), (work, "process", False)],
    ids=["thread", "task", "uncancelled", "process"],
)
def test_time_outs(run: Callable[..., Outcome], function: Any, isolate: str, is_running: bool) -> None:
    """After its time a thread goes on, and is recorded; a task is cancelled, and a process killed."""
    started = time.monotonic()
    outcome = run(function, {"seconds": 1.4 if function is never else 4.0}, timeout=0.1, isolate=isolate)
    GO_ON.set()
    assert outcome.text.startswith("timed out after 0.1 s")
    assert (outcome.error, outcome.is_running, outcome.value) == (True, is_running, None)
    assert ("still runs" in outcome.text) == is_running
    while multiprocessing.active_children():
        time.sleep(0.01)
    assert time.monotonic() - started < 3.5
    GO_ON.clear()


def start_and_wait(path: str) -> None:
    """Starts a program, writes down its id and its own, and never ends."""
    program = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    Path(path).write_text(f"{os.getpid()} {program.pid}")
    program.wait()


def is_gone(process: int) -> bool:
    """Whether a process has ended, or does so in a moment."""
    for _ in range(300):
        try:
            state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            return True
        if state == "Z":  # whoever is to collect it is late
            return True
        time.sleep(0.01)
    return False


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs Linux's list of processes")
def test_a_process_is_killed_when_its_call_is_cancelled(tmp_path: Path) -> None:
    """To cancel the task that runs a tool kills the tool's process, and the programs that it has started."""
    (tool,) = Toolbox().add(start_and_wait, isolate="process")
    path = tmp_path / "pids"

    async def cancelled() -> None:
        running = asyncio.create_task(arun_tool(tool, {"path": str(path)}))
        while not (path.exists() and path.read_text()):
            await asyncio.sleep(0.01)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running

    asyncio.run(cancelled())
    assert all(is_gone(int(process)) for process in path.read_text().split())


def crash() -> None:
    """Ends its process at once."""
    os._exit(7)


def test_a_process_may_die() -> None:
    """A process that ends without a result is an error with its exit code."""
    outcome = run(crash, {}, isolate="process")
    assert (outcome.text, outcome.error) == ("the process ended with exit code 7 and no result", True)


def test_arguments_may_be_unsendable() -> None:
    """Arguments that cannot be sent to a process are an error, and no exception."""
    outcome = run(double, {"number": threading.Lock()}, isolate="process")
    assert outcome.error
    assert outcome.text.startswith("the arguments cannot be sent to a process: TypeError: cannot pickle")


SCRIPT = """
import time
from structured_response.tools import Toolbox
from structured_response.tools.running import run_tool

def sleep(seconds: float) -> str:
    time.sleep(seconds)
    return "late"

(tool,) = Toolbox().add(sleep, timeout=0.1)
print(run_tool(tool, {"seconds": 60.0}).is_running)
"""


def test_a_running_thread_does_not_hold_up_the_program() -> None:
    """A program ends although a tool still runs in it."""
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, timeout=30, check=True)
    assert done.stdout == "True\n"


INTERRUPTED = """
import _thread, signal, threading, time
from structured_response.tools import Toolbox
from structured_response.tools.running import run_tool

signal.signal(signal.SIGINT, signal.default_int_handler)  # which a shell may have switched off

def sleep(seconds: float) -> str:
    _thread.interrupt_main()
    time.sleep(seconds)
    return "late"

try:
    run_tool(next(iter(Toolbox(sleep))), {"seconds": 60.0})
except KeyboardInterrupt:
    print("interrupted")
"""


def test_an_interrupt_is_the_programs() -> None:
    """Ctrl-C while a tool runs raises KeyboardInterrupt in the program."""
    done = subprocess.run([sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, timeout=30, check=True)
    assert done.stdout == "interrupted\n"


class Point(BaseModel):
    x: int
    made: date


@dataclass
class Pair:
    left: bytes
    right: Any


class Colour(StrEnum):
    RED = "red"


class Odd:
    def __str__(self) -> str:
        return "odd"


def counted() -> Iterator[int]:
    """Counts."""
    yield from (1, 2)


CYCLE: list[Any] = []
CYCLE.append(CYCLE)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("as <it> is\n", "as <it> is\n"),
        ("\ud800", "\ufffd"),
        (None, NO_RESULT),
        (True, "true"),
        (2.5, "2.5"),
        (Colour.RED, "red"),
        ([Point(x=1, made=date(2026, 1, 2))], '[{"x":1,"made":"2026-01-02"}]'),
        (Pair(b"abc", {1: {"é"}}), '{"left":"<binary data, 3 bytes>","right":{"1":["é"]}}'),
        (Decimal("1.50"), '"1.50"'),
        ({"path": Path("a") / "b"}, f'{{"path":"{Path("a/b")}"}}'),
        (counted(), "[1,2]"),
        (2**70, str(2**70)),
        (CYCLE, "[[...]]"),
        (["\ud800"], "['\\ud800']"),
        (Odd(), '"odd"'),
        (b"\x89PNG\r\n\x1a\n....", "<image/png, 12 bytes>"),
        (bytearray(1234), "<binary data, 1,234 bytes>"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_results_are_texts(value: Any, text: str) -> None:
    """Texts stay as they are, bytes are told by type and size, and everything else is JSON, or else its `str`."""
    assert result_text(value) == text


def test_long_results_lose_their_middle() -> None:
    """Past 50,000 characters a result has its head, its tail, and how much is left out; so has an error."""
    text = result_text("a" * MAX_RESULT + "b" * 1_234)
    head, marker, tail = text.split("\n")
    assert (len(head), marker, len(tail)) == (25_000, "[... 1,234 characters are left out here ...]", 25_000)
    assert tail.endswith("b" * 1_234)
    assert len(error_text(ValueError("a" * 60_000))) < 51_000


@pytest.mark.parametrize("more", [-1, 0, 1, 99, MAX_RESULT])
def test_short_results_are_whole(more: int) -> None:
    """A text up to the limit is not touched, and a longer one never gets much longer than the limit."""
    text = "x" * (MAX_RESULT + more)
    assert shortened(text) == text if more <= 0 else len(shortened(text)) < MAX_RESULT + 60


def broken() -> Any:
    """Returns what has no text."""

    class Broken:
        def __str__(self) -> str:
            raise ValueError("no text")

    return Broken()


@RUNNERS
def test_a_result_without_a_text_is_an_error(run: Callable[..., Outcome]) -> None:
    """What a result raises when it is written as text is an error of the tool."""
    assert run(broken, {}).error


def needs_context(ctx: ToolContext[str]) -> str:
    """Says what it was given."""
    return ctx.context


@RUNNERS
def test_the_context_is_given(run: Callable[..., Outcome]) -> None:
    """A tool gets the program's context."""
    assert run(needs_context, {}).text == "given"


@RUNNERS
def test_a_tool_without_a_function_does_not_run(run: Callable[..., Outcome]) -> None:
    """A schema alone cannot run."""
    with pytest.raises(NotRunnableError):
        run({"name": "x", "input_schema": {"type": "object"}}, {})
