"""Asking again for the rows of a batch that failed: requests for what is wrong, and their results merged."""

import json
import shutil
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from enum import Enum
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from pydantic import BaseModel, Field, field_validator

from structured_response import BatchError, StructuredResponse
from structured_response.batch.again import Merged, Reasked, merge, write_reask
from structured_response.batch.files import parse_files
from structured_response.batch.report import BatchReport
from structured_response.batch.requests import write_batch


class City(BaseModel):
    """A city."""

    name: str
    people: int = Field(ge=0)
    area: float

    @field_validator("name")
    @classmethod
    def _begins_large(cls, name: str) -> str:
        if not name[:1].isupper():
            raise ValueError("begins with a capital letter")
        return name


def answer(name: str, people: str = "5", area: str = "1.5") -> str:
    """A reply about a city."""
    return f"<city><name>{name}</name><people>{people}</people><area>{area}</area></city>"


REPLIES: dict[str, str | None] = {
    "ok": answer("Rome"),
    "repaired": f"Here it is: {answer('Oslo', ' 6 ', '1,5')}",
    "bad-field": answer("Bonn", "many"),
    "two-bad": answer("Kiel", "many", "wide"),
    "cut-off": "<city><name>Par",
    "no-data": "I do not know that.",
    "error": None,
    "validator": answer("bern"),
    "last-ok": answer("Ulm"),
}
"""The first reply to each task, by its id. None is an error of the provider."""

AGAIN: dict[str, str | None] = {
    "bad-field": "<city><people>7</people></city>",
    "two-bad": "<city><people>8</people></city>",
    "cut-off": "<city><name>Paris</name><people>9</people><area>2</area></city>",
    "no-data": "I still do not know.",
    "error": answer("Graz", "10"),
    "validator": "<city><name>Bern</name></city>",
}
"""The reply to each request that asks again."""


def openai(id_: str, reply: str | None, index: int = 0) -> dict[str, Any]:
    """A line of OpenAI's result files."""
    if reply is None:
        return {"custom_id": id_, "response": None, "error": {"code": "batch_expired", "message": "Too late."}}
    choice = {"index": index, "message": {"role": "assistant", "content": reply}, "finish_reason": "stop"}
    body = {"object": "chat.completion", "choices": [choice]}
    return {"custom_id": id_, "response": {"status_code": 200, "body": body}, "error": None}


def responses(id_: str, reply: str | None) -> dict[str, Any]:
    """A line of OpenAI's result files, of responses."""
    if reply is None:
        return openai(id_, None)
    content = [{"type": "output_text", "text": reply}]
    body = {"object": "response", "status": "completed", "output": [{"type": "message", "content": content}]}
    return {"custom_id": id_, "response": {"status_code": 200, "body": body}, "error": None}


def anthropic(id_: str, reply: str | None) -> dict[str, Any]:
    """A line of Anthropic's results."""
    if reply is None:
        return {"custom_id": id_, "result": {"type": "expired"}}
    message = {"type": "message", "content": [{"type": "text", "text": reply}], "stop_reason": "end_turn"}
    return {"custom_id": id_, "result": {"type": "succeeded", "message": message}}


RESULTS: dict[str, Callable[[str, str | None], dict[str, Any]]] = {
    "openai": openai,
    "openai-responses": responses,
    "anthropic": anthropic,
}


def save(path: Path, records: list[Any]) -> Path:
    """A file of JSON Lines."""
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def load(path: Path) -> list[Any]:
    """The records of a file."""
    return [json.loads(line) for line in path.read_text().splitlines()]


def rows_of(folder: Path) -> list[dict[str, Any]]:
    """The rows of a folder, in order."""
    rows: list[dict[str, Any]] = []
    for part in sorted(folder.glob("part-*")):
        rows += pq.read_table(part).to_pylist() if part.suffix == ".parquet" else load(part)
    return rows


def said(request: Any) -> list[Any]:
    """The messages of a request, without the first ones."""
    body = request.get("body") or request["params"]
    messages = body.get("messages") or body["input"]
    return list(messages[next(n for n, each in enumerate(messages) if each["role"] == "user") + 1 :])


