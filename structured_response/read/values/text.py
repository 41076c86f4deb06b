"""The text between two tags -> the value that its author meant: escaping, layout, comments and fences.

Rule 2 of a string: its value is the reply's own characters. If bare markup stands in it (a `<` before a
letter, `/`, `!` or `?`, outside CDATA and comments), its author was not escaping and every character
stays; if not, entities are decoded once. White space that lays the value out is not part of it.
Everything here looks at raw characters, before entities are decoded.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from functools import cache
from itertools import accumulate
from typing import NamedTuple

from ...findings import RepairKind
from ...markup import BLANK, FENCES

__all__ = [
    "COMMENT",
    "INSTRUCTION",
    "ODD_SECTION",
    "SECTION",
    "Change",
    "Text",
    "common_start",
    "decode",
    "decode_clean",
    "decode_common",
    "is_escaped",
    "layout",
    "plain_value",
    "unfenced",
    "value_of",
    "without",
    "without_comments",
]

_BARE_MARKUP = re.compile(r"<[A-Za-z/!?]")
_HIDING = re.compile(r"<!\[CDATA\[|<!--|<\?")
_HIDING_ENDS = {"<![CDATA[": "]]>", "<!--": "-->", "<?": "?>"}
SECTION, COMMENT, INSTRUCTION = "<![CDATA[", "<!--", "<?"
_SECTION_END = "]]>"
_BROKEN_END = re.compile(r"\]{1,2}>?\Z")
ODD_SECTION = r"!?[ \t]*+\[?[ \t]*+CDATA[ \t]*+\["
"""The pattern of what a section may begin with behind its bracket: in any case, with blanks, or without a sign."""
_ODD_SECTION = re.compile(rf"<{ODD_SECTION}", re.IGNORECASE)
_SECTION_MARK = re.compile(r"<!\[CDATA\[|\]\]>")
_REFERENCE = re.compile(r"&(?:#(?:([0-9]++)|[xX]([0-9a-fA-F]++))|([A-Za-z][A-Za-z0-9]{0,31}+));")
_FIRST_BREAK = re.compile(r"[ \t]*+\n")
_FLUSH_LINE = re.compile(r"\n[^ \t\n]")
_FENCE = re.compile(r"(`{3,}+|~{3,}+)[^\n`]*+\n((?:(?![ \t]*+\1)[^\n]*+\n)*+)[ \t]*+\1[`~]*+\Z")
_CODE_DIGITS = 8  # enough to tell that a code point lies beyond the last one, 10FFFF
_REPLACEMENT = "\ufffd"


class Change(NamedTuple):
    """Something that was taken from a value: what, and the characters."""

    kind: RepairKind
    before: str
    after: str


class Text(NamedTuple):
    """A value, the characters that it was decoded from, and what was done to get it."""

    raw: str
    value: str
    changes: tuple[Change, ...] = ()


def is_escaped(text: str) -> bool:
    """Whether no bare markup stands in a text, and all that could hide some is closed."""
    hidden = "<!" in text and any(text.rfind(mark) > text.rfind(_HIDING_ENDS[mark]) for mark in (SECTION, COMMENT))
    return not hidden and not _BARE_MARKUP.search(without(text, (SECTION, COMMENT), lambda found: " "))


def value_of(raw: str, indentation: Callable[[], str], is_verbatim: bool = True) -> Text:
    """The value of the characters between two tags.

    `indentation` tells the white space that the line of the opening tag begins with; it is asked
    only where the layout depends on it. A text that is to be taken verbatim keeps its comments, unless it is one line.
    """
    changes: list[Change] = []
    verbatim = is_bare = False
    if "<" in raw:
        raw, verbatim, is_bare = _open_sections(raw, changes, is_verbatim and "\n" in raw.strip(BLANK))
    text = _unfence(layout(raw, indentation), changes)
    if verbatim:
        return Text(text, text, tuple(changes))
    value = decode_clean(text)
    if value is None or is_bare:
        value = decode(text)
        changes.append(Change(RepairKind.UNESCAPED, text, text))
    return Text(text, value, tuple(changes))


def plain_value(text: str, indentation: Callable[[], str]) -> Text:
    """The same of characters that were decoded before."""
    changes: list[Change] = []
    value = _unfence(layout(text, indentation), changes)
    return Text(value, value, tuple(changes))


def _open_sections(raw: str, changes: list[Change], keeps_comments: bool) -> tuple[str, bool, bool]:
    """The text with its CDATA sections opened, whether it is to stay as it is, markup and all, and whether a `<`
    stands in it that is no markup.
    """
    if not _may_hide(raw):
        is_markup = _BARE_MARKUP.search(raw) is not None
        return raw, is_markup, not is_markup
    stripped = raw.strip(BLANK)
    if stripped.startswith(SECTION) and stripped.find(_SECTION_END) == len(stripped) - len(_SECTION_END):
        return _opened(stripped), False, False
    inner = _broken_section(stripped)
    if inner is not None:
        changes.append(Change(RepairKind.UNESCAPED, stripped, inner))
        return inner.replace("&", "&amp;"), False, False
    outside = without(raw, (SECTION, COMMENT), lambda found: " ")
    if _BARE_MARKUP.search(outside):
        return raw, True, False
    if "<!--" in raw and not keeps_comments:
        plain = without(raw, (COMMENT,), lambda found: "")
        if plain != raw:
            changes.append(Change(RepairKind.TEXT_SKIPPED, stripped, plain.strip(BLANK)))
        raw = plain
    if raw.lstrip(BLANK).startswith(SECTION):
        raw = raw.lstrip(BLANK)
    if raw.rstrip(BLANK).endswith(_SECTION_END):
        raw = raw.rstrip(BLANK)
    return without(raw, (SECTION, COMMENT), _opened), False, "<" in outside


def _may_hide(text: str) -> bool:
    """Whether anything in a text may hide what stands in it: a section, a comment, an instruction."""
    return "<!" in text or "<?" in text or "<[" in text


def without(text: str, kinds: tuple[str, ...], replace: Callable[[str], str]) -> str:
    """The text with its sections, comments or instructions replaced, as far as they are closed. Linear: a beginning
    whose end was looked for in vain is not looked for again.
    """
    parts: list[str] = []
    done = position = 0
    endless: set[str] = set()
    while match := _HIDING.search(text, position):
        position = match.end()
        end = -1 if match[0] in endless else text.find(_HIDING_ENDS[match[0]], position)
        if end < 0:
            endless.add(match[0])
            continue
        position = end + len(_HIDING_ENDS[match[0]])
        if match[0] in kinds:
            parts += [text[done : match.start()], replace(text[match.start() : position])]
            done = position
    return "".join([*parts, text[done:]]) if parts else text


def without_comments(text: str) -> str:
    """The text that stands between elements, without comments and instructions; sections stay."""
    text = text.strip(BLANK)
    return without(text, (COMMENT, INSTRUCTION), lambda found: "").strip(BLANK) if "<" in text else text


def _broken_section(text: str) -> str | None:
    """What a CDATA section holds that is the whole text and is not closed, has others nested in it, or begins in
    another case or without one of its signs; else None.
    """
    if not text.startswith(SECTION):
        odd = _ODD_SECTION.match(text)
        is_whole = odd is not None and text.find(_SECTION_END) == len(text) - len(_SECTION_END)
        return text[odd.end() : -len(_SECTION_END)] if odd is not None and is_whole else None
    marks = [match[0] == SECTION for match in _SECTION_MARK.finditer(text)]
    if all(marks):
        inner = text[len(SECTION) :]
        return inner if inner.count("]") <= inner.count("[") else _BROKEN_END.sub("", inner)
    depths = list(accumulate(1 if is_start else -1 for is_start in marks))
    if len(marks) < 4 or not text.endswith(_SECTION_END) or depths[-1] or 0 in depths[:-1]:
        return None
    return text[len(SECTION) : -len(_SECTION_END)]


def _opened(found: str) -> str:
    """What a section stands for, in characters that decoding turns into it: a comment stays a comment."""
    inner = found[len(SECTION) : -len(_SECTION_END)] if found.startswith(SECTION) else found
    return inner.replace("&", "&amp;")


def _is_flush(text: str) -> bool:
    """Whether some line behind the first begins without white space, so that nothing can be dedented."""
    return _FLUSH_LINE.search(text) is not None


def layout(raw: str, indentation: Callable[[], str]) -> str:
    """The text without the white space that only lays it out, line ends as line feeds."""
    if "\r" in raw:
        raw = raw.replace("\r\n", "\n").replace("\r", "\n")
    stripped = raw.strip(BLANK)
    if "\n" not in stripped:
        return stripped
    first = _FIRST_BREAK.match(raw)
    text = raw.rstrip(BLANK)
    if first is None:
        return text
    if _is_flush(text):
        return text[first.end() :]
    return _dedent(text[first.end() :], indentation())


def _dedent(text: str, outer: str) -> str:
    """The lines without their common indentation, if each is indented deeper than `outer`."""
    lines = text.split("\n")
    indents = [line[: len(line) - len(line.lstrip(" \t"))] for line in lines if line.strip(" \t")]
    if min(map(len, indents)) <= len(outer):
        return text
    common = len(common_start(indents))
    return "\n".join(line[common:] for line in lines)


def common_start(texts: Collection[str]) -> str:
    """What some texts begin with, all of them."""
    low, high = min(texts, default=""), max(texts, default="")
    length = next((n for n, (a, b) in enumerate(zip(low, high, strict=False)) if a != b), min(len(low), len(high)))
    return low[:length]


def _unfence(text: str, changes: list[Change]) -> str:
    """The text without the Markdown fence that is the whole of it."""
    inner = unfenced(text)
    if inner is not text:
        changes.append(Change(RepairKind.TEXT_SKIPPED, text, inner))
    return inner


def unfenced(text: str) -> str:
    """The text without the Markdown fence that is the whole of it, else the same text."""
    match = _FENCE.match(text) if text.startswith(FENCES) else None
    return text if match is None else match[2].removesuffix("\n")


def decode(text: str) -> str:
    """The text with its references decoded, once: HTML5's names with their semicolon, and code points."""
    quick = decode_common(text)
    return quick if quick is not None else "&".join(map(_decode_part, text.split("&amp;")))


