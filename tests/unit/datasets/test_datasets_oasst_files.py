"""Files of an Open-Assistant export: the three shapes, lazy readers, writers, and the real sample."""

import gzip
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from structured_response import DatasetError
from structured_response.datasets import oasst, read_records
from tests.datasets import message, save, small_tree

MESSAGE = '{"message_id": "a", "text": "A", "role": "prompter", "message_tree_id": "t"}'
TREE = '{"message_tree_id": "a", "prompt": {"message_id": "a", "text": "A", "role": "prompter"}}'
THREAD = '{"thread_id": "a", "thread": [{"message_id": "a", "text": "A", "role": "prompter"}]}'


def test_shapes(tmp_path: Path) -> None:
    """Lines of all three shapes may stand in one file; a message that names its tree is a message."""
    path = save(tmp_path, "a.jsonl", MESSAGE, "", TREE, THREAD)
    shapes = [oasst.ExportMessageNode, oasst.ExportMessageTree, oasst.ExportMessageThread]
    assert [type(record) for record in oasst.read_oasst_jsonl(path)] == shapes


READERS: dict[str, tuple[Callable[[Path], Iterator[Any]], str]] = {
    "messages": (oasst.read_messages, MESSAGE),
    "trees": (oasst.read_message_trees, TREE),
    "threads": (oasst.read_threads, THREAD),
}
LISTS: dict[str, tuple[Callable[..., list[Any]], str]] = {
    "messages": (oasst.read_message_list, MESSAGE),
    "trees": (oasst.read_message_tree_list, TREE),
    "threads": (oasst.read_thread_list, THREAD),
}


@pytest.mark.parametrize(("read", "line"), READERS.values(), ids=READERS)
def test_readers_are_lazy_and_take_their_own_shape(
    read: Callable[[Path], Iterator[Any]], line: str, tmp_path: Path
) -> None:
    """A reader gives the lines before one of another shape, which it names."""
    other = THREAD if line != THREAD else TREE
    records = read(save(tmp_path, "a.jsonl", line, line, other))
    assert next(records) == next(records)
    with pytest.raises(DatasetError, match=r"a\.jsonl:3: is a (thread|message tree), not a "):
        next(records)


@pytest.mark.parametrize(("read", "line"), LISTS.values(), ids=LISTS)
def test_lists_have_a_filter(read: Callable[..., list[Any]], line: str, tmp_path: Path) -> None:
    """The list forms give all records, or those that a filter lets pass."""
    path = save(tmp_path, "a.jsonl", line, line)
    assert (len(read(path)), len(read(path, filter=lambda record: False))) == (2, 0)


BAD_LINES = {
    "no JSON": ("{", "a.jsonl:2: is not JSON: EOF while parsing an object, at byte 1"),
    "no object": ("[1]", "a.jsonl:2: input should be an object; found [1]"),
    "no shape": (
        '{"id": 1, "b": 2}',
        "a.jsonl:2: has none of message_id, message_tree_id, thread_id; it has 'id', 'b'",
    ),
    "nothing": ("{}", "a.jsonl:2: has none of message_id, message_tree_id, thread_id; it has nothing"),
    "a deep fault": (
        '{"message_tree_id": "a", "prompt": {"message_id": "a", "text": "A", "role": "prompter", "replies": [{}]}}',
        "\n  a.jsonl:2: $.prompt.replies[0].".join(
            ["3 faults", *(f"{field}: required, but not there" for field in ("message_id", "text", "role"))]
        ),
    ),
    "a bad event": (
        MESSAGE.replace("}", ', "events": {"score": [{"type": "score", "score": 9}]}}'),
        "a.jsonl:2: $.events.score[0].score: input should be less than or equal to 1; found 9",
    ),
    "a thread's id": (
        THREAD.replace('"thread_id": "a"', '"thread_id": "b"'),
        "a.jsonl:2: the last message is 'a', which is not the thread_id 'b'",
    ),
}