class Batch:
    """A batch on its way: tasks, requests, results, and a folder of rows."""

    def __init__(self, place: Path, provider: Any = "openai", parts: Any = "parquet", size: int = 4) -> None:
        self.place, self.result = place, RESULTS[provider]
        self.requests = place / "requests.jsonl"
        tasks = ((id_, f"Describe {id_}.") for id_ in REPLIES)
        write_batch(tasks, City, self.requests, provider=provider, model="m")
        results = [self.result(request["custom_id"], REPLIES[request["custom_id"]]) for request in load(self.requests)]
        save(place / "results.jsonl", results)
        parse_files(place / "results.jsonl", City, place / "out", parts=parts, size=size, processes=1)

    def reask(self, folder: str = "out", **options: Any) -> tuple[Reasked, dict[str, Any]]:
        """Ask again, and return the requests by their ids."""
        counts = write_reask(self.place / folder, self.place / "again.jsonl", requests=self.requests, **options)
        found = load(self.place / "again.jsonl") if counts.requests else []
        return counts, {request["custom_id"]: request for request in found}

    def answer(
        self, replies: Mapping[str, str | None], folder: str = "out", merged: str = "merged", **more: Any
    ) -> Merged:
        """Merge replies."""
        results = save(self.place / f"{merged}.jsonl", [self.result(*each) for each in replies.items()])
        return merge(self.place / folder, results, self.place / merged, **more)


@pytest.mark.parametrize("parts", ["parquet", "jsonl"])
@pytest.mark.parametrize("provider", RESULTS)
def test_the_whole_trip(provider: str, parts: str, tmp_path: Path) -> None:
    """Tasks become requests, their results rows, the failed rows requests again, and their results the same rows."""
    batch = Batch(tmp_path, provider, parts)
    before = rows_of(tmp_path / "out")
    assert [row["status"] for row in before] == [
        *("ok", "repaired", "partial", "partial", "partial", "invalid", "provider_error", "partial", "ok"),
    ]

    counts, requests = batch.reask(model=City)
    assert counts == Reasked(6, 0)
    assert list(requests) == list(AGAIN)  # in the order of the requests
    read = StructuredResponse.from_basemodel(City).parse(str(REPLIES["two-bad"]), strict=False)
    assert said(requests["two-bad"]) == [
        {"role": "assistant", "content": REPLIES["two-bad"]},
        {"role": "user", "content": read.to_reask()},
    ]
    old = {request["custom_id"]: request for request in load(batch.requests)}
    for id_ in ("no-data", "error"):
        assert requests[id_] == old[id_]

    assert batch.answer(AGAIN, model=City) == Merged(5, 1, 0)
    after = rows_of(tmp_path / "merged")
    assert [row["id"] for row in after] == list(REPLIES)
    assert {row["id"]: row["status"] for row in after} == {
        **dict.fromkeys(REPLIES, "ok"),
        **dict.fromkeys(("repaired", "cut-off"), "repaired"),
        "two-bad": "partial",
        "no-data": "invalid",
    }
    for old_row, row in zip(before, after, strict=True):
        if row["id"] in ("ok", "repaired", "no-data", "last-ok"):
            assert row == old_row
    data = {row["id"]: row["data"] for row in after}
    assert data["bad-field"] == {"name": "Bonn", "people": 7, "area": 1.5}
    assert data["two-bad"] == {"name": "Kiel", "people": 8, "area": None}
    assert data["error"] == {"name": "Graz", "people": 10, "area": 1.5}
    assert data["validator"] == {"name": "Bern", "people": 5, "area": 1.5}
    assert BatchReport.of(tmp_path / "merged").statuses == {"ok": 5, "repaired": 2, "partial": 1, "invalid": 1}

    counts, requests = batch.reask("merged", model=City)
    assert counts == Reasked(2, 0)
    assert list(requests) == ["two-bad", "no-data"]
    reply, question = said(requests["two-bad"])
    assert "<people>8</people>" in reply["content"]
    assert "$.area" in question["content"] and "people" not in question["content"]
    more = {"two-bad": "<city><area>3</area></city>", "no-data": answer("Linz")}
    assert batch.answer(more, "merged", "last", model=City) == Merged(2, 0, 0)
    assert {row["status"] for row in rows_of(tmp_path / "last")} == {"ok", "repaired"}
    assert batch.reask("last", model=City) == (Reasked(0, 0), {})


@pytest.fixture
def batch(tmp_path: Path) -> Batch:
    """A batch of OpenAI in parts of Parquet."""
    return Batch(tmp_path)


