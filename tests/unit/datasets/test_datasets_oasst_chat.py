"""Threads as chat messages, and trees as pairs of replies, one of which is better."""

from structured_response.datasets.oasst import iter_threads, to_chat, to_preferences
from tests.datasets import message, small_tree, tree


def test_chat() -> None:
    """The prompter is the user; a thread may be a record, or messages in a list."""
    thread = next(iter_threads(small_tree()))
    chat = [
        {"role": "user", "content": "A"},
        {"role": "assistant", "content": "B"},
        {"role": "user", "content": "C"},
    ]
    assert (to_chat(thread), to_chat(thread.thread), to_chat([])) == (chat, chat, [])


def test_preferences_go_by_rank() -> None:
    """The reply of the lower rank is chosen, wherever it stands; the prompt is the chat up to there."""
    (pair,) = to_preferences(small_tree())
    assert (pair.chosen, pair.rejected, pair.chosen_id, pair.rejected_id) == ("E", "B", "e", "b")
    assert pair.prompt == [{"role": "user", "content": "A"}]


def test_every_pair_of_ranked_replies() -> None:
    """Of n ranked replies each pair is one preference, best first; those without a rank, or with the same, are none."""
    replies = [
        message(name, role="assistant", rank=rank) for name, rank in zip("bcdef", (2, 0, None, 1, 1), strict=True)
    ]
    pairs = list(to_preferences(tree(*replies)))
    assert [pair.chosen_id + pair.rejected_id for pair in pairs] == ["ce", "cf", "cb", "eb", "fb"]


def test_preferences_of_a_role() -> None:
    """Prompts that follow a reply are ranked too, and can be asked for."""
    ranked = tree(message("b", message("c", rank=1), message("d", rank=0), role="assistant"))
    assert list(to_preferences(ranked)) == []
    assert [pair.chosen_id for pair in to_preferences(ranked, role="prompter")] == ["d"]
