"""What the leniencies of all kinds share: their result, the decoration around a value, the words that change one.

What stands around a value may say that it is another one, and then it is none: a negation, a comparison, a bound, a
former state, a condition, a doubt (`changed`). That goes for values of all kinds, whatever else their leniency reads.
What its author struck out is taken back, so it is not there.
"""

from __future__ import annotations

import re
from operator import itemgetter
from typing import Any, NamedTuple

from ..definition import KINDS_ASKED, Node
from ..findings import RepairKind
from ..limits import MAX_CANDIDATES

__all__ = [
    "HYPHENS",
    "MAX_WORDS",
    "TELLING",
    "Scalar",
    "ambiguous",
    "asked_for",
    "bare",
    "changed",
    "clause",
    "failed",
    "in_small_letters",
    "left_open",
    "respelled",
    "word_set",
    "words_of",
]

MAX_WORDS = 8
"""Words that may stand in front of a value: `The overall score is 4`. More of them are a text, not a value."""


def word_set(words: str) -> frozenset[str]:
    """Words with blanks between them, as a set."""
    return frozenset(words.split())


_NEGATIONS = word_set(
    "not no none never non neither nor without except hardly barely almost nearly cannot isnt arent wasnt doesnt dont "
    "didnt cant wont aint less anything instead"
)
"""Words that turn what stands behind them into something else."""

_DENYING = _NEGATIONS | word_set(
    "null nil undefined unknown unspecified formerly previously originally initially maybe perhaps possibly"
)
"""Words that deny a value wherever they stand in front of it, or leave it open."""

_CHANGING = _DENYING | word_set(
    "or between more fewer under over below above than half halves quarter quarters third thirds dozen dozens hundred "
    "thousand million billion trillion before after until"
)
"""Words that make another value of the one that they stand by."""

_CHANGING_BEHIND = _CHANGING | word_set("minus plus times")
"""Words that change the value behind which they stand: of a sum it is only the beginning."""
_CONDITIONS = word_set("if unless assuming depending depends when until once provided except")
"""Words with which a condition begins, behind a value."""
_ALWAYS_CONDITIONS = word_set("if unless assuming depending depends")
"""Those of them that begin one wherever they stand."""
_BEFORE_CONDITIONS = word_set("but only and just or")
_AS_LONG_AS = re.compile(r"\A[ ,(-]*+(?:but only |only |just )?(?:(?:as|so) long as|in case)\b", re.IGNORECASE)
_FORMER = word_set("was were been")
"""Words that say of a value with nothing in front of them that it is one no longer: `was high`."""
_BOUND_BEFORE = re.compile(
    r"\b(?:at (?:least|most)|up to|from|since|(?:max|min|maximum|minimum)\.?(?: of)?|as (?:much|many|little|few) as|"
    r"near|nearing|close to|beyond|exceed(?:s|ed|ing)?|used to be)[ \t\u00a4~+-]*\Z",
    re.IGNORECASE,
)
_BOUND = r"(?:at (?:least|most)|and (?:up|down|higher|lower|better|worse)|(?:up|on|down)wards?|max|maximum|minimum)\b"
_BOUND_BEHIND = re.compile(rf"\A[ ]?%?\+(?! ?[0-9])|\b{_BOUND}", re.IGNORECASE)
_BOUND_ADDED = re.compile(rf"[\s,;(\[]*+(?:or\b(?! so\b)|{_BOUND}\W*\Z)", re.IGNORECASE)
"""A bound, or another value, as an afterthought: `4 (at least)`, `high, or worse`."""
TELLING = _CHANGING_BEHIND | _CONDITIONS | _FORMER
TELLING |= word_set(
    "n na at up from since as max min maximum minimum near nearing close beyond exceed exceeds exceeded exceeding used "
    "and upward upwards onward onwards downward downwards unsure certain unclear uncertain"
)
"""All words for which `changed` and `left_open` look."""
_MINUS_BEHIND = re.compile(r"[-\u2212]\W*+\Z")
_NO_VALUE = re.compile(r"(?<!\w)n\.?/?a\b", re.IGNORECASE)
_REASON = re.compile(r"\b(?:because|since|as|due|given|with|for|which|that|but|although|though|so)\b", re.IGNORECASE)
"""Words behind which a value is explained: what is denied there is something else."""
_QUESTION = re.compile(
    r"[^\w?]*+\?|\W*+(?:maybe|perhaps|possibly|unsure|not (?:sure|certain)|unclear|uncertain)\W*+\Z", re.IGNORECASE
)
"""A question mark, or a doubt and nothing else."""
_PAUSE = re.compile(r"[.,;!?()\[\]\n\u2013\u2014]|\s-+\s")
_PLACE = re.compile(r"\b(?:the (?:above|below)\b|(?:above|below)(?=[ ]*:))", re.IGNORECASE)
"""A place in a text, which is compared with nothing."""
_SENTENCE_END = re.compile(r"[.!?\n]")
_FEW = 4
"""Words among which a condition begins, `yes, but only if`, and a comparison stands, `under the age of 4`."""
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
HYPHENS = str.maketrans("\u2010\u2011\u2212", "---")
"""Hyphens, and the minus sign, as ASCII has them; longer dashes are of ranges and of sentences."""
_NEAR = 40
"""Characters in which the words right before a value stand."""
_LAYERS = 6  # of decoration around one value; nobody writes more
_WHITE = " \t\r\n\u00a0\u2007\u2009\u200a\u202f\u3000\u200b\u200c\u200d\u2060\ufeff\ufe0f"
_TAG = re.compile(r"</?[A-Za-z][^<>]*+>")
_STRUCK = re.compile(r"~~(?=\S)[^~\n]*+~~|<(del|s|strike)>[^<>]*+</\1>", re.IGNORECASE)
_EMPHASIS = re.compile(r"(?<![\w*`])([*`]{1,3}+)(?=\S)([^*`\n]++)(?<!\s)\1(?![\w*`])")
_UNDERLINES = re.compile(r"(?<!\w)(_{1,2}+)(?=\S)([^_\n]++)(?<!\s)\1(?!\w)")
_MARKED = itemgetter(2)  # what stands between the marks of a match; a template takes five times as long
_WORD = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)*")
_CLAUSE = re.compile(r"[.,;:!?()\[\]\n\u2013\u2014]|\s-+\s")


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


