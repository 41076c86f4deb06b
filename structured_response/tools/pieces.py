"""Texts that are made of pieces of a reply, and the way back from their places to those of the reply."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import replace

from ..findings import Problem, Repair, Span


class Pieces:
    """A text to be read in place of a part of a reply. `whole` is the place of that part, and `text`, if there is one,
    is the first piece.
    """

    def __init__(self, whole: Span, text: str | None = None, origin: Span | None = None) -> None:
        self.whole = whole
        self._texts: list[str] = []
        self._starts = [0]
        self._origins: list[Span] = []
        if text is not None:
            self.add(text, origin)

    def add(self, text: str, origin: Span | None = None) -> None:
        """Adds a text that stands for a span of the reply. One of the same length is that span's text."""
        self._texts.append(text)
        self._starts.append(self._starts[-1] + len(text))
        self._origins.append(self.whole if origin is None else origin)

    @property
    def text(self) -> str:
        return "".join(self._texts)

    def span(self, span: Span) -> Span:
        """Returns the place in the reply of a place in the text."""
        index = min(bisect_right(self._starts, span[0]) - 1, len(self._origins) - 1)
        (start, end), length = self._origins[index], self._starts[index + 1] - self._starts[index]
        if end - start != length:
            return start, end
        offset = start - self._starts[index]
        return span[0] + offset, min(span[1] + offset, end)

    def repairs(self, found: Iterable[Repair]) -> list[Repair]:
        return [replace(each, span=self.span(each.span)) for each in found]

    def problems(self, found: Iterable[Problem]) -> list[Problem]:
        return [replace(each, span=self.span(each.span) if each.span else self.whole) for each in found]
