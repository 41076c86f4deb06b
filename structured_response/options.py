"""The options of reading a reply."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias, TypedDict, get_args

Format: TypeAlias = Literal["xml", "json", "yaml"]
"""The format in which an answer is expected."""

BadItem: TypeAlias = Literal["raise", "drop", "keep"]
"""The policy for an item of a list that has a problem."""


class ReadingOptions(TypedDict, total=False):
    """The options of reading as keyword arguments, for `parse`, `ask` and everything else that reads a reply.

    Attributes:
        context: The context of the model's validators.
        format: The expected format. An answer in another format counts only if there is none in this format.
        on_bad_item: The policy for an item of a list that has a problem: "raise" treats it like any other problem,
            "drop" leaves the item out and records that in `repairs`, and "keep" keeps it, with None for its bad values
            and its problems in `problems`.
        repair: False turns every repair that changed data into a problem.
        day_first: Whether 05/12/2026 is in December or in May. Without it such a date is a problem.
        examples: The examples of the prompt. A reply that repeats one is not an answer.
    """

    context: Any
    format: Format | None
    on_bad_item: BadItem
    repair: bool
    day_first: bool | None
    examples: Sequence[Any]


class ParseOptions(NamedTuple):
    """`ReadingOptions` with their defaults. For the reader, `examples` are the keys by which answers are compared."""

    format: Format | None = None
    on_bad_item: BadItem = "raise"
    repair: bool = True
    day_first: bool | None = None
    context: Any = None
    examples: Sequence[Any] = ()


def parse_options(given: ReadingOptions, others: Iterable[str] = ("strict",)) -> ParseOptions:
    """Checks options and adds the defaults. The message about an unknown name also lists `others` of the caller."""
    known = (*others, *ReadingOptions.__annotations__)
    for name in given:
        if name not in known:
            raise TypeError(f"{name!r} is not an option; the options are {', '.join(known)}")
    options = ParseOptions(**given)
    if options.format is not None:
        check_choice("format", options.format, get_args(Format), " or None")
    check_choice("on_bad_item", options.on_bad_item, get_args(BadItem))
    if not isinstance(options.repair, bool):
        raise TypeError(f"repair is True or False, not {options.repair!r}"[:200])
    if not isinstance(options.day_first, bool | None):
        raise TypeError(f"day_first is True, False or None, not {options.day_first!r}"[:200])
    if not isinstance(options.examples, Iterable):
        raise TypeError(f"examples must be a list, not {options.examples!r}"[:200])
    return options


def check_choice(name: str, value: object, choices: tuple[str, ...], more: str = "") -> None:
    """Raises `ValueError` or `TypeError` for a value that is not one of the choices."""
    if value not in choices:
        kind = ValueError if isinstance(value, str) else TypeError
        raise kind(f"{name} is one of {', '.join(map(repr, choices))}{more}, not {value!r}"[:200])


class Kind(NamedTuple):
    """The values that an option may have: their types, in words, and a check of one of these types."""

    types: Any
    words: str
    fits: Callable[[Any], bool] = lambda _value: True


def at_least(least: float, words: str, types: Any = int) -> Kind:
    """Returns the kind of numbers from a least one on."""
    return Kind(types, words, lambda value: value is None or value >= least)


def check_kinds(given: Mapping[str, Any], kinds: Mapping[str, Kind]) -> None:
    """Raises `TypeError` for an option of another type, and `ValueError` for another value."""
    for name, kind in kinds.items():
        value = given.get(name)
        is_of_type = name not in given or isinstance(value, kind.types)
        if not is_of_type or (name in given and not kind.fits(value)):
            error = ValueError if is_of_type else TypeError
            raise error(f"{name} must be {kind.words}, not {value!r}"[:200])
