"""What reading gives, and what a program may choose about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

from ..findings import Problem, ProblemKind, Repair, Span

__all__ = ["Answer", "BadItem", "Format", "How", "how", "no_answer"]

Format: TypeAlias = Literal["xml", "json", "yaml"]
"""The format in which an answer is expected."""

BadItem: TypeAlias = Literal["raise", "drop", "keep"]
"""The policy for an item of a list that has a problem in it."""


@dataclass(slots=True)
class Answer:
    """What a reply says.

    `data` is typed by the definition, or a tree of texts where `is_typed` is false, which happens only to
    answers without a problem. `model` is the validated model, or None where there is none. An answer that
    is not `found` has no data at all. `truncated` is the path at which the reply broke off, or None.
    `is_tolerated`: its problems, if any, are such as the program accepts.
    """

    data: Any = None
    is_typed: bool = True
    model: Any = None
    repairs: Sequence[Repair] = ()
    problems: Sequence[Problem] = ()
    found: bool = True
    truncated: str | None = None
    is_tolerated: bool = False


class How(NamedTuple):
    """The options of one reading. `context` is for the model's validators; `examples` are those that prompts showed,
    each as data that compares equal to what reading it gives.
    """

    format: Format | None = None
    on_bad_item: BadItem = "raise"
    repair: bool = True
    context: Any = None
    examples: tuple[tuple[Any, ...], ...] = ()


def how(format: object, on_bad_item: object, repair: object) -> How:
    """The options, checked. Raises `TypeError` or `ValueError` naming what may be chosen."""
    if format is not None:
        _check("format", format, get_args(Format), " or None")
    _check("on_bad_item", on_bad_item, get_args(BadItem))
    if not isinstance(repair, bool):
        raise TypeError(f"repair is True or False, not {repair!r}"[:200])
    return How(format, on_bad_item, repair)  # type: ignore[arg-type]


def _check(name: str, value: object, choices: tuple[str, ...], more: str = "") -> None:
    if value not in choices:
        kind = ValueError if isinstance(value, str) else TypeError
        raise kind(f"{name} is one of {', '.join(map(repr, choices))}{more}, not {value!r}"[:200])


def no_answer(kind: ProblemKind, message: str, span: Span | None = None, said: str | None = None) -> Answer:
    """The answer of a reply that holds none."""
    return Answer(problems=[Problem(kind, "$", message, said, span=span)], found=False)
