"""The calls of a reply: which of them count, and their arguments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, overload

from ..completion import ToolCall
from ..definition import Plan
from ..errors import NotRunnableError, ReplyError
from ..findings import Problem, ProblemKind, Repair, RepairKind
from ..options import ParseOptions
from ..read import read
from ..read.answer import Answer
from ..response import StructuredResponse
from .in_json import end_of_json
from .pieces import Pieces
from .running import Outcome, arun_tool, run_tool
from .settling import remaining, settled
from .source import Source, Tools, Written
from .tool import Tool
from .walk import Walk


@dataclass(frozen=True, eq=False)
class Call:
    """A call of a tool.

    Attributes:
        name: The name of the tool, or the name that was written if there is no such tool.
        tool: The tool, or None if there is none of that name.
        response: The arguments as they were read, or None without a tool.
        span: The place of the call in the reply, `[start, end)` in characters.
        text: The call as it was written.
        repairs: The repairs of the call and of its arguments.
        problems: The reasons why the call is not as its tool needs it.
        id: The identifier that a provider gave to the call, or None.
        is_quoted: Whether the call stands in reasoning, in a quotation, or in a fence with other text.
    """

    name: str
    tool: Tool | None
    response: StructuredResponse[Any] | None
    span: tuple[int, int]
    text: str
    repairs: tuple[Repair, ...] = ()
    problems: tuple[Problem, ...] = ()
    id: str | None = None
    is_quoted: bool = False

    @cached_property
    def arguments(self) -> Any:
        """The arguments: an instance of the tool's model, or plain data for a tool of a schema. They are made once, so
        that those run that a policy has seen, whatever validators and factories of defaults do.

        Raises:
            ReplyError: The call has problems.
        """
        if self.problems or self.response is None:
            raise ReplyError(self.problems, self.text, self.response)
        return self.response.to_dict() if self.response._plan.model is None else self.response.to_basemodel()

    def __getstate__(self) -> dict[str, Any]:
        """Leaves out the arguments: their class was made by the program, and they are made anew."""
        return {name: held for name, held in vars(self).items() if name != "arguments"}

    @property
    def instance(self) -> Any:
        """The arguments as a Box, with None for those that are missing or wrong."""
        return None if self.response is None else self.response.instance

    def run(self, context: Any = None) -> Outcome:
        """Run the tool, whatever a policy would say.

        Args:
            context: What the tool's `ToolContext` holds.

        Returns:
            The outcome. What the tool raises is an error in it.

        Raises:
            NotRunnableError: There is no function to run.
            ReplyError: The call has problems.
        """
        return run_tool(self._runnable(), self.arguments, context, call_id=self.id)

    async def arun(self, context: Any = None) -> Outcome:
        """Run the tool, with `await`; see `run`."""
        return await arun_tool(self._runnable(), self.arguments, context, call_id=self.id)

    def _runnable(self) -> Tool:
        if self.tool is None:
            raise ReplyError(self.problems, self.text)
        if self.tool.function is None:
            raise NotRunnableError(self.name)
        return self.tool

    @property
    def is_mended(self) -> bool:
        """Whether a repair changed the name or an argument, or left out an argument that the tool does not have."""
        return any(map(is_change, self.repairs))

    @property
    def is_cut(self) -> bool:
        """Whether the reply breaks off in the call."""
        return any(problem.kind is ProblemKind.TRUNCATED for problem in self.problems)


def is_change(repair: Repair) -> bool:
    """Returns whether a repair changed a call, or left out an argument that its tool does not have."""
    return repair.before != repair.after or repair.kind is RepairKind.ELEMENT_SKIPPED


@dataclass(frozen=True)
class Calls(Sequence[Call]):
    """The calls of a reply, in order.

    Attributes:
        calls: The calls.
        text: The reply without its calls.
        reply: The whole reply.
        quoted: The calls that do not count: those in reasoning, in quotations, and in fences with other text.
    """

    calls: tuple[Call, ...]
    text: str
    reply: str
    quoted: tuple[Call, ...] = ()

    @overload
    def __getitem__(self, index: int) -> Call: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Call, ...]: ...

    def __getitem__(self, index: int | slice) -> Call | tuple[Call, ...]:
        return self.calls[index]

    def __len__(self) -> int:
        return len(self.calls)


def walked(source: Source, react: bool = False) -> Walk:
    """Returns the walk through a reply, at its end."""
    walk = Walk(source, react)
    walk.finish()
    return walk


def calls_of(walk: Walk) -> Calls:
    """Returns the calls that a walk has found at its end."""
    reply, found = walk.source.text, settled(walk)
    calls = [read_call(walk.source.tools, written, reply) for written in found[:MAX_CALLS]]
    calls += [_unread(written, reply, f"more than {MAX_CALLS} calls (MAX_CALLS)") for written in found[MAX_CALLS:]]
    counting, quoted = (tuple(call for call in calls if call.is_quoted is which) for which in (False, True))
    return Calls(counting, remaining(walk), reply, quoted)


MAX_CALLS = 1000
"""Calls of a reply whose arguments are read. The others are given with a problem."""


def call_of(tools: Tools, native: ToolCall) -> Call:
    """Returns a call that a provider has taken apart already."""
    written = Written(native.name, (0, len(native.arguments)), id=native.id or None)
    if native.arguments.strip():
        written.pieces = Pieces(written.span, native.arguments, written.span)
    return read_call(tools, written, native.arguments)


def read_call(tools: Tools, written: Written, reply: str) -> Call:
    """Reads the arguments of a call by the definition of its tool."""
    name = tools.named(written.name)
    if name is None:
        message = f"there is no tool {written.name!r}; the tools are {', '.join(tools.plans)}"[:500]
        return _unread(written, reply, message, written.name)
    plan = tools.plans[name]
    pieces, form, repairs = written.pieces, written.form, written.repairs
    if pieces is None or (plan.root.kind == "dict" and not plan.root.fields):
        if pieces is not None and pieces.text.strip("{} \t\r\n"):
            repairs = [*repairs, Repair(RepairKind.ELEMENT_SKIPPED, "$", written.span, pieces.text, "{}")]
        pieces, form = Pieces(written.span, "{}"), "json"
    answer = read(plan, pieces.text, ParseOptions(format=form))
    repairs = [*repairs, *pieces.repairs(answer.repairs)]
    text = pieces.text.strip()
    if form == "json" and end_of_json(text, 0) < len(text) and not any(map(is_change, repairs)):
        repairs.append(Repair(RepairKind.TEXT_SKIPPED, "$", pieces.whole, text, ""))  # it is more than the arguments
    if not tools.is_exact(written.name):
        repairs.insert(0, Repair(RepairKind.NAME_RESPELLED, "$", written.span, written.name, name))
    known = {problem.path for problem in written.problems}
    wrong = pieces.problems(answer.problems) if answer.found else _all_missing(plan, written)
    problems = [*written.problems, *(each for each in wrong if each.path not in known)]
    model = None if problems else answer.model
    found = replace(answer, repairs=repairs, problems=problems, model=model) if answer.found else None
    response: StructuredResponse[Any] = StructuredResponse._of(plan, found or Answer({}, problems=problems))
    given = tuple(repairs), tuple(problems), written.id, written.is_quoted
    return Call(name, tools.tools[name], response, written.span, reply[slice(*written.span)], *given)


def _all_missing(plan: Plan, written: Written) -> list[Problem]:
    """Returns the problems of a call without any argument that its tool has."""
    required = [name for name, each in plan.root.fields.items() if each.required] or ["arguments"]
    paths = [f"$.{name}" if name in plan.root.fields else "$" for name in required]
    return [Problem(ProblemKind.MISSING, path, "required, but not there", span=written.span) for path in paths]


def _unread(written: Written, reply: str, message: str, found: str | None = None) -> Call:
    problems = (Problem(ProblemKind.INVALID, "$", message, found, span=written.span), *written.problems)
    text = reply[slice(*written.span)]
    return Call(written.name, None, None, written.span, text, (), problems, written.id, written.is_quoted)
