"""The worked example: a weather forecast asked for, read, validated and cached."""

from .models import ChanceScale, RainProbability, WeatherPrognosis

__all__ = ["ChanceScale", "RainProbability", "WeatherPrognosis"]
