"""Words around a value that make another value of it, or none: a negation, a comparison, a doubt, a condition.

They are listed; any other word beside a value is taken for its unit, its name or a remark, which leave it as it is.
"""

from __future__ import annotations

import re

from .scalar import word_set, words_of

__all__ = ["changed", "clause", "left_open"]

_MAX_WORDS = 8
"""Words that may stand in front of a value: `The overall score is 4`. More of them are a text, not a value."""
_NOTHING = " \t\n\u00a4"
_FEW = 4
"""Words in front of a value among which a comparison is with it: `under the age of 4`."""
_NEAR = 40
"""Characters in which the words right before a value stand."""

_NOT = word_set(
    "not no none never non neither nor without except hardly barely almost nearly cannot isnt arent wasnt doesnt dont "
    "didnt cant wont aint less anything instead"
)
_COMPARED = word_set(
    "or between more fewer under over below above than half halves quarter quarters third thirds dozen dozens hundred "
    "thousand million billion trillion lakh crore before after until double triple quadruple twice thrice"
)
_DOUBT = word_set(
    "maybe perhaps possibly probably likely presumably supposedly seemingly apparently arguably potentially "
    "conceivably hypothetically theoretically guess guessing unsure uncertain unclear unconfirmed unverified tentative "
    "tentatively provisional provisionally tbc tbd placeholder dummy"
)
_CONDITION = word_set("if unless assuming depending depends")
_CONDITION_APART = _CONDITION | word_set("when until once provided except")
_FORMER = word_set("formerly previously originally initially")
_BEFORE = _NOT | _DOUBT | _CONDITION | _FORMER
_BEFORE |= word_set("null nil undefined unknown unspecified each every any minus negative example sample born")
"""Words that change a value wherever they stand in front of it."""
_BEHIND = _NOT | _COMPARED | _CONDITION | _FORMER
_BEHIND |= word_set(
    "maybe perhaps possibly minus plus times doubled tripled halved squared max maximum minimum upward upwards onward "
    "onwards downward downwards higher lower better worse"
)
"""Words that change the value in front of them, before any punctuation."""
_DOUBT_APART = _DOUBT | word_set("pending example sample theory partially partly partial somewhat part halfway")
_REMARK_OF_DOUBT = _DOUBT_APART | word_set(
    "i a an my our just only this is it its as for the to be at of in but though although still very rough wild or so "
    "quite more most less confirmation review approval verification value number figure answer best"
)
"""Words of a remark of doubt that says nothing else: `(just a guess)`, `pending review`."""

_TELLING = _BEHIND | _CONDITION_APART | _DOUBT_APART
_TELLING |= word_set("at and as in n confirmed determined verified decided finalized finalised checked validated sure")
_TELLING |= word_set("certain final known clear false")
"""All words behind a value that any rule looks for."""
_TELLING_SIGN = re.compile(r"[-\u2212+?0\u2610\u2717\u2718]")

