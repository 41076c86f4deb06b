"""Every model that the rows of the corpus are read with, and the names that their types are written in."""

from __future__ import annotations

import datetime as dt
import enum
import fractions
import gc
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import Enum, IntEnum, IntFlag, StrEnum
from pathlib import PurePosixPath
from typing import Annotated, Any, Literal, TypeVar
from uuid import UUID
from zoneinfo import ZoneInfo

from pydantic import (
    AfterValidator,
    AliasPath,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    EncodedBytes,
    EncodedStr,
    Field,
    RootModel,
    Secret,
    SecretBytes,
    SecretStr,
    ValidationInfo,
    create_model,
    field_serializer,
    field_validator,
    model_serializer,
    model_validator,
)
from pydantic.dataclasses import dataclass as pydantic_dataclass
from pydantic.json_schema import SkipJsonSchema
from typing_extensions import TypedDict

from benchmarks.robustness.models import (  # noqa: F401 - rows of the corpus name them
    Address,
    Booking,
    Budget,
    Inventory,
    Line,
    Online,
    Order,
    Outline,
    Part,
    Product,
    Profile,
    Project,
    Report,
    Section,
    Status,
    Task,
    Transfer,
    Tutorial,
    Verdict,
)
from benchmarks.robustness.models import Card as Card2  # noqa: F401
from benchmarks.robustness.models import Person as Person2  # noqa: F401
from benchmarks.robustness.models import Review as Review11  # noqa: F401

AnyClass = TypeVar("AnyClass", bound=type)


def called(name: str) -> Callable[[AnyClass], AnyClass]:
    """Gives a class the name that replies know it by, where another class here has taken it."""

    def rename(kind: AnyClass) -> AnyClass:
        kind.__name__ = name
        return kind

    return rename


class Edits(BaseModel):
    kind: Literal["edit"]
    path: str


class Runs(BaseModel):
    kind: Literal["run"]
    command: str


class Acting(BaseModel):
    action: Runs | Edits


class Ada(BaseModel):
    name: str
    born: int


@called("Address")
class Address2(BaseModel):
    street: str
    email: str = ""


class After(BaseModel):
    x: Annotated[int, AfterValidator(lambda value: value + 1)]


class Client:
    """No model."""


class Tool(BaseModel):
    name: str
    run: Callable[[], None]


class Agent(BaseModel):
    model_config = ConfigDict(arbitrary_types_allowed=True)
    name: str
    hook: Callable[[int], int] | None = None
    client: Client | None = None
    tools: list[Tool] = []
    next: Tool | int = 3
    parent: Agent | None = None


class Ages(RootModel[dict[str, int]]):
    """By name."""


@called("Part")
class Part6(BaseModel):
    label: str = Field(min_length=2)
    points: int = Field(ge=1, lt=10)


class Aliased(BaseModel):
    inner: Part6 = Field(alias="Inner-Part")
    count: int = Field(validation_alias="n", gt=0)


@called("Aliased")
class Aliased2(BaseModel):
    model_config = ConfigDict(populate_by_name=True, extra="allow")
    mime_type: str = Field(alias="mimeType")

    @model_serializer(mode="wrap")
    def write_aliases(self, write: Callable[[Any], dict[str, Any]]) -> dict[str, Any]:
        """As generated clients do."""
        return {("mimeType" if name == "mime_type" else name): value for name, value in write(self).items()}


class Amounts(BaseModel):
    count: int | None = None
    day: dt.date | None = None
    verdict: Literal["good", "bad"] | None = None
    marks: list[int] = []
    pair: tuple[float, float] | None = None
    map: dict[str, int | str] = {}


class Answered(BaseModel):
    kind: Literal["stop"]
    answer: str


class Bank(BaseModel):
    method: Literal["bank"]
    iban: str


class Item(BaseModel):
    name: str
    qty: int = 0


class Basket(BaseModel):
    items: list[Item] = []
    tags: list[str] = []
    counts: dict[str, int] = {}


class Seed(BaseModel):
    name: str
    n: int


class Bed(BaseModel):
    name: str
    plants: list[Seed]
    extra: Any = None


class Before(BaseModel):
    x: Annotated[int, BeforeValidator(lambda value: value + 1)]


