"""Texts and scalars of replies: tables of the rules, and laws for every text."""

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from structured_response.definition import FORMS, Node, has_form
from structured_response.findings import RepairKind
from structured_response.read.values import (
    Scalar,
    decode,
    decode_clean,
    layout,
    read_key,
    read_scalar,
    value_of,
)
from structured_response.read.values.scalars import MAX_LOOSE

TEXTS = [
    ("a &lt; b &amp; c", "a < b & c", [], "references are decoded where no markup is bare"),
    ("&amp;lt;b&amp;gt;", "&lt;b&gt;", [], "once"),
    ("<b>Bold</b> &amp; plain", "<b>Bold</b> &amp; plain", [], "markup is bare: every character stays"),
    ("Q&A: 5 < 6", "Q&A: 5 < 6", ["unescaped"], "a bare & or < is no markup"),
    ("10&nbsp;km", "10&nbsp;km", [], "an entity of HTML's: its author was writing markup"),
    ("10&nbsp;km &amp; more", "10&nbsp;km &amp; more", ["unescaped"], "on record where XML's own stand beside it"),
    ("&bogus; &amp;", "&bogus; &", ["unescaped"], "an unknown name is a bare &"),
    ("&#65;&#x42; &#xD800;&#x110000;", "AB \ufffd\ufffd", [], "code points; those that no text holds are replaced"),
    ("<![CDATA[a < b && <b>c</b> &amp;]]>", "a < b && <b>c</b> &amp;", [], "CDATA is literal"),
    ("a &amp; <![CDATA[b &amp; c]]>", "a & b &amp; c", [], "and its surroundings are decoded"),
    ("\n    <![CDATA[\n  a\nb\n    ]]>\n", "  a\nb", [], "layout is no part of a value, CDATA or not"),
    ("<![CDATA[a < b", "a < b", ["unescaped"], "a section that is never closed"),
    ("<![CDATA[R&D]>", "R&D", ["unescaped"], "or by half of its sign"),
    ("<![CDATA[a <![CDATA[b]]> c]]>", "a <![CDATA[b]]> c", ["unescaped"], "sections in another one"),
    ("4<!-- of 5 -->", "4", ["text_skipped"], "a comment beside a text of one line is dropped"),
    ("<b>a</b><!-- c -->", "<b>a</b><!-- c -->", [], "beside other markup it stays"),
    ("a &amp;\n<!-- b -->", "a &amp;\n<!-- b -->", [], "one that stays counts as markup"),
    ("<!-- a -->", "<!-- a -->", ["unescaped"], "one that is all of a string is its value"),
    ("  x \n", "x", [], "one line is stripped"),
    ("a\n  b\n", "a\n  b", [], "several lines keep their indentation"),
    ("\n    a\n      b\n    ", "a\n  b", [], "laid out as deep as the tag: the common indentation goes"),
    ("\n  a\n      b\n    ", "  a\n      b", [], "one line is less deep: it stays"),
    ("\n```python\nx = 1\n```\n", "x = 1", ["text_skipped"], "a fence that is the whole value is taken off"),
    ('"x"', '"x"', [], "quotes stay"),
]


@pytest.mark.parametrize(("raw", "value", "kinds"), [pytest.param(*row[:3], id=row[3]) for row in TEXTS])
def test_a_text_has_its_value(raw: str, value: str, kinds: list[str]) -> None:
    """The characters between two tags have one value; the name of each row says why."""
    found = value_of(raw, lambda: "    ")
    assert (found.value, [str(change.kind) for change in found.changes]) == (value, kinds)


def test_other_kinds_than_strings_lose_comments_and_use_entities() -> None:
    """A number is not verbatim: HTML's spaces and signs are what they look like."""
    assert value_of("4<!-- of\n5 -->", str, is_verbatim=False).value == "4"
    assert value_of("<!-- 4 -->", str, is_verbatim=False).value == "<!-- 4 -->"  # which no number is read from
    assert value_of("5&nbsp;&euro;", str, is_verbatim=False).value == "5\u00a0\u20ac"


