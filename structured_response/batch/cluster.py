"""Parsing on a worker of a cluster, for Ray and for Spark, and what is sent to any other process."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any

from ..errors import BatchError, needs
from ..options import ReadingOptions, parse_options
from ..response import StructuredResponse
from .columns import check_names, parse_column, texts_of, with_results
from .rows import Reply

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
    return partial(parse_rows, packed((maker_of(asked), options)), column)


def parse_rows(sent: bytes, column: str, table: pa.Table) -> pa.Table:
    """Returns a table with its results. A row that `ray.data.llm` has no reply for has an error of the provider."""
    asked, options = unpacked(sent)
    has_failed = FAILED in table.column_names
    if has_failed and column not in table.column_names:  # all failed, and `postprocess`, which makes it, saw no row
        table = table.append_column(column, pa.nulls(len(table), pa.string()))
    check_names(table.column_names, column)
    replies = table[column]
    if has_failed:
        pairs = zip(texts_of(replies), table[FAILED].to_pylist(), strict=True)
        replies = [Reply(text, error=error or None) for text, error in pairs]
    return with_results(table, parse_column(replies, asked(), **options))


# Sending


def maker_of(asked: StructuredResponse[Any]) -> Callable[[], StructuredResponse[Any]]:
    """Returns a function that makes a response in another process: from the type itself, since the pickle of a
    response leaves out a type that cannot be imported, and its validators.
    """
    plan = asked._plan
    if plan.model is not None and plan.is_complete:
        return partial(StructuredResponse.from_type, plan.model, plan.class_name)
    return lambda: asked


def packed(value: Any) -> bytes:
    """Returns what is sent to another process as bytes. They are not made by loky, which cannot send a class of a
    script that has validators.
    """
    try:
        made: bytes = cloudpickle.dumps(value)
    except Exception as error:
        raise _unsent(error) from error
    return made


# Engines unpickle their function for each block of rows. A class that is no module's is pickled with its content, and
# each unpickling makes another class of it, whose plan takes as long to compile as 100 replies to read. So it is done
# once in each process.
@lru_cache(maxsize=16)
def unpacked(sent: bytes) -> Any:
    """Returns what was sent. Each process does so once."""
    try:
        return pickle.loads(sent)  # noqa: S301 - from the parent
    except Exception as error:
        raise _unsent(error) from error


def _unsent(error: Exception) -> BatchError:
    hint = "parse_files with processes=1, parse_column and parse_table send nothing"
    return BatchError(f"the model or an option cannot be sent to a process ({error}); {hint}")
