"""Pairs of tags: by names alone, what is left over of a name, and the budget of all looks ahead.

A text of the tables has a letter for each tag: `a` opens, `A` closes.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from structured_response.parse.xml.pairs import Pairs
from structured_response.parse.xml.tokens import CLOSE, OPEN, Head, Tags


def pairs(letters: str) -> Pairs:
    """The pairs of tags without any text between them."""
    tags = Tags()
    for letter in letters:
        tags.heads.append(Head(OPEN if letter.islower() else CLOSE, letter.lower()))
        tags.starts.append(tags.ends[-1] if tags.ends else 0)
        tags.ends.append(tags.starts[-1] + 1)
    return Pairs(tags, letters)


PARTNERS = [
    ("aA", [1, 0], "a pair"),
    ("aaAA", [3, 2, 1, 0], "one in another"),
    ("aaA", [-1, 2, 1], "the closing tag is the innermost one's"),
    ("AaA", [-1, 2, 1], "one that nothing opens"),
    ("abAB", [2, 3, 0, 1], "what crosses pairs up all the same"),
    ("aBbA", [3, -1, -1, 0], "a closing tag is none of what comes behind it"),
]


@pytest.mark.parametrize(("letters", "partners", "case"), PARTNERS)
def test_tags_pair_up_by_name(letters: str, partners: list[int], case: str) -> None:
    """In whichever order they are asked for: the next tag may tell without pairing all."""
    assert [pairs(letters).partner(i) for i in range(len(letters))] == partners, case
    made = pairs(letters)
    assert [made.partner(i) for i in range(len(letters))] == partners, case


SURPLUS = [("aA", "a", 0, 1), ("aA", "a", 1, 0), ("aAA", "a", 1, 1), ("aAaa", "a", 1, -2), ("aA", "b", 0, 0)]


@pytest.mark.parametrize(("letters", "key", "behind", "surplus"), SURPLUS)
def test_closing_tags_that_outnumber_the_opening_ones(letters: str, key: str, behind: int, surplus: int) -> None:
    """Behind a tag, of one name."""
    assert pairs(letters).surplus(key, behind) == surplus


LATER = [
    ("aAa", 0, (True, True, False)),
    ("aAa", 1, (True, True, False)),
    ("aAa", 2, (False, False, False)),
    ("aAA", 0, (True, False, True)),
    ("bB", 0, (False, False, False)),
]


@pytest.mark.parametrize(("letters", "i", "expected"), LATER)
def test_more_tags_of_a_name(letters: str, i: int, expected: tuple[bool, bool, bool]) -> None:
    """Closing ones from a tag on, opening ones behind it, closing ones behind it that nothing opens."""
    made = pairs(letters)
    assert (made.closes_later("a", i), made.opens_later("a", i), made.closes_too_often("a", i)) == expected


def test_the_budget_is_spent_once() -> None:
    """What is wanted is given while it lasts; then nothing is found any more."""
    made = pairs("aA")
    whole = made.left_to_spend()
    assert (made.spend(3), made.left_to_spend()) == (3, whole - 3)
    assert (made.spend(whole), made.left_to_spend(), made.spend(1)) == (whole - 3, 0, 0)
    assert not made.closes_later("a", 0)


@given(st.text("abcABC", max_size=20))
def test_a_partner_has_the_other_one_as_its_own(letters: str) -> None:
    """Pairs are of one name, the opening tag first, and the same from both sides."""
    made = pairs(letters)
    for i in range(len(letters)):
        partner = made.partner(i)
        if partner >= 0:
            assert made.partner(partner) == i
            assert letters[partner] == letters[i].swapcase()
            assert letters[min(i, partner)].islower()


@given(st.text("aAbB", max_size=20), st.data())
def test_the_surplus_is_a_count(letters: str, data: st.DataObject) -> None:
    """Of the tags of a name behind a place."""
    if letters:
        i = data.draw(st.integers(0, len(letters) - 1))
        behind = letters[i + 1 :]
        assert pairs(letters).surplus("a", i) == behind.count("A") - behind.count("a")
