"""Values of each kind: in strict forms, in forms that are mended on record, in forms that nobody can read."""

from typing import Any

import pytest

from structured_response.definition import Node
from structured_response.findings import RepairKind
from structured_response.parse.scalars import Scalar, read_scalar


def read(kind: str, text: str, *, nullable: bool | None = False, marked: str | None = None, **more: Any) -> Scalar:
    """The scalar of a text without entities."""
    return read_scalar(Node(kind, nullable=nullable, **more), text, text, marked)


STRICT = [
    ("int", "0"),
    ("int", "-12"),
    ("int", "9" * 4300),
    ("float", "18.7"),
    ("float", "-0.0"),
    ("float", "1e+16"),
    ("float", "1E-5"),
    ("float", "3"),
    ("float", "NaN"),
    ("float", "-Infinity"),
    ("bool", "true"),
    ("bool", "false"),
    ("date", "2024-03-02"),
    ("time", "12:30:00"),
    ("time", "12:30:00.123456Z"),
    ("datetime", "2024-03-02T12:30:00+01:00"),
    ("duration", "P1DT2H30M"),
    ("duration", "-PT0.5S"),
    ("decimal", "1.10"),
    ("uuid", "12345678-1234-1234-1234-123456789abc"),
    ("str", "None"),
    ("str", "true"),
    ("str", ""),
]


@pytest.mark.parametrize(("kind", "text"), STRICT)
def test_a_strict_form_passes_as_it_is(kind: str, text: str) -> None:
    """The form that was asked for is never touched, and nothing is said about it."""
    assert read(kind, text) == Scalar(text)


MENDED = [
    ("int", "+4", "4"),
    ("int", "007", "7"),
    ("int", "4.0", "4"),
    ("int", "-4.", "-4"),
    ("float", "+1.5", "1.5"),
    ("float", ".5", "0.5"),
    ("float", "5.", "5"),
    ("float", "01.50", "1.50"),
    ("decimal", "+1.50", "1.50"),
    ("bool", "True", "true"),
    ("bool", "YES", "true"),
    ("bool", "0", "false"),
    ("bool", "off", "false"),
]


@pytest.mark.parametrize(("kind", "text", "value"), MENDED)
def test_another_form_is_mended_on_record(kind: str, text: str, value: str) -> None:
    """Forms that say the same in another way are read, and said to be."""
    assert read(kind, text) == Scalar(value, RepairKind.VALUE_RESPELLED)


HOPELESS = [
    ("int", "1.299"),
    ("int", "4.5"),
    ("int", "1_000"),
    ("int", "٤"),
    ("int", "0x10"),
    ("int", "4 or 5"),
    ("int", "1" * 4301),
    ("int", "true"),
    ("float", "1e400"),
    ("float", "-1e400"),
    ("float", "1" * 400),
    ("float", "."),
    ("float", "1e"),
    ("float", "--1"),
    ("float", "1_0.0"),
    ("bool", "2"),
    ("bool", "Yes, but no for kids"),
    ("date", "02/03/2024"),
    ("date", "20240302"),
    ("datetime", "2024"),
    ("datetime", "1709337600"),
    ("uuid", "12345678"),
    ("duration", "3600"),
]


@pytest.mark.parametrize(("kind", "text"), HOPELESS)
def test_a_text_of_no_known_form_is_a_problem(kind: str, text: str) -> None:
    """What pydantic-core would read without a word, in a way nobody meant, is a problem here."""
    found = read(kind, text)
    assert found.value is None
    assert found.repair is None
    assert found.problem is not None
    assert found.problem.startswith(("not ", "too large for a float", "an int of more than 4300 digits"))


