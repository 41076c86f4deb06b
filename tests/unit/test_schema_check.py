"""What a JSON Schema demands that no definition can say: jsonschema checks it, or there is an error. Never ignored."""

import pickle
import sys
from typing import Any

import pytest

from structured_response import DefinitionError, DeserializeError, ProblemKind, ReplyError, StructuredResponse

STR, INT = {"type": "string"}, {"type": "integer"}
CHEAP = {"properties": {"x": {"maximum": 3}}}


def asked(**keywords: Any) -> dict[str, Any]:
    """The schema of an object called A."""
    return {"title": "A", "type": "object", **keywords}


def ab(**keywords: Any) -> dict[str, Any]:
    """The same with two fields that are texts."""
    return asked(properties={"a": STR, "b": STR}, **keywords)


def numbers(**keywords: Any) -> dict[str, Any]:
    """An object with a list of integers."""
    return asked(properties={"l": {"type": "array", "items": INT, **keywords}})


PAIR = asked(properties={"p": {"type": "array", "prefixItems": [INT, INT], "contains": {"const": 5}}})
ITEM = {"type": "object", "properties": {"x": INT, "y": INT}, "not": CHEAP}

# keyword, its path, a schema, a reply that fits, one that does not, and where it does not.
REFUSED: list[tuple[str, str, Any, str, str, str]] = [
    ("dependentRequired", "", ab(dependentRequired={"a": ["b"]}), "<a><b>1</b></a>", "<a><a>1</a></a>", "$.b"),
    ("dependencies", "", ab(dependencies={"a": ["b"]}), "<a><b>1</b></a>", "<a><a>1</a></a>", "$.b"),
    (
        *("dependentSchemas", "", ab(dependentSchemas={"a": {"properties": {"c": INT}, "required": ["c"]}})),
        *("<a><a>1</a><c>2</c></a>", "<a><a>1</a></a>", "$.c"),
    ),
    (
        *("if", "", ab(**{"if": {"required": ["a"]}, "then": {"required": ["b"]}})),
        *("<a><a>1</a><b>2</b></a>", "<a><a>1</a></a>", "$.b"),
    ),
    (
        *("if", "", ab(**{"if": {"required": ["a"]}, "else": {"properties": {"c": INT}, "required": ["c"]}})),
        *("<a><c>1</c></a>", "<a><b>1</b></a>", "$.c"),
    ),
    ("not", "", ab(**{"not": {"required": ["a", "b"]}}), "<a><a>1</a></a>", "<a><a>1</a><b>2</b></a>", "$"),
    ("not", "a", asked(properties={"a": {**STR, "not": {"const": "x"}}}), "<a><a>y</a></a>", "<a><a>x</a></a>", "$.a"),
    (
        *("not", "l", asked(properties={"l": {"type": "array", "items": ITEM}})),
        "<a><l><li><x>7</x><y>1</y></li></l></a>",
        "<a><l><li><x>7</x><y>1</y></li><li><x>1</x><y>1</y></li></l></a>",
        "$.l[1]",
    ),
    ("contains", "l", numbers(contains={"const": 5}), "<a><l><li>5</li></l></a>", "<a><l><li>4</li></l></a>", "$.l"),
    (
        *("contains", "l", numbers(contains={"minimum": 5}, minContains=2)),
        *("<a><l><li>5</li><li>6</li></l></a>", "<a><l><li>5</li><li>4</li></l></a>", "$.l"),
    ),
    (
        *("contains", "l", numbers(contains={"minimum": 5}, maxContains=1)),
        *("<a><l><li>5</li><li>4</li></l></a>", "<a><l><li>5</li><li>6</li></l></a>", "$.l"),
    ),
    ("contains", "p", PAIR, "<a><p><li>5</li><li>4</li></p></a>", "<a><p><li>3</li><li>4</li></p></a>", "$.p"),
    ("oneOf", "", {"title": "A", "oneOf": [INT, {"type": "number"}]}, "<a>1.5</a>", "<a>1</a>", "$"),
    (
        *("anyOf", "", ab(anyOf=[{"required": ["a"]}, {"required": ["b"]}])),
        *("<a><b>1</b></a>", "<a></a>", "$"),
    ),
    ("propertyNames", "", ab(propertyNames={"maxLength": 1, "enum": ["b"]}), "<a><b>1</b></a>", "<a><a>1</a></a>", "$"),
    (
        *("patternProperties", "", ab(patternProperties={"^a": {"minLength": 2}})),
        *("<a><a>12</a></a>", "<a><a>1</a></a>", "$.a"),
    ),
    (
        *("if", "", ab(**{"if": {"required": ["a"]}, "then": {"properties": {"c": INT}}}, unevaluatedProperties=False)),
        *("<a><a>1</a><c>1</c></a>", "<a><b>1</b><c>1</c></a>", "$"),
    ),
    (
        *("additionalProperties", "", ab(additionalProperties={"type": "string", "maxLength": 2})),
        *("<a><c>12</c></a>", "<a><c>123</c></a>", "$.c"),
    ),
    ("minProperties", "", ab(minProperties=1), "<a><a>1</a></a>", "<a></a>", "$"),
    ("maxProperties", "", ab(maxProperties=1), "<a><a>1</a></a>", "<a><a>1</a><b>1</b></a>", "$"),
    ("required", "", ab(required=["c"], additionalProperties=True), "<a><c>1</c></a>", "<a><a>1</a></a>", "$.c"),
    (
        *("required", "", asked(additionalProperties=INT, required=["k"])),
        *("<a><entry key='k'>1</entry></a>", "<a><entry key='j'>1</entry></a>", "$.k"),
    ),
    (
        *("minimum", "a", asked(properties={"a": {"$ref": "#/$defs/I", "minimum": 4}}, **{"$defs": {"I": INT}})),
        *("<a><a>4</a></a>", "<a><a>3</a></a>", "$.a"),
    ),
    (
        "maximum",
        "a",
        asked(properties={"a": {"enum": [1, 9], "maximum": 4}}),
        "<a><a>1</a></a>",
        "<a><a>9</a></a>",
        "$.a",
    ),
    (
        *("allOf", "a", asked(properties={"a": {"allOf": [{**INT, "minimum": 4}, {**INT, "minimum": 3}]}})),
        *("<a><a>4</a></a>", "<a><a>3</a></a>", "$.a"),
    ),
]
IDS = [f"{row[0]} {row[5]}" for row in REFUSED]


