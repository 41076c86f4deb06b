"""Words and signs by a number that say that it goes down, or lies south: a loss of 4, 4% lower, an arrow, 52.1 S.

They could be its minus, which nobody can tell. Not where a field asks for them by its name or its description, such as
`weight_loss`; nor where they say what the number came to, as in `fell to 4`.
"""

from __future__ import annotations

import re

from .loose import word_set

__all__ = ["downwards"]

_DOWN = word_set(
    "loss decrease reduction drop decline fall deficit shortfall dip cut lost decreased decreases decreasing reduced "
    "dropped declined fell fallen dipped shrank shrunk down lower lowered"
)
_TELLING = _DOWN | word_set("s south w west")
"""Words of which one has to stand there."""
_ANY_DOWN = "|".join(sorted(_DOWN, key=len, reverse=True))
_BEFORE = re.compile(
    rf"\b(?P<word>{_ANY_DOWN})\b(?:[ ]+(?:of|by|about|around|roughly|approximately|nearly|another|is|was))*+"
    r"[\s:=~(+$\u20ac\u00a3\u2248]*+(?=[0-9.])",
    re.IGNORECASE,
)
_BEHIND = re.compile(
    rf"[0-9](?:[ ]?(?:%|percent|per cent|points?|pts)[ -]+(?P<said>{_ANY_DOWN})|[ ]+(?P<how>down|lower))"
    r"(?![\w-])(?! to\b)",
    re.IGNORECASE,
)
_ARROWS = "[\u25bc\u25bd\u2193\u2b07\u21d3\U0001f53b\U0001f4c9]\ufe0f?"
_MONEY = r"[$\u20ac\u00a3]?"
_DEGREES = r"[\u00b0'\"\u2032\u2033]\s?"
_SIGNS = re.compile(
    rf"{_ARROWS}\s?{_MONEY}(?=[0-9.])|(?<=[0-9%])\s?{_ARROWS}"
    rf"|(?:[0-9]\s?|{_DEGREES})(?:S|[Ss]outh)\b|(?:{_DEGREES}W|[0-9\u00b0]\s?[Ww]est)\b"
)
_WORD = re.compile(r"[a-z]+")
_STEM = 4
"""Letters by which a word is known in a name: `decr` of `decrease`, `loss` of `losses`."""


def downwards(name: str, description: str | None, text: str) -> str:
    """Why what stands by a number could be its minus; nothing if nothing could."""
    if text.isascii() and _TELLING.isdisjoint(_WORD.findall(text.lower())):
        return ""
    found = _BEFORE.search(text) or _BEHIND.search(text)
    if found is None:
        return _BELOW if _SIGNS.search(text) else ""
    word = (found["word"] if found.re is _BEFORE else found["said"] or found["how"])[:_STEM].lower()
    return "" if word in f"{name} {description or ''}".lower() else _BELOW


_BELOW = "which may be below zero"
