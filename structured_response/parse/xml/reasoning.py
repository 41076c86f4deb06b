"""Where a reply thinks aloud: its blocks of reasoning, of which the first may have begun with the reply."""

from __future__ import annotations

from bisect import bisect_right
from operator import itemgetter

from ...definition import Plan
from ...findings import Span
from .names import names_of
from .tokens import CLOSE, OPEN, Tags

__all__ = ["Reasoning", "thoughts"]

_START = itemgetter(0)


class Reasoning:
    """The outermost blocks of reasoning so far, in their order; the last one may be open."""

    __slots__ = ("blocks", "depth")

    def __init__(self) -> None:
        self.blocks: list[Span] = []
        self.depth = 0

    def begin(self, start: int) -> None:
        if not self.depth:
            self.blocks.append((start, _OPEN))
        self.depth += 1

    def end(self, end: int) -> None:
        """The end of the innermost block; where none was begun, of one that began with the reply."""
        if self.depth:
            self.depth -= 1
            if not self.depth:
                self.blocks[-1] = (self.blocks[-1][0], end)
        elif not self.blocks:
            self.blocks.append((0, end))

    def end_open(self, end: int) -> None:
        """Ends a block that is never closed."""
        if self.blocks and self.blocks[-1][1] == _OPEN:
            start = self.blocks[-1][0]
            self.blocks[-1] = (start, max(start, end))

    def holds(self, place: int) -> bool:
        index = bisect_right(self.blocks, place, key=_START) - 1
        return index >= 0 and place < self.blocks[index][1]

    def closed(self) -> list[Span]:
        return [block for block in self.blocks if block[1] != _OPEN]


_OPEN = -1
"""The end of a block that is still open."""


def thoughts(plan: Plan, tags: Tags) -> list[Span]:
    """The blocks of reasoning of a reply that are closed, in their order."""
    names, reasoning = names_of(plan).reasoning_keys, Reasoning()
    for index, head in enumerate(tags.heads):
        if head.key in names and head.kind == OPEN:
            reasoning.begin(tags.starts[index])
        elif head.key in names and head.kind == CLOSE:
            reasoning.end(tags.ends[index])
    return reasoning.closed()
