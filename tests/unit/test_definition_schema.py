"""From types to definitions: what each type that Pydantic knows is asked for as, and what cannot be."""

import contextlib
import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import field as dataclass_field
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum, Flag, IntEnum, StrEnum, auto
from ipaddress import IPv4Address
from pathlib import Path
from typing import Annotated, Any, ClassVar, Generic, Literal, Optional, TypeVar
from uuid import UUID

import pytest
from annotated_types import Interval, Len
from pydantic import (
    AliasChoices,
    BaseModel,
    ConfigDict,
    Field,
    HttpUrl,
    Json,
    PastDate,
    PositiveInt,
    PrivateAttr,
    RootModel,
    SecretStr,
    StringConstraints,
    computed_field,
    create_model,
    field_validator,
)
from pydantic.dataclasses import dataclass

from structured_response import DefinitionError, StructuredResponse
from structured_response.definition.document import MAX_NESTING

Document = dict[str, Any]


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


class Level(IntEnum):
    LOW = 1
    HIGH = 2


class Word(StrEnum):
    YES = auto()


class OldWord(str, Enum):  # noqa: UP042 - the older spelling has a docstring of its own, that of str
    NO = "no"


class Mixed(Enum):
    TEXT = "x"
    WHOLE = 2
    PART = 2.5
    TRUTH = True
    NOTHING = None


class Day(Enum):
    FIRST = date(2020, 1, 1)


class Mood(Enum):
    """How it feels."""

    GOOD = "good"


class Access(Flag):
    READ = 1
    WRITE = 2


class Point(BaseModel):
    x: int
    y: float = Field(description="up", ge=0)


POINT = {"x": {"type": "int"}, "y": {"type": "float", "description": "up", "ge": 0}}


class Documented(BaseModel):
    """A thing with "quotes", <b> & [brackets].

    Über two
      lines.
    """

    x: int


DOCSTRING = 'A thing with "quotes", <b> & [brackets].\n\nÜber two\n  lines.'
DOCUMENTED = {"type": "dict", "description": DOCSTRING, "elements": {"x": {"type": "int"}}}


@dataclass
class Spot:
    x: int
    y: str = Field("q", description="d")
    z: list[int] = dataclass_field(default_factory=list)


class Opaque:
    """A class that Pydantic knows nothing about."""


def model(**fields: Any) -> type[BaseModel]:
    """A model called M with the given fields."""
    made: type[BaseModel] = create_model("M", **fields)
    return made


def definition(kind: type[BaseModel]) -> Document:
    """The definition of a model."""
    return StructuredResponse.from_basemodel(kind).definition


def spelt(document: Any) -> str:
    """A document as JSON, so that the order of its keys counts in a comparison."""
    return json.dumps(document, ensure_ascii=False)


def list_of(elements: Any) -> Document:
    """The node of a list."""
    return {"type": "list", "elements": elements}


def enum_of(*choices: Any) -> Document:
    """The node of an enum."""
    return {"type": "enum", "choices": list(choices)}


INT = {"type": "int"}

