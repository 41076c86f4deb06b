"""A row for each fault that was found by trying: what was quietly wrong, crashed or took too long."""

from __future__ import annotations

import datetime as dt
import json
import time
from collections.abc import Callable
from decimal import Decimal
from enum import Enum, IntEnum, IntFlag
from pathlib import Path
from typing import Annotated, Any, Literal
from uuid import UUID

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


PROBLEMS: list[tuple[Any, str]] = [
    (bytes, "hello"),
    (bytes, "a="),
    (dict[float, str], "<entry key='1'>x</entry><entry key='1.0'>y</entry>"),
    (dict[str, int], "a: 1, 2"),
    (dict[str, int], "a: 1, b: 2, c"),
    (Wait, "hello"),
    (list[str], "(none)"),
    (list[str], "None"),
    (list[str], "<li a='x' b='y'/>"),
    (str, "[value here]"),
]


def test_attributes_go_by_other_spellings_of_names() -> None:
    """As elements do; to the letter beats folded."""
    reply = "<pages title='t' body='b' address1='z' address_1='x' Address-2='y'/>"
    data = {"title": "t", "body": "b", "address_1": "x", "address_2": "y"}
    assert StructuredResponse.from_basemodel(Pages).parse(reply).to_dict() == data


def test_headings_may_hold_their_values() -> None:
    """Beside others that have theirs below."""
    reply = "# First: x\n\n## Second\ny\n"
    assert StructuredResponse.from_basemodel(Crossed).parse(reply).to_dict() == {"first": "x", "second": "y"}


def test_comments_in_fences_are_no_headings() -> None:
    """Whatever names stand in them."""
    reply = "## Second\n```python\n# first: z\n```\n\n## First\nx\n"
    read = StructuredResponse.from_basemodel(Crossed).parse(reply).to_dict()
    assert read == {"first": "x", "second": "# first: z"}


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


def test_a_comment_of_json_ends_at_the_next_line() -> None:
    """Not at the end of the one behind it, which the reader had seen before while it looked ahead."""
    reply = "{'title': 'x' // b\n, // c\n'steps': ['it\\'s'], other: 1}"
    read = StructuredResponse.from_basemodel(Job).parse(reply)
    comments = [repair.before for repair in read.repairs if "//" in repair.before]
    assert comments == ["// b\n"]


@pytest.mark.parametrize(("kind", "text"), PROBLEMS, ids=str)
def test_what_would_be_lost_is_a_problem(kind: Any, text: str) -> None:
    """Nothing of it is dropped without a word."""
    with pytest.raises(ReplyError):
        StructuredResponse.from_basemodel(create_model("Holder", u=(kind, ...))).parse(
            f"<holder><u>{text}</u></holder>"
        )


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("123456789012345678901", 123456789012345678901),
        ("[18446744073709551616]", [18446744073709551616]),
        ('{"a":1,"a":2}', '{"a":1,"a":2}'),
        ("1e999", "1e999"),
    ],
)
def test_a_value_of_any_type_keeps_its_digits(text: str, value: Any) -> None:
    """What JSON cannot hold exactly stays the text that it is."""
    holder = create_model("Holder", u=(Any, ...))
    assert StructuredResponse.from_basemodel(holder).parse(f"<holder><u>{text}</u></holder>").to_dict() == {"u": value}


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


class Table(BaseModel):
    rows: list[list[str]]
    count: int = 0


class Line(BaseModel):
    caption: str
    code: str = ""


class Lines(BaseModel):
    lines: list[Line]
    notes: list[str] = []


class Car(BaseModel):
    wheels: int


class Boat(BaseModel):
    sails: int


class Stop(BaseModel):
    pass


class Fleet(BaseModel):
    ways: list[Car | Boat | Stop]


class Circle(BaseModel):
    type: Literal["circle"]
    radius: float


class Box(BaseModel):
    type: Literal["box"]
    width: int


class Sketch(BaseModel):
    shapes: list[Annotated[Circle | Box, Field(discriminator="type")]]


class Grid(BaseModel):
    grid: list[list[int]]
    pair: tuple[str, int] = ("", 0)


class Stock(BaseModel):
    item: str
    qty: int


class Stocks(BaseModel):
    items: list[Stock]


class Crossed(BaseModel):
    first: str
    second: str = ""


class Job(BaseModel):
    steps: list[str]
    title: str = ""


class Check(BaseModel):
    given: str
    count: int


class Checks(BaseModel):
    tests: list[Check]
    passed: bool = True


class Variables(BaseModel):
    env: dict[str, str]


class Call(BaseModel):
    arguments: dict[str, str]
    reason: str


class Calls(BaseModel):
    steps: list[Call]


class Pages(BaseModel):
    title: str
    body: str
    address_1: str = ""
    address_2: str = ""


STOCKS = {"items": [{"item": "A", "qty": 1}, {"item": "B", "qty": 2}]}
CIRCLE = {"shapes": [{"type": "circle", "radius": 2.5}]}
TESTS = {"tests": [{"given": "a", "count": 1}, {"given": "b", "count": 2}]}
PAIRED = {"grid": [], "pair": ("a", 1)}
CALLS = {"steps": [{"arguments": {"a": "x"}, "reason": "r"}]}

DAMAGED: list[tuple[type[BaseModel], str, dict[str, Any]]] = [
    # a list of lists, the first of which is never closed
    (Table, "<rows><li><li>a</li><li>b</li><li><li>c</li></li></rows>", {"rows": [["a", "b"], ["c"]]}),
    # a comment behind a number whose closing tag is missing
    (Table, "<count>3\n<!-- or so -->\n<rows><li><li>a</li></li></rows>", {"count": 3, "rows": [["a"]]}),
    # the prompt's placeholder, and behind it the value
    (Table, "<rows></rows><count>[value here - as an int]</count><count>3</count>", {"rows": [], "count": 3}),
    (Table, '<rows>["a"]</rows><rows>[["b"]]</rows>', {"rows": [["a"], ["b"]]}),
    # YAML that is indented by tabs, or has tabs behind it; its quoted texts among others
    (
        Lines,
        '<lines>\n\t- caption: "a: b"\n\t  code: |\n\t    if x:\n\t    \ty = 1\n\t- caption: c\n\t</lines>',
        {"lines": [{"caption": "a: b", "code": "if x:\n\ty = 1\n"}, {"caption": "c"}]},
    ),
    (Lines, '<lines></lines><notes>\n- "say \\"so\\""\n- plain\n</notes>', {"notes": ['say "so"', "plain"]}),
    # items of a union under their class's tags, and where the list's own tag is missing
    (
        Fleet,
        "<ways>\n<car><wheels>4</wheels></car><boat><sails>2</sails></boat><stop/>\n<p></ways>",
        {"ways": [{"wheels": 4}, {"sails": 2}, {}]},
    ),
    (Fleet, "<car><wheels>4</wheels></car><boat><sails>2</sails></boat>", {"ways": [{"wheels": 4}, {"sails": 2}]}),
    # a discriminator that is left out, since a tag or the fields tell; JSON in a fence, attributes
    (Sketch, "<shapes><li><circle><radius>2.5</radius></circle></li></shapes>", CIRCLE),
    (Sketch, "<shapes><li><radius>2.5</radius></li></shapes>", CIRCLE),
    (Sketch, '<shapes><li>\n```json\n{"type": "circle", "radius": 2.5}\n```\n</li></shapes>', CIRCLE),
    (Sketch, "<shapes><li type='circle' radius='2.5'/></shapes>", CIRCLE),
    # tables of Markdown
    (Stocks, "<items>\n| item | qty |\n|------|-----|\n| A | 1 |\n| B | 2 |\n</items>", STOCKS),
    (Job, "<steps>\n| step |\n|---|\n| a |\n| b |\n</steps>", {"steps": ["a", "b"]}),
    (Variables, "<env>\n| name | value |\n|---|---|\n| A | 1 |\n| B | 2 |\n</env>", {"env": {"A": "1", "B": "2"}}),
    # a tag that is a text's in one place and a list's in another
    (Table, "<rows><li>a, b</li><li>c</li></rows>", {"rows": [["a", "b"], ["c"]]}),
    (Grid, "<grid><li>[1, 2]</li></grid><pair><li>a</li><li>1</li></pair>", {"grid": [[1, 2]], "pair": ("a", 1)}),
    (Grid, "<grid></grid><pair><li>b<li>2</li></li></pair>", {"grid": [], "pair": ("b", 2)}),
    (Job, "<tilte>x</title><colour>red</colour><steps>a</steps>", {"steps": ["a"], "title": "x"}),
    (Grid, "<grid></grid><pair>(b, 2)</pair>", {"grid": [], "pair": ("b", 2)}),
    # comments and items without their closing tags in lists of lists
    (Grid, "<grid><li><li>1<!-- x --></li><li>2</li></li><li><li>3</li></li></grid>", {"grid": [[1, 2], [3]]}),
    (Grid, "<grid><li><li>1<li>2</li></li></grid>", {"grid": [[1, 2]]}),
    # items of an unknown or a numbered name
    (Grid, "<grid><row><li>1</li><li>2</li></row><row><li>3</li></row></grid>", {"grid": [[1, 2], [3]]}),
    (Job, "<step_1>a</step_1><step_2>b</step_2>", {"steps": ["a", "b"]}),
    (
        Calls,
        "<steps><li><Step><arguments>a: x</arguments><reason>r</reason></Step></li></steps>",
        CALLS,
    ),
    # fields that are named like items
    (Stocks, "<items><row><item>A</item><qty>1</qty></row><row><item>B</item><qty>2</qty></row></items>", STOCKS),
    (Stocks, "<items><item>A</item><qty>1</qty><item>B</item><qty>2</qty></items>", STOCKS),
    (Stocks, "<items><item>A</item><qty>1</qty></items><items><item>B</item><qty>2</qty></items>", STOCKS),
    (Stocks, "<items>\n<item>A\n<qty>1</qty>\n<item>B</item><qty>2</qty></items>", STOCKS),
    (Stocks, "<items><li><item>A</item></item><qty>1</qty></li></items>", {"items": STOCKS["items"][:1]}),
    (Stocks, "<items><li><item>A</item><item>A</item><qty>1</qty></li></items>", {"items": STOCKS["items"][:1]}),
    # two texts that cross
    (Crossed, "<first>x<second>y</first></second>", {"first": "x", "second": "y"}),
    (Crossed, "<first>x\n<second>y\n</first>\n</second>", {"first": "x", "second": "y"}),
    # misspelt closing tags in front of dots, and of what is around the answer; strays that are none of them
    (Job, "<steps><li>a</li></steps><title>x</titel>\n...\n", {"steps": ["a"], "title": "x"}),
    (
        Checks,
        "<tests><li><given>a</given></text><count>1</count></li><li><given>b</given><count>2</count></li></tests>",
        TESTS,
    ),
    (
        Calls,
        "<steps><li><arguments><entry key='a'>x</entry></entry></arguments><reason>r</reason></li></steps>",
        CALLS,
    ),
    # maps by other attributes, by keys and values in turn, in the tag itself
    (Variables, "<env><var name='A'>1</var><var name='B'>2</var></env>", {"env": {"A": "1", "B": "2"}}),
    (Variables, "<env><li name='A'>1</li></env>", {"env": {"A": "1"}}),
    (Variables, "<env><key>A</key><value>1</value><key>B</key><value>2</value></env>", {"env": {"A": "1", "B": "2"}}),
    (Variables, "<env A='1' B='2'/>", {"env": {"A": "1", "B": "2"}}),
    (Variables, "<env><entry key='A>1</entry></env>", {"env": {"A": "1"}}),
    # a page in a text whose closing tag is missing; the nearer of two near names
    (
        Pages,
        "<body>\n<html><body>hi</body></html>\n<title>t</title>",
        {"title": "t", "body": "<html><body>hi</body></html>"},
    ),
    (
        Pages,
        "<title>t</title><body>b</body><adrdess_1>x</address_1><adrdess_2>y</adrdess_2>",
        {"title": "t", "body": "b", "address_1": "x", "address_2": "y"},
    ),
    (Lines, '<lines></lines><notes>\n- "no \\d"\n- plain\n</notes>', {"notes": ['"no \\d"', "plain"]}),
    # bullets of which the first is indented behind its tag; what is said behind them; escaped items
    (Job, "<steps>  - a\n  - b</steps>", {"steps": ["a", "b"]}),
    (Grid, "<grid><li>  - 1\n  - 2</li><li><li>3</li></li></grid>", {"grid": [[1, 2], [3]]}),
    (Job, "<steps>\n- a\n- b\n\nThese are the steps.\n</steps>", {"steps": ["a", "b"]}),
    (Job, "<steps>&lt;li&gt;a &amp;amp; b&lt;/li&gt;\n&lt;li&gt;c&lt;/li&gt;</steps>", {"steps": ["a & b", "c"]}),
    (Job, "<steps>&lt;b&gt;a&lt;/b&gt;</steps>", {"steps": ["<b>a</b>"]}),
    (Job, '<steps>"a", "b, but c"</steps>', {"steps": ["a", "b, but c"]}),
    (Job, "<steps>a<br>b</steps>", {"steps": ["a", "b"]}),
    # a value twice, once with what the prompt said of it; of an item, in its tag
    (Grid, "<grid></grid><pair><li>a</li><li>1</li></pair><pair type='tuple'><li>a</li><li>1</li></pair>", PAIRED),
    (Table, "<rows></rows><count type='int'>3</count><count>3</count>", {"rows": [], "count": 3}),
    (Job, "<steps><step name='a'/><step name='b'/></steps>", {"steps": ["a", "b"]}),
    # labels in front of elements; headings with their values behind them; what decorates tags
    (Crossed, "\nFirst: <first>x</first>\n**Second:** <second>y</second>\n", {"first": "x", "second": "y"}),
    (Job, "\n`<title>x</title>`\n`<steps>`\n- a\n- b\n`</steps>`\n", {"steps": ["a", "b"], "title": "x"}),
    # a closing tag that is missing, and no-break spaces in front of the next one
    (Crossed, "\n\xa0\xa0<first>x\n\xa0\xa0<second>y</second>\n", {"first": "x", "second": "y"}),
    # maps: values with signs of their own, entries without tags; objects of which each field has a bullet
    (Variables, "<env>\n- A: x = 1; y = 2\n</env>", {"env": {"A": "x = 1; y = 2"}}),
    (Variables, "<env><entry key='don't know'>1</entry></env>", {"env": {"don't know": "1"}}),
    (Variables, "<env><li>A: 1</li><li>B: 2</li></env>", {"env": {"A": "1", "B": "2"}}),
    (
        Checks,
        "<tests>\n- **given**: a\n- **count**: 1\n- **given**: b\n- **count**: 2\n</tests>",
        TESTS,
    ),
]


@pytest.mark.parametrize(("model", "inner", "data"), DAMAGED)
def test_damaged_replies_are_read(model: type[BaseModel], inner: str, data: dict[str, Any]) -> None:
    """And something is on record for each."""
    name = model.__name__.lower()
    read = StructuredResponse.from_basemodel(model).parse(f"<{name}>{inner}</{name}>")
    assert read.to_basemodel() == model.model_validate({"lines": [], **data})
    assert read.repairs


class Titled(BaseModel):
    title: str
    score: int


CALLED = '<invoke name="titled"><parameter name="title">A "q"</parameter><parameter name="score">1</parameter></invoke>'
TOLD = "<titled><title>A</title><score>1</score></titled>"
AROUND: list[tuple[str, list[str]]] = [
    # an answer in a JSON string behind which tags are named; a tool call in one
    (json.dumps(TOLD.replace("A", 'A "q"')) + "\n\nSummary: <title> and <score> are filled in.", []),
    (json.dumps(CALLED), []),
    # the root is named in front of data
    ('Here is the <titled>:\n```json\n{"title": "A \\"q\\"", "score": 1}\n```', []),
    ("Here is the <titled>:\n```yaml\ntitle: 'A \"q\"'\nscore: 1\n```", []),
    # a field that is corrected behind the answer
    (TOLD.replace("A", 'A "q"') + "\n\nWait, the score should be 4:\n\n<score>4</score>", ["$.score"]),
]


@pytest.mark.parametrize(("reply", "paths"), AROUND)
def test_what_stands_around_an_answer_changes_nothing_quietly(reply: str, paths: list[str]) -> None:
    """Nothing of it is in the answer; where it says otherwise, that is a problem."""
    read = StructuredResponse.from_basemodel(Titled).parse(reply, strict=False)
    assert [problem.path for problem in read.problems] == paths
    assert read.to_dict() == {"title": 'A "q"', "score": None if paths else 1}


def test_a_text_in_an_objects_place_is_one_problem() -> None:
    """Not one more for each of the fields that it lacks; the other items stay."""
    reply = "<lines><lines><li><caption>a</caption></li><li>what?</li></lines></lines>"
    read = StructuredResponse.from_basemodel(Lines).parse(reply, strict=False)
    assert [(problem.kind, problem.path) for problem in read.problems] == [("invalid", "$.lines[1]")]
    assert read.instance.lines[0].caption == "a"
    assert read.instance.lines[1] is None


@pytest.mark.parametrize(
    ("reply", "data"),
    [
        ('<think>perhaps {"env": {"a": "1"}}</think>{"env": {"b": "2"}}', {"b": "2"}),
        ('<think>perhaps {"env": {"a": "1"}}</think><variables></variables>', None),
        ('perhaps {"env": {"a": "1"}}</think>{"env": {"b": "2"}}', {"b": "2"}),
        ('{"env": {"b": "2"}} <think>or {"env": {"a": "1"}}?</think>', {"b": "2"}),
        ('<think>a <think>b</think> {"env": {"a": "1"}}</think>{"env": {"b": "2"}}', {"b": "2"}),
    ],
)
def test_json_in_reasoning_is_no_answer(reply: str, data: dict[str, str] | None) -> None:
    """As XML in reasoning is none, even where what stands outside of it is wrong."""
    read = StructuredResponse.from_basemodel(Variables).parse(reply, strict=False)
    assert read.instance.env == data


@pytest.mark.parametrize("end", ["</", "</l"])
def test_a_text_that_breaks_off_in_a_closing_tag_of_its_own_markup_is_cut(end: str) -> None:
    """Half a page is no page, even if its closing tag could have been the next."""
    reply = f"<job><steps><li>a</li></steps><title><ul><li>one{end}"
    read = StructuredResponse.from_basemodel(Job).parse(reply, strict=False)
    assert (read.truncated, [problem.path for problem in read.problems]) == ("$.title", ["$.title"])
    assert read.instance.title == "<ul><li>one"


def test_json_that_breaks_off_is_json_whatever_stands_in_its_texts() -> None:
    """A field's element in one of its texts has less wrong with it, and fills less."""
    reply = '{"title": "A", "address_1": "x", "body": "<p class=\\"a\\">\\n<title>B</title></p>", "address_2": "y'
    read = StructuredResponse.from_basemodel(Pages).parse(reply, strict=False)
    assert read.instance.title == "A"
    assert read.truncated == "$.address_2"


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
    response.to_prompt("json", examples=[Typed(type="typed", text="as an example")])
    with pytest.raises(ReplyError, match="repeats the prompt's examples"):
        response.parse('{"type": "typed", "text": "as an example"}')


def test_the_path_of_a_bad_event_names_no_tag(tmp_path: Path) -> None:
    """It said `events.score[0].score.score`."""
    line = '{"message_id": "a", "text": "", "role": "prompter", "events": {"score": [{"type": "score", "score": 9}]}}'
    (tmp_path / "a.jsonl").write_text(line)
    with pytest.raises(DatasetError, match=r"\$\.events\.score\[0\]\.score: "):
        list(read_messages(tmp_path / "a.jsonl"))


class Note(BaseModel):
    name: str
    comment: str
    items: list[str] = []


class Task(BaseModel):
    title: str
    done: bool = False
    text: str = ""
    subtasks: list[Task] = []


class Drawing(BaseModel):
    shapes: list[Circle | Box]


class Address(BaseModel):
    street: str
    email: str = ""


class Company(BaseModel):
    address: Address
    offices: list[Address] = []


class Row(BaseModel):
    item: str
    quantity: int = 0


class Rows(BaseModel):
    items: list[Row]


class Guest(BaseModel):
    name: str
    who: list[str] = []


class Guests(BaseModel):
    guests: list[Guest]


class Parcel(BaseModel):
    notes: str
    placed: int


NOTE = {"name": "x", "comment": "y"}

WHOLE_REPLIES: list[tuple[type[BaseModel], str, dict[str, Any]]] = [
    # a string names the tags of what holds it
    (Note, "<note><name>x</name><comment>say </note>.</comment></note>", {**NOTE, "comment": "say </note>."}),
    (
        Note,
        "<note><name>x</name><comment>a </comment>, <note></comment></note>",
        {**NOTE, "comment": "a </comment>, <note>"},
    ),
    (
        Note,
        "<note><name>a <note>, </name>, </note></name><comment>y</comment></note>",
        {**NOTE, "name": "a <note>, </name>, </note>"},
    ),
    (
        Note,
        "<note><name>x</name><comment>`</note>`</comment><items><li>a</li></items></note>",
        {**NOTE, "comment": "`</note>`", "items": ["a"]},
    ),
    # what has a closing tag near the field's name is a part of the text
    (Parcel, "<parcel><notes><note>a</note>\n<placed>1</placed></parcel>", {"notes": "<note>a</note>", "placed": 1}),
    # prose around an answer that has no root of its own
    (Note, "In <name> I put it.\n\n<data><name>x</name><comment>y</comment></data>", NOTE),
    (Note, "First `<name>`, then the rest.\n\n<name>x</name>\n<comment>y</comment>", NOTE),
    (
        Note,
        "I put it in <name> and close with </name>; `<comment>` is next.\n\n<name>x</name>\n<comment>y</comment>",
        NOTE,
    ),
    (
        Note,
        (
            'See `<name>`.\n\n<invoke name="Note"><parameter name="name">x</parameter>'
            '<parameter name="comment">y</parameter></invoke>'
        ),
        NOTE,
    ),
    (Note, "First <note> with <name>.\n</think>\n\n<name>x</name>\n<comment>y</comment>", NOTE),
    (Note, "Summary: <name> is set.\n\nname: x\ncomment: y", NOTE),
    (
        Note,
        "<a><name>q</name><comment>q</comment></a>\nOr:\n<a><name>x</name><comment>y</comment></a>",
        NOTE,
    ),
    (Note, "<name>x<comment>y</comment></name>", NOTE),
    # what nests
    (
        Task,
        "<title>a</title>\n<subtasks>\n<task><title>b</title></task>\n</subtasks>",
        {"title": "a", "subtasks": [{"title": "b"}]},
    ),
    (
        Task,
        "<task><title>a</title><task><title>b</title></task><task><title>c</title></task></task>",
        {"title": "a", "subtasks": [{"title": "b"}, {"title": "c"}]},
    ),
    (
        Task,
        (
            "<task><title>a</title><subtaks><li><title>b</title><subtasks><li><title>c</title></li></subtasks></li>"
            "</subtaks></task>"
        ),
        {"title": "a", "subtasks": [{"title": "b", "subtasks": [{"title": "c"}]}]},
    ),
    (
        Drawing,
        "<drawing><shapes><li><type>circle</type><type>circle</type><radius>2.5</radius></li></shapes></drawing>",
        {"shapes": [{"type": "circle", "radius": 2.5}]},
    ),
    (
        Company,
        (
            "<company><address><address><street>a</street></address></address>"
            "<offices><li><street>b</street></li></offices></company>"
        ),
        {"address": {"street": "a"}, "offices": [{"street": "b"}]},
    ),
    (
        Company,
        "<company><address><detail><street>a</street><email>e</email></detail></address></company>",
        {"address": {"street": "a", "email": "e"}},
    ),
    (
        Rows,
        "<rows><items><item><![CDATA[a]]></item><quantity>1</quantity><item>b</item></items></rows>",
        {"items": [{"item": "a", "quantity": 1}, {"item": "b"}]},
    ),
    (
        Rows,
        "<rows><items><item><item>a</item><quantity>1</quantity></item></items></rows>",
        {"items": [{"item": "a", "quantity": 1}]},
    ),
    (
        Guests,
        "<guests><guests><li><name>A</name><who><li>x<li>y</li><li><name>B</name></li></guests></guests>",
        {"guests": [{"name": "A", "who": ["x", "y"]}, {"name": "B"}]},
    ),
]


@pytest.mark.parametrize(("model", "reply", "data"), WHOLE_REPLIES)
def test_whole_replies_are_read(model: type[BaseModel], reply: str, data: dict[str, Any]) -> None:
    """Each was quietly wrong."""
    read = StructuredResponse.from_basemodel(model).parse(reply, strict=False)
    assert not read.problems
    assert read.to_basemodel() == model.model_validate(data)


def test_a_text_that_mentions_what_is_missing_keeps_it() -> None:
    """Where text goes on behind a sibling's element in a string, it is no sibling; that one is missing."""
    reply = "<note><name>The student wrote <comment>5</comment>.</name></note>"
    read = StructuredResponse.from_basemodel(Note).parse(reply, strict=False)
    assert [(problem.kind, problem.path) for problem in read.problems] == [("missing", "$.comment")]
    assert read.instance.name == "The student wrote <comment>5</comment>."


class Snippet(BaseModel):
    title: str
    body: str
    score: int = 0


@pytest.mark.parametrize(
    ("reply", "body"),
    [
        ("**Title:** A\n\n**Body:**\n```python\nif x:\n    y()\n```\n\n**Score:** 1", "if x:\n    y()"),
        ("Title: A\nBody:\n    if x:\n        y()\nScore: 1", "if x:\n    y()"),
    ],
)
def test_a_text_behind_a_label_keeps_its_indentation(reply: str, body: str) -> None:
    """And loses its fence, as between tags."""
    read = StructuredResponse.from_basemodel(Snippet).parse(reply)
    assert read.to_basemodel() == Snippet(title="A", body=body, score=1)


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


class Step(BaseModel):
    action: str
    hours: int


class Plain(BaseModel):
    name: str
    tags: list[str] = []
    votes: dict[str, int] = {}
    groups: dict[str, list[str]] = {}
    parts: list[Step] = []


class Branch(BaseModel):
    name: str
    n: int = 0
    kids: list[Branch] = []


STEPS = [{"action": "a", "hours": 1}, {"action": "b", "hours": 2}]
STEP_ITEMS = "".join(f"<li><action>{task['action']}</action><hours>{task['hours']}</hours></li>" for task in STEPS)
TAGS_OF_OTHERS = [
    # what is an item's name stands around items, what is a key's around entries
    ("<tags><tag><li>a</li></tag><tag><li>b</li></tag></tags>", {"tags": ["a", "b"]}),
    ("<tag><li>a</li><li>b</li></tag>", {"tags": ["a", "b"]}),
    ("<tag><li>a</li></tag><tag><li>b</li></tag>", {"tags": ["a", "b"]}),
    (f"<parts><item>{STEP_ITEMS}</item></parts>", {"parts": STEPS}),
    (f"<part>{STEP_ITEMS}</part>", {"parts": STEPS}),
    ("<votes><map><entry key='a'>1</entry></map></votes>", {"votes": {"a": 1}}),
    ("<tags><li>a</li></tags><tags><li>a</li></tags>", {"tags": ["a"]}),
    ("<tags><li>a</li></tags><tags><li>b</li></tags>", {"tags": ["a", "b"]}),
    # an entry whose list was never closed
    (
        "<groups><entry key='a'><li>p</li><entry key='b'><li>q</li></entry></groups>",
        {"groups": {"a": ["p"], "b": ["q"]}},
    ),
    # an empty tag that was meant as another one
    ("<tags><li>a<li/><li>b<li/></tags>", {"tags": ["a", "b"]}),
    ("<tags/><li>a</li></tags>", {"tags": ["a"]}),
    ("<votes/><entry key='a'>1</entry></votes>", {"votes": {"a": 1}}),
    # objects without tags of their own, numbered
    (
        "<parts><action1>a</action1><hours1>1</hours1><action2>b</action2><hours2>2</hours2></parts>",
        {"parts": STEPS},
    ),
    # sections around elements
    ("<tags><![CDATA[<li>a</li><li>b</li>]]></tags>", {"tags": ["a", "b"]}),
    ("<votes><![CDATA[<entry key='a'>1</entry>]]></votes>", {"votes": {"a": 1}}),
    ("<tags><li><![CDATA[<li>a</li>]]></li></tags>", {"tags": ["<li>a</li>"]}),
]


@pytest.mark.parametrize(("inner", "data"), TAGS_OF_OTHERS)
def test_what_a_tag_stands_around_says_what_it_is(inner: str, data: dict[str, Any]) -> None:
    """Each was quietly wrong."""
    read = StructuredResponse.from_basemodel(Plain).parse(f"<plain><name>A</name>{inner}</plain>", strict=False)
    assert not read.problems
    assert read.to_basemodel() == Plain.model_validate({"name": "A", **data})


@pytest.mark.parametrize(
    "name",
    [
        "<name>A<name/>",
        "<name>A<\\/name>",
        "<name>A<//name>",
        "<name>A/name>",
        "<name>A</na/name>",
        "<name>A</>",
        "<name/>A</name>",
        '<name="A">',
        "<name='A'/>",
    ],
)
@pytest.mark.parametrize("behind", ["", "\n<tags><li>a</li></tags>"])
def test_tags_that_came_out_wrong(name: str, behind: str) -> None:
    """They are none of the text."""
    read = StructuredResponse.from_basemodel(Plain).parse(f"<plain>{name}{behind}</plain>")
    assert read.instance["name"] == "A"


@pytest.mark.parametrize("text", ["a <b>x</>", "<>a</>", "a/name", "or </> in one line"])
def test_texts_that_only_look_like_it(text: str) -> None:
    """Between their own tags texts are left alone."""
    read = StructuredResponse.from_basemodel(Plain).parse(f"<plain><name>{text}</name></plain>")
    assert read.instance["name"] == text


@pytest.mark.parametrize(
    "reply",
    [
        "<![CDATA[<plain><name>A</name></plain>]]>",
        "<plain><![CDATA[<name>A</name>]]></plain>",
        "Here:\n<answer><![CDATA[\n<plain><name>A</name></plain>\n]]></answer>",
    ],
)
def test_an_answer_in_a_section(reply: str) -> None:
    """Its tags are markup."""
    read = StructuredResponse.from_basemodel(Plain).parse(reply)
    assert read.instance["name"] == "A"
    assert [repair.kind for repair in read.repairs] == ["section_mended"]


def test_an_object_in_attributes_may_hold_another_one() -> None:
    """The same tag again is no wrapper there."""
    read = StructuredResponse.from_basemodel(Branch).parse('<branch name="A" n="1"><branch name="B" n="2"/></branch>')
    assert read.to_basemodel() == Branch(name="A", n=1, kids=[Branch(name="B", n=2)])


ENDED_READING: list[tuple[Any, str, Any]] = [
    (int, "1,2.3,4", None),
    (int, "nonnegative:           5", 5),
    (dt.date, "2 \u017fep 2024", dt.date(2024, 9, 2)),
    (dt.time, "m\u0131dday", dt.time(12)),
    (dt.timedelta, "s\u0131x hours", dt.timedelta(hours=6)),
]


@pytest.mark.parametrize(("of", "text", "value"), ENDED_READING)
def test_odd_values_are_read_or_a_problem(of: Any, text: str, value: Any) -> None:
    """Separators that make no sense, letters that patterns take for others, words that end like another one."""
    model = create_model("Odd", value=(of, ...))
    read = StructuredResponse.from_basemodel(model).parse(f"<odd><value>{text}</value></odd>", strict=False)
    assert [problem.path for problem in read.problems] == ([] if value else ["$.value"])
    assert value is None or read.to_basemodel() == model(value=value)


