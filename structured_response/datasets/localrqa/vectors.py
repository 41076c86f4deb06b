"""An index folder: one file with the vector of each text, and a manifest with the name of the encoder."""

from __future__ import annotations

import hashlib
import math
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from ...errors import DatasetError
from ..files import FilePath, refuse, write_bytes

__all__ = ["VectorFolder", "vector_file_name"]

_NAMESPACE = uuid.UUID(int=1985)
_PREFIX = "customized"
_MANIFEST = "manifest.json"

Vector = list[float]


def vector_file_name(fmt_content: str) -> str:
    """Returns the name of the file for the vector of a text."""
    digest = hashlib.sha1(fmt_content.encode(), usedforsecurity=False).hexdigest()
    return f"{_PREFIX}{uuid.uuid5(_NAMESPACE, digest)}"


@dataclass
class VectorFolder:
    """The vectors of one encoder. `dimension` is the length of each, None while there is none."""

    path: Path
    encoder: str
    dimension: int | None = None

    @classmethod
    def open(cls, path: FilePath, encoder: str) -> VectorFolder:
        """Opens the folder at `path`, creating it if necessary. Raises `DatasetError` if it belongs to another encoder.

        A folder without a manifest, as LocalRQA makes them, is accepted.
        """
        folder = cls(Path(path), encoder)
        try:
            folder.path.mkdir(parents=True, exist_ok=True)
            manifest = folder._manifest()
        except OSError as error:
            raise refuse(f"cannot be used as an index: {error.strerror}", path) from error
        if manifest is not None:
            name, folder.dimension = manifest
            if name != encoder:
                raise folder.mismatch(
                    f"its vectors were made by the encoder {name!r}, not by {encoder!r}. If that is the same one, "
                    f"say so with encoder_name={name!r}"
                )
        return folder

    def mismatch(self, what: str) -> DatasetError:
        """Returns the error for vectors of another encoder."""
        return refuse(f"{what}. To rebuild the index, delete this folder or give another one", self.path)

    def _manifest(self) -> tuple[str, int] | None:
        file = self.path / _MANIFEST
        if not file.exists():
            return None
        try:
            held = orjson.loads(file.read_bytes())
            return str(held["encoder"]), int(held["dimension"])
        except (ValueError, KeyError, TypeError) as error:
            raise refuse(f"is no manifest of an index: {error}. Delete this folder to rebuild it", file) from error

    def load(self, name: str) -> Vector | None:
        """Returns the vector in a file, or None if the file does not exist. Raises `DatasetError` if it holds no
        vector, or one of another length.
        """
        file = self.path / name
        try:
            vector = orjson.loads(file.read_bytes())
        except FileNotFoundError:
            return None
        except OSError as error:
            raise refuse(f"cannot be read: {error.strerror}", file) from error
        except ValueError as error:
            raise refuse(f"is no JSON: {error}", file) from error
        if not _is_vector(vector):
            raise refuse("holds no list of finite numbers", file)
        if self.dimension is None:
            self.dimension = len(vector)
        if len(vector) != self.dimension:
            raise refuse(f"holds {len(vector)} numbers, where the others hold {self.dimension}", file)
        return list(map(float, vector))

    def save(self, vectors: dict[str, Vector]) -> None:
        """Writes vectors under their names, each file atomically, the manifest first."""
        if not (self.path / _MANIFEST).exists():
            manifest = {"encoder": self.encoder, "dimension": self.dimension}
            write_bytes(self.path / _MANIFEST, orjson.dumps(manifest))
        for name, vector in vectors.items():
            write_bytes(self.path / name, orjson.dumps(vector))

    def check(self, vectors: Any, texts: Sequence[str]) -> list[Vector]:
        """Returns an encoder's output as lists, once it is known to be a vector of the right length for each text."""
        try:
            rows = [_listed(row) for row in _listed(vectors)]
        except TypeError as error:
            raise refuse(f"the encoder gave something else than vectors: {error}", self.path) from error
        if len(rows) != len(texts):
            raise refuse(f"the encoder gave {len(rows)} vectors for {len(texts)} texts", self.path)
        for row in rows:
            if not _is_vector(row):
                raise refuse("the encoder gave something else than a list of finite numbers", self.path)
            if self.dimension is None:
                self.dimension = len(row)
            if len(row) != self.dimension:
                raise self.mismatch(f"the encoder gives {len(row)} numbers, and its vectors hold {self.dimension}")
        return rows


def _listed(values: Any) -> list[Any]:
    """Returns arrays of any library as lists."""
    return list(values.tolist()) if hasattr(values, "tolist") else list(values)


def _is_vector(value: Any) -> bool:
    return (
        isinstance(value, list)
        and bool(value)
        and set(map(type, value)) <= {int, float}
        and all(map(math.isfinite, value))
    )