TYPES: list[tuple[Any, Document]] = [
    # scalars
    (str, {"type": "str"}),
    (int, INT),
    (float, {"type": "float"}),
    (bool, {"type": "bool"}),
    (date, {"type": "date"}),
    (time, {"type": "time"}),
    (datetime, {"type": "datetime"}),
    (timedelta, {"type": "duration"}),
    (Decimal, {"type": "decimal"}),
    (UUID, {"type": "uuid"}),
    (bytes, {"type": "bytes"}),
    (Any, {"type": "any"}),
    (object, {"type": "any"}),
    (Path, {"type": "str", "description": "path"}),
    (SecretStr, {"type": "str"}),
    (PastDate, {"type": "date"}),
    (re.Pattern, {"type": "str", "description": "regular expression"}),
    (Json[list[int]], {"type": "str", "description": "JSON"}),
    (IPv4Address, {"type": "str", "description": "IPv4 address"}),
    (Annotated[IPv4Address, Field(description="Of the host")], {"type": "str", "description": "Of the host"}),
    (HttpUrl, {"type": "str", "description": "URL", "min_length": 1, "max_length": 2083}),
    # enums
    (Colour, enum_of("red", "blue")),
    (Level, enum_of(1, 2)),
    (Word, enum_of("yes")),
    (OldWord, enum_of("no")),
    (Mixed, enum_of("x", 2, 2.5, True)),
    (Day, enum_of("2020-01-01")),
    (Access, {"type": "int", "description": "The sum of the flags that hold: READ=1, WRITE=2"}),
    (Mood, {**enum_of("good"), "description": "How it feels."}),
    # literals
    (Literal["a", "b"], enum_of("a", "b")),
    (Literal["é"], enum_of("é")),
    (Literal[1, "1", True, None], enum_of(1, "1", True)),
    (Literal[Level.HIGH, "x"], enum_of(2, "x")),
    # Optional leaves no mark
    (Optional[int], INT),  # noqa: UP045 - the older spelling counts too
    (int | None, INT),
    (Colour | None, enum_of("red", "blue")),
    (Literal["a"] | None, enum_of("a")),
    (Point | None, {"type": "dict", "elements": POINT}),
    (list[int] | None, list_of("int")),
    (list[int | None] | None, list_of("int")),
    # lists of anything
    (list[int], list_of("int")),
    (list[str], list_of("str")),
    (list[date], list_of("date")),
    (list, list_of("any")),
    (list[Any], list_of("any")),
    (list[list[int]], list_of(list_of("int"))),
    (list[list[list[str]]], list_of(list_of(list_of("str")))),
    (list[Colour], list_of(enum_of("red", "blue"))),
    (list[Literal[1, 2]], list_of(enum_of(1, 2))),
    (list[Point], list_of(POINT)),
    (list[Documented], list_of(DOCUMENTED)),
    (list[list[Point]], list_of(list_of(POINT))),
    (list[Point | None], list_of(POINT)),
    (list[list[int | None] | None], list_of(list_of("int"))),
    (list[Annotated[int, Field(ge=1)]], list_of({"type": "int", "ge": 1})),
    (list[Annotated[int, Field(description="one")]], list_of({"type": "int", "description": "one"})),
    (set[int], list_of("int")),
    (frozenset[str], list_of("str")),
    (tuple[int, ...], list_of("int")),
    (Sequence[int], list_of("int")),
    (Iterable[int], list_of("int")),
    # objects
    (Point, {"type": "dict", "elements": POINT}),
    (Documented, DOCUMENTED),
    (
        Spot,
        {
            "type": "dict",
            "elements": {
                "x": INT,
                "y": {"type": "str", "description": "d", "required": False, "default": "q"},
                "z": {"type": "list", "elements": "int", "required": False},
            },
        },
    ),
    # the rest
    (tuple[int, str], {"type": "tuple", "elements": [INT, {"type": "str"}]}),
    (dict[str, int], {"type": "map", "keys": "str", "elements": "int"}),
    (dict[str, Point], {"type": "map", "keys": "str", "elements": POINT}),
    (Annotated[Any, Field(ge=1)], {"type": "any"}),
    (int | str, {"type": "union", "options": [INT, {"type": "str"}]}),
]


@pytest.mark.parametrize(("kind", "expected"), TYPES, ids=[str(kind) for kind, _ in TYPES])
def test_type_becomes_its_node(kind: Any, expected: Document) -> None:
    """Every type becomes the node that the definition has for it, keys in their order."""
    assert spelt(definition(model(f=(kind, ...)))) == spelt({"f": expected})


