"""The Arrow schema of a model: known before any data, the same whatever the data is."""

from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from typing import Annotated, Any, Literal
from uuid import UUID

import pyarrow as pa
import pytest
from pydantic import Base64Bytes, BaseModel, Field, create_model

from structured_response import DefinitionError, StructuredResponse
from structured_response.batch import arrow_schema


class Level(Enum):
    LOW = 1
    HIGH = "high"


class Cat(BaseModel):
    kind: Literal["cat"]
    lives: int


class Dog(BaseModel):
    kind: Literal["dog"]
    name: str


class Kind(BaseModel):
    name: str


class Nothing(BaseModel):
    pass


class Tree(BaseModel):
    leaf: int
    branches: "list[Tree]" = []
    twig: "Tree | None" = None


class Forest(BaseModel):
    trees: list[Tree]


CAT = pa.struct([("kind", pa.string()), ("lives", pa.int64())])
DOG = pa.struct([("kind", pa.string()), ("name", pa.string())])
PRICE = Annotated[Decimal, Field(max_digits=6, decimal_places=2)]


@pytest.mark.parametrize(
    ("described", "expected"),
    [
        (str, pa.string()),
        (bool, pa.bool_()),
        (int, pa.int64()),
        (float, pa.float64()),
        (PRICE, pa.decimal128(6, 2)),
        (PRICE | None, pa.decimal128(6, 2)),
        (Decimal, pa.string()),
        (Annotated[Decimal, Field(max_digits=6)], pa.string()),
        (Annotated[Decimal, Field(max_digits=39, decimal_places=2)], pa.string()),
        (Annotated[Decimal, Field(max_digits=2, decimal_places=6)], pa.string()),
        (date, pa.date32()),
        (datetime, pa.timestamp("us", tz="UTC")),
        (time, pa.string()),
        (timedelta, pa.string()),
        (UUID, pa.string()),
        (bytes, pa.binary()),
        (Base64Bytes, pa.binary()),
        (Level, pa.string()),
        (Literal[1, 2], pa.string()),
        (list[int], pa.list_(pa.int64())),
        (set[str], pa.list_(pa.string())),
        (tuple[int, str], pa.struct([("_0", pa.int64()), ("_1", pa.string())])),
        (tuple[int, ...], pa.list_(pa.int64())),
        (dict[str, float], pa.map_(pa.string(), pa.float64())),
        (dict[int, list[Cat]], pa.map_(pa.string(), pa.list_(CAT))),
        (Cat, CAT),
        (Cat | Dog, pa.struct([("kind", pa.string()), ("cat", CAT), ("dog", DOG)])),
        (
            Annotated[Cat | Dog, Field(discriminator="kind")] | None,
            pa.struct([("kind", pa.string()), ("cat", CAT), ("dog", DOG)]),
        ),
        (
            Cat | Kind,
            pa.struct([("kind", pa.string()), ("cat", CAT), ("kind2", pa.struct([("name", pa.string())]))]),
        ),
        (Cat | Nothing, pa.struct([("kind", pa.string()), ("cat", CAT), ("nothing", pa.string())])),
    ],
)
def test_types(described: Any, expected: pa.DataType) -> None:
    """Each kind of field has one Arrow type, and no column is JSON."""
    field = arrow_schema(create_model("Model", field=(described, ...))).field("field")
    assert field.type == expected
    assert field.nullable
    assert b"structured_response.json" not in field.metadata


@pytest.mark.parametrize("described", [Any, int | str, list[int] | str, Cat | int, Nothing, Tree])
def test_json_columns(described: Any) -> None:
    """What Arrow has no type for is JSON text, and the field says so."""
    field = arrow_schema(create_model("Model", field=(described, ...))).field("field")
    assert field.type == pa.string()
    assert field.metadata[b"structured_response.json"] == b"true"


def test_recursion_ends_in_json() -> None:
    """A model that is asked for has its fields, and the models of its shape inside it are JSON texts, item by item."""
    schema = arrow_schema(Tree)
    assert schema.types == [pa.int64(), pa.list_(pa.string()), pa.string()]
    assert schema.field("branches").type.value_field.metadata == {b"structured_response.json": b"true"}
    assert arrow_schema(Forest).types == [pa.list_(pa.string())]


@pytest.mark.parametrize(
    ("described", "expected"),
    [(list[Cat], pa.list_(CAT)), (int, pa.int64()), (Any, pa.string()), (Nothing, pa.string()), (Cat | Dog, None)],
)
def test_other_roots(described: Any, expected: pa.DataType | None) -> None:
    """Data that is not an object with fields is in one field, `value`."""
    schema = arrow_schema(described)
    assert schema.names == ["value"]
    assert expected is None or schema.field("value").type == expected


def test_metadata() -> None:
    """Descriptions, requiredness, the name and the definition are in the metadata."""

    class Review(BaseModel):
        score: int = Field(description="From 1 to 5")
        text: str = ""

    schema, asked = arrow_schema(Review), StructuredResponse.from_basemodel(Review)
    assert schema.field("score").metadata == {
        b"structured_response.description": b"From 1 to 5",
        b"structured_response.required": b"true",
    }
    assert schema.field("text").metadata == {b"structured_response.required": b"false"}
    held = {key.decode().removeprefix("structured_response."): value for key, value in schema.metadata.items()}
    assert held["class_name"] == b"Review"
    assert held["fingerprint"].decode() == asked.fingerprint
    again = StructuredResponse.deserialize(
        b'{"version":1,"class_name":"Review","definition":' + held["definition"] + b"}"
    )
    assert again.definition == asked.definition


def test_responses() -> None:
    """A response stands for what it asks for, a part of a model too."""
    asked = StructuredResponse.from_basemodel(Tree)
    assert arrow_schema(asked).equals(arrow_schema(Tree), check_metadata=True)
    assert arrow_schema(asked.select(include=["leaf"])).names == ["leaf"]


def test_columns_are_bounded() -> None:
    """Models that share models can ask for more columns than any table has. That is an error, and takes no time."""
    model: Any = create_model("Model0", value=(int, ...))
    for level in range(1, 30):
        fields: Any = dict.fromkeys(("left", "middle", "right"), (model, ...))
        model = create_model(f"Model{level}", **fields)
    with pytest.raises(DefinitionError, match="more than 10000 columns"):
        arrow_schema(model)
