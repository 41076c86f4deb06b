"""Lists, maps and objects that were written as text: which parts they have, and where those stand."""

import gc
import re
import time
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from structured_response.definition import Node
from structured_response.parse.inline import Entry, Items, Piece, split_fields, split_items, split_pairs

NODES: dict[str, Node] = {
    **{kind: Node(kind, nullable=False) for kind in ("str", "int", "float", "bool", "date", "dict", "duration")},
    "enum": Node("enum", choices=("good", "mixed", "bad"), nullable=False),
}


def items(kind: str, text: str) -> list[str]:
    """The items of a text, each of which stands where it says it does."""
    found = split_items(text, NODES[kind])
    for piece in [*found.items, *([found.lead] if found.lead else [])]:
        assert text[piece.start : piece.end] == piece.text
    return [piece.text for piece in found.items]


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
    ("- [x] done\n- [ ] open", ["done", "open"]),
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

SEPARATED = [
    ("light; cheap", ["light", "cheap"]),
    ("light; cheap; ", ["light", "cheap"]),
    ("a, b; c, d", ["a, b", "c, d"]),
    ("a | b | c", ["a", "b", "c"]),
    ("a|b", None),
    ("red, green, blue", ["red", "green", "blue"]),
    ("red,green,blue", ["red", "green", "blue"]),
    ("red, green and blue", ["red", "green", "blue"]),
    ("red, green, and blue.", ["red", "green", "blue"]),
    ("red, green & blue", ["red", "green", "blue"]),
    ("red, green or blue", ["red", "green or blue"]),
    ("easy to use, very light", ["easy to use", "very light"]),
    ('"great battery", "slow, but fine"', ["great battery", "slow, but fine"]),
    ("\u201cgreat\u201d, \u201cslow, but fine\u201d", ["great", "slow, but fine"]),
    ("1\u3001a\u3001b", ["1", "a", "b"]),
    ("red<br>green<br/>blue", ["red", "green", "blue"]),
    ("[red, green]", ["red", "green"]),
    ("(red, green)", ["red", "green"]),
    ('"red", "green"', ["red", "green"]),
    ("'red', 'green'", ["red", "green"]),
    ("red (dark, deep), green", ["red (dark, deep)", "green"]),
    ('"a, b", c', ['"a, b"', "c"]),
    ("f(a; b)", None),
    ("it's, that's", None),
    ("costs 1,299, weighs 5", ["costs 1,299", "weighs 5"]),
    ("1,299", None),
    ("light", None),
    ("red and green", None),
    ("Light, cheap and a joy to use, really", None),
    ("It works, mostly", None),
    ("However, cheap", None),
    ("Light, which helps", None),
    ("A long description of it, short", None),
]


@pytest.mark.parametrize(("text", "parts"), [*BULLETS, *LINES, *SEPARATED])
def test_a_list_of_strings(text: str, parts: list[str] | None) -> None:
    """By bullets, by lines, by semicolons or bars, by commas; where none of them is sure, the text is one item."""
    assert items("str", text) == ([text] if parts is None else parts)


