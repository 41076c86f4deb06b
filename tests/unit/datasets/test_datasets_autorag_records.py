"""Ground truth as groups of ids, and what a passage's metadata always has."""

from datetime import UTC, datetime
from typing import Any, Literal

import numpy as np
import pandas as pd
import pytest
from pydantic import ValidationError

from structured_response import DatasetError
from structured_response.datasets.autorag import QA, Passage, normalize_retrieval_gt

MOMENT = datetime(2024, 1, 13, 14, 3)  # noqa: DTZ001 - as AutoRAG writes them


def nested(*groups: list[str]) -> Any:
    """Arrays in an array, as pandas gives lists of lists back."""
    outer: Any = np.empty(len(groups), dtype=object)
    for number, group in enumerate(groups):
        outer[number] = np.array(group, dtype=object)
    return outer


GROUPS: dict[str, tuple[Any, Literal["and", "or"], list[list[str]]]] = {
    "an id": ("a", "and", [["a"]]),
    "an id, with or": ("a", "or", [["a"]]),
    "a flat list is and": (["a", "b"], "and", [["a"], ["b"]]),
    "a flat list as or": (["a", "b"], "or", [["a", "b"]]),
    "groups": ([["a", "b"], ["c"]], "and", [["a", "b"], ["c"]]),
    "groups, with or": ([["a", "b"], ["c"]], "or", [["a", "b"], ["c"]]),
    "an array": (np.array(["a", "b"]), "and", [["a"], ["b"]]),
    "an array of arrays": (nested(["a", "b"], ["c"]), "and", [["a", "b"], ["c"]]),
    "a matrix": (np.array([["a"], ["b"]]), "and", [["a"], ["b"]]),
    "an id that is long": (np.str_("a"), "and", [["a"]]),
}


@pytest.mark.parametrize(("value", "flat", "groups"), GROUPS.values(), ids=GROUPS)
def test_groups(value: Any, flat: Literal["and", "or"], groups: list[list[str]]) -> None:
    """Whatever is ground truth becomes a list of lists of texts."""
    found = normalize_retrieval_gt(value, flat)
    assert found == groups
    assert {type(each) for group in found for each in group} == {str}


NO_GROUPS: dict[str, tuple[Any, str]] = {
    "nothing": ([], "list should have at least 1 item after validation, not 0; found []"),
    "an empty array": (np.array([]), "list should have at least 1 item after validation, not 0; found []"),
    "an empty group": ([["a"], []], "$[1]: list should have at least 1 item after validation, not 0; found []"),
    "an id beside a list": (["a", ["b"]], "$[0]: input should be a valid list; found 'a'"),
    "a list beside an id": ([["a"], "b"], "$[1]: input should be a valid list; found 'b'"),
    "a tuple": (("a", "b"), "input should be a valid list; found ('a', 'b')"),
    "a tuple as a group": ([("a",)], "$[0]: input should be a valid list; found ('a',)"),
    "a number": (5, "input should be a valid list; found 5"),
    "numbers": ([5], "$[0]: input should be a valid list; found 5"),
    "a number in a group": ([["a", 5]], "$[0][1]: input should be a valid string; found 5"),
    "three levels": ([[["a"]]], "$[0][0]: input should be a valid string; found ['a']"),
    "None": (None, "input should be a valid list; found None"),
    "a dict": ({"a": 1}, "input should be a valid list; found {'a': 1}"),
}


@pytest.mark.parametrize(("value", "error"), NO_GROUPS.values(), ids=NO_GROUPS)
def test_no_groups(value: Any, error: str) -> None:
    """Anything else is an error, by itself and in a record."""
    with pytest.raises(DatasetError) as caught:
        normalize_retrieval_gt(value)
    assert str(caught.value) == error
    with pytest.raises(ValidationError, match="retrieval_gt"):
        QA(qid="q", query="?", retrieval_gt=value, generation_gt=["a"])


def test_flat_is_and_or_or() -> None:
    """A misspelt `flat` is the caller's fault."""
    with pytest.raises(ValueError, match='flat is "and" or "or", not "AND"'.replace('"AND"', "'AND'")):
        normalize_retrieval_gt(["a"], "AND")  # type: ignore[arg-type]


def test_input_stays_as_it_is() -> None:
    """Lists are copied."""
    groups, metadata = [["a"]], {"page": 1}
    assert normalize_retrieval_gt(groups)[0] is not groups[0]
    Passage(doc_id="a", contents="b", metadata=metadata)
    assert metadata == {"page": 1}


def test_one_answer_is_a_list() -> None:
    """An answer may be a text, a list or an array; further columns are kept."""
    for answers in ("yes", ["yes"], np.array(["yes"], dtype=object)):
        qa = QA.model_validate({"qid": "q", "query": "?", "retrieval_gt": "a", "generation_gt": answers, "level": 3})
        assert qa.model_dump() == {
            "qid": "q",
            "query": "?",
            "retrieval_gt": [["a"]],
            "generation_gt": ["yes"],
            "level": 3,
        }


@pytest.mark.parametrize("metadata", [{}, None, {"last_modified_datetime": None}, {"last_modified_datetime": pd.NaT}])
def test_metadata_is_completed(metadata: Any) -> None:
    """A passage was modified now unless it says when, and has neighbours or None."""
    before = datetime.now()  # noqa: DTZ005 - as AutoRAG writes them
    found = Passage(doc_id="a", contents="b", metadata=metadata).metadata
    assert before <= found.pop("last_modified_datetime") <= datetime.now()  # noqa: DTZ005
    assert found == {"prev_id": None, "next_id": None}


@pytest.mark.parametrize(
    ("moment", "read"),
    [
        (MOMENT, MOMENT),
        (MOMENT.replace(tzinfo=UTC), MOMENT.replace(tzinfo=UTC)),
        (pd.Timestamp(MOMENT), MOMENT),
        ("2024-01-13T14:03:00", MOMENT),
        ("2024-01-13 14:03", MOMENT),
    ],
)
def test_moments(moment: Any, read: datetime) -> None:
    """A date is a datetime, pandas' own, or a text in ISO 8601."""
    metadata = Passage(doc_id="a", contents="b", metadata={"last_modified_datetime": moment, "page": 1}).metadata
    assert metadata == {"last_modified_datetime": read, "page": 1, "prev_id": None, "next_id": None}
    assert type(metadata["last_modified_datetime"]) is datetime


@pytest.mark.parametrize("moment", ["yesterday", 5, 1.5, ["2024-01-13"], ""])
def test_dates_that_are_none(moment: Any) -> None:
    """What is not a date is told with what stood there."""
    with pytest.raises(ValidationError, match="last_modified_datetime is not a date: "):
        Passage(doc_id="a", contents="b", metadata={"last_modified_datetime": moment})
