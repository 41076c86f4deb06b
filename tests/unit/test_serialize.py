"""The text that `serialize` writes, its way back, and every text that it did not write."""

import builtins
import copy
import json
import math
import pickle
import sys
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from enum import Enum, IntEnum
from pathlib import Path
from typing import Any, Literal
from uuid import UUID

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, Field, create_model

from structured_response import (
    DefinitionError,
    DeserializeError,
    InstanceError,
    ReplyError,
    StructuredResponse,
)
from tests.corpus.models import Part4 as Part


class Color(Enum):
    RED = "red"
    BLUE = "blue"


class Level(IntEnum):
    LOW = 1
    HIGH = 2


class Note(BaseModel):
    text: str
    stars: int = Field(1, ge=0, le=5)


class Tree(BaseModel):
    name: str
    children: list["Tree"] = []


class Everything(BaseModel):
    text: str = ""
    whole: int = 0
    number: float = 0.0
    yes: bool = False
    color: Color = Color.RED
    level: Level = Level.LOW
    mixed: Literal["a", 1, True] = "a"
    maybe: int | None = None
    words: list[str] = []
    numbers: list[float] = []
    grid: list[list[int]] = []
    part: Part = Part(label="p")
    parts: list[Part] = []
    counts: dict[str, int] = {}
    shapes: dict[str, list[Part]] = {}
    pair: tuple[int, str] = (0, "")
    either: int | str = 0
    day: date = date(2024, 1, 2)
    moment: datetime = datetime(2024, 1, 2, 3, 4, 5, tzinfo=UTC)
    span: timedelta = timedelta(0)
    price: Decimal = Decimal(0)
    key: UUID = UUID(int=0)
    anything: Any = None
    tree: Tree = Tree(name="root")


class Floats(BaseModel):
    x: float
    xs: list[float] = []
    table: dict[str, float] = {}


class Ints(BaseModel):
    n: int
    ns: list[int] = []
    table: dict[str, int] = {}


class Shapeless(BaseModel):
    any: Any = None
    either: int | str = 0
    number: int | float = 0
    words: str | list[str] = ""


DEFINITION = '{"text":{"type":"str"},"stars":{"type":"int","ge":0,"le":5,"required":false,"default":1}}'
EMPTY = '{"version":1,"class_name":"Note","definition":' + DEFINITION + "}"
FULL = EMPTY[:-1] + ',"instance":{"text":"hé \\"quoted\\" <b>","stars":3}}'


def note() -> StructuredResponse[Note]:
    """A response that holds a note."""
    return StructuredResponse.from_basemodel(Note(text='hé "quoted" <b>', stars=3))


def envelope(**changes: Any) -> str:
    """The text of a note with some of its members changed."""
    return json.dumps({**json.loads(FULL), **changes}, ensure_ascii=False)


def round_trip(response: StructuredResponse[Any], model: Any = None) -> StructuredResponse[Any]:
    """What comes back from a response's own text, which must be written the same again."""
    text = response.serialize()
    again = StructuredResponse.deserialize(text, model=model)
    assert again.serialize() == text
    return again


# The format


def test_the_format() -> None:
    """The text is JSON with version, class name, definition and instance, in this order, without blanks."""
    assert note().serialize() == FULL
    assert list(json.loads(FULL)) == ["version", "class_name", "definition", "instance"]
    assert json.loads(FULL)["definition"] == note().definition


def test_the_format_of_an_empty_response() -> None:
    """A response that has read nothing has no instance in its text, looked at or not."""
    response = StructuredResponse.from_basemodel(Note)
    assert response.serialize() == EMPTY
    assert response.instance == {}
    assert response.serialize() == EMPTY
    assert round_trip(response) == response
    assert round_trip(response).instance == {}


def test_an_empty_instance_is_no_empty_response() -> None:
    """A model without any value has an instance, which is empty, and not none."""
    response = StructuredResponse.from_basemodel(Part).parse("<part></part>", strict=False)
    assert response.serialize().endswith(',"instance":{}}')
    assert round_trip(response).serialize().endswith(',"instance":{}}')


def test_the_text_is_utf8_json() -> None:
    """No character is written as an ASCII escape that need not be, and the text is a `str`."""
    text = StructuredResponse.from_basemodel(Note(text="é😀\n\u2028\x00", stars=1)).serialize()
    assert isinstance(text, str)
    assert '"text":"é😀\\n\u2028\\u0000"' in text


# Round trips


