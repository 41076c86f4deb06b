"""The whole public surface of `StructuredResponse`, as a program uses it."""

import copy
import gc
import importlib.util
import json
import pickle
import re
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from box import Box
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict

from structured_response import (
    DefinitionError,
    InstanceError,
    Problem,
    ProblemKind,
    Repair,
    RepairKind,
    ReplyError,
    StructuredResponse,
)
from structured_response.read import LONG_REPLY
from tests.corpus.models import RAISED, Doubled, Guarded, Left, Nested, Numbers, Watched, seen
from tests.corpus.models import Part5 as Part
from tests.corpus.models import Review3 as Review
from tests.corpus.models import Verdict2 as Verdict

REPLY = """Here it is:
<review>
    <headline>Nice</headline>
    <score>4</score>
    <verdict>bad</verdict>
    <pros><li>light</li><li>cheap</li></pros>
    <parts><li><label>screen</label></li><li><label>case</label><points>3</points></li></parts>
</review>
Anything else?"""
DATA: dict[str, Any] = {
    "headline": "Nice",
    "score": 4,
    "verdict": "bad",
    "pros": ["light", "cheap"],
    "parts": [{"label": "screen"}, {"label": "case", "points": 3}],
}
SHOWN: dict[str, Any] = {
    "headline": "Nice",
    "score": 4,
    "price": None,
    "verdict": "bad",
    "pros": ["light", "cheap"],
    "parts": [{"label": "screen", "points": 1}, {"label": "case", "points": 3}],
}
MODEL = Review(
    headline="Nice",
    score=4,
    verdict=Verdict.BAD,
    pros=["light", "cheap"],
    parts=[Part(label="screen"), Part(label="case", points=3)],
)
NOT_REPLIES = [None, 5, 1.5, b"<review/>", bytearray(b"x"), ["<review/>"], {"headline": "x"}, object()]


MISFITS = [("score", "many"), ("headline", 5), ("nope", 1), ("pros", object())]


def review() -> StructuredResponse[Review]:
    """A response that asks for a review and has read nothing."""
    return StructuredResponse.from_basemodel(Review)


def read() -> StructuredResponse[Review]:
    """A response that has read `REPLY`."""
    return review().parse(REPLY)


