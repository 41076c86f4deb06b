"""Reads numbers as people write them: the strict form of an int, a float or a decimal.

A text with two readings that the bounds allow is a problem that names both.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Iterator
from decimal import Context, Decimal
from functools import lru_cache
from typing import NamedTuple
from unicodedata import normalize

from ...definition import Node, has_form
from ...definition.jsonable import MAX_FORM_DIGITS
from ...definition.names import MAX_COMPILED
from .around import changed
from .scalar import Scalar, ambiguous, asked_for, bare, failed, in_ascii, respelled, word_set

_EXACT = Context(prec=2 * MAX_FORM_DIGITS, traps=[])
_MAX_WRITTEN_OUT = 100
"""Digits up to which a number is written without an exponent."""
_MAX_WORKED_OUT = 15
"""Digits up to which fractions are computed."""

# Signs

MONEY = "\u00a4"
"""The sign that replaces all signs of money."""
_CODES = "USD|EUR|GBP|JPY|CNY|INR|CHF|CAD|AUD|NZD|SEK|NOK|DKK|RUB|BRL|MXN|KRW|PLN|CZK|HUF|TRY|ZAR|SGD|HKD|ILS|THB"
_CURRENCY = re.compile(
    rf"(?<![^\W\d_])(?![MBTGK]{{1,2}}[$\u20ac\u00a3\u00a5])[A-Z]{{0,3}}[$\u20ac\u00a3\u00a5\u20a0-\u20cf]|(?<![^\W\d_])(?:{_CODES}|Rs\b\.?|kr\b)(?![^\W\d_])"
)

_UNREAD = (
    "zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|half|hundred|thousand|[mb]illion|k"
    "|[a-z]{3,5}teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|trillion|lakh|crore|dozen|mio|mrd|tsd|tausend"
    r"|mil(?:a|le|l?i?[o\u00f3]\w*|l?iar\w*|h[\u00e3\u00f5]\w*|[jy]\w*)?|(?:b|tr)il(?:l?i?[o\u00f3]|h[\u00e3\u00f5])\w*"
    r"|mn|bn|ml[dn]|mlrd|md|tn|cr|(?<=\d\s)(?:grand|bin)|duizend|tusen|tys|tis[i\u00ed]c\w*|ribu|juta|ngh[i\u00ec]n"
    r"|tri\u1ec7u|t\u1ef7|\u043c\u043b(?:\u043d|\u0440\u0434)|\u043c\u0438\u043b\u043b\u0438\w*|\u0442\u044b\u0441\w*"
    r"|\u0645\u0644\u064a\w*|\u0623\u0644\u0641|\u0e25\u0e49\u0e32\u0e19|\u0e1e\u0e31\u0e19|\u0932\u093e\u0916|\u0915\u0930\u094b\u0921\u093c"
)
"""Number words and magnitudes that are not supported. A number with one of them fails."""
_ODD = re.compile(
    rf"[<>\u2264\u2265\u2260\u00b1\u221a^!\u00a2\u2030\u25bc\u25bd\u2193\u2b07]|[-+][ ]?[-+][ ]?{MONEY}?[.]?[0-9]"
    r"|(?<![0-9.,])(?:[1-9]0|[12][0-9]{2}0)'?s\b|[0-9]\s?S\b|[\u00b0'\"\u2032\u2033]\s?[SW]\b|\bcents?\b"
    r"|[0-9]\s?[\ucc9c\ub9cc\uc5b5\uc870]|(?<![^\W\d_])(?i:[mkbtg]|mm|md|[bm]n)[$\u20ac\u00a3\u00a5]"
    rf"|(?<![^\W\d_])(?:(?i:(?:{_UNREAD})s?)|[MBT]|MM)(?![^\W\d_])|{MONEY}[ 0-9.,]*m\b|[0-9.,]m[ ]?{MONEY}"
)
"""Signs and words that change the number beside them: decades (`40s`), degrees south, cents."""

_MAGNITUDES = {
    **dict.fromkeys(("k", "thousand"), "e3"),
    **dict.fromkeys(("million", "mio", "millionen", "millones", "mill\u00f3n", "milh\u00f5es", "milioni", "mln"), "e6"),
    **dict.fromkeys(("\u043c\u043b\u043d", "\u043c\u0438\u043b\u043b\u0438\u043e\u043d\u043e\u0432"), "e6"),
    **dict.fromkeys(("billion", "mrd", "milliard", "milliarden", "miliardi", "mld", "\u043c\u043b\u0440\u0434"), "e9"),
}
_MAGNITUDE = re.compile(
    rf"(?<=[0-9])(?:[ ]?({'|'.join(word for word in _MAGNITUDES if word != 'k')})|((?-i:k)))s?(?![^\W_])\.?",
    re.IGNORECASE,
)

_TYPESET = re.compile("([0-9]?)[ ]?([\u00bc-\u00be\u2150-\u215e])")
"""A fraction that is one character, and the digit before it."""
_OF_TEN = re.compile(
    r"(?<=[0-9])[ ]?(?:[x*\u00d7\u00b7\u22c5]|\\times|\\cdot)[ ]?10(?:\^[ ]?\{?|(?![0-9]))"
    r"([-+\u2212\u207a\u207b]?[0-9\u00b2\u00b3\u00b9\u2070-\u2079]{1,3})\}?(?![\w^]|[ ]?/)"
)
"""A power of ten behind its factor: ` x 10^3`, `\u00d710\u207b\u2079`."""


def _in_plain_signs(text: str) -> str:
    """Returns a text with one sign for all money, and with exponents for common magnitudes and powers of ten."""
    text = _TYPESET.sub(lambda sign: f"{sign[1] or 0} {normalize('NFKC', sign[2])}", text)
    text = _OF_TEN.sub(lambda power: "e" + normalize("NFKC", power[1]), text)
    return _MAGNITUDE.sub(lambda word: _MAGNITUDES[(word[1] or word[2]).lower()], _CURRENCY.sub(MONEY, in_ascii(text)))


def _has_odd_signs(text: str) -> bool:
    return _ODD.search(text) is not None or (
        not text.isascii() and any(char.isnumeric() and not char.isdecimal() for char in text if char > "\x7f")
    )


# Digits

_TOKEN = re.compile(
    r"""
    (?<![^\W_]) (?<![^\W\d_][-.])
    (?P<digits> [0-9]++ (?: [.,'_][0-9]++ | [ ][0-9]{3}(?![0-9]) )*+ | (?<![0-9.])\.[0-9]++ )
    (?: (?P<exponent> [eE][-+]?[0-9]{1,9}+ (?![0-9A-Za-z]) ) | [ ](?P<fraction> [1-7]/[2348](?![0-9/.,]) ) )?
    (?P<glued> [^\W\d_]*+ ) (?P<odd> [0-9] )?
    """,
    re.VERBOSE,
)
_DIGITS = re.compile(r"[0-9]++")
_SIGN = re.compile(rf"(?P<joined>[0-9)%]\s?|\w)?(?:-(?P<gap>[ ])?{MONEY}?[ ]?[(]?|{MONEY}[ ]?-)\Z")


class _Number(NamedTuple):
    """A number in a text: its readings, if any, and its span with its sign."""

    readings: tuple[Decimal, ...]
    start: int
    end: int


def _numbers(node: Node, text: str) -> Iterator[_Number]:
    for match in _TOKEN.finditer(text):
        start, (digits, exponent, fraction, glued, odd) = match.start(), match.groups()
        end = match.end("glued") - len(glued)
        is_odd = odd or glued in ("e", "E") or (start and text[start - 1] in ",'_")
        readings = () if is_odd else _in_digits(node, text, digits, exponent or "", fraction)
        sign = _SIGN.search(text, max(0, start - 16), start) if start else None
        if sign is not None and not sign["joined"]:
            start = sign.start()
            minus = tuple(reading.copy_negate() for reading in readings)
            readings = readings + minus if sign["gap"] else minus
        yield _Number(readings, start, end)


def _in_digits(node: Node, text: str, digits: str, exponent: str, fraction: str | None) -> tuple[Decimal, ...]:
    """Returns the readings of digits, of which there are two if a point may separate thousands."""
    parts = _split_digits(digits)
    if parts is None or (fraction and (parts[1] or fraction[0] >= fraction[2])):
        return ()
    whole, part = parts
    number = Decimal(f"{whole}.{part}{exponent}" if part else whole + exponent)
    if fraction:
        above, below = map(Decimal, fraction.split("/"))
        return (_EXACT.add(number, _quotient(above, below)),) if _can_hold(node, above, below) else ()
    is_thousands = len(part) == 3 and "." in digits and not exponent and _are_groups([whole, part])
    return (Decimal(whole + part), number) if is_thousands and (node.kind == "int" or MONEY in text) else (number,)


def _split_digits(digits: str) -> tuple[str, str] | None:
    """Returns the whole part and the decimals of digits with separators, or None if these make no sense."""
    if digits.isdigit():
        return digits, ""
    kinds = list(dict.fromkeys(_DIGITS.sub("", digits)))
    last = kinds[-1]
    if len(kinds) > 2 or (len(kinds) == 2 and (last not in ".," or digits.count(last) > 1)):
        return None
    pieces = digits.split(kinds[0])
    if len(kinds) == 2:
        pieces[-1], _point, part = pieces[-1].partition(last)
        return ("".join(pieces), part) if part and _are_groups(pieces) else None
    if last == "." and len(pieces) == 2:
        return pieces[0] or "0", pieces[1]
    if _are_groups(pieces):
        return "".join(pieces), ""
    return (pieces[0], pieces[1]) if last == "," and len(pieces) == 2 else None


def _are_groups(pieces: list[str]) -> bool:
    first, *others = pieces
    return 1 <= len(first) <= 3 and first[0] != "0" and all(len(each) == 3 for each in others)


# One number of a text

_OUT_OF = re.compile(
    r"[ ]*(?:stars?|points?|pts)?[ ]*(?:(?P<slash>/)[ ]*|[(\[]?[ ]*(?:out[ ]+)?of(?:[ ]+(?:a|the))?[ ]+)", re.IGNORECASE
)
_ACCOUNTING = re.compile(
    rf"(?:[^():=]{{0,60}}[:=])?[ ]*{MONEY}?[ ]?\([ ]*{MONEY}?[ ]?(?P<amount>[0-9][0-9.,' ]*+){MONEY}?[ ]*\)[^()0-9]*+"
)
"""An amount in parentheses. To accountants it is negative if it has separators; a bare one is ambiguous."""


def read_number(node: Node, text: str, name: str = "") -> Scalar:
    """Returns the only number of a text in its strict form. In another unit than its field's it is a problem."""
    written = _POWER.sub(lambda power: "2" if power[1] in "2\u00b2" else "3", bare(text, brackets=False))
    text = _in_plain_signs(written)
    found = [] if _has_odd_signs(text) else list(_numbers(node, text))
    if not found or not all(number.readings for number in found):
        return failed(node)
    first, last = found[0], found[-1]
    if why := changed(text[: first.start], text[last.end :], name) or _contradicted(name, node.description, written):
        return failed(node, why)
    if len(found) > 1:
        readings = _of_total(node, text, first, last) if len(found) == 2 else None
        if readings is None:
            every = tuple(dict.fromkeys(_text(reading) for number in found for reading in number.readings))
            return ambiguous(every, "more than one number:") if len(every) > 1 else failed(node, "more than one number")
        if len(readings) > 1:
            return ambiguous(tuple(map(_text, readings)))
    elif "(" in text and (account := _ACCOUNTING.fullmatch(text)) is not None:
        plus, minus = first.readings[0].copy_abs(), first.readings[0].copy_abs().copy_negate()
        is_minus = any(sign in account["amount"].strip() for sign in ".,'") and _is_allowed(node, minus)
        return _decided(node, minus) if is_minus else ambiguous((_text(plus), _text(minus)))
    else:
        readings = first.readings
    if _PERCENT.match(text, last.end):
        readings = _of_hundred(node, name, readings)
    return _decided(node, *readings)


def _decided(node: Node, *readings: Decimal) -> Scalar:
    """Returns the only reading within the bounds, in the strict form of its kind, or its problem."""
    if len(readings) > 1:
        readings = tuple(reading for reading in readings if _is_allowed(node, reading)) or readings
    if len(readings) > 1:
        return ambiguous(tuple(map(_text, readings)))
    number = readings[0]
    is_int = node.kind == "int"
    if is_int and number.adjusted() < MAX_FORM_DIGITS and number != _EXACT.to_integral_value(number):
        return failed(node, "not a whole number")
    text = f"{_EXACT.to_integral_value(number):f}" if is_int and number.adjusted() < MAX_FORM_DIGITS else _text(number)
    if len(text) > MAX_FORM_DIGITS + 2 or (is_int and number.adjusted() >= MAX_FORM_DIGITS):
        return Scalar(None, problem=f"more than {MAX_FORM_DIGITS} digits (MAX_FORM_DIGITS)")
    if not has_form(node.kind, text):
        return Scalar(None, problem=f"too {'large' if number.adjusted() > 0 else 'small'} for {asked_for(node.kind)}")
    return respelled(text)


def _text(number: Decimal) -> str:
    """Returns a number with all zeros it was written with, and without an exponent unless it is long."""
    return f"{number:f}" if abs(number.adjusted()) < _MAX_WRITTEN_OUT else str(number)


def _of_hundred(node: Node, name: str, readings: tuple[Decimal, ...]) -> tuple[Decimal, ...]:
    """Returns the readings of a percentage: itself, and its hundredth unless the field asks for percent."""
    if node.kind == "int" or len(readings) > 1 or not readings[0]:
        return readings
    asks_percent = _ASKS_PERCENT.search(f"{name}\n{node.description or ''}")
    return readings if asks_percent else (readings[0], _EXACT.scaleb(readings[0], -2))


def _of_total(node: Node, text: str, first: _Number, second: _Number) -> tuple[Decimal, ...] | None:
    """Returns the readings of a number in front of its total or denominator, or None for two numbers."""
    if len(first.readings) > 1 or len(second.readings) > 1 or second.start - first.end > 24:
        return None
    part, total = first.readings[0], second.readings[0]
    between = _OUT_OF.fullmatch(text, first.end, second.start)
    if between is None:
        return None
    if not 0 <= part <= total or not total or max(part.adjusted(), total.adjusted()) > _MAX_WORKED_OUT:
        return None
    upper = _bound(node, "le")
    if upper == total:
        return (part,)
    if not between["slash"] or node.kind == "int" or part != int(part):
        return (part,) if upper is None or not part else None
    is_usual = upper is None and part < total and total in (2, 3, 4, 8)
    is_share = (is_usual or (upper is not None and upper <= 1)) and _can_hold(node, part, total)
    return (_quotient(part, total),) if is_share else (part, _quotient(part, total))


def _quotient(part: Decimal, total: Decimal) -> Decimal:
    return Decimal(repr(float(part) / float(total)))


def _can_hold(node: Node, part: Decimal, total: Decimal) -> bool:
    """Returns whether a fraction is a value of its kind. A decimal has to be exact."""
    return node.kind == "float" or _quotient(part, total) * total == part


# Bounds

_HOLDS = {"ge": operator.ge, "gt": operator.gt, "le": operator.le, "lt": operator.lt}


def _bound(node: Node, *names: str) -> Decimal | None:
    return next((Decimal(str(node.constraints[name])) for name in names if name in node.constraints), None)


def _is_allowed(node: Node, number: Decimal) -> bool:
    bounds = [(holds, _bound(node, name)) for name, holds in _HOLDS.items()] if node.constraints else []
    return all(bound is None or holds(number, bound) for holds, bound in bounds)


# Units: a different one from that which the field expects is a problem

_PERCENT = re.compile(
    r" ?(?:%|per ?cent\b|pct\b|prozent\b|por ?c[ei]\w+|pour ?cent\b|\u043f\u0440\u043e\u0446\w+)", re.IGNORECASE
)
_ASKS_PERCENT = re.compile(r"%|per ?cent|(?<![a-z])pct(?![a-z])", re.IGNORECASE)

_DIMENSIONS = {
    "length": "mm millimeter | cm centimeter | m meter metre | km kilometer | inches inch | feet ft foot | miles mile",
    "mass": "mcg microgram ug \u00b5g \u03bcg | mg milligram | g gram | kg kilogram | pounds lb pound"
    " | ounces oz ounce",
    "volume": "ml milliliter | l liter litre | gallons gal gallon",
    "area": "m2 sqm | km2 | ha hectare | ft2 sqft | acres acre",
    "time": "ms millisecond | seconds s sec second | minutes min minute | hours h hr hour Stunde Stunden"
    " | days day | weeks week"
    " | months month | years year yr",
    "temperature": "Celsius c | Fahrenheit f",
    "money": "USD $ dollar | EUR \u20ac euro | GBP \u00a3 | JPY \u00a5 | CHF | CAD | cents cent",
}
"""Units that convert into each other, by the quantity they measure, each with more words for it."""
_UNITS = {
    word.lower() + plural: (dimension, unit.split()[0])
    for dimension, units in _DIMENSIONS.items()
    for unit in units.split(" | ")
    for word in unit.split()
    for plural in ("", "s")
}
_UNIT_BEHIND = re.compile(
    r"(?:[0-9]|\b(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve)\b)"
    r"[\s*_`)(-]{0,4}\u00b0?([^\W\d_]{1,12}[23]?|[$\u20ac\u00a3\u00a5])(?![\w/^])",
    re.IGNORECASE,
)
_POWER = re.compile(r"(?<=[^\W\d_])(?:\^(?=[23])|(?=[\u00b2\u00b3]))([23\u00b2\u00b3])(?!\w)")
"""The power of a unit: `m\u00b2`, `m^2`."""
_UNIT_BEFORE = re.compile(r"([$\u20ac\u00a3\u00a5])[ ]?[0-9]")
_PARTS_OF_NAME = re.compile(r"(?:_|(?<=[a-z])(?=[A-Z]))([^\W_]+)\Z|\A([a-z]{3,}s)(?:_|(?=[A-Z]))")
_ASKED = re.compile(r"(?:\bin |\()\u00b0?([^\W\d_]{1,12})\b")
_NO_UNITS = word_set("min second foot c f g h l m s")
"""Names of fields that are not units although a unit has the same name."""


def _contradicted(name: str, description: str | None, text: str) -> str:
    """Returns the reason why a number's unit is not the one that its field expects, or ""."""
    asked = _asked_unit(name, description)
    if asked is None:
        return ""
    words = (word.lower() for word in (*_UNIT_BEHIND.findall(text), *_UNIT_BEFORE.findall(text)))
    found = {_UNITS[word] for word in words if word in _UNITS}
    rival = next((unit for unit in found if unit[0] == asked[0] and unit != asked), None)
    return f"in {rival[1]}, expected {asked[1]}" if rival is not None and len(found) == 1 else ""


@lru_cache(maxsize=MAX_COMPILED)
def _asked_unit(name: str, description: str | None) -> tuple[str, str] | None:
    """Returns the dimension and the unit that a field expects, or None if it names none or several."""
    words = [one or other for one, other in _PARTS_OF_NAME.findall(name) if (one or other).lower() in _UNITS][-1:]
    if name.lower() in _UNITS and name.lower() not in _NO_UNITS:
        words = [name]
    words = words or _ASKED.findall(description or "") or ["years" if name.lower() == "age" else ""]
    units = {_UNITS[word.lower()] for word in words if word.lower() in _UNITS}
    return units.pop() if len(units) == 1 else None
