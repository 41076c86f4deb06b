"""Arrow columns of a definition: for each kind of node the type, and the function that fills a column with values.

Values are those of an instance. Numbers and booleans may also be texts in their strict form, which clean replies are
read as, and which Arrow converts faster than Python.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from itertools import accumulate, chain
from operator import itemgetter
from typing import Any, NamedTuple, TypeAlias

from pydantic_core import ValidationError, to_json

from ..data.validators import typed
from ..definition import (
    MISSING,
    Field,
    Node,
    Plan,
    choice_text,
    default_of,
    free_name,
    from_base64,
    match_union_option,
    per_plan,
    recursive_shapes,
    shape_key,
)
from ..errors import DefinitionError, needs
from ..escaping import SURROGATE

with needs("pyarrow", "arrow"):
    import pyarrow as pa
    import pyarrow.compute as pc

MAX_COLUMNS = 10_000
"""Columns of a table, nested ones included. Models that share models can ask for a number without bounds."""

PREFIX = "structured_response."
"""The beginning of this library's keys in the metadata of a schema."""

TIMESTAMP = pa.timestamp("us", tz="UTC")

Report: TypeAlias = Callable[..., None]
"""Is told of a value that its column cannot hold: the value's index, the value, what is wrong, and its path."""

Fill: TypeAlias = Callable[[list[Any], Report], pa.Array]
"""Makes an array of values. Those that it cannot hold are reported and null."""

Inner: TypeAlias = Callable[[Node], "Column"]


class Column(NamedTuple):
    """The type of a column, and the function that fills one.

    Attributes:
        is_json: Whether it holds JSON texts.
        texts: The type of a tree of texts that Arrow alone can make the column of, or None.
    """

    type: pa.DataType
    fill: Fill
    is_json: bool = False
    texts: pa.DataType | None = None


class Member(NamedTuple):
    """A field of a struct: how its values are taken from those of the struct, and its step in their paths."""

    field: pa.Field
    take: Callable[[list[Any]], list[Any]]
    fill: Fill
    step: tuple[str | int, ...] = ()


@per_plan
def root_column(plan: Plan) -> Column:
    """Returns the column of a plan's data: a struct, whose only field is `value` if the data is no object."""
    recursive = recursive_shapes(plan.root)
    count = 0

    def column(node: Node) -> Column:
        nonlocal count
        count += 1
        if count > MAX_COLUMNS:
            raise DefinitionError(
                f"{plan.class_name} makes more than {MAX_COLUMNS} columns (MAX_COLUMNS); ask for a part of it by select"
            )
        is_open = count == 1 or shape_key(node) not in recursive
        return (_KINDS[node.kind] if is_open else _json)(node, column)

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


# Scalars


def _scalar(type_: pa.DataType, make: Callable[[list[Any], pa.DataType], pa.Array], **marks: Any) -> Column:
    def fill(values: list[Any], report: Report) -> pa.Array:
        try:
            return make(values, type_)
        except (ValueError, TypeError, OverflowError):
            if len(values) == 1:
                report(0, values[0], f"does not fit into a column of type {type_}")
                return pa.nulls(1, type_)
        middle = len(values) // 2  # finds the values that do not fit in logarithmic time

        def report_right(index: int, *finding: Any) -> None:
            report(middle + index, *finding)

        return pa.concat_arrays([fill(values[:middle], report), fill(values[middle:], report_right)])

    return Column(type_, fill, **marks)


def _same(column: Column) -> Callable[[Node, Inner], Column]:
    return lambda node, inner: column


def _texts(values: list[Any], type_: pa.DataType = pa.string()) -> pa.Array:  # noqa: B008 - types do not change
    with suppress(TypeError, UnicodeEncodeError):  # numbers among choices and defaults, and halves of surrogate pairs
        return pa.array(values, pa.string())
    return pa.array(
        [value if value is None or (type(value) is str and value.isascii()) else _text(value) for value in values],
        pa.string(),
    )