def weather(shared: Path) -> type[BaseModel]:
    """The model of the contract."""
    spec = importlib.util.spec_from_file_location("contract_weather", shared / "contract" / "weather.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    model: type[BaseModel] = module.WeatherPrognosis
    return model


def state(response: StructuredResponse[Any]) -> tuple[Any, ...]:
    """All that can be seen of a response."""
    return (
        response.class_name,
        response.serialize(),
        str(response),
        repr(response),
        response.repairs,
        response.problems,
        response.to_prompt(),
    )


# The contract


def contract(shared: Path, name: str) -> str:
    """The text of one of the contract's files."""
    return (shared / "contract" / name).read_text(encoding="utf-8")


def test_contract_instance(shared: Path) -> None:
    """The contract's string form reads as the contract's instance, with nothing mended."""
    read = StructuredResponse.from_basemodel(weather(shared)).parse(contract(shared, "str.xml"))
    assert read.instance.to_dict() == json.loads(contract(shared, "instance.json"))
    assert json.dumps(read.instance, indent=2) == contract(shared, "instance.json").rstrip("\n")
    assert (read.repairs, read.problems) == ([], [])


@pytest.mark.parametrize("source", ["reply", "model", "instance"])
def test_contract_str(shared: Path, source: str) -> None:
    """The contract's instance is written as the contract's string form, wherever it came from."""
    model, data = weather(shared), json.loads(contract(shared, "instance.json"))
    if source == "reply":
        response = StructuredResponse.from_basemodel(model).parse(contract(shared, "str.xml"))
    elif source == "model":
        response = StructuredResponse.from_basemodel(model.model_validate(data))
    else:
        response = StructuredResponse.from_basemodel(model)
        response.instance.update(data)
    assert str(response) == contract(shared, "str.xml").rstrip("\n")


def test_contract_definition_and_prompt(shared: Path) -> None:
    """Definition and prompt are the contract's, the order of keys included."""
    response = StructuredResponse.from_basemodel(weather(shared))
    assert json.dumps(response.definition, indent=2) == contract(shared, "definition.json").rstrip("\n")
    assert response.to_prompt() == contract(shared, "prompt.xml").rstrip("\n")


# Making one


def test_an_empty_response() -> None:
    """Before anything was read, the instance is an empty Box and the text is empty."""
    response = review()
    assert response.class_name == "Review"
    assert isinstance(response.instance, Box)
    assert response.instance == {}
    assert response.to_dict() == {}
    assert str(response) == ""
    assert (response.repairs, response.problems) == ([], [])


def test_from_an_instance_of_a_model() -> None:
    """A response made from a model's instance holds its data, every field of it."""
    response = StructuredResponse.from_basemodel(MODEL)
    assert response.instance == SHOWN
    assert response.to_basemodel() == MODEL
    assert response.definition == review().definition


def test_each_call_gives_a_new_response() -> None:
    """Two responses of one model share their definition and no data."""
    first, second = review(), review()
    assert first is not second
    first.from_prompt(REPLY)
    assert first.instance.headline == "Nice"
    assert second.instance == {}


@pytest.mark.parametrize(
    "wrong", [None, 5, "Review", int, dict, list[Review], BaseModel, Verdict, Review.model_validate, object()]
)
def test_what_is_no_model(wrong: Any) -> None:
    """What is no Pydantic model is refused, and the message shows it."""
    with pytest.raises(DefinitionError, match="is needed"):
        StructuredResponse.from_basemodel(wrong)


@pytest.mark.parametrize(
    ("make", "given", "remedy"),
    [
        (
            StructuredResponse.from_type,
            Part(label="a", points=1),
            "give its class, Part",
        ),
        (StructuredResponse.from_type, [Review], "a list of tasks is list[Task]"),
        (StructuredResponse.from_type, "Review", "not 'Review'; give the type itself, without quotes"),
        (StructuredResponse.from_type, {"type": "object"}, "from_json_schema takes a JSON Schema"),
        (StructuredResponse.from_type, 5, "not 5; give its type"),
        (StructuredResponse.from_basemodel, list[Review], "from_type takes any other type"),
        (StructuredResponse.from_basemodel, Review | None, "from_type takes any other type"),
        (StructuredResponse.from_basemodel, "Review", "not 'Review'; give the type itself, without quotes"),
        (StructuredResponse.from_basemodel, [Review], "a list of tasks is list[Task]"),
    ],
)
def test_what_is_no_type_says_what_to_write(make: Any, given: Any, remedy: str) -> None:
    """A value in the place of a type is the error of this library, with the remedy in it."""
    with pytest.raises(DefinitionError, match=re.escape(remedy)):
        make(given)


class Holder(BaseModel):
    model_config = ConfigDict(arbitrary_types_allowed=True)
    anything: Any = None


@pytest.mark.parametrize("value", [object(), {"a": object()}, b"\xff", "\ud800", lambda: 1])
def test_an_instance_that_json_cannot_hold(value: Any) -> None:
    """A model's instance that JSON cannot hold is an `InstanceError`, not Pydantic's own error."""
    with pytest.raises(InstanceError):
        StructuredResponse.from_basemodel(Holder(anything=value)).serialize()


def test_an_instance_made_without_validation() -> None:
    """A model's instance whose values do not fit its fields is an `InstanceError` naming the path."""
    with pytest.raises(InstanceError, match=r"\$\.score"):
        StructuredResponse.from_basemodel(Review.model_construct(headline="x", score="many"))


# Reading


@pytest.mark.parametrize("strict", [True, False])
def test_parse_returns_a_new_response(strict: bool) -> None:
    """`parse` puts the data into a new response and leaves its own as it was."""
    response = review()
    before = state(response)
    fresh = response.parse(REPLY, strict)
    assert fresh is not response
    assert fresh.instance == SHOWN
    assert fresh.to_dict() == DATA
    assert fresh.to_basemodel() == MODEL
    assert state(response) == before


def test_from_prompt_fills_and_returns_the_response() -> None:
    """`from_prompt` puts the data into its own response and returns it."""
    response = review()
    assert response.from_prompt(REPLY) is response
    assert response.instance == SHOWN
    assert response == read()


def test_from_prompt_forgets_what_was_read_before() -> None:
    """A second reply replaces all of the first, findings and a Box that was looked at included."""
    response = review().from_prompt("<review><headline>a</headline><score>99</score><x>1</x></review>", strict=False)
    assert response.problems
    assert response.repairs
    old = response.instance
    response.from_prompt("<review><headline>b</headline><score>1</score></review>")
    assert response.to_dict() == {"headline": "b", "score": 1}
    assert (response.problems, response.repairs) == ([], [])
    old.headline = "changed"
    assert response.instance.headline == "b"


BAD_REPLIES = [
    "",
    "   \n\t",
    "Sure, one moment!",
    "<other><thing>1</thing></other>",
    "<review></review>",
    "<review><headline>x</headline></review>",
    "<review><headline>x</headline><score>many</score></review>",
    "<review><headline>x</headline><score>11</score></review>",
    "<review><headline>x</headline><score>1</score><verdict>ugly</verdict></review>",
    "<review><headline>x</headline><score>1</score><parts><li><points>3</points></li></parts></review>",
]


@pytest.mark.parametrize("reply", BAD_REPLIES)
@pytest.mark.parametrize("method", ["parse", "from_prompt"])
@pytest.mark.parametrize("looked_at", [True, False])
def test_a_reading_that_raises_changes_nothing(reply: str, method: str, looked_at: bool) -> None:
    """A response that could not read a reply still is what it was, its Box included."""
    response = read()
    if looked_at:
        response.instance.headline = "mine"
    before, box = state(response), response.instance
    with pytest.raises(ReplyError):
        getattr(response, method)(reply)
    assert state(response) == before
    assert response.instance is box


@pytest.mark.parametrize("reply", ["", "Sure, one moment!", "<other><thing>1</thing></other>"])
@pytest.mark.parametrize("strict", [True, False])
def test_no_data_at_all_raises_strict_or_not(reply: str, strict: bool) -> None:
    """A reply with no data raises in either mode; the error holds the reply and no response."""
    with pytest.raises(ReplyError) as caught:
        review().parse(reply, strict=strict)
    assert caught.value.reply == reply
    assert caught.value.response is None
    assert [problem.kind for problem in caught.value.problems] == [ProblemKind.NO_ANSWER]


LENIENT: dict[str, tuple[str, dict[str, Any], list[tuple[ProblemKind, str, str | None]]]] = {
    "missing": (
        "<review><headline>x</headline></review>",
        {"headline": "x"},
        [(ProblemKind.MISSING, "$.score", None)],
    ),
    "not a number": (
        "<review><headline>x</headline><score>many</score></review>",
        {"headline": "x", "score": None},
        [(ProblemKind.INVALID, "$.score", "many")],
    ),
    "out of range": (
        "<review><headline>x</headline><score>11</score></review>",
        {"headline": "x", "score": None},
        [(ProblemKind.INVALID, "$.score", "11")],
    ),
    "no such choice": (
        "<review><headline>x</headline><score>1</score><verdict>ugly</verdict></review>",
        {"headline": "x", "score": 1, "verdict": None},
        [(ProblemKind.INVALID, "$.verdict", "ugly")],
    ),
    "inside a list": (
        (
            "<review><headline>x</headline><score>1</score><parts><li><label>a</label><points>p</points></li>"
            "<li><points>2</points></li></parts></review>"
        ),
        {"headline": "x", "score": 1, "parts": [{"label": "a", "points": None}, {"points": 2}]},
        [(ProblemKind.INVALID, "$.parts[0].points", "p"), (ProblemKind.MISSING, "$.parts[1].label", None)],
    ),
    "all of them at once": (
        "<review><score>many</score><price>dear</price><verdict>ugly</verdict></review>",
        {"score": None, "price": None, "verdict": None},
        [
            (ProblemKind.MISSING, "$.headline", None),
            (ProblemKind.INVALID, "$.score", "many"),
            (ProblemKind.INVALID, "$.price", "dear"),
            (ProblemKind.INVALID, "$.verdict", "ugly"),
        ],
    ),
}


def by_path(problems: list[Problem]) -> list[tuple[str, ProblemKind, str | None]]:
    """Problems as comparable rows."""
    return sorted((problem.path, problem.kind, problem.found) for problem in problems)


@pytest.mark.parametrize(("reply", "data", "wanted"), LENIENT.values(), ids=LENIENT)
def test_bad_fields_without_strict(
    reply: str, data: dict[str, Any], wanted: list[tuple[ProblemKind, str, str | None]]
) -> None:
    """Without `strict`, bad fields hold None, stand in `problems`, and all else is there."""
    fresh = review().parse(reply, strict=False)
    assert fresh.to_dict() == data
    assert by_path(fresh.problems) == sorted((path, kind, found) for kind, path, found in wanted)


@pytest.mark.parametrize(("reply", "data", "wanted"), LENIENT.values(), ids=LENIENT)
def test_the_error_carries_what_could_be_read(
    reply: str, data: dict[str, Any], wanted: list[tuple[ProblemKind, str, str | None]]
) -> None:
    """A `ReplyError` has the reply, every problem, and a response with all that could be read."""
    with pytest.raises(ReplyError) as caught:
        review().parse(reply)
    error = caught.value
    assert isinstance(error, ValueError)
    assert error.reply == reply
    assert by_path(error.problems) == sorted((path, kind, found) for kind, path, found in wanted)
    assert error.response is not None
    assert error.response.to_dict() == data
    assert error.response.problems == error.problems
    assert error.response == review().parse(reply, strict=False)
    for _kind, path, _found in wanted:
        assert path in str(error)


def test_problems_say_where_in_the_reply() -> None:
    """A problem's span is the value in the reply as it came, prose before it counted."""
    reply = "Hé! <review><headline>x</headline><score> many </score></review>"
    (problem,) = review().parse(reply, strict=False).problems
    assert problem.span is not None
    start, end = problem.span
    assert reply[start:end].strip() == "many"
    assert problem.found == "many"


def test_repairs_are_on_record() -> None:
    """What was mended or left out is a `Repair` with path, span, before and after."""
    reply = "<review><headline>x</headline><score>+4</score><mood>fine</mood></review>"
    fresh = review().parse(reply)
    assert fresh.instance.score == 4
    start = reply.index("+4")
    number = Repair(RepairKind.VALUE_RESPELLED, "$.score", (start, start + 2), "+4", "4")
    assert number in fresh.repairs
    (skipped,) = [repair for repair in fresh.repairs if repair.kind is RepairKind.ELEMENT_SKIPPED]
    assert skipped.before == skipped.after


@pytest.mark.parametrize("name", ["repairs", "problems"])
def test_findings_are_the_callers_own(name: str) -> None:
    """Whoever changes the list of findings that a response gave out changes no response."""
    fresh = review().parse("<review><score>many</score><x>1</x></review>", strict=False)
    count = len(getattr(fresh, name))
    getattr(fresh, name).clear()
    assert len(getattr(fresh, name)) == count > 0


@pytest.mark.parametrize("reply", NOT_REPLIES, ids=lambda reply: type(reply).__name__)
@pytest.mark.parametrize("strict", [True, False])
def test_a_reply_that_is_no_str(reply: Any, strict: bool) -> None:
    """A reply that is no `str` is a mistake of the program, a `TypeError`, and changes nothing."""
    response = read()
    before = state(response)
    for method in (response.parse, response.from_prompt):
        with pytest.raises(TypeError, match=type(reply).__name__):
            method(reply, strict)
    assert state(response) == before


class Text(str):
    __slots__ = ()


def test_a_subclass_of_str_is_a_reply() -> None:
    """A `str` of a class of its own is read like any other."""
    assert review().parse(Text(REPLY)) == read()


# Validators of the user


@pytest.mark.parametrize("order", ["key", "runtime", "attribute", "os"])
@pytest.mark.parametrize("strict", [True, False])
def test_what_a_validator_raises_passes_through(order: str, strict: bool) -> None:
    """What a user's validator raises reaches the user as it is, and the response stays as it was."""
    response = StructuredResponse.from_basemodel(Guarded).from_prompt("<guarded><order>go</order></guarded>")
    before = state(response)
    for method in (response.parse, response.from_prompt):
        with pytest.raises(type(RAISED[order])) as caught:
            method(f"<guarded><order>{order}</order></guarded>", strict)
        assert caught.value is RAISED[order]
    assert state(response) == before


@pytest.mark.parametrize("order", ["value", "assertion"])
def test_what_a_validator_refuses_is_a_problem(order: str) -> None:
    """`ValueError` and `AssertionError` of a validator are problems of the reply, in its own words."""
    reply = f"<guarded><order>{order}</order></guarded>"
    with pytest.raises(ReplyError, match="no such order") as caught:
        StructuredResponse.from_basemodel(Guarded).parse(reply)
    (problem,) = caught.value.problems
    assert (problem.path, problem.kind, problem.found) == ("$.order", ProblemKind.INVALID, order)


def test_a_validator_sees_the_instance_at_to_basemodel() -> None:
    """Validators run again at `to_basemodel` on what was assigned; other exceptions pass through."""
    response = StructuredResponse.from_basemodel(Guarded).parse("<guarded><order>go</order></guarded>")
    response.instance.order = "value"
    with pytest.raises(InstanceError, match=r"\$\.order: .*no such order"):
        response.to_basemodel()
    response.instance.order = "key"
    with pytest.raises(KeyError):
        response.to_basemodel()


def test_context_reaches_the_validators() -> None:
    """`context` reaches validators while parsing, and at `to_basemodel`, where it may be another."""
    response = StructuredResponse.from_basemodel(Guarded)
    reply = "<guarded><order>go</order></guarded>"
    assert response.parse(reply).to_basemodel().order == "go"
    fresh = response.parse(reply, context={"who": "Ann"})
    assert fresh.instance.order == "go"
    assert fresh.to_basemodel(context={"who": "Bob"}).order == "go Bob"
    assert response.parse(reply, context={"who": "Ann"}).to_basemodel().order == "go Ann"
    assert response.from_prompt(reply, context={"who": "Eve"}).to_basemodel().order == "go Eve"


def test_the_instance_is_from_before_the_validators() -> None:
    """The instance is what the reply said; validators that change values do not touch it."""
    fresh = StructuredResponse.from_basemodel(Doubled).parse("<doubled><n>2</n></doubled>")
    assert fresh.to_basemodel().n == 4
    assert fresh.to_basemodel().n == 4
    assert fresh.instance.n == 2
    assert fresh.to_basemodel().n == 4
    assert "<n>2</n>" in str(fresh)


# The model that came back


def test_to_basemodel_twice() -> None:
    """Each call gives an equal model of its own, and whoever changes one changes no other and no response."""
    fresh = read()
    first, second = fresh.to_basemodel(), fresh.to_basemodel()
    assert first == second == MODEL
    assert first is not second
    first.pros.append("changed")
    first.parts[0].label = "changed"
    second.pros.clear()
    assert fresh.to_basemodel() == MODEL
    assert fresh.to_dict() == DATA


def test_to_basemodel_keeps_what_was_not_set() -> None:
    """Fields that the reply left out count as not set in the model."""
    for fresh in (read(), StructuredResponse.deserialize(read().serialize(), model=Review)):
        assert fresh.to_basemodel().model_fields_set == DATA.keys()
        assert fresh.instance.price is None
        assert fresh.to_basemodel().model_fields_set == DATA.keys()


def test_to_basemodel_before_anything_was_read() -> None:
    """A response that has read nothing has no model to give, looked at or not."""
    response = review()
    for _ in range(2):
        with pytest.raises(InstanceError, match="nothing has been read into this Review yet"):
            response.to_basemodel()
        assert response.instance == {}


@pytest.mark.parametrize("how", ["definition", "deserialize", "by hand"])
def test_to_basemodel_without_a_model(how: str) -> None:
    """A response with no model says so, and what to do about it."""
    if how == "definition":
        response = StructuredResponse.from_definition("Review", review().definition).parse(REPLY)
    elif how == "deserialize":
        response = StructuredResponse.deserialize(read().serialize())
    else:
        response = StructuredResponse("Review").add_node("headline", "str").parse(REPLY)
    with pytest.raises(InstanceError, match="there is no model to validate with"):
        response.to_basemodel()


def test_to_basemodel_after_a_bad_assignment() -> None:
    """What was assigned and does not satisfy the model is an error with its path, until it is mended."""
    fresh = read()
    fresh.instance.score = 11
    fresh.instance.parts[1].points = None
    with pytest.raises(InstanceError) as caught:
        fresh.to_basemodel()
    assert sorted(problem.path for problem in caught.value.problems) == ["$.parts[1].points", "$.score"]
    fresh.instance.score, fresh.instance.parts[1].points = 4, 3
    assert fresh.to_basemodel() == MODEL


def test_to_basemodel_of_a_reply_with_problems() -> None:
    """What a reading without `strict` left out is missing for the model too."""
    fresh = review().parse("<review><headline>x</headline></review>", strict=False)
    with pytest.raises(InstanceError, match=r"\$\.score: required, but not there"):
        fresh.to_basemodel()
    fresh.instance.score = 3
    assert fresh.to_basemodel() == Review(headline="x", score=3)


# Fields that are not there


LEFT = StructuredResponse.from_basemodel(Left)
LEFT_OUT: dict[str, Any] = {
    "number": 7,
    "words": ["a"],
    "table": {"k": 1},
    "part": {"label": "p", "points": 2},
    "day": "2024-05-06",
    "verdict": "bad",
    "nothing": None,
    "made": [1, 2],
}


def left() -> StructuredResponse[Left]:
    """A response in which only the required field is given."""
    return LEFT.parse("<left><must>x</must></left>")


@pytest.mark.parametrize(("name", "default"), LEFT_OUT.items())
def test_absent_fields_show_their_default(name: str, default: Any) -> None:
    """The instance shows the default of a field that the reply left out; nothing that is written has it."""
    fresh = left()
    assert fresh.instance[name] == default
    assert getattr(fresh.instance, name) == default
    assert list(fresh.instance) == ["must", *LEFT_OUT]
    assert fresh.to_dict() == {"must": "x"}
    assert str(fresh) == "<left>\n    <must>x</must>\n</left>"
    assert json.loads(fresh.serialize())["instance"] == {"must": "x"}
    assert fresh.to_basemodel().model_fields_set == {"must"}


def test_absent_without_a_default() -> None:
    """A required field that the reply left out is None in the instance, and in nothing that is written."""
    fresh = review().parse("<review><headline>x</headline></review>", strict=False)
    assert fresh.instance.score is None
    assert "score" not in str(fresh)
    assert "score" not in json.loads(fresh.serialize())["instance"]


ASSIGNMENTS: dict[str, Any] = {
    "attribute": setattr,
    "item": lambda box, name, value: box.__setitem__(name, value),
    "update": lambda box, name, value: box.update({name: value}),
    "update by keyword": lambda box, name, value: box.update(**{name: value}),
    "update from pairs": lambda box, name, value: box.update([(name, value)]),
    "merge_update": lambda box, name, value: box.merge_update({name: value}),
    "in-place or": lambda box, name, value: box.__ior__({name: value}),
    "in-place add": lambda box, name, value: box.__iadd__({name: value}),
    "deleted, then set": lambda box, name, value: (box.pop(name), box.__setitem__(name, value)),
    "deleted, then updated": lambda box, name, value: (box.__delitem__(name), box.update({name: value})),
    "deleted, then default": lambda box, name, value: (box.__delitem__(name), box.setdefault(name, value)),
    "cleared": lambda box, name, value: (box.clear(), box.update({"must": "x", name: value})),
}


@pytest.mark.parametrize("assign", ASSIGNMENTS.values(), ids=ASSIGNMENTS)
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("number", 8),
        ("number", 7),
        ("words", ["b", "c"]),
        ("words", ["a"]),
        ("table", {"k": 5}),
        ("part", {"label": "q", "points": 3}),
        ("nothing", "something"),
        ("made", []),
    ],
)
def test_absent_fields_that_were_assigned_are_written(assign: Any, name: str, value: Any) -> None:
    """A field assigned since it was left out, to its default even, is written, however it was assigned."""
    fresh = left()
    assign(fresh.instance, name, value)
    assert fresh.instance[name] == value
    assert fresh.to_dict() == {"must": "x", name: value}
    assert json.loads(fresh.serialize())["instance"] == {"must": "x", name: value}
    assert f"<{name}>" in str(fresh)
    assert fresh.to_basemodel().model_fields_set == {"must", name}


