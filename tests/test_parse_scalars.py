"""Values of each kind: in strict forms, in forms that are mended on record, in forms that nobody can read."""

import gc
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from structured_response.definition import FORMS, Node, has_form
from structured_response.findings import RepairKind
from structured_response.limits import MAX_LOOSE
from structured_response.parse.scalars.common_numbers import in_common_form
from structured_response.parse.scalars.numbers import among_words
from structured_response.parse.scalars.scalars import Scalar, read_scalar


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


MENDED: dict[str, list[tuple[str, str]]] = {
    "int": [
        ("nonnegative:           5", "5"),
        *[("+4", "4"), ("007", "7"), ("4.0", "4"), ("-4.", "-4"), ("2,0", "2"), ("1_000", "1000"), ("1,299", "1299")],
        *[("1 299", "1299"), ("1'299", "1299"), ("1\u2019299", "1299"), ("1\u00a0299", "1299"), ("1\u202f299", "1299")],
        *[("1,299,000", "1299000"), ("1.299.000", "1299000"), ("12,34,567", "1234567"), ("1,299.00", "1299")],
        *[("4 out of 5", "4"), ("4 of 5", "4"), ("4/5", "4"), ("4 / 5", "4"), ("4.0/5", "4"), ("4 (out of 5)", "4")],
        *[("4 stars out of 5", "4"), ("4/5 stars", "4"), ("four out of five", "4"), ("4 (four)", "4"), ("4 (4)", "4")],
        *[("four", "4"), ("Zero", "0"), ("one", "1"), ("Twenty", "20"), ("twenty-one", "21"), ("twenty one.", "21")],
        *[("4 stars", "4"), ("4\u2605", "4"), ("3rd", "3"), ("#4", "4"), ("No. 4", "4"), ("The score is 4", "4")],
        *[("Score: 4", "4"), ("score = 4.", "4"), ("=> 4", "4"), ("4 - it is light", "4"), ("4 (not bad at all)", "4")],
        *[("4, because it lasts", "4"), ("about 4", "4"), ("approx. 4", "4"), ("~4", "4"), ("\u22484", "4")],
        *[("4 or so", "4"), ("4 out of 5 (80%)", "4"), ("2/3 (67%)", "2"), ("Max: 4", "4"), ("4 min", "4")],
        *[("one hundred", "100"), ("A hundred", "100"), ("four hundred", "400"), ("two hundred and five", "205")],
        *[("minus twenty-one", "-21"), ("two million three hundred thousand and one", "2300001")],
        *[("85%", "85"), ("85 percent", "85"), ("minus 4", "-4")],
        *[("\u22124", "-4"), ("\u20134", "-4"), ("-4 \u00b0C", "-4"), ("**4**", "4"), ("*4*", "4"), ("__4__", "4")],
        *[
            ("`4`", "4"),
            ('"4"', "4"),
            ("'4'", "4"),
            ("\u201c4\u201d", "4"),
            ("(4)", "4"),
            ("[4]", "4"),
            ("**`4`**", "4"),
        ],
        *[("<b>4</b>", "4"), ("<b>4</b> stars", "4"), ("<span class='x'>4</span>", "4"), ("**4** out of 5", "4")],
        *[("1e3", "1000"), ("1.5e3", "1500"), ("3 \u00d7 10^2", "300"), ("3 x 10\u2074", "30000"), ("1.2k", "1200")],
        *[("3 million", "3000000"), ("1.5 thousand", "1500"), ("2 lakh", "200000"), ("$5M", "5000000")],
        *[("\uff14\uff12", "42"), ("\u0664\u0662", "42"), ("\u0661\u066c\u0662\u0663\u0664", "1234"), ("\u200b4", "4")],
        *[("GPT-4 gets 7", "7"), ("30 ppm of CO2", "30"), ("4\ufe0f\u20e3", "4"), ("-0.0", "-0"), ("0e5", "0")],
    ],
    "float": [
        *[("+1.5", "1.5"), (".5", "0.5"), ("5.", "5"), ("01.50", "1.50"), ("$1,299.00", "1299.00"), ("1,299", "1299")],
        *[
            ("1.299,00", "1299.00"),
            ("3,14", "3.14"),
            ("0,299", "0.299"),
            ("1299,123", "1299.123"),
            ("1 299,50", "1299.50"),
        ],
        *[
            ("1'299.50", "1299.50"),
            ("1_299.5", "1299.5"),
            ("12,34,567.89", "1234567.89"),
            ("\u20ac 5", "5"),
            ("5 \u20ac", "5"),
        ],
        *[
            ("US$5", "5"),
            ("R$5,50", "5.50"),
            ("USD 12", "12"),
            ("USD12.5", "12.5"),
            ("12 EUR", "12"),
            ("Rs. 500", "500"),
        ],
        *[("-$4", "-4"), ("$-4", "-4"), ("\u00a31.2bn", "1200000000"), ("1.5 bn", "1500000000"), ("12 km/h", "12")],
        *[
            ("5 GB", "5"),
            ("5GB", "5"),
            ("30\u00b0C", "30"),
            ("1.8 m", "1.8"),
            ("1.8m", "1.8"),
        ],
        *[("4.5/5", "4.5"), ("4 out of 5", "4"), ("4\u00bd", "4.5"), ("\u00be", "0.75"), ("12.50 per month", "12.50")],
        ("it is one point five", "1.5"),
        *[("one point five", "1.5"), ("Minus zero point two five", "-0.25"), ("9.8 m/s^2", "9.8"), ("2 kg m**-3", "2")],
        *[("nan", "NaN"), ("NAN", "NaN"), ("inf", "Infinity"), ("-inf", "-Infinity"), ("\u221e", "Infinity")],
        *[
            ("+Infinity", "Infinity"),
            ("3 \u00d7 10^8", "3e8"),
            ("1.5e3 Hz", "1.5e3"),
            ("\u0663\u066b\u0661\u0664", "3.14"),
        ],
    ],
    "decimal": [
        *[("+1.50", "1.50"), ("1,299.10", "1299.10"), ("1.10 EUR", "1.10"), ("nan", "NaN"), ("3,140", "3140")],
        *[("1" * 60 + ",5", "1" * 60 + ".5"), ("5e500 m", "5e500")],
    ],
    "bool": [
        *[
            (word, "true")
            for word in ("True", "TRUE", "True.", "YES", "yes!", "y", "T", "1", "on", "Yep", "yeah", "correct")
        ],
        *[(word, "false") for word in ("False", "NO", "no.", "n", "F", "0", "off", "Nope", "nah", "incorrect")],
        *[
            (mark, "true")
            for mark in ("\u2713", "\u2714\ufe0f", "\u2705", "\u2611", "\u2705 Yes", "**Yes**", "`true`", '"true"')
        ],
        *[(mark, "false") for mark in ("\u2717", "\u2718", "\u274c", "\u2716", "\u274c No", "<b>no</b>", "(no)")],
        *[
            ("Yes - because it lasts", "true"),
            ("Yes, definitely", "true"),
            ("yes (mostly)", "true"),
            *[(text, "true") for text in ("[x]", "[X]", "- [x] yes", "enabled", "Checked.")],
            *[(text, "false") for text in ("[ ]", "[ ] no", "\u2610", "Disabled", "unchecked")],
            ("Yes: it does", "true"),
        ],
        *[("No, not at all", "false"), ("No - there is no need", "false"), ("false\nIt breaks.", "false")],
        *[("The answer is yes.", "true"), ("Answer: no", "false"), ("recommended = true", "true")],
        *[("Yes it does", "true"), ("No they do not", "false"), ("no not really", "false"), ("yes please", "true")],
        *[("No. If asked, say why", "false"), ("Yes 100%", "true")],
        *[("Not yet", "false"), ("not at all.", "false"), ("Definitely not", "false")],
    ],
    "date": [
        ("2 \u017fep 2024", "2024-09-02"),
        *[
            (text, "2024-03-02")
            for text in ("2024-3-2", "2024/03/02", "2024.3.2", "20240302", "2 March 2024", "2 Mar 2024")
        ],
        *[(text, "2024-03-02") for text in ("March 2, 2024", "Mar. 2 2024", "March 2nd, 2024", "2nd of March 2024")],
        *[(text, "2024-03-02") for text in ("2-Mar-2024", "2024-Mar-02", "Saturday, 2 March 2024", "Sat 2024-03-02")],
        *[(text, "2024-03-02") for text in ("**2024-03-02**", "Date: 2024-03-02", "on 2 March 2024", "2024-03-02.")],
        *[
            (text, "2024-03-02")
            for text in ("2024-03-02 (estimated)", "2024-03-02 (2 March 2024)", "2024-03-02T00:00:00Z")
        ],
        *[
            (text, "2024-03-02")
            for text in (
                "2024-03-02 14:30",
                "2024\u5e743\u67082\u65e5",
                "\u0662\u0660\u0662\u0664-\u0660\u0663-\u0660\u0662",
            )
        ],
        *[
            ("25/03/2024", "2024-03-25"),
            ("03/25/2024", "2024-03-25"),
            ("25.3.2024", "2024-03-25"),
            ("05/05/2024", "2024-05-05"),
        ],
        *[("1 sept 2024", "2024-09-01"), ("June 1 2024", "2024-06-01"), ("JULY 4, 1776", "1776-07-04")],
    ],
    "time": [
        ("m\u0131dday", "12:00:00"),
        *[
            ("3pm", "15:00:00"),
            ("3 PM", "15:00:00"),
            ("3:05 p.m.", "15:05:00"),
            ("12am", "00:00:00"),
            ("12 pm", "12:00:00"),
        ],
        *[
            ("14.30", "14:30:00"),
            ("14h30", "14:30:00"),
            ("9:05", "09:05:00"),
            ("9:05 UTC", "09:05:00Z"),
            ("9:05 UTC-5", "09:05:00-05:00"),
            ("9:05:01.5 -05:00", "09:05:01.5-05:00"),
            ("14:30h", "14:30:00"),
        ],
        *[("14:30 +02:00", "14:30:00+02:00"), ("14:30 UTC+2", "14:30:00+02:00"), ("14:30 GMT-0330", "14:30:00-03:30")],
        *[
            ("noon", "12:00:00"),
            ("Midnight", "00:00:00"),
            ("14:30:00,5", "14:30:00.5"),
            ("at 3pm", "15:00:00"),
            ("14 Uhr", "14:00:00"),
        ],
    ],
    "datetime": [
        *[("2024-03-02 14:30 UTC", "2024-03-02T14:30:00Z"), ("2024-03-02t14:30:00z", "2024-03-02T14:30:00Z")],
        *[
            ("2024-03-02 14:30:00 GMT", "2024-03-02T14:30:00Z"),
            ("2024-03-02 14:30:00 +0000", "2024-03-02T14:30:00+00:00"),
        ],
        *[("2 March 2024 at 3pm", "2024-03-02T15:00:00"), ("3pm on 2 March 2024", "2024-03-02T15:00:00")],
        *[("March 2, 2024, 14:30", "2024-03-02T14:30:00"), ("25/03/2024 14:30", "2024-03-25T14:30:00")],
        *[("Sat, 02 Mar 2024 14:30:00 GMT", "2024-03-02T14:30:00Z"), ("2024-3-2 9:05", "2024-03-02T09:05:00")],
        *[("2024-03-02", "2024-03-02T00:00:00"), ("2024-03-02T14:30:00 (UTC)", "2024-03-02T14:30:00Z")],
        *[("`2024-03-02T14:30:00Z`", "2024-03-02T14:30:00Z"), ("2024/03/02 14:30:05.25", "2024-03-02T14:30:05.25")],
    ],
    "duration": [
        *[("2 hours 30 minutes", "PT2H30M"), ("1h30m", "PT1H30M"), ("1h 30min", "PT1H30M"), ("90 minutes", "PT1H30M")],
        *[
            ("01:30:00", "PT1H30M"),
            ("3 days", "P3D"),
            ("3 days, 4:05:06", "P3DT4H5M6S"),
            ("1 week", "P7D"),
            ("90s", "PT1M30S"),
        ],
        *[
            ("2.5 hours", "PT2H30M"),
            ("1,5 hours", "PT1H30M"),
            ("an hour", "PT1H"),
            ("s\u0131x hours", "PT6H"),
            ("two hours", "PT2H"),
            ("0 s", "PT0S"),
        ],
        *[
            ("about 2 hours", "PT2H"),
            ("500 ms", "PT0.5S"),
            ("pt30m", "PT30M"),
            ("PT1,5H", "PT1.5H"),
            ("P1D T2H", "P1DT2H"),
        ],
        *[
            ("-2 hours", "-PT2H"),
            ("1 day and 2 hours", "P1DT2H"),
            ("takes two hours", "PT2H"),
            ("1 s 500 ms", "PT1.5S"),
        ],
        *[("1 hour, 30 minutes and 5 seconds", "PT1H30M5S"), ("2 hours + 5 minutes", "PT2H5M")],
    ],
    "uuid": [
        (text, "12345678-1234-1234-1234-123456789abc")
        for text in (
            "{12345678-1234-1234-1234-123456789abc}",
            "urn:uuid:12345678-1234-1234-1234-123456789abc",
            "12345678123412341234123456789abc",
            "`12345678-1234-1234-1234-123456789abc`",
            "ID: 12345678-1234-1234-1234-123456789abc.",
        )
    ],
    "bytes": [
        (text, "aGVsbG8=")
        for text in (
            "aGVs\nbG8=",
            "aGVs\r\n  bG8=\n",
            "aGVsbG8",
            "data:text/plain;base64,aGVsbG8=",
            "`aGVsbG8=`",
            '"aGVsbG8"',
        )
    ],
}


