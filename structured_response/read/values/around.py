"""The words around a value: only certain ones may precede it, and any that leave it unchanged may follow it."""

from __future__ import annotations

import re

from .scalar import word_set, words_of

_MAX_WORDS = 8
"""Words in front of a value: `The overall score is 4`. More of them are a text, not a value."""
_NEAR = 4
"""Words behind a value among which those that change it count."""

_BEFORE = word_set(
    "the a an my our your its this that it s i d is are be of at on by as with would say give rate rated "
    "pick choose about around approximately approx roughly circa ca answer result value rating total overall final "
    "number amount date grand step chapter section question page item line track platform gate room table"
)
_SIGNS_BEFORE = re.compile(
    r"(?:[^\W\d]|[\s:=~\u2248*`\"'\u201c\u201d\u2018\u2019(\[{#+.,|>\u00a4$\u20ac\u00a3\u00a5\u20b9\u2022-]"
    "|[\u26a0\u26aa\u26ab\u2705\u2714\u2b50\U0001f534\U0001f535\U0001f7e0-\U0001f7eb]\ufe0f?)*+"
)
_CHANGING = word_set(
    "not no none never nor or and more less fewer under over above below than half plus minus times max maximum "
    "minimum least most up down upward upwards onward onwards higher lower better worse doubled tripled halved squared "
    "loss drop decrease decline reduction ago each every twice daily a an oder mehr weniger mindestens h\u00f6chstens "
    "o ou m\u00e1s menos moins m\u00ednimo m\u00e1ximo \u0438\u043b\u0438 \u0431\u043e\u043b\u0435\u0435 "
    "\u043c\u0435\u043d\u0435\u0435"
)
"""Words directly behind a value that change it."""
DOUBT = word_set(
    "maybe perhaps possibly probably guess unsure uncertain unclear unconfirmed unverified tentative tentatively "
    "provisional tbc tbd placeholder pending partially theory"
)
CONDITION = word_set("if unless or no none false least most formerly previously originally")
"""Words behind a value, or in a remark on it, that limit it or name another."""
_REASON = word_set("because since as due given with for which that although though so when")
"""Words that begin an explanation, which is about something else."""
_UNSETTLED = re.compile(
    r"\b(?:(?:not|to be)(?: yet| been){0,2} (?:confirmed|determined|verified|decided|sure|certain|final|known)"
    r"|as long as|but only)\b|\bn\.?/a\b|\?",
    re.IGNORECASE,
)
_SIGN_BEHIND = re.compile(
    r"[ ]?%?\+(?![ ]?[0-9])|(?:[ ]?\u00a4)?[-\u2212]\W*\Z|\W*[\u2610\u2717\u2718]|\s?\w?\u4ee5[\u4e0a\u4e0b\u5185]"
)
"""Signs that bound a value, negate it or revoke it: `4+`, `4-`."""
_PUNCTUATION = re.compile(r"[.,;:!?()\[\]\n\u2013\u2014=/]|\s-+\s")
_SENTENCE_END = re.compile(r"[.!\n]")


def changed(front: str, behind: str, name: str = "") -> str:
    """Returns the reason why the words around the value of a field may change it or leave it open, or ""."""
    if front and not front.isspace():
        words = words_of(front)
        if len(words) > _MAX_WORDS or not _BEFORE.issuperset(set(words).difference(words_of(name))):
            return "the words before it may change its meaning"
        if _SIGNS_BEFORE.fullmatch(front) is None:
            return "a sign before it may change its meaning"
    if not behind or behind.isspace():
        return ""
    if _SIGN_BEHIND.match(behind) or _says(_PUNCTUATION.split(behind, maxsplit=1)[0], _CHANGING):
        return "the words after it may change its meaning"
    return left_open(behind, DOUBT | CONDITION)


def left_open(behind: str, words: frozenset[str]) -> str:
    """Returns the reason why the text behind a value leaves it open, a question mark or one of some words, or ""."""
    sentence = _SENTENCE_END.split(behind, maxsplit=1)[0]
    return "in doubt" if _says(sentence, words) or _UNSETTLED.search(sentence) else ""


def _says(text: str, words: frozenset[str]) -> bool:
    """Returns whether one of some words is among the first of a text, explanations excluded."""
    for word in words_of(text)[:_NEAR]:
        if word in _REASON:
            return False
        if word in words:
            return True
    return False
