"""Clean replies of a wanted size, with the data that they say."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pydantic import BaseModel, create_model

from benchmarks.models import Shape
from structured_response import StructuredResponse

SMALL = 1_000
MEDIUM = 10_000
LARGE = 1_000_000


@dataclass(frozen=True)
class Workload:
    """One reply, `xml`, as the library itself writes `instance`."""

    shape: Shape
    instance: BaseModel
    xml: str

    @property
    def model(self) -> type[BaseModel]:
        return type(self.instance)

    @cached_property
    def json(self) -> str:
        return self.instance.model_dump_json()

    @cached_property
    def data(self) -> dict[str, Any]:
        return self.instance.model_dump(mode="json")

    @cached_property
    def fenced(self) -> str:
        """The reply as a chat model likes to dress it."""
        return f"Sure, here is the answer you asked for:\n\n```xml\n{self.xml}\n```\n"

    def response(self) -> StructuredResponse[Any]:
        return StructuredResponse.from_basemodel(self.model)


def build(shape: Shape, characters: int) -> Workload:
    """Data of `shape` whose XML has about so many characters."""
    short, long = len(_write(shape, shape.make(2))), len(_write(shape, shape.make(12)))
    units = 2 + round((characters - short) / ((long - short) / 10))
    instance = shape.make(max(1, units))
    return Workload(shape, instance, _write(shape, instance))


def _write(shape: Shape, instance: BaseModel) -> str:
    return str(StructuredResponse.from_basemodel(_turned(instance) if shape.turned else instance))


def _turned(instance: BaseModel) -> BaseModel:
    """The same data in a model of the same name whose fields stand in reverse."""
    fields: dict[str, Any] = {
        name: (field.annotation, field) for name, field in reversed(type(instance).model_fields.items())
    }
    turned: type[BaseModel] = create_model(type(instance).__name__, **fields)
    return turned.model_validate(instance.model_dump())
