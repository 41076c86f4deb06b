"""What may stand in an element: what each tag would be there, by the definition alone."""

from functools import cache
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from structured_response import StructuredResponse
from structured_response.parse.xml.shape import PairShape, Shape, is_near, root_shape
from structured_response.parse.xml.tokens import Head, Scanner


class Part(BaseModel):
    label: str
    points: int


class Cat(BaseModel):
    kind: Literal["cat"]
    name: str
    lives: int


class Dog(BaseModel):
    kind: Literal["dog"]
    name: str
    breed: str = ""


class Node(BaseModel):
    text: str
    children: list["Node"] = []


class Order(BaseModel):
    head_line: str
    score: int = Field(alias="overallScore")
    pros: list[str] = []
    parts: list[Part] = []
    categories: list[str] = []
    boxes: list[str] = []
    grid: list[list[int]] = []
    pair: tuple[int, str] = (1, "a")
    votes: dict[str, int] = {}
    pet: Cat | Dog
    tree: Node | None = None
    anything: Any = None
    note: str | int = ""
    either: list[int] | str = ""
    node: Part | list[Part] | None = None


PLAN = StructuredResponse.from_basemodel(Order)._plan
ROOT = root_shape(PLAN)


def head(tag: str) -> Head:
    """What a tag says."""
    scanner = Scanner(PLAN)
    scanner.feed(tag)
    (found,) = scanner.close().heads
    return found


def shape(*tags: str) -> Shape:
    """The shape of an element inside of others."""
    found = ROOT
    for tag in tags:
        place = found.place(head(tag))
        assert place is not None
        found = place.shape
    return found


PLACES: list[tuple[list[str], str, tuple[str, str] | None]] = [
    ([], "<head_line>", ("field", "head_line")),
    ([], "<Head-Line>", ("field", "head_line")),
    ([], "<head line>", ("field", "head_line")),
    ([], "<x:head_line>", ("field", "head_line")),
    ([], "<overallScore>", ("field", "score")),
    ([], "<overall_score>", ("field", "score")),
    ([], "<score>", ("field", "score")),
    ([], "<parameter=score>", ("field", "score")),
    ([], "<scroe>", None),
    ([], "<order>", None),
    ([], "<li>", None),
    ([], "<label>", None),
    ([], "<pro>", ("listed", "pros")),
    ([], "<part>", ("listed", "parts")),
    ([], "<category>", ("listed", "categories")),
    ([], "<box>", ("listed", "boxes")),
    (["<pros>"], "<li>", ("item", "")),
    (["<pros>"], "<item>", ("item", "")),
    (["<pros>"], "<entry>", ("item", "")),
    (["<pros>"], "<pro>", ("item", "")),
    (["<pros>"], "<pros>", ("item", "")),
    (["<pros>"], "<con>", None),
    (["<parts>"], "<part>", ("item", "")),
    (["<parts>"], "<Part>", ("item", "")),
    (["<parts>"], "<label>", ("implicit", "")),
    (["<parts>", "<li>"], "<label>", ("field", "label")),
    (["<parts>", "<li>"], "<li>", None),
    (["<grid>"], "<li>", ("item", "")),
    (["<grid>", "<li>"], "<li>", ("item", "")),
    (["<pair>"], "<li>", ("item", "")),
    (["<votes>"], "<entry key='a'>", ("entry", "")),
    (["<votes>"], "<anything_else>", ("entry", "")),
    (["<votes>"], "<score>", ("entry", "")),
    (["<pet>"], "<Cat>", ("option", "cat")),
    (["<pet>"], "<dog>", ("option", "dog")),
    (["<pet>"], "<lives>", ("field", "lives")),
    (["<pet>"], "<breed>", ("field", "breed")),
    (["<pet>"], "<name>", ("field", "name")),
    (["<pet>", "<Cat>"], "<breed>", None),
    (["<tree>", "<children>", "<li>", "<children>", "<li>"], "<text>", ("field", "text")),
    (["<either>"], "<li>", ("item", "")),
    (["<node>"], "<label>", ("field", "label")),
    (["<node>"], "<li>", ("item", "")),
]


@pytest.mark.parametrize(("inside", "tag", "expected"), PLACES)
def test_what_a_tag_is(inside: list[str], tag: str, expected: tuple[str, str] | None) -> None:
    """Its role and the field or the option it names, by the place where it stands."""
    place = shape(*inside).place(head(tag))
    assert (place and (place.role, place.name)) == expected


def test_an_exact_name_beats_a_folded_one() -> None:
    """Two fields that only case tells apart are told apart by it; another spelling of both is nobody's."""

    class Twins(BaseModel):
        ab: int
        aB: int  # noqa: N815 - the case is what it is about

    twins = root_shape(StructuredResponse.from_basemodel(Twins)._plan)
    names = [place.name for tag in ("<ab>", "<aB>") if (place := twins.place(head(tag))) is not None]
    assert names == ["ab", "aB"]


