"""What reading a reply found: the `Repair`s made, the `Problem`s left, and how a place in a reply is shown.

The kinds are closed: `REPAIRS` and `PROBLEMS` hold one sentence and one example for each, and the
documentation of tolerances is made from them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

__all__ = [
    "MAX_EXCERPT",
    "MAX_FINDINGS",
    "MAX_SHOWN",
    "PROBLEMS",
    "REPAIRS",
    "Fault",
    "Problem",
    "ProblemKind",
    "Repair",
    "RepairKind",
    "excerpt",
    "line_and_column",
    "worst_first",
]

MAX_EXCERPT = 100
"""Characters of a reply's line that an excerpt shows, or of a choice that a message names: what a terminal holds."""

MAX_SHOWN = 5
"""Problems spelt out in an error's message, and choices in a problem's; all of them are on the object."""

MAX_FINDINGS = 10_000
"""Repairs, and problems, kept of one reply. Nobody reads more, and a hostile reply could ask for a million."""

Span = tuple[int, int]
"""`[start, end)` in characters of the reply as it came."""


class RepairKind(StrEnum):
    """What was done to get at the data."""

    CANDIDATE_CHOSEN = "candidate_chosen"
    CLOSER_MISSING = "closer_missing"
    CLOSER_RESPELLED = "closer_respelled"
    ELEMENT_SKIPPED = "element_skipped"
    FORMAT_READ = "format_read"
    ITEM_DROPPED = "item_dropped"
    JSON_MENDED = "json_mended"
    NAME_RESPELLED = "name_respelled"
    NULL_WORD = "null_word"
    OPENER_MISSING = "opener_missing"
    SHAPE_CHANGED = "shape_changed"
    TEXT_SKIPPED = "text_skipped"
    UNESCAPED = "unescaped"
    UNWRAPPED = "unwrapped"
    VALUE_RESPELLED = "value_respelled"
    WRAPPER_ENTERED = "wrapper_entered"


class ProblemKind(StrEnum):
    """Why the data is not what was asked for."""

    AMBIGUOUS = "ambiguous"
    INVALID = "invalid"
    LIMIT = "limit"
    MISSING = "missing"
    MISSING_EXTRA = "missing_extra"
    NO_ANSWER = "no_answer"
    NOT_STRICT = "not_strict"
    REFUSAL = "refusal"
    TRUNCATED = "truncated"


class Explained(NamedTuple):
    """A kind in words: one sentence, and a piece of a reply in which it happens."""

    sentence: str
    example: str


REPAIRS: dict[RepairKind, Explained] = {
    RepairKind.CANDIDATE_CHOSEN: Explained(
        "The reply contained several answers, examples of the prompt included; the best fit was taken.",
        "<review><score>3</score></review> Better: <review><score>4</score></review>",
    ),
    RepairKind.CLOSER_MISSING: Explained(
        "A closing tag was missing; the element ends where the next field begins.", "<headline>Nice<score>4</score>"
    ),
    RepairKind.CLOSER_RESPELLED: Explained(
        "A closing tag was misspelt, had another name, or was an opening tag.", "<headline>Nice</headlin>"
    ),
    RepairKind.ELEMENT_SKIPPED: Explained(
        "An unknown element, or the second copy of a field, was left out.",
        "<confidence>high</confidence>",
    ),
    RepairKind.FORMAT_READ: Explained(
        "The answer, or a value in it, was not in XML, or not in the format that was expected.",
        '{"headline": "Nice", "score": 4}',
    ),
    RepairKind.ITEM_DROPPED: Explained(
        "A list item had a problem and was left out (`on_bad_item='drop'`); `before` has the problem.",
        "<marks><li>4</li><li>many</li></marks>",
    ),
    RepairKind.JSON_MENDED: Explained(
        "JSON had a syntax error: a comma, a comment, a quote, a bracket or a word that is not valid JSON.",
        "{'headline': 'Nice', score: 4,}",
    ),
    RepairKind.NAME_RESPELLED: Explained(
        "A name was misspelt, was an alias, or differed in case or separators.",
        "<Head-Line>Nice</Head-Line>",
    ),
    RepairKind.NULL_WORD: Explained(
        "A word such as `N/A` was read as null, where null is allowed.", "<price>N/A</price>"
    ),
    RepairKind.OPENER_MISSING: Explained(
        "An opening tag was missing: the root's, an item's, or that of an element closed too early.",
        "<parts><li><label>a</label><points>1</points><label>b</label><points>2</points></li></parts>",
    ),
    RepairKind.SHAPE_CHANGED: Explained(
        "A list, a map or an object was written as text, as attributes, as repeated tags, or as a single value.",
        "<pros>light; cheap</pros>",
    ),
    RepairKind.TEXT_SKIPPED: Explained(
        "Text, a comment, a fence or a tag was left out where no value can be.",
        "<pros>Here: <li>light</li></pros>",
    ),
    RepairKind.UNESCAPED: Explained(
        "A character that XML requires to be escaped, or does not allow, was kept as it is.",
        "<headline>Q&A: 5 < 6</headline>",
    ),
    RepairKind.UNWRAPPED: Explained(
        "The whole answer was escaped (as HTML or as a JSON string), or quoted as in an e-mail.",
        "&lt;review&gt;&lt;score&gt;4&lt;/score&gt;&lt;/review&gt;",
    ),
    RepairKind.VALUE_RESPELLED: Explained(
        "A value was written in another form, or with words around it.",
        "<score>4 out of 5</score>",
    ),
    RepairKind.WRAPPER_ENTERED: Explained(
        "Fields were wrapped in an unknown element.",
        "<part><detail><label>a</label><points>1</points></detail></part>",
    ),
}

