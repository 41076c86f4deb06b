"""Arrow columns of a definition: for each kind of node the type, and the function that fills a column with values."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from itertools import accumulate, chain
from operator import itemgetter
from typing import Any, NamedTuple, TypeAlias

from ..definition import (
    MISSING,
    Field,
    Node,
    Plan,
    default_of,
    free_name,
    match_union_option,
    per_plan,
    recursive_shapes,
    shape_key,
)
from ..errors import DefinitionError, needs
from .scalars import SCALARS, TEXT, Column, Fill, Report, decimal_column, json_column, text_array

with needs("pyarrow", "arrow"):
    import pyarrow as pa

MAX_COLUMNS = 10_000
"""Columns of a table, nested ones included. Models that share models can ask for a number without bounds."""

PREFIX = "structured_response."
"""The beginning of this library's keys in the metadata of a schema."""

Inner: TypeAlias = Callable[[Node], "Column"]


class Member(NamedTuple):
    """A field of a struct: how its values are taken from those of the struct, and its step in their paths."""

    field: pa.Field
    take: Callable[[list[Any]], list[Any]]
    fill: Fill
    step: tuple[str | int, ...] = ()


@per_plan
def root_column(plan: Plan) -> Column:
    """Returns the column of a plan's data: a struct, whose only field is `value` if the data is not an object."""
    recursive = recursive_shapes(plan.root)
    count = 0

    def column(node: Node) -> Column:
        nonlocal count
        count += 1
        if count > MAX_COLUMNS:
            raise DefinitionError(
                f"{plan.class_name} makes more than {MAX_COLUMNS} columns (MAX_COLUMNS); ask for a part of it by select"
            )
        if count > 1 and shape_key(node) in recursive:
            return json_column(node)
        return SCALARS.get(node.kind) or _KINDS[node.kind](node, column)

    root = column(plan.root)
    if root.texts is not None:
        root = root._replace(fill=partial(_fill_texts, root))
    if plan.root.kind == "dict" and not root.is_json:
        return root
    return struct_of(
        [Member(field_of("value", plan.root, root), list, root.fill)], lambda values, report: (values, _nulls(values))
    )


def _fill_texts(column: Column, values: list[Any], report: Report) -> pa.Array:
    """Fills a column with trees of texts, which clean replies are, in half the time. Others fail at once."""
    with suppress(TypeError, pa.ArrowInvalid, UnicodeEncodeError):
        return pa.array(values, column.texts).cast(column.type)
    return column.fill(values, report)


def field_of(name: str, node: Node, column: Column, required: bool | None = None) -> pa.Field:
    """Returns the field of a column, with what Arrow's types cannot say in its metadata."""
    said = {
        "description": node.description,
        "required": None if required is None else str(required).lower(),
        "json": "true" if column.is_json else None,
    }
    metadata = {PREFIX + key: text for key, text in said.items() if text is not None}
    return pa.field(name, column.type, metadata=metadata or None)


Open: TypeAlias = Callable[[list[Any], Report], tuple[list[Any], "pa.Array | None"]]
"""Returns the values whose members fill the column, and a null mask if any value is null."""


def _of(*kinds: type[Any]) -> Open:
    """Returns the function that takes values of some types as they are. Others are reported and null."""
    expected = {*kinds, type(None)}

    def opened(values: list[Any], report: Report) -> tuple[list[Any], pa.Array | None]:
        found = set(map(type, values))
        if not found <= expected:
            for index, value in enumerate(values):
                if type(value) not in expected:
                    report(index, value, f"expected a {kinds[0].__name__}")
            values = [value if type(value) in expected else None for value in values]
        return values, None if found <= set(kinds) else _nulls(values)

    return opened


_objects, _lists = _of(dict), _of(list, tuple)


def _nulls(values: list[Any]) -> pa.Array:
    return pa.array([value is None for value in values], pa.bool_())


def struct_of(members: list[Member], opened: Open) -> Column:
    fields = [member.field for member in members]

    def fill(values: list[Any], report: Report) -> pa.Array:
        values, are_null = opened(values, report)
        arrays = [member.fill(member.take(values), _below(report, member.step)) for member in members]
        return pa.StructArray.from_arrays(arrays, fields=fields, mask=are_null)

    return Column(pa.struct(fields), fill)


def _below(report: Report, step: tuple[str | int, ...]) -> Report:
    return lambda index, value, message, *path: report(index, value, message, *step, *path)


def _dict(node: Node, inner: Inner) -> Column:
    if not node.fields:
        return json_column(node)
    members, texts = [], []
    for name, field in node.fields.items():
        column = inner(field.node)
        described = field_of(name, field.node, column, field.required)
        members.append(Member(described, _taker(field), column.fill, (name,)))
        if column.texts is not None and field.factory is None and field.default in (MISSING, None):
            texts.append((name, column.texts))
    made = struct_of(members, _objects)
    return made._replace(texts=pa.struct(texts)) if len(texts) == len(members) else made


