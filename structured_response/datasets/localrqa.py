"""LocalRQA's files: examples, document databases, and index folders that are searched with faiss."""

from __future__ import annotations

import ast
import contextlib
import hashlib
import json
import math
import uuid
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, NamedTuple, Self

from pydantic import BaseModel, BeforeValidator, Field, TypeAdapter, ValidationError, model_validator

from ..errors import DatasetError
from ..findings import Fault
from ..progress import progress_bar
from .files import FilePath, Watch, extra, read_lines, refuse, refusing, suffix_of, write_lines
from .jsonl import OBJECT, Line, Record, collected, line_of, records_of, scan_jsonl, write_jsonl
from .pickled import pickled_rows
from .records import arrow_table, plain, rows_of, write_parquet

__all__ = [
    "DialogueSession",
    "DialogueTurn",
    "Document",
    "Encoder",
    "Example",
    "Hit",
    "RetrieverExample",
    "SentenceTransformerEncoder",
    "VectorIndex",
    "question_rows",
    "read_documents",
    "read_examples",
    "retrieval_recall",
    "scan_documents",
    "scan_examples",
    "validate",
    "vector_file_name",
    "write_documents",
    "write_examples",
]


class Document(Record):
    """A piece of text of the document database."""

    page_content: str
    fmt_content: str = ""
    """The text that is embedded and shown to a language model. If it is empty, it is made of the others."""
    metadata: dict[str, Any] = Field(default_factory=dict)
    """Facts of any kind, often `source` and `title`."""

    @model_validator(mode="after")
    def _format(self) -> Self:
        if not self.fmt_content:
            heads = [
                f"{name.capitalize()}: {self.metadata[name]}\n" for name in ("source", "title") if name in self.metadata
            ]
            self.fmt_content = f"{''.join(heads)}Content:\n{self.page_content}".strip()
        return self


class DialogueTurn(Record):
    """The message of one speaker."""

    speaker: str
    message: str
    source_documents: list[Document] = Field(default_factory=list)
    """The documents that the message rests on."""


class DialogueSession(BaseModel):
    """A dialogue, turn by turn. Its text is the prompt of a model: `USER: hi ASSISTANT: yo</s>`."""

    history: list[DialogueTurn] = Field(default_factory=list)
    user_prefix: str = "USER"
    assistant_prefix: str = "ASSISTANT"

    @classmethod
    def from_list(cls, turns: Iterable[Mapping[str, Any] | DialogueTurn]) -> Self:
        """Returns the dialogue of a `chat_history`.

        Args:
            turns: The turns, or dicts with speaker, message and source_documents. The first speaker is the user, and
                the next other one is the assistant.

        Raises:
            ValidationError: A dict is not a turn.
        """
        history = [DialogueTurn.model_validate(turn) for turn in turns]
        user = history[0].speaker if history else "USER"
        assistant = next((turn.speaker for turn in history if turn.speaker != user), "ASSISTANT")
        return cls(history=history, user_prefix=user, assistant_prefix=assistant)

    def to_list(self) -> list[dict[str, Any]]:
        """Returns the turns as a `chat_history`: a list of dicts with speaker, message and source_documents."""
        return [turn.model_dump() for turn in self.history]

    def to_string(self) -> str:
        """Returns each turn as `speaker: message`, followed by `</s>` for the assistant, else by a blank."""
        text = ""
        for turn in self.history:
            is_assistant = turn.speaker == self.assistant_prefix or turn.speaker.lower() in ("assistant", "system")
            text += f"{turn.speaker}: {turn.message}{'</s>' if is_assistant else ' '}"
        return text

    __str__ = to_string


class Example(Record):
    """A question with its answer and the documents that it rests on."""

    chat_history: list[DialogueTurn] = Field(default_factory=list)
    """The turns before the question."""
    question: str
    gold_docs: list[Document]
    """The documents that the answer rests on."""
    gold_answer: str
    hard_neg_docs: list[Document] = Field(default_factory=list)
    """Documents that look relevant and are not."""


