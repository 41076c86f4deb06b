"""The models of the corpus, one for each shape that damage meets, and their shapes in terms of our own.

A `Shape` is worked out from the annotations alone, with nothing of the package: the corpus examines it.
"""

from __future__ import annotations

import re
import types
from dataclasses import dataclass, replace
from datetime import date
from enum import Enum
from functools import cache
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel, Field, TypeAdapter
from pydantic.fields import FieldInfo


class Status(Enum):
    PENDING = "pending"
    SHIPPED = "shipped"
    DELIVERED = "delivered"


class Order(BaseModel):
    order_number: int
    customer: str
    status: Status
    total: float
    ordered: date
    express: bool
    weight: float
    remark: str = ""
    discount: float | None = None


class Verdict(Enum):
    GOOD = "good"
    MIXED = "mixed"
    BAD = "bad"


class Part(BaseModel):
    label: str
    points: int


class Review(BaseModel):
    headline: str
    score: int = Field(ge=1, le=5)
    price: float | None = None
    recommended: bool
    verdict: Verdict
    pros: list[str] = []
    excerpt: str = ""
    parts: list[Part] = []


class Person(BaseModel):
    name: str
    email: str
    age: int


class Budget(BaseModel):
    amount: float
    currency: Literal["EUR", "USD", "CHF"]


class Project(BaseModel):
    title: str
    owner: Person
    budget: Budget
    deadline: date
    active: bool
    summary: str


class Task(BaseModel):
    action: str
    hours: int
    done: bool


class Section(BaseModel):
    heading: str
    pages: int
    tasks: list[Task]


class Report(BaseModel):
    subject: str
    sections: list[Section]
    keywords: list[str]
    votes: list[int]
    approved: bool


class Tutorial(BaseModel):
    title: str
    html: str
    code: str
    notes: str
    latex: str
    minutes: int
    steps: list[str]


class Card(BaseModel):
    kind: Literal["card"]
    holder: str
    expires: date


class Transfer(BaseModel):
    kind: Literal["transfer"]
    iban: str
    reference: str


class Address(BaseModel):
    street: str
    city: str


class Online(BaseModel):
    url: str
    passcode: int


class Booking(BaseModel):
    guest: str
    payment: Annotated[Card | Transfer, Field(discriminator="kind")]
    place: Address | Online
    voucher: int | str
    checked: date | None = None
    nights: int


class Product(BaseModel):
    price: float
    colour: str


class Inventory(BaseModel):
    warehouse: str
    stock: dict[str, int]
    products: dict[str, Product]
    audited: bool


class Outline(BaseModel):
    caption: str
    weight: int
    children: list[Outline] = []


class Line(BaseModel):
    article: str
    quantity: int = Field(alias="qty")


class Invoice(BaseModel):
    number: str = Field(alias="invoiceNumber")
    due: date = Field(alias="dueDate")
    net: float = Field(alias="netAmount")
    paid: bool = Field(alias="isPaid")
    lines: list[Line] = Field(alias="positions")


class Profile(BaseModel):
    name: str
    nickname: str | None
    biography: str | None = None
    employer: str | None = None
    birthyear: int | None
    followers: int


TYPES: dict[str, Any] = {
    **{
        model.__name__: model
        for model in (Order, Review, Project, Report, Tutorial, Booking, Inventory, Outline, Invoice, Profile)
    },
    "TaskList": list[Task],
}
"""What a case may ask for, by the name of its root."""


@dataclass(frozen=True)
class Shape:
    """What a value looks like: `kind` is str, int, float, bool, date, enum, object, list, map or union."""

    kind: str
    name: str = ""
    nullable: bool = False
    model: type[BaseModel] | None = None
    item: Shape | None = None
    options: tuple[Shape, ...] = ()
    choices: tuple[tuple[str, str], ...] = ()  # the members' names and values

    @property
    def is_text(self) -> bool:
        """Whether its element holds text and no elements."""
        return self.kind not in {"object", "list", "map"} and not (self.kind == "union" and self.has_objects)

    @property
    def has_objects(self) -> bool:
        return any(option.kind == "object" for option in self.options)

    @property
    def fields(self) -> dict[str, FieldShape]:
        return _fields(self.model) if self.model is not None else {}


@dataclass(frozen=True)
class FieldShape:
    name: str
    shape: Shape
    required: bool
    default: Any = None
    alias: str | None = None


@cache
def _fields(model: type[BaseModel]) -> dict[str, FieldShape]:
    return {name: _field(name, info) for name, info in model.model_fields.items()}


def _field(name: str, info: FieldInfo) -> FieldShape:
    default = None if info.is_required() else info.get_default(call_default_factory=True)
    return FieldShape(name, shape_of(info.annotation), info.is_required(), default, info.alias)


def shape_of(annotation: Any) -> Shape:
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return shape_of(arguments[0])
    if origin in {Union, types.UnionType}:
        return _union(arguments)
    if origin is list:
        return Shape("list", item=shape_of(arguments[0]))
    if origin is dict:
        return Shape("map", item=shape_of(arguments[1]))
    if origin is Literal:
        return Shape("enum", choices=tuple((value, value) for value in arguments))
    return _of_class(annotation)


def _union(arguments: tuple[Any, ...]) -> Shape:
    options = tuple(shape_of(each) for each in arguments if each is not type(None))
    nullable = len(options) < len(arguments)
    if len(options) == 1:
        return replace(options[0], nullable=nullable)
    return Shape("union", options=options, nullable=nullable)


def _of_class(cls: type) -> Shape:
    if issubclass(cls, BaseModel):
        return Shape("object", name=cls.__name__, model=cls)
    if issubclass(cls, Enum):
        return Shape("enum", name=cls.__name__, choices=tuple((each.name, each.value) for each in cls))
    return Shape(cls.__name__)


@cache
def root_shape(name: str) -> Shape:
    return replace(shape_of(TYPES[name]), name=name)


@cache
def adapter(name: str) -> TypeAdapter[Any]:
    """What validates data of a root."""
    return TypeAdapter(TYPES[name])


def snake(name: str) -> str:
    """`TaskList` -> `task_list`, as the prompt writes a class's name."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


@cache
def known_names(name: str) -> frozenset[str]:
    """Every name that is markup somewhere in a root's definition: fields, aliases, classes, items."""
    names, todo, seen = {snake(name), "li", "item", "entry", "key", "value"}, [root_shape(name)], set()
    while todo:
        shape = todo.pop()
        if shape in seen:
            continue
        seen.add(shape)
        names.update(snake(shape.name) for _ in (1,) if shape.name)
        names.update(shape.fields)
        names.update(field.alias for field in shape.fields.values() if field.alias)
        todo += [field.shape for field in shape.fields.values()] + list(shape.options)
        todo += [shape.item] if shape.item else []
    return frozenset(each for each in names if each)


def fill(shape: Shape, data: Any) -> Any:
    """The data with every field that is absent at its default, else None, as an instance shows it."""
    if shape.kind == "object" and isinstance(data, dict):
        return {
            field.name: fill(field.shape, data[field.name]) if field.name in data else field.default
            for field in shape.fields.values()
        }
    if shape.kind == "list" and shape.item is not None and isinstance(data, list):
        return [fill(shape.item, item) for item in data]
    if shape.kind == "map" and shape.item is not None and isinstance(data, dict):
        return {key: fill(shape.item, item) for key, item in data.items()}
    return data
