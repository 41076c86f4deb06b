"""Lengths of time as people write them -> ISO 8601.

A length is read where its amounts have units, each once; one that is said again in brackets is the same length. What
places it in time or repeats it (`2 hours ago`, `every 2 hours`, `2 hours twice`) makes something else of it.
"""

from __future__ import annotations

import re
from fractions import Fraction

from ...definition import Node
from .around import are_quiet
from .loose import HYPHENS, Scalar, ambiguous, bare, failed, in_small_letters, respelled
from .number_signs import with_decimals
from .separators import ascii_digits
from .spelled import NUMBER_WORD, NUMBER_WORDS

__all__ = ["mend_duration"]

_LONGEST = 200
"""Characters of a text in which a length of time may be said with words around."""
_SECONDS = {"w": 604_800, "d": 86_400, "h": 3_600, "m": 60, "s": 1}
_UNITS = (
    r"(?:(?P<w>weeks?|wks?|w)|(?P<d>days?|d)|(?P<h>hours?|hrs?|h)|(?P<m>minutes?|mins?|m)|"
    r"(?P<ms>milliseconds?|msecs?|ms)|(?P<s>seconds?|secs?|s))(?![^\W\d_])\.?"
)
_UNIT_NAMES = ("w", "d", "h", "ms", "m", "s")
_AMOUNT = re.compile(
    rf"(?:(?P<digits>[0-9]{{1,9}}(?:[.,][0-9]{{1,9}})?)[\s-]?|(?<!\w)(?P<word>an?|{NUMBER_WORD})[\s-]){_UNITS}"
    r"(?:[\s,]{0,3}(?:and\s)?)",
    re.IGNORECASE,
)
_CLOCK = re.compile(
    r"(?:(?P<d>[0-9]{1,9}) days?,? )?(?P<h>[0-9]{1,9}):(?P<m>[0-9]{2}):(?P<s>[0-9]{2}(?:\.[0-9]{1,6})?)"
)
_SHORT_CLOCK = re.compile(r"([0-9]{1,3}):([0-9]{2})")
_ISO = re.compile(r"[+-]?P(?:[0-9.]++[YMWD])*+(?:T(?:[0-9.]++[HMS])++)?")
_LAST_UNIT = re.compile(r"\A([0-9]{1,3}) ?(h|hrs?|m|min) ?([0-5][0-9])\Z", re.IGNORECASE)
_AGAIN = re.compile(r"([^()]+?)\s*\(([^()]+)\)")
_REPEATED = re.compile(r"(?<!\w)(?:every|each|per|twice|double)(?!\w)[^.]{0,10}\Z", re.IGNORECASE)
_IN_TIME = re.compile(
    r"[\s,(]*(?:ago|from now|twice|thrice|each|every|per|(?:dai|week|hour|month)ly|an? (?:day|week|month))(?!\w)",
    re.IGNORECASE,
)
_PLUS = re.compile(r"(?<=[a-z])\s?\+\s?(?=[0-9])")
_PARTS_OF_ONE = {"half": "0.5", "a quarter of": "0.25", "quarter of": "0.25", "three quarters of": "0.75"}
_PART_OF_ONE = re.compile(
    rf"(?<!\w)({'|'.join(_PARTS_OF_ONE).replace(' ', '[ -]')})\s+an?\s+(?=hour|day|minute|second|week)", re.IGNORECASE
)
_AND_A_HALF = re.compile(r"(?<!\w)(?:an?|one)\s+(hour|day|minute|week)\s+and\s+a\s+half(?!\w)", re.IGNORECASE)


