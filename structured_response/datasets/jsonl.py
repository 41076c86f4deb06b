"""JSON Lines: a record of a Pydantic model on each line, read one by one. Faults have file, line and field."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator
from itertools import count
from typing import Any, NamedTuple

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError
from pydantic_core import from_json

from ..definition import Path, show_path
from ..errors import DatasetError
from ..findings import Fault
from .files import FilePath, Watch, not_utf8, read_lines, refuse, suffix_of, write_lines

_LONGEST = 60  # characters of a value that a message shows


class Record(BaseModel):
    """A record of a dataset. Unknown keys are kept."""

    model_config = ConfigDict(extra="allow")


OBJECT = TypeAdapter(dict[str, Any])
"""The data of a line of any model."""


class Line(NamedTuple):
    """A line or a row of a file.

    Attributes:
        number: The line's number from 1, or the row's from 0.
        record: The record, or None if the line is invalid.
        faults: The faults of the line; empty if it is valid.
    """

    number: int
    record: Any
    faults: list[Fault]


def scan_jsonl(path: FilePath, record_of: Callable[[bytes], Any], watch: Watch | None = None) -> Iterator[Line]:
    """Yields every line of a file. `record_of` raises `ValueError` for an invalid one."""
    for number, line in read_lines(path, watch):
        yield line_of(line, record_of, path, line=number)


def line_of(given: Any, record_of: Callable[[Any], Any], path: FilePath, **place: int) -> Line:
    """Returns a line of JSON, or the data of a row, with its record or its faults. `place` is its `line` or `row`."""
    (number,) = place.values()
    try:
        return Line(number, record_of(given), [])
    except ValueError as error:
        found = faults_of(error, given)
        return Line(number, None, [Fault(text, str(path), path=show_path(at), **place) for at, text in found])


def records_of(lines: Iterable[Line]) -> Iterator[Any]:
    """Yields the records. Raises `DatasetError` at the first invalid one, after those before it."""
    for line in lines:
        if line.faults:
            raise DatasetError(line.faults)
        yield line.record


def collected(lines: Iterable[Line]) -> tuple[list[Any], list[Fault]]:
    """Returns all records and all faults, with that of a file that cannot be read further."""
    records, faults = [], list[Fault]()
    try:
        for line in lines:
            faults += line.faults
            if line.record is not None:
                records.append(line.record)
    except DatasetError as error:
        faults += error.faults
    return records, faults


def write_jsonl(path: FilePath, records: Iterable[BaseModel], **options: Any) -> int:
    """Writes records as strict JSON, with `options` of `model_dump_json`. Returns their number."""
    if suffix_of(path) == ".parquet":
        raise refuse("is named as Parquet, and these records are written as JSON Lines; nothing was changed", path)

    def line(number: int, record: BaseModel) -> bytes:
        try:
            return record.model_dump_json(**options).encode()
        except ValueError as error:
            raise refuse(f"cannot be written as JSON: {error}; nothing was changed", path, line=number) from error

    return write_lines(path, map(line, count(1), records))


def faults_of(error: ValueError, given: Any) -> Iterator[tuple[Path, str]]:
    """Yields the place and the message of each fault of a record. `given` is its data or its line of JSON."""
    details: list[Any] = error.errors(include_url=False) if isinstance(error, ValidationError) else []
    if not details:
        yield (), str(error)
    elif details[0]["type"] == "json_invalid":
        reason = details[0]["ctx"]["error"].replace(" at line 1 column", ", at byte")
        yield (), not_utf8(given) or f"is not JSON: {reason}"
    else:
        # A line that is not JSON was read in another way.
        data = None if isinstance(given, bytes) else given
        if isinstance(given, bytes):
            with contextlib.suppress(ValueError):
                data = from_json(given)
        for detail in details:
            yield _place_of(detail, data), _told(detail)


def _told(detail: Any) -> str:
    if detail["type"] == "missing":
        return "required, but not there"
    message: str = detail["msg"].removeprefix("Value error, ")
    if message != detail["msg"]:  # a validator's own words
        return message
    found = repr(detail["input"])
    shown = found if len(found) <= _LONGEST else f"{found[:_LONGEST]}..."
    return f"{message[:1].lower()}{message[1:]}; found {shown}"


def _place_of(detail: Any, data: Any) -> Path:
    """Returns the path of an error in the data: its location without the options of unions, which are not in there."""
    loc: Path = detail["loc"]
    path: Path = ()
    for step in loc:
        with contextlib.suppress(LookupError, TypeError):
            data = data[step]
            path = (*path, step)
    if detail["type"] == "missing":
        return (*path, loc[-1])
    given = detail["input"]  # comparing arrays of numpy gives arrays
    is_there = loc[-1:] == ("[key]",) or (type(data) is type(given) and (data is given or (data == given) is True))
    return path if is_there else loc  # a validator may have put other data in its place