def _text(value: Any) -> str:
    if isinstance(value, (dict, list)):
        raise TypeError("not a text")
    return SURROGATE.sub("\ufffd", choice_text(value))


def _numbers(*kinds: type) -> Callable[[list[Any], pa.DataType], pa.Array]:
    def make(values: list[Any], type_: pa.DataType) -> pa.Array:
        with suppress(TypeError):  # typed values
            return pa.array(values, pa.string()).cast(type_)
        found = set(map(type, values))
        if not found <= {str, type(None), *kinds}:
            raise TypeError("not a number of this kind")
        return _texts(values).cast(type_) if str in found else pa.array(values, type_)

    return make


def _cast(values: list[Any], type_: pa.DataType) -> pa.Array:
    return _texts(values).cast(type_)


def _moments(values: list[Any], type_: pa.DataType) -> pa.Array:
    """Returns moments in UTC, to which those without an offset are taken to belong."""
    texts = pc.replace_substring_regex(_texts(values), r"(\.[0-9]{6})[0-9]+", r"\1")
    has_offset = pc.match_substring_regex(texts, r"(Z|[+-][0-9]{2}:?[0-9]{2})$")
    made = pc.if_else(has_offset, texts, pc.binary_join_element_wise(texts, "Z", "")).cast(type_)
    pc.min_max(made).as_py()  # raises OverflowError for a moment that UTC puts out of the years 1 to 9999
    return made


def _bytes(values: list[Any], type_: pa.DataType) -> pa.Array:
    return pa.array([None if value is None else from_base64(value) for value in values], type_)


def _decimal(node: Node, inner: Inner) -> Column:
    precision, scale = node.digits or (0, 0)
    is_bounded = 0 < precision <= 38 and 0 <= scale <= precision
    return _scalar(pa.decimal128(precision, scale), _cast) if is_bounded else TEXT


def _json(node: Node, inner: Inner) -> Column:
    """Returns the column of values for which Arrow has no type."""
    validator = typed(Plan("Value", node))

    def text(value: Any) -> str:
        with suppress(ValidationError):  # a default, which may be anything
            value = validator.validate_python(value)
        return to_json(value, inf_nan_mode="strings").decode()

    def make(values: list[Any], type_: pa.DataType) -> pa.Array:
        return pa.array([None if value is None else text(value) for value in values], type_)

    return _scalar(pa.string(), make, is_json=True)


# What holds other values


Open: TypeAlias = Callable[[list[Any], Report], tuple[list[Any], "pa.Array | None"]]
"""Makes what a struct or a list takes its members from, and tells which of them are null, if any is."""


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
        return _json(node, inner)
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
        return _json(node, inner)
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
        return _json(node, inner)

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
        arrays = pa.array(offsets, pa.int32()), _texts(keys), items
        return pa.MapArray.from_arrays(*arrays, type=type_, mask=are_null)

    return Column(type_, fill)


TEXT = _scalar(pa.string(), _texts, texts=pa.string())
INTEGER = _scalar(pa.int64(), _numbers(int), texts=pa.string())

_KINDS: dict[str, Callable[[Node, Inner], Column]] = {
    **dict.fromkeys(("str", "time", "duration", "uuid", "enum"), _same(TEXT)),
    "int": _same(INTEGER),
    "float": _same(_scalar(pa.float64(), _numbers(int, float), texts=pa.string())),
    "bool": _same(_scalar(pa.bool_(), _numbers(bool), texts=pa.string())),
    "date": _same(_scalar(pa.date32(), _cast)),
    "datetime": _same(_scalar(TIMESTAMP, _moments)),
    "bytes": _same(_scalar(pa.binary(), _bytes)),
    "decimal": _decimal,
    "any": _json,
    "dict": _dict,
    "tuple": _tuple,
    "union": _union,
    "list": _list,
    "map": _map,
}
"""The column for each kind of node."""
