"""Selections by class and by path, of definitions and of data; what is only asked for is in test_definition_build."""

from typing import Any

import pytest
from pydantic import BaseModel, ConfigDict

from structured_response import DefinitionError, InstanceError, StructuredResponse


class Cat(BaseModel):
    lives: int
    tags: list[str] = []


class Dog(BaseModel):
    name: str
    tags: list[str] = []


class Home(BaseModel):
    street: str
    pets: list[Cat | Dog] = []
    best: Cat | None = None
    pair: tuple[int, Dog] | None = None
    by_name: dict[str, Cat] = {}


class Tree(BaseModel):
    name: str
    size: int = 0
    children: list["Tree"] = []


class Open(BaseModel):
    model_config = ConfigDict(extra="allow")
    a: int = 0
    b: int = 0


HOME = Home(
    street="Elm",
    pets=[Cat(lives=9, tags=["x"]), Dog(name="Rex")],
    best=Cat(lives=1),
    pair=(1, Dog(name="Ace")),
    by_name={"Tom": Cat(lives=3)},
)
ALL = StructuredResponse.from_basemodel(HOME).to_dict()

SELECTED: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"include": ["street"]}, {"street": "Elm"}),
    ({"include": ["pets.tags"]}, {"pets": [{"tags": ["x"]}, {"tags": []}]}),
    ({"include": ["pets.lives", "pets.name"]}, {"pets": [{"lives": 9}, {"name": "Rex"}]}),
    ({"include": ["pair.name"]}, {"pair": [1, {"name": "Ace"}]}),
    ({"include": ["by_name.lives"]}, {"by_name": {"Tom": {"lives": 3}}}),
    ({"exclude": ["street", "pets", "best", "pair", "by_name.tags"]}, {"by_name": {"Tom": {"lives": 3}}}),
    (
        {"include": {"Cat": ["lives"], "Home": ["pets", "best"]}},
        {"pets": [{"lives": 9}, {"name": "Rex", "tags": []}], "best": {"lives": 1}},
    ),
    (
        {"exclude": {"Cat": ["tags"], "Home": ["street", "pair"], "Dog": ["name"]}},
        {"pets": [{"lives": 9}, {"tags": []}], "best": {"lives": 1}, "by_name": {"Tom": {"lives": 3}}},
    ),
    ({"include": {}}, ALL),
    ({"include": None, "exclude": None}, ALL),
]


@pytest.mark.parametrize(("how", "expected"), SELECTED, ids=[str(row[0]) for row in SELECTED])
def test_data_is_reduced_as_the_definition_is(how: dict[str, Any], expected: dict[str, Any]) -> None:
    """Through lists, unions, tuples and maps; what is left fits what is asked for."""
    response = StructuredResponse.from_basemodel(HOME)
    reduced = response.select(**how)
    assert response.to_dict(**how) == expected
    assert reduced.from_dict(HOME).to_dict() == expected
    assert reduced.parse(response.to_json(**how)).to_dict() == expected
    assert reduced.parse(response.to_yaml(**how)).to_dict() == expected
    assert reduced.to_prompt() == response.to_prompt(**how)
    assert reduced.to_schema() == response.to_schema(**how)
    assert reduced.to_schema_str() == response.to_schema_str(**how)
    assert reduced.to_json_signature() == response.to_json_signature(**how)
    assert reduced.to_yaml_signature() == response.to_yaml_signature(**how)


def test_a_class_is_reduced_at_any_depth() -> None:
    """Also where it holds itself; the cycle stays one."""
    response = StructuredResponse.from_basemodel(Tree(name="a", children=[Tree(name="b", children=[Tree(name="c")])]))
    reduced = response.select(exclude={"Tree": ["size"]})
    assert "size" not in str(reduced.definition)
    inner = {"name": "c", "children": []}
    assert response.to_dict(exclude={"Tree": ["size"]}) == {
        "name": "a",
        "children": [{"name": "b", "children": [inner]}],
    }
    assert "size" in response.to_prompt()


def test_extras_stay_and_excluded_fields_are_none() -> None:
    """A model that keeps what it does not know does not keep what was left out on purpose."""
    response = StructuredResponse.from_basemodel(Open(a=1, b=2, c="x"))  # type: ignore[call-arg]
    assert response.to_dict(exclude=["a"]) == {"b": 2, "c": "x"}


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"include": ["street"], "exclude": ["pets"]}, "do not go together"),
    ({"include": {"Cat": ["lives"]}, "exclude": ["pets"]}, "do not go together"),
    ({"include": ["pets.bogus"]}, r"pets\.bogus: no field is called 'bogus' here; there are: lives, tags, name"),
    ({"exclude": {"Bogus": ["a"]}}, "Bogus: no class is called 'Bogus' here; there are: Cat, Dog, Home"),
    ({"exclude": {"Cat": ["bogus"]}}, r"Cat\.bogus: no field is called 'bogus' here; there are: lives, tags"),
    ({"exclude": {"Cat": "lives"}}, "Cat: exclude names a list of fields for each class, not 'lives'"),
    ({"include": {"Cat": 5}}, "Cat: include names a list of fields for each class, not 5"),
    ({"include": "street"}, r"include=\['street'\]"),
]
WRITERS = (
    "select",
    "to_prompt",
    "to_schema",
    "to_json_signature",
    "to_yaml_signature",
    "to_dict",
    "to_json",
    "to_yaml",
)


@pytest.mark.parametrize("write", WRITERS)
@pytest.mark.parametrize(("how", "says"), WRONG, ids=[row[1][:20] for row in WRONG])
def test_wrong_names_are_named(write: str, how: dict[str, Any], says: str) -> None:
    """Whoever is asked."""
    with pytest.raises(DefinitionError, match=says):
        getattr(StructuredResponse.from_basemodel(HOME), write)(**how)


def test_a_model_that_lacks_required_fields_says_which() -> None:
    """What a selection left out cannot be made up."""
    reduced = StructuredResponse.from_basemodel(Home).select(exclude=["street", "pets.lives"])
    read = reduced.parse('{"pets": [{"tags": ["x"]}]}')
    with pytest.raises(InstanceError) as caught:
        read.to_basemodel()
    assert "$.street" in [problem.path for problem in caught.value.problems]
    assert len(caught.value.problems) > 1


def test_path_through_lists_that_hold_themselves() -> None:
    """Fields are selected in objects at every depth of such a list."""
    point = {"type": "object", "properties": {"x": {"type": "integer"}, "y": {"type": "integer"}}, "title": "Point"}
    tree = {"type": "array", "items": {"anyOf": [{"$ref": "#/$defs/Tree"}, point]}}
    response = StructuredResponse.from_json_schema({"$ref": "#/$defs/Tree", "$defs": {"Tree": tree}})
    selected = response.select(include=["x"])
    (shape,) = selected.definition["$defs"].values()
    assert [list(option.get("elements", ())) for option in shape["elements"]["options"]] == [[], ["x"]]
