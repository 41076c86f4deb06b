"""The search of the reader: what it prefers, what bounds it, and that pieces and threads make no difference."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from structured_response import ReplyError, StructuredResponse
from structured_response.read.feed import ReplyReader
from structured_response.read.grammar import MAX_STATES, grammar_of
from structured_response.read.prices import PRICES, Edit
from structured_response.read.rows import ROWS
from structured_response.read.search import LOOK_BACK


class Part(BaseModel):
    label: str
    points: int


class Review(BaseModel):
    headline: str
    score: int
    pros: list[str] = []
    parts: list[Part] = []


ASKED = StructuredResponse.from_basemodel(Review)

DAMAGED = (
    "<review><headline>Nice<score>4</score></review>",
    "<review><headline>Nice</score><score>4</score><pros><li>a<li>b</pros></review>",
    "<headline>Nice</headline>\n<score>4</score>",
    "<review><headline>Ni",
    "Sure: <review><headline>a < b</headline><score>4</score></review> Bye!",
    '{"headline": "Nice", score: 4,}',
    "headline: Nice\nscore: 4",
    "I can't help with that.",
)


def read(reply: str) -> tuple[Any, list[str]]:
    """The data and the paths of the problems of a reply."""
    try:
        found = ASKED.parse(reply, strict=False)
    except ReplyError as error:
        return None, [problem.path for problem in error.problems]
    return found.to_dict(), [problem.path for problem in found.problems]


@pytest.mark.parametrize("reply", DAMAGED)
def test_a_reply_in_pieces_gives_what_the_whole_gives(reply: str) -> None:
    """Whatever its pieces are."""
    whole = ReplyReader(ASKED._plan)
    whole.feed(reply)
    answer = whole.close()
    for size in (1, 2, 7):
        pieces = ReplyReader(ASKED._plan)
        for start in range(0, len(reply), size):
            pieces.feed(reply[start : start + size])
        again = pieces.close()
        assert (again.data, again.repairs, again.problems) == (answer.data, answer.repairs, answer.problems)


def test_fifty_threads_read_through_one_response() -> None:
    """They share its plan, and read what one alone reads."""
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


def test_what_a_plan_remembers_is_bounded() -> None:
    """Hostile replies have states without end."""
    rng = Random(5)
    names = ["headline", "score", "pros", "parts", "li", "label", *(f"x{number}" for number in range(400))]
    asked = StructuredResponse.from_type(list[Review], "Reviews")
    for _ in range(150):
        tags = "".join(f"<{rng.choice(['', '/'])}{rng.choice(names)}>{rng.choice(['', 'a'])}" for _ in range(120))
        try:
            asked.parse(f"<reviews>{tags}</reviews>", strict=False)
        except ReplyError:
            continue
    grammar = grammar_of(asked._plan)
    assert len(grammar.states) + sum(len(state.moves) for state in grammar.states.values()) < 2 * MAX_STATES


@given(
    st.lists(
        st.sampled_from(["<li>", "</li>", "a", "<b>", "</b>", "<score>4</score>", "<pros>", "</pros>"]), max_size=30
    )
)
def test_any_tags_end_in_data_or_in_problems(tags: list[str]) -> None:
    """Law 1 for soup of the definition's own tags."""
    read("<review><headline>x</headline>" + "".join(tags) + "</review>")


def test_many_objects_that_are_written_as_texts_are_no_text_themselves() -> None:
    """However many items of a list hold JSON in place of elements, each stays an item."""
    items = '<li>{"label": "a", "points": 1}</li>' * 100
    data, problems = read(f"<review><headline>x</headline><score>4</score><parts>{items}</parts></review>")
    assert (len(data["parts"]), problems) == (100, [])


def test_a_decision_far_back_is_final() -> None:
    """What stands in front of many tags is read alike whatever stands behind them."""
    head = "<review><headline>Nice</score><score>4</score><pros>"
    items = "<li>a</li>" * (3 * LOOK_BACK)
    for tail in ("</pros></review>", "</pros>", "</li></pros></headline></review>"):
        data, _problems = read(head + items + tail)
        assert (data["headline"], data["score"], len(data["pros"])) == ("Nice", 4, 3 * LOOK_BACK)


def test_every_edit_has_a_price_and_a_row() -> None:
    """Both tables are whole; prices are of five levels, and no later slip costs more than the first."""
    assert set(PRICES) == set(Edit)
    assert {price.level for price in PRICES.values()} <= {0, 3, 6, 12, 24}
    assert all(price.later <= price.level for price in PRICES.values())
    assert all(row.edit is None or row.edit in PRICES for row in ROWS)
