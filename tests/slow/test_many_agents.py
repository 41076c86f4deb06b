"""Many agents at once with the real SDKs, which tests/world/test_tools_acting.py runs one by one."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from structured_response.tools import ActMode, aact
from tests.chat_server import chat_server
from tests.world.test_tools_acting import TOOLBOX, Report, record, reply, with_client

AGENTS = 50


@pytest.mark.parametrize(("kind", "mode"), [("chat", "text"), ("responses", "native"), ("messages", "native")])
def test_fifty_agents_at_once(kind: str, mode: ActMode) -> None:
    """Each gets its own answer, with sync and async tools, on one event loop."""

    def run(complete: Any) -> Any:
        agents = [aact(complete, f"Report {number}", TOOLBOX, Report, mode=mode) for number in range(AGENTS)]
        return asyncio.gather(*agents)

    with chat_server(lambda messages: reply(messages, mode == "native")) as server:
        results = with_client(kind, server.url, True, run)
        assert len(server.requests) == 3 * AGENTS
    assert [result.value.number for result in results] == [*range(AGENTS)]
    assert {len(record(result)) for result in results} == {3}
