"""JSON, strict or sloppy: escapes, places, time, and slips that are mended without the search. Rows: `tests/corpus`."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from benchmarks.robustness.models import Part
from structured_response import StructuredResponse
from structured_response.findings import RepairKind
from structured_response.read.fast.mended_json import mend
from structured_response.read.grammar import Grammar, grammar_of
from structured_response.read.parts import Place
from structured_response.read.read_json import decoded, read_json
from structured_response.read.values.json_text import json_string
from tests.growth import grows_with_the_text


class Review(BaseModel):
    headline: str
    score: int
    pros: list[str] = []
    excerpt: str = ""
    parts: list[Part] = []
    meta: dict[str, str] = {}
    extra: Any = None


REVIEW = StructuredResponse.from_basemodel(Review)
STRINGS: list[tuple[str, str, tuple[RepairKind, ...]]] = [
    ("a\\nb", "a\nb", ()),
    ("\\u00e9\\/\\\\", "\u00e9/\\", ()),
    ("\\ud83d\\ude00", "\U0001f600", ()),
    ("\\ud83d", "\ufffd", (RepairKind.UNESCAPED,)),
    ("\\frac{1}{2} \\cdot \\theta\\n", "\\frac{1}{2} \\cdot \\theta\n", (RepairKind.UNESCAPED,)),
    ("\\bword\\b", "\\bword\\b", (RepairKind.UNESCAPED,)),
    ("C:\\\\new", "C:\\new", ()),
    ("a\\tb", "a\tb", ()),
    ("a\nb", "a\nb", (RepairKind.JSON_MENDED,)),
]


@pytest.mark.parametrize(("raw", "value", "kinds"), STRINGS)
def test_escapes(raw: str, value: str, kinds: tuple[RepairKind, ...]) -> None:
    """A backslash that should have been doubled is kept."""
    assert json_string(raw, is_quoted=True) == (value, kinds)


@pytest.mark.parametrize(
    ("raw", "value"), [("null", None), ("None", None), ("True", "true"), ("1.10", "1.10"), ("Nice", "Nice"), ("", None)]
)
def test_scalars_without_quotes(raw: str, value: str | None) -> None:
    """Numbers stay texts. Words of other languages become those of JSON."""
    assert json_string(raw, is_quoted=False)[0] == value


@given(st.text(), st.text())
def test_strings_are_those_of_the_standard_library(text: str, before: str) -> None:
    """Only \\b and \\f differ, since a backslash in front of a word is kept."""
    dumped = json.dumps(text.replace("\b", "").replace("\f", ""))
    expected = json.loads(dumped).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    assert json_string(dumped[1:-1], is_quoted=True)[0] == expected
    end = len(before) + len(dumped) - 2
    inner, origin = decoded(before + dumped[1:-1], len(before), end)
    places = [origin(place) for place in range(len(inner) + 1)]
    assert places == sorted(places)
    assert places[-1] == end


def test_places_are_those_of_the_reply() -> None:
    """This holds for JSON that was encoded twice, too."""
    reply = '{"headline": "x", "score": 4, "parts": "[{\\"label\\": \\"a\\", \\"points\\": \\"many\\"}]"}'
    (problem,) = REVIEW.parse(reply, strict=False).problems
    assert problem.span is not None
    assert reply[slice(*problem.span)] == "many"


PIECES = [
    '"headline": ', '"score": ', '"pros": ', '"x": ', "headline: ", '"', "'", "{", "}", "[", "]", ",", ":", "1", "\n",
    "a", " ", "\\", "//", "/*", "*/", "#", "null", '"""', "\u201c", "\u201d", '"a"', "...", "li", "\ud83d", "}]",
]  # fmt: skip
SOUP = st.lists(st.sampled_from(PIECES), max_size=40)


@given(st.sampled_from("{["), SOUP)
def test_any_text_is_read(bracket: str, soup: list[str]) -> None:
    """Nothing is raised, and every element lies within the text."""
    text = bracket + "".join(soup)
    found = read_json(Place(grammar_of(REVIEW._plan).root, text, 0, len(text)), "review")
    if found is not None:
        assert found.cost >= 0
        assert 0 < found.stop <= len(text)
        waiting = [found.root]
        while waiting:
            element = waiting.pop()
            assert 0 <= element.start <= element.inner <= element.end <= element.stop <= len(text)
            waiting += element.children


GROWING = [
    "{",
    "[",
    '"',
    'a"b',
    '"a":',
    '"headline": "',
    "//",
    "/* ",
    "\\",
    "x, ",
    '"a", b", ',
    "}]",
    "it's ",
    '["',
    "'",
]


@pytest.mark.parametrize("piece", GROWING)
def test_time_grows_with_the_text(piece: str) -> None:
    """The time is linear, whatever piece is repeated."""
    grammar: Grammar = grammar_of(REVIEW._plan)

    def make(count: int) -> str:
        return '{"headline": "x", "pros": [' + piece * count

    assert grows_with_the_text(lambda text: read_json(Place(grammar.root, text, 0, len(text)), "review"), make, 500)


SURE = [
    ('{"headline": "Nice", "score": 4,}', '{"headline": "Nice", "score": 4}'),
    ("{'headline': 'a \"b\" it\\'s', 'score': 4}", '{"headline": "a \\"b\\" it\'s", "score": 4}'),
    ('{headline: "Nice", // c\n score: 4 /* d */}', '{"headline": "Nice", \n "score": 4 }'),
    ('{"headline": "a\nb", "score": None}', '{"headline": "a\\nb", "score": null}'),
]


@pytest.mark.parametrize(("reply", "strict"), SURE)
def test_slips_that_leave_no_doubt_are_mended_at_once(reply: str, strict: str) -> None:
    """Each repair has its place in the reply."""
    mended = mend(reply, 0)
    assert mended is not None
    assert mended.text == strict
    assert mended.place(0, len(strict)) == (0, len(reply))
    assert all(reply[slice(*repair.span)] == repair.before for repair in mended.repairs)


@pytest.mark.parametrize(
    "reply", ['{"a": "x "y" z",}', "{'a': 'it's', }", "[ /* c */ ,]", '{"a": b, }', '{"a": "x", ... }', '{"a": 1,, }']
)
def test_whatever_is_doubtful_is_left_to_the_search(reply: str) -> None:
    """The mended text does not become strict JSON."""
    mended = mend(reply, 0)
    with pytest.raises(ValueError, match="line 1"):
        json.loads(mended.text if mended is not None else reply)
