"""Files of records: what opens, what breaks off where, and that a file is written whole or not at all."""

import gzip
import os
import stat
import subprocess
import sys
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from structured_response import DatasetError
from structured_response.datasets.files import MAX_LINE, check_writable, read_lines, write_lines
from structured_response.datasets.oasst import open_jsonl_read

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

PACK: dict[str, Callable[[bytes], bytes]] = {"": bytes, ".gz": gzip.compress, ".zst": zstd.compress}


def lines_until_error(path: Path) -> tuple[list[bytes], str]:
    """The lines that come before the error, and the error."""
    got: list[bytes] = []
    with pytest.raises(DatasetError) as caught:
        got.extend(line for _number, line in read_lines(path))
    return got, str(caught.value)


@pytest.mark.parametrize("suffix", PACK)
def test_lines_are_numbered_and_blank_ones_skipped(suffix: str, tmp_path: Path) -> None:
    """Each line comes with its number; lines of white space count, and are not given; the last may lack its end."""
    path = tmp_path / f"a.jsonl{suffix}"
    path.write_bytes(PACK[suffix](b"one\n\n  \t\r\nfour\r\nfive"))
    assert list(read_lines(path)) == [(1, b"one"), (4, b"four"), (5, b"five")]


def test_byte_order_mark(tmp_path: Path) -> None:
    """The mark that Windows puts before UTF-8 is no part of the first line."""
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"\xef\xbb\xbfone\n")
    assert list(read_lines(path)) == [(1, b"one")]
    with open_jsonl_read(path) as text:
        assert text.read() == "one\n"


