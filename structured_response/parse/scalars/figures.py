"""Numbers as people write them -> the strict form of an int, a float or a decimal.

A text is read if exactly one number stands in it, or one out of a total, and the words around do not change it.
A number is read if its separators allow one reading; two readings are a problem that names both, unless the bounds of
the value allow one of them only. A sign for a negative number, be it a bookkeeper's, never goes without a word: it
counts, or the number has two readings. So has a percentage of which nobody says how it is to be written.
"""

from __future__ import annotations

import math
import re
import unicodedata
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from functools import partial
from typing import NamedTuple

from ...definition import Node
from ...limits import MAX_FORM_DIGITS
from .around import MAX_WORDS, TELLING, changed
from .loose import Scalar, ambiguous, bare, failed, respelled, word_set
from .spelled import HALF_SAID, NUMBER_WORDS, RUN, spelled

__all__ = [
    "among_words",
    "ascii_digits",
    "in_common_form",
    "is_grouped",
    "mend_number",
    "of_hundred",
    "with_decimals",
    "without_percent",
]

_NOT_FINITE = {
    **dict.fromkeys(("nan", "not a number"), "NaN"),
    **dict.fromkeys(("inf", "+inf", "infinity", "+infinity", "\u221e", "+\u221e"), "Infinity"),
    **dict.fromkeys(("-inf", "-infinity", "-\u221e"), "-Infinity"),
}

_MAGNITUDES = {"hundred": 2, "thousand": 3, "million": 6, "billion": 9, "trillion": 12, "lakh": 5, "crore": 7}
_MAGNITUDES |= {f"{word}s": power for word, power in _MAGNITUDES.items()}
_MAGNITUDES |= {"k": 3, "mio": 6, "mn": 6, "mln": 6, "bn": 9, "mrd": 9, "tn": 12}
_OF_MONEY = {"K": 3, "M": 6, "m": 6, "B": 9, "b": 9, "T": 12}
"""Letters that mean a magnitude behind an amount of money; behind anything else they may be units."""
_UNCLEAR = ("K", "M", "B")
"""Those of them that mean a magnitude so often, that without money nobody can tell."""

_CODES = "USD|EUR|GBP|JPY|CNY|INR|CHF|CAD|AUD|NZD|SEK|NOK|DKK|RUB|BRL|MXN|KRW|PLN|CZK|HUF|TRY|ZAR|SGD|HKD|ILS|THB"
_CURRENCY = re.compile(
    rf"(?<![^\W\d_])[A-Z]{{0,3}}[$\u20ac\u00a3\u00a5\u20a0-\u20cf]|(?<![^\W\d_])(?:{_CODES}|Rs\b\.?|kr\b)(?![^\W\d_])"
)
_MONEY = "\u00a4"
_IN_ASCII = str.maketrans(
    dict.fromkeys("\u2010\u2011\u2212\u2013\ufe63\uff0d", "-")
    | dict.fromkeys("\u066c\u2019\u02bc", "'")
    | dict.fromkeys("\u00a0\u2007\u2009\u200a\u202f\u3000", " ")
    | {"\uff0b": "+", "\u066b": ".", "\uff0e": ".", "\uff0c": ","}
)
_ARROW = re.compile(r"[-=]>|(?<!\w)[Nn][or]\.(?= ?[0-9])|\A\u00d7(?= ?[0-9])")
"""Signs that say nothing of the number behind them: an arrow, `No.`, a times sign; `x1` could be a name."""
_SUPERSCRIPT = str.maketrans("\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079\u207b\u207a", "0123456789-+")
_POWER = re.compile(
    r"(?<=[0-9]) ?[\u00d7\u00b7*x] ?10"
    r"(?:(?:\^|\*\*)\{?([-+]?[0-9]{1,6}+)\}?|([\u2070\u00b9\u00b2\u00b3\u2074-\u207b]++))"
)
_VULGAR = re.compile(r"(?<![0-9])([0-9]*+) ?([\u00bc-\u00be\u2150-\u215e])")
_MIXED = re.compile(
    r"(?<![0-9.,/\u2044:-])(?<![0-9.,/\u2044:-] )([0-9]{1,3}) ([0-9]{1,2})[/\u2044](2|3|4|8|16)(?![0-9/.,])"
)
"""A whole number and a fraction of a cook or a carpenter: `1 1/2`."""

