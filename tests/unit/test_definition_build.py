"""Building definitions by hand and reducing them: what is added and kept, refused, and left as it was."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from structured_response import DefinitionError, StructuredResponse

Document = dict[str, Any]

INT = {"type": "int"}
STR = {"type": "str"}


class Point(BaseModel):
    x: int
    y: int = Field(description="up")


class Part(BaseModel):
    label: str
    points: list[Point]


class Report(BaseModel):
    title: str
    origin: Point
    target: Point
    parts: list[Part]
    grid: list[list[Point]]
    tags: list[str] = []
    named: dict[str, Point]
    either: int | str


class Tree(BaseModel):
    name: str
    below: list["Tree"] = []


POINT = {"x": INT, "y": {"type": "int", "description": "up"}}


def report() -> StructuredResponse[Report]:
    """A response that asks for a report."""
    return StructuredResponse.from_basemodel(Report)


def spelt(document: Any) -> str:
    """A document as JSON, so that the order of its keys counts in a comparison."""
    return json.dumps(document, ensure_ascii=False)


def test_contract_is_built_by_hand() -> None:
    """Nodes added one by one give the definition and the prompt that the model gives."""

    class Weather(BaseModel):
        place: str = Field(description="Where")
        chance: int = Field(ge=0, le=100)
        kind: str = "plain"
        hours: list[int]
        points: list[Point] = Field(description="Where exactly", min_length=1)

    built = (
        StructuredResponse[Any]("Weather")
        .add_node("place", "str", description="Where")
        .add_node("chance", "int", le=100, ge=0)
        .add_node("kind", "str", required=False, default="plain")
        .add_node("hours", "list", elements="int")
        .add_node("points", "list", elements=POINT, description="Where exactly", min_length=1)
    )
    asked = StructuredResponse.from_basemodel(Weather)
    assert spelt(built.definition) == spelt(asked.definition)
    assert built.to_prompt() == asked.to_prompt()
    assert built.fingerprint == asked.fingerprint
    assert built == asked


ADDED: list[tuple[dict[str, Any], Document]] = [
    ({"type": "int"}, INT),
    ({"type": "str", "description": "d"}, {"type": "str", "description": "d"}),
    ({"type": "float", "ge": 0, "lt": 1}, {"type": "float", "ge": 0, "lt": 1}),
    ({"type": "int", "multiple_of": 5, "gt": 0}, {"type": "int", "gt": 0, "multiple_of": 5}),
    ({"type": "str", "pattern": "a", "max_length": 3}, {"type": "str", "max_length": 3, "pattern": "a"}),
    ({"type": "enum", "choices": ["a", 1]}, {"type": "enum", "choices": ["a", 1]}),
    ({"type": "enum", "choices": ("a", 1)}, {"type": "enum", "choices": ["a", 1]}),
    ({"type": "list", "elements": "int"}, {"type": "list", "elements": "int"}),
    ({"type": "list", "elements": {"x": INT}}, {"type": "list", "elements": {"x": INT}}),
    (
        {"type": "list", "elements": {"type": "list", "elements": "int"}},
        {"type": "list", "elements": {"type": "list", "elements": "int"}},
    ),
    ({"type": "dict", "elements": {"x": INT}}, {"type": "dict", "elements": {"x": INT}}),
    ({"type": "dict", "elements": {}}, {"type": "dict", "elements": {}}),
    ({"type": "int", "required": False}, {"type": "int", "required": False}),
    (
        {"type": "int", "required": False, "default": None},
        {"type": "int", "required": False, "default": None},
    ),
    ({"type": "int", "required": False, "default": 3}, {"type": "int", "required": False, "default": 3}),
]


@pytest.mark.parametrize(("given_", "expected"), ADDED, ids=[str(row[0]) for row in ADDED])
@pytest.mark.parametrize("path", ["new", "a b", "日本"])
def test_node_is_added_behind_the_others(path: str, given_: dict[str, Any], expected: Document) -> None:
    """A new field stands last, as the node that its arguments say; any text without dots is a name."""
    response = StructuredResponse.from_definition("M", {"a": INT})
    assert response.add_node(path, **given_) is response
    assert spelt(response.definition) == spelt({"a": INT, path: expected})


def test_choices_come_from_any_iterable() -> None:
    """Choices may be given as whatever yields them, once."""
    response = StructuredResponse[Any]("M").add_node("a", "enum", choices=(word for word in ("x", "y")))
    assert response.definition == {"a": {"type": "enum", "choices": ["x", "y"]}}


REACHED: list[tuple[str, tuple[Any, ...]]] = [
    ("origin.z", ("origin", "elements")),
    ("parts.z", ("parts", "elements")),
    ("parts.points.z", ("parts", "elements", "points", "elements")),
    ("grid.z", ("grid", "elements", "elements")),
    ("named.z", ("named", "elements")),
]


@pytest.mark.parametrize(("path", "place"), REACHED)
def test_path_reaches_into_objects_and_items(path: str, place: tuple[Any, ...]) -> None:
    """A dotted path leads through objects, lists, lists of lists and maps, and changes nothing else."""
    expected = json.loads(spelt(report().definition))
    fields = expected
    for step in place:
        fields = fields[step]
    fields["z"] = {"type": "bool", "description": "d"}
    assert spelt(report().add_node(path, "bool", description="d").definition) == spelt(expected)


def test_node_that_is_there_is_replaced_in_its_place() -> None:
    """To add a field that is there already replaces it where it stands, with nothing of it left."""
    response = StructuredResponse.from_definition("M", {"a": {**INT, "ge": 1, "description": "d"}, "b": INT})
    assert spelt(response.add_node("a", "str").definition) == spelt({"a": STR, "b": INT})


def test_field_of_a_recursive_model_is_added_at_its_place_only() -> None:
    """In a recursive model, a field is added on the level that the path names and on no other."""
    made = StructuredResponse.from_basemodel(Tree).add_node("below.age", "int").definition
    assert made["below"]["elements"]["age"] == INT
    assert "age" not in made
    assert "age" not in made["$defs"]["Tree"]


WRONG_ADDITIONS: list[tuple[str, Any, dict[str, Any], str, str]] = [
    # bad path
    ("", "int", {}, "", "path"),
    (".", "int", {}, "", "path"),
    (".new", "int", {}, "", "path"),
    ("new.", "int", {}, "", "path"),
    ("origin..z", "int", {}, "", "path"),
    ("title.z", "int", {}, "title", "'str' has no fields"),
    ("tags.z", "int", {}, "tags", "'str' has no fields"),
    ("either.z", "int", {}, "either", "'union' has no fields"),
    ("origin.x.z", "int", {}, "origin.x", "'int' has no fields"),
    # bad name
    ("nowhere.z", "int", {}, "nowhere.z", "'nowhere'.*title, origin, target, parts"),
    ("origin.nowhere.z", "int", {}, "origin.nowhere.z", "'nowhere'.*x, y"),
    ("Origin.z", "int", {}, "Origin.z", "'Origin'"),
    # bad type
    ("new", "integer", {}, "new", "unknown type 'integer'.*str.*int.*list"),
    ("new", "", {}, "new", "unknown type ''"),
    ("new", "Int", {}, "new", "unknown type 'Int'"),
    ("new", int, {}, "new", "type.*int"),
    ("new", None, {}, "new", "type.*None"),
    ("new", ["int"], {}, "new", "type.*int"),
    ("origin.z", "integer", {}, "origin.z", "unknown type 'integer'"),
    ("new", "list", {"elements": "integer"}, "new", "'integer'"),
    ("new", "list", {"elements": {"z": {"type": "integer"}}}, "new.z", "'integer'"),
    # what the type needs or does not have
    ("new", "list", {}, "new", "'elements'"),
    ("new", "dict", {}, "new", "'elements'"),
    ("new", "enum", {}, "new", "'choices'"),
    ("new", "enum", {"choices": []}, "new", "'choices'"),
    ("new", "enum", {"choices": [None]}, "new", "None"),
    ("new", "enum", {"choices": "abc"}, "new", "choices"),
    ("new", "enum", {"choices": 5}, "new", "choices"),
    ("new", "int", {"elements": "int"}, "new", "'elements'"),
    ("new", "int", {"choices": [1]}, "new", "'choices'"),
    ("new", "int", {"minimum": 1}, "new", "'minimum'"),
    ("new", "int", {"ge": "x"}, "new", "'ge'"),
    ("new", "int", {"min_length": 1}, "new", "'min_length'"),
    ("new", "str", {"pattern": "("}, "new", "'pattern'"),
    ("new", "str", {"description": 5}, "new", "description"),
    ("new", "str", {"required": "no"}, "new", "required"),
]


@pytest.mark.parametrize(("path", "type_", "more", "place", "says"), WRONG_ADDITIONS)
def test_wrong_addition_says_which(path: str, type_: Any, more: dict[str, Any], place: str, says: str) -> None:
    """A bad path, type, name or argument is named by a `DefinitionError`; the response stays as it was."""
    response = report()
    before = spelt(response.definition)
    with pytest.raises(DefinitionError, match=says) as caught:
        response.add_node(path, type_, **more)
    assert caught.value.path == place
    assert spelt(response.definition) == before


@pytest.mark.parametrize("path", [None, 5, ["a"], b"a"])
def test_path_is_a_text(path: Any) -> None:
    """A path that is not a text is refused, showing it."""
    with pytest.raises(DefinitionError, match="path") as caught:
        report().add_node(path, "int")
    assert repr(path) in str(caught.value)


def test_other_responses_of_the_model_are_not_touched() -> None:
    """Adding copies first: what other responses of the model ask for stays, before and after."""
    older, changed = report(), report()
    before = spelt(older.definition)
    changed.add_node("origin.z", "int").add_node("parts.points.z", "int").add_node("title", "int")
    assert spelt(older.definition) == before
    assert spelt(report().definition) == before
    assert older.to_prompt() == report().to_prompt()
    assert "z" not in older.definition["target"]["elements"]


def test_other_fields_of_the_class_are_not_touched() -> None:
    """Adding to one field's object leaves the other fields of the same class alone."""
    made = report().add_node("origin.z", "int").definition
    assert made["origin"]["elements"] == {**POINT, "z": INT}
    assert made["target"]["elements"] == POINT
    assert made["named"]["elements"] == POINT


