"""Elements to data: order, attributes, unknown elements, wrappers, duplicates, inner markup, records."""

import json
from typing import Annotated, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field

from docs.make_tolerance import Bank, Card
from structured_response import RepairKind, StructuredResponse


class Part(BaseModel):
    label: str
    points: int


class Review(BaseModel):
    headline: str
    score: int
    price: float | None = None
    pros: list[str] = []
    excerpt: str = ""
    part: Part | None = None
    parts: list[Part] = []


REVIEW = StructuredResponse.from_basemodel(Review)
NICE = {"headline": "Nice", "score": 4}


def parsed(inner: str) -> StructuredResponse[Review]:
    """A review of these elements."""
    return REVIEW.parse(f"<review>{inner}</review>")


def kinds(response: StructuredResponse[Any]) -> list[str]:
    """The kinds of its repairs."""
    return [repair.kind.value for repair in response.repairs]


SAME = [
    "<score>4</score><headline>Nice</headline>",
    "<headline type='str' description='&lt;a&gt; \">\"'>Nice</headline><score index = \"0\"\n>4</score  >",
    "<headline>N&#105;ce</headline><score>&#52;</score>",
    "<headline><![CDATA[Nice]]></headline><score><![CDATA[4]]></score>",
    "<!-- a --><headline>Nice</headline><!-- <score>5</score> --><score>4</score><?pi x?>",
    "\r\n\t<headline>\r\n\t\tNice\r\n\t</headline>\r\n\t<score>\r\n4\r\n</score>\r\n",
]


@pytest.mark.parametrize("inner", SAME)
def test_other_spellings_say_the_same(inner: str) -> None:
    """Order, attributes, entities, CDATA, comments and line ends say nothing, so nothing is recorded."""
    read = parsed(inner)
    assert read.to_dict() == NICE
    assert read.repairs == []


RECORDED: list[tuple[str, list[tuple[str, str]]]] = [
    ("<mood>high</mood><headline>Nice</headline><score>4</score>", [("element_skipped", "$")]),
    (
        "<mood><deep a='>'>x</deep></mood><headline>Nice</headline><score>4</score>",
        [("element_skipped", "$")],
    ),
    ("<mood/><headline>Nice</headline><score>4</score>", [("element_skipped", "$")]),
    ("<data><headline>Nice</headline><score>4</score></data>", [("wrapper_entered", "$")]),
    (
        "<a><b><headline>Nice</headline><score>4</score></b></a>",
        [("wrapper_entered", "$"), ("wrapper_entered", "$")],
    ),
    ("<data><headline>Nice</headline></data><score>4</score>", [("wrapper_entered", "$")]),
    (
        "<headline>Nice</headline><note><headline>Bad</headline></note><score>4</score>",
        [("element_skipped", "$")],
    ),
    (
        "<note><headline>Bad</headline></note><headline>Nice</headline><score>4</score>",
        [("element_skipped", "$")],
    ),
    ("Here: <headline>Nice</headline><score>4</score>", [("text_skipped", "$")]),
    (
        "<Head-Line>Nice</Head-Line><SCORE>4</SCORE>",
        [("name_respelled", "$.headline"), ("name_respelled", "$.score")],
    ),
    ("<entry key='headline'>Nice</entry><score>4</score>", [("name_respelled", "$.headline")]),
    ("<headline>Nice</headline><score>4</score><score> 4 </score>", [("duplicate_dropped", "$.score")]),
    ("<headline>Nice<!-- a --></headline><score>4</score>", [("comment_dropped", "$.headline")]),
    ("<headline>Nice</headline><score>+4</score>", [("value_respelled", "$.score")]),
]


@pytest.mark.parametrize(("inner", "expected"), RECORDED)
def test_what_is_in_nobodys_place_goes_on_record(inner: str, expected: list[tuple[str, str]]) -> None:
    """Unknown elements, wrappers, stray texts, other names, duplicates: the data is right, on record."""
    read = parsed(inner)
    assert read.to_dict() == NICE
    assert [(repair.kind.value, repair.path) for repair in read.repairs] == expected


@pytest.mark.parametrize("inner", [inner for inner, _expected in RECORDED])
def test_a_record_that_changed_no_data_has_before_equal_to_after(inner: str) -> None:
    """What was skipped or chosen changed no value, and its record says so."""
    unchanged = {"element_skipped", "wrapper_entered", "text_skipped", "duplicate_dropped"}
    for repair in parsed(inner).repairs:
        assert (repair.before == repair.after) is (repair.kind.value in unchanged or not repair.before)


