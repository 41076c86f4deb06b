"""Faults that were found by trying and are no rows of `tests/corpus`: they are about writing, storing, depth, time."""

from __future__ import annotations

import datetime as dt
import json
import time
from collections.abc import Callable
from enum import IntEnum, IntFlag
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, create_model, model_serializer

from structured_response import DatasetError, ReplyError, StructuredResponse, StructuredResponseError
from structured_response.datasets.oasst import read_messages


class Twins(IntEnum):
    OK = 1
    SUCCESS = 1
    BAD = 2


class Rights(IntFlag):
    READ = 1
    WRITE = 2


class Typed(BaseModel):
    type: Literal["typed"]
    text: str


class Wait(BaseModel):
    type: Literal["wait"]


class Aliased(BaseModel):
    model_config = ConfigDict(populate_by_name=True, extra="allow")
    mime_type: str = Field(alias="mimeType")

    @model_serializer(mode="wrap")
    def write_aliases(self, write: Callable[[Any], dict[str, Any]]) -> dict[str, Any]:
        """As generated clients do."""
        return {("mimeType" if name == "mime_type" else name): value for name, value in write(self).items()}


COME_BACK: list[tuple[Any, Any]] = [
    (Twins, Twins.OK),
    (Rights, Rights.READ | Rights.WRITE),
    (str | list[int], [1, 2, 3]),
    (Typed | Wait, Typed(type="typed", text="x")),
    (Aliased | int, Aliased(mimeType="a")),
    (set[int], {-(2**63) - 1, 5}),
    (bytes | None, b""),
    (bytes | None, b"\x00\xff"),
    (int | str | None, ""),
]


@pytest.mark.parametrize(("kind", "value"), COME_BACK, ids=str)
def test_a_value_comes_back(kind: Any, value: Any) -> None:
    """As text, from a cache, and with the instance looked at."""
    filled = create_model("Holder", u=(kind, ...))(u=value)
    response = StructuredResponse.from_basemodel(filled)
    assert response.parse(str(response)).to_basemodel() == filled
    stored = StructuredResponse.deserialize(response.serialize())
    assert stored.parse(str(stored)) == stored == response
    assert response.instance is not None
    assert response.to_basemodel() == filled


@pytest.mark.parametrize("write", ["to_json", "to_yaml", "__str__"])
@pytest.mark.parametrize("text", ["[value here]", "[the same elements as in job]"])
def test_a_text_like_a_placeholder_comes_back(text: str, write: str) -> None:
    """Written as no prompt writes it."""
    filled = StructuredResponse.from_basemodel(Job).from_dict({"steps": [text], "title": text})
    read = StructuredResponse.from_basemodel(Job).parse(getattr(filled, write)())
    assert read.to_dict() == filled.to_dict()


def test_a_text_in_front_of_deep_brackets_is_a_reply() -> None:
    """Where a text is asked for, a quote in front of brackets without end made the reader raise an error of its own."""
    with pytest.raises(ReplyError):
        StructuredResponse.from_type(str, "holder").parse('"x", ' + "[" * 5000)


SCHEMAS: list[Any] = [
    {"enum": 5},
    {"enum": "abc"},
    {"anyOf": 5},
    {"anyOf": [None]},
    {"allOf": 5},
    {"type": "array", "prefixItems": 5},
    {"properties": 5},
    {"properties": {"a": 5}},
    {"$ref": 5},
    {"type": "string", "format": ["a"]},
]


@pytest.mark.parametrize("schema", SCHEMAS, ids=str)
def test_what_is_no_json_schema_is_refused(schema: Any) -> None:
    """Whoever wrote it gets an error of ours."""
    with pytest.raises(StructuredResponseError):
        StructuredResponse.from_json_schema(schema)


STORED = [
    '{"$number":"NaN"}',
    '{"version":1,"class_name":"A","definition":{"a":{"type":"map","keys":{"type":"str","pattern":"("},"elements":"int"}}}',
    '{"version":1,"class_name":"A","definition":{"a":{"type":"map","keys":{"type":"date","ge":5},"elements":"int"}}}',
    '{"version":1,"class_name":"A","definition":{"a":{"type":"int"}},"instance":null}',
]


