"""Arrow columns of a definition: for each kind of node the type, and the function from a value to what Arrow takes.

Values are those of an instance. Numbers and booleans may also be texts in their strict form, which clean replies are
read as.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import UTC, date, datetime
from decimal import Decimal
from functools import partial
from typing import Any, NamedTuple, TypeAlias

from pydantic_core import SchemaValidator, ValidationError, core_schema, to_json

from ..data.validators import typed
from ..definition import (
    MISSING,
    Field,
    Node,
    Path,
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
from ..escaping import encodable

with needs("pyarrow", "arrow"):
    import pyarrow as pa

MAX_COLUMNS = 10_000
"""Columns of a table, nested ones included. Models that share models can ask for a number without bounds."""

PREFIX = "structured_response."
"""The beginning of this library's keys in the metadata of a schema."""

Report: TypeAlias = Callable[[Path, Any, str], None]
"""Called for each value that does not fit its column, with path, value and message."""


class Column(NamedTuple):
    """The type of a column, and the function from a value to what Arrow takes for it.

    Attributes:
        convert: Gets a value with its path. One that does not fit is reported, and None like an absent one.
        forms: Types that Arrow alone can convert: that of typed values, and that of texts. Empty if there is none.
        is_json: Whether it holds JSON texts.
    """

    type: pa.DataType
    convert: Callable[[Any, Path, Report], Any]
    forms: tuple[pa.DataType, ...] = ()
    is_json: bool = False

    def array(self, values: list[Any], report: Callable[[int, Path, Any, str], None], path: Path = ()) -> pa.Array:
        """Returns an array of values, which have this path. Those that do not fit are reported by index, and null."""
        for form in self.forms:  # takes a tenth of the time of the way below
            with suppress(TypeError, ValueError, OverflowError, pa.ArrowException):
                return pa.array(values, form).cast(self.type)
        made = [self.convert(value, path, partial(report, index)) for index, value in enumerate(values)]
        return pa.array(made, self.type)


Inner: TypeAlias = Callable[[Node], Column]

Members: TypeAlias = list[tuple[pa.Field, Column, Field | None]]
"""The fields of a struct, as Arrow has them, and as the definition has them. None is the data itself."""


@per_plan
def members_of(plan: Plan) -> Members:
    """Returns the fields of a plan's data. If it is not an object, there is only one, `value`."""
    is_object = plan.root.kind == "dict" and bool(plan.root.fields)
    recursive = recursive_shapes(plan.root)
    count = int(is_object)

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

    if is_object:
        return _members(plan.root, column)
    root = column(plan.root)
    return [(field_of("value", plan.root, root), root, None)]


def _members(node: Node, inner: Inner) -> Members:
    columns = ((field, inner(field.node)) for field in node.fields.values())
    return [(field_of(field.name, field.node, column, field.required), column, field) for field, column in columns]


def data_array(plan: Plan, values: list[Any], report: Callable[[int, Path, Any, str], None]) -> pa.Array:
    """Returns the data of rows as an array of structs. None is a row without data."""
    arrays = []
    for _described, column, field in members_of(plan):
        if field is None:
            arrays.append(column.array(values, report))
        else:
            arrays.append(column.array(_all_held(values, field), report, (field.name,)))
    are_null = pa.array([value is None for value in values], pa.bool_())
    return pa.StructArray.from_arrays(arrays, fields=fields_of(plan), mask=are_null)


def fields_of(plan: Plan) -> list[pa.Field]:
    """Returns the Arrow fields of a plan's data."""
    return [described for described, _column, _field in members_of(plan)]


def _all_held(values: list[Any], field: Field) -> list[Any]:
    try:
        return [value[field.name] for value in values]
    except (KeyError, TypeError):  # for missing fields, and for rows without data
        return [None if value is None else _held(value, field) for value in values]


def _held(value: dict[str, Any], field: Field) -> Any:
    return value[field.name] if field.name in value else default_of(field)


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


def _scalar(type_: pa.DataType, make: Callable[[Any], Any], **marks: Any) -> Column:
    """Returns the column of a function that raises for a value that does not fit."""

    def convert(value: Any, path: Path, report: Report) -> Any:
        if value is None:
            return None
        try:
            return make(value)
        except (ValueError, TypeError, ArithmeticError):
            report(path, value, f"does not fit into a column of type {type_}")
            return None

    return Column(type_, convert, **marks)


def _text(value: Any) -> str:
    if isinstance(value, (dict, list)):
        raise TypeError("not a text")
    return encodable(value if isinstance(value, str) else choice_text(value))  # of a number among choices or defaults


def _moment(text: str) -> datetime:
    """Returns a moment in UTC, to which one without an offset is taken to belong."""
    moment = datetime.fromisoformat(text)
    return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)


def _decimal(node: Node, inner: Inner) -> Column:
    """Returns a column of decimals if their digits are bounded, else one of texts."""
    precision, scale = node.digits or (0, 0)
    if not (0 < precision <= 38 and 0 <= scale <= precision):
        return TEXT
    type_ = pa.decimal128(precision, scale)
    return _scalar(type_, lambda value: pa.scalar(Decimal(_text(value)), type_).as_py(), forms=_TEXTS)


