"""Lists that were written as text: which items they have, by which rule, and where those stand."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from structured_response.parse.lines.split_items import split_items
from structured_response.parse.lines.split_text import Items, Piece
from tests.splitting import NODES, SHAPES, TEXTS, grows_linearly, items

BULLETS = [
    ("- a\n- b", ["a", "b"]),
    ("* a\n* b\n", ["a", "b"]),
    ("+ a\n+ b", ["a", "b"]),
    ("• a\n• b", ["a", "b"]),
    ("– a\n– b", ["a", "b"]),
    ("1. a\n2. b\n10. c", ["a", "b", "c"]),
    ("1) a\n2) b", ["a", "b"]),
    ("(1) a\n(2) b", ["a", "b"]),
    ("a) x\nb) y", ["x", "y"]),
    ("i) x\nii) y", ["x", "y"]),
    ("- [x] done\n- [X] too", ["done", "too"]),
    ("- [ ] open\n- [ ] too", ["open", "too"]),
    ("- a\n* b", ["a", "b"]),
    ("- a\r\n- b\r\n", ["a", "b"]),
    ("- a\n\n- b", ["a", "b"]),
    ("- a\n-\n- b", ["a", "b"]),
    ("- a", ["a"]),
    ("- a, b\n- c; d", ["a, b", "c; d"]),
    ("- a\n  more\n- b", ["a\n  more", "b"]),
    ("- a\nmore\n- b", ["a\nmore", "b"]),
    ("- a\n\n  second\n- b", ["a\n\n  second", "b"]),
    ("- a\n  - a1\n  - a2\n- b", ["a\n  - a1\n  - a2", "b"]),
    ("1. a\n   - a1\n2. b", ["a\n   - a1", "b"]),
    ("1. a\n- a1\n2. b", ["a\n- a1", "b"]),
    ("- a\n    - b\n    - c", ["a", "b", "c"]),  # the first one stands behind a tag, and its indentation is not known
    ("\n    - a\n      - a1\n    - b\n", ["a\n      - a1", "b"]),
    ("\n\t- a\n\t\t- a1\n\t- b", ["a\n\t\t- a1", "b"]),
    ("Here are the pros:\n- a\n- b", ["a", "b"]),
    ("**Pros:**\n- a", ["a"]),
    ("**Bold**\nplain", ["**Bold**", "plain"]),
    ("• a • b • c", ["a", "b", "c"]),
    ("1. a 2. b 3. c", ["a", "b", "c"]),
    ("1) a, b 2) c", ["a, b", "c"]),
    ("A. Smith\nB. Jones", ["A. Smith", "B. Jones"]),
    ("-4\n-5", ["-4", "-5"]),
    ("  - a\n  - b", ["a", "b"]),  # the indentation of the first one, behind a tag, is that of the others
    ("  - a\n    - a1\n  - b", ["a\n    - a1", "b"]),
    ("\u2192 a\n\u2192 b", ["a", "b"]),
    ("1\u3001\u7532\n2\u3001\u4e59", ["\u7532", "\u4e59"]),
    ("- a\n- b\n\nThese are the pros.", ["a", "b"]),
    ("- a\n- b\n\n  These are its words.", ["a", "b\n\n  These are its words."]),
    ("- a\n- b\n\nmore", ["a", "b\n\nmore"]),
]

LINES = [
    ("a\nb\nc", ["a", "b", "c"]),
    ("a\n\nb\n", ["a", "b"]),
    ("  a\n  b", ["a", "b"]),
    ("a,\nb,\nc", ["a", "b", "c"]),
    ("a;\nb", ["a", "b"]),
    ("a, b\nc", ["a, b", "c"]),
    ('"a",\n"b"', ["a", "b"]),
    ("It is light.\nIt is cheap.", ["It is light.", "It is cheap."]),
    ("The pros:\na\nb", ["a", "b"]),
    ("A line of prose that is long enough to have been wrapped\nby its author", None),
]


@pytest.mark.parametrize(("text", "parts"), [*BULLETS, *LINES])
def test_a_list_of_several_lines(text: str, parts: list[str] | None) -> None:
    """By bullets, else by lines; where neither is sure, the text is one item."""
    assert items("str", text) == ([text] if parts is None else parts)


@pytest.mark.parametrize("text", ["(\n)", "[\n \n]", "{\r\n}", "[]", "\n"])
def test_brackets_with_nothing_in_them_hold_nothing(text: str) -> None:
    """On as many lines as they stand."""
    assert [items(kind, text) for kind in NODES] == [[]] * len(NODES)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("&lt;li&gt;a&lt;/li&gt;&lt;li&gt;b&amp;lt;c&lt;/li&gt;", ["a", "b<c"]),
        ("&lt;item&gt;a&lt;/item&gt;\n&lt;item&gt;b&lt;/item&gt;", ["a", "b"]),
        ("&lt;li&gt;a&lt;/item&gt;", ["&lt", "li&gt", "a&lt", "/item&gt"]),
    ],
)
def test_items_whose_tags_were_escaped(text: str, parts: list[str]) -> None:
    """Their texts were escaped twice."""
    assert [piece.text for piece in split_items(text, NODES["str"]).items] == parts


@pytest.mark.parametrize(
    ("text", "how"),
    [
        ("- a\n- b", "bullets"),
        ("1. a\n2. b", "numbers"),
        ("• a • b", "bullets"),
        ("1. a 2. b", "numbers"),
        ("a\nb", "lines"),
        ("a; b", "semicolons"),
        ("a | b", "bars"),
        ("a, b", "commas"),
        ("a", "whole"),
        ("", "whole"),
    ],
)
def test_the_way_of_splitting_is_told(text: str, how: str) -> None:
    """For the record."""
    assert split_items(text, NODES["str"]).how == how


def test_pieces_say_where_they_stand() -> None:
    """White space, bullets and what leads to the list are outside of the items."""
    assert split_items(" Pros:\n - a \n - b", NODES["str"]) == Items(
        [Piece("a", 10, 11), Piece("b", 16, 17)], "bullets", Piece("Pros:", 1, 6)
    )


_NUMBERS = re.compile(r"^\W*\w{1,4}[.)\]\u3001]", re.MULTILINE)


@given(TEXTS, st.sampled_from(sorted(NODES)))
@example("- \n\n1. ", "bool")
@example("- \n\nabc.", "str")
def test_any_text_is_split_into_its_own_characters(text: str, kind: str) -> None:
    """Items stand where they say, one behind another, and are not empty; without white space at their ends."""
    found = split_items(text, NODES[kind])
    place = 0
    for piece in found.items:
        assert place <= piece.start <= piece.end <= len(text)
        assert text[piece.start : piece.end] == piece.text
        place = piece.end
    said = _NUMBERS.sub("", text)  # that an item begins is nothing said
    assert found.items or found.candidates or not any(map(str.isalnum, said))


@given(st.lists(st.from_regex(r"[a-z]{1,8}( [a-z]{1,8}){0,5}", fullmatch=True), min_size=1, max_size=6))
def test_what_was_written_with_bullets_comes_back(texts: list[str]) -> None:
    """Whatever stands behind a bullet."""
    assert items("str", "\n".join(f"- {text}" for text in texts)) == texts
    assert items("str", "\n".join(f"{index}. {text}" for index, text in enumerate(texts, 1))) == texts


@pytest.mark.parametrize("kind", ["str", "int"])
@pytest.mark.parametrize("shape", SHAPES)
def test_time_grows_with_the_text(shape: str, kind: str) -> None:
    """Whatever stands in it."""
    assert grows_linearly(lambda text: split_items(text, NODES[kind]), SHAPES[shape])
