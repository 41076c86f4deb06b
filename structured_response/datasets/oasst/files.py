"""Files of an Open-Assistant export: `.jsonl`, `.jsonl.gz` or `.jsonl.zst`, read line by line, written whole."""

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
    "message_id": ExportMessageNode,  # first: a message that stands alone names its tree too
    "message_tree_id": ExportMessageTree,
    "thread_id": ExportMessageThread,
}
_NAMES = {ExportMessageNode: "a message", ExportMessageTree: "a message tree", ExportMessageThread: "a thread"}
_MOST_KEYS = 8  # of an object of no known shape that the error names


def open_jsonl_read(path: FilePath) -> IO[str]:
    """A file of JSON Lines as UTF-8 text, unpacked if its name ends in `.gz` or `.zst`. Use it with `with`.

    Raises `DatasetError` for a file that cannot be read, also where it breaks off, and for a `.gz` of plain text.
    """
    return open_text(path)


def read_oasst_jsonl(path: FilePath, watch: Watch | None = None) -> Iterator[OasstRecord]:
    """The records of a file one by one, each of its own shape: by `message_id` a message, by `message_tree_id` a
    tree, by `thread_id` a thread. Memory is that of one record; blank lines are skipped.

    Raises `DatasetError` with file, line and field at the first bad line; what stands before it has been given.
    """
    return read_jsonl(path, _record_of, watch)


def scan_oasst_jsonl(path: FilePath, watch: Watch | None = None) -> Iterator[Line]:
    """Every line of a file with its record or its faults: for a look at all that is wrong."""
    return scan_jsonl(path, _record_of, watch)


def read_message_trees(path: FilePath) -> Iterator[ExportMessageTree]:
    """The trees of a file one by one, as `read_oasst_jsonl`; a record of another shape is an error."""
    return read_jsonl(path, _only(ExportMessageTree))


def read_messages(path: FilePath) -> Iterator[ExportMessageNode]:
    """The messages of a file one by one, as `read_oasst_jsonl`; a record of another shape is an error."""
    return read_jsonl(path, _only(ExportMessageNode))


def read_threads(path: FilePath) -> Iterator[ExportMessageThread]:
    """The threads of a file one by one, as `read_oasst_jsonl`; a record of another shape is an error."""
    return read_jsonl(path, _only(ExportMessageThread))


def read_message_tree_list(
    path: FilePath, filter: Callable[[ExportMessageTree], bool] | None = None
) -> list[ExportMessageTree]:
    """All trees of a file that the filter lets pass."""
    return [tree for tree in read_message_trees(path) if filter is None or filter(tree)]


def read_message_list(
    path: FilePath, filter: Callable[[ExportMessageNode], bool] | None = None
) -> list[ExportMessageNode]:
    """All messages of a file that the filter lets pass."""
    return [message for message in read_messages(path) if filter is None or filter(message)]


def read_thread_list(
    path: FilePath, filter: Callable[[ExportMessageThread], bool] | None = None
) -> list[ExportMessageThread]:
    """All threads of a file that the filter lets pass."""
    return [thread for thread in read_threads(path) if filter is None or filter(thread)]


def write_message_trees(path: FilePath, trees: Iterable[ExportMessageTree], exclude_none: bool = True) -> int:
    """Write trees, one a line, packed if the name ends in `.gz` or `.zst`; gives their number.

    The file appears whole or not at all. Raises `DatasetError` where it cannot be written.
    """
    return write_jsonl(path, trees, exclude_none=exclude_none)


def write_messages(path: FilePath, messages: Iterable[ExportMessageNode], exclude_none: bool = True) -> int:
    """Write messages, one a line, as `write_message_trees`. Replies are left out: they are messages of their own."""
    return write_jsonl(path, messages, exclude_none=exclude_none, exclude={"replies"})


def write_threads(path: FilePath, threads: Iterable[ExportMessageThread], exclude_none: bool = True) -> int:
    """Write threads, one a line, as `write_message_trees`."""
    return write_jsonl(path, threads, exclude_none=exclude_none)


def scan_oasst(path: FilePath, watch: Watch | None = None) -> Iterator[Line]:
    """Every line of a file of any name but `.parquet`, every row of one that is called so, with its record or its
    faults. Raises `DatasetError` where it cannot be read on.
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
