"""Arrow columns of scalars: their types, and the functions that fill them with values.

Values are those of an instance. Numbers and booleans may also be texts in their strict form, which clean replies are
read as, and which Arrow converts faster than Python.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple, TypeAlias

from pydantic_core import ValidationError, to_json

from ..data.validators import typed
from ..definition import Node, Plan, choice_text, from_base64
from ..errors import needs
from ..escaping import encodable

with needs("pyarrow", "arrow"):
    import pyarrow as pa
    import pyarrow.compute as pc

Report: TypeAlias = Callable[..., None]
"""Called for each value that does not fit its column, with index, value, message and path."""

Fill: TypeAlias = Callable[[list[Any], Report], pa.Array]
"""Makes an array of values. Those that it cannot hold are reported and null."""


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


def text_array(values: list[Any], type_: pa.DataType = pa.string()) -> pa.Array:  # noqa: B008 - types do not change
    with suppress(TypeError, UnicodeEncodeError):  # numbers among choices and defaults, and halves of surrogate pairs
        return pa.array(values, pa.string())
    return pa.array(
        [value if value is None or (type(value) is str and value.isascii()) else _text(value) for value in values],
        pa.string(),
    )


def _text(value: Any) -> str:
    if isinstance(value, (dict, list)):
        raise TypeError("not a text")
    return encodable(choice_text(value))


def _numbers(*kinds: type) -> Callable[[list[Any], pa.DataType], pa.Array]:
    def make(values: list[Any], type_: pa.DataType) -> pa.Array:
        with suppress(TypeError):  # typed values
            return pa.array(values, pa.string()).cast(type_)
        found = set(map(type, values))
        if not found <= {str, type(None), *kinds}:
            raise TypeError("not a number of this kind")
        return text_array(values).cast(type_) if str in found else pa.array(values, type_)

    return make


def _cast(values: list[Any], type_: pa.DataType) -> pa.Array:
    return text_array(values).cast(type_)


def _moments(values: list[Any], type_: pa.DataType) -> pa.Array:
    """Returns moments in UTC, to which those without an offset are taken to belong."""
    texts = pc.replace_substring_regex(text_array(values), r"(\.[0-9]{6})[0-9]+", r"\1")
    has_offset = pc.match_substring_regex(texts, r"(Z|[+-][0-9]{2}:?[0-9]{2})$")
    made = pc.if_else(has_offset, texts, pc.binary_join_element_wise(texts, "Z", "")).cast(type_)
    pc.min_max(made).as_py()  # raises OverflowError for a moment that UTC puts out of the years 1 to 9999
    return made


def _bytes(values: list[Any], type_: pa.DataType) -> pa.Array:
    return pa.array([None if value is None else from_base64(value) for value in values], type_)


def decimal_column(node: Node) -> Column:
    """Returns a column of decimals if their digits are bounded, else one of texts."""
    precision, scale = node.digits or (0, 0)
    is_bounded = 0 < precision <= 38 and 0 <= scale <= precision
    return _scalar(pa.decimal128(precision, scale), _cast) if is_bounded else TEXT


def json_column(node: Node) -> Column:
    """Returns the column of values for which Arrow has no type."""
    validator = typed(Plan("Value", node))

    def text(value: Any) -> str:
        with suppress(ValidationError):  # a default, which may be anything
            value = validator.validate_python(value)
        return to_json(value, inf_nan_mode="strings").decode()

    def make(values: list[Any], type_: pa.DataType) -> pa.Array:
        return pa.array([None if value is None else text(value) for value in values], type_)

    return _scalar(pa.string(), make, is_json=True)


TEXT = _scalar(pa.string(), text_array, texts=pa.string())
INTEGER = _scalar(pa.int64(), _numbers(int), texts=pa.string())

SCALARS = {
    **dict.fromkeys(("str", "time", "duration", "uuid", "enum"), TEXT),
    "int": INTEGER,
    "float": _scalar(pa.float64(), _numbers(int, float), texts=pa.string()),
    "bool": _scalar(pa.bool_(), _numbers(bool), texts=pa.string()),
    "date": _scalar(pa.date32(), _cast),
    "datetime": _scalar(pa.timestamp("us", tz="UTC"), _moments),
    "bytes": _scalar(pa.binary(), _bytes),
}
"""The column for each kind of scalar that has only one."""
