"""Records of any model from JSON Lines and Parquet, and every dataset's records as responses."""

import gzip
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pydantic import BaseModel, ConfigDict, Field

from structured_response import DatasetError, StructuredResponse
from structured_response.datasets import autorag, localrqa, oasst, read_records, scan_records, write_records
from tests.datasets import save, small_tree


class Part(BaseModel):
    label: str
    weights: list[float] = []


class Thing(BaseModel):
    name: str = Field(min_length=1)
    made: date
    parts: list[Part] = []
    price: Decimal | None = None


class Strict(BaseModel):
    model_config = ConfigDict(strict=True)

    made: date
    tags: tuple[str, ...]


THINGS = [
    Thing(name="a", made=date(2024, 1, 2), parts=[Part(label="x", weights=[0.5, 1])], price=Decimal("1.50")),
    Thing(name="b", made=date(2024, 1, 3)),
]


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz", "a.jsonl.zst", "a.parquet"])
def test_records_come_back(name: str, tmp_path: Path) -> None:
    """Records of a model are read from every form as they were written."""
    assert write_records(tmp_path / name, iter(THINGS)) == 2
    assert list(read_records(tmp_path / name, Thing)) == THINGS


def test_strict_models_read_json(tmp_path: Path) -> None:
    """A strict model takes from JSON what JSON has no type for."""
    path = save(tmp_path, "a.jsonl", '{"made": "2024-01-02", "tags": ["a"]}')
    assert next(read_records(path, Strict)).tags == ("a",)


@pytest.mark.parametrize("name", ["a.jsonl", "a.parquet"])
def test_bad_records(name: str, tmp_path: Path) -> None:
    """A bad record in the middle is told with line or row and field, behind the good ones; a scan goes on."""
    path = tmp_path / name
    bad = Thing.model_construct(name="", made=date(2024, 1, 2), parts=[], price=None)
    write_records(path, [THINGS[1], bad, THINGS[1]])
    records = read_records(path, Thing)
    assert next(records) == THINGS[1]
    with pytest.raises(DatasetError) as caught:
        next(records)
    (fault,) = caught.value.faults
    assert (fault.path, fault.line, fault.row) == ("$.name", *((None, 1) if name.endswith("parquet") else (2, None)))
    assert [len(line.faults) for line in scan_records(path, Thing)] == [0, 1, 0]


BAD_LINES = {
    "no JSON": (b'{"name": ', "a.jsonl:1: is not JSON: EOF while parsing a value, at byte 8"),
    "not UTF-8": (b'{"name": "\xe9"}', "a.jsonl:1: is not UTF-8: byte 0xe9 at byte 11 of the line"),
    "no object": (b"5", "a.jsonl:1: input should be an object; found 5"),
    "a deep fault": (
        b'{"name": "a", "made": "2024-01-02", "parts": [{"label": "x"}, {"label": "x", "weights": [1, []]}]}',
        "a.jsonl:1: $.parts[1].weights[1]: input should be a valid number; found []",
    ),
}


