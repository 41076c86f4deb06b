"""Pieces of a reply that was cut off, made one text."""

from __future__ import annotations

from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from structured_response import AskError, Completion, ask
from structured_response.asking.conversation import joins, to_continue

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


def certain(text: str, more: str) -> str:
    """The only text that the pieces can make."""
    (text,), _is_certain = joins(text, more)
    return text


@pytest.mark.parametrize("cut", CUTS)
def test_what_goes_on_to_the_character(cut: int) -> None:
    """The rest, as it would have been."""
    assert WHOLE in joins(WHOLE[:cut], WHOLE[cut:])[0]


@pytest.mark.parametrize("cut", CUTS[1:])  # before that there is too little to be certain by
@pytest.mark.parametrize("said", ["", "Sure, going on:\n\n", "\n", "```xml\n", "Sure!\n\nThe rest:\n```\n"])
def test_what_begins_with_the_characters_asked_for(cut: int, said: str) -> None:
    """They are in the whole once, whatever comes before them."""
    anchor = to_continue(WHOLE[:cut]).partition("these:\n")[2]
    assert WHOLE[:cut].rstrip().endswith(anchor)
    assert certain(WHOLE[:cut], said + anchor + WHOLE[len(WHOLE[:cut].rstrip()) :]).strip() == WHOLE


@pytest.mark.parametrize("cut", CUTS[1:])
@pytest.mark.parametrize("said", ["", "\n", "Sure:\n```xml\n"])
def test_what_starts_anew(cut: int, said: str) -> None:
    """The whole reply counts once."""
    assert certain(WHOLE[:cut], said + WHOLE).strip() == WHOLE


@pytest.mark.parametrize(
    ("cut", "again"),
    [
        ("goes on", "<li>the second of them, with a long text that"),
        ("goes on", "the second of them, with a long text that"),
        ("</parts>", "<li>the second"),
        ("</parts>", "<parts>"),
    ],
)
def test_what_begins_with_other_characters_of_the_end(cut: str, again: str) -> None:
    """That is the most probable text, which is compared with the others."""
    text = WHOLE[: WHOLE.index(cut)]
    texts, is_probable = joins(text, WHOLE[WHOLE.index(again) :])
    assert is_probable and texts[0] == WHOLE


def test_json_that_goes_on() -> None:
    """To the character, or from the last ones."""
    whole = '{"items": [{"name": "Lamp", "price": 3}, {"name": "Chair", "price": 45}, {"name": "Desk", "price": 99}]}'
    for cut in range(40, len(whole) - 5, 7):
        anchor = to_continue(whole[:cut]).partition("these:\n")[2]
        assert whole in joins(whole[:cut], whole[cut:])[0]
        assert certain(whole[:cut], f"Sure:\n{anchor}{whole[len(whole[:cut].rstrip()) :]}") == whole


def test_nothing_to_go_on_from() -> None:
    """An empty beginning leaves what came."""
    assert certain("", WHOLE) == certain(" \n", WHOLE) == WHOLE


@given(st.text(), st.text())
def test_nothing_is_lost_of_what_came(text: str, more: str) -> None:
    """Whatever the pieces are, the second one ends the whole."""
    assert joins(text, more)[0][0].rstrip().endswith(more.strip()[-10:].strip())


CODE = "<rv>\n<code>def area(w, h):\n    # compute the area of it\n    total = w * h\n    return total\n</code>\n</rv>"


@pytest.mark.parametrize("cut", range(CODE.index("of it"), len(CODE) - 4))
def test_a_continuation_keeps_the_indentation(cut: int) -> None:
    """Wherever the reply was cut off, a continuation that begins as it was asked to gives the whole."""
    broken = CODE[:cut].rstrip()
    anchor = to_continue(CODE[:cut]).partition("these:\n")[2]
    assert certain(CODE[:cut], anchor + CODE[len(broken) :]) == CODE


class Review(BaseModel):
    headline: str
    marks: list[int] = []


def asked(*pieces: str) -> Any:
    """The answer of pieces, of which all but the last are cut off."""
    replies = iter([*(Completion(piece, "length") for piece in pieces[:-1]), Completion(pieces[-1], "stop")])
    return ask(lambda _messages: next(replies), "?", Review, attempts=len(pieces))


BEGUN = "<review><headline>A lamp that is bri"


@pytest.mark.parametrize(
    "more",
    [
        "ight</headline></review>",  # or "briight"
        "is bright</headline></review>",
        "\nght</headline></review>",
        "```xml\nght</headline></review>\n```",
        "Sure, here is the rest:\nght</headline></review>",
        "Sure, here is the rest:\n\n```\nis bright</headline></review>",
    ],
)
def test_a_text_that_fits_together_in_two_ways_is_a_problem(more: str) -> None:
    """Nothing else is asked for again, and the answer is right."""
    with pytest.raises(AskError) as caught:
        asked(BEGUN, more)
    (problem,) = caught.value.problems
    assert (problem.path, problem.kind) == ("$.headline", "ambiguous")
    again = "<review><headline>Bright</headline></review>"
    replies = iter([Completion(BEGUN, "length"), Completion(more, "stop"), Completion(again, "stop")])
    result = ask(lambda _messages: next(replies), "?", Review)
    assert result.value == Review(headline="Bright")
    assert "<headline" in result.attempts[2].prompt and "<marks" not in result.attempts[2].prompt


@pytest.mark.parametrize("more", ["ght</headline></review>", " ght</headline></review>"])
def test_a_text_that_goes_on_to_the_character_is_taken_on_record(more: str) -> None:
    """Another program may have removed a space, or added one."""
    result = asked(BEGUN, more)
    assert result.value.headline == (BEGUN + more).partition("<headline>")[2].partition("<")[0]
    assert [(repair.kind, repair.path) for repair in result.response.repairs] == [("candidate_chosen", "$.headline")]


def test_equal_items_are_a_problem() -> None:
    """The last ones may be a repetition or not."""
    items = "<li>0</li>\n" * 3
    with pytest.raises(AskError, match=r"\$\.marks: the pieces of the reply fit together in more than one way"):
        asked(f"<review><headline>A</headline><marks>\n{items}", f"{items}</marks></review>")


def test_a_number_in_doubt_is_none() -> None:
    """It may be 12 or 122."""
    with pytest.raises(AskError) as caught:
        asked("<review><headline>A</headline><marks><li>7</li><li>12", "2</li></marks></review>")
    assert caught.value.response is not None
    assert caught.value.response.to_dict() == {"headline": "A", "marks": [7, None]}


def test_a_doubt_is_settled_before_the_reply_goes_on() -> None:
    """What is missing is asked for with it."""
    pieces = [
        BEGUN,
        "ight</headline><marks><li>1",
        "<review><headline>Bright</headline><marks><li>12</li></marks></review>",
    ]
    replies = iter(
        [Completion(piece, reason) for piece, reason in zip(pieces, ("length", "length", "stop"), strict=True)]
    )
    assert ask(lambda _messages: next(replies), "?", Review).value == Review(headline="Bright", marks=[12])


@pytest.mark.parametrize("form", ["yaml", "xml"])
def test_yaml_that_was_cut_off_goes_on(form: Literal["yaml", "xml"]) -> None:
    """It has no end of its own, so the provider's word counts, also where XML was asked for."""
    replies = iter([Completion("headline: Nice\nmarks:\n- 1", "length"), Completion("2\n- 3\n", "stop")])
    assert ask(lambda _messages: next(replies), "?", Review, format=form).value == Review(
        headline="Nice", marks=[12, 3]
    )
