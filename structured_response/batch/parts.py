"""From a block of the input to a part of the output, in whatever process: decoded, read, counted and written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from time import perf_counter
from typing import Any, Literal, TypeAlias

from pydantic_core import to_json

from ..errors import needs
from ..escaping import encodable
from ..findings import MAX_SHOWN
from ..options import ReadingOptions
from ..response import StructuredResponse
from .columns import ROWS_AT_ONCE, table_of
from .folder import counts_path, part_path, whole_file, writing
from .inputs import Block, InputRow, input_rows
from .report import GOOD, BatchReport, places
from .rows import Row, reader
from .schema import result_schema

with needs("pyarrow", "arrow"):
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

PartFormat: TypeAlias = Literal["parquet", "jsonl"]
"""The format of the parts."""


@dataclass(frozen=True)
class Work:
    """Settings for writing parts.

    Attributes:
        asked: Makes the response that is read into.
        drop: Whether rows that failed are left out.
    """

    asked: Callable[[], StructuredResponse[Any]]
    options: ReadingOptions
    folder: Path
    column: str
    parts: PartFormat
    drop: bool


def write_part(work: Work, block: Block) -> BatchReport:
    """Writes the part of a block, and its counts before it. Both are whole or absent."""
    begin = perf_counter()
    asked, rows = work.asked(), input_rows(block, work.column)
    read = reader(asked, work.options)
    tables, counted = [part_schema(asked).empty_table()], BatchReport()
    while given := list(islice(rows, ROWS_AT_ONCE)):
        table = part_table(given, [read(row.reply) for row in given], asked)
        counted += count(table, [row.place for row in given])
        tables.append(table.filter(pc.is_in(table["status"], pa.array(GOOD))) if work.drop else table)
    part = part_path(work.folder, block.number, work.parts)
    return save(part, pa.concat_tables(tables), replace(counted, seconds=perf_counter() - begin))


def save(part: Path, content: pa.Table | Iterable[bytes], counted: BatchReport) -> BatchReport:
    """Writes a part, a table or lines of JSON, and its counts before it. Both are whole or absent."""
    with whole_file(part) as beside, whole_file(counts_path(part)) as counts, writing(part):
        if isinstance(content, pa.Table) and part.suffix == ".parquet":
            pq.write_table(content, beside, compression="zstd")
        else:
            with beside.open("wb") as file:
                file.writelines(json_lines(content) if isinstance(content, pa.Table) else content)
        counts.write_bytes(counted.to_json(beside.stat().st_size))
    return counted


def json_lines(table: pa.Table) -> Iterator[bytes]:
    """Yields the rows of a table as JSON."""
    for batch in table.to_batches(ROWS_AT_ONCE):
        yield from map(json_line, batch.to_pylist(maps_as_pydicts="lossy"))


def json_line(row: Any) -> bytes:
    return to_json(row, inf_nan_mode="strings", bytes_mode="base64") + b"\n"


def part_table(given: Sequence[InputRow], rows: Sequence[Row], asked: StructuredResponse[Any]) -> pa.Table:
    """Returns rows and what they were read from as a table."""
    came = [
        _texts([row.id for row in given]),
        pa.array([row.sample for row in given], pa.int32()),
        _texts([row.reply.text for row in given]),
        _texts([row.reply.finish_reason for row in given]),
    ]
    return pa.Table.from_arrays(came + table_of(rows, asked).columns, schema=part_schema(asked))


def part_schema(asked: StructuredResponse[Any]) -> pa.Schema:
    """Returns the schema of a part: the columns of the input, then those of `result_schema`, with its metadata."""
    results = result_schema(asked._plan)
    given = pa.schema({"id": pa.string(), "sample": pa.int32(), "reply": pa.string(), "finish_reason": pa.string()})
    return pa.schema([*given, *results], metadata=results.metadata)


def _texts(values: Sequence[str | None]) -> pa.Array:
    try:
        return pa.array(values, pa.string())
    except UnicodeEncodeError:
        return pa.array([value and encodable(value) for value in values], pa.string())


def count(table: pa.Table, origins: Sequence[str]) -> BatchReport:
    """Counts the rows of a table, which came from these places."""
    statuses, errors = table["status"].to_pylist(), table["error"].to_pylist()
    rows = zip(origins, statuses, errors, strict=True)
    failures = (f"{place}: {status}: {error}" for place, status, error in rows if status not in GOOD)
    findings = (pc.list_flatten(table[name]) for name in ("problems", "repairs"))
    pairs = ([pc.struct_field(found, name).to_pylist() for name in ("path", "kind")] for found in findings)
    problems, repairs = (places(zip(*pair, strict=True)) for pair in pairs)
    return BatchReport(Counter(statuses), problems, repairs, list(islice(failures, MAX_SHOWN)))