KINDS: list[tuple[list[str], str]] = [
    ([], "fields"),
    (["<head_line>"], "leaf verbatim"),
    (["<score>"], "leaf"),
    (["<pros>"], "items"),
    (["<votes>"], "entries"),
    (["<pet>"], "fields"),
    (["<anything>"], "leaf verbatim"),
    (["<note>"], "leaf verbatim"),
    (["<either>"], "items verbatim"),
    (["<node>"], "fields items"),
]


@pytest.mark.parametrize(("inside", "kinds"), KINDS)
def test_what_a_shape_holds(inside: list[str], kinds: str) -> None:
    """A union holds what any of its options does, and is read verbatim if one of them is."""
    found = shape(*inside)
    held = {
        "leaf": found.is_leaf,
        "fields": found.holds_fields,
        "items": found.holds_items,
        "entries": found.holds_entries,
        "verbatim": found.is_verbatim,
    }
    assert [kind for kind, holds in held.items() if holds] == kinds.split()


def test_what_is_required() -> None:
    """The fields without a default; in a union those that every option asks for."""
    assert ROOT.required == {"head_line", "score", "pet"}
    assert shape("<pet>").required == {"kind", "name"}
    assert shape("<node>").required == set()


def test_shapes_are_made_once() -> None:
    """However deep a recursive model's reply is, there is one shape for each of its nodes and names."""
    inside = ["<tree>", "<children>", "<li>"]
    assert shape(*inside, "<children>", "<li>") is shape(*inside, "<children>", "<li>", "<children>", "<li>")


MARKS: list[tuple[list[str], str, str]] = [
    (["<pet>"], "<pet type='dog'>", "dict"),
    (["<anything>"], "<anything type='list'>", "list"),
    (["<anything>"], "<anything type='map'>", "map"),
    (["<anything>"], "<anything type='x'>", "any"),
    (["<anything>"], "<anything>", "any"),
    (["<score>"], "<score type='str'>", "int"),
]


@pytest.mark.parametrize(("inside", "tag", "kind"), MARKS)
def test_a_mark_decides(inside: list[str], tag: str, kind: str) -> None:
    """An element's `type` says which option it is, or what a value of any type is; elsewhere it says nothing."""
    assert shape(*inside).marked(head(tag)).node.kind == kind


def test_the_shape_of_a_key_and_a_value() -> None:
    """An entry of elements for its key and its value takes one name for the key; of a scalar, all else is the value."""
    pair = PairShape(shape("<votes>").entries(), "k")
    roles = [place and (place.role, place.name) for place in map(pair.place, map(head, ["<k>", "<value>", "<key>"]))]
    assert roles == [("pair", "key"), ("pair", "value"), ("pair", "value")]


NEAR = [
    ("score", "scroe", True),
    ("score", "scor", True),
    ("score", "scoore", True),
    ("score", "scares", True),
    ("score", "store", True),
    ("score", "shares", False),
    ("score", "score", False),
    ("headline", "hedline", True),
    ("headline", "headlines", True),
    ("headline", "deadlines", True),
    ("name", "nane", True),
    ("name", "nanes", False),
    ("id", "ie", False),
    ("id", "i", False),
    ("abcd", "abdc", True),
    ("a", "b", False),
]


@pytest.mark.parametrize(("name", "written", "near"), NEAR)
def test_near_names(name: str, written: str, near: bool) -> None:
    """An edit or two away, a swap counting as one; for names of two letters never."""
    assert is_near(name, written) is near


@given(st.text("abcd", max_size=6), st.text("abcd", max_size=6))
def test_nearness_is_a_distance_of_edits(name: str, written: str) -> None:
    """As the definition of that distance has it, counted the slow way; a name is not near itself."""
    allowed = 0 if len(name) <= 2 else 1 if len(name) <= 4 else 2
    assert is_near(name, written) is (0 < edits(name, written) <= allowed)


@cache
def edits(a: str, b: str) -> int:
    """The least number of letters to insert, drop, change or swap with a neighbour, by trying."""
    if not a or not b:
        return len(a) + len(b)
    best = min(edits(a[1:], b) + 1, edits(a, b[1:]) + 1, edits(a[1:], b[1:]) + (a[0] != b[0]))
    if len(a) > 1 and len(b) > 1 and a[:2] == b[1::-1]:
        best = min(best, edits(a[2:], b[2:]) + 1)
    return best


@pytest.mark.parametrize(
    ("tag", "name"), [("<scroe>", "score"), ("<headlin>", "head_line"), ("<voets>", "votes"), ("<xyz>", None)]
)
def test_a_misspelt_field(tag: str, name: str | None) -> None:
    """The one field that a tag's name is near to."""
    field = ROOT.near(head(tag))
    assert (field and field.name) == name


def test_a_name_near_to_two_fields_is_neither() -> None:
    """What could be two is not guessed."""

    class Twins(BaseModel):
        price_a: int
        price_b: int

    twins = root_shape(StructuredResponse.from_basemodel(Twins)._plan)
    assert twins.near(head("<price_c>")) is None