def test_definition_taken_before_stays_as_it_was() -> None:
    """A definition that was looked at does not change when its response does."""
    response = report()
    taken = response.definition
    before = spelt(taken)
    response.add_node("new", "int")
    assert spelt(taken) == before
    assert "new" in response.definition


def test_what_was_read_is_forgotten() -> None:
    """After the definition changed, the data of before is gone."""
    response = StructuredResponse.from_definition("M", {"a": INT})
    response.from_prompt("<m><a>1</a></m>")
    assert response.instance == {"a": 1}
    assert response.add_node("b", "int").instance == {}
    assert response.parse("<m><a>1</a><b>2</b></m>").instance == {"a": 1, "b": 2}


LIBRARY: Document = {
    "a": INT,
    "o": {"type": "dict", "description": "d", "elements": {"x": INT, "y": {**INT, "required": False}}},
    "l": {
        "type": "list",
        "elements": {"p": INT, "q": {"type": "list", "elements": {"r": INT, "s": STR}}},
        "min_length": 1,
    },
    "n": {"type": "list", "elements": "int"},
    "m": {"type": "map", "keys": "str", "elements": {"x": INT, "y": INT}},
    "a b": STR,
}


def library() -> StructuredResponse[Any]:
    """A response with a field of every form."""
    return StructuredResponse.from_definition("Library", LIBRARY)