_AMOUNT = (
    rf"(?:[^\w()]{{0,3}}(?:{_CURRENCY.pattern})[ ]?[0-9][0-9.,' ]*+|[0-9][0-9.,' ]*(?:{_CURRENCY.pattern})"
    r"|[0-9]++[.,][0-9]{2}|[0-9]{1,3}(?:[,.'][0-9]{3})++(?:[.,][0-9]{2})?)"
)
_ACCOUNTING = re.compile(
    rf"(?:[^():=]{{0,60}}[:=])?[\s+-]*+(?:(?:{_CURRENCY.pattern})\s*+)?\(\s*+{_AMOUNT}\s*+\)[^()0-9]*+"
)
"""An amount in parentheses, with its currency, its cents or grouped, which is how accountants write a negative one."""
_MINUS_BEHIND = re.compile(rf"[0-9%](?:[ ]?{_MONEY})?-[ ]?{_MONEY}?\W*\Z")
"""A minus sign behind the amount that it belongs to, as some bookkeepers write it."""
_BEHIND_MINUS = " .,:;!()/\u20ac\u00a3$"
_BESIDE = re.compile(r"[\s,;/|&(\u2013-]*+(?:(?:or|to|and|(?:out )?of)\s++)?")
"""What stands between two numbers that are named together."""
_GOES_ON = re.compile(r"\s+and\W*", re.IGNORECASE)
_UNIT_POWER = re.compile(r"(?<=[^\W\d_xXn])(?:\^|\*\*)[-+]?[0-9](?![0-9])")

_TOKEN = re.compile(
    r"""
    (?P<digits> [0-9]++ (?: [.,'_][0-9]++ | [ ][0-9]{3}(?![0-9]) )*+ | (?<![0-9.])\.[0-9]++ )
    (?P<exponent> [eE][-+]?[0-9]{1,9}+ (?![0-9A-Za-z]) )?
    (?P<glued> [^\W\d_]*+ ) (?P<odd> [0-9] )?
    | [^\W\d_] (?: \w | [-.](?=\w) )*+
    """,
    re.VERBOSE,
)
_CENTS = frozenset({"cent", "cents", "pence", "penny", "pennies"})
"""Hundredths of what an amount of money is counted in, as a rule."""
_COMMON_FORM = re.compile(
    r"""
    ((?:[A-Za-z :,.~=\u2248]{1,36}+(?<=[ :~=\u2248]))?+)
    (?:[$\u20ac\u00a3][ ]?)?+
    ([-+]?) ([0-9]++ (?: [.,'_][0-9]++ | [ ][0-9]{3}(?![0-9]) )*+)
    (?: ([ ]?(?:%|percent\b|pct\b)) | (?:([ ]?/[ ]?)|[ ](?:out[ ])?of[ ])([1-9][0-9]{0,6}) )?
    ([A-Za-z .,:;!()/\u00b0\u20ac\u00a3$-]*+)
    """,
    re.VERBOSE,
)
"""One number between words, with a currency, a percent sign or a total."""
_LETTERS = re.compile(r"[a-z]+")
_TELLING = TELLING | frozenset(NUMBER_WORDS) | frozenset(_MAGNITUDES) | frozenset(map(str.lower, _OF_MONEY))
_TELLING |= _CENTS | word_set("cent percent pct e s point negative")
"""Words that may say more of a number by which they stand than what it is of."""
_TELLING_BEHIND = _TELLING - {"min"}  # minutes
_DECADE = re.compile(r"(?:[1-9]0|[12][0-9]{2}0)'?s\b")
"""Ten years of an age or a century, which are no number, unless a field asks for seconds."""
_SIGN = re.compile(rf"(?:([-+])([ ]?))?{_MONEY}?[ ]?[(]?([-+]?)\Z")
_MINUS = re.compile(r"(?<![^\W\d_])(?<![^\W\d_]')(?:minus|negative)[\W\d_]*\Z", re.IGNORECASE)
_DIGITS = re.compile(r"[0-9]++")
_OTHER_DIGIT = re.compile(r"[^\D0-9]")
_NEXT_WORD = re.compile(r" ?([^\W\d_]++)")
_PERCENT = re.compile(r" ?(?:%|\u066a|\uff05|per ?cent\b|pct\b)", re.IGNORECASE)
_OUT_OF = re.compile(r"[ ]*(?:stars?|points?|pts)?[ ]*[(\[]?[ ]*(?:out[ ]+)?of(?:[ ]+(?:a|the))?[ ]+", re.IGNORECASE)
_SLASH = re.compile(r"[ ]*(?:stars?|points?|pts)?[ ]*/[ ]*", re.IGNORECASE)
_INEXACT = re.compile(rf"[<>\u2264\u2265\u2260\u00b1\u221a^]|[-+][ ]?[-+][ ]?{_MONEY}?[.]?[0-9]")
_JOINERS = (",", "'", "_")  # before a digit without one before them, they say that some of the number is missing
_GAP = 24
"""Characters between a number and its total."""
_COMMON = 15
"""Digits up to which fractions are worked out."""