@pytest.mark.parametrize("text", STORED)
def test_stored_texts_that_cannot_work_are_refused(text: str) -> None:
    """When they are read, not when they are used."""
    with pytest.raises(StructuredResponseError):
        StructuredResponse.deserialize(text)


class Left(BaseModel):
    x: Left | Right | None = None


class Right(BaseModel):
    x: Left | Right | None = None


def test_recursive_unions_are_written_in_time() -> None:
    """Each level once, not once for every option of every level above it."""
    depth = 60
    response = StructuredResponse.from_definition("Left", StructuredResponse.from_basemodel(Left).definition)
    data: Any = {}
    for _ in range(depth):
        data = {"x": data}
    started = time.process_time()
    response.instance.update(data)
    assert str(response).count("<x>") == depth
    assert time.process_time() - started < 5


class Job(BaseModel):
    steps: list[str]
    title: str = ""


class Loose(BaseModel):
    given: Any
    other: bool | Any = None
    count: int = 0


@pytest.mark.parametrize("name", ["given", "other"])
def test_bullets_in_a_value_of_any_type_are_a_list(name: str) -> None:
    """In lines of names and values as in YAML."""
    data = {"given": 1, "count": 2, name: [False, "x"]}
    filled = StructuredResponse.from_basemodel(Loose).from_dict(data)
    assert StructuredResponse.from_basemodel(Loose).parse(filled.to_yaml()).to_dict() == data


class Open(BaseModel):
    model_config = ConfigDict(extra="allow")
    count: int = 0


@pytest.mark.parametrize("extra", [[1, "b"], {"k": 1}, {"k": [1, {"z": 2}]}, [{"a": None}, []], [], {}, "text"])
def test_extras_of_any_shape_come_back(extra: Any) -> None:
    """As they are written, lists and maps too."""
    filled = StructuredResponse.from_basemodel(Open.model_validate({"count": 1, "more": extra}))
    read = StructuredResponse.from_basemodel(Open).parse(str(filled))
    assert read.to_basemodel() == Open.model_validate({"count": 1, "more": extra})
    assert not read.repairs


class Inner(BaseModel):
    li: Any = None
    entry: str = ""


class Outer(BaseModel):
    li: Any = None
    item: Inner
    entry: str = ""


class Told(BaseModel):
    given: Outer | Wait


def test_fields_of_an_option_stand_in_the_order_of_the_definition() -> None:
    """However they were read: some of them in a clean stretch, which is read at once."""
    filled = StructuredResponse.from_basemodel(Told(given=Outer(item=Inner(entry="\x7f"), entry="b")))
    assert list(filled.parse(str(filled)).to_dict()["given"]) == ["li", "item", "entry"]


def test_one_repeated_example_is_no_answer() -> None:
    """Several were known, one alone was taken for the answer."""
    response = StructuredResponse.from_basemodel(Typed)
    examples = [Typed(type="typed", text="as an example")]
    with pytest.raises(ReplyError, match="repeats the prompt"):
        response.parse('{"type": "typed", "text": "as an example"}', examples=examples)


def test_the_path_of_a_bad_event_names_no_tag(tmp_path: Path) -> None:
    """It said `events.score[0].score.score`."""
    line = '{"message_id": "a", "text": "", "role": "prompter", "events": {"score": [{"type": "score", "score": 9}]}}'
    (tmp_path / "a.jsonl").write_text(line)
    with pytest.raises(DatasetError, match=r"\$\.events\.score\[0\]\.score: "):
        list(read_messages(tmp_path / "a.jsonl"))


class Snippet(BaseModel):
    title: str
    body: str
    score: int = 0


def test_brackets_of_full_width_are_written_as_references() -> None:
    """A reader that misses a field would look for its tag in them."""
    text = "a \uff1cscore\uff1e 4"
    written = str(StructuredResponse.from_basemodel(Snippet(title=text, body="")))
    assert "\uff1c" not in written
    half = written.replace("<body></body>", "")
    assert StructuredResponse.from_basemodel(Snippet).parse(half, strict=False).instance.title == text


