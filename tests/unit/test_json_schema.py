"""`to_json_schema`: what is asked for as JSON Schema, for APIs and tools that take one."""

from collections.abc import Callable
from datetime import date
from decimal import Decimal
from enum import Enum
from typing import Any, Literal

import pytest
from pydantic import BaseModel, Field

from structured_response import StructuredResponse
from tests.unit.test_definition_from_schema import SHAPES, VALUES, fields


class Size(Enum):
    S = "s"
    M = "m"


class Leaf(BaseModel):
    """An end."""

    kind: Literal["leaf"] = "leaf"
    weight: float = Field(gt=0, multiple_of=0.5)


class Tree(BaseModel):
    kind: Literal["tree"] = "tree"
    name: str = Field(min_length=1, pattern="^[a-z]+$", description="What it is called")
    size: Size | None = None
    planted: date
    price: Decimal = Field(ge=1)
    raw: bytes = b""
    point: tuple[int, str]
    by_name: dict[str, list[int]] = Field(max_length=3)
    anything: Any = None
    parts: list["Tree | Leaf"] = Field(min_length=1, max_length=5)


class Job(BaseModel):
    name: str
    run: Callable[[], None] = print


def by_hand(model: Any) -> StructuredResponse[Any]:
    """The response of a model's definition, without the model."""
    response: Any = StructuredResponse.from_type(model)
    return StructuredResponse.from_definition(response.class_name, response.definition)


def check(schema: Any) -> Any:
    """The schema, which is a valid one as far as can be told here."""
    jsonschema = pytest.importorskip("jsonschema")
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def test_with_a_model_it_is_the_models_own() -> None:
    """To the key."""
    assert StructuredResponse.from_basemodel(Tree).to_json_schema() == Tree.model_json_schema()


def test_without_a_model_it_is_that_of_the_definition() -> None:
    """With names, descriptions, defaults and constraints."""
    response: StructuredResponse[Any] = StructuredResponse("Shop")
    response.add_node("name", "str", description="Name of the shop", min_length=2)
    response.add_node("stars", "int", ge=1, le=5, default=3)
    response.add_node("lamps", "list", elements={"price": {"type": "float", "gt": 0}}, unique_items=True)
    lamp = {"type": "object", "properties": {"price": {"type": "number", "exclusiveMinimum": 0}}, "required": ["price"]}
    assert response.to_json_schema() == {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Shop",
        "type": "object",
        "properties": {
            "name": {"description": "Name of the shop", "type": "string", "minLength": 2},
            "stars": {"type": "integer", "minimum": 1, "maximum": 5, "default": 3},
            "lamps": {"type": "array", "items": {**lamp, "additionalProperties": False}, "uniqueItems": True},
        },
        "required": ["name", "lamps"],
        "additionalProperties": False,
    }


@pytest.mark.parametrize("model", [Tree, list[Tree], dict[str, Leaf], Tree | Leaf, Job, int], ids=str)
def test_it_leads_back_to_the_same_definition(model: Any) -> None:
    """As far as JSON Schema has words: it has none for bounds of decimals."""
    response = by_hand(model)
    again = StructuredResponse.from_json_schema(response.to_json_schema())
    assert again.class_name == response.class_name
    assert str(again.definition) == str(response.definition).replace("'decimal', 'ge': '1'", "'decimal'")


@pytest.mark.parametrize("schema", [row[1] for row in VALUES], ids=[row[0] for row in VALUES])
def test_a_schema_comes_back_as_one_of_the_same_definition(schema: Any) -> None:
    """Whatever words it was written in."""
    response = StructuredResponse.from_json_schema(fields(f=schema, shapes=SHAPES))
    again = StructuredResponse.from_json_schema(response.to_json_schema())
    assert again.definition == response.definition


@pytest.mark.parametrize("model", [Tree, list[Tree], Job, int], ids=str)
def test_it_is_a_valid_schema(model: Any) -> None:
    """Of draft 2020-12, and data that was read satisfies it."""
    check(StructuredResponse.from_type(model).to_json_schema())
    check(by_hand(model).to_json_schema())


def test_data_that_was_read_satisfies_it() -> None:
    """And other data does not."""
    response = by_hand(Leaf)
    validator = check(response.to_json_schema())
    assert validator.is_valid(response.parse("<leaf><kind>leaf</kind><weight>1.5</weight></leaf>").to_dict())
    assert not validator.is_valid({"weight": 0})


def test_of_a_schema_that_data_has_to_satisfy_it_is_that_schema() -> None:
    """A field that was added stands beside it."""
    pytest.importorskip("jsonschema")
    given = {
        "title": "A",
        "type": "object",
        "properties": {"a": {"not": {"$ref": "#/$defs/x"}}},
        "$defs": {"x": {"const": 1}},
    }
    response = StructuredResponse.from_json_schema(given)
    assert response.to_json_schema() == {"$schema": "https://json-schema.org/draft/2020-12/schema", **given}
    validator = check(response.add_node("b", "int").to_json_schema())
    assert validator.is_valid({"a": 2, "b": 1})
    assert not validator.is_valid({"a": 1, "b": 1})
    assert not validator.is_valid({"a": 2})


def test_it_is_the_callers_own() -> None:
    """What they change in it changes nothing else."""
    response = StructuredResponse.from_basemodel(Leaf)
    response.to_json_schema().clear()
    assert response.to_json_schema() == Leaf.model_json_schema()
