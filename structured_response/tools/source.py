"""What is known of a reply while calls are looked for in it, and a call as it stands there."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import NamedTuple, TypeAlias

from ..definition import Plan, fold, is_near
from ..definition.names import MAX_COMPILED
from ..findings import Problem, ProblemKind, Repair, Span
from ..options import Format
from ..read import scan
from ..read.scan import Scan, Tokens
from ..stream.feed import TagFeed
from .pieces import Pieces
from .tool import Tool


@dataclass(slots=True)
class Written:
    """A call as it stands in a reply.

    Attributes:
        name: The name of the tool, as it was written.
        span: The place of the call, with its markers.
        pieces: The text to read the arguments from, or None if it has no arguments.
        form: The notation of that text.
        id: The call's own identifier, if it has one.
        is_open: Whether its end is not sure, so that what follows may belong to it.
        is_closed: Whether the marker that ends it is there.
        is_quoted: Whether it does not count.
        fence_end: The end of its fence, if that holds nothing but calls.
    """

    name: str
    span: Span
    pieces: Pieces | None = None
    form: Format = "json"
    id: str | None = None
    repairs: list[Repair] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    is_open: bool = False
    is_closed: bool = False
    is_quoted: bool = False
    fence_end: int | None = None

    def doubt(self, message: str, path: str = "$", span: Span | None = None) -> None:
        self.problems.append(Problem(ProblemKind.AMBIGUOUS, path, message, span=span or self.span))

    def cut(self, place: int, path: str = "$") -> None:
        """Records that the reply breaks off at a place in the call."""
        self.is_open = True
        self.problems.append(Problem(ProblemKind.TRUNCATED, path, BREAKS_OFF, span=(place, place)))


BREAKS_OFF = "the reply breaks off here"

_TEMPLATED = re.compile(r"\A(?:functions?|tools?|default_api)[.:](?=.)|:\d+\Z")


_ELEMENTS = ("call", "invoke", "parameter", "function", "arg_value")
"""The elements of calls and of their arguments in the shapes that have elements of their own."""


class CallScan(Scan):
    """The reader's scanner, for texts that may hold anything: nothing hides a tag, and any name counts."""

    def tag_at(self, text: str, start: int, end: int) -> scan.Tag:
        bracket = text.find("<", start + 1, end)
        tag = super().tag_at(text, start, end if bracket < 0 else bracket)
        return tag if tag.length else tag._replace(kind="")

    def called(self, name: str, slash: str, attributes: str) -> tuple[str, str, bool]:
        called, closer, _is_known = super().called(name, slash, attributes)
        return called, closer, True


class Tools:
    """The tools of a toolbox, as their names and arguments are written in a reply."""

    def __init__(self, tools: Iterable[Tool]) -> None:
        self.tools = {tool.name: tool for tool in tools}
        self.plans: dict[str, Plan] = {name: tool.request._plan for name, tool in self.tools.items()}
        self._meant: dict[str, str | None] = {name: name for name in self.plans}

    def names_in(self, name: str) -> tuple[str, ...]:
        """Returns the names that tags of a call of a tool may have, whatever its shape."""
        known = self.named(name)
        fields = self.plans[known].root.fields if known is not None else {}
        return (*fields, name, *_ELEMENTS)

    @cached_property
    def scanner(self) -> CallScan:
        return _scanner(frozenset(name for plan in self.plans.values() for name in plan.root.fields))

    def is_exact(self, name: str) -> bool:
        """Returns whether a name is that of a tool, as it is or as chat templates write it: `functions.search:0`."""
        return name in self.plans or _TEMPLATED.sub("", name) in self.plans

    def named(self, name: str) -> str | None:
        """Returns the tool that a name means: exact, behind a namespace, in another case, or with one slip."""
        if name not in self._meant:
            bare = _TEMPLATED.sub("", name)
            self._meant[name] = self._near(bare if bare in self.plans else _NAMESPACE.sub("", bare))
        return self._meant[name]

    def _near(self, name: str) -> str | None:
        if name in self.plans:
            return name
        folded = fold(name)
        same = [known for known in self.plans if fold(known) == folded]
        near = same or [known for known in self.plans if is_near(folded, fold(known))]
        return near[0] if len(near) == 1 else None


