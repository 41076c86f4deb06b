"""From a block of the input to a part of the output, in whatever process: decoded, read, counted and written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from time import perf_counter
from typing import Any, Literal, TypeAlias

from pydantic_core import to_json

from ..asking.session import response_of
from ..errors import needs
from ..findings import MAX_SHOWN
from ..options import ReadingOptions
from ..response import StructuredResponse
from .columns import table_of
from .folder import counts_path, encodable, part_path, whole_file
from .inputs import Block, InputRow, input_rows
from .report import GOOD, BatchReport, places
from .rows import reader
from .schema import result_schema

with needs("pyarrow", "arrow"):
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

PartFormat: TypeAlias = Literal["parquet", "jsonl"]
"""The format of the parts."""

MAX_HELD = 1000
"""Rows that are held as Python objects at a time. The objects of a row are several times as large as its columns."""


@dataclass(frozen=True)
class Work:
    """What a process has to know to make parts of blocks.

    Attributes:
        model: The model as the caller gave it: unlike that of a response, its pickle has classes made in functions.
        drop: Whether rows that failed are left out.
    """

    model: Any
    options: ReadingOptions
    folder: Path
    column: str
    parts: PartFormat
    drop: bool


def write_part(work: Work, block: Block) -> BatchReport:
    """Writes the part of a block, and its counts before it. Both are whole or absent."""
    begin = perf_counter()
    asked, rows = response_of(work.model), input_rows(block, work.column)
    read = reader(asked, work.options)
    tables, counted = [part_schema(asked).empty_table()], BatchReport()
    while given := list(islice(rows, MAX_HELD)):
        results = table_of([read(row.reply) for row in given], asked)
        table = pa.Table.from_arrays(_given(given) + results.columns, schema=part_schema(asked))
        counted += _counted(table, given)
        tables.append(table.filter(pc.is_in(table["status"], pa.array(GOOD))) if work.drop else table)
    part = part_path(work.folder, block.number, work.parts)
    with whole_file(part) as beside, whole_file(counts_path(part)) as counts:  # the counts take their place first
        WRITERS[work.parts](pa.concat_tables(tables), beside)
        counted = replace(counted, seconds=perf_counter() - begin)
        counts.write_bytes(counted.to_json())
    return counted


def part_schema(asked: StructuredResponse[Any]) -> Any:
    """Returns the schema of a part: the columns of the input, then those of `result_schema`, with its metadata."""
    results = result_schema(asked)
    given = pa.schema({"id": pa.string(), "sample": pa.int32(), "reply": pa.string(), "finish_reason": pa.string()})
    return pa.schema([*given, *results], metadata=results.metadata)


def _given(rows: Sequence[InputRow]) -> list[Any]:
    """Returns the columns of what came in."""
    return [
        _texts([row.id for row in rows]),
        pa.array([row.sample for row in rows], pa.int32()),
        _texts([row.reply.text for row in rows]),
        _texts([row.reply.finish_reason for row in rows]),
    ]


def _texts(values: Sequence[str | None]) -> Any:
    try:
        return pa.array(values, pa.string())
    except UnicodeEncodeError:
        return pa.array([value and encodable(value) for value in values], pa.string())


def _counted(table: Any, given: Sequence[InputRow]) -> BatchReport:
    statuses, errors = table["status"].to_pylist(), table["error"].to_pylist()
    rows = zip(given, statuses, errors, strict=True)
    failures = (f"{row.place}: {status}: {error}" for row, status, error in rows if status not in GOOD)
    found = {name: places(_findings(table[name])) for name in ("problems", "repairs")}
    return BatchReport(Counter(statuses), failures=list(islice(failures, MAX_SHOWN)), **found)


def _findings(column: Any) -> Iterator[tuple[str, str]]:
    found = pc.list_flatten(column)
    return zip(*(pc.struct_field(found, name).to_pylist() for name in ("path", "kind")), strict=True)


def _write_parquet(table: Any, path: Path) -> None:
    pq.write_table(table, path, compression="zstd")


def _write_lines(table: Any, path: Path) -> None:
    with path.open("wb") as file:
        for batch in table.to_batches(MAX_HELD):
            for row in batch.to_pylist(maps_as_pydicts="lossy"):
                file.write(to_json(row, inf_nan_mode="strings", bytes_mode="base64") + b"\n")


WRITERS: dict[PartFormat, Callable[[Any, Path], None]] = {"parquet": _write_parquet, "jsonl": _write_lines}