@pytest.mark.parametrize("name", LEFT_OUT)
def test_absent_fields_that_were_deleted_stay_absent(name: str) -> None:
    """Deleting a field that was left out changes nothing that is written."""
    fresh = left()
    del fresh.instance[name]
    assert name not in fresh.instance
    assert fresh.to_dict() == {"must": "x"}


CHANGES: dict[str, tuple[Any, dict[str, Any]]] = {
    "append": (lambda box: box.words.append("b"), {"words": ["a", "b"]}),
    "item of a list": (lambda box: box.words.__setitem__(0, "z"), {"words": ["z"]}),
    "key of a map": (lambda box: box.table.__setitem__("n", 2), {"table": {"k": 1, "n": 2}}),
    "field of an object": (
        lambda box: setattr(box.part, "label", "z"),
        {"part": {"label": "z", "points": 2}},
    ),
}


@pytest.mark.parametrize(("change", "wanted"), CHANGES.values(), ids=CHANGES)
def test_defaults_that_were_changed_in_place_are_written(change: Any, wanted: dict[str, Any]) -> None:
    """A default that was changed inside the instance is data from then on, never lost without a word."""
    fresh = left()
    change(fresh.instance)
    assert fresh.to_dict() == {"must": "x", **wanted}
    assert left().instance.to_dict() == {"must": "x", **LEFT_OUT}
    ((name, value),) = wanted.items()
    assert json.loads(fresh.to_basemodel().model_dump_json())[name] == value


