"""Text in place of elements, and replies of lines and of YAML: which elements they hold, and where those stand."""

from __future__ import annotations

import gc
import re
from collections.abc import Callable
from datetime import date
from functools import partial
from time import process_time
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, RootModel

from structured_response import StructuredResponse
from structured_response.read.build import Element, Tree
from structured_response.read.grammar import Grammar, grammar_of
from structured_response.read.scan_lines import read_content, read_lines, read_yaml
from structured_response.read.scan_yaml import yaml_text
from tests.strategies import SUPPORTED, instances


class Part(BaseModel):
    label: str
    points: int


class Place(BaseModel):
    street: str
    city: str


class Review(BaseModel):
    headline: str
    score: int
    pros: list[str] = []
    marks: list[int] = []
    days_off: list[date] = []
    moods: list[bool] = []
    parts: list[Part] = []
    place: Place | None = None
    counts: dict[str, int] = {}
    notes: dict[str, str] = {}
    at: tuple[float, float] | None = None
    days: tuple[date, date] | None = None
    pair: tuple[str, int] | None = None
    rows: list[list[str]] = []
    points: list[tuple[int, int]] = []


class Parts(RootModel[list[Part]]):
    pass


class Single(BaseModel):
    title: str


def grammar(model: type[BaseModel]) -> Grammar:
    """The grammar of a model."""
    return grammar_of(StructuredResponse.from_basemodel(model)._plan)


REVIEW = grammar(Review)


def said(element: Element, text: str) -> Any:
    """What an element holds: a text, a list of items, or parts by their names."""
    children = [child for child in element.children if child.role != "skipped"]
    if not children:
        return text[element.inner : element.end]
    if all(child.role == "item" for child in children):
        return [said(child, text) for child in children]
    return {child.step or child.name: said(child, text) for child in children}


def content(name: str, text: str) -> Any:
    """What a text says in place of the elements of a field."""
    tree = content_tree(name, text)
    return None if tree is None or tree.root is None else said(tree.root, text)


def content_tree(name: str, text: str) -> Tree | None:
    """The elements of a text in place of those of a field."""
    return read_content(REVIEW, REVIEW.root.fields[name][1], name, text, 0, len(text))


