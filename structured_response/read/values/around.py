"""What stands around a value may say that it is another one, and then it is none: a negation, a comparison, a bound, a
former state, a condition, a doubt, an example, a verdict on it. That goes for values of all kinds, whatever else their
leniency reads. Those words are listed, by kind; any other beside a value is taken for its unit, its name or a remark,
which leave it as it is: there are too many of these to list them.
"""

from __future__ import annotations

import re

from .loose import word_set, words_of

__all__ = ["MAX_WORDS", "TELLING", "are_quiet", "changed", "clause", "left_open"]

MAX_WORDS = 8
"""Words that may stand in front of a value: `The overall score is 4`. More of them are a text, not a value."""
_NEAR = 40
"""Characters in which the words right before a value stand."""
_CLAUSE = re.compile(r"[.,;:!?()\[\]\n\u2013\u2014]|\s-+\s")

_NEGATIONS = word_set(
    "not no none never non neither nor without except hardly barely almost nearly cannot isnt arent wasnt doesnt dont "
    "didnt cant wont aint less anything instead"
)
"""Words that turn what stands behind them into something else."""

_OPEN = word_set("maybe perhaps possibly")
_DOUBTS = _OPEN | word_set(
    "probably likely presumably supposedly seemingly apparently arguably potentially conceivably "
    "hypothetically theoretically guess guessing unsure uncertain unclear unconfirmed unverified tentative tentatively "
    "provisional provisionally tbc tbd placeholder dummy"
)
"""Words that leave a value open, in front of it or right behind it."""
_DOUBTS_APART = _DOUBTS | word_set(
    "pending example sample hypothetical theory partially partly partial somewhat part halfway"
)
"""Those that do so behind it only where they are a remark of their own: `4 pending` could be what is counted."""
_DOUBT_FILLERS = word_set(
    "i a an my our just only this is it its as for the to be at of in but though although still very rough wild "
    "or so quite more most less confirmation review approval verification value number figure answer"
)
"""Words that say nothing else in a remark of doubt: `(just a guess)`, `pending review`."""
_NOT_CERTAIN = re.compile(
    r"\b(?:to be|not(?: yet)?(?: been)?|yet to be) "
    r"(?:confirmed|determined|verified|decided|finali[sz]ed|checked|validated|sure|certain|final|known|clear)\b"
    r"|\bin (?:theory|part|principle)\b|\bbest guess\b",
    re.IGNORECASE,
)
_DENYING = (
    _NEGATIONS | _DOUBTS | word_set("null nil undefined unknown unspecified formerly previously originally initially")
)
"""Words that deny a value wherever they stand in front of it, or leave it open."""

_CHANGING = _DENYING | word_set(
    "or between more fewer under over below above than half halves quarter quarters third thirds dozen dozens hundred "
    "thousand million billion trillion before after until double triple quadruple twice thrice"
)
"""Words that make another value of the one that they stand by."""

_CHANGING_BEHIND = (_CHANGING - _DOUBTS) | _OPEN | word_set("minus plus times doubled tripled halved squared")
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
TELLING |= _DOUBTS_APART | word_set(
    "could might may can should eg g instance such false confirmed determined verified decided checked "
    "validated finalized finalised principle n na at up from since as max min maximum minimum near nearing close "
    "beyond exceed exceeds exceeded exceeding used "
    "and upward upwards onward onwards downward downwards unsure certain unclear uncertain case"
)
"""All words for which `changed` and `left_open` look."""
_TELLING_BEHIND = TELLING - word_set("could might may can should eg g instance such")
"""Those of them that say anything behind a value."""
_MINUS_BEHIND = re.compile(r"[-\u2212]\W*+\Z")
_NO_VALUE = re.compile(r"(?<!\w)n\.?/?a\b", re.IGNORECASE)
_REASON = re.compile(r"\b(?:because|since|as|due|given|with|for|which|that|but|although|though|so)\b", re.IGNORECASE)
"""Words behind which a value is explained: what is denied there is something else."""
_QUESTION = re.compile(
    r"[^\w?]*+\?|\W*+(?:maybe|perhaps|possibly|unsure|not (?:sure|certain)|unclear|uncertain)\W*+\Z", re.IGNORECASE
)
"""A question mark, or a doubt and nothing else."""
_DENIED = re.compile(
    r"[ \t:=(\[\u2013\u2014-]*+(?<=[:=(\[ \t-])(?:no|false|not|none|never|0|[\u2610\u2717\u2718])[\s)\].!]*+",
    re.IGNORECASE,
)
"""A verdict on a value that takes it back: `high: no`, `high=0`, `high \u2717`. A red cross may only decorate it."""
_NOT_SIGNS = ("!", "\u00ac", "\u2260", "=")
_SIGN_OF_NOT = re.compile(r"(?:[!\u00ac]|[!=/]=[ ]?|\u2260[ ]?)\Z")
_COULD_BE = re.compile(r"\b(?:could|might|may|can|should)(?: \w+)? be(?: \w+){0,2}\W*\Z", re.IGNORECASE)
_EXAMPLE = re.compile(
    r"(?<!\w)(?:e\.?[ ]?g\b\.?|(?:(?:for|an?) )?(?:example|sample|instance)|such as)[\s:,=]*\Z", re.IGNORECASE
)
_PAUSE = re.compile(r"[.,;!?()\[\]\n\u2013\u2014]|\s-+\s")
_PLACE = re.compile(
    r"\b(?:the (?:above|below)\b|(?:above|below)(?=[ ]*:)|the most (?:likely|probable|plausible)\b)", re.IGNORECASE
)
"""A place in a text, which is compared with nothing, and what was found to be the best: both leave nothing open."""
_SENTENCE_END = re.compile(r"[.!?\n]")
_FEW = 4
"""Words among which a condition begins, `yes, but only if`, and a comparison stands, `under the age of 4`."""
_OR_SO = re.compile(r" or so\b", re.IGNORECASE)


