"""Plans: one per definition, made again when the model is, and fingerprints that are the same everywhere."""

import enum
import gc
import json
import re
import weakref
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from ipaddress import IPv4Address
from pathlib import Path
from typing import Annotated, Any, Literal
from uuid import UUID

import pytest
from pydantic import BaseModel, Field, HttpUrl, Json, SecretStr, create_model

from structured_response import DefinitionError, StructuredResponse
from structured_response.definition.names import MAX_COMPILED

ROOT = Path(__file__).resolve().parent.parent.parent
INT = {"type": "int"}


class Point(BaseModel):
    x: int
    y: float = Field(default=0.5, ge=0, description="up é")


def test_plan_of_a_model_is_made_once() -> None:
    """Every response of a model shares its definition and its prompt, which are made once."""
    first, second = StructuredResponse.from_basemodel(Point), StructuredResponse.from_basemodel(Point)
    assert first is not second
    assert first.definition is second.definition
    assert first.to_prompt() is second.to_prompt()


def test_instance_shares_the_plan_of_its_class() -> None:
    """A response made of an instance of a model shares what those of the class have."""
    filled = StructuredResponse.from_basemodel(Point(x=1))
    assert filled.definition is StructuredResponse.from_basemodel(Point).definition
    assert filled.instance == {"x": 1, "y": 0.5}


def test_parsed_response_shares_the_plan() -> None:
    """What was parsed through a response shares its plan."""
    response = StructuredResponse.from_basemodel(Point)
    assert response.parse("<point><x>1</x></point>").definition is response.definition


def test_models_of_one_name_have_plans_of_their_own() -> None:
    """Two classes that are called the same are not mixed up."""
    one, two = create_model("M", a=(int, ...)), create_model("M", a=(str, ...))
    assert StructuredResponse.from_basemodel(one).definition == {"a": INT}
    assert StructuredResponse.from_basemodel(two).definition == {"a": {"type": "str"}}


def test_rebuilt_model_has_a_new_plan() -> None:
    """A model that was changed and rebuilt is asked for as it is now; older responses stay as they were."""
    changing = create_model("Changing", a=(int, ...))
    older = StructuredResponse.from_basemodel(changing)
    before = older.to_prompt()
    changing.model_fields["a"].description = "what is new"
    changing.model_rebuild(force=True)
    newer = StructuredResponse.from_basemodel(changing)
    assert newer.definition == {"a": {"type": "int", "description": "what is new"}}
    assert "[what is new - as an int]" in newer.to_prompt()
    assert (older.definition, older.to_prompt()) == ({"a": INT}, before)
    assert newer.parse("<changing><a>1</a></changing>").to_basemodel() == changing(a=1)


def test_model_can_be_finished_later() -> None:
    """A model with a forward reference is an error until the reference means something."""

    class Early(BaseModel):
        late: "Lazy"

    with pytest.raises(DefinitionError, match="Early"):
        StructuredResponse.from_basemodel(Early)

    class Lazy(BaseModel):
        x: int

    Early.model_rebuild()
    expected = {"late": {"type": "dict", "elements": {"x": INT}}}
    assert StructuredResponse.from_basemodel(Early).definition == expected


def test_classes_made_in_a_loop_do_not_pile_up() -> None:
    """A program that makes classes without end keeps the plans of a bounded number."""
    first = create_model("First", a=(int, ...))
    alive = weakref.ref(first)
    StructuredResponse.from_basemodel(first)
    del first
    for number in range(MAX_COMPILED + 8):
        StructuredResponse.from_basemodel(create_model(f"M{number}", a=(int, ...)))
    gc.collect()
    assert alive() is None


GOLDEN: list[tuple[str, dict[str, Any], str]] = [
    ("M", {}, "c2b470f33adffe9900e5dd62811d0815"),
    ("M", {"a": INT}, "c8c44309a0f07971ea2c563897e8dac5"),
    (
        "Größe",
        {"a": {"type": "enum", "choices": ["é", 1, 2.5, True], "description": "<&'\""}},
        "741bd19319bda8e028789027c33c0f09",
    ),
]


@pytest.mark.parametrize(("name", "document", "expected"), GOLDEN)
def test_fingerprint_never_changes(name: str, document: dict[str, Any], expected: str) -> None:
    """Fingerprints are written into caches: a release that changes them throws those away."""
    assert StructuredResponse.from_definition(name, document).fingerprint == expected


class Mood(enum.Enum):
    GOOD = "good"
    BAD = 2


