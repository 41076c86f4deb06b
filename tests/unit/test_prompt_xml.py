"""The prompt, to the character: one test for every rule of how a definition becomes text."""

import json
import re
from enum import Enum
from pathlib import Path
from typing import Annotated, Any, Literal, Optional, Self

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from pydantic import BaseModel, ConfigDict, Field, RootModel, create_model

from structured_response import ReplyError, StructuredResponse

Document = dict[str, Any]

INT = {"type": "int"}
STR = {"type": "str"}


def prompt(document: Document, name: str = "M") -> str:
    """The prompt of a definition."""
    return StructuredResponse.from_definition(name, document).to_prompt()


def body(document: Document) -> str:
    """What stands between the tags of a definition's root, without its indentation."""
    first, *lines, last = prompt(document).split("\n")
    assert (first, last) == ("<m>", "</m>")
    assert all(line.startswith("    ") for line in lines)
    return "\n".join(line[4:] for line in lines)


# The worked example, in a world of its own: every rule of the prompt in one piece.


class Doneness(Enum):
    RARE = "rare"
    MEDIUM = "medium"
    WELL = "well done"


class Step(BaseModel):
    what: str = Field(description="What to do, with <b>tools</b> & times")
    minutes: int = Field(description="How long it takes", ge=1, lt=600)


class Recipe(BaseModel):
    title: str = Field(description="The dish's name")
    servings: int
    doneness: Doneness = Field(description="How it should be, where rare is 50 and well done is 70 degrees")
    main_step: Step = Field(description="The cook's main step")
    steps: list[Step] | None = Field(description='All steps, the "main" one too')
    weights: list[float] = Field(description="Weights in grams", min_length=1)
    rating: float = Field(description="From 0 to 5", ge=0, le=5)
    vegan: bool = False
    code: str = Field(pattern="^[A-Z]'?$", max_length=3)
    grades: list[list[Literal["a", 1]]]


RECIPE = """\
<recipe>
    <title type='str'>[The dish's name - as a string]</title>
    <servings type='int'>[value here - as an int]</servings>
    <doneness type='enum' choices='["rare", "medium", "well done"]'>\
[How it should be, where rare is 50 and well done is 70 degrees - as an enum]</doneness>
    <main_step type='dict' description="The cook's main step">
        <what type='str'>[What to do, with &lt;b>tools&lt;/b> &amp; times - as a string]</what>
        <minutes type='int' greater_or_equal='1' less_than='600'>[How long it takes - as an int]</minutes>
    </main_step>
    <steps type='list' elements='dict' description='All steps, the "main" one too'>
        <li index='0'>
            <what type='str'>[What to do, with &lt;b>tools&lt;/b> &amp; times - as a string]</what>
            <minutes type='int' greater_or_equal='1' less_than='600'>[How long it takes - as an int]</minutes>
        </li>
        ...
    </steps>
    <weights type='list' elements='float' description='Weights in grams' min_length='1'>
        <li index='0'>
            [value here - as a float]
        </li>
        ...
    </weights>
    <rating type='float' greater_or_equal='0' less_or_equal='5'>[From 0 to 5 - as a float]</rating>
    <vegan type='bool' required='false'>[value here - as a bool]</vegan>
    <code type='str' max_length='3' pattern="^[A-Z]'?$">[value here - as a string]</code>
    <grades type='list' elements='list'>
        <li index='0' elements='enum'>
            <li index='0' choices='["a", 1]'>
                [value here - as an enum]
            </li>
            ...
        </li>
        ...
    </grades>
</recipe>"""


def test_whole_prompt_to_the_character() -> None:
    """A model with everything in it gives exactly this text."""
    assert StructuredResponse.from_basemodel(Recipe).to_prompt() == RECIPE


def test_prompt_of_the_contract(shared: Path) -> None:
    """The worked example's models give its prompt, to the character."""
    namespace: dict[str, Any] = {}
    exec((shared / "contract/weather.py").read_text(), namespace)
    expected = (shared / "contract/prompt.xml").read_text().rstrip("\n")
    assert StructuredResponse.from_basemodel(namespace["WeatherPrognosis"]).to_prompt() == expected