def changed(front: str, behind: str) -> str:
    """Why what stands around a value makes another one of it, or leaves it open; nothing if it stays as it is.

    In front of it may stand a few words, behind it what explains it. What is compared or counted has to stand right by
    it; what denies it, or makes a condition of it, may stand anywhere in front.
    """
    words = words_of(front)
    if (
        len(words) <= MAX_WORDS
        and TELLING.isdisjoint(words)
        and _is_plain(behind)
        and front.rstrip()[-1:] not in _NOT_SIGNS
    ):
        return ""
    said = clause(behind)
    if _BOUND_BEFORE.search(front[-_NEAR:]) or _BOUND_BEHIND.search(said) or _BOUND_ADDED.match(behind):
        return "a bound, which is no value"
    if _MINUS_BEHIND.match(behind):
        return "with a minus behind it"
    if _EXAMPLE.search(front[-_NEAR:]):
        return "an example"
    if _SIGN_OF_NOT.search(front) or _DENIED.fullmatch(behind):
        return "which is denied"
    if len(words) > MAX_WORDS or _changes_before(front) or _changes_behind(said):
        return "the words around it change it"
    return _CONDITIONAL if not _ALWAYS_CONDITIONS.isdisjoint(words) else left_open(behind)


def are_quiet(front: str, behind: str) -> bool:
    """Whether what stands around a value leaves it as it is and has no figures."""
    if not front and not behind:
        return True
    return not any(map(str.isdigit, front + behind)) and not changed(front, behind)


def _is_plain(behind: str) -> bool:
    """Whether nothing stands behind a value that any rule looks at, as behind most."""
    if not behind or behind.isspace():
        return True
    if behind[0] in "-\u2212" or "?" in behind or "+" in behind:
        return False
    return _TELLING_BEHIND.isdisjoint(words_of(behind)) and _DENIED.fullmatch(behind) is None


def _changes_before(front: str) -> bool:
    """Whether words in front of a value deny it, leave it open, say that it was one, or compare with it."""
    words = words_of(_PLACE.sub("", front))
    if words[:1] and words[0] in _FORMER:
        return True
    if not _DENYING.isdisjoint(words) or _NO_VALUE.search(front) or _COULD_BE.search(front[-_NEAR:]):
        return True
    return not _CHANGING.isdisjoint(words) and not _CHANGING.isdisjoint(_right_before(front))


def _changes_behind(said: str) -> bool:
    """Whether what is said of a value behind it makes another of it; not what gives a reason."""
    words = words_of(_PLACE.sub("", _without_reason(said)))
    return not _CHANGING_BEHIND.isdisjoint(words) or _NO_VALUE.search(said) is not None


def _without_reason(said: str) -> str:
    return _REASON.split(said, maxsplit=1)[0]


def _right_before(front: str) -> list[str]:
    """The last few words of what stands in front of a value, as far as they belong to it."""
    return words_of(_PLACE.sub("", _PAUSE.split(front)[-1]))[-_FEW:]


_CONDITIONAL = "under a condition"


def left_open(behind: str) -> str:
    """Why what stands behind a value leaves it open: a question mark, a doubt, a condition; nothing if it does not."""
    if _is_plain(behind):
        return ""
    end = _CLAUSE.search(behind)
    said, rest = (behind[: end.start()], behind[end.start() :]) if end else (behind, "")
    if _QUESTION.match(rest) or _QUESTION.match(behind) or _is_in_doubt(behind):
        return "in doubt"
    is_condition = not _ALWAYS_CONDITIONS.isdisjoint(words_of(_without_reason(said)))
    is_condition = is_condition or _AS_LONG_AS.search(behind[:_NEAR]) is not None
    return _CONDITIONAL if is_condition or any(map(_begins_condition, (behind, rest))) else ""


def _is_in_doubt(behind: str) -> bool:
    """Whether the first remark behind a value says that it is in doubt and nothing else: `probably due to it` is about
    a reason.
    """
    behind = _NOT_CERTAIN.sub("unconfirmed", behind)
    remark = next((words for part in _CLAUSE.split(behind) if (words := words_of(part))), [])
    is_apart = not behind[:2].strip()[:1].isalnum() or remark[:1] == ["but"]
    doubts = _DOUBTS_APART if is_apart else _DOUBTS
    return not doubts.isdisjoint(remark) and _DOUBT_FILLERS.union(doubts).issuperset(remark)


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
