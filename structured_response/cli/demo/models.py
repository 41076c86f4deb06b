# Shown on terminals of 80 columns, where a longer line would be folded.
# fmt: off
"""The weather models of the demo, as an application would have them: nothing in them knows this library."""

from enum import Enum

from pydantic import BaseModel, Field


class ChanceScale(Enum):
    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


class RainProbability(BaseModel):
    chance: ChanceScale = Field(
        description="The chance of rain, where low is less than 25% "
        "and high is more than 75%",
    )
    when: str = Field(
        description="The time of day when the rain is or is not expected",
    )


class WeatherPrognosis(BaseModel):
    location: str = Field(
        description="The location of the weather forecast",
    )
    current_temperature: float = Field(
        description="The current temperature in degrees Celsius",
    )
    overall_rain_prob: RainProbability = Field(
        description="The day's rain chance",
    )
    rain_probability_timebound: list[RainProbability] | None = Field(
        description="List of chances of rain, where low is less than 25% "
        "and high is more than 75%",
    )
    hourly_index: list[int] = Field(
        description="List of hourly UV index in the range of 1-10",
    )
    wind_speed: float = Field(
        description="The wind speed in km/h",
    )
    high: float = Field(
        ge=-20,
        le=60,
        description="The high temperature in degrees Celsius",
    )
    low: float = Field(
        description="The low temperature in degrees Celsius",
    )
    storm_tonight: bool = Field(
        description="Whether there will be a storm tonight",
    )
