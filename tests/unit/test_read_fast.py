"""The fast paths: which replies they must read, which they must leave to the careful reader, and how long they take."""

import gc
import math
import tracemalloc
from collections.abc import Callable
from decimal import Decimal
from random import Random
from typing import Any, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

from structured_response import StructuredResponse
from structured_response.data.validators import typed
from structured_response.definition.document import MAX_NESTING
from structured_response.definition.node import MAX_DEPTH
from structured_response.options import ParseOptions
from structured_response.read.fast import fast_json, fast_tree, fast_yaml
from structured_response.read.fast.elements import read_elements
from structured_response.read.fast.expression import read_by_expression
from structured_response.read.reader import read_carefully
from tests.corpus.models import Clash, Level
from tests.corpus.models import Part4 as Part
from tests.corpus.models import Review8 as Review
from tests.growth import grows_with_the_text
from tests.hostile import ATTACKS
from tests.laws.test_laws import ordered, part, same
from tests.strategies import SUPPORTED, instances
from tests.variants import Variation, varied

PLAN = StructuredResponse.from_basemodel(Review)._plan
HEAD = "<headline>Nice</headline><score>4</score>"
read = fast_tree(PLAN)
by_expression = read_by_expression(PLAN)


CLEAN: list[tuple[str, dict[str, Any]]] = [
    ("", {}),
    ("<price>1.5</price>", {"price": "1.5"}),
    ("<mood> fine\n</mood>", {"mood": "fine"}),
    ("<mood type='null'/>", {"mood": None}),
    ("<verdict>good - not bad</verdict>", {"verdict": "good - not bad"}),
    ("<level>12</level>", {"level": 12}),
    ("<sure>\n false \n</sure>", {"sure": "false"}),
    ("<pros></pros>", {"pros": []}),
    ("<pros>\n<li>a &amp; b</li>\n <li></li> </pros>", {"pros": ["a & b", ""]}),
    ("<pros><li>a <b>c</b></li>\n <li>\n x\ny\n</li></pros>", {"pros": ["a <b>c</b>", " x\ny"]}),
    ("<part><label>a</label></part>", {"part": {"label": "a"}}),
    ("<parts><li><label>a</label><points>1</points></li></parts>", {"parts": [{"label": "a", "points": "1"}]}),
    ("<parts><li>\n  <label><i>a</i></label>\n</li></parts>", {"parts": [{"label": "<i>a</i>"}]}),
    ("<grid><li><li>1</li><li>2</li></li><li></li></grid>", {"grid": [["1", "2"], []]}),
]


@pytest.mark.parametrize(("inner", "tree"), CLEAN)
@pytest.mark.parametrize(
    ("before", "behind"), [("", ""), ("Sure, here!\n", "\nDone > all, for now."), ("```xml\n", "\n```")]
)
def test_a_clean_reply_is_read(inner: str, tree: dict[str, Any], before: str, behind: str) -> None:
    """Names that are exact and in order, and values in their strict forms, give the tree of texts."""
    expected = {"headline": "Nice", "score": "4", **tree}
    assert read(f"{before}<review>\n{HEAD}\n{inner}</review>{behind}") == expected
    assert by_expression(f"<review>\n{HEAD}\n{inner}</review>") == expected


HTML = "<!DOCTYPE html>\n<html>\n  <title>x</title>\n  <ul>\n    <li>a</li>\n  </ul>\n  <p>b &nbsp; c<br>\n</html>"

STRINGS = [
    ("a\n  b\n", "a\n  b"),
    ("\na\n    b\n  ", "a\n    b"),
    ("a\r\nb", "a\nb"),
    ("&lt;b&gt; &#32;", "<b>  "),
    ("&#78;one", "None"),
    ("None", "None"),
    ("", ""),
    ("[x]", "[x]"),
    ("`x`", "`x`"),
    ("]]> > ' \"", "]]> > ' \""),
    ("Example 1, for another input:", "Example 1, for another input:"),
    ("<b>x</b>", "<b>x</b>"),
    ("a && <b>x</b> < 3", "a && <b>x</b> < 3"),
    ("<a href='?a=1&b=2'>x</a> &nbsp;", "<a href='?a=1&b=2'>x</a> &nbsp;"),
    ("</div></p>", "</div></p>"),
    (HTML, HTML),
    ("\n    <p>\n      x\n    </p>\n  ", "<p>\n  x\n</p>"),
    ("\n  if a:\n    b<c>(d)\n  ", "if a:\n  b<c>(d)"),
    ("<ul><li>x</li></ul>", "<ul><li>x</li></ul>"),
    ("a <label>b</label>", "a <label>b</label>"),
    ("<x>\n<!-- </y> -->\n</x>", "<x>\n<!-- </y> -->\n</x>"),
    ("<![CDATA[a <b> &amp;]]>", "a <b> &amp;"),
]


