"""Files of records: compressed according to their names, read line by line, written whole or not at all."""

from __future__ import annotations

import contextlib
import io
import os
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import AbstractContextManager
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO

from .. import packing
from ..errors import DatasetError, needs
from ..findings import Fault
from ..packing import CODECS, PLAIN, Codec, failing, lines_in, places

MAX_LINE = 64 * 1024 * 1024
"""Bytes of one line of a dataset. The largest record is a tree of messages, of some kilobytes each."""

FilePath = packing.FilePath
Watch = Callable[[int], None]
"""A function of the number of bytes of the file on disk, or of rows of Parquet, that were read so far."""

_WATCHED = 256  # lines between two calls of a watch
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")


def extra(module: str, package: str) -> Any:
    """Imports a module when it is first used. Raises `MissingExtraError` if its package is not installed."""
    with needs(package, "datasets"):
        return import_module(module)


def refuse(message: str, file: FilePath, **place: Any) -> DatasetError:
    return DatasetError([Fault(message, os.fspath(file), **place)])


def refusing(what: str, path: FilePath, *errors: type[Exception], hint: str = "") -> AbstractContextManager[None]:
    """Raises errors of the system, and the given ones, as the `DatasetError` of a file."""
    return failing(lambda reason: refuse(f"{what}: {reason}{hint}", path), *errors)


def writing(path: FilePath, *errors: type[Exception]) -> AbstractContextManager[None]:
    """Raises errors of the system, and the given ones, as those of a file that cannot be written."""
    return refusing("cannot be written", path, *errors, hint="; nothing was changed")


whole_file = partial(packing.whole_file, writing=writing)


def suffix_of(path: FilePath) -> str:
    """Returns the suffix of a file's name in lower case. It decides on the format and the compression."""
    return Path(path).suffix.lower()


def read_lines(path: FilePath, watch: Watch | None = None) -> Iterator[tuple[int, bytes]]:
    """Yields the lines of a file that are not blank, stripped, each with its number from 1."""
    for number, line in _whole_lines(path, watch):
        if text := line.strip():
            yield number, text


def _whole_lines(path: FilePath, watch: Watch | None = None) -> Generator[tuple[int, bytes]]:
    with _opened(path) as (file, stream):
        for number, line in lines_in(stream, lambda fault, number: refuse(fault, path, line=number), MAX_LINE + 1):
            if len(line) > MAX_LINE:
                raise refuse(f"a line of more than {MAX_LINE} bytes (MAX_LINE)", path, line=number)
            if number == 1 and line.startswith(_UTF_16):
                raise refuse("is UTF-16; it has to be UTF-8", path, line=1)
            yield number, line
            if watch is not None and not number % _WATCHED:
                watch(file.tell())
        if watch is not None:
            watch(file.tell())


@contextlib.contextmanager
def _opened(path: FilePath) -> Iterator[tuple[BinaryIO, BinaryIO]]:
    codec = CODECS.get(suffix_of(path), PLAIN)
    with refusing("cannot be read", path):
        file = Path(path).open("rb")  # noqa: SIM115 - closed below, also if the codec is not installed
    with file:
        _check_magic(file.peek(4)[:4], codec, path)
        with codec.open(file, "rb") as stream:
            yield file, stream


def _check_magic(head: bytes, codec: Codec, path: FilePath) -> None:
    """Raises `DatasetError` if name and first bytes disagree, such as for plain text under `.gz`."""
    if not head.startswith(codec.magic):
        what = f"begins with {head!r}" if head else "is empty"
        raise refuse(f"is named as {codec.name} data and {what}; is it plain text? Then its name should say so", path)
    for suffix, other in CODECS.items():
        if codec is PLAIN and head.startswith(other.magic):
            raise refuse(f"holds {other.name} data; its name should end in {suffix}", path)


def not_utf8(line: bytes) -> str | None:
    try:
        line.decode()
    except UnicodeDecodeError as error:
        return f"is not UTF-8: byte 0x{line[error.start]:02x} at byte {error.start + 1} of the line"
    return None


class CheckedLines(io.RawIOBase):
    """The bytes of a file, line by line, so that an error can name the line. The first line is read at once."""

    def __init__(self, path: FilePath) -> None:
        super().__init__()
        self._path, self._lines = path, _whole_lines(path)
        self._rest = self._next()

    def _next(self) -> memoryview:
        number, line = next(self._lines, (0, b""))
        if fault := not_utf8(line):
            raise refuse(fault, self._path, line=number)
        return memoryview(line)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        rest = self._rest or self._next()
        size = min(len(rest), len(buffer))
        buffer[:size], self._rest = rest[:size], rest[size:]
        return size

    def close(self) -> None:
        self._lines.close()
        super().close()


def check_writable(path: FilePath) -> None:
    """Raises `DatasetError` if a file cannot be written, before the work for its content is done."""
    with writing(path):
        _target, beside = places(path)
        beside.touch(exist_ok=False)
        beside.unlink()


def write_lines(path: FilePath, lines: Iterable[bytes]) -> int:
    """Writes lines, compressed by the suffix, atomically. Returns their number. Exceptions of `lines` pass through."""
    written = 0
    with whole_file(path) as beside:
        with writing(path):
            file = beside.open("wb")
            stream = CODECS.get(suffix_of(path), PLAIN).open(file, "wb")
        try:
            for line in lines:
                with writing(path):
                    stream.write(line + b"\n")
                written += 1
        except BaseException:
            # Closing may fail like writing, and must not hide the first failure.
            with contextlib.suppress(OSError), file:
                stream.close()
            raise
        with writing(path), file:
            stream.close()
    return written
