"""Tables: rows from Parquet files, Arrow tables, pandas frames and lists, and back. The only module that imports
pyarrow and pandas.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from pydantic import BaseModel

from ..definition import Node
from ..errors import DatasetError, MissingExtraError
from ..findings import Fault
from .files import FilePath, refuse, whole_file
from .jsonl import NotARecordError, data_of, read_jsonl

__all__ = [
    "Rows",
    "Source",
    "arrow_table",
    "count_rows",
    "frame_of",
    "list_type",
    "rows_of",
    "text_type",
    "whole_number_type",
    "write_parquet",
]

Source = Any
"""The path of a Parquet file or of JSON Lines, a `pyarrow.Table`, a `pandas.DataFrame`, or a sequence of records or
dicts.
"""

_LINES = (".jsonl", ".ndjson", ".json", ".gz", ".zst")

BATCH = 8_192  # rows of a Parquet file that are converted to Python objects at once


class Rows(NamedTuple):
    """A table's rows: its origin, its columns if it has any, and each row as a dict."""

    name: str
    columns: list[str] | None
    rows: Iterator[dict[str, Any]]


def _pyarrow() -> ModuleType:
    try:
        import pyarrow as pa
        import pyarrow.parquet
    except ImportError as error:
        raise MissingExtraError("pyarrow", "datasets") from error
    module: ModuleType = pa
    return module


def _pandas() -> ModuleType:
    try:
        import pandas as pd
    except ImportError as error:
        raise MissingExtraError("pandas", "datasets") from error
    module: ModuleType = pd
    return module


def rows_of(source: Source, name: str = "", watch: Callable[[int], None] | None = None) -> Rows:
    """Returns the rows of a table of any kind, which is not changed. `watch` is called with the number of rows of a
    Parquet file, or of bytes of JSON Lines, read so far.

    Raises `DatasetError` for a file that is missing, is not Parquet or is truncated, the last while iterating, and
    `TypeError` for anything but a table.
    """
    if isinstance(source, (str, os.PathLike)):
        return _file_rows(source, watch)
    kinds = [f"{kind.__module__.partition('.')[0]}.{kind.__name__}" for kind in type(source).__mro__]
    if "pandas.DataFrame" in kinds:
        return Rows(name, [str(column) for column in source.columns], _frame_rows(source))
    if "pyarrow.Table" in kinds:
        return Rows(name, list(source.column_names), _batch_rows(source.to_batches(max_chunksize=BATCH), name, None))
    if isinstance(source, Iterable):
        return Rows(name, None, map(_row, source))
    raise TypeError(f"a table is a path, a pyarrow.Table, a pandas.DataFrame or a list, not {kinds[0]}")


def _row(record: Any) -> dict[str, Any]:
    if isinstance(record, (BaseModel, Mapping)):
        return dict(record)
    raise TypeError(f"a row is a record or a dict, not {type(record).__name__}")


def _frame_rows(frame: Any) -> Iterator[dict[str, Any]]:
    """Yields rows with missing values as None and arrays as lists."""
    columns = [str(column) for column in frame.columns]
    values = frame.astype(object).where(frame.notna(), None)
    for row in values.itertuples(index=False, name=None):
        yield {column: _plain(value) for column, value in zip(columns, row, strict=True)}


def _plain(value: Any) -> Any:
    """Returns arrays and scalars of numpy as Python's lists and scalars, also inside of lists and dicts."""
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_plain(each) for each in value]
    if type(value).__module__ == "numpy":
        listed = value.tolist()
        return [_plain(each) for each in listed] if isinstance(listed, list) else listed
    return value


def _file_rows(path: FilePath, watch: Callable[[int], None] | None) -> Rows:
    if Path(path).suffix.lower() in _LINES:
        return Rows(os.fspath(path), None, read_jsonl(path, _object_of, watch))
    return _parquet_rows(path, watch)


def _object_of(line: bytes) -> dict[str, Any]:
    data = data_of(line)
    if not isinstance(data, dict):
        raise NotARecordError(f"is of type {type(data).__name__}, not an object")
    return data


def _parquet_rows(path: FilePath, watch: Callable[[int], None] | None) -> Rows:
    file = _parquet_file(path)
    batches = file.iter_batches(batch_size=BATCH)
    return Rows(os.fspath(path), list(file.schema_arrow.names), _closing(file, _batch_rows(batches, path, watch)))