class _Figure(NamedTuple):
    """A number in digits: sign, whole part, part behind the point, exponent."""

    sign: str
    whole: str
    part: str
    exponent: int

    def shifted(self, places: int) -> _Figure:
        """The number times ten to some power."""
        digits, point = self.whole + self.part, len(self.whole) + places
        if self.exponent:
            return self._replace(exponent=self.exponent + places)
        if point < 0:
            digits, point = "0" * -point + digits, 0
        digits = digits.ljust(point, "0")
        return _Figure(self.sign, digits[:point], digits[point:], 0)


class _Found(NamedTuple):
    """A number in a text: its strict forms, of which more than one is one too many; without any, why; its place."""

    values: tuple[str, ...]
    why: str
    start: int
    end: int


def mend_number(node: Node, text: str) -> Scalar:
    """The one number that a text holds, in the strict form of an int, a float or a decimal.

    Groups of three digits, decimal commas, signs of currencies, units, percent signs, magnitudes, decoration and
    some words around are read. Two different numbers are a problem, save one out of a total. So is a number that
    the words around it change, a bound, an amount in parentheses, which may be negative, and one that the kind cannot
    hold.
    """
    is_negative = "(" in text and _ACCOUNTING.fullmatch(text) is not None
    text = _in_ascii(bare(text))
    common = None if is_negative else in_common_form(node, text)
    return among_words(node, text, is_negative) if common is None else common


def in_common_form(node: Node, text: str) -> Scalar | None:
    """The number of a text in one of the forms that most are written in; None for any other. It says what
    `among_words` would say, in a fifth of the time.
    """
    match = _COMMON_FORM.fullmatch(text)
    if match is None:
        word = NUMBER_WORDS.get(text.lower())
        return None if word is None else respelled(str(word))
    front, sign, digits, percent, slash, total, behind = match.groups()
    before = _LETTERS.findall(front.lower()) if front else ()
    if len(before) > MAX_WORDS or not _TELLING.isdisjoint(before):
        return None
    if "-" in behind and (behind[0] == "-" or behind.rstrip(_BEHIND_MINUS)[-1:] == "-"):
        return None
    if behind and not _TELLING_BEHIND.isdisjoint(_LETTERS.findall(behind.lower())):
        return None
    parts = _parts(digits)
    if parts is None or len(digits) > _COMMON or _is_thousands(digits):
        return None
    value, part = ("-" if sign == "-" else "") + (parts[0].lstrip("0") or "0"), parts[1]
    if node.kind != "int":
        value += f".{part}" if part else ""
    elif part.strip("0"):
        return None
    if slash:
        return _divided(node, value, total)
    values = _of_hundred(node, value) if percent else (value,)
    return respelled(values[0]) if len(values) == 1 else ambiguous(values)


def among_words(node: Node, text: str, is_negative: bool) -> Scalar:
    """The one number of a text, in digits or words, with whatever words around."""
    text = _plain(text, is_exact=node.kind != "float")
    if _DIGITS.search(text) is None:
        lone = text.rstrip(" .!").lower()
        if node.kind != "int" and lone in _NOT_FINITE:
            return respelled(_NOT_FINITE[lone])
        said = None if lone.startswith("-") else spelled(lone)
        if said is not None:
            value, why = _strict(node.kind, _Figure(*said, 0))
            return respelled(value) if value else Scalar(None, problem=why)
    found = [] if _is_odd(text) else _numbers(node, text)
    if not found:
        return failed(node)
    total = _of_total(node, text, *found[:2]) if len(found) == 2 or _is_share(text, found) else None
    scalar = _only(node, found) if total is None else total
    if scalar.value is None:
        return scalar
    if (is_negative or _MINUS_BEHIND.search(text, found[-1].end - 1)) and not scalar.value.startswith("-"):
        return _either(node, scalar.value, f"-{scalar.value}")
    front, behind = text[: found[0].start], text[found[-1].end :]
    is_half = HALF_SAID.search(front) or _GOES_ON.fullmatch(behind)
    why = "half a number" if is_half else changed(front, behind)
    return failed(node, why) if why else scalar


