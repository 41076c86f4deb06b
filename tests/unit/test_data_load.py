"""Data of a program's own from JSON and YAML: to the letter, each fault with its place."""

from datetime import date
from typing import Any

import pytest
from pydantic import BaseModel

from structured_response import InstanceError, StructuredResponse


class Cat(BaseModel):
    lives: int


class Dog(BaseModel):
    name: str


class Part(BaseModel):
    label: str


class Review(BaseModel):
    headline: str = ""
    day: date | None = None
    score: float = 0
    parts: list[Part] = []
    pet: Cat | Dog | None = None
    flag: bool = False


GOOD: list[tuple[str, str, dict[str, Any]]] = [
    ("from_json", '{"headline": "x", "score": 1}', {"headline": "x", "score": 1.0}),
    ("from_yaml", "headline: NO\nday: 2024-01-02\nscore: 1e3\nflag: true", {"headline": "NO", "day": "2024-01-02"}),
    ("from_yaml", "headline: 'null'\nday: ~\nparts:\n- {label: 'x'}", {"headline": "null", "day": None}),
    ("from_yaml", '{"headline": "x"}', {"headline": "x"}),
    ("from_dict", {"day": date(2024, 1, 2)}, {"day": "2024-01-02"}),  # type: ignore[list-item]
]


@pytest.mark.parametrize(("way", "given", "expected"), GOOD)
def test_responses_are_filled(way: str, given: Any, expected: dict[str, Any]) -> None:
    """The response itself, which is returned."""
    response = StructuredResponse.from_basemodel(Review)
    assert getattr(response, way)(given) is response
    assert response.to_dict().items() >= expected.items()
    assert isinstance(response.to_basemodel(), Review)


BAD: list[tuple[str, Any, str]] = [
    ("from_dict", {"bogus": 1, "parts": [{"label": "a", "odd": 2}]}, r"\$\.parts\[0\]\.odd(.|\n)*\$\.bogus"),
    ("from_dict", {"pet": {"lives": 9, "odd": 2}}, r"\$\.pet\.odd"),
    ("from_dict", {"headline": 5}, r"\$\.headline: input should be a valid string"),
    ("from_dict", {"headline": "\ud800"}, r"half of a surrogate pair|what JSON cannot"),
    ("from_dict", [1], r"\$: input should be a valid dictionary"),
    ("from_dict", None, "None is not a Review"),
    ("from_dict", {"headline": object()}, "what JSON cannot"),
    ("from_json", '{"headline": "x"', "invalid JSON: .* line 1 column 17"),
    ("from_json", '{"headline": "x"} y', "invalid JSON: Extra data"),
    ("from_json", '{"headline": "x", "headline": "y"}', "an object has the name 'headline' twice"),
    ("from_json", "[" * 100_000, "cannot read"),
    ("from_json", '{"odd": 1}', r"\$\.odd"),
    ("from_yaml", "headline: [", r"invalid YAML: .* \(line 1, column \d+\)"),
    ("from_yaml", "headline: &a x", "anchors"),
    ("from_yaml", "headline: !!python/name:os.system x", "tags"),
    ("from_yaml", "headline: x\nheadline: y", r"\$\.headline: occurs twice"),
    ("from_yaml", "parts:\n- label: x\n  label: y", r"\$\.parts\[0\]\.label: occurs twice"),
    ("from_yaml", "", "expected one YAML document, found 0"),
    ("from_yaml", "a: 1\n---\na: 2", "found 2"),
    ("from_yaml", "parts:\n- odd: 1", r"\$\.parts\[0\]\.odd"),
    ("from_yaml", "[" * 1000, "deeper"),
    ("from_yaml", "\x00", "invalid YAML"),
]


@pytest.mark.parametrize(("way", "given", "says"), BAD, ids=[f"{row[0]}: {str(row[1])[:30]}" for row in BAD])
def test_faults_are_named_with_their_places(way: str, given: Any, says: str) -> None:
    """And the response stays as it was."""
    response = StructuredResponse.from_basemodel(Review).from_dict({"headline": "before"})
    with pytest.raises(InstanceError, match=says):
        getattr(response, way)(given)
    assert response.to_dict() == {"headline": "before"}


@pytest.mark.parametrize("way", ["from_json", "from_yaml"])
def test_what_is_no_text_is_a_type_error(way: str) -> None:
    """As for replies."""
    with pytest.raises(TypeError, match="a text is a str, not dict"):
        getattr(StructuredResponse.from_basemodel(Review), way)({})