class Beside(BaseModel):
    """Bytes send all that stands beside them through Python."""

    data: bytes
    path: PurePosixPath
    zone: ZoneInfo
    share: fractions.Fraction
    pattern: re.Pattern[str]


class Cell(BaseModel):
    label: str
    points: int


class Hand(BaseModel):
    last4: str
    holder: str = ""


class Bill(BaseModel):
    paid: Hand | Cell


class Blank(BaseModel):
    x: Literal["", " a"]


class Boat(BaseModel):
    sails: int


class Bough(BaseModel):
    label: str
    children: list[Bough] = []


class Bought(BaseModel):
    product: str
    rating: int


class Box(BaseModel):
    type: Literal["box"]
    width: int


class Branch(BaseModel):
    name: str
    n: int = 0
    kids: list[Branch] = []


class ByBank(BaseModel):
    iban: str
    owner: str = ""


class ByCard(BaseModel):
    last4: str
    holder: str = ""


class Call(BaseModel):
    arguments: dict[str, str]
    reason: str


class Calls(BaseModel):
    steps: list[Call]


class Car(BaseModel):
    wheels: int


class Card(BaseModel):
    name: str
    age: int | None = None
    nick: str | None = None
    tags: list[str] = []


@called("Card")
class Card3(BaseModel):
    method: Literal["card"]
    last4: str


class Cash(BaseModel):
    amount: int


class Cat(BaseModel):
    lives: int
    indoor: bool


class Chain(BaseModel):
    value: int
    note: str | None = None
    next: Chain | None = None


class Chapter(BaseModel):
    title: str
    code: str


class Ward(BaseModel):
    heart_rate: int
    pressure: str


class Chart(BaseModel):
    patient: str
    age: int
    ward: Ward
    steps: list[str]
    doses: dict[str, str] = {}
    remark: str | None = None


class Check(BaseModel):
    given: str
    count: int


class Checked(BaseModel):
    low: int
    high: int

    @field_validator("high")
    @classmethod
    def above(cls, high: int, info: ValidationInfo) -> int:
        """A validator that sees other fields and the context."""
        if info.context == "boom":
            raise KeyError("mine")
        if high <= info.data.get("low", 0):
            raise ValueError("not above low")
        return high + (info.context or 0)


class Checks(BaseModel):
    tests: list[Check]
    passed: bool = True


class Chore(BaseModel):
    title: str
    done: bool = False
    steps: list[str] = []


class Circle(BaseModel):
    type: Literal["circle"]
    radius: float


class Clash(BaseModel):
    x: Literal[1, "1"]


class Code(BaseModel):
    code: str


@called("Code")
class Code2(BaseModel):
    code: str
    title: str


class Coded(BaseModel):
    code: str


class Color(StrEnum):
    RED = "red"


class Company(BaseModel):
    address: Address2
    offices: list[Address2] = []


class Crossed(BaseModel):
    first: str
    second: str = ""


@pydantic_dataclass
class Data:
    hidden: set[str] = Field(exclude=True)


class Day(enum.Enum):
    """The days on which we meet."""

    FIRST = date(2024, 1, 1)
    LAST = date(2024, 12, 31)
    NEVER = None


class Depot(BaseModel):
    entries: dict[str, str]
    n: int


class Document(BaseModel):
    name: str
    body: str


class Dog(BaseModel):
    breed: str
    barks: bool


class Doubled(BaseModel):
    n: int

    @field_validator("n")
    @classmethod
    def double(cls, n: int) -> int:
        return n * 2


class Drawing(BaseModel):
    shapes: list[Circle | Box]


class Polygon(BaseModel):
    points: list[tuple[float, float]]


class Round(BaseModel):
    radius: float


class Drawn(BaseModel):
    drawn: Round | Polygon


class Duty(BaseModel):
    title: str
    done: bool = False
    parts: list[Duty] = []


@called("Left")
class Left2(BaseModel):
    x: int
    y: str


class Right(BaseModel):
    x: int
    z: list[int]


class Either(BaseModel):
    value: Left2 | Right | int


class Endpoint(BaseModel):
    host: str = "localhost"
    port: int = 80


class State(Enum):
    DONE = "done"


class Errand(BaseModel):
    title: str
    state: State = State.DONE
    price: Decimal = Decimal(0)
    day: dt.date | None = None
    at: dt.datetime | None = None
    took: dt.timedelta | None = None
    key: UUID | None = None


