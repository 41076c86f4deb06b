"""Input files of a batch: their records in blocks, and the rows that a block holds."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Container, Iterable, Iterator
from contextlib import AbstractContextManager, suppress
from glob import glob
from itertools import chain, count, islice
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import orjson

from ..errors import BatchError, needs
from ..packing import CODECS, PLAIN, failing, lines_in
from .columns import ROWS_AT_ONCE, values_of
from .replies import BESIDE, IDS, id_of, replies_of
from .rows import Reply

with needs("pyarrow", "arrow"):
    import pyarrow as pa
    from pyarrow import parquet

Inputs: TypeAlias = str | os.PathLike[str] | Iterable[str | os.PathLike[str]]
"""A file, a folder, a pattern such as `results/*.jsonl`, or several of them."""

DATA_FILES = (".parquet", ".jsonl", ".ndjson", *CODECS)
"""The suffixes of the files that are read from a folder."""

_PARQUET = b"PAR1"
_BINARY = re.compile(rb"[\x00-\x08\x0e-\x1f]")  # never in a text; UTF-16 has a null beside each letter of a JSON
_HEAD = 64  # bytes of the first line, of which a binary file has some of these
_LINES = 100  # first lines, one of which has to be a record: each line of a CSV would be a row with an error
_BUFFER = 1 << 20  # bytes of each column of a Parquet file


class InputRow(NamedTuple):
    """One reply of the input.

    Attributes:
        id: The id of the request, or None if the input has none.
        sample: The number of the reply if the request has several (n > 1), else 0.
        place: The file with its line from 1, or its row from 0.
    """

    id: str | None
    sample: int
    reply: Reply
    place: str = ""


class Record(NamedTuple):
    """A raw line of a file, numbered from 1, or a row of a Parquet file, from 0."""

    path: str
    number: int
    content: Any  # bytes, or a dict

    @property
    def place(self) -> str:
        row = "" if isinstance(self.content, bytes) else " row "
        return f"{self.path}:{row}{self.number}"


class Block(NamedTuple):
    """Consecutive records of the input. Its number, from 0, equals the number of its output part."""

    number: int
    records: list[Record]


# Records


def files_of(inputs: Inputs) -> list[str]:
    """Returns the paths of the input files, those of a folder or a pattern sorted by name. Raises `BatchError`."""
    given = [inputs] if isinstance(inputs, (str, os.PathLike)) else inputs
    return [path for each in given for path in _files_of(os.fspath(each))]


def _files_of(path: str) -> list[str]:
    if Path(path).is_dir():
        names = sorted(entry.name for entry in Path(path).iterdir() if entry.is_file())
        found = [name for name in names if name.lower().endswith(DATA_FILES) and name[0] not in "._"]
        if not found:
            raise BatchError(f"no file of the folder ends in one of {', '.join(DATA_FILES)}; found {names[:5]}", path)
        return [os.path.join(path, name) for name in found]  # noqa: PTH118 - pathlib would change `./a`
    if Path(path).is_file():
        return [path]
    if Path(path).exists():
        raise BatchError("is not a regular file", path)
    matching = [each for each in sorted(glob(path, recursive=True)) if Path(each).is_file()]  # noqa: PTH207 - of any root
    if not matching:
        raise BatchError("there is no such file", path)
    return matching


def checked_files(inputs: Inputs, column: str) -> list[str]:
    """Returns the paths of the input files, all of a known kind and with the column. Raises `BatchError` otherwise."""
    files = files_of(inputs)
    if not files:
        raise BatchError("there are no input files")
    for path in files:
        _records(path, column)
    return files


def blocks(inputs: Inputs, size: int, column: str, skip: Container[int] = ()) -> Iterator[Block]:
    """Yields the records of the input in blocks of `size`, without the blocks to `skip`. Memory is that of a block.

    Raises `BatchError` for a file that cannot be read, before the first block if its beginning shows that, or else
    after all records before the fault.
    """
    records = chain.from_iterable([_records(path, column) for path in files_of(inputs)])
    for number in count():
        taken: list[Record] = []
        try:
            taken.extend(islice(records, size))
        except BatchError:  # what came before it is in the list
            if taken and number not in skip:
                yield Block(number, taken)
            raise
        if not taken:
            return
        if number not in skip:
            yield Block(number, taken)


def _records(path: str, column: str) -> Iterator[Record]:
    """Returns the records of a file. Raises `BatchError` at once for a file of another kind."""
    head = _head(path)
    if head.startswith(_PARQUET):
        return _table_rows(path, _columns(path, column))
    if not head:
        raise BatchError("is empty", path)
    if _BINARY.search(head) or not any(map(_is_record, islice(lines_of(path), _LINES))):
        hint = 'a line of those is a record such as {"id": "a", "reply": "..."}'
        raise BatchError(f"is neither Parquet nor JSON Lines in UTF-8; it begins with {head[:16]!r}; {hint}", path)
    return lines_of(path)


def count_records(files: Iterable[str]) -> int:
    """Returns the number of the records in files of known kinds. If one breaks off, those before the break count."""
    found = 0
    with suppress(BatchError):
        for path in files:
            if _head(path).startswith(_PARQUET):
                with reading(path), _table(path) as table:
                    found += table.metadata.num_rows
            else:
                for _line in lines_of(path):
                    found += 1
    return found


def _head(path: str) -> bytes:
    return next(_lines(path, _HEAD), (1, b""))[1]


def _lines(path: str, most: int = -1) -> Iterator[tuple[int, bytes]]:
    """Yields the lines of a file, unpacked if it is compressed. Raises `BatchError` where it cannot be read further."""
    with reading(path):
        file = Path(path).open("rb")  # noqa: SIM115 - closed below
    with file:
        head = file.peek(_HEAD)
        codec = next((codec for codec in CODECS.values() if head.startswith(codec.magic)), PLAIN)
        with codec.open(file, "rb") as stream:
            yield from lines_in(stream, lambda fault, _number: BatchError(fault, path), most)


def lines_of(path: str) -> Iterator[Record]:
    """Yields the lines of a file that are not blank, stripped. Raises `BatchError` where it cannot be read further."""
    for number, line in _lines(path):
        if text := line.strip():
            yield Record(path, number, text)


def _columns(path: str, column: str) -> list[str]:
    """Returns the columns to read of a Parquet file. Raises `BatchError` if it lacks that of the replies."""
    with reading(path), _table(path) as table:
        names = table.schema_arrow.names
    if names.count(column) != 1:
        found = "several columns" if column in names else "no column"
        raise BatchError(f"has {found} {column!r}; its columns are: {', '.join(names)}", path)
    return [name for name in dict.fromkeys((*IDS, column, *BESIDE)) if names.count(name) == 1]


def _table_rows(path: str, columns: list[str]) -> Iterator[Record]:
    with reading(path), _table(path) as table:
        batches = table.iter_batches(ROWS_AT_ONCE, columns=columns)
        rows = chain.from_iterable(zip(*map(values_of, batch.columns), strict=True) for batch in batches)
        for number, row in enumerate(rows):
            yield Record(path, number, dict(zip(columns, row, strict=True)))


def _table(path: str) -> Any:
    # With a buffer, memory does not grow with the row groups.
    return parquet.ParquetFile(path, buffer_size=_BUFFER, pre_buffer=False)


def reading(path: str) -> AbstractContextManager[None]:
    """Raises errors of reading a file as `BatchError`."""
    return failing(lambda reason: BatchError(f"cannot be read: {reason}", path), pa.ArrowException, ValueError)


# Rows


def input_rows(block: Block, column: str) -> Iterator[InputRow]:
    """Yields the replies of a block, at least one for each record. A record without any is one with an error."""
    for record in block.records:
        data: Any = record.content
        try:
            data = _json(data) if isinstance(data, bytes) else data
            replies = replies_of(data, column)
        except (ValueError, RecursionError) as error:
            replies = [(0, Reply(None, error=f"{record.place}: {error}"))]
        id_ = id_of(data, column)
        for sample, reply in replies:
            yield InputRow(id_, sample, reply, record.place)


def _is_record(line: Record) -> bool:
    with suppress(ValueError):
        return isinstance(_json(line.content), dict | str)
    return False


def _json(line: bytes) -> Any:
    """Returns the data of a line. Raises `ValueError` for a line that is not JSON."""
    try:
        return orjson.loads(line)
    except ValueError:  # orjson refuses lone surrogates and NaN, which providers write
        pass
    try:
        return json.loads(line.decode())
    except UnicodeDecodeError as error:
        raise ValueError(f"is not UTF-8: byte 0x{line[error.start]:02x} at byte {error.start + 1}") from None
    except (ValueError, RecursionError) as error:
        raise ValueError(f"is not JSON: {error}") from None