# Equality


def test_equal_responses() -> None:
    """Responses of one model with the same data are equal, wherever the data came from."""
    looked_at = read()
    assert looked_at.instance
    stored = StructuredResponse.deserialize(read().serialize())
    equals: list[StructuredResponse[Any]] = [
        read(),
        looked_at,
        review().from_prompt(str(read())),
        stored,
    ]
    assert all(one == other for one in equals for other in equals)
    assert not any(one != other for one in equals for other in equals)
    assert review() == review()


UNEQUAL: dict[str, Any] = {
    "no data": review(),
    "other data": review().parse("<review><headline>Nice</headline><score>4</score></review>"),
    "other name": StructuredResponse.from_definition("Opinion", review().definition).parse(
        REPLY.replace("review>", "opinion>")
    ),
    "other definition": StructuredResponse("Review").add_node("headline", "str").parse(REPLY),
    "a dict": DATA,
    "a model": MODEL,
    "None": None,
    "its text": REPLY,
}


@pytest.mark.parametrize("other", UNEQUAL.values(), ids=UNEQUAL)
def test_unequal_responses(other: Any) -> None:
    """Another name, definition or instance, or something that is no response, is unequal."""
    assert read() != other
    assert other != read()


@pytest.mark.parametrize(
    "change",
    [
        lambda box: setattr(box, "headline", "Other"),
        lambda box: box.pros.append("x"),
        lambda box: box.parts[0].update(points=2),
        lambda box: box.pop("verdict"),
        lambda box: setattr(box, "price", 1.5),
    ],
)
def test_assigning_makes_unequal(change: Any) -> None:
    """A response whose instance was changed no longer equals its original, but a copy of itself."""
    fresh = read()
    change(fresh.instance)
    assert fresh != read()
    assert fresh == copy.copy(fresh)


