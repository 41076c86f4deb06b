"""What may follow at a place of JSON."""

import pytest

from structured_response.parse.json.json_ahead import JsonAhead, name_at
from structured_response.parse.written import Members, Value


def ahead(text: str, kind: type = Members, known: tuple[str, ...] = ("a", "b"), takes_any: bool = False) -> JsonAhead:
    """What looks ahead in an object or a list that is open."""
    made = JsonAhead(text, 0, known, takes_lists=False, takes_any=takes_any)
    made.open.append(Value(kind(), 0))
    return made


@pytest.mark.parametrize(
    "blanks", ["", " \n\t", "\u00a0", "// a\n", "# a\n ", "/* a\n b */ ", " // a\n/* b */# c\n", "\ufeff\u200b"]
)
def test_blanks_and_comments_are_passed_over(blanks: str) -> None:
    """Those that are never closed up to the end."""
    assert ahead(blanks + "x").skip(0) == len(blanks)
    assert ahead("/* " + blanks).skip(0) == ahead("// a").skip(0) + len("/* " + blanks) - len("// a")


def test_the_next_mark_is_remembered() -> None:
    """And looked for anew behind it."""
    one = ahead("a*/b*/c")
    assert [one.end_of("*/", place) for place in (0, 1, 2, 4, 5, 0)] == [3, 3, 6, 6, -1, 3]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ('"a": 1', ("a", 4)),
        ("'a' : 1", ("a", 5)),
        ("a: 1", ("a", 2)),
        ("\u201ca\u201d: 1", ("a", 4)),
        ("**a b**: 1", ("a b", 8)),
        ("1: a", ("1", 2)),
        ("http://x", None),
        ('"a", 1', None),
        ("", None),
    ],
)
def test_names_of_members(text: str, name: tuple[str, int] | None) -> None:
    """In quotes of any kind or none."""
    found = name_at(text, 0)
    assert (None if found is None else (found[found.lastindex or 0], found.end())) == name


@pytest.mark.parametrize(
    ("kind", "text", "goes_on"),
    [
        (Members, "", True),
        (Members, "}", True),
        (Members, "}}", True),
        (Members, "} is it", True),
        (Members, ', "b": 1', True),
        (Members, ', "other": 1', True),
        (Members, ", said he", False),
        (Members, ', "b', True),
        (Members, '\n"b": 1', True),
        (Members, ' "b": 1', True),
        (Members, ' "other": 1', False),
        (Members, " and", False),
        (Members, "x", False),
        (list, ', "b"', True),
        (list, ", 1", True),
        (list, ", said he", False),
        (list, "]", True),
        (list, ' "b"', True),
    ],
)
def test_where_a_value_can_end(kind: type, text: str, goes_on: bool) -> None:
    """Where the object or the list can go on."""
    assert ahead("0" + text, kind).goes_on(1) is goes_on


@pytest.mark.parametrize(("text", "goes_on"), [(', "other": 1', False), (', "b": 1', True), ("\n1", False)])
def test_where_a_value_can_end_behind_a_quote_of_its_own(text: str, goes_on: bool) -> None:
    """Only before names of the definition."""
    assert ahead("0" + text).goes_on(1, sure=True) is goes_on


@pytest.mark.parametrize(
    ("text", "opened", "closes"),
    [("}", 1, True), ("} x", 2, False), ("}} x", 2, True), ("} b: 1", 2, True), ("},", 2, True)],
)
def test_closing_brackets_that_are_the_structures(text: str, opened: int, closes: bool) -> None:
    """By what follows them, or where all that is open is closed."""
    one = ahead(text)
    one.open *= opened
    assert one.closes(0) is closes


def test_names_of_maps_are_known() -> None:
    """In an object whose first name is none of the definition's."""
    text = ""
    for first, takes_any, is_known in (("a", True, False), ("x", True, True), ("x", False, False)):
        one = ahead(text, takes_any=takes_any)
        one.key = Value(first, 0)
        assert one.is_known("other") is is_known
    assert ahead(text, known=()).is_known("other")