@pytest.mark.parametrize(("line", "error"), BAD_LINES.values(), ids=BAD_LINES)
def test_bad_lines(line: str, error: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bad line in the middle is told with file, line and field, behind the good ones."""
    monkeypatch.chdir(tmp_path)
    save(tmp_path, "a.jsonl", TREE, line, TREE)
    got: list[Any] = []
    with pytest.raises(DatasetError) as caught:
        got.extend(oasst.read_oasst_jsonl("a.jsonl"))
    assert (len(got), str(caught.value)) == (1, error)


def test_scan_goes_on_behind_bad_lines(tmp_path: Path) -> None:
    """A scan gives every line, with its record or its faults."""
    path = save(tmp_path, "a.jsonl", TREE, "{", "", MESSAGE)
    lines = list(oasst.scan_oasst_jsonl(path))
    assert [(line.number, line.record is None, len(line.faults)) for line in lines] == [
        (1, False, 0),
        (2, True, 1),
        (4, False, 0),
    ]


def test_wrong_encoding(tmp_path: Path) -> None:
    """Latin-1 is told by its first byte that is no UTF-8."""
    path = tmp_path / "a.jsonl"
    path.write_bytes(MESSAGE.replace('"A"', '"é"').encode("latin-1"))
    with pytest.raises(DatasetError, match=r"a\.jsonl:1: is not UTF-8: byte 0xe9 at byte 30 of the line"):
        list(oasst.read_messages(path))


@pytest.mark.parametrize("depth", [60, 5_000])
def test_deep_lines(depth: int, tmp_path: Path) -> None:
    """A tree of sixty generations is read; what nests without end is an error with its line."""
    open_part = MESSAGE[:-1] + ', "replies": ['
    path = save(tmp_path, "a.jsonl", open_part * depth + MESSAGE + "]}" * depth)
    if depth < 100:
        assert len(list(oasst.iter_messages(next(oasst.read_messages(path))))) == depth + 1
    else:
        with pytest.raises(DatasetError, match=r"a\.jsonl:1: is not JSON: recursion limit"):
            next(oasst.read_messages(path))


def test_integers_keep_their_digits(tmp_path: Path) -> None:
    """A number of a key that is not known, too long for a float, comes back as it was."""
    path = save(tmp_path, "a.jsonl", MESSAGE.replace("}", ', "big": 12345678901234567890123}'))
    assert next(oasst.read_messages(path)).model_dump()["big"] == 12345678901234567890123


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz", "a.jsonl.zst"])
def test_written_trees_come_back(name: str, tmp_path: Path) -> None:
    """Trees are read as they were written, packed or not."""
    trees = [small_tree(), small_tree()]
    assert oasst.write_message_trees(tmp_path / name, iter(trees)) == 2
    assert oasst.read_message_tree_list(tmp_path / name) == trees


def test_nulls(tmp_path: Path) -> None:
    """Nulls are left out, or written on request."""
    path = tmp_path / "a.jsonl"
    oasst.write_messages(path, [message("a")])
    assert path.read_text() == '{"message_id":"a","text":"A","role":"prompter","lang":"en"}\n'
    oasst.write_messages(path, [message("a")], exclude_none=False)
    assert json.loads(path.read_text())["rank"] is None


def test_messages_are_written_without_replies(tmp_path: Path) -> None:
    """Each message is a line of its own; its replies are others."""
    path = tmp_path / "a.jsonl"
    oasst.write_messages(path, oasst.iter_messages(small_tree().prompt))
    assert [json.loads(line)["message_id"] for line in path.read_text().splitlines()] == list("abcde")
    assert "replies" not in path.read_text()


def test_written_threads_come_back(tmp_path: Path) -> None:
    """Threads are read as they were written."""
    threads = list(oasst.iter_threads(small_tree()))
    oasst.write_threads(tmp_path / "a.jsonl", threads)
    assert oasst.read_thread_list(tmp_path / "a.jsonl") == threads


def test_a_record_that_cannot_be_written(tmp_path: Path) -> None:
    """Half of a surrogate pair has no UTF-8: the error names the record, and the old file stays."""
    path = save(tmp_path, "a.jsonl", MESSAGE)
    bad = oasst.ExportMessageNode.model_construct(message_id="a", text="\ud800", role="prompter")
    with pytest.raises(DatasetError, match=r"a\.jsonl:2: cannot be written as JSON"):
        oasst.write_messages(path, [message("a"), bad])
    assert path.read_text() == MESSAGE + "\n"


def test_open_jsonl_read(tmp_path: Path) -> None:
    """The lines can be had as text, for who reads them alone."""
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress(f"{TREE}\n".encode()))
    with oasst.open_jsonl_read(tmp_path / "a.jsonl.gz") as file:
        assert [json.loads(line) for line in file] == [json.loads(TREE)]


def test_tables_of_the_public_datasets(tmp_path: Path) -> None:
    """The rows of a public dataset, which has lists of labels and emojis, are messages that make trees."""
    columns: dict[str, Any] = {
        "labels": {"name": ["spam", "quality"], "value": [0.0, None], "count": [3, 2]},
        "emojis": {"name": ["+1"], "count": [5]},
    }
    rows = [
        {"message_id": "a", "text": "A", "role": "prompter", "parent_id": None, "tree_state": "done", **columns},
        {"message_id": "b", "text": "B", "role": "assistant", "parent_id": "a", "labels": None, "emojis": None},
    ]
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "train.parquet")
    first, second = read_records(tmp_path / "train.parquet", oasst.ExportMessageNode)
    assert first.model_dump(include={"labels", "emojis"}) == {
        "labels": {"spam": {"value": 0.0, "count": 3}, "quality": {"value": None, "count": 2}},
        "emojis": {"+1": 5},
    }
    (found,) = oasst.rebuild_trees([second, first])
    assert (found.message_tree_id, found.tree_state) == ("a", "done")
    assert [each.message_id for each in oasst.iter_messages(found.prompt)] == ["a", "b"]


@pytest.mark.parametrize(
    "emojis", [{"name": [1], "count": [1]}, {"name": ["a"], "count": []}, {"name": ["a"]}, {"name": "a", "count": 1}]
)
def test_tables_that_are_none(emojis: Any, tmp_path: Path) -> None:
    """Lists that do not go together are a fault, not a crash."""
    path = save(tmp_path, "a.jsonl", json.dumps({**json.loads(MESSAGE), "emojis": emojis}))
    with pytest.raises(DatasetError, match=r"a\.jsonl:1: \$\.emojis"):
        list(oasst.read_messages(path))


@pytest.fixture(scope="module")
def sample(shared: Path) -> Path:
    """The real file of a hundred trees."""
    return shared / "data" / "oasst" / "en_100_tree.jsonl"


def test_sample_lines_come_back(sample: Path, tmp_path: Path) -> None:
    """Every line of a real export is equal to its model without nulls, and to what is written of it."""
    lines = [json.loads(line) for line in sample.read_text(encoding="utf-8").splitlines()]
    trees = list(oasst.read_message_trees(sample))
    assert [tree.model_dump(mode="json", exclude_none=True) for tree in trees] == lines
    oasst.write_message_trees(tmp_path / "a.jsonl", trees)
    assert [json.loads(line) for line in (tmp_path / "a.jsonl").read_text(encoding="utf-8").splitlines()] == lines


def test_sample_numbers(sample: Path) -> None:
    """The real export holds what it is known to hold."""
    trees = oasst.read_message_tree_list(sample)
    messages = [each for tree in trees for each in oasst.iter_messages(tree.prompt)]
    roles = [each.role for each in messages]
    threads = [thread for tree in trees for thread in oasst.iter_threads(tree)]
    human = oasst.tree_filter(messages=oasst.message_filter(synthetic=False))
    assert (len(trees), len(messages), len({each.message_id for each in messages})) == (100, 1167, 1167)
    assert (roles.count("prompter"), roles.count("assistant")) == (480, 687)
    assert sum(map(oasst.message_filter(synthetic=True), messages)) == 22
    assert sum(not each.replies for each in messages) == 626
    assert (len(threads), max(len(thread.thread) for thread in threads)) == (626, 6)
    assert [each.message_id[:8] for each in messages[:4]] == ["054e1df3", "fa783ef0", "03334b2a", "8f5fa95e"]
    assert len(oasst.read_message_tree_list(sample, filter=human)) == 95
    assert oasst.rebuild_trees(row for tree in trees for row in oasst.flatten_tree(tree)) == trees
    assert oasst.validate(sample) == []
