"""The paths of faults are paths of the data, whatever Pydantic names on the way."""

from typing import Annotated, Any, Literal

import pytest
from pydantic import AliasPath, BaseModel, BeforeValidator, Discriminator, Field, Tag, ValidationError, model_validator
from pydantic_core import to_json

from structured_response.datasets.jsonl import faults_of
from structured_response.definition import show_path


class A(BaseModel):
    kind: Literal["a"]
    number: int
    a: int = 0


class B(BaseModel):
    kind: Literal["b"]
    numbers: list[int]


class C(BaseModel):
    kind: Literal["c"]
    numbers: list[int]

    @model_validator(mode="after")
    def _is_short(self) -> "C":
        if len(self.numbers) > 2:
            raise ValueError("too long")
        return self


def _tag(value: Any) -> str:
    return f"the {value['kind']}"


Tagged = Annotated[Annotated[A, Tag("the a")] | Annotated[B, Tag("the b")], Discriminator(_tag)]
Nested = Annotated[A | B, Field(discriminator="kind")] | C


class Held(BaseModel):
    by_field: Annotated[A | B | C, Field(discriminator="kind")] | None = None
    by_call: list[Tagged] = []
    nested: Nested | None = None
    plain: A | B | None = None
    scalars: int | list[int] | None = None
    named: dict[Annotated[str, Field(max_length=2)], Tagged] = {}
    aliased: int = Field(default=0, alias="other")
    far: int = Field(default=0, validation_alias=AliasPath("deep", "down", 1))
    pair: tuple[int, Tagged] | None = None
    respelt: Annotated[dict[str, int] | None, BeforeValidator(lambda value: {"x": "new"} if value else None)] = None


A_BAD = {"kind": "a", "number": "no"}
B_BAD = {"kind": "b", "numbers": [1, "no"]}


@pytest.mark.parametrize(
    ("data", "paths"),
    [
        ({"by_field": A_BAD}, {"$.by_field.number"}),
        ({"by_field": {"kind": "a"}}, {"$.by_field.number"}),
        ({"by_field": {"kind": "a", "number": 1, "a": "no"}}, {"$.by_field.a"}),
        ({"by_field": {"kind": "z"}}, {"$.by_field"}),
        ({"by_field": {"kind": "c", "numbers": [1, 2, 3]}}, {"$.by_field"}),
        ({"by_call": [{"kind": "a", "number": 1}, B_BAD]}, {"$.by_call[1].numbers[1]"}),
        ({"by_call": [B_BAD, A_BAD]}, {"$.by_call[0].numbers[1]", "$.by_call[1].number"}),
        ({"nested": B_BAD}, {"$.nested.numbers[1]", "$.nested.kind"}),
        ({"plain": {"kind": "a", "number": "no"}}, {"$.plain.number", "$.plain.kind", "$.plain.numbers"}),
        ({"scalars": ["no"]}, {"$.scalars", "$.scalars[0]"}),
        ({"named": {"xy": B_BAD}}, {"$.named.xy.numbers[1]"}),
        ({"named": {"xyz": {"kind": "a", "number": 1}}}, {"$.named.xyz"}),
        ({"other": "no"}, {"$.other"}),
        ({"deep": {"down": [1, "no"]}}, {"$.deep.down[1]"}),
        ({"pair": [1, A_BAD]}, {"$.pair[1].number"}),
        ({"pair": [1, {"kind": "b"}]}, {"$.pair[1].numbers"}),
        ({"respelt": {"old": 1}}, {"$.respelt.x"}),
    ],
    ids=lambda value: str(sorted(value) if isinstance(value, set) else value),  # alike in every process
)
def test_a_fault_has_the_path_of_the_data(data: Any, paths: set[str]) -> None:
    """No tag of a union in it, be it a field's value, a function's or Pydantic's own. The same for lines of JSON."""
    with pytest.raises(ValidationError) as raised:
        Held.model_validate(data)
    assert {show_path(path) for path, _message in faults_of(raised.value, data)} == paths
    line = to_json(data)
    with pytest.raises(ValidationError) as raised:
        Held.model_validate_json(line)
    assert {show_path(path) for path, _message in faults_of(raised.value, line)} == paths


def test_a_long_way_costs_no_more_than_its_square() -> None:
    """Where a validator put other data in place, every way has to be tried: here two to the power of 150."""

    class Chain(BaseModel):
        next: "Chain | None" = None
        last: Annotated[int, BeforeValidator(lambda value: "other")] | None = None

    data: dict[str, Any] = {"last": 1}
    for _ in range(150):
        data = {"next": data}
    with pytest.raises(ValidationError) as raised:
        Chain.model_validate(data)
    ((path, _message),) = faults_of(raised.value, data)
    assert path == ("next",) * 150 + ("last",)
