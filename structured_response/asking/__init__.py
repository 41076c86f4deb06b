"""Asking a language model until its reply is the data: `ask`, `ask_many`, their async twins, and their results."""

from .api import aask, ask
from .conversation import Order
from .many import AskMany, AsyncAskMany, aask_many, ask_many
from .result import AskOptions, AskResult, Attempt, ManyOptions, Refusal, Truncated
from .streaming import AskStream, AsyncAskStream

__all__ = [
    "AskMany",
    "AskOptions",
    "AskResult",
    "AskStream",
    "AsyncAskMany",
    "AsyncAskStream",
    "Attempt",
    "ManyOptions",
    "Order",
    "Refusal",
    "Truncated",
    "aask",
    "aask_many",
    "ask",
    "ask_many",
]
