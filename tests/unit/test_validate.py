"""Typing and checking of data: by the definition, by the model, and errors with their paths."""

from typing import Annotated, Any, Literal

import pytest
from pydantic import (
    BaseModel,
    Discriminator,
    Field,
    Tag,
    ValidationError,
    create_model,
)

from structured_response import InstanceError, StructuredResponse
from structured_response.data.model import judges_texts, to_model
from structured_response.data.validators import checked, node_at, problems_of, stored, typed
from structured_response.definition import Plan
from tests.corpus.models import After, Before, Strict, Whole
from tests.corpus.models import Review13 as Review

PLAN = StructuredResponse.from_basemodel(Review)._plan


def paths(error: ValidationError, plan: Plan = PLAN) -> list[str]:
    """Returns the paths of a validation's errors."""
    return sorted(problem.path for _path, problem in problems_of(plan, error))


def test_texts_are_typed() -> None:
    """A tree of texts in their strict forms becomes data."""
    tree = {
        "score": "4",
        "price": "1.5",
        "sure": "false",
        "pros": ["1"],
        "parts": [{"label": "ab", "points": "2"}],
    }
    assert typed(PLAN).validate_python(tree) == {
        "score": 4,
        "price": 1.5,
        "sure": False,
        "pros": ["1"],
        "parts": [{"label": "ab", "points": 2}],
    }


def test_typing_checks_no_more_than_types() -> None:
    """The model judges what is missing, null or out of bounds."""
    tree: dict[str, Any] = {"parts": [{"points": "99"}], "sure": None}
    assert typed(PLAN).validate_python(tree) == {"parts": [{"points": 99}], "sure": None}


BAD: list[tuple[dict[str, Any], list[str]]] = [
    ({}, ["$.score"]),
    (
        {"score": 4, "parts": [{"label": "ab", "points": 1}, {"label": "a", "points": 10}]},
        ["$.parts[1].label", "$.parts[1].points"],
    ),
    ({"score": 4, "pros": ["a", "b", "c"]}, ["$.pros"]),
    ({"score": 4, "color": "green"}, ["$.color"]),
]


@pytest.mark.parametrize(("data", "expected"), BAD)
def test_constraints_are_checked_without_the_model_too(data: dict[str, Any], expected: list[str]) -> None:
    """The definition alone finds what the model finds, at the same paths."""
    alone = StructuredResponse.from_definition("Review", PLAN.definition)._plan
    for plan, check in ((PLAN, checked(PLAN).validate_python), (alone, checked(alone).validate_python)):
        with pytest.raises(ValidationError) as caught:
            check(data)
        assert paths(caught.value, plan) == expected
    with pytest.raises(ValidationError) as caught:
        to_model(PLAN)(data, None)
    assert paths(caught.value) == expected


STORED: list[tuple[str, Any, bool]] = [
    ("int", 4, True),
    ("int", str(2**70), True),
    ("int", "+4", False),
    ("int", " 4", False),
    ("int", 4.0, False),
    ("int", True, False),
    ("float", 4, True),
    ("float", "NaN", True),
    ("float", "-Infinity", True),
    ("float", "inf", False),
    ("bool", True, True),
    ("bool", 1, False),
    ("bool", "true", False),
    ("str", "x", True),
    ("str", 4, False),
    ("str", None, True),
]


@pytest.mark.parametrize(("kind", "value", "fits"), STORED)
def test_stored_values_are_taken_without_leniency(kind: str, value: Any, fits: bool) -> None:
    """An instance holds typed JSON. Only values that JSON cannot hold are texts."""
    plan = StructuredResponse.from_definition("A", {"x": {"type": kind}})._plan
    if fits:
        held = stored(plan).validate_python({"x": value})["x"]
        assert held is None or type(held).__name__ == kind
    else:
        with pytest.raises(ValidationError):
            stored(plan).validate_python({"x": value})


def test_stored_data_holds_no_unknown_names() -> None:
    """A name that the definition does not have is refused."""
    with pytest.raises(ValidationError):
        stored(PLAN).validate_python({"score": 4, "mood": "x"})


