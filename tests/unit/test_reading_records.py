"""What goes on record while values are read: texts that belong to nothing, where values break off, null words."""

from __future__ import annotations

import pytest
from pydantic import BaseModel

from structured_response import StructuredResponse


class Part(BaseModel):
    label: str = ""


class Note(BaseModel):
    title: str
    count: int | None = None
    part: Part | None = None


NOTE = StructuredResponse.from_basemodel(Note)


@pytest.mark.parametrize(
    ("inner", "kind", "before"),
    [
        ("<title>t</title> and then <count>1</count>", "text_skipped", "and then"),
        ("<title>t</title><other>x</other>", "element_skipped", "<other>x</other>"),
        ("<title>t</title><part>none</part>", "null_word", "none"),
        ("<title>t</title><count>3 pieces</count>", "value_respelled", "3 pieces"),
        ("<title>t</title><count>1</count><count>1</count>", "element_skipped", "1"),
        ("<title>t<count>1</count>", "closer_missing", ""),
    ],
)
def test_each_mending_is_on_record(inner: str, kind: str, before: str) -> None:
    """With the characters that it concerns, at their place."""
    reply = f"<note>{inner}</note>"
    (repair,) = [repair for repair in NOTE.parse(reply).repairs if repair.kind == kind]
    assert repair.before == before
    assert before in reply[slice(*repair.span)]


@pytest.mark.parametrize(("end", "title"), [("abc", "abc"), ("a &am", "a"), ("a <b", "a <b")])
def test_a_text_that_breaks_off_is_kept_as_far_as_it_came(end: str, title: str) -> None:
    """Without half of a reference, and with a problem at its place."""
    read = NOTE.parse(f"<note><title>{end}", strict=False)
    assert read.instance.title.strip() == title
    assert read.truncated == "$.title"
    assert read.problems[0].path == "$.title"
