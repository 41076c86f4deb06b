"""The instance as XML, to the character, and such that reading it gives exactly the same data back."""

import json
import math
from datetime import date, timedelta
from decimal import Decimal
from enum import Enum
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field, create_model

from structured_response import ReplyError, StructuredResponse

Document = dict[str, Any]

INT = {"type": "int"}
STR = {"type": "str"}


class Colour(Enum):
    RED = "red"
    TWO = 2


class Step(BaseModel):
    what: str
    minutes: int = 5


class Recipe(BaseModel):
    title: str
    servings: int | None
    colour: Colour
    main_step: Step
    steps: list[Step]
    weights: list[float]
    rows: list[list[int]]
    vegan: bool
    day: date
    price: Decimal
    note: str | None = None
    unit: str = Field(default="g")


FULL = Recipe(
    title="R&D <soup>",
    servings=None,
    colour=Colour.TWO,
    main_step=Step(what="cook", minutes=1),
    steps=[Step(what="a"), Step(what="b")],
    weights=[1.0, 2.5, 1e22],
    rows=[[1, 2], []],
    vegan=False,
    day=date(2020, 1, 2),
    price=Decimal("1.50"),
)

WRITTEN = """\
<recipe>
    <title>R&amp;D &lt;soup></title>
    <servings type='null'/>
    <colour>2</colour>
    <main_step>
        <what>cook</what>
        <minutes>1</minutes>
    </main_step>
    <steps>
        <li>
            <what>a</what>
            <minutes>5</minutes>
        </li>
        <li>
            <what>b</what>
            <minutes>5</minutes>
        </li>
    </steps>
    <weights>
        <li>1.0</li>
        <li>2.5</li>
        <li>1e+22</li>
    </weights>
    <rows>
        <li>
            <li>1</li>
            <li>2</li>
        </li>
        <li></li>
    </rows>
    <vegan>false</vegan>
    <day>2020-01-02</day>
    <price>1.50</price>
    <note type='null'/>
    <unit>g</unit>
</recipe>"""


def test_whole_instance_to_the_character() -> None:
    """An instance with everything in it is written exactly so, and reads back as the same model."""
    response = StructuredResponse.from_basemodel(FULL)
    assert str(response) == WRITTEN
    again = response.parse(WRITTEN)
    assert again.repairs == []
    assert again == response
    assert again.to_basemodel() == FULL


def test_instance_of_the_contract(shared: Path) -> None:
    """The worked example's data is written as its text, to the character, and comes back from it."""
    namespace: dict[str, Any] = {}
    exec((shared / "contract/weather.py").read_text(), namespace)
    data = json.loads((shared / "contract/instance.json").read_text())
    expected = (shared / "contract/str.xml").read_text().rstrip("\n")
    response = StructuredResponse.from_basemodel(namespace["WeatherPrognosis"].model_validate(data))
    assert str(response) == expected
    assert response.parse(expected).instance == data


def holding(document: Document, data: Any) -> StructuredResponse[Any]:
    """A response with a definition and data, put there as a store would."""
    empty = StructuredResponse.from_definition("M", document)
    text = json.dumps({**json.loads(empty.serialize()), "instance": data}, ensure_ascii=False)
    return StructuredResponse.deserialize(text)


def inner(document: Document, data: Any) -> str:
    """What is written between the root's tags, without its indentation."""
    first, *lines, last = str(holding(document, data)).split("\n")
    assert (first, last) == ("<m>", "</m>")
    return "\n".join(line.removeprefix("    ") for line in lines)


def assert_comes_back(document: Document, data: Any) -> None:
    """Reads what is written and compares data and records."""
    response = holding(document, data)
    again = response.parse(str(response))
    assert again.to_dict() == data
    assert again.repairs == []
    assert again.problems == []


LIST = {"type": "list", "elements": "int"}
PAIR = {"type": "dict", "elements": {"x": {**INT, "required": False}}}