@pytest.mark.parametrize(("kind", "text", "value"), [(kind, *row) for kind, rows in MENDED.items() for row in rows])
def test_another_form_is_mended_on_record(kind: str, text: str, value: str) -> None:
    """Forms that say the same in another way are read, and said to be."""
    assert read(kind, text) == Scalar(value, RepairKind.VALUE_RESPELLED)
    assert has_form(kind, value)


AMBIGUOUS: dict[str, list[tuple[str, set[str]]]] = {
    "int": [
        *[("1.299", {"1299", "1.299"}), ("1.000", {"1000", "1"}), ("4 or 5", {"4", "5"}), ("4-5", {"4", "5"})],
        *[("4 \u2013 5", {"4", "5"}), ("4 to 5", {"4", "5"}), ("between 4 and 5", {"4", "5"}), ("10/5", {"10", "5"})],
        *[
            ("4 (5 reviews)", {"4", "5"}),
            ("4 out of 5 (60%)", {"4", "5", "60"}),
            ("4 out of 5 (80)", {"4", "5", "80"}),
            ("(1,299)", {"1299", "-1299"}),
            ("<b>4</b><i>5</i>", {"4", "5"}),
            ("- 4", {"4", "-4"}),
            ("Score - 4", {"4", "-4"}),
        ],
        *[("5K", {"5", "5000"}), ("1.5K", {"1.5", "1500"}), ("3 * 4", {"3", "4"}), ("two or 3", {"2", "3"})],
        *[
            ("2024-03-02", {"2024", "3", "2"}),
            ("10:30", {"10", "30"}),
            ("1 2345", {"1", "2345"}),
        ],
    ],
    "float": [
        *[
            ("($12.50)", {"12.50", "-12.50"}),
            (" (1,299.50)", {"1299.50", "-1299.50"}),
            ("(5 \u20ac)", {"5", "-5"}),
            ("(EUR 1,5)", {"1.5", "-1.5"}),
        ],
        *[("1,299.5 or 1,300", {"1299.5", "1300"}), ("4/5", {"4", "0.8"}), ("\u20ac1.299", {"1299", "1.299"})],
        *[
            ("1.299 EUR", {"1299", "1.299"}),
            ("5M", {"5", "5000000"}),
            ("300 K", {"300", "300000"}),
            ("1, 299", {"1", "299"}),
        ],
    ],
    "bool": [
        (text, {"true", "false"})
        for text in ("Yes, but no for kids", "yes and no", "yes/no", "true | false", "\u2705 / \u274c", "No, yes")
    ],
    "date": [
        ("02/03/2024", {"2024-03-02", "2024-02-03"}),
        ("02.03.2024", {"2024-03-02", "2024-02-03"}),
        ("2-3-2024", {"2024-03-02", "2024-02-03"}),
        ("2024-03-02 or 2024-03-05", {"2024-03-02", "2024-03-05"}),
    ],
    "datetime": [("02/03/2024 14:30", {"2024-03-02T14:30:00", "2024-02-03T14:30:00"})],
    "duration": [("1:30", {"PT1H30M", "PT1M30S"})],
    "uuid": [("a" * 32 + " or " + "b" * 32, {"-".join([c * 8, c * 4, c * 4, c * 4, c * 12]) for c in "ab"})],
}


