"""Draws instances of anything that the library can describe, by its definition."""

from __future__ import annotations

import base64
import math
import re
from collections.abc import Callable
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from functools import cache, partial
from typing import Any, TypeVar, overload

from hypothesis import reject
from hypothesis import strategies as st
from pydantic import BaseModel, TypeAdapter, ValidationError

from .. import StructuredResponse
from ..data import model as models
from ..data import validators as validate
from ..definition import Node, Plan, choice_text, to_json, walk
from ..errors import DefinitionError

__all__ = ["drawn", "instances", "plan_of", "texts", "values"]

AnyModel = TypeVar("AnyModel", bound=BaseModel)

_Drawn = st.SearchStrategy[Any]

DEPTH = 3
"""Levels of objects, lists and maps that are filled freely. Below them, values are as small as their types allow."""

ITEMS = 3
"""Items of a list, a map or a set, beyond the minimum of its type."""

# Texts

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
    """Generates texts of at most `max_size` characters, with any character of UTF-8. They are rich in challenges for
    markup, escaping and layout, such as code, tags, entities, fences, indentation and words for null.
    """
    return _texts(max_size)


@cache  # making strategies takes longer than drawing from them
def _texts(max_size: int) -> st.SearchStrategy[str]:
    return st.one_of(
        st.sampled_from(_FRAGMENTS),
        st.text("ab <>&;'\"\n\t[]`~.-!/", max_size=max_size),
        st.lists(st.sampled_from(_FRAGMENTS), max_size=4).map("".join),
        st.text(max_size=max_size),
    ).map(lambda text: text[:max_size])


# Instances


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
    pairs = drawn(plan_of(model))

    @st.composite  # its representation is short, unlike those of the strategies inside
    def instance(draw: st.DrawFn) -> Any:
        return draw(pairs)[0]

    return instance()


def plan_of(described: Any) -> Plan:
    """Returns the plan of a type."""
    is_model = isinstance(described, type) and issubclass(described, BaseModel)
    make: Any = StructuredResponse.from_basemodel if is_model else StructuredResponse.from_type
    plan: Plan = make(described)._plan
    return plan


def drawn(plan: Plan) -> st.SearchStrategy[tuple[Any, Any]]:
    """Generates instances, each with its data. Without a model the data is the instance."""
    return values(plan).map(lambda data: _judged(plan, data))


def _judged(plan: Plan, data: Any) -> tuple[Any, Any]:
    try:
        made = models.validate_model(plan)(data, None)
    except ValidationError:
        reject()
    if plan.model is None or not plan.is_complete:
        return data, data
    return made, validate.stored(plan).validate_python(models.dump(plan, made))


def values(plan: Plan) -> _Drawn:
    """Generates the data of instances, typed by the definition. Validators may still refuse it.

    Raises `DefinitionError` if no data is finite, since each node of that type needs another one.
    """
    heights = _heights(plan.root)
    if heights[id(plan.root)] == math.inf:
        raise DefinitionError(f"no instance of {plan.class_name} ends: it needs another one inside")
    return _Drawer(heights).value(plan.root, DEPTH)


def _heights(root: Node) -> dict[int, float]:
    """Returns the levels of the smallest value of each node, by the node's id; infinite if none is finite."""
    nodes = list(walk(root))
    heights = {id(node): math.inf for node in nodes}
    changed = True
    while changed:
        changed = False
        for node in nodes:
            height = _height(node, heights)
            changed |= height < heights[id(node)]
            heights[id(node)] = height
    return heights


def _height(node: Node, heights: dict[int, float]) -> float:
    if node.nullable or node.kind not in _HOLDERS:
        return 0
    if node.kind == "union":
        return 1 + min((heights[id(part)] for part in node.parts), default=math.inf)
    if node.kind in ("list", "map") and not node.constraints.get("min_length"):
        return 0
    inner = [field.node for field in node.fields.values() if field.required]
    inner += [*node.parts, *([node.item] if node.item else [])]
    return 1 + max((heights[id(each)] for each in inner), default=0)