def everything(**changes: Any) -> StructuredResponse[Everything]:
    """A response with a value of every type."""
    given: dict[str, Any] = {
        "text": "a\nb",
        "whole": -(2**70),
        "number": -0.0,
        "yes": True,
        "color": "blue",
        "level": 2,
        "mixed": True,
        "maybe": 5,
        "words": ["", "x", "null", "NaN", "1"],
        "numbers": [math.inf, -math.inf, 1e300, 5e-324],
        "grid": [[], [1, 2**64]],
        "part": {"label": "q", "points": 2**63},
        "parts": [{"label": "a"}, {"label": "b", "points": -1}],
        "counts": {"": 0, "a b": 2**200, "__class__": 1},
        "shapes": {"x": [], "y": [{"label": "z"}]},
        "pair": (1, "one"),
        "either": "5",
        "day": "2024-02-29",
        "moment": "2024-02-29T12:00:00.123456Z",
        "span": "P1DT2H",
        "price": "12.340",
        "key": "12345678-1234-5678-1234-567812345678",
        "anything": {"a": [1, None, True, "x", 1.5, {}]},
        "tree": {"name": "a", "children": [{"name": "b", "children": [{"name": "c"}]}]},
    }
    return StructuredResponse.from_basemodel(Everything.model_validate({**given, **changes}))


@pytest.mark.parametrize("model", [None, Everything])
def test_every_type_comes_back(model: Any) -> None:
    """Every type's value comes back as it was, of the same Python type, with and without the model."""
    response = everything()
    again = round_trip(response, model)
    assert again == response
    assert repr(again.to_dict()) == repr(response.to_dict())
    assert again.definition == response.definition
    assert again.fingerprint == response.fingerprint
    assert again.to_prompt() == response.to_prompt()
    if model is not None:
        assert str(again) == str(response)
        assert again.to_basemodel() == response.to_basemodel() == everything().to_basemodel()


NUMBERS: dict[str, Any] = {
    "NaN": math.nan,
    "infinity": math.inf,
    "minus infinity": -math.inf,
    "minus zero": -0.0,
    "zero": 0.0,
    "whole": 1.0,
    "smallest": 5e-324,
    "largest": sys.float_info.max,
    "many digits": 0.1 + 0.2,
    "big whole": 1e22,
}


@pytest.mark.parametrize("value", NUMBERS.values(), ids=NUMBERS)
def test_floats_come_back(value: float) -> None:
    """A float comes back to the bit, NaN, infinities and the sign of zero included, wherever it stands."""
    response = StructuredResponse.from_basemodel(Floats(x=value, xs=[value, 1.0], table={"k": value}))
    again = round_trip(response)
    assert again == response
    held = again.to_dict()
    for number in (held["x"], held["xs"][0], held["table"]["k"]):
        assert type(number) is float
        assert math.copysign(1, number) == math.copysign(1, value) or math.isnan(value)
        assert number == value or (math.isnan(number) and math.isnan(value))
    json.loads(response.serialize(), parse_constant=pytest.fail)


INTS = [0, -1, 2**53 + 1, 2**63 - 1, 2**63, 2**64 - 1, 2**64, -(2**63), -(2**63) - 1, 10**400, -(10**4000)]


@pytest.mark.parametrize("value", INTS, ids=lambda value: f"{value.bit_length()} bits")
def test_ints_come_back(value: int) -> None:
    """An integer of any size comes back exactly, as an integer, wherever it stands."""
    response = StructuredResponse.from_basemodel(Ints(n=value, ns=[value, 1], table={"k": value}))
    again = round_trip(response)
    assert again == response
    assert again.to_dict() == {"n": value, "ns": [value, 1], "table": {"k": value}}
    assert type(again.to_dict()["n"]) is int


SHAPELESS: dict[str, dict[str, Any]] = {
    "a big int in a union": {"either": 2**70},
    "a text of digits in a union": {"either": "1180591620717411303424"},
    "a small text of digits": {"either": "5"},
    "infinity in a union": {"number": math.inf},
    "a whole float in a union": {"number": 1.0},
    "digits for anything": {"any": "1180591620717411303424"},
    "the word NaN for anything": {"any": "NaN"},
    "null for anything": {"any": [None, {"a": None}]},
    "a list in a union": {"words": ["a", "NaN"]},
}


@pytest.mark.parametrize("values", SHAPELESS.values(), ids=SHAPELESS)
def test_what_the_definition_types_loosely_comes_back(values: dict[str, Any]) -> None:
    """Values of unions, and of no type at all, come back of the Python type that they had."""
    response = StructuredResponse.from_basemodel(Shapeless(**values))
    ((name, value),) = values.items()
    assert repr(response.to_dict()[name]) == repr(value)
    assert repr(round_trip(response).to_dict()[name]) == repr(value)
    assert round_trip(response) == response


def test_a_default_that_is_no_number_is_the_models() -> None:
    """NaN in a definition equals that of the model, which no comparison of floats says."""
    response = StructuredResponse.from_basemodel(create_model("Odds", value=(float, math.nan))(value=1.0))
    again = StructuredResponse.deserialize(response.serialize(), model=create_model("Odds", value=(float, math.nan)))
    assert again == response


