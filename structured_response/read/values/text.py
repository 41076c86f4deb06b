"""Decodes the characters between two tags to the text their author meant: escapes, layout, CDATA, comments, fences.

It looks at the raw characters, before references are decoded. If they hold bare markup, every character is kept.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from os.path import commonprefix
from typing import NamedTuple

from ...escaping import BLANK, FENCES
from ...findings import RepairKind

BARE_MARKUP = re.compile(r"<[A-Za-z/!?]")
_SECTION, _COMMENT = "<![CDATA[", "<!--"
_BEGINNING = re.compile(r"<!\[CDATA\[|<!--")
_ENDS = {_SECTION: "]]>", _COMMENT: "-->"}
SECTION = re.compile(r"\s*+<!\[CDATA\[(?:(?!\]\]>).)*+\]\]>\s*+", re.DOTALL)
"""A text that is one section."""
_SECTION_MARK = re.compile(r"<!\[CDATA\[|\]\]>")
_ODD_SECTION = re.compile(r"<[ ]?!?[ ]?\[?[ ]?CDATA[ ]?\[((?:(?!\]\]>).)*+)\]\]>\Z", re.IGNORECASE | re.DOTALL)
"""A text that is one section whose beginning is misspelt."""
_BROKEN_END = re.compile(r"\]{1,2}>?\Z")
_REFERENCE = re.compile(r"&(?:(amp|lt|gt|quot|apos)|#([0-9]++)|#[xX]([0-9a-fA-F]++));")
_NO_REFERENCE = re.compile(rf"&(?!{_REFERENCE.pattern[1:]})")
_CHARACTERS = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
_NAME = re.compile(r"&(?!(?:amp|lt|gt|quot|apos);)([A-Za-z][A-Za-z0-9]{0,31}+;)")
_CODE_DIGITS = 8  # enough to tell that a code point lies beyond the last one, 10FFFF
_REPLACEMENT = "\ufffd"
_FIRST_BREAK = re.compile(r"[ \t]*+\n")
_FLUSH_LINE = re.compile(r"\n[^ \t\n]")
_FENCE = re.compile(r"(`{3,}+|~{3,}+)[^\n`]*+\n((?:(?![ \t]*+\1)[^\n]*+\n)*+)[ \t]*+\1[`~]*+\Z")


class Change(NamedTuple):
    """A change made to obtain a text, with the characters before and after it."""

    kind: RepairKind
    before: str
    after: str


class Text(NamedTuple):
    """A text: its laid-out characters before references were decoded, its value, and the changes made."""

    raw: str
    value: str
    changes: tuple[Change, ...] = ()


def value_of(raw: str, indentation: Callable[[], str], is_verbatim: bool = True) -> Text:
    """Returns the text that the characters between two tags represent.

    `indentation` returns the blanks before the opening tag, and is called only if the layout depends on them. Strings
    are verbatim; values of other kinds lose all comments and may use the entities of HTML.
    """
    if "<" not in raw:
        text = plain_value(raw, indentation)
        value = decode_common(text.value)
        if value is not None:
            return Text(text.raw, value, text.changes)
    stripped = raw.strip(BLANK)
    section = _whole_section(stripped)
    if section is not None:
        text = plain_value(section, indentation)
        is_closed = stripped == f"{_SECTION}{section}]]>" and _SECTION not in section
        opened = () if is_closed else (Change(RepairKind.UNESCAPED, stripped, section),)
        return text._replace(changes=opened + text.changes)

    pieces = list(_pieces(raw))
    outside = " ".join(piece for mark, piece in pieces if not mark)
    is_markup = BARE_MARKUP.search(outside) is not None
    is_html = is_verbatim and not is_markup and any(found[1] in _html_names() for found in _NAME.finditer(outside))
    lone = pieces and not outside.strip(BLANK) and all(mark != _SECTION for mark, _piece in pieces)
    has_comment = any(mark == _COMMENT for mark, _piece in pieces)
    if has_comment and (lone or (is_verbatim and "\n" in stripped)):
        is_markup = True
    if is_markup or is_html:
        text = plain_value(raw, indentation)
        on_record = lone or (is_html and _REFERENCE.search(outside))
        kept = (Change(RepairKind.UNESCAPED, text.value, text.value),) if on_record else ()
        return text._replace(changes=kept + text.changes)

    joined = "".join(
        piece if not mark else piece[len(_SECTION) : -3].replace("&", "&amp;")
        for mark, piece in pieces
        if mark != _COMMENT
    )
    is_section = stripped.startswith(_SECTION) and stripped.endswith("]]>")
    text = plain_value(joined.strip(BLANK) if is_section else joined, indentation)
    value = decode_clean(text.value)
    is_bare = value is None or "<" in outside
    value = decode(text.value if is_verbatim else _NAME.sub(_named, text.value)) if value is None else value
    dropped = (Change(RepairKind.TEXT_SKIPPED, stripped, joined.strip(BLANK)),) if has_comment else ()
    bare = (Change(RepairKind.UNESCAPED, text.raw, text.raw),) if is_bare else ()
    return Text(text.raw, value, dropped + text.changes + bare)


def plain_value(text: str, indentation: Callable[[], str]) -> Text:
    """Returns the text that characters without markup represent: laid out, and without a fence around it."""
    text = layout(text, indentation)
    inner = unfenced(text)
    return Text(inner, inner, () if inner is text else (Change(RepairKind.TEXT_SKIPPED, text, inner),))


def _whole_section(text: str) -> str | None:
    """Returns the content of the CDATA section that is a whole text, perhaps unclosed or nested, else None."""
    if not text.startswith(_SECTION):
        odd = _ODD_SECTION.match(text)
        return odd[1] if odd is not None else None
    inner = text[len(_SECTION) :]
    first_end = inner.find("]]>")
    if first_end < 0:
        return inner if inner.count("]") <= inner.count("[") else _BROKEN_END.sub("", inner)
    depth = 0
    for mark in _SECTION_MARK.finditer(text):
        depth += 1 if mark[0] == _SECTION else -1
        if not depth:
            first_end = mark.start() - len(_SECTION)
            break
    return inner[:-3] if first_end == len(inner) - 3 else None


def _pieces(text: str) -> Iterator[tuple[str, str]]:
    """Yields the pieces of a text, each with the mark of a section or of a comment, or "". Linear in time."""
    done = position = 0
    endless: set[str] = set()
    while match := _BEGINNING.search(text, position):
        position = match.end()
        end = -1 if match[0] in endless else text.find(_ENDS[match[0]], position)
        if end < 0:
            endless.add(match[0])
            continue
        yield "", text[done : match.start()]
        done = position = end + 3
        yield match[0], text[match.start() : done]
    yield "", text[done:]


def layout(raw: str, indentation: Callable[[], str]) -> str:
    """Returns a text without white space that is only layout, with line feeds as line ends."""
    if "\r" in raw:
        raw = raw.replace("\r\n", "\n").replace("\r", "\n")
    stripped = raw.strip(BLANK)
    if "\n" not in stripped:
        return stripped
    text = raw.rstrip(BLANK)
    first = _FIRST_BREAK.match(text)
    if first is None:
        return text
    text = text[first.end() :]
    if text[0] not in BLANK or _FLUSH_LINE.search(text):
        return text
    lines = text.split("\n")
    indents = [line[: len(line) - len(line.lstrip(" \t"))] for line in lines if line.strip(" \t")]
    if min(map(len, indents)) < len(indentation()):
        return text
    common = len(commonprefix(indents))  # noqa: RUF071
    return "\n".join(line[common:] for line in lines)


def unfenced(text: str) -> str:
    """Returns a text without the Markdown fence around all of it, if any."""
    match = _FENCE.match(text) if text.startswith(FENCES) else None
    return text if match is None else match[2].removesuffix("\n")


def decode(text: str) -> str:
    return _REFERENCE.sub(_character, text) if (quick := decode_common(text)) is None else quick


def decode_clean(text: str) -> str | None:
    quick = decode_common(text)
    if quick is not None:
        return quick
    return None if _NO_REFERENCE.search(text) else _REFERENCE.sub(_character, text)


def decode_common(text: str) -> str | None:
    """Returns the decoded text if it refers only to `<`, `>` and `&`, in a tenth of a pattern's time, else None."""
    if "&" not in text:
        return text
    if _AMP in text:
        return None
    decoded = _AMP.join(text.split("&amp;")).replace("&lt;", "<").replace("&gt;", ">")
    return None if "&" in decoded else decoded.replace(_AMP, "&")


_AMP = "\x02"
"""A placeholder for a decoded `&`, a character that replies hardly ever contain."""


def _character(match: re.Match[str]) -> str:
    name, decimal, hexadecimal = match.groups()
    if name is not None:
        return _CHARACTERS[name]
    digits = (decimal or hexadecimal).lstrip("0")[:_CODE_DIGITS] or "0"
    code = int(digits, 16 if decimal is None else 10)
    return _REPLACEMENT if code > 0x10FFFF or 0xD800 <= code <= 0xDFFF else chr(code)


def _named(match: re.Match[str]) -> str:
    return _html_names().get(match[1], match[0])


@cache
def _html_names() -> dict[str, str]:
    """Returns HTML's names of characters, imported for the first one that XML lacks."""
    from html.entities import html5

    return html5
