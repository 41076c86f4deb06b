"""Words and letters behind a number that multiply it: `4 million`, `$4M`, `5 cents`."""

from __future__ import annotations

import re

from ...definition import Node
from .figure import Figure
from .number_signs import MONEY

__all__ = ["CENTS", "MAGNITUDES", "OF_MONEY", "scaled"]

MAGNITUDES = {"hundred": 2, "thousand": 3, "million": 6, "billion": 9, "trillion": 12, "lakh": 5, "crore": 7}
MAGNITUDES |= {f"{word}s": power for word, power in MAGNITUDES.items()}
MAGNITUDES |= dict.fromkeys(("tsd", "tausend", "mille", "duizend"), 3)
MAGNITUDES |= dict.fromkeys(("millionen", "millones", "milioni", "milh\u00f5es", "miljoen"), 6)
MAGNITUDES |= dict.fromkeys(("milliarden", "milliards", "miliardi", "miljard"), 9)
MAGNITUDES |= {"k": 3, "mio": 6, "mn": 6, "mln": 6, "bn": 9, "mrd": 9, "tn": 12}
OF_MONEY = {"K": 3, "M": 6, "MM": 6, "m": 6, "B": 9, "b": 9, "T": 12}
"""Letters that mean a magnitude behind an amount of money; behind anything else they may be units."""
_UNCLEAR = ("K", "M", "MM", "B")
"""Those of them that mean a magnitude so often, that without money nobody can tell."""
CENTS = frozenset({"cent", "cents", "pence", "penny", "pennies"})
"""Hundredths of what an amount of money is counted in, as a rule."""
_NEXT_WORD = re.compile(r" ?([^\W\d_]++)")


def scaled(node: Node, text: str, figures: list[Figure], end: int) -> tuple[list[Figure], int]:
    """Numbers with the magnitude that stands behind them, and where that ends."""
    word = _NEXT_WORD.match(text, end)
    name = "" if word is None else word[1]
    power = MAGNITUDES.get(name.lower() if len(name) > 1 else name, 0)
    if name.lower() in CENTS and name.lower()[:4] not in (node.description or "").lower():
        return [*figures, *(figure.shifted(-2) for figure in figures)], end
    if word is not None and not power and name in OF_MONEY:
        if MONEY in text:
            power = OF_MONEY[name]
        elif name in _UNCLEAR:
            return [*figures, *(figure.shifted(OF_MONEY[name]) for figure in figures)], end
    if not power or word is None:
        return figures, end
    return [figure.shifted(power) for figure in figures], word.end()
