"""What the leniencies of all kinds share: their result, and the decoration around a value.

What its author struck out is taken back, so it is not there.
"""

from __future__ import annotations

import re
from operator import itemgetter
from typing import Any, NamedTuple

from ...definition import KINDS_ASKED, Node
from ...findings import RepairKind
from ...limits import MAX_CANDIDATES

__all__ = [
    "HYPHENS",
    "Scalar",
    "ambiguous",
    "asked_for",
    "bare",
    "failed",
    "in_small_letters",
    "respelled",
    "word_set",
    "words_of",
]


def word_set(words: str) -> frozenset[str]:
    """Words with blanks between them, as a set."""
    return frozenset(words.split())


_CALLED = {**KINDS_ASKED, "decimal": "a number", "uuid": "a UUID", "bytes": "base64"}


class Scalar(NamedTuple):
    """A value as text, choice or None; the repair that gave it, if one did; or what is wrong with it.

    `candidates` are the readings of an ambiguous value, else what could have stood there. `ambiguous` tells which.
    """

    value: Any
    repair: RepairKind | None = None
    problem: str | None = None
    candidates: tuple[str, ...] = ()
    ambiguous: bool = False


def respelled(text: str) -> Scalar:
    """A value that was written in another form than its strict one, which is `text`."""
    return Scalar(text, RepairKind.VALUE_RESPELLED)


def ambiguous(readings: tuple[str, ...], why: str = "could be") -> Scalar:
    """A value that can be read in more than one way: a problem that names the readings."""
    shown = readings[:MAX_CANDIDATES]
    more = ", ..." if len(readings) > len(shown) else ""
    listed = ", ".join(shown) + more if more or len(shown) < 2 else f"{', '.join(shown[:-1])} or {shown[-1]}"
    return Scalar(None, problem=f"{why} {listed}", candidates=shown, ambiguous=True)


def failed(node: Node, why: str = "") -> Scalar:
    """A value that nobody can read as what was asked for."""
    return Scalar(None, problem=f"not {asked_for(node.kind)}" + (f": {why}" if why else ""))


def asked_for(kind: str) -> str:
    """A kind with its article, and its form where that is not plain: `a date (YYYY-MM-DD)`."""
    return _CALLED.get(kind) or f"a {kind}"


_PAIRS = {
    '"': '"',
    "'": "'",
    "`": "`",
    "*": "*",
    "_": "_",
    "(": ")",
    "[": "]",
    "{": "}",
    "\u201c": "\u201d",
    "\u201e": "\u201c",
    "\u2018": "\u2019",
    "\u00ab": "\u00bb",
}
HYPHENS = str.maketrans("\u2010\u2011\u2212", "---")
"""Hyphens, and the minus sign, as ASCII has them; longer dashes are of ranges and of sentences."""
_LAYERS = 6  # of decoration around one value; nobody writes more
_WHITE = " \t\r\n\u00a0\u2007\u2009\u200a\u202f\u3000\u200b\u200c\u200d\u2060\ufeff\ufe0f"
_TAG = re.compile(r"</?[A-Za-z][^<>]*+>")
_STRUCK = re.compile(r"~~(?=\S)[^~\n]*+~~|<(del|s|strike)>[^<>]*+</\1>", re.IGNORECASE)
_EMPHASIS = re.compile(r"(?<![\w*`])([*`]{1,3}+)(?=\S)([^*`\n]++)(?<!\s)\1(?![\w*`])")
_UNDERLINES = re.compile(r"(?<!\w)(_{1,2}+)(?=\S)([^_\n]++)(?<!\s)\1(?!\w)")
_MARKED = itemgetter(2)  # what stands between the marks of a match; a template takes five times as long
_WORD = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)*")


def bare(text: str) -> str:
    """The text without what only decorates it: tags, Markdown's emphasis, and quotes, backticks and brackets around;
    and without what is struck out.

    A tag becomes a line break, so that it keeps apart what it stood between.
    """
    if "~~" in text or "</" in text:
        text = _STRUCK.sub("", text)
    if "<" in text:
        text = _TAG.sub("\n", text)
    if "*" in text or "`" in text:
        text = _EMPHASIS.sub(_MARKED, text)
    if "_" in text:
        text = _UNDERLINES.sub(_MARKED, text)
    for _ in range(_LAYERS):
        text = text.strip(_WHITE)
        if len(text) < 2 or _PAIRS.get(text[0]) != text[-1]:
            break
        text = text[1:-1]
    return text.strip(_WHITE)


def words_of(text: str) -> list[str]:
    """The words of a text in small letters, without apostrophes."""
    words = [word.lower() for word in _WORD.findall(text)]
    if "'" in text or "\u2019" in text:
        words = [word.replace("'", "").replace("\u2019", "") for word in words]
    return words


def in_small_letters(word: str) -> str:
    """A word that a pattern found in any case, as the pattern spells it: patterns take a long s for an s."""
    return word.translate(_SAME_LETTERS).lower()


_SAME_LETTERS = str.maketrans("\u0130\u0131\u017f", "iis")
