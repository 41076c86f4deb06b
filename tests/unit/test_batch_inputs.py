"""Input files of a batch: what each provider writes, told by content, in files of any kind and compression."""

import gzip
import json
import os
import pickle
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from structured_response import BatchError, StructuredResponse
from structured_response.batch.inputs import Block, InputRow, Inputs, Record, blocks, files_of, input_rows
from structured_response.batch.rows import Reply, reader

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd


def openai(body: Any, status: int = 200, error: Any = None) -> dict[str, Any]:
    """A line of the output file, or of the error file, of OpenAI's batch API."""
    response = {"status_code": status, "request_id": "3a7c", "body": body}
    return {"id": "batch_req_66f1", "custom_id": "task-1", "response": response, "error": error}


def chat(*messages: dict[str, Any], **reasons: str) -> dict[str, Any]:
    """The body of chat completions, with a choice for each message."""
    choices = [
        {
            "index": index,
            "message": {"role": "assistant", "refusal": None, "annotations": [], **message},
            "logprobs": None,
            "finish_reason": "stop",
            **reasons,
        }
        for index, message in enumerate(messages)
    ]
    usage = {"prompt_tokens": 22, "completion_tokens": 4, "total_tokens": 26}
    return {"id": "chatcmpl-9", "object": "chat.completion", "created": 1, "choices": choices, "usage": usage}


def responses(*output: dict[str, Any], **more: Any) -> dict[str, Any]:
    """The body of OpenAI's responses."""
    body = {"id": "resp_68", "object": "response", "status": "completed", "error": None, "incomplete_details": None}
    return {**body, "output": [{"type": "reasoning", "id": "rs_1", "summary": []}, *output], "text": {}, **more}


def spoken(*content: dict[str, Any]) -> dict[str, Any]:
    """A message in the output of OpenAI's responses."""
    return {"type": "message", "id": "msg_1", "status": "completed", "role": "assistant", "content": list(content)}


def vllm(body: Any, status: int = 200, error: Any = None) -> dict[str, Any]:
    """A line of the file that `vllm run-batch` writes."""
    response = {"status_code": status, "request_id": "vllm-batch-5", "body": body}
    return {"id": "vllm-1", "custom_id": "task-1", "response": response, "error": error}


def anthropic(*content: dict[str, Any], stop_reason: str = "end_turn") -> dict[str, Any]:
    """A line of the results of Anthropic's message batches."""
    message = {"id": "msg_0", "type": "message", "role": "assistant", "model": "claude", "content": list(content)}
    ended = {"stop_reason": stop_reason, "stop_sequence": None, "usage": {"input_tokens": 10, "output_tokens": 3}}
    return {"custom_id": "task-1", "result": {"type": "succeeded", "message": {**message, **ended}}}


