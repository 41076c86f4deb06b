"""Data classes: described by their fields, filled from rows of a dataset, shown as signatures, JSON and YAML."""

import dataclasses
import inspect
import json
import pickle
import re
import textwrap
from dataclasses import field
from enum import Enum
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

import pytest
import yaml
from pydantic import Field, ValidationError

from structured_response import DataClass, DefinitionError, InstanceError, StructuredResponse, required_field

SCHEMA = {
    "name": {"type": "str", "desc": "The name of the person", "required": False},
    "age": {"type": "int", "desc": "The age of the person", "required": True},
}
JSON_SIGNATURE = """\
{
    "name": "The name of the person (str) (optional)",
    "age": "The age of the person (int) (required)"
}"""
YAML_SIGNATURE = """\
name: The name of the person (str) (optional)
age: The age of the person (int) (required)"""


class Person(DataClass):
    name: str = field(default="John Doe", metadata={"desc": "The name of the person", "prefix": "Name:"})
    age: int = field(default_factory=required_field, metadata={"desc": "The age of the person"})


class Mood(Enum):
    LOW = "low"
    HIGH = "high"


class Pet(DataClass):
    """An animal."""

    kind: Literal["cat", "dog"] = field(metadata={"desc": "What it is"})
    tags: list[str] = Field(default=[], description="Words for it")
    size: tuple[int, int] = (1, 2)
    """Width and height"""


class Owner(DataClass):
    note: str
    pets: list[Pet] = field(default_factory=required_field)
    mood: Mood = Mood.LOW
    best: Pet | None = None
    friend: "Owner | None" = None


def test_layouts_are_those_of_the_samples() -> None:
    """To the character."""
    assert Person.to_data_class_schema() == SCHEMA
    assert json.loads(Person.to_data_class_schema_str()) == SCHEMA
    assert Person.to_json_signature() == JSON_SIGNATURE
    assert Person.to_yaml_signature() == YAML_SIGNATURE
    jane = Person(name="Jane Doe", age=25)
    assert jane.to_json() == '{\n    "name": "Jane Doe",\n    "age": 25\n}'
    assert jane.to_yaml() == "name: Jane Doe\nage: 25"
    assert repr(Person.load_from_dict({"name": "Jane Doe", "age": 25})) == "Person(name='Jane Doe', age=25)"


def test_the_documents_own_code_runs(shared: Path) -> None:
    """Every Python sample as it stands, but for where it imports from."""
    page = next((shared / "seeds").glob("000_*.txt")).read_text("utf-8")
    samples = re.findall(r"\.\. code-block:: python\n\n((?:(?:    .*)?\n)+)", page)
    space: dict[str, Any] = {"Dict": dict, "Any": Any}
    for sample in samples[1:]:
        code = textwrap.dedent(sample).strip().replace("lightrag.core.base_data_class", "structured_response")
        if not code.startswith("thought:"):  # a field without a class around it
            exec(compile(code, "sample", "exec", dont_inherit=True), space)
    made = space["MyOutputs"]
    assert made.to_data_class_schema() == SCHEMA
    assert made.to_json_signature() == JSON_SIGNATURE
    assert made.to_yaml_signature() == YAML_SIGNATURE
    assert space["instance"].to_yaml() == "name: Jane Doe\nage: 25"
    row = space["OutputFormat"].load_from_dict({"coarse_label": 3, "text": "who"})
    assert row == space["OutputFormat"].load_from_dict({"coarse_label": 3})
    assert (row.thought, row.class_name, row.class_index) == (None, "Human being", 3)
    assert row.to_yaml(exclude=["thought"]) == "class_name: Human being\nclass_index: 3"


def test_every_kind_of_description_counts() -> None:
    """Metadata, Pydantic's Field, docstrings of fields and of classes; metadata stays what it was."""
    assert {name: each["desc"] for name, each in Pet.to_data_class_schema().items()} == {
        "kind": "What it is",
        "tags": "Words for it",
        "size": "Width and height",
    }
    assert Owner.to_data_class_schema()["best"]["desc"] == "An animal."
    assert dataclasses.fields(Person)[0].metadata["prefix"] == "Name:"


def test_nested_classes_are_nested_signatures() -> None:
    """With their choices, and no end of a class that holds itself."""
    form = json.loads(Owner.to_json_signature())
    assert form["pets"] == [
        {
            "kind": 'What it is (one of "cat", "dog") (required)',
            "tags": "Words for it (list[str]) (optional)",
            "size": "Width and height (tuple[int, int]) (optional)",
        }
    ]
    assert form["mood"] == '(one of "low", "high") (optional)'
    assert form["friend"]["note"] == "as in Owner (required)"
    assert yaml.safe_load(Owner.to_yaml_signature()) == form


