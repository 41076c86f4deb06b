"""Compares the unit behind a number with the one that its field expects. A different one is a problem."""

from __future__ import annotations

import re
from functools import lru_cache

from ...definition.names import MAX_COMPILED
from .scalar import word_set

PERCENT = re.compile(r" ?(?:%|per ?cent\b|pct\b)", re.IGNORECASE)
_ASKS_PERCENT = re.compile(r"%|per ?cent|(?<![a-z])pct(?![a-z])", re.IGNORECASE)

_DIMENSIONS = {
    "length": "mm millimeter | cm centimeter | m meter metre | km kilometer | inches inch | feet ft foot | miles mile",
    "mass": "mcg microgram ug \u00b5g \u03bcg | mg milligram | g gram | kg kilogram | pounds lb pound"
    " | ounces oz ounce",
    "volume": "ml milliliter | l liter litre | gallons gal gallon",
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
_BEHIND = re.compile(
    r"(?:[0-9]|\b(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve)\b)"
    r"[\s*_`)(-]{0,4}\u00b0?([^\W\d_]{1,12}|[$\u20ac\u00a3\u00a5])(?![\w/^\u00b2\u00b3])",
    re.IGNORECASE,
)
_BEFORE = re.compile(r"([$\u20ac\u00a3\u00a5])[ ]?[0-9]")
_PARTS_OF_NAME = re.compile(r"(?:_|(?<=[a-z])(?=[A-Z]))([^\W_]+)\Z|\A([a-z]{3,}s)(?:_|(?=[A-Z]))")
_ASKED = re.compile(r"(?:\bin |\()\u00b0?([^\W\d_]{1,12})\b")
_NO_UNITS = word_set("min second foot c f g h l m s")
"""Names of fields that are not units although a unit has the same name."""


def contradicted(name: str, description: str | None, text: str) -> str:
    """Returns the reason why a number's unit is not the one that its field expects, or ""."""
    asked = _asked(name, description)
    if asked is None:
        return ""
    words = (word.lower() for word in (*_BEHIND.findall(text), *_BEFORE.findall(text)))
    found = {_UNITS[word] for word in words if word in _UNITS}
    rival = next((unit for unit in found if unit[0] == asked[0] and unit != asked), None)
    return f"in {rival[1]}, expected {asked[1]}" if rival is not None and len(found) == 1 else ""


@lru_cache(maxsize=MAX_COMPILED)
def _asked(name: str, description: str | None) -> tuple[str, str] | None:
    """Returns the dimension and the unit that a field expects, or None if it names none or several."""
    words = [one or other for one, other in _PARTS_OF_NAME.findall(name) if (one or other).lower() in _UNITS][-1:]
    if name.lower() in _UNITS and name.lower() not in _NO_UNITS:
        words = [name]
    words = words or _ASKED.findall(description or "") or ["years" if name.lower() == "age" else ""]
    units = {_UNITS[word.lower()] for word in words if word.lower() in _UNITS}
    return units.pop() if len(units) == 1 else None


@lru_cache(maxsize=MAX_COMPILED)
def asks_percent(name: str, description: str | None) -> bool:
    """Returns whether a field expects a percentage, by its name or its description."""
    return _ASKS_PERCENT.search(f"{name}\n{description or ''}") is not None
