"""Days and times of day as people write them -> ISO 8601.

A day is read where only one is meant: `02/03/2024` is a problem that names both, `25/03/2024` is none. A day of the
week beside it has to be its own, and may tell which of two is meant; a week that is named by one of its days is no day.
So is a time, and one that is said again in brackets is the same one:
behind hours and minutes a dash with later ones is a range, not an offset from UTC, unless they stand behind ISO 8601's
`T`; and whatever stands between two days is a part of what is said. The name of a zone says where an offset is in
force, and nothing without one.
"""

from __future__ import annotations

import re
from datetime import date
from itertools import pairwise
from typing import NamedTuple

from ...definition import Node
from .around import are_quiet
from .loose import HYPHENS, Scalar, ambiguous, bare, failed, in_small_letters, respelled
from .separators import ascii_digits

__all__ = ["mend_date", "mend_datetime", "mend_time"]

_MONTH_NAMES = "janfebmaraprmayjunjulaugsepoctnovdec"
_MONTH = (
    r"(?P<{}>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|"
    r"oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_WEEKDAY = re.compile(
    r"(?<!\w)(mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?(?!\w)[.,]?\s?", re.IGNORECASE
)
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_ORDINAL = re.compile(r"(?<=[0-9])(?:st|nd|rd|th)(?!\w)", re.IGNORECASE)
_TWO_LETTERS = re.compile(r"[^\W\d_]{2}")
_GAP = r"[\s,./-]{1,3}"
_DAY = re.compile(
    rf"""(?<![\w.])(?:
      (?P<y1>[0-9]{{4}})(?P<s1>[-/._])(?P<m1>[0-9]{{1,2}})(?P=s1)(?P<d1>[0-9]{{1,2}})
    | (?P<y2>[0-9]{{4}})(?P<m2>[0-9]{{2}})(?P<d2>[0-9]{{2}})
    | (?P<a3>[0-9]{{1,2}})(?P<s3>[-/.])(?P<b3>[0-9]{{1,2}})(?P=s3)(?P<y3>[0-9]{{4}})
    | (?P<d4>[0-9]{{1,2}})(?:{_GAP}|\s?of\s)?{_MONTH.format("m4")}{_GAP}(?P<y4>[0-9]{{4}})
    | {_MONTH.format("m5")}{_GAP}(?P<d5>[0-9]{{1,2}}){_GAP}(?P<y5>[0-9]{{4}})
    | (?P<y6>[0-9]{{4}}){_GAP}{_MONTH.format("m6")}{_GAP}(?P<d6>[0-9]{{1,2}})
    | (?P<y7>[0-9]{{4}})\s?\u5e74\s?(?P<m7>[0-9]{{1,2}})\s?\u6708\s?(?P<d7>[0-9]{{1,2}})\s?\u65e5
    )(?![0-9]|[-/.][0-9])""",
    re.IGNORECASE | re.VERBOSE,
)
_PARTS = {last: (f"y{last[1]}", f"m{last[1]}", f"d{last[1]}") for last in ("d1", "d2", "y4", "y5", "d6", "d7")}
_PARTS["y3"] = ("y3", "a3", "b3")
"""Year, month and day of each way to write one, by what stands last in it; of figures alone, which is which is open."""
_ANY_DASH = re.compile(
    r"(?<![0-9])([0-9]{4}[\u2010-\u2015\u2212][0-9]{1,2}|[0-9]{1,2}[\u2010-\u2015\u2212][0-9]{1,2})"
    r"[\u2010-\u2015\u2212]([0-9]{1,4})(?![0-9])"
)
"""Year, month and day with other dashes than ASCII's."""
_ASCII_DASHES = str.maketrans(dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"))
_TOGETHER = re.compile(r"(?<![0-9])([0-9]{8})T([0-9]{2})([0-9]{2})([0-9]{2})?(?=[^0-9:]|\Z)", re.IGNORECASE)
"""A moment in the basic format of ISO 8601, without separators."""
_ZONE_NAME = re.compile(
    r"([-+](?!00:?00)[0-9]{2}:?[0-9]{2})\s?(?:\[[A-Za-z]\w*(?:[/+-]\w+)*\]|(?-i:\(?[A-Z]\w+(?:/\w+)+\)?|\(?(?!UTC|GMT)[A-Z]{3,5}\)?))"
    r"(?![\w/])|(z|[-+]00:?00)\s?\[(?:z|utc|gmt|etc/utc)\]",
    re.IGNORECASE,
)
"""An offset with the name of its zone behind it: `+02:00[Europe/Berlin]`."""
_ZONE = r"(?P<zone>z|utc|gmt|(?:utc|gmt)?[-+][0-9]{1,2}(?::?[0-9]{2})?)?(?P<utc>\s(?:utc|gmt))?"
_TIME = re.compile(
    rf"""(?:(?P<word>noon|midday|midnight)
    | (?P<hour>[0-9]{{1,2}})
      (?:[:.h](?P<minute>[0-9]{{2}})(?:[:.](?P<second>[0-9]{{2}})(?P<part>[.,][0-9]{{1,9}})?)?)?
      \s?(?:(?P<half>[ap])\.?m\.?|(?P<clock>h(?:rs?|ours)?|uhr))?
    )\s?{_ZONE}""",
    re.IGNORECASE | re.VERBOSE,
)
_LIKE_RANGE = re.compile(
    r"([0-9]{1,2}(?:[:.h][0-9]{2})?)\s?(?:[ap]\.?m\.?|h(?:rs?|ours)?|uhr)?\s?-([0-9]{1,2}(?::[0-9]{2})?)"
    r"(?:\s?(?:z|utc|gmt))?",
    re.IGNORECASE,
)
"""Hours and minutes, and behind them what could be an offset from UTC or a second time: `9:00-9:15`."""
_NOT_DIGITS = re.compile("[^0-9]")
_OFFSET = re.compile(r"-(?:0[0-9]|1[0-2]):[03]0\Z")
"""An offset as ISO 8601 writes it, which some place could have."""
_BETWEEN = re.compile(r"\A[\s,;T@(*\u2022-]*+(?:at\s|on\s)?|[\s,;.)-]++(?:(?:at|on)[\s,]*+)?\Z", re.IGNORECASE)
_ABOUT = re.compile(
    r"(?<!\w)(?:local(?: time)?|approx(?:\.|imately)?|about|around|circa|ca\.|roughly|sharp)(?![\w-])", re.IGNORECASE
)
"""Words by a time of day that leave it as it is."""
_BEGINNING = re.compile(r"(?<!\w)(?<!far )(?:from|since)\s*\Z|\A\s*onwards?(?!\w)", re.IGNORECASE)
"""Words that say of a day that something begins there, which is as good as the day."""
_OTHER_DAY = re.compile(
    r"(?<!\w)(?:(?:moved|shifted|rescheduled|postponed|delayed|deferred|changed|pushed|brought|switched)\b[^.;]{0,20}?\bfrom"
    r"|(?:week|weekend|fortnight|month|quarter|eve)(?:[ ](?:of|commencing|beginning|starting|ending|from))?"
    r"(?:[ ](?:on|the))?)[\s:]*\Z",
    re.IGNORECASE,
)
"""What makes another day of the one behind it: a move away from it, or a longer time that it is a part of."""
_AGAIN = re.compile(r"([^()]+?)\s*\(([^()]+)\)\s*")
"""A time, and behind it in brackets what could be the same once more."""
_DATE_LIKE = 200
"""Characters of a text in which a day or a time may be said with words around."""


class _Day(NamedTuple):
    """A day in a text: what it may be, what stands before and behind it, and between it and where it is named again;
    and, where it may be none, whether no calendar has it.
    """

    readings: tuple[str, ...]
    before: str
    behind: str
    between: tuple[str, ...] = ()
    is_none: bool = True


def mend_date(node: Node, text: str) -> Scalar:
    """The one day that a text names: year first, or with the month's name, or in figures of which one is above 12.

    Weekdays, ordinals, decoration, some words around and a time of day behind are read. A day that no calendar has
    is a problem.
    """
    day = _day(text)
    if day is None:
        return failed(node)
    if _OTHER_DAY.search(day.before):
        return failed(node, "a day by which another time is named")
    has_time = day.behind != "" and _time(_trimmed(day.behind)) != ""
    if not are_quiet(_BEGINNING.sub("", day.before), "" if has_time else _BEGINNING.sub("", day.behind)):
        return failed(node)
    return _one_day(node, day)


def mend_time(node: Node, text: str) -> Scalar:
    """The one time of day that a text names: `3pm`, `14.30`, `14h30`, `9:05 UTC`, `noon`."""
    text = _once(ascii_digits(bare(text)).translate(HYPHENS)) if len(text) <= _DATE_LIKE else ""
    time = _time(text)
    if time and _LIKE_RANGE.fullmatch(text):
        return failed(node, "two times, or one with an offset from UTC")
    return respelled(time) if time else failed(node)


def mend_datetime(node: Node, text: str) -> Scalar:
    """The one day with the one time that a text names, in either order. A day alone is its midnight."""
    day = _day(text)
    if day is None:
        return failed(node)
    rest = " ".join(dict.fromkeys(filter(None, map(_once, (day.before, *day.between, day.behind)))))
    time = _time(rest) if rest else "00:00:00"
    if time and _is_range(rest):
        return failed(node, "two times, or one with an offset from UTC")
    if not time:
        return failed(node)
    found = _one_day(node, day)
    if found.ambiguous:
        return ambiguous(tuple(f"{reading}T{time}" for reading in found.candidates))
    return found if found.value is None else respelled(f"{found.value}T{time}")


def _once(text: str) -> str:
    """What stands by a day, without the same time again in brackets."""
    again = _AGAIN.fullmatch(text) if "(" in text else None
    if again is not None:
        first, second = map(_trimmed, again.groups())
        if _time(first) and _time(first) == _time(second):
            return first
    return _trimmed(text)


def _is_range(text: str) -> bool:
    """Whether an hour with a dash and another hour behind it is a range: the second is the later one, or no offset."""
    match = _LIKE_RANGE.fullmatch(text)
    if match is None:
        return False
    first, second = (tuple(map(int, _NOT_DIGITS.split(part))) for part in match.groups())
    return second > first or not _OFFSET.search(text)


def _one_day(node: Node, day: _Day) -> Scalar:
    if not day.readings:
        return failed(node, "no calendar has such a day" if day.is_none else "which is another day of the week")
    return respelled(day.readings[0]) if len(day.readings) == 1 else ambiguous(day.readings)


def _day(text: str) -> _Day | None:
    """The day of a text, or all that stand in it. None without one."""
    text = bare(text)
    if len(text) > _DATE_LIKE:
        return None
    text = ascii_digits(text)
    if not text.isascii():
        text = _ANY_DASH.sub(lambda day: day[0].translate(_ASCII_DASHES), text).translate(HYPHENS)
    text = _TOGETHER.sub(_with_colons, text)
    first = _DAY.match(text)
    if first is not None and first.end() == len(text):
        return _Day(_readings(first), "", "")
    weekdays: set[str] = set()
    if _TWO_LETTERS.search(text):
        weekdays = {in_small_letters(name[1][:3]) for name in _WEEKDAY.finditer(text)}
        text = _ORDINAL.sub("", _WEEKDAY.sub("", text))
    found = list(_DAY.finditer(text))
    if not found:
        return None
    readings = tuple(dict.fromkeys(reading for match in found for reading in _readings(match)))
    fitting = tuple(reading for reading in readings if _is_on(reading, weekdays))
    between = tuple(text[one.end() : other.start()] for one, other in pairwise(found))
    return _Day(fitting, text[: found[0].start()], text[found[-1].end() :], between, not readings)


def _is_on(day: str, weekdays: set[str]) -> bool:
    """Whether a day is on the day of the week that is named, if one is."""
    return len(weekdays) != 1 or _WEEKDAYS[date.fromisoformat(day).weekday()] in weekdays


def _with_colons(moment: re.Match[str]) -> str:
    """`20240302T143000` -> `20240302T14:30:00`."""
    return f"{moment[1]}T{':'.join(filter(None, moment.group(2, 3, 4)))}"


def _readings(match: re.Match[str]) -> tuple[str, ...]:
    """The days of the calendar that a match may be."""
    year, *others = match.group(*_PARTS[match.lastgroup or ""])
    if match.lastgroup == "y3":
        first, second = map(int, others)
        found = [_calendar(int(year), second, first), _calendar(int(year), first, second)]
    else:
        month, day = others
        number = int(month) if month.isdigit() else _MONTH_NAMES.index(in_small_letters(month[:3])) // 3 + 1
        found = [_calendar(int(year), number, int(day))]
    return tuple(dict.fromkeys(filter(None, found)))


def _calendar(year: int, month: int, day: int) -> str | None:
    try:
        return date(year, month, day).isoformat()
    except ValueError:
        return None


def _trimmed(text: str) -> str:
    """What stands by a day, without what only joins it to a time, and without the name of an offset's zone."""
    text = _ZONE_NAME.sub(lambda zone: zone[1] or zone[2], text)
    return _BETWEEN.sub("", " ".join(_ABOUT.sub(" ", text.replace("(", " ").replace(")", " ")).split()))


_NAMED_TIMES = {"noon": (12, 0), "midday": (12, 0), "midnight": (0, 0)}


def _time(text: str) -> str:
    """A time of day in its strict form, or nothing."""
    match = _TIME.fullmatch(text)
    if match is None:
        return ""
    word, digits, minutes, seconds, part, half, clock, offset, utc = match.groups(default="")
    if word:
        hour, minute = _NAMED_TIMES[in_small_letters(word)]
    else:
        hour, minute = _hour(int(digits), half.lower()), int(minutes or 0)
    bare_hour = not (word or minutes or half or clock)
    second = int(seconds or 0)
    zone = _zone(offset) if offset else ""
    if utc and zone and zone != "Z" and zone[1:] != "00:00":  # as Go shows moments
        return ""
    if bare_hour or not 0 <= hour < 24 or minute >= 60 or second >= 60 or zone is None:
        return ""
    return f"{hour:02}:{minute:02}:{second:02}{part.replace(',', '.')}{zone}"


def _hour(hour: int, half: str) -> int:
    """The hour of 24 of an hour with am or pm; below 0 if there is none."""
    if not half:
        return hour
    return hour % 12 + (12 if half == "p" else 0) if 1 <= hour <= 12 else -1


def _zone(text: str) -> str | None:
    """An offset in its strict form. None where it makes no sense."""
    text = text.lower()
    offset = text.removeprefix("utc").removeprefix("gmt")
    if text == "z" or not offset:
        return "Z"
    hours, minutes = _split_offset(offset[1:])
    return f"{offset[0]}{hours:02}:{minutes:02}" if hours < 24 and minutes < 60 else None


def _split_offset(digits: str) -> tuple[int, int]:
    """`2` -> 2 hours, `0530` and `05:30` -> 5 hours and 30 minutes."""
    digits = digits.replace(":", "")
    return (int(digits), 0) if len(digits) <= 2 else (int(digits[:-2]), int(digits[-2:]))
