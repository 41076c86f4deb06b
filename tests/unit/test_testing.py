"""The strategies for users' own tests: what they draw is what `parse` reads, to the last character."""

import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from hypothesis import HealthCheck, Phase, find, given, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable
from pydantic import BaseModel, Field, TypeAdapter, field_validator

from benchmarks.robustness.models import Part
from structured_response import DefinitionError, InstanceError, StructuredResponse
from structured_response.testing import DAMAGES, damaged_replies, instances, models, replies, texts

EXAMPLES = settings().max_examples
ROOT = Path(__file__).resolve().parent.parent.parent


class Review(BaseModel):
    headline: str
    score: int = Field(ge=1, le=5)
    price: float | None
    recommended: bool
    verdict: Literal["good", "mixed", "bad"]
    pros: list[str] = []
    published: date
    parts: list[Part] = []


FULL = Review(
    headline="Nice",
    score=4,
    price=None,
    recommended=True,
    verdict="mixed",
    pros=["light", "cheap"],
    published=date(2024, 3, 2),
    parts=[Part(label="a", points=1)],
)


class Folder(BaseModel):
    name: str
    size: Annotated[int, Field(ge=0, multiple_of=512)]
    inner: "list[Folder]" = []
    parent: "Folder | None" = None


class Sum(BaseModel):
    left: "Sum | Product | int"
    right: "Sum | Product | int"


class Product(BaseModel):
    factors: "list[Sum | int]" = Field(min_length=1, max_length=2)


class Shouted(BaseModel):
    word: str
    count: int

    @field_validator("count")
    @classmethod
    def is_odd(cls, count: int) -> int:
        """Refuses half of what the type allows."""
        if count % 2 == 0:
            raise ValueError("even")
        return count


class Bounded(BaseModel):
    code: str = Field(pattern=r"^[A-Z]{2}-\d{3}$")
    name: str = Field(min_length=5, max_length=9)
    rate: float = Field(gt=0, lt=1)
    cost: Decimal = Field(gt=0, le=Decimal("99.99"))
    day: date = Field(ge=date(2024, 1, 1), lt=date(2024, 3, 1))
    tags: set[str] = Field(min_length=2, max_length=3)
    votes: dict[int, bool] = Field(min_length=1)


class Endless(BaseModel):
    next: "Endless"


@dataclass
class Point:
    x: int
    y: float


OWN: dict[str, Any] = {
    "Review": Review,
    "Folder": Folder,
    "Sum": Sum,
    "Shouted": Shouted,
    "Bounded": Bounded,
    "a dataclass": Point,
    "a list": list[Part],
    "a map": dict[str, Part],
    "a number": int,
    "a union": Part | int,
    "anything": dict[str, Any],
}


@cache
def once(make: Callable[..., st.SearchStrategy[Any]], *arguments: Any) -> st.SearchStrategy[Any]:
    """A strategy that is made once, as in a user's test: it takes longer to make than a reply to draw."""
    return make(*arguments)


@cache
def responds(described: Any) -> StructuredResponse[Any]:
    """The response of a type."""
    is_model = isinstance(described, type) and issubclass(described, BaseModel)
    return StructuredResponse.from_basemodel(described) if is_model else StructuredResponse.from_type(described)


# Models and instances


@given(models())
def test_models_can_be_described(model: type[BaseModel]) -> None:
    """Each is asked for as a whole: every field stands in the definition, and the prompt can be made."""
    response = StructuredResponse.from_basemodel(model)
    assert set(response.definition) == set(model.model_fields)
    assert response.to_prompt()


@given(models(depth=0))
def test_models_of_depth_0_hold_no_models(model: type[BaseModel]) -> None:
    """`depth` bounds how deep models stand in models."""
    assert "$defs" not in model.model_json_schema() or all(
        "properties" not in shape for shape in model.model_json_schema()["$defs"].values()
    )


