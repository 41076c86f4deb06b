"""What a program says about how to read: where a reply broke off, refusals, and the options of `parse`."""

import pickle
from typing import Literal

import pytest
from pydantic import BaseModel

from structured_response import ReplyError, StructuredResponse


class Part(BaseModel):
    label: str
    points: int


class Review(BaseModel):
    headline: str
    score: int
    price: float | None = None
    verdict: Literal["good", "mixed", "bad"] = "good"
    pros: list[str] = []
    excerpt: str = ""
    parts: list[Part] = []


REVIEW = StructuredResponse.from_basemodel(Review)
HEAD = "<review><headline>Nice</headline><score>4</score>"
JSON = '{"headline": "Nice", "score": 4'


# Where a reply breaks off

CUT: list[tuple[str, str | None]] = [
    (f"{HEAD}<parts><li><label>a</label><points>1</points></li><li><label>b", "$.parts[1].label"),
    (f"{HEAD}<parts><li><label>a</label><points>1", "$.parts[0].points"),
    (f"{HEAD}<parts><li><label>a</label>", "$.parts[0]"),
    (f"{HEAD}<excerpt>It was a dark and", "$.excerpt"),
    ("<review><headline>Nice</headline><score>4", "$.score"),
    (f"{HEAD}<pr", "$"),
    (HEAD, None),
    (f"{HEAD}</review>", None),
    (f"{HEAD}</rev", None),
    (f'{JSON}, "parts": [{{"label": "a", "points": 1}}, {{"label": "b', "$.parts[1].label"),
    (f'{JSON}, "parts": [{{"label": "a", "points": 1', "$.parts[0].points"),
    (f'{JSON}, "parts": [{{"label": "a"', "$.parts[0]"),
    (f'{JSON}, "excerpt": "It was a dark and', "$.excerpt"),
    (JSON, "$.score"),
    (f"{JSON},", "$"),
    (f'{JSON}, "pros": []', None),
    (f"{JSON}}}", None),
    (f'{HEAD}<parts>[{{"label": "a", "points": 1}}, {{"label": "b', "$.parts[1].label"),
    (f'{HEAD}<parts>[{{"label": "a", "points": 1}}, {{"label": "b"</parts></review>', None),
]


@pytest.mark.parametrize(("reply", "path"), CUT)
def test_where_a_reply_breaks_off(reply: str, path: str | None) -> None:
    """The same in every format: the path of the innermost value that is not whole, and a problem there."""
    read = REVIEW.parse(reply, strict=False)
    assert read.truncated == path
    assert [problem.path for problem in read.problems if problem.kind == "truncated"] == ([path] if path else [])
    assert read.to_dict()["headline"] == "Nice"
    if path:
        with pytest.raises(ReplyError) as caught:
            REVIEW.parse(reply)
        assert caught.value.response.truncated == path


def test_what_broke_off_is_remembered() -> None:
    """Through pickle, through `from_prompt`, and until the next reading."""
    response = StructuredResponse.from_basemodel(Review)
    assert response.truncated is None
    response.from_prompt(CUT[0][0], strict=False)
    assert response.truncated == "$.parts[1].label"
    assert pickle.loads(pickle.dumps(response)).truncated == "$.parts[1].label"
    assert response.from_prompt(f"{HEAD}</review>").truncated is None


def test_json_that_breaks_off_in_an_element_is_a_problem() -> None:
    """The reply goes on behind it, so it is the value that is wrong."""
    read = REVIEW.parse(CUT[-1][0], strict=False)
    assert [(problem.kind, problem.path) for problem in read.problems] == [
        ("invalid", "$.parts[1]"),
        ("missing", "$.parts[1].points"),
    ]
    mended = REVIEW.parse(f'{HEAD}<parts>[{{"label": "a", "points": 1}}</parts></review>')
    assert mended.to_dict()["parts"] == [{"label": "a", "points": 1}]
    assert ("json_mended", "", "]") in [(repair.kind, repair.before, repair.after) for repair in mended.repairs]