def gemini(*candidates: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A line of the results file of Gemini's batch API."""
    usage = {"promptTokenCount": 4, "candidatesTokenCount": 5, "totalTokenCount": 9}
    response = {"candidates": list(candidates), "usageMetadata": usage, "modelVersion": "gemini-2.5-flash"}
    return {"key": "task-1", "response": {**response, **more}}


def candidate(*parts: dict[str, Any], reason: str = "STOP", index: int = 0) -> dict[str, Any]:
    """A candidate in the response of Gemini."""
    return {"content": {"parts": list(parts), "role": "model"}, "finishReason": reason, "index": index}


TEXT = {"type": "text", "text": "<a/>"}
TOO_LONG = {"message": "too many tokens", "type": "invalid_request_error", "param": None, "code": "too_long"}
VLLM_ERROR = {"object": "error", "message": "too many tokens", "type": "BadRequestError", "param": None, "code": 400}

ONE: dict[str, tuple[dict[str, Any], Reply]] = {
    "openai chat": (openai(chat({"content": "<a/>"})), Reply("<a/>", "stop")),
    "openai chat, cut off": (openai(chat({"content": "<a"}, finish_reason="length")), Reply("<a", "length")),
    "openai chat, refusal": (openai(chat({"content": None, "refusal": "No."})), Reply("No.", "refusal")),
    "openai chat, tool": (
        openai(chat({"content": None, "tool_calls": [{"id": "c"}]}, finish_reason="tool_calls")),
        Reply(None, "tool_calls"),
    ),
    "openai chat, parts": (openai(chat({"content": [TEXT, {"type": "refusal"}, TEXT]})), Reply("<a/><a/>", "stop")),
    "openai chat, reasoning parts": (
        openai(chat({"content": [{"type": "thinking", "thinking": [TEXT]}, TEXT]})),
        Reply("<a/>", "stop"),
    ),
    "openai responses": (
        openai(responses(spoken({"type": "output_text", "text": "<a/>", "annotations": []}))),
        Reply("<a/>", "completed"),
    ),
    "openai responses, cut off": (
        openai(
            responses(
                spoken({"type": "output_text", "text": "<a"}),
                status="incomplete",
                incomplete_details={"reason": "max_output_tokens"},
            )
        ),
        Reply("<a", "max_output_tokens"),
    ),
    "openai responses, refusal": (
        openai(responses(spoken({"type": "refusal", "refusal": "No."}))),
        Reply("No.", "refusal"),
    ),
    "openai responses, tool": (
        openai(responses({"type": "function_call", "name": "f", "arguments": "{}"})),
        Reply("", "function_call"),
    ),
    "openai responses, failed": (
        openai(responses(status="failed", error={"code": "server_error", "message": "Sorry."})),
        Reply(None, error="server_error: Sorry."),
    ),
    "openai completions": (
        openai({"object": "text_completion", "choices": [{"text": "<a/>", "index": 0, "finish_reason": "stop"}]}),
        Reply("<a/>", "stop"),
    ),
    "openai error file, expired": (
        {
            "id": "b",
            "custom_id": "task-1",
            "response": None,
            "error": {"code": "batch_expired", "message": "Too late."},
        },
        Reply(None, error="batch_expired: Too late."),
    ),
    "openai error file, status": (
        openai({"error": TOO_LONG}, 400),
        Reply(None, error="HTTP 400: too_long: too many tokens"),
    ),
    "openai error file, no body": (openai(None, 500), Reply(None, error="HTTP 500")),
    "vllm": (vllm(chat({"content": "<a/>", "reasoning_content": "hm", "tool_calls": []})), Reply("<a/>", "stop")),
    "vllm, error object": (vllm(None, 400, VLLM_ERROR), Reply(None, error="BadRequestError: too many tokens")),
    "vllm, nested error": (
        vllm(None, 400, {"error": VLLM_ERROR}),
        Reply(None, error="BadRequestError: too many tokens"),
    ),
    "vllm, error string": (vllm(None, 400, "no such url"), Reply(None, error="no such url")),
    "anthropic": (anthropic(TEXT), Reply("<a/>", "end_turn")),
    "anthropic, cut off": (anthropic(TEXT, stop_reason="max_tokens"), Reply("<a/>", "max_tokens")),
    "anthropic, thinking": (
        anthropic({"type": "thinking", "thinking": "<a>1</a>", "signature": "x"}, TEXT, TEXT),
        Reply("<a/><a/>", "end_turn"),
    ),
    "anthropic, refusal": (anthropic(stop_reason="refusal"), Reply("", "refusal")),
    "anthropic, tool": (
        anthropic({"type": "tool_use", "id": "t", "name": "f", "input": {"text": "x"}}, stop_reason="tool_use"),
        Reply("", "tool_use"),
    ),
    "anthropic, errored": (
        {
            "custom_id": "task-1",
            "result": {
                "type": "errored",
                "error": {"type": "error", "error": {"type": "invalid_request_error", "message": "max_tokens"}},
            },
        },
        Reply(None, error="invalid_request_error: max_tokens"),
    ),
    "anthropic, canceled": ({"custom_id": "task-1", "result": {"type": "canceled"}}, Reply(None, error="canceled")),
    "anthropic, expired": ({"custom_id": "task-1", "result": {"type": "expired"}}, Reply(None, error="expired")),
    "gemini": (gemini(candidate({"text": "<a>"}, {"text": "</a>"})), Reply("<a></a>", "STOP")),
    "gemini, thought": (gemini(candidate({"text": "hm", "thought": True}, {"text": "<a/>"})), Reply("<a/>", "STOP")),
    "gemini, cut off": (gemini(candidate({"text": "<a"}, reason="MAX_TOKENS")), Reply("<a", "MAX_TOKENS")),
    "gemini, filtered": (gemini({"finishReason": "SAFETY", "index": 0}), Reply(None, "SAFETY")),
    "gemini, blocked": (
        {"key": "task-1", "response": {"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}}},
        Reply(None, "PROHIBITED_CONTENT"),
    ),
    "gemini, error": (
        {"key": "task-1", "error": {"code": 400, "message": "Bad.", "status": "INVALID_ARGUMENT"}},
        Reply(None, error="INVALID_ARGUMENT: Bad."),
    ),
    "gemini on vertex, error": (
        {"key": "task-1", "status": "Bad Request", "request": {"contents": []}, "response": {}},
        Reply(None, error="Bad Request"),
    ),
    "plain": ({"id": "task-1", "reply": "<a/>"}, Reply("<a/>")),
    "plain, cut off": ({"id": "task-1", "reply": "<a", "finish_reason": "length"}, Reply("<a", "length")),
    "plain, null": ({"id": "task-1", "reply": None}, Reply(None)),
    "plain, error": ({"id": "task-1", "reply": None, "error": "timeout"}, Reply(None, error="timeout")),
    "plain, error beside a reply": ({"id": "task-1", "reply": "<a/>", "error": "is odd"}, Reply("<a/>")),
    "plain, other columns": ({"id": "task-1", "reply": "<a/>", "response": {"body": {}}}, Reply("<a/>")),
}
"""A record with one reply, or with an error in place of it, of each provider and for each outcome."""


def rows_in(*lines: bytes, column: str = "reply") -> list[InputRow]:
    """The rows of a block of lines."""
    records = [Record("in.jsonl", number, line) for number, line in enumerate(lines, 1)]
    return list(input_rows(Block(0, records), column))


@pytest.mark.parametrize("name", ONE)
def test_each_provider_and_outcome(name: str) -> None:
    """A record is told by its content, and becomes its reply, its finish reason, or its error."""
    record, reply = ONE[name]
    assert rows_in(json.dumps(record).encode()) == [InputRow("task-1", 0, reply, "in.jsonl:1")]


@pytest.mark.parametrize(
    "record",
    [
        openai(chat({"content": "<a/>"}, {"content": "<b/>"})),
        openai({"choices": [{"text": "<b/>", "index": 1}, {"text": "<a/>", "index": 0}]}),
        gemini(candidate({"text": "<a/>"}), candidate({"text": "<b/>"}, index=1)),
    ],
    ids=["chat", "completions out of order", "gemini"],
)
def test_several_replies_to_a_request(record: Any) -> None:
    """With n > 1, each choice is a row, with the number that the provider gave it."""
    rows = rows_in(json.dumps(record).encode())
    assert {(row.id, row.sample, row.reply.text) for row in rows} == {("task-1", 0, "<a/>"), ("task-1", 1, "<b/>")}


@pytest.mark.parametrize("index", [None, "1", -1, 2**40, {}])
def test_an_odd_number_of_a_choice(index: Any) -> None:
    """A choice whose number is none, or does not fit the column, is numbered by its position."""
    choices = [{"text": "a", "index": 0}, {"text": "b", "index": index}]
    assert [row.sample for row in rows_in(json.dumps({"choices": choices}).encode())] == [0, 1]


@pytest.mark.parametrize(
    ("names", "status"),
    [
        (
            ("openai chat, refusal", "openai chat, tool", "openai responses, refusal", "openai responses, tool"),
            "refused",
        ),
        (("anthropic, refusal", "anthropic, tool", "gemini, filtered", "gemini, blocked"), "refused"),
        (("openai chat, cut off", "openai responses, cut off", "gemini, cut off"), "truncated"),
        (("plain, null",), "empty"),
        (("openai error file, expired", "vllm, error string", "anthropic, canceled", "plain, error"), "provider_error"),
    ],
    ids=range(5),
)
def test_finish_reasons_decide_on_the_status(names: tuple[str, ...], status: str) -> None:
    """The words of each provider for a refusal, a tool, a filter and a cut are understood."""
    asked = StructuredResponse.from_type(dict[str, int])
    assert [reader(asked, {})(ONE[name][1]).status for name in names] == [status] * len(names)


def test_kinds_mixed_in_a_file() -> None:
    """The records of a file may be of different providers."""
    lines = [json.dumps(record).encode() for record, _reply in ONE.values()]
    assert [row.reply for row in rows_in(*lines)] == [reply for _record, reply in ONE.values()]


def test_a_string_alone_is_a_reply() -> None:
    """A line may be the reply itself, as JSON."""
    assert rows_in(b'"<a/>"') == [InputRow(None, 0, Reply("<a/>"), "in.jsonl:1")]


def test_the_column_can_be_named() -> None:
    """Records of no provider hold their reply under any name, and ids may be numbers."""
    rows = rows_in(b'{"id": 7, "answer": "<a/>"}', column="answer")
    assert rows == [InputRow("7", 0, Reply("<a/>"), "in.jsonl:1")]


@pytest.mark.parametrize(
    ("record", "column", "row"),
    [
        ({"request_id": "a", "reply": "x"}, "reply", ("a", 0, Reply("x"))),
        ({"id": "x", "request_id": "a"}, "id", ("a", 0, Reply("x"))),
        ({"id": "a", "finish_reason": "x"}, "finish_reason", ("a", 0, Reply("x"))),
        ({"id": "a", "sample": "x", "error": "late"}, "sample", ("a", 0, Reply("x"))),
        ({"id": "a", "error": "x", "finish_reason": "stop"}, "error", ("a", 0, Reply("x", "stop"))),
        ({"id": "a", "status": "x", "data": [1], "problems": 2}, "status", ("a", 0, Reply("x"))),
    ],
    ids=range(6),
)
def test_columns_with_names_of_ours(record: Any, column: str, row: Any, tmp_path: Path) -> None:
    """The reply may be in a column that otherwise holds something else, and is then nothing besides."""
    assert rows_in(json.dumps(record).encode(), column=column)[0][:3] == row
    path = table(tmp_path / "a", **{name: [value] for name, value in record.items()})
    assert [each[:3] for block in blocks(path, 3, column) for each in input_rows(block, column)] == [row]


@pytest.mark.parametrize(
    ("line", "error"),
    [
        (b'{"reply": "<a', "in.jsonl:1: is not JSON: Unterminated string"),
        (b"<a>1</a>", "in.jsonl:1: is not JSON: Expecting value"),
        (b'{"reply": "\xff"}', "in.jsonl:1: is not UTF-8: byte 0xff at byte 12"),
        (b'{"id": 1, "answer": "x"}', "in.jsonl:1: has no reply in a known shape, and no text under 'reply'; its keys"),
        (b'{"reply": 5}', "in.jsonl:1: has no text where the reply should be, but a value of type int"),
        (b'{"reply": {"a": 1}}', "in.jsonl:1: has no reply in a known shape, and no text under 'reply'"),
        (b"[1, 2]", "in.jsonl:1: is not a record but a list"),
        (b"{}", "in.jsonl:1: has no reply in a known shape, and no text under 'reply'; its keys are: none"),
        (b'{"response": {"status_code": 200, "body": {"choices": []}}}', "in.jsonl:1: has no reply in a known shape"),
        (b'{"choices": [{"delta": {}}]}', "in.jsonl:1: has a choice without a message or a text"),
        (b"[" * 100_000, "in.jsonl:1: is not JSON"),
        (b"9" * 5_000, "in.jsonl:1: is not JSON"),
    ],
    ids=range(12),
)
def test_a_bad_line_is_a_row(line: bytes, error: str) -> None:
    """A line without a reply is a row whose error says why, with file and line. The rows around it are read."""
    before, row, after = rows_in(b'"a"', line, b'"b"')
    assert (before.reply.text, after.reply.text) == ("a", "b")
    assert row.reply.text is None
    assert str(row.reply.error).startswith(error.replace(":1:", ":2:"))


def test_lone_surrogates_and_numbers_beyond_json() -> None:
    """What Python's JSON takes and stricter readers refuse is no fault of a reply."""
    row = rows_in(b'{"reply": "\\ud83d", "logprob": -Infinity}')[0]
    assert row.reply == Reply("\ud83d")


SHAPES = [record for record, _reply in ONE.values()]
JUNK: st.SearchStrategy[Any] = st.sampled_from(
    [None, True, -1, 2**40, 1.5, "", "x", [], [None], [[]], {}, {"text": 1}, {"type": "text"}, "DEEP"]
)


def test_a_list_of_texts_is_no_reply() -> None:
    """They may be several replies. Only the parts of one are joined."""
    for reply in (["<a/>", "<b/>"], [1, 2], [None]):
        (row,) = rows_in(json.dumps({"reply": reply}).encode())
        assert row.reply == Reply(
            None, error="in.jsonl:1: has no text where the reply should be, but a value of type list"
        )


@given(st.data())
def test_no_shape_raises(data: st.DataObject) -> None:
    """Whatever stands in any place of a provider's record, the record is a row: a provider may change its shape."""
    record = json.loads(json.dumps(data.draw(st.sampled_from(SHAPES))))
    place: Any = record
    while True:
        keys = list(place) if isinstance(place, dict) else range(len(place))
        key = data.draw(st.sampled_from(list(keys)))
        if not place[key] or not isinstance(place[key], dict | list) or data.draw(st.booleans()):
            break
        place = place[key]
    place[key] = data.draw(JUNK)
    rows = rows_in(json.dumps(record).replace('"DEEP"', "[" * 1_015 + "]" * 1_015).encode())
    assert rows
    for row in rows:
        texts = (row.id, *row.reply)
        assert all(text is None or isinstance(text, str) for text in texts)
        assert type(row.sample) is int and 0 <= row.sample < 2**31


# Files


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="POSIX only")
def test_a_pipe_is_no_input(tmp_path: Path) -> None:
    """A run reads its inputs twice, and after a stop once more."""
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(BatchError, match="pipe: is not a regular file"):
        files_of(tmp_path / "pipe")


LINES = b'"one"\n\n  \t\r\n{"reply": "two"}\r\n"three"'
PACK: dict[str, Callable[[bytes], bytes]] = {"plain": bytes, "gzip": gzip.compress, "zstd": zstd.compress}


def read(inputs: Inputs, size: int = 100, column: str = "reply") -> list[tuple[str | None, str]]:
    """The text of each row and its place, without the folder."""
    rows = (row for block in blocks(inputs, size, column) for row in input_rows(block, column))
    return [(row.reply.text, Path(row.place).name) for row in rows]


@pytest.mark.parametrize("kind", PACK)
@pytest.mark.parametrize("name", ["a.jsonl", "a.gz", "a.zst", "a"])
def test_compression_is_told_by_content(kind: str, name: str, tmp_path: Path) -> None:
    """The name of a file says nothing about its compression. Blank lines count, and are no rows."""
    path = tmp_path / name
    path.write_bytes(PACK[kind](LINES))
    assert read(path) == [("one", f"{name}:1"), ("two", f"{name}:4"), ("three", f"{name}:5")]


def test_files_joined_by_cat(tmp_path: Path) -> None:
    """Compressed files one behind the other are one file."""
    for pack in (gzip.compress, zstd.compress):
        (tmp_path / "a").write_bytes(pack(b'"one"\n"tw') + pack(b'o"\n'))
        assert [text for text, _place in read(tmp_path / "a")] == ["one", "two"]


def test_byte_order_mark(tmp_path: Path) -> None:
    """The mark that Windows puts before UTF-8 is no part of the first line."""
    (tmp_path / "a").write_bytes(b'\xef\xbb\xbf"one"\n')
    assert read(tmp_path / "a") == [("one", "a:1")]


def table(path: Path, **columns: Any) -> Path:
    """A Parquet file, in row groups of three."""
    pq.write_table(pa.table(columns), path, row_group_size=3)
    return path


def test_parquet(tmp_path: Path) -> None:
    """A row of Parquet is a record, with the id, the finish reason and the error where it has such columns."""
    path = table(
        tmp_path / "no suffix",
        other=[{"x": 1}] * 4,
        key=["a", "b", "c", None],
        answer=["<a/>", None, "", None],
        finish_reason=["stop", "length", None, None],
        error=["ignored", None, None, "timeout"],
    )
    rows = [row for block in blocks(path, 3, "answer") for row in input_rows(block, "answer")]
    assert [row[:3] for row in rows] == [
        ("a", 0, Reply("<a/>", "stop")),
        ("b", 0, Reply(None, "length")),
        ("c", 0, Reply("")),
        (None, 0, Reply(None, error="timeout")),
    ]
    assert [row.place for row in rows] == [f"{path}: row {number}" for number in range(4)]


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.binary(), pa.dictionary(pa.int32(), pa.string())])
def test_types_of_the_column(kind: Any, tmp_path: Path) -> None:
    """Texts are stored in several types of Arrow."""
    path = table(tmp_path / "a", reply=pa.array(["one", None], pa.string()).cast(kind), id=[1, 2])
    assert read(path) == [("one", "a: row 0"), (None, "a: row 1")]


