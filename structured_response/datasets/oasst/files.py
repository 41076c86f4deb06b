"""Files of an Open-Assistant export: `.jsonl`, `.jsonl.gz` or `.jsonl.zst`, read line by line, written atomically."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import IO, Any, TypeVar

from ..files import FilePath, Watch, is_parquet, open_text, refuse
from ..jsonl import Line, NotARecordError, data_of, read_jsonl, scan_jsonl, write_jsonl
from ..records import scan_records
from ..tables import rows_of
from .records import ExportMessageNode, ExportMessageThread, ExportMessageTree

__all__ = [
    "OasstRecord",
    "open_jsonl_read",
    "read_message_list",
    "read_message_tree_list",
    "read_message_trees",
    "read_messages",
    "read_oasst_jsonl",
    "read_thread_list",
    "read_threads",
    "scan_oasst",
    "scan_oasst_jsonl",
    "write_message_trees",
    "write_messages",
    "write_threads",
]

OasstRecord = ExportMessageNode | ExportMessageTree | ExportMessageThread
_Shape = TypeVar("_Shape", ExportMessageNode, ExportMessageTree, ExportMessageThread)

_SHAPES: dict[str, type[OasstRecord]] = {
    "message_id": ExportMessageNode,  # first, since a separate message names its tree too
    "message_tree_id": ExportMessageTree,
    "thread_id": ExportMessageThread,
}
_NAMES = {ExportMessageNode: "a message", ExportMessageTree: "a message tree", ExportMessageThread: "a thread"}
_MOST_KEYS = 8  # keys that the error names, of an object of unknown shape


def open_jsonl_read(path: FilePath) -> IO[str]:
    """Opens a file of JSON Lines as UTF-8 text, unpacked if its name ends in `.gz` or `.zst`. Use it with `with`.

    Raises `DatasetError` for a file that cannot be read, also where it is truncated, and for a `.gz` of plain text.
    """
    return open_text(path)


def read_oasst_jsonl(path: FilePath, watch: Watch | None = None) -> Iterator[OasstRecord]:
    """Yields the records of a file, each of its own shape: by `message_id` a message, by `message_tree_id` a tree, by
    `thread_id` a thread. Memory is that of one record; blank lines are skipped.

    Raises `DatasetError` with file, line and field at the first invalid line, after the records before it.
    """
    return read_jsonl(path, _record_of, watch)


def scan_oasst_jsonl(path: FilePath, watch: Watch | None = None) -> Iterator[Line]:
    """Yields every line of a file with its record or its faults, to list all faults."""
    return scan_jsonl(path, _record_of, watch)


def read_message_trees(path: FilePath) -> Iterator[ExportMessageTree]:
    """Yields the trees of a file, like `read_oasst_jsonl`. A record of another shape is an error."""
    return read_jsonl(path, _only(ExportMessageTree))


def read_messages(path: FilePath) -> Iterator[ExportMessageNode]:
    """Yields the messages of a file, like `read_oasst_jsonl`. A record of another shape is an error."""
    return read_jsonl(path, _only(ExportMessageNode))


def read_threads(path: FilePath) -> Iterator[ExportMessageThread]:
    """Yields the threads of a file, like `read_oasst_jsonl`. A record of another shape is an error."""
    return read_jsonl(path, _only(ExportMessageThread))


def read_message_tree_list(
    path: FilePath, filter: Callable[[ExportMessageTree], bool] | None = None
) -> list[ExportMessageTree]:
    """Returns all trees of a file that pass the filter."""
    return [tree for tree in read_message_trees(path) if filter is None or filter(tree)]


def read_message_list(
    path: FilePath, filter: Callable[[ExportMessageNode], bool] | None = None
) -> list[ExportMessageNode]:
    """Returns all messages of a file that pass the filter."""
    return [message for message in read_messages(path) if filter is None or filter(message)]


def read_thread_list(
    path: FilePath, filter: Callable[[ExportMessageThread], bool] | None = None
) -> list[ExportMessageThread]:
    """Returns all threads of a file that pass the filter."""
    return [thread for thread in read_threads(path) if filter is None or filter(thread)]


def write_message_trees(path: FilePath, trees: Iterable[ExportMessageTree], exclude_none: bool = True) -> int:
    """Writes trees, one per line, compressed if the name ends in `.gz` or `.zst`, atomically. Returns their number.

    Raises `DatasetError` if the file cannot be written.
    """
    return write_jsonl(path, trees, exclude_none=exclude_none)


def write_messages(path: FilePath, messages: Iterable[ExportMessageNode], exclude_none: bool = True) -> int:
    """Writes messages, one per line, like `write_message_trees`. Replies are omitted, since they are messages of their
    own.
    """
    return write_jsonl(path, messages, exclude_none=exclude_none, exclude={"replies"})


def write_threads(path: FilePath, threads: Iterable[ExportMessageThread], exclude_none: bool = True) -> int:
    """Writes threads, one per line, like `write_message_trees`."""
    return write_jsonl(path, threads, exclude_none=exclude_none)


def scan_oasst(path: FilePath, watch: Watch | None = None) -> Iterator[Line]:
    """Yields every row of a `.parquet` file, or every line of any other, with its record or its faults. Raises
    `DatasetError` if it cannot be read further.
    """
    if not is_parquet(path):
        return scan_oasst_jsonl(path, watch)
    try:
        return scan_records(path, _shape_of(dict.fromkeys(rows_of(path).columns or ())), watch)
    except NotARecordError as error:
        raise refuse(str(error), path) from error


def _record_of(line: bytes) -> OasstRecord:
    data = data_of(line)
    return _shape_of(data).model_validate(data)


def _only(shape: type[_Shape]) -> Callable[[bytes], _Shape]:
    def record_of(line: bytes) -> _Shape:
        data = data_of(line)
        found = _shape_of(data)
        if found is not shape:
            raise NotARecordError(f"is {_NAMES[found]}, not {_NAMES[shape]}")
        return shape.model_validate(data)

    return record_of


def _shape_of(data: Any) -> type[OasstRecord]:
    if not isinstance(data, dict):
        raise NotARecordError(f"is a JSON {type(data).__name__}, not an object")
    for key, shape in _SHAPES.items():
        if key in data:
            return shape
    keys = ", ".join(map(repr, list(data)[:_MOST_KEYS])) or "nothing"
    raise NotARecordError(f"has none of {', '.join(_SHAPES)}; it has {keys}")