CONSTRAINTS: list[tuple[Any, Any, Document]] = [
    (int, Field(ge=1), {"type": "int", "ge": 1}),
    (int, Field(gt=0), {"type": "int", "gt": 0}),
    (float, Field(le=1.5), {"type": "float", "le": 1.5}),
    (float, Field(lt=2), {"type": "float", "lt": 2}),
    (int, Field(multiple_of=5), {"type": "int", "multiple_of": 5}),
    (float, Field(multiple_of=0.1), {"type": "float", "multiple_of": 0.1}),
    (int, Field(le=10**30), {"type": "int", "le": 10**30}),
    (PositiveInt, ..., {"type": "int", "gt": 0}),
    (Annotated[int, Interval(gt=1, lt=5)], ..., {"type": "int", "gt": 1, "lt": 5}),
    (int | None, Field(ge=1, le=4), {"type": "int", "ge": 1, "le": 4}),
    (Annotated[int, Field(ge=1)] | None, ..., {"type": "int", "ge": 1}),
    (str, Field(min_length=1, max_length=3), {"type": "str", "min_length": 1, "max_length": 3}),
    (str, Field(pattern="^[a'\"<&]$"), {"type": "str", "pattern": "^[a'\"<&]$"}),
    (str, Field(pattern=re.compile("a+")), {"type": "str", "pattern": "a+"}),
    (Annotated[str, StringConstraints(max_length=2, to_lower=True)], ..., {"type": "str", "max_length": 2}),
    (bytes, Field(min_length=2), {"type": "bytes", "min_length": 2}),
    (list[int], Field(min_length=1, max_length=3), {**list_of("int"), "min_length": 1, "max_length": 3}),
    (Annotated[list[int], Len(2, 2)], ..., {**list_of("int"), "min_length": 2, "max_length": 2}),
    (set[int], Field(min_length=1), {**list_of("int"), "min_length": 1}),
    (dict[str, int], Field(min_length=1), {"type": "map", "keys": "str", "elements": "int", "min_length": 1}),
    (Decimal, Field(ge=Decimal("1.50")), {"type": "decimal", "ge": "1.50"}),
    (date, Field(ge=date(2020, 1, 1)), {"type": "date", "ge": "2020-01-01"}),
    (
        datetime,
        Field(gt=datetime(2020, 1, 2, tzinfo=UTC)),
        {"type": "datetime", "gt": "2020-01-02T00:00:00Z"},
    ),
    (time, Field(lt=time(3)), {"type": "time", "lt": "03:00:00"}),
    (timedelta, Field(le=timedelta(days=1)), {"type": "duration", "le": "P1D"}),
    (
        int,
        Field(lt=9, multiple_of=2, le=8, gt=1, ge=2, description="d"),
        {"type": "int", "description": "d", "ge": 2, "gt": 1, "le": 8, "lt": 9, "multiple_of": 2},
    ),
    (
        str,
        Field(pattern="a", max_length=3, min_length=1, description="d"),
        {"type": "str", "description": "d", "min_length": 1, "max_length": 3, "pattern": "a"},
    ),
    (
        list[Point],
        Field(max_length=3, description="d"),
        {"type": "list", "description": "d", "elements": POINT, "max_length": 3},
    ),
    (
        list[int],
        Field(max_length=3, description="d"),
        {"type": "list", "elements": "int", "description": "d", "max_length": 3},
    ),
]


@pytest.mark.parametrize(("kind", "field", "expected"), CONSTRAINTS, ids=[spelt(row[2]) for row in CONSTRAINTS])
def test_constraint_keeps_its_name(kind: Any, field: Any, expected: Document) -> None:
    """Every constraint stands under Pydantic's own name, behind all else and in one order."""
    assert spelt(definition(model(f=(kind, field)))) == spelt({"f": expected})


DESCRIPTIONS = [
    "plain",
    "it's",
    'the "best"',
    "both ' and \"",
    "[in brackets]",
    "<b>bold</b> & more",
    "&amp;",
    "two\nlines\r\nor three",
    "  blanks at the edges  ",
    "Größe in 日本 😀",
    "]]>",
    "{braces} %s \\n",
]


@pytest.mark.parametrize("description", DESCRIPTIONS)
@pytest.mark.parametrize("kind", [int, Colour, Point, list[int], list[Point], int | None, Point | None])
def test_description_is_kept_to_the_character(kind: Any, description: str) -> None:
    """A field's description stands in the definition as it was written, whatever is in it."""
    assert definition(model(f=(kind, Field(description=description))))["f"]["description"] == description