@pytest.mark.parametrize("value", [2**70, math.nan, math.inf, -math.inf], ids=str)
@pytest.mark.parametrize("wrap", [lambda value: value, lambda value: [{"deep": value}]], ids=["bare", "deep"])
def test_what_only_a_type_could_bring_back(value: Any, wrap: Callable[[Any], Any]) -> None:
    """What JSON cannot hold and no type can bring back comes back nevertheless, or is an `InstanceError`."""
    response = StructuredResponse.from_basemodel(Shapeless)
    response.instance.any = wrap(value)
    try:
        again = round_trip(response)
    except InstanceError:
        return
    assert repr(again.to_dict()) == repr({"any": wrap(value)})


def test_findings_are_not_kept() -> None:
    """The text holds definition and instance; repairs and problems belong to the reply."""
    fresh = StructuredResponse.from_basemodel(Note).parse("<note><x/><stars>9</stars></note>", strict=False)
    assert fresh.repairs
    assert fresh.problems
    again = round_trip(fresh)
    assert (again.repairs, again.problems) == ([], [])
    assert again.to_dict() == {"stars": None}
    assert again == fresh


def test_what_was_left_out_stays_left_out() -> None:
    """A field that the reply left out comes back as left out, and shows its default."""
    fresh = StructuredResponse.from_basemodel(Note).parse("<note><text>x</text></note>")
    for looked_at in (False, True):
        again = round_trip(fresh, Note)
        assert again.to_dict() == {"text": "x"}
        assert again.instance == {"text": "x", "stars": 1}
        assert again.to_basemodel().model_fields_set == {"text"}
        assert looked_at or fresh.instance.stars == 1


def test_what_comes_back_can_parse() -> None:
    """A response that came back prompts, reads replies and checks them, without any model."""
    again = StructuredResponse.deserialize(EMPTY)
    assert again.parse("<note><text>x</text><stars>2</stars></note>").to_dict() == {"text": "x", "stars": 2}
    with pytest.raises(ReplyError, match=r"\$\.stars: .*5"):
        again.parse("<note><text>x</text><stars>9</stars></note>")


class Patterned(BaseModel):
    model_config = {"regex_engine": "python-re"}
    code: str = Field(pattern=r"^(?=.*\d)\w+$")


def test_a_pattern_that_only_python_reads_comes_back() -> None:
    """A pattern with a look-ahead, which a model may have, lets what came back read replies."""
    response = StructuredResponse.from_basemodel(Patterned)
    again = round_trip(response.parse("<patterned><code>a1</code></patterned>"))
    assert again.to_dict() == {"code": "a1"}
    assert again.parse("<patterned><code>b2</code></patterned>").to_dict() == {"code": "b2"}
    with pytest.raises(ReplyError):
        again.parse("<patterned><code>b</code></patterned>")


@pytest.mark.parametrize("encode", [str, lambda text: text.encode()], ids=["str", "bytes"])
def test_bytes_are_read_like_text(encode: Callable[[str], Any]) -> None:
    """A text that comes as UTF-8 bytes, as from a cache, is read like the `str`."""
    assert StructuredResponse.deserialize(encode(FULL)) == note()
    assert StructuredResponse.deserialize(encode(everything().serialize())) == everything()


def tree(name: str, children: list[Any]) -> dict[str, Any]:
    """The data of a `Tree`."""
    return {"name": name, "children": children}


TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
TREES = st.recursive(
    st.builds(lambda name: {"name": name}, TEXT),
    lambda inner: st.builds(tree, TEXT, st.lists(inner, max_size=3)),
    max_leaves=6,
)
VALUES = st.fixed_dictionaries(
    {},
    optional={
        "text": TEXT,
        "whole": st.integers(),
        "number": st.floats(),
        "yes": st.booleans(),
        "color": st.sampled_from(["red", "blue"]),
        "level": st.sampled_from([1, 2]),
        "mixed": st.sampled_from(["a", 1, True]),
        "maybe": st.none() | st.integers(),
        "words": st.lists(TEXT),
        "numbers": st.lists(st.floats()),
        "grid": st.lists(st.lists(st.integers())),
        "counts": st.dictionaries(TEXT, st.integers()),
        "either": st.integers(-(2**63), 2**63) | TEXT,
        "day": st.dates().map(date.isoformat),
        "span": st.timedeltas(),
        "price": st.decimals(allow_nan=False, allow_infinity=False),
        "key": st.uuids(),
        "tree": TREES,
    },
)


@given(VALUES)
def test_deserialize_undoes_serialize(values: dict[str, Any]) -> None:
    """Whatever the data, what comes back is equal and is written the same."""
    response = StructuredResponse.from_basemodel(Everything.model_validate(values))
    again = round_trip(response)
    assert again == response
    assert repr(again.to_dict()) == repr(response.to_dict())


