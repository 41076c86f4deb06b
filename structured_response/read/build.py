"""Builds the tree of elements from the moves of a reading, with the edits it assumed and the text it left over.

Every character of an answer is markup, content of an element, layout between elements, or left over. The tree holds the
spans of the first two, `left` those of the last.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from ..definition import Path
from ..escaping import GAP
from ..findings import Span
from .grammar import Shape, State
from .prices import PRICES, Edit
from .scan import CLOSE, COMMENT, EMPTY, END, MARK, OPEN, Attribute, Tokens, attributes_of, is_blank
from .table import Move


@dataclass(slots=True, eq=False)
class Element:
    """One element of an answer.

    Attributes:
        role: Its role in the parent: "field", "repeated" (a second time), "again" (a list that continues), "item",
            "item of" (an item of a list that has no element), "entry", "pair", "option", "wrapper", "skipped" or
            "root".
        step: The name of the field.
        start: The start of the element; `[start, stop)` is all of it.
        inner: The start of its content, which is `[inner, end)`.
        token: The index of its opening tag, -1 if that is missing.
        tokens: The tokens it was built from.
        form: The notation of its tokens.
        is_leaf: Whether it has well-formed tags, without attributes but the key of an entry, and only text between
            them.
        is_cut: Whether the reply breaks off in it.
        is_text: Whether it was read from the text of another element.
    """

    shape: Shape
    role: str
    step: Any
    start: int
    inner: int
    end: int
    stop: int
    name: str
    token: int
    tokens: Tokens
    form: str
    is_leaf: bool = False
    is_cut: bool = False
    is_closed: bool = True
    children: list[Element] = field(default_factory=list)
    path: Path = ()
    is_text: bool = False
    _attributes: list[Attribute] | None = None

    @property
    def span(self) -> Span:
        return self.start, self.stop

    @property
    def place(self) -> Span:
        """The span of its content, or of the whole element if that is empty."""
        return (self.inner, self.end) if self.inner < self.end else (self.start, self.stop)

    @property
    def source(self) -> str:
        """The text between its tags."""
        return self.tokens.text[self.inner : self.end]

    @property
    def content(self) -> str:
        """The text between its tags, stripped."""
        return self.source.strip(GAP)

    @property
    def is_empty(self) -> bool:
        return not self.children and not self.content

    @property
    def is_tag(self) -> bool:
        """True if it begins with a tag of its own."""
        text = self.tokens.text
        if self.form != "xml" or text[self.start : self.start + 1] not in ("<", "\uff1c"):
            return False
        return not text[self.inner - 1].isspace()

    @property
    def attributes(self) -> list[Attribute]:
        """The attributes of its opening tag."""
        if self.inner - self.start <= len(self.name) + 2 or self.token < 0:
            return []
        if self._attributes is None:
            text, start, end = self.tokens.text, self.start + 1, self.inner
            has_any = text.find("=", start, end) >= 0 and self.is_tag
            self._attributes = attributes_of(text, start, end) if has_any else []
        return self._attributes


@dataclass(slots=True)
class Mended:
    """An edit of the reading, with its place and its element."""

    edit: Edit
    element: Element
    span: tuple[int, int]


@dataclass(slots=True)
class Left:
    """A span of the answer that is not part of its data, with the element around it and the one before it."""

    span: tuple[int, int]
    element: Element
    before: Element | None
    edit: Edit


@dataclass(slots=True)
class Tree:
    """The result of a reading. `torn` is the element in whose closing tag the reply breaks off; `way` holds the moves
    of the reading, each with the index of its token.
    """

    root: Element | None
    mended: list[Mended]
    left: list[Left]
    tokens: Tokens
    is_given_up: bool = False
    torn: Element | None = None
    way: list[tuple[int, Move]] = field(default_factory=list)


Mark: TypeAlias = tuple[list[Element], Element | None, Element | None, Element | None, int, int]
"""A point in a reading: the open elements, the last child of the innermost one, the root, the torn element, and the
numbers of edits and of leftover texts.
"""


class Builder:
    """Applies the moves of a reading."""

    def __init__(self, tokens: Tokens) -> None:
        self.tokens = tokens
        self.open: list[Element] = []
        self.root: Element | None = None
        self.mended: list[Mended] = []
        self.left: list[Left] = []
        self.given_up = False
        self.torn: Element | None = None
        self.touched: Element | None = None

    def mark(self) -> Mark:
        """Returns a point that the builder can be rewound to."""
        last = self.open[-1].children[-1] if self.open and self.open[-1].children else None
        return self.open[:], last, self.root, self.torn, len(self.mended), len(self.left)

    def rewind(self, mark: Mark) -> None:
        """Takes back all moves since a mark."""
        opened, last, self.root, self.torn, mended, left = mark
        self.open, self.given_up = opened[:], False
        for element, child in zip(opened, [*opened[1:], last], strict=False):  # no element may be open
            while element.children and element.children[-1] is not child:
                element.children.pop()
            element.end = element.stop = -1
            element.is_cut, element.is_closed = False, True
        del self.mended[mended:], self.left[left:]

    def take(self, index: int, move: Move, position: int) -> int:
        """Takes a token whose preceding text begins at `position`. Returns the position where the text of the next one
        begins.
        """
        tokens = self.tokens
        start, stop = tokens.starts[index], tokens.ends[index]
        _state, steps, edits, parts = move
        if parts is None:
            self.follow(move, tokens.kinds[index], index, position, start, stop)
        elif not edits and len(steps) == 2 and self.open:
            _kind, shape, role, step, _implied = steps[0]
            inner, end = tokens.contents[index]
            name, form = tokens.names[index], tokens.form
            is_leaf = inner - start == len(name) + 2 if form == "xml" else tokens.text[inner:end].isdecimal()
            is_leaf |= form == "xml" and role == "entry" and self.has_only_key(index)
            element = Element(shape, role, step, start, inner, end, stop, name, index, tokens, form, is_leaf)
            self.open[-1].children.append(element)
            if role == "skipped":
                self.leave_over((start, stop), Edit.UNKNOWN_SKIPPED)
        else:
            inner, end = tokens.contents[index]
            self.follow(parts[0], OPEN, index, position, start, inner)
            self.follow(parts[1], CLOSE, index, inner, end, stop)
        return stop

    def has_only_key(self, index: int) -> bool:
        """Returns whether the tag of the leaf at a token has a key and no other attribute."""
        tokens = self.tokens
        count = tokens.text.count("=", tokens.starts[index], tokens.contents[index][0])
        return tokens.symbols[index].keyed and count == 1

    def follow(self, move: Move, kind: str, index: int, position: int, start: int, stop: int) -> None:
        """Applies one move to a tag at `[start, stop)`."""
        self.kind, self.index, self.position, self.start, self.stop = kind, index, position, start, stop
        self.move, self.touched = move, None
        for step in move.steps:
            _TAKE[step[0]](self, *step[1:])
        for edit in move.edits:
            element = self.around() if edit in _ON_RECORD else None
            if element is not None:
                self.mended.append(Mended(edit, element, (start, stop)))
        if index in self.tokens.broken and self.tokens.form == "xml":
            element = self.around() if any(step[0] in ("open", "close") for step in move.steps) else None
            if element is not None:
                edit = Edit.CLOSER_TORN if kind == CLOSE else Edit.OPENER_TORN
                self.mended.append(Mended(edit, element, (start, stop)))

    def around(self) -> Element | None:
        """Returns the element that an edit is about."""
        return self.touched or (self.open[-1] if self.open else self.root)

    def opening(self, shape: Shape, role: str, step: Any, implied: bool) -> None:
        """Opens an element."""
        if implied:
            # A text in front of its closing tag begins where the token's text does.
            begin = self.position if self.kind == CLOSE else self.start
            place, name, token = (begin, begin), "", -1
        else:
            place, token = (self.start, self.stop), self.index
            name = "" if self.kind == MARK else self.tokens.names[self.index]
        element = Element(shape, role, step, *place, -1, -1, name, token, self.tokens, self.tokens.form)
        if self.open:
            self.open[-1].children.append(element)
        elif self.root is None or role == "root":
            self.root = element
        self.open.append(element)
        self.touched = element

    def closing(self, is_own: bool) -> None:
        """Closes the innermost element, with or without its own closing tag."""
        element = self.open.pop()
        if element.children and Edit.CONTENT_AS_TEXT in self.move.edits:  # behind a skipped element
            self.left.append(Left((self.position, self.start), element, None, Edit.TEXT_STRAY))
        if is_own and self.kind not in (OPEN, EMPTY):
            element.end, element.stop = self.start, self.stop
            if self.tokens.symbols[self.index].is_torn and self.torn is None:
                self.torn = element
        elif element.token == self.index:  # an empty element
            element.inner, element.end = self.tokens.contents.get(self.index, (self.stop, self.stop))
            element.stop = self.stop
        elif is_own:  # an opening tag in place of the closing one
            element.end, element.stop = self.start, self.stop
        else:
            self.leave_open(element)
        if element.role == "skipped":
            is_comment = self.tokens.kinds[element.token] == COMMENT
            self.leave_over(element.span, Edit.COMMENT_SKIPPED if is_comment else Edit.UNKNOWN_SKIPPED)
        elif self.touched is None:
            self.touched = element

    def leave_open(self, element: Element) -> None:
        """Closes an element that has no closing tag."""
        element.end = element.stop = self.start
        if element is self.root and element.children and self.kind != END:  # the rest is outside
            element.end = element.stop = max(self.position, element.children[-1].stop)
        element.is_closed = False
        if element.shape.is_text and not element.children:
            text = self.tokens.text[element.inner : self.start]
            element.end = element.inner + len(text.rstrip(GAP)) if element.form == "xml" else self.start
        if self.kind == END:
            element.is_cut = True
        elif element.token >= 0:
            self.mended.append(Mended(Edit.CLOSER_MISSING, element, (self.start, self.start)))

    def stray(self) -> None:
        """Leaves over the text in front of the tag."""
        self.leave_over((self.position, self.start), Edit.TEXT_STRAY)

    def drop(self) -> None:
        """Leaves over the tag."""
        edit = next((edit for edit in self.move.edits if edit in _DROPPED), Edit.CLOSER_UNKNOWN)
        self.leave_over((self.start, self.stop), edit)

    def leave_over(self, span: tuple[int, int], edit: Edit) -> None:
        """Records a span that is not part of the data."""
        if self.open:
            around = self.open[-1]
            children = around.children
            behind = children[-1] if children and children[-1].role != "skipped" else None
            self.left.append(Left(span, around, behind, edit))

    def reopen(self) -> None:
        """Reopens the root, which was closed too early, and leaves over the text passed since."""
        assert self.root is not None
        said = max([self.root.inner, *(left.span[1] for left in self.left[-1:])]), self.root.end
        if not self.root.children and not is_blank(self.tokens.text, *said):
            self.left.append(Left(said, self.root, None, Edit.TEXT_STRAY))
        passed = self.root.end, self.tokens.ends[self.index - 1]
        if passed[0] < passed[1]:
            self.left.append(Left(passed, self.root, None, Edit.CLOSER_STRAY))
        self.open.append(self.root)
        self.root.is_closed = False

    def give_up(self) -> None:
        """Abandons the answer."""
        while self.open:
            element = self.open.pop()
            element.end = element.stop = self.start
            element.is_cut, element.is_closed = True, False
        self.given_up = True


_TAKE: dict[str, Callable[..., None]] = {
    "open": Builder.opening,
    "close": Builder.closing,
    "stray": Builder.stray,
    "drop": Builder.drop,
    "reopen": Builder.reopen,
    "give up": Builder.give_up,
}
"""The handler of each kind of step."""

_DROPPED = frozenset(
    {
        Edit.CLOSER_STRAY,
        Edit.CLOSER_CROSSED,
        Edit.CLOSER_IGNORED,
        Edit.CLOSER_UNKNOWN,
        Edit.OPENER_UNKNOWN,
        Edit.OPENER_STRAY,
    }
)
_BY_STEPS = _DROPPED | {
    Edit.CLOSER_MISSING, Edit.TEXT_STRAY, Edit.UNKNOWN_SKIPPED, Edit.KNOWN_SKIPPED, Edit.FIELD_REPEATED,
    Edit.CONTENT_AS_TEXT, Edit.COMMENT_SKIPPED,
}  # fmt: skip
"""Edits that are recorded by the steps or by the values, which know their places."""
_ON_RECORD = frozenset(edit for edit, price in PRICES.items() if price.repair is not None or price.doubt) - _BY_STEPS


def build(tokens: Tokens, way: list[tuple[int, Move]], start: int, inside: State | None = None) -> Tree:
    """Returns the tree of a reading. `start` is where the text of its first token begins. A reading that began in a
    state `inside` of the root has the first token, which opens it, in front.
    """
    if inside is not None:
        way = [(0, Move(inside, (("open", inside.shape, "root", None, False),))), *way]
    builder = Builder(tokens)
    position = start
    for index, move in way:
        if not move.steps and move.state.kind == "done":
            break
        position = builder.take(index, move, position) if move.steps or move.edits else tokens.ends[index]
    return Tree(builder.root, builder.mended, builder.left, tokens, builder.given_up, builder.torn, way)
