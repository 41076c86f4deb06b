"""Maps and objects that were written as text: which keys and values they have, and where those stand."""

import pytest
from hypothesis import given

from structured_response.definition import Node
from structured_response.parse.lines.split_entries import Entry, split_fields, split_pairs
from structured_response.parse.lines.split_text import Piece
from tests.splitting import SHAPES, TEXTS, entries, grows_linearly, resolve

PAIRS: list[tuple[str, dict[str, str] | None]] = [
    ("a: 1\nb: 2", {"a": "1", "b": "2"}),
    ("a:1\nb:2", {"a": "1", "b": "2"}),
    ("a = 1\nb=2", {"a": "1", "b": "2"}),
    ("a -> 1\nb → 2\nc => 3", {"a": "1", "b": "2", "c": "3"}),
    ("- a: 1\n- b: 2", {"a": "1", "b": "2"}),
    ("1. a: 1\n2. b: 2", {"a": "1", "b": "2"}),
    ("**a:** 1\n**b**: *2*", {"a": "1", "b": "*2*"}),
    ("* **a**: 1\n* `b`: 2", {"a": "1", "b": "2"}),
    ('"a": 1,\n"b": 2', {"a": "1", "b": "2"}),
    ('"a: b": 1', {"a: b": "1"}),
    ("{a: 1, b: 2}", {"a": "1", "b": "2"}),
    ("a: 1, b: 2", {"a": "1", "b": "2"}),
    ("a=1; b=2", {"a": "1", "b": "2"}),
    ("a: 1 | b: 2", {"a": "1", "b": "2"}),
    ("a: 1, 2; b: 3", {"a": "1, 2", "b": "3"}),
    ("- a: x = 1; y = 2", {"a": "x = 1; y = 2"}),  # signs of two kinds
    ("  a: 1\n  b: 2", {"a": "1", "b": "2"}),
    ("a: 1, 2", {"a": "1, 2"}),
    ("a:\n  1\nb:\n  2", {"a": "1", "b": "2"}),
    ("a: x\n  more: y\nb: z", {"a": "x\n  more: y", "b": "z"}),
    ("a: x\nmore\nb: z", {"a": "x\nmore", "b": "z"}),
    ("\n    a: 1\n    b: 2\n", {"a": "1", "b": "2"}),
    ("a: 1\n    b: 2\n    c: 3", {"a": "1", "b": "2", "c": "3"}),
    ("url: http://x\nother: 10:30", {"url": "http://x", "other": "10:30"}),
    ("10:30: lunch\n11:00: nap", {"10:30": "lunch", "11:00": "nap"}),
    ("Here are the scores:\na: 1\nb: 2", {"a": "1", "b": "2"}),
    ("two words: 1\nthree small words: 2", {"two words": "1", "three small words": "2"}),
    ("nothing", None),
    ("", None),
    ("http://x", None),
    ("no key\na: 1", None),
    (": 1", None),
]


@pytest.mark.parametrize(("text", "pairs"), PAIRS)
def test_a_map(text: str, pairs: dict[str, str] | None) -> None:
    """A line for each entry, or parts of one line; what has no key belongs to the value before."""
    assert entries(split_pairs(text), text) == pairs


LOOSE: list[tuple[str, str, dict[str, str] | None]] = [
    ("int", "a - 1\nb \u2013 2", {"a": "1", "b": "2"}),
    ("str", "**a** - x, y\n* b - z", {"a": "x, y", "b": "z"}),
    ("int", "a, 1\nb, 2", {"a": "1", "b": "2"}),
    ("str", "a, x\nb, y", None),
    ("int", "a - 1\nb 2", None),
    ("int", "a - 1 - 2\nb - 2", None),
]


@pytest.mark.parametrize(("kind", "text", "pairs"), LOOSE)
def test_a_map_without_signs(kind: str, text: str, pairs: dict[str, str] | None) -> None:
    """A dash between key and value on each line, or a comma before what can have none."""
    assert entries(split_pairs(text, Node(kind)), text) == pairs


FIELDS: list[tuple[str, dict[str, str] | None]] = [
    ("label: a\npoints: 2", {"label": "a", "points": "2"}),
    ("**Label:** a\n**Points:** 2", {"label": "a", "points": "2"}),
    ("- label: a\n- points: 2", {"label": "a", "points": "2"}),
    ("- **Label**: a\n  - x: y\n- Points -> 2", {"label": "a\n  - x: y", "points": "2"}),
    ("1. Label: a\n2. Points = 2", {"label": "a", "points": "2"}),
    ("### Label: a\n### Points: 2", {"label": "a", "points": "2"}),
    ("The label: a\nPOINTS: 2", {"label": "a", "points": "2"}),
    ('"label": "a",\n"points": 2', {"label": "a", "points": "2"}),
    ("label: a\n  more\n\npoints: 2\n", {"label": "a\n  more", "points": "2"}),
    ("label: a\nnote: x\npoints: 2", {"label": "a", "points": "2"}),
    ("label: a\nNote: x\npoints: 2", {"label": "a\nNote: x", "points": "2"}),
    ("label: a\nb\nnote: x\npoints: 2", {"label": "a\nb\nnote: x", "points": "2"}),
    ("**Label:** a\nb\n**Note:** x\n**Points:** 2", {"label": "a\nb", "points": "2"}),
    ("label:\n  a\npoints:\n  2", {"label": "a", "points": "2"}),
    ("Sure:\nlabel: a\npoints: 2", {"label": "a", "points": "2"}),
    ("label: a, points: 2", {"label": "a", "points": "2"}),
    ("Label = a; Points = 2", {"label": "a", "points": "2"}),
    ("label: a | points: 2", {"label": "a", "points": "2"}),
    ("{label: a, points: 2}", {"label": "a", "points": "2"}),
    ("label: a: b, c, points: 2", {"label": "a: b, c", "points": "2"}),
    ("label: a (points: 2)", {"label": "a (points: 2)"}),
    ("label: a, b.", {"label": "a, b."}),
    ("points: 2", {"points": "2"}),
    ("other: 1", None),
    ("label", None),
    ("", None),
]


@pytest.mark.parametrize(("text", "fields"), FIELDS)
def test_an_object(text: str, fields: dict[str, str] | None) -> None:
    """Only known labels begin a field; all else belongs to the value before."""
    assert entries(split_fields(text, resolve), text) == fields


def test_fields_keep_what_leads_to_them_and_repeated_labels() -> None:
    """What they mean is for the caller to say."""
    found = split_fields("Sure:\nlabel: a\nlabel: b", resolve)
    assert found is not None
    assert found.lead == Piece("Sure:", 0, 5)
    assert found.entries == [
        Entry("label", Piece("label", 6, 11), Piece("a", 13, 14)),
        Entry("label", Piece("label", 15, 20), Piece("b", 22, 23)),
    ]


@given(TEXTS)
def test_any_text_has_entries_of_its_own_characters(text: str) -> None:
    """Keys and values stand where they say, one behind another."""
    for found in (split_pairs(text), split_fields(text, resolve)):
        place = 0
        for entry in found.entries if found else ():
            assert entry.key.text
            for piece in (entry.key, entry.value):
                assert place <= piece.start <= piece.end <= len(text)
                assert text[piece.start : piece.end] == piece.text
                place = piece.end


@pytest.mark.parametrize("shape", SHAPES)
def test_time_grows_with_the_text(shape: str) -> None:
    """Whatever stands in it."""
    assert grows_linearly(split_pairs, SHAPES[shape])
    assert grows_linearly(lambda text: split_fields(text, resolve), SHAPES[shape])