LISTS: list[tuple[str, str, Any]] = [
    ("pros", "- a\n- b", ["a", "b"]),
    ("pros", "* a\n* b\n", ["a", "b"]),
    ("pros", "\u2022 a\n\u2022 b", ["a", "b"]),
    ("pros", "1. a\n2. b\n10. c", ["a", "b", "c"]),
    ("pros", "(1) a\n(2) b", ["a", "b"]),
    ("pros", "a) x\nb) y", ["x", "y"]),
    ("pros", "- [x] done\n- [X] too", ["done", "too"]),
    ("pros", "- [x] done\n- [ ] open", None),
    ("pros", "\u2705 done\n\u274c open", None),
    ("pros", "\u2705 a\n\u2705 b", ["a", "b"]),
    ("pros", "\u2705 a \u2705 b", None),
    ("pros", "\u2022a\n\u2022b", ["a", "b"]),
    ("pros", "1\u3001a\n2\u3001b", ["a", "b"]),
    ("pros", "i) x\nii) y", ["x", "y"]),
    ("pros", "a\n---\nb", ["a", "b"]),
    ("pros", "- a,\n- b", ["a", "b"]),
    ("pros", "red<br>green<br/>blue", ["red", "green", "blue"]),
    ("pros", "(1) a; (2) b", None),
    ("pros", "1. a 2. b and 3. c", None),
    ("pros", "1. foo (see 2. bar)", ["foo (see 2. bar)"]),
    ("pros", '"a, b", c', ['"a, b"', "c"]),
    ("pros", "it's, that's", ["it's, that's"]),
    ("pros", "- a\r\n- b\r\n", ["a", "b"]),
    ("pros", "- a, b\n- c; d", ["a, b", "c; d"]),
    ("pros", "- a\n  more\n- b", ["a\n  more", "b"]),
    ("pros", "- a\n  - a1\n  - a2\n- b", ["a\n  - a1\n  - a2", "b"]),
    ("pros", "1. a\n- a1\n2. b", ["a\n- a1", "b"]),
    ("pros", '* "NA"\n* "-"', ["NA", "-"]),
    ("pros", "\u2022 a \u2022 b", None),
    ("pros", "1. a 2. b 3. c", None),
    ("pros", "- a\n-\n- b", ["a", "b"]),
    ("pros", "- a\n- b\n\nThese are the pros.", ["a", "b"]),
    ("pros", "Here they are:\n- a\n- b", ["a", "b"]),
    ("pros", "a\nb\n\nc", ["a", "b", "c"]),
    ("pros", "a,\nb,\nc", ["a", "b", "c"]),
    ("pros", "It is light.\nIt is cheap.", ["It is light.", "It is cheap."]),
    ("pros", "```\n- a\n- b\n```", ["a", "b"]),
    ("pros", "light; cheap", ["light", "cheap"]),
    ("pros", "a, b; c, d", ["a, b", "c, d"]),
    ("pros", "a | b | c", ["a", "b", "c"]),
    ("pros", "red, green, blue", ["red", "green", "blue"]),
    ("pros", "red, green and blue", ["red", "green", "blue"]),
    ("pros", "red, green, and blue.", ["red", "green", "blue"]),
    ("pros", "(red, green)", ["red", "green"]),
    ("pros", '"great battery", "slow, but fine"', ["great battery", "slow, but fine"]),
    ("pros", "red (dark, deep), green", ["red (dark, deep)", "green"]),
    ("pros", "R&amp;D; cheap", ["R&amp;D", "cheap"]),
    ("pros", "costs 1,299, weighs 5", ["costs 1,299", "weighs 5"]),
    ("pros", "Light, cheap and a joy to use, really", ["Light, cheap and a joy to use, really"]),
    ("pros", "It works, mostly", ["It works, mostly"]),
    ("pros", "light", ["light"]),
    ("marks", "1, 2, 3", ["1", "2", "3"]),
    ("marks", "- 4\n- 5", ["4", "5"]),
    ("marks", "-4\n-5", ["-4", "-5"]),
    ("marks", "4", ["4"]),
    ("marks", "1,299", None),
    ("marks", "1 299", None),
    ("marks", "1,2,3", ["1", "2", "3"]),
    ("marks", "1, 3, total 2", None),
    ("days_off", "March 2, 2024", ["March 2, 2024"]),
    ("days_off", "2024-01-01, 2024-01-02", ["2024-01-01", "2024-01-02"]),
    ("moods", "yes, no", ["yes", "no"]),
    ("moods", "yes, definitely", ["yes, definitely"]),
    ("points", "(1,2), (3,4)", ["(1,2)", "(3,4)"]),
    ("points", "1, 2\n3, 4", ["1, 2", "3, 4"]),
]

TUPLES: list[tuple[str, str, Any]] = [
    ("at", "(47.6231, -122.5107)", ["47.6231", "-122.5107"]),
    ("at", "$58,000 - $66,000", ["$58,000", "$66,000"]),
    ("at", "1 to 3", ["1", "3"]),
    ("at", "5-7", ["5", "7"]),
    ("at", "-5 - -3", None),
    ("at", "1, 2, 3", None),
    ("at", "1\n2", ["1", "2"]),
    ("pair", "Alice, and 30", ["Alice", "30"]),
    ("days", "July 20, 2024 - July 21, 2024", ["July 20, 2024", "July 21, 2024"]),
    ("days", "March 2, 2024", None),
    ("pair", "Alice, 30", ["Alice", "30"]),
    ("pair", "Alice - 30", None),
]

