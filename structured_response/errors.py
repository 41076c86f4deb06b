"""The tree of exceptions. Each says whose fault it is, carries its data, and survives pickle.

StructuredResponseError
+-- DefinitionError        the program's: a type, a path, a name or a definition that cannot be used
+-- InstanceError          the program's: data put into an instance that does not fit, or a model that is missing
+-- ReplyError             the language model's: the reply cannot satisfy what was asked
|   +-- AskError           the language model's: nor did any other reply, as often as it was asked
+-- CacheError             the program's: a cache that cannot be one
+-- RecordingError         the recording's: it holds no reply to what was asked, or is none
+-- DeserializeError       the store's: the text is not what `serialize` wrote
+-- DatasetError           the file's or the table's: records that cannot be read, or not be written
+-- MissingExtraError      the installation's: an optional package is not there
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from .escaping import SURROGATE
from .findings import MAX_SHOWN, Fault, Problem, excerpt, line_and_column, worst_first
from .version import DISTRIBUTION

if TYPE_CHECKING:
    from .asking.result import Attempt
    from .completion import Usage
    from .response import StructuredResponse

__all__ = [
    "AskError",
    "CacheError",
    "DatasetError",
    "DefinitionError",
    "DeserializeError",
    "InstanceError",
    "MissingExtraError",
    "RecordingError",
    "ReplyError",
    "StructuredResponseError",
]

_Found = TypeVar("_Found")


class StructuredResponseError(Exception):
    """The base of all errors of this library."""


class DefinitionError(StructuredResponseError, ValueError):
    """A type, a path, a name or a definition that cannot be used. `path` says where in the definition."""

    def __init__(self, message: str, path: str = "") -> None:
        super().__init__(message, path)
        self.message = message
        self.path = path

    def __str__(self) -> str:
        return f"{self.path}: {self.message}" if self.path else self.message


class InstanceError(StructuredResponseError, ValueError):
    """An instance that does not fit its definition or its model. `problems` names every place."""

    def __init__(self, message: str, problems: Sequence[Problem] = ()) -> None:
        super().__init__(message, tuple(problems))
        self.message = message
        self.problems = list(problems)

    def __str__(self) -> str:
        return "\n".join([self.message, *_shown(self.problems, "  {}".format)])


class ReplyError(StructuredResponseError, ValueError):
    """A reply that cannot satisfy the definition.

    `problems` has every one of them, `reply` is the text as it came, and `response` is a
    `StructuredResponse` that holds all that could be read, or None where nothing could. As text the error shows the
    worst few: no data or a bound first, then what broke off, what is missing, what is ambiguous, what is invalid;
    each with its line, its column and carets under its place.
    """

    def __init__(
        self, problems: Sequence[Problem], reply: str, response: StructuredResponse[Any] | None = None
    ) -> None:
        super().__init__(tuple(problems), reply, response)
        self.problems = list(problems)
        self.reply = reply
        self.response = response

    def __str__(self) -> str:
        count = len(self.problems)
        head = f"the reply has {count} problem{'s' if count != 1 else ''}"
        worst = worst_first(self.problems)
        text = "\n".join([head, *_shown(worst, lambda problem: _describe(problem, self.reply))])
        return SURROGATE.sub("\ufffd", text)  # halves of a pair, which a reply may hold, can't be printed

    def to_dict(self) -> dict[str, Any]:
        """The error as JSON-compatible data, for logs: message, findings and reply, without the instance."""
        return {
            "error": type(self).__name__,
            "message": str(self),
            "problems": [problem.to_dict() for problem in self.problems],
            "repairs": [repair.to_dict() for repair in self.response.repairs] if self.response is not None else [],
            "truncated": self.response.truncated if self.response is not None else None,
            "reply": self.reply,
        }


class AskError(ReplyError):
    """No attempt at an answer gave one. `attempts` has each, `usage` the tokens of all of them together; `problems`,
    `reply` and `response` are about the last reply, and all that is known of the answer so far.
    """

    def __init__(
        self,
        problems: Sequence[Problem],
        reply: str,
        response: StructuredResponse[Any] | None,
        attempts: Sequence[Attempt],
        usage: Usage,
    ) -> None:
        super().__init__(problems, reply, response)
        self.args = (tuple(problems), reply, response, tuple(attempts), usage)
        self.attempts = list(attempts)
        self.usage = usage

    def __str__(self) -> str:
        count = len(self.attempts)
        return f"no answer in {count} attempt{'s' if count != 1 else ''}; {super().__str__()}"


class CacheError(StructuredResponseError, ValueError):
    """An object or a file that cannot be a cache. One that fails later raises nothing: that is a miss."""


class RecordingError(StructuredResponseError, LookupError):
    """A recording that holds no reply to the messages asked for, or a file that is no recording. `path` is the file."""

    def __init__(self, message: str, path: str = "") -> None:
        super().__init__(message, path)
        self.message = message
        self.path = path

    def __str__(self) -> str:
        return f"{self.path}: {self.message}" if self.path else self.message


class DeserializeError(StructuredResponseError, ValueError):
    """A text that `serialize` did not write, or that was changed since. `path` says where in it.

    `response` is what the text says by itself, without a model, where no more is wrong than that the model expected
    asks for something else; else None.
    """

    def __init__(self, message: str, path: str = "") -> None:
        super().__init__(message, path)
        self.message = message
        self.path = path
        self.response: StructuredResponse[Any] | None = None

    def __str__(self) -> str:
        return f"{self.path}: {self.message}" if self.path else self.message


class DatasetError(StructuredResponseError, ValueError):
    """Records that cannot be read from a file or a table, or not be written to one.

    `faults` names each with its file, its line or row, and its field. `records` holds what could be read all the
    same, where the records do not come one by one.
    """

    def __init__(self, faults: Sequence[Fault], records: Sequence[Any] = ()) -> None:
        super().__init__(tuple(faults), list(records))
        self.faults = list(faults)
        self.records = list(records)

    def __str__(self) -> str:
        if len(self.faults) == 1:
            return str(self.faults[0])
        return "\n".join([f"{len(self.faults)} faults", *_shown(self.faults, "  {}".format)])


class MissingExtraError(StructuredResponseError, ImportError):
    """An optional package is not installed. `extra` is the name of the extra that brings it."""

    def __init__(self, package: str, extra: str) -> None:
        super().__init__(package, extra)
        self.package = package
        self.extra = extra

    def __str__(self) -> str:
        return f'{self.package} is not installed; install it with: pip install "{DISTRIBUTION}[{self.extra}]"'


def _shown(problems: list[_Found], describe: Callable[[_Found], str]) -> list[str]:
    """The first few of them, and how many more there are."""
    rows = [describe(problem) for problem in problems[:MAX_SHOWN]]
    more = len(problems) - MAX_SHOWN
    return [*rows, f"  and {more} more"] if more > 0 else rows


def _describe(problem: Problem, reply: str) -> str:
    if problem.span is None or not reply:
        return f"  {problem}"
    line, column = line_and_column(reply, problem.span[0])
    drawn = "\n".join(f"      {row}" for row in excerpt(reply, problem.span).split("\n"))
    return f"  {problem} (line {line}, column {column})\n{drawn}"
