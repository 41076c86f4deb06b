"""`structured-response batch`: what each command prints, what it writes, and its exit status."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner, Result

from structured_response.batch import BatchReport, write_batch
from structured_response.cli.main import app

SHOP = """
from pydantic import BaseModel, Field

class Review(BaseModel):
    headline: str
    score: int = Field(ge=1, le=5)
    tags: list[int] = []
"""

GOOD = "<review><headline>Nice</headline><score>4</score></review>"
BAD = "<review><headline>Nice</headline><score>9</score><tags><li>1</li><li>x</li></tags></review>"
REPLIES = [GOOD, BAD, "I cannot help with that.", GOOD]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A current directory with a model, a request file and its results."""
    (tmp_path / "shop.py").write_text(SHOP, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    from shop import Review  # type: ignore[import-not-found]  # the file above

    write_batch(["Review this lamp."] * len(REPLIES), Review, "requests.jsonl", model="gpt")
    save("results.jsonl", {f"requests-{number}": reply for number, reply in enumerate(REPLIES)})
    yield tmp_path
    del sys.modules["shop"]


def save(name: str, replies: dict[str, str]) -> None:
    """A result file as OpenAI's batch API writes it."""
    lines = (
        {"custom_id": id_, "response": {"status_code": 200, "body": {"choices": [{"message": {"content": reply}}]}}}
        for id_, reply in replies.items()
    )
    Path(name).write_text("".join(json.dumps(line) + "\n" for line in lines))


def run(*arguments: object) -> Result:
    """A command in this process. An exception that gets out of it fails the test."""
    return CliRunner().invoke(app, ["batch", *map(str, arguments)], catch_exceptions=False)


RUN = ("run", "shop:Review", "results.jsonl", "--output", "out", "--processes", 1)


def test_run_writes_a_folder_and_prints_its_report() -> None:
    """The counts of rows by status, and of problems by path and kind."""
    result = run(*RUN)
    assert (result.exit_code, result.stderr) == (0, "")
    heading, *lines = [line.split() for line in result.stdout.splitlines()]
    assert heading[:4] == ["4", "rows,", "2", "failed;"]
    shown = [line[:3] for line in lines]
    assert ["ok", "2", "50.0%"] in shown
    assert ["partial", "1", "25.0%"] in shown
    assert ["refused", "1", "25.0%"] in shown
    assert ["$.score", "invalid", "1"] in shown
    assert ["$.tags[*]", "invalid", "1"] in shown
    assert pq.read_table("out")["id"].to_pylist() == [f"requests-{number}" for number in range(4)]


def test_run_goes_on_where_it_was_stopped() -> None:
    """The same command prints the same report, and one with other options is refused."""
    first = run(*RUN)
    assert run(*RUN).stdout == first.stdout
    other = run(*RUN, "--size", 5)
    assert other.exit_code == 2
    assert "out: holds another batch: size was 10000 and is 5; take another folder" in other.stderr


@pytest.mark.parametrize(
    ("options", "rows", "status"),
    [
        (("--parts", "jsonl"), 4, 0),
        (("--on-error", "drop"), 2, 0),
        (("--size", 1, "--max-failures", 1), 3, 1),
        (("--size", 1, "--on-error", "raise"), 2, 1),
        (("--size", 1, "--max-failures", 2), 4, 0),
        (("--no-repair", "--on-bad-item", "drop", "--expect", "xml"), 4, 0),
    ],
)
def test_options_of_run(options: tuple[object, ...], rows: int, status: int) -> None:
    """Formats, policies, bounds and the options of reading. A run that was stopped has status 1 and names the rows."""
    result = run(*RUN, *options)
    assert result.exit_code == status
    found = [*Path("out").glob("*.jsonl")] or [*Path("out").glob("*.parquet")]
    lines = sum(len(part.read_bytes().splitlines()) for part in found)
    assert (lines if found[0].suffix == ".jsonl" else pq.read_table("out").num_rows) == rows
    assert ("results.jsonl:2: partial: $.score" in result.stderr) == (status == 1)


def test_report_prints_what_run_printed() -> None:
    """It reads the counts of the folder."""
    assert run("report", "out").exit_code == 2
    printed = run(*RUN).stdout
    assert run("report", "out").stdout == printed == f"{BatchReport.of('out')}\n"


def test_report_writes_a_page() -> None:
    """One HTML file that needs no other."""
    run(*RUN)
    result = run("report", "out", "--html", "report.html")
    assert (result.exit_code, result.output) == (0, "")
    assert Path("report.html").read_text("utf-8") == BatchReport.of("out").to_html()
    assert run("report", "out", "--html", "missing/report.html").exit_code == 2


def test_failed_rows_are_asked_for_again_and_merged() -> None:
    """From the first results to the last folder."""
    run(*RUN)
    asked = run("reask", "out", "again.jsonl", "--requests", "requests.jsonl")
    assert (asked.exit_code, asked.output) == (0, "again.jsonl: 2 requests\n")
    requests = [json.loads(line) for line in Path("again.jsonl").read_text().splitlines()]
    assert [request["custom_id"] for request in requests] == ["requests-1", "requests-2"]
    again = "<review><score>5</score><tags><item_1>2</item_1></tags></review>"
    save("more.jsonl", {"requests-1": again, "requests-2": "I cannot help with that.", "requests-9": GOOD})
    merged = run("merge", "out", "more.jsonl", "--output", "whole", "--model", "shop:Review")
    assert merged.exit_code == 0
    assert merged.stdout.startswith("1 rows amended, 1 failed again, 1 results of no row\n4 rows, 1 failed")
    rows = pq.read_table("whole").to_pylist()
    assert rows[1]["data"] == {"headline": "Nice", "score": 5, "tags": [1, 2]}


def test_reask_tells_of_rows_without_a_request() -> None:
    """They are counted on standard error."""
    run(*RUN)
    lines = Path("requests.jsonl").read_text().splitlines(keepends=True)
    Path("some.jsonl").write_text("".join(lines[:2]))
    asked = run("reask", "out", "again.jsonl", "-r", "some.jsonl")
    assert asked.stdout == "again.jsonl: 1 requests\n"
    assert asked.stderr.startswith("1 rows are left out")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("run", "shop:Review", "nothing.jsonl", "-o", "out"), "nothing.jsonl: there is no such file"),
        (
            ("run", "shop:Review", "results.jsonl", "-o", "results.jsonl"),
            "results.jsonl: cannot be the folder of a batch",
        ),
        (("run", "shop:Nothing", "results.jsonl", "-o", "out"), "shop has no 'Nothing'"),
        (("report", "."), "is not the folder of a batch"),
        (("reask", ".", "again.jsonl", "-r", "requests.jsonl"), "is not the folder of a batch"),
        (("merge", ".", "results.jsonl", "-o", "whole"), "is not the folder of a batch"),
    ],
)
def test_bad_uses_are_one_line(arguments: tuple[object, ...], message: str) -> None:
    """With status 2."""
    result = run(*arguments)
    assert result.exit_code == 2
    assert message in result.stderr
    assert len(result.stderr.splitlines()) == 1
