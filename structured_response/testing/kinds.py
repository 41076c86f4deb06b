"""Random Pydantic models."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from functools import cache
from typing import Annotated, Any, Literal, Optional, Union
from uuid import UUID

from hypothesis import strategies as st
from pydantic import BaseModel, Field, create_model

__all__ = ["models"]

_NAMES = (
    *("headline", "score", "price", "verdict", "excerpt", "author", "published", "language", "city", "country"),
    *("amount", "currency", "quantity", "duration", "priority", "comment", "address", "telephone", "birthday"),
    *("weight", "overall_rating", "is_recommended", "started_at", "customer_number", "average_speed"),
    *("wind_direction", "tags", "steps", "measurements", "ingredients", "requirements", "attachments"),
    *("größe", "naïve_guess"),
)
_CLASSES = ("Review", "WeatherPrognosis", "Invoice", "Recipe", "HTTPServer2", "Person", "Ticket", "Ñandú")
_WORDS = ("low", "medium", "high", "urgent", "cancelled", "in progress", "north-east", "café")

_PLAIN: tuple[Any, ...] = (
    *(str, int, float, bool, date, time, datetime, timedelta, Decimal, UUID),
    Annotated[str, Field(min_length=1, max_length=20)],
    Annotated[str, Field(pattern=r"^[a-z]{2,5}$")],
    Annotated[int, Field(ge=-5, lt=100)],
    Annotated[float, Field(gt=0, le=1000)],
    Annotated[int, Field(multiple_of=3)],
)
"""Types of one value each. Those that shrink best come first."""


def models(*, depth: int = 2) -> st.SearchStrategy[type[BaseModel]]:
    """Generates Pydantic models of one to five fields, with other models in them at most `depth` levels deep (0 for
    none).

    Their fields are texts, numbers, booleans, dates, times, durations, decimals, UUIDs, enums, literals, lists, sets,
    tuples, maps, unions and models; some are optional, some have defaults, bounds or descriptions. The library can
    describe all of them. A model costs about a millisecond to make and is cached like any other class.
    """
    return _drawn(depth)


@st.composite  # its representation is short, unlike those of the strategies inside
def _drawn(draw: st.DrawFn, depth: int) -> type[BaseModel]:
    return draw(_models(depth))


@cache  # making strategies takes longer than drawing from them
def _types(depth: int) -> st.SearchStrategy[Any]:
    """Types for fields."""
    single = st.one_of(st.sampled_from(_PLAIN), _choices())
    kinds = [single, single, single.map(_optional), single.map(_list), _maps(single), _tuples(single)]
    kinds += [st.sampled_from((set[str], frozenset[int], int | str, bool | list[int]))]
    if depth > 0:
        inner = _models(depth - 1)
        kinds += [inner, inner.map(_optional), inner.map(_list), _maps(inner), _tagged(_types(depth - 1))]
    return st.one_of(kinds)


def _optional(kind: Any) -> Any:
    return Optional[kind]  # noqa: UP045 - any annotation


def _list(kind: Any) -> Any:
    return list[kind]


def _maps(kinds: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.tuples(st.sampled_from((str, int)), kinds).map(dict.__class_getitem__)


def _tuples(kinds: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.tuples(kinds, kinds).map(tuple.__class_getitem__)


def _choices() -> st.SearchStrategy[Any]:
    words = st.lists(st.sampled_from(_WORDS), min_size=2, max_size=4, unique=True)
    makers: tuple[Callable[[list[str]], Any], ...] = (lambda chosen: Literal[tuple(chosen)], _enum)
    return st.builds(lambda make, chosen: make(chosen), st.sampled_from(makers), words)


def _enum(words: list[str]) -> Any:
    return Enum("Choice", {f"MEMBER_{index}": word for index, word in enumerate(words)})


def _tagged(kinds: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Unions of two models that one of their fields distinguishes."""
    return st.tuples(kinds, kinds).map(_tagged_union)


def _tagged_union(held: tuple[Any, Any]) -> Any:
    options = [
        _model(tag.title(), {"kind": (Literal[tag], ...), "details": (kind, ...)})
        for tag, kind in zip(("cat", "dog"), held, strict=True)
    ]
    return Annotated[Union[tuple(options)], Field(discriminator="kind")]  # noqa: UP007 - made of a tuple


@cache
def _models(depth: int) -> st.SearchStrategy[type[BaseModel]]:
    named = st.dictionaries(st.sampled_from(_NAMES), _fields(depth), min_size=1, max_size=5)
    return st.builds(_model, st.sampled_from(_CLASSES), named)


def _model(name: str, fields: dict[str, Any]) -> type[BaseModel]:
    made: type[BaseModel] = create_model(name, **fields)
    return made


def _fields(depth: int) -> st.SearchStrategy[tuple[Any, Any]]:
    """Arguments of `create_model` for a field: its type, and its further properties."""
    descriptions = st.sampled_from((None, "What it is about", 'In km/h: "fast" & <exact>', "Ä ö 名前"))
    return st.builds(_field, _types(depth), descriptions, st.integers(0, 4))


def _field(kind: Any, description: str | None, chance: int) -> tuple[Any, Any]:
    if chance == 4:
        return _optional(kind), Field(default=None, description=description)
    return kind, Field(description=description)