def test_prompt_of_the_contracts_definition(shared: Path) -> None:
    """The worked example's definition gives its prompt without any model."""
    document = json.loads((shared / "contract/definition.json").read_text())
    expected = (shared / "contract/prompt.xml").read_text().rstrip("\n")
    assert prompt(document, "WeatherPrognosis") == expected


@pytest.mark.parametrize(
    ("name", "root"),
    [
        ("WeatherPrognosis", "weather_prognosis"),
        ("HTTPServer", "http_server"),
        ("Page[int]", "page_int"),
        ("1st", "_1st"),
        ("Größe", "größe"),
    ],
)
def test_root_is_the_class_name_in_snake_case(name: str, root: str) -> None:
    """The root element is called as the class is, in snake case."""
    assert prompt({}, name) == f"<{root}>\n</{root}>"


SCALARS = [
    ("str", "a string"),
    ("int", "an int"),
    ("float", "a float"),
    ("bool", "a bool"),
]


@pytest.mark.parametrize(("kind", "article"), SCALARS)
def test_text_of_a_scalar(kind: str, article: str) -> None:
    """A scalar's text is its description and its type in brackets; without a description, `value here`."""
    assert body({"a": {"type": kind, "description": "The way"}}) == f"<a type='{kind}'>[The way - as {article}]</a>"
    assert body({"a": {"type": kind}}) == f"<a type='{kind}'>[value here - as {article}]</a>"


def test_text_of_an_enum() -> None:
    """An enum is described like any scalar."""
    enum = {"type": "enum", "choices": ["x"]}
    assert body({"a": {**enum, "description": "d"}}) == "<a type='enum' choices='[\"x\"]'>[d - as an enum]</a>"
    assert body({"a": enum}) == "<a type='enum' choices='[\"x\"]'>[value here - as an enum]</a>"


@pytest.mark.parametrize("kind", ["date", "time", "datetime", "duration", "decimal", "uuid", "bytes", "any"])
def test_every_scalar_has_a_text(kind: str) -> None:
    """Scalars past the basic ones are described in the same form, on one line."""
    text = body({"a": {"type": kind, "description": "d"}})
    assert text.startswith(f"<a type='{kind}'>[d - as ")
    assert text.endswith("]</a>")
    assert "\n" not in text


DESCRIPTIONS = [
    ("it's", "it's"),
    ('the "best"', 'the "best"'),
    ("<b> & </b>", "&lt;b> &amp; &lt;/b>"),
    ("&lt;", "&amp;lt;"),
    ("[x]", "[x]"),
    ("Größe 日本 😀", "Größe 日本 😀"),
    ("one\ntwo", "one\ntwo"),
    ("a > b", "a > b"),
    ("{x} %s \\", "{x} %s \\"),
]


@pytest.mark.parametrize(("description", "text"), DESCRIPTIONS)
def test_description_as_text(description: str, text: str) -> None:
    """In a scalar's text, markup in a description is escaped and all else stands as it is."""
    made = prompt({"a": {"type": "str", "description": description}})
    assert made == f"<m>\n    <a type='str'>[{text} - as a string]</a>\n</m>"


ATTRIBUTES = [
    ("plain", "'plain'"),
    ("", "''"),
    ("it's", '"it\'s"'),
    ('the "best"', "'the \"best\"'"),
    ("both ' and \"", '"both \' and &quot;"'),
    ("<b> & </b>", "'&lt;b> &amp; &lt;/b>'"),
    ("&lt;", "'&amp;lt;'"),
    ("it's <&>", '"it\'s &lt;&amp;>"'),
    ("one\ntwo", "'one&#10;two'"),
    ("one\r\ntwo", "'one&#13;&#10;two'"),
    ('it\'s\n"so"', '"it\'s&#10;&quot;so&quot;"'),
    ("Größe 日本 😀", "'Größe 日本 😀'"),
]


