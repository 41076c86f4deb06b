"""The findings of a reading, `Repair` and `Problem`, and excerpts of replies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Any, NamedTuple, Self

from pydantic import TypeAdapter
from pydantic_core import to_jsonable_python

__all__ = ["PROBLEMS", "REPAIRS", "Explained"]

MAX_EXCERPT = 100
"""Characters of a reply's line in an excerpt, for the width of a terminal."""

MAX_SHOWN = 5
"""Problems in an error's message. The objects hold all of them."""

MAX_FINDINGS = 10_000
"""Repairs, and problems, that are kept of one reply. A hostile reply could cause a million."""

Span = tuple[int, int]  # `[start, end)` in characters of the original reply


class Explained(NamedTuple):
    """The explanation of a kind: a sentence, and a piece of a reply as an example."""

    sentence: str
    example: str


class _Kind(StrEnum):
    explained: Explained

    def __new__(cls, value: str, sentence: str = "", example: str = "") -> Self:
        made = str.__new__(cls, value)
        made._value_ = value
        made.explained = Explained(sentence, example)
        return made


class RepairKind(_Kind):
    """The kinds of repairs."""

    CANDIDATE_CHOSEN = (
        "candidate_chosen",
        "The reply contained several answers, examples of the prompt included; the best fit was taken.",
        "<review><score>3</score></review> Better: <review><score>4</score></review>",
    )
    CLOSER_MISSING = (
        "closer_missing",
        "A closing tag was missing; the element ends where the next field begins.",
        "<headline>Nice<score>4</score>",
    )
    CLOSER_RESPELLED = (
        "closer_respelled",
        "A closing tag was misspelt, had another name, or was written as an opening tag.",
        "<headline>Nice</headlin>",
    )
    ELEMENT_SKIPPED = (
        "element_skipped",
        "An unknown element, or the second copy of a field, was left out.",
        "<confidence>high</confidence>",
    )
    FORMAT_READ = (
        "format_read",
        "The answer, or a value in it, was not in XML, or not in the format that was expected.",
        '{"headline": "Nice", "score": 4}',
    )
    ITEM_DROPPED = (
        "item_dropped",
        "A list item had a problem and was left out (`on_bad_item='drop'`); `before` has the problem.",
        "<marks><li>4</li><li>many</li></marks>",
    )
    JSON_MENDED = (
        "json_mended",
        "JSON had a syntax error: a comma, a comment, a quote, a bracket or a word that is not valid JSON.",
        "{'headline': 'Nice', score: 4,}",
    )
    NAME_RESPELLED = (
        "name_respelled",
        "A name was misspelt, was an alias, or differed in case or separators.",
        "<Head-Line>Nice</Head-Line>",
    )
    NULL_WORD = ("null_word", "A word such as `N/A` was read as null, where null is allowed.", "<price>N/A</price>")
    OPENER_MISSING = (
        "opener_missing",
        "An opening tag was missing: the root's, an item's, or that of an element closed too early.",
        "<parts><li><label>a</label><points>1</points><label>b</label><points>2</points></li></parts>",
    )
    SHAPE_CHANGED = (
        "shape_changed",
        "A list, a map or an object was written as text, as attributes, as repeated tags, or as a single value.",
        "<pros>light; cheap</pros>",
    )
    TEXT_SKIPPED = (
        "text_skipped",
        "Text, a comment, a fence or a tag was left out where no value can be.",
        "<pros>Here: <li>light</li></pros>",
    )
    UNESCAPED = (
        "unescaped",
        "A character that XML requires to be escaped, or does not allow, was kept as it is.",
        "<headline>Q&A: 5 < 6</headline>",
    )
    UNWRAPPED = (
        "unwrapped",
        "The whole answer was escaped (as HTML or as a JSON string), or quoted as in an e-mail.",
        "&lt;review&gt;&lt;score&gt;4&lt;/score&gt;&lt;/review&gt;",
    )
    VALUE_RESPELLED = (
        "value_respelled",
        "A value was written in another form, or with words around it.",
        "<score>4 out of 5</score>",
    )
    WRAPPER_ENTERED = (
        "wrapper_entered",
        "Fields were wrapped in an unknown element.",
        "<part><detail><label>a</label><points>1</points></detail></part>",
    )