def with_(name: str, **changes: Any) -> Document:
    """A field of LIBRARY with some keys changed."""
    return {name: {**LIBRARY[name], **changes}}


def without(*names: str) -> Document:
    """LIBRARY without some fields."""
    return {name: node for name, node in LIBRARY.items() if name not in names}


SELECTED: list[tuple[dict[str, Any], Document]] = [
    ({"include": ["a"]}, {"a": INT}),
    ({"include": ("a",)}, {"a": INT}),
    ({"include": iter(["a"])}, {"a": INT}),
    ({"include": {"a": 1}.keys()}, {"a": INT}),
    ({"include": ["a b"]}, {"a b": STR}),
    ({"include": ["n", "a"]}, {"a": INT, "n": LIBRARY["n"]}),
    ({"include": ["a", "a"]}, {"a": INT}),
    ({"include": ["o.x"]}, with_("o", elements={"x": INT})),
    ({"include": ["o.y", "o.x"]}, with_("o")),
    ({"include": ["o", "o.x"]}, with_("o")),
    ({"include": ["l"]}, with_("l")),
    ({"include": ["l.q"]}, with_("l", elements={"q": LIBRARY["l"]["elements"]["q"]})),
    ({"include": ["l.q.s"]}, with_("l", elements={"q": {"type": "list", "elements": {"s": STR}}})),
    (
        {"include": ["l.q.s", "l.p", "a"]},
        {"a": INT, **with_("l", elements={"p": INT, "q": {"type": "list", "elements": {"s": STR}}})},
    ),
    ({"include": ["m.x"]}, with_("m", elements={"x": INT})),
    ({"include": []}, LIBRARY),
    ({"exclude": []}, LIBRARY),
    ({}, LIBRARY),
    ({"exclude": ["a"]}, without("a")),
    ({"exclude": ["a b", "l", "m", "n"]}, {"a": INT, **with_("o")}),
    ({"exclude": ["o.x"]}, {**LIBRARY, **with_("o", elements={"y": {**INT, "required": False}})}),
    ({"exclude": ["o", "o.x"]}, without("o")),
    (
        {"exclude": ["l.q.r"]},
        {**LIBRARY, **with_("l", elements={"p": INT, "q": {"type": "list", "elements": {"s": STR}}})},
    ),
    ({"exclude": ["m.y"]}, {**LIBRARY, **with_("m", elements={"x": INT})}),
]


@pytest.mark.parametrize(("paths", "expected"), SELECTED, ids=[str(number) for number in range(len(SELECTED))])
def test_selection_keeps_what_was_named(paths: dict[str, Any], expected: Document) -> None:
    """Selecting keeps the named fields, or all but those, as they are and in the definition's order."""
    assert spelt(library().select(**paths).definition) == spelt(expected)