@pytest.mark.parametrize(("description", "spelt"), ATTRIBUTES)
def test_description_as_an_attribute(description: str, spelt: str) -> None:
    """Attributes stand in single quotes, in double ones around a single one; nothing inside ends them."""
    document = {"a": {"type": "dict", "description": description, "elements": {"x": INT}}}
    assert body(document) == (
        f"<a type='dict' description={spelt}>\n    <x type='int'>[value here - as an int]</x>\n</a>"
    )


def test_attributes_have_one_order() -> None:
    """Type, then elements or choices, description, `required`, and the constraints in theirs."""
    node = {
        "type": "list",
        "max_length": 9,
        "min_length": 1,
        "required": False,
        "description": "d",
        "elements": {
            "n": {
                **INT,
                "multiple_of": 2,
                "lt": 9,
                "le": 8,
                "gt": 1,
                "ge": 2,
                "required": False,
                "description": "d",
            },
            "s": {**STR, "pattern": "p", "max_length": 9, "min_length": 1},
            "e": {"type": "enum", "required": False, "choices": ["x"]},
        },
    }
    assert body({"a": node}).split("\n") == [
        "<a type='list' elements='dict' description='d' required='false' min_length='1' max_length='9'>",
        "    <li index='0'>",
        (
            "        <n type='int' required='false' greater_or_equal='2' greater_than='1' less_or_equal='8'"
            " less_than='9' multiple_of='2'>[d - as an int]</n>"
        ),
        "        <s type='str' min_length='1' max_length='9' pattern='p'>[value here - as a string]</s>",
        "        <e type='enum' choices='[\"x\"]' required='false'>[value here - as an enum]</e>",
        "    </li>",
        "    ...",
        "</a>",
    ]


CONSTRAINTS: list[tuple[Document, str]] = [
    ({**INT, "ge": -20}, "type='int' greater_or_equal='-20'"),
    ({"type": "float", "gt": 0.5}, "type='float' greater_than='0.5'"),
    ({**INT, "le": 60}, "type='int' less_or_equal='60'"),
    ({**INT, "lt": 10**30}, f"type='int' less_than='{10**30}'"),
    ({"type": "float", "multiple_of": 0.01}, "type='float' multiple_of='0.01'"),
    ({**STR, "min_length": 0}, "type='str' min_length='0'"),
    ({**STR, "max_length": 5}, "type='str' max_length='5'"),
    ({**STR, "pattern": "^\\d{2}$"}, "type='str' pattern='^\\d{2}$'"),
    ({**STR, "pattern": "['\"<&]"}, "type='str' pattern=\"['&quot;&lt;&amp;]\""),
    ({"type": "date", "ge": "2020-01-01"}, "type='date' greater_or_equal='2020-01-01'"),
    ({"type": "decimal", "le": "1.50"}, "type='decimal' less_or_equal='1.50'"),
]


@pytest.mark.parametrize(("node", "attributes"), CONSTRAINTS, ids=[str(row[0]) for row in CONSTRAINTS])
def test_constraint_is_spelt_out(node: Document, attributes: str) -> None:
    """Constraints stand under words that a reader understands, values as they are."""
    assert body({"a": node}).startswith(f"<a {attributes}>[")


CHOICES: list[tuple[list[Any], str]] = [
    (["low", "medium"], '\'["low", "medium"]\''),
    (["a"], "'[\"a\"]'"),
    ([1, 2], "'[1, 2]'"),
    (["x", 1, 2.5, True, False], "'[\"x\", 1, 2.5, true, false]'"),
    (["é", "日本", "😀"], '\'["é", "日本", "😀"]\''),
    (["it's"], '"[&quot;it\'s&quot;]"'),
    (['say "x"'], '\'["say \\"x\\""]\''),
    (["<b>", "a & b"], '\'["&lt;b>", "a &amp; b"]\''),
    (["two\nlines"], "'[\"two\\nlines\"]'"),
    (["", " "], '\'["", " "]\''),
    ([2**70], f"'[{2**70}]'"),
]


