"""Choices and yes or no, as people write them -> the choice, or `true` and `false`.

A text means a choice if it is one but for case, separators and decoration, if it names exactly one and the words
around do not change it, or if it is one letter away from exactly one. Naming two is a problem.
"""

from __future__ import annotations

import json
import re
from decimal import Decimal
from functools import lru_cache
from typing import Any, NamedTuple

from ...definition import Node, choice_text
from ...findings import RepairKind
from ...limits import MAX_COMPILED
from .around import changed, clause, left_open
from .loose import Scalar, bare, failed, respelled, word_set, words_of
from .numbers import mend_number

__all__ = ["mend_bool", "mend_enum", "spelt_by"]


class _Spellings(NamedTuple):
    """How the choices of a node may be written: each spelling with the choices that it stands for; where a name of one
    stands in a text; and, where all of them are numbers, as what a number is read.
    """

    exact: dict[str, tuple[Any, ...]]
    cased: dict[str, tuple[Any, ...]]
    folded: dict[str, tuple[Any, ...]]
    named: re.Pattern[str]
    number: Node | None


# Choices


def mend_enum(node: Node, text: str) -> Scalar:
    """The choice that a text means.

    In this order: the text of a choice, decorated; the same in any case, or the name of a member, with or without its
    class; the same with other separators; a number with the value of a choice; exactly one choice named at the
    beginning or behind a few words, with whatever explanation behind; exactly one choice a letter away, or that the
    text is the beginning of. A "not" before the name makes it a problem.
    """
    spellings = _spellings_of(node)
    plain = _undecorated(text)
    if spelt := _spelt(spellings, plain):
        return _one_of(spelt)
    mentions = list(spellings.named.finditer(plain))
    named = [choice for mention in mentions for choice in _meant(spellings, mention[0])]
    if spellings.number is not None:
        number = mend_number(spellings.number, text)
        if number.ambiguous and not named:
            return number
        if number.value is not None:
            valued = [choice for choice in node.choices if Decimal(choice_text(choice)) == Decimal(number.value)]
            named = named + valued + _totals(node, plain) if valued else []
    elif not named and plain[-1:].isalnum():  # no sign stands for a letter
        named = list(_near(spellings, _fold(plain)))
    meant = _distinct(named)
    if len(meant) == 1 and mentions:
        front, behind = plain[: mentions[0].start()], plain[mentions[-1].end() :]
        if why := "of things, none of which it names" if _is_of_things(front) else changed(front, behind):
            return _none_of(node, why)
    return _one_of(meant, node)


def _totals(node: Node, text: str) -> list[Any]:
    """The choices that could be the total of another one, or the other one of two: all but the highest."""
    totals = {Decimal(total) for total in _TOTAL.findall(text)}
    highest = max(node.choices)
    return [choice for choice in node.choices if choice != highest and Decimal(choice_text(choice)) in totals]


def _is_of_things(front: str) -> bool:
    """Whether what stands behind a text is said of things: `each other`."""
    return words_of(front)[-1:] in _QUANTIFIERS


def spelt_by(node: Node, text: str) -> tuple[Any, ...]:
    """The choices that a text spells as a whole: by their texts or names, in any case, with other separators."""
    return _spelt(_spellings_of(node), _undecorated(text))


def _undecorated(text: str) -> str:
    """The text as itself, and a member of an enum as Python shows it by its name."""
    return bare(_REPR.sub(r"\1", text) if "<" in text else text)


def _spelt(spellings: _Spellings, text: str) -> tuple[Any, ...]:
    """The choices that a text spells, without the class before and the punctuation behind, if it has any."""
    found = _meant(spellings, text)
    if found:
        return found
    name = text.rstrip(" .!,;:")
    name = _without_class(name) if "." in name else name
    return () if name == text else _meant(spellings, name)


_REPR = re.compile(r"<([A-Za-z_]\w*\.\w+): [^<>]*+>")
_PATH = re.compile(r"(?<![\w.])(?:[A-Za-z_]\w*+\.)++(?=\w+\Z)")
_SEPARATORS = re.compile(r"[-_\s/\u2010\u2011]+")
_TOTAL = re.compile(r"(?:/|\bof)[ ]?([0-9]{1,15}(?:\.[0-9]{1,15})?)(?![0-9])")
_QUANTIFIERS = [[word] for word in ("each", "every", "any", "many", "several")]
"""Words that count things: what is called so is none of the choices."""
_LONG = 4
"""Letters that a word has to have more of for it to be known by most of them."""


