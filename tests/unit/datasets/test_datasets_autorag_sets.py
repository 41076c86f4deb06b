"""Questions and passages from and to Parquet, Arrow and pandas."""

from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structured_response import DatasetError
from structured_response.datasets.autorag import (
    QA,
    Corpus,
    Passage,
    QASet,
    read_corpus,
    read_qa,
    validate,
    write_corpus,
    write_qa,
)
from tests.datasets import MOMENTS, TEXTS

ROW: dict[str, Any] = {"qid": "q", "query": "?", "retrieval_gt": [["a"]], "generation_gt": ["yes"]}
PASSAGE: dict[str, Any] = {"doc_id": "a", "contents": "text", "metadata": {}}


def parquet(folder: Path, rows: list[dict[str, Any]], name: str = "qa.parquet") -> Path:
    """A Parquet file of rows."""
    pq.write_table(pa.Table.from_pylist(rows), folder / name)
    return folder / name


QAS = st.builds(
    QA,
    qid=TEXTS,
    query=TEXTS,
    retrieval_gt=st.lists(st.lists(TEXTS, min_size=1, max_size=2), min_size=1, max_size=2),
    generation_gt=st.lists(TEXTS, max_size=2),
    level=st.integers(0, 9),
)
PASSAGES = st.builds(
    Passage,
    doc_id=TEXTS,
    contents=TEXTS.filter(str.strip),
    metadata=st.fixed_dictionaries({"last_modified_datetime": MOMENTS, "page": st.integers(0, 9)}),
    path=st.none() | TEXTS,
    start_end_idx=st.none() | st.tuples(st.integers(0, 99), st.integers(0, 99)),
)


@settings(max_examples=50)
@given(records=st.lists(QAS, min_size=1, max_size=4))
def test_questions_come_back(records: list[QA], tmp_path_factory: pytest.TempPathFactory) -> None:
    """Questions are the same behind Arrow, pandas, Arrow's pandas with its nested arrays, and Parquet."""
    records = QASet(records)
    path = tmp_path_factory.getbasetemp() / "qa.parquet"
    write_qa(path, records)
    assert QASet.from_arrow(records.to_arrow()) == records
    assert QASet.from_pandas(records.to_pandas()) == records
    assert QASet.from_pandas(records.to_arrow().to_pandas()) == records
    assert read_qa(path) == records


@settings(max_examples=50)
@given(records=st.lists(PASSAGES, min_size=1, max_size=4))
def test_passages_come_back(records: list[Passage], tmp_path_factory: pytest.TempPathFactory) -> None:
    """Passages are the same behind all of them too, metadata and spans included."""
    records = Corpus(records)
    path = tmp_path_factory.getbasetemp() / "corpus.parquet"
    write_corpus(path, records)
    assert Corpus.from_arrow(records.to_arrow()) == records
    assert Corpus.from_pandas(records.to_pandas()) == records
    assert Corpus.from_pandas(records.to_arrow().to_pandas()) == records
    assert read_corpus(path) == records


def test_types_of_columns() -> None:
    """The columns have the types that AutoRAG expects, also where there is no value to tell them."""
    text = pa.string()
    schema = QASet().to_arrow().schema
    assert {field.name: field.type for field in schema} == {
        "qid": text,
        "query": text,
        "retrieval_gt": pa.list_(pa.list_(text)),
        "generation_gt": pa.list_(text),
    }
    corpus = Corpus([Passage(**PASSAGE)]).to_arrow().schema
    assert corpus.names == ["doc_id", "contents", "metadata"]
    assert corpus.field("metadata").type == pa.struct(
        [("last_modified_datetime", pa.timestamp("us")), ("prev_id", text), ("next_id", text)]
    )
    assert list(QASet().to_pandas().columns) == schema.names


def test_flat_lists(tmp_path: Path) -> None:
    """A flat column of ids is read as told."""
    path = parquet(tmp_path, [{**ROW, "retrieval_gt": ["a", "b"]}])
    assert read_qa(path)[0].retrieval_gt == [["a"], ["b"]]
    assert read_qa(path, flat="or")[0].retrieval_gt == [["a", "b"]]


def test_a_frame_is_not_changed() -> None:
    """Casting leaves the frame alone and does not care for its index."""
    frame = pd.DataFrame([{**ROW, "retrieval_gt": "a"}, {**ROW, "qid": "r", "note": 1.5}], index=[7, 7])
    before = frame.copy(deep=True)
    found = QASet.from_pandas(frame)
    pd.testing.assert_frame_equal(frame, before)
    assert [(each.qid, each.retrieval_gt, each.model_extra) for each in found] == [
        ("q", [["a"]], {"note": None}),
        ("r", [["a"]], {"note": 1.5}),
    ]
    assert list(found.to_pandas().index) == [0, 1]


def test_blank_passages_are_dropped(tmp_path: Path) -> None:
    """Passages that are empty or white space are left out, and counted."""
    rows = [{**PASSAGE, "contents": contents, "metadata": {"page": 1}} for contents in ("", " \n\u2003", "text")]
    corpus = read_corpus(parquet(tmp_path, rows))
    assert ([each.contents for each in corpus], corpus.dropped) == (["text"], 2)


def test_nfc() -> None:
    """Texts are normalised on request, ids never."""
    decomposed, composed = "e\u0301", "\u00e9"
    passages = pd.DataFrame([{"doc_id": decomposed, "contents": decomposed, "metadata": {}}])
    assert Corpus.from_pandas(passages)[0].contents == decomposed
    corpus = Corpus.from_pandas(passages, nfc=True)[0]
    assert (corpus.doc_id, corpus.contents) == (decomposed, composed)
    questions = pd.DataFrame([dict.fromkeys(ROW, decomposed)])
    assert QASet.from_pandas(questions, nfc=True)[0].model_dump() == {
        "qid": decomposed,
        "query": composed,
        "retrieval_gt": [[decomposed]],
        "generation_gt": [composed],
    }