DESCRIBED: list[tuple[Any, Any, str]] = [
    (Documented, ..., DOCSTRING),
    (Documented, Field(description="of the field"), "of the field"),
    (Documented | None, ..., DOCSTRING),
    (Documented | None, Field(description="of the field"), "of the field"),
    (Mood, ..., "How it feels."),
    (Mood, Field(description="of the field"), "of the field"),
    (Annotated[Documented, Field(description="of the type")], ..., "of the type"),
]


@pytest.mark.parametrize(("kind", "field", "expected"), DESCRIBED)
def test_description_of_the_field_counts_before_the_docstring(kind: Any, field: Any, expected: str) -> None:
    """What stands at the field describes the value; the class's docstring does where nothing stands there."""
    assert definition(model(f=(kind, field)))["f"]["description"] == expected


def test_description_at_one_place_leaves_other_places_alone() -> None:
    """Two fields of one class each keep their own description."""
    made = definition(model(a=(Documented, Field(description="first")), b=(Documented, ...)))
    assert (made["a"]["description"], made["b"]["description"]) == ("first", DOCSTRING)


def test_docstrings_of_attributes_are_descriptions() -> None:
    """Where a model takes its fields' descriptions from docstrings, so does the definition."""

    class M(BaseModel):
        model_config = ConfigDict(use_attribute_docstrings=True)
        a: int
        """What a is."""

    assert definition(M) == {"a": {"type": "int", "description": "What a is."}}


@pytest.mark.parametrize("kind", [Spot, Colour, Level, Word, OldWord])
def test_class_without_docstring_has_no_description(kind: Any) -> None:
    """What Python or Pydantic writes into `__doc__` by themselves describes nothing."""
    assert "description" not in definition(model(f=(kind, ...)))["f"]


DEFAULTS: list[tuple[Any, Any, Document]] = [
    (int, 3, {"type": "int", "required": False, "default": 3}),
    (int | None, None, {"type": "int", "required": False, "default": None}),
    (int | None, ..., INT),
    (str, "", {"type": "str", "required": False, "default": ""}),
    (str, "é<&", {"type": "str", "required": False, "default": "é<&"}),
    (bool, False, {"type": "bool", "required": False, "default": False}),
    (Level, Level.LOW, {**enum_of(1, 2), "required": False, "default": 1}),
    (date, date(2020, 1, 1), {"type": "date", "required": False, "default": "2020-01-01"}),
    (Decimal, Decimal("1.50"), {"type": "decimal", "required": False, "default": "1.50"}),
    (bytes, b"\xff", {"type": "bytes", "required": False, "default": "_w=="}),
    (list[int], [1], {**list_of("int"), "required": False, "default": [1]}),
    (list[float], [float("inf")], {**list_of("float"), "required": False, "default": [float("inf")]}),
    (set[int], {5, 10, 10**30}, {**list_of("int"), "required": False, "default": [10, 10**30, 5]}),
    (list[set[str]], [set("dbac")], {**list_of(list_of("str")), "required": False, "default": [["a", "b", "c", "d"]]}),
    (Any, {"k": set("dbac")}, {"type": "any", "required": False, "default": {"k": ["a", "b", "c", "d"]}}),
    (list[int], Field(default_factory=list), {**list_of("int"), "required": False}),
    (int, Field(default_factory=len), {"type": "int", "required": False}),
    (
        Point,
        Point(x=1, y=2),
        {"type": "dict", "elements": POINT, "required": False, "default": {"x": 1, "y": 2.0}},
    ),
    (
        int,
        Field(3, ge=1, description="d"),
        {**INT, "description": "d", "ge": 1, "required": False, "default": 3},
    ),
]


@pytest.mark.parametrize(("kind", "default", "expected"), DEFAULTS, ids=[spelt(row[2]) for row in DEFAULTS])
def test_field_with_a_default_is_not_required(kind: Any, default: Any, expected: Document) -> None:
    """`required` stands only at fields that have a default, and the default only where there is one value."""
    assert spelt(definition(model(f=(kind, default)))) == spelt({"f": expected})


@pytest.mark.parametrize(("kind", "default"), [(Any, Opaque()), (Any, {Opaque()})])
def test_default_that_json_cannot_hold_is_left_out(kind: Any, default: Any) -> None:
    """A default that JSON has no word for is left out; it does not turn into null."""
    made = definition(model(f=(kind, default)))["f"]
    assert made["required"] is False
    assert "default" not in made


