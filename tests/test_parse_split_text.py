"""Pieces of a text: where it may be cut, and what stays whole."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from structured_response.parse.lines.split_text import (
    COMMA,
    Piece,
    View,
    is_bracketed,
    is_quoted,
    trimmed,
    unquoted,
    unquoted_value,
    unwrapped,
    without_ends,
)


def whole(text: str) -> View:
    """All of a text."""
    return View(text, 0, len(text))


def pieces_of(*texts: str) -> list[Piece]:
    """The pieces that some texts are, as they stand in the one that commas join them to."""
    return whole(",".join(texts)).between((match.start(), match.end()) for match in re.finditer(",", ",".join(texts)))


@pytest.mark.parametrize(
    ("text", "texts"),
    [
        ("a, b", ["a", "b"]),
        (" a ,, b ,", ["a", "b"]),
        ("(a, b), c", ["(a, b)", "c"]),
        ('"a, b", c', ['"a, b"', "c"]),
        ("(a, b", ["(a", "b"]),
        ('"(", a)', ['"("', "a)"]),
        ("it's, b's", ["it's", "b's"]),
        ("'a, b', c", ["'a, b'", "c"]),
        ("1,299, 5", ["1,299", "5"]),
        ("", []),
    ],
)
def test_what_commas_separate(text: str, texts: list[str]) -> None:
    """Outside of quotes and brackets that are closed, and of numbers."""
    assert [piece.text for piece in whole(text).split(COMMA)] == texts


@pytest.mark.parametrize(
    ("text", "inner"),
    [("[a]", "a"), (" (a) ", "a"), ("{a}", "a"), ("[a] b", "[a] b"), ("[a], [b]", "[a], [b]"), ("[", "["), ("", "")],
)
def test_brackets_around_everything_are_off(text: str, inner: str) -> None:
    """If they are one pair."""
    assert unwrapped(text).inner == inner


def test_lines_keep_their_indentation() -> None:
    """Even that of the first, where a part begins behind it; blank lines are none."""
    text = "x\n  a\n\n \t\n\tb"
    assert [line.text for line in View(text, 4, len(text)).lines()] == ["  a", "\tb"]
    assert [line.text for line in View(text, 1, 5).lines()] == ["  a"]


@pytest.mark.parametrize(
    ("text", "is_so"),
    [("(a)", True), ("[a](b)", False), ("Part(a)", True), ("Part (a)", False), ("(a) b", False), ("a", False)],
)
def test_whether_brackets_are_around_all_of_it(text: str, is_so: bool) -> None:
    """Behind a name too."""
    assert is_bracketed(Piece(text, 0, len(text))) is is_so


@pytest.mark.parametrize(
    ("texts", "bare"),
    [
        (['"a"', "'b'", "`c`"], ["a", "b", "c"]),
        (["\u201ca\u201d", '"b"'], ["a", "b"]),
        (['"a"', "b"], ['"a"', "b"]),
        (['"', '"'], ['"', '"']),
        ([], []),
    ],
)
def test_quotes_are_off_where_each_piece_has_some(texts: list[str], bare: list[str]) -> None:
    """Else they may be the texts' own."""
    pieces = pieces_of(*texts)
    assert [piece.text for piece in unquoted(pieces)] == bare
    assert all(map(is_quoted, pieces)) or unquoted(pieces) == pieces


@pytest.mark.parametrize(
    ("text", "piece"),
    [
        ('"a"', Piece("a", 1, 2)),
        ('"a\\n"', Piece("a\n", 0, 5, is_decoded=True)),
        ('"a\\x"', Piece('"a\\x"', 0, 5)),
        ("'a'", Piece("a", 1, 2)),
        ("'it''s'", Piece("it's", 0, 7, is_decoded=True)),
        ("'a' and 'b'", Piece("'a' and 'b'", 0, 11)),
        ('""', Piece('""', 0, 2)),
    ],
)
def test_the_quotes_of_yaml(text: str, piece: Piece) -> None:
    """What is escaped between them is decoded."""
    assert unquoted_value(Piece(text, 0, len(text))) == piece


@pytest.mark.parametrize(
    ("texts", "bare"), [(["a,", "b;", "c"], ["a", "b", "c"]), (["a,", "b", "c"], ["a,", "b", "c"]), (["a,"], ["a,"])]
)
def test_signs_at_the_ends(texts: list[str], bare: list[str]) -> None:
    """Are off where all but the last piece have one."""
    text = "\n".join(texts)
    pieces = [trimmed(text, line.start, line.end) for line in whole(text).lines()]
    assert [piece.text for piece in without_ends(text, pieces)] == bare


@given(st.text(alphabet=" \n,\"'()[]{}a1", max_size=30), st.data())
def test_pieces_stand_where_they_say(text: str, data: st.DataObject) -> None:
    """One behind another, within what is looked at, without white space at their ends."""
    start = data.draw(st.integers(0, len(text)))
    view = View(text, start, data.draw(st.integers(start, len(text))))
    place = view.start
    for piece in view.split(COMMA):
        assert place <= piece.start < piece.end <= view.end
        assert text[piece.start : piece.end] == piece.text == piece.text.strip()
        place = piece.end
