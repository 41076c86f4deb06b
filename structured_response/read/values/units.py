"""Units that stand behind numbers, and those that fields ask for: whether one contradicts the other.

What a field asks for is said by the end of its name (`height_cm`), which may be all of it (`hours`), by a plural at its
beginning (`years_experience`), or by its description; an `age` is in years where no description says otherwise. The
number may be in digits or words, the unit in any of the languages that models answer in most.
"""

from __future__ import annotations

import re
from functools import lru_cache

from ...limits import MAX_COMPILED
from .loose import word_set
from .spelled import NUMBER_WORD

__all__ = ["asks_percent", "asks_share", "contradicted", "without_cents"]

_DIMENSIONS: dict[str, dict[str, frozenset[str]]] = {
    "length": {
        "mm": word_set("mm millimeter millimeters millimetre millimetres"),
        "cm": word_set("cm cms centimeter centimeters centimetre centimetres"),
        "m": word_set("m meter meters metre metres"),
        "km": word_set("km kms kilometer kilometers kilometre kilometres"),
        "inches": word_set("inch inches"),
        "feet": word_set("ft foot feet"),
        "yards": word_set("yd yds yard yards"),
        "miles": word_set("mi mile miles"),
    },
    "mass": {
        "mg": word_set("mg milligram milligrams"),
        "g": word_set("g gram grams"),
        "kg": word_set("kg kgs kilo kilos kilogram kilograms"),
        "pounds": word_set("lb lbs pound pounds"),
        "ounces": word_set("oz ounce ounces"),
    },
    "volume": {
        "ml": word_set("ml milliliter milliliters millilitre millilitres"),
        "l": word_set("l liter liters litre litres"),
        "gallons": word_set("gal gallon gallons"),
    },
    "time": {
        "ms": word_set("ms msec millisecond milliseconds"),
        "s": word_set(
            "s sec secs second seconds sekunde sekunden seconde secondes segundo segundos secondo secondi seconden"
        ),
        "minutes": word_set("min mins minute minutes minuten minuto minutos minuti minuut"),
        "hours": word_set("h hr hrs hour hours std stunde stunden heure heures hora horas ora ore uur uren"),
        "days": word_set("day days tag tage tagen jour jours d\u00eda d\u00edas dia dias giorno giorni dag dagen"),
        "weeks": word_set("week weeks woche wochen semaine semaines semana semanas settimana settimane weken"),
        "months": word_set("month months monat monate monaten mois mes meses m\u00eas mese mesi maand maanden"),
        "years": word_set(
            "year years yr yrs jahr jahre jahren an ans ann\u00e9e ann\u00e9es a\u00f1o a\u00f1os "
            "ano anos anno anni jaar jaren"
        ),
    },
    "temperature": {"Celsius": word_set("c celsius"), "Fahrenheit": word_set("f fahrenheit")},
    "share": {"percent": word_set("percent pct percentage"), "basis points": word_set("bp bps basis")},
    "money": {code.upper(): word_set(code) for code in ("usd", "eur", "gbp", "jpy", "cny", "inr", "chf", "cad", "aud")}
    | {"cents": word_set("cent cents")},
}
"""Units of which one is another number of the other, by what they measure, with the words for each."""

_UNITS = {
    word: (dimension, unit)
    for dimension, units in _DIMENSIONS.items()
    for unit, words in units.items()
    for word in words
}
_BEHIND = re.compile(
    rf"(?:[0-9]|\b(?:{NUMBER_WORD}))[\s*_`)(-]{{0,4}}\u00b0?"
    r"([^\W\d_]{1,12})(?![\w/^\u00b2\u00b3])",
    re.IGNORECASE,
)
_FIRST_OF_NAME = re.compile(r"([a-z]{3,}s)(?:_|(?=[A-Z]))")
_PERCENT = re.compile(r"%|per ?cent|(?<![a-z])pct(?![a-z])", re.IGNORECASE)
_SHARE = re.compile(r"confiden|certain|probab|likeli|ratio|fraction|share|portion|score|rate(?![a-z])", re.IGNORECASE)
_LAST_OF_NAME = re.compile(r"(?:_|(?<=[a-z])(?=[A-Z]))([^\W_]+)\Z")
_ASKED = re.compile(r"(?:\bin |\()\u00b0?([^\W\d_]{1,12})\b")
_NO_UNITS = word_set("an ans min second foot mi")
"""Names of fields that are no unit, though some unit is called so, as is every letter."""
_IMPLIED = {"age": "years"}
"""What some names ask for without a word for it."""
_OTHERS = {
    "time": (re.compile(r"\b(?:born|since|in)(?: in)? (?:1[5-9]|20)[0-9]{2}\b", re.IGNORECASE), "a year"),
    "cents": (re.compile(r"[$\u20ac\u00a3][ ]?[0-9]|[0-9][ ]?(?:[$\u20ac\u00a3]|dollars?|euros?)"), "whole money"),
}
"""What else contradicts, by what is measured or by the unit: a year of the calendar is no length of time."""
_CENTS_BEHIND = re.compile(r"(?<=[0-9])[ ]?(?:\u00a2|cents?\b)", re.IGNORECASE)


def contradicted(name: str, description: str | None, text: str) -> tuple[str, str] | None:
    """The unit that a number has and the one that its field asks for, by the end of its name (`height_cm`) or by its
    description (`in cm`, `(cm)`), where both measure the same and differ. None where nothing speaks against it.
    """
    asked = _asked(name, description)
    if asked is None:
        return None
    for form, unit in filter(None, map(_OTHERS.get, asked)):
        if form.search(text):
            return unit, asked[1]
    found = [_UNITS[word.lower()] for word in _BEHIND.findall(text) if word.lower() in _UNITS]
    if len(found) != 1 or found[0][0] != asked[0] or found[0] == asked:
        return None
    return found[0][1], asked[1]


@lru_cache(maxsize=MAX_COMPILED)
def _asked(name: str, description: str | None) -> tuple[str, str] | None:
    """What a field asks for: what it measures and its unit; None where it says none, or two."""
    parts = (_LAST_OF_NAME.search(name), _FIRST_OF_NAME.match(name))
    named = [part[1] for part in parts if part is not None and part[1].lower() in _UNITS]
    if len(name) > 1 and name.lower() in _UNITS and name.lower() not in _NO_UNITS:
        named = [name]
    words = named[:1] or _ASKED.findall(description or "") or [_IMPLIED.get(name.lower(), "")]
    units = {_UNITS[word.lower()] for word in words if word.lower() in _UNITS}
    return units.pop() if len(units) == 1 else None


def without_cents(name: str, text: str) -> str:
    """A text without the word for cents behind its number, where the name of its field asks for cents."""
    return _CENTS_BEHIND.sub("", text) if "cent" in name.lower() else text


@lru_cache(maxsize=MAX_COMPILED)
def asks_percent(name: str, description: str | None) -> bool:
    """Whether a field asks for a percentage, by its name or its description: the sign behind a number says no more."""
    return _PERCENT.search(name) is not None or _PERCENT.search(description or "") is not None


@lru_cache(maxsize=MAX_COMPILED)
def asks_share(name: str, description: str | None) -> bool:
    """Whether a field may ask for a share, of which 1 is the whole: then a percentage could stand for its hundredth."""
    return _SHARE.search(name) is not None or _SHARE.search(description or "") is not None
