"""Outlines: what lines hold by how deep they are."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import BaseModel

from structured_response import StructuredResponse
from structured_response.definition import Node
from structured_response.parse.data.outline import outlined, read_outline
from structured_response.parse.lines.rows import rows_of
from structured_response.parse.lines.unsigned import unsigned_name
from structured_response.parse.written import Members, Value


class Point(BaseModel):
    x: int
    y: int = 0


def node_of(of: Any) -> Node:
    """What is asked for as a value of a type."""
    return StructuredResponse.from_type(of)._plan.root


def plain(value: Value | None) -> Any:
    """A value as Python's data, with its texts as they are."""
    held = None if value is None else value.held
    if isinstance(held, Members):
        return {str(key.held): plain(member) for key, member in held.pairs}
    return [plain(item) for item in held] if isinstance(held, list) else held


@pytest.mark.parametrize(
    ("of", "text", "data"),
    [
        (list[list[str]], "- - a: b\n  - c\n- - d", [["a: b", "c"], ["d"]]),
        (dict[str, list[str]], "x:\n- a\n- b\ny:\n  - c", {"x": ["a", "b"], "y": ["c"]}),
        (
            dict[str, dict[str, str]],
            "x:\n\ta: 1: 2\ny:\n\tb: |-\n\t\t1\n\t\t  2",
            {"x": {"a": "1: 2"}, "y": {"b": "1\n  2"}},
        ),
        (dict[str, str], "x: >\n  a\n  b\n\n  c", {"x": "a b\nc"}),
        (dict[str, str], "\"x: y\": 'it''s'", {"x: y": "it's"}),
        (list[str], "- a\n  b\n- ```\n  c: d\n  ```", ["a\nb", "c: d"]),
        (list[str], "a\n- b", "a\n- b"),
        (dict[str, Any], "x:\n- a\n- b: c\ny: d", {"x": ["a", {"b": "c"}], "y": "d"}),
        (list[str], "", None),
    ],
)
def test_what_lines_hold(of: Any, text: str, data: Any) -> None:
    """Items, entries and texts, each with what is deeper below it."""
    assert plain(read_outline(node_of(of), text, 0, len(text))) == data


def test_places() -> None:
    """Each value knows where it stands in the text."""
    text = "k:\n  a: x: y\n  b: z"
    value = read_outline(node_of(dict[str, dict[str, str]]), text, 0, len(text))
    assert value is not None and isinstance(value.held, Members)
    inner = value.held.pairs[0][1].held
    assert isinstance(inner, Members)
    assert [text[slice(*member.span)] for _key, member in inner.pairs] == ["x: y", "z"]


def test_a_list_of_objects_or_none() -> None:
    """Bullets that are no objects are none."""
    item = node_of(Point)
    assert plain(outlined(item, "- x: 1\n  y: 2\n- x: 3\n  y: 4")) == [{"x": "1", "y": "2"}, {"x": "3", "y": "4"}]
    assert outlined(item, "- 1\n- 2") is None
    assert outlined(item, "- x: 1") is None


@pytest.mark.parametrize(
    ("text", "is_known", "columns"),
    [
        ("a\n  b\n\tc", True, [0, 2, 4]),
        ("a\n  b\n\tc", False, [2, 2, 4]),
        ("a:\n  b\n\tc", False, [0, 2, 4]),
        ("- a\n  - - b", True, [0, 2, 2, 4, 6]),
        ("- a\n  - - b", False, [2, 4, 2, 4, 6]),
        ("a:\n```\nb\n```\nc", True, [0, 1, 1, 1, 0]),
        ("- a\n   b\n   - c", False, [1, 3, 3, 3, 5]),
    ],
)
def test_how_deep_rows_are(text: str, is_known: bool, columns: list[int]) -> None:
    """A bullet and what stands behind it are rows of their own; fences belong to the line above. The first line may
    stand behind a tag: then the others tell, unless it leads to them.
    """
    assert [row.column for row in rows_of(text, 0, len(text), is_known)] == columns


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("x 3", "x"),
        ("x** 3", "x"),
        ("x - 3", "x"),
        ("x - a", "x"),
        ("x is 3", None),
        ("x a", None),
        ("z 3", None),
        ("x", None),
        ("", None),
    ],
)
def test_names_without_a_sign(line: str, name: str | None) -> None:
    """A dash will do, or a value of the type and nothing else."""
    found = unsigned_name(node_of(Point), line)
    assert (found and found[0]) == name
