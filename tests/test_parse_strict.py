"""The strict reader: which replies it must read, which it must leave alone, and that all readers agree."""

from decimal import Decimal
from random import Random
from typing import Any, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

from structured_response import StructuredResponse
from structured_response.limits import MAX_DEPTH
from structured_response.parse.reader import read_carefully
from structured_response.parse.xml.shortcut import shortcut
from structured_response.parse.xml.strict import strict
from structured_response.validate import typed
from tests.strategies import SUPPORTED, instances
from tests.test_laws import ordered, part, same
from tests.variants import Variation, varied


def agree(response: StructuredResponse[Any], reply: str) -> bool:
    """Holds every reader that takes a reply against the data it says. Tells whether the strict reader took it."""
    plan = response._plan
    held = ordered(response, response.to_dict())
    tree = strict(plan)(reply)
    quick = shortcut(plan)
    for texts in (tree, None if quick is None else quick(reply)):
        assert texts is None or same(ordered(response, typed(plan).validate_python(texts)), held)
    careful = read_carefully(plan, reply)
    assert [str(problem) for problem in careful.problems] == []
    data = careful.data if careful.is_typed else typed(plan).validate_python(careful.data)
    assert same(ordered(response, data), held)
    assert tree is None or not careful.repairs
    return tree is not None


@settings(max_examples=part(4))
@given(instances(SUPPORTED))
def test_law_3_what_str_writes(instance: BaseModel) -> None:
    """All readers give the data that `str` wrote."""
    response = StructuredResponse.from_basemodel(instance)
    agree(response, str(response))


@settings(max_examples=part(4))
@given(instances(SUPPORTED), st.builds(Variation, *[st.booleans()] * 5), st.integers(0, 2**32))
def test_law_3_what_str_writes_arranged_anew(instance: BaseModel, how: Variation, seed: int) -> None:
    """Fields in any order, other white space, prose, references and a prompt's attributes change nothing."""
    response = StructuredResponse.from_basemodel(instance)
    agree(response, varied(str(response), how, Random(seed)))


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


PLAN = StructuredResponse.from_basemodel(Page)._plan
TITLE = "<title>T</title>"


def read(inner: str) -> Any:
    """What the strict reader makes of a page that holds this besides its title; None where it steps aside."""
    tree = strict(PLAN)(f"<page>{TITLE}{inner}</page>")
    return None if tree is None else {name: value for name, value in tree.items() if name != "title"}


STRICT: list[tuple[str, Any]] = [
    ("", {}),
    ("<price>1.5</price><note> a\n b</note>", {"price": "1.5", "note": " a\n b"}),
    ("<size>4</size>", None),  # fits a string, too
    ("<size>four</size>", {"size": "four"}),
    ("<size type='int'>4</size>", {"size": 4}),
    ("<size type='str'>4</size>", {"size": "4"}),
    ("<size type='str'></size>", {"size": ""}),
    ("<pet><cat><lives>9</lives></cat></pet>", {"pet": {"lives": 9}}),
    ("<pet type='dog'><name>Rex</name></pet>", {"pet": {"name": "Rex"}}),
    ("<pet><dog><owner type='null'/><name>Rex</name></dog></pet>", {"pet": {"owner": None, "name": "Rex"}}),
    ("<pet type='null'></pet>", {"pet": None}),
    ("<odd><null><why>x</why></null></odd>", {"odd": {"why": "x"}}),
    (
        "<counts><entry key='a &amp; b'>1</entry>\n<entry key=\"it's\">2</entry></counts>",
        {"counts": {"a & b": "1", "it's": "2"}},
    ),
    ("<counts><entry key='&#10;a'>1</entry></counts>", {"counts": {"\na": "1"}}),
    ("<counts></counts>", {"counts": {}}),
    ("<years><entry key='1999'>x</entry></years>", {"years": {"1999": "x"}}),
    ("<pair><li>1</li><li> x </li></pair>", {"pair": ["1", "x"]}),
    ("<below><li><below></below>\n<title>a</title></li></below>", {"below": [{"below": [], "title": "a"}]}),
    ("<note></note>", {"note": None}),
    ("<note type='str'></note>", {"note": ""}),
    ("<note>&#78;one &lt;b&gt; &eacute;</note>", {"note": "None <b> \u00e9"}),
    ("<note>&#32;a&#32;</note>", {"note": " a "}),
    ("<note>\n a\nb\n</note>", {"note": " a\nb"}),
    ("<verdict>\n good - not bad\n</verdict>", {"verdict": "good - not bad"}),
    ("<level type='str'>1</level>", {"level": "1"}),
    ("<level type='int'>1</level>", {"level": 1}),
    ("<exact>1E+3</exact>", {"exact": "1E+3"}),
    ("<extra type='list'><li type='int'>1</li><li type='null'/></extra>", {"extra": [1, None]}),
    ("<extra type='map'><entry key='' type='float'>1.0</entry></extra>", {"extra": {"": 1.0}}),
    ("<below><li index='0'>" + TITLE + "</li></below>", {"below": [{"title": "T"}]}),
    ("<price type='float' required='false' description='a > b'>2</price>", {"price": "2"}),
]


