"""The results of `ask_many` as a table."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ..asking.result import AskResult
from ..completion import Completion
from ..definition import MISSING
from ..errors import AskError, ReplyError
from ..response import StructuredResponse
from .columns import table_of
from .rows import Row, row_of, summary

if TYPE_CHECKING:
    import pyarrow as pa


def table_of_answers(results: Iterable[AskResult[Any] | AskError], asked: StructuredResponse[Any]) -> pa.Table:
    """Returns a table with a row for each result, in the order of the tasks."""
    rows = [(result.index or 0, _row(result)) for result in results]
    rows.sort(key=lambda row: row[0])
    return table_of([row for _index, row in rows], asked)


def _row(result: AskResult[Any] | AskError) -> Row:
    if isinstance(result, AskError):
        if result.call_failed:
            return Row(MISSING, "provider_error", summary(result.problems))
        if not isinstance(result.__cause__, ReplyError):  # a validator raised it
            return Row(MISSING, "invalid", summary(result.problems), result.problems)
    problems = result.problems if isinstance(result, AskError) else result.response.problems
    last = result.attempts[-1]
    return row_of(result.response, problems, Completion(last.reply, last.finish_reason))
