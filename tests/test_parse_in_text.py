"""Lists, maps, tuples and objects that are written as text: what comes out, and that each split is on record."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import BaseModel

from structured_response import StructuredResponse


class Part(BaseModel):
    label: str
    points: int


class Everything(BaseModel):
    words: list[str] = []
    votes: dict[str, int] = {}
    pair: tuple[str, int] = ("", 0)
    part: Part | None = None
    parts: list[Part] = []


EVERYTHING = StructuredResponse.from_basemodel(Everything)


@pytest.mark.parametrize(
    ("inner", "field", "value", "kind"),
    [
        ("<words>light; cheap</words>", "words", ["light", "cheap"], "text_split"),
        ("<words>\n- light\n- cheap\n</words>", "words", ["light", "cheap"], "text_split"),
        ("<words>light</words>", "words", ["light"], "shape_changed"),
        ("<votes>a: 1\nb: 2</votes>", "votes", {"a": 1, "b": 2}, "text_split"),
        ("<pair>a, 3</pair>", "pair", ["a", 3], "text_split"),
        ("<part>label: a\npoints: 3</part>", "part", {"label": "a", "points": 3}, "format_read"),
        ('<part>{"label": "a", "points": 3}</part>', "part", {"label": "a", "points": 3}, "format_read"),
        (
            "<parts>\n- **label**: a\n- **points**: 1\n- **label**: b\n- **points**: 2\n</parts>",
            "parts",
            [{"label": "a", "points": 1}, {"label": "b", "points": 2}],
            "text_split",
        ),
    ],
)
def test_a_text_is_split(inner: str, field: str, value: Any, kind: str) -> None:
    """By the kind of what is asked for, on record with its place."""
    reply = f"<everything>{inner}</everything>"
    read = EVERYTHING.parse(reply)
    assert read.to_dict()[field] == value
    repairs = [repair for repair in read.repairs if repair.kind == kind]
    assert repairs
    assert all(reply[slice(*repair.span)] in inner for repair in repairs)


@pytest.mark.parametrize(("inner", "path"), [("<pair>a</pair>", "$.pair"), ("<part>what?</part>", "$.part")])
def test_what_does_not_fit_is_a_problem(inner: str, path: str) -> None:
    """With nothing made up in its place."""
    read = EVERYTHING.parse(f"<everything>{inner}</everything>", strict=False)
    assert [problem.path for problem in read.problems] == [path]
