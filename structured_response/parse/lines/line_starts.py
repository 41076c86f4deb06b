"""What lines begin with: indentation, bullets, numbers and other signs, and whether a line leads to those below it."""

from __future__ import annotations

import re
import unicodedata

from .split_text import WHITE, Piece

__all__ = [
    "begin_of",
    "bullet_of",
    "indent_of",
    "is_lead",
    "level_of",
    "mark_kind",
    "sign_of",
    "without_sign",
]

_BULLET = re.compile(
    r"(?P<indent>[ \t]*+)(?P<mark>"
    r"[-*+\u2022\u25e6\u2023\u2013\u2014\u00b7\u25aa\u25cf\u25cb\u2192\u279c\u27a4\u25ba\u25b6]|\(?[0-9]{1,4}[.)]|[0-9]{1,4}(?=\u3001)|[0-9]\ufe0f?\u20e3|\(?[A-Za-z]\)|[ivx]{1,5}\))"
    r"(?P<gap>\u3001[ \t]*+|[ \t]++(?:\[[ xX]\][ \t]++)?|(?=\r?\n|\Z))"
)
_BLANK = re.compile(r"[ \t]*+")
_ARROWS = "\u2190\u2192\u21d2\u21e8\u27a1\u27f6\u203a\u00bb\u2022\u2023\u25e6"
"""Signs in front of items that Unicode does not have among the symbols which say nothing."""
_FIRST_SIGN = re.compile(r"\s*+([^\x00-\x7f\s\w]{1,8}+)(?=[ \t]*+\S)")
"""A sign of a few code points, of which an emoji may be put together."""
_LATIN = "\u00ff"
"""The last of the characters among whose symbols are some that belong to texts, as for copyright and degrees."""
_SYMBOLS = ("So", "Sk", "Mn", "Cf")


def bullet_of(text: str, start: int, end: int) -> re.Match[str] | None:
    """The bullet or number that a line begins with: its `indent`, its `mark` and the `gap` behind it."""
    return _BULLET.match(text, start, end)


def mark_kind(bullet: re.Match[str]) -> str:
    """What bullets have in common: nothing for signs, else the shape of the number or letter."""
    mark = bullet["mark"]
    if mark.isdigit():  # with an ideographic comma behind it
        return "1\u3001"
    return ("1" if mark.strip("().").isdigit() else "a") + mark[-1] if mark[-1] in ".)" else ""


def begin_of(text: str, line: Piece) -> int:
    """Where a line begins behind its indentation and its bullet."""
    bullet = _BULLET.match(text, line.start, line.end)
    start = bullet.end() if bullet is not None and bullet["gap"] else line.start
    return _BLANK.match(text, start, line.end).end()  # type: ignore[union-attr]


def is_lead(line: Piece) -> bool:
    """Whether a line leads to those below it."""
    return line.text.rstrip(WHITE + "*").endswith(":")


# Indentation


def indent_of(text: str) -> int:
    """How deep a line is indented."""
    return len((text[: len(text) - len(text.lstrip(" \t"))]).expandtabs(4))


def level_of(indents: list[int], *, known: bool) -> int:
    """How deep the lines may be indented that are on the level of the first one. That of a text's very first line,
    which may stand behind a tag, is not known: there the others tell.
    """
    return indents[0] if known or len(indents) == 1 else max(indents[0], min(indents[1:]))


# Signs that all lines share


def sign_of(line: Piece) -> str:
    """The sign that a line begins with: a symbol or an arrow, with blanks behind it."""
    found = _FIRST_SIGN.match(line.text)
    return found[1] if found is not None and all(map(_is_of_sign, found[1])) else ""


def without_sign(lines: list[Piece]) -> list[Piece]:
    """The lines without the sign that all of them begin with, if there are several."""
    signs = {sign_of(line) for line in lines}
    sign = signs.pop() if len(signs) == 1 < len(lines) else ""
    return [_behind(line, line.text.index(sign) + len(sign)) for line in lines] if sign else lines


def _behind(line: Piece, length: int) -> Piece:
    """A line without so many characters."""
    return Piece(line.text[length:], line.start + length, line.end)


def _is_of_sign(char: str) -> bool:
    return char in _ARROWS or (char > _LATIN and unicodedata.category(char) in _SYMBOLS)