@pytest.mark.parametrize(
    ("kind", "text", "problem"),
    [
        ("int", "many", "not an int"),
        ("int", "9" * 4301, "an int of more than 4300 digits (MAX_FORM_DIGITS)"),
        ("float", "many", "not a float"),
        ("float", ".", "not a float"),
        ("float", "1e999", "too large for a float"),
        ("float", "-1.5e400", "too large for a float"),
        ("float", "9" * 400, "too large for a float"),
        ("float", "+0." + "1" * 5000, "not a float"),
        ("decimal", "many", "not a decimal number"),
        ("date", "soon", "not a date (YYYY-MM-DD)"),
        ("time", "noon", "not a time (HH:MM:SS)"),
        ("datetime", "soon", "not a datetime (YYYY-MM-DDTHH:MM:SS+00:00)"),
        ("duration", "2 hours", "not a duration (P1DT2H30M)"),
        ("uuid", "1234", "not a UUID (xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx)"),
        ("bytes", "?", "not bytes (base64)"),
        ("date", "", "empty, which is not a date (YYYY-MM-DD)"),
    ],
)
def test_a_problem_says_what_was_asked_for(kind: str, text: str, problem: str) -> None:
    """The form that was asked for stands in the message, and a number that is too large is called that."""
    assert read(kind, text).problem == problem


def test_a_problem_names_the_choices_and_not_all_of_many() -> None:
    """A few choices stand in the message, long ones cut; all of them are candidates."""
    few = Node("enum", choices=("low", 3, "x" * 500), nullable=False)
    many = Node("enum", choices=tuple("abcdefgh"), nullable=False)
    assert read_scalar(few, "z", "z", None).problem == f'not one of the choices "low", 3, "{"x" * 99}'
    found = read_scalar(many, "z", "z", None)
    assert found.problem == 'not one of the choices "a", "b", "c", "d", "e" and 3 more'
    assert found.candidates == tuple("abcdefgh")


@pytest.mark.parametrize("word", ["None", "null", "NIL", "n/a"])
@pytest.mark.parametrize("kind", ["int", "float", "bool", "str", "enum", "date"])
def test_null_words_count_where_null_is_allowed(kind: str, word: str) -> None:
    """A null word is null, on record, for a nullable value of any kind."""
    assert read(kind, word, nullable=True, choices=("a",)) == Scalar(None, RepairKind.NULL_WORD)


@pytest.mark.parametrize("word", ["None", "null", "NIL", "n/a"])
def test_null_words_are_texts_for_a_str_that_cannot_be_null(word: str) -> None:
    """A `str` keeps its text, also where nobody knows whether it may be null."""
    assert read("str", word, nullable=False) == Scalar(word)
    assert read("str", word, nullable=None) == Scalar(word)


@pytest.mark.parametrize(("kind", "word"), [("int", "None"), ("bool", "null"), ("enum", "nil")])
def test_null_words_count_where_nobody_knows_whether_null_is_allowed(kind: str, word: str) -> None:
    """Without a model they count for every kind but `str`; where null is not allowed, they are a problem."""
    assert read(kind, word, nullable=None, choices=("a",)) == Scalar(None, RepairKind.NULL_WORD)
    assert read(kind, word, nullable=False, choices=("a",)).problem is not None


@pytest.mark.parametrize("kind", ["int", "float", "bool", "enum", "date"])
def test_an_empty_scalar_is_null_where_it_may_be(kind: str) -> None:
    """An empty element is null for a nullable scalar, without a word, and a problem for any other."""
    assert read(kind, "", nullable=True, choices=("a",)) == Scalar(None)
    assert read(kind, "", choices=("a",)).problem is not None


def test_an_empty_string_is_empty_or_null() -> None:
    """An empty element is an empty string; null where that is allowed, unless a mark decides."""
    assert read("str", "") == Scalar("")
    assert read("str", "", nullable=True) == Scalar(None)
    assert read("str", "", nullable=True, marked="str") == Scalar("")
    assert read("str", "", marked="null") == Scalar(None)