@pytest.mark.parametrize(("name", "value"), MISFITS)
def test_comparing_what_does_not_fit(name: str, value: Any) -> None:
    """Comparing never raises: an instance with a value that does not fit is unequal to the one it was."""
    fresh = read()
    fresh.instance[name] = value
    assert (fresh == read()) is False
    assert (read() == fresh) is False


def test_nan_equals_nan() -> None:
    """NaN is equal to NaN, also where a default is absent on one side and given on the other."""
    numbers = StructuredResponse.from_basemodel(Numbers)
    bare = numbers.parse("<numbers><x>NaN</x></numbers>")
    assert bare == numbers.parse("<numbers><x>NaN</x></numbers>")
    full = numbers.parse("<numbers><x>1</x><y>1</y></numbers>")
    assert full == numbers.parse("<numbers><x>1</x></numbers>")
    assert bare == numbers.parse("<numbers><x>NaN</x><y>1</y></numbers>")


def test_comparing_changes_nothing() -> None:
    """A response that was compared gives the same model, text and findings as before."""
    fresh, before = read(), state(read())
    assert fresh != UNEQUAL["other data"]
    assert state(fresh) == before
    assert fresh.to_basemodel() == MODEL


def test_responses_have_no_hash() -> None:
    """A response can change, so it can be no key."""
    with pytest.raises(TypeError, match="unhashable"):
        hash(read())


