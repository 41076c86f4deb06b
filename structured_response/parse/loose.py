"""What the leniencies of all kinds share: their result, the decoration around a value, the words that change one."""

from __future__ import annotations

import re
from operator import itemgetter
from typing import Any, NamedTuple

from ..definition import KINDS_ASKED, Node
from ..findings import RepairKind
from ..limits import MAX_CANDIDATES

__all__ = [
    "CHANGING",
    "MAX_WORDS",
    "NEGATIONS",
    "Scalar",
    "ambiguous",
    "asked_for",
    "bare",
    "clause",
    "failed",
    "in_small_letters",
    "is_bound",
    "respelled",
    "word_set",
    "words_of",
]

MAX_WORDS = 8
"""Words that may stand in front of a value: `The overall score is 4`. More of them are a text, not a value."""


def word_set(words: str) -> frozenset[str]:
    """Words with blanks between them, as a set."""
    return frozenset(words.split())


NEGATIONS = word_set(
    "not no none never non neither nor without except hardly barely almost nearly cannot isnt arent wasnt doesnt dont "
    "didnt cant wont aint less anything instead"
)
"""Words that turn what stands behind them into something else."""

CHANGING = NEGATIONS | word_set(
    "or between more fewer under over below above than half halves quarter quarters third thirds dozen dozens hundred "
    "thousand million billion trillion before after until null nil undefined unknown unspecified"
)
"""Words that make another number, day or length of time of the one they stand by."""

_BOUND_BEFORE = re.compile(
    r"\b(?:at (?:least|most)|up to|from|(?:max|min|maximum|minimum)\.?(?: of)?|as (?:much|many|little|few) as)"
    r"[ \t\u00a4~]*\Z",
    re.IGNORECASE,
)
_BOUND_BEHIND = re.compile(r"\A[ ]?%?\+(?! ?[0-9])|\b(?:at (?:least|most)|and up|max|maximum|minimum)\b", re.IGNORECASE)
_OR_SO = re.compile(r" or so\b", re.IGNORECASE)

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
_NEAR = 40
"""Characters in which the words right before a value stand."""
_LAYERS = 6  # of decoration around one value; nobody writes more
_WHITE = " \t\r\n\u00a0\u2007\u2009\u200a\u202f\u3000\u200b\u200c\u200d\u2060\ufeff\ufe0f"
_TAG = re.compile(r"</?[A-Za-z][^<>]*+>")
_EMPHASIS = re.compile(r"(?<![\w*`])([*`]{1,3}+)(?=\S)([^*`\n]++)(?<!\s)\1(?![\w*`])")
_UNDERLINES = re.compile(r"(?<!\w)(_{1,2}+)(?=\S)([^_\n]++)(?<!\s)\1(?!\w)")
_MARKED = itemgetter(2)  # what stands between the marks of a match; a template takes five times as long
_WORD = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)*")
_CLAUSE = re.compile(r"[.,;:!?()\[\]\n\u2013\u2014]|\s-+\s")


def bare(text: str) -> str:
    """The text without what only decorates it: tags, Markdown's emphasis, and quotes, backticks and brackets around.

    A tag becomes a line break, so that it keeps apart what it stood between.
    """
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


def is_bound(front: str, behind: str) -> bool:
    """Whether what stands around a value says that it is the least or the most that there may be: `at least`, `+`."""
    return bool(_BOUND_BEFORE.search(front[-_NEAR:]) or _BOUND_BEHIND.search(clause(behind)))


def clause(text: str) -> str:
    """What stands before the first punctuation mark or dash of a text: what is said of the word before it. `or so` says
    nothing that `about` would not.
    """
    return _OR_SO.sub("", _CLAUSE.split(text, maxsplit=1)[0])