CHOICES: list[tuple[tuple[Any, ...], str, Any, RepairKind | None]] = [
    (("low", "high"), "low", "low", None),
    (("low", "high"), "HIGH", "high", RepairKind.CHOICE_RESPELLED),
    (("low", "Low"), "Low", "Low", None),
    ((1, 2), "2", 2, None),
    ((1, "a", True), "true", True, None),
    ((1.5, "a"), "1.5", 1.5, None),
    (("none", "some"), "none", "none", None),
    (("", "a"), "", "", None),
    ((" a", "a"), " a", " a", None),
]


@pytest.mark.parametrize(("choices", "text", "value", "repair"), CHOICES)
def test_a_choice_is_read(choices: tuple[Any, ...], text: str, value: Any, repair: RepairKind | None) -> None:
    """By its exact text first, then in any case, on record."""
    found = read("enum", text, choices=choices)
    assert found == Scalar(value, repair)
    assert type(found.value) is type(value)


def test_a_choice_is_read_by_its_member() -> None:
    """The name of an enum's member stands for its value, on record."""
    found = read("enum", "heavy", choices=(1, 2), members={"LIGHT": 1, "HEAVY": 2})
    assert found == Scalar(2, RepairKind.CHOICE_RESPELLED)


@pytest.mark.parametrize(
    ("choices", "members", "text"),
    [(("low", "Low"), {}, "LOW"), (("a", "b"), {"B": "a"}, "B"), (("a", "b"), {"B": "a", "X": "b"}, "B")],
)
def test_an_ambiguous_choice_is_a_problem(choices: tuple[str, ...], members: dict[str, str], text: str) -> None:
    """A text that names two choices is a problem with both as candidates."""
    found = read("enum", text, choices=choices, members=members)
    assert found.value is None
    assert found.problem is not None
    assert set(found.candidates) == set(choices)


def test_a_choice_that_is_none_lists_the_choices() -> None:
    """A problem with a choice says what could have been chosen."""
    assert read("enum", "middling", choices=("low", 3, True)).candidates == ("low", "3", "true")


PLACEHOLDERS = [
    ("int", {}, "[value here - as an int]"),
    ("str", {}, "[value here - as a string]"),
    ("str", {"description": "The name"}, "[The name - as a string]"),
    ("enum", {"choices": ("a",), "description": "One"}, "[One - as an enum]"),
]


@pytest.mark.parametrize(("kind", "more", "text"), PLACEHOLDERS)
def test_a_placeholder_is_no_value(kind: str, more: dict[str, Any], text: str) -> None:
    """What the prompt showed in a value's place is a problem, for a `str` too."""
    assert read(kind, text, **more).problem == "the prompt's placeholder was left in place of a value"


def test_a_placeholder_is_known_as_the_prompt_writes_it() -> None:
    """A placeholder is recognized with its entities too, since the prompt escapes descriptions."""
    node = Node("str", description="R&D <b>", nullable=False)
    text = "[R&D <b> - as a string]"
    assert read_scalar(node, "[R&amp;D &lt;b> - as a string]", text, None).problem is not None


@pytest.mark.parametrize("kind", ["int", "float", "bool"])
def test_leniencies_look_at_raw_characters(kind: str) -> None:
    """A form written in entities is strict or nothing: `+` and a digit as references are no number."""
    assert read_scalar(Node(kind, nullable=True), "&#78;one", "None", None).problem is not None


def test_a_nullable_string_that_says_none_in_entities_keeps_it() -> None:
    """How a writer says the text `None`: its first character as a reference."""
    assert read_scalar(Node("str", nullable=True), "&#78;one", "None", None) == Scalar("None")


def test_a_nullable_choice_written_in_entities_is_that_choice_or_none() -> None:
    """The case of a choice is a leniency too, and looks at the raw characters."""
    node = Node("enum", choices=("a", "b"), nullable=False)
    assert read_scalar(node, "&#97;", "a", None) == Scalar("a")
