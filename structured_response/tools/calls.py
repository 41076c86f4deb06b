"""Calls of tools, as they are read from a reply or from a provider's native calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, overload

from .. import Problem, ProblemKind, Repair, ReplyError, StructuredResponse
from ..errors import NotRunnableError
from ..findings import Span
from .running import Outcome, arun_tool, run_tool
from .tool import Tool


class HasTools(Protocol):
    """What has tools by their names."""

    @property
    def tools(self) -> Mapping[str, Tool]: ...


@dataclass(frozen=True)
class Call:
    """A call of a tool."""

    name: str
    tool: Tool | None
    response: StructuredResponse[Any] | None
    span: Span
    text: str
    repairs: tuple[Repair, ...] = ()
    problems: tuple[Problem, ...] = ()
    id: str | None = None
    is_quoted: bool = False

    @property
    def arguments(self) -> Any:
        """The arguments: an instance of the tool's model, or plain data for a tool of a schema."""
        if self.response is None or self.problems:
            raise ReplyError(self.problems, self.text, self.response)
        return self.response.to_dict() if self.response._plan.model is None else self.response.to_basemodel()

    @property
    def instance(self) -> Any:
        """The arguments as data."""
        return None if self.response is None else self.response.instance

    def run(self, context: Any = None) -> Outcome:
        """Runs the tool."""
        return run_tool(self._runnable(), self.arguments, context, call_id=self.id)

    async def arun(self, context: Any = None) -> Outcome:
        """Runs the tool."""
        return await arun_tool(self._runnable(), self.arguments, context, call_id=self.id)

    def _runnable(self) -> Tool:
        if self.tool is None or self.tool.function is None:
            raise NotRunnableError(self.name)
        return self.tool


@dataclass(frozen=True)
class Calls(Sequence[Call]):
    """The calls of a reply, in order."""

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


def parse_calls(toolbox: HasTools, reply: str, *, react: bool = False) -> Calls:
    """Reads the calls of a reply."""
    raise NotImplementedError


def call_of(toolbox: HasTools, name: str, arguments_json: str, *, id: str | None = None) -> Call:  # noqa: A002 - a call's own word
    """Reads a native call."""
    tool = toolbox.tools.get(name)
    span = (0, len(arguments_json))
    if tool is None:
        problem = Problem(ProblemKind.INVALID, "$", f"there is no tool {name!r}", name)
        return Call(name, None, None, span, arguments_json, problems=(problem,), id=id)
    try:
        response = tool.request.parse(arguments_json, strict=False)
    except ReplyError as error:
        return Call(name, tool, None, span, arguments_json, problems=tuple(error.problems), id=id)
    found = tuple(response.repairs), tuple(response.problems)
    return Call(name, tool, response, span, arguments_json, *found, id=id)