# With a model


def test_a_model_validates_what_came_back() -> None:
    """With its model, a response that came back validates, and makes the model."""
    again = StructuredResponse.deserialize(FULL, model=Note)
    assert again.to_basemodel() == Note(text='hé "quoted" <b>', stars=3)
    assert again.definition is StructuredResponse.from_basemodel(Note).definition


class Renamed(BaseModel):
    text: str
    stars: int = Field(1, ge=0, le=5)


def changed(**changes: Any) -> Any:
    """A model called Note with some of its fields changed."""
    fields = {"text": (str, ...), "stars": (int, Field(1, ge=0, le=5))}
    made = {name: field for name, field in {**fields, **changes}.items() if field is not None}
    annotations = {name: field[0] for name, field in made.items()}
    defaults = {name: field[1] for name, field in made.items() if field[1] is not ...}
    return type("Note", (BaseModel,), {"__annotations__": annotations, "__module__": __name__, **defaults})


OTHER_MODELS: dict[str, tuple[Any, str]] = {
    "another name": (Renamed, "class_name"),
    "a field more": (changed(extra=(str, "")), "definition.extra"),
    "a field less": (changed(stars=None), "definition.stars"),
    "another type": (changed(text=(int, ...)), "definition.text.type"),
    "another bound": (changed(stars=(int, Field(1, ge=0, le=6))), "definition.stars.le"),
    "another default": (changed(stars=(int, Field(2, ge=0, le=5))), "definition.stars.default"),
    "a description": (changed(text=(str, Field(description="The text"))), "definition.text.description"),
}


@pytest.mark.parametrize(("model", "path"), OTHER_MODELS.values(), ids=OTHER_MODELS)
def test_a_model_whose_definition_differs(model: Any, path: str) -> None:
    """A model that asks for something else is refused, with the path of the first difference."""
    for text in (EMPTY, FULL):
        with pytest.raises(DeserializeError) as caught:
            StructuredResponse.deserialize(text, model=model)
        assert caught.value.path == path
        assert str(caught.value).startswith(path)
        kept = pickle.loads(pickle.dumps(caught.value))
        assert caught.value.response == kept.response == StructuredResponse.deserialize(text)


def test_a_bad_text_has_nothing_to_keep() -> None:
    """Where more is wrong than the model that was expected, the error has no response."""
    for text, model in ((FULL[:-1], Renamed), (FULL.replace(":3}", ":[]}"), Renamed), (FULL[:-1], None)):
        with pytest.raises(DeserializeError) as caught:
            StructuredResponse.deserialize(text, model=model)
        assert caught.value.response is None


def test_the_order_of_fields_is_no_difference_of_data() -> None:
    """What came back with its model and the order of its fields changed by hand still has the same data."""
    stored = json.loads(FULL)
    stored["instance"] = dict(reversed(stored["instance"].items()))
    again = StructuredResponse.deserialize(json.dumps(stored), model=Note)
    assert again == note()


@pytest.mark.parametrize("wrong", [5, "Note", BaseModel])
def test_a_model_that_is_none(wrong: Any) -> None:
    """What is given as a model and is none is the program's mistake, not the text's."""
    with pytest.raises(DefinitionError):
        StructuredResponse.deserialize(FULL, model=wrong)


# What does not fit


def test_serialize_after_a_bad_assignment() -> None:
    """An instance that does not fit its definition is not written, and the error has the path."""
    response = note()
    response.instance.stars = "many"
    with pytest.raises(InstanceError) as caught:
        response.serialize()
    assert [problem.path for problem in caught.value.problems] == ["$.stars"]
    response.instance.stars = 3
    assert response.serialize() == FULL


# Texts that `serialize` did not write

TREE_ONLY = StructuredResponse.from_basemodel(Tree).serialize()
FOREIGN: dict[str, Any] = {
    "nothing": "",
    "blanks": "   ",
    "prose": "hello",
    "a number": "5",
    "null": "null",
    "a list": "[]",
    "a text": '"x"',
    "an empty object": "{}",
    "XML": "<note/>",
    "a pickle": pickle.dumps(Note(text="x", stars=1)),
    "a pickle's text": pickle.dumps({"a": 1}, protocol=0).decode("latin-1"),
    "YAML with an object": "!!python/object/apply:os.system ['true']",
    "code": "__import__('os').system('true')",
    "a second text": FULL + FULL,
    "a letter behind": FULL + "x",
    "a byte-order mark": "\ufeff" + FULL,
    "UTF-16": FULL.encode("utf-16"),
    "Latin-1": FULL.encode("latin-1"),
    "zeros": b"\x00" * 100,
    "single quotes": FULL.replace('"', "'"),
    "a comment": "// x\n" + FULL,
    "a trailing comma": FULL[:-1] + ",}",
    "NaN": FULL.replace(":3}", ":NaN}"),
    "Infinity": FULL.replace(":3}", ":Infinity}"),
    "a huge number": FULL.replace(":3}", ":1e999}"),
    "a lone surrogate": FULL.replace("hé", "\ud800"),
    "an escaped lone surrogate": FULL.replace("hé", "\\ud800"),
    "a control character": FULL.replace("hé", "\x01"),
    "deep nesting": "[" * 100_000,
    "deep nesting, closed": "[" * 100_000 + "]" * 100_000,
    "a deep instance": FULL.replace(":3}", ":" + "[" * 2_000 + "]" * 2_000 + "}"),
    "no text at all": None,
    "an int": 5,
    "a dict": json.loads(FULL),
    "a path": Path("note.json"),
    "a file": sys.stdin,
}


