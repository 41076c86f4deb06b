"""What a program may choose about reading a reply."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, TypeAlias, get_args

__all__ = ["BadItem", "Format", "ParseOptions", "parse_options"]

Format: TypeAlias = Literal["xml", "json", "yaml"]
"""The format in which an answer is expected."""

BadItem: TypeAlias = Literal["raise", "drop", "keep"]
"""The policy for an item of a list that has a problem in it."""


class ParseOptions(NamedTuple):
    """The options of one reading. `context` is for the model's validators; `examples` are those that prompts showed,
    each as data that compares equal to what reading it gives.
    """

    format: Format | None = None
    on_bad_item: BadItem = "raise"
    repair: bool = True
    context: Any = None
    examples: tuple[tuple[Any, ...], ...] = ()


def parse_options(format: object, on_bad_item: object, repair: object) -> ParseOptions:
    """The options, checked. Raises `TypeError` or `ValueError` naming what may be chosen."""
    if format is not None:
        _check("format", format, get_args(Format), " or None")
    _check("on_bad_item", on_bad_item, get_args(BadItem))
    if not isinstance(repair, bool):
        raise TypeError(f"repair is True or False, not {repair!r}"[:200])
    return ParseOptions(format, on_bad_item, repair)  # type: ignore[arg-type]


def _check(name: str, value: object, choices: tuple[str, ...], more: str = "") -> None:
    if value not in choices:
        kind = ValueError if isinstance(value, str) else TypeError
        raise kind(f"{name} is one of {', '.join(map(repr, choices))}{more}, not {value!r}"[:200])
