"""Reads choices, booleans, UUIDs and base64 as people write them. A text that names two is a problem."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from decimal import Decimal
from functools import lru_cache
from typing import Any, NamedTuple

from ...definition import Node, choice_text, has_form
from ...definition.names import MAX_COMPILED, singulars
from .around import DOUBT, changed, left_open
from .numbers import read_number
from .scalar import Scalar, ambiguous, bare, failed, respelled, word_set, words_of


class _Spellings(NamedTuple):
    """The spellings of a node's choices.

    Attributes:
        exact: The choices by their exact spelling.
        folded: The choices by their spelling without case and separators.
        named: The pattern that finds a spelling in a text.
        number: A node of numbers if all choices are numbers.
    """

    exact: dict[str, tuple[Any, ...]]
    folded: dict[str, tuple[Any, ...]]
    named: re.Pattern[str]
    number: Node | None

    def of(self, text: str) -> tuple[Any, ...]:
        return self.exact.get(text) or self.folded.get(_fold(text), ())

    def of_whole(self, text: str) -> tuple[Any, ...]:
        """Returns the choices that a text spells, with its class in front, punctuation behind, or in plural."""
        name = text.rstrip(" .!,;:")
        found = self.of(text) or self.of(name) or self.of(_CLASS.sub("", name, count=1))
        ones = [one for one in singulars(_fold(name)) if len(one) > 2]  # `ms` is no plural
        return found or tuple(choice for one in ones for choice in self.folded.get(one, ()))


_REPR = re.compile(r"<([A-Za-z_]\w*\.\w+): [^<>]*+>")
_CLASS = re.compile(r"(?<![\w.])(?:[A-Za-z_]\w*+\.)++(?=\w+\Z)")
_SEPARATORS = re.compile(r"[-_\s/\u2010\u2011]+")
_FIGURES = re.compile(r"[0-9]+(?:[.,][0-9]+)*")
_SHOWN = 10
"""Choices that a message lists."""


def read_choice(node: Node, text: str, name: str = "") -> Scalar:
    """Returns the choice that a text spells or, with words around it, the only one that it names."""
    spellings = _spellings_of(node)
    plain = bare(_REPR.sub(r"\1", text))
    if spelt := spellings.of_whole(plain):
        return _only(node, spelt)
    mentions = list(spellings.named.finditer(plain))
    named = [choice for mention in mentions for choice in spellings.of(mention[0])]
    if spellings.number is not None and (figures := _FIGURES.findall(plain)):
        number = read_number(spellings.number, plain, name)
        if [choice_text(choice) for choice in named] == figures and not words_of(spellings.named.sub("", plain)):
            return _only(node, named)
        if number.value is None or named or len(figures) > 1:
            return number if number.ambiguous and not named else _only(node, named) if named[1:] else _none(node)
        return _only(node, [choice for choice in node.choices if Decimal(choice_text(choice)) == Decimal(number.value)])
    if mentions and (why := changed(plain[: mentions[0].start()], plain[mentions[-1].end() :], name)):
        return _only(node, named) if len(_distinct(named)) > 1 else _none(node, why)
    return _only(node, named)


def spelt_by(node: Node, text: str) -> tuple[Any, ...]:
    """Returns the choices that a whole text spells: by their texts or names, with any case and separators."""
    return _spellings_of(node).of_whole(bare(text))


def _only(node: Node, named: Iterable[Any]) -> Scalar:
    choices = _distinct(named)
    if len(choices) == 1:
        return respelled(choices[0])
    return several_choices(tuple(map(choice_text, choices))) if choices else _none(node)


def several_choices(shown: tuple[str, ...]) -> Scalar:
    return Scalar(None, problem="could be more than one choice", candidates=shown, ambiguous=True)


def _none(node: Node, why: str = "") -> Scalar:
    listed = ", ".join(json.dumps(choice, ensure_ascii=False) for choice in node.choices[:_SHOWN])
    more = f", ... ({len(node.choices)} in all)" if len(node.choices) > _SHOWN else ""
    problem = f"not one of {listed}{more}" + (f": {why}" if why else "")
    return Scalar(None, problem=problem, candidates=tuple(map(choice_text, node.choices)))


@lru_cache(maxsize=MAX_COMPILED)
def _spellings_of(node: Node) -> _Spellings:
    """Returns the spellings of a node's choices. Nodes compare by identity."""
    written = [(choice_text(choice), choice) for choice in node.choices]
    names = [(name, choice) for name, choice in node.members.items() if choice in node.choices]
    every = [(text, choice) for text, choice in written + names if _fold(text)]
    kinds = {type(choice) for choice in node.choices}
    number = None
    if kinds and kinds <= {int, float}:
        number = Node("int" if kinds == {int} else "decimal", constraints={"le": max(node.choices)})
    words = sorted(dict(every if number is None else names), key=len, reverse=True)
    named = r"(?<![\w.])(?<!\w-)(?:" + "|".join(map(_flexible, words)) + r")(?!\w|-\w|[.,][0-9])" if words else r"(?!)"
    return _Spellings(
        _table((text, choice) for text, choice in written if text),
        _table((_fold(text), choice) for text, choice in every),
        re.compile(named, re.IGNORECASE),
        number,
    )