@pytest.mark.parametrize(("inner", "tree"), STRICT)
def test_what_fits_is_read(inner: str, tree: Any) -> None:
    """Exact names in any order, marks and attributes as they are written and shown, the rules of texts."""
    found = read(inner)
    assert found == tree
    assert repr(found) == repr(tree)
    if tree is not None:
        careful = read_carefully(PLAN, f"<page>{TITLE}{inner}</page>")
        assert (careful.repairs, careful.problems) == ([], [])
        again = typed(PLAN).validate_python({"title": "T", **found})
        assert same(ordered(None, again), ordered(None, careful.data))  # type: ignore[arg-type]


LEFT_ALONE = [
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
    ("<pet><lives>9</lives></pet>", "an option without its tag"),
    ("<pet><cat><lives>9</lives></cat><dog><name>x</name></dog></pet>", "two options"),
    ("<pet><cat><lives>nine</lives></cat></pet>", "a value to be mended"),
    ("<odd type='null'></odd>", "null, or the class of that name"),
    ("<note>None</note>", "a null word"),
    ("<note><![CDATA[x]]></note>", "CDATA"),
    ("<note>a<!-- c -->b</note>", "a comment"),
    ("<!-- c -->", "a comment between elements"),
    ("<?pi x?>", "an instruction"),
    ("<note><b>x</b></note>", "markup in a string"),
    ("<note>R&D</note>", "a bare &"),
    ("<note>&bogus;</note>", "an unknown reference"),
    ("<note>a\rb</note>", "a carriage return"),
    ("<note>\x7f</note>", "the character that stands for &"),
    ("<note>\x01</note>", "a character that lxml refuses"),
    ("<note>\ud800</note>", "half of a surrogate pair"),
    ("<note>]]></note>", "what XML forbids in a text"),
    ("<note>\n  a\n  b\n</note>", "lines whose layout depends on the tag's"),
    ("<note>```\nx\n```</note>", "a fence"),
    ("<note>[value here - as a string]</note>", "a placeholder"),
    ("<note a='b'>x</note>", "an attribute that nobody shows"),
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


@pytest.mark.parametrize("inner", [pytest.param(inner, id=why) for inner, why in LEFT_ALONE])
def test_anything_else_is_left_to_the_tolerant_reader(inner: str) -> None:
    """Whatever needs the source, a record or a problem is not read."""
    assert read(inner) is None


GOOD = f"<page>{TITLE}</page>"


@pytest.mark.parametrize(
    ("reply", "is_read"),
    [
        (f"Sure, 2 > 1:\n```xml\n{GOOD}\n```\nDone.", True),
        (f"<?xml version='1.0'?>\n{GOOD}", True),
        (GOOD.replace("<page>", "<page type='dict'>"), True),
        (GOOD + GOOD, False),
        (f"<page/> {GOOD}", False),
        (f"<think>x</think>{GOOD}", False),
        (f"so </think> it is {GOOD}", False),
        (f"{GOOD}</think>", False),
        (f"a <title> comes first {GOOD}", False),
        (f'{{"title": "x"}} {GOOD}', False),
        (f'"{GOOD}"', False),
        (f"\uff1cpage\uff1e{GOOD}", False),
        (f"<!DOCTYPE page [<!ENTITY a 'b'>]>{GOOD}", False),
        (f"Example 1, for another input:\n{GOOD}", False),
        (f"{GOOD}\nAbove: one, for another input:", False),
        (GOOD.replace("<title>", "<title>One, for another input:"), True),
        (f"<wrap>{GOOD}</wrap>", False),
        (GOOD.replace("page", "Page"), False),
        (GOOD[:-1], False),
        ("<page/>", False),
        ("", False),
    ],
)
def test_what_may_stand_around_the_root(reply: str, is_read: bool) -> None:
    """Prose, a fence and the XML declaration; no other tag, and nothing that could be a rival answer."""
    assert (strict(PLAN)(reply) is not None) == is_read


@pytest.mark.parametrize(("levels", "is_read"), [(MAX_DEPTH // 2 - 1, True), (MAX_DEPTH // 2, False), (5_000, False)])
def test_depth_is_bounded(levels: int, is_read: bool) -> None:
    """What is nested too deeply is left to the reader that says so."""
    inner = f"{TITLE}<below><li>" * levels + TITLE + "</li></below>" * levels
    assert (strict(PLAN)(f"<page>{inner}</page>") is not None) == is_read