@pytest.mark.parametrize(
    ("kind", "text", "readings"), [(kind, *row) for kind, rows in AMBIGUOUS.items() for row in rows]
)
def test_what_can_be_read_in_two_ways_is_a_problem_with_both(kind: str, text: str, readings: set[str]) -> None:
    """Nothing is guessed: a problem names every reading."""
    found = read(kind, text)
    assert (found.value, found.repair, found.ambiguous) == (None, None, True)
    assert set(found.candidates) == readings
    assert found.problem is not None
    assert kind == "bool" or all(reading in found.problem for reading in readings)


HOPELESS: dict[str, list[str]] = {
    "int": [
        *[
            "4.5",
            "3,14",
            "1,2.3,4",
            *("40s", "early 40s", "1980s", "the 1980's"),
            "0x10",
            "0b1",
            "0o17",
            "true",
            "NaN",
            "half",
            "2 dozen",
            *(
                "four hundred and",
                "hundred",
                "twenty and five",
                "four five",
                "twenty thirty",
                "zero hundred",
            ),
            *("one thousand million", "one point five", "two hundred hundred", "None of the 4", "None, but 4"),
            *("at least 4", "at most 4", "up to 4", "up to $4", "max 4", "Minimum of 4", "from 4", "as many as 4"),
            *("4+", "4+ years", "85%+", "4 and up", "4 at least", "4 stars maximum"),
            "1.2345k",
            "0.5%",
            "1e-3",
        ],
        *[
            "",
            "-",
            "unknown",
            "many",
            "less than 4",
            "more than 4",
            "over 4",
            "<4",
            "> 4",
            "\u22654",
            "\u00b14",
            "not 4",
            "--4",
        ],
        *[
            "4 or more",
            "4 and a half",
            "5 per thousand",
            "I cannot rate it: 3 facts are missing",
            "10\u00b2",
            "\u2463",
            "1.2.3",
        ],
        *[
            "1_0",
            "12,34",
            "1,2,3",
            ",5",
            "Q4",
            "v4",
            "4x2",
            "1e",
            "1e99999",
            "1" * 4301,
            "1," * 5000,
            "\u2605\u2605\u2605",
        ],
        "a b c d e f g h i 4",
    ],
    "float": [
        *["1e400", "-1e400", "1" * 400, "1e999999", ".", "1e", "--1", "1_0.0", "1.2.3", "NaN or so", "1e5e5"],
        *[
            "4 and a half",
            "2^3",
            "x^2 = 4",
            "one point",
            "one point twenty five",
            "4 m^22",
            "5 million billion",
            "0x1F",
        ],
    ],
    "decimal": ["one and a half", "1e"],
    "bool": [
        *("no data", "No answer given", "no doubt", "No problem!", "false positive", "Answer: no information"),
        *("true unless late", "yes if it is cheap", "Yes, but only if it is cheap", "no - until May"),
        "2",
        "maybe",
        "[]",
        "[x](y)",
        "not enabled",
        "The feature is enabled",
        "not true",
        "It is not yes",
        "oui",
        "1.0",
        "On Monday",
        "I guess",
        "...",
        "yesterday",
    ],
    "date": [
        *[
            "2024",
            "March 2024",
            "2024-03",
            "02/03/24",
            "24-03-02",
            "2024-2-30",
            "31/02/2024",
            "99/99/2024",
            "today",
            "1709337600",
        ],
        *["before 2 March 2024", "not 2024-3-2", "2024-13-02T", "123456789", "0000/01/01"],
    ],
    "time": [
        "14",
        "1430",
        "3 o'clock",
        "13pm",
        "0am",
        "9:61",
        "24:05h",
        "14:30 EST",
        "9:05 +25",
        "9:05:99",
        "later",
        "3600",
        *("9:00-9:15", "09:00-17:00", "9:00 - 10:30", "3pm-5", "09:00-05:00"),
    ],
    "datetime": [
        "2024",
        "1709337600",
        "2024-03-02T14",
        "2024-03-02 14:30 EST",
        "2024-3-2 before 14:30",
        "14:30",
        "2024-2-30 14:30",
        "2024-3-2 9:00-9:15",
    ],
    "duration": [
        *[
            "3600",
            "2 months",
            "1 year",
            "half a year",
            "2-3 hours",
            "1 hour 2 hours",
            "less than 2 hours",
            "at least 2 hours",
            "up to 2 hours",
            "2 hours max",
            "past 2",
            "soon",
        ],
        *["2 hours or 3 days", "0.0000001 s", "1e3 s"],
    ],
    "uuid": ["12345678", "12345678-1234-1234-1234-123456789ab", "g" * 32, "12345678-12341234-1234-123456789abc"],
    "bytes": ["Hello world", "hello", "aGVsbG9", "not base64!", "a", "aGVs bG8="],
}