_NAMESPACE = re.compile(r"\A.*[./:]", re.DOTALL)


@lru_cache(maxsize=MAX_COMPILED)
def _scanner(fields: frozenset[str]) -> CallScan:
    """Returns the scanner for calls with such arguments, which knows the tags of earlier replies."""
    return CallScan(frozenset(map(fold, fields)), fields)


@dataclass
class Budget:
    """How many moves a reply may still take before only the cheapest readings of its tags are followed."""

    left: int = 300_000  # some seconds; a page of HTML takes one or two for a tag


@dataclass
class Source:
    """A text in which calls are looked for, with what is known of it so far.

    Attributes:
        text: The text.
        tools: The tools.
        stop: The end of the text that is looked at.
        budget: The moves that are left.
        is_whole: Whether the text has ended.
    """

    text: str
    tools: Tools
    stop: int
    budget: Budget = field(default_factory=Budget)
    is_whole: bool = False
    _absent: dict[re.Pattern[str], Span] = field(default_factory=dict)

    def find(self, pattern: re.Pattern[str], start: int) -> re.Match[str] | None:
        """Returns the first match behind a place. Where there is none is remembered, so that time stays linear."""
        begin, end = self._absent.get(pattern, (start, start))
        found = pattern.search(self.text, max(start, end - LOOK_BACK) if begin <= start else start, self.stop)
        if found is None:
            self._absent[pattern] = min(begin, start), self.stop
        return found

    @cached_property
    def feed(self) -> TagFeed:
        return TagFeed(self.tools.scanner, longest=0)

    def tokens(self) -> Tokens:
        """Returns the tags of the text so far, from its beginning."""
        self.feed.feed(self.text, self.is_whole)
        return self.feed.tokens

    def up_to(self, stop: int) -> Source:
        """Returns the beginning of this text."""
        made = Source(self.text, self.tools, stop, self.budget, self.is_whole)
        made.feed = self.feed
        return made


LOOK_BACK = 1000
"""Characters within which all markers are, and what decides whether one is there."""

Reading: TypeAlias = "tuple[list[Written], int] | None"
"""The calls at a place and the place behind them, or None if there are none."""


class Style(NamedTuple):
    """The names of a shape's elements.

    Attributes:
        argument: The element of each argument, or "" if it is the argument's own name.
        end: The element of a call, or "" if it is the tool's name.
        layout: Removes the blanks around an argument that are not part of it, given the blanks before its tag. None if
            all of them are.
        is_headed: Whether the opening tag of a call has an attribute.
    """

    argument: str
    end: str
    layout: Callable[[str, str], str] | None
    is_headed: bool = True


@dataclass(frozen=True)
class Shape:
    """A row of the tables of shapes.

    Attributes:
        head: The beginning. Its group is the name of the tool, if that stands there.
        mark: The marker behind the arguments, or "" if there is none.
        read: The function that reads what follows the head.
        is_marked: Whether the shape has a marker of its own. Otherwise it is all of a text.
        style: The names of its elements, if it is in tags.
        end: The pattern of the end: the marker, or the end of the text.
        ends: The pattern of a string of JSON or of the marker, in the group "mark".
    """

    head: re.Pattern[str]
    mark: str
    read: Callable[[Source, Shape, re.Match[str]], Reading]
    is_marked: bool = True
    style: Style | None = None

    @cached_property
    def end(self) -> re.Pattern[str]:
        return re.compile(rf"\s*+{self.mark}" if self.is_marked else rf"\s*+{self.mark}\s*+\Z")

    @cached_property
    def ends(self) -> re.Pattern[str]:
        return re.compile(rf'"(?:[^"\\]|\\.)*+"?+|(?P<mark>{self.marker.pattern})', re.DOTALL)

    @cached_property
    def marker(self) -> re.Pattern[str]:
        """The pattern of the marker alone."""
        return re.compile(self.mark if self.is_marked and self.mark else r"(?!)")