class Everything(BaseModel):
    words: list[str] = []
    votes: dict[str, int] = {}
    pair: tuple[str, int] = ("", 0)
    part: Part | None = None
    parts: list[Part] = []


class Fee(BaseModel):
    number: int
    payment: ByCard | ByBank


class Files(BaseModel):
    name: str
    file_name: str
    filename: str
    tests_added: bool | None = None


class Stop(BaseModel):
    pass


class Fleet(BaseModel):
    ways: list[Car | Boat | Stop]


class Folder(BaseModel):
    """A field whose name is that of an item of another one."""

    name: str
    names: list[str] = []


class Folders(RootModel["dict[str, Folders]"]):
    """By name, to any depth."""


class Fork(BaseModel):
    value: int
    left: Fork | None = None
    right: Fork | None = None


class Framed(BaseModel):
    inner: Chapter
    title: str
    rank: int


class Gauge(BaseModel):
    host: str = "localhost"
    port: int = 80
    mode: Literal["fast", "slow"] = "fast"
    note: str | None = None


class Grid(BaseModel):
    grid: list[list[int]]
    pair: tuple[str, int] = ("", 0)


class Groups(BaseModel):
    rows: list[list[int]]


RAISED: dict[str, Exception] = {
    "value": ValueError("no such order"),
    "assertion": AssertionError("no such order"),
    "key": KeyError("no such order"),
    "runtime": RuntimeError("no such order"),
    "attribute": AttributeError("no such order"),
    "os": OSError("no such order"),
}


class Guarded(BaseModel):
    """Its validators do what the reply, or the context, says."""

    order: str

    @field_validator("order")
    @classmethod
    def obey(cls, order: str, info: ValidationInfo) -> str:
        if order in RAISED:
            raise RAISED[order]
        return f"{order} {info.context['who']}" if info.context else order


class Guest(BaseModel):
    name: str
    who: list[str] = []


class Guests(BaseModel):
    guests: list[Guest]


class Guide(BaseModel):
    title: str
    notes: dict[str, str]


class Headed(BaseModel):
    title: str
    n: int = 0
    votes: dict[str, int] = {}


class Hex(BaseModel):
    model_config = ConfigDict(ser_json_bytes="hex", val_json_bytes="hex")
    value: bytes


class Hidden(BaseModel):
    seen: int
    unseen: SkipJsonSchema[int] = 5
    hook: Callable[[int], int] | None = None


class Hiding(BaseModel, frozen=True):
    shown: int = 0
    hidden: str = Field(exclude=True)


class Home(BaseModel):
    street: str
    city: str


class Host(BaseModel):
    host: str = "localhost"
    port: int = 80
    mode: Literal["fast", "slow"] = "fast"
    text: str | None = None


class Owner(BaseModel):
    owner: str
    lives: int


class Household(BaseModel):
    owner: Owner
    owners: list[Owner] = []


class Inner(BaseModel):
    li: Any = None
    entry: str = ""


class Invoice(BaseModel):
    number: str = Field(alias="invoiceNumber")
    due: date = Field(alias="dueDate")
    net: float = Field(alias="netAmount")
    paid: bool = Field(alias="isPaid")
    lines: list[Line] = Field(alias="positions")


class Itemized(BaseModel):
    name: str
    items: list[str]
    score: int


class Job(BaseModel):
    steps: list[str]
    title: str = ""


class Judged(BaseModel):
    headline: str
    code: str
    score: int


class Kept(BaseModel):
    model_config = ConfigDict(extra="allow")

    headline: str


class Keyed(BaseModel):
    key: str
    n: int


class Labels(BaseModel):
    labels: list[str]


class Lax(BaseModel):
    a: str
    z: int


class Leaf(BaseModel):
    name: str
    level: int


class Leaflet(BaseModel):
    title: str
    body: str = ""
    score: int = 0
    tags: list[str] = []
    notes: dict[str, str] = {}
    part: Leaf | None = None
    leaves: list[Leaf] = []


@called("Part")
class Part5(BaseModel):
    label: str
    points: int = 1


@called("Verdict")
class Verdict2(Enum):
    GOOD = "good"
    BAD = "bad"


