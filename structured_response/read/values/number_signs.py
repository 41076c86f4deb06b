"""Signs that stand by numbers: all those of one meaning as one, in ASCII, powers of ten as exponents, fractions as
decimals; and those that make another number of one, such as an accountant's parentheses, or none.
"""

from __future__ import annotations

import re
import unicodedata
from decimal import Decimal
from functools import partial

from .separators import DIGITS, ascii_digits

__all__ = ["ACCOUNTING", "MONEY", "has_odd_signs", "in_ascii", "in_plain_signs", "with_decimals"]

_CODES = "USD|EUR|GBP|JPY|CNY|INR|CHF|CAD|AUD|NZD|SEK|NOK|DKK|RUB|BRL|MXN|KRW|PLN|CZK|HUF|TRY|ZAR|SGD|HKD|ILS|THB"
_CURRENCY = re.compile(
    rf"(?<![^\W\d_])[A-Z]{{0,3}}[$\u20ac\u00a3\u00a5\u20a0-\u20cf]|(?<![^\W\d_])(?:{_CODES}|Rs\b\.?|kr\b)(?![^\W\d_])"
)
MONEY = "\u00a4"
"""The one sign for all money."""
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
_UNIT_POWER = re.compile(r"(?<=[^\W\d_xXn])(?:\^|\*\*)[-+]?[0-9](?![0-9])")
_AMOUNT = (
    rf"(?:[^\w()]{{0,3}}(?:{_CURRENCY.pattern})[ ]?[0-9][0-9.,' ]*+|[0-9][0-9.,' ]*(?:{_CURRENCY.pattern})"
    r"|[0-9]++[.,][0-9]{2}|[0-9]{1,3}(?:[,.'][0-9]{3})++(?:[.,][0-9]{2})?)"
)
ACCOUNTING = re.compile(
    rf"(?:[^():=]{{0,60}}[:=])?[\s+-]*+(?:(?:{_CURRENCY.pattern})\s*+)?\(\s*+{_AMOUNT}\s*+\)[^()0-9]*+"
)
"""An amount in parentheses, with its currency, its cents or grouped, which is how accountants write a negative one."""
_INEXACT = re.compile(rf"[<>\u2264\u2265\u2260\u00b1\u221a^]|[-+][ ]?[-+][ ]?{MONEY}?[.]?[0-9]")


def in_ascii(text: str) -> str:
    """The text with ASCII digits, minus signs and blanks."""
    return text if text.isascii() else ascii_digits(text.translate(_IN_ASCII))


def in_plain_signs(text: str, is_exact: bool) -> str:
    """The text with currencies as one sign, powers of ten as exponents, and fractions as decimals."""
    text = _ARROW.sub(" ", _CURRENCY.sub(MONEY, text))
    if "10" in text:
        text = _POWER.sub(lambda match: f"e{match[1] or match[2].translate(_SUPERSCRIPT)}", text)
    first = DIGITS.search(text) if "^" in text or "**" in text else None
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


def has_odd_signs(text: str) -> bool:
    """Whether signs that are no digits, but count, stand by a digit or alone: superscripts, fractions, bounds."""
    if _INEXACT.search(text):
        return True
    return not text.isascii() and any(
        char.isnumeric() and not char.isdecimal() and not text[index - 1 : index].isalpha()
        for index, char in enumerate(text)
        if char > "\x7f"
    )