class RetrieverExample(Record):
    """Several questions that the same documents answer, for training a retriever."""

    chat_history: list[DialogueTurn] = Field(default_factory=list)
    """The turns before the questions."""
    questions: list[str] = Field(min_length=1, max_length=3)
    """One to three questions that the same documents answer."""
    gold_docs: list[Document]
    """The documents that the answers rest on."""
    hard_neg_docs: list[Document] = Field(default_factory=list)
    """Documents that look relevant and are not."""


def question_rows(examples: Iterable[Example | RetrieverExample]) -> Iterator[tuple[list[Document], str]]:
    """Yields a pair of gold documents and a question, for each question of each example, in order.

    Args:
        examples: The examples, of both kinds.
    """
    for example in examples:
        questions = example.questions if isinstance(example, RetrieverExample) else [example.question]
        for question in questions:
            yield example.gold_docs, question


_LOOKED_AT = 1_000  # lines at the head of a file, one of which should be an object
MAX_LITERAL = 1024 * 1024
"""Bytes of a line that is read as a Python literal if it is not JSON. The parser takes a hundred times its size."""


def read_examples(path: FilePath, watch: Watch | None = None) -> Iterator[Example | RetrieverExample]:
    """Yields the examples of a file. Those with `questions` are a retriever's. Memory is that of one example.

    Args:
        path: The file of JSON Lines. A line may also be a Python literal, in single quotes as in LocalRQA's own
            documentation, where `[...]` is an empty list.
        watch: A function that is called with the number of bytes read so far.

    Raises:
        DatasetError: A line is invalid. The examples before it have been yielded.
    """
    return records_of(scan_examples(path, watch))


def scan_examples(path: FilePath, watch: Watch | None = None) -> Iterator[Line]:
    """Yields every line of a file with its example or its faults; see `read_examples` for the arguments.

    Raises:
        DatasetError: The file cannot be read further.
    """
    return scan_jsonl(path, _example_of, watch)


def write_examples(path: FilePath, examples: Iterable[Example | RetrieverExample]) -> int:
    """Writes examples as strict JSON, one per line, whole or not at all.

    Args:
        path: The file, which is replaced, and compressed if its name ends in `.gz` or `.zst`.
        examples: The examples. One is in memory at a time.

    Returns:
        The number of examples.

    Raises:
        DatasetError: The file cannot be written. Nothing was changed.
    """
    return write_jsonl(path, examples)


def _example_of(line: bytes) -> Example | RetrieverExample:
    data = object_or_literal(line)
    return (RetrieverExample if "questions" in data else Example).model_validate(data)


def object_or_literal(line: bytes) -> dict[str, Any]:
    try:
        return OBJECT.validate_json(line)
    except ValidationError:
        if len(line) > MAX_LITERAL:
            raise
        literal = None
        with warnings.catch_warnings(), contextlib.suppress(Exception):
            warnings.simplefilter("ignore")  # escapes that Python does not know
            literal = _without_dots(ast.literal_eval(line.decode()))
        if not isinstance(literal, dict):
            raise
        return literal


def _without_dots(value: Any) -> Any:
    if value is ... or value == {...}:
        return {}
    if isinstance(value, list):
        return [_without_dots(each) for each in value if each is not ...]
    if isinstance(value, dict):
        return {key: _without_dots(each) for key, each in value.items()}
    return value


def read_documents(path: FilePath) -> list[Document]:
    """Returns the documents of a database.

    Args:
        path: The file: a `.pkl`, which is read without running it, `.parquet`, or JSON Lines.

    Raises:
        DatasetError: The file cannot be read, or has faults. `faults` has all of them, and `records` the valid
            documents.
    """
    documents, faults = collected(scan_documents(path))
    if faults:
        raise DatasetError(faults, documents)
    return documents


