"""Records that are made while values are read: skipped texts, values that break off, null words."""

from __future__ import annotations

import pytest
from pydantic import create_model

from structured_response import StructuredResponse
from tests.corpus.models import Note3 as Note

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
        ("<title>t</title\n<count>1</count>", "closer_respelled", "</title"),
        ("<title>t</><count>1</count>", "closer_respelled", "</>"),
        ("<title>t</title><count 1</count>", "name_respelled", "<count"),
    ],
)
def test_each_mending_is_on_record(inner: str, kind: str, before: str) -> None:
    """The record has the characters that it concerns, and their place."""
    reply = f"<note>{inner}</note>"
    (repair,) = [repair for repair in NOTE.parse(reply).repairs if repair.kind == kind]
    assert repair.before == before
    assert before in reply[slice(*repair.span)]


@pytest.mark.parametrize(
    "votes", ["<votes a='1'/>", "<votes><a>1</a></votes>", "<votes><li><key>a</key><value>1</value></li></votes>"]
)
def test_a_map_without_the_entries_of_the_prompt_is_on_record(votes: str) -> None:
    """Keys as attributes, as names and as elements say the same, and none is what was asked for."""
    read = StructuredResponse.from_basemodel(create_model("Poll", votes=(dict[str, int], ...))).parse(
        f"<poll>{votes}</poll>"
    )
    assert read.to_dict() == {"votes": {"a": 1}}
    assert [repair.kind for repair in read.repairs] == ["shape_changed"]


@pytest.mark.parametrize(("end", "title"), [("abc", "abc"), ("a &am", "a"), ("a <b", "a <b")])
def test_a_text_that_breaks_off_is_kept_as_far_as_it_came(end: str, title: str) -> None:
    """Half of a reference is left out, and the text has a problem."""
    read = NOTE.parse(f"<note><title>{end}", strict=False)
    assert read.instance.title.strip() == title
    assert read.truncated == "$.title"
    assert read.problems[0].path == "$.title"


def test_a_finding_in_an_escaped_value_points_into_the_reply() -> None:
    """A problem with a part of a decoded text has the span of the whole text."""
    reply = "<rec><value>[1, &quot;two and three&quot;, 4]</value></rec>"
    model = create_model("Rec", value=(list[int], ...))
    (problem,) = StructuredResponse.from_basemodel(model).parse(reply, strict=False).problems
    assert problem.span is not None
    assert reply[slice(*problem.span)] == "[1, &quot;two and three&quot;, 4]"
