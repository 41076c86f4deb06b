"""The text between two tags: escaping, layout, CDATA, comments, fences and line ends.

As a table, and for the layout rule by a second implementation.
"""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from structured_response.findings import RepairKind
from structured_response.parse.scalars.text import decode, decode_clean, layout, value_of


def value(raw: str, indentation: str = "    ") -> str:
    """The value of the characters between two tags whose line is indented by four blanks."""
    return value_of(raw, lambda: indentation).value


ESCAPING = [
    ("a &lt; b &amp; c", "a < b & c", "without bare markup entities are decoded"),
    ("&amp;lt;b&amp;gt;", "&lt;b&gt;", "once"),
    ("<b>Bold</b> &amp; plain", "<b>Bold</b> &amp; plain", "bare markup: nothing is decoded"),
    ("x </li> &amp;", "x </li> &amp;", "a lone closing tag is bare markup"),
    ("<!DOCTYPE html> &amp;", "<!DOCTYPE html> &amp;", "and so is a declaration"),
    ("<?php echo 1 ?> &amp;", "<?php echo 1 ?> &amp;", "and an instruction"),
    ("Q&A: 5 < 6", "Q&A: 5 < 6", "a < before a blank is no markup, a bare & stays"),
    ("5 <6 &amp; <= <- <3", "5 <6 & <= <- <3", "nor before a digit or a sign"),
    ("R&D a && b &amp;& c", "R&D a && b && c", "a bare & stays beside entities"),
    ("&nbsp;&eacute;&hellip;&copy;", "\u00a0é…©", "HTML5's names are known"),
    ("&NotEqualTilde;", "\u2242\u0338", "those of two characters too"),
    ("&nbsp &copy &amp", "&nbsp &copy &amp", "but not without their semicolon"),
    ("&bogus; &Amp;", "&bogus; &Amp;", "unknown names stay"),
    ("&#65;&#x42;&#X43;", "ABC", "code points in decimal and in hexadecimal"),
    ("&#128;&#x85;", "\x80\x85", "a reference is the code point that it names, not what Windows made of it"),
    ("&#0;&#11;", "\x00\x0b", "control characters too"),
    ("&#xD800;&#xDFFF;", "\ufffd\ufffd", "halves of surrogate pairs become U+FFFD"),
    ("&#x110000;&#99999999999999999999;", "\ufffd\ufffd", "and so does what lies beyond 10FFFF"),
    ("&#00000000000000000065;", "A", "leading noughts do not count"),
    ("&#x10FFFF;", "\U0010ffff", "the last code point is one"),
    ("&#; &#x; &#xg; &;", "&#; &#x; &#xg; &;", "what is no reference stays"),
    ("&#٣;", "&#٣;", "digits are ASCII"),
    ("&#32;x&#10;", " x\n", "references are decoded after the layout was taken off"),
]

SECTIONS = [
    ("<![CDATA[a < b && <b>c</b> &amp;]]>", "a < b && <b>c</b> &amp;", "CDATA is literal"),
    ("a &amp; <![CDATA[b &amp; c]]>", "a & b &amp; c", "what stands beside it is decoded"),
    ("<![CDATA[a]]]]><![CDATA[>b]]>", "a]]>b", "sections join"),
    ("<![CDATA[]]>", "", "an empty one is an empty text"),
    ("<![CDATA[ x ]]>", "x", "a text of one line is stripped, CDATA or not"),
    ("  <![CDATA[x]]>\n", "x", "wherever it stands"),
    ("\n    <![CDATA[\n  a\nb\n    ]]>\n", "  a\nb", "layout is not part of the value, CDATA or not"),
    ("<![CDATA[&#32;x]]>", "&#32;x", "no reference in it is decoded"),
    ("<![CDATA[a <!-- b --> c]]>", "a <!-- b --> c", "nor any comment dropped"),
    ("<b><![CDATA[x]]></b>", "<b><![CDATA[x]]></b>", "beside bare markup it stays as it is"),
]

