"""Names that are paths: where they lead, and what data is when they are taken apart."""

from __future__ import annotations

import pytest
from pydantic import BaseModel

from structured_response import StructuredResponse
from structured_response.definition import Node
from structured_response.parse.lines.paths import leads, node_at, steps_of, unflattened
from structured_response.parse.written import Members, Value


class Part(BaseModel):
    label: str


class Whole(BaseModel):
    title: str
    part: Part
    parts: list[Part]
    notes: dict[str, str]
    named: dict[str, Part]


ROOT: Node = StructuredResponse.from_basemodel(Whole)._plan.root


@pytest.mark.parametrize(
    ("name", "steps", "kind"),
    [
        ("title", ("title",), "str"),
        ("part.label", ("part", "label"), "str"),
        ("Part.LABEL", ("Part", "LABEL"), "str"),
        ("parts.0.label", ("parts", "0", "label"), "str"),
        ("parts[12].label", ("parts", "12", "label"), "str"),
        ("parts[0]", ("parts", "0"), "dict"),
        ("notes.a.b", ("notes", "a.b"), "str"),
        ("named.a.label", ("named", "a", "label"), "str"),
        ("named.a", ("named", "a"), "dict"),
        ("title.x", None, ""),
        ("part.other", None, ""),
        ("parts.x.label", None, ""),
        ("part.", ("part.",), "dict"),  # separators do not count
        (".", None, ""),
    ],
)
def test_where_a_name_leads(name: str, steps: tuple[str, ...] | None, kind: str) -> None:
    """Through objects, lists and maps, by names that are folded."""
    assert steps_of(ROOT, name) == steps
    assert leads(ROOT, name) == (steps is not None)
    assert steps is None or node_at(ROOT, name).kind == kind


def test_members_whose_names_are_paths() -> None:
    """They stand where the first of them stood; all others stay as they are."""
    names = ["part.label", "title", "a.b", "parts.0.label", "parts.1.label"]
    members = Members([(Value(name, 0, 1), Value(str(index), 0, 1)) for index, name in enumerate(names)])
    assert plain(unflattened(ROOT, members)) == {
        "part": {"label": "0"},
        "title": "1",
        "a.b": "2",
        "parts": {"0": {"label": "3"}, "1": {"label": "4"}},
    }


def plain(members: Members) -> dict[str, object]:
    """The members as a dict."""
    return {
        str(key.held): plain(value.held) if isinstance(value.held, Members) else value.held
        for key, value in members.pairs
    }
