"""The folder of a batch: a manifest, the parts with their counts, and files that are whole or absent."""

from __future__ import annotations

import hashlib
import os
import re
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Literal, NotRequired

import orjson
from pydantic import TypeAdapter
from pydantic_core import to_jsonable_python
from typing_extensions import TypedDict

from .. import packing
from ..data.compare import differing
from ..definition import MISSING, show_path, to_json
from ..errors import BatchError
from ..escaping import encodable
from ..findings import MAX_EXCERPT, MAX_SHOWN
from ..packing import WRITING, FilePath, failing, reason_of
from ..response import StructuredResponse

# Readers of datasets (Arrow, Spark, DuckDB) skip names that begin with an underscore, so a folder is one table to them.
MANIFEST = "_manifest.json"
_LOCK = "_lock"
_FINISHED = "_finished.json"
"""The file with the number of the parts, once all are there."""

_PART = re.compile(r"part-([0-9]+)\.(?:parquet|jsonl)")


class Manifest(TypedDict):
    """Everything that decides what is in the parts of a batch, as JSON holds it."""

    version: Literal[1]
    class_name: str
    definition: dict[str, Any]
    fingerprint: str
    options: dict[str, Any]
    size: int
    parts: str
    column: str
    drop: bool
    inputs: list[dict[str, Any]]
    merged: NotRequired[list[dict[str, Any]]]


_MANIFEST = TypeAdapter(Manifest)


def part_path(folder: Path, number: int, suffix: str) -> Path:
    return folder / f"part-{number:05}.{suffix}"


def counts_path(part: Path) -> Path:
    """Returns the file with the counts of a part. It is written first, so a part that exists has one."""
    return part.with_name(f"_{part.stem}.json")


def finished_parts(folder: Path) -> dict[int, Path]:
    """Returns the parts of a folder by their numbers, in order."""
    names = ((_PART.fullmatch(path.name), path) for path in folder.iterdir())
    return dict(sorted((int(match[1]), path) for match, path in names if match))


def writing(path: FilePath) -> AbstractContextManager[None]:
    """Raises errors of the system as those of a file that cannot be written."""
    return failing(lambda reason: BatchError(f"cannot be written: {reason}", os.fspath(path)))


whole_file = partial(packing.whole_file, writing=writing)


def manifest_of(
    asked: StructuredResponse[Any], inputs: Sequence[str], options: Mapping[str, Any], **layout: Any
) -> Manifest:
    """Returns the manifest of a batch. Each input is read once for its digest, which knows a file that was copied."""
    context = options["context"]  # it may hold secrets, and what differs in each process
    held = {
        "version": 1,
        "class_name": asked.class_name,
        "definition": asked.definition,
        "fingerprint": asked.fingerprint,
        "options": {**options, "context": None if context is None else type(context).__qualname__},
        **layout,
        "inputs": list(map(digest_of, inputs)),
    }
    plain = to_jsonable_python(held, fallback=lambda other: type(other).__qualname__)
    return _MANIFEST.validate_json(to_json(plain))


def digest_of(path: str) -> dict[str, Any]:
    """Returns the path, the size and the digest of a file."""
    with failing(lambda reason: BatchError(f"cannot be read: {reason}", path)), Path(path).open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        return {"path": encodable(path), "bytes": file.tell(), "sha256": digest}


def read_manifest(folder: str | os.PathLike[str]) -> Manifest:
    """Returns the manifest of a folder. Raises `BatchError` for a folder without one."""
    try:
        return _MANIFEST.validate_json(Path(folder, MANIFEST).read_bytes())
    except (OSError, ValueError) as error:
        hint = f"is not the folder of a batch: {MANIFEST} cannot be read: {reason_of(error)}"
        raise BatchError(hint, os.fspath(folder)) from error


@contextmanager
def open_folder(folder: Path, manifest: Manifest) -> Iterator[dict[int, Path]]:
    """Creates or continues the folder of a batch, and locks it. Yields the parts that it has."""
    with failing(lambda reason: BatchError(f"cannot be the folder of a batch: {reason}", str(folder))):
        folder.mkdir(parents=True, exist_ok=True)
        is_used = any(not path.name.startswith((_LOCK, WRITING)) for path in folder.iterdir())
    if is_used:
        read_manifest(folder)  # raises for a folder with other files
    with _locked(folder):
        for left in folder.glob(f"{WRITING}*"):  # by a run that was killed
            left.unlink(missing_ok=True)
        path = folder / MANIFEST
        if path.exists():
            _check_same(folder, manifest)
        else:
            with whole_file(path) as beside, writing(path):
                beside.write_bytes(orjson.dumps(manifest, option=orjson.OPT_INDENT_2))
        yield finished_parts(folder)


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Locks a folder. The system ends the lock with this process, in whatever way that ends."""
    with ExitStack() as stack:
        try:
            lock = stack.enter_context(closing(sqlite3.connect(folder / _LOCK, timeout=0)))
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            is_busy = error.sqlite_errorname == "SQLITE_BUSY"
            hint = "another run writes to this folder" if is_busy else f"cannot be written: {error}"
            raise BatchError(hint, str(folder)) from error
        yield


def finish(folder: Path) -> None:
    """Notes that all parts of a batch are there."""
    with whole_file(folder / _FINISHED) as beside, writing(folder / _FINISHED):
        beside.write_text(str(len(finished_parts(folder))))


def is_finished(folder: Path) -> bool:
    """Returns whether all parts of a batch are there."""
    path = folder / _FINISHED
    return path.is_file() and path.read_bytes() == str(len(finished_parts(folder))).encode()


def _check_same(folder: Path, manifest: Manifest) -> None:
    changes = [
        f"{show_path(path)[2:]} was {_short(was)} and is {_short(now)}"
        for path, was, now in differing(read_manifest(folder), manifest)
    ]
    if changes:
        more = f"; and {len(changes) - MAX_SHOWN} more" if len(changes) > MAX_SHOWN else ""
        hint = "take another folder, or delete this one to begin anew"
        raise BatchError(f"holds another batch: {'; '.join(changes[:MAX_SHOWN])}{more}; {hint}", str(folder))


def _short(value: Any) -> str:
    text = "not there" if value is MISSING else orjson.dumps(value).decode()
    return text if len(text) <= MAX_EXCERPT else f"{text[:MAX_EXCERPT]}..."
