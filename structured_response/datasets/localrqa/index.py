"""A vector index of documents: texts are embedded once, kept in a folder, and searched with faiss. The only module that
imports faiss and numpy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from types import ModuleType
from typing import Any, NamedTuple, Self

from ...errors import DatasetError, MissingExtraError
from ...findings import Fault
from ..files import FilePath
from ..progress import progress_bar
from .records import Document
from .vectors import VectorFolder, vector_file_name

__all__ = ["Encoder", "Hit", "SentenceTransformerEncoder", "VectorIndex"]

Encoder = Callable[[list[str]], Any]
"""A function from texts to a vector for each: lists of floats, or a numpy array."""

_SAME = 0.05
"""The allowed distance of a vector, relative to its length, from that of the same text in another batch or precision.
Vectors of another encoder are about as far apart as they are long.
"""


class Hit(NamedTuple):
    """A document found by a search, and its squared L2 distance from the query."""

    document: Document
    distance: float


class SentenceTransformerEncoder:
    """A `sentence_transformers.SentenceTransformer` as an encoder. `name` is its name in the index's manifest."""

    def __init__(self, model: Any, name: str, batch_size: int = 32) -> None:
        self.name = name
        self._model = model
        self._batch_size = batch_size

    def __call__(self, texts: list[str]) -> Any:
        return self._model.encode(texts, batch_size=self._batch_size, show_progress_bar=False, convert_to_numpy=True)


class VectorIndex:
    """Documents that can be searched by meaning. Made by `build`.

    `embedded` counts the texts that were embedded now. `mended` has a `Fault` for each corrupt vector file that was
    rebuilt.
    """

    def __init__(self, documents: Sequence[Document], folder: VectorFolder, encoder: Encoder) -> None:
        self.documents = list(documents)
        self.embedded = 0
        self.mended: list[Fault] = []
        self._folder = folder
        self._encoder = encoder
        self._index: Any = None
        self._known: tuple[str, list[float]] | None = None

    @classmethod
    def build(
        cls,
        documents: Iterable[Document],
        encoder: Encoder,
        path: FilePath,
        *,
        encoder_name: str | None = None,
        batch_size: int = 64,
        progress: bool | None = None,
    ) -> Self:
        """Returns the index of documents, with their vectors in the folder `path`. Only texts without a vector there
        are embedded, in batches of `batch_size`.

        The folder remembers its encoder by `encoder_name`, or by the encoder's own `name`, or by its definition's
        place. Raises `DatasetError` for a folder of another encoder, and for an encoder's output that is not a vector
        of the right length; `MissingExtraError` without faiss. Exceptions of the encoder pass through; the batches
        before them are kept. `progress` draws a bar, by default if standard error is a terminal.
        """
        faiss, numpy = _faiss()
        index = cls(list(documents), VectorFolder.open(path, encoder_name or _name_of(encoder)), encoder)
        names = [vector_file_name(document.fmt_content) for document in index.documents]
        texts = {name: document.fmt_content for name, document in zip(names, index.documents, strict=True)}
        vectors = index._loaded(texts)
        with progress_bar("embedding", len(texts), shown=progress) as done:
            for batch in index._embedded(texts, vectors, batch_size):
                vectors |= batch
                done(len(vectors))
        if vectors:
            rows = numpy.array([vectors[name] for name in names], dtype="float32")
            index._index = faiss.IndexFlatL2(index._folder.dimension)
            index._index.add(rows)
        return index

    def _loaded(self, texts: dict[str, str]) -> dict[str, list[float]]:
        """Returns the existing vectors. The first of them is compared with the encoder at the first search."""
        vectors = {}
        for name, text in texts.items():
            try:
                vector = self._folder.load(name)
            except DatasetError as error:
                self.mended += error.faults
                continue
            if vector is not None:
                vectors[name] = vector
                self._known = self._known or (text, vector)
        return vectors

    def _embedded(
        self, texts: dict[str, str], there: dict[str, list[float]], batch_size: int
    ) -> Iterator[dict[str, list[float]]]:
        missing = [name for name in texts if name not in there]
        for start in range(0, len(missing), batch_size):
            names = missing[start : start + batch_size]
            batch = [texts[name] for name in names]
            rows = self._folder.check(self._encoder(batch), batch)
            made = dict(zip(names, rows, strict=True))
            self._folder.save(made)
            self.embedded += len(made)
            yield made

    def search(self, query: str, k: int = 4) -> list[Hit]:
        """Returns the `k` documents nearest to a query, or all if there are fewer, the nearest first.

        At the first search the encoder also gets a text that already had a vector, since only that shows whether the
        same encoder made the others. Raises `DatasetError` if it did not, and `ValueError` for a `k` below 1.
        """
        if k < 1:
            raise ValueError(f"k is at least 1, not {k!r}")
        if self._index is None:
            return []
        _faiss_module, numpy = _faiss()
        vector = numpy.array([self._encoded(query)], dtype="float32")
        distances, places = self._index.search(vector, min(k, len(self.documents)))
        return [
            Hit(self.documents[place], float(distance)) for place, distance in zip(places[0], distances[0], strict=True)
        ]

    def _encoded(self, query: str) -> list[float]:
        known, texts = self._known, [query]
        if known is not None:
            texts.append(known[0])
        rows = self._folder.check(self._encoder(texts), texts)
        if known is not None and not _is_close(rows[1], known[1]):
            raise self._folder.mismatch("the encoder gives another vector for a document than is held here")
        self._known = None
        return rows[0]


def _is_close(vector: list[float], known: list[float]) -> bool:
    distance = sum((a - b) ** 2 for a, b in zip(vector, known, strict=True))
    return distance <= _SAME**2 * sum(number**2 for number in known)


def _name_of(encoder: Encoder) -> str:
    name = getattr(encoder, "name", None)
    if isinstance(name, str):
        return name
    kind = encoder if hasattr(encoder, "__qualname__") else type(encoder)
    return f"{kind.__module__}.{kind.__qualname__}"


def _faiss() -> tuple[ModuleType, ModuleType]:
    try:
        import faiss
        import numpy as np
    except ImportError as error:
        raise MissingExtraError("faiss-cpu", "datasets") from error
    return faiss, np
