"""Lists in one line: what separates their items, and what is one item."""

import pytest

from structured_response.parse.lines.split_items import split_items
from tests.splitting import NODES, items

SEPARATED = [
    ("light; cheap", ["light", "cheap"]),
    ("light; cheap; ", ["light", "cheap"]),
    ("a, b; c, d", ["a, b", "c, d"]),
    ("a | b | c", ["a", "b", "c"]),
    ("a|b", None),
    ("red, green, blue", ["red", "green", "blue"]),
    ("red,green,blue", ["red", "green", "blue"]),
    ("red, green and blue", ["red", "green", "blue"]),
    ("red, green, and blue.", ["red", "green", "blue"]),
    ("red, green & blue", ["red", "green", "blue"]),
    ("red, green or blue", ["red", "green or blue"]),
    ("easy to use, very light", ["easy to use", "very light"]),
    ('"great battery", "slow, but fine"', ["great battery", "slow, but fine"]),
    ("\u201cgreat\u201d, \u201cslow, but fine\u201d", ["great", "slow, but fine"]),
    ("1\u3001a\u3001b", ["1", "a", "b"]),
    ("red<br>green<br/>blue", ["red", "green", "blue"]),
    ("[red, green]", ["red", "green"]),
    ("(red, green)", ["red", "green"]),
    ('"red", "green"', ["red", "green"]),
    ("'red', 'green'", ["red", "green"]),
    ("red (dark, deep), green", ["red (dark, deep)", "green"]),
    ('"a, b", c', ['"a, b"', "c"]),
    ("f(a; b)", None),
    ("it's, that's", None),
    ("costs 1,299, weighs 5", ["costs 1,299", "weighs 5"]),
    ("1,299", None),
    ("light", None),
    ("red and green", None),
    ("Light, cheap and a joy to use, really", None),
    ("It works, mostly", None),
    ("However, cheap", None),
    ("Light, which helps", None),
    ("A long description of it, short", None),
]


@pytest.mark.parametrize(("text", "parts"), SEPARATED)
def test_a_list_of_strings(text: str, parts: list[str] | None) -> None:
    """By semicolons or bars, by commas; where none of them is sure, the text is one item."""
    assert items("str", text) == ([text] if parts is None else parts)


VALUES: list[tuple[str, str, list[str] | None]] = [
    ("int", "1, 2, 3", ["1", "2", "3"]),
    ("int", "1 2 3", ["1", "2", "3"]),
    ("int", "1,2,3", ["1", "2", "3"]),
    ("int", "10,20", ["10", "20"]),
    ("int", "1,2, 3", ["1", "2", "3"]),
    ("int", "1,299, 1,300", ["1,299", "1,300"]),
    ("int", "1; 2", ["1", "2"]),
    ("int", "1 and 2", ["1", "2"]),
    ("int", "1, 2 and 3", ["1", "2", "3"]),
    ("int", "-1, -2", ["-1", "-2"]),
    ("int", "3\n4", ["3", "4"]),
    ("int", "- 4\n- 5", ["4", "5"]),
    ("int", "- 4", ["4"]),
    ("int", "[1 2]", ["1", "2"]),
    ("int", "~1, ~2", ["~1", "~2"]),
    ("int", "4", None),
    ("int", "4 stars", None),
    ("int", "1, many", None),
    ("float", "1.5, 2.5", ["1.5", "2.5"]),
    ("float", "3,14; 2,71", ["3,14", "2,71"]),
    ("float", "3,14, 2,71", ["3,14", "2,71"]),
    ("float", "1.5 2.5", ["1.5", "2.5"]),
    ("enum", "good, bad", ["good", "bad"]),
    ("enum", "good bad", ["good", "bad"]),
    ("enum", "good and bad", ["good", "bad"]),
    ("enum", "Good, **bad**", ["Good", "**bad**"]),
    ("enum", "good, because it is cheap", None),
    ("enum", "good - it lasts", None),
    ("enum", "not good", None),
    ("bool", "yes, no", ["yes", "no"]),
    ("bool", "yes, definitely", None),
    ("date", "2024-01-01, 2024-01-02", ["2024-01-01", "2024-01-02"]),
    ("date", "2 March 2024, 3 March 2024", ["2 March 2024", "3 March 2024"]),
    ("date", "March 2, 2024", None),
    ("duration", "1 hour, 2 hours", ["1 hour", "2 hours"]),
    ("dict", "a: 1, b: 2", None),
    ("dict", "- a: 1\n  b: 2\n- a: 3", ["a: 1\n  b: 2", "a: 3"]),
]


@pytest.mark.parametrize(("kind", "text", "parts"), VALUES)
def test_a_list_of_values(kind: str, text: str, parts: list[str] | None) -> None:
    """Commas, blanks and `and` separate what reads as an item on both sides, and nothing else."""
    assert items(kind, text) == ([text] if parts is None else parts)


@pytest.mark.parametrize(
    ("kind", "text", "readings"),
    [
        ("int", "1,299", ("1,299", "1, 299")),
        ("int", "1 299", ("1 299", "1, 299")),
        ("int", "100,200,300", ("100,200,300", "100, 200, 300")),
        ("float", "3,14", ("3,14", "3, 14")),
        ("float", "[1,299]", ("1,299", "1, 299")),
    ],
)
def test_one_number_or_several_is_not_guessed(kind: str, text: str, readings: tuple[str, ...]) -> None:
    """What can be one number or a list of numbers gives no items, but both readings."""
    found = split_items(text, NODES[kind])
    assert found.items == []
    assert found.candidates == readings
