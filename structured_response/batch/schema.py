"""The Arrow schemas of a definition's data, and of the results of reading replies."""

from __future__ import annotations

from typing import Any

from ..asking.session import response_of
from ..definition import Path, Plan, per_plan
from ..errors import needs
from .kinds import INTEGER, PREFIX, TEXT, Column, Report, fields_of

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


def _findings(**columns: Column) -> Column:
    """Returns the column of lists of findings, which have these attributes."""

    def convert(findings: Any, path: Path, report: Report) -> list[dict[str, Any]]:
        return [
            {name: column.convert(getattr(found, name), path, report) for name, column in columns.items()}
            for found in findings
        ]

    return Column(pa.list_(pa.struct([(name, column.type) for name, column in columns.items()])), convert)


_TEXTS = Column(pa.list_(pa.string()), lambda texts, path, report: [TEXT.convert(text, path, report) for text in texts])
_SPAN = Column(
    pa.struct([("start", INTEGER.type), ("end", INTEGER.type)]),
    lambda span, path, report: None if span is None else {"start": span[0], "end": span[1]},
)

RESULTS = {
    "status": TEXT,
    "error": TEXT,
    "problems": _findings(kind=TEXT, path=TEXT, message=TEXT, found=TEXT, candidates=_TEXTS, span=_SPAN),
    "repairs": _findings(kind=TEXT, path=TEXT, span=_SPAN, before=TEXT, after=TEXT),
}
"""The columns beside the data, which hold the attributes of a `Row`."""