def _closing(file: Any, rows: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    with file:
        yield from rows


def _parquet_file(path: FilePath) -> Any:
    arrow = _pyarrow()
    try:
        with Path(path).open("rb"):
            pass  # Arrow's own message for a missing file has three lines
        return arrow.parquet.ParquetFile(path)
    except arrow.ArrowInvalid as error:
        raise refuse(f"is no Parquet file: {_first_line(error)}", path) from error
    except OSError as error:
        raise refuse(f"cannot be read: {error.strerror or _first_line(error)}", path) from error


def _batch_rows(
    batches: Iterable[Any], path: FilePath, watch: Callable[[int], None] | None
) -> Iterator[dict[str, Any]]:
    arrow, done, waiting = _pyarrow(), 0, iter(batches)
    while True:
        try:
            batch = next(waiting, None)
            rows = [] if batch is None else _with_dicts(arrow, batch)
        except (arrow.ArrowException, OSError, ValueError) as error:
            raise refuse(f"cannot be read on: {_first_line(error)}", path, row=done) from error
        if batch is None:
            return
        yield from rows
        done += len(rows)
        if watch is not None:
            watch(done)


def _with_dicts(arrow: ModuleType, batch: Any) -> list[dict[str, Any]]:
    """Returns the rows of a batch with maps as dicts. Arrow returns lists of pairs."""
    rows: list[dict[str, Any]] = batch.to_pylist()
    maps = [(field.name, field.type) for field in batch.schema if _holds_maps(arrow, field.type)]
    for row in rows if maps else ():
        for name, kind in maps:
            row[name] = _with_dict(arrow, kind, row[name])
    return rows


def _holds_maps(arrow: ModuleType, kind: Any) -> bool:
    inner = (kind.field(index).type for index in range(kind.num_fields))
    return arrow.types.is_map(kind) or any(_holds_maps(arrow, each) for each in inner)


def _with_dict(arrow: ModuleType, kind: Any, value: Any) -> Any:
    if value is None or not _holds_maps(arrow, kind):
        return value
    if arrow.types.is_map(kind):
        return {key: _with_dict(arrow, kind.item_type, each) for key, each in value}
    if arrow.types.is_struct(kind):
        return {name: _with_dict(arrow, kind.field(name).type, each) for name, each in value.items()}
    return [_with_dict(arrow, kind.value_type, each) for each in value]


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]


def count_rows(path: FilePath) -> int:
    """Returns the number of rows of a Parquet file, from its footer."""
    with _parquet_file(path) as file:
        count: int = file.metadata.num_rows
    return count


def text_type() -> Any:
    """Returns Arrow's type of texts."""
    return _pyarrow().string()


def whole_number_type() -> Any:
    """Returns Arrow's type of integers."""
    return _pyarrow().int64()


def list_type(item: Any) -> Any:
    """Returns Arrow's type of lists."""
    return _pyarrow().list_(item)


def arrow_table(
    rows: Sequence[Mapping[str, Any]],
    types: Mapping[str, Any],
    texts: Mapping[str, Sequence[str]] | None = None,
    maps: Mapping[str, Node] | None = None,
) -> Any:
    """Returns rows as a `pyarrow.Table`: the columns of `types`, then all further keys, with inferred types.

    A type of None is inferred as well. `texts` returns which fields of such a column are texts, even if none of them
    has a value. `maps` has the nodes of columns with dicts whose keys are data: Arrow would turn them into structs, in
    which every row has the keys of all rows.

    Raises `DatasetError` that names the column whose values have no common type.
    """
    arrow = _pyarrow()
    columns = {}
    for name in _names(rows, types):
        values = [row.get(name) for row in rows]
        try:
            kind = _type_with_maps(arrow, maps[name], values) if maps and name in maps else types.get(name)
            columns[name] = _column(arrow, values, kind, (texts or {}).get(name, ()))
        except (arrow.ArrowException, OverflowError) as error:
            raise DatasetError([Fault(f"no common type: {_first_line(error)}", path=f"$.{name}")]) from error
    return arrow.table(columns)


def _names(rows: Sequence[Mapping[str, Any]], first: Iterable[str]) -> list[str]:
    return list(dict.fromkeys([*first, *(name for row in rows for name in row)]))


def _column(arrow: ModuleType, values: list[Any], kind: Any, texts: Sequence[str]) -> Any:
    if kind is not None:
        return arrow.array(values, type=kind)
    column = arrow.array(values)
    if not texts or not arrow.types.is_struct(column.type):
        return column
    types = {field.name: arrow.string() if field.name in texts else field.type for field in column.type}
    order = dict.fromkeys(name for value in values for name in value)  # Arrow's own differs in some releases
    return arrow.array(values, type=arrow.struct([(name, types[name]) for name in order]))


def _type_with_maps(arrow: ModuleType, node: Node | None, values: Iterable[Any]) -> Any:
    """Returns Arrow's type of some values, with maps where the definition has them and their values share a type."""
    held = [value for value in values if value is not None]
    if node is not None and node.kind == "map" and held:
        keys = [key for value in held for key in value]
        with contextlib.suppress(arrow.ArrowException):
            item = _type_with_maps(arrow, node.item, (each for value in held for each in value.values()))
            return arrow.map_(arrow.array(keys).type if keys else arrow.string(), item)
    elif node is not None and node.kind == "list" and held:
        return arrow.list_(_type_with_maps(arrow, node.item, (each for value in held for each in value)))
    elif node is not None and node.kind == "dict" and held:
        nodes = {name: field.node for name, field in node.fields.items()}
        names = dict.fromkeys(name for value in held for name in value)
        return arrow.struct(
            [(name, _type_with_maps(arrow, nodes.get(name), (value.get(name) for value in held))) for name in names]
        )
    return arrow.array(held).type  # unlike infer_type, it checks all of them


def frame_of(rows: Sequence[Mapping[str, Any]], columns: Iterable[str]) -> Any:
    """Returns rows as a `pandas.DataFrame`, with lists and dicts unchanged: `columns`, then all further keys."""
    return _pandas().DataFrame(rows, columns=_names(rows, columns))


def write_parquet(path: FilePath, table: Any) -> None:
    """Writes a `pyarrow.Table` atomically. Raises `DatasetError` if the system refuses it."""
    arrow = _pyarrow()
    with whole_file(path) as beside:
        try:
            arrow.parquet.write_table(table, beside)
        except (arrow.ArrowException, OSError) as error:
            reason = getattr(error, "strerror", None) or _first_line(error)
            raise refuse(f"cannot be written: {reason}; nothing was changed", path) from error
