"""The schema: name to type, description and requiredness."""

import json

from pydantic import BaseModel, Field

from structured_response import StructuredResponse


class Part(BaseModel):
    label: str


class Cat(BaseModel):
    lives: int


class Report(BaseModel):
    score: int = Field(ge=1, le=5, description="From 1 to 5")
    parts: list[Part] = Field(default=[], description="All")
    best: Part
    pet: Cat | Part


LABEL = {"label": {"type": "str", "desc": "", "required": True}}
LIVES = {"lives": {"type": "int", "desc": "", "required": True}}


def test_fields_have_type_description_and_requiredness() -> None:
    """Constraints go by Pydantic's names; the fields of a class stand there once, from then on its name is enough."""
    response = StructuredResponse.from_basemodel(Report)
    assert response.to_schema() == {
        "score": {"type": "int", "desc": "From 1 to 5", "required": True, "ge": 1, "le": 5},
        "parts": {"type": "list[Part]", "desc": "All", "required": False, "fields": LABEL},
        "best": {"type": "Part", "desc": "", "required": True},
        "pet": {"type": "Cat | Part", "desc": "", "required": True, "fields": {"Cat": LIVES}},
    }
    assert json.loads(response.to_schema_str()) == response.to_schema()


def test_schema_is_the_callers_own() -> None:
    """What is done to it changes nothing."""
    response = StructuredResponse.from_basemodel(Part)
    response.to_schema()["label"]["type"] = "changed"
    assert response.to_schema() == LABEL


def test_schema_of_what_is_no_object() -> None:
    """One entry, for the value itself."""
    schema = StructuredResponse.from_type(list[Part]).to_schema()
    assert schema == {"type": "list[Part]", "desc": "", "required": True, "fields": LABEL}
