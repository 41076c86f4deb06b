"""The Arrow schemas of a definition's data, and of the results of reading replies."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any

from ..asking.session import response_of
from ..definition import Plan, per_plan
from ..errors import needs
from ..response import StructuredResponse
from .kinds import PREFIX, Member, list_of, root_column, struct_of, tuple_of
from .scalars import INTEGER, TEXT, Column

with needs("pyarrow", "arrow"):
    import pyarrow as pa


def arrow_schema(model: Any) -> pa.Schema:
    """Return the Arrow schema of a model's data. It depends on the definition only, never on data.

    `str`, `bool`, `int`, `float`, `date`, `datetime` and `bytes` have the types string, bool, int64, double, date32,
    timestamp[us, tz=UTC] and binary. A `Decimal` with `max_digits` and `decimal_places` is a decimal128, any other one
    a string, like times, durations, UUIDs and enums. Objects are structs, tuples structs with the fields `_0`, `_1`,
    lists and sets are lists, maps have strings as keys. A union of models is a struct of `kind`, the name of the
    option, and a column for each option. Everything else is a string of JSON: other unions, values of any type,
    models without fields, and models inside themselves.

    Every field is nullable. The metadata of a field has its `structured_response.description`, whether it is
    `structured_response.required`, and `structured_response.json` where the column holds JSON. The metadata of the
    schema has `structured_response.class_name`, `.fingerprint` and `.definition`.

    Args:
        model: A model, any other type that `StructuredResponse.from_type` takes, or a response.

    Returns:
        A schema with a field for each field of the model. If the data is not an object, the only field is `value`.

    Raises:
        DefinitionError: The type cannot be described, or makes more than 10,000 columns.
    """
    return _data_schema(response_of(model)._plan)


@per_plan
def _data_schema(plan: Plan) -> pa.Schema:
    return pa.schema(list(root_column(plan).type), metadata=_metadata(plan))


def result_schema(asked: StructuredResponse[Any]) -> pa.Schema:
    """Return the schema of `table_of`: data, status, error, problems, repairs."""
    return _result_schema(asked._plan)


@per_plan
def _result_schema(plan: Plan) -> pa.Schema:
    columns = {"data": root_column(plan), **RESULTS}
    fields = [pa.field(name, column.type) for name, column in columns.items()]
    return pa.schema(fields, metadata=_metadata(plan))


def _metadata(plan: Plan) -> dict[str, bytes | str]:
    held: dict[str, bytes | str] = {
        "class_name": plan.class_name,
        "fingerprint": plan.fingerprint,
        "definition": plan.definition_json,
    }
    return {PREFIX + name: value for name, value in held.items()}


def _findings(**columns: Column) -> Column:
    """Returns the column of lists of findings, which have these attributes."""

    def attributes(name: str) -> Callable[[list[Any]], list[Any]]:
        return lambda findings: list(map(attrgetter(name), findings))

    members = [Member(pa.field(name, column.type), attributes(name), column.fill) for name, column in columns.items()]
    column = struct_of(members, lambda values, report: (values, None))
    return list_of(pa.field("item", column.type), column.fill)


_TEXTS = list_of(pa.field("item", TEXT.type), TEXT.fill)
_SPAN = tuple_of([(pa.field(name, INTEGER.type), INTEGER.fill) for name in ("start", "end")])

RESULTS = {
    "status": TEXT,
    "error": TEXT,
    "problems": _findings(kind=TEXT, path=TEXT, message=TEXT, found=TEXT, candidates=_TEXTS, span=_SPAN),
    "repairs": _findings(kind=TEXT, path=TEXT, span=_SPAN, before=TEXT, after=TEXT),
}
"""The columns beside the data, which hold the attributes of a `Row`."""
