"""Days, times of day and lengths of time as people write them -> ISO 8601.

A day is read where only one is meant: `02/03/2024` is a problem that names both, `25/03/2024` is none, and a day of the
week beside it has to be its own. A length is read where its amounts have units, each once.
"""

from __future__ import annotations

import re
from datetime import date
from fractions import Fraction
from typing import NamedTuple

from ...definition import Node
from .around import changed
from .scalar import Scalar, ambiguous, bare, failed, in_ascii, respelled

__all__ = ["read_date", "read_datetime", "read_duration", "read_time"]

_LONGEST = 200
"""Characters of a text in which a day, a time or a length may be said with words around."""


def _plain(text: str) -> str:
    """Return a text without decoration in ASCII's digits and signs; nothing of one that is too long."""
    return in_ascii(bare(text)).rstrip(" .") if len(text) <= _LONGEST else ""


def _is_quiet(front: str, behind: str, name: str) -> bool:
    """Return whether the words around a day or a length leave it as it is and have no figures."""
    return not any(map(str.isdigit, front + behind)) and not changed(front, behind, name)


# Days

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = (
    "(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)\.?"
)
_GAP = r"[\s,./-]{1,3}"
_DAYS = (
    (r"(\d{4})(?P<s>[-/._])(\d{1,2})(?P=s)(\d{1,2})", (0, 2, 3)),
    (r"(\d{4})(\d{2})(\d{2})(?![.,]\d)", (0, 1, 2)),
    (r"(\d{1,2})(?P<s>[-/.])(\d{1,2})(?P=s)(\d{4})", None),
    (rf"(\d{{1,2}})(?:st|nd|rd|th)?(?:{_GAP}|\s?of\s)?({_MONTH}){_GAP}(\d{{4}})", (2, 1, 0)),
    (rf"({_MONTH}){_GAP}(\d{{1,2}})(?:st|nd|rd|th)?{_GAP}(\d{{4}})", (2, 0, 1)),
)
"""The ways to write a day, each with the places of year, month and day among its groups; None where figures leave open
which is the month."""
_FORMS = tuple(
    (re.compile(rf"(?<![\w.]){form}(?![0-9]|[-/.][0-9])", re.IGNORECASE | re.ASCII), order) for form, order in _DAYS
)
_WEEKDAY = re.compile(
    r"(?<!\w)(mon|tue|wed|thu|fri|sat|sun)(?:s?day|s|nesday|rs?day|rs?|urday)?(?!\w)[.,]?\s?", re.IGNORECASE
)
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


class _Day(NamedTuple):
    """The days of a text: their readings, and the texts in front of the first, between them and behind the last."""

    readings: tuple[str, ...]
    front: str
    between: str
    behind: str


def read_date(node: Node, text: str, name: str = "") -> Scalar:
    """Return the one day that a text names: year first, or with the month's name, or in figures with one above 12.

    A weekday, decoration, some words around and a time of day behind are read.
    """
    day = _day(_plain(text))
    if day is None:
        return failed(node)
    behind = "" if _time(_trimmed(day.behind)) else day.behind
    if not _is_quiet(day.front, behind, name):
        return failed(node, "the words around it change it")
    return _only(node, day.readings)


def read_datetime(node: Node, text: str, name: str = "") -> Scalar:
    """Return the one day with the one time that a text names, in either order. A day alone is its midnight."""
    day = _day(_plain(text))
    if day is None:
        return failed(node)
    rest = _trimmed(f"{day.front} {day.between} {day.behind}")
    time = _time(rest) if rest else "00:00:00"
    if not time:
        return failed(node)
    return _only(node, tuple(f"{reading}T{time}" for reading in day.readings))


def _only(node: Node, readings: tuple[str, ...]) -> Scalar:
    if not readings:
        return failed(node, "no calendar has such a day")
    return respelled(readings[0]) if len(readings) == 1 else ambiguous(readings)


def _day(text: str) -> _Day | None:
    """Return the days that stand in a text; None without one."""
    weekdays = {name[1][:3].lower() for name in _WEEKDAY.finditer(text)}
    text = _WEEKDAY.sub("", text) if weekdays else text
    found = sorted(
        ((match, order) for form, order in _FORMS for match in form.finditer(text)), key=lambda each: each[0].start()
    )
    if not found:
        return None
    readings = dict.fromkeys(reading for match, order in found for reading in _readings(match, order))
    if weekdays:
        readings = {day: None for day in readings if _WEEKDAYS[date.fromisoformat(day).weekday()] in weekdays}
    first, last = found[0][0], found[-1][0]
    between = text[first.end() : last.start()] if len(found) > 1 else ""
    return _Day(tuple(readings), text[: first.start()], between, text[last.end() :])


def _readings(match: re.Match[str], order: tuple[int, int, int] | None) -> list[str]:
    """Return the days of the calendar that a match may be."""
    groups = match.groups()
    orders = [order] if order else [(3, 2, 0), (3, 0, 2)]
    days = []
    for year, month, day in orders:
        number = groups[month] if groups[month].isdigit() else _MONTHS.index(groups[month][:3].lower()) + 1
        try:
            days.append(date(int(groups[year]), int(number), int(groups[day])).isoformat())
        except ValueError:
            continue
    return days


# Times of day

_TIME = re.compile(
    r"""(?P<hour>[0-9]{1,2}) (?:[:.](?P<minute>[0-9]{2})(?::(?P<second>[0-9]{2})(?P<part>[.,][0-9]{1,9})?)?)?
      \s?(?:(?P<half>[ap])\.?m\.?)?
      \s?(?P<zone>z|utc|gmt|(?:(?:utc|gmt)[-+]|(?(second)[-+]|\+))[0-9]{1,2}(?::?[0-9]{2})?)?""",
    re.IGNORECASE | re.VERBOSE | re.ASCII,
)
"""Behind hours and minutes a minus is a dash in front of a second time, behind seconds it begins an offset from UTC."""
_JOINS = re.compile(r"\A[\s,;T*\u2022-]*+(?:(?:at|on)\s)?|[\s,;.-]++(?:(?:at|on)[\s,]*+)?\Z", re.IGNORECASE)


