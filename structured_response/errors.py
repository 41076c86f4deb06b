"""The tree of exceptions. Each carries its data and survives pickle."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from .completion import total_cost
from .escaping import encodable
from .findings import MAX_SHOWN, Fault, Problem, excerpt, line_and_column, worst_first
from .version import DISTRIBUTION

if TYPE_CHECKING:
    from .asking.result import Attempt
    from .completion import Usage
    from .response import StructuredResponse
    from .tools.turns import Turn


class StructuredResponseError(Exception):
    """The base of all errors of this library."""


class _PathError(StructuredResponseError):
    """An error with a `message`, after a `path` unless that is empty."""

    def __init__(self, message: str, path: str = "") -> None:
        super().__init__(message, path)
        self.message = message
        self.path = path

    def __str__(self) -> str:
        return f"{self.path}: {self.message}" if self.path else self.message


class DefinitionError(_PathError, ValueError):
    """A type, a path, a name or a definition is invalid; `path` is a place in the definition."""


class InstanceError(StructuredResponseError, ValueError):
    """An instance does not fit its definition or its model.

    Attributes:
        message: What is wrong.
        problems: Every value that does not fit.
    """

    def __init__(self, message: str, problems: Sequence[Problem] = ()) -> None:
        super().__init__(message, tuple(problems))
        self.message = message
        self.problems = list(problems)

    def __str__(self) -> str:
        return "\n".join([self.message, *_shown(self.problems)])


class ReplyError(StructuredResponseError, ValueError):
    """A reply does not satisfy the definition.

    As text the error shows the worst few problems, each with its line, its column and carets under its place: first
    those without data, then where the reply breaks off, and what is missing, ambiguous or invalid.

    Attributes:
        problems: Every problem.
        reply: The text of the language model.
        response: A response with everything that could be read, or None if nothing could.
    """

    def __init__(
        self, problems: Sequence[Problem], reply: str, response: StructuredResponse[Any] | None = None
    ) -> None:
        super().__init__(tuple(problems), reply, response)
        self.problems = list(problems)
        self.reply = reply
        self.response = response

    def __str__(self) -> str:
        shown = _shown(worst_first(self.problems), lambda problem: _describe(problem, self.reply))
        return encodable("\n".join([f"the reply has {_counted(self.problems, 'problem')}", *shown]))

    def to_dict(self) -> dict[str, Any]:
        """Return the message, the findings and the reply as JSON-compatible data for logs, without the instance."""
        read = self.response
        return {
            "error": type(self).__name__,
            "message": str(self),
            "problems": [problem.to_dict() for problem in self.problems],
            "repairs": [] if read is None else [repair.to_dict() for repair in read.repairs],
            "truncated": None if read is None else read.truncated,
            "reply": self.reply,
        }


class RestartedError(StructuredResponseError):
    """What `items` or `text` gave was a draft: the reply turned out to mean something else.

    Attributes:
        path: The path of the list or the text.
        given: What was given: the items, or the text.
    """

    def __init__(self, path: str, given: Any) -> None:
        super().__init__(path, given)
        self.path = path
        self.given = given

    def __str__(self) -> str:
        return f"{self.path}: what was given is a draft that the rest of the reply replaces; begin anew"


class AskError(ReplyError):
    """No attempt led to an answer. The error is about the last reply.

    Attributes:
        attempts: Every attempt.
        usage: The tokens of all attempts.
        response: Everything that is known of the answer so far, or None.
        task: The task of `ask_many`, as it was given.
        index: Its number among all tasks, from 0.
        call_failed: Whether a call of `ask_many` raised the exception that is the `__cause__`.
    """

    task: Any = None
    index: int | None = None
    call_failed: bool = False

    def __init__(
        self,
        problems: Sequence[Problem],
        reply: str,
        response: StructuredResponse[Any] | None,
        attempts: Sequence[Attempt],
        usage: Usage,
    ) -> None:
        super().__init__(problems, reply, response)
        self.args = (*self.args, tuple(attempts), usage)
        self.attempts = list(attempts)
        self.usage = usage

    @property
    def cost(self) -> Decimal | None:
        """The price of all attempts together in US dollars, or None if that of one of them is unknown."""
        return total_cost(attempt.cost for attempt in self.attempts)

    def __str__(self) -> str:
        return f"no answer in {_counted(self.attempts, 'attempt')}; {super().__str__()}"


class BudgetError(AskError):
    """The budget is spent before there is an answer. The attempts are those that were paid from it."""

    def __str__(self) -> str:
        head = f"{self.problems[0].message}; no answer in {_counted(self.attempts, 'attempt')}"
        return "\n".join([head, *_shown(self.attempts)])


class ActError(AskError):
    """`act` ended without an answer.

    Attributes:
        turns: Every turn, with its calls and what came of them.
    """

    turns: Sequence[Turn] = ()

    def __str__(self) -> str:
        return f"no answer in {_counted(self.turns, 'turn')}; {ReplyError.__str__(self)}"


class CacheError(StructuredResponseError, ValueError):
    """An object or a file cannot be a cache. A failure of a working cache is a miss and raises nothing."""


class RecordingError(_PathError, LookupError):
    """A recording holds no reply to the messages, or its file, `path`, is invalid."""


class BatchError(_PathError, ValueError):
    """A batch cannot go on; `path` is its folder, its journal or its input.

    Attributes:
        failures: What failed, a sentence for each row or task, where that is the reason.
    """

    def __init__(self, message: str, path: str = "", failures: Sequence[str] = ()) -> None:
        super().__init__(message, path)
        self.args = (*self.args, tuple(failures))
        self.failures = list(failures)

    def __str__(self) -> str:
        return "\n".join([super().__str__(), *_shown(self.failures)])


class ToolError(StructuredResponseError):
    """A tool or a server of tools failed. A language model gets the message as it is. Tools may raise it themselves."""


class NotRunnableError(StructuredResponseError):
    """A tool without a function cannot run; the program has to answer its calls.

    Attributes:
        tool: The name of the tool.
    """

    def __init__(self, tool: str) -> None:
        super().__init__(tool)
        self.tool = tool

    def __str__(self) -> str:
        return f"the tool {self.tool!r} has no function; answer its calls in the program"


class DeserializeError(_PathError, ValueError):
    """A text was not written by `serialize`, or was changed since; `path` is a place in the text.

    Attributes:
        response: The response without a model, if nothing is wrong except that the expected model asks for something
            else. Otherwise None.
    """

    response: StructuredResponse[Any] | None = None


class DatasetError(StructuredResponseError, ValueError):
    """Records cannot be read from a file or a table, or written to one.

    Attributes:
        faults: Every fault, with its file, its line or row, and its field.
        records: The records that could be read, unless they are read one by one.
    """

    def __init__(self, faults: Sequence[Fault], records: Sequence[Any] = ()) -> None:
        super().__init__(tuple(faults), list(records))
        self.faults = list(faults)
        self.records = list(records)

    def __str__(self) -> str:
        if len(self.faults) == 1:
            return str(self.faults[0])
        return "\n".join([f"{len(self.faults)} faults", *_shown(self.faults)])


class MissingExtraError(StructuredResponseError, ImportError):
    """An optional package is not installed.

    Attributes:
        package: The name of the package.
        extra: The extra of this library that installs it.
    """

    def __init__(self, package: str, extra: str) -> None:
        super().__init__(package, extra)
        self.package = package
        self.extra = extra

    def __str__(self) -> str:
        return f'{self.package} is not installed; install it with: pip install "{DISTRIBUTION}[{self.extra}]"'


@contextmanager
def needs(package: str, extra: str) -> Iterator[None]:
    """Raises `MissingExtraError` for an import of a package that is not installed."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise MissingExtraError(package, extra) from error


def _counted(found: Sequence[Any], noun: str) -> str:
    return f"{len(found)} {noun}{'' if len(found) == 1 else 's'}"


def _shown(found: Sequence[Any], describe: Callable[[Any], str] = "  {}".format) -> list[str]:
    rows = [describe(each) for each in found[:MAX_SHOWN]]
    more = len(found) - MAX_SHOWN
    return [*rows, f"  and {more} more"] if more > 0 else rows


def _describe(problem: Problem, reply: str) -> str:
    if problem.span is None or not reply:
        return f"  {problem}"
    line, column = line_and_column(reply, problem.span[0])
    drawn = "\n".join(f"      {row}" for row in excerpt(reply, problem.span).split("\n"))
    return f"  {problem} (line {line}, column {column})\n{drawn}"
