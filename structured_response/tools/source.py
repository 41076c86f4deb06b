"""What is known of a reply while calls are looked for in it, and a call as it stands there."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from ..definition import Plan, fold, is_near
from ..findings import Problem, ProblemKind, Repair, RepairKind, Span
from ..options import Format
from .pieces import Pieces


@dataclass(slots=True)
class Written:
    """A call as it stands in a reply.

    Attributes:
        name: The name of the tool, as it was written.
        span: The place of the call, with its markers.
        pieces: The text to read the arguments from, or None if it has no arguments.
        form: The notation of that text.
        id: The call's own identifier, if it has one.
    """

    name: str
    span: Span
    pieces: Pieces | None = None
    form: Format = "json"
    id: str | None = None
    repairs: list[Repair] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    def doubt(self, message: str) -> None:
        self.problems.append(Problem(ProblemKind.AMBIGUOUS, "$", message, span=self.span))


_TEMPLATED = re.compile(r"\A(?:functions?|tools?|default_api)[.:](?=.)|:\d+\Z")


class Tools:
    """The tools of a toolbox, as their names and arguments are written in a reply."""

    def __init__(self, plans: Mapping[str, Plan]) -> None:
        self.plans = dict(plans)
        self._folded: dict[str, str | None] = {}
        for name in self.plans:
            self._folded[fold(name)] = None if fold(name) in self._folded else name

    def is_exact(self, name: str) -> bool:
        """Returns whether a name is that of a tool, as it is or as chat templates write it: `functions.search:0`."""
        return name in self.plans or _TEMPLATED.sub("", name) in self.plans

    def named(self, name: str) -> str | None:
        """Returns the tool that a name means: exact, behind a namespace, in another case, or with one slip."""
        if name in self.plans:
            return name
        bare = _TEMPLATED.sub("", name)
        if bare in self.plans:
            return bare
        bare = re.split(r"[./:]", bare)[-1]
        if bare in self.plans:
            return bare
        folded = fold(bare)
        if folded in self._folded:
            return self._folded[folded]
        near = [known for known in self.plans if is_near(folded, fold(known))]
        return near[0] if len(near) == 1 else None


@dataclass
class Source:
    """A reply in which calls are looked for, with what is known of it so far."""

    text: str
    tools: Tools
    stop: int = sys.maxsize
    _absent: dict[re.Pattern[str], int] = field(default_factory=dict)

    def find(self, pattern: re.Pattern[str], start: int) -> re.Match[str] | None:
        """Returns the first match behind a place. That there is none is remembered, so that time stays linear."""
        if self._absent.get(pattern, len(self.text) + 1) <= start:
            return None
        found = pattern.search(self.text, start)
        if found is None:
            self._absent[pattern] = start
        return found


Reading: TypeAlias = "tuple[list[Written], int] | None"
"""The calls at a place and the place behind them, or None if there are none."""


class Shape(NamedTuple):
    """A row of the tables.

    Attributes:
        head: The beginning. Its group is the name of the tool, if that stands there.
        end: The marker behind the arguments.
        read: The function that reads what follows the head.
    """

    head: re.Pattern[str]
    end: re.Pattern[str]
    read: Callable[[Source, Shape, re.Match[str]], Reading]
