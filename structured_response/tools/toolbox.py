"""The tools of a program by their names, and how they are shown to a language model."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from inspect import cleandoc
from types import MappingProxyType
from typing import Any, Literal, Self, Unpack

from ..errors import DefinitionError
from ..escaping import escape_text
from ..render.prompt_xml import xml_call
from .calls import Calls, calls_of, walked
from .native import from_native
from .shown import CallPart
from .source import Source, Tools
from .streaming import aparts, parts
from .tool import Tool, ToolOptions, tool_of

_INSTRUCTIONS = """\
To use a tool, write its call as shown below, each [...] replaced by its value; calls that need no other's result may
follow one another. Copy no attribute but tool and key. '...': any number of items. required='false': may be left out.
Write text as it is: no escaping, no CDATA. Stop after the calls; their results come in the next message."""


class Toolbox:
    """Tools by their names, in order. Iteration gives the tools.

    Args:
        *tools: Functions, also async; Pydantic models, whose calls the program answers itself; tool schemas of OpenAI,
            Anthropic or MCP; tools of LangChain or pydantic-ai; tools of another toolbox.

    Raises:
        DefinitionError: One of them cannot be a tool, or two have one name.
    """

    def __init__(self, *tools: Any) -> None:
        self._tools: dict[str, Tool] = {}
        for tool in tools:
            self.add(tool)

    def add(self, tool: Any, **options: Unpack[ToolOptions]) -> Self:
        """Add a tool, and return this toolbox.

        Args:
            tool: What the constructor takes.
            **options: How the tool runs: `timeout`, `isolate` and `idempotent`; see `ToolOptions`.

        Raises:
            DefinitionError: It cannot be a tool, its name is taken, or an option does not fit it.
        """
        made = replace(tool_of(tool), **options)
        if made.name in self._tools:
            raise DefinitionError("there is a tool of this name already", made.name)
        self._tools[made.name] = made
        return self

    @property
    def tools(self) -> Mapping[str, Tool]:
        """The tools by their names, in order, to read."""
        return MappingProxyType(self._tools)

    def __iter__(self) -> Iterator[Tool]:
        return iter(self._tools.values())

    def __len__(self) -> int:
        return len(self._tools)

    def __contains__(self, name: object) -> bool:
        return name in self._tools

    def __getitem__(self, name: str) -> Tool:
        return self._tools[name]

    def __repr__(self) -> str:
        return f"Toolbox({', '.join(self._tools)})"

    # For the language model

    def to_prompt(self) -> str:
        """Write the tools as text: how to call one, and for each tool its description and the form of a call."""
        return "\n\n".join([_INSTRUCTIONS, *map(_shown, self)])

    def to_openai(self, api: Literal["chat", "responses"] = "chat") -> list[dict[str, Any]]:
        """Return the tools as the `tools` of OpenAI's requests.

        Args:
            api: "chat" for chat completions, or "responses".
        """
        tools = [
            {"name": tool.name, "description": tool.description, "parameters": _schema_of(tool), "strict": False}
            for tool in self
        ]
        if api == "responses":
            return [{"type": "function", **tool} for tool in tools]
        return [{"type": "function", "function": tool} for tool in tools]

    def to_anthropic(self) -> list[dict[str, Any]]:
        """Return the tools as the `tools` of Anthropic's requests."""
        return [{"name": tool.name, "description": tool.description, "input_schema": _schema_of(tool)} for tool in self]

    # From the language model

    def parse(self, reply: str, *, react: bool = False) -> Calls:
        """Read the calls of a reply, in every shape in which models write them.

        Args:
            reply: The reply of the language model.
            react: Whether `Action:` and `Action Input:` are a call, as ReAct's prompts ask for.

        Returns:
            The calls in order, those that are only quoted, and the text around them. Nothing is raised for a call with
            faults: its `problems` say what is wrong.
        """
        if not isinstance(reply, str):
            raise TypeError(f"a reply is a str, not {type(reply).__name__}")
        return calls_of(walked(Source(reply, Tools(self), len(reply)), react))

    def stream(self, chunks: Iterable[str]) -> Iterator[CallPart]:
        """Read the calls of a reply while it is being written.

        Args:
            chunks: The pieces of the reply. They are closed at the end.

        Yields:
            The texts of arguments as they come, and each call once it is complete. A part with `restarted` takes back
            what the end of the reply does not confirm, so run no call before. Those left are the calls of `parse`.
        """
        return parts(self, chunks)

    def astream(self, chunks: AsyncIterable[str] | Iterable[str]) -> AsyncIterator[CallPart]:
        """Read the calls of a reply while it is being written, with `async for`; see `stream`."""
        return aparts(self, chunks)

    def from_native(self, message: Any) -> Calls:
        """Read the native calls of OpenAI or Anthropic.

        Args:
            message: An object of their SDKs, or its data: a completion, a message, or a list of its parts.

        Returns:
            The calls, as `parse` returns them, and the texts of the message.

        Raises:
            TypeError: It is none of these.
        """
        return from_native(self, message)

    # From a server

    @classmethod
    @asynccontextmanager
    async def from_mcp(
        cls, target: str | Sequence[str] | Any, *, prefix: str = "", connect_timeout: float = 30.0
    ) -> AsyncIterator[Self]:
        """Connect to an MCP server for as long as the block runs: `async with Toolbox.from_mcp(target) as toolbox`.

        The tools can be called from any thread and any event loop. Whatever the server asks for itself (sampling,
        elicitation, roots) is refused.

        Args:
            target: The URL of a server (streamable HTTP), or the command that starts one (stdio), as a list or a line
                in a shell's quoting. The process gets PATH, HOME and a few more environment variables, but not all of
                the program's. Or what else the `Client` of mcp takes, such as `StdioServerParameters`.
            prefix: A beginning for the names of the tools.
            connect_timeout: The seconds after which connecting fails, the list of tools included.

        Raises:
            MissingExtraError: The package mcp is not installed.
            ToolError: There is no connection.
            DefinitionError: A tool cannot be described.
        """
        from .mcp import connected

        async with connected(target, prefix, connect_timeout) as tools:
            yield cls(*tools)


def _shown(tool: Tool) -> str:
    """Returns a description and a form. A blank line stands only between tools, and no description opens a tag."""
    lines = cleandoc(escape_text(tool.description)).splitlines()
    return "\n".join([*filter(str.strip, lines), xml_call(tool.request._plan)])


def _schema_of(tool: Tool) -> dict[str, Any]:
    """Returns the JSON Schema of the arguments, without what the tool says itself."""
    said = ("$schema", "title", "description")
    return {key: value for key, value in tool.request.to_json_schema().items() if key not in said}