FEW = settings(max_examples=5_000, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
"""For what has to be drawn at some time: the first that fits is enough, none smaller is looked for."""


def test_models_nest() -> None:
    """There are models in models."""
    nests: list[bool] = []

    @settings(max_examples=200, phases=[Phase.generate])  # `find` would print it, which takes up to a minute
    @given(models())
    def collect(model: type[BaseModel]) -> None:
        nests.append(_has_models(model))

    collect()
    assert any(nests)


def _has_models(model: type[BaseModel]) -> bool:
    kinds = [field.annotation for field in model.model_fields.values()]
    return any(isinstance(kind, type) and issubclass(kind, BaseModel) for kind in kinds)


@pytest.mark.parametrize("name", OWN)
@given(data=st.data())
@settings(max_examples=EXAMPLES // 6)
def test_instances_satisfy_the_type(name: str, data: st.DataObject) -> None:
    """Of models and of any other type, recursive ones and such with validators too."""
    drawn = data.draw(once(instances, OWN[name]))
    adapter = TypeAdapter(OWN[name])
    assert adapter.validate_json(adapter.dump_json(drawn)) == drawn


@settings(max_examples=EXAMPLES // 3)
@given(st.data(), models())
def test_instances_of_any_model(data: st.DataObject, model: type[BaseModel]) -> None:
    """Of random models too, and each equals itself: there is no NaN."""
    drawn = data.draw(instances(model))
    assert type(drawn) is model
    assert model.model_validate(drawn.model_dump()) == drawn


def test_instances_reach_what_a_type_allows() -> None:
    """None and a value, an empty list and a full one, each choice, markup in texts, a field left at its default."""
    for fits in (
        lambda review: review.price is None and not review.pros,
        lambda review: review.price is not None and len(review.parts) == 2,
        lambda review: review.verdict == "bad" and review.score == 5,
        lambda review: "<" in review.headline and "&" in review.headline,
        lambda review: "pros" not in review.model_fields_set or not review.pros,
    ):
        assert fits(find(instances(Review), fits, settings=FEW))


def test_instances_that_no_text_ends() -> None:
    """A model that needs another one of itself has none, and what cannot be described neither."""
    with pytest.raises(DefinitionError, match="no instance of Endless ends"):
        instances(Endless)
    with pytest.raises(DefinitionError):
        instances(object())


@given(texts(5))
def test_texts_are_short_and_can_be_encoded(text: str) -> None:
    """At most as long as asked for, and never half of a surrogate pair."""
    assert len(text) <= 5
    assert text.encode().decode() == text


# Replies


def are_read_back(data: st.DataObject, model: type[BaseModel], pairs: st.SearchStrategy[Any], count: int) -> None:
    """Draws as many replies of a model, which takes longer to make and to compile than a reply to read."""
    response = StructuredResponse.from_basemodel(model)
    for _ in range(count):
        instance, reply = data.draw(pairs)
        assert response.parse(reply).to_basemodel() == instance


@settings(max_examples=EXAMPLES // 2)
@given(st.data(), models())
def test_replies_are_read_back(data: st.DataObject, model: type[BaseModel]) -> None:
    """A reply of any model says exactly the instance that it was drawn with."""
    are_read_back(data, model, replies(model), 2)


MENDED = {"unescaped"}
"""Repairs that a reply without a fault may need: of characters that XML wants escaped and nobody mistakes."""


@pytest.mark.parametrize("name", OWN)
@given(data=st.data())
@settings(max_examples=EXAMPLES // 6)
def test_replies_of_own_types_are_read_back(name: str, data: st.DataObject) -> None:
    """Of models and of any other type, and nothing but bare text needs a repair."""
    instance, reply = data.draw(once(replies, OWN[name]))
    read = responds(OWN[name]).parse(reply)
    assert read.to_basemodel() == instance
    assert {repair.kind for repair in read.repairs} <= MENDED


REPLIES: dict[str, Callable[[str], bool]] = {
    "prose": lambda reply: reply.startswith("Sure!"),
    "a fence": lambda reply: reply.startswith("```xml"),
    "one line": lambda reply: "\n" not in reply,
    "indentation": lambda reply: "\n    <headline>" in reply,
    "another order": lambda reply: 0 < reply.find("<parts>") < reply.find("<headline>"),
    "CDATA": lambda reply: "<headline><![CDATA[" in reply,
    "references": lambda reply: "&quot;" in reply,
    "bare text": lambda reply: "<li>R&D</li>" in reply,
    "bare markup": lambda reply: '<headline>A <b>"5"</b>' in reply,
}


@pytest.mark.parametrize("variation", REPLIES)
def test_replies_vary(variation: str) -> None:
    """Each variation that is promised is drawn, of an instance that has a place for it."""
    varied = FULL.model_copy(update={"headline": 'A <b>"5"</b>', "pros": ["R&D"]})
    assert find(replies(varied), lambda pair: REPLIES[variation](pair[1]), settings=FEW)


ONE = Review(
    headline="R&D: <b>5</b>", score=4, price=None, recommended=True, verdict="mixed", published=date(2024, 3, 2)
)


@given(replies(ONE), replies(StructuredResponse.from_basemodel(ONE)))
@settings(max_examples=EXAMPLES // 3)
def test_replies_of_an_instance_say_that_one(first: tuple[Review, str], second: tuple[Review, str]) -> None:
    """Of an instance and of a response that holds one."""
    for instance, reply in (first, second):
        assert instance == ONE
        assert responds(Review).parse(reply).to_basemodel() == ONE


@given(replies(Point(3, 0.5)))
@settings(max_examples=EXAMPLES // 6)
def test_replies_of_a_dataclass(pair: tuple[Point, str]) -> None:
    """An instance of a dataclass stands for itself too."""
    assert responds(Point).parse(pair[1]).to_basemodel() == pair[0] == Point(3, 0.5)


SMALL = StructuredResponse.from_definition("Small", {"label": {"type": "str"}, "votes": {"type": "int", "ge": 2}})
REDUCED = StructuredResponse.from_basemodel(Review).select(include=["headline", "parts.points"])


@pytest.mark.parametrize("response", [SMALL, REDUCED], ids=["by hand", "selected"])
@given(data=st.data())
@settings(max_examples=EXAMPLES // 6)
def test_replies_without_a_model_say_data(response: StructuredResponse[Any], data: st.DataObject) -> None:
    """Where no model judges the whole, the instance is plain data."""
    for strategy in (replies, damaged_replies):
        instance, reply = data.draw(strategy(response))
        assert response.parse(reply).to_dict() == instance


def test_replies_of_an_instance_that_is_none() -> None:
    """An instance that its model refuses is refused, at once."""
    with pytest.raises(InstanceError):
        replies(Review.model_construct(headline=3))


# Damage


@settings(max_examples=EXAMPLES // 2, suppress_health_check=list(HealthCheck))
@given(st.data(), models())
def test_damaged_replies_are_read_back(data: st.DataObject, model: type[BaseModel]) -> None:
    """Whatever was done to a reply of any model, it says exactly the instance that it was drawn with."""
    are_read_back(data, model, damaged_replies(model), 4)


@pytest.mark.parametrize("damage", DAMAGES)
@given(data=st.data())
@settings(max_examples=EXAMPLES // 10, suppress_health_check=list(HealthCheck))
def test_each_damage_is_read_back(damage: str, data: st.DataObject) -> None:
    """Each damage alone finds a place in a plain model, changes the reply and is read."""
    instance, reply = data.draw(once(damaged_replies, Review, (damage,)))
    assert responds(Review).parse(reply).to_basemodel() == instance


@pytest.mark.parametrize("name", OWN)
@given(data=st.data())
@settings(max_examples=EXAMPLES // 6, suppress_health_check=list(HealthCheck))
def test_damaged_replies_of_own_types_are_read_back(name: str, data: st.DataObject) -> None:
    """Of models and of any other type."""
    instance, reply = data.draw(once(damaged_replies, OWN[name]))
    assert responds(OWN[name]).parse(reply).to_basemodel() == instance


SHOWN = {
    "attributes_echoed": "<score type='int'>",
    "closer_doubled": "</score></score>",
    "closer_missing": "<score>4<",
    "closer_misspelt": "</scor>",
    "closer_unfinished": "</score\n",
    "comment": "<!-- next -->",
    "crlf": "\r\n",
    "element_unknown": "<confidence>",
    "fence_unclosed": "```xml",
    "items_renamed": "<item>",
    "name_respelled": "<SCORE>",
    "null_word": "<price>None</price>",
    "opener_as_closer": "<score>4<score>",
    "reasoning": "</scratchpad>",
    "root_missing": "<score>",
    "root_renamed": "<result>",
    "root_unclosed": "<review>",
    "value_decorated": "**4**",
    "value_fenced": "```python",
    "wrapper": "<result>\n<review>",
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_each_damage_is_done(damage: str) -> None:
    """Each leaves its mark, and no reply is as it was."""
    _, reply = find(damaged_replies(FULL, [damage]), lambda pair: SHOWN[damage] in pair[1], settings=FEW)
    if damage == "root_missing":
        assert "review>" not in reply
    if damage == "root_unclosed":
        assert "</review>" not in reply


def test_damages_are_named() -> None:
    """A name that is none, and none at all, are refused at once; a damage without a place draws nothing."""
    with pytest.raises(ValueError, match=r"damages are some of .*; not tea"):
        damaged_replies(Review, ["crlf", "tea"])
    with pytest.raises(ValueError, match="none of them"):
        damaged_replies(Review, [])
    few = settings(max_examples=50, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
    with pytest.raises(Unsatisfiable):
        find(damaged_replies(str, ["value_decorated"]), lambda pair: True, settings=few)


# The extra

WITHOUT = """
import sys
sys.modules["hypothesis"] = None
import structured_response
try:
    import structured_response.testing
except structured_response.MissingExtraError as error:
    print(error)
"""


def test_without_hypothesis_the_error_says_what_to_install() -> None:
    """The package works without it; this module names the command."""
    ran = subprocess.run([sys.executable, "-c", WITHOUT], cwd=ROOT, capture_output=True, text=True, check=False)
    said = 'hypothesis is not installed; install it with: pip install "structured-response-py[testing]"\n'
    assert (ran.stdout, ran.stderr) == (said, "")