# Showing


@pytest.mark.parametrize(
    ("response", "shown"),
    [
        (review(), "<StructuredResponse Review: empty>"),
        (
            review().parse("<review><headline>x</headline><score>1</score></review>"),
            "<StructuredResponse Review: {'headline': 'x', 'score': 1}>",
        ),
        (
            review().parse("<review><headline>x</headline><a/><b/></review>", strict=False),
            "<StructuredResponse Review: {'headline': 'x'}, 2 repairs, 1 problem>",
        ),
        (
            review().parse("<review><headline>x</headline><score>+1</score></review>"),
            "<StructuredResponse Review: {'headline': 'x', 'score': 1}, 1 repair>",
        ),
    ],
    ids=["empty", "data", "findings", "one repair"],
)
def test_repr(response: StructuredResponse[Any], shown: str) -> None:
    """A response shows its name, its data and how many findings there are."""
    assert repr(response) == shown


def test_repr_has_the_order_of_the_definition() -> None:
    """Fields are not sorted by name, inner ones neither; of many the first few are shown."""
    inner = {"z": {"type": "int"}, "y": {"type": "int"}}
    asked = StructuredResponse.from_definition("Odd", {"b": {"type": "int"}, "a": {"type": "dict", "elements": inner}})
    fresh = asked.parse("<odd><b>1</b><a><z>2</z><y>3</y></a></odd>")
    assert repr(fresh) == "<StructuredResponse Odd: {'b': 1, 'a': {'z': 2, 'y': 3}}>"
    names = [f"n{number}" for number in reversed(range(20))]
    wide = StructuredResponse.from_definition("Wide", {name: {"type": "int"} for name in names})
    shown = repr(wide.from_dict(dict.fromkeys(names, 1)))
    assert shown.startswith("<StructuredResponse Wide: {'n19': 1, ")
    assert shown.endswith(", 'n8': 1, ...}>")


def test_repr_is_short() -> None:
    """However long the data, a response shows itself in a line or two."""
    fresh = review().parse(f"<review><headline>{'long ' * 10_000}</headline><score>1</score></review>")
    assert len(repr(fresh)) < 300
    assert repr(fresh).startswith("<StructuredResponse Review: {'headline': 'long long")


@pytest.mark.parametrize(("name", "value"), MISFITS)
def test_repr_of_what_does_not_fit(name: str, value: Any) -> None:
    """A response can always be shown, also with values that fit nothing: a debugger does it unasked."""
    fresh = read()
    fresh.instance[name] = value
    assert repr(fresh).startswith("<StructuredResponse Review: {")


# Sharing


def test_fifty_threads_parse_through_one_response() -> None:
    """Fifty threads that parse through one response, fresh from its definition, each get their own data."""

    class Shared(BaseModel):
        n: int
        words: list[str]
        part: Part
        verdict: Verdict

    response = StructuredResponse.from_basemodel(Shared)
    before = response.serialize()

    def work(n: int) -> list[Any]:
        got = []
        for turn in range(20):
            k = n * 100 + turn
            reply = (
                f"<shared><n>{k}</n><words><li>w{k}</li></words>"
                f"<part><label>l{k}</label></part><verdict>good</verdict></shared>"
            )
            fresh = response.parse(reply)
            got.append((fresh.to_basemodel(), fresh.instance.part.label, str(fresh), fresh.serialize()))
        return got

    with ThreadPoolExecutor(50) as pool:
        results = list(pool.map(work, range(50)))
    for n, got in enumerate(results):
        for turn, (model, label, text, stored) in enumerate(got):
            k = n * 100 + turn
            assert model == Shared(n=k, words=[f"w{k}"], part=Part(label=f"l{k}"), verdict=Verdict.GOOD)
            assert label == f"l{k}"
            assert f"<n>{k}</n>" in text
            assert json.loads(stored)["instance"]["words"] == [f"w{k}"]
    assert response.serialize() == before