@pytest.mark.parametrize(("text", "value"), STRINGS)
def test_a_string_may_hold_any_markup_that_cannot_end_it(text: str, value: str) -> None:
    """Escapes, lines and blanks follow the rule of texts; HTML and code stay as they are."""
    answer = f"<review>\n  <headline>{text}</headline>\n  <score>4</score>\n</review>"
    assert read(answer) == {"headline": value, "score": "4"}


ENDS = [
    ("<score>3</score>", "a field that could follow"),
    ("</score>", "the closing tag of a field that could follow"),
    ("< Score >", "the same in another spelling"),
    ("<x:score>", "the same with a namespace"),
    ("<price>", "a field that could follow later"),
    ("<pros>", "a list that could follow"),
    ("<pro>", "an item of a list that could follow"),
    ("<headline>", "its own opening tag"),
    ("</Headline>", "its own closing tag in another spelling"),
    ("<review>", "the root"),
    ("</think>", "reasoning"),
    ("<parameter name='score'>", "a tool call"),
    ("<!-- ", "a comment without an end"),
    ("<![CDATA[ ", "a section without an end"),
]


@pytest.mark.parametrize("tag", [pytest.param(tag, id=why) for tag, why in ENDS])
def test_a_tag_that_could_end_a_string_is_left_to_the_careful_reader(tag: str) -> None:
    """This holds even if the string has its own closing tag."""
    assert read(f"<review><headline>a <b>b</b> {tag} c</headline><score>4</score></review>") is None


@pytest.mark.parametrize(
    ("label", "is_read"),
    [("<ul><li>a</li><li>b</li></ul>", True), ("<li>a", False), ("a</li>", False), ("</li><li>", False)],
)
def test_items_in_a_string_of_an_item_come_in_pairs(label: str, is_read: bool) -> None:
    """In an open list the tags of items end a string, unless they are whole elements in it."""
    tree = read(f"<review>{HEAD}<parts><li><label>{label}</label></li></parts></review>")
    assert (tree is not None) == is_read
    assert tree is None or tree["parts"] == [{"label": label}]


