"""A number that was found in a text: its digits, and their strict form as an int, a float or a decimal."""

from __future__ import annotations

import math
from typing import NamedTuple

from ...limits import MAX_FORM_DIGITS

__all__ = ["Figure", "Found", "shown", "strict_form"]


class Figure(NamedTuple):
    """A number in digits: sign, whole part, part behind the point, exponent."""

    sign: str
    whole: str
    part: str
    exponent: int

    def shifted(self, places: int) -> Figure:
        """The number times ten to some power."""
        digits, point = self.whole + self.part, len(self.whole) + places
        if self.exponent:
            return self._replace(exponent=self.exponent + places)
        if point < 0:
            digits, point = "0" * -point + digits, 0
        digits = digits.ljust(point, "0")
        return Figure(self.sign, digits[:point], digits[point:], 0)


class Found(NamedTuple):
    """A number in a text: its strict forms, of which more than one is one too many; without any, why; its place."""

    values: tuple[str, ...]
    why: str
    start: int
    end: int


def strict_form(kind: str, figure: Figure) -> tuple[str, str]:
    """The strict form of a number, or, where its kind cannot hold it, the reason."""
    if len(figure.whole) + len(figure.part) > MAX_FORM_DIGITS:
        return "", f"more than {MAX_FORM_DIGITS} digits (MAX_FORM_DIGITS)"
    return _strict_int(figure) if kind == "int" else _strict_float(kind, figure)


def _strict_int(figure: Figure) -> tuple[str, str]:
    digits, point = figure.whole + figure.part, len(figure.whole) + figure.exponent
    if not digits.strip("0"):
        return figure.sign + "0", ""
    if point > MAX_FORM_DIGITS:
        return "", f"more than {MAX_FORM_DIGITS} digits (MAX_FORM_DIGITS)"
    if digits[max(point, 0) :].strip("0"):
        return "", "not an int: not a whole number"
    return figure.sign + (digits[: max(point, 0)].ljust(point, "0").lstrip("0") or "0"), ""


def _strict_float(kind: str, figure: Figure) -> tuple[str, str]:
    text = shown(figure)
    if kind == "float" and (abs(figure.exponent) > 99_999 or math.isinf(float(text))):
        return ("", "too large for a float") if figure.exponent >= 0 else ("", "too small for a float")
    return text, ""


def shown(figure: Figure) -> str:
    """A number as a text: no zeros in front, a point only where something stands behind it."""
    exponent = f"e{figure.exponent}" if figure.exponent else ""
    return f"{figure.sign}{figure.whole.lstrip('0') or '0'}{'.' if figure.part else ''}{figure.part}{exponent}"
