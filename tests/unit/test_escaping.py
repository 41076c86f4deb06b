"""Escaping: what stands in text, in values and in attributes, and that an XML parser finds it as it was."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from structured_response.escaping import BLANK, FENCES, NULL_WORDS, attribute, escape_text, escape_value

TEXTS = [
    ("", ""),
    ("plain", "plain"),
    ("a & b", "a &amp; b"),
    ("&amp;", "&amp;amp;"),
    ("<b>", "&lt;b>"),
    ("a > b", "a > b"),
    ("]]>", "]]&gt;"),
    ("'\"", "'\""),
    ("é日😀", "é日😀"),
    ("a\n b", "a\n b"),
]


@pytest.mark.parametrize(("text", "expected"), TEXTS)
def test_text_is_escaped(text: str, expected: str) -> None:
    """Only what would be markup is escaped."""
    assert escape_text(text) == expected


VALUES = [
    ("", False, ""),
    ("plain", False, "plain"),
    ("a & <b>", False, "a &amp; &lt;b>"),
    (" a ", False, "&#32;a&#32;"),
    ("\ta\n", False, "&#9;a&#10;"),
    (" ", False, "&#32;"),
    ("a b", False, "a b"),
    ("\r", False, "&#13;"),
    ("a\r\nb", False, "a&#13;\nb"),
    ("\x00\x08\x0b\x1f", False, "&#0;&#8;&#11;&#31;"),
    ("\x7f\x85\u2028", False, "\x7f\x85\u2028"),
    ("\ufffe\uffff", False, "&#65534;&#65535;"),
    ("```", False, "&#96;``"),
    ("~~~x", False, "&#126;~~x"),
    ("``", False, "``"),
    ("x```", False, "x```"),
    ("a \uff1cscore\uff1e 4", False, "a &#65308;score\uff1e 4"),
    ("null", True, "&#110;ull"),
    ("null", False, "null"),
    ("<x", True, "&lt;x"),
    ("&x", True, "&amp;x"),
    ("\rx", True, "&#13;x"),
    ("é", True, "&#233;"),
    ("😀", True, "&#128512;"),
]


@pytest.mark.parametrize(("text", "touched", "expected"), VALUES)
def test_value_is_escaped(text: str, touched: bool, expected: str) -> None:
    """A reference stands for each character that the reader would touch, and for the first one of a touched text."""
    assert escape_value(text, touched) == expected


ATTRIBUTES = [
    ("", "''"),
    ("plain", "'plain'"),
    ("it's", '"it\'s"'),
    ('"', "'\"'"),
    ("'\"", '"\'&quot;"'),
    ("<&>", "'&lt;&amp;>'"),
    ("&quot;", "'&amp;quot;'"),
    ("a\nb\rc", "'a&#10;b&#13;c'"),
    ("é日😀", "'é日😀'"),
]


@pytest.mark.parametrize(("value", "expected"), ATTRIBUTES)
def test_attribute_is_quoted(value: str, expected: str) -> None:
    """Single quotes, or double ones around a single one; inside them nothing ends the attribute."""
    assert attribute(value) == expected


XML = st.characters(exclude_categories=["Cc", "Cs"], exclude_characters="\ufffe\uffff", include_characters="\n\x7f")


@given(st.text(XML))
def test_parser_finds_the_text(text: str) -> None:
    """An XML parser reads escaped text as what it was."""
    assert (etree.fromstring(f"<a>{escape_text(text)}</a>").text or "") == text


@given(st.text(XML | st.sampled_from("\t\r")), st.booleans())
def test_parser_finds_the_value(text: str, touched: bool) -> None:
    """An XML parser reads an escaped value as what it was, carriage returns included."""
    assert (etree.fromstring(f"<a>{escape_value(text, touched)}</a>").text or "") == text


@given(st.text(XML | st.sampled_from("\t\r")))
def test_parser_finds_the_attribute(value: str) -> None:
    """An XML parser reads an attribute as what it was: white space in it is not normalized away."""
    assert etree.fromstring(f"<a k={attribute(value)}/>").get("k") == value


@given(st.text(st.characters(exclude_categories=["Cs"])), st.booleans())
def test_value_shows_the_reader_nothing_to_touch(text: str, touched: bool) -> None:
    """No value begins or ends with white space or begins like a fence, and none holds what XML forbids."""
    escaped = escape_value(text, touched)
    assert escaped == escaped.strip(BLANK)
    assert not escaped.startswith(FENCES)
    assert "<" not in escaped
    assert all(character in "\t\n" or character >= " " for character in escaped)
    assert not (touched and escaped.lower() in NULL_WORDS)
