"""The scalars of JSON: where they end, what they were taken for, and when that is not clear."""

import pytest

from structured_response.parse.json.json_values import JsonValues, NotJsonError
from structured_response.parse.written import Bare, Held, Members, Value


def values(text: str, kind: type = Members) -> JsonValues:
    """What reads the first value of an object or a list, behind its bracket."""
    made = JsonValues(text, 1, ("a", "b"), takes_lists=True, takes_any=False)
    made.has_begun = True
    made.open.append(Value(kind(), 0))
    return made


STRINGS: list[tuple[str, str, int]] = [
    ('"x"}', "x", 3),
    ('"x\\n\\u00e9", "b": 1', "x\n\u00e9", 11),
    ("'x', 'b': 1", "x", 3),
    ("\u201cx\u201d}", "x", 3),
    ('"say "x" now"}', 'say "x" now', 13),
    ("'it's'}", "it's", 6),
    ('"x\ny"}', "x\ny", 5),
    ('"""x"""}', "x", 7),
    ('"x,\n"b": 1', "x", 2),
    ('"x, "b": 1', "x", 2),
    ('"x\n}', "x", 2),
]


@pytest.mark.parametrize(("text", "held", "length"), STRINGS)
def test_where_strings_end(text: str, held: str, length: int) -> None:
    """At the first quote behind which the object can go on, or before the next name."""
    value = values("{" + text).string()
    assert (value.held, value.span, value.fault, value.is_cut) == (held, (1, 1 + length), None, False)


@pytest.mark.parametrize(
    ("kind", "text", "held", "said"),
    [
        (Members, '"x" + "y"}', 'x" + "y', "texts joined"),
        (Members, '"a" c", "x": "y"}', 'a" c", "x": "y', "names and values"),
        (Members, '"a "b, "b": 1}', 'a "b', "a quote stands inside"),
        (Members, '"a}', "a}", "the end of this text"),
    ],
)
def test_ends_that_are_not_clear(kind: type, text: str, held: str, said: str) -> None:
    """Nothing is guessed quietly."""
    value = values("[" + text, kind).string()
    assert value.held == held
    assert value.fault is not None
    assert value.fault.message.startswith(said)


@pytest.mark.parametrize("text", ['"a "b", "c"]', '"a", b", "c"]', '"a": "b", "c"]'])
def test_an_item_whose_end_is_not_clear_is_a_fault_of_its_list(text: str) -> None:
    """Items behind it may stand at other places than they should."""
    reader = values("[" + text, list)
    assert reader.string().fault is None
    assert reader.open[-1].fault is not None


@pytest.mark.parametrize(("text", "held"), [('"Ni', "Ni"), ('"Ni\\u00', "Ni"), ('"Ni\\', "Ni"), ('"""Ni', "Ni")])
def test_strings_that_break_off(text: str, held: str) -> None:
    """Without half an escape."""
    value = values("{" + text).string()
    assert (value.held, value.is_cut, value.span) == (held, True, (1, 1 + len(text)))


WORDS: list[tuple[str, Held, list[str]]] = [
    ("1.10}", Bare("1.10"), []),
    ("true,}", Bare("true"), []),
    ("None}", None, ["null"]),
    ("TRUE}", Bare("true"), ["true"]),
    ("null}", None, []),
    ("NaN}", Bare("NaN"), []),
]


@pytest.mark.parametrize(("text", "held", "notes"), WORDS)
def test_numbers_and_words(text: str, held: Held, notes: list[str]) -> None:
    """Those of other languages on record."""
    reader = values("{" + text)
    value = reader.unquoted()
    assert (value.held, [change.after for change in reader.sorts.values()]) == (held, notes)
    assert (value.change, reader.is_strict) == (None, not notes)


@pytest.mark.parametrize(("kind", "text", "held"), [(Members, "x y, z, b: 1", "x y, z"), (list, "x y, z", "x y")])
def test_texts_without_quotes(kind: type, text: str, held: str) -> None:
    """In a list they end at a comma, in an object where a name follows it."""
    value = values("{" + text, kind).unquoted()
    assert value.held == held
    assert value.change is not None
    assert value.change.after == f'"{held}"'


def test_values_that_python_shows() -> None:
    """By the names of their classes."""
    value = values("{Decimal('1.5')}").shown_by_python()
    assert value is not None
    assert (value.held, value.span) == (Bare("1.5"), (1, 15))
    assert values("{Other('1.5')}").shown_by_python() is None


@pytest.mark.parametrize("text", ["'x'", "x"])
def test_what_is_odd_before_anything_has_told_json_is_none(text: str) -> None:
    """A bracket of prose."""
    reader = values("[" + text + " y]", list)
    reader.has_begun = False
    with pytest.raises(NotJsonError):
        (reader.string if text[0] == "'" else reader.unquoted)()


def test_half_a_character_is_replaced() -> None:
    """On record."""
    value = values("").strict_string('"\\ud83d"', 0)
    assert (value.held, value.is_literal) == ("\ufffd", True)
    assert value.change is not None
