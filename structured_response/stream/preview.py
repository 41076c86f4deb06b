"""Shows the data of a reply while it is being written.

A `Preview` follows the reply with the search that also reads whole replies. It shows the cheapest reading of what has
come, as if everything that is open were going to be closed. What it shows is replaced, on record, if the whole reply
turns out to mean something else.

A part costs as much as the open elements, not as much as the reply, since parts share what has not changed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from ..definition import Path, Plan
from ..escaping import SURROGATE, encodable
from ..options import ParseOptions
from ..read.answer import MAX_REPLY
from ..read.candidates import JSON_BEGINS, tag_scanner
from ..read.data import LimitReachedError
from ..read.grammar import grammar_of
from ..read.scan import CLOSE, OPEN, REASONING
from ..read.scan_json import CLOSERS, json_scanner
from ..read.table import element as inner_state
from .feed import BracketFeed, TagFeed
from .frames import Shown
from .partial import Partial


class Preview:
    """The readings of a reply that comes in pieces.

    Attributes:
        text: The reply so far, with U+FFFD in place of lone surrogates.
        halves: The lone surrogates, with their places.
        partial: The answer that is shown, or None.
        rival: An answer after it that has no data yet, or None.
        is_lost: Whether nothing more is shown, since the reply exceeds a limit or is to be YAML.
    """

    def __init__(self, plan: Plan, options: ParseOptions) -> None:
        self.plan = plan
        self.options = options
        self.grammar = grammar_of(plan)
        self.tags = TagFeed(tag_scanner(plan))
        self.partial: Partial | None = None
        self.rival: Partial | None = None
        self._sure: Partial | None = None  # the one that is shown, while no other may begin
        self.is_lost = options.format == "yaml"
        self._next = 0  # the token from which on an answer is looked for
        self._passed = 0  # the end of the last answer
        self._looked = 0  # the place from which on JSON is looked for
        self._thoughts = 0
        self.halves: list[tuple[int, str]] = []
        self.text = ""

    @property
    def shown(self) -> Shown:
        """What is known now."""
        return Shown([]) if self.partial is None else self.partial.shown

    @property
    def bad(self) -> Collection[Path]:
        """The paths of values with problems, and those of all values around them."""
        return () if self.partial is None else self.partial.values.account.around_bad

    def end(self) -> Callable[[Any], bool]:
        """Forgets all but the text. Returns what tells whether the whole reply's data agrees with what was shown."""
        partial, self.partial, self.rival, self._sure = self.partial, None, None, None
        self.tags = TagFeed(self.tags.scanner)
        return (lambda data: True) if partial is None else partial.end(self.text)

    def feed(self, piece: str) -> bool:
        """Takes the next piece. Returns whether what was shown before is replaced."""
        place, sure = len(self.text), self._sure
        if place + len(piece) > MAX_REPLY:
            self.is_lost, piece, sure = True, piece[: MAX_REPLY + 1 - place], None
        if not piece.isascii():
            self.halves += [(place + half.start(), half[0]) for half in SURROGATE.finditer(piece)]
            piece = encodable(piece)
        text, self.text = self.text, ""
        text += piece  # in place, since nothing else refers to the text
        self.text = text
        try:
            if sure is not None and sure.extend(piece, place, text):
                return False
            return not self.is_lost and self._advance(text)
        except (LimitReachedError, RecursionError):
            self.is_lost, self._sure = True, None
            return False

    def _advance(self, text: str) -> bool:
        is_replaced, sure = False, self._sure
        if self.partial is not None:
            self.partial.advance(text)
            is_replaced = self.partial.is_contradicted  # also where a rival takes its place
        if sure is not None and not (sure.is_over or sure.is_contradicted):
            sure.forget()
            return False
        while self._begins(text):
            assert self.rival is not None
            self.rival.advance(text)
            had_data = self.partial is not None and self.partial.has_data
            if had_data and not self.rival.has_data:
                if not self.rival.is_over:
                    break
                self._pass(self.rival)
            else:
                is_replaced = is_replaced or had_data
                self.partial = self.rival
            self.rival = None
        partial = self.partial
        if partial is not None and partial.is_contradicted:
            partial.begin_anew()
            is_replaced = True
        is_sure = self.rival is None and partial is not None and partial.has_root and not partial.is_over
        self._sure = partial if is_sure else None
        self._next = 0 if is_sure else self._next  # tokens get other numbers, and `_passed` says where to go on
        return is_replaced

    def _begins(self, text: str) -> bool:
        """Returns whether there is a rival: an answer behind or around the one that is shown."""
        partial = self.partial
        if self.rival is not None:
            return True
        if partial is None or partial.is_over:
            if partial is not None:
                self._pass(partial)
            return self._begins_in_tags(text) or self._begins_in_json(text)
        is_weak = not partial.has_data if isinstance(partial.feed, BracketFeed) else not partial.has_root
        return is_weak and self._begins_in_tags(text, only_roots=True)

    def _pass(self, partial: Partial) -> None:
        """Looks for the next answer behind an answer that is over."""
        index, tokens = partial.reading.search.last[3] - 1, partial.feed.tokens
        self._passed = tokens.starts[min(index, len(tokens) - 1)]
        self._looked = max(self._looked, self._passed)
        if partial.feed is self.tags:
            self._next = max(self._next, index)

    def _begins_in_tags(self, text: str, only_roots: bool = False) -> bool:
        if self.options.format == "json":
            return False
        tags, grammar = self.tags, self.grammar
        tags.feed(text)
        tags.classify(text)
        tokens = tags.tokens
        while self._next < len(tokens):
            index = self._next
            tag = tokens.tags[index]
            if index >= tags.known and tokens.ends[index] == len(text):
                return False  # perhaps a tag that is used like a word
            self._next += 1
            if tokens.starts[index] < self._passed:
                continue
            if tag.folded in REASONING - grammar.names:
                self._thoughts = max(0, self._thoughts + (tag.kind == OPEN) - (tag.kind == CLOSE))
            is_root = tag.folded in grammar.root_names
            is_field = not only_roots and grammar.root.field(tag.name) is not None
            if self._thoughts or tag.kind != OPEN or tokens.symbols[index].is_mention or not (is_root or is_field):
                continue
            state = grammar.start if is_root else grammar.rootless
            self.rival = Partial(grammar, tags, state, index, self.options)
            return True
        return False

    def _begins_in_json(self, text: str) -> bool:
        if self.options.format == "xml":
            return False
        if self._thoughts:
            self._looked = len(text)
        match = JSON_BEGINS.search(text, self._looked)
        if match is None:
            self._looked = max(self._looked, len(text) - _LONGEST_BEGINNING)
            return False
        grammar, start = self.grammar, match.start()
        self._looked = start + 1
        feed = BracketFeed(json_scanner(self.plan), text, start, self.plan.root_name)
        around = grammar.state("ended", grammar.root, "", "")
        inside = inner_state(grammar, grammar.root, self.plan.root_name, CLOSERS[text[start]], around)
        self.rival = Partial(grammar, feed, inside, 1, self.options)
        return True


_LONGEST_BEGINNING = 100
"""Characters at the end of a text in which JSON may have begun that is not recognized yet."""
