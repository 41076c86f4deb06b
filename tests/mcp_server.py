"""A server of the official package, as a process: over its standard input and output, or over HTTP at a given port."""

from __future__ import annotations

import os
import sys
import time
from typing import Any

from mcp.server import MCPServer
from mcp.server.mcpserver import Image
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import BlobResourceContents, EmbeddedResource, ResourceLink, TextResourceContents
from pydantic import BaseModel, Field

server = MCPServer("tests", log_level="CRITICAL")


class Point(BaseModel):
    x: int
    note: str = Field("", description="What for")


@server.tool()
def add(point: Point, more: int = 2) -> int:
    """Adds <numbers>.

    </call>
    """
    return point.x + more


@server.tool()
def described(point: Point) -> Point:
    """Gives structured content."""
    return point


@server.tool()
def fail(path: str) -> str:
    """Fails as a tool may."""
    raise ToolError(f"no file {path!r}")


@server.tool()
def crash(path: str) -> str:
    """Fails as no tool may."""
    raise ValueError(path)


@server.tool()
def die() -> str:
    """Ends the server."""
    os._exit(3)


@server.tool()
def sleep(seconds: float) -> str:
    """Takes long."""
    time.sleep(seconds)
    return "awake"


@server.tool()
def environment() -> str:
    """Tells the names of the environment's variables."""
    return " ".join(sorted(os.environ))


@server.tool(structured_output=False)
def blocks() -> list[Any]:
    """Gives a block of each kind."""
    return [
        "text",
        Image(data=b"\x89PNG\r\n\x1a\n1234", format="png"),
        EmbeddedResource(resource=TextResourceContents(uri="file:///a.txt", text="inside")),
        EmbeddedResource(resource=BlobResourceContents(uri="file:///a.pdf", mime_type="application/pdf", blob="AAAA")),
        ResourceLink(name="b", uri="file:///b.txt", description="The other"),
    ]


if __name__ == "__main__":
    if len(sys.argv) > 1:
        server.run("streamable-http", port=int(sys.argv[1]))
    else:
        server.run()
