"""Files of records: opened with the compression that their names tell, read line by line, written whole or not at
all.
"""

from __future__ import annotations

import contextlib
import gzip
import io
import os
import secrets
import shutil
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, cast

from ..errors import DatasetError, MissingExtraError
from ..findings import Fault

__all__ = [
    "FilePath",
    "Watch",
    "check_writable",
    "is_parquet",
    "open_text",
    "read_lines",
    "refuse",
    "whole_file",
    "write_bytes",
    "write_lines",
]

MAX_LINE = 64 * 1024 * 1024
"""Bytes of one line of a dataset: the largest record is a tree of messages, of some kilobytes each."""

FilePath = str | os.PathLike[str]
Watch = Callable[[int], None]
"""Called now and then with the number of bytes read so far, of the file as it lies on the disk."""

_WATCHED = 256  # lines between two calls of a watch


@dataclass(frozen=True)
class _Codec:
    """A compression: what it is called, how its data begins, how its files are opened."""

    name: str
    magic: bytes
    open: Callable[[BinaryIO, str], BinaryIO]


def _open_gzip(file: BinaryIO, mode: str) -> BinaryIO:
    # Neither a name nor a time inside: the same records are the same bytes.
    return cast(BinaryIO, gzip.GzipFile(fileobj=file, mode=mode, filename="", mtime=0, compresslevel=6))


def _open_zstd(file: BinaryIO, mode: str) -> BinaryIO:
    try:
        if sys.version_info >= (3, 14):
            from compression import zstd
        else:
            from backports import zstd
    except ImportError as error:
        raise MissingExtraError("backports.zstd", "datasets") from error
    # Without a checksum, which is not the default, a damaged file may be unpacked without a word.
    options: Any = {zstd.CompressionParameter.checksum_flag: 1} if mode == "wb" else None
    return cast(BinaryIO, zstd.ZstdFile(file, cast(Any, mode), options=options))


_CODECS = {
    ".gz": _Codec("gzip", b"\x1f\x8b", _open_gzip),
    ".zst": _Codec("zstd", b"\x28\xb5\x2f\xfd", _open_zstd),
}
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_BOM = b"\xef\xbb\xbf"


def refuse(message: str, file: FilePath, **place: Any) -> DatasetError:
    """The error of a single fault."""
    return DatasetError([Fault(message, os.fspath(file), **place)])


def read_lines(path: FilePath, watch: Watch | None = None) -> Iterator[tuple[int, bytes]]:
    """The lines of a file that are not blank, each with its number from 1, without white space around; compressed or
    not.

    Memory is that of one line. Raises `DatasetError` where the file cannot be opened or read on; all whole lines in
    front of that place have been given by then.
    """
    with _opened(path) as (file, stream):
        number = 0
        while True:
            number += 1
            line = _next_line(stream, path, number)
            if not line:
                break
            text = (line.removeprefix(_BOM) if number == 1 else line).strip()
            if text:
                yield number, text
            if watch is not None and not number % _WATCHED:
                watch(file.tell())
        if watch is not None:
            watch(file.tell())


def _next_line(stream: BinaryIO, path: FilePath, number: int) -> bytes:
    try:
        line = stream.readline(MAX_LINE + 1)
    except Exception as error:
        raise refuse(_told(error), path, line=number) from error
    if len(line) > MAX_LINE:
        raise refuse(f"a line of more than {MAX_LINE} bytes (MAX_LINE)", path, line=number)
    if number == 1 and line.startswith(_UTF_16):
        raise refuse("is UTF-16; it has to be UTF-8", path, line=1)
    return line


def _told(error: Exception) -> str:
    """What went wrong while compressed data was read. What is no fault of the file is raised again."""
    if isinstance(error, EOFError):
        return "the compressed data breaks off here"
    if isinstance(error, (OSError, zlib.error)) or type(error).__name__ == "ZstdError":
        return f"cannot be read on: {error}"
    raise error


@contextlib.contextmanager
def _opened(path: FilePath) -> Iterator[tuple[BinaryIO, BinaryIO]]:
    """The file as it lies on the disk, and the stream of what it holds."""
    codec = _CODECS.get(Path(path).suffix.lower())
    try:
        file = Path(path).open("rb")  # noqa: SIM115 - closed below, also where the codec cannot be had
    except OSError as error:
        raise refuse(f"cannot be read: {error.strerror}", path) from error
    with file:
        _check_magic(file.peek(4)[:4], codec, path)
        if codec is None:
            yield file, file
            return
        with codec.open(file, "rb") as stream:
            yield file, stream


