"""Clean stretches of JSON give what the reader of everything else gives."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from structured_response.parse.json.json_stretch import JsonStretch
from structured_response.parse.json.json_text import scan_json
from structured_response.parse.reading import LimitReachedError
from structured_response.parse.written import Value
from tests.test_parse_mended_json import PIECES, sloppy

KNOWN = frozenset({"a", "b", "name"})
TEXTS = sloppy() | st.lists(st.sampled_from(PIECES), max_size=20).map("".join)


def scanned(text: str, known: frozenset[str], takes_lists: bool, takes_any: bool) -> str:
    """All that is said of a text."""
    try:
        return repr(scan_json(text, 0, known, takes_lists, takes_any))
    except LimitReachedError as limit:
        return repr(limit.problem)


@given(st.sampled_from("{["), TEXTS, st.sampled_from([KNOWN, frozenset()]), st.booleans(), st.booleans())
def test_both_ways_give_the_same(
    opener: str, text: str, known: frozenset[str], takes_lists: bool, takes_any: bool
) -> None:
    """Whatever stands there: values, places, changes and faults."""
    text = opener + text
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Value, "__repr__", lambda value: repr([getattr(value, name) for name in Value.__slots__]))
        quick = scanned(text, known, takes_lists, takes_any)
        patch.setattr(JsonStretch, "clean", lambda scanner: False)
        assert scanned(text, known, takes_lists, takes_any) == quick


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ('{"a": 1, "b": [2, "x"]}', 23),
        ("{a: 1, 'b': 'x'}", 16),
        ('{"a": 1, /* c */ "b": 2}', 8),
        ('{"a": x}', 1),
        ('{"a": "x" y}', 1),
        ("{other: 1}", 1),
        ("['x']", 1),
    ],
)
def test_how_far_a_stretch_is_clean(text: str, end: int) -> None:
    """Up to comments, texts without quotes, and what may be prose."""
    made = JsonStretch(text, 0, KNOWN, takes_lists=False, takes_any=False)
    made.push()
    assert made.clean_stretch() is (end > 1)
    assert made.position == end