def changed(front: str, behind: str) -> str:
    """Why what stands around a value makes another one of it, or leaves it open; nothing if it stays as it is.

    In front of it may stand a few words, behind it what explains it. What is compared or counted has to stand right by
    it; what denies it, or makes a condition of it, may stand anywhere in front.
    """
    words, said = words_of(front), clause(behind)
    is_bound = _BOUND_BEFORE.search(front[-_NEAR:]) or _BOUND_BEHIND.search(said) or _BOUND_ADDED.match(behind)
    if is_bound:
        return "a bound, which is no value"
    if _MINUS_BEHIND.match(behind):
        return "with a minus behind it"
    is_former = words[:1] and words[0] in _FORMER
    if len(words) > MAX_WORDS or is_former or not _DENYING.isdisjoint(words) or _NO_VALUE.search(front):
        return _CHANGED
    if not _CHANGING.isdisjoint(words) and not _CHANGING.isdisjoint(_right_before(front)):
        return _CHANGED
    if _NO_VALUE.search(said) or not _CHANGING_BEHIND.isdisjoint(
        words_of(_PLACE.sub("", _REASON.split(said, maxsplit=1)[0]))
    ):
        return _CHANGED
    return _CONDITIONAL if not _ALWAYS_CONDITIONS.isdisjoint(words) else left_open(behind)


def _right_before(front: str) -> list[str]:
    """The last few words of what stands in front of a value, as far as they belong to it."""
    return words_of(_PLACE.sub("", _PAUSE.split(front)[-1]))[-_FEW:]


_CHANGED = "the words around it change it"
_CONDITIONAL = "under a condition"


def left_open(behind: str) -> str:
    """Why what stands behind a value leaves it open: a question mark, a doubt, a condition; nothing if it does not."""
    end = _CLAUSE.search(behind)
    said, rest = (behind[: end.start()], behind[end.start() :]) if end else (behind, "")
    if _QUESTION.match(rest) or _QUESTION.match(behind):
        return "in doubt"
    is_condition = not _ALWAYS_CONDITIONS.isdisjoint(words_of(_REASON.split(said, maxsplit=1)[0]))
    is_condition = is_condition or _AS_LONG_AS.search(behind[:_NEAR]) is not None
    return _CONDITIONAL if is_condition or any(map(_begins_condition, (behind, rest))) else ""


def _begins_condition(text: str) -> bool:
    """Whether the first sentence of a text begins with a condition: `but only if`. One behind a dash with a clause of
    its own, `- when it starts, it fails`, is of that.
    """
    sentence = _SENTENCE_END.split(text, maxsplit=1)[0]
    words = words_of(sentence)[:_FEW]
    first = next((word for word in words if word not in _BEFORE_CONDITIONS), "")
    if first not in _CONDITIONS:
        return False
    return not ("," in sentence and first == words[0] and sentence.lstrip()[:1] in _DASHES)


_DASHES = frozenset("-\u2013\u2014:;(")


def clause(text: str) -> str:
    """What stands before the first punctuation mark or dash of a text: what is said of the word before it. `or so` says
    nothing that `about` would not.
    """
    return _OR_SO.sub("", _CLAUSE.split(text, maxsplit=1)[0])