_RIGHT_BEFORE = re.compile(
    r"(?:\b(?:at (?:least|most)|up to|from|since|(?:max|min|maximum|minimum)\.?(?: of)?|as (?:much|many|little|few) as|"
    r"near|nearing|close to|beyond|exceed(?:s|ed|ing)?|used to be)[\s$\u00a4~+-]*"
    r"|\b(?:such as|(?:for )?instance|e\.?[ ]?g\.?|(?:could|might|may|can|should)(?: \w+)? be(?: \w+){0,2})[\s:,=]*"
    r"|[!\u00ac\u2260]|[!=/]=[ ]?|\u2260[ ])\Z",
    re.IGNORECASE,
)
_WAS = re.compile(r"\W*(?:was|were|been)\b", re.IGNORECASE)
_RIGHT_BEHIND = re.compile(
    r"[ ]?%?\+(?![ ]?[0-9])|(?:[ ]?\u00a4)?[-\u2212]\W*\Z|\s+and\W*\Z|[\s,;(\[]*+(?:or\b|at (?:least|most)\b|n\.?/a\b)"
    r"|[ \t:=(\[\u2013\u2014-]++(?:no|false|not|none|never|0|[\u2610\u2717\u2718])[\s)\].!]*+\Z"
    r"|[^.,;:!?()\[\]\n]*\b(?:at (?:least|most)|and (?:up|down))\b",
    re.IGNORECASE,
)
"""A bound, a minus sign, an alternative, or a verdict that takes the value back: `4+`, `high, or worse`, `high: no`."""
_PLACE = re.compile(
    r"\b(?:the (?:above|below)\b|(?:above|below)(?=[ ]*:)|the most (?:likely|probable|plausible)\b)", re.IGNORECASE
)
"""A place in a text, which is compared with nothing, and the best of several: both leave nothing open."""
_NO_VALUE = re.compile(r"(?<!\w)n\.?/?a\b", re.IGNORECASE)
_CLAUSE = re.compile(r"[.,;:!?()\[\]\n\u2013\u2014]|\s-+\s")
_REASON = re.compile(r"\b(?:because|since|as|due|given|with|for|which|that|but|although|though|so)\b", re.IGNORECASE)
"""Words behind which a value is explained: negations there are about something else."""
_NOT_CERTAIN = re.compile(
    r"\b(?:to be|not(?: yet)?(?: been)?|yet to be) "
    r"(?:confirmed|determined|verified|decided|finali[sz]ed|checked|validated|sure|certain|final|known|clear)\b",
    re.IGNORECASE,
)
_QUESTION = re.compile(r"[^\w?]*\?")
_SENTENCE_END = re.compile(r"[.!?\n]")
_DASHES = ("-", "\u2013", "\u2014", ":", ";", "(")
_LINK = word_set("but only and just or")
_AS_LONG_AS = re.compile(r"[ ,(-]*+(?:but only |only |just )?(?:(?:as|so) long as|in case)\b", re.IGNORECASE)


def changed(front: str, behind: str) -> str:
    """Return why the words around a value make another one of it or leave it open; nothing if they do not.

    In front of it a few words may stand, behind it any explanation.
    """
    if front.strip(_NOTHING):
        front = _PLACE.sub("", front)
        words = words_of(front)
        if len(words) > _MAX_WORDS or not _BEFORE.isdisjoint(words) or not _COMPARED.isdisjoint(words[-_FEW:]):
            return "the words around it change it"
        if _RIGHT_BEFORE.search(front[-_NEAR:]) or _NO_VALUE.search(front) or _WAS.match(front):
            return "a bound, an example or a former value"
    if not behind or (not _TELLING_SIGN.search(behind) and _TELLING.isdisjoint(words_of(behind))):
        return ""
    behind = behind.replace(" or so", "")
    said = clause(behind)
    if _RIGHT_BEHIND.match(behind) or _NO_VALUE.search(said) or not _BEHIND.isdisjoint(words_of(_unexplained(said))):
        return "the words around it change it"
    return left_open(behind)


def left_open(behind: str) -> str:
    """Return why the words behind a value leave it open: a question mark, a doubt, a condition; else nothing."""
    if not behind or behind.isspace():
        return ""
    said = clause(behind)
    if _QUESTION.match(behind) or _QUESTION.match(behind, len(said)):
        return "in doubt"
    if not _CONDITION.isdisjoint(words_of(_unexplained(said))) or _AS_LONG_AS.match(behind):
        return "under a condition"
    sentence = _SENTENCE_END.split(behind, maxsplit=1)[0]
    remarks = [words for part in _CLAUSE.split(sentence) if (words := words_of(_NOT_CERTAIN.sub("tbd", part)))]
    if any(not _DOUBT_APART.isdisjoint(words) and _REMARK_OF_DOUBT.issuperset(words) for words in remarks):
        return "in doubt"
    if sentence.lstrip()[:1] in _DASHES and "," in sentence:  # a sentence of its own: `- when it starts, it fails`
        return ""
    begin = [next((word for word in words if word not in _LINK), "") for words in remarks]
    return "under a condition" if not _CONDITION_APART.isdisjoint(begin) else ""


def clause(text: str) -> str:
    """Return the part of a text before its first punctuation mark or dash."""
    return _CLAUSE.split(text, maxsplit=1)[0]


def _unexplained(said: str) -> str:
    return _REASON.split(said, maxsplit=1)[0]