def scan_documents(path: FilePath, watch: Watch | None = None) -> Iterator[Line]:
    """Yields every line or row of a database with its document or its faults.

    Args:
        path: The file, as for `read_documents`.
        watch: A function that is called with the number of bytes, or of rows of Parquet, read so far.

    Raises:
        DatasetError: The file cannot be read further, or is a pickle of anything but documents.
    """
    suffix = suffix_of(path)
    if suffix not in _TABLES:
        yield from scan_jsonl(path, lambda line: Document.model_validate(object_or_literal(line)), watch)
        return
    rows = rows_of(path, watch=watch).rows if suffix == ".parquet" else pickled_rows(path)
    for number, row in enumerate(rows):
        yield line_of(row, _document_of, path, row=number)


PICKLES = (".pkl", ".pickle")
_TABLES = (*PICKLES, ".parquet")


def _document_of(row: dict[str, Any]) -> Document:
    """Returns the document of a row. Our own files hold metadata as JSON, others as a struct."""
    metadata = row.get("metadata")
    if isinstance(metadata, str):
        try:
            metadata = json.loads(metadata)
        except ValueError as error:
            raise ValueError(f"its metadata is not JSON: {error}") from None
    filled = {"fmt_content": row.get("fmt_content") or "", "metadata": {} if metadata is None else metadata}
    return Document.model_validate({**row, **filled})


def validate(path: FilePath, watch: Watch | None = None) -> list[Fault]:
    """Returns every fault of a file of examples or documents.

    Args:
        path: The file, as for `read_examples` or `read_documents`.
        watch: A function that is called with the number of bytes, or of rows of Parquet, read so far.

    Raises:
        DatasetError: The file cannot be read further.
    """
    is_documents = suffix_of(path) in _TABLES or "page_content" in first_object(path)
    scan = scan_documents if is_documents else scan_examples
    return [fault for line in scan(path, watch) for fault in line.faults]


def first_object(path: FilePath) -> dict[str, Any]:
    """Returns the data of the first line that is an object, or an empty dict if none of the first lines is."""
    for _number, line in islice(read_lines(path), _LOOKED_AT):
        with contextlib.suppress(ValueError):
            return object_or_literal(line)
    return {}


def write_documents(path: FilePath, documents: Iterable[Document]) -> int:
    """Writes a database, whole or not at all.

    Args:
        path: The file, which is replaced: Parquet, with metadata as JSON, or by any other suffix JSON Lines.
        documents: The documents. For Parquet, all of them are held in memory.

    Returns:
        The number of documents.

    Raises:
        DatasetError: The file cannot be written, or is named as a pickle, which is never written. Nothing was changed.
    """
    suffix = suffix_of(path)
    if suffix in PICKLES:
        raise refuse("is a pickle, which is never written; documents.jsonl or documents.parquet is", path)
    if suffix != ".parquet":
        return write_jsonl(path, documents)
    rows = [document.model_dump(mode="json") for document in documents]
    for row in rows:
        row["metadata"] = json.dumps(row["metadata"], ensure_ascii=False)
    write_parquet(path, arrow_table(rows, Document.model_fields))
    return len(rows)


def retrieval_recall(
    gold_docs: Sequence[Document], retrieved: Iterable[Document], k: int | None = None
) -> float | None:
    """Returns 1 if all gold documents were retrieved, else 0, or None without gold ones.

    Args:
        gold_docs: The documents to find. Documents are equal if source and page_content are.
        retrieved: The documents that were retrieved, best first.
        k: The number of retrieved documents that count. None takes all.

    Raises:
        ValueError: `k` is below 1.
    """
    if k is not None and k < 1:
        raise ValueError(f"k is at least 1, not {k!r}")
    found = [_identity(document) for document in islice(retrieved, k)]
    return float(all(_identity(gold) in found for gold in gold_docs)) if gold_docs else None


def _identity(document: Document) -> tuple[Any, str]:
    return document.metadata.get("source"), document.page_content


_MANIFEST = "manifest.json"


Vector = Annotated[list[Annotated[float, Field(strict=True, allow_inf_nan=False)]], Field(min_length=1)]
_VECTOR = TypeAdapter(Vector)
_VECTORS: TypeAdapter[list[Vector]] = TypeAdapter(Annotated[list[Vector], BeforeValidator(plain)])


