"""The folder of a batch: a manifest, the parts with their counts, and files that are whole or absent."""

from __future__ import annotations

import hashlib
import os
import re
import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import orjson
from pydantic_core import to_jsonable_python

from ..definition import to_json
from ..errors import BatchError
from ..escaping import SURROGATE
from ..options import ReadingOptions
from ..response import StructuredResponse

# Readers of datasets (Arrow, Spark, DuckDB) skip names that begin with an underscore, so a folder is one table to them.
MANIFEST = "_manifest.json"
VERSION = 1
"""The version of the folder's form."""

_WRITING = ".writing-"
_PART = re.compile(r"part-([0-9]+)\.(?:parquet|jsonl)")


def part_path(folder: Path, number: int, suffix: str) -> Path:
    return folder / f"part-{number:05}.{suffix}"


def counts_path(part: Path) -> Path:
    """Returns the file with the counts of a part. It is written first, so a part that exists has one."""
    return part.with_name(f"_{part.stem}.json")


def finished_parts(folder: Path) -> dict[int, Path]:
    """Returns the parts of a folder by their numbers, in order."""
    names = ((_PART.fullmatch(path.name), path) for path in folder.iterdir())
    return dict(sorted((int(match[1]), path) for match, path in names if match))


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Yields a path to write to, which becomes `path` at the end of the block. If the block raises, it is removed."""
    beside = path.with_name(f"{_WRITING}{secrets.token_hex(4)}-{path.name}")
    try:
        yield beside
        with beside.open("rb+") as file:
            os.fsync(file.fileno())
        beside.replace(path)
    except OSError as error:
        raise BatchError(f"cannot be written: {error.strerror or error}", str(path)) from error
    finally:
        beside.unlink(missing_ok=True)


def manifest_of(
    asked: StructuredResponse[Any], inputs: Sequence[str], options: ReadingOptions, **layout: Any
) -> dict[str, Any]:
    """Describes a batch: everything that decides what is in its parts, as JSON holds it.

    Each input is read once for its digest, which knows a file that was copied and one that was changed.
    """
    described = {
        "version": VERSION,
        "class_name": asked.class_name,
        "definition": asked.definition,
        "fingerprint": asked.fingerprint,
        "options": dict(options),
        **layout,
        "inputs": list(map(_described, inputs)),
    }
    # The context of the validators may be anything: what JSON cannot hold is known by its type.
    held = to_jsonable_python(described, fallback=lambda held: type(held).__qualname__)
    return dict(orjson.loads(to_json(held)))


def encodable(text: str) -> str:
    """Returns a text without lone surrogates, which no file can hold."""
    return SURROGATE.sub("\ufffd", text)


def _described(path: str) -> dict[str, Any]:
    try:
        with Path(path).open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
            return {"path": encodable(path), "bytes": file.tell(), "sha256": digest}
    except OSError as error:
        raise BatchError(f"cannot be read: {error.strerror}", path) from error


def read_manifest(folder: str | Path) -> dict[str, Any]:
    """Returns the manifest of a folder. Raises `BatchError` for a folder without one."""
    path = Path(folder, MANIFEST)
    try:
        return dict(orjson.loads(path.read_bytes()))
    except (OSError, ValueError) as error:
        raise BatchError(f"is not the folder of a batch: {MANIFEST} cannot be read: {error}", str(folder)) from error


def open_folder(folder: Path, manifest: Mapping[str, Any]) -> dict[int, Path]:
    """Makes the folder of a batch, or goes on with it. Returns the parts that it has.

    Raises:
        BatchError: The folder is that of another batch, or holds other files.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for left in folder.glob(f"{_WRITING}*"):  # by a run that was killed
            left.unlink(missing_ok=True)
        is_new = not any(folder.iterdir())
    except OSError as error:
        raise BatchError(f"cannot be the folder of a batch: {error.strerror}", str(folder)) from error
    if is_new:
        with whole_file(folder / MANIFEST) as beside:
            beside.write_bytes(orjson.dumps(manifest, option=orjson.OPT_INDENT_2))
    else:
        _check_same(folder, manifest)
    return finished_parts(folder)


def _check_same(folder: Path, manifest: Mapping[str, Any]) -> None:
    before = read_manifest(folder)
    differing = [name for name in {**before, **manifest} if before.get(name) != manifest.get(name)]
    if differing:
        raise BatchError(
            f"was made with other {', '.join(differing)}; take another folder, or delete this one to begin anew",
            str(folder),
            [f"{name}: {_short(before.get(name))}, now {_short(manifest.get(name))}" for name in differing],
        )


def _short(value: Any) -> str:
    text = orjson.dumps(value).decode()
    return text if len(text) <= 200 else f"{text[:200]}..."