def test_all_faults_of_a_file(tmp_path: Path) -> None:
    """An error lists every fault with row and column, and holds the rows that are right."""
    rows = [ROW, {**ROW, "query": None}, {**ROW, "retrieval_gt": []}, {**ROW, "qid": "r"}]
    path = parquet(tmp_path, rows)
    with pytest.raises(DatasetError) as caught:
        read_qa(path)
    assert [str(fault).removeprefix(f"{path}: ") for fault in caught.value.faults] == [
        "row 1: $.query: input should be a valid string; found None",
        "row 2: $.retrieval_gt: list should have at least 1 item after validation, not 0; found []",
    ]
    assert [each.qid for each in caught.value.records] == ["q", "r"]


def test_missing_columns(tmp_path: Path) -> None:
    """A column that is missing is told once, not for every row."""
    path = parquet(tmp_path, [{"qid": "q", "retrieval_gt": "a"}, {"qid": "r", "retrieval_gt": "a"}])
    with pytest.raises(DatasetError) as caught:
        read_qa(path)
    assert [str(fault).removeprefix(f"{path}: ") for fault in caught.value.faults] == [
        "$.query: this column is missing",
        "$.generation_gt: this column is missing",
    ]


def test_a_column_twice() -> None:
    """Of two columns of one name only one could be read, so neither is."""
    table = pa.table([["q"], ["r"], ["?"], ["a"], ["yes"]], names=["qid", *ROW])
    with pytest.raises(DatasetError, match=r"qa: \$\.qid: this column occurs twice"):
        QASet.from_arrow(table)


def test_dates_of_both_kinds(tmp_path: Path) -> None:
    """Dates with a zone and without are not written into one column, which would make them all UTC."""
    dates = ({"last_modified_datetime": f"2024-01-01T00:00:00{zone}"} for zone in ("", "+02:00"))
    with pytest.raises(DatasetError, match="has a time zone in some passages and none in others"):
        write_corpus(tmp_path / "corpus.parquet", [Passage(doc_id="a", contents="b", metadata=date) for date in dates])


BAD_FILES = {
    "nothing": (None, "cannot be read: No such file or directory"),
    "no Parquet": (b"qid,query\n1,2\n" * 9, "is not a Parquet file: Parquet magic bytes not found in footer"),
    "empty": (b"", "is not a Parquet file: Parquet file size is 0 bytes"),
}


@pytest.mark.parametrize(("content", "error"), BAD_FILES.values(), ids=BAD_FILES)
def test_bad_files(content: bytes | None, error: str, tmp_path: Path) -> None:
    """A path that does not exist, and a file that is not Parquet, are errors of one line."""
    path = tmp_path / "qa.parquet"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(DatasetError) as caught:
        read_qa(path)
    assert str(caught.value).startswith(f"{path}: {error}")
    assert "\n" not in str(caught.value)


def test_a_file_that_breaks_off(tmp_path: Path) -> None:
    """Of a file with a damaged page the rows before it are in the error."""
    path = tmp_path / "qa.parquet"
    rows = [{**ROW, "qid": str(number)} for number in range(50_000)]
    pq.write_table(pa.Table.from_pylist(rows), path, row_group_size=10_000, use_dictionary=False, compression="gzip")
    content = bytearray(path.read_bytes())
    offset = pq.ParquetFile(path).metadata.row_group(3).column(0).data_page_offset
    content[offset : offset + 2000] = b"\xff" * 2000
    path.write_bytes(content)
    with pytest.raises(DatasetError, match="cannot be read on: ") as caught:
        read_qa(path)
    good = caught.value.records
    assert [each.qid for each in good] == [str(number) for number in range(len(good))]
    assert 16_000 < len(good) <= 30_000


def test_columns_without_a_common_type(tmp_path: Path) -> None:
    """What Arrow cannot hold is told by column; the old file stays."""
    path = parquet(tmp_path, [ROW])
    with pytest.raises(DatasetError, match=r"\$\.level: no common type"):
        write_qa(path, [QA.model_validate({**ROW, "level": level}) for level in (1, "two")])
    assert [each.model_dump() for each in read_qa(path)] == [ROW]


def test_write_into_nothing(tmp_path: Path) -> None:
    """A folder that is not there is told by the file's name."""
    with pytest.raises(DatasetError, match=r"none/qa\.parquet: cannot be written: No such file or directory"):
        write_qa(tmp_path / "none" / "qa.parquet", [QA(**ROW)])


def test_sample(shared: Path, tmp_path: Path) -> None:
    """Real files are read, have no faults, and come back when they are written."""
    folder = shared / "data" / "autorag"
    qa = read_qa(folder / "qa_data_sample.parquet")
    corpus = read_corpus(folder / "corpus_data_sample.parquet")
    assert (len(qa), len(corpus), corpus.dropped) == (10, 30, 0)
    assert validate(folder / "qa_data_sample.parquet", folder / "corpus_data_sample.parquet") == []
    assert validate(qa, corpus) == []
    write_qa(tmp_path / "qa.parquet", qa)
    write_corpus(tmp_path / "corpus.parquet", corpus)
    assert (read_qa(tmp_path / "qa.parquet"), read_corpus(tmp_path / "corpus.parquet")) == (qa, corpus)