LEFT_ALONE = [
    (f"<review a='1'>{HEAD}</review>", "an attribute"),
    (f"<review><!-- c -->{HEAD}</review>", "a comment"),
    (f"<!-- c --><review>{HEAD}</review>", "a comment in front"),
    (f"<review>{HEAD}</review><review>{HEAD}</review>", "a second answer"),
    (f"<review>{HEAD}</review> <b>x</b>", "other markup"),
    (f"<think>x</think><review>{HEAD}</review>", "reasoning"),
    (f"so </think> it is <review>{HEAD}</review>", "the end of reasoning"),
    (f"a < b <review>{HEAD}</review>", "a < in prose"),
    (f'{{"answer": "<review>{HEAD}</review>"}}', "a JSON string around it"),
    (f'{{"answer": "\\n <review>{HEAD}</review>"}}', "a JSON string that begins with blanks"),
    (f'"<review>{HEAD}</review>"', "a quoted answer"),
    (f'<review>{HEAD}</review>\nOr: {{"score": 5}}', "JSON behind"),
    (f"<review>{HEAD}</review>\nscore: 5", "a label behind"),
    (f"Example 1, for another input:\n<review>{HEAD}</review>", "the heading of an example"),
    (f"<review>{HEAD}</review>\nAbove: one, for another input:", "the heading of an example behind"),
    (f"\uff1creview\uff1e<review>{HEAD}</review>", "full-width brackets"),
    (f"<Review>{HEAD}</Review>", "another spelling of the root"),
    (f"<wrap><review>{HEAD}</review></wrap>", "a wrapper"),
    (f"<!DOCTYPE review [<!ENTITY a 'b'>]><review>{HEAD}</review>", "a document type"),
    ("<review><Headline>Nice</Headline><score>4</score></review>", "another spelling of a field"),
    (f"<review>{HEAD}<extra>x</extra></review>", "an unknown element"),
    (f"<review>{HEAD}<score>4</score></review>", "a field that comes twice"),
    (f"<review>x{HEAD}</review>", "a stray text"),
    (f"<review>{HEAD}x</review>", "a stray text behind"),
    ("<review><headline>Nice</headline></review>", "a required field that is missing"),
    ("<review><headline>a < b</headline><score>4</score></review>", "a < in a string"),
    ("<review><headline>R&D</headline><score>4</score></review>", "a bare &"),
    ("<review><headline>&bogus;</headline><score>4</score></review>", "an unknown entity"),
    ("<review><headline>&nbsp;&amp;</headline><score>4</score></review>", "a reference beside HTML's"),
    ("<review><headline>a <!-- c --> b</headline><score>4</score></review>", "a comment in a line"),
    ("<review><headline>```\nx\n```</headline><score>4</score></review>", "a fence"),
    ("<review><headline>\n```\n<b>x</b>\n```\n</headline><score>4</score></review>", "a fence of its own lines"),
    ("<review><headline>[value here - as a string]</headline><score>4</score></review>", "a placeholder"),
    ("<review><headline>\ud800</headline><score>4</score></review>", "half of a surrogate pair"),
    ("<review><headline>\n  a\n  b\n </headline><score>4</score></review>", "a layout that the line of a tag tells"),
    ("<review><headline>x</headline><score>+4</score></review>", "a number to be mended"),
    ("<review><headline>x</headline><score>04</score></review>", "a number with a leading nought"),
    ("<review><headline>x</headline><score>\u0664</score></review>", "other digits"),
    (f"<review>{HEAD}<price>1e400</price></review>", "a float that overflows"),
    (f"<review>{HEAD}<mood>N/A</mood></review>", "a null word"),
    (f"<review>{HEAD}<mood>\n none </mood></review>", "a null word among blanks"),
    (f"<review>{HEAD}<verdict>Good</verdict></review>", "a choice in another case"),
    (f"<review>{HEAD}<level>HIGH</level></review>", "a choice by its member"),
    (f"<review>{HEAD}<sure>yes</sure></review>", "a boolean in another word"),
    (f"<review>{HEAD}<pros><item>a</item></pros></review>", "items of another name"),
    (f"<review>{HEAD}<pros>a, b</pros></review>", "a list without items"),
    (f"<review>{HEAD}</review", "a tag that does not end"),
    (f"<review>{HEAD}", "an answer that does not end"),
    ("", "nothing"),
]


@pytest.mark.parametrize("reply", [pytest.param(reply, id=why) for reply, why in LEFT_ALONE])
def test_anything_else_is_left_to_the_careful_reader(reply: str) -> None:
    """A fast path does not read a reply that needs a second look, a record or a problem."""
    assert read(reply) is None


def test_an_empty_nullable_value_is_null() -> None:
    """This holds for texts and for numbers."""
    tree = read(f"<review>{HEAD}<price></price><mood></mood></review>")
    assert (tree["price"], tree["mood"]) == (None, None)


ECHOES = [
    ("<headline type='str'>a</headline><score type='int'>4</score>", True),
    ("<headline type='str'>a <b>c</b></headline><score type='int'>4</score>", True),
    ("<headline type='str' max_length='9'>a <b>c</b></headline><score>4</score><mood type='str'></mood>", False),
    ("<headline type='int'>a <b>c</b></headline><score>4</score>", False),
    ("<headline index='0'>a <b>c</b></headline><score>4</score>", False),
    ('<headline type="str">a</headline><score type="int">4</score>', True),
    ("<headline>a</headline><score>4</score><price type='float' required='false'>1.0</price>", True),
    ("<headline>a</headline><score>4</score><pros type='list' elements='str'><li index='0'>a</li></pros>", True),
    ("<headline>a</headline><score>4</score><pros><li index='0'>a</li><li index='1'>b</li></pros>", True),
    ("<headline>a</headline><score>4</score><pros><li index='1'>a</li><li index='2'>b</li></pros>", True),
    ("<headline>a</headline><score>4</score><pros><li index='0'>a</li><li index='0'>b</li></pros>", True),
    ("<headline>a</headline><score>4</score><pros><li index='1'>a</li><li index='0'>b</li></pros>", False),
    ("<headline>a</headline><score>4</score><mood type='str'></mood>", True),
    ("<headline type='int'>a</headline><score>4</score>", False),
    ("<headline x='str'>a</headline><score>4</score>", False),
    ("<headline value='b'>a</headline><score>4</score>", False),
]


