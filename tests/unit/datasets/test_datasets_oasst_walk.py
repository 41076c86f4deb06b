"""Ways through a tree of messages: orders, predicates, rows and back."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from structured_response import DatasetError
from structured_response.datasets.oasst import (
    ExportMessageNode,
    ExportMessageTree,
    flatten_tree,
    iter_messages,
    iter_threads,
    rebuild_trees,
    visit_messages_depth_first,
    visit_threads_depth_first,
)
from tests.datasets import message, small_tree, tree


def ids(messages: Any) -> str:
    """The ids of messages in a row."""
    return "".join(each.message_id for each in messages)


def test_messages_in_depth() -> None:
    """A message is visited before its replies, these in their order."""
    visited: list[ExportMessageNode] = []
    visit_messages_depth_first(small_tree().prompt, visited.append)
    assert ids(visited) == "abcde"


def test_the_predicate_filters_calls_alone() -> None:
    """Below a message that the predicate turns down the walk goes on."""
    visited: list[ExportMessageNode] = []
    visit_messages_depth_first(
        small_tree().prompt, visitor=visited.append, predicate=lambda each: each.role != "assistant"
    )
    assert ids(visited) == "acd"


def test_threads_in_depth() -> None:
    """Every way from the root to a message is a thread, in the same order; each call has a list of its own."""
    visited: list[list[ExportMessageNode]] = []
    visit_threads_depth_first(small_tree().prompt, visited.append)
    assert list(map(ids, visited)) == ["a", "ab", "abc", "abd", "ae"]
    visited.clear()
    visit_threads_depth_first(small_tree().prompt, visited.append, lambda thread: len(thread) == 2, [message("z")])
    assert list(map(ids, visited)) == ["za"]


def test_nothing_to_visit() -> None:
    """A tree without a prompt has no messages and no threads."""
    empty = ExportMessageTree(message_tree_id="a")
    visited: list[object] = []
    visit_messages_depth_first(empty.prompt, visited.append)
    visit_threads_depth_first(empty.prompt, visited.append)
    assert (visited, list(iter_threads(empty)), list(flatten_tree(empty))) == ([], [], [])


def test_whole_threads() -> None:
    """The threads of a tree end in messages without replies, whose ids they have; the messages bring no replies."""
    threads = list(iter_threads(small_tree()))
    assert [(thread.thread_id, ids(thread.thread)) for thread in threads] == [("c", "abc"), ("d", "abd"), ("e", "ae")]
    assert all(each.replies is None and each.message_tree_id == "a" for thread in threads for each in thread.thread)


def test_rows() -> None:
    """The rows of a tree come in depth-first order and name the tree and its state; the tree stays as it was."""
    whole = small_tree()
    rows = list(flatten_tree(whole))
    assert ids(rows) == "abcde"
    assert {(row.message_tree_id, row.tree_state, row.replies) for row in rows} == {("a", "ready_for_export", None)}
    assert whole == small_tree()


def trees() -> st.SearchStrategy[ExportMessageTree]:
    """Trees of any shape, with ids that no other message of the tree has."""
    shapes: st.SearchStrategy[list[Any]] = st.recursive(
        st.just([]), lambda inner: st.lists(inner, max_size=4), max_leaves=12
    )
    return st.tuples(shapes, st.sampled_from(["growing", None])).map(lambda drawn: numbered(*drawn))


def numbered(shape: list[Any], state: str | None) -> ExportMessageTree:
    """A tree of a shape, its messages numbered."""
    count = iter(range(10_000))

    def node(replies: list[Any]) -> ExportMessageNode:
        return message(f"m{next(count)}", *map(node, replies))

    prompt = node(shape)
    return ExportMessageTree(message_tree_id=prompt.message_id, tree_state=state, prompt=prompt)


@given(whole=trees(), random=st.randoms(use_true_random=False))
def test_rows_make_the_tree_again(whole: ExportMessageTree, random: Any) -> None:
    """The rows of a tree, prompts and replies in their order, make the tree again, whatever stands in between."""
    rows = list(flatten_tree(whole))
    assert rebuild_trees(rows) == [whole]
    parents = list(dict.fromkeys(row.parent_id for row in rows))
    random.shuffle(parents)
    assert rebuild_trees([row for parent in parents for row in rows if row.parent_id == parent]) == [whole]


def test_very_deep_trees() -> None:
    """No way through a tree has a bound on its depth."""
    deep = message("last")
    for number in range(5_000):
        deep = message(str(number), deep)
    whole = ExportMessageTree(message_tree_id=deep.message_id, prompt=deep)
    rows = list(flatten_tree(whole))
    assert len(rows) == 5_001
    assert len(next(iter_threads(whole)).thread) == 5_001
    (again,) = rebuild_trees(rows)
    assert ids(iter_messages(again.prompt)) == ids(rows)


def test_rows_that_make_no_tree() -> None:
    """Messages without a parent, twice there, or in a circle are all named; the trees of the others are there."""
    rows = [
        *flatten_tree(tree(message("b"))),
        message("b", parent_id="a"),
        message("x", parent_id="y"),
        message("p", parent_id="q"),
        message("q", parent_id="p"),
    ]
    with pytest.raises(DatasetError) as caught:
        rebuild_trees(rows)
    assert [str(fault) for fault in caught.value.faults] == [
        "row 2: $.message_id: message 'b' occurs again",
        "$.parent_id: message 'x' replies to 'y', which is not there",
        "$.parent_id: message 'p' cannot be reached from any prompt",
        "$.parent_id: message 'q' cannot be reached from any prompt",
    ]
    assert caught.value.records == [tree(message("b"))]