def test_names_are_field_names() -> None:
    """Aliases of any sort have no place in a definition."""

    class M(BaseModel):
        a: int = Field(alias="Aa")
        b: int = Field(validation_alias=AliasChoices("Bb", "bb"))
        c: int = Field(serialization_alias="Cc")

    class Camel(BaseModel):
        model_config = ConfigDict(alias_generator=str.upper)
        name: str

    assert list(definition(M)) == ["a", "b", "c"]
    assert definition(model(inner=(Camel, ...))) == {"inner": {"type": "dict", "elements": {"name": {"type": "str"}}}}


def test_only_what_can_be_given_is_asked_for() -> None:
    """Computed fields, private attributes and class variables are left out; what dumps leave out is not."""

    class M(BaseModel):
        a: int
        hidden: int = Field(exclude=True)
        constant: ClassVar[int] = 3
        _private: int = PrivateAttr(1)

        @computed_field  # type: ignore[prop-decorator]
        @property
        def double(self) -> int:
            return self.a * 2

    assert definition(M) == {"a": INT, "hidden": INT}


def test_validators_change_nothing() -> None:
    """Validators of a model's own leave the field's type and constraints as they are."""

    class M(BaseModel):
        a: int = Field(ge=1)

        @field_validator("a", mode="before")
        @classmethod
        def loosen(cls, value: Any) -> Any:
            return value

    assert definition(M) == {"a": {"type": "int", "ge": 1}}


@pytest.mark.parametrize("name", ["type", "elements", "choices", "description", "required", "default", "name"])
def test_field_may_be_called_like_a_key(name: str) -> None:
    """A field that has the name of one of the definition's own keys is a field like any other."""
    inner: Any = create_model("Inner", **{name: (int, ...)})  # type: ignore[call-overload]
    made = definition(model(f=(inner, ...), g=(list[inner], ...), **{name: (str, ...)}))
    assert made == {
        "f": {"type": "dict", "elements": {name: INT}},
        "g": list_of({name: INT}),
        name: {"type": "str"},
    }


def test_inherited_fields_come_first() -> None:
    """A subclass is asked for as a whole, the fields of its base first."""

    class Base(BaseModel):
        a: int

    class Sub(Base):
        b: str

    assert spelt(definition(Sub)) == spelt({"a": INT, "b": {"type": "str"}})


class Empty(BaseModel):
    pass


class EmptyClosed(BaseModel):
    model_config = ConfigDict(extra="forbid")


class EmptyOpen(BaseModel):
    model_config = ConfigDict(extra="allow")


@pytest.mark.parametrize("kind", [Empty, EmptyClosed, EmptyOpen])
def test_model_without_fields_is_an_object_without_fields(kind: type[BaseModel]) -> None:
    """A model with no fields is still an object, whatever it does with fields that it does not know."""
    assert definition(kind) == {}
    assert definition(model(f=(kind, ...), g=(list[kind], ...))) == {  # type: ignore[valid-type]
        "f": {"type": "dict", "elements": {}},
        "g": list_of({}),
    }


T = TypeVar("T")


class Page(BaseModel, Generic[T]):
    items: list[T]
    next_page: Optional["Page[T]"] = None


class Box(BaseModel, Generic[T]):
    held: T


def test_generic_model_is_asked_for_with_its_arguments() -> None:
    """A generic model is described with what its parameters stand for."""
    assert StructuredResponse.from_basemodel(Box[int]).class_name == "Box[int]"
    assert definition(Box[int]) == {"held": INT}
    assert definition(Box[list[Colour]]) == {"held": list_of(enum_of("red", "blue"))}


class Person(BaseModel):
    name: str
    children: list["Person"] = []
    parent: Optional["Person"] = Field(None, description="the parent")


PERSON = {
    "name": {"type": "str"},
    "children": {
        "type": "list",
        "elements": {"type": "ref", "name": "Person"},
        "required": False,
        "default": [],
    },
    "parent": {
        "type": "ref",
        "name": "Person",
        "description": "the parent",
        "required": False,
        "default": None,
    },
}