@pytest.mark.parametrize(("kind", "text"), [(kind, text) for kind, texts in HOPELESS.items() for text in texts])
def test_a_text_that_says_no_value_is_a_problem(kind: str, text: str) -> None:
    """What pydantic-core would read without a word, in a way nobody meant, is a problem here."""
    found = read(kind, text)
    assert found.value is None
    assert found.repair is None
    assert found.problem is not None


MESSAGES = [
    ("int", "many", "not an int"),
    ("int", "4.5", "not an int: not a whole number"),
    ("int", "1" * 4301, "more than 4300 digits (MAX_FORM_DIGITS)"),
    ("int", "4 or 5", "more than one number: 4 or 5"),
    ("int", "1.299", "could be 1299 or 1.299"),
    ("int", "less than 4", "not an int: the words around it change it"),
    ("int", "x" * 10_001, "not an int: more than 10000 characters (MAX_LOOSE)"),
    ("int", "1, 2, 3, 4, 5, 6, 7", "more than one number: 1, 2, 3, 4, 5, ..."),
    ("float", "1e999", "too large for a float"),
    ("float", "", "empty, which is not a float"),
    ("decimal", "much", "not a number"),
    ("bool", "maybe", "not a bool"),
    ("bool", "yes and no", "says both yes and no"),
    ("date", "today", "not a date (YYYY-MM-DD)"),
    ("date", "2024-2-30", "not a date (YYYY-MM-DD): no calendar has such a day"),
    ("time", "later", "not a time (HH:MM:SS)"),
    ("datetime", "2024", "not a datetime (YYYY-MM-DDTHH:MM:SS+00:00)"),
    ("duration", "3600", "not a duration (P1DT2H30M)"),
    ("uuid", "1234", "not a UUID"),
    ("bytes", "a", "not base64"),
]