VALUES: list[tuple[str, str, list[str] | None]] = [
    ("int", "1, 2, 3", ["1", "2", "3"]),
    ("int", "1 2 3", ["1", "2", "3"]),
    ("int", "1,2,3", ["1", "2", "3"]),
    ("int", "10,20", ["10", "20"]),
    ("int", "1,2, 3", ["1", "2", "3"]),
    ("int", "1,299, 1,300", ["1,299", "1,300"]),
    ("int", "1; 2", ["1", "2"]),
    ("int", "1 and 2", ["1", "2"]),
    ("int", "1, 2 and 3", ["1", "2", "3"]),
    ("int", "-1, -2", ["-1", "-2"]),
    ("int", "3\n4", ["3", "4"]),
    ("int", "- 4\n- 5", ["4", "5"]),
    ("int", "- 4", ["4"]),
    ("int", "[1 2]", ["1", "2"]),
    ("int", "~1, ~2", ["~1", "~2"]),
    ("int", "4", None),
    ("int", "4 stars", None),
    ("int", "1, many", None),
    ("float", "1.5, 2.5", ["1.5", "2.5"]),
    ("float", "3,14; 2,71", ["3,14", "2,71"]),
    ("float", "3,14, 2,71", ["3,14", "2,71"]),
    ("float", "1.5 2.5", ["1.5", "2.5"]),
    ("enum", "good, bad", ["good", "bad"]),
    ("enum", "good bad", ["good", "bad"]),
    ("enum", "good and bad", ["good", "bad"]),
    ("enum", "Good, **bad**", ["Good", "**bad**"]),
    ("enum", "good, because it is cheap", None),
    ("enum", "good - it lasts", None),
    ("enum", "not good", None),
    ("bool", "yes, no", ["yes", "no"]),
    ("bool", "yes, definitely", None),
    ("date", "2024-01-01, 2024-01-02", ["2024-01-01", "2024-01-02"]),
    ("date", "2 March 2024, 3 March 2024", ["2 March 2024", "3 March 2024"]),
    ("date", "March 2, 2024", None),
    ("duration", "1 hour, 2 hours", ["1 hour", "2 hours"]),
    ("dict", "a: 1, b: 2", None),
    ("dict", "- a: 1\n  b: 2\n- a: 3", ["a: 1\n  b: 2", "a: 3"]),
]


@pytest.mark.parametrize(("kind", "text", "parts"), VALUES)
def test_a_list_of_values(kind: str, text: str, parts: list[str] | None) -> None:
    """Commas, blanks and `and` separate what reads as an item on both sides, and nothing else."""
    assert items(kind, text) == ([text] if parts is None else parts)


@pytest.mark.parametrize(
    ("kind", "text", "readings"),
    [
        ("int", "1,299", ("1,299", "1, 299")),
        ("int", "1 299", ("1 299", "1, 299")),
        ("int", "100,200,300", ("100,200,300", "100, 200, 300")),
        ("float", "3,14", ("3,14", "3, 14")),
        ("float", "[1,299]", ("1,299", "1, 299")),
    ],
)
def test_one_number_or_several_is_not_guessed(kind: str, text: str, readings: tuple[str, ...]) -> None:
    """What can be one number or a list of numbers gives no items, but both readings."""
    found = split_items(text, NODES[kind])
    assert found.items == []
    assert found.candidates == readings


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


def entries(found: Any, text: str) -> dict[str, str] | None:
    """The entries that were found, each of which stands where it says it does."""
    if found is None:
        return None
    for entry in found.entries:
        assert text[entry.key.start : entry.key.end] == entry.key.text
        assert text[entry.value.start : entry.value.end] == entry.value.text
    return {entry.name: entry.value.text for entry in found.entries}


PAIRS: list[tuple[str, dict[str, str] | None]] = [
    ("a: 1\nb: 2", {"a": "1", "b": "2"}),
    ("a:1\nb:2", {"a": "1", "b": "2"}),
    ("a = 1\nb=2", {"a": "1", "b": "2"}),
    ("a -> 1\nb → 2\nc => 3", {"a": "1", "b": "2", "c": "3"}),
    ("- a: 1\n- b: 2", {"a": "1", "b": "2"}),
    ("1. a: 1\n2. b: 2", {"a": "1", "b": "2"}),
    ("**a:** 1\n**b**: *2*", {"a": "1", "b": "*2*"}),
    ("* **a**: 1\n* `b`: 2", {"a": "1", "b": "2"}),
    ('"a": 1,\n"b": 2', {"a": "1", "b": "2"}),
    ('"a: b": 1', {"a: b": "1"}),
    ("{a: 1, b: 2}", {"a": "1", "b": "2"}),
    ("a: 1, b: 2", {"a": "1", "b": "2"}),
    ("a=1; b=2", {"a": "1", "b": "2"}),
    ("a: 1 | b: 2", {"a": "1", "b": "2"}),
    ("a: 1, 2; b: 3", {"a": "1, 2", "b": "3"}),
    ("- a: x = 1; y = 2", {"a": "x = 1; y = 2"}),  # signs of two kinds
    ("  a: 1\n  b: 2", {"a": "1", "b": "2"}),
    ("a: 1, 2", {"a": "1, 2"}),
    ("a:\n  1\nb:\n  2", {"a": "1", "b": "2"}),
    ("a: x\n  more: y\nb: z", {"a": "x\n  more: y", "b": "z"}),
    ("a: x\nmore\nb: z", {"a": "x\nmore", "b": "z"}),
    ("\n    a: 1\n    b: 2\n", {"a": "1", "b": "2"}),
    ("a: 1\n    b: 2\n    c: 3", {"a": "1", "b": "2", "c": "3"}),
    ("url: http://x\nother: 10:30", {"url": "http://x", "other": "10:30"}),
    ("10:30: lunch\n11:00: nap", {"10:30": "lunch", "11:00": "nap"}),
    ("Here are the scores:\na: 1\nb: 2", {"a": "1", "b": "2"}),
    ("two words: 1\nthree small words: 2", {"two words": "1", "three small words": "2"}),
    ("nothing", None),
    ("", None),
    ("http://x", None),
    ("no key\na: 1", None),
    (": 1", None),
]