@pytest.mark.parametrize("text", ["<odd><value>(\n)</value></odd>", "value: (\n)", '{"value": "(\\n)"}'])
def test_brackets_with_nothing_in_them_hold_nothing(text: str) -> None:
    """On two lines too, where no line is the first."""
    model = create_model("Odd", value=(list[str], ...))
    assert StructuredResponse.from_basemodel(model).parse(text).to_basemodel() == model(value=[])


class Headed(BaseModel):
    title: str
    n: int = 0
    votes: dict[str, int] = {}


@pytest.mark.parametrize(
    "reply",
    [
        "<headed><title>A</titel>\n<extra>1</extra>\n<n>2</n></headed>",
        "Here's the <headed>, with <title> filled in:\n<data><title>A</title><n>2</n></data>",
        "Here's the <headed>, with <title> filled in:\n<title>A</title><n>2</n>",
        "<headed><votes></votes>\n<entry key='k'>1</entry>\n<title>A</title><n>2</n></headed>",
    ],
)
def test_where_a_title_ends_and_an_answer_begins(reply: str) -> None:
    """A misspelt closing tag closes whatever follows; a root's tag that prose names opens nothing."""
    read = StructuredResponse.from_basemodel(Headed).parse(reply)
    assert read.instance["title"] == "A"
    assert read.instance["n"] == 2
    assert read.instance["votes"] == ({"k": 1} if "votes" in reply else {})


class Nested(BaseModel):
    li: str | None = None
    think: list[list[str | None]]


def test_an_item_that_is_marked_null_has_no_value() -> None:
    """Whatever else stands in its tag."""
    read = StructuredResponse.from_basemodel(Nested).parse(
        "<nested><think><li><li note='x' type='null'/></li></think></nested>"
    )
    assert read.instance["think"] == [[None]]


def test_elements_are_no_yaml() -> None:
    """A colon in an attribute is no mapping's, not even where any key may stand."""
    response = StructuredResponse.from_type(dict[str, Any], "ValueMap")
    read = response.parse("<value_map><!-- c --><entry key='a: b'>1</entry></value_map>")
    assert read.to_dict() == {"a: b": 1}


class Place(BaseModel):
    street: str
    city: str


class Piece(BaseModel):
    name: str
    n: int


def rec(**fields: Any) -> type[BaseModel]:
    """A model of fields that are all required, unless they have a default."""
    made: Any = {name: kind if isinstance(kind, tuple) else (kind, ...) for name, kind in fields.items()}
    model: type[BaseModel] = create_model("Rec", **made)
    return model


ROWS = "<li><li>1</li><li>2</li></li><li><li>3</li></li>"
PLACES = "<o><street>S</street><city>C</city></o>"
MORE_WHOLE_REPLIES: list[tuple[type[BaseModel], str, dict[str, Any]]] = [
    # an answer without a root that breaks off in a model that holds itself
    (
        Branch,
        "<name>A</name>\n<kids>\n<li>\n<name>B</name>\n<kids></kids>\n</li>\n<li>\n<name>C</name>\n</li>\n</kids>",
        {"name": "A", "kids": [{"name": "B"}, {"name": "C"}]},
    ),
    # the same twice, however it is laid out; two items that are alike
    (
        rec(x=str, o=Place),
        f"<rec><x>A</x>{PLACES}\n<o>\n <street>S</street>\n <city>C</city>\n</o></rec>",
        {"x": "A", "o": {"street": "S", "city": "C"}},
    ),
    (
        rec(x=str, o=list[Place]),
        f"<rec><x>A</x>{PLACES}{PLACES}</rec>",
        {"x": "A", "o": [{"street": "S", "city": "C"}] * 2},
    ),
    # another word is no misspelling
    (rec(id=int, min_price=(int, 0)), "<rec><id>1</id><max_price>5</max_price></rec>", {"id": 1}),
    (rec(id=int, title=(str, "")), "<rec><id>1</id><table>5</table></rec>", {"id": 1}),
    (rec(id=int, title=(str, "")), "<rec><id>1</id><tilte>5</tilte></rec>", {"id": 1, "title": "5"}),
    # wrappers in maps and lists of lists
    (
        rec(v=dict[str, list[str]]),
        '<rec><v><map><entry key="a"><li>x</li></entry></map></v></rec>',
        {"v": {"a": ["x"]}},
    ),
    (
        rec(v=dict[str, Piece]),
        '<rec><v><entries><entry key="a"><name>x</name><n>1</n></entry></entries></v></rec>',
        {"v": {"a": {"name": "x", "n": 1}}},
    ),
    (
        rec(cells=list[list[int]]),
        "<rec><cells><row><cell>1</cell><cell>2</cell></row></cells></rec>",
        {"cells": [[1, 2]]},
    ),
    (rec(rows=list[list[int]]), "<rec><rows><li><li><int>1</int></li><li>2</li></li></rows></rec>", {"rows": [[1, 2]]}),
    # entries with an element for the value, another attribute for the key, fields beside the key
    (rec(v=dict[str, int]), '<rec><v><entry key="a"><value>1</value></entry></v></rec>', {"v": {"a": 1}}),
    (rec(v=dict[str, int]), '<rec><v><entry id="a">1</entry></v></rec>', {"v": {"a": 1}}),
    (
        rec(v=dict[str, Place]),
        "<rec><v><entry><key>a</key><street>S</street><city>C</city></entry></v></rec>",
        {"v": {"a": {"street": "S", "city": "C"}}},
    ),
    # shapes that hold themselves: an empty tag meant as an opening one, objects in attributes
    (
        Branch,
        "<branch><name>A</name><kids/><li><name>B</name><kids></kids></li></kids></branch>",
        {"name": "A", "kids": [{"name": "B"}]},
    ),
    (
        Branch,
        '<branch name="A"><branch name="B"><branch name="C"><branch name="D"/></branch></branch></branch>',
        {"name": "A", "kids": [{"name": "B", "kids": [{"name": "C", "kids": [{"name": "D"}]}]}]},
    ),
    # the same tag twice around a list of lists, its singular in its place
    (rec(rows=list[list[int]]), f"<rec><rows><rows>{ROWS}</rows></rows></rec>", {"rows": [[1, 2], [3]]}),
    (rec(rows=list[list[int]]), f"<rec><row>{ROWS}</row></rec>", {"rows": [[1, 2], [3]]}),
    # what was closed too early, in an item of the same kind, and an object
    (
        Branch,
        "<branch><name>A</name><kids><li><name>B</name><kids></kids><li><name>C</name></li></li></kids></branch>",
        {"name": "A", "kids": [{"name": "B", "kids": [{"name": "C"}]}]},
    ),
    (
        rec(o=Place, n=int),
        "<rec><o></o><street>S</street><city>C</city><n>1</n></rec>",
        {"o": {"street": "S", "city": "C"}, "n": 1},
    ),
    # an option that is not meant, empty behind the one that is
    (
        rec(o=list[Place | Piece]),
        "<rec><o><li><place><street>S</street><city>C</city></place><piece/></li></o></rec>",
        {"o": [{"street": "S", "city": "C"}]},
    ),
    (
        rec(o=Place | Piece),
        "<rec><o><place><street>S</street><city>C</city></place><piece></piece></o></rec>",
        {"o": {"street": "S", "city": "C"}},
    ),
    # short names with numbers
    (
        rec(o=list[Piece]),
        "<rec><o><name1>x</name1><n1>1</n1><name2>y</name2><n2>2</n2></o></rec>",
        {"o": [{"name": "x", "n": 1}, {"name": "y", "n": 2}]},
    ),
    # a type's tag around a value, a section around the items in an entry
    (rec(v=dict[str, int]), "<rec><v><entry key='a'><int>1</int></entry></v></rec>", {"v": {"a": 1}}),
    (
        rec(v=dict[str, list[str]]),
        "<rec><v><entry key='a'><![CDATA[<li>x</li>]]></entry></v></rec>",
        {"v": {"a": ["x"]}},
    ),
    # an item's class as an empty tag, types as tags
    (rec(o=list[Piece]), '<rec><o><li><Piece name="x" n="1"/></li></o></rec>', {"o": [{"name": "x", "n": 1}]}),
    (rec(name=str, n=int), '<rec><string name="name">A</string><int name="n">1</int></rec>', {"name": "A", "n": 1}),
    # prose around an answer that has no root, or no end
    (rec(a=str, b=str), "<a>x</a>\n\nThe b is <b>y</b>.", {"a": "x", "b": "y"}),
    (rec(a=str, b=list[str]), "<a>x</a><b>y</b>\n\n<a>x</a><b>y</b>", {"a": "x", "b": ["y"]}),
    (rec(a=str, b=int), "<rec><a>x</a><b>1</b>\nLet me know if <a> should change!", {"a": "x", "b": 1}),
    (rec(a=str, b=int), "<rec><a>x<\\a><b>1</b></rec>", {"a": "x", "b": 1}),
]


@pytest.mark.parametrize(("model", "reply", "data"), MORE_WHOLE_REPLIES)
def test_more_whole_replies_are_read(model: type[BaseModel], reply: str, data: dict[str, Any]) -> None:
    """Each was quietly wrong, or had a problem that nobody else would have seen."""
    read = StructuredResponse.from_basemodel(model).parse(reply, strict=False)
    assert not read.problems
    assert read.to_basemodel() == model.model_validate(data)


def test_a_tree_of_attributes_that_breaks_off() -> None:
    """The outermost one is the answer."""
    read = StructuredResponse.from_basemodel(Branch).parse(
        '<branch name="A"><branch name="B"><branch name="C"/></branch><branch name="', strict=False
    )
    assert read.instance["name"] == "A"
    assert read.truncated is not None


def test_a_tool_call_that_breaks_off_in_a_tag_is_cut() -> None:
    """The tags of tool calls are none of the definition's."""
    reply = '<invoke name="Rec">\n<parameter name="name">A</parameter>\n<parame'
    read = StructuredResponse.from_basemodel(rec(name=str, note=(str, ""))).parse(reply, strict=False)
    assert read.truncated == "$"


class Plant(BaseModel):
    name: str
    n: int = 0
    kids: list[Plant] = []


class Bed(BaseModel):
    name: str
    plants: list[Seed]
    extra: Any = None


class Seed(BaseModel):
    name: str
    n: int


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


PLANT = {"name": "A", "n": 0, "kids": [{"name": "B", "n": 2, "kids": []}]}
BED = {"name": "A", "plants": [{"name": "x", "n": 1}, {"name": "y", "n": 2}], "extra": None}
JSON_SEEDS = '[{"name": "x", "n": 1}, {"name": "y", "n": 2}]'
SEEDS_OF_PYTHON = "[Seed(name='x', n=1), Seed(name='y', n=2)]"
SAID_AROUND: list[tuple[Any, str, Any]] = [
    # calls and what `str` makes of models, with objects of JSON or of Python inside
    (Plant, "Plant(name='A', kids=[{'name': 'B', 'n': 2}])", PLANT),
    (Plant, "Plant(kids=[{'name': 'B', 'n': 2}], name='A')", PLANT),
    (Plant, "```python\nplant = Plant(name='A', kids=[{'name': 'B', 'n': 2}])\n```", PLANT),
    (Plant, "Here: garden.Plant(id=3, name='A', kids=[{'name': 'B', 'n': 2}]) as asked.", PLANT),
    (Plant, "name='A' n=0 kids=[{'name': 'B', 'n': 2}]", PLANT),
    (Plant, "The result: name='A' n=0 kids=[Plant(name='B', n=2, kids=[])]", PLANT),
    (Plant, "{'name': 'A', 'kids': [Plant(name='B', n=2)]}", PLANT),
    (Bed, f"Bed(name='A', plants={JSON_SEEDS})", BED),
    (Bed, f"Sure: Bed(name='A', plants={SEEDS_OF_PYTHON}) ok", BED),
    (Bed, f"{{'name': 'A', 'plants': {SEEDS_OF_PYTHON}}}", BED),
    (list[Seed], SEEDS_OF_PYTHON, BED["plants"]),
    (list[Seed], "Seed(name='x', n=1)\nSeed(name='y', n=2)", BED["plants"]),
    # lines and YAML
    (Plant, '**name:** A\n**kids:** [{"name": "B", "n": 2}]', PLANT),
    (Plant, '**name:** A\n**kids:**\n```json\n[{"name": "B", "n": 2}]\n```', PLANT),
    (Plant, "name: A\nkids: [Plant(name='B', n=2)]", PLANT),
    (Plant, "Sure!\n\n```yaml\nplant:\n  name: A\n  kids:\n  - {name: B, n: 2}\n```\nDone", PLANT),
    (Plant, 'name: A\nkids:\n  - {"name": "B", "n": 2}', PLANT),
    (list[Plant], "Sure:\n```\n- name: A\n  kids: [{name: B, n: 2}]\n```", [PLANT]),
    (Bed, "bed:\n  name: A\n  plants:\n  - {name: x, n: 1}\n  - {name: y, n: 2}", BED),
    (Bed, '- name: A\n- plants:\n  - {"name": "x", "n": 1}\n  - {"name": "y", "n": 2}', BED),
    (Bed, 'Name: A\nPlants:\n{"name": "x", "n": 1}\n{"name": "y", "n": 2}', BED),
    (Bed, f"## Name\nA\n\n## Plants\n```json\n{JSON_SEEDS}\n```", BED),
    (Bed, f"| name | A |\n| plants | {JSON_SEEDS} |", BED),
    (Bed, f'**Name:** A\n**Plants:** {JSON_SEEDS}\n**Extra:** {{"name": "q"}}', {**BED, "extra": {"name": "q"}}),
    (dict[str, Any], 'Result:\n```\na: {"x": 1}\nb: {"x": 2}\n```', {"a": {"x": 1}, "b": {"x": 2}}),
    # items behind bullets
    (list[Seed], 'Here:\n- {"name": "x", "n": 1}\n- {"name": "y", "n": 2}', BED["plants"]),
    (list[Seed], 'Here:\n1. {"name": "x", "n": 1}\n2. {"name": "y", "n": 2}\nDone.', BED["plants"]),
    # a larger piece that is none: prose, and a wrapper
    (Bed, f'Name: the name\nPlants: a list\n{{"name": "A", "plants": {JSON_SEEDS}}}', BED),
    (Bed, f'Use Bed(name=..., plants=...):\n{{"name": "A", "plants": {JSON_SEEDS}}}', BED),
    (Bed, f'Bed(\n{{"name": "A", "plants": {JSON_SEEDS}}}\n)', BED),
    (Bed, f'answer: {{"name": "A", "plants": {JSON_SEEDS}}}', BED),
    (dict[str, Any], 'Here is the JSON: {"x": 1}', {"x": 1}),
]


def is_same(of: Any, data: Any, other: Any) -> bool:
    """Whether two pieces of data are the same value, defaults filled in."""
    adapter: TypeAdapter[Any] = TypeAdapter(of)
    return bool(adapter.validate_python(data) == adapter.validate_python(other))


@pytest.mark.parametrize(("of", "reply", "data"), SAID_AROUND)
def test_what_stands_inside_of_an_answer_is_a_part_of_it(of: Any, reply: str, data: Any) -> None:
    """An object inside has the names that the root requires, and was taken for it."""
    read = StructuredResponse.from_type(of).parse(reply)
    assert is_same(of, read.to_dict(), data)


KEYS = [
    ("C#: 3\nF#: 2", {"C#": 3, "F#": 2}),
    ("- C#: 3\n- C++: 1", {"C#": 3, "C++": 1}),
    ("#1: 2\n.NET: 4", {"#1": 2, ".NET": 4}),
    ("\"#1\": 2\n'it': 3\n`a#`: 4", {"#1": 2, "it": 3, "a#": 4}),
    ("**C++**: 1\n**.NET:** 4", {"C++": 1, ".NET": 4}),
    ("C# = 3\n__init__ = 2", {"C#": 3, "__init__": 2}),
    ("*args: 1\n'tis: 3", {"*args": 1, "'tis": 3}),
    ('"a" and "b": 2\nb\': 4', {'"a" and "b"': 2, "b'": 4}),
    ("C#: 3, F#: 4", {"C#": 3, "F#": 4}),
    ("| Name | Votes |\n|---|---|\n| C# | 3 |\n| *args | 1 |\n| `a_` | 2 |", {"C#": 3, "*args": 1, "a_": 2}),
    ("### Ann: 3\n### Bob: 4", {"Ann": 3, "Bob": 4}),
]


@pytest.mark.parametrize(("text", "votes"), KEYS)
def test_keys_keep_their_characters(text: str, votes: dict[str, int]) -> None:
    """What decorates a key stands on both of its sides."""
    read = StructuredResponse.from_basemodel(Plain).parse(f"<plain><name>A</name><votes>{text}</votes></plain>")
    assert read.instance["votes"] == votes


def test_keys_below_a_heading_keep_their_characters() -> None:
    """And in bullets that are all of a reply."""
    read = StructuredResponse.from_basemodel(Plain).parse("## Name\nA\n## Votes\n- C#: 3\n- .NET: 1")
    assert read.to_basemodel() == Plain(name="A", votes={"C#": 3, ".NET": 1})
    assert StructuredResponse.from_type(dict[str, int]).parse("- C#: 3\n- C++: 2").to_dict() == {"C#": 3, "C++": 2}


X, Y = '{"name": "x", "n": 1}', '{"name": "y", "n": 2}'
COUNTED: list[tuple[Any, str, Any]] = [
    (list[Seed], f'{{"1": {X}, "2": {Y}}}', BED["plants"]),
    (list[Seed], f'{{"0": {X}, "1": {Y}}}', BED["plants"]),
    (list[Seed], f'{{"2": {Y}, "1": {X}}}', BED["plants"]),
    (list[Seed], f'{{"item_1": {X}, "item_2": {Y}}}', BED["plants"]),
    (list[Seed], f'{{"items": {{"1": {X}, "2": {Y}}}}}', BED["plants"]),
    (list[Seed], f'{{"Seed 1": {X}, "Seed 2": {Y}}}', BED["plants"]),
    (list[str], '{"1": "a", "2": "b"}', ["a", "b"]),
    (list[list[int]], '{"0": [1, 2], "1": [3]}', [[1, 2], [3]]),
    (list[dict[str, int]], '{"1": {"a": 1}, "2": {"a": 2}}', [{"a": 1}, {"a": 2}]),
    (list[dict[str, int]], '{"1": 4, "2": 5}', [{"1": 4, "2": 5}]),
    (Bed, '{"name": "A", "plants": {}}', {**BED, "plants": []}),
    (Bed, f"name: A\nplants:\n  1: {X}\n  2: {Y}", BED),
]


@pytest.mark.parametrize(("of", "reply", "data"), COUNTED)
def test_an_object_counts_the_items_of_a_list(of: Any, reply: str, data: Any) -> None:
    """All but the first were skipped."""
    read = StructuredResponse.from_type(of).parse(reply)
    assert is_same(of, read.to_dict(), data)
    assert "shape_changed" in [repair.kind for repair in read.repairs]


@pytest.mark.parametrize(
    ("of", "reply"),
    [
        (list[Seed], f'{{"first": {X}, "second": {Y}}}'),
        (list[Seed], f'{{"1": {X}, "3": {Y}}}'),
        (list[Seed], f'{{"a1": {X}, "b2": {Y}}}'),
        (Seed, f'{{"draft": {X}, "final": {Y}}}'),
        (Plant, "Plant('A', kids=[{'name': 'B', 'n': 2}])"),
    ],
)
def test_one_of_several_objects_is_not_taken(of: Any, reply: str) -> None:
    """Nobody knows which one was meant, or in which order."""
    with pytest.raises(ReplyError):
        StructuredResponse.from_type(of).parse(reply)


THOUGHT: list[tuple[Any, str, Any]] = [
    (dict[str, Any], '<think>maybe {"a": [1 or so</think>\n{"b": 2}', {"b": 2}),
    (dict[str, Any], '<reasoning>{"a": [1</reasoning><dict><entry key="b">2</entry></dict>', {"b": 2}),
    (dict[str, Any], '<think>{"draft": {"a": "<b>"</think>\n\n{"b": 2}', {"b": 2}),
    (dict[str, Any], 'I would write {"a": [1 here.\n\n{"b": 2}', {"b": 2}),
    (dict[str, Any], 'Quoting `{"a": {"c": 1` is fine.\n\n```json\n{"b": 2}\n```', {"b": 2}),
    (Bed, f"<think>Bed(name='Q', plants=[</think>Bed(name='A', plants={JSON_SEEDS})", BED),
    (Bed, f"<think>\nname: Q\nplants: none\n</think>\nname: A\nplants:\n- {X}\n- {Y}", BED),
    (dict[str, Any], '{"note": "<think>{}</think>", "n": 1} ok', {"note": "<think>{}</think>", "n": 1}),
]


@pytest.mark.parametrize(("of", "reply", "data"), THOUGHT)
def test_what_begins_in_front_of_an_answer_does_not_hide_it(of: Any, reply: str, data: Any) -> None:
    """Pieces of data that are never closed, in reasoning and in prose. Reasoning in a text is text."""
    assert is_same(of, StructuredResponse.from_type(of).parse(reply).to_dict(), data)


KEY = "12345678-1234-5678-1234-567812345678"
SHOWN_BY_PYTHON: list[tuple[str, dict[str, Any]]] = [
    ("'state': <State.DONE: 'done'>", {"state": State.DONE}),
    ("'price': Decimal('1.50')", {"price": Decimal("1.50")}),
    ("'day': datetime.date(2024, 1, 2)", {"day": dt.date(2024, 1, 2)}),
    ("'day': date(2024, 1, 2), 'at': None", {"day": dt.date(2024, 1, 2)}),
    ("'at': datetime.datetime(2024, 1, 2, 3, 4)", {"at": dt.datetime(2024, 1, 2, 3, 4)}),  # noqa: DTZ001
    (
        "'at': datetime.datetime(2024, 1, 2, 3, tzinfo=datetime.timezone.utc)",
        {"at": dt.datetime(2024, 1, 2, 3, tzinfo=dt.UTC)},
    ),
    ("'took': datetime.timedelta(days=1, seconds=90)", {"took": dt.timedelta(days=1, seconds=90)}),
    ("'took': timedelta(days=-1, seconds=86399)", {"took": dt.timedelta(seconds=-1)}),
    (f"'key': UUID('{KEY}')", {"key": UUID(KEY)}),
]


@pytest.mark.parametrize(("written", "values"), SHOWN_BY_PYTHON)
def test_values_as_python_shows_them(written: str, values: dict[str, Any]) -> None:
    """In its dicts, its objects, and in what `str` makes of models."""
    response = StructuredResponse.from_basemodel(Errand)
    named = written.replace("': ", "=").replace("'", "", 1).replace(", 'at", ", at")
    for reply in (
        f"{{'title': 't', {written}}}",
        f"Errand(title='t', {named})",
        f"title='t' {named.replace(', at', ' at')}",
    ):
        assert response.parse(reply).to_basemodel() == Errand(title="t", **values)


def test_a_text_may_look_like_a_value_of_python() -> None:
    """In quotes it is a text."""
    reply = "{'name': 'Seed(name=3)', 'plants': [Seed(name='date(2024, 1, 2)', n=1)]}"
    read = StructuredResponse.from_basemodel(Bed).parse(reply)
    assert read.to_basemodel() == Bed(name="Seed(name=3)", plants=[Seed(name="date(2024, 1, 2)", n=1)])


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity"])
def test_a_number_that_is_none_follows_a_text(number: str) -> None:
    """The text went on to the end of the reply."""
    read = StructuredResponse.from_type(list[str | float]).parse(f'["x", {number}]')
    assert str(read.to_dict()) == str(["x", float(number)])


class Street(BaseModel):
    street: str
    city: str


class Dog(BaseModel):
    breed: str
    barks: bool


class Cat(BaseModel):
    lives: int
    indoor: bool


ONE, TWO = {"name": "x", "n": 1}, {"name": "y", "n": 2}
FISH = {"street": "Fish & Co", "city": "C"}


def read_as_text(of: Any, text: str) -> Any:
    """What a field of some type is read as from a text between its tags."""
    model = create_model("Rec", name=(str, ...), value=(of, ...))
    read = StructuredResponse.from_basemodel(model).parse(f"<rec><name>A</name><value>{text}</value></rec>")
    return read.to_basemodel().model_dump(mode="json")["value"]


WRITTEN_BACK: list[tuple[Any, str, Any]] = [
    # sections
    (list[str], '<![CDATA[["p", "q"]]]>', ["p", "q"]),
    (list[str], "<![CDATA[\n- p\n- q\n]]>", ["p", "q"]),
    (list[str], "\n<![CDATA[p\nq]]>\n", ["p", "q"]),
    (list[str], "<![CDATA[p, q]]>", ["p", "q"]),
    (list[str], "<![CDATA[p]]>\n<![CDATA[q &amp; r]]>", ["p", "q &amp; r"]),
    (list[str], "<![CDATA[<b>p</b>\n&lt;]]>", ["<b>p</b>", "&lt;"]),
    (list[str], '<![CDATA[\n```json\n["p", "q"]\n```\n]]>', ["p", "q"]),
    (list[Piece], '<![CDATA[[{"name":"x","n":1}]]]>', [ONE]),
    (list[list[int]], "<![CDATA[[[1,2],[3]]]]>", [[1, 2], [3]]),
    (Street, "<![CDATA[street: Fish & Co\ncity: C]]>", FISH),
    (Street, '<![CDATA[{"street": "S &amp; T", "city": "C"}]]>', {"street": "S &amp; T", "city": "C"}),
    (dict[str, int], "<![CDATA[a: 1\nb: 2]]>", {"a": 1, "b": 2}),
    (dict[str, int], '<![CDATA[{"a": 1, "b": 2}]]>', {"a": 1, "b": 2}),
    # references
    (Street, "street: Fish &amp; Co\ncity: C", FISH),
    (Street, '{"street": "Fish &amp; Co", "city": "C"}', FISH),
    (Street, "{&quot;street&quot;: &quot;Fish &amp; Co&quot;, &quot;city&quot;: &quot;C&quot;}", FISH),
    (list[str], "[&quot;p&quot;, &#34;q&#34;]", ["p", "q"]),
    (list[str], '["say &quot;p&quot;", "&amp;lt;"]', ['say "p"', "&lt;"]),
    (list[str], '["<b>p</b> &amp; r", "q"]', ["<b>p</b> &amp; r", "q"]),
    (list[Piece], "| name | n |\n|---|---|\n| x &amp; y | 1 |", [{"name": "x & y", "n": 1}]),
    (dict[str, int], "x &amp; y: 1\nz: 2", {"x & y": 1, "z": 2}),
    (dict[str, int], "| k | v |\n|---|---|\n| x &amp; y | 1 |", {"x & y": 1}),
]


@pytest.mark.parametrize(("of", "text", "data"), WRITTEN_BACK)
def test_a_text_is_decoded_once_before_it_is_read_as_another_format(of: Any, text: str, data: Any) -> None:
    """Sections and references, unless bare markup says that nobody was escaping."""
    assert read_as_text(of, text) == data


def test_findings_in_a_text_that_was_escaped_name_places_in_the_reply() -> None:
    """Not in what it was written back to."""
    reply = "<rec><value>[1, &quot;two and three&quot;, 4]</value></rec>"
    model = create_model("Rec", value=(list[int], ...))
    read = StructuredResponse.from_basemodel(model).parse(reply, strict=False)
    (problem,) = read.problems
    assert problem.span is not None
    assert reply[slice(*problem.span)] == "&quot;two and three&quot;"


LITERALS: list[tuple[Any, str, Any]] = [
    (list[tuple[str, int]], '("x", 1), ("y", 2)', [["x", 1], ["y", 2]]),
    (list[tuple[str, int]], "[('x', 1), ('y', 2)]", [["x", 1], ["y", 2]]),
    (list[tuple[str, int]], "('x', 1),\n('y', 2),", [["x", 1], ["y", 2]]),
    (list[tuple[str, int]], "- (x, 1)\n- (y, 2)", [["x", 1], ["y", 2]]),
    (list[tuple[str, int]], "('a (b', 1); ('c', 2)", [["a (b", 1], ["c", 2]]),
    (list[tuple[str, int]], "('x', 1)", [["x", 1]]),
    (dict[str, tuple[int, int]], "{'a': (1, 2)}", {"a": [1, 2]}),
    (dict[str, tuple[int, int]], "a: (1, 2)\nb: (3, 4)", {"a": [1, 2], "b": [3, 4]}),
    (list[list[int]], "(1, 2), (3, 4)", [[1, 2], [3, 4]]),
    (list[list[int]], "[1, 2], [3]", [[1, 2], [3]]),
    (list[int], "[1 (one), 2 (two)]", [1, 2]),
    (list[str], "(p), (q)", ["(p)", "(q)"]),
    (list[str], "f(x=1), g(y=2)", ["f(x=1)", "g(y=2)"]),
    (list[Piece], '[Piece(name="x", n=1)]', [ONE]),
    (list[Piece], "Piece(name='x', n=1),\nPiece(name='y', n=2)", [ONE, TWO]),
    (list[Piece], "Piece(name='x', n=1), Piece(name='y', n=2)", [ONE, TWO]),
    (Street, 'Street(street="Fish & Co", city="C")', FISH),
]


@pytest.mark.parametrize(("of", "text", "data"), LITERALS)
def test_a_text_may_be_a_literal_of_python(of: Any, text: str, data: Any) -> None:
    """With tuples and calls in it."""
    assert read_as_text(of, text) == data


NULLS_AND_ONES: list[tuple[Any, str, Any]] = [
    (list[str] | None, "**name:** A\n**value:** null", None),
    (list[str] | None, "name: A\nvalue: None", None),
    (list[str] | None, '{"name": "A", "value": "null"}', None),
    (list[str] | None, "rec:\n  name: A\n  value: n/a", None),
    (list[str], "rec:\n  name: A\n  value: [p]", ["p"]),
    (list[str], "rec:\n  name: A\n  value: [p, q]", ["p", "q"]),
    (list[str], '{"name": "A", "value": "[p]"}', ["p"]),
    (list[str], '{"name": "A", "value": "(p)"}', ["(p)"]),
]


@pytest.mark.parametrize(("of", "reply", "data"), NULLS_AND_ONES)
def test_a_text_in_place_of_a_list(of: Any, reply: str, data: Any) -> None:
    """A null word is no item where null is allowed; brackets are none of the only item's."""
    model = create_model("Rec", name=(str, ...), value=(of, ...))
    assert StructuredResponse.from_basemodel(model).parse(reply).instance["value"] == data


def test_a_null_word_in_place_of_a_list_that_may_not_be_null() -> None:
    """Could be an item."""
    model = create_model("Rec", name=(str, ...), value=(list[str], ...))
    read = StructuredResponse.from_basemodel(model).parse("name: A\nvalue: none", strict=False)
    assert [problem.kind for problem in read.problems] == ["ambiguous"]


ADDRESSES = [
    ("a.b@c.org, d_e@f.fr", ["a.b@c.org", "d_e@f.fr"]),
    ("a.b@c.org, d_e@f.fr and g@h.de", ["a.b@c.org", "d_e@f.fr", "g@h.de"]),
    ("a.b@c.org d_e@f.fr", ["a.b@c.org", "d_e@f.fr"]),
    ("https://a.b/c, https://d.e/f", ["https://a.b/c", "https://d.e/f"]),
    ("https://a.b/is/it/c?x=1,2, https://d.e/f", ["https://a.b/is/it/c?x=1,2", "https://d.e/f"]),
    ("src/the_main/is_it.py, tests/a/b/c/d.py", ["src/the_main/is_it.py", "tests/a/b/c/d.py"]),
    ("user_name, is_active, has_been_seen", ["user_name", "is_active", "has_been_seen"]),
    ("See https://a.b/c for all that is known, please", ["See https://a.b/c for all that is known, please"]),
    ("See https://a.b/c", ["See https://a.b/c"]),
]


