"""Asking a language model until its reply is the data: `ask`, `aask`, and what they give."""

from .api import AskOptions, aask, ask
from .conversation import Refusal, Truncated
from .result import AskResult, Attempt

__all__ = ["AskOptions", "AskResult", "Attempt", "Refusal", "Truncated", "aask", "ask"]