COMMENTS = [
    ("4<!-- of 5 -->", "4", "a comment in a value of one line is dropped"),
    ("a <!-- b --> c", "a  c", "and nothing else"),
    ("<!-- a -->", "", "also if there is nothing else"),
    ("<!-- <b> &amp; -->x &lt;", "x <", "what it holds is no markup"),
    ("<b>a</b><!-- c -->", "<b>a</b><!-- c -->", "beside other markup it stays"),
    ("a\n<!-- b -->\nc", "a\n<!-- b -->\nc", "in a value of several lines it stays"),
    ("a <!-- b\nc -->", "a <!-- b\nc -->", "also if the lines are its own"),
    ("a &lt;\n<!-- &lt; -->", "a <\n<!-- &lt; -->", "what it holds is not decoded"),
    ("a <<!-- c -->b", "a <b", "a < before it is none of a tag"),
]

LAYOUT = [
    ("x", "x", "a text is itself"),
    (" \t\r\n x \t\r\n ", "x", "one line is stripped, wherever it stands"),
    ("", "", "nothing is nothing"),
    (" \n \n ", "", "blanks alone are nothing"),
    ("a\n  b\n", "a\n  b", "several lines: the white space at the end goes"),
    ("  a\n  b", "  a\n  b", "indentation in the line of the tag stays"),
    ("\na\n  b\n    ", "a\n  b", "the first line break goes"),
    (" \t\na\nb", "a\nb", "with the blanks before it"),
    ("\n\na\nb\n\n", "\na\nb", "only one of them"),
    ("\n        a\n          b\n    ", "a\n  b", "laid out with the elements: the common indentation goes"),
    ("\n    a\n      b\n    ", "    a\n      b", "not deeper than the tag's line: it stays"),
    ("\n        a\n  b\n", "        a\n  b", "nor if one line is not deeper"),
    ("\n        a\n\n          b\n", "a\n\n  b", "blank lines do not count"),
    ("\n        a\n  \n          b\n", "a\n\n  b", "blank ones with blanks neither"),
    ("\n\n        a\n        b\n", "\na\nb", "not even the first"),
    ("\n\t\t\t\t\ta\n\t\t\t\t\t\tb\n", "a\n\tb", "tabs as well"),
    ("\n        a\n\t\t\t\t\tb\n", "        a\n\t\t\t\t\tb", "no common indentation: nothing goes"),
    ("a\r\nb\rc\nd", "a\nb\nc\nd", "line ends become line feeds"),
    ("\r\n        a\r\n          b\r\n    ", "a\n  b", "before the layout is looked at"),
    ("\ra\r  b\r", "a\n  b", "the oldest ones too"),
    ("\u00a0x\u00a0", "\u00a0x\u00a0", "other spaces are no white space"),
    ("\x0bx\x0c", "\x0bx\x0c", "nor are vertical tab and form feed"),
    ("a\u2028b ", "a\u2028b", "nor other line ends"),
]

FENCES = [
    ("```\nx = 1\n```", "x = 1", "a fence that is the whole value is taken off"),
    ("\n```python\nx = 1\n  y\n```\n", "x = 1\n  y", "with its language"),
    ("~~~\nx\n~~~", "x", "of tildes"),
    ("````md\n```\nx\n```\n````", "```\nx\n```", "of more backticks than it holds"),
    ("\n        ```\n        x\n        ```\n    ", "x", "laid out with the elements"),
    ("```\n```", "", "that holds nothing"),
    ("```\n&lt;b&gt;\n```", "<b>", "entities in it are decoded"),
    ("```\n<b>&amp;</b>\n```", "<b>&amp;</b>", "if nothing in it is bare markup"),
    ("a\n```\nx\n```", "a\n```\nx\n```", "one that is a part of the value stays"),
    ("```\nx\n```\nb", "```\nx\n```\nb", "whatever stands behind it"),
    ("```\nx\n```\n\n```\ny\n```", "```\nx\n```\n\n```\ny\n```", "two of them stay"),
    ("```\nx", "```\nx", "an open one stays"),
    ("`x`", "`x`", "one line in backticks stays"),
    ('"x"', '"x"', "quotes stay"),
]


@pytest.mark.parametrize(
    ("raw", "expected"),
    [pytest.param(raw, expected, id=why) for raw, expected, why in ESCAPING + SECTIONS + COMMENTS + LAYOUT + FENCES],
)
def test_a_text_has_its_value(raw: str, expected: str) -> None:
    """The characters between two tags have one value; the name of each row says why."""
    assert value(raw) == expected