@pytest.mark.parametrize(
    ("model", "in_one_go", "value"),
    [(Strict, False, 4), (Before, False, 5), (After, True, 5), (Whole, False, 4)],
)
def test_validators_see_typed_data(model: type[BaseModel], in_one_go: bool, value: int) -> None:
    """A model that would read texts in another way than typed data never sees texts."""
    response = StructuredResponse.from_basemodel(model)
    name = response._plan.root_name
    assert judges_texts(response._plan) is in_one_go
    for attribute in ("", " a='b'"):
        read = response.parse(f"<{name}><x{attribute}>4</x></{name}>")
        assert read.to_dict() == {"x": 4}
        assert read.to_basemodel().model_dump() == {"x": value}
        assert read.to_basemodel() is not read.to_basemodel()


class Low(BaseModel):
    kind: Literal["low"]
    points: int = Field(ge=5)


class High(BaseModel):
    kind: Literal["high"]
    numbers: list[Annotated[int, Field(ge=5)]]


class Other(BaseModel):
    kind: Literal["other"]
    inner: Low


def tag_of(value: Any) -> str:
    """Returns a tag that is not the value of a field."""
    return f"is {value['kind'] if isinstance(value, dict) else value.kind}"


IS_LOW, IS_HIGH, IS_OTHER = Tag("is low"), Tag("is high"), Tag("is other")
ByCall = Annotated[
    Annotated[Low, IS_LOW] | Annotated[High, IS_HIGH] | Annotated[Other, IS_OTHER], Discriminator(tag_of)
]
ByField = Annotated[Low | High | Other, Field(discriminator="kind")]
Inside = Annotated[High | Other, Field(discriminator="kind")] | Low


@pytest.mark.parametrize(
    "union", [ByCall, ByField, Inside, Low | High | Other], ids=["call", "field", "nested", "plain"]
)
@pytest.mark.parametrize(
    ("data", "path"),
    [
        ({"kind": "low", "points": 1}, "points"),
        ({"kind": "high", "numbers": [7, 1]}, "numbers[1]"),
        ({"kind": "other", "inner": {"kind": "low", "points": 1}}, "inner.points"),
    ],
    ids=["low", "high", "other"],
)
def test_no_tag_of_a_union_is_part_of_a_path(union: Any, data: Any, path: str) -> None:
    """The options are chosen by a function, by a field, by a union inside, or by their fields."""
    model = create_model("Held", one=(union, ...), many=(list[union], ...))
    plan = StructuredResponse.from_basemodel(model)._plan
    with pytest.raises(ValidationError) as caught:
        model.model_validate({"one": data, "many": [data]})
    assert paths(caught.value, plan) == [f"$.many[0].{path}", f"$.one.{path}"]


def test_a_node_is_found_by_its_path() -> None:
    """A path goes through objects and items of lists; it leads to None beyond the definition."""
    found = node_at(PLAN.root, ("parts", 3, "points"))
    assert found is not None
    assert found.kind == "int"
    assert node_at(PLAN.root, ("parts", 3, "mood")) is None
    assert node_at(PLAN.root, ("score", "x", "y")) is None or node_at(PLAN.root, ("score",)) is not None
    assert node_at(PLAN.root, ()) is PLAN.root


def test_without_a_model_to_basemodel_is_an_error() -> None:
    """The message says that there is no model."""
    response = StructuredResponse.from_definition("A", {"x": {"type": "int"}})
    with pytest.raises(InstanceError, match="no model"):
        response.parse("<a><x>1</x></a>").to_basemodel()


def test_a_bad_assignment_is_named() -> None:
    """The error has the path of the assigned value, and the other data is kept."""
    read = StructuredResponse.from_basemodel(Review).parse("<review><score>4</score></review>")
    read.instance.score = "four"
    with pytest.raises(InstanceError) as caught:
        read.to_basemodel()
    assert [problem.path for problem in caught.value.problems] == ["$.score"]
    read.instance.score = 5
    assert read.to_basemodel().score == 5