@pytest.mark.parametrize(("kind", "text", "message"), MESSAGES)
def test_a_problem_says_what_was_asked_for(kind: str, text: str, message: str) -> None:
    """A problem names the kind, its form where that is not plain, and the reason where there is one."""
    assert read(kind, text).problem == message


BOUNDED: list[tuple[str, str, dict[str, Any], str | set[str]]] = [
    ("float", "85%", {"ge": 0, "le": 1}, "0.85"),
    ("float", "100%", {"le": 1.0}, "1.00"),
    ("float", "150%", {"lt": 1}, "150"),
    ("float", "-50%", {"gt": -1, "lt": 0}, "-0.50"),
    ("float", "85%", {"le": 100}, "85"),
    ("float", "0.5%", {"le": 1}, {"0.5", "0.005"}),
    ("decimal", "12.5%", {"le": "1"}, "0.125"),
    ("int", "85%", {"le": 1}, "85"),
    ("float", "4/5", {"ge": 0, "le": 5}, "4"),
    ("float", "4/5", {"ge": 1, "le": 10}, "4"),
    ("float", "4/5", {"le": 1}, "0.8"),
    ("float", "4/5", {"le": 10}, {"4", "0.8"}),
    ("float", "20/100", {"ge": 0, "le": 10}, {"0.2", "2.0"}),
    ("float", "50 cents", {}, {"50", "0.50"}),
    ("int", "50 cents", {}, {"50", "0.50"}),
    ("float", "4.5/5", {"le": 1}, "4.5"),
    ("decimal", "1/4", {"lt": 1}, "0.25"),
]


@pytest.mark.parametrize(("kind", "text", "bounds", "value"), BOUNDED)
def test_bounds_tell_what_parts_of_a_whole_mean(kind: str, text: str, bounds: dict[str, Any], value: Any) -> None:
    """A percent sign and a slash have two readings; where the bounds allow one only, that one was meant."""
    found = read(kind, text, constraints=bounds)
    if isinstance(value, set):
        assert set(found.candidates) == value
    else:
        assert found == Scalar(value, RepairKind.VALUE_RESPELLED)


@pytest.mark.parametrize(
    "text", ["-", "--", "\u2014", "unknown", "Not specified", "not applicable", "NA", "n.a.", "**N/A**", '"null"']
)
def test_words_for_no_value_count_where_a_model_allows_null(text: str) -> None:
    """Nothing else can be read in them. A `str` keeps its text, and without a model only null words count."""
    assert read("int", text, nullable=True) == Scalar(None, RepairKind.NULL_WORD)
    assert read("int", text).problem is not None
    assert read("str", text, nullable=True) == Scalar(text)
    assert (read("int", text, nullable=None).repair is not None) is (text in ("**N/A**", '"null"'))


@pytest.mark.parametrize("text", ["None (not stated)", "N/A (unknown)", "null - not given", "None: n/a", "- (none)"])
def test_a_word_for_no_value_may_be_explained_by_another(text: str) -> None:
    """Anything else behind it could be the value."""
    assert (read("int", text, nullable=True).repair is RepairKind.NULL_WORD) is (text[0] != "-")
    assert read("str", text, nullable=True) == Scalar(text)
    assert read("int", text, nullable=False).problem is not None
    assert read("bool", "None (yes)", nullable=True).repair is not RepairKind.NULL_WORD


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


VERDICT = ("good", "mixed", "bad")
NUMBERED = (1, 2, 3)
LEVELS = {"LOW": 1, "MEDIUM": 2, "HIGH": 3}

CHOICES: list[tuple[tuple[Any, ...], str, Any]] = [
    (("low", "high"), "low", "low"),
    (("low", "Low"), "Low", "Low"),
    ((1, 2), "2", 2),
    ((1, "a", True), "true", True),
    ((1.5, "a"), "1.5", 1.5),
    (("none", "some"), "none", "none"),
    (("", "a"), "", ""),
    ((" a", "a"), " a", " a"),
]


@pytest.mark.parametrize(("choices", "text", "value"), CHOICES)
def test_a_choice_is_read(choices: tuple[Any, ...], text: str, value: Any) -> None:
    """By its exact text, and with its own type."""
    found = read("enum", text, choices=choices)
    assert found == Scalar(value)
    assert type(found.value) is type(value)