PLACED = [
    ("<mood>high</mood><headline>Nice</headline><score>4</score>", "<mood>high</mood>"),
    ("<headline>é😀</headline> x <score>4</score>", "x"),
    ("<headline>Nice</headline><score>4</score><score>4</score>", "<score>4</score>"),
    ("<headline>Nice</headline><score> +4 </score>", " +4 "),
    ("<headline>Nice</headline><Score>4</Score>", "<Score>"),
]


@pytest.mark.parametrize(("inner", "place"), PLACED)
@pytest.mark.parametrize("before", ["", "Sure 😀é:\r\n", "<b>a < b</b> "])
def test_a_record_points_into_the_reply(inner: str, place: str, before: str) -> None:
    """Spans count characters of the reply as it came, whatever stands before and in whatever script."""
    reply = f"{before}<review>{inner}</review>"
    (repair,) = REVIEW.parse(reply).repairs
    assert reply[slice(*repair.span)] == place
    assert repair.span[0] == reply.rindex(place)


def test_two_values_for_one_field_are_a_problem() -> None:
    """Nobody can know which one was meant, so the field holds nothing, and both are named."""
    reply = "<review><headline>Nice</headline><score>4</score><score>5</score></review>"
    read = REVIEW.parse(reply, strict=False)
    (problem,) = read.problems
    assert (problem.kind, problem.path, problem.candidates) == ("ambiguous", "$.score", ("4", "5"))
    assert problem.span is not None
    assert reply[slice(*problem.span)] == "<score>5</score>"
    assert read.instance.score is None


def test_one_bad_item_leaves_the_others() -> None:
    """A problem names the place; the rest of the list is kept."""
    reply = (
        "<review><headline>a</headline><score>4</score><parts><li><label>a</label><points>x</points></li>"
        "<li><label>b</label><points>2</points></li></parts></review>"
    )
    read = REVIEW.parse(reply, strict=False)
    (problem,) = read.problems
    assert (problem.path, problem.found, problem.span) == (
        "$.parts[0].points",
        "x",
        (reply.index("x"), reply.index("x") + 1),
    )
    assert read.instance.parts == [{"label": "a", "points": None}, {"label": "b", "points": 2}]


def test_all_faults_are_reported() -> None:
    """Every bad and every missing value, each with its path."""
    read = REVIEW.parse("<review><score>x</score><price>y</price><parts><li></li></parts></review>", strict=False)
    assert {(problem.path, problem.kind.value) for problem in read.problems} == {
        ("$.headline", "missing"),
        ("$.score", "invalid"),
        ("$.price", "invalid"),
        ("$.parts[0].label", "missing"),
        ("$.parts[0].points", "missing"),
    }


LISTS: list[tuple[str, list[str], list[str]]] = [
    ("<li>a</li><li>b</li>", ["a", "b"], []),
    ("<item>a</item><li>b</li>", ["a", "b"], []),
    ("<pros>a</pros><pro>b</pro>", ["a", "b"], []),
    ("", [], []),
    ("\n  \n", [], []),
    ("<!-- none -->", [], []),
    ("<li></li><li/>", ["", ""], []),
    ("<li>a</li>...", ["a"], ["text_skipped"]),
    ("<li>a</li><x/>", ["a"], ["element_skipped"]),
    ("<li index='0'>\n  a\n  </li>", ["a"], []),
]


@pytest.mark.parametrize(("inner", "items", "records"), LISTS)
def test_a_list_has_its_items(inner: str, items: list[str], records: list[str]) -> None:
    """Items are `li` elements and their kin; what else stands there goes on record."""
    read = parsed(f"<headline>Nice</headline><score>4</score><pros>{inner}</pros>")
    assert read.to_dict() == {**NICE, "pros": items}
    assert kinds(read) == records


def test_a_class_tag_around_an_object_is_entered() -> None:
    """An object that is wrapped once more in its class's tag is read all the same."""
    inner = "<label>a</label><points>1</points>"
    read = parsed(
        f"<headline>Nice</headline><score>4</score><part><Part>{inner}</Part></part><parts><part>{inner}</part></parts>"
    )
    assert read.to_dict() == {
        **NICE,
        "part": {"label": "a", "points": 1},
        "parts": [{"label": "a", "points": 1}],
    }
    assert kinds(read) == ["wrapper_entered"]


MARKUP = [
    "<b>x</b>",
    "<b class='a'  id = \"x\" >x</b > &amp; &lt; &nbsp;",
    "a <br/> b <br /> c <hr></hr>",
    "<score>5</score> and <headline>x</headline>",
    "<ul><li>a</li><li>b</li></ul>",
    "<excerpt>nested</excerpt>",
    "<p>a</p><!-- c --><![CDATA[<x>]]><?php echo 1 ?>",
    "<review><score>1</score></review>",
    "<a href='?a=1&amp;b=2'>é😀</a>",
    "<p>\n  <b>x</b>\n</p>\n  z",
]