PROBLEMS: dict[ProblemKind, Explained] = {
    ProblemKind.AMBIGUOUS: Explained("A value can be read in more than one way.", "<score>4</score><score>5</score>"),
    ProblemKind.INVALID: Explained("A value does not satisfy its type or the model.", "<score>many</score>"),
    ProblemKind.LIMIT: Explained("A limit of the library was exceeded.", "a reply nested deeper than any data"),
    ProblemKind.MISSING: Explained("A required field is missing.", "<review></review>"),
    ProblemKind.MISSING_EXTRA: Explained(
        "The format of the answer needs an optional package that is not installed.", "headline: Nice"
    ),
    ProblemKind.NO_ANSWER: Explained("The reply contains no answer.", "Sure, one moment!"),
    ProblemKind.NOT_STRICT: Explained(
        "A value needed a repair, and `repair=False` allows none.", "<score>4 out of 5</score>"
    ),
    ProblemKind.REFUSAL: Explained(
        "The reply contains no answer and declines to give one.", "I'm sorry, but I can't help with that."
    ),
    ProblemKind.TRUNCATED: Explained(
        "The reply broke off here; complete values are kept, and an incomplete text as far as it goes.",
        "<review><headline>Ni",
    ),
}


@dataclass(frozen=True, slots=True)
class Repair:
    """One thing that was mended or left out. `before == after` where no data was changed."""

    kind: RepairKind
    path: str
    span: Span
    before: str
    after: str

    def to_dict(self) -> dict[str, Any]:
        """The repair as JSON-compatible data."""
        return {
            "kind": self.kind.value,
            "path": self.path,
            "span": list(self.span),
            "before": self.before,
            "after": self.after,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Repair:
        """The repair that `to_dict` wrote. Raises `KeyError` or `ValueError` for anything else."""
        return cls(RepairKind(data["kind"]), data["path"], _span(data["span"]), data["before"], data["after"])


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong. `span` is None where no place in a reply can be named."""

    kind: ProblemKind
    path: str
    message: str
    found: str | None = None
    candidates: tuple[str, ...] = ()
    span: Span | None = None

    def __str__(self) -> str:
        return f"{self.path}: {self.message}"

    def to_dict(self) -> dict[str, Any]:
        """The problem as JSON-compatible data."""
        return {
            "kind": self.kind.value,
            "path": self.path,
            "message": self.message,
            "found": self.found,
            "candidates": list(self.candidates),
            "span": None if self.span is None else list(self.span),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Problem:
        """The problem that `to_dict` wrote. Raises `KeyError` or `ValueError` for anything else."""
        span = None if data["span"] is None else _span(data["span"])
        candidates = tuple(data["candidates"])
        return cls(ProblemKind(data["kind"]), data["path"], data["message"], data["found"], candidates, span)


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a record of a file or a table.

    `line` counts the lines of a text file from 1, `row` the rows of a table from 0, as pandas does. `path` is the
    place in the record, `$` the whole of it.
    """

    message: str
    file: str = ""
    line: int | None = None
    row: int | None = None
    path: str = "$"

    def __str__(self) -> str:
        at = [] if self.line is None else [str(self.line)]
        place = ":".join([part for part in (self.file, *at) if part])
        row = "" if self.row is None else f"row {self.row}"
        field = "" if self.path == "$" else self.path
        return ": ".join([part for part in (place, row, field, self.message) if part])


def _span(pair: Sequence[int]) -> Span:
    start, end = pair
    return start, end


_WORST = (
    *(ProblemKind.NO_ANSWER, ProblemKind.REFUSAL, ProblemKind.LIMIT, ProblemKind.MISSING_EXTRA),
    *(ProblemKind.TRUNCATED, ProblemKind.MISSING, ProblemKind.AMBIGUOUS, ProblemKind.INVALID, ProblemKind.NOT_STRICT),
)
"""From no data at all over what is not there to what is only not as it should be."""


def worst_first(problems: Iterable[Problem]) -> list[Problem]:
    """The problems by how much is lost, those of one kind by their place in the reply, without a place last."""
    return sorted(problems, key=lambda each: (_WORST.index(each.kind), each.span is None, each.span or (0, 0)))


def line_and_column(reply: str, offset: int) -> tuple[int, int]:
    """The line and the column, both from 1, of a character of `reply`. Costs a scan of what stands before it."""
    return reply.count("\n", 0, offset) + 1, offset - reply.rfind("\n", 0, offset)


def excerpt(reply: str, span: Span) -> str:
    """Two lines: the line of `reply` in which `span` begins, cut to a window, and carets under the span."""
    start, end = span
    line_start = reply.rfind("\n", 0, start) + 1
    line_end = reply.find("\n", start)
    line_end = len(reply) if line_end < 0 else line_end
    end = max(start + 1, min(end, line_end))
    left = max(line_start, min(start - MAX_EXCERPT // 3, line_end - MAX_EXCERPT))
    right = min(line_end, left + MAX_EXCERPT)
    head, tail = ("..." if left > line_start else ""), ("..." if right < line_end else "")
    shown = head + reply[left:right].replace("\t", " ").rstrip("\r") + tail
    carets = "^" * max(1, min(end, right) - start)
    return f"{shown}\n{' ' * (len(head) + start - left)}{carets}"