@pytest.mark.parametrize("is_on", [True, False])
@pytest.mark.parametrize("length", [0, LONG_REPLY])
@pytest.mark.parametrize("order", ["pass", "refuse", "raise"])
def test_the_collector_of_cycles_is_left_as_it_was(order: str, length: int, is_on: bool) -> None:
    """Long replies are read while it rests, and however the reading ends, it is as it was before."""
    seen.clear()
    reply = f"<watched><order>{order}</order><text>{'x' * length}</text></watched>"
    change = gc.enable if is_on else gc.disable
    change()
    try:
        with nullcontext() if order == "pass" else pytest.raises((ReplyError, LookupError)):
            StructuredResponse.from_basemodel(Watched).parse(reply)
        after = gc.isenabled()
    finally:
        gc.enable()
    assert after is is_on
    assert set(seen) == {is_on and length == 0}


def test_fifty_threads_read_one_response() -> None:
    """Fifty threads that look at one response that was read all see the same data."""
    fresh = read()

    def work(_n: int) -> tuple[Any, ...]:
        return fresh.to_basemodel(), fresh.instance.to_dict(), str(fresh), fresh.serialize(), fresh == read()

    with ThreadPoolExecutor(50) as pool:
        results = list(pool.map(work, range(50)))
    assert results == [(MODEL, SHOWN, str(read()), read().serialize(), True)] * 50


NESTED = StructuredResponse.from_basemodel(Nested)
NESTED_REPLY = str(StructuredResponse.from_basemodel(Nested(items=[{"a": [1]}])))


@pytest.mark.parametrize("reply", [NESTED_REPLY, "<nested><part><label>p</label></part></nested>"])
def test_changing_a_box_shows_nowhere_else(reply: str) -> None:
    """Whoever changes one response's Box, at any depth, changes no other response and no model."""
    first, second = NESTED.parse(reply), NESTED.parse(reply)
    model, copied = first.to_basemodel(), copy.copy(first)
    wanted = second.instance.to_dict()
    first.instance["items"][0]["a"].append(99)
    first.instance.any_value["k"].append(99)
    first.instance.part.label = "changed"
    assert second.instance.to_dict() == wanted
    assert NESTED.parse(reply).instance.to_dict() == wanted
    assert copied.instance.to_dict() == wanted
    assert model.part == Part(label="p")
    assert model.any_value == {"k": [1]}


@pytest.mark.parametrize("reply", [NESTED_REPLY, "<nested><part><label>p</label></part></nested>"])
def test_changing_a_model_shows_nowhere_else(reply: str) -> None:
    """Whoever changes a model that came back changes no response and no other model."""
    first = NESTED.parse(reply)
    wanted = NESTED.parse(reply).instance.to_dict()
    for _ in range(3):
        model = first.to_basemodel()
        model.items[0]["a"].append(99)
        model.any_value["k"].append(99)
        model.part.label = "changed"
    assert first.instance.to_dict() == wanted
    assert NESTED.parse(reply).to_basemodel() == Nested()


def test_changing_the_dict_shows_nowhere_else() -> None:
    """Whoever changes what `to_dict` gave changes no response, looked at or not."""
    for looked_at in (False, True):
        fresh = read()
        if looked_at:
            assert fresh.instance
        fresh.to_dict()["headline"] = "changed"
        fresh.to_dict()["parts"][0]["label"] = "changed"
        assert fresh.to_dict() == DATA
        assert fresh.to_basemodel() == MODEL


def test_changing_the_model_it_was_made_from() -> None:
    """A response made from a model's instance has its own copy of the data."""
    model = MODEL.model_copy(deep=True)
    response = StructuredResponse.from_basemodel(model)
    model.pros.append("changed")
    model.parts[0].label = "changed"
    assert response.instance == SHOWN


COPIES = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda response: pickle.loads(pickle.dumps(response)),
}


@pytest.mark.parametrize("make", COPIES.values(), ids=COPIES)
@pytest.mark.parametrize("looked_at", [True, False])
@pytest.mark.parametrize("reply", [REPLY, "<review><headline>x</headline><a>1</a></review>", None])
def test_copies(make: Any, looked_at: bool, reply: str | None) -> None:
    """A copy is equal, with findings and model, and changing it does not show in the original."""
    response = review() if reply is None else review().parse(reply, strict=False)
    if looked_at:
        assert response.instance is not None
    before = state(response)
    made = make(response)
    assert made == response
    assert state(made) == before
    assert made.instance == response.instance
    made.instance.headline = "changed"
    made.instance.parts = [{"label": "changed"}]
    assert state(response) == before
    if reply == REPLY:
        assert response.to_basemodel() == MODEL
        assert made.to_basemodel() == MODEL.model_copy(update={"headline": "changed", "parts": [Part(label="changed")]})


# Building and selecting