def _either(node: Node, *readings: str) -> Scalar:
    """One of some readings, if the bounds allow no other."""
    found = _allowed(node, readings)
    return respelled(found[0]) if len(found) == 1 else ambiguous(found)


def without_percent(text: str) -> str:
    """A text without percent signs behind digits."""
    return _PERCENT.sub("", text)


def is_grouped(text: str) -> bool:
    """Whether digits with commas, or with blanks, could be one number: `1,299`, `1 299 000`."""
    parts = _parts(text)
    return parts is not None and not parts[1]


def ascii_digits(text: str) -> str:
    """The text with the decimal digits of all scripts as 0 to 9."""
    return text if text.isascii() else _OTHER_DIGIT.sub(lambda digit: str(unicodedata.decimal(digit[0])), text)


def _only(node: Node, found: list[_Found]) -> Scalar:
    """The value that all numbers of a text agree on."""
    readings = tuple(dict.fromkeys(value for number in found for value in number.values))
    unread = next((number for number in found if not number.values), None)
    if len(found) > 1 and (unread is not None or len(readings) > 1):
        return ambiguous(readings, "more than one number:") if len(readings) > 1 else failed(node)
    if unread is not None:
        return Scalar(None, problem=unread.why) if unread.why else failed(node)
    return respelled(readings[0]) if len(readings) == 1 else ambiguous(readings)


def _in_ascii(text: str) -> str:
    """The text with ASCII digits, minus signs and blanks."""
    return text if text.isascii() else ascii_digits(text.translate(_IN_ASCII))


def _plain(text: str, is_exact: bool) -> str:
    """The text with currencies as one sign, powers of ten as exponents, and fractions as decimals."""
    text = _ARROW.sub(" ", _CURRENCY.sub(_MONEY, text))
    if "10" in text:
        text = _POWER.sub(lambda match: f"e{match[1] or match[2].translate(_SUPERSCRIPT)}", text)
    first = _DIGITS.search(text) if "^" in text or "**" in text else None
    text = text if first is None else text[: first.end()] + _UNIT_POWER.sub("", text[first.end() :])
    return with_decimals(text, is_exact)


def with_decimals(text: str, is_exact: bool = True) -> str:
    """The text with fractions behind whole numbers, and those that are one character, as decimals: `1\u00bd`, `1 1/2`.
    A third is left as it is where decimals have to be exact.
    """
    if "/" in text or "\u2044" in text:
        text = _MIXED.sub(partial(_as_decimal, is_exact), text)
    return text if text.isascii() else _VULGAR.sub(partial(_as_decimal, is_exact), text)


def _as_decimal(is_exact: bool, match: re.Match[str]) -> str:
    """A whole number, which may be missing, and a fraction of one character or with a slash in 28 decimals."""
    above, below = match.groups()[1:] if match.re is _MIXED else unicodedata.normalize("NFKC", match[2]).split("\u2044")
    part = Decimal(int(above)) / Decimal(int(below))
    is_right = 0 < part < 1 and not (is_exact and part * int(below) != int(above))
    return (match[1] or "0") + f"{part:f}"[1:] if is_right else match[0]


def _is_odd(text: str) -> bool:
    """Whether signs that are no digits, but count, stand by a digit or alone: superscripts, fractions, bounds."""
    if _INEXACT.search(text):
        return True
    return not text.isascii() and any(
        char.isnumeric() and not char.isdecimal() and not text[index - 1 : index].isalpha()
        for index, char in enumerate(text)
        if char > "\x7f"
    )


def _is_share(text: str, found: list[_Found]) -> bool:
    """Whether the last of three numbers is the percentage that the first is of the second: `4 out of 5 (80%)`."""
    if len(found) != 3 or not _PERCENT.match(text, found[2].end):
        return False
    if any(len(number.values) != 1 or len(number.values[0]) > _COMMON or "e" in number.values[0] for number in found):
        return False
    part, total, share = (Fraction(number.values[0]) for number in found)
    return total > 0 and any(abs(100 * part / total - percent) < 1 for percent in (share, 100 * share))


