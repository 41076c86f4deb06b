"""JSON Lines: a record of a Pydantic model on each line, read one by one. Faults have file, line and field."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import from_json

from ..definition.names import Path, show_path
from ..errors import DatasetError
from ..findings import Fault
from .files import FilePath, Watch, is_parquet, read_lines, refuse, write_lines
from .places import place_of

__all__ = ["Line", "NotARecordError", "data_of", "faults_of", "read_jsonl", "scan_jsonl", "write_jsonl"]

Record = TypeVar("Record")


class NotARecordError(ValueError):
    """A line's data is not a record of an expected kind. Becomes a `Fault` with the line."""


class Line(NamedTuple):
    """A line that is not blank: its number from 1, and its record or its faults."""

    number: int
    record: Any
    faults: list[Fault]


def data_of(line: bytes) -> Any:
    """Returns the data of a line of JSON. Integers keep all their digits; NaN and infinities are allowed."""
    return from_json(line)


def scan_jsonl(path: FilePath, record_of: Callable[[bytes], Any], watch: Watch | None = None) -> Iterator[Line]:
    """Yields every line of a file, invalid ones with their faults. `record_of` raises `ValueError` for an invalid line.

    Memory is that of one line. Raises `DatasetError` only if the file cannot be read further.
    """
    for number, line in read_lines(path, watch):
        try:
            record = record_of(line)
        except ValueError as error:
            yield Line(number, None, _line_faults(path, number, line, error))
        else:
            yield Line(number, record, [])


def read_jsonl(path: FilePath, record_of: Callable[[bytes], Record], watch: Watch | None = None) -> Iterator[Record]:
    """Yields the records of a file. Raises `DatasetError` at the first invalid line, after the records before it."""
    for number, line in read_lines(path, watch):
        try:
            record = record_of(line)
        except ValueError as error:
            raise DatasetError(_line_faults(path, number, line, error)) from error
        yield record


def write_jsonl(path: FilePath, records: Iterable[BaseModel], **options: Any) -> int:
    """Writes records as strict JSON, one per line, atomically. `options` are those of `model_dump_json`. Returns their
    number.

    Raises `DatasetError` if the system refuses to write, or for a record that cannot be written.
    """
    if is_parquet(path):
        raise refuse("is named as Parquet, and these records are written as JSON Lines; nothing was changed", path)
    return write_lines(path, _json_lines(path, records, options))


def _json_lines(path: FilePath, records: Iterable[BaseModel], options: dict[str, Any]) -> Iterator[bytes]:
    for number, record in enumerate(records, 1):
        try:
            line = record.model_dump_json(**options).encode()
        except ValueError as error:
            raise refuse(f"cannot be written as JSON: {error}; nothing was changed", path, line=number) from error
        yield line


def _line_faults(path: FilePath, number: int, line: bytes, error: ValueError) -> list[Fault]:
    return [Fault(message, str(path), line=number, path=show_path(place)) for place, message in faults_of(error, line)]


def faults_of(error: ValueError, given: Any) -> Iterator[tuple[Path, str]]:
    """Yields each fault of a record: its place and its message. `given` is the data, or the line of JSON, of the
    record.
    """
    if isinstance(error, ValidationError) and not _is_no_json(error):
        data = _read_again(given) if isinstance(given, bytes) else given
        for detail in error.errors(include_url=False, include_context=False):
            yield place_of(detail, data), _told(detail)
    elif isinstance(error, NotARecordError) or not isinstance(given, bytes):
        yield (), str(error)
    else:
        yield (), _why_no_json(given, error)


def _read_again(line: bytes) -> Any:
    """Returns the data of a line that was parsed directly as a record, or None if the line is not JSON."""
    try:
        return data_of(line)
    except ValueError:
        return None


def _is_no_json(error: ValidationError) -> bool:
    return error.errors(include_url=False, include_context=False)[0]["type"] == "json_invalid"


def _why_no_json(line: bytes, error: ValueError) -> str:
    try:
        line.decode()
    except UnicodeDecodeError as undecoded:
        return f"is not UTF-8: byte 0x{line[undecoded.start]:02x} at byte {undecoded.start + 1} of the line"
    reason = error.errors()[0]["ctx"]["error"] if isinstance(error, ValidationError) else str(error)
    return f"is no JSON: {reason.replace(' at line 1 column', ', at byte')}"


def _told(detail: Any) -> str:
    if detail["type"] == "missing":
        return "required, but not there"
    message: str = detail["msg"].removeprefix("Value error, ")
    if message != detail["msg"]:  # a validator's own words
        return message
    return f"{message[:1].lower()}{message[1:]}; found {_short(detail['input'])}"


def _short(value: Any) -> str:
    try:
        text = repr(value)
    except Exception:  # noqa: BLE001 - the value of a foreign object
        text = type(value).__name__
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


_LONGEST = 60  # characters of a value that a message shows
