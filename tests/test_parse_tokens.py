"""A text's tags: which of its characters make one, what it is called, and where it ends."""

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from structured_response import StructuredResponse
from structured_response.parse.xml.tokens import (
    CDATA,
    CLOSE,
    COMMENT,
    EMPTY,
    OPEN,
    OTHER,
    Scanner,
    Tags,
    attribute,
    known_names,
)


class Part(BaseModel):
    label: str
    points: int


class Review(BaseModel):
    headline: str
    score: int = Field(alias="overallScore")
    parts: list[Part] = []


PLAN = StructuredResponse.from_basemodel(Review)._plan
SHOWN = {OPEN: "open", CLOSE: "close", EMPTY: "empty", COMMENT: "comment", CDATA: "cdata", OTHER: "other"}


def scan(*pieces: str) -> Tags:
    """The tags of a text that comes in pieces."""
    scanner = Scanner(PLAN)
    for piece in pieces:
        scanner.feed(piece)
    return scanner.close()


def shown(text: str) -> list[tuple[str, str, str]]:
    """What each tag is, the name that counts, and its characters."""
    tags = scan(text)
    rows = zip(tags.heads, tags.starts, tags.ends, strict=True)
    return [(SHOWN[head.kind], head.name, text[start:end]) for head, start, end in rows]


KINDS: list[tuple[str, list[tuple[str, str, str]]]] = [
    ("", []),
    ("a</>", [("close", "", "</>")]),
    ("no tag", []),
    ("a<score>4</score>", [("open", "score", "<score>"), ("close", "score", "</score>")]),
    ("<score/>", [("empty", "score", "<score/>")]),
    ("<score />", [("empty", "score", "<score />")]),
    ("<score a='1'/>", [("empty", "score", "<score a='1'/>")]),
    ("<!-- a -->", [("comment", "", "<!--")]),
    ("<!---->", [("comment", "", "<!--")]),
    ("<![CDATA[a]]>", [("cdata", "", "<![CDATA[a]]>")]),
    ("<?xml version='1.0'?>", [("other", "", "<?xml version='1.0'?>")]),
    ("<!DOCTYPE review>", [("other", "", "<!DOCTYPE review>")]),
]


@pytest.mark.parametrize(("text", "tags"), KINDS)
def test_each_kind_of_tag_is_found(text: str, tags: list[tuple[str, str, str]]) -> None:
    """Openers, closers, self-closed tags, comments, sections, instructions."""
    assert shown(text) == tags


TEXT = [
    "a < b",
    "a <b",
    "<",
    "<>",
    "<></>",
    "< >",
    "<3",
    "1<<2",
    "x <- y",
    "<= 4",
    "if a<b and",
    "< other >",
    "</ other>",
    "</other",
]


@pytest.mark.parametrize("text", TEXT)
def test_other_characters_are_text(text: str) -> None:
    """A `<` that no name follows, or an unknown name with blanks inside the brackets, or without its end."""
    assert shown(text) == []


NAMES = [
    ("<ns:score>", "open", "score"),
    ("<overallScore>", "open", "overallScore"),
    ("<head_line>", "open", "head_line"),
    ("<Head-Line>", "open", "Head-Line"),
    ("<head line>", "open", "head line"),
    ("<head\u200bline>", "open", "head\u200bline"),
    ("<éclair>", "open", "éclair"),
    ("<other>", "open", "other"),
    ("<entry key='a b'>", "open", "a b"),
    ("<entry>", "open", "entry"),
    ("<parameter=score>", "open", "score"),
    ('<parameter = "score">', "open", "score"),
    ('<parameter name="score">', "open", "score"),
    ("<function=Review>", "open", "Review"),
    ('<invoke name="Review">', "open", "Review"),
    ("</parameter>", "close", "parameter"),
    ("</ score >", "close", "score"),
    ("< / score>", "close", "score"),
    ("< score >", "open", "score"),
    ("<\u200bscore>", "open", "score"),
    ("</score id='1'>", "close", "score"),
]


@pytest.mark.parametrize(("text", "kind", "name"), NAMES)
def test_the_name_that_counts(text: str, kind: str, name: str) -> None:
    """Without its prefix, or the one that the tag carries as a value; known names may have blanks around them."""
    assert shown(f"{text}x") == [(kind, name, text)]


ENDS = [
    ("</score</review>", ["</score", "</review>"]),
    ("</score <headline>", ["</score", "<headline>"]),
    ("</score\n", ["</score"]),
    ("</score and so on", ["</score"]),
    ("<score a='1' <headline>", ["<score a='1'", "<headline>"]),
    ("<score <headline>", ["<headline>"]),
    ("<headline a='x > y'>", ["<headline a='x > y'>"]),
    ('<headline a="x > y">', ['<headline a="x > y">']),
    ("<headline a='it's'>x", ["<headline a='it's'>"]),
    ('<headline a="b>x</headline>', ['<headline a="b>', "</headline>"]),
    ("<headline a=b>x", ["<headline a=b>"]),
    ("<headline a='1',b='2'>x", ["<headline a='1',b='2'>"]),
    ("<headline\n  a='1'\n>x", ["<headline\n  a='1'\n>"]),
    ("\uff1cscore\uff1e4\uff1c/score\uff1e", ["\uff1cscore\uff1e", "\uff1c/score\uff1e"]),
]


@pytest.mark.parametrize(("text", "tags"), ENDS)
def test_where_a_tag_ends(text: str, tags: list[str]) -> None:
    """Behind its `>`; quotes hide one if they are closed as attributes' are; a known closer needs none."""
    assert [found for _kind, _name, found in shown(text)] == tags


