"""Records of any model, and the rows of Parquet, Arrow and pandas. The only module that uses pyarrow."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from pydantic import BaseModel

from ..definition import Node, plan_of_type, walk
from ..errors import DatasetError, DefinitionError
from ..findings import Fault
from ..packing import reason_of
from .files import FilePath, Watch, extra, refuse, refusing, suffix_of, whole_file, writing
from .jsonl import OBJECT, Line, line_of, records_of, scan_jsonl, write_jsonl

Model = TypeVar("Model", bound=BaseModel)

Source = Any
"""The path of Parquet or JSON Lines, a `pyarrow.Table`, a `pandas.DataFrame`, or a sequence of records or dicts."""

_LINES = (".jsonl", ".ndjson", ".json", ".gz", ".zst")

BATCH = 8_192  # rows of a Parquet file that are converted to Python objects at once


def read_records(path: FilePath, model: type[Model], watch: Watch | None = None) -> Iterator[Model]:
    """Yields the records of a file. Memory is that of one record, or of a batch of rows.

    Args:
        path: The file: `.parquet`, or JSON Lines by any other suffix, which are unpacked for `.gz` and `.zst`.
        model: The model of the records.
        watch: A function that is called with the number of rows of Parquet, or of bytes, read so far.

    Raises:
        DatasetError: A record is invalid. Those before it have been yielded.
    """
    return records_of(scan_records(path, model, watch))


def scan_records(path: FilePath, model: type[BaseModel], watch: Watch | None = None) -> Iterator[Line]:
    """Yields every line or row of a file with its record or its faults; see `read_records` for the arguments.

    Raises:
        DatasetError: The file cannot be read further.
    """
    if suffix_of(path) != ".parquet":
        yield from scan_jsonl(path, model.model_validate_json, watch)
        return
    node = _node_of(model)
    node = node if node is not None and any(map(_drops_nulls, walk(node))) else None
    for number, row in enumerate(rows_of(path, watch=watch).rows):
        yield line_of(_without_fillers(node, row), model.model_validate, path, row=number)


def write_records(path: FilePath, records: Iterable[BaseModel]) -> int:
    """Writes records of one model, whole or not at all.

    Args:
        path: The file, which is replaced: `.parquet`, or JSON Lines by any other suffix.
        records: The records. For Parquet, all of them are held in memory.

    Returns:
        The number of records.

    Raises:
        DatasetError: The file cannot be written, or the values of a column have no common type. Nothing was changed.
    """
    if suffix_of(path) != ".parquet":
        return write_jsonl(path, records)
    kept = list(records)
    nodes = nodes_of(type(kept[0])) if kept else None
    write_parquet(path, arrow_table([record.model_dump() for record in kept], nodes=nodes))
    return len(kept)


def nodes_of(model: type[BaseModel]) -> dict[str, Node]:
    """Returns the definitions of a model's fields, or nothing for a model that cannot be described."""
    node = _node_of(model)
    return {} if node is None else {name: field.node for name, field in node.fields.items()}


def _node_of(model: type[BaseModel]) -> Node | None:
    try:
        return plan_of_type(model, model.__name__).root
    except DefinitionError:
        return None


def _without_fillers(node: Node | None, data: Any) -> Any:
    """Returns data without the nulls that a struct of Arrow has for the keys of other rows."""
    if node is None or not isinstance(data, dict | list):
        return data
    if isinstance(data, list):
        return [_without_fillers(node.item, value) for value in data]
    if node.kind == "map":
        kept = {key: value for key, value in data.items() if value is not None or not _drops_nulls(node)}
        return {key: _without_fillers(node.item, value) for key, value in kept.items()}
    fields = ((name, node.fields.get(name) or node.field_aliased(name)) for name in data)
    return {name: _without_fillers(None if field is None else field.node, data[name]) for name, field in fields}


def _drops_nulls(node: Node) -> bool:
    return node.kind == "map" and node.item is not None and node.item.nullable is False


class Rows(NamedTuple):
    """A table's rows: its origin, its columns if it has any, and each row as a dict."""

    name: str
    columns: list[str] | None
    rows: Iterator[dict[str, Any]]


def _pyarrow() -> Any:
    extra("pyarrow.parquet", "pyarrow")
    return extra("pyarrow", "pyarrow")


