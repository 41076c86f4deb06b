"""The forms of JSON's scalars, and of what is written in their place."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from structured_response.parse.json.json_forms import DIGITS, LOOSE_STRING, STRING, WORDS, quoted, unescaped
from structured_response.parse.written import Bare


@given(st.text(), st.booleans())
def test_strings_are_those_of_the_standard_library(text: str, ascii_only: bool) -> None:
    """In both ways to write them, and what is written here is one."""
    assert re.fullmatch(STRING, json.dumps(text, ensure_ascii=ascii_only))
    assert json.loads(quoted(text)) == text


@given(st.integers() | st.floats(allow_nan=False, allow_infinity=False))
def test_numbers_are_those_of_the_standard_library(number: float) -> None:
    """Whole or with decimals or an exponent."""
    assert re.fullmatch(DIGITS, json.dumps(number))


@pytest.mark.parametrize("text", ["01", "+1", "1.", ".5", "1e", "--1", ""])
def test_what_is_no_number(text: str) -> None:
    """Forms of other languages."""
    assert re.fullmatch(DIGITS, text) is None


@pytest.mark.parametrize(
    ("text", "is_one"),
    [("'a'", True), ('"a\nb"', True), ("'it\\'s'", True), ("'a\n\"b'", False), ("'a", False), ("'it's'", False)],
)
def test_strings_over_lines(text: str, is_one: bool) -> None:
    """In either quotes; a line that begins with a quote may be the next member."""
    assert bool(re.fullmatch(LOOSE_STRING, text)) is is_one


@pytest.mark.parametrize(
    ("inner", "text"),
    [
        ("a\\nb", "a\nb"),
        ("\\x41\\u0042", "AB"),
        ("\\d", "\\d"),
        ("it\\'s", "it's"),
        ("a\\\nb", "ab"),
        ("a\\", "a\\"),
        ("\\ud83d\\ude00", "\U0001f600"),
        ("\\ud83d", "\ud83d"),
    ],
)
def test_escapes_in_other_strings(inner: str, text: str) -> None:
    """What is none stays."""
    assert unescaped(inner) == text


def test_words_of_other_languages_have_one_of_jsons() -> None:
    """Its own are named as they are."""
    assert {word: after for word, (_held, after) in WORDS.items() if after is None} == dict.fromkeys(
        ("true", "false", "null")
    )
    assert all(WORDS[after].held == held for held, after in WORDS.values() if after is not None)
    assert WORDS["True"].held == Bare("true")