@pytest.mark.parametrize(("choices", "spelt"), CHOICES, ids=[str(row[0]) for row in CHOICES])
def test_choices_are_json(choices: list[Any], spelt: str) -> None:
    """Choices are one JSON list, not ASCII-escaped, in quotes that suit it."""
    node = {"type": "enum", "choices": choices}
    assert body({"a": node}) == f"<a type='enum' choices={spelt}>[value here - as an enum]</a>"


@pytest.mark.parametrize("kind", ["str", "int", "float", "bool"])
def test_list_of_scalars(kind: str) -> None:
    """A list shows one numbered item, a scalar's text on a line of its own, and three dots."""
    article = dict(SCALARS)[kind]
    assert body({"a": {"type": "list", "elements": kind}}).split("\n") == [
        f"<a type='list' elements='{kind}'>",
        "    <li index='0'>",
        f"        [value here - as {article}]",
        "    </li>",
        "    ...",
        "</a>",
    ]


def test_list_of_objects() -> None:
    """Objects in a list stand right in the item, without their class's tag."""
    assert body({"a": {"type": "list", "elements": {"x": INT, "y": STR}}}).split("\n") == [
        "<a type='list' elements='dict'>",
        "    <li index='0'>",
        "        <x type='int'>[value here - as an int]</x>",
        "        <y type='str'>[value here - as a string]</y>",
        "    </li>",
        "    ...",
        "</a>",
    ]


def test_list_of_enums() -> None:
    """What items may be stands at the item."""
    node = {"type": "list", "elements": {"type": "enum", "choices": ["x", 1]}}
    assert body({"a": node}).split("\n") == [
        "<a type='list' elements='enum'>",
        "    <li index='0' choices='[\"x\", 1]'>",
        "        [value here - as an enum]",
        "    </li>",
        "    ...",
        "</a>",
    ]


def test_list_of_lists() -> None:
    """A list in a list shows its own item and its own dots."""
    inner = {"type": "list", "elements": "int", "description": "row", "max_length": 3}
    assert body({"a": {"type": "list", "elements": inner}}).split("\n") == [
        "<a type='list' elements='list'>",
        "    <li index='0' elements='int' description='row' max_length='3'>",
        "        <li index='0'>",
        "            [value here - as an int]",
        "        </li>",
        "        ...",
        "    </li>",
        "    ...",
        "</a>",
    ]


def test_items_that_say_more() -> None:
    """An item's own description and constraints stand at the item."""
    node = {"type": "list", "elements": {**INT, "description": "one", "ge": 1}}
    assert body({"a": node}).split("\n") == [
        "<a type='list' elements='int'>",
        "    <li index='0' greater_or_equal='1'>",
        "        [one - as an int]",
        "    </li>",
        "    ...",
        "</a>",
    ]


def test_list_as_the_whole() -> None:
    """A definition that is a node has its attributes at the root."""
    assert prompt({"type": "list", "elements": "int", "description": "d"}, "IntList").split("\n") == [
        "<int_list type='list' elements='int' description='d'>",
        "    <li index='0'>",
        "        [value here - as an int]",
        "    </li>",
        "    ...",
        "</int_list>",
    ]


def test_nested_model_stands_under_its_fields_name() -> None:
    """An object is called as its field is, not as its class."""
    inner = {"type": "dict", "elements": {"x": INT}}
    outer = {"type": "dict", "description": "d", "elements": {"inner": inner}}
    assert body({"outer": outer}).split("\n") == [
        "<outer type='dict' description='d'>",
        "    <inner type='dict'>",
        "        <x type='int'>[value here - as an int]</x>",
        "    </inner>",
        "</outer>",
    ]


def test_object_without_fields() -> None:
    """An object with no fields has nothing between its tags."""
    assert body({"a": {"type": "dict", "elements": {}}}) == "<a type='dict'>\n</a>"