def _numbers(node: Node, text: str) -> list[_Found]:
    """All numbers of a text, in digits and in words. A "one" is a number only where another stands beside it."""
    found = []
    run_end = 0
    for match in _TOKEN.finditer(text):
        if match["digits"]:
            found.append(_number(node, text, match))
        elif match[0].lower() in NUMBER_WORDS and match.start() >= run_end:
            run = RUN.match(text, match.start())
            assert run is not None  # it begins with the words of the table
            found += _in_words(node, text, run)
            run_end = run.end()
    return [number for index, number in enumerate(found) if not _is_pronoun(text, found, index)]


def _is_pronoun(text: str, found: list[_Found], index: int) -> bool:
    """Whether a number is a "one" that may say which, not how many."""
    start, end = found[index].start, found[index].end
    if text[start:end].lower() != "one":
        return False
    if index + 1 < len(found) and _BESIDE.fullmatch(text, end, found[index + 1].start):
        return False
    return not index or text.startswith(" of ", end) or not _BESIDE.fullmatch(text, found[index - 1].end, start)


def _in_words(node: Node, text: str, run: re.Match[str]) -> list[_Found]:
    """The number that some words name together, else those that they name one by one."""
    said = spelled(run[0].lower())
    if said is not None:
        figures, end = _scaled(node, text, [_Figure(*said, 0)], run.end())
        return [_as_found(node, text, figures, _sign(text, run.start()), run.start(), end)]
    words = [word for word in _TOKEN.finditer(text, run.start(), run.end()) if word[0].lower() in NUMBER_WORDS]
    return [_Found((str(NUMBER_WORDS[word[0].lower()]),), "", word.start(), word.end()) for word in words]


def _number(node: Node, text: str, match: re.Match[str]) -> _Found:
    """A number in digits, with the sign before it and the magnitude behind."""
    start, end = match.start(), match.end("exponent") if match["exponent"] else match.end("digits")
    figures, end = _figures(node, text, match, end)
    is_decade = _DECADE.match(text, start) is not None and "sec" not in (node.description or "").lower()
    if is_decade or match["odd"] or match["glued"] in ("e", "E") or text[start - 1 : start] in _JOINERS:
        figures = []
    return _as_found(node, text, figures, _sign(text, start), start, end)


def _as_found(node: Node, text: str, figures: list[_Figure], sign: str, start: int, end: int) -> _Found:
    """What a number may mean, with its sign and the percent sign behind it, where it stands."""
    signs = ("", "-") if sign == "?" else (sign,)
    figures = [figure._replace(sign=sign) for figure in figures for sign in signs]
    read = [_strict(node.kind, figure) for figure in figures]
    values = tuple(dict.fromkeys([value for value, _why in read if value]))
    if len(figures) > 1 and len(values) == 1:  # one of two readings cannot be: both were meant as often
        values = tuple(dict.fromkeys(_shown(figure) for figure in figures))
    why = read[0][1] if read else ""
    if sign == "?" and len(values) == len(figures):
        values = _allowed(node, values)
    if _PERCENT.match(text, end) and len(values) == 1:
        values = _of_hundred(node, values[0])
    return _Found(values, why, start, end)


def _sign(text: str, start: int) -> str:
    """The sign of the number that starts there: `-`, nothing, or `?` where a dash may be one."""
    front = text[max(0, start - 4) : start]
    if "-" not in front and "+" not in front:
        return "-" if _MINUS.search(text, max(0, start - 20), start) else ""
    match = _SIGN.search(text, max(0, start - 4), start)
    assert match is not None  # it matches the empty text
    far, gap, near = match.groups(default="")
    place = match.start(3) if near else match.start(1)
    behind = text[max(0, place - 3) : place].rstrip() if gap else text[max(0, place - 1) : place]
    joined = behind[-1:].isdigit() or (not gap and behind.isalnum()) or behind[-1:] in (")", "%")
    if near or far:
        minus = (near or far) == "-" and not joined
        return ("?" if gap and not near else "-") if minus else ""
    return "-" if _MINUS.search(text, max(0, start - 20), start) else ""


