"""Replies that were cut off: how to ask for the rest, and how to join the pieces."""

from __future__ import annotations

import re
from collections.abc import Iterator

__all__ = ["joined", "to_continue"]

MIN_AGAIN = 20
"""Characters from which a repeated element counts as a repetition: `<li>5</li>` may well come twice in a row."""

MIN_OVERLAP = 8
"""Characters from which a repeated value or line counts as a repetition."""

MAX_ANCHOR = 60
"""Characters of a reply by which its continuation is joined to it: too many to occur elsewhere by chance."""

_TAG = re.compile(r"<[^\s<>/!?][^<>]*>")
_OPEN = re.compile(r"<[^\s<>/!?][^<>]*>([^<]*)\Z")
"""The element that was being written: its tag, and as much of its text as there is."""

_MARKUP = re.compile(r'[<{\["]')
_FINISHED = (">", ",", "}", "]")


def to_continue(text: str) -> str:
    """The message that asks a language model to go on with a reply that was cut off."""
    return (
        "Your reply was cut off. Go on with it from there, without starting anew. Begin with its last characters, "
        f"which are these:\n{_anchor(text)}"
    )


def joined(text: str, more: str) -> str:
    """A reply that was cut off and its continuation as one text.

    What the continuation repeats is in it once: the whole reply, its last characters, its last elements, or the value
    or the line that was being written, with prose before it or without.
    """
    ended = text.rstrip()
    head = text.lstrip()[:MAX_ANCHOR]
    if not head or more.lstrip().startswith(head):
        return more
    for end in _ends(text):
        again = re.compile(r"\s+".join(map(re.escape, end.split()))).search(more)
        if again is not None and _is_prose(more[: again.start()], end):
            return ended[: -len(end)] + more[again.start() :]
    return text + more


def _is_prose(before: str, end: str) -> bool:
    """Whether the text before a repeated end may be left out. Before a short end there must be none."""
    return not before.strip() or (len(end) >= MIN_AGAIN and _MARKUP.search(before) is None)


def _ends(text: str) -> Iterator[str]:
    """The ends of the text that a continuation may begin with. Short elements and lines may recur by chance."""
    ended = text.rstrip()
    yield _anchor(text)
    opened = _OPEN.search(ended)
    if opened is not None:
        yield opened[0]
    yield from _elements(ended)
    line = "" if ended.endswith(_FINISHED) or "\n" in text[len(ended) :] else ended.rpartition("\n")[2]
    yield from (end for end in (opened[1] if opened else "", line) if len(end) >= MIN_OVERLAP)


def _elements(ended: str) -> Iterator[str]:
    """The text from each of the last tags on, unless the last two elements are the same."""
    near = max(0, len(ended) - 4 * MAX_ANCHOR)
    ends = [ended[tag.start() :] for tag in _TAG.finditer(ended, near)]
    if ends and not ended[: -len(ends[-1])].rstrip().endswith(ends[-1]):
        yield from (end for end in ends if len(end) >= MIN_AGAIN)


def _anchor(text: str) -> str:
    """The end of the text by which it is found again: from a tag on if it has one, or else from a word on."""
    end = text.rstrip()[-MAX_ANCHOR:].lstrip()
    tag = _TAG.search(end)
    start = tag.start() if tag is not None else end.find(" ") + 1
    return end[start:] if len(end) - start >= MIN_AGAIN else end