OPTIONAL: list[tuple[Any, Any]] = [
    (int | None, int),
    (Optional[list[int]], list[int]),  # noqa: UP045 - the older spelling counts too
    (list[int | None], list[int]),
    (Doneness | None, Doneness),
    (Step | None, Step),
    (Literal["a"] | None, Literal["a"]),
]


@pytest.mark.parametrize(("optional", "plain"), OPTIONAL, ids=[str(row[0]) for row in OPTIONAL])
def test_optional_is_ignored(optional: Any, plain: Any) -> None:
    """That a value may be None leaves no mark."""
    of_optional = StructuredResponse.from_basemodel(create_model("M", a=(optional, ...)))
    of_plain = StructuredResponse.from_basemodel(create_model("M", a=(plain, ...)))
    assert of_optional.to_prompt() == of_plain.to_prompt()


@pytest.mark.parametrize("default", [0, None])
def test_field_with_a_default_is_not_required(default: Any) -> None:
    """A default is said with `required='false'`; what it is stays unsaid."""
    kind: Any = int | None
    response = StructuredResponse.from_basemodel(create_model("M", a=(kind, default), b=(kind, ...)))
    assert response.to_prompt().split("\n")[1:3] == [
        "    <a type='int' required='false'>[value here - as an int]</a>",
        "    <b type='int'>[value here - as an int]</b>",
    ]


KEYS: list[tuple[Any, str]] = [
    (str, "[key here - as a string]"),
    (int, "[key here - as an int]"),
    (Literal["a", "it's"], '"[key here - as one of &quot;a&quot;, &quot;it\'s&quot;]"'),
    (Annotated[int, Field(ge=1, le=5)], "[key here - as an int (greater_or_equal 1, less_or_equal 5)]"),
    (Annotated[str, Field(description="A word", pattern="^a")], "[A word - as a string (pattern ^a)]"),
]


@pytest.mark.parametrize(("kind", "shown"), KEYS, ids=[str(row[0]) for row in KEYS])
def test_keys_of_a_map_say_all_there_is_to_them(kind: Any, shown: str) -> None:
    """Choices and constraints stand with the kind, since the attributes are those of the values."""
    response = StructuredResponse.from_basemodel(create_model("M", a=(dict[kind, int], ...)))
    quoted = shown if shown.startswith('"') else f"'{shown}'"
    assert response.to_prompt().split("\n")[2] == f"        <entry key={quoted}>"


UNIONS: list[tuple[Any, str]] = [
    (int | str, "an int or a string"),
    (
        Annotated[int, Field(ge=0)] | Annotated[str, Field(max_length=5)],
        "an int (greater_or_equal 0) or a string (max_length 5)",
    ),
    (
        Literal["a"] | Annotated[int, Field(description="In years", lt=9)],
        'one of "a" or an int (In years, less_than 9)',
    ),
]


@pytest.mark.parametrize(("kind", "shown"), UNIONS, ids=[row[1] for row in UNIONS])
def test_scalars_of_a_union_say_all_there_is_to_them(kind: Any, shown: str) -> None:
    """What is said of one option only stands with that option."""
    response = StructuredResponse.from_basemodel(create_model("M", a=(kind, ...)))
    assert f">[value here - as {shown}]<" in response.to_prompt()


NOT_XML_NAMES = [
    ("a b", "'a b'"),
    ("1", "'1'"),
    ("a:b", "'a:b'"),
    ("<x>", "'&lt;x>'"),
    ("o'clock", '"o\'clock"'),
    ("a&b", "'a&amp;b'"),
    ("a\nb", "'a&#10;b'"),
]


@pytest.mark.parametrize(("name", "key"), NOT_XML_NAMES)
def test_name_that_is_no_xml_name_is_a_key(name: str, key: str) -> None:
    """A field that no element can be called after is an entry with the name as its key."""
    assert body({name: INT}) == f"<entry key={key} type='int'>[value here - as an int]</entry>"
    assert body({name: {"type": "dict", "elements": {"x": INT}}}).split("\n") == [
        f"<entry key={key} type='dict'>",
        "    <x type='int'>[value here - as an int]</x>",
        "</entry>",
    ]


