"""Types of many models: what is written of them comes back, and what no reply can give is not asked for."""

import base64
import enum
import fractions
import re
import time
from datetime import date, datetime, timedelta
from pathlib import PurePosixPath
from typing import Annotated, Any, Literal, Union
from zoneinfo import ZoneInfo

import pytest
from pydantic import (
    Base64Bytes,
    Base64Str,
    Base64UrlBytes,
    BaseModel,
    ConfigDict,
    Field,
    create_model,
    model_serializer,
)

from structured_response import DefinitionError, DeserializeError, InstanceError, StructuredResponse
from structured_response.options import ParseOptions
from structured_response.read.reader import read_carefully
from tests.corpus.models import (
    Agent,
    Ages,
    Beside,
    Day,
    Either,
    Folders,
    Hex,
    Hidden,
    Job,
    Loose,
    Number,
    Path,
    Raw,
    Sealed,
    Sized,
    SwapsNames,
    Tool,
    TurnsNamesIntoAliases,
    Typed,
    Wait,
    WritesAliases,
    WritesTexts,
)
from tests.corpus.models import Open2 as Open


class Twins(enum.IntEnum):
    OK = 1
    SUCCESS = 1
    BAD = 2


class Rights(enum.IntFlag):
    READ = 1
    WRITE = 2


class AddsAliases(BaseModel):
    """As generated clients do."""

    model_config = ConfigDict(populate_by_name=True, extra="allow")
    mime_type: str = Field(alias="mimeType")

    @model_serializer(mode="wrap")
    def by_alias(self, handler: Any) -> Any:
        return {("mimeType" if name == "mime_type" else name): held for name, held in handler(self).items()}


def of(annotation: Any, value: Any) -> BaseModel:
    """Returns a model of one field with this value."""
    model: type[BaseModel] = create_model("Example", value=(annotation, ...))
    return model(value=value)


NOT_A_NAME: dict[str, Any] = {"a b": (dict[str, int], ...)}
ODD = create_model("Odd", **NOT_A_NAME)

INSTANCES = [
    SwapsNames(first=1, second=2),
    Path.model_validate({"outer": [1]}),
    TurnsNamesIntoAliases(schema="x"),
    WritesTexts(count=4, ready=True, fields=["a"]),
    of(Open | WritesAliases, WritesAliases(kind="b", format=3)),
    Hex(value=b"ab"),
    Hex(value=b"\xff"),
    Beside(
        data=b"\xff",
        path=PurePosixPath("a/b"),
        zone=ZoneInfo("UTC"),
        share=fractions.Fraction(1, 3),
        pattern=re.compile("a+"),
    ),
    Sealed(data=b"\xff", day=date(2020, 2, 1), marks=frozenset({1, 2})),
    Ages({"a": 1, "b c": 2}),
    Ages({}),
    Folders({"a": Folders({}), "b": Folders({"c": Folders({})})}),
    of(Ages | list[int], Ages({"a": 1})),
    Hidden(seen=1),
    of(Literal[1, "1"] | date, 1),
    of(Literal[1, "1"] | date, "1"),
    of(Literal[True, 1, "true"] | datetime | None, "true"),
    of(dict[float, int], {float("inf"): 1, float("-inf"): 2, 1.5: 3}),
    of(dict[bytes, int], {b"a": 1}),
    of(dict[Number, int], {Number.TWO: 1}),
    of(Base64Bytes, b"aGk="),
    of(Base64UrlBytes, b"_w=="),
    of(Base64Str, "aGk="),
    of(Annotated[str, Field(json_schema_extra={"format": "byte"})], "aGk="),
    of(list[Base64Bytes | None], [b"aGk=", None]),
    of(dict[str, Any], {"k": {}}),
    of(dict[str, int], {"a=": 1, "=": 2, "k='v'": 3, "a>b": 4, "</value>": 5, "": 6}),
    of(dict[str, dict[str, int]], {"key": {}, "k": {}}),
    ODD(**{"a b": {}}),
    of(Any, float("inf")),
    of(Any, {"a": [-float("inf"), 10**30]}),
    *(
        Open.model_validate({"kind": "a", "more": extra})
        for extra in (float("inf"), [1, "b"], {"k": 1}, {"k": [1, {"z": 2}]}, [{"a": None}, []], [], {}, "text")
    ),
    of(Twins, Twins.OK),
    of(Rights, Rights.READ | Rights.WRITE),
    of(str | list[int], [1, 2, 3]),
    of(Typed | Wait, Typed(type="typed", text="x")),
    of(AddsAliases | int, AddsAliases(mimeType="a")),
    of(set[int], {-(2**63) - 1, 5}),
    of(bytes | None, b""),
    of(bytes | None, b"\x00\xff"),
    of(int | str | None, ""),
]