@pytest.mark.parametrize(("text", "data"), ADDRESSES)
def test_an_address_is_one_word_of_a_list(text: str, data: list[str]) -> None:
    """Whatever stands between its signs; a path and an identifier too."""
    assert read_as_text(list[str], text) == data


SIGNS: list[tuple[Any, str, Any]] = [
    (list[str], "\n✅ p\n✅ q\n", ["p", "q"]),
    (list[str], "✔️ p\n✔️ q", ["p", "q"]),
    (list[str], "▸ p\n▸ q", ["p", "q"]),
    (list[str], "➤ p\n➤ q", ["p", "q"]),
    (list[str], "★ p\n★ q", ["p", "q"]),
    (list[str], "→ p\n→ q", ["p", "q"]),
    (list[str], "» p\n» q", ["p", "q"]),
    (list[str], "👩‍💻 p\n👩‍💻 q", ["p", "q"]),
    (list[str], "1️⃣ p\n2️⃣ q", ["p", "q"]),
    (list[str], "Here:\n✅ p\n✅ q", ["p", "q"]),
    (list[str], "✅ p ✅ q", ["p", "q"]),
    (list[str], "•p\n•q", ["p", "q"]),
    (list[str], "…p\n…q", ["…p", "…q"]),
    (list[str], "✅ p\n❌ q", ["✅ p", "❌ q"]),
    (list[str], "✅ p", ["✅ p"]),
    (list[str], "€ 5\n€ 6", ["€ 5", "€ 6"]),
    (list[str], "≥ 5\n≥ 6", ["≥ 5", "≥ 6"]),
    (list[str], "« p »\n« q »", ["« p »", "« q »"]),
    (list[str], "# p\n# q", ["# p", "# q"]),
    (dict[str, int], "✅ a: 1\n✅ b: 2", {"a": 1, "b": 2}),
    (Street, "▸ **Street:** Fish & Co\n▸ **City:** C", FISH),
    (list[Piece], "✅ name: x, n: 1\n✅ name: y, n: 2", [ONE, TWO]),
]


@pytest.mark.parametrize(("of", "text", "data"), SIGNS)
def test_a_symbol_in_front_of_every_line_is_a_bullet(of: Any, text: str, data: Any) -> None:
    """One that says nothing of the line that it stands in."""
    assert read_as_text(of, text) == data


GROUPS: list[tuple[Any, str, Any]] = [
    # an object ends where a field comes again
    (list[Piece], "\nname: x\nn: 1\n\nname: y\nn: 2\n", [ONE, TWO]),
    (list[Piece], "**Name:** x\n**N:** 1\n\n**Name:** y\n**N:** 2", [ONE, TWO]),
    (list[Piece], "### Item 1\nName: x\nN: 1\n\n### Item 2\nName: y\nN: 2", [ONE, TWO]),
    (list[Piece], "**Item 1**\nname: x\nn: 1\n\n**Item 2**\nname: y\nn: 2", [ONE, TWO]),
    (list[Piece], "---\nname: x\nn: 1\n---\nname: y\nn: 2\n---", [ONE, TWO]),
    (list[Piece], "1. **Name:** x\n   **N:** 1\n2. **Name:** y\n   **N:** 2", [ONE, TWO]),
    # tables
    (list[Piece], "\nname,n\nx,1\ny,2\n", [ONE, TWO]),
    (list[Piece], 'name; n\nx; 1\n"y; z"; 2', [ONE, {"name": "y; z", "n": 2}]),
    (list[Piece], "N\tName\n1\tx", [ONE]),
    (list[Piece], "name | n\n--- | ---\nx | 1", [ONE]),
    (list[Piece], "<table><tr><th>name</th><th>n</th></tr><tr><td>x</td><td>1</td></tr></table>", [ONE]),
    (
        list[Piece],
        "\n<table>\n<thead><tr><th>Name</th><th>N</th></tr></thead>\n<tr><td>x &amp; y</td><td>1</td></tr>\n</table>\n",
        [{"name": "x & y", "n": 1}],
    ),
    (dict[str, int], "| a | 1 |\n| b | 2 |", {"a": 1, "b": 2}),
    (dict[str, int], "| a | 1 |\n|---|---|\n| b | 2 |", {"a": 1, "b": 2}),
    (dict[str, int], "- a - 1\n- b - 2", {"a": 1, "b": 2}),
    (list[str], '`["p", "q"]`', ["p", "q"]),
    (dict[str, int], "**a** – 1\n**b** – 2", {"a": 1, "b": 2}),
    (dict[str, int], "a, 1\nb, 2", {"a": 1, "b": 2}),
    (dict[str, int], "x-y: 1\nz: 2", {"x-y": 1, "z": 2}),
]


@pytest.mark.parametrize(("of", "text", "data"), GROUPS)
def test_lines_that_are_objects_and_entries(of: Any, text: str, data: Any) -> None:
    """Without brackets around them."""
    assert read_as_text(of, text) == data


@pytest.mark.parametrize(
    ("of", "text"),
    [
        (list[Piece], "name,n\nx,1,2"),
        (list[Piece], "name: x\nn: 1\n\nname: y"),
        (list[Piece], '"name": "x",\n"n": 1\n},\n{"name": "y",\n"n": 2'),
        (dict[str, str], "Hello there, you\nGo on, then"),
        (dict[str, int], "a - b - 1\nc - 2"),
    ],
)
def test_lines_that_are_not_plain_are_a_problem(of: Any, text: str) -> None:
    """Nothing is guessed."""
    with pytest.raises(ReplyError):
        read_as_text(of, text)


PIECES = "| Name | N |\n|---|---|\n| x | 1 |\n| y | 2 |"
MARKDOWN: list[tuple[Any, str, Any]] = [
    (list[Piece], f"**Name:** A\n\n**Value:**\n\n{PIECES}", [ONE, TWO]),
    (list[Piece], f"Name: A\nValue:\n{PIECES}\n\nHope it helps!", [ONE, TWO]),
    (list[Piece], f"## Name\n\nA\n\n## Value\n\n{PIECES}", [ONE, TWO]),
    (list[Piece], "**Name:** A\n\n**Value:**\n\n- Name: x\n  N: 1", [ONE]),
    (list[Piece], "**Name:** A\n**Value:**\n- Name: x, N: 1\n- Name: y, N: 2", [ONE, TWO]),
    (list[Piece], "## Name\nA\n\n## Value\n1. **Name:** x\n   **N:** 1\n2. **Name:** y\n   **N:** 2", [ONE, TWO]),
    (list[Piece], "## Name\nA\n## Value\n### Item 1\nName: x\nN: 1\n### Item 2\nName: y\nN: 2", [ONE, TWO]),
    (dict[str, int], "**Name:** A\n\n**Value:**\n- a: 1\n- b: 2", {"a": 1, "b": 2}),
    (dict[str, int], "## Name\nA\n\n## Value\n\n| k | v |\n|---|---|\n| a | 1 |", {"a": 1}),
    (Street, "**Name:** A\n\n**Value:**\n- Street: Fish & Co\n- City: C", FISH),
    (Street, "## Name\nA\n\n## Value\n- **Street:** Fish & Co\n- **City:** C", FISH),
    (Street, '{"name": "A", "value": "street: Fish & Co, city: C"}', FISH),
    (Street | None, "**Name:** A\n**Value:** None", None),
]


@pytest.mark.parametrize(("of", "reply", "data"), MARKDOWN)
def test_a_label_or_a_heading_stands_above_what_an_element_could_hold(of: Any, reply: str, data: Any) -> None:
    """A table, bullets, lines: no YAML, and yet plain."""
    model = create_model("Rec", name=(str, ...), value=(of, ...))
    read = StructuredResponse.from_basemodel(model).parse(reply)
    assert read.to_basemodel().model_dump() == {"name": "A", "value": data}


ONE_OF: list[tuple[Any, str, Any]] = [
    (Dog | Cat, "\nbreed: Pug\nbarks: yes\n", {"breed": "Pug", "barks": True}),
    (Dog | Cat, "- **Lives:** 9\n- **Indoor:** no", {"lives": 9, "indoor": False}),
    (Dog | Cat, "breed = Pug\nbarks = no", {"breed": "Pug", "barks": False}),
    (Dog | Cat, "<![CDATA[breed: Pug\nbarks: yes]]>", {"breed": "Pug", "barks": True}),
    (Dog | Cat, "{&quot;breed&quot;: &quot;Pug&quot;, &quot;barks&quot;: true}", {"breed": "Pug", "barks": True}),
    (Dog | Cat, 'Dog(breed="Pug", barks=True)', {"breed": "Pug", "barks": True}),
    (Dog | str, "breed: Pug\nbarks: yes", "breed: Pug\nbarks: yes"),
]


@pytest.mark.parametrize(("of", "text", "data"), ONE_OF)
def test_lines_tell_which_object_of_a_union_they_are(of: Any, text: str, data: Any) -> None:
    """As elements do; where a text is asked for, they are one."""
    assert read_as_text(of, text) == data


PARTS: list[tuple[Any, str, Any]] = [
    (tuple[int, int], "640×480", [640, 480]),
    (tuple[int, int], "640 x 480", [640, 480]),
    (tuple[int, int], "[640 x 480]", [640, 480]),
    (tuple[int, int, int], "2x3x4", [2, 3, 4]),
    (tuple[float, float], "1.5×2.5", [1.5, 2.5]),
    (tuple[str, str], "red and white", ["red", "white"]),
    (tuple[str, str], "- red\n- white", ["red", "white"]),
    (tuple[str, str, str], "red, white and blue", ["red", "white", "blue"]),
    (tuple[str, str, str], "red, white, and blue", ["red", "white", "blue"]),
    (tuple[str, int], "x\n1", ["x", 1]),
]


@pytest.mark.parametrize(("of", "text", "data"), PARTS)
def test_a_tuple_of_as_many_parts_as_are_asked_for(of: Any, text: str, data: Any) -> None:
    """However they are kept apart."""
    assert read_as_text(of, text) == data


@pytest.mark.parametrize(
    ("of", "text"),
    [
        (tuple[int, int], "640x480x3"),
        (tuple[int, int], "640"),
        (tuple[str, str], "red and white and blue"),
        (tuple[str, str], "I like it and you do too"),
    ],
)
def test_a_tuple_of_more_or_fewer_parts_is_a_problem(of: Any, text: str) -> None:
    """So is a sentence."""
    with pytest.raises(ReplyError):
        read_as_text(of, text)


@pytest.mark.parametrize(
    "reply",
    [
        "name: x\nn: 1\n\nname: y\nn: 2",
        "### First\n**Name:** x\n**N:** 1\n\n### Second\n**Name:** y\n**N:** 2",
        "name,n\nx,1\ny,2",
        "- Name: x\n- N: 1\n- Name: y\n- N: 2",
        "- name: x\n  n: 1\n- name: y\n  n: 2",
    ],
)
def test_a_list_of_objects_as_lines(reply: str) -> None:
    """Where it is the whole of the answer."""
    read = StructuredResponse.from_type(list[Piece], "Pieces").parse(reply)
    assert read.to_dict() == [ONE, TWO]


class Pair(BaseModel):
    a: str
    z: int | str


class Lax(BaseModel):
    a: str
    z: int


def test_a_text_that_fits_two_options_says_nothing_against_an_answer() -> None:
    """Nothing in it was mended."""
    draft, final = "<pair><a>draft</a><z>AB</z></pair>", "<pair><a>final</a><z>12</z></pair>"
    read = StructuredResponse.from_basemodel(Pair).parse(f"{draft}\nCorrected:\n{final}")
    assert (read.instance["a"], read.instance["z"]) == ("final", 12)


def test_an_answer_of_which_something_is_left_out_corrects_nothing() -> None:
    """It may be another thing, or only the beginning of one."""
    read = StructuredResponse.from_basemodel(Lax).parse(
        "<lax><a>draft</a><z>1</z></lax>\nOr:\n<lax><a>final</a>\nmaybe <z>2</z></lax>"
    )
    assert read.instance["a"] == "draft"


def quoted(text: str) -> str:
    """A text as mails quote it."""
    return "\n".join(f"> {line}".rstrip() for line in text.split("\n"))


MAILED = "<headed><title>one\ntwo</title>\n\n<n>2</n></headed>"


@pytest.mark.parametrize(
    "reply",
    [
        quoted(MAILED),
        quoted(quoted(MAILED)),
        quoted(f"Sure:\n\n```xml\n{MAILED}\n```\nDone."),
        f"Here it is:\n\n{quoted(MAILED)}\n\nLet me know.",
        quoted(MAILED.removeprefix("<headed>").removesuffix("</headed>")),
        quoted('{\n"title": "one\\ntwo",\n"n": 2}'),
        quoted('{"title": "one\ntwo", "n": 2}'),
    ],
)
def test_an_answer_quoted_as_in_a_mail(reply: str) -> None:
    """The marks before its lines are none of its texts, and what is said of it has its place in the reply."""
    read = StructuredResponse.from_basemodel(Headed).parse(reply)
    assert (read.instance["title"], read.instance["n"]) == ("one\ntwo", 2)
    assert read.repairs[0].kind == "unwrapped"
    wrong = StructuredResponse.from_basemodel(Headed).parse(reply.replace("2", "many"), strict=False)
    assert [reply.replace("2", "many")[slice(*problem.span)] for problem in wrong.problems if problem.span] == ["many"]


def test_lines_of_a_text_that_are_quoted_stay() -> None:
    """They are the text's own."""
    text = "> <b>one</b>\n> two"
    read = StructuredResponse.from_basemodel(Headed).parse(f"<headed><title>\n{text}\n</title><n>2</n></headed>")
    assert read.instance["title"] == text


INNER = '{"title": "A \\"q\\"", "n": 2}'
WRAPPED = [
    json.dumps({key: INNER}) for key in ("content", "answer", "output", "result", "text", "response", "whatever")
]
WRAPPED += [
    json.dumps({"choices": [{"message": {"role": "assistant", "content": INNER}}]}),
    json.dumps({"content": f"Sure:\n```json\n{INNER}\n```"}),
    f"Here it is:\n{json.dumps({'content': INNER})}\nDone.",
    f"```json\n{json.dumps(INNER)}\n```",
    json.dumps(INNER)[1:-1],
    f"Here it is:\n{json.dumps(INNER)[1:-1]}\nDone.",
]


@pytest.mark.parametrize("reply", WRAPPED)
def test_json_within_a_string_of_json(reply: str) -> None:
    """It is a layer like XML in such a string, whatever the name of the string, and where its quotes are missing."""
    read = StructuredResponse.from_basemodel(Headed).parse(reply)
    assert (read.instance["title"], read.instance["n"]) == ('A "q"', 2)
    assert "unwrapped" in [repair.kind for repair in read.repairs]


@pytest.mark.parametrize(
    ("of", "data"),
    [
        (Headed, {"title": '{"title": "B", "n": 3}', "n": 2, "votes": {}}),
        (dict[str, str], {"content": '{"a": "1", "b": "2"}'}),
    ],
)
def test_a_text_that_is_json_stays_a_text_where_one_is_asked_for(of: Any, data: Any) -> None:
    """The object around it says all there is to say."""
    read = StructuredResponse.from_type(of, "Told").parse(f"Here: {json.dumps(data)} So be it.")
    assert read.to_dict() == data


class Home(BaseModel):
    street: str
    city: str


class Lodger(BaseModel):
    name: str
    home: Home | None
    street: str = ""


class Tree(BaseModel):
    left: Tree | None
    n: int


@pytest.mark.parametrize("nothing", ["", "{}", "-", "(none)", '""', "not given", "N/A"])
def test_nothing_in_place_of_an_object_that_cannot_be_empty(nothing: str) -> None:
    """It is null where that is allowed, and a problem elsewhere."""
    reply = f"<lodger><name>A</name><home>{nothing}</home></lodger>"
    read = StructuredResponse.from_basemodel(Lodger).parse(reply)
    assert read.to_basemodel() == Lodger(name="A", home=None)
    needed = create_model("Lodger", name=(str, ...), home=(Street, ...))
    assert StructuredResponse.from_basemodel(needed).parse(reply, strict=False).problems


@pytest.mark.parametrize(
    "home",
    [
        "<home>",
        "<home street='x'/>",
        "<home>Rome</home>",
        "<home/><city>c</city>",
        "<home/><city>c</city><street>s</street>",
    ],
)
def test_an_object_that_lacks_its_fields_is_not_null(home: str) -> None:
    """It was begun, or what belongs into it stands behind it."""
    read = StructuredResponse.from_basemodel(Lodger).parse(f"<lodger><name>A</name>{home}</lodger>", strict=False)
    assert {problem.path.partition(".home")[1] for problem in read.problems} == {".home"}


def test_an_empty_object_in_front_of_a_field_of_the_same_name() -> None:
    """The field is its neighbour."""
    read = StructuredResponse.from_basemodel(Tree).parse("<tree><left><left/><n>1</n></left><n>2</n></tree>")
    assert read.to_basemodel() == Tree(left=Tree(left=None, n=1), n=2)


SHARES: list[tuple[str, float | None]] = [
    *[("1%", 0.01), ("2%", 0.02), ("1.0 %", 0.01), ("1 percent", 0.01), ("0%", 0.0), ("0.0%", 0.0), ("100%", 1.0)],
    *[("0.5%", None), ("0.85 %", None), ("150%", None)],
]


@pytest.mark.parametrize(("text", "value"), SHARES)
def test_a_percent_sign_on_a_share_says_that_it_is_of_a_hundred(text: str, value: float | None) -> None:
    """Only what is below 1 could be the share itself."""
    model = create_model("Share", part=(Annotated[float, Field(ge=0, le=1)], ...))
    read = StructuredResponse.from_basemodel(model).parse(f"<share><part>{text}</part></share>", strict=False)
    assert read.instance["part"] == value
    assert bool(read.problems) is (value is None)


FRACTIONS: list[tuple[Any, str, Any]] = [
    *[(float, "2\u00bd", 2.5), (float, "\u2153", 1 / 3), (float, "2 \u2154 cups", 8 / 3), (float, "-\u215b", -0.125)],
    *[(float, "1 1/2", 1.5), (float, "10 3/4 inches", 10.75), (float, "4 4/5", None), (float, "1 3/2", None)],
    *[(Decimal, "1\u215b", Decimal("1.125")), (Decimal, "\u2153", None), (Decimal, "2 1/3", None)],
    *[(int, "1\u00bd million", 1_500_000), (int, "3 1/2", None), (float, "2 1/2 to 3", None)],
    *[
        (dt.timedelta, "1\u00bd hours", dt.timedelta(minutes=90)),
        (dt.timedelta, "\u00bc hour", dt.timedelta(minutes=15)),
    ],
    *[(dt.timedelta, "1 1/2 hours", dt.timedelta(minutes=90)), (dt.timedelta, "1\u2153 hours", None)],
    *[(dt.time, f"08:15 {said}", dt.time(8, 15)) for said in ("(local time)", "(approx.)", "local time", "sharp")],
    *[(dt.time, f"{said} 8:15", dt.time(8, 15)) for said in ("about", "around", "approx.")],
    *[(dt.time, "8:15 or about 9:15", None), (dt.time, "08:15 CET", None), (dt.time, "8:15 in the evening", None)],
    (dt.datetime, "2024-03-02 08:15 (local time)", dt.datetime.fromisoformat("2024-03-02T08:15")),
]


@pytest.mark.parametrize(("of", "text", "value"), FRACTIONS)
def test_fractions_and_times_with_words_around(of: Any, text: str, value: Any) -> None:
    """What has one meaning is read; thirds only where no exact decimals are asked for."""
    model = create_model("Cut", value=(of, ...))
    read = StructuredResponse.from_basemodel(model).parse(f"<cut><value>{text}</value></cut>", strict=False)
    assert [problem.path for problem in read.problems] == ([] if value is not None else ["$.value"])
    assert value is None or read.to_basemodel() == model(value=value)


@pytest.mark.parametrize("text", ["null (0)", "unknown (4)", "unspecified: 4", "nil / 4"])
def test_a_number_beside_a_word_for_no_value(text: str) -> None:
    """It could be either."""
    model = create_model("Count", n=(int | None, ...))
    read = StructuredResponse.from_basemodel(model).parse(f"<count><n>{text}</n></count>", strict=False)
    assert [problem.path for problem in read.problems] == ["$.n"]


@pytest.mark.parametrize("text", ["unspecified", "Unspecified.", "no value", "?"])
def test_more_words_for_no_value(text: str) -> None:
    """Nothing else can be read in them."""
    model = create_model("Count", n=(int | None, ...))
    read = StructuredResponse.from_basemodel(model).parse(f"<count><n>{text}</n></count>")
    assert read.instance["n"] is None


@pytest.mark.parametrize("behind", ["", "</branch>", "\n<branch><name>B</name></branch>"])
def test_what_is_left_of_an_answer_that_is_too_deep_is_none(behind: str) -> None:
    """The error names the limit, unless a whole answer with its own root follows."""
    reply = "<branch><name>A</name>" + "<kids><li>" * 1_500 + behind
    response = StructuredResponse.from_basemodel(Branch)
    if behind.startswith("\n"):
        assert response.parse(reply).to_basemodel() == Branch(name="B")
        return
    with pytest.raises(ReplyError, match="MAX_DEPTH"):
        response.parse(reply)


def test_a_section_in_a_text_keeps_its_marks() -> None:
    """Whatever stands in it: markup is text there."""
    text = "Use <![CDATA[<plain><name>B</name></plain>]]> here <b>!</b>"
    read = StructuredResponse.from_basemodel(Plain).parse(f"<plain><name>{text}</name></plain>")
    assert read.instance["name"] == text


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("half an hour", 30),
        ("Half a day", 720),
        ("about a quarter of an hour", 15),
        ("three-quarters of an hour", 45),
        ("an hour and a half", 90),
        ("half a hundred", None),
        ("half an hour or an hour", None),
    ],
)
def test_parts_of_a_length_of_time(text: str, minutes: int | None) -> None:
    """Half of one is as good as a number."""
    model = create_model("Wait", d=(dt.timedelta, ...))
    read = StructuredResponse.from_basemodel(model).parse(f"<wait><d>{text}</d></wait>", strict=False)
    assert [problem.path for problem in read.problems] == ([] if minutes else ["$.d"])
    assert minutes is None or read.to_basemodel() == model(d=dt.timedelta(minutes=minutes))


def test_an_echoed_prompt_is_no_value_of_a_text_among_others() -> None:
    """All options side by side, each with its mark, are what the prompt shows."""
    response = StructuredResponse.from_basemodel(create_model("Either", u=(str | list[str], ...)))
    read = response.parse(response.to_prompt(), strict=False)
    assert [problem.path for problem in read.problems] == ["$.u"]


@pytest.mark.parametrize("before", ["name: A\nkids: ", "```yaml\nname: A\nkids: ", "", "Here:\n"])
def test_json_that_is_too_deep_behind_a_label(before: str) -> None:
    """It is the limit that is named, and what is left at the end of it is no answer."""
    with pytest.raises(ReplyError, match="MAX_DEPTH"):
        StructuredResponse.from_basemodel(Branch).parse(before + '{"name": "B", "kids": [' * 1_500)


# Answers in answers


class Listing(BaseModel):
    code: str
    language: str
    score: int


COPY = "<listing><code>x</code><language>y</language><score>3</score></listing>"
ESCAPED = "&lt;code&gt;@&lt;/code&gt;&lt;language&gt;L&lt;/language&gt;&lt;score&gt;4&lt;/score&gt;"
JSON_COPY = '{"code": "q", "language": "r", "score": 1}'


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        (f"<answer><code>{COPY}</code><language>L</language><score>4</score></answer>", COPY),
        (f"<code>Use:\n```xml\n{COPY}\n```\ndone</code><language>L</language><score>4</score>", None),
        (f"<answer><code><![CDATA[{COPY}]]></code><language>L</language><score>4</score></answer>", COPY),
        ("&lt;listing&gt;" + ESCAPED.replace("@", JSON_COPY) + "&lt;/listing&gt;", JSON_COPY),
        (f"## Code\n```json\n{JSON_COPY}\n```\n## Language\nL\n## Score\n4", JSON_COPY),
        (f"## Code\n```xml\n{COPY}\n```\n## Language\nL\n## Score\n4", COPY),
        (f"**Code:** d = {JSON_COPY}\n**Language:** L\n**Score:** 4\n", f"d = {JSON_COPY}"),
        (f"code: |-\n  a {COPY} c\nlanguage: L\nscore: 4\n", f"a {COPY} c"),
        (f"Listing(code='a {COPY} c', language='L', score=4)", f"a {COPY} c"),
    ],
)  # fmt: skip
def test_an_answer_that_is_quoted_in_a_value_is_none(reply: str, code: str | None) -> None:
    """Wherever the one around it has no root of its own."""
    read = StructuredResponse.from_basemodel(Listing).parse(reply).to_basemodel()
    assert (read.language, read.score) == ("L", 4)
    assert read.code == (code or f"Use:\n```xml\n{COPY}\n```\ndone")


def test_what_is_missing_is_not_taken_from_a_quoted_answer() -> None:
    """It stays whole, and the field is missing."""
    reply = f"<listing><code>{COPY}</code><language>L</language></listing>"
    read = StructuredResponse.from_basemodel(Listing).parse(reply, strict=False)
    assert read.instance["code"] == COPY
    assert [problem.path for problem in read.problems] == ["$.score"]


@pytest.mark.parametrize(
    "end", [f"{COPY} is how", f"Use {COPY} an", f"<![CDATA[{COPY} an", "a <listing>x", "a <listing> in"]
)
def test_a_reply_that_breaks_off_in_a_text_that_names_the_root(end: str) -> None:
    """The text goes on in the line of the root's tag, so no other answer begins."""
    reply = f"<listing><language>L</language><score>4</score><code>{end}"
    read = StructuredResponse.from_basemodel(Listing).parse(reply, strict=False)
    assert read.truncated == "$.code"
    assert read.instance["code"] == end.removeprefix("<![CDATA[")
    assert (read.instance["language"], read.instance["score"]) == ("L", 4)


@pytest.mark.parametrize(
    "reply",
    [
        "I'll use <plain> and the <name> tag.\n\n<plain><name>x</name></plain>\nThe </name> and </plain> end it.",
        "<plain><name>x</name></plain><|im_end|>\n<|im_start|>user\nAgain!<|im_end|>\n<plain><name>y</name></plain>",
        '{"name": "x"}\nUser: Again!\n{"name": "y"}',
        "<plain><name>x</name></plain>\n</s>",
        "<plain><name>x</name></plain><end_of_turn>\n",
    ],
)
def test_what_is_said_around_an_answer(reply: str) -> None:
    """Prose that names both tags; turns of the user's that the model made up; the tokens by which it ends."""
    assert StructuredResponse.from_basemodel(Plain).parse(reply).to_basemodel() == Plain(name="x")


def test_a_text_cut_off_in_front_of_a_token_that_ends_it() -> None:
    """The token closes nothing."""
    read = StructuredResponse.from_basemodel(Plain).parse("<plain><name>A solid lamp for the</s>", strict=False)
    assert (read.truncated, read.instance["name"]) == ("$.name", "A solid lamp for the")


def test_a_number_in_front_of_a_tag_is_whole_where_the_reply_breaks_off_later() -> None:
    """Only a string may go on over a tag."""
    read = StructuredResponse.from_basemodel(Listing).parse(
        "<listing>\n<code>x\n<score>4\n<language>ok\n", strict=False
    )
    assert (read.instance["score"], read.truncated) == (4, "$.language")


# Where a string ends


class Sample(BaseModel):
    code: str
    language: str
    score: int


class Chapter(BaseModel):
    title: str
    code: str


class Framed(BaseModel):
    inner: Chapter
    title: str
    rank: int


class Noted(BaseModel):
    count: int
    notes: list[str]


class Twig(BaseModel):
    name: str
    text: str
    children: list[Twig] = []


class Code(BaseModel):
    code: str
    title: str


class Site(BaseModel):
    head: str
    html: str
    p: str


class Depot(BaseModel):
    entries: dict[str, str]
    n: int


def read_data(type_: Any, reply: str) -> tuple[Any, list[str]]:
    """What the data is, and the paths of the problems."""
    read = StructuredResponse.from_type(type_).parse(reply, strict=False)
    return TypeAdapter(Any).dump_python(read.instance, mode="json"), [problem.path for problem in read.problems]


SAMPLE = "<language>L</language><score>4</score>"


@pytest.mark.parametrize(
    "code",
    [
        "Close it with </code><br> and go on",
        "the end </code> <i>really</i>",
        "x</code></pre>\n<p>and <code>y</code> only.</p>",
        "a </code><hr/> b",
        "see </code>\n<p>para</p>\ntext",
        "- </code></pre>\n+ </code></div>",
        "<p>a</code> <b>then</b> more</p>",
    ],
)
def test_a_text_goes_on_behind_its_own_closing_tag(code: str) -> None:
    """A tag that the definition does not know is not what follows it."""
    found = read_data(Sample, f"<sample><code>{code}</code>{SAMPLE}</sample>")
    assert found == ({"code": code, "language": "L", "score": 4}, [])


@pytest.mark.parametrize(
    ("type_", "reply", "data"),
    [
        (str, "<value>a</value><br>b</value>", "a</value><br>b"),
        (dict[str, str], "<value_map><entry key='a'>x </entry><br>y</entry></value_map>", {"a": "x </entry><br>y"}),
        (
            Framed,
            "<framed><inner><title>T</title><code>a</code><br>b</code></inner><title>o</title><rank>1</rank></framed>",
            {"inner": {"title": "T", "code": "a</code><br>b"}, "title": "o", "rank": 1},
        ),
    ],
)
def test_so_does_one_in_what_holds_others(type_: Any, reply: str, data: Any) -> None:
    """A map takes any name, but not one that nothing closes."""
    assert read_data(type_, reply) == (data, [])


def test_an_item_with_its_own_closing_tag_in_it_may_be_two() -> None:
    """Of which one lost its opening tag: nobody knows."""
    reply = "<value_list><li>a </li><br>b</li><li>c</li></value_list>"
    assert read_data(list[str], reply) == (["a </li><br>b", "c"], ["$[0]"])


def test_an_element_that_fills_a_line_is_whole() -> None:
    """An unknown tag below it, as deep as it, begins a sibling, whatever closes that; that may be an item."""
    reply = "<noted>\n <count>1</count>\n <notes>\n  <li>a</li>\n  <l&>b</li>\n  <li>c</li>\n </notes>\n</noted>"
    assert read_data(Noted, reply) == ({"count": 1, "notes": ["a", "c"]}, ["$.notes"])


