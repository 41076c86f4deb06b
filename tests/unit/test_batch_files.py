"""Files of replies to a folder of parts: every row once, whatever happens to the run and whatever is in a row."""

import json
import os
import threading
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pydantic import BaseModel, create_model, field_validator

from structured_response import BatchError, StructuredResponse
from structured_response.batch import BatchReport, parse_files
from structured_response.batch.folder import MANIFEST, read_manifest
from structured_response.findings import MAX_SHOWN


class Review(BaseModel):
    headline: str
    score: int


class Other(BaseModel):
    headline: str


class Angry(Review):
    """Its validator raises what no validator should."""

    @field_validator("score")
    @classmethod
    def check(cls, value: int) -> int:
        return 1 // (value - 2)


def reply(number: int) -> str:
    """Every seventh is wrong."""
    return f"<review><headline>No. {number}</headline><score>{number if number % 7 else 'many'}</score></review>"


def save(path: Path, count: int) -> Path:
    """A file of so many replies."""
    lines = ({"id": f"task-{number}", "reply": reply(number)} for number in range(count))
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


@pytest.fixture
def replies(tmp_path: Path) -> Path:
    """A file of forty replies, of which six are wrong: 0, 7, 14, 21, 28, 35."""
    return save(tmp_path / "replies.jsonl", 40)


def rows(folder: Path) -> list[dict[str, Any]]:
    """The rows of all parts, in order."""
    if any(folder.glob("*.parquet")):
        return list(pq.read_table(folder).to_pylist())
    return [json.loads(line) for part in sorted(folder.glob("*.jsonl")) for line in part.read_bytes().splitlines()]


@pytest.mark.parametrize(("parts", "processes"), [("parquet", 1), ("parquet", 2), ("jsonl", 1)])
def test_each_row_has_its_reply_and_its_data(replies: Path, tmp_path: Path, parts: Any, processes: int) -> None:
    """Parts of so many records, in the order of the input, with what came in and what was read."""

    class Review(BaseModel):  # is sent to the processes as a whole, where they would import this module
        headline: str
        score: int

    report = parse_files(replies, Review, tmp_path / "out", parts=parts, size=15, processes=processes)
    names = sorted(path.name for path in (tmp_path / "out").iterdir() if path.name[0] not in "._")
    assert names == [f"part-{number:05}.{parts}" for number in range(3)]
    found = rows(tmp_path / "out")
    assert [row["id"] for row in found] == [f"task-{number}" for number in range(40)]
    assert [row["reply"] for row in found] == list(map(reply, range(40)))
    assert found[3]["data"] == {"headline": "No. 3", "score": 3}
    assert (found[3]["status"], found[3]["sample"], found[3]["error"]) == ("ok", 0, None)
    assert found[7]["data"] == {"headline": "No. 7", "score": None}
    assert (found[7]["status"], found[7]["problems"][0]["path"]) == ("partial", "$.score")
    assert report.statuses == {"ok": 34, "partial": 6}
    assert report.problems == {("$.score", "invalid"): 6}
    assert report == BatchReport.of(tmp_path / "out")


def test_both_formats_have_the_same_rows(replies: Path, tmp_path: Path) -> None:
    """What Parquet holds as columns, JSON Lines hold as objects."""
    for parts in ("parquet", "jsonl"):
        parse_files(replies, Review, tmp_path / parts, parts=parts, size=15, processes=1)
    assert rows(tmp_path / "parquet") == rows(tmp_path / "jsonl")


BAD_LINES = (
    b'{"reply": 1}',
    b'{"reply": null}',
    b'{"reply": ""}',
    b"{",
    b"[]",
    b"1",
    b'"\xff"',
    b'{"reply": "\\ud800<review><headline>\\ud800</headline><score>1</score></review>", "id": "\\ud800"}',
    b'{"reply": "a", "sample": "x"}',
    b'{"reply": "a", "sample": 9999999999999}',
    b'{"reply": "a", "finish_reason": {}}',
    b'{"reply": "<review><headline>a</headline><score>99999999999999999999</score></review>"}',
    b'{"reply": "I cannot help with that."}',
    b'{"reply": "<review><headline>A"}',
    b'{"id": "a", "error": {"message": "overloaded"}}',
    b'{"choices": [{"message": {"content": 1}}]}',
    b"[" * 100_000,
    b'{"reply": "a", "sample": true}',
    b'{"choices": [{"index": true, "text": "a"}]}',
    b'{"error": ' * 1_015 + b'"x"' + b"}" * 1_015,
    b'{"error": {"a": ' + b"[" * 1_015 + b"]" * 1_015 + b"}}",
    b'{"reply": [["a"]]}',
)


