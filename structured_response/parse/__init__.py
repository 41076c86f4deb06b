"""A reply -> the answer it holds."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any

from ..definition import Plan
from .quick import Answer, quick_reader

__all__ = ["Answer", "read", "read_all"]


def read(plan: Plan, reply: str, context: Any = None) -> Answer:
    """Reads a reply. Raises nothing for what a reply holds; what a model's own validators raise passes through."""
    answer: Answer = quick_reader(plan)(reply, context) or _careful().read_carefully(plan, reply, context)
    return answer


def read_all(plan: Plan, reply: str, context: Any = None) -> list[Answer]:
    """Every answer of a reply that is not reasoning, in the order of the reply, each with its own findings."""
    answers: list[Answer] = _careful().read_all(plan, reply, context)
    return answers


@cache
def _careful() -> ModuleType:
    """The readers of all other replies, imported for the first of those: their patterns take long to compile."""
    return import_module(".reader", __package__)