def test_bytes_of_parquet_that_are_no_text(tmp_path: Path) -> None:
    """They are a row with an error, like a line that is not UTF-8."""
    path = table(tmp_path / "a", reply=[b"\xff", b"one"])
    (block,) = blocks(path, 10, "reply")
    bad, good = input_rows(block, "reply")
    assert "a: row 0: " in str(bad.reply.error) and "utf-8" in str(bad.reply.error)
    assert good.reply == Reply("one")


FAULTY: dict[str, tuple[bytes, str]] = {
    "zip": (b"PK\x03\x04\x14\x00\x08\x00", "is neither Parquet nor JSON Lines in UTF-8; it begins with b'PK"),
    "utf-16": ('"a"\n'.encode("utf-16"), "is neither Parquet nor JSON Lines in UTF-8; it begins with b'\\xff\\xfe"),
    "sqlite in gzip": (gzip.compress(b"SQLite format 3\x00"), "is neither Parquet nor JSON Lines in UTF-8"),
    "pdf": (b"%PDF-1.7\n1 0 obj\n", "is neither Parquet nor JSON Lines in UTF-8; it begins with b'%PDF"),
    "csv": (b"id,reply\n1,<a/>\n", "is neither Parquet nor JSON Lines in UTF-8; it begins with b'id,reply"),
    "quoted csv in gzip": (gzip.compress(b'"id","reply"\n"1","<a/>"\n'), "is neither Parquet nor JSON Lines in UTF-8"),
    "numbers": (b"1\n2\n", "is neither Parquet nor JSON Lines in UTF-8; it begins with b'1"),
    "json": (b'[\n  {"id": 1, "reply": "<a/>"},\n', "is neither Parquet nor JSON Lines in UTF-8; it begins with b'["),
    "a reply": (b"<a>1</a>\n", "is neither Parquet nor JSON Lines in UTF-8; it begins with b'<a>"),
    "empty": (b"", "is empty"),
    "empty gzip": (gzip.compress(b""), "is empty"),
    "half a Parquet": (b"PAR1\x15\x04", "cannot be read: "),
    "damaged gzip": (gzip.compress(b'"a"\n')[:-6] + b"\x00\x01\x02\x03\x04\x05", "cannot be read on: CRC check failed"),
}


