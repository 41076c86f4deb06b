"""One reply of many: the outcome of a request, and the row of a table that it makes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias

from ..asking.conversation import breaks, refused
from ..completion import Completion
from ..definition import MISSING
from ..findings import MAX_SHOWN, Problem, ProblemKind, Repair, worst_first
from ..options import ReadingOptions, parse_options
from ..read import read
from ..response import StructuredResponse

Status: TypeAlias = Literal["provider_error", "refused", "empty", "truncated", "invalid", "partial", "repaired", "ok"]
"""The status of a row: the first that holds. The first five are those of rows without data, `partial` is that of data
with any problem or a cut."""


class Reply(NamedTuple):
    """The outcome of one request.

    Attributes:
        text: The text of the reply, or None if there is none.
        finish_reason: Why the reply ended there, in the provider's own word.
        error: The error of the provider in place of a reply, in its own words.
    """

    text: str | None
    finish_reason: str | None = None
    error: str | None = None


class Row(NamedTuple):
    """The data and the findings of one reply.

    Attributes:
        data: The data as JSON can hold it, like `to_dict`; MISSING if there is none. Numbers and booleans may be texts
            in their strict form, which are converted with the whole column.
        error: What is wrong, in a line; None for the statuses `ok` and `repaired`.
    """

    data: Any
    status: Status
    error: str | None = None
    problems: Sequence[Problem] = ()
    repairs: Sequence[Repair] = ()


def reader(asked: StructuredResponse[Any], options: ReadingOptions) -> Callable[[Reply], Row]:
    """Returns the function that reads a reply into a row. Whatever is wrong with it is in the row, an exception of a
    validator too. Raises `TypeError` for an option that does not exist.
    """
    parse_options(options, ())
    plan, how = asked._plan, asked._how("", options)

    def read_one(reply: Reply) -> Row:
        if reply.error is not None:
            return Row(MISSING, "provider_error", reply.error)
        text = reply.text or ""
        try:
            answer = read(plan, text, how)
        except Exception as error:  # noqa: BLE001 - a validator's: it must not end the work on all other rows
            return Row(MISSING, "invalid", f"{type(error).__name__}: {error}")
        completion = None if reply.finish_reason is None else Completion(text, reply.finish_reason)
        if answer.model is not None and not (completion and completion.is_cut_off):  # most replies, with no problem
            return Row(answer.data, "repaired" if answer.repairs else "ok", None, (), answer.repairs)
        completion = completion or Completion(text)
        problems, made = answer.problems, asked._of(plan, answer)
        if not answer.found:
            return row_of(None, problems, completion)
        return row_of(made, [*problems, *breaks(completion, made, text, how.format)], completion)

    return read_one


def row_of(read: StructuredResponse[Any] | None, problems: Sequence[Problem], completion: Completion) -> Row:
    """Makes a row of what was read of a reply, if anything was, and of its problems."""
    data = MISSING if read is None else read._current()
    repairs = () if read is None else read.repairs
    is_cut = read is not None and read.truncated is not None
    if data is MISSING or data is None:
        problems = refused(completion, problems)
        return Row(MISSING, _without_data(problems, completion, is_cut), summary(problems), problems, repairs)
    status: Status = "partial" if problems else "repaired" if repairs else "ok"
    return Row(data, status, summary(problems), problems, repairs)


def _without_data(problems: Sequence[Problem], completion: Completion, is_cut: bool) -> Status:
    kinds = {problem.kind for problem in problems}
    if completion.refusal is not None or ProblemKind.REFUSAL in kinds:
        return "refused"
    if not completion.text.strip():
        return "empty"
    return "truncated" if is_cut or completion.is_cut_off or ProblemKind.TRUNCATED in kinds else "invalid"


def summary(problems: Sequence[Problem]) -> str | None:
    """Returns the worst problems in a line, or None if there are none."""
    more = len(problems) - MAX_SHOWN
    shown = [str(problem) for problem in worst_first(problems)[:MAX_SHOWN]]
    return "; ".join([*shown, *([f"and {more} more"] if more > 0 else [])]) or None
