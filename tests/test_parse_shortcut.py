"""The shortcut: which replies it must read, and which it must leave to the readers behind it."""

from enum import IntEnum
from typing import Any, Literal

import pytest
from pydantic import BaseModel

from structured_response import StructuredResponse
from structured_response.limits import MAX_NESTING
from structured_response.parse.xml.shortcut import shortcut


class Part(BaseModel):
    label: str
    points: int = 0


class Level(IntEnum):
    LOW = 1
    HIGH = 12


class Review(BaseModel):
    headline: str
    score: int
    price: float | None = None
    mood: str | None = None
    verdict: Literal["good", "good - not bad"] = "good"
    level: Level = Level.LOW
    sure: bool = True
    pros: list[str] = []
    part: Part | None = None
    parts: list[Part] = []
    grid: list[list[int]] = []


PLAN = StructuredResponse.from_basemodel(Review)._plan
HEAD = "<headline>Nice</headline><score>4</score>"


def read(reply: str) -> Any:
    """What the shortcut makes of a reply."""
    read_clean = shortcut(PLAN)
    assert read_clean is not None
    return read_clean(reply)


CLEAN: list[tuple[str, dict[str, Any]]] = [
    ("", {}),
    ("<price>1.5</price>", {"price": "1.5"}),
    ("<mood> fine\n</mood>", {"mood": "fine"}),
    ("<verdict>good - not bad</verdict>", {"verdict": "good - not bad"}),
    ("<level>12</level>", {"level": 12}),
    ("<sure>\n false \n</sure>", {"sure": "false"}),
    ("<pros></pros>", {"pros": []}),
    ("<pros>\n<li>a &amp; b</li>\n <li></li> </pros>", {"pros": ["a & b", ""]}),
    ("<part><label>a</label></part>", {"part": {"label": "a"}}),
    (
        "<parts><li><label>a</label><points>1</points></li></parts>",
        {"parts": [{"label": "a", "points": "1"}]},
    ),
    ("<grid><li><li>1</li><li>2</li></li><li></li></grid>", {"grid": [["1", "2"], []]}),
]


@pytest.mark.parametrize(("inner", "tree"), CLEAN)
@pytest.mark.parametrize(
    ("before", "behind"), [("", ""), ("Sure, here!\n", "\nDone > all, for now."), ("```xml\n", "\n```")]
)
def test_a_clean_reply_is_read(inner: str, tree: dict[str, Any], before: str, behind: str) -> None:
    """Exact names in the definition's order, strict forms and no other markup: the tree of texts."""
    assert read(f"{before}<review>\n{HEAD}\n{inner}</review>{behind}") == {
        "headline": "Nice",
        "score": "4",
        **tree,
    }


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
]


@pytest.mark.parametrize(("text", "value"), STRINGS)
def test_a_string_without_markup_is_read(text: str, value: str) -> None:
    """Entities, lines and blanks are read as the rule of texts has it."""
    assert read(f"<review><headline>{text}</headline><score>4</score></review>")["headline"] == value


LEFT_ALONE = [
    (f"<review a='1'>{HEAD}</review>", "an attribute"),
    (f"<review><!-- c -->{HEAD}</review>", "a comment"),
    (f"<!-- c --><review>{HEAD}</review>", "a comment in front"),
    (f"<review>{HEAD}</review><review>{HEAD}</review>", "a second answer"),
    (f"<review>{HEAD}</review> <b>x</b>", "other markup"),
    (f"<think>x</think><review>{HEAD}</review>", "reasoning"),
    (f"a < b <review>{HEAD}</review>", "a < in prose"),
    (f'{{"answer": "<review>{HEAD}</review>"}}', "a JSON string around it"),
    (f'{{"answer": "\\n <review>{HEAD}</review>"}}', "a JSON string that begins with blanks"),
    (f"Example 1, for another input:\n<review>{HEAD}</review>", "the heading of an example"),
    (f"<review>{HEAD}</review>\nAbove: one, for another input:", "the heading of an example behind"),
    (f"<Review>{HEAD}</Review>", "another spelling of the root"),
    ("<review><score>4</score><headline>Nice</headline></review>", "another order"),
    ("<review><Headline>Nice</Headline><score>4</score></review>", "another spelling of a field"),
    (f"<review>{HEAD}<mood>x</mood><price>3</price></review>", "an option out of order"),
    (f"<review>{HEAD}<extra>x</extra></review>", "an unknown element"),
    (f"<review>{HEAD}<score>4</score></review>", "a field that stands there twice"),
    (f"<review>x{HEAD}</review>", "a stray text"),
    ("<review><headline>Nice</headline></review>", "a required field that is missing"),
    ("<review><headline><b>x</b></headline><score>4</score></review>", "markup in a string"),
    ("<review><headline>a < b</headline><score>4</score></review>", "a < in a string"),
    ("<review><headline><![CDATA[a]]></headline><score>4</score></review>", "CDATA"),
    ("<review><headline>R&D</headline><score>4</score></review>", "a bare &"),
    ("<review><headline>&bogus;</headline><score>4</score></review>", "an unknown entity"),
    ("<review><headline>```\nx\n```</headline><score>4</score></review>", "a fence"),
    ("<review><headline>\n```\nx\n```\n</headline><score>4</score></review>", "a fence of its own lines"),
    ("<review><headline>[value here - as a string]</headline><score>4</score></review>", "a placeholder"),
    ("<review>\n <headline>\n  a\n  b\n </headline><score>4</score></review>", "lines that are all indented"),
    ("<review><headline>x</headline><score>+4</score></review>", "a number to be mended"),
    ("<review><headline>x</headline><score>&#52;</score></review>", "a number in entities"),
    ("<review><headline>x</headline><score>04</score></review>", "a number with a leading nought"),
    ("<review><headline>x</headline><score>٤</score></review>", "other digits"),
    (f"<review>{HEAD}<price>1e400</price></review>", "a float that overflows"),
    (f"<review>{HEAD}<mood>N/A</mood></review>", "a null word"),
    (f"<review>{HEAD}<mood>\n none </mood></review>", "a null word among blanks"),
    (f"<review>{HEAD}<mood></mood></review>", "an empty nullable string"),
    (f"<review>{HEAD}<verdict>Good</verdict></review>", "a choice in another case"),
    (f"<review>{HEAD}<level>HIGH</level></review>", "a choice by its member"),
    (f"<review>{HEAD}<sure>yes</sure></review>", "a boolean in another word"),
    (f"<review>{HEAD}<pros><item>a</item></pros></review>", "items of another name"),
    (f"<review>{HEAD}<pros>a, b</pros></review>", "a list without items"),
    (f"<review>{HEAD}</review", "a tag that does not end"),
    (f"<review>{HEAD}", "an answer that does not end"),
    ("", "nothing"),
]


