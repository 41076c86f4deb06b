"""Lists of objects that were written as text: where each object begins."""

import pytest

from structured_response.definition import Field, Node
from structured_response.parse.lines.split_objects import name_in, split_objects

PART = Node(
    "dict",
    fields={
        name: Field(name, Node(kind), required=True, aliases=aliases)
        for name, kind, aliases in (("label", "str", ("title",)), ("points", "int", ()))
    },
)

SPLIT: list[tuple[str, list[str]]] = [
    ("label: a\npoints: 1\nlabel: b\npoints: 2", ["label: a\npoints: 1", "label: b\npoints: 2"]),
    ("label: a\npoints: 1\n---\npoints: 2\nlabel: b", ["label: a\npoints: 1", "points: 2\nlabel: b"]),
    ("## First\nlabel: a\npoints: 1\n## Second\nlabel: b\npoints: 2", ["label: a\npoints: 1", "label: b\npoints: 2"]),
    ("**One**\nlabel: a\npoints: 1", ["label: a\npoints: 1"]),
    ("- label: a\n- points: 1\n- label: b\n- points: 2", ["label: a\n- points: 1", "label: b\n- points: 2"]),
    ("Parts:\nlabel: a\npoints: 1\nlabel: b\npoints: 2", ["label: a\npoints: 1", "label: b\npoints: 2"]),
    ("label: a\npoints: 1", []),
    ("label: a\npoints: 1\nlabel: b", []),
    ("label: a\npoints: 1\n  label: b\n  points: 2\nlabel: c\npoints: 3", []),
    ("label: a, points: 1", []),
    ('[\n{"label": "a"}\n]', []),
    ("nothing\nof it", []),
    ("", []),
]


@pytest.mark.parametrize(("text", "objects"), SPLIT)
def test_a_list_of_objects(text: str, objects: list[str]) -> None:
    """Behind a rule or a heading, or where a field comes again; none where one would lack what is required."""
    pieces = split_objects(text, PART)
    assert [piece.text for piece in pieces] == objects
    assert all(text[piece.start : piece.end] == piece.text for piece in pieces)


@pytest.mark.parametrize(
    ("label", "name"), [("label", "label"), ("Label", "label"), ("title", "label"), ("other", None)]
)
def test_a_label_stands_for_a_field(label: str, name: str | None) -> None:
    """By its name, its alias, or the folded form of either."""
    assert name_in(PART)(label) == name
