"""LocalRQA's files: examples as JSON Lines, document databases as pickles, JSON Lines or Parquet."""

from __future__ import annotations

import ast
import contextlib
import json
import warnings
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from ...definition.names import show_path
from ...errors import DatasetError
from ...findings import Fault
from ..files import FilePath, Watch, read_lines, refuse
from ..jsonl import Line, NotARecordError, data_of, faults_of, read_jsonl, scan_jsonl, write_jsonl
from ..tables import arrow_table, rows_of, text_type, write_parquet
from .pickled import pickled_rows
from .records import Document, Example, RetrieverExample

__all__ = [
    "data_or_literal",
    "read_documents",
    "read_examples",
    "scan_documents",
    "scan_examples",
    "validate",
    "write_documents",
    "write_examples",
]

MAX_LITERAL = 1024 * 1024
"""Bytes of a line that is read as a Python literal if it is not JSON. The parser takes a hundred times its size."""


def read_examples(path: FilePath, watch: Watch | None = None) -> Iterator[Example | RetrieverExample]:
    """Yields the examples of a JSON Lines file. Those with `questions` are a retriever's.

    A line that is a Python literal instead of JSON, in single quotes as in LocalRQA's own documentation, is accepted;
    `[...]` is an empty list there. Raises `DatasetError` with file, line and field at the first invalid line.
    """
    return read_jsonl(path, example_of, watch)


def scan_examples(path: FilePath, watch: Watch | None = None) -> Iterator[Line]:
    """Yields every line of a file with its example or its faults, to list all faults."""
    return scan_jsonl(path, example_of, watch)


def write_examples(path: FilePath, examples: Iterable[Example | RetrieverExample]) -> int:
    """Writes examples as strict JSON, one per line, compressed by the suffix, atomically. Returns their number.

    Raises `DatasetError` if the file cannot be written.
    """
    return write_jsonl(path, examples)


def example_of(line: bytes) -> Example | RetrieverExample:
    """Returns the example of a line. Raises `ValueError` for any other line."""
    data = data_or_literal(line)
    if not isinstance(data, dict):
        raise NotARecordError(f"is of type {type(data).__name__}, not an object")
    return (RetrieverExample if "questions" in data else Example).model_validate(data)


def document_of(line: bytes) -> Document:
    """Returns the document of a line. Raises `ValueError` for any other line."""
    return Document.model_validate(data_or_literal(line))


def data_or_literal(line: bytes) -> Any:
    """Returns the data of a line of JSON, or of a Python literal. Raises `ValueError` for any other line."""
    try:
        return data_of(line)
    except ValueError:
        if len(line) > MAX_LITERAL:
            raise
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # escapes that Python does not know
                return _without_dots(ast.literal_eval(line.decode().strip()))
        except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
            pass
        raise


def _without_dots(value: Any) -> Any:
    """Returns a literal with empty values in place of `...`."""
    if value is ... or value == {...}:
        return {}
    if isinstance(value, list):
        return [_without_dots(each) for each in value if each is not ...]
    if isinstance(value, dict):
        return {key: _without_dots(each) for key, each in value.items()}
    return value


def read_documents(path: FilePath) -> list[Document]:
    """Returns the documents of a database: `.pkl`, which is read without running it, `.parquet`, or JSON Lines.

    Raises `DatasetError` with every fault and its line or row; its `records` are the valid documents.
    """
    documents: list[Document] = []
    faults: list[Fault] = []
    try:
        for line in scan_documents(path):
            documents += [line.record] if line.record is not None else []
            faults += line.faults
    except DatasetError as error:  # the file is truncated
        faults += error.faults
    if faults:
        raise DatasetError(faults, documents)
    return documents


def scan_documents(path: FilePath, watch: Watch | None = None) -> Iterator[Line]:
    """Yields every line or row of a database with its document or its faults. Rows are counted from 0."""
    rows = _ROWS.get(Path(path).suffix.lower())
    if rows is None:
        yield from scan_jsonl(path, document_of, watch)
        return
    for number, row in enumerate(rows(path, watch)):
        try:
            yield Line(number, Document.model_validate(_with_metadata(row)), [])
        except ValueError as error:
            found = faults_of(error, row)
            yield Line(number, None, [Fault(text, str(path), row=number, path=show_path(at)) for at, text in found])


_ROWS: dict[str, Callable[[FilePath, Watch | None], Iterable[dict[str, Any]]]] = {
    ".pkl": lambda path, _watch: pickled_rows(path),
    ".pickle": lambda path, _watch: pickled_rows(path),
    ".parquet": lambda path, watch: rows_of(path, watch=watch).rows,
}


def _with_metadata(row: dict[str, Any]) -> dict[str, Any]:
    """Returns a row with its metadata as a dict. Our own files hold it as JSON, since each document may have its own
    keys, others as a struct.
    """
    metadata = row.get("metadata")
    if metadata is None:
        metadata = {}
    elif isinstance(metadata, str):
        try:
            metadata = json.loads(metadata)
        except ValueError as error:
            raise NotARecordError(f"its metadata is no JSON: {error}") from None
    elif isinstance(metadata, list) and all(isinstance(each, tuple) for each in metadata):
        metadata = dict(metadata)  # an Arrow map
    return {**row, "fmt_content": row.get("fmt_content") or "", "metadata": metadata}


def validate(path: FilePath, watch: Watch | None = None) -> list[Fault]:
    """Returns every fault of a file of examples or documents. Raises `DatasetError` if it cannot be read further."""
    return [fault for line in _scanner(path)(path, watch) for fault in line.faults]


def _scanner(path: FilePath) -> Callable[[FilePath, Watch | None], Iterator[Line]]:
    """Returns the scanner for a file, by its first line that is an object. Pickles and tables always hold documents."""
    if Path(path).suffix.lower() not in _ROWS:
        for _number, line in read_lines(path):
            with contextlib.suppress(ValueError):
                if isinstance(data := data_or_literal(line), dict):
                    return scan_documents if "page_content" in data else scan_examples
    return scan_documents


def write_documents(path: FilePath, documents: Iterable[Document]) -> int:
    """Writes a database as Parquet (`.parquet`, metadata as JSON) or as JSON Lines, atomically. Returns the number of
    documents.

    Raises `DatasetError` if the file cannot be written, and for a pickle, which is never written.
    """
    suffix = Path(path).suffix.lower()
    if suffix in (".pkl", ".pickle"):
        raise refuse("is a pickle, which is never written; documents.jsonl or documents.parquet is", path)
    if suffix != ".parquet":
        return write_jsonl(path, documents)
    rows = [_flat(document) for document in documents]
    write_parquet(path, arrow_table(rows, dict.fromkeys(("page_content", "fmt_content", "metadata"), text_type())))
    return len(rows)


def _flat(document: Document) -> dict[str, Any]:
    plain = document.model_dump(mode="json")
    return {**plain, "metadata": json.dumps(plain["metadata"], ensure_ascii=False)}