class ProblemKind(_Kind):
    """The kinds of problems, by how much data is lost."""

    NO_ANSWER = ("no_answer", "The reply contains no answer.", "Sure, one moment!")
    REFUSAL = (
        "refusal",
        "The reply contains no answer and declines to give one.",
        "I'm sorry, but I can't help with that.",
    )
    LIMIT = ("limit", "A limit of the library was exceeded.", "a reply nested deeper than any data")
    MISSING_EXTRA = (
        "missing_extra",
        "The format of the answer needs an optional package that is not installed.",
        "headline: Nice",
    )
    TRUNCATED = (
        "truncated",
        "The reply broke off here; complete values are kept, and an incomplete text as far as it goes.",
        "<review><headline>Ni",
    )
    MISSING = ("missing", "A required field is missing.", "<review></review>")
    AMBIGUOUS = ("ambiguous", "A value can be read in more than one way.", "<score>4</score><score>5</score>")
    INVALID = ("invalid", "A value does not satisfy its type or the model.", "<score>many</score>")
    NOT_STRICT = ("not_strict", "A value needed a repair, and `repair=False` allows none.", "<score>4 out of 5</score>")


REPAIRS = {kind: kind.explained for kind in RepairKind}
PROBLEMS = {kind: kind.explained for kind in ProblemKind}


class _Finding:
    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the finding as JSON-compatible data."""
        data: dict[str, Any] = to_jsonable_python(self)
        return data

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Restore a finding from the data that `to_dict` made.

        Raises:
            ValueError: A key is missing, or a value is invalid.
        """
        kind: Any = cls
        made: Self = _validator(kind).validate_python(data)
        return made


@cache
def _validator(kind: type[_Finding]) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


@dataclass(frozen=True, slots=True)
class Repair(_Finding):
    """A change that was made to read a reply.

    Attributes:
        kind: What was done.
        path: The place in the data, such as `$.parts[0].points`.
        span: The place in the reply, `[start, end)` in characters.
        before: The text in the reply.
        after: What it was read as. Equal to `before` if the repair changed no data.
    """

    kind: RepairKind
    path: str
    span: Span
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Problem(_Finding):
    """A reason why data is not as requested.

    Attributes:
        kind: What is wrong.
        path: The place in the data, such as `$.parts[0].points`.
        message: A description of the problem.
        found: The text in the reply, or None.
        candidates: The possible readings of an ambiguous value, or the choices of an enum.
        span: The place in the reply, `[start, end)` in characters, or None if there is none.
    """

    kind: ProblemKind
    path: str
    message: str
    found: str | None = None
    candidates: tuple[str, ...] = ()
    span: Span | None = None

    def __str__(self) -> str:
        return f"{self.path}: {self.message}"


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault in a record of a file or a table.

    Attributes:
        message: What is wrong.
        file: The file, or an empty text.
        line: The line of a text file, from 1, or None.
        row: The row of a table, from 0 as in pandas, or None.
        path: The place in the record. `$` is the whole record.
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


def worst_first(problems: Iterable[Problem]) -> list[Problem]:
    """Return the problems by how much data is lost, then by their place in the reply."""
    kinds = list(ProblemKind)
    return sorted(problems, key=lambda each: (kinds.index(each.kind), each.span is None, each.span or (0, 0)))


def line_and_column(reply: str, offset: int) -> tuple[int, int]:
    """Return the line and the column of a character, both from 1. Scans the text before it."""
    return reply.count("\n", 0, offset) + 1, offset - reply.rfind("\n", 0, offset)


def excerpt(reply: str, span: Span) -> str:
    """Return the line of `reply` in which `span` begins, cut to a window, and a line of carets under the span."""
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
