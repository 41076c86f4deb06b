"""Numbers in words: `twenty-one`, `two hundred and five`, `minus one point five`."""

from __future__ import annotations

import re

__all__ = ["HALF_SAID", "NUMBER_WORD", "NUMBER_WORDS", "RUN", "spelled"]

_BELOW_TWENTY = """zero one two three four five six seven eight nine ten
eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"""
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"


def _number_words() -> dict[str, int]:
    small = _BELOW_TWENTY.split()
    words = {word: number for number, word in enumerate(small)}
    for count, ten in enumerate(_TENS.split(), 2):
        words[ten] = 10 * count
        words |= {f"{ten}-{unit}": 10 * count + number for number, unit in enumerate(small[1:10], 1)}
    return words


NUMBER_WORDS = _number_words()
"""Numbers below a hundred in words."""

NUMBER_WORD = "|".join(sorted(NUMBER_WORDS, key=len, reverse=True))
"""A pattern for one of them."""

_POWERS = {"thousand": 3, "million": 6, "billion": 9, "trillion": 12}
RUN = re.compile(
    rf"(?:{NUMBER_WORD})(?:[ -](?:and )?(?:{NUMBER_WORD}|hundred|{'|'.join(_POWERS)}|point)(?!\w))*+", re.IGNORECASE
)
"""Words behind each other that could be one number."""
HALF_SAID = re.compile(rf"\b(?:{NUMBER_WORD}) point\s*\Z", re.IGNORECASE)
"""The beginning of a number that is not in words to its end."""
_MOST_WORDS = 24
"""Words of one number."""


def spelled(text: str) -> tuple[str, str, str] | None:
    """The number that words alone name: its sign, its whole part and its decimals."""
    words = text.replace("-", " ").split()
    if not words or len(words) > _MOST_WORDS:
        return None
    sign = "-" if words[0] in ("minus", "negative") else ""
    words = words[1:] if sign else words
    point = words.index("point") if "point" in words else len(words)
    whole = _whole(words[:point])
    digits = [NUMBER_WORDS.get(word, 10) for word in words[point + 1 :]]
    if whole is None or (point < len(words) and not digits) or any(digit > 9 for digit in digits):
        return None
    return sign, str(whole), "".join(map(str, digits))


def _whole(words: list[str]) -> int | None:
    """The whole number that words name, by rising and falling as they are said: `two million three hundred and one`."""
    total = part = 0
    room = last = 10**15  # what may still be added: below the last ten, hundred, or magnitude
    for word, next_word in zip(words, [*words, ""][1:], strict=True):
        value = 1 if word == "a" and next_word in ("hundred", *_POWERS) else NUMBER_WORDS.get(word)
        if value is not None and value < room and (value or words == [word]):
            part += value
            room = 10 if value >= 20 else 1
        elif word == "hundred" and 0 < part < 100:
            part, room = part * 100, 100
        elif word in _POWERS and part > 0 and 10 ** _POWERS[word] < last:
            total += part * 10 ** _POWERS[word]
            part, room, last = 0, 10**15, 10 ** _POWERS[word]
        elif word != "and" or part % 100 or not (total or part) or not next_word:
            return None
    return total + part if words else None