@pytest.mark.parametrize(
    ("type_", "reply", "data"),
    [
        (dict[str, str], "<value_map><entry key='a'>the `<value>` tag</entry></value_map>", {"a": "the `<value>` tag"}),
        (
            dict[str, str],
            "<value_map><entry key='a'>see </value_map> there</entry><entry key='b'>c</entry></value_map>",
            {"a": "see </value_map> there", "b": "c"},
        ),
        (
            Depot,
            "<depot><entries><entry key='a'>x</entries></entry><entry key='b'>c</entry></entries><n>1</n></depot>",
            {"entries": {"a": "x</entries>", "b": "c"}, "n": 1},
        ),
        (
            Depot,
            "<depot><entries><entry key='a'>a <entry> b</entry><entry key='b'>c</entry></entries><n>1</n></depot>",
            {"entries": {"a": "a <entry> b", "b": "c"}, "n": 1},
        ),
        (str, "<value>see <value> there</value>", "see <value> there"),
        (
            Code,
            "<code><code>see <code> there</code><title>x</title></code>",
            {"code": "see <code> there", "title": "x"},
        ),
        (
            Code,
            "<code><code>see </code> there</code><title>x</title></code>",
            {"code": "see </code> there", "title": "x"},
        ),
        (
            Code,
            "<code><code>a <code>b</code> c</code><title>x</title></code>",
            {"code": "a <code>b</code> c", "title": "x"},
        ),
        (
            Framed,
            "<framed><inner><title>run <title> x</title><code>a</code></inner><title>o</title><rank>1</rank></framed>",
            {"inner": {"title": "run <title> x", "code": "a"}, "title": "o", "rank": 1},
        ),
        (
            list[Twig],
            "<twigs><li><name/><text/><children><li><name>a <name> b</name><text/></li></children></li></twigs>",
            [{"name": "", "text": "", "children": [{"name": "a <name> b", "text": "", "children": []}]}],
        ),
        (
            list[Twig],
            "<twig_list><li><name>a</name><text>or <name> <text></text></li><li><name/><text>u</text></li></twig_list>",
            [{"name": "a", "text": "or <name> <text>", "children": []}, {"name": "", "text": "u", "children": []}],
        ),
        (list[str], "<value_list><li>the `<li>` tag</li><li>b</li></value_list>", ["the `<li>` tag", "b"]),
        (list[str], "<value_list><li><ul><li>a<li>b</ul></li><li>e</li></value_list>", ["<ul><li>a<li>b</ul>", "e"]),
        (list[str], "<value_list><li>```\n<li>\n```\nb</li><li>c</li></value_list>", ["```\n<li>\n```\nb", "c"]),
        (
            Noted,
            "<noted><count>1</count><notes><item>Promise<Array<Item>></item><item>e</item></notes></noted>",
            {"count": 1, "notes": ["Promise<Array<Item>>", "e"]},
        ),
        (
            Noted,
            "<noted><count>1</count><notes><item><li>a</li><li>b</li></item><item>e</item></notes></noted>",
            {"count": 1, "notes": ["<li>a</li><li>b</li>", "e"]},
        ),
        (
            Noted,
            "<noted><count>1</count><notes><LI><item>x</item></LI><LI>e</LI></notes></noted>",
            {"count": 1, "notes": ["<item>x</item>", "e"]},
        ),
        (Plain, "<plain><name>see </plain> there</name><zz>hm</zz></plain>", {"name": "see </plain> there"}),
    ],
)
def test_a_name_in_a_text_that_is_closed_is_text(type_: Any, reply: str, data: Any) -> None:
    """Whatever tag of its own it pairs up with."""
    found, problems = read_data(type_, reply)
    assert problems == []
    assert {**found, **data} == found if isinstance(data, dict) else found == data


@pytest.mark.parametrize("text", ["one\n<li>two", "one<li>\n<li>two"])
def test_an_item_that_lost_its_closing_tag_takes_no_other(text: str) -> None:
    """The next one begins a line, or follows the tag that was meant as the closing one."""
    assert read_data(list[str], f"<value_list>\n<li>{text}</li>\n</value_list>") == (["one", "two"], [])


def test_an_items_tag_in_the_midst_of_an_item_is_in_doubt() -> None:
    """It may be a part of the text, or the next one."""
    read = StructuredResponse.from_type(list[str]).parse(
        "<value_list>\n<li>Use <ul> and <li>.</li>\n<li>b</li>\n</value_list>", strict=False
    )
    assert [problem.path for problem in read.problems] == ["$[0]"]
    assert read.problems[0].candidates == ("Use <ul> and", "Use <ul> and <li>.")


@pytest.mark.parametrize(
    ("type_", "reply", "data"),
    [
        (
            Sample,
            "<sample><code>see `<language>` x\n<language>L</language><score>4</score></sample>",
            {"code": "see `<language>` x", "language": "L", "score": 4},
        ),
        (
            Sample,
            f"<sample><code>`<language>`</score>{SAMPLE}</sample>",
            {"code": "`<language>`", "language": "L", "score": 4},
        ),
        (
            Framed,
            "<framed><inner><title>\n<title>T</title>\n</tite><code>c</code></inner><title>o</title><rank>1</rank></framed>",
            {"inner": {"title": "<title>T</title>", "code": "c"}, "title": "o", "rank": 1},
        ),
        (
            Site,
            "<site><head>\n<p>open\n<img src=x>\n</hed><html>h</html><p>q</p></site>",
            {"head": "<p>open\n<img src=x>", "html": "h", "p": "q"},
        ),
        (
            Sample,
            f"<sample><code>Use:\n<demo>\n  <language>x</language>\n</demo>\n</score>{SAMPLE}</sample>",
            {"code": "Use:\n<demo>\n  <language>x</language>\n</demo>", "language": "L", "score": 4},
        ),
    ],
)
def test_a_name_in_a_text_that_lost_its_closing_tag(type_: Any, reply: str, data: Any) -> None:
    """A misspelt or wrong closing tag ends it all the same; a tag in backticks begins nothing."""
    assert read_data(type_, reply) == (data, [])


@pytest.mark.parametrize(
    "code",
    ["<form><score>5</score></form>", "See <x><score>5</score></x> there", "```xml\n<score>5</score>\n```"],
)
def test_nothing_of_a_text_is_thrown_away_for_a_field_that_is_missing(code: str) -> None:
    """The text stays whole, and the field is missing."""
    found, problems = read_data(Sample, f"<sample><code>{code}</code><language>L</language></sample>")
    assert problems == ["$.score"]
    assert found["code"] == (code if not code.startswith("`") else found["code"])


@pytest.mark.parametrize(
    ("type_", "reply", "data"),
    [
        (
            Sample,
            f"<sample><code>a <b/>\n<!-- c -->\n{SAMPLE}</sample>",
            {"code": "a <b/>\n<!-- c -->", "language": "L", "score": 4},
        ),
        (list[str], "<value_list><li>a\n<!-- c -->\n<li>e</li></value_list>", ["a\n<!-- c -->", "e"]),
    ],
)
def test_a_comment_at_the_end_of_a_text_that_lost_its_closing_tag(type_: Any, reply: str, data: Any) -> None:
    """It was lost without a record."""
    assert read_data(type_, reply) == (data, [])


@pytest.mark.parametrize("root", ["<answer>{}</answer>", "{}"])
def test_the_name_of_a_root_that_is_missing_in_a_text(root: str) -> None:
    """It is text, not the beginning of the answer."""
    reply = root.format(f"<code>see the <sample> tag</code>{SAMPLE}")
    assert read_data(Sample, reply) == ({"code": "see the <sample> tag", "language": "L", "score": 4}, [])


def test_a_recursive_answer_that_breaks_off_in_an_element_of_a_text() -> None:
    """What stands in that element is none of the definition's."""
    text = "<project>\n <name>demo</name>\n <x>y</x></proj"
    reply = f"<twig><name>r</name><text>q</text><children><li><name>a</name><text>{text}"
    found, problems = read_data(Twig, reply)
    assert found["children"] == [{"name": "a", "text": text, "children": []}]
    assert problems == ["$.children[0].text"]


# Maps and unions


class Store(BaseModel):
    entries: dict[str, str]
    n: int = 0


TEXTS_OF_ENTRIES = [
    "mail <ann@x.org> now",
    "Vec<u8> and Map<K, V>",
    "<div>\n  <p>x</p>\n</div>",
    "usage: tool <path> <name>",
    "#include <map>\nint x;",
    "<br>line",
]


@pytest.mark.parametrize("closer", ["", "</enty>", "</n>", "<entry>"])
@pytest.mark.parametrize("text", TEXTS_OF_ENTRIES)
def test_tags_in_an_entry_that_is_not_closed_are_no_keys(text: str, closer: str) -> None:
    """A map whose entries have their keys in attributes goes on with another one of these only."""
    reply = f"<store><entries><entry key='a'>{text}{closer}<entry key='z'>end</entry></entries><n>1</n></store>"
    read = StructuredResponse.from_basemodel(Store).parse(reply).to_basemodel()
    assert read == Store(entries={"a": text, "z": "end"}, n=1)


@pytest.mark.parametrize(
    ("inside", "expected"),
    [
        ("<entry key='a'>ends </entry><br>then more</entry><entry key='b'>c</entry>", "ends </entry><br>then more"),
        ("<entry key='a'>see </value_map> there</entry><entry key='b'>c</entry>", "see </value_map> there"),
        ("<entry key='a'>the `<value>` tag</entry><entry key='b'>c</entry>", "the `<value>` tag"),
        ("<entry key='a'>see <entry> there</entry><entry key='b'>c</entry>", "see <entry> there"),
        ("<entry key='a'>x y</span><entry key='b'>c</entry>...", "x y"),
        ("<entry key='a'>x y<entry key='b'>c</entry> (end)", "x y"),
        ("<entry key='a'>alpha<entry key='b'>c</entry>", "alpha"),
    ],
)
def test_what_an_entry_of_a_root_map_quotes_is_its_text(inside: str, expected: str) -> None:
    """Tags of the map, of its entries and of others."""
    read = StructuredResponse.from_type(dict[str, str]).parse(f"<value_map>{inside}</value_map>")
    assert dict(read.instance) == {"a": expected, "b": "c"}


@pytest.mark.parametrize("text", ["<p>Hello <b>wor", "#include <stdio.h>\nint ma", "<![CDATA[<title>ou"])
def test_a_reply_that_breaks_off_in_an_entry_has_no_keys_of_its_tags(text: str) -> None:
    """The text goes as far as it came."""
    reply = f"<value_map><entry key='a'>x</entry><entry key='b'>{text}"
    read = StructuredResponse.from_type(dict[str, str]).parse(reply, strict=False)
    assert dict(read.instance) == {"a": "x", "b": text.removeprefix("<![CDATA[")}
    assert [problem.path for problem in read.problems] == ["$.b"]


class Ada(BaseModel):
    name: str
    born: int


class Keyed(BaseModel):
    key: str
    n: int


class Maps(BaseModel):
    words: dict[str, str] = {}
    counts: dict[str, int] = {}
    people: dict[str, Ada] = {}
    keyed: dict[str, Keyed] = {}


ADA = {"a": {"name": "Ada", "born": 1815}}
MAPS_OF_ELEMENTS: list[tuple[str, str, dict[str, Any]]] = [
    ("people", "<ada id='a'><name>Ada</name><born>1815</born></ada>", ADA),
    ("people", "<ada id='a' name='Ada' born='1815'/>", ADA),
    ("people", "<entry name='a'><name>Ada</name><born>1815</born></entry>", ADA),
    ("people", "<entry><key>a</key><name>Ada</name><born>1815</born></entry>", ADA),
    ("people", "<entry><name>a</name><name>Ada</name><born>1815</born></entry>", ADA),
    ("people", "<entry><name>a</name><value><name>Ada</name><born>1815</born></value></entry>", ADA),
    ("keyed", "<entry><key>a</key><key>x</key><n>1</n></entry>", {"a": {"key": "x", "n": 1}}),
    ("keyed", "<entry key='a'><key>x</key><n>1</n></entry>", {"a": {"key": "x", "n": 1}}),
    ("words", "<word name='a' text='x y'/><word name='b' text='z'/>", {"a": "x y", "b": "z"}),
    ("words", "<word name='a' text='x y'>a</word>", {"a": "x y"}),
    ("words", "<li><name>a</name><dose>x</dose></li><li><name>b</name><dose>y</dose></li>", {"a": "x", "b": "y"}),
    ("words", "<entry><key>a</key>x</entry><entry><key>b</key>b <b>y</b> z</entry>", {"a": "x", "b": "b <b>y</b> z"}),
    ("words", "<entry key='a'/>x<entry key='b'/>\ny z\n", {"a": "x", "b": "y z"}),
    ("words", "<entry key=\u201ca b\u201d>x</entry><entry key=c d>y</entry>", {"a b": "x", "c d": "y"}),
    ("words", "<li><b>a</b>: x</li><li><strong>b</strong>: y</li>", {"a": "x", "b": "y"}),
    ("words", "<b>a</b>: x\n<b>b</b>: y", {"a": "x", "b": "y"}),
    ("words", "<new word>x</new word><old word>y</old word>", {"new word": "x", "old word": "y"}),
    ("words", "<p>a: x</p><p>b: y</p>", {"a": "x", "b": "y"}),
    ("words", "<ul><li>a: x</li><li>b: y</li></ul>", {"a": "x", "b": "y"}),
    ("words", "a: x<br>b: y<br/>c: z", {"a": "x", "b": "y", "c": "z"}),
    ("words", "<table><tr><td>a</td><td>x</td></tr><tr><td>b</td><td>y</td></tr></table>", {"a": "x", "b": "y"}),
    ("words", "<table><tr><th>word</th><th>text</th></tr><tr><td>a</td><td>x</td></tr></table>", {"a": "x"}),
    ("counts", "<table><tr><td>a</td><td>1</td></tr><tr><td>b</td><td>2</td></tr></table>", {"a": 1, "b": 2}),
    ("counts", "a: 1<br>b: 2", {"a": 1, "b": 2}),
    ("counts", "<entry key='a'>1</entry><entry key='a'>1</entry>", {"a": 1}),
    ("counts", "<entry key='a'>1</entry><b>2</b><entry key='c'>3</entry>", {"a": 1, "b": 2, "c": 3}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "inside", "expected"), MAPS_OF_ELEMENTS)
def test_the_entries_of_a_map_in_whatever_form(name: str, inside: str, expected: dict[str, Any]) -> None:
    """Keys in attributes, elements and texts; values in elements of any name, in texts and in attributes."""
    read = StructuredResponse.from_basemodel(Maps).parse(f"<maps><{name}>{inside}</{name}></maps>")
    assert read.to_basemodel().model_dump()[name] == expected


@pytest.mark.parametrize(
    "reply",
    [
        "<maps><counts key='a'>1</counts><counts key='b'>2</counts></maps>",
        "<maps><count key='a'>1</count><count key='b'>2</count></maps>",
        "<maps><count key='a'>1</count><words></words><count key='b'>2</count></maps>",
        "<maps><count key='a'>1<count key='b'>2</maps>",
    ],
)
def test_entries_without_their_map(reply: str) -> None:
    """They bear the map's name, or its singular, and their keys."""
    read = StructuredResponse.from_basemodel(Maps).parse(reply)
    assert read.to_basemodel().counts == {"a": 1, "b": 2}
    assert "list_joined" in [repair.kind.value for repair in read.repairs]


@pytest.mark.parametrize(
    ("name", "inside"),
    [
        ("words", "<w en='dog' de='Hund'/>"),
        ("words", "<word>a b c</word>"),
        ("words", "<entry><name>a</name><dose>1</dose><unit>g</unit></entry>"),
        ("people", "<entry><name>Ada</name><born>1815</born></entry>"),
        ("keyed", "<entry><key>x</key><n>1</n></entry>"),
    ],
)
def test_an_entry_whose_key_or_value_nobody_knows_is_a_problem(name: str, inside: str) -> None:
    """No key, or more than one value."""
    read = StructuredResponse.from_basemodel(Maps).parse(f"<maps><{name}>{inside}</{name}></maps>", strict=False)
    assert read.problems and all(problem.path.startswith(f"$.{name}") for problem in read.problems)


@pytest.mark.parametrize(
    ("asked", "reply", "expected"),
    [
        (dict[str, Ada], '{"data": {"a": {"name": "Ada", "born": 1815}}}', ADA),
        (dict[str, Ada], '{"ada_map": {"a": {"name": "Ada", "born": "1815"}}}', ADA),
        (dict[str, Ada], "ada_map:\n  a:\n    name: Ada\n    born: 1815\n", ADA),
        (dict[str, Ada], '{"name": "ada_map", "arguments": {"a": {"name": "Ada", "born": 1815}}}', ADA),
        (dict[str, Ada], '{"a": {"ada": {"name": "Ada", "born": 1815}}}', ADA),
        (dict[str, Ada], '[{"key": "a", "name": "Ada", "born": 1815}]', ADA),
        (dict[str, Ada], '[{"id": "a", "name": "Ada", "born": 1815}]', ADA),
        (dict[str, Ada], 'dict(a=Ada(name="Ada", born=1815))', ADA),
        (dict[str, int], "dict(a=1, b=2)", {"a": 1, "b": 2}),
        (dict[str, int], '{"data": {"a": 1, "b": 2}}', {"a": 1, "b": 2}),
        (dict[str, str], '[{"name": "a", "dose": "x"}, {"name": "b", "dose": "y"}]', {"a": "x", "b": "y"}),
        (dict[str, dict[str, int]], '{"data": {"x": 1}}', {"data": {"x": 1}}),
    ],
)
def test_a_map_as_the_answer_in_other_formats(asked: Any, reply: str, expected: dict[str, Any]) -> None:
    """In a wrapper or a call, as a list of objects with keys, as Python writes it."""
    assert StructuredResponse.from_type(asked).parse(reply).to_dict() == expected


@pytest.mark.parametrize("reply", ['{"a": "b", "c": {"d": "e"}}', '{"a": "b", "c": ["d"]}'])
def test_an_object_among_the_texts_of_a_map_is_no_wrapper(reply: str) -> None:
    """What stands beside it would be lost."""
    read = StructuredResponse.from_type(dict[str, str]).parse(reply, strict=False)
    assert read.instance["a"] == "b"
    assert "wrapper_entered" not in [repair.kind.value for repair in read.repairs]


class Look(BaseModel):
    query: str
    limit: int = 10


class Write(BaseModel):
    path: str
    text: str


class Answered(BaseModel):
    kind: Literal["stop"]
    answer: str


class Move(BaseModel):
    thought: str
    action: Look | Write | Answered
    others: list[Look | Write] = []


LOOK = {"query": "q", "limit": 10}
MOVES: list[tuple[str, Any]] = [
    ("<move><thought>t</thought><look><query>q</query></look></move>", LOOK),
    ("<move><thought>I <look> now</thought><look><query>q</query></look></move>", LOOK),
    ("<move><thought>t<look><query>q</query></look></move>", LOOK),
    ("<move><thought>t</thought><Look query='q'/></move>", LOOK),
    ("<move><thought>t</thought><action><look><query>q</query></look><write>null</write></action></move>", LOOK),
    ("<move><thought>t</thought><action><look query='q'/><look query='q'/></action></move>", LOOK),
    ('<move><thought>t</thought><action>{"name": "look", "arguments": {"query": "q"}}</action></move>', LOOK),
    ('<move><thought>t</thought><action><call>{"tool": "look", "input": {"query": "q"}}</call></action></move>', LOOK),
    ('{"thought": "t", "action": {"name": "look", "arguments": {"query": "q"}}}', LOOK),
    ('{"thought": "t", "action": {"tool": "find", "input": {"query": "q"}}}', LOOK),
    ('{"thought": "t", "action": {"name": "stop", "arguments": {"answer": "a"}}}', {"kind": "stop", "answer": "a"}),
    ('{"thought": "t", "look": {"query": "q"}}', LOOK),
]  # fmt: skip


@pytest.mark.parametrize(("reply", "expected"), MOVES)
def test_an_option_in_place_of_its_field_or_in_a_call(reply: str, expected: Any) -> None:
    """The option's own name says which field it fills, and a call's which option it is."""
    read = StructuredResponse.from_basemodel(Move).parse(reply)
    assert read.to_basemodel().model_dump()["action"] == expected
    assert read.instance["others"] == []


@pytest.mark.parametrize(
    "action",
    [
        "<action><look><query>q</query></look><write><path>p</path><text>x</text></write></action>",
        "<action><look><query>q</query><write><path>p</path><text>x</text></write></action>",
        "<action><look><query>q</query></look><look><query>z</query></look></action>",
        "<action><query>q</query><path>p</path><text>x</text></action>",
        "<action><query>q</query><write><path>p</path><text>x</text></write></action>",
    ],
)
def test_two_options_in_one_place_are_a_problem_there(action: str) -> None:
    """Nothing of the other one goes to another field."""
    reply = f"<move><thought>t</thought>{action}</move>"
    read = StructuredResponse.from_basemodel(Move).parse(reply, strict=False)
    assert [problem.path for problem in read.problems] == ["$.action"]
    assert read.instance["others"] == []


@pytest.mark.parametrize(
    "others",
    [
        "<look><query>q</query></look><write><path>p</path><text>x</text></write>",
        "<look><query>q</query><write><path>p</path><text>x</text>",
        "<query>q</query><path>p</path><text>x</text>",
    ],
)
def test_options_in_a_list_each_begin_an_item(others: str) -> None:
    """Closed or not, with tags of their own or run together."""
    reply = f"<move><thought>t</thought><action><query>a</query></action><others>{others}</others></move>"
    read = StructuredResponse.from_basemodel(Move).parse(reply)
    assert read.to_basemodel().others == [Look(query="q"), Write(path="p", text="x")]


@pytest.mark.parametrize(
    ("asked", "inside", "expected"),
    [
        (int | str, "<int>3</int>", 3),
        (int | str, "<str>3</str>", "3"),
        (int | str, "<b>3</b>", "<b>3</b>"),
        (list[int] | str, "[1, 2]", [1, 2]),
        (list[int] | str, "[x, 2]", "[x, 2]"),
        (dict[str, int] | str, '{"a": 1}', {"a": 1}),
    ],
)
def test_which_option_a_text_is(asked: Any, inside: str, expected: Any) -> None:
    """The tags of an option around all of it say so, and JSON that is one to the letter."""
    made = create_model("Made", value=(asked, ...))
    read = StructuredResponse.from_basemodel(made).parse(f"<made><value>{inside}</value></made>")
    assert read.to_basemodel().model_dump() == {"value": expected}


@pytest.mark.parametrize(
    "inside",
    [
        "<entry key='a'>x <b>y</b></entry><entry key='b'>z</entry><n>1</n>",
        "<n>1</n><entry key='a'>x <b>y</b></entry><entry key='b'>z</entry>",
        "<entry key='a'>x <b>y</b></entry><n>1</n><entry key='b'>z</entry>",
    ],
)
def test_entries_right_in_an_object_of_one_map(inside: str) -> None:
    """There is only one that they can be of."""
    read = StructuredResponse.from_basemodel(Store).parse(f"<store>{inside}</store>")
    assert read.to_basemodel() == Store(entries={"a": "x <b>y</b>", "b": "z"}, n=1)


# Values by type: what stands around a value

AROUND_A_VALUE = [
    "above {}",
    "worse than {}",
    "at least {}",
    "{} or above",
    "{}+",
    "{} and up",
    "{} and higher",
    "{}, or more",
    "{} (at least)",
    "up to {}",
    "near {}",
    "beyond {}",
    "far from {}",
    "minimum {}",
    "{} at most",
    "other than {}",
    "was {}",
    "formerly {}",
    "{} originally",
    "{} if needed",
    "{} - if needed",
    "{}, as long as needed",
    "{}, but only if needed",
    "if needed: {}",
    "{}?",
    "{} (?)",
    "maybe {}",
    "{}, maybe",
    "{} (not sure)",
    "n/a ({})",
    "{} / n/a",
    "~~{}~~",
    "<s>{}</s>",
    "not {}",
]
OF_EACH_KIND: list[tuple[Any, str, Any]] = [
    (int, "4", 4),
    (float, "4.5", 4.5),
    (Decimal, "4.5", "4.5"),
    (Literal["low", "medium", "high"], "medium", "medium"),
    (Literal[1, 2, 3], "2", 2),
    (Twins, "bad", 2),
    (dt.date, "2 March 2024", "2024-03-02"),
    (dt.timedelta, "2 hours", "PT2H"),
    (UUID, "12345678-1234-1234-1234-123456789abc", "12345678-1234-1234-1234-123456789abc"),
]


def one_value(of: Any, text: str) -> tuple[Any, list[str]]:
    """The value of a field in XML, which JSON must agree with, and the paths of its problems."""
    response = StructuredResponse.from_basemodel(create_model("Field", v=(of, ...)))
    found = []
    for reply in (f"<field><v>{text}</v></field>", json.dumps({"v": text}, ensure_ascii=False)):
        read = response.parse(reply, strict=False)
        found.append((read.to_dict()["v"], [problem.path for problem in read.problems]))
    assert found[0] == found[1]
    return found[0]


@pytest.mark.parametrize("around", AROUND_A_VALUE)
@pytest.mark.parametrize(("of", "text"), [row[:2] for row in OF_EACH_KIND])
def test_words_that_change_a_value_change_it_whatever_its_kind(of: Any, text: str, around: str) -> None:
    """A bound, a comparison, a former state, a condition, a doubt: it is another value, or none."""
    assert one_value(of, around.format(text)) == (None, ["$.v"])


LEFT_AS_IT_IS = ["**{}**", "{} because it is not so bad", "~~x~~ {}", "It is {}", "{}, I think", "{} for now"]
LEFT_AS_IT_IS += [
    "{} because it fails if empty",
    "Based on the above, {}",
    "{} given the above",
    "After reading it I would say {}",
]
LEFT_AS_IT_IS += ["{} - when it starts, it fails", "{}. If needed, ask.", "{} (see above)", "{} or so"]


@pytest.mark.parametrize("around", LEFT_AS_IT_IS)
@pytest.mark.parametrize(("of", "text", "value"), OF_EACH_KIND)
def test_other_words_leave_it_as_it_is(of: Any, text: str, value: Any, around: str) -> None:
    """Reasons, decoration, what was struck out, a few words."""
    assert one_value(of, around.format(text)) == (value, [])


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("yes?", None),
        ("true (?)", None),
        ("yes, maybe", None),
        ("previously: yes", None),
        ("unknown: yes", None),
        ("If asked: yes", None),
        ("~~yes~~", None),
        ("~~yes~~ no", False),
        ("Yes, because it is not bad", True),
        ("No, not at all", False),
    ],
)
def test_a_yes_or_no_that_is_open_is_none(text: str, value: bool | None) -> None:
    """The rule for values of all kinds; a negation behind a no says it again."""
    assert one_value(bool, text) == (value, [] if value is not None else ["$.v"])


@pytest.mark.parametrize(
    ("choices", "text", "value"),
    [
        (("billing", "other"), "They contradict each other", None),
        (("billing", "other"), "It is other", "other"),
        (("A", "B"), "B+", None),
        (("A", "B"), "B-", None),
        (("A", "B"), "B minus", None),
        (("positive", "other"), "positiv?", None),
        (("low", "high"), "The risk was high", "high"),
        ((1, 2, 3), "2/3", 2),
        ((1, 2, 3), "2 of 3", 2),
        ((1, 2, 3), "1/2", None),
        ((1, 2, 3), "1 of 2", None),
    ],
)
def test_a_choice_that_is_named_in_passing_is_none(choices: tuple[Any, ...], text: str, value: Any) -> None:
    """What is counted is a thing; a grade with a sign is another one; a total below the highest is a choice too."""
    assert one_value(Literal[choices], text) == (value, [] if value is not None else ["$.v"])


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("(109.00)", None),
        ("( 109.00 )", None),
        ("Loss: (109.00)", None),
        ("(109.00) EUR", None),
        ("109.00-", None),
        ("109.00- EUR", None),
        ("109.00 EUR-", None),
        ("-(109.00)", -109),
        ("(-109.00)", -109),
        ("(109)", 109),
        ("109,-", 109),
        ("109 minus a discount", None),
        ("109 plus tax", None),
        ("one two", None),
        ("one, two", None),
        ("one of five", 1),
        ("four, one of the best", 4),
        ("it is minus four", -4),
        ("-four", -4),
        ("- four", None),
        ("at least -4", None),
        ("200 (two hundred)", 200),
        ("two hundred and five pages", 205),
        ("two hundred and", None),
        ("\u00d7200", 200),
        ("x1", None),
        ("\uff11\uff12\uff0e\uff10", 12),
    ],
)
def test_signs_and_words_of_a_number(text: str, value: int | None) -> None:
    """A minus in any form counts or is a problem, never a plus; words behind each other are one number."""
    assert one_value(int, text) == (value, [] if value is not None else ["$.v"])
    assert one_value(float, text) == (value, [] if value is not None else ["$.v"])


@pytest.mark.parametrize(
    ("field", "text", "value"),
    [
        ((float, ...), "92%", 92.0),
        ((float, ...), "ten percent", 10.0),
        ((float, ...), "0%", 0.0),
        ((float, Field(description="Confidence in it")), "92%", None),
        ((float, Field(description="Confidence in it")), "0.92", 0.92),
        ((float, Field(description="Confidence in it")), "0%", 0.0),
        ((float, Field(le=1)), "92%", 0.92),
        ((float, Field(le=100)), "92%", 92.0),
        ((float, Field(description="Growth in percent")), "92%", 92.0),
        ((int, ...), "92%", 92),
        ((int, Field(ge=1, le=5)), "- 4", 4),
        ((float, Field(ge=0)), "(12.50)", 12.5),
        ((float, Field(ge=0)), "12.50-", 12.5),
    ],
)
def test_what_is_allowed_tells_what_was_meant(field: Any, text: str, value: float | None) -> None:
    """Of a percentage and of a sign; where it tells nothing, both readings are named."""
    model = create_model("Part", v=field)
    read = StructuredResponse.from_basemodel(model).parse(f"<part><v>{text}</v></part>", strict=False)
    assert read.to_dict() == {"v": value}
    assert [problem.kind for problem in read.problems] == ([] if value is not None else ["ambiguous"])


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("years_experience", "84 months", None),
        ("years_experience", "**84** months", None),
        ("years_experience", "7 years", 7),
        ("prep_minutes", "1 Stunde", None),
        ("prep_minutes", "two hours", None),
        ("prep_minutes", "45 Minuten", 45),
        ("growth_percent", "92%", 92),
    ],
)
@pytest.mark.parametrize(
    "reply", ["<part><{0}>{1}</{0}></part>", '{{"{0}": "{1}"}}', "<part {0}='{1}'/>", "<part>\n{0}: {1}\n</part>"]
)
def test_a_unit_is_compared_with_the_name_in_every_format(name: str, text: str, value: int | None, reply: str) -> None:
    """Elements, JSON, attributes, lines; digits or words; the unit's plural at either end of the name."""
    model = create_model("Part", **{name: (float if "percent" in name else int, ...)})  # type: ignore[call-overload]
    read = StructuredResponse.from_basemodel(model).parse(reply.format(name, text), strict=False)
    assert read.to_dict() == {name: value}
    assert bool(read.problems) is (value is None)


MOMENTS: list[tuple[Any, str, str | None]] = [
    (dt.datetime, "2024-05-14 09:00-09:30", None),
    (dt.datetime, "2024-05-14 12:00-13:00", None),
    (dt.datetime, "14 May 2024, 10:00-11:00 UTC", None),
    (dt.datetime, "2024-05-14T10:00:00Z/2024-05-14T11:00:00Z", None),
    (dt.datetime, "2024-05-14 14:00-05:00", "2024-05-14T14:00:00-05:00"),
    (dt.datetime, "2024-05-14T10:00-11:00", "2024-05-14T10:00:00-11:00"),
    (dt.datetime, "2024-05-14 10:00:00 +0200 UTC", None),
    (dt.datetime, "2024-05-14 10:00:00 -0500 EST", "2024-05-14T10:00:00-05:00"),
    (dt.datetime, "20240701T070000Z", "2024-07-01T07:00:00Z"),
    (dt.datetime, "20240701T0700+0200", "2024-07-01T07:00:00+02:00"),
    (dt.datetime, "2024-05-14T12:00:00+02:00[Europe/Berlin]", "2024-05-14T12:00:00+02:00"),
    (dt.datetime, "2024-05-14T12:00:00+02:00 (Europe/Berlin)", "2024-05-14T12:00:00+02:00"),
    (dt.datetime, "2024-05-14T12:00:00Z (Europe/Berlin)", None),
    (dt.datetime, "2024-05-14 12:00 Europe/Berlin", None),
    (dt.datetime, "2024\u201105\u201114 10:00:00\u221205:00", "2024-05-14T10:00:00-05:00"),
    (dt.date, "2024\u201303\u201305", "2024-03-05"),
    (dt.date, "- 2024-3-5", "2024-03-05"),
    (dt.date, "since 2024-03-05", "2024-03-05"),
    (dt.date, "20240701T070000Z", "2024-07-01"),
    (dt.time, "10:00-11:00 UTC", None),
    (dt.time, "\u2022 3pm", "15:00:00"),
    (dt.timedelta, "- PT2H30M", None),
    (dt.timedelta, "- 2 hours", None),
    (dt.timedelta, "-2 hours", "-PT2H"),
    (dt.timedelta, "\u2022 PT2H", "PT2H"),
]


