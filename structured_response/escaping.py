"""Writing characters so that they come back: escaping of text and of attributes."""

from __future__ import annotations

import re

__all__ = [
    "BLANK",
    "EXAMPLE",
    "FENCES",
    "GAP",
    "LABELLED",
    "NULL_WORDS",
    "PRIVATE_USE",
    "SPECIAL_ENDS",
    "SURROGATE",
    "attribute",
    "escape_text",
    "escape_value",
    "heading",
    "is_encodable",
]

BLANK = " \t\r\n"
"""White space, as XML and the layout rule know it."""

GAP = BLANK + "\f\v\u00a0\u200b\u200c\u200d\u2060\ufeff"
"""What may stand between elements without being a text: white space, no-break spaces and zero-width characters."""

NULL_WORDS = frozenset({"none", "null", "nil", "n/a"})
"""Words that, as a whole value and in any case, mean null where null is allowed."""

SPECIAL_ENDS = ("|>", "\uff5c>", "</s>", "<eos>", "<end_of_turn>")
"""How the special tokens of chat templates end that some models leave behind a reply."""

FENCES = ("```", "~~~")
"""What a fenced block of Markdown begins with."""

PRIVATE_USE = (0xE000, 0xF900)
"""Characters that stand for nothing by themselves, from the first to behind the last."""

SURROGATE = re.compile("[\ud800-\udfff]")
"""Half of a pair of UTF-16: a code point that is no character, and that neither XML nor UTF-8 can hold."""

LABELLED = r"(?m:^[^\n:=<]{1,40}+[:=](?![ \t]*+$)|^#)"
"""What prose may have that holds an answer as a value of its own: a label with a value on its line, a heading."""

EXAMPLE = ", for another input:"
"""What the heading of an example in a prompt ends with, and what tells an example that a reply repeats."""


def heading(number: int) -> str:
    """The line above an example in a prompt."""
    return f"Example {number}{EXAMPLE}"


def is_encodable(text: str) -> bool:
    """Whether a text is free of halves of surrogate pairs. Costs nothing for ASCII."""
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


_NOT_KEPT = re.compile("[\x00-\x08\x0b-\x1f\uff1c\ufffe\uffff]")
_NOT_PLAIN = re.compile("[\x00-\x1f\uff1c\uff1e\ufffe\uffff]")  # what an attribute would lose, or could not hold
# Carriage returns would become line feeds; what XML 1.0 forbids ([2] Char) a strict reader would refuse; a bracket of
# full width may begin a tag where others are missing.


def escape_text(text: str) -> str:
    """Text for a place where layout and leniencies do not matter, such as a description."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace("]]>", "]]&gt;")


def escape_value(text: str, touched: bool) -> str:
    """A value such that reading it gives exactly `text` back.

    A character that the layout rule or a leniency of the reader would touch is written as a numeric
    reference: those look at the raw characters only. `touched` says that some leniency would read the
    text as something else, a null word for one.
    """
    head = tail = ""
    if text and (touched or text[0] in BLANK or text.startswith(FENCES)) and text[0] not in "&<":
        head, text = f"&#{ord(text[0])};", text[1:]
    if text and text[-1] in BLANK:
        text, tail = text[:-1], f"&#{ord(text[-1])};"
    return head + _NOT_KEPT.sub(_reference, escape_text(text)) + tail


def attribute(value: str, touched: bool = False) -> str:
    """A value of an attribute with its quotes: single ones, or double ones if it holds a single one.

    `touched` says that the reader would take it for something else: its first character is a numeric reference then.
    """
    head, value = (f"&#{ord(value[0])};", value[1:]) if touched and value else ("", value)
    escaped = head + _NOT_PLAIN.sub(_reference, value.replace("&", "&amp;").replace("<", "&lt;"))
    if "'" in escaped:
        return '"' + escaped.replace('"', "&quot;") + '"'
    return f"'{escaped}'"


def _reference(match: re.Match[str]) -> str:
    return f"&#{ord(match[0])};"