class _Drawer:
    """Makes strategies of nodes, each once for a depth, since graphs have cycles and shared parts."""

    def __init__(self, heights: dict[int, float]) -> None:
        self.heights = heights
        self.made: dict[tuple[int, int], _Drawn] = {}

    def value(self, node: Node, depth: int) -> _Drawn:
        key = (id(node), max(depth, 0))
        if key not in self.made:
            self.made[key] = self.make(node, max(depth, 0))
        return self.made[key]

    def make(self, node: Node, depth: int) -> _Drawn:
        if node.kind not in _HOLDERS:
            made = _SCALARS[node.kind](node)
        elif node.nullable and not depth:
            return st.none()
        else:
            made = _HOLDERS[node.kind](self, node, depth)
        return st.one_of(st.none(), made) if node.nullable else made

    def of_dict(self, node: Node, depth: int) -> _Drawn:
        fields = node.fields.values()
        wanted = [field for field in fields if field.required or depth or field.node.kind not in _HOLDERS]
        made = {field.name: self.value(field.node, depth - 1) for field in wanted}
        required = {field.name: made[field.name] for field in wanted if field.required}
        optional = {field.name: made[field.name] for field in wanted if not field.required}
        return st.fixed_dictionaries(required, optional=optional)

    def of_list(self, node: Node, depth: int) -> _Drawn:
        assert node.item is not None
        low, high = _sizes(node, ITEMS if depth else 0)
        if not high:
            return st.just([])
        unique_by = to_json if node.unique or node.constraints.get("unique_items") else None
        return st.lists(self.value(node.item, depth - 1), min_size=low, max_size=high, unique_by=unique_by)

    def of_map(self, node: Node, depth: int) -> _Drawn:
        assert node.item is not None
        low, high = _sizes(node, ITEMS if depth else 0)
        if not high:
            return st.just({})
        keys = texts(8) if node.key is None else self.value(node.key, depth - 1).map(choice_text)
        return st.dictionaries(keys, self.value(node.item, depth - 1), min_size=low, max_size=high)

    def of_tuple(self, node: Node, depth: int) -> _Drawn:
        return st.tuples(*(self.value(part, depth - 1) for part in node.parts)).map(list)

    def of_union(self, node: Node, depth: int) -> _Drawn:
        smallest = min(self.heights[id(part)] for part in node.parts)
        parts = [part for part in node.parts if self.heights[id(part)] <= (math.inf if depth else smallest)]
        return st.one_of([self.value(part, depth - 1) for part in parts])


_HOLDERS: dict[str, Callable[[_Drawer, Node, int], _Drawn]] = {
    "dict": _Drawer.of_dict,
    "list": _Drawer.of_list,
    "map": _Drawer.of_map,
    "tuple": _Drawer.of_tuple,
    "union": _Drawer.of_union,
}


def _sizes(node: Node, more: int) -> tuple[int, int]:
    low = node.constraints.get("min_length", 0)
    return low, min(low + more, node.constraints.get("max_length", math.inf))


# Scalars


def _strings(node: Node) -> st.SearchStrategy[str]:
    if "pattern" in node.constraints:
        return st.from_regex(_python_pattern(node.constraints["pattern"]))
    low, high = _sizes(node, 40)
    if low > 2:  # hardly any fragment is that long
        return st.text(min_size=low, max_size=high)
    return texts(high).filter(lambda text: len(text) >= low) if low else texts(high)


def _python_pattern(pattern: str) -> str:
    """Returns a pattern for Python's engine. For one in the dialect of Pydantic's engine it matches anything."""
    try:
        re.compile(pattern)
    except re.error:
        return ""
    return pattern


def _bounded(node: Node, read: Callable[[Any], Any], make: Callable[[Any, Any], _Drawn]) -> _Drawn:
    """Returns what `make` draws between the bounds of a node, without those that are exclusive."""
    limits = {name: read(node.constraints[name]) for name in ("ge", "gt", "le", "lt") if name in node.constraints}
    made = make(limits.get("ge", limits.get("gt")), limits.get("le", limits.get("lt")))
    out = [limits[name] for name in ("gt", "lt") if name in limits]
    return made.filter(lambda value: value not in out) if out else made


