"""What the text between two tags stands for, after the rules of layout and escaping, written a second time.

On purpose nothing here is shared with the library: two readings of one rule check each other. Where the rules
leave something open, `open_question` says what.
"""

from __future__ import annotations

import re
from html.entities import html5

BLANK = " \t\r\n"
FENCES = ("```", "~~~")

_HIDDEN = re.compile(r"<!\[CDATA\[(?P<section>.*?)\]\]>|<!--(?P<comment>.*?)-->", re.DOTALL)
_BARE = re.compile(r"<(?:[^\W\d_]|[/!?])")
_REFERENCE = re.compile(r"&(?:#([0-9]+)|#[xX]([0-9a-fA-F]+)|([A-Za-z][A-Za-z0-9]*));")
_OF_XML = frozenset({"amp", "lt", "gt", "quot", "apos"})
_KEPT = "\ue0fd"  # stands for an & that is none of a reference; files that hold it are left out


def value(inner: str, opener: str = "") -> str:
    """The value of the characters `inner`; `opener` is the white space before the opening tag on its line."""
    text = inner.replace("\r\n", "\n").replace("\r", "\n")
    if has_markup(text):
        return layout(text, opener)
    single = "\n" not in text.strip(BLANK)
    return decode(layout(_HIDDEN.sub(lambda match: _shown(match, single), text), opener)).replace(_KEPT, "&")


def has_markup(text: str) -> bool:
    """Whether bare markup, or an entity that HTML has and XML has not, shows that the author was not escaping."""
    outside = _HIDDEN.sub(" ", text)
    names = {match[3] for match in _REFERENCE.finditer(outside)} - _OF_XML
    return _BARE.search(outside) is not None or any(f"{name};" in html5 for name in names)


def has_references(text: str) -> bool:
    """Whether decoding would change a text."""
    return decode(text) != text


def layout(text: str, opener: str) -> str:
    """The text without its layout: stripped if it is one line, else without its edges and perhaps dedented."""
    body = text.rstrip(BLANK)
    if "\n" not in body.strip(BLANK):
        return body.strip(BLANK)
    first, rest = body.split("\n", 1)
    if first.strip(BLANK):
        return body
    lines = rest.split("\n")
    indents = _indents(lines)
    if all(indent.startswith(opener) and len(indent) > len(opener) for indent in indents):
        common = len(_common(indents))
        lines = [line[common:] for line in lines]
    return "\n".join(lines)


def decode(text: str) -> str:
    """The text with its references decoded, once."""
    return _REFERENCE.sub(_character, text)


def open_question(inner: str, opener: str = "") -> str:
    """What the rules do not settle about a text, in a few words; nothing where they settle all."""
    text = inner.replace("\r\n", "\n").replace("\r", "\n")
    body = text.rstrip(BLANK)
    lines = body.split("\n")
    indents = _indents(lines[1:])
    asked = {
        "a private character": _KEPT in text,
        "begins with a fence": body.lstrip(BLANK).startswith(FENCES),
        "a first line of blanks": len(lines) > 1 and lines[0] != "" and not lines[0].strip(BLANK),
        "comments and no markup": "<!--" in text and not has_markup(text),
        "sections and no markup": "<![CDATA[" in text and not has_markup(text),
        "blanks and tabs mixed": not lines[0]
        and any(not indent.startswith(opener) and indent for indent in indents)
        and all(len(indent) > len(opener) for indent in indents),
        "a blank line of less than the common indentation": not lines[0]
        and all(len(indent) > len(opener) for indent in indents)
        and any(line and not line.strip(BLANK) and not line.startswith(_common(indents)) for line in lines),
    }
    return ", ".join(question for question, is_asked in asked.items() if is_asked)


def _indents(lines: list[str]) -> list[str]:
    """The white space before each line that is not blank."""
    return [line[: len(line) - len(line.lstrip(" \t"))] for line in lines if line.strip(BLANK)]


def _common(indents: list[str]) -> str:
    """What all begin with. The least and the greatest differ where any two do."""
    if not indents:
        return ""
    least, greatest = min(indents), max(indents)
    length = 0
    while length < len(least) and least[length] == greatest[length]:
        length += 1
    return least[:length]


def _shown(match: re.Match[str], single: bool) -> str:
    section, comment = match["section"], match["comment"]
    if section is not None:
        return str(section).replace("&", _KEPT)
    return "" if single and comment is not None else match[0].replace("&", _KEPT)


def _character(match: re.Match[str]) -> str:
    decimal, hexadecimal, name = match.groups()
    if name is not None:
        return html5.get(f"{name};", match[0])
    digits, base = (decimal, 10) if decimal is not None else (hexadecimal, 16)
    number = int(digits, base) if len(digits.lstrip("0")) <= 8 else -1
    return chr(number) if 0 <= number <= 0x10FFFF and not 0xD800 <= number <= 0xDFFF else "\ufffd"