@pytest.mark.parametrize("name", FAULTY)
def test_files_of_other_kinds(name: str, tmp_path: Path) -> None:
    """A file that holds no records is an error with its path and what was found, before anything is read."""
    content, message = FAULTY[name]
    (tmp_path / "a.jsonl").write_bytes(b'"one"\n')
    (tmp_path / "b.jsonl").write_bytes(content)
    with pytest.raises(BatchError) as caught:
        list(blocks(tmp_path, 1, "reply"))
    assert str(caught.value).startswith(f"{tmp_path / 'b.jsonl'}: {message}")


def test_a_bad_first_line_is_a_row(tmp_path: Path) -> None:
    """A file with a record among its first lines is one of records, whatever else is in it."""
    (tmp_path / "a").write_bytes(b'WARNING: slow\n{"reply": "o\n"two"\n')
    assert read(tmp_path / "a") == [(None, "a:1"), (None, "a:2"), ("two", "a:3")]


def test_missing_column(tmp_path: Path) -> None:
    """A Parquet file without the column, or with several of its name, is an error that names those that it has."""
    path = table(tmp_path / "a", id=[1], answer=["x"])
    with pytest.raises(BatchError) as caught:
        list(blocks(path, 1, "reply"))
    assert str(caught.value) == f"{path}: has no column 'reply'; its columns are: id, answer"
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
    pq.write_table(pa.table([["x"], ["y"]], ["reply", "reply"]), path)
    with pytest.raises(BatchError, match="has several columns 'reply'"):
        list(blocks(path, 1, "reply"))