def _one_of(named: tuple[Any, ...] | list[Any], node: Node | None = None) -> Scalar:
    """The only choice of some, else a problem."""
    if len(named) == 1:
        return Scalar(named[0], RepairKind.VALUE_RESPELLED)
    if not named and node is not None:
        return _none_of(node)
    shown = tuple(map(choice_text, named))
    return Scalar(None, problem="could be more than one choice", candidates=shown, ambiguous=True)


_SHOWN = 10
"""Choices that a message lists."""


def _none_of(node: Node, why: str = "") -> Scalar:
    listed = ", ".join(json.dumps(choice, ensure_ascii=False) for choice in node.choices[:_SHOWN])
    more = f", ... ({len(node.choices)} in all)" if len(node.choices) > _SHOWN else ""
    problem = f"not one of {listed}{more}" + (f": {why}" if why else "")
    return Scalar(None, problem=problem, candidates=tuple(map(choice_text, node.choices)))


@lru_cache(maxsize=MAX_COMPILED)
def _spellings_of(node: Node) -> _Spellings:
    """The spellings of a node's choices. Nodes compare by identity."""
    written = [(choice_text(choice), choice) for choice in node.choices]
    names = [(name, choice) for name, choice in node.members.items() if choice in node.choices]
    every = [(text, choice) for text, choice in written + names if _fold(text)]
    kinds = {type(choice) for choice in node.choices}
    number = Node("int" if kinds == {int} else "decimal") if kinds <= {int, float} else None
    words = names if number is not None else every
    longest_first = sorted(dict(words), key=len, reverse=True)
    named = r"(?<![\w.])(?<!\w-)(?:" + "|".join(map(_flexible, longest_first)) + r")(?!\w|-\w|[.,][0-9])"
    return _Spellings(
        _table([(text, choice) for text, choice in written if text]),
        _table([(text.casefold(), choice) for text, choice in every]),
        _table([(_fold(text), choice) for text, choice in every]),
        re.compile(named if words else r"(?!)", re.IGNORECASE),
        number,
    )


def _table(pairs: list[tuple[str, Any]]) -> dict[str, tuple[Any, ...]]:
    found: dict[str, list[Any]] = {}
    for text, choice in pairs:
        found.setdefault(text, []).append(choice)
    return {text: _distinct(choices) for text, choices in found.items()}


def _distinct(choices: Any) -> tuple[Any, ...]:
    """The choices, each once; 1 and True are two."""
    return tuple({(type(choice), choice): choice for choice in choices}.values())


def _fold(text: str) -> str:
    """A text without case and separators; a sign stays, also behind it: `B-`."""
    sign = "-" if text[:1] in "-\u2212" and text[1:2].isdigit() else ""
    behind = "-" if text[-1:] == "-" and text[-2:-1].isalnum() else ""
    return sign + _SEPARATORS.sub("", text).casefold() + behind


def _flexible(text: str) -> str:
    """A pattern for a spelling with other separators. Of a single letter the case counts."""
    pieces = [piece for piece in _SEPARATORS.split(text) if piece]
    pattern = r"[-_\s/]?".join(map(re.escape, pieces)) if pieces else re.escape(text)
    if text[:1] == "-":
        return r"-" + pattern
    return f"(?-i:{pattern})" if len(text) == 1 else pattern


def _without_class(text: str) -> str:
    """`Verdict.GOOD` -> `GOOD`."""
    return _PATH.sub("", text, count=1)


def _meant(spellings: _Spellings, text: str) -> tuple[Any, ...]:
    """The choices that a text spells: exactly, else in another case, else with other separators."""
    return spellings.exact.get(text) or spellings.cased.get(text.casefold()) or spellings.folded.get(_fold(text), ())


def _near(spellings: _Spellings, text: str) -> tuple[Any, ...]:
    """The choices that a text is one letter away from, the first one aside, or the beginning of."""
    if len(text) <= _LONG or len(text) > max(map(len, spellings.folded), default=0) + 1:
        return ()
    near = [spelling for spelling in spellings.folded if len(spelling) > _LONG and _is_near(spelling, text)]
    return _distinct(choice for spelling in near for choice in spellings.folded[spelling])


def _is_near(spelling: str, text: str) -> bool:
    """Whether a text begins a spelling, or differs from it by one letter behind the first. Numbers are never near."""
    if any(char.isdigit() for char in spelling):
        return False
    if spelling[0] != text[0] or abs(len(spelling) - len(text)) > 1:
        return spelling.startswith(text)
    same = next((i for i, (a, b) in enumerate(zip(spelling, text, strict=False)) if a != b), None)
    if same is None:
        return True
    rests = (spelling[same + 1 :], text[same + 1 :])
    return rests[0] == rests[1] or spelling[same:] == rests[1] or rests[0] == text[same:] or spelling.startswith(text)


