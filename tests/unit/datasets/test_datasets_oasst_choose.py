"""Filters for messages and trees, pruned trees, and splits."""

from typing import Any

import pytest

from structured_response.datasets.oasst import (
    ExportMessageTree,
    flatten_tree,
    iter_messages,
    iter_threads,
    message_filter,
    prune_tree,
    split_by_tree,
    tree_filter,
)
from tests.datasets import message, small_tree, tree

FILTERS: dict[str, tuple[dict[str, Any], dict[str, Any], bool]] = {
    "nothing asked": ({}, {}, True),
    "a state": ({"state": "growing"}, {"tree_state": "growing"}, True),
    "another state": ({"state": "growing"}, {"tree_state": "done"}, False),
    "a language": ({"lang": "de"}, {"lang": "de"}, True),
    "one of several languages": ({"lang": ["de", "en"]}, {"lang": "en"}, True),
    "no language": ({"lang": "de"}, {"lang": None}, False),
    "a role": ({"role": "assistant"}, {"role": "assistant"}, True),
    "another role": ({"role": "assistant"}, {"role": "prompter"}, False),
    "a user": ({"user": "u"}, {"user_id": "u"}, True),
    "another user": ({"user": "u"}, {"user_id": "v"}, False),
    "deleted": ({"deleted": True}, {"deleted": True}, True),
    "not deleted": ({"deleted": False}, {"deleted": True}, False),
    "does not say whether deleted": ({"deleted": False}, {}, True),
    "synthetic": ({"synthetic": True}, {"synthetic": True}, True),
    "not synthetic": ({"synthetic": True}, {}, False),
    "spam": ({"spam": True}, {"review_result": False}, True),
    "not spam": ({"spam": True}, {"review_result": True}, False),
    "not reviewed": ({"spam": False}, {"review_result": None}, True),
    "no spam wanted": ({"spam": False}, {"review_result": False}, False),
    "one of two": ({"lang": "en", "deleted": False}, {"lang": "en", "deleted": True}, False),
}


@pytest.mark.parametrize(("asked", "fields", "passes"), FILTERS.values(), ids=FILTERS)
def test_message_filter(asked: dict[str, Any], fields: dict[str, Any], passes: bool) -> None:
    """A message passes if it is all that is asked for."""
    assert message_filter(**asked)(message("a", **fields)) is passes


TREE_FILTERS: dict[str, tuple[dict[str, Any], bool]] = {
    "nothing asked": ({}, True),
    "its state": ({"state": ["growing", "ready_for_export"]}, True),
    "another state": ({"state": "growing"}, False),
    "the prompt's language": ({"lang": "en"}, True),
    "the language of a reply": ({"lang": "es"}, False),
    "all messages": ({"messages": message_filter(deleted=False)}, True),
    "not all messages": ({"messages": message_filter(synthetic=False)}, False),
}


@pytest.mark.parametrize(("asked", "passes"), TREE_FILTERS.values(), ids=TREE_FILTERS)
def test_tree_filter(asked: dict[str, Any], passes: bool) -> None:
    """A tree passes by its state, its prompt's language and all of its messages."""
    assert tree_filter(**asked)(small_tree()) is passes


def test_prune() -> None:
    """With a message goes all that stands below it; the tree itself stays as it was."""
    whole = small_tree()
    pruned = prune_tree(whole, lambda each: each.message_id != "b")
    assert pruned is not None
    assert [each.message_id for each in iter_messages(pruned.prompt)] == ["a", "e"]
    assert prune_tree(whole, message_filter(role="assistant")) is None
    assert prune_tree(ExportMessageTree(message_tree_id="a"), lambda _each: True) is None
    assert whole == small_tree()


def forest() -> list[ExportMessageTree]:
    """Twenty trees of two messages."""
    return [tree(message(f"reply {number}"), name=f"t{number:02}") for number in range(20)]


def test_split_keeps_trees_whole() -> None:
    """Trees, rows and threads of the same trees fall on the same sides, in their order."""
    train, held_out = split_by_tree(forest(), 0.25, seed=7)
    assert (len(train), len(held_out)) == (15, 5)
    assert [*train, *held_out] != forest()
    assert sorted([*train, *held_out], key=lambda each: each.message_tree_id) == forest()
    assert held_out == sorted(held_out, key=lambda each: each.message_tree_id)
    names = {each.message_tree_id for each in held_out}
    rows = split_by_tree([row for each in forest() for row in flatten_tree(each)], 0.25, seed=7)
    threads = split_by_tree([thread for each in forest() for thread in iter_threads(each)], 0.25, seed=7)
    assert {row.message_tree_id for row in rows[1]} == names
    assert {thread.thread[0].message_tree_id for thread in threads[1]} == names
    assert (len(rows[1]), len(threads[1])) == (10, 5)


def test_split_by_seed() -> None:
    """The same seed makes the same split, another one another."""
    assert split_by_tree(forest(), 0.5, seed=1) == split_by_tree(forest(), 0.5, seed=1)
    assert split_by_tree(forest(), 0.5, seed=1) != split_by_tree(forest(), 0.5, seed=2)


@pytest.mark.parametrize(("share", "sizes"), [(0, (20, 0)), (1, (0, 20))])
def test_split_of_all(share: float, sizes: tuple[int, int]) -> None:
    """A share may be none or all of it."""
    train, held_out = split_by_tree(forest(), share)
    assert (len(train), len(held_out)) == sizes


@pytest.mark.parametrize("share", [-0.1, 10, float("nan")])
def test_share_is_a_part(share: float) -> None:
    """A share is no percentage."""
    with pytest.raises(ValueError, match="a part of the trees, from 0 to 1"):
        split_by_tree(forest(), share)
