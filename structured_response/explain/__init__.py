"""How replies were read, for a person: in a terminal, in a notebook, and as a page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ..asking.result import AskResult, Attempt
from ..definition import Plan
from ..errors import AskError, ReplyError
from ..lazy import Lazy
from ..options import ParseOptions
from ..response import StructuredResponse
from . import page
from .reading import Reading, attempted, bare, reading_of

if TYPE_CHECKING:
    from . import terminal
else:
    terminal = Lazy("explain.terminal")

__all__ = ["Explanation", "explain", "to_html"]


class Explanation:
    """How replies were read, one or several attempts at an answer: the place of each value, the repairs, the problems,
    and the next best reading of the last.

    Printed, it is a report with the reply and the data beside each other, in colours if that goes to a terminal (extra
    `cli`). A notebook shows it as HTML. The reply is read again at the first look; a hostile one may take some seconds.
    """

    def __init__(self, read: Callable[[], list[Any]]) -> None:
        self._read = read

    @cached_property
    def readings(self) -> list[Reading]:
        """The values of each reply with their places, and the findings."""
        return self._read()

    def __rich_console__(self, console: Any, options: Any) -> Any:
        yield terminal.report(self.readings, options.max_width)

    def __str__(self) -> str:
        return str(terminal.printed(self))

    def _repr_html_(self) -> str:
        return page.fragment(self.readings)

    def to_html(self) -> str:
        """Return the report as one page without scripts or external files."""
        return page.page(self.readings)


def explanation_of(plan: Plan, reply: str, options: ParseOptions) -> Explanation:
    """Returns the explanation of a reply, whether it has an answer or not."""
    return Explanation(lambda: [reading_of(plan, reply, options)])


def explanation_of_attempts(attempts: Sequence[Attempt], response: StructuredResponse[Any] | None) -> Explanation:
    """Returns the explanation of the attempts at an answer, each with its question, its reply and what was wrong."""

    def read() -> list[Reading]:
        *before, last = map(attempted, attempts)
        if response is None or response.reply != last.reply:  # no data, or a reply that was joined of pieces
            return [*before, last]
        (whole,) = response.explain().readings
        return [*before, replace(whole, title=last.title, question=last.question)]

    return Explanation(read)


def explain(subject: StructuredResponse[Any] | AskResult[Any] | ReplyError) -> Explanation:
    """Explain how a response was read, or how an answer was asked for.

    Args:
        subject: A response, a result of `ask`, or the error of either.

    Raises:
        InstanceError: The response was not read from a reply.
    """
    if isinstance(subject, AskResult | AskError) and subject.attempts:
        return explanation_of_attempts(subject.attempts, subject.response)
    if isinstance(subject, StructuredResponse):
        return subject.explain()
    if subject.response is not None:
        return subject.response.explain()
    return Explanation(lambda: [bare(subject.reply, (), subject.problems)])


def to_html(subject: StructuredResponse[Any] | AskResult[Any] | ReplyError) -> str:
    """Return one self-contained page of what `explain` tells about its subject.

    Raises:
        InstanceError: The response was not read from a reply.
    """
    return explain(subject).to_html()
