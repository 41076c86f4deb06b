"""Tables from everything that holds rows, and what happens where the packages for them are missing."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from structured_response import DatasetError
from structured_response.datasets.records import arrow_table, rows_of, size_of
from tests.datasets import save

ROWS: list[dict[str, Any]] = [{"a": 1, "b": [["x"], []], "c": {"d": 0.5}}, {"a": 2, "b": [], "c": {"d": None}}]


class Frame(pd.DataFrame):  # type: ignore[misc]  # pandas brings no types
    """A frame of one's own."""


def parquet(folder: Path) -> Path:
    """The rows in a Parquet file."""
    pq.write_table(pa.Table.from_pylist(ROWS), folder / "a.parquet")
    return folder / "a.parquet"


SOURCES: dict[str, Callable[[Path], Any]] = {
    "Parquet": parquet,
    "Parquet by its path as text": lambda folder: str(parquet(folder)),
    "JSON Lines": lambda folder: save(folder, "a.jsonl", *map(json.dumps, ROWS)),
    "an Arrow table": lambda folder: pa.Table.from_pylist(ROWS),
    "a frame": lambda folder: pd.DataFrame(ROWS, index=[7, 7]),
    "a frame of one's own": lambda folder: Frame(ROWS),
    "a frame of Arrow's arrays": lambda folder: pa.Table.from_pylist(ROWS).to_pandas(),
    "a generator": lambda folder: (dict(row) for row in ROWS),
}


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
def test_rows(source: Callable[[Path], Any], tmp_path: Path) -> None:
    """Rows are dicts of plain data, whatever they come from."""
    rows = list(rows_of(source(tmp_path)).rows)
    assert rows == ROWS
    assert {type(row["a"]) for row in rows} == {int}
    assert type(rows[0]["b"][0]) is list


def test_missing_values_of_a_frame() -> None:
    """Whatever pandas has for nothing is None."""
    frame = pd.DataFrame({"a": [1.5, float("nan")], "b": pd.array([1, None], dtype="Int64"), "c": [pd.NaT, "x"]})
    assert list(rows_of(frame).rows) == [{"a": 1.5, "b": 1, "c": None}, {"a": None, "b": None, "c": "x"}]


def test_bad_lines(tmp_path: Path) -> None:
    """A line that is no row is told with file and line, behind those before it."""
    rows = rows_of(save(tmp_path, "a.jsonl", "{}", "5")).rows
    assert next(rows) == {}
    with pytest.raises(DatasetError, match=r"a\.jsonl:2: input should be an object; found 5"):
        next(rows)


def test_count(tmp_path: Path) -> None:
    """A Parquet file says how many rows it has."""
    assert size_of(parquet(tmp_path)) == 2


def test_columns() -> None:
    """Columns come in the order of the types that were asked for, then as they are found."""
    table = arrow_table([{"c": 1, "b": "x"}, {"d": None, "b": None}], {"a": pa.int64(), "b": pa.string()})
    assert table.column_names == ["a", "b", "c", "d"]
    assert table.to_pylist() == [{"a": None, "b": "x", "c": 1, "d": None}, {"a": None, "b": None, "c": None, "d": None}]


FULL_DISK = """
import os, resource, sys
from structured_response import DatasetError
from structured_response.datasets import autorag
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
text = os.urandom(500_000).hex()
try:
    autorag.write_corpus(sys.argv[1], [autorag.Passage(doc_id="a", contents=text, metadata={})])
except DatasetError as error:
    print(error)
"""


def test_disk_that_fills(tmp_path: Path) -> None:
    """Where the system takes no more of a table, what stood there before stays, and nothing else is left."""
    path = parquet(tmp_path)
    old = path.read_bytes()
    ran = subprocess.run([sys.executable, "-c", FULL_DISK, path], capture_output=True, text=True, check=True)
    assert ran.stdout.startswith(f"{path}: cannot be written: ")
    assert "File too large" in ran.stdout
    assert {each.name: each.read_bytes() for each in tmp_path.iterdir()} == {path.name: old}


BARE = """
import sys
for name in ("pyarrow", "pandas", "numpy", "faiss", "rich", "backports", "compression.zstd"):
    sys.modules[name] = None
from structured_response import MissingExtraError
from structured_response.datasets import autorag, localrqa, oasst
folder = sys.argv[1]
oasst.write_messages(f"{folder}/a.jsonl.gz", [oasst.ExportMessageNode(message_id="a", text="", role="prompter")])
print(len(oasst.read_message_list(f"{folder}/a.jsonl.gz")))
passage = autorag.Passage(doc_id="a", contents="b", metadata={})
for use in (
    lambda: autorag.read_qa(f"{folder}/qa.parquet"),
    lambda: autorag.make_qa([passage], print, f"{folder}/qa.parquet"),
    lambda: localrqa.VectorIndex.build([], len, f"{folder}/index"),
    lambda: oasst.write_messages(f"{folder}/a.jsonl.zst", []),
):
    try:
        use()
    except MissingExtraError as error:
        print(error)
"""


def test_without_the_extra(tmp_path: Path) -> None:
    """Open-Assistant's files need no further package; what needs one names the command that installs it."""
    ran = subprocess.run([sys.executable, "-c", BARE, tmp_path], capture_output=True, text=True, check=True)
    lines = ran.stdout.splitlines()
    assert lines[0] == "1"
    install = 'is not installed; install it with: pip install "structured-response-py[datasets]"'
    packages = ["pyarrow", "pyarrow", "faiss-cpu", "backports.zstd"]
    assert (lines[1:], ran.stderr) == ([f"{package} {install}" for package in packages], "")
    assert [each.name for each in tmp_path.iterdir()] == ["a.jsonl.gz"]