def test_a_name_may_hold_a_colon() -> None:
    """In YAML it ends at a colon with a blank behind it; `x:y: z` gave the field `x` the value `y: z`."""
    fields: dict[str, Any] = {"x": (str, "q"), "x:y": (str, "q")}
    model = create_model("Model", **fields)
    response = StructuredResponse.from_basemodel(model)
    for data in ({"x": "a", "x:y": "b"}, {"x:y": "b"}):
        assert response.parse(response.select().from_dict(data).to_yaml()).to_dict() == data


class Branch(BaseModel):
    name: str
    n: int = 0
    kids: list[Branch] = []


class Seed(BaseModel):
    name: str
    n: int


def test_findings_in_a_text_that_was_escaped_name_places_in_the_reply() -> None:
    """Not in what it was written back to: what is said of a part is about all of the text that was decoded."""
    reply = "<rec><value>[1, &quot;two and three&quot;, 4]</value></rec>"
    model = create_model("Rec", value=(list[int], ...))
    read = StructuredResponse.from_basemodel(model).parse(reply, strict=False)
    (problem,) = read.problems
    assert problem.span is not None
    assert reply[slice(*problem.span)] == "[1, &quot;two and three&quot;, 4]"


@pytest.mark.parametrize("behind", ["", "</branch>", "\n<branch><name>B</name></branch>"])
def test_what_is_left_of_an_answer_that_is_too_deep_is_none(behind: str) -> None:
    """The error names the limit, whatever follows: it may be a part of what is too deep."""
    reply = "<branch><name>A</name>" + "<kids><li>" * 1_500 + behind
    response = StructuredResponse.from_basemodel(Branch)
    with pytest.raises(ReplyError, match="MAX_DEPTH"):
        response.parse(reply)


@pytest.mark.parametrize("before", ["name: A\nkids: ", "```yaml\nname: A\nkids: ", "", "Here:\n"])
def test_json_that_is_too_deep_behind_a_label(before: str) -> None:
    """It is the limit that is named, and what is left at the end of it is no answer."""
    with pytest.raises(ReplyError, match="MAX_DEPTH"):
        StructuredResponse.from_basemodel(Branch).parse(before + '{"name": "B", "kids": [' * 1_500)


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


class Seeds(BaseModel):
    seeds: list[Seed]


def test_rows_that_are_no_objects_take_little_time() -> None:
    """None of them has a name of the object, which is found out before anything is tried."""
    response = StructuredResponse.from_basemodel(Seeds)
    start = time.perf_counter()
    read = response.parse("<seeds><seeds>\n" + "| a | 1 |\n" * 4000 + "</seeds></seeds>", strict=False)
    assert read.problems
    assert time.perf_counter() - start < 2


@pytest.mark.parametrize("name", ["left.", "left[0].", "a.b."])
def test_a_name_that_is_a_long_path_takes_little_time(name: str) -> None:
    """One that is longer than any is none."""
    start = time.perf_counter()
    StructuredResponse.from_basemodel(Chart).parse(
        json.dumps({name * 50_000: 1, "doses": {name * 50_000: "1"}}), strict=False
    )
    assert time.perf_counter() - start < 2


def given(of: Any, reply: str) -> Any:
    """What a reply gives, without what has its default, or the paths of its problems."""
    plain = StructuredResponse.from_type(of)
    try:
        read = plain.parse(reply, strict=False)
    except ReplyError as error:
        return " ".join(problem.path for problem in error.problems)
    if read.problems:
        return " ".join(problem.path for problem in read.problems)
    return TypeAdapter(of).dump_python(TypeAdapter(of).validate_python(read.instance), exclude_defaults=True)


class Rest(BaseModel):
    pause: dt.timedelta | None = None
    score: Annotated[int, Field(le=5)] = 1


@pytest.mark.parametrize("inner", ["<pausePT1</pause>", "<score9</score>", "<pause>P1</pause><pause>P2</pause>"])
def test_a_value_that_the_model_refuses_is_none_whatever_else_is_wrong_with_it(inner: str) -> None:
    """One problem is enough to be said of a value, but no data keeps what its model does not take."""
    response = StructuredResponse.from_basemodel(Rest).parse(f"<rest>{inner}</rest>", strict=False)
    assert len(response.problems) == 1
    assert set(response.to_dict().values()) == {None}
    assert response.parse(str(response), strict=False).to_dict() == response.to_dict()