@pytest.mark.parametrize("parts", ["parquet", "jsonl"])
def test_no_row_stops_the_run(tmp_path: Path, parts: Any) -> None:
    """A line that is not JSON, a record or a text, or a number that no column holds, is a row with its status."""
    (tmp_path / "bad.jsonl").write_bytes(b"\n".join([*BAD_LINES, json.dumps({"reply": reply(1)}).encode()]))
    report = parse_files(tmp_path / "bad.jsonl", Review, tmp_path / "out", parts=parts, processes=1)
    assert report.rows == len(rows(tmp_path / "out")) == len(BAD_LINES) + 1
    assert report.statuses == {
        "provider_error": 11,
        "invalid": 5,
        "empty": 2,
        "partial": 2,
        "refused": 1,
        "repaired": 1,
        "ok": 1,
    }


def test_bad_bytes_in_parquet_are_in_their_row(tmp_path: Path) -> None:
    """Bytes of a text that are not UTF-8 become U+FFFD, as in a column of a table."""
    texts = pa.array([reply(1).encode(), b"<review><headline>\xff</headline><score>2</score></review>"])
    pq.write_table(pa.table({"reply": pa.Array.from_buffers(pa.string(), 2, texts.buffers())}), tmp_path / "a.parquet")
    parse_files(tmp_path / "a.parquet", Review, tmp_path / "out", processes=1)
    assert [row["data"]["headline"] for row in rows(tmp_path / "out")] == ["No. 1", "\ufffd"]


def test_an_exception_of_a_validator_is_the_status_of_its_row(replies: Path, tmp_path: Path) -> None:
    """It does not stop the run."""
    report = parse_files(replies, Angry, tmp_path / "out", processes=1)
    row = rows(tmp_path / "out")[2]
    assert row["status"] == "invalid"
    assert row["error"].startswith("ZeroDivisionError: ")
    assert report.statuses["invalid"] == 1


# Policies


def test_dropped_rows_are_counted(replies: Path, tmp_path: Path) -> None:
    """`on_error="drop"` leaves out rows with problems and rows without data."""
    report = parse_files(replies, Review, tmp_path / "out", size=15, on_error="drop", processes=1)
    assert [row["id"] for row in rows(tmp_path / "out")] == [f"task-{n}" for n in range(40) if n % 7]
    assert (report.rows, report.failed) == (40, 6)
    assert BatchReport.of(tmp_path / "out").statuses["partial"] == 6


