"""The search of the reader: its preferences, its bounds, and that pieces and threads make no difference."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from benchmarks.robustness.models import Part
from structured_response import ReplyError, StructuredResponse
from structured_response.read.candidates import tag_scanner
from structured_response.read.grammar import grammar_of
from structured_response.read.moves import ROWS
from structured_response.read.prices import PRICES, Edit
from structured_response.read.search import LOOK_BACK, MAX_LOOKS, Search
from tests.growth import grows_with_the_text


class Review(BaseModel):
    headline: str
    score: int
    pros: list[str] = []
    parts: list[Part] = []


ASKED = StructuredResponse.from_basemodel(Review)


def read(reply: str) -> tuple[Any, list[str]]:
    """Returns the data and the paths of the problems of a reply."""
    try:
        found = ASKED.parse(reply, strict=False)
    except ReplyError as error:
        return None, [problem.path for problem in error.problems]
    return found.to_dict(), [problem.path for problem in found.problems]


def test_fifty_threads_read_through_one_response() -> None:
    """The threads share a plan and read what one thread alone reads."""
    asked = StructuredResponse.from_type(list[Part], "Parts")
    alone = StructuredResponse.from_type(list[Part], "Parts")
    rng = Random(4)
    tags = ["<li>", "</li>", "<label>", "</label>", "<points>4</points>", "x", "<b>", "</parts>"]
    replies = ["<parts>" + "".join(rng.choices(tags, k=12)) + "</parts>" for _ in range(200)]

    def outcome(response: StructuredResponse[Any], reply: str) -> Any:
        try:
            return response.parse(reply, strict=False).to_dict()
        except ReplyError as error:
            return [problem.message for problem in error.problems]

    with ThreadPoolExecutor(50) as pool:
        together = list(pool.map(lambda reply: outcome(asked, reply), replies))
    assert together == [outcome(alone, reply) for reply in replies]


def test_what_a_plan_remembers_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hostile replies have an endless number of states."""
    monkeypatch.setattr("structured_response.read.grammar.MAX_STATES", 4_000)
    rng = Random(5)
    names = ["headline", "score", "pros", "parts", "li", "label", *(f"x{number}" for number in range(400))]
    asked = StructuredResponse.from_type(list[Review], "Reviews")
    for _ in range(15):
        tags = "".join(f"<{rng.choice(['', '/'])}{rng.choice(names)}>{rng.choice(['', 'a'])}" for _ in range(120))
        try:
            asked.parse(f"<reviews>{tags}</reviews>", strict=False)
        except ReplyError:
            continue
    grammar = grammar_of(asked._plan)
    assert len(grammar.states) + sum(len(state.moves) for state in grammar.states.values()) < 2 * 4_000


@given(
    st.lists(
        st.sampled_from(["<li>", "</li>", "a", "<b>", "</b>", "<score>4</score>", "<pros>", "</pros>"]), max_size=30
    )
)
def test_any_tags_end_in_data_or_in_problems(tags: list[str]) -> None:
    """A soup of the definition's own tags raises nothing else (law 1)."""
    read("<review><headline>x</headline>" + "".join(tags) + "</review>")


def test_each_of_many_items_that_hold_json_stays_an_item() -> None:
    """The number of items that hold JSON in place of elements makes no difference."""
    items = '<li>{"label": "a", "points": 1}</li>' * 100
    data, problems = read(f"<review><headline>x</headline><score>4</score><parts>{items}</parts></review>")
    assert (len(data["parts"]), problems) == (100, [])


def test_a_decision_far_back_is_final() -> None:
    """The beginning of a reply with many tags is read alike, whatever follows them."""
    head = "<review><headline>Nice</score><score>4</score><pros>"
    items = "<li>a</li>" * (3 * LOOK_BACK)
    for tail in ("</pros></review>", "</pros>", "</li></pros></headline></review>"):
        data, _problems = read(head + items + tail)
        assert (data["headline"], data["score"], len(data["pros"])) == ("Nice", 4, 3 * LOOK_BACK)


def test_a_reading_with_more_faults_than_tokens_is_followed_alone() -> None:
    """It takes one step for each token once the steps that every reply has are used up."""
    plan = ASKED._plan
    tokens = tag_scanner(plan).scan("<headline/>" * 3_000)
    search = Search(grammar_of(plan), grammar_of(plan).rootless, 0, lambda _state, _index: True)
    reading = search.run(tokens.symbols)
    assert reading is not None and reading.cost > len(tokens)
    assert search.looks <= MAX_LOOKS + len(tokens)


def test_every_edit_has_a_price_and_a_row() -> None:
    """Both tables are complete. Prices have five levels, and a later slip never costs more than the first."""
    assert set(PRICES) == set(Edit)
    assert {price.level for price in PRICES.values()} <= {0, 3, 6, 12, 24}
    assert all(price.later <= price.level for price in PRICES.values())
    assert all(row.edit is None or row.edit in PRICES for row in ROWS)


class Chart(BaseModel):
    part: Part
    parts: list[Part] = []
    doses: dict[str, str] = {}


def rows_of_no_objects(size: int) -> str:
    """Returns a table of which no cell names a field, in a list that is opened twice."""
    return "<parts><parts>\n" + "| a | 1 |\n" * size + "</parts></parts>"


def names_that_are_paths(step: str) -> Callable[[int], str]:
    """Returns an object and a map with a name of many steps."""
    return lambda size: json.dumps({step * 10 * size: 1, "doses": {step * 10 * size: "1"}})


GROWING = {"rows": rows_of_no_objects, **{step: names_that_are_paths(step) for step in ("part.", "part[0].", "a.b.")}}


@pytest.mark.parametrize("make", GROWING.values(), ids=GROWING.keys())
def test_time_grows_with_the_reply(make: Callable[[int], str]) -> None:
    """Sixteen times as much text takes about sixteen times as long."""
    response = StructuredResponse.from_basemodel(Chart)
    assert grows_with_the_text(lambda reply: response.parse(reply, strict=False), make, 250)
