"""Files of records: compressed according to their names, read line by line, written atomically."""

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
"""Bytes of one line of a dataset. The largest record is a tree of messages, of some kilobytes each."""

FilePath = str | os.PathLike[str]
Watch = Callable[[int], None]
"""Called regularly with the number of bytes read so far, counted in the file on disk."""

_WATCHED = 256  # lines between two calls of a watch


@dataclass(frozen=True)
class _Codec:
    """A compression: its name, its magic bytes, and the function that opens its files."""

    name: str
    magic: bytes
    open: Callable[[BinaryIO, str], BinaryIO]


def _open_gzip(file: BinaryIO, mode: str) -> BinaryIO:
    # Without a name or a time inside, so that equal records give equal bytes.
    return cast(BinaryIO, gzip.GzipFile(fileobj=file, mode=mode, filename="", mtime=0, compresslevel=6))


def _open_zstd(file: BinaryIO, mode: str) -> BinaryIO:
    try:
        if sys.version_info >= (3, 14):
            from compression import zstd
        else:
            from backports import zstd
    except ImportError as error:
        raise MissingExtraError("backports.zstd", "datasets") from error
    # The checksum, which is not the default, reveals damaged files.
    options: Any = {zstd.CompressionParameter.checksum_flag: 1} if mode == "wb" else None
    return cast(BinaryIO, zstd.ZstdFile(file, cast(Any, mode), options=options))


_CODECS = {
    ".gz": _Codec("gzip", b"\x1f\x8b", _open_gzip),
    ".zst": _Codec("zstd", b"\x28\xb5\x2f\xfd", _open_zstd),
}
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_BOM = b"\xef\xbb\xbf"


def refuse(message: str, file: FilePath, **place: Any) -> DatasetError:
    """Returns the error of a single fault."""
    return DatasetError([Fault(message, os.fspath(file), **place)])


def read_lines(path: FilePath, watch: Watch | None = None) -> Iterator[tuple[int, bytes]]:
    """Yields the lines of a file that are not blank, stripped, each with its number from 1. The file may be compressed.

    Memory is that of one line. Raises `DatasetError` if the file cannot be opened or read further, after all complete
    lines before that place.
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
    """Returns the fault in compressed data. An exception that is not due to the file is raised again."""
    if isinstance(error, EOFError):
        return "the compressed data breaks off here"
    if isinstance(error, (OSError, zlib.error)) or type(error).__name__ == "ZstdError":
        return f"cannot be read on: {error}"
    raise error


@contextlib.contextmanager
def _opened(path: FilePath) -> Iterator[tuple[BinaryIO, BinaryIO]]:
    """Opens the file on disk. Yields it together with the stream of its content."""
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
    """Raises `DatasetError` if name and first bytes disagree, such as for plain text under `.gz`."""
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
            # The decoder is ahead of the lines, so the number may be that of an earlier line.
            raise refuse(f"is not UTF-8, here or a little below: {error}", self._path, line=line) from error
        except Exception as error:
            raise refuse(_told(error), self._path, line=line) from error


def open_text(path: FilePath) -> io.TextIOWrapper:
    """Opens a file of UTF-8 text for reading, unpacked by its suffix (`.gz`, `.zst`). Close it, or use it with `with`.

    Raises `DatasetError`, here or while reading, for a file that cannot be opened, unpacked or decoded.
    """
    closing = contextlib.ExitStack()
    _file, stream = closing.enter_context(_opened(path))
    return _Text(path, stream, closing)


def is_parquet(path: FilePath) -> bool:
    """Returns whether a file's name is that of a Parquet file."""
    return Path(path).suffix.lower() == ".parquet"


@contextlib.contextmanager
def whole_file(path: FilePath) -> Iterator[Path]:
    """Yields a path beside `path` to write to. It replaces `path` when the block ends. If the block raises, it is
    removed and `path` is unchanged.

    Raises `DatasetError` if the system refuses to write.
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
    """Returns the final path of a file, and the path that is written."""
    target = Path(os.path.realpath(path))  # a link stays one
    if target.exists() and not target.is_file():
        raise refuse("cannot be written: it is there, and is no file; nothing was changed", path)
    return target, target.with_name(f".{target.name}.{secrets.token_hex(4)}.part{target.suffix}")


def check_writable(path: FilePath) -> None:
    """Raises `DatasetError` if a file cannot be written, before the work for its content is done."""
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
    """Writes a small file atomically."""
    with whole_file(path) as beside, _writing(path):
        beside.write_bytes(content)


def write_lines(path: FilePath, lines: Iterable[bytes]) -> int:
    """Writes lines, given without their line breaks, compressed by the suffix, atomically.

    Returns the number of lines. Memory is that of one line. Exceptions of `lines` pass through.
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
    """Yields the compressing stream. Closing it may fail like writing, and must not hide an earlier failure."""
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
