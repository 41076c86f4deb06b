"""Asking until the reply is the data: what was wrong is asked for again alone, and what was answered is kept."""

from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel, Field

from structured_response import Attempt, Completion, Usage, ask
from structured_response.cache import MemoryCache


class Review(BaseModel):
    headline: str = Field(description="The review in one line")
    score: int = Field(ge=1, le=5, description="From 1 to 5")
    pros: list[str]


REPLIES = (
    "Sure! <review><headline>Bright & cheap</headline><score>many</score><pros><li>light</li></pros></review>",
    "<review><score>4</score></review>",
)


def complete(messages: Sequence[Any]) -> Completion:
    """Here goes the call of your model, or one of `structured_response.clients`. This one errs once."""
    return Completion(REPLIES[len(messages) // 2], "stop", Usage(input_tokens=200, output_tokens=40))


def tell(attempt: Attempt) -> None:
    print(f"-- {attempt}\n{attempt.reply}\n")
    if attempt.number > 1:
        print(f"   behind this question:\n{attempt.prompt}\n")


def main() -> None:
    cache = MemoryCache(100)
    asked = ask(complete, "Review this lamp.", Review, cache=cache, key="demo", on_attempt=tell)
    print(asked.value, asked.usage)
    again = ask(complete, "Review this lamp.", Review, cache=cache, key="demo")
    print("from the cache:", again.value == asked.value, again.usage)


if __name__ == "__main__":
    main()
