"""The second law in other formats: what is written of an instance as JSON and YAML reads back to the same data."""

import json
from typing import Any, Literal

import yaml
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

from structured_response import StructuredResponse
from structured_response.data import model as models
from tests.laws.test_laws import same
from tests.strategies import SUPPORTED, Shape, instances, shapes

EXAMPLES = settings().max_examples
"""What the chosen profile gives each law; these take a part of it, for each reads an instance many times."""


def load(text: str, form: str) -> Any:
    """What any loader makes of a text."""
    return json.loads(text) if form == "json" else yaml.safe_load(text)


FORMATS: tuple[Literal["json", "yaml"], ...] = ("json", "yaml")


def comes_back(filled: StructuredResponse[Any], empty: StructuredResponse[Any]) -> None:
    """Holds the law for one instance: by loaders, by `from_json` and `from_yaml`, by `parse` with the format told."""
    data = filled.to_dict()
    for form, text in zip(FORMATS, (filled.to_json(), filled.to_yaml()), strict=True):
        assert same(load(text, form), data)
        read = empty.select().from_json(text) if form == "json" else empty.select().from_yaml(text)
        assert same(read.to_dict(), data)
        assert same(empty.parse(text, format=form).to_dict(), data)


@settings(max_examples=EXAMPLES // 8)
@given(instances(SUPPORTED))
def test_instances_come_back(instance: BaseModel) -> None:
    """Of any model: every type, every character, whether the format is told or not."""
    filled = StructuredResponse.from_basemodel(instance)
    empty = StructuredResponse.from_basemodel(type(instance))
    comes_back(filled, empty)
    for text in (str(filled), filled.to_json(), filled.to_yaml()):
        assert same(empty.parse(text).to_dict(), filled.to_dict())


@settings(max_examples=EXAMPLES // 8)
@given(st.data(), instances(SUPPORTED))
def test_what_was_left_out_stays_left_out(data: st.DataObject, instance: BaseModel) -> None:
    """Also where a single line is left, or nothing."""
    empty = StructuredResponse.from_basemodel(type(instance))
    held = StructuredResponse.from_basemodel(instance).to_dict()
    optional = [name for name, field in empty._plan.root.fields.items() if not field.required]
    dropped = data.draw(st.sets(st.sampled_from(optional))) if optional else set()
    filled = empty.select().from_dict({name: value for name, value in held.items() if name not in dropped})
    for text in (str(filled), filled.to_json(), filled.to_yaml()):
        assert same(empty.parse(text).to_dict(), filled.to_dict())


@settings(max_examples=EXAMPLES // 8)
@given(instances(SUPPORTED))
def test_models_come_back(instance: BaseModel) -> None:
    """The model that is made of what was read is the one that was written; no value had to be mended."""
    filled = StructuredResponse.from_basemodel(instance)
    empty = StructuredResponse.from_basemodel(type(instance))
    for text in (filled.to_json(), filled.to_yaml()):
        read = empty.parse(text)
        assert {repair.kind for repair in read.repairs} <= {"format_read"}
        again = StructuredResponse.from_basemodel(read.to_basemodel())  # which writes sets in one order
        assert same(again.to_dict(), filled.to_dict())


@settings(max_examples=EXAMPLES // 8)
@given(st.data(), shapes(2))
def test_values_of_any_type_come_back(data: st.DataObject, shape: Shape) -> None:
    """Lists, maps, unions, scalars too, where the format is told: one word alone could be prose."""
    value = data.draw(shape.values)
    assume(value is not None)
    empty = StructuredResponse.from_type(shape.annotation)
    filled = empty.select().from_dict(models.dump(empty._plan, value))
    comes_back(filled, empty)