@pytest.mark.parametrize(("inner", "is_read"), ECHOES)
def test_attributes_that_the_prompt_shows_are_passed_over(inner: str, is_read: bool) -> None:
    """Quotes are of either kind, and the values agree with the definition. Beside markup, indexes and empty elements
    are left to the careful reader.
    """
    assert (read(f"<review>{inner}</review>") is not None) == is_read


class Loop(BaseModel):
    x: list["Loop"] = []


def test_a_shape_that_holds_itself_has_no_expression() -> None:
    """A recursive shape is read by lxml."""
    plan = StructuredResponse.from_basemodel(Loop)._plan
    assert read_by_expression(plan)("<loop><x></x></loop>") is None
    assert fast_tree(plan)("<loop><x><li><x></x></li></x></loop>") == {"x": [{"x": []}]}


@pytest.mark.parametrize("required", [True, False])
def test_the_deepest_definition_has_an_expression(required: bool) -> None:
    """Python compiles the expression of a definition of the greatest depth."""
    levels = MAX_NESTING - 2
    node: dict[str, Any] = {"type": "int"}
    for _ in range(levels):
        node = {"type": "dict", "elements": {"a": node}, **({} if required else {"required": False})}
    plan = StructuredResponse.from_definition("X", {"a": node})._plan
    tree = read_by_expression(plan)(f"<x>{'<a>' * (levels + 1)}1{'</a>' * (levels + 1)}</x>")
    for _ in range(levels + 1):
        tree = tree["a"]
    assert tree == "1"


def test_choices_that_are_written_alike_are_left_to_the_careful_reader() -> None:
    """A 1 may be the number or the text."""
    assert fast_tree(StructuredResponse.from_basemodel(Clash)._plan)("<clash><x>1</x></clash>") is None


class Cat(BaseModel):
    lives: int


class Dog(BaseModel):
    name: str
    owner: str | None = None


class Null(BaseModel):
    why: str


class Page(BaseModel):
    title: str
    size: int | str = 0
    pet: Cat | Dog | None = None
    counts: dict[str, int] = {}
    years: dict[int, str] = {}
    pair: tuple[int, str] = (0, "")
    below: "list[Page]" = []
    note: str | None = None
    verdict: Literal["good", "good - not bad"] = "good"
    level: Literal[1, "1"] = 1
    price: float | None = None
    exact: Decimal | None = None
    extra: Any = None
    odd: Cat | Null | None = None


PAGE = StructuredResponse.from_basemodel(Page)._plan
TITLE = "<title>T</title>"


def read_page(inner: str) -> Any:
    """Returns what the reader on lxml makes of a page with a title and this, or None."""
    tree = read_elements(PAGE)(f"<page>{TITLE}{inner}</page>")
    return None if tree is None else {name: value for name, value in tree.items() if name != "title"}


