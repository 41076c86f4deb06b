"""Examples of a prompt that a reply repeats: known by their headings, or by their data. They are no answers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

from ...definition import Plan, gist
from ...findings import Span
from ...limits import MAX_TRIED
from ...markup import EXAMPLE

__all__ = ["headings", "is_shown", "place_in", "without_shown"]

_LONGEST = 80
"""Characters between the end of a heading and its example: blanks, emphasis and a fence."""

_BETWEEN = re.compile(r"[\s*_>]*+(?:(?:`{3,}+|~{3,}+)[ \t]*+[\w+-]*+\s*+)?")
_HEADING = re.compile(rf"[^\n,<]{{0,{_LONGEST}}}+{re.escape(EXAMPLE)}")
_BLOCK = re.compile(
    rf"^[^\n]*{re.escape(EXAMPLE)}[ \t*_]*+\n(?:[^\n]*+[^\s][^\n]*+(?:\n|\Z)|[ \t]*+\n(?=[ \t]))*+", re.MULTILINE
)


def is_shown(text: str, start: int) -> bool:
    """Whether what stands at `start` stands below the heading of an example."""
    place = text.rfind(EXAMPLE, max(0, start - _LONGEST), start)
    return place >= 0 and _BETWEEN.fullmatch(text, place + len(EXAMPLE), start) is not None


def headings(text: str) -> Iterator[Span]:
    """Where headings of examples stand, the first few."""
    if EXAMPLE in text:
        for heading in islice(_HEADING.finditer(text), MAX_TRIED):
            yield heading.span()


def place_in(examples: tuple[Any, ...], plan: Plan, data: Any) -> int | None:
    """Which example has the same data, in one of its readings."""
    held = gist(plan.root, data) if examples else None
    return next((place for place, readings in enumerate(examples) if held in readings), None)


def without_shown(text: str) -> str:
    """The text with blanks in place of the lines of examples, which end before an empty line."""
    return _BLOCK.sub(lambda block: re.sub(r"[^\n]", " ", block[0]), text) if EXAMPLE in text else text
