"""Records of any Pydantic model, from JSON Lines and Parquet."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from ..definition import Node, plan_of_type, show_path, walk
from ..errors import DatasetError, DefinitionError
from ..findings import Fault
from .files import FilePath, Watch, is_parquet
from .jsonl import Line, faults_of, read_jsonl, scan_jsonl, write_jsonl
from .tables import arrow_table, rows_of, write_parquet

__all__ = ["read_records", "scan_records", "write_records"]

Model = TypeVar("Model", bound=BaseModel)


def read_records(path: FilePath, model: type[Model], watch: Watch | None = None) -> Iterator[Model]:
    """Yields the records of a file: the rows of `.parquet`, else JSON Lines (`.gz` and `.zst` are unpacked).

    Memory is that of one record, or of a batch of rows. Raises `DatasetError` with line or row, and field, at the first
    invalid record, after those before it.
    """
    if not is_parquet(path):
        yield from read_jsonl(path, model.model_validate_json, watch)
        return
    for line in scan_records(path, model, watch):
        if line.faults:
            raise DatasetError(line.faults)
        yield line.record


def scan_records(path: FilePath, model: type[BaseModel], watch: Watch | None = None) -> Iterator[Line]:
    """Yields every line or row of a file with its record or its faults, to list all faults. Rows are counted from 0."""
    if not is_parquet(path):
        yield from scan_jsonl(path, model.model_validate_json, watch)
        return
    table, root = rows_of(path, watch=watch), _root_with(model, _is_filled)
    for number, given in enumerate(table.rows):
        row = given if root is None else _without_fillers(root, given)
        try:
            yield Line(number, model.model_validate(row), [])
        except ValidationError as error:
            found = faults_of(error, row)
            yield Line(number, None, [Fault(text, table.name, row=number, path=show_path(at)) for at, text in found])


def write_records(path: FilePath, records: Iterable[BaseModel]) -> int:
    """Writes records of one model as Parquet or, by any other suffix, as JSON Lines, atomically. Returns their number.

    Raises `DatasetError` if the file cannot be written, or if the values of a column have no common type.
    """
    if not is_parquet(path):
        return write_jsonl(path, records)
    kept = list(records)
    root = _root_with(type(kept[0]), _is_map) if kept else None
    fields = {} if root is None else root.fields
    maps = {name: field.node for name, field in fields.items() if any(map(_is_map, walk(field.node)))}
    write_parquet(path, arrow_table([record.model_dump() for record in kept], {}, maps=maps))
    return len(kept)


def _root_with(model: type[BaseModel], is_meant: Callable[[Node], bool]) -> Node | None:
    """Returns the definition of a model if it has certain nodes, or None, also for a model that cannot be described."""
    try:
        root = plan_of_type(model, model.__name__).root
    except DefinitionError:
        return None
    return root if any(map(is_meant, walk(root))) else None


def _is_map(node: Node) -> bool:
    return node.kind == "map"


def _is_filled(node: Node) -> bool:
    """Returns whether nulls in the values of a node can only come from Arrow."""
    return node.kind == "map" and node.item is not None and node.item.nullable is False


def _without_fillers(node: Node | None, data: Any) -> Any:
    """Returns the data of a row without the nulls that Arrow added to dicts: a struct gives every row the keys of all
    rows. Maps that may hold nulls keep them.
    """
    if node is None or not isinstance(data, dict | list):
        return data
    if isinstance(data, list):
        return [_without_fillers(node.item, value) for value in data]
    if node.kind == "map":
        kept = {key: value for key, value in data.items() if value is not None} if _is_filled(node) else data
        return {key: _without_fillers(node.item, value) for key, value in kept.items()}
    named = {name: node.fields.get(name) or node.field_aliased(name) for name in data}
    nodes = {name: field.node for name, field in named.items() if field is not None}
    return {name: _without_fillers(nodes.get(name), value) for name, value in data.items()}
