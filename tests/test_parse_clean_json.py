"""Clean JSON: read without places, or left to the reader that tells all."""

import enum
from datetime import date
from decimal import Decimal
from typing import Any, Literal

import pytest
from pydantic import BaseModel, Field

from structured_response import StructuredResponse
from structured_response.definition import ABSENT
from structured_response.parse.data.clean_json import clean_reader, clean_tree, decoded, may_be_strict
from structured_response.parse.data.data import read_data
from structured_response.parse.json.json_text import scan_json
from structured_response.parse.reading import Reading


class Part(BaseModel):
    label: str
    points: int = 0


class Marked(BaseModel):
    label: str
    points: int = Field(le=5)


class Card(BaseModel):
    last4: str


class Colour(enum.Enum):
    RED = "red"
    ONE = 1


class Tree(BaseModel):
    name: str
    children: list["Tree"] = []


def root_of(asked: Any) -> Any:
    """The node of what is asked for."""
    return StructuredResponse.from_type(asked, "holder")._plan.root


CLEAN: list[tuple[Any, str, Any]] = [
    (Part, '{"label": "a", "points": 4}', {"label": "a", "points": "4"}),
    (Part, '{"label": "\\u00e9\\n"}', {"label": "\u00e9\n"}),
    (list[Part], '[{"label": "a"}, {"label": "b"}]', [{"label": "a"}, {"label": "b"}]),
    (list[int | None], "[1, null]", ["1", None]),
    (tuple[int, str], '[1, "a"]', ["1", "a"]),
    (dict[str, bool], '{"a": true, "b": false}', {"a": "true", "b": "false"}),
    (dict[int, str], '{"1": "a"}', {"1": "a"}),
    (list[Decimal], '[1.10, "2.50"]', ["1.10", "2.50"]),
    (list[date], '["2026-11-22"]', ["2026-11-22"]),
    (list[Colour], '["red", 1]', ["red", 1]),
    (list[Part | Card], '[{"label": "a", "points": 1}, {"last4": "1"}]', [{"label": "a", "points": 1}, {"last4": "1"}]),
    (list[Any], '[{"a": [1, "x", null, true]}]', [{"a": [1, "x", None, True]}]),
    (Tree, '{"name": "a", "children": [{"name": "b"}]}', {"name": "a", "children": [{"name": "b"}]}),
]

ASIDE: list[tuple[Any, str]] = [
    (Part, '{"Label": "a"}'),
    (Part, '{"label": "a", "label": "b"}'),
    (Part, '{"label": "a", "more": 1}'),
    (Part, '{"points": 1}'),
    (Part, "{}"),
    (Part, '{"label": 1}'),
    (Part, '{"label": null}'),
    (Part, '{"label": "a", "points": "4"}'),
    (Part, '{"label": "a", "points": 4.0}'),
    (Part, '{"label": "\\ud83d"}'),
    (Part, '{"label": "[value here]"}'),
    (Part, '"a"'),
    (list[Part], "[{}]"),
    (list[float], "[NaN]"),
    (list[float], "[1e999]"),
    (tuple[int, str], "[1]"),
    (dict[float, str], '{"1": "a", "1.0": "b"}'),
    (dict[str, str], '{"input": "a"}'),
    (dict[str, str], '{"a": "\\ud83d"}'),
    (list[Colour], '["1"]'),
    (list[Colour], "[[]]"),
    (list[Literal["a"]], '["b"]'),
    (list[Part | Card], '[{"other": 1}]'),
    (list[Any], '[{"a": 1, "a": 2}]'),
    (list[Any], "[1e999]"),
    (list[Any], "[" * 150 + "]" * 150),
    (Tree, '{"name": "a", "children": [' * 120 + "]}" * 120),
]


@pytest.mark.parametrize(("asked", "text", "tree"), CLEAN)
def test_clean_json_is_a_tree(asked: Any, text: str, tree: Any) -> None:
    """The one that the reader of sloppy JSON makes, which has nothing to say of it."""
    data, end = decoded(text, 0) or (None, 0)
    assert end == len(text)
    assert clean_reader(root_of(asked))(data) == tree
    value = scan_json(text, 0, takes_lists=True).value
    assert value is not None
    reading = Reading(value.span)
    assert read_data(root_of(asked), value, reading) == tree
    assert (reading.repairs, reading.problems) == ([], [])
    assert clean_tree(root_of(asked), value) == (tree, [])


@pytest.mark.parametrize(("asked", "text"), ASIDE)
def test_all_else_is_left_to_the_other_reader(asked: Any, text: str) -> None:
    """Whatever there is to be said of it."""
    data, _end = decoded(text, 0) or (None, 0)
    assert clean_reader(root_of(asked))(data) is ABSENT


@pytest.mark.parametrize("text", ['{"a": 1,}', "{'a': 1}", "{a: 1}", '{"a": "x\ny"}', "[1 2]", "{", "[" * 100_000])
def test_what_is_no_json_has_no_data(text: str) -> None:
    """To the letter, and whatever it is that lacks."""
    assert decoded(text, 0) is None


def test_other_blanks_are_known() -> None:
    """Since the other reader takes them as blanks, and the library's own does not."""
    assert may_be_strict("{\u00a0}")
    assert not may_be_strict("{ }\n")


@pytest.mark.parametrize("reply", ['{"label": "a", "points": 7}', "Here: {'label': 'a', points: 7,}"])
def test_places_are_found_when_somebody_asks(reply: str) -> None:
    """A model refuses a value: the problem names its place, though reading did not."""
    read = StructuredResponse.from_basemodel(Marked).parse(reply, strict=False)
    assert [(problem.path, problem.span) for problem in read.problems] == [
        ("$.points", (reply.index("7"), reply.index("7") + 1))
    ]
