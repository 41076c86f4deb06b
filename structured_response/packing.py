"""Files that are compressed by gzip or zstd, and files that are written whole or not at all."""

from __future__ import annotations

import gzip
import os
import secrets
import shutil
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import BinaryIO, NamedTuple, TypeAlias, cast

from pydantic_core import ValidationError

from .errors import needs

FilePath: TypeAlias = str | os.PathLike[str]

_BOM = b"\xef\xbb\xbf"

WRITING = ".writing-"
"""The beginning of the name of a file that is being written."""


class Codec(NamedTuple):
    """A compression.

    Attributes:
        magic: The first bytes of its files.
        open: A function of a binary file and a mode, "rb" or "wb", that returns the file of the content.
    """

    name: str
    magic: bytes
    open: Callable[[BinaryIO, str], BinaryIO]


def _open_gzip(file: BinaryIO, mode: str) -> BinaryIO:
    # Without a name or a time inside, so that equal records give equal bytes.
    return cast(BinaryIO, gzip.GzipFile(fileobj=file, mode=mode, filename="", mtime=0, compresslevel=6))


def _open_zstd(file: BinaryIO, mode: str) -> BinaryIO:
    with needs("backports.zstd", "datasets"):
        zstd = import_module("compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd")
    # The checksum, which is not the default, reveals damaged files.
    options = {zstd.CompressionParameter.checksum_flag: 1} if mode == "wb" else None
    return cast(BinaryIO, zstd.ZstdFile(file, mode, options=options))


PLAIN = Codec("plain", b"", lambda file, _mode: file)
CODECS = {
    ".gz": Codec("gzip", b"\x1f\x8b", _open_gzip),
    ".zst": Codec("zstd", b"\x28\xb5\x2f\xfd", _open_zstd),
}
"""The compressions by the suffixes of their files."""


def lines_in(stream: BinaryIO, fail: Callable[[str, int], Exception], most: int) -> Iterator[tuple[int, bytes]]:
    """Yields the lines of a file, of at most so many bytes, each with its number from 1, without a byte order mark.

    `fail` makes the error for a line that cannot be read, from a message and the number.
    """
    for number in count(1):
        try:
            line = stream.readline(most)
        except EOFError as error:
            raise fail("the compressed data breaks off here", number) from error
        except Exception as error:
            # zstd is an extra, so its error is known by name.
            if not isinstance(error, (OSError, zlib.error)) and type(error).__name__ != "ZstdError":
                raise
            raise fail(f"cannot be read on: {error}", number) from error
        if not line:
            return
        yield number, line.removeprefix(_BOM) if number == 1 else line


def reason_of(error: Exception) -> str:
    """Returns the message of an error in a line, without the details that some packages add."""
    if isinstance(error, ValidationError):
        first = error.errors()[0]
        return ": ".join([*map(str, first["loc"]), first["msg"]])
    return getattr(error, "strerror", None) or (str(error).splitlines() or [type(error).__name__])[0]


@contextmanager
def failing(fail: Callable[[str], Exception], *errors: type[Exception]) -> Iterator[None]:
    """Raises errors of the system, and the given ones, as what `fail` makes of their message."""
    caught: tuple[type[Exception], ...] = (OSError, *errors)
    try:
        yield
    except caught as error:
        raise fail(reason_of(error)) from error


@contextmanager
def whole_file(path: FilePath, writing: Callable[[FilePath], AbstractContextManager[None]]) -> Iterator[Path]:
    """Yields a path to write to, which replaces `path` when the block ends. If the block raises, it is removed.

    A link stays one, and a file keeps its mode. `writing` makes errors of the system those of the caller.
    """
    with writing(path):
        target, beside = places(path)
        beside.touch(exist_ok=False)
    try:
        yield beside
        with writing(path), beside.open("rb+") as file:
            os.fsync(file.fileno())
            if target.exists():
                shutil.copymode(target, beside)
            beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)


def places(path: FilePath) -> tuple[Path, Path]:
    """Returns where a file is, and where it is written. Raises `OSError` for what is not a file."""
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        raise OSError("it exists and is not a file")
    return target, target.with_name(f"{WRITING}{secrets.token_hex(4)}-{target.name}")