class Left(BaseModel):
    must: str
    number: int = 7
    words: list[str] = ["a"]
    table: dict[str, int] = {"k": 1}
    part: Part5 = Part5(label="p", points=2)
    day: date = date(2024, 5, 6)
    verdict: Verdict2 = Verdict2.BAD
    nothing: str | None = None
    made: list[int] = Field(default_factory=lambda: [1, 2])


class Level(IntEnum):
    LOW = 1
    HIGH = 12


@called("Line")
class Line2(BaseModel):
    caption: str
    code: str = ""


class Lines(BaseModel):
    lines: list[Line2]
    notes: list[str] = []


class Listing(BaseModel):
    code: str
    language: str
    score: int


class Lodger(BaseModel):
    name: str
    home: Home | None
    street: str = ""


class Look(BaseModel):
    query: str
    limit: int = 10


class Loose(BaseModel):
    given: Any
    other: bool | Any = None
    count: int = 0


class Maps(BaseModel):
    words: dict[str, str] = {}
    counts: dict[str, int] = {}
    people: dict[str, Ada] = {}
    keyed: dict[str, Keyed] = {}


class Marked(BaseModel):
    label: str
    points: int = Field(le=5)


class Member(BaseModel):
    name: str
    level: int = 0


class Memo(BaseModel):
    memo: str
    author: str = ""


class Write(BaseModel):
    path: str
    text: str


class Caption(BaseModel):
    caption: str


class Rank(BaseModel):
    rank: int


class Label(BaseModel):
    said: Caption | Rank
    more: dict[str, Caption | Rank] = {}


class Headline(BaseModel):
    headline: str
    size: int = 0


class Poster(BaseModel):
    headline: Headline


class Move(BaseModel):
    thought: str
    action: Look | Write | Answered
    others: list[Look | Write] = []


class Named(BaseModel):
    name: str = ""
    count: int = 0


@called("Named")
class Named2(BaseModel):
    model_config = ConfigDict(validate_by_name=True, validate_by_alias=True)

    user: str = Field(alias="user_name")
    username: str
    b: int = Field(alias="B_")
    B: int = 0


class Nested(BaseModel):
    items: list[dict[str, list[int]]] = [{"a": [1]}]
    any_value: Any = {"k": [1]}
    part: Part5 = Part5(label="p")


@called("Nested")
class Nested2(BaseModel):
    li: str | None = None
    think: list[list[str | None]]


class Note(BaseModel):
    title: str
    body: str = ""


@called("Note")
class Note2(BaseModel):
    name: str
    comment: str
    items: list[str] = []


@called("Part")
class Part3(BaseModel):
    label: str = ""


@called("Note")
class Note3(BaseModel):
    title: str
    count: int | None = None
    part: Part3 | None = None


class Noted(BaseModel):
    count: int
    notes: list[str]


class Notes(BaseModel):
    title: str
    notes: dict[str, str]


class Number(enum.IntEnum):
    ONE = 1
    TWO = 2


class Numbers(BaseModel):
    x: float
    y: int = 1


@called("Numbers")
class Numbers2(BaseModel):
    x: Literal[1, 2]


class Offshoot(BaseModel):
    name: str
    note: str | None = None
    children: list[Offshoot] = []


class Only(BaseModel):
    only: str


class Open(BaseModel):
    model_config = ConfigDict(extra="allow")
    count: int = 0


@called("Open")
class Open2(BaseModel):
    model_config = ConfigDict(extra="allow")
    kind: Literal["a"]


class Optionals(BaseModel):
    memo: Memo | None = None


class Others(BaseModel):
    shown: int = 0
    other: str = Field(exclude=True)


class Outer(BaseModel):
    li: Any = None
    item: Inner
    entry: str = ""


@called("Section")
class Section2(BaseModel):
    heading: str
    body: str
    exercises: list[str] = []


class Page(BaseModel):
    title: str
    body: str = ""
    sections: list[Section2] = []
    meta: dict[str, str] = {}


class Pages(BaseModel):
    title: str
    body: str
    address_1: str = ""
    address_2: str = ""


class Paid(BaseModel):
    by: Card3 | Bank
    told: Annotated[Card3 | Bank, Field(discriminator="method")] | None = None
    either: Card3 | Cash | None = None


class Pair(BaseModel):
    a: str
    z: int | str


class Pamphlet(BaseModel):
    title: str
    code: str = ""
    score: int = 0


