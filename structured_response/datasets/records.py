"""Records of any Pydantic model, from JSON Lines and Parquet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from ..definition.names import show_path
from ..errors import DatasetError
from ..findings import Fault
from .files import FilePath, Watch
from .jsonl import Line, faults_of, read_jsonl, scan_jsonl, write_jsonl
from .tables import arrow_table, rows_of, write_parquet

__all__ = ["is_parquet", "read_records", "scan_records", "write_records"]

Model = TypeVar("Model", bound=BaseModel)


def read_records(path: FilePath, model: type[Model], watch: Watch | None = None) -> Iterator[Model]:
    """The records of a file one by one: of `.parquet` its rows, else of JSON Lines (`.gz` and `.zst` unpacked).

    Memory is that of one record, or of a batch of rows. Raises `DatasetError` with line or row, and field, at the
    first bad record; those before it have been given.
    """
    if not is_parquet(path):
        yield from read_jsonl(path, model.model_validate_json, watch)
        return
    for line in scan_records(path, model, watch):
        if line.faults:
            raise DatasetError(line.faults)
        yield line.record


def scan_records(path: FilePath, model: type[BaseModel], watch: Watch | None = None) -> Iterator[Line]:
    """Every line or row of a file with its record or its faults: for a look at all that is wrong. Rows are counted
    from 0.
    """
    if not is_parquet(path):
        yield from scan_jsonl(path, model.model_validate_json, watch)
        return
    table = rows_of(path, watch=watch)
    for number, row in enumerate(table.rows):
        try:
            yield Line(number, model.model_validate(row), [])
        except ValidationError as error:
            found = faults_of(error, row)
            yield Line(number, None, [Fault(text, table.name, row=number, path=show_path(at)) for at, text in found])


def write_records(path: FilePath, records: Iterable[BaseModel]) -> int:
    """Write records of one model as Parquet or, by any other suffix, as JSON Lines; gives their number.

    The file appears whole or not at all. Raises `DatasetError` where it cannot be written, or where the values of a
    column have no common type.
    """
    if not is_parquet(path):
        return write_jsonl(path, records)
    rows = [record.model_dump() for record in records]
    write_parquet(path, arrow_table(rows, {}))
    return len(rows)


def is_parquet(path: FilePath) -> bool:
    """Whether a file's name says Parquet."""
    return Path(path).suffix.lower() == ".parquet"
