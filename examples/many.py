"""Asking many questions with a journal: after a crash, only what was not answered yet is asked."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, Field

from structured_response import AskError, Completion, Usage, ask_many

PLANTS = ("oak", "fern", "moss", "rose", "cactus", "ivy", "lotus", "maple", "mint", "yew")
CRASHED = 4  # results of the first run


class Care(BaseModel):
    plant: str
    litres: float = Field(ge=0, description="Water for a week")


def complete(messages: Sequence[Any]) -> Completion:
    """Here goes the call of your model, or one of `structured_response.clients`. This one knows nothing of ivy."""
    time.sleep(0.05)
    plant = messages[1]["content"].split()[-1]  # behind the system message, which has the form of the answer
    litres = "a lot" if plant == "ivy" else len(plant) / 4
    reply = f"<care><plant>{plant}</plant><litres>{litres}</litres></care>"
    return Completion(reply, "stop", Usage(input_tokens=150, output_tokens=30))


def tasks() -> Iterator[str]:
    """They may come from a file or a database: each is taken when it is asked."""
    return (f"How much water does it need: {plant}" for plant in PLANTS)


def run(journal: Path, stop: int) -> None:
    with ask_many(complete, tasks(), Care, journal=journal, key="demo", concurrency=2, attempts=2) as results:
        for number, result in enumerate(results, 1):
            told = f"failed, {result.problems[0]}" if isinstance(result, AskError) else result.value
            cached = all(attempt.cached for attempt in result.attempts)
            print(f"{result.index}: {told}{' (from the journal)' if cached else ''}")
            if number == stop:
                break
    print("paid:", results.usage, "\n")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        journal = Path(folder, "care.sqlite")
        run(journal, CRASHED)
        run(journal, len(PLANTS))


if __name__ == "__main__":
    main()
