"""Draws instances of anything that the library can describe, by its definition; and models."""

from __future__ import annotations

import base64
import math
import re
from collections.abc import Callable
from contextlib import suppress
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from enum import Enum
from functools import cache, partial
from typing import Annotated, Any, Literal, TypeVar, overload
from uuid import UUID

from hypothesis import reject
from hypothesis import strategies as st
from pydantic import BaseModel, Field, TypeAdapter, ValidationError, create_model
from pydantic_core import to_jsonable_python

from ..asking.session import response_of
from ..data.model import coerce, dump, validate_model
from ..definition import Node, Plan, choice_text, to_json, walk
from ..errors import DefinitionError

AnyModel = TypeVar("AnyModel", bound=BaseModel)

_Drawn = st.SearchStrategy[Any]

DEPTH = 3  # levels of objects, lists, maps and unions, unless a type needs more of them
ITEMS = 3  # items of a list, a map or a set, beyond the minimum of its type

_FRAGMENTS = (
    *("x", "A short text.", "None", "null", "N/A", "true", "no", "3", "1,299.00", "...", "-"),
    *("[value here - as a string]", "[key here - as a string]", "[the same elements as in x]"),
    *("", " x", "x ", "\tx", "\n", " ", "a\nb", "a\n  b", "  a\n  b", "\n\na\n\n", "a\r\nb", "\ra", "a\n\n  b\n"),
    *("\u00a0", "&", "&amp;", "&lt;b&gt;", "&#32;", "&#x41;", "&bogus;", "&amp;lt;", "R&D: a < b && c", "&#", "&;"),
    *("&nbsp", "<", ">", "<b>x</b>", "</li>", "<li>", "<!-- c -->", "<![CDATA[x]]>", "]]>", "]]&gt;", "<?php ?>"),
    *("a <b", "<br/>", "```", "```py\nx = 1\n```", "~~~\nx\n~~~", "`x`", "[", "'\"", "\\n", "{}", '{"a": [1]}'),
    *("Map<String, List<int>> m;", "é", "😀", "日本語", "\u2028", "e\u0301", "\x1b"),
)
"""Fragments of texts, simple ones first, since failures are shrunk towards them."""


def texts(max_size: int = 40) -> st.SearchStrategy[str]:
    """Generates texts that are hard to read: code, tags, entities, fences, indentation, words for null, any character.

    Args:
        max_size: The maximum number of characters.
    """
    fragments = st.sampled_from(_FRAGMENTS)
    made = st.one_of(
        fragments,
        st.text("ab <>&;'\"\n\t[]`~.-!/", max_size=max_size),
        st.lists(fragments, max_size=4).map("".join),
        st.text(max_size=max_size),
    )
    return made.map(lambda text: text[:max_size])


@overload
def instances(model: type[AnyModel]) -> st.SearchStrategy[AnyModel]: ...
@overload
def instances(model: Any) -> _Drawn: ...
def instances(model: Any) -> _Drawn:
    """Generates instances of a Pydantic model, or of any type that `StructuredResponse.from_type` takes.

    Bounds, lengths and patterns are drawn, and values that the model's validators refuse are discarded. If they refuse
    nearly everything that the types allow, hypothesis fails with a health check; then make the instances with
    `st.builds(Model, field=...)`. Floats are finite, so that an instance equals itself. Recursive models end after a
    few levels.

    Args:
        model: A model or a type.

    Returns:
        A strategy. An instance costs its drawing and a validation.

    Raises:
        DefinitionError: The type cannot be described.
    """
    pairs = drawn(response_of(model)._plan)

    @st.composite  # its representation is short, unlike those of the strategies inside
    def instance(draw: st.DrawFn) -> Any:
        return draw(pairs)[0]

    return instance()


def drawn(plan: Plan) -> st.SearchStrategy[tuple[Any, Any]]:
    """Generates instances, each with its data. Without a model the data is the instance."""

    def judged(data: Any) -> tuple[Any, Any]:
        try:
            made = validate_model(plan)(data, None)
        except ValidationError:
            reject()
        has_model = plan.model is not None and plan.is_complete
        return (made, coerce(plan, dump(plan, made))) if has_model else (data, data)

    return values(plan).map(judged)


