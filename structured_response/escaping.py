"""Escapes text and attributes so that they are read back exactly."""

from __future__ import annotations

import re

BLANK = " \t\r\n"
"""White space, as XML and the layout rule know it."""

GAP = BLANK + "\f\v\u00a0\u200b\u200c\u200d\u2060\ufeff"
"""Characters between elements that are not text: white space, no-break spaces and zero-width characters."""

NULL_WORDS = frozenset({"none", "null", "nil", "n/a"})
"""Words that mean null where it is allowed, as a whole value and in any case."""

SPECIAL_ENDS = ("|>", "\uff5c>", "</s>", "<eos>", "<end_of_turn>")
"""Ends of the special tokens of chat templates, which some models leave after a reply."""

FENCES = ("```", "~~~")
"""The beginnings of a fenced block of Markdown."""

PRIVATE_USE = (0xE000, 0xF900)
"""The range of characters without a meaning of their own, its end excluded."""

CONTROLS = {code: 0x2400 + code for code in range(0x20) if code != ord("\n")}
CONTROLS |= {ord("\t"): ord(" "), 0x7F: 0x2421} | dict.fromkeys(range(0x80, 0xA0), 0xFFFD)
"""The characters that steer a terminal, each with a picture of itself, one column wide."""

SURROGATE = re.compile("[\ud800-\udfff]")
"""A lone surrogate, which neither XML nor UTF-8 can hold."""

LABELLED = r"(?m:^[^\n:=<]{1,40}+[:=](?![ \t]*+$)|^#)"
"""A line of prose that may hold an answer as a value of its own: a label with a value, or a heading."""

UNDOUBLED = (
    r"(?:[bf][A-Za-z]|(?:r(?:[Vv]ert|angle|brace|ceil|floor|ho|ight(?:arrow|leftharpoons)?|times)"
    r"|t(?:ext(?:bf|it|rm|sf|style|tt|(?=\{))|frac(?=\{)|h(?:erefore|eta|ickapprox|inspace)|i(?:lde|mes)|riangleq?))"
    r"(?![A-Za-z]))"
)
"""A word of LaTeX behind a backslash of JSON that was not doubled. With an escape, its rest would make no sense."""

EXAMPLE = ", for another input:"
"""The end of the heading of an example in a prompt, by which a repeated example is recognized."""


def encodable(text: str) -> str:
    """Returns a text with U+FFFD in place of lone surrogates, which cannot be printed or written to a file."""
    return text if is_encodable(text) else SURROGATE.sub("\ufffd", text)


def heading(number: int) -> str:
    return f"Example {number}{EXAMPLE}"


def is_encodable(text: str) -> bool:
    """Return whether a text has no lone surrogates. Costs nothing for ASCII."""
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


_NOT_KEPT = re.compile("[\x00-\x08\x0b-\x1f\uff1c\ufffe\uffff]")
_NOT_PLAIN = re.compile("[\x00-\x1f\uff1c\uff1e\ufffe\uffff]")  # characters that an attribute would lose or cannot hold
# Carriage returns would become line feeds; what XML 1.0 forbids ([2] Char) a strict reader would refuse; a bracket of
# full width may begin a tag where others are missing.


def escape_text(text: str) -> str:
    """Escape text that is not read back, such as a description."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace("]]>", "]]&gt;")


def escape_value(text: str, touched: bool) -> str:
    """Escape a value so that reading it gives exactly `text` back, also if it is `touched`: taken for another value."""
    # The layout rule and the leniencies of the reader look at raw characters only, not at numeric references.
    head = tail = ""
    if text and (touched or text[0] in BLANK or text.startswith(FENCES)) and text[0] not in "&<":
        head, text = f"&#{ord(text[0])};", text[1:]
    if text and text[-1] in BLANK:
        text, tail = text[:-1], f"&#{ord(text[-1])};"
    return head + _NOT_KEPT.sub(_reference, escape_text(text)) + tail


def attribute(value: str, touched: bool = False) -> str:
    """Return the value of an attribute in quotes. If it is `touched`, it begins with a numeric reference."""
    head, value = (f"&#{ord(value[0])};", value[1:]) if touched and value else ("", value)
    escaped = head + _NOT_PLAIN.sub(_reference, value.replace("&", "&amp;").replace("<", "&lt;"))
    if "'" in escaped:
        return '"' + escaped.replace('"', "&quot;") + '"'
    return f"'{escaped}'"


def _reference(match: re.Match[str]) -> str:
    return f"&#{ord(match[0])};"