@pytest.mark.parametrize(("text", "pairs"), PAIRS)
def test_a_map(text: str, pairs: dict[str, str] | None) -> None:
    """A line for each entry, or parts of one line; what has no key belongs to the value before."""
    assert entries(split_pairs(text), text) == pairs


def resolve(label: str) -> str | None:
    """The field of a label."""
    return {"label": "label", "the label": "label", "points": "points"}.get(label.lower())


FIELDS: list[tuple[str, dict[str, str] | None]] = [
    ("label: a\npoints: 2", {"label": "a", "points": "2"}),
    ("**Label:** a\n**Points:** 2", {"label": "a", "points": "2"}),
    ("- label: a\n- points: 2", {"label": "a", "points": "2"}),
    ("- **Label**: a\n  - x: y\n- Points -> 2", {"label": "a\n  - x: y", "points": "2"}),
    ("1. Label: a\n2. Points = 2", {"label": "a", "points": "2"}),
    ("### Label: a\n### Points: 2", {"label": "a", "points": "2"}),
    ("The label: a\nPOINTS: 2", {"label": "a", "points": "2"}),
    ('"label": "a",\n"points": 2', {"label": '"a"', "points": "2"}),
    ("label: a\n  more\n\npoints: 2\n", {"label": "a\n  more", "points": "2"}),
    ("label: a\nnote: x\npoints: 2", {"label": "a\nnote: x", "points": "2"}),
    ("label:\n  a\npoints:\n  2", {"label": "a", "points": "2"}),
    ("Sure:\nlabel: a\npoints: 2", {"label": "a", "points": "2"}),
    ("label: a, points: 2", {"label": "a", "points": "2"}),
    ("Label = a; Points = 2", {"label": "a", "points": "2"}),
    ("label: a | points: 2", {"label": "a", "points": "2"}),
    ("{label: a, points: 2}", {"label": "a", "points": "2"}),
    ("label: a: b, c, points: 2", {"label": "a: b, c", "points": "2"}),
    ("label: a (points: 2)", {"label": "a (points: 2)"}),
    ("label: a, b.", {"label": "a, b."}),
    ("points: 2", {"points": "2"}),
    ("other: 1", None),
    ("label", None),
    ("", None),
]


@pytest.mark.parametrize(("text", "fields"), FIELDS)
def test_an_object(text: str, fields: dict[str, str] | None) -> None:
    """Only known labels begin a field; all else belongs to the value before."""
    assert entries(split_fields(text, resolve), text) == fields


def test_fields_keep_what_leads_to_them_and_repeated_labels() -> None:
    """What they mean is for the caller to say."""
    found = split_fields("Sure:\nlabel: a\nlabel: b", resolve)
    assert found is not None
    assert found.lead == Piece("Sure:", 0, 5)
    assert found.entries == [
        Entry("label", Piece("label", 6, 11), Piece("a", 13, 14)),
        Entry("label", Piece("label", 15, 20), Piece("b", 22, 23)),
    ]