def json_column(node: Node) -> Column:
    """Returns the column of values for which Arrow has no type."""
    validator = typed(Plan("Value", node))

    def text(value: Any) -> str:
        with suppress(ValidationError):  # a default, which may be anything
            value = validator.validate_python(value)
        return to_json(value, inf_nan_mode="strings").decode()

    return _scalar(pa.string(), text, is_json=True)


_INTEGER = SchemaValidator(core_schema.int_schema(ge=-(2**63), lt=2**63))
_FLOAT = SchemaValidator(core_schema.float_schema())
_BOOL = SchemaValidator(core_schema.bool_schema())

_TEXTS = (pa.string(), pa.string())

TEXT = _scalar(pa.string(), _text, forms=_TEXTS)

SCALARS = {
    **dict.fromkeys(("str", "time", "duration", "uuid", "enum"), TEXT),
    "int": _scalar(pa.int64(), _INTEGER.validate_python, forms=(pa.int64(), pa.string())),
    "float": _scalar(pa.float64(), _FLOAT.validate_python, forms=(pa.float64(), pa.string())),
    "bool": _scalar(pa.bool_(), _BOOL.validate_python, forms=(pa.bool_(), pa.string())),
    "date": _scalar(pa.date32(), date.fromisoformat, forms=_TEXTS),
    "datetime": _scalar(pa.timestamp("us", tz="UTC"), _moment),
    "bytes": _scalar(pa.binary(), lambda value: from_base64(_text(value))),
}
"""The column for each kind of scalar that has only one."""


# Containers


def _container(
    type_: pa.DataType,
    make: Callable[[Any, Path, Report], Any],
    *kinds: type,
    forms: Iterable[pa.DataType] = (),
) -> Column:
    """Returns the column of a function that gets values of these types only."""

    def convert(value: Any, path: Path, report: Report) -> Any:
        if type(value) in kinds:
            return make(value, path, report)
        if value is not None:
            report(path, value, f"expected a {kinds[0].__name__}")
        return None

    return Column(type_, convert, tuple(forms))


def _dict(node: Node, inner: Inner) -> Column:
    if not node.fields:
        return json_column(node)
    described, columns, fields = zip(*_members(node, inner), strict=True)

    def convert(value: dict[str, Any], path: Path, report: Report) -> dict[str, Any]:
        return {
            field.name: column.convert(_held(value, field), (*path, field.name), report)
            for column, field in zip(columns, fields, strict=True)
        }

    has_default = any(field.factory or field.default not in (MISSING, None) for field in fields)
    forms = () if has_default else zip(*(column.forms for column in columns), strict=False)
    structs = (pa.struct(list(zip(node.fields, form, strict=True))) for form in forms)
    return _container(pa.struct(described), convert, dict, forms=structs)


def _tuple(node: Node, inner: Inner) -> Column:
    if not node.parts:
        return json_column(node)
    columns = {f"_{index}": inner(part) for index, part in enumerate(node.parts)}
    type_ = pa.struct([field_of(*each) for each in zip(columns, node.parts, columns.values(), strict=True)])

    def convert(value: list[Any], path: Path, report: Report) -> dict[str, Any]:
        held = enumerate(zip(columns.items(), value, strict=False))  # some may be missing
        return {name: column.convert(each, (*path, index), report) for index, ((name, column), each) in held}

    return _container(type_, convert, list, tuple)


def _union(node: Node, inner: Inner) -> Column:
    """Returns a struct of `kind`, the name of an option, and a column for each option. Only models are told apart."""
    options = node.options()
    if any(option.kind != "dict" for option in options.values()):
        return json_column(node)
    names = {name: free_name(name, {"kind", *options.keys() - {name}}) for name in options}
    columns = {name: inner(option) for name, option in options.items()}
    fields = [field_of(names[name], option, columns[name]) for name, option in options.items()]

    def convert(value: dict[str, Any], path: Path, report: Report) -> dict[str, Any] | None:
        name = match_union_option(node, value)
        if name is None:
            report(path, value, f"fits none of {', '.join(options)}")
            return None
        return {"kind": name, names[name]: columns[name].convert(value, path, report)}

    return _container(pa.struct([pa.field("kind", pa.string()), *fields]), convert, dict)


def _list(node: Node, inner: Inner) -> Column:
    assert node.item is not None
    column = inner(node.item)

    def convert(value: list[Any], path: Path, report: Report) -> list[Any]:
        return [column.convert(each, (*path, index), report) for index, each in enumerate(value)]

    forms = map(pa.list_, column.forms)
    return _container(pa.list_(field_of("item", node.item, column)), convert, list, tuple, forms=forms)


def _map(node: Node, inner: Inner) -> Column:
    assert node.item is not None
    column = inner(node.item)

    def convert(value: dict[str, Any], path: Path, report: Report) -> list[Any]:
        return [(encodable(key), column.convert(held, (*path, key), report)) for key, held in value.items()]

    forms = (pa.map_(pa.string(), form) for form in column.forms)
    return _container(pa.map_(pa.string(), field_of("value", node.item, column)), convert, dict, forms=forms)


_KINDS: dict[str, Callable[[Node, Inner], Column]] = {
    "dict": _dict,
    "tuple": _tuple,
    "union": _union,
    "list": _list,
    "map": _map,
    "decimal": _decimal,
    "any": lambda node, inner: json_column(node),
}
"""The column for each kind of node that is not in SCALARS."""
