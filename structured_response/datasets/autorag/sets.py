"""Lists of AutoRAG's records: read from Parquet, Arrow and pandas, checked as a whole, and written back."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, ClassVar, Generic, NamedTuple, Self, TypeVar

from pydantic import BaseModel, ValidationError

from ...definition.names import show_path
from ...errors import DatasetError
from ...findings import Fault
from ..files import FilePath
from ..jsonl import faults_of
from ..tables import (
    Rows,
    arrow_table,
    frame_of,
    list_type,
    rows_of,
    text_type,
    whole_number_type,
    write_parquet,
)
from .records import MODIFIED, QA, Flat, Passage

__all__ = [
    "Checked",
    "Corpus",
    "QASet",
    "checked_rows",
    "column_faults",
    "is_blank",
    "read_corpus",
    "read_qa",
    "write_corpus",
    "write_qa",
]

Record = TypeVar("Record", bound=BaseModel)


class Checked(NamedTuple):
    """A row of a table: its number from 0, its data, and its record or its faults."""

    number: int
    row: dict[str, Any]
    record: Any
    faults: list[Fault]


def checked_rows(kind: type[BaseModel], table: Rows, context: Mapping[str, Any]) -> Iterator[Checked]:
    """Yields the rows of a table as records. Faults due to missing columns are left to `column_faults`."""
    missing = set(missing_columns(kind, table))
    for number, row in enumerate(table.rows):
        try:
            yield Checked(number, row, kind.model_validate(row, context=context), [])
        except ValidationError as error:
            faults = [
                Fault(message, table.name, row=number, path=show_path(place))
                for place, message in faults_of(error, row)
                if missing.isdisjoint(place[:1])
            ]
            yield Checked(number, row, None, faults)


def missing_columns(kind: type[BaseModel], table: Rows) -> list[str]:
    """Returns the required columns that a table lacks."""
    if table.columns is None:
        return []
    return [name for name, field in kind.model_fields.items() if field.is_required() and name not in table.columns]


def column_faults(kind: type[BaseModel], table: Rows) -> list[Fault]:
    """Returns a fault for each missing column, and for each duplicate one, since a row holds only one of them."""
    twice = [name for name, count in Counter(table.columns or ()).items() if count > 1]
    return [
        *(Fault("this column is missing", table.name, path=f"$.{name}") for name in missing_columns(kind, table)),
        *(Fault("this column stands there twice", table.name, path=f"$.{name}") for name in twice),
    ]


Tidy = Callable[[Any], bool]
"""Normalizes a record in place. Returns whether to keep it."""


class _RecordList(list[Record], Generic[Record]):
    """A list of records that converts from and to tables. `dropped` counts rows that were left out."""

    record: ClassVar[type[BaseModel]]
    columns: ClassVar[staticmethod[[Iterable[Any]], dict[str, Any]]]
    """Returns the columns of a table of such records, with their types."""
    dropped: int = 0

    def to_arrow(self) -> Any:
        """Returns a `pyarrow.Table` with a column for each field, and for each further key of the records."""
        types = self.columns(self)
        return arrow_table(self._rows(types), types, {"metadata": ("prev_id", "next_id")})

    def to_pandas(self) -> Any:
        """Returns a `pandas.DataFrame` with the same columns, rows counted from 0. Lists and dicts are unchanged."""
        types = self.columns(self)
        return frame_of(self._rows(types), types)

    def _rows(self, columns: Iterable[str]) -> list[dict[str, Any]]:
        """Returns the values of each record in `columns`, and of its further keys."""
        return [{**{name: getattr(each, name) for name in columns}, **(each.model_extra or {})} for each in self]

    @classmethod
    def from_rows(cls, table: Rows, context: Mapping[str, Any], keep: Tidy) -> Self:
        """Returns the records of a table. Raises one error with all faults, which holds the valid records."""
        records, faults = cls(), column_faults(cls.record, table)
        try:
            for checked in checked_rows(cls.record, table, context):
                faults += checked.faults
                if checked.record is not None:
                    if keep(checked.record):
                        records.append(checked.record)
                    else:
                        records.dropped += 1
        except DatasetError as error:  # the file is truncated
            faults += error.faults
        if faults:
            raise DatasetError(faults, records)
        return records


def _qa_columns(records: Iterable[QA]) -> dict[str, Any]:
    text = text_type()
    ids, answers = list_type(list_type(text)), list_type(text)
    return {"qid": text, "query": text, "retrieval_gt": ids, "generation_gt": answers}


def _corpus_columns(records: Iterable[Passage]) -> dict[str, Any]:
    text = text_type()
    types = {"doc_id": text, "contents": text, "metadata": None}
    optional = {"path": text, "start_end_idx": list_type(whole_number_type())}
    return types | {
        name: kind for name, kind in optional.items() if any(getattr(each, name) is not None for each in records)
    }


class QASet(_RecordList[QA]):
    """Questions with their answers. `failed` has a fault for each passage without usable questions."""

    record = QA
    columns = staticmethod(_qa_columns)

    def __init__(self, records: Iterable[QA] = ()) -> None:
        super().__init__(records)
        self.failed: list[Fault] = []

    @classmethod
    def from_pandas(cls, frame: Any, flat: Flat = "and", *, nfc: bool = False) -> Self:
        """Returns the records of a `pandas.DataFrame`, like `read_qa`. The frame is not changed, and its index is
        ignored.
        """
        return cls.from_rows(rows_of(frame, "qa"), {"flat": flat}, _nfc_qa if nfc else _all)

    @classmethod
    def from_arrow(cls, table: Any, flat: Flat = "and", *, nfc: bool = False) -> Self:
        """Returns the records of a `pyarrow.Table`, like `read_qa`."""
        return cls.from_rows(rows_of(table, "qa"), {"flat": flat}, _nfc_qa if nfc else _all)


class Corpus(_RecordList[Passage]):
    """Passages. `dropped` counts those that were left out as blank."""

    record = Passage
    columns = staticmethod(_corpus_columns)

    @classmethod
    def from_pandas(cls, frame: Any, *, nfc: bool = False) -> Self:
        """Returns the records of a `pandas.DataFrame`, like `read_corpus`. The frame is not changed, and its index is
        ignored.
        """
        return cls.from_rows(rows_of(frame, "corpus"), {}, _full_nfc if nfc else _full)

    @classmethod
    def from_arrow(cls, table: Any, *, nfc: bool = False) -> Self:
        """Returns the records of a `pyarrow.Table`, like `read_corpus`."""
        return cls.from_rows(rows_of(table, "corpus"), {}, _full_nfc if nfc else _full)

    def to_arrow(self) -> Any:
        """Returns a `pyarrow.Table` with a column for each field, and for each further key of the records.

        Raises `DatasetError` if only some dates have a time zone, since Arrow would take the others for UTC.
        """
        if len({getattr(each.metadata.get(MODIFIED), "tzinfo", None) is None for each in self}) > 1:
            message = f"{MODIFIED} has a time zone in some passages and none in others; give all of them one, or none"
            raise DatasetError([Fault(message, path="$.metadata")])
        return super().to_arrow()


def is_blank(contents: str) -> bool:
    """Returns whether a passage holds only white space."""
    return not contents or contents.isspace()


def _full(passage: Passage) -> bool:
    return not is_blank(passage.contents)


def _full_nfc(passage: Passage) -> bool:
    passage.contents = unicodedata.normalize("NFC", passage.contents)
    return _full(passage)


def _all(_record: Any) -> bool:
    return True


def _nfc_qa(record: QA) -> bool:
    record.query = unicodedata.normalize("NFC", record.query)
    record.generation_gt = [unicodedata.normalize("NFC", answer) for answer in record.generation_gt]
    return True


def read_qa(path: FilePath, flat: Flat = "and", *, nfc: bool = False) -> QASet:
    """Reads the questions of a `qa.parquet`. `flat` is that of `normalize_retrieval_gt`; `nfc` normalises texts except
    ids.

    Raises `DatasetError` with every fault, its row and its column; its `records` are the valid rows.
    """
    return QASet.from_rows(rows_of(path), {"flat": flat}, _nfc_qa if nfc else _all)


def read_corpus(path: FilePath, *, nfc: bool = False) -> Corpus:
    """Reads the passages of a `corpus.parquet`, without the blank ones, which `dropped` counts. `nfc` normalises
    contents.

    Raises `DatasetError` with every fault, its row and its column; its `records` are the valid rows.
    """
    return Corpus.from_rows(rows_of(path), {}, _full_nfc if nfc else _full)


def write_qa(path: FilePath, records: Iterable[QA]) -> None:
    """Writes questions as Parquet, atomically. Raises `DatasetError` if that fails."""
    write_parquet(path, QASet(records).to_arrow())


def write_corpus(path: FilePath, records: Iterable[Passage]) -> None:
    """Writes passages as Parquet, atomically. Raises `DatasetError` if that fails."""
    write_parquet(path, Corpus(records).to_arrow())
