"""Files that are compressed by gzip or zstd."""

from __future__ import annotations

import gzip
import sys
import zlib
from collections.abc import Callable
from importlib import import_module
from typing import BinaryIO, NamedTuple, cast

from .errors import needs


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


def read_fault(error: Exception) -> str | None:
    """Returns what is wrong with a file that cannot be read further, or None for an error of another kind."""
    if isinstance(error, EOFError):
        return "the compressed data breaks off here"
    # zstd is an extra, so its error is known by name.
    if isinstance(error, (OSError, zlib.error)) or type(error).__name__ == "ZstdError":
        return f"cannot be read on: {error}"
    return None