def test_raise_names_the_place_of_the_row(tmp_path: Path) -> None:
    """`on_error="raise"` stops at the first row that failed, also when it is called again."""
    lines = [reply(1), reply(2), reply(7), reply(3)]
    (tmp_path / "in.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    for _ in range(2):
        with pytest.raises(BatchError) as caught:
            parse_files(tmp_path / "in.jsonl", Review, tmp_path / "out", size=2, on_error="raise", processes=1)
        assert f"{tmp_path}/in.jsonl:3: partial: $.score: not an int" in str(caught.value)
    assert [row["data"]["score"] for row in rows(tmp_path / "out")] == [1, 2, None, 3]


def test_a_run_stops_after_max_failures(replies: Path, tmp_path: Path) -> None:
    """So many may fail; one that allows more goes on from there."""
    with pytest.raises(BatchError, match="3 rows failed; max_failures is 2") as caught:
        parse_files(replies, Review, tmp_path / "out", size=5, max_failures=2, processes=1)
    assert len(caught.value.failures) == 3
    assert len(rows(tmp_path / "out")) == 15
    assert parse_files(replies, Review, tmp_path / "out", size=5, max_failures=6, processes=1).rows == 40


def test_a_bar_shows_the_counts(replies: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """On stderr, with the rate and the records of all files; without a terminal only if it is asked for. A run that
    goes on begins where it was.
    """
    pq.write_table(pa.table({"reply": [reply(1)] * 3}), tmp_path / "more.parquet")
    parse_files(replies, Review, tmp_path / "out", size=5, processes=1)
    assert capfd.readouterr().err == ""
    for _ in range(2):
        inputs = [replies, tmp_path / "more.parquet"]
        report = parse_files(inputs, Review, tmp_path / "bar", size=5, processes=1, progress=True)
        shown = capfd.readouterr().err
        assert "reading Review" in shown
        assert "100%" in shown
        assert "43/43" in shown
        assert all(f"{count} {status}" in shown for status, count in report.statuses.items())
        assert "/s" in shown
    assert "0.0/s" in shown


# Resumed; tests/slow/test_killed.py kills runs


@pytest.mark.parametrize(
    ("name", "changed"),
    [
        ("size", {"size": 20}),
        ("parts", {"parts": "jsonl"}),
        ("column", {"column": "text"}),
        ("drop", {"on_error": "drop"}),
        ("options", {"repair": False}),
        ("class_name", {"model": Other}),
    ],
)
def test_another_batch_needs_another_folder(replies: Path, tmp_path: Path, name: str, changed: dict[str, Any]) -> None:
    """A folder goes on only with what it was made with."""
    given: dict[str, Any] = {"model": Review, "size": 15, "processes": 1}
    parse_files(replies, output=tmp_path / "out", **given)
    with pytest.raises(BatchError, match=rf"out: holds another batch: .*{name}.* was .*; take another folder"):
        parse_files(replies, output=tmp_path / "out", **{**given, **changed})


def test_a_changed_input_needs_another_folder(replies: Path, tmp_path: Path) -> None:
    """A copy of the same bytes does not, whatever its time."""
    parse_files(replies, Review, tmp_path / "out", processes=1)
    os.utime(replies, (0, 0))
    parse_files(replies, Review, tmp_path / "out", processes=1)
    replies.write_text(replies.read_text().replace("No. 9", "No. 8"))
    with pytest.raises(BatchError, match=r"another batch: inputs\[0\].sha256 was"):
        parse_files(replies, Review, tmp_path / "out", processes=1)


def test_a_changed_model_is_told_by_its_first_differences(replies: Path, tmp_path: Path) -> None:
    """A model of many fields does not make a page of an error."""
    many: Any = {f"field_{number}": int for number in range(100)}
    parse_files(replies, create_model("Review", **many), tmp_path / "out", processes=1)
    with pytest.raises(BatchError) as caught:
        parse_files(replies, Review, tmp_path / "out", processes=1)
    first, *others = str(caught.value).partition("holds another batch: ")[2].split("; ")
    assert first == 'definition.field_0 was {"type":"int"} and is not there'
    assert len(others) == MAX_SHOWN + 1
    assert others[-2].endswith(" more")


def test_what_does_not_change_the_parts_may_change(replies: Path, tmp_path: Path) -> None:
    """Processes and bounds of failures are of a run, not of its folder."""
    with pytest.raises(BatchError):
        parse_files(replies, Review, tmp_path / "out", size=5, processes=1, on_error="raise")
    assert parse_files(replies, Review, tmp_path / "out", size=5, processes=1, max_failures=6).rows == 40


def test_a_part_that_is_gone_is_written_again(replies: Path, tmp_path: Path) -> None:
    """And no other."""
    out = tmp_path / "out"
    parse_files(replies, Review, out, size=10, processes=1)
    before = {path.name: path.stat().st_mtime_ns for path in out.glob("part-*")}
    (out / "part-00001.parquet").unlink()
    parse_files(replies, Review, out, size=10, processes=1)
    after = {path.name: path.stat().st_mtime_ns for path in out.glob("part-*")}
    assert [name for name in after if after[name] != before[name]] == ["part-00001.parquet"]


@pytest.mark.parametrize("parts", ["parquet", "jsonl"])
def test_a_damaged_part_is_an_error(replies: Path, tmp_path: Path, parts: Any) -> None:
    """A part that broke off is found by a run that goes on and by a report. It is written again if it is deleted."""
    out = tmp_path / "out"
    given: dict[str, Any] = {"parts": parts, "size": 10, "processes": 1}
    parse_files(replies, Review, out, **given)
    part, before = out / f"part-00001.{parts}", rows(out)
    part.write_bytes(part.read_bytes()[:1_000])
    for again in (partial(parse_files, replies, Review, out, **given), partial(BatchReport.of, out)):
        with pytest.raises(
            BatchError, match=rf"{part.name}: is damaged: .*delete {part.name} to have it written again"
        ):
            again()
    part.unlink()
    parse_files(replies, Review, out, **given)
    assert rows(out) == before


# The folder


def test_the_manifest_says_what_was_asked(replies: Path, tmp_path: Path) -> None:
    """It has the definition, so the model is not needed to read a reply again."""
    parse_files(replies, Review, tmp_path / "out", processes=1, context=object(), format="xml")
    manifest = read_manifest(tmp_path / "out")
    again = StructuredResponse.from_definition(manifest["class_name"], manifest["definition"])
    assert again.fingerprint == manifest["fingerprint"] == StructuredResponse.from_type(Review).fingerprint
    assert manifest["options"]["context"] == "object"
    assert (manifest["options"]["format"], manifest["options"]["repair"]) == ("xml", True)
    assert manifest["inputs"][0]["bytes"] == replies.stat().st_size


class Node(dict[str, Any]):
    """What JSON cannot hold: it contains itself."""

    def __init__(self) -> None:
        super().__init__(me=self, password="hunter2", raw=b"\xff", names={"a", "b"})


def test_the_context_is_not_in_the_manifest(replies: Path, tmp_path: Path) -> None:
    """It may hold secrets, and anything else. Only its type is there."""
    parse_files(replies, Review, tmp_path / "out", processes=1, context=Node())
    assert read_manifest(tmp_path / "out")["options"]["context"] == "Node"
    assert "hunter2" not in (tmp_path / "out" / MANIFEST).read_text()


def test_a_folder_of_other_files_is_refused(replies: Path, tmp_path: Path) -> None:
    """Nothing is written beside what somebody else wrote."""
    with pytest.raises(BatchError, match=MANIFEST):
        parse_files(replies, Review, tmp_path, processes=1)
    with pytest.raises(BatchError, match="cannot be the folder"):
        parse_files(replies, Review, replies, processes=1)


def test_unknown_options_are_refused(replies: Path, tmp_path: Path) -> None:
    """Before anything is written."""
    wrong: Any = [{"parts": "csv"}, {"on_error": "ignore"}]
    for options in wrong:
        with pytest.raises(ValueError, match="is one of"):
            parse_files(replies, Review, tmp_path / "out", **options)
    unknown: Any = {"formt": "xml"}
    with pytest.raises(TypeError, match="'formt' is not an option"):
        parse_files(replies, Review, tmp_path / "out", **unknown)
    numbers: Any = [{"size": 0}, {"processes": 0}]
    for number in numbers:
        with pytest.raises(ValueError, match="positive"):
            parse_files(replies, Review, tmp_path / "out", **number)
    assert not (tmp_path / "out").exists()


def test_wrong_inputs_are_refused(tmp_path: Path) -> None:
    """Before anything is written, so that the same folder takes them once they are right."""
    pq.write_table(
        pa.table({"text": ["<review><headline>a</headline><score>4</score></review>"]}), tmp_path / "in.parquet"
    )
    (tmp_path / "in.csv").write_text("id,reply\n1,<review/>\n")
    for inputs, message in (
        ([], "no input files"),
        (tmp_path / "in.parquet", "no column 'reply'; its columns are: text"),
        (tmp_path / "in.csv", "in.csv: is neither Parquet nor JSON Lines"),
    ):
        with pytest.raises(BatchError, match=message):
            parse_files(inputs, Review, tmp_path / "out", processes=1)
    assert parse_files(tmp_path / "in.parquet", Review, tmp_path / "out", column="text", processes=1).rows == 1


def test_what_cannot_be_sent_to_a_process_is_an_error(replies: Path, tmp_path: Path) -> None:
    """It says what to do; this process can use it."""
    lock = threading.Lock()
    with pytest.raises(BatchError, match=r"the model or an option cannot be sent.*processes=1"):
        parse_files(replies, Review, tmp_path / "out", size=15, processes=2, context=lock)
    assert parse_files(replies, Review, tmp_path / "out", size=15, processes=1, context=lock).rows == 40