def test_merging_twice_gives_the_same(batch: Batch) -> None:
    """Into the same folder, and into another one."""
    first = batch.answer(AGAIN, model=City)
    content = {path.name: path.read_bytes() for path in (batch.place / "merged").iterdir()}
    assert batch.answer(AGAIN, model=City) == first
    assert {path.name: path.read_bytes() for path in (batch.place / "merged").iterdir()} == content
    assert batch.answer(AGAIN, merged="other", model=City) == first
    assert rows_of(batch.place / "other") == rows_of(batch.place / "merged")


def test_results_that_do_not_help(batch: Batch) -> None:
    """A result without data, or for a row that needs none, changes nothing. One for no row is counted."""
    replies = {"bad-field": None, "no-data": "", "ok": answer("Bad"), "who": answer("Bad"), "error": "Sorry."}
    assert batch.answer(replies, model=City) == Merged(0, 3, 1)
    assert rows_of(batch.place / "merged") == rows_of(batch.place / "out")


class Note(BaseModel):
    n: int
    s: str
    xs: list[int]


KEPT = "<s>keep</s><xs><li>0</li></xs>"


@pytest.mark.parametrize("parts", ["parquet", "jsonl"])
@pytest.mark.parametrize(
    ("reply", "again", "data"),
    [
        (f"<n>{2**70}</n>{KEPT}", "<n>many</n>", None),
        (f"<n>{2**70}</n>{KEPT}", "<n>many</n><s>new</s><xs/>", None),
        (f"<n>{2**70}</n>{KEPT}", "<n>1</n><s>new</s><xs/>", (1, "new", [])),
        (f"<n>many</n>{KEPT}", "<n>many again</n>", None),
        (f"<n>many</n>{KEPT}", f"<n>{2**70}</n>", None),
        (f"<n>many</n>{KEPT}", "<n>1</n><s>new</s>", (1, "keep", [0])),
        ("<n>1</n><s>keep</s>", "<xs><li>1</li><li>x</li><li>y</li></xs>", (1, "keep", [1, None, None])),
    ],
    ids=["worse", "the same elsewhere", "right", "wrong again", "does not fit", "amended", "more data"],
)
def test_no_result_makes_a_row_worse(reply: str, again: str, data: Any, parts: Any, tmp_path: Path) -> None:
    """A row stays as it was unless it gets better, also one with a value that its column cannot hold."""
    results = save(tmp_path / "results.jsonl", [openai("x", f"<note>{reply}</note>")])
    parse_files(results, Note, tmp_path / "out", parts=parts, processes=1, on_bad_item="keep")
    (before,) = rows_of(tmp_path / "out")
    assert before["status"] == "partial"
    more = save(tmp_path / "more.jsonl", [openai("x", f"<note>{again}</note>")])
    assert merge(tmp_path / "out", more, tmp_path / "merged", model=Note) == Merged(*(1, 0, 0) if data else (0, 1, 0))
    (after,) = rows_of(tmp_path / "merged")
    assert after == before if data is None else tuple(after["data"].values()) == data


def test_results_that_are_no_results(batch: Batch) -> None:
    """A line without a reply or an id belongs to no row."""
    (batch.place / "odd.jsonl").write_text('{"x": 1}\nno JSON\n')
    assert merge(batch.place / "out", batch.place / "odd.jsonl", batch.place / "merged") == Merged(0, 0, 2)


def test_a_reply_counts_more_than_an_error(batch: Batch) -> None:
    """Whichever file has it: a request that expired in one run may have its reply from another."""
    (good, bad) = (batch.place / f"{name}.jsonl" for name in ("good", "bad"))
    save(good, [openai("bad-field", "<city><people>7</people></city>")])
    save(bad, [{"custom_id": "bad-field", "response": None, "error": {"message": "expired"}}])
    for number, results in enumerate(([good, bad], [bad, good])):
        assert merge(batch.place / "out", results, batch.place / f"merged{number}") == Merged(1, 0, 0)


def test_results_with_several_replies(batch: Batch) -> None:
    """The first one counts."""
    result = openai("bad-field", "<city><people>7</people></city>")
    result["response"]["body"]["choices"] += openai("", answer("Bad"), 1)["response"]["body"]["choices"]
    results = save(batch.place / "several.jsonl", [result])
    assert merge(batch.place / "out", results, batch.place / "merged") == Merged(1, 0, 0)
    assert rows_of(batch.place / "merged")[2]["data"] == {"name": "Bonn", "people": 7, "area": 1.5}