VALUES: list[tuple[Document, Any, str]] = [
    # numbers and truth
    (INT, 0, "<a>0</a>"),
    (INT, -5, "<a>-5</a>"),
    (INT, 2**63 - 1, "<a>9223372036854775807</a>"),
    ({"type": "float"}, 1.0, "<a>1.0</a>"),
    ({"type": "float"}, -0.0, "<a>-0.0</a>"),
    ({"type": "float"}, 1e-7, "<a>1e-07</a>"),
    ({"type": "float"}, 0.1, "<a>0.1</a>"),
    ({"type": "bool"}, True, "<a>true</a>"),
    ({"type": "bool"}, False, "<a>false</a>"),
    # scalars that are held as text
    ({"type": "date"}, "2020-01-02", "<a>2020-01-02</a>"),
    ({"type": "duration"}, "-P1DT2H", "<a>-P1DT2H</a>"),
    ({"type": "decimal"}, "1.50", "<a>1.50</a>"),
    # enums
    ({"type": "enum", "choices": ["x", 1, True]}, "x", "<a>x</a>"),
    ({"type": "enum", "choices": ["x", 1, 2.5]}, 1, "<a>1</a>"),
    ({"type": "enum", "choices": ["x", 1, 2.5]}, 2.5, "<a>2.5</a>"),
    ({"type": "enum", "choices": ["x", False]}, False, "<a>false</a>"),
    ({"type": "enum", "choices": ["a <b> & c"]}, "a <b> & c", "<a>a &lt;b> &amp; c</a>"),
    # null
    (INT, None, "<a type='null'/>"),
    (STR, None, "<a type='null'/>"),
    (LIST, None, "<a type='null'/>"),
    (PAIR, None, "<a type='null'/>"),
    # lists and objects
    (LIST, [], "<a></a>"),
    (LIST, [1, None], "<a>\n    <li>1</li>\n    <li type='null'/>\n</a>"),
    (
        {"type": "list", "elements": LIST},
        [[], [1]],
        "<a>\n    <li></li>\n    <li>\n        <li>1</li>\n    </li>\n</a>",
    ),
    (
        {"type": "list", "elements": {"x": INT}},
        [{"x": 1}],
        "<a>\n    <li>\n        <x>1</x>\n    </li>\n</a>",
    ),
    ({"type": "list", "elements": {"type": "enum", "choices": ["u"]}}, ["u"], "<a>\n    <li>u</li>\n</a>"),
    (PAIR, {"x": 1}, "<a>\n    <x>1</x>\n</a>"),
    (PAIR, {}, "<a></a>"),
    ({"type": "map", "elements": "int"}, {"k'": 1}, '<a>\n    <entry key="k\'">1</entry>\n</a>'),
    ({"type": "tuple", "elements": ["int", "str"]}, [1, "x"], "<a>\n    <li>1</li>\n    <li>x</li>\n</a>"),
]


@pytest.mark.parametrize(("node", "value", "expected"), VALUES, ids=[f"{row[0]['type']}-{row[1]}" for row in VALUES])
def test_value_is_written_and_comes_back(node: Document, value: Any, expected: str) -> None:
    """Every kind of value has one spelling, which reads back as the value."""
    assert inner({"a": node}, {"a": value}) == expected
    assert_comes_back({"a": node}, {"a": value})


STRINGS = [
    ("plain", "plain"),
    ('it\'s "so"', 'it\'s "so"'),
    ("a < b > c & d", "a &lt; b > c &amp; d"),
    ("<b>x</b>", "&lt;b>x&lt;/b>"),
    ("&amp; &#32;", "&amp;amp; &amp;#32;"),
    ("<![CDATA[x]]>", "&lt;![CDATA[x]]&gt;"),
    ("<!-- x -->", "&lt;!-- x -->"),
    ("日本 é 😀", "日本 é 😀"),
    # white space at the edges would be laid out
    (" x", "&#32;x"),
    ("x ", "x&#32;"),
    ("\tx\t", "&#9;x&#9;"),
    ("\nx\n", "&#10;x&#10;"),
    (" ", "&#32;"),
    ("\n", "&#10;"),
    ("  ", "&#32;&#32;"),
    ("a\n  b\n  c", "a\n  b\n  c"),
    ("a\n\n", "a\n&#10;"),
    ("\u00a0x\u2003", "\u00a0x\u2003"),
    # line ends would become line feeds
    ("a\r\nb", "a&#13;\nb"),
    ("a\rb", "a&#13;b"),
    # XML 1.0 has no word for these
    ("a\x00b", "a&#0;b"),
    ("\x1b[0m", "&#27;[0m"),
    ("\ufffe\uffff", "&#65534;&#65535;"),
    # a leniency of the reader would take these for something else
    ("```x```", "&#96;``x```"),
    ("~~~\nx\n~~~", "&#126;~~\nx\n~~~"),
    ("[value here - as a string]", "&#91;value here - as a string]"),
    ("[the same elements as in a]", "&#91;the same elements as in a]"),
    ("null", "&#110;ull"),
    ("None", "&#78;one"),
    ("N/A", "&#78;/A"),
    ("nullable", "nullable"),
    ("`x`", "`x`"),
]


