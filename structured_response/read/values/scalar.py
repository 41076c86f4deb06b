"""The result of reading a scalar, and the removal of decoration from values of any kind."""

from __future__ import annotations

import re
from operator import itemgetter
from typing import Any, NamedTuple

from ...definition import Node
from ...findings import RepairKind
from ...render.placeholder import KINDS_ASKED

MAX_CANDIDATES = 5
"""Readings of an ambiguous value that a problem names."""

_CALLED = {
    **KINDS_ASKED,
    "decimal": "a number",
    "uuid": "a UUID",
    "bytes": "base64",
    "dict": "an object",
    "list": "a list",
    "tuple": "a tuple",
    "map": "a map",
    "union": "one of several types",
}


LEFT_IN_PLACE = "the prompt's placeholder was not replaced by a value"


class Scalar(NamedTuple):
    """A value as text, choice or None, with the repair that produced it, or with its problem.

    `candidates` are the readings of an ambiguous value, else the allowed values. Those of a date in figures are
    `by_order`: with the day first, with the month first.
    """

    value: Any
    repair: RepairKind | None = None
    problem: str | None = None
    candidates: tuple[str, ...] = ()
    ambiguous: bool = False
    by_order: bool = False

    def ordered(self, day_first: bool | None) -> Scalar:
        """Returns the reading of a numeric date in the given order; any other scalar unchanged."""
        return self if day_first is None or not self.by_order else respelled(self.candidates[0 if day_first else 1])


def respelled(value: Any) -> Scalar:
    return Scalar(value, RepairKind.VALUE_RESPELLED)


def ambiguous(readings: tuple[str, ...], why: str = "could be") -> Scalar:
    shown = readings[:MAX_CANDIDATES]
    more = ", ..." if len(readings) > len(shown) else ""
    listed = ", ".join(shown) + more if more or len(shown) < 2 else f"{', '.join(shown[:-1])} or {shown[-1]}"
    return Scalar(None, problem=f"{why} {listed}", candidates=shown, ambiguous=True)


def failed(node: Node, why: str = "") -> Scalar:
    return Scalar(None, problem=f"not {asked_for(node.kind)}" + (f": {why}" if why else ""))


def asked_for(kind: str) -> str:
    """Returns a kind with its article, and with its form where that is not obvious: `a date (YYYY-MM-DD)`."""
    return _CALLED[kind]


def word_set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_PAIRS = {'"': '"', "'": "'", "`": "`", "*": "*", "_": "_", "(": ")", "[": "]", "{": "}"}
_PAIRS |= {"\u201c": "\u201d", "\u201e": "\u201c", "\u2018": "\u2019", "\u00ab": "\u00bb"}
_LAYERS = 6  # of decoration around one value; no reply has more
_WHITE = " \t\r\n\u00a0\u2007\u2009\u200a\u202f\u3000\u200b\u200c\u200d\u2060\ufeff\ufe0f"
_TAG = re.compile(r"</?[A-Za-z][^<>]*+>")
_STRUCK = re.compile(r"~~(?=\S)[^~\n]*+~~|<(del|s|strike)>[^<>]*+</\1>", re.IGNORECASE)
_EMPHASIS = re.compile(r"(?<![\w*`])([*`]{1,3}+)(?=\S)([^*`\n]++)(?<!\s)\1(?![\w*`])")
_MARKED = itemgetter(2)  # the text between the marks of a match; a template takes five times as long
_WORD = re.compile(r"[^\W\d_]+")


def bare(text: str, brackets: bool = True) -> str:
    """Returns a text without tags, emphasis, struck-out words, surrounding quotes, backticks and brackets."""
    if "~~" in text or "</" in text:
        text = _STRUCK.sub("", text)
    if "<" in text:
        text = _TAG.sub("\n", text)
    if "*" in text or "`" in text:
        text = _EMPHASIS.sub(_MARKED, text)
    for _ in range(_LAYERS):
        text = text.strip(_WHITE)
        if len(text) < 2 or _PAIRS.get(text[0]) != text[-1] or (text[0] == "(" and not brackets):
            break
        text = text[1:-1]
    return text.strip(_WHITE)


_SIGNS = str.maketrans(
    dict.fromkeys("\u2010\u2011\u2012\u2212\u2013\ufe63\uff0d", "-")
    | dict.fromkeys("\u066c\u2019\u02bc", "'")
    | dict.fromkeys("\u00a0\u2007\u2009\u200a\u202f\u3000", " ")
    | {"\uff0b": "+", "\u066b": ".", "\uff0e": ".", "\uff0c": ",", "\uff05": "%", "\u066a": "%", "\u2044": "/"}
)
_OTHER_DIGIT = re.compile(r"[^\D0-9]")


def in_ascii(text: str) -> str:
    """Returns a text with the digits of all scripts, hyphens, blanks and the signs of numbers in ASCII."""
    if text.isascii():
        return text
    return _OTHER_DIGIT.sub(lambda digit: str(int(digit[0])), text.translate(_SIGNS))


def words_of(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text)]