_EMPTY_IS_NULL = "an empty nullable string"


@pytest.mark.parametrize("reply", [pytest.param(reply, id=why) for reply, why in LEFT_ALONE if why != _EMPTY_IS_NULL])
def test_anything_else_is_left_to_the_next_reader(reply: str) -> None:
    """Whatever needs a second look, a record or a problem is not matched."""
    assert read(reply) is None


def test_an_empty_nullable_string_is_null_whoever_reads() -> None:
    """The shortcut may read it or leave it; empty it is not."""
    tree = read(f"<review>{HEAD}<mood></mood></review>")
    assert tree is None or tree["mood"] is None


class Clash(BaseModel):
    x: Literal[1, "1"]


class Blank(BaseModel):
    x: Literal["", " a"]


class Loop(BaseModel):
    x: list["Loop"] = []


@pytest.mark.parametrize("model", [Loop])
def test_some_definitions_have_no_shortcut(model: type[BaseModel]) -> None:
    """A shape that repeats itself has no regular expression."""
    assert shortcut(StructuredResponse.from_basemodel(model)._plan) is None


@pytest.mark.parametrize("required", [True, False])
def test_the_deepest_definition_has_a_shortcut(required: bool) -> None:
    """As deep as a definition may be, what the shortcut compiles is not too deep for Python."""
    levels = MAX_NESTING - 2
    node: dict[str, Any] = {"type": "int"}
    for _ in range(levels):
        node = {"type": "dict", "elements": {"a": node}, **({} if required else {"required": False})}
    read_clean = shortcut(StructuredResponse.from_definition("X", {"a": node})._plan)
    assert read_clean is not None
    tree = read_clean(f"<x>{'<a>' * (levels + 1)}1{'</a>' * (levels + 1)}</x>")
    for _ in range(levels + 1):
        tree = tree["a"]
    assert tree == "1"


@pytest.mark.parametrize(("model", "text"), [(Clash, "1"), (Blank, ""), (Blank, "a"), (Blank, "&#32;a")])
def test_choices_that_are_easily_mistaken_agree(model: type[BaseModel], text: str) -> None:
    """Of choices that are written alike the shortcut says what the strict reader says, or nothing."""
    response = StructuredResponse.from_basemodel(model)
    name = response._plan.root_name
    read_clean = shortcut(response._plan)
    tree = read_clean(f"<{name}><x>{text}</x></{name}>") if read_clean else None
    careful = response.parse(f"<{name}><x a='b'>{text}</x></{name}>", strict=False).to_dict()
    assert tree is None or (tree == careful and type(tree["x"]) is type(careful["x"]))


def test_what_the_library_writes_is_clean() -> None:
    """An instance without nulls is written as the shortcut reads it."""
    given = Review(headline="a & <b>\n c ", score=-4, price=1e20, mood="N/A ", pros=["", "x"], parts=[Part(label="y")])
    given.part = Part(label="None")
    assert read(str(StructuredResponse.from_basemodel(given)))["headline"] == "a & <b>\n c "