def read_time(node: Node, text: str, name: str = "") -> Scalar:
    """Return the one time of day that a text names: `3pm`, `14.30`, `9:05 UTC`."""
    time = _time(_trimmed(_plain(text)))
    return respelled(time) if time else failed(node)


def _trimmed(text: str) -> str:
    """Return the text beside a day without what only joins it to a time."""
    return _JOINS.sub("", " ".join(text.replace("(", " ").replace(")", " ").split()))


def _time(text: str) -> str:
    """Return a time of day in its strict form, or nothing."""
    match = _TIME.fullmatch(text)
    if match is None:
        return ""
    digits, minutes, seconds, part, half, offset = match.groups(default="")
    hour, minute = int(digits), int(minutes or 0)
    if half:
        hour = hour % 12 + (12 if half in "pP" else 0) if 1 <= hour <= 12 else 24
    zone = _zone(offset.lower()) if offset else ""
    if not (minutes or half) or hour > 23 or minute > 59 or int(seconds or 0) > 59 or zone is None:
        return ""
    return f"{hour:02}:{minute:02}:{seconds or '00'}{part.replace(',', '.')}{zone}"


def _zone(text: str) -> str | None:
    """Return an offset from UTC in its strict form; None where it makes no sense."""
    offset = text.removeprefix("utc").removeprefix("gmt")
    if offset in ("z", ""):
        return "Z"
    digits = offset[1:].replace(":", "")
    hours, minutes = (int(digits), 0) if len(digits) <= 2 else (int(digits[:-2]), int(digits[-2:]))
    return f"{offset[0]}{hours:02}:{minutes:02}" if hours < 24 and minutes < 60 else None


# Lengths of time

_SECONDS = {"w": 604_800, "d": 86_400, "h": 3_600, "m": 60, "s": 1, "ms": 0.001}
_UNIT = (
    r"(weeks?|wks?|w|days?|d|hours?|hrs?|h|minutes?|mins?|milliseconds?|msecs?|ms|m|seconds?|secs?|s)"
    r"(?![^\W\d_])(?:\.(?=\s*[0-9]|\Z))?"
)
_AMOUNT = re.compile(rf"([0-9]{{1,9}}(?:[.,][0-9]{{1,9}})?)[\s-]?{_UNIT}", re.IGNORECASE | re.ASCII)
_LENGTH = re.compile(
    rf"(?<!\w){_AMOUNT.pattern}(?:[\s,+]{{0,3}}(?:and\s)?{_AMOUNT.pattern})*+", re.IGNORECASE | re.ASCII
)
_CLOCK = re.compile(r"(?P<h>[0-9]{1,9}):(?P<m>[0-9]{2}):(?P<s>[0-9]{2}(?:\.[0-9]{1,6})?)")
_REPEATED = re.compile(r"\b(?:a|an|per) (?:day|week|month|hour)\b|\bfrom now\b|ly\b", re.IGNORECASE)
"""Words that repeat a length or place it in time: `2 hours a day`."""


def read_duration(node: Node, text: str, name: str = "") -> Scalar:
    """Return the length of time that a text names: weeks, days, hours, minutes, seconds, each once, or `H:MM:SS`.

    Months and years have no fixed length, a bare number no unit, and `1:30` may be hours or minutes: problems. So is a
    dash in front of a blank, which may be a bullet or a minus.
    """
    text = _plain(text)
    sign, text = ("-", text[1:]) if text[:1] == "-" else ("", text)
    clock = _CLOCK.fullmatch(text)
    parts = clock.groupdict() if clock else _amounts(text, name)
    seconds = sum(
        (Fraction(amount) * Fraction(str(_SECONDS[unit])) for unit, amount in parts.items() if amount), Fraction(0)
    )
    if not parts or (seconds * 1_000_000).denominator != 1:
        return failed(node)
    length = _iso(seconds)
    return ambiguous((length, f"-{length}")) if sign and text[:1].isspace() else respelled(sign + length)


def _amounts(text: str, name: str) -> dict[str, str]:
    """Return the amounts of a text by their units; none where a unit stands there twice or words change them."""
    length = _LENGTH.search(text)
    if length is None:
        return {}
    front, behind = text[: length.start()], text[length.end() :]
    if not _is_quiet(front, behind, name) or _REPEATED.search(behind):
        return {}
    found = [match.groups() for match in _AMOUNT.finditer(length[0].lower())]
    units = ["ms" if unit.startswith(("ms", "milli")) else unit[0] for _digits, unit in found]
    amounts = [digits.replace(",", ".") for digits, _unit in found]
    return dict(zip(units, amounts, strict=True)) if len(set(units)) == len(units) else {}


def _iso(seconds: Fraction) -> str:
    """Return a length of time in ISO 8601: days, hours, minutes and seconds."""
    days, rest = divmod(seconds, 86_400)
    hours, rest = divmod(rest, 3_600)
    minutes, rest = divmod(rest, 60)
    whole, millionths = divmod(int(rest * 1_000_000), 1_000_000)
    last = f"{whole}.{millionths:06}".rstrip("0").rstrip(".") if millionths else str(whole)
    clock = (f"{hours}H" if hours else "") + (f"{minutes}M" if minutes else "") + (f"{last}S" if rest else "")
    return (f"P{days}D" if days else "P") + (f"T{clock}" if clock else "" if days else "T0S")
