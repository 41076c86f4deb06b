"""Tuples that were written as text: their parts, if there are as many as are asked for."""

import pytest

from structured_response.definition import Node
from structured_response.parse.lines.split_tuple import split_parts

SPLIT: list[tuple[str, str, list[str] | None]] = [
    ("str int", "a, 3", ["a", "3"]),
    ("str int", "(a, 3)", ["a", "3"]),
    ("str int", "('a', 3)", ["a", "3"]),
    ("str int", '"a, b", 3', ["a, b", "3"]),
    ("str int", "- a\n- 3", ["a", "3"]),
    ("str int", "a\n3", ["a", "3"]),
    ("str int", "a; 3", ["a", "3"]),
    ("str int", "a and 3", ["a", "3"]),
    ("str str", "red, and blue", ["red", "blue"]),
    ("str str str", "red, green and blue", ["red", "green", "blue"]),
    ("str str", "red and green, blue", ["red and green", "blue"]),
    ("int int", "3 x 4", ["3", "4"]),
    ("int int", "3 by 4", ["3", "4"]),
    ("int int", "3,4", ["3", "4"]),
    ("str int", "a x 4", None),
    ("int int", "3", None),
    ("int int", "3, 4, 5", None),
    ("str str", "this is a clause and that is one as well", None),
    ("str dict", "a, b", None),
    ("int int", "(\n)", None),
]


@pytest.mark.parametrize(("kinds", "text", "parts"), SPLIT)
def test_a_tuple(kinds: str, text: str, parts: list[str] | None) -> None:
    """By lines, semicolons, commas, `and`, and between numbers a sign for times."""
    pieces = split_parts(text, [Node(kind) for kind in kinds.split()])
    assert (None if pieces is None else [piece.text for piece in pieces]) == parts
    assert all(text[piece.start : piece.end] == piece.text for piece in pieces or ())