@pytest.mark.parametrize("text", FOREIGN.values(), ids=FOREIGN)
@pytest.mark.parametrize("model", [None, Note])
def test_foreign_texts(text: Any, model: Any) -> None:
    """What is not a text of `serialize` is a `DeserializeError` that says so."""
    with pytest.raises(DeserializeError) as caught:
        StructuredResponse.deserialize(text, model=model)
    assert str(caught.value)
    assert len(str(caught.value)) < 1_000


def test_truncated_texts() -> None:
    """A text that ends too early is a `DeserializeError`, wherever it ends, as text and as bytes."""
    for text in (cut for end in range(len(FULL)) for cut in (FULL[:end], FULL.encode()[:end])):
        with pytest.raises(DeserializeError, match="not JSON"):
            StructuredResponse.deserialize(text)


EDITED: dict[str, tuple[dict[str, Any], str]] = {
    "version 0": ({"version": 0}, "version"),
    "version 2": ({"version": 2}, "version"),
    "version as text": ({"version": "1"}, "version"),
    "version true": ({"version": True}, "version"),
    "version 1.0": ({"version": 1.0}, "version"),
    "version null": ({"version": None}, "version"),
    "name of another type": ({"class_name": 5}, "class_name"),
    "no name": ({"class_name": ""}, "class_name"),
    "definition is a list": ({"definition": []}, "definition"),
    "definition is null": ({"definition": None}, "definition"),
    "definition is a text": ({"definition": "{}"}, "definition"),
    "a node is a text": ({"definition": {"text": "str"}}, "definition.text"),
    "a node without type": ({"definition": {"text": {}}}, "definition.text"),
    "a node of no type": ({"definition": {"text": {"type": "string"}}}, "definition.text"),
    "a type that is a number": ({"definition": {"text": {"type": 5}}}, "definition.text"),
    "a type that is a list": ({"definition": {"text": {"type": ["str"]}}}, "definition.text"),
    "a deep node": (
        {"definition": {"a": {"type": "list", "elements": {"b": {"type": 1}}}}},
        "definition.a.b",
    ),
    "an unknown key": ({"definition": {"text": {"type": "str", "code": "x"}}}, "definition.text"),
    "no choices": ({"definition": {"text": {"type": "enum"}}}, "definition.text"),
    "a loose ref": ({"definition": {"text": {"type": "ref", "name": "X"}}}, "definition.text"),
    "an unknown member": ({"code": "x"}, "code"),
    "instance is a list": ({"instance": []}, "instance"),
    "instance is a text": ({"instance": "x"}, "instance"),
    "instance is a number": ({"instance": 5}, "instance"),
    "an unknown field": ({"instance": {"text": "x", "nope": 1}}, "instance.nope"),
    "a number for a text": ({"instance": {"text": 5}}, "instance.text"),
    "a list for a text": ({"instance": {"text": ["x"]}}, "instance.text"),
    "a word for a number": ({"instance": {"text": "x", "stars": "three"}}, "instance.stars"),
    "a float for an int": ({"instance": {"text": "x", "stars": 3.5}}, "instance.stars"),
    "a bool for an int": ({"instance": {"text": "x", "stars": True}}, "instance.stars"),
    "NaN for an int": ({"instance": {"text": "x", "stars": "NaN"}}, "instance.stars"),
    "too many digits": ({"instance": {"text": "x", "stars": "9" * 5_000}}, "instance.stars"),
}


@pytest.mark.parametrize(("changes", "path"), EDITED.values(), ids=EDITED)
def test_edited_texts(changes: dict[str, Any], path: str) -> None:
    """A text that was edited into a wrong shape is a `DeserializeError` with the path of the wrong place."""
    with pytest.raises(DeserializeError) as caught:
        StructuredResponse.deserialize(envelope(**changes))
    assert caught.value.path == path
    assert str(caught.value) == f"{path}: {caught.value.message}"
    assert caught.value.message


