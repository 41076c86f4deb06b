"""Asking a language model until its reply is the data: `ask`, `aask`, and their results."""

from .api import aask, ask
from .result import AskOptions, AskResult, Attempt, Refusal, Truncated
from .streaming import AskStream, AsyncAskStream

__all__ = ["AskOptions", "AskResult", "AskStream", "AsyncAskStream", "Attempt", "Refusal", "Truncated", "aask", "ask"]
