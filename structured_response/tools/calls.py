"""The calls of a reply: which of them count, and their arguments."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, overload

from ..errors import NotRunnableError, ReplyError
from ..findings import Problem, ProblemKind, Repair, RepairKind, Span
from ..options import ParseOptions
from ..read import read
from ..read.answer import Answer
from ..response import StructuredResponse
from .pieces import Pieces
from .running import Outcome, arun_tool, run_tool
from .shapes import ALONE, BARE_SHAPE, CODE, MARKERS, REACT, SHAPES, is_bare_call
from .source import Reading, Shape, Source, Tools, Written
from .tool import Tool


class HasTools(Protocol):
    """What has tools by their names."""

    @property
    def tools(self) -> Mapping[str, Tool]: ...


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
    span: Span
    text: str
    repairs: tuple[Repair, ...] = ()
    problems: tuple[Problem, ...] = ()
    id: str | None = None
    is_quoted: bool = False

    @property
    def arguments(self) -> Any:
        """The arguments: an instance of the tool's model, or plain data for a tool of a schema.

        Raises:
            ReplyError: The call has problems.
        """
        if self.problems or self.response is None:
            raise ReplyError(self.problems, self.text, self.response)
        return self.response.to_dict() if self.response._plan.model is None else self.response.to_basemodel()

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
        if self.tool is None or self.tool.function is None:
            raise NotRunnableError(self.name)
        return self.tool

    @property
    def is_mended(self) -> bool:
        """Whether a repair changed the name or an argument."""
        return any(repair.before != repair.after for repair in self.repairs)

    @property
    def is_cut(self) -> bool:
        """Whether the reply breaks off in the call."""
        return any(problem.kind is ProblemKind.TRUNCATED for problem in self.problems)


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


def parse_calls(toolbox: HasTools, reply: str, *, react: bool = False) -> Calls:
    """Returns the calls of a reply; see `Toolbox.parse`."""
    source = Source(reply, _names(toolbox))
    walk = _Walk(source, react)
    walk.through(0, len(reply))
    calls = [read_call(toolbox, source.tools, written, reply, is_quoted) for written, is_quoted in walk.settled()]
    counting, quoted = (tuple(call for call in calls if call.is_quoted is which) for which in (False, True))
    return Calls(counting, walk.text(), reply, quoted)


def call_of(toolbox: HasTools, name: str, arguments: str, *, id: str | None = None) -> Call:  # noqa: A002 - a call's own word
    """Returns a call that a provider has taken apart already: its name, and its arguments as a text of JSON."""
    written = Written(name, (0, len(arguments)), id=id)
    if arguments.strip():
        written.pieces = Pieces(written.span)
        written.pieces.add(arguments, written.span)
    return read_call(toolbox, _names(toolbox), written, arguments, is_quoted=False)


def _names(toolbox: HasTools) -> Tools:
    return Tools({name: tool.request._plan for name, tool in toolbox.tools.items()})


def read_call(toolbox: HasTools, tools: Tools, written: Written, reply: str, is_quoted: bool) -> Call:
    """Reads the arguments of a call by the definition of its tool."""
    name = tools.named(written.name)
    text = reply[slice(*written.span)]
    if name is None:
        problem = Problem(ProblemKind.INVALID, "$", _no_such(toolbox, written.name), written.name, span=written.span)
        found = (problem, *written.problems)
        return Call(written.name, None, None, written.span, text, (), found, written.id, is_quoted)
    tool = toolbox.tools[name]
    plan = tool.request._plan
    pieces = written.pieces
    if pieces is None:
        pieces = Pieces(written.span)
        pieces.add("{}")
    form = written.form if written.pieces is not None else "json"
    answer = read(plan, pieces.text if plan.root.fields else "{}", None, ParseOptions(format=form))
    repairs = [*written.repairs, *pieces.repairs(answer.repairs)]
    if not tools.is_exact(written.name):
        repairs.insert(0, Repair(RepairKind.NAME_RESPELLED, "$", written.span, written.name, name))
    known = {problem.path for problem in written.problems}
    problems = [*written.problems, *(each for each in pieces.problems(answer.problems) if each.path not in known)]
    read_answer = replace(answer, repairs=repairs, problems=problems, model=None if problems else answer.model)
    response: StructuredResponse[Any] = StructuredResponse._of(plan, read_answer if answer.found else Answer({}, problems=problems))
    return Call(name, tool, response, written.span, text, tuple(repairs), tuple(problems), written.id, is_quoted)


def _no_such(toolbox: HasTools, name: str) -> str:
    tools = ", ".join(toolbox.tools)
    return f"there is no tool {name!r}; the tools are {tools}"[:500]


# Which calls count

_EVENT = re.compile(
    r"""(?P<fence> ^[ \t]*+ (?P<ticks> `{3,}+ | ~{3,}+ ) (?P<language> [\w+-]*+ ) [^\n]*+ (?: \n | \Z ) )
      | (?P<thought> < (?P<name> think | thinking | reasoning | reflection | scratchpad ) \s*+ > )
      | (?P<channel> (?: <\|start\|>assistant\s*+ )? <\|channel\|>\s*+ (?: analysis | final ) [^<]*+ <\|message\|> )
      | (?P<quotation> ^[ \t]*+ > )
      | (?P<head> < | \[TOOL_CALLS\] | ^Action: )""",
    re.VERBOSE | re.MULTILINE,
)
_ORPHAN = re.compile(r"</(think|thinking|reasoning|reflection|scratchpad)\s*>")
_END_OF_MESSAGE = re.compile(r"<\|(?:end|return|call|start|channel)\|>")
_QUOTED_LINES = re.compile(r"(?:[ \t]*>[^\n]*(?:\n|\Z))+")
_QUOTES = {'"': '"', "'": "'", "`": "`", "\u201c": "\u201d", "\u2018": "\u2019", "\u00ab": "\u00bb"}
_BLANKS = re.compile(r"\s*")


@dataclass
class _Walk:
    """A walk through a reply that finds its calls.

    Attributes:
        found: The calls, each with whether it is quoted.
        gone: The spans that are not text: calls, fences of calls, reasoning.
        fenced: The numbers of calls in fences, each with the end of its fence.
    """

    source: Source
    react: bool
    found: list[tuple[Written, bool]] = field(default_factory=list)
    gone: list[Span] = field(default_factory=list)
    fenced: list[tuple[int, int]] = field(default_factory=list)

    def through(self, start: int, stop: int, is_quoted: bool = False) -> None:
        """Finds the calls of a span."""
        text, place = self.source.text, start
        orphan = _ORPHAN.search(text, start, stop) if not is_quoted else None
        if orphan is not None and f"<{orphan[1]}" not in text[start : orphan.start()]:
            place = self._aside(start, orphan.start(), orphan.end())
        if not is_quoted and (end := self._alone(place, stop)):
            return
        while (event := _EVENT.search(text, place, stop)) is not None:
            kind = next(name for name in _KINDS if event[name] is not None)
            place = _KINDS[kind](self, event, stop, is_quoted)

    def _head(self, event: re.Match[str], stop: int, is_quoted: bool) -> int:
        reading = self._read_at(event.start())
        if reading is None or reading[1] > stop:
            return event.start() + 1
        calls, end = reading
        for written in calls:
            self.found.append((written, is_quoted or _is_in_quotes(self.source.text, written.span)))
        self.gone.append((event.start(), end))
        return end

    def _read_at(self, place: int) -> Reading:
        """Returns the calls that begin at a place."""
        text = self.source.text
        for shape in SHAPES:
            head = shape.head.match(text, place)
            if head is not None and (reading := shape.read(self.source, shape, head)) is not None:
                return reading
        head = BARE_SHAPE.head.match(text, place)
        if head is not None and is_bare_call(self.source, head):
            return BARE_SHAPE.read(self.source, BARE_SHAPE, head)
        head = REACT.match(text, place) if self.react else None
        return None if head is None else _react(self.source, head)

    def _alone(self, start: int, stop: int, shapes: Sequence[Shape] = ALONE) -> bool:
        """Takes a span that is nothing but calls without a marker. Returns whether it is."""
        source = replace(self.source, stop=stop)
        for shape in shapes:
            head = shape.head.match(source.text, start, stop)
            reading = shape.read(source, shape, head) if head is not None else None
            if reading is None or source.text[reading[1] : stop].strip():
                continue
            if any(self.source.tools.named(written.name) is None for written in reading[0]):
                continue
            self.found += [(written, False) for written in reading[0]]
            self.gone.append((start, stop))
            return True
        return False

    def _fence(self, event: re.Match[str], stop: int, is_quoted: bool) -> int:
        """Takes a fence. Its calls count if it holds nothing else."""
        text, begin, first = self.source.text, event.end(), len(self.found)
        closing = re.compile(rf"^[ \t]*{event['ticks'][:3]}[`~]*[ \t]*$", re.MULTILINE)
        place = _BLANKS.match(text, begin).end()  # type: ignore[union-attr]
        while not is_quoted and (reading := self._read_at(place)) is not None:
            self.found += [(written, False) for written in reading[0]]
            place = _BLANKS.match(text, _past_markers(text, reading[1])).end()  # type: ignore[union-attr]
        end = closing.search(text, place if len(self.found) > first else begin, stop)
        inner, outer = (stop, stop) if end is None else end.span()
        if len(self.found) == first and not is_quoted:
            shapes = (*ALONE, CODE) if event["language"] in ("tool_code", "tool_call") else ALONE
            self._alone(begin, inner, shapes)
            place = inner
        if len(self.found) > first and not text[place:inner].strip():
            self.fenced += [(number, outer) for number in range(first, len(self.found))]
            self.gone.append((event.start(), outer))
            return outer
        self.found[first:] = [(written, True) for written, _is_quoted in self.found[first:]]
        if place < inner:
            self.through(place if len(self.found) > first else begin, inner, True)
        return outer

    def _thought(self, event: re.Match[str], stop: int, is_quoted: bool) -> int:
        end = re.compile(rf"</{event['name']}\s*>").search(self.source.text, event.end(), stop)
        inner, outer = (stop, stop) if end is None else end.span()
        return self._aside(event.start(), inner, outer)

    def _channel(self, event: re.Match[str], stop: int, is_quoted: bool) -> int:
        """Takes a message of another channel of Harmony, in which nothing is a call."""
        end = _END_OF_MESSAGE.search(self.source.text, event.end(), stop)
        inner = stop if end is None else end.start()
        if "final" in event[0]:
            self.gone.append(event.span())
            self.through(event.end(), inner, True)
            return inner
        return self._aside(event.start(), inner, inner)

    def _quotation(self, event: re.Match[str], stop: int, is_quoted: bool) -> int:
        lines = _QUOTED_LINES.match(self.source.text, event.start(), stop)
        end = lines.end() if lines is not None else event.end()
        self.through(event.end(), end, True)
        return end

    def _aside(self, start: int, inner: int, outer: int) -> int:
        """Takes reasoning. What follows it may be all that is a call."""
        self.through(start + 1, inner, True)
        self.gone.append((start, outer))
        if self._alone(outer, len(self.source.text)):
            return len(self.source.text)
        return outer

    def settled(self) -> list[tuple[Written, bool]]:
        """Returns the calls, in order. Those in fences do not count if text follows."""
        behind = {number: end for number, end in self.fenced if self._text_from(end).strip()}
        found = [(written, is_quoted or number in behind) for number, (written, is_quoted) in enumerate(self.found)]
        return sorted(found, key=lambda each: each[0].span)

    def text(self) -> str:
        return self._text_from(0).strip()

    def _text_from(self, start: int) -> str:
        parts, place = [], start
        for begin, end in sorted(self.gone):
            parts.append(self.source.text[place:begin])
            place = max(place, end)
        return MARKERS.sub("", "".join([*parts, self.source.text[place:]]))


_KINDS = {
    "fence": _Walk._fence,
    "thought": _Walk._thought,
    "channel": _Walk._channel,
    "quotation": _Walk._quotation,
    "head": _Walk._head,
}


def _past_markers(text: str, place: int) -> int:
    """Returns the place behind the markers at a place."""
    while (marker := MARKERS.match(text, _BLANKS.match(text, place).end())) is not None:  # type: ignore[union-attr]
        place = marker.end()
    return place


def _is_in_quotes(text: str, span: Span) -> bool:
    """Returns whether a span is in quotation marks, or in code within a line."""
    before, behind = text[max(0, span[0] - 1) : span[0]], text[span[1] : span[1] + 1]
    line = text.rfind("\n", 0, span[0]) + 1
    return (before in _QUOTES and _QUOTES[before] == behind) or text.count("`", line, span[0]) % 2 == 1


def _react(source: Source, head: re.Match[str]) -> Reading:
    """Reads a call as ReAct's prompts ask for it: its input is JSON, or the only argument as text."""
    text, start = source.text, head.end()
    stop = next(
        (match.start() for match in re.finditer(r"^[ \t]*(?:Observation|Thought|Action):", text[start:], re.MULTILINE)),
        len(text) - start,
    )
    end = start + len(text[start : start + stop].rstrip())
    written = Written(head[1], (head.start(), end), Pieces((head.start(), end)))
    name = source.tools.named(head[1])
    fields = source.tools.plans[name].root.fields if name is not None else {}
    assert written.pieces is not None
    raw = text[start:end]
    if raw[:1] not in "{[" and len(fields) == 1:
        raw = json.dumps({next(iter(fields)): raw})
    written.pieces.add(raw, (start, end))
    return [written], end
