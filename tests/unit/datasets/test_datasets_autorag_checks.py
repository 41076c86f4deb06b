"""All faults of a question set and its corpus together."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from structured_response import DatasetError
from structured_response.datasets.autorag import QA, Passage, validate, validate_corpus, validate_qa

QUESTIONS: list[dict[str, Any]] = [
    {"qid": "q", "query": "?", "retrieval_gt": [["a", "gone"], ["blank"]], "generation_gt": ["yes"]},
    {"qid": "q", "query": None, "retrieval_gt": [["lost"]], "generation_gt": ["yes"]},
    {"qid": "r", "query": "?", "retrieval_gt": [[]], "generation_gt": ["yes"]},
]
PASSAGES: list[dict[str, Any]] = [
    {"doc_id": "a", "contents": "text", "metadata": {"last_modified_datetime": "2024-01-01"}},
    {"doc_id": "blank", "contents": " ", "metadata": {"last_modified_datetime": "2024-01-01"}},
    {"doc_id": "a", "contents": "text", "metadata": {"last_modified_datetime": "yesterday"}},
    {"doc_id": None, "contents": "text", "metadata": {"last_modified_datetime": "2024-01-01"}},
]
FAULTS = [
    "corpus: row 2: $.metadata: last_modified_datetime is not a date: 'yesterday'",
    "corpus: row 2: $.doc_id: 'a' is already in row 0",
    "corpus: row 3: $.doc_id: input should be a valid string; found None",
    "qa: row 0: $.retrieval_gt[0][1]: the corpus has no passage 'gone'",
    "qa: row 0: $.retrieval_gt[1][0]: passage 'blank' of the corpus is blank, so it is left out",
    "qa: row 1: $.query: input should be a valid string; found None",
    "qa: row 1: $.qid: 'q' is already in row 0",
    "qa: row 1: $.retrieval_gt[0][0]: the corpus has no passage 'lost'",
    "qa: row 2: $.retrieval_gt[0]: list should have at least 1 item after validation, not 0; found []",
]


def parquet(folder: Path, rows: list[dict[str, Any]], name: str) -> Path:
    """A Parquet file of rows."""
    pq.write_table(pa.Table.from_pylist(rows), folder / name)
    return folder / name


def lines(folder: Path, rows: list[dict[str, Any]], name: str) -> Path:
    """The rows as JSON Lines."""
    path = folder / f"{name}.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return path


SOURCES: dict[str, Callable[[Path, list[dict[str, Any]], str], Any]] = {
    "files": parquet,
    "JSON Lines": lines,
    "Arrow tables": lambda folder, rows, name: pa.Table.from_pylist(rows),
    "frames": lambda folder, rows, name: pd.DataFrame(rows),
    "frames from Arrow": lambda folder, rows, name: pa.Table.from_pylist(rows).to_pandas(),
    "dicts": lambda folder, rows, name: rows,
}


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
def test_all_faults(source: Callable[[Path, list[dict[str, Any]], str], Any], tmp_path: Path) -> None:
    """All faults of both come in one list, with rows and columns, wherever the tables come from."""
    qa, corpus = source(tmp_path, QUESTIONS, "qa"), source(tmp_path, PASSAGES, "corpus")
    found = [str(fault) for fault in validate(qa, corpus)]
    for name, path in (("qa", qa), ("corpus", corpus)):
        found = [fault.replace(f"{path}: ", f"{name}: ") if isinstance(path, Path) else fault for fault in found]
    assert found == FAULTS


def test_records() -> None:
    """Records are checked too: they may have been changed, or made without checks."""
    question = QA(qid="q", query="?", retrieval_gt=[["a"]], generation_gt=["yes"])
    passage = Passage(doc_id="a", contents="text", metadata={})
    assert validate([question], [passage]) == []
    question.query = 5  # type: ignore[assignment]
    passage.metadata["last_modified_datetime"] = "never"
    assert [fault.path for fault in validate([question], [passage])] == ["$.metadata", "$.query"]


def test_missing_columns() -> None:
    """Missing columns are told once; what is there is checked all the same."""
    faults = validate(pd.DataFrame({"qid": ["q", "q"]}), pd.DataFrame({"doc_id": ["a"], "contents": [5]}))
    assert [str(fault) for fault in faults] == [
        "corpus: $.metadata: this column is missing",
        "corpus: row 0: $.contents: input should be a valid string; found 5",
        "qa: $.query: this column is missing",
        "qa: $.retrieval_gt: this column is missing",
        "qa: $.generation_gt: this column is missing",
        "qa: row 1: $.qid: 'q' is already in row 0",
    ]


def test_flat_lists() -> None:
    """A flat list is looked up as it is read: its ids are the same either way."""
    question = {**QUESTIONS[0], "retrieval_gt": ["a", "b"]}
    assert [fault.path for fault in validate([question], PASSAGES[:1])] == ["$.retrieval_gt[1][0]"]
    assert [fault.path for fault in validate([question], PASSAGES[:1], flat="or")] == ["$.retrieval_gt[0][1]"]


def test_each_by_itself() -> None:
    """Questions and corpus can be checked alone; ids are not looked up then."""
    assert [str(fault) for fault in validate_corpus(PASSAGES)] == FAULTS[:3]
    assert [str(fault) for fault in validate_qa(QUESTIONS)] == [FAULTS[5], FAULTS[6], FAULTS[8]]


def test_what_is_no_table() -> None:
    """A number, or a list of numbers, is the caller's fault."""
    with pytest.raises(TypeError, match=r"a table is a path, .* not builtins\.int"):
        validate_qa(5)
    with pytest.raises(TypeError, match="a row is a record or a dict, not int"):
        validate_qa([5])


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    """Without its files nothing can be checked."""
    with pytest.raises(DatasetError, match="No such file"):
        validate(tmp_path / "qa.parquet", [])


def test_watch(tmp_path: Path) -> None:
    """Whoever watches is told of the rows that are done."""
    seen: list[int] = []
    rows = [{"doc_id": str(number), "contents": "text", "metadata": {"page": 1}} for number in range(20_000)]
    assert validate_corpus(parquet(tmp_path, rows, "corpus.parquet"), seen.append) == []
    assert (seen == sorted(seen), len(seen) > 1, seen[-1]) == (True, True, 20_000)