MAPS: list[tuple[str, str, Any]] = [
    ("counts", "a: 1\nb: 2", {"a": "1", "b": "2"}),
    ("counts", "- Ferry: \u20ac28.50\n- Gas: \u20ac45", {"Ferry": "\u20ac28.50", "Gas": "\u20ac45"}),
    ("counts", "a = 1\nb=2", {"a": "1", "b": "2"}),
    ("counts", "a -> 1\nb \u2192 2", None),
    ("counts", "**a:** 1\n**b**: *2*", {"a": "1", "b": "*2*"}),
    ("counts", "a: 1, b: 2", None),
    ("counts", "a=1; b=2", None),
    ("notes", "a: x\n  more: y\nb: z", {"a": "x\n  more: y", "b": "z"}),
    ("notes", "10:30: lunch\n11:00: nap", {"10:30": "lunch", "11:00": "nap"}),
    ("notes", "url: http://x\nother: 10:30", {"url": "http://x", "other": "10:30"}),
    ("notes", '"a: b": x', {"a: b": "x"}),
    ("notes", 'a: "x"\nb: y', {"a": '"x"', "b": "y"}),
    ("notes", '"a": "x",\n"b": "y"', {"a": "x", "b": "y"}),
    ("notes", "n=Kim&a=30", None),
    ("notes", "__init__ = 2\n*args: 1", None),
    ("notes", "Here are the notes:\na: 1\nb: 2", {"a": "1", "b": "2"}),
    ("notes", "two words: 1\nthree small words: 2", {"two words": "1", "three small words": "2"}),
    ("notes", "li: 1\nnotes: 2", {"li": "1", "notes": "2"}),
    ("notes", "nothing", None),
    ("notes", "no key\na: 1", None),
]

TWO_PARTS = [{"label": "a", "points": "1"}, {"label": "b", "points": "2"}]

OBJECTS: list[tuple[str, str, Any]] = [
    ("place", "street: x, city: y", None),
    ("place", "street: a, b; city: y", None),
    ("place", "street: x\ncity: y", {"street": "x", "city": "y"}),
    ("place", "- **Street:** x\n- **City:** y", {"street": "x", "city": "y"}),
    ("place", "- street: x\n  city: y", {"street": "x", "city": "y"}),
    ("place", "street: x\n  more\ncity: y", {"street": "x\n  more", "city": "y"}),
    ("place", "street: x\nzip: 1\ncity: y", {"street": "x", "city": "y"}),
    ("place", "street: x\nZip: 1\ncity: y", {"street": "x\nZip: 1", "city": "y"}),
    ("place", "stret: x\ncity: y", {"street": "x", "city": "y"}),
    ("place", "street=x city=y", None),
    ("place", "somewhere", None),
    ("parts", "- label: a\n  points: 1\n- label: b", ["label: a\n  points: 1", "label: b"]),
    ("parts", "label: a\npoints: 1\nlabel: b\npoints: 2", TWO_PARTS),
    ("parts", "- label: a\n- points: 1\n- label: b\n- points: 2", TWO_PARTS),
    ("parts", "label: a, points: 1\nlabel: b, points: 2", [{"label": "b, points: 2"}]),
]  # fmt: skip

TABLES: list[tuple[str, str, Any]] = [
    ("parts", "| Label | points |\n|---|--:|\n| a | 1 |\n| b | |", [{"label": "a", "points": "1"}, {"label": "b"}]),
    ("rows", "| x | y |\n|---|---|\n| a | 1 |", [["x", "y"], ["a", "1"]]),
    ("pros", "| tag |\n|---|\n| a, b |\n| c |", None),
    ("counts", "| option | count |\n|-|-|\n| yes | 61 |\n| **no** | 1 |", None),
    ("place", "| Field | Value |\n|-|-|\n| street | x |\n| City | y |", None),
    ("parts", "| label | price |\n|---|---|\n| a | 1 |", None),
    ("pros", "| tag | why |\n|---|---|\n| a | b |", None),
    ("place", "| street | city |\n|-|-|\n| x | y |", None),
]


@pytest.mark.parametrize(("name", "text", "expected"), [*LISTS, *TUPLES, *MAPS, *OBJECTS, *TABLES])
def test_a_text_in_place_of_elements(name: str, text: str, expected: Any) -> None:
    """Bullets, lines, separated values, labels and tables; None where nobody can tell."""
    assert content(name, text) == expected


@pytest.mark.parametrize(
    ("name", "text", "left"),
    [
        ("pros", "Here they are:\n- a\n- b\n\nThese are the pros.", ["Here they are:", "These are the pros."]),
        ("pros", "(red, green and blue.)", []),
        ("place", "street: x\nzip: 1\ncity: y", ["zip: 1"]),
        ("rows", "| x | y |\n|---|---|\n| a | 1 |", []),
    ],
)
def test_what_is_left_over_is_told(name: str, text: str, left: list[str]) -> None:
    """Words around a list, and what nothing asks for; not the signs between its items."""
    tree = content_tree(name, text)
    assert tree is not None
    assert [text[slice(*each.span)].strip() for each in tree.left] == left