def mend_duration(node: Node, text: str) -> Scalar:
    """The length of time that a text names: weeks, days, hours, minutes, seconds, each once, or `H:MM:SS`.

    Months and years have no fixed length, a bare number no unit, and `1:30` may be hours or minutes: problems. So is a
    dash in front of a blank, which may be a bullet or a minus.
    """
    text = with_decimals(ascii_digits(bare(text)).translate(HYPHENS)).rstrip(" .").lstrip("*\u2022 ")
    if len(text) > _LONGEST:
        return failed(node)
    if text[:1] == "-" and text[1:2].isspace():
        length = mend_duration(node, text[1:])
        return length if length.value is None else ambiguous((length.value, f"-{length.value}"))
    iso = text.upper().replace(" ", "").replace(",", ".")
    if _ISO.fullmatch(iso) and any(map(str.isdigit, iso)):
        return respelled(iso)
    sign, text = ("-", text[1:].lstrip()) if text[:1] == "-" else ("", text)
    again = _AGAIN.fullmatch(text) if text.endswith(")") else None
    if again is not None:
        lengths = {mend_duration(node, part).value for part in again.groups()}
        if len(lengths) == 1 and None not in lengths:
            return respelled(sign + lengths.pop())
    text = _LAST_UNIT.sub(_with_last_unit, text)
    short = _SHORT_CLOCK.fullmatch(text)
    if short is not None:
        minutes = Fraction(int(short[1]) * 60 + int(short[2]))
        return ambiguous((sign + _iso(60 * minutes), sign + _iso(minutes)))
    clock = _CLOCK.fullmatch(text)
    seconds = _total(clock.groupdict()) if clock else _summed(_with_parts_of_one(_PLUS.sub(" ", text)))
    return failed(node) if seconds is None else respelled(sign + _iso(seconds))


def _with_last_unit(match: re.Match[str]) -> str:
    """`1h30` -> `1h 30m`."""
    return f"{match[1]}{match[2]} {match[3]}{'m' if match[2][0] in 'hH' else 's'}"


def _with_parts_of_one(text: str) -> str:
    """`half an hour` -> `0.5 hour`, `an hour and a half` -> `1.5 hour`."""
    text = _PART_OF_ONE.sub(lambda part: f"{_PARTS_OF_ONE[part[1].lower().replace('-', ' ')]} ", text)
    return _AND_A_HALF.sub(r"1.5 \1", text)


def _total(parts: dict[str, str | None]) -> Fraction | None:
    """The seconds of amounts by their units. None for what a millionth of a second does not divide."""
    total = sum((Fraction(amount) * _SECONDS[unit] for unit, amount in parts.items() if amount), Fraction(0))
    return total if (total * 1_000_000).denominator == 1 else None


def _summed(text: str) -> Fraction | None:
    """The seconds of amounts with their units, one behind another, with some quiet words around them."""
    found = list(_AMOUNT.finditer(text))
    parts: dict[str, str | None] = {}
    for index, match in enumerate(found):
        unit = next(name for name in _UNIT_NAMES if match[name])
        before = found[index - 1] if index else None
        if unit in parts or (before is not None and (before.end() != match.start() or _is_rate(before, match))):
            return None
        parts[unit] = (
            match["digits"].replace(",", ".") if match["digits"] else _as_digits(in_small_letters(match["word"]))
        )
    if not found:
        return None
    front, behind = text[: found[0].start()], text[max(map(found[-1].end, _UNIT_NAMES)) :]
    if not are_quiet(front, behind) or _REPEATED.search(front) or _IN_TIME.match(behind):
        return None
    if "ms" in parts:
        parts["s"] = str(Fraction(parts.get("s") or 0) + Fraction(parts.pop("ms") or 0) / 1000)
    return _total(parts)


def _is_rate(before: re.Match[str], match: re.Match[str]) -> bool:
    """Whether one amount is said for each other one: `90 minutes a day`, not `a day and an hour`."""
    return (match["word"] or "").lower() in ("a", "an") and not before[0].rstrip().lower().endswith((",", "and"))


def _as_digits(word: str) -> str:
    return "1" if word in ("a", "an") else str(NUMBER_WORDS[word])


def _iso(seconds: Fraction) -> str:
    """A length of time in ISO 8601: days, hours, minutes and seconds."""
    whole = int(seconds)
    part = f"{int((seconds - whole) * 1_000_000):06}".rstrip("0")
    days, rest = divmod(whole, 86_400)
    hours, rest = divmod(rest, 3_600)
    minutes, rest = divmod(rest, 60)
    last = f"{rest}.{part}S" if part else f"{rest}S" if rest else ""
    clock = f"{f'{hours}H' if hours else ''}{f'{minutes}M' if minutes else ''}{last}"
    day = f"{days}D" if days else ""
    return f"P{day}T{clock}" if clock else f"P{day}" if day else "PT0S"