RESPELLED: list[tuple[tuple[Any, ...], dict[str, Any], str, Any]] = [
    *[
        (VERDICT, {}, text, "good")
        for text in ("GOOD", "Good.", '"good"', "'good'", "`good`", "**Good**", "(good)", "good!")
    ],
    *[
        (VERDICT, {}, text, "good")
        for text in ("Verdict.GOOD", "app.Verdict.good", "<Verdict.GOOD: 'good'>", "<b>good</b>")
    ],
    *[
        (VERDICT, {}, text, "good")
        for text in ("good (because it lasts)", "good, great", "good\nIt lasts.", "very good")
    ],
    *[
        (VERDICT, {}, text, "mixed")
        for text in ("**Mixed** - could be better", "mixed: so so", "Mixed - could be better")
    ],
    *[(VERDICT, {}, text, "mixed") for text in ("The verdict is mixed", "Verdict: mixed.", "I would call it mixed")],
    (("low", "Low"), {}, '"Low"', "Low"),
    (("very-good", "good"), {}, "very good", "very-good"),
    (("very-good", "good"), {}, "Very_Good", "very-good"),
    (("very-good", "good"), {}, "VeryGood", "very-good"),
    (("very-good", "good"), {}, "very good - indeed", "very-good"),
    (("very-good", "good"), {}, "good - it lasts", "good"),
    (("not_applicable", "other"), {}, "Not applicable", "not_applicable"),
    (("recommended", "neutral"), {}, "recommend", "recommended"),
    (("recommended", "neutral"), {}, "recomended", "recommended"),
    (("recommended", "neutral"), {}, "neutrall", "neutral"),
    (("positive", "other"), {}, "positivf", "positive"),
    (("C", "C++", "C#"), {}, "c++", "C++"),
    (("C", "C++", "C#"), {}, "C++ is fast", "C++"),
    (("A", "B", "C"), {}, "B) because a thing", "B"),
    (("R&D", "Ops"), {}, "r&d", "R&D"),
    (("a", "b"), {"FIRST": "a", "SECOND": "b"}, "second", "b"),
    (("a", "b"), {"FIRST": "a", "SECOND": "b"}, "Kind.SECOND", "b"),
    ((1, 2), {"LIGHT": 1, "HEAVY": 2}, "heavy", 2),
    (NUMBERED, LEVELS, "2 - medium", 2),
    (NUMBERED, LEVELS, "HIGH (3)", 3),
    (NUMBERED, LEVELS, "Severity.HIGH", 3),
    (NUMBERED, LEVELS, "3.0", 3),
    (NUMBERED, LEVELS, "2/3", 2),
    (NUMBERED, LEVELS, "level 2", 2),
    (NUMBERED, LEVELS, "two", 2),
    ((-1, 0, 1), {}, "-1 (low)", -1),
    ((-1, 0, 1), {}, "\u22121", -1),
    ((0.5, 1.5), {}, "1,5", 1.5),
    ((True, "other"), {}, "True", True),
]


@pytest.mark.parametrize(("choices", "members", "text", "value"), RESPELLED)
def test_a_choice_in_other_words_is_read_on_record(
    choices: tuple[Any, ...], members: dict[str, Any], text: str, value: Any
) -> None:
    """In another case, with other separators, by its member, with decoration, with an explanation behind."""
    found = read("enum", text, choices=choices, members=members)
    assert found == Scalar(value, RepairKind.CHOICE_RESPELLED)
    assert type(found.value) is type(value)


SEVERAL: list[tuple[tuple[Any, ...], dict[str, Any], str, set[str]]] = [
    (("low", "Low"), {}, "LOW", {"low", "Low"}),
    (("a", "b"), {"B": "a"}, "B", {"a", "b"}),
    (("a", "b"), {"B": "a", "X": "b"}, "B", {"a", "b"}),
    (VERDICT, {}, "good or mixed", {"good", "mixed"}),
    (VERDICT, {}, "good - not bad", {"good", "bad"}),
    (VERDICT, {}, "neither good nor bad", {"good", "bad"}),
    (VERDICT, {}, "good/mixed/bad", {"good", "mixed", "bad"}),
    (("very good", "good"), {}, "good to very good", {"very good", "good"}),
    (NUMBERED, LEVELS, "2 - high", {"2", "3"}),
    (NUMBERED, LEVELS, "low or medium", {"1", "2"}),
    (NUMBERED, {}, "1 or 2", {"1", "2"}),
    (("colour", "colours"), {}, "colouri", {"colour", "colours"}),
]


@pytest.mark.parametrize(("choices", "members", "text", "named"), SEVERAL)
def test_an_ambiguous_choice_is_a_problem(
    choices: tuple[Any, ...], members: dict[str, Any], text: str, named: set[str]
) -> None:
    """A text that names two choices is a problem with both as candidates."""
    found = read("enum", text, choices=choices, members=members)
    assert (found.value, found.repair, found.ambiguous) == (None, None, True)
    assert set(found.candidates) == named


NO_CHOICE: list[tuple[tuple[Any, ...], str]] = [
    *[(VERDICT, text) for text in ("not good", "almost good", "less good", "goodness", "god", "maybe", "mix", "none")],
    (VERDICT, "I would say that in the end and after all of this the product is good"),
    (("typical", "other"), "atypical"),
    (NUMBERED, "4 out of 5"),
    (NUMBERED, "1.5"),
    (NUMBERED, "-1"),
    ((1, 5), "1.5"),
    ((1, "a"), "1.5"),
    (("v1.1", "v1.2"), "v1.3"),
]