CHANGES: list[tuple[str, list[tuple[RepairKind, str, str]]]] = [
    ("x &lt; y", []),
    ("  x  ", []),
    ("\n        a\n        b\n", []),
    ("<![CDATA[a < b]]>", []),
    ("<![CDATA[a <!-- b --> c]]>", []),
    ("a\n<!-- b -->", []),
    ("4<!-- of 5 -->", [(RepairKind.COMMENT_DROPPED, "4<!-- of 5 -->", "4")]),
    (" 4 <!-- a --> ", [(RepairKind.COMMENT_DROPPED, "4 <!-- a -->", "4")]),
    ("```py\nx\n```", [(RepairKind.FENCE_REMOVED, "```py\nx\n```", "x")]),
]


@pytest.mark.parametrize(("raw", "changes"), CHANGES)
def test_what_is_taken_off_goes_on_record(raw: str, changes: list[tuple[RepairKind, str, str]]) -> None:
    """Comments and fences are recorded, with the text before and after; layout and entities are not."""
    assert [tuple(change) for change in value_of(raw, str).changes] == changes


def by_the_rule(raw: str, outer: str) -> str:
    """The layout rule once more, word for word and slowly."""
    text = re.sub("\r\n|\r", "\n", raw)
    if len(text.strip(" \t\n").split("\n")) == 1:
        return text.strip(" \t\n")
    while text[-1] in " \t\n":
        text = text[:-1]
    first, *lines = text.split("\n")
    if first.strip(" \t"):
        return text
    indents = [re.match("[ \t]*", line)[0] for line in lines if line.strip(" \t")]  # type: ignore[index]
    if any(len(indent) <= len(outer) for indent in indents):
        return "\n".join(lines)
    common = max(
        (
            indents[0][:size]
            for size in range(len(indents[0]) + 1)
            if all(i.startswith(indents[0][:size]) for i in indents)
        ),
        key=len,
    )
    return "\n".join(line[len(common) :] for line in lines)


LINES = st.lists(
    st.tuples(
        st.sampled_from(("", " ", "    ", "\t", "     ", "        ", "\t\t")),
        st.sampled_from(("", "a", "b c", "&#32;")),
    ),
    max_size=5,
).map(lambda lines: [indent + text for indent, text in lines])


@given(
    LINES,
    st.sampled_from(("", "\n", "\n    ")),
    st.sampled_from(("\n", "\r\n", "\r")),
    st.sampled_from(("", "    ", "\t")),
)
def test_the_layout_rule_is_the_one_that_is_written_down(lines: list[str], end: str, line_end: str, outer: str) -> None:
    """Two implementations of the rule agree on every text of several lines."""
    raw = ("\n".join(lines) + end).replace("\n", line_end)
    assert layout(raw, lambda: outer) == by_the_rule(raw, outer)


@given(st.text("ab \n\t<>&;#x1", max_size=12))
def test_a_literal_section_keeps_every_character_but_layout(text: str) -> None:
    """CDATA of any text is that text, less the layout that any text loses."""
    inner = f"|{text}|".replace("]]>", "")
    assert value(f"<![CDATA[{inner}]]>") == inner


def test_indentation_is_asked_for_only_where_it_counts() -> None:
    """The line of the tag is looked up only for a text of lines that are all indented."""

    def never() -> str:
        raise AssertionError

    assert [layout(raw, never) for raw in ("x", " x\n", "a\n b", "\na\n b\n")] == ["x", "x", "a\n b", "a\n b"]


@pytest.mark.parametrize(
    ("text", "decoded"),
    [
        ("&amp;&lt;&#65;&nbsp;", "&<A\u00a0"),
        ("", ""),
        ("&amp;lt;", "&lt;"),
        ("\0&amp;", "\0&"),
        ("a & b", None),
        ("&bogus;", None),
        ("&amp", None),
        ("&#x;", None),
        ("&amp;&", None),
    ],
)
def test_references_are_told_from_bare_ampersands(text: str, decoded: str | None) -> None:
    """A reader that must not guess gets a text only if each & of it begins a reference."""
    assert decode_clean(text) == decoded


@given(st.text())
def test_decoding_undoes_references_to_every_character(text: str) -> None:
    """Any text written as numeric references is decoded to itself."""
    assert decode("".join(f"&#{ord(char)};" for char in text)) == text
    assert decode("".join(f"&#x{ord(char):X};" for char in text)) == text
    mixed = "".join(f"&#{ord(char)};" if char in "&<>" else f"{char}&amp;" for char in text)
    assert decode(mixed) == "".join(char if char in "&<>" else f"{char}&" for char in text)