REPLIES: list[tuple[type[BaseModel], str, Any]] = [
    (Review, "headline: Nice\nscore: 4", {"headline": "Nice", "score": "4"}),
    (Review, "Sure!\n\n**Headline:** Nice\n**Score:** 4\n\nHope this helps!", {"headline": "Nice", "score": "4"}),
    (Review, "- **Headline:** Nice\n- **Score:** 4\n- **Pros:**\n  - a\n  - b",
        {"headline": "Nice", "score": "4", "pros": "- a\n  - b"}),
    (Review, "Pros:\n- a\n- b\nScore: 4\nHeadline: # 1", {"pros": "- a\n- b", "score": "4", "headline": "# 1"}),
    (Review, "## Headline: Nice\n## Score: 4", {"headline": "Nice", "score": "4"}),
    (Review, "headline: Fix: it works\nscore: 4", {"headline": "Fix: it works", "score": "4"}),
    (Review, "headline: Fix #12\nscore: 4", {"headline": "Fix #12", "score": "4"}),
    (Review, "review:\n  headline: Nice\n  score: 4", {"review": {"headline": "Nice", "score": "4"}}),
    (Review, "Here:\n```\nHeadline: Nice\nScore: 4\n```\nBye", {"headline": "Nice", "score": "4"}),
    (Review, "headline: Nice\nscore: 4\nplace:\n  street: x\n  city: y\nparts:\n- label: a\n  points: 1",
        {"headline": "Nice", "score": "4", "place": {"street": "x", "city": "y"}, "parts": TWO_PARTS[:1]}),
    (Review, "headline: Nice", None),
    (Review, "There are no labels: none.\nAnd no score: either", None),
    (Parts, "- label: a\n  points: 1\n- label: b\n  points: 2", TWO_PARTS),
    (Parts, "1. **Label:** a\n   **Points:** 1\n2. **Label:** b", ["**Label:** a\n   **Points:** 1", "**Label:** b"]),
    (Single, "Title: Nice", {"title": "Nice"}),
    (Single, "What a nice title", None),
]  # fmt: skip


@pytest.mark.parametrize(("model", "reply", "expected"), REPLIES)
def test_a_reply_of_lines(model: type[BaseModel], reply: str, expected: Any) -> None:
    """With prose around, bullets and emphasis; two labels at least, unless one is all that is asked for."""
    tree = read_lines(grammar(model), reply, 0, len(reply))
    assert (None if tree is None or tree.root is None else said(tree.root, reply)) == expected


def test_a_label_that_comes_twice_is_told() -> None:
    """Which of the two is meant is not decided here."""
    tree = content_tree("place", "street: x\nstreet: y\ncity: z")
    assert tree is not None
    assert tree.root is not None
    assert [child.role for child in tree.root.children] == ["field", "repeated", "field"]


# YAML


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("plain", "plain"),
        ("'it''s'", "it's"),
        ('"a\\tb"', "a\tb"),
        ("plain\n  more", "plain more"),
        ("|\n  a\n   b\n", "a\n b"),
        ("|-\n  a\n", "a"),
        ("|+\n  a\n\n", "a\n\n"),
        (">\n  a\n  b\n", "a b"),
        ('"torn', '"torn'),
    ],
)
def test_scalars_of_yaml(raw: str, text: str) -> None:
    """The last line break of a block is layout, unless its header keeps it."""
    assert yaml_text(raw) == text


def leaves(element: Element, text: str) -> Any:
    """What an element of YAML holds, its texts decoded."""
    if not element.children:
        raw = text[element.inner : element.end]
        return {"[]": [], "{}": {}}.get(raw, yaml_text(raw) if raw else "")
    if all(child.role == "item" for child in element.children):
        return [leaves(child, text) for child in element.children]
    return {child.step or child.name: leaves(child, text) for child in element.children}


