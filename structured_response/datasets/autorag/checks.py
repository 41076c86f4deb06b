"""Checks a question set together with its corpus."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...errors import DatasetError
from ...findings import Fault
from ..tables import Rows, Source, rows_of
from .records import QA, Flat, Passage, normalize_retrieval_gt
from .sets import Checked, checked_rows, column_faults, is_blank

__all__ = ["validate", "validate_corpus", "validate_qa"]

Watch = Callable[[int], None]


def validate(qa: Source, corpus: Source, flat: Flat = "and", watch: Watch | None = None) -> list[Fault]:
    """Returns every fault of a question set and its corpus.

    Faults are missing columns, wrong types, ground truth that is not a list of groups, invalid dates, duplicate ids,
    and ids of passages that are not in the corpus.

    Each argument is the path of a Parquet file, a `pyarrow.Table`, a `pandas.DataFrame`, or a list of records or dicts.
    Rows are counted from 0. Memory is that of a batch of rows, the faults, and the ids. `watch` is called with the
    number of rows of the corpus read so far. Raises `DatasetError` for a file that cannot be read.
    """
    faults, known = _corpus(rows_of(corpus, "corpus", watch))
    return faults + _qa(rows_of(qa, "qa"), flat, known)


def validate_corpus(corpus: Source, watch: Watch | None = None) -> list[Fault]:
    """Returns every fault of a corpus alone."""
    return _corpus(rows_of(corpus, "corpus", watch))[0]


def validate_qa(qa: Source, flat: Flat = "and", watch: Watch | None = None) -> list[Fault]:
    """Returns every fault of a question set alone."""
    return _qa(rows_of(qa, "qa", watch), flat, None)


def _corpus(table: Rows) -> tuple[list[Fault], dict[str, bool]]:
    """Returns the faults, and the ids of all passages with whether the passage has content."""
    faults = column_faults(Passage, table)
    seen: dict[str, int] = {}
    known: dict[str, bool] = {}
    for checked in checked_rows(Passage, table, {}):
        faults += checked.faults
        faults += _repeated(table, checked, "doc_id", seen)
        name, contents = checked.row.get("doc_id"), checked.row.get("contents")
        if isinstance(name, str):
            known[name] = known.get(name, False) or not isinstance(contents, str) or not is_blank(contents)
    return faults, known


def _qa(table: Rows, flat: Flat, known: dict[str, bool] | None) -> list[Fault]:
    faults = column_faults(QA, table)
    seen: dict[str, int] = {}
    for checked in checked_rows(QA, table, {"flat": flat}):
        faults += checked.faults
        faults += _repeated(table, checked, "qid", seen)
        if known is not None:
            faults += _unknown(table, checked, flat, known)
    return faults


def _repeated(table: Rows, checked: Checked, column: str, seen: dict[str, int]) -> list[Fault]:
    name: Any = checked.row.get(column)
    if not isinstance(name, str) or seen.setdefault(name, checked.number) == checked.number:
        return []
    message = f"{name!r} stands in row {seen[name]} already"
    return [Fault(message, table.name, row=checked.number, path=f"$.{column}")]


_LACKING = {
    None: "the corpus has no passage {!r}",
    False: "passage {!r} of the corpus is blank, so it is left out",
}


def _unknown(table: Rows, checked: Checked, flat: Flat, known: dict[str, bool]) -> list[Fault]:
    """Returns the ids in a row's ground truth that are not in the corpus, whatever other faults the row has."""
    try:
        groups = normalize_retrieval_gt(checked.row.get("retrieval_gt"), flat)
    except DatasetError:
        return []  # reported already
    return [
        Fault(_LACKING[known.get(name)].format(name), table.name, row=checked.number, path=f"$.retrieval_gt[{g}][{i}]")
        for g, group in enumerate(groups)
        for i, name in enumerate(group)
        if not known.get(name)
    ]
