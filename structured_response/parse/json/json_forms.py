"""The forms of JSON's strings, names, numbers and words, and of what is written in their place."""

from __future__ import annotations

import json
import re
from typing import NamedTuple

from ..written import Bare

__all__ = [
    "BARE_NAME",
    "DIGITS",
    "LOOSE_STRING",
    "NAME_END",
    "QUOTES",
    "SINGLE_NAME",
    "STRING",
    "WORDS",
    "Word",
    "quoted",
    "unescaped",
]

STRING = r'"[^"\\\x00-\x1f]*+(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*+)*+"'
DIGITS = r"-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?"
SINGLE_NAME = r"[^'\"\\\x00-\x1f\ud800-\udfff]{0,100}+"
BARE_NAME = r"[A-Za-z_][\w-]{0,99}+"
NAME_END = r"[ \t]*+:(?!/)"
_LOOSE = r"{0}[^{0}\\\n]*+(?:(?:\\[^\n]|\n\s*+(?![\"']))[^{0}\\\n]*+)*+{0}"
LOOSE_STRING = f"(?:{_LOOSE.format(chr(34))}|{_LOOSE.format(chr(39))})"
"""A string in either quotes that may run over lines, none of which begins with a quote."""

QUOTES = {'"': '"', "'": "'", "\u201c": '\u201d"', "\u201e": '\u201c\u201d"', "\u2018": "\u2019'", "`": "`"}
"""Opening quotes, and what closes each."""

_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(.)|\Z)", re.DOTALL)
_ESCAPED = {
    '"': '"',
    "\\": "\\",
    "/": "/",
    "b": "\b",
    "f": "\f",
    "n": "\n",
    "r": "\r",
    "t": "\t",
    "'": "'",
    "`": "`",
    "\n": "",
}
_OF_WORDS = ("b", "f")
"""Escapes that no text means: in one that is none of JSON's, with a letter behind them, they begin LaTeX or a path."""
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")


class Word(NamedTuple):
    """What a word stands for, and JSON's own word for it, where it is none of JSON's."""

    held: Bare | None
    after: str | None = None


WORDS = {
    "true": Word(Bare("true")),
    "false": Word(Bare("false")),
    "null": Word(None),
    **dict.fromkeys(("True", "TRUE"), Word(Bare("true"), "true")),
    **dict.fromkeys(("False", "FALSE"), Word(Bare("false"), "false")),
    **dict.fromkeys(("None", "undefined", "nil", "NULL", "Null"), Word(None, "null")),
}

quoted = json.JSONEncoder(ensure_ascii=False).encode


def unescaped(inner: str) -> str:
    """The text of a string that is none of JSON's. What is no escape stays as it is."""
    if "\\" in inner:
        inner = _ESCAPE.sub(_unescape, inner)
    return inner if inner.isascii() else _PAIR.sub(_join, inner)


def _unescape(match: re.Match[str]) -> str:
    code = match[1] or match[2]
    if code:
        return chr(int(code, 16))
    is_word = match[3] in _OF_WORDS and match.string[match.end() : match.end() + 1].isalpha()
    return match[0] if is_word else _ESCAPED.get(match[3] or "", match[0])


def _join(match: re.Match[str]) -> str:
    return match[0].encode("utf-16", "surrogatepass").decode("utf-16")