def values(plan: Plan) -> _Drawn:
    """Generates the data of instances, typed by the definition. Validators may still refuse it."""

    @cache  # each node once for the levels that are left
    def value(node: Node, depth: int) -> _Drawn:
        holder = _HOLDERS.get(node.kind)
        made = _SCALARS[node.kind](node) if holder is None else holder(node, partial(below, depth))
        return st.one_of(st.none(), made) if node.nullable else made

    def below(depth: int, node: Node) -> _Drawn:
        """Is empty if no value is that flat."""
        if depth or node.kind not in _HOLDERS:
            return value(node, depth - 1)
        return st.none() if node.nullable else st.nothing()

    for depth, _node in enumerate(walk(plan.root), DEPTH):
        made = value(plan.root, depth)
        if not made.is_empty:
            return made
    raise DefinitionError(f"no instance of {plan.class_name} ends: it needs another one inside")


_Below = Callable[[Node], _Drawn]


def _dict(node: Node, below: _Below) -> _Drawn:
    inner = {name: below(field.node) for name, field in node.fields.items()}
    required = {name: made for name, made in inner.items() if node.fields[name].required}
    optional = {name: made for name, made in inner.items() if name not in required and not made.is_empty}
    is_empty = any(made.is_empty for made in required.values())
    return st.nothing() if is_empty else st.fixed_dictionaries(required, optional=optional)


def _many(node: Node, below: _Below) -> _Drawn:
    assert node.item is not None
    items = below(node.item)
    low, high = _sizes(node, ITEMS)
    if items.is_empty:
        return st.nothing() if low else st.builds(list if node.kind == "list" else dict)
    if node.kind == "map":
        keys = texts(8) if node.key is None else below(node.key).map(choice_text)
        return st.dictionaries(keys, items, min_size=low, max_size=high)
    unique_by = to_json if node.unique or node.constraints.get("unique_items") else None
    return st.lists(items, min_size=low, max_size=high, unique_by=unique_by)


_HOLDERS: dict[str, Callable[[Node, _Below], _Drawn]] = {
    "dict": _dict,
    "list": _many,
    "map": _many,
    "tuple": lambda node, below: st.tuples(*map(below, node.parts)).map(list),
    "union": lambda node, below: st.one_of(list(map(below, node.parts))),
}


def _sizes(node: Node, more: int) -> tuple[int, int]:
    low = node.constraints.get("min_length", 0)
    return low, min(low + more, node.constraints.get("max_length", math.inf))


# Scalars


def _strings(node: Node) -> st.SearchStrategy[str]:
    with suppress(KeyError, re.error):  # a pattern in the dialect of Pydantic's engine
        return st.from_regex(re.compile(node.constraints["pattern"]))
    low, high = _sizes(node, 40)
    if low > 2:  # hardly any fragment is that long
        return st.text(min_size=low, max_size=high)
    return texts(high).filter(lambda text: len(text) >= low)


_FINITE: dict[str, Any] = {"allow_nan": False, "allow_infinity": False}


def _integers(low: Any, high: Any) -> _Drawn:
    return st.integers(None if low is None else math.ceil(low), None if high is None else math.floor(high))


def _decimals(low: Any, high: Any) -> _Drawn:
    return st.one_of(st.decimals(low, high, places=2, **_FINITE), st.decimals(low, high, **_FINITE))


_ANY_ZONE = st.one_of(
    st.just(timezone.utc),  # noqa: UP017
    st.none(),
    st.integers(-720, 720).map(lambda minutes: timezone(timedelta(minutes=minutes))),
)


def _datetimes(low: datetime, high: datetime) -> _Drawn:
    zone = low.tzinfo or high.tzinfo
    zones: _Drawn = _ANY_ZONE if (low, high) == _BOUNDED["datetime"][2:] else st.just(zone)
    return st.datetimes(low.replace(tzinfo=None), high.replace(tzinfo=None), timezones=zones)


_BOUNDED: dict[str, tuple[Any, Callable[[Any, Any], _Drawn], Any, Any]] = {
    "int": (Decimal, _integers, None, None),
    "float": (float, partial(st.floats, **_FINITE), None, None),
    "decimal": (Decimal, _decimals, None, None),
    # Pydantic reads numbers of fewer digits as seconds, and years only from 1000 on.
    "date": (date, st.dates, date(1000, 1, 1), date.max),
    "datetime": (datetime, _datetimes, datetime(1000, 1, 1), datetime(9999, 12, 31)),  # noqa: DTZ001
    "duration": (timedelta, st.timedeltas, timedelta(days=-90_000), timedelta(days=90_000)),
    "time": (time, st.times, time.min, time.max),
}
"""The type of each kind's bounds, the strategy between two, and the bounds where a definition has none."""