def test_without_the_model(batch: Batch) -> None:
    """The folder holds the definition. A problem that only a validator finds is asked for as a whole."""
    counts, requests = batch.reask()
    assert counts == Reasked(6, 0)
    assert said(requests["validator"]) == []
    assert len(said(requests["bad-field"])) == 2
    assert batch.answer({**AGAIN, "validator": answer("Bern")}) == Merged(5, 1, 0)
    statuses = {row["id"]: row["status"] for row in rows_of(batch.place / "merged")}
    assert (statuses["validator"], statuses["bad-field"]) == ("ok", "ok")


def test_another_model(batch: Batch) -> None:
    """The model has to ask for what the batch asked for."""

    class Town(BaseModel):
        name: str

    with pytest.raises(BatchError, match="was not made with this Town"):
        batch.reask(model=Town)
    with pytest.raises(BatchError, match="was not made with this Town"):
        batch.answer(AGAIN, model=Town)
    assert not (batch.place / "merged").exists()


def test_folders_that_cannot_be_merged_into(batch: Batch) -> None:
    """The batch itself stays as it is, and so does a folder of other results or of other files."""
    batch.answer(AGAIN)
    with pytest.raises(BatchError, match="holds another batch: merged"):
        batch.answer({"ok": None}, merged="out")
    with pytest.raises(BatchError, match="holds another batch: merged"):
        merge(batch.place / "out", batch.place / "results.jsonl", batch.place / "merged")
    with pytest.raises(BatchError, match="is not the folder of a batch"):
        merge(batch.place, batch.place / "results.jsonl", batch.place / "new")


def refuse(batch: Batch, message: str) -> None:
    """Neither function takes the folder, and neither writes."""
    with pytest.raises(BatchError, match=message):
        batch.reask()
    with pytest.raises(BatchError, match=message):
        batch.answer(AGAIN)
    assert not (batch.place / "again.jsonl").exists()
    assert not (batch.place / "merged").exists()


def test_a_folder_that_is_not_finished(batch: Batch) -> None:
    """Its rows are not all there. It is finished by the same call of `parse_files`."""
    shutil.rmtree(batch.place / "out")
    given: Any = (batch.place / "results.jsonl", City, batch.place / "out")
    with pytest.raises(BatchError, match="rows failed"):
        parse_files(*given, size=2, processes=1, max_failures=1)
    refuse(batch, "out: is not finished; call parse_files with the same arguments again")
    parse_files(*given, size=2, processes=1)
    (batch.place / "out" / "part-00001.parquet").unlink()
    refuse(batch, "out: is not finished")
    parse_files(*given, size=2, processes=1)
    assert batch.answer(AGAIN, model=City) == Merged(5, 1, 0)
    (batch.place / "merged" / "part-00001.parquet").unlink()
    with pytest.raises(BatchError, match="merged: is not finished"):
        batch.answer(AGAIN, "merged", "other")


def test_a_folder_without_its_failed_rows(batch: Batch) -> None:
    """There is nothing to ask again for, and the counts of what was left out would be lost."""
    shutil.rmtree(batch.place / "out")
    parse_files(batch.place / "results.jsonl", City, batch.place / "out", processes=1, on_error="drop")
    refuse(batch, "out: on_error='drop' left out the rows that failed")


MANIFESTS: dict[str, tuple[Any, str]] = {
    "list": ([1], "should be an object"),
    "empty": ({}, "version: Field required"),
    "other version": ({"version": 2}, "version: Input should be 1"),
    "unknown option": ({"options": {"zzz": 1}}, "'zzz' is not an option"),
    "bad option": ({"options": {"format": "csv"}}, "format is one of"),
    "bad definition": ({"definition": {"type": "who"}}, "who"),
}


@pytest.mark.parametrize(("content", "message"), MANIFESTS.values(), ids=MANIFESTS)
def test_a_manifest_that_is_damaged(content: Any, message: str, batch: Batch) -> None:
    """It is an error that names the folder, and nothing is written."""
    path = batch.place / "out" / "_manifest.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **content} if content and content != [1] else content))
    refuse(batch, rf"out: .*_manifest\.json.*{message}")


def test_a_part_that_is_damaged(batch: Batch) -> None:
    """It is an error with its path."""
    part = batch.place / "out" / "part-00001.parquet"
    part.write_bytes(part.read_bytes()[:100])
    with pytest.raises(BatchError, match=r"part-00001\.parquet: cannot be read"):
        batch.reask()
    with pytest.raises(BatchError, match=r"part-00001\.parquet: cannot be read"):
        batch.answer(AGAIN)


