"""Why a reply is read as it is: the slips of the reading, what they cost, and the next best reading."""

import pytest
from pydantic import BaseModel

from structured_response.definition import shared_plan
from structured_response.explain.why import runner_up, slips, told
from structured_response.options import ParseOptions
from structured_response.read.candidates import Candidate
from structured_response.read.prices import PRICES, Edit
from structured_response.read.reader import read_carefully


class Review(BaseModel):
    """What the replies are read as."""

    headline: str
    score: int
    pros: list[str] = []


PLAN = shared_plan(Review, "Review")


def taken(reply: str) -> Candidate:
    """The reading of a reply that is taken."""
    found = read_carefully(PLAN, reply, ParseOptions())[1]
    assert found is not None
    return found


CASES = {
    "clean": ("<review><headline>Nice</headline><score>4</score></review>", []),
    "a closing tag": ("<review><headline>Nice<score>4</score></review>", [Edit.CLOSER_MISSING]),
    "a wrong one": ("<review><headline>Nice</score><score>4</score></review>", [Edit.CLOSER_WRONG]),
    "JSON": ('{"headline": "Nice", /* of 5 */ "score": 4}', [Edit.COMMENT_SKIPPED]),
    "lines": ("headline: Nice\nscore: 4", []),
    "escaped": ("&lt;review&gt;&lt;headline&gt;Nice&lt;score&gt;4&lt;/score&gt;&lt;/review&gt;", [Edit.CLOSER_MISSING]),
}


@pytest.mark.parametrize(("reply", "edits"), CASES.values(), ids=CASES.keys())
def test_slips_of_the_reading(reply: str, edits: list[Edit]) -> None:
    """The winner has the slips of the reply, each at its price; the next reading costs as much or more."""
    winner = taken(reply)
    assert winner.answer is not None
    assert winner.answer.data == {"headline": "Nice", "score": 4}
    assert [slip.edit for slip in slips(winner)] == edits
    cost = sum(slip.price for slip in slips(winner))
    assert cost == sum(PRICES[edit].level for edit in edits)
    other = runner_up(PLAN, winner, ParseOptions())
    if other is not None:
        assert sum(slip.price for slip in slips(other)) >= cost
        assert other.answer is None or other.answer.data != winner.answer.data


def test_place_of_a_slip_in_an_escaped_answer() -> None:
    """The place is in the reply as it came, not in the text that was decoded from it."""
    reply = CASES["escaped"][0]
    assert reply[slice(*next(slips(taken(reply))).span)] == "&lt;score&gt;4&lt;/score&gt;"


def test_a_habit_costs_less_the_second_time() -> None:
    """A slip that was made before costs next to nothing."""
    found = taken("<review><headline>Nice</headline><score>4</score><pros><li>a<li>b<li>c</pros></review>")
    prices = [slip.price for slip in slips(found) if slip.edit is Edit.CLOSER_MISSING]
    assert prices == [PRICES[Edit.CLOSER_MISSING].level] + [PRICES[Edit.CLOSER_MISSING].later] * (len(prices) - 1)
    assert len(prices) > 1


def test_no_answer() -> None:
    """Without an answer there is no reading to explain."""
    assert told(PLAN, "Sure, one moment!", ParseOptions()) == "nothing in the reply could be the answer"
