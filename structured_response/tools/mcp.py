"""The tools of a server that speaks the Model Context Protocol, by the protocol's official package."""

from __future__ import annotations

import asyncio
import shlex
from base64 import b64decode
from collections.abc import AsyncIterator, Sequence
from concurrent.futures import Future
from contextlib import asynccontextmanager
from reprlib import repr as short_repr
from typing import Any

from ..errors import ToolError, needs
from ..version import DISTRIBUTION, __version__
from .results import binary_text, result_text
from .tool import Tool, schema_tool

with needs("mcp", "mcp"):
    import mcp_types as types
    from anyio.from_thread import BlockingPortal, start_blocking_portal
    from mcp import Client, StdioServerParameters, stdio_client

_Served = tuple[Client, list[types.Tool]]


@asynccontextmanager
async def connected(target: Any, prefix: str, timeout: float) -> AsyncIterator[list[Tool]]:
    """Connects to a server and gives its tools. See `Toolbox.from_mcp`.

    The connection has a thread and an event loop of its own, so that a tool runs wherever it is called, also from code
    that blocks the event loop around it.
    """
    server = _server(target)
    ready: Future[_Served] = Future()
    ended: Future[None] = Future()
    with start_blocking_portal() as portal:
        serving = portal.start_task_soon(_serve, server, ready, ended)
        served, end = asyncio.wrap_future(ready), asyncio.wrap_future(serving)
        try:
            await asyncio.wait({served, end}, timeout=timeout, return_when=asyncio.FIRST_COMPLETED)
            if not served.done():
                cause = end.exception() if end.done() else TimeoutError(f"no answer in {timeout:g} s")
                raise ToolError(f"no connection to the MCP server {short_repr(target)}: {_reason(cause)}") from cause
            client, tools = served.result()
            yield [_tool(portal, serving, client, prefix, tool) for tool in tools]
        finally:
            if ready.done():
                ended.set_result(None)
            else:
                serving.cancel()
            await asyncio.gather(end, return_exceptions=True)


def _server(target: Any) -> Any:
    """Returns what the package's client connects to: a URL, a command's pipes, or what was given."""
    if isinstance(target, str) and target.startswith(("http://", "https://")):
        return target
    if isinstance(target, Sequence):
        command = shlex.split(target) if isinstance(target, str) else target
        if not command:
            raise ToolError(f"the URL of an MCP server or a command that starts one is needed, not {target!r}")
        target = StdioServerParameters(command=command[0], args=list(command[1:]))
    return stdio_client(target) if isinstance(target, StdioServerParameters) else target


async def _serve(server: Any, ready: Future[_Served], ended: Future[None]) -> None:
    """Holds the connection. Without callbacks the client refuses sampling, elicitation and roots."""
    info = types.Implementation(name=DISTRIBUTION, version=__version__)
    async with Client(server, client_info=info) as client:
        page = await client.list_tools()
        tools = list(page.tools)
        while page.next_cursor is not None:
            page = await client.list_tools(cursor=page.next_cursor)
            tools += page.tools
        ready.set_result((client, tools))
        await asyncio.wrap_future(ended)


def _reason(error: BaseException | None) -> str:
    """Returns what went wrong, which is often inside of groups of exceptions."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return str(error) or type(error).__name__


def _tool(portal: BlockingPortal, serving: Future[None], client: Client, prefix: str, tool: types.Tool) -> Tool:
    """Returns a tool whose function calls the server."""

    async def call(**arguments: Any) -> str:
        if serving.done():
            raise ToolError("the connection to the server of this tool is closed")
        result = await asyncio.wrap_future(portal.start_task_soon(client.call_tool, tool.name, arguments))
        text = "\n".join(map(_block_text, result.content)) or result_text(result.structured_content)
        if result.is_error:
            raise ToolError(text)
        return text

    return schema_tool(prefix + tool.name, tool.description, tool.input_schema, call)


def _block_text(block: types.ContentBlock) -> str:
    held = block.resource if isinstance(block, types.EmbeddedResource) else block
    match held:
        case types.TextContent() | types.TextResourceContents():
            return held.text
        case types.ResourceLink():
            return f"<resource {held.uri}: {held.description or held.name}>"
        case types.BlobResourceContents():
            return binary_text(b64decode(held.blob), held.mime_type)
        case _:
            return binary_text(b64decode(held.data), held.mime_type)
