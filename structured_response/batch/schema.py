"""The Arrow schemas of a definition's data, and of the results of reading replies."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..asking.session import response_of
from ..definition import Path, Plan, per_plan
from ..errors import needs
from ..escaping import encodable
from .kinds import PREFIX, TEXT, Column, Report, fields_of

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
    plan = response_of(model)._plan
    return pa.schema(fields_of(plan), metadata=_metadata(plan))


@per_plan
def result_schema(plan: Plan) -> pa.Schema:
    """Return the schema of `table_of`: data, status, error, problems, repairs."""
    data = pa.field("data", pa.struct(fields_of(plan)))
    results = [pa.field(name, column.type) for name, column in RESULTS.items()]
    return pa.schema([data, *results], metadata=_metadata(plan))


def _metadata(plan: Plan) -> dict[str, bytes | str]:
    held: dict[str, bytes | str] = {
        "class_name": plan.class_name,
        "fingerprint": plan.fingerprint,
        "definition": plan.definition_json,
    }
    return {PREFIX + name: value for name, value in held.items()}


def _findings(**fields: tuple[pa.DataType, Callable[[Any], Any]]) -> Column:
    """Returns the column of lists of findings: the type of each attribute, and the function that shows it."""

    def convert(findings: Any, path: Path, report: Report) -> list[dict[str, Any]]:
        return [{name: show(getattr(found, name)) for name, (_type, show) in fields.items()} for found in findings]

    return Column(pa.list_(pa.struct([(name, type_) for name, (type_, _show) in fields.items()])), convert)


_TEXT = pa.string(), lambda text: text and encodable(text)
_TEXTS = pa.list_(pa.string()), lambda texts: list(map(encodable, texts))
_SPAN = (
    pa.struct([("start", pa.int64()), ("end", pa.int64())]),
    lambda span: span and {"start": span[0], "end": span[1]},
)

RESULTS = {
    "status": TEXT,
    "error": TEXT,
    "problems": _findings(kind=_TEXT, path=_TEXT, message=_TEXT, found=_TEXT, candidates=_TEXTS, span=_SPAN),
    "repairs": _findings(kind=_TEXT, path=_TEXT, span=_SPAN, before=_TEXT, after=_TEXT),
}
"""The columns beside the data, which hold the attributes of a `Row`."""