@pytest.mark.parametrize(("of", "text", "value"), MOMENTS)
def test_moments_are_told_from_ranges_and_bullets(of: Any, text: str, value: str | None) -> None:
    """A later time behind a dash is no offset, a second moment no decoration, a dash in front of a blank no minus."""
    found, paths = one_value(of, text)
    assert paths == ([] if value else ["$.v"])
    assert value is None or is_same(of, found, value)


@pytest.mark.parametrize("word", ["~", "-", "?", "unknown"])
@pytest.mark.parametrize("of", [dt.date | int, list[int], dict[str, int], Literal["a", "b"]])
def test_what_could_be_no_text_is_null_by_any_word_for_no_value(of: Any, word: str) -> None:
    """Of several types, of what holds values, and of one."""
    assert one_value(of | None, word) == (None, [])


@pytest.mark.parametrize(("of", "word"), [(list[str], "~"), (list[str], "-"), (str | int, None), (list[str], None)])
def test_signs_for_no_value_are_no_items(of: Any, word: str | None) -> None:
    """Where a text is meant, a word is one."""
    found, paths = one_value(of | None, word or "unknown")
    assert not paths
    assert found == (None if word else ["unknown"] if of == list[str] else "unknown")


@pytest.mark.parametrize(
    ("of", "text", "value"),
    [
        (list[int] | str, "[1, 2]", [1, 2]),
        (dict[str, int] | str, '{"a": 1}', {"a": 1}),
        (list[int] | str, '["a"]', '["a"]'),
        (list[int] | str, "[1, 2] or so", "[1, 2] or so"),
    ],
)
def test_json_is_data_beside_a_text(of: Any, text: str, value: Any) -> None:
    """As a number is a number there: on record, and only where an option fits exactly."""
    response = StructuredResponse.from_basemodel(create_model("Field", v=(of, ...)))
    read = response.parse(f"<field><v>{text}</v></field>")
    assert read.to_dict() == {"v": value}
    assert bool(read.repairs) is (value != text)
    filled = response.from_dict({"v": text})
    assert response.parse(str(filled)).to_dict() == {"v": text}


@pytest.mark.parametrize("text", ["\u0627\u060c \u0628\u060c \u062c", "\u0627\u061b\u0628\u061b\u062c"])
def test_arabic_signs_separate_items(text: str) -> None:
    """As commas and semicolons do."""
    assert one_value(list[str], text)[0] == ["\u0627", "\u0628", "\u062c"]


# What a tag is: its attributes, its brackets, its name.

Tagged = create_model("Tagged", title=(str, ...), code=(str | None, None), n=(int | None, None))


def read_as(kind: Any, reply: str) -> tuple[Any, list[str]]:
    """The data of a reply, and where it has problems."""
    read = StructuredResponse.from_type(kind).parse(reply, strict=False)
    return read.instance, [problem.path for problem in read.problems]


@pytest.mark.parametrize(
    "tag",
    [
        "title type='str' pattern='^<.*>$'",
        "title type='str' description='a < b'",
        "title note='x' description='must be < 5 & > 1'",
        'title note="<b>x</b>"',
        "title pattern='<title>x</title>'",
        "title type='enum' choices='[\"<\", \"==\"]'",
        'title a="1" b=\'<i>\' c="</i>"',
    ],
)
def test_brackets_in_any_attribute_of_a_tag(tag: str) -> None:
    """A quote is open behind another attribute as it is behind a name."""
    assert read_as(Tagged, f"<tagged><{tag}>T</title><n>4</n></tagged>") == ({"title": "T", "code": None, "n": 4}, [])
    for item, closer in [("li", "li"), ("entry key='0'", "entry")]:
        inner = f"<{tag.replace('title', item, 1)}>T</{closer}>".replace("title>", f"{closer}>")
        kind: Any = list[str] if item == "li" else dict[str, str]
        name = "value_list" if item == "li" else "value_map"
        data, problems = read_as(kind, f"<{name}>{inner}</{name}>")
        assert (data[0 if item == "li" else "0"], problems) == ("T", [])


@pytest.mark.parametrize(
    ("reply", "title", "code"),
    [
        ('<title lang="en>Nice</title><code>He said "hi" > </code>', "Nice", 'He said "hi" >'),
        ("<title type='str'>if x='<' then</title><code>c'> d</code>", "if x='<' then", "c'> d"),
        ("<title>a b='</title><code>c'> d</code>", "a b='", "c'> d"),
    ],
)
def test_a_quote_in_a_text_opens_no_attribute(reply: str, title: str, code: str) -> None:
    """Nor does one that the closing tag ends."""
    assert read_as(Tagged, f"<tagged>{reply}</tagged>") == ({"title": title, "code": code, "n": None}, [])


@pytest.mark.parametrize("begun", ["<!CDATA[", "<[CDATA[", "<![cdata[", "<! [CDATA[", "<![ CDATA ["])
def test_a_section_that_begins_in_another_way(begun: str) -> None:
    """What it holds is the value, whatever tags stand in it."""
    reply = f"<tagged><title>{begun}a < b </title> & <c>]]></title><n>{begun}4]]></n></tagged>"
    assert read_as(Tagged, reply) == ({"title": "a < b </title> & <c>", "code": None, "n": 4}, [])
    text = f"see {begun}x]]> there"
    assert read_as(Tagged, f"<tagged><title>{text}</title></tagged>")[0]["title"] in (text, "see x there")


@pytest.mark.parametrize(
    ("field", "value", "problems"),
    [
        ('<code text="Ann"/>', "Ann", []),
        ('<code Content="Ann"></code>', "Ann", []),
        ('<code lang="en" val="Ann"/>', "Ann", []),
        ('<code lang="en"/>', None, []),
        ('<code priority="high"/>', None, ["$.code"]),
        ('<n data="4"/>', 4, []),
        ('<n unit="kg"/>', None, []),
        ('<n years="4"/>', None, ["$.n"]),
        ('<u value="4"/>', 4, []),
        ('<a value="4"/>', 4, []),
        ('<tags value="a, b"/>', [], ["$.tags"]),
        ('<tags count="0"/>', [], []),
    ],
)
def test_an_attribute_of_an_empty_element(field: str, value: Any, problems: list[str]) -> None:
    """It is the value if it is called so; where only it could be one, that is a problem."""
    fields: dict[str, Any] = {
        "title": (str, ...),
        "code": (str | None, None),
        "n": (int | None, None),
        "tags": (list[str], []),
        "u": (int | str | None, None),
        "a": (Any, None),
    }
    model = create_model("Tagged", **fields)
    data, found = read_as(model, f"<tagged><title>t</title>{field}</tagged>")
    assert found == problems
    assert problems or (data[field[1:].partition(" ")[0]] or None) == (value or None)


class Card(BaseModel):
    name: str
    age: int | None = None
    nick: str | None = None
    tags: list[str] = []


@pytest.mark.parametrize(
    ("inner", "data"),
    [
        ("name>Ann</name><age 35</age><nick\nBob</nick>", {"name": "Ann", "age": 35, "nick": "Bob"}),
        ("<name>Ann</name>nick>a < b</nick>", {"name": "Ann", "nick": "a < b"}),
        ("<name>Ann</name>[nick]Bob</nick>&lt;age&gt;3</age>", {"name": "Ann", "nick": "Bob", "age": 3}),
        ("<name>A</name><tags><li>a</li>li>b</li><li c</li></tags>", {"name": "A", "tags": ["a", "b", "c"]}),
        ("<name>Ann[/name]<age>3[/age]<nick>x&lt;/nick&gt;", {"name": "Ann", "age": 3, "nick": "x"}),
        ("<name>Ann</ ><age>3</ ><tags><li>a</></li></></tags>", {"name": "Ann", "age": 3, "tags": ["a</>"]}),
        (
            "<name>Ann</><tags>\n <li>a</>\n <li>b</>\n</><nick>Bob</>",
            {"name": "Ann", "tags": ["a", "b"], "nick": "Bob"},
        ),
        ("<name>Ann\uff1c\uff0fname\uff1e<age>3\uff1c\uff0fage\uff1e", {"name": "Ann", "age": 3}),
        ("<name>Ann</na</b><age>3</a</li>", {"name": "Ann", "age": 3}),
        ("<name>see [name] and [/name]</name>", {"name": "see [name] and [/name]"}),
        ("<name>see [/name]</name><age>3</age>", {"name": "see [/name]", "age": 3}),
        ("<name>see [name]x[/name]<age>3</age>", {"name": "see [name]x[/name]", "age": 3}),
        ("<name>A</name> is </age><age>3</age>", {"name": "A", "age": 3}),
    ],
)
def test_tags_that_lost_a_bracket(inner: str, data: dict[str, Any]) -> None:
    """What is left of one tells where the value begins or ends, if the other tag of the two is there or missing."""
    assert read_as(Card, f"<card>{inner}</card>") == (Card(**data).model_dump(), [])


@pytest.mark.parametrize("inner", ["Bob</nick>", "<name>A</name>Bob</nick>", "<name>A</name>\n 31.44</age>"])
def test_a_value_without_an_opening_tag_is_a_problem(inner: str) -> None:
    """Nothing says where it begins, and it is not skipped in silence."""
    reply = f"<card>{inner}</card>" if "name" in inner else f"<card>{inner}<name>A</name></card>"
    path = "$.age" if "age" in inner else "$.nick"
    assert read_as(Card, reply)[1] == [path]


class Owner(BaseModel):
    owner: str
    lives: int


class Household(BaseModel):
    owner: Owner
    owners: list[Owner] = []


class Only(BaseModel):
    only: str


class Bought(BaseModel):
    product: str
    rating: int


class Labels(BaseModel):
    labels: list[str]


B = "<owner>B</owner><lives>1</lives>"
ANN = {"owner": "Ann", "lives": 9}


@pytest.mark.parametrize(
    ("model", "reply", "data"),
    [
        (Owner, "<owner>Ann</owner><lives>9</lives>", ANN),
        (Owner, "<lives>9</lives><owner>Ann</owner>", ANN),
        (Owner, "<owner>Ann</owner><lives>9</lives></owner>", ANN),
        (Owner, "<answer><owner>Ann</owner><lives>9</lives></answer>", ANN),
        (Owner, "<owner><owner>Ann<lives>9</lives></owner>", ANN),
        (Owner, "<owner><lives>9</lives><owner>Ann</owner>", ANN),
        (Owner, "<owner><owner>Ann</owner><lives>9</lives>", ANN),
        (Owner, "<owner><owner>Ann</owne><lives>9</lives></owner>", ANN),
        (Owner, "<owner><owner>Ann</lives><lives>9</lives></owner>", ANN),
        (Owner, "<owner><lives>9</lives><owner>Ann</lives></owner>", ANN),
        (Owner, "<owner><owner>Ann</owner><owner>Ann</owner><lives>9</lives></owner>", ANN),
        (Owner, f"<owner>{B}</owner> No: <owner><owner>Ann</owner><lives>9</lives></owner>", ANN),
        (Owner, f"{B}\nNo:\n<owner>Ann</owner><lives>9</lives>", ANN),
        (Owner, "<owner>\nowner: Ann\nlives: 9\n</owner>", ANN),
        (Owner, '<owner>{"owner": "Ann", "lives": 9}</owner>', ANN),
        (Owner, "<owner owner='Ann' lives='9'/>", ANN),
        (Owner, "<owner>a <b>c</b> d</owner><lives>9</lives>", {"owner": "a <b>c</b> d", "lives": 9}),
        (Owner, "<owner><owner>a </lives> d</owner><lives>9</lives></owner>", {"owner": "a </lives> d", "lives": 9}),
        (Household, "<household><owner><owner>Ann<lives>9</lives></owner></household>", {"owner": ANN, "owners": []}),
        (
            Household,
            f"<household><owner>{B}</owner><owners><owner><owner>Ann</lives><lives>9</lives></owner></owners></household>",
            {"owner": {"owner": "B", "lives": 1}, "owners": [ANN]},
        ),
        (Only, "<only>v1</only>", {"only": "v1"}),
        (Only, "<only><only>v1</onyl></only>", {"only": "v1"}),
        (Labels, "<labels><li>a</li></labels>", {"labels": ["a"]}),
        (Labels, "<labels><labels><li>a</li></labels></labels>", {"labels": ["a"]}),
        (Bought, "<product><product>A</product><rating>4</rating></product>", {"product": "A", "rating": 4}),
        (Bought, "<product>\n<rating>4</rating>\n<product>A</product></product>", {"product": "A", "rating": 4}),
    ],
)  # fmt: skip
def test_namesakes(model: Any, reply: str, data: dict[str, Any]) -> None:
    """Where a root, or an object, is called like one of its fields, what stands in a tag tells which one it is."""
    assert read_as(model, reply) == (data, [])


class Files(BaseModel):
    name: str
    file_name: str
    filename: str
    tests_added: bool | None = None


FILES = {"name": "a", "file_name": "b", "filename": "c", "tests_added": None}


@pytest.mark.parametrize(
    "reply",
    [
        "**Name:** a\n**File Name:** b\n**Filename:** c",
        '{"NAME": "a", "FILENAME": "c", "FILE_NAME": "b"}',
        '{"name": "a", "file-name": "b", "filename": "c"}',
        '{"name": "a", "fileName": "b", "filename": "c"}',
        "name: a\nFile-Name: b\nfilename: c",
        "<files><name>a</name><File-Name>b</File-Name><FILENAME>c</FILENAME></files>",
        "<files><name>a</name><file_nme>b</file_nme><filename>c</filename></files>",
        "<files><name>a</name><file_name>b</file_name><filname>c</filname></files>",
        "<files name='a' file-name='b' Filename='c'/>",
    ],
)
def test_names_that_only_separators_tell_apart(reply: str) -> None:
    """Where the words of a name end says which of two fields it is."""
    assert read_as(Files, reply) == (FILES, [])


@pytest.mark.parametrize(
    "reply",
    [
        "<files><name>a</name><file\\_name>b</file\\_name><filename>c</filename><tests\\_added>no</tests\\_added></files>",
        "name: a\nfile\\_name: b\nfilename: c\ntests\\_added: no",
        "**name:** a\n**file\\_name:** b\n**filename:** c\n**tests\\_added:** no",
        '{"name": "a", "file\\_name": "b", "filename": "c", "tests\\_added": false}',
    ],
)
def test_underscores_that_markdown_escapes_in_names(reply: str) -> None:
    """Models that answer in Markdown write `file\\_name`."""
    assert read_as(Files, reply) == ({**FILES, "tests_added": False}, [])


@pytest.mark.parametrize(
    ("reply", "name"),
    [
        ("\\<card\\>\\<name\\>Ann\\</name\\>\\<age\\>3\\</age\\>\\</card\\>", "Ann"),
        ("Sure\\!\n\n\\<card>\n\\<name>a\\_b C:\\dir\\</name>\n\\<age>3\\</age>\n\\</card>", "a_b C:\\dir"),
        ("\\<name\\>Ann\\<\\/name\\>\\<age\\>3\\<\\/age\\>", "Ann"),
        (
            "&amp;lt;card&amp;gt;&amp;lt;name&amp;gt;Ann&amp;lt;/name&amp;gt;&amp;lt;age&amp;gt;3&amp;lt;/age&amp;gt;",
            "Ann",
        ),
        ("<card><name>\\<b\\> a\\_b</name><age>3</age></card>", "\\<b\\> a\\_b"),
        ("\\<card><name>a\\_b</name><age>3</age></card>", "a\\_b"),
    ],
)
def test_answers_escaped_as_a_whole(reply: str, name: str) -> None:
    """As Markdown, or twice as HTML. Where some tag is not escaped, backslashes are text."""
    data, problems = read_as(Card, reply)
    assert (data["name"], data["age"], problems) == (name, 3, [])


@pytest.mark.parametrize(
    ("inner", "data"),
    [
        ("<name>A</name>[nick]Bob[/nick]<age>3</age>", {"name": "A", "nick": "Bob", "age": 3}),
        ("<name>A</name>\n&lt;nick&gt;a &amp; b&lt;/nick&gt; [age]3[/age]", {"name": "A", "nick": "a & b", "age": 3}),
        (
            "<name>A</name><tags>&lt;li&gt;a&lt;/li&gt;<li>b</li>[li]c[/li]</tags>",
            {"name": "A", "tags": ["a", "b", "c"]},
        ),
        ("<name>A</name>[tags]a, b[/tags]", {"name": "A", "tags": ["a", "b"]}),
        ("<name>A</name>see [nick]", {"name": "A"}),
    ],
)
def test_elements_in_other_brackets_between_others(inner: str, data: dict[str, Any]) -> None:
    """Square ones and escaped ones are read; they were left out as text."""
    assert read_as(Card, f"<card>{inner}</card>") == (Card(**data).model_dump(), [])


# Labels, sections, paths and quotes in other formats than XML


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


CHART = {
    "patient": "J. Doe", "age": 54, "ward": {"heart_rate": 88, "pressure": "140/90"}, "steps": ["Rest", "Aspirin"],
    "doses": {}, "remark": None,
}  # fmt: skip
DOSES = CHART | {"doses": {"aspirin": "100 mg"}}
WARD = "ward:\n  heart_rate: 88\n  pressure: 140/90\n"
IN_JSON = '{"heart_rate": 88, "pressure": "140/90"}'
BOLD = """**Patient:** J. Doe
{}**Age:** 54
**Ward:**
- **Heart rate:** 88
{}- **Pressure:** 140/90
**Steps:**
1. Rest
2. Aspirin{}"""
TOML = """patient = "J. Doe"
age = 54
steps = ["Rest", "Aspirin"]

[ward]
heart_rate = 88
pressure = "140/90"

[doses]
aspirin = "100 mg"
"""
INI = """[chart]
patient = J. Doe
age = 54
steps = Rest; Aspirin
[chart.ward]
heart_rate = 88
pressure = 140/90
[other]
age = 9
"""
DOTTED = """patient: J. Doe
age: 54
ward.heart_rate: 88
ward.pressure: 140/90
steps[0]: Rest
steps[1]: Aspirin
doses.aspirin: 100 mg"""
FLAT = {"patient": "J. Doe", "age": 54, "ward.heart_rate": 88, "ward.pressure": "140/90"}
FLAT |= {"steps.0": "Rest", "steps.1": "Aspirin"}
BETWEEN = """<chart><patient>J. Doe</patient>
age: 54
<ward><heart_rate>88</heart_rate>pressure: 140/90</ward>
**Steps:**
- Rest
- Aspirin
</chart>"""
BETWEEN_JSON = f'<chart><patient>J. Doe</patient><age>54</age>{{"ward": {IN_JSON}}}<steps>Rest; Aspirin</steps></chart>'
RETURNS = """<chart><patient>J. Doe</patient><age>54</age><ward>
heart_rate: 88
pressure: '140/90'
</ward><steps>
- Rest
- 'Aspirin'
</steps></chart>""".replace("\n", "\r")


@pytest.mark.parametrize(
    ("reply", "data"),
    [
        # a label that the definition does not know
        (BOLD.format("**Version:** 2\n", "", ""), CHART),
        (BOLD.format("", "- **SpO2:** 98%\n", ""), CHART),
        (BOLD.format("", "", "\n**Expected:** home\n- soon"), CHART),
        (f"patient: J. Doe\nversion: 2\nage: 54\n{WARD}steps:\n1. Rest\n2. Aspirin\nextra: 9\n", CHART),
        (f"patient: J. Doe\nage: 54\nward: {IN_JSON}\nsteps: Rest; Aspirin\nroom: 9", CHART),
        # what stands between a name and its value
        ("patient => J. Doe\nage => 54\nward => {heart_rate: 88, pressure: '140/90'}\nsteps => [Rest, Aspirin]", CHART),
        ("Patient – J. Doe\nAge – 54\nWard – {heart_rate: 88, pressure: '140/90'}\nSteps – Rest; Aspirin", CHART),
        (f"patient: `J. Doe`\nage: `54`\nward: `{IN_JSON}`\nsteps: `Rest`, `Aspirin`", CHART),
        (f"Patient (name): J. Doe\nAge (years): 54\nWard: {IN_JSON}\nSteps: Rest; Aspirin", CHART),
        (BOLD.format("", "", "").replace("Heart rate", "Heart (rate)"), CHART),
        ("patient: J. Doe\nage: 54\nward.heart\\_rate: 88\nward.pressure: 140/90\nsteps: Rest; Aspirin", CHART),
        # paths and sections
        (DOTTED, DOSES),
        (json.dumps(FLAT), CHART),
        (TOML, DOSES),
        (INI, CHART),
        # labels and JSON between elements
        (BETWEEN, CHART),
        (BETWEEN_JSON, CHART),
        (RETURNS, CHART),
    ],
)  # fmt: skip
def test_labels_that_are_read(reply: str, data: dict[str, object]) -> None:
    """Unknown ones end the value before them; signs, brackets and types are none of the name or of the value."""
    read = StructuredResponse.from_basemodel(Chart).parse(reply)
    assert read.to_basemodel().model_dump() == data


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("a: b\nc: d", "a: b"),
        ("\na: b\nC: d", "a: b\nC: d"),
        ("It works\nand goes on\nnote: so", "It works\nand goes on\nnote: so"),
        ("It works\nNote: so", "It works\nNote: so"),
        ('"It works\nnote: so"', "It works note: so"),  # as YAML folds it
        ("It works\nas a long name of it says: so", "It works\nas a long name of it says: so"),
        ("```py\nx: int = 1\n  y\n```", "x: int = 1\n  y"),
        ('"""\nx: 1\n  y"""', "x: 1\n  y"),
        ("see ```x``` and\nmore", "see ```x``` and\nmore"),
    ],
)
def test_a_text_that_holds_something_like_a_label(text: str, kept: str) -> None:
    """Only one that looks like the others, right behind a text of one line, ends it."""
    read = StructuredResponse.from_basemodel(Chart).parse(f"age: 54\npatient: {text}\nsteps: Rest", strict=False)
    assert read.instance["patient"] == kept


def test_types_in_front_of_values() -> None:
    """Only where all labels have one: else it may be a part of the text."""
    plain = StructuredResponse.from_basemodel(Seed)
    assert plain.parse('name: str = "x"\nn: int = 1').instance == {"name": "x", "n": 1}
    assert plain.parse("name: y = x\nn: 1").instance == {"name": "y = x", "n": 1}


@pytest.mark.parametrize("quote", ['"', "'"])
def test_a_text_in_quotes_that_the_reply_broke_off_in(quote: str) -> None:
    """It lacks its second quote."""
    read = StructuredResponse.from_basemodel(Seed).parse(f"n: 1\nname: {quote}It works: pl", strict=False)
    assert (read.truncated, read.instance) == ("$.name", {"name": "It works: pl", "n": 1})


def test_an_apostrophe_begins_a_text() -> None:
    """Nothing in it needs quotes."""
    assert StructuredResponse.from_basemodel(Seed).parse("n: 1\nname: 'Tis good").instance["name"] == "'Tis good"


class Places(BaseModel):
    places: dict[str, Seed]


class Seeds(BaseModel):
    seeds: list[Seed]


class Twinned(BaseModel):
    file_name: str
    filename: str


@pytest.mark.parametrize(
    ("model", "reply", "data"),
    [
        (Places, '{"places": [{"key": "a", "name": "x", "n": 1}]}', {"places": {"a": {"name": "x", "n": 1}}}),
        (Places, '{"places": [{"id": "a", "name": "x", "n": 1}, {"id": "b", "name": "y", "n": 2}]}',
         {"places": {"a": {"name": "x", "n": 1}, "b": {"name": "y", "n": 2}}}),
        (Seeds, '[{"name": "x", "n": 1}]', {"seeds": [{"name": "x", "n": 1}]}),
        (Seeds, '{"name": "x", "n": 1}', {"seeds": [{"name": "x", "n": 1}]}),
        (Seed, '{"name": {"name": "x", "n": 1}}', {"name": "x", "n": 1}),
        (Twinned, '{"FILE_NAME": "a", "FILENAME": "b"}', {"file_name": "a", "filename": "b"}),
        (Twinned, "**File Name:** a\n**Filename:** b", {"file_name": "a", "filename": "b"}),
        (list[Seed], "1. **Name:** x\n   **N:** 1\n2. **Name:** y\n   **N:** 2",
         [{"name": "x", "n": 1}, {"name": "y", "n": 2}]),
        (Seeds, "seeds:\n- name: x\n  n: 1\n  extra: 9\n", {"seeds": [{"name": "x", "n": 1}]}),
    ],
)  # fmt: skip
def test_data_in_another_shape(model: Any, reply: str, data: object) -> None:
    """A list of objects with keys for a map, a list or an item for an object of one list, wrappers, twins."""
    assert StructuredResponse.from_type(model).parse(reply).instance == data


@pytest.mark.parametrize("first", ["name", "n"])
def test_a_list_without_one_key_is_no_map(first: str) -> None:
    """Two items share a key, or the first member is one of the object's."""
    other = {"name": "n", "n": "name"}[first]
    reply = json.dumps({"places": [{first: "1", other: "1"}, {first: "1", other: "1"}]})
    problems = StructuredResponse.from_basemodel(Places).parse(reply, strict=False).problems
    assert [problem.path for problem in problems] == ["$.places"]


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


# Lists, objects and their items with damaged tags


class Folder(BaseModel):
    """A field whose name is that of an item of another one."""

    name: str
    names: list[str] = []


class Term(BaseModel):
    """Holds its own kind, in fields."""

    op: str
    left: Term | None = None
    right: Term | None = None
    value: int | None = None


class Shoot(BaseModel):
    """Holds its own kind, in a list."""

    name: str
    weight: int
    twigs: list[Shoot] = []


class Raster(BaseModel):
    """Lists of lists of texts, and something behind them."""

    rows: list[list[str]]
    end: str = ""


class Ticket(BaseModel):
    """Texts, a list of them and what may be absent."""

    title: str
    labels: list[str] = []
    n: int | None = None


@pytest.mark.parametrize(
    ("model", "reply", "expected"),
    [
        (
            Folder,
            "<folder><name>a</name><name>a</name><names><li>x</li></names></folder>",
            {"name": "a", "names": ["x"]},
        ),
        (Folder, "<folder><name>a</name><name>b</name><names><li>x</li></names></folder>", "$.name"),
        (Term, "<term><op>a</op><left><op>b</op><value>1</value><value>2</value></left></term>", "$.left.value"),
        (
            Term,
            "<term><op>a</op><left><op>b</op><value>1</value><value>1</value></left></term>",
            {"op": "a", "left": {"op": "b", "value": 1}},
        ),
        (
            Shoot,
            (
                "<shoot><name>r</name><weight>0</weight><twigs><li><name>a</name><name>b</name><weight>1</weight></li>"
                "</twigs></shoot>"
            ),
            "$.twigs[0].name",
        ),
        (Folder, "<folder>\n  <name>\n    a\n    b\n  </name><name>a\nb</name></folder>", {"name": "a\nb"}),
    ],
)
def test_a_field_that_stands_twice_stays_in_its_object(model: type[BaseModel], reply: str, expected: Any) -> None:
    """Nothing else gets the second one, whatever else could take it."""
    assert outcome(model, reply) == expected


@pytest.mark.parametrize(
    ("model", "reply", "expected"),
    [
        (Term, "<term><op>a</op><right><op>b</op><value>6</value></term>", "$.right.value $.value"),
        (
            Term,
            "<term><op>a</op><right><op>b</op><value>6</value><value>7</value></term>",
            {"op": "a", "right": {"op": "b", "value": 6}, "value": 7},
        ),
        (
            Term,
            "<term><op>a</op><left><op>b</op><left><op>c</op></lefts></left><value>6</value></term>",
            {"op": "a", "left": {"op": "b", "left": {"op": "c"}}, "value": 6},
        ),
        (
            Term,
            "<term><op>a</op><right><op>b</right></op><value>2</value></term>",
            {"op": "a", "right": {"op": "b"}, "value": 2},
        ),
        (
            Shoot,
            (
                "<shoot><name>r</name><weight>0</weight><twigs><li><name>k</name><weight>1</weight><twigs>"
                "<li><name>a</name><weight>2</weight><twigs></twigs><li><name>b</name><weight>3</weight></li></twigs></li>"
                "</twigs></shoot>"
            ),
            {
                "name": "r",
                "weight": 0,
                "twigs": [
                    {
                        "name": "k",
                        "weight": 1,
                        "twigs": [{"name": "a", "weight": 2, "twigs": []}, {"name": "b", "weight": 3}],
                    }
                ],
            },
        ),
        (
            Shoot,
            (
                "<shoot><name>r</name><weight>0</weight><twigs><li><name>k</name><weight>1</weight><twigs>"
                "<li><name>a</name><weight>2</weight></li></li><li><name>b</name><weight>3</weight></li></twigs></li>"
                "</twigs></shoot>"
            ),
            {
                "name": "r",
                "weight": 0,
                "twigs": [
                    {"name": "k", "weight": 1, "twigs": [{"name": "a", "weight": 2}, {"name": "b", "weight": 3}]}
                ],
            },
        ),
    ],
)
def test_objects_of_one_kind_with_a_closing_tag_missing(model: type[BaseModel], reply: str, expected: Any) -> None:
    """Closing tags pair up by name; what could belong to either of two is a problem of both."""
    assert outcome(model, reply) == expected


@pytest.mark.parametrize(
    ("inner", "expected"),
    [
        ("<li><li>a b<li>c</li></li>", [["a b", "c"]]),
        ("\n <li>\n  <li>a b\n  <li>c</li>\n </li>\n", [["a b", "c"]]),
        ("<li><li>a b</il><li>c</li></li>", [["a b", "c"]]),
        ("<li><li>x</li><li>a b</string><li>c</li></li>", [["x", "a b", "c"]]),
        ("<li><li>x</li><li>a b</string></li><li><li>c</li></li>", [["x", "a b"], ["c"]]),
        ("<li><li>a<li><li>b<li></li>", [["a", "b"]]),
        ("<li><li>a</li><li>b</></li><li></li>", [["a", "b"], []]),
        ("<li><li>a</li><li>b</li><li><li><li>c</li></li>", [["a", "b"], ["c"]]),
        ("<list><li></li><li><li>a</li><li>b</li></li></list>", [[], ["a", "b"]]),
        ("<li></zz></li><li><li>b</li></li>", [[], ["b"]]),
        ("<li><li>d</li><li></li><li><li>e</li></li>", "$.rows[0][1]"),
    ],
)
def test_lists_of_lists_with_damaged_tags(inner: str, expected: Any) -> None:
    """Where one closing tag is lost, all pairs are shifted: no item of a list of texts stands in another one."""
    found = outcome(Raster, f"<raster><rows>{inner}</rows><end>e</end></raster>")
    assert found == (expected if isinstance(expected, str) else {"rows": expected, "end": "e"})


