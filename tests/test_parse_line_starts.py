"""What lines begin with."""

import pytest

from structured_response.parse.lines.line_starts import (
    begin_of,
    bullet_of,
    indent_of,
    is_lead,
    level_of,
    mark_kind,
    sign_of,
    without_sign,
)
from structured_response.parse.lines.split_text import Piece, View


def line(text: str) -> Piece:
    """A text that is one line."""
    return Piece(text, 0, len(text))


@pytest.mark.parametrize(
    ("text", "kind", "behind"),
    [
        ("- a", "", "a"),
        ("  \u2022 a", "", "a"),
        ("- [x] a", "", "a"),
        ("1. a", "1.", "a"),
        ("(12) a", "1)", "a"),
        ("b) a", "a)", "a"),
        ("iv) a", "a)", "a"),
        ("1\u3001a", "1\u3001", "a"),
        ("  a", None, "a"),
        ("-4", None, "-4"),
        ("A. Smith", None, "A. Smith"),
    ],
)
def test_bullets(text: str, kind: str | None, behind: str) -> None:
    """Numbers and letters of one shape are of one kind, and so are all signs."""
    bullet = bullet_of(text, 0, len(text))
    assert (None if bullet is None else mark_kind(bullet)) == kind
    assert text[begin_of(text, line(text)) :] == behind


@pytest.mark.parametrize(
    ("text", "sign"),
    [
        ("\u2192 a", "\u2192"),
        ("\u2705\ufe0f a", "\u2705\ufe0f"),
        ("\u00a9 a", ""),
        ("\u20ac a", ""),
        ("a", ""),
        ("\u2192", ""),
    ],
)
def test_signs(text: str, sign: str) -> None:
    """Symbols and arrows, with something behind them; those of money and rights belong to the text."""
    assert sign_of(line(text)) == sign


def test_a_sign_is_off_where_all_lines_have_it() -> None:
    """One line alone may have it for itself."""
    same, other, one = (
        View(text, 0, len(text)).lines() for text in ("\u2192 a\n\u2192 b", "\u2192 a\n\u2713 b", "\u2192 a")
    )
    assert [piece.text for piece in without_sign(same)] == [" a", " b"]
    assert (without_sign(other), without_sign(one)) == (other, one)


@pytest.mark.parametrize(("text", "depth"), [("a", 0), ("  a", 2), ("\ta", 4), (" \ta", 4), ("\t a", 5)])
def test_indentation(text: str, depth: int) -> None:
    """A tab goes to the next fourth column."""
    assert indent_of(text) == depth


@pytest.mark.parametrize(
    ("indents", "known", "level"), [([0, 4, 4], True, 0), ([0, 4, 4], False, 4), ([4, 0], False, 4), ([2], False, 2)]
)
def test_the_level_of_the_first_line(indents: list[int], known: bool, level: int) -> None:
    """Behind a tag, the lines below tell it."""
    assert level_of(indents, known=known) == level


@pytest.mark.parametrize(("text", "leads"), [("Pros:", True), ("**Pros:**", True), ("Pros: a", False), ("Pros", False)])
def test_what_leads_to_other_lines(text: str, leads: bool) -> None:
    """It ends with a colon."""
    assert is_lead(line(text)) is leads