@pytest.mark.parametrize("name", ["a", "a-b", "a.b", "_", "é", "日本", "class", "li", "entry"])
def test_name_that_is_an_xml_name_is_an_element(name: str) -> None:
    """Any name that XML allows is an element's."""
    assert body({name: INT}) == f"<{name} type='int'>[value here - as an int]</{name}>"


class Person(BaseModel):
    name: str
    children: list["Person"]
    parent: Optional["Person"] = Field(description="the parent")


def test_recursive_place_names_what_it_repeats() -> None:
    """Where a shape comes again, the element that showed it is named."""
    assert StructuredResponse.from_basemodel(Person).to_prompt().split("\n") == [
        "<person>",
        "    <name type='str'>[value here - as a string]</name>",
        "    <children type='list' elements='dict'>",
        "        <li index='0'>[the same elements as in person]</li>",
        "        ...",
        "    </children>",
        "    <parent type='dict' description='the parent'>[the same elements as in person]</parent>",
        "</person>",
    ]


class Meta(BaseModel):
    """Whatever a client wants to keep beside the data, under names of its own: one of those is reserved."""

    model_config = ConfigDict(extra="allow")


class Leaf(BaseModel):
    meta: Meta
    span: tuple[int, int, int, int, int, int]


class Bough(BaseModel):
    meta: dict[str, int]
    span: tuple[int, int, int, int, int, int]
    bough: Optional["Bough"]
    leaf: Leaf
    other_meta: Meta


def test_a_place_is_named_such_that_no_other_is_meant() -> None:
    """An element is named with those around it where another of its name holds something else; the description of one
    without fields is not repeated either.
    """
    assert StructuredResponse.from_basemodel(Bough).to_prompt().split("\n") == [
        "<bough>",
        "    <meta type='map' keys='str' elements='int'>",
        "        <entry key='[key here - as a string]'>",
        "            [value here - as an int]",
        "        </entry>",
        "        ...",
        "    </meta>",
        "    <span type='tuple'>",
        *(f"        <li index='{index}' type='int'>[value here - as an int]</li>" for index in range(6)),
        "    </span>",
        "    <bough type='dict'>[the same elements as in bough]</bough>",
        "    <leaf type='dict'>",
        f"        <meta type='dict' description='{Meta.__doc__}'>",
        "        </meta>",
        "        <span type='tuple'>",
        *(f"            <li index='{index}' type='int'>[value here - as an int]</li>" for index in range(6)),
        "        </span>",
        "    </leaf>",
        "    <other_meta type='dict'>[the same elements as in meta in leaf]</other_meta>",
        "</bough>",
    ]


class Box(BaseModel):
    box: dict[str, list["Box"]]


def test_the_root_is_told_from_a_field_of_its_name() -> None:
    """Nothing stands around the root that could tell them apart."""
    assert "            <li index='0'>[the same elements as in the outermost box]</li>" in (
        StructuredResponse.from_basemodel(Box).to_prompt().split("\n")
    )


class Mixed(BaseModel):
    held: list[int | str | float | bool | Self | dict[str, Self] | list[Self]]


class Json(RootModel[dict[str, "Json"] | list["Json"] | str | int | float | bool | None]):
    """A value that JSON can hold."""


class Maps(BaseModel):
    held: dict[str, dict[str, dict[str, dict[str, Self]]]]


class Lists(BaseModel):
    held: list[list[list[list[Self]]]]


class Note(BaseModel):
    text: str


class Thread(BaseModel):
    first: int | Note
    second: str | list[Note]
    third: dict[str, Note]
    threads: list["Thread"]


class Rows(BaseModel):
    first: list[list[str]]
    second: list[list[str]]
    third: dict[str, list[str]]
    fourth: dict[str, list[str]]
    values: dict[str, Json]
    value: Json
    rows: list["Rows"]


RECURSIVE = [Person, Bough, Box, Mixed, Json, Maps, Lists, Rows]


