"""Asking a language model until its reply is the data: `ask`, `aask`, and their results."""

from .api import aask, ask
from .result import AskOptions, AskResult, Attempt, Refusal, Truncated

__all__ = ["AskOptions", "AskResult", "Attempt", "Refusal", "Truncated", "aask", "ask"]
