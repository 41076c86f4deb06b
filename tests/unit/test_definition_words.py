"""Types in words: what signatures and schemas say of a value."""

from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from typing import Annotated, Any, Literal
from uuid import UUID

import pytest
from pydantic import BaseModel, Field
from typing_extensions import TypeAliasType

from structured_response import ReplyError, StructuredResponse
from structured_response.definition import plan_of_type
from structured_response.render.placeholder import in_words, is_words, type_in_words


class Mood(Enum):
    LOW = "low"
    HIGH = "high"


class Part(BaseModel):
    label: str


Nested = TypeAliasType("Nested", "list[Nested] | int")

TYPES: list[tuple[Any, str]] = [
    (str, "str"),
    (int, "int"),
    (float, "float"),
    (bool, "bool"),
    (Any, "any"),
    (Decimal, "decimal"),
    (UUID, "UUID"),
    (bytes, "bytes (base64)"),
    (date, "date (YYYY-MM-DD)"),
    (time, "time (HH:MM:SS)"),
    (datetime, "datetime (YYYY-MM-DDTHH:MM:SS+00:00)"),
    (timedelta, "duration (P1DT2H30M)"),
    (Mood, 'one of "low", "high"'),
    (Literal["a", 1], 'one of "a", 1'),
    (list[str], "list[str]"),
    (set[int], "list[int]"),
    (dict[str, int], "dict[str, int]"),
    (tuple[int, str], "tuple[int, str]"),
    (int | str, "int | str"),
    (int | None, "int"),
    (Part, "Part"),
    (dict[str, list[Part]], "dict[str, list[Part]]"),
    (Nested, "list[Nested] | int"),
]


@pytest.mark.parametrize(("annotation", "words"), TYPES, ids=[row[1] for row in TYPES])
def test_types_are_shown_as_people_write_them(annotation: Any, words: str) -> None:
    """Every kind has its words; `Optional` leaves no mark, and what holds itself ends."""
    assert type_in_words(plan_of_type(annotation, "Value").root) == words


def test_description_type_bounds_and_requiredness_stand_in_this_order() -> None:
    """As in the samples: the description, the type in brackets, whether it is required."""
    node = plan_of_type(Annotated[int, Field(ge=1, le=5, description="From 1 to 5")], "Value").root
    assert in_words(node, True) == "From 1 to 5 (int, >= 1, <= 5) (required)"
    assert in_words(node, False) == "From 1 to 5 (int, >= 1, <= 5) (optional)"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("What (str) (required)", True),
        ("What (str) (optional)", True),
        ("as in parts (required)", True),
        ("What (str)", False),
        ("Other (str) (required)", False),
        ("", False),
    ],
)
def test_words_are_known_again(text: str, expected: bool) -> None:
    """A text is a signature's only where it is to the letter."""
    node = plan_of_type(Annotated[str, Field(description="What")], "Value").root
    assert is_words(node, text) is expected


def test_a_signature_that_comes_back_unfilled_is_a_problem_everywhere() -> None:
    """For every type, so that no leniency makes a value of the words. One that is filled makes it an answer."""
    nodes = [StructuredResponse.from_type(annotation).definition for annotation, _words in TYPES[:18]]
    fields: dict[str, Any] = {f"f{number}": node for number, node in enumerate(nodes)}
    response = StructuredResponse.from_definition("Facts", {**fields, "own": {"type": "str", "description": "Own"}})
    for text in (response.to_json_signature(), response.to_yaml_signature()):
        with pytest.raises(ReplyError, match="repeats the prompt"):
            response.parse(text, strict=False)
        read = response.parse(text.replace("Own (str) (required)", "done"), strict=False)
        assert {problem.path for problem in read.problems} == {f"$.f{number}" for number in range(18)}