class Scalars(BaseModel):
    """All kinds of values, with defaults that JSON writes in more than one way."""

    day: date = date(2020, 1, 2)
    moment: datetime = datetime(2020, 1, 2, 3, 4, 5, tzinfo=UTC)
    length: timedelta = timedelta(days=1, seconds=2)
    sum: Decimal = Field(default=Decimal("1.50"), ge=0, max_digits=5)
    code: UUID = UUID(int=5)
    raw: bytes = b"\xff"
    site: HttpUrl | None = None
    home: IPv4Address = IPv4Address("192.0.2.1")
    pattern: re.Pattern[str] | None = None
    secret: SecretStr = SecretStr("")
    json_: Json[list[int]] = Field(default=[1], alias="json")
    mood: Mood = Mood.BAD
    choice: Literal["a", 1, True, None] = "a"
    share: float = float("inf")
    size: Annotated[int, Field(gt=0, multiple_of=5)] | Annotated[str, Field(max_length=3)] = 5
    anything: Any = {"b": {3, 20, 100}, "a": [None]}


class Branch(BaseModel):
    leaves: set[int] = {3, 20, 100}
    words: list[frozenset[str]] = [frozenset({"b", "a", "c"})]
    below: "dict[str, Branch]" = {}
    pair: tuple[int, str] = (1, "x")
    open: tuple[int, ...] = ()
    votes: dict[Literal["yes", "no"], int] = Field(default={}, max_length=2)
    next: "Branch | Scalars | None" = None


GOLDEN_MODELS = [(Scalars, "a4e4ed85a8937898786cb73f193272b7"), (Branch, "f73d9eb980fe53375d44a160856ec6fb")]


@pytest.mark.parametrize(("model", "expected"), GOLDEN_MODELS)
def test_fingerprint_of_a_model_never_changes(model: type[BaseModel], expected: str) -> None:
    """Whatever release of Pydantic describes it."""
    assert StructuredResponse.from_basemodel(model).fingerprint == expected


def test_fingerprint_is_that_of_the_definition() -> None:
    """However the same is asked for, its fingerprint is the same."""
    asked = StructuredResponse.from_basemodel(Point)
    written = StructuredResponse.from_definition("Point", json.loads(json.dumps(asked.definition)))
    built = (
        StructuredResponse[Any]("Point")
        .add_node("x", "int")
        .add_node("y", "float", description="up é", ge=0, required=False, default=0.5)
    )
    stored = StructuredResponse.deserialize(asked.serialize())
    assert asked.fingerprint == written.fingerprint == built.fingerprint == stored.fingerprint


def test_fingerprint_does_not_depend_on_the_data() -> None:
    """It tells what was asked, not what came back."""
    response = StructuredResponse.from_basemodel(Point)
    assert response.parse("<point><x>1</x></point>").fingerprint == response.fingerprint


BASE = {"a": INT, "b": {"type": "str", "description": "d"}}
CHANGED: list[tuple[str, dict[str, Any]]] = [
    ("N", BASE),
    ("M", {"b": BASE["b"], "a": INT}),
    ("M", {**BASE, "c": INT}),
    ("M", {"a": INT}),
    ("M", {**BASE, "b": {"type": "str"}}),
    ("M", {**BASE, "b": {"type": "str", "description": "D"}}),
    ("M", {**BASE, "a": {"type": "int", "ge": 0}}),
    ("M", {**BASE, "a": {"type": "int", "required": False}}),
    ("M", {**BASE, "a": {"type": "int", "required": False, "default": None}}),
    ("M", {**BASE, "a": {"type": "float"}}),
    ("M", {**BASE, "a": {"type": "enum", "choices": [1]}}),
    ("M", {**BASE, "a": {"type": "enum", "choices": ["1"]}}),
    ("M", {**BASE, "a": {"type": "enum", "choices": [True]}}),
]


def test_fingerprints_tell_definitions_apart() -> None:
    """Any change of name, order, type, description, constraint or default is another fingerprint."""
    prints = [StructuredResponse.from_definition(*row).fingerprint for row in [("M", BASE), *CHANGED]]
    assert len(set(prints)) == len(prints)
    assert all(len(one) == 32 and int(one, 16) >= 0 for one in prints)


DEFAULTS: list[tuple[Any, Any]] = [
    (float, float("inf")),
    (float, float("-inf")),
    (float, float("nan")),
    (float | None, None),
]


def test_defaults_without_json_have_fingerprints_of_their_own() -> None:
    """A default that JSON has no number for does not look like null."""
    models = [create_model("M", f=(kind, default)) for kind, default in DEFAULTS]
    prints = [StructuredResponse.from_basemodel(kind).fingerprint for kind in models]
    assert prints[-1] not in prints[:-1]


@pytest.mark.parametrize("bound", [2**64, 10**30, -(10**30)])
def test_large_bounds_have_a_fingerprint(bound: int) -> None:
    """An integer past 64 bits is a bound like any other."""
    large = StructuredResponse.from_basemodel(create_model("M", f=(int, Field(le=bound))))
    plain = StructuredResponse.from_basemodel(create_model("M", f=(int, ...)))
    assert len(large.fingerprint) == 32
    assert large.fingerprint != plain.fingerprint
    assert StructuredResponse.deserialize(large.serialize()).definition == large.definition
