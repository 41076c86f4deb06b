"""Asking a language model until its reply is valid: `ask`, `ask_many`, their async twins, and their results."""

from .api import aask, ask
from .conversation import Order
from .many import AskMany, AsyncAskMany, aask_many, ask_many
from .result import AskOptions, AskResult, Attempt, ManyOptions, Mode, Refusal, Request, Truncated
from .spending import Budget, Price
from .streaming import AskStream, AsyncAskStream
from .templates import Templates

__all__ = [
    "AskMany",
    "AskOptions",
    "AskResult",
    "AskStream",
    "AsyncAskMany",
    "AsyncAskStream",
    "Attempt",
    "Budget",
    "ManyOptions",
    "Mode",
    "Order",
    "Price",
    "Refusal",
    "Request",
    "Templates",
    "Truncated",
    "aask",
    "aask_many",
    "ask",
    "ask_many",
]