def test_missing_requests(batch: Batch) -> None:
    """Rows whose request is not in the files, or that have no id, are counted."""
    kept = [request for request in load(batch.requests) if request["custom_id"] != "error"]
    save(batch.requests, kept)
    with (batch.place / "results.jsonl").open("a") as file:
        file.write("no JSON\n")
    parse_files(batch.place / "results.jsonl", City, batch.place / "more", processes=1)
    counts, requests = batch.reask("more")
    assert counts == Reasked(5, 2)
    assert "error" not in requests


def test_several_replies_to_a_request(batch: Batch) -> None:
    """Each reply is asked for by itself, under an id of its own."""
    save(batch.requests, [{**(old := load(batch.requests)[0]), "body": {**old["body"], "n": 3}}])
    results = openai("ok", answer("Rome"))
    for index, reply in enumerate((answer("Bonn", "many"), "Sorry."), 1):
        results["response"]["body"]["choices"] += openai("ok", reply, index)["response"]["body"]["choices"]
    parse_files(save(batch.place / "several.jsonl", [results]), City, batch.place / "several", processes=1)
    counts, requests = batch.reask("several")
    assert counts == Reasked(2, 0)
    assert {id_: len(said(request)) for id_, request in requests.items()} == {"ok#1": 2, "ok#2": 0}
    assert all("n" not in request["body"] for request in requests.values())
    replies = {"ok#2": answer("Linz"), "ok#1": "<city><people>7</people></city>"}
    assert batch.answer(replies, "several") == Merged(2, 0, 0)
    found = [(row["id"], row["sample"], row["data"]["name"]) for row in rows_of(batch.place / "merged")]
    assert found == [("ok", 0, "Rome"), ("ok", 1, "Bonn"), ("ok", 2, "Linz")]


@pytest.mark.parametrize(
    ("replies", "name"),
    [
        ([{"id": "x", "reply": "no"}, {"id": "x", "reply": answer("Rome")}], "x"),
        ([{"id": "x", "reply": answer("Rome")}, {"id": "x", "reply": "no"}], "x"),
        ([{"id": "x", "reply": "no", "sample": 1}, {"id": "x#1", "reply": answer("Rome")}], "x#1"),
    ],
    ids=["good one behind", "good one before", "sample"],
)
def test_rows_that_share_an_id(replies: Any, name: str, tmp_path: Path) -> None:
    """A result could belong to either, so there is an error with the id, wherever the rows are."""
    results = save(tmp_path / "results.jsonl", replies)
    parse_files(results, City, tmp_path / "out", size=1, processes=1)
    requests = save(tmp_path / "requests.jsonl", [{"custom_id": "x"}])
    with pytest.raises(BatchError, match=rf"out: two rows have the id '{name}'"):
        write_reask(tmp_path / "out", tmp_path / "again.jsonl", requests=requests)
    with pytest.raises(BatchError, match=rf"out: two rows have the id '{name}'"):
        merge(tmp_path / "out", results, tmp_path / "merged")
    assert not (tmp_path / "merged").exists()


@pytest.mark.parametrize("path", ["requests.jsonl", "./more/../requests.jsonl"])
def test_the_requests_are_not_overwritten(path: str, batch: Batch) -> None:
    """The new file cannot be one of those that are read."""
    (batch.place / "more").mkdir()
    before = batch.requests.read_bytes()
    with pytest.raises(BatchError, match=r"requests\.jsonl: is one of the request files; take another name"):
        write_reask(batch.place / "out", batch.place / path, requests=batch.place / "*.jsonl")
    assert batch.requests.read_bytes() == before


def test_requests_that_share_an_id(batch: Batch) -> None:
    """It is not known which of them a failed row belongs to."""
    save(batch.requests, [request for request in load(batch.requests) for _ in range(2)])
    with pytest.raises(BatchError, match="duplicate id 'bad-field'"):
        batch.reask()
    assert not (batch.place / "again.jsonl").exists()


