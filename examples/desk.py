"""The support desk of the tutorial: it sorts mails, answers one with tools, and works through many.

python examples/desk.py                            # a FakeModel answers: no key, no network
MODEL=openai:gpt-5-mini python examples/desk.py    # a real language model
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, Field

from structured_response import AskError, ask, ask_many
from structured_response.cache import SqliteCache
from structured_response.testing import FakeModel
from structured_response.tools import Toolbox, act

MAIL = "Hi, the lamp of order 4711 died after two days and smells burnt. What now?"
MAILS = ("The chair wobbles.", "Where is my order 17?", "The sofa is great!")
ORDERS = {4711: "1 lamp, 39.90 euros, sent on 2026-11-20"}


class Ticket(BaseModel):
    title: str = Field(description="The complaint in one line")
    urgency: Literal["low", "medium", "high"]
    order: int | None = Field(None, description="The number of the order, if the mail has one")


class Answer(BaseModel):
    text: str = Field(description="The answer to the customer, as HTML")
    refund: bool


def look_up(order: int) -> str:
    """Look up an order.

    Args:
        order: Its number.
    """
    return ORDERS.get(order, "there is no such order")


def sort(model: Any, folder: Path) -> Ticket:
    """A mail as a ticket. The same mail is paid for once."""
    with SqliteCache(folder / "replies.sqlite") as cache:
        return ask(model, f"Sort this mail:\n\n{MAIL}", Ticket, cache=cache).value


def answer_live(model: Any) -> Answer:
    """The answer to a mail, shown while it is written."""
    stream = ask(model, f"Answer this mail:\n\n{MAIL}", Answer, stream=True)
    shown = ""
    for part in stream:
        text = part.instance.text or ""
        print(text[len(shown) :], end="", flush=True)
        shown = text
    print()
    return stream.result.value


def answer_with_tools(model: Any) -> Answer:
    """The answer to a mail, after a look at the order."""
    done = act(model, f"Answer this mail:\n\n{MAIL}", Toolbox(look_up), Answer)
    for turn in done.turns:
        for ran in turn.results:
            print(ran.call.name, ran.call.arguments, "->", ran.outcome.text if ran.outcome else "pending")
    return done.value


def sort_all(model: Any, folder: Path) -> None:
    """Many mails at a time. After a crash, what was paid for is in the journal."""
    tasks = (f"Sort this mail:\n\n{mail}" for mail in MAILS)
    for result in ask_many(model, tasks, Ticket, journal=folder / "mails.sqlite"):
        print("failed" if isinstance(result, AskError) else result.value.urgency)


def main() -> None:
    name = os.environ.get("MODEL")
    html = "<p>We are <b>sorry</b>! A new lamp is on its way.</p>"
    answer = f"<answer><text>{html}</text><refund>false</refund></answer>"
    call = "I look at the order first.\n<call tool='look_up'><order>4711</order></call>"
    with tempfile.TemporaryDirectory() as name_of_folder:
        folder = Path(name_of_folder)
        print(sort(name or FakeModel(Ticket), folder))
        print(answer_live(name or FakeModel([answer])))
        print(answer_with_tools(name or FakeModel([call, answer])))
        sort_all(name or FakeModel(Ticket, seed=3), folder)


if __name__ == "__main__":
    main()