@pytest.mark.parametrize("instance", INSTANCES, ids=lambda instance: repr(instance)[:60])
def test_what_is_written_comes_back(instance: BaseModel) -> None:
    """The model, its data and the stored text come back, with the model and without it."""
    response = StructuredResponse.from_basemodel(instance)
    read = response.parse(str(response))
    assert read == response
    assert read.repairs == []
    made = read.to_basemodel()
    assert made == instance
    assert repr(made) == repr(instance)  # 1 is equal to True
    text = response.serialize()
    assert StructuredResponse.deserialize(text, model=type(instance)).to_basemodel() == instance
    alone = StructuredResponse.deserialize(text)
    assert alone == response
    assert alone.parse(str(alone)) == response
    careful, _candidate = read_carefully(response._plan, str(response), ParseOptions())
    assert (careful.data, careful.repairs) == (response.to_dict(), [])
    assert response.instance is not None
    assert response.to_basemodel() == instance


COLONS: dict[str, Any] = {"x": (str, "q"), "x:y": (str, "q")}
COLON = create_model("Colon", **COLONS)
DATA: list[tuple[type[BaseModel], dict[str, Any]]] = [
    (Loose, {"given": [False, "x"], "count": 2}),
    (Loose, {"given": 1, "count": 2, "other": [False, "x"]}),
    (Job, {"steps": ["[value here]"], "title": "[value here]"}),
    (Job, {"steps": ["[the same elements as in job]"], "title": "[the same elements as in job]"}),
    (COLON, {"x": "a", "x:y": "b"}),
    (COLON, {"x:y": "b"}),
]


@pytest.mark.parametrize("write", ["__str__", "to_json", "to_yaml"])
@pytest.mark.parametrize(("model", "data"), DATA)
def test_data_comes_back_in_every_format(model: type[BaseModel], data: dict[str, Any], write: str) -> None:
    """Values of any type may hold lists, texts may look like a prompt's placeholders, and names may hold a colon."""
    response = StructuredResponse.from_basemodel(model)
    text = getattr(response.select().from_dict(data), write)()
    assert response.parse(text).to_dict() == data


def test_nested_unions_are_read_in_time() -> None:
    """Four options at each of ten levels are forty models, but a million ways from the top to the bottom."""
    inner: Any = int
    held: Any = 3
    for level in range(10):
        fields: list[dict[str, Any]] = [{f"f{index}": (inner, ...)} for index in range(4)]
        models = [create_model(f"L{level}_{index}", **fields[index]) for index in range(4)]
        held, inner = models[1](f1=held), Union[tuple(models)]  # noqa: UP007 - any number of them
    started = time.process_time()
    response = StructuredResponse.from_basemodel(of(inner, held))
    assert response.parse(str(response)) == response
    assert time.process_time() - started < 30  # a walk through all ways takes hours


class Link(BaseModel):
    x: "Link | Chain | None" = None


class Chain(BaseModel):
    x: "Link | Chain | None" = None


def test_recursive_unions_are_written_in_time() -> None:
    """The writer decides on an option once at each level, not once for each option of the levels above it."""
    depth = 60
    response = StructuredResponse.from_definition("Link", StructuredResponse.from_basemodel(Link).definition)
    data: Any = {}
    for _ in range(depth):
        data = {"x": data}
    started = time.process_time()
    response.instance.update(data)
    assert str(response).count("<x>") == depth
    assert time.process_time() - started < 5


