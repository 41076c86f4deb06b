"""What a program may choose about reading a reply."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, NamedTuple, TypeAlias, TypedDict, get_args

__all__ = ["BadItem", "Format", "ParseOptions", "ReadingOptions", "check_choice", "parse_options"]

Format: TypeAlias = Literal["xml", "json", "yaml"]
"""The format in which an answer is expected."""

BadItem: TypeAlias = Literal["raise", "drop", "keep"]
"""The policy for an item of a list that has a problem in it."""


class ReadingOptions(TypedDict, total=False):
    """The options of reading as keywords, for whatever reads a reply: `parse` and `ask` among others."""

    context: Any
    format: Format | None
    on_bad_item: BadItem
    repair: bool
    day_first: bool | None


class ParseOptions(NamedTuple):
    """The options of one reading, with what holds where one is not given.

    `context` is for the model's validators; `examples` are those that prompts showed, each as data that compares equal
    to what reading it gives.
    """

    format: Format | None = None
    on_bad_item: BadItem = "raise"
    repair: bool = True
    day_first: bool | None = None
    context: Any = None
    examples: tuple[tuple[Any, ...], ...] = ()


def parse_options(given: ReadingOptions, others: Iterable[str] = ("strict",)) -> ParseOptions:
    """The options, checked. Raises `TypeError` or `ValueError` naming what may be chosen; `others` are the names that
    the caller takes besides.
    """
    known = (*others, *ReadingOptions.__annotations__)
    for name in given:
        if name not in known:
            raise TypeError(f"{name!r} is no option; there are {', '.join(known)}")
    options = ParseOptions(**given)
    if options.format is not None:
        check_choice("format", options.format, get_args(Format), " or None")
    check_choice("on_bad_item", options.on_bad_item, get_args(BadItem))
    if not isinstance(options.repair, bool):
        raise TypeError(f"repair is True or False, not {options.repair!r}"[:200])
    if not isinstance(options.day_first, bool | None):
        raise TypeError(f"day_first is True, False or None, not {options.day_first!r}"[:200])
    return options


def check_choice(name: str, value: object, choices: tuple[str, ...], more: str = "") -> None:
    """Raises `ValueError` or `TypeError` for a value that is not one of the choices."""
    if value not in choices:
        kind = ValueError if isinstance(value, str) else TypeError
        raise kind(f"{name} is one of {', '.join(map(repr, choices))}{more}, not {value!r}"[:200])
