"""Reads dates, times of day and durations as people write them, in ISO 8601. They have to have one meaning."""

from __future__ import annotations

import re
from datetime import date, time, timedelta

from pydantic_core import to_jsonable_python

from ...definition import Node
from .around import changed
from .scalar import Scalar, ambiguous, bare, failed, in_ascii, respelled

_LONGEST = 200
"""Characters of a text that may hold a date, a time or a duration with words around it."""


def _plain(text: str) -> str:
    """Returns a text without decoration, with ASCII digits and signs, or "" if it is too long."""
    return in_ascii(bare(text)).rstrip(" .") if len(text) <= _LONGEST else ""


def _is_quiet(front: str, behind: str, name: str) -> bool:
    """Returns whether the words around a date or a duration hold no digits and do not change it."""
    return not any(map(str.isdigit, front + behind)) and not changed(front, behind, name)


# Days

_MONTHS = {
    name: number
    for names in (
        "january february march april may june july august september october november december",
        "jan feb mar apr may jun jul aug sep oct nov dec",
        "januar februar m\u00e4rz april mai juni juli august september oktober november dezember",
        "janvier f\u00e9vrier mars avril mai juin juillet ao\u00fbt septembre octobre novembre d\u00e9cembre",
        "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
        "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
        "janeiro fevereiro mar\u00e7o abril maio junho julho agosto setembro outubro novembro dezembro",
        "januari februari maart april mei juni juli augustus september oktober november december",
    )
    for number, name in enumerate(names.split(), 1)
}
_MONTHS["sept"] = 9
_MONTH = rf"(?:{'|'.join(sorted(_MONTHS, key=len, reverse=True))})\.?"
_GAP = r"[\s,./-]{1,3}"
_DAYS = (
    (r"(\d{4})(?P<s>[-/.])(\d{1,2})(?P=s)(\d{1,2})", ((0, 2, 3),)),
    (r"(\d{4})(\s?\u5e74\s?)(\d{1,2})\s?\u6708\s?(\d{1,2})\s?\u65e5", ((0, 2, 3),)),
    (r"(\d{1,2})(?P<s>[-/.])(\d{1,2})(?P=s)(\d{4})", ((3, 2, 0), (3, 0, 2))),
    (rf"(\d{{1,2}})(?:st|nd|rd|th|er)?(?:{_GAP}|\s?(?:of|de)\s)({_MONTH})(?:{_GAP}|\sde\s)(\d{{4}})", ((2, 1, 0),)),
    (rf"({_MONTH}){_GAP}(\d{{1,2}})(?:st|nd|rd|th)?{_GAP}(\d{{4}})", ((2, 0, 1),)),
)
"""The ways to write a date, each with the groups of year, month and day. Digits alone have two orders."""

_WEEKDAY = re.compile(r"\b(mon|tue|wed|thu|fri|sat|sun)(?:s|nes|rs?|ur)?(?:day)?\b[.,]?\s*", re.IGNORECASE)
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")

_FORMS = [
    (re.compile(rf"(?<![\w.]){form}(?![0-9]|[-/.][0-9])", re.IGNORECASE | re.ASCII), orders) for form, orders in _DAYS
]


def read_date(node: Node, text: str, name: str = "") -> Scalar:
    """Returns the only date of a text, perhaps with some words around it and a time of day behind it."""
    readings, front, behind = _day(_plain(text))
    if readings and not _is_quiet(front, "" if _time(behind) else behind, name):
        return failed(node, "the words around it may change its meaning")
    return _only(node, readings)


def read_datetime(node: Node, text: str, name: str = "") -> Scalar:
    """Returns the only date that a text names, with the time behind it. A date alone is its midnight."""
    readings, front, behind = _day(_plain(text))
    clock = _time(behind) if behind else "00:00:00"
    if not clock or not _is_quiet(front, "", name):
        return failed(node)
    return _only(node, [f"{reading}T{clock}" for reading in readings])


def _only(node: Node, readings: list[str]) -> Scalar:
    if len(readings) > 1:
        return ambiguous(tuple(readings))._replace(by_order=True)
    return respelled(readings[0]) if readings else failed(node)


def _day(text: str) -> tuple[list[str], str, str]:
    """Returns the readings of the first date in a text, on its weekday if it has one, and the text around it."""
    weekdays = {_WEEKDAYS.index(name[1].lower()) for name in _WEEKDAY.finditer(text)}
    text = _WEEKDAY.sub("", text)
    for form, orders in _FORMS:
        if match := form.search(text):
            groups = match.groups()
            days = dict.fromkeys(_iso(*(groups[place] for place in order)) for order in orders)
            return (
                [day for day in days if day and (not weekdays or date.fromisoformat(day).weekday() in weekdays)],
                text[: match.start()],
                text[match.end() :],
            )
    return [], text, ""