@pytest.mark.parametrize("name", ["version", "class_name", "definition"])
def test_missing_members(name: str) -> None:
    """A text without one of its members is a `DeserializeError` that names it."""
    stored = json.loads(FULL)
    del stored[name]
    with pytest.raises(DeserializeError, match=f"{name}: is not there"):
        StructuredResponse.deserialize(json.dumps(stored))


def test_edited_into_something_valid() -> None:
    """A text that was edited and still fits is read as what it says, whatever its layout."""
    stored = json.loads(FULL)
    stored["instance"]["stars"] = 4
    again = StructuredResponse.deserialize(json.dumps(stored, indent=4))
    assert again == StructuredResponse.from_basemodel(Note(text='hé "quoted" <b>', stars=4))


TWICE: dict[str, str] = {
    "an instance in front": '{"instance":{"text":"first"},' + FULL[1:].replace("hé", "x"),
    "an instance behind": FULL[:-1] + ',"instance":{"text":"last","stars":5}}',
    "an instance behind, and blanks": FULL[:-1] + ',"instance": {"text":"last","stars":5} } \n',
    "a version behind": FULL[:-1] + ',"version":1}',
    "another version behind": FULL[:-1] + ',"version":2}',
    "another version in front": EMPTY[:-1] + ',"version":2,"instance":{"text":"x"}}',
    "a definition behind": FULL[:-1] + ',"definition":{}}',
    "an unknown member behind": FULL[:-1] + ',"code":{}}',
    "a field twice": EMPTY[:-1] + ',"instance":{"text":"first","text":"last"}}',
    "the member's name in a text": EMPTY[:-1] + ',"instance":{"text":",\\"instance\\":{}}"}}',
    "an instance in the instance": EMPTY[:-1] + ',"instance":{"text":"x","instance":{"text":"y"}}}',
    "an instance in the definition": '{"version":1,"class_name":"Note","definition":{"text":{"type":"str"},'
    '"instance":{"type":"int"}},"instance":{"text":"x","instance":2}}',
    "no instance behind its name": EMPTY[:-1] + ',"instance":}',
    "no end": EMPTY[:-1] + ',"instance":{}',
    "no object": '[1,"instance":2}',
    "a number for all of it": '{"$number":"1","instance":{}}',
}


@pytest.mark.parametrize("text", TWICE.values(), ids=TWICE)
def test_members_that_stand_there_twice(text: str) -> None:
    """However a text is divided to be read, it says what it says as a whole: of members of one name the last."""
    try:
        whole = json.loads(text)
        wanted = StructuredResponse.deserialize(json.dumps(whole, indent=1)).to_dict()
    except (json.JSONDecodeError, DeserializeError):
        with pytest.raises(DeserializeError):
            StructuredResponse.deserialize(text)
    else:
        for _ in range(2):  # what was met before is read another way
            assert StructuredResponse.deserialize(text).to_dict() == wanted == whole["instance"]


BAD_NODES: dict[str, dict[str, Any]] = {
    "a pattern that is none": {"type": "str", "pattern": "("},
    "a text as bound": {"type": "int", "ge": "a"},
    "a multiple of zero": {"type": "int", "multiple_of": 0},
    "a multiple below zero": {"type": "int", "multiple_of": -2},
    "a length below zero": {"type": "list", "elements": "int", "min_length": -1},
    "a broken length": {"type": "str", "min_length": 1.5},
    "a bound on a text": {"type": "str", "ge": 1},
    "a length of a number": {"type": "int", "min_length": 1},
    "a pattern on a bool": {"type": "bool", "pattern": "x"},
    "a date that is none": {"type": "date", "ge": "x"},
    "a decimal that is none": {"type": "decimal", "ge": "x"},
    "a choice that is a list": {"type": "enum", "choices": [[1]]},
    "choices that are a text": {"type": "enum", "choices": "ab"},
    "keys that are lists": {"type": "map", "keys": {"type": "list", "elements": "int"}, "elements": "int"},
    "no options": {"type": "union", "options": []},
    "options that are a dict": {"type": "union", "options": {}},
    "a description that is a number": {"type": "str", "description": 5},
    "required as a text": {"type": "str", "required": "no"},
    "elements of a text": {"type": "str", "elements": "int"},
    "a name that is not a text": {"type": "ref", "name": 5},
}


@pytest.mark.parametrize("node", BAD_NODES.values(), ids=BAD_NODES)
def test_nodes_that_cannot_work(node: dict[str, Any]) -> None:
    """A definition that could never check a reply is refused when it is read, not when the reply comes."""
    with pytest.raises(DeserializeError) as caught:
        StructuredResponse.deserialize(envelope(definition={"a": node}, instance={}))
    assert caught.value.path.startswith("definition.a")
    with pytest.raises(DefinitionError):
        StructuredResponse.from_definition("Note", {"a": node})