def _check_magic(head: bytes, codec: _Codec | None, path: FilePath) -> None:
    """The name and the first bytes must tell the same: plain text under `.gz` was never packed, or was unpacked."""
    if codec is not None and not head.startswith(codec.magic):
        what = f"begins with {head!r}" if head else "is empty"
        raise refuse(f"is named as {codec.name} data and {what}; is it plain text? Then its name should say so", path)
    for suffix, other in _CODECS.items():
        if codec is None and head.startswith(other.magic):
            raise refuse(f"holds {other.name} data; its name should end in {suffix}", path)


class _Text(io.TextIOWrapper):
    """A text stream whose errors name the file and, while it is read by lines, the line."""

    def __init__(self, path: FilePath, stream: BinaryIO, closing: contextlib.ExitStack) -> None:
        super().__init__(cast(Any, stream), encoding="utf-8-sig")
        self._path, self._number, self._closing = path, 0, closing

    def __next__(self) -> str:  # type: ignore[override]  # as typeshed has it for text
        self._number += 1
        return self._told(super().__next__)

    def readline(self, size: int = -1, /) -> str:  # type: ignore[override]  # typeshed gives the argument a name
        self._number += 1
        return self._told(lambda: super(_Text, self).readline(size))

    def read(self, size: int | None = -1, /) -> str:
        return self._told(lambda: super(_Text, self).read(size))

    def close(self) -> None:
        super().close()
        self._closing.close()

    def _told(self, read: Callable[[], str]) -> str:
        line = self._number or None
        try:
            return read()
        except UnicodeDecodeError as error:
            # The decoder is ahead of the lines: the number is that of the last line that was whole, and a bit.
            raise refuse(f"is not UTF-8, here or a little below: {error}", self._path, line=line) from error
        except Exception as error:
            raise refuse(_told(error), self._path, line=line) from error


def open_text(path: FilePath) -> io.TextIOWrapper:
    """A file of UTF-8 text for reading, unpacked by its suffix (`.gz`, `.zst`). Close it, or use it with `with`.

    Raises `DatasetError`, here or while it is read, for what cannot be opened, unpacked or decoded.
    """
    closing = contextlib.ExitStack()
    _file, stream = closing.enter_context(_opened(path))
    return _Text(path, stream, closing)


def is_parquet(path: FilePath) -> bool:
    """Whether a file's name says Parquet."""
    return Path(path).suffix.lower() == ".parquet"


@contextlib.contextmanager
def whole_file(path: FilePath) -> Iterator[Path]:
    """A path beside `path` to write to. It takes the place of `path` when the block ends; where the block raises,
    it is removed and what stood at `path` stays.

    What the system refuses to write is a `DatasetError`.
    """
    target, beside = _places(path)
    try:
        with _writing(path):
            beside.touch(exist_ok=False)
        yield beside
        with _writing(path):
            if target.exists():
                shutil.copymode(target, beside)
            beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)


def _places(path: FilePath) -> tuple[Path, Path]:
    """Where a file goes, and where it is written."""
    target = Path(os.path.realpath(path))  # a link stays one
    if target.exists() and not target.is_file():
        raise refuse("cannot be written: it is there, and is no file; nothing was changed", path)
    return target, target.with_name(f".{target.name}.{secrets.token_hex(4)}.part{target.suffix}")


def check_writable(path: FilePath) -> None:
    """Raise `DatasetError` if a file cannot be written: before the work is done that it is to hold."""
    _target, beside = _places(path)
    with _writing(path):
        beside.touch(exist_ok=False)
        beside.unlink()


@contextlib.contextmanager
def _writing(path: FilePath) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise refuse(f"cannot be written: {reason}; nothing was changed", path) from error


def write_bytes(path: FilePath, content: bytes) -> None:
    """Write a small file, which appears whole or not at all."""
    with whole_file(path) as beside, _writing(path):
        beside.write_bytes(content)


def write_lines(path: FilePath, lines: Iterable[bytes]) -> int:
    """Write lines, given without their line breaks, packed by the suffix; the file appears whole or not at all.

    Gives the number of lines. Memory is that of one line. What `lines` raises passes through.
    """
    count = 0
    with whole_file(path) as beside, _stream(beside, path) as stream:
        for line in lines:
            with _writing(path):
                stream.write(line + b"\n")
            count += 1
    return count


@contextlib.contextmanager
def _stream(beside: Path, path: FilePath) -> Iterator[BinaryIO]:
    """What packs and writes. Closing it may fail as writing may, and a failure must not hide what came before it."""
    codec = _CODECS.get(Path(path).suffix.lower())
    with _writing(path):
        file: BinaryIO = beside.open("wb")
        stream = file if codec is None else codec.open(file, "wb")
    try:
        yield stream
    except BaseException:
        with contextlib.suppress(OSError), file:
            stream.close()
        raise
    with _writing(path), file:
        stream.close()
