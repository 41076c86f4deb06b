"""LocalRQA's files: strict JSON and its documentation's lines, and databases in every form."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structured_response import DatasetError
from structured_response.datasets.localrqa import (
    MAX_LITERAL,
    Document,
    Example,
    RetrieverExample,
    read_documents,
    read_examples,
    scan_examples,
    validate,
    write_documents,
    write_examples,
)
from tests.datasets import JSON, TEXTS, save

DOCUMENT: dict[str, Any] = {"page_content": "p", "fmt_content": "f", "metadata": {"title": "t"}}
EXAMPLE: dict[str, Any] = {"question": "q?", "gold_docs": [DOCUMENT], "gold_answer": "a"}

LINES: dict[str, tuple[str, dict[str, Any]]] = {
    "JSON": (json.dumps(EXAMPLE), EXAMPLE),
    "a Python literal": (repr({**EXAMPLE, "gold_answer": 'it\'s "so"', "x": (1, None)}), {"gold_answer": 'it\'s "so"'}),
    "the documentation's line": (
        "{'chat_history': [], 'question': 'xxx?', 'gold_docs': [...], 'gold_answer': 'xxx', 'hard_neg_docs': [...], }",
        {"chat_history": [], "question": "xxx?", "gold_docs": [], "gold_answer": "xxx", "hard_neg_docs": []},
    ),
    "metadata that was left out": (
        "{'question': '?', 'gold_answer': '', 'gold_docs': [{'page_content': 'p', 'metadata': {...}}]}",
        {"question": "?"},
    ),
    "a backslash that Python does not know": (repr(EXAMPLE).replace("q?", r"\d?"), {"question": r"\d?"}),
    "a retriever's": ('{"questions": ["q", "r"], "gold_docs": []}', {"questions": ["q", "r"]}),
}


@pytest.mark.parametrize(("line", "data"), LINES.values(), ids=LINES)
def test_lines(line: str, data: dict[str, Any], tmp_path: Path) -> None:
    """Lines are read as JSON or, as they stand in LocalRQA's documentation, as Python literals."""
    (example,) = read_examples(save(tmp_path, "a.jsonl", line))
    assert type(example) is (RetrieverExample if "questions" in data else Example)
    assert example.model_dump(include=set(data)) == data


BAD_LINES = {
    "no JSON": ("{'question': nope}", "is not JSON: key must be a string, at byte 2"),
    "code": ("__import__('os').abort()", "is not JSON: expected value, at byte 1"),
    "no object": ("['question']", "is not JSON: "),
    "deep": ("[" * 5_000, "is not JSON: "),
    "long and no JSON": ("{'a': '" + "x" * MAX_LITERAL + "'}", "is not JSON: "),
    "no question": ("{}", "3 faults"),
    "a bad document": (
        json.dumps({**EXAMPLE, "gold_docs": [{"page_content": 5}]}),
        r"\$\.gold_docs\[0\]\.page_content: ",
    ),
}


@pytest.mark.parametrize(("line", "error"), BAD_LINES.values(), ids=BAD_LINES)
def test_bad_lines(line: str, error: str, tmp_path: Path) -> None:
    """A line that is neither is told with file and line; the good ones before it are given. Nothing is run."""
    path = save(tmp_path, "a.jsonl", json.dumps(EXAMPLE), line)
    examples = read_examples(path)
    assert next(examples).model_dump(include={"question"}) == {"question": "q?"}
    with pytest.raises(DatasetError, match=error) as caught:
        next(examples)
    assert {(fault.file, fault.line) for fault in caught.value.faults} == {(str(path), 2)}
    assert [line.number for line in scan_examples(path) if line.faults] == [2]
    assert validate(path) == caught.value.faults


def test_examples_are_written_as_strict_json(tmp_path: Path) -> None:
    """What was a literal is JSON when it is written."""
    path = save(tmp_path, "a.jsonl", repr(EXAMPLE), '{"questions": ["q"], "gold_docs": []}')
    examples = list(read_examples(path))
    assert write_examples(tmp_path / "b.jsonl.gz", examples) == 2
    assert list(read_examples(tmp_path / "b.jsonl.gz")) == examples
    write_examples(path, examples)
    assert json.loads(path.read_text().splitlines()[0])["gold_docs"] == [DOCUMENT]


DOCUMENTS = st.builds(
    Document, page_content=TEXTS, fmt_content=TEXTS, metadata=st.dictionaries(TEXTS, JSON, max_size=3)
)


@settings(max_examples=50)
@given(documents=st.lists(DOCUMENTS, max_size=3))
def test_documents_come_back(documents: list[Document], tmp_path_factory: pytest.TempPathFactory) -> None:
    """Documents with metadata of any kind, each with keys of its own, come back from every form."""
    for name in ("d.jsonl", "d.jsonl.gz", "d.parquet"):
        path = tmp_path_factory.getbasetemp() / name
        assert write_documents(path, documents) == len(documents)
        assert read_documents(path) == documents


def test_tables_of_others(tmp_path: Path) -> None:
    """Metadata may be a struct, a map, or not there."""
    rows = [{"page_content": "p", "metadata": {"title": "t"}}, {"page_content": "q", "metadata": None}]
    mapped = pa.table(
        {"page_content": ["p"], "metadata": pa.array([[("title", "t")]], pa.map_(pa.string(), pa.string()))}
    )
    for table, count in ((pa.Table.from_pylist(rows), 2), (mapped, 1)):
        pq.write_table(table, tmp_path / "d.parquet")
        found = read_documents(tmp_path / "d.parquet")
        assert [each.fmt_content for each in found] == ["Title: t\nContent:\np", "Content:\nq"][:count]


def test_bad_documents(tmp_path: Path) -> None:
    """All faults of a database are told, with rows or lines; the documents that are right are in the error."""
    path = save(tmp_path, "d.jsonl", json.dumps(DOCUMENT), "{}", '{"page_content": 5}', json.dumps(DOCUMENT))
    with pytest.raises(DatasetError) as caught:
        read_documents(path)
    assert [(fault.line, fault.path) for fault in caught.value.faults] == [(2, "$.page_content"), (3, "$.page_content")]
    assert len(caught.value.records) == 2
    assert validate(path) == caught.value.faults
    pq.write_table(pa.table({"page_content": ["p", "q"], "metadata": ["{}", "{"]}), tmp_path / "d.parquet")
    with pytest.raises(DatasetError, match=r"d\.parquet: row 1: its metadata is not JSON: ") as caught:
        read_documents(tmp_path / "d.parquet")
    assert [each.page_content for each in caught.value.records] == ["p"]


def test_pickles_are_never_written(tmp_path: Path) -> None:
    """What would have to be unpickled elsewhere is refused."""
    with pytest.raises(DatasetError, match="is a pickle, which is never written"):
        write_documents(tmp_path / "documents.pkl", [])
    assert list(tmp_path.iterdir()) == []
