"""JSON, sloppy or not, in one pass: what comes of what stands between clean stretches."""

import pytest

from structured_response.parse.json.json_text import scan_json
from structured_response.parse.written import Members, Value

KNOWN = ("a", "b")


def shown(value: Value | None) -> object:
    """What a value holds."""
    held = None if value is None else value.held
    if isinstance(held, Members):
        return {str(key.held): shown(member) for key, member in held.pairs}
    return [shown(item) for item in held] if isinstance(held, list) else held


READ: list[tuple[str, object, dict[str, str]]] = [
    ('{"a": 1}', {"a": "1"}, {}),
    ('{"a": 1 "b": 2}', {"a": "1", "b": "2"}, {"": ","}),
    ('{"a": 1, # c\n"b": 2}', {"a": "1", "b": "2"}, {"# c\n": " "}),
    ('{"a": 1, ...}', {"a": "1"}, {"...": ""}),
    ('{"a": [1, ...]}', {"a": ["1"]}, {"...": ""}),
    ('{"a": ["x" "y"]}', {"a": ["x", "y"]}, {"": ","}),
    ("{**a**: 1, `b`: 2}", {"a": "1", "b": "2"}, {"**a**:": '"a":'}),
    ('{"a": [1, 2}', {"a": ["1", "2"]}, {"": "]"}),
    ('{"a": ["x"\n\nBye now!', {"a": ["x"]}, {"": "]}"}),
    ('{"a": [Part(b=1), Part(b=2)]}', {"a": [{"b": "1"}, {"b": "2"}]}, {"    {": "{", "b:": '"b":'}),
]


@pytest.mark.parametrize(("text", "data", "changes"), READ)
def test_what_is_read(text: str, data: object, changes: dict[str, str]) -> None:
    """With the first change of each sort; JSON to the letter has none."""
    scanned = scan_json(text, 0, KNOWN)
    assert shown(scanned.value) == data
    assert {change.before: change.after for change in scanned.changes} == changes
    assert not scanned.faults
    assert scanned.is_strict is not bool(changes)


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        ('{"a": [] | "b": 2}', ["this is no JSON"]),
        ('{"a": [], {"b": 2}}', ["an object stands where a name should"]),
    ],
)
def test_what_has_no_place_is_a_fault(text: str, messages: list[str]) -> None:
    """Nothing is guessed."""
    assert [fault.message for fault in scan_json(text, 0, KNOWN).faults] == messages


@pytest.mark.parametrize("text", ["{x}", "{x: 1}", "[see below]", "['x']", "[...]", "{", "{,}", "{'a'}"])
def test_brackets_of_prose_are_none(text: str) -> None:
    """What begins with nothing that could be meant."""
    scanned = scan_json(text, 0, KNOWN)
    assert scanned.value is None
    assert 1 <= scanned.end <= len(text)


def test_a_list_that_may_be_meant() -> None:
    """Where lists of texts are asked for."""
    assert shown(scan_json("['x']", 0, KNOWN, takes_lists=True).value) == ["x"]


def test_names_of_the_definition_are_counted() -> None:
    """Wherever they stand."""
    assert scan_json('{"a": {"b": 1, "c": 2}, A: 3}', 0, KNOWN).names == 3