class Parcel(BaseModel):
    notes: str
    placed: int


@called("Part")
class Part2(BaseModel):
    name: str


@called("Part")
class Part4(BaseModel):
    label: str
    points: int = 0


class Path(BaseModel):
    first: int = Field(validation_alias=AliasPath("outer", 0))
    outer: list[int]


class Person(BaseModel):
    height_cm: float
    weight: float = Field(0, description="in kg")


class Photo(BaseModel):
    url: str
    width: int


class Picture(BaseModel):
    url: str


class Piece(BaseModel):
    name: str
    n: int


class Place(BaseModel):
    street: str
    city: str


class Places(BaseModel):
    places: dict[str, Seed]


@called("Step")
class Step2(BaseModel):
    action: str
    hours: int


class Plain(BaseModel):
    name: str
    tags: list[str] = []
    votes: dict[str, int] = {}
    groups: dict[str, list[str]] = {}
    parts: list[Step2] = []


@called("Plain")
@dataclass
class Plain2:
    held: Hiding


class Step(BaseModel):
    name: str
    minutes: int = Field(ge=1)
    tags: list[int] = []

    @model_validator(mode="after")
    def no_rush(self) -> Step:
        if self.name == "rush":
            raise ValueError("no rush")
        return self


class Plan(BaseModel):
    title: str
    steps: list[Step] = Field(default=[], min_length=1)
    rows: list[list[int]] = []
    pairs: list[tuple[int, int]] = []
    by_day: dict[str, list[int]] = {}
    mixed: list[int | Part] = []


class WithSteps(BaseModel):
    title: str
    steps: list[str] = []


class Planned(BaseModel):
    tasks: list[WithSteps]


class Plant(BaseModel):
    name: str
    n: int = 0
    kids: list[Plant] = []


class Tune(BaseModel):
    title: str
    seconds: int


class Played(BaseModel):
    songs: list[Tune]


class Plurals(BaseModel):
    indices: list[int] = []
    analyses: list[str] = []
    people: list[str] = []
    women: list[str] = []
    pair: tuple[int, str] = (0, "")


class Pointed(BaseModel):
    name: str
    code: str
    points: int


class Raster(BaseModel):
    """Lists of lists of texts, and something behind them."""

    rows: list[list[str]]
    end: str = ""


class Raw(enum.Enum):
    TEXT = b"x"
    BYTES = b"\xff"


class Remarked(BaseModel):
    code: str | None = None
    note: str | None = None
    score: int


@called("Report")
class Report2(BaseModel):
    title: str
    parts: list[Part] = []
    words: list[str] = []


class Rest(BaseModel):
    pause: dt.timedelta | None = None
    score: Annotated[int, Field(le=5)] = 1


class Review(BaseModel):
    headline: str
    score: int
    price: float | None = None
    recommended: bool
    verdict: Literal["good", "mixed", "bad"]
    pros: list[str] = []
    parts: list[Part] = []
    excerpt: str = ""


@called("Review")
class Review10(BaseModel):
    headline: str
    score: int


@called("Review")
class Review12(BaseModel):
    headline: str
    pros: list[str] = []
    score: int | None = None
    parts: list[Part2] = []
    name: str = ""


@called("Review")
class Review13(BaseModel):
    score: int
    price: float | None = None
    sure: bool = True
    color: Color = Color.RED
    pros: list[str] = Field(default=[], max_length=2)
    parts: list[Part6] = []


@called("Review")
class Review2(BaseModel):
    headline: str
    score: int
    price: float | None = None
    verdict: Literal["good", "mixed", "bad"] = "good"
    pros: list[str] = []
    excerpt: str = ""
    parts: list[Part] = []
    links: dict[str, int] = {}


@called("Review")
class Review3(BaseModel):
    headline: str
    score: int = Field(ge=0, le=10)
    price: float | None = None
    verdict: Verdict2 = Verdict2.GOOD
    pros: list[str] = []
    parts: list[Part5] = []


@called("Review")
class Review4(BaseModel):
    headline: str
    score: int
    price: float | None = None
    verdict: Literal["good", "mixed", "bad"] = "good"
    pros: list[str] = []
    excerpt: str = ""
    parts: list[Part] = []


@called("Review")
class Review5(BaseModel):
    headline: str
    score: int
    price: float | None = None
    pros: list[str] = []


