"""JSON Schemas that others wrote, as OpenAPI documents and MCP tools hold them: what they ask for."""

from typing import Any

import pytest

from structured_response import DefinitionError, StructuredResponse

STR, INT = {"type": "string"}, {"type": "integer"}


def definition(schema: Any) -> Any:
    """The definition of a schema."""
    return StructuredResponse.from_json_schema(schema).definition


def fields(**schemas: Any) -> dict[str, Any]:
    """The schema of an object whose fields are required, with what they refer to."""
    shapes = schemas.pop("shapes", {})
    return {"type": "object", "properties": schemas, "required": list(schemas), "components": shapes}


LINE = {"type": "object", "properties": {"sku": STR, "n": {"type": "integer", "minimum": 1}}, "required": ["sku"]}
LINE_FIELDS = {"sku": {"type": "str"}, "n": {"type": "int", "ge": 1, "required": False}}
CAT = {"type": "object", "properties": {"t": {"const": "cat"}, "lives": INT}, "required": ["t", "lives"]}
DOG = {"type": "object", "properties": {"t": {"const": "dog"}}, "required": ["t"], "title": "Hound"}
CAT_FIELDS = {"t": {"type": "enum", "choices": ["cat"]}, "lives": {"type": "int"}}
DOG_FIELDS = {"t": {"type": "enum", "choices": ["dog"]}}

VALUES: list[tuple[str, Any, Any]] = [
    ("types in an array", {"type": ["string", "null"]}, {"type": "str"}),
    (
        "types in an array, several",
        {"type": ["string", "integer"]},
        {"type": "union", "options": [{"type": "str"}, {"type": "int"}]},
    ),
    ("nullable", {"type": "string", "nullable": True}, {"type": "str"}),
    ("a format", {"type": "string", "format": "date-time"}, {"type": "datetime"}),
    ("a format of texts", {"type": "string", "format": "email"}, {"type": "str", "description": "e-mail address"}),
    ("a constant", {"const": "fixed"}, {"type": "enum", "choices": ["fixed"]}),
    (
        "constants, each with its title",
        {"oneOf": [{"const": 1, "title": "one"}, {"const": 2, "title": "two"}, {"type": "null"}]},
        {"type": "enum", "choices": [1, 2]},
    ),
    ("an exclusive bound", {"type": "number", "exclusiveMinimum": 3}, {"type": "float", "gt": 3}),
    (
        "a bound that is exclusive, as OpenAPI 3.0 says it",
        {"type": "number", "minimum": 3, "exclusiveMinimum": True, "maximum": 9, "exclusiveMaximum": False},
        {"type": "float", "gt": 3, "le": 9},
    ),
    (
        "a tuple",
        {"type": "array", "prefixItems": [INT, STR], "minItems": 2, "maxItems": 2},
        {"type": "tuple", "elements": [{"type": "int"}, {"type": "str"}]},
    ),
    ("a map", {"type": "object", "additionalProperties": INT}, {"type": "map", "keys": "str", "elements": "int"}),
    ("a map of anything", {"type": "object"}, {"type": "map", "keys": "str", "elements": "any"}),
    (
        "a map by a pattern",
        {"type": "object", "patternProperties": {"^x-": INT}, "additionalProperties": False},
        {"type": "map", "keys": {"type": "str", "pattern": "^x-"}, "elements": "int"},
    ),
    ("an object", LINE, {"type": "dict", "elements": LINE_FIELDS}),
    ("a list of objects", {"type": "array", "items": LINE}, {"type": "list", "elements": LINE_FIELDS}),
    ("one part", {"allOf": [LINE]}, {"type": "dict", "elements": LINE_FIELDS}),
    (
        "one part with a description",
        {"allOf": [{"$ref": "#/components/Line"}], "description": "d", "nullable": True},
        {"type": "dict", "description": "d", "elements": LINE_FIELDS},
    ),
    (
        "one part that tells what it is, and others that describe it",
        {"allOf": [{"$ref": "#/components/Size"}, {"description": "d", "nullable": True}]},
        {"type": "enum", "choices": ["s", "m"], "description": "d"},
    ),
    ("a scalar in parts", {"allOf": [STR, {"minLength": 3}]}, {"type": "str", "min_length": 3}),
    (
        "an object in parts",
        {"allOf": [{"$ref": "#/components/Line"}, {"properties": {"more": STR}, "required": ["more"]}]},
        {"type": "dict", "elements": {**LINE_FIELDS, "more": {"type": "str"}}},
    ),
    (
        "parts of parts",
        {"allOf": [{"$ref": "#/components/Heir"}, {"properties": {"last": INT}}]},
        {
            "type": "dict",
            "elements": {**LINE_FIELDS, "more": {"type": "str"}, "last": {"type": "int", "required": False}},
        },
    ),
    (
        "a union of objects, called as they are referred to",
        {
            "oneOf": [{"$ref": "#/components/Cat"}, {"$ref": "#/components/Dog"}],
            "discriminator": {"propertyName": "t", "mapping": {"cat": "#/components/Cat"}},
        },
        {
            "type": "union",
            "options": [
                {"type": "dict", "elements": CAT_FIELDS, "name": "Cat"},
                {"type": "dict", "elements": DOG_FIELDS, "name": "Hound"},
            ],
            "discriminator": "t",
        },
    ),
]

