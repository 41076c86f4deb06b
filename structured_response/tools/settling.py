"""Which of the calls that a walk has found count, and the text around them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from ..findings import Span
from .events import is_between_quotes
from .shapes import MARKERS
from .source import Written
from .walk import AROUND, Walk

_CLOSING = re.compile(r"</([\w.:-]{1,100}+)\s{0,32}+>")


def settled(walk: Walk) -> list[Written]:
    """Returns the calls, in order. Those in fences do not count if text follows."""
    texts = (start for start, end in _texts(walk) if AROUND.fullmatch(walk.source.text, start, end) is None)
    last_text = max(texts, default=-1)
    shown = [written for written in walk.found if written.fence_end is not None and written.fence_end <= last_text]
    for written in shown:
        written.is_quoted = True
    ends = {written.fence_end for written in shown}
    walk.gone = [span for span in walk.gone if span[1] not in ends]
    found = sorted(walk.found, key=lambda written: written.span)
    counting = [written for written in found if not written.is_quoted]
    for before, written in pairwise(counting):
        if before.is_open:
            written.is_open = True
            written.doubt("it follows a call whose end is not sure")
    _doubt_before_strays(walk, counting)
    return found


def _doubt_before_strays(walk: Walk, calls: list[Written]) -> None:
    """Doubts the calls in front of a closing tag that has no partner: it may be the end of one of them, and what
    looks like its end, and the calls behind that, a part of an argument.
    """
    tagged = [written for written in calls if written.form == "xml"]
    names = {name for written in tagged for name in walk.source.tools.names_in(written.name)}
    strays = [
        stray.start()
        for start, end in (_texts(walk) if tagged else ())
        for stray in _CLOSING.finditer(walk.source.text, start, end)
        if stray[1] in names and not is_between_quotes(walk.source.text, stray.span())
    ]
    for written in tagged:
        if strays and written.span[1] <= strays[-1]:
            written.doubt("a closing tag behind it has no partner")


def remaining(walk: Walk) -> str:
    """Returns the text without the calls and the reasoning."""
    return MARKERS.sub("", "".join(walk.source.text[start:end] for start, end in _texts(walk))).strip()


def _texts(walk: Walk) -> Iterator[Span]:
    """Yields the spans of text."""
    place = 0
    for start, end in sorted(walk.gone):
        if start > place:
            yield place, start
        place = max(place, end)
    if place < walk.source.stop:
        yield place, walk.source.stop