def decode_clean(text: str) -> str | None:
    """The decoded text, or None where some `&` of it begins no reference."""
    quick = decode_common(text)
    if quick is not None:
        return quick
    parts = text.split("&amp;")
    clean = all(_is_reference(f"&{piece}") for part in parts for piece in part.split("&")[1:])
    return "&".join(map(_decode_part, parts)) if clean else None


def decode_common(text: str) -> str | None:
    """The text decoded where it refers to `<`, `>` and `&` only, ten times as fast as by a pattern; else None.

    `split` looks through the text once, `replace` twice, for it counts first: where references are few, that is most
    of the time.
    """
    if "&" not in text:
        return text
    if _AMP in text:
        return None
    decoded = "<".join(_AMP.join(text.split("&amp;")).split("&lt;"))
    if "&" in decoded:
        decoded = decoded.replace("&gt;", ">")
    return None if "&" in decoded else decoded.replace(_AMP, "&")


_AMP = "\x02"
"""What stands for an `&` that is none of a reference's: a character that replies hardly hold."""


def _decode_part(text: str) -> str:
    """What stands between two `&amp;`, decoded: there an `&` that some reference stands for cannot begin another."""
    return _REFERENCE.sub(_character, text) if "&" in text else text


def _is_reference(text: str) -> bool:
    """Whether a text begins with a reference."""
    match = _REFERENCE.match(text)
    return match is not None and (match[3] is None or f"{match[3]};" in _names())


@cache
def _names() -> dict[str, str]:
    """HTML5's names of characters, imported when the first of them is met that is none of XML's."""
    from html.entities import html5

    return html5


def _character(match: re.Match[str]) -> str:
    decimal, hexadecimal, name = match.groups()
    if name is not None:
        return _names().get(f"{name};", match[0])
    digits, base = (decimal, 10) if decimal is not None else (hexadecimal, 16)
    digits = digits.lstrip("0")[:_CODE_DIGITS] or "0"
    code = int(digits, base)
    return _REPLACEMENT if code > 0x10FFFF or 0xD800 <= code <= 0xDFFF else chr(code)
