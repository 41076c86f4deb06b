"""What the demo runs, step by step. The demo shows this very source, so each step reads as a user's own code would."""

from pathlib import Path

from structured_response import StructuredResponse
from structured_response.demo.models import WeatherPrognosis


def ask(question: str) -> tuple[StructuredResponse, str]:
    """The model class becomes a prompt that says, field by field, what is wanted. It stands behind your own
    question and goes to whatever language model you like: all it takes is text in, text out."""
    response = StructuredResponse.from_basemodel(WeatherPrognosis)
    return response, f"{question} Respond as instructed:\n\n{response.to_prompt()}"


def read(response: StructuredResponse, reply: str) -> str:
    """The reply goes in as it came; prose, fence and entities are no concern of yours. What it says is now in
    the instance, typed, with a dot for every field."""
    today = response.from_prompt(reply).instance
    return f"{today.location}: {today.overall_rain_prob.chance} chance of rain, {today.overall_rain_prob.when}"


def validate(response: StructuredResponse) -> WeatherPrognosis:
    """Your own class, validated: enum members, limits and validators are what the model says they are."""
    weather: WeatherPrognosis = response.to_basemodel()
    return weather


def cache(response: StructuredResponse, file: Path) -> bool:
    """Definition and instance fit into one string, for any cache there is. What comes out is what went in."""
    file.write_text(response.serialize(), encoding="utf-8")
    again = StructuredResponse.deserialize(file.read_text(encoding="utf-8"), model=WeatherPrognosis)
    return again == response and again.to_basemodel() == response.to_basemodel()
