"""The labels of an object in sections, as TOML and INI have them, and without any."""

from __future__ import annotations

import pytest
from pydantic import BaseModel

from structured_response import StructuredResponse
from structured_response.parse.lines.label_sections import labels_in


class Part(BaseModel):
    label: str


class Whole(BaseModel):
    title: str
    part: Part
    parts: list[Part]


ROOT = StructuredResponse.from_basemodel(Whole)._plan.root


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("title: a\nother: b\n", [("title", "a\nother: b")]),
        ("title = a\n[part]\nlabel = b", [("title", "a"), ("part.label", "b")]),
        ("[whole]\ntitle = a\n[whole.part]\nlabel = b", [("title", "a"), ("part.label", "b")]),
        ("[[parts]]\nlabel = a\n[[parts]]\nlabel = b", [("parts.0.label", "a"), ("parts.1.label", "b")]),
        ("title = a\n[part]\nlabel = b\n[other]\ntitle = c", [("title", "a"), ("part.label", "b")]),
        ("title = a\n[x]\nb\n[y]", [("title", "a\n[x]\nb\n[y]")]),
        ("title = a\n```\n[part]\nlabel = b\n```", [("title", "a\n```\n[part]\nlabel = b\n```")]),
        ("title = a\n[part]]\nlabel = b", [("title", "a\n[part]]\nlabel = b")]),
    ],
)
def test_labels(text: str, found: list[tuple[str, str]]) -> None:
    """With the section's name in front; lines in brackets that are none are part of a value."""
    labels = labels_in(ROOT, text)
    assert [(label.name, text[label.value : label.end].strip()) for label in labels] == found
    assert all(label.name.endswith(text[label.start : label.behind]) for label in labels)