@pytest.mark.parametrize(("text", "expected"), STRINGS)
@pytest.mark.parametrize("place", ["field", "item", "entry"])
def test_string_is_escaped_where_it_would_be_touched(place: str, text: str, expected: str) -> None:
    """A character that the reader would touch is written as a reference; all others stand as they are."""
    forms: dict[str, tuple[Document, Any, str]] = {
        "field": (STR, text, f"<a>{expected}</a>"),
        "item": ({"type": "list", "elements": "str"}, [text], f"<li>{expected}</li>"),
        "entry": ({"type": "map", "elements": "str"}, {"k": text}, f"<entry key='k'>{expected}</entry>"),
    }
    node, value, element = forms[place]
    assert element in inner({"a": node}, {"a": value})
    assert_comes_back({"a": node}, {"a": value})


@pytest.mark.parametrize("kind", [str, str | None])
def test_empty_string_comes_back(kind: Any) -> None:
    """An empty string is marked where null would be read, and nowhere else."""
    filled = create_model("M", a=(kind, ...))(a="")
    response = StructuredResponse.from_basemodel(filled)
    mark = "" if kind is str else " type='str'"
    assert str(response) == f"<m>\n    <a{mark}></a>\n</m>"
    assert response.parse(str(response)).to_basemodel() == filled


class Blank(Enum):
    NONE = ""
    SOME = "some"


EMPTY: list[tuple[Any, Any]] = [
    (bytes, b""),
    (bytes | None, b""),
    (Blank, Blank.NONE),
    (Blank | None, Blank.NONE),
    (list[Blank], [Blank.NONE, Blank.SOME]),
    (list[bytes], [b"", b"x"]),
    (list[str | None], ["", None]),
]


@pytest.mark.parametrize(("kind", "value"), EMPTY)
def test_empty_value_comes_back(kind: Any, value: Any) -> None:
    """A value that is written as no text at all is not taken for a missing one."""
    filled = create_model("M", a=(kind, ...))(a=value)
    response = StructuredResponse.from_basemodel(filled)
    again = response.parse(str(response))
    assert again.to_basemodel() == filled
    assert again.repairs == []


FLOATS = [(math.inf, "Infinity"), (-math.inf, "-Infinity"), (math.nan, "NaN")]


@pytest.mark.parametrize(("value", "text"), FLOATS)
def test_float_that_json_cannot_hold(value: float, text: str) -> None:
    """Infinities and NaN have words."""
    response = StructuredResponse.from_basemodel(create_model("M", a=(float, ...))(a=value))
    assert str(response) == f"<m>\n    <a>{text}</a>\n</m>"
    assert str(response.parse(str(response)).instance.a) == str(value)


@pytest.mark.parametrize("value", [10**30, -(10**30)])
def test_large_integer_comes_back(value: int) -> None:
    """An integer past 64 bits keeps all its digits."""
    response = StructuredResponse.from_basemodel(create_model("M", a=(int, ...))(a=value))
    assert str(response) == f"<m>\n    <a>{value}</a>\n</m>"
    assert response.parse(str(response)).instance.a == value


@pytest.mark.parametrize("value", [timedelta(days=-1), timedelta(microseconds=1), timedelta(0)])
def test_duration_comes_back(value: timedelta) -> None:
    """Durations are written in ISO's form, negative ones too."""
    filled = create_model("M", a=(timedelta, ...))(a=value)
    response = StructuredResponse.from_basemodel(filled)
    assert response.parse(str(response)).to_basemodel() == filled


@pytest.mark.parametrize("value", [b"x", b"ab&<", b" a\n", "é".encode(), b"null", b"\x00\xff"])
def test_bytes_come_back(value: bytes) -> None:
    """Bytes come back whatever they are, also those that are no text."""
    filled = create_model("M", a=(bytes, ...), b=(bytes | None, ...))(a=value, b=value)
    response = StructuredResponse.from_basemodel(filled)
    again = response.parse(str(response))
    assert again.to_basemodel() == filled
    assert again.repairs == []


KEYS = [
    *("x", "a b", "a\tb", "a\nb", "a\rb", "'", '"', "'\"", "<&>", "&amp;", " ", "é", "]]>", "li", "1"),
    *("[key here - as a string]", "[value here - as a string]", "[", "none"),
]