PIECES = st.sampled_from(
    [
        *(
            "- ",
            "* ",
            "• ",
            "1. ",
            "2. ",
            "a) ",
            "\n",
            "\r\n",
            "  ",
            "\t",
            ", ",
            ",",
            "; ",
            ";",
            " | ",
            " and ",
            ": ",
            ":",
        ),
        *(
            "=",
            "->",
            "**",
            "`",
            '"',
            "'",
            "(",
            ")",
            "[",
            "]",
            "{",
            "}",
            "\\",
            "a",
            "b c",
            "4",
            "1,299",
            "label",
            "points",
        ),
        *("is", "http://x", "good", "yes", "2024-03-02", "&", "<", "\u00a0", "\u200b", "é", "\ud83d", "."),
    ]
)
TEXTS = st.one_of(st.lists(PIECES, max_size=30).map("".join), st.text(max_size=40))


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


@given(TEXTS)
def test_any_text_has_entries_of_its_own_characters(text: str) -> None:
    """Keys and values stand where they say, one behind another."""
    for found in (split_pairs(text), split_fields(text, resolve)):
        place = 0
        for entry in found.entries if found else ():
            assert entry.key.text
            for piece in (entry.key, entry.value):
                assert place <= piece.start <= piece.end <= len(text)
                assert text[piece.start : piece.end] == piece.text
                place = piece.end


@given(st.lists(st.from_regex(r"[a-z]{1,8}( [a-z]{1,8}){0,5}", fullmatch=True), min_size=1, max_size=6))
def test_what_was_written_with_bullets_comes_back(texts: list[str]) -> None:
    """Whatever stands behind a bullet."""
    assert items("str", "\n".join(f"- {text}" for text in texts)) == texts
    assert items("str", "\n".join(f"{index}. {text}" for index, text in enumerate(texts, 1))) == texts


SHAPES: dict[str, Callable[[int], str]] = {
    "bullets": lambda size: "- a\n" * (size // 4),
    "nested bullets": lambda size: "- a\n" + "  - b\n" * (size // 6),
    "lines": lambda size: "ab\n" * (size // 3),
    "commas": lambda size: "ab, " * (size // 4),
    "tight commas": lambda size: "1," * (size // 2) + "1",
    "blanks": lambda size: "1 " * (size // 2),
    "white": lambda size: "a" + " " * size + "b",
    "semicolons": lambda size: "a;" * (size // 2),
    "open brackets": lambda size: "(" * size,
    "brackets": lambda size: "(a), " * (size // 5),
    "quotes": lambda size: "\"'" * (size // 2),
    "numbers": lambda size: " ".join(f"{index % 1000}. a" for index in range(size // 6)),
    "pairs": lambda size: "a: 1\n" * (size // 5),
    "pairs of a line": lambda size: "a: 1, " * (size // 6),
    "labels": lambda size: "label: 1\n" * (size // 9),
    "labels of a line": lambda size: "label: 1, " * (size // 10),
    "one word": lambda size: "a" * size,
    "colons": lambda size: ":" * size,
    "stars": lambda size: "*" * size,
    "ands": lambda size: "a and " * (size // 6),
}


def spent(text: str, rounds: int) -> float:
    """Seconds of this process for splitting a text in every way: the best of some. Without the garbage collector,
    whose time depends on what other tests left.
    """
    best = float("inf")
    gc.disable()
    try:
        for _ in range(rounds):
            started = time.process_time()
            split_items(text, NODES["str"])
            split_items(text, NODES["int"])
            split_pairs(text)
            split_fields(text, resolve)
            best = min(best, time.process_time() - started)
    finally:
        gc.enable()
    return best


@pytest.mark.parametrize("shape", SHAPES)
def test_time_grows_with_the_text(shape: str) -> None:
    """At ten times the size, ten times the time, with room for a busy machine; a quadratic one would take a hundred."""
    small, large = (SHAPES[shape](size) for size in (6_000, 60_000))
    assert any(spent(large, rounds) < 30 * max(spent(small, rounds), 0.0005) for rounds in (1, 3))
