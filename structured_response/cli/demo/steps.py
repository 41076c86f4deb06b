"""What the demo runs, step by step. It shows this very source, so a step reads as a user's own code would."""

from pathlib import Path

from ... import StructuredResponse
from ... import ask as ask_until_right
from ...clients import replay
from .models import WeatherPrognosis

Response = StructuredResponse[WeatherPrognosis]


def ask(question: str) -> tuple[Response, str]:
    """The model class becomes a prompt that says, field by field, what is wanted.

    Put it behind your own question and send both to any language model: text in, text out.
    """
    response = StructuredResponse.from_basemodel(WeatherPrognosis)
    form = response.to_prompt()
    return response, f"{question} Respond as instructed:\n\n{form}"


def read(response: Response, reply: str) -> str:
    """The reply goes in as it came. The instance then has what it says, typed, a dot for every field."""
    today = response.from_prompt(reply).instance
    rain = today.overall_rain_prob
    return f"{today.location}: {rain.chance} chance of rain, {rain.when}"


def validate(response: Response) -> WeatherPrognosis:
    """And as your own class: with its enum members, its limits, its validators."""
    return response.to_basemodel()


def together(question: str, recording: Path) -> WeatherPrognosis:
    """All of it in one call, which asks again for what is wrong with a reply.

    Here a recording answers; `openai_chat`, `anthropic_messages` and any function of yours do as well.
    """
    _, prompt = ask(question)
    return ask_until_right(replay(recording), prompt, WeatherPrognosis).value


def cache(response: Response, file: Path) -> bool:
    """Definition and instance fit into one string, for any cache. What comes out is what went in."""
    file.write_text(response.serialize(), encoding="utf-8")
    text = file.read_text(encoding="utf-8")
    again = StructuredResponse.deserialize(text, model=WeatherPrognosis)
    return again == response
