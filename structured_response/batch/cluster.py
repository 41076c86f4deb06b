"""Parsing on a worker of a cluster, for Ray and for Spark."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any

from ..errors import needs
from ..options import ReadingOptions, parse_options
from ..response import StructuredResponse
from .columns import check_names, parse_column, texts_of, with_results
from .rows import Reply, maker_of

with needs("cloudpickle", "arrow"):
    import cloudpickle
with needs("pyarrow", "arrow"):
    import pyarrow as pa

FAILED = "__inference_error__"
"""The column in which `ray.data.llm` says why it has no reply for a row. It is empty for all other rows."""


def table_parser(
    asked: StructuredResponse[Any], column: str, options: ReadingOptions
) -> Callable[[pa.Table], pa.Table]:
    """Returns `parse_table` for a response and a column as a function that can be sent to workers."""
    parse_options(options, ())  # an option that does not exist is an error here, and not on a worker
    return partial(parse_rows, cloudpickle.dumps((maker_of(asked), options)), column)


def parse_rows(packed: bytes, column: str, table: pa.Table) -> pa.Table:
    """Returns a table with its results. A row that `ray.data.llm` has no reply for has an error of the provider."""
    asked, options = _unpacked(packed)
    has_failed = FAILED in table.column_names
    if has_failed and column not in table.column_names:  # all failed, and `postprocess`, which makes it, saw no row
        table = table.append_column(column, pa.nulls(len(table), pa.string()))
    check_names(table.schema, column)
    replies = table[column]
    if has_failed:
        pairs = zip(texts_of(replies), table[FAILED].to_pylist(), strict=True)
        replies = [Reply(text, error=error or None) for text, error in pairs]
    return with_results(table, parse_column(replies, asked(), **options))


# Engines unpickle their function for each block of rows. A class that is no module's is pickled with its content, and
# each unpickling makes another class of it, whose plan takes as long to compile as 100 replies to read. So it is done
# once in each process.
_unpacked = lru_cache(maxsize=16)(cloudpickle.loads)