# Yes and no

_TRUE = word_set("true yes yeah yep yup correct affirmative")
_FALSE = word_set("false no nope nah incorrect negative")
_TRUE_ALONE = _TRUE | word_set("t y 1 on enabled checked")
_FALSE_ALONE = _FALSE | word_set("f n 0 off disabled unchecked")
_FALSE_ALONE |= {
    "not yet",
    "no longer",
    "not at all",
    *(f"{sure} not" for sure in ("definitely", "certainly", "absolutely")),
}
_ALONE = dict.fromkeys(_TRUE_ALONE, "true") | dict.fromkeys(_FALSE_ALONE, "false")
_GOES_ON = word_set(
    "i im ive id you youre we were he hes she shes it its they theyre there theres this thats that these those the my "
    "your our his her their a an and but because since as so for in on at with from by to of not never way "
    "please thanks thank sir maam definitely absolutely certainly really indeed probably likely mostly generally "
    "clearly obviously surely always however although though while whereas is are was were do does did has have had "
    "can could will would should may might must yes yeah yep true no nope nah false sorry unfortunately also both "
    "overall based according very quite highly strongly fully"
)
"""Words by which a text goes on behind its yes or no. Any other that follows at once is what the yes or no is of, as
in `no data` and `false positive`.
"""
_MARKS = str.maketrans(
    {
        **dict.fromkeys("\u2713\u2714\u2705\u2611", " yes "),
        **dict.fromkeys("\u2717\u2718\u274c\u2716\u2715\u274e\u2610", " no "),
        "\ufe0f": None,  # what makes an emoji of a mark
    }
)
_BOX = re.compile(r"\[([ xX])\](?!\()")
_NOT = ("!", "\u00ac")
_SURE_BY = re.compile(r"\W*([0-9]{1,2})(?:\.[0-9]+)? ?%[\s\w)\].]{0,20}")
"""How sure a yes or no is, or how far it goes, behind it: `(50%)`."""
_FIRST_WORD = re.compile(r"[\W\d_]*+[^\W\d_]++")
_LABEL = re.compile(r"[^:=\n]{1,60}+[:=]|[^:=\n.]{0,60}?\b(?:is|be|are)\b(?=\s)", re.IGNORECASE)


def mend_bool(node: Node, text: str) -> Scalar:
    """What a text says, yes or no.

    A word or a mark for it alone; or one of the clear ones first, with whatever explanation behind, or behind a label
    (`Answer: yes`, `The answer is yes`). Where both yes and no are named it is a problem, and so is a "not" before.
    """
    if "[" in text:
        text = _BOX.sub(lambda box: " no " if box[1] == " " else " yes ", text)
    text = bare(text)
    if not text.isascii():
        text = text.translate(_MARKS)
    if text[:1] in _NOT:
        return failed(node, "which is denied")
    alone = _ALONE.get(text.strip(" .!,;:").lower())
    if alone is not None:
        return respelled(alone)
    said = [word for word in words_of(text) if word in _TRUE or word in _FALSE]
    if len({word in _TRUE for word in said}) > 1:
        return Scalar(None, problem="says both yes and no", candidates=("true", "false"), ambiguous=True)
    parts = _around(text, said[0]) if said else None
    if parts is None:
        return failed(node)
    label, behind = parts
    why = changed(label, "") or left_open(behind) or _by_half(behind)
    if why or not _GOES_ON.issuperset(words_of(clause(behind))[:1]):
        return failed(node, why or f"{said[0]!r} of something")
    return respelled("true" if said[0] in _TRUE else "false")


def _by_half(behind: str) -> str:
    """Why a share behind a yes or no leaves it open: one of not more than half."""
    share = _SURE_BY.fullmatch(behind)
    return "in doubt" if share is not None and int(share[1]) <= 50 else ""


def _around(text: str, word: str) -> tuple[str, str] | None:
    """What stands in front of and behind a word that is the first of a text, or behind a label."""
    if words_of(clause(text))[:1] == [word]:
        return "", _rest(text)
    label = _LABEL.match(text)
    if label is None:
        return None
    text = text[label.end() :]
    return (label[0], _rest(text)) if words_of(text)[:1] == [word] else None


def _rest(text: str) -> str:
    """What stands behind the first word of a text."""
    first = _FIRST_WORD.match(text)
    return text if first is None else text[first.end() :]