def test_base64_of_a_type_of_its_own_is_written_once() -> None:
    """The element holds what the type takes, not base64 of base64."""
    response = StructuredResponse.from_basemodel(of(Base64Bytes, base64.b64encode(b"hi")))
    assert "<value>aGk=</value>" in str(response)


# What no reply can give


def test_fields_that_cannot_be_described_and_have_a_default_are_not_asked_for() -> None:
    """These are functions, objects and models that need them. Of a union, only that option goes."""
    response = StructuredResponse.from_basemodel(Agent)
    assert list(response.definition) == ["name", "next", "parent"] or list(response.definition["$defs"])
    assert all(name not in response.to_prompt() for name in ("hook", "client", "tools"))
    assert "<next type='int' required='false'>" in response.to_prompt()
    agent = Agent(name="a", parent=Agent(name="b"))
    filled = StructuredResponse.from_basemodel(agent)
    assert filled.parse(str(filled)).to_basemodel() == agent


TOOLS = [
    Tool,
    create_model("Holder", tools=(list[Tool], ...)),
    create_model("Shelf", tools=(dict[str, list[Tool]] | None, {}), first=(Tool, ...)),
    list[Tool],
]


@pytest.mark.parametrize("model", TOOLS, ids=str)
def test_a_required_field_that_cannot_be_described_is_an_error(model: Any) -> None:
    """The error names the field, its type and its model, however deep that is."""
    fault = r"run: the field of type .*Callable\[.* of Tool( in .*)? cannot be described: .*; give the field a default"
    with pytest.raises(DefinitionError, match=fault):
        StructuredResponse.from_type(model)


@pytest.mark.parametrize("instance", [Hidden(seen=1, unseen=6), Hidden(seen=1, hook=abs)])
def test_a_value_that_is_not_asked_for_is_an_error(instance: BaseModel) -> None:
    """The definition has no place for a value that differs from the default."""
    with pytest.raises(InstanceError):
        StructuredResponse.from_basemodel(instance)


def test_schemas_that_are_true_or_false() -> None:
    """A field may be anything or nothing; one that is nothing is left out unless it is required."""
    schema: dict[str, Any] = {"type": "object", "properties": {"a": True, "b": False, "c": {"not": {}}}}
    assert list(StructuredResponse.from_json_schema(schema).definition) == ["a"]
    with pytest.raises(DefinitionError, match="no value can satisfy this"):
        StructuredResponse.from_json_schema({**schema, "required": ["b"]})


# What strict=False leaves


class Rest(BaseModel):
    pause: timedelta | None = None
    score: Annotated[int, Field(le=5)] = 1


@pytest.mark.parametrize(
    ("model", "reply"),
    [
        (Either, "<either><value><left><x>many</x><y>s</y></left></value></either>"),
        (Either, "<either><value><right><x>1</x></right></value></either>"),
        (Either, "<either><value>many</value></either>"),
        (Either, "<either type='null'/>"),
        (Rest, "<rest><pausePT1</pause></rest>"),
        (Rest, "<rest><score9</score></rest>"),
        (Rest, "<rest><pause>P1</pause><pause>P2</pause></rest>"),
    ],
)
@pytest.mark.parametrize("alone", [False, True])
def test_what_strict_false_gave_can_be_written_and_stored(model: type[BaseModel], reply: str, alone: bool) -> None:
    """This holds with the model and with the definition alone, for gaps in the members of a union, too."""
    response: StructuredResponse[Any] = StructuredResponse.from_basemodel(model)
    if alone:
        response = StructuredResponse.deserialize(response.serialize())
    read = response.parse(reply, strict=False)
    assert read.problems
    text = str(read)
    assert text.startswith(f"<{model.__name__.lower()}>")
    assert read.parse(text, strict=False).to_dict() == read.to_dict()
    assert StructuredResponse.deserialize(read.serialize()) == read
    assert read.instance is not None
    assert str(read) == text


def test_a_gap_does_not_hide_which_option_was_meant() -> None:
    """A value with None or without some fields fits the option of its other fields."""
    response = StructuredResponse.deserialize(StructuredResponse.from_basemodel(Either).serialize())
    response.instance["value"] = {"x": None, "z": [1]}
    assert "<right>" in str(response)
    response.instance["value"] = {"y": "s"}
    assert "<left>" in str(response)