@called("Review")
class Review6(BaseModel):
    headline: str
    score: int
    price: float | None = None
    pros: list[str] = []
    excerpt: str = ""
    part: Part | None = None
    parts: list[Part] = []


@called("Review")
class Review7(BaseModel):
    headline: str = Field(description="The headline")
    score: int
    verdict: Literal["good", "bad"] = "good"
    note: str | None = None


@called("Review")
class Review8(BaseModel):
    headline: str
    score: int
    price: float | None = None
    mood: str | None = None
    verdict: Literal["good", "good - not bad"] = "good"
    level: Level = Level.LOW
    sure: bool = True
    pros: list[str] = []
    part: Part4 | None = None
    parts: list[Part4] = []
    grid: list[list[int]] = []


@called("Review")
class Review9(BaseModel):
    headline: str
    score: int
    excerpt: str = ""
    pros: list[str] = []
    parts: list[Part] = []
    votes: dict[str, int] = {}
    best: Part | None = None


class Rights(IntFlag):
    READ = 1
    WRITE = 2


class Root(RootModel[list[Hiding]]):
    pass


class Row(BaseModel):
    item: str
    quantity: int = 0


class Rows(BaseModel):
    items: list[Row]


class Sample(BaseModel):
    code: str
    language: str
    score: int


class Script(BaseModel):
    title: str
    body: str
    score: int
    tags: list[str] = []


class Sealed(BaseModel):
    model_config = ConfigDict(strict=True, frozen=True)
    data: bytes
    day: date
    marks: frozenset[int]


class Seeds(BaseModel):
    seeds: list[Seed]


class Server(BaseModel):
    settings: Endpoint = Endpoint()


class Setup(BaseModel):
    host: str = "localhost"
    port: int = 80
    mode: Literal["fast", "slow"] = "fast"
    tags: list[str] = []


class Severity(IntEnum):
    LOW = 1
    MEDIUM = 2
    HIGH = 3


class Shared(BaseModel):
    n: int
    words: list[str]
    part: Part5
    verdict: Verdict2


class Sheet(BaseModel):
    title: str
    tags: list[str] = []
    cells: list[Cell] = []
    cell: Cell | None = None
    votes: dict[str, int] = {}
    gauge: Gauge = Gauge()


class Shelf(BaseModel):
    label: str
    inner: Shelf | None = None


class Shoot(BaseModel):
    """Holds its own kind, in a list."""

    name: str
    weight: int
    twigs: list[Shoot] = []


class Lookup(BaseModel):
    kind: Literal["lookup"] = "lookup"
    query: str


class Rewrite(BaseModel):
    kind: Literal["rewrite"] = "rewrite"
    path: str


class Moves(BaseModel):
    moves: list[Annotated[Lookup | Rewrite, Field(discriminator="kind")]]


class Short(BaseModel):
    headline: str
    score: int
    pros: list[str] = []
    excerpt: str = ""


class Site(BaseModel):
    head: str
    html: str
    p: str


class Sized(enum.Enum):
    SMALL = (1, 2)
    LARGE = (3, 4)


class Sketch(BaseModel):
    shapes: list[Annotated[Circle | Box, Field(discriminator="type")]]


class Slot(BaseModel):
    held: Memo | Picture
    n: int = 0


class Snippet(BaseModel):
    title: str
    body: str
    score: int = 0


class Stage(BaseModel):
    name: str
    note: str | None = None
    stages: list[Stage] = []


class Stock(BaseModel):
    place: str
    counts: dict[str, int]
    parts: dict[str, Part] = {}
    code: int | str = 0


@called("Stock")
class Stock2(BaseModel):
    item: str
    qty: int


class Stocks(BaseModel):
    items: list[Stock2]


class Store(BaseModel):
    entries: dict[str, str]
    n: int = 0


class Street(BaseModel):
    street: str
    city: str


class Strict(BaseModel):
    model_config = ConfigDict(strict=True)
    x: int


class Swapped(BaseModel):
    a: int = Field(alias="b", ge=0)
    b: int = Field(alias="a", le=10)


class SwapsNames(BaseModel):
    first: int = Field(alias="second")
    second: int = Field(alias="first")


class Table(BaseModel):
    rows: list[list[str]]
    count: int = 0


@called("Task")
class Task2(BaseModel):
    title: str
    done: bool = False
    text: str = ""
    subtasks: list[Task2] = []


