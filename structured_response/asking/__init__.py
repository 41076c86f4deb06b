"""Asking a language model until its reply is the data: `ask`, `aask`, and what they give."""

from .api import aask, ask
from .result import AskResult, Attempt

__all__ = ["AskResult", "Attempt", "aask", "ask"]