class _Manifest(BaseModel):
    encoder: str
    dimension: int


def vector_file_name(fmt_content: str) -> str:
    """Returns the name of the file that holds the vector of a document in an index folder.

    Args:
        fmt_content: The document's text.
    """
    digest = hashlib.sha1(fmt_content.encode(), usedforsecurity=False).hexdigest()
    return f"customized{uuid.uuid5(uuid.UUID(int=1985), digest)}"


Encoder = Callable[[list[str]], Any]
"""A function from texts to a vector for each: lists of floats, or a numpy array."""

_SAME = 0.05
"""The allowed distance of a vector, relative to its length, from that of the same text in another batch."""


class Hit(NamedTuple):
    """A document found by a search.

    Attributes:
        document: The document.
        distance: Its squared L2 distance from the query.
    """

    document: Document
    distance: float


class SentenceTransformerEncoder:
    """A model of sentence-transformers as an encoder.

    Args:
        model: A `sentence_transformers.SentenceTransformer`.
        name: Its name in the index's manifest.
        batch_size: The number of texts that the model embeds at once.
    """

    def __init__(self, model: Any, name: str, batch_size: int = 32) -> None:
        self.name = name
        self._model = model
        self._batch_size = batch_size

    def __call__(self, texts: list[str]) -> Any:
        return self._model.encode(texts, batch_size=self._batch_size, show_progress_bar=False, convert_to_numpy=True)