@pytest.mark.parametrize("depth", [10, 90, 150, 300, 500, 900, 1_010, 5_000])
@pytest.mark.parametrize("shape", ["anything", "marks", "tree", "definition", "objects"])
def test_deep_texts(depth: int, shape: str) -> None:
    """Deeply nested texts are read and then work, or are a `DeserializeError`; nothing runs out of stack."""
    if shape in ("anything", "marks"):
        inner = '{"$number":"NaN"}' if shape == "marks" else ""
        text = (
            '{"version":1,"class_name":"X","definition":{"a":{"type":"any"}},"instance":{"a":'
            f"{'[' * depth}{inner}{']' * depth}}}}}"
        )
    elif shape == "tree":
        text = TREE_ONLY[:-1] + ',"instance":' + '{"name":"x","children":[' * depth + "]}" * depth + "}"
    elif shape == "definition":
        nodes = '{"type":"list","elements":' * depth + '"int"' + "}" * depth
        text = f'{{"version":1,"class_name":"X","definition":{{"a":{nodes}}}}}'
    else:
        nodes = '{"a":{"type":"dict","elements":' * depth + '{"b":{"type":"int"}}' + "}}" * depth
        text = f'{{"version":1,"class_name":"X","definition":{nodes}}}'
    works_or_is_refused(text)


def works_or_is_refused(text: Any) -> None:
    """Any text is a `DeserializeError`, or a response of which everything works."""
    try:
        response = StructuredResponse.deserialize(text)
    except DeserializeError:
        return
    again = StructuredResponse.deserialize(response.serialize())
    assert again == response
    assert again.serialize() == response.serialize()
    assert repr(response)
    assert isinstance(str(response), str)
    assert response.to_prompt()
    assert response.instance is not None
    assert copy.deepcopy(response) == response
    with suppress(ReplyError):
        response.parse("<note><text>x</text><a>5</a></note>", strict=False)


# A text is a list of characters, and a tree of JSON: both are damaged.

SOURCES = [
    EMPTY,
    FULL,
    everything().serialize(),
    StructuredResponse.from_basemodel(Tree(name="a", children=[Tree(name="b")])).serialize(),
    StructuredResponse.from_basemodel(Ints(n=2**70, ns=[1])).serialize(),
    StructuredResponse.from_basemodel(Floats(x=math.nan, xs=[math.inf])).serialize(),
]
HOSTILE = [
    "null", "true", "[]", "{}", '""', "0", "-1", "1e999", "1e-999", "9" * 400, "-0.0", '"NaN"', "[[[[]]]]",
    '"\\ud800"', '"\\udc00\\ud800"', '"\\u0000"', '"\ufeff"', '"__class__"', '"$defs"', '"ref"', '"dict"',
    '{"type":"str"}', '{"type":"ref","name":"Tree"}', '{"__reduce__":"os.system"}', "[" * 300 + "]" * 300,
]  # fmt: skip
JUNK = st.sampled_from(["{", "}", "[", "]", ",", ":", '"', "\\", "\x00", "\ufeff", "\ud800", "é", "1", "-", *HOSTILE])


@st.composite
def damaged_characters(draw: st.DrawFn) -> str:
    """A valid text with pieces deleted, doubled, swapped or put in."""
    text = draw(st.sampled_from(SOURCES))
    for _ in range(draw(st.integers(1, 4))):
        start, end = sorted(draw(st.tuples(*[st.integers(0, len(text))] * 2)))
        how = draw(st.sampled_from(["delete", "double", "replace", "insert"]))
        piece = {"delete": "", "double": text[start:end] * 2, "insert": draw(JUNK) + text[start:end]}
        text = text[:start] + piece.get(how, draw(JUNK)) + text[end:]
    return text


def places(data: Any) -> list[tuple[Any, Any]]:
    """Every (container, key) of a tree of JSON."""
    steps = list(data.items()) if isinstance(data, dict) else list(enumerate(data)) if isinstance(data, list) else []
    return [(data, key) for key, _value in steps] + [place for _key, value in steps for place in places(value)]


OTHER: st.SearchStrategy[Any] = st.sampled_from(
    [None, True, False, 0, 1, -1, 0.5, 2**70, "", "x", "int", "NaN", "list", "ref", [], {}, [[]]]
)
OTHERS = OTHER | st.builds(lambda node: {"type": node}, OTHER) | st.builds(lambda item: {"a": item}, OTHER)


