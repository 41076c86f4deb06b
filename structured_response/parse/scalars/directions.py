"""Words and signs by a number that say that it goes down, or lies south: a loss of 4, 4% lower, an arrow, 52.1 S.

They could be its minus, which nobody can tell. Not where a field asks for them by its name or its description, such as
`weight_loss`; nor where they say what the number came to, as in `fell to 4`.
"""

from __future__ import annotations

import re

__all__ = ["downwards"]

_NOUNS = r"loss|decrease|reduction|drop|decline|fall|deficit|shortfall|dip|cut"
_VERBS = r"lost|decreas(?:ed|es|ing)|reduced|dropped|declined|fell|fallen|dipped|shrank|shrunk|down|lower(?:ed)?"
_BEFORE = re.compile(
    rf"\b(?P<word>{_NOUNS}|{_VERBS})\b(?:[ ]+(?:of|by|about|around|roughly|approximately|nearly|another|is|was))*+"
    r"[\s:=~(+$\u20ac\u00a3\u2248]*+(?=[0-9.])",
    re.IGNORECASE,
)
_BEHIND = re.compile(
    rf"[0-9](?:[ ]?(?:%|percent|per cent|points?|pts)[ -]+(?P<said>{_NOUNS}|{_VERBS})|[ ]+(?P<how>down|lower))"
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
_STEM = 4
"""Letters by which a word is known in a name: `decr` of `decrease`, `loss` of `losses`."""


def downwards(name: str, description: str | None, text: str) -> str:
    """Why what stands by a number could be its minus; nothing if nothing could."""
    found = _BEFORE.search(text) or _BEHIND.search(text)
    if found is None:
        return _BELOW if _SIGNS.search(text) else ""
    word = (found["word"] if found.re is _BEFORE else found["said"] or found["how"])[:_STEM].lower()
    return "" if word in f"{name} {description or ''}".lower() else _BELOW


_BELOW = "which may be below zero"