@pytest.mark.parametrize("markup", MARKUP)
@pytest.mark.parametrize("around", ["", "\n"])
def test_markup_in_a_string_is_kept_to_the_character(markup: str, around: str) -> None:
    """A string keeps the markup in it as it stands in the reply, with the definition's own names too."""
    read = parsed(f"<excerpt a='1'>{around}{markup}{around}</excerpt><headline>Nice</headline><score>4</score>")
    assert read.to_dict() == {**NICE, "excerpt": markup}
    assert read.repairs == []


def _tree(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    tags = st.sampled_from(("b", "li", "score", "excerpt", "review", "x:y", "é"))
    ends = st.sampled_from(("", " ", "\n", " a='1'", ' b="&lt;>" c=\'"\''))
    return st.builds(lambda tag, end, held: f"<{tag}{end}>{held}</{tag}>".replace("x:y", "x-y"), tags, ends, inner)


INNER = st.recursive(
    st.sampled_from(
        (
            "",
            "a",
            " & ".replace("&", "&amp;"),
            "😀é",
            "\n",
            "&#32;",
            "<br/>",
            "<!-- c -->",
            "<![CDATA[</b>]]>",
        )
    ),
    lambda inner: st.lists(st.one_of(_tree(inner), inner), max_size=3).map("".join),
    max_leaves=6,
)


@given(_tree(INNER), _tree(INNER))
def test_any_well_formed_markup_is_kept(first: str, second: str) -> None:
    """Whatever well-formed markup a string holds comes back to the character."""
    read = parsed(f"<headline>Nice</headline><score>4</score><excerpt>{first} {second}</excerpt>")
    assert read.to_dict() == {**NICE, "excerpt": f"{first} {second}"}
    assert read.repairs == []


LINES = "<headline>Nice</headline>\n<score>4</score>\n  <excerpt>\n    a\n      b\n\n    c\n  </excerpt>\n"


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("before", ["", "Sure:\n", "  "])
def test_line_ends_of_every_kind_are_the_same(line_end: str, before: str) -> None:
    """The layout of a value is the same whatever ends the lines of the reply."""
    read = REVIEW.parse(f"{before}<review a='1'>\n{LINES}</review>".replace("\n", line_end))
    assert read.to_dict() == {**NICE, "excerpt": "a\n  b\n\nc"}


NULLS = [
    ("<price></price>", None, []),
    ("<price/>", None, []),
    ("<price type='null'/>", None, []),
    ("<price>None</price>", None, ["null_word"]),
    ("<part type='null'/>", None, []),
    ("<part>n/a</part>", None, ["null_word"]),
    ("<price>3</price>", 3.0, []),
]


@pytest.mark.parametrize(("element", "value", "records"), NULLS)
def test_null_is_read_where_it_may_stand(element: str, value: float | None, records: list[str]) -> None:
    """An empty nullable scalar, a mark, or a null word on record."""
    read = parsed(f"<headline>Nice</headline><score>4</score>{element}")
    assert [read.to_dict()[name] for name in read.to_dict() if name not in NICE] == [value]
    assert kinds(read) == records


class Named(BaseModel):
    model_config = ConfigDict(validate_by_name=True, validate_by_alias=True)

    user: str = Field(alias="user_name")
    username: str
    b: int = Field(alias="B_")
    B: int = 0


def test_an_exact_alias_beats_a_folded_name() -> None:
    """`user_name` is one field's alias to the letter, though it folds to another field's name."""
    read = StructuredResponse.from_basemodel(Named).parse(
        "<named><user_name>Ann</user_name><username>ann</username><B_>1</B_><B>2</B></named>"
    )
    assert read.to_dict() == {"user": "Ann", "username": "ann", "b": 1, "B": 2}
    assert set(kinds(read)) <= {RepairKind.NAME_RESPELLED.value}


@pytest.mark.parametrize(
    "reply",
    [
        "<review xmlns='http://x'><headline>Nice</headline><score>4</score></review>",
        "<r:review xmlns:r='http://x'><r:headline>Nice</r:headline><r:score>4</r:score></r:review>",
    ],
)
def test_namespaces_do_not_count(reply: str) -> None:
    """A namespace, by default or by prefix, changes no name."""
    assert REVIEW.parse(reply).to_dict() == NICE


class Kept(BaseModel):
    model_config = ConfigDict(extra="allow")

    headline: str


def test_extras_are_kept_by_models_that_allow_them() -> None:
    """An unknown element is a value of a model that keeps extras, without a record."""
    read = StructuredResponse.from_basemodel(Kept).parse(
        "<kept><mood>high &amp; low</mood><headline>x</headline></kept>"
    )
    assert read.to_dict() == {"mood": "high & low", "headline": "x"}
    assert read.repairs == []


def test_ambiguous_texts_of_choices_come_back() -> None:
    """Choices that are written alike are told apart by their mark, or nobody guesses."""
    response = StructuredResponse.from_definition("Pick", {"x": {"type": "enum", "choices": [1, "1"]}})
    for choice in (1, "1"):
        response.instance.x = choice
        assert type(response.parse(str(response)).instance.x) is type(choice)


# Unions


class Cash(BaseModel):
    amount: int


class Paid(BaseModel):
    by: Card | Bank
    told: Annotated[Card | Bank, Field(discriminator="method")] | None = None
    either: Card | Cash | None = None


BY_CARD = {"method": "card", "last4": "0042"}
FENCED = f"\n```json\n{json.dumps(BY_CARD)}\n```\n"
UNIONS: list[tuple[str, list[str]]] = [
    ("<{0}><card><last4>0042</last4></card></{0}>", ["discriminator_missing"]),
    ("<{0}><last4>0042</last4></{0}>", ["discriminator_missing"]),
    ("<{0} type='card'><last4>0042</last4></{0}>", ["discriminator_missing"]),
    ("<{0} method='card' last4='0042'/>", ["attribute_read", "attribute_read"]),
    ("<{0} type='union' method='card' last4='0042'/>", ["attribute_read", "attribute_read"]),
    ("<{0} last4='0042'></{0}>", ["attribute_read", "discriminator_missing"]),
    ("<{0} method='card'><last4>0042</last4></{0}>", ["attribute_read"]),
    ("<{0}><card><method>card</method><last4>0042</last4></card><{1}>N/A</{1}></{0}>", ["element_skipped"]),
    ("<{0}><{1}>null</{1}><card><last4>0042</last4></card></{0}>", ["discriminator_missing", "element_skipped"]),
    (f"<{{0}}>{FENCED.replace('{', '{{').replace('}', '}}')}</{{0}}>", ["format_read"]),
    ('<{0}>{{"last4": "0042"}}</{0}>', ["discriminator_missing", "format_read"]),
    ('<{0}>{{"card": {{"last4": "0042"}}}}</{0}>', ["discriminator_missing", "format_read", "wrapper_entered"]),
]


@pytest.mark.parametrize(("name", "other"), [("by", "bank"), ("told", "bank"), ("either", "cash")])
@pytest.mark.parametrize(("reply", "repairs"), UNIONS)
def test_an_option_is_told_by_its_tag_or_its_fields(name: str, other: str, reply: str, repairs: list[str]) -> None:
    """A field that has one choice there holds it, on record where it was left out."""
    whole = "" if name == "by" else "<by><method>card</method><last4>1</last4></by>"
    read = StructuredResponse.from_basemodel(Paid).parse(f"<paid>{whole}{reply.format(name, other)}</paid>")
    assert read.to_dict()[name] == BY_CARD
    assert sorted(repair.kind for repair in read.repairs) == repairs


UNCLEAR_UNIONS: list[tuple[str, str, str]] = [
    ("<by><last4>0042</last4><iban>x</iban></by>", "$.by", "ambiguous"),
    ("<by last4='0042' iban='x'/>", "$.by", "ambiguous"),
    ("<by method='cash' last4='0042'/>", "$.by.method", "invalid"),
    ("<by><card><method>bank</method><last4>0042</last4></card></by>", "$.by.method", "invalid"),
    ("<by><card><method></method><last4>0042</last4></card></by>", "$.by.method", "invalid"),
    ("<by><card><last4>1</last4></card><bank><iban>2</iban></bank></by>", "$.by", "ambiguous"),
    ("<by><bank>N/A</bank><card>N/A</card></by>", "$.by", "invalid"),
    ("<by><iban/></by>", "", ""),
    ("<by/>", "$.by", "invalid"),
]


@pytest.mark.parametrize(("reply", "path", "kind"), UNCLEAR_UNIONS)
def test_an_option_that_nothing_tells_is_a_problem(reply: str, path: str, kind: str) -> None:
    """Nor is a discriminator filled in that says something else, or nothing."""
    problems = StructuredResponse.from_basemodel(Paid).parse(f"<paid>{reply}</paid>", strict=False).problems
    assert [(problem.path, problem.kind) for problem in problems] == ([(path, kind)] if path else [])