@pytest.mark.parametrize(("choices", "text"), NO_CHOICE)
def test_a_text_that_names_no_choice_lists_them(choices: tuple[Any, ...], text: str) -> None:
    """A problem with a choice says what could have been chosen. A "not" takes away what stands behind it."""
    found = read("enum", text, choices=choices)
    assert (found.value, found.repair, found.ambiguous) == (None, None, False)
    assert found.candidates == tuple(map(str, choices))


def test_a_choice_that_is_none_names_the_choices() -> None:
    """As JSON, and of many the first ones."""
    assert read("enum", "middling", choices=("low", 3, True)).problem == 'not one of "low", 3, true'
    many = read("enum", "x", choices=tuple(range(100)))
    assert many.problem == "not one of 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, ... (100 in all)"
    assert len(many.candidates) == 100


def test_a_choice_that_is_written_like_null_could_be_both() -> None:
    """Where null is allowed, a null word in another case than the choice's."""
    assert set(read("enum", "NONE", choices=("none", "a"), nullable=True).candidates) == {"null", "none"}
    assert read("enum", "NONE", choices=("none", "a")) == Scalar("none", RepairKind.CHOICE_RESPELLED)
    assert read("enum", "none", choices=("none", "a"), nullable=True) == Scalar("none")


PLACEHOLDERS = [
    ("int", {}, "[value here - as an int]"),
    ("str", {}, "[value here - as a string]"),
    ("str", {"description": "The name"}, "[The name - as a string]"),
    ("enum", {"choices": ("a",), "description": "One"}, "[One - as an enum]"),
    ("str", {}, "[value here]"),
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


# Laws

KINDS = sorted(FORMS)
LEVEL = Node("enum", choices=("low", "very low", "high", 1, 2.5, True), members={"LOW": "low", "ONE": 1}, nullable=None)


@given(
    st.sampled_from(KINDS).flatmap(lambda kind: st.tuples(st.just(kind), st.from_regex(FORMS[kind], fullmatch=True)))
)
def test_strict_forms_never_change(form: tuple[str, str]) -> None:
    """Whatever is in its strict form is the value, and nothing is recorded, where null is allowed and where not."""
    kind, text = form
    if text and has_form(kind, text):
        for nullable in (True, False, None):
            assert read(kind, text, nullable=nullable) == Scalar(text)


@given(st.lists(st.text(max_size=12), min_size=1, max_size=6, unique=True), st.data())
def test_choices_never_change(choices: list[str], data: st.DataObject) -> None:
    """Every choice, written as it is, is read as it is, whatever the others are."""
    choice = data.draw(st.sampled_from(choices))
    assert read("enum", choice, choices=tuple(choices), nullable=True) == Scalar(choice)


@given(st.text(), st.booleans())
def test_strings_never_change(text: str, nullable: bool) -> None:
    """A `str` keeps its text; only empty ones and null words may be null."""
    found = read("str", text, nullable=nullable)
    assert found == Scalar(text) or (
        nullable and found.value is None and text.lower() in ("", "none", "null", "nil", "n/a")
    )


PIECES = st.sampled_from(
    [
        *(
            "1",
            "4",
            "12",
            "299",
            "000",
            "0",
            "5",
            "2024",
            "03",
            "02",
            "1e9",
            ".",
            ",",
            "'",
            "_",
            " ",
            "-",
            "+",
            "/",
            ":",
            "%",
        ),
        *(
            "$",
            "\u20ac",
            " EUR",
            "k",
            "M",
            " million",
            "\u00bd",
            "\u00b2",
            "\u0664",
            "\uff14",
            "\u2212",
            "\u00a0",
            "\u200b",
        ),
        *(
            "**",
            "*",
            "`",
            '"',
            "(",
            ")",
            "[",
            "<b>",
            "</b>",
            "<",
            ">",
            "&#52;",
            "&amp;",
            "\n",
            "T",
            "Z",
            "UTC",
            "am",
            "pm",
        ),
        *(
            "not ",
            "about ",
            " out of ",
            " or ",
            "half",
            "four",
            "twenty-one",
            "yes",
            "No",
            "true",
            "\u2713",
            "low",
            "very low",
        ),
        *(
            "LOW",
            "Level.LOW",
            "high",
            "None",
            "N/A",
            "March",
            "Sat",
            "nd",
            "hours",
            "min",
            "P1D",
            "aGVsbG8=",
            "ab12",
            "\ud83d",
        ),
    ]
)
TEXTS = st.one_of(st.lists(PIECES, max_size=12).map("".join), st.text(max_size=30))


@given(TEXTS)
def test_any_text_is_read_or_a_problem(text: str) -> None:
    """Whatever stands there: a value in its strict form, null, or a problem with its readings; never an exception."""
    for kind in KINDS:
        found = read(kind, text, nullable=True)
        assert found.value is None or has_form(kind, found.value)
        assert found.problem is None or (found.value is None and found.problem and found.repair is None)
        assert found.ambiguous is (found.problem is not None and len(found.candidates) > 1)
        assert found.repair is not None or found.problem is not None or found.value in (text, None)
    chosen = read_scalar(LEVEL, text, text, None)
    assert chosen.value is None or any(chosen.value is choice for choice in LEVEL.choices)


AROUND: tuple[str, ...] = (
    "",
    "about",
    "Score:",
    "It is ~",
    "$",
    "\u20ac",
    "-",
    "+",
    "points",
    "km/h",
    "%",
    "/10",
    " / 5",
    "out of 10",
    " of 5",
)
AROUND += (
    "percent",
    "USD",
    "per cent",
    "min",
    "max",
    "at least",
    "minus",
    "not",
    "or so",
    "K",
    "million",
    "s",
    "e",
    "cents",
)
AROUND += (".", ",", ", I think.", "(good)", "two", "'", "_", "7")
NUMBER_NODES = [
    Node(kind, constraints=bounds)
    for kind in ("int", "float", "decimal")
    for bounds in ({}, {"le": 1}, {"ge": 0, "le": 10})
]


@given(
    st.sampled_from(NUMBER_NODES),
    st.lists(st.sampled_from(AROUND), max_size=2),
    st.from_regex(r"[0-9]{1,3}([.,' ][0-9]{1,3}){0,2}", fullmatch=True).filter(str.isascii),
    st.lists(st.sampled_from(AROUND), max_size=3),
    st.sampled_from(("", " ")),
)
def test_the_quick_way_to_a_number_says_the_same(
    node: Node, before: list[str], digits: str, behind: list[str], blank: str
) -> None:
    """A number in a common form is what the road for all texts makes of it."""
    text = blank.join([*before, digits, *behind])
    found = in_common_form(node, text)
    assert found is None or found == among_words(node, text, is_negative=False)


@pytest.mark.parametrize(
    "text", ["about 7", "$12.50", "1,234", "45 %", "7/10", "7 out of 10", "12 points", "3.0", "~5.", "Five"]
)
def test_common_forms_take_the_quick_way(text: str) -> None:
    """What most numbers look like needs no second look."""
    assert in_common_form(Node("float"), text) is not None


@given(st.integers(), st.sampled_from([",", "'", "_", " ", "\u00a0", "\u2009"]))
def test_grouped_integers_are_read(number: int, separator: str) -> None:
    """Groups of three digits say the number that they say."""
    text = f"{number:,}".replace(",", separator)
    assert read("int", text).value == str(number)


@given(st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**9), max_value=10**9, places=2))
def test_money_is_read_in_both_styles(amount: Any) -> None:
    """As in English and as in German: the last separator is the decimal one."""
    english = f"{amount:,.2f}"
    german = english.translate(str.maketrans(",.", ".,"))
    for text in (f"${english}", f"{english} USD", f"{german} \u20ac", german):
        found = read("decimal", text)
        assert found.value is not None
        assert float(found.value) == float(amount)


