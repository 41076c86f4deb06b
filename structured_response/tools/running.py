"""Running one call of a tool, within its time: in a thread, on an event loop, or in a process that can be killed."""

from __future__ import annotations

import asyncio
import inspect
import os
import signal
from collections.abc import Awaitable, Callable
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from contextvars import copy_context
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from threading import Thread
from time import perf_counter
from typing import Any

import orjson
from pydantic import BaseModel

from ..errors import NotRunnableError
from .results import error_text, result_text
from .tool import Tool, ToolContext

_GRACE = 0.5  # seconds that a cancelled coroutine, or a process with its result, has for cleaning up


@dataclass(frozen=True)
class Outcome:
    """What came of a call.

    Attributes:
        text: The result or the error, for the language model.
        error: Whether the tool failed or took too long.
        seconds: How long it took.
        is_running: Whether the tool still runs although its time is over.
        value: What the function returned, or None if it ran in another process.
    """

    text: str
    error: bool = False
    seconds: float = 0.0
    is_running: bool = False
    value: Any = None


def run_tool(tool: Tool, arguments: Any, context: Any = None, *, call_id: str | None = None) -> Outcome:
    """Runs a tool.

    Args:
        tool: The tool.
        arguments: A Pydantic model, or a dict.
        context: The `context` of its `ToolContext`.
        call_id: The id of the call.

    Returns:
        The outcome. Whatever the tool raises is an error in it.

    Raises:
        NotRunnableError: The tool has no function.
    """
    started = perf_counter()
    future = _started(tool, _given(tool, arguments, context, call_id))
    patience = tool.timeout
    if patience is not None and _runs_on_loop(tool):
        patience += 2 * _GRACE  # its event loop gives it up by itself
    try:
        outcome = future.result(patience)
    except TimeoutError:
        outcome = _timed_out(tool.timeout, is_running=tool.isolate == "thread")
    finally:
        future.cancel()
    return replace(outcome, seconds=perf_counter() - started)


async def arun_tool(tool: Tool, arguments: Any, context: Any = None, *, call_id: str | None = None) -> Outcome:
    """Runs a tool. An async one runs on this event loop. See `run_tool`."""
    started = perf_counter()
    given = _given(tool, arguments, context, call_id)
    if _runs_on_loop(tool):
        assert tool.function is not None
        outcome = await _awaited(tool.function(**given), tool.timeout)
    else:
        future = asyncio.wrap_future(_started(tool, given))
        try:
            outcome = await asyncio.wait_for(future, tool.timeout)
        except TimeoutError:
            outcome = _timed_out(tool.timeout, is_running=tool.isolate == "thread")
    return replace(outcome, seconds=perf_counter() - started)


def _given(tool: Tool, arguments: Any, context: Any, call_id: str | None) -> dict[str, Any]:
    """Returns the arguments of the function by their names."""
    if tool.function is None:
        raise NotRunnableError(tool.name)
    given = dict(vars(arguments) if isinstance(arguments, BaseModel) else arguments)
    return given if tool.context is None else {**given, tool.context: ToolContext(context, tool.name, call_id)}


def _runs_on_loop(tool: Tool) -> bool:
    """Returns whether a tool runs on an event loop, which can cancel it."""
    function: Any = tool.function
    return tool.isolate == "thread" and any(map(inspect.iscoroutinefunction, (function, type(function).__call__)))


def _timed_out(timeout: float | None, is_running: bool) -> Outcome:
    rest = "; it still runs, and its result will be lost" if is_running else ""
    return Outcome(f"timed out after {timeout:g} s{rest}", error=True, is_running=is_running)


def _outcome(work: Callable[[], Any], timeout: float | None = None) -> Outcome:
    """Returns what comes of a function, on an event loop of its own if it is async. In a thread of its own, even the
    end of the program is an error of the tool.
    """
    try:
        value = work()
        if inspect.isawaitable(value):
            return asyncio.run(_awaited(value, timeout))
        return Outcome(result_text(value), value=value)
    except BaseException as error:  # noqa: BLE001
        return Outcome(error_text(error), error=True)


async def _awaited(awaitable: Awaitable[Any], timeout: float | None) -> Outcome:
    task = asyncio.ensure_future(awaitable)
    try:
        await asyncio.wait({task}, timeout=timeout)
        if not task.done():
            task.cancel()
            await asyncio.wait({task}, timeout=_GRACE)
            return _timed_out(timeout, is_running=not task.done())
    finally:
        task.cancel()
    return _outcome(task.result)


# In a thread


def started(work: Callable[[Future[Any]], Any], name: str) -> Future[Any]:
    """Starts a function, which gets the future of its result, in a daemon thread: that ends with the program."""
    future: Future[Any] = Future()

    def run() -> None:
        with suppress(InvalidStateError):  # it was given up
            try:
                future.set_result(work(future))
            except BaseException as error:  # noqa: BLE001 - whoever waits for it must not wait forever
                future.set_exception(error)

    Thread(target=copy_context().run, args=(run,), name=name, daemon=True).start()
    return future


def _started(tool: Tool, given: dict[str, Any]) -> Future[Outcome]:
    """Starts a tool. To cancel the future kills a process, and leaves a thread alone."""
    assert tool.function is not None
    work = partial(tool.function, **given)
    if tool.isolate == "process":
        return started(partial(_in_process, tool.name, work), f"tool {tool.name}")
    return started(lambda _future: _outcome(work, tool.timeout), f"tool {tool.name}")


# In a process


def _in_process(name: str, work: Callable[[], Any], future: Future[Outcome]) -> Outcome:
    """Runs a tool in a fresh process, and kills it once the future is cancelled. Its result comes back as text."""
    spawn = get_context("spawn")
    receiver, sender = spawn.Pipe(duplex=False)
    process = spawn.Process(target=_child, args=(sender, work), name=f"tool {name}", daemon=True)
    try:
        process.start()
    except Exception as error:  # noqa: BLE001 - whatever an argument raises that cannot be sent
        return Outcome(f"the arguments cannot be sent to a process: {error_text(error)}", error=True)
    sender.close()
    future.add_done_callback(lambda _: _kill(process))
    try:
        return Outcome(**orjson.loads(receiver.recv_bytes()))
    except (EOFError, OSError):
        process.join(_GRACE)
        return Outcome(f"the process ended with exit code {process.exitcode} and no result", error=True)
    finally:
        receiver.close()
        process.join(_GRACE)  # it may have something to write still
        process.kill()
        process.join()


def _kill(process: SpawnProcess) -> None:
    """Kills a process that still runs, with those that it has started where a system has groups of processes."""
    if process.is_alive() and hasattr(os, "killpg"):
        with suppress(ProcessLookupError, PermissionError):  # it has no group of its own yet, or no more
            os.killpg(process.pid or 0, signal.SIGKILL)
    process.kill()


def _child(sender: Connection, work: Callable[[], Any]) -> None:
    """Runs a tool in its own process."""
    if hasattr(os, "setpgrp"):
        os.setpgrp()
    outcome = _outcome(work)
    sender.send_bytes(orjson.dumps({"text": outcome.text, "error": outcome.error}))