@pytest.mark.parametrize(
    ("request_", "expected"),
    [
        (
            {"custom_id": "bad-field", "body": {"input": "Hi.", "model": "m"}},
            {"body": {"model": "m", "input": [{"role": "user", "content": "Hi."}, "REPLY", "AGAIN"]}},
        ),
        (
            {"key": "bad-field", "request": {"contents": [{"parts": [{"text": "Hi."}]}], "generationConfig": {}}},
            {"request": {"generationConfig": {}, "contents": [{"parts": [{"text": "Hi."}]}, "MODEL", "USER"]}},
        ),
    ],
    ids=["input as text", "gemini"],
)
def test_requests_that_others_wrote(request_: Any, expected: Any, batch: Batch) -> None:
    """Files that write_batch does not write can go on too."""
    save(batch.requests, [request_])
    write_reask(batch.place / "out", batch.place / "again.jsonl", requests=batch.requests)
    (made,) = load(batch.place / "again.jsonl")
    reply = str(REPLIES["bad-field"])
    question = StructuredResponse.from_basemodel(City).parse(reply, strict=False).to_reask()
    text = json.dumps({**request_, **expected})
    for name, turn in (
        ("REPLY", {"role": "assistant", "content": reply}),
        ("AGAIN", {"role": "user", "content": question}),
        ("MODEL", {"role": "model", "parts": [{"text": reply}]}),
        ("USER", {"role": "user", "parts": [{"text": question}]}),
    ):
        text = text.replace(f'"{name}"', json.dumps(turn))
    assert made == json.loads(text)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            '{"custom_id": "bad-field", "body": {"prompt": "Hi."}}',
            r"requests\.jsonl:1: has no messages that could go on",
        ),
        ('{"custom_id": "bad-field"', r"requests\.jsonl:1: cannot be read: "),
    ],
    ids=["completions", "no JSON"],
)
def test_requests_that_cannot_go_on(line: str, message: str, batch: Batch) -> None:
    """They are errors with file and line, and nothing is written."""
    batch.requests.write_text(line)
    with pytest.raises(BatchError, match=message):
        batch.reask()
    assert not (batch.place / "again.jsonl").exists()


def test_the_options_of_reading_are_those_of_the_batch(batch: Batch) -> None:
    """They are in the folder, and the messages are in their format."""
    results = [openai("ok", '{"name": "Rome", "people": "many", "area": 1}')]
    parse_files(save(batch.place / "json.jsonl", results), City, batch.place / "json", processes=1, format="json")
    requests = batch.reask("json")[1]
    assert '"people"' in said(requests["ok"])[1]["content"]
    assert batch.answer({"ok": '{"people": 1}'}, "json") == Merged(1, 0, 0)


class Kind(Enum):
    SMALL, LARGE = "small", "large"


class Shape(BaseModel):
    sides: int
    parts: list["Shape"] = []


class Rich(BaseModel):
    """Fields of many kinds."""

    price: Decimal = Field(max_digits=8, decimal_places=2)
    day: date
    at: datetime
    took: timedelta
    kind: Kind
    raw: bytes
    by_name: dict[str, int]
    pair: tuple[int, str]
    tags: set[str]
    either: City | Shape
    some: Any
    shape: Shape
    count: int


@pytest.mark.parametrize("parts", ["parquet", "jsonl"])
def test_data_of_every_kind(parts: Any, tmp_path: Path) -> None:
    """Rows stay as they were beside an amended one, whatever the types of their columns."""
    data = Rich(
        price=Decimal("1.50"),
        day=date(2026, 1, 2),
        at=datetime(2026, 1, 2, 3, 4, tzinfo=UTC),
        took=timedelta(minutes=3),
        kind=Kind.LARGE,
        raw=b"\x00\xff",
        by_name={"a": 1, "b": 2},
        pair=(1, "x"),
        tags={"a"},
        either=City(name="Rome", people=1, area=1.5),
        some=[1, {"a": None}],
        shape=Shape(sides=1, parts=[Shape(sides=2)]),
        count=4_711,
    )
    good = str(StructuredResponse.from_basemodel(data))
    bad = good.replace("4711", "many")
    results = [openai(str(number), bad if number == 2 else good) for number in range(5)]
    save(tmp_path / "results.jsonl", results)
    parse_files(tmp_path / "results.jsonl", Rich, tmp_path / "out", parts=parts, size=4, processes=1)
    amended = save(tmp_path / "amended.jsonl", [openai("2", "<rich><count>4711</count></rich>")])
    assert merge(tmp_path / "out", amended, tmp_path / "merged") == Merged(1, 0, 0)
    before, after = rows_of(tmp_path / "out"), rows_of(tmp_path / "merged")
    assert [row["data"] for row in after] == [before[0]["data"]] * 5
    assert [*after[:2], *after[3:]] == [*before[:2], *before[3:]]
    if parts == "parquet":
        schemas = [pq.read_schema(tmp_path / name / "part-00000.parquet") for name in ("out", "merged")]
        assert schemas[0].equals(schemas[1], check_metadata=True)