@given(st.dates(), st.sampled_from(["%Y/%m/%d", "%d %B %Y", "%B %d, %Y", "%A, %d %b %Y", "%Y%m%d", "%d-%b-%Y"]))
def test_dates_are_read_in_any_style_that_says_which(day: Any, style: str) -> None:
    """Year first, or the month by its name."""
    text = day.strftime(style) if day.year >= 1000 else day.replace(year=day.year + 1000).strftime(style)
    assert read("date", text).value == (day if day.year >= 1000 else day.replace(year=day.year + 1000)).isoformat()


@given(st.timedeltas(min_value=timedelta(0)))
def test_durations_are_read_as_python_writes_them(length: Any) -> None:
    """`3 days, 4:05:06`, to the last millionth of a second."""
    found = read("duration", str(length))
    assert TypeAdapter(type(length)).validate_python(found.value) == length


SHAPES: dict[str, Callable[[int], str]] = {
    "digits": lambda size: "1" * size,
    "groups": lambda size: "1" + ",000" * (size // 4),
    "dots": lambda size: "." * size,
    "numbers": lambda size: "1 a " * (size // 4),
    "words": lambda size: "word " * (size // 5),
    "one word": lambda size: "a" * size,
    "blanks": lambda size: "1" + " " * size + "2",
    "tags": lambda size: "<b>" * (size // 3),
    "open tags": lambda size: "<b" * (size // 2),
    "stars": lambda size: "*a " * (size // 3),
    "underlines": lambda size: "_a " * (size // 3),
    "quotes": lambda size: '"' * size,
    "brackets": lambda size: "(" * (size // 2) + ")" * (size // 2),
    "minus": lambda size: "-" * size,
    "path": lambda size: "a." * (size // 2),
    "choices": lambda size: "low " * (size // 4),
    "not ASCII": lambda size: "\u00e9" * size,
    "fractions": lambda size: "\u00bd" * size,
    "days": lambda size: "2024-03-02 " * (size // 11),
    "lines": lambda size: "aGVs\n" * (size // 5),
    "letters": lambda size: "aGVs" * (size // 4) + "!",
}


def spent(text: str) -> float:
    """Seconds of this process for reading a text as every kind, without the garbage collector's."""
    gc.disable()
    try:
        started = time.process_time()
        for kind in KINDS:
            read(kind, text)
        read_scalar(LEVEL, text, text, None)
        return time.process_time() - started
    finally:
        gc.enable()


@pytest.mark.parametrize("shape", SHAPES)
def test_time_grows_with_the_text(shape: str) -> None:
    """Below the bound on loose forms, at ten times the size ten times the time, with room; a million is no matter."""
    small, large, huge = (SHAPES[shape](size) for size in (MAX_LOOSE // 10, MAX_LOOSE - 100, 1_000_000))
    assert min(spent(large) for _ in range(3)) < 30 * max(min(spent(small) for _ in range(3)), 0.0003)
    assert min(spent(huge) for _ in range(3)) < 1.0


@pytest.mark.parametrize("kind", ["int", "float"])
@pytest.mark.parametrize("text", ["negative", "MINUS", "point", "minus point"])
def test_words_before_a_number_are_none(kind: str, text: str) -> None:
    """A sign or a point without a number behind it."""
    assert read_scalar(Node(kind), text, text, None).problem is not None
