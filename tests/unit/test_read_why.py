"""Why a reply is read as it is: the slips of the reading, what they cost, and the next best reading."""

import pytest
from pydantic import BaseModel

from structured_response.cli.why import Why, explain, to_text
from structured_response.definition import shared_plan
from structured_response.read.prices import PRICES, Edit


class Review(BaseModel):
    """What the replies are read as."""

    headline: str
    score: int
    pros: list[str] = []


def why(reply: str) -> Why:
    """Returns the explanation of a reply."""
    return explain(shared_plan(Review, "Review"), reply)


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
    """The winner has the slips of the reply, each at its price. The next reading costs as much or more."""
    found = why(reply)
    assert found.winner is not None
    assert found.winner.data == {"headline": "Nice", "score": 4}
    assert [slip.edit for slip in found.winner.slips] == edits
    assert found.winner.cost == sum(PRICES[edit].level for edit in edits)
    assert found.runner_up is None or found.runner_up.cost >= found.winner.cost
    assert found.runner_up is None or found.runner_up.data != found.winner.data


def test_place_of_a_slip_in_an_escaped_answer() -> None:
    """The place is in the reply as it came, not in the text that was decoded from it."""
    reply = CASES["escaped"][0]
    found = why(reply)
    assert found.winner is not None
    assert reply[slice(*found.winner.slips[0].span)] == "&lt;score&gt;4&lt;/score&gt;"


def test_a_habit_costs_less_the_second_time() -> None:
    """A slip that was made before costs next to nothing."""
    found = why("<review><headline>Nice</headline><score>4</score><pros><li>a<li>b<li>c</pros></review>")
    assert found.winner is not None
    prices = [slip.price for slip in found.winner.slips if slip.edit is Edit.CLOSER_MISSING]
    assert prices == [PRICES[Edit.CLOSER_MISSING].level] + [PRICES[Edit.CLOSER_MISSING].later] * (len(prices) - 1)
    assert len(prices) > 1


def test_no_answer() -> None:
    """Without an answer there is no reading to explain."""
    assert to_text(why("Sure, one moment!")) == "nothing in the reply could be the answer"