READ: list[tuple[str, str, dict[str, Any], Any]] = [
    ("int", "4 out of 5", {}, "4"),
    ("int", "4/5", {}, "4"),
    ("int", "2.0", {}, "2"),
    ("int", "**4** stars", {}, "4"),
    ("int", "1.299", {}, {"1299", "1.299"}),
    ("int", "4 or 5", {}, {"4", "5"}),
    ("int", "4 (5 reviews)", {}, {"4", "5"}),
    ("int", "5-7", {}, {"5", "7"}),
    ("int", "(4)", {}, {"4", "-4"}),
    ("int", "85%", {}, "85"),
    ("int", "two hundred", {}, None),
    ("int", "two hundred and five", {}, None),
    ("int", "twenty", {}, None),
    ("int", "Wow! 4", {}, None),
    ("int", "The score is 4", {}, None),
    ("int", "It is about 4 points", {}, "4"),
    ("int", "4, if all goes well", {}, None),
    ("int", "less than 4", {}, None),
    ("int", "3 x 10^2", {}, "300"),
    ("int", "40s", {}, None),
    ("float", "$1,299.00", {}, "1299.00"),
    ("float", "1,299", {}, "1299"),
    ("float", "1.299,00", {}, "1299.00"),
    ("float", "3,14", {}, "3.14"),
    ("float", "1,299.5 or 1,300", {}, {"1299.5", "1300"}),
    ("float", "(1,234.50)", {}, "-1234.50"),
    ("float", "(1,234.50)", {"ge": 0}, {"1234.50", "-1234.50"}),
    ("float", "1/2", {}, "0.5"),
    ("float", "1 1/2", {}, "1.5"),
    ("decimal", "1/3", {}, {"1", "0.3333333333333333"}),
    ("float", "4/5", {}, {"4", "0.8"}),
    ("float", "4/5", {"le": 5}, "4"),
    ("float", "4/5", {"ge": 0, "le": 1}, "0.8"),
    ("float", "85%", {}, {"85", "0.85"}),
    ("float", "85%", {"ge": 0, "le": 1}, "0.85"),
    ("float", "5M", {}, None),
    ("float", "$5M", {}, None),
    ("float", "50 cents", {}, None),
    ("decimal", "-" + "1" * 60 + ",5", {}, "-" + "1" * 60 + ".5"),
    ("bool", "Yes.", {}, "true"),
    ("bool", "Yes, but no for kids", {}, {"true", "false"}),
    ("bool", "no data", {}, None),
    ("bool", "Yes, unless notice is given", {}, "true"),
    ("bool", "Yes, probably", {}, None),
    ("date", "2 March 2024", {}, "2024-03-02"),
    ("date", "2024-3-2", {}, "2024-03-02"),
    ("date", "02/03/2024", {}, {"2024-03-02", "2024-02-03"}),
    ("date", "Tue 02/04/2024", {}, "2024-04-02"),
    ("datetime", "June 1, 2024 10:12 UTC", {}, "2024-06-01T10:12:00Z"),
    ("time", "9:00-17:00", {}, None),
    ("duration", "1 hour 30 minutes", {}, "PT1H30M"),
    ("duration", "50 ms", {}, "PT0.05S"),
    ("duration", "half an hour", {}, None),
    ("duration", "90 minutes a day", {}, None),
    ("uuid", "{12345678-1234-1234-1234-123456789abc}", {}, "12345678-1234-1234-1234-123456789abc"),
    ("bytes", "aGVs\nbG8=", {}, "aGVsbG8="),
]


@pytest.mark.parametrize(("kind", "text", "bounds", "expected"), READ)
def test_a_value_is_read_or_a_problem(kind: str, text: str, bounds: dict[str, Any], expected: Any) -> None:
    """The result is a value on record, a problem with all readings, or a problem without any."""
    found = read_scalar(Node(kind, nullable=False, constraints=bounds), text, text)
    if isinstance(expected, str):
        assert found == Scalar(expected, RepairKind.VALUE_RESPELLED)
    else:
        assert (found.value, found.repair) == (None, None)
        assert set(found.candidates) == (expected or set())


VERDICT = Node("enum", choices=("good", "mixed", "bad"), nullable=False)
LEVEL = Node("enum", choices=(1, 2, 3), members={"LOW": 1, "MEDIUM": 2, "HIGH": 3}, nullable=False)