SHAPES = {
    "Line": LINE,
    "Size": {"type": "string", "enum": ["s", "m"]},
    "Heir": {"allOf": [{"$ref": "#/components/Line"}, {"properties": {"more": STR}, "required": ["more"]}]},
    "Cat": CAT,
    "Dog": DOG,
}


@pytest.mark.parametrize(("schema", "expected"), [row[1:] for row in VALUES], ids=[row[0] for row in VALUES])
def test_a_schema_becomes_its_node(schema: Any, expected: Any) -> None:
    """As a required field; of what it refers to too."""
    assert definition(fields(f=schema, shapes=SHAPES)) == {"f": expected}


RECURSIVE = [
    {"$ref": "#/$defs/Node"},
    {"allOf": [{"$ref": "#/$defs/Node"}]},
    {"allOf": [{"$ref": "#/$defs/Node"}, {"description": "below"}]},
    {"anyOf": [{"$ref": "#/$defs/Node"}, {"type": "null"}]},
    {"type": "array", "items": {"$ref": "#/$defs/Node"}},
]


@pytest.mark.parametrize("below", RECURSIVE, ids=str)
def test_an_object_may_hold_itself(below: Any) -> None:
    """However it refers to itself; the prompt has an end, and what is written is read back."""
    node = {"type": "object", "properties": {"v": INT, "below": below}, "required": ["v"]}
    response = StructuredResponse.from_json_schema({"$ref": "#/$defs/Node", "$defs": {"Node": node}}, name="Node")
    assert "[the same elements as in" in response.to_prompt()
    inner: Any = [{"v": 2}] if below.get("type") == "array" else {"v": 2}
    response.instance.update({"v": 1, "below": inner})
    assert response.parse(str(response)).to_dict() == {"v": 1, "below": inner}


def test_a_tool_of_a_server() -> None:
    """What an MCP server lists as a tool's `inputSchema`, keys of other drafts included."""
    schema = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "type": "object",
        "properties": {
            "path": {"type": "string", "description": "The file"},
            "tail": {"type": "number", "default": 10},
            "edits": {"type": "array", "items": {"$ref": "#/definitions/Edit"}},
        },
        "required": ["path", "edits"],
        "additionalProperties": False,
        "definitions": {"Edit": {"type": "object", "properties": {"old": STR, "new": STR}, "required": ["old", "new"]}},
    }
    response = StructuredResponse.from_json_schema(schema, name="edit_file")
    assert response.definition == {
        "path": {"type": "str", "description": "The file"},
        "tail": {"type": "float", "required": False, "default": 10},
        "edits": {"type": "list", "elements": {"old": {"type": "str"}, "new": {"type": "str"}}},
    }
    reply = "<edit_file><path>a.py</path><edits><li><old>a < b</old><new>b</new></li></edits></edit_file>"
    assert response.parse(reply).to_dict() == {"path": "a.py", "edits": [{"old": "a < b", "new": "b"}]}


