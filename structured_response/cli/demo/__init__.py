"""The demo: one call of `ask`, step by step. Two recorded replies answer in a language model's place."""

from collections.abc import Iterator
from enum import Enum
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory

from pydantic import BaseModel, Field
from rich.console import Console
from rich.pretty import pretty_repr
from rich.rule import Rule
from rich.text import Text

from ... import Attempt, StructuredResponse, ask
from ...cache import SqliteCache
from ..terminal import carets_under, change, highlighted

QUESTION = "What will the weather be like in Annecy today?"
WIDEST, NARROWEST = 100, 20  # columns of the page, and of the text right of an indentation


class ChanceScale(Enum):
    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


class RainProbability(BaseModel):
    chance: ChanceScale = Field(description="The chance of rain, where low is less than 25% and high is more than 75%")
    when: str = Field(description="The time of day when the rain is or is not expected")


class WeatherPrognosis(BaseModel):
    location: str = Field(description="The location of the weather forecast")
    current_temperature: float = Field(description="The current temperature in degrees Celsius")
    overall_rain_prob: RainProbability = Field(description="The day's rain chance")
    rain_probability_timebound: list[RainProbability] | None = Field(
        description="List of chances of rain, where low is less than 25% and high is more than 75%"
    )
    hourly_index: list[int] = Field(description="List of hourly UV index in the range of 1-10")
    wind_speed: float = Field(description="The wind speed in km/h")
    high: float = Field(ge=-20, le=60, description="The high temperature in degrees Celsius")
    low: float = Field(description="The low temperature in degrees Celsius")
    storm_tonight: bool = Field(description="Whether there will be a storm tonight")


def show(console: Console) -> bool:
    """Ask twice, and show what happened. True if the second answer is the first one, from the cache."""
    console.width = min(console.width, WIDEST)
    prompt = f"{QUESTION} Answer with:\n{StructuredResponse.from_basemodel(WeatherPrognosis).to_prompt()}"
    answers = replies()
    with TemporaryDirectory() as folder, SqliteCache(Path(folder, "replies.sqlite")) as cache:
        asked, again = (
            ask(lambda _: next(answers), prompt, WeatherPrognosis, cache=cache, key="demo") for _ in range(2)
        )
        held = cache.stats()
    first, second = asked.attempts
    _section(console, "1  The prompt, made of a Pydantic model", highlighted(first.prompt, "xml"))
    _section(console, "2  The reply, what was mended in it, and what is wrong", *annotated(first))
    _section(console, "3  The second question asks for that alone", highlighted(second.prompt, "xml"))
    model = highlighted(pretty_repr(asked.value, max_width=console.width), "python")
    _section(console, "4  Its reply, and the validated model", highlighted(second.reply.strip(), "xml"), model)
    calls = sum(not attempt.cached for attempt in again.attempts)
    same = again.value == asked.value
    told = f"{held.entries} replies, {held.bytes:,} bytes. Asked again: {calls} calls, equal: {same}"
    _section(console, "5  The cache", Text(told))
    return same and not calls


def replies() -> Iterator[str]:
    yield (files(__package__) / "reply.txt").read_text("utf-8")
    yield "<weather_prognosis><high>24.0</high></weather_prognosis>"


def annotated(attempt: Attempt) -> Iterator[Text]:
    """Yields the lines of a reply, each with its findings below it, and carets under their places."""
    offset = 0
    found = [(repair.span, change(repair), "yellow") for repair in attempt.repairs]
    found += [(problem.span, problem.message, "bold red") for problem in attempt.problems if problem.span]
    for line in attempt.reply.splitlines(keepends=True):
        yield highlighted(line.rstrip("\n"), "xml")
        for span, words, style in found:
            if offset <= span[0] < offset + len(line):
                yield Text(f"{carets_under(line, span[0] - offset, span[1] - offset)} {words}", style)
        offset += len(line)


def _section(console: Console, title: str, *content: Text) -> None:
    console.print(Rule(Text(title, style="bold cyan"), align="left", style="cyan"))
    for line in (line for text in content for line in text.split("\n")):
        start = len(line.plain) - len(line.plain.lstrip())
        indent = min(start, console.width - NARROWEST)
        for piece in line[start:].wrap(console, console.width - indent):
            piece.rstrip()
            console.print(Text(" " * indent) + piece)
