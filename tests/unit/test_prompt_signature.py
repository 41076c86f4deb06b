"""Signatures: the form of the data, valid JSON and YAML whatever the descriptions hold."""

import json
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from structured_response import StructuredResponse
from structured_response.render.signature import signature_of
from tests.strategies import SUPPORTED, Shape, models


class Part(BaseModel):
    label: str = Field(description='A "label": #1')
    points: int


class Tree(BaseModel):
    name: str
    children: list["Tree"] = []


class Cat(BaseModel):
    lives: int


class Dog(BaseModel):
    name: str


PART = {"label": 'A "label": #1 (str) (required)', "points": "(int) (required)"}
AS_BEST = {"label": "as in best (required)", "points": "as in best (required)"}


class Report(BaseModel):
    best: Part = Field(description="The best")
    parts: list[Part] = Field(default=[], max_length=3)
    by_name: dict[str, Part]
    pair: tuple[int, Part]
    pet: Cat | Dog
    tags: list[str] = []


FORM: dict[str, Any] = {
    "best": PART,
    "parts": [AS_BEST],
    "by_name": {"key (str)": AS_BEST},
    "pair": ["(int) (required)", AS_BEST],
    "pet": {"one of": [{"lives": "(int) (required)"}, {"name": "(str) (required)"}]},
    "tags": "(list[str]) (optional)",
}


def test_nested_models_are_nested_signatures() -> None:
    """A list of models is a list of one signature; what was described before is referred to."""
    response = StructuredResponse.from_basemodel(Report)
    assert json.loads(response.to_json_signature()) == FORM
    assert yaml.safe_load(response.to_yaml_signature()) == FORM
    assert list(json.loads(response.to_json_signature())) == list(FORM)


def test_what_a_signature_has_no_place_for_is_noted() -> None:
    """Of objects and lists: what they are for, their bounds, and that they may be left out."""
    notes = signature_of(StructuredResponse.from_basemodel(Report)._plan).notes
    assert notes == {"best": "The best (required)", "parts": "(max length 3) (optional)"}


def test_a_model_that_holds_itself_ends() -> None:
    """The second time its fields are names and no more."""
    form = json.loads(StructuredResponse.from_basemodel(Tree).to_json_signature())
    inner = {"name": "as in Tree (required)", "children": "as in Tree (optional)"}
    assert form == {"name": "(str) (required)", "children": [inner]}


def test_layout_is_that_of_the_samples() -> None:
    """Four blanks in JSON, block style in YAML, no line break at the end."""
    response = StructuredResponse.from_basemodel(Part)
    assert response.to_json_signature() == (
        '{\n    "label": "A \\"label\\": #1 (str) (required)",\n    "points": "(int) (required)"\n}'
    )
    assert response.to_yaml_signature() == "label: 'A \"label\": #1 (str) (required)'\npoints: (int) (required)"


@settings(max_examples=60)
@given(st.data(), models(SUPPORTED))
def test_signatures_of_any_model_load(data: st.DataObject, shape: Shape) -> None:
    """As JSON and as YAML, to the same form, with every name of the definition in it."""
    response = StructuredResponse.from_basemodel(shape.annotation)
    form = json.loads(response.to_json_signature())
    assert yaml.safe_load(response.to_yaml_signature()) == form
    assert json.loads(response.to_schema_str()) == response.to_schema()
    assert list(form) == list(response.to_schema()) == list(response._plan.root.fields)


@given(st.text(max_size=20))
def test_any_description_is_safe(description: str) -> None:
    """Quotes, colons, line breaks, control characters: what loads is what was said."""
    kept = description.encode("utf-8", "replace").decode()
    node = {"type": "int", "description": kept}
    response = StructuredResponse.from_definition("Facts", {"a": node, "b": {"type": "list", "elements": {"c": node}}})
    form = json.loads(response.to_json_signature())
    assert form["a"].startswith(kept)
    assert yaml.safe_load(response.to_yaml_signature()) == form
    assert yaml.safe_load(response.to_prompt("yaml")) == form


@pytest.mark.parametrize("way", ["to_json_signature", "to_yaml_signature"])
def test_contract_signatures_are_short(way: str, shared: Any) -> None:
    """At most 60 % of the characters of the prompt in XML."""
    space: dict[str, Any] = {}
    exec((shared / "contract" / "weather.py").read_text("utf-8"), space)
    response = StructuredResponse.from_basemodel(space["WeatherPrognosis"])
    assert len(getattr(response, way)()) <= 0.6 * len((shared / "contract" / "prompt.xml").read_text("utf-8").strip())