def _bounded(node: Node) -> _Drawn:
    kind, make, least, greatest = _BOUNDED[node.kind]
    read = TypeAdapter(kind).validate_python
    bounds = ("ge", "gt", "le", "lt", "multiple_of")
    limits = {name: read(limit) for name, limit in node.constraints.items() if name in bounds}
    low, high = limits.get("ge", limits.get("gt", least)), limits.get("le", limits.get("lt", greatest))
    step = limits.get("multiple_of")
    if step is None:
        made = make(low, high)
    else:
        made = _integers(low and low / step, high and high / step).map(lambda number: number * step)
    out = [limits[name] for name in ("gt", "lt") if name in limits]
    write = {"int": int, "float": float}.get(node.kind, to_jsonable_python)
    return made.filter(lambda value: value not in out).map(write)


def _bytes(node: Node) -> st.SearchStrategy[str]:
    low, high = _sizes(node, 20)
    encoded = st.text("abc <&é\n", min_size=low, max_size=high).map(str.encode)
    return encoded.map(lambda data: base64.b64encode(data).decode())


@cache  # making the strategy takes longer than drawing from it
def _anything() -> _Drawn:
    leaves = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(**_FINITE), texts())
    return st.recursive(
        leaves,
        lambda inner: st.one_of(st.lists(inner, max_size=ITEMS), st.dictionaries(texts(8), inner, max_size=ITEMS)),
        max_leaves=4,
    )


_SCALARS: dict[str, Callable[[Node], _Drawn]] = {
    "any": lambda node: _anything(),
    "bool": lambda node: st.booleans(),
    "bytes": _bytes,
    "enum": lambda node: st.sampled_from(node.choices),
    "str": _strings,
    "uuid": lambda node: st.one_of(st.uuids(version=4), st.uuids(version=1)).map(str),
    **dict.fromkeys(_BOUNDED, _bounded),
}


# Models

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


@st.composite
def models(draw: st.DrawFn, *, depth: int = 2) -> type[BaseModel]:
    """Generates Pydantic models of one to five fields, all of which the library can describe.

    The fields are texts, numbers, booleans, dates, times, durations, decimals, UUIDs, enums, literals, lists, sets,
    tuples, maps, unions and models. Some are optional, some have bounds or descriptions. A model costs about a
    millisecond to make and is cached like any other class.

    Args:
        depth: The levels of models inside of each other; 0 for none.
    """
    return _model(draw(st.sampled_from(_CLASSES)), draw(_fields(depth)))


def _model(name: str, fields: dict[str, Any]) -> type[BaseModel]:
    made: type[BaseModel] = create_model(name, **fields)
    return made


@cache  # making strategies takes longer than drawing from them
def _fields(depth: int) -> st.SearchStrategy[dict[str, Any]]:
    descriptions = st.sampled_from((None, "What it is about", 'In km/h: "fast" & <exact>', "Ä ö 名前"))
    fields = st.builds(_field, _types(depth), descriptions, st.integers(0, 4))
    return st.dictionaries(st.sampled_from(_NAMES), fields, min_size=1, max_size=5)


def _field(kind: Any, description: str | None, chance: int) -> tuple[Any, Any]:
    if chance == 4:
        return kind | None, Field(default=None, description=description)
    return kind, Field(description=description)


@cache
def _types(depth: int) -> st.SearchStrategy[Any]:
    words = st.lists(st.sampled_from(_WORDS), min_size=2, max_size=4, unique=True)
    single = st.one_of(st.sampled_from(_PLAIN), words.map(lambda words: Literal[tuple(words)]), words.map(_enum))
    kinds = [single, single, *_holding(single), st.tuples(single, single).map(tuple.__class_getitem__)]
    kinds += [st.sampled_from((set[str], frozenset[int], int | str, bool | list[int]))]
    if depth > 0:
        inner = models(depth=depth - 1)
        held = _types(depth - 1)
        kinds += [inner, *_holding(inner), st.builds(_tagged, held, held)]
    return st.one_of(kinds)


def _holding(kinds: st.SearchStrategy[Any]) -> list[st.SearchStrategy[Any]]:
    maps = st.tuples(st.sampled_from((str, int)), kinds).map(dict.__class_getitem__)
    return [kinds.map(lambda kind: kind | None), kinds.map(list.__class_getitem__), maps]


def _enum(words: list[str]) -> Any:
    return Enum("Choice", {f"MEMBER_{index}": word for index, word in enumerate(words)})


def _tagged(one: Any, other: Any) -> Any:
    cat = _model("Cat", {"kind": (Literal["cat"], ...), "details": (one, ...)})
    dog = _model("Dog", {"kind": (Literal["dog"], ...), "details": (other, ...)})
    return Annotated[cat | dog, Field(discriminator="kind")]
