"""Units of numbers against those that fields ask for."""

import pytest
from pydantic import BaseModel, Field

from structured_response import StructuredResponse
from structured_response.parse.scalars.units import contradicted

CONTRADICTED = [
    ("height_cm", None, "1.73 m", ("m", "cm")),
    ("heightCm", None, "68 inches", ("inches", "cm")),
    ("height", "Height in cm", "1.73m", ("m", "cm")),
    ("weight", "The weight (kg)", "160 lbs", ("pounds", "kg")),
    ("timeout_ms", None, "3 s", ("s", "ms")),
    ("temp_c", None, "70 \u00b0F", ("Fahrenheit", "Celsius")),
    ("price_usd", None, "12 EUR", ("EUR", "USD")),
    ("cm", None, "1 m", ("m", "cm")),
    ("hours", None, "150 minutes", ("minutes", "hours")),
    ("temperature", "in \u00b0C", "45.5 \u00b0F", ("Fahrenheit", "Celsius")),
    ("age", None, "18 months", ("months", "years")),
    ("age", None, "born in 1990", ("a year", "years")),
    ("percent", None, "50 basis points", ("basis points", "percent")),
    ("cents", None, "$4", ("whole money", "cents")),
]


@pytest.mark.parametrize(("name", "description", "text", "units"), CONTRADICTED)
def test_another_unit_of_the_same_contradicts(
    name: str, description: str | None, text: str, units: tuple[str, str]
) -> None:
    """By the end of a name or by a description."""
    assert contradicted(name, description, text) == units


QUIET = [
    ("height_cm", None, "173 cm"),
    ("height_cm", None, "173 centimetres"),
    ("height_cm", None, "173"),
    ("height", None, "1.73 m"),
    ("height", "in cm (m if above 10 m)", "12 m"),
    ("speed_km", None, "12 m/s"),
    ("height_cm", None, "173 points"),
    ("price_usd", None, "12 kg"),
    ("c", None, "1 F"),
    ("min", None, "1 hour"),
    ("age", "in months", "18 months"),
    ("cents", None, "450 cents"),
]


@pytest.mark.parametrize(("name", "description", "text"), QUIET)
def test_nothing_contradicts(name: str, description: str | None, text: str) -> None:
    """The same unit, none, none that is asked for, two, or one of something else."""
    assert contradicted(name, description, text) is None


class Person(BaseModel):
    height_cm: float
    weight: float = Field(0, description="in kg")


def test_a_number_in_another_unit_is_a_problem() -> None:
    """Nothing is converted, and nothing left off that makes another number of it."""
    reply = "<person><height_cm>1.73 m</height_cm><weight>70 kg</weight></person>"
    read = StructuredResponse.from_basemodel(Person).parse(reply, strict=False)
    assert [(problem.path, problem.message) for problem in read.problems] == [
        ("$.height_cm", "not a float: in m, where cm is asked for")
    ]
    assert read.to_dict()["weight"] == 70