ELEMENTS: list[tuple[str, Any]] = [
    ("", {}),
    ("<note><![CDATA[x <b> &amp;]]></note>", {"note": "x <b> &amp;"}),
    ("<price>1.5</price><note> a\n b</note>", {"note": " a\n b", "price": "1.5"}),
    ("<size>four</size>", {"size": "four"}),
    ("<size type='int'>4</size>", {"size": 4}),
    ("<size type='str'>4</size>", {"size": "4"}),
    ("<size type='str'></size>", {"size": ""}),
    ("<pet><cat><lives>9</lives></cat></pet>", {"pet": {"lives": 9}}),
    ("<pet type='dog'><name>Rex</name></pet>", {"pet": {"name": "Rex"}}),
    ("<pet><dog><owner type='null'/><name>Rex</name></dog></pet>", {"pet": {"name": "Rex", "owner": None}}),
    ("<pet type='null'></pet>", {"pet": None}),
    ("<odd><null><why>x</why></null></odd>", {"odd": {"why": "x"}}),
    ("<counts><entry key='a &amp; b'>1</entry></counts>", {"counts": {"a & b": "1"}}),
    ("<counts><entry key='a'>1</entry>\n<entry key=\"it's\">2</entry></counts>", {"counts": {"a": "1", "it's": "2"}}),
    ("<counts><entry key='&#10;a'>1</entry></counts>", {"counts": {"\na": "1"}}),
    ("<counts></counts>", {"counts": {}}),
    ("<years><entry key='1999'>x</entry></years>", {"years": {"1999": "x"}}),
    ("<pair><li>1</li><li> x </li></pair>", {"pair": ["1", "x"]}),
    ("<below><li><below></below>\n<title>a</title></li></below>", {"below": [{"title": "a", "below": []}]}),
    ("<note></note>", {"note": None}),
    ("<note type='str'></note>", {"note": ""}),
    ("<note>&#78;one &lt;b&gt;</note>", {"note": "None <b>"}),
    ("<note>&#32;a&#32;</note>", {"note": " a "}),
    ("<note>\n a\nb\n</note>", {"note": " a\nb"}),
    ("<verdict>\n good - not bad\n</verdict>", {"verdict": "good - not bad"}),
    ("<exact>1E+3</exact>", {"exact": "1E+3"}),
    ("<extra type='list'><li type='int'>1</li><li type='null'/></extra>", {"extra": [1, None]}),
    ("<extra type='map'><entry key='' type='float'>1.0</entry></extra>", {"extra": {"": 1.0}}),
    ("<below><li index='0'>" + TITLE + "</li></below>", {"below": [{"title": "T"}]}),
    ("<price type='float' required='false' description='a > b'>2</price>", {"price": "2"}),
]  # fmt: skip


@pytest.mark.parametrize(("inner", "tree"), ELEMENTS)
def test_lxml_reads_what_fits(inner: str, tree: Any) -> None:
    """Names are exact, in any order; attributes and marks are as the library writes them."""
    found = read_page(inner)
    assert (found, repr(found)) == (tree, repr(tree))


NOT_ELEMENTS = [
    (TITLE, "a field twice"),
    ("<Note>x</Note>", "another spelling"),
    ("<zz>x</zz>", "an unknown element"),
    ("x", "a stray text"),
    ("<below><li>" + TITLE + "</li>, </below>", "a text between items"),
    ("<below><item>" + TITLE + "</item></below>", "items of another name"),
    ("<counts><a>1</a></counts>", "a map by tags"),
    ("<counts><entry>1</entry></counts>", "an entry without its key"),
    ("<counts><entry key='a'>1</entry><entry key='a'>2</entry></counts>", "a key twice"),
    ("<counts><entry key='a\nb'>1</entry></counts>", "a line break in a key"),
    ("<years><entry key='x'>1</entry></years>", "a key of another type"),
    ("<pair><li>1</li></pair>", "a part too few"),
    ("<pair></pair>", "no parts at all"),
    ("<size>4</size>", "a text that fits two options"),
    ("<pet><lives>9</lives></pet>", "an option without its tag"),
    ("<pet><cat><lives>9</lives></cat><dog><name>x</name></dog></pet>", "two options"),
    ("<pet><cat><lives>nine</lives></cat></pet>", "a value to be mended"),
    ("<odd type='null'></odd>", "null, or the class of that name"),
    ("<note>None</note>", "a null word"),
    ("<note>a<!-- c -->b</note>", "a comment"),
    ("<?pi x?>", "an instruction"),
    ("<note><b>x</b></note>", "markup in a string"),
    ("<note>R&D</note>", "a bare &"),
    ("<note>a\rb</note>", "a carriage return"),
    ("<note>\x7f</note>", "the character that stands for &"),
    ("<note>\x01</note>", "a character that lxml refuses"),
    ("<note>\n  a\n  b\n</note>", "lines whose layout depends on the tag's"),
    ("<note>```\nx\n```</note>", "a fence"),
    ("<note>[value here - as a string]</note>", "a placeholder"),
    ("<note a='b'>x</note>", "an attribute that no prompt has"),
    ("<note value='x'/>", "a value in an attribute"),
    ("<note type='int'>x</note>", "a mark of another type"),
    ("<price>1,5</price>", "a number to be mended"),
    ("<price>1e400</price>", "a number that overflows"),
    ("<level>1</level>", "two choices that are written alike"),
    ("<verdict>Good</verdict>", "a choice in another case"),
    ("<extra>4</extra>", "any value without its mark"),
    ("<note>x</mote>", "another closing tag"),
    ("<below><li>" + TITLE + "</below></li>", "crossed nesting"),
    ("<below><li>" + TITLE + "</below>", "a closing tag that is missing"),
    ("<x:note xmlns:x='u'>x</x:note>", "a namespace"),
]