@pytest.mark.parametrize(
    ("inner", "expected"),
    [
        ("<li>salt<li>basil</li>...", ["salt", "basil"]),
        ("<li>salt</span><li>basil</li>...", ["salt", "basil"]),
        ("<li>salt<li><li>basil</li>...", ["salt", "basil"]),
        ("<li>salt<li>basil</li> (all fresh)", ["salt", "basil"]),
        ("<li>salt<li>basil</li> and <li>oil</li>", ["salt", "basil", "oil"]),
        ("<li>alpha<li><ticket></li>", ["alpha", "<ticket>"]),
        ("<li>alpha<li>`<title>`</li>", ["alpha", "`<title>`"]),
        ("<li><li>salt</li>", ["salt"]),
        ("<li><li>salt</li></li><li>oil</li>", ["salt", "oil"]),
        ("<li><label>salt</label></li>", ["salt"]),
        ("<li>salt</li>\n- oil\n- basil", ["salt", "oil", "basil"]),
        ("- oil\n<li>salt</li>", ["oil", "salt"]),
        ("<li>salt</li>oil", "$.labels"),
        ("oil<li>salt</li>", "$.labels"),
        ("<li>salt</li>, oil", "$.labels"),
        ("<li>salt</li><tag>oil</tag>", "$.labels"),
        ("<li>salt</li>li>oil</li>", ["salt", "oil"]),
        ("<li>salt</li>oil</li><li>basil</li>", "$.labels[0]"),
        ("<li>salt</li><li oil</li>", ["salt", "oil"]),
        ("<li>the tag `</li>` ends one</li>", ["the tag `</li>` ends one"]),
        ("Here they are: <li>salt</li>", ["salt"]),
        ("</zz>", []),
    ],
)
def test_items_of_a_list_of_texts(inner: str, expected: Any) -> None:
    """None takes in the next one, and no text that may be one is lost without a problem."""
    found = outcome(Ticket, f"<ticket><title>t</title><labels>{inner}</labels></ticket>")
    assert found == (expected if isinstance(expected, str) else {"title": "t", "labels": expected})


@pytest.mark.parametrize(
    ("inner", "expected"),
    [
        ("<title><title>Ann</title><n>3</n>", {"title": "Ann", "n": 3}),
        ("<title>Ann</n><confidence>high</confidence><n>3</n>", {"title": "Ann", "n": 3}),
        ("<title>Ann<title><br><n>3</n>", {"title": "Ann", "n": 3}),
        ("<title>Ann</string><!-- next one <n>3</n>", {"title": "Ann", "n": 3}),
        ("<title>Ann\n<think>now n</think>\n<n>3</n>", {"title": "Ann", "n": 3}),
        ("<title>Ann</ticket><n>3</title></n>", {"title": "Ann", "n": 3}),
        ("<data><n>3</n><title>Ann</n></data>", {"title": "Ann", "n": 3}),
        ("<title>Ann</><n>3</>", {"title": "Ann", "n": 3}),
        ("<title>Ann</tit</><n>3</>", {"title": "Ann", "n": 3}),
        ("<title><>a</></title><n>3</n>", {"title": "<>a</>", "n": 3}),
        ("<title>Ann</n> and <n>3</n>", "$.title"),
        ("<title>Ann</nm2> (next) <n>3</n>", "$.title"),
        ("<title>Ann<title> (next) <n>3</n>", "$.title"),
        ("<title>Ann\n<hr/>\n<n>3</n>", "$.title"),
    ],
)
def test_a_text_absorbs_nothing_behind_a_wrong_closing_tag(inner: str, expected: Any) -> None:
    """What stands behind it is not a part of the text, or nobody knows."""
    assert outcome(Ticket, f"<ticket>{inner}</ticket>") == expected


@pytest.mark.parametrize(
    ("beside", "expected"),
    [
        ("n: 12", {"title": "t", "n": 12}),
        ("**N:** 12", {"title": "t", "n": 12}),
        ("labels: a, b", {"title": "t", "labels": ["a", "b"]}),
        ("n>12</n>", {"title": "t", "n": 12}),
        ("12</n>", "$.n"),
        ("[n]12[/n]", {"title": "t", "n": 12}),
        ("so [n]12[/n]", "$.n"),
        ("12[/n]", "$.n"),
        ("as n>12 says", "$.n"),
        ("see [n]", {"title": "t"}),
        ("&lt;n&gt;12&lt;/n&gt;", {"title": "t", "n": 12}),
        ('{"n": 12}', {"title": "t", "n": 12}),
        ("n: 1\nn: 2", "$.n"),
        ("That is all.", {"title": "t"}),
    ],
)
def test_a_text_beside_fields(beside: str, expected: Any) -> None:
    """A field with a label is read; one that is named in any other way is a problem, not lost."""
    assert outcome(Ticket, f"<ticket><title>t</title>\n{beside}\n</ticket>") == expected


def outcome(model: type[BaseModel], reply: str) -> Any:
    """The data of a reply, or the paths of its problems."""
    read = StructuredResponse.from_basemodel(model).parse(reply, strict=False)
    return " ".join(str(problem.path) for problem in read.problems) or read.to_dict()


@pytest.mark.parametrize("aside", ["", "<?pi x?>", "<!-- c -->", "<!--<li>-->", "\n <!-- c --> <?pi x?>\n"])
def test_a_root_called_like_its_field_behind_an_aside(aside: str) -> None:
    """What stands in front of the field is no text of one."""
    model = create_model("Li", li=(Literal[0], ...), item=(str, ...))
    read = StructuredResponse.from_basemodel(model).parse(f"<li>{aside}<li>0</li><item>x</item></li>")
    assert read.to_dict() == {"li": 0, "item": "x"}


def test_an_empty_text_with_its_closing_tag_is_empty() -> None:
    """Whatever attributes it has that are not called a value."""
    read = StructuredResponse.from_basemodel(Plain).parse("<plain x='y'><name note='&lt;b> &amp;'></name></plain>")
    assert read.instance["name"] == ""


# Lines of names and values: YAML, Markdown, TOML


class Stage(BaseModel):
    name: str
    note: str | None = None
    stages: list[Stage] = []


class Host(BaseModel):
    host: str = "localhost"
    port: int = 80
    mode: Literal["fast", "slow"] = "fast"
    text: str | None = None


class Script(BaseModel):
    title: str
    body: str
    score: int
    tags: list[str] = []


class Guide(BaseModel):
    title: str
    notes: dict[str, str]


class Chore(BaseModel):
    title: str
    done: bool = False
    steps: list[str] = []


class ByCard(BaseModel):
    last4: str
    holder: str = ""


class ByBank(BaseModel):
    iban: str
    owner: str = ""


class Fee(BaseModel):
    number: int
    payment: ByCard | ByBank


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


LEAF = {"name": "b", "note": "x: y", "stages": [{"name": "c", "note": "z"}]}


@pytest.mark.parametrize(
    ("reply", "data"),
    [
        ("name: a\nstages:\n  - name: b\n    note: x: y\n    stages:\n      - name: c\n        note: z", LEAF),
        ("name: a\nstages:\n- name: b\n  note: x: y\n  stages:\n  - name: c\n    note: z", LEAF),
        ("name: a\nstages:\n\t- name: b\n\t  note: x: y\n\t  stages:\n\t\t- name: c\n\t\t  note: z", LEAF),
        (
            (
                "**Name**: a\n**Stages**:\n  - **Name**: b\n    **Note**: x: y\n    **Stages**:\n"
                "      - **Name**: c\n        **Note**: z"
            ),
            LEAF,
        ),
        (
            (
                "- **Name**: a\n- **Stages**:\n  - **Name**: b\n    **Note**: x: y\n    **Stages**:\n"
                "      - **Name**: c\n        **Note**: z"
            ),
            LEAF,
        ),
        (
            (
                "<stage><name>a</name><stages>\n- name: b\n  note: x: y\n  stages:\n  - name: c\n    note: z\n"
                "</stages></stage>"
            ),
            LEAF,
        ),
        (
            "<stage><name>a</name><stages>- name: b\n  note: x: y\n  stages:\n  - name: c\n    note: z</stages>",
            LEAF,
        ),
        (
            (
                "<stage><name>a</name><stages><li>name: b\n  note: x: y\n  stages:\n    - name: c\n      note: z</li>"
                "</stages></stage>"
            ),
            LEAF,
        ),
        (
            '{"name": "a", "stages": "- name: b\\n  note: x: y\\n  stages:\\n  - name: c\\n    note: z\\n"}',
            LEAF,
        ),
        (
            "name: a\nstages:\n- name: b\n  note: |-\n    x: y\n  Else: 1: 2\n  stages:\n  - name: c\n    note: z",
            LEAF,
        ),
    ],
)
def test_lines_keep_their_nesting_where_yaml_does_not_read_them(reply: str, data: Any) -> None:
    """A colon in a text, tabs, bold names: an item of an item is none of its holder."""
    assert given(Stage, reply) == {"name": "a", "stages": [data]}


@pytest.mark.parametrize(
    ("of", "reply", "data"),
    [
        (dict[str, Stage], "```yaml\nk:\n  name: b\n  note: x: y\n```", {"k": {"name": "b", "note": "x: y"}}),
        (list[Stage], "- name: b\n  note: x: y\n- name: c", [{"name": "b", "note": "x: y"}, {"name": "c"}]),
        (
            Fee,
            "number: 3\npayment:\n  iban: I: 1\n  owner: x",
            {"number": 3, "payment": {"iban": "I: 1", "owner": "x"}},
        ),
        (Fee, "## Number\n3\n## Payment\n- Iban: I\n- Owner: x", {"number": 3, "payment": {"iban": "I", "owner": "x"}}),
        (Fee, 'number = 3\n[payment]\niban = "I"', {"number": 3, "payment": {"iban": "I"}}),
        (
            Script,
            "title: t: u\nbody: |-\n  x = 1\n    y\nscore: 4",
            {"title": "t: u", "body": "x = 1\n  y", "score": 4},
        ),
        (
            Script,
            "Here:\n\ntitle: t\nbody: b\nscore: 4\ntags:\n  - |-\n    x\n      y\n  - z\n\nDone!",
            {"title": "t", "body": "b", "score": 4, "tags": ["x\n  y", "z"]},
        ),
        (Guide, "title: t: u\nnotes:\n  a: \"x\"\n  b: 'y'", {"title": "t: u", "notes": {"a": "x", "b": "y"}}),
        (
            Guide,
            '<guide><title>t</title><notes>\na: "x: 1"\nb: |-\n  one\n    two\n</notes></guide>',
            {"title": "t", "notes": {"a": "x: 1", "b": "one\n  two"}},
        ),
        (Script, "title: t: u\nbody: 'it''s'\nscore: 4", {"title": "t: u", "body": "it's", "score": 4}),
        (Script, "title: t: u\nbody: b\nscore: 4  # of 5", {"title": "t: u", "body": "b", "score": 4}),
        (Script, "title: t  # c\nbody: #1 b\nscore: 4  # d", {"title": "t", "body": "#1 b", "score": 4}),
        (Script, "title: Issue # 5\nbody: b\nscore: 4", {"title": "Issue # 5", "body": "b", "score": 4}),
        (Script, 'title = "t" # c\nbody = "a # b"\nscore = 4', {"title": "t", "body": "a # b", "score": 4}),
        (
            Script,
            'title = "t"\nbody = """\nx \\"q\\" \\\\d \\u00e9"""\nscore = 4',
            {"title": "t", "body": 'x "q" \\d \u00e9', "score": 4},
        ),
        (
            Script,
            "title = 't'\nbody = '''\nx = 1\nscore: 4'''\nscore = 5",
            {"title": "t", "body": "x = 1\nscore: 4", "score": 5},
        ),
        (Guide, 'title = "t"\nnotes.a = "x"\nnotes."b c" = "y"', {"title": "t", "notes": {"a": "x", "b c": "y"}}),
        (Guide, 'title = "t"\nnotes = { a = "x", b = "y = z" }', {"title": "t", "notes": {"a": "x", "b": "y = z"}}),
        (
            Stage,
            'name = "a"\n[[stages]]\nname = "b"\n[[stages.stages]]\nname = "c"\n[[stages.stages]]\nname = "d"',
            {"name": "a", "stages": [{"name": "b", "stages": [{"name": "c"}, {"name": "d"}]}]},
        ),
        (
            Script,
            '{\n  "title" => "t",\n  "body" => "b",\n  "score" => 4,\n  "tags" => [\n "x",\n "y"\n]\n}',
            {"title": "t", "body": "b", "score": 4, "tags": ["x", "y"]},
        ),
        (Guide, "Title: t\nNotes:\n  a = x\n  b = y", {"title": "t", "notes": {"a": "x", "b": "y"}}),
        (Stage, "name: a: b\nstages:\n  name: k\n  note: l", {"name": "a: b", "stages": [{"name": "k", "note": "l"}]}),
        (
            Script,
            'title: t: u\nbody: >-\n  one\n  more\n\n  two\nscore: 5\ntags: [a, "b, c"]',
            {"title": "t: u", "body": "one more\ntwo", "score": 5, "tags": ["a", "b, c"]},
        ),
        (list[int], "<value_list>\n(3)\n(4)\n</value_list>", [3, 4]),
        (
            Guide,
            "<guide><title>t</title><notes>n=Kim&a=30</notes></guide>",
            {"title": "t", "notes": {"n": "Kim", "a": "30"}},
        ),
        (list[Chore], "<list><li>title=Ann done=yes</li></list>", [{"title": "Ann", "done": True}]),
    ],
)
def test_what_lines_say_without_yaml(of: Any, reply: str, data: Any) -> None:
    """Blocks, quotes, comments and tables of TOML, where the whole is neither YAML nor TOML to the letter."""
    assert given(of, reply) == data


@pytest.mark.parametrize(
    ("of", "reply", "expected"),
    [
        (Host, "host: h\n port: 42\nmode: slow", {"host": "h", "port": 42, "mode": "slow"}),
        (Host, "<host><host>h</host>\nport: 42</host>", {"host": "h", "port": 42}),
        (Host, "host: h\nport 8\nmode: slow", {"host": "h", "port": 8, "mode": "slow"}),
        (Host, "**Host:** h\n**Port** 8\n**Mode:** slow", {"host": "h", "port": 8, "mode": "slow"}),
        (Host, "host: h\nport: 8\nmode - slow", {"host": "h", "port": 8, "mode": "slow"}),
        (Host, "host: h\nport is not 8\nmode: slow", {"host": "h\nport is not 8", "mode": "slow"}),
        (Host, "host: h\n port: 1\nport: 8", {"host": "h\nport: 1", "port": 8}),
        (Chore, "title: t\n  done: true\nsteps:\n- s", {"title": "t", "done": True, "steps": ["s"]}),
        (Chore, "title: h\ndone: true\n- s1\n- s2", "$"),
        (list[Chore], "- title: t\ndone: true", "$[0]"),
        (list[Host], "- host: x: y\n   port: 3\n  mode: slow", [{"host": "x: y", "port": 3, "mode": "slow"}]),
    ],
)
def test_a_value_in_lines_absorbs_no_line_that_names_a_missing_member(of: Any, reply: str, expected: Any) -> None:
    """However deep it is indented, and whatever stands behind its name."""
    assert given(of, reply) == expected


@pytest.mark.parametrize(
    ("of", "reply", "data"),
    [
        (list[int], "- 34\n- 37\n```\n- 40", [34, 37, 40]),
        (Host, "host: h\n```\nport: 8", {"host": "h", "port": 8}),
        (Host, "## Host\n```\nonyx\n\n## Port\n36", {"host": "onyx", "port": 36}),
        (Host, "Port: see below\n```yaml\nhost: h\nport: 8", {"host": "h", "port": 8}),
        (
            Script,
            "**Title:** t\n\n**Body:**\n```\n[package]\nscore = 5\n```\n\n**Score:** 31",
            {"title": "t", "body": "[package]\nscore = 5", "score": 31},
        ),
        (
            Stage,
            '### Name\na\n### Stages\n```json\n[{"name": "b"}]\n```',
            {"name": "a", "stages": [{"name": "b"}]},
        ),
        (
            Stage,
            "name: a\nstages:\n- name: b\n  note: ```py\nx: 1\n```\n- name: c\n  note: d",
            {"name": "a", "stages": [{"name": "b", "note": "x: 1"}, {"name": "c", "note": "d"}]},
        ),
        (
            Script,
            "Here:\n```yaml\ntitle: t\nbody: |-\n  x </think> y\nscore: 4\n```",
            {"title": "t", "body": "x </think> y", "score": 4},
        ),
    ],
)
def test_fences_among_lines(of: Any, reply: str, data: Any) -> None:
    """One below a name holds its value; one that is never closed drops nothing in front of it."""
    assert given(of, reply) == data


@pytest.mark.parametrize(
    ("reply", "body"),
    [
        ("Title\n=====\nt\n\nBody\n----\nb\n---\nmore\n\nScore\n-----\n4", "b\n---\nmore"),
        ("[[ ## title ## ]]\nt\n\n[[ ## body ## ]]\nb\n\n[[ ## score ## ]]\n4\n\n[[ ## completed ## ]]", "b"),
        ("Here:\n\n| title | body | score |\n|---|---|---|\n| t | b | 4 |\n\nDone.", "b"),
        ("title,body,score\nt,b,4", "b"),
        ("# Title\nt\n## Body\nb\n## Score\n4", "b"),
        ("# Title\nt\n# Body\nb\n## Score\nx\n# Score\n4", "b\n## Score\nx"),
        ("Sure:\n[title]t[/title]\n[body]b [1] c[/body]\n[score]4[/score]", "b [1] c"),
        ("title: t\nbody: a &amp;lt; b &copy;\nscore: 4", "a &amp;lt; b &copy;"),
        ("**Title:** t\n**Body:**\n```\na &amp;lt; b\n```\n**Score:** 4", "a &amp;lt; b"),
    ],
)
def test_names_with_their_values_in_other_shapes(reply: str, body: str) -> None:
    """Headings with a line below them or between markers, tables of one row, square brackets; references in a text."""
    assert given(Script, reply) == {"title": "t", "body": body, "score": 4}


@pytest.mark.parametrize(
    "reply", ["title,body,score\nt,b,4\nu,c,5", "| title | body |\n|---|---|\n| t | b |\n| u | c |"]
)
def test_a_table_of_several_rows_is_no_object(reply: str) -> None:
    """Nobody knows which of them it is."""
    assert given(Script, reply) == "$"


def test_an_empty_line_of_a_nullable_text_is_null() -> None:
    """As an empty element is; quotes make it a text."""
    read = StructuredResponse.from_basemodel(Stage)
    assert read.parse("name: a\nnote:").instance["note"] is None
    assert read.parse('name: a\nnote: ""').instance["note"] == ""


def test_an_outline_that_is_too_deep_is_a_problem() -> None:
    """Whatever its depth, it neither fails nor takes long."""
    levels = "".join(f"{'  ' * n}- name: b: c\n{'  ' * n}  stages:\n" for n in range(300))
    assert given(Stage, f"name: a: b\nstages:\n{levels}") == "$"


# Where a string ends, and what it keeps


class Judged(BaseModel):
    headline: str
    code: str
    score: int


class Remarked(BaseModel):
    code: str | None = None
    note: str | None = None
    score: int


class Itemized(BaseModel):
    name: str
    items: list[str]
    score: int


class Coded(BaseModel):
    code: str


class Pointed(BaseModel):
    name: str
    code: str
    points: int


class TextOrList(BaseModel):
    value: str | list[str]


class TextOrPointed(BaseModel):
    value: str | Pointed


class Runs(BaseModel):
    kind: Literal["run"]
    command: str


class Edits(BaseModel):
    kind: Literal["edit"]
    path: str


class Acting(BaseModel):
    action: Runs | Edits


class WithSteps(BaseModel):
    title: str
    steps: list[str] = []


class Planned(BaseModel):
    tasks: list[WithSteps]


class Tune(BaseModel):
    title: str
    seconds: int


class Played(BaseModel):
    songs: list[Tune]


class Todo(BaseModel):
    todo: str
    done: bool


def told(annotation: Any, reply: str) -> Any:
    """The data of a reply, or the paths of its problems."""
    is_model = isinstance(annotation, type) and issubclass(annotation, BaseModel)
    make: Any = StructuredResponse.from_basemodel if is_model else StructuredResponse.from_type
    read = make(annotation).parse(reply, strict=False)
    if read.problems:
        return " ".join(str(problem.path) for problem in read.problems)
    return read.to_dict()


@pytest.mark.parametrize(
    ("annotation", "reply", "expected"),
    [
        (Coded, "<code>Use the <code> tag</code>", {"code": "Use the <code> tag"}),
        (Coded, "<code>`<code>` is a tag</code>", {"code": "`<code>` is a tag"}),
        (Coded, "<code>\n  <x:code>1</x:code>\n</code>", {"code": "<x:code>1</x:code>"}),
        (Coded, "<answer><code><Code>x</Code> <Li>y</Li></code></answer>", {"code": "<Code>x</Code> <Li>y</Li>"}),
        (Coded, "<code> is the answer:\n\n<code>x</code>", {"code": "x"}),
        (Coded, "I put it in <code>: <code>x</code>", {"code": "x"}),
        (
            Judged,
            "<answer><headline>the <headline> tag</headline><code>c</code><score>4</score></answer>",
            {"headline": "the <headline> tag", "code": "c", "score": 4},
        ),
        (list[str], "<list><li>use <li> here</li><li>x</li></list>", "$[0]"),
        (list[str], "<value_list><li>light<li>cheap</li></value_list>", ["light", "cheap"]),
    ],
)
def test_a_text_that_names_its_own_tag_without_a_root(annotation: Any, reply: str, expected: Any) -> None:
    """It goes on over that tag; only prose in front of an element is none of it."""
    assert told(annotation, reply) == expected


@pytest.mark.parametrize("unknown", ["<sure>high</sure>", "<a/><b>x</b>", "\n<sure>high</sure>\n"])
@pytest.mark.parametrize("text", ["Close it with </code> and more", "Use the <code> tag", "{# </code> #}"])
def test_a_text_that_names_its_tags_in_front_of_an_unknown_element(text: str, unknown: str) -> None:
    """What is skipped may stand behind the closing tag of a text, as what the definition knows."""
    assert told(Coded, f"<coded><code>{text}</code>{unknown}</coded>") == {"code": text}
    inner = f"<headline>A</headline><code>{text}</code>{unknown}<score>4</score>"
    assert told(Judged, f"<judged>{inner}</judged>") == {"headline": "A", "code": text, "score": 4}


@pytest.mark.parametrize(
    ("model", "inner", "expected"),
    [
        (Judged, "<headline>A<code>x </code> y</code>", {"headline": "A", "code": "x </code> y", "score": 4}),
        (Judged, "<headline>A<headline><code>x </code> y</code>", {"headline": "A", "code": "x </code> y", "score": 4}),
        (
            Judged,
            "<headline>A<code>x </headline> y</code>",
            {"headline": "A", "code": "x </headline> y", "score": 4},
        ),
        (
            Judged,
            "<headline>A</headlin><code>so </headline></code>",
            {"headline": "A", "code": "so </headline>", "score": 4},
        ),
        (Remarked, "<note>A<code>x </code> y</code>", "$.note"),
        (Remarked, "<note>A<code>x </note> y</code>", "$.note"),
        (Remarked, "<note>A<code>x</code> y</note>", {"note": "A<code>x</code> y", "score": 4}),
        (Judged, "<headline>A</b> B</code><code>x</code>", "$.headline"),
        (Judged, "<headline>A</code><code>x</code>", {"headline": "A", "code": "x", "score": 4}),
    ],
)
def test_a_text_without_its_closing_tag_absorbs_no_other_text(
    model: type[BaseModel], inner: str, expected: Any
) -> None:
    """The next text may hold closing tags; where either could be the end, nobody knows."""
    assert told(model, f"<answer>{inner}<score>4</score></answer>") == expected


@pytest.mark.parametrize(
    ("inner", "expected"),
    [
        ("<code>x</code><score>5</score> y</code><headline>A</headline><score>4</score>", "x</code><score>5</score> y"),
        ("<code>x</code> y</code><headline>A</headline><score>4</score>", "x</code> y"),
        (
            "<code><a b=\"</code>\" c='<score>'>x</a></code><headline>A</headline><score>4</score>",
            "<a b=\"</code>\" c='<score>'>x</a>",
        ),
        ("<code>x</code><headline>A</headline><score>4</score> y</code>", "$.code"),
        ("<code>x</code><headline>A</headline></code><score>4</score>", "x"),
    ],
)
def test_a_closing_tag_of_a_text_further_on(inner: str, expected: str) -> None:
    """The text goes on up to it where all that stands between comes again; else nobody knows, if text would be lost."""
    read = told(Judged, f"<judged>{inner}</judged>")
    assert read == ("$.code" if expected == "$.code" else {"headline": "A", "code": expected, "score": 4})


@pytest.mark.parametrize(
    ("code", "problems"),
    [
        ("vector<int> v; Option<Score> s", "$.score"),
        ("see <score> and more", "$.score"),
        ("see `<score>` and more", "$.score"),
    ],
)
def test_a_text_that_only_names_what_is_missing(code: str, problems: str) -> None:
    """It stays whole; what is missing is the only problem."""
    reply = f"<judged><headline>A</headline><code>{code}</code></judged>"
    read = StructuredResponse.from_basemodel(Judged).parse(reply, strict=False)
    assert ([str(problem.path) for problem in read.problems], read.instance["code"]) == ([problems], code)


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("<judged><headline>A</headline><code>x <score> 4</code></judged>", {"headline": "A", "code": "x", "score": 4}),
        ("<judged><headline>A <code> x</headline><score>4</score></judged>", "$.headline $.code"),
        (
            "<judged><headline>A</headline><code>f<Score>()<score>4</score></judged>",
            {"headline": "A", "code": "f<Score>()", "score": 4},
        ),
    ],
)
def test_a_tag_in_a_text_that_may_be_what_is_missing(reply: str, expected: Any) -> None:
    """A value of the type behind it says that it is; where any text is one, nobody knows."""
    assert told(Judged, reply) == expected


def test_a_discriminator_that_a_text_names() -> None:
    """Another value than the only one that a field may have is none of it."""
    reply = "<acting><action><runs><command>echo <kind>edit</kind></command></runs></action></acting>"
    assert told(Acting, reply) == {"action": {"kind": "run", "command": "echo <kind>edit</kind>"}}


@pytest.mark.parametrize(
    ("first", "item"),
    [
        ("<items>Use <b>bold</b> here</items>", "Use <b>bold</b> here"),
        ("<items>Use `<b>` and `</b>` here</items>", "Use `<b>` and `</b>` here"),
        ("<items>a</items>", "a"),
        ("<items><li>a</li></items>", "a"),
    ],
)
def test_markup_in_repeated_elements_of_a_list(first: str, item: str) -> None:
    """An element that holds no items is an item."""
    reply = f"<itemized><name>B</name>{first}<items>x</items><score>4</score></itemized>"
    assert told(Itemized, reply) == {"name": "B", "items": [item, "x"], "score": 4}


@pytest.mark.parametrize(
    ("annotation", "value", "expected"),
    [
        (TextOrList, "Text <b>bold</b> end", "Text <b>bold</b> end"),
        (TextOrList, "<p>Hello <b>you</b></p>", "<p>Hello <b>you</b></p>"),
        (TextOrList, "<!DOCTYPE html>\n<html><p>T</p></html>", "<!DOCTYPE html>\n<html><p>T</p></html>"),
        (TextOrList, "<li>a</li><li>b</li>", ["a", "b"]),
        (TextOrList, "Text <li>a</li> end", "$.value"),
        (TextOrPointed, "Text <b>bold</b> end", "Text <b>bold</b> end"),
        (TextOrPointed, "Text <name>x</name> end", "$.value"),
        (TextOrPointed, "<name>x</name><code>y</code><points>1</points>", {"name": "x", "code": "y", "points": 1}),
    ],
)
def test_markup_in_a_text_that_may_be_something_else(annotation: Any, value: str, expected: Any) -> None:
    """What no other option knows is a part of the text."""
    read = told(annotation, f"<answer><value>{value}</value></answer>")
    assert read == (expected if expected == "$.value" else {"value": expected})


@pytest.mark.parametrize(
    ("inner", "expected"),
    [
        ("<name>B</name><items><li>a <![CDATA[ b</li><li>m</li><li>c ]]> d</li></items><score>4</score>", "$.items[0]"),
        (
            "<name>B <![CDATA[</name><b>]]></name><items><li>a</li></items><score>4</score>",
            "$.name",
        ),
        (
            "<name>B <![CDATA[<name>a</name>]]></name><items><li>a</li></items><score>4</score>",
            {"name": "B <name>a</name>", "items": ["a"], "score": 4},
        ),
        (
            "<name><![CDATA[a</name><name>b]]></name><items><li>a</li></items><score>4</score>",
            {"name": "a</name><name>b", "items": ["a"], "score": 4},
        ),
    ],
)
def test_a_section_over_the_end_of_an_element(inner: str, expected: Any) -> None:
    """In the midst of a text its marks may be parts of two."""
    assert told(Itemized, f"<itemized>{inner}</itemized>") == expected


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("<value>foo</valeu>", "foo"),
        ("<answer>\n<value>\nfoo\n</answer>", "foo"),
        ("<value>\nfoo();\n</script>\n", "$"),
        ("<value>then </score> and </headline>", "$"),
        ("<value>a </value> b</value>", "a </value> b"),
        ("<value>a </value> b</value><note>x</note>", "$"),
        ("<value>a</value>\n\nThe `</value>` ends it, see?", "a"),
    ],
)
def test_where_an_answer_that_is_a_text_ends(reply: str, expected: str) -> None:
    """At its own closing tag, one near to it or that of something around; another one may be a part of it."""
    assert told(str, reply) == expected


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("# T\n```sh\nls\n```", "# T\n```sh\nls\n```"),
        ("```sh\nls\n```", "ls"),
        ("ls\n```\n", "ls\n```"),
    ],
)
def test_a_fence_at_the_end_of_a_text_without_a_closing_tag(code: str, expected: str) -> None:
    """It is the end of one that begins in the text."""
    reply = f"<judged><headline>A</headline><code>{code}<score>4</score></judged>"
    assert told(Judged, reply) == {"headline": "A", "code": expected, "score": 4}


def test_a_fence_in_a_text_of_a_fenced_answer_that_is_never_closed() -> None:
    """The fence around the answer is the one that has no partner in it."""
    assert told(Coded, "```xml\n<coded><code>a\n```sh\nls\n```\n```\n") == {"code": "a\n```sh\nls\n```"}


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("<title>Jams</end title>", "Jams"),
        ("<title>Jams</close  title >", "Jams"),
        ("<title><![CDATA[Jams</title>]]>", "Jams"),
        ("<title>Jams</the end>", "Jams</the end>"),
        ("<title>see </end title> and</title>", "see </end title> and"),
    ],
)
def test_odd_closing_tags_of_a_text(title: str, expected: str) -> None:
    """Of several words, the last one is the name; one at the end of the section that is all the text crosses it."""
    assert told(WithSteps, f"<with_steps>{title}<steps><li>a</li></steps></with_steps>") == {
        "title": expected,
        "steps": ["a"],
    }


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        ("<steps><li><li>a</li><li>b</li></steps>", ["a", "b"]),
        ("<steps><li>a</li><steps>", ["a"]),
        ("<steps><li>a</li><li>b</steps></li>", ["a", "b"]),
        ("<steps><li><li>a</li><li>b</li></li></steps>", ["a", "b"]),
        ("<steps><li><item>a</item><item>b</item></li></steps>", ["a", "b"]),
        ("<steps><li><li>a</li> b</li></steps>", ["<li>a</li> b"]),
        ("<steps><li>a<li>\n</li>b</li></steps>", "$.tasks[0].steps[0]"),
        ("<steps><li><items><item>a</item></items></li><li>b</li></steps>", ["<items><item>a</item></items>", "b"]),
        ("<steps><li value='a'><li value='b'><li value='c'></steps>", ["a", "b", "c"]),
        ("<steps><li>a<li value='b'/><li>c</li></steps>", ["a", "b", "c"]),
    ],
)
def test_items_that_are_texts(steps: str, expected: Any) -> None:
    """Tags that stand twice, cross, or were meant as others, are none of them."""
    read = told(Planned, f"<planned><tasks><li><title>t</title>{steps}</li></tasks></planned>")
    assert read == (expected if isinstance(expected, str) else {"tasks": [{"title": "t", "steps": expected}]})