class VectorIndex:
    """Documents that can be searched by meaning. `build` makes it.

    Attributes:
        documents: The documents, as they were given.
        embedded: The number of texts that `build` had to embed.
        mended: A fault for each corrupt vector file that `build` made again.
    """

    def __init__(self, documents: Iterable[Document], encoder: Encoder, path: FilePath, encoder_name: str) -> None:
        self.documents = list(documents)
        self.embedded = 0
        self.mended: list[Fault] = []
        self._encoder = encoder
        self._encoder_name = encoder_name
        self._path = Path(path)
        self._dimension: int | None = None  # of every vector, None while there is none
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
        """Returns the index of documents. Only texts without a vector in the folder are embedded.

        Args:
            documents: The documents, all of which are held in memory with their vectors.
            encoder: The function that embeds texts.
            path: The folder of the vectors, which is made if necessary.
            encoder_name: The name by which the folder remembers its encoder. By default it is the encoder's own `name`,
                or the place where it is defined.
            batch_size: The number of texts of a call of the encoder.
            progress: Whether to draw a progress bar. None draws it on a terminal.

        Raises:
            DatasetError: The folder is another encoder's or cannot be used, or the encoder's output is not a vector of
                the right length for each text.
            MissingExtraError: faiss is not installed.
            Exception: Whatever the encoder raises. The batches before are kept.
        """
        faiss, numpy = extra("faiss", "faiss-cpu"), extra("numpy", "faiss-cpu")
        kind: Any = encoder if hasattr(encoder, "__qualname__") else type(encoder)
        given = encoder_name or getattr(encoder, "name", None)
        called = given if isinstance(given, str) else f"{kind.__module__}.{kind.__qualname__}"
        index = cls(documents, encoder, path, called)
        index._open_folder()
        names = [vector_file_name(document.fmt_content) for document in index.documents]
        texts = {name: document.fmt_content for name, document in zip(names, index.documents, strict=True)}
        vectors = index._loaded(texts)
        with progress_bar("embedding", len(texts), shown=progress) as done:
            missing = [name for name in texts if name not in vectors]
            for start in range(0, len(missing), batch_size):
                batch = missing[start : start + batch_size]
                made = dict(zip(batch, index._encoded([texts[name] for name in batch]), strict=True))
                index._save(made)
                index.embedded += len(made)
                vectors |= made
                done(len(vectors))
        if vectors:
            rows = numpy.array([vectors[name] for name in names], dtype="float32")
            index._index = faiss.IndexFlatL2(index._dimension)
            index._index.add(rows)
        return index

    def _open_folder(self) -> None:
        """Makes the folder if necessary, and reads its manifest. LocalRQA's own folders have none."""
        file = self._path / _MANIFEST
        with refusing("cannot be used as an index", self._path):
            self._path.mkdir(parents=True, exist_ok=True)
            written = file.read_bytes() if file.exists() else None
        if written is None:
            return
        hint = ". Delete this folder to rebuild it"
        with refusing("is not a manifest of an index", file, ValidationError, hint=hint):
            manifest = _Manifest.model_validate_json(written)
        self._dimension = manifest.dimension
        if manifest.encoder != self._encoder_name:
            raise self._mismatch(
                f"its vectors were made by the encoder {manifest.encoder!r}, not by {self._encoder_name!r}. If that is "
                f"the same one, say so with encoder_name={manifest.encoder!r}"
            )

    def _mismatch(self, what: str) -> DatasetError:
        return refuse(f"{what}. To rebuild the index, delete this folder or give another one", self._path)

    def _loaded(self, texts: dict[str, str]) -> dict[str, list[float]]:
        """Returns the existing vectors. The first of them is compared with the encoder at the first search."""
        vectors = {}
        for name, text in texts.items():
            file = self._path / name
            if not file.exists():
                continue
            try:
                with refusing("holds no list of finite numbers", file, ValidationError):
                    vector = _VECTOR.validate_json(file.read_bytes())
                if self._differs(vector):
                    raise refuse(f"holds {len(vector)} numbers, where the others hold {self._dimension}", file)
            except DatasetError as error:
                self.mended += error.faults
            else:
                vectors[name] = vector
                self._known = self._known or (text, vector)
        return vectors

    def _save(self, vectors: dict[str, list[float]]) -> None:
        file = self._path / _MANIFEST
        if self._dimension is not None and not file.exists():
            manifest = _Manifest(encoder=self._encoder_name, dimension=self._dimension)
            write_lines(file, [manifest.model_dump_json().encode()])
        for name, vector in vectors.items():
            write_lines(self._path / name, [_VECTOR.dump_json(vector)])

    def _encoded(self, texts: list[str]) -> list[list[float]]:
        """Returns the encoder's output, once it is known to be a vector of the right length for each text."""
        vectors = self._encoder(texts)
        what = "the encoder gave something else than a list of finite numbers for each text"
        with refusing(what, self._path, ValidationError):
            rows = _VECTORS.validate_python(vectors)
        if len(rows) != len(texts):
            raise refuse(f"the encoder gave {len(rows)} vectors for {len(texts)} texts", self._path)
        for row in rows:
            if self._differs(row):
                raise self._mismatch(f"the encoder gives {len(row)} numbers, and its vectors hold {self._dimension}")
        return rows

    def _differs(self, vector: list[float]) -> bool:
        """Returns whether a vector has another length than the others. The first one sets the length."""
        self._dimension = self._dimension or len(vector)
        return len(vector) != self._dimension

    def search(self, query: str, k: int = 4) -> list[Hit]:
        """Returns the documents nearest to a query, the nearest first.

        At the first search the encoder also gets a text that already had a vector, since only that shows whether the
        same encoder made the others.

        Args:
            query: The text to search for.
            k: The maximum number of documents.

        Raises:
            DatasetError: Another encoder made the vectors.
            ValueError: `k` is below 1.
        """
        if k < 1:
            raise ValueError(f"k is at least 1, not {k!r}")
        if self._index is None:
            return []
        known = self._known
        vector, *others = self._encoded([query] if known is None else [query, known[0]])
        if known is not None and math.dist(others[0], known[1]) > _SAME * math.hypot(*known[1]):
            raise self._mismatch("the encoder gives another vector for a document than is held here")
        self._known = None
        queries = extra("numpy", "faiss-cpu").array([vector], dtype="float32")
        (distances,), (places,) = self._index.search(queries, min(k, len(self.documents)))
        return [Hit(self.documents[place], float(distance)) for place, distance in zip(places, distances, strict=True)]