@pytest.mark.parametrize(("keyword", "path", "schema", "good", "bad", "place"), REFUSED, ids=IDS)
def test_what_no_definition_can_say_is_checked(
    keyword: str, path: str, schema: Any, good: str, bad: str, place: str
) -> None:
    """A reply that violates it is a problem at its path, one that does not is read; after a store too."""
    pytest.importorskip("jsonschema")
    response = StructuredResponse.from_json_schema(schema)
    for each in (response, StructuredResponse.deserialize(response.serialize()), pickle.loads(pickle.dumps(response))):
        assert each == response
        assert each.fingerprint == response.fingerprint
        assert each.parse(good).problems == []
        with pytest.raises(ReplyError) as caught:
            each.parse(bad)
        assert [problem.path for problem in caught.value.problems] == [place]


@pytest.mark.parametrize(("keyword", "path", "schema"), [row[:3] for row in REFUSED], ids=IDS)
def test_without_the_package_it_is_an_error(
    keyword: str, path: str, schema: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It names keyword, path and extra."""
    monkeypatch.setitem(sys.modules, "jsonschema", None)
    with pytest.raises(DefinitionError, match=r"structured-response-py\[schema\]") as caught:
        StructuredResponse.from_json_schema(schema)
    assert caught.value.path == path
    assert caught.value.message.startswith(f"{keyword!r} ")


def test_a_stored_response_is_an_error_too_where_the_package_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """It would be read without being checked."""
    pytest.importorskip("jsonschema")
    text = StructuredResponse.from_json_schema(ab(minProperties=1)).serialize()
    monkeypatch.setitem(sys.modules, "jsonschema", None)
    with pytest.raises(DeserializeError, match=r"structured-response-py\[schema\]"):
        StructuredResponse.deserialize(text.replace('"minProperties":1', '"minProperties":7'))


NOT_NEEDED: list[Any] = [
    {"oneOf": [INT, STR]},
    {"oneOf": [{"const": 1}, {"const": 2}]},
    {"oneOf": [{"type": "object", "properties": {"a": INT}}, {"type": "null"}]},
    {"oneOf": [{"type": "object", "properties": {"t": {"const": kind}, "x": INT}, "required": ["t"]} for kind in "ab"]},
    {"oneOf": [{"type": "object", "properties": {kind: INT}, "required": [kind]} for kind in "ab"]},
    {"type": "object", "oneOf": [{"type": "object", "properties": {k: INT}, "required": [k]} for k in "ab"]},
    {"type": ["string", "null"], "enum": ["a", None]},
    {"type": "array", "prefixItems": [INT, STR], "minItems": 2, "maxItems": 2, "items": False},
    {"type": "array", "items": INT, "uniqueItems": True},
    {"type": "object", "properties": {"a": INT}, "additionalProperties": INT},
    {"type": "object", "properties": {"a": INT}, "unevaluatedProperties": True, "required": []},
    {"type": "string", "format": "isbn", "contentMediaType": "text/plain", "x-own": 1},
    {"type": "string", "then": False, "minContains": 3, "maximum": 4},
    {"allOf": [{"type": "object", "properties": {"a": INT}}, {"required": ["a"]}]},
]


@pytest.mark.parametrize("schema", NOT_NEEDED, ids=repr)
def test_what_a_definition_says_needs_no_package(schema: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor do annotations, formats that nobody knows, and options of which one value fits no two."""
    monkeypatch.setitem(sys.modules, "jsonschema", None)
    assert "$json_schema" not in StructuredResponse.from_json_schema({"title": "A", **schema}).definition


MISUSED: list[tuple[Any, str, str]] = [
    ({"not": {"$ref": "https://example.org/s.json"}}, "not", "is not fetched"),
    ({"not": {"$ref": "#/$defs/Missing"}}, "not", "leads nowhere"),
    ({"not": 5}, "not", "this is not a JSON Schema"),
    ({"not": {"pattern": "("}}, "not", "the pattern '(' does not work"),
    ({"if": {"required": ["a"]}, "patternProperties": {"(": STR}}, "", "the pattern '(' does not work"),
]


@pytest.mark.parametrize(("keywords", "path", "said"), MISUSED, ids=[row[2] for row in MISUSED])
def test_a_schema_that_cannot_check_is_an_error(keywords: Any, path: str, said: str) -> None:
    """It says where, before there is any reply. What is not in the document is never fetched."""
    pytest.importorskip("jsonschema")
    with pytest.raises(DefinitionError, match=said.replace("(", r"\(")) as caught:
        StructuredResponse.from_json_schema(ab(**keywords))
    assert caught.value.path == path


def test_the_words_of_older_drafts_are_understood() -> None:
    """OpenAPI's `nullable`, exclusive bounds that are booleans, and names of documents, beside what is checked."""
    pytest.importorskip("jsonschema")
    number = {"type": "integer", "nullable": True, "minimum": 3, "exclusiveMinimum": True, "not": {"const": 5}}
    schema = asked(
        properties={"n": number},
        **{"$id": "https://example.org/a", "$schema": "http://json-schema.org/draft-07/schema#"},
    )
    response = StructuredResponse.from_json_schema(schema)
    assert response.parse("<a><n>null</n></a>").to_dict() == {"n": None}
    assert response.parse("<a><n>4</n></a>").to_dict() == {"n": 4}
    assert [problem.path for problem in response.parse("<a><n>5</n></a>", strict=False).problems] == ["$.n"]


def test_references_hold_where_null_is_allowed() -> None:
    """`nullable` at the root leaves shapes where they are."""
    pytest.importorskip("jsonschema")
    schema = asked(
        properties={"n": {"$ref": "#/$defs/N"}}, nullable=True, **{"$defs": {"N": {**INT, "not": {"const": 1}}}}
    )
    response = StructuredResponse.from_json_schema(schema)
    assert [problem.path for problem in response.parse("<a><n>1</n></a>", strict=False).problems] == ["$.n"]


def test_numbers_and_patterns_are_checked_as_in_a_definition() -> None:
    """0.3 is a multiple of 0.1, and Unicode classes are known, wherever in the schema they stand."""
    pytest.importorskip("jsonschema")
    held = {"n": {"type": "number", "multipleOf": 0.1}, "s": {"type": "string", "pattern": r"^\p{L}+$"}}
    response = StructuredResponse.from_json_schema(asked(properties=held, minProperties=2))
    assert response.parse("<a><n>0.3</n><s>é</s></a>").to_dict() == {"n": 0.3, "s": "é"}


def test_of_a_union_the_option_that_is_meant_is_at_fault() -> None:
    """The path leads to the value in it, and the other options say nothing."""
    pytest.importorskip("jsonschema")
    inner = {"type": "array", "items": INT, "contains": {"const": 1}}
    option = {"type": "object", "properties": {"p": INT, "q": inner}, "required": ["p", "q"]}
    response = StructuredResponse.from_json_schema(asked(properties={"u": {"anyOf": [STR, option]}}))
    read = response.parse("<a><u><p>1</p><q><li>3</li></q></u></a>", strict=False)
    assert [problem.path for problem in read.problems] == ["$.u.q"]


def test_what_is_missing_can_be_asked_for_again() -> None:
    """A field that only a condition demands is a problem like any other that is missing."""
    pytest.importorskip("jsonschema")
    response = StructuredResponse.from_json_schema(ab(dependentRequired={"a": ["b"]}))
    read = response.parse("<a><a>1</a></a>", strict=False)
    assert [problem.kind for problem in read.problems] == [ProblemKind.MISSING]
    assert "<b " in read.to_reask()
    assert read.amend("<a><b>2</b></a>").to_dict() == {"a": "1", "b": "2"}
    read.instance.b = "assigned"
    assert read.amend("<a><b>3</b></a>").to_dict() == {"a": "1", "b": "3"}


def test_a_value_and_one_inside_of_it_may_both_be_wrong() -> None:
    """What is inside is told, since the rest may follow from it."""
    pytest.importorskip("jsonschema")
    held = {"properties": {"a": {"not": {"const": 1}}}, "not": {"required": ["a"]}}
    response = StructuredResponse.from_json_schema(
        asked(properties={"u": {"anyOf": [{"type": "object", **held}, STR]}})
    )
    read = response.parse("<a><u><a>1</a></u></a>", strict=False)
    assert [problem.path for problem in read.problems] == ["$.u.a"]


def test_data_deeper_than_python_can_check_is_a_problem() -> None:
    """Not an exception of another kind."""
    pytest.importorskip("jsonschema")
    schema = asked(properties={"v": INT, "k": {"allOf": [{"$ref": "#"}]}}, **{"not": {"required": ["z"]}})
    response = StructuredResponse.from_json_schema(schema)
    reply = "<a>" + "<k>" * 150 + "<v>1</v>" + "</k>" * 150 + "</a>"
    assert all(problem.path == "$" for problem in response.parse(reply, strict=False).problems)


def test_a_schema_deeper_than_python_can_check_is_an_error_of_the_definition() -> None:
    """A keyword that is nested in itself hundreds of times is refused, and is no error of Python's stack."""
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(300):
        schema = {"not": schema}
    with pytest.raises(DefinitionError, match="nested too deeply"):
        StructuredResponse.from_json_schema(schema)


def test_a_selection_is_checked_by_its_own_nodes() -> None:
    """What the schema demands of the whole, a part need not have."""
    pytest.importorskip("jsonschema")
    response = StructuredResponse.from_json_schema(ab(required=["b"], minProperties=2))
    assert response.select(include=["a"]).parse("<a><a>1</a></a>").to_dict() == {"a": "1"}


def test_a_field_that_is_added_is_checked_beside_the_schema() -> None:
    """The schema still holds for the rest."""
    pytest.importorskip("jsonschema")
    response = StructuredResponse.from_json_schema(ab(minProperties=2)).add_node("n", "int", ge=1)
    assert response.parse("<a><a>1</a><n>2</n></a>").to_dict() == {"a": "1", "n": 2}
    with pytest.raises(ReplyError, match="minProperties"):
        response.parse("<a><n>2</n></a>")


UNIQUE: list[tuple[Any, str, list[str]]] = [
    (INT, "<li>1</li><li>2</li><li>1</li><li>2</li>", ["$.l[2]", "$.l[3]"]),
    ({"type": "number"}, "<li>1</li><li>1.0</li>", ["$.l[1]"]),
    (
        {"type": "object", "properties": {"x": INT, "y": INT}},
        "<li><x>1</x><y>2</y></li><li><y>2</y><x>1</x></li>",
        ["$.l[1]"],
    ),
    ({"type": ["boolean", "integer"]}, "<li>true</li><li>1</li>", []),
]


@pytest.mark.parametrize(("item", "items", "places"), UNIQUE, ids=["integers", "numbers", "objects", "a bool and 1"])
def test_items_that_repeat_are_problems_at_their_places(item: Any, items: str, places: list[str]) -> None:
    """Without any package, and after a store; the prompt says it."""
    schema = asked(properties={"l": {"type": "array", "items": item, "uniqueItems": True}})
    response = StructuredResponse.from_json_schema(schema)
    assert "unique_items='true'" in response.to_prompt()
    for each in (response, StructuredResponse.deserialize(response.serialize())):
        read = each.parse(f"<a><l>{items}</l></a>", strict=False)
        assert [problem.path for problem in read.problems] == places


def test_items_that_repeat_can_be_dropped() -> None:
    """Like any other bad item."""
    schema = asked(properties={"l": {"type": "array", "items": INT, "uniqueItems": True}})
    reply = "<a><l><li>1</li><li>2</li><li>1</li></l></a>"
    read = StructuredResponse.from_json_schema(schema).parse(reply, on_bad_item="drop")
    assert read.to_dict() == {"l": [1, 2]}