def test_items_of_numbers_that_stand_in_attributes() -> None:
    """A tag with other attributes than the one before it is no closing tag."""
    assert told(list[int], '<value_list><li value="35"><li value="36"><li value="37"></value_list>') == [35, 36, 37]
    assert told(list[int], '<value_list><li>36<li value="37"/></value_list>') == [36, 37]


def test_objects_that_run_together_with_markup_in_a_text() -> None:
    """A text behind a tag that could be an item's, which is an object, makes it one of its fields."""
    first = "<todo>vector<pair<int,int>> v;</todo><done>false</done>"
    assert told(list[Todo], f"<todo_list>{first}<todo>b</todo><done>true</done></todo_list>") == [
        {"todo": "vector<pair<int,int>> v;", "done": False},
        {"todo": "b", "done": True},
    ]
    songs = "<title>a</title><seconds>1</seconds><title><title>x</title> own</title><seconds>2</seconds>"
    assert told(Played, f"<played><songs>{songs}</songs></played>") == {
        "songs": [{"title": "a", "seconds": 1}, {"title": "<title>x</title> own", "seconds": 2}]
    }


@pytest.mark.parametrize(
    "reply", ["Coded(code='a &amp;lt; b &copy;')", "code: |-\n  a &amp;lt; b &copy;", "**Code:** a &amp;lt; b &copy;"]
)
def test_references_in_a_text_of_another_format(reply: str) -> None:
    """They are its own, unless tags stand in what they mean."""
    assert told(Coded, reply) == {"code": "a &amp;lt; b &copy;"}


# Values as people write them: more words around them, units, scales, days, lists as text

LEFT_OPEN = [
    "probably {}",
    "likely {}",
    "could be {}",
    "should be {}",
    "{}, I guess",
    "{} (just a guess)",
    "{} (TBC)",
    "{} TBC",
    "{} - to be confirmed",
    "{} (not yet verified)",
    "{} (placeholder)",
    "{}, but pending",
    "{} (partially)",
    "{} in theory",
    "e.g. {}",
    "for example {}",
    "double {}",
]


@pytest.mark.parametrize("around", LEFT_OPEN)
@pytest.mark.parametrize(("of", "text"), [*(row[:2] for row in OF_EACH_KIND), (bool, "yes")])
def test_a_value_in_doubt_or_an_example_is_none(of: Any, text: str, around: str) -> None:
    """One rule for all kinds."""
    if not (of is bool and "double" in around):
        assert one_value(of, around.format(text)) == (None, ["$.v"])


@pytest.mark.parametrize("around", ["{}: no", "{} (no)", "{} = false", "{} \u2717", "!{}", "!= {}"])
@pytest.mark.parametrize(("of", "text"), [row[:2] for row in OF_EACH_KIND])
def test_a_value_that_is_denied_is_none(of: Any, text: str, around: str) -> None:
    """By a verdict behind it, or a sign in front."""
    assert one_value(of, around.format(text)) == (None, ["$.v"])


QUIET_STILL = [
    "The most likely one is {}",
    "{} (estimated)",
    "{} because it could be worse",
    "{}. It could be higher later.",
    "{} (confirmed)",
    "Wow! {}",
    "{} - an example of good work",
]


@pytest.mark.parametrize("around", QUIET_STILL)
@pytest.mark.parametrize(("of", "text", "value"), OF_EACH_KIND)
def test_a_doubt_about_something_else_leaves_it_as_it_is(of: Any, text: str, value: Any, around: str) -> None:
    """What was found to be the likeliest is the answer; a reason and another sentence are of something else."""
    assert one_value(of, around.format(text)) == (value, [])


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("!true", None),
        ("yes, partially", None),
        ("yes (50%)", None),
        ("yes (95%)", True),
        ("No longer an issue", None),
        ("no longer", False),
        ("true but pending", None),
        ("yes (mostly)", True),
    ],
)
def test_half_a_yes_is_none(text: str, value: bool | None) -> None:
    """A no that is not alone has to be of what is asked."""
    assert one_value(bool, text) == (value, [] if value is not None else ["$.v"])


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("n", "loss of 4", None),
        ("weight_loss", "loss of 4", 4),
        ("n", "fell to 4", 4),
        ("n", "down 4%", None),
        ("n", "a 4% drop", None),
        ("n", "\u25bc4", None),
        ("n", "\u21914", 4),
        ("n", "-4 lower", -4),
        ("latitude", "52 S", None),
        ("latitude", "52\u00b0 N", 52),
        ("power", "60 W", 60),
        ("n", "2+2", None),
        ("n", "2 x 2", None),
        ("n", "12 Tsd. \u20ac", 12000),
        ("n", "4 MM", None),
        ("n", "$4 MM", 4_000_000),
        ("hours", "150 minutes", None),
        ("cents", "$4", None),
        ("cents", "450 cents", 450),
        ("age", "18 months", None),
        ("age", "born in 1990", None),
        ("age", "30 years old", 30),
    ],
)
def test_what_makes_another_number_of_one(name: str, text: str, value: float | None) -> None:
    """Its direction could be its sign, its unit another one, unless the field asks for just that."""
    model = create_model("Part", **{name: (float, ...)})  # type: ignore[call-overload]
    read = StructuredResponse.from_basemodel(model).parse(f"<part><{name}>{text}</{name}></part>", strict=False)
    assert (read.to_dict()[name], bool(read.problems)) == (value, value is None)


@pytest.mark.parametrize(
    ("of", "bounds", "text", "value"),
    [
        (float, {"ge": 0, "le": 1}, "1 out of 10", None),
        (float, {"ge": -1, "le": 1}, "0.6/10", None),
        (int, {"ge": 1, "le": 5}, "4 out of 10", None),
        (int, {"ge": 1, "le": 5}, "4/10", None),
        (int, {"ge": 1, "le": 5}, "4 out of 5", 4),
        (int, {"ge": 1, "le": 10}, "4 out of 5", None),
        (int, {"ge": 0, "le": 1000}, "3 of 12", 3),
        (int, {"ge": 0, "le": 5}, "0 out of 10", 0),
        (int, {}, "4 out of 10", 4),
    ],
)
def test_a_total_is_the_end_of_a_scale(of: type, bounds: dict[str, float], text: str, value: float | None) -> None:
    """Where the bounds end another one, the number may be meant on either."""
    model = create_model("Part", v=(of, Field(**bounds)))  # type: ignore[call-overload]
    read = StructuredResponse.from_basemodel(model).parse(f"<part><v>{text}</v></part>", strict=False)
    assert read.to_dict() == {"v": value}
    assert [problem.kind for problem in read.problems] == ([] if value is not None else ["ambiguous"])


@pytest.mark.parametrize(
    ("of", "text", "value"),
    [
        (dt.date, "Thursday, 17 May 2024", None),
        (dt.date, "Friday, 17 May 2024", "2024-05-17"),
        (dt.date, "Tuesday 02/04/2024", "2024-04-02"),
        (dt.date, "moved from 2024-05-17", None),
        (dt.date, "effective from 2024-05-17", "2024-05-17"),
        (dt.date, "week of 17 May 2024", None),
        (dt.datetime, "Tuesday, June 3, 2024 14:00 UTC", None),
        (dt.datetime, "2024-06-03 13:45 (1:45 PM)", "2024-06-03T13:45:00"),
        (dt.time, "13:45 (1:45 PM)", "13:45:00"),
        (dt.time, "13:45 (2:45 PM)", None),
        (dt.timedelta, "90 min ago", None),
        (dt.timedelta, "90 min twice", None),
        (dt.timedelta, "every 90 min", None),
        (dt.timedelta, "90 min a day", None),
        (dt.timedelta, "a day and an hour", "P1DT1H"),
        (dt.timedelta, "1h30", "PT1H30M"),
        (dt.timedelta, "90 minutes (1.5 hours)", "PT1H30M"),
        (dt.timedelta, "90 minutes (2 hours)", None),
    ],
)
def test_a_moment_that_is_meant(of: Any, text: str, value: str | None) -> None:
    """The day of the week has to fit; a week is no day, a rate no length; what is said twice has to be the same."""
    assert one_value(of, text) == (value, [] if value is not None else ["$.v"])


@pytest.mark.parametrize(
    ("of", "text", "value"),
    [
        (int, "1, 2, 3 (total 6)", [None]),
        (int, "1 (p. 7), 3 (p. 9)", [None]),
        (int, "1, 3, total 2", [None]),
        (int, "1, about 3 and 5 points", [1, 3, 5]),
        (int, "(3) (4) (5)", [3, 4, 5]),
        (int, "(3)\n(4)\n(5)", [3, 4, 5]),
        (int, "1: yes\n2: no", "$.v"),
        (int, "- [x] 1\n- [ ] 2", "$.v"),
        (Literal["low", "high"], "low \u2713\nhigh \u2717", "$.v"),
        (Literal["low", "high"], "low: yes\nhigh: yes", ["low", "high"]),
        (str, "- [x] a\n- [ ] b", "$.v"),
        (str, "- [x] a\n- [x] b", ["a", "b"]),
        (str, "a, b, ...", "$.v"),
        (str, "a, b, etc.", "$.v"),
        (str, "- a\n- ...\n- b", "$.v"),
        (str, '["a", "b"] (2 tags)', ["a", "b"]),
        (str, 'tags: ["a", "b"]', ["a", "b"]),
        (str, "['a'; 'b']", ["a", "b"]),
        (str, '"a" "b"', ["a", "b"]),
        (str, "a \u2022 b", ["a", "b"]),
        (str, "(1) a; (2) b", ["a", "b"]),
        (str, "1. a 2. b and 3. c", ["a", "b", "c"]),
        (str, "(a) foo (b) bar", ["foo", "bar"]),
        (str, "a. foo\nb. bar", ["foo", "bar"]),
        (str, "A. Smith\nB. Jones", ["A. Smith", "B. Jones"]),
        (str, "- a,\n- b", ["a", "b"]),
        (str, "a\n---\nb", ["a", "b"]),
        (str, "1. foo (see 2. bar)", ["foo (see 2. bar)"]),
    ],
)
def test_a_short_list_as_text(of: Any, text: str, value: Any) -> None:
    """Marks count; what is said of the items is none; verdicts that differ and items left out are problems."""
    model = create_model("Part", v=(list[of], ...))
    read = StructuredResponse.from_basemodel(model).parse(f"<part><v>{text}</v></part>", strict=False)
    if isinstance(value, str):
        assert [problem.path for problem in read.problems] == [value]
    else:
        assert read.to_dict() == {"v": value}
        assert [problem.path for problem in read.problems] == (["$.v[0]"] if value == [None] else [])


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('"port": "left",\n"jib": "front"', {"port": "left", "jib": "front"}),
        ("a: \"x\"\nb: 'y'", {"a": "x", "b": "y"}),
        ('a: "x"\nb: y', {"a": '"x"', "b": "y"}),
        ("n=Kim&a=30", {"n": "Kim", "a": "30"}),
        ('a="1 2" b=3', {"a": "1 2", "b": "3"}),
        ("url=http://x?a=1&b=2", {"url": "http://x?a=1&b=2"}),
        ("(a: 1)\n(b: 2)", {"a": "1", "b": "2"}),
    ],
)
def test_a_map_as_text(text: str, value: dict[str, str]) -> None:
    """Quotes that keys have too, or all values; pairs between `&` and blanks; brackets around lines."""
    model = create_model("Part", v=(dict[str, str], ...))
    assert StructuredResponse.from_basemodel(model).parse(f"<part><v>{text}</v></part>").to_dict() == {"v": value}


def test_a_value_in_a_comment_is_not_lost() -> None:
    """It is a problem where the element holds nothing else; any other comment is dropped."""
    model = create_model("Part", v=(dt.date | None, None))
    response = StructuredResponse.from_basemodel(model)
    read = response.parse("<part><v><!-- 2024-05-17 --></v></part>", strict=False)
    assert [problem.path for problem in read.problems] == ["$.v"]
    assert response.parse("<part><v><!-- none --></v></part>").to_dict() == {"v": None}


@pytest.mark.parametrize(
    ("name", "of", "text", "value"),
    [
        ("likely_cause", Literal["power", "disk"], "Likely cause: power", "power"),
        ("likelyCause", Literal["power", "disk"], "**Likely cause:** power", "power"),
        ("not_found", bool, "not found: yes", True),
        ("max_points", int, "The max points is 4", 4),
        ("max_points", int, "max points: at least 4", None),
        ("guess", int, "guess: 4", 4),
        ("cause", Literal["power", "disk"], "Likely cause: power", None),
    ],
)
def test_the_words_of_its_own_name_say_nothing_of_a_value(name: str, of: Any, text: str, value: Any) -> None:
    """In front of it, as a label; other words there are looked at as ever."""
    model = create_model("Part", **{name: (of, ...)})  # type: ignore[call-overload]
    read = StructuredResponse.from_basemodel(model).parse(f"<part><{name}>{text}</{name}></part>", strict=False)
    assert (read.to_dict()[name], bool(read.problems)) == (value, value is None)


# Torn and missing tags, and what may be lost with them


class Gauge(BaseModel):
    host: str = "localhost"
    port: int = 80
    mode: Literal["fast", "slow"] = "fast"
    note: str | None = None


class Cell(BaseModel):
    label: str
    points: int


class Sheet(BaseModel):
    title: str
    tags: list[str] = []
    cells: list[Cell] = []
    cell: Cell | None = None
    votes: dict[str, int] = {}
    gauge: Gauge = Gauge()


class Offshoot(BaseModel):
    name: str
    note: str | None = None
    children: list[Offshoot] = []


def found_in(type_: Any, reply: str) -> tuple[Any, list[str]]:
    """What a reply says, without what is only a default, and the paths of its problems."""
    read = StructuredResponse.from_type(type_).parse(reply, strict=False)
    return read.to_dict(), [str(problem.path) for problem in read.problems]


@pytest.mark.parametrize(
    ("inner", "given", "problems"),
    [
        ("<mode|slow</mode>", {"mode": "slow"}, []),
        ("<port)17</port>", {"port": 17}, []),
        ('<host"kelp</host>', {"host": "kelp"}, []),
        ("(host>kelp</host>", {"host": "kelp"}, []),
        (">host>kelp</host>", {"host": "kelp"}, []),
        ("<host\nkelp</host>", {"host": "kelp"}, []),
        ("<modeslow</mode>", {"mode": "slow"}, []),
        ("<port17</port>", {"port": 17}, ["$.port"]),
        ("<notehello</note>", {"note": "hello"}, ["$.note"]),
        ('<host"kelp"</host>', {"host": '"kelp"'}, ["$.host"]),
    ],
)
def test_an_opening_tag_without_its_last_bracket(inner: str, given: dict[str, Any], problems: list[str]) -> None:
    """Its closing tag tells the name. Where the value follows at once, its first letters may be lost with the bracket;
    a choice tells by itself that it is whole.
    """
    data, found = found_in(Gauge, f"<gauge>{inner}</gauge>")
    assert (data, found) == (given, problems)


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("<sheet><title>x</title><tags\n<li>a</li><li>b</li></tags></sheet>", {"tags": ["a", "b"]}),
        (
            "<sheet><title>x</title>\n<cell\n  <label>a</label><points>1</points>\n</cell></sheet>",
            {"cell": {"label": "a", "points": 1}},
        ),
        ("<sheet><title>x</title><gauge\n<port>8</port></gauge></sheet>", {"gauge": {"port": 8}}),
        ("<sheet><title>x</title><tags><li>a</li>\n<li\n<li>b</li></tags></sheet>", {"tags": ["a", "b"]}),
        ("<sheet><title>use <tags\n<b>x</b></title></sheet>", {"title": "use <tags\n<b>x</b>"}),
        ("<sheet><title>x</title><tags><li>use <li\n<b>x</b></li></tags></sheet>", {"tags": ["use <li\n<b>x</b>"]}),
    ],
)
def test_an_opening_tag_without_its_last_bracket_at_the_end_of_a_line(reply: str, expected: dict[str, Any]) -> None:
    """Between tags, or in a line of its own, it opens what is closed further on; in a text it is text."""
    data, problems = found_in(Sheet, reply)
    assert (data, problems) == ({"title": "x"} | expected, [])


@pytest.mark.parametrize(
    ("type_", "reply", "data"),
    [
        (list[int], "<value_list/>\n<element>1</element>\n<element>2</element>\n</value_list>", [1, 2]),
        (list[str], "<value_list/>\n- a\n- b\n</value_list>", ["a", "b"]),
        (dict[str, int], "<value_map/><a>1</a><b>2</b></value_map>", {"a": 1, "b": 2}),
        (Gauge, "<gauge/>\nhost: h\nport: 8\n</gauge>", {"host": "h", "port": 8}),
        (Sheet, "<sheet><title>x</title><tags/>\n- a\n- b\n</tags></sheet>", {"title": "x", "tags": ["a", "b"]}),
        (Gauge, "<gauge/>", {}),
    ],
)
def test_an_empty_tag_that_is_closed_further_on(type_: Any, reply: str, data: Any) -> None:
    """It was meant as an opening one, of the root too, and of what holds elements, whatever stands in it."""
    assert found_in(type_, reply) == (data, [])


@pytest.mark.parametrize(
    ("inner", "path"),
    [
        ("<li>light</li><li>cheap</li></tags>", "$.tags"),
        ("<li>light</li><li>cheap</li>", "$.tags"),
        ("<list><li>light</li></list>", "$.tags"),
        ("<tags)<li>light</li></tags>", "$.tags"),
        ("<label>a</label><points>1</points></cell>", "$.cell"),
        ("<label>a</label><points>1</points>", "$.cell"),
        ("{cell}<label>a</label><points>1</points>{/cell}", "$.cell"),
        ("<map><entry key='a'>1</entry></map>", "$.votes"),
        ("<gauge><host>h</host></gauge><port>8</port></gauge>", "$.gauge"),
        ("<host>h</host>", "$.gauge"),
        ("<gauge><host>h</host></gauge><port>8</port>", "$.gauge"),
        ("<the-tags>a</the-tags>", "$.tags"),
        ("<tags><li>a</li></tags> and <li>b</li>", "$.tags"),
        ("<tags><li>a</li></tags>\n- b\n", "$.tags"),
        ("<tags><li>a</li></tags></li><li>b</li></tags>", "$.tags"),
        ("<votes><entry key='a'>1</entry>2</entry></votes>", "$.votes"),
        ("<votes>)entry key='a'>1</entry><entry key='b'>2</entry></votes>", "$.votes"),
        ("<votes><entry key='a'>1</entry>\nentry key='b'>2\n<entry key='c'>3</entry></votes>", "$.votes"),
        ("<tags><li>a</li><li<!-- x -->>b</li></tags>", "$.tags"),
        ("<tags/>\nlight", "$.tags"),
    ],
)
def test_what_may_belong_to_a_field_that_is_not_there(inner: str, path: str) -> None:
    """What is the value of nothing, and may be that of an absent field, an item or an entry, is a problem of that."""
    _data, problems = found_in(Sheet, f"<sheet><title>x</title>{inner}</sheet>")
    assert any(found.startswith(path) for found in problems)


@pytest.mark.parametrize(
    "inner",
    [
        "<b>bold</b><debug>true</debug>",
        "<remark>Nothing else.</remark>",
        "</tags>",
        "</tags></cells>",
        "<tags></tags>\nThat is all there is to say.",
        "<tags><li>a</li>\n\n</li></tags>",
        "<tags><li>a</li>\n<l\n<li>b</li></tags>",
        "<author><name>Bob</name></author>",
        "<votes>The votes are as follows\n<entry key='a'>1</entry></votes>",
        "Here it is <gauge><host>h</host></gauge> as asked.",
    ],
)
def test_what_looks_like_no_field_is_only_on_record(inner: str) -> None:
    """Elements that nobody asked for, stray tags around nothing, and remarks."""
    assert found_in(Sheet, f"<sheet><title>x</title>{inner}</sheet>")[1] == []


def test_a_list_closed_early_goes_on_behind_a_comment() -> None:
    """As it does right behind its end."""
    reply = "<sheet><title>x</title><tags><li>a</li></tags><!-- more --><li>b</li></sheet>"
    data, problems = found_in(Sheet, reply)
    assert (data["tags"], problems) == (["a", "b"], [])


@pytest.mark.parametrize(
    "reply",
    [
        "<offshoot><name>r</name><nodes><li><name>a</name></li></nodes></offshoot>",
        "<offshoot><name>r</name><li><name>a</name></li></children></offshoot>",
        "<offshoot><name>r</name><children><li><name>a</name></li><note>n</note></children></offshoot>",
    ],
)
def test_what_may_be_a_part_of_what_holds_itself(reply: str) -> None:
    """Children under other names, or without the tags of their list, are not left out without a word."""
    assert found_in(Offshoot, reply)[1][0] == "$.children"


@pytest.mark.parametrize(
    ("inner", "path"),
    [
        ("<host></host>linen<port>8</port>", "$.host"),
        ("</host>linen<host><port>8</port>", "$.host"),
        ("linen</host><host><port>8</port>", "$.host"),
        ("<port>4</port>2", "$.port"),
        ("<note></note>hello there<mode>slow</mode>", "$.note"),
        ("<port3>4</port>", "$.port"),
        ("<prot>8</prot>", "$.port"),
        ("<modeText>slow</modeText>", "$.mode"),
        ("{host}velvet{/host}<port>8</port>", "$.host"),
        ("<host>kelp</hostnote>velvet</note>", "$.host"),
        ("<host>kelp</hst>velvet</note>", "$.host"),
        ("<host>kelp</>velvet</note>", "$.host"),
    ],
)
def test_a_value_of_which_some_may_be_lost(inner: str, path: str) -> None:
    """A text next to nothing, digits behind a number or in the name of its tag, names nearly like a field's, and two
    values that one lost stretch made one.
    """
    assert path in found_in(Gauge, f"<gauge>{inner}</gauge>")[1]


@pytest.mark.parametrize(
    ("type_", "reply", "data"),
    [
        (Gauge, "<gauge><host>raven{/host><port>8</port></gauge>", {"host": "raven", "port": 8}),
        (Gauge, "<gauge><host>raven|/host><port>8</port></gauge>", {"host": "raven", "port": 8}),
        (Gauge, "<gauge>\nhost: <host>heron\nport: <port>26</port>\n</gauge>", {"host": "heron", "port": 26}),
        (Gauge, "<gauge><host>zephyr\n<box><port>8</port></box></gauge>", {"host": "zephyr", "port": 8}),
        (Cell, "<cell><label>yarrow<labl><points>2</points></cell>", {"label": "yarrow", "points": 2}),
        (list[str], "<value_list><li>amber|/li><li>onyx</li></value_list>", ["amber", "onyx"]),
    ],
)
def test_what_stands_in_place_of_a_closing_tag(type_: Any, reply: str, data: Any) -> None:
    """It ends a text: one in other brackets, its own opening tag misspelt, what stands around the next element."""
    assert found_in(type_, reply) == (data, [])


@pytest.mark.parametrize("reply", ["<gauge><host>h</host", "<value_list><li>29</li><li>30</li"])
def test_a_reply_that_ends_in_half_a_closing_tag_breaks_off(reply: str) -> None:
    """Nobody knows what would have come behind it."""
    type_: Any = Gauge if "gauge" in reply else list[int]
    assert StructuredResponse.from_type(type_).parse(reply, strict=False).truncated == "$"


def test_the_empty_tag_of_an_option_in_front_of_its_fields() -> None:
    """It was meant as an opening one."""

    class Hand(BaseModel):
        last4: str
        holder: str = ""

    class Bill(BaseModel):
        paid: Hand | Cell

    reply = "<bill><paid><hand/><last4>4</last4><holder>h</holder></paid></bill>"
    assert found_in(Bill, reply) == ({"paid": {"last4": "4", "holder": "h"}}, [])


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


def in_json(kind: Any, reply: str) -> Any:
    """The data of a reply, or the paths of its problems."""
    read = StructuredResponse.from_type(kind).parse(reply, strict=False)
    return " ".join(str(problem.path) for problem in read.problems) or read.to_dict()


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ('<a href="#x">y</a>', '<a href="#x">y</a>'),
        ('<p style="#fff">y</p> and more', '<p style="#fff">y</p> and more'),
        ('<script src="//cdn/x.js"></script>', '<script src="//cdn/x.js"></script>'),
        ('say "#1" and more', 'say "#1" and more'),
        ('a "b" # c', 'a "b" # c'),
        ('{"name": "x", "score": 4, "c": 1}', '{"name": "x", "score": 4, "c": 1}'),
        ('{\\n  "a": "x",\\n  "score": 1\\n}', '{\n  "a": "x",\n  "score": 1\n}'),
        ('{\n  "a": "x",\n  "score": 1\n}', '{\n  "a": "x",\n  "score": 1\n}'),
        ('use { features = ["derive"] }', 'use { features = ["derive"] }'),
        ('use {"b": "c"}', 'use {"b": "c"}'),
        ('{\\\\"a\\\\": \\\\"b\\\\"}', '{\\"a\\": \\"b\\"}'),
        ("$\\frac{a}{b} \\cdot \\beta$", "$\\frac{a}{b} \\cdot \\beta$"),
        ("\\f \\\\frac \\u000cx", "\f \\frac \fx"),
        ('a" "b', "$.body"),
        ('a"', "a"),
        ("5'10\"", "5'10\""),
        ('it "is', 'it "is'),
    ],
)
def test_texts_in_json_whose_quotes_are_not_escaped(body: str, expected: str) -> None:
    """They end where the definition can go on, or nobody knows."""
    read = in_json(Leaflet, f'{{"title": "t", "body": "{body}", "score": 44}}')
    assert read == expected or (read["body"], read["score"]) == (expected, 44)


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ('{"title": "t" // see\n, "score": 4}', {"title": "t", "score": 4}),
        ('{"title": "t", # "x", "y"\n"score": 4}', {"title": "t", "score": 4}),
        ('{"title": "t" # "x",\n"score": 4}', "$.title"),
        ('{"title" = "t",\n"score" => 4}', {"title": "t", "score": 4}),
        ('{"title":: "t", "score": 4}', {"title": "t", "score": 4}),
        ('{"title:" "t", "score": 4}', {"title": "t", "score": 4}),
        ('{"title": "t"; "score": 4; "tags": ["a"; "b"]}', {"title": "t", "score": 4, "tags": ["a", "b"]}),
        ('{"title": `t \\` u`, "tags": [`a`, `b`]}', {"title": "t ` u", "tags": ["a", "b"]}),
        ("{'title': 't', 'tags': ['it's fine', 'b']}", {"title": "t", "tags": ["it's fine", "b"]}),
        ('{"title": \\"t\\", "score": 4}', {"title": "t", "score": 4}),
        ('{"title": ""t", "score": 4}', {"title": "t", "score": 4}),
        ('{"title": "t"", "score": 4}', {"title": "t", "score": 4}),
        ('{"title": f"t", "body": r"\\d"}', {"title": "t", "body": "\\d"}),
        ('{"title": f"{t}", "score": 4}', "$.title"),
        ('{"title": t", "score": 4}', "$.title"),
        ('{"title": "t", "score": 2*2}', "$.score"),
        ('{"title": "t", "score": !0}', "$.score"),
        ('{"title": "t", "tags": ["a", b", "c"]}', "$.tags"),
        ('{"title": "t", "tags": ["a", b"c"]}', "$.tags"),
        ('{"title": "t", "tags": ["a, "b", "c"]}', "$.tags"),
        ('{"title": "t", "tags": ["a": "b", "c"]}', "$.tags"),
        ('{"title": "t", "tags": ["a", "b]\n]}', "$.tags[1]"),
        ('{"title": {"value": "t"}, "score": {"score": 4}}', {"title": "t", "score": 4}),
        ('{"title": "t", "tags": "<li>a</li><li>b</li>"}', {"title": "t", "tags": ["a", "b"]}),
        ('{"title": "t", "tags": "<tags><li>a &amp; b</li></tags>"}', {"title": "t", "tags": ["a & b"]}),
        ('{"title": "t", "tags": "<li><b>a</b></li>"}', "$.tags"),
        ('{"title": "t", "tags": "[\'a\', \'b\']"}', {"title": "t", "tags": ["a", "b"]}),
        ('{"title": "t", "part_name": "a", "part/level": 1}', {"title": "t", "part": {"name": "a", "level": 1}}),
        ("{&quot;title&quot;: &quot;t &amp;amp; u&quot;}", {"title": "t &amp; u"}),
        ('{\n  title: "t",\n  body: "a </think> b",\n}', {"title": "t", "body": "a </think> b"}),
        ('I say {"title": "x", "body" </think>\n{"title": "t"}', {"title": "t"}),
    ],
)
def test_signs_of_json_that_are_others(reply: str, expected: Any) -> None:
    """Of each is known what it stands for, or it is a problem."""
    assert in_json(Leaflet, reply) == expected


LEAF_A, LEAF_B = '{"name": "a", "level": 1}', '{"name": "b", "level": 2}'


LEAVES = [{"name": "a", "level": 1}, {"name": "b", "level": 2}]


@pytest.mark.parametrize(
    ("kind", "reply", "expected"),
    [
        (Leaflet, '"title": "t", "part": {"name": "a", "level": 1}}', {"title": "t", "part": LEAVES[0]}),
        (Leaflet, '"title": "t",\n"tags": [\n"a",\n"b"\n]\n}', {"title": "t", "tags": ["a", "b"]}),
        (Leaflet, '{"title": "t"}, "score": 4}', {"title": "t", "score": 4}),
        (Leaflet, '{"title": "t"}}, "score": 4}', {"title": "t", "score": 4}),
        (Leaflet, '{"title": "t"}, "other": 4}', "$"),
        (Leaflet, '{"title": "t", "part": {"name": "a", "level": 1, "score": 4}', "$"),
        (Leaflet, '{"title": "t", "part": {"name": "a"}, "level": 4}}', "$ $.part.level"),
        (Leaflet, '{"title": "t", "part": {{"name": "a", "level": 1}}}', {"title": "t", "part": LEAVES[0]}),
        (Leaflet, '{"title": "t", "leaves": [{{"name": "a", "level": 1}]}', {"title": "t", "leaves": LEAVES[:1]}),
        (
            Leaflet,
            f'{{"title": "t", "leaves": [{{"name": "a", "level": 1, {LEAF_B}]}}',
            {"title": "t", "leaves": LEAVES},
        ),
        (
            Leaflet,
            f'{{"title": "t", "leaves": {{"count": 2, "items": [{LEAF_A}, {LEAF_B}]}}}}',
            {"title": "t", "leaves": LEAVES},
        ),
        (dict[str, Leaf], f'{{"x": {LEAF_A}}},\n"y": {LEAF_B}}}', dict(zip("xy", LEAVES, strict=True))),
        (dict[str, Leaf], f'"x": {LEAF_A},\n"y": {LEAF_B}}}', dict(zip("xy", LEAVES, strict=True))),
        (dict[str, Leaf], f'{{"x": {{"name": "a", "level": 1, "y": {LEAF_B}}}', "$"),
        (
            dict[str, Leaf],
            f'{{"x": {{"name": "a" "level": 1}} "y": {LEAF_B}}}',
            dict(zip("xy", LEAVES, strict=True)),
        ),
        (list[Leaf], f"{LEAF_A}, {LEAF_B}]", LEAVES),
        (list[Leaf], f"```json\n{LEAF_A}\n```\n```json\n{LEAF_B}\n```", LEAVES),
        (list[Leaf], f"[{LEAF_A}], {LEAF_B}]", "$"),
        (list[int], "[1, 2], 3]", "$"),
        (list[list[int]], "[[1, 2], ], [3]]", "$"),
    ],
)
def test_brackets_that_are_lost_or_doubled(kind: Any, reply: str, expected: Any) -> None:
    """What is inside never becomes the answer, and nothing beside it goes, without a word."""
    assert in_json(kind, reply) == expected


