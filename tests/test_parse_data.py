"""Plain data -> a tree by the definition: names, types, null, shapes, unions; what changes is on record."""

import json
from decimal import Decimal
from enum import Enum
from typing import Any, Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field

from structured_response import ReplyError, StructuredResponse
from structured_response.definition import Plan
from structured_response.parse.data.data import read_data
from structured_response.parse.json.json_text import scan_json
from structured_response.parse.reading import Reading
from structured_response.validate import typed


class Part(BaseModel):
    label: str
    points: int


class Level(Enum):
    LOW = 1
    HIGH = 2


class Cat(BaseModel):
    kind: Literal["cat"]
    name: str


class Dog(BaseModel):
    kind: Literal["dog"]
    name: str


class Holder(BaseModel):
    text: str = ""
    maybe: str | None = None
    count: int = 0
    ratio: float = 0.0
    flag: bool = False
    price: Decimal = Decimal(0)
    level: Level = Level.LOW
    word: Literal["good", "bad"] = "good"
    mixed: Literal[1, "1"] = 1
    data: bytes = b""
    items: list[str] = []
    counts: list[int] = []
    parts: list[Part] = []
    part: Part | None = None
    pair: tuple[int, str] = (0, "")
    links: dict[str, int] = {}
    numbers: dict[int, str] = {}
    pet: Cat | Dog | None = None
    value: int | str | list[int] = 0
    anything: Any = None
    long_name: str = Field("", alias="longest")


PLAN = StructuredResponse.from_basemodel(Holder)._plan


def read(text: str, plan: Plan = PLAN) -> tuple[Any, Reading]:
    """The typed data of a JSON text, and what was found."""
    scanned = scan_json(text, 0)
    assert scanned.value is not None
    reading = Reading((0, len(text)))
    reading.tree = read_data(plan.root, scanned.value, reading)
    return typed(plan).validate_python(reading.tree), reading


CLEAN: list[tuple[str, Any]] = [
    ('{"text": " a &amp; <b> \\n"}', {"text": " a &amp; <b> \n"}),
    ('{"text": "None", "maybe": "None"}', {"text": "None", "maybe": "None"}),
    ('{"maybe": null}', {"maybe": None}),
    ('{"maybe": ""}', {"maybe": ""}),
    ('{"count": 123456789012345678901234567890}', {"count": 123456789012345678901234567890}),
    ('{"ratio": 4}', {"ratio": 4.0}),
    ('{"flag": true}', {"flag": True}),
    ('{"price": 1.10}', {"price": "1.10"}),
    ('{"price": "1.10"}', {"price": "1.10"}),
    ('{"level": 2, "word": "bad"}', {"level": 2, "word": "bad"}),
    ('{"mixed": "1"}', {"mixed": "1"}),
    ('{"mixed": 1}', {"mixed": 1}),
    ('{"data": ""}', {"data": ""}),
    ('{"items": []}', {"items": []}),
    ('{"pair": [1, "1"]}', {"pair": [1, "1"]}),
    ('{"numbers": {"1": "a"}}', {"numbers": {"1": "a"}}),
    ('{"pet": {"kind": "dog", "name": "x"}}', {"pet": {"kind": "dog", "name": "x"}}),
    ('{"pet": null}', {"pet": None}),
    ('{"value": "3"}', {"value": "3"}),
    ('{"value": [3]}', {"value": [3]}),
    ('{"anything": [1, 1.5, "1", null, {"a": true}]}', {"anything": [1, 1.5, "1", None, {"a": True}]}),
]


@pytest.mark.parametrize(("text", "data"), CLEAN)
def test_json_of_the_right_types_is_read_as_it_is(text: str, data: Any) -> None:
    """Texts verbatim, numbers to the digit, null where it may be: without a record."""
    found, reading = read(text)
    assert found == data
    assert [type(value) for value in found.values()] == [type(value) for value in data.values()]
    assert (reading.repairs, reading.problems) == ([], [])