@pytest.mark.parametrize("key", KEYS)
def test_key_comes_back(key: str) -> None:
    """A map's keys and names that are no XML names are attributes, and come back to the character."""
    assert_comes_back({"a": {"type": "map", "elements": "str"}}, {"a": {key: "v", "other": "w"}})
    assert_comes_back({key: STR}, {key: "v"})


def test_a_key_that_is_the_placeholder_is_told_from_one_that_was_left_over() -> None:
    """A key is data however it looks; as the prompt writes it, it stands for one that nobody gave."""
    response = StructuredResponse.from_type(dict[str, int], name="M")
    written = str(response.from_dict({"[key here - as a string]": 1}))
    assert written == "<m>\n    <entry key='&#91;key here - as a string]'>1</entry>\n</m>"
    with pytest.raises(ReplyError, match="invalid key: still the prompt's placeholder"):
        response.parse(written.replace("&#91;", "["))


def test_fields_stand_in_the_order_of_the_definition() -> None:
    """However the reply was ordered, the text is in the definition's order."""
    response = StructuredResponse.from_definition("M", {"a": INT, "b": INT})
    assert str(response.parse("<m><b>2</b><a>1</a></m>")) == "<m>\n    <a>1</a>\n    <b>2</b>\n</m>"


def test_absent_fields_are_left_out() -> None:
    """A field that the reply left out is not written, until something is assigned to it."""
    response = StructuredResponse.from_basemodel(Step).parse("<step><what>x</what></step>")
    assert str(response) == "<step>\n    <what>x</what>\n</step>"
    assert response.instance.minutes == 5
    assert str(response) == "<step>\n    <what>x</what>\n</step>"
    response.instance.minutes = 7
    assert str(response) == "<step>\n    <what>x</what>\n    <minutes>7</minutes>\n</step>"


def test_assignments_are_written() -> None:
    """What is assigned through the instance shows in the text."""
    response = StructuredResponse.from_basemodel(FULL)
    response.instance.main_step.what = " <x> "
    response.instance.weights.append(3.0)
    written = str(response)
    assert "<what>&#32;&lt;x>&#32;</what>" in written
    assert "<li>3.0</li>" in written


def test_nothing_is_written_as_nothing() -> None:
    """Before anything was read, the text is empty."""
    assert str(StructuredResponse.from_basemodel(Recipe)) == ""


def test_roots_that_are_no_objects() -> None:
    """A list or a scalar as the whole is written right in the root."""
    assert str(holding(LIST, [1, 2])) == "<m>\n    <li>1</li>\n    <li>2</li>\n</m>"
    assert str(holding(LIST, [])) == "<m></m>"
    assert str(holding(INT, 3)) == "<m>3</m>"


SCALAR_VALUES = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
TRICKY = st.lists(
    st.sampled_from([" ", "\n", "\t", "\r", "<", ">", "&", "]]>", "&#10;", "<a>", "</a>", "```", "null", "x", "\x00"]),
    max_size=8,
).map("".join)


@given(st.one_of(SCALAR_VALUES, TRICKY), st.one_of(SCALAR_VALUES, TRICKY))
def test_any_text_comes_back(text: str, other: str) -> None:
    """Any text at all is written such that it reads back as it was, on no record."""
    document = {
        "a": STR,
        "l": {"type": "list", "elements": "str"},
        "o": {"type": "dict", "elements": {"x": STR}},
    }
    assert_comes_back(document, {"a": text, "l": [other, text], "o": {"x": other}})


@given(st.one_of(SCALAR_VALUES, TRICKY))
def test_any_text_comes_back_where_null_is_allowed(text: str) -> None:
    """A text that may be null is never taken for null."""
    kind: Any = str | None
    filled = create_model("M", a=(kind, ...), b=(kind, None))(a=text, b=text)
    response = StructuredResponse.from_basemodel(filled)
    assert response.parse(str(response)).to_basemodel() == filled


@given(st.floats(allow_nan=False), st.integers(), st.booleans())
def test_any_number_comes_back(part: float, whole: int, truth: bool) -> None:
    """Numbers keep every bit."""
    filled = create_model("M", p=(float, ...), w=(int, ...), t=(bool, ...))(p=part, w=whole, t=truth)
    response = StructuredResponse.from_basemodel(filled)
    again = response.parse(str(response)).to_basemodel()
    assert again == filled
    assert again.model_dump_json() == filled.model_dump_json()