def test_a_stored_member_that_fits_no_option_is_refused() -> None:
    """The fault is found when the text is read, not when the response is written."""
    text = StructuredResponse.from_basemodel(Either(value=3)).serialize()
    with pytest.raises(DeserializeError, match=r"instance\.value: .* one of left, right, int"):
        StructuredResponse.deserialize(text.replace('"value":3', '"value":"3"'))


CODED: list[tuple[Any, Any, Any]] = [
    (Sized, Sized.LARGE, "LARGE"),
    (list[Sized], [Sized.LARGE, Sized.SMALL], ["LARGE", "SMALL"]),
    (dict[str, Sized | None], {"a": Sized.SMALL, "b": None}, {"a": "SMALL", "b": None}),
    (dict[Day, int], {Day.LAST: 1}, {"2024-12-31": 1}),
    (Sized | int, Sized.SMALL, "SMALL"),
    (Sized | int, 3, 3),
    (tuple[Day, bytes], (Day.FIRST, b"\xff"), ["2024-01-01", "_w=="]),
    (Day, Day.NEVER, None),
    (Raw, Raw.TEXT, "TEXT"),
    (Literal[Sized.SMALL], Sized.SMALL, "SMALL"),
    (Annotated[Sized, Field(exclude=True)], Sized.SMALL, "SMALL"),
]


@pytest.mark.parametrize(("kind", "value", "data"), CODED, ids=str)
def test_an_enum_of_values_that_json_has_no_form_for_comes_back(kind: Any, value: Any, data: Any) -> None:
    """The prompt asks for the texts of its values, or for the names of its members."""
    filled = create_model("Holder", held=(kind, ...))(held=value)
    response = StructuredResponse.from_basemodel(filled)
    assert response.to_dict() == {"held": data}
    read = response.parse(str(response))
    assert read.repairs == []
    assert read.to_basemodel() == filled
    assert StructuredResponse.deserialize(response.serialize(), model=type(filled)).to_basemodel() == filled


def test_the_default_of_such_an_enum_is_a_choice() -> None:
    """A definition holds what a reply would: dates as texts, sizes by name."""
    sized = StructuredResponse.from_basemodel(create_model("Holder", size=(Sized, Sized.LARGE)))
    assert sized.definition["size"]["default"] == "LARGE"
    response = StructuredResponse.from_basemodel(create_model("Holder", day=(Day, Day.LAST)))
    assert response.definition["day"] == {
        "type": "enum",
        "choices": ["2024-01-01", "2024-12-31"],
        "description": "The days on which we meet.",
        "required": False,
        "default": "2024-12-31",
    }
    made: Any = response.parse("<holder><day>2024-01-01</day></holder>").to_basemodel()
    assert made.day is Day.FIRST


IMPOSSIBLE: list[tuple[Any, str]] = [
    (bytes | str, "bytes and str in one union"),
    (Annotated[str, Field(max_length=3)] | bytes, "bytes and str in one union"),
    (str | Base64Bytes, "bytes and str in one union"),
    (Literal[b"x", "y"], "not one of"),
    (dict[tuple[int, int], str], "the keys of a map are texts"),
    (dict[frozenset[int], str], "the keys of a map are texts"),
]


@pytest.mark.parametrize(("kind", "said"), IMPOSSIBLE, ids=str)
def test_what_no_text_can_say_is_not_asked_for(kind: Any, said: str) -> None:
    """If the field is required, the error names the field, its type and its model."""
    with pytest.raises(DefinitionError, match="^held: the field of type .* of Holder cannot be described: .*" + said):
        StructuredResponse.from_basemodel(create_model("Holder", held=(kind, ...)))
    response = StructuredResponse.from_basemodel(create_model("Holder", name=(str, ...), held=(kind, None)))
    assert list(response.definition) == ["name"]
    made: Any = response.parse("<holder><name>a</name></holder>").to_basemodel()
    assert made.held is None
