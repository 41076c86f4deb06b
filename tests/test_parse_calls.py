"""Calls of Python in place of an answer."""

import time
from typing import Any

import pytest
from pydantic import BaseModel

from structured_response import ReplyError, StructuredResponse
from structured_response.parse.json.calls import calls


class Part(BaseModel):
    name: str


class Review(BaseModel):
    headline: str
    pros: list[str] = []
    score: int | None = None
    parts: list[Part] = []
    name: str = ""


REVIEW = StructuredResponse.from_basemodel(Review)

READ: list[tuple[str, dict[str, Any]]] = [
    ('Review(\n    headline="Nice",\n    pros=["a", "b"],\n    score=4,\n)', {"pros": ["a", "b"], "score": 4}),
    ("```python\nreview = Review(headline='Nice', score=None)\n```", {"score": None}),
    ("I say Review(headline='Nice', parts=[Part(name='a=(b)'), Part(name=\"it's\")]).", {"parts": ["a=(b)", "it's"]}),
    ('return dict(headline="Nice", pros=("a", "b"))', {"pros": ["a", "b"]}),
    ('models.Review(headline="Nice", name="x)")', {"name": "x)"}),
    (
        "repr: Review(headline='Nice', pros=[], score=4, parts=[], name='')",
        {"pros": [], "score": 4, "parts": [], "name": ""},
    ),
]


@pytest.mark.parametrize(("reply", "data"), READ)
def test_a_call_is_read_on_record(reply: str, data: dict[str, Any]) -> None:
    """As Python's code and Pydantic's representations have it, whatever stands around."""
    read = REVIEW.parse(reply)
    if data.get("parts"):
        data = {"parts": [{"name": name} for name in data["parts"]]}
    assert read.to_dict() == {"headline": "Nice", **data}
    assert [(repair.kind.value, repair.before) for repair in read.repairs] == [("format_read", "Python")]


def test_places_are_those_of_the_reply() -> None:
    """JSON has the length of the call that it was made of."""
    reply = "So: Review(headline='Nice', parts=[Part(name='a')], score='many')"
    with pytest.raises(ReplyError) as caught:
        REVIEW.parse(reply)
    (problem,) = caught.value.problems
    assert problem.span is not None
    assert reply[slice(*problem.span)] == "'many'"


@pytest.mark.parametrize("reply", ['print(name="x")', "f(a=1, headline=2)", "Review()", "a(headline==1, score==2)"])
def test_what_is_no_answer_is_no_call(reply: str) -> None:
    """One name alone may be anybody's; another keyword in front says that it is another call."""
    with pytest.raises(ReplyError, match="no <review> element"):
        REVIEW.parse(reply)


@pytest.mark.parametrize(
    "reply",
    ["Review(headline=x(1), pros=['a'])", "Review(headline='a' + 'b', pros=['a'])", "Review(headline='Nice', score="],
)
def test_what_is_no_data_is_a_problem(reply: str) -> None:
    """Code that would have to be run, and calls that break off."""
    assert REVIEW.parse(reply, strict=False).problems


@pytest.mark.parametrize("reply", ["f(a=1)", "f(a=[1, (2, {'b': g(c=3)})])", "f(a='=(', b=2", "f(a=(", "f(a=1))"])
def test_the_length_stays(reply: str) -> None:
    """Whatever a call holds, and wherever it breaks off."""
    written, spans = calls(f"x {reply} y", lambda name: True)
    assert len(written) == len(reply) + 4
    assert [start for start, _end in spans] == [3]


@pytest.mark.parametrize("piece", ["f(a=1) ", "f(a='1 ", "f(a=", 'f(a="""', "f(a=" + "(" * 20, "f(a=\\'", "ffff.ff("])
def test_time_grows_with_the_reply(piece: str) -> None:
    """Calls that never end too."""

    def seconds(count: int) -> float:
        begin = time.perf_counter()
        calls(piece * count, lambda name: True)
        return time.perf_counter() - begin

    assert seconds(20_000) < 40 * seconds(2_000) + 0.2