def test_null_and_the_prompt_s_placeholder() -> None:
    """Null words count if None is allowed. A placeholder, a comment and references give a problem."""
    assert read_scalar(Node("str", nullable=True), "N/A", "N/A") == Scalar(None, RepairKind.NULL_WORD)
    assert read_scalar(Node("str", nullable=False), "None", "None") == Scalar("None")
    assert read_scalar(Node("int", nullable=True), "", "") == Scalar(None)
    for raw, text in (("[value here - as an int]",) * 2, ("<!-- 4 -->",) * 2, ("&#43;4", "+4")):
        assert read_scalar(Node("int", nullable=True), raw, text).problem is not None
    assert read_key(Node("int"), "+4", "+4").value == "4"


# Laws

PIECES = [
    *("1", "4", "12", "299", "000", "2024", "03", "1e9", ".", ",", "'", "_", " ", "-", "+", "/", ":", "%", "$", " EUR"),
    *("k", "M", " million", "\u00bd", "\u00b2", "\u0664", "\u2212", "\u00a0", "**", "`", '"', "(", ")", "[", "<b>"),
    *("</b>", "<", "&#52;", "&amp;", "&nbsp;", "\n", "T", "Z", "UTC", "pm", "not ", " out of ", " or ", "half", "four"),
    *("twenty-one", "yes", "No", "\u2713", "low", "LOW", "None", "N/A", "March", "Sat", "nd", "hours", "min", "P1D"),
]
ANY_TEXT = st.one_of(st.lists(st.sampled_from(PIECES), max_size=12).map("".join), st.text(max_size=30))


@given(
    st.sampled_from(sorted(FORMS)).flatmap(
        lambda kind: st.tuples(st.just(kind), st.from_regex(FORMS[kind], fullmatch=True))
    )
)
def test_strict_forms_never_change(form: tuple[str, str]) -> None:
    """A text in its strict form is the value, and nothing is recorded."""
    kind, text = form
    if text and has_form(kind, text):
        assert read_scalar(Node(kind, nullable=True), text, text) == Scalar(text)


@given(ANY_TEXT)
def test_any_text_is_read_or_a_problem(text: str) -> None:
    """The result is a value in its strict form on record, null, or a problem with its readings."""
    for kind in FORMS:
        found = read_scalar(Node(kind, nullable=True), text, text, None, "v")
        assert found.value is None or has_form(kind, found.value)
        assert found.problem is None or (found.value is None and found.repair is None)
        assert found.ambiguous is (len(found.candidates) > 1)
        assert found.repair is not None or found.problem is not None or found.value in (text, None)
    for node in (VERDICT, LEVEL):
        assert read_scalar(node, text, text).value in (None, *node.choices)


@given(st.text("ab \n\t<>&;#x1!-[]CDAT", max_size=30))
def test_a_text_keeps_its_characters(text: str) -> None:
    """Decoding undoes the references to every character, and does so once."""
    assert decode("".join(f"&#{ord(char)};" for char in text)) == text
    assert decode_clean(text) in (None, decode(text))
    assert layout(layout(text, str), str).strip(" \t\n") == text.replace("\r", "\n").strip(" \t\n") or "\n" in text
    value_of(text, str)


SHAPES = ["1", "1,000", ".", "1 a ", "word ", "a", " ", "<b>", "<b", "*a ", "_a ", '"', "-", "a.", "low ", "\u00bd"]
SHAPES += ["2024-03-02 ", "aGVs\n", "<!--", "<![CDATA[", "&", "&a", "]]>", "1 hour ", "~~a", "n/a ", "(", "10:00 "]


@pytest.mark.parametrize("shape", SHAPES)
def test_time_grows_with_the_text(shape: str) -> None:
    """The time is linear for values of every kind, and small beyond the limit on loose forms."""

    def spent(size: int) -> float:
        text = shape * (size // len(shape))
        started = time.process_time()
        for kind in FORMS:
            read_scalar(Node(kind, nullable=True), text, text, None, "v")
        read_scalar(VERDICT, text, text)
        value_of(text, str)
        return time.process_time() - started

    small, large = (min(spent(size) for _ in range(3)) for size in (MAX_LOOSE // 10, MAX_LOOSE - 100))
    # Ten times the characters, and digits leave the strict forms of two more kinds.
    assert large < 50 * max(small, 0.0005)
    assert spent(500_000) < 1.0
