"""Pieces of a reply that was cut off, made one text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from structured_response.asking.conversation import joined, to_continue

WHOLE = """<review>
    <headline>A lamp that is bright and cheap at once</headline>
    <parts>
        <li>the first of them</li>
        <li>the second of them, with a long text that goes on and on</li>
        <li>the last</li>
    </parts>
</review>"""
CUTS = [
    WHOLE.index(part) + 4
    for part in ("headline", "lamp", "bright", "cheap", "<li>", "second", "goes on", "last", "</parts")
]


@pytest.mark.parametrize("cut", CUTS)
def test_what_goes_on_to_the_character(cut: int) -> None:
    """The rest, as it would have been."""
    assert joined(WHOLE[:cut], WHOLE[cut:]) == WHOLE


@pytest.mark.parametrize("cut", CUTS[1:])  # before that there is too little to tell prose by
@pytest.mark.parametrize("said", ["", "Sure, going on:\n\n", "\n"])
def test_what_begins_with_the_characters_asked_for(cut: int, said: str) -> None:
    """They stand in the whole once, whatever was said before them."""
    anchor = to_continue(WHOLE[:cut]).partition("these:\n")[2]
    assert WHOLE[:cut].rstrip().endswith(anchor)
    assert joined(WHOLE[:cut], said + anchor + WHOLE[len(WHOLE[:cut].rstrip()) :]).strip() == WHOLE


@pytest.mark.parametrize("cut", CUTS)
def test_what_starts_anew(cut: int) -> None:
    """The whole reply counts once."""
    assert joined(WHOLE[:cut], WHOLE) == WHOLE
    assert joined(WHOLE[:cut], f"\n{WHOLE}") == f"\n{WHOLE}"


@pytest.mark.parametrize(
    ("cut", "again"),
    [
        ("bright", "<headline>A lamp that is"),
        ("bright", "A lamp that is"),
        ("goes on", "<li>the second of them, with a long text that"),
        ("goes on", "the second of them, with a long text that"),
    ],
)
def test_what_begins_with_the_element_or_the_value(cut: str, again: str) -> None:
    """A value that was being written is written once more, with its tag or without it."""
    start = WHOLE.index(cut)
    assert joined(WHOLE[:start], WHOLE[WHOLE.index(again) :]) == WHOLE


@pytest.mark.parametrize("said", ["", "Continuing:\n", "```xml\n"])
def test_what_begins_with_the_last_element(said: str) -> None:
    """Which was finished; it stands in the whole once."""
    cut = WHOLE.index("        <li>the last")
    again = WHOLE.index("<li>the second")
    assert joined(WHOLE[:cut], said + WHOLE[again:]) == WHOLE


def test_json_that_goes_on() -> None:
    """To the character, or from the last ones."""
    whole = '{"items": [{"name": "Lamp", "price": 3}, {"name": "Chair", "price": 45}, {"name": "Desk", "price": 99}]}'
    for cut in range(40, len(whole) - 5, 7):
        anchor = to_continue(whole[:cut]).partition("these:\n")[2]
        assert joined(whole[:cut], whole[cut:]) == whole
        assert joined(whole[:cut], f"Sure:\n{anchor}{whole[len(whole[:cut].rstrip()) :]}") == whole


def test_a_list_of_equal_items_keeps_them_all() -> None:
    """What goes on like what was there is no repetition."""
    items = "<li>0</li>\n" * 3
    assert joined(f"<m>\n<li>1</li>\n{items}", f"{items}</m>") == f"<m>\n<li>1</li>\n{items}{items}</m>"


def test_a_word_that_comes_again_is_no_repetition() -> None:
    """A short end is joined as it stands."""
    assert joined("<a>the cat and the", " dog and the cat</a>") == "<a>the cat and the dog and the cat</a>"


def test_nothing_to_go_on_from() -> None:
    """An empty beginning leaves what came."""
    assert joined("", WHOLE) == WHOLE
    assert joined(" \n", WHOLE) == WHOLE


@given(st.text(), st.text())
def test_nothing_is_lost_of_what_came(text: str, more: str) -> None:
    """Whatever the pieces are, the second one ends the whole."""
    assert joined(text, more).endswith(more.lstrip()[-10:])


CODE = "<rv>\n<code>def area(w, h):\n    # compute the area of it\n    total = w * h\n    return total\n</code>\n</rv>"


@pytest.mark.parametrize("cut", range(CODE.index("compute"), len(CODE) - 4))
def test_a_continuation_keeps_the_indentation(cut: int) -> None:
    """Wherever the reply was cut off, a continuation that begins as it was asked to gives the whole."""
    broken = CODE[:cut].rstrip()
    anchor = to_continue(CODE[:cut]).partition("these:\n")[2]
    assert joined(CODE[:cut], anchor + CODE[len(broken) :]) == CODE
