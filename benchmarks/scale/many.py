"""A process that asks many questions with a journal, killed now and then, and begun anew.

    python -m benchmarks.scale.many [--tasks 20000] [--kills 2] [--concurrency 32] [--async]

The server on loopback answers after a delay, and now and then with 429 or 500. In the end each task must have its own
answer; and of all replies, which are what is paid for, only those may have been sent twice that were in flight when
the process was killed.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from pydantic import BaseModel

from structured_response import AskError, AskResult, Completion, Usage, aask_many, ask_many
from tests.chat_server import Move, Refused, Text, chat_server

PATIENCE = 1_800.0  # seconds until the whole is given up
_LIMITS = httpx.Limits(max_connections=None)


class Doubled(BaseModel):
    """What is asked for: twice the number of the task."""

    number: int


@dataclass
class Provider:
    """What the server says, and how often it has answered each task."""

    failing: float
    chance: random.Random = field(default_factory=lambda: random.Random(1))
    replies: Counter[int] = field(default_factory=Counter)
    errors: int = 0

    def __call__(self, messages: list[dict[str, Any]]) -> Move:
        if self.chance.random() < self.failing:
            self.errors += 1
            return Refused(self.chance.choice((429, 500)))
        task = int(messages[-1]["content"].split()[-1])
        self.replies[task] += 1
        return Text(f"<doubled><number>{2 * task}</number></doubled>")


@dataclass
class Outcome:
    """What came of it. `lines` are those of the last process, one for each result."""

    tasks: int
    kills: int = 0
    seconds: float = 0.0
    replies: int = 0
    paid_again: int = 0
    errors: int = 0
    lines: list[str] = field(default_factory=list)

    @property
    def wrong(self) -> set[str]:
        """The answers that are missing, or are not those of their tasks."""
        return {f"{task} {2 * task}" for task in range(self.tasks)} ^ {*self.lines}

    def is_good(self, concurrency: int) -> bool:
        return not self.wrong and self.kills > 0 and self.paid_again <= self.kills * concurrency


def run(
    tasks: int, kills: int, concurrency: int, *, is_async: bool = False, delay: float = 0.02, failing: float = 0.05
) -> Outcome:
    """Begins the process and kills it after equal numbers of replies, until it has come to its end."""
    outcome, provider, started = Outcome(tasks), Provider(failing), time.monotonic()
    with tempfile.TemporaryDirectory() as folder, chat_server(provider) as server:
        server.delay = delay
        command = [sys.executable, "-m", "benchmarks.scale.many", "--answer", server.url]
        command += ["--journal", str(Path(folder, "journal.sqlite")), "--tasks", str(tasks)]
        command += ["--concurrency", str(concurrency), *(["--async"] if is_async else [])]
        while not outcome.lines and time.monotonic() - started < PATIENCE:
            with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
                if outcome.kills < kills:
                    _wait(process, provider, tasks * (outcome.kills + 1) // (kills + 1))
                    outcome.kills += process.poll() is None
                    process.kill()
                else:
                    outcome.lines = process.communicate()[0].splitlines()
    outcome.seconds = time.monotonic() - started
    outcome.replies, outcome.errors = provider.replies.total(), provider.errors
    outcome.paid_again = outcome.replies - len(provider.replies)
    return outcome


def _wait(process: subprocess.Popen[str], provider: Provider, replies: int) -> None:
    """Until the server has sent so many replies, or the process has ended."""
    while process.poll() is None and len(provider.replies) < replies:
        time.sleep(0.01)


def answer(url: str, journal: str, tasks: int, concurrency: int, is_async: bool) -> None:
    """What the process does: asks, and prints each result at the end."""
    logging.getLogger("structured_response").setLevel(logging.ERROR)  # not each retry
    options: Any = {"journal": journal, "key": "any", "concurrency": concurrency, "max_wait": 1, "retries": 20}
    prompts = (f"Double this number: {task}" for task in range(tasks))
    if is_async:
        results = asyncio.run(_answer(url, prompts, options))
    else:
        with httpx.Client(base_url=url, limits=_LIMITS) as client:
            results = list(ask_many(lambda messages: _completion(_post(client, messages)), prompts, Doubled, **options))
    print(*(_line(result) for result in results), sep="\n")


async def _answer(url: str, prompts: Iterator[str], options: Any) -> list[AskResult[Doubled] | AskError]:
    async with httpx.AsyncClient(base_url=url, limits=_LIMITS) as client:

        async def complete(messages: Any) -> Completion:
            return _completion(await _post(client, messages))

        return [each async for each in aask_many(complete, prompts, Doubled, **options)]


def _post(client: Any, messages: Any) -> Any:
    return client.post("/chat/completions", json={"model": "any", "messages": messages})


def _completion(response: httpx.Response) -> Completion:
    data = response.raise_for_status().json()
    usage = Usage(data["usage"]["prompt_tokens"], data["usage"]["completion_tokens"])
    return Completion(data["choices"][0]["message"]["content"], data["choices"][0]["finish_reason"], usage)


def _line(result: AskResult[Doubled] | AskError) -> str:
    return f"{result.index} {result if isinstance(result, AskError) else result.value.number}"


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--tasks", type=int, default=20_000)
    parser.add_argument("--kills", type=int, default=2)
    parser.add_argument("--concurrency", type=int, default=32)
    parser.add_argument("--async", action="store_true", dest="is_async", help="with aask_many")
    parser.add_argument("--answer", metavar="URL", help=argparse.SUPPRESS)
    parser.add_argument("--journal", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.answer:
        answer(given.answer, given.journal, given.tasks, given.concurrency, given.is_async)
        return 0
    outcome = run(given.tasks, given.kills, given.concurrency, is_async=given.is_async)
    print(f"{outcome.tasks} tasks, {outcome.kills} kills, {outcome.seconds:.0f} s, {outcome.errors} times 429 or 500")
    print(f"{outcome.replies} replies, {outcome.paid_again} of them sent again, {len(outcome.wrong)} answers wrong")
    return not outcome.is_good(given.concurrency)


if __name__ == "__main__":
    sys.exit(main())
