"""Units behind numbers, and those that fields ask for: a number in another unit than its field's is a problem.

A field asks for a unit by the end of its name (`height_cm`), which may be all of it (`hours`), by a plural at its
beginning (`years_experience`), or by its description (`in cm`, `(cm)`). Nothing is converted.
"""

from __future__ import annotations

import re
from functools import lru_cache

from ...limits import MAX_COMPILED
from .scalar import word_set

__all__ = ["CENTS", "PERCENT", "asks_cents", "asks_percent", "contradicted"]

PERCENT = re.compile(r" ?(?:%|per ?cent\b|pct\b)", re.IGNORECASE)
_ASKS_PERCENT = re.compile(r"%|per ?cent|(?<![a-z])pct(?![a-z])", re.IGNORECASE)
CENTS = re.compile(r"[ ]?(?:\u00a2|(?:cents?|pence|penn(?:y|ies))\b)", re.IGNORECASE)
_ASKS_CENTS = re.compile(r"(?<!per)(?<!per )(?:cent|pence|penny)", re.IGNORECASE)

_DIMENSIONS = {
    "length": "mm millimeter millimetre | cm cms centimeter centimetre | m meter metre | km kms kilometer kilometre"
    " | inches inch | feet ft foot | yards yd yard | miles mi mile",
    "mass": "mg milligram | g gram | kg kgs kilo kilogram | pounds lb pound | ounces oz ounce",
    "volume": "ml milliliter millilitre | l liter litre | gallons gal gallon",
    "time": "ms msec millisecond | s sec second sekunde sekunden seconde segundo | minutes min minute minuten minuto"
    " | hours h hr hour std stunde stunden heure hora | days day tag tage tagen jour d\u00eda dia"
    " | weeks week woche wochen semaine semana | months month monat monate mois mes meses"
    " | years year yr jahr jahre jahren an a\u00f1o ano",
    "temperature": "Celsius c | Fahrenheit f",
    "share": "percent pct percentage",
    "money": "USD | EUR | GBP | JPY | CNY | INR | CHF | CAD | AUD | cents cent",
}
"""Units of which one is another number of the other, by what they measure, each with more words for it."""
_UNITS = {
    word.lower() + plural: (dimension, unit.split()[0])
    for dimension, units in _DIMENSIONS.items()
    for unit in units.split(" | ")
    for word in unit.split()
    for plural in ("", "s")
}
_BEHIND = re.compile(
    r"(?:[0-9]|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|[a-z]+teen|[a-z]+ty))"
    r"[\s*_`)(-]{0,4}\u00b0?([^\W\d_]{1,12})(?![\w/^\u00b2\u00b3])",
    re.IGNORECASE,
)
_FIRST_OF_NAME = re.compile(r"([a-z]{3,}s)(?:_|(?=[A-Z]))")
_LAST_OF_NAME = re.compile(r"(?:_|(?<=[a-z])(?=[A-Z]))([^\W_]+)\Z")
_ASKED = re.compile(r"(?:\bin |\()\u00b0?([^\W\d_]{1,12})\b")
_NO_UNITS = word_set("an ans min second foot mi")
"""Names of fields that are no unit, though some unit is called so, as is every letter."""
_OTHERS = {
    "time": (re.compile(r"\b(?:since|in)(?: in)? (?:1[5-9]|20)[0-9]{2}\b", re.IGNORECASE), "a year"),
    "cents": (re.compile(r"[$\u20ac\u00a3][ ]?[0-9]|[0-9][ ]?(?:[$\u20ac\u00a3]|dollars?|euros?)"), "whole money"),
}
"""Other texts that contradict, by dimension or unit: a year of the calendar is no length of time."""
_DOWN = word_set(
    "loss decrease reduction drop decline fall deficit shortfall cut lost decreased decreases decreasing reduced "
    "dropped declined fell fallen shrank down lower lowered south"
)
_DOWN_SIGN = re.compile(r"[\u25bc\u25bd\u2193\u2b07]|[0-9]\s?S\b|[\u00b0'\"\u2032\u2033]\s?[SW]\b")
"""Words and signs by a number that may be its minus: a loss of 4, 52.1 S."""
_WORD = re.compile(r"[a-z]+")


def contradicted(name: str, description: str | None, text: str) -> str:
    """Return why a number is another one than its field asks for, by its unit or as it goes down; else nothing."""
    asked = _asked(name, description)
    if asked is not None:
        found = [_UNITS[word.lower()] for word in _BEHIND.findall(text) if word.lower() in _UNITS]
        if len(found) == 1 and found[0][0] == asked[0] and found[0] != asked:
            return f"in {found[0][1]}, where {asked[1]} is asked for"
        for form, unit in filter(None, map(_OTHERS.get, asked)):
            if form.search(text):
                return f"{unit}, where {asked[1]} is asked for"
    down = _DOWN.intersection(_WORD.findall(text.lower()))
    if (down and not any(word[:4] in f"{name} {description}".lower() for word in down)) or _DOWN_SIGN.search(text):
        return "which may be below zero"
    return ""


@lru_cache(maxsize=MAX_COMPILED)
def _asked(name: str, description: str | None) -> tuple[str, str] | None:
    """Return the dimension and the unit that a field asks for; None where it names none, or two."""
    parts = (_LAST_OF_NAME.search(name), _FIRST_OF_NAME.match(name))
    words = [part[1] for part in parts if part is not None and part[1].lower() in _UNITS][:1]
    if len(name) > 1 and name.lower() in _UNITS and name.lower() not in _NO_UNITS:
        words = [name]
    words = words or _ASKED.findall(description or "") or ["years" if name.lower() == "age" else ""]
    units = {_UNITS[word.lower()] for word in words if word.lower() in _UNITS}
    return units.pop() if len(units) == 1 else None


@lru_cache(maxsize=MAX_COMPILED)
def asks_cents(name: str, description: str | None) -> bool:
    """Return whether a field asks for hundredths of money, by its name or its description."""
    return _ASKS_CENTS.search(f"{name}\n{description or ''}") is not None


@lru_cache(maxsize=MAX_COMPILED)
def asks_percent(name: str, description: str | None) -> bool:
    """Return whether a field asks for a percentage, by its name or its description."""
    return _ASKS_PERCENT.search(f"{name}\n{description or ''}") is not None