def test_recursive_model_refers_to_itself() -> None:
    """A model that holds itself is written out under `$defs` and a `ref` wherever it recurs."""
    assert spelt(definition(Person)) == spelt({**PERSON, "$defs": {"Person": PERSON}})


def test_recursive_generic_model_refers_to_itself() -> None:
    """A reference names a generic model with its arguments."""
    page = {
        "items": list_of("int"),
        "next_page": {"type": "ref", "name": "Page[int]", "required": False, "default": None},
    }
    assert definition(model(f=(Page[int], ...))) == {
        "f": {"type": "ref", "name": "Page[int]"},
        "$defs": {"Page[int]": page},
    }


class Left(BaseModel):
    right: Optional["Right"] = None


class Right(BaseModel):
    left: Left | None = None


def test_models_that_hold_each_other_refer_to_each_other() -> None:
    """A cycle through several models makes a reference of each of them."""
    made = definition(model(f=(Left, ...)))
    assert made["f"] == {"type": "ref", "name": "Left"}
    assert made["$defs"] == {
        "Left": {"right": {"type": "ref", "name": "Right", "required": False, "default": None}},
        "Right": {"left": {"type": "ref", "name": "Left", "required": False, "default": None}},
    }


class Hub(BaseModel):
    first: Optional["Rim"] = None
    one: Optional["Spoke"] = None
    two: Optional["Spoke"] = None


class Rim(BaseModel):
    hub: Hub | None = None


class Spoke(BaseModel):
    rim: Rim | None = None


def test_every_model_on_a_cycle_is_a_reference() -> None:
    """A model on a cycle is written out once, also where the cycle closes through one seen before."""
    made = definition(model(f=(Hub, ...)))
    assert sorted(made["$defs"]) == ["Hub", "Rim", "Spoke"]
    assert made["$defs"]["Hub"]["two"]["type"] == "ref"


class Nest(RootModel[list["Nest"]]):
    pass


def test_recursion_without_objects_has_an_end() -> None:
    """A type that recurs through lists alone is described, or refused as one that cannot be."""
    with contextlib.suppress(DefinitionError):
        assert definition(model(f=(Nest, ...)))["f"]["type"] in ("list", "ref")


def test_models_that_are_the_same_in_all_are_one() -> None:
    """Two classes of one name that nothing tells apart share a shape, whatever a release of Pydantic makes of them."""

    def made(default: Any = 1) -> Any:
        return create_model("Same", a=(int, Field(default, alias="b")))

    def two(first: Any, second: Any) -> Any:
        return definition(model(x=(list[first | str], ...), y=(list[second | str], ...)))

    same, other = two(made(), made()), two(made(), made(2))
    assert same["x"] == same["y"]
    named = {name: other[name]["elements"]["options"][0]["name"] for name in ("x", "y")}
    assert set(named.values()) == {"Same", "Same2"}


def test_models_of_one_name_stay_apart() -> None:
    """Two recursive classes of one name become two shapes."""

    def of_numbers() -> type[BaseModel]:
        class Node(BaseModel):
            value: int
            below: list["Node"]

        return Node

    def of_texts() -> type[BaseModel]:
        class Node(BaseModel):
            value: str
            below: list["Node"]

        return Node

    made = definition(model(a=(of_numbers(), ...), b=(of_texts(), ...)))
    first, second = made["a"]["name"], made["b"]["name"]
    assert first != second
    assert made["$defs"][first]["value"] == INT
    assert made["$defs"][second]["value"] == {"type": "str"}
    assert made["$defs"][second]["below"] == list_of({"type": "ref", "name": second})


def tower(floor: type[BaseModel], floors: int) -> type[BaseModel]:
    """A model that holds the one below it twice, and so the lowest one 2 ** floors times."""
    for number in range(floors):
        floor = create_model(f"Floor{number}", a=(floor, ...), b=(floor, ...))
    return floor


