"""What a model keeps out of its own JSON is asked for, and so it is written and comes back."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import Annotated, Any

import pytest
from pydantic import Field, Secret, SecretBytes, SecretStr, create_model
from pydantic.dataclasses import dataclass as pydantic_dataclass

from structured_response import InstanceError, StructuredResponse
from tests.corpus.models import Hiding, Others, Root, Tree
from tests.corpus.models import Typed2 as Typed


@pydantic_dataclass
class Data:
    hidden: set[str] = Field(exclude=True)


@pydantic_dataclass(slots=True)
class Slots:
    hidden: str = Field(exclude=True)


@dataclass
class Plain:
    held: Hiding


HIDING = Hiding(hidden="x")
COME_BACK: list[tuple[Any, Any]] = [
    (Hiding, HIDING),
    (list[Hiding], [HIDING, Hiding(shown=2, hidden="y")]),
    (tuple[int, Hiding], (1, HIDING)),
    (set[Hiding], {HIDING, Hiding(shown=2, hidden="y")}),
    (dict[str, Hiding | None], {"a": HIDING, "b": None}),
    (tuple[list[Hiding] | None, dict[str, Hiding] | None, tuple[Hiding] | None], (None, None, None)),
    (Others | Hiding, HIDING),
    (Others | Hiding, Others(other="o")),
    (Others | list[Hiding] | dict[str, Hiding], [HIDING]),
    (Others | list[Hiding] | dict[str, Hiding], {"a": HIDING}),
    (Root, Root([HIDING])),
    (Tree, Tree(name="a", below=[Tree(name="b", below=[Tree(name="c")])])),
    (Data, Data({"b", "a"})),
    (Slots, Slots("x")),
    (Plain, Plain(HIDING)),
    (Typed, {"hidden": b"\xff"}),
    (SecretStr, SecretStr("pass word ")),
    (SecretBytes, SecretBytes("pässword".encode())),
    (list[Secret[int] | None], [Secret(3), None]),
    (dict[str, SecretStr], {"a": SecretStr("b")}),
    (Annotated[SecretStr, Field(exclude=True)], SecretStr("b")),
]


@pytest.mark.parametrize(("kind", "value"), COME_BACK, ids=[str(number) for number in range(len(COME_BACK))])
def test_what_a_model_hides_comes_back(kind: Any, value: Any) -> None:
    """As text, and from a cache, with nothing to mend."""
    filled = create_model("Holder", held=(kind, ...))(held=value)
    response = StructuredResponse.from_basemodel(filled)
    read = response.parse(str(response))
    assert read.repairs == []
    assert read.to_basemodel() == filled
    assert StructuredResponse.deserialize(response.serialize(), model=type(filled)).to_basemodel() == filled


@pytest.mark.skipif("exclude_if" not in inspect.signature(Field).parameters, reason="needs a later Pydantic")
@pytest.mark.parametrize("value", [0, 1])
def test_what_is_excluded_by_its_value_comes_back(value: int) -> None:
    """Such a field is there for some values and not for others."""
    filled = create_model("Holder", held=(int, Field(exclude_if=lambda number: number == 0)))(held=value)
    response = StructuredResponse.from_basemodel(filled)
    assert response.parse(str(response)).to_basemodel() == filled


class Client:
    """Something that no JSON can hold."""


def test_what_json_cannot_hold_is_left_out_where_there_is_a_default() -> None:
    """As the model itself leaves it out; where it is required nobody could do without it."""
    able = create_model("Able", name=(str, ...), client=(Any, Field(None, exclude=True)))
    assert StructuredResponse.from_basemodel(able(name="a", client=Client())).to_dict() == {"name": "a"}
    needy = create_model("Needy", name=(str, ...), client=(Any, Field(exclude=True)))
    with pytest.raises(InstanceError, match="Client"):
        StructuredResponse.from_basemodel(needy(name="a", client=Client()))


def test_the_default_of_a_secret_is_in_no_definition() -> None:
    """Definitions and prompts are for others to see; an instance holds what somebody gave."""
    model = create_model("Holder", held=(SecretStr, SecretStr("swordfish")))
    response = StructuredResponse.from_basemodel(model)
    assert "swordfish" not in f"{response.definition} {response.to_prompt()} {response.serialize()}"


def test_secret_bytes_that_are_no_text_are_an_error() -> None:
    """They are asked for as a text."""
    with pytest.raises(InstanceError, match="holds what JSON cannot"):
        StructuredResponse.from_basemodel(create_model("Holder", held=(SecretBytes, ...))(held=b"\xff"))
