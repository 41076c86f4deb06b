"""Data as JSON or YAML wrote it: each value with its place, before a definition says what it means."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple, TypeAlias

from ..findings import Span

__all__ = ["LOST", "Bare", "Change", "Fault", "Held", "Lost", "Members", "Value", "move_all", "place_all", "values_in"]


class Bare(str):
    """A scalar without quotes, as its characters: a number, a truth value, or a text that lacks its quotes.

    It stays a text, since a number of Python loses digits (`1.10`, integers past 64 bits), and only the
    definition knows whether `4`, `yes` or `1.10` is a number, a truth value or a text.
    """

    __slots__ = ()


@dataclass(slots=True, eq=False)
class Members:
    """The members of an object, keys and values in their order, repeated keys included."""

    pairs: list[tuple[Value, Value]] = field(default_factory=list)


class Lost:
    """What stands for a value of which nothing was left when the reply broke off."""


LOST: Final = Lost()

Held: TypeAlias = "str | list[Value] | Members | Lost | None"
"""A text of quotes, a `Bare`, items, members, null, or nothing."""


class Change(NamedTuple):
    """What was read as something else than it was: where it stands, and what it was taken for."""

    span: Span
    before: str
    after: str


class Fault(NamedTuple):
    """Why a piece of a text cannot be read with certainty."""

    span: Span
    message: str


@dataclass(slots=True, eq=False)
class Value:
    """A value and its place. `change` and `fault` concern it alone.

    `is_cut`: the reply broke off in it. `is_unclosed`: all that is missing may be its bracket, the last one.
    `is_literal`: a text that is written as no prompt writes one, so it is not what a prompt showed.
    """

    held: Held
    start: int
    end: int = -1
    is_cut: bool = False
    is_unclosed: bool = False
    is_literal: bool = False
    change: Change | None = None
    fault: Fault | None = None

    @property
    def span(self) -> Span:
        """`[start, end)`, in characters of the text that it was read from."""
        return self.start, self.end

    @property
    def last(self) -> Value | None:
        """The last value that it holds, None where it holds none."""
        held = self.held
        if isinstance(held, Members):
            return held.pairs[-1][1] if held.pairs else None
        return held[-1] if isinstance(held, list) and held else None

    @property
    def closer(self) -> str:
        """The bracket that closes what holds others."""
        return "}" if isinstance(self.held, Members) else "]"


def values_in(value: Value) -> Iterator[Value]:
    """A value, and all that it holds, names aside."""
    waiting = [value]
    while waiting:
        value = waiting.pop()
        yield value
        if isinstance(value.held, Members):
            waiting += [member for _key, member in value.held.pairs]
        elif isinstance(value.held, list):
            waiting += value.held


def place_all(value: Value, span: Span) -> None:
    """Puts a value, and all that it holds, at one place: that of the text in which it was written."""
    _place(value, lambda _span: span)


def move_all(value: Value, offset: int) -> None:
    """Moves a value, and all that it holds, to where its text stands in the reply."""
    if offset:
        _place(value, lambda span: (span[0] + offset, span[1] + offset))


def _place(value: Value, place: Callable[[Span], Span]) -> None:
    waiting = [value]
    while waiting:
        value = waiting.pop()
        value.start, value.end = place(value.span)
        value.change = value.change and value.change._replace(span=place(value.change.span))
        value.fault = value.fault and value.fault._replace(span=place(value.fault.span))
        if isinstance(value.held, Members):
            waiting += [one for pair in value.held.pairs for one in pair]
        elif isinstance(value.held, list):
            waiting += value.held