RECORDED: list[tuple[str, Any, list[tuple[str, str]]]] = [
    ('{"Text": "a"}', {"text": "a"}, [("name_respelled", "$.text")]),
    ('{"longest": "a"}', {"long_name": "a"}, [("name_respelled", "$.long_name")]),
    ('{"longName": "a"}', {"long_name": "a"}, [("name_respelled", "$.long_name")]),
    ('{"text": 1.10}', {"text": "1.10"}, [("value_respelled", "$.text")]),
    ('{"text": true}', {"text": "true"}, [("value_respelled", "$.text")]),
    ('{"count": "4"}', {"count": 4}, [("value_respelled", "$.count")]),
    ('{"count": 4.0}', {"count": 4}, [("value_respelled", "$.count")]),
    ('{"count": " 4"}', {"count": 4}, [("value_respelled", "$.count")]),
    ('{"flag": "yes"}', {"flag": True}, [("value_respelled", "$.flag")]),
    ('{"level": "high"}', {"level": 2}, [("choice_respelled", "$.level")]),
    ('{"level": "2"}', {"level": 2}, [("value_respelled", "$.level")]),
    ('{"word": "GOOD"}', {"word": "good"}, [("choice_respelled", "$.word")]),
    ('{"zz": 1, "text": "a"}', {"text": "a"}, [("element_skipped", "$")]),
    ('{"holder": {"text": "a"}}', {"text": "a"}, [("wrapper_entered", "$")]),
    ('{"a": {"b": {"text": "a", "c": 1}}}', {"text": "a"}, [("wrapper_entered", "$")] * 2 + [("element_skipped", "$")]),
    ('{"x": {"text": "a"}, "text": "b"}', {"text": "b"}, [("element_skipped", "$")]),
    ('{"text": "a", "text": "a"}', {"text": "a"}, [("duplicate_dropped", "$.text")]),
    ('{"items": "a"}', {"items": ["a"]}, [("shape_changed", "$.items")]),
    ('{"items": "a, b"}', {"items": ["a", "b"]}, [("text_split", "$.items")]),
    ('{"items": "a; b, c"}', {"items": ["a", "b, c"]}, [("text_split", "$.items")]),
    ('{"items": "Light, cheap and a joy"}', {"items": ["Light", "cheap", "a joy"]}, [("text_split", "$.items")]),
    ('{"items": "It is light, really"}', {"items": ["It is light, really"]}, [("shape_changed", "$.items")]),
    ('{"counts": "1, 2"}', {"counts": [1, 2]}, [("text_split", "$.counts")]),
    ('{"items": ""}', {"items": []}, [("shape_changed", "$.items")]),
    ('{"items": {"item": ["a", "b"]}}', {"items": ["a", "b"]}, [("wrapper_entered", "$.items")]),
    ('{"items": "- a\\n- b"}', {"items": ["a", "b"]}, [("format_read", "$.items")]),
    ('{"items": "[\\"a\\"]"}', {"items": ["a"]}, [("format_read", "$.items")]),
    ('{"text": ["a"]}', {"text": "a"}, [("shape_changed", "$.text")]),
    (
        '{"parts": {"label": "a", "points": 1}}',
        {"parts": [{"label": "a", "points": 1}]},
        [("shape_changed", "$.parts")],
    ),
    ('{"part": [{"label": "a", "points": 1}]}', {"part": {"label": "a", "points": 1}}, [("shape_changed", "$.part")]),
    ('{"part": [{"label": "a"}, {"points": 1}]}', {"part": {"label": "a", "points": 1}}, [("shape_changed", "$.part")]),
    (
        '{"part": "{\\"label\\": \\"a\\", \\"points\\": 1}"}',
        {"part": {"label": "a", "points": 1}},
        [("format_read", "$.part")],
    ),
    ('{"links": [{"key": "a", "value": 1}]}', {"links": {"a": 1}}, [("shape_changed", "$.links")]),
    ('{"links": [{"a": 1}, {"b": 2}]}', {"links": {"a": 1, "b": 2}}, [("shape_changed", "$.links")]),
    (
        '{"pet": {"Cat": {"kind": "cat", "name": "x"}}}',
        {"pet": {"kind": "cat", "name": "x"}},
        [("wrapper_entered", "$.pet")],
    ),
    (
        '{"pet": {"Kind": "cat", "name": "x"}}',
        {"pet": {"kind": "cat", "name": "x"}},
        [("name_respelled", "$.pet.kind")],
    ),
    (
        '{"pet": {"kind": "cat", "name": 3}}',
        {"pet": {"kind": "cat", "name": "3"}},
        [("value_respelled", "$.pet.name")],
    ),
]


@pytest.mark.parametrize(("text", "data", "records"), RECORDED)
def test_what_is_not_as_asked_for_goes_on_record(text: str, data: Any, records: list[tuple[str, str]]) -> None:
    """Other names, types and shapes: the data is right, and each change is named with its path."""
    found, reading = read(text)
    assert found == data
    assert [(repair.kind.value, repair.path) for repair in reading.repairs] == records
    assert reading.problems == []


WRONG: list[tuple[str, str, str]] = [
    ('{"text": null}', "$.text", "null is not allowed here"),
    ('{"count": null}', "$.count", "null is not allowed here"),
    ('{"count": true}', "$.count", "not an int"),
    ('{"count": "many"}', "$.count", "not an int"),
    ('{"ratio": 1e400}', "$.ratio", "too large for a float"),
    ('{"word": "fine"}', "$.word", 'not one of "good", "bad"'),
    ('{"text": {"a": 1}}', "$.text", "an object stands where a single value is asked for"),
    ('{"text": ["a", "b"]}', "$.text", "a list stands where a single value is asked for"),
    ('{"text": []}', "$.text", "a list stands where a single value is asked for"),
    ('{"part": 3}', "$.part", "an object with a name for each value is asked for"),
    ('{"links": "a"}', "$.links", "an object with a value for each key is asked for"),
    ('{"counts": "1,299"}', "$.counts", "could be more than one list"),
    ('{"pair": [1]}', "$.pair", "2 items are needed, but 1 are there"),
    ('{"pair": 1}', "$.pair", "a list of 2 items is asked for"),
    ('{"numbers": {"a": "b"}}', "$.numbers.a", "the key is not an int"),
    ('{"text": "a", "text": "b"}', "$.text", "'text' stands there twice, with different values"),
    ('{"count": 1, "count": "1"}', "$.count", "'count' stands there twice, with different values"),
    ('{"anything": {"a": 1, "a": 2}}', "$.anything.a", "'a' stands there twice, with different values"),
    ('{"pet": {"name": "x"}}', "$.pet", "fits more than one option"),
    ('{"pet": 3}', "$.pet", "fits none of the options"),
    ('{"text": "[value here - as a string]"}', "$.text", "the prompt's placeholder was left in place of a value"),
    ('{"parts": [{"label": "a", "points": "x"}, {"label": "b", "points": 2}]}', "$.parts[0].points", "not an int"),
]


