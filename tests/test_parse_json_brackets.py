"""The structure of JSON: what closes what, and which commas are there too often."""

import pytest

from structured_response.limits import MAX_DEPTH
from structured_response.parse.json.json_brackets import JsonBrackets, closers_of
from structured_response.parse.reading import LimitReachedError
from structured_response.parse.written import Bare, Members, Value


def structure(text: str) -> JsonBrackets:
    """What lists of one digit for each number make, in which nothing else stands, read to the end."""
    made = JsonBrackets(text, 0, (), takes_lists=True, takes_any=False)
    made.has_begun = True
    made.push()
    while made.open and made.position < len(text):
        char = text[made.position]
        if char in "{[":
            made.push()
        elif char.isdigit():
            made.add(Value(Bare(char), made.position, made.position + 1))
            made.position += 1
        else:
            made.mark()
    return made


def shown(value: Value) -> object:
    """What a value holds."""
    return [shown(item) for item in value.held] if isinstance(value.held, list) else str(value.held)


@pytest.mark.parametrize(
    ("text", "data", "notes"),
    [
        ("[1,[2,3],[]]", ["1", ["2", "3"], []], {}),
        ("[1,,2]", ["1", "2"], {"comma": ""}),
        ("[1,]", ["1"], {"comma": ""}),
        ("[1}]", ["1"], {"closer": ""}),
        ("[]", [], {}),
    ],
)
def test_brackets_and_commas(text: str, data: object, notes: dict[str, str]) -> None:
    """Those too many are passed over, once on record."""
    made = structure(text)
    assert (shown(made.root), made.root.span, made.open) == (data, (0, len(text)), [])
    assert {sort: change.after for sort, change in made.sorts.items()} == notes


def test_a_bracket_closes_those_inside_of_it() -> None:
    """On record, from the innermost on."""
    made = structure("[")
    made.has_begun = True
    made.root.held = Members()
    made.begin_member(Value("a", 0))
    made.text = "{[[}"
    made.push()
    made.push()
    made.close("}")
    assert (made.open, made.sorts["closer"].after) == ([], "]]")
    assert closers_of([Value(Members(), 0), Value([], 0), Value([], 0)]) == "]]}"


@pytest.mark.parametrize(
    ("text", "cut", "is_unclosed"),
    [("[1", [True, False], True), ("[1,", [True, False], False), ("[1,[2", [False, True], False)],
)
def test_what_breaks_off_is_cut(text: str, cut: list[bool], is_unclosed: bool) -> None:
    """The innermost that is open; that it lacks its bracket alone is known of the last one."""
    made = structure(text)
    made.break_off()
    last = made.root.last
    assert last is not None
    assert [made.root.is_cut, last.is_cut] == cut
    assert (made.root.is_unclosed, made.root.end, made.open) == (is_unclosed, len(text), [])


def test_a_name_without_a_value() -> None:
    """Is lost where the text breaks off, else a fault."""
    for is_cut in (True, False):
        made = structure("[")
        made.root.held = Members()
        made.begin_member(Value("a", 0, 1))
        made.add_lost(is_cut)
        last = made.root.last
        assert last is not None
        assert (last.is_cut, last.fault is None) == (is_cut, is_cut)


def test_depth_has_a_bound() -> None:
    """It says so."""
    with pytest.raises(LimitReachedError, match="MAX_DEPTH"):
        structure("[" * (MAX_DEPTH + 2))