@pytest.mark.parametrize("inner", [pytest.param(inner, id=why) for inner, why in NOT_ELEMENTS])
def test_lxml_leaves_anything_else_alone(inner: str) -> None:
    """It does not read a page that needs its source, a record or a problem."""
    assert read_page(inner) is None


@pytest.mark.parametrize(("levels", "is_read"), [(MAX_DEPTH // 2 - 1, True), (MAX_DEPTH // 2, False), (5_000, False)])
def test_depth_is_bounded(levels: int, is_read: bool) -> None:
    """A reply that is nested too deeply is left to the reader that reports it."""
    inner = f"{TITLE}<below><li>" * levels + TITLE + "</li></below>" * levels
    assert (fast_tree(PAGE)(f"<page>{inner}</page>") is not None) == is_read


# Laws


def holds(response: StructuredResponse[Any], reply: str) -> None:
    """Checks a tree against the data of the reply, if a fast path reads it."""
    tree = fast_tree(response._plan)(reply)
    if tree is not None:
        data = typed(response._plan).validate_python(tree)
        assert same(ordered(response, data), ordered(response, response.to_dict()))


@settings(max_examples=part(4))
@given(instances(SUPPORTED))
def test_what_str_writes_is_read_rightly(instance: BaseModel) -> None:
    """This holds for any model."""
    response = StructuredResponse.from_basemodel(instance)
    holds(response, str(response))


@settings(max_examples=part(4))
@given(instances(SUPPORTED), st.builds(Variation, *[st.booleans()] * 5), st.integers(0, 2**32))
def test_what_str_writes_arranged_anew_is_read_rightly(instance: BaseModel, how: Variation, seed: int) -> None:
    """Fields in any order, other white space, prose, references and a prompt's attributes change nothing."""
    response = StructuredResponse.from_basemodel(instance)
    holds(response, varied(str(response), how, Random(seed)))


@settings(max_examples=part(4))
@given(instances(SUPPORTED))
def test_what_is_written_as_json_is_read_rightly(instance: BaseModel) -> None:
    """This holds for any model."""
    response = StructuredResponse.from_basemodel(instance)
    found = fast_json(response._plan)(response.to_json())
    if found is not None:
        data = typed(response._plan).validate_python(found.tree)
        assert same(ordered(response, data), ordered(response, response.to_dict()))


def test_an_instance_without_nulls_is_clean() -> None:
    """This holds whatever its texts are."""
    given = Review(headline="a & <b>\n c ", score=-4, price=1e20, mood="N/A ", pros=["", "x"], parts=[Part(label="y")])
    given.part = Part(label="None")
    assert by_expression(str(StructuredResponse.from_basemodel(given)))["headline"] == "a & <b>\n c "


SAME = [f"<review>\n{HEAD}\n{inner}</review>" for inner, _tree in CLEAN]
SAME += [f"<review>\n  <headline>{text}</headline>\n  <score>4</score>\n</review>" for text, _value in STRINGS]


@pytest.mark.parametrize("reply", SAME)
def test_law_3_the_careful_reader_reads_the_same(reply: str) -> None:
    """It has the same data, no repairs and no problems."""
    careful, _candidate = read_carefully(PLAN, reply, ParseOptions())
    data = careful.data if careful.is_typed else typed(PLAN).validate_python(careful.data)
    assert data == typed(PLAN).validate_python(read(reply))
    assert (list(careful.repairs), list(careful.problems)) == ([], [])


# JSON


class Card(BaseModel):
    last4: str


JSON: list[tuple[Any, str, Any]] = [
    (Part, '{"label": "a", "points": 4}', {"label": "a", "points": "4"}),
    (Part, '{"label": "\\u00e9\\n <points>"}', {"label": "\u00e9\n <points>"}),
    (list[Part], '[{"label": "a"}, {"label": "b"}]', [{"label": "a"}, {"label": "b"}]),
    (list[int | None], "[1, null]", ["1", None]),
    (tuple[int, str], '[1, "a"]', ["1", "a"]),
    (list[dict[str, bool]], '[{"a": true, "b": false}]', [{"a": "true", "b": "false"}]),
    (list[dict[int, str]], '[{"1": "a"}]', [{"1": "a"}]),
    (list[Decimal], '[1.10, "2.50"]', ["1.10", "2.50"]),
    (list[float], "[1.5, NaN]", ["1.5", "NaN"]),
    (list[Level], "[1, 12]", [1, 12]),
    (list[Part | Card], '[{"label": "a", "points": 1}, {"last4": "1"}]', [{"label": "a", "points": 1}, {"last4": "1"}]),
    (list[Any], '[{"a": [1, "x", null, true]}]', [{"a": [1, "x", None, True]}]),
]

NOT_JSON: list[tuple[Any, str]] = [
    (Part, '{"Label": "a"}'),
    (Part, '{"label": "a", "label": "b"}'),
    (Part, '{"label": "a", "more": 1}'),
    (Part, '{"points": 1}'),
    (Part, "{}"),
    (Part, '{"label": 1}'),
    (Part, '{"label": null}'),
    (Part, '{"label": "a", "points": "4"}'),
    (Part, '{"label": "a", "points": 4.0}'),
    (Part, '{"label": "\\ud83d"}'),
    (Part, '{"label": "[value here]"}'),
    (Part, '{"label": "a",}'),
    (Part, '{"label": "a"} or {"label": "b"}'),
    (Part, 'label: x\n{"label": "a"}'),
    (Part, '<think>x</think>{"label": "a"}'),
    (Part, '{"label": "a"}}'),
    (Part, '"a"'),
    (list[Part], "[{}]"),
    (list[float], "[1e999]"),
    (tuple[int, str], "[1]"),
    (list[dict[float, str]], '[{"1": "a", "1.0": "b"}]'),
    (list[dict[str, str]], '[{"input": "a"}]'),
    (list[Level], '["1"]'),
    (list[Literal["a"]], '["b"]'),
    (list[Part | Card], '[{"other": 1}]'),
    (list[Any], '[{"a": 1, "a": 2}]'),
    (list[Any], "[" * 150 + "]" * 150),
    (Part, "[" * 100_000),
    (Part, "{" * 100_000),
]


@pytest.mark.parametrize(("asked", "text", "tree"), JSON)
@pytest.mark.parametrize(("before", "behind"), [("", ""), ("```json\n", "\n```"), ("Here it is:\n", "\nDone.")])
def test_clean_json_is_a_tree(asked: Any, text: str, tree: Any, before: str, behind: str) -> None:
    """The tree has its place in the reply: alone, in a fence or among words."""
    found = fast_json(StructuredResponse.from_type(asked, "holder")._plan)(before + text + behind)
    assert found == (tree, (len(before), len(before) + len(text)), [])


@pytest.mark.parametrize(("asked", "text"), NOT_JSON)
def test_all_other_json_is_left_to_the_careful_reader(asked: Any, text: str) -> None:
    """A fast path does not read JSON that needs a record or a problem."""
    assert fast_json(StructuredResponse.from_type(asked, "holder")._plan)(text) is None


# YAML

YAML: list[tuple[Any, str, Any]] = [
    (Part, "label: a\npoints: 4", {"label": "a", "points": "4"}),
    (Part, "label: |\n  a # b\n  c\n", {"label": "a # b\nc"}),
    (Part, "label: |+\n  a\n", {"label": "a\n"}),
    (Part, "label: 'null'", {"label": "null"}),
    (
        dict[str, float | int],
        f"```yaml\na: .NaN\nb: -.inf\nc: {'9' * 30}\n```",
        {"a": math.nan, "b": -math.inf, "c": int("9" * 30)},
    ),
    (Part, "```yaml\nlabel: a\n```", {"label": "a"}),
    (Part, "Here it is.\n```yaml\nlabel: a\n```\nDone.", {"label": "a"}),
    (list[Part], "```yaml\n- label: a\n```", [{"label": "a"}]),
    (dict[str, list[int] | str], "```yaml\na: []\nb: '[]'\n```", {"a": [], "b": "[]"}),
]

NOT_YAML: list[tuple[Any, str]] = [
    (Part, "label: a # b"),
    (Part, "label: a\n  b"),
    (Part, "label: None"),
    (Part, "label: 1"),
    (Part, "label: str = a"),
    (Part, "label: <part>a</part>"),
    (Part, "label: a<|im_end|>"),
    (Part, "label: a\nlabel: b"),
    (Part, "label: a\nmore: b"),
    (Part, "points: 1"),
    (Part, "Done:\nlabel: a"),
    (Part, "Score: 5\n```yaml\nlabel: a\n```"),
    (Part, '{"label": "a"}'),
    (Part, "label: '[value here]'"),
    (list[str], "- a"),
    (str, "a"),
]


@pytest.mark.parametrize(("asked", "text", "tree"), YAML)
def test_clean_yaml_is_a_tree(asked: Any, text: str, tree: Any) -> None:
    """YAML is alone and begins with the name of a field, or it is in a fence that declares it."""
    found = fast_yaml(StructuredResponse.from_type(asked, "part")._plan)(text, False)
    assert found is not None
    assert (repr(found.tree), found.repairs) == (repr(tree), [])


@pytest.mark.parametrize(("asked", "text"), NOT_YAML)
def test_all_other_yaml_is_left_to_the_careful_reader(asked: Any, text: str) -> None:
    """That includes values that YAML reads in another way than people do."""
    assert fast_yaml(StructuredResponse.from_type(asked, "part")._plan)(text, False) is None


# Time


HOSTILE: dict[str, Callable[[int], str]] = {
    "brackets": lambda size: "<" * size,
    "brackets in a string": lambda size: f"<review><headline>{'<' * size}</headline><score>4</score></review>",
    "blanks in a string": lambda size: f"<review><headline>{'<  ' * size}</headline><score>4</score></review>",
    "unclosed strings": lambda size: "<review>" + "<headline>" * size,
    "unclosed items": lambda size: f"<review>{HEAD}<pros>" + "<li>a" * size + "</review>",
    "items that end badly": lambda size: f"<review>{HEAD}<pros>" + "<li>a <b></li>" * size + "</review>",
    "nested names": lambda size: "<review><headline>" * size + "</headline></review>" * size,
    "nested lists": lambda size: f"<review>{HEAD}<grid>" + "<li>" * size + "</li>" * size + "</grid></review>",
    "pairs in a string": lambda size: f"<review><headline>{'<b>x</b>' * size}</headline><score>4</score></review>",
    "blanks between": lambda size: f"<review>{HEAD}{' ' * size}<sure>x</sure></review>",
    "attributes": lambda size: f"<review>{HEAD}<pros" + " type='list'" * size + "></pros></review>",
    "references": lambda size: f"<review><headline>{'&amp' * size}</headline><score>4</score></review>",
    "comments": lambda size: f"<review><headline>{'<!--' * size}</headline><score>4</score></review>",
    "slashes": lambda size: f"<review><score>4</score><headline>{'/ ' * size}</headline></review>",
    "labels in front": lambda size: "a" * 39 * size + f"<review>{HEAD}</review>",
}


@pytest.mark.parametrize("attack", HOSTILE)
def test_time_is_linear(attack: str) -> None:
    """Sixteen times as much text takes about sixteen times as long."""
    assert grows_with_the_text(read, HOSTILE[attack], 2_000)


def test_hostile_replies_raise_nothing() -> None:
    """The fast paths read a hostile reply or leave it."""
    for attack in ATTACKS.values():
        reply = attack.make(2_000)
        for plan in (PLAN, PAGE, attack.response._plan):
            fast_tree(plan)(reply)
            fast_json(plan)(reply)


def test_nothing_of_a_reply_is_kept() -> None:
    """Memory does not grow with the replies that are read, nor with those that are left."""
    replies = [
        f"<review><headline>{tag}</headline><score>4</score></review>" for tag in ("<b>x</b>", "<score>", "a & b")
    ]
    replies.append('{"label": ["a"]}')

    def run(times: int) -> None:
        for reply in replies * times:
            read(reply)
            fast_json(PLAN)(reply)
        gc.collect()

    run(50)
    tracemalloc.start()
    run(50)
    before, _peak = tracemalloc.get_traced_memory()
    run(500)
    after, _peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert after - before < 20_000