SECTIONS: list[tuple[str, list[str], list[str]]] = [
    ("<![CDATA[<a>]]><b>", ["<![CDATA[<a>]]>", "<b>"], ["<![CDATA[<a>]]>"]),
    ("<![CDATA[<score>]]>", ["<![CDATA[<score>]]>"], ["<![CDATA[<score>]]>"]),
    ("<![CDATA[a]]]]><![CDATA[>b]]>", ["<![CDATA[a]]]]>", "<![CDATA[>b]]>"], ["<![CDATA[a]]]]>", "<![CDATA[>b]]>"]),
    ("<![CDATA[a<![CDATA[b]]>c]]>", ["<![CDATA[a<![CDATA[b]]>c]]>"], ["<![CDATA[a<![CDATA[b]]>c]]>"]),
    ("<![CDATA[a<b>", ["<![CDATA[", "<b>"], []),
    (
        "<score><![CDATA[a</score><headline><![CDATA[b]]></headline>",
        ["<score>", "<![CDATA[", "</score>", "<headline>", "<![CDATA[b]]>", "</headline>"],
        ["<![CDATA[b]]>"],
    ),
]


@pytest.mark.parametrize(("text", "tags", "sections"), SECTIONS)
def test_sections_hide_what_they_hold(text: str, tags: list[str], sections: list[str]) -> None:
    """Nested ones are one; one that is never closed hides nothing, nor does it reach over the end of an element."""
    assert [found for _kind, _name, found in shown(text)] == tags
    assert [text[start:end] for start, end in scan(text).sections] == sections


BROKEN = [
    ("<review><sc", 8),
    ("<review><score", 8),
    ("<review><score a='1", 8),
    ("<score>4</", 8),
    ("<score>4</sc", 8),
    ("<score>4<", 8),
    ("<score>4<!-- a", None),
    ("<review><other", None),
    ("<review>a < b", None),
    ("<score>4", None),
    ("<score>4</score>", None),
    ("1 <2", None),
]


@pytest.mark.parametrize(("text", "place"), BROKEN)
def test_the_beginning_of_a_tag_at_the_end(text: str, place: int | None) -> None:
    """Where a text breaks off in what could have become a tag of the definition, that place is known."""
    assert scan(text).broken_off == place


ATTRIBUTES = [
    ("a='1'", "1"),
    ('b="2" a="1"', "1"),
    ("a = '1'", "1"),
    ("a=1", "1"),
    ("a='x &lt; y'", "x < y"),
    ("a='it\"s'", 'it"s'),
    ("b='1'", None),
    ("ba='1'", None),
    ("", None),
]


@pytest.mark.parametrize(("rest", "value"), ATTRIBUTES)
def test_an_attributes_value(rest: str, value: str | None) -> None:
    """Decoded, in any quotes or none."""
    assert attribute(rest, "a") == value


def test_known_names() -> None:
    """Those of fields, aliases, classes, items and reasoning, folded."""
    assert known_names(PLAN) >= {"review", "headline", "score", "overallscore", "parts", "part", "label", "li", "think"}
    assert "other" not in known_names(PLAN)


def plain(tags: Tags) -> Any:
    """All that tags say."""
    heads = [(head.kind, head.tag, head.name, head.rest, head.key, head.ident) for head in tags.heads]
    return heads, tags.starts, tags.ends, tags.sections, tags.broken_off


PIECES = st.sampled_from(
    [
        *("<", ">", "</", "/>", "score", "review", "other", "<score>", "</score>", "<![CDATA[", "]]>", "<!--", "-->"),
        *(" ", "\n", "'", '"', "a='", 'b="', "=", "&", "x", "]", "<entry key='a'>", "<parameter=score>", "<?", "!"),
        *("\uff1c", "\uff1e", ","),
    ]
)


@given(st.lists(PIECES, max_size=40).map("".join), st.lists(st.integers(0, 200), max_size=12))
def test_pieces_make_no_difference(text: str, cuts: list[int]) -> None:
    """However a text is cut up while it comes, its tags are the same."""
    places = sorted({0, len(text), *(cut for cut in cuts if cut < len(text))})
    pieces = [text[start:end] for start, end in pairwise(places)]
    assert plain(scan(*pieces)) == plain(scan(text))
    assert plain(scan(*text)) == plain(scan(text))


@given(st.lists(PIECES, max_size=40).map("".join))
def test_tags_stand_in_the_order_of_the_text(text: str) -> None:
    """Each begins with a bracket, behind the beginning of the one in front."""
    tags = scan(text)
    assert tags.starts == sorted(set(tags.starts))
    assert all(text[start] in "<\uff1c" for start in tags.starts)


REMEMBERED = [
    # behind a quote that is left open, the same quote closed
    ("<score note='a><headline>x</headline>", "<score note='a>b'>4</score>", ["<score note='a>b'>", "</score>"]),
    ("<score a='b'c'd'e>", "<score a='b'c'd'e>f'>4", ["<score a='b'c'd'e>f'>"]),
    # a text like the end of an open attribute
    ("<score>", "<score n='1'>a='b</score>\n<score>'></score>", ["<score n='1'>", "</score>", "<score>", "</score>"]),
]


@pytest.mark.parametrize(("first", "second", "tags"), REMEMBERED)
def test_what_was_read_before_changes_nothing(first: str, second: str, tags: list[str]) -> None:
    """Tags are known again by their characters, so those must say all there is to a tag."""
    shown(first)
    assert [found for _kind, _name, found in shown(second)] == tags