def rows_of(source: Source, name: str = "", watch: Watch | None = None) -> Rows:
    """Returns the rows of a table of any kind. `watch` counts the rows of Parquet, or the bytes of JSON Lines."""
    if isinstance(source, (str, os.PathLike)):
        if suffix_of(source) in _LINES:
            return Rows(os.fspath(source), None, records_of(scan_jsonl(source, OBJECT.validate_json, watch)))
        file = _parquet_file(source)
        return Rows(
            os.fspath(source),
            list(file.schema_arrow.names),
            _batch_rows(file.iter_batches(batch_size=BATCH), source, watch),
        )
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
    columns = [str(column) for column in frame.columns]
    values = frame.astype(object).where(frame.notna(), None)
    for row in values.itertuples(index=False, name=None):
        yield {column: plain(value) for column, value in zip(columns, row, strict=True)}


def plain(value: Any) -> Any:
    """Returns the arrays and scalars of numpy and the like as lists and scalars, also inside of lists and dicts."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    return [plain(each) for each in value] if isinstance(value, list) else value


def _parquet_file(path: FilePath) -> Any:
    arrow = _pyarrow()
    with refusing("cannot be read", path):
        Path(path).open("rb").close()  # Arrow takes a folder for a table of several files
    with refusing("is not a Parquet file", path, arrow.ArrowInvalid):
        return arrow.parquet.ParquetFile(path)


def _batch_rows(batches: Iterable[Any], path: FilePath, watch: Watch | None) -> Iterator[dict[str, Any]]:
    arrow, done = _pyarrow(), 0
    try:
        for batch in batches:
            # Without maps, Arrow is several times as fast if it does not look for any.
            maps = "lossy" if "map<" in str(batch.schema.types) else None
            yield from batch.to_pylist(maps_as_pydicts=maps)
            done += batch.num_rows
            if watch is not None:
                watch(done)
    except (arrow.ArrowException, OSError, ValueError) as error:
        raise refuse(f"cannot be read on: {reason_of(error)}", path, row=done) from error


def size_of(path: FilePath) -> int:
    """Returns the total for a `Watch`: the rows of a Parquet file, the bytes of any other."""
    if suffix_of(path) != ".parquet":
        return Path(path).stat().st_size
    with _parquet_file(path) as file:
        return int(file.metadata.num_rows)


def arrow_table(
    rows: Sequence[Mapping[str, Any]], columns: Iterable[str] = (), nodes: Mapping[str, Node] | None = None
) -> Any:
    """Returns rows as a `pyarrow.Table`: `columns`, then all further keys. `nodes` are the definitions of columns."""
    arrow, made = _pyarrow(), {}
    for name in _names(rows, columns):
        values = [row.get(name) for row in rows]
        try:
            made[name] = arrow.array(values, type=_type_of(arrow, values, (nodes or {}).get(name)))
        except (arrow.ArrowException, OverflowError, TypeError) as error:
            raise DatasetError([Fault(f"no common type: {reason_of(error)}", path=f"$.{name}")]) from error
    return arrow.table(made)


def _names(rows: Sequence[Mapping[str, Any]], first: Iterable[str]) -> list[str]:
    return list(dict.fromkeys([*first, *(name for row in rows for name in row)]))


def _type_of(arrow: Any, values: Iterable[Any], node: Node | None = None) -> Any:
    """Returns Arrow's type of some values. Without any value it is text, since not every reader has a null type."""
    held = [value for value in values if value is not None]
    kind, item = (None, None) if node is None else (node.kind, node.item)
    if all(isinstance(value, list | tuple) for value in held) and (held or kind == "list"):
        return arrow.list_(_type_of(arrow, (each for value in held for each in value), item))
    if not held:
        return arrow.string()
    if not all(isinstance(value, dict) for value in held):
        return arrow.array(held).type  # unlike infer_type, it checks all of them
    if kind == "map":  # a struct would give every row the keys of all rows
        with contextlib.suppress(arrow.ArrowException):
            keys = _type_of(arrow, (key for value in held for key in value))
            return arrow.map_(keys, _type_of(arrow, (each for value in held for each in value.values()), item))
    nodes = {} if node is None else {name: field.node for name, field in node.fields.items()}
    fields = {name: [value.get(name) for value in held] for name in _names(held, ())}
    return arrow.struct([(name, _type_of(arrow, each, nodes.get(name))) for name, each in fields.items()])


def write_parquet(path: FilePath, table: Any) -> None:
    """Writes a `pyarrow.Table` atomically. Raises `DatasetError` if the system refuses it."""
    arrow = _pyarrow()
    with whole_file(path) as beside, writing(path, arrow.ArrowException):
        arrow.parquet.write_table(table, beside)
