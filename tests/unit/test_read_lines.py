"""Texts in place of elements, and replies of YAML: the elements that they hold and their places."""

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
from pydantic import BaseModel

from benchmarks.robustness.models import Part
from structured_response import StructuredResponse
from structured_response.read.build import Element, Tree
from structured_response.read.grammar import Grammar, grammar_of
from structured_response.read.parts import Place as Stretch
from structured_response.read.scan_lines import read_content, read_lines, read_yaml, yaml_text
from tests.corpus.models import Place
from tests.strategies import SUPPORTED, instances


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


def grammar(model: type[BaseModel]) -> Grammar:
    """Returns the grammar of a model."""
    return grammar_of(StructuredResponse.from_basemodel(model)._plan)


REVIEW = grammar(Review)


def said(element: Element, text: str) -> Any:
    """Returns what an element holds: a text, a list of items, or parts by their names."""
    children = [child for child in element.children if child.role != "skipped"]
    if not children:
        return text[element.inner : element.end]
    if all(child.role == "item" for child in children):
        return [said(child, text) for child in children]
    return {child.step or child.name: said(child, text) for child in children}


def content(name: str, text: str) -> Any:
    """Returns what a text says in place of the elements of a field."""
    tree = content_tree(name, text)
    return None if tree is None or tree.root is None else said(tree.root, text)


def content_tree(name: str, text: str) -> Tree | None:
    """Returns the elements of a text in place of those of a field."""
    return read_content(Stretch(REVIEW.root.fields[name][1], text, 0, len(text)), name)


@pytest.mark.parametrize(
    ("name", "text", "left"),
    [
        ("pros", "Here they are:\n- a\n- b\n\nThese are the pros.", ["Here they are:", "These are the pros."]),
        ("pros", "(red, green and blue.)", []),
        ("place", "street: x\nzip: 1\ncity: y", ["zip: 1"]),
        ("rows", "| x | y |\n|---|---|\n| a | 1 |", []),
    ],
)
def test_what_is_left_over_is_reported(name: str, text: str, left: list[str]) -> None:
    """Words around a list and fields that were not asked for are left over; signs between items are not."""
    tree = content_tree(name, text)
    assert tree is not None
    assert [text[slice(*each.span)].strip() for each in tree.left] == left


def test_a_label_that_comes_twice_is_reported() -> None:
    """The tree marks the second one as repeated."""
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
    """Returns what an element of YAML holds, with its texts decoded."""
    if not element.children:
        raw = text[element.inner : element.end]
        return {"[]": [], "{}": {}}.get(raw, yaml_text(raw) if raw else "")
    if all(child.role == "item" for child in element.children):
        return [leaves(child, text) for child in element.children]
    return {child.step or child.name: leaves(child, text) for child in element.children}


@settings(max_examples=settings().max_examples // 16)
@given(instances(SUPPORTED))
def test_what_is_written_as_yaml_comes_back(instance: BaseModel) -> None:
    """Each text is what a YAML loader gives."""
    filled = StructuredResponse.from_basemodel(instance)
    text = filled.to_yaml()
    plan = filled._plan
    tree = read_yaml(Stretch(grammar_of(plan).root, text, 0, len(text)), plan.root_name)
    assert tree is not None
    assert tree.root is not None
    assert not tree.mended
    assert leaves(tree.root, text) == yaml.load(text, yaml.BaseLoader)


@pytest.mark.parametrize("text", ["&a [*a, *a]", "!!python/object x", "a: 1\n---\nb: 2", "a: [", "? [a]\n: b", "a: 'b"])
def test_yaml_that_is_not_plain_is_not_read(text: str) -> None:
    """Aliases, tags, several documents, keys that are not texts and damaged YAML give no tree."""
    assert read_yaml(Stretch(REVIEW.root, text, 0, len(text)), "review") is None


# Any text


@given(st.text("ab1 ,;:-*|.\n\"'()&=#\u2022"), st.sampled_from(sorted(REVIEW.root.fields)))
def test_any_text_gives_elements_of_its_own_characters(text: str, name: str) -> None:
    """Values come one behind another, without white space at their ends."""
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
    """This holds for any words behind the bullets."""
    assert content("pros", "\n".join(f"- {text}" for text in texts)) == texts
    assert content("pros", "\n".join(f"{index}. {text}" for index, text in enumerate(texts, 1))) == texts


CELLS = st.text("ab&., -", min_size=1).map(str.strip).filter(lambda cell: cell and not re.fullmatch("-+", cell))


@given(st.lists(CELLS, min_size=1, max_size=4))
def test_any_cell_comes_back(cells: list[str]) -> None:
    """This holds for any text without bars."""
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
    """Returns the time of one reading, without the collection of garbage that other tests left."""
    gc.disable()
    start = process_time()
    read(text)
    gc.enable()
    return process_time() - start


@pytest.mark.parametrize("shape", [*SHAPES, "x=", "&", "label: a\npoints: 1\n", "- a\n\n", "\u201c", "a" * 50 + ": "])
def test_time_grows_with_the_text(shape: str) -> None:
    """Ten times the size takes ten times the time, with room for a busy machine."""
    small, large = shape * (1_000 // len(shape)), shape * (10_000 // len(shape))
    fields = ("pros", "marks", "counts", "at", "place", "parts", "rows")
    reads: list[Callable[[str], object]] = [partial(content_tree, name) for name in fields]
    for read in (*reads, lambda text: read_lines(REVIEW, text, 0, len(text))):
        assert any(spent(read, large) < 30 * max(spent(read, small), 0.001) for _round in range(3))


def test_comments_are_comments_where_yaml_is_expected() -> None:
    """In other replies a `#` may belong to the value."""
    instance = StructuredResponse.from_basemodel(Part).parse("label: a  # the first\npoints: 4", format="yaml")
    assert instance.to_dict() == {"label": "a", "points": 4}