def test_add_node_leaves_others_alone() -> None:
    """`add_node` returns the response, forgets what was read and touches no other response of the model."""
    response, other = read(), read()
    assert response.add_node("mood", "str", description="How it feels") is response
    assert response.definition["mood"] == {"type": "str", "description": "How it feels"}
    assert "mood" not in other.definition
    assert "mood" not in review().definition
    assert response.instance == {}
    assert other.to_basemodel() == MODEL


def test_a_definition_by_hand_reads_a_reply() -> None:
    """A response built node by node prompts, reads and checks as one made from a model."""
    trip: StructuredResponse[Any] = StructuredResponse("Trip")
    response = (
        trip.add_node("city", "str", description="Where to")
        .add_node("stops", "list", elements={"name": {"type": "str"}})
        .add_node("stops.nights", "int", ge=1)
        .add_node("mood", "enum", choices=["glad", "sad"], required=False, default="glad")
    )
    fresh = response.parse("<trip><city>Annecy</city><stops><li><name>a</name><nights>2</nights></li></stops></trip>")
    assert fresh.instance == {"city": "Annecy", "stops": [{"name": "a", "nights": 2}], "mood": "glad"}
    with pytest.raises(ReplyError, match=r"\$\.stops\[0\]\.nights"):
        response.parse("<trip><city>x</city><stops><li><name>a</name><nights>0</nights></li></stops></trip>")


BAD_NODES: dict[str, tuple[Any, ...]] = {
    "no such type": ("a", "strr"),
    "no path": ("", "str"),
    "an empty step": ("a..b", "str"),
    "below a scalar": ("headline.x", "str"),
    "below nothing": ("nope.x", "str"),
    "no choices": ("a", "enum"),
    "a path that is not a text": (5, "str"),
    "a type that is not a text": ("a", 5),
}


@pytest.mark.parametrize("arguments", BAD_NODES.values(), ids=BAD_NODES)
def test_add_node_refuses(arguments: tuple[Any, ...]) -> None:
    """A path or type that cannot be is a `DefinitionError`, and the response stays as it was."""
    response = read()
    before = state(response)
    with pytest.raises(DefinitionError):
        response.add_node(*arguments)
    assert state(response) == before


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        ({"include": ["headline"]}, ["headline"]),
        ({"exclude": ["parts", "pros", "price"]}, ["headline", "score", "verdict"]),
        ({"include": ["parts.points", "score"]}, ["score", "parts"]),
        ({}, ["headline", "score", "price", "verdict", "pros", "parts"]),
    ],
)
def test_select(arguments: dict[str, Any], wanted: list[str]) -> None:
    """`select` asks for some of the fields only, and `to_prompt` of it is what `to_prompt` selects."""
    response = review()
    selected = response.select(**arguments)
    assert list(selected.definition) == wanted
    assert selected.to_prompt() == response.to_prompt(**arguments)
    assert list(response.definition) == list(Review.model_fields)


@pytest.mark.parametrize("path", ["nope", "headline.x", "parts.nope", "", "parts[0].points", "parts..points"])
def test_select_refuses(path: str) -> None:
    """A path that reaches nothing is a `DefinitionError` that names it."""
    for arguments in ({"include": [path]}, {"exclude": [path]}):
        with pytest.raises(DefinitionError) as caught:
            review().select(**arguments)
        assert path.split(".", maxsplit=1)[0] in str(caught.value)


def test_select_then_parse() -> None:
    """A selected response reads its own fields, and misses none of the others."""
    fresh = (
        review()
        .select(include=["headline", "parts.label"])
        .parse("<review><headline>x</headline><parts><li><label>a</label></li></parts></review>")
    )
    assert fresh.instance == {"headline": "x", "parts": [{"label": "a"}]}


# Laws


@given(st.text() | st.text(alphabet="<>/&;'\" \n=reviwhadln"))
def test_any_text_is_read_or_refused(reply: str) -> None:
    """For any text, `parse` returns or raises `ReplyError`, and the response stays as it was."""
    for strict in (True, False):
        error = None
        try:
            fresh = review().parse(reply, strict)
        except ReplyError as raised:
            error = raised
        if error is None:
            assert not strict or not fresh.problems
        else:
            assert error.reply == reply
            assert error.problems
            assert str(error)


PART = st.builds(Part, label=st.text(alphabet="ab<&>'\"é", min_size=1), points=st.integers())
REVIEWS = st.builds(
    Review,
    headline=st.text(alphabet="ab<&>'\"é", min_size=1),
    score=st.integers(0, 10),
    price=st.none() | st.floats(allow_nan=False),
    verdict=st.sampled_from(Verdict),
    pros=st.lists(st.text(alphabet="ab<&>'\"é", min_size=1), max_size=3),
    parts=st.lists(PART, max_size=3),
)


@given(REVIEWS)
def test_what_is_written_is_read_back(model: Review) -> None:
    """A model's string form reads back as the same data, with nothing mended."""
    response = StructuredResponse.from_basemodel(model)
    again = review().parse(str(response))
    assert again.instance == response.instance
    assert again.repairs == []
    assert again.to_basemodel() == model == response.to_basemodel()


@pytest.mark.parametrize("looks_first", [False, True])
def test_a_root_that_could_not_be_read_is_written_as_none(looks_first: bool) -> None:
    """Looking at the instance changes nothing about it."""
    response = StructuredResponse.from_type(int, "Count").parse("<count>many</count>", strict=False)
    if looks_first:
        assert response.instance is None
    assert [problem.path for problem in response.problems] == ["$"]
    assert (response.to_dict(), str(response)) == (None, "<count type='null'/>")