@st.composite
def damaged_trees(draw: st.DrawFn) -> str:
    """A valid text with members deleted, renamed, exchanged or of another type."""
    tree = json.loads(draw(st.sampled_from(SOURCES)))
    for _ in range(draw(st.integers(1, 3))):
        holder, key = draw(st.sampled_from(places(tree)))
        how = draw(st.sampled_from(["delete", "replace", "wrap", "move", "rename", "edit key"]))
        if how == "delete":
            del holder[key]
        elif how == "replace":
            holder[key] = copy.deepcopy(draw(OTHERS))  # what is sampled is shared, and may be damaged next
        elif how == "wrap":
            holder[key] = draw(st.sampled_from([[holder[key]], {"a": holder[key]}, str(holder[key])]))
        elif how == "rename" and isinstance(holder, dict):
            holder[draw(st.sampled_from(["a", "", "type", "elements", "$defs", "name", "é ü", "__class__"]))] = (
                holder.pop(key)
            )
        elif how == "edit key" and isinstance(holder, dict):
            name = draw(st.sampled_from(["ge", "pattern", "min_length", "choices", "default", "required"]))
            holder[name] = copy.deepcopy(draw(OTHERS))
        else:
            other, name = draw(st.sampled_from(places(tree)))
            holder[key] = copy.deepcopy(other[name])
        if not places(tree):
            break
    return json.dumps(tree)


QUIET = settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])


@QUIET
@given(damaged_characters())
def test_damaged_texts(text: str) -> None:
    """Whatever happens to the characters of a text, it is refused in words or gives a response that works."""
    works_or_is_refused(text)


@QUIET
@given(damaged_characters())
def test_damaged_bytes(text: str) -> None:
    """The same holds for bytes, broken UTF-8 included."""
    works_or_is_refused(text.encode("utf-8", "surrogatepass"))


@QUIET
@given(damaged_trees())
def test_damaged_trees(text: str) -> None:
    """Whatever happens to the members of a text, it is refused in words or gives a response that works."""
    works_or_is_refused(text)


@given(st.text() | st.binary())
def test_noise(text: str | bytes) -> None:
    """Noise is refused in words."""
    with pytest.raises(DeserializeError):
        StructuredResponse.deserialize(text)


DUPLICATES = {
    "version": FULL.replace('"version":1', '"version":2,"version":1'),
    "class_name": FULL.replace('"class_name":"Note"', '"class_name":"X","class_name":"Note"'),
    "instance": FULL[:-1] + ',"instance":{"text":"second"}}',
    "a field": FULL.replace('"stars":3', '"stars":"many","stars":4'),
    "a node": FULL.replace('"text":{"type":"str"}', '"text":{"type":"int"},"text":{"type":"str"}'),
}


@pytest.mark.parametrize("text", DUPLICATES.values(), ids=DUPLICATES)
def test_duplicate_keys(text: str) -> None:
    """A member that occurs twice is refused or counts once; what comes out of it works."""
    works_or_is_refused(text)


@pytest.mark.parametrize("word", ["eval", "exec", "compile", "__import__", "open"])
def test_nothing_is_executed(word: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """No text, hostile ones included, makes the reader execute code or open a file."""
    texts = [
        FULL.replace("Note", "__import__('os').system('true')"),
        envelope(
            definition={"__init__": {"type": "str"}, "__reduce__": {"type": "any"}},
            instance={"__reduce__": "x"},
        ),
        envelope(definition={"a": {"type": "any"}}, instance={"a": {"py/object": "os.system", "__class__": "x"}}),
        envelope(definition={"a": {"type": "os.system"}}),
    ]
    calls: list[Any] = []

    def spy(*arguments: Any, **_named: Any) -> None:
        calls.append(arguments)

    works_or_is_refused(FULL)
    for text in texts:
        with monkeypatch.context() as patched:
            patched.setattr(builtins, word, spy)
            try:
                StructuredResponse.deserialize(text)
            except DeserializeError:
                continue
    assert calls == []


def test_names_of_methods_are_only_names() -> None:
    """Fields that are called like Python's own methods are data like any other."""
    names = ["__init__", "__reduce__", "__class__", "items", "keys", "_node", "_absent", "class", "a b", "1"]
    definition = {name: {"type": "str"} for name in names}
    data = {name: f"value of {name}" for name in names}
    again = StructuredResponse.deserialize(envelope(definition=definition, instance=data))
    assert again.to_dict() == data
    assert dict(again.instance) == data
    assert round_trip(again).to_dict() == data


CANNOT_WORK = [
    '{"$number":"NaN"}',
    '{"version":1,"class_name":"A","definition":{"a":{"type":"map","keys":{"type":"str","pattern":"("},"elements":"int"}}}',
    '{"version":1,"class_name":"A","definition":{"a":{"type":"map","keys":{"type":"date","ge":5},"elements":"int"}}}',
    '{"version":1,"class_name":"A","definition":{"a":{"type":"int"}},"instance":null}',
]


@pytest.mark.parametrize("text", CANNOT_WORK)
def test_texts_that_cannot_work(text: str) -> None:
    """A text is refused when it is read, not when the response is used."""
    with pytest.raises(DeserializeError):
        StructuredResponse.deserialize(text)