@pytest.mark.parametrize("suffix", [".gz", ".zst"])
def test_truncated(suffix: str, tmp_path: Path) -> None:
    """A packed file that breaks off gives its whole lines, then an error with file and line."""
    path = tmp_path / f"a.jsonl{suffix}"
    lines = [os.urandom(500).hex().encode() for _ in range(2000)]
    packed = PACK[suffix](b"\n".join(lines))
    path.write_bytes(packed[: len(packed) // 2])
    got, error = lines_until_error(path)
    assert len(got) > 500
    assert got == lines[: len(got)]
    assert error == f"{path}:{len(got) + 1}: the compressed data breaks off here"


@pytest.mark.parametrize("suffix", [".gz", ".zst"])
def test_damaged(suffix: str, tmp_path: Path) -> None:
    """A packed file with a damaged byte gives an error with file and line."""
    path = tmp_path / f"a.jsonl{suffix}"
    write_lines(path, (b"%d" % number for number in range(100_000)))
    packed = bytearray(path.read_bytes())
    packed[len(packed) // 2] ^= 0xFF
    path.write_bytes(packed)
    got, error = lines_until_error(path)
    assert error.startswith(f"{path}:{len(got) + 1}: ")


BAD_FILES = {
    "plain text named gz": ("a.jsonl.gz", b"{}\n", "is named as gzip data and begins with b'{}\\n'; is it plain text?"),
    "an empty gz": ("a.jsonl.gz", b"", "is named as gzip data and is empty"),
    "plain text named zst": ("a.jsonl.zst", b"{}\n", "is named as zstd data and begins with"),
    "gzip without its name": ("a.jsonl", gzip.compress(b"{}"), "holds gzip data; its name should end in .gz"),
    "zstd without its name": ("a.jsonl", zstd.compress(b"{}"), "holds zstd data; its name should end in .zst"),
    "UTF-16": ("a.jsonl", "{}\n".encode("utf-16"), "is UTF-16; it has to be UTF-8"),
}


@pytest.mark.parametrize(("name", "content", "error"), BAD_FILES.values(), ids=BAD_FILES)
def test_misnamed(name: str, content: bytes, error: str, tmp_path: Path) -> None:
    """What a file's name says of its content must be so."""
    (tmp_path / name).write_bytes(content)
    got, message = lines_until_error(tmp_path / name)
    assert got == []
    assert error in message
    assert str(tmp_path / name) in message


@pytest.mark.parametrize("name", ["none.jsonl", "."])
def test_unreadable(name: str, tmp_path: Path) -> None:
    """A file that is not there, and a folder, are told by name."""
    assert f"{tmp_path / name}: cannot be read: " in lines_until_error(tmp_path / name)[1]


def test_longest_line(tmp_path: Path) -> None:
    """A line without end is not read into memory as a whole."""
    path = tmp_path / "a.jsonl"
    with path.open("wb") as file:
        file.write(b"short\n")
        file.seek(MAX_LINE + 10, os.SEEK_CUR)
        file.write(b"\n")
    got, error = lines_until_error(path)
    assert got == [b"short"]
    assert error == f"{path}:2: a line of more than {MAX_LINE} bytes (MAX_LINE)"


def test_watch(tmp_path: Path) -> None:
    """Whoever watches is told of bytes of the file on the disk, up to its end."""
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(gzip.compress(b"".join(b"%d\n" % number for number in range(100_000))))
    seen: list[int] = []
    assert sum(1 for _ in read_lines(path, seen.append)) == 100_000
    assert seen == sorted(seen)
    assert (len(seen) > 100, seen[-1]) == (True, path.stat().st_size)


@pytest.mark.parametrize("suffix", PACK)
def test_text(suffix: str, tmp_path: Path) -> None:
    """As text a file is read as any other: by lines, or as a whole."""
    path = tmp_path / f"a.jsonl{suffix}"
    path.write_bytes(PACK[suffix]("ä\nb\n".encode()))
    with open_jsonl_read(path) as text:
        assert list(text) == ["ä\n", "b\n"]
    with open_jsonl_read(path) as text:
        assert (text.readline(), text.read()) == ("ä\n", "b\n")


BAD_TEXTS = {
    "not UTF-8": ("a.jsonl", b"\xe4\n", "is not UTF-8"),
    "breaks off": ("a.jsonl.gz", gzip.compress(b"a\n" * 9)[:-9], "breaks off"),
    "damaged": ("a.jsonl.zst", zstd.compress(b"a\n" * 9)[:-4] + b"\xff" * 99, "cannot be read on: "),
}


@pytest.mark.parametrize(("name", "content", "error"), BAD_TEXTS.values(), ids=BAD_TEXTS)
def test_bad_text(name: str, content: bytes, error: str, tmp_path: Path) -> None:
    """Errors of a text stream name the file too, whichever way it is read."""
    path = tmp_path / name
    path.write_bytes(content)
    for read in (list, lambda text: text.read(), lambda text: [text.readline() for _ in range(99)]):
        with pytest.raises(DatasetError, match=error) as caught, open_jsonl_read(path) as text:
            read(text)
        assert caught.value.faults[0].file == str(path)


@pytest.mark.parametrize("suffix", PACK)
def test_write(suffix: str, tmp_path: Path) -> None:
    """What was written is read again; the same lines make the same bytes, and nothing else is left in the folder."""
    path = tmp_path / f"a.jsonl{suffix}"
    assert write_lines(path, [b"one", b"two"]) == 2
    first = path.read_bytes()
    assert [line for _number, line in read_lines(path)] == [b"one", b"two"]
    write_lines(path, [b"one", b"two"])
    assert path.read_bytes() == first
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("suffix", PACK)
@pytest.mark.parametrize("old", [None, b"old"])
def test_write_that_fails(suffix: str, old: bytes | None, tmp_path: Path) -> None:
    """If the lines cannot be had, their error passes through, and the folder is as it was."""
    path = tmp_path / f"a.jsonl{suffix}"
    if old is not None:
        path.write_bytes(old)

    def lines() -> Iterator[bytes]:
        yield b"one"
        raise OSError("the source is gone")

    with pytest.raises(OSError, match="the source is gone"):
        write_lines(path, lines())
    assert {each.name: each.read_bytes() for each in tmp_path.iterdir()} == ({path.name: old} if old else {})


FULL_DISK = """
import os, resource, sys
from structured_response import DatasetError
from structured_response.datasets.files import write_lines
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
try:
    write_lines(sys.argv[1], (os.urandom(1000).hex().encode() for _ in range(1000)))
except DatasetError as error:
    print(error)
"""


@pytest.mark.parametrize("suffix", PACK)
def test_disk_that_fills(suffix: str, tmp_path: Path) -> None:
    """Where the system takes no more, the error says so, and what stood there before stays."""
    path = tmp_path / f"a.jsonl{suffix}"
    path.write_bytes(b"old")
    ran = subprocess.run([sys.executable, "-c", FULL_DISK, path], capture_output=True, text=True, check=True)
    assert ran.stdout == f"{path}: cannot be written: File too large; nothing was changed\n"
    if suffix != ".gz" or sys.version_info < (3, 14):  # whose gzip says that it lost what it could not write
        assert ran.stderr == ""
    assert {each.name: each.read_bytes() for each in tmp_path.iterdir()} == {path.name: b"old"}


def test_write_into_nothing(tmp_path: Path) -> None:
    """A folder that is not there is told by the file's name."""
    path = tmp_path / "none" / "a.jsonl"
    with pytest.raises(DatasetError, match="cannot be written: No such file or directory") as caught:
        write_lines(path, [])
    assert caught.value.faults[0].file == str(path)


def test_write_keeps_links_and_modes(tmp_path: Path) -> None:
    """A file that is written anew stays behind its link, and whoever could read it still can."""
    target, link = tmp_path / "target.jsonl", tmp_path / "link.jsonl"
    write_lines(target, [b"old"])
    target.chmod(0o640)
    link.symlink_to(target)
    write_lines(link, [b"new"])
    assert (link.is_symlink(), target.read_bytes()) == (True, b"new\n")
    assert stat.S_IMODE(target.stat().st_mode) == 0o640


@pytest.mark.parametrize("link", [False, True])
def test_write_replaces_files_only(link: bool, tmp_path: Path) -> None:
    """A pipe or a device is not for a file to take the place of, nor is a folder."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to(tmp_path / "pipe")
    path = tmp_path / ("link" if link else "pipe")
    for write in (lambda: write_lines(path, [b"new"]), lambda: check_writable(path)):
        with pytest.raises(DatasetError, match="cannot be written: it exists and is not a file; nothing was changed"):
            write()
    assert stat.S_ISFIFO(path.stat().st_mode)
    assert len(list(tmp_path.iterdir())) == 2


def test_memory_of_lines(tmp_path: Path) -> None:
    """A file takes the memory of a line, whatever its size."""
    path = tmp_path / "a.jsonl.gz"
    with gzip.open(path, "wb", 1) as file:
        file.writelines(b"%01000d\n" % number for number in range(100_000))
    tracemalloc.start()
    try:
        assert sum(1 for _ in read_lines(path)) == 100_000
        _now, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 1_000_000  # bytes, of 100 MB
