"""Asking a language model until its reply is the data: `ask`, `aask`, and what they give."""

from .attempts import Asked, Attempt
from .run import aask, ask

__all__ = ["Asked", "Attempt", "aask", "ask"]