def _table(pairs: Iterable[tuple[str, Any]]) -> dict[str, tuple[Any, ...]]:
    found: dict[str, list[Any]] = {}
    for text, choice in pairs:
        found.setdefault(text, []).append(choice)
    return {text: _distinct(choices) for text, choices in found.items()}


def _distinct(choices: Iterable[Any]) -> tuple[Any, ...]:
    """Returns each choice once. 1 and True are distinct."""
    return tuple({(type(choice), choice): choice for choice in choices}.values())


def _fold(text: str) -> str:
    """Returns a text without case and separators. A sign in front or behind is kept: `-1`, `B-`."""
    sign = "-" if text[:1] in "-\u2212" and text[1:2].isdigit() else ""
    behind = "-" if text[-1:] == "-" and text[-2:-1].isalnum() else ""
    return sign + _SEPARATORS.sub("", text).casefold() + behind


def _flexible(text: str) -> str:
    """Returns a pattern for a spelling with other separators. Single letters are case-sensitive."""
    pieces = [piece for piece in _SEPARATORS.split(text) if piece]
    pattern = r"[-_\s/]?".join(map(re.escape, pieces)) if pieces else re.escape(text)
    return f"(?-i:{pattern})" if len(text) == 1 else pattern


# Yes and no

_TRUE = word_set("true yes yeah yep yup correct ja oui sí sim evet да 是 是的 はい 네 예 نعم")
_FALSE = word_set("false no nope nah incorrect nein non nee nej não hay\u0131r нет 否 不是 いいえ 아니요 لا")
_ALONE = dict.fromkeys(_TRUE | word_set("t y 1 on \u2713 \u2714 \u2705 \u2611"), "true")
_ALONE |= dict.fromkeys(_FALSE | word_set("f n 0 off \u2717 \u2718 \u274c \u2610"), "false")
_YES_OR_NO = re.compile(rf"(?<!\w)(?:{'|'.join(sorted(_TRUE | _FALSE))})(?!\w)", re.IGNORECASE)
_EXPLAINED = re.compile(
    r"\W*\Z|\s*[.,;:!(\u2013\u2014\n]|\s-+\s|\s(?:because|since|as|it|i|they|we|you|he|she|this|that|the|there)\b",
    re.IGNORECASE,
)
"""The continuation of a text behind its yes or no. Any other word is the object of the yes or no, as in `no data`."""
_HALF = re.compile(r"\W*(?:[0-4]?[0-9]|50)\s?%")
"""A share behind a yes that is too small for a yes."""


def read_bool(node: Node, text: str, name: str = "") -> Scalar:
    """Reads a clear yes or no, with any explanation or condition behind it. A text that says both is a problem."""
    text = bare(text)
    alone = _ALONE.get(text.rstrip(" .!,;:").lower())
    if alone is not None:
        return respelled(alone)
    said = list(_YES_OR_NO.finditer(text))
    if not said:
        return failed(node)
    is_true = {match[0].lower() in _TRUE for match in said}
    if len(is_true) > 1:
        return ambiguous(("true", "false"), "says both yes and no:")
    front, behind = text[: said[0].start()], text[said[0].end() :]
    why = changed(front, "", name) or left_open(behind, DOUBT)
    if why or not _EXPLAINED.match(behind) or _HALF.match(behind):
        return failed(node, why or f"{said[0][0]!r} may refer to something else")
    return respelled("true" if is_true.pop() else "false")


# UUIDs and base64

_UUID = re.compile(
    r"(?<![\w-])([0-9a-f]{8})(-?)([0-9a-f]{4})\2([0-9a-f]{4})\2([0-9a-f]{4})\2([0-9a-f]{12})(?![\w-])",
    re.IGNORECASE | re.ASCII,
)


def read_uuid(node: Node, text: str, name: str = "") -> Scalar:
    """Returns the only UUID in a text: in braces, without dashes, or with words around it."""
    text = bare(text)
    found = list(_UUID.finditer(text))
    if len(found) != 1 or changed(text[: found[0].start()], text[found[0].end() :], name):
        return failed(node)
    return respelled("-".join(found[0].group(1, 3, 4, 5, 6)))


def read_bytes(node: Node, text: str, name: str = "") -> Scalar:
    """Returns base64 that has line breaks, quotes around it, or no padding."""
    text = "".join(line.strip() for line in bare(text).splitlines())
    text += "=" * (-len(text) % 4)
    return respelled(text) if text and has_form("bytes", text) else failed(node)