def _taker(field: Field) -> Callable[[list[Any]], list[Any]]:
    name, get = field.name, itemgetter(field.name)

    def take(values: list[Any]) -> list[Any]:
        with suppress(KeyError, TypeError):  # for missing fields and nulls
            return list(map(get, values))
        return [None if value is None else value[name] if name in value else default_of(field) for value in values]

    return take


def _tuple(node: Node, inner: Inner) -> Column:
    if not node.parts:
        return json_column(node)
    columns = zip(node.parts, map(inner, node.parts), strict=True)
    return tuple_of([(field_of(f"_{index}", part, made), made.fill) for index, (part, made) in enumerate(columns)])


def tuple_of(parts: list[tuple[pa.Field, Fill]]) -> Column:
    def taker(index: int) -> Callable[[list[Any]], list[Any]]:
        return lambda values: [value[index] if value is not None and index < len(value) else None for value in values]

    members = [Member(field, taker(index), fill, (index,)) for index, (field, fill) in enumerate(parts)]
    return struct_of(members, _lists)


def _union(node: Node, inner: Inner) -> Column:
    """Returns a struct of `kind`, the name of an option, and a column for each option. Only models are told apart."""
    options = node.options()
    if any(option.kind != "dict" for option in options.values()):
        return json_column(node)

    def taker(name: str) -> Callable[[list[Any]], list[Any]]:
        return lambda values: [value[1] if value is not None and value[0] == name else None for value in values]

    members = [
        Member(pa.field("kind", pa.string()), lambda values: [value and value[0] for value in values], TEXT.fill)
    ]
    for name, option in options.items():
        column = inner(option)
        called = free_name(name, {"kind", *options.keys() - {name}})
        members.append(Member(field_of(called, option, column), taker(name), column.fill))

    def opened(values: list[Any], report: Report) -> tuple[list[Any], pa.Array]:
        """Puts the name of its option in front of each value."""
        made: list[Any] = []
        for index, value in enumerate(_objects(values, report)[0]):
            name = None if value is None else match_union_option(node, value)
            if value is not None and name is None:
                report(index, value, f"fits none of {', '.join(options)}")
            made.append(None if name is None else (name, value))
        return made, _nulls(made)

    return struct_of(members, opened)


def _offsets(values: list[Any], are_null: pa.Array | None) -> list[int]:
    lengths = map(len, values if are_null is None else [value or () for value in values])
    return list(accumulate(lengths, initial=0))


def list_of(item: pa.Field, fill_items: Fill) -> Column:
    type_ = pa.list_(item)

    def fill(values: list[Any], report: Report) -> pa.Array:
        values, are_null = _lists(values, report)
        offsets = _offsets(values, are_null)

        def report_item(index: int, value: Any, message: str, *path: str | int) -> None:
            owner = bisect_right(offsets, index) - 1
            report(owner, value, message, index - offsets[owner], *path)

        items = fill_items(list(chain.from_iterable(filter(None, values))), report_item)
        return pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), items, type=type_, mask=are_null)

    return Column(type_, fill)


def _list(node: Node, inner: Inner) -> Column:
    assert node.item is not None
    column = inner(node.item)
    made = list_of(field_of("item", node.item, column), column.fill)
    return made if column.texts is None else made._replace(texts=pa.list_(column.texts))


def _map(node: Node, inner: Inner) -> Column:
    assert node.item is not None
    column = inner(node.item)
    type_ = pa.map_(pa.string(), field_of("value", node.item, column))

    def fill(values: list[Any], report: Report) -> pa.Array:
        values, are_null = _objects(values, report)
        offsets, keys = _offsets(values, are_null), list(chain.from_iterable(filter(None, values)))

        def report_entry(index: int, value: Any, message: str, *path: str | int) -> None:
            report(bisect_right(offsets, index) - 1, value, message, keys[index], *path)

        held = chain.from_iterable(value.values() for value in values if value)
        items = column.fill(list(held), report_entry)
        arrays = pa.array(offsets, pa.int32()), text_array(keys), items
        return pa.MapArray.from_arrays(*arrays, type=type_, mask=are_null)

    return Column(type_, fill)


_KINDS: dict[str, Callable[[Node, Inner], Column]] = {
    "dict": _dict,
    "tuple": _tuple,
    "union": _union,
    "list": _list,
    "map": _map,
    "decimal": lambda node, inner: decimal_column(node),
    "any": lambda node, inner: json_column(node),
}
"""The column for each kind of node that is not in SCALARS."""