def _figures(node: Node, text: str, match: re.Match[str], end: int) -> tuple[list[_Figure], int]:
    """What the digits may mean, with the magnitude that stands behind them; and where that ends."""
    parts = _parts(match["digits"])
    if parts is None:
        return [], end
    exponent = int(match["exponent"][1:]) if match["exponent"] else 0
    figures = [_Figure("", *parts, exponent)]
    if (node.kind == "int" or _MONEY in text) and not exponent and _is_thousands(match["digits"]):
        figures.insert(0, _Figure("", match["digits"].replace(".", ""), "", 0))
    return _scaled(node, text, figures, end)


def _scaled(node: Node, text: str, figures: list[_Figure], end: int) -> tuple[list[_Figure], int]:
    """Numbers with the magnitude that stands behind them, and where that ends."""
    word = _NEXT_WORD.match(text, end)
    name = "" if word is None else word[1]
    power = _MAGNITUDES.get(name.lower() if len(name) > 1 else name, 0)
    if name.lower() in _CENTS and name.lower()[:4] not in (node.description or "").lower():
        return [*figures, *(figure.shifted(-2) for figure in figures)], end
    if word is not None and not power and name in _OF_MONEY:
        if _MONEY in text:
            power = _OF_MONEY[name]
        elif name in _UNCLEAR:
            return [*figures, *(figure.shifted(_OF_MONEY[name]) for figure in figures)], end
    if not power or word is None:
        return figures, end
    return [figure.shifted(power) for figure in figures], word.end()


def _parts(digits: str) -> tuple[str, str] | None:
    """Whole part and decimals of digits with separators, or None where the separators make no sense.

    The last separator is the decimal one if it stands there once and others stand before it, or if it is a point,
    or a comma that does not separate three digits. All others have to separate groups of three.
    """
    if digits.isdigit():
        return digits, ""
    kinds = list(dict.fromkeys(_DIGITS.sub("", digits)))
    last = kinds[-1]
    if len(kinds) > 2 or (len(kinds) == 2 and (last not in ".," or digits.count(last) > 1)):
        return None
    pieces = digits.split(kinds[0])
    if len(kinds) == 2:
        pieces[-1], point, part = pieces[-1].partition(last)
        return ("".join(pieces), part) if point and _are_groups(pieces) else None
    if last == "." and len(pieces) == 2:
        return pieces[0] or "0", pieces[1]
    if _are_groups(pieces):
        return "".join(pieces), ""
    return (pieces[0], pieces[1]) if last == "," and len(pieces) == 2 else None


def _are_groups(pieces: list[str]) -> bool:
    """Whether digits are grouped: by threes, or as in India by twos before the last three."""
    first, *middle, last = pieces
    if not 1 <= len(first) <= 3 or first[0] == "0" or len(last) != 3:
        return False
    lengths = set(map(len, middle))
    return lengths <= {3} or (lengths == {2} and len(first) <= 2)


def _is_thousands(digits: str) -> bool:
    """Whether a point may separate thousands: `1.299`."""
    whole, point, part = digits.partition(".")
    return point != "" and whole.isdigit() and part.isdigit() and _are_groups([whole, part])


def _strict(kind: str, figure: _Figure) -> tuple[str, str]:
    """The strict form of a number, or, where its kind cannot hold it, the reason."""
    if len(figure.whole) + len(figure.part) > MAX_FORM_DIGITS:
        return "", f"more than {MAX_FORM_DIGITS} digits (MAX_FORM_DIGITS)"
    return _strict_int(figure) if kind == "int" else _strict_float(kind, figure)


def _strict_int(figure: _Figure) -> tuple[str, str]:
    digits, point = figure.whole + figure.part, len(figure.whole) + figure.exponent
    if not digits.strip("0"):
        return figure.sign + "0", ""
    if point > MAX_FORM_DIGITS:
        return "", f"more than {MAX_FORM_DIGITS} digits (MAX_FORM_DIGITS)"
    if digits[max(point, 0) :].strip("0"):
        return "", "not an int: not a whole number"
    return figure.sign + (digits[: max(point, 0)].ljust(point, "0").lstrip("0") or "0"), ""


def _strict_float(kind: str, figure: _Figure) -> tuple[str, str]:
    text = _shown(figure)
    if kind == "float" and (abs(figure.exponent) > 99_999 or math.isinf(float(text))):
        return ("", "too large for a float") if figure.exponent >= 0 else ("", "too small for a float")
    return text, ""


def _shown(figure: _Figure) -> str:
    """A number as a text: no zeros in front, a point only where something stands behind it."""
    exponent = f"e{figure.exponent}" if figure.exponent else ""
    return f"{figure.sign}{figure.whole.lstrip('0') or '0'}{'.' if figure.part else ''}{figure.part}{exponent}"