@pytest.mark.parametrize("model", [*RECURSIVE, Thread], ids=lambda model: model.__name__)
def test_the_prompt_of_a_recursive_model_is_well_formed(model: type[BaseModel]) -> None:
    """A place is named without the brackets of its tag, so that no parser takes the name for an element."""
    made = StructuredResponse.from_basemodel(model).to_prompt()
    texts = [text for text in map(str, etree.fromstring(made).itertext()) if "the same elements" in text]
    assert len(texts) == made.count("[the same elements as in ")
    assert all(re.fullmatch(r"\[the same elements as in [\w ]+\]", text) for text in texts)


def test_a_place_that_is_no_xml_name_is_named_by_its_key() -> None:
    """With what XML wants escaped in it."""
    fields = {"type": "dict", "elements": {"x": INT, "more": {"type": "ref", "name": "Node"}}, "name": "Node"}
    document = {"$defs": {"Node": fields}, "a <b> & c": {"type": "ref", "name": "Node"}}
    made = prompt(document)
    assert "[the same elements as in entry 'a &lt;b> &amp; c']" in made
    assert etree.fromstring(made)[0][1].text == "[the same elements as in entry 'a <b> & c']"


@pytest.mark.parametrize("model", RECURSIVE, ids=lambda model: model.__name__)
def test_the_prompt_of_a_recursive_model_is_below_twice_its_json_schema(model: type[BaseModel]) -> None:
    """Small ones too, whose prompts are mostly tags and indentation."""
    prompt = StructuredResponse.from_basemodel(model).to_prompt()
    assert len(prompt) < 2 * len(json.dumps(model.model_json_schema()))


def test_options_that_are_texts_stand_side_by_side() -> None:
    """In the order of the union, beside those that hold other values."""
    response = StructuredResponse.from_basemodel(create_model("M", a=(int | str | list[int], ...)))
    assert response.to_prompt().split("\n")[2:5] == [
        "        <int type='int'>[value here - as an int]</int> or <str type='str'>[value here - as a string]</str>",
        "        or",
        "        <list type='list' elements='int'>",
    ]


@pytest.mark.parametrize("model", [Person, Bough, Box, Json, Thread], ids=lambda model: model.__name__)
def test_recursive_prompt_survives_storing(model: type[BaseModel]) -> None:
    """The prompt of a recursive model is the same when its definition comes from a store."""
    asked = StructuredResponse.from_basemodel(model)
    stored = StructuredResponse.deserialize(asked.serialize())
    assert stored.to_prompt() == asked.to_prompt()


def test_prompt_does_not_grow_exponentially() -> None:
    """A model that holds another twice, that one a third twice and so on, is shown shape by shape."""
    floor: type[BaseModel] = Person
    for number in range(16):
        floor = create_model(f"Floor{number}", a=(floor, ...), b=(floor, ...))
    assert len(StructuredResponse.from_basemodel(floor).to_prompt()) < 50_000


def test_map_shows_an_entry() -> None:
    """A map shows one entry with a key, and three dots."""
    lines = body({"a": {"type": "map", "keys": "str", "elements": "int"}}).split("\n")
    assert lines[0].startswith("<a type='map' ")
    assert lines[1].startswith("    <entry key='")
    assert lines[2:] == ["        [value here - as an int]", "    </entry>", "    ...", "</a>"]


def test_prompt_has_no_final_line_break() -> None:
    """The prompt ends with the root's closing tag, and indents with four blanks."""
    made = StructuredResponse.from_basemodel(Recipe).to_prompt()
    assert made.endswith("</recipe>")
    assert not any(line != line.rstrip() for line in made.split("\n"))
    assert all((len(line) - len(line.lstrip(" "))) % 4 == 0 for line in made.split("\n"))


def test_instructions_come_first() -> None:
    """With instructions, a short paragraph on how to answer stands before the same prompt."""
    response = StructuredResponse.from_basemodel(Recipe)
    made = response.to_prompt(instructions=True)
    assert made.endswith(f"\n\n{RECIPE}")
    paragraph = made.removesuffix(f"\n\n{RECIPE}")
    assert paragraph == paragraph.strip()
    assert "\n\n" not in paragraph
    assert 40 < len(paragraph) < 800
    assert response.to_prompt() == RECIPE


