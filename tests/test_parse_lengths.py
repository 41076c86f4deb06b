"""Lengths of time as people write them; `tests/test_parse_scalars.py` has the table of all forms."""

import pytest

from structured_response.definition import Node
from structured_response.parse.scalars.lengths import mend_duration

READ = [
    ("1h30", "PT1H30M"),
    ("2 min 30", "PT2M30S"),
    ("90 minutes (1.5 hours)", "PT1H30M"),
    ("a day, an hour", "P1DT1H"),
]
OTHERS = ["2 hours ago", "every 2 hours", "2 hours a day", "2 hours twice", "2 hours each", "2 hours (3 hours)", "1h75"]


@pytest.mark.parametrize(("text", "value"), READ)
def test_a_length_is_read(text: str, value: str) -> None:
    """The unit of the last amount may be left out; the same once more in brackets is the same."""
    assert mend_duration(Node("duration"), text).value == value


@pytest.mark.parametrize("text", OTHERS)
def test_what_is_no_length_alone(text: str) -> None:
    """A place in time, a rate, two lengths."""
    assert mend_duration(Node("duration"), text).value is None
