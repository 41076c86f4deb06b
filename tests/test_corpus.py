"""Each row of tests/corpus is read as it says; of what was given up, nothing becomes a silently wrong value."""

from typing import Any

import pytest

from tests.corpus import GONE, ROWS, judged, outcome, response_of


def _params(topics: dict[str, list[dict[str, Any]]]) -> list[Any]:
    return [
        pytest.param(row, id=f"{topic}-{number}") for topic, rows in topics.items() for number, row in enumerate(rows)
    ]


@pytest.mark.parametrize("row", _params(ROWS))
def test_a_reply_is_read_as_its_row_says(row: dict[str, Any]) -> None:
    """The data, and the paths of the problems."""
    got = outcome(response_of(row), row)
    assert judged(row, got) == "right", got


@pytest.mark.parametrize("row", _params(GONE))
def test_what_was_given_up_is_never_silently_wrong(row: dict[str, Any]) -> None:
    """It is read, or a problem."""
    got = outcome(response_of(row), row)
    assert judged(row, got) != "silent", got
