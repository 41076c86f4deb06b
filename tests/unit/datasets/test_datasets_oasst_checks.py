"""All faults of a file of an Open-Assistant export."""

from pathlib import Path

from structured_response.datasets.oasst import iter_threads, validate, write_message_trees, write_threads
from tests.datasets import message, save, small_tree, tree


def test_a_good_file(tmp_path: Path) -> None:
    """Trees, and threads that share messages, have no faults."""
    write_message_trees(tmp_path / "a.jsonl", [small_tree()])
    write_threads(tmp_path / "b.jsonl", iter_threads(small_tree()))
    assert validate(tmp_path / "a.jsonl") + validate(tmp_path / "b.jsonl") == []


def test_all_faults(tmp_path: Path) -> None:
    """Each fault is told, those of lines and those of how messages hang together."""
    astray = tree(message("b", message("c")), name="t")
    assert astray.prompt is not None and astray.prompt.replies is not None
    astray.prompt.replies[0].parent_id = "z"
    astray.message_tree_id = "s"
    path = save(
        tmp_path,
        "a.jsonl",
        astray.model_dump_json(exclude_none=True),
        "{",
        '{"message_tree_id": "x"}',
        message("c").model_dump_json(exclude_none=True),
        '{"thread_id": "v", "thread": [{"message_id": "u", "text": "", "role": "prompter"},'
        ' {"message_id": "v", "text": "", "role": "assistant", "parent_id": "w"}]}',
    )
    assert [str(fault).removeprefix(f"{path}:") for fault in validate(path)] == [
        "1: $.message_tree_id: is not the id of the prompt, 't'",
        "1: $.prompt.replies[0].parent_id: is 'z', where the parent is 't'",
        "2: is not JSON: EOF while parsing an object, at byte 1",
        "3: $.prompt: required, but not there",
        "4: $.message_id: 'c' is already in line 1",
        "5: $.thread[1].parent_id: is 'w', where the parent is 'u'",
    ]
