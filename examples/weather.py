"""From a model to a prompt, from a reply to data: the whole way, with a recorded reply for the API call."""

from enum import Enum

from pydantic import BaseModel, Field

from structured_response import StructuredResponse


class ChanceScale(Enum):
    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


class Rain(BaseModel):
    chance: ChanceScale = Field(description="The chance of rain, low is less than 25%, high more than 75%")
    when: str = Field(description="The time of day when rain is or is not expected")


class Weather(BaseModel):
    location: str = Field(description="The place that the forecast is for")
    rain: list[Rain] = Field(description="The chances of rain through the day")
    high: float = Field(ge=-20, le=60, description="The high temperature in degrees Celsius")
    storm_tonight: bool = Field(description="Whether there will be a storm tonight")


def ask_a_language_model(prompt: str) -> str:
    """Here goes the call of whatever model you use: it takes a text and gives a text."""
    assert "<weather>" in prompt
    return """\
Sure! Here is the forecast:

```xml
<weather>
    <location>Annecy, Savoie &amp; Mont Blanc</location>
    <rain>
        <li><chance>low</chance><when>morning</when></li>
        <li><chance>high</chance><when>evening</when></li>
    </rain>
    <high>24.0</high>
    <storm_tonight>false</storm_tonight>
</weather>
```
"""


def main() -> None:
    response = StructuredResponse.from_basemodel(Weather)
    reply = ask_a_language_model(f"How is the weather? Respond as instructed {response.to_prompt()}")

    response.from_prompt(reply)
    print(response.instance.location)  # a Box: a dot for every field
    print(response.instance.rain[1].chance)

    weather = response.to_basemodel()  # your own class, validated
    assert weather.rain[1].chance is ChanceScale.HIGH

    cached = response.serialize()  # one string, for any cache
    assert StructuredResponse.deserialize(cached, model=Weather) == response


if __name__ == "__main__":
    main()