WRONG_SELECTIONS: list[tuple[list[Any], str, str]] = [
    (["nowhere"], "nowhere", "'nowhere'.*a, o, l, n"),
    (["a", "nowhere"], "nowhere", "'nowhere'"),
    (["A"], "A", "'A'"),
    (["o.nowhere"], "o.nowhere", "'nowhere'.*x, y"),
    (["l.q.nowhere"], "l.q.nowhere", "'nowhere'.*r, s"),
    (["o", "o.nowhere"], "o.nowhere", "'nowhere'"),
    (["o.nowhere", "o"], "o.nowhere", "'nowhere'"),
    (["a.x"], "a", "'int' has no fields"),
    (["a", "a.x"], "a", "'int' has no fields"),
    (["n.x"], "n", "'int' has no fields"),
    (["l.q.r.x"], "l.q.r", "'int' has no fields"),
    ([""], "", "path"),
    (["o."], "", "path"),
    ([".o"], "", "path"),
    (["o..x"], "", "path"),
    (["$.o"], "$.o", r"'\$'"),
    (["l[0].p"], "l[0].p", r"'l\[0\]'"),
    ([5], "", "5"),
    ([None], "", "None"),
    ([["o", "x"]], "", "path"),
]


@pytest.mark.parametrize("way", ["include", "exclude"])
@pytest.mark.parametrize(("paths", "place", "says"), WRONG_SELECTIONS, ids=[str(row[0]) for row in WRONG_SELECTIONS])
def test_wrong_selection_says_which(way: str, paths: list[Any], place: str, says: str) -> None:
    """A path that leads nowhere is refused with its place, also where another path covers it."""
    with pytest.raises(DefinitionError, match=says) as caught:
        library().select(**{way: paths})
    assert caught.value.path == place


@pytest.mark.parametrize("way", ["include", "exclude"])
def test_one_text_is_no_list_of_paths(way: str) -> None:
    """A text where a list is due would be a list of letters, and is refused."""
    with pytest.raises(DefinitionError, match=rf"{way}=\['o'\]"):
        library().select(**{way: "o"})


def test_include_and_exclude_do_not_go_together() -> None:
    """Which of both should win is nobody's guess."""
    with pytest.raises(DefinitionError, match="include and exclude"):
        library().select(include=["a"], exclude=["o"])


def test_selection_leaves_the_response_alone() -> None:
    """A selection is a new response; the one it came from asks for what it did."""
    response = report()
    before, prompt = spelt(response.definition), response.to_prompt()
    reduced = response.select(exclude=["origin.x", "parts"])
    reduced.add_node("target.w", "int")
    assert reduced is not response
    assert (spelt(response.definition), response.to_prompt()) == (before, prompt)
    assert spelt(report().definition) == before


@pytest.mark.parametrize("paths", [{}, {"include": []}, {"exclude": []}])
def test_selection_of_everything_is_a_response_of_its_own(paths: dict[str, Any]) -> None:
    """What is done to a selection never reaches the response it came from, though nothing was left out."""
    response = library()
    response.select(**paths).add_node("new", "int")
    assert "new" not in response.definition


def test_selection_of_an_object_leaves_others_of_its_class_alone() -> None:
    """Two fields of one class are reduced one by one."""
    made = report().select(include=["origin.x", "target"]).definition
    assert made == {
        "origin": {"type": "dict", "elements": {"x": INT}},
        "target": {"type": "dict", "elements": POINT},
    }


def test_recursive_model_is_reduced_level_by_level() -> None:
    """A path names one level of a recursive model; where the recursion is cut off, no reference is left."""
    response = StructuredResponse.from_basemodel(Tree)
    assert response.select(include=["name", "below.name"]).definition == {
        "name": STR,
        "below": {"type": "list", "elements": {"name": STR}, "required": False, "default": []},
    }
    assert "name" in response.select(exclude=["name"]).definition["$defs"]["Tree"]


@pytest.mark.parametrize("paths", [{"include": ["o.x", "l.q"]}, {"exclude": ["a", "l.q.r"]}, {}])
def test_prompt_takes_the_same_paths(paths: dict[str, Any]) -> None:
    """`to_prompt(include=, exclude=)` is the prompt of the selection."""
    assert library().to_prompt(**paths) == library().select(**paths).to_prompt()


@given(st.sets(st.sampled_from(["a", "o", "l", "n", "m", "a b"])))
def test_including_some_is_excluding_the_others(names: set[str]) -> None:
    """To include some fields and to exclude all the others is the same."""
    if not names or len(names) == len(LIBRARY):
        return
    others = [name for name in LIBRARY if name not in names]
    assert library().select(include=sorted(names)) == library().select(exclude=others)