@settings(max_examples=settings().max_examples // 16)
@given(instances(SUPPORTED))
def test_what_is_written_as_yaml_comes_back(instance: BaseModel) -> None:
    """Each text, as any loader of YAML would give it."""
    filled = StructuredResponse.from_basemodel(instance)
    text = filled.to_yaml()
    plan = filled._plan
    tree = read_yaml(grammar_of(plan), grammar_of(plan).root, plan.root_name, text, 0, len(text))
    assert tree is not None
    assert tree.root is not None
    assert not tree.mended
    assert leaves(tree.root, text) == yaml.load(text, yaml.BaseLoader)


@pytest.mark.parametrize("text", ["&a [*a, *a]", "!!python/object x", "a: 1\n---\nb: 2", "a: [", "? [a]\n: b", "a: 'b"])
def test_what_is_no_plain_yaml_is_none(text: str) -> None:
    """Aliases, tags, several documents, keys that are no texts, and what is torn."""
    assert read_yaml(REVIEW, REVIEW.root, "review", text, 0, len(text)) is None


# Any text


@given(st.text("ab1 ,;:-*|.\n\"'()&=#\u2022"), st.sampled_from(sorted(REVIEW.root.fields)))
def test_any_text_gives_elements_of_its_own_characters(text: str, name: str) -> None:
    """Values stand where they say, one behind another, without white space at their ends."""
    tree = content_tree(name, text)
    waiting = [] if tree is None or tree.root is None else list(tree.root.children)
    place = 0
    for element in waiting:
        assert place <= element.start <= element.inner <= element.end <= element.stop <= len(text)
        value = text[element.inner : element.end]
        assert value == value.strip()
        place = element.stop


@given(st.lists(st.from_regex(r"[a-z]{1,8}( [a-z]{1,8}){0,5}", fullmatch=True), min_size=1, max_size=6))
def test_what_was_written_with_bullets_comes_back(texts: list[str]) -> None:
    """Whatever stands behind a bullet."""
    assert content("pros", "\n".join(f"- {text}" for text in texts)) == texts
    assert content("pros", "\n".join(f"{index}. {text}" for index, text in enumerate(texts, 1))) == texts


CELLS = st.text("ab&., -", min_size=1).map(str.strip).filter(lambda cell: cell and not re.fullmatch("-+", cell))


@given(st.lists(CELLS, min_size=1, max_size=4))
def test_any_cell_comes_back(cells: list[str]) -> None:
    """Whatever it holds but bars."""
    table = "\n".join(["| label | points |", "|---|---|", *(f"| {cell} | 1 |" for cell in cells)])
    assert content("parts", table) == [{"label": cell, "points": "1"} for cell in cells]


SHAPES = [
    "a, ",
    "a; ",
    "- a\n",
    "  - a\n",
    "a: 1\n",
    "a: 1, ",
    "(",
    '"',
    "'",
    "|",
    "| a | b |\n",
    "```\n",
    "\n",
    "**",
    "1. ",
]


def spent(read: Callable[[str], object], text: str) -> float:
    """The time of one reading, garbage aside: what other tests left behind is collected too."""
    gc.disable()
    start = process_time()
    read(text)
    gc.enable()
    return process_time() - start


@pytest.mark.parametrize("shape", [*SHAPES, "x=", "&", "label: a\npoints: 1\n", "- a\n\n", "\u201c", "a" * 50 + ": "])
def test_time_grows_with_the_text(shape: str) -> None:
    """At ten times the size, ten times the time, with room for a busy machine; a quadratic one would take a hundred."""
    small, large = shape * (2_000 // len(shape)), shape * (20_000 // len(shape))
    fields = ("pros", "marks", "counts", "at", "place", "parts", "rows")
    reads: list[Callable[[str], object]] = [partial(content_tree, name) for name in fields]
    for read in (*reads, lambda text: read_lines(REVIEW, text, 0, len(text))):
        assert any(spent(read, large) < 30 * max(spent(read, small), 0.001) for _round in range(3))


def test_comments_are_comments_where_yaml_is_expected() -> None:
    """Elsewhere a `#` may belong to the value."""
    instance = StructuredResponse.from_basemodel(Part).parse("label: a  # the first\npoints: 4", format="yaml")
    assert instance.to_dict() == {"label": "a", "points": 4}
