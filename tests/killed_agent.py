"""An agent that kills its own process at some moment, if it is told to, and writes down what it does."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from structured_response.tools import ActResult, Toolbox, act

REPLIES = ("<call tool='pay'><amount>10</amount></call>", "<call tool='look'><topic>oil</topic></call>", "Done.")


def agent(folder: Path, dies: str = "", idempotent: bool = False) -> ActResult[str]:
    """Pays, looks something up, and is done. It dies at one of the moments that it notes."""

    def note(moment: str) -> None:
        with (folder / "done.txt").open("a") as file:
            file.write(f"{moment}\n")
        if moment == dies:
            os.kill(os.getpid(), signal.SIGKILL)

    def pay(amount: int) -> str:
        """Pays."""
        note(f"pay {amount}")
        return "paid"

    def look(topic: str) -> str:
        """Looks something up."""
        note(f"look {topic}")
        return "3 notes"

    def complete(messages: Sequence[Any]) -> str:
        turn = len(messages) // 2
        note(f"turn {turn}")
        return REPLIES[turn - 1]

    toolbox = Toolbox(look).add(pay, idempotent=idempotent)
    return act(complete, "Pay.", toolbox, journal=folder / "agent.sqlite", key="script")


if __name__ == "__main__":
    agent(Path(sys.argv[1]), sys.argv[2], sys.argv[3] == "True")