@pytest.mark.parametrize(
    ("inner", "expected"),
    [
        ('<tags>[\n"a",\n"b"\n]]</tags>', {"tags": ["a", "b"]}),
        ('<tags>\n"a",\n"b"\n]</tags>', {"tags": ["a", "b"]}),
        ('<tags>[\na",\n"b"\n]</tags>', "$.tags"),
        ("<tags>[draft] and {more}</tags>", {"tags": ["[draft] and {more}"]}),
        ('<notes>{"a": "x", "b": "y"}}</notes>', {"notes": {"a": "x", "b": "y"}}),
        ('<notes>"a": "x", "b": "y"}</notes>', {"notes": {"a": "x", "b": "y"}}),
        ('<notes>"a": "x",\n"b": "y"</notes>', {"notes": {"a": "x", "b": "y"}}),
        (f"<leaves>{LEAF_A}{LEAF_B}</leaves>", {"leaves": LEAVES}),
        ('<part>{"name":: "a", "level": 1}</part>', {"part": LEAVES[0]}),
    ],
)
def test_json_in_an_element_whose_brackets_do_not_match(inner: str, expected: Any) -> None:
    """It is JSON all the same, and no lines."""
    read = in_json(Leaflet, f"<leaflet><title>t</title>{inner}</leaflet>")
    assert read == (expected if isinstance(expected, str) else {"title": "t", **expected})


def test_an_object_by_its_class_that_is_a_field_too() -> None:
    """A map cannot hold what the object does."""

    class Notes(BaseModel):
        title: str
        notes: dict[str, str]

    inner = {"title": "t", "notes": {"a": "x"}}
    assert in_json(Notes, json.dumps({"Notes": inner})) == inner
    assert in_json(Notes, json.dumps(inner)) == inner


# Nesting: unions, lists of lists, objects in objects of their class, attributes as values


class Memo(BaseModel):
    memo: str
    author: str = ""


class Picture(BaseModel):
    url: str


class Slot(BaseModel):
    held: Memo | Picture
    n: int = 0


class Optionals(BaseModel):
    memo: Memo | None = None


class Chain(BaseModel):
    value: int
    note: str | None = None
    next: Chain | None = None


class Fork(BaseModel):
    value: int
    left: Fork | None = None
    right: Fork | None = None


class Duty(BaseModel):
    title: str
    done: bool = False
    parts: list[Duty] = []


class ToDo(BaseModel):
    title: str
    done: bool = False
    steps: list[str] = []


class ToDos(BaseModel):
    todos: list[ToDo]


class Endpoint(BaseModel):
    host: str = "localhost"
    port: int = 80


class Server(BaseModel):
    settings: Endpoint = Endpoint()


class Member(BaseModel):
    name: str
    level: int = 0


class Teams(BaseModel):
    teams: list[list[Member]]


class Groups(BaseModel):
    rows: list[list[int]]


class Amounts(BaseModel):
    count: int | None = None
    day: dt.date | None = None
    verdict: Literal["good", "bad"] | None = None
    marks: list[int] = []
    pair: tuple[float, float] | None = None
    map: dict[str, int | str] = {}


class Document(BaseModel):
    name: str
    body: str


class Round(BaseModel):
    radius: float


class Polygon(BaseModel):
    points: list[tuple[float, float]]


class Drawn(BaseModel):
    drawn: Round | Polygon


class Plurals(BaseModel):
    indices: list[int] = []
    analyses: list[str] = []
    people: list[str] = []
    women: list[str] = []
    pair: tuple[int, str] = (0, "")


def plainly(of: Any, reply: str) -> Any:
    """The data of a reply, or the paths of its problems."""
    read = StructuredResponse.from_type(of).parse(reply, strict=False)
    return " ".join(str(problem.path) for problem in read.problems) or json.loads(read.to_json())


def nested(of: Any, reply: str, expected: Any) -> None:
    """Holds that a reply has some data, with the defaults of what that leaves out, or the problems."""
    found = plainly(of, reply)
    if isinstance(expected, str) or isinstance(found, str):
        assert found == expected
    else:
        assert TypeAdapter(of).validate_python(found) == TypeAdapter(of).validate_python(expected)


MEMO = {"memo": "hi", "author": "A"}
MEMO_TAGS = "<memo><memo>hi</memo><author>A</author></memo>"


@pytest.mark.parametrize(
    ("of", "reply", "expected"),
    [
        (Slot, f"<slot><held>{MEMO_TAGS}</held></slot>", {"held": MEMO}),
        (Slot, f"<slot><held>\n  {MEMO_TAGS}\n</held><n>1</n></slot>", {"held": MEMO, "n": 1}),
        (Slot, "<slot><held><memo><author>A</author><memo>hi</memo></memo></held></slot>", {"held": MEMO}),
        (Slot, "<slot><held><memo><memo>hi</memo></memo></held></slot>", {"held": {"memo": "hi"}}),
        (Slot, "<slot><held><memo><memo>hi<author>A</author></memo></held></slot>", {"held": MEMO}),
        (Slot, f"<slot>{MEMO_TAGS}</slot>", {"held": MEMO}),
        (Slot, "<slot><held><memo>hi <memo>x</memo></memo></held></slot>", {"held": {"memo": "hi <memo>x</memo>"}}),
        (Slot, "<slot><held><memo>hi</memo><author>A</author></held></slot>", {"held": MEMO}),
        (Slot, f"<slot><held>{MEMO_TAGS}<picture><url>N/A</url></picture></held></slot>", {"held": MEMO}),
        (Slot, f"<slot><held>{MEMO_TAGS}<picture><url>u</url></picture></held></slot>", "$.held"),
        (Slot, json.dumps({"held": {"memo": MEMO}}), {"held": MEMO}),
        (Optionals, f"<optionals><memo>{MEMO_TAGS}</memo></optionals>", {"memo": MEMO}),
        (Memo | Picture, f"<value>{MEMO_TAGS}</value>", MEMO),
        (Memo | Picture, MEMO_TAGS, MEMO),
        (list[Memo | Picture], f"<value_list><li>{MEMO_TAGS}</li></value_list>", [MEMO]),
        (list[Memo], f"<memo_list><li>{MEMO_TAGS}</li></memo_list>", [MEMO]),
        (dict[str, Memo], f"<memo_map><entry key='a'>{MEMO_TAGS}</entry></memo_map>", {"a": MEMO}),
        (list[Memo], json.dumps([{"memo": {"memo": "hi"}}]), [{"memo": "hi"}]),
    ],
)
def test_a_class_that_is_called_as_one_of_its_fields(of: Any, reply: str, expected: Any) -> None:
    """Its tag stands around all that the object holds, which a text does not look like."""
    nested(of, reply, expected)


def test_an_html_document_in_a_field_called_html() -> None:
    """One element of a field's own name that holds tags may be its text."""
    model = create_model("Html", html=(str, ...))
    reply = "<html_list><li><html><html><body>x</body></html></html></li></html_list>"
    assert plainly(list[model], reply) == [{"html": "<html><body>x</body></html>"}]  # type: ignore[valid-type]


@pytest.mark.parametrize(
    ("of", "inner", "expected"),
    [
        (Chain, "<value>1</value><chain><value>2</value></chain>", {"value": 1, "next": {"value": 2}}),
        (
            Chain,
            "<value>1</value><chain><value>2</value><chain><value>3</value></chain></chain>",
            {"value": 1, "next": {"value": 2, "next": {"value": 3}}},
        ),
        (Fork, "<value>1</value><fork><value>2</value></fork>", "$.left $.right"),
        (Fork, "<value>1</value><left><value>2</value></left><fork><value>3</value></fork>", "$.right"),
        (Fork, "<value>1</value><left><fork><value>2</value></fork></left>", {"value": 1, "left": {"value": 2}}),
        (Duty, "<title>a</title><parts><li><title>b</title><li><title>c</title></li></li></parts>", "$.parts"),
        (
            ToDos,
            "<todos><li><title>a</title></li><done>true</done><steps><li>s</li></steps></todos>",
            "$.todos $.todos[1].title",
        ),
        (
            ToDos,
            "<todos><li><title>a</title><steps><li>s</li><steps></li></todos>",
            {"todos": [{"title": "a", "steps": ["s"]}]},
        ),
        (
            ToDos,
            "<todos><li><title>a</title><steps><li><li>s</li><li>t</li></steps></li></todos>",
            {"todos": [{"title": "a", "steps": ["s", "t"]}]},
        ),
        (
            ToDos,
            "<todos><li><li><title>a</title><done>true</done></li></todos>",
            {"todos": [{"title": "a", "done": True}]},
        ),
        (Server, "<settings><host>h</host></settings><port>8</port>", "$.settings"),
        (Slot, "<held><memo/><memo>hi</memo><author>A</author></held>", "$.held.memo"),
        (Slot, "<held><picture/><url>u</url></held>", {"held": {"url": "u"}}),
        (Drawn, "<drawn><polygon><points><li>(0,0)</li><li>oops</li></points></polygon></drawn>", "$.drawn.points[1]"),
    ],
)
def test_objects_in_objects(of: Any, inner: str, expected: Any) -> None:
    """Where one could belong to several, nobody knows to which; where to one only, it does."""
    name = of.__name__.lower()
    nested(of, f"<{name}>{inner}</{name}>", expected)


def test_an_object_of_the_same_class_in_json() -> None:
    """Under the class's name it is the one field that can be one, or a problem."""
    assert plainly(Chain, '{"value": 1, "chain": {"value": 2, "next": {"value": 3}}}')["next"]["next"]["value"] == 3
    assert plainly(Fork, '{"value": 1, "fork": {"value": 2}}') == "$"


@pytest.mark.parametrize(
    ("inner", "expected"),
    [
        ("<li><li>1</li><li>2</li></li><li><li>3</li></li>", [[1, 2], [3]]),
        ("<li><li>1</li><li>2</li><li><li>3</li></li>", [[1, 2], [3]]),
        ("<li>1, 2</li><li>3</li>", [[1, 2], [3]]),
        ("<li><li>1</li></li><li></list><li><li>2</li></li>", [[1], [], [2]]),
        ("<li><li>1</li></li><li>2</li></li><li><li>3</li></li>", "$.rows"),
        ("<li><li>1</li></li><li>2</li></li></li>", "$.rows"),
        ("<li>1</li><li>2</li></li><li><li>3</li></li>", "$.rows"),
        ("<li><li>1<li>2<li><li>3", "$.rows"),
        ("<li><li value='1'><li>2</li></li>", "$.rows"),
    ],
)
def test_which_items_belong_together(inner: str, expected: Any) -> None:
    """Where the tags of the groups of a list of lists do not tell, the list is a problem."""
    nested(
        Groups, f"<groups><rows>{inner}</rows></groups>", expected if isinstance(expected, str) else {"rows": expected}
    )


@pytest.mark.parametrize(
    "inner",
    [
        "<li><li>{a}</li><li><li>{b}</li></li>",
        "<li><li>{a}</li><li><li><li>{b}</li></li>",
        "<li><li>{a}</li></li><li><li>{b}</li></li>",
    ],
)
def test_groups_of_objects(inner: str) -> None:
    """Two tags of an item in a row begin a group."""
    reply = inner.format(a="<name>a</name><level>1</level>", b="<name>b</name><level>2</level>")
    expected = {"teams": [[{"name": "a", "level": 1}], [{"name": "b", "level": 2}]]}
    nested(Teams, f"<teams><teams>{reply}</teams></teams>", expected)


@pytest.mark.parametrize(
    ("inner", "expected"),
    [
        ("<count><li>1</li><li>2</li></count>", "$.count"),
        ("<count><li>1</li></count>", {"count": 1}),
        ("<day><li>2024-05-17</li><li>2024-05-18</li></day>", "$.day"),
        ("<verdict><li>good</li><li>bad</li></verdict>", "$.verdict"),
        ("<marks><li><li>1</li><li>2</li></li></marks>", {"marks": [1, 2]}),
        ("<marks><li>1<li>2<li value='3'/><li>4</marks>", {"marks": [1, 2, 3, 4]}),
        ("<count amount='2'></count>", "$.count"),
        ("<count unit='h'></count>", {}),
        ("<count nil='1'/>", {}),
        ("<day year='2024' month='5' day='17'/>", "$.day"),
        ("<marks values='1, 2'/>", "$.marks"),
        ("<marks count='0'/>", {}),
        ("<count value='3'>2</count>", "$.count"),
        ("<count value='2'>2</count>", {"count": 2}),
        ("<parameter name='count' value='2'/>", {"count": 2}),
        ("<marks><li index='1'>1</li><li index='0'>2</li></marks>", "$.marks"),
        ("<marks><li index='0'>1</li><li index='1'>2</li></marks>", {"marks": [1, 2]}),
        ("<marks><li n='2'>1</li><li n='1'>2</li></marks>", "$.marks"),
        ("<marks><li year='2'>1</li><li year='7'>2</li></marks>", {"marks": [1, 2]}),
        ("<pair><y>1</y><x>2</x></pair>", "$.pair"),
        ("<pair><x>1</x><y>2</y></pair>", {"pair": [1, 2]}),
        ("<pair><second>1</second><first>2</first></pair>", "$.pair"),
        ("<pair x='1' y='2'/>", {"pair": [1, 2]}),
        ("<pair y='1' x='2'/>", "$.pair"),
        ("<pair>y=1, x=2</pair>", "$.pair"),
        ("<map n='Kim' a='30'/>", {"map": {"n": "Kim", "a": 30}}),
    ],
)
def test_values_in_items_and_attributes(inner: str, expected: Any) -> None:
    """What is written is not lost, what contradicts itself is a problem."""
    nested(Amounts, f"<amounts>{inner}</amounts>", expected)


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("<document name='a'><body><name>b</name></body></document>", {"name": "a", "body": "<name>b</name>"}),
        ("<document name='a'><name>b</name><body>x</body></document>", "$.name"),
        ("<document name='a'><name>a</name><body>x</body></document>", {"name": "a", "body": "x"}),
        ("<document description='a' name='b'><body>x</body></document>", {"name": "b", "body": "x"}),
    ],
)
def test_an_attribute_beside_an_element(reply: str, expected: Any) -> None:
    """A field in an attribute is there; where it has an element too, both say the same."""
    nested(Document, reply, expected)


def test_the_text_of_an_object_with_attributes() -> None:
    """It may be what the object lacks."""
    assert plainly(list[Memo], "<memo_list><li memo='hi'>Ann</li></memo_list>") == "$[0].author"


@pytest.mark.parametrize(
    ("of", "inner", "expected"),
    [
        (str | list[str], "Text <b>bold</b> end", "Text <b>bold</b> end"),
        (str | list[str], "<p>Hello <b>you</b></p>", "<p>Hello <b>you</b></p>"),
        (str | list[str], "Use <li> here", "Use <li> here"),
        (str | list[str], "<li>a</li><li>b</li>", ["a", "b"]),
        (str | Picture, "Text <b>bold</b> end", "Text <b>bold</b> end"),
        (str | Picture, "<url>u</url>", {"url": "u"}),
        (str | Picture, "<picture><url>u</url></picture>", {"url": "u"}),
        (str | Picture, "<picture>nice</picture>", "<picture>nice</picture>"),
        (str | dict[str, str], "<entry key='a'>x</entry>", {"a": "x"}),
        (str | dict[str, str], "<a>x</a>", "<a>x</a>"),
    ],
)
def test_elements_in_a_text_or_something_else(of: Any, inner: str, expected: Any) -> None:
    """It is a text unless its elements are those of another option."""
    read = StructuredResponse.from_type(of).parse(f"<value>{inner}</value>", strict=False)
    assert json.loads(read.to_json()) == expected


def test_a_text_around_the_elements_of_another_option() -> None:
    """Nobody knows which is meant."""
    assert plainly(str | Picture, "<value>see <url>u</url></value>") == "$"


@pytest.mark.parametrize(
    ("inner", "expected"),
    [
        ("<index>1</index><index>2</index>", {"indices": [1, 2]}),
        ("<analysis>a b</analysis><analysis>c</analysis>", {"analyses": ["a b", "c"]}),
        ("<person>A</person><woman>B</woman>", {"people": ["A"], "women": ["B"]}),
        ("<pair>1</pair><pair>a</pair>", {"pair": [1, "a"]}),
        ("<pair>1, a</pair><pair>2, b</pair>", "$.pair"),
    ],
)
def test_repeated_tags_of_lists_and_tuples(inner: str, expected: Any) -> None:
    """By the singular, regular or not; a tuple's for each of its parts."""
    nested(Plurals, f"<plurals>{inner}</plurals>", expected)


def test_keywords_without_a_call() -> None:
    """Semicolons separate them too, and what is on record stands in the reply."""
    reply = 'name="Ann"; level=3'
    read = StructuredResponse.from_basemodel(Member).parse(reply)
    assert read.to_dict() == {"name": "Ann", "level": 3}
    assert all(0 <= repair.span[0] <= repair.span[1] <= len(reply) for repair in read.repairs)


# The whole reply: which part of it is the answer, and what the rest of it says


class Shelf(BaseModel):
    label: str
    inner: Shelf | None = None


class Bough(BaseModel):
    label: str
    children: list[Bough] = []


class Setup(BaseModel):
    host: str = "localhost"
    port: int = 80
    mode: Literal["fast", "slow"] = "fast"
    tags: list[str] = []


class Pamphlet(BaseModel):
    title: str
    code: str = ""
    score: int = 0


def said_of(described: Any, reply: str) -> Any:
    """The data that a reply gives without its defaults, or the paths of its problems."""
    read = StructuredResponse.from_type(described).parse(reply, strict=False)
    if read.problems:
        return " ".join(str(problem.path) for problem in read.problems)
    return plain_data(read.instance)


def plain_data(instance: Any) -> Any:
    """An instance as plain data."""
    return instance.to_dict() if hasattr(instance, "to_dict") else json.loads(json.dumps(instance))


@pytest.mark.parametrize(
    ("described", "reply", "expected"),
    [
        (
            Shelf,
            "<shelf><label>a</label><shelf><label>b</label></shelf></shelf>",
            {"label": "a", "inner": {"label": "b", "inner": None}},
        ),
        (Shelf, "<shelf><label>a</label><inner><label>b</label></inner><shelf><label>c</label></shelf></shelf>", "$"),
        (Shelf, "<shelf><label>a</label><inner><label>b</label><shelf>x</shelf></inner></shelf>", "$.inner.inner"),
        (Setup, "<setup><host>a</host><port>1</port><setup><host>b</host></setup></setup>", "$"),
        (
            Bough,
            "<bough><label>a</label><bough><label>b</label></bough></bough>",
            {"label": "a", "children": [{"label": "b", "children": []}]},
        ),
        (Shelf, "<shelf><shelf><label>b</label></shelf></shelf>", {"label": "b", "inner": None}),
    ],
)
def test_the_roots_tag_in_an_answer_is_a_part_of_it(described: Any, reply: str, expected: Any) -> None:
    """It is no other answer; where no field takes it, nobody knows what it is for."""
    assert said_of(described, reply) == expected


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("<a><title>t</title><code>the <code> tag</code></a>", "the <code> tag"),
        ("<code>the <code> tag</code><title>t</title>", "the <code> tag"),
        ("<code>`<code>` is one</code><title>t</title>", "`<code>` is one"),
        ("<a><title>t</title><code># T\n```\nf('<code>')\n```</code></a>", "# T\n```\nf('<code>')\n```"),
        ("<code>usage: p <name> [<code>]\n  <name> it</code><title>t</title>", "usage: p <name> [<code>]\n  <name> it"),
        ("<code>: a program\n<code>x</code><title>t</title>", "x"),
        ("- <code>: a program\n- <code>x</code>\n- <title>t</title>", "x"),
        ("`<code>` is a program, `<title>` a title.\n<code>x</code><title>t</title>", "x"),
    ],
)
def test_a_text_without_a_root_names_its_own_tag(reply: str, expected: str) -> None:
    """Within a line of it that begins no other one; prose that names it stands in front of a line that begins so."""
    read = StructuredResponse.from_basemodel(Pamphlet).parse(reply)
    assert (read.instance["title"], read.instance["code"]) == ("t", expected)


@pytest.mark.parametrize(
    ("described", "reply", "expected"),
    [
        (list[int], "<li>32<li>34</li><li>37</li></value_list>", [32, 34, 37]),
        (list[str], "<li>a\n<li>b</li>\n<li>c</li>\n</value_list>", ["a", "b", "c"]),
        (list[int], '<li value="31">\n<li>32</li>\n</value_list>', [31, 32]),
        (dict[str, int], "<entry key='a'>1<entry key='b'>2</entry></value_map>", {"a": 1, "b": 2}),
        (list[str], "<value_lli>a</li><li>b</li></value_list>", "$"),
        (list[int], "<value_lst_x>3</li><li>4</li></value_lst_x>", "$"),
        (list[int], "1. 31\n<li>32</li>\n</value_list>", "$"),
        (list[Pamphlet], "<title>a</title></li><li><title>b</title></li></pamphlet_list>", "$"),
        (Setup, "host>h</host><port>8</port></setup>", {"host": "h", "port": 8, "mode": "fast", "tags": []}),
        (Setup, "h</host>\n<port>8</port></setup>", "$.host"),
        (Setup, "host: h\n<port>8</port></setup>", "$.host"),
        (Setup, "Host: h\n<setup><port>8</port></setup>", "$.host"),
        (Setup, "Mode: here it comes:\n<setup><port>8</port></setup>", {**Setup(port=8).model_dump()}),
        (Setup, "Host: h\n\n<setup><port>8</port></setup>", {**Setup(port=8).model_dump()}),
        (Setup, "I end it with </host>.\n<setup><port>8</port></setup>", {**Setup(port=8).model_dump()}),
    ],
)
def test_what_stands_right_in_front_of_an_answer(described: Any, reply: str, expected: Any) -> None:
    """The first value or item whose opening tag, or the root's, is lost is read or a problem, never dropped."""
    assert said_of(described, reply) == expected


@pytest.mark.parametrize(
    ("described", "reply", "expected"),
    [
        (list[str], "<value_list/>\n- a\n- b\n</value_list>", ["a", "b"]),
        (list[int], "<value_list/><li>1</li></value_list>", [1]),
        (dict[str, int], "<value_map/><a>1</a><b>2</b></value_map>", {"a": 1, "b": 2}),
        (Setup, "<setup/>\nhost: h\n</setup>", Setup(host="h").model_dump()),
        (Setup, "<setup host='h'/><port>8</port></setup>", Setup(host="h", port=8).model_dump()),
        (Setup, "<setup/> stands for defaults.\n<setup><host>h</host></setup>", Setup(host="h").model_dump()),
        (Setup, "<setup/>", Setup().model_dump()),
        (str, "<value/>a</value>", "a"),
    ],
)
def test_a_root_that_closes_itself(described: Any, reply: str, expected: Any) -> None:
    """It is open where its closing tag comes, which nothing else opens."""
    assert said_of(described, reply) == expected


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("<host>h</host>\n<setup><port>8</port></setup>", "$.host"),
        ("<a><host>h</host></a>\n<b><port>8</port></b>", "$.host"),
        ("<tags><li>a</li></tags>\n\n<setup><port>8</port></setup>", "$.tags"),
        ("<port>8</port>\n<setup><port>8</port></setup>", Setup(port=8).model_dump()),
        ("<port>9</port> or so. No:\n<setup><port>8</port></setup>", Setup(port=8).model_dump()),
        ("<think><host>h</host></think>\n<setup><port>8</port></setup>", Setup(port=8).model_dump()),
    ],
)
def test_a_part_of_an_answer_right_beside_it(reply: str, expected: Any) -> None:
    """What it says besides the answer is a problem; words between the two make it a draft."""
    assert said_of(Setup, reply) == expected


FIRST_PAMPHLET = "<pamphlet><title>A</title><score>4</score></pamphlet>"


@pytest.mark.parametrize(
    ("behind", "expected"),
    [
        ("Corrected:\n<pamphlet><title>B</title><score>7</score>", "$.title $.score"),
        ("Corrected:\n<pamphlet><title>A</title><score>many</score></pamphlet>", "$.score"),
        ("Final answer:\n<result><title>B</title><score>7</score></result>", "$.title $.score"),
        ("The form was:\n<pamphlet><title>...</title><score>...</score></pamphlet>", None),
        ("Again:\n<pamphlet><title>A</title><score>4</score><code>", None),
        ("I used <pamphlet></pamphlet> for it.", None),
        ("Score: 5", "$.score"),
        ("**Score:** 4", None),
        ("Score: I was thinking of 5 first", None),
        ("Title: A better one", None),
        ("User: and now?\nScore: 5", None),
        ('As JSON:\n```json\n{"title": "A", "score": 5}\n```', "$.score"),
        ('As JSON:\n```json\n{"title": "A", "score": 4}\n```', None),
    ],
)
def test_what_stands_behind_an_answer_may_correct_it(behind: str, expected: str | None) -> None:
    """A whole answer that fits less well, a line for a scalar, JSON: where they say otherwise, nobody knows."""
    found = said_of(Pamphlet, f"{FIRST_PAMPHLET}\n\n{behind}")
    assert found == ({"title": "A", "code": "", "score": 4} if expected is None else expected)


@pytest.mark.parametrize(
    ("behind", "expected"),
    [
        ("[1, 2]", [1]),
        ("Rather:\n[1, 2]", "$"),
        ("As JSON:\n```json\n[1, 2]\n```", "$"),
        ("See [1] and [2].", [1]),
        ("[1]: https://a.b", [1]),
    ],
)
def test_json_behind_a_list_may_correct_it(behind: str, expected: Any) -> None:
    """Behind words, on lines of its own: prose has brackets too."""
    assert said_of(list[int], f"<value_list><li>1</li></value_list>\n\n{behind}") == expected


def test_a_line_behind_an_answer_in_another_root_may_correct_it() -> None:
    """The closing tag of what holds the answer stands between the two."""
    assert said_of(Pamphlet, "<answer>\n<title>A</title>\n<score>3</score>\n</answer>\nScore: 4") == "$.score"


def test_an_empty_list_behind_a_list_may_correct_it() -> None:
    """On a line of its own; in a sentence it only names the tags."""
    assert said_of(list[int], "<value_list><li>1</li></value_list>\n\n<value_list></value_list>") == "$"
    assert said_of(list[int], "<value_list><li>1</li></value_list>\n\nIn <value_list></value_list>.") == [1]


@pytest.mark.parametrize(
    ("inner", "expected"),
    [
        ("<title>A</title><score>4</score>score: 5", "$.score"),
        ("<title>A</title><score>4</score>score: 4.0", {"title": "A", "code": "", "score": 4}),
        ("<title>A</title>Title: B\n<score>4</score>", {"title": "A", "code": "", "score": 4}),
        ("<titel>A</titel><titel>B</titel>", "$.title"),
        ("<titel>A</titel><titel>A</titel>", {"title": "A", "code": "", "score": 0}),
    ],
)
def test_a_second_value_inside_of_an_answer(inner: str, expected: Any) -> None:
    """By a line beside the elements, or under the same misspelt name."""
    assert said_of(Pamphlet, f"<pamphlet>{inner}</pamphlet>") == expected


@pytest.mark.parametrize(
    ("described", "reply", "expected"),
    [
        (list[int], "<value_list><li>3</li>\n<value_list><li>3</li><li>4</li></value_list>", "$"),
        (Setup, "<setup><tags><li>a</li><li>b\n\nGoing on:\n\n<tags><li>a</li><li>b</li></tags></setup>", "$.tags"),
        (Pamphlet, "<pamphlet><title>one tw<title>one two</title></pamphlet>", "$.title"),
        (Pamphlet, "<pamphlet><title>one\n\nGoing on:\n\n<title>one two</title></pamphlet>", "$.title"),
        (Pamphlet, "<pamphlet><title>a <title> b</title></pamphlet>", {"title": "a <title> b", "code": "", "score": 0}),
        (
            Pamphlet,
            "<pamphlet><title>a</title><code>b<\n(continued)\n/code></pamphlet>",
            {"title": "a", "code": "b", "score": 0},
        ),
        (
            Pamphlet,
            "<pamphlet><title>a</title><code>b</co\n(more)\nde></pamphlet>",
            {"title": "a", "code": "b", "score": 0},
        ),
    ],
)
def test_a_reply_that_broke_off_and_went_on(described: Any, reply: str, expected: Any) -> None:
    """What begins once more and is closed once is in doubt; a closing tag in two pieces ends its value."""
    assert said_of(described, reply) == expected


@pytest.mark.parametrize(
    ("described", "reply", "expected"),
    [
        (Pamphlet, "<pamphlet><title>a</title><code>goes\n</answer>", "$.code"),
        (
            Pamphlet,
            "<pamphlet><title>a</title><code>goes\n</answer></pamphlet>",
            {"title": "a", "code": "goes", "score": 0},
        ),
        (Pamphlet, "<answer><pamphlet><title>a</title><code>goes</answer>", {"title": "a", "code": "goes", "score": 0}),
        (str, "<value>\nfoo();\n</script>\n", "$"),
        (str, "<value>\nfoo();\n</valeu>\n", "foo();"),
        (list[int], "<value_list><li>3</li><li>4</li", "$"),
        (Setup, "<setup><host>h</host", "$"),
    ],
)
def test_an_end_that_tells_too_little(described: Any, reply: str, expected: Any) -> None:
    """A foreign closing tag with nothing closed around it, and a last tag without its bracket."""
    assert said_of(described, reply) == expected


def test_what_stands_around_an_answer_where_only_xml_counts() -> None:
    """Then nothing else corrects it."""
    read = StructuredResponse.from_basemodel(Pamphlet).parse(
        f'{FIRST_PAMPHLET}\n{{"title": "A", "score": 5}}', format="xml"
    )
    assert read.to_dict()["score"] == 4


def test_a_list_in_a_list_of_anything_is_no_wrapper() -> None:
    """What may be anything may be a list of its own."""
    response = StructuredResponse.from_type(dict[str, Any], "Values")
    inner = "<li type='bool'>false</li><li type='bool'>true</li>"
    reply = f"<values>\r\n<entry key='x' type='list'>\r\n<li type='list'>{inner}</li></entry></values>"
    assert response.parse(reply).to_dict() == {"x": [[False, True]]}


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        ("<code><code>\n</code><b>x</b>\n</code></code>", "</code><b>x</b>"),
        ("<code><code></code><b>x</b></code></code>", "</code><b>x</b>"),
        ("<code><code>```xml\n<code>\n```\nand</code></code>", "```xml\n<code>\n```\nand"),
        ("<code><code>use\n<code>\nfor it</code></code>", "use\n<code>\nfor it"),
    ],
)
def test_a_text_that_names_its_own_tag_in_a_root_of_that_name(reply: str, text: str) -> None:
    """A closing tag right behind which the definition goes on comes before one that has unknown elements behind it; a
    tag on a line of its own begins no text anew unless the same follows.
    """

    class Code(BaseModel):
        code: str

    response = StructuredResponse.from_basemodel(Code).parse(reply)
    assert response.to_dict() == {"code": text}


@pytest.mark.parametrize(
    "doubled",
    ["<li><li>1</li><li>2</li></li></li><li><li>3</li></li>", "<li><li>1</li><li>2</li></li><li><li>3</li></li></li>"],
)
def test_a_doubled_closing_tag_of_a_whole_group(doubled: str) -> None:
    """Nothing stands between the two, so nothing could belong elsewhere."""
    response = StructuredResponse.from_type(list[list[int]], "Rows").parse(f"<rows>{doubled}</rows>")
    assert response.to_dict() == [[1, 2], [3]]


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