@pytest.mark.parametrize("pack", [gzip.compress, zstd.compress], ids=["gzip", "zstd"])
def test_a_file_that_breaks_off(pack: Callable[[bytes], bytes], tmp_path: Path) -> None:
    """All its whole lines are given, and then an error that names the file."""
    lines = [json.dumps(os.urandom(500).hex()).encode() for _ in range(2_000)]
    packed = pack(b"\n".join(lines))
    path = tmp_path / "a"
    path.write_bytes(packed[: len(packed) // 2])
    for size in (1, 10_000):
        got: list[Record] = []
        with pytest.raises(BatchError) as caught:
            got.extend(record for block in blocks(path, size, "reply") for record in block.records)
        assert 500 < len(got) < 1_500
        assert [record.content for record in got] == lines[: len(got)]
        assert str(caught.value) == f"{path}: the compressed data breaks off here"


def test_a_very_long_line(tmp_path: Path) -> None:
    """A line may be as long as memory allows."""
    (tmp_path / "a").write_text(json.dumps("x" * 8_000_000))
    ((text, _place),) = read(tmp_path / "a")
    assert len(str(text)) == 8_000_000


# Inputs and blocks


def names(inputs: Any) -> list[str]:
    """The names of the files that inputs stand for."""
    return [Path(path).name for path in files_of(inputs)]


def test_a_folder_stands_for_its_files(tmp_path: Path) -> None:
    """A folder stands for its data files, sorted, and a pattern for what it matches. A path wins over a pattern."""
    for name in ("b.jsonl", "a.parquet", "c.jsonl.gz", "manifest.json", "_SUCCESS", ".hidden.jsonl", "x[1].jsonl"):
        (tmp_path / name).touch()
    (tmp_path / "folder.jsonl").mkdir()
    assert names(tmp_path) == ["a.parquet", "b.jsonl", "c.jsonl.gz", "x[1].jsonl"]
    assert names(str(tmp_path / "*.jsonl")) == ["b.jsonl", "x[1].jsonl"]
    assert names(tmp_path / "x[1].jsonl") == ["x[1].jsonl"]
    assert names([tmp_path / "manifest.json", str(tmp_path / "b*")]) == ["manifest.json", "b.jsonl"]


def test_no_such_file(tmp_path: Path) -> None:
    """A path, a pattern and a folder without files are errors that say what is there."""
    (tmp_path / "notes.txt").touch()
    for path in (tmp_path / "none.jsonl", tmp_path / "*.jsonl"):
        with pytest.raises(BatchError, match="there is no such file"):
            files_of(path)
    with pytest.raises(BatchError, match=r"no file of the folder ends in .*found \['notes.txt'\]"):
        files_of(tmp_path)


def test_blocks_are_fixed_ranges(tmp_path: Path) -> None:
    """Blocks have `size` records across files, and are the same when some are skipped. They can be pickled."""
    (tmp_path / "a.jsonl").write_text("".join(f'\n"{number}"\n' for number in range(5)))
    table(tmp_path / "b.parquet", reply=[str(number) for number in range(5, 12)])
    made = list(blocks(tmp_path, 4, "reply"))
    assert [(block.number, len(block.records)) for block in made] == [(0, 4), (1, 4), (2, 4)]
    assert list(blocks(tmp_path, 4, "reply", skip={0, 2})) == made[1:2]
    assert pickle.loads(pickle.dumps(made)) == made
    assert list(blocks([], 4, "reply")) == []


def test_memory_is_that_of_a_block(tmp_path: Path) -> None:
    """Memory does not grow with the number of replies, in lines or in one large group of Parquet."""
    texts = [os.urandom(500).hex() for _ in range(20_000)]
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, texts)))
    pq.write_table(pa.table({"reply": texts}), tmp_path / "b.parquet", use_dictionary=False)
    for name in ("a.jsonl", "b.parquet"):
        tracemalloc.start()
        count = sum(len(block.records) for block in blocks(tmp_path / name, 500, "reply"))
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert count == 20_000
        assert peak < 5_000_000
