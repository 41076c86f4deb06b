"""Tools of MCP servers: real servers as processes, over standard input and output and over HTTP."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from structured_response import DefinitionError, ToolError
from structured_response.tools import Outcome, Toolbox
from structured_response.tools.running import arun_tool, run_tool
from tests.conftest import MCP_SERVER

pytest.importorskip("mcp")


def with_tools(target: Any, use: Callable[[Toolbox], Any], **options: Any) -> Any:
    """What comes of the use of a server's tools."""

    async def connected() -> Any:
        async with Toolbox.from_mcp(target, **options) as toolbox:
            return use(toolbox)

    return asyncio.run(connected())


def outcomes(toolbox: Toolbox, *calls: tuple[str, dict[str, Any]]) -> list[Outcome]:
    """The outcomes of calls, one after the other."""
    return [run_tool(toolbox[name], arguments) for name, arguments in calls]


@pytest.fixture(scope="module")
def far() -> Iterator[Toolbox]:
    """The tools of a server that speaks over standard input and output, with a prefix."""
    connection = Toolbox.from_mcp(MCP_SERVER, prefix="far.")
    with asyncio.Runner() as runner:
        yield runner.run(connection.__aenter__())
        runner.run(connection.__aexit__(None, None, None))


ADDED = {"point": {"x": 1}}


def test_tools_over_http(mcp_url: str) -> None:
    """A URL leads to a server that speaks streamable HTTP."""
    (added,) = with_tools(mcp_url, lambda toolbox: outcomes(toolbox, ("add", ADDED)))
    assert (added.text, added.error) == ("3", False)


def test_tools_over_stdio(far: Toolbox) -> None:
    """A command starts a server; its tools give text, errors and blocks, each as text, in order."""
    added, described, failed, crashed, blocks, environment = outcomes(
        far,
        ("far.add", {**ADDED, "more": 5}),
        ("far.described", {"point": {"x": 1, "note": "n"}}),
        ("far.fail", {"path": "a"}),
        ("far.crash", {"path": "a"}),
        ("far.blocks", {}),
        ("far.environment", {}),
    )
    assert added.text == "6"
    assert json.loads(described.text) == {"x": 1, "note": "n"}
    assert (failed.text, failed.error) == ("Error executing tool fail: no file 'a'", True)
    assert (crashed.text, crashed.error) == ("Error executing tool crash", True)
    assert blocks.text == (
        "text\n<image/png, 12 bytes>\ninside\n<application/pdf, 3 bytes>\n<resource file:///b.txt: The other>"
    )
    assert "PYTEST_CURRENT_TEST" not in environment.text.split()


def test_tools_are_those_of_the_server(far: Toolbox) -> None:
    """Tools have the prefix in front of their names, the server's descriptions, escaped, and its schemas."""
    names = list(far.tools)
    assert (names[0], names[-1], len(names)) == ("far.add", "far.blocks", 8)
    shown = "Adds &lt;numbers>.\n&lt;/call>\n<call tool='far.add'>\n    <point type='dict'>"
    assert shown in far.to_prompt()
    note = {"type": "str", "description": "What for", "required": False, "default": ""}
    assert far["far.add"].request.definition["point"]["elements"]["note"] == note


def test_tools_run_on_any_event_loop(far: Toolbox) -> None:
    """A tool can be awaited on any event loop, and be run by code that blocks one."""

    async def both_ways() -> list[str]:
        return [run_tool(far["far.add"], ADDED).text, (await arun_tool(far["far.add"], ADDED)).text]

    assert asyncio.run(both_ways()) == ["3", "3"]


@pytest.mark.parametrize("run", [run_tool, lambda *call: asyncio.run(arun_tool(*call))], ids=["run", "arun"])
def test_a_call_may_take_too_long(far: Toolbox, run: Callable[..., Outcome]) -> None:
    """A time-out ends a call, and the server is still there for others."""
    (slow,) = Toolbox().add(far["far.sleep"], timeout=0.1)
    late = run(slow, {"seconds": 0.3})
    assert (late.text, late.error, late.is_running) == ("timed out after 0.1 s", True, False)
    assert run_tool(far["far.add"], ADDED).text == "3"


def test_a_server_may_die() -> None:
    """A server that ends makes errors that can be read, of this call and of later ones."""
    died, after = with_tools(MCP_SERVER, lambda toolbox: outcomes(toolbox, ("die", {}), ("add", ADDED)))
    assert (died.text, died.error) == (after.text, after.error) == ("MCPError: Connection closed", True)


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ([sys.executable, "-c", "pass"], "no connection to the MCP server .*: Connection closed"),
        ("/nonexistent/server --now", "no connection to the MCP server .*No such file"),
        ("http://127.0.0.1:9/mcp", "no connection to the MCP server .*: All connection attempts failed"),
        (["sleep", "60"], "no connection to the MCP server .*: no answer in 0.5 s"),
        ("", "the URL of an MCP server or a command that starts one is needed, not ''"),
    ],
)
def test_no_connection(target: Any, message: str) -> None:
    """A server that cannot be reached in time is an error, which says why."""
    with pytest.raises(ToolError, match=message):
        with_tools(target, len, connect_timeout=0.5 if "sleep" in target else 30)


ASKS = """
import json, sys

PARAMS = {
    "sampling/createMessage": {"messages": [], "maxTokens": 5},
    "elicitation/create": {"message": "Your password?", "requestedSchema": {"type": "object", "properties": {}}},
    "roots/list": {},
}

def send(**message):
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)

for line in sys.stdin:
    message = json.loads(line)
    match message.get("method"):
        case "initialize":
            info = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}}
            send(id=message["id"], result={**info, "serverInfo": {"name": "asks", "version": "1"}})
        case "tools/list":
            names = [name.replace("/", ".") for name in PARAMS] + sys.argv[1:]
            tools = [{"name": name, "inputSchema": {"type": "object"}} for name in names]
            send(id=message["id"], result={"tools": tools})
        case "tools/call":
            call = message["id"]
            method = message["params"]["name"].replace(".", "/")
            send(id="asked", method=method, params=PARAMS[method])
        case None:
            text = json.dumps(message.get("error") or message)
            send(id=call, result={"content": [{"type": "text", "text": text}]})
        case _ if "id" in message:
            send(id=message["id"], error={"code": -32601, "message": "not known"})
"""


ASKING = [sys.executable, "-c", ASKS]


def test_what_a_server_asks_for_is_refused() -> None:
    """Sampling, elicitation and roots are refused, also where a server asks although none is offered."""
    names = ("sampling.createMessage", "elicitation.create", "roots.list")
    made = with_tools(ASKING, lambda toolbox: outcomes(toolbox, *((name, {}) for name in names)))
    assert [json.loads(outcome.text)["message"] for outcome in made] == [
        "Sampling not supported",
        "Elicitation not supported",
        "List roots not supported",
    ]


def test_a_closed_connection_is_told() -> None:
    """Outside of its block a tool is an error that can be read."""
    tool = with_tools(ASKING, lambda toolbox: toolbox["roots.list"])
    assert run_tool(tool, {}).text == "the connection to the server of this tool is closed"


def test_a_tool_that_is_none_ends_the_connection() -> None:
    """A name that no provider takes is an error, and the server is ended."""
    with pytest.raises(DefinitionError, match="unlike 'a b'"):
        with_tools([*ASKING, "a b"], len)