@pytest.mark.parametrize(("text", "path", "message"), WRONG)
def test_what_cannot_be_read_is_a_problem(text: str, path: str, message: str) -> None:
    """Each with its path and its place in the text; the rest is kept."""
    _found, reading = read(text)
    (problem,) = reading.problems
    assert (problem.path, problem.message) == (path, message)
    assert problem.span is not None
    assert 0 < problem.span[0] < problem.span[1] < len(text)


def test_places_are_those_of_the_text() -> None:
    """Each value's place, and a repair's, cover its own characters."""
    text = '{"Text": "é😀", "parts": [{"label": "a", "points": 12}]}'
    _found, reading = read(text)
    shown = {path: text[slice(*span)] for path, span in reading.places.items()}
    assert shown["text",] == '"é😀"'
    assert shown["parts", 0, "points"] == "12"
    assert shown["parts", 0] == '{"label": "a", "points": 12}'
    assert [text[slice(*repair.span)] for repair in reading.repairs] == ['"Text"']


class Kept(BaseModel):
    model_config = ConfigDict(extra="allow")

    text: str = ""


def test_extras_are_kept_by_models_that_allow_them() -> None:
    """As the data that they are."""
    found, reading = read('{"text": "a", "mood": [1, {"a": null}]}', StructuredResponse.from_basemodel(Kept)._plan)
    assert found == {"text": "a", "mood": [1, {"a": None}]}
    assert reading.repairs == []


def test_null_is_taken_where_nobody_knows_whether_it_may_be() -> None:
    """Without a model nullability is unknown."""
    found, reading = read('{"a": null}', StructuredResponse.from_definition("X", {"a": {"type": "int"}})._plan)
    assert (found, reading.problems) == ({"a": None}, [])


class Note(BaseModel):
    title: str
    body: str = ""


class Named(BaseModel):
    name: str = ""
    count: int = 0


ARGUED = {"title": 'a "b"', "body": "c"}
TEXT = json.dumps(ARGUED)
CALLED: list[tuple[type[BaseModel], Any, dict[str, Any]]] = [
    (Note, {"name": "note", "arguments": TEXT}, ARGUED),
    (Note, {"name": "save_it", "arguments": TEXT}, ARGUED),
    (Note, {"action": "Note", "action_input": ARGUED}, ARGUED),
    (Note, {"type": "tool_use", "id": "t1", "name": "note", "input": ARGUED}, ARGUED),
    (Note, {"function_call": {"name": "note", "arguments": TEXT}}, ARGUED),
    (Note, {"role": "assistant", "content": None, "function_call": {"name": "Note", "arguments": ARGUED}}, ARGUED),
    (Note, {"tool_calls": [{"id": "c", "type": "function", "function": {"name": "Note", "arguments": TEXT}}]}, ARGUED),
    (Note, [{"name": "Note", "arguments": TEXT}], ARGUED),
    (Named, {"function_call": {"name": "Named", "arguments": '{"count": 3}'}}, {"count": 3}),
    (Named, {"name": "save_it", "arguments": {"name": "x", "count": 3}}, {"name": "x", "count": 3}),
    (Named, {"name": "x", "arguments": "--fast", "count": 3}, {"name": "x", "count": 3}),
    (Named, {"name": "x", "input": {"count": 3}}, {"name": "x", "count": 3}),
]


@pytest.mark.parametrize("around", ["%s", "I call it:\n%s\nThat is all."])
@pytest.mark.parametrize(("model", "said", "data"), CALLED)
def test_the_arguments_of_a_call_are_the_answer(
    around: str, model: type[BaseModel], said: Any, data: dict[str, Any]
) -> None:
    """Of the class, whatever lies around the call; of another name, where they hold all that could be the answer."""
    read = StructuredResponse.from_basemodel(model).parse(around % json.dumps(said))
    assert read.to_dict() == data


def test_two_calls_are_no_answer() -> None:
    """Nobody knows which one was meant."""
    calls = [{"name": "Note", "arguments": {"title": title}} for title in "ab"]
    with pytest.raises(ReplyError):
        StructuredResponse.from_basemodel(Note).parse(json.dumps({"tool_calls": calls}))
