"""The way of a reading becomes a tree of elements, with the edits that it supposed and what it left over.

Every character of an answer is markup, an element's content, layout between elements, or left over: the tree holds the
spans of the first two, `left` those of the last.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ..definition import Path, fold
from .grammar import Shape
from .prices import PRICES, Edit
from .rows import Move
from .scan import CLOSE, COMMENT, END, Tokens, is_blank

__all__ = ["Element", "Left", "Mended", "Tree", "build"]


@dataclass(slots=True, eq=False)
class Element:
    """One element of an answer. `[start, stop)` is all of it, `[inner, end)` its content.

    `role` is what it is in the element around it: a "field" (or "repeated", or "again" for a list that goes on), an
    "item" (or an "item of" a list that has no element), an "entry" or a "pair", an "option", a "wrapper",
    "skipped", the "root". `step` is the field's name. `token` is the index of its opening tag, -1 where that is missing.
    `tokens` are those that it was made of. `is_cut`: the reply breaks off in it. `is_text`: it was read from the text of an element.
    """

    shape: Shape
    role: str
    step: Any
    start: int
    inner: int
    end: int = -1
    stop: int = -1
    name: str = ""
    token: int = -1
    is_cut: bool = False
    is_closed: bool = True
    form: str = "xml"
    children: list[Element] = field(default_factory=list)
    path: Path = ()
    is_text: bool = False
    tokens: Tokens | None = None

    @property
    def span(self) -> tuple[int, int]:
        return self.start, self.stop


@dataclass(slots=True)
class Mended:
    """An edit of the reading: where, and in which element."""

    edit: Edit
    element: Element
    span: tuple[int, int]


@dataclass(slots=True)
class Left:
    """A stretch of the answer that is no part of its data: in which element it stands, and behind which."""

    span: tuple[int, int]
    element: Element
    behind: Element | None
    edit: Edit


@dataclass(slots=True)
class Tree:
    """What a reading makes of an answer."""

    root: Element | None
    mended: list[Mended]
    left: list[Left]
    tokens: Tokens
    is_given_up: bool = False


class _Builder:
    """Follows the moves of a reading."""

    def __init__(self, tokens: Tokens) -> None:
        self.tokens = tokens
        self.open: list[Element] = []
        self.root: Element | None = None
        self.mended: list[Mended] = []
        self.left: list[Left] = []
        self.given_up = False
        self.touched: Element | None = None

    def take(self, index: int, move: Move, position: int) -> int:
        """Takes a token whose text begins at `position`; returns where the text of the next token begins."""
        self.touched = None
        for step in move.steps:
            getattr(self, f"_{step[0].replace(' ', '_')}")(index, position, move, *step[1:])
        for edit in move.edits:
            if edit not in _BY_STEPS and PRICES[edit].repair is not None:
                element = self.touched or (self.open[-1] if self.open else self.root)
                if element is not None:
                    self.mended.append(Mended(edit, element, self._span(index)))
        return self.tokens.ends[index]

    def _span(self, index: int) -> tuple[int, int]:
        return self.tokens.starts[index], self.tokens.ends[index]

    def _open(self, index: int, position: int, move: Move, shape: Shape, role: str, step: Any, implied: bool) -> None:
        start, stop = self._span(index)
        if implied:
            # A text in front of its closing tag begins where the token's text does.
            is_text = self.tokens.kinds[index] == CLOSE
            begin = position if is_text else start
            element = Element(shape, role, step, begin, begin, name="")
        else:
            element = Element(shape, role, step, start, stop, name=self.tokens.names[index], token=index)
        element.form = self.tokens.form
        element.tokens = self.tokens
        if self.open:
            self.open[-1].children.append(element)
        elif self.root is None or role == "root":
            self.root = element
        self.open.append(element)
        self.touched = element

    def _close(self, index: int, position: int, move: Move, is_own: bool) -> None:
        element = self.open.pop()
        start, stop = self._span(index)
        if element.token == index:  # an empty element
            element.inner, element.end = self.tokens.contents.get(index, (stop, stop))
            element.stop = stop
        elif is_own:
            element.end, element.stop = start, stop
        else:
            element.end = element.stop = start
            element.is_closed = False
            if self.tokens.kinds[index] == END:
                element.is_cut = True
            elif element.token >= 0:
                self.mended.append(Mended(Edit.CLOSER_MISSING, element, (start, start)))
        if element.role == "skipped":
            is_comment = self.tokens.kinds[element.token] == COMMENT
            self._leave_over(element.span, Edit.COMMENT_SKIPPED if is_comment else Edit.UNKNOWN_SKIPPED)
        elif self.touched is None:
            self.touched = element

    def _stray(self, index: int, position: int, move: Move) -> None:
        self._leave_over((position, self.tokens.starts[index]), Edit.TEXT_STRAY)

    def _drop(self, index: int, position: int, move: Move) -> None:
        edit = next((edit for edit in move.edits if edit in _DROPPED), Edit.CLOSER_UNKNOWN)
        self._leave_over(self._span(index), edit)

    def _leave_over(self, span: tuple[int, int], edit: Edit) -> None:
        if not self.open:
            return
        around = self.open[-1]
        behind = next((child for child in reversed(around.children) if child.role != "skipped"), None)
        self.left.append(Left(span, around, behind, edit))

    def _reopen(self, index: int, position: int, move: Move) -> None:
        assert self.root is not None
        self.open.append(self.root)
        self.root.is_closed = False

    def _give_up(self, index: int, position: int, move: Move) -> None:
        start = self.tokens.starts[index]
        while self.open:
            element = self.open.pop()
            element.end = element.stop = start
            element.is_cut, element.is_closed = True, False
        self.given_up = True


_DROPPED = frozenset({Edit.CLOSER_STRAY, Edit.CLOSER_CROSSED, Edit.CLOSER_IGNORED, Edit.CLOSER_UNKNOWN, Edit.OPENER_STRAY, Edit.OPENER_UNKNOWN})
_BY_STEPS = _DROPPED | {
    Edit.CLOSER_MISSING, Edit.TEXT_STRAY, Edit.UNKNOWN_SKIPPED, Edit.KNOWN_SKIPPED, Edit.FIELD_REPEATED,
    Edit.CONTENT_AS_TEXT, Edit.COMMENT_SKIPPED,
}  # fmt: skip
"""Edits that are recorded where the steps, or the values, tell their place."""


def build(tokens: Tokens, way: list[tuple[int, Move]], start: int) -> Tree:
    """The tree of a reading whose first token's text begins at `start`."""
    builder = _Builder(tokens)
    position = start
    for index, move in way:
        if move.state.kind == "done" and not move.steps:
            break
        position = builder.take(index, move, position) if move.steps or move.edits else tokens.ends[index]
    return Tree(builder.root, builder.mended, builder.left, tokens, builder.given_up)