@pytest.mark.parametrize(("line", "error"), BAD_LINES.values(), ids=BAD_LINES)
def test_bad_lines(line: bytes, error: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is wrong with a line is told at its place."""
    monkeypatch.chdir(tmp_path)
    Path("a.jsonl").write_bytes(line)
    with pytest.raises(DatasetError) as caught:
        list(read_records("a.jsonl", Thing))
    assert str(caught.value) == error


def test_a_file_that_breaks_off(tmp_path: Path) -> None:
    """The records before the break are given."""
    lines = "".join(thing.model_dump_json() + "\n" for thing in THINGS * 5_000)
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress(lines.encode())[:-9])
    got: list[Thing] = []
    with pytest.raises(DatasetError, match=r"a\.jsonl\.gz:\d+: the compressed data breaks off here"):
        got.extend(read_records(tmp_path / "a.jsonl.gz", Thing))
    assert len(got) > 9_000


def test_nothing_written(tmp_path: Path) -> None:
    """A file of no records is read as none."""
    for name in ("a.jsonl", "a.jsonl.gz", "a.parquet"):
        assert write_records(tmp_path / name, []) == 0
        assert list(read_records(tmp_path / name, Thing)) == []


class Mapped(BaseModel):
    counts: dict[str, int] = {}
    by_number: dict[int, list[dict[str, float]]] = {}
    things: dict[str, Thing] | None = None
    nulls: dict[str, int | None] = {}
    anything: dict[str, Any] = {}
    more: list["Mapped"] = []


MAPPED: dict[str, list[Mapped]] = {
    "other keys in each": [Mapped(counts={"a": 1}), Mapped(counts={"b": 2, "c": 3}), Mapped()],
    "nothing in any": [Mapped(), Mapped()],
    "keys that are numbers": [Mapped(by_number={1: [{"a": 0.5}, {}], 2: []}), Mapped(by_number={3: [{"b": 1.0}]})],
    "objects in maps": [Mapped(things={"x": THINGS[0]}), Mapped(things={"y": THINGS[1]}), Mapped(things={})],
    "nulls": [Mapped(nulls={"a": None, "b": 1}), Mapped(nulls={"c": None})],
    "nulls only": [Mapped(nulls={"a": None})],
    "values of one type": [Mapped(anything={"a": 1}), Mapped(anything={"b": 2})],
    "maps further down": [Mapped(more=[Mapped(counts={"a": 1}), Mapped(more=[Mapped(counts={"b": 2})])])],
}


@pytest.mark.parametrize("records", MAPPED.values(), ids=MAPPED)
@pytest.mark.parametrize("name", ["a.jsonl", "a.parquet"])
def test_maps_come_back(name: str, records: list[Mapped], tmp_path: Path) -> None:
    """Each record has the keys that it had, and none of the others'."""
    write_records(tmp_path / name, records)
    assert list(read_records(tmp_path / name, Mapped)) == records


def test_values_without_a_common_type(tmp_path: Path) -> None:
    """Are written as the fields of a struct, which has a null for whatever a row has not."""
    write_records(tmp_path / "a.parquet", [Mapped(anything={"a": 1, "b": "x"}), Mapped(anything={"c": [1]})])
    first, second = read_records(tmp_path / "a.parquet", Mapped)
    assert first.anything == {"a": 1, "b": "x", "c": None}
    assert second.anything == {"a": None, "b": None, "c": [1]}


@pytest.mark.parametrize(
    ("kind", "given"),
    [
        (pa.struct([("a", pa.int64()), ("b", pa.int64())]), [{"a": 1}, {"b": 2}, None]),
        (pa.map_(pa.string(), pa.int64()), [[("a", 1)], [("b", 2)], None]),
    ],
    ids=["struct", "map"],
)
def test_maps_of_others(kind: Any, given: list[Any], tmp_path: Path) -> None:
    """Frames of dicts are written as structs, maps of Spark as maps."""

    class Counted(BaseModel):
        counts: dict[str, int] | None

    pq.write_table(pa.table({"counts": pa.array(given, kind)}), tmp_path / "a.parquet")
    read = [record.counts for record in read_records(tmp_path / "a.parquet", Counted)]
    assert read == [{"a": 1}, {"b": 2}, None]


@pytest.mark.parametrize(
    "write", [oasst.write_messages, oasst.write_message_trees, oasst.write_threads, localrqa.write_examples]
)
def test_json_lines_are_not_called_parquet(write: Any, tmp_path: Path) -> None:
    """A name that says another format than what would be written is an error."""
    with pytest.raises(DatasetError, match="is named as Parquet"):
        write(tmp_path / "a.parquet", [])
    assert not list(tmp_path.iterdir())


MOMENT = datetime(2024, 1, 13, 14, 3, tzinfo=UTC)
RECORDS: dict[str, BaseModel] = {
    "a tree": small_tree(),
    "a message": next(oasst.flatten_tree(small_tree())),
    "a thread": next(oasst.iter_threads(small_tree())),
    "events": oasst.ExportMessageNode.model_validate(
        {
            "message_id": "a",
            "text": "<b>A & B</b>\n    indented",
            "role": "assistant",
            "created_date": MOMENT,
            "labels": {"spam": {"value": 0.5, "count": 3}},
            "events": {"score": [{"type": "score", "score": -1}], "later": [{"type": "later"}]},
        }
    ),
    "a preference": next(iter(oasst.to_preferences(small_tree()))),
    "a question": autorag.QA(qid="q", query="?", retrieval_gt=[["a", "b"], ["c"]], generation_gt=["yes"]),
    "a passage": autorag.Passage(doc_id="a", contents="text", metadata={"last_modified_datetime": MOMENT}, path="p"),
    "a document": localrqa.Document(page_content="p", metadata={"source": "s"}),
    "an example": localrqa.Example(
        question="?",
        gold_answer="!",
        gold_docs=[localrqa.Document(page_content="p")],
        chat_history=[localrqa.DialogueTurn(speaker="USER", message="hi")],
    ),
    "a retriever's example": localrqa.RetrieverExample(questions=["?"], gold_docs=[]),
    "a dialogue": localrqa.DialogueSession.from_list([{"speaker": "USER", "message": "hi"}]),
}


@pytest.mark.parametrize("record", RECORDS.values(), ids=RECORDS)
def test_records_as_responses(record: BaseModel) -> None:
    """Every record can be asked for, is an example as text, is filled by that text, and goes through a cache."""
    kind: type[Any] = type(record)
    example = StructuredResponse.from_basemodel(record)
    assert StructuredResponse.from_basemodel(kind).to_prompt().startswith("<")
    read = StructuredResponse.from_basemodel(kind).parse(str(example))
    assert (read.instance, read.repairs) == (example.instance, [])
    again = StructuredResponse.deserialize(example.serialize(), model=kind)
    assert _plain(again.to_basemodel()) == _plain(read.to_basemodel()) == _plain(record)


def _plain(record: BaseModel) -> Any:
    return record.model_dump(mode="json")