@pytest.mark.parametrize("floor", [Point, Person], ids=["plain", "recursive"])
def test_definition_does_not_grow_exponentially(floor: type[BaseModel]) -> None:
    """Models that would be written out too often become references, beside a recursive model too."""
    made = definition(tower(floor, 16))
    assert len(spelt(made)) < 20_000
    assert "ref" in spelt(made)


def test_deeply_nested_models_are_described() -> None:
    """Twenty-five levels of models are no trouble."""
    deep: type[BaseModel] = Empty
    for number in range(25):
        deep = create_model(f"Level{number}", inner=(deep, ...))
    made = definition(deep)
    for _ in range(25):
        made = made["inner"]["elements"]
    assert made == {}


def test_type_nested_too_deeply_is_a_definition_error() -> None:
    """A type nested deeper than a definition may be is an error, as such a definition is one."""
    deep: Any = int
    for _ in range(MAX_NESTING + 20):
        deep = list[deep]
    with pytest.raises(DefinitionError, match="nested"):
        StructuredResponse.from_basemodel(model(f=(deep, ...)))


def test_whole_model_of_the_contract(shared: Path) -> None:
    """The worked example's models give its definition, keys in their order."""
    namespace: dict[str, Any] = {}
    exec((shared / "contract/weather.py").read_text(), namespace)
    expected = json.loads((shared / "contract/definition.json").read_text())
    assert spelt(definition(namespace["WeatherPrognosis"])) == spelt(expected)


NO_MODELS: list[Any] = [
    int,
    str,
    dict,
    list[int],
    Opaque,
    Opaque(),
    Spot,
    BaseModel,
    None,
    5,
    "Point",
    Colour,
]


@pytest.mark.parametrize("thing", NO_MODELS, ids=[repr(thing)[:30] for thing in NO_MODELS])
def test_what_is_no_model_is_a_definition_error(thing: Any) -> None:
    """A class that is no model, or anything else, is refused with a message that shows it."""
    with pytest.raises(DefinitionError, match="model") as caught:
        StructuredResponse.from_basemodel(thing)
    assert repr(thing)[:12] in str(caught.value) or thing is BaseModel


class WithOpaque(BaseModel):
    model_config = ConfigDict(arbitrary_types_allowed=True)
    fine: int
    bad: Opaque


class AroundOpaque(BaseModel):
    fine: int
    inner: list[WithOpaque]


class WithCallable(BaseModel):
    bad: Callable[[int], str]


class WithNone(BaseModel):
    bad: None


class WithPairs(BaseModel):
    bad: dict[tuple[int, int], str]


class AroundPairs(BaseModel):
    inner: list[WithPairs]


class WithNoChoice(BaseModel):
    bad: Literal[None]


INDESCRIBABLE: list[tuple[type[BaseModel], str, str]] = [
    (WithOpaque, "bad", "Opaque"),
    (AroundOpaque, "inner.bad", "Opaque"),
    (WithCallable, "bad", "Callable"),
    (WithPairs, "bad", r"dict\[tuple\[int, int\], str\]"),
    (AroundPairs, "inner.bad", r"dict\[tuple\[int, int\], str\]"),
]


@pytest.mark.parametrize(("kind", "path", "type_"), INDESCRIBABLE, ids=[row[0].__name__ for row in INDESCRIBABLE])
def test_indescribable_field_is_named(kind: type[BaseModel], path: str, type_: str) -> None:
    """A field that no reply could fill is an error that names the model, the field and its type."""
    with pytest.raises(DefinitionError) as caught:
        StructuredResponse.from_basemodel(kind)
    assert caught.value.path == path
    assert str(caught.value).startswith(f"{path}: ")
    assert kind.__name__ in caught.value.message
    assert re.search(type_, caught.value.message)


def test_model_that_names_an_undefined_type_is_a_definition_error() -> None:
    """A forward reference to nothing is an error that names the model and the reference."""

    class Unfinished(BaseModel):
        a: "NowhereToBeFound"  # type: ignore[name-defined]  # noqa: F821

    with pytest.raises(DefinitionError, match="Unfinished") as caught:
        StructuredResponse.from_basemodel(Unfinished)
    assert "NowhereToBeFound" in str(caught.value)
