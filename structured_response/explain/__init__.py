"""How replies were read, for a person: in a terminal, in a notebook, and as a page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from ..asking.result import AskResult, Attempt
from ..definition import Plan
from ..errors import AskError, ReplyError
from ..lazy import Lazy
from ..options import ParseOptions
from ..response import StructuredResponse
from . import page
from .reading import Reading, attempted, reading_of, text_of

if TYPE_CHECKING:
    from . import terminal
else:
    terminal = Lazy("explain.terminal")

__all__ = ["Conversation", "Explanation", "explain", "to_html"]


class _Report:
    """What terminals, notebooks and files show. A subclass knows what."""

    def __rich_console__(self, console: Any, options: Any) -> Any:
        yield self._printed(options.max_width)

    def __str__(self) -> str:
        return str(terminal.printed(self))

    def _repr_html_(self) -> str:
        return page.fragment(self._parts())

    def to_html(self) -> str:
        """Return the report as one page without scripts or external files."""
        return page.page(self._title, self._parts())

    @property
    def _title(self) -> str:
        raise NotImplementedError

    def _printed(self, width: int) -> Any:
        raise NotImplementedError

    def _parts(self) -> list[str]:
        raise NotImplementedError


class Explanation(_Report):
    """How one reply was read: the place of each value, the repairs, the problems, and the next best reading.

    Printed, it is a report with the reply and the data beside each other, in colours if that goes to a terminal (extra
    `cli`). A notebook shows it as HTML. The reply is read again at the first look; a hostile one may take some seconds.
    """

    def __init__(self, read: Callable[[], Any]) -> None:
        self._read = read

    @cached_property
    def reading(self) -> Reading:
        """The values with their places, and the findings."""
        made: Reading = self._read()
        return made

    @property
    def _title(self) -> str:
        return f"How {self.reading.name or 'the reply'} was read"

    def _printed(self, width: int) -> Any:
        return terminal.report(self.reading, width)

    def _parts(self) -> list[str]:
        return [page.report(self.reading, self._title)]


class Conversation(_Report):
    """The attempts at an answer, each with its question, its reply and what was wrong, as a conversation."""

    def __init__(self, attempts: Sequence[Attempt], response: StructuredResponse[Any] | None) -> None:
        self.attempts = attempts
        self.response = response

    @cached_property
    def _readings(self) -> list[tuple[str, str, Reading]]:
        attempts, response = self.attempts, self.response
        shown = [
            (str(attempt), text_of(attempt.prompt), attempted(attempt.reply, attempt.repairs, attempt.problems))
            for attempt in attempts
        ]
        if shown and response is not None and response.reply == attempts[-1].reply:
            title, question, _reading = shown.pop()
            shown.append((title, question, response.explain().reading))
        return shown

    @property
    def _title(self) -> str:
        return "How the answer was asked for"

    def _printed(self, width: int) -> Any:
        return terminal.conversation(self._readings, width)

    def _parts(self) -> list[str]:
        return [page.report(reading, title, question) for title, question, reading in self._readings]


def explanation_of(plan: Plan, reply: str, options: ParseOptions) -> Explanation:
    """Returns the explanation of a reply, whether it has an answer or not."""
    return Explanation(partial(reading_of, plan, reply, options))


def explain(subject: StructuredResponse[Any] | AskResult[Any] | ReplyError) -> Explanation | Conversation:
    """Explain how a response was read, or how an answer was asked for.

    Args:
        subject: A response, a result of `ask`, or the error of either.

    Raises:
        InstanceError: The response was not read from a reply.
    """
    if isinstance(subject, AskResult | AskError):
        return Conversation(subject.attempts, subject.response)
    if isinstance(subject, StructuredResponse):
        return subject.explain()
    if subject.response is not None:
        return subject.response.explain()
    return Explanation(partial(attempted, subject.reply, (), subject.problems))


def to_html(subject: StructuredResponse[Any] | AskResult[Any] | ReplyError) -> str:
    """Return one self-contained page of what `explain` tells about its subject.

    Raises:
        InstanceError: The response was not read from a reply.
    """
    return explain(subject).to_html()