def test_a_value_of_one_option_is_none_of_another_type() -> None:
    """A number that is too small is no boolean, nor is a text that is too short a number."""
    number = {"type": "number", "minimum": 1}
    response = StructuredResponse.from_json_schema(fields(f={"anyOf": [{"type": "boolean"}, number]}))
    read = response.parse('{"f": 0.0}', strict=False)
    assert [problem.path for problem in read.problems] == ["$.f"]


def test_choices_that_are_named_twice_are_no_null() -> None:
    """Only null is."""
    response = StructuredResponse.from_json_schema(fields(f={"enum": ["x", "x"]}))
    assert [problem.path for problem in response.parse('{"f": null}', strict=False).problems] == ["$.f"]


REFUSED: list[tuple[Any, str]] = [
    ({"$ref": "#/components/Missing"}, "f: the reference '#/components/Missing' leads nowhere"),
    ({"$ref": "https://example.org/s.json"}, "f: the reference 'https://example.org/s.json' leads nowhere"),
    ({"type": "weird"}, "f: unknown type 'weird'"),
    ({"type": "array", "items": {"type": "weird"}}, "f: unknown type 'weird'"),
    ({"type": "string", "pattern": "("}, "f: the constraints {'pattern': '('} do not work"),
    (fields(g={"not": {}}), "f.g: no value can satisfy this"),
    (fields(g=5), "f.g: no value can satisfy this"),
]


@pytest.mark.parametrize(("schema", "said"), REFUSED, ids=[row[1] for row in REFUSED])
def test_what_cannot_be_asked_for_is_an_error_with_its_path(schema: Any, said: str) -> None:
    """It says where in the schema, and what is wrong."""
    with pytest.raises(DefinitionError) as caught:
        definition(fields(f=schema))
    assert str(caught.value).startswith(said)


def test_shapes_that_need_what_no_value_can_be() -> None:
    """They are left out everywhere, also of shapes that were read before that was known."""
    made = StructuredResponse.from_json_schema(
        {
            "title": "Whole",
            "type": "object",
            "properties": {"a": {"$ref": "#/$defs/A"}, "b": {"$ref": "#/$defs/B"}},
            "required": ["b"],
            "$defs": {
                "A": {
                    "type": "object",
                    "properties": {"b": {"$ref": "#/$defs/B"}, "never": False},
                    "required": ["b", "never"],
                },
                "B": {"type": "object", "properties": {"n": {"type": "integer"}, "a": {"$ref": "#/$defs/A"}}},
            },
        }
    )
    assert made.definition == {"b": {"type": "dict", "elements": {"n": {"type": "int", "required": False}}}}


NO_SCHEMAS: list[Any] = [
    {"enum": 5},
    {"enum": "abc"},
    {"anyOf": 5},
    {"anyOf": [None]},
    {"allOf": 5},
    {"type": "array", "prefixItems": 5},
    {"properties": 5},
    {"properties": {"a": 5}},
    {"$ref": 5},
    {"type": "string", "format": ["a"]},
]


@pytest.mark.parametrize("schema", NO_SCHEMAS, ids=str)
def test_a_schema_that_is_not_one_is_an_error(schema: Any) -> None:
    """Keywords with values that JSON Schema does not allow are a `DefinitionError`."""
    with pytest.raises(DefinitionError):
        StructuredResponse.from_json_schema(schema)