class Teams(BaseModel):
    teams: list[list[Member]]


class Term(BaseModel):
    """Holds its own kind, in fields."""

    op: str
    left: Term | None = None
    right: Term | None = None
    value: int | None = None


class TextOrList(BaseModel):
    value: str | list[str]


class TextOrPointed(BaseModel):
    value: str | Pointed


class Thread(BaseModel):
    """What Review has none of: recursion, a map, a union."""

    name: str
    replies: list[Thread] = []
    votes: dict[str, int] = {}
    shown: Photo | Part | str | None = None


class Ticket(BaseModel):
    """Texts, a list of them and what may be absent."""

    title: str
    labels: list[str] = []
    n: int | None = None


class Titled(BaseModel):
    title: str
    score: int


class ToDo(BaseModel):
    title: str
    done: bool = False
    steps: list[str] = []


class ToDos(BaseModel):
    todos: list[ToDo]


class Todo(BaseModel):
    todo: str
    done: bool


class Wait(BaseModel):
    type: Literal["wait"]


class Told(BaseModel):
    given: Outer | Wait


class Tree(BaseModel):
    name: str = Field(exclude=True)
    below: list[Tree] = Field(default=[], exclude=True)


@called("Tree")
class Tree2(BaseModel):
    leaf: str = ""
    branches: list[Tree2] = []


@called("Tree")
class Tree3(BaseModel):
    left: Tree3 | None
    n: int


class Trip(BaseModel):
    name: str
    legs: list[tuple[int, int]] = []


class TurnsNamesIntoAliases(BaseModel):
    """As clients made from OpenAPI do."""

    model_config = ConfigDict(extra="allow")
    schema_: str = Field(alias="schema")

    @model_validator(mode="before")
    @classmethod
    def renamed(cls, data: Any) -> Any:
        return {"schema" if name == "schema_" else name: held for name, held in data.items()}


class Twig(BaseModel):
    name: str
    text: str
    children: list[Twig] = []


class Twinned(BaseModel):
    file_name: str
    filename: str


class Twins(IntEnum):
    OK = 1
    SUCCESS = 1
    BAD = 2


class Typed(BaseModel):
    type: Literal["typed"]
    text: str


@called("Typed")
class Typed2(TypedDict):
    hidden: Annotated[bytes, Field(exclude=True)]


class Variables(BaseModel):
    env: dict[str, str]


seen: list[Any] = []


class Watched(BaseModel):
    order: str
    text: str

    @field_validator("order")
    @classmethod
    def look(cls, order: str) -> str:
        seen.append(gc.isenabled())
        if order == "raise":
            raise LookupError(order)
        assert order != "refuse"
        return order


class Whole(BaseModel):
    x: int

    @model_validator(mode="before")
    @classmethod
    def seen(cls, data: Any) -> Any:
        """Sees the input."""
        assert type(data["x"]) is int
        return data


class WritesAliases(BaseModel):
    model_config = ConfigDict(extra="allow")
    kind: Literal["b"]
    format_: int = Field(alias="format")

    @model_serializer(mode="wrap")
    def by_alias(self, handler: Any) -> Any:
        return {"format" if name == "format_" else name: held for name, held in handler(self).items()}


class WritesTexts(BaseModel):
    count: int
    ready: bool
    fields: list[str] = []  # called as what core schemas call theirs

    @field_serializer("count")
    def text(self, value: int) -> str:
        return str(value)


class PolicyPart(BaseModel):
    label: str
    points: int


class PolicyReview(BaseModel):
    headline: str
    score: int
    price: float | None = None
    recommended: bool
    verdict: Literal["good", "mixed", "bad"]
    pros: list[str] = []
    excerpt: str = ""
    parts: list[PolicyPart] = []


USED_IN_ROWS = (
    Annotated,
    Any,
    Decimal,
    EncodedBytes,
    EncodedStr,
    Enum,
    Field,
    Literal,
    Secret,
    SecretBytes,
    SecretStr,
    UUID,
    create_model,
)
"""Names that the types of rows are written with, beside the models."""

MODELS: dict[str, Any] = {
    name: kind for name, kind in list(globals().items()) if isinstance(kind, type) and kind.__module__ == __name__
}
"""The models by the names that rows know them by."""
