"""Typing and checking of data: by the definition, by the model, and errors with their paths."""

from enum import StrEnum
from typing import Annotated, Any, Literal

import pytest
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    Tag,
    ValidationError,
    create_model,
    model_validator,
)

from structured_response import InstanceError, ReplyError, StructuredResponse
from structured_response.data.model import judges_texts, to_model
from structured_response.data.validators import checked, node_at, problems_of, stored, typed
from structured_response.definition import Plan


class Color(StrEnum):
    RED = "red"


class Part(BaseModel):
    label: str = Field(min_length=2)
    points: int = Field(ge=1, lt=10)


class Review(BaseModel):
    score: int
    price: float | None = None
    sure: bool = True
    color: Color = Color.RED
    pros: list[str] = Field(default=[], max_length=2)
    parts: list[Part] = []


PLAN = StructuredResponse.from_basemodel(Review)._plan


def paths(error: ValidationError, plan: Plan = PLAN) -> list[str]:
    """The paths of a validation's errors."""
    return sorted(problem.path for _path, problem in problems_of(plan, error))


def test_texts_are_typed() -> None:
    """A tree of texts in their strict forms becomes the data that they say."""
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
    """What is missing, null or out of bounds is for the model to judge."""
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
    """An instance holds typed JSON; only what JSON cannot hold comes back from text."""
    plan = StructuredResponse.from_definition("A", {"x": {"type": kind}})._plan
    if fits:
        held = stored(plan).validate_python({"x": value})["x"]
        assert held is None or type(held).__name__ == kind
    else:
        with pytest.raises(ValidationError):
            stored(plan).validate_python({"x": value})


def test_stored_data_holds_no_unknown_names() -> None:
    """A name that the definition does not have is no part of an instance."""
    with pytest.raises(ValidationError):
        stored(PLAN).validate_python({"score": 4, "mood": "x"})


class Strict(BaseModel):
    model_config = ConfigDict(strict=True)
    x: int


class Before(BaseModel):
    x: Annotated[int, BeforeValidator(lambda value: value + 1)]


class After(BaseModel):
    x: Annotated[int, AfterValidator(lambda value: value + 1)]


class Whole(BaseModel):
    x: int

    @model_validator(mode="before")
    @classmethod
    def seen(cls, data: Any) -> Any:
        """Sees the input."""
        assert type(data["x"]) is int
        return data


class Numbers(BaseModel):
    x: Literal[1, 2]


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


def test_choices_that_are_numbers_are_typed() -> None:
    """A Literal of numbers holds numbers."""
    assert StructuredResponse.from_basemodel(Numbers).parse("<numbers><x>2</x></numbers>").to_basemodel().x == 2


class Aliased(BaseModel):
    inner: Part = Field(alias="Inner-Part")
    count: int = Field(validation_alias="n", gt=0)


def test_paths_name_fields_not_aliases() -> None:
    """A problem speaks of the field's own name, however the model is told to be filled."""
    response = StructuredResponse.from_basemodel(Aliased)
    with pytest.raises(ReplyError) as caught:
        response.parse("<aliased><inner><label>a</label></inner><n>0</n></aliased>")
    assert sorted(problem.path for problem in caught.value.problems) == [
        "$.count",
        "$.inner.label",
        "$.inner.points",
    ]
    good = response.parse("<aliased><inner><label>ab</label><points>1</points></inner><n>1</n></aliased>")
    assert good.to_dict() == {"inner": {"label": "ab", "points": 1}, "count": 1}
    assert good.to_basemodel().count == 1


class Swapped(BaseModel):
    a: int = Field(alias="b", ge=0)
    b: int = Field(alias="a", le=10)


@pytest.mark.parametrize(
    ("fields", "path"),
    [("<a>-1</a><b>1</b>", "$.a"), ("<a>1</a><b>11</b>", "$.b"), ("<a>1</a>", "$.b"), ("<b>1</b>", "$.a")],
)
def test_a_name_counts_before_an_alias_that_is_the_same(fields: str, path: str) -> None:
    """Where aliases are other fields' names, a problem stands at the field that it is about."""
    response = StructuredResponse.from_basemodel(Swapped)
    read = response.parse(f"<swapped>{fields}</swapped>", strict=False)
    assert [problem.path for problem in read.problems] == [path]


class Low(BaseModel):
    kind: Literal["low"]
    points: int = Field(ge=5)


class High(BaseModel):
    kind: Literal["high"]
    numbers: list[Annotated[int, Field(ge=5)]]


class Other(BaseModel):
    kind: Literal["other"]
    inner: Low


def told(value: Any) -> str:
    """A tag that is no value of any field."""
    return f"is {value['kind'] if isinstance(value, dict) else value.kind}"


IS_LOW, IS_HIGH, IS_OTHER = Tag("is low"), Tag("is high"), Tag("is other")
ByCall = Annotated[Annotated[Low, IS_LOW] | Annotated[High, IS_HIGH] | Annotated[Other, IS_OTHER], Discriminator(told)]
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
def test_no_tag_of_a_union_stands_in_a_path(union: Any, data: Any, path: str) -> None:
    """However the options are told apart: by a function, by a field, by a union inside, or not at all."""
    model = create_model("Held", one=(union, ...), many=(list[union], ...))
    plan = StructuredResponse.from_basemodel(model)._plan
    with pytest.raises(ValidationError) as caught:
        model.model_validate({"one": data, "many": [data]})
    assert paths(caught.value, plan) == [f"$.many[0].{path}", f"$.one.{path}"]


def test_a_node_is_found_by_its_path() -> None:
    """Through objects and items of lists; nothing where the definition ends."""
    found = node_at(PLAN.root, ("parts", 3, "points"))
    assert found is not None
    assert found.kind == "int"
    assert node_at(PLAN.root, ("parts", 3, "mood")) is None
    assert node_at(PLAN.root, ("score", "x", "y")) is None or node_at(PLAN.root, ("score",)) is not None
    assert node_at(PLAN.root, ()) is PLAN.root


def test_without_a_model_there_is_none_to_make() -> None:
    """`to_basemodel` of a response without a model says so."""
    response = StructuredResponse.from_definition("A", {"x": {"type": "int"}})
    with pytest.raises(InstanceError, match="no model"):
        response.parse("<a><x>1</x></a>").to_basemodel()


def test_a_bad_assignment_is_named() -> None:
    """What was assigned and does not fit is an error with its path, and nothing else is lost."""
    read = StructuredResponse.from_basemodel(Review).parse("<review><score>4</score></review>")
    read.instance.score = "four"
    with pytest.raises(InstanceError) as caught:
        read.to_basemodel()
    assert [problem.path for problem in caught.value.problems] == ["$.score"]
    read.instance.score = 5
    assert read.to_basemodel().score == 5
