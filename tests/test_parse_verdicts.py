"""What a list that was written as text says of its items."""

import pytest

from structured_response.definition import Node
from structured_response.parse.lines.split_items import split_items

DIFFER = [
    "- [x] low\n- [ ] high",
    "low: yes\nhigh: no",
    "low = 1\nhigh = 0",
    "\u2705 low\n\u274c high",
    "low \u2713\nhigh \u2717",
]
AGREE = ["- [x] low\n- [x] high", "- [ ] low\n- [ ] high", "low: yes\nhigh: yes", "low: yes\nhigh", "low\nhigh"]


@pytest.mark.parametrize("text", DIFFER)
def test_verdicts_that_differ_leave_two_lists(text: str) -> None:
    """All of the items, or those that hold; of texts, which keep their verdicts, boxes alone count."""
    choices = split_items(text, Node("enum", choices=("low", "high")))
    assert (choices.items, len(choices.candidates)) == ([], 2)
    assert bool(split_items(text, Node("str")).candidates) is ("[x]" in text)
    assert not split_items(text, Node("bool")).candidates


@pytest.mark.parametrize("text", AGREE)
def test_others_say_nothing(text: str) -> None:
    """The same of all, or of some of them alone."""
    assert len(split_items(text, Node("enum", choices=("low", "high"))).items) == 2


@pytest.mark.parametrize("more", ["...", "\u2026", "etc.", "etc", "and so on", "and 3 more", "and others"])
def test_an_item_for_others_is_none(more: str) -> None:
    """The list goes on where nobody sees it. Alone it is a text like any other."""
    found = split_items(f"a\nb\n{more}", Node("str"))
    assert ([piece.text for piece in found.items], found.is_cut_short) == (["a", "b"], True)
    assert not split_items(more, Node("str")).is_cut_short
