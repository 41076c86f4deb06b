"""What data says of its own, by which a repeated example is told from an answer."""

from typing import Annotated, Any, Literal

import annotated_types
import pytest
from pydantic import BaseModel, Field

from structured_response.data.compare import comparison_key, says_something
from structured_response.definition import plan_of_type


class Part(BaseModel):
    label: str
    points: int = 3


class Review(BaseModel):
    headline: str
    note: str | None = None
    parts: list[Part] = []
    counts: dict[str, int] = Field(default_factory=dict)
    either: Part | int | None = None
    tags: set[str] = set()


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ({"headline": "x"}, {"headline": "x", "note": None, "parts": [], "counts": {}, "either": None}, True),
        ({"headline": "x", "parts": [{"label": "a"}]}, {"headline": "x", "parts": [{"label": "a", "points": 3}]}, True),
        ({"headline": "x", "either": {"label": "a"}}, {"headline": "x", "either": {"label": "a", "points": 3}}, True),
        (
            {"headline": "x", "parts": [{"label": "a"}]},
            {"headline": "x", "parts": [{"label": "a", "points": 4}]},
            False,
        ),
        ({"headline": "x", "tags": ["b", "a"]}, {"headline": "x", "tags": ["a", "b"]}, True),
        ({"headline": "x", "tags": ["b"]}, {"headline": "x", "tags": ["a"]}, False),
        ({"headline": "x"}, {"headline": "y"}, False),
        ({"headline": "x"}, {}, False),
        ({"headline": "x", "counts": {"a": 1}}, {"headline": "x"}, False),
    ],
)
def test_what_was_left_out_is_what_it_would_have_been(one: Any, other: Any, same: bool) -> None:
    """Optional fields that are empty or hold their default make no difference, at any depth."""
    root = plan_of_type(Review, "review").root
    assert (comparison_key(root, one) == comparison_key(root, other)) is same


@pytest.mark.parametrize(
    ("kind", "data", "says"),
    [
        (str, "x", True),
        (str, "", False),
        (int, 3, True),
        (float, 0.5, True),
        (bool, True, False),
        (Literal["a", 1], "a", False),
        (list[Literal["a", "b"]], ["a", "b"], False),
        (list[str], [], False),
        (list[str], ["a"], True),
        (tuple[bool, str], [True, "a"], True),
        (dict[str, bool], {"a": True}, True),
        (dict[str, bool], {}, False),
        (Literal["none"] | Part, "none", False),
        (Literal["none"] | Part, {"label": "", "points": 3}, False),
        (Literal["none"] | Part, {"label": "", "points": 4}, True),
        (Any, [{"a": 1}], True),
        (Any, [], False),
        (Any, None, False),
    ],
    ids=str,
)
def test_labels_say_nothing_of_their_own(kind: Any, data: Any, says: bool) -> None:
    """Nor does what is empty; texts, free numbers and keys do."""
    assert says_something(plan_of_type(kind, "value").root, data) is says


@pytest.mark.parametrize(
    ("bounds", "says"),
    [
        ({}, True),
        ({"ge": 1}, True),
        ({"ge": 1, "le": 5}, False),
        ({"gt": 0, "lt": 6}, False),
        ({"lt": 6, "le": 5}, True),
    ],
)
def test_ratings_are_labels(bounds: dict[str, int], says: bool) -> None:
    """An integer between two bounds is one of a few."""
    stars: Any = Annotated[int, annotated_types.Interval(**bounds)]
    assert says_something(plan_of_type(stars, "stars").root, 4) is says
