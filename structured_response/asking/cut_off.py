"""Replies that were cut off: what to send so that they go on, and how the pieces make one text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..limits import MAX_ANCHOR, MIN_OVERLAP

__all__ = ["joined", "to_continue"]

_OPEN = re.compile(r"<[^\s<>/!?][^<>]*>([^<]*)\Z")
"""The element that was being written: its tag, and as much of its text as there is."""

_MARKUP = re.compile(r'[<{\["]')


def to_continue(text: str) -> str:
    """The message that asks a language model to go on with a reply that was cut off."""
    return (
        "Your reply was cut off. Go on with it from there, without starting anew. Begin with its last characters, "
        f"which are these:\n{_anchor(text)}"
    )


def joined(text: str, more: str) -> str:
    """One text of a reply that was cut off and what came when it was to go on.

    What comes again stands in it once: the whole reply, its last characters, which were asked for, or the element,
    the value or the line that was being written. Behind anything else the text goes on where it ended.
    """
    ended, start = text.rstrip(), more.lstrip()
    head = text.lstrip()[:MAX_ANCHOR]
    if not head or start.startswith(head):
        return more
    anchor = _anchor(text)
    again = re.compile(r"\s+".join(map(re.escape, anchor.split()))).search(more)
    if again is not None and _MARKUP.search(more, 0, again.start()) is None:
        return ended[: -len(anchor)] + more[again.start() :]
    repeated = next((end for end in _ends(text) if start.startswith(end)), "")
    return ended[: -len(repeated)] + start if repeated else text + more


def _ends(text: str) -> Iterator[str]:
    """What a model may begin with where it does not go on to the character: the longest first.

    A line that was finished is none: the next one may be its like.
    """
    ended = text.rstrip()
    opened = _OPEN.search(ended)
    if opened is not None:
        yield opened[0]
    line = "" if ended.endswith(_FINISHED) or "\n" in text[len(ended) :] else ended.rpartition("\n")[2]
    yield from (end for end in (opened[1] if opened else "", line) if len(end) >= MIN_OVERLAP)


_FINISHED = (">", ",", "}", "]")


def _anchor(text: str) -> str:
    """The end of the text by which it is found again."""
    return text.rstrip()[-MAX_ANCHOR:].lstrip()
