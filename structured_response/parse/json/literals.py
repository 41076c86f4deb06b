"""Values as Python shows them -> their texts: `Decimal('1.5')`, `date(2024, 1, 2)`, `<Status.DONE: 'done'>`."""

from __future__ import annotations

import ast
import datetime as dt
import re
from collections.abc import Callable
from contextlib import suppress

from ..written import Bare

__all__ = ["LITERAL", "LITERAL_START", "literal"]

_NAMES = "Decimal|UUID|(?:Pure)?(?:Posix|Windows)?Path|(?:Any|AnyHttp|Http)?Url"
_TEXT = r"""(?:"[^"\\\n]*"|'[^'\\\n]*')"""
LITERAL = rf"""
    <[^\W\d][\w.]{{0,99}}+:[ ]?(?P<member>{_TEXT}|-?[0-9]++)>
    | (?:[a-z]{{1,20}}\.)?(?:{_NAMES})\([ ]?(?P<held>{_TEXT})[ ]?\)
    | (?:datetime\.)?(?P<moment>datetime|date|time|timedelta)\((?P<numbers>[a-z0-9=,\s-]{{0,100}})
      (?:tzinfo=(?P<zone>(?:datetime\.)?timezone\.utc|TzInfo\((?:UTC|0)\)))?\)
"""
"""A value that Python shows by the name of its class."""
LITERAL_START = rf"<[^\W\d][\w.]{{0,99}}+:|(?:[a-z]{{1,20}}\.)?(?:{_NAMES}|datetime|date|time|timedelta)\("
_LITERAL = re.compile(LITERAL, re.VERBOSE)
_NUMBER = re.compile(r"(?:(?P<name>[a-z]{1,20})=)?(?P<number>-?[0-9]{1,15})")


def literal(text: str, start: int) -> tuple[str, int] | None:
    """The value that Python shows at a place, and where it ends; None where there is none."""
    found = _LITERAL.match(text, start)
    if found is None:
        return None
    written = found["member"] or found["held"]
    if written is None:
        moment = _moment(found)
        return None if moment is None else (moment, found.end())
    held = str(ast.literal_eval(written))
    is_number = not written.startswith(("'", '"')) or text.startswith(("Decimal", "decimal"), start)
    return Bare(held) if is_number else held, found.end()


def _moment(found: re.Match[str]) -> str | None:
    """A date, a time or a length of time in its own form."""
    parts = [part.strip() for part in found["numbers"].split(",") if part.strip()]
    numbers = [_NUMBER.fullmatch(part) for part in parts]
    by_place = [int(number["number"]) for number in numbers if number and not number["name"]]
    by_name = {number["name"]: int(number["number"]) for number in numbers if number and number["name"]}
    if len(by_place) + len(by_name) < len(parts):
        return None
    zone = {"tzinfo": dt.UTC} if found["zone"] else {}
    with suppress(ValueError, TypeError, OverflowError):
        return _MOMENTS[found["moment"]](*by_place, **by_name, **zone)
    return None


def _length(*numbers: int, **named: int) -> str:
    length = dt.timedelta(*numbers, **named)
    sign, length = ("-", -length) if length < dt.timedelta() else ("", length)
    fraction = f".{length.microseconds:06}".rstrip("0") if length.microseconds else ""
    days = f"{length.days}D" if length.days else ""
    return f"{sign}P{days}T{length.seconds}{fraction}S"


_MOMENTS: dict[str, Callable[..., str]] = {
    "datetime": lambda *numbers, **named: dt.datetime(*numbers, **named).isoformat(),  # noqa: DTZ001 - as it was
    "date": lambda *numbers, **named: dt.date(*numbers, **named).isoformat(),
    "time": lambda *numbers, **named: dt.time(*numbers, **named).isoformat(),
    "timedelta": _length,
}