def _iso(year: str, month: str, day: str) -> str:
    number = int(month) if month.isdigit() else _MONTHS[month.rstrip(".").lower()]
    try:
        return date(int(year), number, int(day)).isoformat()
    except ValueError:
        return ""


# Times of day


_TIME = re.compile(
    r"""[\s,]*(?:at\s|T)?\s* (?P<hour>[0-9]{1,2}) (?::(?P<rest>[0-9]{2}(?P<second>:[0-9]{2}(?:\.[0-9]{1,6})?)?))?
      \s?(?:(?P<half>[ap])\.?m\.?|Uhr)? [\s(]{0,2}(?P<zone>z|utc|gmt|(?:\+|(?(second)-|\+))[0-9]{2}:?[0-9]{2})?\)?""",
    re.IGNORECASE | re.VERBOSE | re.ASCII,
)
"""A time of day. Behind hours and minutes without seconds, a minus is a dash in front of a second time."""


def read_time(node: Node, text: str, name: str = "") -> Scalar:
    clock = _time(_plain(text))
    return respelled(clock) if clock else failed(node)


def _time(text: str) -> str:
    match = _TIME.fullmatch(text)
    if match is None or not (match["rest"] or match["half"]):
        return ""
    hour, half, zone = int(match["hour"]), (match["half"] or "").lower(), match["zone"] or ""
    if half:
        hour = hour % 12 + (12 if half == "p" else 0) if 1 <= hour <= 12 else 24
    rest = match["rest"] or "00"
    offset = f"{zone[:3]}:{zone[-2:]}" if zone[:1] in ("-", "+") else "Z" if zone else ""
    clock = f"{hour:02}:{rest}{'' if ':' in rest else ':00'}{offset}"
    try:
        time.fromisoformat(clock)
    except ValueError:
        return ""
    return clock


# Lengths of time

_UNITS = {"w": "weeks", "d": "days", "h": "hours", "m": "minutes", "s": "seconds"}
_UNIT = (
    r"(weeks?|wks?|w|days?|d|hours?|hrs?|h|minutes?|mins?|milliseconds?|msecs?|ms|m|seconds?|secs?|s)"
    r"(?![^\W\d_])(?:\.(?=\s*[0-9]|\Z))?"
)
_AMOUNT = rf"([0-9]{{1,9}}(?:[.,][0-9]{{1,3}})?)[\s-]?{_UNIT}"
_LENGTH = re.compile(rf"(?<!\w){_AMOUNT}(?:[\s,+]{{0,3}}(?:and\s)?{_AMOUNT})*+", re.IGNORECASE | re.ASCII)
_CLOCK = re.compile(r"(?P<hours>[0-9]{1,9}):(?P<minutes>[0-9]{2}):(?P<seconds>[0-9]{2}(?:\.[0-9]{1,6})?)")
_REPEATED = re.compile(r"\b(?:per|from now)\b|ly\b", re.IGNORECASE)
"""Words that repeat a duration or place it in time: `2 hours per day`."""


def read_duration(node: Node, text: str, name: str = "") -> Scalar:
    """Returns the duration that a text names: in weeks to seconds, each once, or as `H:MM:SS`."""
    text = _plain(text)
    sign, text = ("-", text[1:]) if text[:1] == "-" else ("", text)
    clock = _CLOCK.fullmatch(text)
    amounts = clock.groupdict() if clock else _amounts(text, name)
    if not amounts or text[:1].isspace():
        return failed(node)
    try:
        length = timedelta(**{unit: float(amount) for unit, amount in amounts.items()})
    except OverflowError:
        return failed(node)
    return respelled(sign + to_jsonable_python(length))


def _amounts(text: str, name: str) -> dict[str, str]:
    """Returns the amounts of a text by unit, or none if a unit occurs twice or words change them."""
    length = _LENGTH.search(text)
    if length is None:
        return {}
    front, behind = text[: length.start()], text[length.end() :]
    if not _is_quiet(front, behind, name) or _REPEATED.search(behind):
        return {}
    found = re.findall(_AMOUNT, length[0].lower(), re.ASCII)
    units = ["milliseconds" if unit.startswith(("ms", "milli")) else _UNITS[unit[0]] for _digits, unit in found]
    amounts = [digits.replace(",", ".") for digits, _unit in found]
    return dict(zip(units, amounts, strict=True)) if len(set(units)) == len(units) else {}
