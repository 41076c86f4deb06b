"""A reply -> the answer it holds."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any, cast

from ..definition import Plan
from .how import BadItem, Format, How, how
from .quick import Answer, quick_reader

__all__ = ["Answer", "BadItem", "Format", "How", "how", "read", "read_all"]

_AS_EVER = How()


def read(plan: Plan, reply: str, context: Any = None, how: How = _AS_EVER) -> Answer:
    """Reads a reply. Raises nothing for what a reply holds; what a model's own validators raise passes through."""
    answer = quick_reader(plan)(reply, context) if how.format in (None, "xml") else None
    return answer or cast("Answer", _careful().read_carefully(plan, reply, context, how))


def read_all(plan: Plan, reply: str, context: Any = None, how: How = _AS_EVER) -> list[Answer]:
    """Every answer of a reply that is not reasoning, in the order of the reply, each with its own findings."""
    answers: list[Answer] = _careful().read_all(plan, reply, context, how)
    return answers


@cache
def _careful() -> ModuleType:
    """The readers of all other replies, imported for the first of those: their patterns take long to compile."""
    return import_module(".reader", __package__)
