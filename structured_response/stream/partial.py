"""One answer while it is written: what is known of it after each piece, and the text that grows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ..definition import MISSING, Node, fold
from ..findings import Span
from ..options import ParseOptions
from ..read.grammar import Grammar, State
from ..read.read_json import closer_of
from ..read.scan import OPEN, Symbol
from ..read.search import LOOK_BACK
from ..read.table import element as inner_state
from ..read.table import is_named, may_follow
from ..read.values.scalars import own_value
from ..render.placeholder import placeholder
from .feed import BracketFeed, TagFeed
from .frames import Frame, Opened, Shown, at, closed_at, final_values, goes_on, instance, is_kept
from .growing import HELD, Growing, GrowingMarkup, GrowingString
from .reading import RunningReading
from .values import Values

_FORGOTTEN = 3 * LOOK_BACK
"""Tokens after which those that are final are forgotten for the first time. The search reads the others again then."""


class Partial:
    """The reading of one answer while it is written.

    Attributes:
        has_root: Whether it begins with the tag of the root, or with a bracket.
        shown: What is known now.
        state: The state of the reading behind all tokens.
        foreseen: The number of tokens that the search has not taken yet, since it is plain what they do.
        growing: The text that is being written, or None.
        is_contradicted: Whether something that was shown turned out to be wrong.
    """

    def __init__(
        self, grammar: Grammar, feed: TagFeed | BracketFeed, state: State, index: int, options: ParseOptions
    ) -> None:
        self.grammar = grammar
        self.feed = feed
        self.has_root = state.filled >= 0
        self.reading = RunningReading(grammar, feed, state, index)
        self.values = Values(grammar, self.reading.builder, options)
        self.shown = Shown([])
        self.state = state
        self.foreseen = 0
        self.growing: Growing | None = None
        self.is_contradicted = False
        self._grown: Growing | None = None  # the last one
        self._version = -1
        self._horizon = _FORGOTTEN  # tokens
        self._fixed: int | None = None

    @property
    def is_over(self) -> bool:
        return self.reading.is_over

    @property
    def has_data(self) -> bool:
        """Whether anything of an answer was found."""
        return self.shown.text is not None or any(opened.made for opened in self.shown.spine)

    def extend(self, piece: str, place: int, text: str) -> bool:
        """Takes a piece that needs no search, and returns whether it is one: more of a text or of a tag, or the end of
        a tag that was foreseen. `text` is all of the reply so far.
        """
        growing = self.growing
        if growing is not None and growing.extend(piece, place):
            self._show_text(growing)
            return True
        if self.feed.passes(piece) or self._foresees(text):
            self._lengthen(text)
            return True
        return False

    def advance(self, text: str) -> None:
        """Takes what has come. `text` is all of the reply so far."""
        before, feed, reader = self.shown, self.feed, self.values.reader
        feed.feed(text)
        if feed.version == self._version:
            self._lengthen(text)
            return
        if isinstance(feed, TagFeed):
            feed.classify(text)
        self._version, self.foreseen = feed.version, 0
        reader.text = feed.tokens.text = text
        self.reading.advance()
        self.state = self.reading.state
        self._show()
        reader.text = feed.tokens.text = ""  # the text grows in place
        self._lengthen(text)
        self.is_contradicted = self.is_contradicted or not is_kept(before, self.shown, text)

    def _show(self) -> None:
        """Shows what the search has found."""
        builder, values = self.reading.builder, self.values
        values.update(builder)
        boundary = self.reading.fixed
        if boundary is not None and boundary != self._fixed:
            self._fixed = boundary
            values.fix(boundary)
        frames, account = values.stack, values.account
        self.growing = self._growing_in(frames) if builder.open else None
        spine = [frame.shown() for frame in frames if frame.is_placed]
        path = frames[-1].path if builder.open else None
        self.shown = Shown(spine, path, None, values.final, (*account.repairs,), (*account.problems,))

    def forget(self) -> None:
        """Forgets tokens and elements that are final, from time to time."""
        boundary, tokens = self._fixed, self.feed.tokens
        if len(tokens.starts) < self._horizon or boundary is None or len(tokens.symbols) < len(tokens.starts):
            return
        self.values.forget(boundary)
        self.reading.forget()
        self._horizon = 2 * len(self.feed.tokens)

    # The text that is being written

    def _lengthen(self, text: str) -> None:
        """Shows what has come of the text that is being written."""
        if self.growing is not None:
            self.growing.advance(text)
            self._show_text(self.growing)

    def _show_text(self, growing: Growing) -> None:
        shown, end = self.shown, growing.end
        if growing.length and shown.path is not None and (shown.text is None or shown.text[1] < end):
            self.shown = Shown(shown.spine, shown.path, (growing, end), shown.final, shown.repairs, shown.problems)

    def _growing_in(self, frames: list[Frame]) -> Growing | None:
        """Returns the text that the innermost element is, if it is a string."""
        frame, element = frames[-1], frames[-1].element
        if element.token < 0 or element.children or not frame.is_placed:
            return None
        if element.form == "json" and closer_of(element) != '"':
            return None
        around = frames[-2].element.shape.fields if len(frames) > 1 else {}
        is_optional = element.role == "field" and not around[element.step][0].required
        growing = self._growing_at(element.inner, element.shape.read_as, is_optional)
        if growing is not None and self.shown.text is None and closed_at(self.shown, frame.path) is not MISSING:
            growing.held = 0  # it was shown, and goes on
        return growing

    def _growing_at(self, inner: int, node: Node, is_optional: bool) -> Growing | None:
        """Returns the text that begins at a place, if it is a string."""
        if node.kind != "str":
            return None
        if self._grown is None or self._grown.inner != inner:
            held = HELD if node.nullable is not False or is_optional else 0
            more = len(placeholder(node)) if is_optional else 0
            if isinstance(self.feed, TagFeed):
                self._grown = GrowingMarkup(inner, held, more, self._may_end)
            else:
                self._grown = GrowingString(inner, held, more)
        return self._grown

    def _may_end(self, name: str) -> bool:
        """Returns whether a tag with a name may end the text that is being written."""
        tag, feed, state = Symbol(OPEN, name), self.feed, self.state
        assert isinstance(feed, TagFeed)
        if is_named(tag, state.closer) or may_follow(self.grammar, state, tag):
            return True
        folded = fold(name)
        return folded not in feed.scanner.known and not feed.scanner.is_other(folded)

    # Tags that need no search

    def _foresees(self, text: str) -> bool:
        """Shows what the next tag does, and returns whether that needs no search: it is a plain opening tag of a field
        that is written as one text, or its closing tag behind a plain value. These are read with the next other tag.
        """
        feed, reading, stack = self.feed, self.reading, self.values.stack
        if not isinstance(feed, TagFeed) or not reading.is_sure:
            return False
        tokens, index = feed.tokens, len(feed.tokens.starts)
        feed.feed(text)
        if len(tokens.starts) != index + 1 or reading.next + self.foreseen != index:
            return feed.version == self._version
        is_nested = not stack[-1].is_placed or len(stack[-1].path) + 1 < len(stack)  # in an option or a wrapper
        if is_nested or not feed.is_plain(index):
            return False
        if tokens.kinds[index] == OPEN:
            is_plain = not feed.has_text[index] and self._opens(tokens.names[index], tokens.ends[index])
        else:
            is_plain = self._closes(tokens.names[index], text, (tokens.ends[index - 1], tokens.starts[index]))
        if is_plain:
            self.foreseen += 1
            self._version = feed.version
        return is_plain

    def _opens(self, name: str, inner: int) -> bool:
        """Shows the field that a tag opens, and returns whether it can only be one that is written as one text."""
        state, before = self.state, self.shown
        inside = state.moves.get((Opened, name)) or _inside(self.grammar, state, name)
        if inside is None:
            return False
        self.growing = self._growing_at(inner, inside.shape.read_as, not state.shape.fields[name][0].required)
        self.state = inside
        spine, path = [*before.spine, Opened(inside.shape, None, "field", (name,))], (*self.values.stack[-1].path, name)
        self.shown = Shown(spine, path, None, before.final, before.repairs, before.problems, before.instance)
        return True

    def _closes(self, name: str, text: str, span: Span) -> bool:
        """Shows the value that a tag closes, and returns whether it can only be that of the field that is open."""
        state, before = self.state, self.shown
        if not self.foreseen or state.parent is None or name != state.name:
            return False
        node = state.shape.node
        value = (self.values.reader.grammar.own_values.get(node) or own_value(node))(text[slice(*span)])
        if value is None:
            return False
        self.state, self.growing, self.values.known[span] = state.parent, None, value
        *spine, outer, _text = before.spine
        spine.append(Opened(outer.shape, {**(outer.made or {}), name: value}, outer.role, outer.steps))
        self.shown = Shown(spine, self.values.stack[-1].path, None, before.final, before.repairs, before.problems)
        return True

    # What is replaced

    def begin_anew(self) -> None:
        """Forgets what was final and what was shown, since it is replaced."""
        self.is_contradicted = False
        self.values.unfix()
        self.shown = replace(self.shown, final=())

    def end(self, text: str) -> Callable[[Any], bool]:
        """Returns what tells whether the data of the whole reply, as Boxes, agrees with all that was shown."""
        shown, final = instance(self.grammar, self.shown, text), self.shown.final
        self.growing = self._grown = None  # which refer back, so that memory would be freed later

        def agrees(data: Any) -> bool:
            if shown == data:
                return True
            are_kept = (goes_on(at(data, path), value) for path, value in final_values(final))  # what was null, too
            return goes_on(shown, data) and all(are_kept)

        return agrees


def _inside(grammar: Grammar, state: State, name: str) -> State | None:
    """Returns the state in the field of a name that is written as one text and has not been there, or None."""
    field = state.shape.fields.get(name)
    if field is None or state.kind != "elements" or len(state.shape.parts) > 1:
        return None
    _field, shape, bit = field
    if not shape.is_text or state.filled & bit:
        return None
    around = grammar.changed(state, filled=state.filled | bit, is_fresh=False)
    inside = state.moves[Opened, name] = inner_state(grammar, shape, name, name, around, is_paired=True)
    return inside