OWNER: dict[str, Any] = {
    "note": "x\ny",
    "pets": [{"kind": "cat"}, {"kind": "dog", "tags": ["a: b", "yes"]}],
    "mood": "high",
}


def test_data_loads_back_equal() -> None:
    """Enums and tuples as plain data, nested classes too; what was loaded stays as it was."""
    given = json.loads(json.dumps(OWNER))
    owner = Owner.load_from_dict(MappingProxyType(given))
    assert given == OWNER
    assert owner.mood is Mood.HIGH
    assert isinstance(owner.pets[1], Pet)
    assert json.loads(owner.to_json()) == yaml.safe_load(owner.to_yaml()) == owner.to_dict()
    assert Owner.load_from_dict(owner.to_dict()) == owner
    assert StructuredResponse.from_type(Owner).parse(owner.to_yaml()).to_basemodel() == owner
    assert pickle.loads(pickle.dumps(owner)) == owner


def test_fields_are_left_out_by_name_or_by_class() -> None:
    """At any depth, in all that is written, and never both ways at once."""
    owner = Owner.load_from_dict(OWNER)
    only = {"Pet": ["kind"], "Owner": ["pets"]}
    assert owner.to_dict(include=only) == {"pets": [{"kind": "cat"}, {"kind": "dog"}]}
    assert list(Owner.to_data_class_schema(exclude=["best", "friend"])) == ["note", "pets", "mood"]
    assert "tags" not in Owner.to_data_class_schema_str(exclude={"Pet": ["tags"]})
    assert "size" not in Owner.to_json_signature({"Pet": ["size"]})
    assert "kind" not in Owner.to_yaml_signature(exclude=["pets.kind", "best", "friend"])
    with pytest.raises(DefinitionError, match="do not go together"):
        owner.to_json(exclude=["note"], include=["pets"])
    with pytest.raises(DefinitionError, match=r"Pet\.odd"):
        owner.to_yaml(exclude={"Pet": ["odd"]})


def test_values_are_validated() -> None:
    """As Pydantic does; in whatever order required and optional fields stand, positions count too."""
    assert Person("Jane", 3) == Person(name="Jane", age="3")  # type: ignore[arg-type]
    for wrong in ({}, {"age": "x"}, {"age": 1, "bogus": 2}, {"age": 1, "name": None}):
        with pytest.raises(ValidationError):
            Person(**wrong)
    assert list(inspect.signature(Person).parameters) == ["name", "age"]


def test_rows_with_gaps_are_taken() -> None:
    """None stays None, at any depth; all else that is wrong is named, everything at once."""
    row = Owner.load_from_dict({"pets": [{"kind": None}], "note": None})
    assert [row.note, row.pets[0].kind, row.pets[0].tags] == [None, None, []]
    assert json.loads(row.to_json())["pets"][0]["kind"] is None
    with pytest.raises(InstanceError) as caught:
        Owner.load_from_dict({"pets": [{"kind": "cow", "odd": 1}], "bogus": 1})
    assert {problem.path for problem in caught.value.problems} == {
        "$.pets[0].kind",
        "$.pets[0].odd",
        "$.bogus",
        "$.note",
    }
    with pytest.raises(InstanceError, match="dictionary"):
        Person.load_from_dict(5)  # type: ignore[arg-type]


def test_a_subclass_has_the_fields_of_its_base_and_its_own() -> None:
    """In this order; a decorator on top changes nothing."""

    class Employee(Person):
        firm: str = field(default="ACME", metadata={"desc": "Where they work"})

    @dataclasses.dataclass
    class Boss(Employee):
        team: list[str] = field(default_factory=list)

        def __post_init__(self) -> None:
            self.team.append("me")

    assert Employee.to_yaml_signature() == f"{YAML_SIGNATURE}\nfirm: Where they work (str) (optional)"
    assert Boss(age=3) == Boss.load_from_dict({"age": 3}) == Boss(age=3, team=[])
    assert Boss(age=3).team == ["me"]
    with pytest.raises(ValidationError):
        Boss(age="x")  # type: ignore[arg-type]


def test_required_field_makes_no_value() -> None:
    """It only marks."""
    with pytest.raises(TypeError, match="default_factory"):
        required_field()