# Numbers of something


def of_hundred(node: Node, text: str, value: str) -> tuple[str, ...]:
    """What the number of a text without bounds may mean, where a share may be asked for: with a percent sign, itself or
    its hundredth.
    """
    is_bounded = node.kind == "int" or _bound(node, "le", "lt") is not None
    if is_bounded or "e" in value or not Decimal(value) or not _PERCENT.search(text):
        return (value,)
    return value, _hundredth(value)


def _of_hundred(node: Node, text: str) -> tuple[str, ...]:
    """What a number with a percent sign means: itself, where values above 1 are allowed; where they are not, its
    hundredth, if that is the only one of the two that is allowed, or the number is not below 1. One that is could be a
    share already.
    """
    upper = _bound(node, "le", "lt")
    if node.kind == "int" or upper is None or upper > 1 or "e" in text or not Decimal(text):
        return (text,)
    found = (text, _hundredth(text)) if abs(Decimal(text)) < 1 else (_hundredth(text),)
    return tuple(reading for reading in found if _is_allowed(node, reading)) or (text,)


def _hundredth(text: str) -> str:
    sign, whole = ("-", text[1:]) if text.startswith("-") else ("", text)
    digits, _point, part = whole.partition(".")
    return _shown(_Figure(sign, digits, part, 0).shifted(-2))


def _of_total(node: Node, text: str, first: _Found, second: _Found) -> Scalar | None:
    """The first of two numbers, if it is said to be out of the second: `4 out of 5`, `4/5`."""
    if len(first.values) != 1 or len(second.values) != 1 or second.start - first.end > _GAP:
        return None
    part, total = first.values[0], second.values[0]
    if _OUT_OF.fullmatch(text, first.end, second.start):
        return respelled(part)
    return _divided(node, part, total) if _SLASH.fullmatch(text, first.end, second.start) else None


def _divided(node: Node, part: str, total: str) -> Scalar | None:
    """What a number with a slash and a second one behind it says; None where that says nothing.

    It may be out of the second, or a fraction. For an int it is none; for others, bounds may tell. A fraction may
    also be a part of what the bounds allow: `20/100` of at most 10 is 2.
    """
    if len(part + total) > _COMMON or "e" in part + total:
        return None
    fits = 0 < Decimal(total) >= Decimal(part)
    if node.kind == "int":
        return respelled(part) if fits else None
    if not fits or "I" in part + total:
        return None
    if "." in part or _bound(node, "le") == Decimal(total):
        return respelled(part)
    quotient = _quotient(part, total)
    found = (part, quotient) if _is_allowed(node, part) else (quotient, _on_scale(node, part, total))
    readings = tuple(reading for reading in found if reading and _is_allowed(node, reading))
    if readings == (quotient,) and (node.kind == "float" or Fraction(quotient) == Fraction(part) / Fraction(total)):
        return respelled(quotient)
    return respelled(part) if readings == (part,) or Fraction(quotient) == Fraction(part) else ambiguous(readings)


def _quotient(part: str, total: str) -> str:
    return repr(float(Fraction(part) / Fraction(total)))


def _on_scale(node: Node, part: str, total: str) -> str:
    """A part of a total as the same part of the upper bound, where that is more than 1; else nothing."""
    upper = _bound(node, "le")
    return "" if upper is None or upper <= 1 else repr(float(Fraction(part) * Fraction(upper) / Fraction(total)))


def _bound(node: Node, *names: str) -> Decimal | None:
    """The first of some constraints that is there, as a number."""
    for name in names:
        if name in node.constraints:
            try:
                return Decimal(str(node.constraints[name]))
            except InvalidOperation:
                return None
    return None


def _allowed(node: Node, readings: tuple[str, ...]) -> tuple[str, ...]:
    """The readings that the bounds of a value allow; all of them, if they allow none."""
    return tuple(reading for reading in readings if _is_allowed(node, reading)) or readings


def _is_allowed(node: Node, text: str) -> bool:
    """Whether a number is within the bounds of a value."""
    number = Decimal(text)
    low, above = _bound(node, "ge"), _bound(node, "gt")
    high, below = _bound(node, "le"), _bound(node, "lt")
    if (low is not None and number < low) or (above is not None and number <= above):
        return False
    return not ((high is not None and number > high) or (below is not None and number >= below))