def test_instructions_ask_for_text_as_it_is() -> None:
    """Without escapes, and without CDATA; a map's key is the one attribute that the answer has."""
    instructions = StructuredResponse.from_basemodel(Recipe).to_prompt(instructions=True).partition("\n\n")[0]
    assert instructions.endswith("Write text as it is: no escaping, no CDATA.")
    assert "no attribute but key" in instructions


@pytest.mark.parametrize("html", ["<p>Salt & <b>oil</b>, 1 < 2</p>", "a && b < c > d", 'if (x<y && y>z) { s = "&"; }'])
def test_an_answer_by_the_instructions_is_read_to_the_character(html: str) -> None:
    """Attributes left out, text as it is."""
    response: StructuredResponse[Any] = StructuredResponse("Page")
    response.add_node("body", "str").add_node("prices", "map", elements="int")
    reply = f"<page><body>{html}</body><prices><entry key='salt'>1</entry></prices></page>"
    assert response.parse(reply).to_dict() == {"body": html, "prices": {"salt": 1}}


MINUTES = "<minutes type='int' greater_or_equal='1' less_than='600'>[How long it takes - as an int]</minutes>"


def test_selected_fields_only() -> None:
    """`include` and `exclude` show part of the prompt, as it stands in the whole."""
    response = StructuredResponse.from_basemodel(Recipe)
    assert response.to_prompt(include=["steps.minutes", "vegan"]).split("\n") == [
        "<recipe>",
        "    <steps type='list' elements='dict' description='All steps, the \"main\" one too'>",
        "        <li index='0'>",
        f"            {MINUTES}",
        "        </li>",
        "        ...",
        "    </steps>",
        "    <vegan type='bool' required='false'>[value here - as a bool]</vegan>",
        "</recipe>",
    ]
    assert response.to_prompt(exclude=["grades"]) == RECIPE[: RECIPE.index("    <grades")] + "</recipe>"


XML_TEXT = st.text(
    st.characters(exclude_categories=["Cc", "Cs"], exclude_characters="\ufffe\uffff", include_characters="\n"),
    max_size=30,
)


@given(XML_TEXT, XML_TEXT, st.lists(XML_TEXT, min_size=1, max_size=3))
def test_prompt_is_well_formed(text: str, attribute: str, choices: list[str]) -> None:
    """Whatever stands in descriptions and choices, an XML parser reads the prompt and finds it."""
    document = {
        "a": {"type": "str", "description": text or "d"},
        "b": {"type": "dict", "description": attribute, "elements": {}},
        "c": {"type": "enum", "choices": choices},
    }
    root = etree.fromstring(prompt(document))
    assert root[0].text == f"[{text or 'd'} - as a string]"
    assert root[1].get("description") == attribute
    assert json.loads(root[2].get("choices") or "") == choices


ECHOED = ["plain", "R&D", "a < b", "it's", "[x]", "Größe", "&amp;"]


@pytest.mark.parametrize("description", ECHOED)
@pytest.mark.parametrize("kind", ["str", "int", "float", "bool"])
def test_echoed_prompt_is_no_data(kind: str, description: str) -> None:
    """A template that comes back as it was sent holds no values, whatever its descriptions are."""
    response = StructuredResponse.from_definition("M", {"a": {"type": kind, "description": description}})
    with pytest.raises(ReplyError, match="repeats the prompt"):
        response.parse(response.to_prompt(), strict=False)


@pytest.mark.parametrize("model", [Person, Bough, Box, Lists, Maps, Rows])
def test_echoed_prompt_of_a_recursive_model_is_no_data(model: type[BaseModel]) -> None:
    """Where it names a shape too."""
    response = StructuredResponse.from_basemodel(model)
    with pytest.raises(ReplyError, match="repeats the prompt"):
        response.parse(response.to_prompt(), strict=False)