def _numbers(node: Node) -> _Drawn:
    step = node.constraints.get("multiple_of", 1 if node.kind == "int" else None)
    if step is None:
        return _bounded(node, float, partial(st.floats, allow_nan=False, allow_infinity=False))

    def multiples(low: Any, high: Any) -> _Drawn:
        first = None if low is None else math.ceil(low / step)
        last = None if high is None else math.floor(high / step)
        return st.integers(first, last).map(lambda number: type(step)(number * step))

    return _bounded(node, Decimal if node.kind == "int" else float, multiples)


def _decimals(node: Node) -> _Drawn:
    def decimals(low: Any, high: Any) -> _Drawn:
        drawn = partial(st.decimals, low, high, allow_nan=False, allow_infinity=False)
        return st.one_of(drawn(places=2), drawn())

    return _bounded(node, Decimal, decimals).map(str)


_SPANS: dict[str, tuple[TypeAdapter[Any], Callable[..., _Drawn], Any, Any]] = {
    # Pydantic reads numbers of fewer digits as seconds, and years only from 1000 on.
    "date": (TypeAdapter(date), st.dates, date(1000, 1, 1), date.max),
    "datetime": (TypeAdapter(datetime), st.datetimes, datetime(1000, 1, 1), datetime(9999, 12, 31)),  # noqa: DTZ001
    "duration": (TypeAdapter(timedelta), st.timedeltas, timedelta(days=-90_000), timedelta(days=90_000)),
    "time": (TypeAdapter(time), st.times, time.min, time.max),
}
"""The adapter and the strategy of each kind of time, and the bounds where a definition has none."""

_ZONES = st.one_of(
    st.just(timezone.utc),  # noqa: UP017
    st.none(),
    st.integers(-720, 720).map(lambda minutes: timezone(timedelta(minutes=minutes))),
)


def _times(node: Node) -> _Drawn:
    adapter, make, least, greatest = _SPANS[node.kind]

    def moments(low: Any, high: Any) -> _Drawn:
        zone = next((bound.tzinfo for bound in (low, high) if getattr(bound, "tzinfo", None)), None)
        first, last = (least if low is None else low), (greatest if high is None else high)
        if zone:
            return make(first.replace(tzinfo=None), last.replace(tzinfo=None)).map(lambda at: at.replace(tzinfo=zone))
        any_zone = {"timezones": _ZONES} if node.kind == "datetime" and low is None and high is None else {}
        return make(first, last, **any_zone)

    made = _bounded(node, adapter.validate_python, moments)
    return made.map(lambda moment: str(adapter.dump_python(moment, mode="json")))


def _bytes(node: Node) -> st.SearchStrategy[str]:
    low, high = _sizes(node, 20)
    encoded = st.text("abc <&é\n", min_size=low, max_size=high).map(str.encode)
    return encoded.map(lambda data: base64.b64encode(data).decode())


@cache
def _anything() -> _Drawn:
    leaves = st.one_of(
        st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), texts()
    )
    return st.recursive(
        leaves,
        lambda inner: st.one_of(st.lists(inner, max_size=ITEMS), st.dictionaries(texts(8), inner, max_size=ITEMS)),
        max_leaves=4,
    )


_SCALARS: dict[str, Callable[[Node], _Drawn]] = {
    "any": lambda node: _anything(),
    "bool": lambda node: st.booleans(),
    "bytes": _bytes,
    "date": _times,
    "datetime": _times,
    "decimal": _decimals,
    "duration": _times,
    "enum": lambda node: st.sampled_from(node.choices),
    "float": _numbers,
    "int": _numbers,
    "str": _strings,
    "time": _times,
    "uuid": lambda node: st.one_of(st.uuids(version=4), st.uuids(version=1)).map(str),
}
