"""Replies that are JSON or YAML from end to end: nothing in their texts is another answer."""

import pytest
from pydantic import BaseModel

from structured_response import StructuredResponse
from structured_response.parse.data.whole import find_whole


class Review(BaseModel):
    headline: str
    score: int
    price: float | None = None
    pros: list[str] = []


RESPONSE = StructuredResponse.from_basemodel(Review)
INNER = "<review><headline>x</headline><score>9</score></review>"

FORMS: list[tuple[str, str | None]] = [
    ('{"headline": "x", "score": 1}', "JSON"),
    ('```json\n{"headline": "x", "score": 1}\n```', "JSON"),
    ('{"headline": "x", "score": 1,}', None),
    ('{"headline": "x", "score": 1} Done.', None),
    ('{"bogus": "x"}', None),
    ("headline: x\nscore: 1", "lines"),
    ("headline: \"x\"\nscore: '1'", "lines"),
    ("headline: 'it''s'\nscore: 1", "YAML"),
    ("headline: x\nscore: 1\nprice: null", "YAML"),
    ("headline: x\nscore: 1\npros:\n- a\n- b", "lines"),
    ("headline: x\nscore: 1\npros:\n- 'a'", "YAML"),
    ("headline: x\nscore: 1\npros:\n- null", "YAML"),
    ("---\nheadline: |\n  x\nscore: 1", "YAML"),
    ("```yaml\nheadline: x\nscore: 1\npros: []\n```", "YAML"),
    ("headline: x # really\nscore: 1", "lines"),
    ("headline: x # really\nscore: 1\npros:\n- 'a'", None),
    ("headline: x\n  y\nscore: 1\npros:\n- a", None),
    ("Sure:\nheadline: x\nscore: 1\npros:\n- a", None),
    ("headline: x: y\nscore: 1", "lines"),
    ("headline: x: y\nscore: 1\npros:\n- 'a'", None),
    (f"headline: {INNER}\nscore: 1", None),
    ("headline: x", "lines"),
    ("headline: <i>x</i>", "lines"),
    ("headline: <score>x</score>", None),
    ("Headline: x", None),
    ("", None),
    ("text", None),
]


@pytest.mark.parametrize(("reply", "form"), FORMS)
def test_what_a_reply_is_as_a_whole(reply: str, form: str | None) -> None:
    """Comments, and texts over several lines without quotes, are what people write: lines keep more of those."""
    found = find_whole(RESPONSE._plan, reply)
    assert (found and found.form) == form


def test_format_decides() -> None:
    """Where YAML is expected, plain lines are YAML and need no repair; where JSON is, YAML is none."""
    assert RESPONSE.parse("headline: x\nscore: 1", format="yaml").repairs == []
    assert RESPONSE.parse('{"headline": "x", "score": 1}', format="json").repairs == []
    assert find_whole(RESPONSE._plan, "headline: x\nscore: 1", "json") is None
    assert find_whole(RESPONSE._plan, '{"headline": "x", "score": 1}', "yaml") is None


@pytest.mark.parametrize("way", ["to_json", "to_yaml"])
@pytest.mark.parametrize("layout", ["{}", "\n{}\n", "```\n{}\n```", "```json\n{}\n```"])
def test_answers_inside_of_texts_are_text(way: str, layout: str) -> None:
    """Also with escapes in them, which elsewhere tell an answer that was escaped as a whole."""
    for text in (INNER, INNER.replace("><", ">\n<"), '{"headline": "y", "score": 2}', f"a\n{INNER}\n", f'"{INNER}"'):
        for data in ({"headline": text, "score": 1, "pros": [text]}, {"headline": text, "score": 1}):
            written = getattr(StructuredResponse.from_basemodel(Review).from_dict(data), way)()
            assert RESPONSE.parse(layout.format(written)).to_dict() == data
